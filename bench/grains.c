/* SPDX-License-Identifier: MIT */
/* The bench `grains`: non-convex grains at rest in a bin, by every kind of contact map, beside programs that take
 * convex pieces or clumps.
 *
 *     kind of map     1,000      10,000     100,000 grains
 *     table           falls  ──▶ copies ──▶ copies            what is settled is kept (grains_bed.h)
 *     network, exact  ╰▶ settled again with that map ──▶ …    so what is timed (grains_measure.h) is at rest with its own map
 *
 * Grains are 1 m wide. Overlaps are measured by the intersections of outlines, in which no map has a part. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bench.h"
#include "grains_beside.h"
#include "study/grains.h"

#define COLUMNS 40 /* of the grid of 1,000 */

/* Goals; see docs/results.md. */
#define GOAL_CLUMPS  5.0
#define GOAL_RATE    3e6 /* grain-steps a second on two threads, 10,000 `#`, table */
#define GOAL_SPEEDUP 1.8
#define GOAL_FLAT    0.2
#define GOAL_OVERLAP 0.002

typedef struct map_kind {
    const char *name;
    ts_map_options options;
} map_kind;

static const map_kind kind_table[] = {
    /* to 0.1%: the usual 0.2% are as much as octagons are to overlap */
    {"table", {.kind = TS_MAP_TABLE, .error = 0.001}},
    {"exact", {.kind = TS_MAP_EXACT}},
    {"network 3×32", {.kind = TS_MAP_NETWORK, .depth = 3, .width = 32}},
    {"network 5×64", {.kind = TS_MAP_NETWORK, .depth = 5, .width = 64}},
};
enum { KIND_TABLE, KINDS = sizeof kind_table / sizeof *kind_table };

/* How many grains, of how many copies of the size before; how they are settled, with tables and with other maps. Where
 * maps differ by a millimetre, a bed sinks by centimetres when the map is exchanged, which takes its time. */
typedef struct grain_size {
    size_t count, copies;
    ts_bed_times with_table, with_other;
} grain_size;

static const grain_size normal_size[] = {
    {1000, 1, {5, 20000}, {0.3, 4000}},
    {10000, 10, {0.3, 3000}, {0, 200}},
    {100000, 10, {0, 200}, {0, 20}},
};
static const grain_size quick_size[] = {{120, 1, {1.5, 2000}, {0, 50}}, {480, 4, {0, 100}, {0, 20}}};
#define SIZES_MAX 3

/* One shape. */
typedef struct field {
    ts_bench *bench;
    const char *name;       /* of the grain */
    const grain_size *size; /* (sizes) */
    size_t sizes;
    bool with_clumps; /* LAMMPS can */
    ts_grain_bin loose[SIZES_MAX];
    ts_grain_bin rest[SIZES_MAX]; /* where grains came to rest, by the kind at work */
    ts_grain_bin table_rest;      /* of the first size, by tables */
    double cost[SIZES_MAX];       /* of a grain-step with tables on one thread [s] */
    char cache[4096];
    double begin, share; /* of the bench's progress */
} field;

static void close_field(field *f)
{
    for (size_t i = 0; i < SIZES_MAX; i++) {
        ts_grain_bin_free(&f->loose[i]);
        ts_grain_bin_free(&f->rest[i]);
    }
    ts_grain_bin_free(&f->table_rest);
}

/* ---- Rows ---- */

/* A row of one case: "10000 hash, table: what". */
static ts_bench_row row_of(const field *f, size_t size, const map_kind *kind, const char *what, const char *unit,
                           char name[160])
{
    snprintf(name, 160, "%zu %s, %s: %s", f->size[size].count, f->name, kind->name, what);
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = unit;
    return row;
}

static ts_status add_value(const field *f, size_t size, const map_kind *kind, const char *what, const char *unit,
                           double value, ts_error *error)
{
    char name[160];
    ts_bench_row row = row_of(f, size, kind, what, unit, name);
    row.ours = value;
    return ts_bench_add(f->bench, &row, error);
}

