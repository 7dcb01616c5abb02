/* SPDX-License-Identifier: MIT */
/* Plane and space, as records know them: two rows with all that files, tables and pictures have to know of the
 * dimension of a run. */
#pragma once

#include <stdio.h>

#include "record/archive.h"
#include "record/trajectory.h"
#include "touchstone/measure.h"

struct ts_visitor; /* of a trajectory's header (trajectory_header.c) */
struct ts_painting;
struct ts_export_job;
struct ts_export_range;
struct ts_export_batch;
struct ts_export_solids;
struct ts_dump; /* (export_lammps.c) */

/* Columns that a table has. */
enum { TS_IN_PLANE = 1, TS_IN_SPACE = 2 };

/* Sizes on disk of one record of each kind in a frame. */
typedef struct ts_record_sizes {
    size_t wall, body, contact;
} ts_record_sizes;

typedef struct ts_record_kind {
    int axes;       /* components of a vector: 2, or 3 */
    int turns;      /* components of an angular velocity that may differ from 0, from z down: 1, or 3 */
    double down[3]; /* where gravity says nothing */

    /* trajectories */
    uint32_t oldest, version;            /* of the format */
    uint32_t flag;                       /* of a file of this one */
    size_t header_body;                  /* bytes of a body in the header */
    ts_record_sizes size;                /* without a body's gate */
    bool solids;                         /* shapes are solids, before a camera: forms, hulls and meshes are counted */
    bool bounded;                        /* numbers are small enough for products of them to be finite */
    bool weighs;                         /* contacts have a spring and a weight */
    bool tells_elastic;                  /* a frame without contacts says by itself that their energy is not known */
    bool (*visit)(struct ts_visitor *v); /* shapes and walls */
    bool (*visit_body)(struct ts_visitor *v, ts_trajectory_body *body); /* its shape, material and scale */
    void (*pose)(ts_archive *a, ts_pose3 *pose, double *angle);         /* in a frame */
    ts_pose3 (*mix)(ts_pose3 p, ts_pose3 q, double angle, ts_vec3 spin, double span, double t); /* between frames */

    /* tables and words */
    const char *momenta;    /* columns of energies.csv */
    unsigned columns;       /* of an export: TS_IN_PLANE, TS_IN_SPACE */
    const char *quantities; /* of it, "frames, bodies, …" … */
    size_t quantity_count;  /* … and how many */
    void (*weigh)(const ts_trajectory_header *header, const ts_trajectory_body *made, ts_snapshot_body *body);
    void (*shape_name)(const ts_trajectory_header *header, size_t shape, char text[128]); /* where it has none */

    const struct ts_painting *painting; /* pictures and videos (render.c) */

    /* exports */
    const char *up;                                  /* usda: "Y" */
    const char *gltf_world;                          /* glb: how a node turns all of it so that y is up; NULL: it is */
    const char *lammps_columns, *lammps_side;        /* lammps: how the third sides of the box end */
    ts_box3 nothing;                                 /* to be looked at where there is nothing to be seen */
    ts_vec3 (*size_of)(double length, double depth); /* of something so long, in the plane so deep */
    double (*tangential)(const ts_frame_contact *contact); /* force; in the plane signed [N] */
    void (*add_walls)(const ts_trajectory_header *header, const ts_frame *frame, ts_box3 *box); /* that are seen */
    ts_status (*surfaces)(const struct ts_export_job *job, const struct ts_export_range *range, int segments,
                          struct ts_export_solids *solids, ts_error *error);
    ts_status (*draw)(const struct ts_export_job *job, const ts_frame *frame, FILE *out, ts_error *error); /* svg */
    ts_status (*lammps_meshes)(struct ts_dump *dump, const struct ts_export_solids *solids,
                               struct ts_export_batch *batch, ts_error *error);
} ts_record_kind;

extern const ts_record_kind ts_record_plane, ts_record_space;

/* Members that are functions, each defined in a file of its own matter, and their names but for _plane and _space. */
#define TS_RECORD_FUNCTIONS(of)                                                                                  \
    of(visit, ts_header) of(visit_body, ts_header_body) of(pose, ts_record_pose) of(mix, ts_film_mix)            \
        of(weigh, ts_snapshot_weigh) of(shape_name, ts_tint_name) of(size_of, ts_export_size)                    \
            of(tangential, ts_export_tangential) of(add_walls, ts_export_walls) of(surfaces, ts_export_surfaces) \
                of(draw, ts_export_svg) of(lammps_meshes, ts_export_lammps)
#define TS_RECORD_DECLARE(member, name) __typeof__(*((ts_record_kind *)NULL)->member) name##_plane, name##_space;
TS_RECORD_FUNCTIONS(TS_RECORD_DECLARE)
extern const struct ts_painting ts_painting_plane, ts_painting_space;

const ts_record_kind *ts_record_kind_of(int dimension);
ts_record_sizes ts_record_sizes_of(const ts_record_kind *kind, bool gates, bool weights);
