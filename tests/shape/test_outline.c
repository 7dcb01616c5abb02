/* SPDX-License-Identifier: MIT */
/* Mass properties of outlines against closed forms, strips, polygons and counted points; making, placing, flattening.
 * */
/* the reference is in long double on purpose */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "shape/outline.h"
#include "support/check.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static ts_outline *adopt(const ts_vertex *vertex, size_t count)
{
    ts_outline *o;
    OK(ts_outline_adopt(&(ts_contour){vertex, count, false}, 1, NULL, 0, &o, ERROR));
    return o;
}

/* Mass properties of an outline that is no longer needed. */
static ts_outline_mass mass_of(ts_outline *o)
{
    ts_outline_mass m = ts_outline_get_mass(o);
    ts_outline_free(o);
    return m;
}

static void discs_and_rings(void **state)
{
    (void)state;
    const double scale[] = {1, 0.013, 1e-30, 1e30};
    for (size_t i = 0; i < COUNT(scale); i++) {
        double r = scale[i];
        ts_outline *o;
        OK(ts_outline_disc(r, &o, ERROR));
        ts_outline_mass m = mass_of(o);
        NEAR(m.area / (TS_PI * r * r), 1, 1e-15);
        NEAR(m.inertia / (TS_PI * r * r * r * r / 2), 1, 1e-15);
        NEAR(m.radius / r, 1, 1e-15);
        NEAR(hypot(m.centre[0], m.centre[1]) / r, 0, 1e-16);
        OK(ts_outline_ring(r, 0.75 * r, &o, ERROR));
        m = mass_of(o);
        NEAR(m.area / (TS_PI * r * r), 1 - pow(0.75, 2), 1e-15);
        NEAR(m.inertia / (TS_PI * r * r * r * r / 2), 1 - pow(0.75, 4), 1e-15);
        NEAR(m.radius / r, 1, 1e-15);
    }
}

static void boxes(void **state)
{
    (void)state;
    const double size[][3] = {{3, 2, 0}, {3, 2, 0.3}, {3, 2, 1}, {2, 3, 1}, {2, 2, 1}, {1, 1, 0.5}, {100, 1, 0.01}};
    const size_t vertices[] = {4, 8, 6, 6, 4, 4, 8};
    for (size_t i = 0; i < COUNT(size); i++) {
        double w = size[i][0], h = size[i][1], c = size[i][2], x = w / 2 - c, y = h / 2 - c;
        ts_outline *o;
        OK(ts_outline_box(w, h, c, &o, ERROR));
        assert_int_equal(ts_outline_get_contour(o, 0).vertex_count, vertices[i]);
        ts_outline_mass m = mass_of(o);
        NEAR(m.area, w * h - (4 - TS_PI) * c * c, 1e-15 * w * h);
        /* each corner: a quarter disc stands where a square stood; both by Steiner */
        double square = c * c * c * c / 6 + c * c * (pow(x + c / 2, 2) + pow(y + c / 2, 2));
        double quarter = TS_PI * c * c * c * c / 8 + 2 * (x + y) * c * c * c / 3 + TS_PI * c * c / 4 * (x * x + y * y);
        double inertia = w * h * (w * w + h * h) / 12 - 4 * (square - quarter);
        NEAR(m.inertia, inertia, 1e-14 * inertia);
        NEAR(m.radius, hypot(x, y) + c, 1e-15 * w);
        NEAR(hypot(m.centre[0], m.centre[1]), 0, 1e-15 * w);
    }
}

static void regular_polygons(void **state)
{
    (void)state;
    for (size_t n = 3; n < 3000; n += 1 + n / 3) {
        double a = 2 * TS_PI / (double)n, r = 0.7;
        ts_outline *o;
        OK(ts_outline_regular(n, r, &o, ERROR));
        NEAR(ts_outline_get_contour(o, 0).vertex[0].x, r, 0);
        ts_outline_mass m = mass_of(o);
        NEAR(m.area, (double)n / 2 * r * r * sin(a), 1e-14);
        NEAR(m.inertia, (double)n / 12 * pow(r, 4) * sin(a) * (2 + cos(a)), 1e-14);
        NEAR(m.radius, r, 1e-15);
    }
}

