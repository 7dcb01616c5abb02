/* SPDX-License-Identifier: MIT */
/* Perceptrons against a plain double-precision pass forward and back, against differences, and against functions that
 * small networks compute exactly. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cspace/network_file.h"
#include "cspace/network_kernel.h"
#include "support/check.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_network_kernels, ts_network);

#define SAMPLES 101
#define STRIDE  112
#define WIDTH   TS_NETWORK_WIDTH_MAX
#define DEPTH   TS_NETWORK_DEPTH_MAX

/* Kernels of two instruction sets differ by no more than this share of the largest output or gradient. */
#define ALIKE 1e-5

typedef struct size {
    int32_t inputs, outputs, depth, width;
} size;
static const size SIZE[] = {
    {3, 1, 5, 64}, {3, 1, 3, 32},  {4, 2, 3, 32}, {4, 1, 5, 64}, {3, 2, 8, 128}, {4, 2, 2, 1},   {3, 1, 1, 1},
    {3, 1, 1, 64}, {4, 2, 4, 33},  {3, 1, 2, 17}, {3, 2, 6, 48}, {4, 1, 7, 65},  {3, 1, 2, 96},  {4, 1, 1, 15},
    {3, 1, 8, 16}, {1, 1, 3, 127}, {2, 2, 2, 80}, {4, 2, 3, 7},  {3, 1, 4, 31},  {3, 1, 3, 112},
};
#define SIZES (sizeof SIZE / sizeof SIZE[0])

static float In[TS_NETWORK_INPUTS_MAX * STRIDE];

/* Weights that keep numbers of the order of 1 from layer to layer. */
static ts_perceptron random_network(size z, uint64_t seed)
{
    ts_perceptron p;
    OK(ts_perceptron_create(z.inputs, z.outputs, z.depth, z.width, &p, ERROR));
    ts_random r = ts_random_make(seed, 7);
    for (int l = 0; l <= z.depth; l++) {
        int32_t rows = ts_perceptron_rows(&p, l), columns = ts_perceptron_columns(&p, l);
        for (int32_t i = 0; i < rows * columns; i++)
            p.parameter[p.weight_at[l] + (size_t)i] = (float)(ts_random_next_normal(&r) * sqrt(2.0 / columns));
        for (int32_t i = 0; i < rows; i++)
            p.parameter[p.bias_at[l] + (size_t)i] = (float)ts_random_next_range(&r, -0.3, 0.3);
    }
    OK(ts_perceptron_pack(&p, ERROR));
    for (size_t i = 0; i < sizeof In / sizeof In[0]; i++)
        In[i] = (float)ts_random_next_range(&r, -2, 2);
    return p;
}

/* ---- Reference ---- */

typedef struct answer {
    double output[TS_NETWORK_OUTPUTS_MAX], gradient[TS_NETWORK_INPUTS_MAX];
    double margin; /* how far the neuron that is nearest to its kink is from it */
} answer;

static answer reference(const ts_perceptron *p, const double *input)
{
    static double h[DEPTH + 2][WIDTH];
    answer a = {.margin = DBL_MAX};
    memcpy(h[0], input, (size_t)p->inputs * sizeof *input);
    for (int l = 0; l <= p->depth; l++)
        for (int r = 0; r < ts_perceptron_rows(p, l); r++) {
            int columns = ts_perceptron_columns(p, l);
            double sum = (double)p->parameter[p->bias_at[l] + (size_t)r];
            for (int c = 0; c < columns; c++)
                sum += (double)p->parameter[p->weight_at[l] + (size_t)(r * columns + c)] * h[l][c];
            if (l < p->depth)
                a.margin = fmin(a.margin, fabs(sum));
            h[l + 1][r] = l < p->depth ? fmax(sum, 0) : sum;
        }
    memcpy(a.output, h[p->depth + 1], (size_t)p->outputs * sizeof(double));
    double g[WIDTH] = {1}, next[WIDTH];
    for (int l = p->depth; l >= 0; l--) {
        int columns = ts_perceptron_columns(p, l);
        for (int c = 0; c < columns; c++) {
            next[c] = 0;
            for (int r = 0; r < (l == p->depth ? 1 : p->width); r++)
                next[c] += (double)p->parameter[p->weight_at[l] + (size_t)(r * columns + c)] * g[r];
            if (l > 0 && h[l][c] <= 0)
                next[c] = 0;
        }
        memcpy(g, next, sizeof g);
    }
    memcpy(a.gradient, g, sizeof a.gradient);
    return a;
}

