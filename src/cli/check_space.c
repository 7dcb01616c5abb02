/* SPDX-License-Identifier: MIT */
#include "cli/check_space.h"

#include <math.h>

#include "cli/check_parts.h"
#include "model.h"
#include "scene/derive_space.h"
#include "scene/springs.h"

/* ---- Bodies ---- */

/* The bodies of one shape and one material, all fixed or all free. */
typedef struct kind {
    uint64_t count;
    double radius_least, radius_most; /* of the bounding sphere [m] */
    double mass_least, mass_most;     /* [kg] */
    int32_t form;                     /* of one of them */
} kind;

typedef struct kinds {
    kind *item;   /* [shape, material, fixed]; NULL when out of memory; freed with ts_free */
    size_t count; /* of places, many of them empty */
} kinds;

static kinds count_kinds(const ts_model *model)
{
    kinds all = {.count = 2 * model->shape_count * model->material_count};
    all.item = ts_alloc(all.count + 1, sizeof *all.item);
    for (size_t i = 0; all.item && i < model->body_count; i++) {
        const double radius = model->body3[i].radius, mass = model->mass[i];
        const size_t shape = (size_t)model->form[model->body_form[i]].shape,
                     fixed = model->body3[i].inv_mass > 0 ? (size_t)0 : 1;
        kind *k = &all.item[2 * (shape * model->material_count + model->body_material[i]) + fixed];
        bool first = k->count++ == 0;
        k->radius_least = first ? radius : fmin(k->radius_least, radius);
        k->radius_most = fmax(k->radius_most, radius);
        k->mass_least = first ? mass : fmin(k->mass_least, mass);
        k->mass_most = fmax(k->mass_most, mass);
        k->form = model->body_form[i];
    }
    all.count = all.item ? all.count : 0;
    return all;
}

static size_t shape_of(const ts_model *model, size_t place)
{
    return place / 2 / model->material_count;
}

static size_t material_of(const ts_model *model, size_t place)
{
    return place / 2 % model->material_count;
}

/* Shapes that bodies have: places of a shape stand together. */
static size_t used_shapes(const ts_model *model, const kinds *all)
{
    size_t count = 0, last = SIZE_MAX;
    for (size_t i = 0; i < all->count; i++)
        if (all->item[i].count > 0 && shape_of(model, i) != last) {
            last = shape_of(model, i);
            count++;
        }
    return count;
}

static ts_shown shape_name(const ts_model *model, size_t shape)
{
    return ts_check_name(model->shape[shape].name, "shape", shape);
}

static const char *form_kind(const ts_model *model, const ts_form3 *form)
{
    return form->piece_count > 1 ? "compound" : ts_solid_name(model->piece[form->piece_begin].solid.kind);
}

static ts_shown range(double least, double most, const char *unit)
{
    ts_shown low = ts_show_si(least, unit), high = ts_show_si(most, unit), both;
    bool same = most - least <= 1e-6 * most;
    snprintf(both.text, sizeof both.text, "%.20s%s%.20s", low.text, same ? "" : " to ", same ? "" : high.text);
    return both;
}

static void print_bodies(const ts_model *model, FILE *stream)
{
    ts_listing listing = ts_listing_make("rllll");
    size_t rows = 0;
    kinds all = count_kinds(model);
    fprintf(stream, "\n%s bod%s in model, of %s\n", ts_show_count(model->body_count).text,
            model->body_count == 1 ? "y" : "ies", ts_show_counted(used_shapes(model, &all), "shape").text);
    for (size_t i = 0; i < all.count; i++) {
        const kind *k = &all.item[i];
        if (k->count == 0 || rows++ >= ts_check_rows_most)
            continue;
        ts_listing_row(&listing, "  %s\t%s\t%s\t%s\tradius %s, mass %s%s", ts_show_count(k->count).text,
                       shape_name(model, shape_of(model, i)).text, form_kind(model, &model->form[k->form]),
                       ts_check_material(model, material_of(model, i)).text,
                       range(k->radius_least, k->radius_most, "m").text,
                       range(1e3 * k->mass_least, 1e3 * k->mass_most, "g").text, i % 2 ? ", fixed" : "");
    }
    ts_free(all.item);
    ts_listing_print(&listing, stream);
    if (rows > ts_check_rows_most)
        fprintf(stream, "  … and %zu more kinds\n", rows - ts_check_rows_most);
}

