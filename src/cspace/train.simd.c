/* SPDX-License-Identifier: MIT */
/* Forward, backward and Adam for small ReLU networks. See train_kernel.h.
 *
 * Compiled with -ffp-contract=fast: a product and the sum it goes into become one fused operation where the processor
 * has it. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/kernel.h"
#include "base/simd.h"
#include "cspace/train_kernel.h"

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX__)
#define LANES 8
#else
#define LANES 4
#endif
#define ROWS \
    6 /* of a tile: with 2 vectors each 12 sums, 2 vectors of lanes and a broadcast fill the 16 registers of AVX2 */
#define VECTORS 2
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
#define CHUNK ((size_t)TS_TRAIN_CHUNK)

typedef float vec __attribute__((vector_size(LANES * 4)));
typedef int32_t mask __attribute__((vector_size(LANES * 4)));
typedef float vec_anywhere __attribute__((vector_size(LANES * 4), aligned(4), may_alias));

TS_SIMD vec load(const float *from)
{
    return *(const vec_anywhere *)from;
}
TS_SIMD void store(float *to, vec v)
{
    *(vec_anywhere *)to = v;
}
/* v where h > 0, else 0 */
TS_SIMD vec where_on(vec h, vec v)
{
    return (vec)((mask)v & (mask)(h > 0.0f));
}
/* The lanes' sum: halves onto each other, again and again. */
TS_SIMD float sum(vec v)
{
    float lane[LANES];
    memcpy(lane, &v, sizeof lane);
    for (int n = LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            lane[i] += lane[i + n];
    return lane[0];
}

/* ---- The one product: c[m][n…] = Σ_k a[m][k] · b[k][n…] ---- */

typedef enum ending {
    FORWARD,  /* begins with a bias, ends in ReLU */
    BACKWARD, /* is kept where the neuron was on */
    WEIGHTS   /* is added to what was there */
} ending;

typedef struct product {
    size_t rows, columns, terms;
    const float *a;
    size_t a_row, a_term; /* steps from row to row and from term to term */
    const float *b;
    size_t b_term;
    float *c;
    size_t c_row;
    const float *with; /* FORWARD: the bias; BACKWARD: activations, laid out as c */
} product;

TS_SIMD void tile(const int rows, const int vectors, const ending end, const product *p, size_t m, size_t n)
{
    const float *a = p->a + m * p->a_row, *b = p->b + n;
    float *c = p->c + m * p->c_row + n;
    const size_t a_row = p->a_row, a_term = p->a_term, b_term = p->b_term;
    vec s[ROWS][VECTORS];
    UNROLL
    for (int i = 0; i < rows; i++) {
        UNROLL
        for (int j = 0; j < vectors; j++)
            s[i][j] = end == FORWARD   ? load(p->with + n + j * LANES)
                      : end == WEIGHTS ? load(c + (size_t)i * p->c_row + j * LANES)
                                       : (vec){0};
    }
    for (size_t k = p->terms; k > 0; k--, a += a_term, b += b_term) {
        vec lanes[VECTORS];
        UNROLL
        for (int j = 0; j < vectors; j++)
            lanes[j] = load(b + j * LANES);
        UNROLL
        for (int i = 0; i < rows; i++) {
            float x = a[(size_t)i * a_row];
            UNROLL
            for (int j = 0; j < vectors; j++)
                s[i][j] += x * lanes[j];
        }
    }
    const float *h = end == BACKWARD ? p->with + m * p->c_row + n : NULL;
    UNROLL
    for (int i = 0; i < rows; i++) {
        UNROLL
        for (int j = 0; j < vectors; j++) {
            vec v = s[i][j];
            if (end == FORWARD)
                v = where_on(v, v);
            if (end == BACKWARD)
                v = where_on(load(h + (size_t)i * p->c_row + j * LANES), v);
            store(c + (size_t)i * p->c_row + j * LANES, v);
        }
    }
}

TS_SIMD void tile_of(size_t rows, const int vectors, const ending end, const product *p, size_t m, size_t n)
{
    switch (rows) {
    case 1:
        tile(1, vectors, end, p, m, n);
        break;
    case 2:
        tile(2, vectors, end, p, m, n);
        break;
    case 3:
        tile(3, vectors, end, p, m, n);
        break;
    case 4:
        tile(4, vectors, end, p, m, n);
        break;
    case 5:
        tile(5, vectors, end, p, m, n);
        break;
    default:
        tile(6, vectors, end, p, m, n);
        break;
    }
}

/* How many rows next: sixes, and the last two tiles about equal, since a tile of few rows waits for its own sums. */
TS_SIMD size_t next_rows(size_t left)
{
    return left >= 2 * ROWS || left == ROWS ? ROWS : left > ROWS ? (left + 1) / 2 : left;
}

TS_SIMD void multiply(const ending end, const product *p)
{
    size_t n = 0;
    for (; n + VECTORS * LANES <= p->columns; n += VECTORS * LANES)
        for (size_t m = 0, rows; m < p->rows; m += rows) {
            rows = next_rows(p->rows - m);
            tile_of(rows, VECTORS, end, p, m, n);
        }
    for (; n < p->columns; n += LANES)
        for (size_t m = 0, rows; m < p->rows; m += rows) {
            rows = next_rows(p->rows - m);
            tile_of(rows, 1, end, p, m, n);
        }
}

static __attribute__((noinline)) void multiply_forward(product p)
{
    multiply(FORWARD, &p);
}
static __attribute__((noinline)) void multiply_backward(product p)
{
    multiply(BACKWARD, &p);
}
static __attribute__((noinline)) void multiply_weights(product p)
{
    multiply(WEIGHTS, &p);
}

/* ---- One chunk through the network ---- */

/* What a chunk works with. Scratch: activations of each hidden layer, then two rows of δ. */
typedef struct chunk {
    const ts_train_shape *shape;
    const float *parameter, *turned, *row;
    size_t count; /* samples, at most CHUNK */
    float *scratch;
} chunk;

TS_SIMD float *activations(const chunk *c, int layer)
{
    return c->scratch + (size_t)layer * CHUNK * c->shape->wide;
}

static void hidden_forward(const chunk *c)
{
    const ts_train_shape *s = c->shape;
    size_t wide = s->wide;
    for (int l = 0; l < s->depth; l++) {
        product p = {c->count,
                     wide,
                     wide,
                     NULL,
                     wide,
                     1,
                     c->turned + s->weight_at[l],
                     wide,
                     activations(c, l),
                     wide,
                     c->parameter + s->bias_at[l]};
        if (l == 0) {
            p.terms = TS_NETWORK_INPUTS_MAX;
            p.a = c->row;
            p.a_row = TS_TRAIN_ROW;
            p.b = c->parameter + s->weight_at[0];
        } else {
            p.a = activations(c, l - 1);
        }
        multiply_forward(p);
    }
}

/* out[o · CHUNK + s] */
static void last_forward(const chunk *c, float *out)
{
    const ts_train_shape *s = c->shape;
    size_t wide = s->wide;
    const float *h = activations(c, s->depth - 1);
    for (int o = 0; o < s->outputs; o++) {
        const float *w = c->parameter + s->weight_at[s->depth] + (size_t)o * wide;
        float bias = c->parameter[s->bias_at[s->depth] + (size_t)o];
        for (size_t i = 0; i < c->count; i++) {
            vec v = {0};
            for (size_t n = 0; n < wide; n += LANES)
                v += load(w + n) * load(h + i * wide + n);
            out[(size_t)o * CHUNK + i] = bias + sum(v);
        }
    }
}

/* From error[o · CHUNK + s], δ of the last hidden layer. */
static void last_backward(const chunk *c, const float *error, float *delta)
{
    const ts_train_shape *s = c->shape;
    size_t wide = s->wide;
    const float *h = activations(c, s->depth - 1), *w = c->parameter + s->weight_at[s->depth];
    for (size_t i = 0; i < c->count; i++)
        for (size_t n = 0; n < wide; n += LANES) {
            vec v = error[i] * load(w + n);
            for (int o = 1; o < s->outputs; o++)
                v += error[(size_t)o * CHUNK + i] * load(w + (size_t)o * wide + n);
            store(delta + i * wide + n, where_on(load(h + i * wide + n), v));
        }
}

/* gradient[n…] += Σ_s row s of δ */
static void add_rows(const float *delta, size_t count, size_t wide, float *gradient)
{
    size_t n = 0;
    for (; n + 2 * LANES <= wide; n += 2 * LANES) {
        vec a = load(gradient + n), b = load(gradient + n + LANES), a1 = {0}, b1 = {0};
        const float *d = delta + n;
        size_t i = 0;
        for (; i + 2 <= count; i += 2, d += 2 * wide) {
            a += load(d);
            b += load(d + LANES);
            a1 += load(d + wide);
            b1 += load(d + wide + LANES);
        }
        if (i < count) {
            a += load(d);
            b += load(d + LANES);
        }
        store(gradient + n, a + a1);
        store(gradient + n + LANES, b + b1);
    }
    for (; n < wide; n += LANES) {
        vec a = load(gradient + n);
        for (size_t i = 0; i < count; i++)
            a += load(delta + i * wide + n);
        store(gradient + n, a);
    }
}

static double learn_chunk(const chunk *c, float *gradient)
{
    const ts_train_shape *s = c->shape;
    size_t wide = s->wide;
    float error[TS_NETWORK_OUTPUTS_MAX * TS_TRAIN_CHUNK], squares = 0;
    hidden_forward(c);
    last_forward(c, error);
    for (int o = 0; o < s->outputs; o++) {
        float *e = error + (size_t)o * CHUNK, all = 0;
        for (size_t i = 0; i < c->count; i++) {
            e[i] -= c->row[i * TS_TRAIN_ROW + TS_TRAIN_TARGET + (size_t)o];
            all += e[i];
            squares += e[i] * e[i];
        }
        gradient[s->bias_at[s->depth] + (size_t)o] += all;
    }
    float *delta = activations(c, s->depth), *next = activations(c, s->depth + 1);
    multiply_weights((product){(size_t)s->outputs, wide, c->count, error, CHUNK, 1, activations(c, s->depth - 1), wide,
                               gradient + s->weight_at[s->depth], wide, NULL});
    last_backward(c, error, delta);
    for (int l = s->depth - 1; l > 0; l--) {
        add_rows(delta, c->count, wide, gradient + s->bias_at[l]);
        multiply_weights((product){(size_t)s->width, wide, c->count, delta, 1, wide, activations(c, l - 1), wide,
                                   gradient + s->weight_at[l], wide, NULL});
        multiply_backward((product){c->count, wide, (size_t)s->width, delta, wide, 1, c->parameter + s->weight_at[l],
                                    wide, next, wide, activations(c, l - 1)});
        float *swap = delta;
        delta = next;
        next = swap;
    }
    add_rows(delta, c->count, wide, gradient + s->bias_at[0]);
    multiply_weights((product){TS_NETWORK_INPUTS_MAX, wide, c->count, c->row, 1, TS_TRAIN_ROW, delta, wide,
                               gradient + s->weight_at[0], wide, NULL});
    return (double)squares;
}

static double learn(const ts_train_shape *shape, const float *parameter, const float *turned, size_t count,
                    const float *row, float *scratch, float *gradient)
{
    double squares = 0;
    for (size_t i = 0; i < count; i += CHUNK) {
        size_t n = count - i < CHUNK ? count - i : CHUNK;
        chunk c = {shape, parameter, turned, row + i * TS_TRAIN_ROW, n, scratch};
        squares += learn_chunk(&c, gradient);
    }
    return squares;
}

/* ---- Asking ---- */

static void ask(const ts_train_shape *shape, const float *parameter, const float *turned, size_t count,
                const float *row, float *scratch, float *answer)
{
    for (size_t i = 0; i < count; i += CHUNK) {
        size_t n = count - i < CHUNK ? count - i : CHUNK;
        chunk c = {shape, parameter, turned, row + i * TS_TRAIN_ROW, n, scratch};
        float out[TS_NETWORK_OUTPUTS_MAX * TS_TRAIN_CHUNK] = {0};
        hidden_forward(&c);
        last_forward(&c, out);
        for (size_t k = 0; k < n; k++) {
            answer[TS_TRAIN_ANSWER * (i + k)] = out[k];
            answer[TS_TRAIN_ANSWER * (i + k) + 1] = out[CHUNK + k];
        }
    }
}

/* ---- Parameters ---- */

static void turn(const ts_train_shape *shape, const float *parameter, float *turned)
{
    size_t wide = shape->wide;
    for (int l = 1; l < shape->depth; l++) {
        const float *from = parameter + shape->weight_at[l];
        float *to = turned + shape->weight_at[l];
        for (size_t i = 0; i < wide; i += 8)
            for (size_t j = 0; j < wide; j++)
                for (size_t k = 0; k < 8; k++)
                    to[j * wide + i + k] = from[(i + k) * wide + j];
    }
}

/* Kingma and Ba 2015, with the corrections of the first steps folded into rate and tiny. */
static void adam(const ts_train_adam *a)
{
    const float keep_mean = 0.9f, keep_square = 0.999f;
    const float *gradient = a->gradient;
    float *restrict parameter = a->parameter, *restrict mean = a->mean, *restrict square = a->square;
    for (size_t i = a->begin; i < a->end; i += TS_TRAIN_ALIGN) {
        float g[TS_TRAIN_ALIGN] = {0};
        for (size_t p = 0; p < a->part_count; p++)
            for (size_t k = 0; k < TS_TRAIN_ALIGN; k++)
                g[k] += gradient[p * a->stride + i + k];
        for (size_t k = 0; k < TS_TRAIN_ALIGN; k++) {
            float now = g[k] * a->scale;
            float m = keep_mean * mean[i + k] + (1 - keep_mean) * now;
            float v = keep_square * square[i + k] + (1 - keep_square) * (now * now);
            mean[i + k] = m;
            square[i + k] = v;
            parameter[i + k] -= a->rate * m / (sqrtf(v) + a->tiny);
        }
    }
}

extern const ts_train_kernels TS_KERNEL(ts_train);
const ts_train_kernels TS_KERNEL(ts_train) = {learn, ask, turn, adam};
