/* SPDX-License-Identifier: MIT */
/* A grain at a wall, and a piece of one, with the N-th allocation failing, for all N. */
#include "support/check.h"

#include "cspace/wall.h"
#include "support/heap.h"

static ts_outline *outline;

static ts_status make_map(ts_error *error)
{
    ts_wall_map *map;
    ts_status status = ts_wall_map_create(outline, 0.02, &map, error);
    assert_true((status == TS_OK) == (map != NULL));
    ts_wall_map_free(map);
    return status;
}

static ts_status make_piece(ts_error *error)
{
    ts_outline *piece;
    double centre[2];
    ts_status status = ts_wall_piece(1, 0.2, 0.1, &piece, centre, error);
    assert_true((status == TS_OK) == (piece != NULL));
    ts_outline_free(piece);
    return status;
}

static void survives(ts_status (*try)(ts_error *))
{
    ts_error error;
    OK(try(ERROR));
    long before = ts_test_heap_live();
    bool done = false;
    for (long n = 1; !done; n++) {
        assert_true(n < 5000);
        ts_test_heap_fail_at(n);
        ts_status status = try(&error);
        done = ts_test_heap_calls() < n; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        if (status != (done ? TS_OK : TS_OUT_OF_MEMORY))
            fail_msg("allocation %ld: %s: %s", n, ts_status_name(status), error.message);
        if (ts_test_heap_live() != before)
            fail_msg("allocation %ld: %ld blocks leaked", n, ts_test_heap_live() - before);
    }
}

static void maps_and_pieces(void **state)
{
    (void)state;
    OK(ts_outline_box(1, 0.6, 0.1, &outline, ERROR));
    survives(make_map);
    ts_outline_free(outline);
    survives(make_piece);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(maps_and_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
