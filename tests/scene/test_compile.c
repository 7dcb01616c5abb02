/* SPDX-License-Identifier: MIT */
/* What a scene compiles to: masses, drives, refusals, hashes. */
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "scene/compiled.h"
#include "scene/fingerprint.h"

/* ---- Bodies ---- */

static void masses(void **state)
{
    (void)state;
    int32_t disc = add_disc(0.5);
    ts_material_def heavy = ts_default_material();
    int32_t lead;
    heavy.density = 11000;
    OK(ts_scene_add_material(scene, "lead", &heavy, &lead, ERROR));
    ts_body_def def = ts_default_body();
    def.shape = disc;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
    def.position[0] = 10;
    def.scale = 3;
    def.material = lead;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
    def.position[0] = 20;
    def.fixed = true;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
    compile();
    double m = 1000 * TS_PI * 0.25;
    NEAR(ts_model_mass(model, 0), m, 1e-12 * m);
    NEAR(ts_test_inertia(model, 0), 0.5 * m * 0.25, 1e-12 * m);
    m = 11000 * TS_PI * 2.25;
    NEAR(ts_model_mass(model, 1), m, 1e-12 * m);
    NEAR(ts_test_inertia(model, 1), 0.5 * m * 2.25, 1e-12 * m);
    NEAR(ts_model_mass(model, 2), m, 1e-12 * m);
    NEAR(model->body[1].inv_mass * m, 1, 1e-14);
    assert_true(model->body[2].inv_mass == 0 && model->inv_inertia[2] == 0);
    assert_true(model->body[1].radius == 1.5);
    assert_true(model->parts_are_bodies && model->part_count == 3 && !model->part_begin);
    assert_true(isnan(ts_model_mass(model, 3)) && ts_model_shape(model, 3) == -1);
    assert_int_equal(ts_model_body_count(model), 3);
}

/* A dumbbell of two equal discs, given off centre: parts lie about the middle, which is where the body is put. */
static void clusters(void **state)
{
    (void)state;
    ts_disc disc[3] = {{5, 1, 0.5}, {7, 1, 0.5}, {7, 1.1, 0.1}};
    ts_shape_def shape = ts_default_shape();
    shape.name = "dumbbell";
    shape.disc = disc;
    shape.disc_count = 3;
    int32_t index;
    OK(ts_scene_add_shape(scene, &shape, &index, ERROR));
    add_body(NULL, add_disc(0.5), 0, 0, false);
    ts_body_def def = ts_default_body();
    def.shape = index;
    def.position[0] = 10;
    def.scale = 2;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
    compile();
    assert_false(model->parts_are_bodies);
    assert_int_equal(model->part_count, 3); /* the disc inside another is gone */
    assert_int_equal(model->part_begin[1], 1);
    assert_int_equal(model->part_begin[2], 3);
    NEAR(model->part_x[1], -2, 1e-14);
    NEAR(model->part_x[2], 2, 1e-14);
    NEAR(model->part_y[1], 0, 1e-14);
    NEAR(model->part_radius[2], 1, 1e-14);
    assert_int_equal(model->part_body[0], 0);
    assert_int_equal(model->part_body[2], 1);
    assert_true(model->body[1].x == 10 && model->body[1].y == 0);
    NEAR(model->body[1].radius, 3, 1e-14);
    double m = 1000 * TS_PI; /* each disc */
    NEAR(ts_model_mass(model, 1), 2 * m, 1e-11 * m);
    NEAR(ts_test_inertia(model, 1), 2 * (0.5 * m + 4 * m), 1e-11 * m);
    assert_string_equal(model->shape[index].name, "dumbbell");
}

static void overlapping_bodies_are_refused(void **state)
{
    (void)state;
    int32_t disc = add_disc(1), small = add_disc(0.1);
    add_body("left", disc, 0, 0, false);
    add_body("right", disc, 1.96, 0, false); /* 4% of a radius: a settled packing may look so */
    compile();
    add_body("small", small, 0, 1.1 - 0.006, false); /* 6% of the smaller radius */
    refused("\"small\"", "\"left\"");
}

