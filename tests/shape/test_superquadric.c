/* SPDX-License-Identifier: MIT */
/* Meshes of single superquadrics, and masses of smooth bodies. */
#include "shape/superquadric.h"

#include <stdlib.h>
#include <string.h>

#include "shape/sdf_mass.h"
#include "support/check.h"
#include "support/smooth.h"

static const double exponents[] = {0.1, 0.2, 0.5, 1, 1.5, 1.9};
enum { EXPONENTS = 6 };
static const ts_vec3 sizes[] = {{1, 1, 1}, {1, 0.5, 0.25}, {0.1, 0.1, 1}, {2e-3, 5e-3, 1e-3}};
enum { SIZES = 4 };

static ts_primitive superquadric(ts_vec3 size, double e1, double e2)
{
    return (ts_primitive){.pose = ts_pose3_identity(), .size = size, .exponent = {e1, e2}};
}

static int by_place(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(ts_vec3));
}

/* Each vertex has its mirror image in each coordinate plane, bit for bit; so has each triangle, the other way round. */
static void check_mirrors(const ts_mesh *mesh)
{
    const size_t n = mesh->vertex_count;
    ts_vec3 *own = calloc(n, sizeof *own), *image = calloc(n, sizeof *image);
    int32_t *partner = calloc(n, sizeof *partner);
    assert_true(own && image && partner);
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < n; i++) {
            double p[3] = {mesh->vertex[i].x, mesh->vertex[i].y, mesh->vertex[i].z};
            p[axis] = p[axis] == 0 ? 0 : -p[axis];
            own[i] = mesh->vertex[i];
            image[i] = (ts_vec3){p[0], p[1], p[2]};
            partner[i] = -1;
            for (size_t k = 0; k < n; k++)
                if (memcmp(&image[i], &mesh->vertex[k], sizeof *image) == 0)
                    partner[i] = (int32_t)k;
            assert_true(partner[i] >= 0);
        }
        qsort(own, n, sizeof *own, by_place);
        qsort(image, n, sizeof *image, by_place);
        assert_memory_equal(own, image, n * sizeof *own);
        for (size_t i = 0; i < mesh->triangle_count; i++) {
            int found = 0;
            const int32_t *t = mesh->triangle[i], m[3] = {partner[t[0]], partner[t[2]], partner[t[1]]};
            for (size_t k = 0; k < mesh->triangle_count; k++)
                for (int r = 0; r < 3; r++) {
                    const int32_t *u = mesh->triangle[k];
                    found += u[r] == m[0] && u[(r + 1) % 3] == m[1] && u[(r + 2) % 3] == m[2];
                }
            assert_int_equal(found, 1);
        }
    }
    free(own);
    free(image);
    free(partner);
}

static void test_mesh(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; s++)
        for (int i = 0; i < EXPONENTS; i++)
            for (int k = 0; k < EXPONENTS; k++) {
                const ts_primitive one = superquadric(sizes[s], exponents[i], exponents[k]);
                ts_mesh *mesh = NULL;
                OK(ts_superquadric_mesh(&one, 300, &mesh, ERROR));
                assert_in_range(mesh->vertex_count, 200, 400);
                if (s == 1)
                    check_mirrors(mesh);
                ts_sdf_body *body = ts_test_smooth(&one, 1, mesh); /* refuses what is not closed, or inside out */
                const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
                const double length = ts_sdf_length(body->sdf);
                for (size_t v = 0; v < mesh->vertex_count; v++)
                    NEAR(ts_sdf_at(body->sdf, &rule, mesh->vertex[v]), 0, 1e-15 * length);
                for (size_t e = 0; e < body->edge_count; e++)
                    assert_true(ts_sdf_at(body->sdf, &rule,
                                          ts_vec3_lerp(mesh->vertex[body->edge[e][0]], mesh->vertex[body->edge[e][1]],
                                                       0.5)) < 1e-12 * length);
                /* rims are not cut off: what is missing of the volume */
                ts_solid_mass own;
                OK(ts_solid_mass_of_mesh(mesh, &own, ERROR));
                const double share = own.volume / ts_superquadric_mass(&one).volume;
                assert_true(share < 1 && share > 0.955);
                ts_sdf_body_free(body);
            }
}

static void test_counts(void **state)
{
    (void)state;
    const size_t wish[] = {8, 26, 98, 1000, 5000, 16384};
    for (size_t i = 0; i < sizeof wish / sizeof *wish; i++) {
        const ts_primitive one = superquadric((ts_vec3){1, 1, 0.7}, 0.3, 1.2);
        ts_mesh *mesh = NULL;
        OK(ts_superquadric_mesh(&one, wish[i], &mesh, ERROR));
        assert_in_range(mesh->vertex_count, wish[i] < 26 ? 26 : wish[i] * 3 / 4,
                        wish[i] < 26              ? 26
                        : wish[i] * 4 / 3 < 16384 ? wish[i] * 4 / 3
                                                  : 16384);
        ts_sdf_body_free(ts_test_smooth(&one, 1, mesh));
    }
}

