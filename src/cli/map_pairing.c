/* SPDX-License-Identifier: MIT */
/* Of whom `touchstone map` speaks: two shapes, one that meets its like, or the pair of a map's file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/map.h"
#include "cspace/map_file.h"

/* Radii whose ratio is larger make one ask whether both are in one unit. */
static const double ratio_most = 20;

bool ts_is_map_file(const char *path)
{
    char begin[sizeof TS_MAP_FILE_MAGIC - 1];
    FILE *file = ts_path_ends_in(path, ".tsmap") || ts_is_folder(path) ? NULL : ts_open_stream(path);
    if (!file)
        return ts_path_ends_in(path, ".tsmap");
    bool is =
        fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, TS_MAP_FILE_MAGIC, sizeof begin) == 0;
    fclose(file);
    return is;
}

static ts_status read_side(const char *name, const ts_outline *outline, double unit, ts_subject *subject,
                           ts_error *error)
{
    *subject = (ts_subject){.unit = "m"};
    snprintf(subject->name, sizeof subject->name, "%s", name);
    snprintf(subject->part, sizeof subject->part, "%s", name);
    return ts_outline_place(outline, unit, 0, (const double[2]){0, 0}, &subject->outline, error);
}

/* A map's own outlines, as A and B. */
static ts_status read_map(const char *path, ts_map_pairing *p, ts_error *error)
{
    p->file = path;
    if (ts_is_folder(path))
        return ts_fail(error, TS_BAD_INPUT, "'%s' is a folder; give the file of a map in it, or two shapes", path);
    if (!ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; give a map, or two shapes", path);
    TS_TRY(ts_map_read(path, &p->map, error));
    const ts_pair *pair = p->map->pair;
    bool turned = p->map->turned;
    TS_TRY(read_side("A", turned ? pair->b : pair->a, pair->unit, &p->a, error));
    return read_side("B", turned ? pair->a : pair->b, pair->unit, &p->b, error);
}

/* Makes it larger or smaller, and its name tells. */
static ts_status scale_subject(const char *option, double scale, ts_subject *subject, ts_error *error)
{
    ts_outline *scaled;
    if (scale == 0)
        return TS_OK;
    if (!(scale > 0 && isfinite(scale)))
        return ts_fail(error, TS_BAD_INPUT, "--%s is %g, but must be above 0; 0.001 makes metres of millimetres",
                       option, scale);
    TS_TRY(ts_outline_place(subject->outline, scale, 0, (const double[2]){0, 0}, &scaled, error));
    ts_outline_free(subject->outline);
    subject->outline = scaled;
    size_t length = strlen(subject->name);
    snprintf(subject->name + length, sizeof subject->name - length, " (%.4g)", scale);
    return TS_OK;
}

/* A drawing in millimetres beside a grain in metres: one line, with what would mend it. */
static void note_sizes(const ts_map_pairing *p)
{
    double a = ts_outline_get_mass(p->a.outline).radius, b = ts_outline_get_mass(p->b.outline).radius;
    if (a <= ratio_most * b && b <= ratio_most * a)
        return;
    /* a drawing that knows its unit, else the larger one to the size of the other */
    bool known_a = p->a.unit_size > 0, known_b = p->b.unit_size > 0;
    bool on_a = known_a != known_b ? known_a : a > b;
    double known = on_a ? p->a.unit_size : p->b.unit_size, scale = known > 0 ? known : on_a ? b / a : a / b;
    ts_cli_note("A has radius %s, B %s: if they are not in one unit, --scale-%c %.2g mends it", ts_show_si(a, "m").text,
                ts_show_si(b, "m").text, on_a ? 'a' : 'b', scale);
}

ts_status ts_map_pairing_find(const ts_map_wish *wish, const char *a, const char *b, ts_map_pairing *pairing,
                              ts_error *error)
{
    *pairing = (ts_map_pairing){.alone = !b};
    if (!b && ts_is_map_file(a))
        return read_map(a, pairing, error);
    TS_TRY(ts_subject_find(a, &pairing->a, error));
    TS_TRY(ts_subject_find(b ? b : a, &pairing->b, error));
    TS_TRY(scale_subject("scale-a", wish->scale_a, &pairing->a, error));
    TS_TRY(scale_subject("scale-b", wish->scale_b, &pairing->b, error));
    pairing->alone = !b && wish->scale_a == wish->scale_b;
    if (wish->scale_a == 0 && wish->scale_b == 0) /* who says how large they are knows it */
        note_sizes(pairing);
    return TS_OK;
}

void ts_map_pairing_free(ts_map_pairing *pairing)
{
    ts_subject_free(&pairing->a);
    ts_subject_free(&pairing->b);
    ts_map_free(pairing->map);
}
