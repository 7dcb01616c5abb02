/* SPDX-License-Identifier: MIT */
/* Tables against the exact gap at poses that they were not made from, against closed forms, and against bytes that were
 * tampered with. */
#include "cspace/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "cspace/table_kernel.h"
#include "forms.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_table_kernels, ts_table);

/* A pair with all that its tables are made from. */
typedef struct bench {
    ts_pair *pair;
    ts_exact *exact;
    ts_fold fold;
} bench;

enum { PENTAGON = FORM_COUNT, PIN }; /* five mirrors; four turns and none */

static ts_outline *outline_of(unsigned which, double size)
{
    const double blade[3][2] = {{0.3, -0.05}, {1, 0.1}, {0.7, 0.35}};
    double point[12][2];
    ts_outline *o = NULL, *placed;
    if (which < (unsigned)FORM_COUNT)
        return form_make((form)which, size);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) {
            double c = k == 0 ? 1 : k == 2 ? -1 : 0, s = k == 1 ? 1 : k == 3 ? -1 : 0;
            point[3 * k + i][0] = c * blade[i][0] - s * blade[i][1];
            point[3 * k + i][1] = s * blade[i][0] + c * blade[i][1];
        }
    if (which == (unsigned)PIN)
        o = form_polygon(point, 12);
    else
        OK(ts_outline_regular(5, 0.9, &o, ERROR));
    OK(ts_outline_place(o, size, 0.7, (double[2]){1, 2}, &placed, ERROR));
    ts_outline_free(o);
    return placed;
}

static bench begin(unsigned a, unsigned b, double size_b)
{
    bench t;
    ts_outline *oa = outline_of(a, 1), *ob = outline_of(b, size_b);
    OK(ts_pair_create(oa, ob, &t.pair, ERROR));
    OK(ts_exact_create(t.pair, &t.exact, ERROR));
    t.fold = ts_fold_for_table(t.pair, true);
    ts_outline_free(oa);
    ts_outline_free(ob);
    return t;
}

static void end(bench *t, ts_table *table)
{
    ts_table_free(table);
    ts_exact_free(t->exact);
    ts_pair_free(t->pair);
}

static ts_table *make(const bench *t, double spacing, int bits, ts_pool *pool)
{
    ts_table *table;
    const ts_table_form wanted = {.spacing = spacing, .bits = bits};
    OK(ts_table_create(t->exact, t->pair, &t->fold, &wanted, pool, NULL, NULL, &table, ERROR));
    return table;
}

static ts_random R;

static void any_pose(double reach, double pose[3])
{
    double r = reach * sqrt(ts_random_next_uniform(&R)), u = ts_random_next_range(&R, -TS_PI, TS_PI);
    pose[0] = r * cos(u), pose[1] = r * sin(u);
    pose[2] = ts_random_next_range(&R, -TS_PI, TS_PI);
}

/* As a map asks: fold, look up, unfold. */
static void ask(const bench *t, const ts_table *table, size_t count, ts_fields *f)
{
    ts_folding folding[TS_FIELD_BATCH];
    ts_fold_apply(&t->fold, count, f, folding);
    ts_table_query(table, count, f);
    ts_fold_undo(&t->fold, count, f, folding);
}

static ts_exact_contact ask_at(const bench *t, const ts_table *table, double x, double y, double angle)
{
    static ts_fields f;
    f.x[0] = x, f.y[0] = y, f.angle[0] = angle;
    ask(t, table, 1, &f);
    return (ts_exact_contact){f.gap[0], {f.gx[0], f.gy[0], f.gangle[0]}, f.arm[0], {0, 0}};
}

/* A pose whose true gap is at most `most` in size. */
static ts_exact_contact near_pose(const bench *t, double most, double pose[3])
{
    for (;;) {
        any_pose(t->pair->reach + most, pose);
        ts_exact_contact c = ts_exact_at(t->exact, pose[0], pose[1], pose[2], most);
        if (fabs(c.gap) <= most)
            return c;
    }
}

/* ---- Errors ---- */

