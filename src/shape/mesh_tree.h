/* SPDX-License-Identifier: MIT */
/* Exact signed distance to a closed mesh, by a tree of boxes over its triangles.
 *
 *                p                       r = p − q,   distance = ± |r|
 *                │ r
 *     ───────────q───────────            + when r · N > 0,   N the normal of the feature (face, edge, vertex) that holds q
 *
 * The normal of an edge is the sum of its faces' normals; that of a vertex is the sum weighted by the faces' angles
 * there. With these, and with no other simple choice, the sign is right wherever p is (Bærentzen and Aanæs, "Signed
 * distance computation using the angle weighted pseudonormal", IEEE TVCG 11, 2005). Proof for a vertex: the surface of
 * the solid's part of a small ball about q has no flux in all, so that Σ angle · normal · r = −(2/ρ²) ∫ n · r over the
 * part of the sphere that is in the solid; seen from outside all of it is on the far side of r.
 *
 * Corners at the same place count as one, so that components may touch there. Several features may be nearest at once,
 * or within what rounding leaves open; where they disagree, where r · N is too near to zero, or where a triangle
 * without area is in the way, the winding number decides: inside is where the surface goes round a point more often
 * than not.
 *
 * A closed surface here is one whose edges are run through as often one way as the other: several components and
 * cavities are fine. Components that overlap are not found out; the distance is then to the nearest surface, also one
 * that lies inside another component.
 *
 * All tolerances are relative: a mesh of any size and place gives the same answers, as far as its coordinates can tell
 * points apart. */
#pragma once

#include "shape/mesh.h"

typedef struct ts_mesh_tree ts_mesh_tree;

/* The nearest point of the surface. */
typedef struct ts_mesh_nearest {
    double distance;  /* signed: > 0 outside, < 0 inside [m] */
    ts_vec3 point;    /* on the surface */
    ts_vec3 normal;   /* unit: the gradient of the distance where it has one; on the surface, the feature's normal */
    int32_t triangle; /* that holds the point: of those that do, the first of the mesh */
} ts_mesh_nearest;

/* Copies what it needs of the mesh. Refused are meshes that are not closed, that have no extent, or numbers that are
 * not finite, or of an absurd size. Triangles without area are fine. */
ts_status ts_mesh_tree_create(const ts_mesh *mesh, ts_mesh_tree **tree, ts_error *error);
/* The same for a surface with flaws: holes, pieces that cross each other, triangles turned the wrong way round. The sign
 * is then everywhere that of the winding number, inside where it is above ½, and normals next to flaws mean little. */
ts_status ts_mesh_tree_create_flawed(const ts_mesh *mesh, ts_mesh_tree **tree, ts_error *error);
void ts_mesh_tree_free(ts_mesh_tree *tree); /* NULL is fine */
TS_RELEASE_AT(ts_mesh_tree, ts_mesh_tree_free)
size_t ts_mesh_tree_bytes(const ts_mesh_tree *tree);

/* Of a finite point. The same bits whatever was asked before. */
ts_mesh_nearest ts_mesh_tree_nearest(const ts_mesh_tree *tree, ts_vec3 point);
/* The same, quicker, when the answer for a point nearby is known: its triangle (of the mesh), or −1. */
ts_mesh_nearest ts_mesh_tree_nearest_from(const ts_mesh_tree *tree, ts_vec3 point, int32_t triangle);

/* How often the surface goes round a point: 1 inside of a simple one, 0 outside, to within 0.02 or so (far triangles
 * are taken together; Barill, Dickson, Schmidt, Levin and Jacobson, "Fast winding numbers for soups and clouds",
 * 2018). */
double ts_mesh_tree_winding(const ts_mesh_tree *tree, ts_vec3 point);

/* Enclosed by the surface [m³]: cavities count as negative, and so does a surface whose triangles are turned the wrong
 * way round. */
double ts_mesh_tree_volume(const ts_mesh_tree *tree);
