/* SPDX-License-Identifier: MIT */
/* Numbers that are none, through every public setter and every field of every definition: an error with a sentence,
 * and nothing changed. Then definitions that were never filled in, indices out of range, and missing pointers. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "support/world.h"

static const double bad[] = {(double)NAN, -(double)NAN, (double)INFINITY,      -(double)INFINITY,
                             1e300,       -1e300,       1.7976931348623157e308};
enum { BAD = sizeof bad / sizeof *bad };

/* Which of those a field takes after all. */
typedef enum allowed {
    NOTHING,
    NAN_IS_FINE,     /* "as the default" */
    INFINITY_IS_FINE /* "never" */
} allowed;

static bool is_allowed(allowed what, double value)
{
    return (what == NAN_IS_FINE && isnan(value)) || (what == INFINITY_IS_FINE && isinf(value) && value > 0);
}

/* ---- A scene that has one of everything, and its hash ---- */

static void open_sample(ts_test_world *w)
{
    ts_test_open(w, -9.81);
    int32_t disc = ts_test_disc(w->scene, 0.1);
    ts_test_body(w->scene, disc, 0, 1);
    ts_test_fixed(w->scene, "post", disc, 1, 1);
    ts_test_plane(w->scene, "floor", 0, 0, 0, 1);
    ts_material_def steel = ts_default_material();
    steel.density = 7800;
    OK(ts_scene_add_material(w->scene, "steel", &steel, NULL, ERROR));
}

static uint64_t hash_of(const ts_scene *scene)
{
    ts_model *model;
    OK(ts_model_compile(scene, &model, ERROR));
    uint64_t hash = ts_model_hash(model);
    ts_model_free(model);
    return hash;
}

/* ---- One call for each kind of definition; its first argument is the definition, as bytes ---- */

typedef ts_status setter(ts_scene *scene, const void *def, ts_error *error);

static ts_status set_settings(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_set(scene, def, error);
}
static ts_status set_dynamics(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_set_dynamics(scene, def, error);
}
static ts_status set_default_material(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_set_default_material(scene, def, error);
}
static ts_status add_material(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_add_material(scene, NULL, def, NULL, error);
}
static ts_status set_pair(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_set_pair(scene, 0, 1, def, error);
}
static ts_status add_body(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_add_body(scene, def, NULL, error);
}
static ts_status add_boundary(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_add_wall(scene, def, NULL, error);
}
static ts_status add_drive(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_add_drive(scene, def, NULL, error);
}
static ts_status add_generator(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_add_generator(scene, def, NULL, error);
}

/* ---- Fields ---- */

typedef struct field {
    const char *name;
    size_t offset;
    allowed allowed;
} field;

#define FIELD(type, name, what)                     \
    {                                               \
#type "." #name, offsetof(type, name), what \
    }

/* Puts every bad number into every field of a good definition, one at a time. */
static void try_fields(setter *set, const void *good, size_t size, const field *f, size_t fields)
{
    unsigned char def[512];
    assert_true(size <= sizeof def);
    ts_test_world w;
    open_sample(&w);
    uint64_t hash = hash_of(w.scene);
    for (size_t i = 0; i < fields; i++)
        for (int k = 0; k < BAD; k++) {
            if (is_allowed(f[i].allowed, bad[k]))
                continue;
            memcpy(def, good, size);
            memcpy(def + f[i].offset, &bad[k], sizeof bad[k]);
            memset(ERROR, 0, sizeof *ERROR);
            ts_status status = set(w.scene, def, ERROR);
            if (status != TS_BAD_INPUT || ts_test_error.status != TS_BAD_INPUT || !ts_test_error.message[0])
                fail_msg("%s = %g: %s: \"%s\"", f[i].name, bad[k], ts_status_name(status), ts_test_error.message);
            assert_int_equal(set(w.scene, def, NULL), TS_BAD_INPUT); /* nobody needs to listen */
            if (hash_of(w.scene) != hash)
                fail_msg("%s = %g was refused but changed the scene", f[i].name, bad[k]);
        }
    /* the definition was good but for that */
    OK(set(w.scene, good, ERROR));
    ts_test_close(&w);
}

#define TRY_FIELDS(set, good, f) try_fields((set), &(good), sizeof(good), (f), sizeof(f) / sizeof *(f))

