/* SPDX-License-Identifier: MIT */
/* Map files and the cache with the N-th allocation failing, for all N: an error that says so, nothing handed out,
 * nothing leaked. */
#include <string.h>

#include "support/check.h"

#include "cspace/cache.h"
#include "cspace/map_file.h"
#include "cspace/random_map.h"
#include "support/heap.h"

typedef ts_status attempt(ts_error *error);

static ts_map *map;
static unsigned char *bytes;
static size_t size;

static ts_status encode(ts_error *error)
{
    unsigned char *own = NULL;
    size_t length;
    ts_status status = ts_map_encode(map, &own, &length, error);
    assert_true((status == TS_OK) == (own != NULL));
    ts_free(own);
    return status;
}

static ts_status decode(ts_error *error)
{
    ts_map *own;
    ts_status status = ts_map_decode(bytes, size, "it", &own, error);
    assert_true((status == TS_OK) == (own != NULL));
    ts_map_free(own);
    return status;
}

static ts_status write_file(ts_error *error)
{
    return ts_map_write(map, "a.tsmap", error);
}

static ts_status read_file(ts_error *error)
{
    ts_map *own;
    ts_status status = ts_map_read("a.tsmap", &own, error);
    assert_true((status == TS_OK) == (own != NULL));
    ts_map_free(own);
    return status;
}

static ts_status keep(ts_error *error)
{
    return ts_cache_keep("cache", map, error);
}

/* What is there is found, or there is an error; want of memory is no reason to make it anew. */
static ts_status find(ts_error *error)
{
    ts_map *own;
    ts_status status = ts_cache_find("cache", map->pair, &map->info.options, &own, error);
    assert_true((status == TS_OK) == (own != NULL));
    ts_map_free(own);
    return status;
}

static void survives(attempt *try)
{
    ts_error error;
    OK(try(ERROR));
    long before = ts_test_heap_live();
    bool done = false;
    for (long n = 1; !done; n++) {
        assert_true(n < 5000);
        error.message[0] = 0;
        ts_test_heap_fail_at(n);
        ts_status status = try(&error);
        done = ts_test_heap_calls() < n; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        if (status != (done ? TS_OK : TS_OUT_OF_MEMORY))
            fail_msg("allocation %ld: %s: %s", n, ts_status_name(status), error.message);
        assert_true(done || error.message[0] != 0);
        if (ts_test_heap_live() != before)
            fail_msg("allocation %ld: %ld blocks leaked", n, ts_test_heap_live() - before);
    }
}

static void all(void)
{
    OK(ts_map_encode(map, &bytes, &size, ERROR));
    survives(encode);
    survives(decode);
    survives(write_file);
    survives(read_file);
    survives(keep);
    survives(find);
    ts_free(bytes);
    ts_map_free(map);
}

static void networks(void **state)
{
    (void)state;
    map = random_map(random_pair(1), &(ts_map_options){.kind = TS_MAP_NETWORK, .depth = 2, .width = 4}, true);
    all();
}

static void tables(void **state)
{
    (void)state;
    ts_pair *pair = random_pair(1);
    ts_exact *exact;
    ts_table *table;
    OK(ts_exact_create(pair, &exact, ERROR));
    ts_fold fold = ts_fold_for_table(pair, true);
    OK(ts_table_create(exact, pair, &fold, &(ts_table_form){.spacing = 0.3, .turn = 0.5, .bits = 8}, NULL, NULL, NULL,
                       &table, ERROR));
    ts_exact_free(exact);
    OK(ts_map_assemble(pair, &(ts_map_options){.kind = TS_MAP_TABLE}, NULL, table, &map, ERROR));
    all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(networks), cmocka_unit_test(tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
