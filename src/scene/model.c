/* SPDX-License-Identifier: MIT */
/* Reading a model from outside. An index out of range gives NaN or -1. */
#include "model.h"

#include <math.h>

#include "base/status.h"

size_t ts_model_body_count(const ts_model *model)
{
    return model->body_count;
}

size_t ts_model_boundary_count(const ts_model *model)
{
    return model->boundary_count;
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
    if (body >= model->body_count)
        return (double)NAN;
    double scale = model->body_scale[body];
    return model->density[model->body_material[body]] * model->shape[model->body_shape[body]].area * (scale * scale);
}

double ts_model_inertia(const ts_model *model, size_t body)
{
    if (body >= model->body_count)
        return (double)NAN;
    double square = model->body_scale[body] * model->body_scale[body];
    return model->density[model->body_material[body]] * model->shape[model->body_shape[body]].inertia *
           (square * square);
}

int32_t ts_model_shape(const ts_model *model, size_t body)
{
    return body < model->body_count ? model->body_shape[body] : -1;
}

ts_status ts_model_can_run(const ts_model *model, ts_error *error)
{
    if (!model->has_outlines)
        return TS_OK;
    size_t body = 0;
    while (body + 1 < model->body_count && !model->shape[model->body_shape[body]].outline)
        body++;
    const char *name = model->shape[model->body_shape[body]].name;
    return ts_fail(
        error, TS_UNSUPPORTED,
        "this scene has outlines (body %zu, shape \"%.100s\"): simulating outlines comes in a later version; it "
        "can be checked, drawn, measured and exported, and its contact maps can be built (touchstone map build "
        "SCENE), not run yet",
        body, name ? name : "");
}

uint64_t ts_model_hash(const ts_model *model)
{
    return model->hash;
}