/* Mean and worst error of the gap near contact, and the mean error of the arm. */
static void check_errors(form a, form b, double spacing, double mean_most, double worst_most)
{
    bench t = begin(a, b, 0.8);
    if (a == b) { /* equal outlines, so that exchange is folded as well */
        end(&t, NULL);
        t = begin(a, b, 1);
    }
    ts_table *table = make(&t, spacing, 8, NULL);
    double sum = 0, worst = 0, pose[3];
    const int count = 200;
    for (int i = 0; i < count; i++) {
        ts_exact_contact truth = near_pose(&t, 0.1, pose), c = ask_at(&t, table, pose[0], pose[1], pose[2]);
        sum += fabs(c.gap - truth.gap);
        worst = fmax(worst, fabs(c.gap - truth.gap));
    }
    if (getenv("TS_TEST_SHOW"))
        print_message("%d %d: %zu bytes, mean %.5f worst %.5f\n", a, b, ts_table_bytes(table), sum / count, worst);
    assert_true(sum / count <= mean_most);
    assert_true(worst <= worst_most);
    end(&t, table);
}

/* Every way of folding; seams are where random poses land as well. */
static void test_errors(void **state)
{
    (void)state;
    R = ts_random_make(3, 1);
    check_errors(HASH, HASH, 0.12, 0.01, 0.06);   /* mirrors, turns, exchange */
    check_errors(ZED, ZED, 0.15, 0.01, 0.06);     /* turns, exchange */
    check_errors(OCTAGON, BOX, 0.1, 0.01, 0.06);  /* mirrors, turns */
    check_errors(ROTOR, HASH, 0.15, 0.01, 0.06);  /* turns */
    check_errors(BENT, BENT, 0.2, 0.02, 0.1);     /* mirror, exchange */
    check_errors(DISC, ROTOR, 0.05, 0.005, 0.03); /* no y */
    check_errors(ROTOR, RING, 0.05, 0.005, 0.03); /* no angle */
    check_errors(LUMP, ROTOR, 0.25, 0.02, 0.1);   /* turns of B alone */
}

/* Halving the spacing takes the mean error down to well below two thirds, bits of quantisation aside. */
static void test_convergence(void **state)
{
    (void)state;
    R = ts_random_make(4, 1);
    bench t = begin(OCTAGON, BOX, 0.8);
    ts_table *coarse = make(&t, 0.16, 16, NULL), *fine = make(&t, 0.08, 16, NULL);
    double sum[2] = {0}, pose[3];
    for (int i = 0; i < 500; i++) {
        ts_exact_contact truth = near_pose(&t, 0.1, pose);
        sum[0] += fabs(ask_at(&t, coarse, pose[0], pose[1], pose[2]).gap - truth.gap);
        sum[1] += fabs(ask_at(&t, fine, pose[0], pose[1], pose[2]).gap - truth.gap);
    }
    assert_true(sum[1] < 0.6 * sum[0]);
    assert_true(ts_table_bytes(fine) > 3 * ts_table_bytes(coarse));
    ts_table_free(coarse);
    end(&t, fine);
}

/* Two discs: gap = x - (R_A + R_B), all the way in and out; the contact point lies R_A + gap / 2 from A's centre. */
static void test_discs(void **state)
{
    (void)state;
    for (int bits = 8; bits <= 16; bits += 8) {
        bench t = begin(DISC, DISC, 0.5);
        double ra = t.pair->radius_a, rb = t.pair->radius_b, tolerance = bits == 8 ? 4e-3 : 3e-5;
        ts_table *table = make(&t, 0.05, bits, NULL);
        const double deep = ts_table_get_form(table).deep, far = ts_table_get_form(table).far;
        NEAR(deep, 0.3 * rb, 1e-12); /* shares of the smaller radius */
        for (double r = 0.1; r < 3; r += 0.0137)
            for (double u = -3; u < 3; u += 0.7) {
                ts_exact_contact c = ask_at(&t, table, r * cos(u), r * sin(u), 2 * u);
                bool kept = r > ra + rb - deep && r<ra + rb + far, beyond = r> ra + rb + far + 0.1;
                double steep = bits == 8 ? 0.06 : 1e-3;
                if (kept || r < ra + rb - deep)
                    NEAR(c.gap, r - ra - rb, kept ? tolerance : tolerance + steep * (ra + rb - deep - r));
                if (beyond)
                    NEAR(c.gap, r - ra - rb, 1e-12);
                NEAR(hypot(c.gradient[0] - cos(u), c.gradient[1] - sin(u)), 0, steep);
                NEAR(c.gradient[2], 0, 1e-12);
                if (kept)
                    NEAR(c.arm, ra + 0.5 * (r - ra - rb), 0.02);
            }
        end(&t, table);
    }
}

