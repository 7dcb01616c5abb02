/* SPDX-License-Identifier: MIT */
#include "shape/primitive_mesh.h"

#include "shape/mesh_iso.h"
#include "shape/mesh_make.h"
#include "shape/sdf.h"

/* Room around a primitive in which its surface is looked for, over its longest side. */
#define ROOM 0.05
/* Steps by which vertices of superquadrics are brought onto φ = 0. */
#define POLISH 4

/* f^(ε₁ / 2) at a point whose largest coordinate is 1, so that no power overflows: how many times too far out it is. */
static double gauge(ts_vec3 p, const double exponent[2])
{
    const double e1 = exponent[0], e2 = exponent[1];
    const double across = pow(pow(fabs(p.x), 2 / e2) + pow(fabs(p.y), 2 / e2), e2 / e1);
    return pow(across + pow(fabs(p.z), 2 / e1), 0.5 * e1);
}

/* Onto φ = 0 along the ray: where ε > 1, φ is rounded a little where the surface crosses the coordinate planes. */
static ts_vec3 polished(const ts_sdf *sdf, ts_vec3 p)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    for (int i = 0; i < POLISH; i++)
        p = ts_vec3_scale(p, 1 - ts_sdf_at(sdf, &rule, p) / ts_vec3_length(p)); /* φ = |p| (1 − 1 / gauge) */
    return p;
}

static ts_status mesh_superquadric(const ts_primitive *primitive, int cells, ts_mesh **mesh, ts_error *error)
{
    ts_primitive own = *primitive;
    own.pose = ts_pose3_identity();
    own.subtract = false;
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_TRY(ts_sdf_create(&own, 1, &sdf, error));
    TS_TRY(ts_mesh_make_box((ts_vec3){1, 1, 1}, cells, mesh, error));
    for (size_t i = 0; i < (*mesh)->vertex_count; i++) {
        const ts_vec3 p = (*mesh)->vertex[i];
        (*mesh)->vertex[i] =
            polished(sdf, ts_vec3_times(ts_vec3_scale(p, 1 / gauge(p, primitive->exponent)), primitive->size));
    }
    ts_mesh_move(*mesh, 1, primitive->pose);
    return TS_OK;
}

static double distance(void *user, ts_vec3 point)
{
    const ts_sdf *sdf = user;
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    return ts_sdf_at(sdf, &rule, point);
}

ts_status ts_primitive_mesh(const ts_primitive *primitive, int cells, ts_mesh **mesh, ts_error *error)
{
    if (primitive->kind == TS_PRIMITIVE_SUPERQUADRIC)
        return mesh_superquadric(primitive, cells, mesh, error);
    ts_primitive alone = *primitive;
    alone.subtract = false;
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_TRY(ts_sdf_create(&alone, 1, &sdf, error));
    ts_box3 box = ts_sdf_bounds(sdf);
    const double room = ROOM * ts_sdf_length(sdf);
    box.low = ts_vec3_sub(box.low, (ts_vec3){room, room, room});
    box.high = ts_vec3_add(box.high, (ts_vec3){room, room, room});
    return ts_mesh_iso(distance, sdf, box, 2 * cells + 2, mesh, error);
}
