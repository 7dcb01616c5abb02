/* SPDX-License-Identifier: MIT */
/* The bench `maps`: what a full query of a contact map costs, kind by kind, and what its parts reach.
 *
 * A full query is ts_map_query: two poses in the world in; gap, normal, slope, levers and points of both bodies out.
 * Poses lie near contact (|gap| ≤ 0.1 of the smaller radius), where simulations ask. Batches of 1, 64 and 4096, one
 * thread, the processor's time; batches of one are information, goals are about the others. Two pairs: hash×hash, whose
 * symmetry folds poses to one in 64, and G×R, which has none.
 *
 * The networks by themselves are set beside the core's peak and beside PyTorch: maps_peer.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"
#include "bench.h"
#include "cspace/map.h"
#include "cspace/poses.h"
#include "maps_peer.h"
#include "peak.h"
#include "study/grains.h"
#include "touchstone/map.h"

#define POSES         4096
#define REPEATS_MAX   11
#define GOAL_TABLE    60.0 /* ns */
#define GOAL_PEER     15.0 /* times PyTorch's 5×64, with `table` */
#define WANTED_ERROR  0.005
#define GOAL_TRAINING 25.0 /* s */

static const size_t batch_size[] = {1, 64, POSES};
#define BATCHES (sizeof batch_size / sizeof *batch_size)

typedef struct map_kind {
    const char *name;
    ts_map_options options;
    bool slow; /* milliseconds a query: asked once, and not in large batches */
} map_kind;

static const map_kind kind_table[] = {
    {"exact", {.kind = TS_MAP_EXACT}, false},
    {"sampled 201×201", {.kind = TS_MAP_SAMPLED}, true},
    {"network 3×32", {.kind = TS_MAP_NETWORK, .depth = 3, .width = 32}, false},
    {"network 5×64", {.kind = TS_MAP_NETWORK, .depth = 5, .width = 64}, false},
    {"auto", {.kind = TS_MAP_AUTO, .error = WANTED_ERROR}, false},
    /* asked for less and less error until it has no more than the large network */
    {"auto, as good as 5×64", {.kind = TS_MAP_AUTO, .error = WANTED_ERROR}, false},
};
enum { KIND_EXACT, KIND_SAMPLED, KIND_SMALL, KIND_LARGE, KIND_AUTO, KIND_RIVAL, KINDS };
#define HALVINGS 3 /* of the error that a rival is asked for */

/* One pair: its maps, and poses near contact. */
typedef struct duel {
    const char *a, *b;
    ts_map *map[KINDS];
    ts_map_pose *pose;       /* (POSES) */
    ts_map_contact *contact; /* (POSES) */
    double rival_rate;       /* of KIND_RIVAL: full queries a second, the better one of the large batches */
} duel;

static void close_duel(duel *d)
{
    for (int k = 0; k < KINDS; k++)
        ts_map_free(d->map[k]);
    ts_free(d->pose);
    ts_free(d->contact);
}

/* ---- Getting ready ---- */

typedef struct telling {
    ts_bench *bench;
    char what[128];
    double done;
} telling;

static bool tell(void *user, double done, const char *what)
{
    telling *t = user;
    char text[256];
    snprintf(text, sizeof text, "%s: %s %.0f%%", t->what, what, 100 * done);
    ts_bench_report(t->bench, t->done, text);
    return true;
}

static bool rival_is_worse(const duel *d)
{
    return ts_map_get_info(d->map[KIND_RIVAL]).errors.mean > ts_map_get_info(d->map[KIND_LARGE]).errors.mean;
}

/* Trained networks are kept between runs, as settled packings are. */
static ts_status make_maps(ts_bench *bench, const ts_grains *grains, duel *d, double done, ts_error *error)
{
    const ts_outline *a, *b;
    const char *folder;
    char cache[4096];
    TS_TRY(ts_grains_find(grains, d->a, &a, error));
    TS_TRY(ts_grains_find(grains, d->b, &b, error));
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    snprintf(cache, sizeof cache, "%s/maps", folder);
    telling t = {.bench = bench, .done = done};
    ts_map_making making = {.threads = ts_bench_threads(bench), .cache = cache, .progress = tell, .progress_user = &t};
    for (int k = 0; k < KINDS; k++) {
        ts_map_options options = kind_table[k].options;
        if (options.kind == TS_MAP_NETWORK && ts_bench_quick(bench))
            options.samples = 1 << 16; /* what it costs to ask does not depend on what it has learned */
        if (options.kind == TS_MAP_AUTO && ts_bench_quick(bench))
            options.error = 0.02;
        snprintf(t.what, sizeof t.what, "%s×%s, %s", d->a, d->b, kind_table[k].name);
        TS_TRY(ts_map_create(a, b, &options, &making, &d->map[k], error));
        for (int i = 0; i < HALVINGS && k == KIND_RIVAL && rival_is_worse(d); i++) {
            ts_map_free(d->map[k]);
            d->map[k] = NULL;
            options.error /= 2;
            TS_TRY(ts_map_create(a, b, &options, &making, &d->map[k], error));
        }
    }
    return TS_OK;
}

