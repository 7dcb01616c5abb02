/* SPDX-License-Identifier: MIT */
/* Building a scene: every number is checked, and a refused call leaves the scene as it was. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"
#include "support/check.h"
#include "touchstone/touchstone.h"

/* A scene with one of each thing, to build on. */
static ts_scene *sample(void)
{
    ts_scene *scene;
    OK(ts_scene_create(&scene, ERROR));
    int32_t disc;
    OK(ts_scene_add_disc(scene, 0.1, &disc, ERROR));
    ts_material_def material = ts_default_material();
    material.friction = 0.2;
    OK(ts_scene_add_material(scene, "glass", &material, NULL, ERROR));
    OK(ts_scene_set_pair(scene, 0, 1, &material, ERROR));
    ts_body_def body = ts_default_body();
    body.name = "peg";
    body.fixed = true;
    OK(ts_scene_add_body(scene, &body, NULL, ERROR));
    ts_wall_def wall = ts_default_wall();
    wall.name = "floor";
    wall.position[1] = -1;
    OK(ts_scene_add_wall(scene, &wall, NULL, ERROR));
    ts_drive_def drive = ts_default_drive();
    drive.target = "peg";
    OK(ts_scene_add_drive(scene, &drive, NULL, ERROR));
    ts_mix_entry mix = {.shape = disc, .material = 0, .weight = 1, .scale_min = 0.5, .scale_max = 1};
    ts_generator_def generator = ts_default_generator();
    generator.name = "grains";
    generator.low[1] = 1;
    generator.high[1] = 2;
    generator.count = 3;
    generator.mix = &mix;
    generator.mix_count = 1;
    OK(ts_scene_add_generator(scene, &generator, NULL, ERROR));
    return scene;
}

/* What a scene compiles to, and how many things it holds. */
static uint64_t digest(const ts_scene *s)
{
    ts_model *model;
    OK(ts_model_compile(s, &model, ERROR));
    uint64_t hash = ts_model_hash(model);
    ts_model_free(model);
    const size_t count[] = {s->material.count,    s->pair.count,         s->shape.count,     s->body.count,
                            s->wall.count,        s->drive.count,        s->generator.count, s->shape_name.count,
                            s->target_name.count, s->material_name.count};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        hash = hash * 31 + count[i];
    return hash + (uint64_t)(s->settings.duration * 1e6) + (uint64_t)(s->settings.frame_interval * 1e9);
}

/* The call must be refused with this status and change nothing. */
#define REFUSED(scene, call)                                  \
    do {                                                      \
        uint64_t before_ = digest(scene);                     \
        memset(ERROR, 0, sizeof *ERROR);                      \
        assert_int_equal((call), TS_BAD_INPUT);               \
        assert_int_equal(ts_test_error.status, TS_BAD_INPUT); \
        assert_true(strlen(ts_test_error.message) > 10);      \
        assert_true(digest(scene) == before_);                \
    } while (0)

static const double bad_number[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e200, -1e308};
#define BAD_COUNT (sizeof bad_number / sizeof *bad_number)

typedef struct field {
    size_t offset;
    unsigned allowed; /* bit i: bad_number[i] is fine here */
} field;

#define FIELD(type, name)       \
    {                           \
        offsetof(type, name), 0 \
    }
#define MAY_BE_NAN(type, name)  \
    {                           \
        offsetof(type, name), 1 \
    }
#define VECTOR(type, name)                       \
    {offsetof(type, name), 0},                   \
    {                                            \
        offsetof(type, name) + sizeof(double), 0 \
    }
#define VECTOR3(type, name)                          \
    VECTOR(type, name),                              \
    {                                                \
        offsetof(type, name) + 2 * sizeof(double), 0 \
    }

/* Puts every bad number into every field in turn. */
typedef ts_status adder(ts_scene *scene, const void *def);
static void spoil(ts_scene *scene, void *def, const field *f, size_t count, adder *add)
{
    for (size_t i = 0; i < count; i++) {
        double good;
        memcpy(&good, (char *)def + f[i].offset, sizeof good);
        for (size_t k = 0; k < BAD_COUNT; k++) {
            if (f[i].allowed & (1u << k))
                continue;
            memcpy((char *)def + f[i].offset, &bad_number[k], sizeof good);
            REFUSED(scene, add(scene, def));
        }
        memcpy((char *)def + f[i].offset, &good, sizeof good);
    }
}

