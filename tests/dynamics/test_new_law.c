/* SPDX-License-Identifier: MIT */
/* Bodies that overlap are pushed apart with a constant force. */
#include "dynamics/force.h"

typedef struct push_param {
    double force; /* [N] */
} push_param;

static const ts_field field[] = {
    TS_KEY(push_param, "force", force, NUMBER, FORCE, POSITIVE, 0),
};

/* The force on B; A feels the opposite. The normal points from A to B. */
static ts_vec3 push(const ts_model *model, const ts_touching *touching)
{
    const push_param *p = model->param;
    return ts_vec3_scale(touching->normal, p->force);
}

/* What it takes to press them together that far [J]. */
static double stored(const ts_model *model, const ts_touching *touching)
{
    const push_param *p = model->param;
    return -touching->gap * p->force;
}

extern const ts_dynamics ts_push_dynamics;
const ts_dynamics ts_push_dynamics = {
    .name = "push",
    .plane = &ts_force_in_plane,
    .space = &ts_force_in_space,
    .field = field,
    .field_count = sizeof field / sizeof *field,
    .param_bytes = sizeof(push_param),
    .defaults = &(const push_param){.force = 1},
    .force = push,
    .energy = stored,
    .against_overlap = "raise dynamics.force",
};

/* ---- A test of the recipe "Add a contact law" in docs/design.md: up to here this file is what it tells to write ---- */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/energy_guard.h"
#include "support/world3.h"

#define FORCE 3.0 /* [N] */

static const ts_dynamics in_plane_alone = {.name = "flat", .plane = &ts_force_in_plane, .force = push};

static int set_up(void **state)
{
    (void)state;
    return ts_dynamics_add(&ts_push_dynamics) && ts_dynamics_add(&in_plane_alone) ? 0 : -1;
}

static void use(ts_scene *scene, const char *kind, double step)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = kind;
    if (strcmp(kind, "push") == 0)
        ts_dynamics_set(&dynamics, "force", FORCE);
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    settings.time_step = step;
    OK(ts_scene_set(scene, &settings, ERROR));
}

/* A floor and a body of radius or half height r above it by `gap`, in the plane or in space. */
static void open_floor(ts_test_world *w, bool space, bool box, double r, double gap, double gravity)
{
    if (space) {
        ts_test_space(w, gravity);
        ts_test_floor(w->scene);
        ts_test_body3(w->scene, box ? ts_test_block(w->scene, 2 * r, 2 * r, 2 * r) : ts_test_ball(w->scene, r), 0, 0,
                      r + gap);
    } else {
        ts_test_open(w, gravity);
        ts_test_plane(w->scene, "floor", 0, 0, 0, 1);
        ts_test_body(w->scene, box ? ts_test_box_shape(w->scene, 2 * r, 2 * r) : ts_test_disc(w->scene, r), 0, r + gap);
    }
}

/* ---- Tests ---- */

static char *read_source(const char *name)
{
    char path[4096], *text = NULL;
    const char *root = getenv("SOURCE_DIR");
    size_t length;
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
    OK(ts_file_read(path, 1 << 24, &text, &length, ERROR));
    return text;
}

static void the_recipe_is_this_file(void **state)
{
    (void)state;
    char *design = read_source("docs/design.md"), *own = read_source("tests/dynamics/test_new_law.c");
    const char *begin = strstr(design, "Write `src/dynamics/push.c`:\n\n```c\n");
    assert_non_null(begin);
    begin = strstr(begin, "```c\n") + 5;
    const size_t length = (size_t)(strstr(begin, "```") - begin);
    assert_true(length > 500 && strncmp(own, begin, length) == 0);
    ts_free(design);
    ts_free(own);
}

/* Total force of the contacts on body 0, and how many there are. */
static size_t force_on_body(const ts_test_world *w, double force[3])
{
    const ts_contact *contact;
    size_t count;
    memset(force, 0, 3 * sizeof *force);
    OK(ts_find_contacts(w->model, w->state, w->work, &contact, &count, ERROR));
    for (size_t i = 0; i < count; i++)
        for (int d = 0; d < 3; d++)
            force[d] += contact[i].force[d];
    return count;
}

