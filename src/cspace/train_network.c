/* SPDX-License-Identifier: MIT */
/* From two outlines to a map's two networks: samples, the gap's network, its normals, the arms' network. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cspace/train.h"

/* Distinct samples: with fewer a 5 × 64 network begins to learn them by heart; with more, making them takes most of the
 * time. A smaller network has less to remember them by: so many to a parameter are enough. */
#define SAMPLES       200000
#define SAMPLES_EACH  50.0
#define SAMPLES_LEAST 1000
#define VISITS_EACH   100.0 /* at least so many of each sample, where that leaves enough of them */
#define HELD          4500  /* held out to judge by; one in ten of them is far from contact and does not count */
/* Visits of the gap's network when nobody says: so many for 3 × 32 (2273 parameters), fewer for larger ones, whose
 * visits cost more. All in all 10 to 20 s on two cores, by how many edges the outlines have: within the 25 s that the
 * paper reports. */
#define VISITS       30e6
#define VISITS_SIZE  2273.0
#define VISITS_POWER 0.2
/* The arms' network gets half as many visits: its targets jump where the contact point does, and no number of visits
 * mends that. */
#define ARM_SHARE 0.5
/* Which part of the whole each is, for progress. */
#define DONE_SAMPLES 0.15
#define DONE_GAP     0.7

/* ---- Rows ---- */

/* All that training one map's networks needs. */
typedef struct job {
    const ts_exact *exact;
    const ts_pair *pair;
    const ts_fold *fold;
    const ts_map_options *options;
    ts_training training;
    double since; /* when it began */
    ts_samples samples;
    ts_train_rows rows;
    ts_network network;
} job;

/* Inputs and the gap. */
static ts_status make_rows(job *j, ts_error *error)
{
    const ts_samples *samples = &j->samples;
    TS_TRY(ts_new(&j->rows.row, samples->count * TS_TRAIN_ROW, error));
    for (size_t i = 0; i < samples->count; i++) {
        float *row = j->rows.row + i * TS_TRAIN_ROW;
        ts_network_encode(j->network.encoding, j->network.frequency, (double)samples->x[i], (double)samples->y[i],
                          (double)samples->angle[i], row);
        row[TS_TRAIN_TARGET] = samples->gap[i];
        row[TS_TRAIN_JUDGE] = i >= j->rows.count && ts_samples_near(i) ? 1.0f : 0.0f;
    }
    return TS_OK;
}

/* The direction of the learned gradient. */
static void learned_normal(const job *j, size_t sample, const float slope[4], const float *row, double n[2])
{
    double g[3];
    ts_network_gradient(&j->network, (double)j->samples.x[sample], row, slope, g);
    double length = hypot(g[0], g[1]);
    n[0] = length > 0 ? g[0] / length : 0;
    n[1] = length > 0 ? g[1] / length : 0;
}

/* Targets -r_A · n and r_B · n with the learned n, and the true points m ∓ gap/2 along the true normal. */
static void arm_task(void *context, int task, int thread)
{
    (void)thread;
    job *j = context;
    const ts_samples *s = &j->samples;
    size_t first = (size_t)task * TS_FIELD_BATCH, left = s->count - first;
    size_t count = left < TS_FIELD_BATCH ? left : TS_FIELD_BATCH;
    float input[4 * TS_FIELD_BATCH] = {0}, slope[4 * TS_FIELD_BATCH] = {0}, gap[TS_FIELD_BATCH];
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 4; k++)
            input[k * TS_FIELD_BATCH + i] = j->rows.row[(first + i) * TS_TRAIN_ROW + k];
    ts_perceptron_query(&j->network.gap, count, TS_FIELD_BATCH, input, gap, slope);
    for (size_t k = 0; k < count; k++) {
        size_t i = first + k;
        float *row = j->rows.row + i * TS_TRAIN_ROW;
        float at[4] = {slope[k], slope[TS_FIELD_BATCH + k], slope[2 * TS_FIELD_BATCH + k],
                       slope[3 * TS_FIELD_BATCH + k]};
        double n[2], half = 0.5 * (double)s->gap[i];
        learned_normal(j, i, at, row, n);
        double m = (double)s->point_x[i] * n[0] + (double)s->point_y[i] * n[1];
        double along = half * ((double)s->normal_x[i] * n[0] + (double)s->normal_y[i] * n[1]);
        double centre = (double)s->x[i] * n[0] + (double)s->y[i] * n[1];
        row[TS_TRAIN_TARGET] = (float)(along - m);
        row[TS_TRAIN_TARGET + 1] = (float)(m + along - centre);
    }
}

/* ---- Training ---- */

