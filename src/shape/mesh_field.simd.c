/* SPDX-License-Identifier: MIT */
/* Tricubic interpolation. Weights are found for x, y and z side by side; values lie side by side along x. */
#include "base/kernel.h"
#include "base/simd.h"
#include "shape/mesh_field_kernel.h"
#include "shape/mesh_field_parts.h"

typedef float float4 __attribute__((vector_size(16), aligned(4), may_alias));

TS_SIMD ts_f64x4 four(const float *from)
{
    return __builtin_convertvector(*(const float4 *)from, ts_f64x4);
}

TS_SIMD double sum_of(ts_f64x4 v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static ts_field_answer at(const ts_mesh_field *field, double x, double y, double z)
{
    const int32_t *cells = field->cells;
    int32_t i = (int32_t)x, j = (int32_t)y, k = (int32_t)z;
    i -= i == cells[0]; /* the far side belongs to the last cell */
    j -= j == cells[1];
    k -= k == cells[2];
    /* weights of the four values along each axis, and their derivatives */
    ts_f64x4 t = {x - i, y - j, z - k, 0}, half = 0.5 * t;
    const ts_f64x4 weight[4] = {half * ((2 - t) * t - 1), half * ((3 * t - 5) * t) + 1, half * ((4 - 3 * t) * t + 1),
                                half * (t - 1) * t};
    const ts_f64x4 slope[4] = {half * (4 - 3 * t) - 0.5, half * (9 * t - 10), half * (8 - 9 * t) + 0.5,
                               half * (3 * t - 2)};
    size_t row = (size_t)cells[0] + 3, layer = row * ((size_t)cells[1] + 3);
    const float *from = field->value + (size_t)k * layer + (size_t)j * row + (size_t)i;
    /* z first, with rows along x side by side; then y; then x */
    ts_f64x4 f = {0}, fy = {0}, fz = {0};
    for (size_t b = 0; b < 4; b++) {
        ts_f64x4 v = {0}, vz = {0};
        for (size_t c = 0; c < 4; c++) {
            ts_f64x4 u = four(from + c * layer + b * row);
            v += weight[c][2] * u;
            vz += slope[c][2] * u;
        }
        f += weight[b][1] * v;
        fy += slope[b][1] * v;
        fz += weight[b][1] * vz;
    }
    ts_f64x4 w = {weight[0][0], weight[1][0], weight[2][0], weight[3][0]};
    ts_f64x4 s = {slope[0][0], slope[1][0], slope[2][0], slope[3][0]};
    return (ts_field_answer){field->cell * sum_of(f * w), {sum_of(f * s), sum_of(fy * w), sum_of(fz * w)}, true};
}

const ts_mesh_field_kernels TS_KERNEL(ts_mesh_field) = {.at = at};
