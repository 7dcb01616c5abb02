/* SPDX-License-Identifier: MIT */
/* Making maps: options, the pair, the field of the kind, errors, and the cache around it all. */
#include "cspace/map.h"

#include <math.h>

#include "base/clock.h"
#include "base/given.h"
#include "base/memory.h"
#include "base/release.h"
#include "base/threads.h"
#include "cspace/cache.h"
#include "cspace/network_file.h"
#include "cspace/network_kernel.h"
#include "cspace/rim.h"
#include "cspace/train.h"
#include "shape/outline.h"

/* More than a table can give: it then is as good as its bytes allow. */
static const double least_error = 1e-6;

/* Poses near contact on which a new map is measured. */
#define ASSESS_SAMPLES 10000
#define ASSESS_SEED    1

#define GRID_LEAST     3
#define GRID_MOST      2001

/* Narrower, the differences that smoothing takes are rounding. */
static const double smoothing_least = 1e-6;

/* ---- Options ---- */

/* A number that must be finite and not negative. */
static ts_status check_number(const char *name, double value, ts_error *error)
{
    if (!(value >= 0 && value < (double)INFINITY))
        return ts_fail(error, TS_BAD_INPUT, "a map's \"%s\" is %g, but must be a number of at least 0 (0: the default)",
                       name, value);
    return TS_OK;
}

/* A count that must be 0 or in least … most. */
static ts_status check_count(const char *name, int32_t value, int32_t least, int32_t most, ts_error *error)
{
    if (value != 0 && (value < least || value > most))
        return ts_fail(error, TS_BAD_INPUT,
                       "a map's \"%s\" is %d, but must be from %d to %d; leave it out (0) for the default", name,
                       (int)value, (int)least, (int)most);
    return TS_OK;
}

ts_status ts_map_options_complete(const ts_map_options *given, ts_map_options *complete, ts_error *error)
{
    ts_map_options o = given ? *given : (ts_map_options){0};
    if ((unsigned)o.kind > TS_MAP_TABLE)
        return ts_fail(error, TS_BAD_INPUT,
                       "a map's \"kind\" is %d, which is none; take TS_MAP_AUTO, EXACT, SAMPLED, NETWORK or TABLE",
                       (int)o.kind);
    if ((unsigned)o.encoding > TS_ENCODING_RAW)
        return ts_fail(error, TS_BAD_INPUT,
                       "a map's \"encoding\" is %d, which is none; take TS_ENCODING_CIRCLE or TS_ENCODING_RAW",
                       (int)o.encoding);
    TS_TRY(check_number("error", o.error, error));
    TS_TRY(check_number("smoothing", o.smoothing, error));
    TS_TRY(check_number("seconds", o.seconds, error));
    TS_TRY(check_count("grid", o.grid, GRID_LEAST, GRID_MOST, error));
    TS_TRY(check_count("depth", o.depth, 1, TS_NETWORK_DEPTH_MAX, error));
    TS_TRY(check_count("width", o.width, 1, TS_NETWORK_WIDTH_MAX, error));
    if (o.smoothing > 0.5)
        return ts_fail(error, TS_BAD_INPUT,
                       "a map's \"smoothing\" is %g, more than half of the radius; 0.01 to 0.05 are usual",
                       o.smoothing);
    if (o.smoothing > 0 && o.smoothing < smoothing_least)
        return ts_fail(error, TS_BAD_INPUT,
                       "a map's \"smoothing\" is %g, too narrow for its differences to be more than rounding; take "
                       "%g at least, or 0 for none",
                       o.smoothing, smoothing_least);
    if (o.error == 0 && o.bytes == 0 && (o.kind == TS_MAP_AUTO || o.kind == TS_MAP_TABLE))
        o.error = 0.002; /* who gives bytes alone wants the best in them: it stays 0 */
    if (o.kind != TS_MAP_EXACT && o.kind != TS_MAP_SAMPLED)
        o.smoothing = 0; /* an exact map in place of a table is as that would have been */
    o.bytes = o.bytes ? o.bytes : 524288;
    o.grid = o.grid ? o.grid : 201;
    o.depth = o.depth ? o.depth : 5;
    o.width = o.width ? o.width : 64;
    *complete = o;
    return TS_OK;
}

