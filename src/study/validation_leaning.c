/* SPDX-License-Identifier: MIT */
/* leaning-block: a block in the corner of a floor and a wall, 0.6 rad off; validation_statics.h has its statics.
 *
 * "Rotation angle 0.6 rad" can be read in two ways, and which block it was is not said. Both readings are run:
 *
 *     0.6 rad from the wall    2 m × 0.4 m    critical μ 0.2206: of 0.1, 0.3 and 0.5 the first slides, the others hold
 *     0.6 rad from the floor   2 m × 0.1 m    critical μ 0.5096: all three slide, the slower the more friction
 *
 * The paper's report (all slide, at falling rates) is what the second one does. Its reason, θ > arctan 0.3, is not:
 * with friction at both ends a thin ladder holds up to 2 arctan μ. */
#include <stdio.h>

#include "study/studies.h"
#include "study/validation.h"
#include "study/validation_statics.h"

#define FRICTIONS 3
#define DURATION  2.0 /* [s] */
#define FINER     4.0 /* once more with a shorter step */
#define TURN      0.1 /* the rate is taken after this [rad] */

static const double friction[FRICTIONS] = {0.1, 0.3, 0.5}; /* Table 1 of the paper */

typedef struct stand {
    const char *file, *name, *title;
    ts_leaning block;
} stand;

static const stand stands[] = {
    {"wall", "0.6 rad from wall", "Leaning block, 0.6 rad from the wall", {2, 0.4, 0.6}},
    {"floor", "0.6 rad from floor", "Leaning block, 0.6 rad from the floor", {2, 0.1, 0.5 * VALIDATION_PI - 0.6}},
};
#define STANDS (sizeof stands / sizeof stands[0])

static ts_trial trial_of(const stand *s, ts_ground ground, double mu)
{
    double l = s->block.length, w = s->block.thickness, sine = sin(s->block.angle), cosine = cos(s->block.angle);
    return (ts_trial){
        .block = {{w, l, 0.5 * (l * sine + w * cosine), 0.5 * (l * cosine + w * sine), s->block.angle}},
        .block_count = 1,
        .plane = {{1, 0, 0, 1}, {0, 1, 1, 0}},
        .plane_count = 2,
        .slab = {8, 2},
        .smoothing = ground == TS_GROUND_SAMPLED ? VALIDATION_WIDTH / 4.1 : 0,
        .ground = ground,
        .friction = mu,
        .duration = DURATION,
    };
}

/* Spin when the block has turned by TURN; if it never does, its mean over the trial [rad/s]. */
static double rate_of(const ts_trial *trial)
{
    double begin = ts_trial_at(trial, 0, 0)->angle;
    for (size_t k = 1; k < trial->count; k++) {
        const ts_body *before = ts_trial_at(trial, k - 1, 0), *now = ts_trial_at(trial, k, 0);
        if (now->angle - begin >= TURN) {
            double share = (begin + TURN - before->angle) / (now->angle - before->angle);
            return before->spin + share * (now->spin - before->spin);
        }
    }
    return (ts_trial_at(trial, trial->count - 1, 0)->angle - begin) / trial->duration;
}

static ts_status claim_trial(ts_study *study, const stand *s, const ts_trial *trial, ts_error *error)
{
    const char *ground = ts_ground_name(trial->ground);
    double limit = ts_leaning_limit(&s->block, trial->friction), drift = ts_trial_drift(trial);
    if (s->block.angle <= limit)
        return ts_claim_at_most(study, drift, VALIDATION_HELD, "1", error,
                                "%s, %s, μ = %.1f (limit angle %.3f, block at %.3f): holds, way / fall", ground,
                                s->name, trial->friction, limit, s->block.angle);
    TS_TRY(ts_claim_at_least(study, drift, VALIDATION_HELD, "1", error,
                             "%s, %s, μ = %.1f (limit angle %.3f, block at %.3f): slides, way / fall", ground, s->name,
                             trial->friction, limit, s->block.angle));
    ts_leaning start = s->block; /* on its springs, a little farther out */
    start.angle = ts_trial_at(trial, 0, 0)->angle;
    double spin = ts_leaning_spin(&start, trial->friction, VALIDATION_GRAVITY, TURN);
    return ts_claim_near(study, rate_of(trial), spin, 0.02, "rad/s", error, "%s, %s, μ = %.1f: spin after %.1f rad",
                         ground, s->name, trial->friction, TURN);
}

