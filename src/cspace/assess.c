/* SPDX-License-Identifier: MIT */
/* How far a map is from the truth (ts_map_errors in touchstone/map.h).
 *
 *     near      poses near contact, |true gap| ≤ 0.1 (poses.h), for everything
 *     anywhere  a tenth as many, uniform over the disc of radius `reach`, for the sign alone
 *     surface   a tenth of the near ones, up to 1000, each moved along a straight line, at a fixed angle, until the
 *               gap is zero: the true gap, and the map's. From each such point the other's zero is searched along the
 *               normal, and where there is none within 1, along eight directions. The distance is that of the nearest
 *               found, or 1; the largest of all is the Hausdorff distance as sampled: it may be missed where few
 *               poses fall, and lines are at least as long as the true distance. Poses at which the true gap has no
 *               direction are left out.
 *
 * These numbers, and the errors, are shares of the smaller radius; all else here is in the pair's unit, the larger one.
 *
 * Normals, turns and arms are compared at every near pose where the true gap has a direction (slope above 1e-6), also
 * next to kinks, where two normals are equally right and an error is likely. A map that has no direction there is
 * charged a right angle.
 *
 * Pose k is a function of (seed, k), and sums are in the order of k: the same bits on any number of threads.
 *
 * Progress is counted in seconds, as the first few poses tell them: a query takes from tens of nanoseconds to
 * milliseconds, by the kind, and with it changes which of the three takes longest. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/threads.h"
#include "base/vec.h"
#include "cspace/map.h"
#include "cspace/poses.h"

enum {
    CHUNK = 16,
    ASK_CHUNK = TS_FIELD_BATCH,
    ROUND_FIRST = 64, /* a few poses tell whether there are any */
    ROUND_MAX = 1 << 20,
    LINE = 32,
    STRETCHES = 5, /* of so many points is a line */
    NARROW = 8,
    DIRECTIONS = 8,
    SURFACE_MAX = 1000,
    SURFACE_FIRST = 8 /* tell how long one takes */
};

static const double stretch_seconds = 0.1; /* of work, then progress is told */

/* Shares of the smaller radius. */
static const double clear_gap = 0.01, line_share = 1, on_surface = 1e-8, beside_surface = 1e-4;
static const double flat = 1e-6;

/* A pose with the truth and the map's answer. */
typedef struct probe {
    double x, y, angle;
    bool found; /* it is near contact */
    ts_exact_contact truth;
    double gap, gx, gy, gangle, arm;
} probe;

/* Seconds that one pose takes; 0: not known yet. */
typedef struct pace {
    double draw, ask, surface;
} pace;

typedef struct job {
    const ts_map *map;
    uint64_t seed;
    double small, room; /* the smaller radius; how long lines are */
    bool near;          /* which poses are drawn */
    uint64_t first;     /* index of a round's first pose */
    size_t from, count; /* probes from … count-1 are worked on */
    probe *probe;       /* (count) */
    double *surface;    /* (count); NaN: left out */
    size_t surfaces;    /* how many there shall be, and */
    size_t surfaces_done;
    const ts_assessing *how;
    pace pace;
    double done, all; /* work [s], as the pace has it */
} job;

/* ---- Progress ---- */

static bool tell(const job *j)
{
    const ts_assessing *how = j->how;
    double done = j->all > 0 ? fmin(j->done / j->all, 1) : 0;
    return !how->progress || how->progress(how->user, done, "measuring errors");
}

/* Does the probes from `from` to `end`, `chunk` to a task, in stretches; false when it was stopped. */
static bool run_stage(job *j, ts_task *task, size_t chunk, size_t from, size_t end, double seconds)
{
    const size_t all = chunk * (size_t)ts_pool_thread_count(j->how->pool), least = all > 0 ? all : 1;
    for (j->from = from; j->from < end; j->from = j->count) {
        size_t left = end - j->from, stretch = left;
        if (seconds > 0 && stretch_seconds / seconds < (double)left)
            stretch = (size_t)(stretch_seconds / seconds) / least * least;
        stretch = stretch > least ? stretch : least;
        j->count = j->from + (stretch < left ? stretch : left);
        ts_pool_run(j->how->pool, (int)((j->count - j->from + chunk - 1) / chunk), task, j);
        j->done += seconds * (double)(j->count - j->from);
        if (!tell(j))
            return false;
    }
    return true;
}

