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
    unsigned by;         /* verbs */
    unsigned kinds;      /* that it says something to, by 1 << kind; 0: to all */
    const char *instead; /* what is meant, perhaps; may be NULL */
} use;

enum { use_count = 24 };

/* Of the options that not everybody takes. */
static void list_uses(const ts_map_wish *wish, ts_map_verb bit, use list[use_count])
{
    const unsigned one = TS_MAP_BUILD | TS_MAP_BUILD_SCENE | TS_MAP_INFO | TS_MAP_PLOT | TS_MAP_QUERY;
    const unsigned making = TS_MAP_BUILD | TS_MAP_BUILD_SCENE | TS_MAP_PLOT | TS_MAP_QUERY | TS_MAP_COMPARE;
    const unsigned shapes = TS_MAP_BUILD | TS_MAP_INFO | TS_MAP_PLOT | TS_MAP_QUERY | TS_MAP_COMPARE;
    const unsigned automatic = 1u << TS_MAP_AUTO, table = 1u << TS_MAP_TABLE, network = 1u << TS_MAP_NETWORK,
                   sampled = 1u << TS_MAP_SAMPLED, exact = 1u << TS_MAP_EXACT;
    const bool compares = bit == TS_MAP_COMPARE; /* tables and networks of its own choice */
    const use all[use_count] = {
        {"kind", wish->kind >= 0, one, 0, compares ? "--kinds chooses" : NULL},
        {"error", wish->error != 0, one | TS_MAP_COMPARE, compares ? automatic : automatic | table | network, NULL},
        {"bytes", wish->bytes != 0, one | TS_MAP_COMPARE, compares ? automatic : automatic | table, NULL},
        {"depth", wish->depth != 0, one, network, NULL},
        {"width", wish->width != 0, one, network, NULL},
        {"encoding", wish->encoding >= 0, one, network, NULL},
        {"no-folding", wish->no_folding, one, automatic | table | network, NULL},
        {"seconds", wish->seconds != 0, one | TS_MAP_COMPARE, network, NULL},
        {"samples", wish->samples != 0, one | TS_MAP_COMPARE, network, NULL},
        {"seed", wish->seed != 0, one | TS_MAP_COMPARE, network, NULL},
        {"grid", wish->grid != 0, one, sampled, NULL},
        {"refine", wish->refine, one, sampled, NULL},
        {"smoothing", wish->smoothing != 0, one, exact | sampled, NULL},
        {"scale-a", wish->scale_a != 0, shapes, 0, NULL},
        {"scale-b", wish->scale_b != 0, shapes, 0, NULL},
        {"out", wish->out != NULL, TS_MAP_BUILD | TS_MAP_PLOT | TS_MAP_PLOT_FILE, 0,
         bit == TS_MAP_BUILD_SCENE ? "maps of a scene go to the cache" : NULL},
        {"pixels", wish->pixels != 0, TS_MAP_PLOT | TS_MAP_PLOT_FILE, 0, NULL},
        {"poses", wish->poses != NULL, TS_MAP_QUERY | TS_MAP_QUERY_FILE, 0, NULL},
        {"rebuild", wish->rebuild, making, 0, NULL},
        {"no-cache", wish->no_cache, making | TS_MAP_INFO, 0, NULL},
        {"kinds", wish->kinds != NULL, TS_MAP_COMPARE | TS_MAP_PLOT, 0, bit & one ? "--kind chooses one" : NULL},
        {"quick", wish->quick, TS_MAP_COMPARE, 0, NULL},
        {"set", wish->set.count > 0, TS_MAP_BUILD_SCENE, 0, NULL},
        {"search-path", wish->search_path.count > 0, TS_MAP_BUILD_SCENE, 0, NULL},
    };
    memcpy(list, all, sizeof all);
}

/* The option is a slip where nothing would come of it. */
static ts_status check_uses(const ts_map_wish *wish, const char *verb, ts_map_verb bit, ts_error *error)
{
    use list[use_count];
    list_uses(wish, bit, list);
    for (size_t i = 0; i < use_count; i++)
        if (list[i].given && !(list[i].by & bit))
            return ts_fail(error, TS_BAD_INPUT, "`map %s` has no use for --%s%s%s; leave it out", verb, list[i].name,
                           list[i].instead ? ": " : "", list[i].instead ? list[i].instead : "");
    return TS_OK;
}

/* "exact and sampled", "auto, table and network". */
static void name_kinds(unsigned kinds, char text[64])
{
    size_t length = 0;
    text[0] = 0;
    for (int kind = TS_MAP_AUTO; kind <= TS_MAP_TABLE; kind++) {
        unsigned above = kinds >> (kind + 1);
        if (kinds >> kind & 1)
            length += (size_t)snprintf(text + length, 64 - length, "%s%s", ts_map_kind_name((ts_map_kind)kind),
                                       above == 0                   ? ""
                                       : (above & (above - 1)) == 0 ? " and "
                                                                    : ", ");
    }
}

ts_status ts_map_wish_suits(const ts_map_wish *wish, ts_map_verb bit, unsigned kinds, ts_error *error)
{
    use list[use_count];
    char takers[64], made[64];
    list_uses(wish, bit, list);
    for (size_t i = 0; i < use_count; i++) {
        if (!list[i].given || list[i].kinds == 0 || list[i].kinds & kinds)
            continue;
        int taker = TS_MAP_EXACT;
        while (taker < TS_MAP_TABLE && !(list[i].kinds >> taker & 1))
            taker++;
        bool several = bit == TS_MAP_COMPARE || wish->kinds;
        name_kinds(list[i].kinds, takers);
        name_kinds(kinds, made);
        return ts_fail(error, TS_BAD_INPUT, "--%s is for maps of kind %s, not for %s; leave it out%s%s", list[i].name,
                       takers, made, several ? "" : ", or add --kind ",
                       several ? "" : ts_map_kind_name((ts_map_kind)taker));
    }
    return TS_OK;
}

/* The kinds that will be made, as bits. */
static ts_status wanted_kinds(const ts_map_wish *wish, ts_map_verb bit, unsigned *kinds, ts_error *error)
{
    ts_map_kinds list = {0};
    *kinds = 1u << (wish->kind >= 0 ? wish->kind : TS_MAP_AUTO);
    if (bit == TS_MAP_COMPARE && !wish->kinds)
        *kinds = ~0u >> (31 - TS_MAP_TABLE);
    if (!wish->kinds)
        return TS_OK;
    TS_TRY(ts_map_kinds_parse(wish->kinds, &list, error));
    *kinds = 0;
    for (size_t i = 0; i < list.count; i++)
        *kinds |= 1u << list.kind[i];
    return TS_OK;
}

ts_status ts_map_wish_check(const ts_map_wish *wish, const char *verb, ts_map_verb bit, ts_error *error)
{
    ts_map_options given = {0}, complete;
    unsigned kinds;
    TS_TRY(check_uses(wish, verb, bit, error));
    ts_map_wish_apply(wish, &given);
    if (wish->error < 0 || wish->smoothing < 0)
        return ts_fail(error, TS_BAD_INPUT, "--error and --smoothing are shares of a radius; give positive ones");
    if (wish->kind >= 0 && wish->kinds)
        return ts_fail(error, TS_BAD_INPUT, "--kind and --kinds were both given; leave one out");
    TS_TRY(wanted_kinds(wish, bit, &kinds, error));
    if (bit != TS_MAP_BUILD_SCENE) /* whose kind is not known yet */
        TS_TRY(ts_map_wish_suits(wish, bit, kinds, error));
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
