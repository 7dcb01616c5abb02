/* SPDX-License-Identifier: MIT */
/* inclined-plane: a block on a slope of 16°, face on face. It holds while μ ≥ tan 16° = 0.2867, and else slides at g
 * (sin a - μ cos a). */
#include <stdio.h>

#include "base/memory.h"
#include "study/studies.h"
#include "study/validation.h"
#include "study/validation_statics.h"

#define TRIALS   5
#define PICTURED 3   /* the first ones are the paper's */
#define DURATION 2.0 /* [s] */
TS_RELEASE_EACH(ts_trial, TRIALS, ts_trial_free)

static const double friction[TRIALS] = {0.28, 0.30, 0.32, 0.1,
                                        0.2}; /* Table 1 of the paper, and two that slide faster */
static const double slope = 16 * VALIDATION_PI / 180;

static ts_trial trial_of(ts_ground ground, double mu, double duration)
{
    double width = 1, height = 0.5, c = cos(slope), s = sin(slope), up = -1.5; /* where it begins, up the slope */
    return (ts_trial){
        .block = {{width, height, up * c + 0.5 * height * s, -up * s + 0.5 * height * c, -slope}},
        .block_count = 1,
        .plane = {{0, 0, s, c}},
        .plane_count = 1,
        .slab = {8, 2},
        .smoothing = VALIDATION_WIDTH / 4.1,
        .ground = ground,
        .friction = mu,
        .duration = duration,
    };
}

/* Least-squares slope of the speed downhill over the second half [m/s²]. */
static double acceleration_of(const ts_trial *trial)
{
    double n = 0, t = 0, v = 0, tt = 0, tv = 0;
    for (size_t k = trial->count / 2; k < trial->count; k++) {
        const ts_body *b = ts_trial_at(trial, k, 0);
        double time = (double)k * trial->step, speed = b->vx * cos(slope) - b->vy * sin(slope);
        n += 1;
        t += time;
        v += speed;
        tt += time * time;
        tv += time * speed;
    }
    return (n * tv - t * v) / (n * tt - t * t);
}

static ts_status claim_trial(ts_study *study, const ts_trial *trial, ts_error *error)
{
    const char *ground = ts_ground_name(trial->ground);
    double drift = ts_trial_drift(trial), mu = trial->friction;
    if (mu >= ts_slope_critical(slope))
        return ts_claim_at_most(study, drift, VALIDATION_HELD, "1", error, "%s, μ = %.2f: holds, way / fall", ground,
                                mu);
    TS_TRY(
        ts_claim_at_least(study, drift, VALIDATION_HELD, "1", error, "%s, μ = %.2f: slides, way / fall", ground, mu));
    return ts_claim_near(study, acceleration_of(trial), ts_slope_acceleration(slope, mu, VALIDATION_GRAVITY), 0.02,
                         "m/s²", error, "%s, μ = %.2f: acceleration", ground, mu);
}

static ts_status draw(ts_study *study, ts_trial *trial, ts_error *error)
{
    static const char *const name[PICTURED] = {"μ = 0.28", "μ = 0.30", "μ = 0.32"};
    for (int i = 0; i < PICTURED; i++)
        for (size_t k = 0; k < trial[i].count; k++) {
            const ts_body *b = ts_trial_at(&trial[i], k, 0), *from = ts_trial_at(&trial[i], 0, 0);
            trial[i].progress[k] = 1000 * hypot(b->x - from->x, b->y - from->y);
        }
    ts_trial_figure figure = {.file = "slope",
                              .title = "Block on a slope of 16°",
                              .trial = trial,
                              .trial_count = PICTURED,
                              .view = {-2.1, -0.1, -0.5, 1.1},
                              .until = DURATION,
                              .slower = 2,
                              .curve = "way [mm]",
                              .name = name};
    return ts_trial_draw(study, &figure, error);
}

static ts_status run_ground(ts_study *study, ts_ground ground, ts_trial *trial, const double done[2], ts_error *error)
{
    double part = (done[1] - done[0]) / 10, critical;
    const double span[2] = {done[0] + 3 * part, done[1]};
    char what[64];
    for (int i = 0; i < TRIALS; i++) {
        snprintf(what, sizeof what, "%s, μ = %.2f", ts_ground_name(ground), friction[i]);
        ts_study_report(study, done[0] + 3 * part * i / TRIALS, what);
        ts_trial_free(&trial[i]);
        trial[i] = trial_of(ground, friction[i], DURATION);
        TS_TRY(ts_trial_run(&trial[i], error));
        TS_TRY(claim_trial(study, &trial[i], error));
    }
    ts_trial probe = trial_of(ground, 0, 2 * DURATION); /* time to come to rest */
    TS_TRY(ts_trial_bisect(study, &probe, ts_study_full(study) ? 15 : 12, span, &critical, error));
    TS_TRY(ts_claim_near(study, critical, ts_slope_critical(slope), 0.005, "1", error, "%s: critical μ by bisection",
                         ts_ground_name(ground)));
    return ground == TS_GROUND_EXACT ? draw(study, trial, error) : TS_OK;
}

ts_status ts_study_inclined_plane(ts_study *study, ts_error *error)
{
    const int grounds = ts_study_full(study) ? TS_GROUND_COUNT : TS_GROUND_COUNT - 1;
    TS_AUTO(ts_trial_free_each) ts_trial trial[TRIALS] = {0};
    for (int ground = 0; ground < grounds; ground++) {
        const double done[2] = {(double)ground / grounds, (ground + 1.0) / grounds};
        TS_TRY(run_ground(study, (ts_ground)ground, trial, done, error));
    }
    return TS_OK;
}