/* A bar bent by `angle`: the part of a ring, and its caps as half discs, by Steiner. */
static void bent_bars(void **state)
{
    (void)state;
    for (double angle = 0.05; angle < 6.1; angle += 0.55)
        for (int round = 0; round < 2; round++) {
            double r = 2, t = 0.3, h = angle / 2, a = r - t / 2, b = r + t / 2, q = t / 2;
            double area = (b * b - a * a) * h, x = 2.0 / 3 * sin(h) * (b * b * b - a * a * a);
            double polar = (pow(b, 4) - pow(a, 4)) / 2 * h;
            if (round) {
                /* half disc at the end of the middle line; its centre of mass lies 4q/3π on, along the tangent */
                double cap = TS_PI * q * q / 2, on = 4 * q / (3 * TS_PI);
                double cx = r * cos(h) - on * sin(h), cy = r * sin(h) + on * cos(h);
                area += 2 * cap;
                x += 2 * cap * cx;
                polar += 2 * (TS_PI * pow(q, 4) / 4 - cap * on * on + cap * (cx * cx + cy * cy));
            }
            x /= area;
            ts_outline *o;
            OK(ts_outline_arc(r, t, angle, round, &o, ERROR));
            /* the farthest of many points of the boundary */
            ts_vec2 *point;
            size_t *begin;
            double reach = 0;
            OK(ts_outline_flatten(o, 1e-7, &point, &begin, ERROR));
            for (size_t i = 0; i < begin[1]; i++)
                reach = fmax(reach, hypot(point[i].x - x, point[i].y));
            ts_free(point);
            ts_free(begin);
            ts_outline_mass m = mass_of(o);
            NEAR(m.area, area, 1e-14);
            NEAR(m.centre[0], x, 1e-14);
            NEAR(m.centre[1], 0, 1e-14);
            NEAR(m.inertia, polar - area * x * x, 1e-13);
            NEAR(m.radius, reach, 1e-6);
            assert_true(m.radius >= reach * (1 - 1e-15));
        }
}

static void half_disc(void **state)
{
    (void)state;
    const ts_vertex vertex[] = {{1, 0, 1}, {-1, 0, 0}};
    ts_outline_mass m = mass_of(adopt(vertex, 2));
    double y = 4 / (3 * TS_PI);
    NEAR(m.area, TS_PI / 2, 1e-15);
    NEAR(m.centre[0], 0, 1e-16);
    NEAR(m.centre[1], y, 1e-15);
    NEAR(m.inertia, TS_PI / 4 - TS_PI / 2 * y * y, 1e-15);
    NEAR(m.radius, hypot(1, y), 1e-15);
}

/* Cap of bulge b over the chord from -1 to 1, in upright strips of height f(x) (in extended precision, with x = sin u).
 * */
static ts_outline_mass cap_by_strips(double bulge)
{
    long double b = bulge, h = (1 - b * b) / (2 * b), r = (1 + b * b) / (2 * b), area = 0, moment = 0, polar = 0;
    const int n = 20000; /* Simpson */
    for (int i = 0; i <= n; i++) {
        long double u = (long double)TS_PI * ((long double)i / n - 0.5L), x = sinl(u),
                    w = i == 0 || i == n ? 1
                        : i % 2          ? 4
                                         : 2;
        long double f = (1 - x * x) / (sqrtl(r * r - x * x) + h);
        w *= cosl(u) * (long double)TS_PI / n / 3;
        area += w * f;
        moment += w * f * f / 2;
        polar += w * (x * x * f + f * f * f / 3);
    }
    long double y = moment / area;
    return (ts_outline_mass){(double)area, {0, (double)y}, (double)(polar - area * y * y), 0};
}

