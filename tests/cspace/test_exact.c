/* SPDX-License-Identifier: MIT */
/* The exact gap against closed forms, and against a plain search: distances edge by edge, squares that are halved as
 * long as the slope of 1 lets them hold anything deeper. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "cspace/exact.h"
#include "forms.h"

/* ---- Distance and depth without any of the engine's code ---- */

static double length(double x, double y) /* hypot, for numbers near 1, in a tenth of its time */
{
    return sqrt(x * x + y * y);
}

static double to_segment(double x, double y, const ts_vertex *p, const ts_vertex *q)
{
    double dx = q->x - p->x, dy = q->y - p->y, t = ((x - p->x) * dx + (y - p->y) * dy) / (dx * dx + dy * dy);
    t = fmin(fmax(t, 0), 1);
    return length(x - p->x - t * dx, y - p->y - t * dy);
}

/* An arc of a bulge up to 1. `cap`: whether the point is between chord and arc. */
static double to_arc(double x, double y, const ts_vertex *p, const ts_vertex *q, bool *cap)
{
    double b = p->bulge, dx = q->x - p->x, dy = q->y - p->y, k = (1 - b * b) / (4 * b);
    double cx = 0.5 * (p->x + q->x) - k * dy, cy = 0.5 * (p->y + q->y) + k * dx, r = length(p->x - cx, p->y - cy);
    double to = length(x - cx, y - cy), right = dy * (x - p->x) - dx * (y - p->y);
    *cap = to < r && right * b > 0;
    /* the ray from the centre meets the arc when it leaves the circle on the arc's side of the chord */
    double fx = cx + (to > 0 ? (x - cx) / to * r : r), fy = cy + (to > 0 ? (y - cy) / to * r : 0);
    if ((dy * (fx - p->x) - dx * (fy - p->y)) * b > 0)
        return fabs(to - r);
    return fmin(length(x - p->x, y - p->y), length(x - q->x, y - q->y));
}

static double plain_distance(const ts_outline *o, double x, double y)
{
    double least = HUGE_VAL;
    bool inside = false;
    for (size_t c = 0; c < ts_outline_contour_count(o); c++) {
        ts_contour k = ts_outline_get_contour(o, c);
        for (size_t i = 0; i < k.vertex_count; i++) {
            const ts_vertex *p = &k.vertex[i], *q = &k.vertex[i + 1 < k.vertex_count ? i + 1 : 0];
            bool cap = false;
            least = fmin(least, p->bulge != 0 ? to_arc(x, y, p, q, &cap) : to_segment(x, y, p, q));
            inside ^= cap;
            if ((p->y > y) != (q->y > y) && x < p->x + (y - p->y) / (q->y - p->y) * (q->x - p->x))
                inside = !inside;
        }
    }
    return inside ? -least : least;
}

typedef struct pose {
    double x, y, angle;
} pose;

static double plain_field(const ts_pair *p, const pose *q, double x, double y)
{
    double c = cos(q->angle), s = sin(q->angle), dx = x - q->x, dy = y - q->y;
    double a = plain_distance(p->a, x, y);
    return fmax(a, plain_distance(p->b, c * dx + s * dy, c * dy - s * dx));
}

enum { SQUARES = 10000 };

/* How many squares a search may still look at. */
static long squares;

/* Whether the field is less than `level` anywhere in a square, as far as `squares` last. */
static bool goes_below(const ts_pair *p, const pose *q, double level, double x, double y, double half)
{
    if (--squares < 0)
        return false;
    double f = plain_field(p, q, x, y);
    if (f < level)
        return true;
    if (f - 1.4142135623731 * half >= level)
        return false;
    for (int k = 0; k < 4; k++)
        if (goes_below(p, q, level, x + (k & 1 ? half : -half) / 2, y + (k & 2 ? half : -half) / 2, half / 2))
            return true;
    return false;
}

