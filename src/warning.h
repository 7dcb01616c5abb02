/* SPDX-License-Identifier: MIT */
/* What puts the result of a run in doubt, or should be known about it: one table of kinds (warning.c), from which the
 * terminal, summary.json and ts_workspace_warnings take the same words.
 *
 *     a step notices something ─▶ ts_tally_add: a tally for each kind, in the workspace
 *     a recorder adds tallies up over sessions, a checkpoint keeps them
 *     at the end ─▶ ts_warnings_of: a sentence for each tally that has something to tell
 *
 * Tallies do not depend on the number of threads. They are no state: no step reads them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/sim.h"

/* In the order in which they are told. */
typedef enum ts_warning_kind {
    /* of steps */
    TS_WARN_THROUGH,   /* a body was half-way through another, or through a wall */
    TS_WARN_SUNK,      /* bodies are deep in each other at the end of the run */
    TS_WARN_DEEP,      /* overlaps beyond what contact laws are made for */
    TS_WARN_STIFFNESS, /* overlaps were not as the derived stiffness aims at: worst is the ratio of the two */
    TS_WARN_LOCKED,    /* bodies locked in each other, whose impact did not end */
    TS_WARN_UNSETTLED, /* normal impulses and friction that did not settle */
    TS_WARN_FAST,      /* a body too fast for the time step: the run ended there */
    TS_WARN_ENERGY,    /* energy from nowhere */
    TS_WARN_DIVERGED,  /* the run ended there for another reason */
    /* of a scene or a folder, told before the first step */
    TS_WARN_MENDED,     /* meshes that were mended */
    TS_WARN_UNUSED_KEY, /* a key that changes nothing */
    TS_WARN_SHORT_STEP, /* a key makes the time step far shorter than need be */
    TS_WARN_CHECKPOINT, /* a checkpoint that could not be used */
    TS_WARNING_KINDS
} ts_warning_kind;

enum { TS_STEP_WARNINGS = TS_WARN_MENDED }; /* kinds of steps; the others have no tally */

/* How often something was noticed. All zero: never. */
typedef struct ts_tally {
    uint64_t count;      /* steps in which it was noticed */
    uint64_t first_step; /* the first of them, counted from 1; 0: before the first step */
    int64_t body;        /* a body of that step, or -1 */
    double worst;        /* largest value of what is measured, if anything is */
} ts_tally;

/* Overlap, as a share of the smaller radius, above which contact laws no longer hold: they assume a few percent. */
#define TS_DEEP_RATIO 0.1
/* Above this a body counts as half-way through, also where it is thicker than that: nothing of what pushes it back is
 * right any more. */
#define TS_THROUGH_RATIO 0.5
/* Below this nobody asks how thin a body is. */
#define TS_THIN_RATIO 0.02
/* Energy from nowhere, as a share of the largest that ever was in motion and springs (record/energy_guard.h). */
#define TS_ENERGY_EXCESS 0.1

/* One more step, of this number, in which something was noticed. */
void ts_tally_add(ts_tally *tally, uint64_t step, int64_t body, double worst);
/* Adds what was noticed later. */
void ts_tally_merge(ts_tally *to, const ts_tally *later);

/* What is told about a run of `steps` steps: at most TS_STEP_WARNINGS, in the order of kinds. `work` took the last of
 * them; `tally` is of all kinds of steps. `message`: what ended the run, or NULL. Returns how many there are. */
size_t ts_warnings_of(const ts_workspace *work, const ts_tally *tally, uint64_t steps, const char *message,
                      ts_warning *warning);
/* A warning of a scene or a folder. */
ts_warning ts_warning_of_start(ts_warning_kind kind, uint64_t count, const char *text);
/* The sentence of TS_WARN_SHORT_STEP, which the dynamics tells; false: there is none. */
bool ts_warning_of_step(const ts_model *model, char *text, size_t capacity);
/* Whether one of them puts the result in doubt. */
bool ts_warnings_doubt(const ts_warning *warning, size_t count);
