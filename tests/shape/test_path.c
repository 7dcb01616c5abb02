/* SPDX-License-Identifier: MIT */
/* Curves as arcs: distances both ways by dense sampling, tangents at joints, and the degenerate curves that drawings
 * have. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "shape/outline.h"
#include "shape/path.h"
#include "support/check.h"

#define POINTS 400

static ts_vec2 bezier(const ts_vec2 p[4], double t)
{
    ts_vec2 a = ts_vec2_lerp(p[0], p[1], t), b = ts_vec2_lerp(p[1], p[2], t), c = ts_vec2_lerp(p[2], p[3], t);
    return ts_vec2_lerp(ts_vec2_lerp(a, b, t), ts_vec2_lerp(b, c, t), t);
}

static double to_chain(ts_vec2 q, const ts_vec2 *chain, size_t count)
{
    double best = HUGE_VAL;
    for (size_t i = 0; i + 1 < count; i++) {
        ts_vec2 d = ts_vec2_sub(chain[i + 1], chain[i]), u = ts_vec2_sub(q, chain[i]);
        double square = ts_vec2_dot(d, d), t = square > 0 ? ts_vec2_dot(u, d) / square : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        best = fmin(best, ts_vec2_length(ts_vec2_add_scaled(u, d, -t)));
    }
    return best;
}

/* Greatest distance between a curve's points and its edges, both ways. */
static double deviation(const ts_vec2 *curve, size_t curve_count, const ts_contour *contour)
{
    size_t edges = contour->vertex_count - 1, per = 1 + 3000 / edges, count = 0;
    ts_vec2 *chain = test_malloc((edges * per + 1) * sizeof *chain);
    for (size_t i = 0; i < edges; i++) {
        ts_segment s = ts_contour_segment(contour, i);
        for (size_t k = 0; k < per; k++)
            chain[count++] = ts_segment_point(&s, (double)k / (double)per);
    }
    chain[count++] = (ts_vec2){contour->vertex[edges].x, contour->vertex[edges].y};
    double worst = 0;
    for (size_t i = 0; i < curve_count; i += 8)
        worst = fmax(worst, to_chain(curve[i], chain, count));
    for (size_t i = 0; i < count; i += 24)
        worst = fmax(worst, to_chain(chain[i], curve, curve_count));
    test_free(chain);
    return worst;
}

/* One cubic as an open contour; the caller frees it. */
static ts_path_contours flatten_cubic(const ts_vec2 p[4], double tolerance)
{
    ts_path path = {0};
    ts_path_contours out;
    OK(ts_path_move(&path, p[0], ERROR));
    OK(ts_path_cubic(&path, p[1], p[2], p[3], ERROR));
    OK(ts_path_flatten(&path, tolerance, &out, ERROR));
    ts_path_free(&path);
    return out;
}

static double check_cubic(const ts_vec2 p[4], double tolerance, size_t edges_max)
{
    ts_path_contours out = flatten_cubic(p, tolerance);
    assert_int_equal(out.count, 1);
    ts_contour c = out.contour[0];
    assert_true(c.open);
    assert_true(c.vertex[0].x == p[0].x && c.vertex[0].y == p[0].y);
    assert_true(c.vertex[c.vertex_count - 1].x == p[3].x && c.vertex[c.vertex_count - 1].y == p[3].y);
    static ts_vec2 curve[16 * POINTS + 1];
    for (size_t i = 0; i <= 16 * POINTS; i++)
        curve[i] = bezier(p, (double)i / (16 * POINTS));
    double found = deviation(curve, 16 * POINTS + 1, &c);
    if (!(found <= tolerance) || c.vertex_count - 1 > edges_max)
        fail_msg("deviation %g of %g, %zu edges", found, tolerance, c.vertex_count - 1);
    ts_path_contours_free(&out);
    return found;
}

static double uniform(uint64_t *n)
{
    return ts_random_range(7, 1, (*n)++, -1, 1);
}

