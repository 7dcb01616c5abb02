/* SPDX-License-Identifier: MIT */
/* The bench `broadphase`: how fast the list of pairs is made, for discs of one size and for a mixture 1 : 10 : 100 in
 * which each size covers the same area; and, against a test of every pair of a smaller crowd, whether it misses any. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/release.h"
#include "bench.h"
#include "contact/pairs.h"
#include "packing.h"

#define REPEATS 9

/* What ts_pairs_build wants. */
typedef struct search {
    ts_model *model;
    ts_state *state;
    ts_pairs pairs;
    ts_reference *reference;
    ts_spot *spot;
    ts_partners *partners;
} search;

static void close_search(search *s)
{
    ts_pairs_free(&s->pairs);
    ts_free(s->reference);
    ts_free(s->spot);
    ts_free(s->partners);
    ts_state_free(s->state);
    ts_model_free(s->model);
}

/* After model and state are there. Places are drawn together by `squeeze`. */
static ts_status open_search(search *s, double squeeze, ts_error *error)
{
    size_t count = ts_model_body_count(s->model);
    const ts_body *body = ts_state_bodies(s->state);
    TS_TRY(ts_new(&s->reference, count, error));
    TS_TRY(ts_new(&s->spot, count, error));
    TS_TRY(ts_new(&s->partners, count, error));
    for (size_t i = 0; i < count; i++)
        s->reference[i] = (ts_reference){squeeze * body[i].x, squeeze * body[i].y, body[i].angle};
    return ts_pairs_create(&s->pairs, s->model, error);
}

static ts_status build_list(search *s, ts_pool *pool, ts_error *error)
{
    return ts_pairs_build(&s->pairs, s->model, &(ts_poses){s->reference, NULL, 0}, 0, s->spot, s->partners, pool,
                          error);
}

/* Discs of three sizes at random places, each size covering the same area. They are placed without overlap, then
 * squeezed until they would cover four fifths of the place: as near to each other as in a packing. */
static ts_status mixture(ts_bench *bench, size_t count, search *s, ts_error *error)
{
    TS_AUTO(ts_scene_free_at) ts_scene *scene = NULL;
    TS_TRY(ts_scene_create(&scene, error));
    ts_settings settings = ts_default_settings();
    settings.seed = ts_bench_seed(bench);
    TS_TRY(ts_scene_set(scene, &settings, error));
    double unit = 1e-3, share = 0.45, squeeze = 0.75;
    double area = 3 * 3.14 * unit * unit * (double)count * (10000.0 / 10101.0);
    ts_mix_entry mix[3] = {{.weight = 10000, .scale_min = 1, .scale_max = 1},
                           {.weight = 100, .scale_min = 10, .scale_max = 10},
                           {.weight = 1, .scale_min = 100, .scale_max = 100}};
    TS_TRY(ts_scene_add_disc(scene, unit, &mix[0].shape, error));
    mix[1].shape = mix[2].shape = mix[0].shape;
    ts_generator_def fill = ts_default_generator();
    fill.fill = TS_FILL_RANDOM;
    fill.region = TS_REGION_BOX;
    fill.high[0] = fill.high[1] = sqrt(area / share);
    fill.count = count;
    fill.mix = mix;
    fill.mix_count = 3;
    TS_TRY(ts_scene_add_generator(scene, &fill, NULL, error));
    TS_TRY(ts_model_compile(scene, &s->model, error));
    TS_TRY(ts_state_create(s->model, &s->state, error));
    return open_search(s, squeeze, error);
}

/* Settled discs of about one size. */
static ts_status bed(ts_bench *bench, size_t count, search *s, ts_error *error)
{
    TS_AUTO(ts_packing_free) ts_packing packing = {0};
    TS_TRY(ts_packing_settled(bench, count, &packing, error));
    TS_TRY(ts_packing_model(&packing, 0, &s->model, &s->state, error));
    return open_search(s, 1, error);
}

/* ---- Rates ---- */