static void caps_of_every_bulge(void **state)
{
    (void)state;
    const double bulge[] = {1e-12, 1e-8, 1e-4, 0.0099, 0.01, 0.099, 0.1, 0.3, 0.499, 0.501, 0.7, 0.95};
    for (size_t i = 0; i < COUNT(bulge); i++) {
        const ts_vertex vertex[] = {{1, 0, bulge[i]}, {-1, 0, 0}};
        ts_outline_mass m = mass_of(adopt(vertex, 2)), strips = cap_by_strips(bulge[i]);
        NEAR(m.area / strips.area, 1, 2e-15);
        NEAR(m.centre[1] / strips.centre[1], 1, 4e-15);
        NEAR(m.inertia / strips.inertia, 1, 2e-14);
        /* more than a half circle: the disc without the cap on the other side, whose bulge is 1 / b */
        const ts_vertex rest[] = {{1, 0, 1 / bulge[i]}, {-1, 0, 0}};
        double r = (bulge[i] + 1 / bulge[i]) / 2, y = (1 / bulge[i] - bulge[i]) / 2, disc = TS_PI * r * r;
        double rest_y = (disc * y + strips.area * strips.centre[1]) / (disc - strips.area);
        m = mass_of(adopt(rest, 2));
        NEAR(m.area / (disc - strips.area), 1, 1e-14);
        NEAR(m.centre[1] / rest_y, 1, 1e-14);
        double polar = disc * (r * r / 2 + y * y) - strips.inertia - strips.area * pow(strips.centre[1], 2);
        NEAR(m.inertia / (polar - (disc - strips.area) * rest_y * rest_y), 1, 1e-12);
    }
    /* the parabola is the limit: area 4b/3, centre 2b/5, inertia 4b/15 */
    const ts_vertex vertex[] = {{1, 0, 1e-9}, {-1, 0, 0}};
    ts_outline_mass m = mass_of(adopt(vertex, 2));
    NEAR(m.area, 4e-9 / 3, 1e-23);
    NEAR(m.centre[1], 4e-10, 1e-23);
    NEAR(m.inertia, 4e-9 / 15, 1e-23);
    /* a dent takes away what a cap adds */
    const ts_vertex box[] = {{-1, 0, -1e-5}, {1, 0, 0}, {1, 1, 1e-5}, {-1, 1, 0}};
    NEAR(mass_of(adopt(box, 4)).area, 2, 1e-15);
}

/* Two pieces, a hole, dents and caps; no symmetry. */
static const ts_vertex odd_body[] = {{0, 0, 0.2},    {3, -0.5, -0.4}, {5, 1, 0.9},   {4.5, 3, 0},
                                     {3, 2.5, -0.1}, {2, 4, 1.3},     {0.5, 3.5, 0}, {1, 2, 0.05}};
static const ts_vertex odd_hole[] = {{2, 1, -0.3}, {2.2, 2, 0.2}, {3, 1.6, -0.7}, {2.9, 1.2, 0}};
static const ts_vertex odd_piece[] = {{7, 0, 2}, {7.5, 0.5, -0.3}};

static ts_outline *make_odd(void)
{
    const ts_contour contour[] = {
        {odd_body, COUNT(odd_body), false}, {odd_hole, COUNT(odd_hole), false}, {odd_piece, COUNT(odd_piece), false}};
    ts_outline *o;
    OK(ts_outline_adopt(contour, 3, NULL, 0, &o, ERROR));
    return o;
}

/* Polygons whose edges are cut twice as fine come nearer by a factor of four; extrapolated, they agree to many digits.
 * */
