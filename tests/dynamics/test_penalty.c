/* SPDX-License-Identifier: MIT */
/* The penalty law, contact by contact, against its definition (CEM, Appendix A) written down again in long double:
 * one point half-way into the overlap, a spring and a dashpot along the normal, and a spring that Coulomb's bound
 * shortens across it. */
/* the reference is in long double on purpose */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "dynamics/penalty.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_penalty_kernels, ts_penalty);

enum { FRAMES = 24, MATERIALS = 3 };

typedef enum branch { STICKS, PARTIAL, SLIDES, BRANCHES } branch;

/* All that one call of the kernel reads and writes. */
typedef struct setting {
    ts_frame2 frame[FRAMES];
    uint8_t material[FRAMES];
    ts_contact_law law[MATERIALS * MATERIALS];
    ts_contact_batch batch;
    double spring[TS_BATCH];
    ts_wrench wrench[FRAMES];
    double time_step;
    size_t material_count;
    bool may_pull;
} setting;

static double log_range(ts_random *r, double low, double high)
{
    return low * pow(high / low, ts_random_next_uniform(r));
}

/* Random frames, laws and contacts. Some springs are stretched far, some dashpots are strong: all branches come up. */
static void make_setting(setting *s, uint64_t seed, int count)
{
    ts_random r = ts_random_make(seed, 0);
    memset(s, 0, sizeof *s);
    s->time_step = log_range(&r, 1e-6, 1e-3);
    s->material_count = seed % 2 ? MATERIALS : 1;
    s->may_pull = seed % 4 >= 2;
    for (int i = 0; i < FRAMES; i++) {
        s->material[i] = (uint8_t)ts_random_next_below(&r, MATERIALS);
        s->frame[i] = (ts_frame2){.x = ts_random_next_normal(&r),
                                  .y = ts_random_next_normal(&r),
                                  .radius = 0.1,
                                  .vx = ts_random_next_normal(&r),
                                  .vy = ts_random_next_normal(&r),
                                  .spin = 5 * ts_random_next_normal(&r),
                                  .inv_mass = i % 5 == 0 ? 0 : log_range(&r, 0.01, 100)};
    }
    for (int i = 0; i < MATERIALS * MATERIALS; i++) {
        double kn = log_range(&r, 1e2, 1e5), kt = i % 4 == 3 ? 0 : kn * ts_random_next_uniform(&r);
        s->law[i] = (ts_contact_law){.kn = kn,
                                     .kt = kt,
                                     .inv_kt = kt > 0 ? 1 / kt : 0,
                                     .cn = i % 2 ? log_range(&r, 0.1, 100) : 0,
                                     .ct = i % 2 ? log_range(&r, 0.1, 100) : 0,
                                     .cn_mass = i % 3 ? log_range(&r, 0.1, 100) : 0,
                                     .ct_mass = i % 3 ? log_range(&r, 0.1, 100) : 0,
                                     .friction = i == 5 ? 0 : ts_random_next_uniform(&r)};
    }
    s->batch.count = count;
    for (int k = 0; k < count; k++) {
        ts_contact_batch *b = &s->batch;
        double angle = ts_random_next_range(&r, -4, 4);
        b->b[k] = 1 + 5 * (int32_t)ts_random_next_below(&r, FRAMES / 5); /* never both fixed */
        do
            b->a[k] = (int32_t)ts_random_next_below(&r, FRAMES);
        while (b->a[k] == b->b[k]);
        b->history[k] = count - 1 - k;
        b->gap[k] = -log_range(&r, 1e-5, 1e-2);
        b->nx[k] = cos(angle);
        b->ny[k] = sin(angle);
        b->ax[k] = ts_random_next_normal(&r);
        b->ay[k] = ts_random_next_normal(&r);
        b->bx[k] = ts_random_next_normal(&r);
        b->by[k] = ts_random_next_normal(&r);
        s->spring[k] = ts_random_next_below(&r, 4) == 0 ? 0 : log_range(&r, 1e-6, 1e-1) * (k % 2 ? 1 : -1);
    }
}

static void run(const ts_penalty_kernels *kernels, setting *s, double *force)
{
    bool one = s->material_count == 1;
    ts_penalty_task task = {.frame_a = s->frame,
                            .frame_b = s->frame,
                            .wrench_a = s->wrench,
                            .wrench_b = s->wrench,
                            .material_a = one ? NULL : s->material,
                            .material_b = one ? NULL : s->material,
                            .law = s->law,
                            .material_count = s->material_count,
                            .time_step = s->time_step,
                            .may_pull = s->may_pull};
    kernels->apply(&task, &s->batch, s->spring, force);
}

