/* SPDX-License-Identifier: MIT */
/* What the two halves of the glTF writer share: export_gltf.c finds out what there is and writes BIN,
 * export_gltf_json.c the JSON that describes it. */
#pragma once

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "record/export.h"

enum {
    TS_GLTF_VERTICES,
    TS_GLTF_INDICES,
    TS_GLTF_TIMES,
    TS_GLTF_TRANSLATIONS,
    TS_GLTF_ROTATIONS,
    TS_GLTF_SCALES,
    TS_GLTF_CONTACTS, /* lines of all frames */
    TS_GLTF_SHOWN,    /* when each frame's are seen: times, then scales */
    TS_GLTF_VIEW_COUNT
};
enum { TS_GLTF_NO_SCALE = UINT32_MAX };
/* A vertex of a contact's line: position, gap, weight, normal, force, key. */
enum { TS_GLTF_CONTACT_BYTES = 12 + 4 + 4 + 12 + 12 + 8 };

/* Times from 0 on, as floats that grow from each to the next. */
typedef struct ts_gltf_clock {
    double begin;
    float last;
    bool started;
} ts_gltf_clock;

float ts_gltf_next_time(ts_gltf_clock *clock, double time);

/* The contacts of one frame: a node with lines, seen until the next frame. Frames without contacts have none. */
typedef struct ts_gltf_flash {
    uint64_t frame, first, count; /* of the export; contacts before it, and its own */
    float low[3], high[3];        /* of the lines */
    float time[3];                /* the run's begin, the frame, and the next (key_count of them) */
    float shown[3];               /* 1: seen from then on; 0: not */
    int key_count;
    uint64_t key_first; /* keys before it */
} ts_gltf_flash;

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
    TS_ARRAY(ts_gltf_flash) flash;                                         /* with job->contacts */
    uint64_t contact_count, key_count;
    double contact_length; /* of a line [m] */
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

/* ---- Contacts: export_gltf_contacts.c ---- */

/* Looks at all frames. */
ts_status ts_gltf_find_contacts(ts_gltf *g, ts_error *error);
/* Their part of BIN, by a function that writes at an offset of the file. */
typedef ts_status ts_gltf_write(const ts_gltf *g, const unsigned char *data, size_t size, uint64_t offset,
                                ts_error *error);
ts_status ts_gltf_write_contacts(const ts_gltf *g, ts_gltf_write *write, ts_error *error);
/* Their parts of JSON, each after something else; numbers of the first mesh, accessor and sampler, and of the material. */
void ts_gltf_put_contact_nodes(const ts_gltf *g, size_t mesh, FILE *out);
void ts_gltf_put_contact_meshes(const ts_gltf *g, size_t accessor, size_t material, FILE *out);
void ts_gltf_put_contact_accessors(const ts_gltf *g, FILE *out);
void ts_gltf_put_contact_samplers(const ts_gltf *g, size_t accessor, FILE *out);
void ts_gltf_put_contact_channels(const ts_gltf *g, size_t sampler, size_t node, FILE *out);
/* One accessor without its closing brace. `component`: 5123 u16, 5125 u32, 5126 f32. */
void ts_gltf_put_accessor(const ts_gltf *g, FILE *out, int view, int component, uint64_t offset, const char *type,
                          uint64_t count);

/* `frame`: the first; `last_time`: of the animation. */
void ts_gltf_put_json(const ts_gltf *g, const ts_frame *frame, float last_time, FILE *out);
