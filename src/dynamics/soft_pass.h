/* SPDX-License-Identifier: MIT */
/* Passes of soft-step over groups of rows, of the plane and of space: which groups may be worked on at once.
 *
 * A group is a few pairs side by side. Groups stand by colour (soft_colour.h): where a pass changes velocities, those of
 * one colour are worked on in any order, on any number of threads, and colours come one after the other. */
#pragma once

#include <stdatomic.h>

#include "base/threads.h"
#include "dynamics/soft_colour.h"

/* Groups that one task takes. */
enum { TS_SOFT_GROUP_CHUNK = 32 };

typedef enum ts_soft_pass {
    TS_SOFT_PLACE,       /* rows where they stand, and their masses */
    TS_SOFT_WARM,        /* impulses of the sub-step before act again */
    TS_SOFT_NOTE,        /* approach speeds of what will bounce */
    TS_SOFT_PUSH,        /* normals, soft; bodies that an impact changes are noted (ts_soft_heat) */
    TS_SOFT_PUSH_AGAIN,  /* likewise, of pairs of those bodies alone */
    TS_SOFT_FOLLOW,      /* gaps and normals from poses */
    TS_SOFT_RELAX,       /* normals and friction without pushing apart */
    TS_SOFT_RELAX_NOTE,  /* likewise; bodies that an impact still changes are noted */
    TS_SOFT_RELAX_AGAIN, /* likewise, of pairs of those bodies alone */
    TS_SOFT_RELAX_LAST,  /* the last time in this sub-step: impulses are added up */
    TS_SOFT_BOUNCE,      /* restitution */
    TS_SOFT_PASSES
} ts_soft_pass;

/* Works on the groups begin … end - 1, in order. */
typedef void ts_soft_kernel(const void *task, int32_t begin, int32_t end);

typedef struct ts_soft_runner {
    ts_pool *pool;
    ts_soft_kernel *const *kernel; /* of each pass */
    const void *task;
    const int32_t *group_begin; /* the first of each colour (TS_COLOURS + 1) */
    int colour_count;
    bool follow_strikes; /* following changes velocities */
    bool relaxes_back;   /* relaxing goes through the colours in the other direction */
} ts_soft_runner;

void ts_soft_run(const ts_soft_runner *runner, ts_soft_pass pass);

/* Which bodies an impact still changes. A few passes are enough for what lasts, since it begins with the impulses of the
 * sub-step before; an impact begins with none, and goes from body to body by one pair a pass. So pairs of bodies that the
 * last pass has changed by more than `speed`, and by more than what lasts, are worked on again, and those that this
 * changes, until nothing is. */
typedef struct ts_soft_heat {
    double speed;    /* [m/s] */
    uint8_t *stamp;  /* of each body, and of walls: number of the pass that has changed it last (count) */
    size_t count;    /* of what has a velocity */
    uint8_t pass;    /* number of the pass */
    atomic_bool any; /* something is changed in it */
} ts_soft_heat;

void ts_soft_push(const ts_soft_runner *runner, ts_soft_heat *heat);
/* All relaxations of a sub-step. */
void ts_soft_relax(const ts_soft_runner *runner, ts_soft_heat *heat, uint64_t relaxations);

/* How a soft row answers: overlaps go as a damped oscillator does (soft.h). */
typedef struct ts_soft_answer {
    double rate;    /* speed out of an overlap, over the overlap [1/s] */
    double mass;    /* share of the mass that counts */
    double impulse; /* share of the impulse that is given back */
} ts_soft_answer;
