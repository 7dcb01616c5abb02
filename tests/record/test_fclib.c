/* SPDX-License-Identifier: MIT */
/* Contact problems as FCLIB files: masses, contacts and velocities that were put in come out, to us and to FCLIB's own
 * library; what it writes we read; and of damaged and foreign files nothing is believed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "base/file.h"
#include "record/fclib.h"
#include "record/hdf.h"

#if TS_WITH_HDF5

#if TS_HAVE_FCLIB
#include <fclib.h>
#endif

/* ---- Two bodies on a wall that moves ---- */

enum { bodies = 2, contacts = 4, numbers = 3 * bodies };

static const double mass[bodies] = {2, 3}, inertia[bodies] = {0.5, 0.7}, place[bodies][2] = {{0, 1}, {0.4, 2.1}};
static const double velocity[numbers] = {0.5, -2, 0.3, -0.2, -1.5, -0.8};
static const int32_t side[contacts][2] = {{-1, 0}, {-1, 1}, {0, 1}, {-1, 0}};
static const double point[contacts][2] = {{-0.3, 0.2}, {0.9, 1.7}, {0.1, 1.6}, {0.5, 0.3}},
                    normal[contacts][2] = {{0, 1}, {-0.6, 0.8}, {0.28, 0.96}, {-0.8, 0.6}},
                    coefficient[contacts] = {0.3, 0, 0.6, 0.1},
                    wall[contacts][2] = {{-0.1, 0.2}, {0, 0}, {0, 0}, {0, 0}};
static const double restitution = 0.5;

/* What a velocity of body i adds to the rate of contact k along its normal or tangent. */
static double slope(int k, bool tangent, int32_t i, int d)
{
    double sign = side[k][1] == i ? 1 : side[k][0] == i ? -1 : 0;
    double along[2] = {tangent ? -normal[k][1] : normal[k][0], tangent ? normal[k][0] : normal[k][1]};
    double arm = (point[k][0] - place[i][0]) * along[1] - (point[k][1] - place[i][1]) * along[0];
    return sign * (d < 2 ? along[d] : arm);
}

static double mass_of(int i, int d)
{
    return d < 2 ? mass[i] : inertia[i];
}

static double rate_before(int k, bool tangent)
{
    double sum = wall[k][tangent];
    for (int i = 0; i < bodies; i++)
        for (int d = 0; d < 3; d++)
            sum += slope(k, tangent, i, d) * velocity[3 * i + d];
    return sum;
}

static void make(ts_problem *p)
{
    OK(ts_problem_create(p, contacts, bodies, 3, 2, ERROR));
    p->time = 1.25;
    p->restitution = restitution;
    for (int i = 0; i < bodies; i++) {
        p->body[i] = 10 + i;
        for (int d = 0; d < 3; d++) {
            p->root[3 * i + d] = 1 / sqrt(mass_of(i, d));
            p->w[3 * i + d] = velocity[3 * i + d] * sqrt(mass_of(i, d));
        }
    }
    for (int k = 0; k < contacts; k++) {
        p->a[k] = side[k][0];
        p->b[k] = side[k][1];
        p->drift[k] = wall[k][0];
        p->slip[k] = wall[k][1];
        p->friction[k] = coefficient[k];
        for (int d = 0; d < 3; d++)
            for (int s = 0; s < 2; s++) {
                int32_t i = side[k][s];
                if (i < 0)
                    continue;
                (s ? p->gb : p->ga)[3 * k + d] = slope(k, false, i, d) / sqrt(mass_of(i, d));
                (s ? p->tb : p->ta)[3 * k + d] = slope(k, true, i, d) / sqrt(mass_of(i, d));
            }
    }
}

static const ts_fclib_info about = {"Two bodies", "at t = 1.25 s"};
static const char path[] = "problem.hdf5";

static void write_it(void)
{
    ts_problem p = {0};
    make(&p);
    OK(ts_fclib_write(path, &p, &about, ERROR));
    ts_problem_free(&p);
}

