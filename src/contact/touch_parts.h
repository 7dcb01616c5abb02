/* SPDX-License-Identifier: MIT */
/* What stands behind touch.h: the pair functions that its table names, and what they share.
 *
 *     touch.c          the table, and which of two bodies comes first
 *     touch_point.c    a point against any solid; with it, spheres against everything
 *     touch_wall.c     planes and vessels: both are met at points, ends and rims
 *     touch_convex.c   boxes, hulls, capsules and cylinders with each other: along which direction
 *     touch_sat.c      that direction for two polyhedra
 *     touch_round.c    and where one of two is round
 *     touch_patch.c    and in which points
 *     touch_mesh.c     meshes, by their vertices and distance fields
 *     touch_edge.c     and along their long edges
 *     touch_flush.c    and where flat faces lie on each other
 *     touch_smooth.c   smooth bodies, by φ and the vertices on its zero set
 *     touch_smooth_flat.c   against boxes and hulls
 *
 * A pair function looks at A and B of a job, A being the one that its name names first, and appends contacts in the
 * world frame. */
#pragma once

#include "contact/touch.h"

typedef struct ts_touch_job {
    const ts_solid *a, *b;
    ts_vec3 at_a, at_b;     /* origins, world frame [m] */
    ts_mat3 turn_a, turn_b; /* body vectors into world vectors */
    double reach;           /* [m] */
    ts_touch_array *to;
    ts_error *error;
} ts_touch_job;

typedef ts_status ts_touch_pair(const ts_touch_job *job);

static inline ts_vec3 ts_touch_world(ts_vec3 at, ts_mat3 turn, ts_vec3 local)
{
    return ts_vec3_add(at, ts_mat3_apply(turn, local));
}
static inline ts_vec3 ts_touch_local(ts_vec3 at, ts_mat3 turn, ts_vec3 world)
{
    return ts_mat3_apply_transposed(turn, ts_vec3_sub(world, at));
}

/* Appends one contact unless its gap is beyond reach (or is no number); the point of B follows from the other three. */
ts_status ts_touch_emit(const ts_touch_job *job, uint32_t feature, double gap, ts_vec3 normal, ts_vec3 point_a);

/* How far a point is from a solid: point − distance · normal lies on its surface. */
typedef struct ts_touch_near {
    double distance; /* negative inside [m] */
    ts_vec3 normal;  /* unit, out of the solid */
    bool bound;      /* the distance is at least so much: more is not known */
} ts_touch_near;

/* In the solid's own frame; any solid but a vessel, which has several walls. */
ts_touch_near ts_touch_nearest(const ts_solid *solid, ts_vec3 point);

/* How far a point of B, or of A, is from the other, in the world's frame. */
ts_touch_near ts_touch_near_other(const ts_touch_job *job, bool of_b, ts_vec3 point);
/* The same, by its tree where the other is a mesh that has one. `triangle`: of a point nearby, or −1; becomes this
 * point's. */
ts_touch_near ts_touch_exact_other(const ts_touch_job *job, bool of_b, ts_vec3 point, int32_t *triangle);
/* A distance's slope may be this much: fields are interpolated. */
#define TS_TOUCH_SLOPE 1.1
/* Contacts of B's edges, or of A's, of a mesh with the other; features are apart from those of vertices, and
 * TS_TOUCH_OTHER_SIDE is set for B's. */
ts_status ts_touch_edges(const ts_touch_job *job, bool of_b);
#define TS_TOUCH_OTHER_SIDE 0x80000000U
/* Contacts of the vertices and edges of mesh A with B, which is no plane and no vessel. */
ts_status ts_touch_vertices_of_a(const ts_touch_job *job);
/* Contacts of flat faces of mesh B with those of A, a mesh, a box or a hull, in the stead of those from `begin` on that
 * belong to these faces. */
ts_status ts_touch_flush(const ts_touch_job *job, size_t begin);

/* Four points of a circle, the first where it is lowest along `up`: c + r (u, w, −u, −w). `spare` is u when the circle
 * lies level. */
typedef struct ts_touch_rim {
    ts_vec3 point[4];
} ts_touch_rim;
ts_touch_rim ts_touch_rim_of(ts_vec3 centre, ts_vec3 axis, double radius, ts_vec3 up, ts_vec3 spare);

/* A ball about a point of B against plane A; a corner is a ball of radius 0. */
ts_status ts_touch_plane_ball(const ts_touch_job *job, uint32_t feature, ts_vec3 centre, double radius);
/* The same against the walls of vessel A. Features 3 i, 3 i + 1, 3 i + 2: barrel, lower and upper lid. */
ts_status ts_touch_vessel_ball(const ts_touch_job *job, uint32_t i, ts_vec3 centre, double radius);

/* Corner i of a box: bit k of i set means + along axis k. */
static inline ts_vec3 ts_touch_corner(ts_vec3 half, int i)
{
    return (ts_vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
}

/* ---- The rows of the table ---- */

ts_touch_pair ts_touch_sphere_sphere;
ts_touch_pair ts_touch_sphere_any;                             /* all but vessels */
ts_touch_pair ts_touch_plane_box, ts_touch_plane_hull;         /* corners */
ts_touch_pair ts_touch_plane_capsule, ts_touch_plane_cylinder; /* ends, rims */
ts_touch_pair ts_touch_vessel_sphere, ts_touch_vessel_box, ts_touch_vessel_capsule, ts_touch_vessel_cylinder;
ts_touch_pair ts_touch_vessel_hull;
ts_touch_pair ts_touch_box_box, ts_touch_hulls; /* polyhedra; a box may be the first of two hulls */
ts_touch_pair ts_touch_round;                   /* convex, one of them a capsule or a cylinder */
ts_touch_pair ts_touch_sphere_smooth, ts_touch_plane_smooth, ts_touch_vessel_smooth, ts_touch_capsule_smooth;
ts_touch_pair ts_touch_polyhedron_smooth, ts_touch_cylinder_smooth, ts_touch_mesh_smooth, ts_touch_smooth_smooth;
ts_touch_pair ts_touch_sphere_mesh, ts_touch_plane_mesh, ts_touch_convex_mesh, ts_touch_vessel_mesh, ts_touch_mesh_mesh;
