/* SPDX-License-Identifier: MIT */
/* The pieces of walls that outlines touch, with the N-th allocation failing, for all N. */
#include "support/check.h"

#include "contact/pieces.h"
#include "model.h"
#include "support/heap.h"
#include "support/walls.h"

static ts_status make_pieces(const ts_model *model, ts_error *error)
{
    ts_pieces *pieces;
    ts_status status = ts_pieces_create(model->forms, model, 0.02, &pieces, error);
    assert_true((status == TS_OK) == (pieces != NULL));
    ts_pieces_free(pieces);
    return status;
}

static void pieces(void **state)
{
    (void)state;
    ts_test_world w;
    ts_error error;
    ts_test_open(&w, 0);
    OK(ts_scene_set_map(w.scene, &(ts_map_options){.kind = TS_MAP_EXACT}, ERROR));
    const ts_vertex line[] = {{-3, 0, 0.3}, {-1, 0, 0}, {1, 0, 0}, {3, 1, 0}};
    ts_test_polyline(w.scene, NULL, line, 4, true);
    ts_test_outline(w.scene, NULL, box(2, 1), 0, -5, false);
    ts_outline *grain = box(0.5, 0.3);
    int32_t shape;
    OK(ts_scene_add_outline(w.scene, NULL, grain, &shape, ERROR));
    ts_outline_free(grain);
    ts_test_body(w.scene, shape, 0, 5);
    ts_test_start(&w, 1);
    long before = ts_test_heap_live();
    bool done = false;
    for (long n = 1; !done; n++) {
        assert_true(n < 5000);
        ts_test_heap_fail_at(n);
        ts_status status = make_pieces(w.model, &error);
        done = ts_test_heap_calls() < n; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        if (status != (done ? TS_OK : TS_OUT_OF_MEMORY))
            fail_msg("allocation %ld: %s: %s", n, ts_status_name(status), error.message);
        if (ts_test_heap_live() != before)
            fail_msg("allocation %ld: %ld blocks leaked", n, ts_test_heap_live() - before);
    }
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