/* ---- The law again ---- */

typedef struct answer {
    long double fx, fy;           /* on B */
    long double normal, friction; /* f_n and |f_t| */
    long double torque_a, torque_b;
    long double spring;
    long double bound;
    branch branch;
    long double scale; /* of the terms that were added up: rounding is relative to it */
} answer;

static answer law_of_contact(const setting *s, int k)
{
    const ts_contact_batch *c = &s->batch;
    const ts_frame2 *a = &s->frame[c->a[k]], *b = &s->frame[c->b[k]];
    size_t row = s->material_count == 1 ? 0 : s->material[c->a[k]],
           column = s->material_count == 1 ? 0 : s->material[c->b[k]];
    const ts_contact_law *law = &s->law[row * s->material_count + column];

    /* both bodies feel the force at one point, half-way between the two surface points */
    long double n[2] = {c->nx[k], c->ny[k]}, t[2] = {-n[1], n[0]}, depth = -c->gap[k];
    long double ra[2] = {c->ax[k] - 0.5L * depth * n[0], c->ay[k] - 0.5L * depth * n[1]};
    long double rb[2] = {c->bx[k] + 0.5L * depth * n[0], c->by[k] + 0.5L * depth * n[1]};
    long double u[2] = {b->vx - b->spin * rb[1] - a->vx + a->spin * ra[1],
                        b->vy + b->spin * rb[0] - a->vy - a->spin * ra[0]};
    long double vn = u[0] * n[0] + u[1] * n[1], vt = u[0] * t[0] + u[1] * t[1];
    long double mass = 1 / ((long double)a->inv_mass + b->inv_mass);
    /* the velocity is half a step old: c is smaller by 1 + ¼ c Δt/m */
    long double cn = law->cn + law->cn_mass * sqrtl(mass), late = 1 + 0.25L * cn * s->time_step / mass;
    long double ct = (law->ct + law->ct_mass * sqrtl(mass)) / late;
    cn /= late;
    /* open in the middle of the step before, the dashpot acts from the touch to the end of this one */
    long double since = vn < 0 ? -depth / (vn * s->time_step) : 2;
    if (since < 0.1L)
        cn *= 6 * since;
    else if (since < 1)
        cn *= 0.5L + since;
    else if (since < 1.1L)
        cn *= 6.5L - 5 * since;

    answer out = {.normal = law->kn * depth - cn * vn};
    if (out.normal < 0 && !s->may_pull)
        out.normal = 0;
    out.bound = law->friction * fabsl(out.normal);
    out.spring = s->spring[c->history[k]] + vt * s->time_step;
    long double trial = -law->kt * out.spring - ct * vt, ft = trial;
    if (ct * fabsl(vt) > out.bound) {
        out.branch = SLIDES;
        out.spring = 0;
        ft = vt > 0 ? -out.bound : out.bound;
    } else if (fabsl(trial) > out.bound) {
        /* the spring is shortened until the force is what friction can hold */
        out.branch = PARTIAL;
        ft = trial > 0 ? out.bound : -out.bound;
        out.spring = law->kt > 0 ? -(ft + ct * vt) / law->kt : 0;
    }
    out.friction = fabsl(ft);
    out.fx = out.normal * n[0] + ft * t[0];
    out.fy = out.normal * n[1] + ft * t[1];
    out.torque_a = -(ra[0] * out.fy - ra[1] * out.fx);
    out.torque_b = rb[0] * out.fy - rb[1] * out.fx;
    long double speed = fabsl(a->vx) + fabsl(a->vy) + fabsl(b->vx) + fabsl(b->vy) +
                        fabsl(a->spin) * (fabsl(ra[0]) + fabsl(ra[1])) + fabsl(b->spin) * (fabsl(rb[0]) + fabsl(rb[1]));
    out.scale = law->kn * depth + (cn + ct) * speed +
                law->kt * (fabsl((long double)s->spring[c->history[k]]) + speed * s->time_step);
    return out;
}

/* A few roundings of the largest terms. */
#define ROUNDING 1e-14L

