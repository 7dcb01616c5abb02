/* SPDX-License-Identifier: MIT */
/* Training: the gradient against differences in double precision, the same bits on any number of threads, kernels
 * against each other, and learning what is known in closed form. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"
#include "cspace/train.h"
#include "cspace/train_kernel.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_train_kernels, ts_train);

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- The network written plainly, in double precision ---- */

/* Half the sum of squared errors of the rows. */
static double plain_loss(const ts_perceptron *p, const double *parameter, const float *row, size_t count)
{
    double loss = 0;
    for (size_t s = 0; s < count; s++) {
        double h[TS_NETWORK_WIDTH_MAX], next[TS_NETWORK_WIDTH_MAX];
        for (int i = 0; i < p->inputs; i++)
            h[i] = (double)row[s * TS_TRAIN_ROW + (size_t)i];
        for (int l = 0; l <= p->depth; l++) {
            int rows = ts_perceptron_rows(p, l), columns = ts_perceptron_columns(p, l);
            for (int r = 0; r < rows; r++) {
                next[r] = parameter[p->bias_at[l] + (size_t)r];
                for (int c = 0; c < columns; c++)
                    next[r] += parameter[p->weight_at[l] + (size_t)(r * columns + c)] * h[c];
                if (l < p->depth && next[r] < 0)
                    next[r] = 0;
            }
            memcpy(h, next, sizeof h);
        }
        for (int o = 0; o < p->outputs; o++)
            loss += 0.5 * pow(h[o] - (double)row[s * TS_TRAIN_ROW + TS_TRAIN_TARGET + (size_t)o], 2);
    }
    return loss;
}

static float *random_rows(size_t count, int inputs, int outputs, uint64_t seed)
{
    float *row = calloc(count * TS_TRAIN_ROW, sizeof *row);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < TS_TRAIN_ROW; k++)
            if ((int)k < inputs || (k >= TS_TRAIN_TARGET && (int)k < TS_TRAIN_TARGET + outputs))
                row[i * TS_TRAIN_ROW + k] = (float)ts_random_range(seed, 77, i * TS_TRAIN_ROW + k, -1, 1);
    return row;
}

/* Gradient by one kernel, in the network's own order. */
static double kernel_gradient(const ts_train_kernels *kernel, const ts_perceptron *p, const float *row, size_t count,
                              float *gradient)
{
    ts_train_shape shape = ts_train_shape_of(p);
    float *packed = ts_alloc(shape.count, sizeof *packed), *turned = ts_alloc(shape.count, sizeof *turned);
    float *out = ts_alloc(shape.count, sizeof *out), *scratch = ts_alloc(shape.scratch_count, sizeof *scratch);
    ts_train_pack(p, &shape, packed);
    kernel->turn(&shape, packed, turned);
    double squares = kernel->learn(&shape, packed, turned, count, row, scratch, out);
    ts_perceptron copy = *p;
    copy.parameter = gradient;
    ts_train_unpack(out, &shape, &copy);
    /* what fills up must not learn */
    memset(packed, 0, shape.count * sizeof *packed);
    ts_train_pack(&copy, &shape, packed);
    assert_memory_equal(packed, out, shape.count * sizeof *out);
    ts_free(packed);
    ts_free(turned);
    ts_free(out);
    ts_free(scratch);
    return squares;
}

static const struct {
    int inputs, outputs, depth, width;
    size_t count;
} sizes[] = {{3, 1, 1, 1, 1}, {4, 2, 2, 7, 5}, {3, 1, 3, 17, 97}, {4, 1, 3, 32, 31}, {4, 2, 4, 20, 13}};

