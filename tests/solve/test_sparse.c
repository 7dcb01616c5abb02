/* SPDX-License-Identifier: MIT */
/* Sparse Cholesky: M x = r recomputed from the rows, on graphs that are kind and unkind to dissection; the same bits on
 * any number of threads; and CHOLMOD's answer where this build has it. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/memory.h"
#include "base/random.h"
#include "solve/sparse.h"
#include "solve/sparse_own.h"
#include "support/isa.h"

typedef struct graph {
    ts_sparse_rows rows;
    int32_t *a, *b;
    double *g, *weight, *right;
} graph;

enum { LATTICE, STAR, CHAIN, LOOSE, COMPLETE, KINDS };

static void make_graph(int kind, int dof, graph *m)
{
    size_t blocks = kind == COMPLETE ? 30 : 900, most = 4 * blocks, n = 0;
    m->a = ts_alloc(most, sizeof *m->a);
    m->b = ts_alloc(most, sizeof *m->b);
    for (size_t i = 0; i < blocks; i++) {
        size_t to[3] = {i, i, i}, count = 1;
        if (kind == LATTICE) {
            to[0] = i % 30 ? i - 1 : i;
            to[1] = i >= 30 ? i - 30 : i;
            count = 2;
        } else if (kind == STAR) {
            to[0] = 0; /* one that touches all */
        } else if (kind == CHAIN) {
            to[0] = i ? i - 1 : 0;
        } else if (kind == LOOSE) {
            to[0] = i % 7 ? i - 1 : i; /* many small pieces, some alone */
        }
        for (size_t k = 0; k < count; k++) {
            m->a[n] = to[k] == i ? -1 : (int32_t)to[k];
            m->b[n++] = (int32_t)i;
        }
        for (size_t k = 0; kind == COMPLETE && k < i && n < most; k++) {
            if (n >= most)
                break;
            m->a[n] = (int32_t)k;
            m->b[n++] = (int32_t)i;
        }
        if (kind == COMPLETE && n + blocks > most)
            break;
    }
    size_t d = (size_t)dof;
    m->g = ts_alloc(2 * n * d, sizeof *m->g);
    m->weight = ts_alloc(n, sizeof *m->weight);
    m->right = ts_alloc(blocks * d, sizeof *m->right);
    for (size_t i = 0; i < 2 * n * d; i++)
        m->g[i] = (i / d) % 2 == 0 && m->a[i / (2 * d)] < 0 ? 0 : ts_random_normal(1, 1, i);
    for (size_t i = 0; i < n; i++)
        m->weight[i] = i % 5 ? exp(3 * ts_random_normal(2, 2, i)) : 0;
    for (size_t i = 0; i < blocks * d; i++)
        m->right[i] = ts_random_normal(3, 3, i);
    m->rows = (ts_sparse_rows){n, blocks, dof, m->a, m->b, m->g};
}

static void free_graph(graph *m)
{
    ts_free(m->a);
    ts_free(m->b);
    ts_free(m->g);
    ts_free(m->weight);
    ts_free(m->right);
}

/* Largest of |M x − right| over the size of M's rows. */
static double wrong(const graph *m, double shift, const double *x)
{
    const ts_sparse_rows *r = &m->rows;
    size_t d = (size_t)r->dof, n = r->block_count * d;
    double *left = ts_alloc(2 * n, sizeof *left), *size = left + n, most = 0;
    for (size_t k = 0; k < n; k++) {
        left[k] = shift * x[k] - m->right[k];
        size[k] = shift * fabs(x[k]) + fabs(m->right[k]);
    }
    for (size_t i = 0; i < r->count; i++) {
        double dot = 0, abs_dot = 0;
        for (size_t side = 0; side < 2; side++)
            for (size_t k = 0; k < d; k++) {
                int32_t block = side ? r->b[i] : r->a[i];
                double value = block < 0 ? 0 : r->g[(2 * i + side) * d + k] * x[(size_t)block * d + k];
                dot += value;
                abs_dot += fabs(value);
            }
        for (size_t side = 0; side < 2; side++)
            for (size_t k = 0; k < d; k++) {
                int32_t block = side ? r->b[i] : r->a[i];
                if (block < 0)
                    continue;
                left[(size_t)block * d + k] += m->weight[i] * r->g[(2 * i + side) * d + k] * dot;
                size[(size_t)block * d + k] += m->weight[i] * fabs(r->g[(2 * i + side) * d + k]) * abs_dot;
            }
    }
    for (size_t k = 0; k < n; k++)
        most = fmax(most, fabs(left[k]) / size[k]);
    ts_free(left);
    return most;
}

static double *solve(const graph *m, ts_sparse_kind kind, int threads)
{
    ts_pool *pool;
    OK(ts_pool_create(threads, &pool, ERROR));
    ts_sparse *sparse;
    OK(ts_sparse_create(&m->rows, kind, pool, &sparse, ERROR));
    size_t bytes = m->rows.block_count * (size_t)m->rows.dof * sizeof(double), mended;
    double *x = ts_alloc(bytes, 1);
    for (int again = 0; again < 2; again++) { /* a second factorisation must not see the first */
        OK(ts_sparse_factor(sparse, 0.01, m->weight, &mended, ERROR));
        assert_int_equal(mended, 0);
        memcpy(x, m->right, bytes);
        ts_sparse_solve(sparse, x);
    }
    ts_sparse_free(sparse);
    ts_pool_free(pool);
    return x;
}

