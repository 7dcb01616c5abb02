/* SPDX-License-Identifier: MIT */
/* The cache: what was kept is found, whatever else lies there is not, and nothing about it can fail the making of a
 * map. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"

#include "base/file.h"
#include "cspace/cache.h"
#include "cspace/map_file.h"
#include "cspace/random_map.h"

static const ts_map_options asked = {.kind = TS_MAP_NETWORK, .depth = 2, .width = 8, .seed = 11};

static ts_map_options complete(const ts_map_options *given)
{
    ts_map_options options;
    OK(ts_map_options_complete(given, &options, ERROR));
    return options;
}

static void name_of(const char *folder, const ts_pair *pair, const ts_map_options *given, char path[256])
{
    ts_map_options options = complete(given);
    snprintf(path, 256, "%s/%016llx.tsmap", folder, (unsigned long long)ts_cache_key(pair, &options));
}

/* The map of these options for this pair, or NULL. */
static ts_map *find(const char *folder, const ts_pair *pair, const ts_map_options *given)
{
    ts_map_options options = complete(given);
    ts_map *map;
    OK(ts_cache_find(folder, pair, &options, &map, ERROR));
    return map;
}

static bool finds(const char *folder, const ts_pair *pair, const ts_map_options *given)
{
    ts_map *map = find(folder, pair, given);
    bool found = map != NULL;
    ts_map_free(map);
    return found;
}

static void keep_one(const char *folder, const ts_map_options *given)
{
    ts_map *map = random_map(random_pair(1), given, true);
    OK(ts_cache_keep(folder, map, ERROR));
    ts_map_free(map);
}

/* Files of a folder whose name holds `part`. */
static int count_in(const char *folder, const char *part)
{
    int count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing));)
        count += strstr(entry->d_name, part) != NULL;
    closedir(listing);
    return count;
}

/* ---- Finding ---- */

static void kept_is_found(void **state)
{
    (void)state;
    ts_pair *pair = random_pair(1);
    assert_false(finds("new/cache", pair, &asked));
    ts_map *map = random_map(random_pair(1), &asked, true);
    OK(ts_cache_keep("new/cache", map, ERROR)); /* makes both folders */
    ts_map *found = find("new/cache", pair, &asked);
    assert_non_null(found);
    assert_true(ts_map_get_info(found).from_cache);
    const ts_map_pose pose = {.a = {0.1, 0.2, 0.3}, .b = {1.1, -0.4, 2}, .scale = 1};
    ts_map_contact x, y;
    ts_map_query(map, 1, &pose, &x);
    ts_map_query(found, 1, &pose, &y);
    assert_memory_equal(&x, &y, sizeof x);
    ts_map_free(map);
    ts_map_free(found);
    ts_pair_free(pair);
    assert_int_equal(count_in("new/cache", "tsmap"), 1);
    assert_int_equal(count_in("new/cache", "tmp"), 0);
}

/* One file serves all sizes of a pair; the map that comes out has the size that was asked for. */
static void sizes_share_a_map(void **state)
{
    (void)state;
    keep_one("sizes", &asked);
    ts_pair *one = random_pair(1), *large = random_pair(3.7);
    ts_map *found = find("sizes", large, &asked);
    assert_non_null(found);
    NEAR(ts_map_get_info(found).radius_a, 3.7 * one->unit * one->radius_a, 1e-12);
    NEAR(ts_map_get_info(found).radius_b, 3.7 * one->unit * one->radius_b, 1e-12);
    ts_map_free(found);
    ts_pair_free(one);
    ts_pair_free(large);
}

static void options_that_matter_tell_maps_apart(void **state)
{
    (void)state;
    keep_one("options", &asked);
    ts_pair *pair = random_pair(1);
    ts_map_options other[8];
    for (int i = 0; i < 8; i++)
        other[i] = asked;
    other[0].seed = 12;
    other[1].depth = 3;
    other[2].width = 9;
    other[3].encoding = TS_ENCODING_RAW;
    other[4].no_folding = true;
    other[5].samples = 1000000;
    other[6].error = 0.01;
    other[7] = (ts_map_options){.kind = TS_MAP_TABLE};
    for (int i = 0; i < 8; i++)
        assert_false(finds("options", pair, &other[i]));
    /* but one that networks do not look at is no reason to train again */
    ts_map_options same = asked;
    same.bytes = 1000000;
    same.smoothing = 0.1;
    assert_true(finds("options", pair, &same));
    /* an auto map in place of which there is an exact one, with smoothing or without */
    const ts_map_options automatic = complete(&(ts_map_options){.smoothing = 0.1}), plain = complete(NULL);
    NEAR(automatic.smoothing, 0, 0);
    assert_int_equal(ts_cache_key(pair, &automatic), ts_cache_key(pair, &plain));
    ts_pair_free(pair);
}

