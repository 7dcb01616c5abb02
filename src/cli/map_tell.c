/* SPDX-License-Identifier: MIT */
/* A map in words, and as JSON. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "cli/map.h"

ts_percent ts_show_percent(double share)
{
    ts_percent shown;
    double percent = 100 * share;
    if (!(percent < 100)) /* also when it is not known */
        snprintf(shown.text, sizeof shown.text, isfinite(percent) ? "%.0f %%" : "–", percent);
    else
        snprintf(shown.text, sizeof shown.text,
                 percent < 0.01 ? "%.1g %%"
                 : percent < 10 ? "%.2f %%"
                                : "%.1f %%",
                 percent);
    return shown;
}

const char *ts_worst_map_text(const ts_worst_map *worst, char *text, size_t capacity)
{
    const ts_map_errors *e = &worst->info.errors;
    snprintf(text, capacity, "worst map %.20s × %.20s: mean error %s of a radius, right sign %.3g %%", worst->a,
             worst->b, ts_show_percent(e->mean).text, 100 * e->sign);
    return text;
}

void ts_map_errors_json(ts_json *json, const char *name, const ts_map_errors *e)
{
    if (e->samples == 0) { /* exact: there is nothing to measure it against but itself */
        ts_json_null(json, name);
        return;
    }
    ts_json_begin_object(json, name);
    ts_json_uint(json, "samples", e->samples);
    TS_JSON_NUMBERS(json, {"mean", e->mean}, {"high", e->high}, {"worst", e->worst}, {"normal_mean", e->normal_mean},
                    {"normal_high", e->normal_high}, {"arm_mean", e->arm_mean}, {"turn_mean", e->turn_mean},
                    {"sign", e->sign}, {"surface", e->surface}, {"surface_limit", e->surface_limit});
    ts_json_end(json);
}

/* ---- In words ---- */

static void print_side(ts_listing *listing, const char *which, double radius, const ts_symmetry *symmetry,
                       uint64_t hash)
{
    char group[48];
    ts_listing_row(listing, "  %s\tradius %s, symmetry %s, form %016llx", which, ts_show_si(radius, "m").text,
                   symmetry->rotations == 0 ? "O(2)" : ts_symmetry_name(symmetry, group, sizeof group),
                   (unsigned long long)hash);
}

static void print_folding(ts_listing *listing, const ts_fold *fold)
{
    char text[160] = "none";
    int discs = (fold->turns_a == 0) + (fold->turns_b == 0);
    if (fold->active && (discs > 0 || fold->order > 1)) {
        text[0] = 0;
        if (fold->order > 1)
            snprintf(text, sizeof text, "%.0f times fewer poses", fold->order);
        if (discs > 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? ", " : "",
                     discs == 2 ? "the distance alone counts" : "one angle does not count");
        if (fold->exchange)
            snprintf(text + strlen(text), sizeof text - strlen(text), ", A and B can be exchanged");
    }
    ts_listing_row(listing, "  folding\t%s", text);
}

void ts_print_repairs(ts_listing *listing, const char *label, const ts_outline *outline)
{
    for (size_t i = 0; i < ts_outline_note_count(outline); i++)
        ts_listing_row(listing, "%s\t%s", i == 0 ? label : "", ts_outline_get_note(outline, i));
}

void ts_print_map_pair(ts_listing *listing, const ts_pair *pair, const ts_fold *fold, const ts_map_pairing *of)
{
    print_side(listing, "A", pair->radius_a * pair->unit, &pair->symmetry_a, pair->hash_a);
    print_side(listing, "B", pair->radius_b * pair->unit, &pair->symmetry_b, pair->hash_b);
    ts_listing_row(listing, "  reach\t%s between the centres", ts_show_si(pair->reach * pair->unit, "m").text);
    print_folding(listing, fold);
    ts_print_repairs(listing, of->alone ? "  repairs" : "  repairs of A", of->a.outline);
    if (!of->alone)
        ts_print_repairs(listing, "  repairs of B", of->b.outline);
}

/* A map's pair with A and B as its caller has them; not to be freed. */
static ts_pair pair_of(const ts_map *map)
{
    ts_pair pair = *map->pair;
    if (map->turned)
        ts_pair_turn(&pair);
    return pair;
}

