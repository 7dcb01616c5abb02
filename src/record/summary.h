/* SPDX-License-Identifier: MIT */
/* What became of a run: the contents of summary.json. Plain data. Sums go over all sessions of a resumed run. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "record/jsonwriter.h"
#include "record/kind.h"
#include "touchstone/sim.h"
#include "warning.h"

typedef struct ts_summary {
    char version[32]; /* of the library */
    char title[256];
    char outcome[32];      /* "finished", "doubtful", "interrupted", … */
    char message[1024];    /* one sentence, or "" */
    char cpu[128];         /* brand of the processor */
    char instructions[16]; /* instruction set in use: "baseline", "avx2", "avx512" */
    int thread_count;
    int session_count; /* 1 + number of resumes that reached a checkpoint */

    size_t body_count, wall_count; /* of space: walls, where a room is six */
    size_t asleep_count;           /* bodies that sleep at the end (ts_state.still) */
    const ts_record_kind *kind;    /* momenta have as many components as it has axes and turns */
    double time_step;              /* [s] */
    double stable_step;            /* [s] */
    uint64_t steps;                /* since time 0 */
    double simulated_time;         /* [s] */
    double wall_time;              /* of all sessions [s] */
    uint64_t session_steps;        /* of this session */
    double session_wall;           /* of this session [s] */
    double rate;                   /* particle-steps a second of wall time, this session */

    double phase_seconds[TS_PHASE_COUNT]; /* all sessions; all zero when timers were off */
    double contacts_per_step; /* touching, mean over the steps of all sessions; NaN when no step was taken */
    double queries_per_step;  /* pairs whose geometry was asked, likewise */
    double left_out_per_step; /* contacts of smooth bodies that had too little weight, mean over this session's steps */

    ts_measures first;            /* at time 0 */
    ts_measures last;             /* at the end */
    bool has_measures;            /* false when nothing was ever measured */
    double momentum_drift[3];     /* change of momentum that gravity does not explain [kg·m/s] */
    double momentum_scale;        /* what to compare it with: largest √(2 M E_kin) ≥ Σ m |v| [kg·m/s] */
    bool closed;                  /* no boundary and no fixed body: momentum_drift must then be round-off */
    double largest_overlap;       /* in any step [m] */
    double largest_overlap_ratio; /* as a share of the smaller radius [1]: of that contact, or larger at a row */
    ts_warning warning[TS_WARNING_KINDS]; /* the gravest first */
    size_t warning_count;

    uint64_t frame_count, row_count;
    uint64_t trajectory_bytes;
    uint64_t memory_bytes; /* ts_memory_bytes at the end */
    uint64_t state_hash;   /* ts_state_hash at the end */
    uint64_t model_hash;
} ts_summary;

/* More warnings, of the scene or the folder. */
void ts_summary_add_warnings(ts_summary *summary, const ts_warning *warning, size_t count);
/* How a run ended: "finished" becomes "doubtful" when a warning says so. For runs without a recorder, too. */
void ts_summary_conclude(ts_summary *summary, const char *outcome, const char *message);
/* Whether a run of this outcome has come to its end. */
bool ts_outcome_is_end(const char *outcome);
/* As one JSON object. `name` as in jsonwriter.h. */
void ts_summary_json(const ts_summary *summary, ts_json *json, const char *name);
/* Replaces `path`, atomically. */
ts_status ts_summary_write(const ts_summary *summary, const char *path, ts_error *error);
