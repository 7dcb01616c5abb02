/* SPDX-License-Identifier: MIT */
/* Small ReLU perceptrons: the published form of a contact map.
 *
 *     pose ─▶ encoding (x, y, angle  or  x, y, cos kθ, sin kθ) ─▶ depth × (width, ReLU) ─▶ linear outputs
 *
 * One network has the gap as its output; its gradient in the pose comes from a backward pass. A second has two outputs,
 * the arms -r_A · n and r_B · n to the points on A and on B. Single precision. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cspace/field.h"
#include "cspace/fold.h"
#include "touchstone/map.h"

#define TS_NETWORK_DEPTH_MAX   8
#define TS_NETWORK_WIDTH_MAX   128
#define TS_NETWORK_INPUTS_MAX  4
#define TS_NETWORK_OUTPUTS_MAX 2

/* One perceptron. Layer l (0 … depth; the last is linear) has rows(l) outputs and columns(l) inputs; its weights lie
 * row by row from parameter[weight_at[l]] on, its biases (rows) from parameter[bias_at[l]] on. No padding here; kernels
 * pack as they like. */
typedef struct ts_perceptron {
    int32_t inputs, outputs, depth, width;
    size_t count; /* parameters */
    size_t weight_at[TS_NETWORK_DEPTH_MAX + 1], bias_at[TS_NETWORK_DEPTH_MAX + 1];
    float *parameter; /* (count), owned */
    float *packed;    /* for the kernels, owned; made by ts_perceptron_pack */
} ts_perceptron;

static inline int32_t ts_perceptron_rows(const ts_perceptron *p, int layer)
{
    return layer == p->depth ? p->outputs : p->width;
}
static inline int32_t ts_perceptron_columns(const ts_perceptron *p, int layer)
{
    return layer == 0 ? p->inputs : p->width;
}

/* Parameters are zero. Refuses sizes beyond the limits above, and widths that are not positive. */
ts_status ts_perceptron_create(int32_t inputs, int32_t outputs, int32_t depth, int32_t width, ts_perceptron *p,
                               ts_error *error);
void ts_perceptron_free(ts_perceptron *p);
/* To be called after the parameters changed and before asking. */
ts_status ts_perceptron_pack(ts_perceptron *p, ts_error *error);
/* `input` and `gradient` hold inputs × stride values (row i: input i of all samples), `output` outputs × stride.
 * gradient (may be NULL) is that of output 0. stride ≥ count. */
void ts_perceptron_query(const ts_perceptron *p, size_t count, size_t stride, const float *input, float *output,
                         float *gradient);

/* A map's two networks. */
typedef struct ts_network {
    ts_map_encoding encoding;
    int32_t frequency;   /* k of cos kθ: the number of turns that B's symmetry has, when poses are folded; else 1 */
    bool disc_a, disc_b; /* poses are folded, and A, or B, is a disc or ring (ts_network_suit); not kept in files */
    ts_perceptron gap, arm;
} ts_network;

/* Tells the networks how the poses are folded that they are trained on and asked at. */
void ts_network_suit(ts_network *network, const ts_fold *fold);

/* Frees what it holds, not itself. */
void ts_network_free(ts_network *network);
/* Of the parameters, as a file stores them: two bytes each once they are rounded. What the kernels read is packed when
 * the map is made, in single precision and twice over. */
size_t ts_network_bytes(const ts_network *network);
/* A ts_field_query on folded poses. */
void ts_network_query(const void *network, size_t count, ts_fields *fields);
/* The inputs of one pose: 3 or 4 numbers. Places far beyond any contact are moved to where all that follows stays
 * finite. */
int32_t ts_network_encode(ts_map_encoding encoding, int32_t frequency, double x, double y, double angle,
                          float input[4]);
/* The learned gradient in (x, y, angle) at a pose on x, from that in its inputs (4 of each). A disc at A has all its
 * poses on the x axis, so there the network never learned what y does: ∂gap/∂y follows from ∂gap/∂angle, as when
 * unfolding. */
void ts_network_gradient(const ts_network *network, double x, const float input[4], const float slope[4], double g[3]);