#define SPOIL(scene, def, fields, add) spoil(scene, def, fields, sizeof(fields) / sizeof *(fields), add)

static ts_status set_settings(ts_scene *scene, const void *def)
{
    return ts_scene_set(scene, def, ERROR);
}
static ts_status set_dynamics(ts_scene *scene, const void *def)
{
    return ts_scene_set_dynamics(scene, def, ERROR);
}
static ts_status set_material(ts_scene *scene, const void *def)
{
    return ts_scene_set_default_material(scene, def, ERROR);
}
static ts_status add_material(ts_scene *scene, const void *def)
{
    return ts_scene_add_material(scene, "new", def, NULL, ERROR);
}
static ts_status set_pair(ts_scene *scene, const void *def)
{
    return ts_scene_set_pair(scene, 1, 1, def, ERROR);
}
static ts_status add_body(ts_scene *scene, const void *def)
{
    return ts_scene_add_body(scene, def, NULL, ERROR);
}
static ts_status add_boundary(ts_scene *scene, const void *def)
{
    return ts_scene_add_wall(scene, def, NULL, ERROR);
}
static ts_status add_drive(ts_scene *scene, const void *def)
{
    return ts_scene_add_drive(scene, def, NULL, ERROR);
}
static ts_status add_generator(ts_scene *scene, const void *def)
{
    return ts_scene_add_generator(scene, def, NULL, ERROR);
}

