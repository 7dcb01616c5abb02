/* SPDX-License-Identifier: MIT */
#include "manifold_body.h"

#include <math.h>

#include "base/random.h"
#include "shape/mesh_iso.h"

/* Place, attitude (axis and angle), half axes and exponents of each part; the first n of them hang together. */
typedef struct part {
    ts_vec3 place, size, axis;
    double angle, exponent[2];
} part;

static const part animal[TS_BENCH_PRIMITIVES] = {
    {{0.00, 0, 0.00}, {0.20, 0.14, 0.13}, {0, 1, 0}, 0.1, {0.8, 0.9}},      /* trunk */
    {{0.16, 0, 0.03}, {0.11, 0.12, 0.11}, {0, 1, 0}, -0.2, {0.9, 0.8}},     /* chest */
    {{-0.17, 0, 0.01}, {0.12, 0.13, 0.12}, {0, 1, 0}, 0.2, {0.7, 0.9}},     /* hips */
    {{0.31, 0, 0.10}, {0.08, 0.065, 0.06}, {0, 1, 0}, -0.4, {0.8, 0.7}},    /* head */
    {{0.40, 0, 0.07}, {0.06, 0.035, 0.03}, {0, 1, 0}, 0.3, {0.9, 0.6}},     /* snout */
    {{-0.02, 0, 0.08}, {0.19, 0.15, 0.08}, {0, 1, 0}, 0.05, {0.5, 0.8}},    /* armour */
    {{0.15, 0.12, -0.08}, {0.05, 0.045, 0.09}, {1, 0, 0}, 0.3, {0.7, 1}},   /* upper legs */
    {{0.15, -0.12, -0.08}, {0.05, 0.045, 0.09}, {1, 0, 0}, -0.3, {0.7, 1}}, /**/
    {{-0.18, 0.13, -0.08}, {0.06, 0.05, 0.10}, {1, 0, 0}, 0.3, {0.7, 1}},
    {{-0.18, -0.13, -0.08}, {0.06, 0.05, 0.10}, {1, 0, 0}, -0.3, {0.7, 1}},
    {{0.18, 0.15, -0.17}, {0.055, 0.035, 0.05}, {0, 1, 0}, 0.2, {0.4, 0.6}}, /* feet */
    {{0.18, -0.15, -0.17}, {0.055, 0.035, 0.05}, {0, 1, 0}, 0.2, {0.4, 0.6}},
    {{-0.16, 0.16, -0.18}, {0.06, 0.04, 0.05}, {0, 1, 0}, -0.2, {0.4, 0.6}},
    {{-0.16, -0.16, -0.18}, {0.06, 0.04, 0.05}, {0, 1, 0}, -0.2, {0.4, 0.6}},
    {{-0.33, 0, 0.02}, {0.10, 0.05, 0.05}, {0, 1, 0}, 0.3, {0.9, 0.9}}, /* tail */
    {{-0.46, 0, -0.03}, {0.10, 0.03, 0.03}, {0, 1, 0}, 0.4, {1.1, 0.9}},
    {{0.28, 0.06, 0.17}, {0.025, 0.02, 0.05}, {1, 0, 0}, -0.4, {1.2, 1}}, /* ears */
    {{0.28, -0.06, 0.17}, {0.025, 0.02, 0.05}, {1, 0, 0}, 0.4, {1.2, 1}},
};

static double value_at(void *user, ts_vec3 p)
{
    const ts_sdf *sdf = user;
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    return ts_sdf_at(sdf, &rule, p);
}

static ts_status make_mesh(ts_sdf *sdf, ts_mesh **mesh, ts_error *error)
{
    const double more = 0.1 * ts_sdf_length(sdf);
    ts_box3 box = ts_sdf_bounds(sdf);
    box.low = ts_vec3_sub(box.low, (ts_vec3){more, more, more});
    box.high = ts_vec3_add(box.high, (ts_vec3){more, more, more});
    for (int cells = 4; cells < 60; cells++) {
        ts_mesh_free(*mesh);
        *mesh = NULL;
        TS_TRY(ts_mesh_iso(value_at, sdf, box, cells, mesh, error));
        if ((*mesh)->vertex_count >= TS_BENCH_VERTICES)
            break;
    }
    return TS_OK;
}