/* ---- Smoothness ---- */

static const form smooth_pair[3][2] = {{HASH, HASH}, {ZED, BOX}, {DISC, ROTOR}};

/* The gradient is that of the gap: central differences, on folded poses. */
static void test_gradient(void **state)
{
    (void)state;
    R = ts_random_make(5, 1);
    for (int n = 0; n < 3; n++) {
        bench t = begin(smooth_pair[n][0], smooth_pair[n][1], 1);
        ts_table *table = make(&t, 0.16, n == 0 ? 16 : 8, NULL);
        for (int i = 0; i < 100; i++) {
            double pose[3];
            near_pose(&t, 0.08, pose);
            static ts_fields f;
            ts_folding folding[1];
            f.x[0] = pose[0], f.y[0] = pose[1], f.angle[0] = pose[2];
            ts_fold_apply(&t.fold, 1, &f, folding);
            const double x = f.x[0], y = f.y[0], angle = f.angle[0], h = 1e-4;
            for (int k = 0; k < 7; k++) {
                f.x[k] = x + (k == 1 ? h : k == 2 ? -h : 0);
                f.y[k] = y + (k == 3 ? h : k == 4 ? -h : 0);
                f.angle[k] = angle + (k == 5 ? h : k == 6 ? -h : 0);
            }
            ts_table_query(table, 7, &f);
            NEAR((f.gap[1] - f.gap[2]) / (2 * h), f.gx[0], 6e-3);
            if (smooth_pair[n][0] != DISC)
                NEAR((f.gap[3] - f.gap[4]) / (2 * h), f.gy[0], 6e-3);
            else
                NEAR(x * f.gy[0] + f.gangle[0], 0, 1e-12);
            NEAR((f.gap[5] - f.gap[6]) / (2 * h), f.gangle[0], 6e-3);
        }
        end(&t, table);
    }
}

/* C¹: a short step changes the gradient little, also from one cell to the next. */
static void test_no_jumps(void **state)
{
    (void)state;
    R = ts_random_make(6, 1);
    bench t = begin(LUMP, ROTOR, 1);
    ts_table *table = make(&t, 0.3, 8, NULL);
    static ts_fields f;
    const double step = 1e-5;
    for (int i = 0; i < 40; i++) {
        double pose[3];
        near_pose(&t, 0.05, pose);
        /* many short steps along a way of 0.02, and its ends */
        for (size_t k = 0; k < TS_FIELD_BATCH; k++) {
            double at = 0.02 * (double)(k / 2) / (TS_FIELD_BATCH / 2) + (k % 2 ? step : 0);
            f.x[k] = pose[0] + at, f.y[k] = pose[1] - 0.7 * at, f.angle[k] = pose[2] + 0.9 * at;
        }
        ask(&t, table, TS_FIELD_BATCH, &f);
        for (size_t k = 0; k + 1 < TS_FIELD_BATCH; k += 2) {
            NEAR(f.gap[k + 1], f.gap[k], 5 * step);
            NEAR(f.gx[k + 1], f.gx[k], 40 * step);
            NEAR(f.gy[k + 1], f.gy[k], 40 * step);
            NEAR(f.gangle[k + 1], f.gangle[k], 40 * step);
        }
    }
    end(&t, table);
}

/* One configuration on a wall of the folded domain, and the two folded poses that stand for it: coming from either
 * side, gap and gradient are the same, as far as a short step lets them be. Walls are directions a multiple of the
 * sector from A's axis, and angles a multiple of the period from 0. */
