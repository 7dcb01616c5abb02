/* SPDX-License-Identifier: MIT */
/* Sparse Cholesky of blocks of any sizes: against a dense factorisation written here, on graphs kind and unkind to
 * dissection; the same bits on any number of threads; new values without a new analysis; and what is not positive
 * definite is refused. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/memory.h"
#include "base/random.h"
#include "solve/sparse.h"

enum { LATTICE, STAR, CHAIN, LOOSE, COMPLETE, KINDS };
enum { SIDE = 12, MOST = SIDE * SIDE };

typedef struct sample {
    ts_blocks m;
    size_t numbers, first[MOST + 1];
    int32_t pair[MOST * MOST][2];
    size_t pair_count;
} sample;

static int32_t size_of(int sizes, size_t i)
{
    /* 0: mixed 1 … 12; otherwise all alike */
    return sizes > 0 ? sizes : 1 + (int32_t)(ts_random_u64(7, 7, i) % 12);
}

static void add_pair(sample *s, size_t i, size_t j)
{
    s->pair[s->pair_count][0] = (int32_t)i;
    s->pair[s->pair_count++][1] = (int32_t)j;
}

static void make_pattern(int kind, int sizes, sample *s)
{
    const size_t n = kind == COMPLETE ? 12 : MOST;
    int32_t size[MOST];
    s->pair_count = s->numbers = 0;
    for (size_t i = 0; i < n; i++) {
        size[i] = size_of(sizes, i);
        s->first[i] = s->numbers;
        s->numbers += (size_t)size[i];
        if (kind == LATTICE && i % SIDE)
            add_pair(s, i, i - 1);
        if (kind == LATTICE && i >= SIDE) {
            add_pair(s, i - SIDE, i);
            add_pair(s, i, i - SIDE); /* twice, and either way round */
        }
        if (kind == STAR && i)
            add_pair(s, 0, i);
        if (kind == CHAIN && i)
            add_pair(s, i, i - 1);
        if (kind == LOOSE && i % 7)
            add_pair(s, i - 1, i);
        for (size_t j = 0; kind == COMPLETE && j < i; j++)
            add_pair(s, j, i);
    }
    s->first[n] = s->numbers;
    OK(ts_blocks_create(&s->m, n, size, s->pair_count, (const int32_t(*)[2])s->pair, ERROR));
}

/* M = Σ gᵀg of dense random pieces over each pair and each block, which is positive definite, and full in every
 * block. */
static void make_values(sample *s, uint64_t seed)
{
    double part[12 * 12];
    ts_blocks_clear(&s->m);
    for (size_t k = 0; k < s->pair_count + s->m.block_count; k++) {
        const bool alone = k >= s->pair_count;
        const int32_t block[2] = {alone ? (int32_t)(k - s->pair_count) : s->pair[k][0], alone ? -1 : s->pair[k][1]};
        double g[2][12];
        for (int row = 0; row < (alone ? 12 : 2); row++) {
            for (uint64_t i = 0; i < 24; i++)
                g[i / 12][i % 12] = ts_random_normal(seed, k, 100 * (uint64_t)row + i);
            for (int x = 0; x < 2; x++)
                for (int y = 0; y < 2; y++) {
                    if (block[x] < 0 || block[y] < 0 || (x != y && block[x] < block[y]))
                        continue;
                    const int32_t rows = s->m.size[block[x]], columns = s->m.size[block[y]];
                    for (int32_t c = 0; c < columns; c++)
                        for (int32_t r = 0; r < rows; r++)
                            part[c * rows + r] = g[x][r] * g[y][c] + (alone && row == 0 && r == c ? 0.1 : 0);
                    /* the upper triangle by itself is the same as the lower one transposed */
                    if (x != y && (k & 1)) {
                        double turned[12 * 12];
                        for (int32_t c = 0; c < columns; c++)
                            for (int32_t r = 0; r < rows; r++)
                                turned[r * columns + c] = part[c * rows + r];
                        ts_blocks_add(&s->m, block[y], block[x], turned);
                    } else {
                        ts_blocks_add(&s->m, block[x], block[y], part);
                    }
                }
        }
    }
}

