/* SPDX-License-Identifier: MIT */
/* The penalty law in space: what it keeps, closed forms of bounces, sliding and rolling, and where its time step
 * ends. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "contact/law.h"
#include "dynamics/penalty.h"
#include "dynamics/penalty_space.h"
#include "model.h"
#include "support/world3.h"
#include "workspace.h"

#define G 9.81

static const ts_body3 *body_of(const ts_test_world *w, size_t i)
{
    return &ts_state_bodies3(w->state)[i];
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* ---- What is kept ---- */

/* Nothing from outside: whoever strikes and rubs whom, linear and angular momentum stay, and energy goes where the
 * budget says. */
static void a_free_cloud_keeps(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_test_space(&w, 0);
    ts_test_penalty3(w.scene, 2e5, 0.5, 0.5, 0);
    const int32_t solid[] = {ts_test_ball(w.scene, 0.12), ts_test_block(w.scene, 0.2, 0.15, 0.1),
                             ts_test_hammer(w.scene, 0.16), ts_test_wedge(w.scene, 0.25), ts_test_angle(w.scene, 0.2)};
    ts_test_cloud3(w.scene, 1.4, 40, solid, sizeof solid / sizeof *solid, 0.7);
    ts_test_start(&w, 1);
    for (size_t i = 0; i < w.model->body_count; i++) {
        double v[3], spin[3] = {(double)(i % 5) - 2, (double)(i % 3) - 1, (double)(i % 7) - 3};
        for (int d = 0; d < 3; d++)
            v[d] = body_of(&w, i)->velocity[d] + 2 * (0.7 - body_of(&w, i)->position[d]);
        OK(ts_state_set_velocity(w.state, i, TS_VELOCITY3(v, spin), ERROR));
    }
    const ts_test_sums before = ts_test_sum3(&w);
    const double steps = floor(1 / ts_model_time_step(w.model));
    ts_test_step(&w, (uint64_t)steps);
    const ts_test_sums after = ts_test_sum3(&w);
    ts_measures m;
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    assert_true(w.work->contact_sum > 1000);
    for (int d = 0; d < 3; d++) {
        NEAR(after.momentum[d], before.momentum[d], 1e-12 * before.size);
        NEAR(after.angular[d], before.angular[d], 3e-17 * steps * before.size); /* each step's turning rounds */
    }
    const double lost = m.lost_normal + m.lost_tangential + m.lost_friction;
    assert_true(lost > 0.05 * before.energy && m.lost_friction > 0 && m.lost_normal > 0);
    NEAR(m.kinetic + m.rotational + m.elastic + lost, before.energy, 0.02 * lost);
    ts_test_close(&w);
}

/* Without dashpots and friction energy is kept, within the time step's own swing. */
static void elastic_balls_keep_energy(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_test_space(&w, 0);
    ts_test_penalty3(w.scene, 0, 1, 0, 0);
    const int32_t ball = ts_test_ball(w.scene, 0.1);
    ts_test_plane3(w.scene, NULL, (double[3]){0, 0, 0}, (double[3]){1, 0, 0});
    ts_test_plane3(w.scene, NULL, (double[3]){1, 0, 0}, (double[3]){-1, 0, 0});
    ts_test_plane3(w.scene, NULL, (double[3]){0, 0, 0}, (double[3]){0, 1, 0});
    ts_test_plane3(w.scene, NULL, (double[3]){0, 1, 0}, (double[3]){0, -1, 0});
    ts_test_plane3(w.scene, NULL, (double[3]){0, 0, 0}, (double[3]){0, 0, 1});
    ts_test_plane3(w.scene, NULL, (double[3]){0, 0, 1}, (double[3]){0, 0, -1});
    ts_test_cloud3(w.scene, 1, 40, &ball, 1, 1);
    ts_test_start(&w, 1);
    ts_measures first, last;
    OK(ts_measure(w.model, w.state, w.work, &first, ERROR));
    ts_test_step(&w, 20000);
    OK(ts_measure(w.model, w.state, w.work, &last, ERROR));
    assert_true(w.work->contact_sum > 5000);
    NEAR(last.kinetic + last.elastic, first.kinetic, 5e-3 * first.kinetic);
    NEAR(last.lost_normal + last.lost_tangential + last.lost_friction, 0, 1e-12);
    ts_test_close(&w);
}

