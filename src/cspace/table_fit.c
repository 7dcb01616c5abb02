/* SPDX-License-Identifier: MIT */
/* Choosing a table's spacing: build a coarse one, measure it on poses that it was not made from, and go by power laws
 * to the one that will do. Measured on letters: the mean error goes as spacing^1.6, the worst as spacing^1.2, bytes as
 * spacing^-2.6.
 *
 * Poses are of two kinds. Most lie anywhere near contact. Pockets are where B is free, or nearly, with A all around: a
 * link's ball in its socket, a bar in a slot. They are so small that random poses hardly ever meet one, and a table
 * that closes them looks good; so they are sought: from overlapping poses uphill until the gap grows no more. Lengths
 * here are shares of the smaller radius. */
#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"
#include "cspace/table_kernel.h"

static const double near = 0.1; /* errors count where |gap| is at most this */
/* So many signs may be wrong where the gap is clear, or twice the error. */
static const double wrong_share = TS_TABLE_WRONG_AIM * TS_TABLE_WRONG_SHARE;
static const double mean_power = 1.5, worst_power = 1.1, bytes_power = 2.6;
static const double first_spacing = 0.12;
static const double error_of_a_byte = 0.0006; /* for less than this, values of 8 bits are too coarse */
enum { poses_wanted = 5000, poses_tried = 64 * TS_FIELD_BATCH, tries_most = 12, builds_most = 5, misfits_most = 2 };
enum { walks = 2500, walks_at_once = 100, steps_most = 40 };
/* Of the time, about: drawing poses, and looking for pockets. */
static const double draw_share = 0.04, pockets_share = 0.1;

/* A part of all that there is to do, and who is told of it. */
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

/* Poses near contact with their true gaps. */
typedef struct truth {
    const ts_table_job *job;
    part told;
    size_t count;
    double *x, *y, *angle, *gap;                     /* (poses_tried), of all tried in a round; NAN gap: not near */
    double *near_x, *near_y, *near_angle, *near_gap; /* (poses_wanted) */
    uint64_t first;                                  /* index of the round's first pose */
    double near;                                     /* in the pair's unit */
    size_t pockets;
    int first_walk; /* of those at hand */
    double *walk;   /* (walks, 4): x, y, angle, gap where a walk ended; NAN gap: nowhere */
    double *pocket; /* (walks, 4): those that ended in pockets */
} truth;

/* ---- Held-out poses ---- */

static const char *const seeking = "looking for poses near contact";

/* One batch: anywhere in the disc where contact is possible, folded. A pose is a function of its index alone. */
static void draw_task(void *context, int task, int thread)
{
    (void)thread;
    truth *t = context;
    const ts_table_job *job = t->job;
    const double outer = job->pair->reach + t->near;
    ts_fields fields;
    ts_folding folding[TS_FIELD_BATCH];
    const size_t begin = (size_t)task * TS_FIELD_BATCH;
    for (size_t i = 0; i < TS_FIELD_BATCH; i++) {
        uint64_t index = 3 * (t->first + begin + i);
        double r = outer * sqrt(ts_random_uniform(0, 77, index)), u = ts_random_range(0, 77, index + 1, 0, 2 * TS_PI);
        fields.x[i] = r * cos(u), fields.y[i] = r * sin(u);
        fields.angle[i] = ts_random_range(0, 77, index + 2, -TS_PI, TS_PI);
    }
    ts_fold_apply(job->fold, TS_FIELD_BATCH, &fields, folding);
    for (size_t i = 0; i < TS_FIELD_BATCH; i++) {
        ts_exact_contact c = ts_exact_at(job->exact, fields.x[i], fields.y[i], fields.angle[i], t->near);
        t->x[begin + i] = fields.x[i], t->y[begin + i] = fields.y[i], t->angle[begin + i] = fields.angle[i];
        t->gap[begin + i] = fabs(c.gap) <= t->near ? c.gap : (double)NAN;
    }
}

static ts_status draw(truth *t, ts_error *error)
{
    double *block;
    TS_TRY(ts_new_raw(&block, 4 * (poses_tried + poses_wanted), error));
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
        if (!tell(&t->told, (double)t->count / poses_wanted, seeking))
            return ts_fail(error, TS_INTERRUPTED, "stopped while a table was made");
    }
    return TS_OK;
}

/* Uphill from one overlapping pose: along the gradient while that helps; where walls on both sides stop it, anywhere
 * that is higher, with shorter and shorter steps. */
