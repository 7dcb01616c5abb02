/* SPDX-License-Identifier: MIT */
#include "cli/shape_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/subjects.h"
#include "contact/forms.h"
#include "cspace/match.h"
#include "touchstone/sim.h"

/* What of a shape matters here, in a scene or compiled. */
typedef struct shape_view {
    const char *name;
    const ts_outline *outline;
    const ts_disc *disc;
    size_t disc_count;
} shape_view;

/* Bodies of one shape and one scale. */
typedef struct size_class {
    size_t shape;
    double scale;
    size_t count, free;
} size_class;

typedef struct census {
    const shape_view *shape; /* (shape_count) */
    size_t shape_count;
    TS_ARRAY(size_class) class; /* by shape, then scale */
} census;

/* The two bodies at one ratio of scales. */
typedef struct meeting {
    double ratio; /* scale b / scale a; of one shape at least 1 */
    size_t a, b;  /* index into class */
} meeting;

/* Ratios this near are one: rounding of a quotient, no more. */
static const double same_ratio = 1e-9;
/* More are not compared with each other. */
static const double compared_most = 1 << 20;

/* ---- Who is there ---- */

static int by_shape_and_scale(const void *a, const void *b)
{
    const size_class *x = a, *y = b;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return (x->scale > y->scale) - (x->scale < y->scale);
}

/* Equal ones become one. */
static void gather(census *c)
{
    size_t kept = 0;
    if (c->class.count == 0)
        return;
    qsort(c->class.item, c->class.count, sizeof *c->class.item, by_shape_and_scale);
    for (size_t i = 1; i < c->class.count; i++) {
        const size_class *next = &c->class.item[i];
        size_class *last = &c->class.item[kept];
        if (by_shape_and_scale(last, next) == 0) {
            last->count += next->count;
            last->free += next->free;
        } else {
            c->class.item[++kept] = *next;
        }
    }
    c->class.count = kept + 1;
}

/* Classes of a shape: the first one, and how many. */
static size_t classes_of(const census *c, size_t shape, size_t *first)
{
    size_t count = 0;
    *first = 0;
    for (size_t i = 0; i < c->class.count; i++)
        if (c->class.item[i].shape == shape) {
            *first = count == 0 ? i : *first;
            count++;
        }
    return count;
}

static bool can_meet(const census *c, size_t a, size_t b)
{
    const size_class *x = &c->class.item[a], *y = &c->class.item[b];
    return a == b ? x->count > 1 && x->free > 0 : x->free + y->free > 0;
}

/* ---- Forms ---- */

static void set_name(const census *c, size_t shape, char name[64])
{
    if (c->shape[shape].name)
        snprintf(name, 64, "%.50s", c->shape[shape].name);
    else
        snprintf(name, 64, "shape %zu", shape);
}

static ts_status find_form(const census *c, ts_shape_pairs *pairs, size_t class, size_t *index, ts_error *error)
{
    const size_class *of = &c->class.item[class];
    const shape_view *shape = &c->shape[of->shape];
    for (size_t i = 0; i < pairs->form.count; i++)
        if (pairs->form.item[i].shape == of->shape && pairs->form.item[i].scale == of->scale) {
            *index = i;
            return TS_OK;
        }
    ts_form_of_shape form = {.shape = of->shape, .scale = of->scale};
    size_t first;
    set_name(c, of->shape, form.name);
    if (classes_of(c, of->shape, &first) > 1)
        snprintf(form.name, sizeof form.name, "%.48s (%.4g)", shape->name ? shape->name : "shape", of->scale);
    ts_outline *plain;
    TS_TRY(ts_outline_of_shape(shape->outline, shape->disc, shape->disc_count, &plain, error));
    ts_status status = ts_outline_place(plain, of->scale, 0, (const double[2]){0, 0}, &form.outline, error);
    ts_outline_free(plain);
    TS_TRY(status);
    *index = pairs->form.count;
    status = ts_array_push(&pairs->form, form, error);
    if (status != TS_OK)
        ts_outline_free(form.outline);
    return status;
}

