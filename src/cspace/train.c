/* SPDX-License-Identifier: MIT */
/* Adam on minibatches.
 *
 *     step     parts of the batch, one task each: fetch rows in random order, gradient      ─▶ one gradient a part
 *              slices of the parameters, one task each: add the gradients in order, Adam    ─▶ parameters
 *
 * A part is PART samples whatever the number of threads, and its gradient is a sum in one order: so the bits are the
 * same on any number of them. The order of samples is a permutation of its own for each pass over them, worked out and
 * not stored. */
#include "cspace/train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/kernel.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"
#include "cspace/train_kernel.h"

TS_KERNEL_CHOOSER(ts_train_kernels, ts_train)

#define PART        192  /* samples whose gradient is one sum; two chunks */
#define SLICE       2048 /* parameters of one task */
#define REPORTS     100  /* of progress, at least */
#define STEPS_MAX   64   /* between two reports */
#define STEPS_LEAST 3000 /* of a training, as far as its batches can shrink */
#define BATCH_LEAST 48
#define DECAY_MEAN  0.9 /* Adam's, as everywhere */
#define DECAY_SQ    0.999
#define WARM        0.02            /* share of training in which the rate rises */
#define TINY        1e-8            /* Adam's */
#define RATE_END    1e-3            /* of the highest rate */
#define STREAM_INIT 0x7761726d0001u /* streams of random numbers: first weights, order */
#define STREAM_PASS 0x7761726d0002u

/* ---- Layout ---- */

ts_train_shape ts_train_shape_of(const ts_perceptron *p)
{
    ts_train_shape s = {.inputs = p->inputs, .outputs = p->outputs, .depth = p->depth, .width = p->width};
    s.wide = ((size_t)p->width + TS_TRAIN_ALIGN - 1) / TS_TRAIN_ALIGN * TS_TRAIN_ALIGN;
    for (int l = 0; l <= p->depth; l++) {
        size_t rows = l == 0 ? TS_NETWORK_INPUTS_MAX : l == p->depth ? (size_t)p->outputs : s.wide;
        s.weight_at[l] = s.count;
        s.bias_at[l] = s.count + rows * s.wide;
        s.count = s.bias_at[l] + (l == p->depth ? TS_TRAIN_ALIGN : s.wide);
    }
    s.scratch_count = ((size_t)p->depth + 2) * TS_TRAIN_CHUNK * s.wide;
    return s;
}

/* Where weight (row, column) of a layer stands in the kernels' order. */
static size_t packed_at(const ts_train_shape *s, int layer, size_t row, size_t column)
{
    return s->weight_at[layer] + (layer == 0 ? column * s->wide + row : row * s->wide + column);
}

void ts_train_pack(const ts_perceptron *p, const ts_train_shape *shape, float *packed)
{
    memset(packed, 0, shape->count * sizeof *packed);
    for (int l = 0; l <= p->depth; l++) {
        size_t rows = (size_t)ts_perceptron_rows(p, l), columns = (size_t)ts_perceptron_columns(p, l);
        memcpy(packed + shape->bias_at[l], p->parameter + p->bias_at[l], rows * sizeof *packed);
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < columns; c++)
                packed[packed_at(shape, l, r, c)] = p->parameter[p->weight_at[l] + r * columns + c];
    }
}

void ts_train_unpack(const float *packed, const ts_train_shape *shape, ts_perceptron *p)
{
    for (int l = 0; l <= p->depth; l++) {
        size_t rows = (size_t)ts_perceptron_rows(p, l), columns = (size_t)ts_perceptron_columns(p, l);
        memcpy(p->parameter + p->bias_at[l], packed + shape->bias_at[l], rows * sizeof *packed);
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < columns; c++)
                p->parameter[p->weight_at[l] + r * columns + c] = packed[packed_at(shape, l, r, c)];
    }
}