/* All of it, but for restitution, which has become a part of what is added to the rates. */
static void expect_it(const char *file)
{
    ts_problem p = {0}, q = {0};
    make(&p);
    OK(ts_fclib_read(file, &q, NULL, ERROR));
    assert_int_equal(q.count, contacts);
    assert_int_equal(q.block_count, bodies);
    assert_int_equal(q.dof, 3);
    assert_true(q.restitution == 0);
    for (int i = 0; i < numbers; i++) {
        NEAR(q.root[i], p.root[i], 1e-15);
        NEAR(q.w[i], p.w[i], 1e-14);
    }
    for (int k = 0; k < contacts; k++) {
        assert_int_equal(q.a[k], p.a[k]);
        assert_int_equal(q.b[k], p.b[k]);
        NEAR(q.drift[k], wall[k][0] + restitution * rate_before(k, false), 1e-15);
        NEAR(q.slip[k], wall[k][1], 1e-15);
        NEAR(q.friction[k], coefficient[k], 0);
        for (int d = 3 * k; d < 3 * k + 3; d++) {
            NEAR(q.ga[d], p.ga[d], 1e-15);
            NEAR(q.gb[d], p.gb[d], 1e-15);
            NEAR(q.ta[d], p.ta[d], 1e-15);
            NEAR(q.tb[d], p.tb[d], 1e-15);
        }
    }
    ts_problem_free(&p);
    ts_problem_free(&q);
}

static void comes_back(void **state)
{
    (void)state;
    ts_problem p = {0};
    ts_fclib_info info;
    write_it();
    expect_it(path);
    OK(ts_fclib_read(path, &p, &info, ERROR));
    assert_string_equal(info.title, about.title);
    assert_string_equal(info.description, about.description);
    assert_true(p.time == 1.25 && p.body[0] == 10 && p.body[1] == 11);
    ts_problem_free(&p);
}

/* The same contents are the same bytes. */
static void writing_is_repeatable(void **state)
{
    (void)state;
    char *one, *other;
    size_t size, length;
    write_it();
    OK(ts_file_read(path, 1 << 20, &one, &size, ERROR));
    write_it();
    OK(ts_file_read(path, 1 << 20, &other, &length, ERROR));
    assert_int_equal(size, length);
    assert_memory_equal(one, other, size);
    ts_free(one);
    ts_free(other);
}

static void solutions_stay_in_the_file(void **state)
{
    (void)state;
    ts_problem p = {0};
    ts_solution s = {0}, t = {0};
    ts_impact_report report;
    ts_residuals r;
    bool has;
    write_it();
    OK(ts_fclib_read(path, &p, NULL, ERROR));
    OK(ts_fclib_read_solution(path, &p, &t, &has, ERROR));
    assert_false(has);
    OK(ts_problem_solve(&p, 1000, NULL, &s, &report, ERROR));
    assert_true(report.finished && !report.disagreed);
    for (int turn = 0; turn < 2; turn++) { /* the second in place of the first */
        OK(ts_fclib_write_solution(path, &p, &s, ERROR));
        OK(ts_fclib_read_solution(path, &p, &t, &has, ERROR));
        assert_true(has);
        assert_memory_equal(s.v, t.v, numbers * sizeof *s.v);
        assert_memory_equal(s.u, t.u, 2 * contacts * sizeof *s.u);
        assert_memory_equal(s.r, t.r, 2 * contacts * sizeof *s.r);
    }
    expect_it(path); /* the problem is still there */
    OK(ts_problem_residuals(&p, &t, &r, ERROR));
    assert_true(r.closing < 1e-10 && r.complementarity < 1e-10 && r.friction < 1e-9 && r.cone < 1e-12 &&
                r.balance < 1e-13);
    /* from bodies and contacts alone: M (v − v⁻) = H r */
    for (int i = 0; i < bodies; i++)
        for (int d = 0; d < 3; d++) {
            double push = 0;
            for (int k = 0; k < contacts; k++)
                push += slope(k, false, i, d) * t.r[2 * k] + slope(k, true, i, d) * t.r[2 * k + 1];
            NEAR(mass_of(i, d) * (t.v[3 * i + d] - velocity[3 * i + d]), push, 1e-13);
        }
    ts_solution_free(&s);
    ts_solution_free(&t);
    ts_problem_free(&p);
}

/* ---- FCLIB's own library ---- */

#if TS_HAVE_FCLIB

static double at(const struct fclib_matrix *m, int row, int column)
{
    double sum = 0;
    assert_int_equal(m->nz, -1);
    for (int k = m->p[column]; k < m->p[column + 1]; k++)
        sum += m->i[k] == row ? m->x[k] : 0;
    return sum;
}

