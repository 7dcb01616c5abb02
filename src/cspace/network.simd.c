/* SPDX-License-Identifier: MIT */
/* Perceptrons for many samples: value and gradient in the inputs. See network_kernel.h for how weights lie.
 *
 * Samples go through all layers in chunks whose activations stay in the first-level cache:
 *
 *     forward     h = max(0, W h + b), layer by layer, between two buffers; one bit per neuron and layer remembers where h > 0
 *     backward    g = (Wᵀ g where h > 0), through the same two buffers
 *
 * A tile is some samples × some vectors of rows, its sums in registers over all inputs: per input one load for each
 * vector of rows, one broadcast for each sample, and samples × vectors fused multiply-adds. The fewer samples there
 * are, the more vectors, so that there are always enough independent sums to hide the latency of one.
 *
 * This file is compiled with -ffp-contract=fast: a·b + c is one operation where the processor has it. All such sums are
 * written as sum += a * b, so that there is nothing to choose. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/kernel.h"
#include "base/simd.h"
#include "cspace/network_kernel.h"

/* LANES floats are one register. GROUP samples × VECTORS(GROUP) vectors are the tile that does most of the work. */
#if defined(__AVX512F__)
#define LANES            16
#define GROUP            6
#define VECTORS(samples) ((samples) == 1 ? 8 : 4)
#elif defined(__AVX2__)
#define LANES            8
#define GROUP            6
#define VECTORS(samples) ((samples) == 1 ? 8 : (samples) == 2 ? 4 : 2)
#else
#define LANES            4
#define GROUP            2
#define VECTORS(samples) ((samples) == 1 ? 8 : 4)
#endif
#define CHUNK 24 /* samples; a multiple of every GROUP */
#define PANEL TS_NETWORK_PANEL

/* The loops over a tile must vanish, or its sums live in memory (five times slower). Each compiler has its own word for
 * it. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

typedef float vector __attribute__((vector_size(4 * LANES), may_alias));
typedef int32_t mask __attribute__((vector_size(4 * LANES), may_alias));

/* One chunk under way. `active`: bit l of a neuron's word tells that layer l's is active. */
typedef struct work {
    _Alignas(64) float a[CHUNK * TS_NETWORK_WIDTH_MAX];
    _Alignas(64) float b[CHUNK * TS_NETWORK_WIDTH_MAX];
    _Alignas(64) int32_t active[CHUNK * TS_NETWORK_WIDTH_MAX];
} work;

TS_SIMD vector broadcast(float a)
{
#if LANES == 16
    return (vector){a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a};
#elif LANES == 8
    return (vector){a, a, a, a, a, a, a, a};
#else
    return (vector){a, a, a, a};
#endif
}

/* What one layer does, in either direction. Samples are `stride` numbers apart in in, out and active. */
typedef struct layer {
    const float *weight; /* panels */
    const float *bias;   /* forward only */
    const float *in;
    float *out;
    int32_t *active;
    int32_t bit; /* of the layer that out belongs to */
    int columns; /* inputs of a row */
    int padded;  /* rows */
} layer;