static void sample(const ts_perceptron *p, int s, double input[TS_NETWORK_INPUTS_MAX])
{
    for (int i = 0; i < p->inputs; i++)
        input[i] = (double)In[i * STRIDE + s];
}

/* ---- Perceptrons ---- */

static void test_against_double(void **state)
{
    (void)state;
    for (size_t z = 0; z < SIZES; z++) {
        ts_perceptron p = random_network(SIZE[z], z);
        static answer want[SAMPLES];
        double value = 0, slope = 0;
        for (int s = 0; s < SAMPLES; s++) {
            double input[TS_NETWORK_INPUTS_MAX];
            sample(&p, s, input);
            want[s] = reference(&p, input);
            for (int o = 0; o < p.outputs; o++)
                value = fmax(value, fabs(want[s].output[o]));
            for (int i = 0; i < p.inputs; i++)
                slope = fmax(slope, fabs(want[s].gradient[i]));
        }
        for (int isa = 0; isa < ts_test_isa_count(); isa++) {
            static float output[2 * STRIDE], gradient[4 * STRIDE], alone[2 * STRIDE];
            int compared = 0;
            ts_network_table[isa]->query(&p, SAMPLES, STRIDE, In, output, gradient);
            ts_network_table[isa]->query(&p, SAMPLES, STRIDE, In, alone, NULL);
            for (int s = 0; s < SAMPLES; s++) {
                for (int o = 0; o < p.outputs; o++) {
                    NEAR((double)output[o * STRIDE + s], want[s].output[o], 1e-5 * value);
                    assert_true(output[o * STRIDE + s] == alone[o * STRIDE + s]);
                }
                if (want[s].margin < 1e-5) /* rounding may choose the other side of a kink */
                    continue;
                compared++;
                for (int i = 0; i < p.inputs; i++)
                    NEAR((double)gradient[i * STRIDE + s], want[s].gradient[i], 1e-4 * slope);
            }
            assert_true(compared > SAMPLES * 9 / 10);
        }
        ts_perceptron_free(&p);
    }
}

/* Differences of the reference in double: where no kink is within the step, a network is linear and they are exact. */
static void test_gradient_against_differences(void **state)
{
    (void)state;
    for (size_t z = 0; z < SIZES; z++) {
        ts_perceptron p = random_network(SIZE[z], 100 + z);
        float output[2 * STRIDE], gradient[4 * STRIDE];
        ts_perceptron_query(&p, SAMPLES, STRIDE, In, output, gradient);
        const double step = 1e-7;
        double slope = 0;
        for (int i = 0; i < p.inputs; i++)
            for (int s = 0; s < SAMPLES; s++)
                slope = fmax(slope, fabs((double)gradient[i * STRIDE + s]));
        int compared = 0;
        for (int s = 0; s < SAMPLES; s++) {
            double input[TS_NETWORK_INPUTS_MAX];
            sample(&p, s, input);
            if (reference(&p, input).margin < 1e-5)
                continue;
            compared++;
            for (int i = 0; i < p.inputs; i++) {
                double x = input[i];
                input[i] = x + step;
                double above = reference(&p, input).output[0];
                input[i] = x - step;
                double below = reference(&p, input).output[0];
                input[i] = x;
                NEAR((double)gradient[i * STRIDE + s], (above - below) / (2 * step), 1e-4 * slope + 1e-7);
            }
        }
        assert_true(compared > SAMPLES * 9 / 10);
        ts_perceptron_free(&p);
    }
}

