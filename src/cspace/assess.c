/* SPDX-License-Identifier: MIT */
/* How far a map is from the truth (ts_map_errors in touchstone/map.h).
 *
 *     near      poses uniform over the disc of radius `reach` and all angles, kept where |true gap| ≤ 0.1
 *     anywhere  a tenth as many, uniform and all kept, for the sign alone
 *     surface   a tenth of the near ones, up to 1000, each moved along a straight line, at a fixed angle, until the
 *               gap is zero: the true gap, and the map's. From each such point the other's zero is searched along the
 *               normal, and where there is none within 0.2, along eight directions. The distance is that of the nearest
 *               found, or 0.2; the largest of all is the Hausdorff distance as sampled: it may be missed where few
 *               poses fall, and lines are at least as long as the true distance.
 *
 * Normals and arms are compared at every near pose where the true gap has a direction (slope above 1e-6), also next to kinks, where two
 * normals are equally right and an error is likely. A map that has no direction there is charged a right angle.
 *
 * Pose k is a function of (seed, k), and sums are in the order of k: the same bits on any number of threads. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "base/vec.h"
#include "cspace/map.h"

/* Streams of random numbers that nothing else uses: what a map is made from must not be what it is measured on. */
#define STREAM_NEAR     UINT64_C(0x6173736573730001)
#define STREAM_ANYWHERE UINT64_C(0x6173736573730002)

enum {
    CHUNK = 16,
    ASK_CHUNK = TS_FIELD_BATCH,
    ROUND_MAX = 8192,
    LINE = 32,
    NARROW = 8,
    DIRECTIONS = 8,
    SURFACE_MAX = 1000
};

static const double near_gap = 0.1, clear_gap = 0.01, line_reach = 0.2, flat = 1e-6, on_surface = 1e-8;
/* Candidates for one near pose, at most; discs against discs need some ten. */
static const uint64_t candidates_each = 100000;

/* A pose with the truth and the map's answer. */
typedef struct probe {
    double x, y, angle;
    ts_exact_contact truth;
    double gap, gx, gy, arm;
} probe;

typedef struct job {
    const ts_map *map;
    uint64_t seed, stream;
    uint64_t first; /* index of the first candidate of a round */
    size_t count;
    probe *probe;    /* (count) */
    double *surface; /* (count) */
} job;

/* ---- Poses ---- */

static void set_pose(const job *j, uint64_t index, probe *p)
{
    double radius = j->map->pair->reach * sqrt(ts_random_uniform(j->seed, j->stream, 3 * index));
    double direction = ts_random_range(j->seed, j->stream, 3 * index + 1, -TS_PI, TS_PI);
    p->x = radius * cos(direction);
    p->y = radius * sin(direction);
    p->angle = ts_random_range(j->seed, j->stream, 3 * index + 2, -TS_PI, TS_PI);
    p->truth = ts_exact_at(j->map->exact, p->x, p->y, p->angle, near_gap);
}

static void try_chunk(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    size_t begin = (size_t)task * CHUNK;
    for (size_t k = begin; k < begin + CHUNK && k < j->count; k++)
        set_pose(j, j->first + k, &j->probe[k]);
}

static int chunks(size_t count, size_t chunk)
{
    return (int)((count + chunk - 1) / chunk);
}

/* Fills `kept` with up to `samples` near poses, in the order of candidates; how many there are. */
static size_t find_near(job *j, uint64_t samples, ts_pool *pool, probe *trial, probe *kept)
{
    size_t found = 0;
    j->probe = trial;
    j->stream = STREAM_NEAR;
    for (j->first = 0; found < samples && j->first / candidates_each <= found; j->first += j->count) {
        uint64_t missing = samples - found; /* of which some three in four will not do */
        j->count = missing < ROUND_MAX / 4 ? 4 * (size_t)missing : ROUND_MAX;
        ts_pool_run(pool, chunks(j->count, CHUNK), try_chunk, j);
        for (size_t k = 0; k < j->count && found < samples; k++)
            if (fabs(trial[k].truth.gap) <= near_gap)
                kept[found++] = trial[k];
    }
    return found;
}

/* ---- The map's answers ---- */

