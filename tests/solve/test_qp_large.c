/* SPDX-License-Identifier: MIT */
/* Piles of discs: residuals recomputed, the same bits on any number of threads, warm as cold, and units that do not
 * matter. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "../../bench/qp_problem.h"
#include "base/memory.h"
#include "base/random.h"
#include "solve/qp.h"

static ts_qp_work *work;

/* max |min(y, Ay + b)|, written out for discs. Also how many rows are active. */
static double natural(const ts_qp *qp, const double *y, size_t *active)
{
    double *w = ts_alloc(2 * qp->block_count, sizeof *w), most = 0;
    for (size_t i = 0; i < qp->count; i++)
        for (size_t k = 0; k < 2; k++) {
            if (qp->a[i] >= 0)
                w[2 * (size_t)qp->a[i] + k] += qp->ga[2 * i + k] * y[i];
            if (qp->b[i] >= 0)
                w[2 * (size_t)qp->b[i] + k] += qp->gb[2 * i + k] * y[i];
        }
    *active = 0;
    for (size_t i = 0; i < qp->count; i++) {
        double s = qp->linear[i];
        for (size_t k = 0; k < 2; k++) {
            if (qp->a[i] >= 0)
                s += qp->ga[2 * i + k] * w[2 * (size_t)qp->a[i] + k];
            if (qp->b[i] >= 0)
                s += qp->gb[2 * i + k] * w[2 * (size_t)qp->b[i] + k];
        }
        most = fmax(most, fabs(fmin(y[i], s)));
        *active += y[i] > 0;
    }
    ts_free(w);
    return most;
}

static double *solve(const ts_qp *qp, ts_qp_options options, ts_qp_report *report)
{
    double *y = ts_alloc(qp->count, sizeof *y);
    OK(ts_qp_solve(qp, &options, work, y, report, ERROR));
    return y;
}

/* Ten thousand contacts, both kinds of pile: two contacts of three hold an open one; a box holds all. */
static void ten_thousand(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        ts_qp_problem p;
        OK(ts_qp_problem_pile(&(ts_qp_pile){.rows = 10000, .open = open}, &p, ERROR));
        ts_qp_report report;
        double *y = solve(&p.qp, (ts_qp_options){.tolerance = 1e-8}, &report);
        size_t active;
        double residual = natural(&p.qp, y, &active);
        assert_true(report.reached && residual <= 1e-8);
        NEAR(report.natural, residual, 1e-12);
        if (open)
            assert_true(active > p.qp.count * 65 / 100 && active < p.qp.count * 70 / 100);
        /* A boxed pile comes to rest: its velocities, v + Gy, are nothing. */
        double *velocity = ts_alloc(2 * p.qp.block_count, sizeof *velocity), own, most = 0;
        OK(ts_qp_residual(&p.qp, y, velocity, &own, NULL, ERROR));
        NEAR(own, report.residual, 1e-15);
        for (size_t k = 0; k < 2 * p.qp.block_count; k++)
            most = fmax(most, fabs(velocity[k] + p.velocity[k]));
        assert_true(open ? most > 1e-3 : most < 1e-6);
        ts_free(velocity);
        ts_free(y);
        ts_qp_problem_free(&p);
    }
}

