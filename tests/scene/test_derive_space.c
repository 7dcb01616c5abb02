/* SPDX-License-Identifier: MIT */
/* Time steps of scenes with springs: 2 √(μ/k) is the limit, longer ones are refused, derived ones resolve the
 * oscillation. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "model.h"
#include "record/energy_guard.h"
#include "support/world3.h"

/* Two balls of 0.1 m, 1 m apart, on springs. */
typedef struct pair {
    ts_spring_kind kind;
    double stiffness, rest;
    double lever;     /* of the anchors, across the line between the balls [m] */
    double time_step; /* 0: derived [s] */
    double gravity;   /* [m/s²] */
    int springs;
    bool fixed; /* the first ball */
} pair;

static const pair centred = {.kind = TS_SPRING_LINEAR, .stiffness = 200, .rest = 0.9, .springs = 1};

static ts_status build(const pair *p, ts_test_world *w, ts_error *error)
{
    ts_body_def def = ts_default_body();
    *w = (ts_test_world){0};
    ts_test_space(w, -p->gravity);
    ts_test_impact3(w->scene, "gr", 1, 0, 1);
    ts_settings settings = ts_scene_settings(w->scene);
    settings.time_step = p->time_step;
    settings.duration = 100;
    OK(ts_scene_set(w->scene, &settings, ERROR));
    def.shape = ts_test_ball(w->scene, 0.1);
    def.name = "a";
    def.position[2] = 1;
    def.fixed = p->fixed;
    OK(ts_scene_add_body(w->scene, &def, NULL, ERROR));
    def.name = "b";
    def.position[2] = 0;
    def.fixed = false;
    OK(ts_scene_add_body(w->scene, &def, NULL, ERROR));
    for (int i = 0; i < p->springs; i++) {
        ts_spring_def spring = ts_default_spring();
        spring.kind = p->kind;
        spring.a = "a";
        spring.b = "b";
        spring.anchor_a[i % 2] = spring.anchor_b[i % 2] = p->lever;
        spring.stiffness = p->stiffness;
        spring.rest = p->rest;
        OK(ts_scene_add_spring(w->scene, &spring, NULL, ERROR));
    }
    return ts_model_compile(w->scene, &w->model, error);
}

static double stable_step_of(const pair *p)
{
    ts_test_world w;
    OK(build(p, &w, ERROR));
    double step = ts_model_stable_step(w.model);
    ts_test_close(&w);
    return step;
}

static void the_limit_is_known(void **state)
{
    (void)state;
    ts_test_world w;
    OK(build(&centred, &w, ERROR));
    const double mass = w.model->mass[0];
    NEAR(ts_model_stable_step(w.model), 2 * sqrt(0.5 * mass / 200), 1e-12);
    assert_true(ts_model_time_step(w.model) <= 0.05 * ts_model_stable_step(w.model));
    ts_test_close(&w);
    pair p = centred;
    p.fixed = true;
    NEAR(stable_step_of(&p), 2 * sqrt(mass / 200), 1e-12);
    p.springs = 3;
    NEAR(stable_step_of(&p), 2 * sqrt(mass / 600), 1e-12);
    /* at the surface a ball gives way more: 1/m + r²/(0.4 m r²), and the pull on the lever turns it */
    p = centred;
    p.rest = 1;
    p.lever = 0.1;
    NEAR(stable_step_of(&p), 2 * sqrt(mass / (2 * 3.5 * 200)), 1e-6);
    p.rest = 0.9;
    assert_true(stable_step_of(&p) < 2 * sqrt(mass / (2 * 3.5 * 200)));
    p.springs = 0;
    assert_true(isinf(stable_step_of(&p)));
    /* 3 k x² at the stretch there is, and more where gravity will stretch it */
    p = centred;
    p.kind = TS_SPRING_CUBIC;
    NEAR(stable_step_of(&p), 2 * sqrt(0.5 * mass / (3 * 200 * 0.01)), 1e-6);
    p.gravity = 10;
    p.fixed = true;
    assert_true(stable_step_of(&p) < 2 * sqrt(mass / (3 * 200 * 0.01)));
}

