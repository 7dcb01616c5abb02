/* SPDX-License-Identifier: MIT */
#include "study/map_depths.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"
#include "cspace/exact.h"

#define TRIES 1000 /* to find an overlapping pose */

typedef struct sample {
    double balanced, truth, circles; /* depths */
    double steep;
} sample;

typedef struct sampling {
    const ts_pair *pair;
    const ts_exact *exact;
    uint64_t seed;
    sample *sample;
} sampling;

/* Sample `task`: the first of its random poses that overlaps, and a shift from there. */
static void take(void *context, int task, int thread)
{
    (void)thread;
    sampling *s = context;
    ts_random random = ts_random_make(s->seed, 7000 + (uint64_t)task);
    for (int i = 0; i < TRIES; i++) {
        double away = s->pair->reach * sqrt(ts_random_next_uniform(&random));
        double to = ts_random_next_range(&random, -TS_PI, TS_PI), angle = ts_random_next_range(&random, -TS_PI, TS_PI);
        double x = away * cos(to), y = away * sin(to);
        double gap = ts_exact_at(s->exact, x, y, angle, HUGE_VAL).gap;
        if (gap >= 0)
            continue;
        double shift = 0.1 * ts_random_next_uniform(&random) + 1e-3,
               along = ts_random_next_range(&random, -TS_PI, TS_PI);
        double there = ts_exact_at(s->exact, x + shift * cos(along), y + shift * sin(along), angle, HUGE_VAL).gap;
        s->sample[task] = (sample){.balanced = -gap,
                                   .truth = -ts_exact_true_gap(s->exact, x, y, angle, TS_MAP_DEPTHS_TOLERANCE),
                                   .circles = s->pair->reach - away,
                                   .steep = fabs(there - gap) / shift};
        return;
    }
    s->sample[task] = (sample){.balanced = (double)NAN};
}

static ts_map_depths sum_up(const sample *all, size_t count, double small)
{
    ts_map_depths d = {0};
    size_t found = 0, unknown = 0;
    for (size_t i = 0; i < count; i++) {
        double more = all[i].truth - all[i].balanced;
        if (isnan(all[i].balanced))
            continue;
        found++;
        unknown += isnan(more) ? 1 : 0;
        d.mean += more;
        d.most = fmax(d.most, more);
        d.below = fmax(d.below, -more);
        d.beyond = fmax(d.beyond, all[i].truth - all[i].circles);
        d.steepest = fmax(d.steepest, all[i].steep);
    }
    double unit = found > 0 && unknown == 0 ? small : (double)NAN; /* which no claim forgives */
    d.mean /= unit * (double)found;
    d.most /= unit;
    d.below /= unit;
    d.beyond /= unit;
    return d;
}

ts_status ts_map_depths_measure(const ts_outline *a, const ts_outline *b, size_t count, uint64_t seed, ts_pool *pool,
                                ts_map_depths *depths, ts_error *error)
{
    ts_pair *pair;
    ts_exact *exact = NULL;
    TS_TRY(ts_pair_create(a, b, &pair, error));
    sampling s = {.pair = pair, .seed = seed, .sample = ts_alloc(count, sizeof *s.sample)};
    ts_status status =
        s.sample ? ts_exact_create(pair, &exact, error) : ts_fail_memory(error, count * sizeof *s.sample);
    if (status == TS_OK) {
        s.exact = exact;
        ts_pool_run(pool, (int)count, take, &s);
        *depths = sum_up(s.sample, count, fmin(pair->radius_a, pair->radius_b));
    }
    ts_free(s.sample);
    ts_exact_free(exact);
    ts_pair_free(pair);
    return status;
}

ts_status ts_map_depths_faces(const ts_outline *square, ts_map_faces *faces, ts_error *error)
{
    TS_AUTO(ts_pair_free_at) ts_pair *pair = NULL;
    TS_AUTO(ts_exact_free_at) ts_exact *exact = NULL;
    *faces = (ts_map_faces){0};
    TS_TRY(ts_pair_create(square, square, &pair, error));
    TS_TRY(ts_exact_create(pair, &exact, error));
    const double side = sqrt(2); /* of a square whose corners are 1 away from its middle */
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= 3; k++) {
            double depth = (double[]){0.01, 0.03, 0.1}[i] * side, x = side - depth, y = 0.2 * k * side;
            double balanced = -ts_exact_at(exact, x, y, 0, HUGE_VAL).gap;
            double truth = -ts_exact_true_gap(exact, x, y, 0, TS_MAP_DEPTHS_TOLERANCE);
            faces->balanced = fmax(faces->balanced, fabs(balanced / depth - 1));
            faces->truth = fmax(faces->truth, fabs(truth / depth - 1));
        }
    return TS_OK;
}
