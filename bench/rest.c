/* SPDX-License-Identifier: MIT */
/* The bench `rest`: heaps of 1,000 and 10,000 bodies that fall into a bin, lie there, and are stirred: ours by every
 * dynamics beside Box2D and Chipmunk in the plane, Bullet and ODE in space.
 *
 *     grid ─▶ falls ─▶ 12 s: energy, overlaps ─▶ at rest, 5 windows ─▶ gravity turns by 90° in 2.5 s, 5 windows
 *                                              ╰▶ soft-step alone: two threads; 20 s more of the largest heap
 *
 * All programs are alive at the same time and take windows of simulated time by turns, on one thread each, timed by the
 * processor's time (rest_runner.h). Overlaps are measured from poses, by one code for all (rest_depths.h), after every
 * slice of the fall and every window. Goals are those of soft-step. What takes too long is stopped, and its row says how long it would take. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "bench.h"
#include "control.h"
#include "rest_runner.h"

#define WINDOWS      5
#define FRAME        (1.0 / 60)
#define TURN         (2 * TS_PI / 10) /* of gravity [rad/s] */
#define STIR         0.5              /* a window of it [s]: five are a quarter turn */
#define CREEP        20               /* more at rest of the largest heap [s] */
#define AT_REST      1e-8             /* [J/kg] */
#define GOAL_THREADS 1.7
#define SLOW         0.5  /* a window at rest of what was too slow to fall is what takes so long of a fall [s] … */
#define SLOW_QUICK   0.02 /* … or so long */
#define TAKEN        20.0 /* … and all of them take at most so long [s] … */
#define TAKEN_QUICK  0.3  /* … or so long */
#define ANEW         2    /* simulated time that other programs have to settle soft-step's heap anew [s] */
#define FALLS        1.5  /* falling is so many times what a free fall from the top takes */

enum { SOFT, IMPACT, PENALTY, PEER, PEER_2, RUNNERS };
static const char *const dynamics[] = {"soft-step", "impact", "penalty"};

/* What soft-step should reach; 0: nothing is asked. */
typedef struct goals {
    double frame;   /* at rest, per 1/60 s [s] */
    double overlap; /* in the mean [m] … */
    double share;   /* … or as a share of the first peer's */
    bool rest;      /* nothing passed through, and all at rest */
    bool threads;   /* two are measured beside one */
} goals;

typedef struct plan {
    size_t count;
    double rest;   /* windows at rest [s] */
    double weight; /* share of the bench's time, about [s] */
    goals goal;
    ts_heap_kind kind;
    int slices; /* windows a second while falling */
    bool creep;
} plan;

typedef struct figures {
    double fall, stir;               /* seconds a simulated second */
    double rest, spread;             /* likewise: median of the windows */
    double phase[3][TS_PHASE_COUNT]; /* of a simulated second that falls, rests, is stirred [s] */
    double energy;                   /* [J/kg] */
    ts_depths depths;                /* at rest */
    ts_depths stirred;               /* at the end */
    size_t through;                  /* most pairs that had passed through at any look: falling, at rest, stirred */
    double deepest;                  /* deepest overlap at any look [m] */
    bool taken;                      /* too slow to fall: at rest it begins with soft-step's heap */
} figures;

typedef struct contest {
    ts_bench *bench;
    const plan *plan;
    ts_heap heap;
    ts_runner runner[RUNNERS];
    figures figures[RUNNERS];
    double settle;            /* time after which the heap should be at rest [s] */
    double begin, share, now; /* of the bench's progress */
    ts_pose3 *pose;           /* scratch (count) */
    ts_twist3 *rate;          /* likewise */
} contest;

static double settle_time(const ts_bench *bench)
{
    return ts_bench_quick(bench) ? 6 : 12;
}

/* ---- Phases ---- */

static ts_status look(contest *c, ts_runner *r, double *energy, ts_depths *depths, ts_error *error)
{
    TS_TRY(ts_runner_look(r, c->pose, c->rate, error));
    if (r->stopped)
        return TS_OK;
    if (energy)
        *energy = ts_heap_energy(&c->heap, c->pose, c->rate);
    return depths ? ts_depths_measure(&c->heap.crowd, c->pose, depths, error) : TS_OK;
}