static void fclib_reads_ours(void **state)
{
    (void)state;
    remove(path);
    write_it();
    struct fclib_global *g = fclib_read_global(path);
    struct fclib_local *l = fclib_read_local(path);
    assert_non_null(g);
    assert_non_null(l);
    assert_int_equal(g->spacedim, 2);
    assert_string_equal(g->info->title, about.title);
    assert_string_equal(g->info->description, about.description);
    for (int i = 0; i < bodies; i++)
        for (int d = 0; d < 3; d++) {
            int row = 3 * i + d;
            NEAR(at(g->M, row, row), mass_of(i, d), 1e-15);
            NEAR(g->f[row], mass_of(i, d) * velocity[row], 1e-14);
            for (int k = 0; k < 2 * contacts; k++)
                NEAR(at(g->H, row, k), slope(k / 2, k % 2, i, d), 1e-15);
        }
    for (int k = 0; k < 2 * contacts; k++) {
        double added = wall[k / 2][k % 2] + (k % 2 ? 0 : restitution * rate_before(k / 2, false));
        NEAR(g->mu[k / 2], coefficient[k / 2], 0);
        NEAR(g->w[k], added, 1e-15);
        NEAR(l->q[k], rate_before(k / 2, k % 2) + (k % 2 ? 0 : restitution * rate_before(k / 2, false)), 1e-14);
        for (int j = 0; j < 2 * contacts; j++) {
            double w = 0;
            for (int i = 0; i < bodies; i++)
                for (int d = 0; d < 3; d++)
                    w += slope(k / 2, k % 2, i, d) * slope(j / 2, j % 2, i, d) / mass_of(i, d);
            NEAR(at(l->W, k, j), w, 1e-15);
        }
    }
    fclib_delete_global(g);
    fclib_delete_local(l);
    free(g);
    free(l);
}

static void fclib_reads_our_solution(void **state)
{
    (void)state;
    ts_problem p = {0};
    ts_solution s = {0};
    ts_impact_report report;
    write_it();
    OK(ts_fclib_read(path, &p, NULL, ERROR));
    OK(ts_problem_solve(&p, 1000, NULL, &s, &report, ERROR));
    OK(ts_fclib_write_solution(path, &p, &s, ERROR));
    struct fclib_solution *t = fclib_read_solution(path);
    assert_non_null(t);
    assert_memory_equal(t->v, s.v, numbers * sizeof *s.v);
    assert_memory_equal(t->u, s.u, 2 * contacts * sizeof *s.u);
    assert_memory_equal(t->r, s.r, 2 * contacts * sizeof *s.r);
    fclib_delete_solutions(t, 1);
    ts_solution_free(&s);
    ts_problem_free(&p);
}

/* M and H as triplets, with p as columns (as Siconos has it) or as rows (as the manual has it), or by rows. */
static void we_read_fclib(void **state)
{
    (void)state;
    enum { PLAIN, MANUAL, BY_ROWS, KINDS };
    for (int kind = 0; kind < KINDS; kind++) {
        int mi[numbers], mp[numbers + 1], hi[numbers * 2 * contacts], hp[numbers * 2 * contacts + 1], count = 0;
        double mx[numbers], hx[numbers * 2 * contacts], f[numbers], w[2 * contacts], mu[contacts];
        for (int i = 0; i < numbers; i++) {
            mi[i] = mp[i] = i;
            mx[i] = mass_of(i / 3, i % 3);
            f[i] = mx[i] * velocity[i];
            if (kind == BY_ROWS)
                hp[i] = count;
            for (int k = 0; k < 2 * contacts; k++) {
                double x = slope(k / 2, k % 2, i / 3, i % 3);
                if (x == 0)
                    continue;
                hx[count] = x;
                if (kind == BY_ROWS)
                    hi[count] = k;
                else
                    (kind == PLAIN ? hi : hp)[count] = i, (kind == PLAIN ? hp : hi)[count] = k;
                count++;
            }
        }
        mp[numbers] = numbers;
        if (kind == BY_ROWS)
            hp[numbers] = count;
        for (int k = 0; k < 2 * contacts; k++) {
            w[k] = wall[k / 2][k % 2] + (k % 2 ? 0 : restitution * rate_before(k / 2, false));
            mu[k / 2] = coefficient[k / 2];
        }
        struct fclib_matrix m = {numbers, numbers, numbers, mp, mi, mx, kind == BY_ROWS ? -2 : numbers, NULL},
                            h = {count, numbers, 2 * contacts, hp, hi, hx, kind == BY_ROWS ? -2 : count, NULL};
        struct fclib_global g = {.M = &m, .H = &h, .mu = mu, .f = f, .w = w, .spacedim = 2};
        char name[32];
        snprintf(name, sizeof name, "theirs-%d.hdf5", kind);
        remove(name);
        assert_int_equal(fclib_write_global(&g, name), 1);
        expect_it(name);
    }
}

#endif

/* ---- What is not believed ---- */

