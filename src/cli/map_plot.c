/* SPDX-License-Identifier: MIT */
/* touchstone map plot: a picture of a map, or of several of one pair. */
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/map.h"
#include "record/draw_map.h"
#include "study/output.h"

enum { path_size = 4096 };

/* Names of shapes may hold anything; those of files may not. */
static void plain_name(char *name)
{
    for (char *c = name; *c; c++)
        *c = *c == '/' || *c == ' ' || *c == '\'' || (unsigned char)*c < 32 ? '-' : *c;
}

static ts_status picture_path(const ts_map_wish *wish, const ts_map_pairing *of, char path[path_size], ts_error *error)
{
    char name_a[72], name_b[72];
    if (wish->out && !ts_path_ends_in(wish->out, ".png"))
        return ts_fail(error, TS_BAD_INPUT, "-o '%s' does not end in .png; pictures are PNG files", wish->out);
    if (wish->out && strlen(wish->out) >= path_size)
        return ts_fail(error, TS_BAD_INPUT, "the path of the picture is too long; shorten it");
    if (wish->out) {
        snprintf(path, path_size, "%s", wish->out);
        return TS_OK;
    }
    snprintf(name_a, sizeof name_a, "%s", of->a.part[0] ? of->a.part : "A");
    snprintf(name_b, sizeof name_b, "%s", of->b.part[0] ? of->b.part : "B");
    plain_name(name_a);
    plain_name(name_b);
    snprintf(path, path_size, "out/map-%s-%s.png", name_a, name_b);
    return ts_folder_make("out", error);
}

/* The kinds that are drawn: --kinds, else --kind, else auto. */
static ts_status plotted_kinds(const ts_map_wish *wish, ts_map_kinds *kinds, ts_error *error)
{
    if (!wish->kinds) {
        *kinds = (ts_map_kinds){.kind = {wish->kind >= 0 ? (ts_map_kind)wish->kind : TS_MAP_AUTO}, .count = 1};
        return TS_OK;
    }
    TS_TRY(ts_map_kinds_parse(wish->kinds, kinds, error));
    if (kinds->count > TS_MAP_PICTURE_MORE + 1)
        return ts_fail(error, TS_BAD_INPUT, "--kinds names more than %d; a picture has room for as many",
                       TS_MAP_PICTURE_MORE + 1);
    return TS_OK;
}

typedef struct plot {
    ts_map *map[TS_MAP_PICTURE_MORE + 1];
    size_t count;
    ts_pool *pool;
} plot;

static ts_status draw(const ts_map_wish *wish, const ts_map_pairing *of, plot *p, const char *path, ts_error *error)
{
    const ts_subject *a = &of->a, *b = &of->b;
    char title[400];
    if (of->file)
        snprintf(title, sizeof title, "%.300s", ts_path_name(of->file));
    else
        snprintf(title, sizeof title, "%s × %s", a->name, b->name);
    ts_map_picture about = {.title = title,
                            .name_a = a->part[0] ? a->part : a->name,
                            .name_b = b->part[0] ? b->part : b->name,
                            .width = wish->pixels ? (int)wish->pixels : 1600};
    TS_TRY(ts_map_time(p->map[0], &about.query_seconds, error));
    for (size_t i = 1; i < p->count; i++) {
        about.more[i - 1] = p->map[i];
        TS_TRY(ts_map_time(p->map[i], &about.more_seconds[i - 1], error));
    }
    TS_TRY(ts_pool_create((int)wish->threads, &p->pool, error));
    about.pool = p->pool;
    TS_TRY(ts_draw_map(path, p->map[0], &about, error));
    if (!wish->quiet)
        fprintf(ts_output_stream(wish->json), "picture: %s\n", path);
    return ts_output_json(wish->json, ts_write_map, &(ts_told_map){p->map[0], of, path}, error);
}

/* The map of the file, or one of each kind. */
static ts_status make_maps(const ts_map_wish *wish, const ts_map_pairing *of, const ts_map_kinds *kinds, plot *p,
                           ts_error *error)
{
    ts_map_options o = {0};
    ts_map_task task;
    ts_status status = TS_OK;
    ts_map_wish_apply(wish, &o);
    ts_map_task_begin(&task, wish);
    for (; p->count < kinds->count && status == TS_OK; p->count += status == TS_OK) {
        o.kind = kinds->kind[p->count];
        ts_map_task_step(&task, ts_map_kind_name(o.kind), p->count, kinds->count);
        status = ts_map_task_make(&task, of->a.outline, of->b.outline, &o, &p->map[p->count], error);
    }
    ts_map_task_end(&task);
    return status;
}

ts_status ts_map_plot(const ts_map_wish *wish, const ts_map_pairing *of, ts_error *error)
{
    char path[path_size];
    ts_map_kinds kinds;
    plot p = {0};
    TS_TRY(plotted_kinds(wish, &kinds, error));
    TS_TRY(picture_path(wish, of, path, error));
    ts_status status = TS_OK;
    if (of->map)
        p.map[p.count++] = of->map;
    else
        status = make_maps(wish, of, &kinds, &p, error);
    if (status == TS_OK)
        status = draw(wish, of, &p, path, error);
    for (size_t i = 0; i < p.count; i++)
        if (p.map[i] != of->map)
            ts_map_free(p.map[i]);
    ts_pool_free(p.pool);
    return status;
}
