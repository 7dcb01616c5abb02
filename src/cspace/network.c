/* SPDX-License-Identifier: MIT */
#include "cspace/network.h"

#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "base/memory.h"
#include "cspace/network_file.h"
#include "cspace/network_kernel.h"

TS_KERNEL_CHOOSER(ts_network_kernels, ts_network)

/* ---- Perceptrons ---- */

ts_status ts_perceptron_create(int32_t inputs, int32_t outputs, int32_t depth, int32_t width, ts_perceptron *p,
                               ts_error *error)
{
    *p = (ts_perceptron){0};
    if (inputs < 1 || inputs > TS_NETWORK_INPUTS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a network with %d inputs is not possible; give 1 to %d", (int)inputs,
                       TS_NETWORK_INPUTS_MAX);
    if (outputs < 1 || outputs > TS_NETWORK_OUTPUTS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a network with %d outputs is not possible; give 1 to %d", (int)outputs,
                       TS_NETWORK_OUTPUTS_MAX);
    if (depth < 1 || depth > TS_NETWORK_DEPTH_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a network with %d hidden layers is not possible; give a depth of 1 to %d",
                       (int)depth, TS_NETWORK_DEPTH_MAX);
    if (width < 1 || width > TS_NETWORK_WIDTH_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a network of %d neurons a layer is not possible; give a width of 1 to %d",
                       (int)width, TS_NETWORK_WIDTH_MAX);
    p->inputs = inputs, p->outputs = outputs, p->depth = depth, p->width = width;
    for (int l = 0; l <= depth; l++) {
        size_t rows = (size_t)ts_perceptron_rows(p, l);
        p->weight_at[l] = p->count;
        p->bias_at[l] = p->count + rows * (size_t)ts_perceptron_columns(p, l);
        p->count = p->bias_at[l] + rows;
    }
    p->parameter = ts_alloc(p->count, sizeof(float));
    if (!p->parameter) {
        size_t bytes = p->count * sizeof(float);
        *p = (ts_perceptron){0};
        return ts_fail_memory(error, bytes);
    }
    return TS_OK;
}

void ts_perceptron_free(ts_perceptron *p)
{
    if (!p)
        return;
    ts_free(p->parameter);
    ts_free(p->packed);
    *p = (ts_perceptron){0};
}

/* row, column: of a matrix with `columns` columns, cut into panels of 16 rows */
static size_t in_panel(size_t row, size_t column, size_t columns)
{
    return (row / TS_NETWORK_PANEL * columns + column) * TS_NETWORK_PANEL + row % TS_NETWORK_PANEL;
}

ts_status ts_perceptron_pack(ts_perceptron *p, ts_error *error)
{
    const ts_network_layout at = ts_network_layout_of(p);
    if (!p->packed) {
        p->packed = ts_alloc(at.count, sizeof(float)); /* the zero rows stay zero */
        if (!p->packed)
            return ts_fail_memory(error, at.count * sizeof(float));
    }
    const size_t width = (size_t)p->width, inputs = (size_t)p->inputs, outputs = (size_t)p->outputs;
    for (size_t l = 0; l < (size_t)p->depth; l++) {
        const float *weight = p->parameter + p->weight_at[l];
        size_t columns = l ? width : inputs, matrix = (l ? l - 1 : 0) * at.padded * width;
        memcpy(p->packed + at.bias + l * at.padded, p->parameter + p->bias_at[l], width * sizeof(float));
        for (size_t r = 0; r < width; r++)
            for (size_t c = 0; c < columns; c++) {
                float value = weight[r * columns + c];
                if (l == 0) {
                    p->packed[at.first + in_panel(r, c, columns)] = value;
                    p->packed[at.input_side + c * at.padded + r] = value;
                } else {
                    p->packed[at.forward + matrix + in_panel(r, c, columns)] = value;
                    p->packed[at.backward + matrix + in_panel(c, r, width)] = value;
                }
            }
    }
    for (size_t o = 0; o < outputs; o++)
        memcpy(p->packed + at.last + o * at.padded, p->parameter + p->weight_at[p->depth] + o * width,
               width * sizeof(float));
    memcpy(p->packed + at.last_bias, p->parameter + p->bias_at[p->depth], outputs * sizeof(float));
    return TS_OK;
}

void ts_perceptron_query(const ts_perceptron *p, size_t count, size_t stride, const float *input, float *output,
                         float *gradient)
{
    ts_network_choose()->query(p, count, stride, input, output, gradient);
}

/* ---- A map's networks ---- */

void ts_network_free(ts_network *network)
{
    if (!network)
        return;
    ts_perceptron_free(&network->gap);
    ts_perceptron_free(&network->arm);
}

