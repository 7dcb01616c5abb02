/* SPDX-License-Identifier: MIT */
/* Meshes of grains: areas in closed form, vertices on the boundary, solids without a leak. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "shape/mesh2.h"

#define must(call)                                         \
    do {                                                   \
        ts_error must_error = {0}, *e = &must_error;       \
        (void)e;                                           \
        if ((call) != TS_OK)                               \
            fail_msg("%s: %s", #call, must_error.message); \
    } while (0)

/* A polygon of n corners on a circle has the area n/2 r² sin(2π/n). */
static void discs_are_regular_polygons(void **unused)
{
    (void)unused;
    const ts_disc disc[] = {{0, 0, 2}, {1.5, -1, 0.5}};
    for (double share = 0.2; share > 1e-5; share /= 3) {
        ts_mesh2 mesh;
        must(ts_mesh2_of_discs(disc, 2, 2 * share, &mesh, e));
        double area = 0;
        for (size_t k = 0; k < 2; k++) {
            size_t n = mesh.begin[k + 1] - mesh.begin[k];
            double r = disc[k].radius;
            area += 0.5 * (double)n * r * r * sin(2 * TS_PI / (double)n);
            assert_int_equal(n % 4, 0);
            assert_true(n == 1024 || r * (1 - cos(TS_PI / (double)n)) <= 2 * share);
            for (size_t i = mesh.begin[k]; i < mesh.begin[k + 1]; i++)
                assert_true(fabs(hypot(mesh.point[i].x - disc[k].x, mesh.point[i].y - disc[k].y) - r) < 1e-14);
        }
        assert_true(mesh.convex);
        assert_true(fabs(ts_mesh2_area(&mesh) - area) < 1e-12 * area);
        ts_mesh2_free(&mesh);
    }
    ts_mesh2 mesh; /* the default of exports, as the docs say */
    must(ts_mesh2_of_discs(disc, 1, 2 * 0.004, &mesh, e));
    assert_int_equal(mesh.begin[1], 36);
    ts_mesh2_free(&mesh);
}

/* Halving the tolerance halves the error of the area, which lies between 0 and tolerance · perimeter. */
static void outlines_come_nearer(void **unused)
{
    (void)unused;
    ts_outline *ring, *box, *bar;
    must(ts_outline_ring(2, 1, &ring, e));
    must(ts_outline_box(3, 2, 0.5, &box, e));
    must(ts_outline_arc(2, 0.5, 4, true, &bar, e));
    const ts_outline *outline[] = {ring, box, bar};
    const double perimeter[] = {2 * TS_PI * 3, 2 * (2 + 1) + TS_PI, 4 * 4 + TS_PI * 0.5};
    for (int k = 0; k < 3; k++)
        for (double tolerance = 0.05; tolerance > 1e-6; tolerance /= 4) {
            ts_mesh2 mesh;
            must(ts_mesh2_of_outline(outline[k], tolerance, &mesh, e));
            double error = fabs(ts_mesh2_area(&mesh) - ts_outline_get_mass(outline[k]).area);
            assert_true(error <= tolerance * perimeter[k]);
            assert_int_equal(mesh.convex, k == 1);
            ts_mesh2_free(&mesh);
        }
    ts_outline_free(ring);
    ts_outline_free(box);
    ts_outline_free(bar);
}

/* Edges of the hole and of the rim of so thin a ring cross at the tolerance asked for. */
static void thin_rings_get_a_finer_mesh(void **unused)
{
    (void)unused;
    ts_outline *ring;
    ts_mesh2 mesh;
    must(ts_outline_ring(1, 0.999, &ring, e));
    must(ts_mesh2_of_outline(ring, 0.05, &mesh, e));
    assert_true(fabs(ts_mesh2_area(&mesh) / (TS_PI * (1 - 0.999 * 0.999)) - 1) < 0.5);
    ts_mesh2_free(&mesh);
    ts_outline_free(ring);
}

