/* SPDX-License-Identifier: MIT */
/* Scripted motions: closed forms, continuity, and that no point outruns the bound of its speed. */
#include <math.h>

#include "base/random.h"
#include "body/drive.h"
#include "support/check.h"

static const ts_pose2 rest = {0.3, -0.2, 0.1};

static void same_pose(ts_pose2 a, ts_pose2 b, double tolerance)
{
    NEAR(a.x, b.x, tolerance);
    NEAR(a.y, b.y, tolerance);
    NEAR(a.angle, b.angle, tolerance);
}

/* A disc carried round the pivot: distance kept, angle rate · t, frozen outside [start, end]. */
static void rotation(void **state)
{
    (void)state;
    ts_motion m = {.kind = TS_DRIVE_ROTATION, .start = 1, .end = 3, .pivot = {1, 2, 0}, .rate = 0.7};
    same_pose(ts_motion_pose(&m, rest, 0), rest, 0);
    same_pose(ts_motion_pose(&m, rest, 1), rest, 0);
    ts_pose2 p = ts_motion_pose(&m, rest, 2.5);
    NEAR(p.angle, 0.1 + 0.7 * 1.5, 1e-15);
    double radius = hypot(rest.x - 1, rest.y - 2), before = atan2(rest.y - 2, rest.x - 1);
    NEAR(p.x, 1 + radius * cos(before + 0.7 * 1.5), 1e-14);
    NEAR(p.y, 2 + radius * sin(before + 0.7 * 1.5), 1e-14);
    same_pose(ts_motion_pose(&m, rest, 3), ts_motion_pose(&m, rest, 1e9), 0);
    NEAR(ts_motion_pose(&m, rest, 9).angle, 0.1 + 0.7 * 2, 1e-15);
    /* a whole turn comes back */
    ts_motion turn = {.kind = TS_DRIVE_ROTATION, .end = HUGE_VAL, .pivot = {1, 2, 0}, .rate = 2 * TS_PI};
    NEAR(ts_motion_pose(&turn, rest, 1).x, rest.x, 1e-14);
    NEAR(ts_motion_pose(&turn, rest, 1).angle, 0.1 + 2 * TS_PI, 1e-14);
}

static void velocity_and_oscillation(void **state)
{
    (void)state;
    ts_motion m = {.kind = TS_DRIVE_VELOCITY, .start = 0.5, .end = 2, .velocity = {3, -1, 0}};
    same_pose(ts_motion_pose(&m, rest, 1.25), (ts_pose2){0.3 + 3 * 0.75, -0.2 - 0.75, 0.1}, 1e-15);
    same_pose(ts_motion_pose(&m, rest, 77), (ts_pose2){0.3 + 4.5, -0.2 - 1.5, 0.1}, 1e-15);

    ts_motion o = {
        .kind = TS_DRIVE_OSCILLATION, .start = 0.25, .end = HUGE_VAL, .amplitude = {0.5, 0, 0}, .frequency = 2};
    same_pose(ts_motion_pose(&o, rest, 0.1), rest, 0);
    NEAR(ts_motion_pose(&o, rest, 0.25 + 0.125).x, 0.3 + 0.5, 1e-15); /* a quarter of a period after the start */
    NEAR(ts_motion_pose(&o, rest, 0.25 + 0.375).x, 0.3 - 0.5, 1e-15);
    NEAR(ts_motion_pose(&o, rest, 0.25 + 7).x, 0.3, 1e-13);
    /* rocking about a pivot: the turn is the angle's amplitude */
    ts_motion rock = {.kind = TS_DRIVE_OSCILLATION,
                      .end = HUGE_VAL,
                      .pivot = {0.3, -0.2, 0},
                      .angle_amplitude = 0.4,
                      .frequency = 1,
                      .phase = TS_PI / 2};
    same_pose(ts_motion_pose(&rock, rest, 0), (ts_pose2){0.3, -0.2, 0.5}, 1e-15);
    same_pose(ts_motion_pose(&rock, rest, 0.5), (ts_pose2){0.3, -0.2, -0.3}, 1e-15);
}

/* Two keyframes: the cubic that starts and ends at rest, 3s² - 2s³. */
static void two_keyframes(void **state)
{
    (void)state;
    ts_keyframe key[2] = {{0.5, {0, 0}, 0}, {1.5, {2, -4}, 1}};
    ts_motion m = {
        .kind = TS_DRIVE_KEYFRAMES, .end = HUGE_VAL, .pivot = {rest.x, rest.y, 0}, .key = key, .key_count = 2};
    for (double s = 0; s <= 1; s += 0.125) {
        double h = 3 * s * s - 2 * s * s * s;
        same_pose(ts_motion_pose(&m, rest, 0.5 + s), (ts_pose2){0.3 + 2 * h, -0.2 - 4 * h, 0.1 + h}, 1e-15);
    }
    same_pose(ts_motion_pose(&m, rest, 0), rest, 0);
    same_pose(ts_motion_pose(&m, rest, 100), (ts_pose2){2.3, -4.2, 1.1}, 1e-15);
}

