/* SPDX-License-Identifier: MIT */
/* Many balls in a drum (Smith et al. 2012, Table 2): what the study `impact-scaling` runs, and the bench `impact`
 * times. */
#pragma once

#include "study/balls.h"

#define TS_DRUM_SCENES 2 /* drop and gas; impact_scaling.c says what they are */
#define TS_DRUM_SIZES  3
#define TS_DRUM_STEPS  300

typedef struct ts_drum_paper {
    double mean, most; /* of the impacts of a step, on one core of 2009 [s]; 0: less than 0.005 */
} ts_drum_paper;

extern const char *const ts_drum_name[TS_DRUM_SCENES];
extern const int ts_drum_side[TS_DRUM_SIZES]; /* balls along a side of the grid */
extern const ts_drum_paper ts_drum_published[TS_DRUM_SCENES][TS_DRUM_SIZES];

double ts_drum_radius(int side); /* of the drum [m] */
/* A scene of side² balls, ready to be stepped, with times by phase. */
ts_status ts_drum_start(ts_balls *balls, int scene, int side, int threads, uint64_t seed, ts_error *error);
