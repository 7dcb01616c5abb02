/* SPDX-License-Identifier: MIT */
/* The study `maxwell-demon`: balls in a shaken box with a fence in the middle gather on one side (Smith et al. 2012,
 * section 11.3, Fig. 11; Eggers 1999, van der Weele et al. 2001). Where there are more they collide more, lose more,
 * and leap over the fence less often.
 *
 *     |         |         |        half-planes left and right, a thin fence
 *     | o  o  o | o  o  o |
 *     | o  o  o | o  o  o |        a floor that goes up and down
 *     =====================
 *
 * With a restitution of 0.9 too little is lost, and the two sides stay alike. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "study/balls.h"
#include "study/figure.h"
#include "study/studies.h"

/* ---- The box ---- */

/* Lengths are in diameters of a ball and times in √(diameter / gravity), both about: gravity is 10. */
typedef struct demon {
    int count;                   /* balls, half of them on each side */
    int columns;                 /* of the grid that they begin in, on each side */
    double width;                /* of one side [m] */
    double fence;                /* height above the floor's middle [m] */
    double amplitude, frequency; /* of the floor [m], [Hz] */
    double restitution;
    double step; /* [s] */
    uint64_t seed;
} demon;

#define RADIUS  0.5
#define GRAVITY 10.0

static ts_status add_walls(ts_balls *balls, const demon *d, ts_error *error)
{
    ts_rig *rig = &balls->rig;
    TS_TRY(ts_rig_plane(rig, -d->width, 0, 1, 0, error));
    TS_TRY(ts_rig_plane(rig, d->width, 0, -1, 0, error));
    ts_wall_def floor = ts_default_wall();
    floor.name = "floor";
    TS_TRY(ts_scene_add_wall(rig->scene, &floor, NULL, error));
    ts_drive_def shake = ts_default_drive();
    shake.kind = TS_DRIVE_OSCILLATION;
    shake.target = "floor";
    shake.amplitude[1] = d->amplitude;
    shake.frequency = d->frequency;
    TS_TRY(ts_scene_add_drive(rig->scene, &shake, NULL, error));
    /* down below the lowest floor */
    const ts_vertex line[2] = {{0, -2 * d->amplitude, 0}, {0, d->fence, 0}};
    ts_wall_def fence = ts_default_wall();
    fence.kind = TS_WALL_POLYLINE;
    fence.line = (ts_contour){line, 2, true};
    return ts_scene_add_wall(rig->scene, &fence, NULL, error);
}

/* The same grid on both sides, at random velocities. */
static ts_status start(ts_balls *balls, const demon *d, ts_error *error)
{
    ts_random r = ts_random_make(d->seed, 61);
    TS_TRY(ts_balls_open(
        balls,
        &(ts_balls_wish){
            .by = "gr", .restitution = d->restitution, .gravity = -GRAVITY, .step = d->step, .radius = RADIUS},
        error));
    /* the floor makes single balls quick, and none may leave its skin in a step */
    ts_settings settings = ts_scene_settings(balls->rig.scene);
    settings.skin = 2 * RADIUS;
    TS_TRY(ts_scene_set(balls->rig.scene, &settings, error));
    double across = d->width / d->columns, up = fmin(across, 2.4 * RADIUS);
    for (int side = -1; side <= 1; side += 2)
        for (int k = 0; k < d->count / 2; k++) {
            double vx = ts_random_next_normal(&r), vy = ts_random_next_normal(&r);
            int row = k / d->columns;
            TS_TRY(ts_balls_add(balls, side * (0.5 + k % d->columns) * across,
                                d->amplitude + RADIUS + 0.1 * up + row * up, vx, vy, error));
            balls->kind.item[balls->count - 1] = side > 0;
        }
    TS_TRY(add_walls(balls, d, error));
    return ts_balls_start(balls, error);
}

/* Share of the balls on the right. */
static double share_right(const ts_balls *balls)
{
    size_t right = 0;
    for (size_t i = 0; i < balls->count; i++)
        right += ts_rig_body(&balls->rig, i)->x > 0;
    return (double)right / (double)balls->count;
}

/* ---- Runs ---- */

#define RUNS_MAX  16
#define SAMPLES   120
#define LAST_PART 24 /* samples at the end that splits are the mean of */

typedef struct demons {
    int runs; /* the last is the control */
    int count;
    uint64_t seed, steps;
    ts_balls balls[RUNS_MAX];
    double time[SAMPLES + 1], right[RUNS_MAX][SAMPLES + 1];
    double end[RUNS_MAX]; /* mean share on the right, of the last part; NaN: it was stopped */
} demons;

/* Three layers of balls on each side at first, whatever their number. */
static demon demon_of(const demons *all, int run)
{
    return (demon){.count = all->count,
                   .columns = all->count / 8,
                   .width = all->count / 6.0,
                   .fence = 7,
                   .amplitude = 0.5,
                   .frequency = 5,
                   .restitution = run + 1 < all->runs ? 0.6 : 0.9,
                   .step = 0.004,
                   .seed = all->seed + (uint64_t)run};
}

