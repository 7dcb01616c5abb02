/* SPDX-License-Identifier: MIT */
/* Runs of the published scenes (cem_scenes.h) for studies, and pictures of several runs side by side.
 *
 *     ts_cem_run run[2] = {{.name = "O", .wish = {.scene = "column-collapse", .grain = "O"}}, …};
 *     TS_TRY(ts_cem_runs(study, run, 2, (double[2]){0, 0.9}, error));        each becomes a run folder, <study's folder>/O
 *     TS_TRY(ts_cem_look_at(&run[0], TS_NONE, &look, error));                   its last frame, to be measured
 *     ts_cem_look_end(&look);
 *
 * Runs go side by side, each on one thread; fewer runs than threads go one after the other on all of them. A quick
 * study runs all anew. A full one writes a checkpoint every minute: begun again with the same folder, it goes on where
 * it was, and what is finished stands. Either way the same bits come out on any number of threads. A user may choose
 * among the runs (ts_study_choose); of the others there is nothing to look at: ts_cem_ran. */
#pragma once

#include "record/draw.h"
#include "record/trajectory.h"
#include "study/cem_scenes.h"
#include "study/study.h"
#include "touchstone/measure.h"

#define TS_CEM_PATH 4200

typedef struct ts_cem_run {
    char name[64];    /* of its folder */
    ts_cem_wish wish; /* what it points to must outlive the runs */

    /* written by ts_cem_runs */
    char folder[TS_CEM_PATH];
    double prepared;         /* wall time that its maps took, or finding them [s] */
    double seconds;          /* that running took, of all sessions [s] */
    double steps;            /* since time 0 */
    double queries_per_step; /* pairs whose map was asked */
    bool skipped;            /* a user chose others */
} ts_cem_run;

/* Runs them all, or those that a user chose; `span` is the share of the study's work that this is. */
ts_status ts_cem_runs(ts_study *study, ts_cem_run *run, size_t count, const double span[2], ts_error *error);
/* Whether all of these were run. */
bool ts_cem_ran(const ts_cem_run *run, size_t count);

/* One frame of a finished run. */
typedef struct ts_cem_look {
    ts_trajectory *reader;
    ts_snapshot snapshot; /* borrows the reader's shapes */
} ts_cem_look;

/* The last frame at or before a time [s]; NaN: the last of all. To be ended whatever happened; zero it first. */
ts_status ts_cem_look_at(const ts_cem_run *run, double time, ts_cem_look *look, ts_error *error);
void ts_cem_look_end(ts_cem_look *look);
/* Which frame that is; there must be one. */
ts_status ts_cem_frame_at(ts_trajectory *reader, double time, uint64_t *index, ts_error *error);

typedef struct ts_cem_panel {
    const ts_cem_run *run;
    double time;         /* of the picture [s]; NaN: the end */
    const char *caption; /* the time is added to it */
} ts_cem_panel;

typedef struct ts_cem_figure {
    const char *file; /* without folder and ending */
    const char *title;
    const ts_cem_panel *panel; /* row by row (columns · rows); those of runs that were skipped are left out */
    int columns, rows;
    ts_box view; /* of every panel */
    int width;   /* [px], even; 0: 1280 */
} ts_cem_figure;

/* A PNG of the panels; without Cairo there is none. */
ts_status ts_cem_draw(ts_study *study, const ts_cem_figure *figure, ts_error *error);
/* An MP4 of the panels' runs in step with each other, from frame 0 on, twenty frames a second; without ffmpeg or Cairo
 * there is none. */
ts_status ts_cem_film(ts_study *study, const ts_cem_figure *figure, ts_error *error);
