/* SPDX-License-Identifier: MIT */
/* Runs of bodies in space that fall and come to rest, by any dynamics, for studies: built, stepped, recorded, and
 * measured from poses alone.
 *
 *     ts_fall fall = {0};
 *     ts_fall_run(&fall, study, &(ts_fall_wish){"soft-step", {.kind = "soft-step", …}, 4, 0.05, build, user}, error);
 *     fall.rise, fall.creep, fall.deepest …
 *     ts_fall_close(&fall);                                   whatever happened
 *
 * Up is z. A floor, if there is one, is z = 0. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"
#include "study/rig.h"
#include "study/study.h"

#define TS_FALL_PATH 4200

/* Adds shapes, walls and bodies to a scene of space. */
typedef ts_status ts_fall_builder(const void *user, ts_scene *scene, ts_error *error);

typedef struct ts_fall_wish {
    const char *name;     /* of its folder */
    const char *dynamics; /* its kind */
    double friction, restitution;
    double duration; /* [s], above 1 */
    double frame;    /* from frame to frame [s] */
    ts_fall_builder *build;
    const void *user; /* handed to it */
} ts_fall_wish;

typedef struct ts_fall {
    ts_fall_wish wish;
    ts_rig rig;
    char folder[TS_FALL_PATH];     /* of the run, for pictures */
    TS_ARRAY(double) time, energy; /* of frames: [s]; kinetic, gravitational and elastic [J] */
    double lost;                   /* energy at first less that at the end [J] */
    double rise;                   /* largest rise of the energy above an earlier frame's, over `lost` [1] */
    double creep;       /* the farthest that any point of any body was, in the last second, from its place then [m] */
    double speed, spin; /* fastest of all bodies at the end [m/s, rad/s] */
    double deepest;     /* how deep a smooth body was in another one in any frame; 0: never [m] … */
    double deepest_end; /* … and in the last [m] */
    double sunk;        /* how far any point was below the floor in any frame [m] */
    double kinetic;     /* energy of motion at the end [J] */
    double step;        /* [s] */
    double contacts;    /* places at the end */
    char doubt[600];    /* what puts it in doubt; "": nothing */
    ts_status stopped;  /* TS_OK, or why it ended early */
} ts_fall;

/* Runs it to its end, from the study's part `span` of all work on. A run that stops early is an outcome. */
ts_status ts_fall_run(ts_fall *fall, ts_study *study, const ts_fall_wish *wish, const double span[2], ts_error *error);
void ts_fall_close(ts_fall *fall);
ts_pose3 ts_fall_pose(const ts_fall *fall, size_t body);