static void walk_task(void *context, int task, int thread)
{
    (void)thread;
    truth *t = context;
    const ts_pair *pair = t->job->pair;
    const double unit = pair->small, lever = 0.85 * pair->radius_b, shortest = 0.001 * unit;
    const size_t walk = (size_t)t->first_walk + (size_t)task;
    double *end = t->walk + 4 * walk, pose[3], step = 0.05 * unit;
    uint64_t index = (uint64_t)walk << 16;
    double outer = pair->reach * sqrt(ts_random_uniform(0, 78, index));
    double u = ts_random_range(0, 78, index + 1, 0, 2 * TS_PI);
    pose[0] = outer * cos(u), pose[1] = outer * sin(u), pose[2] = ts_random_range(0, 78, index + 2, -TS_PI, TS_PI);
    end[3] = (double)NAN;
    ts_exact_contact c = ts_exact_at(t->job->exact, pose[0], pose[1], pose[2], 0.3 * unit);
    if (c.gap > 0 || c.gap < -0.3 * unit)
        return;
    bool stuck = false;
    for (int n = 0; n < steps_most && step > shortest && c.gap <= t->near; n++) {
        double way[3] = {c.gradient[0], c.gradient[1], c.gradient[2] / lever}, next[3];
        for (int d = 0; stuck && d < 3; d++)
            way[d] = ts_random_range(0, 78, index + 3 + 3 * (uint64_t)n + (uint64_t)d, -1, 1);
        double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        double by = length > 0 ? step / length : 0;
        next[0] = pose[0] + by * way[0], next[1] = pose[1] + by * way[1], next[2] = pose[2] + by * way[2] / lever;
        ts_exact_contact there = ts_exact_at(t->job->exact, next[0], next[1], next[2], 0.3 * unit);
        if (there.gap > c.gap) {
            c = there;
            pose[0] = next[0], pose[1] = next[1], pose[2] = next[2];
            stuck = false;
        } else {
            step *= stuck ? 0.8 : 1;
            stuck = true;
        }
    }
    end[0] = pose[0], end[1] = pose[1], end[2] = pose[2];
    end[3] = c.gap <= t->near && c.gap > 0 ? c.gap : (double)NAN;
}

static ts_status seek_pockets(truth *t, ts_error *error)
{
    TS_TRY(ts_new_raw(&t->walk, 8 * walks, error));
    t->pocket = t->walk + 4 * walks;
    for (; t->first_walk < walks; t->first_walk += walks_at_once) {
        ts_pool_run(t->job->pool, walks_at_once, walk_task, t);
        if (!tell(&t->told, (double)t->first_walk / walks, seeking))
            return ts_fail(error, TS_INTERRUPTED, "stopped while a table was made");
    }
    ts_fields fields;
    ts_folding folding[1];
    for (size_t w = 0; w < walks; w++) {
        const double *end = t->walk + 4 * w;
        if (isnan(end[3]))
            continue;
        fields.x[0] = end[0], fields.y[0] = end[1], fields.angle[0] = end[2];
        ts_fold_apply(t->job->fold, 1, &fields, folding);
        double *to = t->pocket + 4 * t->pockets++;
        to[0] = fields.x[0], to[1] = fields.y[0], to[2] = fields.angle[0], to[3] = end[3];
    }
    return TS_OK;
}

/* What one build came to. */
typedef struct trial {
    double spacing, mean, worst;
    double wrong;  /* share of poses whose sign is wrong although the gap is clear */
    double closed; /* share of pockets that the table closes */
    double room;   /* of these, the mean of their room as a share of what the table takes away */
    size_t bytes;
    bool reached, fits;
} trial;

static void measure_pockets(const ts_table *table, const truth *t, double error, trial *result)
{
    const double unit = t->job->pair->small, least = fmax(TS_TABLE_CLEAR, TS_TABLE_ROOM_SHARE * error) * unit;
    size_t known = 0, closed = 0;
    ts_fields fields;
    for (size_t n = 0; n < t->pockets; n++) {
        const double *pose = t->pocket + 4 * n;
        if (pose[3] < least)
            continue;
        fields.x[0] = pose[0], fields.y[0] = pose[1], fields.angle[0] = pose[2];
        ts_table_query(table, 1, &fields);
        known++;
        if (fields.gap[0] <= 0) {
            closed++;
            result->room += pose[3] / (pose[3] - fields.gap[0]);
        }
    }
    result->closed = known ? (double)closed / (double)known : 0;
    result->room = closed ? result->room / (double)closed : 1;
}

