/* SPDX-License-Identifier: MIT */
/* Inside of ts_manifold_propose: random collisions of two smooth bodies (propose.c), and what contacts each needs
 * (propose_count.c).
 *
 *              ╭───╮ B    a line past A in a random direction, at a random distance from A's middle;
 *        ╭──╮  ╰─┬─╯      B is turned at random, and flies along it to the first touch, then further by
 *        │A │◀───╯        a random way up to `depth`
 *        ╰──╯                                                                                                         */
#pragma once

#include "base/vec.h"
#include "shape/sdf.h"
#include "touchstone/manifold.h"

/* A body with what counting needs. */
typedef struct ts_propose_body {
    const ts_sdf_body *body;
    ts_sdf_rule rule;
    ts_box3 box;        /* of its mesh */
    ts_vec3 centre;     /* of that box */
    double radius;      /* of a ball around it there that holds the mesh */
    int32_t *begin;     /* first neighbour of each vertex (vertex_count + 1) */
    int32_t *neighbour; /* along sides of triangles (2 · sides) */
} ts_propose_body;

/* Scratch memory of one thread. */
typedef struct ts_propose_work {
    double *phi[2];    /* of the other body at the vertices of each (vertex_count) */
    ts_vec3 *point[2]; /* vertices in the other body's frame (vertex_count) */
} ts_propose_work;

typedef struct ts_propose_counts {
    uint32_t deepest[2], pairs;
    uint32_t vertex_rank[2],
        edge_rank[2]; /* places of the last of them in the order of the choice (find.c), from 1 on */
} ts_propose_counts;

ts_status ts_propose_body_create(const ts_sdf_body *body, ts_propose_body *to, ts_error *error);
void ts_propose_body_free(ts_propose_body *body);

/* φ of each body at the other's vertices, with A at the origin and B at `pose`: to work->phi. Returns the least. */
double ts_propose_depth(const ts_propose_body pair[2], ts_pose3 pose, ts_propose_work *work);
/* What the last ts_propose_depth, with this pose, needs. */
ts_propose_counts ts_propose_count(const ts_propose_body pair[2], ts_pose3 pose, const ts_propose_work *work);
