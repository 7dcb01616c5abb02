/* SPDX-License-Identifier: MIT */
/* Parts of the bench `impact-space`: a run in space of ours, step by step under a clock. */
#pragma once

#include "base/clock.h"
#include "pile_peer.h"
#include "study/bench.h"
#include "touchstone/sim.h"

typedef struct ts_timed_run {
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
} ts_timed_run;

/* Steps that are to be timed. */
typedef struct ts_timed_walk {
    const char *what; /* for reports of progress */
    uint64_t steps;
    double budget;     /* no step begins after so many seconds [s] */
    bool by_processor; /* the processor's time, of one thread; else the clock on the wall */
} ts_timed_walk;

/* Of the steps that were taken: means, unless they say otherwise. */
typedef struct ts_timed_figures {
    uint64_t steps;
    double seconds, longest;      /* a step [s] */
    double phase[TS_PHASE_COUNT]; /* of a step, of the same clock [s] */
    double resolve_longest;       /* [s] */
    double passes, passes_most;   /* of the impact operator, in all solves of a step */
    /* of inelastic impacts with friction, in all solves of a step, and of moving bodies apart; not of friction after
     * elastic impacts */
    double sweeps;
    double contacts, contacts_most; /* constraints that were resolved */
    bool stopped;                   /* it could not go on … */
    char why[256];                  /* … in words */
} ts_timed_figures;

/* Compiles a scene. ts_timed_run_close frees what there is, whatever happened. */
ts_status ts_timed_run_open(const ts_scene *scene, int threads, ts_timed_run *run, ts_error *error);
void ts_timed_run_close(ts_timed_run *run);
/* Takes steps. An impact that does not end, or bodies that are too deep in each other, are an outcome. */
ts_status ts_timed_run_walk(ts_bench *bench, ts_timed_run *run, const ts_timed_walk *walk, ts_timed_figures *figures,
                            ts_error *error);
/* Joins two walks of the same run. */
void ts_timed_figures_add(ts_timed_figures *to, const ts_timed_figures *walk);
/* "pairs 0.1 ms, contacts …": where the time of a step goes. Returns `text`. */
const char *ts_timed_phases(const ts_timed_figures *figures, char text[160]);

/* Rows of a layer of spheres on a floor that shakes, beside published times. */
ts_status ts_impact_space_layer(ts_bench *bench, ts_error *error);