/* A box that bounces and rocks without dashpots and friction: its places push with one energy. */
static void an_elastic_box_keeps_energy(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_test_space(&w, -G);
    ts_test_penalty3(w.scene, 0, 1, 0, 0);
    ts_test_floor(w.scene);
    ts_body_def def = ts_default_body();
    def.shape = ts_test_block(w.scene, 0.2, 0.2, 0.2);
    def.position[2] = 0.25;
    memcpy(def.attitude, (double[4]){1, 0.05, 0.015, 0}, sizeof def.attitude); /* no edge lands level */
    int32_t body;
    OK(ts_scene_add_body(w.scene, &def, &body, ERROR));
    ts_test_start(&w, 1);
    const double height = 0.15; /* it falls by at most */
    ts_measures m;
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    const double first = m.kinetic + m.rotational + m.elastic + m.gravitational,
                 most = G * height / body_of(&w, 0)->inv_mass;
    for (int i = 0; i < 40; i++) {
        ts_test_step(&w, (uint64_t)(0.1 / ts_model_time_step(w.model)));
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        NEAR(m.kinetic + m.rotational + m.elastic + m.gravitational, first, 0.02 * most);
    }
    ts_test_close(&w);
}

/* ---- Closed forms ---- */

/* A box that lands on its face has the restitution of a ball, at derived steps. */
static void a_flat_box_bounces(void **state)
{
    (void)state;
    const double asked[] = {0.9, 0.6, 0.3}, size = 0.1;
    for (int k = 0; k < 3; k++) {
        ts_test_world w = {0};
        ts_test_space(&w, 0);
        ts_test_penalty3(w.scene, 0, asked[k], 0, 0);
        ts_test_floor(w.scene);
        ts_test_body3_moving(w.scene, ts_test_block(w.scene, size, size, size), (double[3]){0, 0, 0.51 * size},
                             (double[3]){0, 0, -1}, (double[3]){0});
        ts_test_start(&w, 1);
        ts_test_step(&w, (uint64_t)(0.1 / ts_model_time_step(w.model)));
        NEAR(body_of(&w, 0)->velocity[2], asked[k], 5e-3);
        ts_test_close(&w);
    }
}

/* A ball leaves a floor, and another ball, with the restitution that was asked for; whatever its size. */
static void bounces(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        const double asked = k % 3 == 0 ? 0.9 : k % 3 == 1 ? 0.5 : 0.2, size = k < 3 ? 0.1 : 1e-3;
        ts_test_world w = {0};
        ts_test_space(&w, 0);
        ts_test_penalty3(w.scene, 1e4 * size, asked, 0, 0);
        ts_test_floor(w.scene);
        const int32_t ball = ts_test_ball(w.scene, size);
        ts_test_body3_moving(w.scene, ball, (double[3]){0, 0, 1.01 * size}, (double[3]){0, 0, -size}, (double[3]){0});
        ts_test_body3_moving(w.scene, ball, (double[3]){5 * size, 0, 5 * size}, (double[3]){size, 0, 0},
                             (double[3]){0});
        ts_test_body3_moving(w.scene, ball, (double[3]){7.02 * size, 0, 5 * size}, (double[3]){-size, 0, 0},
                             (double[3]){0});
        ts_settings settings = ts_scene_settings(w.scene);
        settings.duration = 1;
        OK(ts_scene_set(w.scene, &settings, ERROR));
        ts_test_start(&w, 1);
        ts_test_step(&w, (uint64_t)(1 / ts_model_time_step(w.model)));
        NEAR(body_of(&w, 0)->velocity[2] / size, asked, 0.025);
        NEAR(body_of(&w, 1)->velocity[0] / size, -asked, 0.025);
        NEAR(body_of(&w, 2)->velocity[0] / size, asked, 0.025);
        ts_test_close(&w);
    }
}

