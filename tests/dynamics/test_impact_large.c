/* SPDX-License-Identifier: MIT */
/* Impacts of thousands of contacts, whose passes are shared among threads: the same bits on any number of them, and the
 * laws. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "base/memory.h"
#include "base/random.h"
#include "dynamics/impact.h"

#define SIDE     60
#define BALLS    (SIDE * SIDE)
#define CONTACTS (2 * SIDE * (SIDE - 1) + SIDE)
#define DOF      2

/* A square lattice of balls of different masses that touch their neighbours, on a floor. */
typedef struct lattice {
    int32_t a[CONTACTS], b[CONTACTS];
    double ga[CONTACTS * DOF], gb[CONTACTS * DOF], w[BALLS * DOF], lambda[CONTACTS], root[BALLS];
    size_t contacts;
} lattice;

static void add(lattice *l, int32_t a, int32_t b, double nx, double ny)
{
    size_t k = l->contacts++;
    l->a[k] = a;
    l->b[k] = b;
    l->gb[DOF * k] = nx / l->root[b];
    l->gb[DOF * k + 1] = ny / l->root[b];
    l->ga[DOF * k] = a >= 0 ? -nx / l->root[a] : 0;
    l->ga[DOF * k + 1] = a >= 0 ? -ny / l->root[a] : 0;
}

/* gas: all fly anywhere; otherwise all fall, and the floor's answer goes up through them. */
static lattice *make(bool gas)
{
    lattice *l = ts_alloc(1, sizeof *l);
    assert_non_null(l);
    for (int32_t i = 0; i < BALLS; i++)
        l->root[i] = sqrt(1 + (gas ? 0.5 : 0.01) * ts_random_uniform(1, 2, (uint64_t)i));
    for (int32_t i = 0; i < BALLS; i++) {
        double angle = 2 * 3.14159265358979 * ts_random_uniform(1, 3, (uint64_t)i);
        l->w[DOF * i] = gas ? l->root[i] * cos(angle) : 0;
        l->w[DOF * i + 1] = l->root[i] * (gas ? sin(angle) : -1);
        if (i < SIDE)
            add(l, -1, i, 0, 1);
        if (i % SIDE > 0)
            add(l, i - 1, i, 1, 0);
        if (i >= SIDE)
            add(l, i - SIDE, i, 0, 1);
    }
    return l;
}

static double energy(const lattice *l)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)BALLS * DOF; i++)
        sum += 0.5 * l->w[i] * l->w[i];
    return sum;
}

static ts_impact_report strike(lattice *l, const char *by, double c, int threads)
{
    ts_pool *pool;
    ts_impact_work *work;
    ts_impact_report report;
    OK(ts_pool_create(threads, &pool, ERROR));
    OK(ts_impact_work_create(&work, ERROR));
    ts_rows n = {l->contacts, BALLS, DOF, l->a, l->b, l->ga, l->gb, NULL};
    ts_impact_options options = {.restitution = c, .pool = pool};
    OK(ts_impact_resolve(&(ts_impact){&n, &options, work, l->w, l->lambda, &report}, ts_impact_find(by), ERROR));
    ts_impact_work_free(work);
    ts_pool_free(pool);
    return report;
}

static void any_number_of_threads(void **state)
{
    (void)state;
    static const char *const by[] = {"gr", "gauss-seidel"};
    for (int gas = 0; gas < 2; gas++)
        for (int c = 0; c < 2; c++)
            for (size_t k = 0; k < 2; k++) {
                lattice *one = make(gas), *many = make(gas);
                double before = energy(one);
                ts_impact_report alone = strike(one, by[k], 1 - 0.5 * c, 1),
                                 together = strike(many, by[k], 1 - 0.5 * c, 3);
                assert_true(alone.finished && alone.passes == together.passes && alone.touched == together.touched);
                assert_true(alone.front > 1000 || !gas); /* or nothing would be shared */
                assert_memory_equal(one->w, many->w, sizeof one->w);
                assert_memory_equal(one->lambda, many->lambda, sizeof one->lambda);
                /* and it is an impact: energy kept or lost, nothing pulls, nothing closes */
                if (c == 0)
                    NEAR(energy(one), before, 1e-12 * before);
                else
                    assert_true(energy(one) < before);
                for (size_t i = 0; i < one->contacts; i++) {
                    const double *ga = one->ga + DOF * i, *gb = one->gb + DOF * i, *w = one->w;
                    double rate = gb[0] * w[DOF * one->b[i]] + gb[1] * w[DOF * one->b[i] + 1];
                    if (one->a[i] >= 0)
                        rate += ga[0] * w[DOF * one->a[i]] + ga[1] * w[DOF * one->a[i] + 1];
                    assert_true(one->lambda[i] >= 0 && rate > -1e-6);
                }
                ts_free(one);
                ts_free(many);
            }
}

