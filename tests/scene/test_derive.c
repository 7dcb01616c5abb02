/* SPDX-License-Identifier: MIT */
/* What a scene leaves open: the rules for stiffness and time step, against closed forms and against what runs then
 * do. */
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "scene/compiled.h"

/* ---- Time step ---- */

static void set_material(double stiffness, double restitution, double ratio, double friction)
{
    ts_material_def def = ts_default_material();
    def.stiffness = stiffness;
    def.restitution = restitution;
    def.stiffness_ratio = ratio;
    def.friction = friction;
    OK(ts_scene_set_default_material(scene, &def, ERROR));
}

static void set_step(double step, double gravity)
{
    ts_settings settings = ts_default_settings();
    settings.time_step = step;
    settings.gravity[1] = gravity;
    OK(ts_scene_set(scene, &settings, ERROR));
}

/* Undamped discs: 2/ω with ω² = 6 (kn + kt)/m, the highest frequency of a triangular lattice, or 24 kt/m when all
 * turn. */
static void stable_step_of_discs(void **state)
{
    (void)state;
    int32_t disc = add_disc(0.1);
    add_body(NULL, disc, 0, 0, false);
    double m = 1000 * TS_PI * 0.01;
    set_material(1e5, 1, 0, 0.5);
    compile();
    NEAR(ts_model_stable_step(model), 2 * sqrt(m / (6 * 1e5)), 1e-12);
    set_material(1e5, 1, 1, 0.5);
    compile();
    NEAR(ts_model_stable_step(model), 2 * sqrt(m / (24 * 1e5)), 1e-12);
    /* the customary choice is accepted, and is the one that is made */
    set_material(1e5, 0.5, 2.0 / 7, 0.5);
    set_step(0.1 * sqrt(m / 1e5), -9.81);
    compile();
    set_step(0, -9.81);
    compile();
    assert_true(ts_model_time_step(model) <= 0.1 * sqrt(m / 1e5) * (1 + 1e-12));
    assert_true(ts_model_time_step(model) > 0.99 * 0.1 * sqrt(m / 1e5));
    /* damping shortens the limit */
    double limit = ts_model_stable_step(model);
    set_material(1e5, 0.1, 2.0 / 7, 0.5);
    compile();
    assert_true(ts_model_stable_step(model) < 0.5 * limit);
}

static void set_times(double step, double duration, double frame, double energy)
{
    ts_settings settings = ts_default_settings();
    settings.time_step = step;
    settings.duration = duration;
    settings.frame_interval = frame;
    settings.energy_interval = energy;
    OK(ts_scene_set(scene, &settings, ERROR));
}

/* The rule gives 0.1 √(m/k); whatever the duration, a whole number of steps makes it up, at least 100. */
static void a_derived_step_divides_the_duration(void **state)
{
    (void)state;
    add_body(NULL, add_disc(0.1), 0, 0, false);
    set_material(1e5, 1, 2.0 / 7, 0.5);
    double rule = 0.1 * sqrt(1000 * TS_PI * 0.01 / 1e5);
    for (double duration = 1e-6; duration < 1e4; duration *= 1.37) {
        double most = fmin(rule, duration / 100);
        set_times(0, duration, 0, 0);
        compile();
        double step = ts_model_time_step(model), count = duration / step;
        assert_true(step <= most * (1 + 1e-12) && step > 0.99 * most);
        NEAR(count / round(count), 1, 1e-14);
        assert_true(duration / 100 > rule || round(count) == 100);
    }
    set_times(0, 1, 0, 0);
    compile();
    const double step = ts_model_time_step(model);
    set_times(0, 1, 0.0007, 0); /* frames closer than the rule's steps: as often as there are steps */
    compile();
    assert_true(step > 0.0007 && ts_model_time_step(model) == step && model->settings.frame_interval == step);
    set_times(0.0013, 1, 0, 0); /* given: as it is */
    compile();
    assert_true(ts_model_time_step(model) == 0.0013);
}

