/* SPDX-License-Identifier: MIT */
/* What the three validations of the CEM paper (section 8.1) share: one or two blocks on planes, run with some friction,
 * and whether they hold.
 *
 *     leaning-block (validation_leaning.c)      triangle (validation_tent.c)       inclined-plane (validation_slope.c)
 *
 * The planes come in three kinds, since a plane may be a wall, or a fixed block so large that it is as good as one:
 *
 *     half-planes   walls; between blocks the exact map
 *     exact         fixed slabs, every contact from the exact map
 *     sampled       fixed slabs, every contact from both distance fields on a grid of points, as published
 *
 * A corner on a face needs no smoothing. A face on a face does (validation_slope.c): its lever jumps from corner to
 * corner. So do two corners that meet (validation_tent.c): their normal jumps by twice the inclination. The width is
 * VALIDATION_WIDTH, ten times as much as a block sinks in. The grid always needs it, for it has no other true gradient;
 * and its minimum is refined, for 201 points on a side of 9 m stand 45 mm apart, and see nothing of an overlap of half
 * a millimetre. That takes 2 ms a node of the smoothing that is new: --full only.
 *
 * A trial begins at rest where the same blocks come to rest with a friction of 1. Dropped onto its springs, a block
 * would bounce and slip, and statics has no say in how far. What is left of that is the tangential springs, which begin
 * at nothing.
 *
 * *Holds* has one meaning in all three. A block that holds has come to rest when a trial of duration T ends, not far
 * from where it began: in the last eighth it moves by no more than VALIDATION_HELD of what free fall from time 0 would
 * in that eighth, and in all by no more than VALIDATION_AWAY of its longer side. At T = 2 s that is 0.46 mm in a
 * quarter of a second; a block that slides from the beginning does so with an acceleration of 1e-4 g or more.
 *
 * Stiffness: the time step is the paper's, 1 ms, and √(m/k) is VALIDATION_STEPS of them for the lightest block. So a
 * block sinks in by g (VALIDATION_STEPS Δt)² under its own weight, 0.5 mm, whatever its size. Softer springs slip more
 * as they are loaded, and a leaning block that slips leans farther out: its critical friction comes out 1.3 % too high,
 * and 0.3 % with a quarter of the step. */
#pragma once

#include "study/study.h"
#include "touchstone/sim.h"

#define VALIDATION_GRAVITY           9.81   /* [m/s²] */
#define VALIDATION_DENSITY           1000.0 /* [kg/m²] */
#define VALIDATION_STEP              1e-3   /* [s], Table 1 of the paper */
#define VALIDATION_STEPS             7.0    /* in √(m/k) */
#define VALIDATION_RESTITUTION       0.65   /* with less, more damping, a step of 1 ms would be above the stable one */
#define VALIDATION_HELD              1e-4   /* of a free fall's way */
#define VALIDATION_AWAY              0.1    /* of a block's longer side */
#define VALIDATION_SETTLING          0.5    /* [s] */
#define VALIDATION_SETTLING_FRICTION 1.0
#define VALIDATION_WIDTH             5e-3 /* of smoothing [m] */
#define VALIDATION_PI                3.14159265358979323846

typedef enum ts_ground { TS_GROUND_PLANES, TS_GROUND_EXACT, TS_GROUND_SAMPLED, TS_GROUND_COUNT } ts_ground;

const char *ts_ground_name(ts_ground ground);

/* Where a block is, or stands at the beginning. At angle 0 `width` lies along x. */
typedef struct ts_block {
    double width, height; /* [m] */
    double x, y, angle;   /* of its centre [m, rad] */
} ts_block;

/* A plane with bodies on the side of its unit normal; a slab in its stead is centred below (x, y). */
typedef struct ts_plane {
    double x, y, nx, ny;
} ts_plane;

#define VALIDATION_BLOCKS 2
#define VALIDATION_PLANES 2

/* What is run, and what came of it. */
typedef struct ts_trial {
    ts_block block[VALIDATION_BLOCKS];
    size_t block_count;
    ts_plane plane[VALIDATION_PLANES];
    size_t plane_count;
    double slab[2];   /* width and depth of a slab that stands for a plane [m] */
    double smoothing; /* of maps, as a share of the larger radius; 0: none [1] */
    ts_ground ground;
    double friction;
    double duration; /* [s] */
    double
        finer; /* the time step is this many times shorter than the paper's, the springs harder by its square; 0: 1 */

    double step;      /* of the run [s] */
    size_t count;     /* of records: the state at time 0 and after each step */
    ts_body *body;    /* (count · block_count) */
    double *progress; /* unused by the runner; for a study's own curve (count); may be NULL */
} ts_trial;

/* Runs a trial and fills in what came of it; what an earlier run left there is freed. */
ts_status ts_trial_run(ts_trial *trial, ts_error *error);
void ts_trial_free(ts_trial *trial);
/* Block i after step k. */
const ts_body *ts_trial_at(const ts_trial *trial, size_t step, size_t block);
/* How far the blocks' centres move, as a share of free fall: what VALIDATION_HELD is the limit of. */
double ts_trial_drift(const ts_trial *trial);
/* Halves 0 … 1 `halvings` times for the least friction that holds. The study's progress goes from done[0] to
 * done[1]. */
ts_status ts_trial_bisect(ts_study *study, const ts_trial *trial, int halvings, const double done[2], double *critical,
                          ts_error *error);

/* ---- Figures (validation_draw.c) ---- */

typedef struct ts_trial_figure {
    const char *file; /* what names of files begin with */
    const char *title;
    const ts_trial *trial; /* one a row */
    size_t trial_count;
    double view[4];          /* x0, y0, x1, y1 [m] */
    double until;            /* pictures from 0 to this time [s] */
    double slower;           /* the video: how many times slower than real [1] */
    const char *curve;       /* what the plot shows, with its unit */
    const char *const *name; /* of each curve (trial_count) */
} ts_trial_figure;

/* FILE.png: rows of trials, columns of times; FILE.mp4: trials beside each other; FILE.svg: `progress` of each over
 * time. Without Cairo there are no pictures, without ffmpeg there is no video. */
ts_status ts_trial_draw(ts_study *study, const ts_trial_figure *figure, ts_error *error);
