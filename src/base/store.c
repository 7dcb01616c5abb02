/* SPDX-License-Identifier: MIT */
#include "base/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"

static const char *get_variable(const char *name)
{
    const char *value = getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    return value && value[0] ? value : NULL;
}

char *ts_store_folder(char *text, size_t capacity)
{
    if (!text || capacity == 0)
        return text;
    const char *own = get_variable("TOUCHSTONE_CACHE"), *shared = get_variable("XDG_CACHE_HOME"),
               *home = get_variable("HOME");
    int length = 0;
    text[0] = 0;
    if (own)
        length = snprintf(text, capacity, "%s", own);
    else if (shared && shared[0] == '/') /* a relative one is to be ignored, says the specification */
        length = snprintf(text, capacity, "%s/touchstone", shared);
    else if (home)
        length = snprintf(text, capacity, "%s/.cache/touchstone", home);
    if (length < 0 || (size_t)length >= capacity) /* part of a path is another path */
        text[0] = 0;
    return text;
}

bool ts_store_name(ts_stored what, char path[TS_STORE_PATH_BYTES])
{
    if (!what.folder || what.folder[0] == 0)
        return false;
    char name[40];
    snprintf(name, sizeof name, "%016" PRIx64 ".%s", what.key, what.ending);
    return ts_path_join(what.folder, name, path, TS_STORE_PATH_BYTES) < TS_STORE_PATH_BYTES;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode); /* reading a pipe could wait for ever */
}

ts_status ts_store_find(ts_stored what, size_t cap, char **bytes, size_t *size, ts_error *error)
{
    *bytes = NULL;
    *size = 0;
    char path[TS_STORE_PATH_BYTES];
    ts_error own;
    if (!ts_store_name(what, path) || !is_file(path))
        return TS_OK;
    ts_status status = ts_file_read(path, cap, bytes, size, &own);
    if (status != TS_OUT_OF_MEMORY)
        return TS_OK;
    if (error)
        *error = own;
    return status;
}

ts_status ts_store_keep(ts_stored what, const void *bytes, size_t size, ts_error *error)
{
    char path[TS_STORE_PATH_BYTES];
    if (!what.folder || what.folder[0] == 0)
        return TS_OK;
    if (!ts_store_name(what, path))
        return ts_fail(error, TS_IO, "the path of the cache folder is longer than %d bytes; choose a shorter one",
                       TS_STORE_PATH_BYTES - 32);
    TS_TRY(ts_folder_make(what.folder, error));
    return ts_file_write(path, bytes, size, error);
}