static ts_pair *pair_of(const ts_outline *a, const ts_outline *b)
{
    ts_pair *pair;
    OK(ts_pair_create(a, b, &pair, ERROR));
    return pair;
}

/* Forms count in their own size: beside one a thousand million times as large, a triangle is still no square. */
static void small_forms_are_told_apart(void **state)
{
    (void)state;
    const ts_map_options options = complete(&asked);
    ts_outline *huge, *small[3], *placed;
    OK(ts_outline_disc(1e9, &huge, ERROR));
    OK(ts_outline_regular(3, 1, &small[0], ERROR));
    OK(ts_outline_regular(4, 1, &small[1], ERROR));
    OK(ts_outline_regular(3, 1 + 1e-6, &small[2], ERROR));
    uint64_t key[3];
    for (int i = 0; i < 3; i++) {
        ts_pair *pair = pair_of(huge, small[i]), *turned = pair_of(small[i], huge);
        key[i] = ts_cache_key(pair, &options);
        assert_int_equal(key[i], ts_cache_key(turned, &options));
        assert_true(ts_pair_is_turned(pair) != ts_pair_is_turned(turned));
        ts_pair_free(pair);
        ts_pair_free(turned);
    }
    assert_true(key[0] != key[1] && key[0] != key[2] && key[1] != key[2]);
    /* a size of both, and a place, make none */
    ts_pair *pair = pair_of(small[0], small[1]), *other;
    OK(ts_outline_place(small[0], 3.7, 0, (double[2]){5, -2}, &placed, ERROR));
    ts_outline_free(small[0]);
    small[0] = placed;
    OK(ts_outline_place(small[1], 3.7, 0, (double[2]){1, 9}, &placed, ERROR));
    ts_outline_free(small[1]);
    small[1] = placed;
    other = pair_of(small[0], small[1]);
    assert_int_equal(ts_cache_key(pair, &options), ts_cache_key(other, &options));
    ts_pair_free(pair);
    ts_pair_free(other);
    for (int i = 0; i < 3; i++)
        ts_outline_free(small[i]);
    ts_outline_free(huge);
}

/* An auto map that came out exact: known the next time, though there is no table. */
static void exact_is_remembered(void **state)
{
    (void)state;
    const ts_map_options options = complete(&(ts_map_options){.kind = TS_MAP_AUTO});
    ts_map_options exact = options;
    exact.kind = TS_MAP_EXACT;
    ts_map *map;
    OK(ts_map_assemble(random_pair(1), &exact, NULL, NULL, &map, ERROR));
    OK(ts_cache_keep("auto", map, ERROR)); /* asked for as exact: nothing to remember */
    assert_false(ts_file_exists("auto"));
    map->info.options = options;
    OK(ts_cache_keep("auto", map, ERROR));
    ts_map *found = find("auto", map->pair, &options);
    assert_non_null(found);
    assert_int_equal(ts_map_get_info(found).kind, TS_MAP_EXACT);
    assert_int_equal(ts_map_get_info(found).options.kind, TS_MAP_AUTO);
    ts_map_free(found);
    ts_map_free(map);
}

/* ---- What else may lie there ---- */