static void times_shorter_than_a_step_are_refused(void **state)
{
    (void)state;
    add_body(NULL, add_disc(0.1), 0, 0, false);
    set_material(1e5, 1, 2.0 / 7, 0.5);
    set_times(0.001, 0.0009, 0, 0);
    refused("time_step 0.001 s", "duration of 0.0009 s");
    set_times(0.001, 0.001, 0, 0);
    compile();
    set_times(0.001, 1, 0.0005, 0);
    refused("frame_interval 0.0005 s", "time step of 0.001 s");
    set_times(0.001, 1, 0, 0.0002);
    refused("energy_interval 0.0002 s", "time step of 0.001 s");
    set_times(0, 1, 0.1, 1e-6);
    refused("energy_interval 1e-06 s", "time step of 0.00");
    set_times(0.001, 1, 1.0 / 1000, 0.001 * (1 - 1e-15)); /* equal but for rounding */
    compile();
}

static void too_long_a_step_names_the_lightest_body(void **state)
{
    (void)state;
    int32_t disc = add_disc(0.1);
    add_body("big", disc, 0, 0, false);
    ts_body_def def = ts_default_body();
    def.name = "tiny";
    def.shape = disc;
    def.position[0] = 1;
    def.scale = 0.1;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
    set_material(1e5, 0.5, 2.0 / 7, 0.5);
    compile();
    double limit = ts_model_stable_step(model);
    set_step(limit * 0.999, -9.81);
    compile();
    set_step(limit * 1.001, -9.81);
    char text[40];
    snprintf(text, sizeof text, "at most %g s", limit);
    refused("\"tiny\"", text);
    set_step(1e-300, -9.81);
    refused("too short", "duration");
}

/* A triangular lattice of sticky discs under pressure, inside a rim of fixed ones: the case that the rule is made
 * for. */
static void build_lattice(double restitution, double ratio)
{
    enum { N = 12 };
    const double pitch = 0.2 * 0.99; /* every contact is pressed in by 2% of a radius */
    int32_t disc = add_disc(0.1);
    set_material(1e5, restitution, ratio, 1e6);
    set_step(0, 0);
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            bool rim = row == 0 || column == 0 || row == N - 1 || column == N - 1;
            ts_body_def def = ts_default_body();
            def.shape = disc;
            def.position[0] = pitch * (column + 0.5 * (row % 2));
            def.position[1] = pitch * sqrt(0.75) * row;
            def.fixed = rim;
            def.spin[2] = rim ? 0 : 0.01 * sin(12.9898 * row + 78.233 * column);
            def.velocity[0] = rim ? 0 : 0.001 * cos(39.425 * row + 11.135 * column);
            OK(ts_scene_add_body(scene, &def, NULL, ERROR));
        }
    compile();
}

/* Largest kinetic energy of a run at this share of the stable step, relative to that at its start. */
static double growth(double share)
{
    model->settings.time_step = share * model->stable_step; /* past the check */
    ts_state *s;
    ts_workspace *w;
    ts_measures m;
    OK(ts_state_create(model, &s, ERROR));
    OK(ts_workspace_create(model, 1, &w, ERROR));
    OK(ts_measure(model, s, w, &m, ERROR));
    double start = m.kinetic + m.rotational, most = start;
    for (int i = 0; i < 200 && most < 1e6 * start; i++) {
        if (ts_step(model, s, w, 10, ERROR) != TS_OK || ts_measure(model, s, w, &m, ERROR) != TS_OK)
            most = HUGE_VAL;
        most = fmax(most, m.kinetic + m.rotational);
    }
    ts_workspace_free(w);
    ts_state_free(s);
    return most / start;
}

static void the_stable_step_is_the_limit(void **state)
{
    (void)state;
    const double restitution[] = {1, 0.9, 0.5}, ratio[] = {0.5, 2.0 / 7, 1};
    for (int i = 0; i < 3; i++) {
        tear_down(state);
        set_up(state);
        build_lattice(restitution[i], ratio[i]);
        /* below the limit the velocity of a mode beats by up to 1/√(1 - 0.97²) = 4.1, its energy by 17 */
        assert_true(growth(0.97) < 20);
        assert_true(growth(1.1) > 1000);
    }
}

