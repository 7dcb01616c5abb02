/* SPDX-License-Identifier: MIT */
/* Generators of a scene file: where grains go, which, how large and how many. */
#include <math.h>
#include <string.h>

#include "scene/read.h"
#include "scene/sizes.h"

/* ---- Sizes ---- */

static const char *const entry_what = "entry of a mix";

/* [least, greatest] */
static ts_status read_scale_range(const ts_reader *reader, const ts_json_value *value, const ts_field *field,
                                  ts_mix_entry *entry)
{
    if (value->count != 2)
        return ts_read_fail(reader, value, "%s: scale wants a number, or a list of the least and the greatest",
                            entry_what);
    TS_TRY(ts_read_number(reader, value->first, entry_what, field, &entry->scale_min));
    TS_TRY(ts_read_number(reader, value->first->next, entry_what, field, &entry->scale_max));
    if (entry->scale_max < entry->scale_min)
        return ts_read_fail(reader, value, "%s: scale goes from %g down to %g; exchange them", entry_what,
                            entry->scale_min, entry->scale_max);
    return TS_OK;
}

static ts_status read_log_normal(const ts_reader *reader, const ts_json_value *value, ts_mix_entry *entry)
{
    entry->size = TS_SIZE_LOG_NORMAL;
    entry->median = 1;
    entry->scale_min = entry->scale_max = 0; /* not given */
    TS_TRY(ts_read_object(reader, value, &ts_form_size[TS_SIZE_LOG_NORMAL - 1], entry));
    /* three standard deviations hold all but one in four hundred */
    if (!(entry->scale_min > 0))
        entry->scale_min = entry->median * exp(-3 * entry->spread);
    if (!(entry->scale_max > 0))
        entry->scale_max = entry->median * exp(3 * entry->spread);
    if (entry->scale_max < entry->scale_min)
        return ts_read_fail(reader, value, "%s: sizes go from %g down to %g; exchange min and max", entry_what,
                            entry->scale_min, entry->scale_max);
    return TS_OK;
}

/* [[scale, share], …]; with `diameter` the sizes are lengths of the grain's bounding circle. */
static ts_status read_size_points(const ts_reader *reader, const ts_json_value *list, double diameter,
                                  ts_mix_entry *entry)
{
    const ts_field scale = {"points", TS_FIELD_NUMBER, TS_QUANTITY_NONE, TS_RANGE_POSITIVE, 0, 0};
    const ts_field length = {"points", TS_FIELD_NUMBER, TS_QUANTITY_LENGTH, TS_RANGE_POSITIVE, 0, 0};
    const ts_field share = {"points", TS_FIELD_NUMBER, TS_QUANTITY_NONE, TS_RANGE_SHARE, 0, 0};
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, entry_what, "points"));
    ts_size_step *step = ts_arena_alloc(reader->arena, list->count ? list->count : 1, sizeof *step);
    if (!step)
        return ts_fail_memory(reader->error, list->count * sizeof *step);
    entry->table = step;
    entry->table_count = list->count;
    for (const ts_json_value *item = list->first; item; item = item->next, step++) {
        if (item->kind != TS_JSON_ARRAY || item->count != 2)
            return ts_read_fail(reader, item, "%s: a point of a size table is [size, share of the grains up to it]",
                                entry_what);
        TS_TRY(ts_read_number(reader, item->first, entry_what, diameter > 0 ? &length : &scale, &step->scale));
        TS_TRY(ts_read_number(reader, item->first->next, entry_what, &share, &step->share));
        if (diameter > 0)
            step->scale /= diameter;
    }
    return TS_OK;
}

/* One of two words. */
static ts_status read_choice(const ts_reader *reader, const ts_json_value *value, const char *key,
                             const char *const word[2], bool *second)
{
    if (!value)
        return TS_OK;
    bool text = value->kind == TS_JSON_TEXT;
    *second = text && strcmp(value->text, word[1]) == 0;
    if (!*second && !(text && strcmp(value->text, word[0]) == 0))
        return ts_read_fail(reader, value, "%s: %s is \"%s\" or \"%s\"", entry_what, key, word[0], word[1]);
    return TS_OK;
}

static ts_status read_size_table(const ts_reader *reader, const ts_json_value *value, ts_mix_entry *entry)
{
    static const char *const by_word[2] = {"number", "mass"}, *const of_word[2] = {"scale", "diameter"};
    bool of_diameter = false;
    entry->size = TS_SIZE_TABLE;
    TS_TRY(ts_read_object(reader, value, &ts_form_size[TS_SIZE_TABLE - 1], entry));
    TS_TRY(read_choice(reader, ts_json_get(value, "by"), "by", by_word, &entry->by_mass));
    TS_TRY(read_choice(reader, ts_json_get(value, "of"), "of", of_word, &of_diameter));
    /* how large a solid is about its centre of mass is known when it is compiled, and the draws by mass are of areas */
    if (!reader->in->outlines && (of_diameter || entry->by_mass))
        return ts_read_fail(reader, ts_json_get(value, of_diameter ? "of" : "by"),
                            "%s: in %s, tables of sizes are of scales and by number; %s", entry_what, reader->in->name,
                            of_diameter ? "write \"of\": \"scale\"" : "write \"by\": \"number\"");
    double diameter = 2 * reader->scene->shape.item[entry->shape].mass.radius;
    TS_TRY(read_size_points(reader, ts_json_get(value, "points"), of_diameter ? diameter : 0, entry));
    ts_scene_at(reader->scene, ts_json_place(value));
    return ts_size_table_check(entry->table, entry->table_count, ts_json_place(value), reader->error);
}

