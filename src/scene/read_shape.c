/* SPDX-License-Identifier: MIT */
/* Shapes of a scene file. Composites refer to other shapes by name, in any order, so they are resolved by a walk along
 * the references that notices when it comes back to a shape it is still inside of. Outlines refer to nothing
 * (read_outline.c), and groups are gathered when all shapes are there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/read.h"

/* Composites within composites. */
#define NESTING_MAX 32
/* Discs of all shapes together: a few lines of doubling composites would otherwise make millions. */
#define DISCS_MAX 100000

typedef struct entry {
    const ts_json_value *node;
    enum { UNTOUCHED, INSIDE, DONE } state;
    const ts_form *form; /* once it is resolved */
    ts_disc *disc;
    size_t disc_count;
} entry;

typedef struct walk {
    const ts_reader *reader;
    entry *shape;               /* in the order of the file */
    ts_names name;              /* key → index into `shape` */
    int32_t stack[NESTING_MAX]; /* shapes that the walk is inside of */
    int depth;
    size_t disc_total;
} walk;

static ts_status resolve(walk *w, int32_t index, const ts_json_value *place);

/* Room for the discs of an entry. */
static ts_status make_discs(walk *w, entry *e, size_t count)
{
    if (count > TS_SHAPE_DISCS_MAX)
        return ts_read_fail(w->reader, e->node, "shape: it is made of %zu discs; use at most %d", count,
                            TS_SHAPE_DISCS_MAX);
    w->disc_total += count;
    if (w->disc_total > DISCS_MAX)
        return ts_read_fail(w->reader, e->node, "shape: with it the shapes have more than %d discs in all; use fewer",
                            DISCS_MAX);
    e->disc = ts_arena_alloc(w->reader->arena, count, sizeof *e->disc);
    e->disc_count = count;
    return e->disc ? TS_OK : ts_fail_memory(w->reader->error, count * sizeof *e->disc);
}

/* The list of discs or parts. */
static ts_status find_list(const walk *w, const entry *e, const char *key, const ts_json_value **list)
{
    *list = ts_json_get(e->node, key);
    TS_TRY(ts_read_is(w->reader, *list, TS_JSON_ARRAY, "shape", key));
    if ((*list)->count == 0)
        return ts_read_fail(w->reader, *list, "shape: %s is empty; give at least one", key);
    return TS_OK;
}

static ts_status resolve_cluster(walk *w, entry *e)
{
    const ts_json_value *discs;
    TS_TRY(find_list(w, e, "discs", &discs));
    TS_TRY(make_discs(w, e, discs->count));
    ts_disc *to = e->disc;
    for (const ts_json_value *item = discs->first; item; item = item->next) {
        ts_disc_values values = {0};
        TS_TRY(ts_read_object(w->reader, item, &ts_form_cluster_disc, &values));
        *to++ = (ts_disc){values.at[0], values.at[1], values.radius};
    }
    return TS_OK;
}

static ts_status fail_cycle(const walk *w, int32_t index, const ts_json_value *place)
{
    char chain[512], quote[TS_QUOTE_SIZE];
    size_t used = 0;
    int first = 0;
    while (w->stack[first] != index)
        first++;
    for (int i = first; i <= w->depth && used < sizeof chain; i++) {
        int32_t at = i < w->depth ? w->stack[i] : index;
        used += (size_t)snprintf(chain + used, sizeof chain - used, "%s%s", i > first ? " → " : "",
                                 ts_quote(w->shape[at].node->key, quote, sizeof quote));
    }
    return ts_read_fail(w->reader, place, "shapes are made of each other in a circle: %s; break it", chain);
}

static bool is_group(const entry *e)
{
    return e->form == &ts_form_shape[TS_SHAPE_FORM_GROUP];
}