/* However many places touch, the force on the pair is the one that the key gives, along the normal; the wall feels the
 * opposite. A box has two places in the plane and four in space, and is not turned. */
static void the_force_is_as_the_key_says(void **state)
{
    (void)state;
    const double h = 1e-4;
    for (int space = 0; space < 2; space++)
        for (int box = 0; box < 2; box++) {
            ts_test_world w = {0};
            double force[3], wall[3], torque[3], v[6];
            open_floor(&w, space, box, 0.1, -1e-3, 0);
            use(w.scene, "push", h);
            ts_test_start(&w, 1);
            const size_t places = force_on_body(&w, force);
            assert_int_equal(places, !box ? 1 : space ? 4 : 2);
            const int up = space ? 2 : 1;
            for (int d = 0; d < 3; d++)
                NEAR(force[d], d == up ? FORCE : 0, 1e-12);
            ts_test_step(&w, 1);
            OK(ts_wall_force(w.work, 0, wall, torque, ERROR));
            OK(ts_state_velocity(w.state, 0, v, ERROR));
            for (int d = 0; d < 3; d++)
                NEAR(wall[d], d == up ? -FORCE : 0, 1e-12);
            NEAR(v[up] * ts_model_mass(w.model, 0), FORCE * h, 1e-12);
            for (int k = space ? 3 : 2; k < (space ? 6 : 3); k++)
                NEAR(v[k], 0, 1e-12);
            ts_test_close(&w);
        }
}

/* Two bodies that overlap by d and rest: when they have parted, the force has done the work F d, and momentum is 0. */
static void work_is_force_times_overlap(void **state)
{
    (void)state;
    const double r = 0.1, d = 2e-3, h = 1e-5;
    for (int space = 0; space < 2; space++) {
        ts_test_world w = {0};
        if (space) {
            ts_test_space(&w, 0);
            ts_test_body3(w.scene, ts_test_ball(w.scene, r), 0, 0, 0);
            ts_test_body3(w.scene, ts_test_ball(w.scene, 0.5 * r), 0, 1.5 * r - d, 0);
        } else {
            ts_test_open(&w, 0);
            ts_test_body(w.scene, ts_test_disc(w.scene, r), 0, 0);
            ts_test_body(w.scene, ts_test_disc(w.scene, 0.5 * r), 0, 1.5 * r - d);
        }
        use(w.scene, "push", h);
        ts_test_start(&w, 1);
        ts_measures m;
        uint64_t steps = 0;
        for (bool touching = true; touching && steps < 100000; steps += 100) {
            double force[3];
            ts_test_step(&w, 100);
            touching = force_on_body(&w, force) > 0;
        }
        assert_true(steps > 1000 && steps < 100000);
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        NEAR(m.kinetic / (FORCE * d), 1, 2e-3); /* to within the way of a step */
        NEAR(m.momentum[1], 0, 1e-15);
        ts_test_close(&w);
    }
}

/* Weight against the force: x'' = -g above the floor and F/m - g below, from a height H to a depth H m g / (F - m g).
 * */
static void a_fall_turns_where_it_must(void **state)
{
    (void)state;
    const double r = 0.02, height = 1e-3, h = 2e-6;
    for (int space = 0; space < 2; space++) {
        ts_test_world w = {0};
        open_floor(&w, space, false, r, height, -9.81);
        use(w.scene, "push", h);
        ts_material_def material = ts_default_material();
        material.density = space ? 1000 : 50;
        OK(ts_scene_set_default_material(w.scene, &material, ERROR));
        ts_test_start(&w, 1);
        const double weight = ts_model_mass(w.model, 0) * 9.81;
        assert_true(FORCE > 2 * weight);
        double deepest = 0;
        for (int i = 0; i < 200; i++) {
            double q[7];
            ts_test_step(&w, 100);
            OK(ts_state_pose(w.state, 0, q, ERROR));
            deepest = fmax(deepest, r - q[space ? 2 : 1]);
        }
        NEAR(deepest / (height * weight / (FORCE - weight)), 1, 5e-3);
        ts_test_close(&w);
    }
}

