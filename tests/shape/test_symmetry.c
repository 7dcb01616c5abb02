/* SPDX-License-Identifier: MIT */
/* Symmetry groups of shapes whose group everyone knows, at any scale and place. */
#include <math.h>

#include "shape/outline.h"
#include "support/check.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static ts_outline *adopt(const ts_vertex *vertex, size_t count)
{
    ts_outline *o;
    OK(ts_outline_adopt(&(ts_contour){vertex, count, false}, 1, NULL, 0, &o, ERROR));
    return o;
}

/* `count` vertices turned to `n` copies about the origin. */
static size_t turn_copies(const ts_vertex *from, size_t count, size_t n, ts_vertex *to)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < count; k++) {
            double a = 2 * TS_PI * (double)i / (double)n;
            to[i * count + k] = (ts_vertex){cos(a) * from[k].x - sin(a) * from[k].y,
                                            sin(a) * from[k].x + cos(a) * from[k].y, from[k].bulge};
        }
    return n * count;
}

/* Distance of a motion's image of a vertex from the nearest vertex, the largest of all: for shapes whose vertices are
 * all corners, this must vanish for a true symmetry. */
static double vertex_error(const ts_outline *o, double angle, double flip)
{
    ts_outline_mass m = ts_outline_get_mass(o);
    size_t count = ts_outline_vertex_count(o);
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        double x = o->vertex[i].x - m.centre[0], y = flip * (o->vertex[i].y - m.centre[1]), least = HUGE_VAL;
        double u = cos(angle) * x - sin(angle) * y + m.centre[0], v = sin(angle) * x + cos(angle) * y + m.centre[1];
        for (size_t k = 0; k < count; k++)
            least = fmin(least, hypot(o->vertex[k].x - u, o->vertex[k].y - v));
        worst = fmax(worst, least);
    }
    return worst / m.radius;
}

/* Checks the group, as it stands and small, large, turned and far away. `corners`: see vertex_error. Frees the outline.
 * */
static void expect(ts_outline *o, int rotations, bool mirror, bool corners)
{
    const double scale[] = {1, 1e-6, 1e6, 3}, angle[] = {0, 1, -2.3, 0.01}, far[] = {0, 10, -7, 1e4};
    for (size_t i = 0; i < COUNT(scale); i++) {
        ts_outline *placed;
        ts_symmetry s;
        OK(ts_outline_place(o, scale[i], angle[i], (double[2]){far[i] * scale[i], 2 * far[i] * scale[i]}, &placed,
                            ERROR));
        OK(ts_outline_symmetry(placed, 0, &s, ERROR));
        assert_int_equal(s.rotations, rotations);
        assert_int_equal(s.mirror, mirror);
        assert_true(s.error >= 0 && s.error < 1e-10);
        assert_true(s.mirror_axis >= 0 && (rotations == 0 || s.mirror_axis < TS_PI / rotations));
        if (corners && rotations > 0)
            NEAR(vertex_error(placed, 2 * TS_PI / rotations, 1), 0, 1e-10);
        if (corners && mirror)
            NEAR(vertex_error(placed, 2 * s.mirror_axis, -1), 0, 1e-10);
        ts_outline_free(placed);
    }
    ts_outline_free(o);
}

static void simple_shapes(void **state)
{
    (void)state;
    ts_outline *o;
    OK(ts_outline_disc(1, &o, ERROR));
    expect(o, 0, true, false);
    OK(ts_outline_ring(1, 0.3, &o, ERROR));
    expect(o, 0, true, false);
    OK(ts_outline_box(2, 1, 0, &o, ERROR));
    expect(o, 2, true, true);
    OK(ts_outline_box(2, 1, 0.2, &o, ERROR));
    expect(o, 2, true, true);
    OK(ts_outline_box(1, 1, 0, &o, ERROR));
    expect(o, 4, true, true);
    OK(ts_outline_box(1, 1, 0.4, &o, ERROR));
    expect(o, 4, true, true);
    OK(ts_outline_box(1, 1, 0.5, &o, ERROR)); /* a disc of four quarters */
    expect(o, 0, true, false);
    OK(ts_outline_arc(1, 0.2, 2, true, &o, ERROR));
    expect(o, 1, true, true);
    OK(ts_outline_arc(1, 0.2, 5, false, &o, ERROR));
    expect(o, 1, true, true);
}

