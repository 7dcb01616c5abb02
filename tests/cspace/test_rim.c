/* SPDX-License-Identifier: MIT */
/* Points of edges and where they lie on them, for arcs from nearly straight to nearly full circles. */
#include "cspace/rim.h"

#include "support/check.h"

/* One edge of a contour of two arcs: a lens, or where one bulges inwards a crescent. */
static ts_rim_edge arc(double bulge)
{
    const ts_vertex vertex[2] = {{-0.3, 0.2, bulge}, {0.5, -0.4, bulge > 0 ? 1e-3 : fmin(-2 * bulge, 50)}};
    ts_outline *outline;
    ts_rim rim;
    OK(ts_outline_create(&(ts_contour){vertex, 2, false}, 1, TS_RULE_NONZERO, &outline, ERROR));
    OK(ts_rim_create(outline, &rim, ERROR));
    size_t which = 0;
    for (size_t i = 0; i < rim.count; i++)
        if (fabs(rim.edge[i].bulge - bulge) < fabs(rim.edge[which].bulge - bulge))
            which = i;
    ts_rim_edge e = rim.edge[which];
    NEAR(e.bulge, bulge, 1e-9 * fabs(bulge));
    ts_rim_free(&rim);
    ts_outline_free(outline);
    return e;
}

static const double bulges[] = {1e-6, 1e-3, 0.1, 0.5, 1, 1.8, 5.5, 20, -1e-3, -0.1, -0.5, -1, -1.8};
enum { BULGES = sizeof bulges / sizeof *bulges };

static void points_are_found_again(void **state)
{
    (void)state;
    for (int i = 0; i < BULGES; i++) {
        ts_rim_edge e = arc(bulges[i]);
        double before = -1;
        for (int k = 0; k <= 40; k++) {
            double t = k / 40.0;
            ts_vec2 x = ts_edge_point(&e, t);
            NEAR(ts_vec2_distance(x, e.c), e.r, 1e-14 * e.r + 1e-13);
            double again = ts_edge_parameter(&e, x);
            NEAR(again, t, 1e-9);
            assert_true(again > before);
            before = again;
            /* straight along the circle, from p to q */
            ts_vec2 ahead = ts_vec2_sub(ts_edge_point(&e, fmin(t + 1e-4, 1)), ts_edge_point(&e, fmax(t - 1e-4, 0)));
            NEAR(ts_vec2_cross(ts_vec2_unit(ahead), ts_edge_direction(&e, x)), 0, 0.02);
            assert_true(ts_vec2_dot(ahead, ts_edge_direction(&e, x)) > 0);
        }
        NEAR(ts_vec2_distance(ts_edge_point(&e, 0), e.p), 0, 1e-14);
        NEAR(ts_vec2_distance(ts_edge_point(&e, 1), e.q), 0, 1e-14);
    }
}

/* The middle of a part is as far from both of its ends; and of all of it, in the arc's middle direction. */
static void middles_are_in_the_middle(void **state)
{
    (void)state;
    for (int i = 0; i < BULGES; i++) {
        ts_rim_edge e = arc(bulges[i]);
        NEAR(ts_edge_between(&e, 0, 1), 0.5, 1e-15);
        ts_vec2 middle = ts_edge_point(&e, 0.5);
        NEAR(ts_vec2_dot(ts_vec2_unit(ts_vec2_sub(middle, e.c)), e.middle), 1, 1e-12);
        for (int k = 0; k < 10; k++) {
            double t0 = 0.09 * k, t1 = fmin(t0 + 0.35, 1), t = ts_edge_between(&e, t0, t1);
            assert_true(t > t0 && t < t1);
            ts_vec2 m = ts_edge_point(&e, t);
            NEAR(ts_vec2_distance(m, ts_edge_point(&e, t0)), ts_vec2_distance(m, ts_edge_point(&e, t1)), 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_found_again),
        cmocka_unit_test(middles_are_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