/* After each slice and window, of all programs alike: what has passed through may well be out again at the end. */
static ts_status watch(contest *c, int i, ts_error *error)
{
    ts_depths depths = {0};
    figures *f = &c->figures[i];
    if (c->runner[i].stopped)
        return TS_OK;
    TS_TRY(look(c, &c->runner[i], NULL, &depths, error));
    if (depths.through > f->through)
        f->through = depths.through;
    f->deepest = fmax(f->deepest, fmax(depths.most, depths.wall));
    return TS_OK;
}

/* One window of one runner. */
static ts_status walk(contest *c, int i, double time, ts_lean lean, const char *doing, ts_window *w, ts_error *error)
{
    char what[128];
    ts_runner *r = &c->runner[i];
    snprintf(what, sizeof what, "%zu %s %s, %s: %.0f s", c->heap.crowd.count, ts_heap_name(c->heap.kind), doing,
             r->name, r->simulated);
    if (!r->stopped)
        ts_bench_report(c->bench, c->begin + c->share * c->now, what);
    return ts_runner_walk(r, time, lean, w, error);
}

static void add_phases(double to[TS_PHASE_COUNT], const ts_window *w)
{
    for (int k = 0; k < TS_PHASE_COUNT; k++)
        to[k] += w->phase[k];
}

static void divide_phases(double phase[TS_PHASE_COUNT], double by)
{
    for (int k = 0; k < TS_PHASE_COUNT; k++)
        phase[k] /= by;
}

static ts_status fall(contest *c, ts_error *error)
{
    const double falling = FALLS * sqrt(2 * c->heap.height / TS_HEAP_GRAVITY);
    double time[RUNNERS] = {0}, seconds[RUNNERS] = {0};
    const int slices = (int)ceil(c->settle * c->plan->slices);
    for (int k = 0; k < slices; k++) {
        const double until = fmin(c->settle, (k + 1.0) / c->plan->slices);
        c->now = 0.5 * k / slices;
        for (int i = 0; i < RUNNERS; i++) {
            ts_window w;
            if (c->runner[i].stopped)
                continue;
            TS_TRY(walk(c, i, until - c->runner[i].simulated, (ts_lean){0}, "falling", &w, error));
            TS_TRY(watch(c, i, error));
            if ((double)k / c->plan->slices >= falling)
                continue;
            time[i] += w.simulated;
            seconds[i] += w.seconds;
            add_phases(c->figures[i].phase[0], &w);
        }
    }
    for (int i = 0; i < RUNNERS; i++) {
        figures *f = &c->figures[i];
        f->fall = f->rest = f->spread = f->stir = f->energy = TS_NONE;
        if (!(time[i] > 0))
            continue;
        f->fall = seconds[i] / time[i];
        divide_phases(f->phase[0], time[i]);
        if (!c->runner[i].stopped)
            TS_TRY(look(c, &c->runner[i], &f->energy, &f->depths, error));
    }
    return TS_OK;
}

/* What was too slow to fall gets the heap that soft-step has: then at least a step at rest has its time. Other programs
 * get some time to settle it anew. */
static ts_status take_heap(contest *c, ts_error *error)
{
    for (int i = IMPACT; i < RUNNERS; i++) {
        ts_runner *r = &c->runner[i];
        figures *f = &c->figures[i];
        if (!r->slow || isnan(f->fall) || c->runner[SOFT].stopped)
            continue;
        f->taken = true;
        TS_TRY(ts_runner_take(r, &c->runner[SOFT], error));
        r->bound = r->seconds + (i >= PEER ? r->bound : ts_bench_quick(c->bench) ? TAKEN_QUICK : TAKEN);
        r->until = 0;
        if (i < PEER)
            continue;
        for (int k = 0; k < ANEW * c->plan->slices; k++) {
            ts_window w;
            TS_TRY(walk(c, i, 1.0 / c->plan->slices, (ts_lean){0}, "settling anew", &w, error));
        }
        if (!r->stopped)
            TS_TRY(look(c, r, &f->energy, &f->depths, error));
    }
    return TS_OK;
}

/* Simulated time of a window; ours that was too slow to fall takes short ones, and is not stirred. */
static double window_time(const contest *c, int i, bool stir)
{
    const double slow = ts_bench_quick(c->bench) ? SLOW_QUICK : SLOW;
    if (stir)
        return STIR;
    return c->figures[i].taken && i < PEER ? fmin(c->plan->rest, slow / c->figures[i].fall) : c->plan->rest;
}

