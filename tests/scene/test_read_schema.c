/* SPDX-License-Identifier: MIT */
/* The reader's tables, docs/scene.schema.json and docs/scene.md know the same keys, types and ranges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"
#include "dynamics/dynamics.h"
#include "scene/read_form.h"

static ts_arena arena;
static ts_json_value *definitions;
static char *manual;

static char *read_source(const char *name, size_t *length)
{
    char path[4096], *text = NULL;
    const char *root = getenv("SOURCE_DIR");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
    ts_error error;
    if (ts_file_read(path, TS_JSON_BYTES_MAX, &text, length, &error) != TS_OK)
        fail_msg("%s", error.message);
    return text;
}

static int set_up(void **state)
{
    (void)state;
    size_t length;
    char *text = read_source("docs/scene.schema.json", &length);
    ts_json_value *root = NULL;
    ts_error error = {0};
    if (ts_json_parse(&arena, text, length, "schema", &root, &error) != TS_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    ts_free(text);
    definitions = ts_json_get(root, "definitions");
    manual = read_source("docs/scene.md", &length);
    return definitions ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    ts_arena_free(&arena);
    ts_free(manual);
    return 0;
}

static bool contains(const ts_json_value *list, const char *text)
{
    for (const ts_json_value *item = list ? list->first : NULL; item; item = item->next)
        if (strcmp(item->text, text) == 0)
            return true;
    return false;
}

/* ---- Forms in the plane and in space ---- */

static bool is_in(unsigned flags, bool space)
{
    return !(flags & (space ? TS_FIELD_PLANE : TS_FIELD_SPACE));
}

/* The definition of a form: one that is of both dimensions and differs has a 3 behind its name in space. */
static const ts_json_value *find_definition(const ts_form *form, bool space, char *name, size_t capacity)
{
    bool differs = false;
    for (size_t i = 0; i < form->field_count; i++)
        differs |= form->field[i].type == TS_FIELD_VECTOR || (form->field[i].flags & (TS_FIELD_PLANE | TS_FIELD_SPACE));
    snprintf(name, capacity, "%s%s", form->name, space && !form->where && differs ? "3" : "");
    const ts_json_value *definition = ts_json_get(definitions, name);
    if (!definition)
        fail_msg("the schema has no definition \"%s\"", name);
    return definition;
}

/* Another name that a key had before, for files that have it still. */
static bool is_old_name(const ts_json_value *property)
{
    const ts_json_value *deprecated = ts_json_get(property, "deprecated");
    return deprecated && deprecated->boolean;
}

/* Every form: those of the reader's tables, then one for each kind of dynamics; NULL after the last. */
static const ts_form *form_at(size_t index)
{
    static ts_dynamics_form made;
    size_t count = 0;
    while (ts_form_at(count))
        count++;
    const ts_dynamics *dynamics = index < count ? NULL : ts_dynamics_at(index - count);
    if (index < count || !dynamics)
        return ts_form_at(index);
    ts_dynamics_form_make(dynamics, &made);
    return &made.form;
}

static bool is_dynamics(const ts_form *form)
{
    return strcmp(form->name, "dynamics") == 0;
}

/* The rules of "dynamics" for one kind: `properties` that it refuses, for they are other kinds' own, and `required`. */
static const ts_json_value *rules_of_kind(const ts_json_value *definition, const char *kind)
{
    const ts_json_value *rule = ts_json_get(definition, "allOf");
    for (rule = rule ? rule->first : NULL; rule; rule = rule->next) {
        const ts_json_value *of = ts_json_get(ts_json_get(ts_json_get(rule, "if"), "properties"), "kind");
        if (strcmp(ts_json_get(of, "const")->text, kind) == 0)
            return ts_json_get(rule, "then");
    }
    fail_msg("the schema's \"dynamics\" has no rule for the kind \"%s\"", kind);
    return NULL;
}

/* ---- Keys ---- */

static bool is_known(const ts_form *form, bool space, const char *key)
{
    for (size_t i = 0; i < form->field_count; i++)
        if (strcmp(form->field[i].key, key) == 0 && is_in(form->field[i].flags, space))
            return true;
    return false;
}

static void compare_keys(const ts_form *form, bool space)
{
    char name[64];
    const ts_json_value *definition = find_definition(form, space, name, sizeof name);
    const ts_json_value *properties = ts_json_get(definition, "properties");
    const ts_json_value *required = ts_json_get(definition, "required");
    const ts_json_value *rules = is_dynamics(form) ? rules_of_kind(definition, form->kind) : NULL;
    const ts_json_value *refused = ts_json_get(rules, "properties"), *required_too = ts_json_get(rules, "required");
    const ts_json_value *closed = ts_json_get(definition, "additionalProperties");
    if (!closed || closed->kind != TS_JSON_BOOLEAN || closed->boolean)
        fail_msg("the schema's \"%s\" allows unknown keys", name);
    for (size_t i = 0; i < form->field_count; i++) {
        const ts_field *field = &form->field[i];
        if (!is_in(field->flags, space))
            continue;
        if (!ts_json_get(properties, field->key))
            fail_msg("the schema's \"%s\" lacks \"%s\"", name, field->key);
        /* one that has an old name is asked for by either */
        bool either = ts_json_get(definition, "oneOf") && strcmp(field->key, "position") == 0;
        const bool asked = contains(required, field->key) || contains(required_too, field->key);
        if (!either && asked != ((field->flags & TS_FIELD_REQUIRED) != 0))
            fail_msg("\"%s\" of \"%s\" is required in one of schema and reader only", field->key, name);
    }
    for (const ts_json_value *property = properties->first; property; property = property->next) {
        const bool known = is_known(form, space, property->key), ruled_out = ts_json_get(refused, property->key);
        if (known != ruled_out || is_old_name(property))
            continue;
        if (known)
            fail_msg("the rule for the kind \"%s\" in the schema's \"%s\" refuses its own key \"%s\"", form->kind, name,
                     property->key);
        if (is_dynamics(form) && ts_dynamics_of_key(property->key))
            fail_msg("the kind \"%s\" does not have \"%s\": add \"%s\": false to its rule in the schema's \"%s\"",
                     form->kind, property->key, property->key, name);
        fail_msg("the reader does not know \"%s\" of the schema's \"%s\"", property->key, name);
    }
    /* "kind" says which form it is */
    if (is_dynamics(form)) {
        if (!contains(ts_json_get(ts_json_get(properties, "kind"), "enum"), form->kind))
            fail_msg("the schema's \"%s\" does not know the kind \"%s\"", name, form->kind);
        return;
    }
    const ts_json_value *kind = ts_json_get(ts_json_get(properties, "kind"), "const");
    if (form->kind && (!kind || strcmp(kind->text, form->kind) != 0))
        fail_msg("the schema's \"%s\" is of another kind than \"%s\"", name, form->kind);
}