static ts_status fail_stopped(ts_error *error)
{
    return ts_fail(error, TS_INTERRUPTED, "stopped while the errors of a map were measured");
}

/* ---- Poses ---- */

static void set_pose(const job *j, uint64_t index, probe *p)
{
    const ts_map *map = j->map;
    ts_relative_pose pose;
    p->found = true;
    if (j->near)
        p->found = ts_pose_draw_near(map->exact, map->pair, j->seed, TS_POSES_NEAR, index, &pose);
    else
        pose = ts_pose_draw(j->seed, TS_POSES_ANYWHERE, index, map->pair->reach);
    p->x = pose.x;
    p->y = pose.y;
    p->angle = pose.angle;
    p->truth = ts_exact_at(map->exact, p->x, p->y, p->angle, ts_near_band(map->pair));
}

static void draw_chunk(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    size_t begin = j->from + (size_t)task * CHUNK;
    for (size_t k = begin; k < begin + CHUNK && k < j->count; k++)
        set_pose(j, j->first + k, &j->probe[k]);
}

/* ---- The map's answers ---- */

static void ask_chunk(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    size_t begin = j->from + (size_t)task * ASK_CHUNK;
    size_t count = j->count - begin < ASK_CHUNK ? j->count - begin : ASK_CHUNK;
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
        p[k].gangle = f.gangle[k];
        p[k].arm = f.arm[k];
    }
}

/* ---- The surface gap = 0 ---- */

typedef struct line {
    double x, y, angle;
    ts_vec2 along; /* unit */
} line;

/* Distance to the first zero of the true gap along a line, `room` when there is none before. The gap changes by no more
 * than B moves, so a step as long as |gap| cannot pass a zero. A line that grazes the surface comes nearer ever more
 * slowly: near will do. */
static double true_zero(const job *j, const line *l, double room)
{
    double t = 0, gap = HUGE_VAL;
    for (int i = 0; i < 200 && t < room; i++) {
        gap = fabs(ts_exact_at(j->map->exact, l->x + t * l->along.x, l->y + t * l->along.y, l->angle, HUGE_VAL).gap);
        if (gap < on_surface * j->small)
            return t;
        t += gap;
    }
    return t < room && gap < beside_surface * j->small ? t : room;
}

/* The first change of sign of the map's gap among points of a stretch of the line, narrowed down; `high` when there is
 * none. */
static double zero_between(const job *j, const line *l, double low, double high)
{
    const double none = high;
    ts_fields f;
    for (size_t pieces = LINE; high - low > on_surface * j->small; pieces = NARROW) {
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
            return pieces == LINE ? none : 0.5 * (low + high);
        low += width * (double)(at - 1);
        high = low + width;
    }
    return 0.5 * (low + high);
}

/* As true_zero, for the map's gap, which promises nothing. */
static double map_zero(const job *j, const line *l, double room)
{
    const double stretch = j->room / STRETCHES;
    for (int i = 0; i < STRETCHES && i * stretch < room; i++) {
        double low = i * stretch, high = fmin(low + stretch, room), zero = zero_between(j, l, low, high);
        if (zero < high)
            return zero;
    }
    return room;
}

typedef double zero_search(const job *j, const line *l, double room);

