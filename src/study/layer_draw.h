/* SPDX-License-Identifier: MIT */
/* Pictures of a layer's heights, seen from above. */
#pragma once

#include "study/layer_field.h"
#include "study/study.h"

typedef struct ts_layer_picture {
    const ts_layer_field *field;
    const char *caption;
} ts_layer_picture;

/* Fields of one size, side by side, light where they are high, as the figure NAME.png of the study; without Cairo there
 * is none. */
ts_status ts_layer_draw(ts_study *study, const char *name, const ts_layer_picture *picture, size_t count,
                        ts_error *error);
