/* SPDX-License-Identifier: MIT */
/* Surfaces where a function is zero: closed whatever the function, on it, of the right volume and kind. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "shape/mesh_iso.h"
#include "support/check.h"
#include "support/surface.h"

static const ts_box3 around = {{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}};

static double ball(void *user, ts_vec3 p)
{
    (void)user;
    return ts_vec3_length(p) - 1;
}

/* (√(x² + y²) − 1)² + z² = 0.16, a torus, as a function that is no distance. */
static double ring(void *user, ts_vec3 p)
{
    (void)user;
    double u = hypot(p.x, p.y) - 1;
    return u * u + p.z * p.z - 0.16;
}

/* A box between planes of the lattice: zero at many of its points. */
static double block(void *user, ts_vec3 p)
{
    (void)user;
    return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) - 1;
}

/* A number in [−1, 1] at each point, without any continuity, but outside on the sides. */
static double noise(void *user, ts_vec3 p)
{
    uint64_t bits[3];
    memcpy(bits, &p, sizeof bits);
    double value = ts_random_range(*(const uint64_t *)user, bits[0] ^ bits[1] << 1, bits[2], -1, 1);
    return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) > 1.45 ? 1 : value;
}

static ts_mesh *surface(ts_iso_function f, void *user, ts_box3 box, int cells)
{
    ts_mesh *mesh = NULL;
    OK(ts_mesh_iso(f, user, box, cells, &mesh, ERROR));
    return mesh;
}

/* Vertices lie on the sphere, but for 2 % of a cell; the volume converges with the square of the cells. */
static void sphere(void **state)
{
    (void)state;
    double before = 0;
    for (int cells = 8; cells <= 32; cells *= 2) {
        ts_mesh *mesh = surface(ball, NULL, around, cells);
        ts_test_surface s = ts_test_surface_of(mesh);
        assert_true(s.closed && s.manifold);
        assert_int_equal(s.parts, 1);
        assert_int_equal(s.euler, 2);
        assert_true(s.smallest > 1e-4);
        size_t off = 0;
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            double distance = fabs(ts_vec3_length(mesh->vertex[i]) - 1);
            assert_true(distance <= 0.02 * sqrt(2) * 3 / cells);
            off += distance > 1e-9;
        }
        assert_true(off < mesh->vertex_count / 4);
        double wrong = 4.0 / 3 * TS_PI - s.volume;
        assert_true(wrong > 0 && wrong < 14.0 / (cells * cells));
        if (before > 0)
            assert_true(before / wrong > 3 && before / wrong < 5.5);
        before = wrong;
        ts_mesh_free(mesh);
    }
}

static void torus(void **state)
{
    (void)state;
    ts_mesh *mesh = surface(ring, NULL, around, 40);
    ts_test_surface s = ts_test_surface_of(mesh);
    assert_true(s.closed && s.manifold);
    assert_int_equal(s.euler, 0);
    NEAR(s.volume, 2 * TS_PI * TS_PI * 0.16, 0.03);
    ts_mesh_free(mesh);
    /* with other sides: cells are cubes still */
    mesh = surface(ring, NULL, (ts_box3){{-1.5, -1.5, -0.5}, {1.6, 1.5, 0.5}}, 40);
    s = ts_test_surface_of(mesh);
    assert_true(s.closed && s.manifold && s.euler == 0);
    NEAR(s.volume, 2 * TS_PI * TS_PI * 0.16, 0.03);
    ts_mesh_free(mesh);
}

/* Where the function is zero on whole faces, edges and points of the lattice, no triangle degenerates. */
static void on_the_lattice(void **state)
{
    (void)state;
    ts_mesh *mesh = surface(block, NULL, around, 12);
    ts_test_surface s = ts_test_surface_of(mesh);
    assert_true(s.closed && s.manifold);
    assert_int_equal(s.euler, 2);
    assert_true(s.smallest > 1e-4);
    NEAR(s.volume, 8, 0.5);
    ts_mesh_free(mesh);
}

/* Nothing but the signs decides how triangles join: a surface of noise is as closed as any. Five tetrahedra of each
 * cube, whatever is inside: a volume between nothing and all. */
static void closed_whatever(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ts_mesh *mesh = surface(noise, &seed, around, 14);
        ts_test_surface s = ts_test_surface_of(mesh);
        assert_true(s.closed && s.manifold);
        assert_true(s.parts > 10 && s.euler < 0);
        assert_true(s.smallest > 1e-5);
        assert_true(s.volume > 4 && s.volume < 14);
        ts_mesh_free(mesh);
    }
}

/* Mirrored along any axis a symmetric surface has the same vertices, to the last bit. */
static void mirrored(void **state)
{
    (void)state;
    ts_mesh *mesh = surface(ring, NULL, around, 17);
    for (int axis = 0; axis < 3; axis++)
        assert_true(ts_test_mirrored(mesh, axis));
    ts_mesh_free(mesh);
}

static double nowhere(void *user, ts_vec3 p)
{
    (void)user, (void)p;
    return 1;
}

static double no_number(void *user, ts_vec3 p)
{
    (void)user;
    return p.x > 0.5 ? nan("") : 1;
}

static void refuse(ts_iso_function f, ts_box3 box, int cells, const char *because)
{
    ts_mesh *mesh = NULL;
    assert_int_equal(ts_mesh_iso(f, NULL, box, cells, &mesh, ERROR), TS_BAD_INPUT);
    assert_null(mesh);
    assert_non_null(strstr(ERROR->message, because));
}

static void refusals(void **state)
{
    (void)state;
    refuse(ball, (ts_box3){{-1.5, -1.5, -0.9}, {1.5, 1.5, 1.5}}, 20, "larger box");
    refuse(nowhere, around, 20, "nowhere");
    refuse(no_number, around, 20, "no number");
    refuse(ball, around, 1, "cells");
    refuse(ball, around, 1000000, "cells");
    refuse(ball, (ts_box3){{-1.5, -1.5, 1}, {1.5, 1.5, 1}}, 20, "positive");
    refuse(ball, (ts_box3){{-HUGE_VAL, -1.5, 1}, {1.5, 1.5, 2}}, 20, "positive");
    refuse(ball, (ts_box3){{nan(""), nan(""), nan("")}, {1.5, 1.5, 2}}, 20, "positive");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere),          cmocka_unit_test(torus),    cmocka_unit_test(on_the_lattice),
        cmocka_unit_test(closed_whatever), cmocka_unit_test(mirrored), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