static void test_same_bits_alone_and_in_a_batch(void **state)
{
    (void)state;
    for (size_t z = 0; z < SIZES; z++)
        for (int isa = 0; isa < ts_test_isa_count(); isa++) {
            ts_perceptron p = random_network(SIZE[z], 200 + z);
            static float output[2 * STRIDE], gradient[4 * STRIDE], some[2 * STRIDE], slope[4 * STRIDE];
            ts_network_table[isa]->query(&p, SAMPLES, STRIDE, In, output, gradient);
            for (size_t count = 0; count < (z < 4 ? SAMPLES : 32); count++) { /* 32: more than one chunk */
                size_t from = SAMPLES - count; /* so that a sample also stands at many places */
                memset(some, 0xff, sizeof some), memset(slope, 0xff, sizeof slope);
                ts_network_table[isa]->query(&p, count, STRIDE, In + from, some, slope);
                for (int o = 0; o < p.outputs; o++)
                    assert_memory_equal(some + o * STRIDE, output + o * STRIDE + from, count * sizeof(float));
                for (int i = 0; i < p.inputs; i++)
                    assert_memory_equal(slope + i * STRIDE, gradient + i * STRIDE + from, count * sizeof(float));
                uint32_t beyond[2]; /* is not written */
                memcpy(&beyond[0], some + count, 4), memcpy(&beyond[1], slope + count, 4);
                assert_int_equal(beyond[0], 0xffffffff);
                assert_int_equal(beyond[1], 0xffffffff);
            }
            ts_perceptron_free(&p);
        }
}

static void test_instruction_sets_agree(void **state)
{
    (void)state;
    for (size_t z = 0; z < SIZES; z++) {
        ts_perceptron p = random_network(SIZE[z], 300 + z);
        static float output[TS_CPU_COUNT][2 * STRIDE], gradient[TS_CPU_COUNT][4 * STRIDE];
        double value = 0;
        for (int isa = 0; isa < ts_test_isa_count(); isa++)
            ts_network_table[isa]->query(&p, SAMPLES, STRIDE, In, output[isa], gradient[isa]);
        for (int i = 0; i < p.outputs * STRIDE; i++)
            value = fmax(value, fabs((double)output[0][i]));
        for (int isa = 1; isa < ts_test_isa_count(); isa++)
            for (int i = 0; i < p.outputs * STRIDE; i++)
                NEAR((double)output[isa][i], (double)output[0][i], ALIKE * value);
        if (ts_test_isa_count() > TS_CPU_AVX512) { /* both fuse, in the same order */
            assert_memory_equal(output[TS_CPU_AVX2], output[TS_CPU_AVX512], sizeof output[0]);
            assert_memory_equal(gradient[TS_CPU_AVX2], gradient[TS_CPU_AVX512], sizeof gradient[0]);
        }
        ts_perceptron_free(&p);
    }
}

/* A pair of neurons, max(0, t) and max(0, -t), makes t pass a layer as it is. Sets weight (row, column) of a layer. */
static void set(ts_perceptron *p, int layer, int row, int column, float value)
{
    p->parameter[p->weight_at[layer] + (size_t)(row * ts_perceptron_columns(p, layer) + column)] = value;
}

/* |x| + 2 |y| = the sum of four neurons; deeper layers hand it on. Small integers: exact on any hardware. */
static void test_absolute_values_are_exact(void **state)
{
    (void)state;
    for (int32_t depth = 1; depth <= DEPTH; depth++)
        for (int32_t width = 4; width <= WIDTH; width += depth == 2 ? 1 : 31) {
            ts_perceptron p;
            OK(ts_perceptron_create(3, 1, depth, width, &p, ERROR));
            for (int i = 0; i < 4; i++) /* not in the first rows, but in the last */
                set(&p, 0, width - 1 - i, i / 2, (i % 2 ? -1.0f : 1.0f) * (i < 2 ? 1.0f : 2.0f));
            for (int l = 1; l <= depth; l++)
                for (int i = 0; i < 4; i++)
                    set(&p, l, l == depth ? 0 : width - 1 - i, width - 1 - i, 1);
            OK(ts_perceptron_pack(&p, ERROR));
            static float input[3 * 49], output[49], gradient[3 * 49];
            for (int s = 0; s < 49; s++)
                input[s] = (float)(s % 7 - 3), input[49 + s] = (float)(s / 7 - 3), input[98 + s] = 5;
            for (int isa = 0; isa < ts_test_isa_count(); isa++) {
                ts_network_table[isa]->query(&p, 49, 49, input, output, gradient);
                for (int s = 0; s < 49; s++) {
                    float x = input[s], y = input[49 + s];
                    assert_true(output[s] == fabsf(x) + 2 * fabsf(y));
                    assert_true(gradient[s] == (float)((x > 0) - (x < 0)));
                    assert_true(gradient[49 + s] == 2 * (float)((y > 0) - (y < 0)));
                    assert_true(gradient[98 + s] == 0);
                }
            }
            ts_perceptron_free(&p);
        }
}