/* Whether the goals at 10,000 grains are about this case. */
static bool is_judged(const field *f, size_t size, const map_kind *kind)
{
    return f->with_clumps && f->size[size].count == 10000 && kind == &kind_table[KIND_TABLE];
}

static ts_status add_rates(const field *f, size_t size, const map_kind *kind, const ts_grain_figures *g,
                           const ts_grain_rival *rival, ts_error *error)
{
    char name[160], note[320];
    for (int t = 0; t < 2 && !isnan(g->rate[t]); t++) {
        ts_bench_row row = row_of(f, size, kind, t ? "2 threads" : "1 thread", "grain-steps/s", name);
        row.ours = g->rate[t];
        row.spread = g->spread[t];
        snprintf(note, sizeof note, "%.2f contacts, %.2f queries a grain, Δt %.2g s, unrest %.1g", g->contacts,
                 g->queries, g->time_step, g->unrest);
        if (t == 0 && rival && rival->note[0]) {
            snprintf(note, sizeof note, "%s", rival->note);
            if (!isnan(rival->rate)) {
                row.peer = rival->name;
                row.peer_value = rival->rate;
                row.peer_spread = rival->spread;
                row.ratio = row.ours / row.peer_value;
                if (is_judged(f, size, kind)) {
                    row.goal = GOAL_CLUMPS;
                    row.judged = row.ratio;
                }
            }
        }
        if (t == 1 && is_judged(f, size, kind)) {
            row.goal = GOAL_RATE;
            row.judged = row.ours;
        }
        row.note = note;
        TS_TRY(ts_bench_add(f->bench, &row, error));
    }
    if (isnan(g->speed_up))
        return TS_OK;
    ts_bench_row row = row_of(f, size, kind, "speed-up on 2 threads", "1", name);
    row.ours = row.judged = g->speed_up;
    row.spread = g->speed_up_spread;
    snprintf(note, sizeof note, "arithmetic alone gained %.2f at the same time", g->control);
    row.note = note;
    if (kind == &kind_table[KIND_TABLE] && f->size[size].count >= 10000)
        row.goal = GOAL_SPEEDUP;
    return ts_bench_add(f->bench, &row, error);
}

static ts_status add_overlaps(const field *f, size_t size, const map_kind *kind, const ts_overlaps *o, ts_error *error)
{
    char name[160], note[160];
    double wide = ts_grain_size(&f->loose[size]);
    /* quick beds are not given the time to come to rest */
    bool judged = kind == &kind_table[KIND_TABLE] && !ts_bench_quick(f->bench);
    ts_bench_row row = row_of(f, size, kind, "mean overlap over size", "1", name);
    row.ours = row.judged = o->pairs > 0 ? o->mean_depth / wide : 0;
    snprintf(note, sizeof note, "of %zu pairs, by their intersections; deepest %.2g%%", o->pairs,
             100 * o->most_depth / wide);
    row.note = note;
    row.goal_is_most = true;
    if (judged)
        row.goal = GOAL_OVERLAP;
    TS_TRY(ts_bench_add(f->bench, &row, error));
    row = row_of(f, size, kind, "pairs passed through", "1", name);
    row.ours = row.judged = (double)o->through;
    row.goal_is_most = true;
    if (judged)
        row.goal = 0;
    return ts_bench_add(f->bench, &row, error);
}