static void forces_agree_with_the_law(void **state)
{
    (void)state;
    int met[BRANCHES] = {0}, capped = 0, pulled = 0;
    for (uint64_t seed = 0; seed < 40; seed++)
        for (int count = 1; count <= TS_BATCH; count++) {
            setting s, after;
            make_setting(&s, 1000 * seed + (uint64_t)count * 4 + seed % 4, count);
            after = s;
            double force[2 * TS_BATCH];
            run(ts_penalty_table[0], &after, force);
            assert_memory_equal(after.spring, s.spring, sizeof s.spring); /* asking for forces changes nothing */
            assert_memory_equal(after.wrench, s.wrench, sizeof s.wrench);
            run(ts_penalty_table[0], &after, NULL);
            for (int k = 0; k < count; k++) {
                answer right = law_of_contact(&s, k);
                double tolerance = (double)(ROUNDING * right.scale);
                NEAR(force[2 * k], (double)right.fx, tolerance);
                NEAR(force[2 * k + 1], (double)right.fy, tolerance);
                /* near the border between two branches both springs are right to rounding, for they join there */
                const ts_contact_law *law = &s.law[0];
                if (s.material_count > 1)
                    law = &s.law[s.material[s.batch.a[k]] * MATERIALS + s.material[s.batch.b[k]]];
                if (law->kt > 0)
                    NEAR(law->kt * after.spring[s.batch.history[k]], (double)(law->kt * right.spring), tolerance);
                met[right.branch]++;
                capped += right.normal == 0;
                pulled += right.normal < 0;
            }
        }
    for (int i = 0; i < BRANCHES; i++)
        assert_true(met[i] > 500);
    assert_true(capped > 500);
    assert_true(pulled > 500);
}

/* Friction never exceeds μ|f_n|, and the normal force never pulls unless it may: from the forces alone. */
static void coulombs_bound_holds(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        setting s;
        double force[2 * TS_BATCH];
        make_setting(&s, seed, TS_BATCH);
        run(ts_penalty_table[0], &s, force);
        for (int k = 0; k < TS_BATCH; k++) {
            double fn = force[2 * k] * s.batch.nx[k] + force[2 * k + 1] * s.batch.ny[k];
            double ft = force[2 * k + 1] * s.batch.nx[k] - force[2 * k] * s.batch.ny[k];
            double mu = s.material_count == 1
                            ? s.law[0].friction
                            : s.law[s.material[s.batch.a[k]] * MATERIALS + s.material[s.batch.b[k]]].friction;
            assert_true(fabs(ft) <= mu * fabs(fn) + 4e-16 * (fabs(fn) + fabs(ft)));
            assert_true(s.may_pull || fn >= -4e-16 * fabs(ft));
        }
    }
}

/* What is added to the wrenches is each contact's force and moment, with opposite signs on the two: summed in order. */
static void wrenches_are_sums_of_the_forces(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++)
        for (int count = 1; count <= TS_BATCH; count += 1 + (int)(seed % 5)) {
            setting s;
            make_setting(&s, seed + 7 * (uint64_t)count, count);
            long double sum[FRAMES][3] = {{0}}, scale = 0;
            for (int k = 0; k < count; k++) {
                answer right = law_of_contact(&s, k);
                int32_t a = s.batch.a[k], b = s.batch.b[k];
                sum[a][0] -= right.fx;
                sum[a][1] -= right.fy;
                sum[a][2] += right.torque_a;
                sum[b][0] += right.fx;
                sum[b][1] += right.fy;
                sum[b][2] += right.torque_b;
                scale += right.scale;
            }
            for (int i = 0; i < FRAMES; i++)
                s.wrench[i] = (ts_wrench){1, 2, 3, 0};
            run(ts_penalty_table[0], &s, NULL);
            for (int i = 0; i < FRAMES; i++) {
                NEAR(s.wrench[i].fx, (double)(1 + sum[i][0]), (double)(ROUNDING * (scale + 1)));
                NEAR(s.wrench[i].fy, (double)(2 + sum[i][1]), (double)(ROUNDING * (scale + 2)));
                NEAR(s.wrench[i].torque, (double)(3 + sum[i][2]), (double)(5 * ROUNDING * (scale + 3)));
            }
        }
}