static void check_walls(unsigned a, unsigned b, double size_b, double spacing)
{
    bench t = begin(a, b, size_b);
    ts_table *table = make(&t, spacing, 8, NULL);
    const double step = 1e-6, band = 0.1 * t.pair->small;
    const int sectors = t.fold.sector > 0 ? (int)rint(2 * TS_PI / t.fold.sector) : 1;
    double jump = 0, kink = 0;
    for (int wall = 0; wall < sectors; wall++)
        for (int i = 0; i < 200; i++) {
            double r = ts_random_next_range(&R, 0, t.pair->reach), angle = ts_random_next_range(&R, -TS_PI, TS_PI);
            double u = t.fold.axis_a + wall * t.fold.sector;
            bool turning = i % 4 == 0; /* over a wall of the angle instead, in the domain itself */
            if (turning) {
                u = t.fold.axis_a + ts_random_next_uniform(&R) * t.fold.sector;
                angle = wall % 2 ? t.fold.period : 0;
            }
            static ts_fields f;
            for (int side = 0; side < 2; side++) {
                double by = side ? step : -step;
                f.x[side] = r * cos(u) - (turning ? 0 : by * sin(u));
                f.y[side] = r * sin(u) + (turning ? 0 : by * cos(u));
                f.angle[side] = angle + (turning ? by : 0);
            }
            ask(&t, table, 2, &f);
            if (fabs(f.gap[0]) > band)
                continue;
            jump = fmax(jump, fabs(f.gap[1] - f.gap[0]));
            kink = fmax(kink, hypot(f.gx[1] - f.gx[0], f.gy[1] - f.gy[0]) + fabs(f.gangle[1] - f.gangle[0]));
        }
    if (getenv("TS_TEST_SHOW"))
        print_message("%d %d: jump %.2e, kink %.2e\n", a, b, jump, kink);
    assert_true(jump <= 1e-5);
    assert_true(kink <= 2e-4);
    end(&t, table);
}

static void test_walls(void **state)
{
    (void)state;
    R = ts_random_make(13, 1);
    check_walls(HASH, HASH, 1, 0.15);
    check_walls(OCTAGON, BOX, 0.8, 0.1);
    check_walls(ROTOR, ROTOR, 1, 0.2);
    check_walls(PENTAGON, PENTAGON, 1, 0.15);
    check_walls(BENT, BENT, 1, 0.2);
    check_walls(LUMP, ROTOR, 1, 0.25);
    check_walls(ZED, ROTOR, 1, 0.25);
    check_walls(HASH, LUMP, 0.7, 0.2);
    check_walls(HASH, ROTOR, 0.7, 0.2);
    check_walls(BOX, RING, 0.6, 0.1);
    check_walls(PIN, BOX, 1, 0.15);
    check_walls(DISC, BOX, 1, 0.1);
}

/* ---- Beyond the band ---- */

static void test_beyond(void **state)
{
    (void)state;
    R = ts_random_make(7, 1);
    bench t = begin(OCTAGON, OCTAGON, 1);
    ts_table *table = make(&t, 0.1, 8, NULL);
    const ts_table_form made = ts_table_get_form(table);
    int deep = 0, far = 0;
    for (int i = 0; i < 2000; i++) {
        double pose[3];
        any_pose(3, pose);
        ts_exact_contact truth = ts_exact_at(t.exact, pose[0], pose[1], pose[2], HUGE_VAL);
        ts_exact_contact c = ask_at(&t, table, pose[0], pose[1], pose[2]);
        double out = pose[0] * c.gradient[0] + pose[1] * c.gradient[1];
        if (truth.gap > made.far + 0.05) {
            far++;
            assert_true(c.gap >= made.far);
            assert_true(out > 0);
        } else if (truth.gap < -made.deep - 0.05) {
            deep++;
            assert_true(c.gap <= -made.deep + 0.05);
            assert_true(out > 0); /* octagons are convex: the way out leads from the centre */
        }
    }
    assert_true(deep > 100 && far > 100);
    end(&t, table);
}

static bool all_finite(const ts_fields *f, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(f->gap[i]) || !isfinite(f->gx[i]) || !isfinite(f->gy[i]) || !isfinite(f->gangle[i]) ||
            !isfinite(f->arm[i]))
            return false;
    return true;
}

/* Poses near and far, and numbers that are none. */
static void wild_poses(size_t count, ts_fields *f)
{
    static const double wild[] = {0,      -0.0,     1e-300,    1e6,         -1e9, 1e300,
                                  -1e300, HUGE_VAL, -HUGE_VAL, (double)NAN, 3.1,  -3.1};
    const size_t kinds = sizeof wild / sizeof *wild;
    for (size_t i = 0; i < count; i++) {
        double pose[3];
        any_pose(2.5, pose);
        f->x[i] = pose[0], f->y[i] = pose[1], f->angle[i] = pose[2];
        if (i % 4 == 1)
            f->x[i] = wild[i / 4 % kinds];
        if (i % 4 == 2)
            f->y[i] = wild[i / 4 % kinds];
        if (i % 8 == 3)
            f->angle[i] = wild[i / 8 % kinds];
    }
}