static void test_packing_again_follows_the_parameters(void **state)
{
    (void)state;
    ts_perceptron p = random_network(SIZE[2], 1);
    float before[2], after[2];
    ts_perceptron_query(&p, 1, 1, In, before, NULL);
    p.parameter[p.bias_at[p.depth]] += 8;
    OK(ts_perceptron_pack(&p, ERROR));
    ts_perceptron_query(&p, 1, 1, In, after, NULL);
    NEAR((double)after[0] - (double)before[0], 8, 1e-5);
    assert_true(after[1] == before[1]);
    ts_perceptron_free(&p);
}

static void test_not_a_number_stays_one(void **state)
{
    (void)state;
    ts_perceptron p = random_network(SIZE[0], 1);
    for (int isa = 0; isa < ts_test_isa_count(); isa++) {
        float input[3] = {0.5f, NAN, 0.25f}, output[2], gradient[3];
        ts_network_table[isa]->query(&p, 1, 1, input, output, gradient);
        assert_true(isnan(output[0]));
    }
    ts_perceptron_free(&p);
}

static void test_refused_sizes(void **state)
{
    (void)state;
    static const size wrong[] = {{0, 1, 1, 1}, {5, 1, 1, 1}, {3, 0, 1, 1},  {3, 3, 1, 1},  {3, 1, 0, 1},
                                 {3, 1, 9, 1}, {3, 1, 1, 0}, {3, 1, 1, -4}, {3, 1, 1, 129}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ts_perceptron p;
        assert_int_equal(
            ts_perceptron_create(wrong[i].inputs, wrong[i].outputs, wrong[i].depth, wrong[i].width, &p, ERROR),
            TS_BAD_INPUT);
        assert_null(p.parameter);
        ts_perceptron_free(&p); /* harmless */
    }
    ts_perceptron_free(NULL);
    ts_network_free(NULL);
}

/* ---- A map's networks ---- */

static void test_encoding_is_cosine_and_sine(void **state)
{
    (void)state;
    ts_random r = ts_random_make(3, 0);
    for (int i = 0; i < 200000; i++) {
        int32_t k = 1 + i % 12;
        double x = ts_random_next_range(&r, -3, 3), y = ts_random_next_range(&r, -3, 3), reach = i % 2 ? 6.3 : 1e4;
        double angle = i < 200 ? (i - 100) * 0.78539816339744828 / k : ts_random_next_range(&r, -reach, reach);
        float in[4];
        assert_int_equal(ts_network_encode(TS_ENCODING_CIRCLE, k, x, y, angle, in), 4);
        assert_true(in[0] == (float)x && in[1] == (float)y);
        NEAR((double)in[2], cos(k * angle), 1e-7);
        NEAR((double)in[3], sin(k * angle), 1e-7);
        assert_int_equal(ts_network_encode(TS_ENCODING_RAW, k, x, y, angle, in), 3);
        assert_true(in[2] == (float)angle);
    }
}

/* output o = bias + Σ weight[i] · input i, exactly: each input passes a layer as a pair of neurons */
static void linear(ts_perceptron *p, int32_t inputs, int32_t outputs, const float weight[][4], const float *bias)
{
    OK(ts_perceptron_create(inputs, outputs, 1, 8, p, ERROR));
    for (int i = 0; i < inputs; i++)
        for (int o = 0; o < outputs; o++) {
            set(p, 0, 2 * i, i, 1), set(p, 0, 2 * i + 1, i, -1);
            set(p, 1, o, 2 * i, weight[o][i]), set(p, 1, o, 2 * i + 1, -weight[o][i]);
        }
    for (int o = 0; o < outputs; o++)
        p->parameter[p->bias_at[1] + (size_t)o] = bias[o];
    OK(ts_perceptron_pack(p, ERROR));
}

