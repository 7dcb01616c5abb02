/* SPDX-License-Identifier: MIT */
#include "manifold_body.h"

#include <math.h>

#include "base/random.h"
#include "study/smooth_models.h"

/* Of its first `count` primitives, with as many vertices as the whole has. */
static ts_status take_some(const ts_sdf_body *whole, size_t count, ts_sdf_body **body, ts_error *error)
{
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_TRY(ts_sdf_create(ts_sdf_primitive(whole->sdf, 0), count, &sdf, error));
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    TS_TRY(ts_sdf_mesh(sdf, &rule, &(ts_sdf_mesh_wish){.vertices = whole->mesh->vertex_count}, &mesh, error));
    TS_TRY(ts_sdf_body_create(sdf, mesh, body, error));
    sdf = NULL; /* now the body's */
    mesh = NULL;
    return TS_OK;
}

ts_status ts_bench_animal(size_t count, ts_sdf_body **body, ts_error *error)
{
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *whole = NULL;
    TS_TRY(ts_smooth_model("animal", &whole, error));
    if (count < ts_sdf_count(whole->sdf))
        return take_some(whole, count, body, error);
    *body = ts_give(&whole);
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
    enum { BATCH = 64 };
    const ts_sdf_rule rule = ts_sdf_default_rule(of->sdf);
    const size_t all = with->mesh->vertex_count;
    for (size_t begin = 0; begin < all; begin += BATCH) {
        const size_t count = all - begin < BATCH ? all - begin : BATCH;
        double x[3][BATCH], value[BATCH];
        for (size_t i = 0; i < count; i++) {
            const ts_vec3 p = ts_pose3_apply(pose, with->mesh->vertex[begin + i]);
            const ts_vec3 y = ts_pose3_apply_inverse(at, p);
            x[0][i] = y.x, x[1][i] = y.y, x[2][i] = y.z;
        }
        ts_sdf_ask(of->sdf, &rule, &(ts_sdf_points){count, x[0], x[1], x[2]}, &(ts_sdf_answers){.value = value});
        for (size_t i = 0; i < count; i++)
            if (value[i] < 0)
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
