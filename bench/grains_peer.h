/* SPDX-License-Identifier: MIT */
/* Part of the bench `grains`: the same grains in the same bin, given to other programs.
 *
 *     ▏ #  #  # ▕     A bin has a floor, y = 0, and two side walls, x = 0 and x = width. Its grains are equal: one outline at one
 *     ▏  #  #  #▕     scale, of one density. They begin at rest where the bin says: on a loose grid, or where another program
 *     ▏##_#_#_##▕     left them.
 *
 * Box2D and Chipmunk take discs and convex pieces alone. A convex outline is its own piece; `#` is four bars that cross, the
 * fewest pieces there can be, with the mass and the inertia of the outline itself, so that crossings count once. Each
 * runs as a process of its own (bench/peers/), which is built when its library is there; nothing sleeps; what counts is
 * the processor's time, on one thread.
 *
 * What a program calls overlap is its own affair: the caller gets the poses in which grains came to rest, and measures.
 *
 *     ts_grain_bin bin;
 *     TS_TRY(ts_grain_bin_loose(outline, 10000, 100, 1 / 1.28, seed, &bin, error));
 *     ts_grain_job job = ts_grain_job_usual(TS_GRAIN_BOX2D, &bin);
 *     if (ts_grain_peer_installed(TS_GRAIN_BOX2D)) {
 *         ts_grain_result result;
 *         TS_TRY(ts_grain_peer_run(TS_GRAIN_BOX2D, &bin, &job, "build/bench/box2d", &result, error));
 *         … result.seconds a step, result.seconds / job.time_step a simulated second, result.pose …
 *         ts_grain_result_free(&result);
 *     }
 *     ts_grain_bin_free(&bin);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vec.h"
#include "process.h"
#include "touchstone/shape.h"

/* ---- The bin ---- */

typedef struct ts_grain_bin {
    const ts_outline *outline; /* of a grain, about its centre of mass, before scaling; borrowed */
    double scale;              /* of the outline [1] */
    double density;            /* [kg/m²] */
    double friction;           /* between two grains, and at walls [1] */
    double restitution;        /* likewise [1] */
    double gravity;            /* downwards [m/s²] */
    double width;              /* between the side walls [m] */
    size_t count;
    ts_pose2 *pose; /* of each grain's centre of mass (count); ts_grain_bin_free frees it */
} ts_grain_bin;

/* Grains on a square grid of so many columns, each turned at random, 5% farther apart than their radii would let them
 * touch; density 1000 kg/m², friction 0.5, restitution 0, gravity 9.81 m/s², width that of the grid. */
ts_status ts_grain_bin_loose(const ts_outline *outline, size_t count, size_t columns, double scale, uint64_t seed,
                             ts_grain_bin *bin, ts_error *error);
/* Copies of a bin side by side, without the walls between them, for more grains than one would care to settle. Grains
 * that leaned on a wall lean on nothing then, or on their neighbours: settle them once more, which is soon done. */
ts_status ts_grain_bin_side_by_side(const ts_grain_bin *one, size_t copies, ts_grain_bin *bin, ts_error *error);
void ts_grain_bin_free(ts_grain_bin *bin);
/* Mass, inertia and radius of one grain at its scale and density [kg], [kg m²], [m]. */
typedef struct ts_grain_mass {
    double mass;
    double inertia;
    double radius;
} ts_grain_mass;
ts_grain_mass ts_grain_bin_mass(const ts_grain_bin *bin);

/* ---- Shapes that others understand ---- */

#define TS_GRAIN_CORNERS_MAX 8
#define TS_GRAIN_PIECES_MAX  4

typedef struct ts_grain_piece {
    size_t count;
    ts_vec2 point[TS_GRAIN_CORNERS_MAX]; /* counter-clockwise, in the outline's frame and scale */
} ts_grain_piece;