static void print_notes(const ts_model *model, FILE *stream)
{
    if (model->note_count == 0)
        return;
    fprintf(stream, "\n%s mended\n",
            model->note_count == 1 ? "1 mesh" : ts_show_counted(model->note_count, "meshes").text);
    for (size_t i = 0; i < model->note_count && i < ts_check_rows_most; i++) {
        char text[512];
        snprintf(text, sizeof text, "shape '%s': %s", shape_name(model, (size_t)model->note[i].shape).text,
                 model->note[i].text);
        ts_print_wrapped(stream, text, 2, 0);
    }
    if (model->note_count > ts_check_rows_most)
        fprintf(stream, "  … and %zu more\n", model->note_count - ts_check_rows_most);
}

/* ---- Walls and drives ---- */

/* The walls of one boundary, from `i` on: a room has six. */
static size_t walls_of_source(const ts_model *model, size_t i)
{
    size_t end = i + 1;
    while (end < model->wall_count && model->wall[end].source == model->wall[i].source)
        end++;
    return end - i;
}

static size_t boundary_count(const ts_model *model)
{
    size_t count = 0;
    for (size_t i = 0; i < model->wall_count; i += walls_of_source(model, i))
        count++;
    return count;
}

/* Its two scripts are of one kind. */
static const char *motion_name(const ts_model *model, int32_t motion)
{
    return ts_check_drive(model->motion[motion].kind);
}

static void print_wall(const ts_model *model, size_t i, ts_listing *listing)
{
    const ts_wall3 *w = &model->wall[i];
    const ts_solid *solid = &model->piece[w->piece_begin].solid;
    const ts_vec3 p = w->pose.position, n = ts_quat_apply(w->pose.quat, (ts_vec3){0, 0, 1});
    const char *what = w->piece_count > 1 ? "compound" : ts_solid_name(solid->kind);
    char where[200], gate[64] = "";
    if (walls_of_source(model, i) == 6) {
        const ts_vec3 q = model->wall[i + 1].pose.position;
        what = "room";
        snprintf(where, sizeof where, "(%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m", p.x, p.y, p.z, q.x, q.y, q.z);
    } else if (solid->kind == TS_SOLID_PLANE)
        snprintf(where, sizeof where, "through (%.4g, %.4g, %.4g) m, normal (%.3g, %.3g, %.3g)", p.x, p.y, p.z, n.x,
                 n.y, n.z);
    else if (solid->kind == TS_SOLID_VESSEL) {
        what = "cylinder";
        snprintf(where, sizeof where, "about (%.4g, %.4g, %.4g) m, along (%.3g, %.3g, %.3g), radius %s", p.x, p.y, p.z,
                 n.x, n.y, n.z, ts_show_si(solid->radius, "m").text);
    } else
        snprintf(where, sizeof where, "at (%.4g, %.4g, %.4g) m", p.x, p.y, p.z);
    if (isfinite(w->open))
        snprintf(gate, sizeof gate, ", opens at %s", ts_show_si(w->open, "s").text);
    ts_listing_row(listing, "  %s\t%s\t%s\t%s%s%s%s", ts_check_name(w->name, "boundary", (size_t)w->source).text, what,
                   ts_check_material(model, (size_t)w->material).text, where, w->motion >= 0 ? ", moved by " : "",
                   w->motion >= 0 ? motion_name(model, w->motion) : "", gate);
}

static void print_walls(const ts_model *model, FILE *stream)
{
    size_t count = boundary_count(model), shown = 0;
    if (count == 0)
        return;
    fprintf(stream, "\n%zu boundar%s\n", count, count == 1 ? "y" : "ies");
    ts_listing listing = ts_listing_make("llll");
    for (size_t i = 0; i < model->wall_count && shown < ts_check_rows_most; i += walls_of_source(model, i), shown++)
        print_wall(model, i, &listing);
    ts_listing_print(&listing, stream);
    if (count > shown)
        fprintf(stream, "  … and %zu more\n", count - shown);
}

/* Bodies that a script moves or a gate removes. */
static void print_drives(const ts_model *model, FILE *stream)
{
    if (!model->body_motion && !model->body_gate)
        return;
    uint64_t moved[TS_DRIVE_VELOCITY + 1] = {0}, gated = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        if (model->body_motion && model->body_motion[i] >= 0)
            moved[model->motion[model->body_motion[i]].kind]++;
        gated += model->body_gate && model->body_gate[i] >= 0;
    }
    ts_check_print_drives(moved, gated, stream);
}

/* ---- Springs ---- */

static const char *spring_kind(const ts_spring *s)
{
    return s->kind == TS_SPRING_CUBIC ? "cubic" : "linear";
}

