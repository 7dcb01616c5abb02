/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

/* Names of temporaries that are tried before giving up: leftovers of killed runs under a reused process id. */
#define TEMPORARY_TRIES 1000

ts_status ts_fail_errno(ts_error *error, const char *what, const char *path, int reason)
{
    char text[128] = "";
    /* strerror is not safe with threads; the GNU strerror_r returns the text, the POSIX one fills the buffer */
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
    const char *why = strerror_r(reason, text, sizeof text);
#else
    const char *why = strerror_r(reason, text, sizeof text) == 0 ? text : "unknown error";
#endif
    const char *remedy = "";
    if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG)
        remedy = "; make room or choose another folder";
    else if ((reason == EACCES || reason == EROFS || reason == EPERM) && strcmp(what, "read") != 0 &&
             strcmp(what, "open") != 0)
        remedy = "; choose a folder that you may write to";
    return ts_fail(error, reason == ENOMEM ? TS_OUT_OF_MEMORY : TS_IO, "cannot %s %s: %s%s", what, path, why, remedy);
}

/* ---- Opening ---- */

int ts_above_standard(int file)
{
    if (file < 0 || file > STDERR_FILENO)
        return file;
    int moved = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), reason = errno;
    close(file);
    errno = reason;
    return moved;
}

int ts_open(const char *path, int flags, mode_t mode)
{
    return ts_above_standard(open(path, flags | O_CLOEXEC, mode));
}

FILE *ts_open_stream(const char *path)
{
    int file = ts_open(path, O_RDONLY, 0);
    FILE *stream = file >= 0 ? fdopen(file, "rb") : NULL;
    if (file >= 0 && !stream) {
        int reason = errno;
        close(file);
        errno = reason;
    }
    return stream;
}

/* ---- Reading ---- */

/* Reads until the end or until there is more than `cap`; `*block` may be set on failure too and is the caller's. */
static ts_status read_all(int file, const char *path, size_t cap, char **block, size_t *size, ts_error *error)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return ts_fail_errno(error, "read", path, errno);
    if (S_ISDIR(about.st_mode))
        return ts_fail_errno(error, "read", path, EISDIR);
    /* the size is a hint only: pipes have none, and a file may grow meanwhile */
    size_t capacity = 4096, used = 0;
    if (S_ISREG(about.st_mode) && about.st_size > 0 && (uintmax_t)about.st_size <= cap)
        capacity = (size_t)about.st_size + 1;
    if (S_ISREG(about.st_mode) && (uintmax_t)about.st_size > cap)
        used = cap + 1; /* refused below without reading it */

    while (used <= cap) {
        if (!*block || used == capacity) {
            size_t wanted = *block ? capacity * 2 : capacity;
            char *moved = ts_realloc(*block, used, wanted + 1);
            if (!moved)
                return ts_fail_memory(error, wanted + 1);
            *block = moved;
            capacity = wanted;
        }
        ssize_t got = read(file, *block + used, capacity - used);
        if (got == 0) {
            (*block)[used] = 0;
            *size = used;
            return TS_OK;
        }
        if (got < 0 && errno != EINTR)
            return ts_fail_errno(error, "read", path, errno);
        used += got > 0 ? (size_t)got : 0;
    }
    return ts_fail(error, TS_BAD_INPUT, "%s is larger than the %zu bytes allowed for it; give a smaller file", path,
                   cap);
}

ts_status ts_file_read(const char *path, size_t cap, char **data, size_t *size, ts_error *error)
{
    int file = ts_open(path, O_RDONLY, 0);
    if (file < 0)
        return ts_fail_errno(error, "open", path, errno);
    if (cap > SIZE_MAX / 4)
        cap = SIZE_MAX / 4; /* so that doubling cannot overflow */
    char *block = NULL;
    size_t used = 0;
    ts_status status = read_all(file, path, cap, &block, &used, error);
    close(file);
    if (status != TS_OK) {
        ts_free(block);
        return status;
    }
    *data = block;
    *size = used;
    return TS_OK;
}

bool ts_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* ---- Writing ---- */

/* Makes the rename itself durable. A file system that cannot sync a folder says EINVAL, and then nobody could. */
static int sync_folder(const char *path)
{
    /* no allocation: by now the new file is in place, and nothing may be reported as failed for want of memory */
    char folder[PATH_MAX];
    if (strlen(path) + 2 > sizeof folder)
        return ENAMETOOLONG;
    ts_path_folder(path, folder, sizeof folder);
    int file = ts_open(folder, O_RDONLY | O_DIRECTORY, 0);
    if (file < 0)
        return errno == EACCES ? 0 : errno; /* a folder may be writable but not readable */
    int reason = fsync(file) == 0 || errno == EINVAL ? 0 : errno;
    close(file);
    return reason;
}