static void instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++)
        for (int count = 1; count <= TS_BATCH; count++) {
            setting s, first, other;
            double first_force[2 * TS_BATCH] = {0}, force[2 * TS_BATCH] = {0};
            make_setting(&s, 500 * seed + (uint64_t)count, count);
            first = s;
            run(ts_penalty_table[0], &first, first_force);
            run(ts_penalty_table[0], &first, NULL);
            for (int isa = 1; isa < ts_test_isa_count(); isa++) {
                other = s;
                run(ts_penalty_table[isa], &other, force);
                run(ts_penalty_table[isa], &other, NULL);
                assert_memory_equal(force, first_force, sizeof force);
                assert_memory_equal(other.spring, first.spring, sizeof first.spring);
                assert_memory_equal(other.wrench, first.wrench, sizeof first.wrench);
            }
        }
}

/* A contact that is dragged steadily first sticks, its spring growing by v Δt; then slips at the bound with the
 * spring held at what the bound allows; and springs back when it is let go. Closed form, no damping. */
static void dragged_contact_sticks_then_slips(void **state)
{
    (void)state;
    setting s = {.time_step = 1e-3, .material_count = 1};
    double kn = 1e4, kt = 2e3, mu = 0.5, depth = 1e-3, speed = 0.1, limit = mu * kn * depth / kt;
    s.law[0] = (ts_contact_law){.kn = kn, .kt = kt, .inv_kt = 1 / kt, .friction = mu};
    s.frame[0].inv_mass = s.frame[1].inv_mass = 1;
    s.frame[1].vx = speed; /* B lies above A and moves to the right: against the tangent, which points left */
    s.batch.count = 1;
    s.batch.b[0] = 1;
    s.batch.gap[0] = -depth;
    s.batch.ny[0] = 1;
    for (int i = 1; i <= 40; i++) {
        double force[2], before = s.spring[0];
        run(ts_penalty_table[0], &s, force);
        run(ts_penalty_table[0], &s, NULL);
        double stretched = fmin(i * speed * s.time_step, limit);
        NEAR(s.spring[0], -stretched, 1e-15);
        NEAR(force[0], -kt * stretched, 1e-12);
        NEAR(force[1], kn * depth, 1e-12);
        assert_true(fabs(s.spring[0]) >= fabs(before));
    }
    assert_true(40 * speed * s.time_step > 1.5 * limit);
    s.frame[1].vx = -speed;
    run(ts_penalty_table[0], &s, NULL);
    NEAR(s.spring[0], -(limit - speed * s.time_step), 1e-15);
}

/* Places that push against each other: no force along the normal is left, but a couple k d c, the opposite on both; its
 * dashpot counts how fast they turn against each other. */
static void wedged_bodies_feel_a_couple(void **state)
{
    (void)state;
    const double k = 1e4, c = 30, depth = 0.01, arm = 0.3;
    const ts_contact_law law = {.kn = k, .cn = c, .friction = 0.5};
    for (int turning = 0; turning < 2; turning++) {
        const ts_frame2 frame[2] = {{.inv_mass = 1, .spin = 0.5 * turning}, {.x = 1, .inv_mass = 1, .spin = -turning}};
        ts_contact_batch batch = {.count = 1, .b = {1}, .gap = {-depth}, .nx = {1}, .weighted = true, .couple = {arm}};
        batch.ax[0] = 0.5;
        batch.bx[0] = -0.5;
        ts_contact_batch_fill_up(&batch);
        ts_wrench wrench[2] = {{0}};
        double spring[4] = {0};
        ts_penalty_task task = {.frame_a = frame,
                                .frame_b = frame,
                                .wrench_a = wrench,
                                .wrench_b = wrench,
                                .law = &law,
                                .material_count = 1,
                                .time_step = 1e-4};
        ts_penalty_choose()->apply(&task, &batch, spring, NULL);
        /* the spins are half a step old, which the dashpot makes up for: 1/m = 2/kg */
        double torque = (k * depth + c / (1 + 0.25 * c * 1e-4 * 2) * arm * 1.5 * turning) * arm;
        for (int i = 0; i < 2; i++)
            NEAR(hypot(wrench[i].fx, wrench[i].fy), 0, 1e-12);
        NEAR(wrench[1].torque, torque, 1e-10);
        NEAR(wrench[0].torque, -torque, 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_agree_with_the_law),         cmocka_unit_test(coulombs_bound_holds),
        cmocka_unit_test(wrenches_are_sums_of_the_forces),   cmocka_unit_test(instruction_sets_give_the_same_bits),
        cmocka_unit_test(dragged_contact_sticks_then_slips), cmocka_unit_test(wedged_bodies_feel_a_couple),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
