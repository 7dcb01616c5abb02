/* SPDX-License-Identifier: MIT */
/* Rigid motions of columns of points. */
#pragma once

#include <stddef.h>

#include "base/vec.h"

typedef struct ts_columns_kernels {
    /* to = turn · from + shift; columns are padded to a multiple of 8 */
    void (*move)(size_t count, const ts_mat3 *turn, ts_vec3 shift, double *const from[3], double *const to[3]);
} ts_columns_kernels;
const ts_columns_kernels *ts_columns_choose(void);