static void release(ts_draft *draft)
{
    ts_free(draft->path);
    ts_free(draft->temporary);
    *draft = (ts_draft){0};
}

/* Opens a new file beside the path, or the path itself when it is a device or a link (renaming would replace the link,
 * be it /dev/stdout); returns the descriptor or -1 with errno. */
static int open_beside(ts_draft *draft, const char *path, size_t capacity)
{
    struct stat about;
    if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        ts_free(draft->temporary);
        draft->temporary = NULL;
        return ts_open(path, O_WRONLY | O_TRUNC | O_CREAT, 0666); /* EISDIR for a folder */
    }
    static atomic_uint serial; /* tells threads apart, as the process id tells processes */
    for (int try = 0; try < TEMPORARY_TRIES; try++) {
        snprintf(draft->temporary, capacity, "%s.%ld.%u.tmp", path, (long)getpid(), atomic_fetch_add(&serial, 1));
        int file = ts_open(draft->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

ts_status ts_draft_open(ts_draft *draft, const char *path, ts_error *error)
{
    *draft = (ts_draft){0}; /* so that discarding a draft that was never opened does nothing */
    size_t capacity = strlen(path) + 48;
    ts_draft made = {.path = ts_copy_text(path), .temporary = ts_alloc_raw(capacity, 1)};
    if (!made.path || !made.temporary) {
        release(&made);
        return ts_fail_memory(error, capacity);
    }
    int file = open_beside(&made, path, capacity);
    if (file >= 0)
        made.stream = fdopen(file, "wb");
    if (!made.stream) {
        int reason = errno;
        if (file >= 0) {
            close(file);
            if (made.temporary)
                unlink(made.temporary);
        }
        release(&made);
        return ts_fail_errno(error, "write", path, reason);
    }
    *draft = made;
    return TS_OK;
}

ts_status ts_draft_commit(ts_draft *draft, ts_error *error)
{
    /* the first thing that goes wrong is the reason; a stream that failed earlier has forgotten its own, and of those
     * a full disk is by far the likeliest */
    int reason = ferror(draft->stream) ? ENOSPC : 0;
    if (fflush(draft->stream) != 0)
        reason = errno;
    if (reason == 0 && draft->temporary && fsync(fileno(draft->stream)) != 0)
        reason = errno;
    if (fclose(draft->stream) != 0 && reason == 0)
        reason = errno;
    if (draft->temporary) {
        if (reason == 0 && rename(draft->temporary, draft->path) != 0)
            reason = errno;
        if (reason != 0)
            unlink(draft->temporary);
        else
            reason = sync_folder(draft->path);
    }
    ts_status status = reason == 0 ? TS_OK : ts_fail_errno(error, "write", draft->path, reason);
    release(draft);
    return status;
}

void ts_draft_discard(ts_draft *draft)
{
    if (!draft->stream)
        return;
    fclose(draft->stream);
    if (draft->temporary)
        unlink(draft->temporary);
    release(draft);
}

ts_status ts_file_write(const char *path, const void *data, size_t size, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    if (size > 0 && fwrite(data, 1, size, draft.stream) != size) {
        int reason = errno;
        ts_draft_discard(&draft);
        return ts_fail_errno(error, "write", path, reason);
    }
    return ts_draft_commit(&draft, error);
}

ts_status ts_folder_make(const char *path, ts_error *error)
{
    if (path[0] == 0)
        return ts_fail_errno(error, "make the folder", "\"\"", ENOENT);
    char *part = ts_copy_text(path);
    if (!part)
        return ts_fail_memory(error, strlen(path) + 1);
    /* each parent in turn, by ending the text at its slash */
    ts_status status = TS_OK;
    size_t length = strlen(part);
    for (size_t i = 1; i <= length && status == TS_OK; i++) {
        if (part[i] != '/' && part[i] != 0)
            continue;
        part[i] = 0;
        struct stat about;
        if (mkdir(part, 0777) != 0) {
            int reason = errno;
            if (stat(part, &about) != 0)
                status = ts_fail_errno(error, "make the folder", part, reason);
            else if (!S_ISDIR(about.st_mode))
                status = ts_fail_errno(error, "make the folder", part, EEXIST);
        }
        part[i] = path[i];
    }
    ts_free(part);
    return status;
}
