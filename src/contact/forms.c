/* SPDX-License-Identifier: MIT */
#include "contact/forms.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "contact/features.h"
#include "contact/pieces.h"
#include "cspace/map.h"
#include "model.h"

/* Pairs of forms are kept as a square. */
#define FORMS_MAX 4000

/* Poses on which maps are measured that do not know their errors. */
#define ERROR_SAMPLES 1000

/* Ratios of sizes this near are one: the rounding of a quotient, no more. */
static const double same_ratio = 1e-9;

/* Rounding of walls: the angle through which a grain turns while its contact travels along a face that lies on a
 * wall. */
static const double wall_smoothing = 0.02;

/* ---- Which forms there are ---- */

static ts_form form_of_part(const ts_model *m, size_t part, bool *can_move)
{
    size_t body = m->parts_are_bodies ? part : (size_t)m->part_body[part];
    int32_t shape = m->body_shape[body];
    *can_move = m->body[body].inv_mass > 0;
    if (m->shape[shape].outline)
        return (ts_form){.shape = shape, .scale = m->body_scale[body]};
    return (ts_form){.shape = -1, .scale = m->parts_are_bodies ? m->body[body].radius : m->part_radius[part]};
}

static bool same_form(const ts_form *a, const ts_form *b)
{
    return a->shape == b->shape && a->scale == b->scale;
}

static ts_status fail_many_sizes(ts_error *error)
{
    return ts_fail(
        error, TS_BAD_INPUT,
        "the scene has grains of more than %d different sizes, some of them outlines; give fewer sizes (a table "
        "of some classes instead of a continuous distribution)",
        FORMS_MAX);
}

/* Parts of one form stand next to each other more often than not, so the last one is tried first. */
static ts_status list_forms(ts_forms *f, const ts_model *m, ts_error *error)
{
    TS_ARRAY(ts_form) found = {0};
    size_t last = 0;
    ts_status status = TS_OK;
    for (size_t p = 0; p < m->part_count && status == TS_OK; p++) {
        bool can_move;
        ts_form form = form_of_part(m, p, &can_move);
        size_t at = last;
        if (found.count == 0 || !same_form(&found.item[at], &form))
            for (at = 0; at < found.count && !same_form(&found.item[at], &form);)
                at++;
        if (at == FORMS_MAX)
            status = fail_many_sizes(error);
        else if (at == found.count)
            status = ts_array_push(&found, form, error);
        if (status != TS_OK)
            break;
        found.item[at].free += can_move;
        found.item[at].fixed += !can_move;
        f->of_part[p] = (uint16_t)at;
        last = at;
    }
    f->form = found.item;
    f->count = found.count;
    return status;
}

/* ---- Which maps they need ---- */

/* Discs of any radius are one shape. */
static bool has_many_sizes(const ts_forms *f, size_t form)
{
    size_t sizes = 0;
    for (size_t i = 0; i < f->count && sizes <= TS_SIZES_MAX; i++)
        sizes += f->form[i].shape == f->form[form].shape;
    return sizes > TS_SIZES_MAX;
}

static bool can_meet(const ts_forms *f, size_t a, size_t b)
{
    const ts_form *x = &f->form[a], *y = &f->form[b];
    return a == b ? x->free > 0 && x->free + x->fixed > 1 : x->free + y->free > 0;
}

static double ratio_of(const ts_forms *f, size_t a, size_t b)
{
    return f->form[b].scale / f->form[a].scale;
}

/* Whether a map is of these shapes, in this order, at this ratio. */
static bool map_is_of(const ts_forms *f, const ts_form_map *map, size_t a, size_t b)
{
    return f->form[map->a].shape == f->form[a].shape && f->form[map->b].shape == f->form[b].shape &&
           fabs(ratio_of(f, (size_t)map->a, (size_t)map->b) / ratio_of(f, a, b) - 1) < same_ratio;
}

