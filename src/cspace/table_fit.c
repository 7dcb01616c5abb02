/* SPDX-License-Identifier: MIT */
/* Choosing a table's spacing: build a coarse one, measure it on poses that it was not made from, and go by power laws to the one that
 * will do. Measured on letters: the mean error goes as spacing^1.6, the worst as spacing^1.2, bytes as spacing^-2.6. */
#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "cspace/table_kernel.h"

#define PI 3.14159265358979323846

static const double near = 0.1;         /* errors count where |gap| is at most this */
static const double worst_share = 6;    /* the worst error may be this many times the mean that is wanted, */
static const double worst_least = 0.03; /* or this much: held-out poses never meet the very worst */
static const double clear = 0.01; /* where the gap is at least this large, or twice the error, its sign must be right */
static const double wrong_share = 4e-4; /* but for this share of poses near contact */
static const double mean_power = 1.5, worst_power = 1.1, bytes_power = 2.6;
static const double first_spacing = 0.12;
static const double error_of_a_byte = 0.0006; /* for less than this, values of 8 bits are too coarse */
enum { poses_wanted = 5000, poses_tried = 64 * TS_FIELD_BATCH, tries_most = 12, builds_most = 5 };

/* Poses near contact with their true gaps. */
typedef struct truth {
    const ts_table_job *job;
    size_t count;
    double *x, *y, *angle, *gap;                     /* (poses_tried), of all tried in a round; NAN gap: not near */
    double *near_x, *near_y, *near_angle, *near_gap; /* (poses_wanted) */
    uint64_t first;                                  /* index of the round's first pose */
} truth;

/* ---- Held-out poses ---- */

/* One batch: anywhere in the disc where contact is possible, folded. A pose is a function of its index alone. */
static void draw_task(void *context, int task, int thread)
{
    (void)thread;
    truth *t = context;
    const ts_table_job *job = t->job;
    const double outer = job->pair->reach + near;
    ts_fields fields;
    ts_folding folding[TS_FIELD_BATCH];
    const size_t begin = (size_t)task * TS_FIELD_BATCH;
    for (size_t i = 0; i < TS_FIELD_BATCH; i++) {
        uint64_t index = 3 * (t->first + begin + i);
        double r = outer * sqrt(ts_random_uniform(0, 77, index)), u = ts_random_range(0, 77, index + 1, 0, 2 * PI);
        fields.x[i] = r * cos(u), fields.y[i] = r * sin(u);
        fields.angle[i] = ts_random_range(0, 77, index + 2, -PI, PI);
    }
    ts_fold_apply(job->fold, TS_FIELD_BATCH, &fields, folding);
    for (size_t i = 0; i < TS_FIELD_BATCH; i++) {
        ts_exact_contact c = ts_exact_at(job->exact, fields.x[i], fields.y[i], fields.angle[i], near);
        t->x[begin + i] = fields.x[i], t->y[begin + i] = fields.y[i], t->angle[begin + i] = fields.angle[i];
        t->gap[begin + i] = fabs(c.gap) <= near ? c.gap : (double)NAN;
    }
}

static ts_status draw(truth *t, ts_error *error)
{
    double *block = ts_alloc_raw(4 * (poses_tried + poses_wanted), sizeof *block);
    if (!block)
        return ts_fail_memory(error, 4 * (poses_tried + poses_wanted) * sizeof *block);
    t->x = block, t->y = t->x + poses_tried, t->angle = t->y + poses_tried, t->gap = t->angle + poses_tried;
    t->near_x = t->gap + poses_tried, t->near_y = t->near_x + poses_wanted;
    t->near_angle = t->near_y + poses_wanted, t->near_gap = t->near_angle + poses_wanted;
    for (int round = 0; round < tries_most && t->count < poses_wanted; round++) {
        /* the first round is short: it is enough where much of the space is near contact */
        int batches = round == 0 ? 16 : 64;
        ts_pool_run(t->job->pool, batches, draw_task, t);
        for (size_t i = 0; i < (size_t)batches * TS_FIELD_BATCH && t->count < poses_wanted; i++) {
            if (isnan(t->gap[i]))
                continue;
            t->near_x[t->count] = t->x[i], t->near_y[t->count] = t->y[i];
            t->near_angle[t->count] = t->angle[i], t->near_gap[t->count] = t->gap[i];
            t->count++;
        }
        t->first += (uint64_t)batches * TS_FIELD_BATCH;
    }
    return TS_OK;
}

/* What one build came to. */
typedef struct trial {
    double spacing, mean, worst;
    double wrong; /* share of poses whose sign is wrong although the gap is clear */
    size_t bytes;
    bool reached, fits;
} trial;

