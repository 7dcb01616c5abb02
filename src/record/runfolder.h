/* SPDX-License-Identifier: MIT */
/* A run folder, and the recorder that fills it.
 *
 *     RUN/scene.json       the scene as it ran, self-contained: what --resume compiles
 *         trajectory.tst   frames (record/trajectory.h)
 *         energies.csv     energies, momentum, overlaps (record/table.h)
 *         checkpoint.0 .1  the last two states, alternating (record/checkpoint.h)
 *         summary.json     what became of the run (record/summary.h)
 *         lock             held while a run writes here; says nothing after a crash
 *
 * A run, with errors left out:
 *
 *     ts_recorder_create(folder, model, &options, &recorder, &error);         or, to go on with an old run:
 *     ts_recorder_resume(folder, model, state, &options, &recorder, &error);  (state is then the checkpoint's)
 *     uint64_t last = ts_run_last_step(model);
 *     for (;;) {
 *         ts_recorder_write(recorder, state, work, &error);                   whatever is due at this step
 *         if (ts_state_steps(state) >= last || interrupted) break;
 *         uint64_t next = ts_recorder_next(recorder, ts_state_steps(state));  next step at which something is due
 *         ts_step(model, state, work, min(next, last) - ts_state_steps(state), &error);
 *         if (a minute went by) ts_recorder_checkpoint(recorder, state, &error);
 *     }
 *     ts_recorder_checkpoint(recorder, state, &error);
 *     ts_recorder_finish(recorder, state, work, &end, &summary, &error);      summary.json
 *     ts_recorder_free(recorder);
 *
 * When to record. Frame k is due at step round(k · interval / Δt): a function of k alone, so times never drift, and
 * calling ts_recorder_write at a step where nothing is due, or twice at the same step, writes nothing. So a resumed run
 * leaves the same bytes in trajectory and table as one that never stopped.
 *
 * The step at which a run stops is recorded as well, by ts_recorder_finish, if nothing was due there. It comes after
 * the last checkpoint and is in none: resuming cuts it off, so it stands at the end of a trajectory and never in the
 * middle.
 *
 * A run that is to survive a kill writes its first checkpoint at step 0, right after ts_recorder_write: without any
 * checkpoint only a run that has no more than its first frame can be resumed.
 *
 * ts_recorder_resume cuts trajectory and table back to where they were at the checkpoint. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "record/summary.h"
#include "touchstone/sim.h"

#define TS_RUN_SCENE      "scene.json"
#define TS_RUN_TRAJECTORY "trajectory.tst"
#define TS_RUN_ENERGIES   "energies.csv"
#define TS_RUN_SUMMARY    "summary.json"

typedef struct ts_recorder ts_recorder;

/* Zero is a good default for every field. All texts are copied. */
typedef struct ts_recorder_options {
    const char *title;      /* for pictures; may be NULL */
    const char *scene_text; /* create: becomes scene.json; NULL: it cannot be resumed from the command line */
    size_t scene_length;    /* bytes of it; 0: up to the terminating zero */
    bool force;             /* create: replace an earlier run in this folder, and the pictures drawn of it there */
} ts_recorder_options;

/* Starts a run in `folder`, which is made if need be. Refused (TS_BAD_INPUT) when the folder holds a run already,
 * unless `force`, and when another process is writing there. The model must outlive the recorder. */
ts_status ts_recorder_create(const char *folder, const ts_model *model, const ts_recorder_options *options,
                             ts_recorder **recorder, ts_error *error);

/* Goes on with the run in `folder`: sets `state` to the newest valid checkpoint (time 0 when there is none yet, because
 * the run was killed before its first; TS_CORRUPT when there is none although the trajectory has come farther). On
 * failure the state is unchanged. A checkpoint of another scene is refused and the difference named. */
ts_status ts_recorder_resume(const char *folder, const ts_model *model, ts_state *state,
                             const ts_recorder_options *options, ts_recorder **recorder, ts_error *error);

/* What resuming found that the user should hear, such as "checkpoint.1 is damaged (…); resumed from the one before it,
 * at step 1000"; "" when all was well. Owned by the recorder. */
const char *ts_recorder_note(const ts_recorder *recorder);

/* Writes the frame and the table row that are due at the state's step, if any. The time it takes is added to the
 * workspace's timers, whose phases (when they are on) and counters go into the summary: use one workspace for a run,
 * and leave its largest overlap to the recorder. TS_DIVERGED when the row that was just written has energy from nowhere
 * (record/energy_guard.h): do not checkpoint that state. */
ts_status ts_recorder_write(ts_recorder *recorder, const ts_state *state, ts_workspace *work, ts_error *error);
/* The first step after `step` at which something is due; UINT64_MAX when never. */
uint64_t ts_recorder_next(const ts_recorder *recorder, uint64_t step);
/* Writes a checkpoint over the older of the two; returns when the disk has it. */
ts_status ts_recorder_checkpoint(ts_recorder *recorder, const ts_state *state, ts_error *error);

/* How the run ended. */
typedef struct ts_run_end {
    const char *outcome;    /* "finished" (the summary then decides if it is "doubtful"), "interrupted", "wall_limit",
                                     "diverged", "failed" */
    const char *message;    /* one sentence, or NULL */
    const ts_warning *told; /* warnings of the scene, told before the first step (told_count) */
    size_t told_count;
} ts_run_end;

/* Writes summary.json and syncs everything. `summary` (may be NULL) receives what was written; it is plain data. Unless
 * the outcome is "diverged" or "failed" the state is measured and recorded, off the regular times if need be: write the
 * checkpoint before, and none after. */
ts_status ts_recorder_finish(ts_recorder *recorder, const ts_state *state, ts_workspace *work, const ts_run_end *end,
                             ts_summary *summary, ts_error *error);
/* Closes the files and unlocks the folder; NULL is fine. Without ts_recorder_finish the run counts as killed. */
void ts_recorder_free(ts_recorder *recorder);
TS_RELEASE_AT(ts_recorder, ts_recorder_free)

/* ---- Without a recorder ---- */

/* The step at which the run has lasted as long as the scene asks: round(duration / Δt). */
uint64_t ts_run_last_step(const ts_model *model);
/* folder/name into `path`; TS_BAD_INPUT when it does not fit. */
ts_status ts_run_path(const char *folder, const char *name, char *path, size_t capacity, ts_error *error);
/* Whether `folder` holds a run: a scene or a trajectory of ours. */
bool ts_run_exists(const char *folder);