/* Ten piles of sizes from one contact to thousands, side by side, as one problem. */
static void make_many(ts_qp_problem *all)
{
    static const size_t rows[] = {3, 4000, 20, 900, 40, 1, 200, 3300, 60, 10};
    enum { PILES = sizeof rows / sizeof rows[0] };
    ts_qp_problem p[PILES];
    size_t count = 0, blocks = 0;
    for (size_t k = 0; k < PILES; k++) {
        OK(ts_qp_problem_pile(&(ts_qp_pile){.rows = rows[k], .open = k % 2, .noise = 0.3, .seed = k}, &p[k], ERROR));
        count += p[k].qp.count;
        blocks += p[k].qp.block_count;
    }
    *all = (ts_qp_problem){.a = ts_alloc(count, sizeof(int32_t)),
                           .b = ts_alloc(count, sizeof(int32_t)),
                           .ga = ts_alloc(2 * count, sizeof(double)),
                           .gb = ts_alloc(2 * count, sizeof(double)),
                           .linear = ts_alloc(count, sizeof(double))};
    size_t to = 0;
    /* rows of all piles in turn, so that islands lie across each other */
    for (size_t i = 0; to < count; i++)
        for (size_t k = 0, first = 0; k < PILES; first += p[k++].qp.block_count)
            if (i < p[k].qp.count) {
                all->a[to] = p[k].a[i] < 0 ? -1 : p[k].a[i] + (int32_t)first;
                all->b[to] = p[k].b[i] + (int32_t)first;
                memcpy(all->ga + 2 * to, p[k].ga + 2 * i, 2 * sizeof(double));
                memcpy(all->gb + 2 * to, p[k].gb + 2 * i, 2 * sizeof(double));
                all->linear[to++] = p[k].linear[i];
            }
    for (size_t k = 0; k < PILES; k++)
        ts_qp_problem_free(&p[k]);
    all->qp = (ts_qp){count, blocks, 2, all->a, all->b, all->ga, all->gb, all->linear, NULL, NULL};
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    ts_qp_problem p;
    make_many(&p);
    for (int method = TS_QP_AUTO; method < TS_QP_METHODS; method++) {
        if (method == TS_QP_DENSE)
            continue;
        double *first = NULL;
        for (int threads = 1; threads <= 3; threads++) {
            ts_pool *pool;
            OK(ts_pool_create(threads, &pool, ERROR));
            ts_qp_report report;
            const bool slow = method == TS_QP_PROJECTED || method == TS_QP_CONJUGATE;
            int limit = slow ? 300 : 0;
            double *y =
                solve(&p.qp,
                      (ts_qp_options){
                          .method = (ts_qp_method)method, .pool = pool, .iterations_max = limit, .least = !method},
                      &report);
            size_t active;
            if (!slow)
                assert_true(report.reached && natural(&p.qp, y, &active) <= 1e-9);
            assert_int_equal(report.islands, 10);
            if (first)
                assert_memory_equal(first, y, p.qp.count * sizeof *y);
            else
                first = ts_alloc(p.qp.count, sizeof *first), memcpy(first, y, p.qp.count * sizeof *y);
            ts_free(y);
            ts_pool_free(pool);
        }
        ts_free(first);
    }
    ts_qp_problem_free(&p);
}

/* Islands by themselves have the velocities that they have among others. */
static void methods_agree(void **state)
{
    (void)state;
    ts_qp_problem p;
    OK(ts_qp_problem_pile(&(ts_qp_pile){.rows = 300, .open = true, .noise = 0.2}, &p, ERROR));
    size_t numbers = 2 * p.qp.block_count;
    double *w = ts_alloc(numbers, sizeof *w), *other = ts_alloc(numbers, sizeof *other), residual;
    for (int method = TS_QP_AUTO; method < TS_QP_METHODS; method++) {
        ts_qp_report report;
        double *y = solve(&p.qp, (ts_qp_options){.method = (ts_qp_method)method}, &report);
        if (!report.reached)
            fail_msg("method %d: %g", method, report.residual);
        OK(ts_qp_residual(&p.qp, y, method ? other : w, &residual, NULL, ERROR));
        for (size_t k = 0; method && k < numbers; k++)
            NEAR(w[k], other[k], 1e-7);
        ts_free(y);
    }
    ts_free(w);
    ts_free(other);
    ts_qp_problem_free(&p);
}

static void warm_as_cold(void **state)
{
    (void)state;
    ts_qp_problem p;
    OK(ts_qp_problem_pile(&(ts_qp_pile){.rows = 3500, .open = true}, &p, ERROR));
    ts_qp_report report;
    double *y = solve(&p.qp, (ts_qp_options){0}, &report), *before = ts_alloc(p.qp.count, sizeof *before);
    assert_true(report.reached && report.factorisations > 3);
    memcpy(before, y, p.qp.count * sizeof *y);
    /* from the answer: nothing to do, nothing done */
    OK(ts_qp_solve(&p.qp, &(ts_qp_options){.warm = true}, work, y, &report, ERROR));
    assert_true(report.reached && report.iterations == 0 && report.factorisations == 0);
    for (size_t i = 0; i < p.qp.count; i++)
        NEAR(y[i], before[i], 1e-15 * before[i]);
    /* from a guess that is near, and from nonsense: the same answer */
    for (int nonsense = 0; nonsense < 2; nonsense++) {
        for (size_t i = 0; i < p.qp.count; i++)
            y[i] = nonsense ? 100 * ts_random_uniform(1, 1, i) : before[i] * (1 + 0.01 * ts_random_normal(1, 1, i));
        OK(ts_qp_solve(&p.qp, &(ts_qp_options){.warm = true}, work, y, &report, ERROR));
        assert_true(report.reached);
        for (size_t i = 0; i < p.qp.count; i++)
            NEAR(y[i], before[i], 1e-5);
    }
    ts_free(before);
    ts_free(y);
    ts_qp_problem_free(&p);
}

