/* SPDX-License-Identifier: MIT */
/* Looking into JSON trees, changing them, and writing them down. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/json.h"

ts_json_value *ts_json_get(const ts_json_value *object, const char *key)
{
    if (!object || object->kind != TS_JSON_OBJECT)
        return NULL;
    for (ts_json_value *member = object->first; member; member = member->next)
        if (strcmp(member->key, key) == 0)
            return member;
    return NULL;
}

ts_json_value *ts_json_item(const ts_json_value *array, size_t index)
{
    if (!array || array->kind != TS_JSON_ARRAY)
        return NULL;
    ts_json_value *item = array->first;
    while (item && index-- > 0)
        item = item->next;
    return item;
}

ts_place ts_json_place(const ts_json_value *value)
{
    return (ts_place){value->file, value->line, value->column};
}
ts_place ts_json_key_place(const ts_json_value *member)
{
    return (ts_place){member->file, member->key_line, member->key_column};
}

const char *ts_json_kind_name(ts_json_kind kind)
{
    switch (kind) {
    case TS_JSON_NULL:
        return "null";
    case TS_JSON_BOOLEAN:
        return "true or false";
    case TS_JSON_NUMBER:
        return "a number";
    case TS_JSON_TEXT:
        return "text";
    case TS_JSON_ARRAY:
        return "a list";
    case TS_JSON_OBJECT:
        return "an object";
    }
    return "?";
}

ts_json_value *ts_json_new(ts_arena *arena, ts_place place)
{
    ts_json_value *value = ts_arena_alloc(arena, 1, sizeof *value);
    if (value) {
        value->file = place.file;
        value->line = place.line;
        value->column = place.column;
    }
    return value;
}

void ts_json_append(ts_json_value *list, ts_json_value *value)
{
    ts_json_value **link = &list->first;
    while (*link)
        link = &(*link)->next;
    *link = value;
    value->next = NULL;
    list->count++;
}

void ts_json_remove(ts_json_value *list, const ts_json_value *value)
{
    for (ts_json_value **link = &list->first; *link; link = &(*link)->next) {
        if (*link == value) {
            *link = value->next;
            list->count--;
            return;
        }
    }
}

/* ---- Writing ---- */

typedef struct writer {
    TS_ARRAY(char) out;
    ts_error *error;
} writer;

static ts_status put(writer *w, const char *text, size_t length)
{
    TS_TRY(ts_array_reserve(&w->out, w->out.count + length, w->error));
    memcpy(w->out.item + w->out.count, text, length);
    w->out.count += length;
    return TS_OK;
}

static ts_status put_line(writer *w, int depth)
{
    TS_TRY(put(w, "\n", 1));
    for (int i = 0; i < depth; i++)
        TS_TRY(put(w, "    ", 4));
    return TS_OK;
}

static ts_status put_text(writer *w, const char *text)
{
    static const char escaped[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    TS_TRY(put(w, "\"", 1));
    for (; *text; text++) {
        const char *found = strchr(escaped, *text);
        if (found) {
            TS_TRY(put(w, (char[]){'\\', letter[found - escaped]}, 2));
        } else if ((unsigned char)*text < 0x20) {
            char code[8];
            TS_TRY(put(w, code, (size_t)snprintf(code, sizeof code, "\\u%04x", (unsigned)*text)));
        } else {
            TS_TRY(put(w, text, 1));
        }
    }
    return put(w, "\"", 1);
}

static bool is_flat(const ts_json_value *array)
{
    for (const ts_json_value *item = array->first; item; item = item->next)
        if (item->kind == TS_JSON_ARRAY || item->kind == TS_JSON_OBJECT)
            return false;
    return true;
}

static ts_status put_value(writer *w, const ts_json_value *value, int depth);

static ts_status put_container(writer *w, const ts_json_value *value, int depth)
{
    bool object = value->kind == TS_JSON_OBJECT, flat = !object && is_flat(value);
    TS_TRY(put(w, object ? "{" : "[", 1));
    for (const ts_json_value *child = value->first; child; child = child->next) {
        if (child != value->first)
            TS_TRY(put(w, flat ? ", " : ",", flat ? 2 : 1));
        if (!flat)
            TS_TRY(put_line(w, depth + 1));
        if (object) {
            TS_TRY(put_text(w, child->key));
            TS_TRY(put(w, ": ", 2));
        }
        TS_TRY(put_value(w, child, depth + 1));
    }
    if (!flat && value->first)
        TS_TRY(put_line(w, depth));
    return put(w, object ? "}" : "]", 1);
}

static ts_status put_value(writer *w, const ts_json_value *value, int depth)
{
    char number[TS_DOUBLE_TEXT_SIZE];
    switch (value->kind) {
    case TS_JSON_NULL:
        return put(w, "null", 4);
    case TS_JSON_BOOLEAN:
        return value->boolean ? put(w, "true", 4) : put(w, "false", 5);
    case TS_JSON_NUMBER:
        return put(w, number, (size_t)ts_format_double(value->number, number));
    case TS_JSON_TEXT:
        return put_text(w, value->text);
    default:
        return put_container(w, value, depth);
    }
}

ts_status ts_json_write(const ts_json_value *root, char **text, size_t *length, ts_error *error)
{
    writer w = {.error = error};
    ts_status status = put_value(&w, root, 0);
    if (status == TS_OK)
        status = put(&w, "\n", 2); /* with its zero */
    if (status != TS_OK) {
        ts_array_free(&w.out);
        return status;
    }
    *text = w.out.item;
    *length = w.out.count - 1;
    return TS_OK;
}

const char *ts_quote(const char *text, char *out, size_t capacity)
{
    static const char ellipsis[] = "…";
    size_t length = strlen(text), room = capacity - 1;
    bool cut = length > room;
    if (cut) {
        length = room - (sizeof ellipsis - 1);
        while (length > 0 && (text[length] & 0xc0) == 0x80)
            length--; /* not in the middle of a character */
    }
    for (size_t i = 0; i < length; i++)
        out[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i];
    if (cut) {
        memcpy(out + length, ellipsis, sizeof ellipsis - 1);
        length += sizeof ellipsis - 1;
    }
    out[length] = 0;
    return out;
}
