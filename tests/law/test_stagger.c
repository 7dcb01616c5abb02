/* SPDX-License-Identifier: MIT */
/* Staggered friction in scenes: boxes on a slope and on a belt move as Coulomb says, and energy is accounted for. */
#include <math.h>

#include "support/check.h"

#include "dynamics/impact_dynamics.h"
#include "support/world.h"
#include "workspace.h"

#define G 9.81

static void strike_with(ts_scene *scene, double restitution, double friction, double time_step, uint64_t rounds)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "impact";
    ts_dynamics_set(&dynamics, "staggered", (double)rounds);
    material.restitution = restitution;
    material.friction = friction;
    settings.time_step = time_step;
    settings.duration = 1000;
    OK(ts_scene_set(scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(scene, &material, ERROR));
    OK(ts_scene_set_map(scene, &(ts_map_options){.kind = TS_MAP_EXACT}, ERROR));
}

/* A box on a slope: width, height, μ; tan of the slope is 0.309. */
static void slide(double width, double height, double mu, uint64_t steps, ts_test_world *w)
{
    const double slope = 0.3;
    *w = (ts_test_world){0};
    ts_test_open(w, -G);
    strike_with(w->scene, 0, mu, 1.0 / 480, 500);
    ts_test_plane(w->scene, NULL, 0, 0, -sin(slope), cos(slope));
    ts_body_def def = ts_default_body();
    def.shape = ts_test_box_shape(w->scene, width, height);
    def.position[0] = -0.5 * height * sin(slope);
    def.position[1] = 0.5 * height * cos(slope);
    def.angle = slope;
    OK(ts_scene_add_body(w->scene, &def, NULL, ERROR));
    ts_test_start(w, 1);
    ts_test_step(w, steps);
}

/* It holds when μ > tan α, and slides with g (sin α − μ cos α) when it does not; flat or as tall as it can be, it never
 * turns. */
static void boxes_slide_as_coulomb_says(void **state)
{
    (void)state;
    const double slope = 0.3, seconds = 2, mu[] = {0.1, 0.2, 0.28, 0.30, 0.32, 0.34, 0.5};
    const double height[] = {0.3, 2.0};
    for (int tall = 0; tall < 2; tall++)
        for (int k = 0; k < 7; k++) {
            ts_test_world w;
            slide(1, height[tall], mu[k], (uint64_t)(480 * seconds), &w);
            const ts_body *b = &w.state->body[0];
            double speed = -(b->vx * cos(slope) + b->vy * sin(slope));
            double expected = fmax(0, G * (sin(slope) - mu[k] * cos(slope))) * seconds;
            /* the tall one rocks a little, and is in the air for some of the steps */
            NEAR(speed, expected, (tall ? 0.02 : 0.003) * G * sin(slope) * seconds);
            /* friction's torque leans it, as far as the smoothed face gives way: the flat one by up to 0.001, about
             * which it rocks */
            NEAR(b->angle, slope, tall ? 0.01 : 0.002);
            assert_int_equal(ts_impact_counts_of(w.work).unsettled, 0);
            ts_test_close(&w);
        }
}

/* Energy: what was there, and what was lost to either kind of impulse, add up in every step. */
static void the_budget_adds_up(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        const double a[] = {-1, 0.2}, b[] = {1, 2};
        ts_measures first, last;
        ts_test_open(&w, -G);
        strike_with(w.scene, 0.5 * k, 0.4, 0.002, 200);
        ts_dynamics_def dynamics = ts_default_dynamics();
        dynamics.kind = "impact";
        ts_dynamics_set(&dynamics, "staggered", 200);
        ts_dynamics_set(&dynamics, "correction", 0);
        OK(ts_scene_set_dynamics(w.scene, &dynamics, ERROR));
        ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
        ts_test_plane(w.scene, NULL, -1, 0, 1, 0);
        ts_test_plane(w.scene, NULL, 1, 0, -1, 0);
        ts_test_fill(w.scene, a, b, 20, ts_test_box_shape(w.scene, 0.3, 0.1), 1, 1, 1);
        ts_test_start(&w, 1);
        OK(ts_measure(w.model, w.state, w.work, &first, ERROR));
        double lost[2] = {0};
        for (int step = 0; step < 300; step++) {
            ts_test_step(&w, 1);
            double more = w.state->budget.lost_friction + w.state->budget.lost_normal - lost[0] - lost[1];
            assert_true(more > -1e-12 * (first.kinetic + first.gravitational)); /* no step gains any */
            lost[0] = w.state->budget.lost_friction;
            lost[1] = w.state->budget.lost_normal;
        }
        OK(ts_measure(w.model, w.state, w.work, &last, ERROR));
        assert_true(w.work->contact_sum > 500 && lost[0] > 0 && lost[1] > 0);
        double begin = first.kinetic + first.rotational + first.gravitational,
               end = last.kinetic + last.rotational + last.gravitational;
        NEAR(end + lost[0] + lost[1], begin, 1e-9 * begin);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_slide_as_coulomb_says),
        cmocka_unit_test(the_budget_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
