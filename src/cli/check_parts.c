/* SPDX-License-Identifier: MIT */
#include "cli/check_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/penalty.h"

ts_shown ts_check_name(const char *name, const char *what, size_t index)
{
    ts_shown shown;
    if (name && *name)
        snprintf(shown.text, sizeof shown.text, "%.40s", name);
    else
        snprintf(shown.text, sizeof shown.text, "%s %zu", what, index);
    return shown;
}

ts_shown ts_check_material(const ts_model *model, size_t index)
{
    const char *name = model->material_name[index];
    return ts_check_name(name || index ? name : "default", "material", index);
}

static const char *drive_name(ts_drive_kind drive)
{
    switch (drive) {
    case TS_DRIVE_ROTATION:
        return "rotation";
    case TS_DRIVE_OSCILLATION:
        return "oscillation";
    case TS_DRIVE_KEYFRAMES:
        return "keyframes";
    case TS_DRIVE_GATE:
        return "gate";
    case TS_DRIVE_VELOCITY:
        return "velocity";
    }
    return "drive";
}

const char *ts_check_kind(const ts_model *model, int32_t shape, int32_t form)
{
    if (form >= 0) {
        const ts_form3 *f = &model->form[form];
        return f->piece_count > 1 ? "compound" : ts_solid_name(model->piece[f->piece_begin].solid.kind);
    }
    return model->shape[shape].outline ? "outline" : model->shape[shape].disc_count > 1 ? "cluster" : "disc";
}

ts_shown ts_check_span(double least, double most, const char *unit)
{
    ts_shown low = ts_show_si(least, unit), high = ts_show_si(most, unit), both;
    bool same = most - least <= 1e-6 * most;
    snprintf(both.text, sizeof both.text, "%.20s%s%.20s", low.text, same ? "" : " to ", same ? "" : high.text);
    return both;
}

/* ---- Small restitutions ---- */

/* A restitution below `small` is compared with `usual`, and told where the time step is this many times shorter. */
static const double small_restitution = 0.05, usual_restitution = 0.3, dear = 2;

/* The step that the law derives with these laws of contact [s]. */
static double step_with(const ts_model *model, ts_contact_law *law)
{
    ts_model other = *model;
    int64_t body;
    const char *reason;
    other.law = law;
    other.stable_step = other.resolver->stable_step(&other, &body);
    return other.resolver->time_step(&(ts_compiling){.model = &other, .param = other.param}, &reason);
}

const char *ts_check_small_restitution(const ts_model *m, char *text, size_t capacity)
{
    const size_t count = m->material_count * m->material_count;
    ts_contact_law *law;
    double least = 1;
    text[0] = 0;
    if (m->dynamics != &ts_penalty_dynamics || ts_new(&law, count, NULL) != TS_OK)
        return text;
    memcpy(law, m->law, count * sizeof *law);
    const double now = step_with(m, law),
                 ratio = ts_damping_ratio(usual_restitution, ts_penalty_param_of(m)->damping_may_pull);
    for (size_t i = 0; i < count; i++) {
        const double e = m->dynamics->restitution(m, &law[i]), before = law[i].cn_mass;
        if (!(e < small_restitution))
            continue;
        least = fmin(least, e);
        law[i].cn_mass = 2 * ratio * sqrt(law[i].kn);
        if (law[i].ct_mass == before) /* which follows from the other one */
            law[i].ct_mass = law[i].cn_mass;
    }
    const double shorter = step_with(m, law) / now;
    ts_free(law);
    /* springs or the duration may have asked for a shorter one still */
    if (least < small_restitution && shorter >= dear && m->settings.time_step > 0.9 * now)
        snprintf(text, capacity, "a restitution of %.2g makes it %.2g times shorter than one of %g would", least,
                 shorter, usual_restitution);
    return text;
}

/* ---- What was mended in outlines as people draw them, and in meshes ---- */

typedef void note_sink(void *context, size_t shape, const char *text);

static size_t each_note(const ts_model *model, note_sink *sink, void *context)
{
    size_t count = 0;
    for (size_t i = 0; i < model->shape_count; i++)
        for (size_t k = 0; model->shape[i].outline && k < ts_outline_note_count(model->shape[i].outline); k++, count++)
            if (sink)
                sink(context, i, ts_outline_get_note(model->shape[i].outline, k));
    for (size_t i = 0; i < model->note_count; i++, count++)
        if (sink)
            sink(context, (size_t)model->note[i].shape, model->note[i].text);
    return count;
}

