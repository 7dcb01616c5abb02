/* SPDX-License-Identifier: MIT */
/* A step's contact problem by itself: it is what the step solves, and residuals tell right from wrong. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "dynamics/impact_dynamics.h"
#include "dynamics/problem_solve.h"
#include "state.h"
#include "support/world.h"
#include "workspace.h"

#define G 9.81

/* Boxes and discs that fall into a corner, inelastic, with staggered friction; some steps on. */
static void fall(ts_test_world *w, double restitution, double friction, uint64_t steps)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings;
    ts_outline *box;
    int32_t shape;
    const double a[] = {0, 0.1}, b[] = {0.8, 2};
    *w = (ts_test_world){0};
    ts_test_open(w, -G);
    settings = ts_scene_settings(w->scene);
    settings.time_step = 0.004;
    settings.duration = 100;
    dynamics.kind = "impact";
    ts_dynamics_set(&dynamics, "staggered", 100);
    ts_dynamics_set(&dynamics, "correction", 0);
    material.restitution = restitution;
    material.friction = friction;
    OK(ts_scene_set(w->scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(w->scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(w->scene, &material, ERROR));
    OK(ts_scene_set_map(w->scene, &(ts_map_options){.kind = TS_MAP_EXACT}, ERROR));
    OK(ts_outline_box(0.24, 0.1, 0, &box, ERROR));
    OK(ts_scene_add_outline(w->scene, NULL, box, &shape, ERROR));
    ts_outline_free(box);
    ts_test_box(w->scene, 0.8);
    ts_test_fill(w->scene, a, b, 12, shape, 1, 1, 0.5);
    ts_test_fill(w->scene, a, b, 10, ts_test_disc(w->scene, 0.07), 1, 1, 0.5);
    ts_test_start(w, 1);
    ts_test_step(w, steps);
}

/* Solved by itself, the problem gives the velocities that the step gives; and asking changes nothing. */
static void it_is_what_the_step_solves(void **state)
{
    (void)state;
    for (uint64_t steps = 60; steps <= 180; steps += 60) {
        ts_test_world w;
        ts_problem p = {0};
        ts_solution s = {0};
        ts_impact_report report;
        ts_residuals r;
        fall(&w, 0, 0.4, steps);
        uint64_t before = ts_test_hash(w.state);
        OK(ts_step_problem(w.model, w.state, w.work, &p, ERROR));
        assert_true(ts_test_hash(w.state) == before);
        assert_true(p.count > 5 && p.block_count > 3);
        assert_true(p.time == ts_state_time(w.state));
        OK(ts_problem_solve(&p, 100, NULL, &s, &report, ERROR));
        print_message("%zu contacts, %llu rounds; unsettled steps before: %llu\n", p.count,
                      (unsigned long long)report.rounds, (unsigned long long)ts_impact_counts_of(w.work).unsettled);
        assert_true(report.finished && !report.disagreed);
        OK(ts_problem_residuals(&p, &s, &r, ERROR));
        assert_true(r.closing < 1e-9 && r.complementarity < 1e-9 && r.friction < 1e-9 && r.cone < 1e-9 &&
                    r.balance < 1e-12);
        ts_test_step(&w, 1);
        for (size_t i = 0; i < p.block_count; i++) { /* free flight comes after: gravity's share is known */
            const ts_body *b = &w.state->body[p.body[i]];
            double fastest = r.fastest;
            NEAR(b->vx, s.v[3 * i], 1e-9 * fastest);
            NEAR(b->vy, s.v[3 * i + 1] - G * 0.004, 1e-9 * fastest);
            NEAR(b->spin, s.v[3 * i + 2], 1e-7 * fastest);
        }
        ts_solution_free(&s);
        ts_problem_free(&p);
        ts_test_close(&w);
    }
}

/* Newton's restitution: what pushes opens at c times the rate at which it closed. */
static void restitution_is_newtons(void **state)
{
    (void)state;
    ts_test_world w;
    ts_problem p = {0};
    ts_solution s = {0};
    ts_impact_report report;
    const double c = 0.7;
    int pushing = 0;
    fall(&w, c, 0.3, 130);
    OK(ts_step_problem(w.model, w.state, w.work, &p, ERROR));
    OK(ts_problem_solve(&p, 1000, NULL, &s, &report, ERROR));
    assert_true(report.finished && !report.disagreed && p.count > 5);
    for (size_t k = 0; k < p.count; k++) {
        double before = p.drift[k], after = p.drift[k];
        for (size_t d = 0; d < 3; d++) {
            size_t row = 3 * k + d;
            if (p.a[k] >= 0) {
                before += p.ga[row] * p.w[3 * (size_t)p.a[k] + d];
                after += p.ga[row] / p.root[3 * (size_t)p.a[k] + d] * s.v[3 * (size_t)p.a[k] + d];
            }
            if (p.b[k] >= 0) {
                before += p.gb[row] * p.w[3 * (size_t)p.b[k] + d];
                after += p.gb[row] / p.root[3 * (size_t)p.b[k] + d] * s.v[3 * (size_t)p.b[k] + d];
            }
        }
        assert_true(after > -c * before - 1e-9);
        if (s.r[2 * k] > 1e-6)
            NEAR(after, -c * before, 1e-8);
        pushing += s.r[2 * k] > 1e-6;
    }
    assert_true(pushing > 3);
    ts_solution_free(&s);
    ts_problem_free(&p);
    ts_test_close(&w);
}

/* Each residual sees its own kind of mistake, and by how much. */
static void residuals_see_mistakes(void **state)
{
    (void)state;
    ts_test_world w;
    ts_problem p = {0};
    ts_solution s = {0};
    ts_impact_report report;
    ts_residuals r;
    fall(&w, 0, 0.4, 100);
    OK(ts_step_problem(w.model, w.state, w.work, &p, ERROR));
    OK(ts_problem_solve(&p, 1000, NULL, &s, &report, ERROR));
    size_t most = 0;
    for (size_t k = 0; k < p.count; k++)
        most = s.r[2 * k] > s.r[2 * most] ? k : most;
    double lambda = s.r[2 * most];
    s.r[2 * most] = 0.9 * lambda; /* too little: it closes */
    OK(ts_problem_residuals(&p, &s, &r, ERROR));
    assert_true(r.closing > 1e-4 && r.complementarity > 1e-4 && r.balance > 1e-4);
    s.r[2 * most] = 1.1 * lambda; /* too much: it opens and still pushes */
    OK(ts_problem_residuals(&p, &s, &r, ERROR));
    assert_true(r.complementarity > 1e-4);
    s.r[2 * most] = lambda;
    s.r[2 * most + 1] = 2 * p.friction[most] * lambda; /* more friction than there is */
    OK(ts_problem_residuals(&p, &s, &r, ERROR));
    NEAR(r.cone, p.friction[most], 1e-9);
    assert_true(r.friction > 1e-4);
    memset(s.r, 0, 2 * p.count * sizeof *s.r); /* nothing at all: the fastest closes as it did */
    OK(ts_problem_residuals(&p, &s, &r, ERROR));
    assert_true(r.closing > 0.01 && r.closing <= 1 && r.cone == 0);
    ts_solution_free(&s);
    ts_problem_free(&p);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_the_step_solves),
        cmocka_unit_test(restitution_is_newtons),
        cmocka_unit_test(residuals_see_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
