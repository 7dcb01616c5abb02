/* SPDX-License-Identifier: MIT */
/* What stands behind cspace/train.h: how a network lies in memory while it learns, and its kernels.
 *
 * Lanes are neurons: an activation is a row of `wide` floats for each sample. So all three products of a layer are of
 * one form, a broadcast number times a row of lanes, and no sum ever goes across lanes (but for the one output at the
 * end):
 *
 *     forward     h'[s][j…]  = Σ_k h[s][k] · Wᵀ[k][j…]       + bias, below 0 cut off
 *     backward    δ [s][k…]  = Σ_j δ'[s][j] · W[j][k…]       where h > 0
 *     weights     dW[j][k…] += Σ_s δ'[s][j] · h[s][k…]
 *
 * A tile of 6 rows of 2 vectors stays in registers while the sum runs. Widths are filled up to a multiple of 16 with
 * neurons whose weights are zero; their gradient is zero as well, and they stay what they are. Samples go through all
 * layers in chunks that fit in the cache. Tried and left: lanes = samples, whose dW must be summed across lanes for
 * every chunk, a fifth of the time at 64 samples. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cspace/train.h"

#define TS_TRAIN_CHUNK  96 /* samples that go through the layers together; a multiple of 6 */
#define TS_TRAIN_ANSWER 2
#define TS_TRAIN_ALIGN  16 /* floats of the widest vector */

/* Parameters as the kernels want them. Layer 0 by input: (4 × wide); hidden ones by neuron: (wide × wide); the last by
 * output: (outputs × wide). A bias has `wide` places, 16 in the last layer. */
typedef struct ts_train_shape {
    int32_t inputs, outputs, depth, width;
    size_t wide; /* width, filled up */
    size_t weight_at[TS_NETWORK_DEPTH_MAX + 1], bias_at[TS_NETWORK_DEPTH_MAX + 1];
    size_t count;         /* floats in all */
    size_t scratch_count; /* floats that a kernel works in */
} ts_train_shape;

/* One step of Adam over parameters begin … end - 1; part p's gradient is gradient[p · stride + i]. */
typedef struct ts_train_adam {
    size_t begin, end;
    const float *gradient;
    size_t part_count, stride;
    float scale;      /* of the gradient */
    float rate, tiny; /* of the step, both with the corrections of the first steps in them */
    float *parameter, *mean, *square;
} ts_train_adam;

typedef struct ts_train_kernels {
    /* Adds the gradient of half the sum of squared errors of these rows, in order; returns that sum of squares.
     * `turned` holds the hidden layers' weights transposed, at the same places. */
    double (*learn)(const ts_train_shape *shape, const float *parameter, const float *turned, size_t count,
                    const float *row, float *scratch, float *gradient);
    /* For each row TS_TRAIN_ANSWER numbers, the outputs; 0 for one that the network lacks. */
    void (*ask)(const ts_train_shape *shape, const float *parameter, const float *turned, size_t count,
                const float *row, float *scratch, float *answer);
    void (*turn)(const ts_train_shape *shape, const float *parameter, float *turned);
    void (*adam)(const ts_train_adam *adam);
} ts_train_kernels;

const ts_train_kernels *ts_train_choose(void);

ts_train_shape ts_train_shape_of(const ts_perceptron *p);
/* Parameters into the kernels' order (what is between is set to zero), and back. */
void ts_train_pack(const ts_perceptron *p, const ts_train_shape *shape, float *packed);
void ts_train_unpack(const float *packed, const ts_train_shape *shape, ts_perceptron *p);