/* Polygons that do not meet: between ends and edges. */
static double plain_gap(const ts_pair *p, const pose *q)
{
    double c = cos(q->angle), s = sin(q->angle), least = HUGE_VAL;
    for (size_t k = 0; k < ts_outline_contour_count(p->a); k++) {
        ts_contour a = ts_outline_get_contour(p->a, k);
        for (size_t i = 0; i < a.vertex_count; i++) {
            double dx = a.vertex[i].x - q->x, dy = a.vertex[i].y - q->y;
            least = fmin(least, plain_distance(p->b, c * dx + s * dy, c * dy - s * dx));
        }
    }
    for (size_t k = 0; k < ts_outline_contour_count(p->b); k++) {
        ts_contour b = ts_outline_get_contour(p->b, k);
        for (size_t i = 0; i < b.vertex_count; i++)
            least = fmin(least, plain_distance(p->a, q->x + c * b.vertex[i].x - s * b.vertex[i].y,
                                               q->y + s * b.vertex[i].x + c * b.vertex[i].y));
    }
    return least;
}

/* A point of an edge, from p at t = 0 to q at t = 1. */
static ts_vec2 point_of_edge(const ts_vertex *p, const ts_vertex *q, double t)
{
    double b = p->bulge, dx = q->x - p->x, dy = q->y - p->y;
    if (b == 0)
        return (ts_vec2){p->x + t * dx, p->y + t * dy};
    double k = (1 - b * b) / (4 * b), turn = 4 * atan(b) * t;
    ts_vec2 centre = {0.5 * (p->x + q->x) - k * dy, 0.5 * (p->y + q->y) + k * dx};
    return ts_vec2_add(centre, ts_vec2_rotate((ts_vec2){p->x - centre.x, p->y - centre.y}, turn));
}

/* How far a point of an edge of A is from B. */
static double edge_to_b(const ts_pair *p, const pose *q, const ts_vertex *u, const ts_vertex *v, double t)
{
    ts_vec2 x = ts_vec2_rotate(ts_vec2_sub(point_of_edge(u, v, t), (ts_vec2){q->x, q->y}), -q->angle);
    return plain_distance(p->b, x.x, x.y);
}

/* Outlines of any edges that do not meet are no farther apart than any point of A is from B: points all along A, and
 * about the nearest of each edge a search by thirds. */
static double gap_at_most(const ts_pair *p, const pose *q)
{
    enum { POINTS = 16 };
    double least = HUGE_VAL;
    for (size_t c = 0; c < ts_outline_contour_count(p->a); c++) {
        ts_contour k = ts_outline_get_contour(p->a, c);
        for (size_t i = 0; i < k.vertex_count; i++) {
            const ts_vertex *u = &k.vertex[i], *v = &k.vertex[i + 1 < k.vertex_count ? i + 1 : 0];
            double here = HUGE_VAL, at = 0;
            for (int n = 0; n <= POINTS; n++) {
                double d = edge_to_b(p, q, u, v, (double)n / POINTS);
                at = d < here ? (double)n / POINTS : at;
                here = fmin(here, d);
            }
            if (here > least + 0.1)
                continue;
            double low = fmax(at - 1.0 / POINTS, 0), high = fmin(at + 1.0 / POINTS, 1);
            for (int n = 0; n < 30; n++) {
                double first = (2 * low + high) / 3, second = (low + 2 * high) / 3;
                double one = edge_to_b(p, q, u, v, first), two = edge_to_b(p, q, u, v, second);
                here = fmin(here, fmin(one, two));
                one < two ? (high = second) : (low = first);
            }
            least = fmin(least, here);
        }
    }
    return least;
}

/* ---- Making ---- */

typedef struct subject {
    ts_pair *pair;
    ts_exact *exact;
} subject;

/* Takes the outlines over. */
static subject make(ts_outline *a, ts_outline *b)
{
    subject s;
    OK(ts_pair_create(a, b, &s.pair, ERROR));
    OK(ts_exact_create(s.pair, &s.exact, ERROR));
    ts_outline_free(a);
    if (b != a)
        ts_outline_free(b);
    return s;
}

static void drop(subject *s)
{
    ts_exact_free(s->exact);
    ts_pair_free(s->pair);
}

static ts_exact_contact at(const subject *s, double x, double y, double angle)
{
    return ts_exact_at(s->exact, x, y, angle, HUGE_VAL);
}