static void regular_polygons(void **state)
{
    (void)state;
    const size_t sides[] = {3, 4, 5, 6, 7, 8, 17, 48, 120};
    for (size_t i = 0; i < COUNT(sides); i++) {
        ts_outline *o;
        OK(ts_outline_regular(sides[i], 1, &o, ERROR));
        expect(o, (int)sides[i], true, true);
    }
}

/* Four bars, two by two: an outer contour of 28 corners and a square hole. */
static ts_outline *make_hash(void)
{
    const ts_vertex quarter[] = {{1.2, -0.8, 0}, {1.2, 0.8, 0}, {2, 0.8, 0}, {2, 1.2, 0},
                                 {1.2, 1.2, 0},  {1.2, 2, 0},   {0.8, 2, 0}};
    const ts_vertex hole[] = {{0.8, 0.8, 0}, {0.8, -0.8, 0}, {-0.8, -0.8, 0}, {-0.8, 0.8, 0}};
    ts_vertex outer[28];
    turn_copies(quarter, 7, 4, outer);
    const ts_contour contour[] = {{outer, 28, false}, {hole, 4, false}};
    ts_outline *o;
    OK(ts_outline_adopt(contour, 2, NULL, 0, &o, ERROR));
    return o;
}

/* The same as people draw it: four bars on top of each other. */
static ts_outline *make_hash_of_bars(void)
{
    ts_vertex bar[4][4];
    ts_contour contour[4];
    for (int i = 0; i < 4; i++) {
        double at = i % 2 ? 1 : -1, x[2] = {at - 0.2, at + 0.2}, y[2] = {-2, 2};
        const double *u = i < 2 ? x : y, *v = i < 2 ? y : x;
        const ts_vertex corner[] = {{u[0], v[0], 0}, {u[1], v[0], 0}, {u[1], v[1], 0}, {u[0], v[1], 0}};
        for (int k = 0; k < 4; k++)
            bar[i][k] = corner[k];
        contour[i] = (ts_contour){bar[i], 4, false};
    }
    ts_outline *o;
    OK(ts_outline_create(contour, 4, TS_RULE_NONZERO, &o, ERROR));
    NEAR(ts_outline_get_mass(o).area, 4 * 4 * 0.4 - 4 * 0.16, 1e-12);
    return o;
}

static void signs_and_letters(void **state)
{
    (void)state;
    expect(make_hash(), 4, true, true);
    expect(make_hash_of_bars(), 4, true, true);
    const ts_vertex z[] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {3, 1, 0}, {3, 2, 0}, {1, 2, 0}, {1, 1, 0}, {0, 1, 0}};
    expect(adopt(z, COUNT(z)), 2, false, true);
    const ts_vertex t[] = {{-0.2, 0, 0}, {0.2, 0, 0},  {0.2, 2, 0}, {1, 2, 0},
                           {1, 2.4, 0},  {-1, 2.4, 0}, {-1, 2, 0},  {-0.2, 2, 0}};
    expect(adopt(t, COUNT(t)), 1, true, true);
    /* a C with a stub at its lower end */
    const ts_vertex g[] = {{0.9, 0.5, 0.8}, {-1, 0, 0.5},   {0.9, -0.5, 0},     {0.9, 0.1, 0},   {0.3, 0.1, 0},
                           {0.3, -0.1, 0},  {0.7, -0.1, 0}, {0.7, -0.35, -0.5}, {-0.7, 0, -0.6}, {0.7, 0.35, 0}};
    expect(adopt(g, COUNT(g)), 1, false, true);
    const ts_vertex scalene[] = {{0, 0, 0}, {4, 0, 0}, {1, 2, 0}}, isosceles[] = {{0, 0, 0}, {4, 0, 0}, {2, 2, 0}};
    expect(adopt(scalene, 3), 1, false, true);
    expect(adopt(isosceles, 3), 1, true, true);
    /* a parallelogram and a rhombus */
    const ts_vertex slanted[] = {{0, 0, 0}, {4, 0, 0}, {5, 2, 0}, {1, 2, 0}};
    const ts_vertex rhombus[] = {{2, 0, 0}, {0, 1, 0}, {-2, 0, 0}, {0, -1, 0}};
    expect(adopt(slanted, 4), 2, false, true);
    expect(adopt(rhombus, 4), 2, true, true);
}