/* One number, [least, greatest], or a distribution. The entry's shape is known. */
static ts_status read_scale(const ts_reader *reader, const ts_json_value *value, ts_mix_entry *entry)
{
    static const ts_field field = {"scale", TS_FIELD_NUMBER, TS_QUANTITY_NONE, TS_RANGE_POSITIVE, 0, 0};
    if (!value)
        return TS_OK;
    if (value->kind == TS_JSON_ARRAY)
        return read_scale_range(reader, value, &field, entry);
    if (value->kind == TS_JSON_OBJECT) {
        const ts_form *form;
        TS_TRY(ts_read_kind(reader, value, "scale", ts_form_size, TS_SIZE_FORM_COUNT, &form));
        return form == &ts_form_size[TS_SIZE_TABLE - 1] ? read_size_table(reader, value, entry)
                                                        : read_log_normal(reader, value, entry);
    }
    TS_TRY(ts_read_number(reader, value, entry_what, &field, &entry->scale_min));
    entry->scale_max = entry->scale_min;
    return TS_OK;
}

/* ---- Mixes ---- */

/* How many entries an entry stands for: a group of shapes has one for each member. */
static size_t entry_count(const ts_reader *reader, const ts_json_value *item)
{
    const ts_json_value *shape = ts_json_get(item, "shape");
    const ts_group *group = shape && shape->kind == TS_JSON_TEXT ? ts_read_group(reader, shape->text) : NULL;
    return group ? group->count : 1;
}

/* An entry of a mix, or the generator's own shape, material and scale; a group of shapes shares its weight among its
 * members. `entry` goes on to the next. */
static ts_status read_entry(const ts_reader *reader, const ts_json_value *item, ts_mix_entry **entry)
{
    ts_mix_entry common = {.weight = 1, .scale_min = 1, .scale_max = 1};
    const ts_json_value *shape = ts_json_get(item, "shape"), *scale = ts_json_get(item, "scale");
    TS_TRY(ts_read_object(reader, item, &ts_form_mix_entry, &common));
    const ts_group *group = ts_read_group(reader, shape->text);
    for (size_t i = 0; i < (group ? group->count : 1); i++) {
        ts_mix_entry *to = (*entry)++;
        *to = common;
        if (group) {
            to->shape = group->item[i].shape;
            to->weight *= group->item[i].weight / group->total;
        }
        TS_TRY(read_scale(reader, scale, to));
    }
    return TS_OK;
}

/* The shorthand: an entry made of those of the generator's members that an entry has. */
static ts_status read_shorthand(const ts_reader *reader, const ts_json_value *item, ts_mix_entry **entry)
{
    static const char *const key[] = {"shape", "material", "scale"};
    ts_json_value object = *item, member[3];
    object.first = NULL;
    object.count = 0;
    for (size_t i = 0; i < 3; i++) {
        const ts_json_value *found = ts_json_get(item, key[i]);
        if (found) {
            member[i] = *found;
            ts_json_append(&object, &member[i]);
        }
    }
    return read_entry(reader, &object, entry);
}

static ts_status read_mix(const ts_reader *reader, const ts_json_value *item, const char *what, ts_generator_def *def)
{
    const ts_json_value *mix = ts_json_get(item, "mix"), *shape = ts_json_get(item, "shape");
    if (!mix && !shape)
        return ts_read_fail(reader, item, "%s: it has neither \"shape\" nor \"mix\"; say what grains it places", what);
    const ts_json_value *both = shape                           ? shape
                                : ts_json_get(item, "material") ? ts_json_get(item, "material")
                                                                : ts_json_get(item, "scale");
    if (mix && both)
        return ts_read_fail(reader, both, "%s: %s stands beside mix; move it into the mix", what, both->key);
    if (mix)
        TS_TRY(ts_read_is(reader, mix, TS_JSON_ARRAY, what, "mix"));
    if (mix && mix->count == 0)
        return ts_read_fail(reader, mix, "%s: the mix is empty; give at least one kind of grain", what);

    size_t count = mix ? 0 : entry_count(reader, item);
    for (const ts_json_value *from = mix ? mix->first : NULL; from; from = from->next)
        count += entry_count(reader, from);
    ts_mix_entry *entry = ts_arena_alloc(reader->arena, count, sizeof *entry);
    if (!entry)
        return ts_fail_memory(reader->error, count * sizeof *entry);
    def->mix = entry;
    def->mix_count = count;
    if (!mix)
        return read_shorthand(reader, item, &entry);
    for (const ts_json_value *from = mix->first; from; from = from->next)
        TS_TRY(read_entry(reader, from, &entry));
    return TS_OK;
}