/* In the outlines' own unit. */
static double gap_of(const subject *s, double x, double y, double angle)
{
    return at(s, x / s->pair->unit, y / s->pair->unit, angle).gap * s->pair->unit;
}

static pose random_pose(const ts_pair *p, uint64_t seed, uint64_t i)
{
    double r = p->reach * sqrt(ts_random_uniform(seed, 0, i)), f = 2 * TS_PI * ts_random_uniform(seed, 1, i);
    return (pose){r * cos(f), r * sin(f), 2 * TS_PI * ts_random_uniform(seed, 2, i)};
}

/* A star with a smaller one as its hole, some of its edges bent when `bend` > 0. */
static ts_outline *star(uint64_t seed, size_t count, bool hole, double bend)
{
    ts_vertex v[2][16];
    for (size_t i = 0; i < count; i++) {
        double angle = 2 * TS_PI * ((double)i + 0.7 * ts_random_uniform(seed, 0, i)) / (double)count;
        double r = 0.4 + 0.6 * ts_random_uniform(seed, 1, i), b = bend * (ts_random_uniform(seed, 2, i) - 0.5);
        v[0][i] = (ts_vertex){r * cos(angle), r * sin(angle), b};
        v[1][i] = (ts_vertex){0.5 * r * cos(angle), 0.5 * r * sin(angle), 0.5 * b};
    }
    ts_outline *o;
    OK(ts_outline_create((ts_contour[2]){{v[0], count, false}, {v[1], count, false}}, hole ? 2 : 1, TS_RULE_EVEN_ODD,
                         &o, ERROR));
    return o;
}

static ts_outline *box(double width, double height, double corner)
{
    ts_outline *o;
    OK(ts_outline_box(width, height, corner, &o, ERROR));
    return o;
}

static ts_outline *disc(double radius)
{
    ts_outline *o;
    OK(ts_outline_disc(radius, &o, ERROR));
    return o;
}

static ts_outline *ring(double outer, double inner)
{
    ts_outline *o;
    OK(ts_outline_ring(outer, inner, &o, ERROR));
    return o;
}

/* ---- Plain search ---- */

/* Whether the field goes below half the gap by more than `less`, anywhere. */
static bool is_deeper(const subject *s, const pose *q, double gap, double less, long most)
{
    squares = most;
    return goes_below(s->pair, q, 0.5 * gap - less, 0, 0, s->pair->radius_a);
}

/* Poses of one pair; every `fine`-th of those that overlap is searched down to 1e-6, the others to 0.02. Along a ridge,
 * where discs are nearly equal, that is too many squares: then to 1e-4, and most poses must be others. Apart, the gap
 * is what the field is at the contact's point, so the outlines are no farther apart than it says; and every fifth, if
 * bent, is compared with points all along A. */
static void compare_poses(subject *s, uint64_t seed, int count, int fine, bool straight)
{
    int overlaps = 0, apart = 0, searched = 0, ridges = 0;
    for (int i = 0; i < count; i++) {
        pose q = random_pose(s->pair, seed, (uint64_t)i);
        ts_exact_contact c = at(s, q.x, q.y, q.angle);
        if (c.gap >= 0 && straight)
            NEAR(c.gap, plain_gap(s->pair, &q), 1e-12);
        NEAR(2 * plain_field(s->pair, &q, c.point[0], c.point[1]), c.gap, 1e-10);
        if (c.gap >= 0) {
            assert_false(is_deeper(s, &q, 0, 0.02, LONG_MAX));
            if (!straight && apart++ % 5 == 0)
                assert_true(c.gap <= gap_at_most(s->pair, &q) + 1e-10);
            continue;
        }
        assert_false(is_deeper(s, &q, c.gap, 0.02, LONG_MAX));
        if (overlaps++ % fine != 0)
            continue;
        searched++;
        assert_false(is_deeper(s, &q, c.gap, 1e-6, SQUARES));
        if (squares < 0) {
            ridges++;
            assert_false(is_deeper(s, &q, c.gap, 1e-4, LONG_MAX));
        }
    }
    assert_true(ridges <= 0.5 * searched + 1);
    drop(s);
}

