/* SPDX-License-Identifier: MIT */
/* touchstone map compare: what each kind of map costs and how far it is from the truth, for one pair of outlines. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/vec.h"
#include "cli/format.h"
#include "cli/map.h"
#include "cli/signals.h"
#include "study/output.h"

/* ---- Which ---- */

typedef struct contestant {
    const char *group; /* of --kinds */
    const char *name;
    ts_map_options options;
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
    {"exact", "exact", {.kind = TS_MAP_EXACT}},
    {"sampled", "sampled", {.kind = TS_MAP_SAMPLED, .grid = 201}},
    {"sampled", "sampled, refined", {.kind = TS_MAP_SAMPLED, .grid = 201, .refine = true}},
    {"network", "3×32 published", PUBLISHED(3, 32)},
    {"network", "3×32 folded", NETWORK(3, 32)},
    {"network", "5×64 published", PUBLISHED(5, 64)},
    {"network", "5×64 folded", NETWORK(5, 64)},
    {"table", "table, 20 kB", TABLE(20)},
    {"table", "table, 80 kB", TABLE(80)},
    {"table", "table, 320 kB", TABLE(320)},
    {"auto", "auto", {.kind = TS_MAP_AUTO}},
};
enum { all_count = sizeof all / sizeof all[0] };

/* Whether `list`, words with commas between them, names the group; NULL names all. */
static bool is_listed(const char *list, const char *group)
{
    if (!list)
        return true;
    size_t length = strlen(group);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, group, length) == 0 && (at[length] == 0 || at[length] == ','))
            return true;
    return false;
}

/* Each word of --kinds has to be a group. */
static ts_status check_list(const char *list, ts_error *error)
{
    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, ",");
        bool known = false;
        for (int i = 0; i < all_count && !known; i++)
            known = strlen(all[i].group) == length && strncmp(all[i].group, at, length) == 0;
        if (!known)
            return ts_fail(error, TS_BAD_INPUT,
                           "--kinds has '%.*s'; choose from exact, sampled, network, table and auto, with commas "
                           "between them",
                           (int)length, at);
        at += length + (at[length] == ',');
    }
    return list && !*list ? ts_fail(error, TS_BAD_INPUT, "--kinds is empty; name some, as in --kinds network,table")
                          : TS_OK;
}

/* ---- How fast ---- */

/* Poses near contact, from the truth: |gap| at most a tenth of the larger radius. Returns how many there are. */
static size_t near_poses(const ts_map *exact, ts_map_pose *pose, size_t wanted)
{
    enum { batch = 256, rounds = 400 };
    ts_map_pose guess[batch];
    ts_map_contact contact[batch];
    double reach = exact->info.radius_a + exact->info.radius_b,
           near = 0.1 * fmax(exact->info.radius_a, exact->info.radius_b);
    ts_random random = ts_random_make(1, 0);
    size_t count = 0;
    for (int round = 0; round < rounds && count < wanted; round++) {
        for (int i = 0; i < batch; i++) {
            double r = reach * sqrt(ts_random_next_uniform(&random));
            double where = ts_random_next_range(&random, 0, 2 * TS_PI);
            guess[i] = (ts_map_pose){
                .b = {r * cos(where), r * sin(where), ts_random_next_range(&random, -TS_PI, TS_PI)}, .scale = 1};
        }
        ts_map_query(exact, batch, guess, contact);
        for (int i = 0; i < batch && count < wanted; i++)
            if (fabs(contact[i].gap) <= near)
                pose[count++] = guess[i];
    }
    return count;
}

/* Seconds of one query, in batches as large as `pose` holds, on one thread. Ever more are asked until it takes long enough to
 * be measured; the shortest of three such stretches counts, since others only add to it. */
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
    ts_map_info info;
    ts_map_errors errors; /* measured here, on the same poses for all; samples 0: exact */
    double query;         /* seconds of one */
} row;

typedef struct comparison {
    const ts_subject *a, *b;
    row row[all_count];
    size_t count;
} comparison;

enum { pose_count = 1024 };

typedef struct arena {
    ts_map_pose *pose; /* (pose_count) */
    ts_map_contact *contact;
    size_t count; /* poses near contact */
} arena;

static ts_status run_row(ts_map_task *task, const comparison *c, const arena *on, row *to, ts_error *error)
{
    const ts_map_wish *wish = task->wish;
    ts_map_options o = to->who->options;
    ts_map *map = NULL;
    bool slow = o.kind == TS_MAP_SAMPLED; /* milliseconds a query */
    if (o.kind == TS_MAP_NETWORK) {
        o.seconds = wish->seconds > 0 ? wish->seconds : wish->quick ? 2 : 0;
        o.samples = wish->samples;
        o.seed = wish->seed;
    }
    if (o.kind == TS_MAP_AUTO) {
        o.error = wish->error;
        o.bytes = (size_t)wish->bytes;
    }
    TS_TRY(ts_map_task_make(task, c->a->outline, c->b->outline, &o, &map, error));
    to->info = ts_map_get_info(map);
    ts_status status = TS_OK;
    if (to->info.kind != TS_MAP_EXACT)
        status = ts_map_measure(map,
                                slow          ? (wish->quick ? 100 : 1000)
                                : wish->quick ? 2000
                                              : 20000,
                                1, (int)wish->threads, &to->errors, error);
    if (status == TS_OK)
        to->query = time_query(map, on->pose, on->contact, on->count);
    ts_map_free(map);
    return status;
}