static ts_outline_mass polygon_mass(const ts_outline *o, int cuts)
{
    double area = 0, x = 0, y = 0, polar = 0;
    for (size_t i = 0; i < ts_outline_contour_count(o); i++) {
        ts_contour c = ts_outline_get_contour(o, i);
        for (size_t k = 0; k < c.vertex_count; k++) {
            ts_segment s = ts_contour_segment(&c, k);
            ts_vec2 p = {s.x0, s.y0};
            for (int j = 1; j <= cuts; j++) {
                ts_vec2 q = ts_segment_point(&s, (double)j / cuts);
                double cross = ts_vec2_cross(p, q);
                area += cross / 2;
                x += cross * (p.x + q.x) / 6;
                y += cross * (p.y + q.y) / 6;
                polar += cross * (ts_vec2_dot(p, p) + ts_vec2_dot(p, q) + ts_vec2_dot(q, q)) / 12;
                p = q;
            }
        }
    }
    return (ts_outline_mass){area, {x / area, y / area}, polar - (x * x + y * y) / area, 0};
}

static void odd_shape(void **state)
{
    (void)state;
    ts_outline *o = make_odd();
    ts_outline_mass m = ts_outline_get_mass(o), coarse = polygon_mass(o, 1000), fine = polygon_mass(o, 2000);
    NEAR(m.area, fine.area + (fine.area - coarse.area) / 3, 1e-11);
    NEAR(m.centre[0], fine.centre[0] + (fine.centre[0] - coarse.centre[0]) / 3, 1e-11);
    NEAR(m.centre[1], fine.centre[1] + (fine.centre[1] - coarse.centre[1]) / 3, 1e-11);
    NEAR(m.inertia, fine.inertia + (fine.inertia - coarse.inertia) / 3, 1e-10);
    assert_true(fabs(m.area - coarse.area) > 1e-8); /* so that the comparison means something */
    /* points counted by the sign of their distance; three standard deviations */
    enum { POINTS = 20000 };
    static double x[POINTS], y[POINTS], d[POINTS];
    for (uint32_t i = 0; i < POINTS; i++) {
        x[i] = -1 + 10 * ts_random_uniform(7, 1, i);
        y[i] = -2 + 9 * ts_random_uniform(7, 2, i);
    }
    ts_outline_distance(o, POINTS, x, y, d, NULL, NULL);
    size_t inside = 0;
    for (size_t i = 0; i < POINTS; i++)
        inside += d[i] < 0;
    double share = m.area / 90;
    NEAR((double)inside / POINTS, share, 3 * sqrt(share * (1 - share) / POINTS));
    ts_outline_free(o);
}

/* Scale, turn and shift do to mass properties what they must; also far from the origin. */
static void placing(void **state)
{
    (void)state;
    ts_outline *o = make_odd(), *placed;
    ts_outline_mass m = ts_outline_get_mass(o);
    const double scale[] = {1, 3, 1e-6, 1e6}, angle[] = {0, 1, -2.5, 100};
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++) {
            double s = scale[i], a = angle[k], c = cos(a), q = sin(a), shift[2] = {s * 1e3, -2e3 * s};
            OK(ts_outline_place(o, s, a, shift, &placed, ERROR));
            assert_int_equal(ts_outline_contour_count(placed), 3);
            ts_outline_mass p = mass_of(placed);
            NEAR(p.area / (s * s * m.area), 1, 1e-12);
            NEAR(p.inertia / (s * s * s * s * m.inertia), 1, 1e-12);
            NEAR(p.radius / (s * m.radius), 1, 1e-12);
            NEAR(p.centre[0] / s, c * m.centre[0] - q * m.centre[1] + 1e3, 1e-12 * 1e3);
            NEAR(p.centre[1] / s, q * m.centre[0] + c * m.centre[1] - 2e3, 1e-12 * 1e3);
        }
    /* nothing changes, nothing changes */
    OK(ts_outline_place(o, 1, 0, (double[2]){0, 0}, &placed, ERROR));
    for (size_t i = 0; i < 3; i++) {
        ts_contour a = ts_outline_get_contour(o, i), b = ts_outline_get_contour(placed, i);
        assert_int_equal(a.vertex_count, b.vertex_count);
        for (size_t k = 0; k < a.vertex_count; k++)
            assert_true(a.vertex[k].x == b.vertex[k].x && a.vertex[k].y == b.vertex[k].y &&
                        a.vertex[k].bulge == b.vertex[k].bulge);
    }
    ts_outline_free(placed);
    ts_outline_free(o);
}

