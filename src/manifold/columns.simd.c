/* SPDX-License-Identifier: MIT */
#include "manifold/columns.h"

#include "base/kernel.h"
#include "base/wide.h"

static void move(size_t count, const ts_mat3 *turn, ts_vec3 shift, double *const from[3], double *const to[3])
{
    const ts_vec3 x = ts_mat3_row(*turn, 0), y = ts_mat3_row(*turn, 1), z = ts_mat3_row(*turn, 2);
    for (size_t at = 0; at < count; at += TS_WIDE) {
        const ts_wide3 p = ts_wide3_load((const double *const *)from, at);
        ts_wide3_store(to, at,
                       (ts_wide3){p.x * x.x + p.y * x.y + p.z * x.z + shift.x,
                                  p.x * y.x + p.y * y.y + p.z * y.z + shift.y,
                                  p.x * z.x + p.y * z.y + p.z * z.z + shift.z});
    }
}

const ts_columns_kernels TS_KERNEL(ts_columns) = {move};
