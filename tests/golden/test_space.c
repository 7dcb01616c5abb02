/* SPDX-License-Identifier: MIT */
/* As test_hash.c, in space: smooth balls, which never turn, in a cylinder that stands on its lid. Four operations and
 * square roots are all there is to it, so that the bits are the same on every machine. */
#include "support/check.h"

#include "support/world3.h"
#include "workspace.h"

static void open_balls(ts_test_world *w)
{
    ts_wall_def vessel = ts_default_wall();
    ts_test_space(w, -9.75);
    ts_test_impact3(w->scene, "gr", 0.5, 0, 1.0 / 256);
    ts_test_sweeps3(w->scene, 30);
    vessel.kind = TS_WALL_CYLINDER;
    vessel.position[2] = 2;
    vessel.length = 4;
    vessel.radius = 0.75;
    OK(ts_scene_add_wall(w->scene, &vessel, NULL, ERROR));
    const int32_t ball = ts_test_ball(w->scene, 0.125);
    for (int i = 0; i < 60; i++) {
        ts_body_def def = ts_default_body();
        def.shape = ball;
        def.scale = 0.5 + 0.125 * (i % 5);
        def.position[0] = (i % 3 - 1) * 0.375;
        def.position[1] = (i / 3 % 3 - 1) * 0.375;
        const int layer = i / 9;
        def.position[2] = 0.25 + layer * 0.3125;
        def.velocity[0] = (i % 7 - 3) / 8.0;
        def.velocity[1] = (i % 4 - 1) / 8.0;
        OK(ts_scene_add_body(w->scene, &def, NULL, ERROR));
    }
    ts_test_start(w, 2);
}

static void the_bits_are_as_they_were(void **state)
{
    (void)state;
    const uint64_t golden[] = {0x0a6b33c2907d1baf, 0x270a7df6a208ff58, 0x443c948284dddcf6};
    ts_test_world w = {0};
    ts_measures measures;
    open_balls(&w);
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        ts_test_step(&w, 150);
        if (ts_state_hash(w.state) != golden[i])
            fail_msg("after %d steps the hash is 0x%016llx, not 0x%016llx", (int)ts_state_steps(w.state),
                     (unsigned long long)ts_state_hash(w.state), (unsigned long long)golden[i]);
    }
    /* they did come to lie on one another, and turn by rounding alone */
    OK(ts_measure(w.model, w.state, w.work, &measures, ERROR));
    assert_true(measures.contact_count > 40 && measures.rotational < 1e-20);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_bits_are_as_they_were)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