/* A force that is the weight: the ball neither rises nor falls, and its energy stays. */
static void a_force_carries_its_weight(void **state)
{
    (void)state;
    const double r = 0.02, depth = 2e-4, h = 1e-3;
    for (int space = 0; space < 2; space++) {
        ts_test_world w = {0};
        double q[7], v[6], force[3];
        ts_measures before, after;
        open_floor(&w, space, false, r, -depth, -9.81);
        use(w.scene, "push", h);
        ts_material_def material = ts_default_material();
        material.density = FORCE / 9.81 / (space ? 4.0 / 3 * TS_PI * r * r * r : TS_PI * r * r);
        OK(ts_scene_set_default_material(w.scene, &material, ERROR));
        ts_test_start(&w, 1);
        NEAR(ts_model_mass(w.model, 0) * 9.81 / FORCE, 1, 1e-14);
        OK(ts_measure(w.model, w.state, w.work, &before, ERROR));
        ts_energy_guard guard = ts_energy_guard_of(w.model);
        assert_true(guard.on);
        ts_test_step(&w, 1000);
        OK(ts_state_pose(w.state, 0, q, ERROR));
        OK(ts_state_velocity(w.state, 0, v, ERROR));
        OK(ts_measure(w.model, w.state, w.work, &after, ERROR));
        NEAR(q[space ? 2 : 1], r - depth, 1e-14);
        NEAR(v[space ? 2 : 1], 0, 1e-14);
        assert_int_equal(force_on_body(&w, force), 1);
        NEAR(before.elastic, FORCE * depth, 1e-15);
        NEAR(after.elastic, FORCE * depth, 1e-13);
        NEAR(after.lost_normal, 0, 1e-13);
        ts_test_close(&w);
    }
}

/* A ball that bounces on a force of twice its weight: what is stored is in the columns, and no row looks like a gain.
 * A law that does not say is not watched. */
static void what_is_stored_is_in_the_books(void **state)
{
    (void)state;
    for (int space = 0; space < 2; space++)
        for (int silent = 0; silent <= !space; silent++) {
            ts_test_world w = {0};
            ts_measures m;
            open_floor(&w, space, false, 0.1, 0.01, -9.81);
            use(w.scene, silent ? "flat" : "push", 1e-5);
            ts_material_def material = ts_default_material();
            material.density = FORCE / 2 / 9.81 / (space ? 4.0 / 3 * TS_PI * 1e-3 : TS_PI * 0.01);
            OK(ts_scene_set_default_material(w.scene, &material, ERROR));
            ts_test_start(&w, 1);
            ts_energy_guard guard = ts_energy_guard_of(w.model);
            assert_int_equal(guard.on, !silent);
            OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
            const double total = m.gravitational;
            for (int i = 0; !silent && i < 200; i++) {
                ts_test_step(&w, 150);
                OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
                OK(ts_energy_guard_check(&guard, &m, ERROR));
                NEAR((m.kinetic + m.gravitational + m.elastic) / total, 1, 1e-4);
                NEAR(m.lost_normal / total, 0, 1e-4);
            }
            ts_test_close(&w);
        }
}

static void keys_are_shown_with_units(void **state)
{
    (void)state;
    char text[64];
    assert_string_equal(ts_fields_show(field, 1, &(push_param){40}, text, sizeof text), ", force 40 N");
}