static void fixed_bodies_may_overlap(void **state)
{
    (void)state;
    int32_t disc = add_disc(1);
    add_body("a", disc, 0, 0, true);
    add_body("b", disc, 0.5, 0, true);
    add_floor("floor", 0); /* and may stick in a wall */
    compile();
    add_body("c", disc, 0.2, 1, false);
    refused("\"c\"", "overlaps");
}

/* What touches are the discs, not the bounding circles. */
static void clusters_may_interlock(void **state)
{
    (void)state;
    ts_disc l[3] = {{0, 0, 0.5}, {1, 0, 0.5}, {0, 1, 0.5}};
    ts_shape_def shape = ts_default_shape();
    shape.disc = l;
    shape.disc_count = 3;
    int32_t index;
    OK(ts_scene_add_shape(scene, &shape, &index, ERROR));
    int32_t disc = add_disc(0.45);
    add_body("l", index, 0, 0, false);
    compile();
    ts_disc corner = model->shape[index].disc[0]; /* (0, 0) of the drawing, about the centre of mass */
    double x = corner.x + 1, y = corner.y + 1;    /* the notch */
    add_body("in the notch", disc, x, y, false);
    compile();
    assert_true(hypot(x, y) < model->body[0].radius + 0.45); /* the bounding circles do overlap */
    add_body("in the corner", disc, corner.x, corner.y, false);
    refused("in the corner", "\"l\"");
}

static void bodies_beyond_a_wall_are_refused(void **state)
{
    (void)state;
    int32_t disc = add_disc(1);
    add_floor("the floor", 0);
    add_body("ball", disc, 0, 0.96, false);
    compile();
    add_body("buried", disc, 5, -3, false);
    refused("\"buried\"", "\"the floor\"");
}

static void bodies_outside_a_circle_are_refused(void **state)
{
    (void)state;
    ts_wall_def def = ts_default_wall();
    def.kind = TS_WALL_CIRCLE;
    def.radius = 4;
    OK(ts_scene_add_wall(scene, &def, NULL, ERROR));
    int32_t disc = add_disc(1);
    add_body(NULL, disc, 3, 0, false);
    compile();
    add_body(NULL, disc, 0, 3.2, false);
    refused("body 1", "wall 0");
}

static void absurd_scenes_are_refused(void **state)
{
    (void)state;
    refused("no bodies", "add");
    ts_body_def def = ts_default_body();
    def.shape = add_disc(1e-3);
    def.scale = 1e-90;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
    refused("body 0", "moment of inertia");
    ts_scene_free(scene);
    OK(ts_scene_create(&scene, ERROR));
    add_body(NULL, add_disc(1e-3), 1e9, 0, false);
    refused("body 0", "origin");
    ts_scene_free(scene);
    OK(ts_scene_create(&scene, ERROR));
    add_body(NULL, add_disc(1), 0, 0, false);
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "penality";
    assert_int_equal(ts_scene_set_dynamics(scene, &dynamics, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "penality"));
    assert_non_null(strstr(ERROR->message, "penalty"));
}

/* ---- Drives ---- */

static ts_drive_def drive_of(const char *target, ts_drive_kind kind)
{
    ts_drive_def def = ts_default_drive();
    def.target = target;
    def.kind = kind;
    return def;
}