/* Rods thrown into a box come to rest at the largest step, and tremble for ever at a few times that. */
static double unrest(double share)
{
    tear_down(NULL);
    set_up(NULL);
    ts_disc disc[4] = {{-0.09, 0, 0.04}, {-0.03, 0, 0.04}, {0.03, 0, 0.04}, {0.09, 0, 0.04}};
    ts_shape_def shape = ts_default_shape();
    shape.disc = disc;
    shape.disc_count = 4;
    int32_t rod;
    OK(ts_scene_add_shape(scene, &shape, &rod, ERROR));
    ts_wall_def wall = ts_default_wall();
    for (int i = 0; i < 3; i++) {
        wall.position[0] = i == 2 ? 1 : 0;
        wall.normal[0] = i == 0 ? 0 : i == 1 ? 1 : -1;
        wall.normal[1] = i == 0 ? 1 : 0;
        OK(ts_scene_add_wall(scene, &wall, NULL, ERROR));
    }
    ts_mix_entry mix = {.shape = rod, .material = 0, .weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def def = ts_default_generator();
    def.mix = &mix;
    def.mix_count = 1;
    def.high[1] = 6;
    def.count = 40;
    OK(ts_scene_add_generator(scene, &def, NULL, ERROR));
    set_material(2e6, 0.2, 2.0 / 7, 0.4);
    compile();
    model->settings.time_step = share * model->stable_step; /* past the check */
    ts_state *s;
    ts_workspace *w;
    ts_measures m = {0};
    OK(ts_state_create(model, &s, ERROR));
    OK(ts_workspace_create(model, 1, &w, ERROR));
    OK(ts_step(model, s, w, (uint64_t)(4 / model->settings.time_step), ERROR));
    OK(ts_measure(model, s, w, &m, ERROR));
    double weight = 40 * ts_model_mass(model, 0) * 9.81;
    ts_workspace_free(w);
    ts_state_free(s);
    return (m.kinetic + m.rotational) / (weight * 0.04); /* relative to a fall by a disc's radius */
}

static void clusters_rest_at_the_stable_step(void **state)
{
    (void)state;
    assert_true(unrest(0.99) < 1e-12);
    assert_true(unrest(4) > 1e-6);
}

/* A rod of this many discs, half overlapping their neighbours, lies on a floor. */
static void build_rod(int count, double restitution, double height, double angle)
{
    tear_down(NULL);
    set_up(NULL);
    ts_disc disc[200];
    for (int i = 0; i < count; i++)
        disc[i] = (ts_disc){0.01 * (i - 0.5 * (count - 1)), 0, 0.01};
    ts_shape_def shape = ts_default_shape();
    shape.disc = disc;
    shape.disc_count = (size_t)count;
    ts_body_def def = ts_default_body();
    OK(ts_scene_add_shape(scene, &shape, &def.shape, ERROR));
    def.position[1] = 0.01 + height;
    def.angle = angle;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
    add_floor(NULL, 0);
    ts_material_def material = ts_default_material();
    material.restitution = restitution;
    OK(ts_scene_set_default_material(scene, &material, ERROR));
    compile();
}

/* How a run of 0.2 s ends, in units of the work of lifting the body by a disc's radius. */
typedef struct rest {
    double growth;  /* the most by which the energy exceeds that at the start */
    double kinetic; /* at the end */
} rest;

static double total(const ts_measures *m)
{
    return m->kinetic + m->rotational + m->gravitational + m->elastic;
}

static rest run_rod(void)
{
    ts_state *s;
    ts_workspace *w;
    ts_measures m;
    OK(ts_state_create(model, &s, ERROR));
    OK(ts_workspace_create(model, 1, &w, ERROR));
    OK(ts_measure(model, s, w, &m, ERROR));
    double unit = ts_model_mass(model, 0) * 9.81 * 0.01, start = total(&m);
    rest r = {-HUGE_VAL, 0};
    while (ts_state_time(s) < 0.2) {
        OK(ts_step(model, s, w, 7, ERROR));
        OK(ts_measure(model, s, w, &m, ERROR));
        r.growth = fmax(r.growth, (total(&m) - start) / unit);
        r.kinetic = (m.kinetic + m.rotational) / unit;
    }
    ts_workspace_free(w);
    ts_state_free(s);
    return r;
}

/* Every disc of a rod on a floor is a spring and a dashpot: K = n k/m. At the derived step and just below the limit the
 * rod stays where it is, without damping, and comes to rest on all its discs, with it. */
static void long_rods_rest_on_a_floor(void **state)
{
    (void)state;
    const int count[] = {50, 200};
    for (int i = 0; i < 2; i++)
        for (int derived = 0; derived < 2; derived++) {
            build_rod(count[i], 1, 0, 0);
            model->settings.time_step = derived ? model->settings.time_step : 0.98 * model->stable_step;
            rest r = run_rod();
            assert_true(r.growth < 1e-6 && r.kinetic < 1e-5);
            build_rod(count[i], 0.5, 0.012, 2.0 / count[i]); /* one end strikes first, then the other */
            model->settings.time_step = derived ? model->settings.time_step : 0.98 * model->stable_step;
            r = run_rod();
            assert_true(r.growth < 1e-9 && r.kinetic < 1e-12);
        }
}

/* Two discs have fewer contacts of their own than neighbours around them: the limit is that of the lattice, with the
 * modes of moving and turning added. */
static void short_rods_have_the_limit_of_a_lattice(void **state)
{
    (void)state;
    build_rod(2, 1, 0, 0);
    double k = model->law[0].kn, kt = model->law[0].kt, r = 0.015; /* of the bounding circle */
    double moving = 6 * (k + kt) / ts_model_mass(model, 0), turning = 12 * k * r * r / ts_test_inertia(model, 0);
    NEAR(ts_model_stable_step(model) * sqrt(moving + turning), 2, 1e-12);
}

/* ---- Derived stiffness ---- */

static double deepest_overlap(double time, double *at_end)
{
    ts_state *s;
    ts_workspace *w;
    ts_measures m;
    double deepest = 0;
    OK(ts_state_create(model, &s, ERROR));
    OK(ts_workspace_create(model, 1, &w, ERROR));
    while (ts_state_time(s) < time) {
        OK(ts_step(model, s, w, 4, ERROR));
        OK(ts_measure(model, s, w, &m, ERROR));
        deepest = fmax(deepest, m.overlap_ratio);
    }
    *at_end = m.overlap_ratio;
    ts_workspace_free(w);
    ts_state_free(s);
    return deepest;
}

/* A disc falls from a height without losing energy: it overlaps the floor by the tolerated share, by no more than the
 * little that its weight adds and no less. */
static void a_fall_overlaps_as_tolerated(void **state)
{
    (void)state;
    const double share[] = {0.01, 0.03};
    for (int i = 0; i < 2; i++) {
        tear_down(state);
        set_up(state);
        add_floor(NULL, 0);
        add_body(NULL, add_disc(0.01), 0, 0.11, false);
        ts_material_def material = ts_default_material();
        material.restitution = 1;
        OK(ts_scene_set_default_material(scene, &material, ERROR));
        ts_dynamics_def dynamics = ts_default_dynamics();
        ts_dynamics_set(&dynamics, "tolerated_overlap", share[i]);
        OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
        compile();
        double end, deepest = deepest_overlap(0.2, &end);
        NEAR(deepest / share[i], 1, 0.02);
    }
}

/* Discs at rest on each other: the lowest carries them all, within the tolerance. */
static void a_load_overlaps_as_tolerated(void **state)
{
    (void)state;
    add_floor(NULL, 0);
    int32_t disc = add_disc(0.01);
    for (int i = 0; i < 5; i++)
        add_body(NULL, disc, 0, 0.01 + 0.02 * i, false);
    compile();
    double end, deepest = deepest_overlap(0.6, &end);
    assert_true(deepest < 0.05); /* docs/penalty.md: the tolerated overlap by default */
    double weight = 5 * ts_model_mass(model, 0) * 9.81;
    NEAR(end / (weight / model->law[0].kn / 0.01), 1, 0.001); /* static: W = k d */
}

/* One scene at 1e-3, 1 and 1e3 of its size: k/m · t² with t² = L/g is the same, and so is Δt/t. */
static void derived_values_scale(void **state)
{
    (void)state;
    double stiffness[3], step[3], skin[3];
    for (int i = 0; i < 3; i++) {
        double unit = pow(1000, i - 1);
        tear_down(state);
        set_up(state);
        ts_settings settings = ts_default_settings();
        settings.duration = sqrt(unit);
        OK(ts_scene_set(scene, &settings, ERROR));
        add_floor(NULL, 0);
        int32_t disc = add_disc(0.5 * unit);
        for (int k = 0; k < 20; k++)
            add_body(NULL, disc, 1.5 * unit * (k % 4), (0.6 + 1.3 * (k / 4)) * unit, false);
        compile();
        stiffness[i] = model->law[0].kn / ts_model_mass(model, 0) * unit / 9.81;
        step[i] = ts_model_time_step(model) / sqrt(unit / 9.81);
        skin[i] = model->settings.skin / unit;
    }
    for (int i = 0; i < 3; i += 2) {
        NEAR(stiffness[i] / stiffness[1], 1, 1e-12);
        NEAR(step[i] / step[1], 1, 1e-12);
        NEAR(skin[i] / skin[1], 1, 1e-12);
    }
}

static void expected_speed_is_taken(void **state)
{
    (void)state;
    add_body(NULL, add_disc(0.1), 0, 0, false);
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_dynamics_set(&dynamics, "expected_speed", 7);
    ts_dynamics_set(&dynamics, "tolerated_overlap", 0.01);
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    set_step(0, 0);
    compile();
    /* ½ m v² = ½ k d² */
    NEAR(model->law[0].kn * 0.001 * 0.001 / (ts_model_mass(model, 0) * 49), 1, 1e-12);
    /* without it: the speeds that are there */
    dynamics = ts_default_dynamics();
    ts_dynamics_set(&dynamics, "tolerated_overlap", 0.01);
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    ts_body_def def = ts_default_body();
    def.position[0] = 5;
    def.velocity[0] = -3;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
    compile();
    NEAR(model->law[0].kn * 0.001 * 0.001 / (ts_model_mass(model, 0) * 9), 1, 1e-12);
}

static void scenes_without_motion(void **state)
{
    (void)state;
    add_body(NULL, add_disc(0.1), 0, 0, true);
    compile();
    assert_true(ts_model_time_step(model) > 0 && isinf(ts_model_stable_step(model)));
    ts_settings settings = ts_default_settings();
    settings.gravity[1] = 0;
    OK(ts_scene_set(scene, &settings, ERROR));
    add_body(NULL, 0, 1, 0, false); /* free, but nothing moves it */
    compile();
    assert_true(isnormal(model->law[0].kn) && isnormal(ts_model_time_step(model)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stable_step_of_discs),
        TEST(too_long_a_step_names_the_lightest_body),
        TEST(the_stable_step_is_the_limit),
        TEST(clusters_rest_at_the_stable_step),
        TEST(long_rods_rest_on_a_floor),
        TEST(short_rods_have_the_limit_of_a_lattice),
        TEST(a_fall_overlaps_as_tolerated),
        TEST(a_load_overlaps_as_tolerated),
        TEST(derived_values_scale),
        TEST(expected_speed_is_taken),
        TEST(scenes_without_motion),
        TEST(a_derived_step_divides_the_duration),
        TEST(times_shorter_than_a_step_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