/* 7 pairs of stars: 35,000 poses, 100,000 where time is no matter. Sanitizers make everything some ten times slower, so
 * that build looks at fewer. */
static int poses_each(void)
{
    const char *sanitize = getenv("TS_SANITIZE");
    return sanitize && sanitize[0] ? 1500 : getenv("TOUCHSTONE_SLOW_TESTS") ? 14300 : 5000;
}

static void stars_are_searched(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 4; k++) {
        subject s = make(star(2 * k + 1, 7 + k, k % 2 == 1, 0), star(2 * k + 2, 9 - k, k >= 2, 0));
        compare_poses(&s, k, poses_each(), 5, true);
    }
}

static void bent_stars_are_searched(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 3; k++) {
        subject s = make(star(2 * k + 21, 6 + k, k == 1, 0.8), star(2 * k + 22, 8 - k, k == 2, 0.8));
        compare_poses(&s, 10 + k, poses_each(), 5, false);
    }
}

/* Ever flatter arcs become lines: no edge is longer than 2, so no point of it is farther off than the bulge. */
static void flat_arcs_are_nearly_lines(void **state)
{
    (void)state;
    subject lines = make(star(61, 8, false, 0), star(62, 7, true, 0));
    for (double bend = 1e-2; bend > 1e-13; bend *= 0.1) {
        subject s = make(star(61, 8, false, bend), star(62, 7, true, bend));
        for (uint64_t i = 0; i < 100; i++) {
            pose q = random_pose(s.pair, 30, i);
            double unit = s.pair->unit, was = gap_of(&lines, q.x * unit, q.y * unit, q.angle);
            NEAR(gap_of(&s, q.x * unit, q.y * unit, q.angle), was, 6 * bend + 1e-10);
        }
        drop(&s);
    }
    drop(&lines);
}

/* Strokes of constant width: all along them discs are nearly equal, so the search is not so fine. */
static void strokes_are_searched(void **state)
{
    (void)state;
    const form pair[5][2] = {{HASH, HASH}, {ZED, HASH}, {BENT, HASH}, {RING, BENT}, {ROTOR, ZED}};
    for (int k = 0; k < 5; k++) {
        subject s = make(form_make(pair[k][0], 1), form_make(pair[k][1], 0.9));
        compare_poses(&s, 20 + (uint64_t)k, 500, 1 << 30, false);
    }
}

/* A ball of 319° and a socket of 244°, as a chain's links have: most of both arcs, and each around the other. */
static ts_outline *link(double size)
{
    const ts_vertex vertex[8] = {{-0.164274972, -0.26289491, 0.514756154}, {0.301993377, -0.07, 0},
                                 {0.61265006, -0.07, 5.533570571},         {0.61265006, 0.07, 0},
                                 {0.301993377, 0.07, 0.514756154},         {-0.164274972, 0.26289491, 0},
                                 {-0.111283045, 0.1780901, -1.804047755},  {-0.111283045, -0.1780901, 0}};
    ts_outline *o, *placed;
    OK(ts_outline_create(&(ts_contour){vertex, 8, false}, 1, TS_RULE_NONZERO, &o, ERROR));
    OK(ts_outline_place(o, size, 0.3, (double[2]){0, 0}, &placed, ERROR));
    ts_outline_free(o);
    return placed;
}

static void joints_are_searched(void **state)
{
    (void)state;
    subject s = make(link(1), link(1));
    compare_poses(&s, 40, 1000, 1 << 30, false);
    s = make(link(1), form_make(RING, 0.3));
    compare_poses(&s, 41, 500, 1 << 30, false);
}

/* ---- Closed forms ---- */