/* The shape that a part refers to, resolved. */
static ts_status resolve_part(walk *w, const ts_json_value *part, ts_part_values *values, const entry **of)
{
    TS_TRY(ts_read_object(w->reader, part, &ts_form_composite_part, values));
    const ts_json_value *shape = ts_json_get(part, "shape");
    TS_TRY(ts_read_is(w->reader, shape, TS_JSON_TEXT, ts_form_composite_part.what, "shape"));
    const ts_name *name = ts_names_find(&w->name, shape->text);
    if (!name) {
        char quote[TS_QUOTE_SIZE];
        return ts_read_fail(w->reader, shape, "%s: there is no shape named \"%s\"; add it to \"shapes\"",
                            ts_form_composite_part.what, ts_quote(shape->text, quote, sizeof quote));
    }
    TS_TRY(resolve(w, name->index, shape));
    *of = &w->shape[name->index];
    if ((*of)->disc_count == 0) {
        char quote[TS_QUOTE_SIZE];
        return ts_read_fail(w->reader, shape,
                            "%s: \"%s\" is %s, but composites are made of discs; draw one polygon instead",
                            ts_form_composite_part.what, ts_quote(shape->text, quote, sizeof quote),
                            is_group(*of) ? "a group" : "an outline");
    }
    return TS_OK;
}

static ts_status resolve_composite(walk *w, entry *e)
{
    const ts_json_value *parts;
    TS_TRY(find_list(w, e, "parts", &parts));
    size_t count = 0;
    for (const ts_json_value *part = parts->first; part; part = part->next) {
        ts_part_values values = {.scale = 1};
        const entry *of;
        TS_TRY(resolve_part(w, part, &values, &of));
        count += of->disc_count; /* at most 4096 times the parts of a file: no overflow */
    }
    TS_TRY(make_discs(w, e, count));
    ts_disc *to = e->disc;
    for (const ts_json_value *part = parts->first; part; part = part->next) {
        ts_part_values values = {.scale = 1};
        const entry *of;
        TS_TRY(resolve_part(w, part, &values, &of));
        double c = cos(values.angle) * values.scale, s = sin(values.angle) * values.scale;
        for (size_t i = 0; i < of->disc_count; i++) {
            const ts_disc *disc = &of->disc[i];
            *to++ = (ts_disc){values.at[0] + c * disc->x - s * disc->y, values.at[1] + s * disc->x + c * disc->y,
                              values.scale * disc->radius};
        }
    }
    return TS_OK;
}

/* `place` is where the shape is referred to. */
static ts_status resolve(walk *w, int32_t index, const ts_json_value *place)
{
    entry *e = &w->shape[index];
    if (e->state == DONE)
        return TS_OK;
    if (e->state == INSIDE)
        return fail_cycle(w, index, place);
    if (w->depth == NESTING_MAX)
        return ts_read_fail(w->reader, place, "composite shapes are nested more than %d deep; use fewer levels",
                            NESTING_MAX);
    e->state = INSIDE;
    w->stack[w->depth++] = index;

    const ts_form *form;
    ts_disc disc = {0};
    TS_TRY(ts_read_kind(w->reader, e->node, "shape", ts_form_shape, TS_SHAPE_FORM_COUNT, &form));
    e->form = form;
    switch (form - ts_form_shape) {
    case TS_SHAPE_FORM_DISC:
        TS_TRY(ts_read_object(w->reader, e->node, form, &disc));
        TS_TRY(make_discs(w, e, 1));
        e->disc[0] = disc;
        break;
    case TS_SHAPE_FORM_CLUSTER:
        TS_TRY(ts_read_object(w->reader, e->node, form, NULL));
        TS_TRY(resolve_cluster(w, e));
        break;
    case TS_SHAPE_FORM_COMPOSITE:
        TS_TRY(ts_read_object(w->reader, e->node, form, NULL));
        TS_TRY(resolve_composite(w, e));
        break;
    default: /* an outline or a group has no discs, and waits */
        break;
    }
    w->depth--;
    e->state = DONE;
    return TS_OK;
}

/* ---- Into the scene ---- */

static ts_status add_discs(const walk *w, const entry *e)
{
    ts_shape_def def = ts_default_shape();
    def.name = e->node->key;
    def.disc = e->disc;
    def.disc_count = e->disc_count;
    ts_scene_at(w->reader->scene, ts_json_place(e->node));
    return ts_scene_add_shape(w->reader->scene, &def, NULL, w->reader->error);
}

