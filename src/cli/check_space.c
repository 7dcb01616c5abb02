/* SPDX-License-Identifier: MIT */
#include "cli/check_space.h"

#include <math.h>

#include "cli/format.h"
#include "space.h"

enum { rows_most = 20 }; /* of a list, before it says how many more there are */

/* The bodies of one shape, fixed or free. */
typedef struct kind {
    uint64_t count;
    double radius_least, radius_most; /* of the bounding sphere [m] */
} kind;

/* Of each shape the free bodies, then the fixed ones (2 · shape_count); NULL when out of memory. Freed with ts_free. */
static kind *count_kinds(const ts_space *space)
{
    kind *all = ts_alloc(2 * space->shape_count + 1, sizeof *all);
    for (size_t i = 0; all && i < space->body_count; i++) {
        const ts_body3 *body = &space->body[i];
        kind *k = &all[2 * (size_t)space->form[space->body_form[i]].shape + (body->inv_mass > 0 ? 0 : 1)];
        k->radius_least = k->count++ ? fmin(k->radius_least, body->radius) : body->radius;
        k->radius_most = fmax(k->radius_most, body->radius);
    }
    return all;
}

static ts_shown shape_name(const ts_space *space, size_t shape)
{
    ts_shown shown;
    const char *name = space->shape_name[shape];
    if (name && *name)
        snprintf(shown.text, sizeof shown.text, "%.40s", name);
    else
        snprintf(shown.text, sizeof shown.text, "shape %zu", shape);
    return shown;
}

/* Walls as the scene has them: a room is one. */
static size_t boundary_count(const ts_space *space)
{
    size_t count = 0;
    for (size_t i = 0; i < space->wall_count; i++)
        count += i == 0 || space->wall[i].source != space->wall[i - 1].source;
    return count;
}

void ts_check_print_space(const ts_model *model, FILE *stream)
{
    const ts_space *space = model->space;
    ts_listing listing = ts_listing_make("rll");
    size_t rows = 0, shapes = 0; /* shapes that bodies have */
    kind *all = count_kinds(space);
    for (size_t i = 0; all && i < space->shape_count; i++)
        shapes += all[2 * i].count + all[2 * i + 1].count > 0;
    fprintf(stream, "\n%s bod%s in space, of %s\n", ts_show_count(space->body_count).text,
            space->body_count == 1 ? "y" : "ies", ts_show_counted(shapes, "shape").text);
    for (size_t i = 0; all && i < 2 * space->shape_count; i++) {
        bool fixed = i % 2 != 0;
        kind k = all[i];
        if (k.count == 0 || rows++ >= rows_most)
            continue;
        ts_shown least = ts_show_si(k.radius_least, "m"), most = ts_show_si(k.radius_most, "m");
        bool same = k.radius_most - k.radius_least <= 1e-6 * k.radius_most;
        ts_listing_row(&listing, "  %s\t%s\tradius %s%s%s%s", ts_show_count(k.count).text,
                       shape_name(space, i / 2).text, least.text, same ? "" : " to ", same ? "" : most.text,
                       fixed ? ", fixed" : "");
    }
    ts_free(all);
    ts_listing_print(&listing, stream);
    if (rows > rows_most)
        fprintf(stream, "  … and %zu more kinds\n", rows - rows_most);
    size_t boundaries = boundary_count(space);
    if (boundaries > 0)
        fprintf(stream, "%zu boundar%s\n", boundaries, boundaries == 1 ? "y" : "ies");
    if (space->spring_count > 0)
        fprintf(stream, "%s\n", ts_show_counted(space->spring_count, "spring").text);
}

void ts_check_write_space(const ts_model *model, ts_json *json)
{
    const ts_space *space = model->space;
    ts_json_uint(json, "bodies", space->body_count);
    ts_json_uint(json, "boundaries", boundary_count(space));
    ts_json_uint(json, "walls", space->wall_count);
    ts_json_uint(json, "springs", space->spring_count);
    ts_json_uint(json, "shapes", space->shape_count);
    ts_json_uint(json, "meshes", space->mesh_count);
    ts_json_begin_array(json, "kinds");
    kind *all = count_kinds(space);
    for (size_t i = 0; all && i < 2 * space->shape_count; i++) {
        kind k = all[i];
        if (k.count == 0)
            continue;
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "shape", shape_name(space, i / 2).text);
        ts_json_bool(json, "fixed", i % 2 != 0);
        ts_json_uint(json, "count", k.count);
        ts_json_number(json, "radius_least", k.radius_least);
        ts_json_number(json, "radius_most", k.radius_most);
        ts_json_end(json);
    }
    ts_free(all);
    ts_json_end(json);
}