/* At rest, or stirred: windows by turns. */
static ts_status windows(contest *c, bool stir, ts_error *error)
{
    double rate[RUNNERS][WINDOWS], time[RUNNERS] = {0}, seconds[RUNNERS] = {0};
    size_t done[RUNNERS] = {0};
    for (int k = 0; k < WINDOWS; k++) {
        c->now = (stir ? 0.8 : 0.5) + 0.2 * k / WINDOWS;
        for (int i = 0; i < RUNNERS; i++) {
            ts_window w;
            const ts_lean lean = stir ? (ts_lean){TURN * STIR * k, TURN} : (ts_lean){0};
            TS_TRY(walk(c, i, window_time(c, i, stir), lean, stir ? "stirred" : "at rest", &w, error));
            if (!(w.simulated > 0))
                continue;
            TS_TRY(watch(c, i, error));
            rate[i][done[i]++] = w.seconds / w.simulated;
            time[i] += w.simulated;
            seconds[i] += w.seconds;
            add_phases(c->figures[i].phase[stir ? 2 : 1], &w);
        }
    }
    for (int i = 0; i < RUNNERS; i++) {
        figures *f = &c->figures[i];
        if (done[i] == 0)
            continue;
        divide_phases(f->phase[stir ? 2 : 1], time[i]);
        if (!stir)
            f->rest = ts_bench_median(rate[i], done[i], &f->spread);
        else
            f->stir = seconds[i] / time[i];
        if (stir && !c->runner[i].stopped)
            TS_TRY(look(c, &c->runner[i], NULL, &f->stirred, error));
        if (f->taken && i < PEER && !c->runner[i].stopped) {
            TS_TRY(look(c, &c->runner[i], &f->energy, &f->depths, error));
            c->runner[i].stopped = true;
        }
    }
    return TS_OK;
}

/* ---- Rows ---- */

static ts_bench_row row_of(const contest *c, const char *what, const char *unit, double ours, char name[128])
{
    snprintf(name, 128, "%zu %s, soft-step: %s", c->heap.crowd.count, ts_heap_name(c->heap.kind), what);
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = unit;
    row.ours = ours;
    return row;
}

/* An upper bound; 0: none. */
static void set_goal(ts_bench_row *row, double judged, double goal)
{
    if (!(goal > 0))
        return;
    row->judged = judged;
    row->goal = goal;
    row->goal_is_most = true;
}

static bool has_peer(const contest *c, int i)
{
    return c->runner[i].name[0] && !isnan(c->figures[i].rest);
}

/* Speed at rest and overlap beside each of the others, or beside nobody. */
static ts_status add_beside(const contest *c, int peer, ts_error *error)
{
    char name[128], note[200];
    const goals *goal = &c->plan->goal;
    const figures *ours = &c->figures[SOFT], *theirs = &c->figures[peer];
    const bool beside = peer != SOFT, first = peer == PEER || !has_peer(c, PEER);
    ts_bench_row row = row_of(c, "at rest, per 1/60 s", "s", FRAME * ours->rest, name);
    row.spread = ours->spread;
    if (beside) {
        row.peer = c->runner[peer].name;
        row.peer_value = FRAME * theirs->rest;
        row.peer_spread = theirs->spread;
        row.ratio = row.ours / row.peer_value;
    }
    set_goal(&row, row.ours, first ? goal->frame : 0);
    TS_TRY(ts_bench_add(c->bench, &row, error));

    row = row_of(c, "mean overlap", "m", ours->depths.mean, name);
    if (beside && theirs->depths.mean > 0) {
        row.peer = c->runner[peer].name;
        row.peer_value = theirs->depths.mean;
        row.ratio = row.ours / row.peer_value;
    }
    snprintf(note, sizeof note, "of %zu pairs, and %zu; passed through: %zu, and %zu", ours->depths.pairs,
             theirs->depths.pairs, ours->depths.through, theirs->depths.through);
    if (beside)
        row.note = note;
    set_goal(&row, row.ours, first ? goal->overlap : 0);
    if (peer == PEER && goal->share > 0)
        set_goal(&row, row.ratio, goal->share);
    return ts_bench_add(c->bench, &row, error);
}

