/* SPDX-License-Identifier: MIT */
/* A pile in space, given to other programs: boxes, hulls or spheres that fall between planes, in Bullet and in ODE.
 *
 * Each runs as a process of its own (bench/peers/, where it is said how it is set up), which is built when its library
 * is there; nothing sleeps; what counts is the processor's time, on one thread. Along with it come energies and
 * overlaps, so that speed and how well the laws are kept are seen together: with restitution 1 and without friction,
 * kinetic and potential energy have a sum that does not change.
 *
 *     ts_pile pile = {.kind = TS_PILE_SPHERES, .gravity = {0, 0, -9.81}, .time_step = 1.0 / 240, .steps = 1000, .every = 10, …};
 *     if (ts_pile_peer_installed(TS_PILE_BULLET)) {
 *         ts_pile_result result;
 *         TS_TRY(ts_pile_peer_run(TS_PILE_BULLET, &pile, "build/bench/bullet", &result, error));
 *         … result.seconds a step, result.row[k].kinetic + result.row[k].potential …
 *         ts_pile_result_free(&result);
 *     }
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vec.h"
#include "process.h"
#include "shape/hull.h"

typedef enum ts_pile_kind { TS_PILE_SPHERES, TS_PILE_BOXES, TS_PILE_HULLS } ts_pile_kind;

typedef struct ts_pile_body {
    ts_vec3 half;   /* half extents of a box; a sphere's radius is half.x; not of a hull [m] */
    double mass;    /* spread evenly [kg] */
    ts_pose3 pose;  /* of the centre */
    ts_twist3 rate; /* of the centre, world axes [m/s], [rad/s] */
} ts_pile_body;

/* Bodies stay where normal · x ≥ offset. */
typedef struct ts_pile_plane {
    ts_vec3 normal; /* unit */
    double offset;  /* [m] */
} ts_pile_plane;

typedef struct ts_pile {
    ts_pile_kind kind;          /* of all bodies */
    ts_vec3 gravity;            /* [m/s²] */
    double time_step;           /* [s] */
    int steps;                  /* ≥ 1 */
    int every;                  /* steps between rows of the table, ≥ 1; the last step has one anyhow */
    double restitution;         /* of all contacts, 0 … 1 */
    double friction;            /* likewise */
    int iterations;             /* of the solver; 0: what is usual, 10 (Bullet) or 20 (ODE) */
    const ts_hull *hull;        /* of all bodies, if they are hulls: about the centre of mass, along principal axes */
    ts_vec3 inertia;            /* of a hull, about these [kg m²] */
    const ts_pile_plane *plane; /* (plane_count) */
    size_t plane_count;
    const ts_pile_body *body; /* (body_count) */
    size_t body_count;
} ts_pile;

typedef enum ts_pile_peer { TS_PILE_BULLET, TS_PILE_ODE, TS_PILE_PEER_COUNT } ts_pile_peer;

/* After a step; the first row is the beginning, without contacts. */
typedef struct ts_pile_row {
    double time;               /* [s] */
    double kinetic, potential; /* -Σ m g·x [J] */
    double deepest, mean;      /* overlap of the contacts that touch, as the program found them in that step [m] */
    double contacts;           /* how many */
} ts_pile_row;

typedef struct ts_pile_result {
    char version[64]; /* "Bullet 3.24, single precision" */
    double seconds;   /* of processor time a step: median */
    double spread;    /* interquartile range / median */
    double total;     /* of all steps [s] */
    ts_pile_row *row; /* (row_count) */
    size_t row_count;
    ts_pose3 *pose;  /* at the end, in the order of the bodies (body_count) */
    ts_twist3 *rate; /* likewise */
} ts_pile_result;

/* "Bullet", "ODE". */
const char *ts_pile_peer_name(ts_pile_peer peer);
/* Whether its program was built. */
bool ts_pile_peer_installed(ts_pile_peer peer);
/* Runs it and waits; `work` is the path of its files, without extension. A peer that is not there is TS_UNSUPPORTED,
 * one that breaks down TS_IO: its last words are in WORK.out. On failure there is nothing to free. */
ts_status ts_pile_peer_run(ts_pile_peer peer, const ts_pile *pile, const char *work, ts_pile_result *result,
                           ts_error *error);
void ts_pile_result_free(ts_pile_result *result);
/* Starts it with the pile, to be told what to do (process.h); steps and every do not count. ts_process_close ends it.
 * Failures are as above. */
ts_status ts_pile_peer_open(ts_pile_peer peer, const ts_pile *pile, const char *work, ts_process *process,
                            char version[64], ts_error *error);