void ts_perceptron_start(ts_perceptron *p, uint64_t seed)
{
    ts_random random = ts_random_make(seed, STREAM_INIT);
    for (int l = 0; l <= p->depth; l++) {
        size_t rows = (size_t)ts_perceptron_rows(p, l), columns = (size_t)ts_perceptron_columns(p, l);
        double spread = sqrt((l == p->depth ? 1.0 : 2.0) / (double)columns), shift = 1 / sqrt((double)columns);
        for (size_t i = 0; i < rows * columns; i++)
            p->parameter[p->weight_at[l] + i] = (float)(spread * ts_random_next_normal(&random));
        for (size_t i = 0; i < rows; i++)
            p->parameter[p->bias_at[l] + i] = l == p->depth ? 0 : (float)ts_random_next_range(&random, -shift, shift);
    }
}

/* ---- The order of samples ---- */

/* A permutation of 0 … count - 1: mixing steps that can each be undone, on the next power of two; what falls beyond
 * count goes through again, which brings it back inside in the end. */
typedef struct order {
    uint64_t count, mask;
    int shift;
    uint64_t factor[2], add; /* factors are odd */
} order;

static order order_of(uint64_t count, uint64_t seed, uint64_t pass)
{
    int bits = 1;
    while (bits < 63 && ((uint64_t)1 << bits) < count)
        bits++;
    return (order){count,
                   ((uint64_t)1 << bits) - 1,
                   (bits + 1) / 2,
                   {ts_random_u64(seed, STREAM_PASS, 3 * pass) | 1, ts_random_u64(seed, STREAM_PASS, 3 * pass + 1) | 1},
                   ts_random_u64(seed, STREAM_PASS, 3 * pass + 2)};
}

static uint64_t order_at(const order *o, uint64_t i)
{
    do {
        i = (i * o->factor[0] + o->add) & o->mask;
        i ^= i >> o->shift;
        i = i * o->factor[1] & o->mask;
        i ^= i >> o->shift;
        i = i * o->factor[0] & o->mask;
        i ^= i >> o->shift;
    } while (i >= o->count);
    return i;
}

/* ---- Training one network ---- */

typedef struct trainer {
    const ts_train_kernels *kernel;
    ts_train_shape shape;
    const ts_train_rows *rows;
    ts_pool *pool;
    uint64_t seed;
    size_t batch, parts;
    float *block;                              /* all of the floats below */
    float *parameter, *turned, *mean, *square; /* (shape.count) each */
    float *gradient;                           /* (parts · shape.count) */
    float *work;                               /* (threads · work_count): rows, answers, scratch */
    size_t work_count;
    double *sum; /* (parts, or held parts, whichever are more) */
    size_t held_parts;
    uint64_t visits;
    uint64_t steps;
    ts_train_adam adam;
} trainer;

static float *work_of(const trainer *t, int thread)
{
    return t->work + (size_t)thread * t->work_count;
}

static void learn_task(void *context, int task, int thread)
{
    trainer *t = context;
    const ts_train_rows *rows = t->rows;
    size_t begin = (size_t)task * PART, left = t->batch - begin, count = left < PART ? left : PART;
    float *row = work_of(t, thread), *gradient = t->gradient + (size_t)task * t->shape.count;
    uint64_t visit = t->visits + begin, pass = visit / rows->count, at = visit % rows->count;
    order o = order_of(rows->count, t->seed, pass);
    for (size_t i = 0; i < count; i++, at++) {
        if (at == rows->count) {
            at = 0;
            o = order_of(rows->count, t->seed, ++pass);
        }
        memcpy(row + i * TS_TRAIN_ROW, rows->row + order_at(&o, at) * TS_TRAIN_ROW, TS_TRAIN_ROW * sizeof *row);
    }
    memset(gradient, 0, t->shape.count * sizeof *gradient);
    t->sum[task] =
        t->kernel->learn(&t->shape, t->parameter, t->turned, count, row, row + PART * TS_TRAIN_ROW, gradient);
}

static void adam_task(void *context, int task, int thread)
{
    (void)thread;
    const trainer *t = context;
    ts_train_adam a = t->adam;
    a.begin = (size_t)task * SLICE;
    a.end = a.begin + SLICE < t->shape.count ? a.begin + SLICE : t->shape.count;
    t->kernel->adam(&a);
}

