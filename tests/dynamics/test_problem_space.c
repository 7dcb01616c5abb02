/* SPDX-License-Identifier: MIT */
/* Contact problems of steps in space: closed forms, Coulomb's law recomputed from the raw rows, and the velocities
 * that the step itself gives. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "dynamics/problem_solve.h"
#include "dynamics/system.h"
#include "model.h"
#include "state.h"
#include "support/world3.h"
#include "workspace.h"

#define G    9.81
#define STEP (1.0 / 400)

static void solve_step(const ts_test_world *w, ts_problem *p, ts_solution *s, ts_residuals *r)
{
    ts_impact_report report;
    const uint64_t before = ts_test_hash(w->state);
    OK(ts_step_problem(w->model, w->state, w->work, p, ERROR));
    assert_true(ts_test_hash(w->state) == before); /* asking changes nothing */
    assert_int_equal(p->dof, 6);
    assert_int_equal(p->rows, 3);
    OK(ts_problem_solve(p, 10000, NULL, s, &report, ERROR));
    assert_true(report.finished && !report.disagreed);
    OK(ts_problem_residuals(p, s, r, ERROR));
    assert_true(r->closing <= 1e-6 && r->complementarity <= 1e-6 && r->friction <= 1e-6 && r->cone < 1e-12 &&
                r->balance < 1e-11);
}

/* A ball that comes down sliding with little friction takes μ times its normal impulse along the ground, against the
 * slip; with much it leaves rolling: ω r is then 5/7 of its speed before. */
static void a_ball_slides_or_rolls(void **state)
{
    (void)state;
    const double radius = 0.1, speed[2] = {0.6, 0.8}, fall = 1, mu[2] = {0.05, 2};
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        ts_problem p = {0};
        ts_solution s = {0};
        ts_residuals r;
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", 0, mu[k], STEP);
        ts_test_floor(w.scene);
        ts_test_body3_moving(w.scene, ts_test_ball(w.scene, radius), (double[3]){0, 0, radius},
                             (double[3]){speed[0], speed[1], -fall}, (double[3]){0, 0, 0});
        ts_test_start(&w, 1);
        solve_step(&w, &p, &s, &r);
        assert_int_equal(p.count, 1);
        const double left = k == 0 ? 1 - mu[k] * fall : 5.0 / 7; /* of a speed of 1 */
        NEAR(s.v[0], left * speed[0], 1e-11);
        NEAR(s.v[1], left * speed[1], 1e-11);
        NEAR(s.v[2], 0, 1e-11);
        NEAR(hypot(hypot(s.v[3], s.v[4]), s.v[5]) * radius, 2.5 * (1 - left), 1e-10);
        NEAR(s.r[0], ts_model_mass(w.model, 0) * fall, 1e-10);
        NEAR(hypot(s.r[1], s.r[2]), ts_model_mass(w.model, 0) * (1 - left), 1e-10);
        ts_solution_free(&s);
        ts_problem_free(&p);
        ts_test_close(&w);
    }
}

static void add_side(const ts_problem *p, int32_t block, const double *row, const double *v, double *rate)
{
    for (size_t d = 0; block >= 0 && d < 6; d++)
        *rate += row[d] / p->root[6 * (size_t)block + d] * v[6 * (size_t)block + d];
}

