/* SPDX-License-Identifier: MIT */
/* Closed meshes made by rule: closed and oriented by construction, as fine as is asked for. All models are our own.
 *
 *     box, icosphere, uv-sphere, torus      what tests have closed forms for
 *     trefoil knot                          a tube that is knotted, and comes to itself when it is turned by a third about z
 *     lathe                                 whatever turns about z
 *     doll                                  half shells of dolls that fit into each other
 *     teapot, bunny                         bodies that are not convex: one hollow, with a handle; one with ears
 *
 * Sizes are in metres; numbers of cells, sides and sectors must be large enough for a surface at all, and below
 * TS_MESH_MAKE_CELLS_MAX. Every vertex of a round surface lies on it, so that its volume comes from below as cells are
 * added, with an error ∝ 1/cells². */
#pragma once

#include <stdbool.h>

#include "shape/mesh.h"

#define TS_MESH_MAKE_CELLS_MAX 2000

/* About the origin, each side cut in cells × cells squares, each of these in two. */
ts_status ts_mesh_make_box(ts_vec3 half, int cells, ts_mesh **mesh, ts_error *error);
/* An icosahedron, each of its edges cut in `cells` ≥ 1, blown up: 10 cells² + 2 vertices, nearly even. */
ts_status ts_mesh_make_icosphere(double radius, int cells, ts_mesh **mesh, ts_error *error);
/* Meridians and parallels: `sectors` ≥ 3 around z, `rings` ≥ 2 from pole to pole. */
ts_status ts_mesh_make_uv_sphere(double radius, int rings, int sectors, ts_mesh **mesh, ts_error *error);
/* A circle of radius `ring` about z is the middle of a tube of radius `tube` < ring. */
ts_status ts_mesh_make_torus(double ring, double tube, int along, int around, ts_mesh **mesh, ts_error *error);

/* The tube of a radius around a closed curve through centre[0], …, centre[count − 1], with `around` ≥ 3 sides; the
 * first vertex of each ring lies in the direction across[i], which need not be a unit vector, but not along the curve.
 * Bends must be wider than the tube. */
ts_status ts_mesh_make_tube(const ts_vec3 *centre, const ts_vec3 *across, size_t count, double radius, int around,
                            ts_mesh **mesh, ts_error *error);
/* The trefoil knot that winds around a torus with radii 2/3 and 1/3 of `size`, twice around z and three times around
 * its ring. `along` is a multiple of 3, at least 24; tube < size / 4 (at 0.277 it would touch itself). Turned by 4π/3
 * about z, vertex k of ring i comes to vertex k of ring i + along / 3. */
ts_status ts_mesh_make_trefoil(double size, double tube, int along, int around, ts_mesh **mesh, ts_error *error);

/* A closed profile turned about z: x of a point is its distance from the axis, y its height z. The polygon does not
 * cross itself, is counter-clockwise (its inside on the left of each side), and may have one or more sides on the axis
 * (x = 0), but no single point there. */
ts_status ts_mesh_make_lathe(const ts_vec2 *profile, size_t count, int sectors, ts_mesh **mesh, ts_error *error);

/* Nested dolls. Each is a shell between a surface and the same surface smaller, about the origin in the plane z = 0 of
 * its seam, where it opens. It has a flat base, shoulders, a neck and a head. */
typedef struct ts_doll {
    double height; /* of the outermost doll [m] */
    double hollow; /* size of the cavity over that of the outside, in (0, 1); 0: 0.86 */
    double slack;  /* what the next doll is smaller than the cavity it stands in, over it, in (0, 0.5); 0: 0.03 */
    int cells;     /* along the profile of a half, at least 4 */
    int sectors;   /* around, at least 3 */
} ts_doll;

/* Over the outermost: the size of doll `number`, 0 the outermost. */
double ts_doll_size(const ts_doll *doll, int number);
/* The height of its origin above the origin of the doll around it, when it stands on the floor of that one's cavity:
 * not positive [m]. */
double ts_doll_drop(const ts_doll *doll, int number);
/* The lower or the upper half of doll `number`, with its seam in z = 0. */
ts_status ts_mesh_make_doll(const ts_doll *doll, int number, bool upper, ts_mesh **mesh, ts_error *error);
/* A doll in one piece without a cavity: the innermost. */
ts_status ts_mesh_make_doll_whole(const ts_doll *doll, int number, ts_mesh **mesh, ts_error *error);

/* A closed teapot, with a lid's knob, a spout (+x), a handle (−x) that one can put a finger through, and a cavity: two
 * surfaces, the inner one oriented inwards. Mirror images to the last bit for y ↔ −y. `width` is from spout to handle,
 * `cells` ≥ 32 along it. */
ts_status ts_mesh_make_teapot(double width, int cells, ts_mesh **mesh, ts_error *error);
/* A sitting bunny that looks along +x, ears up +z; mirror images to the last bit for y ↔ −y. `height` with its ears,
 * `cells` ≥ 24 along it. */
ts_status ts_mesh_make_bunny(double height, int cells, ts_mesh **mesh, ts_error *error);