/* Volume and area vectors by the divergence theorem: ∮ x·n dA = 3 V, ∮ n dA = 0 on a closed surface. */
static void solids_are_closed(void **unused)
{
    (void)unused;
    ts_outline *ring;
    ts_mesh2 mesh;
    ts_mesh3 solid;
    must(ts_outline_ring(2, 1, &ring, e));
    must(ts_mesh2_of_outline(ring, 0.01, &mesh, e));
    const double depth = 0.75;
    must(ts_mesh2_extrude(&mesh, depth, &solid, e));
    double volume = 0, sum[3] = {0};
    for (size_t i = 0; i < solid.index_count; i += 3) {
        const float *a = solid.position[solid.index[i]], *b = solid.position[solid.index[i + 1]],
                    *c = solid.position[solid.index[i + 2]];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            double u = (double)b[l] - (double)a[l], v = (double)c[m] - (double)a[m], w = (double)b[m] - (double)a[m],
                   x = (double)c[l] - (double)a[l], n = 0.5 * (u * v - w * x);
            sum[k] += n;
            volume += (double)a[k] * n / 3;
        }
    }
    assert_true(fabs(volume - depth * ts_mesh2_area(&mesh)) < 1e-5 * volume);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(sum[k]) < 1e-5);
    /* normals are of unit length, and those of the sides point away from the hole and the axis */
    for (size_t i = 0; i < solid.vertex_count; i++) {
        const float *p = solid.position[i], *n = solid.normal[i];
        assert_true(fabs(hypot(hypot((double)n[0], (double)n[1]), (double)n[2]) - 1) < 1e-6);
        double out = (double)p[0] * (double)n[0] + (double)p[1] * (double)n[1], r = hypot((double)p[0], (double)p[1]);
        if (n[2] == 0)
            assert_true(r > 1.5 ? out > 0.99 * r : out < -0.99 * r);
    }
    ts_mesh3_free(&solid);
    must(ts_mesh2_extrude(&mesh, 0, &solid, e));
    assert_int_equal(solid.index_count, 3 * mesh.triangle_count);
    assert_true(solid.normal[0][2] == 1 && solid.position[0][2] == 0);
    ts_mesh3_free(&solid);
    ts_mesh2_free(&mesh);
    ts_outline_free(ring);
}

/* ---- Outlines that touch themselves ---- */

static uint32_t rolls = 7;
static double roll(double low, double high) /* any sequence will do */
{
    rolls = rolls * 1664525u + 1013904223u;
    return low + (high - low) * (rolls >> 8) / 16777216.0;
}

/* Straight edges: a mesh has the outline's area. It is tried as made, and about its centre of mass, where rounding has
 * moved all points, as a scene has it. */
static void assert_meshed(const ts_contour *contour, size_t count, ts_fill_rule rule, double area)
{
    ts_outline *made, *moved;
    must(ts_outline_create(contour, count, rule, &made, e));
    ts_outline_mass mass = ts_outline_get_mass(made);
    const double shift[2] = {-mass.centre[0], -mass.centre[1]}, angle = roll(0, 6);
    must(ts_outline_place(made, 1, 0, shift, &moved, e));
    for (int k = 0; k < 3; k++) {
        ts_mesh2 mesh;
        must(ts_mesh2_of_outline(k ? moved : made, 0.004 * mass.radius, &mesh, e));
        if (!(fabs(ts_mesh2_area(&mesh) - area) < 1e-9 * mass.radius * mass.radius))
            fail_msg("the area of the mesh is %.15g, not %.15g", ts_mesh2_area(&mesh), area);
        ts_mesh2_free(&mesh);
        if (k == 1) {
            ts_outline *turned;
            must(ts_outline_place(moved, 1, angle, (const double[2]){0, 0}, &turned, e));
            ts_outline_free(moved);
            moved = turned;
        }
    }
    ts_outline_free(made);
    ts_outline_free(moved);
}

static void pinched_outlines_are_meshed(void **unused)
{
    (void)unused;
    static const ts_vertex rim[] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}};
    static const ts_vertex on_right[] = {{3, 1.7, 0}, {2, 1, 0}, {2, 2, 0}},
                           on_top[] = {{0.7, 3, 0}, {1.5, 2, 0}, {0.5, 2, 0}};
    static const ts_vertex one[] = {{0.5, 0.5, 0}, {0.6, 1.5, 0}, {1.3, 1.1, 0}},
                           two[] = {{1.3, 1.1, 0}, {1.7, 1.6, 0}, {1.9, 0.9, 0}},
                           four[] = {{1.5, 0, 0}, {0, 1.5, 0}, {1.5, 3, 0}, {3, 1.5, 0}};
    const ts_contour frame = {rim, 4, false};
    assert_meshed((ts_contour[]){frame, {on_right, 3, false}}, 2, TS_RULE_EVEN_ODD, 9 - 0.5);
    assert_meshed((ts_contour[]){frame, {on_top, 3, false}, {on_right, 3, false}}, 3, TS_RULE_EVEN_ODD, 9 - 1);
    double holes = 0.5 * fabs(0.1 * 0.6 - 1 * 0.8) + 0.5 * fabs(0.4 * -0.2 - 0.5 * 0.6);
    assert_meshed((ts_contour[]){frame, {one, 3, false}, {two, 3, false}}, 3, TS_RULE_EVEN_ODD, 9 - holes);
    assert_meshed((ts_contour[]){frame, {four, 4, false}}, 2, TS_RULE_EVEN_ODD, 4.5);

    /* a pentagram's five points: the decagon of all ten corners without the pentagon in its middle */
    ts_vertex star[5];
    for (int i = 0; i < 5; i++)
        star[i] = (ts_vertex){cos(4 * TS_PI * i / 5), sin(4 * TS_PI * i / 5), 0};
    double inner = cos(2 * TS_PI / 5) / cos(TS_PI / 5), decagon = 5 * inner * sin(TS_PI / 5),
           pentagon = 2.5 * inner * inner * sin(2 * TS_PI / 5);
    assert_meshed(&(ts_contour){star, 5, false}, 1, TS_RULE_EVEN_ODD, decagon - pentagon);
    assert_meshed(&(ts_contour){star, 5, false}, 1, TS_RULE_NONZERO, decagon);
}

