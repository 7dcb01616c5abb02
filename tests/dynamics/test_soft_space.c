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

/* ---- Forces ---- */

#define MU 0.3

/* What strikes what, and how. */
typedef struct blow {
    bool box, tilted; /* otherwise a ball */
    int on;           /* 0: a floor; 1: a slab that is fixed; 2: a box that lies on the floor, 3: a ball that does */
    double e, speed;  /* downwards [m/s] */
    bool sleeping;
} blow;

static void strike(ts_test_world *w, const blow *b)
{
    *w = (ts_test_world){0};
    ts_test_space(w, -G);
    const double low[] = {0, 0, 0.2, 0.2}, aside = b->on >= 2 ? 0 : 1.5;
    ts_body_def body = ts_default_body();
    body.shape = b->box ? ts_test_block(w->scene, 0.2, 0.2, 0.2) : ts_test_ball(w->scene, 0.1);
    memcpy(body.position, (double[3]){0, 0, low[b->on] + 0.21 + 0.01 * b->speed}, sizeof body.position);
    memcpy(body.velocity, (double[3]){aside, 0.5 * aside, -b->speed}, sizeof body.velocity);
    if (b->tilted) {
        memcpy(body.attitude, (double[4]){0.98, 0.1, 0.15, 0.05}, sizeof body.attitude);
        memcpy(body.spin, (double[3]){2, -1, 3}, sizeof body.spin);
    }
    if (b->on != 1)
        ts_test_floor(w->scene);
    OK(ts_scene_add_body(w->scene, &body, NULL, ERROR));
    if (b->on == 1)
        ts_test_fixed3(w->scene, "slab", ts_test_block(w->scene, 20, 20, 0.5), 0, 0, -0.25);
    if (b->on == 2)
        ts_test_body3(w->scene, ts_test_block(w->scene, 0.3, 0.3, 0.2), 0, 0, 0.1);
    if (b->on == 3)
        ts_test_body3(w->scene, body.shape, 0, 0, 0.1);
    ts_dynamics_def dynamics = ts_default_dynamics();
    soften(w->scene, b->e, MU, 0);
    if (b->sleeping) {
        dynamics.kind = "soft-step";
        ts_dynamics_set(&dynamics, "sleeping", 1);
        OK(ts_scene_set_dynamics(w->scene, &dynamics, ERROR));
    }
    ts_test_start(w, 1);
}

/* Forces on each body, and on the floor after them. Each is within Coulomb's cone. */
static size_t list_forces(ts_test_world *w, double force[3][3], const ts_contact **contact)
{
    size_t count;
    memset(force, 0, 3 * sizeof *force);
    OK(ts_find_contacts(w->model, w->state, w->work, contact, &count, ERROR));
    for (size_t k = 0; k < count; k++) {
        const ts_contact *c = &(*contact)[k];
        double n = 0, square = 0;
        for (int d = 0; d < 3; d++) {
            force[c->b][d] += c->force[d];
            force[c->a >= 0 ? c->a : 2][d] -= c->force[d];
            n += c->force[d] * c->normal[d];
        }
        for (int d = 0; d < 3; d++)
            square += pow(c->force[d] - n * c->normal[d], 2);
        assert_true(n >= 0 && sqrt(square) <= MU * n * (1 + 1e-12));
    }
    return count;
}

/* What bodies gained in a step, less gravity, is what contacts did to them: all together, and within `error` each.
 * Returns the largest force. */
static double check_step(ts_test_world *w, bool floor, double error)
{
    double before[2][6], after[6], force[3][3], on_floor[3], sum[3] = {0}, most = 0, all = 0;
    const ts_contact *contact;
    const double step = w->model->settings.time_step;
    for (size_t i = 0; i < w->model->body_count; i++)
        velocity_of(w, i, before[i]);
    ts_test_step(w, 1);
    list_forces(w, force, &contact);
    for (size_t i = 0; i < w->model->body_count; i++) {
        if (!(w->model->body3[i].inv_mass > 0)) /* it takes what there is */
            continue;
        const double mass = w->model->mass[i];
        velocity_of(w, i, after);
        const double size = mass * (G + (fabs(before[i][2]) + fabs(after[2])) / step);
        for (int d = 0; d < 3; d++) {
            const double gained = mass * ((after[d] - before[i][d]) / step + (d == 2 ? G : 0));
            NEAR(force[i][d], gained, error * size);
            sum[d] += force[i][d] - gained;
        }
        all += size;
        most = fmax(most, fabs(force[i][2]));
    }
    for (int d = 0; d < 3; d++)
        NEAR(sum[d], 0, 1e-9 * all);
    if (!floor)
        return most;
    OK(ts_wall_force(w->work, 0, on_floor, NULL, ERROR));
    for (int d = 0; d < 3; d++)
        NEAR(on_floor[d], force[2][d], 1e-9 * (fabs(force[2][2]) + 1));
    return most;
}

/* Also in steps in which bodies bounce away, are struck by several corners, or are so quick that places are found several
 * times. Where both bodies turn, normals do so within a step. */