static void damaged_files_are_replaced(void **state)
{
    (void)state;
    ts_pair *pair = random_pair(1);
    char path[256];
    name_of("damaged", pair, &asked, path);
    keep_one("damaged", &asked);
    char *bytes;
    size_t size;
    OK(ts_file_read(path, 1 << 20, &bytes, &size, ERROR));
    const size_t length[] = {0, 1, 31, size / 2, size - 1};
    for (size_t i = 0; i < 5; i++) {
        OK(ts_file_write(path, bytes, length[i], ERROR));
        assert_false(finds("damaged", pair, &asked));
    }
    bytes[size / 2] ^= 4;
    OK(ts_file_write(path, bytes, size, ERROR));
    assert_false(finds("damaged", pair, &asked));
    OK(ts_file_write(path, "not a map at all", 16, ERROR));
    assert_false(finds("damaged", pair, &asked));
    keep_one("damaged", &asked);
    assert_true(finds("damaged", pair, &asked));
    ts_free(bytes);

    /* things that are no files */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(finds("damaged", pair, &asked)); /* and it does not wait for a writer */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(finds("damaged", pair, &asked));
    ts_map *map = random_map(random_pair(1), &asked, true);
    ts_error error;
    assert_int_equal(ts_cache_keep("damaged", map, &error), TS_IO);
    assert_int_equal(rmdir(path), 0);
    ts_map_free(map);
    ts_pair_free(pair);
}

/* A good map under another's name: of another seed, or of other outlines. */
static void a_wrong_name_is_seen_through(void **state)
{
    (void)state;
    ts_pair *pair = random_pair(1), *other;
    ts_outline *disc;
    char from[256], to[256];
    keep_one("names", &asked);
    name_of("names", pair, &asked, from);
    ts_map_options seed = asked;
    seed.seed = 99;
    name_of("names", pair, &seed, to);
    assert_int_equal(link(from, to), 0);
    assert_false(finds("names", pair, &seed));
    OK(ts_outline_disc(1, &disc, ERROR));
    OK(ts_pair_create(disc, disc, &other, ERROR));
    name_of("names", other, &asked, to);
    assert_int_equal(link(from, to), 0);
    assert_false(finds("names", other, &asked));
    /* hashes may collide: then the vertices decide */
    other->hash_a = pair->hash_a;
    other->hash_b = pair->hash_b;
    assert_false(finds("names", other, &asked));
    ts_outline_free(disc);
    ts_pair_free(pair);
    ts_pair_free(other);
}

/* ---- Folders that refuse ---- */

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* No room, at any point of the write: an error that names the file, no trace of it, and the old map stays. */
static void a_full_disk_leaves_no_trace(void **state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    ts_pair *pair = random_pair(1);
    ts_map *map = random_map(random_pair(1), &asked, true);
    unsigned char *bytes;
    size_t size, tries = 0;
    OK(ts_map_encode(map, &bytes, &size, ERROR));
    ts_free(bytes);
    for (int kept = 0; kept < 2; kept++) {
        for (size_t limit = 0; limit < size; limit += 97, tries++) {
            ts_error error = {0};
            limit_files(limit);
            ts_status status = ts_cache_keep("full", map, &error);
            limit_files(RLIM_INFINITY);
            assert_int_equal(status, TS_IO);
            assert_non_null(strstr(error.message, "full/"));
            assert_int_equal(count_in("full", "tmp"), 0);
            assert_true(finds("full", pair, &asked) == (kept == 1));
        }
        OK(ts_cache_keep("full", map, ERROR));
    }
    assert_true(tries > 5);
    ts_map_free(map);
    ts_pair_free(pair);
}

static void a_folder_that_cannot_be_written(void **state)
{
    (void)state;
    ts_pair *pair = random_pair(1);
    ts_map *map = random_map(random_pair(1), &asked, true);
    ts_cache_lock lock;
    ts_error error = {0};
    OK(ts_file_write("plain", "x", 1, ERROR)); /* a file where the folder should be */
    const char *const folder[] = {"plain", "plain/below", "readonly", "readonly/below"};
    rmdir("readonly");
    assert_int_equal(mkdir("readonly", 0555), 0);
    /* root may write anywhere: be nobody for a moment */
    bool root = geteuid() == 0;
    if (root && seteuid(65534) != 0)
        skip();
    bool passed[4];
    for (int i = 0; i < 4; i++) {
        passed[i] = ts_cache_keep(folder[i], map, &error) == TS_IO &&
                    strstr(error.message, i < 2 ? "plain" : "readonly") && !finds(folder[i], pair, &asked);
        passed[i] &= ts_cache_begin(folder[i], 1, NULL, NULL, &lock, &error) == TS_OK && lock.file == -1;
        ts_cache_end(&lock);
    }
    if (root)
        assert_int_equal(seteuid(0), 0);
    for (int i = 0; i < 4; i++)
        assert_true(passed[i]);

    /* no folder at all: no cache, and no error */
    const char *const none[] = {"", NULL};
    for (int i = 0; i < 2; i++) {
        OK(ts_cache_keep(none[i], map, ERROR));
        assert_false(finds(none[i], pair, &asked));
        OK(ts_cache_begin(none[i], 1, NULL, NULL, &lock, ERROR));
        assert_int_equal(lock.file, -1);
        ts_cache_end(&lock);
    }
    /* a path that is too long for any file */
    char far[6000];
    memset(far, 'x', sizeof far);
    far[sizeof far - 1] = 0;
    assert_int_equal(ts_cache_keep(far, map, &error), TS_IO);
    assert_false(finds(far, pair, &asked));
    ts_map_free(map);
    ts_pair_free(pair);
}

