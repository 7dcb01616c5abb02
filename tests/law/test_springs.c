/* SPDX-License-Identifier: MIT */
/* Springs in the plane: closed forms of oscillations, conservation laws, and the stable step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "support/check.h"
#include "support/world.h"
#include "support/world3.h"

static const char *const dynamics_name[] = {"penalty", "impact"};

static void open_world(ts_test_world *w, double gravity, const char *dynamics, double step)
{
    ts_test_open(w, gravity);
    ts_settings settings = ts_scene_settings(w->scene);
    settings.time_step = step;
    settings.duration = 10;
    OK(ts_scene_set(w->scene, &settings, ERROR));
    ts_dynamics_def def = ts_default_dynamics();
    def.kind = dynamics;
    OK(ts_scene_set_dynamics(w->scene, &def, ERROR));
}

static void add_body(ts_scene *scene, const char *name, int32_t shape, const double q[3], const double v[3])
{
    ts_body_def def = ts_default_body();
    def.name = name;
    def.shape = shape;
    def.position[0] = q[0];
    def.position[1] = q[1];
    def.angle = q[2];
    def.velocity[0] = v[0];
    def.velocity[1] = v[1];
    def.spin[2] = v[2];
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
}

static ts_spring_def spring_of(const char *a, const char *b, double stiffness, double rest)
{
    ts_spring_def def = ts_default_spring();
    def.a = a;
    def.b = b;
    def.stiffness = stiffness;
    def.rest = rest;
    return def;
}

static ts_measures measure(const ts_test_world *w)
{
    ts_measures m;
    OK(ts_measure(w->model, w->state, w->work, &m, ERROR));
    return m;
}

static double energy_of(const ts_measures *m)
{
    return m->kinetic + m->rotational + m->gravitational + m->elastic;
}

/* A disc on a linear spring swings as a cosine, of frequency √(k/m); leapfrog's is known: sin(ω'h/2) = ωh/2. */
static void a_linear_spring_swings_as_a_cosine(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++) {
        ts_test_world w = {0};
        const double h = 1e-3, k = 400, rest = 0.5;
        open_world(&w, 0, dynamics_name[d], h);
        add_body(w.scene, "bob", ts_test_disc(w.scene, 0.1), (double[3]){0.9, 0, 0}, (double[3]){0, 0, 0});
        ts_spring_def spring = spring_of(NULL, "bob", k, rest);
        OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
        ts_test_start(&w, 1);
        const double mass = ts_model_mass(w.model, 0), omega = sqrt(k / mass), own = 2 / h * asin(0.5 * omega * h);
        for (int i = 0; i < 50; i++) {
            const double t = ts_state_time(w.state), x = ts_state_bodies(w.state)[0].x;
            NEAR(x, rest + 0.4 * cos(own * t), 1e-9);
            NEAR(x, rest + 0.4 * cos(omega * t), 0.4 * omega * t * (omega * h) * (omega * h));
            assert_true(ts_state_bodies(w.state)[0].y == 0 && ts_state_bodies(w.state)[0].spin == 0);
            ts_test_step(&w, 37);
        }
        ts_test_close(&w);
    }
}

/* ¼ k x⁴ with amplitude A: a quarter of the period is √(2m/k)/A ∫₀¹ du/√(1 − u⁴) = 1.31102877714606 √(2m/k)/A. */
static void a_cubic_spring_has_the_period_of_its_energy(void **state)
{
    (void)state;
    ts_test_world w = {0};
    const double h = 1e-4, k = 3e4, amplitude = 0.4;
    open_world(&w, 0, "penalty", h);
    add_body(w.scene, "bob", ts_test_disc(w.scene, 0.1), (double[3]){amplitude, 0, 0}, (double[3]){0, 0, 0});
    ts_spring_def spring = spring_of(NULL, "bob", k, 0);
    spring.kind = TS_SPRING_CUBIC;
    OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
    ts_test_start(&w, 1);
    const double quarter = 1.31102877714606 * sqrt(2 * ts_model_mass(w.model, 0) / k) / amplitude;
    const ts_body *bob = ts_state_bodies(w.state);
    NEAR(measure(&w).elastic, 0.25 * k * pow(amplitude, 4), 1e-12);
    double before = bob->x;
    while (bob->x > 0) {
        before = bob->x;
        ts_test_step(&w, 1);
    }
    const double crossing = ts_state_time(w.state) - h * -bob->x / (before - bob->x);
    NEAR(crossing, quarter, 1e-6 * quarter + 1e-3 * h);
    ts_test_close(&w);
}