/* Parameters of a dynamics go by the names of their keys, and are refused with the sentences of the reader. */
static void dynamics_by_name(ts_scene *scene)
{
    static const struct {
        const char *kind, *name;
        double number;
        const char *text, *says;
    } wrong[] = {
        {"impact", "sweep", 3, NULL, "did you mean \"sweeps\"?"},
        {"impact", "tolerated_overlap", 0.1, NULL, "is for the kind \"penalty\", but this one is \"impact\""},
        {"penalty", "operator", 0, "gr", "is for the kind \"impact\", but this one is \"penalty\""},
        {"penalty", "zebra", 3, NULL, "\"penalty\" has no parameter \"zebra\""},
        {"impact", "sweeps", 2.5, NULL, "must be a whole number"},
        {"impact", "sweeps", 1e7, NULL, "at most 1000000"},
        {"impact", "correction", 1.5, NULL, "from 0 to 1"},
        {"impact", "operator", 0, "", "operator is empty"},
        {"impact", "operator", 3, NULL, "operator is empty"},
        {"penalty", "tolerated_overlap", 0.6, NULL, "from 0 to 0.5"},
        {"penalty", "damping_may_pull", 2, NULL, "give 0 for false or 1 for true"},
        {"penalty", "expected_speed", 0, "3 kg", "speed"},
        {"push", "force", 1, NULL, "choose one of: penalty, impact"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ts_dynamics_def def = ts_default_dynamics();
        def.kind = wrong[i].kind;
        if (wrong[i].text)
            ts_dynamics_set_text(&def, wrong[i].name, wrong[i].text);
        else
            ts_dynamics_set(&def, wrong[i].name, wrong[i].number);
        REFUSED(scene, set_dynamics(scene, &def));
        if (!strstr(ERROR->message, wrong[i].says))
            fail_msg("%s: \"%s\" does not say: %s", wrong[i].name, ERROR->message, wrong[i].says);
    }
    ts_dynamics_def many = ts_default_dynamics();
    char name[TS_PARAMETERS_MAX + 1][8];
    for (int i = 0; i <= TS_PARAMETERS_MAX; i++) {
        snprintf(name[i], sizeof name[i], "p%d", i);
        ts_dynamics_set(&many, name[i], i);
    }
    REFUSED(scene, set_dynamics(scene, &many));
    ts_dynamics_def nameless = ts_default_dynamics();
    ts_dynamics_set(&nameless, NULL, 1);
    REFUSED(scene, set_dynamics(scene, &nameless));
    /* the last word counts, with a unit or by "auto" too */
    ts_dynamics_def good = ts_default_dynamics();
    ts_dynamics_set(&good, "expected_speed", -1);
    ts_dynamics_set_text(&good, "expected_speed", "36 km/h");
    OK(set_dynamics(scene, &good));
    ts_dynamics_set_text(&good, "expected_speed", "auto");
    assert_int_equal(good.parameter_count, 1);
    OK(set_dynamics(scene, &good));
}

static void bad_settings_and_materials(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_settings settings = ts_default_settings();
    const field f[] = {VECTOR(ts_settings, gravity),       FIELD(ts_settings, time_step),
                       FIELD(ts_settings, duration),       FIELD(ts_settings, skin),
                       FIELD(ts_settings, frame_interval), FIELD(ts_settings, energy_interval)};
    SPOIL(scene, &settings, f, set_settings);
    settings.duration = 0;
    REFUSED(scene, set_settings(scene, &settings));
    settings.duration = 1;
    settings.time_step = -1e-3;
    REFUSED(scene, set_settings(scene, &settings));

    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_dynamics_set(&dynamics, "tolerated_overlap", 0.01);
    ts_dynamics_set(&dynamics, "expected_speed", 1);
    const field fd[] = {FIELD(ts_dynamics_def, parameter[0].number), FIELD(ts_dynamics_def, parameter[1].number)};
    SPOIL(scene, &dynamics, fd, set_dynamics);
    ts_dynamics_set(&dynamics, "tolerated_overlap", 0);
    REFUSED(scene, set_dynamics(scene, &dynamics));
    ts_dynamics_set(&dynamics, "tolerated_overlap", 0.01);
    dynamics.kind = NULL;
    REFUSED(scene, set_dynamics(scene, &dynamics));
    dynamics_by_name(scene);

    ts_material_def material = ts_default_material();
    const field fm[] = {MAY_BE_NAN(ts_material_def, density),           MAY_BE_NAN(ts_material_def, friction),
                        MAY_BE_NAN(ts_material_def, restitution),       MAY_BE_NAN(ts_material_def, stiffness),
                        MAY_BE_NAN(ts_material_def, stiffness_ratio),   MAY_BE_NAN(ts_material_def, normal_damping),
                        MAY_BE_NAN(ts_material_def, tangential_damping)};
    SPOIL(scene, &material, fm, set_material);
    SPOIL(scene, &material, fm, add_material);
    SPOIL(scene, &material, fm, set_pair);
    material.density = 0;
    REFUSED(scene, add_material(scene, &material));
    material.density = 1;
    material.restitution = 1.001;
    REFUSED(scene, add_material(scene, &material));
    material.restitution = 0.5;
    material.normal_damping = 1;
    REFUSED(scene, add_material(scene, &material)); /* two answers to one question */
    ts_scene_free(scene);
}

static void bad_shapes(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_disc disc[2] = {{0, 0, 1}, {1, 0, 1}};
    ts_shape_def def = ts_default_shape();
    def.disc = disc;
    def.disc_count = 2;
    for (size_t k = 0; k < BAD_COUNT; k++)
        for (size_t i = 0; i < 3; i++) {
            double *value = i == 0 ? &disc[1].x : i == 1 ? &disc[1].y : &disc[1].radius, good = *value;
            *value = bad_number[k];
            REFUSED(scene, ts_scene_add_shape(scene, &def, NULL, ERROR));
            REFUSED(scene, i == 2 ? ts_scene_add_disc(scene, *value, NULL, ERROR)
                                  : ts_scene_add_shape(scene, &def, NULL, ERROR));
            *value = good;
        }
    REFUSED(scene, ts_scene_add_disc(scene, 0, NULL, ERROR));
    REFUSED(scene, ts_scene_add_disc(scene, -1, NULL, ERROR));
    REFUSED(scene, ts_scene_add_disc(scene, 1e-120, NULL, ERROR)); /* r⁴ is no number any more */
    disc[1].radius = 1e-12;
    disc[1].x = 3;
    REFUSED(scene, ts_scene_add_shape(scene, &def, NULL, ERROR)); /* lost in rounding */
    def.disc_count = 0;
    REFUSED(scene, ts_scene_add_shape(scene, &def, NULL, ERROR));
    def.disc_count = TS_SHAPE_DISCS_MAX + 1;
    REFUSED(scene, ts_scene_add_shape(scene, &def, NULL, ERROR));
    ts_scene_free(scene);
}

static void bad_bodies_and_boundaries(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_body_def body = ts_default_body();
    body.position[0] = 5;
    const field f[] = {FIELD(ts_body_def, scale), VECTOR3(ts_body_def, position), FIELD(ts_body_def, angle),
                       VECTOR3(ts_body_def, velocity), VECTOR3(ts_body_def, spin)};
    SPOIL(scene, &body, f, add_body);
    const int32_t bad_index[] = {-1, 2, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++) {
        ts_body_def wrong = body;
        wrong.shape = bad_index[i];
        REFUSED(scene, add_body(scene, &wrong));
        wrong = body;
        wrong.material = bad_index[i];
        REFUSED(scene, add_body(scene, &wrong));
    }
    body.fixed = true;
    body.spin[2] = 1;
    REFUSED(scene, add_body(scene, &body));
    body.spin[2] = 0;
    body.scale = 0;
    REFUSED(scene, add_body(scene, &body));

    ts_wall_def wall = ts_default_wall();
    wall.normal[0] = wall.normal[2] = 0;
    wall.normal[1] = 1;
    const field fw[] = {VECTOR3(ts_wall_def, position), VECTOR(ts_wall_def, normal)};
    SPOIL(scene, &wall, fw, add_boundary);
    wall.normal[1] = 0;
    REFUSED(scene, add_boundary(scene, &wall));
    wall.kind = TS_WALL_CIRCLE;
    const field fc[] = {FIELD(ts_wall_def, radius)};
    SPOIL(scene, &wall, fc, add_boundary);
    wall.kind = (ts_wall_kind)7;
    REFUSED(scene, add_boundary(scene, &wall));
    ts_scene_free(scene);
}

static void bad_drives(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_drive_def drive = ts_default_drive();
    drive.target = "floor";
    drive.pivot[0] = drive.pivot[1] = 0; /* z may stay NaN */
    const field common[] = {FIELD(ts_drive_def, start), {offsetof(ts_drive_def, end), 2}, VECTOR(ts_drive_def, pivot)};
    SPOIL(scene, &drive, common, add_drive);
    const field velocity[] = {VECTOR3(ts_drive_def, velocity)};
    SPOIL(scene, &drive, velocity, add_drive);
    drive.kind = TS_DRIVE_ROTATION;
    const field rotation[] = {FIELD(ts_drive_def, rate)};
    SPOIL(scene, &drive, rotation, add_drive);
    drive.kind = TS_DRIVE_OSCILLATION;
    const field oscillation[] = {VECTOR3(ts_drive_def, amplitude), FIELD(ts_drive_def, angle_amplitude),
                                 FIELD(ts_drive_def, frequency), FIELD(ts_drive_def, phase)};
    SPOIL(scene, &drive, oscillation, add_drive);

    ts_keyframe key[2] = {{0, {0, 0, 0}, 0}, {1, {0, 1, 0}, 0}};
    drive.kind = TS_DRIVE_KEYFRAMES;
    drive.key = key;
    drive.key_count = 1;
    REFUSED(scene, add_drive(scene, &drive));
    drive.key_count = 2;
    for (size_t k = 0; k < BAD_COUNT; k++) {
        double *value[] = {&key[1].time, &key[1].displacement[0], &key[1].displacement[1], &key[1].displacement[2],
                           &key[1].angle};
        for (int i = 0; i < 5; i++) {
            double good = *value[i];
            *value[i] = bad_number[k];
            REFUSED(scene, add_drive(scene, &drive));
            *value[i] = good;
        }
    }
    key[1].time = 0;
    REFUSED(scene, add_drive(scene, &drive)); /* not ascending */

    drive.kind = TS_DRIVE_GATE;
    drive.start = 2;
    drive.end = 2;
    REFUSED(scene, add_drive(scene, &drive));
    drive.end = 3;
    drive.target = NULL;
    REFUSED(scene, add_drive(scene, &drive));
    drive.target = "floor";
    drive.kind = (ts_drive_kind)0;
    REFUSED(scene, add_drive(scene, &drive));
    ts_scene_free(scene);
}

static void bad_generators(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_mix_entry mix[2] = {{.shape = 0, .material = 0, .weight = 1, .scale_min = 0.1, .scale_max = 0.2},
                           {.shape = 0, .material = 1, .weight = 1, .scale_min = 0.1, .scale_max = 0.2}};
    ts_generator_def def = ts_default_generator();
    def.low[0] = 10;
    def.high[0] = 20;
    def.count = 5;
    def.mix = mix;
    def.mix_count = 2;
    const field f[] = {VECTOR(ts_generator_def, low),       VECTOR(ts_generator_def, high),
                       FIELD(ts_generator_def, gap),        FIELD(ts_generator_def, jitter),
                       VECTOR3(ts_generator_def, velocity), FIELD(ts_generator_def, velocity_spread)};
    SPOIL(scene, &def, f, add_generator);
    for (size_t k = 0; k < BAD_COUNT; k++) {
        double *value[] = {&mix[1].weight, &mix[1].scale_min, &mix[1].scale_max};
        for (int i = 0; i < 3; i++) {
            double good = *value[i];
            *value[i] = bad_number[k];
            REFUSED(scene, add_generator(scene, &def));
            *value[i] = good;
        }
    }
    mix[1].shape = 1;
    REFUSED(scene, add_generator(scene, &def));
    mix[1].shape = 0;
    mix[1].material = -1;
    REFUSED(scene, add_generator(scene, &def));
    mix[1].material = 0;
    mix[0].weight = mix[1].weight = 0;
    REFUSED(scene, add_generator(scene, &def));
    mix[0].weight = 1;
    mix[0].scale_min = 0.3;
    REFUSED(scene, add_generator(scene, &def));
    mix[0].scale_min = 0.1;
    def.count = (size_t)1 << 40;
    REFUSED(scene, add_generator(scene, &def));
    assert_non_null(strstr(ts_test_error.message, "50000000"));
    def.count = 0;
    REFUSED(scene, add_generator(scene, &def));
    def.count = 5;
    def.high[1] = def.low[1];
    REFUSED(scene, add_generator(scene, &def));
    def.region = TS_REGION_CIRCLE;
    const field fr[] = {FIELD(ts_generator_def, radius)};
    SPOIL(scene, &def, fr, add_generator);
    def.region = (ts_region_kind)3;
    REFUSED(scene, add_generator(scene, &def));
    def.region = TS_REGION_CIRCLE;
    def.fill = (ts_fill_kind)3;
    REFUSED(scene, add_generator(scene, &def));
    def.fill = TS_FILL_RANDOM;
    def.mix_count = 0;
    REFUSED(scene, add_generator(scene, &def));
    ts_scene_free(scene);
}

static void a_struct_that_was_only_zeroed_is_refused(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    REFUSED(scene, ts_scene_set(scene, &(ts_settings){.duration = 1}, ERROR));
    REFUSED(scene, ts_scene_set_dynamics(scene, &(ts_dynamics_def){.kind = "penalty", .places = "one"}, ERROR));
    REFUSED(scene, ts_scene_set_default_material(scene, &(ts_material_def){.density = 1}, ERROR));
    REFUSED(scene, ts_scene_add_material(scene, NULL, &(ts_material_def){.density = 1}, NULL, ERROR));
    REFUSED(scene, ts_scene_set_pair(scene, 0, 0, &(ts_material_def){.density = 1}, ERROR));
    REFUSED(scene,
            ts_scene_add_shape(scene, &(ts_shape_def){.disc = &(ts_disc){0, 0, 1}, .disc_count = 1}, NULL, ERROR));
    REFUSED(scene, ts_scene_add_body(scene, &(ts_body_def){.scale = 1}, NULL, ERROR));
    REFUSED(scene, ts_scene_add_wall(scene, &(ts_wall_def){.kind = TS_WALL_CIRCLE, .radius = 1}, NULL, ERROR));
    REFUSED(scene, ts_scene_add_drive(scene, &(ts_drive_def){.kind = TS_DRIVE_VELOCITY, .target = "peg"}, NULL, ERROR));
    REFUSED(scene, ts_scene_add_generator(scene, &(ts_generator_def){.count = 1}, NULL, ERROR));
    REFUSED(scene, ts_scene_add_body(scene, NULL, NULL, ERROR));
    assert_int_equal(ts_scene_add_body(NULL, NULL, NULL, NULL), TS_BAD_INPUT);
    ts_scene_free(scene);
}

static void names(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_body_def body = ts_default_body();
    body.position[0] = 9;
    const char *const taken[] = {"peg", "floor", "grains", ""};
    for (int i = 0; i < 4; i++) {
        body.name = taken[i];
        REFUSED(scene, ts_scene_add_body(scene, &body, NULL, ERROR));
    }
    char text[400];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    body.name = text;
    REFUSED(scene, ts_scene_add_body(scene, &body, NULL, ERROR));
    /* a name is copied, and many are found again */
    for (int i = 0; i < 300; i++) {
        text[0] = (char)('a' + i % 26);
        text[1] = (char)('a' + i / 26);
        text[2] = 0;
        int32_t index;
        body.position[0] = 9 + i;
        OK(ts_scene_add_body(scene, &body, &index, ERROR));
        assert_int_equal(index, i + 1);
    }
    assert_int_equal(ts_scene_find_body(scene, "aa"), 1);
    assert_int_equal(ts_scene_find_body(scene, "zk"), 26 * 10 + 25 + 1);
    assert_int_equal(ts_scene_find_body(scene, "peg"), 0);
    assert_int_equal(ts_scene_find_body(scene, "floor"), -1);
    assert_int_equal(ts_scene_find_wall(scene, "floor"), 0);
    assert_int_equal(ts_scene_find_material(scene, "glass"), 1);
    assert_int_equal(ts_scene_find_material(scene, "default"), 0);
    assert_int_equal(ts_scene_find_material(scene, "peg"), -1);
    assert_int_equal(ts_scene_find_shape(scene, "none"), -1);
    assert_int_equal(ts_scene_find_shape(scene, NULL), -1);
    ts_scene_free(scene);
}

/* An error says where the thing stands, and the place is used up. */
static void places(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    char file[] = "some/scene.json";
    ts_scene_at(scene, (ts_place){file, 12, 7});
    file[0] = 'X'; /* it was copied */
    ts_body_def body = ts_default_body();
    body.scale = -1;
    assert_int_equal(ts_scene_add_body(scene, &body, NULL, ERROR), TS_BAD_INPUT);
    assert_string_equal(ts_test_error.file, "some/scene.json");
    assert_int_equal(ts_test_error.line, 12);
    assert_int_equal(ts_test_error.column, 7);
    assert_int_equal(ts_scene_add_body(scene, &body, NULL, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_test_error.line, 0);
    /* what is found out later points there as well */
    body.scale = 1;
    body.position[0] = 0.05;
    ts_scene_at(scene, (ts_place){"some/scene.json", 20, 3});
    OK(ts_scene_add_body(scene, &body, NULL, ERROR));
    ts_model *model;
    assert_int_equal(ts_model_compile(scene, &model, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_test_error.line, 20);
    assert_string_equal(ts_test_error.file, "some/scene.json");
    assert_non_null(strstr(ts_test_error.message, "overlaps"));
    ts_scene_free(scene);
}

static void default_material_is_changed_field_by_field(void **state)
{
    (void)state;
    ts_scene *scene;
    OK(ts_scene_create(&scene, ERROR));
    ts_material_def def = ts_default_material();
    def.friction = 0.7;
    OK(ts_scene_set_default_material(scene, &def, ERROR));
    def = ts_default_material();
    def.normal_damping = 3;
    OK(ts_scene_set_default_material(scene, &def, ERROR));
    const ts_material_def *now = &scene->material.item[0].def;
    assert_true(now->friction == 0.7 && now->density == 1000 && now->normal_damping == 3 && isnan(now->restitution));
    def = ts_default_material();
    def.restitution = 0.25;
    OK(ts_scene_set_default_material(scene, &def, ERROR));
    assert_true(now->restitution == 0.25 && isnan(now->normal_damping) && now->friction == 0.7);
    ts_scene_free(scene);
    ts_scene_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_settings_and_materials),
        cmocka_unit_test(bad_shapes),
        cmocka_unit_test(bad_bodies_and_boundaries),
        cmocka_unit_test(bad_drives),
        cmocka_unit_test(bad_generators),
        cmocka_unit_test(a_struct_that_was_only_zeroed_is_refused),
        cmocka_unit_test(names),
        cmocka_unit_test(places),
        cmocka_unit_test(default_material_is_changed_field_by_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
