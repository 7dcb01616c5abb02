/* SPDX-License-Identifier: MIT */
/* Overrides: `path=value` changes one value of the tree before it is read.
 *
 *     dynamics.friction=0.3     generators[0].count=200     generators.0.count=200     shapes.grain.radius=3 mm
 *
 * The value is JSON if it parses as JSON, else text. A key that is not there yet is created, with the objects on the
 * way to it; whether it may exist is decided when the tree is read, with the same errors as for a file. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/read.h"

/* A scene's own paths have at most eight steps. */
#define STEPS_MAX 16

typedef struct step {
    const char *key; /* as written, without brackets */
    bool bracket;    /* it was [i], so it can only be an index */
} step;

typedef struct path {
    const char *shown; /* "--set path=value", in the arena */
    step step[STEPS_MAX];
    int count;
    ts_arena *arena;
    ts_error *error;
} path;

static ts_place place_of(const path *p)
{
    return (ts_place){p->shown, 0, 0};
}

#define fail(p, ...) ts_fail_at((p)->error, TS_BAD_INPUT, place_of(p), __VA_ARGS__)

/* ---- The path ---- */

static ts_status add_step(path *p, const char *text, size_t length, bool bracket)
{
    if (length == 0)
        return fail(p, "the path has an empty step; write it as in dynamics.friction or generators[0].count");
    if (p->count == STEPS_MAX)
        return fail(p, "the path has more than %d steps; no value of a scene lies that deep", STEPS_MAX);
    const char *key = ts_arena_text(p->arena, text, length);
    if (!key)
        return ts_fail_memory(p->error, length + 1);
    p->step[p->count++] = (step){key, bracket};
    return TS_OK;
}

/* name { .name | [index] } */
static ts_status parse_path(path *p, const char *text, const char *end)
{
    bool after_bracket = false;
    for (const char *at = text;;) {
        if (at < end && *at == '[') {
            const char *close = memchr(at, ']', (size_t)(end - at));
            if (!close)
                return fail(p, "a \"[\" of the path is never closed; write it as in generators[0].count");
            TS_TRY(add_step(p, at + 1, (size_t)(close - at - 1), true));
            at = close + 1;
            after_bracket = true;
        } else if (!after_bracket) {
            const char *begin = at;
            while (at < end && *at != '.' && *at != '[')
                at++;
            TS_TRY(add_step(p, begin, (size_t)(at - begin), false));
        } else {
            return fail(p, "a \"]\" of the path must be followed by \".\", \"[\" or \"=\"");
        }
        if (at == end)
            return TS_OK;
        if (*at == '.') {
            at++;
            after_bracket = false;
        }
    }
}

/* "generators[0].count" up to and with step `count` - 1, for messages. */
static const char *path_text(const path *p, int count, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < count && used < capacity; i++) {
        const step *s = &p->step[i];
        used += (size_t)snprintf(text + used, capacity - used, s->bracket ? "[%s]" : i > 0 ? ".%s" : "%s", s->key);
    }
    return text;
}

/* ---- The walk ---- */

static ts_json_value *new_value(const path *p)
{
    return ts_json_new(p->arena, place_of(p));
}

/* Child `i` of the path: found, or created with kind null. */
static ts_status step_into_object(const path *p, ts_json_value *at, int i, ts_json_value **child)
{
    *child = ts_json_get(at, p->step[i].key);
    if (*child)
        return TS_OK;
    *child = new_value(p);
    if (!*child)
        return ts_fail_memory(p->error, sizeof **child);
    (*child)->key = p->step[i].key;
    ts_json_append(at, *child);
    return TS_OK;
}