/* Inelastic, by sweeps. `rub`: z of friction with μ = 0.3, written; NULL: without. */
static ts_impact_report sweep(lattice *l, double *rub, uint64_t sweeps, int threads)
{
    static double ta[CONTACTS * DOF], tb[CONTACTS * DOF], mu[CONTACTS], none[CONTACTS];
    ts_pool *pool;
    ts_impact_work *work;
    ts_impact_report report;
    OK(ts_pool_create(threads, &pool, ERROR));
    OK(ts_impact_work_create(&work, ERROR));
    for (size_t k = 0; k < l->contacts; k++) {
        ta[DOF * k] = -l->ga[DOF * k + 1], ta[DOF * k + 1] = l->ga[DOF * k];
        tb[DOF * k] = -l->gb[DOF * k + 1], tb[DOF * k + 1] = l->gb[DOF * k];
        mu[k] = 0.3;
        none[k] = 0;
    }
    ts_rows n = {l->contacts, BALLS, DOF, l->a, l->b, l->ga, l->gb, NULL};
    ts_rows t = {l->contacts, BALLS, DOF, l->a, l->b, ta, tb, NULL};
    ts_impact_options options = {.pool = pool};
    ts_impact_friction friction = {.tangent = &t, .mu = mu};
    OK(ts_impact_sweep(&(ts_impact){&n, &options, work, l->w, l->lambda, &report}, rub ? &friction : NULL,
                       rub ? rub : none, sweeps, ERROR));
    ts_impact_work_free(work);
    ts_pool_free(pool);
    return report;
}

static void sweeps_on_threads(void **state)
{
    (void)state;
    static double z[2][CONTACTS];
    for (int gas = 0; gas < 2; gas++) {
        lattice *one = make(gas), *many = make(gas);
        double before = energy(one);
        memset(z, 0, sizeof z);
        ts_impact_report alone = sweep(one, z[0], 25, 1), together = sweep(many, z[1], 25, 3);
        assert_true(alone.finished && alone.rounds == together.rounds);
        assert_true(alone.disagreement == together.disagreement);
        assert_memory_equal(one->w, many->w, sizeof one->w);
        assert_memory_equal(one->lambda, many->lambda, sizeof one->lambda);
        assert_memory_equal(z[0], z[1], sizeof z[0]);
        assert_true(energy(one) < before);
        for (size_t k = 0; k < one->contacts; k++)
            assert_true(one->lambda[k] >= 0 && fabs(z[0][k]) <= 0.3 * one->lambda[k] * (1 + 1e-12));
        ts_free(one);
        ts_free(many);
    }
}

/* Without friction velocities after an inelastic impact are unique: sweeps come near those of the exact program. */
static void sweeps_come_near_the_program(void **state)
{
    (void)state;
    const char *sanitize = getenv("TS_SANITIZE");
    if (sanitize && *sanitize)
        skip(); /* the same code as above, for a minute */
    for (int gas = 0; gas < 2; gas++) {
        lattice *exact = make(gas), *near = make(gas);
        double off = 0, all = 2 * energy(exact);
        strike(exact, "lcp", 0, 1);
        sweep(near, NULL, 20000, 1);
        for (size_t i = 0; i < (size_t)BALLS * DOF; i++)
            off += (near->w[i] - exact->w[i]) * (near->w[i] - exact->w[i]);
        print_message("off by %.2g of the velocities before\n", sqrt(off / all));
        assert_true(sqrt(off / all) < 0.01);
        ts_free(exact);
        ts_free(near);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_number_of_threads), cmocka_unit_test(sweeps_on_threads),
                                       cmocka_unit_test(sweeps_come_near_the_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
