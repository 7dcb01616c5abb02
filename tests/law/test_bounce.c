/* SPDX-License-Identifier: MIT */
/* Bounces under impact happen when bodies touch, not at the beginning of the step that finds out: heights, places and
 * times are those of the closed form, at the derived step and at others, in the plane and in space. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "support/world.h"
#include "workspace.h"

#define G           9.81
#define FALL        1.0
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const double step_of[] = {0, 0.0137, 0.004, 0.001}; /* 0: derived [s] */
static const double restitution_of[] = {0.3, 0.6, 0.9};
static const char *const mode_of[] = {"", ", \"staggered\": 0", ", \"sweeps\": 50"};
static const double error_of[] = {1e-9, 1e-9, 1e-4}; /* sweeps end at 1e-4 of the fastest rate */

static const char *const plane_shape[] = {"{\"kind\": \"disc\", \"radius\": 0.1}",
                                          "{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}",
                                          "{\"kind\": \"box\", \"width\": 0.3, \"height\": 0.2, \"corner\": 0.03}"};
static const char *const plane_wall[] = {
    "{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}",
    "{\"kind\": \"polyline\", \"points\": [[-5, 0], [5, 0]], \"closed\": false}",
};
static const char *const space_shape[] = {"{\"kind\": \"sphere\", \"radius\": 0.1}",
                                          "{\"kind\": \"box\", \"size\": [0.2, 0.3, 0.2]}",
                                          "{\"kind\": \"cylinder\", \"radius\": 0.1, \"length\": 0.2}"};
static const char *const space_wall[] = {"{\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}"};

static void load(ts_test_world *w, const char *text)
{
    OK(ts_scene_parse(text, strlen(text), "bounce", NULL, &w->scene, ERROR));
    ts_test_start(w, 1);
}

typedef struct drop {
    int dimension;
    const char *shape, *wall, *mode;
    double restitution, step, error;
} drop;

/* A body whose centre is 0.1 above its lowest point, above a floor. */
static void open_drop(ts_test_world *w, const drop *d)
{
    char text[1024], step[32] = "";
    if (d->step > 0)
        snprintf(step, sizeof step, "\"time_step\": %g, ", d->step);
    snprintf(text, sizeof text,
             "{\"touchstone\": 1, %s%s\"duration\": 100, \"dynamics\": {\"kind\": \"impact\", \"friction\": 0.5, "
             "\"restitution\": %g%s}, \"shapes\": {\"it\": %s}, \"walls\": [%s], \"bodies\": [{\"shape\": \"it\", "
             "\"position\": [0, %s%g]}]}",
             d->dimension == 3 ? "\"space\": \"space\", " : "", step, d->restitution, d->mode, d->shape, d->wall,
             d->dimension == 3 ? "0, " : "", FALL + 0.1);
    load(w, text);
}

/* Height above the floor, and speed upwards. */
static void height_of(const ts_test_world *w, int dimension, double *z, double *v)
{
    double pose[7], velocity[6];
    OK(ts_state_pose(w->state, 0, pose, ERROR));
    OK(ts_state_velocity(w->state, 0, velocity, ERROR));
    *z = pose[dimension - 1] - 0.1;
    *v = velocity[dimension - 1];
}

/* After each of two bounces it has e² of its energy, and is where it should be: the time of flight counts, too. */
static void check_drop(const drop *d)
{
    ts_test_world w = {0};
    const double e = d->restitution, touch = sqrt(2 * FALL / G), leap = e * G * touch;
    double z, v = 0;
    open_drop(&w, d);
    const double h = ts_model_time_step(w.model);
    ts_test_step(&w, (uint64_t)ceil(touch / h));
    height_of(&w, d->dimension, &z, &v);
    assert_true(v > 0);
    const double since = (double)ts_state_steps(w.state) * h - touch;
    NEAR(z, leap * since - 0.5 * G * since * since, d->error);
    NEAR(v, leap - G * since, d->error);
    ts_test_step(&w, (uint64_t)ceil((2 * leap / G - since) / h));
    height_of(&w, d->dimension, &z, &v);
    assert_true(v > 0);
    NEAR(z + v * v / (2 * G), e * e * e * e * FALL, d->error);
    ts_test_close(&w);
}

static void bodies_leap_to_e_squared(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        const char *const *shape = dimension == 2 ? plane_shape : space_shape, *const *wall = dimension == 2
                                                                                                  ? plane_wall
                                                                                                  : space_wall;
        const size_t walls = dimension == 2 ? COUNT(plane_wall) : COUNT(space_wall);
        for (size_t i = 0; i < COUNT(plane_shape) * walls * COUNT(mode_of); i++)
            for (size_t k = 0; k < COUNT(restitution_of) * COUNT(step_of); k++)
                check_drop(&(drop){dimension, shape[i % 3], wall[i / 3 % walls], mode_of[i / 3 / walls],
                                   restitution_of[k / COUNT(step_of)], step_of[k % COUNT(step_of)],
                                   error_of[i / 3 / walls]});
    }
}