/* Signorini and Coulomb from velocities and raw rows, by nothing of what solved it. */
static void check_law(const ts_problem *p, const ts_solution *s, double fastest)
{
    const double *const ga[3] = {p->ga, p->ta, p->xa}, *const gb[3] = {p->gb, p->tb, p->xb},
                        *const drift[3] = {p->drift, p->slip, p->slip_x};
    double largest = 0;
    for (size_t k = 0; k < p->count; k++)
        largest = fmax(largest, s->r[3 * k]);
    for (size_t k = 0; k < p->count; k++) {
        double u[3];
        const double *r = s->r + 3 * k;
        for (int d = 0; d < 3; d++) {
            u[d] = drift[d][k];
            add_side(p, p->a[k], ga[d] + 6 * k, s->v, &u[d]);
            add_side(p, p->b[k], gb[d] + 6 * k, s->v, &u[d]);
            NEAR(u[d], s->u[3 * k + (size_t)d], 1e-9 * fastest);
        }
        assert_true(r[0] >= 0 && u[0] > -1.01e-6 * fastest);
        if (r[0] > 1e-4 * largest)
            NEAR(u[0], 0, 1.01e-6 * fastest);
        const double rub = hypot(r[1], r[2]), slip = hypot(u[1], u[2]);
        assert_true(rub <= p->friction[k] * r[0] * (1 + 1e-9) + 1e-15 * largest);
        if (slip > 1e-3 * fastest && r[0] > 1e-4 * largest) { /* it slides: all of the friction, and against the slip */
            NEAR(rub, p->friction[k] * r[0], 1e-6 * largest);
            NEAR(r[1] * u[1] + r[2] * u[2], -rub * slip, 1e-4 * rub * slip);
        }
    }
}

/* The exchange form has the same rates, from rows over single velocities. */
static void check_system(const ts_problem *p, const ts_solution *s)
{
    ts_system system = {0};
    double *w = ts_alloc(6 * p->block_count, sizeof *w);
    OK(ts_system_of(p, NULL, &system, ERROR));
    assert_int_equal(system.v_begin[system.block_count], 6 * p->block_count);
    memcpy(w, system.w, 6 * p->block_count * sizeof *w);
    for (size_t i = 0; i < 3 * p->count; i++) {
        for (size_t e = system.row_begin[i] + 1; e < system.row_begin[i + 1]; e++)
            assert_true(system.column[e] > system.column[e - 1]);
        ts_system_push(&system, i, s->r[i], w);
    }
    for (size_t i = 0; i < 3 * p->count; i++) /* without restitution nothing else is in u */
        NEAR(ts_system_rate(&system, i, w), s->u[i], 1e-11);
    ts_free(w);
    ts_system_free(&system);
}

/* A pile of boxes, balls and hammers: the law holds, and velocities are those of the step, as near as its sweeps
 * come. */
static void a_pile_is_what_the_step_solves(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        ts_problem p = {0};
        ts_solution s = {0};
        ts_residuals r;
        ts_test_space(&w, -G);
        ts_test_impact3(w.scene, "gr", 0, 0.4, STEP);
        ts_test_sweeps3(w.scene, 2000);
        ts_test_floor(w.scene);
        const int32_t solid[3] = {ts_test_block(w.scene, 0.2, 0.15, 0.1), ts_test_ball(w.scene, 0.08),
                                  ts_test_hammer(w.scene, 0.2)};
        ts_test_fill3(w.scene, (double[3]){-0.4, -0.4, 0.05}, (double[3]){0.4, 0.4, 2.4}, 18, solid, 3, 0.5);
        ts_test_start(&w, 1);
        ts_test_step(&w, 160 + 120 * (uint64_t)k);
        solve_step(&w, &p, &s, &r);
        assert_true(p.count > 4 && p.block_count > 2);
        check_law(&p, &s, r.fastest);
        check_system(&p, &s);
        ts_test_step(&w, 1);
        double worst = 0;
        for (size_t i = 0; i < p.block_count; i++) { /* what is solved for is the mean of the flight's velocity */
            const double *v = w.state->onward + 6 * p.body[i];
            worst = fmax(worst, fmax(fabs(v[0] - s.v[6 * i]), fabs(v[1] - s.v[6 * i + 1])));
            worst = fmax(worst, fabs(v[2] + 0.5 * G * STEP - s.v[6 * i + 2]));
        }
        print_message("%zu contacts of %zu bodies: velocities differ by %g of the fastest\n", p.count, p.block_count,
                      worst / r.fastest);
        assert_true(worst < 0.02 * r.fastest);
        ts_solution_free(&s);
        ts_problem_free(&p);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_slides_or_rolls),
        cmocka_unit_test(a_pile_is_what_the_step_solves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