/* A face on a face touches in the middle of what they share: apart, overlapping, and just touching. */
static void faces_touch_in_the_middle(void **state)
{
    (void)state;
    subject s = make(box(2, 2, 0), box(2, 2, 0));
    const double unit = s.pair->unit;
    const double apart[] = {0.3, 1e-6, 0, -1e-6, -0.1}, aside[] = {0, 0.5, -1.2};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            ts_exact_contact c = at(&s, (2 + apart[i]) / unit, aside[k] / unit, 0);
            NEAR(c.gap * unit, apart[i], 1e-12);
            NEAR(c.gradient[0], 1, 1e-6);
            NEAR(c.gradient[1], 0, 1e-6);
            NEAR(c.point[1] * unit, 0.5 * aside[k], 1e-6);
            NEAR(c.gradient[2] * unit, 0.5 * aside[k], 1e-6); /* (m - x_B) × n */
        }
    drop(&s);
}

static void discs(void **state)
{
    (void)state;
    subject s = make(disc(1), disc(0.4));
    for (int i = 0; i <= 60; i++) {
        double d = 0.025 * i, angle = 0.3 * i;
        NEAR(gap_of(&s, d * cos(angle), d * sin(angle), 0.7 * i), fmax(d - 1.4, -0.8), 1e-13);
    }
    drop(&s);
}

/* A regular polygon on a wide box: faces flat, or a corner of half angle α pressed in by `depth`. */
static void corners_and_faces_press_in(void **state)
{
    (void)state;
    for (int sides = 3; sides <= 8; sides++) {
        ts_outline *o;
        OK(ts_outline_regular((size_t)sides, 0.1, &o, ERROR));
        subject s = make(box(1.8, 0.8, 0), o);
        double alpha = TS_PI / 2 - TS_PI / sides, share = 2 * sin(alpha) / (1 + sin(alpha));
        double apothem = 0.1 * cos(TS_PI / sides);
        for (double depth = 1e-9; depth < 0.05; depth *= 9) {
            NEAR(gap_of(&s, 0.13, 0.4 + 0.1 - depth, -TS_PI / 2), -share * depth, 1e-14);
            NEAR(gap_of(&s, -0.21, -0.4 - apothem + depth, TS_PI / 2 - TS_PI / sides), -depth, 1e-14);
        }
        NEAR(gap_of(&s, 0.13, 0.4 + 0.1 + 0.01, -TS_PI / 2), 0.01, 1e-14);
        drop(&s);
    }
}

static void boxes_overlap_in_boxes(void **state)
{
    (void)state;
    subject s = make(box(1, 0.6, 0), box(0.5, 0.8, 0));
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++) {
            double x = 0.02 * i + 0.001, y = 0.02 * j + 0.0013; /* wide and high: how far both reach into each other */
            double wide = fmin(fmin(0.75 - x, 0.5), 1), high = fmin(fmin(0.7 - y, 0.8), 0.6);
            double expected = wide > 0 && high > 0   ? -fmin(wide, high)
                              : wide < 0 && high < 0 ? hypot(wide, high)
                                                     : -fmin(wide, high);
            NEAR(gap_of(&s, x, y, 0), expected, 1e-13);
            NEAR(gap_of(&s, -x, y, TS_PI), expected, 1e-13);
        }
    drop(&s);
}

static void disc_and_ring(void **state)
{
    (void)state;
    subject s = make(ring(1, 0.6), disc(0.15));
    for (int i = 0; i <= 60; i++) {
        double d = 0.02 * i;
        double expected = d < 0.8 ? fmax(0.45 - d, -0.3) : fmax(d - 1.15, -0.3);
        NEAR(gap_of(&s, d * cos(i), d * sin(i), i), expected, 1e-13);
    }
    drop(&s);
}

/* ---- Poses in which edges lie on each other ---- */

static void outlines_on_themselves(void **state)
{
    (void)state;
    const double depth[6] = {2, 0.4, 0.5, 2 * 1.4142135623730951 * 0.12, 2 * cos(TS_PI / 64), 2 * cos(TS_PI / 300)};
    for (int k = 0; k < 6; k++) {
        ts_outline *o;
        if (k >= 4)
            OK(ts_outline_regular(k == 4 ? 64 : 300, 1, &o, ERROR));
        else
            o = k == 0 ? disc(1) : k == 1 ? ring(1, 0.6) : k == 2 ? box(0.9, 0.5, 0.1) : form_hash();
        subject s = make(o, o);
        for (int turn = 0; turn < 4; turn++)
            if (k != 2 || turn % 2 == 0) {
                double angle = turn * TS_PI / 2;
                NEAR(gap_of(&s, 0, 0, angle), -depth[k], 1e-12);
                NEAR(gap_of(&s, 1e-13, -1e-13, angle + 1e-13), -depth[k], 2e-12);
            }
        drop(&s);
    }
}

