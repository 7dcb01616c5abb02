/* SPDX-License-Identifier: MIT */
/* Signed distance against every edge in turn in long double, with another formula, and the side against the winding
 * number. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "shape/distance_kernel.h"
#include "support/check.h"
#include "support/isa.h"

/* The reference is long double throughout, made of doubles: clang would warn of every one. */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

TS_TEST_TABLES(ts_distance_kernels, ts_distance);

#define EDGES_MAX  4096
#define POINTS_MAX 6000
#define PI_L       3.14159265358979323846264338327950288L

typedef long double real;

/* An outline under test. */
typedef struct shape {
    ts_segment edge[EDGES_MAX];
    size_t count;
    bool open;     /* only the size of a distance means something */
    double radius; /* of a circle about the origin that holds it, about */
} shape;

static shape S;
static double X[POINTS_MAX], Y[POINTS_MAX];
static size_t P;

/* ---- Reference ---- */

/* The point at `t` of the edge. An arc's chords from its begin have length c sin(θ/2) / sin(sweep/2) and turn evenly:
 * that needs no centre, which is far away for an arc that is nearly straight. */
static void point_at(const ts_segment *s, real t, real *x, real *y)
{
    real dx = (real)s->x1 - s->x0, dy = (real)s->y1 - s->y0, sweep = 4 * atanl(s->bulge);
    real ratio = s->bulge == 0 ? t : sinl(t * sweep / 2) / sinl(sweep / 2), turn = (t - 1) * sweep / 2;
    *x = s->x0 + ratio * (cosl(turn) * dx - sinl(turn) * dy);
    *y = s->y0 + ratio * (sinl(turn) * dx + cosl(turn) * dy);
}

static real square_at(const ts_segment *s, real t, real px, real py)
{
    real x, y;
    point_at(s, t, &x, &y);
    return (x - px) * (x - px) + (y - py) * (y - py);
}

/* By searching along the edge. Only for arcs that are nearly straight: there is one minimum. */
static real searched(const ts_segment *s, real px, real py)
{
    const real golden = 0.6180339887498948482L;
    real a = 0, b = 1, u = b - golden * (b - a), v = a + golden * (b - a);
    real fu = square_at(s, u, px, py), fv = square_at(s, v, px, py);
    for (int i = 0; i < 80; i++)
        if (fu < fv) {
            b = v, v = u, fv = fu;
            u = b - golden * (b - a), fu = square_at(s, u, px, py);
        } else {
            a = u, u = v, fu = fv;
            v = a + golden * (b - a), fv = square_at(s, v, px, py);
        }
    return sqrtl(fminl(fminl(fu, fv), fminl(square_at(s, 0, px, py), square_at(s, 1, px, py))));
}

/* Centre and radius of an arc, as the header of shape.h says. */
static void circle_of(const ts_segment *s, real *cx, real *cy, real *r)
{
    real dx = (real)s->x1 - s->x0, dy = (real)s->y1 - s->y0, b = s->bulge, c = sqrtl(dx * dx + dy * dy);
    *r = c * (1 + b * b) / (4 * fabsl(b));
    real k = (1 - b * b) / (4 * b);
    *cx = ((real)s->x0 + s->x1) / 2 - k * dy;
    *cy = ((real)s->y0 + s->y1) / 2 + k * dx;
}

static real reference_edge(const ts_segment *s, real px, real py)
{
    real dx = (real)s->x1 - s->x0, dy = (real)s->y1 - s->y0;
    real d0 = hypotl(px - s->x0, py - s->y0), d1 = hypotl(px - s->x1, py - s->y1), ends = fminl(d0, d1);
    if (dx == 0 && dy == 0)
        return ends;
    if (s->bulge == 0) {
        real t = ((px - s->x0) * dx + (py - s->y0) * dy) / (dx * dx + dy * dy);
        return t <= 0 || t >= 1 ? ends : hypotl(px - s->x0 - t * dx, py - s->y0 - t * dy);
    }
    if (fabs(s->bulge) < 1e-4)
        return searched(s, px, py);
    real cx, cy, r;
    circle_of(s, &cx, &cy, &r);
    /* the angle from the begin to p, in the direction of travel */
    real sweep = 4 * atanl(s->bulge), turn = atan2l(py - cy, px - cx) - atan2l(s->y0 - cy, s->x0 - cx);
    turn = s->bulge > 0 ? turn : -turn;
    turn -= 2 * PI_L * floorl(turn / (2 * PI_L));
    return turn <= fabsl(sweep) ? fabsl(hypotl(px - cx, py - cy) - r) : ends;
}