static ts_status time_list(ts_bench *bench, search *s, const char *kind, int threads, ts_error *error)
{
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create(threads, &pool, error));
    double rate[REPEATS];
    TS_TRY(build_list(s, pool, error));
    for (int i = 0; i < REPEATS; i++) {
        double begin = ts_clock_seconds();
        TS_TRY(build_list(s, pool, error));
        rate[i] = (double)s->pairs.pair_count / (ts_clock_seconds() - begin);
    }
    size_t count = ts_model_body_count(s->model);
    char name[128], note[128];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu discs, %s, %d thread%s", count, kind, threads, threads > 1 ? "s" : "");
    row.name = name;
    row.unit = "pairs/s";
    row.ours = ts_bench_median(rate, REPEATS, &row.spread);
    snprintf(note, sizeof note, "%zu pairs; %.3g discs/s", s->pairs.pair_count,
             row.ours * (double)count / (double)s->pairs.pair_count);
    row.note = note;
    return ts_bench_add(bench, &row, error);
}

/* ---- Exactness ---- */

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t key_of(size_t a, size_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Sorted keys of the list. */
static uint64_t *listed_keys(const search *s)
{
    uint64_t *key = ts_alloc(s->pairs.pair_count + 1, sizeof *key);
    for (size_t i = 0; key && i < s->pairs.pair_count; i++)
        key[i] = key_of((size_t)s->pairs.part_of_slot[s->pairs.pair[i].a],
                        (size_t)s->pairs.part_of_slot[s->pairs.pair[i].b]);
    if (key)
        qsort(key, s->pairs.pair_count, sizeof *key, by_key);
    return key;
}

/* Every pair that is nearer than the skin, tested one by one; counts those that are not in the list. */
static void test_every_pair(const search *s, const uint64_t *key, size_t *near, size_t *missed)
{
    const ts_body *body = ts_state_bodies(s->state);
    size_t count = ts_model_body_count(s->model);
    *near = *missed = 0;
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            double dx = s->reference[b].x - s->reference[a].x, dy = s->reference[b].y - s->reference[a].y;
            if (!(hypot(dx, dy) < body[a].radius + body[b].radius + s->model->settings.skin))
                continue;
            uint64_t wanted = key_of(a, b);
            ++*near;
            *missed += bsearch(&wanted, key, s->pairs.pair_count, sizeof *key, by_key) == NULL;
        }
}

static ts_status check_list(ts_bench *bench, search *s, const char *kind, ts_error *error)
{
    size_t near, missed, count = ts_model_body_count(s->model);
    char name[128];
    TS_TRY(build_list(s, NULL, error));
    uint64_t *key = listed_keys(s);
    if (!key)
        return ts_fail_memory(error, s->pairs.pair_count * sizeof *key);
    test_every_pair(s, key, &near, &missed);
    ts_free(key);
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu discs, %s, pairs listed", count, kind);
    row.name = name;
    row.unit = "1";
    row.ours = (double)s->pairs.pair_count;
    row.peer = "a test of every pair";
    row.peer_value = (double)near;
    row.ratio = row.ours / row.peer_value;
    TS_TRY(ts_bench_add(bench, &row, error));
    row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu discs, %s, pairs missed", count, kind);
    row.name = name;
    row.unit = "1";
    row.ours = row.judged = (double)missed;
    row.goal = 0;
    row.goal_is_most = true;
    return ts_bench_add(bench, &row, error);
}

/* ---- The bench ---- */

typedef ts_status make_crowd(ts_bench *bench, size_t count, search *s, ts_error *error);

static ts_status run_crowd(ts_bench *bench, make_crowd *make, const char *kind, size_t count, bool exactness,
                           ts_error *error)
{
    TS_AUTO(close_search) search s = {0};
    TS_TRY(make(bench, count, &s, error));
    if (exactness)
        TS_TRY(check_list(bench, &s, kind, error));
    int most = ts_bench_threads(bench) > 1 ? 2 : 1;
    for (int threads = 1; threads <= most && !exactness; threads++)
        TS_TRY(time_list(bench, &s, kind, threads, error));
    return TS_OK;
}

ts_status ts_bench_broadphase(ts_bench *bench, ts_error *error)
{
    bool quick = ts_bench_quick(bench);
    TS_TRY(run_crowd(bench, bed, "sizes 0.8 to 1.2", quick ? 1000 : 10000, true, error));
    ts_bench_report(bench, 0.2, "a mixture of sizes");
    TS_TRY(run_crowd(bench, mixture, "sizes 1:10:100", 20000, true, error));
    ts_bench_report(bench, 0.4, "settled discs");
    TS_TRY(run_crowd(bench, bed, "sizes 0.8 to 1.2", quick ? 1000 : 100000, false, error));
    ts_bench_report(bench, 0.7, "a mixture of sizes");
    return run_crowd(bench, mixture, "sizes 1:10:100", quick ? 20000 : 100000, false, error);
}