/* Key i is passed at its time, and where positions are a parabola of evenly spaced times the inner pieces are that
 * parabola:
 * the velocity of the chord between the neighbours is then exact. */
static void keyframes_through_a_parabola(void **state)
{
    (void)state;
    ts_keyframe key[9];
    for (int i = 0; i < 9; i++)
        key[i] = (ts_keyframe){0.5 * i, {0.25 * i * i, 3 - i}, -0.1 * i};
    ts_motion m = {.kind = TS_DRIVE_KEYFRAMES, .end = HUGE_VAL, .key = key, .key_count = 9};
    for (int i = 0; i < 9; i++)
        NEAR(ts_motion_pose(&m, (ts_pose2){0, 0, 0}, 0.5 * i).x, 0.25 * i * i, 1e-14);
    for (double t = 0.5; t <= 3.5; t += 0.0625) {
        ts_pose2 p = ts_motion_pose(&m, (ts_pose2){0, 0, 0}, t);
        NEAR(p.x, t * t, 1e-14);
        NEAR(p.y, 3 - 2 * t, 1e-14);
        NEAR(p.angle, -0.2 * t, 1e-14);
    }
}

/* No point is ever faster than the bound, which is not far off. */
static void speed_is_bounded(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 30; trial++) {
        ts_random r = ts_random_make(3, trial);
        ts_keyframe key[6];
        double time = 0;
        for (int i = 0; i < 6; i++) {
            time += ts_random_next_range(&r, 0.1, 1);
            key[i] = (ts_keyframe){time,
                                   {ts_random_next_range(&r, -1, 1), ts_random_next_range(&r, -1, 1)},
                                   ts_random_next_range(&r, -3, 3)};
        }
        ts_motion m = {.kind = TS_DRIVE_KEYFRAMES, .end = HUGE_VAL, .pivot = {0.5, 0.1, 0}, .key = key, .key_count = 6};
        ts_vec2 arm = ts_vec2_rotate((ts_vec2){0.2, 0}, ts_random_next_range(&r, 0, 7));
        double bound = ts_motion_speed_bound(&m, (ts_vec3){rest.x, rest.y, 0}, 0.2), h = 1e-5, fastest = 0;
        for (double t = 0; t < time + 1; t += 1e-3) {
            ts_vec2 p = ts_pose2_apply(ts_motion_pose(&m, rest, t - h), arm);
            ts_vec2 q = ts_pose2_apply(ts_motion_pose(&m, rest, t + h), arm);
            ts_vec2 v = ts_vec2_scale(ts_vec2_sub(q, p), 0.5 / h);
            fastest = fmax(fastest, ts_vec2_length(v));
        }
        assert_true(fastest <= bound * (1 + 1e-6));
        assert_true(fastest > 0.1 * bound);
    }
}

/* At every keyframe the velocity from the left is that from the right. */
static void keyframes_are_once_differentiable(void **state)
{
    (void)state;
    ts_keyframe key[4] = {{0, {0, 0}, 0}, {0.3, {1, 2}, 0.5}, {1.7, {-1, 0}, 2}, {2, {0, 0}, -1}};
    ts_motion m = {
        .kind = TS_DRIVE_KEYFRAMES, .end = HUGE_VAL, .pivot = {rest.x, rest.y, 0}, .key = key, .key_count = 4};
    double h = 1e-7;
    for (int i = 0; i < 4; i++) {
        ts_pose2 a = ts_motion_pose(&m, rest, key[i].time - h), b = ts_motion_pose(&m, rest, key[i].time);
        ts_pose2 c = ts_motion_pose(&m, rest, key[i].time + h);
        NEAR((b.x - a.x) / h, (c.x - b.x) / h, 1e-4);
        NEAR((b.y - a.y) / h, (c.y - b.y) / h, 1e-4);
        NEAR((b.angle - a.angle) / h, (c.angle - b.angle) / h, 1e-4);
    }
    /* inside: the chord of the neighbours; at the ends: rest */
    ts_pose2 a = ts_motion_pose(&m, rest, 0.3 - h), c = ts_motion_pose(&m, rest, 0.3 + h);
    NEAR((c.x - a.x) / (2 * h), -1 / 1.7, 1e-5);
    ts_pose2 end = ts_motion_pose(&m, rest, 2 - h);
    NEAR((ts_motion_pose(&m, rest, 2).x - end.x) / h, 0, 1e-4);
}

