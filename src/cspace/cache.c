/* SPDX-License-Identifier: MIT */
#include "cspace/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/store.h"
#include "cspace/map.h"
#include "cspace/map_file.h"
#include "cspace/match.h"

/* How long to wait for another process that makes the same map [s]: longer than any preset takes, and short enough for
 * somebody who waits for a process that hangs. */
static const double wait_max = 600;
static const long look_every_ns = 20 * 1000 * 1000;

/* ---- Names ---- */

/* Options without those that the kind does not look at, so that they make no difference. */
static ts_map_options that_matter(const ts_map_options *given)
{
    ts_map_options o = {.kind = given->kind, .error = given->error, .no_folding = given->no_folding};
    if (given->kind == TS_MAP_NETWORK) {
        o.depth = given->depth;
        o.width = given->width;
        o.encoding = given->encoding;
        o.seconds = given->seconds;
        o.samples = given->samples;
        o.seed = given->seed;
    } else {
        o.bytes = given->bytes;
    }
    return o;
}

static bool same_options(const ts_map_options *x, const ts_map_options *y)
{
    ts_map_options a = that_matter(x), b = that_matter(y);
    return a.kind == b.kind && a.error == b.error && a.bytes == b.bytes && a.no_folding == b.no_folding &&
           a.depth == b.depth && a.width == b.width && a.encoding == b.encoding && a.seconds == b.seconds &&
           a.samples == b.samples && a.seed == b.seed;
}

uint64_t ts_cache_key(const ts_pair *pair, const ts_map_options *options)
{
    ts_map_options o = that_matter(options);
    unsigned char bytes[128], *end = bytes;
    end = ts_put_u32(end, TS_MAP_FILE_VERSION);
    end = ts_put_u32(end, TS_MAP_GENERATION);
    bool turned = ts_pair_is_turned(pair);
    end = ts_put_u64(end, turned ? pair->hash_b : pair->hash_a);
    end = ts_put_u64(end, turned ? pair->hash_a : pair->hash_b);
    end = ts_put_u32(end, (uint32_t)o.kind);
    end = ts_put_f64(end, o.error);
    end = ts_put_u64(end, o.bytes);
    end = ts_put_u32(end, o.no_folding);
    end = ts_put_u32(end, (uint32_t)o.depth);
    end = ts_put_u32(end, (uint32_t)o.width);
    end = ts_put_u32(end, (uint32_t)o.encoding);
    end = ts_put_f64(end, o.seconds);
    end = ts_put_u64(end, o.samples);
    end = ts_put_u64(end, o.seed);
    return ts_hash(bytes, (size_t)(end - bytes), 0);
}

static ts_stored stored_map(const char *folder, const ts_pair *pair, const ts_map_options *options)
{
    return (ts_stored){folder, ts_cache_key(pair, options), "tsmap"};
}

/* ---- Finding ---- */

ts_status ts_cache_find(const char *folder, const ts_pair *pair, const ts_map_options *options, ts_map **map,
                        ts_error *error)
{
    *map = NULL;
    char *bytes;
    size_t size;
    ts_error own;
    TS_TRY(ts_store_find(stored_map(folder, pair, options), TS_MAP_FILE_BYTES_MAX, &bytes, &size, error));
    if (!bytes)
        return TS_OK;
    ts_map *found = NULL;
    ts_status status = ts_map_decode((const unsigned char *)bytes, size, "of the cache", &found, &own);
    ts_free(bytes);
    if (status == TS_OUT_OF_MEMORY) {
        if (error)
            *error = own;
        return status;
    }
    if (status != TS_OK)
        return TS_OK; /* it will be replaced */
    /* it may be another one under this name */
    if (!same_options(&found->info.options, options) || !ts_map_fit(found, pair)) {
        ts_map_free(found);
        return TS_OK;
    }
    found->info.from_cache = true;
    *map = found;
    return TS_OK;
}

/* ---- Keeping ---- */

ts_status ts_cache_keep(const char *folder, const ts_map *map, ts_error *error)
{
    const ts_map_info *info = &map->info;
    bool stored = info->kind == TS_MAP_TABLE || info->kind == TS_MAP_NETWORK;
    bool noted = info->kind == TS_MAP_EXACT && info->options.kind == TS_MAP_AUTO;
    if (!folder || folder[0] == 0 || (!stored && !noted))
        return TS_OK;
    unsigned char *bytes;
    size_t size;
    TS_TRY(ts_map_encode(map, &bytes, &size, error));
    ts_status status = ts_store_keep(stored_map(folder, map->pair, &info->options), bytes, size, error);
    ts_free(bytes);
    return status;
}

/* ---- Locking ---- */

/* A lock file is removed by whoever held it, so the one that was locked may no longer be the one that has the name. */
static bool has_name(int file, const char *path)
{
    struct stat own, named;
    return fstat(file, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino &&
           own.st_dev == named.st_dev;
}

/* Tries once: true when there is no more to wait for, with lock->file the lock or, where locks do not work, -1. */
static bool try_lock(ts_cache_lock *lock)
{
    int file = ts_open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
    if (file < 0)
        return true;
    bool held = flock(file, LOCK_EX | LOCK_NB) == 0;
    bool busy = !held && (errno == EWOULDBLOCK || errno == EINTR);
    if (held && has_name(file, lock->path)) {
        lock->file = file;
        return true;
    }
    close(file);
    return !held && !busy;
}

ts_status ts_cache_begin(const char *folder, uint64_t key, ts_map_progress *progress, void *user, ts_cache_lock *lock,
                         ts_error *error)
{
    lock->file = -1;
    if (!ts_store_name((ts_stored){folder, key, "lock"}, lock->path) || ts_folder_make(folder, NULL) != TS_OK)
        return TS_OK;
    double since = ts_clock_seconds();
    while (!try_lock(lock)) {
        if (progress && !progress(user, 0, "waiting for another process that makes this map"))
            return ts_fail(error, TS_INTERRUPTED, "stopped while another process made the map");
        if (ts_clock_seconds() - since > wait_max)
            return TS_OK;
        nanosleep(&(struct timespec){.tv_nsec = look_every_ns}, NULL);
    }
    return TS_OK;
}

void ts_cache_end(ts_cache_lock *lock)
{
    if (lock->file < 0)
        return;
    unlink(lock->path); /* before letting go of it: afterwards it might be another's */
    close(lock->file);
    lock->file = -1;
}

/* ---- Where ---- */

char *ts_map_cache_folder(char *text, size_t capacity)
{
    return ts_store_folder(text, capacity);
}
