/* SPDX-License-Identifier: MIT */
/* touchstone map compare: what each kind of map costs and how far it is from the truth, for one pair of outlines. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/vec.h"
#include "cli/format.h"
#include "cli/map.h"
#include "cli/signals.h"
#include "cspace/poses.h"
#include "study/output.h"

/* ---- Which ---- */

typedef struct contestant {
    ts_map_kind group; /* of --kinds */
    const char *name;
    ts_map_options options;
    double weight; /* about how long making it takes, and */
    double judge;  /* measuring it, for the progress line alone: seconds for two # */
} contestant;

/* A table is asked for more than it can give, so that it is as good as its size allows. */
#define TABLE(kilobytes)                                                \
    {                                                                   \
        .kind = TS_MAP_TABLE, .error = 1e-6, .bytes = (kilobytes)*1000u \
    }
#define NETWORK(depth_, width_)                                      \
    {                                                                \
        .kind = TS_MAP_NETWORK, .depth = (depth_), .width = (width_) \
    }
#define PUBLISHED(depth_, width_)                                                                                     \
    {                                                                                                                 \
        .kind = TS_MAP_NETWORK, .depth = (depth_), .width = (width_), .no_folding = true, .encoding = TS_ENCODING_RAW \
    }
static const contestant all[] = {
    {TS_MAP_EXACT, "exact", {.kind = TS_MAP_EXACT}, 0, 1},
    {TS_MAP_SAMPLED, "sampled", {.kind = TS_MAP_SAMPLED, .grid = 201}, 0, 10},
    {TS_MAP_SAMPLED, "sampled, refined", {.kind = TS_MAP_SAMPLED, .grid = 201, .refine = true}, 0, 80},
    {TS_MAP_NETWORK, "3×32 published", PUBLISHED(3, 32), 40, 4},
    {TS_MAP_NETWORK, "3×32 folded", NETWORK(3, 32), 40, 4},
    {TS_MAP_NETWORK, "5×64 published", PUBLISHED(5, 64), 150, 4},
    {TS_MAP_NETWORK, "5×64 folded", NETWORK(5, 64), 150, 4},
    {TS_MAP_TABLE, "table, 20 kB", TABLE(20), 12, 4},
    {TS_MAP_TABLE, "table, 80 kB", TABLE(80), 20, 4},
    {TS_MAP_TABLE, "table, 320 kB", TABLE(320), 60, 4},
    {TS_MAP_AUTO, "auto", {.kind = TS_MAP_AUTO}, 25, 4},
};
enum { all_count = sizeof all / sizeof all[0] };

/* Not that of ts_map_create: a map is measured on poses that nobody chose it by. */
#define MEASURE_SEED 4242

/* ---- How fast ---- */

/* Poses near contact, from the truth, with the pair's A at the origin. Returns how many there are. */
static size_t near_poses(const ts_map *map, ts_map_pose *pose, size_t wanted)
{
    const double origin[3] = {0};
    size_t count = 0;
    for (uint64_t i = 0; i < wanted; i++) {
        ts_relative_pose p;
        if (ts_pose_draw_near(map->exact, map->pair, 1, TS_POSES_TIME, i, &p))
            pose[count++] = ts_map_place(map, origin, (double[3]){p.x, p.y, p.angle});
        else if (count == 0)
            break; /* nor will there be any */
    }
    return count;
}

/* Seconds of one query, in batches as large as `pose` holds, on one thread. Ever more are asked until it takes long
 * enough to be measured; the shortest of three such stretches counts, since others only add to it. */
static double time_query(const ts_map *map, const ts_map_pose *pose, ts_map_contact *contact, size_t count)
{
    const double long_enough = 0.02;
    double best = HUGE_VAL;
    size_t asked = 1;
    for (int stretch = 0; stretch < 3;) {
        double begin = ts_clock_seconds();
        for (size_t done = 0; done < asked; done += count)
            ts_map_query(map, asked - done < count ? asked - done : count, pose, contact);
        double spent = ts_clock_seconds() - begin;
        if (spent >= long_enough) {
            best = fmin(best, spent / (double)asked);
            stretch++;
        } else {
            asked *= 4;
        }
    }
    return best;
}

/* ---- Rows ---- */

typedef struct row {
    const contestant *who;
    char name[48]; /* the contestant's, or what came of it in the time that it was given */
    ts_map_info info;
    ts_map_errors errors; /* measured here, on the same poses for all; samples 0: exact */
    double query;         /* seconds of one */
} row;

typedef struct comparison {
    const ts_map_pairing *of;
    bool wanted[TS_MAP_TABLE + 1]; /* kinds */
    row row[all_count + 1];
    size_t count;
} comparison;