/* The whole matrix, from the stored blocks. */
static double *whole(const sample *s)
{
    double *m = ts_alloc(s->numbers * s->numbers, sizeof *m);
    for (size_t j = 0; j < s->m.block_count; j++)
        for (size_t k = s->m.begin[j]; k < s->m.begin[j + 1]; k++) {
            const size_t i = (size_t)s->m.row[k], rows = (size_t)s->m.size[i];
            for (size_t c = 0; c < (size_t)s->m.size[j]; c++)
                for (size_t r = i == j ? c : 0; r < rows; r++) {
                    const double value = s->m.value[s->m.at[k] + c * rows + r];
                    m[(s->first[i] + r) * s->numbers + s->first[j] + c] = value;
                    m[(s->first[j] + c) * s->numbers + s->first[i] + r] = value;
                }
        }
    return m;
}

/* x ← M⁻¹ x by rows; M is overwritten. */
static void solve_dense(double *m, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = m[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= m[i * n + k] * m[j * n + k];
            assert_true(i != j || sum > 0);
            m[i * n + j] = i == j ? sqrt(sum) : sum / m[j * n + j];
        }
        for (size_t k = 0; k < i; k++)
            x[i] -= m[i * n + k] * x[k];
        x[i] /= m[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= m[k * n + i] * x[k];
        x[i] /= m[i * n + i];
    }
}

static double right(size_t i)
{
    return ts_random_normal(3, 3, i);
}

static double norm(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static void compare(const sample *s, const double *x)
{
    double *m = whole(s), *y = ts_alloc(2 * s->numbers, sizeof *y), *z = y + s->numbers;
    for (size_t i = 0; i < s->numbers; i++)
        y[i] = right(i);
    ts_blocks_apply(&s->m, x, z);
    double off = 0;
    for (size_t i = 0; i < s->numbers; i++) {
        double row = 0;
        for (size_t k = 0; k < s->numbers; k++)
            row += m[i * s->numbers + k] * x[k];
        off = fmax(off, fabs(row - y[i]));
        NEAR(z[i], row, 1e-10 * norm(x, s->numbers)); /* the product by blocks is that of the whole */
    }
    assert_true(off < 1e-9);
    solve_dense(m, s->numbers, y);
    for (size_t i = 0; i < s->numbers; i++)
        NEAR(x[i], y[i], 1e-8 * norm(y, s->numbers));
    ts_free(m);
    ts_free(y);
}

static void agrees_with_dense(void **state)
{
    (void)state;
    static const int sizes[] = {0, 1, 3, 6, 12};
    sample *s = ts_alloc(1, sizeof *s);
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
            if (sizes[z] == 12 && kind != CHAIN && kind != COMPLETE)
                continue; /* dense is slow */
            make_pattern(kind, sizes[z], s);
            double *first = ts_alloc(s->numbers, sizeof *first), *x = ts_alloc(s->numbers, sizeof *x);
            for (int threads = 1; threads <= 3; threads++) {
                ts_pool *pool;
                ts_sparse *sparse;
                OK(ts_pool_create(threads, &pool, ERROR));
                OK(ts_sparse_create_blocks(&s->m, pool, &sparse, ERROR));
                for (uint64_t seed = 1; seed <= 2; seed++) { /* the second set of values by the same analysis */
                    make_values(s, seed);
                    OK(ts_sparse_factor_blocks(sparse, &s->m, ERROR));
                    for (size_t i = 0; i < s->numbers; i++)
                        x[i] = right(i);
                    ts_sparse_solve(sparse, x);
                    if (threads == 1)
                        compare(s, x);
                }
                if (threads == 1)
                    memcpy(first, x, s->numbers * sizeof *x);
                assert_memory_equal(first, x, s->numbers * sizeof *x);
                ts_sparse_free(sparse);
                ts_pool_free(pool);
            }
            ts_free(first);
            ts_free(x);
            ts_blocks_free(&s->m);
        }
    ts_free(s);
}