static ts_status add_rest(const contest *c, ts_error *error)
{
    char name[128];
    ts_bench_row row = row_of(c, "kinetic energy left", "J/kg", c->figures[SOFT].energy, name);
    set_goal(&row, row.ours, c->plan->goal.rest ? AT_REST : 0);
    return ts_bench_add(c->bench, &row, error);
}

/* At the end: falling, at rest and stirred. */
static ts_status add_through(const contest *c, ts_error *error)
{
    char name[128], note[64];
    const figures *f = &c->figures[SOFT];
    if (isnan(f->rest))
        return TS_OK;
    ts_bench_row row = row_of(c, "pairs passed through, falling, at rest or stirred", "1", (double)f->through, name);
    snprintf(note, sizeof note, "deepest overlap %.2g m", f->deepest);
    row.note = note;
    if (c->plan->goal.rest) {
        row.judged = row.ours;
        row.goal = 0;
        row.goal_is_most = true;
    }
    return ts_bench_add(c->bench, &row, error);
}

static ts_status add_rows(const contest *c, ts_error *error)
{
    bool alone = true;
    if (isnan(c->figures[SOFT].rest))
        return TS_OK; /* the table says why */
    for (int i = PEER; i < RUNNERS; i++)
        if (has_peer(c, i)) {
            alone = false;
            TS_TRY(add_beside(c, i, error));
        }
    if (alone)
        TS_TRY(add_beside(c, SOFT, error));
    return add_rest(c, error);
}

/* ---- Tables ---- */

static ts_status begin_table(const contest *c, const char *what, const char *const *column, size_t count,
                             ts_error *error)
{
    char title[128];
    snprintf(title, sizeof title, "%zu %s: %s", c->heap.crowd.count, ts_heap_name(c->heap.kind), what);
    return ts_bench_table_begin(c->bench, title, column, count, error);
}

static ts_status add_speeds(const contest *c, ts_error *error)
{
    static const char *const column[] = {"fall s/s", "rest s/s", "stir s/s", "fall ms", "rest ms", "stir ms", "spread"};
    TS_TRY(begin_table(c, "seconds a simulated second, and ms per 1/60 s", column, 7, error));
    for (int i = 0; i < RUNNERS; i++) {
        const ts_runner *r = &c->runner[i];
        const figures *f = &c->figures[i];
        const double ms = 1e3 * FRAME;
        const double value[] = {f->fall, f->rest, f->stir, ms * f->fall, ms * f->rest, ms * f->stir, f->spread};
        char note[320];
        snprintf(note, sizeof note, "%s%s", r->why, f->taken ? "; at rest with soft-step's heap" : "");
        if (r->name[0])
            TS_TRY(ts_bench_table_add(c->bench, r->name, value, note[0] ? note : NULL, error));
    }
    return TS_OK;
}

static ts_status add_depths(const contest *c, bool stirred, ts_error *error)
{
    static const char *const column[] = {"mean mm", "99% mm", "most mm", "pairs", "through", "wall mm", "J/kg"};
    char note[96];
    TS_TRY(begin_table(c, stirred ? "overlaps after stirring" : "overlaps and energy at rest", column, stirred ? 6 : 7,
                       error));
    for (int i = 0; i < RUNNERS; i++) {
        const figures *f = &c->figures[i];
        const ts_depths *d = stirred ? &f->stirred : &f->depths;
        const double mm = 1e3, value[] = {mm * d->mean,       mm * d->most_of_99, mm * d->most, (double)d->pairs,
                                          (double)d->through, mm * d->wall,       f->energy};
        snprintf(note, sizeof note, "soft-step's heap after %.2g s", WINDOWS * window_time(c, i, false));
        if (c->runner[i].name[0] && !isnan(stirred ? f->stir : f->energy) && !(stirred && c->runner[i].stopped))
            TS_TRY(ts_bench_table_add(c->bench, c->runner[i].name, value, f->taken && i < PEER ? note : NULL, error));
    }
    return TS_OK;
}

static ts_status add_passed(const contest *c, ts_error *error)
{
    static const char *const column[] = {"through", "deepest mm"};
    TS_TRY(begin_table(c, "most at any look, falling, at rest or stirred", column, 2, error));
    for (int i = 0; i < RUNNERS; i++) {
        const figures *f = &c->figures[i];
        if (c->runner[i].name[0] && !isnan(f->fall))
            TS_TRY(ts_bench_table_add(c->bench, c->runner[i].name,
                                      (const double[]){(double)f->through, 1e3 * f->deepest}, NULL, error));
    }
    return TS_OK;
}