static real reference(const shape *s, double x, double y)
{
    real best = HUGE_VAL;
    for (size_t i = 0; i < s->count; i++)
        best = fminl(best, reference_edge(&s->edge[i], x, y));
    return best;
}

/* How often the outline winds around p: angles under which chords are seen, and a whole turn where p lies between a
 * chord and its arc. */
static long winding(const shape *s, real px, real py)
{
    real sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        const ts_segment *e = &s->edge[i];
        real ax = e->x0 - px, ay = e->y0 - py, bx = e->x1 - px, by = e->y1 - py, side = ax * by - ay * bx;
        sum += atan2l(side + 0, ax * bx + ay * by);                  /* + 0: who is on the chord counts as left of it */
        if (fabs(e->bulge) < 1e-10 || (e->bulge > 0) == (side >= 0)) /* nobody is between a line and its chord */
            continue;
        real cx, cy, r;
        circle_of(e, &cx, &cy, &r);
        if (hypotl(px - cx, py - cy) < r)
            sum += e->bulge > 0 ? 2 * PI_L : -2 * PI_L;
    }
    return lroundl(sum / (2 * PI_L));
}

/* ---- Shapes ---- */

static void begin_shape(void)
{
    S.count = 0;
    S.open = false;
    S.radius = 1;
}

static void add_contour(const ts_vertex *v, size_t n, bool closed)
{
    for (size_t i = 0; i + 1 < n + closed; i++) {
        assert_true(S.count < EDGES_MAX);
        S.edge[S.count++] = ts_segment_between(&v[i], &v[(i + 1) % n]);
    }
}

/* Vertices around (x, y) at random radii in [inner, outer], bulges within ±bulge; clockwise for a hole. */
static void add_star(size_t n, double x, double y, double inner, double outer, double bulge, bool hole, uint64_t seed)
{
    ts_vertex *v = calloc(n, sizeof *v);
    assert_non_null(v);
    for (size_t i = 0; i < n; i++) {
        size_t k = hole ? n - 1 - i : i;
        double a = 2 * (double)PI_L * (double)k / (double)n, r = ts_random_range(seed, 1, k, inner, outer);
        v[i] = (ts_vertex){x + r * cos(a), y + r * sin(a), ts_random_range(seed, 2, k, -bulge, bulge)};
    }
    add_contour(v, n, true);
    free(v);
}

static void add_disc(double x, double y, double r, int pieces, bool hole)
{
    ts_vertex v[16];
    for (int i = 0; i < pieces; i++) {
        double a = (hole ? -1 : 1) * 2 * (double)PI_L * i / pieces;
        v[i] = (ts_vertex){x + r * cos(a), y + r * sin(a), (hole ? -1 : 1) * tan((double)PI_L / (2 * pieces))};
    }
    add_contour(v, (size_t)pieces, true);
}

/* Scales and shifts everything, so that `radius` still holds it about the origin. */
static void place_shape(double scale, double x, double y)
{
    for (size_t i = 0; i < S.count; i++) {
        ts_segment *e = &S.edge[i];
        *e = (ts_segment){scale * (e->x0 + x), scale * (e->y0 + y), scale * (e->x1 + x), scale * (e->y1 + y), e->bulge};
    }
    S.radius = scale * (S.radius + hypot(x, y));
}

/* ---- Points ---- */

static void add_point(double x, double y)
{
    if (P < POINTS_MAX) {
        X[P] = x;
        Y[P] = y;
        P++;
    }
}

static void add_random(size_t n, double reach, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        add_point(ts_random_range(seed, 3, i, -reach, reach), ts_random_range(seed, 4, i, -reach, reach));
}

/* A lattice that meets the lines of shapes with simple coordinates. */
static void add_lattice(int n, double step)
{
    for (int i = -n; i <= n; i++)
        for (int j = -n; j <= n; j++)
            add_point(i * step, j * step);
}

