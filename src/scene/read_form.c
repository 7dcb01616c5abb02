/* SPDX-License-Identifier: MIT */
#include "scene/read_form.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- Saying what is wrong ---- */

ts_status ts_read_mismatch(const ts_reader *reader, const ts_json_value *value, const char *what, const char *key,
                           const char *wanted)
{
    return ts_read_fail(reader, value, "%s: %s wants %s, found %s", what, key, wanted, ts_json_kind_name(value->kind));
}

ts_status ts_read_is(const ts_reader *reader, const ts_json_value *value, ts_json_kind kind, const char *what,
                     const char *key)
{
    return value->kind == kind ? TS_OK : ts_read_mismatch(reader, value, what, key, ts_json_kind_name(kind));
}

/* "a, b and c" */
static void list_words(const char *const *word, size_t count, const char *quote, const char *last, char *text,
                       size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%s%s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? last
                                                  : ", ",
                                 quote, word[i], quote);
}

static const ts_field *find_field(const ts_form *form, const char *key, const ts_reader *reader)
{
    for (size_t i = 0; i < form->field_count; i++)
        if (strcmp(form->field[i].key, key) == 0 && ts_read_belongs(reader, form->field[i].flags))
            return &form->field[i];
    return NULL;
}

/* The reader of a scene of the other dimension. */
static ts_reader other_dimension(const ts_reader *reader)
{
    ts_reader other = *reader;
    other.in = reader->in == &ts_in_plane ? &ts_in_space : &ts_in_plane;
    return other;
}

/* Who writes a key or a kind of the other dimension has most often forgotten to say which one the scene is of. */
static ts_status fail_dimension(const ts_reader *reader, ts_place place, const char *what, const char *key)
{
    char quote[TS_QUOTE_SIZE];
    return ts_fail_at(reader->error, TS_BAD_INPUT, place,
                      "%s: \"%s\" is for scenes of %s, but this one is of %s; leave it out, or write \"space\": \"%s\"",
                      what, ts_quote(key, quote, sizeof quote), other_dimension(reader).in->name, reader->in->name,
                      other_dimension(reader).in->word);
}

static ts_status fail_unknown_key(const ts_reader *reader, const ts_json_value *member, const ts_form *form)
{
    const char *candidate[32];
    size_t count = 0;
    ts_place place = ts_json_key_place(member);
    ts_reader other = other_dimension(reader);
    if (find_field(form, member->key, &other))
        return fail_dimension(reader, place, form->what, member->key);
    for (size_t i = 0; i < form->field_count && count < 32; i++)
        if (ts_read_belongs(reader, form->field[i].flags))
            candidate[count++] = form->field[i].key;
    const char *nearest = ts_nearest_name(member->key, candidate, count);
    char quote[TS_QUOTE_SIZE], keys[512];
    ts_quote(member->key, quote, sizeof quote);
    if (nearest)
        return ts_fail_at(reader->error, TS_BAD_INPUT, place, "%s: unknown key \"%s\"; did you mean \"%s\"?",
                          form->what, quote, nearest);
    list_words(candidate, count, "", " and ", keys, sizeof keys);
    return ts_fail_at(reader->error, TS_BAD_INPUT, place, "%s: unknown key \"%s\"; valid here: %s", form->what, quote,
                      keys);
}

/* "there is no shape "x"; did you mean …", among the names of a table, all or those of one kind only. */
static ts_status fail_unknown_name(const ts_reader *reader, const ts_json_value *value, const char *what,
                                   const char *kind, const ts_names *names, ts_name_kind only)
{
    const char *candidate[1000] = {0}; /* of a scene with more names, these have to do */
    size_t count = 0;
    for (size_t i = 0; i < names->capacity && count < sizeof candidate / sizeof *candidate; i++)
        if (names->slot[i].text && (only == TS_NAME_NONE || names->slot[i].kind == only))
            candidate[count++] = names->slot[i].text;
    const char *nearest = ts_nearest_name(value->text, candidate, count);
    char quote[TS_QUOTE_SIZE], near[TS_QUOTE_SIZE];
    ts_quote(value->text, quote, sizeof quote);
    if (nearest)
        return ts_read_fail(reader, value, "%s: there is no %s named \"%s\"; did you mean \"%s\"?", what, kind, quote,
                            ts_quote(nearest, near, sizeof near));
    if (count == 0)
        return ts_read_fail(reader, value, "%s: there is no %s named \"%s\"; the scene has none, add one", what, kind,
                            quote);
    return ts_read_fail(reader, value,
                        "%s: there is no %s named \"%s\"; add it, or name one that exists, such as \"%s\"", what, kind,
                        quote, ts_quote(candidate[0], near, sizeof near));
}

/* ---- Single values ---- */

