/* SPDX-License-Identifier: MIT */
/* What a distance field is made of: written by mesh_field.c, stored by mesh_field_file.c. */
#pragma once

#include "shape/mesh_field.h"
#include "shape/mesh_field_kernel.h"

struct ts_mesh_field {
    ts_vec3 low;      /* corner of the grid's box [m] */
    double cell;      /* side of a cell [m] */
    double per_metre; /* 1 / cell */
    int32_t cells[3];
    float
        *value; /* distance over cell; (cells[2] + 3) × (cells[1] + 3) × (cells[0] + 3): a layer more on either side */
    ts_box3 box;  /* of the mesh [m] */
    uint64_t key; /* what it is filed under */
    bool from_cache;
    const ts_mesh_field_kernels *kernel;
};

/* How many values the cells have; 0 when there are too many or too few. */
size_t ts_mesh_field_value_count(const int32_t cells[3]);
/* All but value, which has room and is not filled. */
ts_status ts_mesh_field_alloc(const int32_t cells[3], ts_mesh_field **field, ts_error *error);