static void drives_find_their_targets(void **state)
{
    (void)state;
    int32_t disc = add_disc(0.1);
    add_body("free", disc, 0, 5, false);
    add_body("paddle", disc, 2, 1, true);
    add_floor("floor", -1);
    ts_mix_entry mix = {.shape = disc, .material = 0, .weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def row = ts_default_generator();
    row.name = "row";
    row.fill = TS_FILL_LATTICE;
    row.fixed = true;
    row.low[1] = 7;
    row.high[1] = 7.2;
    row.high[0] = 1;
    row.count = 5;
    row.mix = &mix;
    row.mix_count = 1;
    OK(ts_scene_add_generator(scene, &row, NULL, ERROR));
    ts_drive_def def = drive_of("paddle", TS_DRIVE_ROTATION);
    def.rate = 2;
    def.velocity[0] = 1e9; /* not of this kind: must not matter */
    OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
    def = drive_of("row", TS_DRIVE_OSCILLATION);
    def.angle_amplitude = 0.1;
    def.frequency = 1;
    OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
    def = drive_of("floor", TS_DRIVE_GATE);
    def.start = 2;
    OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
    def = drive_of("row", TS_DRIVE_GATE);
    def.start = 3;
    def.end = 4;
    OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
    ts_keyframe key[2] = {{0, {0, 0}, 0}, {1, {1, 0}, 0}};
    def = drive_of("floor", TS_DRIVE_KEYFRAMES);
    def.key = key;
    def.key_count = 2;
    OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
    compile();

    assert_int_equal(model->motion_count, 3);
    assert_int_equal(model->gate_count, 1);
    assert_int_equal(model->body_motion[0], -1);
    assert_int_equal(model->body_motion[1], 0);
    assert_true(model->motion[0].rate == 2 && model->motion[0].velocity.x == 0);
    assert_true(model->motion[0].pivot.x == 2 && model->motion[0].pivot.y == 1); /* its own position */
    for (int i = 2; i < 7; i++) {
        assert_int_equal(model->body_motion[i], 1);
        assert_int_equal(model->body_gate[i], 0);
    }
    NEAR(model->motion[1].pivot.x, 0.5, 1e-12); /* the middle of the row */
    NEAR(model->motion[1].pivot.y, 7.1, 1e-12);
    assert_int_equal(model->body_gate[1], -1);
    assert_true(model->gate[0].open == 3 && model->gate[0].close == 4);
    assert_int_equal(model->wall[0].motion, 2);
    assert_true(model->wall[0].open == 2 && isinf(model->wall[0].close));
    assert_int_equal(model->motion[2].key_count, 2);
    assert_true(model->motion[2].pivot.x == 0 && model->motion[2].pivot.y == -1);
}

static void drives_that_make_no_sense(void **state)
{
    (void)state;
    int32_t disc = add_disc(0.1);
    add_body("free", disc, 0, 5, false);
    add_body("paddle", disc, 2, 1, true);
    const char *const target[] = {"padle", "free", "paddle", "paddle"};
    const ts_drive_kind kind[] = {TS_DRIVE_VELOCITY, TS_DRIVE_GATE, TS_DRIVE_ROTATION, TS_DRIVE_GATE};
    const char *const word[] = {"\"paddle\"?", "\"free\"", "two drives", "two gates"};
    for (int i = 0; i < 4; i++) {
        tear_down(state);
        set_up(state);
        disc = add_disc(0.1);
        add_body("free", disc, 0, 5, false);
        add_body("paddle", disc, 2, 1, true);
        ts_drive_def def = drive_of(target[i], kind[i]);
        OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
        if (i >= 2) {
            compile();
            def.kind = i == 2 ? TS_DRIVE_VELOCITY : TS_DRIVE_GATE;
            OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
        }
        refused(word[i], "drive");
    }
}

/* A drive that moves its target by more than half of the smallest free radius in a step could step through a body. */
static void drives_that_could_tunnel(void **state)
{
    (void)state;
    const char *const target[] = {"paddle", "floor", "floor"};
    const ts_drive_kind kind[] = {TS_DRIVE_VELOCITY, TS_DRIVE_VELOCITY, TS_DRIVE_ROTATION};
    /* the floor turns about (0, 0): the far rim of the free body, its far point, is 5.1 m from there */
    const double most[] = {0.05 / 1e-4, 0.05 / 1e-4, 0.05 / 1e-4 / 5.1};
    for (int i = 0; i < 6; i++) {
        tear_down(state);
        set_up(state);
        int32_t disc = add_disc(0.1);
        add_body("free", disc, 0, 5, false);
        ts_body_def small = ts_default_body(); /* smaller, but it cannot be hit */
        small.shape = disc;
        small.scale = 0.01;
        small.position[0] = 9;
        small.fixed = true;
        OK(ts_scene_add_body(scene, &small, NULL, ERROR));
        add_body("paddle", disc, 2, 1, true);
        add_floor("floor", 0);
        ts_material_def soft = ts_default_material();
        soft.stiffness = 1e4; /* whatever the drive's speed */
        OK(ts_scene_set_default_material(scene, &soft, ERROR));
        ts_settings settings = ts_default_settings();
        settings.time_step = 1e-4;
        OK(ts_scene_set(scene, &settings, ERROR));
        bool too_fast = i % 2;
        ts_drive_def def = drive_of(target[i / 2], kind[i / 2]);
        def.velocity[1] = def.rate = most[i / 2] * (too_fast ? 1.01 : 0.99);
        OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
        if (!too_fast) {
            compile();
            continue;
        }
        char text[40];
        snprintf(text, sizeof text, "\"%s\" moves at up to 505 m/s", target[i / 2]);
        refused(text, "radius 0.1 m; slow it down, or take a time_step of at most 9.90099e-05 s");
        settings.time_step = 9.9e-5; /* which is a remedy */
        OK(ts_scene_set(scene, &settings, ERROR));
        compile();
    }
}

/* A gate that is open when the run begins lets bodies stand where it would be. */
static void open_gates_are_not_in_the_way(void **state)
{
    (void)state;
    int32_t disc = add_disc(1);
    add_floor("gate", 2);
    add_body("ball", disc, 0, 0, false);
    refused("\"ball\"", "\"gate\"");
    ts_drive_def def = drive_of("gate", TS_DRIVE_GATE);
    OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
    compile();
}

/* ---- Hashes ---- */

/* Everything of a scene that can be changed by one number or word. */
typedef struct recipe {
    double gravity, density, friction, radius, x, speed, wall, rate, step, duration, frame, skin;
    uint64_t seed;
    bool pull;
} recipe;

static ts_fingerprint fingerprint_of_recipe(const recipe *r, uint64_t *hash)
{
    tear_down(NULL);
    set_up(NULL);
    ts_settings settings = ts_default_settings();
    settings.gravity[1] = r->gravity;
    settings.time_step = r->step;
    settings.duration = r->duration;
    settings.frame_interval = r->frame;
    settings.skin = r->skin;
    settings.seed = r->seed;
    OK(ts_scene_set(scene, &settings, ERROR));
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_dynamics_set(&dynamics, "damping_may_pull", r->pull);
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    ts_material_def material = ts_default_material();
    material.density = r->density;
    material.friction = r->friction;
    material.stiffness = 1e4;
    OK(ts_scene_set_default_material(scene, &material, ERROR));
    ts_body_def body = ts_default_body();
    body.shape = add_disc(r->radius);
    body.position[0] = r->x;
    body.velocity[0] = r->speed;
    OK(ts_scene_add_body(scene, &body, NULL, ERROR));
    add_floor("floor", r->wall);
    ts_drive_def drive = drive_of("floor", TS_DRIVE_ROTATION);
    drive.rate = r->rate;
    OK(ts_scene_add_drive(scene, &drive, NULL, ERROR));
    compile();
    *hash = ts_model_hash(model);
    return ts_fingerprint_of(model);
}

static void the_hash_knows_what_matters(void **state)
{
    (void)state;
    const recipe plain = {-9.81, 1000, 0.5, 0.1, 3, 1, -2, 0.1, 1e-4, 1, 0.1, 0.01, 1, false};
    struct {
        recipe r;
        const char *difference; /* NULL: the same simulation */
    } trial[14];
    for (int i = 0; i < 14; i++)
        trial[i].r = plain;
    trial[0].r.gravity = -9.8, trial[0].difference = "gravity";
    trial[1].r.density = 1001, trial[1].difference = "the materials";
    trial[2].r.friction = 0.51, trial[2].difference = "the materials";
    trial[3].r.radius = 0.1001, trial[3].difference = "the shapes";
    trial[4].r.x = nextafter(3, 4), trial[4].difference = "the bodies";
    trial[5].r.speed = 2, trial[5].difference = "the bodies";
    trial[6].r.wall = -2.5, trial[6].difference = "the walls";
    trial[7].r.rate = 0.2, trial[7].difference = "the drives";
    trial[8].r.step = 1.1e-4, trial[8].difference = "the time step";
    trial[9].r.seed = 2, trial[9].difference = "the seed";
    trial[10].r.skin = 0.02, trial[10].difference = "the skin";
    trial[11].r.pull = true, trial[11].difference = "the dynamics";
    trial[12].r.duration = 7, trial[12].difference = NULL; /* a run may be prolonged */
    trial[13].r.frame = 0.05, trial[13].difference = NULL;
    uint64_t hash, other;
    ts_fingerprint a = fingerprint_of_recipe(&plain, &hash);
    for (int i = 0; i < 14; i++) {
        ts_fingerprint b = fingerprint_of_recipe(&trial[i].r, &other);
        const char *difference = ts_fingerprint_difference(&a, &b);
        if (trial[i].difference) {
            assert_non_null(difference);
            assert_string_equal(difference, trial[i].difference);
            assert_true(other != hash);
        } else {
            assert_null(difference);
            assert_true(other == hash);
        }
    }
}

/* ---- Settings ---- */

static void settings_are_completed(void **state)
{
    (void)state;
    add_body(NULL, add_disc(0.1), 0, 0, false);
    ts_settings settings = ts_default_settings();
    settings.duration = 4;
    OK(ts_scene_set(scene, &settings, ERROR));
    compile();
    assert_true(model->settings.frame_interval == 0.04 && model->settings.energy_interval == 0.04);
    NEAR(model->settings.skin, 0.02, 1e-15);
    assert_true(ts_model_duration(model) == 4);
    settings.frame_interval = 0.5;
    settings.energy_interval = 0.25;
    settings.skin = 0.007;
    OK(ts_scene_set(scene, &settings, ERROR));
    compile();
    assert_true(model->settings.frame_interval == 0.5 && model->settings.energy_interval == 0.25);
    assert_true(model->settings.skin == 0.007);
}

static void pairs_of_materials(void **state)
{
    (void)state;
    add_body(NULL, add_disc(0.1), 0, 0, false);
    ts_material_def def = ts_default_material();
    int32_t ice;
    def.friction = 0.02;
    OK(ts_scene_add_material(scene, "ice", &def, &ice, ERROR));
    def = ts_default_material();
    def.friction = 0.9;
    OK(ts_scene_set_pair(scene, ice, 0, &def, ERROR));
    compile();
    assert_int_equal(model->material_count, 2);
    assert_string_equal(model->material_name[1], "ice");
    assert_true(model->law[0].friction == 0.5 && model->law[3].friction == 0.02);
    assert_true(model->law[1].friction == 0.9 && model->law[2].friction == 0.9);
    assert_true(model->law[1].kn == model->law[0].kn && model->law[1].cn_mass == model->law[0].cn_mass);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(masses),
        TEST(clusters),
        TEST(overlapping_bodies_are_refused),
        TEST(fixed_bodies_may_overlap),
        TEST(clusters_may_interlock),
        TEST(bodies_beyond_a_wall_are_refused),
        TEST(bodies_outside_a_circle_are_refused),
        TEST(absurd_scenes_are_refused),
        TEST(drives_find_their_targets),
        TEST(drives_that_make_no_sense),
        TEST(drives_that_could_tunnel),
        TEST(open_gates_are_not_in_the_way),
        TEST(the_hash_knows_what_matters),
        TEST(settings_are_completed),
        TEST(pairs_of_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
