/* SPDX-License-Identifier: MIT */
/* What the two halves of the glTF writer share: export_gltf.c finds out what there is and writes BIN,
 * export_gltf_json.c the JSON that describes it. */
#pragma once

#include <float.h>
#include <math.h>

#include "record/export.h"

enum {
    TS_GLTF_VERTICES,
    TS_GLTF_INDICES,
    TS_GLTF_TIMES,
    TS_GLTF_TRANSLATIONS,
    TS_GLTF_ROTATIONS,
    TS_GLTF_SCALES,
    TS_GLTF_VIEW_COUNT
};
enum { TS_GLTF_NO_SCALE = UINT32_MAX };

typedef struct ts_gltf {
    const ts_export_job *job;
    const ts_trajectory_header *header;
    ts_export_range range;

    /* meshes: solids, and in the plane after them one of curves for each wall that has some */
    size_t solid_count;
    ts_mesh3 *solid;
    const char **solid_name; /* "" where there is none */
    size_t *solid_material;  /* index of a shape; shape_count: of walls, and one more: of springs */
    ts_export_lines lines;   /* of all walls of the plane, local */
    size_t *line_end;        /* curves up to and with each wall; NULL in space (wall_count) */

    size_t shape_count, bodies, items; /* items: bodies, then walls, whether they are seen or not, then springs */
    int32_t *shape_mesh;               /* of each shape; unused where no body has it (shape_count) */
    size_t walls;                      /* of them */
    int32_t *wall_mesh;                /* of each wall or spring; -1: none (items - bodies) */
    uint32_t *scaled; /* rank of an item among those that come and go, TS_GLTF_NO_SCALE for others (items) */
    size_t scaled_count;
    signed char *sign;                                                     /* of the last quaternion written (items) */
    uint64_t length[TS_GLTF_VIEW_COUNT], begin[TS_GLTF_VIEW_COUNT], bytes; /* of the arrays, in BIN; all of BIN */
    ts_draft draft;
    uint64_t bin; /* where BIN's bytes begin in the file */
    uint64_t done, work;
} ts_gltf;

/* An item at one moment. */
typedef struct ts_gltf_pose {
    double move[3], turn[4], scale[3]; /* turn: x, y, z, w; scale 0 while it is away */
    bool present;
} ts_gltf_pose;

ts_gltf_pose ts_gltf_pose_of(const ts_gltf *g, const ts_frame *frame, size_t item);

static inline bool ts_gltf_is_animated(const ts_gltf *g)
{
    return g->range.total > 1;
}

/* A number of a body that flew off is not one; glTF has no word for that. */
static inline float ts_gltf_number(double value)
{
    return isfinite(value) && fabs(value) <= (double)FLT_MAX ? (float)value : 0;
}

/* `frame`: the first; `last_time`: of the animation. */
void ts_gltf_put_json(const ts_gltf *g, const ts_frame *frame, float last_time, FILE *out);
