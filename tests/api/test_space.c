/* SPDX-License-Identifier: MIT */
/* What the calls of space.h refuse, with a sentence and without a change: numbers that are none, bodies that are not
 * there, things of the plane in space and of space in the plane. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "support/world3.h"

static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300};
enum { BAD = sizeof bad / sizeof *bad };

#define REFUSED(call, words)                                               \
    do {                                                                   \
        ts_test_error.message[0] = 0;                                      \
        assert_int_equal((call), TS_BAD_INPUT);                            \
        if (!strstr(ts_test_error.message, (words)))                       \
            fail_msg("\"%s\" lacks \"%s\"", ts_test_error.message, words); \
    } while (0)

/* A box that turns, and a paddle that a drive moves. */
static void open_two(ts_test_world *w)
{
    ts_drive_def drive = ts_default_drive();
    ts_test_space(w, -9.81);
    ts_test_impact3(w->scene, "gr", 0.5, 0.5, 0.01);
    const int32_t box = ts_test_block(w->scene, 0.3, 0.2, 0.1);
    ts_test_body3_moving(w->scene, box, (double[3]){0, 0, 2}, (double[3]){1, 2, 3}, (double[3]){0.5, 0, -1});
    ts_test_fixed3(w->scene, "paddle", box, 3, 0, 0);
    drive.kind = TS_DRIVE_ROTATION;
    drive.target = "paddle";
    drive.rate = 2;
    OK(ts_scene_add_drive(w->scene, &drive, NULL, ERROR));
    ts_test_start(w, 1);
}

static void setters_refuse(void **state)
{
    (void)state;
    ts_test_world w = {0};
    open_two(&w);
    const uint64_t hash = ts_state_hash(w.state);
    const double zero[3] = {0, 0, 0}, unit[4] = {1, 0, 0, 0};
    for (int i = 0; i < BAD; i++)
        for (int d = 0; d < 4; d++) {
            double v[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0};
            q[d] = bad[i];
            v[d % 3] = bad[i];
            REFUSED(ts_state_set_pose(w.state, 0, TS_POSE3(v, unit), ERROR), "pose");
            REFUSED(ts_state_set_pose(w.state, 0, TS_POSE3(zero, q), ERROR), "pose");
            REFUSED(ts_state_set_velocity(w.state, 0, TS_VELOCITY3(v, zero), ERROR), "velocity");
            REFUSED(ts_state_set_velocity(w.state, 0, TS_VELOCITY3(zero, v), ERROR), "velocity");
        }
    double rate[6];
    REFUSED(ts_state_set_pose(w.state, 0, TS_POSE3(zero, ((double[4]){0, 0, 0, 0})), ERROR), "zero");
    REFUSED(ts_state_set_pose(w.state, 2, TS_POSE3(zero, unit), ERROR), "no body 2");
    REFUSED(ts_state_set_velocity(w.state, SIZE_MAX, TS_VELOCITY3(zero, zero), ERROR), "no body");
    REFUSED(ts_state_velocity(w.state, 2, rate, ERROR), "no body 2");
    REFUSED(ts_state_set_pose(w.state, 1, TS_POSE3(zero, unit), ERROR), "drive");
    REFUSED(ts_state_set_velocity(w.state, 1, TS_VELOCITY3(zero, zero), ERROR), "drive");
    assert_int_equal(ts_state_hash(w.state), hash);
    ts_test_close(&w);
}

/* What is set is what is got. A pose of another attitude turns the spin along: it stays the same in the body. */
static void setters_set(void **state)
{
    (void)state;
    ts_test_world w = {0};
    double rate[6], *spin = rate + 3, inertia[9];
    open_two(&w);
    OK(ts_state_velocity(w.state, 0, rate, ERROR));
    NEAR(spin[0], 0.5, 1e-14);
    NEAR(spin[2], -1, 1e-14);
    /* a quarter turn about z takes x to y; the quaternion need not be of length 1 */
    OK(ts_state_set_pose(w.state, 0, TS_POSE3(((double[3]){7, 8, 9}), ((double[4]){3, 0, 0, 3})), ERROR));
    const ts_body3 *b = ts_state_bodies3(w.state);
    assert_true(b->position[0] == 7 && b->position[1] == 8 && b->position[2] == 9);
    NEAR(b->attitude[3], sqrt(0.5), 1e-15);
    OK(ts_state_velocity(w.state, 0, rate, ERROR));
    NEAR(spin[0], 0, 1e-14);
    NEAR(spin[1], 0.5, 1e-14);
    NEAR(spin[2], -1, 1e-14);
    /* L = I ω with I = m/12 (y² + z², …) in the body, whose x is the world's y now */
    const double mass = 1 / b->inv_mass;
    OK(ts_state_set_velocity(w.state, 0, TS_VELOCITY3(((double[3]){1, 0, 0}), ((double[3]){1, 2, 3})), ERROR));
    NEAR(b->angular_momentum[0], mass / 12 * (0.09 + 0.01) * 1, 1e-12 * mass);
    NEAR(b->angular_momentum[1], mass / 12 * (0.04 + 0.01) * 2, 1e-12 * mass);
    NEAR(b->angular_momentum[2], mass / 12 * (0.09 + 0.04) * 3, 1e-12 * mass);
    ts_model_inertia(w.model, 1, inertia); /* also of a fixed one */
    NEAR(inertia[0], mass / 12 * (0.04 + 0.01), 1e-12 * mass);
    ts_model_inertia(w.model, 2, inertia);
    assert_true(isnan(inertia[0]) && isnan(inertia[8]));
    /* the paddle has the angular velocity of its drive */
    OK(ts_state_velocity(w.state, 1, rate, ERROR));
    NEAR(spin[2], 2, 1e-9);
    ts_test_close(&w);
}

