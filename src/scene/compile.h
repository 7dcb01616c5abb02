/* SPDX-License-Identifier: MIT */
/* From a scene to a model; shared by the files that do it. */
#pragma once

#include "model.h"

/* Zeroed memory that belongs to the model and is counted in its bytes; NULL when there is none. */
void *ts_model_take(ts_model *model, size_t count, size_t size);