/* On a slope of angle θ: rolling with 5/7 g sin θ where friction suffices (μ ≥ 2/7 tan θ), sliding with g (sin θ − μ
 * cos θ) and spinning up where it does not. */
static void a_ball_rolls_or_slides(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double slope = 0.5, mu = k == 0 ? 0.4 : 0.05, r = 0.05;
        ts_test_world w = {0};
        ts_test_space(&w, -G);
        ts_test_penalty3(w.scene, 1e5, 0.3, mu, 0);
        ts_test_plane3(w.scene, NULL, (double[3]){0, 0, 0}, (double[3]){sin(slope), 0, cos(slope)});
        ts_test_body3(w.scene, ts_test_ball(w.scene, r), r * sin(slope), 0, r * cos(slope));
        ts_test_start(&w, 1);
        const double h = ts_model_time_step(w.model);
        const uint64_t settle = (uint64_t)(0.1 / h), steps = (uint64_t)(0.5 / h);
        double spin[2][3], before, after;
        ts_test_step(&w, settle);
        before = length_of(body_of(&w, 0)->velocity);
        ts_test_spin3(w.state, 0, spin[0]);
        ts_test_step(&w, steps);
        after = length_of(body_of(&w, 0)->velocity);
        ts_test_spin3(w.state, 0, spin[1]);
        const double time = (double)steps * h,
                     want = k == 0 ? 5.0 / 7 * G * sin(slope) : G * (sin(slope) - mu * cos(slope));
        NEAR((after - before) / time, want, 2e-3 * want);
        const double turn = (spin[1][1] - spin[0][1]) / time;
        NEAR(turn, k == 0 ? want / r : 2.5 * mu * G * cos(slope) / r, 2e-3 * fabs(turn));
        ts_test_close(&w);
    }
}

/* A ball that slides without turning ends up rolling with 5/7 of its speed, whichever way it went. */
static void sliding_becomes_rolling(void **state)
{
    (void)state;
    ts_test_world w = {0};
    const double r = 0.05, v = 1;
    ts_test_space(&w, -G);
    ts_test_penalty3(w.scene, 1e5, 0.3, 0.3, 0);
    ts_test_floor(w.scene);
    ts_test_body3_moving(w.scene, ts_test_ball(w.scene, r), (double[3]){0, 0, r}, (double[3]){0.6 * v, 0.8 * v, 0},
                         (double[3]){0});
    ts_test_start(&w, 1);
    ts_test_step(&w, (uint64_t)(0.4 / ts_model_time_step(w.model)));
    double spin[3];
    ts_test_spin3(w.state, 0, spin);
    NEAR(body_of(&w, 0)->velocity[0], 0.6 * 5 / 7 * v, 2e-3);
    NEAR(body_of(&w, 0)->velocity[1], 0.8 * 5 / 7 * v, 2e-3);
    NEAR(spin[0] * r, -0.8 * 5 / 7 * v, 2e-3);
    NEAR(spin[1] * r, 0.6 * 5 / 7 * v, 2e-3);
    ts_test_close(&w);
}

/* A script turns a table, and what goes along with it at its own place is left alone, though the table is heavy: its
 * velocity counts, not its angular momentum. */
static void a_turning_table_drags_by_its_velocity(void **state)
{
    (void)state;
    ts_test_world w = {0};
    const double r = 0.05, v = 0.5;
    ts_test_space(&w, -G);
    ts_test_penalty3(w.scene, 1e5, 0, 0.4, 0);
    ts_test_fixed3(w.scene, "table", ts_test_block(w.scene, 2, 2, 0.2), 0, 0, -0.1);
    ts_test_body3_moving(w.scene, ts_test_ball(w.scene, r), (double[3]){0.5, 0, r}, (double[3]){0, v, 0},
                         (double[3]){0, 0, 1});
    ts_drive_def drive = ts_default_drive();
    drive.kind = TS_DRIVE_ROTATION;
    drive.target = "table";
    drive.rate = 1;
    drive.axis[2] = 1;
    OK(ts_scene_add_drive(w.scene, &drive, NULL, ERROR));
    ts_test_start(&w, 1);
    ts_test_step(&w, (uint64_t)(0.05 / ts_model_time_step(w.model)));
    NEAR(body_of(&w, 1)->velocity[1], v, 1e-3 * v);
    ts_measures m;
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    NEAR(m.work, 0, 1e-4);
    ts_test_close(&w);
}

