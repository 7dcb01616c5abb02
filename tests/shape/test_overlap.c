/* SPDX-License-Identifier: MIT */
/* Intersections of outlines, against closed forms and against throwing darts. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "support/check.h"
#include "touchstone/shape.h"

static const ts_outline_pose home = {0, 0, 0, 1};

static ts_outline *box(double width, double height)
{
    ts_outline *made;
    OK(ts_outline_box(width, height, 0, &made, ERROR));
    return made;
}

static ts_overlap overlap(const ts_outline *a, ts_outline_pose at_a, const ts_outline *b, ts_outline_pose at_b)
{
    ts_overlap out;
    OK(ts_outline_overlap(a, &at_a, b, &at_b, &out, ERROR));
    return out;
}

/* The same motion and scale for both. */
static ts_outline_pose moved(ts_outline_pose p, const ts_outline_pose *by)
{
    double c = by->scale * cos(by->angle), s = by->scale * sin(by->angle);
    return (ts_outline_pose){by->x + c * p.x - s * p.y, by->y + s * p.x + c * p.y, p.angle + by->angle,
                             p.scale * by->scale};
}

static const ts_outline_pose motion[] = {
    {0, 0, 0, 1}, {0, 0, 0.3, 1}, {3, -7, 1.234, 1}, {1e3, 2e3, 2, 1}, {0.01, 0, -4, 1e-3}, {-5, 5, 0.785, 1e4},
};
enum { MOTIONS = sizeof motion / sizeof *motion };

/* Two unit squares, shifted by (1 - d, s): a box of d by 1 - s, wherever both are. */
static void squares(void **unused)
{
    (void)unused;
    ts_outline *square = box(1, 1);
    static const double width[] = {0.9, 0.5, 0.3, 0.1, 1e-2, 1e-4, 1e-6, 1e-8}, shift[] = {0, 0.25, 0.6};
    for (size_t i = 0; i < sizeof width / sizeof *width; i++)
        for (size_t k = 0; k < 3; k++)
            for (size_t m = 0; m < MOTIONS; m++) {
                double d = width[i], s = shift[k], scale = motion[m].scale, depth = fmin(d, 1 - s);
                double digits = hypot(motion[m].x, motion[m].y) / scale + 1;
                ts_overlap o = overlap(square, moved(home, &motion[m]), square,
                                       moved((ts_outline_pose){1 - d, s, 0, 1}, &motion[m]));
                NEAR(o.area / (scale * scale), d * (1 - s), 4e-16 * digits);
                NEAR(o.depth / scale, depth, 1.001e-3 * depth + 1e-15 * digits);
                assert_int_equal(o.through, depth > 0.5);
                /* the disc lies in the box */
                double x = (o.at[0] - motion[m].x) / scale, y = (o.at[1] - motion[m].y) / scale;
                double c = cos(motion[m].angle), q = sin(motion[m].angle), u = c * x + q * y, v = c * y - q * x;
                NEAR(u, 0.5 - d / 2, d / 2 - depth / 2 + 1e-3 * depth + 1e-12);
                NEAR(v, s / 2, (1 - s) / 2 - depth / 2 + 1e-3 * depth + 1e-12);
            }
    ts_outline_free(square);
}

/* A square on itself, turned by an angle below 90°: an octagon about its inscribed circle, of area 2 / (1 + sin + cos).
 * */
static void turned_squares(void **unused)
{
    (void)unused;
    ts_outline *square = box(1, 1);
    for (int k = 0; k <= 90; k++) {
        double angle = TS_PI * k / 180;
        ts_overlap o = overlap(square, home, square, (ts_outline_pose){0, 0, angle, 1});
        NEAR(o.area, 2 / (1 + sin(angle) + cos(angle)), 2e-15);
        NEAR(o.depth, 1, 1.001e-3);
        assert_true(o.through);
    }
    ts_outline_free(square);
}

