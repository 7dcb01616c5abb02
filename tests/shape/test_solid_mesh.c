/* SPDX-License-Identifier: MIT */
/* Surfaces of solids: closed, outward, on the surface, and with volumes that go to those of textbooks like 1/n². */
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "shape/solid_mesh.h"

static const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 0.7};
static const ts_solid box = {.kind = TS_SOLID_BOX, .half = {0.5, 0.25, 2}};
static const ts_solid pill = {.kind = TS_SOLID_CAPSULE, .radius = 0.3, .half_length = 0.8};
static const ts_solid can = {.kind = TS_SOLID_CYLINDER, .radius = 0.4, .half_length = 0.1};
static const ts_solid jar = {.kind = TS_SOLID_VESSEL, .radius = 0.4, .half_length = 0.1};

/* A pyramid on a square: faces of four and of three corners. */
static ts_vec3 tip[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 3}};
static int32_t side[] = {3, 2, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4}, first[] = {0, 4, 7, 10, 13, 16};
static const ts_hull pyramid = {.vertex = tip, .vertex_count = 5, .corner = side, .face_begin = first, .face_count = 5};

static double volume_of(const ts_mesh *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const int32_t *t = m->triangle[i];
        sum += ts_vec3_dot(m->vertex[t[0]], ts_vec3_cross(m->vertex[t[1]], m->vertex[t[2]])) / 6;
    }
    return sum;
}

/* Every edge is there once in each direction. */
static void assert_closed(const ts_mesh *m)
{
    for (size_t i = 0; i < 3 * m->triangle_count; i++) {
        int32_t a = m->triangle[i / 3][i % 3], b = m->triangle[i / 3][(i + 1) % 3];
        int there = 0, back = 0;
        for (size_t k = 0; k < 3 * m->triangle_count; k++) {
            int32_t c = m->triangle[k / 3][k % 3], d = m->triangle[k / 3][(k + 1) % 3];
            there += c == a && d == b;
            back += c == b && d == a;
        }
        assert_int_equal(there, 1);
        assert_int_equal(back, 1);
    }
}

static void check(const ts_solid *solid, double volume, double share)
{
    ts_mesh *mesh;
    double error[2];
    for (int i = 0; i < 2; i++) {
        OK(ts_solid_mesh(solid, i ? 24 : 12, &mesh, ERROR));
        assert_closed(mesh);
        assert_int_equal(mesh->triangle_count, ts_solid_mesh_triangles(solid, i ? 24 : 12));
        error[i] = (volume - volume_of(mesh)) / volume;
        ts_mesh_free(mesh);
    }
    if (share == 0) {
        NEAR(error[0], 0, 1e-14);
        return;
    }
    NEAR(error[1], share, 0.02 * share);
    NEAR(error[0] / error[1], 4, 0.2); /* second order */
}

static void test_volumes(void **nothing)
{
    (void)nothing;
    double r = 0.7, p = 0.3;
    /* polygons of n corners lack (2π/n)²/6 of a circle; chords of a meridian as long take (2π/n)²/4 more of a ball */
    double polygon = 2 * TS_PI * TS_PI / 3 / (24 * 24), meridian = TS_PI * TS_PI / (24 * 24);
    double caps = 4 * TS_PI / 3 * p * p * p, tube = TS_PI * p * p * 1.6;
    check(&ball, 4 * TS_PI / 3 * r * r * r, polygon + meridian);
    check(&pill, caps + tube, polygon + meridian * caps / (caps + tube));
    check(&can, TS_PI * 0.16 * 0.2, polygon);
    check(&box, 8 * 0.5 * 0.25 * 2, 0);
    check(&(ts_solid){.kind = TS_SOLID_HULL, .hull = &pyramid}, 4, 0);
}

/* Of a vessel the outside is the room within: the same surface with the opposite sign. */
static void test_vessel(void **nothing)
{
    (void)nothing;
    ts_mesh *inner, *outer;
    OK(ts_solid_mesh(&can, 20, &outer, ERROR));
    OK(ts_solid_mesh(&jar, 20, &inner, ERROR));
    assert_closed(inner);
    NEAR(volume_of(inner), -volume_of(outer), 1e-15);
    ts_mesh_free(inner);
    ts_mesh_free(outer);
}