static ts_status step_into_list(const path *p, ts_json_value *at, int i, ts_json_value **child)
{
    char text[200];
    uint64_t index;
    if (!ts_parse_uint64(p->step[i].key, &index) || p->step[i].key[0] == '+')
        return fail(p, "%s is a list; \"%s\" is no index, count from 0 as in %s[0]", path_text(p, i, text, sizeof text),
                    p->step[i].key, text);
    if (index > at->count && at->count == 0)
        return fail(p, "%s is an empty list; start with index 0", path_text(p, i, text, sizeof text));
    if (index > at->count)
        return fail(p, "%s has %u items, from 0 to %u; there is no item %s", path_text(p, i, text, sizeof text),
                    at->count, at->count - 1, p->step[i].key);
    *child = ts_json_item(at, index);
    if (*child)
        return TS_OK;
    *child = new_value(p); /* one past the end appends */
    if (!*child)
        return ts_fail_memory(p->error, sizeof **child);
    ts_json_append(at, *child);
    return TS_OK;
}

static ts_status find_place(const path *p, ts_json_value *root, ts_json_value **target)
{
    char text[200];
    ts_json_value *at = root;
    for (int i = 0; i < p->count; i++) {
        const step *s = &p->step[i];
        bool created = at->kind == TS_JSON_NULL && at->file == p->shown;
        if (created) /* nothing there yet: the step says what it must be */
            at->kind = s->bracket ? TS_JSON_ARRAY : TS_JSON_OBJECT;
        if (at->kind == TS_JSON_ARRAY)
            TS_TRY(step_into_list(p, at, i, &at));
        else if (at->kind != TS_JSON_OBJECT)
            return fail(p, "%s is %s, which has nothing inside; shorten the path", path_text(p, i, text, sizeof text),
                        ts_json_kind_name(at->kind));
        else if (s->bracket)
            return fail(p, "%s is an object, not a list; name a key instead of [%s]",
                        i > 0 ? path_text(p, i, text, sizeof text) : "the scene", s->key);
        else
            TS_TRY(step_into_object(p, at, i, &at));
    }
    *target = at;
    return TS_OK;
}

/* The value as JSON, else as text. */
static ts_status parse_override_value(const path *p, const char *text, ts_json_value **value)
{
    ts_error why;
    ts_arena_mark mark = ts_arena_here(p->arena);
    ts_status status = ts_json_parse(p->arena, text, strlen(text), p->shown, value, &why);
    if (status == TS_OK)
        return TS_OK;
    if (status != TS_BAD_INPUT)
        return ts_fail_memory(p->error, 0);
    if (text[0] == '{' || text[0] == '[' || text[0] == '"')
        return fail(p, "the value is no JSON: %s", why.message);
    ts_arena_rewind(p->arena, mark);
    *value = new_value(p);
    if (!*value)
        return ts_fail_memory(p->error, sizeof **value);
    (*value)->kind = TS_JSON_TEXT;
    (*value)->text = ts_arena_text(p->arena, text, strlen(text));
    return (*value)->text ? TS_OK : ts_fail_memory(p->error, strlen(text) + 1);
}

/* Every place within the value becomes the override's: lines and columns would be those of the command line. */
static void set_place(ts_json_value *value)
{
    value->line = value->column = value->key_line = value->key_column = 0;
    if (value->kind == TS_JSON_ARRAY || value->kind == TS_JSON_OBJECT)
        for (ts_json_value *child = value->first; child; child = child->next)
            set_place(child);
}

ts_status ts_read_override(ts_arena *arena, ts_json_value *root, const char *override, ts_error *error)
{
    size_t capacity = strlen(override) + sizeof "--set ";
    char *shown = ts_arena_alloc(arena, capacity, 1);
    if (!shown)
        return ts_fail_memory(error, capacity);
    snprintf(shown, capacity, "--set %s", override);
    path p = {.shown = shown, .arena = arena, .error = error};

    const char *equals = strchr(override, '=');
    if (!equals)
        return fail(&p, "there is no \"=\"; write path=value, as in dynamics.friction=0.3");
    TS_TRY(parse_path(&p, override, equals));
    if (strcmp(p.step[0].key, "include") == 0)
        return fail(&p, "include cannot be overridden; files are merged before");
    ts_json_value *value = NULL, *target = NULL;
    TS_TRY(parse_override_value(&p, equals + 1, &value));
    set_place(value);
    TS_TRY(find_place(&p, root, &target));

    /* The new value takes the old one's place among its siblings. */
    value->next = target->next;
    value->key = target->key;
    *target = *value;
    return TS_OK;
}