static void test_wild_poses(void **state)
{
    (void)state;
    R = ts_random_make(8, 1);
    for (int n = 0; n < 3; n++) {
        bench t = begin(smooth_pair[n][0], smooth_pair[n][1], 1);
        ts_table *table = make(&t, 0.2, 8, NULL);
        static ts_fields f;
        wild_poses(TS_FIELD_BATCH, &f);
        ts_table_query(table, TS_FIELD_BATCH, &f);
        assert_true(all_finite(&f, TS_FIELD_BATCH));
        end(&t, table);
    }
}

/* ---- The same bits ---- */

static bool same_answers(const ts_fields *f, size_t i, const ts_fields *g, size_t j)
{
    return memcmp(&f->gap[i], &g->gap[j], sizeof(double)) == 0 && memcmp(&f->gx[i], &g->gx[j], sizeof(double)) == 0 &&
           memcmp(&f->gy[i], &g->gy[j], sizeof(double)) == 0 &&
           memcmp(&f->gangle[i], &g->gangle[j], sizeof(double)) == 0 &&
           memcmp(&f->arm[i], &g->arm[j], sizeof(double)) == 0;
}

/* Every instruction set, alone and in a batch, 8 and 16 bits. */
static void test_kernels(void **state)
{
    (void)state;
    R = ts_random_make(9, 1);
    for (int n = 0; n < 3; n++) {
        bench t = begin(smooth_pair[n][0], smooth_pair[n][1], 1);
        ts_table *table = make(&t, 0.15, n == 1 ? 16 : 8, NULL);
        static ts_fields f, g;
        wild_poses(TS_FIELD_BATCH, &f);
        g = f;
        ts_table_table[0]->query(table, TS_FIELD_BATCH, &f);
        for (int isa = 1; isa < ts_test_isa_count(); isa++) {
            ts_table_table[isa]->query(table, TS_FIELD_BATCH, &g);
            for (size_t i = 0; i < TS_FIELD_BATCH; i++)
                assert_true(same_answers(&f, i, &g, i));
        }
        for (size_t i = 0; i < TS_FIELD_BATCH; i++) {
            g.x[0] = f.x[i], g.y[0] = f.y[i], g.angle[0] = f.angle[i];
            ts_table_query(table, 1, &g);
            assert_true(same_answers(&f, i, &g, 0));
        }
        end(&t, table);
    }
}

static void test_threads(void **state)
{
    (void)state;
    bench t = begin(HASH, BOX, 1);
    unsigned char *bytes[3];
    size_t size[3];
    for (int n = 0; n < 3; n++) {
        ts_pool *pool;
        OK(ts_pool_create(n + 1, &pool, ERROR));
        ts_table *table = make(&t, 0.2, 8, pool);
        OK(ts_table_save(table, &bytes[n], &size[n], ERROR));
        ts_table_free(table);
        ts_pool_free(pool);
        assert_int_equal(size[n], size[0]);
        assert_memory_equal(bytes[n], bytes[0], size[0]);
    }
    for (int n = 0; n < 3; n++)
        ts_free(bytes[n]);
    end(&t, NULL);
}

/* ---- Bytes ---- */

static void test_save_and_load(void **state)
{
    (void)state;
    R = ts_random_make(10, 1);
    for (int bits = 8; bits <= 16; bits += 8) {
        bench t = begin(HASH, HASH, 1);
        ts_table *table = make(&t, 0.15, bits, NULL), *again;
        unsigned char *bytes, *twice;
        size_t size, size_twice;
        OK(ts_table_save(table, &bytes, &size, ERROR));
        OK(ts_table_load(bytes, size, &again, ERROR));
        OK(ts_table_save(again, &twice, &size_twice, ERROR));
        assert_int_equal(size, size_twice);
        assert_memory_equal(bytes, twice, size);
        assert_int_equal(ts_table_bytes(table), ts_table_bytes(again));
        static ts_fields f, g;
        wild_poses(TS_FIELD_BATCH, &f);
        g = f;
        ts_table_query(table, TS_FIELD_BATCH, &f);
        ts_table_query(again, TS_FIELD_BATCH, &g);
        for (size_t i = 0; i < TS_FIELD_BATCH; i++)
            assert_true(same_answers(&f, i, &g, i));
        ts_free(bytes);
        ts_free(twice);
        ts_table_free(again);
        end(&t, table);
    }
}

