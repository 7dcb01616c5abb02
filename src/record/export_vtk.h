/* SPDX-License-Identifier: MIT */
/* The writer of VTK's files, and what the parts of an export tell it: export_vtk.c writes files, export_vtk_parts.c
 * says what is in them. Sizes follow from counts, so arrays are never held: each is streamed from the frame by a
 * function of its own. */
#pragma once

#include "base/bytes.h"
#include "record/export_space.h"

typedef struct ts_vtk ts_vtk;
typedef enum ts_vtk_type { TS_VTK_FLOAT32, TS_VTK_FLOAT64, TS_VTK_INT32, TS_VTK_INT64, TS_VTK_UINT8 } ts_vtk_type;

typedef struct ts_vtk_array {
    const char *name;
    ts_vtk_type type;
    int components;
    void (*put)(ts_vtk *v); /* all values, in the order of points, cells or corners */
    int dimension;          /* that has it; 0: both */
} ts_vtk_array;

typedef struct ts_vtk_layout {
    const char *cell_kind; /* Polys, Lines or Verts */
    ts_vtk_array points, connectivity, offsets;
    const ts_vtk_array *data; /* ends with a NULL name; of cells … */
    bool at_points;           /* … or of points */
} ts_vtk_layout;

/* One file of each frame. */
typedef struct ts_vtk_part {
    const char *end;                /* of the file's name: NAME, this, the frame's number */
    const char *name;               /* in the collection */
    bool (*there)(const ts_vtk *v); /* NULL: in any run */
    /* Counts points, cells and corners of the frame, and says how they are laid out. */
    ts_status (*prepare)(ts_vtk *v, const ts_vtk_layout **as, ts_error *error);
} ts_vtk_part;
enum { TS_VTK_PARTS = 5 };
extern const ts_vtk_part ts_vtk_part_of[TS_VTK_PARTS];

struct ts_vtk {
    const ts_export_job *job;
    const ts_trajectory_header *header;
    ts_frame frame;          /* the one being written */
    bool as_points;          /* one vertex a body */
    ts_export_lines lines;   /* plane: walls of this frame, in the world … */
    size_t *owner;           /* … and which one each curve belongs to */
    ts_export_solids solids; /* surfaces of shapes, in space of walls, too */
    FILE *stream;
    ts_export_batch batch;         /* files of frames, which get their names when all are there */
    size_t points, cells, corners; /* of the file being written */
};

static inline void ts_vtk_put_f64(ts_vtk *v, double value)
{
    unsigned char bytes[8];
    ts_put_f64(bytes, value);
    fwrite(bytes, 1, sizeof bytes, v->stream);
}
static inline void ts_vtk_put_f32(ts_vtk *v, double value)
{
    unsigned char bytes[4];
    ts_put_f32(bytes, (float)value);
    fwrite(bytes, 1, sizeof bytes, v->stream);
}
static inline void ts_vtk_put_i64(ts_vtk *v, int64_t value)
{
    unsigned char bytes[8];
    ts_put_u64(bytes, (uint64_t)value);
    fwrite(bytes, 1, sizeof bytes, v->stream);
}
static inline void ts_vtk_put_i32(ts_vtk *v, int32_t value)
{
    unsigned char bytes[4];
    ts_put_u32(bytes, (uint32_t)value);
    fwrite(bytes, 1, sizeof bytes, v->stream);
}
