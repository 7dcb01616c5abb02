/* SPDX-License-Identifier: MIT */
/* Triangles of polygons with holes: as many as Euler demands, all positive, areas that add up, edges that match in
 * pairs. */
/* the reference is in long double on purpose */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "shape/triangulate.h"

typedef struct drawing {
    TS_ARRAY(ts_vec2) point;
    TS_ARRAY(size_t) begin;
} drawing;

static void add_point(drawing *d, double x, double y)
{
    assert_int_equal(ts_array_push(&d->point, ((ts_vec2){x, y}), NULL), TS_OK);
}
static void begin_contour(drawing *d)
{
    assert_int_equal(ts_array_push(&d->begin, d->point.count, NULL), TS_OK);
}
static void drawing_free(drawing *d)
{
    ts_array_free(&d->point);
    ts_array_free(&d->begin);
}

static uint32_t rolls;
static double roll(double low, double high) /* any sequence will do */
{
    rolls = rolls * 1664525u + 1013904223u;
    return low + (high - low) * (rolls >> 8) / 16777216.0;
}

/* A star-shaped contour within radius r; turning = 1 for a piece, -1 for a hole. */
static void add_star(drawing *d, ts_vec2 at, double r, int corners, int turning)
{
    begin_contour(d);
    for (int i = 0; i < corners; i++) {
        double angle = turning * 2 * TS_PI * i / corners, s = r * roll(0.3, 1);
        add_point(d, at.x + s * cos(angle), at.y + s * sin(angle));
    }
}

typedef struct edge {
    uint32_t a, b;
} edge;
static int by_edge(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

/* All that a triangulation promises. `pieces`: outer contours. */
static void check(drawing *d, size_t pieces)
{
    size_t contours = d->begin.count, n = d->point.count;
    begin_contour(d);
    ts_triangles made = {0};
    ts_error error = {0};
    if (ts_triangulate(d->point.item, d->begin.item, contours, false, &made, &error) != TS_OK)
        fail_msg("%s", error.message);
    uint32_t *triangle = made.index;
    size_t count = made.count;
    d->begin.count--;
    assert_int_equal(count, n + 2 * (contours - pieces) - 2 * pieces);

    long double whole = 0, size = 0, sum = 0;
    for (size_t k = 0; k < contours; k++) {
        size_t end = d->begin.item[k + 1];
        for (size_t i = d->begin.item[k]; i < end; i++) {
            ts_vec2 p = d->point.item[i], q = d->point.item[i + 1 < end ? i + 1 : d->begin.item[k]];
            whole += 0.5L * ((long double)p.x * q.y - (long double)p.y * q.x);
            size += fabsl((long double)p.x * q.y) + fabsl((long double)p.y * q.x);
        }
    }
    edge *all = calloc(3 * count, sizeof *all);
    char *used = calloc(n, 1);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = triangle + 3 * i;
        ts_vec2 a = d->point.item[t[0]], b = d->point.item[t[1]], c = d->point.item[t[2]];
        sum += 0.5L * (((long double)b.x - a.x) * ((long double)c.y - a.y) -
                       ((long double)b.y - a.y) * ((long double)c.x - a.x));
        assert_int_equal(ts_orientation(a, b, c), 1);
        for (size_t k = 0; k < 3; k++) {
            used[t[k]] = 1;
            all[3 * i + k] = (edge){t[k], t[(k + 1) % 3]};
        }
    }
    /* the second term: rounding of the contours' own sum, which nearly cancels for thin shapes */
    if (!(fabsl(sum - whole) <= 1e-12L * whole + 1e-17L * size))
        fail_msg("areas: %.17Lg of %.17Lg", sum, whole);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(used[i], 1);
    /* edges inside come in opposite pairs, those of the contours alone; none twice */
    qsort(all, 3 * count, sizeof *all, by_edge);
    size_t alone = 0;
    for (size_t i = 0; i < 3 * count; i++) {
        if (i)
            assert_true(by_edge(&all[i - 1], &all[i]) != 0);
        edge back = {all[i].b, all[i].a};
        alone += !bsearch(&back, all, 3 * count, sizeof *all, by_edge);
    }
    assert_int_equal(alone, n);
    free(all);
    free(used);
    ts_free(triangle);
}

static void stars_with_holes(void **unused)
{
    (void)unused;
    for (int try = 0; try < 60; try++) {
        drawing d = {0};
        int side = 1 + try % 6, corners = 3 + try % 17;
        double width = side + roll(0, 1e-3);
        begin_contour(&d);
        /* a frame whose corners and extra points on straight sides the holes must do with */
        for (int i = 0; i < side; i++)
            add_point(&d, i, 0);
        add_point(&d, width, 0);
        add_point(&d, width, width);
        add_point(&d, 0, width);
        for (int i = side; i > 0; i--)
            add_point(&d, 0, i * 0.5);
        for (int i = 0; i < side; i++)
            for (int j = 0; j < side; j++)
                add_star(&d, (ts_vec2){i + 0.5, j + 0.5}, 0.45, corners, -1);
        /* an island in the first hole, with a hole of its own */
        add_star(&d, (ts_vec2){0.5, 0.5}, 0.02, 7, 1);
        check(&d, 2);
        drawing_free(&d);
    }
}