// clang-format off: it does not know UNROLL
/* Rows from `row` on of `samples` samples from `sample` on. All arguments but *l, sample and row are constants. */
TS_SIMD void tile(const layer *l, const bool forward, const int samples, const int vectors, const int stride,
                  int sample, int row)
{
    const float *weight = l->weight + (ptrdiff_t)row * l->columns, *in = l->in + (ptrdiff_t)sample * stride;
    const ptrdiff_t panel = (ptrdiff_t)l->columns * PANEL;
    vector sum[6][8];
    UNROLL
    for (int v = 0; v < vectors; v++) {
        vector bias = {0};
        if (forward)
            bias = *(const vector *)(l->bias + row + v * LANES);
        UNROLL
        for (int s = 0; s < samples; s++)
            sum[s][v] = bias;
    }
    for (int k = 0, columns = l->columns; k < columns; k++) {
        vector w[8];
        UNROLL
        for (int v = 0; v < vectors; v++)
            w[v] = *(const vector *)(weight + v * LANES / PANEL * panel + v * LANES % PANEL);
        UNROLL
        for (int s = 0; s < samples; s++) {
            vector x = broadcast(in[s * stride]);
            UNROLL
            for (int v = 0; v < vectors; v++)
                sum[s][v] += w[v] * x;
        }
        weight += PANEL;
        in++;
    }
    UNROLL
    for (int s = 0; s < samples; s++) {
        UNROLL
        for (int v = 0; v < vectors; v++) {
            ptrdiff_t at = (ptrdiff_t)(sample + s) * stride + row + v * LANES;
            mask *active = (mask *)(l->active + at), on;
            if (forward) {
                on = (mask) ~(sum[s][v] <= 0); /* a NaN stays one */
                *active |= on & l->bit;
            } else {
                on = (mask)((*active & l->bit) != 0);
            }
            *(vector *)(l->out + at) = (vector)((mask)sum[s][v] & on);
        }
    }
}
// clang-format on

/* All rows of samples begin … end - 1, `samples` at a time: the weights of a tile's rows are read once for all of
 * them. */
TS_SIMD void rows(const layer *l, const bool forward, const int samples, const int stride, int begin, int end)
{
    const int most = VECTORS(samples);
    int row = 0;
    for (; row + most * LANES <= l->padded; row += most * LANES)
        for (int s = begin; s < end; s += samples)
            tile(l, forward, samples, most, stride, s, row);
    if (most > 4 && 4 * LANES >= PANEL && row + 4 * LANES <= l->padded) {
        for (int s = begin; s < end; s += samples)
            tile(l, forward, samples, 4, stride, s, row);
        row += 4 * LANES; // NOLINT(clang-analyzer-deadcode.DeadStores): read below where lanes fill a panel
    }
    if (most > 2 && 2 * LANES >= PANEL && row + 2 * LANES <= l->padded) {
        for (int s = begin; s < end; s += samples)
            tile(l, forward, samples, 2, stride, s, row);
        row += 2 * LANES; // NOLINT(clang-analyzer-deadcode.DeadStores): read below where lanes fill a panel
    }
    if (LANES >= PANEL && row < l->padded)
        for (int s = begin; s < end; s += samples)
            tile(l, forward, samples, 1, stride, s, row);
}

/* The samples to work on for `count` of them: there are tiles for 1, 2, 4 and GROUP samples, not for all. */
static int filled(int count)
{
    int rest = count % GROUP;
    return count + (rest == 3 ? 1 : rest == 5 ? GROUP - 5 : 0);
}

TS_SIMD void pass(const layer *l, const bool forward, const int stride, int samples)
{
    int rest = samples % GROUP, whole = samples - rest;
    if (whole > 0)
        rows(l, forward, GROUP, stride, 0, whole);
    if (rest == 1)
        rows(l, forward, 1, stride, whole, samples);
    if (GROUP > 2 && rest == 2)
        rows(l, forward, 2, stride, whole, samples);
    if (GROUP > 4 && rest == 4)
        rows(l, forward, 4, stride, whole, samples);
}

/* Two strides, constants so that a sample's place is part of an instruction: for networks of up to 64 neurons and for
 * wider ones. */
#define PASS(name, forward, stride)                                       \
    static void name(const layer *l, int samples)                         \
    {                                                                     \
        const layer copy = *l; /* nothing that is written can be in it */ \
        pass(&copy, forward, stride, samples);                            \
    }
PASS(forward_64, true, 64)
PASS(forward_128, true, 128)
PASS(backward_64, false, 64)
PASS(backward_128, false, 128)

/* ---- Sums over the neurons of one sample ---- */

typedef float vector4 __attribute__((vector_size(16)));

