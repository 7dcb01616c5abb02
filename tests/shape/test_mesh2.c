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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_are_regular_polygons),
        cmocka_unit_test(outlines_come_nearer),
        cmocka_unit_test(thin_rings_get_a_finer_mesh),
        cmocka_unit_test(solids_are_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
