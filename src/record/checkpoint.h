/* SPDX-License-Identifier: MIT */
/* A checkpoint: a state written down, with where the run's files stood at that moment (docs/formats.md has the bytes).
 *
 * It is written to a temporary name, synced and renamed, so a crash leaves the old file or the new one. It carries the
 * fingerprint of its model (scene/fingerprint.h): loading it into a state of another model fails and names what
 * differs. */
#pragma once

#include <stdint.h>

#include "base/clock.h"
#include "record/append.h"
#include "touchstone/measure.h"
#include "warning.h"

#define TS_CHECKPOINT_VERSION 12 /* impulses of whole steps */

/* Sums over a run's sessions so far. */
typedef struct ts_run_totals {
    uint64_t session_count;
    double wall_time;                     /* [s] */
    double phase_seconds[TS_PHASE_COUNT]; /* [s] */
    uint64_t step_count;                  /* that the next two sums go over */
    uint64_t contact_sum;
    uint64_t query_sum;
    uint64_t measure_count;       /* rows measured; 0: the rest means nothing */
    ts_measures first, last;      /* the first and the newest row's */
    double largest_overlap;       /* in any step [m] */
    double largest_overlap_ratio; /* [1] */
    double largest_kinetic;       /* [J] */
    ts_tally tally[TS_STEP_WARNINGS];
} ts_run_totals;

/* What a checkpoint holds besides the state. All zero for a state that was saved by itself. */
typedef struct ts_checkpoint {
    uint64_t serial; /* counts a run's checkpoints: the larger is the newer */
    ts_mark trajectory;
    ts_mark energies;
    ts_run_totals totals;
    /* Where bodies were at the newest row of the energy table, for the flow from there to the next one: time, positions
     * and presence, and nothing else. No bodies: not kept. */
    ts_snapshot before;
} ts_checkpoint;

/* Replaces `path`, atomically; returns when the disk has it. */
ts_status ts_checkpoint_write(const char *path, const ts_model *model, const ts_state *state,
                              const ts_checkpoint *about, ts_error *error);
/* Sets the state. TS_CORRUPT: damaged; TS_UNSUPPORTED: of another version; TS_BAD_INPUT: of another model. On failure
 * state and `about` are unchanged. `about` may be NULL; about->before is the caller's to free. */
ts_status ts_checkpoint_read(const char *path, const ts_model *model, ts_state *state, ts_checkpoint *about,
                             ts_error *error);
/* Checks the whole file's checksum and gives its serial number and step, whatever model it is of. */
ts_status ts_checkpoint_peek(const char *path, uint64_t *serial, uint64_t *step, ts_error *error);
