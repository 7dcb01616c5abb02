/* SPDX-License-Identifier: MIT */
/* The dynamics "impact" in scenes: what it keeps, what it takes, and that what rests stays where it is. */
#include <math.h>

#include "support/check.h"

#include "support/world.h"
#include "workspace.h"

#define G 9.81

/* Positions are corrected where something is to rest. */
static void strike_with(ts_scene *scene, const char *by, double restitution, double friction, double time_step)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "impact";
    ts_dynamics_set_text(&dynamics, "operator", by);
    if (restitution > 0)
        ts_dynamics_set(&dynamics, "correction", 0);
    material.restitution = restitution;
    material.friction = friction;
    settings.time_step = time_step;
    settings.duration = 1000;
    OK(ts_scene_set(scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(scene, &material, ERROR));
}

static void sum_up(const ts_test_world *w, double momentum[3], double *energy)
{
    momentum[0] = momentum[1] = momentum[2] = *energy = 0;
    for (size_t i = 0; i < w->model->body_count; i++) {
        const ts_body *b = &w->state->body[i];
        if (!(b->inv_mass > 0))
            continue;
        double m = 1 / b->inv_mass, inertia = 1 / w->model->inv_inertia[i];
        momentum[0] += m * b->vx;
        momentum[1] += m * b->vy;
        momentum[2] += m * (b->x * b->vy - b->y * b->vx) + inertia * b->spin;
        *energy += 0.5 * m * (b->vx * b->vx + b->vy * b->vy) + 0.5 * inertia * b->spin * b->spin +
                   m * (-w->model->settings.gravity[1]) * b->y;
    }
}

/* Discs, triads and bars that fly about and meet: nothing from outside, so nothing of momentum is lost, whoever strikes
 * and rubs whom. */
static void a_free_cloud_keeps_its_momentum(void **state)
{
    (void)state;
    static const char *const by[] = {"gr", "lcp", "gauss-seidel"};
    for (int k = 0; k < 3; k++) {
        ts_test_world w = {0};
        double before[3], after[3], e0, e1, size = 0;
        const double a[] = {-1, -1}, b[] = {1, 1};
        ts_test_open(&w, 0);
        strike_with(w.scene, by[k], 0.5, 0.5, 0.005);
        OK(ts_scene_set_map(w.scene, &(ts_map_options){.kind = TS_MAP_EXACT}, ERROR));
        ts_test_fill(w.scene, a, b, 30, ts_test_disc(w.scene, 0.1), 0.5, 1, 1);
        ts_test_fill(w.scene, a, b, 10, ts_test_triad(w.scene, 0.06), 1, 1, 1);
        ts_test_fill(w.scene, a, b, 10, ts_test_box_shape(w.scene, 0.3, 0.1), 1, 1, 1);
        ts_test_start(&w, 1);
        sum_up(&w, before, &e0);
        for (size_t i = 0; i < w.model->body_count; i++)
            size += hypot(w.state->body[i].vx, w.state->body[i].vy) / w.state->body[i].inv_mass;
        ts_test_step(&w, 1000);
        sum_up(&w, after, &e1);
        assert_true(w.work->contact_sum > 60); /* they did meet */
        assert_true(e1 < 0.95 * e0);
        for (int d = 0; d < 3; d++) /* all within about a metre of the origin */
            assert_true(fabs(after[d] - before[d]) < 1e-12 * size);
        ts_test_close(&w);
    }
}

/* Without friction or loss, total energy is that of the beginning, gravity or not. */
static void elastic_balls_keep_their_energy(void **state)
{
    (void)state;
    static const char *const by[] = {"gr", "lcp", "gauss-seidel", "gauss-seidel-random"};
    for (int k = 0; k < 4; k++) {
        ts_test_world w = {0};
        double p[3], e0, e1;
        const double a[] = {0, 0}, b[] = {2, 2};
        ts_test_open(&w, -G);
        strike_with(w.scene, by[k], 1, 0, 0.001);
        ts_test_box(w.scene, 2);
        ts_test_fill(w.scene, a, b, 40, ts_test_disc(w.scene, 0.1), 0.5, 1, 1);
        ts_test_start(&w, 1);
        sum_up(&w, p, &e0);
        ts_test_step(&w, 2000);
        sum_up(&w, p, &e1);
        assert_true(w.work->contact_sum > 500);
        assert_true(fabs(e1 - e0) < 1e-12 * e0);
        ts_test_close(&w);
    }
}