static void refuse(const char *file, ts_status expected, const char *word)
{
    ts_problem p = {0};
    ts_status status = ts_fclib_read(file, &p, NULL, ERROR);
    if (status != expected || !strstr(ERROR->message, word))
        fail_msg("%s: status %d instead of %d, \"%s\" instead of \"… %s …\"", file, status, expected, ERROR->message,
                 word);
    assert_null(p.w);
}

/* Puts numbers in place of what is there. */
static void spoil(const char *where, const double *x, const int32_t *i, size_t count)
{
    ts_hdf *file;
    write_it();
    OK(ts_hdf_open(path, &file, ERROR));
    OK(ts_hdf_remove(file, where, ERROR));
    if (x)
        OK(ts_hdf_put_doubles(file, where, x, count, ERROR));
    if (i)
        OK(ts_hdf_put_ints(file, where, i, count, ERROR));
    OK(ts_hdf_save(file, ERROR));
    ts_hdf_close(file);
}

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    double f[numbers] = {0}, mu[contacts] = {0.1, -0.2, 0.3, 0}, w[2 * contacts] = {0}, m[numbers] = {1, 1, 1, 1, 1, 0};
    spoil("fclib_global/vectors/mu", mu, NULL, contacts);
    refuse(path, TS_CORRUPT, "mu of contact 1 is -0.2");
    spoil("fclib_global/vectors/mu", mu, NULL, 2);
    refuse(path, TS_CORRUPT, "has 2 numbers, but should have 4");
    f[4] = (double)NAN;
    spoil("fclib_global/vectors/f", f, NULL, numbers);
    refuse(path, TS_CORRUPT, "number 4 of \"fclib_global/vectors/f\" is not finite");
    w[5] = HUGE_VAL;
    spoil("fclib_global/vectors/w", w, NULL, 2 * contacts);
    refuse(path, TS_CORRUPT, "not finite");
    spoil("fclib_global/vectors/w", NULL, NULL, 0);
    refuse(path, TS_CORRUPT, "has no array \"fclib_global/vectors/w\"");
    spoil("fclib_global/M/x", m, NULL, numbers);
    refuse(path, TS_CORRUPT, "must be positive");
    m[5] = -1;
    spoil("fclib_global/M/x", m, NULL, numbers);
    refuse(path, TS_CORRUPT, "must be positive");
    spoil("fclib_global/M/x", NULL, (const int32_t[]){1, 1, 1, 1, 1, 1}, numbers); /* whole numbers are numbers */
    ts_problem p = {0};
    OK(ts_fclib_read(path, &p, NULL, ERROR));
    ts_problem_free(&p);
}

static void bad_indices_are_refused(void **state)
{
    (void)state;
    const int32_t outside[numbers] = {0, 1, 2, 3, 4, 6}, negative[numbers] = {0, 1, 2, -3, 4, 5},
                  elsewhere[numbers] = {0, 1, 2, 3, 5, 4}, twisted[numbers + 1] = {0, 2, 1, 3, 4, 5, 6},
                  far[numbers + 1] = {0, 1, 2, 3, 4, 5, 9};
    spoil("fclib_global/M/i", NULL, outside, numbers);
    refuse(path, TS_CORRUPT, "stands at (6, 5), outside");
    spoil("fclib_global/M/i", NULL, negative, numbers);
    refuse(path, TS_CORRUPT, "outside");
    spoil("fclib_global/M/i", NULL, elsewhere, numbers);
    refuse(path, TS_UNSUPPORTED, "M is not diagonal");
    spoil("fclib_global/M/p", NULL, twisted, numbers + 1);
    refuse(path, TS_CORRUPT, "does not ascend");
    spoil("fclib_global/M/p", NULL, far, numbers + 1);
    refuse(path, TS_CORRUPT, "does not ascend");
    spoil("fclib_global/M/i", (const double[]){0, 1, 2, 3, 4, 5}, NULL, numbers);
    refuse(path, TS_CORRUPT, "whole numbers");
    spoil("fclib_global/M/n", NULL, (const int32_t[]){-6}, 1);
    refuse(path, TS_CORRUPT, "\"fclib_global/M/n\" is -6, but must be at least 1");
    spoil("fclib_global/H/n", NULL, (const int32_t[]){2000000000}, 1);
    refuse(path, TS_CORRUPT, "numbers, but should have");
    spoil("fclib_global/H/nzmax", NULL, (const int32_t[]){2147483647}, 1);
    refuse(path, TS_CORRUPT, "numbers, but should have");
    spoil("fclib_global/H/nz", NULL, (const int32_t[]){-3}, 1);
    refuse(path, TS_CORRUPT, "at least -2");
    spoil("fclib_global/H/m", NULL, (const int32_t[]){9}, 1);
    refuse(path, TS_CORRUPT, "H has 9 rows");
}