ts_status ts_read_number(const ts_reader *reader, const ts_json_value *value, const char *what, const ts_field *field,
                         double *out)
{
    double number;
    bool may_be_auto = field->flags & TS_FIELD_AUTO;
    if (value->kind == TS_JSON_NUMBER) {
        number = value->number;
    } else if (value->kind == TS_JSON_TEXT && may_be_auto && strcmp(value->text, "auto") == 0) {
        *out = 0;
        return TS_OK;
    } else if (value->kind == TS_JSON_TEXT) {
        TS_TRY(ts_quantity_parse(value->text, field->quantity, ts_json_place(value), &number, reader->error));
    } else {
        char wanted[160];
        snprintf(wanted, sizeof wanted,
                 field->quantity == TS_QUANTITY_NONE ? "%s%s%s" : "%s, a number or text in one of %s%s",
                 ts_quantity_name(field->quantity), ts_quantity_units(field->quantity),
                 may_be_auto ? ", or \"auto\"" : "");
        return ts_read_mismatch(reader, value, what, field->key, wanted);
    }
    ts_check check = {reader->error, ts_json_place(value), what, reader->in};
    TS_TRY(ts_field_check(&check, field, number));
    *out = number;
    return TS_OK;
}

static ts_status read_vector(const ts_reader *reader, const ts_json_value *value, const char *what,
                             const ts_field *field, double *out)
{
    const char *wanted = reader->in->vector;
    if (value->kind != TS_JSON_ARRAY)
        return ts_read_mismatch(reader, value, what, field->key, wanted);
    if (value->count != (uint32_t)reader->in->axes)
        return ts_read_fail(reader, value, "%s: %s wants %s, found %u", what, field->key, wanted, value->count);
    double read[3];
    const ts_json_value *item = value->first;
    for (uint32_t i = 0; i < value->count; i++, item = item->next)
        TS_TRY(ts_read_number(reader, item, what, field, &read[i]));
    memcpy(out, read, value->count * sizeof *read);
    return TS_OK;
}

ts_status ts_read_integer(const ts_reader *reader, const ts_json_value *value, const char *what, const char *key,
                          ts_field_range range, uint64_t *out)
{
    if (value->kind != TS_JSON_NUMBER)
        return ts_read_mismatch(reader, value, what, key, "a whole number");
    ts_check check = {reader->error, ts_json_place(value), what, reader->in};
    TS_TRY(ts_field_check_integer(&check, key, range, value->number));
    *out = (uint64_t)value->number;
    return TS_OK;
}

static ts_status read_text(const ts_reader *reader, const ts_json_value *value, const char *what, const char *key,
                           const char **out)
{
    TS_TRY(ts_read_is(reader, value, TS_JSON_TEXT, what, key));
    if (!value->text[0])
        return ts_read_fail(reader, value, "%s: %s is empty; write something, or leave it out", what, key);
    *out = value->text;
    return TS_OK;
}

ts_status ts_read_material(const ts_reader *reader, const ts_json_value *value, const char *what, int32_t *out)
{
    if (value->kind != TS_JSON_TEXT)
        return ts_read_mismatch(reader, value, what, "material", "the name of a material");
    int32_t index = ts_scene_find_material(reader->scene, value->text);
    if (index < 0)
        return fail_unknown_name(reader, value, what, "material", &reader->scene->material_name, TS_NAME_NONE);
    *out = index;
    return TS_OK;
}

const ts_group *ts_read_group(const ts_reader *reader, const char *name)
{
    const ts_group *group = reader->group ? *reader->group : NULL;
    while (group && strcmp(group->name, name) != 0)
        group = group->next;
    return group;
}

static ts_status read_shape(const ts_reader *reader, const ts_json_value *value, const char *what, bool may_be_group,
                            int32_t *out)
{
    if (value->kind != TS_JSON_TEXT)
        return ts_read_mismatch(reader, value, what, "shape", "the name of a shape");
    const ts_group *group = ts_read_group(reader, value->text);
    int32_t index = group ? -1 : ts_scene_find_shape(reader->scene, value->text);
    if (group && !may_be_group) {
        char quote[TS_QUOTE_SIZE], member[TS_QUOTE_SIZE];
        return ts_read_fail(reader, value, "%s: \"%s\" is a group of shapes; name one of them, such as \"%s\"", what,
                            ts_quote(value->text, quote, sizeof quote),
                            ts_quote(reader->scene->shape.item[group->item[0].shape].name, member, sizeof member));
    }
    if (!group && index < 0)
        return fail_unknown_name(reader, value, what, "shape", &reader->scene->shape_name, TS_NAME_NONE);
    *out = index;
    return TS_OK;
}

static ts_status read_target(const ts_reader *reader, const ts_json_value *value, const char *what, const char **out)
{
    if (value->kind != TS_JSON_TEXT)
        return ts_read_mismatch(reader, value, what, "target", "the name of a body, a wall or a generator");
    if (!ts_names_find(&reader->scene->target_name, value->text))
        return fail_unknown_name(reader, value, what, "body, wall or generator", &reader->scene->target_name,
                                 TS_NAME_NONE);
    *out = value->text;
    return TS_OK;
}

static ts_status read_body(const ts_reader *reader, const ts_json_value *value, const char *what, const char *key,
                           const char **out)
{
    if (value->kind != TS_JSON_TEXT)
        return ts_read_mismatch(reader, value, what, key, "the name of a body");
    if (ts_scene_find_body(reader->scene, value->text) < 0)
        return fail_unknown_name(reader, value, what, "body", &reader->scene->target_name, TS_NAME_BODY);
    *out = value->text;
    return TS_OK;
}

