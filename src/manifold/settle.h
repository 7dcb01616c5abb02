/* SPDX-License-Identifier: MIT */
/* Where the surface of a smooth body is nearest to something else: lowest points, one for each of its primitives.
 *
 *          ╭───────╮            •  vertices of the mesh, which may all be farther off
 *        •╯         ╰•          x  the lowest point: φ(x) = 0, and the surface's normal ν is opposite to that of the other body, n
 *         ╰•_     _•╯
 *      ───────▔x▔──────── other
 *
 * A mesh has gaps between its vertices. A ball that rolls on them is a polyhedron; with its lowest point for a contact it
 * is round. Newton's method on the surface, with curvatures of both from differences of normals, starts from the mean of
 * the vertices that are about as near as the nearest one. Where the surface is flat any point is as good as another: the
 * curvature is taken to be at least `flat` over the length, so that the point moves smoothly when the body turns. */
#pragma once

#include <math.h>

#include "shape/sdf.h"
#include "touchstone/manifold.h"

/* A smooth body where it stands. */
typedef struct ts_settle_body {
    const ts_sdf_body *body;
    ts_sdf_rule rule;
    ts_vec3 at; /* origin, world frame [m] */
    ts_mat3 turn;
} ts_settle_body;

/* `options` may be NULL: the defaults. */
ts_settle_body ts_settle_place(const ts_sdf_body *body, const ts_manifold_options *options, ts_vec3 at, ts_mat3 turn);

/* Points that are asked about together. */
#define TS_SETTLE_BATCH 64

/* φ / max(1, |∇φ|), the distance to first order, and normals in the world's frame; at most TS_SETTLE_BATCH points. */
void ts_settle_ask(const ts_settle_body *body, size_t count, const ts_vec3 *at, double *distance, ts_vec3 *normal);

/* Signed distances of points and normals out of a body, world frame; `of` is what it is. */
typedef void ts_settle_distance(const void *of, size_t count, const ts_vec3 *point, double *distance, ts_vec3 *normal);

/* Of a ts_settle_body, at most TS_SETTLE_BATCH points: along the way to the surface, φ being no distance far from it.
 * Exact to second order of the distance. */
ts_settle_distance ts_settle_smooth;
/* The same with one look at the surface: for points that are near it. */
ts_settle_distance ts_settle_near;

typedef struct ts_settled {
    ts_vec3 point;   /* on the body, world frame [m] */
    double distance; /* of the other body from there [m] */
    ts_vec3 normal;  /* out of the other body */
    uint32_t part;   /* primitive of the body */
} ts_settled;

/* Beyond so many primitives the last ones are one. */
#define TS_SETTLE_PARTS 128

/* Lowest points with a distance of at most `reach`, in the order of primitives; returns how many. `rough`: a distance to
 * first order, by which the search goes, `distance` what is told of its end; they may be the same. `vertex_distance`: of
 * each vertex of the mesh from the other body, or less where that is beyond reach. `margin`: no point of the surface is
 * nearer than the nearest vertex by more; the longest edge is always enough. */
size_t ts_settle(const ts_settle_body *body, ts_settle_distance *rough, ts_settle_distance *distance, const void *of,
                 const double *vertex_distance, double margin, double reach, ts_settled to[TS_SETTLE_PARTS]);

/* The same as ts_settle_ask, of a ts_settle_body. */
ts_settle_distance ts_settle_rough;

/* How much nearer a surface may be than its mesh where what is nearby is flat, or bends no more than it does itself. */
static inline double ts_settle_bulge(const ts_sdf_body *body)
{
    return fmin(2 * body->off + 0.01 * ts_sdf_length(body->sdf), body->longest);
}

/* A vertex where the surface is round says less than the lowest point of its primitive, and harm: on its way past, it has
 * a speed against the other body, which restitution and friction would act on. These tell which vertices may be left out:
 * those of primitives that have a lowest point in the list, where the other body is not hollow. */
typedef struct ts_settle_found {
    bool part[TS_SETTLE_PARTS];
} ts_settle_found;
ts_settle_found ts_settle_which(const ts_settled *lowest, size_t count);
static inline bool ts_settle_speaks_for(const ts_settle_found *found, const ts_sdf_body *body, size_t vertex)
{
    const uint32_t part = body->part[vertex];
    return body->round[vertex] && part < TS_SETTLE_PARTS && found->part[part];
}

/* How strongly the surface bends at a point of it, along a unit vector in its tangent plane; above 0: round [1/m]. */
double ts_settle_bend(const ts_settle_body *body, ts_vec3 point, ts_vec3 along);

/* Whether a distance is so deep that lowest points are not looked for: vertices tell enough, and no contact law holds. */
static inline bool ts_settle_is_deep(const ts_sdf_body *body, double distance)
{
    return distance < -0.1 * ts_sdf_length(body->sdf);
}

/* The part of a body's surface that a place of weight 1 stands for: that of a corner in one face of a cube [m²]. */
static inline double ts_settle_patch(const ts_sdf_body *body)
{
    return body->surface / 24;
}
