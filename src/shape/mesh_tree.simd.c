/* SPDX-License-Identifier: MIT */
/* Four triangles at a time: which of them may be near. */
#include "base/kernel.h"
#include "base/simd.h"
#include "shape/mesh_tree_parts.h"

typedef struct vec4 {
    ts_f64x4 x, y, z;
} vec4;

TS_SIMD vec4 load(const double from[3][4])
{
    return (vec4){ts_f64x4_load(from[0]), ts_f64x4_load(from[1]), ts_f64x4_load(from[2])};
}
TS_SIMD vec4 sub(vec4 a, vec4 b)
{
    return (vec4){a.x - b.x, a.y - b.y, a.z - b.z};
}
TS_SIMD ts_f64x4 dot(vec4 a, vec4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
TS_SIMD vec4 cross(vec4 a, vec4 b)
{
    return (vec4){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* The distance is that of the plane above the triangle, else that of the nearest edge. */
static int near(const ts_mesh_tree_block *block, ts_vec3 p, double squared)
{
    const ts_f64x4 zero = {0}, one = ts_f64x4_broadcast(1);
    vec4 point = {ts_f64x4_broadcast(p.x), ts_f64x4_broadcast(p.y), ts_f64x4_broadcast(p.z)};
    vec4 normal = load(block->normal), corner[3], r[3];
    for (int k = 0; k < 3; k++) {
        corner[k] = load(block->corner[k]);
        r[k] = sub(point, corner[k]);
    }
    ts_f64x4 edges = ts_f64x4_broadcast(HUGE_VAL), above = edges;
    for (int k = 0; k < 3; k++) {
        vec4 e = sub(corner[(k + 1) % 3], corner[k]);
        ts_f64x4 s = dot(r[k], e) * ts_f64x4_load(block->per_edge[k]);
        s = ts_f64x4_min(ts_f64x4_max(s, zero), one);
        vec4 q = {r[k].x - s * e.x, r[k].y - s * e.y, r[k].z - s * e.z};
        edges = ts_f64x4_min(edges, dot(q, q));
        above = ts_f64x4_min(above, dot(normal, cross(e, r[k])));
    }
    ts_f64x4 up = dot(normal, r[0]), bound = ts_f64x4_select(ts_f64x4_less(above, zero), edges, up * up);
    return ts_mask_bits(ts_f64x4_less_equal(bound, ts_f64x4_broadcast(squared)));
}

const ts_mesh_tree_kernels TS_KERNEL(ts_mesh_tree) = {.near = near};
