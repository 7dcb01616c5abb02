/* SPDX-License-Identifier: MIT */
/* Folding: the gap of a pose is that of the folded one, all poses of a class fold to one, and the way back gives the
 * pose's own gradient. Truth is the exact gap, which knows nothing of symmetry, and groups that are known by
 * construction. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "cspace/exact.h"
#include "cspace/fold.h"
#include "cspace/forms.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_fold_kernels, ts_fold);

typedef struct scene {
    form a, b;
    ts_pair *pair;
    ts_exact *exact;
    ts_fold fold;
} scene;

static scene begin(form a, form b)
{
    scene s = {.a = a, .b = b};
    /* equal forms come as equal outlines; others at other sizes as well */
    ts_outline *oa = form_make(a, 1), *ob = form_make(b, a == b ? 1 : 0.7);
    OK(ts_pair_create(oa, ob, &s.pair, ERROR));
    OK(ts_exact_create(s.pair, &s.exact, ERROR));
    s.fold = ts_fold_make(s.pair, true);
    ts_outline_free(oa);
    ts_outline_free(ob);
    return s;
}

static void end(scene *s)
{
    ts_exact_free(s->exact);
    ts_pair_free(s->pair);
}

/* Pose i: within reach, at any angle, many turns among them. */
static void random_pose(const scene *s, uint64_t i, double pose[3])
{
    double direction = ts_random_range(5, 0, i, -TS_PI, TS_PI);
    double away = s->pair->reach * sqrt(ts_random_range(5, 1, i, 0, 1));
    pose[0] = away * cos(direction);
    pose[1] = away * sin(direction);
    pose[2] = ts_random_range(5, 2, i, -9, 9) * (i % 8 == 0 ? 10 : 1);
}

static void put(ts_fields *f, size_t i, const double pose[3])
{
    f->x[i] = pose[0];
    f->y[i] = pose[1];
    f->angle[i] = pose[2];
}

static void fold_one(const ts_fold *fold, const double pose[3], double folded[3], ts_folding *folding)
{
    ts_fields f;
    put(&f, 0, pose);
    ts_fold_apply(fold, 1, &f, folding);
    folded[0] = f.x[0];
    folded[1] = f.y[0];
    folded[2] = f.angle[0];
}

/* How far a folded pose lies outside of the domain that fold.h states. */
static double outside(const ts_fold *fold, const double q[3])
{
    double worst = fmax(-q[2], fold->period > 0 ? (q[2] < fold->period ? 0 : 1) : fabs(q[2]));
    if (fold->turns_a == 0)
        return fmax(worst, fmax(fabs(q[1]), -q[0]));
    double u = atan2(q[1], q[0]) - fold->axis_a;
    u -= 2 * TS_PI * floor((u + 1e-9) / (2 * TS_PI));
    worst = fmax(worst, u - fold->sector);
    if (fold->exchange && !fold->mirror)
        worst = fmax(worst, q[2] - fold->period / 2);
    if (fold->exchange && fold->mirror) {
        double w = q[2] - TS_PI;
        w -= fold->period * floor(w / fold->period);
        worst = fmax(worst, 2 * u - w);
    }
    return worst;
}

static void domain_is_as_small_as_the_groups_say(void **state)
{
    (void)state;
    for (form a = 0; a < FORM_COUNT; a++)
        for (form b = 0; b < FORM_COUNT; b++) {
            scene s = begin(a, b);
            form_group ga = form_symmetry(a), gb = form_symmetry(b);
            double order = fmax(1, ga.turns) * fmax(1, gb.turns) * (ga.mirror && gb.mirror && ga.turns > 0 ? 2 : 1) *
                           (a == b && ga.turns > 0 ? 2 : 1);
            NEAR(s.fold.order, order, 0);
            end(&s);
        }
}