/* Each rate against the one with less friction, as long as that one moves. */
static ts_status claim_rates(ts_study *study, const stand *s, const ts_trial *trial, ts_error *error)
{
    for (int i = 1; i < FRICTIONS; i++)
        if (friction[i - 1] < ts_leaning_critical(&s->block))
            TS_TRY(ts_claim_at_most(study, rate_of(&trial[i]) / rate_of(&trial[i - 1]), 0.9, "1", error,
                                    "%s, %s: rate at μ = %.1f / rate at %.1f", ts_ground_name(trial->ground), s->name,
                                    friction[i], friction[i - 1]));
    return TS_OK;
}

static ts_status draw(ts_study *study, const stand *s, ts_trial *trial, ts_error *error)
{
    static const char *const name[FRICTIONS] = {"μ = 0.1", "μ = 0.3", "μ = 0.5"};
    for (int i = 0; i < FRICTIONS; i++)
        for (size_t k = 0; k < trial[i].count; k++)
            trial[i].progress[k] = ts_trial_at(&trial[i], k, 0)->angle - ts_trial_at(&trial[i], 0, 0)->angle;
    ts_trial_figure figure = {.file = s->file,
                              .title = s->title,
                              .trial = trial,
                              .trial_count = FRICTIONS,
                              .view = {-0.2, -0.2, 2.5, 2},
                              .until = 1.5,
                              .slower = 4,
                              .curve = "turned since the start [rad]",
                              .name = name};
    return ts_trial_draw(study, &figure, error);
}

typedef struct work {
    ts_study *study;
    ts_trial trial[FRICTIONS];
    double done, part; /* how far the study is, and how much of it one stand on one ground is */
} work;

static ts_status run_stand(work *w, const stand *s, ts_ground ground, ts_error *error)
{
    char what[64];
    for (int i = 0; i < FRICTIONS; i++) {
        snprintf(what, sizeof what, "%s, μ = %.1f", ts_ground_name(ground), friction[i]);
        ts_study_report(w->study, w->done + w->part * i / (5 * FRICTIONS), what);
        ts_trial_free(&w->trial[i]);
        w->trial[i] = trial_of(s, ground, friction[i]);
        TS_TRY(ts_trial_run(&w->trial[i], error));
        TS_TRY(claim_trial(w->study, s, &w->trial[i], error));
    }
    TS_TRY(claim_rates(w->study, s, w->trial, error));
    double critical, span[2] = {w->done + 0.2 * w->part, w->done + w->part};
    w->done = span[1];
    ts_trial probe = trial_of(s, ground, 0);
    const double middle[2] = {span[0] + 0.2 * (span[1] - span[0]), span[1]};
    int halvings = ts_study_full(w->study) ? 15 : 12;
    TS_TRY(ts_trial_bisect(w->study, &probe, halvings, (const double[]){span[0], middle[0]}, &critical, error));
    TS_TRY(ts_claim_near(w->study, critical, ts_leaning_critical(&s->block), 0.02, "1", error,
                         "%s, %s: critical μ by bisection", ts_ground_name(ground), s->name));
    if (ground == TS_GROUND_SAMPLED) /* what is left is the smoothing's, which stays as wide as it is */
        return TS_OK;
    /* what is left is the springs': it goes when they are harder */
    probe.finer = FINER;
    TS_TRY(ts_trial_bisect(w->study, &probe, halvings, middle, &critical, error));
    TS_TRY(ts_claim_near(w->study, critical, ts_leaning_critical(&s->block), 0.005, "1", error,
                         "%s, %s: the same with a step of 1/%.0f ms", ts_ground_name(ground), s->name, FINER));
    return ground == TS_GROUND_EXACT ? draw(w->study, s, w->trial, error) : TS_OK;
}

ts_status ts_study_leaning_block(ts_study *study, ts_error *error)
{
    const int grounds = ts_study_full(study) ? TS_GROUND_COUNT : TS_GROUND_COUNT - 1;
    const size_t trials = STANDS * (size_t)grounds;
    work w = {.study = study, .part = 1.0 / (double)trials};
    ts_status status = TS_OK;
    for (int ground = 0; ground < grounds; ground++)
        for (size_t i = 0; i < STANDS && status == TS_OK; i++)
            status = run_stand(&w, &stands[i], (ts_ground)ground, error);
    for (int i = 0; i < FRICTIONS; i++)
        ts_trial_free(&w.trial[i]);
    return status;
}