/* One minibatch. Returns the sum of its squared errors. */
static double step(trainer *t, double rate)
{
    ts_pool_run(t->pool, (int)t->parts, learn_task, t);
    t->visits += t->batch;
    t->steps++;
    double squares = 0, n = (double)t->steps;
    for (size_t i = 0; i < t->parts; i++)
        squares += t->sum[i];
    double root = sqrt(1 - pow(DECAY_SQ, n));
    t->adam.scale = (float)(2 / ((double)t->batch * t->shape.outputs));
    t->adam.rate = (float)(rate * root / (1 - pow(DECAY_MEAN, n)));
    t->adam.tiny = (float)(TINY * root);
    ts_pool_run(t->pool, (int)((t->shape.count + SLICE - 1) / SLICE), adam_task, t);
    t->kernel->turn(&t->shape, t->parameter, t->turned);
    return squares;
}

/* Asks the network at held-out rows of one part. */
static void judge_task(void *context, int task, int thread)
{
    const trainer *t = context;
    size_t begin = (size_t)task * PART, left = t->rows->held - begin, count = left < PART ? left : PART;
    const float *row = t->rows->row + (t->rows->count + begin) * TS_TRAIN_ROW;
    float *answer = work_of(t, thread);
    t->kernel->ask(&t->shape, t->parameter, t->turned, count, row, answer + PART * TS_TRAIN_ROW, answer);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (row[i * TS_TRAIN_ROW + TS_TRAIN_JUDGE] > 0)
            sum += fabs((double)answer[i * TS_TRAIN_ANSWER] - (double)row[i * TS_TRAIN_ROW + TS_TRAIN_TARGET]);
    t->sum[task] = sum;
}

/* Mean |error of output 0| of the held-out samples that count. */
static double judge(trainer *t)
{
    size_t counted = 0;
    for (size_t i = 0; i < t->rows->held; i++)
        counted += t->rows->row[(t->rows->count + i) * TS_TRAIN_ROW + TS_TRAIN_JUDGE] > 0;
    ts_pool_run(t->pool, (int)t->held_parts, judge_task, t);
    double sum = 0;
    for (size_t i = 0; i < t->held_parts; i++)
        sum += t->sum[i];
    return counted > 0 ? sum / (double)counted : 0;
}

static ts_status trainer_open(trainer *t, const ts_perceptron *p, const ts_train_rows *rows, size_t batch,
                              const ts_training *training, ts_error *error)
{
    *t = (trainer){.kernel = ts_train_choose(), .shape = ts_train_shape_of(p), .rows = rows, .batch = batch};
    t->pool = training ? training->pool : NULL;
    t->parts = (batch + PART - 1) / PART;
    t->held_parts = (rows->held + PART - 1) / PART;
    size_t count = t->shape.count, threads = (size_t)ts_pool_thread_count(t->pool);
    t->work_count = PART * TS_TRAIN_ROW + t->shape.scratch_count;
    size_t floats = (4 + t->parts) * count + threads * t->work_count;
    t->block = ts_alloc(floats, sizeof *t->block);
    t->sum = ts_alloc(t->parts > t->held_parts ? t->parts : t->held_parts, sizeof *t->sum);
    if (!t->block || !t->sum) {
        ts_free(t->block);
        ts_free(t->sum);
        return ts_fail_memory(error, floats * sizeof *t->block);
    }
    t->parameter = t->block;
    t->turned = t->block + count;
    t->mean = t->block + 2 * count;
    t->square = t->block + 3 * count;
    t->gradient = t->block + 4 * count;
    t->work = t->gradient + t->parts * count;
    t->adam = (ts_train_adam){.gradient = t->gradient, .part_count = t->parts, .stride = count};
    t->adam.parameter = t->parameter;
    t->adam.mean = t->mean;
    t->adam.square = t->square;
    ts_train_pack(p, &t->shape, t->parameter);
    t->kernel->turn(&t->shape, t->parameter, t->turned);
    return TS_OK;
}

static void trainer_close(trainer *t)
{
    ts_free(t->block);
    ts_free(t->sum);
}