static void settings_and_dynamics(void **state)
{
    (void)state;
    static const field settings[] = {
        FIELD(ts_settings, gravity[0], NOTHING),     FIELD(ts_settings, gravity[1], NOTHING),
        FIELD(ts_settings, time_step, NOTHING),      FIELD(ts_settings, duration, NOTHING),
        FIELD(ts_settings, skin, NOTHING),           FIELD(ts_settings, frame_interval, NOTHING),
        FIELD(ts_settings, energy_interval, NOTHING)};
    ts_settings good = ts_default_settings();
    TRY_FIELDS(set_settings, good, settings);
    static const field dynamics[] = {FIELD(ts_dynamics_def, parameter[0].number, NOTHING),
                                     FIELD(ts_dynamics_def, parameter[1].number, NOTHING)};
    ts_dynamics_def good_dynamics = ts_default_dynamics();
    ts_dynamics_set(&good_dynamics, "tolerated_overlap", 0.05);
    ts_dynamics_set(&good_dynamics, "expected_speed", 3);
    TRY_FIELDS(set_dynamics, good_dynamics, dynamics);
}

static void materials(void **state)
{
    (void)state;
    static const field material[] = {
        FIELD(ts_material_def, density, NAN_IS_FINE),           FIELD(ts_material_def, friction, NAN_IS_FINE),
        FIELD(ts_material_def, restitution, NAN_IS_FINE),       FIELD(ts_material_def, stiffness, NAN_IS_FINE),
        FIELD(ts_material_def, stiffness_ratio, NAN_IS_FINE),   FIELD(ts_material_def, normal_damping, NAN_IS_FINE),
        FIELD(ts_material_def, tangential_damping, NAN_IS_FINE)};
    ts_material_def good = ts_default_material();
    TRY_FIELDS(set_default_material, good, material);
    TRY_FIELDS(add_material, good, material);
    TRY_FIELDS(set_pair, good, material);
}

static void bodies_and_boundaries(void **state)
{
    (void)state;
    static const field body[] = {FIELD(ts_body_def, scale, NOTHING),       FIELD(ts_body_def, position[0], NOTHING),
                                 FIELD(ts_body_def, position[1], NOTHING), FIELD(ts_body_def, angle, NOTHING),
                                 FIELD(ts_body_def, velocity[0], NOTHING), FIELD(ts_body_def, velocity[1], NOTHING),
                                 FIELD(ts_body_def, spin, NOTHING)};
    ts_body_def good = ts_default_body();
    good.position[1] = 5;
    TRY_FIELDS(add_body, good, body);
    static const field plane[] = {FIELD(ts_wall_def, position[0], NOTHING), FIELD(ts_wall_def, position[1], NOTHING),
                                  FIELD(ts_wall_def, normal[0], NOTHING), FIELD(ts_wall_def, normal[1], NOTHING)};
    ts_wall_def boundary = ts_default_wall();
    boundary.normal[0] = boundary.normal[2] = 0;
    boundary.normal[1] = 1;
    TRY_FIELDS(add_boundary, boundary, plane);
    static const field circle[] = {FIELD(ts_wall_def, position[0], NOTHING), FIELD(ts_wall_def, position[1], NOTHING),
                                   FIELD(ts_wall_def, radius, NOTHING)};
    boundary.kind = TS_WALL_CIRCLE;
    boundary.radius = 10;
    TRY_FIELDS(add_boundary, boundary, circle);
}

static void drives(void **state)
{
    (void)state;
    static const field rotation[] = {FIELD(ts_drive_def, start, NOTHING), FIELD(ts_drive_def, end, INFINITY_IS_FINE),
                                     FIELD(ts_drive_def, pivot[0], NOTHING), FIELD(ts_drive_def, pivot[1], NOTHING),
                                     FIELD(ts_drive_def, rate, NOTHING)};
    ts_drive_def good = ts_default_drive();
    good.target = "post";
    good.kind = TS_DRIVE_ROTATION;
    good.pivot[0] = good.pivot[1] = 1; /* one NaN is a mistake, two ask for the target's own position */
    TRY_FIELDS(add_drive, good, rotation);
    static const field oscillation[] = {FIELD(ts_drive_def, amplitude[0], NOTHING),
                                        FIELD(ts_drive_def, amplitude[1], NOTHING),
                                        FIELD(ts_drive_def, angle_amplitude, NOTHING),
                                        FIELD(ts_drive_def, frequency, NOTHING), FIELD(ts_drive_def, phase, NOTHING)};
    good.kind = TS_DRIVE_OSCILLATION;
    TRY_FIELDS(add_drive, good, oscillation);
    static const field velocity[] = {FIELD(ts_drive_def, velocity[0], NOTHING),
                                     FIELD(ts_drive_def, velocity[1], NOTHING)};
    good.kind = TS_DRIVE_VELOCITY;
    TRY_FIELDS(add_drive, good, velocity);
    static const field gate[] = {FIELD(ts_drive_def, start, NOTHING), FIELD(ts_drive_def, end, INFINITY_IS_FINE)};
    good.kind = TS_DRIVE_GATE;
    TRY_FIELDS(add_drive, good, gate);
}