/* Odd sizes, all kernels, against central differences of the plain network. */
static void test_gradient(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(sizes); n++) {
        ts_perceptron p;
        OK(ts_perceptron_create(sizes[n].inputs, sizes[n].outputs, sizes[n].depth, sizes[n].width, &p, ERROR));
        ts_perceptron_start(&p, n);
        size_t count = sizes[n].count;
        float *row = random_rows(count, p.inputs, p.outputs, n);
        double *parameter = calloc(p.count, sizeof *parameter), *expected = calloc(p.count, sizeof *expected);
        for (size_t i = 0; i < p.count; i++)
            parameter[i] = (double)p.parameter[i];
        double scale = 0;
        for (size_t i = 0; i < p.count; i++) {
            const double h = 1e-6; /* small enough that hardly a neuron switches in between */
            double was = parameter[i];
            parameter[i] = was + h;
            double up = plain_loss(&p, parameter, row, count);
            parameter[i] = was - h;
            double down = plain_loss(&p, parameter, row, count);
            parameter[i] = was;
            expected[i] = (up - down) / (2 * h);
            scale = fmax(scale, fabs(expected[i]));
        }
        assert_true(scale > 0.01);
        double loss = plain_loss(&p, parameter, row, count);
        for (int isa = 0; isa < ts_test_isa_count(); isa++) {
            float *gradient = calloc(p.count, sizeof *gradient);
            NEAR(0.5 * kernel_gradient(ts_train_table[isa], &p, row, count, gradient), loss, 1e-5 * loss);
            for (size_t i = 0; i < p.count; i++)
                NEAR((double)gradient[i], expected[i], 2e-5 * scale);
            free(gradient);
        }
        free(row);
        free(parameter);
        free(expected);
        ts_perceptron_free(&p);
    }
}

/* Each kernel's step of Adam and answers agree with the baseline's to single precision. */
static void test_kernels_agree(void **state)
{
    (void)state;
    ts_perceptron p;
    OK(ts_perceptron_create(4, 2, 5, 64, &p, ERROR));
    ts_perceptron_start(&p, 5);
    ts_train_shape shape = ts_train_shape_of(&p);
    enum { rows = 250 };
    float *row = random_rows(rows, 4, 2, 9), answer[2][rows * TS_TRAIN_ANSWER];
    float *packed = ts_alloc(shape.count, sizeof *packed), *turned = ts_alloc(shape.count, sizeof *turned);
    float *scratch = ts_alloc(shape.scratch_count, sizeof *scratch),
          *moment = ts_alloc(2 * shape.count, sizeof *moment);
    float *gradient = ts_alloc(3 * shape.count, sizeof *gradient), *moved = ts_alloc(2 * shape.count, sizeof *moved);
    for (size_t i = 0; i < 3 * shape.count; i++)
        gradient[i] = (float)ts_random_normal(3, 1, i);
    for (int isa = 0; isa < ts_test_isa_count(); isa++) {
        const ts_train_kernels *kernel = ts_train_table[isa];
        ts_train_pack(&p, &shape, packed);
        kernel->turn(&shape, packed, turned);
        kernel->ask(&shape, packed, turned, rows, row, scratch, answer[isa > 0]);
        memset(moment, 0, 2 * shape.count * sizeof *moment);
        ts_train_adam a = {0,     shape.count, gradient, 3,      shape.count,         0.5f,
                           0.01f, 1e-8f,       packed,   moment, moment + shape.count};
        kernel->adam(&a);
        memcpy(moved + (isa > 0 ? shape.count : 0), packed, shape.count * sizeof *packed);
        for (size_t i = 0; isa > 0 && i < rows * TS_TRAIN_ANSWER; i++)
            NEAR((double)answer[1][i], (double)answer[0][i], 1e-5);
        for (size_t i = 0; isa > 0 && i < shape.count; i++)
            NEAR((double)moved[shape.count + i], (double)moved[i], 1e-6);
    }
    /* the answers are those of the kernels that maps ask */
    OK(ts_perceptron_pack(&p, ERROR));
    for (size_t i = 0; i < rows; i++) {
        float out[2];
        ts_perceptron_query(&p, 1, 1, row + i * TS_TRAIN_ROW, out, NULL);
        NEAR((double)answer[0][2 * i], (double)out[0], 1e-5);
        NEAR((double)answer[0][2 * i + 1], (double)out[1], 1e-5);
    }
    free(row);
    ts_free(packed);
    ts_free(turned);
    ts_free(scratch);
    ts_free(moment);
    ts_free(gradient);
    ts_free(moved);
    ts_perceptron_free(&p);
}

/* The first step of Adam is the rate, against the sign of the gradient, whatever its size. */
static void test_first_step(void **state)
{
    (void)state;
    float gradient[16], parameter[16] = {0}, mean[16] = {0}, square[16] = {0};
    for (int i = 0; i < 16; i++)
        gradient[i] = (float)((i % 2 ? -1 : 1) * pow(10, i - 8));
    double root = sqrt(1 - 0.999);
    ts_train_adam a = {0, 16, gradient, 1, 16, 1, (float)(0.01 * root / (1 - 0.9)), 1e-20f, parameter, mean, square};
    ts_train_choose()->adam(&a);
    for (int i = 0; i < 16; i++)
        NEAR((double)parameter[i], i % 2 ? 0.01 : -0.01, 1e-6);
}