/* ---- Putting together ---- */

/* A field that is worked out at every query, its kinks rounded if that is wished. */
static ts_status use_field(ts_map *map, const void *field, ts_field_query *query, ts_error *error)
{
    double width = map->info.options.smoothing;
    map->field = field;
    map->query = query;
    if (width > 0) {
        TS_TRY(ts_smoothed_create(map->pair, field, query, width, &map->smooth, error));
        map->field = &map->smooth;
        map->query = ts_smoothed_query;
    }
    return TS_OK;
}

/* What is asked, and how much of it there is. */
static ts_status choose_field(ts_map *map, ts_error *error)
{
    const ts_map_options *o = &map->info.options;
    switch (map->info.kind) {
    case TS_MAP_SAMPLED:
        TS_TRY(ts_sampled_create(map->pair, o->grid, o->refine, &map->sampled, error));
        return use_field(map, map->sampled, ts_sampled_query, error);
    case TS_MAP_NETWORK:
        ts_network_suit(map->network, &map->fold);
        map->field = map->network;
        map->query = ts_network_query;
        map->info.bytes = ts_network_bytes(map->network);
        return TS_OK;
    case TS_MAP_TABLE:
        map->field = map->table;
        map->query = ts_table_query;
        map->info.bytes = ts_table_bytes(map->table);
        return TS_OK;
    default:
        return use_field(map, map->exact, ts_exact_query, error);
    }
}

static void free_parts(ts_pair *pair, ts_network *network, ts_table *table)
{
    if (network)
        ts_network_free(network);
    ts_free(network);
    ts_table_free(table);
    ts_pair_free(pair);
}

/* The parts' own kind: auto is whatever is there. */
static ts_status settle_kind(ts_map *map, ts_error *error)
{
    ts_map_kind asked = map->info.options.kind;
    ts_map_kind there = map->table ? TS_MAP_TABLE : map->network ? TS_MAP_NETWORK : TS_MAP_EXACT;
    bool stored = asked == TS_MAP_TABLE || asked == TS_MAP_NETWORK || there != TS_MAP_EXACT;
    if (asked != TS_MAP_AUTO && stored && asked != there)
        return ts_fail(error, TS_BAD_INPUT, "a map of kind %s was given the parts of kind %s; give its own",
                       ts_map_kind_name(asked), ts_map_kind_name(there));
    map->info.kind = asked == TS_MAP_AUTO ? there : asked;
    return TS_OK;
}

ts_fold ts_map_fold(ts_map_kind kind, const ts_pair *pair, bool folding)
{
    if (kind == TS_MAP_TABLE || kind == TS_MAP_AUTO)
        return ts_fold_for_table(pair, folding);
    return ts_fold_make(pair, kind == TS_MAP_NETWORK && folding);
}

static ts_status fill_map(ts_map *map, const ts_map_options *options, ts_error *error)
{
    const ts_pair *pair = map->pair;
    TS_TRY(ts_map_options_complete(options, &map->info.options, error));
    TS_TRY(settle_kind(map, error));
    map->info.radius_a = pair->radius_a * pair->unit;
    map->info.radius_b = pair->radius_b * pair->unit;
    map->info.hash_a = pair->hash_a;
    map->info.hash_b = pair->hash_b;
    map->fold = ts_map_fold(map->info.kind, pair, !map->info.options.no_folding);
    TS_TRY(ts_exact_create(pair, &map->exact, error));
    return choose_field(map, error);
}

void ts_map_turn(ts_map *map)
{
    ts_map_info *info = &map->info;
    double radius = info->radius_a;
    uint64_t hash = info->hash_a;
    info->radius_a = info->radius_b, info->radius_b = radius;
    info->hash_a = info->hash_b, info->hash_b = hash;
    map->turned = !map->turned;
}