/* A map that is wanted already for these shapes at this ratio, in either order; 0: none. */
static int32_t find_map(const ts_forms *f, size_t a, size_t b, bool *turned)
{
    for (size_t i = TS_MAP_FIRST; i < f->map_count; i++) {
        *turned = !map_is_of(f, &f->map[i], a, b);
        if (!*turned || map_is_of(f, &f->map[i], b, a))
            return (int32_t)i;
    }
    *turned = false;
    return 0;
}

/* The map that two forms meet by; a new one when there is none yet. */
static ts_status choose_map(ts_forms *f, size_t a, size_t b, size_t *room, ts_form_meeting *meeting, ts_error *error)
{
    int32_t *map = &meeting->map;
    *map = find_map(f, a, b, &meeting->turned);
    if (*map != 0)
        return TS_OK;
    if (f->map_count == *room) {
        ts_form_map *grown = ts_realloc(f->map, *room * sizeof *grown, 2 * *room * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, 2 * *room * sizeof *grown);
        f->map = grown;
        *room *= 2;
    }
    *map = (int32_t)f->map_count++;
    f->map[*map] = (ts_form_map){.a = (int32_t)a, .b = (int32_t)b};
    return TS_OK;
}

static ts_status add_meeting(ts_forms *f, const ts_model *m, const bool *many, size_t a, size_t b, size_t *room,
                             ts_error *error)
{
    ts_form_meeting *meeting = &f->meeting[a * f->count + b];
    *meeting = (ts_form_meeting){TS_MAP_OF_NONE, 1, false};
    if (f->form[a].shape < 0 && f->form[b].shape < 0) {
        meeting->map = TS_MAP_OF_DISCS;
    } else if (can_meet(f, a, b) && m->places == TS_PLACES_FEATURES) {
        meeting->map = TS_MAP_OF_FEATURES;
    } else if (can_meet(f, a, b) && (many[a] || many[b])) {
        meeting->map = TS_MAP_OF_LOOSE;
        f->has_loose = true;
    } else if (can_meet(f, a, b)) {
        TS_TRY(choose_map(f, a, b, room, meeting, error));
        meeting->scale = f->form[meeting->turned ? b : a].scale / f->form[f->map[meeting->map].a].scale;
    }
    f->meeting[b * f->count + a] = *meeting;
    return TS_OK;
}

static ts_status list_maps(ts_forms *f, const ts_model *m, ts_error *error)
{
    size_t room = 64;
    bool *many = ts_alloc(f->count, sizeof *many);
    f->meeting = ts_alloc(f->count * f->count, sizeof *f->meeting);
    f->map = ts_alloc(room, sizeof *f->map);
    f->wall = ts_alloc(f->count, sizeof(ts_wall_map *));
    f->loose = ts_alloc(f->count, sizeof(ts_loose *));
    f->features = ts_alloc(f->count, sizeof(ts_features *));
    f->wall_features = ts_alloc(m->wall_count, sizeof(ts_features *));
    f->wall_count = m->wall_count;
    f->map_count = TS_MAP_FIRST;
    ts_status status = TS_OK;
    if (!many || !f->meeting || !f->map || !f->wall || !f->loose || !f->features ||
        (m->wall_count > 0 && !f->wall_features))
        status = ts_fail_memory(error, f->count * f->count * sizeof *f->meeting);
    for (size_t a = 0; a < f->count && status == TS_OK; a++)
        many[a] = has_many_sizes(f, a);
    for (size_t a = 0; a < f->count; a++)
        for (size_t b = a; b < f->count && status == TS_OK; b++)
            status = add_meeting(f, m, many, a, b, &room, error);
    ts_free(many);
    f->bytes = sizeof *f + m->part_count * sizeof *f->of_part + f->count * f->count * sizeof *f->meeting +
               f->count * (sizeof *f->form + 3 * sizeof(void *)) + f->wall_count * sizeof(void *) +
               room * sizeof *f->map;
    return status;
}