static void print_kind(ts_listing *listing, const ts_map *map)
{
    const ts_map_options *o = &map->info.options;
    switch (map->info.kind) {
    case TS_MAP_NETWORK:
        ts_listing_row(listing, "  kind\tnetwork %d×%d, %s", o->depth, o->width,
                       o->encoding == TS_ENCODING_RAW ? "told the angle itself" : "told cosine and sine of the angle");
        break;
    case TS_MAP_TABLE: {
        ts_table_form form = ts_table_get_form(map->table);
        ts_listing_row(listing, "  kind\ttable, %d bits a node, %s and %.3g° from node to node", form.bits,
                       ts_show_percent(form.spacing).text, form.turn * 180 / TS_PI);
        break;
    }
    case TS_MAP_SAMPLED:
        ts_listing_row(listing, "  kind\tsampled, %d × %d points%s", o->grid, o->grid, o->refine ? ", refined" : "");
        break;
    default:
        ts_listing_row(listing, "  kind\texact%s", o->kind == TS_MAP_AUTO ? ", since no table will do" : "");
    }
    ts_listing_row(listing, "  size\t%s", ts_show_bytes((double)map->info.bytes).text);
}

static void print_errors(ts_listing *listing, const ts_map_info *info)
{
    const ts_map_errors *e = &info->errors;
    if (e->samples == 0) {
        bool truth = info->kind == TS_MAP_EXACT && info->options.smoothing == 0;
        ts_listing_row(listing, "  errors\t%s",
                       truth ? "none: it is what others are measured against"
                             : "not measured here; touchstone map compare does");
        return;
    }
    ts_listing_row(listing, "  gap error\tmean %s, 99 %% below %s, worst %s of the smaller radius",
                   ts_show_percent(e->mean).text, ts_show_percent(e->high).text, ts_show_percent(e->worst).text);
    ts_listing_row(listing, "  normal error\tmean %.2f°, 99 %% below %.1f°", e->normal_mean * 180 / TS_PI,
                   e->normal_high * 180 / TS_PI);
    ts_listing_row(listing, "  arm error\tmean %s", ts_show_percent(e->arm_mean).text);
    ts_listing_row(listing, "  turn error\tmean %s, of the change of the gap with an angle",
                   ts_show_percent(e->turn_mean).text);
    ts_listing_row(listing, "  surface error\t%s%s, the largest distance between true and mapped contact",
                   ts_show_percent(e->surface).text, e->surface < e->surface_limit ? "" : " or more");
    ts_listing_row(listing, "  right sign\t%.3f %% of poses that are clearly apart or clearly not", 100 * e->sign);
    ts_listing_row(listing, "  measured on\t%s near contact", ts_show_counted(e->samples, "pose").text);
}

static void print_origin(ts_listing *listing, const ts_told_map *told)
{
    const ts_map *map = told->map;
    char when[64] = "";
    time_t at = (time_t)map->made_at;
    struct tm parts;
    if (map->made_at > 0 && gmtime_r(&at, &parts))
        strftime(when, sizeof when, " on %Y-%m-%d %H:%M UTC", &parts);
    ts_listing_row(listing, "  made\tin %s%s%s%s%s", ts_show_wall(map->info.build_seconds).text, when,
                   map->made_by[0] ? " by version " : "", map->made_by,
                   map->info.from_cache ? ", taken from the cache" : "");
    if (told->file)
        ts_listing_row(listing, "  file\t%s", told->file);
}

bool ts_map_reached(const ts_map_info *info)
{
    if (info->kind == TS_MAP_EXACT)
        return info->options.kind != TS_MAP_AUTO;
    return info->options.error == 0 || info->errors.samples == 0 || info->errors.mean <= info->options.error;
}

const char *ts_map_lack_text(ts_map_lack lack, const ts_map_options *o, char *text, size_t capacity)
{
    ts_shown room = ts_show_bytes((double)o->bytes);
    ts_percent wanted = ts_show_percent(o->error);
    static const char *const open = "keeps narrow places open that B fits into";
    if (lack == TS_LACK_ROOM)
        snprintf(text, capacity, "no table fits into %s", room.text);
    else if (lack == TS_LACK_UNKNOWN && o->error == 0) /* it was found out before */
        snprintf(text, capacity, "no table fits into %s and %s", room.text, open);
    else if (lack == TS_LACK_OPEN)
        snprintf(text, capacity, "no table of at most %s %s", room.text, open);
    else if (lack == TS_LACK_ERROR)
        snprintf(text, capacity, "no table of at most %s reaches a mean error of %s", room.text, wanted.text);
    else if (lack == TS_LACK_WORST)
        snprintf(text, capacity,
                 "no table of at most %s reaches a mean error of %s with worst errors and signs to match", room.text,
                 wanted.text);
    else
        snprintf(text, capacity, "no table of at most %s reaches a mean error of %s and %s", room.text, wanted.text,
                 open);
    return text;
}

