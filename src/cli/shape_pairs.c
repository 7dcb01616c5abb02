/* SPDX-License-Identifier: MIT */
#include "cli/shape_pairs.h"

#include <stdio.h>

#include "cli/subjects.h"

/* What of a shape matters here, in a scene or compiled. */
typedef struct shape_view {
    const char *name;
    const ts_outline *outline;
    const ts_disc *disc;
    size_t disc_count;
} shape_view;

static ts_status add_form(ts_shape_pairs *pairs, const shape_view *shape, ts_error *error)
{
    ts_form_of_shape form = {.discs = !shape->outline};
    if (shape->name)
        snprintf(form.name, sizeof form.name, "%.60s", shape->name);
    else
        snprintf(form.name, sizeof form.name, "shape %zu", pairs->form.count);
    TS_TRY(ts_outline_of_shape(shape->outline, shape->disc, shape->disc_count, &form.outline, error));
    ts_status status = ts_array_push(&pairs->form, form, error);
    if (status != TS_OK)
        ts_outline_free(form.outline);
    return status;
}

static ts_status add_pairs(ts_shape_pairs *pairs, ts_error *error)
{
    for (size_t a = 0; a < pairs->form.count; a++)
        for (size_t b = a; b < pairs->form.count; b++)
            if (!pairs->form.item[a].discs || !pairs->form.item[b].discs)
                TS_TRY(ts_array_push(&pairs->pair, ((ts_shape_pair){a, b}), error));
    return TS_OK;
}

ts_status ts_shape_pairs_of_model(const ts_model *model, ts_shape_pairs *pairs, ts_error *error)
{
    *pairs = (ts_shape_pairs){.options = model->map};
    double *scale = ts_alloc(model->shape_count, sizeof *scale); /* 0: no body has this shape */
    if (!scale)
        return ts_fail_memory(error, model->shape_count * sizeof *scale);
    for (size_t i = 0; i < model->body_count; i++) {
        double *known = &scale[model->body_shape[i]];
        pairs->sizes_vary |= *known > 0 && *known != model->body_scale[i] && model->shape[model->body_shape[i]].outline;
        *known = model->body_scale[i];
    }
    ts_status status = TS_OK;
    for (size_t i = 0; i < model->shape_count && status == TS_OK; i++) {
        const ts_shape *s = &model->shape[i];
        if (scale[i] > 0)
            status = add_form(pairs, &(shape_view){s->name, s->outline, s->disc, s->disc_count}, error);
    }
    ts_free(scale);
    return status == TS_OK ? add_pairs(pairs, error) : status;
}

ts_status ts_shape_pairs_of_scene(const ts_scene *scene, ts_shape_pairs *pairs, ts_error *error)
{
    *pairs = (ts_shape_pairs){.options = scene->map};
    bool *used = ts_alloc(scene->shape.count + 1, sizeof *used), all = !scene->body.count && !scene->generator.count;
    if (!used)
        return ts_fail_memory(error, scene->shape.count + 1);
    for (size_t i = 0; i < scene->body.count; i++)
        used[scene->body.item[i].def.shape] = true;
    for (size_t i = 0; i < scene->generator.count; i++)
        for (size_t k = 0; k < scene->generator.item[i].def.mix_count; k++) {
            const ts_mix_entry *entry = &scene->generator.item[i].def.mix[k];
            used[entry->shape] = true;
            pairs->sizes_vary |= entry->size != TS_SIZE_UNIFORM || entry->scale_min != entry->scale_max;
        }
    ts_status status = TS_OK;
    for (size_t i = 0; i < scene->shape.count && status == TS_OK; i++) {
        const ts_scene_shape *s = &scene->shape.item[i];
        if (all || used[i])
            status = add_form(pairs, &(shape_view){s->name, s->outline, s->disc, s->disc_count}, error);
    }
    ts_free(used);
    return status == TS_OK ? add_pairs(pairs, error) : status;
}

void ts_shape_pairs_free(ts_shape_pairs *pairs)
{
    for (size_t i = 0; i < pairs->form.count; i++)
        ts_outline_free(pairs->form.item[i].outline);
    ts_array_free(&pairs->form);
    ts_array_free(&pairs->pair);
}