/* Corners of the polygon lie on the boundary, its edges stay within the tolerance, and no more edges than that takes.
 * */
static void flattening(void **state)
{
    (void)state;
    ts_outline *o = make_odd();
    const double tolerance[] = {0.3, 1e-2, 1e-4};
    for (size_t t = 0; t < COUNT(tolerance); t++) {
        ts_vec2 *point;
        size_t *begin;
        OK(ts_outline_flatten(o, tolerance[t], &point, &begin, ERROR));
        assert_int_equal(begin[0], 0);
        double worst = 0;
        for (size_t i = 0; i < 3; i++) {
            assert_true(begin[i + 1] >= begin[i] + 3);
            for (size_t k = begin[i]; k < begin[i + 1]; k++) {
                ts_vec2 p = point[k], q = point[k + 1 < begin[i + 1] ? k + 1 : begin[i]];
                double d[2], x[2] = {p.x, 0.5 * (p.x + q.x)}, y[2] = {p.y, 0.5 * (p.y + q.y)};
                ts_outline_distance(o, 2, x, y, d, NULL, NULL);
                NEAR(d[0], 0, 1e-14);
                worst = fmax(worst, fabs(d[1]));
            }
        }
        assert_true(worst <= tolerance[t] * (1 + 1e-9));
        assert_true(worst >= 0.3 * tolerance[t]);
        ts_free(point);
        ts_free(begin);
    }
    ts_outline_free(o);
    /* a circle: n chords miss it by r (1 - cos(π/n)) */
    OK(ts_outline_disc(2, &o, ERROR));
    ts_vec2 *point;
    size_t *begin;
    OK(ts_outline_flatten(o, 2 * (1 - cos(TS_PI / 64)) * (1 + 1e-12), &point, &begin, ERROR));
    assert_int_equal(begin[1], 64);
    ts_free(point);
    ts_free(begin);
    OK(ts_outline_flatten(o, 50, &point, &begin, ERROR));
    assert_int_equal(begin[1], 4);
    ts_free(point);
    ts_free(begin);
    assert_int_equal(ts_outline_flatten(o, 0, &point, &begin, ERROR), TS_BAD_INPUT);
    assert_null(point);
    assert_int_equal(ts_outline_flatten(o, (double)NAN, &point, &begin, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_outline_flatten(o, 1e-300, &point, &begin, ERROR), TS_BAD_INPUT);
    ts_outline_free(o);
    /* an arc that is straight for all practical purposes stays one edge, with finite corners */
    const ts_vertex flat[] = {{0, 0, 1e-300}, {1, 0, 5e-324}, {1, 1, 1e-13}, {0, 1, -1e-9}};
    o = adopt(flat, 4);
    OK(ts_outline_flatten(o, 1e-12, &point, &begin, ERROR));
    for (size_t i = 0; i < begin[1]; i++)
        assert_true(point[i].x >= -1e-8 && point[i].x <= 1 + 1e-8 && point[i].y >= -1e-8 && point[i].y <= 1 + 1e-8);
    NEAR(ts_outline_get_mass(o).area, 1, 1e-9);
    ts_free(point);
    ts_free(begin);
    ts_outline_free(o);
}

/* The middle of an arc, flat or nearly full, lies a sagitta away from its chord. */
static void points_of_an_edge(void **state)
{
    (void)state;
    const double bulge[] = {1e-300, 1e-12, 1e-6, 0.1, 1, 3, 1e4, -1e-12, -0.5, -20};
    for (size_t i = 0; i < COUNT(bulge); i++) {
        ts_segment s = {1, 0, 3, 0, bulge[i]};
        ts_vec2 p = ts_segment_point(&s, 0.5);
        NEAR(p.x, 2, 1e-11);
        NEAR(p.y / -bulge[i], 1, 1e-11); /* h = b c / 2 below the chord */
        p = ts_segment_point(&s, 1);
        NEAR(p.x, 3, 1e-11);
        NEAR(p.y, 0, 1e-11);
    }
}

/* A flat arc is the parabola y = 4 h t (1 - t) over its chord, to h² of it: far from the origin, where its centre is
 * 1e12 times as far, all digits stay. Halving twice gives the points at quarters; caps have ⅔ of chord times sagitta.
 * */
static void flat_arcs(void **state)
{
    (void)state;
    for (int e = 4; e <= 14; e++) {
        double b = pow(10, -e);
        ts_segment s = {3, 5, 5, 5, b}, half[2], quarter[2];
        ts_segment_halve(&s, half);
        ts_segment_halve(&half[0], quarter);
        for (int k = 1; k < 16; k++) {
            double t = k / 16.0;
            ts_vec2 p = ts_segment_point(&s, t);
            NEAR(p.x, 3 + 2 * t, 2 * b * b + 1e-15);
            NEAR(5 - p.y, 4 * b * t * (1 - t), 2 * b * b * b + 2e-15);
        }
        ts_vec2 p = ts_segment_point(&s, 0.25);
        NEAR(quarter[0].x1, p.x, 1e-15);
        NEAR(quarter[0].y1, p.y, 2e-15);
        NEAR(half[0].x1, 4, 0);
        NEAR(half[0].bulge * 2 / b, 1, b * b + 1e-15);
        NEAR(ts_segment_cap_area(&s) / (2.0 / 3 * 2 * b), 1, b * b + 1e-15);
    }
    /* a half circle, and three quarters of one */
    ts_segment s = {1, 0, -1, 0, 1};
    NEAR(ts_segment_cap_area(&s), TS_PI / 2, 1e-15);
    NEAR(ts_bulge_half(1), sqrt(2) - 1, 1e-16);
    s = (ts_segment){1, 0, 0, -1, 1 + sqrt(2)};
    NEAR(ts_segment_cap_area(&s), 0.75 * TS_PI + 0.5, 1e-14);
    NEAR(ts_segment_middle(&s).x, -sqrt(0.5), 1e-15);
    NEAR(ts_segment_middle(&s).y, sqrt(0.5), 1e-15);
}

static void asking(void **state)
{
    (void)state;
    const ts_contour contour[] = {{odd_body, COUNT(odd_body), false}, {odd_hole, COUNT(odd_hole), false}};
    char first[] = "contour 2 was open by 0.3: closed";
    const char *note[] = {first, "two"};
    ts_outline *o, *placed;
    OK(ts_outline_adopt(contour, 2, note, 2, &o, ERROR));
    first[0] = 'X'; /* notes are copies */
    OK(ts_outline_place(o, 2, 0.1, (double[2]){1, 2}, &placed, ERROR));
    ts_outline_free(o);
    assert_int_equal(ts_outline_contour_count(placed), 2);
    assert_int_equal(ts_outline_get_contour(placed, 1).vertex_count, COUNT(odd_hole));
    assert_false(ts_outline_get_contour(placed, 0).open);
    assert_null(ts_outline_get_contour(placed, 2).vertex);
    assert_int_equal(ts_outline_note_count(placed), 2);
    assert_string_equal(ts_outline_get_note(placed, 0), "contour 2 was open by 0.3: closed");
    assert_string_equal(ts_outline_get_note(placed, 1), "two");
    assert_null(ts_outline_get_note(placed, 2));
    ts_outline_free(placed);
    ts_outline_free(NULL);

    /* distance to a ring, with points that are not finite among the others */
    OK(ts_outline_ring(2, 1, &o, ERROR));
    double x[] = {3, (double)NAN, 1.5, 0, 0.25, HUGE_VAL}, y[] = {0, 0, 0, -HUGE_VAL, 0, 1}, d[6], cx[6], cy[6];
    ts_outline_distance(o, 6, x, y, d, cx, cy);
    const double expected[] = {1, (double)NAN, -0.5, (double)NAN, 0.75, (double)NAN};
    for (size_t i = 0; i < 6; i++) {
        double alone;
        ts_outline_distance(o, 1, x + i, y + i, &alone, NULL, NULL);
        if (isnan(expected[i])) {
            assert_true(isnan(d[i]) && isnan(cx[i]) && isnan(cy[i]) && isnan(alone));
            continue;
        }
        NEAR(d[i], expected[i], 1e-15);
        assert_true(d[i] == alone);
        NEAR(hypot(x[i] - cx[i], y[i] - cy[i]), fabs(d[i]), 1e-15);
    }
    ts_outline_distance(o, 0, NULL, NULL, NULL, NULL, NULL);
    ts_outline_free(o);
}

/* Contours that are clean go through ts_outline_create unchanged. */
static void creating(void **state)
{
    (void)state;
    const ts_contour contour[] = {{odd_body, COUNT(odd_body), false}, {odd_hole, COUNT(odd_hole), false}};
    ts_outline *o;
    OK(ts_outline_create(contour, 2, TS_RULE_NONZERO, &o, ERROR));
    assert_int_equal(ts_outline_contour_count(o), 2);
    assert_int_equal(ts_outline_note_count(o), 0);
    for (size_t i = 0; i < 2; i++)
        assert_memory_equal(ts_outline_get_contour(o, i).vertex, contour[i].vertex,
                            contour[i].vertex_count * sizeof(ts_vertex));
    ts_outline_free(o);
    assert_int_equal(ts_outline_create(contour, 0, TS_RULE_NONZERO, &o, ERROR), TS_BAD_INPUT);
    assert_null(o);
    assert_int_equal(ts_outline_create(contour, 2, (ts_fill_rule)0, &o, ERROR), TS_BAD_INPUT);
    const ts_vertex nowhere[] = {{0, 0, 0}, {1, (double)NAN, 0}, {0, 1, 0}};
    assert_int_equal(ts_outline_create(&(ts_contour){nowhere, 3, false}, 1, TS_RULE_NONZERO, &o, ERROR), TS_BAD_INPUT);
    assert_null(o);
}

static void refuse(ts_status status, ts_outline *const *o, const char *word)
{
    assert_int_equal(status, TS_BAD_INPUT);
    assert_null(*o);
    if (!strstr(ERROR->message, word))
        fail_msg("\"%s\" does not speak of \"%s\"", ERROR->message, word);
}

static void bad_arguments(void **state)
{
    (void)state;
    ts_outline *o = NULL;
#define REFUSE(call, word) refuse((call), &o, word)
    const double bad[] = {0, -1, (double)NAN, HUGE_VAL};
    for (size_t i = 0; i < COUNT(bad); i++) {
        REFUSE(ts_outline_disc(bad[i], &o, ERROR), "radius");
        REFUSE(ts_outline_ring(bad[i], 1, &o, ERROR), "outer radius");
        REFUSE(ts_outline_ring(1, bad[i], &o, ERROR), "inner radius");
        REFUSE(ts_outline_box(bad[i], 1, 0, &o, ERROR), "width");
        REFUSE(ts_outline_box(1, bad[i], 0, &o, ERROR), "height");
        REFUSE(ts_outline_regular(5, bad[i], &o, ERROR), "radius");
        REFUSE(ts_outline_arc(bad[i], 1, 1, false, &o, ERROR), "radius");
        REFUSE(ts_outline_arc(1, bad[i], 1, false, &o, ERROR), "thickness");
        REFUSE(ts_outline_arc(1, 0.1, bad[i], false, &o, ERROR), "spans");
    }
    REFUSE(ts_outline_ring(1, 1, &o, ERROR), "less than the outer");
    REFUSE(ts_outline_box(1, 2, -0.1, &o, ERROR), "corner");
    REFUSE(ts_outline_box(1, 2, 0.51, &o, ERROR), "corner");
    REFUSE(ts_outline_box(1, 2, (double)NAN, &o, ERROR), "corner");
    REFUSE(ts_outline_regular(2, 1, &o, ERROR), "sides");
    REFUSE(ts_outline_regular(100001, 1, &o, ERROR), "sides");
    REFUSE(ts_outline_arc(1, 2, 1, false, &o, ERROR), "thick");
    REFUSE(ts_outline_arc(1, 0.1, 2 * TS_PI, false, &o, ERROR), "full turn");
    /* round ends meet when 2 r sin(π - angle/2) ≤ thickness; here at angle = 2π - 2 asin(0.25) */
    double meet = 2 * TS_PI - 2 * asin(0.25);
    REFUSE(ts_outline_arc(1, 0.5, meet + 1e-9, true, &o, ERROR), "meet");
    OK(ts_outline_arc(1, 0.5, meet - 1e-9, true, &o, ERROR));
    ts_outline_free(o);
    OK(ts_outline_arc(1, 0.5, meet + 1e-9, false, &o, ERROR));
    ts_outline *from = o;
    REFUSE(ts_outline_place(from, 0, 0, (double[2]){0, 0}, &o, ERROR), "scale");
    REFUSE(ts_outline_place(from, 1, (double)NAN, (double[2]){0, 0}, &o, ERROR), "turned");
    REFUSE(ts_outline_place(from, 1, 0, (double[2]){0, HUGE_VAL}, &o, ERROR), "shifted");
    REFUSE(ts_outline_place(from, 1e200, 0, (double[2]){0, 0}, &o, ERROR), "finite");
    ts_outline_free(from);
    /* clockwise, without area, open, a single point */
    const ts_vertex clockwise[] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}, line[] = {{0, 0, 0}, {1, 1, 0}, {3, 3, 0}};
    REFUSE(ts_outline_adopt(&(ts_contour){clockwise, 3, false}, 1, NULL, 0, &o, ERROR), "area");
    REFUSE(ts_outline_adopt(&(ts_contour){line, 3, false}, 1, NULL, 0, &o, ERROR), "area");
    REFUSE(ts_outline_adopt(&(ts_contour){line, 3, true}, 1, NULL, 0, &o, ERROR), "closed");
    REFUSE(ts_outline_adopt(&(ts_contour){line, 1, false}, 1, NULL, 0, &o, ERROR), "closed");
    REFUSE(ts_outline_adopt(NULL, 0, NULL, 0, &o, ERROR), "contour");
    const ts_vertex endless[] = {{0, 0, 0}, {1, 0, HUGE_VAL}, {1, 1, 0}};
    REFUSE(ts_outline_adopt(&(ts_contour){endless, 3, false}, 1, NULL, 0, &o, ERROR), "vertex 2 of contour 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_and_rings),   cmocka_unit_test(boxes),         cmocka_unit_test(regular_polygons),
        cmocka_unit_test(bent_bars),         cmocka_unit_test(half_disc),     cmocka_unit_test(caps_of_every_bulge),
        cmocka_unit_test(odd_shape),         cmocka_unit_test(placing),       cmocka_unit_test(flattening),
        cmocka_unit_test(points_of_an_edge), cmocka_unit_test(flat_arcs),     cmocka_unit_test(asking),
        cmocka_unit_test(creating),          cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
