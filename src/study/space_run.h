/* SPDX-License-Identifier: MIT */
/* Runs of bodies in space under impact, for studies: built, stepped, recorded, and compared with their own images.
 *
 *     ts_space_run run = {0};
 *     ts_space_run_open(&run, study, &(ts_space_wish){"gr", {.by = "gr", .restitution = 1, .step = 0.01}, 10, 0.1}, error);
 *     ts_space_rig_mesh(&run.rig, …);  ts_scene_add_body(run.rig.scene, …);  …
 *     ts_space_run_start(&run, error);
 *     ts_space_run_step(&run, 100, error);
 *     ts_space_run_close(&run);                                   whatever happened
 *
 * A symmetry is a turn or a mirror S of the world that takes each body to a twin, perhaps itself:
 *
 *     S x_i = x_j        S R_i T_i = R_j        T_i: what it does to the body itself, R_iᵀ Sᵀ R_j of the start
 *
 * It holds for a motion when it holds for all bodies at all times. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"
#include "study/space_rig.h"
#include "study/study.h"

#define TS_SPACE_PATH 4200

typedef struct ts_space_wish {
    const char *name; /* of its folder */
    ts_space_rig_wish rules;
    double duration; /* that is recorded [s] */
    double frame;    /* from frame to frame [s] */
} ts_space_wish;

/* One row a step. */
typedef struct ts_space_row {
    double time;      /* [s] */
    double energy;    /* of motion, and of height above z = 0 [J] */
    double kinetic;   /* of motion alone [J] */
    double asymmetry; /* over a radius; 0 where no symmetry was named */
} ts_space_row;

/* A body under one symmetry. */
typedef struct ts_space_image {
    ts_mat3 turn; /* S */
    size_t body, twin;
    ts_mat3 inside; /* T */
} ts_space_image;

typedef struct ts_space_run {
    ts_space_wish wish;
    ts_rig rig;
    char folder[TS_SPACE_PATH]; /* of the run */
    struct ts_recorder *recorder;
    TS_ARRAY(ts_space_row) row;
    TS_ARRAY(ts_vec3) mark; /* a point fixed on each body, after each of the first steps: body by body [m] */
    double deepest;         /* overlap in a frame [m] */
    ts_space_stop stop;     /* an impact that did not end is an outcome, not a failure */

    TS_ARRAY(ts_space_image) image; /* bodies of the first symmetry, of the second, … */
} ts_space_run;

ts_status ts_space_run_open(ts_space_run *run, ts_study *study, const ts_space_wish *wish, ts_error *error);
/* Adds a solid that is a cube. */
ts_status ts_space_run_cube(ts_space_run *run, double side, ts_error *error);
/* Adds the plane z = 0 as a floor. */
ts_status ts_space_run_floor(ts_space_run *run, ts_error *error);
/* The scene is complete. */
ts_status ts_space_run_start(ts_space_run *run, ts_error *error);
/* From now on rows say how far bodies are from their images under S, too. Fails when some body has no twin: places and
 * velocities of the start must be symmetric, to 1e-12 of a radius and of the fastest. */
ts_status ts_space_run_symmetry(ts_space_run *run, ts_mat3 symmetry, ts_error *error);
/* Writes a row, and a frame when one is due, after each step; the first call also before. TS_OK also when an impact
 * does not end; `stop` says so, and further calls do nothing. */
ts_status ts_space_run_step(ts_space_run *run, uint64_t count, ts_error *error);
/* No more steps: what was recorded is complete, and can be drawn. */
ts_status ts_space_run_finish(ts_space_run *run, ts_error *error);
void ts_space_run_close(ts_space_run *run);

const ts_body3 *ts_space_run_body(const ts_space_run *run, size_t body);
/* Largest distance from an image, of a centre or by an attitude, over the largest radius. */
double ts_space_run_asymmetry(const ts_space_run *run);
/* How far the energy has been from that of the start until `time`, over it. */
double ts_space_run_drift(const ts_space_run *run, double time);
/* The first time at which it is farther than this; TS_NONE: never. */
double ts_space_run_leaves(const ts_space_run *run, double drift);
/* The largest asymmetry until `time`. */
double ts_space_run_parted(const ts_space_run *run, double time);

/* Of all contacts that frames have seen, over the largest radius. */
double ts_space_run_deepest(const ts_space_run *run);

/* Claims that it came to its end: whatever else is said of a run is said of all of its time. */
ts_status ts_space_run_claim_end(ts_study *study, const ts_space_run *run, ts_error *error);

/* Lines of drift and asymmetry of several runs over time, <file>-energy.svg and <file>-symmetry.svg. */
ts_status ts_space_run_plot(ts_study *study, const char *file, const char *title, const ts_space_run *run, size_t count,
                            ts_error *error);
/* Paths of a point fixed on each body in the first TS_SPACE_PATHS seconds, seen from above, <file>-paths-<run>.svg;
 * of eight bodies at most. */
#define TS_SPACE_PATHS 20.0
ts_status ts_space_run_paths(ts_study *study, const char *file, const char *title, const ts_space_run *run,
                             ts_error *error);