static void plane_and_space_do_not_mix(void **state)
{
    (void)state;
    ts_test_world space = {0}, plane = {0};
    const ts_contact *contact;
    size_t count;
    double q[7], v[6], inertia[9];
    open_two(&space);
    ts_test_open(&plane, 0);
    ts_test_body(plane.scene, ts_test_disc(plane.scene, 0.1), 0, 0);
    ts_test_start(&plane, 1);
    assert_true(ts_model_dimension(space.model) == 3 && ts_model_dimension(plane.model) == 2);
    assert_true(ts_scene_is_space(space.scene) && !ts_scene_is_space(plane.scene));
    assert_true(!ts_state_bodies3(plane.state) && ts_state_bodies(plane.state));
    assert_true(!ts_state_bodies(space.state) && ts_state_bodies3(space.state));
    assert_int_equal(ts_model_wall_count(plane.model), 0);
    ts_model_inertia(plane.model, 0, inertia);
    assert_true(inertia[0] == 0);
    NEAR(inertia[8], 0.5 * 1000 * 3.14159265358979 * 1e-4, 1e-14);
    /* q and v are one set of calls, of 3 and 3 or of 7 and 6 numbers a body */
    assert_true(ts_model_q_size(plane.model) == 3 && ts_model_v_size(plane.model) == 3);
    assert_true(ts_model_q_size(space.model) == 7 && ts_model_v_size(space.model) == 6);
    OK(ts_state_set_pose(plane.state, 0, (double[]){1, 2, 3}, ERROR));
    OK(ts_state_set_velocity(plane.state, 0, (double[]){4, 5, 6}, ERROR));
    OK(ts_state_pose(plane.state, 0, q, ERROR));
    OK(ts_state_velocity(plane.state, 0, v, ERROR));
    assert_true(q[0] == 1 && q[1] == 2 && q[2] == 3 && v[0] == 4 && v[1] == 5 && v[2] == 6);
    double all_q[2 * 7], all_v[2 * 6];
    ts_state_positions(space.state, all_q);
    ts_state_velocities(space.state, all_v);
    assert_true(all_q[2] == 2 && all_q[3] == 1 && all_q[7] == 3 && all_v[1] == 2);
    NEAR(all_v[11], 2, 1e-12); /* the paddle's drive */
    /* contacts are one record and one call for both */
    OK(ts_find_contacts(plane.model, plane.state, plane.work, &contact, &count, ERROR));
    OK(ts_find_contacts(space.model, space.state, space.work, &contact, &count, ERROR));
    REFUSED(ts_find_contacts(plane.model, space.state, plane.work, &contact, &count, ERROR), "not created for");
    /* a scene is one or the other */
    ts_space_def def = ts_default_space();
    ts_body_def body = ts_default_body();
    ts_wall_def wall = ts_default_wall();
    int32_t index;
    wall.kind = TS_WALL_ROOM;
    body.angle = 1;
    assert_true(ts_scene_set_space(plane.scene, &def, ERROR) != TS_OK);
    assert_true(ts_scene_add_wall(plane.scene, &wall, NULL, ERROR) != TS_OK);
    assert_true(ts_scene_add_body(space.scene, &body, NULL, ERROR) != TS_OK);
    assert_true(ts_scene_add_disc(space.scene, 1, &index, ERROR) != TS_OK);
    ts_test_close(&plane);
    ts_test_close(&space);
}

/* Absurd places do not hurt a generator that has to keep clear of what is there. */
static void far_bodies_and_generators(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_test_space(&w, 0);
    ts_test_impact3(w.scene, "gr", 0.5, 0.5, 0.01);
    const int32_t ball = ts_test_ball(w.scene, 0.1);
    ts_test_body3(w.scene, ball, 1e30, -1e30, 1e30);
    ts_test_cloud3(w.scene, 1, 3, &ball, 1, 0);
    ts_test_start(&w, 1);
    ts_test_step(&w, 2);
    ts_test_close(&w);
}

/* A mix may have sizes by a table, as in the plane; and a lattice that fills its box exactly is full. */
static void generators_fill(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_generator_def fill = ts_default_generator();
    fill.fill = TS_FILL_LATTICE;
    const ts_size_step table[] = {{0.5, 0}, {0.75, 0.5}, {1, 1}};
    ts_mix_entry mix = {.weight = 1, .size = TS_SIZE_TABLE, .table = table, .table_count = 3};
    double low = 1, high = 0;
    ts_test_space(&w, 0);
    ts_test_impact3(w.scene, "gr", 0.5, 0.5, 0.01);
    mix.shape = ts_test_ball(w.scene, 0.1);
    fill.mix = &mix;
    fill.mix_count = 1;
    fill.count = 50;
    for (int d = 0; d < 3; d++)
        fill.high[d] = 1;
    OK(ts_scene_add_generator(w.scene, &fill, NULL, ERROR));
    mix = (ts_mix_entry){.shape = mix.shape, .weight = 1, .scale_min = 1, .scale_max = 1};
    fill.count = 125;
    fill.low[0] = 2;
    fill.high[0] = 3;
    OK(ts_scene_add_generator(w.scene, &fill, NULL, ERROR));
    ts_test_start(&w, 1);
    for (int i = 0; i < 50; i++) {
        low = fmin(low, ts_state_bodies3(w.state)[i].radius);
        high = fmax(high, ts_state_bodies3(w.state)[i].radius);
    }
    assert_true(low >= 0.05 && low < 0.06 && high <= 0.1 && high > 0.09);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(setters_refuse), cmocka_unit_test(setters_set),
                                       cmocka_unit_test(plane_and_space_do_not_mix),
                                       cmocka_unit_test(far_bodies_and_generators), cmocka_unit_test(generators_fill)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
