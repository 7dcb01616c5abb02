/* SPDX-License-Identifier: MIT */
#include "support/smooth.h"

#include "shape/mesh_iso.h"
#include "shape/mesh_make.h"
#include "support/check.h"

ts_sdf_body *ts_test_smooth(const ts_primitive *primitive, size_t count, ts_mesh *mesh)
{
    ts_sdf *sdf = NULL;
    ts_sdf_body *body = NULL;
    OK(ts_sdf_create(primitive, count, &sdf, ERROR));
    OK(ts_sdf_body_create(sdf, mesh, &body, ERROR));
    return body;
}

static ts_primitive superquadric(ts_vec3 size, double e1, double e2)
{
    return (ts_primitive){
        .kind = TS_PRIMITIVE_SUPERQUADRIC, .pose = ts_pose3_identity(), .size = size, .exponent = {e1, e2}};
}

ts_sdf_body *ts_test_superquadric(ts_vec3 size, double e1, double e2, int cells)
{
    ts_mesh *mesh = NULL;
    OK(ts_mesh_make_box((ts_vec3){1, 1, 1}, cells, &mesh, ERROR));
    for (size_t i = 0; i < mesh->vertex_count; i++) { /* along the ray to where f = 1 */
        ts_vec3 p = mesh->vertex[i];
        const double xy = pow(pow(fabs(p.x), 2 / e2) + pow(fabs(p.y), 2 / e2), e2 / e1);
        const double gauge = pow(xy + pow(fabs(p.z), 2 / e1), e1 / 2);
        mesh->vertex[i] = ts_vec3_times(ts_vec3_scale(p, 1 / gauge), size);
    }
    const ts_primitive one = superquadric(size, e1, e2);
    return ts_test_smooth(&one, 1, mesh);
}

ts_sdf_body *ts_test_sharp_box(double half, double e, int cells)
{
    ts_mesh *mesh = NULL;
    OK(ts_mesh_make_box((ts_vec3){half, half, half}, cells, &mesh, ERROR));
    const ts_primitive one = superquadric((ts_vec3){half, half, half}, e, e);
    return ts_test_smooth(&one, 1, mesh);
}

ts_sdf_body *ts_test_polyhedron_box(double half, int cells)
{
    ts_mesh *mesh = NULL;
    OK(ts_mesh_make_box((ts_vec3){half, half, half}, cells, &mesh, ERROR));
    ts_vec3 normal[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, point[6];
    for (int i = 0; i < 6; i++)
        point[i] = ts_vec3_scale(normal[i], half);
    const ts_primitive one = {
        .kind = TS_PRIMITIVE_POLYHEDRON, .pose = ts_pose3_identity(), .point = point, .normal = normal, .count = 6};
    return ts_test_smooth(&one, 1, mesh);
}

static double blob_value(void *user, ts_vec3 p)
{
    const ts_sdf *sdf = user;
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    return ts_sdf_at(sdf, &rule, p);
}

ts_sdf_body *ts_test_blob(double scale)
{
    ts_primitive part[3] = {superquadric((ts_vec3){0.5, 0.3, 0.25}, 0.8, 0.5),
                            superquadric((ts_vec3){0.2, 0.2, 0.4}, 1, 1),
                            superquadric((ts_vec3){0.15, 0.4, 0.15}, 1.3, 0.7)};
    part[1].pose = (ts_pose3){{0.4, 0.1, 0.2}, ts_quat_from_axis_angle((ts_vec3){1, 2, 0.5}, 0.7)};
    part[2].pose = (ts_pose3){{-0.35, 0.2, -0.1}, ts_quat_from_axis_angle((ts_vec3){0, 1, 1}, -0.4)};
    for (int i = 0; i < 3; i++) {
        part[i].size = ts_vec3_scale(part[i].size, scale);
        part[i].pose.position = ts_vec3_scale(part[i].pose.position, scale);
    }
    ts_sdf *sdf = NULL;
    ts_sdf_body *body = NULL;
    ts_mesh *mesh = NULL;
    OK(ts_sdf_create(part, 3, &sdf, ERROR));
    ts_box3 box = ts_sdf_bounds(sdf);
    const ts_vec3 more = ts_vec3_scale((ts_vec3){0.1, 0.1, 0.1}, scale);
    box = (ts_box3){ts_vec3_sub(box.low, more), ts_vec3_add(box.high, more)};
    OK(ts_mesh_iso(blob_value, sdf, box, 9, &mesh, ERROR));
    OK(ts_sdf_body_create(sdf, mesh, &body, ERROR));
    return body;
}
