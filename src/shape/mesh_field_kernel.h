/* SPDX-License-Identifier: MIT */
/* The kernels of distance fields, one table for each instruction set (base/kernel.h). All of them round alike. */
#pragma once

#include "shape/mesh_field.h"

typedef struct ts_mesh_field_kernels {
    /* At a point in the grid. */
    ts_field_answer (*at)(const ts_mesh_field *field, double x, double y,
                          double z); /* in cells, from the grid's low corner */
} ts_mesh_field_kernels;

const ts_mesh_field_kernels *ts_mesh_field_choose(void);