static ts_status add_phase_rows(const contest *c, ts_error *error)
{
    static const char *const doing[] = {"fall", "rest", "stir"};
    static const ts_phase phase[] = {TS_PHASE_PAIRS, TS_PHASE_CONTACTS, TS_PHASE_RESOLVE, TS_PHASE_ADVANCE};
    const char *column[4];
    for (int k = 0; k < 4; k++)
        column[k] = ts_phase_name(phase[k]);
    TS_TRY(begin_table(c, "ours by phase, ms per 1/60 s", column, 4, error));
    for (int i = SOFT; i <= PENALTY; i++)
        for (int d = 0; d < 3; d++) {
            char name[64];
            double value[4], sum = 0;
            for (int k = 0; k < 4; k++)
                sum += value[k] = 1e3 * FRAME * c->figures[i].phase[d][phase[k]];
            snprintf(name, sizeof name, "%s, %s", dynamics[i], doing[d]);
            if (sum > 0)
                TS_TRY(ts_bench_table_add(c->bench, name, value, NULL, error));
        }
    return TS_OK;
}

static ts_status add_tables(const contest *c, ts_error *error)
{
    TS_TRY(add_speeds(c, error));
    TS_TRY(add_depths(c, false, error));
    TS_TRY(add_depths(c, true, error));
    TS_TRY(add_passed(c, error));
    return add_phase_rows(c, error);
}

/* ---- What soft-step alone does ---- */

/* Two threads and one by turns, by the clock on the wall. */
static ts_status threads(contest *c, ts_error *error)
{
    if (!c->plan->goal.threads || ts_bench_threads(c->bench) < 2 || c->runner[SOFT].stopped)
        return TS_OK;
    TS_AUTO(ts_runner_close) ts_runner two = {0};
    double speed_up[WINDOWS], control[WINDOWS];
    TS_TRY(ts_runner_open_copy(&c->runner[SOFT], 2, &two, error));
    two.bound = 0;
    for (int k = 0; k < WINDOWS; k++) {
        ts_window one_window, two_window;
        TS_TRY(walk(c, SOFT, c->plan->rest, (ts_lean){0}, "on two threads", &one_window, error));
        TS_TRY(ts_runner_walk(&two, c->plan->rest, (ts_lean){0}, &two_window, error));
        TS_TRY(ts_bench_control(&control[k], error));
        speed_up[k] = one_window.wall / two_window.wall;
    }
    char name[128], note[96];
    ts_bench_row row = row_of(c, "two threads over one, at rest", "1", TS_NONE, name);
    row.ours = row.judged = ts_bench_median(speed_up, WINDOWS, &row.spread);
    if (!ts_bench_quick(c->bench))
        row.goal = GOAL_THREADS;
    snprintf(note, sizeof note, "arithmetic alone at the same time: %.2f", ts_bench_median(control, WINDOWS, NULL));
    row.note = note;
    return ts_bench_add(c->bench, &row, error);
}

/* Whether a heap at rest stays where it is. */
static ts_status creep(contest *c, ts_error *error)
{
    ts_runner *r = &c->runner[SOFT];
    const size_t count = c->heap.crowd.count;
    const int seconds = ts_bench_quick(c->bench) ? 2 : CREEP;
    double most = 0, sum = 0, farthest = 0;
    if (!c->plan->creep || r->stopped)
        return TS_OK;
    TS_AUTO_FREE ts_pose3 *from = NULL;
    TS_TRY(ts_new(&from, count, error));
    TS_TRY(ts_runner_look(r, from, c->rate, error));
    for (double end = r->simulated + seconds; r->simulated < end && !r->stopped;) { /* step by step */
        ts_window w;
        double energy = 0;
        TS_TRY(walk(c, SOFT, r->step, (ts_lean){0}, "creeping", &w, error));
        TS_TRY(look(c, r, &energy, NULL, error));
        most = fmax(most, energy);
    }
    for (size_t i = 0; i < count; i++) {
        const double way = ts_vec3_distance(c->pose[i].position, from[i].position);
        sum += way;
        farthest = fmax(farthest, way);
    }
    char name[128], what[64], note[96];
    snprintf(what, sizeof what, "%d s at rest, mean displacement over size", seconds);
    ts_bench_row row = row_of(c, what, "1", sum / (double)count, name); /* sizes are 1 m */
    set_goal(&row, row.ours, c->plan->goal.rest ? 1e-4 : 0);
    snprintf(note, sizeof note, "farthest %.2g", farthest);
    row.note = note;
    TS_TRY(ts_bench_add(c->bench, &row, error));
    snprintf(what, sizeof what, "%d s at rest, largest energy of any step", seconds);
    row = row_of(c, what, "J/kg", most, name);
    set_goal(&row, row.ours, c->plan->goal.rest ? AT_REST : 0);
    return ts_bench_add(c->bench, &row, error);
}