/* Either way along the normal; failing that, all around. */
static double nearest_zero(const job *j, zero_search *search, line l, ts_vec2 normal)
{
    double least = j->room;
    for (int i = 0; i < 2 && least > on_surface * j->small; i++) {
        l.along = ts_vec2_scale(normal, i ? -1 : 1);
        least = search(j, &l, least);
    }
    for (int i = 1; i < DIRECTIONS && least >= j->room; i++) {
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
        return (double)NAN;
    line l = {p->x, p->y, p->angle, ts_vec2_scale(normal, p->truth.gap > 0 ? -1 : 1)};
    double t = true_zero(j, &l, j->room), worst = 0;
    if (t < j->room) {
        line on = {l.x + t * l.along.x, l.y + t * l.along.y, l.angle, l.along};
        worst = nearest_zero(j, map_zero, on, normal);
    }
    l.along = ts_vec2_scale(normal, p->gap > 0 ? -1 : 1);
    t = map_zero(j, &l, j->room);
    if (t < j->room) {
        line on = {l.x + t * l.along.x, l.y + t * l.along.y, l.angle, l.along};
        worst = fmax(worst, nearest_zero(j, true_zero, on, normal));
    }
    return worst;
}

static void surface_chunk(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    size_t k = j->from + (size_t)task; /* one is much work */
    j->surface[k] = surface_error(j, &j->probe[k]);
}

/* ---- Numbers ---- */

/* Sums in order, then sorts. 99 % of the values are not above `high`. All in the given unit. */
static void summarise(double *value, size_t count, double unit, double *mean, double *high, double *worst)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        if (isnan(value[k]))
            value[k] = HUGE_VAL;
        sum += value[k];
    }
    qsort(value, count, sizeof *value, ts_ascending_f64);
    *mean = count ? sum / (double)count / unit : 0;
    *high = count ? value[(size_t)ceil(0.99 * (double)count) - 1] / unit : 0;
    *worst = count ? value[count - 1] / unit : 0;
}

/* Of ∂gap/∂angle of both bodies: B's is in the gradient, and A's follows, since moving both together changes
 * nothing. */
static double turn_error(const probe *p)
{
    const double *g = p->truth.gradient;
    double b = p->gangle - g[2], a = -b - (p->x * (p->gy - g[1]) - p->y * (p->gx - g[0]));
    return 0.5 * (fabs(a) + fabs(b));
}

static void set_errors(const probe *near, size_t count, double small, double *value, ts_map_errors *e)
{
    double unused;
    for (size_t k = 0; k < count; k++)
        value[k] = fabs(near[k].gap - near[k].truth.gap);
    summarise(value, count, small, &e->mean, &e->high, &e->worst);
    size_t used = 0;
    for (size_t k = 0; k < count; k++) {
        const double *g = near[k].truth.gradient;
        if (hypot(g[0], g[1]) < flat)
            continue;
        double across = fabs(g[0] * near[k].gy - g[1] * near[k].gx), along = g[0] * near[k].gx + g[1] * near[k].gy;
        value[used++] = hypot(near[k].gx, near[k].gy) < flat ? 0.5 * TS_PI : atan2(across, along);
    }
    summarise(value, used, 1, &e->normal_mean, &e->normal_high, &unused);
    used = 0;
    for (size_t k = 0; k < count; k++)
        if (hypot(near[k].truth.gradient[0], near[k].truth.gradient[1]) >= flat)
            value[used++] = fabs(near[k].arm - near[k].truth.arm);
    summarise(value, used, small, &e->arm_mean, &unused, &unused);
    used = 0;
    for (size_t k = 0; k < count; k++)
        if (hypot(near[k].truth.gradient[0], near[k].truth.gradient[1]) >= flat)
            value[used++] = turn_error(&near[k]);
    summarise(value, used, small, &e->turn_mean, &unused, &unused);
}

static void count_signs(const probe *p, size_t count, double small, uint64_t *clear, uint64_t *right)
{
    for (size_t k = 0; k < count; k++)
        if (fabs(p[k].truth.gap) > clear_gap * small) {
            *clear += 1;
            *right += p[k].truth.gap > 0 ? p[k].gap > 0 : p[k].gap < 0;
        }
}

/* ---- All of it ---- */

/* What the first near poses take: they are asked, and some are followed to the surface. */
static bool learn_pace(job *j, size_t samples, size_t found)
{
    double begin = ts_clock_seconds();
    if (!run_stage(j, ask_chunk, ASK_CHUNK, 0, found, 0))
        return false;
    double asked = ts_clock_seconds();
    j->surfaces_done = j->surfaces < SURFACE_FIRST ? j->surfaces : SURFACE_FIRST;
    if (j->surfaces_done > found)
        j->surfaces_done = found;
    if (!run_stage(j, surface_chunk, 1, 0, j->surfaces_done, 0))
        return false;
    double end = ts_clock_seconds();
    pace *p = &j->pace;
    p->ask = (asked - begin) / (double)found;
    p->surface = (end - asked) / (double)j->surfaces_done;
    j->done = p->draw * ROUND_FIRST + (end - begin);
    j->all = (p->draw + p->ask) * (double)samples * 1.1 + p->surface * (double)j->surfaces;
    return true;
}

