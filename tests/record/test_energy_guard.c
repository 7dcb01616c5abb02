/* SPDX-License-Identifier: MIT */
/* A run that gains energy is stopped; elastic impacts, rounding and rest are not mistaken for one, up to the stable
 * step. */
#include "record/sample.h"

#include <math.h>

#include "record/energy_guard.h"
#include "record/runfolder.h"
#include "record/trajectory.h"

typedef struct box {
    int columns, rows;  /* of discs of radius 1 cm */
    double spacing;     /* of their centres [m] */
    double gravity;     /* downwards [m/s²] */
    double speed;       /* of discs, in turn towards all sides [m/s] */
    double restitution; /* [1] */
    double friction;    /* [1] */
    double origin;      /* height of the floor [m] */
    double unit;        /* all lengths are multiplied by this, and stiffness so that times stay */
} box;

static ts_model *compile_box(box b, double time_step)
{
    ts_scene *scene;
    must(ts_scene_create(&scene, e));
    ts_settings settings = ts_default_settings();
    settings.gravity[1] = -b.gravity * b.unit;
    settings.time_step = time_step;
    settings.duration = 1;
    must(ts_scene_set(scene, &settings, e));
    ts_material_def material = ts_default_material();
    material.stiffness = 1e6 * b.unit * b.unit;
    material.restitution = b.restitution;
    material.friction = b.friction;
    must(ts_scene_set_default_material(scene, &material, e));
    double width = b.columns * b.spacing * b.unit, height = b.rows * b.spacing * b.unit;
    const double wall[4][4] = {{0, 0, 0, 1}, {0, 0, 1, 0}, {width, 0, -1, 0}, {0, height, 0, -1}};
    for (int i = 0; i < (b.gravity > 0 ? 3 : 4); i++) {
        ts_wall_def side = ts_default_wall();
        side.kind = TS_WALL_FLAT;
        side.position[0] = wall[i][0];
        side.position[1] = wall[i][1] + b.origin * b.unit;
        side.normal[0] = wall[i][2];
        side.normal[1] = wall[i][3];
        must(ts_scene_add_wall(scene, &side, NULL, e));
    }
    int32_t disc;
    must(ts_scene_add_disc(scene, 0.01 * b.unit, &disc, e));
    for (int i = 0; i < b.columns * b.rows; i++) {
        ts_body_def body = ts_default_body();
        body.shape = disc;
        body.position[0] = (i % b.columns + 0.5) * b.spacing * b.unit;
        body.position[1] = ((i / b.columns + 0.5) * b.spacing + b.origin) * b.unit;
        body.velocity[0] = b.speed * b.unit * cos(2.4 * i + 0.3);
        body.velocity[1] = b.speed * b.unit * sin(2.4 * i + 0.3);
        must(ts_scene_add_body(scene, &body, NULL, e));
    }
    ts_model *model;
    must(ts_model_compile(scene, &model, e));
    ts_scene_free(scene);
    return model;
}

/* A box whose time step is `share` of the stable one; 0: the derived one. Beyond 1 the check at compiling is passed
 * by. */
static sample make_box(box b, double share)
{
    if (!(b.unit > 0))
        b.unit = 1;
    sample s = {.model = compile_box(b, 0)};
    if (share > 0) {
        double step = share * ts_model_stable_step(s.model);
        ts_model_free(s.model);
        s.model = compile_box(b, share <= 1 ? step : 0);
        s.model->settings.time_step = step;
    }
    must(ts_state_create(s.model, &s.state, e));
    must(ts_workspace_create(s.model, 1, &s.work, e));
    return s;
}

static double excess; /* the largest that `watch` saw */

/* Steps with a row each `every` steps up to `steps`; the lowest and highest total seen are left in range. */
static ts_status watch(sample *s, uint64_t steps, uint64_t every, double range[2], ts_error *error)
{
    ts_energy_guard guard = ts_energy_guard_of(s->model);
    range[0] = (double)INFINITY;
    range[1] = -(double)INFINITY;
    excess = 0;
    for (uint64_t i = 0; i <= steps; i += every) {
        ts_measures m;
        TS_TRY(ts_measure(s->model, s->state, s->work, &m, error));
        double total = m.kinetic + m.rotational + m.gravitational + m.elastic;
        range[0] = fmin(range[0], total);
        range[1] = fmax(range[1], total);
        TS_TRY(ts_energy_guard_check(&guard, &m, error));
        excess = fmax(excess, guard.excess);
        TS_TRY(ts_step(s->model, s->state, s->work, every, error));
    }
    return TS_OK;
}