static void test_keys(void **state)
{
    (void)state;
    size_t count = 0;
    for (const ts_form *form; (form = form_at(count)); count++)
        for (int space = 0; space < 2; space++)
            if (is_in(form->where, space))
                compare_keys(form, space);
    assert_true(count > 20);
}

/* ---- Types and ranges ---- */

/* The definition that a field's type, quantity and range amount to; NULL when it is read by hand. */
static const char *definition_of(const ts_field *field, bool space, char *name, size_t capacity)
{
    static const char *const quantity[TS_QUANTITY_COUNT] = {
        "number",  "length",    "time",    "angle",          "speed",           "spin", "acceleration", "frequency",
        "density", "stiffness", "damping", "volume_density", "cubic_stiffness", "force"};
    static const char *const range[] = {"", "positive_", "not_negative_", ""};
    switch (field->type) {
    case TS_FIELD_NUMBER:
        if (field->range == TS_RANGE_SHARE)
            return "share";
        snprintf(name, capacity, "%s%s%s", range[field->range], quantity[field->quantity],
                 field->flags & TS_FIELD_AUTO ? "_or_auto" : "");
        return name;
    case TS_FIELD_VECTOR:
        snprintf(name, capacity, "%s%s_vector%s", range[field->range], quantity[field->quantity], space ? "3" : "");
        return name;
    case TS_FIELD_INTEGER:
        snprintf(name, capacity, "%s%s", field->range == TS_RANGE_THOUSAND ? "thousand" : "whole_number",
                 field->flags & TS_FIELD_AUTO ? "_or_auto" : "");
        return name;
    case TS_FIELD_TEXT:
    case TS_FIELD_SHAPE:
    case TS_FIELD_GRAIN:
    case TS_FIELD_MATERIAL:
    case TS_FIELD_BODY:
    case TS_FIELD_TARGET:
        return "name";
    default:
        return NULL;
    }
}

static void compare_types(const ts_form *form, bool space)
{
    char form_name[64];
    const ts_json_value *properties =
        ts_json_get(find_definition(form, space, form_name, sizeof form_name), "properties");
    for (size_t i = 0; i < form->field_count; i++) {
        const ts_field *field = &form->field[i];
        if (!is_in(field->flags, space))
            continue;
        const ts_json_value *property = ts_json_get(properties, field->key);
        char name[64], expected[96] = "";
        const char *definition = definition_of(field, space, name, sizeof name);
        const ts_json_value *reference = ts_json_get(property, "$ref"), *type = ts_json_get(property, "type");
        if (field->type == TS_FIELD_FLAG && (!type || strcmp(type->text, "boolean") != 0))
            fail_msg("\"%s\" of the schema's \"%s\" is not a boolean", field->key, form_name);
        if (!definition)
            continue;
        snprintf(expected, sizeof expected, "#/definitions/%s", definition);
        if (!reference || strcmp(reference->text, expected) != 0)
            fail_msg("\"%s\" of the schema's \"%s\" is %s, but the reader's is %s", field->key, form_name,
                     reference ? reference->text : "of no definition", expected);
        if (!ts_json_get(definitions, definition))
            fail_msg("the schema has no definition \"%s\"", definition);
    }
}

static void test_types(void **state)
{
    (void)state;
    const ts_form *form;
    for (size_t n = 0; (form = form_at(n)); n++)
        for (int space = 0; space < 2; space++)
            if (is_in(form->where, space))
                compare_types(form, space);
}

/* ---- The manual ---- */

static void test_manual(void **state)
{
    (void)state;
    const ts_form *form;
    for (size_t n = 0; (form = form_at(n)); n++) {
        for (size_t i = 0; i < form->field_count; i++) {
            char word[64];
            snprintf(word, sizeof word, "`%s`", form->field[i].key);
            if (!strstr(manual, word))
                fail_msg("docs/scene.md does not explain %s of \"%s\"", word, form->name);
        }
        if (form->kind) {
            char word[64];
            snprintf(word, sizeof word, "\"%s\"", form->kind);
            if (!strstr(manual, word))
                fail_msg("docs/scene.md does not explain the kind %s", word);
        }
    }
    for (ts_quantity quantity = TS_QUANTITY_LENGTH; quantity < TS_QUANTITY_COUNT; quantity++)
        if (!strstr(manual, ts_quantity_units(quantity)))
            fail_msg("docs/scene.md does not list the units %s", ts_quantity_units(quantity));
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_manual),
    };
    return cmocka_run_group_tests(test, set_up, tear_down);
}