static void solves(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int dof = 1; dof <= 6; dof++) {
            graph m;
            make_graph(kind, dof, &m);
            double *x = solve(&m, TS_SPARSE_OWN, 1), error = wrong(&m, 0.01, x);
            if (!(error < 1e-12))
                fail_msg("graph %d, %d numbers a block: off by %g", kind, dof, error);
            for (int threads = 2; threads <= 3; threads++) {
                double *other = solve(&m, TS_SPARSE_OWN, threads);
                assert_memory_equal(x, other, m.rows.block_count * (size_t)dof * sizeof *x);
                ts_free(other);
            }
            ts_free(x);
            free_graph(&m);
        }
}

/* A star must not become one dense front: its factor has a few numbers a block. */
static void dissection(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMPLETE; kind++) {
        graph m;
        make_graph(kind, 1, &m);
        ts_sparse *sparse;
        OK(ts_sparse_create(&m.rows, TS_SPARSE_OWN, NULL, &sparse, ERROR));
        ts_sparse_size size = ts_sparse_measure(sparse);
        /* a lattice's n log n, with leaves of some two dozen as dense blocks; anything tree-like stays at those leaves
         * */
        if (!(size.entries < (kind == LATTICE ? 45 : 20) * 900.0))
            fail_msg("graph %d has %g entries", kind, size.entries);
        ts_sparse_free(sparse);
        free_graph(&m);
    }
}

/* Redundant rows with huge weights leave pivots that are rounding alone: they are mended, and the answer is finite. */
static void mends(void **state)
{
    (void)state;
    int32_t a[2] = {-1, -1}, b[2] = {0, 0};
    double g[8] = {0, 0, 1, 1, 0, 0, 1, 1}, weight[2] = {1e20, 1e20}, x[2] = {1, -1};
    ts_sparse_rows rows = {2, 1, 2, a, b, g};
    ts_sparse *sparse;
    size_t mended;
    OK(ts_sparse_create(&rows, TS_SPARSE_OWN, NULL, &sparse, ERROR));
    OK(ts_sparse_factor(sparse, 1, weight, &mended, ERROR));
    assert_int_equal(mended, 1);
    ts_sparse_solve(sparse, x);
    assert_true(isfinite(x[0]) && isfinite(x[1]));
    ts_sparse_free(sparse);
}

static void cholmod_agrees(void **state)
{
    (void)state;
    for (int dof = 1; dof <= 3; dof++) {
        graph m;
        make_graph(LATTICE, dof, &m);
        ts_sparse *sparse;
        if (ts_sparse_create(&m.rows, TS_SPARSE_CHOLMOD, NULL, &sparse, ERROR) == TS_UNSUPPORTED) {
            free_graph(&m);
            skip();
        }
        ts_sparse_free(sparse);
        double *x = solve(&m, TS_SPARSE_OWN, 1), *y = solve(&m, TS_SPARSE_CHOLMOD, 1), size = 0;
        assert_true(wrong(&m, 0.01, y) < 1e-12);
        for (size_t k = 0; k < m.rows.block_count * (size_t)dof; k++)
            size = fmax(size, fabs(x[k]));
        for (size_t k = 0; k < m.rows.block_count * (size_t)dof; k++)
            NEAR(x[k], y[k], 1e-9 * size);
        ts_free(x);
        ts_free(y);
        free_graph(&m);
    }
}

TS_TEST_TABLES(ts_front_kernels, ts_front);

/* Every instruction set: the same bits, for panels of any shape. */
static void kernels_agree(void **state)
{
    (void)state;
    enum { MOST = 150 };
    for (int height = 1; height < MOST; height += 1 + height / 7)
        for (int own = 1; own <= height; own += 1 + own / 3) {
            int ld = (height + 3) & ~3, rest = height - own, ldu = (rest + 3) & ~3;
            size_t panel_size = (size_t)(own * ld) + 8, update_size = (size_t)(rest * ldu) + 8;
            double *first = NULL, floor[MOST] = {0};
            for (int isa = 0; isa < ts_test_isa_count(); isa++) {
                double *panel = ts_alloc(panel_size + update_size + 2 * MOST + 16, sizeof *panel),
                       *u = panel + panel_size;
                double *t = u + update_size;
                for (int j = 0; j < own; j++)
                    for (int i = j; i < height; i++)
                        panel[j * ld + i] = i == j ? height : ts_random_normal(1, (uint64_t)j, (uint64_t)i);
                for (int i = 0; i < height; i++)
                    t[i] = t[MOST + 8 + i] = i + 1;
                const ts_front_kernels *kernel = ts_front_table[isa];
                kernel->factor(panel, ld, height, 0, own, floor);
                kernel->update(u, ldu, panel + own, ld, own, rest, 0, rest);
                kernel->forward(panel, ld, own, height, t);
                kernel->backward(panel, ld, own, height, t + MOST + 8);
                for (int j = 0; j < own; j++) /* above the diagonal nothing counts */
                    memset(panel + j * ld, 0, (size_t)j * sizeof *panel);
                for (int j = 0; j < rest; j++) {
                    memset(u + j * ldu, 0, (size_t)j * sizeof *u);
                    memset(u + j * ldu + rest, 0, (size_t)(ldu - rest) * sizeof *u);
                }
                memset(t + height, 0, 8 * sizeof *t);
                if (first)
                    assert_memory_equal(first, panel, (panel_size + update_size + MOST) * sizeof *panel);
                else
                    first = panel;
                if (first != panel)
                    ts_free(panel);
            }
            ts_free(first);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves),         cmocka_unit_test(dissection),    cmocka_unit_test(mends),
        cmocka_unit_test(cholmod_agrees), cmocka_unit_test(kernels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