static void forces_are_of_whole_steps(void **unused)
{
    (void)unused;
    static const double speed[] = {0, 3, 25};
    for (int k = 0; k < 72; k++) {
        const int kind = k % 3;
        const blow b = {
            .box = kind > 0, .tilted = kind == 2, .on = k / 3 % 4, .e = k / 12 % 2 ? 0.5 : 0, .speed = speed[k / 24]};
        ts_test_world w;
        double most = 0;
        if (b.on == 3 && b.box)
            continue;
        strike(&w, &b);
        for (int i = 0; i < 100; i++)
            most = fmax(most, check_step(&w, b.on != 1, b.on != 2 ? 1e-9 : b.tilted ? 1 : 0.01));
        assert_true(most > 3 * G * w.model->mass[0]);
        ts_test_close(&w);
    }
}

/* Forces of a copy, and after a restart in every step, to the bit. */
static void same_forces(void **unused)
{
    (void)unused;
    static const double speed[] = {0, 25};
    for (int k = 0; k < 12; k++) {
        const blow b = {.box = true, .tilted = k % 2, .on = k / 2 % 3, .e = 0.5, .speed = speed[k / 6]};
        ts_test_world w, u;
        strike(&w, &b);
        strike(&u, &b);
        for (int i = 0; i < 60; i++) {
            double force[3][3];
            const ts_contact *one, *other;
            ts_test_step(&w, 1);
            ts_test_step(&u, 1);
            OK(ts_state_save(u.model, u.state, "forces3.tsc", ERROR));
            ts_state_free(u.state);
            ts_workspace_free(u.work);
            OK(ts_state_create(u.model, &u.state, ERROR));
            if (i % 2)
                OK(ts_state_load(u.model, u.state, "forces3.tsc", ERROR));
            else
                OK(ts_state_copy(u.state, w.state, ERROR));
            OK(ts_workspace_create(u.model, 2, &u.work, ERROR));
            const size_t count = list_forces(&w, force, &one);
            assert_int_equal(list_forces(&u, force, &other), count);
            for (size_t c = 0; c < count; c++)
                assert_memory_equal(one[c].force, other[c].force, sizeof one[c].force);
            assert_true(ts_test_hash(w.state) == ts_test_hash(u.state));
        }
        ts_test_close(&w);
        ts_test_close(&u);
    }
}

/* What sleeps presses as it did when it fell asleep. */
static void sleeping_forces_stay(void **unused)
{
    (void)unused;
    const blow b = {.box = true, .on = 2, .sleeping = true};
    ts_test_world w;
    double before[3][3], force[3][3], on_floor[3];
    const ts_contact *contact;
    strike(&w, &b);
    for (int i = 0; i < 2000 && ts_state_asleep_count(w.state) == 0; i++)
        ts_test_step(&w, 1);
    assert_int_equal(ts_state_asleep_count(w.state), 2);
    const size_t count = list_forces(&w, before, &contact);
    assert_int_equal(count, 8);
    for (size_t i = 0; i < 2; i++)
        NEAR(before[i][2], G * w.model->mass[i], 1e-3 * G * w.model->mass[i]);
    ts_test_step(&w, 10);
    assert_int_equal(list_forces(&w, force, &contact), count);
    assert_memory_equal(force, before, sizeof force);
    OK(ts_wall_force(w.work, 0, on_floor, NULL, ERROR));
    NEAR(on_floor[2], force[2][2], 1e-6 * fabs(force[2][2]));
    ts_test_close(&w);
}

/* What a quick ball wakes in the midst of a step has its forces from then on: at most a step's weight. */
static void waking_forces_begin_anew(void **unused)
{
    (void)unused;
    double least = 1;
    for (int k = 0; k < 6; k++) {
        const blow b = {.on = 2, .speed = 4400 + 3.0 * k, .sleeping = true}; /* from some 44 m, … */
        ts_test_world w;
        double before[6], after[6], force[3][3];
        const ts_contact *contact;
        strike(&w, &b);
        OK(ts_state_set_velocity(w.state, 0, (double[6]){0}, ERROR)); /* … let go */
        const double step = w.model->settings.time_step, weight = G * w.model->mass[1];
        while (ts_state_asleep_count(w.state) == 0)
            ts_test_step(&w, 1);
        while (ts_state_asleep_count(w.state) > 0) {
            velocity_of(&w, 0, before);
            ts_test_step(&w, 1);
        }
        velocity_of(&w, 0, after);
        list_forces(&w, force, &contact);
        NEAR(force[0][2], w.model->mass[0] * ((after[2] - before[2]) / step + G), 1e-6 * weight);
        velocity_of(&w, 1, after);
        const double part = (force[1][2] - w.model->mass[1] * after[2] / step) / weight;
        assert_true(part > -1e-3 && part < 1 + 1e-3);
        least = fmin(least, part);
        ts_test_close(&w);
    }
    assert_true(least < 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_of_whole_steps),
        cmocka_unit_test(same_forces),
        cmocka_unit_test(sleeping_forces_stay),
        cmocka_unit_test(waking_forces_begin_anew),
        cmocka_unit_test(balls_bounce),
        cmocka_unit_test(boxes_bounce_flat),
        cmocka_unit_test(balls_collide),
        cmocka_unit_test(round_things_roll),
        cmocka_unit_test(boxes_slide),
        cmocka_unit_test(stacks_stand),
        cmocka_unit_test(belts_carry),
        cmocka_unit_test(springs_swing),
        cmocka_unit_test(momenta_are_kept),
        cmocka_unit_test(tumbling_keeps_energy),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(same_bits_at_rest),
        cmocka_unit_test(same_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
