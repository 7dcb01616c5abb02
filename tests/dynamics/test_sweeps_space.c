/* SPDX-License-Identifier: MIT */
/* Sweeps over contacts with two tangents: by four they do what a plain loop over the contacts does, one by one in their
 * order, to the same bits on any number of threads and by any instruction set; and where they end Coulomb's law holds.
 * */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "base/vec.h"
#include "dynamics/impact_swept.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_sweep_kernels, ts_sweep);

#define BODIES        1500
#define CONTACTS      6000
#define DOF           6

#define SOME_BODIES   40
#define SOME_CONTACTS 160

/* Rigid bodies, principal axes along those of the world, and contacts: rows in a and in b along normal, tangent and the
 * other tangent. */
typedef struct crowd {
    size_t bodies, contacts;
    double w[BODIES * DOF];
    int32_t a[CONTACTS], b[CONTACTS];
    double row[3][2][CONTACTS * DOF], mu[CONTACTS];
    double drift[3][CONTACTS];
    double impulse[3][CONTACTS];
    ts_impact_report report;
} crowd;

static ts_vec3 random_unit(ts_random *random)
{
    const double x = ts_random_next_normal(random), y = ts_random_next_normal(random);
    return ts_vec3_unit((ts_vec3){x, y, ts_random_next_normal(random)});
}

/* The heavier, the harder to turn. */
static void set_row(double *row, double sign, double mass, ts_vec3 arm, ts_vec3 along)
{
    const ts_vec3 turn = ts_vec3_cross(arm, along);
    const double root = sign / sqrt(mass), around = sign / sqrt(0.4 * mass);
    const double entry[DOF] = {root * along.x,        root * along.y,        root * along.z,
                               0.8 * around * turn.x, 1.1 * around * turn.y, 1.3 * around * turn.z};
    memcpy(row, entry, sizeof entry);
}

/* Contacts of any two that are at most `near` numbers apart, some with what cannot be moved, some smooth; velocities of
 * 1 or so. */
static void fill(crowd *c, size_t bodies, size_t contacts, double near, uint64_t seed)
{
    ts_random random = ts_random_make(seed, 0);
    static double mass[BODIES];
    memset(c, 0, sizeof *c);
    c->bodies = bodies;
    c->contacts = contacts;
    for (size_t i = 0; i < bodies; i++)
        mass[i] = ts_random_next_range(&random, 0.5, 3);
    for (size_t i = 0; i < bodies * DOF; i++)
        c->w[i] = ts_random_next_normal(&random);
    for (size_t k = 0; k < contacts; k++) {
        const double last = (double)bodies - 1, at = near < last ? last * (double)k / (double)contacts : 0;
        c->a[k] = (int32_t)fmin(at + ts_random_next_range(&random, 0, 1) * near, last);
        c->b[k] = (int32_t)fmin(at + ts_random_next_range(&random, 0, 1) * near, last);
        if (c->a[k] == c->b[k] || k % 7 == 0)
            c->a[k] = -1;
        const ts_vec3 n = random_unit(&random), t = ts_vec3_unit(ts_vec3_cross(n, random_unit(&random))),
                      along[3] = {n, t, ts_vec3_cross(n, t)}, arm[2] = {random_unit(&random), random_unit(&random)};
        for (int d = 0; d < 3; d++) {
            if (c->a[k] >= 0)
                set_row(&c->row[d][0][k * DOF], -1, mass[c->a[k]], arm[0], along[d]);
            set_row(&c->row[d][1][k * DOF], 1, mass[c->b[k]], arm[1], along[d]);
        }
        c->mu[k] = k % 5 == 0 ? 0 : ts_random_next_range(&random, 0.1, 0.8);
    }
}

static void sweep(crowd *c, uint64_t sweeps, double tolerance, ts_pool *pool)
{
    ts_rows rows[3];
    ts_impact_work *work;
    for (int d = 0; d < 3; d++)
        rows[d] = (ts_rows){c->contacts, c->bodies, DOF, c->a, c->b, c->row[d][0], c->row[d][1], c->drift[d]};
    const ts_impact_options options = {.tolerance = tolerance, .pool = pool};
    const ts_impact_friction friction = {
        .tangent = &rows[1], .mu = c->mu, .across = &rows[2], .z_across = c->impulse[2]};
    OK(ts_impact_work_create(&work, ERROR));
    OK(ts_impact_sweep(&(ts_impact){&rows[0], &options, work, c->w, c->impulse[0], &c->report}, &friction,
                       c->impulse[1], sweeps, ERROR));
    ts_impact_work_free(work);
}

/* ---- One by one ---- */

static double rate(const crowd *c, int d, size_t k, const double *w)
{
    double sum = 0;
    for (int i = 0; i < DOF; i++)
        sum += (c->a[k] >= 0 ? c->row[d][0][k * DOF + (size_t)i] * w[c->a[k] * DOF + i] : 0) +
               c->row[d][1][k * DOF + (size_t)i] * w[c->b[k] * DOF + i];
    return sum;
}