/* The convex pieces of an outline: itself when it is convex with at most 8 straight edges, the bars of a `#`; else
 * TS_UNSUPPORTED. */
ts_status ts_grain_pieces(const ts_outline *outline, ts_grain_piece piece[TS_GRAIN_PIECES_MAX], size_t *count,
                          ts_error *error);
/* The three lengths of a `#`: bars lie between `near` and `far` from the middle on both sides and are 2 × `reach`
 * long. */
typedef struct ts_grain_hash {
    double near;
    double far;
    double reach;
} ts_grain_hash;
/* TS_UNSUPPORTED when the outline is no `#` along the axes about the origin. */
ts_status ts_grain_hash_of(const ts_outline *outline, ts_grain_hash *hash, ts_error *error);

/* ---- Box2D and Chipmunk ---- */

typedef enum ts_grain_peer { TS_GRAIN_BOX2D, TS_GRAIN_CHIPMUNK, TS_GRAIN_PEER_COUNT } ts_grain_peer;

/* How a peer goes about it. */
typedef struct ts_grain_job {
    double time_step;        /* [s] */
    int velocity_iterations; /* Chipmunk: the only ones */
    int position_iterations; /* Box2D alone */
    double slop;      /* overlap that Chipmunk lets be [m], 0: its own, 0.1; Box2D's is 0.005 m and cannot be changed */
    bool discrete;    /* Box2D alone: no continuous collision at walls; it looks through all contacts at every impact */
    double tilt;      /* of gravity, from straight down towards +x, at the start [rad] … */
    double turn;      /* … and how fast it grows [rad/s] */
    double rest;      /* grains are at rest when their kinetic energy is below this share of Σ m g r, twice in a row */
    double most;      /* simulated time after which no rest is waited for [s] */
    int windows;      /* at rest, so many times … */
    int window_steps; /* … so many steps are timed */
} ts_grain_job;

typedef struct ts_grain_result {
    bool at_rest;    /* before job.most was over */
    uint64_t steps;  /* until then */
    double time;     /* simulated until then [s] */
    double settling; /* processor time until then [s] */
    double
        seconds; /* of processor time a step, at rest: median of the windows; over job.time_step: a simulated second */
    double spread;    /* interquartile range / median of the windows */
    double unrest;    /* kinetic energy / Σ m g r at the end */
    char version[64]; /* "Box2D 2.4.0" */
    ts_pose2 *pose;   /* at the end, in the order of the bin (bin.count) */
} ts_grain_result;

/* "Box2D", "Chipmunk". */
const char *ts_grain_peer_name(ts_grain_peer peer);
/* Whether its program was built. */
bool ts_grain_peer_installed(ts_grain_peer peer);
/* What people use: 60 Hz, with 8 and 3 iterations (Box2D) or 10 (Chipmunk); slop 0.5% of the grain's diameter; rest
 * 1e-4, at most as long as ten free falls from the top, 5 windows of 20 steps. */
ts_grain_job ts_grain_job_usual(ts_grain_peer peer, const ts_grain_bin *bin);
/* Runs it and waits; `work` is the path of its files, without extension. A peer that is not there is TS_UNSUPPORTED,
 * one that breaks down TS_IO: an assertion of its own may have ended it, and its last words are in WORK.out. */
ts_status ts_grain_peer_run(ts_grain_peer peer, const ts_grain_bin *bin, const ts_grain_job *job, const char *work,
                            ts_grain_result *result, ts_error *error);
void ts_grain_result_free(ts_grain_result *result);
/* Starts it with the grains in the bin, to be told what to do (process.h); of the job, rest, most and windows do not
 * count. `version` is as in a result. ts_process_close ends it. Failures are as above, what it says of errors is in
 * WORK.out. */
ts_status ts_grain_peer_open(ts_grain_peer peer, const ts_grain_bin *bin, const ts_grain_job *job, const char *work,
                             ts_process *process, char version[64], ts_error *error);