/* ---- Two at once ---- */

enum { PROCESSES = 6, PATIENCE = 2000 /* times 5 ms */ };

/* One child's share in this: who makes the map goes on when all others wait for it. */
typedef struct child_view {
    atomic_int *waiting; /* children, of all processes */
    bool waits;
} child_view;

static bool make_when_all_wait(void *user, double done, const char *what)
{
    (void)done;
    child_view *child = user;
    if (strstr(what, "waiting")) {
        *child->waiting += child->waits ? 0 : 1;
        child->waits = true;
    }
    for (int i = 0; !child->waits && *child->waiting < PROCESSES - 1 && i < PATIENCE; i++)
        usleep(5000);
    return true;
}

/* What a program does. Returns 0 when the map came from the cache, 1 when it was made here, 2 when it is wrong. */
static int make_or_find(const char *folder, atomic_int *waiting)
{
    child_view child = {.waiting = waiting};
    ts_map_making making = {.threads = 1, .cache = folder, .progress = make_when_all_wait, .progress_user = &child};
    ts_map_options tiny = asked;
    tiny.samples = 2000;
    ts_pair *pair = random_pair(1);
    ts_map *map = NULL;
    if (ts_map_create(pair->a, pair->b, &tiny, &making, &map, NULL) != TS_OK)
        return 2;
    ts_map_info info = ts_map_get_info(map);
    bool right = info.hash_a == pair->hash_a && info.hash_b == pair->hash_b && info.kind == TS_MAP_NETWORK &&
                 !map->unkept[0] && info.from_cache == child.waits;
    ts_map_free(map);
    ts_pair_free(pair);
    return !right ? 2 : info.from_cache ? 0 : 1;
}

static void many_processes_make_it_once(void **state)
{
    (void)state;
    pid_t child[PROCESSES];
    int made = 0;
    atomic_int *waiting = mmap(NULL, sizeof *waiting, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(waiting != MAP_FAILED);
    for (int i = 0; i < PROCESSES; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] == 0)
            _exit(make_or_find("together", waiting));
    }
    for (int i = 0; i < PROCESSES; i++) {
        int how;
        assert_int_equal(waitpid(child[i], &how, 0), child[i]);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) < 2);
        made += WEXITSTATUS(how);
    }
    assert_int_equal(made, 1);
    assert_int_equal(*waiting, PROCESSES - 1);
    munmap(waiting, sizeof *waiting);
    assert_int_equal(count_in("together", "lock"), 0);
    assert_int_equal(count_in("together", "tmp"), 0);
    assert_int_equal(count_in("together", "tsmap"), 1);
}