/* Holes on a lattice: equal coordinates everywhere, rays through corners, bridges along straight lines. */
static void squares_on_a_lattice(void **unused)
{
    (void)unused;
    drawing d = {0};
    int side = 12;
    begin_contour(&d);
    add_point(&d, 0, 0);
    add_point(&d, side, 0);
    add_point(&d, side, side);
    add_point(&d, 0, side);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            begin_contour(&d);
            add_point(&d, i + 0.25, j + 0.25);
            add_point(&d, i + 0.25, j + 0.75);
            add_point(&d, i + 0.75, j + 0.75);
            add_point(&d, i + 0.75, j + 0.25);
        }
    check(&d, 1);
    drawing_free(&d);
    /* the same, with holes that stand on a corner */
    begin_contour(&d);
    add_point(&d, 0, 0);
    add_point(&d, side, 0);
    add_point(&d, side, side);
    add_point(&d, 0, side);
    for (int i = 1; i < side; i++)
        for (int j = 1; j < side; j++) {
            begin_contour(&d);
            add_point(&d, i - 0.375, j);
            add_point(&d, i, j + 0.375);
            add_point(&d, i + 0.375, j);
            add_point(&d, i, j - 0.375);
        }
    check(&d, 1);
    drawing_free(&d);
}

static void long_contours(void **unused)
{
    (void)unused;
    drawing d = {0};
    add_star(&d, (ts_vec2){0, 0}, 1, 20000, 1);
    check(&d, 1);
    drawing_free(&d);
    /* a spiral, whose every inner vertex is reflex */
    int n = 4000;
    begin_contour(&d);
    for (int i = 0; i < n; i++)
        add_point(&d, (1 + 0.01 * i) * cos(0.05 * i), (1 + 0.01 * i) * sin(0.05 * i));
    for (int i = n - 1; i >= 0; i--)
        add_point(&d, (0.5 + 0.01 * i) * cos(0.05 * i), (0.5 + 0.01 * i) * sin(0.05 * i));
    check(&d, 1);
    drawing_free(&d);
}

/* Rings so thin that only exact signs keep them apart. */
static void thin_rings(void **unused)
{
    (void)unused;
    for (double thickness = 1e-2; thickness > 1e-13; thickness /= 10) {
        drawing d = {0};
        for (int hole = 0; hole < 2; hole++) {
            begin_contour(&d);
            double r = hole ? 1 - thickness : 1;
            for (int i = 0; i < 64; i++) {
                double angle = (hole ? -1 : 1) * 2 * TS_PI * i / 64;
                add_point(&d, r * cos(angle), r * sin(angle));
            }
        }
        check(&d, 1);
        drawing_free(&d);
    }
}

/* The triangles' area, all of them positive; fails when there are none. */
static double area_of(drawing *d)
{
    size_t contours = d->begin.count;
    ts_triangles made;
    ts_error error = {0};
    begin_contour(d);
    if (ts_triangulate(d->point.item, d->begin.item, contours, false, &made, &error) != TS_OK)
        fail_msg("%s", error.message);
    uint32_t *triangle = made.index;
    size_t count = made.count;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        ts_vec2 a = d->point.item[triangle[3 * i]], b = d->point.item[triangle[3 * i + 1]],
                c = d->point.item[triangle[3 * i + 2]];
        assert_int_equal(ts_orientation(a, b, c), 1);
        sum += 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
    }
    ts_free(triangle);
    drawing_free(d);
    return sum;
}

static void add_contour(drawing *d, const double (*p)[2], int count)
{
    begin_contour(d);
    for (int i = 0; i < count; i++)
        add_point(d, p[i][0], p[i][1]);
}

