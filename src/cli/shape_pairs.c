/* SPDX-License-Identifier: MIT */
#include "cli/shape_pairs.h"

#include <stdio.h>

#include "cli/subjects.h"
#include "contact/forms.h"
#include "touchstone/sim.h"

static ts_status add_form(ts_shape_pairs *pairs, const char *name, int32_t shape, ts_outline *outline, ts_error *error)
{
    ts_form_of_shape form = {.shape = shape, .outline = outline};
    snprintf(form.name, sizeof form.name, "%.79s", name);
    ts_status status = ts_array_push(&pairs->form, form, error);
    if (status != TS_OK)
        ts_outline_free(outline);
    return status;
}

/* ---- Of bodies ---- */

static ts_status take_form(const ts_model *model, int32_t form, ts_shape_pairs *pairs, int32_t *number, ts_error *error)
{
    char name[80];
    ts_outline *outline;
    if (number[form] >= 0)
        return TS_OK;
    ts_forms_name_form(model->forms, model, (size_t)form, name);
    TS_TRY(ts_forms_outline(model->forms, model, form, &outline, error));
    number[form] = (int32_t)pairs->form.count;
    return add_form(pairs, name, model->forms->form[form].shape, outline, error);
}

static ts_status take_map(const ts_model *model, const ts_form_map *map, ts_shape_pairs *pairs, int32_t *number,
                          ts_error *error)
{
    TS_TRY(take_form(model, map->a, pairs, number, error));
    TS_TRY(take_form(model, map->b, pairs, number, error));
    ts_shape_pair pair = {.a = (size_t)number[map->a], .b = (size_t)number[map->b]};
    if (map->file) {
        snprintf(pair.file, sizeof pair.file, "%s", map->file);
        pair.info = ts_map_get_info(map->map);
    }
    return ts_array_push(&pairs->pair, pair, error);
}

/* Shapes that meet others form against form. */
static ts_status take_many(const ts_model *model, ts_shape_pairs *pairs, ts_error *error)
{
    const ts_forms *f = model->forms;
    for (size_t shape = 0; shape < model->shape_count; shape++) {
        ts_shape_many many = {0};
        for (size_t i = 0; i < f->count; i++)
            many.sizes += f->form[i].shape == (int32_t)shape;
        if (many.sizes <= TS_SIZES_MAX)
            continue;
        if (model->shape[shape].name)
            snprintf(many.name, sizeof many.name, "%.50s", model->shape[shape].name);
        else
            snprintf(many.name, sizeof many.name, "shape %zu", shape);
        TS_TRY(ts_array_push(&pairs->many, many, error));
    }
    return TS_OK;
}

ts_status ts_shape_pairs_of_model(const ts_model *model, ts_shape_pairs *pairs, ts_error *error)
{
    const ts_forms *f = model->forms;
    *pairs = (ts_shape_pairs){.options = model->map};
    if (!f)
        return TS_OK;
    int32_t *number;
    TS_TRY(ts_new_raw(&number, f->count, error));
    for (size_t i = 0; i < f->count; i++)
        number[i] = -1;
    ts_status status = TS_OK;
    for (size_t i = TS_MAP_FIRST; i < f->map_count && status == TS_OK; i++)
        status = take_map(model, &f->map[i], pairs, number, error);
    ts_free(number);
    return status == TS_OK ? take_many(model, pairs, error) : status;
}

/* ---- Of a file of shapes ---- */

/* Each meets each, where one of them is an outline. */
static ts_status of_shapes(const ts_scene *scene, ts_shape_pairs *pairs, ts_error *error)
{
    *pairs = (ts_shape_pairs){.options = scene->map};
    for (size_t i = 0; i < scene->shape.count; i++) {
        const ts_scene_shape *s = &scene->shape.item[i];
        ts_outline *outline;
        char name[64];
        if (s->name)
            snprintf(name, sizeof name, "%.50s", s->name);
        else
            snprintf(name, sizeof name, "shape %zu", i);
        TS_TRY(ts_outline_of_shape(s->outline, s->disc, s->disc_count, &outline, error));
        TS_TRY(add_form(pairs, name, (int32_t)i, outline, error));
        for (size_t k = 0; k <= i; k++)
            if (s->outline || scene->shape.item[k].outline)
                TS_TRY(ts_array_push(&pairs->pair, ((ts_shape_pair){.a = k, .b = i}), error));
    }
    return TS_OK;
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
        snprintf(others, sizeof others, ", as have %zu other shapes", pairs->many.count - 1);
    else if (pairs->many.count == 2)
        snprintf(others, sizeof others, ", as has one other shape");
    if (pairs->many.count == 0)
        snprintf(text, capacity, "%s", "");
    else
        snprintf(text, capacity,
                 "%.40s has %zu sizes%s; shapes with more than %d will use exact with all they meet, and have no maps",
                 first->name, first->sizes, others, TS_SIZES_MAX);
    return text;
}