static double entry(const crowd *c, int d, int e, size_t k)
{
    double sum = 0;
    for (size_t i = k * DOF; i < (k + 1) * DOF; i++)
        sum += c->row[d][0][i] * c->row[e][0][i] + c->row[d][1][i] * c->row[e][1][i];
    return sum;
}

/* x with W x = −r, by Cramer. */
static void solve3(const double W[3][3], const double r[3], double x[3])
{
    ts_mat3 m, with;
    memcpy(m.m, W, sizeof m.m);
    for (int i = 0; i < 3; i++) {
        with = m;
        for (int j = 0; j < 3; j++)
            with.m[j][i] = -r[j];
        x[i] = ts_vec3_dot(ts_mat3_column(with, 0), ts_vec3_cross(ts_mat3_column(with, 1), ts_mat3_column(with, 2))) /
               ts_vec3_dot(ts_mat3_column(m, 0), ts_vec3_cross(ts_mat3_column(m, 1), ts_mat3_column(m, 2)));
    }
}

static void back_into_disc(double most, double z[2])
{
    const double length = sqrt(z[0] * z[0] + z[1] * z[1]), part = length > most ? most / length : 1;
    z[0] *= part;
    z[1] *= part;
}

/* What docs and comments say of a contact that slides: twice downhill, then λ. */
static void slide(const double W[3][3], double mu, const double r[3], const double had[3], double x[3])
{
    const double half = 0.5 * (W[1][1] + W[2][2]), apart = 0.5 * (W[1][1] - W[2][2]);
    const double steepest = half + sqrt(apart * apart + W[1][2] * W[1][2]);
    double z[2] = {had[1], had[2]}, lambda = 0;
    for (int turn = 0; turn < 3; turn++) {
        lambda = fmax(-(r[0] + W[0][1] * z[0] + W[0][2] * z[1]) / W[0][0], 0);
        if (turn < 2) {
            const double s[2] = {r[1] + W[0][1] * lambda + W[1][1] * z[0] + W[1][2] * z[1],
                                 r[2] + W[0][2] * lambda + W[1][2] * z[0] + W[2][2] * z[1]};
            z[0] -= s[0] / steepest;
            z[1] -= s[1] / steepest;
        }
        back_into_disc(mu * lambda, z);
    }
    x[0] = lambda;
    x[1] = z[0];
    x[2] = z[1];
}

static void treat(crowd *c, size_t k)
{
    double W[3][3], r[3], x[3] = {0, 0, 0}, had[3];
    for (int d = 0; d < 3; d++) {
        had[d] = c->impulse[d][k];
        for (int e = 0; e < 3; e++)
            W[d][e] = entry(c, d, e, k);
    }
    for (int d = 0; d < 3; d++)
        r[d] = rate(c, d, k, c->w) - W[d][0] * had[0] - W[d][1] * had[1] - W[d][2] * had[2];
    if (c->mu[k] == 0)
        x[0] = fmax(-r[0] / W[0][0], 0);
    else if (r[0] < 0 || had[0] > 0) {
        solve3(W, r, x);
        if (!(x[0] >= 0 && x[1] * x[1] + x[2] * x[2] <= c->mu[k] * c->mu[k] * x[0] * x[0]))
            slide(W, c->mu[k], r, had, x);
    }
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < DOF; i++) {
            if (c->a[k] >= 0)
                c->w[c->a[k] * DOF + i] += c->row[d][0][k * DOF + (size_t)i] * (x[d] - had[d]);
            c->w[c->b[k] * DOF + i] += c->row[d][1][k * DOF + (size_t)i] * (x[d] - had[d]);
        }
        c->impulse[d][k] = x[d];
    }
}

static void fours_do_as_one_by_one(void **state)
{
    (void)state;
    static crowd fours, plain;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (uint64_t sweeps = 1; sweeps <= 4; sweeps++) {
            fill(&fours, SOME_BODIES, SOME_CONTACTS, SOME_BODIES, seed);
            plain = fours;
            sweep(&fours, sweeps, 1e-14, NULL);
            for (uint64_t round = 1; round <= sweeps; round++)
                for (size_t i = 0; i < SOME_CONTACTS; i++)
                    treat(&plain, round % 2 ? i : SOME_CONTACTS - 1 - i);
            assert_int_equal(fours.report.rounds, sweeps);
            for (size_t i = 0; i < SOME_BODIES * DOF; i++)
                NEAR(fours.w[i], plain.w[i], 1e-9);
            for (int d = 0; d < 3; d++)
                for (size_t k = 0; k < SOME_CONTACTS; k++)
                    NEAR(fours.impulse[d][k], plain.impulse[d][k], 1e-9);
        }
}

/* ---- Bits ---- */