/* The springs of a pair's places store ½ k D² with D⁸ = Σ d⁸: on n corners a box at rest is m g / (k n^¼) deep in the
 * floor, and the floor feels its weight. */
static void places_share_the_stiffness(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        const double stiffness = 1e5;
        ts_test_space(&w, -G);
        ts_test_penalty3(w.scene, stiffness, 0.3, 0.5, 0);
        ts_test_floor(w.scene);
        ts_test_body3(w.scene, k == 0 ? ts_test_ball(w.scene, 0.05) : ts_test_block(w.scene, 0.1, 0.1, 0.1), 0, 0,
                      0.05);
        ts_test_start(&w, 1);
        ts_test_step(&w, (uint64_t)(0.5 / ts_model_time_step(w.model)));
        const double weight = G / body_of(&w, 0)->inv_mass;
        double force[3], torque[3];
        ts_penalty_wall_force(w.work, 0, force, torque);
        const double depth = weight / stiffness / pow(k == 0 ? 1 : 4, 0.25);
        NEAR(0.05 - body_of(&w, 0)->position[2], depth, 1e-3 * depth);
        NEAR(force[2], -weight, 1e-6 * weight);
        NEAR(force[0], 0, 1e-9 * weight);
        const ts_contact *contact;
        size_t count;
        double sum = 0;
        OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
        assert_int_equal(count, k == 0 ? 1 : 4);
        for (size_t i = 0; i < count; i++) {
            assert_true(contact[i].a == -1 && contact[i].b == 0 && contact[i].normal[2] > 0.999);
            sum += contact[i].force[2];
        }
        NEAR(sum, weight, 1e-3 * weight);
        ts_test_close(&w);
    }
}

/* A block on a slope stays below atan μ, slides above it with g (sin θ − μ cos θ), and tips over before when it is
 * high. */
static void a_block_sticks_slides_or_tips(void **state)
{
    (void)state;
    const double mu = 0.5, width = 0.1;
    for (int k = 0; k < 4; k++) {
        /* tips at tan θ = width / height */
        const double height = k < 2 ? 0.05 : 0.25, slope = k == 0 ? 0.42 : k == 1 ? 0.52 : k == 2 ? 0.34 : 0.41;
        ts_test_world w = {0};
        ts_test_space(&w, -G);
        ts_test_penalty3(w.scene, 1e6, 0.3, mu, 0);
        ts_test_plane3(w.scene, NULL, (double[3]){0, 0, 0}, (double[3]){sin(slope), 0, cos(slope)});
        ts_test_tilted3(w.scene, ts_test_block(w.scene, width, width, height),
                        (double[3]){0.5 * height * sin(slope), 0, 0.5 * height * cos(slope)}, slope);
        ts_test_start(&w, 1);
        const double h = ts_model_time_step(w.model);
        ts_test_step(&w, (uint64_t)(0.2 / h));
        const double before = length_of(body_of(&w, 0)->velocity);
        ts_test_step(&w, (uint64_t)(0.4 / h));
        const double after = length_of(body_of(&w, 0)->velocity);
        double spin[3];
        ts_test_spin3(w.state, 0, spin);
        if (k == 0 || k == 2) {
            /* the high one still rocks a little, and less and less */
            assert_true(after < (k == 0 ? 1e-9 : 0.01) && fabs(spin[1]) < (k == 0 ? 1e-9 : 0.05));
        } else if (k == 1) {
            NEAR((after - before) / 0.4, G * (sin(slope) - mu * cos(slope)), 0.01);
            NEAR(spin[1], 0, 1e-2);
        } else {
            assert_true(spin[1] > 0.3);
        }
        ts_test_close(&w);
    }
}

/* A spring lies in the bodies' frame: two balls that are pressed and sheared against each other and turn as one,
 * about the line between them, stay sheared. */