/* Vertices, points of edges, points straight above and below both, and centres of arcs. */
static void add_special(void)
{
    for (size_t i = 0; i < S.count; i += 1 + S.count / 40) {
        const ts_segment *e = &S.edge[i];
        for (int k = 0; k < 4; k++) {
            real x, y, u, v;
            point_at(e, k / 4.0L, &x, &y);
            point_at(e, k / 4.0L + 1e-9L, &u, &v);
            real tx = u - x, ty = v - y, size = hypotl(tx, ty), off = 0.03L * S.radius * (k + 1);
            add_point((double)x, (double)y);
            if (!(size > 0))
                continue;
            add_point((double)(x + off * ty / size), (double)(y - off * tx / size));
            add_point((double)(x - off * ty / size), (double)(y + off * tx / size));
        }
        if (fabs(e->bulge) > 1e-3) {
            real cx, cy, r;
            circle_of(e, &cx, &cy, &r);
            add_point((double)cx, (double)cy);
        }
    }
}

/* Points on the lines between cells and at their corners, and just beside. */
static void add_cell_borders(const ts_distance *d)
{
    for (int i = 0; i < 100 && d->side > 0; i++) {
        uint64_t a = ts_random_below(7, 1, (uint64_t)i, (uint64_t)d->side + 1);
        uint64_t b = ts_random_below(7, 2, (uint64_t)i, (uint64_t)d->side + 1);
        double x = (d->origin[0] + (double)a / d->per_length) * d->unscale;
        double y = (d->origin[1] + (double)b / d->per_length) * d->unscale;
        add_point(x, y);
        add_point(nextafter(x, -HUGE_VAL), nextafter(y, HUGE_VAL));
    }
}

/* ---- The comparison ---- */

/* Checks all points; returns the largest error as a share of radius + |p|. */
static double check(const char *name, double tolerance)
{
    static double out[POINTS_MAX], cx[POINTS_MAX], cy[POINTS_MAX];
    static int32_t which[POINTS_MAX];
    ts_distance *d;
    OK(ts_distance_create(S.edge, S.count, &d, ERROR));
    add_cell_borders(d);
    ts_distance_query(d, P, X, Y, out, cx, cy, which);
    double worst = 0;
    for (size_t i = 0; i < P; i++) {
        real want = reference(&S, X[i], Y[i]);
        double unit = S.radius + hypot(X[i], Y[i]), error = (double)fabsl(fabs(out[i]) - want) / unit;
        if (!(error <= tolerance))
            fail_msg("%s: distance of (%.17g, %.17g) is %.17g, not %.17g: off by %g", name, X[i], Y[i], out[i],
                     (double)want, error);
        worst = fmax(worst, error);
        /* the nearest point lies where it is said to lie, and at that distance */
        assert_in_range(which[i], 0, S.count - 1);
        double on = (double)reference_edge(&S.edge[which[i]], cx[i], cy[i]) / unit;
        double away = fabs(hypot(cx[i] - X[i], cy[i] - Y[i]) - fabs(out[i])) / unit;
        if (!(on <= 2 * tolerance) || !(away <= 2 * tolerance))
            fail_msg("%s: nearest point (%.17g, %.17g) of (%.17g, %.17g) is off edge %d by %g, off by %g in distance",
                     name, cx[i], cy[i], X[i], Y[i], which[i], on, away);
        if (S.open || fabs(out[i]) <= 1e-9 * S.radius)
            continue;
        long turns = winding(&S, X[i], Y[i]);
        if ((turns != 0) != (out[i] < 0))
            fail_msg("%s: (%.17g, %.17g) has winding number %ld and distance %.17g", name, X[i], Y[i], turns, out[i]);
    }
    ts_distance_free(d);
    P = 0;
    return worst;
}

static void check_usual(const char *name, uint64_t seed)
{
    P = 0;
    add_random(300, 2 * S.radius, seed);
    add_random(80, 6 * S.radius, seed + 1);
    add_random(30, 1e6 * S.radius, seed + 2);
    add_lattice(6, 0.1875 * S.radius);
    add_special();
    check(name, 4e-15);
}

/* ---- Tests ---- */

