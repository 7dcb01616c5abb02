/* SPDX-License-Identifier: MIT */
/* What a scene compiles to: masses, drives, refusals, hashes, and the rules for stiffness and time step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "model.h"
#include "scene/fingerprint.h"
#include "support/check.h"
#include "touchstone/touchstone.h"

static ts_scene *scene;
static ts_model *model;

static int set_up(void **state)
{
    (void)state;
    model = NULL;
    OK(ts_scene_create(&scene, ERROR));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ts_model_free(model);
    ts_scene_free(scene);
    return 0;
}

static int32_t add_disc(double radius)
{
    int32_t index;
    OK(ts_scene_add_disc(scene, radius, &index, ERROR));
    return index;
}

static int32_t add_body(const char *name, int32_t shape, double x, double y, bool fixed)
{
    ts_body_def def = ts_default_body();
    int32_t index;
    def.name = name;
    def.shape = shape;
    def.position[0] = x;
    def.position[1] = y;
    def.fixed = fixed;
    OK(ts_scene_add_body(scene, &def, &index, ERROR));
    return index;
}

static void add_floor(const char *name, double y)
{
    ts_boundary_def def = ts_default_boundary();
    def.name = name;
    def.point[1] = y;
    OK(ts_scene_add_boundary(scene, &def, NULL, ERROR));
}

static void compile(void)
{
    ts_model_free(model);
    model = NULL;
    OK(ts_model_compile(scene, &model, ERROR));
}

static void refused(const char *word, const char *other)
{
    ts_model *none = NULL;
    memset(ERROR, 0, sizeof *ERROR);
    assert_int_equal(ts_model_compile(scene, &none, ERROR), TS_BAD_INPUT);
    assert_null(none);
    if (!strstr(ts_test_error.message, word) || !strstr(ts_test_error.message, other))
        fail_msg("the message has not both \"%s\" and \"%s\": %s", word, other, ts_test_error.message);
}

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
    NEAR(ts_model_inertia(model, 0), 0.5 * m * 0.25, 1e-12 * m);
    m = 11000 * TS_PI * 2.25;
    NEAR(ts_model_mass(model, 1), m, 1e-12 * m);
    NEAR(ts_model_inertia(model, 1), 0.5 * m * 2.25, 1e-12 * m);
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
    NEAR(ts_model_inertia(model, 1), 2 * (0.5 * m + 4 * m), 1e-11 * m);
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
    ts_boundary_def def = ts_default_boundary();
    def.kind = TS_BOUNDARY_CIRCLE;
    def.radius = 4;
    OK(ts_scene_add_boundary(scene, &def, NULL, ERROR));
    int32_t disc = add_disc(1);
    add_body(NULL, disc, 3, 0, false);
    compile();
    add_body(NULL, disc, 0, 3.2, false);
    refused("body 1", "boundary 0");
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
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    refused("penality", "penalty");
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
    ts_mix_entry mix = {disc, 0, 1, 1, 1};
    ts_generator_def row = ts_default_generator();
    row.name = "row";
    row.fill = TS_FILL_LATTICE;
    row.fixed = true;
    row.a[1] = 7;
    row.b[1] = 7.2;
    row.b[0] = 1;
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
    assert_true(model->motion[0].rate == 2 && model->motion[0].vx == 0);
    assert_true(model->motion[0].pivot_x == 2 && model->motion[0].pivot_y == 1); /* its own position */
    for (int i = 2; i < 7; i++) {
        assert_int_equal(model->body_motion[i], 1);
        assert_int_equal(model->body_gate[i], 0);
    }
    NEAR(model->motion[1].pivot_x, 0.5, 1e-12); /* the middle of the row */
    NEAR(model->motion[1].pivot_y, 7.1, 1e-12);
    assert_int_equal(model->body_gate[1], -1);
    assert_true(model->gate[0].open == 3 && model->gate[0].close == 4);
    assert_int_equal(model->boundary[0].motion, 2);
    assert_true(model->boundary[0].open == 2 && isinf(model->boundary[0].close));
    assert_int_equal(model->motion[2].key_count, 2);
    assert_true(model->motion[2].pivot_x == 0 && model->motion[2].pivot_y == -1);
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
    dynamics.damping_may_pull = r->pull;
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
    trial[6].r.wall = -2.5, trial[6].difference = "the boundaries";
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