/* Edges and corners that coincide: the same outline twice, and one in the corner of another. */
static void edges_that_coincide(void **unused)
{
    (void)unused;
    ts_outline *square = box(1, 1), *small = box(0.5, 0.25);
    for (size_t m = 0; m < MOTIONS; m++) {
        double scale = motion[m].scale, digits = 1 + hypot(motion[m].x, motion[m].y) / scale;
        ts_overlap o = overlap(square, moved(home, &motion[m]), square, moved(home, &motion[m]));
        NEAR(o.area / (scale * scale), 1, 4e-16 * digits);
        NEAR(o.depth / scale, 1, 1.001e-3);
        for (int k = 0; k < 4; k++) { /* in each corner, turned by quarters */
            ts_outline_pose corner = {k & 1 ? -0.25 : 0.25, k & 2 ? -0.375 : 0.375, k * TS_PI, 1};
            o = overlap(square, moved(home, &motion[m]), small, moved(corner, &motion[m]));
            NEAR(o.area / (scale * scale), 0.125, 4e-16 * digits);
            NEAR(o.depth / scale, 0.25, 1.001e-3 * 0.25);
            assert_true(o.through);
        }
    }
    ts_outline_free(square);
    ts_outline_free(small);
}

/* What only touches, face to face, corner to face, corner to corner, has no overlap; nor has what is apart. */
static void touching_is_no_overlap(void **unused)
{
    (void)unused;
    ts_outline *square = box(1, 1), *wide = box(4, 1);
    const ts_outline_pose beside[] = {{1, 0, 0, 1},
                                      {1, 0.5, 0, 1},
                                      {0, -1, TS_PI / 2, 1},
                                      {1, 1, 0, 1},
                                      {1 + 1e-9, 0.3, TS_PI, 1},
                                      {5, 5, 1, 1},
                                      {0.5 + sqrt(0.5), 0, TS_PI / 4, 1}};
    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++)
        for (size_t m = 0; m < MOTIONS; m++) {
            ts_overlap o = overlap(square, moved(home, &motion[m]), square, moved(beside[k], &motion[m]));
            double rounding = 1e-15 * (hypot(motion[m].x, motion[m].y) / motion[m].scale);
            if (rounding > 1e-14) /* the poses themselves are no nearer than that */
                NEAR(o.area / motion[m].scale / motion[m].scale, 0, rounding);
            else
                assert_true(o.area == 0 && o.depth == 0 && !o.through);
        }
    ts_overlap o = overlap(square, home, wide, (ts_outline_pose){-1.3, 1, 0, 1});
    assert_true(o.area == 0);
    ts_outline_free(square);
    ts_outline_free(wide);
}

/* Two discs: the lens. A ring and a disc in its hole, or wider than it. */
static void rings_and_discs(void **unused)
{
    (void)unused;
    ts_outline *disc, *ring;
    OK(ts_outline_disc(1, &disc, ERROR));
    OK(ts_outline_ring(1, 0.5, &ring, ERROR));
    for (int k = 0; k < 12; k++) {
        double d = 0.15 + 0.15 * k, r = 0.8, R = 1, u = (d * d + r * r - R * R) / (2 * d * r),
               v = (d * d + R * R - r * r) / (2 * d * R);
        ts_overlap o = overlap(disc, home, disc, (ts_outline_pose){d * 0.6, d * 0.8, 1, 0.8});
        if (d >= R + r) {
            assert_true(o.area == 0);
            continue;
        }
        double root = sqrt((-d + r + R) * (d + r - R) * (d - r + R) * (d + r + R));
        double lens = d <= R - r ? TS_PI * r * r : r * r * acos(u) + R * R * acos(v) - root / 2;
        NEAR(o.area, lens, 1e-5);
        double thick = fmin(r + R - d, 2 * r);
        NEAR(o.depth, thick, 1.1e-3 * thick + 4e-6);
        assert_int_equal(o.through, thick > r);
    }
    ts_overlap o = overlap(ring, home, disc, (ts_outline_pose){0, 0, 0, 0.49});
    assert_true(o.area == 0 && o.depth == 0);
    o = overlap(ring, home, disc, (ts_outline_pose){0, 0, 0.4, 0.7});
    NEAR(o.area, TS_PI * (0.49 - 0.25), 1e-5);
    NEAR(o.depth, 0.2, 3e-4);
    assert_false(o.through); /* the ring is 0.5 wide */
    o = overlap(ring, home, disc, (ts_outline_pose){0, 0, 0.4, 0.8});
    assert_true(o.through);
    o = overlap(ring, home, ring, home);
    NEAR(o.area, TS_PI * 0.75, 1e-5);
    ts_outline_free(disc);
    ts_outline_free(ring);
}