/* Rows of one size and the same matrix as blocks have the same solution. */
static void agrees_with_rows(void **state)
{
    (void)state;
    enum { N = 40, DOF = 3 };
    int32_t a[N], b[N], size[N], pair[N][2];
    double g[N * 2 * DOF], weight[N], x[N * DOF], y[N * DOF];
    for (int i = 0; i < N; i++) {
        a[i] = i - 1;
        b[i] = i;
        size[i] = DOF;
        pair[i][0] = i;
        pair[i][1] = i > 0 ? i - 1 : i;
        weight[i] = exp(ts_random_normal(1, 2, (uint64_t)i));
    }
    for (uint64_t i = 0; i < N * 2 * DOF; i++)
        g[i] = i < DOF ? 0 : ts_random_normal(1, 1, i);
    ts_blocks m;
    OK(ts_blocks_create(&m, N, size, N, (const int32_t(*)[2])pair, ERROR));
    for (int i = 0; i < N; i++) {
        double one[DOF * DOF];
        for (int p = 0; p < 2; p++)
            for (int q = 0; q <= p; q++) {
                const int32_t row = p ? b[i] : a[i], column = q ? b[i] : a[i];
                if (row < 0 || column < 0)
                    continue;
                for (int c = 0; c < DOF; c++)
                    for (int r = 0; r < DOF; r++)
                        one[c * DOF + r] = weight[i] * g[(2 * i + p) * DOF + r] * g[(2 * i + q) * DOF + c] +
                                           (p == 1 && q == 1 && r == c ? 0.01 : 0);
                ts_blocks_add(&m, row, column, one);
            }
    }
    ts_sparse_rows rows = {N, N, DOF, a, b, g};
    ts_sparse *by_rows, *by_blocks;
    OK(ts_sparse_create(&rows, TS_SPARSE_OWN, NULL, &by_rows, ERROR));
    OK(ts_sparse_create_blocks(&m, NULL, &by_blocks, ERROR));
    OK(ts_sparse_factor(by_rows, 0.01, weight, NULL, ERROR));
    OK(ts_sparse_factor_blocks(by_blocks, &m, ERROR));
    for (size_t i = 0; i < N * DOF; i++)
        x[i] = y[i] = right(i);
    ts_sparse_solve(by_rows, x);
    ts_sparse_solve(by_blocks, y);
    for (size_t i = 0; i < N * DOF; i++)
        NEAR(x[i], y[i], 1e-9 * norm(x, N * DOF));
    ts_sparse_free(by_rows);
    ts_sparse_free(by_blocks);
    ts_blocks_free(&m);
}

static void refuses_what_is_not_positive(void **state)
{
    (void)state;
    const int32_t size[3] = {2, 1, 3}, pair[2][2] = {{0, 1}, {2, 1}};
    ts_blocks m;
    ts_sparse *sparse;
    ts_error error;
    OK(ts_blocks_create(&m, 3, size, 2, pair, ERROR));
    OK(ts_sparse_create_blocks(&m, NULL, &sparse, ERROR));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < size[i]; k++)
            ts_blocks_find(&m, i, i)[k * size[i] + k] = 1;
    OK(ts_sparse_factor_blocks(sparse, &m, ERROR));
    ts_blocks_find(&m, 1, 0)[0] = 0.6;
    ts_blocks_find(&m, 2, 1)[2] = 0.8; /* 0.6² + 0.8² = 1: singular */
    assert_int_equal(ts_sparse_factor_blocks(sparse, &m, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "not positive definite"));
    ts_blocks_find(&m, 2, 1)[2] = 0.7;
    OK(ts_sparse_factor_blocks(sparse, &m, ERROR)); /* nothing of the failure is left */
    const double bad[] = {-1, 0, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < 4; i++) {
        ts_blocks_find(&m, 2, 2)[4] = bad[i];
        assert_int_equal(ts_sparse_factor_blocks(sparse, &m, &error), TS_BAD_INPUT);
    }
    if (strstr(error.message, "block") == NULL)
        fail_msg("%s", error.message);
    ts_blocks_find(&m, 2, 2)[4] = -1;
    assert_int_equal(ts_sparse_factor_blocks(sparse, &m, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "block 2"));
    ts_sparse_free(sparse);
    ts_blocks_free(&m);
}

static void refuses_bad_patterns(void **state)
{
    (void)state;
    const int32_t size[2] = {2, 0}, good[2] = {1, 1}, pair[1][2] = {{0, 2}};
    ts_blocks m = {0};
    ts_error error;
    assert_int_equal(ts_blocks_create(&m, 2, size, 0, NULL, &error), TS_BAD_INPUT);
    assert_int_equal(ts_blocks_create(&m, 2, good, 1, pair, &error), TS_BAD_INPUT);
    /* nothing at all is a matrix, too */
    ts_sparse *sparse;
    OK(ts_blocks_create(&m, 0, NULL, 0, NULL, ERROR));
    OK(ts_sparse_create_blocks(&m, NULL, &sparse, ERROR));
    OK(ts_sparse_factor_blocks(sparse, &m, ERROR));
    ts_sparse_solve(sparse, &(double){0});
    ts_sparse_free(sparse);
    ts_blocks_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_dense),
        cmocka_unit_test(agrees_with_rows),
        cmocka_unit_test(refuses_what_is_not_positive),
        cmocka_unit_test(refuses_bad_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