static void gap_does_not_change(void **state)
{
    (void)state;
    for (form a = 0; a < FORM_COUNT; a++)
        for (form b = 0; b < FORM_COUNT; b++) {
            scene s = begin(a, b);
            for (uint64_t i = 0; i < 60; i++) {
                double pose[3], folded[3];
                ts_folding folding;
                random_pose(&s, 100 * (a * FORM_COUNT + b) + i, pose);
                fold_one(&s.fold, pose, folded, &folding);
                NEAR(outside(&s.fold, folded), 0, 1e-14);
                double there = ts_exact_at(s.exact, folded[0], folded[1], folded[2], HUGE_VAL).gap;
                NEAR(there, ts_exact_at(s.exact, pose[0], pose[1], pose[2], HUGE_VAL).gap, 1e-12);
            }
            end(&s);
        }
}

/* q → g q h⁻¹ for turn i of A and k of B, mirrored or not; and q⁻¹. By hand, from the groups. */
static void move(const scene *s, const double q[3], int i, int k, bool flip, double to[3])
{
    form_group ga = form_symmetry(s->a), gb = form_symmetry(s->b);
    double ta = ga.turns > 0 ? 2 * TS_PI * i / ga.turns : 1.1 * i, tb = gb.turns > 0 ? 2 * TS_PI * k / gb.turns : k;
    double y = flip ? -q[1] : q[1], angle = flip ? -q[2] : q[2];
    ta += flip ? 2 * ga.axis : 0;
    tb += flip ? 2 * gb.axis : 0;
    to[0] = cos(ta) * q[0] - sin(ta) * y;
    to[1] = sin(ta) * q[0] + cos(ta) * y;
    to[2] = angle + ta - tb;
}

static void invert(const double q[3], double to[3])
{
    double c = cos(q[2]), s = sin(q[2]);
    to[0] = -(c * q[0] + s * q[1]);
    to[1] = -(c * q[1] - s * q[0]);
    to[2] = -q[2];
}

static void a_class_folds_to_one_pose(void **state)
{
    (void)state;
    for (form a = 0; a < FORM_COUNT; a++)
        for (form b = 0; b < FORM_COUNT; b++) {
            scene s = begin(a, b);
            bool mirror = form_symmetry(a).mirror && form_symmetry(b).mirror && form_symmetry(a).turns > 0;
            for (uint64_t i = 0; i < 200; i++) {
                double pose[3], moved[3], first[3], second[3];
                ts_folding folding;
                random_pose(&s, 7000 + i, pose);
                move(&s, pose, (int)(i % 7), (int)(i % 5), mirror && i % 2, moved);
                if (a == b && i % 3 == 0)
                    invert(memcpy(second, moved, sizeof second), moved);
                fold_one(&s.fold, pose, first, &folding);
                fold_one(&s.fold, moved, second, &folding);
                for (int k = 0; k < 3; k++)
                    NEAR(first[k], second[k], 1e-12);
                /* and a folded pose stays */
                fold_one(&s.fold, first, second, &folding);
                for (int k = 0; k < 3; k++)
                    NEAR(first[k], second[k], 1e-14);
            }
            end(&s);
        }
}

/* Central differences of the exact gap; false where it has a kink, since the sides then disagree. */
static bool differences(const ts_exact *exact, const double q[3], double gradient[3])
{
    const double h = 1e-5;
    double here = ts_exact_at(exact, q[0], q[1], q[2], HUGE_VAL).gap;
    bool smooth = true;
    for (int k = 0; k < 3; k++) {
        double p[3] = {q[0], q[1], q[2]}, m[3] = {q[0], q[1], q[2]};
        p[k] += h;
        m[k] -= h;
        double up = (ts_exact_at(exact, p[0], p[1], p[2], HUGE_VAL).gap - here) / h;
        double down = (here - ts_exact_at(exact, m[0], m[1], m[2], HUGE_VAL).gap) / h;
        gradient[k] = 0.5 * (up + down);
        smooth = smooth && fabs(up - down) < 1e-3;
    }
    return smooth;
}