/* ---- Pairs ---- */

static int by_ratio(const void *a, const void *b)
{
    const meeting *x = a, *y = b;
    return (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

/* One of each ratio, in `list`; how many. */
static size_t keep_distinct(meeting *list, size_t count)
{
    size_t kept = 0;
    qsort(list, count, sizeof *list, by_ratio);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || list[i].ratio > list[kept - 1].ratio * (1 + same_ratio))
            list[kept++] = list[i];
    return kept;
}

static ts_status add_many(const census *c, size_t a, size_t b, double ratios, bool about, ts_shape_pairs *pairs,
                          ts_error *error)
{
    ts_shape_many many = {.ratios = ratios, .about = about};
    set_name(c, a, many.name_a);
    set_name(c, b, many.name_b);
    return ts_array_push(&pairs->many, many, error);
}

/* All that meet of two shapes, one of each ratio. */
static ts_status add_meetings(const census *c, size_t a, size_t b, meeting *list, ts_shape_pairs *pairs,
                              ts_error *error)
{
    size_t first_a, first_b, count_a = classes_of(c, a, &first_a), count_b = classes_of(c, b, &first_b), count = 0;
    for (size_t i = first_a; i < first_a + count_a; i++)
        for (size_t k = a == b ? i : first_b; k < first_b + count_b; k++)
            if (can_meet(c, i, k))
                list[count++] = (meeting){c->class.item[k].scale / c->class.item[i].scale, i, k};
    count = keep_distinct(list, count);
    if (count > TS_SHAPE_RATIOS_MOST)
        return add_many(c, a, b, (double)count, false, pairs, error);
    for (size_t i = 0; i < count; i++) {
        ts_shape_pair pair = {0};
        TS_TRY(find_form(c, pairs, list[i].a, &pair.a, error));
        TS_TRY(find_form(c, pairs, list[i].b, &pair.b, error));
        TS_TRY(ts_array_push(&pairs->pair, pair, error));
    }
    return TS_OK;
}

static ts_status add_shapes(const census *c, size_t a, size_t b, ts_shape_pairs *pairs, ts_error *error)
{
    size_t first, count_a = classes_of(c, a, &first), count_b = classes_of(c, b, &first);
    if ((!c->shape[a].outline && !c->shape[b].outline) || count_a == 0 || count_b == 0)
        return TS_OK;
    double most = a == b ? 0.5 * (double)count_a * (double)(count_a + 1) : (double)count_a * (double)count_b;
    if (most > compared_most)
        return add_many(c, a, b, most, true, pairs, error);
    meeting *list = ts_alloc_raw((size_t)most, sizeof *list);
    if (!list)
        return ts_fail_memory(error, (size_t)most * sizeof *list);
    ts_status status = add_meetings(c, a, b, list, pairs, error);
    ts_free(list);
    return status;
}

static ts_status add_all(census *c, ts_shape_pairs *pairs, ts_error *error)
{
    gather(c);
    for (size_t a = 0; a < c->shape_count; a++)
        for (size_t b = a; b < c->shape_count; b++)
            TS_TRY(add_shapes(c, a, b, pairs, error));
    return TS_OK;
}

/* Which of them the scene has brought a map along for. */
static void find_files(const ts_model *model, ts_shape_pairs *pairs)
{
    const ts_forms *forms = model->forms;
    size_t files = 0;
    for (size_t i = TS_MAP_FIRST; forms && i < forms->map_count; i++)
        files += forms->map[i].file != NULL;
    for (size_t k = 0; k < pairs->pair.count && files > 0; k++) {
        ts_shape_pair *p = &pairs->pair.item[k];
        ts_sized_outline a = {pairs->form.item[p->a].outline, 1}, b = {pairs->form.item[p->b].outline, 1};
        for (size_t i = TS_MAP_FIRST; i < forms->map_count; i++)
            if (forms->map[i].file && ts_map_is_of(forms->map[i].map, a, b, NULL)) {
                snprintf(p->file, sizeof p->file, "%s", forms->map[i].file);
                p->info = ts_map_get_info(forms->map[i].map);
            }
    }
}

/* ---- Public functions ---- */

ts_status ts_shape_pairs_of_model(const ts_model *model, ts_shape_pairs *pairs, ts_error *error)
{
    *pairs = (ts_shape_pairs){.options = model->map};
    shape_view *view = ts_alloc(model->shape_count, sizeof *view);
    if (!view)
        return ts_fail_memory(error, model->shape_count * sizeof *view);
    for (size_t i = 0; i < model->shape_count; i++) {
        const ts_shape *s = &model->shape[i];
        view[i] = (shape_view){s->name, s->outline, s->disc, s->disc_count};
    }
    census c = {.shape = view, .shape_count = model->shape_count};
    ts_status status = TS_OK;
    for (size_t i = 0; i < model->body_count && status == TS_OK; i++) {
        size_class one = {(size_t)model->body_shape[i], model->body_scale[i], 1, model->body[i].inv_mass > 0};
        status = ts_array_push(&c.class, one, error);
    }
    if (status == TS_OK)
        status = add_all(&c, pairs, error);
    if (status == TS_OK)
        find_files(model, pairs);
    ts_array_free(&c.class);
    ts_free(view);
    return status;
}

/* A file of shapes: each meets each. */
static ts_status of_shapes(const ts_scene *scene, ts_shape_pairs *pairs, ts_error *error)
{
    *pairs = (ts_shape_pairs){.options = scene->map};
    shape_view *view = ts_alloc(scene->shape.count + 1, sizeof *view);
    if (!view)
        return ts_fail_memory(error, (scene->shape.count + 1) * sizeof *view);
    census c = {.shape = view, .shape_count = scene->shape.count};
    ts_status status = TS_OK;
    for (size_t i = 0; i < scene->shape.count && status == TS_OK; i++) {
        const ts_scene_shape *s = &scene->shape.item[i];
        view[i] = (shape_view){s->name, s->outline, s->disc, s->disc_count};
        status = ts_array_push(&c.class, ((size_class){i, 1, 2, 2}), error);
    }
    if (status == TS_OK)
        status = add_all(&c, pairs, error);
    ts_array_free(&c.class);
    ts_free(view);
    return status;
}

ts_status ts_shape_pairs_of_scene(const ts_scene *scene, ts_shape_pairs *pairs, ts_error *error)
{
    *pairs = (ts_shape_pairs){0};
    if (scene->body.count == 0 && scene->generator.count == 0)
        return of_shapes(scene, pairs, error);
    ts_model *model;
    TS_TRY(ts_model_compile(scene, &model, error));
    ts_status status = ts_shape_pairs_of_model(model, pairs, error);
    ts_model_free(model);
    return status;
}

void ts_shape_pairs_free(ts_shape_pairs *pairs)
{
    for (size_t i = 0; i < pairs->form.count; i++)
        ts_outline_free(pairs->form.item[i].outline);
    ts_array_free(&pairs->form);
    ts_array_free(&pairs->pair);
    ts_array_free(&pairs->many);
}

const char *ts_shape_pairs_note(const ts_shape_pairs *pairs, char *text, size_t capacity)
{
    const ts_shape_many *first = pairs->many.item;
    char others[64] = "";
    if (pairs->many.count > 2)
        snprintf(others, sizeof others, ", as %zu other pairs have", pairs->many.count - 1);
    else if (pairs->many.count == 2)
        snprintf(others, sizeof others, ", as one other pair has");
    if (pairs->many.count == 0)
        snprintf(text, capacity, "%s", "");
    else
        snprintf(text, capacity,
                 "%.40s × %.40s has %s%.0f ratios of sizes%s; pairs with more than %d will use exact, and have no maps",
                 first->name_a, first->name_b, first->about ? "up to " : "", first->ratios, others,
                 TS_SHAPE_RATIOS_MOST);
    return text;
}
