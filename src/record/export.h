/* SPDX-License-Identifier: MIT */
/* A trajectory in the formats of other programs (docs/exports.md has the conventions of each).
 *
 *     format   files                                    for                    file
 *     vtk      NAME.pvd, NAME/NAME_0000.vtp … a frame   ParaView, VTK          export_vtk.c, export_vtk_parts.c
 *     lammps   NAME.lammpstrj, NAME_type1.obj … a shape OVITO, LAMMPS          export_lammps.c
 *     glb      NAME.glb                                 Blender, browsers      export_gltf.c, export_gltf_json.c
 *     usda     NAME.usda                                usdview, Blender       export_usd.c
 *     svg      NAME.svg, one frame                      Inkscape, papers       export_svg.c
 *     csv      a table                                  spreadsheets, scripts  export_csv.c, which has its own interface
 *
 * Runs in the plane and in space go to all of them; export_space.h makes surfaces of shapes, export_svg_space.h
 * drawings of them.
 *
 * Common to all: x to the right, y up, z towards the viewer, metres, seconds, radians; angles turn counter-clockwise
 * about z. Whatever the length of the trajectory, one frame is in memory at a time, and beside it what is known of each
 * body, names of files, or a chunk of frames of a fixed size. A file appears under its name only when it is whole; of a
 * failed or stopped export nothing is left, and an older one of the same name stays as it was. */
#pragma once

#include <stdio.h>

#include "base/file.h"
#include "record/export_csv.h"
#include "record/kind.h"
#include "shape/mesh.h"
#include "shape/mesh2.h"

typedef enum ts_export_format {
    TS_EXPORT_CSV, /* ts_export_csv does it */
    TS_EXPORT_VTK,
    TS_EXPORT_LAMMPS,
    TS_EXPORT_GLB,
    TS_EXPORT_USDA,
    TS_EXPORT_SVG,
    TS_EXPORT_FORMAT_COUNT
} ts_export_format;

/* What an export wrote. */
typedef struct ts_export_made {
    uint64_t files, bytes;
} ts_export_made;

/* Zero is a good default for every field but the first two, and `depth`. */
typedef struct ts_export_job {
    ts_trajectory *reader;
    const char *out;  /* path of the file; further ones are named after it. vtk: with or without .pvd */
    uint64_t first;   /* frame */
    uint64_t count;   /* frames from there on; 0: all */
    uint64_t every;   /* take each n-th; 0: each */
    double depth;     /* thickness of grains [m]; 0: flat; negative: half of the mean bounding radius */
    double tolerance; /* of straight edges for curves, as a share of a shape's radius; 0: TS_EXPORT_TOLERANCE */
    bool points;      /* vtk: one vertex a body instead of its outline */
    bool contacts;    /* svg, glb: draw them too; vtk: also at their own points */
    size_t chunk;     /* glb: bytes of memory for frames, at least one frame's; 0: 64 MB. Changes no byte of the file */
    ts_export_progress *progress; /* may be NULL */
    void *context;                /* of progress */
    ts_export_made *made;         /* zeroed; counts what was written. May be NULL */
} ts_export_job;

/* A disc becomes a polygon of 36 corners: it looks round, and its area is 0.5 % short. */
#define TS_EXPORT_TOLERANCE 0.004

/* Writes a trajectory, or a part of it. TS_BAD_INPUT when it has no such frames, or the format cannot hold so much;
 * TS_IO, TS_INTERRUPTED. Deterministic: the same trajectory gives the same bytes. */
ts_status ts_export(ts_export_format format, const ts_export_job *job, ts_error *error);

/* The format that a file's name asks for by its end (.csv .pvd .vtp .lammpstrj .dump .glb .usda .svg); false: none
 * of these. */
bool ts_export_format_of(const char *path, ts_export_format *format);
/* "csv", "vtk", … */
const char *ts_export_format_name(ts_export_format format);

/* ---- For the writers ---- */

/* Frames that a job takes: index first + k · every, k < total. */
typedef struct ts_export_range {
    uint64_t first, every, total;
} ts_export_range;

ts_status ts_export_range_of(const ts_export_job *job, ts_export_range *range, ts_error *error);
static inline uint64_t ts_export_index(const ts_export_range *range, uint64_t k)
{
    return range->first + k * range->every;
}
/* After each piece of work: reports it, and fails when the user stopped, or `stream` (may be NULL) could not be
 * written. */
ts_status ts_export_tick(const ts_export_job *job, uint64_t done, uint64_t total, FILE *stream, ts_error *error);

/* The thickness of grains, the default worked out [m]. */
double ts_export_depth(const ts_export_job *job);

/* Around what is to be seen of a frame: bodies, and in the plane walls too, of a half-plane its point nearest to the
 * rest; there z is 0. Of a metre when there is nothing. */
ts_box3 ts_export_box_of(const ts_trajectory_header *header, const ts_frame *frame);
/* A box that holds something; else one of a metre. */
ts_box3 ts_export_box_mended(ts_box3 box, const ts_record_kind *kind);
/* From some frames of the job, the first and the last among them. */
ts_status ts_export_survey(const ts_export_job *job, const ts_export_range *range, ts_box3 *box, ts_error *error);

/* Curves of straight pieces; a closed one ends where it begins. */
typedef struct ts_export_lines {
    TS_ARRAY(ts_vec2) point;
    TS_ARRAY(size_t) begin; /* first point of each curve; the next one's begin, or the count of points, is its end */
} ts_export_lines;
void ts_export_lines_free(ts_export_lines *lines);
/* Adds the edge of wall `index` of the plane in its local frame. Of a half-plane a piece as long as twice the box's
 * diagonal, about the foot of the box's middle; `frame` says where walls are. `clip`: only what other half-planes leave
 * of it. */
ts_status ts_export_wall_lines(const ts_export_job *job, const ts_frame *frame, const ts_box3 *box, size_t index,
                               bool clip, ts_export_lines *lines, ts_error *error);

/* Files that appear together. Each is closed under its temporary name as it is done, and only when all are there do
 * they get their names; so a failed export takes nothing away from an older one.
 *
 *     ts_draft last;  ts_draft_open(&last, …)           the file that names the others, or the main one
 *     for each file: ts_draft_open, write, ts_export_batch_add
 *     return ts_export_batch_end(&batch, status, &last, error)
 *
 * Files of a batch are not synced one by one: there may be thousands. The last, which is, follows them. */
typedef struct ts_export_batch {
    TS_ARRAY(ts_draft) file; /* closed; stream is NULL */
    ts_export_made *made;    /* the job's */
} ts_export_batch;
/* Closes a draft and takes it over, in any case. A device or pipe has been written already. */
ts_status ts_export_batch_add(ts_export_batch *batch, ts_draft *draft, ts_error *error);
/* TS_OK: names all files, then commits `last`. Else removes what is there. Returns `status` or what went wrong. */
ts_status ts_export_batch_end(ts_export_batch *batch, ts_status status, ts_draft *last, ts_error *error);

/* The shortest text that reads back as the same double. The locale is "C" during an export. */
void ts_export_put_double(FILE *stream, double value);
/* Text for XML: & < > " and control characters. */
void ts_export_put_xml(FILE *stream, const char *text);

ts_status ts_export_vtk(const ts_export_job *job, ts_error *error);
ts_status ts_export_lammps(const ts_export_job *job, ts_error *error);
ts_status ts_export_glb(const ts_export_job *job, ts_error *error);
ts_status ts_export_usda(const ts_export_job *job, ts_error *error);
ts_status ts_export_svg(const ts_export_job *job, ts_error *error);