/* Both bodies anywhere, near contact with each other. */
static ts_status make_poses(ts_bench *bench, duel *d, ts_error *error)
{
    TS_TRY(ts_new(&d->pose, POSES, error));
    TS_TRY(ts_new(&d->contact, POSES, error));
    const ts_map *exact = d->map[KIND_EXACT];
    uint64_t seed = ts_bench_seed(bench);
    ts_random random = ts_random_make(seed, 1);
    for (uint64_t i = 0; i < POSES; i++) {
        double at[3];
        ts_relative_pose p;
        for (int k = 0; k < 3; k++)
            at[k] = ts_random_next_range(&random, -TS_PI, TS_PI);
        if (!ts_pose_draw_near(exact->exact, exact->pair, seed, TS_POSES_TIME, i, &p))
            return ts_fail(error, TS_BAD_INPUT, "no pose of %s and %s near contact was found", d->a, d->b);
        d->pose[i] = ts_map_place(exact, at, (double[3]){p.x, p.y, p.angle});
    }
    return TS_OK;
}

/* ---- Measuring ---- */

/* Nanoseconds a query: batches one after the other through the poses, for about `seconds`. */
static double time_query(const duel *d, const ts_map *map, size_t batch, double seconds)
{
    size_t at = 0, count = 0;
    double begin = ts_clock_processor_seconds(), taken;
    do {
        ts_map_query(map, batch, d->pose + at, d->contact + at);
        count += batch;
        at = at + 2 * batch <= POSES ? at + batch : 0;
        /* the clock costs as much as some queries */
        taken = batch > 1 || count % 16 == 0 ? ts_clock_processor_seconds() - begin : 0;
    } while (taken < seconds);
    return 1e9 * taken / (double)count;
}

static void describe(const ts_map *map, char *text, size_t capacity)
{
    ts_map_info info = ts_map_get_info(map);
    if (info.options.kind == TS_MAP_AUTO && info.kind != TS_MAP_TABLE)
        snprintf(text, capacity, "%s: no table was good enough", ts_map_kind_name(info.kind));
    else if (info.kind == TS_MAP_EXACT || info.errors.samples == 0)
        snprintf(text, capacity, "%s", ts_map_kind_name(info.kind));
    else
        snprintf(text, capacity, "%s, %.1f kB, mean error %.2f%%, 99%% below %.2f%%", ts_map_kind_name(info.kind),
                 1e-3 * (double)info.bytes, 100 * info.errors.mean, 100 * info.errors.high);
}

static ts_status add_kind(ts_bench *bench, duel *d, int k, ts_error *error)
{
    const map_kind *kind = &kind_table[k];
    bool quick = ts_bench_quick(bench);
    int repeats = kind->slow || quick ? 1 : ts_bench_full(bench) ? REPEATS_MAX : 5;
    for (size_t i = 0; i < BATCHES; i++) {
        if (kind->slow && batch_size[i] > 64 && !ts_bench_full(bench))
            continue;
        char name[128], note[256];
        double time[REPEATS_MAX], seconds = kind->slow ? 0.01 : quick ? 0.002 : 0.05;
        if (!kind->slow)
            time_query(d, d->map[k], batch_size[i], seconds); /* warm */
        for (int r = 0; r < repeats; r++)
            time[r] = time_query(d, d->map[k], batch_size[i], seconds);
        ts_bench_row row = ts_bench_row_empty();
        snprintf(name, sizeof name, "%s×%s, %s, batch %zu", d->a, d->b, kind->name, batch_size[i]);
        describe(d->map[k], note, sizeof note);
        row.name = name;
        row.unit = "ns";
        row.ours = ts_bench_median(time, (size_t)repeats, &row.spread);
        row.note = note;
        if (k == KIND_RIVAL && batch_size[i] > 1)
            d->rival_rate = fmax(d->rival_rate, 1e9 / row.ours);
        if (k == KIND_AUTO && batch_size[i] > 1) {
            row.goal = GOAL_TABLE;
            row.goal_is_most = true;
            /* the goal is about tables: an exact answer, however quick, does not meet it */
            row.judged = ts_map_get_info(d->map[k]).kind == TS_MAP_TABLE ? row.ours : HUGE_VAL;
        }
        TS_TRY(ts_bench_add(bench, &row, error));
    }
    return TS_OK;
}