/* Undamped discs: 2/ω with ω² = 6 (kn + kt)/m, the highest frequency of a triangular lattice, or 24 kt/m when all turn. */
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
    assert_true(ts_model_time_step(model) > 0.09 * sqrt(m / 1e5));
    /* damping shortens the limit */
    double limit = ts_model_stable_step(model);
    set_material(1e5, 0.1, 2.0 / 7, 0.5);
    compile();
    assert_true(ts_model_stable_step(model) < 0.5 * limit);
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

/* A triangular lattice of sticky discs under pressure, inside a rim of fixed ones: the case that the rule is made for. */
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
            def.spin = rim ? 0 : 0.01 * sin(12.9898 * row + 78.233 * column);
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

/* Rods thrown into a box come to rest at the largest step; at twice that they tremble for ever. */
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
    ts_boundary_def wall = ts_default_boundary();
    for (int i = 0; i < 3; i++) {
        wall.point[0] = i == 2 ? 1 : 0;
        wall.normal[0] = i == 0 ? 0 : i == 1 ? 1 : -1;
        wall.normal[1] = i == 0 ? 1 : 0;
        OK(ts_scene_add_boundary(scene, &wall, NULL, ERROR));
    }
    ts_mix_entry mix = {rod, 0, 1, 1, 1};
    ts_generator_def def = ts_default_generator();
    def.mix = &mix;
    def.mix_count = 1;
    def.b[1] = 3;
    def.count = 25;
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
    double weight = 25 * ts_model_mass(model, 0) * 9.81;
    ts_workspace_free(w);
    ts_state_free(s);
    return (m.kinetic + m.rotational) / (weight * 0.04); /* relative to a fall by a radius */
}

static void clusters_rest_at_the_stable_step(void **state)
{
    (void)state;
    print_message("%g %g\n", unrest(0.99), unrest(2.5));
    assert_true(unrest(0.99) < 1e-12);
    assert_true(unrest(2.5) > 1e-9);
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

/* A disc falls from a height without losing energy: it overlaps the floor by the tolerated share, by no more than the little
 * that its weight adds and no less. */
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
        dynamics.tolerated_overlap = share[i];
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
    double end, deepest = deepest_overlap(0.2, &end);
    assert_true(deepest < 0.01);
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
    dynamics.expected_speed = 7;
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    set_step(0, 0);
    compile();
    /* ½ m v² = ½ k d² */
    NEAR(model->law[0].kn * 0.001 * 0.001 / (ts_model_mass(model, 0) * 49), 1, 1e-12);
    /* without it: the speeds that are there */
    OK(ts_scene_set_dynamics(scene, &(ts_dynamics_def){"penalty", 0.01, 0, false, dynamics.cookie}, ERROR));
    ts_body_def def = ts_default_body();
    def.position[0] = 5;
    def.velocity[0] = -3;
    OK(ts_scene_add_body(scene, &def, NULL, ERROR));
    compile();
    NEAR(model->law[0].kn * 0.001 * 0.001 / (ts_model_mass(model, 0) * 9), 1, 1e-12);
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

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

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
        TEST(open_gates_are_not_in_the_way),
        TEST(the_hash_knows_what_matters),
        TEST(settings_are_completed),
        TEST(scenes_without_motion),
        TEST(stable_step_of_discs),
        TEST(too_long_a_step_names_the_lightest_body),
        TEST(the_stable_step_is_the_limit),
        TEST(clusters_rest_at_the_stable_step),
        TEST(a_fall_overlaps_as_tolerated),
        TEST(a_load_overlaps_as_tolerated),
        TEST(derived_values_scale),
        TEST(expected_speed_is_taken),
        TEST(pairs_of_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