typedef struct note_writer {
    const ts_model *model;
    FILE *stream;
    ts_json *json;
    size_t shown;
} note_writer;

static void print_note(void *context, size_t shape, const char *note)
{
    note_writer *to = context;
    char text[512];
    if (to->shown++ >= ts_check_rows_most)
        return;
    snprintf(text, sizeof text, "shape '%s': %s", ts_check_name(to->model->shape[shape].name, "shape", shape).text,
             note);
    ts_print_wrapped(to->stream, text, 2, 0);
}

static void write_note(void *context, size_t shape, const char *note)
{
    note_writer *to = context;
    ts_json_begin_object(to->json, NULL);
    ts_json_text(to->json, "shape", ts_check_name(to->model->shape[shape].name, "shape", shape).text);
    ts_json_text(to->json, "note", note);
    ts_json_end(to->json);
}

void ts_check_print_notes(const ts_model *model, FILE *stream)
{
    size_t count = each_note(model, NULL, NULL);
    note_writer to = {.model = model, .stream = stream};
    if (count == 0)
        return;
    if (model->note_count > 0)
        fprintf(stream, "\n%s mended\n", count == 1 ? "1 mesh" : ts_show_counted(count, "meshes").text);
    else
        fprintf(stream, "\n%s of outlines\n", ts_show_counted(count, "repair").text);
    each_note(model, print_note, &to);
    if (count > ts_check_rows_most)
        fprintf(stream, "  … and %zu more\n", count - ts_check_rows_most);
}

void ts_check_write_notes(const ts_model *model, ts_json *json)
{
    note_writer to = {.model = model, .json = json};
    ts_json_begin_array(json, "repairs");
    each_note(model, write_note, &to);
    ts_json_end(json);
}

/* ---- Walls ---- */

/* The sides of one wall of the scene, from `i` on: a room has six. */
static size_t sides_of(const ts_model *model, size_t i)
{
    size_t end = i + 1;
    while (end < model->wall_count && model->wall[end].source == model->wall[i].source)
        end++;
    return end - i;
}

size_t ts_check_wall_count(const ts_model *model)
{
    size_t count = 0;
    for (size_t i = 0; i < model->wall_count; i += sides_of(model, i))
        count++;
    return count;
}

typedef struct whereabouts {
    char text[200];
} whereabouts;

/* Kind of a wall of the plane, and where it is. */
static const char *describe_lines(const ts_wall *w, whereabouts *where)
{
    static const char *const kind[] = {[TS_WALL_FLAT] = "half-plane",
                                       [TS_WALL_CIRCLE] = "circle",
                                       [TS_WALL_POLYLINE] = "polyline",
                                       [TS_WALL_OUTLINE] = "outline"};
    const ts_vec3 at = w->pose.position;
    size_t edges = 0;
    for (size_t k = 0; k < w->line_count; k++)
        edges += ts_contour_segment_count(&w->line[k]);
    if (w->kind == TS_WALL_CIRCLE)
        snprintf(where->text, sizeof where->text, "centre (%.4g, %.4g) m, radius %s", at.x, at.y,
                 ts_show_si(w->radius, "m").text);
    else if (w->line_count > 0)
        snprintf(where->text, sizeof where->text, "about (%.4g, %.4g) m, %s, extent %s", at.x, at.y,
                 ts_show_counted(edges, "edge").text, ts_show_si(2 * w->radius, "m").text);
    else
        snprintf(where->text, sizeof where->text, "through (%.4g, %.4g) m, normal (%.3g, %.3g)", at.x, at.y, w->nx,
                 w->ny);
    return kind[w->kind];
}