static void must_run(box b, double share, uint64_t steps, uint64_t every)
{
    double range[2];
    ts_error error = {0};
    sample s = make_box(b, share);
    if (watch(&s, steps, every, range, &error) != TS_OK)
        fail_msg("stopped without need at %g of the stable step: %s", share, error.message);
    if (share == 0 && excess > TS_ENERGY_EXCESS) /* the derived step */
        fail_msg("in doubt without need: an excess of %g", excess);
    sample_free(&s);
}

static const box packing = {
    .columns = 5, .rows = 5, .spacing = 0.02, .gravity = 10, .speed = 1e-3, .restitution = 0.9, .friction = 0.5};
static const box gas = {.columns = 4, .rows = 4, .spacing = 0.03, .speed = 1, .restitution = 1};
static const box bounce = {.columns = 1, .rows = 1, .spacing = 0.1, .gravity = 10, .restitution = 1};

static void a_gain_is_stopped(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        box b = packing;
        b.unit = i == 0 ? 1 : i == 1 ? 1e-6 : 1e6;
        b.origin = i == 1 ? -1 : 0;
        const double share[] = {2.5, 4};
        for (int k = 0; k < 2; k++) {
            sample s = make_box(b, share[k]);
            double range[2];
            ts_error error = {0};
            assert_int_equal(watch(&s, 1000, 1, range, &error), TS_DIVERGED);
            if (!strstr(error.message, "the energy has grown from"))
                fail_msg("at %g of the stable step in units of %g m: %s", share[k], b.unit, error.message);
            assert_non_null(strstr(error.message, "stable limit"));
            assert_non_null(strstr(error.message, "time_step"));
            sample_free(&s);
        }
    }
    /* and the same packings within the limit are not */
    must_run(packing, 0.95, 20000, 1);
    must_run(packing, 0, 20000, 1);
}

static void elastic_motion_is_not(void **unused)
{
    (void)unused;
    /* without any loss an impact that ends within a step heats or cools, the more the longer the step: near the limit
     * an elastic gas does gain energy, in the long run without bound, and the runs are short there */
    const double share[] = {0, 0.3, 0.5, 0.8, 0.95};
    const uint64_t steps[] = {100000, 20000, 5000, 300, 300};
    for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
        must_run(gas, share[k], steps[k], 1);
        box dense = gas, sticky = gas;
        dense.spacing = 0.0202;
        must_run(dense, share[k], steps[k], 1);
        sticky.friction = 10; /* tangential springs that swing */
        must_run(sticky, share[k], steps[k], 1);
        /* at rest at the top, squeezed flat at the bottom; wherever the origin is */
        for (int origin = -1; origin <= 1; origin++) {
            box ball = bounce;
            ball.origin = -0.05 * (1 + origin);
            must_run(ball, share[k], steps[k], 1);
        }
    }
    /* rows at the top alone, where nothing moves and the total is nil: down and up again takes 2 √(2 h / g) + π √(m
     * / k) */
    box ball = bounce;
    ball.origin = -0.05;
    sample s = make_box(ball, 0);
    double period = 2 * sqrt(2 * 0.04 / 10) + M_PI * sqrt(ts_model_mass(s.model, 0) / 1e6);
    uint64_t every = (uint64_t)llround(period / ts_model_time_step(s.model));
    sample_free(&s);
    must_run(ball, 0, 50 * every, every);
}

static void rest_is_not(void **unused)
{
    (void)unused;
    box loose = packing, high = packing;
    loose.spacing = 0.025;
    loose.speed = 0.5;
    loose.restitution = 0.3;
    must_run(loose, 0, 100000, 3);
    must_run(loose, 0.9, 100000, 1);
    high.speed = 0;
    high.origin = 1e6; /* rounding of heights is then far larger than that of energies in springs */
    must_run(high, 0, 20000, 1);
}

/* In a run: the folder tells what happened, and an earlier checkpoint is still good. */
static void a_run_stops_in_good_order(void **unused)
{
    (void)unused;
    sample s = make_box(packing, 2.5);
    s.model->settings.energy_interval = s.model->settings.time_step;
    s.model->settings.frame_interval = 5 * s.model->settings.time_step;
    ts_recorder *recorder;
    ts_summary summary;
    ts_error error = {0};
    must(ts_recorder_create("gain", s.model, &(ts_recorder_options){.force = true}, &recorder, e));
    must(ts_recorder_write(recorder, s.state, s.work, e));
    must(ts_recorder_checkpoint(recorder, s.state, e));
    ts_status status = TS_OK;
    while (status == TS_OK && ts_state_steps(s.state) < 100000) {
        must(ts_step(s.model, s.state, s.work, 1, e));
        status = ts_recorder_write(recorder, s.state, s.work, &error);
    }
    assert_int_equal(status, TS_DIVERGED);
    must(ts_recorder_finish(recorder, s.state, s.work, &(ts_run_end){.outcome = "diverged", .message = error.message},
                            &summary, e));
    ts_recorder_free(recorder);
    assert_string_equal(summary.outcome, "diverged");
    assert_true(strstr(summary.message, "energy") != NULL);
    assert_int_equal(summary.row_count, ts_state_steps(s.state) + 1); /* the row that tells is there */
    ts_trajectory *reader;
    must(ts_trajectory_open("gain/trajectory.tst", &reader, e));
    assert_int_equal(ts_trajectory_torn_bytes(reader), 0);
    assert_int_equal(ts_trajectory_frame_count(reader), summary.frame_count);
    ts_trajectory_close(reader);
    must(ts_recorder_resume("gain", s.model, s.state, NULL, &recorder, e));
    assert_int_equal(ts_state_steps(s.state), 0);
    ts_recorder_free(recorder);
    sample_free(&s);
}