enum { pose_count = 1024 };

typedef struct arena {
    ts_map_pose *pose; /* (pose_count) */
    ts_map_contact *contact;
    size_t count; /* poses near contact */
} arena;

/* The map of a file, which is there already. */
static const contestant from_file = {TS_MAP_AUTO, "file", {.kind = TS_MAP_AUTO}, 0, 4};

/* How long a row takes, about, with --quick or without. */
static double weight_of(const contestant *who, bool quick)
{
    double make = quick && who->group == TS_MAP_NETWORK ? 6 : who->weight;
    return make + (quick ? 0.1 : 1) * who->judge;
}

/* Errors on poses of their own, and the time of a query. */
static ts_status judge(ts_map_task *task, const ts_map *map, const arena *on, row *to, ts_error *error)
{
    const ts_map_wish *wish = task->wish;
    bool slow = map->info.kind == TS_MAP_SAMPLED; /* milliseconds a query */
    ts_pool *pool = NULL;
    ts_status status = TS_OK;
    to->info = ts_map_get_info(map);
    if (to->info.kind != TS_MAP_EXACT) {
        TS_TRY(ts_pool_create((int)wish->threads, &pool, error));
        ts_assessing how = {pool, ts_map_task_report, task};
        status = ts_map_assess(map,
                               slow          ? (wish->quick ? 100 : 1000)
                               : wish->quick ? 2000
                                             : 20000,
                               MEASURE_SEED, &how, &to->errors, error);
        ts_pool_free(pool);
    }
    if (status == TS_OK)
        to->query = time_query(map, on->pose, on->contact, on->count);
    return status;
}

/* A network that was stopped is none of those that were published, whatever its form. */
static void name_row(row *r, const ts_map_options *o)
{
    if (o->kind == TS_MAP_NETWORK && o->seconds > 0)
        snprintf(r->name, sizeof r->name, "%d×%d%s, %.3g s", o->depth, o->width, o->no_folding ? "" : " fold",
                 o->seconds);
    else
        snprintf(r->name, sizeof r->name, "%s", r->who->name);
}

/* `span`: from which share of all the work to which. */
static ts_status run_row(ts_map_task *task, const comparison *c, const arena *on, row *r, const double span[2],
                         ts_error *error)
{
    const ts_map_wish *wish = task->wish;
    ts_map_options o = r->who->options;
    ts_map *map = NULL;
    double judged = (wish->quick ? 0.1 : 1) * r->who->judge / weight_of(r->who, wish->quick);
    double made = span[1] - (span[1] - span[0]) * judged;
    if (o.kind == TS_MAP_NETWORK) {
        o.seconds = wish->seconds > 0 ? wish->seconds : wish->quick ? 2 : 0;
        o.samples = wish->samples;
        o.seed = wish->seed;
    }
    if (o.kind == TS_MAP_AUTO) {
        o.error = wish->error;
        o.bytes = (size_t)wish->bytes;
    }
    name_row(r, &o);
    ts_map_task_part(task, r->name, made, span[1]);
    if (r->who == &from_file)
        return judge(task, c->of->map, on, r, error);
    ts_map_task_part(task, r->name, span[0], made);
    TS_TRY(ts_map_task_make(task, c->of->a.outline, c->of->b.outline, &o, &map, error));
    ts_map_task_part(task, r->name, made, span[1]);
    ts_status status = judge(task, map, on, r, error);
    ts_map_free(map);
    return status;
}

static void print_comparison(const comparison *c, FILE *stream)
{
    fprintf(stream, "%s × %s%s%s\n", c->of->a.name, c->of->b.name, c->of->file ? " of " : "",
            c->of->file ? c->of->file : "");
    ts_listing listing = ts_listing_make("lrrrrrrrr");
    ts_listing_row(&listing, "\tsize\tbuild\tquery\tmean\t99th\tworst\tnormal\tsurface");
    ts_listing_row(&listing, "\t\t\t\t%%\t%%\t%%\t\t%%");
    for (size_t i = 0; i < c->count; i++) {
        const row *r = &c->row[i];
        const ts_map_errors *e = &r->errors;
        double kilobytes = (double)r->info.bytes / 1000;
        char size[32], build[32];
        snprintf(size, sizeof size, kilobytes < 99.95 ? "%.1f kB" : "%.0f kB", kilobytes);
        snprintf(build, sizeof build, r->info.build_seconds < 99.95 ? "%.1f s" : "%.0f s", r->info.build_seconds);
        ts_shown query = ts_show_si(r->query, "s");
        if (e->samples == 0)
            ts_listing_row(&listing, "%s\t%s\t%s\t%s\t–\t–\t–\t–\t–", r->name, size, build, query.text);
        else
            ts_listing_row(&listing, "%s\t%s\t%s\t%s\t%.2f\t%.1f\t%.1f\t%.1f°\t%.1f", r->name, size, build, query.text,
                           100 * e->mean, 100 * e->high, 100 * e->worst, e->normal_mean * 180 / TS_PI,
                           100 * e->surface);
    }
    ts_listing_print(&listing, stream);
    ts_print_wrapped(
        stream,
        "Errors of the gap near contact (mean, 99th percentile, worst), and of the surface of contact, in percent of "
        "the smaller radius; normal: mean angle to the true one. Queries on one thread, near contact.",
        0, 0);
}