ts_status ts_forms_create(const ts_model *model, ts_forms **forms, ts_error *error)
{
    *forms = NULL;
    if (!model->has_outlines)
        return TS_OK;
    TS_AUTO(ts_forms_free_at) ts_forms *f = NULL;
    TS_TRY(ts_new(&f, 1, error));
    TS_TRY(ts_new(&f->of_part, model->part_count, error));
    TS_TRY(list_forms(f, model, error));
    TS_TRY(list_maps(f, model, error));
    f->wall_reach = ts_model_has_features(model) ? 0 : ts_pieces_reach(f, model);
    *forms = ts_give(&f);
    return TS_OK;
}

void ts_forms_free(ts_forms *f)
{
    if (!f)
        return;
    for (size_t i = 0; f->map && i < f->map_count; i++) {
        ts_map_free(f->map[i].map);
        ts_free(f->map[i].file);
    }
    for (size_t i = 0; f->wall && i < f->count; i++)
        ts_wall_map_free(f->wall[i]);
    for (size_t i = 0; f->loose && i < f->count; i++)
        ts_loose_free(f->loose[i]);
    for (size_t i = 0; f->features && i < f->count; i++)
        ts_features_free(f->features[i]);
    for (size_t i = 0; f->wall_features && i < f->wall_count; i++)
        ts_features_free(f->wall_features[i]);
    ts_free(f->features);
    ts_free(f->wall_features);
    ts_pieces_free(f->pieces);
    ts_free(f->form);
    ts_free(f->of_part);
    ts_free(f->meeting);
    ts_free(f->map);
    ts_free(f->wall);
    ts_free(f->loose);
    ts_free(f);
}

size_t ts_forms_bytes(const ts_forms *f)
{
    if (!f)
        return 0;
    size_t bytes = f->bytes + ts_pieces_bytes(f->pieces);
    for (size_t i = TS_MAP_FIRST; i < f->map_count; i++)
        bytes += f->map[i].map ? ts_map_memory(f->map[i].map) : 0;
    for (size_t i = 0; i < f->wall_count; i++)
        bytes += ts_features_bytes(f->wall_features[i]);
    for (size_t i = 0; i < f->count; i++)
        bytes += ts_features_bytes(f->features[i]) + (f->wall[i] ? ts_wall_map_bytes(f->wall[i]) : 0) +
                 (f->loose[i] ? ts_loose_bytes(f->loose[i]) : 0);
    return bytes;
}

/* ---- Making them ---- */

void ts_forms_name_form(const ts_forms *f, const ts_model *m, size_t form, char text[80])
{
    const ts_form *of = &f->form[form];
    bool several = false;
    for (size_t i = 0; i < f->count; i++)
        several |= i != form && f->form[i].shape == of->shape;
    const char *name = of->shape < 0 ? "disc" : m->shape[of->shape].name ? m->shape[of->shape].name : "outline";
    if (several)
        snprintf(text, 80, "%.40s (%.4g)", name, of->scale);
    else
        snprintf(text, 80, "%.60s", name);
}

const char *ts_forms_name(const ts_forms *f, const ts_model *m, const ts_form_map *map, char text[160])
{
    char a[80], b[80];
    ts_forms_name_form(f, m, (size_t)map->a, a);
    ts_forms_name_form(f, m, (size_t)map->b, b);
    snprintf(text, 160, "%.70s×%.70s", a, b);
    return text;
}

/* The progress of all maps together. */
typedef struct making_all {
    const ts_map_making *given;
    size_t at, count;
    char name[160];
} making_all;

static bool tell(void *user, double done, const char *what)
{
    const making_all *all = user;
    char text[240];
    if (all->count > 1)
        snprintf(text, sizeof text, "map %zu of %zu, %.100s: %.80s", all->at + 1, all->count, all->name, what);
    else
        snprintf(text, sizeof text, "map %.100s: %.80s", all->name, what);
    return all->given->progress(all->given->progress_user, ((double)all->at + done) / (double)all->count, text);
}

