/* SPDX-License-Identifier: MIT */
/* Signed distance to a closed mesh: exact by a tree over its triangles (mesh_tree.h), and on a grid, for queries in a
 * step.
 *
 * The grid covers the mesh's box and a margin around it; in between, values are interpolated by a C¹ spline, and the
 * gradient is the gradient of what is interpolated, so that the two belong together. Outside of the grid the distance
 * is at least the distance to the mesh's box, and that bound, at least the margin, is what is handed out, with
 * `inside_grid` false.
 *
 *     distance > 0 outside, < 0 inside;   the gradient points outwards, and has about unit length
 *
 *            ┌───┬───┬───┬───┐       cells of side h, the same along x, y and z;  exact distances at their corners, and in one more layer
 *     margin │   │ ▒▒│▒▒ │   │       along each axis the cubic of Catmull and Rom: with t = 0 … 1 in the cell between values b and c,
 *            ├───┼─▒▒┼▒▒─┼───┤       ½ (2b + (c − a) t + (2a − 5b + 4c − d) t² + (3b − a − 3c + d) t³)
 *            │   │ ▒▒│▒▒ │   │       exact where the distance is linear (before flat faces) and for parabolas; at edges and corners,
 *            └───┴───┴───┴───┘       where the distance has a crease, off by hundredths of h, at worst half of it. Features below h are lost.
 *
 * Values are stored as floats, in units of h: what that rounds off is 1e-7 of the distance. */
#pragma once

#include "base/threads.h"
#include "shape/mesh.h"

/* Along the longest side of the box. */
#define TS_FIELD_CELLS_MIN 4
#define TS_FIELD_CELLS_MAX 512
/* Of all values, 4 bytes each. */
#define TS_FIELD_VALUES_MAX ((size_t)1 << 28)

typedef struct ts_mesh_field ts_mesh_field;

typedef struct ts_field_wish {
    int cells;     /* along the longest side of the box; 0: 64 */
    double margin; /* around the box, over its longest side, but at least one cell; 0: 0.1 */
} ts_field_wish;

/* Where a mesh is and how far: what a query answers. */
typedef struct ts_field_answer {
    double distance;  /* [m] */
    ts_vec3 gradient; /* of the distance */
    bool inside_grid; /* otherwise distance is a bound from below, and the gradient points away from the mesh's box */
} ts_field_answer;

typedef struct ts_field_info {
    ts_box3 box;  /* of the mesh [m] */
    ts_box3 grid; /* where values are interpolated [m] */
    double cell;  /* side of a cell, h [m] */
    int32_t cells[3];
    bool from_cache; /* it was not made anew */
} ts_field_info;

/* Fills the grid in parallel from exact distances; the same bits on any number of threads. The mesh must be closed, and
 * enclose its inside (not its outside). `wish` may be NULL. */
ts_status ts_mesh_field_create(const ts_mesh *mesh, const ts_field_wish *wish, ts_pool *pool, ts_mesh_field **field,
                               ts_error *error);
/* The same, from a folder where it was kept before (base/store.h), or made and kept there. A file that is damaged, or
 * does not belong to this mesh and wish, is replaced; a folder that cannot be written is no error. NULL or "": no
 * folder. */
ts_status ts_mesh_field_obtain(const ts_mesh *mesh, const ts_field_wish *wish, ts_pool *pool, const char *folder,
                               ts_mesh_field **field, ts_error *error);
void ts_mesh_field_free(ts_mesh_field *field); /* NULL is fine */
size_t ts_mesh_field_bytes(const ts_mesh_field *field);
ts_field_info ts_mesh_field_get_info(const ts_mesh_field *field);

/* At a point in the mesh's own coordinates. One that is not finite gives a distance that is not. */
ts_field_answer ts_mesh_field_at(const ts_mesh_field *field, ts_vec3 point);

/* Of all that queries depend on. */
uint64_t ts_mesh_field_hash(const ts_mesh_field *field);
/* What the field of a mesh is filed under. */
uint64_t ts_mesh_field_key(const ts_mesh *mesh, const ts_field_wish *wish);

/* ---- Files: .tsfield (docs/formats.md) ---- */

#define TS_FIELD_FILE_VERSION 1
/* To be raised when what is stored would come out otherwise: old fields are then made anew. */
#define TS_FIELD_GENERATION 1

/* All of it as bytes, the caller's to ts_free. */
ts_status ts_mesh_field_encode(const ts_mesh_field *field, unsigned char **bytes, size_t *size, ts_error *error);
/* And back; trusts nothing. `name` stands for the file in messages. What it accepts answers queries with finite
 * numbers. */
ts_status ts_mesh_field_decode(const unsigned char *bytes, size_t size, const char *name, ts_mesh_field **field,
                               ts_error *error);