/* Of contact 1, which touches one body, the tangent. */
static void empty_columns_are_refused(void **state)
{
    (void)state;
    ts_hdf *file;
    size_t count;
    double x[64];
    int32_t begin[2 * contacts + 1];
    write_it();
    OK(ts_hdf_open(path, &file, ERROR));
    OK(ts_hdf_count(file, "fclib_global/H/x", &count, ERROR));
    OK(ts_hdf_get_doubles(file, "fclib_global/H/x", x, count, ERROR));
    OK(ts_hdf_get_ints(file, "fclib_global/H/p", begin, 2 * contacts + 1, ERROR));
    ts_hdf_close(file);
    for (int k = begin[3]; k < begin[4]; k++)
        x[k] = 0;
    spoil("fclib_global/H/x", x, NULL, count);
    refuse(path, TS_CORRUPT, "column 3 of H, along the tangent of contact 1, is zero");
}

static void other_kinds_are_refused(void **state)
{
    (void)state;
    ts_hdf *file;
    spoil("fclib_global/spacedim", NULL, (const int32_t[]){4}, 1);
    refuse(path, TS_UNSUPPORTED, "spacedim 4");
    spoil("fclib_global", NULL, NULL, 0);
    refuse(path, TS_UNSUPPORTED, "local problem");
    OK(ts_hdf_create("empty.hdf5", &file, ERROR));
    OK(ts_hdf_save(file, ERROR));
    ts_hdf_close(file);
    refuse("empty.hdf5", TS_BAD_INPUT, "holds no FCLIB problem");
    write_it();
    OK(ts_hdf_open(path, &file, ERROR));
    OK(ts_hdf_put_group(file, "fclib_global/G", ERROR));
    OK(ts_hdf_put_ints(file, "fclib_global/G/n", (const int32_t[]){2}, 1, ERROR));
    OK(ts_hdf_save(file, ERROR));
    ts_hdf_close(file);
    refuse(path, TS_UNSUPPORTED, "2 equality constraints");
    refuse("no-such-file.hdf5", TS_BAD_INPUT, "no-such-file.hdf5");
}

/* Cut short anywhere; and things that are no HDF5 at all. */
static void damaged_files_are_refused(void **state)
{
    (void)state;
    char *bytes;
    size_t size;
    write_it();
    OK(ts_file_read(path, 1 << 20, &bytes, &size, ERROR));
    for (size_t cut = 0; cut < size; cut += cut < 200 ? 7 : size / 50) {
        ts_problem p = {0};
        OK(ts_file_write("cut.hdf5", bytes, cut, ERROR));
        ts_status status = ts_fclib_read("cut.hdf5", &p, NULL, ERROR);
        assert_true(status == TS_CORRUPT || status == TS_BAD_INPUT);
        assert_true(strlen(ERROR->message) > 10);
    }
    memset(bytes, 0, size);
    OK(ts_file_write("cut.hdf5", bytes, size, ERROR));
    refuse("cut.hdf5", TS_CORRUPT, "no HDF5 file");
    OK(ts_file_write("cut.hdf5", "{\"touchstone\": 1}", 17, ERROR));
    refuse("cut.hdf5", TS_CORRUPT, "no HDF5 file");
    ts_free(bytes);
}

static void nothing_is_no_problem(void **state)
{
    (void)state;
    ts_problem p = {0};
    OK(ts_problem_create(&p, 0, 0, 3, 2, ERROR));
    assert_int_equal(ts_fclib_write(path, &p, &about, ERROR), TS_BAD_INPUT);
    ts_problem_free(&p);
    make(&p);
    assert_int_equal(ts_fclib_write("no/such/folder/p.hdf5", &p, &about, ERROR), TS_IO);
    ts_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(writing_is_repeatable),
        cmocka_unit_test(solutions_stay_in_the_file),
#if TS_HAVE_FCLIB
        cmocka_unit_test(fclib_reads_ours),
        cmocka_unit_test(fclib_reads_our_solution),
        cmocka_unit_test(we_read_fclib),
#endif
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(bad_indices_are_refused),
        cmocka_unit_test(empty_columns_are_refused),
        cmocka_unit_test(other_kinds_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(nothing_is_no_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    ts_problem p = {0};
    ts_error error;
    return ts_fclib_read("problem.hdf5", &p, NULL, &error) == TS_UNSUPPORTED && strstr(error.message, "libhdf5-dev")
               ? 77
               : 1;
}

#endif