/* Anchors away from the centres, discs, clusters and an outline: nothing but the springs acts, so that both momenta are
 * kept to rounding, and energy up to the swing of order h². */
static void momenta_are_kept(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++) {
        ts_test_world w = {0};
        open_world(&w, 0, dynamics_name[d], 1e-4);
        add_body(w.scene, "rod", ts_test_rod(w.scene, 0.05, 5), (double[3]){0, 0, 0.3}, (double[3]){0.2, -0.1, 3});
        add_body(w.scene, "triad", ts_test_triad(w.scene, 0.1), (double[3]){1, 0.2, -1}, (double[3]){-0.3, 0.4, -2});
        add_body(w.scene, "ball", ts_test_disc(w.scene, 0.1), (double[3]){0.3, 1, 0}, (double[3]){0, -0.2, 5});
        const char *const end[3][2] = {{"rod", "triad"}, {"triad", "ball"}, {"ball", "rod"}};
        for (int i = 0; i < 3; i++) {
            ts_spring_def spring = spring_of(end[i][0], end[i][1], 300 + 100 * i, 0.8);
            memcpy(spring.anchor_a, (double[3]){0.05, -0.02 * i, 0}, sizeof spring.anchor_a);
            memcpy(spring.anchor_b, (double[3]){-0.03, 0.06, 0}, sizeof spring.anchor_b);
            spring.kind = i == 2 ? TS_SPRING_CUBIC : TS_SPRING_LINEAR;
            OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
        }
        ts_test_start(&w, 1);
        const ts_measures first = measure(&w);
        assert_true(first.elastic > 1);
        double swing = 0;
        for (int i = 0; i < 20; i++) {
            ts_test_step(&w, 500);
            const ts_measures now = measure(&w);
            assert_int_equal(now.contact_count, 0);
            const double scale = 30; /* kg·m/s: more than any of these bodies has */
            NEAR(now.momentum[0], first.momentum[0], 1e-12 * scale);
            NEAR(now.momentum[1], first.momentum[1], 1e-12 * scale);
            NEAR(now.angular, first.angular, 1e-11 * scale);
            swing = fmax(swing, fabs(energy_of(&now) - energy_of(&first)));
        }
        assert_true(swing < 1e-5 * energy_of(&first));
        /* the springs did something */
        assert_true(fabs(measure(&w).elastic - first.elastic) > 0.01 * first.elastic);
        ts_test_close(&w);
    }
}

/* A torque where the closed form is known: a disc held fast by its centre cannot be had, but one on a spring at its
 * rim, far away, feels r × F. */
static void the_torque_is_that_of_the_anchor(void **state)
{
    (void)state;
    for (int cluster = 0; cluster < 2; cluster++) {
        ts_test_world w = {0};
        const double h = 1e-5, k = 1, far = 1000;
        open_world(&w, 0, "penalty", h);
        int32_t shape = cluster ? ts_test_rod(w.scene, 0.05, 4) : ts_test_disc(w.scene, 0.1);
        add_body(w.scene, "bob", shape, (double[3]){0, 0, 0}, (double[3]){0, 0, 0});
        ts_spring_def spring = spring_of(NULL, "bob", k, 0);
        spring.anchor_a[0] = far;
        spring.anchor_b[1] = 0.07;
        OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
        ts_test_start(&w, 1);
        double inertia[9];
        ts_model_inertia(w.model, 0, inertia);
        ts_test_step(&w, 1);
        const ts_body *b = ts_state_bodies(w.state);
        NEAR(b->vx, h * k * far / ts_model_mass(w.model, 0), 1e-9 * b->vx);
        NEAR(b->spin, -0.07 * h * k * far / inertia[8], 1e-9 * fabs(b->spin));
        ts_test_close(&w);
    }
}

