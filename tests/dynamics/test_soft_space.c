/* SPDX-License-Identifier: MIT */
/* Soft-step in space: closed forms, stacks, momenta, and the same bits on any number of threads and after a restart. */
#include <math.h>
#include <string.h>

#include "dynamics/soft_space_parts.h"
#include "model.h"
#include "state.h"
#include "support/isa.h"
#include "support/world3.h"
#include "workspace.h"

TS_TEST_TABLES(ts_soft3_kernels, ts_soft3);

#define G 9.81

static void soften(ts_scene *scene, double restitution, double friction, double time_step)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "soft-step";
    material.restitution = restitution;
    material.friction = friction;
    settings.time_step = time_step;
    settings.duration = 100;
    OK(ts_scene_set(scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(scene, &material, ERROR));
}

static void step_for(ts_test_world *w, double seconds)
{
    ts_test_step(w, (uint64_t)ceil(seconds / w->model->settings.time_step));
}

static void velocity_of(const ts_test_world *w, size_t body, double v[6])
{
    OK(ts_state_velocity(w->state, body, v, ERROR));
}

/* A ball that falls by 1 m comes back to e². */
static void balls_bounce(void **unused)
{
    (void)unused;
    static const double restitution[] = {0, 0.6, 0.9, 1};
    for (size_t i = 0; i < sizeof restitution / sizeof *restitution; i++) {
        const double e = restitution[i], fall = sqrt(2 / G);
        ts_test_world w = {0};
        ts_test_space(&w, -G);
        ts_test_body3(w.scene, ts_test_ball(w.scene, 0.1), 0, 0, 1.1);
        ts_test_floor(w.scene);
        soften(w.scene, e, 0.5, 0);
        ts_test_start(&w, 1);
        step_for(&w, fall * (1 + e) + 0.02); /* near the highest point, or at rest */
        const ts_body3 *b = &w.state->body3[0];
        NEAR(b->position[2] - 0.1 + b->velocity[2] * b->velocity[2] / (2 * G), e * e, 1e-3);
        ts_test_close(&w);
    }
}

/* A box that falls flat comes back as a ball does, and does not turn; with friction, hardly. */
static void boxes_bounce_flat(void **unused)
{
    (void)unused;
    const double e = 0.6;
    for (int rough = 0; rough < 2; rough++) {
        ts_test_world w = {0};
        ts_test_space(&w, -G);
        ts_test_body3(w.scene, ts_test_block(w.scene, 0.2, 0.2, 0.2), 0, 0, 1.1);
        ts_test_floor(w.scene);
        soften(w.scene, e, 0.5 * rough, 0);
        ts_test_start(&w, 1);
        step_for(&w, sqrt(2 / G) * (1 + e));
        double v[6];
        velocity_of(&w, 0, v);
        NEAR(w.state->body3[0].position[2] - 0.1 + v[2] * v[2] / (2 * G), e * e, 3e-3);
        NEAR(hypot(v[3], hypot(v[4], v[5])), 0, rough ? 0.2 : 1e-6);
        ts_test_close(&w);
    }
}

/* Two balls that meet off their centres, without friction: the velocities of a smooth elastic impact. */
static void balls_collide(void **unused)
{
    (void)unused;
    ts_test_world w = {0};
    ts_test_space(&w, 0);
    const int32_t ball = ts_test_ball(w.scene, 0.1);
    ts_test_body3_moving(w.scene, ball, (double[3]){0, 0, 0}, (double[3]){2, 0, 0}, (double[3]){0, 0, 0});
    ts_test_body3(w.scene, ball, 0.5, 0.12, 0);
    soften(w.scene, 1, 0, 0.001);
    ts_test_start(&w, 1);
    ts_test_step(&w, 300);
    /* along the line of centres, at 0.12/0.2 of the sine, everything goes over */
    NEAR(w.state->body3[1].velocity[0], 2 * 0.64, 2e-3);
    NEAR(w.state->body3[1].velocity[1], 2 * 0.48, 2e-3);
    NEAR(w.state->body3[0].velocity[0], 2 * 0.36, 2e-3);
    NEAR(w.state->body3[0].velocity[1], -2 * 0.48, 2e-3);
    ts_test_close(&w);
}