static void generators(void **state)
{
    (void)state;
    ts_mix_entry mix = {.weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def good = ts_default_generator();
    good.low[1] = 3;
    good.high[1] = 5;
    good.count = 2;
    good.mix = &mix;
    good.mix_count = 1;
    static const field box[] = {FIELD(ts_generator_def, low[0], NOTHING),
                                FIELD(ts_generator_def, low[1], NOTHING),
                                FIELD(ts_generator_def, high[0], NOTHING),
                                FIELD(ts_generator_def, high[1], NOTHING),
                                FIELD(ts_generator_def, gap, NOTHING),
                                FIELD(ts_generator_def, jitter, NOTHING),
                                FIELD(ts_generator_def, velocity[0], NOTHING),
                                FIELD(ts_generator_def, velocity[1], NOTHING),
                                FIELD(ts_generator_def, velocity_spread, NOTHING)};
    TRY_FIELDS(add_generator, good, box);
    static const field circle[] = {FIELD(ts_generator_def, position[0], NOTHING),
                                   FIELD(ts_generator_def, position[1], NOTHING),
                                   FIELD(ts_generator_def, radius, NOTHING)};
    good.region = TS_REGION_CIRCLE;
    good.radius = 1;
    TRY_FIELDS(add_generator, good, circle);
}

/* ---- Arrays that a definition points to ---- */

/* The same for the numbers of an array that the definition points to. */
static void try_numbers(setter *set, const void *def, double *number, const char *const *name, size_t count)
{
    ts_test_world w;
    open_sample(&w);
    uint64_t hash = hash_of(w.scene);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < BAD; k++) {
            double old = number[i];
            number[i] = bad[k];
            memset(ERROR, 0, sizeof *ERROR);
            ts_status status = set(w.scene, def, ERROR);
            number[i] = old;
            if (status != TS_BAD_INPUT || !ts_test_error.message[0])
                fail_msg("%s = %g: %s", name[i], bad[k], ts_status_name(status));
            if (hash_of(w.scene) != hash)
                fail_msg("%s = %g was refused but changed the scene", name[i], bad[k]);
        }
    OK(set(w.scene, def, ERROR));
    ts_test_close(&w);
}

static ts_status add_shape(ts_scene *scene, const void *def, ts_error *error)
{
    return ts_scene_add_shape(scene, def, NULL, error);
}

static ts_status add_disc(ts_scene *scene, const void *radius, ts_error *error)
{
    return ts_scene_add_disc(scene, *(const double *)radius, NULL, error);
}

