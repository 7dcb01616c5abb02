/* SPDX-License-Identifier: MIT */
#include "contact/given.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "contact/forms.h"
#include "cspace/map_file.h"
#include "cspace/match.h"
#include "model.h"

/* ---- Reading ---- */

static ts_status decode(const ts_given_map *given, ts_map **map, ts_error *error)
{
    ts_error why;
    ts_status status = ts_map_decode(given->bytes, given->size, given->name, map, &why);
    if (status == TS_OUT_OF_MEMORY && error)
        *error = why;
    if (status == TS_OK || status == TS_OUT_OF_MEMORY)
        return status;
    return ts_fail_at(error, TS_BAD_INPUT, given->place, "map: %s", why.message);
}

/* The maps of all that are given, to be compared with pairs. */
typedef struct probes {
    const ts_given_map *given;
    ts_map **map; /* (count) */
    bool *used;   /* (count) */
    size_t count;
    ts_outline *disc; /* of radius 1 */
} probes;

/* ---- Saying what it is of ---- */

/* What a message calls a side of a map. */
typedef struct side {
    char name[80];
    int32_t shape; /* of the model that looks so, at whatever scale; -1: a disc, -2: there is none */
} side;

static bool is_scaled(const ts_outline *x, const ts_outline *y)
{
    return ts_same_outline(x, y, ts_outline_get_mass(x).radius / ts_outline_get_mass(y).radius);
}

static void find_side(const ts_model *m, const ts_outline *disc, const ts_outline *outline, side *found)
{
    found->shape = is_scaled(outline, disc) ? -1 : -2;
    snprintf(found->name, sizeof found->name, "disc");
    for (size_t i = 0; i < m->shape_count && found->shape == -2; i++)
        if (m->shape[i].outline && is_scaled(outline, m->shape[i].outline)) {
            found->shape = (int32_t)i;
            snprintf(found->name, sizeof found->name, "%.60s", m->shape[i].name ? m->shape[i].name : "outline");
        }
    if (found->shape == -2)
        snprintf(found->name, sizeof found->name, "(an outline of %zu edges)", ts_outline_vertex_count(outline));
}

/* Whether bodies of these two shapes can meet by a map, at whatever ratio of sizes. */
static bool shapes_meet(const ts_forms *f, int32_t a, int32_t b)
{
    for (size_t i = TS_MAP_FIRST; f && i < f->map_count; i++) {
        int32_t x = f->form[f->map[i].a].shape, y = f->form[f->map[i].b].shape;
        if ((x == a && y == b) || (x == b && y == a))
            return true;
    }
    return false;
}

static ts_status fail_unused(const probes *p, size_t k, const ts_forms *f, const ts_model *m, ts_error *error)
{
    const ts_given_map *given = &p->given[k];
    const ts_map *map = p->map[k];
    side a, b;
    char sizes[64] = "";
    const ts_outline *first = map->turned ? map->pair->b : map->pair->a,
                     *second = map->turned ? map->pair->a : map->pair->b;
    find_side(m, p->disc, first, &a);
    find_side(m, p->disc, second, &b);
    const char *why = "and no two bodies of this scene that can meet have these shapes";
    if (a.shape == -2 || b.shape == -2)
        why = "and this scene has no such shape";
    else if (shapes_meet(f, a.shape, b.shape)) {
        why = "and no two bodies of this scene that can meet have these shapes at this ratio of sizes";
        snprintf(sizes, sizeof sizes, " with radii %.4g : %.4g", map->info.radius_a, map->info.radius_b);
    } else if (f && f->has_loose)
        why = "and no two bodies of this scene meet by a map of these shapes (those of many sizes meet without maps)";
    return ts_fail_at(error, TS_BAD_INPUT, given->place,
                      "map: \"%.100s\" is of %s×%s%s, %s; remove it, or build it for the scene's own shapes",
                      given->name, a.name, b.name, sizes, why);
}

/* ---- Giving ---- */

/* A copy of probe k becomes the map of two forms. */
static ts_status take(const probes *p, size_t k, const ts_forms *f, const ts_model *m, ts_form_map *to, ts_error *error)
{
    const ts_given_map *given = &p->given[k];
    ts_pair *pair = NULL;
    to->file = ts_copy_text(given->name);
    if (!to->file)
        return ts_fail_memory(error, strlen(given->name) + 1);
    TS_TRY(decode(given, &to->map, error));
    TS_TRY(ts_forms_pair(f, m, to, &pair, error));
    bool fits = ts_map_fit(to->map, pair);
    ts_pair_free(pair);
    if (!fits) /* by a hair: here both outlines were scaled, there one */
        return fail_unused(p, k, f, m, error);
    to->file_hash = ts_hash(given->bytes, given->size, 0);
    p->used[k] = true;
    return TS_OK;
}

static ts_sized_outline outline_of(const probes *p, const ts_forms *f, const ts_model *m, int32_t form)
{
    const ts_form *of = &f->form[form];
    return (ts_sized_outline){of->shape < 0 ? p->disc : m->shape[of->shape].outline, of->scale};
}

/* Looks for the one that is of this pair of forms. */
static ts_status give_one(const probes *p, const ts_forms *f, const ts_model *m, ts_form_map *to, ts_error *error)
{
    ts_sized_outline a = outline_of(p, f, m, to->a), b = outline_of(p, f, m, to->b);
    size_t found = p->count;
    for (size_t k = 0; k < p->count; k++) {
        if (!ts_map_is_of(p->map[k], a, b, NULL))
            continue;
        char name[160];
        if (found < p->count)
            return ts_fail_at(error, TS_BAD_INPUT, p->given[k].place,
                              "map: \"%.100s\" is of %s, and so is \"%.100s\"; keep one of them", p->given[k].name,
                              ts_forms_name(f, m, to, name), p->given[found].name);
        found = k;
    }
    return found < p->count ? take(p, found, f, m, to, error) : TS_OK;
}

static ts_status give_all(probes *p, ts_forms *f, const ts_model *m, ts_error *error)
{
    TS_TRY(ts_outline_disc(1, &p->disc, error));
    for (size_t k = 0; k < p->count; k++)
        TS_TRY(decode(&p->given[k], &p->map[k], error));
    for (size_t i = TS_MAP_FIRST; f && i < f->map_count; i++)
        TS_TRY(give_one(p, f, m, &f->map[i], error));
    for (size_t k = 0; k < p->count; k++)
        if (!p->used[k])
            return fail_unused(p, k, f, m, error);
    return TS_OK;
}

ts_status ts_forms_give(struct ts_forms *forms, const ts_model *model, const ts_given_map *given, size_t count,
                        ts_error *error)
{
    if (count == 0)
        return TS_OK;
    probes p = {given, ts_alloc(count, sizeof(ts_map *)), ts_alloc(count, sizeof(bool)), count, NULL};
    ts_status status =
        p.map && p.used ? give_all(&p, forms, model, error) : ts_fail_memory(error, count * sizeof(ts_map *));
    for (size_t k = 0; p.map && k < count; k++)
        ts_map_free(p.map[k]);
    ts_outline_free(p.disc);
    ts_free(p.map);
    ts_free(p.used);
    return status;
}
