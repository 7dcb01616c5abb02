/* SPDX-License-Identifier: MIT */
/* What the command line of `touchstone map` asks for: as options of a map, and whether it makes sense. */
#include <string.h>

#include "cli/map.h"
#include "cli/places.h"

void ts_map_wish_apply(const ts_map_wish *wish, ts_map_options *o)
{
    if (wish->kind >= 0)
        o->kind = (ts_map_kind)wish->kind;
    if (wish->encoding >= 0)
        o->encoding = (ts_map_encoding)wish->encoding;
    /* 0 is "not given" here and "the default" there; what is out of range is left for the library to refuse */
    o->error = wish->error != 0 ? wish->error : o->error;
    o->smoothing = wish->smoothing != 0 ? wish->smoothing : o->smoothing;
    o->seconds = wish->seconds != 0 ? wish->seconds : o->seconds;
    o->bytes = wish->bytes ? (size_t)wish->bytes : o->bytes;
    o->depth = wish->depth ? (int32_t)wish->depth : o->depth;
    o->width = wish->width ? (int32_t)wish->width : o->width;
    o->samples = wish->samples ? wish->samples : o->samples;
    o->seed = wish->seed ? wish->seed : o->seed;
    o->grid = wish->grid ? (int32_t)wish->grid : o->grid;
    o->no_folding |= wish->no_folding;
    o->refine |= wish->refine;
}

/* An option, and who has a use for it. */
typedef struct use {
    const char *name;
    bool given;
    unsigned by;
    const char *instead; /* what is meant, perhaps; may be NULL */
} use;

/* The option is a slip where nothing would come of it. */
static ts_status check_uses(const ts_map_wish *wish, const char *verb, ts_map_verb bit, ts_error *error)
{
    const unsigned one = TS_MAP_BUILD | TS_MAP_BUILD_SCENE | TS_MAP_INFO | TS_MAP_PLOT;
    const unsigned making = TS_MAP_BUILD | TS_MAP_BUILD_SCENE | TS_MAP_PLOT | TS_MAP_COMPARE;
    const use list[] = {
        {"kind", wish->kind >= 0, one, bit == TS_MAP_COMPARE ? "--kinds chooses" : NULL},
        {"error", wish->error != 0, one | TS_MAP_COMPARE, NULL},
        {"bytes", wish->bytes != 0, one | TS_MAP_COMPARE, NULL},
        {"depth", wish->depth != 0, one, NULL},
        {"width", wish->width != 0, one, NULL},
        {"encoding", wish->encoding >= 0, one, NULL},
        {"no-folding", wish->no_folding, one, NULL},
        {"seconds", wish->seconds != 0, one | TS_MAP_COMPARE, NULL},
        {"samples", wish->samples != 0, one | TS_MAP_COMPARE, NULL},
        {"seed", wish->seed != 0, one | TS_MAP_COMPARE, NULL},
        {"grid", wish->grid != 0, one, NULL},
        {"refine", wish->refine, one, NULL},
        {"smoothing", wish->smoothing != 0, one, NULL},
        {"out", wish->out != NULL, TS_MAP_BUILD | TS_MAP_PLOT,
         bit == TS_MAP_BUILD_SCENE ? "maps of a scene go to the cache" : NULL},
        {"pixels", wish->pixels != 0, TS_MAP_PLOT, NULL},
        {"rebuild", wish->rebuild, making, NULL},
        {"no-cache", wish->no_cache, making | TS_MAP_INFO, NULL},
        {"kinds", wish->kinds != NULL, TS_MAP_COMPARE | TS_MAP_PLOT, "--kind chooses one"},
        {"quick", wish->quick, TS_MAP_COMPARE, NULL},
        {"set", wish->set.count > 0, TS_MAP_BUILD_SCENE, NULL},
        {"search-path", wish->search_path.count > 0, TS_MAP_BUILD_SCENE, NULL},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].given && !(list[i].by & bit))
            return ts_fail(error, TS_BAD_INPUT, "`map %s` has no use for --%s%s%s; leave it out", verb, list[i].name,
                           list[i].instead ? ": " : "", list[i].instead ? list[i].instead : "");
    return TS_OK;
}

ts_status ts_map_wish_check(const ts_map_wish *wish, const char *verb, ts_map_verb bit, ts_error *error)
{
    ts_map_options given = {0}, complete;
    TS_TRY(check_uses(wish, verb, bit, error));
    ts_map_wish_apply(wish, &given);
    if (wish->error < 0 || wish->smoothing < 0)
        return ts_fail(error, TS_BAD_INPUT, "--error and --smoothing are shares of a radius; give positive ones");
    if (wish->smoothing != 0 && !wish->kinds && (wish->kind >= 0 || bit != TS_MAP_BUILD_SCENE) &&
        given.kind != TS_MAP_EXACT && given.kind != TS_MAP_SAMPLED)
        return ts_fail(
            error, TS_BAD_INPUT,
            "--smoothing is for maps of kind exact and sampled, not for %s; leave it out, or add --kind exact",
            ts_map_kind_name(given.kind));
    if (wish->kind >= 0 && wish->kinds)
        return ts_fail(error, TS_BAD_INPUT, "--kind and --kinds were both given; leave one out");
    TS_TRY(ts_map_options_complete(&given, &complete, error));
    TS_TRY(ts_cli_check_file("out", wish->out, NULL, error));
    return ts_cli_check_file("json", wish->json, NULL, error);
}

ts_status ts_map_kinds_parse(const char *list, ts_map_kinds *kinds, ts_error *error)
{
    *kinds = (ts_map_kinds){0};
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        int found = TS_MAP_AUTO;
        while (found <= TS_MAP_TABLE && (strlen(ts_map_kind_name((ts_map_kind)found)) != length ||
                                         strncmp(ts_map_kind_name((ts_map_kind)found), at, length) != 0))
            found++;
        if (found > TS_MAP_TABLE)
            return ts_fail(error, TS_BAD_INPUT,
                           "--kinds has '%.*s'; choose from exact, sampled, network, table and auto, with commas "
                           "between them",
                           (int)length, at);
        if (!kinds->has[found])
            kinds->kind[kinds->count++] = (ts_map_kind)found;
        kinds->has[found] = true;
        at += length + (at[length] == ',');
    }
    return kinds->count > 0 ? TS_OK
                            : ts_fail(error, TS_BAD_INPUT, "--kinds is empty; name some, as in --kinds network,table");
}
