/* SPDX-License-Identifier: MIT */
/* What a step of the engine asks of two smooth bodies: contacts within reach, and how much each of them counts.
 *
 * The same contacts as of manifold.h, with some differences. Vertices and edges are chosen, not blended. Each primitive
 * has its lowest point as well (settle.h), since a surface that is round touches between the vertices. Both points of an
 * edge pair make one contact, in the middle. And nothing is smooth in "depth": a contact ahead of the surface is as real
 * as one behind it, so that its row is there before the bodies touch.
 *
 *     activity   how much of a contact it is: of vertices and lowest points 1; of edges (colliding)(facing)(crossing)
 *                (between the normals of both edges' sides) times whether both points are as deep as the gap tells: 1 where ridges cross, and 0 where they are
 *                parallel, since ends meet faces there. It depends on no other edge, so there are no ties to break
 *     area       what part of the surface it stands for [m²]: of a vertex, a third of its triangles; of two edges, the
 *                mean of what their ends stand for; of a lowest point, a patch */
#pragma once

#include "shape/sdf.h"
#include "touchstone/manifold.h"

typedef struct ts_manifold_place {
    double gap;               /* signed distance [m] */
    ts_vec3 normal;           /* unit, from A to B, world frame */
    ts_vec3 point_a, point_b; /* on the two surfaces, world frame [m] */
    double activity;          /* in [0, 1] */
    double area;              /* [m²] */
    uint32_t feature; /* which place of the pair it is: a vertex, or with TS_MANIFOLD_LOWEST the lowest point of a
                                 primitive, or with TS_MANIFOLD_OF_EDGES two edges */
} ts_manifold_place;

typedef TS_ARRAY(ts_manifold_place) ts_manifold_place_array;

#define TS_MANIFOLD_OTHER_SIDE 0x80000000U /* of B */
#define TS_MANIFOLD_OF_EDGES   0x40000000U
#define TS_MANIFOLD_LOWEST     0x20000000U

/* Of edges, the deepest that are looked at on each side. */
#define TS_MANIFOLD_TOUCH_EDGES 32

/* Appends contacts with a gap of at most `reach` ≥ 0. Of `options` it reads smoothing, sides, edges, keep_vertices (of
 * each body; 0: all within reach), keep_edges (at most TS_MANIFOLD_TOUCH_EDGES), project, safeguard, published and
 * everything. Scratch memory is on the stack. */
ts_status ts_manifold_touch(const ts_sdf_body *a, ts_pose3 pose_a, const ts_sdf_body *b, ts_pose3 pose_b,
                            const ts_manifold_options *options, double reach, ts_manifold_place_array *to,
                            ts_error *error);

/* The same where attitudes are matrices. */
typedef struct ts_manifold_placed {
    const ts_sdf_body *body;
    ts_vec3 at;
    ts_mat3 turn; /* body vectors into world vectors */
} ts_manifold_placed;
/* Takes a place, or fails. */
typedef ts_status ts_manifold_sink(void *user, const ts_manifold_place *place);
/* Hands them over one by one; without keep_vertices nothing is allocated. */
ts_status ts_manifold_touch_placed(const ts_manifold_placed *a, const ts_manifold_placed *b,
                                   const ts_manifold_options *options, double reach, ts_manifold_sink *sink, void *user,
                                   ts_error *error);