static void print_comparison(const comparison *c, FILE *stream)
{
    fprintf(stream, "%s × %s\n", c->a->name, c->b->name);
    ts_listing listing = ts_listing_make("lrrrrrrrr");
    ts_listing_row(&listing, "\tsize\tbuild\tquery\tmean\t99 %%\tworst\tnormal\tsurface");
    for (size_t i = 0; i < c->count; i++) {
        const row *r = &c->row[i];
        const ts_map_errors *e = &r->errors;
        double kilobytes = (double)r->info.bytes / 1000;
        char size[32], build[32];
        snprintf(size, sizeof size, kilobytes < 99.95 ? "%.1f kB" : "%.0f kB", kilobytes);
        snprintf(build, sizeof build, r->info.build_seconds < 99.95 ? "%.1f s" : "%.0f s", r->info.build_seconds);
        ts_shown query = ts_show_si(r->query, "s");
        if (e->samples == 0)
            ts_listing_row(&listing, "%s\t%s\t%s\t%s\t–\t–\t–\t–\t–", r->who->name, size, build, query.text);
        else
            ts_listing_row(&listing, "%s\t%s\t%s\t%s\t%.2f\t%.1f\t%.1f\t%.1f°\t%.1f", r->who->name, size, build,
                           query.text, 100 * e->mean, 100 * e->high, 100 * e->worst, e->normal_mean * 180 / TS_PI,
                           100 * e->surface);
    }
    ts_listing_print(&listing, stream);
    ts_print_wrapped(
        stream,
        "Errors of the gap near contact, and of the surface of contact, in percent of the larger radius; normal: "
        "mean angle to the true one. Queries on one thread, near contact.",
        0, 0);
}

static void write_comparison(ts_json *json, const void *subject)
{
    const comparison *c = subject;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "a", c->a->name);
    ts_json_text(json, "b", c->b->name);
    ts_json_begin_array(json, "maps");
    for (size_t i = 0; i < c->count; i++) {
        const row *r = &c->row[i];
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "name", r->who->name);
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

static ts_status prepare(const ts_outline *a, const ts_outline *b, arena *on, ts_error *error)
{
    ts_map *exact = NULL;
    ts_map_options o = {.kind = TS_MAP_EXACT};
    ts_map_making making = {.cache = ""};
    on->pose = ts_alloc(pose_count, sizeof *on->pose);
    on->contact = ts_alloc(pose_count, sizeof *on->contact);
    if (!on->pose || !on->contact)
        return ts_fail_memory(error, pose_count * sizeof *on->contact);
    TS_TRY(ts_map_create(a, b, &o, &making, &exact, error));
    on->count = near_poses(exact, on->pose, pose_count);
    ts_map_free(exact);
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
    ts_status status = prepare(map->pair->a, map->pair->b, &on, error);
    /* poses are in the unit of the pair, the map in metres */
    for (size_t i = 0; i < on.count && status == TS_OK; i++)
        on.pose[i].scale = 1 / map->pair->unit;
    if (status == TS_OK)
        *seconds = time_query(map, on.pose, on.contact, on.count);
    clear(&on);
    return status;
}

static ts_status run_rows(ts_map_task *task, comparison *c, ts_error *error)
{
    arena on = {0};
    size_t listed = 0;
    ts_status status = prepare(c->a->outline, c->b->outline, &on, error);
    for (int i = 0; i < all_count; i++)
        listed += is_listed(task->wish->kinds, all[i].group);
    for (int i = 0; i < all_count && status == TS_OK; i++) {
        if (!is_listed(task->wish->kinds, all[i].group))
            continue;
        c->row[c->count] = (row){.who = &all[i]};
        ts_map_task_step(task, all[i].name, c->count, listed);
        status = run_row(task, c, &on, &c->row[c->count], error);
        c->count += status == TS_OK;
        if (status == TS_OK && ts_stop_requested())
            status = ts_fail(error, TS_INTERRUPTED, "interrupted");
    }
    clear(&on);
    return status;
}

ts_status ts_map_compare(const ts_map_wish *wish, const ts_subject *a, const ts_subject *b, ts_error *error)
{
    comparison c = {.a = a, .b = b};
    ts_map_task task;
    TS_TRY(check_list(wish->kinds, error));
    ts_map_task_begin(&task, wish);
    ts_status status = run_rows(&task, &c, error);
    ts_map_task_end(&task);
    if (c.count > 0 && !wish->quiet) /* also what was done before it was interrupted */
        print_comparison(&c, ts_output_stream(wish->json));
    return status == TS_OK ? ts_output_json(wish->json, write_comparison, &c, error) : status;
}