ts_status ts_forms_outline(const ts_forms *f, const ts_model *m, int32_t form, ts_outline **outline, ts_error *error)
{
    const ts_form *of = &f->form[form];
    if (of->shape < 0)
        return ts_outline_disc(of->scale, outline, error);
    return ts_outline_place(m->shape[of->shape].outline, of->scale, 0, (const double[2]){0, 0}, outline, error);
}

static ts_status outlines_of(const ts_forms *f, const ts_model *m, const ts_form_map *of, ts_outline *outline[2],
                             ts_error *error)
{
    outline[0] = outline[1] = NULL;
    TS_TRY(ts_forms_outline(f, m, of->a, &outline[0], error));
    ts_status status = ts_forms_outline(f, m, of->b, &outline[1], error);
    if (status != TS_OK)
        ts_outline_free(outline[0]);
    return status;
}

ts_status ts_forms_pair(const ts_forms *f, const ts_model *m, const ts_form_map *map, ts_pair **pair, ts_error *error)
{
    ts_outline *outline[2];
    TS_TRY(outlines_of(f, m, map, outline, error));
    ts_status status = ts_pair_create(outline[0], outline[1], pair, error);
    ts_outline_free(outline[0]);
    ts_outline_free(outline[1]);
    return status;
}

static ts_status make_map(ts_forms *f, const ts_model *m, ts_form_map *to, const ts_map_making *making, ts_error *error)
{
    ts_outline *outline[2];
    TS_TRY(outlines_of(f, m, to, outline, error));
    ts_status status = ts_map_create(outline[0], outline[1], &m->map, making, &to->map, error);
    ts_outline_free(outline[0]);
    ts_outline_free(outline[1]);
    return status;
}

/* Errors of a map as it tells them; of one that does not know its own, though it is not exact, they are measured. */
static ts_status errors_of(const ts_map *map, ts_map_errors *errors, ts_error *error)
{
    const ts_map_info info = ts_map_get_info(map);
    *errors = info.errors;
    if (info.errors.samples > 0 || (info.kind == TS_MAP_EXACT && !(info.options.smoothing > 0)))
        return TS_OK;
    return ts_map_measure(map, ERROR_SAMPLES, 0, 1, errors, error);
}

/* Maps must be as good as the model wants them. */
static ts_status check_map(const ts_forms *f, const ts_model *m, ts_form_map *map, ts_error *error)
{
    ts_map_errors errors;
    char name[160], remedy[120];
    if (!(m->map_error > 0))
        return TS_OK;
    TS_TRY(errors_of(map->map, &errors, error));
    map->error = errors.high;
    if (!(errors.mean > m->map_error))
        return TS_OK;
    if (map->file)
        snprintf(remedy, sizeof remedy, "build \"%.60s\" with --error %g", map->file, m->map_error);
    else if (m->map.smoothing > 0)
        snprintf(remedy, sizeof remedy, "leave map.smoothing out, or set map.kind to \"auto\"");
    else
        snprintf(remedy, sizeof remedy, "set map.kind to \"auto\" or \"exact\", or raise map.bytes");
    return ts_fail(
        error, TS_BAD_INPUT,
        "map of %s: its mean error is %.2g%% of the smaller radius, and with more than %g%% bodies do not come "
        "to rest; %s, or set dynamics.places to \"features\"",
        ts_forms_name(f, m, map, name), 100 * errors.mean, 100 * m->map_error, remedy);
}

static ts_status make_walls(ts_forms *f, const ts_model *m, ts_error *error)
{
    double width = m->map.smoothing > 0 ? m->map.smoothing : wall_smoothing;
    for (size_t i = 0; i < f->count && m->wall_count > 0; i++)
        if (f->form[i].shape >= 0 && f->form[i].free > 0 && !f->wall[i])
            TS_TRY(ts_wall_map_create(m->shape[f->form[i].shape].outline, width, &f->wall[i], error));
    return f->pieces ? TS_OK : ts_pieces_create(f, m, width, &f->pieces, error);
}