static void print_springs(const ts_model *model, FILE *stream)
{
    if (model->spring_count == 0)
        return;
    fprintf(stream, "\n%s\n", ts_show_counted(model->spring_count, "spring").text);
    ts_listing listing = ts_listing_make("llll");
    for (size_t i = 0; i < model->spring_count && i < ts_check_rows_most; i++) {
        const ts_spring *s = &model->spring[i];
        ts_listing_row(&listing, "  %zu\t%s\t%s – body %d\t%s, rest %s", i, spring_kind(s),
                       s->a < 0 ? "the world" : ts_check_name(NULL, "body", (size_t)s->a).text, s->b,
                       ts_show_si(s->stiffness, s->kind == TS_SPRING_CUBIC ? "N/m³" : "N/m").text,
                       ts_show_si(s->rest, "m").text);
    }
    ts_listing_print(&listing, stream);
    if (model->spring_count > ts_check_rows_most)
        fprintf(stream, "  … and %zu more\n", model->spring_count - ts_check_rows_most);
}

/* ---- All of it ---- */

void ts_check_print_space(const ts_model *model, FILE *stream)
{
    print_bodies(model, stream);
    print_notes(model, stream);
    print_walls(model, stream);
    print_drives(model, stream);
    print_springs(model, stream);
}

void ts_check_used_space(const ts_model *model, bool used[UINT8_MAX + 1])
{
    for (size_t i = 0; i < model->body_count; i++)
        used[model->body_material[i]] = true;
    for (size_t i = 0; i < model->wall_count; i++)
        used[model->wall[i].material] = true;
}

ts_check_reason ts_check_step_space(const ts_model *model, const ts_settings *written)
{
    ts_check_reason reason = {""};
    ts_step_reason why;
    if (written->time_step > 0)
        return reason;
    double springs;
    int64_t spring;
    if (ts_springs_stable_step(model, &springs, &spring, NULL) != TS_OK)
        return reason;
    ts_derive_time_step3(model, written, springs, &why);
    const char *const text[] = {
        [TS_STEP_DURATION] = "",
        [TS_STEP_FALL] = "a fall through the smallest body sets",
        [TS_STEP_SPEED] = "the fastest body's way through the smallest sets",
        [TS_STEP_SPRING] = "the springs' fastest oscillation sets",
        [TS_STEP_FRAME] = "the interval of frames sets",
        [TS_STEP_CONTACT] = "the impact of the lightest body sets",
    };
    snprintf(reason.text, sizeof reason.text, "%s", text[why]);
    return reason;
}

/* ---- For programs ---- */

static void write_notes(const ts_model *model, ts_json *json)
{
    ts_json_begin_array(json, "repairs");
    for (size_t i = 0; i < model->note_count; i++) {
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "shape", shape_name(model, (size_t)model->note[i].shape).text);
        ts_json_text(json, "note", model->note[i].text);
        ts_json_end(json);
    }
    ts_json_end(json);
}

/* Solids at the scales that bodies have. */
static void write_solids(const ts_model *model, ts_json *json)
{
    ts_json_begin_array(json, "solids");
    for (size_t i = 0; i < model->form_count; i++) {
        const ts_form3 *form = &model->form[i];
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "shape", shape_name(model, (size_t)form->shape).text);
        ts_json_text(json, "kind", form_kind(model, form));
        ts_json_number(json, "scale", form->scale);
        ts_json_number(json, "radius", form->radius);
        ts_json_number(json, "volume", form->volume);
        ts_json_begin_array(json, "inertia");
        for (int k = 0; k < 9; k++)
            ts_json_number(json, NULL, form->inertia.m[k / 3][k % 3]);
        ts_json_end(json);
        ts_json_end(json);
    }
    ts_json_end(json);
}

static void write_kinds(const ts_model *model, ts_json *json)
{
    ts_json_begin_array(json, "kinds");
    kinds all = count_kinds(model);
    for (size_t i = 0; i < all.count; i++) {
        const kind *k = &all.item[i];
        if (k->count == 0)
            continue;
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "shape", shape_name(model, shape_of(model, i)).text);
        ts_json_text(json, "material", ts_check_material(model, material_of(model, i)).text);
        ts_json_bool(json, "fixed", i % 2 != 0);
        ts_json_uint(json, "count", k->count);
        ts_json_number(json, "radius_least", k->radius_least);
        ts_json_number(json, "radius_most", k->radius_most);
        ts_json_number(json, "mass_least", k->mass_least);
        ts_json_number(json, "mass_most", k->mass_most);
        ts_json_end(json);
    }
    ts_free(all.item);
    ts_json_end(json);
}

void ts_check_write_space(const ts_model *model, ts_json *json)
{
    ts_json_uint(json, "bodies", model->body_count);
    ts_json_uint(json, "boundaries", boundary_count(model));
    ts_json_uint(json, "walls", model->wall_count);
    ts_json_uint(json, "springs", model->spring_count);
    ts_json_uint(json, "shapes", model->shape_count);
    ts_json_uint(json, "meshes", model->mesh_count);
    write_notes(model, json);
    write_solids(model, json);
    write_kinds(model, json);
}