static ts_status run_one(void *context, int run, ts_error *error)
{
    demons *all = context;
    ts_balls *balls = &all->balls[run];
    demon d = demon_of(all, run);
    TS_TRY(start(balls, &d, error));
    for (int k = 0; k <= SAMPLES; k++) {
        all->right[run][k] = share_right(balls);
        if (k > SAMPLES - LAST_PART)
            all->end[run] += all->right[run][k] / LAST_PART;
        TS_TRY(ts_balls_shoot(balls, error));
        TS_TRY(ts_balls_step(balls, k < SAMPLES ? all->steps / SAMPLES : 0, error));
    }
    if (balls->stopped != TS_OK)
        all->end[run] = TS_NONE;
    return TS_OK;
}

static ts_status tell(ts_study *study, const demons *all, ts_error *error)
{
    double least = 1, sum = 0;
    int to_right = 0, seeds = all->runs - 1;
    for (int i = 0; i < seeds; i++) {
        double fuller = fmax(all->end[i], 1 - all->end[i]);
        if (isnan(all->end[i]))
            fuller = 0;
        least = fmin(least, fuller);
        sum += fuller / seeds;
        to_right += all->end[i] > 0.5;
    }
    TS_TRY(
        ts_claim_at_least(study, least, 0.8, "1", error,
                          "%d balls, c = 0.6, %d seeds (right %d, left %d): least share of the fuller side at the end",
                          all->count, seeds, to_right, seeds - to_right));
    TS_TRY(ts_claim_at_least(study, sum, 0.85, "1", error, "%d balls, c = 0.6, %d seeds: mean share of the fuller side",
                             all->count, seeds));
    return ts_claim_at_most(study, fabs(all->end[seeds] - 0.5), 0.1, "1", error,
                            "%d balls, c = 0.9: share on the right is off ½ by", all->count);
}

static ts_status draw(ts_study *study, const demons *all, ts_error *error)
{
    demon d = demon_of(all, 0);
    ts_plot_line line[RUNS_MAX];
    for (int i = 0; i < all->runs; i++)
        line[i] = (ts_plot_line){i == 0               ? "c = 0.6"
                                 : i + 1 == all->runs ? "c = 0.9"
                                                      : NULL,
                                 all->time, all->right[i], SAMPLES + 1, i + 1 == all->runs};
    TS_TRY(ts_figure_plot(study,
                          &(ts_plot){"Balls in a shaken box with a fence", "time [s]", "share on the right", false,
                                     line, (size_t)all->runs},
                          "maxwell-demon-shares", error));
    const ts_picture_wall wall[] = {{.kind = TS_WALL_FLAT, .x = -d.width, .nx = 1},
                                    {.kind = TS_WALL_FLAT, .x = d.width, .nx = -1},
                                    {.kind = TS_WALL_FLAT, .ny = 1}};
    const ts_picture_line fence = {0, -2 * d.amplitude, 0, d.fence, 0.15 * RADIUS};
    ts_balls_panel panel[4];
    for (size_t i = 0; i < 4; i++)
        panel[i] = (ts_balls_panel){&all->balls[0], i * SAMPLES / 3, "gr, c = 0.6", TS_BALLS_PLAIN};
    ts_balls_figure figure = {.file = "maxwell-demon",
                              .title = "A shaken box with a fence",
                              .panel = panel,
                              .columns = 2,
                              .rows = 2,
                              .view = {-d.width - 0.5, -1.5, d.width + 0.5, 13},
                              .wall = wall,
                              .wall_count = sizeof wall / sizeof *wall,
                              .line = &fence,
                              .line_count = 1};
    TS_TRY(ts_balls_draw(study, &figure, error));
    figure.columns = figure.rows = 1;
    return ts_study_full(study) ? ts_balls_film(study, &figure, error) : TS_OK;
}

static void close_all(demons *all)
{
    for (int i = 0; i < RUNS_MAX; i++)
        ts_balls_close(&all->balls[i]);
}

ts_status ts_study_maxwell_demon(ts_study *study, ts_error *error)
{
    TS_AUTO(close_all) demons all = {0};
    bool full = ts_study_full(study);
    all.runs = full ? 11 : 5;
    all.count = full ? 288 : 96;
    all.steps = full ? 75000 : 15000;
    all.seed = ts_study_seed(study);
    const uint64_t apart = all.steps / SAMPLES;
    for (int k = 0; k <= SAMPLES; k++)
        all.time[k] = 0.004 * (double)apart * k;
    TS_TRY(ts_balls_side_by_side(study, all.runs, run_one, &all, error));
    TS_TRY(tell(study, &all, error));
    return draw(study, &all, error);
}