/* A child that holds the lock until it is told to go; its id. */
static pid_t start_holder(const char *folder, uint64_t key)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        ts_cache_lock lock;
        if (ts_cache_begin(folder, key, NULL, NULL, &lock, NULL) != TS_OK || lock.file < 0)
            _exit(1);
        if (write(ready[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

static bool stop_at_third(void *user, double done, const char *what)
{
    (void)done;
    assert_non_null(strstr(what, "waiting"));
    return ++*(int *)user < 3;
}

/* Whoever waits can be told to stop; and a process that dies leaves nothing that others wait for. */
static void a_lock_dies_with_its_process(void **state)
{
    (void)state;
    pid_t child = start_holder("held", 5);
    ts_cache_lock lock;
    ts_error error;
    int asked_count = 0;
    assert_int_equal(ts_cache_begin("held", 5, stop_at_third, &asked_count, &lock, &error), TS_INTERRUPTED);
    assert_int_equal(lock.file, -1);
    assert_int_equal(asked_count, 3);
    /* another map's lock is free */
    OK(ts_cache_begin("held", 6, NULL, NULL, &lock, ERROR));
    assert_true(lock.file >= 0);
    ts_cache_end(&lock);

    assert_int_equal(kill(child, SIGKILL), 0);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(count_in("held", "lock"), 1); /* the file is left, but nobody has it */
    OK(ts_cache_begin("held", 5, NULL, NULL, &lock, ERROR));
    assert_true(lock.file >= 0);
    ts_cache_end(&lock);
    assert_int_equal(count_in("held", "lock"), 0);
}

/* ---- All of it ---- */

/* ts_map_create where nothing can be kept, where a damaged file is in the way, and where that was replaced: the same
 * map. */
static void making_never_needs_the_cache(void **state)
{
    (void)state;
    const ts_map_options options = {.kind = TS_MAP_NETWORK, .depth = 1, .width = 4, .samples = 2000, .seed = 3};
    const ts_map_pose pose = {.b = {1.2, 0.3, 0.5}, .scale = 1};
    const char *const folder[] = {"plain/below", "made/here", "made/here"};
    ts_map_contact first = {0}, contact;
    ts_outline *a, *b;
    ts_pair *pair;
    char path[256];
    OK(ts_outline_disc(1, &a, ERROR));
    OK(ts_outline_disc(0.7, &b, ERROR));
    OK(ts_pair_create(a, b, &pair, ERROR));
    OK(ts_file_write("plain", "x", 1, ERROR));
    OK(ts_folder_make("made/here", ERROR));
    name_of("made/here", pair, &options, path);
    OK(ts_file_write(path, "damaged", 7, ERROR));
    for (int i = 0; i < 3; i++) {
        ts_map *map;
        OK(ts_map_create(a, b, &options, &(ts_map_making){.threads = 1, .cache = folder[i]}, &map, ERROR));
        assert_true(ts_map_get_info(map).from_cache == (i == 2));
        ts_map_query(map, 1, &pose, &contact);
        if (i == 0)
            first = contact;
        assert_memory_equal(&first, &contact, sizeof contact);
        ts_map_free(map);
    }
    assert_int_equal(count_in("made/here", "lock"), 0);
    ts_pair_free(pair);
    ts_outline_free(a);
    ts_outline_free(b);
}

/* ---- Where ---- */

static void the_folder_follows_the_environment(void **state)
{
    (void)state;
    char text[100], tiny[8];
    setenv("TOUCHSTONE_CACHE", "/own", 1);
    setenv("XDG_CACHE_HOME", "/shared", 1);
    setenv("HOME", "/home/me", 1);
    assert_string_equal(ts_map_cache_folder(text, sizeof text), "/own");
    setenv("TOUCHSTONE_CACHE", "", 1);
    assert_string_equal(ts_map_cache_folder(text, sizeof text), "/shared/touchstone");
    assert_string_equal(ts_map_cache_folder(tiny, sizeof tiny), ""); /* rather none than a wrong one */
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_string_equal(ts_map_cache_folder(text, sizeof text), "/home/me/.cache/touchstone");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("TOUCHSTONE_CACHE");
    assert_string_equal(ts_map_cache_folder(text, sizeof text), "/home/me/.cache/touchstone");
    unsetenv("HOME");
    assert_string_equal(ts_map_cache_folder(text, sizeof text), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_is_found),
        cmocka_unit_test(sizes_share_a_map),
        cmocka_unit_test(options_that_matter_tell_maps_apart),
        cmocka_unit_test(small_forms_are_told_apart),
        cmocka_unit_test(exact_is_remembered),
        cmocka_unit_test(damaged_files_are_replaced),
        cmocka_unit_test(a_wrong_name_is_seen_through),
        cmocka_unit_test(a_full_disk_leaves_no_trace),
        cmocka_unit_test(a_folder_that_cannot_be_written),
        cmocka_unit_test(many_processes_make_it_once),
        cmocka_unit_test(a_lock_dies_with_its_process),
        cmocka_unit_test(making_never_needs_the_cache),
        cmocka_unit_test(the_folder_follows_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