static void arrays(void **state)
{
    (void)state;
    ts_disc disc[2] = {{0, 0, 1}, {1, 0, 1}};
    ts_shape_def shape = ts_default_shape();
    shape.disc = disc;
    shape.disc_count = 2;
    static const char *const disc_name[] = {"disc[0].x", "disc[0].y", "disc[0].radius",
                                            "disc[1].x", "disc[1].y", "disc[1].radius"};
    try_numbers(add_shape, &shape, &disc[0].x, disc_name, 6);
    double radius = 1;
    try_numbers(add_disc, &radius, &radius, (const char *const[]){"radius of ts_scene_add_disc"}, 1);

    ts_keyframe key[2] = {{1, {0, 0, 0}, 0}, {2, {1, 0, 0}, 0}};
    ts_drive_def drive = ts_default_drive();
    drive.kind = TS_DRIVE_KEYFRAMES;
    drive.target = "post";
    drive.key = key;
    drive.key_count = 2;
    static const char *const key_name[] = {
        "key[0].time", "key[0].displacement[0]", "key[0].displacement[1]", "key[0].displacement[2]", "key[0].angle",
        "key[1].time", "key[1].displacement[0]", "key[1].displacement[1]", "key[1].displacement[2]", "key[1].angle"};
    try_numbers(add_drive, &drive, &key[0].time, key_name, 10);

    ts_mix_entry mix = {.weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def fill = ts_default_generator();
    fill.low[1] = 3;
    fill.high[1] = 5;
    fill.count = 2;
    fill.mix = &mix;
    fill.mix_count = 1;
    static const char *const mix_name[] = {"mix.weight", "mix.scale_min", "mix.scale_max"};
    try_numbers(add_generator, &fill, &mix.weight, mix_name, 3);
}

/* ---- A running state ---- */

static void state_setters(void **state)
{
    (void)state;
    ts_test_world w;
    open_sample(&w);
    ts_test_start(&w, 1);
    ts_test_step(&w, 20);
    uint64_t hash = ts_state_hash(w.state);
    for (int pose = 0; pose < 2; pose++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < BAD; k++) {
                double v[3] = {0.1, 0.2, 0.3};
                v[i] = bad[k];
                memset(ERROR, 0, sizeof *ERROR);
                ts_status status = pose ? ts_state_set_pose(w.state, 0, (double[]){v[0], v[1], v[2]}, ERROR)
                                        : ts_state_set_velocity(w.state, 0, (double[]){v[0], v[1], v[2]}, ERROR);
                assert_int_equal(status, TS_BAD_INPUT);
                assert_true(strlen(ts_test_error.message) > 0);
                assert_true(ts_state_hash(w.state) == hash);
            }
    assert_int_equal(ts_state_set_pose(w.state, 2, (double[]){0, 0, 0}, ERROR),
                     TS_BAD_INPUT); /* there are two bodies */
    assert_int_equal(ts_state_set_velocity(w.state, SIZE_MAX, (double[]){0, 0, 0}, ERROR), TS_BAD_INPUT);
    assert_true(ts_state_hash(w.state) == hash);
    OK(ts_state_set_velocity(w.state, 0, (double[]){1, 2, 3}, ERROR));
    assert_true(ts_state_hash(w.state) != hash);
    ts_test_step(&w, 20);
    ts_test_close(&w);
}

/* Finite but absurd poses and velocities: a step may say that the run has diverged, nothing may break. */
static void absurd_states_end_in_an_error(void **state)
{
    (void)state;
    static const double absurd[] = {0, 1e-300, 1e20, 1e100, 1e150, -1e150, -1e15};
    enum { ABSURD = sizeof absurd / sizeof *absurd };
    int diverged = 0;
    for (int shape = 0; shape < 2; shape++)
        for (int i = 0; i < ABSURD * ABSURD; i++) {
            ts_test_world w;
            open_sample(&w);
            ts_test_circle(w.scene, NULL, 0, 0, 5);
            ts_test_body(w.scene, shape ? ts_test_triad(w.scene, 0.1) : ts_test_disc(w.scene, 0.1), 0, 2);
            ts_test_start(&w, 1);
            double p = absurd[i % ABSURD], q = absurd[i / ABSURD];
            OK(ts_state_set_pose(w.state, 0, (double[]){p, q, p}, ERROR));
            OK(ts_state_set_velocity(w.state, 0, (double[]){q, p, q}, ERROR));
            OK(ts_state_set_pose(w.state, 2, (double[]){q, q, -p}, ERROR));
            for (int step = 0; step < 5; step++) {
                const ts_contact *contact;
                size_t count;
                ts_measures measures;
                ts_status status = ts_step(w.model, w.state, w.work, 1, ERROR);
                assert_true(status == TS_OK || status == TS_DIVERGED);
                diverged += status == TS_DIVERGED;
                ts_status found = ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR);
                ts_status measured = ts_measure(w.model, w.state, w.work, &measures, ERROR);
                assert_true(found == measured && (found == TS_OK || (found == TS_DIVERGED && status != TS_OK)));
            }
            ts_test_close(&w);
        }
    assert_true(diverged > 20);
}

/* ---- Not made by ts_default_…, out of range, NULL ---- */