/* One line when it is not what was asked for. */
static void print_shortfall(const ts_map *map, FILE *stream)
{
    char text[512], why[256];
    const ts_map_info *info = &map->info;
    ts_percent wanted = ts_show_percent(info->options.error);
    if (ts_map_reached(info))
        return;
    if (info->kind == TS_MAP_EXACT)
        snprintf(text, sizeof text, "N%s, so this map is exact: right, but slow to ask. More --bytes may help%s.",
                 ts_map_lack_text(map->lack, &info->options, why, sizeof why) + 1,
                 map->lack == TS_LACK_ROOM ? "" : "; --kind table takes the best that fits");
    else
        snprintf(text, sizeof text, "Its mean error is %s, more than the %s that were asked for.",
                 ts_show_percent(info->errors.mean).text, wanted.text);
    ts_print_wrapped(stream, text, 0, 0);
}

void ts_print_map(const ts_told_map *told, FILE *stream)
{
    fprintf(stream, "%s × %s\n", told->of->a.name, told->of->b.name);
    ts_listing listing = ts_listing_make("ll");
    print_kind(&listing, told->map);
    ts_pair pair = pair_of(told->map);
    ts_print_map_pair(&listing, &pair, &told->map->fold, told->of);
    print_errors(&listing, &told->map->info);
    print_origin(&listing, told);
    ts_listing_print(&listing, stream);
    print_shortfall(told->map, stream);
}

/* ---- As JSON ---- */

static void write_options(ts_json *json, const ts_map_options *o)
{
    ts_json_begin_object(json, "options");
    ts_json_text(json, "kind", ts_map_kind_name(o->kind));
    ts_json_number(json, "error", o->error);
    ts_json_uint(json, "bytes", o->bytes);
    ts_json_bool(json, "folding", !o->no_folding);
    ts_json_number(json, "smoothing", o->smoothing);
    ts_json_int(json, "grid", o->grid);
    ts_json_bool(json, "refine", o->refine);
    ts_json_int(json, "depth", o->depth);
    ts_json_int(json, "width", o->width);
    ts_json_text(json, "encoding", o->encoding == TS_ENCODING_RAW ? "raw" : "circle");
    ts_json_number(json, "seconds", o->seconds);
    ts_json_uint(json, "samples", o->samples);
    ts_json_uint(json, "seed", o->seed);
    ts_json_end(json);
}

static void write_side(ts_json *json, const char *which, const ts_subject *subject, double radius,
                       const ts_symmetry *symmetry, uint64_t hash)
{
    ts_json_begin_object(json, which);
    ts_json_text(json, "name", subject->name);
    ts_json_number(json, "radius", radius);
    ts_json_int(json, "rotations", symmetry->rotations);
    ts_json_bool(json, "mirror", symmetry->mirror);
    ts_json_hash(json, "hash", hash);
    ts_json_begin_array(json, "repairs");
    for (size_t i = 0; i < ts_outline_note_count(subject->outline); i++)
        ts_json_text(json, NULL, ts_outline_get_note(subject->outline, i));
    ts_json_end(json);
    ts_json_end(json);
}

void ts_write_map_pair(ts_json *json, const ts_pair *pair, const ts_fold *fold, const ts_map_pairing *of)
{
    write_side(json, "a", &of->a, pair->radius_a * pair->unit, &pair->symmetry_a, pair->hash_a);
    write_side(json, "b", &of->b, pair->radius_b * pair->unit, &pair->symmetry_b, pair->hash_b);
    ts_json_number(json, "folding", fold->active ? fold->order : 1);
}

static void write_members(ts_json *json, const ts_told_map *told)
{
    const ts_map_info *info = &told->map->info;
    ts_pair pair = pair_of(told->map);
    ts_write_map_pair(json, &pair, &told->map->fold, told->of);
    ts_json_text(json, "kind", ts_map_kind_name(info->kind));
    ts_json_bool(json, "reached", ts_map_reached(info));
    ts_json_uint(json, "bytes", info->bytes);
    ts_json_number(json, "build_seconds", info->build_seconds);
    ts_json_bool(json, "from_cache", info->from_cache);
    ts_map_errors_json(json, "errors", &info->errors);
    write_options(json, &info->options);
}

void ts_write_map(ts_json *json, const void *subject)
{
    ts_json_begin_object(json, NULL);
    write_members(json, subject);
    ts_json_end(json);
}