static void polygons(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 8; i++) {
        static const size_t count[] = {3, 4, 7, 15, 16, 17, 40, 130};
        begin_shape();
        add_star(count[i], 0, 0, i % 2 ? 0.4 : 1, 1, 0, false, i);
        check_usual("polygon", i);
    }
}

static void outlines_with_arcs(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 6; i++) {
        static const size_t count[] = {3, 5, 12, 18, 33, 90};
        begin_shape();
        add_star(count[i], 0, 0, 0.85, 1, 0.1, false, i);
        for (size_t k = 0; k < S.count; k += 3) /* some lines among them */
            S.edge[k].bulge = 0;
        check_usual("arcs", i);
    }
}

static void holes_and_pieces(void **state)
{
    (void)state;
    begin_shape();
    add_disc(0, 0, 1, 2, false);
    add_star(9, 0.1, 0.1, 0.3, 0.6, 0, true, 3);
    add_disc(0.1, 0.1, 0.2, 3, false); /* an island in the hole */
    check_usual("disc with a hole", 1);
    begin_shape();
    add_disc(0, 0.6, 0.2, 2, false);
    ts_vertex stem[] = {{-0.2, -1, 0}, {0.2, -1, 0}, {0.2, 0.1, 0}, {-0.2, 0.1, 0}};
    add_contour(stem, 4, true);
    check_usual("the letter i", 2);
    begin_shape();
    add_disc(0, 0, 1, 4, false);
    add_disc(0, 0, 0.5, 2, true);
    check_usual("ring", 3);
}

static void letters(void **state)
{
    (void)state;
    /* points of a lattice are often as far from one edge as from another */
    begin_shape();
    ts_vertex e[] = {{-0.5, -0.75, 0},   {0.5, -0.75, 0},   {0.5, -0.5, 0},   {-0.25, -0.5, 0},
                     {-0.25, -0.125, 0}, {0.25, -0.125, 0}, {0.25, 0.125, 0}, {-0.25, 0.125, 0},
                     {-0.25, 0.5, 0},    {0.5, 0.5, 0},     {0.5, 0.75, 0},   {-0.5, 0.75, 0}};
    add_contour(e, 12, true);
    P = 0;
    add_lattice(32, 0.0625);
    check("E", 4e-15);
    check_usual("E", 1);
    /* a box with round corners: tangents are continuous */
    begin_shape();
    double q = tan((double)PI_L / 8);
    ts_vertex box[] = {{-0.5, -0.75, 0}, {0.5, -0.75, q}, {0.75, -0.5, 0}, {0.75, 0.5, q},
                       {0.5, 0.75, 0},   {-0.5, 0.75, q}, {-0.75, 0.5, 0}, {-0.75, -0.5, q}};
    add_contour(box, 8, true);
    P = 0;
    add_lattice(32, 0.0625);
    check("round box", 4e-15);
    check_usual("round box", 2);
}

static void large_sweeps(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        static const double sweep[] = {3.2, 4.5, 5.8, 6.2, 6.28};
        begin_shape();
        double a = ((double)(2 * PI_L) - sweep[i]) / 2;
        ts_vertex mouth[] = {{cos(a), sin(a), tan(sweep[i] / 4)}, {cos(a), -sin(a), 0}, {0, 0, 0}};
        if (i % 2 == 0) { /* the arc and its chord */
            add_contour(mouth, 2, true);
        } else {
            add_contour(mouth, 3, true);
        }
        check_usual("large sweep", (uint64_t)i);
    }
}

static void nearly_straight(void **state)
{
    (void)state;
    static const double bulge[] = {1e-3, 1e-5, -1e-7, 1e-9, -1e-11, 1e-13, 1e-16, -1e-300};
    double worst = 0;
    for (size_t i = 0; i < sizeof bulge / sizeof *bulge; i++) {
        begin_shape();
        add_star(5 + i, 0, 0, 0.6, 1, 0, false, i);
        for (size_t k = 0; k < S.count; k++)
            S.edge[k].bulge = bulge[i];
        P = 0;
        add_random(60, 2, i);
        add_random(10, 100, i + 1);
        add_special();
        worst = fmax(worst, check("nearly straight", 4e-15));
    }
    assert_true(worst > 0);
}

