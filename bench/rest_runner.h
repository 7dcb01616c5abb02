/* SPDX-License-Identifier: MIT */
/* Part of the bench `rest`: one heap in one program, ours or another, under one interface, so that windows of all of
 * them can be timed by turns.
 *
 * Others: Box2D and Chipmunk in the plane, Bullet and ODE in space, at 60 Hz with their usual iterations (8 and 3, 10,
 * 10, 20), on one thread, nothing asleep; bench/peers/ says what else was chosen. Ours: defaults, in derived steps. A
 * model's gravity never changes, so turning it is done here, in the model. */
#pragma once

#include "base/clock.h"
#include "process.h"
#include "rest_heap.h"
#include "touchstone/sim.h"

typedef struct ts_runner {
    char name[64]; /* "soft-step", "Box2D 2.4.1" */
    const ts_heap *heap;
    double step;     /* [s] */
    ts_model *model; /* ours; of another program NULL */
    ts_state *state;
    ts_workspace *work;
    ts_process process; /* another program */
    int index;          /* which: 0 or 1 */
    char path[4096];    /* of its files, without extension */
    double simulated;   /* so far [s] */
    double seconds;     /* of processor time so far [s] */
    double bound;       /* it stops when it has had so many; 0: never [s] */
    double until;       /* and earlier when it will have had more than that by that simulated time [s] */
    bool stopped;       /* it broke down, or took too long … */
    bool slow;          /* … the latter … */
    char why[256];      /* … in words */
    bool taken;         /* another program began with the heap of ours */
    bool borrows;       /* the model is another's */
} ts_runner;

/* What a window took. */
typedef struct ts_window {
    double simulated;             /* [s] */
    double seconds;               /* of processor time [s] */
    double wall;                  /* by the clock on the wall; of another program: waiting for it [s] */
    double phase[TS_PHASE_COUNT]; /* ours: where the processor's time went [s] */
} ts_window;

/* How gravity leans from straight down towards +x at the beginning of a window [rad], and how fast that grows
 * [rad/s]. */
typedef struct ts_lean {
    double tilt, turn;
} ts_lean;

/* Ours by this kind of dynamics. ts_runner_close frees it, whatever happened. */
ts_status ts_runner_open(const ts_heap *heap, const char *dynamics, int threads, ts_runner *runner, ts_error *error);
/* The same heap as it stands in another runner of ours, whose model is used: that one must live longer. */
ts_status ts_runner_open_copy(const ts_runner *from, int threads, ts_runner *runner, ts_error *error);
/* The first (0) or second (1) program for heaps of its dimension, with its files in a folder; `name` stays "" when it
 * was not built. One that cannot begin has stopped. */
ts_status ts_runner_open_peer(const char *folder, const ts_heap *heap, int index, ts_runner *runner, ts_error *error);
void ts_runner_close(ts_runner *runner);
/* About so much simulated time, in whole steps. A runner that has stopped does nothing, one that breaks down stops. */
ts_status ts_runner_walk(ts_runner *runner, double time, ts_lean lean, ts_window *window, ts_error *error);
/* Puts bodies where another runner of ours has them: what had stopped goes on. Ours gets their velocities, too; another
 * program begins anew, at rest, Box2D without continuous collision: its walls are thick, and nothing is fast. */
ts_status ts_runner_take(ts_runner *runner, const ts_runner *from, ts_error *error);
/* Poses and velocities as they are (heap->crowd.count). A program that has ended stops. */
ts_status ts_runner_look(ts_runner *runner, ts_pose3 *pose, ts_twist3 *rate, ts_error *error);
