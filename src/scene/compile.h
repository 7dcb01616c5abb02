/* SPDX-License-Identifier: MIT */
/* From a scene to a model; shared by the files that do it. */
#pragma once

#include "model.h"
#include "scene/scene.h"

/* Zeroed memory that belongs to the model and is counted in its bytes; NULL when there is none. */
void *ts_model_take(ts_model *model, size_t count, size_t size);
/* A copy of a text, likewise; NULL stays NULL. */
ts_status ts_model_take_text(ts_model *model, const char *text, char **copy, ts_error *error);