static void unfilled_definitions_are_refused(void **state)
{
    (void)state;
    static setter *const all[] = {set_settings, set_dynamics, set_default_material, add_material, set_pair, add_body,
                                  add_boundary, add_drive,    add_generator,        add_shape};
    static const unsigned char zero[1024];
    ts_test_world w;
    open_sample(&w);
    uint64_t hash = hash_of(w.scene);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(all[i](w.scene, zero, ERROR), TS_BAD_INPUT);
        assert_int_equal(all[i](w.scene, NULL, ERROR), TS_BAD_INPUT);
        assert_int_equal(all[i](NULL, zero, ERROR), TS_BAD_INPUT);
        assert_true(hash_of(w.scene) == hash);
    }
    ts_model *model = (ts_model *)&w;
    assert_int_equal(ts_model_compile(NULL, &model, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_model_compile(w.scene, NULL, ERROR), TS_BAD_INPUT);
    assert_ptr_equal(model, &w);
    ts_test_close(&w);
}

static void indices_are_checked(void **state)
{
    (void)state;
    static const int32_t wrong[] = {-1, 2, INT32_MAX, INT32_MIN};
    ts_test_world w;
    open_sample(&w);
    uint64_t hash = hash_of(w.scene);
    ts_material_def material = ts_default_material();
    for (int i = 0; i < 4; i++) {
        ts_body_def body = ts_default_body();
        body.position[0] = 5;
        body.shape = wrong[i];
        assert_int_equal(ts_scene_add_body(w.scene, &body, NULL, ERROR), TS_BAD_INPUT);
        body.shape = 0;
        body.material = wrong[i];
        assert_int_equal(ts_scene_add_body(w.scene, &body, NULL, ERROR), TS_BAD_INPUT);
        ts_wall_def boundary = ts_default_wall();
        boundary.material = wrong[i];
        assert_int_equal(ts_scene_add_wall(w.scene, &boundary, NULL, ERROR), TS_BAD_INPUT);
        assert_int_equal(ts_scene_set_pair(w.scene, wrong[i], 0, &material, ERROR), TS_BAD_INPUT);
        assert_int_equal(ts_scene_set_pair(w.scene, 0, wrong[i], &material, ERROR), TS_BAD_INPUT);
    }
    assert_true(hash_of(w.scene) == hash);
    ts_workspace *work = NULL;
    OK(ts_model_compile(w.scene, &w.model, ERROR));
    assert_int_equal(ts_workspace_create(w.model, -1, &work, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_workspace_create(w.model, 1000000, &work, ERROR), TS_BAD_INPUT);
    assert_null(work);
    ts_test_close(&w);
}

/* A state or a workspace of another model, and a pose for a body that follows a script. */
static void what_does_not_belong_is_refused(void **state)
{
    (void)state;
    ts_test_world w[2];
    for (int i = 0; i < 2; i++) {
        open_sample(&w[i]);
        ts_drive_def drive = ts_default_drive();
        drive.target = "post";
        OK(ts_scene_add_drive(w[i].scene, &drive, NULL, ERROR));
        ts_test_body(w[i].scene, 0, 5, 5 + i);
        ts_test_start(&w[i], 1);
    }
    uint64_t hash = ts_state_hash(w[0].state);
    const ts_contact *contact;
    size_t count;
    ts_measures measures;
    assert_int_equal(ts_step(w[0].model, w[0].state, w[1].work, 1, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_step(w[1].model, w[0].state, w[1].work, 1, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_find_contacts(w[0].model, w[1].state, w[0].work, &contact, &count, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_measure(w[1].model, w[1].state, w[0].work, &measures, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_state_copy(w[0].state, w[1].state, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_state_set_pose(w[0].state, 1, (double[]){0, 0, 0}, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_wall_force(w[0].work, 1, (double[3]){0}, NULL, ERROR), TS_BAD_INPUT);
    assert_true(ts_state_hash(w[0].state) == hash);
    ts_test_close(&w[0]);
    ts_test_close(&w[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_and_dynamics),
        cmocka_unit_test(materials),
        cmocka_unit_test(bodies_and_boundaries),
        cmocka_unit_test(drives),
        cmocka_unit_test(generators),
        cmocka_unit_test(arrays),
        cmocka_unit_test(state_setters),
        cmocka_unit_test(absurd_states_end_in_an_error),
        cmocka_unit_test(unfilled_definitions_are_refused),
        cmocka_unit_test(indices_are_checked),
        cmocka_unit_test(what_does_not_belong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