/* Kernels read arms as bytes, so a file with longer ones is no table. */
static void test_arms_of_two_bytes(void **state)
{
    (void)state;
    bench t = begin(DISC, BOX, 1);
    ts_table *table = make(&t, 0.25, 8, NULL), *other = NULL;
    unsigned char *bytes;
    size_t size, room = table->arm.count + TS_LATTICE_PAD;
    unsigned char *longer = ts_realloc(table->arm.value, room, 2 * room);
    assert_non_null(longer);
    table->arm.value = longer;
    table->arm.bits = 16;
    OK(ts_table_save(table, &bytes, &size, ERROR));
    ts_error error;
    assert_int_equal(ts_table_load(bytes, size, &other, &error), TS_CORRUPT);
    assert_non_null(strstr(error.message, "do not fit together"));
    ts_free(bytes);
    end(&t, table);
}

/* Whatever happens to the bytes: refused, or answers that are numbers. (Under the address sanitizer also: read where it
 * may.) */
static void test_tampering(void **state)
{
    (void)state;
    R = ts_random_make(11, 1);
    bench t = begin(DISC, BOX, 1);
    ts_table *table = make(&t, 0.25, 8, NULL), *other;
    unsigned char *bytes;
    size_t size, refused = 0, taken = 0;
    OK(ts_table_save(table, &bytes, &size, ERROR));
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(ts_table_load(bytes, cut, &other, ERROR), TS_CORRUPT);
    static const unsigned char flip[] = {1, 0x40, 0x80, 0xff};
    static ts_fields f;
    for (size_t at = 0; at < size; at++)
        for (size_t n = 0; n < sizeof flip; n++) {
            /* a block of its own, so that reading beyond it shows */
            unsigned char *copy = ts_alloc_raw(size, 1);
            assert_non_null(copy);
            memcpy(copy, bytes, size);
            copy[at] ^= flip[n];
            ts_status status = ts_table_load(copy, size, &other, ERROR);
            ts_free(copy);
            if (status != TS_OK) {
                assert_int_equal(status, TS_CORRUPT);
                refused++;
                continue;
            }
            taken++;
            wild_poses(128, &f);
            ts_table_query(other, 128, &f);
            assert_true(all_finite(&f, 128));
            ts_table_free(other);
        }
    assert_true(refused > 100 && taken > 100);
    ts_free(bytes);
    end(&t, table);
}

/* ---- Fitting ---- */

static void test_fit(void **state)
{
    (void)state;
    R = ts_random_make(12, 1);
    bench t = begin(HASH, DISC, 1);
    ts_table *rough, *fine, *none = NULL;
    OK(ts_table_fit(t.exact, t.pair, &t.fold, 0.01, 1 << 19, NULL, NULL, NULL, &rough, ERROR));
    OK(ts_table_fit(t.exact, t.pair, &t.fold, 0.001, 1 << 19, NULL, NULL, NULL, &fine, ERROR));
    assert_true(ts_table_bytes(rough) < ts_table_bytes(fine));
    double sum[2] = {0}, pose[3];
    for (int i = 0; i < 300; i++) {
        ts_exact_contact truth = near_pose(&t, 0.1, pose);
        sum[0] += fabs(ask_at(&t, rough, pose[0], pose[1], pose[2]).gap - truth.gap);
        sum[1] += fabs(ask_at(&t, fine, pose[0], pose[1], pose[2]).gap - truth.gap);
    }
    assert_true(sum[0] / 300 <= 0.011 && sum[1] / 300 <= 0.0011);
    assert_true(ts_table_reached(rough) && ts_table_reached(fine));
    /* within bytes, as good as it gets */
    const size_t small = 1200;
    ts_table_free(rough);
    OK(ts_table_fit(t.exact, t.pair, &t.fold, 1e-6, small, NULL, NULL, NULL, &rough, ERROR));
    assert_true(ts_table_bytes(rough) <= small && ts_table_bytes(rough) > small / 2);
    assert_false(ts_table_reached(rough));
    assert_int_equal(ts_table_fit(t.exact, t.pair, &t.fold, 0.01, 300, NULL, NULL, NULL, &none, ERROR), TS_BAD_INPUT);
    assert_null(none);
    ts_table_free(rough);
    end(&t, fine);
}