/* ---- Masses ---- */

static void check_mass(const ts_solid_mass *a, double volume, ts_vec3 inertia, double tolerance)
{
    NEAR(a->volume / volume, 1, tolerance);
    const double diagonal[3] = {inertia.x, inertia.y, inertia.z};
    for (int i = 0; i < 3; i++)
        NEAR(a->inertia.m[i][i] / diagonal[i], 1, tolerance);
}

static void test_closed_forms(void **state)
{
    (void)state;
    const double a = 0.3, b = 0.5, c = 0.2, ball = 4.0 / 3 * TS_PI * a * b * c;
    /* an ellipsoid */
    const ts_primitive ellipsoid = superquadric((ts_vec3){a, b, c}, 1, 1);
    ts_solid_mass mass = ts_superquadric_mass(&ellipsoid);
    check_mass(&mass, ball,
               (ts_vec3){ball / 5 * (b * b + c * c), ball / 5 * (c * c + a * a), ball / 5 * (a * a + b * b)}, 1e-14);
    /* towards a box, an elliptic cylinder and an octahedron: the limits are linear in ε near 0, so two of them tell it */
    const double box = 8 * a * b * c, cylinder = 2 * TS_PI * a * b * c;
    const ts_primitive boxy[2] = {superquadric((ts_vec3){a, b, c}, 1e-5, 1e-5),
                                  superquadric((ts_vec3){a, b, c}, 1e-5, 1)};
    mass = ts_superquadric_mass(&boxy[0]);
    check_mass(&mass, box, (ts_vec3){box / 3 * (b * b + c * c), box / 3 * (c * c + a * a), box / 3 * (a * a + b * b)},
               1e-8);
    mass = ts_superquadric_mass(&boxy[1]);
    check_mass(&mass, cylinder,
               (ts_vec3){cylinder * (b * b / 4 + c * c / 3), cylinder * (c * c / 3 + a * a / 4),
                         cylinder * (a * a + b * b) / 4},
               1e-8);
    const ts_primitive octahedron = superquadric((ts_vec3){a, b, c}, 2, 2);
    const double volume = 4.0 / 3 * a * b * c;
    mass = ts_superquadric_mass(&octahedron);
    check_mass(&mass, volume,
               (ts_vec3){volume / 10 * (b * b + c * c), volume / 10 * (c * c + a * a), volume / 10 * (a * a + b * b)},
               1e-13);
}

/* A superquadric with a small one inside of it is a blend, whose zero set is that of the large one: an independent way. */
static void test_blends(void **state)
{
    (void)state;
    const double some[] = {0.1, 0.5, 1, 1.9};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            ts_primitive two[2];
            two[0] = superquadric((ts_vec3){0.4, 0.2, 0.1}, some[i], some[k]);
            two[0].pose = (ts_pose3){{0.3, -0.2, 0.1}, ts_quat_from_axis_angle((ts_vec3){1, 2, 3}, 0.9)};
            two[1] = two[0];
            two[1].size = ts_vec3_scale(two[0].size, 0.3);
            ts_sdf *sdf = NULL;
            ts_solid_mass mass, own = ts_superquadric_mass(&two[0]);
            double off;
            OK(ts_sdf_create(two, 2, &sdf, ERROR));
            OK(ts_sdf_mass(sdf, &mass, &off, ERROR));
            const double sharp = some[i] > 1 ? 1.5e-3 : 1e-4; /* a rim of 53°, which a lattice cuts off */
            NEAR(mass.volume / own.volume, 1, sharp);
            assert_true(ts_vec3_distance(mass.centre, two[0].pose.position) < 1e-4);
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    NEAR(mass.inertia.m[r][c], own.inertia.m[r][c], 4 * sharp * own.inertia.m[2][2]);
            assert_true(off < 1e-3);
            const ts_solid_mass twice = ts_solid_mass_scaled(&mass, 2);
            NEAR(twice.volume, 8 * mass.volume, 1e-12);
            NEAR(twice.inertia.m[0][1], 32 * mass.inertia.m[0][1], 1e-12);
            ts_sdf_free(sdf);
        }
}

/* A ball with a round hole through it, from pole to pole: what is left has the volume of a ball as high as the hole. */
static void test_napkin_ring(void **state)
{
    (void)state;
    ts_primitive part[2] = {superquadric((ts_vec3){1, 1, 1}, 1, 1), superquadric((ts_vec3){0.5, 0.5, 2}, 0.1, 1)};
    part[1].subtract = true;
    ts_sdf *sdf = NULL;
    ts_solid_mass mass;
    OK(ts_sdf_create(part, 2, &sdf, ERROR));
    OK(ts_sdf_set_smoothing(sdf, 1e-5, ERROR));
    OK(ts_sdf_mass(sdf, &mass, NULL, ERROR));
    NEAR(mass.volume, 4.0 / 3 * TS_PI * pow(0.75, 1.5), 3e-4 * 2.72);
    ts_sdf_free(sdf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh),   cmocka_unit_test(test_counts),      cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_blends), cmocka_unit_test(test_napkin_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