/* For one spring between two centres the bound is leapfrog's own limit: just below it a run stays where it is,
 * beyond it is refused. */
static void the_stable_step_is_the_limit(void **state)
{
    (void)state;
    ts_test_world w = {0};
    const double k = 1000;
    open_world(&w, 0, "impact", 0);
    int32_t disc = ts_test_disc(w.scene, 0.1);
    add_body(w.scene, "a", disc, (double[3]){0, 0, 0}, (double[3]){0, 0, 0});
    /* stretched so little that free flight, which knows no spring, never brings the two together in a step */
    add_body(w.scene, "b", disc, (double[3]){1.05, 0, 0}, (double[3]){0, 0, 0});
    ts_spring_def spring = spring_of("a", "b", k, 1);
    OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
    ts_test_compile(&w);
    const double limit = 2 / sqrt(2 * k / ts_model_mass(w.model, 0));
    NEAR(ts_model_stable_step(w.model), limit, 1e-12 * limit);
    assert_true(ts_model_time_step(w.model) <= 0.05 * limit);
    ts_model_free(w.model);
    w.model = NULL;
    ts_settings settings = ts_scene_settings(w.scene);
    settings.time_step = 1.01 * limit;
    OK(ts_scene_set(w.scene, &settings, ERROR));
    assert_int_equal(ts_model_compile(w.scene, &w.model, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ts_test_error.message, "too long for spring 0"));
    w.model = NULL;
    settings.time_step = 0.99 * limit;
    settings.duration = 1000 * settings.time_step;
    OK(ts_scene_set(w.scene, &settings, ERROR));
    ts_test_start(&w, 1);
    for (int i = 0; i < 900; i++) {
        ts_test_step(&w, 1);
        const ts_body *b = ts_state_bodies(w.state);
        assert_true(fabs(b[1].x - b[0].x - 1) < 1);
    }
    ts_test_close(&w);
}

/* The same bits on one thread and on three, beside contacts; and a spring to a driven body pulls the other along. */
static void threads_and_drives(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        open_world(&w, -9.81, "penalty", 0);
        int32_t disc = ts_test_disc(w.scene, 0.05);
        ts_test_box(w.scene, 2);
        ts_test_fill(w.scene, (double[2]){0.1, 0.1}, (double[2]){1.9, 0.7}, 60, disc, 0.6, 1, 0.5);
        ts_test_fixed(w.scene, "hook", disc, 1, 1.5);
        add_body(w.scene, "load", ts_test_triad(w.scene, 0.06), (double[3]){1, 1.1, 0}, (double[3]){0, 0, 0});
        ts_spring_def spring = spring_of("hook", "load", 2e4, 0.3);
        spring.anchor_b[1] = 0.05;
        OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
        ts_drive_def drive = ts_default_drive();
        drive.target = "hook";
        drive.velocity[1] = 0.5;
        OK(ts_scene_add_drive(w.scene, &drive, NULL, ERROR));
        ts_test_start(&w, k ? 3 : 1);
        ts_test_step(&w, (uint64_t)(1 / ts_model_time_step(w.model)));
        hash[k] = ts_test_hash(w.state);
        const ts_body *b = ts_state_bodies(w.state);
        assert_true(b[1].y > 1.2 && fabs(b[1].y - b[0].y + 0.35) < 0.2);
        ts_test_close(&w);
    }
    assert_true(hash[0] == hash[1]);
}

/* An empty scene under impact whose gravity is along -y, also in space. */
static void open_impact(ts_test_world *w, bool space, double g, double friction, double restitution)
{
    ts_test_open(w, -g);
    ts_space_def of_space = ts_default_space();
    of_space.gravity[1] = -g;
    of_space.gravity[2] = 0;
    if (space)
        OK(ts_scene_set_space(w->scene, &of_space, ERROR));
    ts_dynamics_def def = ts_default_dynamics();
    def.kind = "impact";
    OK(ts_scene_set_dynamics(w->scene, &def, ERROR));
    ts_material_def material = ts_default_material();
    material.friction = friction;
    material.restitution = restitution;
    OK(ts_scene_set_default_material(w->scene, &material, ERROR));
}