static void within_tolerance(void **state)
{
    (void)state;
    uint64_t n = 0;
    double worst = 0;
    for (int i = 0; i < 40; i++) {
        double scale = i % 3 == 0 ? 1e-9 : i % 3 == 1 ? 1 : 1e12;
        ts_vec2 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = (ts_vec2){scale * (5 + uniform(&n)), scale * uniform(&n)};
        worst = fmax(worst, check_cubic(p, 1e-3 * scale, 60) / (1e-3 * scale));
    }
    assert_true(worst > 0.3); /* not wasteful either: some part comes near to what is allowed */
}

/* A smooth curve's edges meet with one tangent. */
static void smooth_joints(void **state)
{
    (void)state;
    uint64_t n = 5000;
    for (int i = 0; i < 100; i++) {
        ts_vec2 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = (ts_vec2){k + 0.4 * uniform(&n), 2 * uniform(&n)};
        ts_path_contours out = flatten_cubic(p, 1e-4);
        ts_contour c = out.contour[0];
        for (size_t k = 0; k + 2 < c.vertex_count; k++) {
            ts_segment a = ts_contour_segment(&c, k), b = ts_contour_segment(&c, k + 1);
            ts_vec2 ta = ts_segment_tangent(&a, 1), tb = ts_segment_tangent(&b, 0);
            NEAR(ts_vec2_distance(ta, tb), 0, 3e-6);
        }
        /* and with the curve's own at its ends */
        ts_segment first = ts_contour_segment(&c, 0), last = ts_contour_segment(&c, c.vertex_count - 2);
        NEAR(ts_vec2_distance(ts_segment_tangent(&first, 0), ts_vec2_unit(ts_vec2_sub(p[1], p[0]))), 0, 3e-6);
        NEAR(ts_vec2_distance(ts_segment_tangent(&last, 1), ts_vec2_unit(ts_vec2_sub(p[3], p[2]))), 0, 3e-6);
        ts_path_contours_free(&out);
    }
}

/* Biarcs are of third order: an eighth of the tolerance costs twice the arcs. */
static void order(void **state)
{
    (void)state;
    const ts_vec2 p[4] = {{0, 0}, {1, 2}, {3, 1.5}, {4, -1}};
    double count[2];
    for (int i = 0; i < 2; i++) {
        ts_path_contours out = flatten_cubic(p, i ? 1e-9 : 1e-9 * 4096);
        count[i] = (double)out.contour[0].vertex_count;
        ts_path_contours_free(&out);
    }
    assert_true(count[1] / count[0] > 10 && count[1] / count[0] < 26); /* 4096^(1/3) = 16, in powers of two a part */
}

static void straight(void **state)
{
    (void)state;
    const ts_vec2 line[][4] = {{{0, 0}, {1, 1}, {2, 2}, {3, 3}},
                               {{1, 7}, {1, 7}, {-4, 2}, {-4, 2}},
                               {{0, 0}, {0.1, 0.3}, {0.1 * 2, 0.3 * 2}, {0.1 * 3, 0.3 * 3}},
                               {{0, 0}, {1, 1.0000001}, {2, 2}, {3, 3}}};
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        ts_path_contours out = flatten_cubic(line[i], 1e-3);
        assert_int_equal(out.contour[0].vertex_count, 2);
        assert_true(out.contour[0].vertex[0].bulge == 0);
        ts_path_contours_free(&out);
    }
    /* x(t) = 3t(1-t)²·3 + 3t²(1-t)·(-2) + t³: runs ahead, back, and on again, all on the x axis */
    const ts_vec2 fro[4] = {{0, 0}, {3, 0}, {-2, 0}, {1, 0}};
    ts_path_contours out = flatten_cubic(fro, 1e-3);
    assert_int_equal(out.contour[0].vertex_count, 4);
    double low = 0, high = 0;
    for (int i = 0; i <= 100000; i++) {
        double x = bezier(fro, i / 100000.0).x;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    NEAR(out.contour[0].vertex[1].x, high, 1e-9);
    NEAR(out.contour[0].vertex[2].x, low, 1e-9);
    for (int i = 0; i < 3; i++)
        assert_true(out.contour[0].vertex[i].bulge == 0 && out.contour[0].vertex[i].y == 0);
    ts_path_contours_free(&out);
}