/* ---- Objects ---- */

static ts_status read_field(const ts_reader *reader, const ts_json_value *value, const char *what,
                            const ts_field *field, void *values)
{
    if (field->type == TS_FIELD_CUSTOM)
        return TS_OK;
    void *to = (char *)values + field->offset;
    switch (field->type) {
    case TS_FIELD_CUSTOM:
        break;
    case TS_FIELD_NUMBER:
        return ts_read_number(reader, value, what, field, to);
    case TS_FIELD_VECTOR:
        return read_vector(reader, value, what, field, to);
    case TS_FIELD_FLAG:
        TS_TRY(ts_read_is(reader, value, TS_JSON_BOOLEAN, what, field->key));
        *(bool *)to = value->boolean;
        return TS_OK;
    case TS_FIELD_INTEGER:
        if ((field->flags & TS_FIELD_AUTO) && value->kind == TS_JSON_TEXT && strcmp(value->text, "auto") == 0) {
            *(uint64_t *)to = 0;
            return TS_OK;
        }
        if ((field->flags & TS_FIELD_AUTO) && value->kind == TS_JSON_NUMBER && value->number == 0)
            return ts_fail_at(reader->error, TS_BAD_INPUT, ts_json_place(value),
                              "%s: %s is 0, but must be positive; write \"auto\" to have it derived", what, field->key);
        return ts_read_integer(reader, value, what, field->key, field->range, to);
    case TS_FIELD_TEXT:
        return read_text(reader, value, what, field->key, to);
    case TS_FIELD_SHAPE:
    case TS_FIELD_GRAIN:
        return read_shape(reader, value, what, field->type == TS_FIELD_GRAIN, to);
    case TS_FIELD_MATERIAL:
        return ts_read_material(reader, value, what, to);
    case TS_FIELD_BODY:
        return read_body(reader, value, what, field->key, to);
    case TS_FIELD_TARGET:
        return read_target(reader, value, what, to);
    }
    return TS_OK;
}

ts_status ts_read_object(const ts_reader *reader, const ts_json_value *object, const ts_form *form, void *values)
{
    if (object->kind != TS_JSON_OBJECT)
        return ts_read_fail(reader, object, "%s: wanted an object, { … }, found %s", form->what,
                            ts_json_kind_name(object->kind));
    for (const ts_json_value *member = object->first; member; member = member->next) {
        const ts_field *field = find_field(form, member->key, reader);
        if (!field)
            return fail_unknown_key(reader, member, form);
        TS_TRY(read_field(reader, member, form->what, field, values));
    }
    for (size_t i = 0; i < form->field_count; i++) {
        const ts_field *field = &form->field[i];
        bool needed = (field->flags & TS_FIELD_REQUIRED) && ts_read_belongs(reader, field->flags);
        if (needed && !ts_json_get(object, field->key))
            return ts_read_fail(reader, object, "%s: it has no \"%s\"; add it", form->what, field->key);
    }
    return TS_OK;
}

ts_status ts_read_kind(const ts_reader *reader, const ts_json_value *object, const char *what, const ts_form *form,
                       size_t form_count, const ts_form **chosen)
{
    const char *candidate[16] = {0};
    char kinds[256];
    size_t count = 0;
    for (size_t i = 0; i < form_count; i++)
        if (ts_read_belongs(reader, form[i].where))
            candidate[count++] = form[i].kind;
    list_words(candidate, count, "\"", " or ", kinds, sizeof kinds);
    if (object->kind != TS_JSON_OBJECT)
        return ts_read_fail(reader, object, "%s: wanted an object, { … }, found %s", what,
                            ts_json_kind_name(object->kind));
    const ts_json_value *kind = ts_json_get(object, "kind");
    if (!kind)
        return ts_read_fail(reader, object, "%s: it has no \"kind\"; add it: %s", what, kinds);
    if (kind->kind != TS_JSON_TEXT)
        return ts_read_fail(reader, kind, "%s: kind wants %s, found %s", what, kinds, ts_json_kind_name(kind->kind));
    bool elsewhere = false; /* a kind of the other dimension */
    for (size_t i = 0; i < form_count; i++) {
        if (strcmp(kind->text, form[i].kind) != 0)
            continue;
        elsewhere = !ts_read_belongs(reader, form[i].where);
        *chosen = &form[i];
        if (!elsewhere)
            return TS_OK;
    }
    char quote[TS_QUOTE_SIZE];
    const char *nearest = ts_nearest_name(kind->text, candidate, count);
    ts_quote(kind->text, quote, sizeof quote);
    if (elsewhere)
        return ts_read_fail(reader, kind, "%s: the kind \"%s\" is for scenes of %s; choose %s", what, quote,
                            other_dimension(reader).in->name, kinds);
    if (nearest)
        return ts_read_fail(reader, kind, "%s: unknown kind \"%s\"; did you mean \"%s\"?", what, quote, nearest);
    return ts_read_fail(reader, kind, "%s: unknown kind \"%s\"; choose %s", what, quote, kinds);
}