static void springs_turn_with_their_bodies(void **state)
{
    (void)state;
    const double r = 0.1, turn = 20;
    ts_test_world w = {0};
    ts_test_space(&w, 0);
    ts_test_penalty3(w.scene, 1e5, 1, 0.8, 2e-5);
    const int32_t ball = ts_test_ball(w.scene, r);
    for (int i = 0; i < 2; i++)
        ts_test_body3(w.scene, ball, 0, 0, 1.999 * r * i);
    ts_test_start(&w, 1);
    OK(ts_array_reserve(&w.state->history, 1, ERROR));
    /* both are held where they are and turned by hand: friction follows the spring, which turns with them */
    const double spin[3] = {0, 0, turn}, still[3] = {0, 0, 0}, stretch = 1e-6;
    w.state->history.item[0] = (ts_history){.a = 0, .b = 1, .value = {[TS_KEPT_SPRING] = stretch}};
    w.state->history.count = 1;
    const double h = ts_model_time_step(w.model);
    const uint64_t steps = (uint64_t)(0.5 * 3.14159265358979 / turn / h);
    for (uint64_t i = 0; i < steps; i++) {
        for (size_t b = 0; b < 2; b++) {
            OK(ts_state_set_pose(
                w.state, b, TS_POSE3(((double[3]){0, 0, 1.999 * r * (double)b}), ((double[4]){1, 0, 0, 0})), ERROR));
            OK(ts_state_set_velocity(w.state, b, TS_VELOCITY3(still, spin), ERROR));
        }
        ts_test_step(&w, 1);
    }
    const double *s = w.state->history.item[0].value + TS_KEPT_SPRING, angle = turn * h * (double)steps;
    NEAR(s[0], stretch * cos(angle), 1e-3 * stretch);
    NEAR(s[1], stretch * sin(angle), 1e-3 * stretch);
    ts_test_close(&w);
}

/* ---- Time steps ---- */

/* Balls of a face-centred lattice, pressed between walls. */
static void open_lattice(ts_test_world *w, double restitution)
{
    const double r = 0.05, pitch = 2 * r * sqrt(2) * 0.99;
    ts_test_space(w, 0);
    ts_test_penalty3(w->scene, 1e5, restitution, 100, 0);
    const int32_t ball = ts_test_ball(w->scene, r);
    for (int i = 0; i < 4 * 4 * 4 * 4; i++) {
        const int at[3] = {i / 4 % 4, i / 16 % 4, i / 64}, corner = i % 4;
        ts_test_body3(w->scene, ball, pitch * (at[0] + (corner == 1 || corner == 2 ? 0.5 : 0)),
                      pitch * (at[1] + (corner == 1 || corner == 3 ? 0.5 : 0)),
                      pitch * (at[2] + (corner >= 2 ? 0.5 : 0)));
    }
    for (int d = 0; d < 6; d++) {
        double point[3] = {0}, normal[3] = {0};
        point[d / 2] = d % 2 ? pitch * 3.5 + 0.97 * r : -0.97 * r;
        normal[d / 2] = d % 2 ? -1 : 1;
        ts_test_plane3(w->scene, NULL, point, normal);
    }
    ts_test_start(w, 1);
}

/* Of a lattice at rest, at this share of the stable step: how a small disturbance grows. */
static double growth(const ts_test_world *w, double share)
{
    ts_test_world copy = *w;
    OK(ts_state_create(w->model, &copy.state, ERROR));
    OK(ts_state_copy(copy.state, w->state, ERROR));
    w->model->settings.time_step = share * w->model->stable_step;
    for (size_t i = 0; i < w->model->body_count; i++) {
        const double v[3] = {1e-6 * sin(7.0 * (double)i), 1e-6 * cos(5.0 * (double)i), 1e-6 * sin(3.0 * (double)i)},
                     spin[3] = {1e-5 * cos(2.0 * (double)i), 1e-5 * sin((double)i), 1e-5 * cos(9.0 * (double)i)};
        OK(ts_state_set_velocity(copy.state, i, TS_VELOCITY3(v, spin), ERROR));
    }
    const double before = ts_test_sum3(&copy).energy;
    ts_error ignored;
    const ts_status status = ts_step(w->model, copy.state, w->work, 2000, &ignored);
    const double after = ts_test_sum3(&copy).energy;
    ts_state_free(copy.state);
    return status == TS_OK ? after / before : HUGE_VAL;
}