static void ask_chunk(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    size_t begin = (size_t)task * ASK_CHUNK, count = j->count - begin < ASK_CHUNK ? j->count - begin : ASK_CHUNK;
    probe *p = j->probe + begin;
    ts_fields f;
    for (size_t k = 0; k < count; k++) {
        f.x[k] = p[k].x;
        f.y[k] = p[k].y;
        f.angle[k] = p[k].angle;
    }
    ts_map_fields(j->map, count, &f);
    for (size_t k = 0; k < count; k++) {
        p[k].gap = f.gap[k];
        p[k].gx = f.gx[k];
        p[k].gy = f.gy[k];
        p[k].arm = f.arm[k];
    }
}

/* ---- The surface gap = 0 ---- */

typedef struct line {
    double x, y, angle;
    ts_vec2 along; /* unit */
} line;

/* Distance to the first zero of the true gap along a line, `room` when there is none before. The gap changes by no more than B moves,
 * so a step as long as |gap| cannot pass a zero. */
static double true_zero(const job *j, const line *l, double room)
{
    double t = 0;
    for (int i = 0; i < 200 && t < room; i++) {
        double gap = fabs(ts_exact_at(j->map->exact, l->x + t * l->along.x, l->y + t * l->along.y, l->angle, 1).gap);
        if (gap < on_surface)
            return t;
        t += gap;
    }
    return room;
}

/* The same for the map's gap, which promises nothing: the first change of sign among points of the line, narrowed down. */
static double map_zero(const job *j, const line *l, double room)
{
    double low = 0, high = room;
    ts_fields f;
    for (size_t pieces = LINE; high - low > on_surface; pieces = NARROW) {
        size_t at = 1;
        double width = (high - low) / (double)pieces;
        for (size_t k = 0; k <= pieces; k++) {
            double t = low + width * (double)k;
            f.x[k] = l->x + t * l->along.x;
            f.y[k] = l->y + t * l->along.y;
            f.angle[k] = l->angle;
        }
        ts_map_fields(j->map, pieces + 1, &f);
        while (at < pieces && (f.gap[at] > 0) == (f.gap[0] > 0))
            at++;
        if ((f.gap[at] > 0) == (f.gap[0] > 0))
            return pieces == LINE ? room : 0.5 * (low + high);
        low += width * (double)(at - 1);
        high = low + width;
    }
    return 0.5 * (low + high);
}

typedef double zero_search(const job *j, const line *l, double room);

/* Either way along the normal; failing that, all around. */
static double nearest_zero(const job *j, zero_search *search, line l, ts_vec2 normal)
{
    double least = line_reach;
    for (int i = 0; i < 2 && least > on_surface; i++) {
        l.along = ts_vec2_scale(normal, i ? -1 : 1);
        least = search(j, &l, least);
    }
    for (int i = 1; i < DIRECTIONS && least >= line_reach; i++) {
        l.along = ts_vec2_rotate(normal, 2 * TS_PI * i / DIRECTIONS);
        least = search(j, &l, least);
    }
    return least;
}

/* From a near pose to both surfaces, and from each to the other. */
static double surface_error(const job *j, const probe *p)
{
    ts_vec2 normal = ts_vec2_unit((ts_vec2){p->truth.gradient[0], p->truth.gradient[1]});
    if (ts_vec2_length(normal) < 0.5)
        return 0;
    line l = {p->x, p->y, p->angle, ts_vec2_scale(normal, p->truth.gap > 0 ? -1 : 1)};
    double t = true_zero(j, &l, line_reach), worst = 0;
    if (t < line_reach) {
        line on = {l.x + t * l.along.x, l.y + t * l.along.y, l.angle, l.along};
        worst = nearest_zero(j, map_zero, on, normal);
    }
    l.along = ts_vec2_scale(normal, p->gap > 0 ? -1 : 1);
    t = map_zero(j, &l, line_reach);
    if (t < line_reach) {
        line on = {l.x + t * l.along.x, l.y + t * l.along.y, l.angle, l.along};
        worst = fmax(worst, nearest_zero(j, true_zero, on, normal));
    }
    return worst;
}

static void surface_chunk(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    size_t begin = (size_t)task * CHUNK;
    for (size_t k = begin; k < begin + CHUNK && k < j->count; k++)
        j->surface[k] = surface_error(j, &j->probe[k]);
}

/* ---- Numbers ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sums in order, then sorts. 99 % of the values are not above `high`. */
static void summarise(double *value, size_t count, double *mean, double *high, double *worst)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        if (isnan(value[k]))
            value[k] = HUGE_VAL;
        sum += value[k];
    }
    qsort(value, count, sizeof *value, compare);
    *mean = count ? sum / (double)count : 0;
    *high = count ? value[(size_t)ceil(0.99 * (double)count) - 1] : 0;
    *worst = count ? value[count - 1] : 0;
}