static void write_comparison(ts_json *json, const void *subject)
{
    const comparison *c = subject;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "a", c->of->a.name);
    ts_json_text(json, "b", c->of->b.name);
    ts_json_begin_array(json, "maps");
    for (size_t i = 0; i < c->count; i++) {
        const row *r = &c->row[i];
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "name", r->name);
        ts_json_text(json, "kind", ts_map_kind_name(r->info.kind));
        ts_json_bool(json, "folding", !r->info.options.no_folding);
        ts_json_uint(json, "bytes", r->info.bytes);
        ts_json_number(json, "build_seconds", r->info.build_seconds);
        ts_json_bool(json, "from_cache", r->info.from_cache);
        ts_json_number(json, "query_seconds", r->query);
        ts_map_errors_json(json, "errors", &r->errors);
        ts_json_end(json);
    }
    ts_json_end(json);
    ts_json_end(json);
}

/* ---- The comparison ---- */

/* Poses for a pair, of any of its maps. */
static ts_status prepare(const ts_map *map, arena *on, ts_error *error)
{
    TS_TRY(ts_new(&on->pose, pose_count, error));
    TS_TRY(ts_new(&on->contact, pose_count, error));
    on->count = near_poses(map, on->pose, pose_count);
    if (on->count == 0)
        return ts_fail(error, TS_BAD_INPUT, "no pose near contact was found; are both outlines what they should be?");
    return TS_OK;
}

static void clear(arena *on)
{
    ts_free(on->pose);
    ts_free(on->contact);
}

ts_status ts_map_time(const ts_map *map, double *seconds, ts_error *error)
{
    arena on = {0};
    ts_status status = prepare(map, &on, error);
    if (status == TS_OK)
        *seconds = time_query(map, on.pose, on.contact, on.count);
    clear(&on);
    return status;
}

static ts_status run_rows(ts_map_task *task, comparison *c, ts_error *error)
{
    arena on = {0};
    double weight = 0, done = 0;
    const contestant *list[all_count + 1];
    size_t listed = 0;
    ts_map *exact = NULL;
    ts_map_options o = {.kind = TS_MAP_EXACT};
    ts_map_making making = {.cache = ""};
    ts_status status = ts_map_create(c->of->a.outline, c->of->b.outline, &o, &making, &exact, error);
    if (status == TS_OK)
        status = prepare(exact, &on, error);
    ts_map_free(exact);
    if (c->of->map)
        list[listed++] = &from_file;
    for (int i = 0; i < all_count; i++)
        if (c->wanted[all[i].group])
            list[listed++] = &all[i];
    for (size_t i = 0; i < listed; i++)
        weight += weight_of(list[i], task->wish->quick);
    for (size_t i = 0; i < listed && status == TS_OK; i++) {
        double own = weight_of(list[i], task->wish->quick);
        c->row[c->count] = (row){.who = list[i]};
        status = run_row(task, c, &on, &c->row[c->count], (double[2]){done / weight, (done + own) / weight}, error);
        done += own;
        c->count += status == TS_OK;
        if (status == TS_OK && ts_stop_requested())
            status = ts_fail(error, TS_INTERRUPTED, "interrupted");
    }
    clear(&on);
    return status;
}

ts_status ts_map_compare(const ts_map_wish *wish, const ts_map_pairing *of, ts_error *error)
{
    comparison c = {.of = of};
    ts_map_task task;
    ts_map_kinds kinds;
    TS_TRY(ts_map_kinds_parse(wish->kinds ? wish->kinds : "exact,sampled,network,table,auto", &kinds, error));
    memcpy(c.wanted, kinds.has, sizeof c.wanted);
    ts_map_task_begin(&task, wish);
    ts_status status = run_rows(&task, &c, error);
    ts_map_task_end(&task);
    if (c.count > 0 && !wish->quiet) /* also what was done before it was interrupted */
        print_comparison(&c, ts_output_stream(wish->json));
    return status == TS_OK ? ts_output_json(wish->json, write_comparison, &c, error) : status;
}
