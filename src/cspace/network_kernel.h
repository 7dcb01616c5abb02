/* SPDX-License-Identifier: MIT */
/* What stands behind network.h: how a perceptron lies in memory for its kernels, and their table.
 *
 * Lanes are neurons. A layer of `width` rows is filled up with zero rows to `padded`, a multiple of 16, and cut into
 * panels of 16 rows; a panel holds, input by input, the 16 weights of that input:
 *
 *     panel[input][16]         row 16 p + j, input k:  (p · columns + k) · 16 + j
 *
 * so a kernel loads weights side by side, multiplies them by one sample's input in all lanes, and does that for some
 * samples at a time while the sums stay in registers. Panels serve every instruction set, from 4 lanes to 16. For the
 * backward pass the hidden layers are packed a second time, transposed. Each sum runs over the inputs in order, in one
 * accumulator: a sample has the same bits alone and in any batch, whatever the tile, and so do AVX2 and AVX-512;
 * without fused multiply-add (baseline) each term rounds twice and the bits differ.
 *
 * Sums over the neurons of one sample (outputs, gradient in the inputs) run across lanes: 16 partial sums, neuron k in
 * sum k mod 16, which are then added in halves, 8 + 8, 4 + 4, …, on every instruction set. */
#pragma once

#include <stddef.h>

#include "cspace/network.h"

#define TS_NETWORK_PANEL 16

/* Where things lie in ts_perceptron.packed, in floats. Everything starts at a multiple of 16. */
typedef struct ts_network_layout {
    size_t padded;     /* rows of a hidden layer, with the zero ones */
    size_t first;      /* layer 0: panels of `inputs` columns */
    size_t bias;       /* of the hidden layers (depth × padded) */
    size_t forward;    /* hidden layers 1 … depth - 1: panels (padded × width each) */
    size_t backward;   /* the same transposed: rows are inputs */
    size_t last;       /* output layer, row by row (outputs × padded) */
    size_t last_bias;  /* its biases, one panel */
    size_t input_side; /* layer 0 transposed, row by row (inputs × padded) */
    size_t count;      /* floats in all */
} ts_network_layout;

static inline ts_network_layout ts_network_layout_of(const ts_perceptron *p)
{
    size_t panel = TS_NETWORK_PANEL, width = (size_t)p->width, depth = (size_t)p->depth;
    ts_network_layout at = {.padded = (width + panel - 1) / panel * panel};
    size_t hidden = (depth - 1) * at.padded * width;
    at.first = 0;
    at.bias = at.first + (size_t)p->inputs * at.padded;
    at.forward = at.bias + depth * at.padded;
    at.backward = at.forward + hidden;
    at.last = at.backward + hidden;
    at.last_bias = at.last + (size_t)p->outputs * at.padded;
    at.input_side = at.last_bias + panel;
    at.count = at.input_side + (size_t)p->inputs * at.padded;
    return at;
}

/* As ts_perceptron_query. */
typedef struct ts_network_kernels {
    void (*query)(const ts_perceptron *p, size_t count, size_t stride, const float *input, float *output,
                  float *gradient);
} ts_network_kernels;

const ts_network_kernels *ts_network_choose(void);