ts_status ts_bench_animal(size_t count, ts_sdf_body **body, ts_error *error)
{
    ts_primitive primitive[TS_BENCH_PRIMITIVES] = {0};
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    for (size_t i = 0; i < count; i++) {
        const part *p = &animal[i];
        primitive[i] = (ts_primitive){.kind = TS_PRIMITIVE_SUPERQUADRIC,
                                      .pose = {p->place, ts_quat_from_axis_angle(p->axis, p->angle)},
                                      .size = p->size,
                                      .exponent = {p->exponent[0], p->exponent[1]}};
    }
    TS_TRY(ts_sdf_create(primitive, count, &sdf, error));
    TS_TRY(make_mesh(sdf, &mesh, error));
    TS_TRY(ts_sdf_body_create(sdf, mesh, body, error));
    sdf = NULL;
    mesh = NULL;
    return TS_OK;
}

/* ---- Convex pieces ---- */

static ts_vec3 on_surface(const ts_primitive *p, ts_vec3 direction)
{
    const double x = fabs(direction.x), y = fabs(direction.y), z = fabs(direction.z);
    const double e1 = p->exponent[0], e2 = p->exponent[1];
    const double xy = pow(pow(x, 2 / e2) + pow(y, 2 / e2), e2 / e1), gauge = pow(xy + pow(z, 2 / e1), e1 / 2);
    return ts_vec3_times(ts_vec3_scale(direction, 1 / gauge), p->size);
}

ts_status ts_bench_piece(const ts_sdf *sdf, size_t index, ts_hull **hull, ts_error *error)
{
    const ts_primitive *p = ts_sdf_primitive(sdf, index);
    ts_vec3 point[26];
    size_t count = 0;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            for (int z = -1; z <= 1; z++)
                if (x != 0 || y != 0 || z != 0)
                    point[count++] = ts_pose3_apply(p->pose, on_surface(p, (ts_vec3){x, y, z}));
    return ts_hull_create(point, count, hull, error);
}

/* ---- Poses ---- */

static ts_quat any_attitude(ts_random *r)
{
    double q[4], sum = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = ts_random_next_normal(r);
        sum += q[k] * q[k];
    }
    const double per = 1 / sqrt(sum);
    return (ts_quat){q[0] * per, q[1] * per, q[2] * per, q[3] * per};
}

/* Whether a vertex of `with` lies in `of`. */
static bool holds(const ts_sdf_body *of, ts_pose3 at, const ts_sdf_body *with, ts_pose3 pose)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(of->sdf);
    for (size_t i = 0; i < with->mesh->vertex_count; i++) {
        const ts_vec3 p = ts_pose3_apply(pose, with->mesh->vertex[i]);
        if (ts_sdf_at(of->sdf, &rule, ts_pose3_apply_inverse(at, p)) < 0)
            return true;
    }
    return false;
}

static ts_manifold_pose pose_of(ts_pose3 p)
{
    return (ts_manifold_pose){{p.position.x, p.position.y, p.position.z}, {p.quat.w, p.quat.x, p.quat.y, p.quat.z}};
}

ts_status ts_bench_overlapping(const ts_sdf_body *body, uint64_t seed, size_t count, ts_bench_poses *poses,
                               ts_error *error)
{
    const double far = ts_sdf_length(body->sdf);
    ts_random r = ts_random_make(seed, 77);
    TS_TRY(ts_new(&poses->a, count, error));
    TS_TRY(ts_new(&poses->b, count, error));
    while (poses->count < count) {
        const ts_pose3 a = {{0, 0, 0}, any_attitude(&r)};
        ts_pose3 b = {{0, 0, 0}, any_attitude(&r)};
        b.position.x = ts_random_next_range(&r, -far, far);
        b.position.y = ts_random_next_range(&r, -far, far);
        b.position.z = ts_random_next_range(&r, -far, far);
        if (!holds(body, a, body, b) && !holds(body, b, body, a))
            continue;
        poses->a[poses->count] = pose_of(a);
        poses->b[poses->count++] = pose_of(b);
    }
    return TS_OK;
}

void ts_bench_poses_free(ts_bench_poses *poses)
{
    ts_free(poses->a);
    ts_free(poses->b);
    *poses = (ts_bench_poses){0};
}
