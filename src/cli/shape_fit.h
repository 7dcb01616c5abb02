/* SPDX-License-Identifier: MIT */
/* touchstone shape fit: from a mesh to a smooth body of superquadrics. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Values of the options; 0 and NULL: not given. */
typedef struct ts_shape_fit_wish {
    uint64_t count, vertices, cells, width, threads;
    const char *out, *png, *json;
    bool no_picture, quiet;
} ts_shape_fit_wish;

ts_status ts_shape_fit(const ts_shape_fit_wish *wish, const char *path, ts_error *error);