static void measure(const ts_table *table, const truth *t, double error, trial *result)
{
    ts_fields fields;
    double sum = 0;
    size_t wrong = 0;
    for (size_t begin = 0; begin < t->count; begin += TS_FIELD_BATCH) {
        size_t count = t->count - begin < TS_FIELD_BATCH ? t->count - begin : TS_FIELD_BATCH;
        for (size_t i = 0; i < count; i++) {
            fields.x[i] = t->near_x[begin + i];
            fields.y[i] = t->near_y[begin + i];
            fields.angle[i] = t->near_angle[begin + i];
        }
        ts_table_query(table, count, &fields);
        for (size_t i = 0; i < count; i++) {
            double gap = t->near_gap[begin + i], miss = fabs(fields.gap[i] - gap);
            sum += miss;
            result->worst = fmax(result->worst, miss);
            wrong += fabs(gap) > fmax(clear, 2 * error) && gap * fields.gap[i] < 0;
        }
    }
    result->mean = t->count ? sum / (double)t->count : 0;
    result->wrong = t->count ? (double)wrong / (double)t->count : 0;
}

/* ---- The choice ---- */

/* Is `a` what was asked for more than `b`? Small enough first, then good enough, then small or good. */
static bool better(const trial *a, const trial *b)
{
    if (a->fits != b->fits)
        return a->fits;
    if (!a->fits)
        return a->bytes < b->bytes;
    if (a->reached != b->reached)
        return a->reached;
    return a->reached ? a->bytes < b->bytes : a->mean < b->mean;
}

static double worst_allowed(double error)
{
    return fmax(worst_share * error, worst_least);
}

/* The spacing to try after this one. */
static double next_spacing(const trial *t, double error, size_t bytes, double least)
{
    double by_mean = pow(0.93 * error / fmax(t->mean, 1e-9), 1 / mean_power);
    double by_worst = pow(0.93 * worst_allowed(error) / fmax(t->worst, 1e-9), 1 / worst_power);
    double by_sign = t->wrong > wrong_share ? 0.75 : t->wrong > 0 ? 1 : 2.5;
    double ratio = fmin(fmax(fmin(fmin(by_mean, by_worst), by_sign), 0.25), 2.5);
    double by_bytes = 1.03 * pow((double)t->bytes / (double)bytes, 1 / bytes_power);
    ratio = fmax(ratio, fmin(by_bytes, 4));
    return fmin(fmax(t->spacing * ratio, least), 0.6);
}

typedef struct part {
    ts_table_progress *progress;
    void *user;
    double from, share;
} part;

static bool tell(void *user, double done, const char *what)
{
    const part *p = user;
    return !p->progress || p->progress(p->user, p->from + p->share * done, what);
}

static ts_status fit(const ts_table_job *job, double error, size_t bytes, ts_table **best, const truth *poses,
                     ts_error *err)
{
    const ts_fold *fold = job->fold;
    const bool slim = fold->active && fold->sector <= PI / 2 && fold->axis_a == 0;
    const double least = (slim ? 1 : 2) * (job->pair->reach + 0.2) / 240;
    double spacing = fmax(first_spacing, least);
    int32_t bits = 8;
    trial kept = {0};
    part p = {job->progress, job->user, 0, 0.1};
    for (int build = 0; build < builds_most; build++) {
        ts_table_form form = {.spacing = spacing, .bits = bits};
        ts_table *table = NULL;
        TS_TRY(ts_table_create(job->exact, job->pair, fold, &form, job->pool, tell, &p, &table, err));
        trial t = {.spacing = spacing, .bytes = ts_table_bytes(table)};
        measure(table, poses, error, &t);
        t.fits = t.bytes <= bytes;
        t.reached = t.mean <= error && t.worst <= worst_allowed(error) && t.wrong <= wrong_share;
        if (!*best || better(&t, &kept)) {
            ts_table_free(*best);
            *best = table;
            kept = t;
        } else {
            ts_table_free(table);
        }
        spacing = next_spacing(&t, error, bytes, least);
        /* near enough to what there is: no further build */
        double change = spacing / t.spacing, hoped = t.mean * pow(change, mean_power);
        if (bits == 8 && hoped < error_of_a_byte && error < error_of_a_byte) {
            bits = 16;
            spacing = fmax(spacing, t.spacing * 1.02 * pow(1.8 * (double)t.bytes / (double)bytes, 1 / bytes_power));
            change = 0;
        }
        if ((kept.reached && kept.fits && (build >= 2 || (change < 1.25 && change > 0.9))) ||
            (change > 0.98 && change < 1.02))
            break;
        p.from += p.share;
        p.share = (1 - p.from) * 0.6;
    }
    if (kept.fits)
        return TS_OK;
    ts_table_free(*best);
    *best = NULL;
    return ts_fail(err, TS_BAD_INPUT, "no table of these outlines fits into %zu bytes; the smallest tried has %zu",
                   bytes, kept.bytes);
}

ts_status ts_table_fit(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, double error, size_t bytes,
                       ts_pool *pool, ts_table_progress *progress, void *user, ts_table **table, ts_error *err)
{
    if (!(error > 0) || bytes == 0)
        return ts_fail(err, TS_BAD_INPUT, "a table needs an error above 0 and room for some bytes, not %g and %zu",
                       error, bytes);
    const ts_table_job job = {exact, pair, fold, pool, progress, user};
    truth poses = {.job = &job};
    ts_table *best = NULL;
    ts_status status = draw(&poses, err);
    if (status == TS_OK)
        status = fit(&job, error, bytes, &best, &poses, err);
    ts_free(poses.x);
    if (status != TS_OK) {
        ts_table_free(best);
        return status;
    }
    *table = best;
    return TS_OK;
}
