/* SPDX-License-Identifier: MIT */
/* Mirrored scenes stay mirrored; scripted motion is what its script says; names of bodies do not matter. */
#include <math.h>

#include "support/check.h"

#include "support/scenes.h"
#include "workspace.h"

/* A heap of discs and clusters in pairs about x = 0 falls onto a floor between two slopes. Every operation of the law is odd
 * or even in x, so left and right differ only by the order in which forces are added; impacts then magnify that rounding. */
static void mirror_images_stay_so(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    ts_test_soften(w.scene, 1);
    ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
    ts_test_plane(w.scene, NULL, -0.36, 0, 1, 0.4);
    ts_test_plane(w.scene, NULL, 0.36, 0, -1, 0.4);
    const ts_disc left[] = {{-0.016, 0, 0.02}, {0.016, 0, 0.014}}, right[] = {{0.016, 0, 0.02}, {-0.016, 0, 0.014}};
    ts_shape_def def = ts_default_shape();
    int32_t disc = ts_test_disc(w.scene, 0.03), mirrored[2];
    def.disc_count = 2;
    for (int i = 0; i < 2; i++) {
        def.disc = i ? right : left;
        OK(ts_scene_add_shape(w.scene, &def, &mirrored[i], ERROR));
    }
    int pairs = 0;
    for (int row = 0; row < 5; row++)
        for (int i = 0; i < 4; i++, pairs++) {
            double x = 0.04 + 0.075 * i, y = 0.05 + 0.075 * row;
            ts_test_body_moving(w.scene, row % 2 ? mirrored[0] : disc, -x, y, 0.1 * row, 0, 2);
            ts_test_body_moving(w.scene, row % 2 ? mirrored[1] : disc, x, y, -0.1 * row, 0, -2);
        }
    ts_test_start(&w, 1);
    ts_test_step(&w, 5000);
    assert_true(w.work->contact_sum > 20000);
    const ts_body *body = ts_state_bodies(w.state);
    double worst = 0;
    for (int i = 0; i < pairs; i++) {
        const ts_body *l = &body[2 * i], *r = &body[2 * i + 1];
        worst = fmax(worst, fabs(l->x + r->x) + fabs(l->y - r->y) + 0.03 * fabs(l->angle + r->angle));
    }
    assert_true(worst < 1e-9 * 0.03);
    ts_test_close(&w);
}

/* Driven bodies are at the end of each step where the script puts them, also at the first, also after the script has ended,
 * and have the velocity that took them there. */
static void driven_bodies_follow_their_script(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    int32_t disc = ts_test_disc(w.scene, 0.1);
    ts_test_body(w.scene, disc, 0, 10);
    static const char *const name[] = {"rotor", "shaker", "slider"};
    for (int i = 0; i < 3; i++)
        ts_test_fixed(w.scene, name[i], disc, 3.0 * i - 3, 0);
    ts_drive_def rotor = ts_default_drive(), shaker = rotor, slider = rotor;
    rotor.kind = TS_DRIVE_ROTATION;
    rotor.target = "rotor";
    rotor.rate = 3;
    rotor.pivot[0] = -3;
    rotor.pivot[1] = 1;
    OK(ts_scene_add_drive(w.scene, &rotor, NULL, ERROR));
    shaker.kind = TS_DRIVE_OSCILLATION;
    shaker.target = "shaker";
    shaker.amplitude[0] = 0.2;
    shaker.frequency = 2;
    shaker.phase = 1; /* it is out of its rest position at time 0 */
    OK(ts_scene_add_drive(w.scene, &shaker, NULL, ERROR));
    slider.kind = TS_DRIVE_VELOCITY;
    slider.target = "slider";
    slider.velocity[1] = 2;
    slider.start = 0.01;
    slider.end = 0.05;
    OK(ts_scene_add_drive(w.scene, &slider, NULL, ERROR));
    ts_test_start(&w, 1);
    double dt = ts_model_time_step(w.model), fastest = 0;
    const ts_body *body = ts_state_bodies(w.state);
    uint64_t steps = (uint64_t)(0.1 / dt);
    for (uint64_t step = 0; step <= steps; step++) {
        double t = ts_state_time(w.state);
        NEAR(body[1].x, -3 + sin(3 * t), 1e-12);
        NEAR(body[1].y, 1 - cos(3 * t), 1e-12);
        NEAR(body[1].angle, 3 * t, 1e-12);
        NEAR(body[2].x, 0.2 * sin(4 * acos(-1) * t + 1), 1e-12);
        NEAR(body[3].y, t < 0.01 ? 0 : t > 0.05 ? 0.08 : 2 * (t - 0.01), 1e-12);
        fastest = fmax(fastest, fabs(body[2].vx));
        ts_test_step(&w, 1);
    }
    assert_true(fastest <= 0.2 * 4 * acos(-1) * (1 + 1e-9)); /* no jump at the start */
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mirror_images_stay_so),
        cmocka_unit_test(driven_bodies_follow_their_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