/* Errors in shares of the smaller radius. */
static void measure(const ts_table *table, const truth *t, double error, trial *result)
{
    const double per_unit = 1 / t->job->pair->small;
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
            double gap = per_unit * t->near_gap[begin + i], miss = fabs(per_unit * fields.gap[i] - gap);
            sum += miss;
            result->worst = fmax(result->worst, miss);
            wrong += fabs(gap) > fmax(TS_TABLE_CLEAR, 2 * error) && gap * fields.gap[i] < 0;
        }
    }
    result->mean = t->count ? sum / (double)t->count : 0;
    result->wrong = t->count ? (double)wrong / (double)t->count : 0;
    measure_pockets(table, t, error, result);
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
    return TS_TABLE_WORST_AIM * fmax(TS_TABLE_WORST_SHARE * error, TS_TABLE_WORST_LEAST);
}

/* The spacing to try after this one. */
static double next_spacing(const trial *t, double error, size_t bytes, double least)
{
    double by_mean = pow(0.93 * error / fmax(t->mean, 1e-9), 1 / mean_power);
    double by_worst = pow(0.93 * worst_allowed(error) / fmax(t->worst, 1e-9), 1 / worst_power);
    double by_sign = t->wrong > wrong_share ? 0.75 : t->wrong > 0 ? 1 : 2.5;
    double by_pocket = fmin(fmax(pow(0.9 * t->room, 1 / worst_power), 0.6), 0.85);
    by_pocket = t->closed > TS_TABLE_CLOSED_SHARE ? by_pocket : t->closed > 0 ? 1 : 2.5;
    double ratio = fmin(fmax(fmin(fmin(by_mean, by_worst), fmin(by_sign, by_pocket)), 0.25), 2.5);
    /* too large: to what will surely fit */
    double by_bytes = (t->fits ? 1.03 : 1.2) * pow((double)t->bytes / (double)bytes, 1 / bytes_power);
    ratio = fmax(ratio, fmin(by_bytes, 12));
    return fmax(t->spacing * ratio, least);
}

static ts_status fit(const ts_table_job *job, double error, size_t bytes, ts_table **best, const truth *poses,
                     ts_error *err)
{
    const ts_fold *fold = job->fold;
    const double unit = job->pair->small;
    const bool slim = fold->active && fold->sector <= TS_PI / 2 + 1e-9; /* half as wide */
    const double least = (slim ? 1 : 2) * (job->pair->reach + 0.2 * unit) / 240;
    double spacing = fmax(first_spacing * unit, least);
    int32_t bits = 8, misfits = 0;
    trial kept = {0};
    part p = {job->progress, job->user, draw_share + pockets_share, 0.1};
    for (int build = 0; build < builds_most; build++) {
        ts_table_form form = {.spacing = spacing, .bits = bits};
        ts_table *table = NULL;
        TS_TRY(ts_table_create(job->exact, job->pair, fold, &form, job->pool, tell, &p, &table, err));
        trial t = {.spacing = spacing, .bytes = ts_table_bytes(table)};
        measure(table, poses, error, &t);
        t.fits = t.bytes <= bytes;
        t.reached = t.mean <= error && t.worst <= worst_allowed(error) && t.wrong <= wrong_share &&
                    t.closed <= TS_TABLE_CLOSED_SHARE;
        misfits += !t.fits;
        if (!*best || better(&t, &kept)) {
            ts_table_free(*best);
            *best = table;
            table->reached = t.reached;
            table->open = t.closed <= TS_TABLE_CLOSED_SHARE;
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
            (change > 0.98 && change < 1.02) || misfits >= misfits_most)
            break;
        p.from += p.share;
        p.share = (1 - p.from) * 0.6;
    }
    if (kept.fits)
        return TS_OK;
    ts_table_free(*best);
    *best = NULL;
    return ts_fail(err, TS_BAD_INPUT,
                   "no table of these outlines fits into %zu bytes (the smallest tried has %zu); allow more bytes, or "
                   "choose the kind exact",
                   bytes, kept.bytes);
}

ts_status ts_table_fit(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, double error, size_t bytes,
                       ts_pool *pool, ts_table_progress *progress, void *user, ts_table **table, ts_error *err)
{
    if (!(error > 0) || bytes == 0)
        return ts_fail(err, TS_BAD_INPUT, "a table needs an error above 0 and room for some bytes, not %g and %zu",
                       error, bytes);
    const ts_table_job job = {exact, pair, fold, pool, progress, user};
    truth poses = {.job = &job, .near = near * pair->small, .told = {progress, user, 0, draw_share}};
    ts_table *best = NULL;
    ts_status status = draw(&poses, err);
    poses.told = (part){progress, user, draw_share, pockets_share};
    if (status == TS_OK)
        status = seek_pockets(&poses, err);
    if (status == TS_OK)
        status = fit(&job, error, bytes, &best, &poses, err);
    ts_free(poses.x);
    ts_free(poses.walk);
    if (status != TS_OK) {
        ts_table_free(best);
        return status;
    }
    *table = best;
    return TS_OK;
}