/* ---- Discs: the gap is |x| - reach ---- */

typedef struct discs {
    ts_pair *pair;
    ts_exact *exact;
} discs;

static discs make_discs(void)
{
    discs d;
    ts_outline *a, *b;
    OK(ts_outline_disc(1, &a, ERROR));
    OK(ts_outline_disc(0.7, &b, ERROR));
    OK(ts_pair_create(a, b, &d.pair, ERROR));
    OK(ts_exact_create(d.pair, &d.exact, ERROR));
    ts_outline_free(a);
    ts_outline_free(b);
    return d;
}

static void free_discs(discs *d)
{
    ts_exact_free(d->exact);
    ts_pair_free(d->pair);
}

/* Rows of two discs without folding, made from the closed form. */
static ts_train_rows disc_rows(size_t count, size_t held)
{
    ts_train_rows rows = {count, held, calloc((count + held) * TS_TRAIN_ROW, sizeof(float))};
    for (size_t i = 0; i < count + held; i++) {
        double r = ts_random_range(1, 2, 2 * i, 1.3, 2.0), u = ts_random_range(1, 2, 2 * i + 1, -TS_PI, TS_PI);
        float *row = rows.row + i * TS_TRAIN_ROW;
        row[0] = (float)(r * cos(u));
        row[1] = (float)(r * sin(u));
        row[TS_TRAIN_TARGET] = (float)(r - 1.7);
        row[TS_TRAIN_JUDGE] = i >= count;
    }
    return rows;
}

static bool count_reports(void *user, double done, const char *what)
{
    int *reports = user;
    assert_true(done >= 0 && done <= 1);
    assert_non_null(what);
    return ++*reports != 3;
}

/* Bits of the parameters after a little training. */
static void fit(uint64_t seed, int threads, size_t batch, ts_perceptron *p)
{
    ts_train_rows rows = disc_rows(3000, 500);
    ts_pool *pool;
    OK(ts_pool_create(threads, &pool, ERROR));
    OK(ts_perceptron_create(3, 1, 3, 19, p, ERROR));
    ts_perceptron_start(p, seed);
    ts_train_plan plan = {.visits = 20000, .seed = seed, .batch = batch};
    OK(ts_perceptron_fit(p, &rows, &plan, &(ts_training){.pool = pool}, NULL, ERROR));
    ts_pool_free(pool);
    free(rows.row);
}

static void test_same_bits(void **state)
{
    (void)state;
    const size_t batch[] = {0, 1000, 50};
    for (size_t k = 0; k < COUNT(batch); k++) {
        ts_perceptron first, other;
        fit(4, 1, batch[k], &first);
        for (int threads = 1; threads <= 3; threads++) {
            fit(4, threads, batch[k], &other);
            assert_memory_equal(first.parameter, other.parameter, first.count * sizeof *first.parameter);
            ts_perceptron_free(&other);
        }
        fit(5, 1, batch[k], &other);
        assert_memory_not_equal(first.parameter, other.parameter, first.count * sizeof *first.parameter);
        ts_perceptron_free(&first);
        ts_perceptron_free(&other);
    }
}

/* A cone in the plane: learned to half a percent; and no better than asked when there is a target. */
static void test_learns_and_stops(void **state)
{
    (void)state;
    ts_train_rows rows = disc_rows(20000, 2000);
    ts_train_report full, early;
    ts_train_plan plan = {.visits = 1500000, .seed = 1, .batch = 512};
    ts_perceptron p;
    OK(ts_perceptron_create(3, 1, 2, 32, &p, ERROR));
    ts_perceptron_start(&p, 1);
    OK(ts_perceptron_fit(&p, &rows, &plan, NULL, &full, ERROR));
    assert_true(full.visits >= plan.visits && full.visits < plan.visits + 512);
    assert_true(full.error < 0.005 && full.loss < 1e-4);
    /* the error told is that of the network as maps ask it */
    OK(ts_perceptron_pack(&p, ERROR));
    double error = 0;
    for (size_t i = 0; i < rows.held; i++) {
        const float *row = rows.row + (rows.count + i) * TS_TRAIN_ROW;
        float out;
        ts_perceptron_query(&p, 1, 1, row, &out, NULL);
        error += fabs((double)out - (hypot((double)row[0], (double)row[1]) - 1.7)) / (double)rows.held;
    }
    NEAR(error, full.error, 1e-6);

    plan.error = 0.02;
    ts_perceptron_start(&p, 1);
    OK(ts_perceptron_fit(&p, &rows, &plan, NULL, &early, ERROR));
    assert_true(early.error <= 0.02 && early.visits < full.visits / 2);

    /* the caller may stop it: the network stays as it was */
    int reports = 0;
    ts_perceptron_start(&p, 1);
    float before = p.parameter[7];
    assert_int_equal(ts_perceptron_fit(&p, &rows, &plan, &(ts_training){NULL, count_reports, &reports}, NULL, ERROR),
                     TS_INTERRUPTED);
    assert_int_equal(reports, 3);
    assert_true(p.parameter[7] == before);
    /* and must say how long */
    assert_int_equal(ts_perceptron_fit(&p, &rows, &(ts_train_plan){0}, NULL, NULL, ERROR), TS_BAD_INPUT);
    ts_perceptron_free(&p);
    free(rows.row);
}

