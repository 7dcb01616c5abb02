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
    const unsigned count = reader->scene->is_space ? 6 : 4;
    const ts_field length = {key, TS_FIELD_NUMBER, TS_QUANTITY_LENGTH, TS_RANGE_ANY, 0, 0};
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, what, key));
    if (list->count != count)
        return ts_read_fail(reader, list, "measures: %s wants a list of %s lengths, found %u", key,
                            count == 6 ? "six" : "four", list->count);
    const ts_json_value *item = list->first;
    for (unsigned i = 0; i < count; i++, item = item->next)
        TS_TRY(ts_read_number(reader, item, what, &length, &out[i]));
    return TS_OK;
}

/* Whether the two points are one. */
static bool is_point(const ts_reader *reader, const double line[6])
{
    const int d = reader->scene->is_space ? 3 : 2;
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
    static const char *const axes[] = {"y", "x", NULL}, *const axes3[] = {"z", "x", NULL};
    const bool space = reader->scene->is_space;
    ts_measures_values values = {.walls = true};
    const ts_json_value *region = ts_json_get(object, "region"), *line = ts_json_get(object, "line");
    double box[6] = {0};
    int along = 0, kind = 0;
    ts_measuring *to = &settings->measuring;
    TS_TRY(ts_read_object(reader, object, &ts_form_measures, &values));
    TS_TRY(read_names(reader, ts_json_get(object, "what"), "what", settings));
    TS_TRY(read_points(reader, region, "region", box));
    TS_TRY(read_points(reader, line, "line", to->line));
    TS_TRY(read_choice(reader, ts_json_get(object, "along"), "along", space ? axes3 : axes, &along));
    TS_TRY(read_choice(reader, ts_json_get(object, "kinds"), "kinds", kinds, &kind));
    if (region && space && (!(box[0] < box[3]) || !(box[1] < box[4]) || !(box[2] < box[5])))
        return ts_read_fail(reader, region, "measures: the region is empty; write it as [x0, y0, z0, x1, y1, z1]");
    if (region && !space && (!(box[0] < box[2]) || !(box[1] < box[3])))
        return ts_read_fail(reader, region, "measures: the region is empty; write it as [left, bottom, right, top]");
    if (line && is_point(reader, to->line))
        return ts_read_fail(reader, line, "measures: the line has no length; write it as %s",
                            space ? "[x0, y0, z0, x1, y1, z1]" : "[x0, y0, x1, y1]");
    if (values.bins > 1000000 || values.rattlers > 100)
        return ts_read_fail(reader, object, "measures: bins goes up to 1000000, rattlers up to 100");
    if (values.share == 1)
        return ts_read_fail(reader, object, "measures: share must lie between 0 and 1");
    to->region = space ? (ts_region){box[0], box[1], box[3], box[4], box[2], box[5]}
                       : (ts_region){box[0], box[1], box[2], box[3], 0, 0};
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
                            reader->scene->is_space ? "[x0, y0, z0, x1, y1, z1]" : "[x0, y0, x1, y1]");
    return TS_OK;
}
