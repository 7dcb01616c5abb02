/* SPDX-License-Identifier: MIT */
/* Lists of points, normals and triangles of space. */
#include <string.h>

#include "base/base64.h"
#include "base/bytes.h"
#include "scene/read.h"

/* As a list of triples by a person, or as base64 of little-endian numbers by the program (`size` bytes for a
 * triple). */
static ts_status read_packed(const ts_reader *reader, const ts_json_value *value, const char *what, const char *key,
                             size_t size, unsigned char **bytes, size_t *count)
{
    size_t length = strlen(value->text), used = 0;
    *bytes = ts_arena_alloc(reader->arena, length / 4 * 3 + 1, 1);
    if (!*bytes)
        return ts_fail_memory(reader->error, length / 4 * 3 + 1);
    if (!ts_base64_decode(value->text, length, *bytes, &used) || used % size != 0)
        return ts_read_fail(reader, value,
                            "%s: %s is a text, but not one that the program wrote; give a list, [[…, …, …], …], or "
                            "name a file",
                            what, key);
    *count = used / size;
    return TS_OK;
}

/* A list, or base64: how many triples there are; `bytes` stays NULL for a list. */
static ts_status count_triples(const ts_reader *reader, const ts_json_value *list, const char *what, size_t size,
                               ts_bytes *bytes, size_t *count)
{
    *count = list->count;
    *bytes = (ts_bytes){0};
    if (list->kind != TS_JSON_TEXT)
        return ts_read_is(reader, list, TS_JSON_ARRAY, what, list->key);
    unsigned char *packed = NULL;
    TS_TRY(read_packed(reader, list, what, list->key, size, &packed, count));
    *bytes = ts_bytes_of(packed, *count * size);
    return TS_OK;
}

ts_status ts_read_triples(const ts_reader *reader, const ts_json_value *list, const char *what, ts_quantity quantity,
                          const double (**triple)[3], size_t *count)
{
    const bool points = quantity == TS_QUANTITY_LENGTH;
    const ts_field field = {points ? "a point" : "a normal", TS_FIELD_NUMBER, quantity, TS_RANGE_ANY, 0, 0};
    ts_bytes bytes;
    TS_TRY(count_triples(reader, list, what, 3 * sizeof(double), &bytes, count));
    if (*count < 4)
        return ts_read_fail(reader, list, "%s: %s has %zu of them; give at least 4", what, list->key, *count);
    double(*to)[3] = ts_arena_alloc(reader->arena, *count, sizeof *to);
    if (!to)
        return ts_fail_memory(reader->error, *count * sizeof *to);
    *triple = (const double(*)[3])to;
    for (size_t i = 0; bytes.at && i < 3 * *count; i++)
        to[i / 3][i % 3] = ts_take_f64(&bytes);
    for (const ts_json_value *item = bytes.at ? NULL : list->first; item; item = item->next, to++) {
        if (item->kind != TS_JSON_ARRAY || item->count != 3)
            return ts_read_fail(reader, item, "%s: %s is [x, y, z]", what, field.key);
        const ts_json_value *number = item->first;
        for (int i = 0; i < 3; i++, number = number->next)
            TS_TRY(ts_read_number(reader, number, what, &field, &(*to)[i]));
    }
    return TS_OK;
}

ts_status ts_read_triangles(const ts_reader *reader, const ts_json_value *list, const char *what, size_t point_count,
                            const int32_t (**triangle)[3], size_t *count)
{
    ts_bytes bytes;
    TS_TRY(count_triples(reader, list, what, 3 * sizeof(int32_t), &bytes, count));
    int32_t(*to)[3] = ts_arena_alloc(reader->arena, *count + 1, sizeof *to);
    if (!to)
        return ts_fail_memory(reader->error, (*count + 1) * sizeof *to);
    *triangle = (const int32_t(*)[3])to;
    for (size_t i = 0; bytes.at && i < 3 * *count; i++)
        to[i / 3][i % 3] = (int32_t)ts_take_u32(&bytes);
    for (const ts_json_value *item = bytes.at ? NULL : list->first; item; item = item->next, to++) {
        if (item->kind != TS_JSON_ARRAY || item->count != 3)
            return ts_read_fail(reader, item, "%s: a triangle is [i, j, k], the numbers of three points, from 0 on",
                                what);
        const ts_json_value *number = item->first;
        for (int i = 0; i < 3; i++, number = number->next) {
            uint64_t corner;
            TS_TRY(ts_read_integer(reader, number, what, "a corner", TS_RANGE_NOT_NEGATIVE, &corner));
            if (corner >= point_count)
                return ts_read_fail(reader, number, "%s: a triangle has corner %.0f, but its points are 0 to %zu", what,
                                    (double)corner, point_count - 1);
            (*to)[i] = (int32_t)corner;
        }
    }
    return TS_OK;
}