static void pinched(void **state)
{
    (void)state;
    /* two triangles that share a vertex, and two squares of a chess board */
    begin_shape();
    ts_vertex left[] = {{0, 0, 0}, {-1, 0.5, 0}, {-1, -0.25, 0}}, right[] = {{0, 0, 0}, {1, -0.5, 0}, {1, 0.25, 0}};
    add_contour(left, 3, true);
    add_contour(right, 3, true);
    P = 0;
    add_lattice(35, 0.0625);
    check("bow tie", 4e-15);
    check_usual("bow tie", 1);
    begin_shape();
    ts_vertex a[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
              b[] = {{0, 0, 0}, {-1, 0, 0}, {-1, -1, 0}, {0, -1, 0}};
    add_contour(a, 4, true);
    add_contour(b, 4, true);
    P = 0;
    add_lattice(35, 0.0625);
    check("squares", 4e-15);
    /* two discs that touch in a vertex of both: there the directions of all four arcs are the same, up to sign */
    begin_shape();
    ts_vertex one[] = {{0, 0, 1}, {-1, 0, 1}}, two[] = {{0, 0, 1}, {1, 0, 1}};
    add_contour(one, 2, true);
    add_contour(two, 2, true);
    P = 0;
    add_lattice(35, 0.0625);
    for (int i = 0; i < 400; i++) /* near the line through both centres */
        add_point(0.0025 * (i - 200) + 0.001, pow(10, -1 - 15 * ts_random_uniform(5, 5, (uint64_t)i)));
    check("touching discs", 4e-15);
    check_usual("touching discs", 3);
}

static void spikes(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        double width = pow(10, -2 * i);
        begin_shape();
        ts_vertex thin[] = {{-1, 0, 0}, {1, -0.5 * width, 0}, {1, 0.5 * width, 0}};
        add_contour(thin, 3, true);
        P = 0;
        add_random(300, 2, 9);
        add_lattice(20, 0.125);
        check("spike", 4e-15);
    }
    /* a cusp of two arcs, pointing out of the shape, and one into it */
    begin_shape();
    double q = tan((double)PI_L / 8);
    ts_vertex cusp[] = {{0, 0, -q}, {1, -1, 0}, {1, 1, -q}};
    add_contour(cusp, 3, true);
    check_usual("cusp", 1);
    begin_shape();
    ts_vertex bite[] = {{0, 0, q}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, q}};
    add_contour(bite, 5, true);
    check_usual("bite", 2);
}

static void many_edges(void **state)
{
    (void)state;
    begin_shape();
    add_star(1000, 0, 0, 1, 1, 0, false, 1);
    P = 0;
    add_random(400, 2, 1);
    add_random(100, 0.01, 2);
    add_random(100, 10, 3);
    add_special();
    check("polygon of 1000", 4e-15);
    begin_shape();
    add_star(900, 0, 0, 0.99, 1, 0.2, false, 1);
    add_star(200, 0.1, 0, 0.4, 0.9, 0, true, 2);
    P = 0;
    add_random(400, 2, 1);
    add_random(40, 10, 3);
    add_special();
    check("two rough contours", 4e-15);
    begin_shape();
    ts_vertex comb[400];
    for (int i = 0; i < 100; i++) {
        double x = -1 + 0.02 * i;
        comb[4 * i] = (ts_vertex){x, -1, 0};
        comb[4 * i + 1] = (ts_vertex){x + 0.001, -1, 0};
        comb[4 * i + 2] = (ts_vertex){x + 0.001, i < 99 ? 0.9 : 1, 0};
        comb[4 * i + 3] = (ts_vertex){i < 99 ? x + 0.02 : -1, i < 99 ? 0.9 : 1, 0};
    }
    add_contour(comb, 400, true);
    P = 0;
    add_random(900, 1.5, 1);
    add_special();
    check("comb", 4e-15);
}