ts_status ts_map_assemble(ts_pair *pair, const ts_map_options *options, ts_network *network, ts_table *table,
                          ts_map **map, ts_error *error)
{
    *map = NULL;
    TS_AUTO(ts_map_free_at) ts_map *m = ts_alloc(1, sizeof *m);
    if (!m) {
        free_parts(pair, network, table);
        return ts_fail_memory(error, sizeof *m);
    }
    *m = (ts_map){.pair = pair, .network = network, .table = table};
    TS_TRY(fill_map(m, options, error));
    *map = ts_give(&m);
    return TS_OK;
}

/* ---- Making ---- */

/* What making one map needs. */
typedef struct job {
    ts_map_options options; /* complete, as asked */
    const ts_map_making *making;
    const char *folder; /* of the cache; empty: none */
    ts_pool *pool;
    bool turned;  /* the caller's A is the pair's B */
    double since; /* when making began, not counting a wait for others */
} job;

/* Building, then measuring: a part of what there is to do. */
typedef struct part {
    const ts_map_making *making;
    double from, share;
} part;

static const double build_share = 0.9;

static bool tell(void *user, double done, const char *what)
{
    const part *p = user;
    return !p->making->progress || p->making->progress(p->making->progress_user, p->from + p->share * done, what);
}

/* Trains the networks of a map that does not have them yet: an exact map in the meantime. */
static ts_status train(const job *j, const ts_map *base, const ts_fold *fold, ts_network **network, ts_error *error)
{
    part building = {j->making, 0, build_share};
    ts_training training = {j->pool, tell, &building};
    *network = ts_alloc(1, sizeof **network);
    if (!*network)
        return ts_fail_memory(error, sizeof **network);
    ts_status status = ts_network_train(base->exact, base->pair, fold, &j->options, &training, *network, error);
    if (status == TS_OK)
        status = ts_network_round(*network, error); /* to what a file holds, before errors are measured */
    if (status != TS_OK) {
        ts_network_free(*network);
        ts_free(*network);
        *network = NULL;
    }
    return status;
}

/* Puts a table or networks into a map that was exact until now, and measures it. */
static ts_status become(const job *j, ts_map *map, ts_network *network, ts_table *table, ts_error *error)
{
    map->network = network;
    map->table = table;
    map->info.kind = table ? TS_MAP_TABLE : TS_MAP_NETWORK;
    map->fold = ts_map_fold(map->info.kind, map->pair, !j->options.no_folding);
    TS_TRY(choose_field(map, error));
    map->info.build_seconds = ts_clock_seconds() - j->since;
    part rest = {j->making, build_share, 1 - build_share};
    ts_assessing how = {j->pool, tell, &rest};
    return ts_map_assess(map, ASSESS_SAMPLES, ASSESS_SEED, &how, &map->info.errors, error);
}

/* A table that would not do is given up: the map is exact again. */
static void remain_exact(ts_map *map)
{
    ts_table_free(map->table);
    map->table = NULL;
    map->info.kind = TS_MAP_EXACT;
    map->info.bytes = 0;
    map->info.errors = (ts_map_errors){0};
    map->fold = ts_fold_make(map->pair, false);
    map->field = map->exact;
    map->query = ts_exact_query;
}

/* Whether auto may answer a failure with the exact map. */
static bool is_grave(ts_status status)
{
    return status == TS_OUT_OF_MEMORY || status == TS_INTERRUPTED;
}

/* What has to be true of a table for auto to take it: errors as they were measured on poses of their own. One wrong
 * sign in a thousand; where an error is allowed of more than half of what counts as clearly apart, more. */
static bool will_do(const ts_map_errors *e, double error)
{
    double wrong = TS_TABLE_WRONG_SHARE * fmax(1, 2 * error / TS_TABLE_CLEAR);
    return e->mean <= error && e->worst <= fmax(TS_TABLE_WORST_SHARE * error, TS_TABLE_WORST_LEAST) &&
           1 - e->sign <= wrong;
}

/* What a table lacks for auto to take it; NULL: there is none. Bytes alone: no error was asked for, but what fits in
 * must fit in. */