/* A ball that goes two and a half times its diameter in a step, along a row of others that rest with a gap: elastic
 * equals hand their velocity on, one after the other, and nobody comes to stand behind somebody. The last one bounces
 * off a wall, and back it goes. */
static void quick_balls_jump_over_nobody(void **state)
{
    (void)state;
    const double h = 0.01, radius = 0.1, speed = 5 * radius / h;
    ts_test_world w = {0};
    ts_test_open(&w, 0);
    strike_with(w.scene, "gr", 1, 0, h);
    ts_test_plane(w.scene, NULL, 10, 0, -1, 0);
    int32_t disc = ts_test_disc(w.scene, radius);
    ts_test_body_moving(w.scene, disc, 0, 0, speed, 0, 0);
    for (int i = 0; i < 3; i++)
        ts_test_body(w.scene, disc, 2.3 + 2.9 * i, 0);
    ts_test_start(&w, 1);
    for (int k = 0; k < 60; k++) {
        double momentum = 0;
        ts_test_step(&w, 1);
        for (int i = 0; i < 4; i++)
            momentum += fabs(w.state->body[i].vx);
        NEAR(momentum, speed, 1e-12 * speed);
        for (int i = 0; i < 3; i++)
            assert_true(w.state->body[i].x < w.state->body[i + 1].x);
        assert_true(w.state->body[3].x < 10);
    }
    assert_true(w.state->body[0].vx < -0.99 * speed); /* all the way back */
    ts_test_close(&w);
}

/* A stack of boxes and a disc beside it: after a hundred thousand times the fall of one step they are where they were.
 * */
static void what_rests_stays(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_test_open(&w, -G);
    strike_with(w.scene, "gr", 0, 0.5, 1.0 / 240);
    OK(ts_scene_set_map(w.scene, &(ts_map_options){.kind = TS_MAP_EXACT}, ERROR));
    ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
    int32_t box = ts_test_box_shape(w.scene, 1, 0.5);
    for (int i = 0; i < 4; i++)
        ts_test_body(w.scene, box, 0, 0.25 + 0.5 * i);
    ts_test_body(w.scene, ts_test_disc(w.scene, 0.3), 2, 0.3);
    ts_test_start(&w, 1);
    ts_test_step(&w, 2400);
    for (int i = 0; i < 5; i++) {
        const ts_body *b = &w.state->body[i];
        assert_true(fabs(b->x - (i < 4 ? 0 : 2)) < 0.01 && fabs(b->angle) < (i < 4 ? 0.01 : 10));
        assert_true(fabs(b->y - (i < 4 ? 0.25 + 0.5 * i : 0.3)) < 0.01);
    }
    ts_test_close(&w);
}

/* On a slope a box holds when μ > tan α, and slides with g (sin α − μ cos α) when it does not. */
static void boxes_slide_as_coulomb_says(void **state)
{
    (void)state;
    const double slope = 0.3, seconds = 2, mu[] = {0.1, 0.2, 0.28, 0.34, 0.5};
    for (int k = 0; k < 5; k++) {
        ts_test_world w = {0};
        ts_test_open(&w, -G);
        strike_with(w.scene, "gr", 0, mu[k], 1.0 / 480);
        ts_test_plane(w.scene, NULL, 0, 0, -sin(slope), cos(slope));
        ts_body_def def = ts_default_body();
        def.shape = ts_test_box_shape(w.scene, 1, 0.3);
        def.position[0] = -0.15 * sin(slope);
        def.position[1] = 0.15 * cos(slope);
        def.angle = slope;
        OK(ts_scene_add_body(w.scene, &def, NULL, ERROR));
        ts_test_start(&w, 1);
        ts_test_step(&w, (uint64_t)(480 * seconds));
        const ts_body *b = &w.state->body[0];
        double speed = -(b->vx * cos(slope) + b->vy * sin(slope));
        double expected = fmax(0, G * (sin(slope) - mu[k] * cos(slope))) * seconds;
        assert_true(fabs(speed - expected) < 0.02 * G * sin(slope) * seconds);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_cloud_keeps_its_momentum), cmocka_unit_test(elastic_balls_keep_their_energy),
        cmocka_unit_test(quick_balls_jump_over_nobody),    cmocka_unit_test(what_rests_stays),
        cmocka_unit_test(boxes_slide_as_coulomb_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