size_t ts_network_bytes(const ts_network *network)
{
    return ts_network_file_bytes(network);
}

/* cos t and sin t, off by less than 1e-7 in single precision, the same on every system (the C library's are not) and
 * without a branch: t is brought within π/4 of a quarter turn, and two short polynomials do the rest. For |t| up to
 * some 1e8. */
static inline void cosine_sine(double t, float *cosine, float *sine)
{
    const double to_integer = 6755399441055744.0; /* 1.5 · 2^52: the sum's last bits are the rounded number */
    double shifted = t * 0.63661977236758134308 + to_integer, quarters = shifted - to_integer;
    double r = (t - quarters * 1.57079632679489655800) - quarters * 6.12323399573676603587e-17, rr = r * r;
    double s = r + r * rr * (-1.0 / 6 + rr * (1.0 / 120 + rr * (-1.0 / 5040 + rr * (1.0 / 362880 - rr / 39916800))));
    double c = 1 + rr * (-0.5 + rr * (1.0 / 24 + rr * (-1.0 / 720 + rr * (1.0 / 40320 - rr / 3628800))));
    uint64_t turn;
    memcpy(&turn, &shifted, sizeof turn);
    double across = turn & 1 ? s : c, up = turn & 1 ? c : s;
    *cosine = (float)((turn + 1) & 2 ? -across : across);
    *sine = (float)(turn & 2 ? -up : up);
}

/* Far beyond any contact, where a network knows nothing; nearer than where its sums would leave the range of floats. */
static inline float within_bounds(double value)
{
    const double most = 1e4;
    return (float)(value < -most ? -most : value > most ? most : value);
}

int32_t ts_network_encode(ts_map_encoding encoding, int32_t frequency, double x, double y, double angle, float input[4])
{
    input[0] = within_bounds(x);
    input[1] = within_bounds(y);
    if (encoding == TS_ENCODING_RAW) {
        input[2] = within_bounds(angle);
        return 3;
    }
    cosine_sine(frequency * angle, &input[2], &input[3]);
    return 4;
}

void ts_network_suit(ts_network *network, const ts_fold *fold)
{
    network->disc_a = fold->active && fold->turns_a == 0;
    network->disc_b = fold->active && fold->turns_b == 0;
}

void ts_network_gradient(const ts_network *network, double x, const float input[4], const float slope[4], double g[3])
{
    g[0] = (double)slope[0];
    g[1] = (double)slope[1];
    g[2] = network->encoding == TS_ENCODING_RAW
               ? (double)slope[2]
               : network->frequency * ((double)input[2] * (double)slope[3] - (double)input[3] * (double)slope[2]);
    if (network->disc_b)
        g[2] = 0;
    if (network->disc_a)
        g[1] = ts_fold_slide(x, g[2]);
}

void ts_network_query(const void *network, size_t count, ts_fields *fields)
{
    const ts_network *net = network;
    float input[TS_NETWORK_INPUTS_MAX][TS_FIELD_BATCH], gradient[TS_NETWORK_INPUTS_MAX][TS_FIELD_BATCH];
    float gap[TS_FIELD_BATCH], arm[TS_NETWORK_OUTPUTS_MAX][TS_FIELD_BATCH];
    const bool raw = net->encoding == TS_ENCODING_RAW; /* which has no fourth input */
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        float pose[4] = {0};
        ts_network_encode(net->encoding, net->frequency, fields->x[i], fields->y[i], fields->angle[i], pose);
        for (int k = 0; k < 4; k++)
            input[k][i] = pose[k];
    }
    ts_perceptron_query(&net->gap, count, TS_FIELD_BATCH, input[0], gap, gradient[0]);
    ts_perceptron_query(&net->arm, count, TS_FIELD_BATCH, input[0], arm[0], NULL);
    for (size_t i = 0; i < count; i++) {
        const float at[4] = {input[0][i], input[1][i], input[2][i], input[3][i]};
        const float own[4] = {gradient[0][i], gradient[1][i], gradient[2][i], raw ? 0 : gradient[3][i]};
        double g[3];
        ts_network_gradient(net, fields->x[i], at, own, g);
        double slope = sqrt(g[0] * g[0] + g[1] * g[1]);
        double along = slope > 0 ? fields->x[i] * (g[0] / slope) + fields->y[i] * (g[1] / slope) : 0;
        fields->gap[i] = (double)gap[i];
        fields->gx[i] = g[0];
        fields->gy[i] = g[1];
        fields->gangle[i] = g[2];
        /* m · n from A's point, -o0 + gap / 2, and from B's, o1 + (x, y) · n - gap / 2. Of their mean the gap drops
         * out. */
        fields->arm[i] = 0.5 * ((double)arm[1][i] - (double)arm[0][i] + along);
    }
}