static ts_map_lack lack_of(const ts_table *table, const ts_map_errors *e, double error)
{
    if (!table)
        return TS_LACK_ROOM;
    if (!ts_table_is_open(table))
        return TS_LACK_OPEN;
    if (error == 0 || (ts_table_reached(table) && will_do(e, error)))
        return TS_LACK_UNKNOWN;
    return e->mean > error ? TS_LACK_ERROR : TS_LACK_WORST;
}

/* A grain beside one so many times as large: a table of their poses would take hours, and no room holds it. */
static const double auto_ratio = 12;

/* Fits a table and makes the map one; auto may stay exact. */
static ts_status build_table(const job *j, ts_map *map, const ts_fold *fold, ts_error *error)
{
    const ts_map_options *o = &j->options;
    part building = {j->making, 0, build_share};
    ts_table *table = NULL;
    if (o->kind == TS_MAP_AUTO && fmax(map->pair->radius_a, map->pair->radius_b) > auto_ratio * map->pair->small) {
        remain_exact(map);
        map->lack = TS_LACK_ROOM;
        map->info.build_seconds = ts_clock_seconds() - j->since;
        return TS_OK;
    }
    ts_status status = ts_table_fit(map->exact, map->pair, fold, o->error > 0 ? o->error : least_error, o->bytes,
                                    j->pool, tell, &building, &table, error);
    if (status == TS_OK)
        status = become(j, map, NULL, table, error);
    if (o->kind != TS_MAP_AUTO || is_grave(status))
        return status;
    ts_map_lack lack = lack_of(status == TS_OK ? table : NULL, &map->info.errors, o->error);
    if (lack != TS_LACK_UNKNOWN) {
        remain_exact(map);
        map->lack = lack;
        map->info.build_seconds = ts_clock_seconds() - j->since;
    }
    return TS_OK;
}

static ts_status build(const job *j, ts_map *map, ts_error *error)
{
    const ts_map_options *o = &j->options;
    ts_fold fold = ts_map_fold(o->kind, map->pair, !o->no_folding);
    ts_network *network = NULL;
    if (o->kind != TS_MAP_NETWORK)
        return build_table(j, map, &fold, error);
    TS_TRY(train(j, map, &fold, &network, error));
    return become(j, map, network, NULL, error);
}

/* Without a cache it is made anew next time, no more: a failure is noted, not returned. */
static void keep(const job *j, ts_map *map)
{
    ts_error why;
    if (ts_cache_keep(j->folder, map, &why) != TS_OK)
        ts_error_text(&why, map->unkept, sizeof map->unkept);
}

/* Makes a map while others who want the same one wait, and keeps it. */
static ts_status make_and_keep(job *j, ts_map **map, ts_error *error)
{
    ts_map *m = *map; /* exact until now */
    ts_cache_lock lock = {.file = -1};
    bool cached = j->folder[0] != 0;
    double waiting = ts_clock_seconds();
    if (cached)
        TS_TRY(ts_cache_begin(j->folder, ts_cache_key(m->pair, &j->options), j->making->progress,
                              j->making->progress_user, &lock, error));
    ts_map *found = NULL;
    ts_status status = TS_OK;
    j->since += ts_clock_seconds() - waiting;
    if (cached && !j->making->rebuild)
        status = ts_cache_find(j->folder, m->pair, &j->options, &found, error);
    if (found) {
        if (found->turned != j->turned)
            ts_map_turn(found);
        ts_map_free(m);
        *map = found;
    } else if (status == TS_OK) {
        status = build(j, m, error);
        m->info.options = j->options;
        if (status == TS_OK && cached)
            keep(j, m);
    }
    if (cached)
        ts_cache_end(&lock);
    return status;
}

