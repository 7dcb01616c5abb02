/* SPDX-License-Identifier: MIT */
/* The loop of `touchstone run`: steps, records, checkpoints, shows progress, and stops when it is time.
 *
 *     record what is due ─▶ done? signal? wall limit? ─▶ checkpoint? progress? ─▶ step until the next of these ─▶ again
 *
 * The wall clock decides when to look up and when to checkpoint, never what is computed: a run cut into pieces in
 * another way gives the same bits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/runfolder.h"
#include "touchstone/sim.h"

typedef struct ts_session {
    const ts_model *model;
    ts_state *state;
    ts_workspace *work;
    ts_recorder *recorder;      /* NULL: nothing is recorded */
    double wall_limit;          /* of this session [s]; infinity: none */
    double checkpoint_interval; /* least wall time between checkpoints [s] … */
    double checkpoint_rest;     /* … and as a multiple of what the last one took [1] */
    bool quiet;                 /* no progress */

    /* written by the loop */
    const char *outcome;      /* "finished", "interrupted", "wall_limit", "diverged", "failed" */
    bool has_checkpoint;      /* the run can be resumed from … */
    uint64_t checkpoint_step; /* … this step */
    uint64_t first_step;      /* where this session began */
    double wall;              /* spent in the loop [s] */
} ts_session;

/* Runs until the model's duration, a signal (SIGINT, SIGTERM, SIGHUP; a second one ends the program at once) or the
 * wall limit; all three are TS_OK and leave a checkpoint. A run that has none yet writes one before its first step.
 * Otherwise the error says what went wrong. */
ts_status ts_session_run(ts_session *session, ts_error *error);
