/* SPDX-License-Identifier: MIT */
/* A steady step calls the heap not once: memory is taken when a list is made, and kept. */
#include "support/check.h"

#include "support/heap.h"
#include "support/scenes.h"
#include "workspace.h"

/* A scene at rest: a bed of mixed discs and clusters that has settled, with a wide skin. */
static void steady_steps_allocate_nothing(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        ts_test_world w;
        ts_test_open(&w, -9.81);
        ts_test_soften(w.scene, 1e5, 2e-5);
        ts_test_box(w.scene, 0.2);
        ts_test_fixed(w.scene, "paddle", ts_test_rod(w.scene, 0.01, 4), 0.1, 0.5);
        ts_drive_def turn = ts_default_drive();
        turn.kind = TS_DRIVE_ROTATION;
        turn.target = "paddle";
        turn.rate = 0.1;
        OK(ts_scene_add_drive(w.scene, &turn, NULL, ERROR));
        ts_test_fill(w.scene, (double[]){0, 0}, (double[]){0.2, 0.25}, 25, ts_test_triad(w.scene, 0.007), 1, 1, 0);
        ts_test_fill(w.scene, (double[]){0, 0}, (double[]){0.2, 0.25}, 50, ts_test_disc(w.scene, 0.006), 0.8, 1, 0);
        ts_test_start(&w, threads);
        ts_test_step(&w, 3000);
        /* in some hundred steps of the next thousand no list is made: none of them may allocate */
        int steady = 0;
        for (int i = 0; i < 1000 && steady < 100; i++) {
            uint64_t lists = w.work->rebuild_count;
            ts_test_heap_fail_at(0);
            ts_test_step(&w, 1);
            if (w.work->rebuild_count != lists)
                continue;
            assert_int_equal(ts_test_heap_calls(), 0);
            steady++;
        }
        assert_int_equal(steady, 100);
        assert_true(w.work->contact_sum > 1000);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
