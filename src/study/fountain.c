/* SPDX-License-Identifier: MIT */
/* The study `fountain`: a block of touching balls strikes a round bowl (Smith et al. 2012, Fig. 6). Reflections hand
 * the blow on from ball to ball, and the block comes apart; complementarity cannot part balls that touch, and it
 * bounces as one.
 *
 * The step is long enough for the whole lower side to strike at the same instant. Measured is the spread of velocities,
 * √mean|v - mean v|² over the speed of the block, when the mean velocity upwards is largest: 0 for a body that bounces
 * as a whole; and how far the block has grown at the end. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/balls.h"
#include "study/figure.h"
#include "study/studies.h"

#define RUNS    4
#define BOWL    33.0
#define SPEED   20.0 /* of the block [m/s] */
#define RADIUS  0.500001
#define GRAVITY 10.0
#define STEP    0.02
#define STEPS   60

static const char *const by[RUNS] = {"gr", "lcp", "gauss-seidel", "jacobi"};

typedef struct motion {
    double mean[2], spread; /* of velocities [m/s] */
    double size;            /* root mean square distance from the middle [m] */
} motion;

static motion look(const ts_balls *balls)
{
    motion m = {0};
    double middle[2] = {0, 0}, n = (double)balls->count;
    for (size_t i = 0; i < balls->count; i++) {
        const ts_body *b = ts_rig_body(&balls->rig, i);
        m.mean[0] += b->vx / n;
        m.mean[1] += b->vy / n;
        middle[0] += b->x / n;
        middle[1] += b->y / n;
    }
    for (size_t i = 0; i < balls->count; i++) {
        const ts_body *b = ts_rig_body(&balls->rig, i);
        m.spread += (b->vx - m.mean[0]) * (b->vx - m.mean[0]) + (b->vy - m.mean[1]) * (b->vy - m.mean[1]);
        m.size += (b->x - middle[0]) * (b->x - middle[0]) + (b->y - middle[1]) * (b->y - middle[1]);
    }
    m.spread = sqrt(m.spread / n);
    m.size = sqrt(m.size / n);
    return m;
}

typedef struct fountain {
    ts_balls balls[RUNS];
    int side;                        /* balls of a block's side */
    double spread[RUNS], size[RUNS]; /* over the speed of the fall; over the first */
    double time[STEPS + 1], track[RUNS][STEPS + 1];
} fountain;

static ts_status start(ts_balls *balls, const char *name, int side, ts_error *error)
{
    TS_TRY(ts_balls_open(
        balls, &(ts_balls_wish){.by = name, .restitution = 1, .gravity = -GRAVITY, .step = STEP, .radius = RADIUS},
        error));
    /* its lower corners all but touch, and the first step takes its whole lower side into the bowl */
    double half = 0.5 * (side - 1), bottom = 0.01 - sqrt((BOWL - RADIUS) * (BOWL - RADIUS) - half * half);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            TS_TRY(ts_balls_add(balls, i - half, bottom + j, 0, -SPEED, error));
            balls->kind.item[balls->count - 1] = j % 7;
        }
    TS_TRY(ts_balls_drum(balls, BOWL, error));
    return ts_balls_start(balls, error);
}

static ts_status run(void *context, int which, ts_error *error)
{
    fountain *all = context;
    ts_balls *balls = &all->balls[which];
    TS_TRY(start(balls, by[which], all->side, error));
    double fall = 0, rise = 0, first = look(balls).size;
    for (int k = 0; k <= STEPS && balls->stopped == TS_OK; k++) {
        motion m = look(balls);
        fall = fmax(fall, -m.mean[1]);
        all->track[which][k] = m.spread;
        if (m.mean[1] > rise) {
            rise = m.mean[1];
            all->spread[which] = m.spread / fall;
        }
        all->size[which] = m.size / first;
        TS_TRY(ts_balls_shoot(balls, error));
        TS_TRY(ts_balls_step(balls, 1, error));
    }
    for (int k = 0; k <= STEPS; k++)
        all->track[which][k] /= fall;
    if (balls->stopped != TS_OK) /* an impact did not end: nothing is known of the bounce */
        all->spread[which] = all->size[which] = TS_NONE;
    return TS_OK;
}

static ts_status tell(ts_study *study, const fountain *all, ts_error *error)
{
    TS_TRY(ts_claim_at_least(study, all->spread[0], 0.03, "1", error,
                             "gr: spread of velocities at the bounce, over the block's speed"));
    TS_TRY(ts_claim_at_most(study, all->spread[1], 1e-9, "1", error,
                            "lcp: spread of velocities at the bounce, over the block's speed"));
    TS_TRY(ts_claim_at_least(study, all->size[0], 1.1, "1", error, "gr: size of the block 1.2 s later, over at first"));
    TS_TRY(ts_claim_at_most(study, all->size[1], 1 + 1e-6, "1", error,
                            "lcp: size of the block 1.2 s later, over at first"));
    ts_plot_line line[RUNS];
    for (int i = 0; i < RUNS; i++)
        line[i] = (ts_plot_line){by[i], all->time, all->track[i], STEPS + 1, false};
    line[RUNS - 1].count = 0; /* grows beyond all others */
    return ts_figure_plot(
        study,
        &(ts_plot){"A block of balls in a bowl", "time [s]", "spread of velocities / speed", false, line, RUNS - 1},
        "fountain-spread", error);
}

static ts_status draw(ts_study *study, const fountain *all, ts_error *error)
{
    static const size_t shot[3] = {0, 20, STEPS};
    const ts_picture_wall bowl = {.kind = TS_WALL_CIRCLE, .radius = BOWL};
    ts_balls_panel panel[6];
    for (size_t i = 0; i < 6; i++) {
        const ts_balls *balls = &all->balls[i / 3];
        size_t last = balls->shot_time.count - 1;
        panel[i] = (ts_balls_panel){balls, shot[i % 3] < last ? shot[i % 3] : last, by[i / 3], TS_BALLS_PLAIN};
    }
    ts_balls_figure figure = {.file = "fountain",
                              .title = "A block of balls strikes a bowl",
                              .panel = panel,
                              .columns = 3,
                              .rows = 2,
                              .view = {-13, -BOWL - 1, 13, -4},
                              .wall = &bowl,
                              .wall_count = 1};
    TS_TRY(ts_balls_draw(study, &figure, error));
    if (!ts_study_full(study))
        return TS_OK;
    panel[1] = panel[3];
    figure.columns = 2;
    figure.rows = 1;
    return ts_balls_film(study, &figure, error);
}

static void close_all(fountain *all)
{
    for (int i = 0; i < RUNS; i++)
        ts_balls_close(&all->balls[i]);
}

ts_status ts_study_fountain(ts_study *study, ts_error *error)
{
    TS_AUTO(close_all) fountain all = {0};
    all.side = 11;
    for (int k = 0; k <= STEPS; k++)
        all.time[k] = STEP * k;
    TS_TRY(ts_balls_side_by_side(study, RUNS, run, &all, error));
    TS_TRY(tell(study, &all, error));
    return draw(study, &all, error);
}