/* ---- The hash sign ---- */

/* Two bars by two, of this stroke, 1 long, 0.5 apart. */
static const double stroke = 0.16;

static ts_outline *hash(void)
{
    ts_vertex vertex[4][4];
    ts_contour contour[4];
    for (int k = 0; k < 4; k++) {
        double x = k < 2 ? 0.5 : stroke / 2, y = k < 2 ? stroke / 2 : 0.5, shift = k & 1 ? 0.25 : -0.25;
        double cx = k < 2 ? 0 : shift, cy = k < 2 ? shift : 0;
        const double at[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
        for (int i = 0; i < 4; i++)
            vertex[k][i] = (ts_vertex){cx + at[i][0], cy + at[i][1], 0};
        contour[k] = (ts_contour){vertex[k], 4, false};
    }
    ts_outline *made;
    OK(ts_outline_create(contour, 4, TS_RULE_NONZERO, &made, ERROR));
    return made;
}

static bool in_hash(const ts_outline_pose *at, double x, double y)
{
    double dx = (x - at->x) / at->scale, dy = (y - at->y) / at->scale, c = cos(at->angle), s = sin(at->angle);
    double u = fabs(c * dx + s * dy), v = fabs(c * dy - s * dx);
    return u < 0.5 && v < 0.5 && (fabs(u - 0.25) < stroke / 2 || fabs(v - 0.25) < stroke / 2);
}

/* How deep below the boundary a point lies, by distance queries. */
static double depth_in(const ts_outline *grain, const ts_outline_pose *at, double x, double y)
{
    double dx = (x - at->x) / at->scale, dy = (y - at->y) / at->scale, c = cos(at->angle), s = sin(at->angle);
    double u = c * dx + s * dy, v = c * dy - s * dx, distance;
    ts_outline_distance(grain, 1, &u, &v, &distance, NULL, NULL);
    return -distance * at->scale;
}

static double random_number(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Twenty ways for one to lie in another: 10⁶ darts tell the areas, each within five standard deviations, their sum
 * within four. */
static void hashes_through_hashes(void **unused)
{
    (void)unused;
    enum { PAIRS = 20, DARTS = 50000 };
    ts_outline *grain = hash();
    uint64_t seed = 88172645463325252u;
    double sum = 0, variance = 0;
    for (int k = 0; k < PAIRS; k++) {
        ts_outline_pose a = {0.3, -0.2, 6 * random_number(&seed), 1}, b = a;
        b.angle = k % 5 ? 6 * random_number(&seed) : a.angle; /* some have parallel strokes */
        b.x += 0.9 * (random_number(&seed) - 0.5);
        b.y += 0.9 * (random_number(&seed) - 0.5);
        b.scale = k % 3 ? 1 : 0.7;
        int hits = 0;
        double deepest = 0;
        for (int i = 0; i < DARTS; i++) {
            double x = a.x - 0.71 + 1.42 * random_number(&seed), y = a.y - 0.71 + 1.42 * random_number(&seed);
            bool hit = in_hash(&a, x, y) && in_hash(&b, x, y);
            hits += hit;
            if (hit)
                deepest = fmax(deepest, fmin(depth_in(grain, &a, x, y), depth_in(grain, &b, x, y)));
        }
        double p = (double)hits / DARTS, all = 1.42 * 1.42, error = all * sqrt(p * (1 - p) / DARTS);
        ts_overlap o = overlap(grain, a, grain, b), other = overlap(grain, b, grain, a);
        NEAR(o.area, p * all, 5 * error);
        NEAR(o.area, other.area, 1e-15);
        NEAR(o.depth, other.depth, 1.1e-3 * o.depth);
        assert_int_equal(o.through, other.through);
        /* no dart is the centre of a larger disc, and one lies near the centre of the largest */
        NEAR(o.depth, 2 * deepest + 0.02, 0.02 + 1e-3 * o.depth);
        /* strokes cross strokes: the disc is as wide as the thinner one */
        assert_true(in_hash(&a, o.at[0], o.at[1]) && in_hash(&b, o.at[0], o.at[1]));
        assert_true(o.depth > 0.3 * stroke && o.depth < 1.4143 * stroke * 1.001);
        sum += o.area - p * all;
        variance += error * error;
    }
    NEAR(sum, 0, 4 * sqrt(variance));
    ts_outline_free(grain);
}

/* A tip pushed into a stroke from the side: pushed half-way through at half a stroke, whatever the rest looks like; and
 * on itself a hash has the disc of a crossing, √2 strokes wide. */
static void half_way_through(void **unused)
{
    (void)unused;
    ts_outline *grain = hash();
    for (int k = 1; k < 20; k++) {
        double d = stroke * (0.05 * k + 0.013);
        /* the upper right tip of A meets the outer side of B's left bar between its crossings */
        ts_outline_pose b = {0.5 + 0.25 + stroke / 2 - d, 0.25, 0, 1};
        ts_overlap o = overlap(grain, home, grain, b);
        NEAR(o.depth, d, 1.001e-3 * d);
        NEAR(o.area, 3 * d * stroke, 1e-15); /* here and at the same place of B; and twice half of a tip */
        assert_int_equal(o.through, d > 0.5 * stroke);
    }
    ts_overlap o = overlap(grain, home, grain, (ts_outline_pose){0, 0, TS_PI / 2, 1});
    NEAR(o.area, 4 * stroke - 4 * stroke * stroke, 1e-15);
    NEAR(o.depth, sqrt(2) * stroke, 1.5e-3 * stroke);
    assert_true(o.through);
    /* one in the mesh of the other touches nothing */
    o = overlap(grain, home, grain, (ts_outline_pose){0, 0, 0.2, 0.25});
    assert_true(o.area == 0);
    ts_outline_free(grain);
}

static void nonsense_is_refused(void **unused)
{
    (void)unused;
    ts_outline *square = box(1, 1);
    ts_overlap o;
    const ts_outline_pose bad[] = {{(double)NAN, 0, 0, 1}, {0, HUGE_VAL, 0, 1}, {0, 0, (double)NAN, 1}, {0, 0, 0, -1}};
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(ts_outline_overlap(square, &bad[k], square, &home, &o, ERROR), TS_BAD_INPUT);
        assert_int_equal(ts_outline_overlap(square, &home, square, &bad[k], &o, ERROR), TS_BAD_INPUT);
        assert_non_null(strstr(ts_test_error.message, "pose of B"));
    }
    OK(ts_outline_overlap(square, &(ts_outline_pose){0}, square, &home, &o, ERROR)); /* scale 0 is 1 */
    NEAR(o.area, 1, 1e-15);
    ts_outline_free(square);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares),
        cmocka_unit_test(turned_squares),
        cmocka_unit_test(edges_that_coincide),
        cmocka_unit_test(touching_is_no_overlap),
        cmocka_unit_test(rings_and_discs),
        cmocka_unit_test(hashes_through_hashes),
        cmocka_unit_test(half_way_through),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