/* Rolling down a slope of 0.3 rad: a share of what sliding has. */
static void roll(bool cylinder, double share)
{
    const double tilt = 0.3;
    ts_test_world w = {0};
    ts_test_space(&w, -G);
    const ts_piece_def piece = {.kind = TS_PIECE_CYLINDER, .radius = 0.1, .length = 0.3};
    ts_shape_def shape = ts_default_shape();
    ts_body_def body = ts_default_body();
    shape.piece = &piece;
    shape.piece_count = 1;
    if (cylinder)
        OK(ts_scene_add_shape(w.scene, &shape, &body.shape, ERROR));
    else
        body.shape = ts_test_ball(w.scene, 0.1);
    memcpy(body.position, (double[3]){0.1 * sin(tilt), 0, 0.1 * cos(tilt)}, sizeof body.position);
    memcpy(body.attitude, (double[4]){1, 1, 0, 0}, sizeof body.attitude);
    OK(ts_scene_add_body(w.scene, &body, NULL, ERROR));
    ts_test_plane3(w.scene, NULL, (double[3]){0, 0, 0}, (double[3]){sin(tilt), 0, cos(tilt)});
    soften(w.scene, 0, 0.6, 0);
    ts_test_start(&w, 1);
    step_for(&w, 1);
    double v[6];
    velocity_of(&w, 0, v);
    const double speed = share * G * sin(tilt) * ts_state_time(w.state);
    NEAR(hypot(v[0], v[2]), speed, 1e-3 * speed);
    NEAR(0.1 * v[4], speed, 1e-3 * speed);
    ts_test_close(&w);
}

static void round_things_roll(void **unused)
{
    (void)unused;
    roll(false, 5.0 / 7);
    roll(true, 2.0 / 3);
}

/* A box slides v²/(2 μ g), straight on and without turning. */
static void boxes_slide(void **unused)
{
    (void)unused;
    ts_test_world w = {0};
    ts_test_space(&w, -G);
    ts_test_body3_moving(w.scene, ts_test_block(w.scene, 0.2, 0.2, 0.2), (double[3]){0, 0, 0.1}, (double[3]){2, 1, 0},
                         (double[3]){0, 0, 0});
    ts_test_floor(w.scene);
    soften(w.scene, 0, 0.3, 0);
    ts_test_start(&w, 1);
    step_for(&w, 1.5);
    const ts_body3 *b = &w.state->body3[0];
    const double way = 5 / (2 * 0.3 * G);
    NEAR(hypot(b->position[0], b->position[1]), way, 3e-3 * way);
    NEAR(b->position[1] / b->position[0], 0.5, 1e-4);
    NEAR(b->attitude[3], 0, 1e-4);
    NEAR(b->velocity[0], 0, 1e-9);
    ts_test_close(&w);
}

/* Boxes of 20 cm on each other, every other one 1 mm aside; the last one may be heavier. */
static void stand(int count, double heavier)
{
    ts_test_world w = {0};
    ts_test_space(&w, -G);
    const int32_t box = ts_test_block(w.scene, 0.2, 0.2, 0.2);
    ts_test_floor(w.scene);
    for (int i = 0; i < count; i++)
        ts_test_body3(w.scene, box, i % 2 ? 1e-3 : 0, 0, 0.1 + 0.2002 * i);
    soften(w.scene, 0, 0.5, 0);
    if (heavier > 1) {
        ts_material_def heavy = ts_default_material();
        ts_body_def body = ts_default_body();
        heavy.density *= heavier;
        OK(ts_scene_add_material(w.scene, "heavy", &heavy, &body.material, ERROR));
        body.shape = box;
        memcpy(body.position, (double[3]){1e-3, 0, 0.1 + 0.2002 * count}, sizeof body.position);
        OK(ts_scene_add_body(w.scene, &body, NULL, ERROR));
    }
    ts_test_start(&w, 1);
    step_for(&w, 4);
    for (size_t i = 0; i < w.model->body_count; i++) {
        const ts_body3 *b = &w.state->body3[i];
        NEAR(b->position[0], i % 2 ? 1e-3 : 0, 5e-3);
        NEAR(b->position[2], 0.1 + 0.2 * (double)i, 5e-3);
        NEAR(b->attitude[0], 1, 1e-4);
        NEAR(b->velocity[2], 0, 1e-3);
    }
    /* the floor carries all of it */
    double force[3], weight = 0;
    OK(ts_wall_force(w.work, 0, force, NULL, ERROR));
    for (size_t i = 0; i < w.model->body_count; i++)
        weight += G * w.model->mass[i];
    NEAR(force[2], -weight, 1e-2 * weight);
    ts_test_close(&w);
}

