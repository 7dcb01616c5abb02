/* SPDX-License-Identifier: MIT */
/* Points of polygons, polylines and lines along which grains stand. */
#include "scene/read.h"

/* [x, y], each with a unit or without, and a bulge, which has none. */
static ts_status read_point(const ts_reader *reader, const ts_json_value *item, const char *what, const char *key,
                            ts_vertex *vertex)
{
    if (item->kind != TS_JSON_ARRAY || item->count < 2 || item->count > 3)
        return ts_read_fail(reader, item, "%s: a point of %s is [x, y], or [x, y, bulge] where an arc begins", what,
                            key);
    const ts_field length = {key, TS_FIELD_NUMBER, TS_QUANTITY_LENGTH, TS_RANGE_ANY, 0, 0};
    const ts_field plain = {"bulge", TS_FIELD_NUMBER, TS_QUANTITY_NONE, TS_RANGE_ANY, 0, 0};
    const ts_json_value *y = item->first->next;
    TS_TRY(ts_read_number(reader, item->first, what, &length, &vertex->x));
    TS_TRY(ts_read_number(reader, y, what, &length, &vertex->y));
    vertex->bulge = 0;
    return y->next ? ts_read_number(reader, y->next, what, &plain, &vertex->bulge) : TS_OK;
}

ts_status ts_read_points(const ts_reader *reader, const ts_json_value *list, const char *what, const char *key,
                         size_t least, ts_vertex **vertex, size_t *count)
{
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, what, key));
    if (list->count < least)
        return ts_read_fail(reader, list, "%s: %s has %u of them; give at least %zu", what, key, list->count, least);
    ts_vertex *to = ts_arena_alloc(reader->arena, list->count, sizeof *to);
    if (!to)
        return ts_fail_memory(reader->error, list->count * sizeof *to);
    *vertex = to;
    *count = list->count;
    for (const ts_json_value *item = list->first; item; item = item->next)
        TS_TRY(read_point(reader, item, what, key, to++));
    return TS_OK;
}

ts_status ts_read_line(const ts_reader *reader, const ts_json_value *item, const char *what, ts_contour *line)
{
    ts_vertex *vertex;
    const ts_json_value *closed = ts_json_get(item, "closed");
    TS_TRY(ts_read_points(reader, ts_json_get(item, "points"), what, "points", 2, &vertex, &line->vertex_count));
    if (closed)
        TS_TRY(ts_read_is(reader, closed, TS_JSON_BOOLEAN, what, "closed"));
    line->vertex = vertex;
    line->open = !(closed && closed->boolean);
    return TS_OK;
}