static void shared_edges(void **state)
{
    (void)state;
    subject s = make(box(1, 1, 0), box(1, 1, 0));
    for (int i = -40; i <= 40; i++) {
        double x = 0.025 * i;
        NEAR(gap_of(&s, x, 0, 0), -(1 - fabs(x)), 1e-12);                /* edges in one line */
        NEAR(gap_of(&s, x, 1, 0), 0, 1e-12);                             /* face to face, down to corner to corner */
        NEAR(gap_of(&s, 0.3 * x, 0.5 + sqrt(0.5), TS_PI / 4), 0, 1e-12); /* a corner on a face */
        NEAR(gap_of(&s, x, 1 + 1e-13, 0), 0, 1e-12);
        NEAR(gap_of(&s, x + 1e-13, 1 - 1e-13, 1e-13), 0, 1e-12);
        ts_exact_contact c = at(&s, x / s.pair->unit, 1 / s.pair->unit, 0);
        assert_true(isfinite(c.arm) && isfinite(c.gradient[2]));
        NEAR(hypot(c.gradient[0], c.gradient[1]), 1, 1e-9);
    }
    drop(&s);
}

static void two_pieces(void **state)
{
    (void)state;
    ts_vertex v[2][4];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 4; i++)
            v[k][i] = (ts_vertex){(k ? 0.6 : -0.6) + (i == 0 || i == 3 ? -0.2 : 0.2), i < 2 ? -0.2 : 0.2, 0};
    ts_outline *o;
    OK(ts_outline_create((ts_contour[2]){{v[0], 4, false}, {v[1], 4, false}}, 2, TS_RULE_NONZERO, &o, ERROR));
    subject s = make(o, box(1.4, 0.3, 0));
    NEAR(gap_of(&s, 0, 0, 0), -0.3, 1e-13);            /* both are covered by 0.3 */
    NEAR(gap_of(&s, 0.05, 0, 0), -0.3, 1e-13);         /* right: 0.35; left: 0.25 */
    NEAR(gap_of(&s, 0, 0.25, 0), -0.1, 1e-13);         /* from above */
    NEAR(gap_of(&s, 0.01, 0, TS_PI / 2), 0.24, 1e-13); /* between them */
    drop(&s);
}

/* ---- Gradients ---- */

static void gradients_are_slopes(void **state)
{
    (void)state;
    int kinks = 0, none = 0, count = 2000;
    for (int k = 0; k < 2; k++) {
        subject s =
            k == 0 ? make(form_make(HASH, 1), form_make(BENT, 0.8)) : make(star(31, 8, true, 0.5), form_make(ZED, 0.6));
        for (int i = 0; i < count / 2; i++) {
            pose q = random_pose(s.pair, 40 + (uint64_t)k, (uint64_t)i);
            ts_exact_contact c = at(&s, q.x, q.y, q.angle);
            const double h = 1e-6;
            bool kink = false;
            double slope[3];
            for (int j = 0; j < 3; j++) {
                double up = at(&s, q.x + (j == 0) * h, q.y + (j == 1) * h, q.angle + (j == 2) * h).gap;
                double down = at(&s, q.x - (j == 0) * h, q.y - (j == 1) * h, q.angle - (j == 2) * h).gap;
                slope[j] = (up - down) / (2 * h);
                kink |= fabs(up + down - 2 * c.gap) > 1e-9;
            }
            kinks += kink;
            for (int j = 0; j < 3 && !kink; j++)
                NEAR(c.gradient[j], slope[j], 1e-4);
            ts_vec2 g = {c.gradient[0], c.gradient[1]}, m = {c.point[0], c.point[1]};
            assert_true(ts_vec2_length(g) <= 1 + 1e-12);
            NEAR(c.gradient[2], ts_vec2_cross(ts_vec2_sub(m, (ts_vec2){q.x, q.y}), g), 1e-13);
            NEAR(c.arm, ts_vec2_dot(m, ts_vec2_unit(g)), 1e-13);
            none += g.x == 0 && g.y == 0;
        }
        drop(&s);
    }
    assert_true(kinks < count / 50);
    assert_true(none > 10); /* a stroke's disc, which nothing moves */
}