static void set_errors(const probe *near, size_t count, double *value, ts_map_errors *e)
{
    double unused;
    for (size_t k = 0; k < count; k++)
        value[k] = fabs(near[k].gap - near[k].truth.gap);
    summarise(value, count, &e->mean, &e->high, &e->worst);
    size_t used = 0;
    for (size_t k = 0; k < count; k++) {
        const double *g = near[k].truth.gradient;
        if (hypot(g[0], g[1]) < flat)
            continue;
        double across = fabs(g[0] * near[k].gy - g[1] * near[k].gx), along = g[0] * near[k].gx + g[1] * near[k].gy;
        value[used++] = hypot(near[k].gx, near[k].gy) < flat ? 0.5 * TS_PI : atan2(across, along);
    }
    summarise(value, used, &e->normal_mean, &e->normal_high, &unused);
    used = 0;
    for (size_t k = 0; k < count; k++)
        if (hypot(near[k].truth.gradient[0], near[k].truth.gradient[1]) >= flat)
            value[used++] = fabs(near[k].arm - near[k].truth.arm);
    summarise(value, used, &e->arm_mean, &unused, &unused);
}

static void count_signs(const probe *p, size_t count, uint64_t *clear, uint64_t *right)
{
    for (size_t k = 0; k < count; k++)
        if (fabs(p[k].truth.gap) > clear_gap) {
            *clear += 1;
            *right += p[k].truth.gap > 0 ? p[k].gap > 0 : p[k].gap < 0;
        }
}

static ts_status assess(job *j, uint64_t samples, ts_pool *pool, probe *near, probe *anywhere, double *value,
                        ts_map_errors *e, ts_error *error)
{
    size_t count = find_near(j, samples, pool, anywhere, near), tenth = (size_t)(samples / 10) + 1;
    if (count == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "no pose near contact was found, so this map's errors cannot be measured; are the outlines "
                       "extremely thin?");
    /* the near ones */
    j->probe = near;
    j->count = count;
    ts_pool_run(pool, chunks(count, ASK_CHUNK), ask_chunk, j);
    *e = (ts_map_errors){.samples = count};
    set_errors(near, count, value, e);
    /* the surface */
    j->surface = value;
    j->count = tenth < SURFACE_MAX ? tenth : SURFACE_MAX;
    if (j->count > count)
        j->count = count;
    ts_pool_run(pool, chunks(j->count, CHUNK), surface_chunk, j);
    for (size_t k = 0; k < j->count; k++)
        e->surface = fmax(e->surface, value[k]);
    /* anywhere */
    uint64_t clear = 0, right = 0;
    count_signs(near, count, &clear, &right);
    j->probe = anywhere;
    j->stream = STREAM_ANYWHERE;
    j->first = 0;
    j->count = tenth;
    ts_pool_run(pool, chunks(tenth, CHUNK), try_chunk, j);
    ts_pool_run(pool, chunks(tenth, ASK_CHUNK), ask_chunk, j);
    count_signs(anywhere, tenth, &clear, &right);
    e->sign = clear ? (double)right / (double)clear : 1;
    return TS_OK;
}

ts_status ts_map_assess(const ts_map *map, uint64_t samples, uint64_t seed, ts_pool *pool, ts_map_errors *errors,
                        ts_error *error)
{
    *errors = (ts_map_errors){0};
    if (samples < 1 || samples > 100000000)
        return ts_fail(error, TS_BAD_INPUT, "errors cannot be measured on %llu poses; choose 1 to 100000000",
                       (unsigned long long)samples);
    job j = {.map = map, .seed = seed};
    size_t tenth = (size_t)(samples / 10) + 1, scratch = tenth > ROUND_MAX ? tenth : ROUND_MAX;
    probe *near = ts_alloc_raw((size_t)samples, sizeof *near), *anywhere = ts_alloc_raw(scratch, sizeof *anywhere);
    double *value = ts_alloc_raw((size_t)samples, sizeof *value);
    ts_status status = near && anywhere && value ? assess(&j, samples, pool, near, anywhere, value, errors, error)
                                                 : ts_fail_memory(error, (size_t)samples * sizeof *near);
    ts_free(near);
    ts_free(anywhere);
    ts_free(value);
    return status;
}