static ts_status add_outline(const walk *w, const entry *e)
{
    ts_outline *outline = NULL;
    TS_TRY(ts_read_outline(w->reader, e->node, e->form, &outline));
    ts_scene_at(w->reader->scene, ts_json_place(e->node));
    ts_status status = ts_scene_add_outline(w->reader->scene, e->node->key, outline, NULL, w->reader->error);
    ts_outline_free(outline);
    return status;
}

/* One member of a group: the name of a shape, and its weight. */
static ts_status read_member(const walk *w, const ts_json_value *member, ts_group_item *item)
{
    static const ts_field weight = {"a weight", TS_FIELD_NUMBER, TS_QUANTITY_NONE, TS_RANGE_POSITIVE, 0, 0};
    char quote[TS_QUOTE_SIZE];
    const ts_name *name = ts_names_find(&w->name, member->key);
    ts_quote(member->key, quote, sizeof quote);
    if (!name)
        return ts_fail_at(w->reader->error, TS_BAD_INPUT, ts_json_key_place(member),
                          "group: there is no shape named \"%s\"; add it to \"shapes\"", quote);
    if (is_group(&w->shape[name->index]))
        return ts_fail_at(w->reader->error, TS_BAD_INPUT, ts_json_key_place(member),
                          "group: \"%s\" is a group itself; name its members", quote);
    item->shape = ts_scene_find_shape(w->reader->scene, member->key);
    return ts_read_number(w->reader, member, "group", &weight, &item->weight);
}

static ts_status add_group(const walk *w, const entry *e)
{
    TS_TRY(ts_read_object(w->reader, e->node, e->form, NULL));
    const ts_json_value *members = ts_json_get(e->node, "members");
    TS_TRY(ts_read_is(w->reader, members, TS_JSON_OBJECT, "group", "members"));
    if (members->count == 0)
        return ts_read_fail(w->reader, members, "group: it has no members; name at least one shape");
    ts_group_item *item = ts_arena_alloc(w->reader->arena, members->count, sizeof *item);
    ts_group *group = ts_arena_alloc(w->reader->arena, 1, sizeof *group);
    if (!item || !group)
        return ts_fail_memory(w->reader->error, members->count * sizeof *item);
    *group = (ts_group){.name = e->node->key, .item = item, .count = members->count, .next = *w->reader->group};
    for (const ts_json_value *member = members->first; member; member = member->next, item++) {
        TS_TRY(read_member(w, member, item));
        group->total += item->weight;
    }
    *w->reader->group = group;
    return TS_OK;
}

static ts_status resolve_all(walk *w, const ts_json_value *shapes)
{
    int32_t count = 0;
    for (const ts_json_value *node = shapes->first; node; node = node->next) {
        TS_TRY(ts_names_reserve(&w->name, w->reader->error));
        ts_names_add(&w->name, node->key, TS_NAME_SHAPE, count);
        w->shape[count++].node = node;
    }
    for (int32_t i = 0; i < count; i++) {
        TS_TRY(resolve(w, i, w->shape[i].node));
        if (w->shape[i].disc_count > 0)
            TS_TRY(add_discs(w, &w->shape[i]));
        else if (!is_group(&w->shape[i]))
            TS_TRY(add_outline(w, &w->shape[i]));
    }
    for (int32_t i = 0; i < count; i++)
        if (is_group(&w->shape[i]))
            TS_TRY(add_group(w, &w->shape[i]));
    return TS_OK;
}

ts_status ts_read_shapes(const ts_reader *reader, const ts_json_value *shapes)
{
    TS_TRY(ts_read_is(reader, shapes, TS_JSON_OBJECT, "scene", "shapes"));
    walk w = {.reader = reader};
    if (shapes->count == 0)
        return TS_OK;
    w.shape = ts_arena_alloc(reader->arena, shapes->count, sizeof *w.shape);
    if (!w.shape)
        return ts_fail_memory(reader->error, shapes->count * sizeof *w.shape);
    ts_status status = resolve_all(&w, shapes);
    ts_names_free(&w.name);
    return status;
}
