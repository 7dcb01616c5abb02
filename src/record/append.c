/* SPDX-License-Identifier: MIT */
#include "record/append.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static ts_status open_log(ts_append *log, const char *path, int flags, ts_error *error)
{
    ts_append made = {.file = -1, .path = ts_copy_text(path), .buffer = ts_alloc_raw(TS_APPEND_BUFFER, 1)};
    if (!made.path || !made.buffer) {
        ts_append_close(&made);
        return ts_fail_memory(error, TS_APPEND_BUFFER);
    }
    made.file = ts_open(path, O_WRONLY | flags, 0666);
    if (made.file < 0) {
        int reason = errno;
        ts_append_close(&made);
        return ts_fail_errno(error, flags & O_CREAT ? "create" : "open", path, reason);
    }
    ts_hash_begin(&made.hash, 0);
    *log = made;
    return TS_OK;
}

ts_status ts_append_create(ts_append *log, const char *path, ts_error *error)
{
    return open_log(log, path, O_CREAT | O_TRUNC, error);
}

ts_status ts_append_resume(ts_append *log, const char *path, uint64_t bytes, ts_error *error)
{
    ts_append made = {0};
    TS_TRY(open_log(&made, path, 0, error));
    struct stat about;
    ts_status status = TS_OK;
    if (fstat(made.file, &about) != 0)
        status = ts_fail_errno(error, "read", path, errno);
    else if (about.st_size < 0 || (uint64_t)about.st_size < bytes)
        status = ts_fail(error, TS_CORRUPT,
                         "%s is %jd bytes long but was %" PRIu64 " at the checkpoint; it was cut, start the run anew",
                         path, (intmax_t)about.st_size, bytes);
    else if (ftruncate(made.file, (off_t)bytes) != 0 || lseek(made.file, (off_t)bytes, SEEK_SET) < 0)
        status = ts_fail_errno(error, "shorten", path, errno);
    if (status != TS_OK) {
        ts_append_close(&made);
        return status;
    }
    made.written = made.committed = bytes;
    *log = made;
    return TS_OK;
}

static void hash_buffer(ts_append *log)
{
    ts_hash_add(&log->hash, log->buffer + log->hashed, log->used - log->hashed);
    log->hashed = log->used;
}

/* Empties the buffer into the file, however small the pieces that the system takes. */
static ts_status flush(ts_append *log, ts_error *error)
{
    size_t done = 0;
    hash_buffer(log);
    while (done < log->used) {
        ssize_t took = write(log->file, log->buffer + done, log->used - done);
        if (took < 0 && errno == EINTR)
            continue;
        if (took <= 0) {
            int reason = took < 0 ? errno : ENOSPC;
            return ts_fail_errno(error, "write", log->path, reason);
        }
        done += (size_t)took;
        log->written += (uint64_t)took;
    }
    log->used = log->hashed = 0;
    return TS_OK;
}

ts_status ts_append_bytes(ts_append *log, const void *data, size_t size, ts_error *error)
{
    const unsigned char *from = data;
    while (size > 0) {
        if (log->used == TS_APPEND_BUFFER)
            TS_TRY(flush(log, error));
        size_t room = TS_APPEND_BUFFER - log->used, part = size < room ? size : room;
        memcpy(log->buffer + log->used, from, part);
        log->used += part;
        from += part;
        size -= part;
    }
    return TS_OK;
}

unsigned char *ts_append_room(ts_append *log, size_t size, ts_error *error)
{
    if (size > TS_APPEND_BUFFER - log->used && flush(log, error) != TS_OK)
        return NULL;
    unsigned char *room = log->buffer + log->used;
    log->used += size;
    return room;
}

void ts_append_hash_begin(ts_append *log)
{
    ts_hash_begin(&log->hash, 0);
    log->hashed = log->used;
}

uint64_t ts_append_hash_end(ts_append *log)
{
    hash_buffer(log);
    return ts_hash_end(&log->hash);
}

ts_status ts_append_commit(ts_append *log, ts_error *error)
{
    ts_status status = flush(log, error);
    if (status == TS_OK)
        log->committed = log->written;
    else
        ts_append_rollback(log);
    return status;
}

void ts_append_rollback(ts_append *log)
{
    log->used = log->hashed = 0;
    if (log->written == log->committed)
        return;
    /* Should even this fail, the next record goes to the right place still, and a reader sees a torn tail. */
    (void)!ftruncate(log->file, (off_t)log->committed);
    if (lseek(log->file, (off_t)log->committed, SEEK_SET) == (off_t)log->committed)
        log->written = log->committed;
}

ts_status ts_append_sync(ts_append *log, ts_error *error)
{
    /* a device or pipe cannot be synced and says EINVAL */
    if (fsync(log->file) != 0 && errno != EINVAL && errno != EROFS)
        return ts_fail_errno(error, "write", log->path, errno);
    return TS_OK;
}

void ts_append_close(ts_append *log)
{
    if (log->path && log->file >= 0) {
        ts_append_rollback(log);
        close(log->file);
    }
    ts_free(log->path);
    ts_free(log->buffer);
    *log = (ts_append){.file = -1};
}