static double radius_of(const ts_forms *f, const ts_model *m, size_t form)
{
    const ts_form *of = &f->form[form];
    return of->shape < 0 ? of->scale : of->scale * m->shape[of->shape].radius;
}

static ts_status make_loose(ts_forms *f, const ts_model *m, ts_error *error)
{
    double unit = 0;
    for (size_t i = 0; i < f->count; i++)
        unit = fmax(unit, radius_of(f, m, i));
    f->map[TS_MAP_OF_LOOSE].clearance = ts_exact_clearance(unit);
    for (size_t i = 0; i < f->count; i++) {
        ts_outline *outline;
        if (f->loose[i])
            continue;
        TS_TRY(ts_forms_outline(f, m, (int32_t)i, &outline, error));
        ts_status status = ts_loose_create(outline, 1, unit, &f->loose[i], error);
        ts_outline_free(outline);
        TS_TRY(status);
    }
    return TS_OK;
}

static ts_status make_form_features(const ts_form *of, const ts_model *m, ts_features **to, ts_error *error)
{
    if (of->shape < 0)
        return ts_features_disc(of->scale, to, error);
    const ts_outline *outline = m->shape[of->shape].outline;
    ts_contour *contour;
    TS_TRY(ts_new(&contour, outline->contour_count, error));
    for (size_t i = 0; i < outline->contour_count; i++)
        contour[i] = ts_outline_get_contour(outline, i);
    ts_status status = ts_features_create(contour, outline->contour_count, outline->distance, of->scale, to, error);
    ts_free(contour);
    return status;
}

static ts_status make_wall_features(const ts_wall *b, ts_features **to, ts_error *error)
{
    switch (b->kind) {
    case TS_WALL_FLAT:
        return ts_features_half_plane(to, error);
    case TS_WALL_CIRCLE:
        return ts_features_hollow(b->radius, to, error);
    default:
        return ts_features_create(b->line, b->line_count, b->kind == TS_WALL_POLYLINE ? NULL : b->reach, 1, to, error);
    }
}

static ts_status make_features(ts_forms *f, const ts_model *m, ts_error *error)
{
    for (size_t i = 0; i < f->count; i++)
        if (!f->features[i])
            TS_TRY(make_form_features(&f->form[i], m, &f->features[i], error));
    for (size_t i = 0; i < f->wall_count; i++)
        if (!f->wall_features[i])
            TS_TRY(make_wall_features(&m->wall[i], &f->wall_features[i], error));
    return TS_OK;
}

ts_status ts_forms_prepare(ts_forms *f, const ts_model *m, const ts_map_making *making, ts_error *error)
{
    if (f->ready)
        return TS_OK;
    making_all all = {.given = making, .count = f->map_count - TS_MAP_FIRST};
    ts_map_making each = making ? *making : (ts_map_making){0};
    if (each.progress) {
        each.progress = tell;
        each.progress_user = &all;
    }
    for (size_t i = TS_MAP_FIRST; i < f->map_count; i++) {
        all.at = i - TS_MAP_FIRST;
        ts_forms_name(f, m, &f->map[i], all.name);
        if (!f->map[i].map) /* it may be given */
            TS_TRY(make_map(f, m, &f->map[i], &each, error));
        TS_TRY(check_map(f, m, &f->map[i], error));
        f->map[i].clearance = ts_map_clearance(f->map[i].map);
    }
    if (ts_model_has_features(m))
        TS_TRY(make_features(f, m, error));
    else
        TS_TRY(make_walls(f, m, error));
    if (f->has_loose)
        TS_TRY(make_loose(f, m, error));
    f->ready = true;
    return TS_OK;
}