/* Fills `near` with near poses, `samples` where that many are found, and asks the map at all of them. */
static bool find_near(job *j, size_t samples, probe *near, size_t *count)
{
    size_t found = 0, asked = 0, round = ROUND_FIRST;
    j->near = true;
    for (j->first = 0; j->first < samples; j->first += round, round = ROUND_MAX) {
        double begin = ts_clock_seconds();
        round = round < samples - j->first ? round : samples - (size_t)j->first;
        j->probe = near + found; /* found ≤ first */
        if (!run_stage(j, draw_chunk, CHUNK, 0, round, j->pace.draw))
            return false;
        for (size_t k = 0; k < round; k++)
            if (j->probe[k].found)
                near[found++] = j->probe[k];
        if (found == 0)
            break;
        j->probe = near;
        if (j->first == 0) {
            j->pace.draw = (ts_clock_seconds() - begin) / (double)round;
            if (!learn_pace(j, samples, found))
                return false;
        } else if (!run_stage(j, ask_chunk, ASK_CHUNK, asked, found, j->pace.ask)) {
            return false;
        }
        asked = found;
    }
    *count = found;
    return true;
}

static ts_status assess(job *j, uint64_t samples, probe *near, probe *anywhere, double *value, ts_map_errors *e,
                        ts_error *error)
{
    size_t count, tenth = (size_t)(samples / 10) + 1;
    j->surface = value + samples;
    j->surfaces = tenth < SURFACE_MAX ? tenth : SURFACE_MAX;
    if (!find_near(j, (size_t)samples, near, &count))
        return fail_stopped(error);
    if (count == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "no pose near contact was found, so this map's errors cannot be measured; are the outlines "
                       "extremely thin, or is one thousands of times as large as the other?");
    *e = (ts_map_errors){.samples = count, .surface_limit = line_share};
    set_errors(near, count, j->small, value, e);
    /* the surface */
    j->probe = near;
    j->surfaces = j->surfaces < count ? j->surfaces : count;
    if (!run_stage(j, surface_chunk, 1, j->surfaces_done, j->surfaces, j->pace.surface))
        return fail_stopped(error);
    for (size_t k = 0; k < j->surfaces; k++)
        e->surface = fmax(e->surface, j->surface[k] / j->small); /* which passes over what was left out */
    e->surface = fmin(e->surface, line_share);
    /* anywhere */
    uint64_t clear = 0, right = 0;
    count_signs(near, count, j->small, &clear, &right);
    j->probe = anywhere;
    j->near = false;
    j->first = 0;
    if (!run_stage(j, draw_chunk, CHUNK, 0, tenth, j->pace.draw) ||
        !run_stage(j, ask_chunk, ASK_CHUNK, 0, tenth, j->pace.ask))
        return fail_stopped(error);
    count_signs(anywhere, tenth, j->small, &clear, &right);
    e->sign = clear ? (double)right / (double)clear : 1;
    return TS_OK;
}

ts_status ts_map_assess(const ts_map *map, uint64_t samples, uint64_t seed, const ts_assessing *how,
                        ts_map_errors *errors, ts_error *error)
{
    const ts_assessing alone = {0};
    *errors = (ts_map_errors){0};
    if (samples < 1 || samples > 100000000)
        return ts_fail(error, TS_BAD_INPUT, "errors cannot be measured on %llu poses; choose 1 to 100000000",
                       (unsigned long long)samples);
    job j = {.map = map,
             .seed = seed,
             .small = map->pair->small,
             .room = line_share * map->pair->small,
             .how = how ? how : &alone};
    size_t tenth = (size_t)(samples / 10) + 1;
    probe *near = ts_alloc_raw((size_t)samples, sizeof *near), *anywhere = ts_alloc_raw(tenth, sizeof *anywhere);
    double *value = ts_alloc_raw((size_t)samples + SURFACE_MAX, sizeof *value);
    ts_status status = near && anywhere && value ? assess(&j, samples, near, anywhere, value, errors, error)
                                                 : ts_fail_memory(error, (size_t)samples * sizeof *near);
    ts_free(near);
    ts_free(anywhere);
    ts_free(value);
    return status;
}