/* A gain that is too small to stop a run puts its result in doubt. */
static void a_small_gain_is_told(void **unused)
{
    (void)unused;
    sample s = make_box(gas, 0.95); /* which gains without bound */
    s.model->settings.energy_interval = s.model->settings.time_step;
    ts_recorder *recorder;
    ts_summary summary;
    must(ts_recorder_create("small", s.model, &(ts_recorder_options){.force = true}, &recorder, e));
    ts_energy_guard guard = ts_energy_guard_of(s.model);
    uint64_t first = 0, rows = 0;
    while (rows < 3 && ts_state_steps(s.state) < 100000) {
        ts_measures m;
        must(ts_step(s.model, s.state, s.work, 1, e));
        must(ts_recorder_write(recorder, s.state, s.work, e));
        must(ts_measure(s.model, s.state, s.work, &m, e));
        must(ts_energy_guard_check(&guard, &m, e));
        rows += guard.excess > TS_ENERGY_EXCESS;
        first = first == 0 && rows > 0 ? ts_state_steps(s.state) : first;
    }
    must(ts_recorder_finish(recorder, s.state, s.work, &(ts_run_end){.outcome = "finished"}, &summary, e));
    ts_recorder_free(recorder);
    assert_int_equal(rows, 3); /* otherwise this shows nothing */
    assert_string_equal(summary.outcome, "doubtful");
    const ts_warning *told = NULL;
    for (size_t i = 0; i < summary.warning_count; i++)
        if (strcmp(summary.warning[i].kind, "energy") == 0)
            told = &summary.warning[i];
    if (!told)
        fail_msg("it is not told");
    assert_true(told && told->doubtful);
    assert_int_equal(told->count, rows);
    assert_int_equal(told->first_step, first);
    sample_free(&s);
}

/* Drives and gates may bring energy. */
static void driven_scenes_are_left_alone(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){0});
    ts_energy_guard guard = ts_energy_guard_of(s.model);
    ts_error error = {0};
    ts_measures m = {.kinetic = 1};
    must(ts_energy_guard_check(&guard, &m, e));
    m.kinetic = 1e9;
    must(ts_energy_guard_check(&guard, &m, e));
    m.kinetic = (double)INFINITY;
    assert_int_equal(ts_energy_guard_check(&guard, &m, &error), TS_DIVERGED);
    sample_free(&s);
}

/* Without gravity, where bodies touch and rest, all energy is rounding: that is left alone, in any units, and a motion
 * that could be seen is not. */
static void rounding_at_rest_is_no_gain(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        const box b = {.columns = 2, .rows = 2, .spacing = 0.02, .unit = i == 0 ? 1 : i == 1 ? 1e-6 : 1e6};
        sample s = make_box(b, 0);
        const double radius = 0.01 * b.unit, mass = ts_model_mass(s.model, 0), dt = ts_model_time_step(s.model);
        const double per_ulp = 0.5 * mass * pow(2e-16 * radius / dt, 2);
        ts_energy_guard guard = ts_energy_guard_of(s.model);
        ts_error error = {0};
        ts_measures m = {0};
        must(ts_energy_guard_check(&guard, &m, e));
        m.elastic = 100 * per_ulp;
        must(ts_energy_guard_check(&guard, &m, e));
        assert_true(guard.excess < TS_ENERGY_EXCESS);
        m.kinetic = 0.5 * mass * pow(1e-6 * radius / dt, 2);
        assert_int_equal(ts_energy_guard_check(&guard, &m, &error), TS_DIVERGED);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gain_is_stopped),
        cmocka_unit_test(elastic_motion_is_not),
        cmocka_unit_test(rest_is_not),
        cmocka_unit_test(a_run_stops_in_good_order),
        cmocka_unit_test(a_small_gain_is_told),
        cmocka_unit_test(driven_scenes_are_left_alone),
        cmocka_unit_test(rounding_at_rest_is_no_gain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