/* A table does a full query, PyTorch only the gap's network with its gradient. */
static ts_status add_rival(ts_bench *bench, const duel *d, const ts_peer_rates *peer, ts_error *error)
{
    ts_map_errors ours = ts_map_get_info(d->map[KIND_RIVAL]).errors;
    ts_map_errors theirs = ts_map_get_info(d->map[KIND_LARGE]).errors;
    char name[128], note[256];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%s×%s, table, beside a 5×64 network", d->a, d->b);
    snprintf(note, sizeof note, "mean errors: %.2f%%, and the network's %.2f%%", 100 * ours.mean, 100 * theirs.mean);
    row.name = name;
    row.unit = "queries/s";
    row.note = note;
    row.ours = d->rival_rate;
    if (peer->name[0]) {
        row.peer = peer->name;
        row.peer_value = peer->query;
        row.ratio = row.ours / row.peer_value;
        row.goal = GOAL_PEER;
        /* a faster answer that is worse does not count, nor does one that is no table's */
        row.judged = ts_map_get_info(d->map[KIND_RIVAL]).kind == TS_MAP_TABLE && !rival_is_worse(d) ? row.ratio : 0;
    }
    return ts_bench_add(bench, &row, error);
}

/* What its training took, when it was made: it may come from the folder of an earlier run. */
static ts_status add_training(ts_bench *bench, const duel *d, ts_error *error)
{
    char name[128];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%s×%s, network 3×32, training with its data", d->a, d->b);
    row.name = name;
    row.unit = "s";
    row.ours = row.judged = ts_map_get_info(d->map[KIND_SMALL]).build_seconds;
    row.goal = GOAL_TRAINING;
    row.goal_is_most = true;
    row.note = "published: less than 25 s";
    return ts_bench_add(bench, &row, error);
}

static ts_status measure(ts_bench *bench, duel *d, double peak, double done, ts_error *error)
{
    for (int k = 0; k < KINDS; k++) {
        char what[128];
        snprintf(what, sizeof what, "%s×%s: %s", d->a, d->b, kind_table[k].name);
        ts_bench_report(bench, done, what);
        TS_TRY(add_kind(bench, d, k, error));
    }
    if (!ts_bench_quick(bench)) /* which trains on few samples */
        TS_TRY(add_training(bench, d, error));
    if (strcmp(d->a, d->b) != 0) /* what a network costs does not depend on the pair */
        return TS_OK;
    ts_peer_rates small, large;
    ts_bench_report(bench, done, "networks, beside PyTorch");
    TS_TRY(ts_bench_map_network(bench, d->map[KIND_SMALL], peak, &small, error));
    TS_TRY(ts_bench_map_network(bench, d->map[KIND_LARGE], peak, &large, error));
    return add_rival(bench, d, &large, error);
}

static ts_status add_peak(ts_bench *bench, double peak, ts_error *error)
{
    ts_bench_row row = ts_bench_row_empty();
    row.name = "peak of the core, in registers alone";
    row.unit = "GFLOP/s";
    row.ours = 1e-9 * peak;
    return ts_bench_add(bench, &row, error);
}

ts_status ts_bench_maps(ts_bench *bench, ts_error *error)
{
    static const char *const list[][2] = {{"hash", "hash"}, {"G", "R"}};
    const size_t count = ts_bench_quick(bench) ? 1 : sizeof list / sizeof *list;
    TS_AUTO(ts_grains_free_at) ts_grains *grains = NULL;
    double peak = ts_bench_peak(ts_bench_quick(bench) ? 0.02 : 0.3);
    TS_TRY(add_peak(bench, peak, error));
    TS_TRY(ts_grains_create(&grains, error));
    for (size_t i = 0; i < count; i++) {
        TS_AUTO(close_duel) duel d = {.a = list[i][0], .b = list[i][1]};
        double done = (double)i / (double)count;
        TS_TRY(make_maps(bench, grains, &d, done, error));
        TS_TRY(make_poses(bench, &d, error));
        TS_TRY(measure(bench, &d, peak, done + 0.5 / (double)count, error));
    }
    return TS_OK;
}