/* The highest rate, found by trial: as high as 3 × 32 and 5 × 64 networks bear. Larger ones bear less. */
static double good_rate(const ts_perceptron *p)
{
    return fmin(0.02, 0.02 * (32.0 / p->width) * sqrt(3.0 / p->depth));
}

/* A short training takes smaller steps rather than too few. */
static size_t good_batch(uint64_t visits)
{
    uint64_t batch = visits / STEPS_LEAST;
    return visits == 0 || batch > TS_TRAIN_BATCH ? TS_TRAIN_BATCH : batch < BATCH_LEAST ? BATCH_LEAST : (size_t)batch;
}

/* Rises, then falls along a cosine. */
static double rate_at(double highest, double done)
{
    if (done < WARM)
        return highest * (RATE_END + (1 - RATE_END) * done / WARM);
    return highest * (RATE_END + (1 - RATE_END) * 0.5 * (1 + cos(TS_PI * (done - WARM) / (1 - WARM))));
}

/* Share done, by visits or by the clock, whichever is further. */
static double share_done(const ts_train_plan *plan, uint64_t visits, double since)
{
    double done = plan->visits > 0 ? (double)visits / (double)plan->visits : 0;
    if (plan->seconds > 0)
        done = fmax(done, (ts_clock_seconds() - since) / plan->seconds);
    return fmin(done, 1);
}

static bool tell(const ts_train_plan *plan, const ts_training *training, double done, const ts_train_report *report)
{
    if (!training || !training->progress)
        return true;
    char what[128];
    double to = plan->to > 0 ? plan->to : 1;
    snprintf(what, sizeof what, "%s%sloss %.2g, held-out error %.2f %%", plan->name ? plan->name : "",
             plan->name ? ": " : "", report->loss, 100 * report->error);
    return training->progress(training->user, plan->from + (to - plan->from) * done, what);
}

static ts_status train(trainer *t, const ts_train_plan *plan, const ts_training *training, ts_train_report *report,
                       ts_error *error)
{
    double since = ts_clock_seconds(), rate = plan->rate, done = 0;
    uint64_t steps = (plan->visits + t->batch - 1) / t->batch, every = STEPS_MAX;
    if (plan->visits > 0 && steps / REPORTS < every)
        every = steps / REPORTS + 1;
    while (done < 1) {
        double squares = 0;
        uint64_t n = 0;
        for (; n < every && done < 1; n++) {
            squares += step(t, rate_at(rate, done));
            done = share_done(plan, t->visits, since);
        }
        report->visits = t->visits;
        report->seconds = ts_clock_seconds() - since;
        report->loss = squares / ((double)n * (double)t->batch * t->shape.outputs);
        report->error = judge(t);
        if (!isfinite(report->loss))
            return ts_fail(error, TS_DIVERGED,
                           "training a network of %d × %d diverged after %llu samples; another seed may do",
                           (int)t->shape.depth, (int)t->shape.width, (unsigned long long)t->visits);
        if (!tell(plan, training, done, report))
            return ts_fail(error, TS_INTERRUPTED, "training was stopped after %llu samples",
                           (unsigned long long)t->visits);
        if (plan->error > 0 && t->rows->held > 0 && report->error <= plan->error)
            break;
    }
    return TS_OK;
}

ts_status ts_perceptron_fit(ts_perceptron *p, const ts_train_rows *rows, const ts_train_plan *given,
                            const ts_training *training, ts_train_report *report, ts_error *error)
{
    ts_train_plan plan = *given;
    if (rows->count == 0 || (plan.visits == 0 && !(plan.seconds > 0)))
        return ts_fail(error, TS_BAD_INPUT, "training needs samples, and a number of visits or a time; give them");
    if (plan.batch == 0)
        plan.batch = good_batch(plan.visits);
    if (!(plan.rate > 0))
        plan.rate = good_rate(p);
    trainer t;
    TS_TRY(trainer_open(&t, p, rows, plan.batch, training, error));
    t.seed = plan.seed;
    ts_train_report made = {0};
    ts_status status = train(&t, &plan, training, &made, error);
    if (status == TS_OK) {
        ts_train_unpack(t.parameter, &t.shape, p);
        if (report)
            *report = made;
    }
    trainer_close(&t);
    return status;
}