static void other_bounds(void **state)
{
    (void)state;
    ts_motion turn = {.kind = TS_DRIVE_ROTATION, .end = HUGE_VAL, .pivot = {rest.x + 3, rest.y + 4, 0}, .rate = -2};
    NEAR(ts_motion_speed_bound(&turn, (ts_vec3){rest.x, rest.y, 0}, 1), 2 * 6, 1e-14);
    ts_motion shake = {.kind = TS_DRIVE_OSCILLATION, .end = HUGE_VAL, .amplitude = {3, -4, 0}, .frequency = 0.5};
    NEAR(ts_motion_speed_bound(&shake, (ts_vec3){rest.x, rest.y, 0}, 1), TS_PI * 5, 1e-13);
    ts_motion slide = {.kind = TS_DRIVE_VELOCITY, .end = HUGE_VAL, .velocity = {3, -4, 0}};
    NEAR(ts_motion_speed_bound(&slide, (ts_vec3){rest.x, rest.y, 0}, 100), 5, 1e-15);
}

/* In the plane an axis along -z turns the other way round; and a motion of the plane is that of space with its axis
 * along z. */
static void plane_and_space_agree(void **state)
{
    (void)state;
    ts_keyframe key[3] = {{0, {0, 0, 0}, 0}, {1, {0.3, -0.2, 0}, 1.1}, {2.5, {-0.4, 0.6, 0}, -0.7}};
    const ts_motion motion[] = {
        {.kind = TS_DRIVE_ROTATION, .end = HUGE_VAL, .pivot = {1, 2, 0}, .axis = {0, 0, 1}, .rate = 0.7},
        {.kind = TS_DRIVE_OSCILLATION,
         .end = HUGE_VAL,
         .pivot = {0.2, -1, 0},
         .axis = {0, 0, -1},
         .amplitude = {0.3, -0.1, 0},
         .angle_amplitude = 0.8,
         .frequency = 0.4,
         .phase = 0.3},
        {.kind = TS_DRIVE_KEYFRAMES,
         .end = HUGE_VAL,
         .pivot = {0, 1, 0},
         .axis = {0, 0, -1},
         .key = key,
         .key_count = 3},
        {.kind = TS_DRIVE_VELOCITY, .end = 1.5, .axis = {0, 0, 1}, .velocity = {0.2, 0.7, 0}},
    };
    const ts_pose3 rest3 = {{rest.x, rest.y, 0.4}, ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, rest.angle)};
    for (size_t i = 0; i < sizeof motion / sizeof *motion; i++)
        for (double t = 0; t < 3; t += 0.17) {
            const ts_pose2 plane = ts_motion_pose(&motion[i], rest, t);
            const ts_pose3 space = ts_motion_pose3(&motion[i], rest3, t);
            NEAR(space.position.x, plane.x, 1e-14);
            NEAR(space.position.y, plane.y, 1e-14);
            NEAR(space.position.z, 0.4, 0);
            const ts_vec3 x = ts_quat_apply(space.quat, (ts_vec3){1, 0, 0});
            NEAR(x.x, cos(plane.angle), 1e-14);
            NEAR(x.y, sin(plane.angle), 1e-14);
        }
    ts_motion back = motion[0];
    back.axis.z = -1;
    back.rate = -motion[0].rate;
    same_pose(ts_motion_pose(&back, rest, 1.3), ts_motion_pose(&motion[0], rest, 1.3), 0);
}

/* About the axis (1, 1, 1) a third of a turn sends x to y, y to z and z to x. */
static void an_axis_of_space(void **state)
{
    (void)state;
    const double third = 1 / sqrt(3), pi = TS_PI;
    const ts_motion m = {.kind = TS_DRIVE_ROTATION,
                         .end = HUGE_VAL,
                         .pivot = {1, 2, 3},
                         .axis = {third, third, third},
                         .rate = 2 * pi / 3};
    const ts_pose3 p = ts_motion_pose3(&m, (ts_pose3){{1.5, 2.25, 2}, {1, 0, 0, 0}}, 1);
    NEAR(p.position.x, 1 - 1, 1e-14);
    NEAR(p.position.y, 2 + 0.5, 1e-14);
    NEAR(p.position.z, 3 + 0.25, 1e-14);
    ts_vec3 linear, angular;
    ts_motion_velocity(&m, (ts_pose3){{1.5, 2.25, 2}, {1, 0, 0, 0}}, 0.3, 1e-3, &linear, &angular);
    NEAR(angular.x, third * 2 * pi / 3, 1e-12);
    NEAR(angular.z, third * 2 * pi / 3, 1e-12);
    /* perpendicular to axis and arm, as long as rate · distance from the axis, but for the chord of a step */
    NEAR(linear.x + linear.y + linear.z, 0, 1e-12);
    const double along = (0.5 + 0.25 - 1) * third, arm = sqrt(0.25 + 0.0625 + 1 - along * along);
    NEAR(sqrt(linear.x * linear.x + linear.y * linear.y + linear.z * linear.z), arm * 2 * pi / 3, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation),         cmocka_unit_test(velocity_and_oscillation),
        cmocka_unit_test(two_keyframes),    cmocka_unit_test(keyframes_through_a_parabola),
        cmocka_unit_test(speed_is_bounded), cmocka_unit_test(keyframes_are_once_differentiable),
        cmocka_unit_test(other_bounds),     cmocka_unit_test(plane_and_space_agree),
        cmocka_unit_test(an_axis_of_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
