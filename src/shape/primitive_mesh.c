/* SPDX-License-Identifier: MIT */
#include "shape/primitive_mesh.h"

#include "shape/mesh_iso.h"
#include "shape/sdf.h"
#include "shape/superquadric.h"

/* Room around a primitive in which its surface is looked for, over its longest side. */
#define ROOM 0.05
/* Superquadrics have no fewer vertices. */
#define VERTICES_LEAST 26

static double distance(void *user, ts_vec3 point)
{
    const ts_sdf *sdf = user;
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    return ts_sdf_at(sdf, &rule, point);
}

ts_status ts_primitive_mesh(const ts_primitive *primitive, int cells, ts_mesh **mesh, ts_error *error)
{
    const size_t wished = 6 * (size_t)cells * (size_t)cells + 2;
    if (primitive->kind == TS_PRIMITIVE_SUPERQUADRIC)
        return ts_superquadric_mesh(primitive, wished > VERTICES_LEAST ? wished : VERTICES_LEAST, mesh, error);
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