static void rotors_and_gears(void **state)
{
    (void)state;
    ts_vertex v[400];
    const ts_vertex blade[] = {{1, 0, 0}, {3, 0.4, 0.3}, {2.5, 1.8, -0.2}, {0.8, 0.7, 0}};
    expect(adopt(v, turn_copies(blade, 4, 3, v)), 3, false, true);
    /* symmetric teeth of two lengths make half as many axes */
    const ts_vertex tooth[] = {{1, -0.1, 0}, {1.3, -0.05, 0.5}, {1.3, 0.05, 0}, {1, 0.1, 0}};
    expect(adopt(v, turn_copies(tooth, 4, 12, v)), 12, true, true);
    for (size_t i = 0; i < 48; i += 8) /* every other tooth */
        for (size_t k = 1; k < 3; k++)
            v[i + k] = (ts_vertex){0.95 * v[i + k].x, 0.95 * v[i + k].y, v[i + k].bulge};
    expect(adopt(v, 48), 6, true, true);
    /* saw teeth have no mirror; a saw with many of them */
    const ts_vertex saw[] = {{1, 0, 0}, {1.02, 0.05, 0}};
    expect(adopt(v, turn_copies(saw, 2, 90, v)), 90, false, true);
    /* a ring whose hole is off the centre, and one with three round holes */
    ts_vertex ring[] = {{1, 0, 1}, {-1, 0, 1}, {0.5, 0.3, -1}, {0.1, 0.3, -1}};
    ts_contour contour[4] = {{ring, 2, false}, {ring + 2, 2, false}};
    ts_outline *o;
    OK(ts_outline_adopt(contour, 2, NULL, 0, &o, ERROR));
    expect(o, 1, true, false);
    for (size_t i = 0; i < 3; i++) {
        turn_copies(ring + 2, 2, 3, v);
        contour[i + 1] = (ts_contour){v + 2 * i, 2, false};
    }
    OK(ts_outline_adopt(contour, 4, NULL, 0, &o, ERROR));
    expect(o, 3, true, false);
}

/* How an edge is cut into pieces does not matter. */
static void cut_edges(void **state)
{
    (void)state;
    const ts_vertex square[] = {{0, 0, 0}, {0.3, 0, 0}, {0.35, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0.9, 0}};
    expect(adopt(square, COUNT(square)), 4, true, false);
    /* a disc of three arcs that differ */
    const double at[] = {0, 1, 3, 2 * TS_PI};
    ts_vertex disc[3];
    for (int i = 0; i < 3; i++)
        disc[i] = (ts_vertex){cos(at[i]), sin(at[i]), tan((at[i + 1] - at[i]) / 4)};
    expect(adopt(disc, 3), 0, true, false);
}

