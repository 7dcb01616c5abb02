/* SPDX-License-Identifier: MIT */
/* What never changes during a run.
 *
 * A scene compiles into a model (scene/compile.c). Bodies keep their id, the index into every per-body array, for good.
 *
 * Bodies and parts. A body is a rigid cluster of one or more *parts*; a part is a disc fixed to its body, and the unit that
 * the broad phase and the contact kernels know. Part k of a one-disc body sits at its centre, so for a scene of plain discs
 * parts and bodies are the same. An outline is one part, with its bounding circle.
 *
 *     body i owns parts  part_begin[i] .. part_begin[i + 1] - 1
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/vec.h"
#include "body/drive.h"
#include "body/spring.h"
#include "body/wall_kinds.h"
#include "contact/law.h"
#include "shape/outline.h"
#include "touchstone/sim.h"

typedef struct ts_dynamics ts_dynamics; /* dynamics/dynamics.h */

/* A shape as compiled: its discs or its outline about its centre of mass, at scale 1. An outline has one disc, its bounding
 * circle, so that all that only asks how far a shape reaches need not know outlines. */
typedef struct ts_shape {
    char *name;          /* may be NULL */
    ts_disc *disc;       /* about the centre of mass (disc_count) [m] */
    size_t disc_count;   /* at least 1 */
    ts_outline *outline; /* about the centre of mass; NULL: the shape is the union of its discs */
    double area;         /* of the shape itself [m²] */
    double inertia;      /* second moment of area about the centre of mass [m⁴] */
    double radius;       /* bounding circle about the centre of mass [m] */
    double
        inner; /* radius of the smallest disc, or of the largest one within an outline: overlaps are small beside it [m] */
} ts_shape;

/* A wall, in the frame of its motion: world = (x, y) + turned(local). Polylines and outlines are kept in that local frame, scale
 * and angle worked in; a polyline's (x, y) is the middle of its bounding box. */
typedef struct ts_boundary {
    ts_boundary_kind kind;
    int32_t material;
    int32_t motion;    /* index into motion[], -1: none */
    double x, y;       /* a point of the edge, or the centre, at displacement zero [m] */
    double nx, ny;     /* half-plane: unit normal towards the bodies, at angle zero; polyline, outline: (1, 0) */
    double radius;     /* circle; polyline, outline: bounding circle about (x, y) [m] */
    size_t line_count; /* polyline, outline: contours */
    ts_contour *line;  /* local frame; an outline's are clean, with the solid on the left of every edge (line_count) */
    ts_distance
        *reach; /* of those: distance, negative in the solid of an outline; of a polyline only its size counts */
    double open, close; /* absent while open <= t < close [s]; both infinite: always there */
    char *name;         /* may be NULL */
} ts_boundary;

struct ts_model {
    /* the scene's settings, with every 0 ("derive it") replaced by its value */
    ts_settings settings;
    double stable_step; /* [s] */

    /* bodies (body_count); mass and inertia follow from material, shape and scale: ts_model_mass */
    size_t body_count;
    ts_body *body;          /* at time 0; radius and inv_mass are final */
    double *inv_inertia;    /* [1/(kg·m²)]; 0 for fixed bodies */
    double *body_scale;     /* of the shape [1] */
    int32_t *body_shape;    /* index into shape[] */
    uint8_t *body_material; /* index into law's rows; so there are at most 256 materials */
    int32_t *body_motion;   /* index into motion[], -1: none; NULL when no body is driven */
    int32_t *body_gate;     /* index into gate[], -1: none; NULL when no body has a gate */

    /* parts (part_count). The five arrays are NULL when parts_are_bodies: part i is then body i, centred on it. */
    size_t part_count;
    bool parts_are_bodies; /* every body is one centred disc */
    size_t *part_begin;    /* body i's first part (body_count + 1) */
    int32_t *part_body;    /* owner */
    double *part_x;        /* centre in the body's frame, scaled [m] */
    double *part_y;
    double *part_radius; /* scaled [m] */

    size_t shape_count;
    ts_shape *shape;
    ts_map_options map;     /* what contact maps shall be, as the scene says it */
    bool has_outlines;      /* some body is an outline */
    struct ts_forms *forms; /* what parts look like to each other (contact/forms.h); NULL: all are discs */

    /* walls and scripts */
    size_t boundary_count;
    ts_boundary *boundary;
    struct ts_faces *faces; /* of those that are polylines or outlines (contact/faces.h); NULL: there are none */
    size_t motion_count;
    ts_motion *motion; /* scripted motions (body/drive.h) */
    size_t gate_count;
    ts_gate *gate; /* of bodies; a boundary has its own times */
    size_t spring_count;
    ts_spring *spring; /* between bodies, or a body and the world (body/spring.h) */

    /* contact law: law[a * material_count + b] */
    size_t material_count;
    char **material_name; /* entries may be NULL */
    double *density;      /* of each material [kg/m²] */
    ts_contact_law *law;

    /* which dynamics resolves contacts, and its switches */
    const ts_dynamics *dynamics;
    ts_dynamics_def dynamics_def; /* kind is NULL here: see dynamics->name */
    double restitution;           /* impact: of the whole system [1] */
    double correction;            /* impact: share of an overlap that a step removes [1] */
    uint64_t staggered;           /* impact: most rounds of normals and friction together; 0: friction once */
    uint64_t sweeps;              /* impact: most sweeps of inelastic impacts; 0: exact programs */
    const char *impact_operator;  /* impact: its name; a literal */
    double moment;                /* of a step at which contacts are looked for: one of those below [1] */

    struct ts_space *space; /* bodies in space (space.h); NULL: the model is of the plane */

    uint64_t hash; /* of all that a result depends on */
    size_t bytes;  /* on the heap, without forms */
};

#define TS_AT_MIDDLE 0.5
#define TS_AT_END    1.0 /* the end that it would have without contacts */

/* Whether contacts are found wherever bodies pass in a step: discs among themselves, and walls that are solid behind. Others are looked at
 * where a step ends, and must not go farther than they are thick. */
static inline bool ts_model_sweeps(const ts_model *model)
{
    return model->moment == TS_AT_END && model->parts_are_bodies && !model->forms && !model->faces;
}

/* Whether the model can be stepped; why not, when its contact maps are not there yet. */
ts_status ts_model_can_run(const ts_model *model, ts_error *error);
