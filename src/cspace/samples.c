/* SPDX-License-Identifier: MIT */
/* Training data. Sample i draws poses from its own stream of random numbers until one is near contact (one in ten:
 * takes the first), so any thread may make any sample, and a longer set begins with the shorter one. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "cspace/poses.h"
#include "cspace/train.h"

#define TASKS_OF_A_CALL 64 /* between two looks at the clock and at progress */

typedef struct making {
    const ts_exact *exact;
    const ts_pair *pair;
    const ts_fold *fold;
    uint64_t seed;
    ts_samples *samples;
    ts_fields *fields;   /* one a thread */
    ts_folding *folding; /* TS_FIELD_BATCH a thread */
    size_t first;        /* task 0's first sample */
} making;

static void make_task(void *context, int task, int thread)
{
    const making *m = context;
    ts_samples *s = m->samples;
    ts_fields *fields = m->fields + thread;
    size_t first = m->first + (size_t)task * TS_FIELD_BATCH, left = s->count - first;
    size_t count = left < TS_FIELD_BATCH ? left : TS_FIELD_BATCH;
    bool near[TS_FIELD_BATCH];
    for (size_t k = 0; k < count; k++) {
        size_t i = first + k;
        ts_relative_pose p;
        near[k] = ts_samples_near(i) && ts_pose_draw_near(m->exact, m->pair, m->seed, TS_POSES_TRAIN, i, &p);
        if (!ts_samples_near(i))
            p = ts_pose_draw(m->seed, TS_POSES_TRAIN, i, m->pair->reach);
        fields->x[k] = p.x;
        fields->y[k] = p.y;
        fields->angle[k] = p.angle;
    }
    ts_fold_apply(m->fold, count, fields, m->folding + (size_t)thread * TS_FIELD_BATCH);
    /* asked anew where it was folded to, and rounded: nothing has to be carried over */
    for (size_t k = 0; k < count; k++) {
        size_t i = first + k;
        s->x[i] = (float)fields->x[k];
        s->y[i] = (float)fields->y[k];
        s->angle[i] = (float)fields->angle[k];
        /* folding and rounding take a pose hardly out of the band that it was drawn in, and within one there is less to
         * look at */
        double band = near[k] ? 1.01 * ts_near_band(m->pair) : HUGE_VAL;
        ts_exact_contact c = ts_exact_at(m->exact, (double)s->x[i], (double)s->y[i], (double)s->angle[i], band);
        double slope = hypot(c.gradient[0], c.gradient[1]), scale = slope > 0 ? 1 / slope : 0;
        s->gap[i] = (float)c.gap;
        s->point_x[i] = (float)c.point[0];
        s->point_y[i] = (float)c.point[1];
        s->normal_x[i] = (float)(c.gradient[0] * scale);
        s->normal_y[i] = (float)(c.gradient[1] * scale);
    }
}

static ts_status make_all(making *m, const ts_training *training, ts_error *error)
{
    size_t count = m->samples->count, stride = (size_t)TASKS_OF_A_CALL * TS_FIELD_BATCH;
    for (m->first = 0; m->first < count; m->first += stride) {
        size_t left = count - m->first, now = left < stride ? left : stride;
        ts_pool_run(training->pool, (int)((now + TS_FIELD_BATCH - 1) / TS_FIELD_BATCH), make_task, m);
        if (training->progress &&
            !training->progress(training->user, (double)(m->first + now) / (double)count, "samples"))
            return ts_fail(error, TS_INTERRUPTED, "making samples was stopped after %zu of %zu", m->first + now, count);
    }
    return TS_OK;
}

ts_status ts_samples_create(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, size_t count,
                            uint64_t seed, const ts_training *training, ts_samples *samples, ts_error *error)
{
    static const ts_training none = {0};
    size_t threads = (size_t)ts_pool_thread_count(training ? training->pool : NULL);
    float *block = count > 0 ? ts_alloc_raw(count, 8 * sizeof *block) : NULL;
    making m = {.exact = exact, .pair = pair, .fold = fold, .seed = seed};
    m.fields = ts_alloc(threads, sizeof *m.fields);
    m.folding = ts_alloc(threads * TS_FIELD_BATCH, sizeof *m.folding);
    ts_status status = TS_OK;
    ts_samples made = {.count = count};
    if ((!block && count > 0) || !m.fields || !m.folding) {
        status = ts_fail_memory(error, count * 8 * sizeof *block + threads * sizeof *m.fields);
    } else if (count > 0) {
        float **part[] = {&made.x,       &made.y,       &made.angle,    &made.gap,
                          &made.point_x, &made.point_y, &made.normal_x, &made.normal_y};
        for (size_t i = 0; i < 8; i++)
            *part[i] = block + i * count;
        m.samples = &made;
        status = make_all(&m, training ? training : &none, error);
    }
    ts_free(m.fields);
    ts_free(m.folding);
    if (status == TS_OK)
        *samples = made;
    else
        ts_free(block);
    return status;
}

void ts_samples_free(ts_samples *samples)
{
    if (!samples)
        return;
    ts_free(samples->x); /* all lie in one block that begins here */
    *samples = (ts_samples){0};
}