/* A peg in a hole with a little room all around: free, though no random pose tells. A table in which it is not free has
 * not reached what it should, however good its mean. */
static void test_pocket(void **state)
{
    (void)state;
    const double mouth[8][2] = {{-1, -0.6},   {0.8, -0.6}, {0.8, -0.15}, {-0.3, -0.15},
                                {-0.3, 0.15}, {0.8, 0.15}, {0.8, 0.6},   {-1, 0.6}};
    bench t;
    ts_outline *a = form_polygon(mouth, 8), *b;
    OK(ts_outline_box(1.2, 0.264, 0, &b, ERROR)); /* 0.018 m of room on either side */
    OK(ts_pair_create(a, b, &t.pair, ERROR));
    OK(ts_exact_create(t.pair, &t.exact, ERROR));
    t.fold = ts_fold_for_table(t.pair, true);
    const double centre = ts_outline_get_mass(a).centre[0], unit = t.pair->unit;
    for (int n = 0; n < 2; n++) {
        ts_table *table;
        OK(ts_table_fit(t.exact, t.pair, &t.fold, 0.01, n ? 1 << 16 : 5000, NULL, NULL, NULL, &table, ERROR));
        double x = (0.4 - centre) / unit;
        NEAR(unit * ts_exact_at(t.exact, x, 0, 0, HUGE_VAL).gap, 0.018, 1e-9);
        assert_true(!ts_table_reached(table) || ask_at(&t, table, x, 0, 0).gap > 0);
        assert_int_equal(ts_table_reached(table), n);
        ts_table_free(table);
    }
    ts_outline_free(a);
    ts_outline_free(b);
    end(&t, NULL);
}

/* As bodies come apart through the upper end of the band, the gap never falls, and ends as the distance of the centres
 * less the reach. */
static void test_saturation(void **state)
{
    (void)state;
    R = ts_random_make(14, 1);
    bench t = begin(OCTAGON, BOX, 0.8);
    ts_table *table = make(&t, 0.1, 8, NULL);
    const double far = ts_table_get_form(table).far;
    for (int i = 0; i < 60; i++) {
        double u = ts_random_next_range(&R, -TS_PI, TS_PI), angle = ts_random_next_range(&R, -TS_PI, TS_PI), last = -9;
        for (double r = 0.6; r < t.pair->reach + 0.5; r += 0.004) {
            double gap = ask_at(&t, table, r * cos(u), r * sin(u), angle).gap;
            if (last > 0.8 * far)
                assert_true(gap >= last - 1e-9 && gap <= last + 0.03);
            assert_true(gap <= fmax(far, r - t.pair->reach) + 1e-12);
            last = gap;
        }
        NEAR(last, 0.5, 0.0045);
    }
    end(&t, table);
}

static bool stop(void *user, double done, const char *what)
{
    (void)what;
    *(double *)user = done;
    return false;
}

static void test_refusals(void **state)
{
    (void)state;
    bench t = begin(BOX, BOX, 1);
    ts_table *table = NULL;
    const ts_table_form wrong[] = {{.spacing = -1}, {.spacing = (double)NAN}, {.spacing = 1e-4}, {.turn = 1e-9},
                                   {.deep = -1},    {.far = HUGE_VAL},        {.bits = 12}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(ts_table_create(t.exact, t.pair, &t.fold, &wrong[i], NULL, NULL, NULL, &table, ERROR),
                         TS_BAD_INPUT);
    double done = -1;
    const ts_table_form wanted = {.spacing = 0.2};
    assert_int_equal(ts_table_create(t.exact, t.pair, &t.fold, &wanted, NULL, stop, &done, &table, ERROR),
                     TS_INTERRUPTED);
    assert_true(done > 0 && done <= 1);
    assert_null(table);
    end(&t, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_convergence),
        cmocka_unit_test(test_discs),
        cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_no_jumps),
        cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_wild_poses),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_arms_of_two_bytes),
        cmocka_unit_test(test_tampering),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_pocket),
        cmocka_unit_test(test_saturation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