/* Several chunks and a seam, islands large and small, some of which end before others; walls that move, and guesses
 * that are far off. */
static void fill_many(crowd *c)
{
    ts_random random = ts_random_make(7, 0);
    fill(c, BODIES, CONTACTS, 25, 3);
    for (size_t k = 0; k < CONTACTS; k++) {
        if (c->b[k] / 25 % 2 == 0 && c->a[k] >= 0) { /* every other stretch of bodies falls apart into fives */
            c->a[k] = c->a[k] / 5 == c->b[k] / 5 ? c->a[k] : -1;
            for (int d = 0; d < 3 && c->a[k] < 0; d++)
                memset(&c->row[d][0][k * DOF], 0, DOF * sizeof(double));
        }
        for (int d = 0; d < 3; d++) {
            c->drift[d][k] = c->a[k] < 0 ? 0.1 * ts_random_next_normal(&random) : 0;
            c->impulse[d][k] = 0.3 * fabs(ts_random_next_normal(&random));
        }
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static crowd one, many;
    fill_many(&one);
    many = one;
    ts_pool *pool;
    sweep(&one, 40, 1e-3, NULL);
    OK(ts_pool_create(3, &pool, ERROR));
    sweep(&many, 40, 1e-3, pool);
    ts_pool_free(pool);
    assert_true(one.report.rounds > 3);
    assert_memory_equal(one.w, many.w, sizeof one.w);
    assert_memory_equal(one.impulse, many.impulse, sizeof one.impulse);
}

static void instruction_sets_do_not_matter(void **state)
{
    (void)state;
    static crowd c;
    static double first[BODIES * DOF];
    for (int isa = 0; isa < ts_test_isa_count(); isa++) {
        ts_rows rows[3];
        ts_impact_work *work;
        ts_impact_report report;
        int chunks;
        fill_many(&c);
        for (int d = 0; d < 3; d++)
            rows[d] = (ts_rows){CONTACTS, BODIES, DOF, c.a, c.b, c.row[d][0], c.row[d][1], c.drift[d]};
        OK(ts_impact_work_create(&work, ERROR));
        const ts_impact impact = {&rows[0], &(ts_impact_options){0}, work, c.w, c.impulse[0], &report};
        const ts_impact_friction friction = {
            .tangent = &rows[1], .mu = c.mu, .across = &rows[2], .z_across = c.impulse[2]};
        OK(ts_impact_find_islands(work, &rows[0], ERROR));
        OK(ts_array_reserve(&work->islands, BODIES, ERROR));
        for (size_t i = 0; i < BODIES; i++)
            work->islands.item[i] = (ts_impact_island){.done = i % 11 == 0};
        OK(ts_swept_make(&impact, &friction, &chunks, ERROR));
        assert_true(chunks > 2 && work->part.item[chunks].count > 0);
        ts_swept_take(&impact, c.impulse[1], c.impulse[2]);
        for (int round = 0; round < 4; round++)
            for (int part = 0; part <= chunks; part++)
                ts_sweep_table[isa]->sweep(work, work->part.item[part], round % 2 == 1, c.w);
        if (isa == 0)
            memcpy(first, c.w, sizeof first);
        assert_memory_equal(first, c.w, sizeof first);
        ts_impact_work_free(work);
    }
}

/* ---- Coulomb's law ---- */

static void assert_law(const crowd *c, size_t k, double tolerance)
{
    const double r = rate(c, 0, k, c->w), s[2] = {rate(c, 1, k, c->w), rate(c, 2, k, c->w)};
    const double lambda = c->impulse[0][k], z[2] = {c->impulse[1][k], c->impulse[2][k]};
    const double friction = hypot(z[0], z[1]), most = c->mu[k] * lambda, slip = hypot(s[0], s[1]);
    assert_true(lambda >= 0 && r >= -tolerance && lambda * r <= tolerance);
    assert_true(friction <= most + 1e-12);
    if (friction < most - tolerance)
        assert_true(slip <= tolerance);                 /* it sticks */
    else if (friction > 1e-3 && slip > 100 * tolerance) /* it slides: straight against the slip */
        NEAR((z[0] * s[0] + z[1] * s[1]) / (slip * friction), -1, 1e-3);
}

static void they_end_in_coulombs_law(void **state)
{
    (void)state;
    static crowd c;
    int settled = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fill(&c, SOME_BODIES, SOME_CONTACTS, SOME_BODIES, seed);
        sweep(&c, 20000, 1e-12, NULL);
        if (c.report.disagreed) /* nothing says that all do, wedged as some of these are */
            continue;
        settled++;
        for (size_t k = 0; k < SOME_CONTACTS; k++)
            assert_law(&c, k, 1e-7);
    }
    assert_true(settled >= 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fours_do_as_one_by_one),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(instruction_sets_do_not_matter),
        cmocka_unit_test(they_end_in_coulombs_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
