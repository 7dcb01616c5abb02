/* SPDX-License-Identifier: MIT */
/* Surfaces of shapes and walls as triangles: what exports share.
 *
 * A body is drawn as its shape's surface, times its form's scale, in its pose: forms of one shape differ by nothing
 * else. Pieces of a compound keep their own closed surfaces, which overlap where the pieces do. A plane has no end: of
 * one by itself a square is drawn, twice as wide as the diagonal of what is to be seen, about the foot of its middle;
 * of planes that are one wall of the scene (a room) what the others leave of it. */
#pragma once

#include "record/export.h"
#include "shape/solid_mesh.h"

typedef struct ts_export_solids {
    size_t shape_count, wall_count;
    ts_mesh2 *flat;  /* plane: shapes at scale 1 (shape_count); space: NULL */
    ts_mesh **shape; /* space: the same, about the centre of mass; NULL: no body has it (shape_count); plane: NULL */
    ts_mesh **wall;  /* space: in its own frame; NULL: nothing is to be seen (wall_count); plane: NULL, of lines */
} ts_export_solids;

/* `segments`: corners of a circle, in space. Free with ts_export_solids_free, whatever
 * happens. */
ts_status ts_export_surfaces(const ts_export_job *job, const ts_export_range *range, int segments,
                             ts_export_solids *solids, ts_error *error);
void ts_export_solids_free(ts_export_solids *solids); /* a zeroed one is fine */
/* Shapes for renderers, at scale 1 (shape_count): flat ones as thick as the job says. Solids that no body has are
 * empty. Free with ts_export_shapes_free. */
ts_status ts_export_shapes(const ts_export_job *job, const ts_export_solids *solids, ts_mesh3 **mesh, ts_error *error);
void ts_export_shapes_free(const ts_export_job *job, ts_mesh3 *mesh); /* NULL is fine */
/* Corners of a circle by the job's tolerance. */
int ts_export_segments(const ts_export_job *job);
/* Triangles of all bodies together; 0 in the plane. */
double ts_export_triangles(const ts_trajectory_header *header, int segments);