/* ---- Invariance ---- */

static void either_may_be_first(void **state)
{
    (void)state;
    ts_outline *a[2], *b[2];
    for (int k = 0; k < 2; k++) {
        a[k] = form_make(HASH, 1);
        b[k] = star(5, 9, true, 0.6);
    }
    subject s = make(a[0], b[0]), t = make(b[1], a[1]);
    for (uint64_t i = 0; i < 500; i++) {
        pose q = random_pose(s.pair, 50, i);
        double c = cos(q.angle), n = sin(q.angle);
        NEAR(at(&s, q.x, q.y, q.angle).gap, at(&t, -c * q.x - n * q.y, n * q.x - c * q.y, -q.angle).gap, 1e-12);
    }
    drop(&s);
    drop(&t);
}

static void a_turn_by_symmetry_changes_nothing(void **state)
{
    (void)state;
    subject s = make(form_hash(), star(6, 8, false, 0.3));
    for (uint64_t i = 0; i < 500; i++) {
        pose q = random_pose(s.pair, 60, i);
        double gap = at(&s, q.x, q.y, q.angle).gap;
        NEAR(at(&s, -q.y, q.x, q.angle + TS_PI / 2).gap, gap, 1e-12);
        NEAR(at(&s, -q.x, -q.y, q.angle + TS_PI).gap, gap, 1e-12);
    }
    drop(&s);
}

/* Slope 1 in place and at most the reach in angle: a shift of rounding's size moves nothing more. */
static void nothing_jumps(void **state)
{
    (void)state;
    subject s = make(form_make(BENT, 1), form_make(HASH, 1));
    for (uint64_t i = 0; i < 1000; i++) {
        pose q = random_pose(s.pair, 70, i);
        double gap = at(&s, q.x, q.y, q.angle).gap;
        NEAR(at(&s, q.x + 1e-13, q.y, q.angle - 1e-13).gap, gap, 1e-12);
        NEAR(at(&s, q.x, q.y - 1e-4, q.angle).gap, gap, 1.0001e-4);
    }
    drop(&s);
}

/* Beyond the band only the side is known; within it nothing changes. */
static void a_band_only_saves_work(void **state)
{
    (void)state;
    subject s = make(form_make(HASH, 1), form_make(ZED, 1));
    const double band = 0.05;
    for (uint64_t i = 0; i < 500; i++) {
        pose q = random_pose(s.pair, 80, i);
        double gap = at(&s, q.x, q.y, q.angle).gap, banded = ts_exact_at(s.exact, q.x, q.y, q.angle, band).gap;
        if (fabs(gap) <= band)
            assert_true(banded == gap);
        else
            assert_true(gap > 0 ? banded > band && banded <= gap : banded <= -band + 1e-12 && banded >= gap - 1e-12);
    }
    drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars_are_searched),
        cmocka_unit_test(bent_stars_are_searched),
        cmocka_unit_test(flat_arcs_are_nearly_lines),
        cmocka_unit_test(strokes_are_searched),
        cmocka_unit_test(joints_are_searched),
        cmocka_unit_test(faces_touch_in_the_middle),
        cmocka_unit_test(discs),
        cmocka_unit_test(corners_and_faces_press_in),
        cmocka_unit_test(boxes_overlap_in_boxes),
        cmocka_unit_test(disc_and_ring),
        cmocka_unit_test(outlines_on_themselves),
        cmocka_unit_test(shared_edges),
        cmocka_unit_test(two_pieces),
        cmocka_unit_test(gradients_are_slopes),
        cmocka_unit_test(either_may_be_first),
        cmocka_unit_test(a_turn_by_symmetry_changes_nothing),
        cmocka_unit_test(nothing_jumps),
        cmocka_unit_test(a_band_only_saves_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