/* A map of a kind that is worth keeping: from the cache, or made. */
static ts_status find_or_make(job *j, ts_map **map, ts_error *error)
{
    ts_map *found = NULL;
    if (j->folder[0] != 0 && !j->making->rebuild)
        TS_TRY(ts_cache_find(j->folder, (*map)->pair, &j->options, &found, error));
    if (found) {
        if (found->turned != j->turned)
            ts_map_turn(found);
        ts_map_free(*map);
        *map = found;
        return TS_OK;
    }
    TS_TRY(ts_pool_create(j->making->threads, &j->pool, error));
    ts_status status = make_and_keep(j, map, error);
    ts_pool_free(j->pool);
    return status;
}

/* ---- Public functions ---- */

ts_status ts_map_create(const ts_outline *a, const ts_outline *b, const ts_map_options *options,
                        const ts_map_making *making, ts_map **map, ts_error *error)
{
    TS_GIVEN(map, "making a map", error);
    *map = NULL;
    TS_GIVEN(a, "making a map", error);
    TS_GIVEN(b, "making a map", error);
    char folder[4096];
    const ts_map_making plain = {0};
    job j = {.making = making ? making : &plain, .since = ts_clock_seconds()};
    TS_TRY(ts_map_options_complete(options, &j.options, error));
    j.folder = j.making->cache ? j.making->cache : ts_map_cache_folder(folder, sizeof folder);

    /* every map begins as an exact one, or a sampled one, and may then become something faster */
    bool stored = j.options.kind != TS_MAP_EXACT && j.options.kind != TS_MAP_SAMPLED;
    ts_map_options first = j.options;
    first.kind = stored ? TS_MAP_EXACT : j.options.kind;
    ts_pair *pair = NULL;
    ts_map *m = NULL;
    TS_TRY(ts_pair_create(a, b, &pair, error));
    j.turned = ts_pair_is_turned(pair);
    if (j.turned)
        ts_pair_turn(pair);
    TS_TRY(ts_map_assemble(pair, &first, NULL, NULL, &m, error));
    if (j.turned)
        ts_map_turn(m);
    m->info.build_seconds = ts_clock_seconds() - j.since;
    if (stored) {
        ts_status status = find_or_make(&j, &m, error);
        if (status != TS_OK) {
            ts_map_free(m);
            return status;
        }
    }
    *map = m;
    return TS_OK;
}

void ts_map_free(ts_map *map)
{
    if (!map)
        return;
    ts_smoothed_free(&map->smooth);
    ts_exact_free(map->exact);
    ts_sampled_free(map->sampled);
    free_parts(map->pair, map->network, map->table);
    ts_free(map);
}

/* As they were read, and packed for the kernels: both in single precision, whatever a file has (info.bytes). */
static size_t perceptron_memory(const ts_perceptron *p)
{
    return (p->count + (p->packed ? ts_network_layout_of(p).count : 0)) * sizeof(float);
}

size_t ts_map_memory(const ts_map *map)
{
    const ts_outline *outline[] = {map->pair->a, map->pair->b};
    size_t bytes = sizeof *map + sizeof *map->pair + ts_recall_bytes(map->smooth.nodes);
    if (map->table)
        bytes += ts_table_bytes(map->table);
    if (map->network)
        bytes += sizeof *map->network + perceptron_memory(&map->network->gap) + perceptron_memory(&map->network->arm);
    for (int i = 0; i < 2; i++)
        bytes += ts_distance_bytes(outline[i]->distance) +
                 ts_outline_vertex_count(outline[i]) * (sizeof(ts_vertex) + sizeof(ts_rim_edge));
    return bytes;
}

ts_map_info ts_map_get_info(const ts_map *map)
{
    return map->info;
}

ts_status ts_map_measure(const ts_map *map, uint64_t samples, uint64_t seed, int threads, ts_map_errors *errors,
                         ts_error *error)
{
    TS_GIVEN(map, "measuring a map", error);
    TS_GIVEN(errors, "measuring a map", error);
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create(threads, &pool, error));
    return ts_map_assess(map, samples, seed, &(ts_assessing){.pool = pool}, errors, error);
}

const char *ts_map_kind_name(ts_map_kind kind)
{
    static const char *const name[] = {"auto", "exact", "sampled", "network", "table"};
    return (unsigned)kind < sizeof name / sizeof *name ? name[kind] : "unknown";
}