/* Impact does not let what a spring presses on a wall sink in, or bounce on it for long, nor what friction holds against
 * a spring creep: in the plane and in space, at steps up to the derived one, and the velocities told are those of rest. */
static void what_springs_press_rests(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        const bool space = k % 2, held = k / 2 % 2; /* by friction, on a floor; or by a wall */
        const double g = held ? 9.81 : 0, share = k / 4 ? 0.049 : 0.01, mu = 0.5, r = 0.1;
        ts_test_world w = {0};
        open_impact(&w, space, g, mu, 0.3);
        /* a rod of discs lies at two of them, or is pushed by an end; blocks lie at their corners */
        ts_test_plane3(w.scene, NULL, (double[3]){space ? r : 4 * r, 0, 0},
                       (double[3]){held ? 0 : -1, held ? 1 : 0, 0});
        int32_t shape = space ? ts_test_block(w.scene, 2 * r, 2 * r, 2 * r) : ts_test_rod(w.scene, r, 5);
        add_body(w.scene, "b", shape, (double[3]){0, held ? r : 0, 0}, (double[3]){0, 0, 0});
        ts_settings settings = ts_scene_settings(w.scene);
        settings.duration = 4;
        OK(ts_scene_set(w.scene, &settings, ERROR));
        ts_test_compile(&w);
        const double mass = ts_model_mass(w.model, 0), stiffness = 30 * mass, omega = sqrt(30),
                     force = mass * (held ? 0.3 * mu * g : 40);
        ts_model_free(w.model);
        w.model = NULL;
        ts_spring_def spring = spring_of(NULL, "b", stiffness, 1);
        spring.anchor_a[0] = 1 + force / stiffness;
        spring.anchor_a[1] = held ? r : 0;
        OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
        settings.time_step = share * 2 / omega;
        OK(ts_scene_set(w.scene, &settings, ERROR));
        ts_test_start(&w, 1);
        ts_test_step(&w, (uint64_t)(1 / settings.time_step));
        double before[7], after[7];
        OK(ts_state_pose(w.state, 0, before, ERROR));
        ts_test_step(&w, (uint64_t)(2 / settings.time_step));
        OK(ts_state_pose(w.state, 0, after, ERROR));
        NEAR(after[0], before[0], 1e-8);
        NEAR(after[0], 0, 1e-4);
        assert_true(measure(&w).max_speed < 1e-6);
        ts_test_close(&w);
    }
}

/* A spring that presses one ball on the floor, however hard, does not take the bounce from another one, 5 m away. */
static void a_spring_presses_its_own(void **state)
{
    (void)state;
    for (int space = 0; space < 2; space++) {
        double top[2];
        for (int pressed = 0; pressed < 2; pressed++) {
            const double r = 0.05;
            ts_test_world w = {0};
            open_impact(&w, space, 9.81, 0, 0.8);
            ts_test_plane3(w.scene, NULL, (double[3]){0, 0, 0}, (double[3]){0, 1, 0});
            const int32_t ball = space ? ts_test_ball(w.scene, r) : ts_test_disc(w.scene, r);
            add_body(w.scene, "free", ball, (double[3]){0, 0.2 + r, 0}, (double[3]){0, 0, 0});
            add_body(w.scene, "pressed", ball, (double[3]){5, r, 0}, (double[3]){0, 0, 0});
            ts_spring_def spring = spring_of(NULL, "pressed", pressed ? 40000 : 1, 0);
            spring.anchor_a[0] = 5;
            spring.anchor_a[1] = r - 1;
            OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
            ts_settings settings = ts_scene_settings(w.scene);
            settings.time_step = 5e-4;
            settings.duration = 1;
            OK(ts_scene_set(w.scene, &settings, ERROR));
            ts_test_start(&w, 1);
            ts_test_step(&w, (uint64_t)(0.36 / settings.time_step)); /* near its highest point */
            double q[7];
            OK(ts_state_pose(w.state, 0, q, ERROR));
            top[pressed] = q[1];
            OK(ts_state_pose(w.state, 1, q, ERROR));
            NEAR(q[1], r, 1e-6);
            ts_test_close(&w);
        }
        NEAR(top[0], 0.05 + 0.64 * 0.2, 1e-3);
        NEAR(top[1], top[0], 1e-12);
    }
}

