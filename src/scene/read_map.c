/* SPDX-License-Identifier: MIT */
/* What the contact maps of a scene shall be. docs/maps.md explains the values. */
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/text.h"
#include "scene/read.h"

/* Which of `count` words a value is; they are listed when it is none of them. */
static ts_status read_word(const ts_reader *reader, const ts_json_value *value, const char *key,
                           const char *const *word, int *index)
{
    size_t count = 0;
    char words[128] = "";
    for (; word[count]; count++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s\"%s\"",
                 count == 0        ? ""
                 : word[count + 1] ? ", "
                                   : " or ",
                 word[count]);
    if (value->kind != TS_JSON_TEXT)
        return ts_read_mismatch(reader, value, "map", key, words);
    for (*index = 0; word[*index]; ++*index)
        if (strcmp(value->text, word[*index]) == 0)
            return TS_OK;
    char quote[TS_QUOTE_SIZE];
    const char *near = ts_nearest_name(value->text, word, count);
    ts_quote(value->text, quote, sizeof quote);
    if (near)
        return ts_read_fail(reader, value, "map: unknown %s \"%s\"; did you mean \"%s\"?", key, quote, near);
    return ts_read_fail(reader, value, "map: unknown %s \"%s\"; choose %s", key, quote, words);
}

/* A count that has to fit in 32 bits; the exact limits are checked by who uses it. */
static ts_status read_small(const ts_reader *reader, const ts_json_value *map, const char *key, uint64_t count,
                            int32_t *out)
{
    if (count > INT32_MAX)
        return ts_read_fail(reader, ts_json_get(map, key),
                            "map: %s is %.0f, far too large; leave it out for a good value", key, (double)count);
    *out = (int32_t)count;
    return TS_OK;
}

/* A map file's bytes, as read_embed.c has put them into the tree. */
static ts_status read_data(const ts_reader *reader, const ts_json_value *item)
{
    char quote[TS_QUOTE_SIZE];
    TS_TRY(ts_read_is(reader, item, TS_JSON_TEXT, "map", "an entry of data"));
    size_t length = strlen(item->text), size = 0;
    unsigned char *bytes = ts_alloc_raw(length / 4 * 3 + 1, 1);
    if (!bytes)
        return ts_fail_memory(reader->error, length / 4 * 3 + 1);
    ts_quote(item->key, quote, sizeof quote);
    ts_scene_at(reader->scene, ts_json_place(item));
    ts_status status =
        ts_base64_decode(item->text, length, bytes, &size)
            ? ts_scene_add_map(reader->scene, quote, bytes, size, reader->error)
            : ts_read_fail(reader, item,
                           "map: the data of \"%s\" are no base64; leave them as the program wrote them, or name the "
                           "map file in \"files\"",
                           quote);
    ts_free(bytes);
    return status;
}

ts_status ts_read_map(const ts_reader *reader, const ts_json_value *given)
{
    /* in the order of ts_map_kind and of ts_map_encoding */
    static const char *const kind[] = {"auto", "exact", "sampled", "network", "table", NULL};
    static const char *const encoding[] = {"circle", "raw", NULL};
    if (!given)
        return TS_OK;
    ts_map_values values = {.folding = true};
    int which_kind = TS_MAP_AUTO, which_encoding = TS_ENCODING_CIRCLE;
    TS_TRY(ts_read_object(reader, given, &ts_form_map, &values));
    if (ts_json_get(given, "kind"))
        TS_TRY(read_word(reader, ts_json_get(given, "kind"), "kind", kind, &which_kind));
    if (ts_json_get(given, "encoding"))
        TS_TRY(read_word(reader, ts_json_get(given, "encoding"), "encoding", encoding, &which_encoding));
    ts_map_options options = {.kind = (ts_map_kind)which_kind,
                              .error = values.error,
                              .bytes = (size_t)values.bytes,
                              .no_folding = !values.folding,
                              .smoothing = values.smoothing,
                              .refine = values.refine,
                              .encoding = (ts_map_encoding)which_encoding,
                              .samples = values.samples,
                              .seed = values.seed};
    TS_TRY(read_small(reader, given, "grid", values.grid, &options.grid));
    TS_TRY(read_small(reader, given, "depth", values.depth, &options.depth));
    TS_TRY(read_small(reader, given, "width", values.width, &options.width));
    ts_scene_at(reader->scene, ts_json_place(given));
    TS_TRY(ts_scene_set_map(reader->scene, &options, reader->error));
    const ts_json_value *data = ts_json_get(given, "data");
    if (!data)
        return TS_OK;
    TS_TRY(ts_read_is(reader, data, TS_JSON_OBJECT, "map", "data"));
    for (const ts_json_value *item = data->first; item; item = item->next)
        TS_TRY(read_data(reader, item));
    return TS_OK;
}