static void degenerate(void **state)
{
    (void)state;
    /* a cusp; nearly one, on either side; a loop; a teardrop; control points on the ends; hairpin; one far away */
    const ts_vec2 p[][4] = {{{0, 0}, {1, 1}, {0, 1}, {1, 0}},
                            {{0, 0}, {1, 1}, {0.0000001, 1}, {1, 0}},
                            {{0, 0}, {1, 1}, {-0.0000001, 1}, {1, 0}},
                            {{0, 0}, {3, 1}, {-2, 1}, {1, 0}},
                            {{0, 0}, {2, 1}, {-2, 1}, {0, 0}},
                            {{0, 0}, {0, 0}, {1, 1}, {1, 0}},
                            {{0, 0}, {1, 1}, {1, 0}, {1, 0}},
                            {{0, 0}, {1e-12, 1e-12}, {0, 1}, {1, 0}},
                            {{0, 0}, {0, 100}, {0.001, 100}, {0.001, 0}},
                            {{0, 0}, {0, 1}, {0, 1}, {1, 0}},
                            {{1e6, 1e6}, {1e6 + 1, 1e6 + 1}, {1e6, 1e6 + 1}, {1e6 + 1, 1e6}}};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        if (i == 4) { /* it comes back: closed by itself */
            ts_path_contours out = flatten_cubic(p[i], 1e-4);
            assert_false(out.contour[0].open);
            assert_true(out.contour[0].vertex_count > 4 && out.contour[0].vertex_count < 64);
            ts_path_contours_free(&out);
        } else {
            check_cubic(p[i], 1e-4, 80);
        }
    }
    /* a point is no edge */
    ts_vec2 dot[4] = {{2, 3}, {2, 3}, {2, 3}, {2, 3}};
    ts_path_contours out = flatten_cubic(dot, 1e-4);
    assert_int_equal(out.count, 0);
    ts_path_contours_free(&out);
}

/* The usual cubic for a quarter of a circle, off by 2.7e-4 of the radius, is one arc of about that radius. */
static void quarter(void **state)
{
    (void)state;
    const double k = 4.0 / 3 * (sqrt(2) - 1);
    const ts_vec2 p[4] = {{1, 0}, {1, k}, {k, 1}, {0, 1}};
    ts_path_contours out = flatten_cubic(p, 1e-3);
    assert_int_equal(out.contour[0].vertex_count, 2);
    NEAR(out.contour[0].vertex[0].bulge, tan(TS_PI / 8), 1e-9);
    ts_path_contours_free(&out);
    check_cubic(p, 1e-6, 32);
}

static void ellipse(void **state)
{
    (void)state;
    const double a = 3, b = 0.5, turn = 0.3;
    ts_rot2 r = {cos(turn), sin(turn)};
    ts_vec2 u = ts_rot2_apply(r, (ts_vec2){a, 0}), v = ts_rot2_apply(r, (ts_vec2){0, b}), centre = {10, -4};
    for (int sense = 1; sense >= -1; sense -= 2) {
        double sweep = sense * 1.5 * TS_PI;
        ts_vec2 to = ts_vec2_add_scaled(centre, v, -sense);
        ts_path path = {0};
        ts_path_contours out;
        OK(ts_path_move(&path, ts_vec2_add(centre, u), ERROR));
        OK(ts_path_ellipse(&path, centre, v, sweep, to, ERROR));
        NEAR(ts_path_extent(&path), hypot(fabs(u.x) + fabs(v.x), fabs(u.y) + fabs(v.y)), 1e-12);
        OK(ts_path_flatten(&path, 1e-4, &out, ERROR));
        static ts_vec2 curve[16 * POINTS + 1];
        for (int i = 0; i <= 16 * POINTS; i++) {
            double angle = sweep * i / (16 * POINTS);
            curve[i] = ts_vec2_add_scaled(ts_vec2_add_scaled(centre, u, cos(angle)), v, sin(angle));
        }
        assert_true(deviation(curve, 16 * POINTS + 1, &out.contour[0]) <= 1e-4);
        assert_true(out.contour[0].vertex_count < 100);
        ts_path_contours_free(&out);
        ts_path_free(&path);
    }
}

