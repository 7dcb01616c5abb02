/* SPDX-License-Identifier: MIT */
/* Mirrored scenes stay mirrored. */
#include <math.h>

#include "support/check.h"

#include "support/scenes.h"
#include "workspace.h"

/* A heap of discs and clusters in pairs about x = 0 falls onto a floor between two slopes. Every operation of the law
 * is odd or even in x, so left and right differ only by the order in which forces are added; impacts then magnify
 * that rounding. */
static void mirror_images_stay_so(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    ts_test_soften(w.scene, 5e5, 4e-5);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mirror_images_stay_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