static void stiff_springs_shorten_the_step(void **state)
{
    (void)state;
    pair p = centred;
    p.gravity = 9.81;
    double step[2];
    for (int i = 0; i < 2; i++) {
        ts_test_world w;
        p.stiffness = i == 0 ? 1e4 : 1e6;
        OK(build(&p, &w, ERROR));
        step[i] = ts_model_time_step(w.model);
        ts_test_close(&w);
    }
    assert_true(step[1] < 0.11 * step[0]);
}

static void longer_steps_are_refused(void **state)
{
    (void)state;
    ts_test_world w;
    ts_error error;
    pair p = centred;
    const double stable = stable_step_of(&p);
    p.time_step = 0.999 * stable;
    OK(build(&p, &w, ERROR));
    ts_test_close(&w);
    p.time_step = 1.001 * stable;
    assert_int_equal(build(&p, &w, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "too long for spring 0 (200 N/m, at \"b\"); take at most"));
    ts_test_close(&w);
}

/* The largest energy of a run at this share of the stable step, over the one at its start; and what the guard says
 * to it. */
static double gain(const pair *of, double share, ts_error *error)
{
    pair p = *of;
    ts_test_world w;
    ts_measures m;
    OK(build(&p, &w, ERROR));
    if (share > 0)
        w.model->settings.time_step = share * w.model->stable_step; /* past the check */
    OK(ts_state_create(w.model, &w.state, ERROR));
    OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
    ts_energy_guard guard = ts_energy_guard_of(w.model);
    error->message[0] = 0;
    double first = 0, most = 0;
    for (int i = 0; i < 2000 && !error->message[0]; i++) {
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        double energy = m.kinetic + m.rotational + m.elastic;
        first = i == 0 ? energy : first;
        most = fmax(most, energy);
        ts_energy_guard_check(&guard, &m, error);
        ts_test_step(&w, 1);
    }
    ts_test_close(&w);
    return most / first;
}

static void the_limit_is_the_limit(void **state)
{
    (void)state;
    ts_error error;
    assert_true(gain(&centred, 1.02, &error) > 10);
    assert_true(gain(&centred, 4, &error) > 10);
    assert_non_null(strstr(error.message, "the stable limit of the springs"));
    assert_non_null(strstr(error.message, "lower time_step or the springs' stiffness"));
    assert_true(gain(&centred, 0.5, &error) < 2);
    assert_true(gain(&centred, 0, &error) < 1.01);
    pair p = centred;
    p.springs = 2;
    p.lever = 0.1;
    assert_true(gain(&p, 0.5, &error) < 2);
    assert_true(gain(&p, 0, &error) < 1.01);
    assert_string_equal(error.message, "");
    p.kind = TS_SPRING_CUBIC;
    assert_true(gain(&p, 0.5, &error) < 2);
    assert_true(gain(&p, 0, &error) < 1.01);
    assert_string_equal(error.message, "");
}

static void no_limit_is_no_number(void **state)
{
    (void)state;
    ts_test_world w;
    ts_error error;
    pair p = centred;
    p.springs = 0;
    OK(build(&p, &w, ERROR));
    ts_energy_guard guard = ts_energy_guard_of(w.model);
    assert_int_equal(ts_energy_guard_check(&guard, &(ts_measures){.kinetic = (double)INFINITY}, &error), TS_DIVERGED);
    assert_null(strstr(error.message, "inf s"));
    assert_non_null(strstr(error.message, "lower time_step"));
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_is_known),       cmocka_unit_test(stiff_springs_shorten_the_step),
        cmocka_unit_test(longer_steps_are_refused), cmocka_unit_test(the_limit_is_the_limit),
        cmocka_unit_test(no_limit_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