static void keys_are_read_and_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says; /* NULL: accepted */
    } line[] = {
        {"{\"touchstone\": 1, \"dynamics\": {\"kind\": \"push\"}}", NULL},
        {"{\"touchstone\": 1, \"dynamics\": {\"kind\": \"push\", \"force\": \"2 kN\", \"friction\": 0.1}}", NULL},
        {"{\"touchstone\": 1, \"space\": \"space\", \"dynamics\": {\"kind\": \"push\", \"force\": 3}}", NULL},
        {"{\"touchstone\": 1, \"dynamics\": {\"kind\": \"push\", \"force\": 0}}", "must be positive"},
        {"{\"touchstone\": 1, \"dynamics\": {\"kind\": \"push\", \"force\": \"2 kg\"}}", "not a force"},
        {"{\"touchstone\": 1, \"dynamics\": {\"kind\": \"push\", \"froce\": 2}}", "did you mean \"force\"?"},
        {"{\"touchstone\": 1, \"dynamics\": {\"kind\": \"push\", \"sweeps\": 2}}", "is for the kind \"impact\""},
        {"{\"touchstone\": 1, \"dynamics\": {\"force\": 2}}", "is for the kind \"push\", but this one is \"penalty\""},
        {"{\"touchstone\": 1, \"dynamics\": {\"kind\": \"magnet\"}}",
         "unknown kind \"magnet\"; choose one of: penalty, impact"},
        {"{\"touchstone\": 1, \"dynamics\": {\"kind\": \"impct\"}}",
         "unknown kind \"impct\"; did you mean \"impact\"?"},
        {"{\"touchstone\": 1, \"space\": \"space\", \"dynamics\": {\"kind\": \"flat\"},"
         " \"shapes\": {\"b\": {\"kind\": \"sphere\", \"radius\": 1}},"
         " \"bodies\": [{\"shape\": \"b\", \"position\": [0, 0, 0]}]}",
         "does not take bodies in space"},
    };
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        ts_scene *scene = NULL;
        ts_model *model = NULL;
        memset(ERROR, 0, sizeof *ERROR);
        ts_status status = ts_scene_parse(line[i].text, strlen(line[i].text), "scene", NULL, &scene, ERROR);
        if (status == TS_OK && line[i].says)
            status = ts_model_compile(scene, &model, ERROR);
        if ((status == TS_OK) != !line[i].says || (line[i].says && !strstr(ERROR->message, line[i].says)))
            fail_msg("%s: %s", line[i].text, ERROR->message);
        ts_model_free(model);
        ts_scene_free(scene);
    }
}

static uint64_t hash_after(double force, int threads, uint64_t *model)
{
    ts_test_world w = {0};
    ts_test_open(&w, -9.81);
    ts_test_box(w.scene, 0.3);
    const double low[2] = {0.02, 0.02}, high[2] = {0.28, 0.6};
    ts_test_fill(w.scene, low, high, 60, ts_test_disc(w.scene, 0.01), 0.8, 1, 1);
    use(w.scene, "push", 1e-4);
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "push";
    ts_dynamics_set(&dynamics, "force", force);
    OK(ts_scene_set_dynamics(w.scene, &dynamics, ERROR));
    ts_test_start(&w, threads);
    ts_test_step(&w, 2000);
    const uint64_t hash = ts_test_hash(w.state);
    *model = ts_model_hash(w.model);
    ts_test_close(&w);
    return hash;
}

static void results_depend_on_the_force_alone(void **state)
{
    (void)state;
    uint64_t first, again, other;
    const uint64_t hash = hash_after(20, 1, &first);
    assert_true(hash_after(20, 3, &again) == hash && again == first);
    assert_true(hash_after(21, 1, &other) != hash && other != first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_carries_its_weight),        cmocka_unit_test(what_is_stored_is_in_the_books),
        cmocka_unit_test(keys_are_shown_with_units),         cmocka_unit_test(the_recipe_is_this_file),
        cmocka_unit_test(the_force_is_as_the_key_says),      cmocka_unit_test(work_is_force_times_overlap),
        cmocka_unit_test(a_fall_turns_where_it_must),        cmocka_unit_test(keys_are_read_and_refused),
        cmocka_unit_test(results_depend_on_the_force_alone),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