/* Lanes j and j + 8, then j + 4, … */
TS_SIMD float halves(const vector part[PANEL / LANES])
{
#if LANES == 16
    typedef float vector8 __attribute__((vector_size(32)));
    vector8 eight = __builtin_shufflevector(part[0], part[0], 0, 1, 2, 3, 4, 5, 6, 7) +
                    __builtin_shufflevector(part[0], part[0], 8, 9, 10, 11, 12, 13, 14, 15);
#elif LANES == 8
    vector eight = part[0] + part[1];
#endif
#if LANES >= 8
    vector4 four =
        __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
#else
    vector4 four = (part[0] + part[2]) + (part[1] + part[3]);
#endif
    return (four[0] + four[2]) + (four[1] + four[3]);
}

TS_SIMD float dot(const float *a, const float *b, int padded)
{
    vector part[PANEL / LANES] = {0};
    for (int k = 0; k < padded; k += PANEL)
        for (int i = 0; i < PANEL / LANES; i++)
            part[i] += *(const vector *)(a + k + i * LANES) * *(const vector *)(b + k + i * LANES);
    return halves(part);
}

/* ---- A perceptron ---- */

/* Samples 0 … count - 1 ≤ CHUNK. */
static void chunk(const ts_perceptron *p, int count, size_t stride, const float *input, float *output, float *gradient)
{
    const ts_network_layout at = ts_network_layout_of(p);
    const float *packed = p->packed;
    const int apart = p->width <= 64 ? 64 : 128, padded = (int)at.padded;
    const size_t matrix = at.padded * (size_t)p->width;
    void (*forward)(const layer *, int) = apart == 64 ? forward_64 : forward_128;
    void (*backward)(const layer *, int) = apart == 64 ? backward_64 : backward_128;
    const int samples = filled(count);
    work w;
    memset(w.active, 0, (size_t)(samples * apart) * sizeof w.active[0]);
    for (int s = 0; s < samples; s++)
        for (int i = 0; i < p->inputs; i++)
            w.b[s * apart + i] = s < count ? input[(size_t)i * stride + (size_t)s] : 0;

    layer l = {packed + at.first, packed + at.bias, w.b, w.a, w.active, 1, p->inputs, padded};
    float *in = w.b, *out = w.a;
    for (int depth = 0; depth < p->depth; depth++) {
        forward(&l, samples);
        float *swap = in;
        in = out, out = swap;
        l.weight = packed + at.forward + (size_t)depth * matrix;
        l.bias += padded;
        l.in = in, l.out = out;
        l.bit *= 2;
        l.columns = p->width;
    }
    for (int s = 0; s < count; s++)
        for (int o = 0; o < p->outputs; o++)
            output[(size_t)o * stride + (size_t)s] =
                dot(in + s * apart, packed + at.last + o * padded, padded) + packed[at.last_bias + (size_t)o];
    if (!gradient)
        return;

    l.bit = 1 << (p->depth - 1);
    for (int s = 0; s < samples; s++)
        for (int k = 0; k < padded; k += LANES) {
            mask on = (mask)((*(const mask *)(w.active + s * apart + k) & l.bit) != 0);
            *(mask *)(in + s * apart + k) = on & *(const mask *)(packed + at.last + k);
        }
    for (int depth = p->depth - 1; depth > 0; depth--) {
        l.bit /= 2;
        l.weight = packed + at.backward + (size_t)(depth - 1) * matrix;
        l.in = in, l.out = out;
        backward(&l, samples);
        float *swap = in;
        in = out, out = swap;
    }
    for (int s = 0; s < count; s++)
        for (int i = 0; i < p->inputs; i++)
            gradient[(size_t)i * stride + (size_t)s] =
                dot(in + s * apart, packed + at.input_side + (size_t)(i * padded), padded);
}

static void query(const ts_perceptron *p, size_t count, size_t stride, const float *input, float *output,
                  float *gradient)
{
    for (size_t begin = 0; begin < count; begin += CHUNK) {
        size_t left = count - begin;
        chunk(p, left < CHUNK ? (int)left : CHUNK, stride, input + begin, output + begin,
              gradient ? gradient + begin : NULL);
    }
}

const ts_network_kernels TS_KERNEL(ts_network) = {query};