static void gradient_and_arm_come_back(void **state)
{
    (void)state;
    int compared = 0, kinks = 0;
    for (form a = 0; a < FORM_COUNT; a++)
        for (form b = 0; b < FORM_COUNT; b++) {
            scene s = begin(a, b);
            enum { poses = 14 };
            ts_fields f;
            ts_folding folding[poses];
            double pose[poses][3];
            for (uint64_t i = 0; i < poses; i++) {
                random_pose(&s, 20000 + 50 * (a * FORM_COUNT + b) + i, pose[i]);
                put(&f, i, pose[i]);
            }
            ts_fold_apply(&s.fold, poses, &f, folding);
            ts_exact_query(s.exact, poses, &f);
            ts_fold_undo(&s.fold, poses, &f, folding);
            for (size_t i = 0; i < poses; i++) {
                double g[3];
                assert_memory_equal(&f.x[i], &pose[i][0], sizeof(double));
                assert_memory_equal(&f.y[i], &pose[i][1], sizeof(double));
                assert_memory_equal(&f.angle[i], &pose[i][2], sizeof(double));
                if (!differences(s.exact, pose[i], g)) {
                    kinks++;
                    continue;
                }
                compared++;
                NEAR(f.gx[i], g[0], 1e-4);
                NEAR(f.gy[i], g[1], 1e-4);
                NEAR(f.gangle[i], g[2], 1e-4);
                ts_exact_contact own = ts_exact_at(s.exact, pose[i][0], pose[i][1], pose[i][2], HUGE_VAL);
                NEAR(f.gap[i], own.gap, 1e-12);
                if (hypot(own.gradient[0], own.gradient[1]) > 0.1)
                    NEAR(f.arm[i], own.arm, 1e-8);
            }
            end(&s);
        }
    assert_true(kinks < compared / 4);
}

/* On borders, at the centre, at whole turns: finite, inside, and the same gap. */
static void borders_are_harmless(void **state)
{
    (void)state;
    for (form a = 0; a < FORM_COUNT; a++) {
        scene s = begin(a, a);
        double step = s.fold.sector > 0 ? s.fold.sector : 0.5, turn = s.fold.period > 0 ? s.fold.period / 2 : 0.5;
        for (int i = -4; i <= 4; i++)
            for (int k = -4; k <= 4; k++) {
                double direction = s.fold.axis_a + i * step, away = (k + 4) * 0.25 * (i % 2 ? 1 : 0.5);
                double pose[3] = {away * cos(direction), away * sin(direction), k * turn + TS_PI * (i % 2)}, folded[3];
                ts_folding folding;
                fold_one(&s.fold, pose, folded, &folding);
                assert_true(isfinite(folded[0]) && isfinite(folded[1]) && folded[2] >= 0);
                assert_true(folded[2] < s.fold.period || s.fold.period == 0);
                NEAR(ts_exact_at(s.exact, folded[0], folded[1], folded[2], HUGE_VAL).gap,
                     ts_exact_at(s.exact, pose[0], pose[1], pose[2], HUGE_VAL).gap, 1e-11);
            }
        end(&s);
    }
}

static void unfolded_poses_pass(void **state)
{
    (void)state;
    scene s = begin(HASH, ZED);
    ts_fold none = ts_fold_make(s.pair, false);
    ts_fields f = {.x = {0.5}, .y = {-2}, .angle = {7 * TS_PI + 0.25}};
    ts_folding folding;
    ts_fold_apply(&none, 1, &f, &folding);
    NEAR(f.x[0], 0.5, 0);
    NEAR(f.y[0], -2, 0);
    NEAR(f.angle[0], 0.25 - TS_PI, 1e-14);
    f.gap[0] = 1, f.gx[0] = 2, f.gy[0] = 3, f.gangle[0] = 4, f.arm[0] = 5;
    ts_fold_undo(&none, 1, &f, &folding);
    NEAR(f.gx[0] + 10 * f.gy[0] + 100 * f.gangle[0] + 1000 * f.arm[0], 5432, 0);
    NEAR(f.angle[0], 7 * TS_PI + 0.25, 0);
    end(&s);
}