/* What is left of the time, of which `share` may be used now; at least a little, so that something is learned. */
static double seconds_left(const job *j, double share)
{
    double seconds = j->options->seconds;
    return seconds > 0 ? fmax(share * (seconds - (ts_clock_seconds() - j->since)), 0.01 * seconds) : 0;
}

static uint64_t visits_of(const ts_map_options *options, const ts_perceptron *p)
{
    if (options->samples > 0)
        return options->samples;
    if (options->seconds > 0)
        return 0; /* all of the time */
    return (uint64_t)(VISITS * pow(VISITS_SIZE / (double)p->count, VISITS_POWER));
}

/* Samples are the first part of the whole. */
static bool samples_progress(void *user, double done, const char *what)
{
    const ts_training *training = user;
    return training->progress(training->user, DONE_SAMPLES * done, what);
}

/* A short training does with fewer samples. By the clock, making them may take a quarter of the time: a few tell how
 * long each takes. */
static ts_status make_samples(job *j, ts_error *error)
{
    const ts_map_options *o = j->options;
    double most = fmin(SAMPLES, SAMPLES_EACH * (double)j->network.gap.count);
    double count = o->samples > 0 ? fmin((double)o->samples / VISITS_EACH, most) : most;
    if (o->seconds > 0) {
        ts_training alone = {.pool = j->training.pool};
        TS_TRY(ts_samples_create(j->exact, j->pair, j->fold, SAMPLES_LEAST, o->seed, &alone, &j->samples, error));
        ts_samples_free(&j->samples);
        count = fmin(count, 0.25 * o->seconds * SAMPLES_LEAST / (ts_clock_seconds() - j->since));
    }
    j->rows.count = (size_t)fmax(count, SAMPLES_LEAST);
    j->rows.held = j->rows.count / 4 < HELD ? j->rows.count / 4 : HELD;
    ts_training first = {j->training.pool, j->training.progress ? samples_progress : NULL, &j->training};
    TS_TRY(ts_samples_create(j->exact, j->pair, j->fold, j->rows.count + j->rows.held, o->seed, &first, &j->samples,
                             error));
    return make_rows(j, error);
}

static ts_status train_gap(job *j, ts_error *error)
{
    ts_perceptron *p = &j->network.gap;
    ts_train_plan plan = {.visits = visits_of(j->options, p), .seed = j->options->seed};
    plan.error = j->options->error * j->pair->small; /* a share of the smaller radius, as all errors */
    plan.seconds = seconds_left(j, 1 / (1 + ARM_SHARE));
    plan.from = DONE_SAMPLES;
    plan.to = DONE_GAP;
    plan.name = "gap";
    ts_perceptron_start(p, plan.seed);
    TS_TRY(ts_perceptron_fit(p, &j->rows, &plan, &j->training, NULL, error));
    return ts_perceptron_pack(p, error);
}

static ts_status train_arms(job *j, ts_error *error)
{
    ts_perceptron *p = &j->network.arm;
    ts_pool_run(j->training.pool, (int)((j->samples.count + TS_FIELD_BATCH - 1) / TS_FIELD_BATCH), arm_task, j);
    uint64_t visits = visits_of(j->options, &j->network.gap);
    ts_train_plan plan = {.visits = visits > 0 ? (uint64_t)(ARM_SHARE * (double)visits) + 1 : 0};
    plan.seconds = seconds_left(j, 1);
    plan.seed = j->options->seed + 1;
    plan.from = DONE_GAP;
    plan.to = 1;
    plan.name = "arms";
    ts_perceptron_start(p, plan.seed);
    TS_TRY(ts_perceptron_fit(p, &j->rows, &plan, &j->training, NULL, error));
    return ts_perceptron_pack(p, error);
}

ts_status ts_network_train(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold,
                           const ts_map_options *options, const ts_training *training, ts_network *network,
                           ts_error *error)
{
    job j = {.exact = exact, .pair = pair, .fold = fold, .options = options, .since = ts_clock_seconds()};
    if (training)
        j.training = *training;
    j.network.encoding = options->encoding;
    j.network.frequency = fold->active && fold->turns_b > 0 ? fold->turns_b : 1;
    ts_network_suit(&j.network, fold);
    int32_t inputs = options->encoding == TS_ENCODING_RAW ? 3 : 4;
    ts_status status = ts_perceptron_create(inputs, 1, options->depth, options->width, &j.network.gap, error);
    if (status == TS_OK)
        status = ts_perceptron_create(inputs, 2, options->depth, options->width, &j.network.arm, error);
    if (status == TS_OK)
        status = make_samples(&j, error);
    if (status == TS_OK)
        status = train_gap(&j, error);
    if (status == TS_OK)
        status = train_arms(&j, error);
    ts_free(j.rows.row);
    ts_samples_free(&j.samples);
    if (status == TS_OK)
        *network = j.network;
    else
        ts_network_free(&j.network);
    return status;
}