/* Another unit of mass or of time: the same answer in that unit. */
static void units_do_not_matter(void **state)
{
    (void)state;
    static const double factor[] = {1, 1e-6, 1e6};
    double *first = NULL;
    for (int mass = 0; mass < 3; mass++)
        for (int speed = 0; speed < 3; speed++) {
            ts_qp_problem p;
            OK(ts_qp_problem_pile(
                &(ts_qp_pile){.rows = 1000, .open = true, .mass = factor[mass], .gravity = 0.1 * factor[speed]}, &p,
                ERROR));
            ts_qp_report report;
            double *y = solve(&p.qp, (ts_qp_options){0}, &report);
            if (!report.reached)
                fail_msg("mass %g, speed %g: %g", factor[mass], factor[speed], report.residual);
            for (size_t i = 0; first && i < p.qp.count; i++)
                NEAR(y[i] / (factor[mass] * factor[speed]), first[i], 1e-6);
            if (!first)
                first = y;
            else
                ts_free(y);
            ts_qp_problem_free(&p);
        }
    ts_free(first);
}

/* A symmetric pile has a symmetric answer when asked for the least. */
static void least_is_symmetric(void **state)
{
    (void)state;
    /* discs on a square lattice, each held from below, from below left and below right, and by its neighbours: many
     * ways to share loads */
    enum { WIDE = 9, HIGH = 5, DISCS = WIDE * HIGH };
    int32_t a[4 * DISCS], b[4 * DISCS], mirror[4 * DISCS], place[4 * DISCS][3];
    double ga[8 * DISCS], gb[8 * DISCS], linear[4 * DISCS], y[4 * DISCS];
    size_t n = 0;
    for (int j = 0; j < HIGH; j++)
        for (int i = 0; i < WIDE; i++)
            for (int kind = 0; kind < 4; kind++) {
                /* down; diagonally down to the left and to the right; and to the right neighbour */
                static const double normal[4][2] = {{0, 1}, {0.6, 0.8}, {-0.6, 0.8}, {-1, 0}};
                static const int other[4][2] = {{0, -1}, {-1, -1}, {1, -1}, {1, 0}};
                int x = i + other[kind][0], z = j + other[kind][1];
                bool ground = z < 0 || x < 0 || x >= WIDE;
                if (kind == 3 && ground)
                    continue;
                a[n] = ground ? -1 : z * WIDE + x;
                b[n] = j * WIDE + i;
                linear[n] = 0;
                for (int k = 0; k < 2; k++) {
                    ga[2 * n + (size_t)k] = -normal[kind][k];
                    gb[2 * n + (size_t)k] = normal[kind][k];
                }
                linear[n] = -gb[2 * n + 1] + (ground ? 0 : gb[2 * n + 1]);
                place[n][0] = kind == 3 ? 2 * i + 1 : 2 * i;
                place[n][1] = j;
                place[n][2] = kind;
                n++;
            }
    for (size_t i = 0; i < n; i++) {
        mirror[i] = -1;
        for (size_t k = 0; k < n; k++) {
            static const int32_t image[4] = {0, 2, 1, 3};
            if (place[k][0] == 2 * (WIDE - 1) - place[i][0] && place[k][1] == place[i][1] &&
                place[k][2] == image[place[i][2]])
                mirror[i] = (int32_t)k;
        }
    }
    ts_qp qp = {n, DISCS, 2, a, b, ga, gb, linear, NULL, NULL};
    for (int method = TS_QP_AUTO; method < TS_QP_METHODS; method++) {
        ts_qp_report report;
        OK(ts_qp_solve(&qp, &(ts_qp_options){.method = (ts_qp_method)method, .least = true}, work, y, &report, ERROR));
        assert_true(report.reached);
        for (size_t i = 0; i < n; i++) {
            assert_true(mirror[i] >= 0);
            NEAR(y[i], y[mirror[i]], 1e-8);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand), cmocka_unit_test(threads_do_not_matter), cmocka_unit_test(methods_agree),
        cmocka_unit_test(warm_as_cold), cmocka_unit_test(units_do_not_matter),   cmocka_unit_test(least_is_symmetric),
    };
    OK(ts_qp_work_create(&work, ERROR));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ts_qp_work_free(work);
    return failed;
}