/* Random starts of `#`: how many are at rest in time. */
static ts_status starts(ts_bench *bench, size_t count, int number, bool asked, double begin, double share,
                        ts_error *error)
{
    static const char *const column[] = {"J/kg", "most mm", "through"};
    char title[128], name[128], note[96];
    double most = 0;
    int at_rest = 0;
    snprintf(title, sizeof title, "%zu hash, soft-step: random starts after %.0f s", count, settle_time(bench));
    TS_TRY(ts_bench_table_begin(bench, title, column, 3, error));
    for (int k = 0; k < number; k++) {
        TS_AUTO(ts_heap_free) ts_heap heap = {0};
        TS_AUTO(ts_runner_close) ts_runner r = {0};
        TS_AUTO_FREE ts_pose3 *pose = NULL;
        TS_AUTO_FREE ts_twist3 *rate = NULL;
        ts_window w;
        ts_depths depths = {0};
        snprintf(name, sizeof name, "start %d", k + 1);
        TS_TRY(ts_heap_make(TS_HEAP_HASH, count, ts_bench_seed(bench) + 1 + (uint64_t)k, &heap, error));
        TS_TRY(ts_runner_open(&heap, dynamics[SOFT], 1, &r, error));
        TS_TRY(ts_new(&pose, count, error));
        TS_TRY(ts_new(&rate, count, error));
        while (r.simulated < settle_time(bench) - 0.5 * r.step && !r.stopped) {
            char what[96];
            snprintf(what, sizeof what, "%zu hash, start %d of %d: %.0f s", count, k + 1, number, r.simulated);
            ts_bench_report(bench, begin + share * (k + r.simulated / settle_time(bench)) / number, what);
            TS_TRY(ts_runner_walk(&r, fmin(1, settle_time(bench) - r.simulated), (ts_lean){0}, &w, error));
        }
        TS_TRY(ts_runner_look(&r, pose, rate, error));
        TS_TRY(ts_depths_measure(&heap.crowd, pose, &depths, error));
        const double energy = r.stopped ? HUGE_VAL : ts_heap_energy(&heap, pose, rate);
        most = fmax(most, energy);
        at_rest += energy <= AT_REST;
        TS_TRY(ts_bench_table_add(bench, name, (const double[]){energy, 1e3 * depths.most, (double)depths.through},
                                  r.stopped ? r.why : NULL, error));
    }
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu hash, soft-step: starts at rest, of %d", count, number);
    snprintf(note, sizeof note, "at most %.2g J/kg after %.0f s", most, settle_time(bench));
    row.name = name;
    row.unit = "1";
    row.note = note;
    row.ours = at_rest;
    if (asked) {
        row.judged = at_rest;
        row.goal = number;
    }
    return ts_bench_add(bench, &row, error);
}

/* ---- All of it ---- */

static void close_contest(contest *c)
{
    for (int i = 0; i < RUNNERS; i++)
        ts_runner_close(&c->runner[i]);
    ts_heap_free(&c->heap);
    ts_free(c->pose);
    ts_free(c->rate);
}

static ts_status open_contest(contest *c, ts_error *error)
{
    const plan *p = c->plan;
    const bool quick = ts_bench_quick(c->bench), full = ts_bench_full(c->bench);
    const char *folder;
    TS_TRY(ts_bench_out_dir(c->bench, &folder, error));
    TS_TRY(ts_heap_make(p->kind, p->count, ts_bench_seed(c->bench), &c->heap, error));
    TS_TRY(ts_new(&c->pose, p->count, error));
    TS_TRY(ts_new(&c->rate, p->count, error));
    for (int i = 0; i < RUNNERS; i++) {
        ts_runner *r = &c->runner[i];
        if (i < PEER)
            TS_TRY(ts_runner_open(&c->heap, dynamics[i], 1, r, error));
        else
            TS_TRY(ts_runner_open_peer(folder, &c->heap, i - PEER, r, error));
        r->bound = quick ? 0.5 : full ? 3600 : i == SOFT ? 600 : i < PEER ? 90 : 180;
        r->until = c->settle;
        r->stopped = r->stopped || !r->name[0];
    }
    return TS_OK;
}