/* Two discs meet head-on without gravity: afterwards both are where Newton's law has them. */
static void discs_meet_on_time(void **unused)
{
    (void)unused;
    const double e = 0.5, speed = 1.7, gap = 0.83, after = 1.0;
    for (size_t i = 1; i < COUNT(step_of); i++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            ts_test_world w = {0};
            char text[1024];
            const char *zero = dimension == 3 ? ", 0" : "";
            double a[7], b[7];
            snprintf(text, sizeof text,
                     "{\"touchstone\": 1, %s\"time_step\": %g, \"duration\": 100, \"gravity\": [0, 0%s], "
                     "\"dynamics\": {\"kind\": \"impact\", \"restitution\": %g}, \"shapes\": {\"it\": {\"kind\": "
                     "\"%s\", \"radius\": 0.1}}, \"bodies\": [{\"shape\": \"it\", \"position\": [0, 0%s], "
                     "\"velocity\": [%g, 0%s]}, {\"shape\": \"it\", \"position\": [%.17g, 0%s]}]}",
                     dimension == 3 ? "\"space\": \"space\", " : "", step_of[i], zero, e,
                     dimension == 3 ? "sphere" : "disc", zero, speed, zero, 0.2 + gap, zero);
            load(&w, text);
            ts_test_step(&w, (uint64_t)ceil(after / step_of[i]));
            const double since = ts_state_time(w.state) - gap / speed;
            assert_true(since > 0);
            OK(ts_state_pose(w.state, 0, a, ERROR));
            OK(ts_state_pose(w.state, 1, b, ERROR));
            NEAR(a[0], gap + since * 0.5 * (1 - e) * speed, 1e-12);
            NEAR(b[0], 0.2 + gap + since * 0.5 * (1 + e) * speed, 1e-12);
            ts_test_close(&w);
        }
}

/* A ball strikes the floor at a slant. Friction acts until it rolls, and not by more than μ (1 + e) m vₙ:
 *
 *     impulse along the floor = min(μ (1 + e) m vₙ, m vₜ / (1 + m r² / I))
 *
 * whatever the step, the way to solve, and whether both, one or none of the elastic and the inelastic impact slide that are
 * mixed. */
static void friction_of_a_bounce(void **unused)
{
    (void)unused;
    const double e = 0.5, speed_t[] = {0.2, 1, 1.6, 2.1, 2.6, 3.4, 6}, mu = 0.2, down = 2.3;
    for (size_t i = 0; i < COUNT(mode_of) * COUNT(speed_t) * COUNT(step_of) * 2; i++) {
        const int space = i & 1;
        const size_t step = i / 2 % COUNT(step_of), mode = i / 2 / COUNT(step_of) % COUNT(mode_of);
        const double vt = speed_t[i / 2 / COUNT(step_of) / COUNT(mode_of)], ratio = space ? 0.4 : 0.5;
        ts_test_world w = {0};
        char text[1024], h[32] = "";
        const char *zero = space ? "0, " : "";
        double v[6];
        if (step_of[step] > 0)
            snprintf(h, sizeof h, "\"time_step\": %g, ", step_of[step]);
        snprintf(text, sizeof text,
                 "{\"touchstone\": 1, %s%s\"duration\": 100, \"gravity\": [0, %s0], \"dynamics\": {\"kind\": "
                 "\"impact\", \"restitution\": %g, \"friction\": %g%s}, \"shapes\": {\"it\": %s}, \"walls\": [%s], "
                 "\"bodies\": [{\"shape\": \"it\", \"position\": [0, %s0.43], \"velocity\": [%g, %s%g]}]}",
                 space ? "\"space\": \"space\", " : "", h, zero, e, mu, mode_of[mode],
                 space ? space_shape[0] : plane_shape[0], space ? space_wall[0] : plane_wall[0], zero, vt, zero, -down);
        load(&w, text);
        do {
            ts_test_step(&w, 1);
            OK(ts_state_velocity(w.state, 0, v, ERROR));
        } while (v[1 + space] < 0);
        const double most = mu * (1 + e) * down, stop = vt / (1 + 1 / ratio), change = fmin(most, stop);
        NEAR(v[1 + space], e * down, error_of[mode]);
        NEAR(v[0], vt - change, error_of[mode]);
        NEAR(space ? v[4] : -v[2], change / (ratio * 0.1), error_of[mode] / 0.1);
        ts_test_close(&w);
    }
}

/* A ball falls onto a slab that lies on the floor: what lies there stays, energy goes where the budget says. */
static void what_lies_is_not_moved(void **unused)
{
    (void)unused;
    for (size_t i = 1; i < COUNT(step_of); i++) {
        ts_test_world w = {0};
        char text[1024];
        ts_measures first, last;
        snprintf(text, sizeof text,
                 "{\"touchstone\": 1, \"time_step\": %g, \"duration\": 100, \"dynamics\": {\"kind\": \"impact\", "
                 "\"restitution\": 0.5, \"friction\": 0.5}, \"shapes\": {\"ball\": {\"kind\": \"disc\", \"radius\": "
                 "0.05}, \"slab\": {\"kind\": \"box\", \"width\": 2, \"height\": 0.2}}, \"walls\": [%s], \"bodies\": "
                 "[{\"shape\": \"slab\", \"position\": [0, 0.1]}, {\"shape\": \"ball\", \"position\": [0, 0.75]}]}",
                 step_of[i], plane_wall[0]);
        load(&w, text);
        OK(ts_measure(w.model, w.state, w.work, &first, ERROR));
        double lowest = 1, highest = 0;
        while (ts_state_time(w.state) < 1.5) {
            ts_test_step(&w, 1);
            lowest = fmin(lowest, w.state->body[0].y);
            highest = fmax(highest, w.state->body[0].y);
            assert_true(w.state->body[1].y > 0.25 - 1e-3);
        }
        assert_true(lowest > 0.1 - 1e-3);
        assert_true(highest < 0.1 + 0.02); /* it is struck at 3 m/s by 2% of its mass: less than a step's way */
        OK(ts_measure(w.model, w.state, w.work, &last, ERROR));
        NEAR(last.kinetic + last.rotational + last.gravitational + last.lost_normal + last.lost_friction - last.work,
             first.gravitational, 1e-10 * fabs(first.gravitational));
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_leap_to_e_squared),
        cmocka_unit_test(discs_meet_on_time),
        cmocka_unit_test(friction_of_a_bounce),
        cmocka_unit_test(what_lies_is_not_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