static double distance_to(const ts_solid *s, ts_vec3 p)
{
    double z = fabs(p.z), flat = hypot(p.x, p.y);
    if (s->kind == TS_SOLID_SPHERE)
        return ts_vec3_length(p) - s->radius;
    if (s->kind == TS_SOLID_CAPSULE)
        return hypot(flat, fmax(z - s->half_length, 0)) - s->radius;
    return fmax(flat - s->radius, z - s->half_length);
}

static void test_vertices_on_surface(void **nothing)
{
    (void)nothing;
    const ts_solid *round[] = {&ball, &pill, &can};
    static const int segments[] = {-3, 4, 7, 10, 1000};
    for (int i = 0; i < 15; i++) {
        ts_mesh *mesh;
        OK(ts_solid_mesh(round[i / 5], segments[i % 5], &mesh, ERROR));
        for (size_t k = 0; k < mesh->vertex_count; k++)
            NEAR(distance_to(round[i / 5], mesh->vertex[k]), 0, 1e-15);
        ts_mesh_free(mesh);
    }
}

/* The polygon of so many corners stays within the share that was asked for, and one of two fewer does not. */
static void test_segments(void **nothing)
{
    (void)nothing;
    for (int i = 0; i < 22; i++) {
        double share = 0.2 * pow(0.7, i);
        int n = ts_solid_segments(share);
        assert_true(n % 2 == 0 && 1 - cos(TS_PI / n) <= share * (1 + 1e-12));
        assert_true(n <= TS_SOLID_SEGMENTS_LEAST || 1 - cos(TS_PI / (n - 2)) > share);
    }
    assert_int_equal(ts_solid_segments(0), TS_SOLID_SEGMENTS_MOST);
    assert_int_equal(ts_solid_segments((double)NAN), TS_SOLID_SEGMENTS_LEAST);
}

static void test_refusal(void **nothing)
{
    (void)nothing;
    ts_mesh *mesh = NULL;
    assert_int_equal(ts_solid_mesh(&(ts_solid){.kind = TS_SOLID_PLANE}, 8, &mesh, ERROR), TS_UNSUPPORTED);
    assert_null(mesh);
    assert_int_equal(ts_solid_mesh_triangles(&(ts_solid){.kind = TS_SOLID_PLANE}, 8), 0);
}

/* A box keeps its edges: 24 vertices with normals of its faces. A ball is round: as many vertices as before, with
 * radial normals. */
static void test_shading(void **nothing)
{
    (void)nothing;
    ts_mesh *mesh;
    ts_mesh3 shaded;
    OK(ts_solid_mesh(&box, 8, &mesh, ERROR));
    OK(ts_mesh_shade(mesh, &shaded, ERROR));
    assert_int_equal(shaded.vertex_count, 24);
    assert_int_equal(shaded.index_count, 36);
    for (size_t i = 0; i < 24; i++) {
        const float *n = shaded.normal[i], *p = shaded.position[i];
        assert_true(fabsf(n[0]) + fabsf(n[1]) + fabsf(n[2]) == 1 && n[0] * p[0] + n[1] * p[1] + n[2] * p[2] > 0);
    }
    ts_mesh3_free(&shaded);
    ts_mesh_free(mesh);
    OK(ts_solid_mesh(&ball, 36, &mesh, ERROR));
    OK(ts_mesh_shade(mesh, &shaded, ERROR));
    assert_int_equal(shaded.vertex_count, mesh->vertex_count);
    for (size_t i = 0; i < shaded.vertex_count; i++)
        for (int k = 0; k < 3; k++)
            NEAR((double)shaded.normal[i][k], (double)shaded.position[i][k] / 0.7, 0.02);
    for (size_t i = 0; i < shaded.index_count; i++) { /* the same triangles */
        ts_vec3 p = mesh->vertex[mesh->triangle[i / 3][i % 3]];
        assert_true(shaded.position[shaded.index[i]][2] == (float)p.z);
    }
    ts_mesh3_free(&shaded);
    ts_mesh_free(mesh);
    OK(ts_solid_mesh(&can, 36, &mesh,
                     ERROR)); /* two rims, each seen from the side and from the end, and the middles of the ends */
    OK(ts_mesh_shade(mesh, &shaded, ERROR));
    assert_int_equal(shaded.vertex_count, 4 * 36 + 2);
    ts_mesh3_free(&shaded);
    ts_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volumes),  cmocka_unit_test(test_vessel),  cmocka_unit_test(test_vertices_on_surface),
        cmocka_unit_test(test_segments), cmocka_unit_test(test_refusal), cmocka_unit_test(test_shading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
