/* SPDX-License-Identifier: MIT */
/* Reading a model from outside. An index out of range gives NaN or -1. */
#include "model.h"

#include <math.h>

#include "base/status.h"
#include "contact/forms.h"
#include "world.h"

size_t ts_model_body_count(const ts_model *model)
{
    return model->body_count;
}

int ts_model_dimension(const ts_model *model)
{
    return model->dimension;
}

int ts_model_q_size(const ts_model *model)
{
    return model->world->q_size;
}

int ts_model_v_size(const ts_model *model)
{
    return model->world->v_size;
}

size_t ts_model_wall_count(const ts_model *model)
{
    return model->wall_count;
}

double ts_model_time_step(const ts_model *model)
{
    return model->settings.time_step;
}

double ts_model_stable_step(const ts_model *model)
{
    return model->stable_step;
}

double ts_model_duration(const ts_model *model)
{
    return model->settings.duration;
}

double ts_model_mass(const ts_model *model, size_t body)
{
    return body < model->body_count ? model->mass[body] : (double)NAN;
}

void ts_model_inertia(const ts_model *model, size_t body, double inertia[9])
{
    for (int i = 0; i < 9; i++)
        inertia[i] = (double)NAN;
    if (body < model->body_count)
        model->world->inertia(model, body, inertia);
}

int32_t ts_model_shape(const ts_model *model, size_t body)
{
    return body < model->body_count ? model->world->shape(model, body) : -1;
}

ts_status ts_model_can_run(const ts_model *model, ts_error *error)
{
    if (!model->forms || model->forms->ready)
        return TS_OK;
    return ts_fail(
        error, TS_BAD_INPUT,
        "the model has outlines, and the contact maps that it needs are not there yet; call ts_model_prepare "
        "before the first step");
}

ts_status ts_model_prepare(ts_model *model, const ts_map_making *making, ts_error *error)
{
    return model->forms ? ts_forms_prepare(model->forms, model, making, error) : TS_OK;
}

uint64_t ts_model_hash(const ts_model *model)
{
    return model->hash;
}
