/* SPDX-License-Identifier: MIT */
/* output.measures: what joins the energy table, as a list of names, or as an object that also says how to measure. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/read.h"
#include "touchstone/measure.h"

static const char what[] = "measures";

static ts_status read_names(const ts_reader *reader, const ts_json_value *list, const char *key, ts_settings *settings)
{
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, "output", key));
    const char *known[32], *name;
    size_t count = 0;
    for (size_t i = 0; i < 32 && (name = ts_measure_name(i)); i++)
        if (TS_MEASURE_OF_RUN & (1u << i))
            known[count++] = name;
    for (const ts_json_value *item = list->first; item; item = item->next) {
        TS_TRY(ts_read_is(reader, item, TS_JSON_TEXT, "output", key));
        uint32_t group = 0;
        for (size_t i = 0; (name = ts_measure_name(i)); i++)
            if (strcmp(name, item->text) == 0)
                group = 1u << i;
        if (group == TS_MEASURE_ENERGY)
            return ts_read_fail(reader, item,
                                "output: the energy table has the energies already; leave \"energy\" out");
        const char *near = group ? NULL : ts_nearest_name(item->text, known, count);
        if (!group && near)
            return ts_read_fail(reader, item, "output: unknown measure \"%s\"; did you mean \"%s\"?", item->text, near);
        if (!group)
            return ts_read_fail(reader, item, "output: unknown measure \"%s\"; docs/measures.md lists them",
                                item->text);
        settings->measures |= group;
    }
    return TS_OK;
}

/* Two points: four lengths, in space six. NULL stays as it is. */
static ts_status read_points(const ts_reader *reader, const ts_json_value *list, const char *key, double out[6])
{
    if (!list)
        return TS_OK;
    const unsigned count = 2 * (unsigned)reader->in->axes;
    const ts_field length = {key, TS_FIELD_NUMBER, TS_QUANTITY_LENGTH, TS_RANGE_ANY, 0, 0};
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, what, key));
    if (list->count != count)
        return ts_read_fail(reader, list, "measures: %s wants a list of %s lengths, %s, found %u", key,
                            reader->in->two_points_count, reader->in->two_points, list->count);
    const ts_json_value *item = list->first;
    for (unsigned i = 0; i < count; i++, item = item->next)
        TS_TRY(ts_read_number(reader, item, what, &length, &out[i]));
    return TS_OK;
}

/* Whether the two points are one. */
static bool is_point(const ts_reader *reader, const double line[6])
{
    const int d = reader->in->axes;
    bool same = true;
    for (int k = 0; k < d; k++)
        same = same && line[k] == line[k + d];
    return same;
}

/* Which of the names (NULL after the last) a text is. NULL stays as it is. */
static ts_status read_choice(const ts_reader *reader, const ts_json_value *text, const char *key,
                             const char *const *name, int *out)
{
    if (!text)
        return TS_OK;
    TS_TRY(ts_read_is(reader, text, TS_JSON_TEXT, what, key));
    char list[128] = "";
    for (int i = 0; name[i]; i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s\"%s\"", i ? ", " : "", name[i]);
        if (strcmp(name[i], text->text) == 0) {
            *out = i;
            return TS_OK;
        }
    }
    return ts_read_fail(reader, text, "measures: %s is \"%s\", but must be one of %s", key, text->text, list);
}

static ts_status read_options(const ts_reader *reader, const ts_json_value *object, ts_settings *settings)
{
    static const char *const kinds[] = {"auto", "material", "shape", "size", NULL}; /* in the order of ts_kind_by */
    const int d = reader->in->axes;
    ts_measures_values values = {.walls = true};
    const ts_json_value *region = ts_json_get(object, "region"), *line = ts_json_get(object, "line");
    double box[6] = {0};
    int along = 0, kind = 0;
    ts_measuring *to = &settings->measuring;
    TS_TRY(ts_read_object(reader, object, &ts_form_measures, &values));
    TS_TRY(read_names(reader, ts_json_get(object, "what"), "what", settings));
    TS_TRY(read_points(reader, region, "region", box));
    TS_TRY(read_points(reader, line, "line", to->line));
    TS_TRY(read_choice(reader, ts_json_get(object, "along"), "along", reader->in->slices, &along));
    TS_TRY(read_choice(reader, ts_json_get(object, "kinds"), "kinds", kinds, &kind));
    for (int k = 0; region && k < d; k++)
        if (!(box[k] < box[k + d]))
            return ts_read_fail(reader, region,
                                "measures: the region is empty; write it as %s, the lowest corner first",
                                reader->in->two_points);
    if (line && is_point(reader, to->line))
        return ts_read_fail(reader, line, "measures: the line has no length; write it as %s", reader->in->two_points);
    if (values.bins > 1000000 || values.rattlers > 100)
        return ts_read_fail(reader, object, "measures: bins goes up to 1000000, rattlers up to 100");
    if (values.share == 1)
        return ts_read_fail(reader, object, "measures: share must lie between 0 and 1");
    to->region = (ts_region){.x0 = box[0], .y0 = box[1], .x1 = box[d], .y1 = box[d + 1]};
    if (d > 2) {
        to->region.z0 = box[2];
        to->region.z1 = box[5];
    }
    to->bins = (size_t)values.bins;
    to->along_x = along == 1;
    to->rattlers = (int)values.rattlers;
    to->share = values.share;
    to->kinds = (ts_kind_by)kind;
    to->no_walls = !values.walls;
    return TS_OK;
}

ts_status ts_read_measures(const ts_reader *reader, const ts_json_value *given, ts_settings *settings)
{
    if (!given)
        return TS_OK;
    if (given->kind == TS_JSON_OBJECT)
        TS_TRY(read_options(reader, given, settings));
    else if (given->kind == TS_JSON_ARRAY)
        TS_TRY(read_names(reader, given, "measures", settings));
    else
        return ts_read_mismatch(reader, given, "output", "measures", "a list of names or an object");
    if ((settings->measures & TS_MEASURE_FLOW) && is_point(reader, settings->measuring.line))
        return ts_read_fail(reader, given,
                            "output: a flow needs a line that grains cross; write \"measures\": {\"what\": [\"flow\"], "
                            "\"line\": %s}",
                            reader->in->two_points);
    return TS_OK;
}