/* A lattice comes to rest with dashpots; then it has none. */
static void the_stable_step_is_one(void **state)
{
    (void)state;
    ts_test_world w = {0}, undamped = {0};
    open_lattice(&undamped, 1);
    open_lattice(&w, 0.3);
    ts_test_step(&w, 60000);
    *w.model->law = *undamped.model->law;
    w.model->stable_step = undamped.model->stable_step;
    assert_true(growth(&w, 1) < 1);
    assert_true(growth(&w, 1.15) > 1e4);
    ts_test_close(&w);
    ts_test_close(&undamped);
}

/* A plate that would have room for thousands of cubes lies on the four that there are: the cubes set the step, and with
 * that step the plate swings about the depth that its weight asks for, no farther than it began, and ever less: the
 * dashpots of so light cubes are weak. */
static void a_plate_swings_on_four_cubes(void **state)
{
    (void)state;
    const double size = 0.02, side = 1, thick = 0.05, k = 1e5;
    ts_test_world w = {0};
    ts_test_space(&w, -G);
    ts_test_penalty3(w.scene, k, 0.3, 0.5, 0);
    ts_test_floor(w.scene);
    const int32_t cube = ts_test_block(w.scene, size, size, size);
    for (int i = 0; i < 4; i++)
        ts_test_body3(w.scene, cube, i % 2 ? 0.3 : -0.3, i / 2 ? 0.3 : -0.3, 0.5 * size);
    ts_test_body3(w.scene, ts_test_block(w.scene, side, side, thick), 0, 0, size + 0.5 * thick);
    ts_test_start(&w, 1);
    int64_t body;
    w.model->settings.time_step = 0.97 * ts_penalty_stable_in_space(w.model, &body);
    assert_in_range(body, 0, 3);
    /* the plate's weight on four springs, and on those of the cubes below */
    const double weight = w.model->mass[4] * G, sunk = 2 * weight / (4 * k), rest = body_of(&w, 4)->position[2] - sunk;
    const uint64_t steps = (uint64_t)ceil(0.1 / w.model->settings.time_step);
    double first = 0, last = 0;
    for (int i = 0; i < 20; i++) {
        ts_test_step(&w, steps);
        const double away = fabs(body_of(&w, 4)->position[2] - rest);
        first = i < 2 ? fmax(first, away) : first;
        last = i >= 18 ? fmax(last, away) : last;
        assert_true(away <= 1.01 * sunk);
    }
    assert_true(last < first);
    ts_test_close(&w);
}

/* A step beyond it is refused, with the body's name; a run that is made to diverge says so. */
static void long_steps_are_refused(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_test_space(&w, -G);
    ts_test_penalty3(w.scene, 1e6, 0.5, 0.5, 0.01);
    ts_test_floor(w.scene);
    ts_test_body3(w.scene, ts_test_ball(w.scene, 0.05), 0, 0, 0.05);
    ts_error error;
    assert_int_equal(ts_model_compile(w.scene, &w.model, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "body 0"));
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(a_free_cloud_keeps),
        cmocka_unit_test(elastic_balls_keep_energy),
        cmocka_unit_test(an_elastic_box_keeps_energy),
        cmocka_unit_test(a_flat_box_bounces),
        cmocka_unit_test(bounces),
        cmocka_unit_test(a_ball_rolls_or_slides),
        cmocka_unit_test(sliding_becomes_rolling),
        cmocka_unit_test(a_turning_table_drags_by_its_velocity),
        cmocka_unit_test(places_share_the_stiffness),
        cmocka_unit_test(a_block_sticks_slides_or_tips),
        cmocka_unit_test(springs_turn_with_their_bodies),
        cmocka_unit_test(the_stable_step_is_one),
        cmocka_unit_test(a_plate_swings_on_four_cubes),
        cmocka_unit_test(long_steps_are_refused),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