static void stacks_stand(void **unused)
{
    (void)unused;
    stand(10, 1);
    stand(1, 100);
}

/* A box on a slab that is driven ends up as fast as the slab: friction has taken as much as the box has got. */
static void belts_carry(void **unused)
{
    (void)unused;
    static const char text[] =
        "{\"touchstone\": 1, \"space\": \"space\", \"duration\": 2, \"gravity\": [0, 0, -9.81],"
        " \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]},"
        " \"slab\": {\"kind\": \"box\", \"size\": [4, 4, 0.5]}},"
        " \"bodies\": [{\"shape\": \"box\", \"position\": [0, 0, 0.1]},"
        " {\"name\": \"slab\", \"shape\": \"slab\", \"position\": [0, 0, -0.25], \"fixed\": true}],"
        " \"drives\": [{\"target\": \"slab\", \"kind\": \"velocity\", \"velocity\": [0.5, 0, 0]}],"
        " \"dynamics\": {\"kind\": \"soft-step\", \"friction\": 0.5, \"restitution\": 0}}";
    ts_test_world w = {0};
    OK(ts_scene_parse(text, strlen(text), "belt", NULL, &w.scene, ERROR));
    ts_test_start(&w, 1);
    step_for(&w, 1);
    const double got = 0.5 * w.model->mass[0] * 0.25;
    NEAR(w.state->body3[0].velocity[0], 0.5, 1e-6);
    NEAR(w.state->budget.work, 2 * got, 1e-2 * got);
    NEAR(w.state->budget.lost_normal, got, 1e-2 * got);
    ts_test_close(&w);
}

/* A ball on a spring swings at √(k/m), and keeps its energy. */
static void springs_swing(void **unused)
{
    (void)unused;
    static const char text[] =
        "{\"touchstone\": 1, \"space\": \"space\", \"duration\": 10, \"time_step\": 0.005, \"gravity\": [0, 0, 0],"
        " \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}},"
        " \"bodies\": [{\"name\": \"ball\", \"shape\": \"ball\", \"position\": [1.2, 0, 0]}],"
        " \"springs\": [{\"kind\": \"linear\", \"b\": \"ball\", \"stiffness\": 100, \"rest\": 1}],"
        " \"dynamics\": {\"kind\": \"soft-step\", \"density\": 1000}}";
    ts_test_world w = {0};
    OK(ts_scene_parse(text, strlen(text), "spring", NULL, &w.scene, ERROR));
    ts_test_start(&w, 1);
    const double rate = sqrt(100 / w.model->mass[0]);
    ts_test_step(&w, 400);
    NEAR(w.state->body3[0].position[0], 1 + 0.2 * cos(rate * 2), 1e-3);
    NEAR(w.state->budget.lost_normal, 0, 0.02);
    ts_test_close(&w);
}

static void fill(ts_test_world *w, double gravity, double restitution)
{
    ts_test_space(w, gravity);
    const int32_t solid[] = {ts_test_ball(w->scene, 0.06), ts_test_block(w->scene, 0.1, 0.08, 0.06),
                             ts_test_hammer(w->scene, 0.12)};
    ts_test_cloud3(w->scene, 1.2, 60, solid, 3, 2);
    soften(w->scene, restitution, 0.5, 0.004);
}

/* Momenta of a cloud that falls together are kept to rounding, and energy is lost. */
static void momenta_are_kept(void **unused)
{
    (void)unused;
    ts_test_world w = {0};
    fill(&w, 0, 0.3);
    ts_test_start(&w, 1);
    for (size_t i = 0; i < w.model->body_count; i++)
        for (int d = 0; d < 3; d++)
            w.state->body3[i].velocity[d] += 3 * (0.6 - w.state->body3[i].position[d]);
    const ts_test_sums before = ts_test_sum3(&w);
    ts_test_step(&w, 200);
    const ts_test_sums after = ts_test_sum3(&w);
    for (int d = 0; d < 3; d++) {
        NEAR(after.momentum[d], before.momentum[d], 1e-12 * before.size);
        NEAR(after.angular[d], before.angular[d], 1e-12 * before.size);
    }
    assert_true(after.energy < 0.9 * before.energy);
    ts_test_close(&w);
}

/* What touches nothing flies exactly: a body that tumbles keeps its energy. Next to a floor it goes in sub-steps, and
 * keeps it nearly. */
