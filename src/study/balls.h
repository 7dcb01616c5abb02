/* SPDX-License-Identifier: MIT */
/* Scenes of equal balls under impact dynamics, for studies: built, stepped, compared with their mirror image, and
 * drawn.
 *
 *     ts_balls balls = {0};
 *     ts_balls_open(&balls, &(ts_balls_wish){.by = "gr", .restitution = 1, .step = 0.1, .radius = 0.5}, error);
 *     ts_balls_add(&balls, x, y, vx, vy, error);  …
 *     ts_balls_start(&balls, error);
 *     ts_balls_step(&balls, 100, error);
 *     ts_balls_shoot(&balls, error);                        keeps where they are, for pictures
 *     ts_balls_close(&balls);                               whatever happened
 *
 * They are stepped without a recorder, so that nothing stops a run that gains energy. */
#pragma once

#include "base/memory.h"
#include "record/draw.h"
#include "study/rig.h"
#include "study/study.h"

typedef struct ts_balls_wish {
    const char *by; /* operator */
    double restitution;
    double gravity; /* along y, negative: down [m/s²] */
    double step;    /* [s] */
    double radius;  /* [m] */
    int threads;    /* 0: one */
} ts_balls_wish;

typedef struct ts_balls {
    ts_balls_wish wish;
    ts_rig rig;
    size_t count;
    TS_ARRAY(ts_body_def) ball; /* as added */
    TS_ARRAY(int32_t) kind;     /* colour of each */
    TS_ARRAY(int32_t) twin;     /* image of each in the mirror, or -1 */
    TS_ARRAY(ts_body) shot;     /* kept states, `count` bodies each */
    TS_ARRAY(double) shot_time; /* [s] */
    ts_status
        stopped;   /* TS_OK, or why stepping ended for good: an impact that did not end is an outcome, not a failure */
    char why[256]; /* in words */
} ts_balls;

ts_status ts_balls_open(ts_balls *balls, const ts_balls_wish *wish, ts_error *error);
ts_status ts_balls_add(ts_balls *balls, double x, double y, double vx, double vy, ts_error *error);
/* A circle about the origin that keeps them inside. */
ts_status ts_balls_drum(ts_balls *balls, double radius, ts_error *error);
ts_status ts_balls_start(ts_balls *balls, ts_error *error);
/* TS_OK also when an impact does not end; `stopped` says so, and further calls do nothing. */
ts_status ts_balls_step(ts_balls *balls, uint64_t count, ts_error *error);
ts_status ts_balls_shoot(ts_balls *balls, ts_error *error);
void ts_balls_close(ts_balls *balls);

double ts_balls_kinetic(const ts_balls *balls); /* energy [J] */
/* Largest distance of a ball from its twin's image [m]. Twins are found by ts_balls_mirror, from places and velocities
 * at the start: images in y → -y, or with `left_right` in x → -x. */
void ts_balls_mirror(ts_balls *balls, bool left_right);
double ts_balls_asymmetry(const ts_balls *balls, bool left_right);

/* Runs task(context, 0 … count-1) side by side on the study's threads. The first failure in order is returned. */
typedef ts_status ts_balls_task(void *context, int task, ts_error *error);
ts_status ts_balls_side_by_side(ts_study *study, int count, ts_balls_task *task, void *context, ts_error *error);

/* ---- Pictures ---- */

typedef enum ts_balls_look {
    TS_BALLS_PLAIN = 0, /* colours of their own */
    TS_BALLS_TRACED,    /* with the paths up to this shot */
    TS_BALLS_STRUCK     /* colours are what impacts have changed of velocities since the first shot */
} ts_balls_look;

typedef struct ts_balls_panel {
    const ts_balls *balls;
    size_t shot;
    const char *caption; /* the time is added to it */
    ts_balls_look look;
} ts_balls_panel;

typedef struct ts_balls_figure {
    const char *file; /* without folder and ending */
    const char *title;
    const ts_balls_panel *panel; /* row by row (columns · rows) */
    int columns, rows;
    ts_box view; /* of every panel */
    const ts_picture_wall *wall;
    size_t wall_count;
    const ts_picture_line *line; /* thin walls */
    size_t line_count;
    double rate; /* of a film, shots a second; 0: 20 */
} ts_balls_figure;

/* A PNG of the panels; without Cairo there is none. */
ts_status ts_balls_draw(ts_study *study, const ts_balls_figure *figure, ts_error *error);
/* An MP4 of the panels' runs, all shots from the first on; without ffmpeg or Cairo there is none. */
ts_status ts_balls_film(ts_study *study, const ts_balls_figure *figure, ts_error *error);