/* The same of a wall of solids. */
static const char *describe_solids(const ts_model *model, size_t i, whereabouts *where)
{
    const ts_wall *w = &model->wall[i];
    const ts_solid *solid = &model->piece[w->piece_begin].solid;
    const ts_vec3 p = w->pose.position, n = ts_quat_apply(w->pose.quat, (ts_vec3){0, 0, 1});
    if (sides_of(model, i) == 6) {
        const ts_vec3 q = model->wall[i + 1].pose.position;
        snprintf(where->text, sizeof where->text, "(%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m", p.x, p.y, p.z, q.x, q.y,
                 q.z);
        return "room";
    }
    if (solid->kind == TS_SOLID_PLANE)
        snprintf(where->text, sizeof where->text, "through (%.4g, %.4g, %.4g) m, normal (%.3g, %.3g, %.3g)", p.x, p.y,
                 p.z, n.x, n.y, n.z);
    else if (solid->kind == TS_SOLID_VESSEL)
        snprintf(where->text, sizeof where->text, "about (%.4g, %.4g, %.4g) m, along (%.3g, %.3g, %.3g), radius %s",
                 p.x, p.y, p.z, n.x, n.y, n.z, ts_show_si(solid->radius, "m").text);
    else
        snprintf(where->text, sizeof where->text, "at (%.4g, %.4g, %.4g) m", p.x, p.y, p.z);
    return solid->kind == TS_SOLID_VESSEL ? "cylinder" : w->piece_count > 1 ? "compound" : ts_solid_name(solid->kind);
}

void ts_check_print_walls(const ts_model *model, FILE *stream)
{
    size_t count = ts_check_wall_count(model), shown = 0;
    if (count == 0)
        return;
    fprintf(stream, "\n%s\n", ts_show_counted(count, "wall").text);
    ts_listing listing = ts_listing_make("llll");
    for (size_t i = 0; i < model->wall_count && shown < ts_check_rows_most; i += sides_of(model, i), shown++) {
        const ts_wall *w = &model->wall[i];
        whereabouts where;
        const char *kind = w->piece_count > 0 ? describe_solids(model, i, &where) : describe_lines(w, &where);
        const char *drive = w->motion >= 0 ? drive_name(model->motion[w->motion].kind) : NULL;
        char gate[64] = "";
        if (isfinite(w->open))
            snprintf(gate, sizeof gate, ", opens at %s", ts_show_si(w->open, "s").text);
        ts_listing_row(&listing, "  %s\t%s\t%s\t%s%s%s%s", ts_check_name(w->name, "wall", (size_t)w->source).text, kind,
                       ts_check_material(model, (size_t)w->material).text, where.text, drive ? ", moved by " : "",
                       drive ? drive : "", gate);
    }
    ts_listing_print(&listing, stream);
    if (count > shown)
        fprintf(stream, "  … and %zu more\n", count - shown);
}

/* ---- Drives and springs ---- */

void ts_check_print_drives(const ts_model *model, FILE *stream)
{
    if (!model->body_motion && !model->body_gate)
        return;
    uint64_t moved[TS_DRIVE_VELOCITY + 1] = {0}, gated = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        int32_t motion = model->body_motion ? model->body_motion[i] : -1;
        if (motion >= 0)
            moved[model->motion[motion].kind]++;
        gated += model->body_gate && model->body_gate[i] >= 0;
    }
    fprintf(stream, "\ndrives of bodies\n");
    for (int i = TS_DRIVE_ROTATION; i <= TS_DRIVE_VELOCITY; i++)
        if (moved[i])
            fprintf(stream, "  %s moved by %s\n", ts_show_count(moved[i]).text, drive_name((ts_drive_kind)i));
    if (gated)
        fprintf(stream, "  %s behind a gate\n", ts_show_count(gated).text);
}

void ts_check_print_springs(const ts_model *model, FILE *stream)
{
    if (model->spring_count == 0)
        return;
    fprintf(stream, "\n%s\n", ts_show_counted(model->spring_count, "spring").text);
    ts_listing listing = ts_listing_make("llll");
    for (size_t i = 0; i < model->spring_count && i < ts_check_rows_most; i++) {
        const ts_spring *s = &model->spring[i];
        bool cubic = s->kind == TS_SPRING_CUBIC;
        ts_listing_row(&listing, "  %zu\t%s\t%s – body %d\t%s, rest %s", i, cubic ? "cubic" : "linear",
                       s->a < 0 ? "the world" : ts_check_name(NULL, "body", (size_t)s->a).text, s->b,
                       ts_show_si(s->stiffness, cubic ? "N/m³" : "N/m").text, ts_show_si(s->rest, "m").text);
    }
    ts_listing_print(&listing, stream);
    if (model->spring_count > ts_check_rows_most)
        fprintf(stream, "  … and %zu more\n", model->spring_count - ts_check_rows_most);
}
