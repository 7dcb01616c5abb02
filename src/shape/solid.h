/* SPDX-License-Identifier: MIT */
/* Solids: the shapes of bodies and walls in space, each in its own frame.
 *
 *     sphere    radius, about the origin
 *     plane     the half-space z ≤ 0: its outside is above
 *     box       half extents along x, y, z
 *     capsule   all points within radius of the segment from −half_length to +half_length on z
 *     cylinder  radius, about z, from −half_length to +half_length
 *     vessel    everything but the inside of such a cylinder: a closed room; walls only
 *     hull      a convex polyhedron (hull.h)
 *     mesh      a closed surface with its distance field, and the vertices that are asked at (mesh_field.h)
 *     smooth    a signed distance in closed form, and a mesh on its zero set (sdf.h)
 *
 * Solids own nothing: hulls, meshes and smooth bodies are kept by whoever made them (a model), and shared by bodies. */
#pragma once

#include "shape/mesh_edges.h"
#include "shape/mesh_field.h"
#include "shape/mesh_tree.h"
#include "shape/sdf.h"

struct ts_manifold_options;

typedef enum ts_solid_kind {
    TS_SOLID_SPHERE = 0,
    TS_SOLID_PLANE,
    TS_SOLID_BOX,
    TS_SOLID_CAPSULE,
    TS_SOLID_CYLINDER,
    TS_SOLID_VESSEL,
    TS_SOLID_HULL,
    TS_SOLID_MESH,
    TS_SOLID_SMOOTH,
    TS_SOLID_KINDS
} ts_solid_kind;

/* A convex polyhedron with the faces, edges and neighbours that contact manifolds need. Made by ts_hull_create
 * (hull.h). */
typedef struct ts_hull {
    ts_vec3 *vertex; /* (vertex_count) */
    size_t vertex_count;
    int32_t
        *corner; /* of face f: corner[face_begin[f]] … corner[face_begin[f + 1] - 1], counter-clockwise from outside */
    int32_t *face_begin; /* (face_count + 1) */
    ts_vec3 *normal;     /* unit, outwards (face_count) */
    double *offset;      /* normal · x ≤ offset inside (face_count) */
    size_t face_count;
    int32_t (*edge)
        [4]; /* vertices i < j, the face whose corners go from i to j, and the one where they go back (edge_count) */
    size_t edge_count;
    int32_t *neighbour; /* of vertex v: neighbour[neighbour_begin[v]] …, for climbing to the farthest vertex */
    int32_t *neighbour_begin;
    ts_vec3 centre; /* a point inside */
} ts_hull;

typedef struct ts_solid {
    ts_solid_kind kind;
    double radius;      /* sphere, capsule, cylinder, vessel [m] */
    double half_length; /* capsule, cylinder, vessel [m] */
    ts_vec3 half;       /* box [m] */
    const ts_hull *hull;
    const ts_mesh *mesh;
    const ts_mesh_field *field;       /* of the mesh */
    const ts_mesh_clusters *clusters; /* of its vertices; NULL: contacts look at every one */
    const ts_mesh_tree *tree;         /* exact, for balls whose centre is beyond the field; NULL: vertices must do */
    bool thin; /* a mesh thinner than a cell of its field, which cannot tell its inside: the tree is asked */
    const ts_mesh_edges *edges; /* that contacts look along where they are long; NULL: vertices must do */
    double inner;               /* of a ball that fits, of any kind [m]; 0: not known, and edges are long beside it */
    const ts_sdf_body *smooth;
    const struct ts_manifold_options *manifold; /* how contacts of a smooth body are found; NULL: the defaults */
} ts_solid;

/* Vertices and triangles of what has them, a mesh or a smooth body; NULL for the others. Those of a smooth body lie on its
 * surface, and its triangles a little inside where it is round. */
static inline const ts_mesh *ts_solid_surface(const ts_solid *solid)
{
    if (solid->kind == TS_SOLID_SMOOTH)
        return solid->smooth ? solid->smooth->mesh : NULL;
    return solid->kind == TS_SOLID_MESH ? solid->mesh : NULL;
}

const char *ts_solid_name(ts_solid_kind kind); /* as in a scene */
/* Of the smallest ball about its own origin that holds it; infinite for a plane and a vessel. */
double ts_solid_radius(const ts_solid *solid);
/* The box around it when it stands in `pose`, tight for every kind; infinite where it is. Hulls and meshes take a look
 * at each vertex. */
ts_box3 ts_solid_bounds(const ts_solid *solid, ts_pose3 pose);