/* Squares of a lattice by chance, turned: many pinch points, at places that are no round numbers. */
static void squares_by_chance_are_meshed(void **unused)
{
    (void)unused;
    enum { SIDE = 6 };
    for (int try = 0; try < 60; try++) {
        ts_vertex corner[SIDE * SIDE][4];
        ts_contour contour[SIDE * SIDE];
        size_t count = 0;
        double turn = roll(0, 6), c = cos(turn), s = sin(turn), size = pow(10, roll(-6, 6));
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                static const int x[] = {0, 1, 1, 0}, y[] = {0, 0, 1, 1};
                if (roll(0, 1) > 0.5)
                    continue;
                for (int k = 0; k < 4; k++)
                    corner[count][k] = (ts_vertex){size * (c * (i + x[k]) - s * (j + y[k])),
                                                   size * (s * (i + x[k]) + c * (j + y[k])), 0};
                contour[count] = (ts_contour){corner[count], 4, false};
                count++;
            }
        assert_meshed(contour, count, TS_RULE_NONZERO, (double)count * size * size);
    }
}

/* Polygons by chance that cross themselves: even-odd leaves pieces that meet at the crossings. The reference is the
 * exact area of what repair made of them. */
static void scribbles_are_meshed(void **unused)
{
    (void)unused;
    int made_count = 0;
    for (int try = 0; try < 120; try++) {
        ts_vertex p[12];
        size_t n = 5 + (size_t)try % 8;
        for (size_t i = 0; i < n; i++)
            p[i] = (ts_vertex){roll(-1, 1), roll(-1, 1), 0};
        ts_outline *made;
        if (ts_outline_create(&(ts_contour){p, n, false}, 1, TS_RULE_EVEN_ODD, &made, NULL) != TS_OK)
            continue;
        double area = ts_outline_get_mass(made).area;
        ts_outline_free(made);
        assert_meshed(&(ts_contour){p, n, false}, 1, TS_RULE_EVEN_ODD, area);
        made_count++;
    }
    assert_true(made_count > 100);
}

/* Arcs that touch within both: a round hole in a disc, and two round holes beside each other. Straight edges of both
 * cross there at any tolerance, unless they have a vertex where they touch. */
static void arcs_may_touch(void **unused)
{
    (void)unused;
    for (int try = 0; try < 24; try++) {
        double turn = roll(0, 6), r = roll(0.1, 0.45), q = 1 - r - (try % 2 ? 0 : 0.3 * (1 - r));
        const double radius[] = {1, r, 1 - r - 0.01}, at[] = {0, try % 2 ? q : q - 0.1, 0};
        ts_vertex v[3][2];
        ts_contour contour[3];
        double area = 0;
        size_t count = 0;
        for (int k = 0; k < 2; k++) {
            double along = roll(0, 6); /* where its two vertices are has nothing to do with where it touches */
            ts_vec2 m = {at[k] * cos(turn), at[k] * sin(turn)}, d = {radius[k] * cos(along), radius[k] * sin(along)};
            v[k][0] = (ts_vertex){m.x + d.x, m.y + d.y, 1};
            v[k][1] = (ts_vertex){m.x - d.x, m.y - d.y, 1};
            contour[count++] = (ts_contour){v[k], 2, false};
            area += (k ? -1 : 1) * TS_PI * radius[k] * radius[k];
        }
        if (try % 2 == 0) { /* a third beside the second, touching it */
            double far = at[1] - radius[1], r3 = fmin(0.3, 0.4 * (1 + far)), mid = far - r3;
            v[2][0] = (ts_vertex){mid * cos(turn) + r3, mid * sin(turn), 1};
            v[2][1] = (ts_vertex){mid * cos(turn) - r3, mid * sin(turn), 1};
            contour[count++] = (ts_contour){v[2], 2, false};
            area -= TS_PI * r3 * r3;
        }
        ts_outline *made;
        ts_mesh2 mesh;
        ts_error error;
        if (ts_outline_create(contour, count, TS_RULE_EVEN_ODD, &made, &error) != TS_OK)
            continue; /* what repair refuses is no shape */
        must(ts_mesh2_of_outline(made, 0.004, &mesh, e));
        if (!(fabs(ts_mesh2_area(&mesh) - area) < 0.004 * 2 * TS_PI * 2))
            fail_msg("the area of the mesh is %.15g, not %.15g", ts_mesh2_area(&mesh), area);
        ts_mesh2_free(&mesh);
        ts_outline_free(made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_are_regular_polygons),  cmocka_unit_test(outlines_come_nearer),
        cmocka_unit_test(thin_rings_get_a_finer_mesh), cmocka_unit_test(solids_are_closed),
        cmocka_unit_test(pinched_outlines_are_meshed), cmocka_unit_test(squares_by_chance_are_meshed),
        cmocka_unit_test(scribbles_are_meshed),        cmocka_unit_test(arcs_may_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