/* ---- Regions ---- */

static ts_status read_box(const ts_reader *reader, const ts_json_value *box, ts_generator_def *def)
{
    static const ts_field field = {"box", TS_FIELD_NUMBER, TS_QUANTITY_LENGTH, TS_RANGE_ANY, 0, 0};
    const uint32_t n = (uint32_t)reader->in->axes;
    const char *wanted = reader->in->box;
    if (box->kind != TS_JSON_ARRAY)
        return ts_read_mismatch(reader, box, "region", "box", wanted);
    if (box->count != 2 * n)
        return ts_read_fail(reader, box, "region: box wants %s, found %u", wanted, box->count);
    const ts_json_value *item = box->first;
    for (uint32_t i = 0; i < 2 * n; i++, item = item->next)
        TS_TRY(ts_read_number(reader, item, "region", &field, i < n ? &def->low[i] : &def->high[i - n]));
    def->region = TS_REGION_BOX;
    return ts_read_corners(reader, box, "region", def->low, def->high);
}

static ts_status read_region(const ts_reader *reader, const ts_json_value *region, ts_generator_def *def)
{
    TS_TRY(ts_read_object(reader, region, &ts_form_region, NULL));
    const char *word = reader->in->round_name;
    const ts_json_value *box = ts_json_get(region, "box"), *round = ts_json_get(region, word);
    if (!box == !round)
        return ts_read_fail(reader, region, "region: it wants either \"box\" or \"%s\", found %s", word,
                            box ? "both" : "neither");
    if (box)
        return read_box(reader, box, def);
    def->region = reader->in->round;
    return ts_read_object(reader, round, reader->in->round_form, def);
}

/* How grains are turned: "angles" in the plane, "attitudes" in space. */
static ts_status read_turns(const ts_reader *reader, const ts_json_value *item, const char *what, ts_generator_def *def)
{
    const ts_json_value *turns = ts_json_get(item, reader->in->turns_key);
    if (!turns)
        return TS_OK;
    const char *word = turns->kind == TS_JSON_TEXT ? turns->text : "", *none = reader->in->no_turn;
    bool line = def->fill == TS_FILL_LINE;
    def->random_attitude = strcmp(word, "random") == 0;
    def->angle_along = line && strcmp(word, "along") == 0;
    if (!def->random_attitude && !def->angle_along && strcmp(word, none) != 0)
        return ts_read_fail(reader, turns,
                            line ? "%s: %s is \"random\", \"%s\" or \"along\"" : "%s: %s is \"random\" or \"%s\"", what,
                            turns->key, none);
    return TS_OK;
}

static ts_status read_grain_count(const ts_reader *reader, const ts_json_value *count, const char *what, size_t *grains)
{
    uint64_t number;
    TS_TRY(ts_read_integer(reader, count, what, "count", TS_RANGE_NOT_NEGATIVE, &number));
    if (number > TS_GENERATOR_COUNT_MAX)
        return ts_read_fail(reader, count, "%s: %.0f grains are too many for memory; give at most %u", what,
                            (double)number, TS_GENERATOR_COUNT_MAX);
    *grains = (size_t)number;
    return TS_OK;
}

/* How many: a count, or the share of the region that they cover; along a line, a count or the spacing. */
static ts_status read_count(const ts_reader *reader, const ts_json_value *item, const char *what, ts_generator_def *def)
{
    const ts_json_value *count = ts_json_get(item, "count"), *packing = ts_json_get(item, "packing");
    const ts_json_value *spacing = ts_json_get(item, "spacing");
    bool line = def->fill == TS_FILL_LINE;
    if (line && count && spacing)
        return ts_read_fail(reader, spacing, "%s: spacing and count both say how many grains there are; leave one",
                            what);
    if (!line && !count == !packing)
        return ts_read_fail(reader, packing ? packing : item,
                            "%s: it wants either \"count\", how many grains, or \"packing\", the share of the region "
                            "that they cover; found %s",
                            what, count ? "both" : "neither");
    if (!count)
        return TS_OK;
    TS_TRY(read_grain_count(reader, count, what, &def->count));
    if (line && def->count == 0)
        return ts_read_fail(reader, count, "%s: its count is 0; say how many grains to place", what);
    return TS_OK;
}

ts_status ts_read_generator(const ts_reader *reader, const ts_json_value *item)
{
    ts_generator_def def = ts_default_generator();
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "generator", ts_form_generator, TS_GENERATOR_FORM_COUNT, &form));
    def.fill = (ts_fill_kind)form->value;
    if (def.fill == TS_FILL_LINE)
        def.jitter = 0;
    TS_TRY(ts_read_object(reader, item, form, &def));
    if (def.fill == TS_FILL_LINE)
        TS_TRY(ts_read_line(reader, item, form->what, &def.line));
    else
        TS_TRY(read_region(reader, ts_json_get(item, "region"), &def));
    TS_TRY(read_count(reader, item, form->what, &def));
    TS_TRY(read_mix(reader, item, form->what, &def));
    TS_TRY(read_turns(reader, item, form->what, &def));
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_generator(reader->scene, &def, NULL, reader->error);
}