/* A disc feels no torque, whatever a field says of it. */
static void discs_feel_no_torque(void **state)
{
    (void)state;
    const form other[] = {DISC, ROTOR, BOX, HASH};
    for (size_t k = 0; k < 8; k++) {
        bool first = k % 2;
        scene s = begin(first ? DISC : other[k / 2], first ? other[k / 2] : DISC);
        for (uint64_t i = 0; i < 50; i++) {
            double pose[3];
            ts_fields f;
            ts_folding folding;
            random_pose(&s, i, pose);
            if (i == 0)
                pose[0] = pose[1] = 0;
            put(&f, 0, pose);
            ts_fold_apply(&s.fold, 1, &f, &folding);
            f.gap[0] = 0.1, f.gx[0] = 0.6, f.gy[0] = 0.3, f.gangle[0] = ts_random_range(8, 0, i, -2, 2), f.arm[0] = 0.4;
            ts_fold_undo(&s.fold, 1, &f, &folding);
            if (first) /* about A: turning all of it changes nothing */
                NEAR(f.gangle[0] + pose[0] * f.gy[0] - pose[1] * f.gx[0], 0, 1e-14);
            else
                NEAR(f.gangle[0], 0, 0);
            assert_true(isfinite(f.gx[0]) && isfinite(f.gy[0]) && isfinite(f.arm[0]));
            assert_true(hypot(f.gx[0], f.gy[0]) <= 4.1);
        }
        end(&s);
    }
}

/* Every instruction set, and every place in a batch, gives the same bits. */
static void kernels_agree(void **state)
{
    (void)state;
    const form of[][2] = {{HASH, HASH}, {ROTOR, ROTOR}, {DISC, BOX}, {BOX, DISC}, {HASH, LUMP}, {BENT, BENT}};
    static ts_fields all, other, one;
    static ts_folding folding[TS_FIELD_BATCH], foldings[TS_FIELD_BATCH], single;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        scene s = begin(of[k][0], of[k][1]);
        memset(&all, 0, sizeof all);
        for (size_t i = 0; i < 255; i++) {
            double pose[3];
            random_pose(&s, i, pose);
            if (i % 10 == 0)
                pose[i / 10 % 3] = 0;
            if (i == 7)
                pose[2] = 1e9;
            put(&all, i, pose);
            all.gap[i] = 0.1, all.gx[i] = 0.7, all.gy[i] = -0.2 * (double)i, all.gangle[i] = 0.3, all.arm[i] = 0.4;
        }
        ts_fields given = all;
        ts_fold_baseline.apply(&s.fold, 255, &all, folding);
        for (size_t i = 0; i < 255; i += 9) {
            memset(&one, 0, sizeof one);
            put(&one, 0, (double[3]){given.x[i], given.y[i], given.angle[i]});
            ts_fold_apply(&s.fold, 1, &one, &single);
            assert_memory_equal(&one.x[0], &all.x[i], sizeof(double));
            assert_memory_equal(&one.y[0], &all.y[i], sizeof(double));
            assert_memory_equal(&one.angle[0], &all.angle[i], sizeof(double));
        }
        for (int isa = 1; isa < ts_test_isa_count(); isa++) {
            other = given;
            ts_fold_table[isa]->apply(&s.fold, 255, &other, foldings);
            assert_memory_equal(other.x, all.x, 255 * sizeof(double));
            assert_memory_equal(other.y, all.y, 255 * sizeof(double));
            assert_memory_equal(other.angle, all.angle, 255 * sizeof(double));
            ts_fields back = all;
            ts_fold_baseline.undo(&s.fold, 255, &back, folding);
            ts_fold_table[isa]->undo(&s.fold, 255, &other, foldings);
            assert_memory_equal(other.gx, back.gx, 255 * sizeof(double));
            assert_memory_equal(other.gy, back.gy, 255 * sizeof(double));
            assert_memory_equal(other.gangle, back.gangle, 255 * sizeof(double));
            assert_memory_equal(other.arm, back.arm, 255 * sizeof(double));
        }
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domain_is_as_small_as_the_groups_say),
        cmocka_unit_test(gap_does_not_change),
        cmocka_unit_test(a_class_folds_to_one_pose),
        cmocka_unit_test(gradient_and_arm_come_back),
        cmocka_unit_test(borders_are_harmless),
        cmocka_unit_test(unfolded_poses_pass),
        cmocka_unit_test(discs_feel_no_torque),
        cmocka_unit_test(kernels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
