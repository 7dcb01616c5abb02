/* SPDX-License-Identifier: MIT */
/* Surfaces of single primitives: closed, on the zero set, with the volumes of closed forms. */
#include "shape/primitive_mesh.h"

#include "shape/sdf.h"
#include "support/check.h"

static ts_primitive superquadric(ts_vec3 size, double e1, double e2)
{
    return (ts_primitive){.kind = TS_PRIMITIVE_SUPERQUADRIC,
                          .pose = {{0.3, -0.2, 0.1}, ts_quat_from_axis_angle((ts_vec3){1, 2, 3}, 0.8)},
                          .size = size,
                          .exponent = {e1, e2}};
}

/* By the divergence theorem; it is only right of a closed, oriented surface, wherever that stands. */
static double volume(const ts_mesh *mesh)
{
    double sum = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        sum += ts_vec3_dot(mesh->vertex[t[0]], ts_vec3_cross(mesh->vertex[t[1]], mesh->vertex[t[2]])) / 6;
    }
    return sum;
}

static void vertices_stand_on_the_zero_set(void **state)
{
    (void)state;
    static const double exponent[] = {0.1, 0.5, 1, 1.5, 1.9};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            const ts_primitive one = superquadric((ts_vec3){0.3, 0.02, 2}, exponent[i], exponent[j]);
            ts_mesh *mesh;
            ts_sdf *sdf;
            OK(ts_primitive_mesh(&one, 5, &mesh, ERROR));
            OK(ts_sdf_create(&one, 1, &sdf, ERROR));
            const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
            for (size_t k = 0; k < mesh->vertex_count; k++)
                assert_true(fabs(ts_sdf_at(sdf, &rule, mesh->vertex[k])) < 1e-9);
            ts_sdf_free(sdf);
            ts_mesh_free(mesh);
        }
}

static void an_ellipsoid_has_its_volume(void **state)
{
    (void)state;
    const ts_primitive one = superquadric((ts_vec3){0.3, 0.5, 0.7}, 1, 1);
    ts_mesh *mesh;
    OK(ts_primitive_mesh(&one, 60, &mesh, ERROR));
    NEAR(volume(mesh), 4 * TS_PI / 3 * 0.3 * 0.5 * 0.7, 2e-3 * 0.44);
    ts_mesh_free(mesh);
}

static void a_polyhedron_has_its_volume(void **state)
{
    (void)state;
    ts_vec3 normal[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, point[6];
    for (int i = 0; i < 6; i++)
        point[i] = ts_vec3_scale(normal[i], 0.25);
    const ts_primitive box = {.kind = TS_PRIMITIVE_POLYHEDRON,
                              .subtract = true,
                              .pose = ts_pose3_identity(),
                              .point = point,
                              .normal = normal,
                              .count = 6};
    ts_mesh *mesh;
    OK(ts_primitive_mesh(&box, 12, &mesh, ERROR));
    NEAR(volume(mesh), 0.125, 0.03 * 0.125);
    ts_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(vertices_stand_on_the_zero_set),
        cmocka_unit_test(an_ellipsoid_has_its_volume),
        cmocka_unit_test(a_polyhedron_has_its_volume),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