/* Two faces that look at each other along n = (3, 4) / 5, A's at 1 from its centre and B's at 0.5: gap = (x, y) · n -
 * 1.5, r_A · n = 1, r_B · n = -0.5, and the middle between them at m · n = 1 + gap / 2. */
static void test_arm_is_midway(void **state)
{
    (void)state;
    static ts_fields f;
    for (int raw = 0; raw < 2; raw++)
        for (int off = 0; off < 2; off++) {
            ts_network net = {.encoding = raw ? TS_ENCODING_RAW : TS_ENCODING_CIRCLE, .frequency = 1};
            linear(&net.gap, 4 - raw, 1, (const float[][4]){{0.6f, 0.8f}}, (const float[]){-1.5f});
            /* off: each estimate is wrong, by 0.25 and 0.5; the arm is wrong by their mean */
            linear(&net.arm, 4 - raw, 2, (const float[][4]){{0}, {0}},
                   (const float[]){off ? -1.25f : -1, off ? 0 : -0.5f});
            for (int i = 0; i < TS_FIELD_BATCH; i++) {
                f.x[i] = ts_random_range(1, 0, (uint64_t)i, -2, 2), f.y[i] = ts_random_range(1, 1, (uint64_t)i, -2, 2);
                f.angle[i] = ts_random_range(1, 2, (uint64_t)i, -3, 3);
            }
            ts_network_query(&net, TS_FIELD_BATCH, &f);
            for (int i = 0; i < TS_FIELD_BATCH; i++) {
                double gap = 0.6 * f.x[i] + 0.8 * f.y[i] - 1.5;
                NEAR(f.gap[i], gap, 1e-6);
                NEAR(f.gx[i], 0.6, 1e-7);
                NEAR(f.gy[i], 0.8, 1e-7);
                NEAR(f.gangle[i], 0, 0);
                NEAR(f.arm[i], 1 + gap / 2 + (off ? 0.375 : 0), 1e-6);
            }
            ts_network_free(&net);
        }
}

/* gap = 2 cos kθ - 3 sin kθ + x: its slope in θ is k (-2 sin kθ - 3 cos kθ). Raw: gap = 2 θ + x. */
static void test_gradient_in_the_angle(void **state)
{
    (void)state;
    static ts_fields f;
    for (int32_t k = 0; k <= 6; k++) {
        ts_network net = {.encoding = k ? TS_ENCODING_CIRCLE : TS_ENCODING_RAW, .frequency = k ? k : 1};
        linear(&net.gap, k ? 4 : 3, 1, (const float[][4]){{1, 0, 2, -3}}, (const float[]){0});
        linear(&net.arm, k ? 4 : 3, 2, (const float[][4]){{0}, {0}}, (const float[]){0, 0});
        for (int i = 0; i < 100; i++)
            f.x[i] = 0.01 * i + 0.005, f.y[i] = 1, f.angle[i] = (i - 49.5) * 0.0628; /* never at a kink */
        ts_network_query(&net, 100, &f);
        for (int i = 0; i < 100; i++) {
            double t = k * f.angle[i];
            NEAR(f.gap[i], f.x[i] + (k ? 2 * cos(t) - 3 * sin(t) : 2 * f.angle[i]), 2e-6);
            NEAR(f.gangle[i], k ? k * (-2 * sin(t) - 3 * cos(t)) : 2, 5e-6);
        }
        ts_network_free(&net);
    }
}

static void test_no_slope_gives_finite_numbers(void **state)
{
    (void)state;
    static ts_fields f;
    ts_network net = {.encoding = TS_ENCODING_CIRCLE, .frequency = 1};
    linear(&net.gap, 4, 1, (const float[][4]){{0}}, (const float[]){-0.5f});
    linear(&net.arm, 4, 2, (const float[][4]){{0}, {0}}, (const float[]){-1, 1});
    f.x[0] = 1, f.y[0] = 2, f.angle[0] = 3;
    ts_network_query(&net, 1, &f);
    assert_true(f.gap[0] == -0.5 && f.gx[0] == 0 && f.gy[0] == 0 && f.gangle[0] == 0 && isfinite(f.arm[0]));
    ts_network_free(&net);
}

