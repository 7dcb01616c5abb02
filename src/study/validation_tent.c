/* SPDX-License-Identifier: MIT */
/* triangle: two blocks lean against each other, 15° from the vertical; validation_statics.h has their statics.
 *
 * They hold while μ ≥ ½ (tan 15° - W/L): at most 0.134. So what the paper reports, that they fall at μ = 0.1 alone,
 * needs slender blocks, W/L < 0.068; these are 2 m × 0.05 m, with a critical μ of 0.1215. (Read as 15° from the floor
 * they would need more than 1.8 and fall in all three cases.)
 *
 * At the top two corners meet. Which way they push is not defined by their shape: unsmoothed, the normal is that of one
 * block's side or of the other's, 15° up or down, and jumps; the two slip past each other unless μ > tan 15° = 0.268.
 * Smoothed, it is horizontal, as it must be by symmetry. */
#include <stdio.h>

#include "base/memory.h"
#include "study/studies.h"
#include "study/validation.h"
#include "study/validation_statics.h"

#define FRICTIONS 3
#define STANDING  10.0 /* how long they must stand [s] */
#define SINKING   0.01 /* by this share of its height the top may sink meanwhile */
TS_RELEASE_EACH(ts_trial, FRICTIONS, ts_trial_free)

static const double friction[FRICTIONS] = {0.1, 0.3, 0.5}; /* Table 1 of the paper */
static const ts_leaning lean = {2, 0.05, 15 * VALIDATION_PI / 180};

static ts_trial trial_of(ts_ground ground, double mu, double duration)
{
    double l = lean.length, w = lean.thickness, s = sin(lean.angle), c = cos(lean.angle);
    /* the left one's foot stands at -L sin θ, and its centre W/2 off the middle of its inner side */
    double x = -0.5 * (l * s + w * c), y = 0.5 * (l * c + w * s);
    return (ts_trial){
        .block = {{w, l, x, y, -lean.angle}, {w, l, -x, y, lean.angle}},
        .block_count = 2,
        .plane = {{0, 0, 0, 1}},
        .plane_count = 1,
        .slab = {6, 1},
        .smoothing = VALIDATION_WIDTH / 1, /* of two blocks, 1 m in radius; on the slab it is three times as wide */
        .ground = ground,
        .friction = mu,
        .duration = duration,
    };
}

/* Height of the two corners that meet at the top, in the mean. */
static double top_of(const ts_trial *trial, size_t step)
{
    double sum = 0;
    for (size_t i = 0; i < 2; i++) {
        const ts_body *b = ts_trial_at(trial, step, i);
        double inwards = i == 0 ? 0.5 : -0.5;
        sum += b->y + inwards * lean.thickness * sin(b->angle) + 0.5 * lean.length * cos(b->angle);
    }
    return 0.5 * sum;
}

/* How long the top stays within SINKING of its height [s]. */
static double standing_time(const ts_trial *trial)
{
    size_t k = 0;
    double lowest = (1 - SINKING) * top_of(trial, 0);
    while (k + 1 < trial->count && top_of(trial, k) >= lowest)
        k++;
    return (double)k * trial->step;
}

static double lowest_top(const ts_trial *trial)
{
    double lowest = HUGE_VAL;
    for (size_t k = 0; k < trial->count; k++)
        lowest = fmin(lowest, top_of(trial, k));
    return lowest / top_of(trial, 0);
}

static ts_status claim_trial(ts_study *study, const ts_trial *trial, ts_error *error)
{
    const char *ground = ts_ground_name(trial->ground);
    double critical = ts_tent_critical(&lean);
    if (trial->friction < critical)
        return ts_claim_at_most(study, lowest_top(trial), 0.5, "1", error,
                                "%s, μ = %.1f (critical: %.4f): collapses, lowest height of the top / first", ground,
                                trial->friction, critical);
    return ts_claim_at_least(study, standing_time(trial), STANDING, "s", error,
                             "%s, μ = %.1f (critical: %.4f): stands, top within %.0f%% of its height", ground,
                             trial->friction, critical, 100 * SINKING);
}

static ts_status draw(ts_study *study, ts_trial *trial, ts_error *error)
{
    static const char *const name[FRICTIONS] = {"μ = 0.1", "μ = 0.3", "μ = 0.5"};
    for (int i = 0; i < FRICTIONS; i++)
        for (size_t k = 0; k < trial[i].count; k++)
            trial[i].progress[k] = top_of(&trial[i], k);
    ts_trial_figure figure = {.file = "triangle",
                              .title = "Two blocks, 15° from the vertical",
                              .trial = trial,
                              .trial_count = FRICTIONS,
                              .view = {-2.2, -0.2, 2.2, 2.1},
                              .until = 3,
                              .slower = 2,
                              .curve = "height of the top [m]",
                              .name = name};
    return ts_trial_draw(study, &figure, error);
}

static ts_status run_ground(ts_study *study, ts_ground ground, ts_trial *trial, const double done[2], ts_error *error)
{
    bool full = ts_study_full(study);
    double part = (done[1] - done[0]) / 10, critical;
    const double span[2] = {done[0] + 5 * part, done[1]};
    char what[64];
    for (int i = 0; i < FRICTIONS; i++) {
        snprintf(what, sizeof what, "%s, μ = %.1f", ts_ground_name(ground), friction[i]);
        ts_study_report(study, done[0] + 5 * part * i / FRICTIONS, what);
        ts_trial_free(&trial[i]);
        trial[i] = trial_of(ground, friction[i], full ? 2 * STANDING : STANDING + 0.1);
        TS_TRY(ts_trial_run(&trial[i], error));
        TS_TRY(claim_trial(study, &trial[i], error));
    }
    ts_trial probe = trial_of(ground, 0, 2);
    TS_TRY(ts_trial_bisect(study, &probe, full ? 15 : 12, span, &critical, error));
    TS_TRY(ts_claim_near(study, critical, ts_tent_critical(&lean), 0.02, "1", error, "%s: critical μ by bisection",
                         ts_ground_name(ground)));
    return ground == TS_GROUND_EXACT ? draw(study, trial, error) : TS_OK;
}

ts_status ts_study_triangle(ts_study *study, ts_error *error)
{
    const int grounds = ts_study_full(study) ? TS_GROUND_COUNT : TS_GROUND_COUNT - 1;
    TS_AUTO(ts_trial_free_each) ts_trial trial[FRICTIONS] = {0};
    for (int ground = 0; ground < grounds; ground++) {
        const double done[2] = {(double)ground / grounds, (ground + 1.0) / grounds};
        TS_TRY(run_ground(study, (ts_ground)ground, trial, done, error));
    }
    return TS_OK;
}