static ts_status add_case(const field *f, size_t size, const map_kind *kind, const ts_grain_figures *g,
                          const ts_grain_rival *rival, ts_error *error)
{
    static const char *const share[TS_SHARES] = {"share of the broad phase", "share of queries", "share of forces",
                                                 "share of integration"};
    char name[160], note[96];
    TS_TRY(add_rates(f, size, kind, g, rival, error));
    TS_TRY(add_value(f, size, kind, "a contact, 1 thread", "ns", 1e9 / (g->rate[0] * g->contacts), error));
    for (int i = 0; i < TS_SHARES; i++) {
        ts_bench_row row = row_of(f, size, kind, share[i], "1", name);
        row.ours = g->share[i];
        snprintf(note, sizeof note, "%.0f ns a query by itself, %.2f a grain", 1e9 * g->query, g->queries);
        if (i == TS_SHARE_QUERIES)
            row.note = note;
        TS_TRY(ts_bench_add(f->bench, &row, error));
    }
    ts_bench_row row = row_of(f, size, kind, "memory a grain", "bytes", name);
    row.ours = g->bytes;
    snprintf(note, sizeof note, "of these %.0f are the map's", g->map_bytes);
    row.note = note;
    TS_TRY(ts_bench_add(f->bench, &row, error));
    return add_overlaps(f, size, kind, &g->overlaps, error);
}

/* The largest difference from the first size, as a share of its cost. */
static ts_status add_flatness(const field *f, ts_error *error)
{
    char name[160], note[160];
    double most = 0;
    for (size_t i = 1; i < f->sizes; i++)
        if (fabs(f->cost[i] / f->cost[0] - 1) > fabs(most))
            most = f->cost[i] / f->cost[0] - 1;
    snprintf(name, sizeof name, "%zu to %zu %s, table: cost of a grain-step, change", f->size[0].count,
             f->size[f->sizes - 1].count, f->name);
    snprintf(note, sizeof note, "%.0f ns at the smallest, %.0f ns at the largest, 1 thread", 1e9 * f->cost[0],
             1e9 * f->cost[f->sizes - 1]);
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = "1";
    row.ours = most;
    row.judged = fabs(most);
    row.goal_is_most = true;
    row.note = note;
    if (!ts_bench_quick(f->bench))
        row.goal = GOAL_FLAT;
    return ts_bench_add(f->bench, &row, error);
}

/* ---- Cases ---- */

static bool tell(void *user, double done, const char *what)
{
    field *f = user;
    char text[256];
    snprintf(text, sizeof text, "map of %s: %s %.0f%%", f->name, what, 100 * done);
    ts_bench_report(f->bench, TS_NONE, text);
    return true;
}

static ts_bed_plan plan_of(field *f, size_t size, const map_kind *kind)
{
    ts_bed_plan plan = {.loose = &f->loose[size], .map = kind->options};
    plan.making =
        (ts_map_making){.threads = ts_bench_threads(f->bench), .cache = f->cache, .progress = tell, .progress_user = f};
    if (ts_bench_quick(f->bench) && kind->options.kind == TS_MAP_NETWORK)
        plan.map.samples = 1 << 16; /* what it costs to ask does not depend on what it has learned */
    if (ts_bench_quick(f->bench) && kind->options.kind == TS_MAP_TABLE)
        plan.map.error = 0.01;
    return plan;
}

/* Where the grains of this case begin: NULL on the grid; else in `start`, which the caller frees. */
static ts_status begin_at(const field *f, size_t size, const map_kind *kind, ts_grain_bin *start, ts_error *error)
{
    *start = (ts_grain_bin){0};
    if (size > 0)
        return ts_grain_bin_side_by_side(&f->rest[size - 1], f->size[size].copies, start, error);
    if (kind == &kind_table[KIND_TABLE])
        return TS_OK;
    return ts_grain_bin_side_by_side(&f->table_rest, 1, start, error);
}

static ts_status measure_case(field *f, size_t size, const map_kind *kind, const ts_bed_plan *plan, ts_bed *bed,
                              ts_error *error)
{
    bool quick = ts_bench_quick(f->bench), full = ts_bench_full(f->bench), table = kind == &kind_table[KIND_TABLE];
    ts_grain_timing timing = {.repeats = quick   ? 1
                                         : full  ? TS_GRAIN_REPEATS_MAX
                                         : table ? 5
                                                 : 3,
                              .seconds = quick ? 0.02 : 0.4,
                              .two_threads = ts_bench_threads(f->bench) > 1};
    ts_grain_figures figures;
    ts_grain_rival rival;
    TS_TRY(ts_grain_measure(plan, bed, &timing, &figures, error));
    bool clumps = table && f->with_clumps && (full || size == 1);
    if (clumps)
        TS_TRY(ts_grain_rival_measure(f->bench, plan, bed, &rival, error));
    TS_TRY(add_case(f, size, kind, &figures, clumps ? &rival : NULL, error));
    if (table)
        f->cost[size] = 1 / figures.rate[0];
    if (table && (size == 0 || (full && size == 1)))
        TS_TRY(ts_grain_rows_beside(f->bench, f->name, plan, bed, &figures, error));
    return TS_OK;
}

