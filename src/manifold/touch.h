/* SPDX-License-Identifier: MIT */
/* What a step of the engine asks of two smooth bodies: contacts within reach, and how much each of them counts.
 *
 * The same contacts as of manifold.h, with three differences. Vertices and edges are chosen, not blended. Both points of
 * an edge pair make one contact, in the middle. And nothing is smooth in "depth": a contact ahead of the surface is as
 * real as one behind it, so that its row is there before the bodies touch.
 *
 *     activity   how much of a contact it is: of vertices 1; of edges (colliding)(nearest)(facing), normalised, so that
 *                it is 1 where edges cross, also where two edges are equally near
 *     area       what part of the surface it stands for [m²]: of a vertex, a third of its triangles; of two edges, the
 *                mean of what their ends stand for */
#pragma once

#include "shape/sdf.h"
#include "touchstone/manifold.h"

typedef struct ts_manifold_place {
    double gap;               /* signed distance [m] */
    ts_vec3 normal;           /* unit, from A to B, world frame */
    ts_vec3 point_a, point_b; /* on the two surfaces, world frame [m] */
    double activity;          /* in [0, 1] */
    double area;              /* [m²] */
    uint32_t feature;         /* which place of the pair it is */
} ts_manifold_place;

typedef TS_ARRAY(ts_manifold_place) ts_manifold_place_array;

/* Of edges, the deepest that are looked at on each side. */
#define TS_MANIFOLD_TOUCH_EDGES 32

/* Appends contacts with a gap of at most `reach` ≥ 0. Of `options` it reads smoothing, sides, edges, keep_vertices (of
 * each body; 0: all within reach), keep_edges (at most TS_MANIFOLD_TOUCH_EDGES), project, safeguard, published and
 * everything. Scratch memory is on the stack. */
ts_status ts_manifold_touch(const ts_sdf_body *a, ts_pose3 pose_a, const ts_sdf_body *b, ts_pose3 pose_b,
                            const ts_manifold_options *options, double reach, ts_manifold_place_array *to,
                            ts_error *error);
