/* SPDX-License-Identifier: MIT */
#include "cli/places.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/runs.h"

/* A folder that exists, or a file under its name. */
static ts_status check_existing(const char *option, const char *folder, const struct stat *about, ts_error *error)
{
    if (!S_ISDIR(about->st_mode))
        return ts_fail(error, TS_BAD_INPUT, "%s is a file, not a folder; choose another with --%s", folder, option);
    if (access(folder, W_OK | X_OK) != 0)
        return ts_fail(error, TS_BAD_INPUT, "the folder %s cannot be written to: %s; choose another with --%s", folder,
                       strerror(errno), option);
    return TS_OK;
}

/* "a/b/" and "a/b" are the same folder. */
static bool same_folder(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    while (m > 1 && a[m - 1] == '/')
        m--;
    while (n > 1 && b[n - 1] == '/')
        n--;
    return m == n && memcmp(a, b, n) == 0;
}

static ts_status check_length(const char *option, const char *path, ts_error *error)
{
    if (strlen(path) >= ts_cli_path_size)
        return ts_fail(error, TS_BAD_INPUT, "the path after --%s is longer than %d bytes; choose a shorter one", option,
                       ts_cli_path_size - 1);
    return TS_OK;
}

ts_status ts_cli_check_file(const char *option, const char *path, const char *made, ts_error *error)
{
    char folder[ts_cli_path_size];
    struct stat about;
    if (!path || strcmp(path, "-") == 0)
        return TS_OK;
    TS_TRY(check_length(option, path, error));
    ts_path_folder(path, folder, sizeof folder);
    bool exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode))
        return ts_fail(error, TS_BAD_INPUT, "%s is a folder; give the name of a file with --%s", path, option);
    /* devices and pipes are written directly, and opening a pipe for a trial would end it for its reader */
    if (exists && !S_ISREG(about.st_mode)) {
        if (access(path, W_OK) != 0)
            return ts_fail(error, TS_BAD_INPUT, "%s cannot be written to: %s; choose another with --%s", path,
                           strerror(errno), option);
        return TS_OK;
    }
    if (stat(folder, &about) != 0) {
        if (errno == ENOENT && made && same_folder(folder, made))
            return TS_OK;
        if (errno == ENOENT)
            return ts_fail(error, TS_BAD_INPUT, "cannot create %s: the folder %s does not exist; make it first", path,
                           folder);
        return ts_fail(error, TS_BAD_INPUT, "cannot create %s: %s; choose another place with --%s", path,
                       strerror(errno), option);
    }
    TS_TRY(check_existing(option, folder, &about, error));
    /* a link is written through: a trial would empty the file that it points to */
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode))
        return TS_OK;
    ts_draft draft;
    ts_status status = ts_draft_open(&draft, path, error);
    ts_draft_discard(&draft);
    if (status == TS_IO)
        return ts_fail(error, TS_BAD_INPUT, "cannot create a file in the folder %s; choose another place with --%s",
                       folder, option);
    return status;
}

ts_status ts_cli_check_folder(const char *option, const char *path, ts_error *error)
{
    char at[ts_cli_path_size], parent[ts_cli_path_size];
    struct stat about;
    if (!path)
        return TS_OK;
    TS_TRY(check_length(option, path, error));
    /* up to the nearest that exists: below it folders are to be made */
    snprintf(at, sizeof at, "%s", path);
    while (stat(at, &about) != 0) {
        ts_path_folder(at, parent, sizeof parent);
        if ((errno != ENOENT && errno != ENOTDIR) || strcmp(at, parent) == 0)
            return ts_fail(error, TS_BAD_INPUT, "cannot make the folder %s: %s; choose another with --%s", path,
                           strerror(errno), option);
        memcpy(at, parent, sizeof at);
    }
    return check_existing(option, at, &about, error);
}
