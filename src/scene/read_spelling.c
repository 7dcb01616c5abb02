/* SPDX-License-Identifier: MIT */
/* Keys that had another name before are read by it still: every thing has one name since, and only that is known
 * from here on.
 *
 *     boundaries ──▶ walls        point, centre (of walls and regions) ──▶ position
 */
#include <string.h>

#include "scene/read.h"

/* The member `old` of an object, if there is one, becomes `name`. */
static ts_status respell(const ts_reader *reader, const ts_json_value *object, const char *what, const char *old,
                         const char *name)
{
    ts_json_value *value = object && object->kind == TS_JSON_OBJECT ? ts_json_get(object, old) : NULL;
    if (!value)
        return TS_OK;
    if (ts_json_get(object, name))
        return ts_fail_at(reader->error, TS_BAD_INPUT, ts_json_key_place(value),
                          "%s: \"%s\" is the old name of \"%s\", which is there as well; leave \"%s\"", what, old, name,
                          name);
    value->key = name;
    return TS_OK;
}

static ts_status respell_position(const ts_reader *reader, const ts_json_value *object, const char *what)
{
    TS_TRY(respell(reader, object, what, "point", "position"));
    return respell(reader, object, what, "centre", "position");
}

/* The items of a section, if it is a list. */
static const ts_json_value *first_of(const ts_json_value *root, const char *key)
{
    const ts_json_value *section = ts_json_get(root, key);
    return section && section->kind == TS_JSON_ARRAY ? section->first : NULL;
}

ts_status ts_read_spelling(const ts_reader *reader, ts_json_value *root)
{
    TS_TRY(respell(reader, root, "scene", "boundaries", "walls"));
    for (const ts_json_value *item = first_of(root, "walls"); item; item = item->next)
        TS_TRY(respell_position(reader, item, "wall"));
    for (const ts_json_value *item = first_of(root, "generators"); item; item = item->next) {
        const ts_json_value *region = item->kind == TS_JSON_OBJECT ? ts_json_get(item, "region") : NULL;
        if (!region || region->kind != TS_JSON_OBJECT)
            continue;
        TS_TRY(respell_position(reader, ts_json_get(region, "circle"), "region"));
        TS_TRY(respell_position(reader, ts_json_get(region, "cylinder"), "region"));
    }
    return TS_OK;
}