static void within_tolerance(void **state)
{
    (void)state;
    ts_symmetry s;
    /* '#' of which one corner is off by 1e-4 of the radius, and not along an axis */
    ts_outline *o = make_hash(), *bent;
    ts_outline_mass m = ts_outline_get_mass(o);
    ts_contour contour[2] = {ts_outline_get_contour(o, 0), ts_outline_get_contour(o, 1)};
    ts_vertex vertex[28];
    for (size_t i = 0; i < 28; i++)
        vertex[i] = contour[0].vertex[i];
    vertex[3].x += 0.8e-4 * m.radius;
    vertex[3].y += 0.6e-4 * m.radius;
    contour[0].vertex = vertex;
    OK(ts_outline_adopt(contour, 2, NULL, 0, &bent, ERROR));
    OK(ts_outline_symmetry(bent, 1e-6, &s, ERROR));
    assert_true(s.rotations == 1 && !s.mirror);
    OK(ts_outline_symmetry(bent, 1e-3, &s, ERROR));
    assert_true(s.rotations == 4 && s.mirror);
    assert_true(s.error > 0.5e-4 && s.error < 2e-4);
    ts_outline_free(bent);
    ts_outline_free(o);
    /* a polygon that is round at a coarse look: it misses its circle by 1 - cos(π/n) */
    OK(ts_outline_regular(100, 1, &o, ERROR));
    double sagitta = 1 - cos(TS_PI / 100);
    OK(ts_outline_symmetry(o, 1.01 * sagitta, &s, ERROR));
    assert_true(s.rotations == 0 && s.mirror);
    NEAR(s.error, sagitta, 1e-12);
    OK(ts_outline_symmetry(o, 0.9 * sagitta, &s, ERROR));
    assert_true(s.rotations == 100 && s.mirror);
    ts_outline_free(o);
    /* a square whose side is curved by 1e-4: D1 below, D4 above */
    const ts_vertex curved[] = {{-1, -1, 1e-4}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    o = adopt(curved, 4);
    OK(ts_outline_symmetry(o, 1e-6, &s, ERROR));
    assert_true(s.rotations == 1 && s.mirror);
    NEAR(s.mirror_axis, TS_PI / 2, 1e-9);
    OK(ts_outline_symmetry(o, 1e-3, &s, ERROR));
    assert_true(s.rotations == 4 && s.mirror);
    ts_outline_free(o);
}

/* Nearly round, with many edges: small turns go unnoticed, the half-way ones do not. */
static void many_edges(void **state)
{
    (void)state;
    enum { EDGES = 2000 };
    static ts_vertex v[EDGES];
    for (size_t i = 0; i < EDGES; i++) {
        double a = 2 * TS_PI * (double)i / EDGES, r = 1 + 1e-3 * cos(2 * a);
        v[i] = (ts_vertex){r * cos(a), r * sin(a), tan(TS_PI / EDGES / 2)};
    }
    ts_symmetry s;
    ts_outline *o = adopt(v, EDGES);
    OK(ts_outline_symmetry(o, 1e-6, &s, ERROR));
    assert_true(s.rotations == 2 && s.mirror);
    OK(ts_outline_symmetry(o, 1e-4, &s, ERROR));
    assert_true(s.rotations == 2 && s.mirror);
    OK(ts_outline_symmetry(o, 1e-2, &s, ERROR));
    assert_true(s.rotations == 0 && s.mirror);
    ts_outline_free(o);
    /* one notch in a fine polygon leaves one mirror axis; two notches, a radian apart, leave one between them */
    for (size_t i = 0; i < EDGES; i++)
        v[i] = (ts_vertex){cos(2 * TS_PI * (double)i / EDGES), sin(2 * TS_PI * (double)i / EDGES), 0};
    v[300].x *= 0.99;
    v[300].y *= 0.99;
    o = adopt(v, EDGES);
    OK(ts_outline_symmetry(o, 1e-5, &s, ERROR));
    assert_true(s.rotations == 1 && s.mirror);
    NEAR(s.mirror_axis, 2 * TS_PI * 300 / EDGES, 1e-4);
    ts_outline_free(o);
    v[600].x *= 0.99;
    v[600].y *= 0.99;
    o = adopt(v, EDGES);
    OK(ts_outline_symmetry(o, 1e-5, &s, ERROR));
    assert_true(s.rotations == 1 && s.mirror);
    NEAR(s.mirror_axis, 2 * TS_PI * 450 / EDGES, 1e-4);
    ts_outline_free(o);
}

static void bad_tolerance(void **state)
{
    (void)state;
    ts_outline *o;
    ts_symmetry s;
    OK(ts_outline_disc(1, &o, ERROR));
    assert_int_equal(ts_outline_symmetry(o, -1e-3, &s, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_outline_symmetry(o, (double)NAN, &s, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_outline_symmetry(o, 1, &s, ERROR), TS_BAD_INPUT);
    ts_outline_free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_shapes),    cmocka_unit_test(regular_polygons), cmocka_unit_test(signs_and_letters),
        cmocka_unit_test(rotors_and_gears), cmocka_unit_test(cut_edges),        cmocka_unit_test(within_tolerance),
        cmocka_unit_test(many_edges),       cmocka_unit_test(bad_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