static void tumbling_keeps_energy(void **unused)
{
    (void)unused;
    for (int floor = 0; floor < 2; floor++) {
        ts_test_world w = {0};
        ts_test_space(&w, 0);
        ts_test_body3_moving(w.scene, ts_test_block(w.scene, 0.1, 0.2, 0.3), (double[3]){0, 0, 0.188},
                             (double[3]){1, 0, 0}, (double[3]){0.1, 5, 0.1});
        if (floor)
            ts_test_floor(w.scene);
        soften(w.scene, 0, 0.5, 0.01);
        ts_test_start(&w, 1);
        const double before = ts_test_sum3(&w).energy;
        ts_test_step(&w, 2000);
        NEAR(ts_test_sum3(&w).energy, before, (floor ? 1e-3 : 1e-12) * before);
        ts_test_close(&w);
    }
}

static void same_bits(void **unused)
{
    (void)unused;
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) { /* one thread, three, and another workspace half-way */
        ts_test_world w = {0};
        fill(&w, -G, 0.3);
        ts_test_floor(w.scene);
        ts_test_start(&w, k == 1 ? 3 : 1);
        ts_test_step(&w, 100);
        if (k == 2) {
            ts_state *copy;
            OK(ts_state_create(w.model, &copy, ERROR));
            OK(ts_state_copy(copy, w.state, ERROR));
            ts_state_free(w.state);
            ts_workspace_free(w.work);
            w.state = copy;
            OK(ts_workspace_create(w.model, 2, &w.work, ERROR));
        }
        ts_test_step(&w, 100);
        hash[k] = ts_test_hash(w.state);
        ts_test_close(&w);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] == hash[2]);
}

/* At rest places hold from step to step: what a checkpoint has of them must do, and looking changes nothing. */
static void same_bits_at_rest(void **unused)
{
    (void)unused;
    uint64_t hash[4];
    for (int k = 0; k < 4; k++) { /* one thread; three; restarts; contacts are looked at */
        ts_test_world w = {0};
        ts_test_space(&w, -G);
        const int32_t block = ts_test_block(w.scene, 0.2, 0.3, 0.2);
        for (int i = 0; i < 4; i++)
            ts_test_body3_moving(w.scene, block, (double[3]){0.02 * i, 0.01 * i, 0.105 + 0.21 * i},
                                 (double[3]){0, 0, 0}, (double[3]){0, 0, 0.1});
        ts_test_floor(w.scene);
        soften(w.scene, 0, 0.5, 0);
        ts_test_start(&w, k == 1 ? 3 : 1);
        for (int i = 0; i < 40; i++) {
            ts_test_step(&w, 10);
            const ts_contact *contact;
            size_t count;
            if (k == 3)
                OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
            if (k != 2)
                continue;
            OK(ts_state_save(w.model, w.state, "rest3.tsc", ERROR));
            ts_state_free(w.state);
            ts_workspace_free(w.work);
            OK(ts_state_create(w.model, &w.state, ERROR));
            OK(ts_state_load(w.model, w.state, "rest3.tsc", ERROR));
            OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
        }
        assert_true(w.state->places_room > 0 && w.state->found.count > 0);
        hash[k] = ts_test_hash(w.state);
        ts_test_close(&w);
        assert_true(hash[k] == hash[0]);
    }
}

/* Every instruction set gives the same bits. */
static void same_kernels(void **unused)
{
    (void)unused;
    uint64_t hash[TS_CPU_COUNT];
    for (int isa = 0; isa < ts_test_isa_count(); isa++) {
        ts_test_world w = {0};
        fill(&w, -G, 0.3);
        ts_test_floor(w.scene);
        ts_test_start(&w, 1);
        ((ts_soft3 *)w.work->own)->kernels = ts_soft3_table[isa];
        ts_test_step(&w, 150);
        hash[isa] = ts_test_hash(w.state);
        ts_test_close(&w);
        assert_true(hash[isa] == hash[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_bounce),     cmocka_unit_test(boxes_bounce_flat),
        cmocka_unit_test(balls_collide),    cmocka_unit_test(round_things_roll),
        cmocka_unit_test(boxes_slide),      cmocka_unit_test(stacks_stand),
        cmocka_unit_test(belts_carry),      cmocka_unit_test(springs_swing),
        cmocka_unit_test(momenta_are_kept), cmocka_unit_test(tumbling_keeps_energy),
        cmocka_unit_test(same_bits),        cmocka_unit_test(same_bits_at_rest),
        cmocka_unit_test(same_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