/* Holes that meet the rim, each other, themselves, and islands, at common vertices. Areas by counting squares. */
static void contours_may_meet(void **unused)
{
    (void)unused;
    static const double rim[][2] = {{0, 0}, {2, 0}, {4, 0}, {4, 2}, {4, 4}, {2, 4}, {0, 4}, {0, 2}};
    static const double corner[][2] = {{0, 0}, {1, 2}, {2, 1}};
    static const double right[][2] = {{4, 2}, {3, 1}, {3, 3}};
    static const double diamond[][2] = {{2, 0}, {0, 2}, {2, 4}, {4, 2}};               /* four pieces are left */
    static const double square[][2] = {{2, 1}, {1, 2}, {2, 3}, {3, 2}};                /* alone in the middle */
    static const double above[][2] = {{2, 3}, {1.5, 3.5}, {2.5, 3.5}};                 /* on top of it */
    static const double eight[][2] = {{2, 2}, {1, 1}, {1, 3}, {2, 2}, {3, 3}, {3, 1}}; /* passes (2, 2) twice */
    static const double island[][2] = {{2, 1}, {2.5, 2}, {2, 3}, {1.5, 2}}; /* meets `square` above and below */
    drawing d = {0};
    add_contour(&d, rim, 8);
    add_contour(&d, corner, 3);
    assert_float_equal(area_of(&d), 16 - 1.5, 1e-12);
    add_contour(&d, rim, 8);
    add_contour(&d, right, 3);
    add_contour(&d, corner, 3);
    assert_float_equal(area_of(&d), 16 - 1.5 - 1, 1e-12);
    add_contour(&d, rim, 8);
    add_contour(&d, diamond, 4);
    assert_float_equal(area_of(&d), 8, 1e-12);
    add_contour(&d, rim, 8);
    add_contour(&d, above, 3);
    add_contour(&d, square, 4);
    assert_float_equal(area_of(&d), 16 - 2 - 0.25, 1e-12);
    add_contour(&d, rim, 8);
    add_contour(&d, eight, 6);
    assert_float_equal(area_of(&d), 16 - 2, 1e-12);
    add_contour(&d, rim, 8);
    add_contour(&d, square, 4);
    add_contour(&d, island, 4);
    assert_float_equal(area_of(&d), 16 - 2 + 1, 1e-12);
}

/* Any set of squares of a lattice: their edges, those between two of them left out, bound it; squares that meet at a
 * corner alone pinch it. Order and direction of the walk are as they come. */
static void squares_by_chance(void **unused)
{
    (void)unused;
    enum { SIDE = 9 };
    for (int try = 0; try < 300; try++) {
        drawing d = {0};
        int count = 0;
        double share = roll(0.2, 0.9);
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++)
                if (roll(0, 1) < share) {
                    begin_contour(&d); /* twins of edges cancel in the triangulation itself */
                    add_point(&d, i, j);
                    add_point(&d, i + 1, j);
                    add_point(&d, i + 1, j + 1);
                    add_point(&d, i, j + 1);
                    count++;
                }
        if (count > 0)
            assert_float_equal(area_of(&d), count, 1e-9);
        drawing_free(&d);
    }
}

static void crossings_are_refused(void **unused)
{
    (void)unused;
    const ts_vec2 bow[] = {{0, 0}, {2, 1}, {2, 0}, {0, 1.5}};
    const ts_vec2 lost[] = {{0, 0}, {1, 0}, {0, 1}, {5, 5}, {5, 6}, {6, 5}};
    const ts_vec2 flat[] = {{0, 0}, {1, 1}, {2, 2}};
    ts_triangles made;
    ts_error error;
    assert_int_equal(ts_triangulate(bow, (size_t[]){0, 4}, 1, false, &made, &error), TS_BAD_INPUT);
    assert_int_equal(ts_triangulate(lost, (size_t[]){0, 3, 6}, 2, false, &made, &error), TS_BAD_INPUT);
    assert_int_equal(ts_triangulate(flat, (size_t[]){0, 3}, 1, false, &made, &error), TS_BAD_INPUT);
    assert_int_equal(ts_triangulate(flat, (size_t[]){0, 2}, 1, false, &made, &error), TS_BAD_INPUT);
}

/* Kettner et al. 2008: near (0.5, 0.5) on the line through (12, 12) and (24, 24) rounding gives all three signs at
 * random. */
static void signs_are_exact(void **unused)
{
    (void)unused;
    double ulp = ldexp(1, -53);
    for (int i = -8; i <= 8; i++)
        for (int j = -8; j <= 8; j++) {
            ts_vec2 p = {0.5 + (i >= 0 ? 2 : 1) * i * ulp, 0.5 + (j >= 0 ? 2 : 1) * j * ulp};
            int wanted = (p.y > p.x) - (p.y < p.x); /* left of the diagonal */
            assert_int_equal(ts_orientation((ts_vec2){12, 12}, (ts_vec2){24, 24}, p), wanted);
            assert_int_equal(ts_orientation(p, (ts_vec2){12, 12}, (ts_vec2){24, 24}), wanted);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_are_exact),      cmocka_unit_test(stars_with_holes),
        cmocka_unit_test(squares_on_a_lattice), cmocka_unit_test(long_contours),
        cmocka_unit_test(thin_rings),           cmocka_unit_test(contours_may_meet),
        cmocka_unit_test(squares_by_chance),    cmocka_unit_test(crossings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