/* All of it, on two discs: gap |x| - reach; arms to the points on A and on B along the line of centres, -1 and -radius
 * of B. */
static void test_discs(void **state)
{
    (void)state;
    discs d = make_discs();
    for (int folded = 0; folded < 2; folded++) {
        ts_fold fold = ts_fold_make(d.pair, folded);
        ts_map_options options = {.depth = 2, .width = 24, .samples = folded ? 200000 : 3000000, .seed = 3};
        options.encoding = folded ? TS_ENCODING_RAW : TS_ENCODING_CIRCLE;
        ts_network n;
        OK(ts_network_train(d.exact, d.pair, &fold, &options, NULL, &n, ERROR));
        double gap_error = 0, arm_error = 0;
        enum { count = 200 };
        for (size_t i = 0; i < count; i++) {
            double r = ts_random_range(8, 1, 3 * i, 1.6, 1.7), u = ts_random_range(8, 1, 3 * i + 1, -TS_PI, TS_PI);
            double angle = ts_random_range(8, 1, 3 * i + 2, -TS_PI, TS_PI);
            ts_fields f = {
                .x = {folded ? r : r * cos(u)}, .y = {folded ? 0 : r * sin(u)}, .angle = {folded ? 0 : angle}};
            float input[4], gap, arm[2];
            ts_network_encode(n.encoding, n.frequency, f.x[0], f.y[0], f.angle[0], input);
            ts_perceptron_query(&n.gap, 1, 1, input, &gap, NULL);
            ts_perceptron_query(&n.arm, 1, 1, input, arm, NULL);
            gap_error += fabs((double)gap - (r - 1.7)) / count;
            /* points of the two discs on the line of centres */
            arm_error += 0.5 * (fabs((double)arm[0] + 1) + fabs((double)arm[1] + 0.7)) / count;
        }
        assert_true(gap_error < (folded ? 0.005 : 0.01));
        assert_true(arm_error < (folded ? 0.01 : 0.05));
        ts_network_free(&n);
    }
    free_discs(&d);
}

/* Stopped at the k-th report, wherever that is: a status, and nothing to free. */
static bool stop_at(void *user, double done, const char *what)
{
    (void)done;
    (void)what;
    int *left = user;
    return (*left)-- > 0;
}

static void test_stopped(void **state)
{
    (void)state;
    discs d = make_discs();
    ts_fold fold = ts_fold_make(d.pair, true);
    ts_map_options options = {.depth = 1, .width = 8, .samples = 3000};
    const int at[] = {0, 1, 2};
    for (size_t i = 0; i < COUNT(at); i++) {
        int left = at[i];
        ts_network n = {.frequency = 12345};
        assert_int_equal(
            ts_network_train(d.exact, d.pair, &fold, &options, &(ts_training){NULL, stop_at, &left}, &n, ERROR),
            TS_INTERRUPTED);
        assert_int_equal(n.frequency, 12345);
    }
    /* refused sizes */
    ts_network n;
    options.width = 1000;
    assert_int_equal(ts_network_train(d.exact, d.pair, &fold, &options, NULL, &n, ERROR), TS_BAD_INPUT);
    free_discs(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient),  cmocka_unit_test(test_kernels_agree),    cmocka_unit_test(test_first_step),
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_learns_and_stops), cmocka_unit_test(test_discs),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