static void any_scale_and_place(void **state)
{
    (void)state;
    static const double scale[] = {1e-200, 1e-6, 1, 1e6, 1e200};
    for (size_t i = 0; i < 5; i++)
        for (int far = 0; far < 2; far++) {
            begin_shape();
            add_star(30, 0, 0, 0.85, 1, 0.1, false, 5);
            place_shape(scale[i], far ? 50 : 0, far ? -70 : 0);
            P = 0;
            for (size_t k = 0; k < 400; k++)
                add_point(scale[i] * (ts_random_range(1, 1, k, -2, 2) + 50 * far),
                          scale[i] * (ts_random_range(1, 2, k, -2, 2) - 70 * far));
            add_special();
            check("scaled", 4e-15);
        }
    /* powers of two change nothing at all */
    double x[64], y[64], a[64], b[64];
    ts_distance *d;
    begin_shape();
    add_star(50, 0, 0, 0.85, 1, 0.1, false, 5);
    for (int k = 0; k < 64; k++) {
        x[k] = ts_random_range(2, 1, (uint64_t)k, -3, 3);
        y[k] = ts_random_range(2, 2, (uint64_t)k, -3, 3);
    }
    OK(ts_distance_create(S.edge, S.count, &d, ERROR));
    ts_distance_query(d, 64, x, y, a, NULL, NULL, NULL);
    ts_distance_free(d);
    place_shape(0x1p-40, 0, 0);
    for (int k = 0; k < 64; k++) {
        x[k] *= 0x1p-40;
        y[k] *= 0x1p-40;
    }
    OK(ts_distance_create(S.edge, S.count, &d, ERROR));
    ts_distance_query(d, 64, x, y, b, NULL, NULL, NULL);
    ts_distance_free(d);
    for (int k = 0; k < 64; k++)
        assert_true(b[k] == a[k] * 0x1p-40);
}

static void open_curves(void **state)
{
    (void)state;
    begin_shape();
    S.open = true;
    ts_vertex bend[] = {{-1, 0, 0}, {0, 0.5, 0.7}, {0.5, 0.2, -2}, {1, 0, 0}};
    add_contour(bend, 4, false);
    check_usual("open curve", 1);
    begin_shape();
    S.open = true;
    ts_vertex dot[] = {{0.25, 0.5, 0}, {0.25, 0.5, 0}};
    add_contour(dot, 2, false);
    check_usual("a point", 2);
    begin_shape();
    S.open = true;
    ts_vertex wave[200];
    for (int i = 0; i < 200; i++)
        wave[i] = (ts_vertex){-1 + 0.01 * i, 0.2 * sin(0.1 * i), i % 2 ? 0.3 : 0};
    add_contour(wave, 200, false);
    check_usual("wave", 3);
}