/* What is a line or an arc already comes through to the bit; ends, and the pen after closing. */
static void contours(void **state)
{
    (void)state;
    ts_path path = {0};
    ts_path_contours out;
    assert_int_equal(ts_path_line(&path, (ts_vec2){1, 1}, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_path_close(&path, ERROR), TS_BAD_INPUT);
    assert_true(ts_path_extent(&path) == 0);
    OK(ts_path_flatten(&path, 1, &out, ERROR));
    assert_int_equal(out.count, 0);
    ts_path_contours_free(&out);

    OK(ts_path_move(&path, (ts_vec2){9, 9}, ERROR)); /* only a move: nothing */
    OK(ts_path_move(&path, (ts_vec2){0, 0}, ERROR)); /* a half disc, closed by its line */
    OK(ts_path_arc(&path, 1, (ts_vec2){0, 2}, ERROR));
    OK(ts_path_close(&path, ERROR));
    OK(ts_path_line(&path, (ts_vec2){-1, 0}, ERROR)); /* begins where the last one began, and returns */
    OK(ts_path_line(&path, (ts_vec2){-1, 0}, ERROR));
    OK(ts_path_line(&path, (ts_vec2){-1, -1}, ERROR));
    OK(ts_path_line(&path, (ts_vec2){0, 0}, ERROR));
    OK(ts_path_move(&path, (ts_vec2){5, 5}, ERROR)); /* left open */
    OK(ts_path_line(&path, (ts_vec2){6, 5}, ERROR));
    OK(ts_path_quadratic(&path, (ts_vec2){7, 5}, (ts_vec2){7, 6}, ERROR));
    OK(ts_path_flatten(&path, 1e-3, &out, ERROR));
    assert_int_equal(out.count, 3);
    assert_int_equal(out.contour[0].vertex_count, 2);
    assert_true(out.contour[0].vertex[0].bulge == 1 && out.contour[0].vertex[1].bulge == 0 && !out.contour[0].open);
    assert_int_equal(out.contour[1].vertex_count, 3);
    assert_false(out.contour[1].open);
    assert_true(out.contour[2].open);
    ts_path_contours_free(&out);
    ts_path_free(&path);
}

/* An arc that bulges beyond its ends counts for the extent: three points of the unit circle and its middle. */
static void extent(void **state)
{
    (void)state;
    ts_path path = {0};
    OK(ts_path_move(&path, (ts_vec2){-1, 0}, ERROR));
    OK(ts_path_arc(&path, 1, (ts_vec2){1, 0}, ERROR)); /* counter-clockwise: below */
    NEAR(ts_path_extent(&path), 0.5 * hypot(2, 1), 1e-15);
    OK(ts_path_arc(&path, 1, (ts_vec2){-1, 0}, ERROR));
    NEAR(ts_path_extent(&path), 0.5 * hypot(2, 2), 1e-15);
    ts_path_free(&path);
}

static void caps(void **state)
{
    (void)state;
    ts_path path = {0};
    OK(ts_path_move(&path, (ts_vec2){0, 0}, ERROR));
    for (int i = 0; i < TS_OUTLINE_EDGES_MAX; i++)
        OK(ts_path_line(&path, (ts_vec2){i, i & 1}, ERROR));
    assert_int_equal(ts_path_line(&path, (ts_vec2){0, 5}, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "more than 100000 edges"));
    ts_path_free(&path);

    /* few pieces that need many arcs */
    OK(ts_path_move(&path, (ts_vec2){0, 0}, ERROR));
    for (int i = 0; i < 2000; i++)
        OK(ts_path_cubic(&path, (ts_vec2){1, 2}, (ts_vec2){3, 1.5}, (ts_vec2){i & 1 ? 0 : 4, i}, ERROR));
    ts_path_contours out;
    assert_int_equal(ts_path_flatten(&path, 1e-9, &out, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "raise the tolerance"));
    ts_path_free(&path);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(within_tolerance),
        cmocka_unit_test(smooth_joints),
        cmocka_unit_test(order),
        cmocka_unit_test(straight),
        cmocka_unit_test(degenerate),
        cmocka_unit_test(quarter),
        cmocka_unit_test(ellipse),
        cmocka_unit_test(contours),
        cmocka_unit_test(extent),
        cmocka_unit_test(caps),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