static ts_status run_case(field *f, size_t size, const map_kind *kind, ts_error *error)
{
    char what[96];
    snprintf(what, sizeof what, "%zu %s, %s", f->size[size].count, f->name, kind->name);
    ts_bench_report(f->bench, TS_NONE, what);
    bool table = kind == &kind_table[KIND_TABLE];
    ts_bed_plan plan = plan_of(f, size, kind);
    ts_grain_bin start;
    ts_bed bed;
    TS_TRY(begin_at(f, size, kind, &start, error));
    ts_status status = ts_bed_settled(f->bench, &plan, start.pose,
                                      table ? &f->size[size].with_table : &f->size[size].with_other, &bed, error);
    ts_grain_bin_free(&start);
    TS_TRY(status);
    ts_grain_bin_free(&f->rest[size]);
    status = ts_bed_bin(&bed, plan.loose, &f->rest[size], error);
    if (status == TS_OK && table && size == 0)
        status = ts_bed_bin(&bed, plan.loose, &f->table_rest, error);
    if (status == TS_OK)
        status = measure_case(f, size, kind, &plan, &bed, error);
    ts_bed_close(&bed);
    return status;
}

static ts_status run_field(field *f, const ts_outline *outline, ts_error *error)
{
    const char *folder;
    TS_TRY(ts_bench_out_dir(f->bench, &folder, error));
    snprintf(f->cache, sizeof f->cache, "%s/maps", folder);
    double scale = 1 / ts_grain_size(&(ts_grain_bin){.outline = outline, .scale = 1});
    size_t columns = ts_bench_quick(f->bench) ? f->size[0].count / 10 : COLUMNS;
    TS_TRY(ts_grain_bin_loose(outline, f->size[0].count, columns, scale, ts_bench_seed(f->bench), &f->loose[0], error));
    for (size_t i = 1; i < f->sizes; i++)
        TS_TRY(ts_grain_bin_side_by_side(&f->loose[i - 1], f->size[i].copies, &f->loose[i], error));
    for (int k = 0; k < KINDS; k++) {
        for (size_t i = 0; i < f->sizes; i++) {
            double done = (k + (double)i / (double)f->sizes) / KINDS;
            ts_bench_report(f->bench, f->begin + f->share * done, f->name);
            TS_TRY(run_case(f, i, &kind_table[k], error));
        }
        if (k == KIND_TABLE)
            TS_TRY(add_flatness(f, error));
    }
    return TS_OK;
}

ts_status ts_bench_grains(ts_bench *bench, ts_error *error)
{
    static const char *const name[] = {"hash", "octagon"};
    const size_t count = sizeof name / sizeof *name;
    bool quick = ts_bench_quick(bench);
    TS_AUTO(ts_grains_free_at) ts_grains *grains = NULL;
    TS_TRY(ts_grains_create(&grains, error));
    for (size_t i = 0; i < count; i++) {
        TS_AUTO(close_field)
        field f = {.bench = bench,
                   .name = name[i],
                   .size = quick ? quick_size : normal_size,
                   .sizes = quick ? sizeof quick_size / sizeof *quick_size : sizeof normal_size / sizeof *normal_size,
                   .with_clumps = strcmp(name[i], "hash") == 0,
                   .begin = (double)i / (double)count,
                   .share = 1 / (double)count};
        const ts_outline *outline;
        TS_TRY(ts_grains_find(grains, name[i], &outline, error));
        TS_TRY(run_field(&f, outline, error));
    }
    return TS_OK;
}