static bool same_bits(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* Alone, in a batch that begins elsewhere, and with the kernels of every instruction set. */
static void same_bits_in_any_way(void **state)
{
    (void)state;
    enum { N = 1003 };
    static double first[3][N], other[3][N];
    static int32_t first_edge[N], other_edge[N];
    for (uint64_t form = 0; form < 6; form++) {
        begin_shape();
        add_star(form < 3 ? 9 : 120, 0, 0, 0.85, 1, (double)(form % 3) * 0.05, false, form);
        P = 0;
        add_lattice(4, 0.5);
        add_special();
        P = P < N / 2 ? P : N / 2;
        add_random(N - P, 3, form);
        X[N - 1] = 1e70;
        Y[N - 2] = -1e200;
        X[N - 3] = (double)NAN;
        ts_distance *d;
        OK(ts_distance_create(S.edge, S.count, &d, ERROR));
        for (int isa = 0; isa < ts_test_isa_count(); isa++) {
            d->kernel = ts_distance_table[isa];
            ts_distance_query(d, N, X, Y, isa ? other[0] : first[0], isa ? other[1] : first[1],
                              isa ? other[2] : first[2], isa ? other_edge : first_edge);
            if (isa == 0)
                continue;
            for (int k = 0; k < 3; k++)
                if (!same_bits(first[k], other[k], N))
                    fail_msg("%s differs from baseline", ts_cpu_level_name((ts_cpu)isa));
            assert_memory_equal(first_edge, other_edge, sizeof first_edge);
        }
        for (size_t i = 0; i < N; i++) {
            double a, x, y;
            int32_t e;
            ts_distance_query(d, 1, X + i, Y + i, &a, &x, &y, &e);
            assert_true(same_bits(&a, &first[0][i], 1) && same_bits(&x, &first[1][i], 1) &&
                        same_bits(&y, &first[2][i], 1) && e == first_edge[i]);
        }
        for (size_t begin = 0; begin < 70; begin += 7) {
            ts_distance_query(d, N - begin, X + begin, Y + begin, other[0], NULL, NULL, NULL);
            assert_true(same_bits(first[0] + begin, other[0], N - begin));
        }
        ts_distance_free(d);
    }
}

/* The kernels that fill the grid agree as well, so that its lists do. */
static void same_grid_on_any_instruction_set(void **state)
{
    (void)state;
    begin_shape();
    add_star(100, 0, 0, 0.85, 1, 0.1, false, 1);
    ts_distance *d;
    OK(ts_distance_create(S.edge, S.count, &d, ERROR));
    size_t cells = (size_t)d->side * (size_t)d->side;
    assert_true(cells > 0);
    ts_distance again = *d;
    for (int isa = 0; isa < ts_test_isa_count(); isa++) {
        again.kernel = ts_distance_table[isa];
        again.cell = NULL;
        again.run = NULL;
        OK(ts_distance_build_grid(&again, 0.9, ERROR));
        assert_int_equal(again.side, d->side);
        if (isa == 0) {
            ts_free(d->cell);
            ts_free(d->run);
            d->cell = again.cell;
            d->run = again.run;
            d->run_count = again.run_count;
            continue;
        }
        assert_int_equal(again.run_count, d->run_count);
        assert_memory_equal(again.cell, d->cell, cells * sizeof *d->cell);
        if (d->run_count > 0)
            assert_memory_equal(again.run, d->run, d->run_count * sizeof *d->run);
        ts_free(again.cell);
        ts_free(again.run);
    }
    ts_distance_free(d);
}

static void odd_points(void **state)
{
    (void)state;
    begin_shape();
    add_star(40, 0, 0, 0.85, 1, 0.1, false, 1);
    ts_distance *d;
    OK(ts_distance_create(S.edge, S.count, &d, ERROR));
    double x[] = {(double)NAN, HUGE_VAL, 0, -HUGE_VAL, 0.5, 1e300}, y[] = {0, 0, (double)NAN, HUGE_VAL, 0.25, -1e300};
    double out[6], cx[6], cy[6];
    int32_t edge[6];
    ts_distance_query(d, 6, x, y, out, cx, cy, edge);
    for (int i = 0; i < 4; i++) {
        assert_true(isnan(out[i]) && isnan(cx[i]) && isnan(cy[i]));
        assert_int_equal(edge[i], -1);
    }
    NEAR(fabs(out[4]), (double)reference(&S, 0.5, 0.25), 1e-15);
    NEAR(out[5] / 1e300, sqrt(2), 1e-14);
    assert_true(hypot(cx[5], cy[5]) < 1.2 && cx[5] > 0 && cy[5] < 0);
    ts_distance_query(d, 0, NULL, NULL, NULL, NULL, NULL, NULL);
    ts_distance_free(d);
    ts_distance_free(NULL);
}

static void memory_stays_small(void **state)
{
    (void)state;
    begin_shape();
    add_star(60, 0, 0, 0.8, 1, 0.1, false, 1);
    ts_distance *d;
    OK(ts_distance_create(S.edge, S.count, &d, ERROR));
    assert_true(ts_distance_bytes(d) < 200000);
    ts_distance_free(d);
    begin_shape();
    add_star(4000, 0, 0, 1, 1, 0, false, 1);
    OK(ts_distance_create(S.edge, S.count, &d, ERROR));
    assert_true(ts_distance_bytes(d) < 4000000);
    ts_distance_free(d);
    assert_int_equal(ts_distance_create(S.edge, 0, &d, ERROR), TS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons),
        cmocka_unit_test(outlines_with_arcs),
        cmocka_unit_test(holes_and_pieces),
        cmocka_unit_test(letters),
        cmocka_unit_test(large_sweeps),
        cmocka_unit_test(nearly_straight),
        cmocka_unit_test(pinched),
        cmocka_unit_test(spikes),
        cmocka_unit_test(many_edges),
        cmocka_unit_test(any_scale_and_place),
        cmocka_unit_test(open_curves),
        cmocka_unit_test(same_bits_in_any_way),
        cmocka_unit_test(same_grid_on_any_instruction_set),
        cmocka_unit_test(odd_points),
        cmocka_unit_test(memory_stays_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