static void test_poses_alone_and_in_a_batch(void **state)
{
    (void)state;
    static ts_fields all, one;
    ts_network net = {.encoding = TS_ENCODING_CIRCLE, .frequency = 3};
    net.gap = random_network((size){4, 1, 5, 64}, 5);
    net.arm = random_network((size){4, 2, 5, 64}, 6);
    for (int i = 0; i < TS_FIELD_BATCH; i++) {
        all.x[i] = ts_random_range(2, 0, (uint64_t)i, -2, 2), all.y[i] = ts_random_range(2, 1, (uint64_t)i, -2, 2);
        all.angle[i] = ts_random_range(2, 2, (uint64_t)i, 0, 2);
    }
    ts_network_query(&net, TS_FIELD_BATCH, &all);
    for (int i = 0; i < TS_FIELD_BATCH; i++) {
        one.x[0] = all.x[i], one.y[0] = all.y[i], one.angle[0] = all.angle[i];
        ts_network_query(&net, 1, &one);
        assert_true(one.gap[0] == all.gap[i] && one.gx[0] == all.gx[i] && one.gy[0] == all.gy[i] &&
                    one.gangle[0] == all.gangle[i] && one.arm[0] == all.arm[i]);
    }
    /* 4·64 + 64 + 4 (64² + 64) + 64·1 + 1 and the same with two outputs, four bytes each; rounded, two bytes and one
     * more for each row and each layer's biases; and what says how large they are */
    const size_t parameters = 17025 + 17090, rows = 5 * 65 + 2 + 5 * 65 + 3, heads = 48;
    assert_int_equal(ts_network_bytes(&net), 4 * parameters + heads);
    OK(ts_network_round(&net, ERROR));
    assert_int_equal(ts_network_bytes(&net), 2 * parameters + rows + heads);
    ts_network_free(&net);
}

/* However far away, in whatever direction: numbers. */
static void test_far(void **state)
{
    (void)state;
    const double far[] = {1e3, 1e10, 1e39, 1e300};
    for (int raw = 0; raw < 2; raw++) {
        static ts_fields f;
        ts_network net = {.encoding = raw ? TS_ENCODING_RAW : TS_ENCODING_CIRCLE, .frequency = 1};
        net.gap = random_network((size){raw ? 3 : 4, 1, 3, 32}, 5);
        net.arm = random_network((size){raw ? 3 : 4, 2, 3, 32}, 6);
        for (int i = 0; i < 16; i++) {
            f.x[i] = (i & 1 ? -1 : 1) * far[i / 4], f.y[i] = (i & 2 ? -0.7 : 0.7) * far[i / 4];
            f.angle[i] = 0.3 * i;
        }
        ts_network_query(&net, 16, &f);
        for (int i = 0; i < 16; i++)
            assert_true(isfinite(f.gap[i]) && isfinite(f.gx[i]) && isfinite(f.gy[i]) && isfinite(f.gangle[i]) &&
                        isfinite(f.arm[i]));
        ts_network_free(&net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_double),
        cmocka_unit_test(test_gradient_against_differences),
        cmocka_unit_test(test_same_bits_alone_and_in_a_batch),
        cmocka_unit_test(test_instruction_sets_agree),
        cmocka_unit_test(test_absolute_values_are_exact),
        cmocka_unit_test(test_packing_again_follows_the_parameters),
        cmocka_unit_test(test_not_a_number_stays_one),
        cmocka_unit_test(test_refused_sizes),
        cmocka_unit_test(test_encoding_is_cosine_and_sine),
        cmocka_unit_test(test_arm_is_midway),
        cmocka_unit_test(test_gradient_in_the_angle),
        cmocka_unit_test(test_no_slope_gives_finite_numbers),
        cmocka_unit_test(test_poses_alone_and_in_a_batch),
        cmocka_unit_test(test_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