static ts_status hold(ts_bench *bench, const plan *p, double begin, double share, ts_error *error)
{
    TS_AUTO(close_contest)
    contest c = {.bench = bench, .plan = p, .settle = settle_time(bench), .begin = begin, .share = share};
    ts_bench_report(bench, begin, ts_heap_name(p->kind));
    const ts_status status = open_contest(&c, error);
    if (status == TS_UNSUPPORTED)
        return TS_OK; /* hulls without Qhull */
    TS_TRY(status);
    TS_TRY(fall(&c, error));
    TS_TRY(take_heap(&c, error));
    TS_TRY(windows(&c, false, error));
    TS_TRY(add_rows(&c, error));
    c.now = 0.7;
    TS_TRY(threads(&c, error));
    TS_TRY(creep(&c, error));
    TS_TRY(windows(&c, true, error));
    TS_TRY(add_through(&c, error));
    return add_tables(&c, error);
}

ts_status ts_bench_rest(ts_bench *bench, ts_error *error)
{
    const bool quick = ts_bench_quick(bench);
    static const plan all[] = {
        {.kind = TS_HEAP_HASH,
         .count = 1000,
         .slices = 1,
         .rest = 1,
         .weight = 100,
         .goal = {0.7e-3, 1e-3, 0, true, false}},
        {.kind = TS_HEAP_OCTAGONS, .count = 1000, .slices = 1, .rest = 1, .weight = 60},
        {.kind = TS_HEAP_DISCS, .count = 1000, .slices = 1, .rest = 1, .weight = 60},
        {.kind = TS_HEAP_BOXES,
         .count = 1000,
         .slices = 1,
         .rest = 1,
         .weight = 100,
         .goal = {2.5e-3, 0, 0.25, true, true}},
        {.kind = TS_HEAP_HULLS, .count = 1000, .slices = 1, .rest = 1, .weight = 100},
        {.kind = TS_HEAP_HASH,
         .count = 10000,
         .slices = 4,
         .rest = 0.5,
         .weight = 340,
         .goal = {8e-3, 3e-3, 0, true, true},
         .creep = true},
        {.kind = TS_HEAP_OCTAGONS, .count = 10000, .slices = 4, .rest = 0.5, .weight = 200},
        {.kind = TS_HEAP_DISCS, .count = 10000, .slices = 4, .rest = 0.5, .weight = 150},
    };
    static const plan few[] = {
        {.kind = TS_HEAP_HASH, .count = 60, .slices = 2, .rest = 0.2, .weight = 3, .creep = true},
        {.kind = TS_HEAP_OCTAGONS, .count = 60, .slices = 2, .rest = 0.2, .weight = 3},
        {.kind = TS_HEAP_DISCS, .count = 60, .slices = 2, .rest = 0.2, .weight = 3},
        {.kind = TS_HEAP_BOXES, .count = 27, .slices = 2, .rest = 0.2, .weight = 3, .goal = {0, 0, 0, false, true}},
        {.kind = TS_HEAP_HULLS, .count = 27, .slices = 2, .rest = 0.2, .weight = 3},
    };
    const plan *list = quick ? few : all;
    const size_t count = quick ? sizeof few / sizeof *few : sizeof all / sizeof *all;
    const double weight[2] = {quick ? 1 : 90, quick ? 1 : 140}; /* of random starts */
    double sum = weight[0] + weight[1], done = 0;
    for (size_t i = 0; i < count; i++)
        sum += list[i].weight;
    for (size_t i = 0; i < count; i++) {
        TS_TRY(hold(bench, &list[i], done / sum, list[i].weight / sum, error));
        done += list[i].weight;
    }
    TS_TRY(starts(bench, quick ? 60 : 1000, quick ? 2 : 24, !quick, done / sum, weight[0] / sum, error));
    done += weight[0];
    return starts(bench, quick ? 100 : 10000, quick ? 1 : 3, !quick, done / sum, weight[1] / sum, error);
}