/* Heaps that springs press, each ball by 20 weights and to the sides, are not pressed into the floor, come to rest, and
 * are told to, also where others press contacts that springs part. Sweeps, of more than 40 bodies, take longer. */
static void heaps_that_springs_press_rest(void **state)
{
    (void)state;
    const struct {
        int row, deep, layers;
        double length, most;
    } heap[] = {{5, 1, 6, 5, 1e-3}, {3, 2, 6, 5, 1e-3}, {3, 2, 8, 20, 0.03}};
    for (int k = 0; k < 3; k++) {
        const bool space = heap[k].deep > 1;
        const double g = 9.81, r = 0.1, h = 5e-3, length = heap[k].length, most = heap[k].most;
        const int row = heap[k].row, deep = heap[k].deep, count = row * deep * heap[k].layers;
        ts_test_world w = {0};
        open_impact(&w, space, g, 0.5, 0.3);
        ts_test_plane3(w.scene, NULL, (double[3]){0, 0, 0}, (double[3]){0, 1, 0});
        for (int i = -1; i <= 1; i += 2) {
            ts_test_plane3(w.scene, NULL, (double[3]){-1.15 * r * row * i, 0, 0}, (double[3]){i, 0, 0});
            if (space)
                ts_test_plane3(w.scene, NULL, (double[3]){0, 0, -1.15 * r * deep * i}, (double[3]){0, 0, i});
        }
        const int32_t ball = space ? ts_test_ball(w.scene, r) : ts_test_disc(w.scene, r);
        const double mass = 1000 * (space ? 4.0 / 3 * r : 1) * TS_PI * r * r;
        for (int i = 0; i < count; i++) {
            const int layer = i / (row * deep);
            const double x = 2.2 * r * (i % row - 0.5 * (row - 1)) + 0.05 * r * (layer % 2),
                         z = space ? 2.2 * r * (i / row % deep - 0.5) + 0.04 * r * (layer % 3) : 0;
            char name[16];
            snprintf(name, sizeof name, "b%d", i);
            ts_body_def body = ts_default_body();
            body.name = name;
            body.shape = ball;
            memcpy(body.position, (double[3]){x, r * (1.2 + 2.2 * layer), z}, sizeof body.position);
            OK(ts_scene_add_body(w.scene, &body, NULL, ERROR));
            ts_spring_def spring = spring_of(NULL, name, 20 * mass * g / length, 0);
            memcpy(spring.anchor_a, (double[3]){x, -length, z}, sizeof spring.anchor_a);
            OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
        }
        ts_settings settings = ts_scene_settings(w.scene);
        settings.time_step = h;
        settings.duration = 4;
        OK(ts_scene_set(w.scene, &settings, ERROR));
        ts_test_start(&w, 1);
        ts_test_step(&w, (uint64_t)(3 / h));
        const double worth = 21 * g * h; /* what a step adds to a velocity */
        for (int i = 0; i < 40; i++) {
            ts_test_step(&w, 1);
            const ts_measures m = measure(&w);
            assert_true(m.max_speed < most * worth);
            assert_true(m.kinetic + m.rotational < most * most * 0.5 * count * mass * worth * worth);
            assert_true(m.max_overlap < 0.01 * r);
        }
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(a_linear_spring_swings_as_a_cosine),
        cmocka_unit_test(a_cubic_spring_has_the_period_of_its_energy),
        cmocka_unit_test(momenta_are_kept),
        cmocka_unit_test(the_torque_is_that_of_the_anchor),
        cmocka_unit_test(the_stable_step_is_the_limit),
        cmocka_unit_test(threads_and_drives),
        cmocka_unit_test(what_springs_press_rests),
        cmocka_unit_test(a_spring_presses_its_own),
        cmocka_unit_test(heaps_that_springs_press_rest),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
