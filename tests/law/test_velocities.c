/* SPDX-License-Identifier: MIT */
/* What impact tells of velocities is at the time of the poses that it tells: of what lies, slides, rolls, lands or rides
 * on a wall that moves, by closed forms, in every step, in the plane and in space; and energy is that of these
 * velocities. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "support/world.h"
#include "workspace.h"

#define G           9.81
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const double step_of[] = {0.01, 0.0025};
static const char *const mode_of[] = {"", ", \"sweeps\": 100"};
static const double error_of[] = {1e-9, 2e-3}; /* of g h: sweeps end at 1e-4 of the fastest rate */

typedef struct trial {
    int dimension;
    const char *shape, *wall, *dynamics, *drive;
    double step;
    double at[2]; /* along x and up */
} trial;

static void open_trial(ts_test_world *w, const trial *t, const char *mode)
{
    char text[2048];
    const char *zero = t->dimension == 3 ? "0, " : "";
    snprintf(text, sizeof text,
             "{\"touchstone\": 1, %s\"time_step\": %g, \"duration\": 100, \"dynamics\": {\"kind\": \"impact\", %s%s}, "
             "\"shapes\": {\"it\": %s}, \"walls\": [%s], \"drives\": [%s], \"bodies\": [{\"shape\": \"it\", "
             "\"position\": [%.17g, "
             "%s%.17g]}]}",
             t->dimension == 3 ? "\"space\": \"space\", " : "", t->step, t->dynamics, mode, t->shape, t->wall,
             t->drive ? t->drive : "", t->at[0], zero, t->at[1]);
    OK(ts_scene_parse(text, strlen(text), "velocities", NULL, &w->scene, ERROR));
    ts_test_start(w, 1);
}

/* Velocities along x and up, and the spin that rolls towards +x. */
static void motion_of(const ts_test_world *w, int dimension, double v[3])
{
    double velocity[6];
    OK(ts_state_velocity(w->state, 0, velocity, ERROR));
    v[0] = velocity[0];
    v[1] = velocity[dimension - 1];
    v[2] = dimension == 3 ? velocity[4] : -velocity[2];
}

static double energy_of(const ts_test_world *w)
{
    ts_measures m;
    OK(ts_measure(w->model, w->state, w->work, &m, ERROR));
    return m.kinetic + m.rotational + m.gravitational + m.lost_normal + m.lost_friction - m.work;
}

static const char *const box[] = {"{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}",
                                  "{\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}"};
static const char *const ball[] = {"{\"kind\": \"disc\", \"radius\": 0.1}", "{\"kind\": \"sphere\", \"radius\": 0.1}"};
static const char *const level[] = {"{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}",
                                    "{\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}"};

/* A box and a ball that lie on the floor: at rest in every step, the first one included; dropped without restitution:
 * at rest in the step in which it lands, and afterwards. */
static void what_lies_is_at_rest(void **unused)
{
    (void)unused;
    for (int i = 0; i < 32; i++) {
        const int space = i & 1, mode = i >> 1 & 1, step = i >> 2 & 1, falls = i >> 3 & 1;
        ts_test_world w = {0};
        const trial t = {.dimension = 2 + space,
                         .shape = (i >> 4 & 1 ? box : ball)[space],
                         .wall = level[space],
                         .dynamics = "\"friction\": 0.5, \"restitution\": 0",
                         .step = step_of[step],
                         .at = {0, 0.1 + 0.21 * falls}};
        open_trial(&w, &t, mode_of[mode]);
        const double least = error_of[mode] * G * t.step, land = sqrt(2 * 0.21 / G), had = energy_of(&w);
        for (int k = 0; k < 100; k++) {
            double v[3];
            ts_test_step(&w, 1);
            motion_of(&w, t.dimension, v);
            const double now = ts_state_time(w.state);
            if (falls && now < land)
                NEAR(v[1], -G * now, 1e-12);
            else if (!falls || now >= land + t.step) /* it may come as far as it touches at the end of a step */
                NEAR(v[1], 0, least);
            NEAR(v[0], 0, least);
            NEAR(energy_of(&w), had, 1e-11 * fabs(had));
        }
        ts_test_close(&w);
    }
}

/* On a slope along x by an angle of 0.4: gravity leans, the floor is level. */
static void open_slope(ts_test_world *w, const trial *t, const char *mode)
{
    char wall[512];
    const double c = cos(0.4), s = sin(0.4);
    const char *zero = t->dimension == 3 ? "0, " : "";
    trial leaning = *t;
    snprintf(wall, sizeof wall, "{\"kind\": \"%s\", \"position\": [0, %s0], \"normal\": [%.17g, %s%.17g]}",
             t->dimension == 3 ? "plane" : "half-plane", zero, s, zero, c);
    leaning.wall = wall;
    leaning.at[0] = 0.1 * s;
    leaning.at[1] = 0.1 * c;
    open_trial(w, &leaning, mode);
}

/* A ball that rolls down, and one that slides since friction is small: after a few steps, which it takes to touch to the
 * last digit, velocity and spin grow by what they should in every step, and fit each other. */
static void what_rolls_and_slides(void **unused)
{
    (void)unused;
    for (int i = 0; i < 8; i++) {
        const int space = i & 1, step = i >> 1 & 1, slides = i >> 2 & 1;
        const double inertia = space ? 0.4 : 0.5, c = cos(0.4), s = sin(0.4), mu = slides ? 0.05 : 0.9,
                     down = slides ? G * (s - mu * c) : G * s / (1 + inertia),
                     turn = slides ? mu * G * c / inertia / 0.1 : down / 0.1;
        char dynamics[64];
        snprintf(dynamics, sizeof dynamics, "\"friction\": %g, \"restitution\": 0", mu);
        ts_test_world w = {0};
        const trial t = {.dimension = 2 + space, .shape = ball[space], .dynamics = dynamics, .step = step_of[step]};
        open_slope(&w, &t, mode_of[0]);
        for (int k = 1; k <= 60; k++) {
            double v[3];
            ts_test_step(&w, 1);
            motion_of(&w, t.dimension, v);
            NEAR(v[0] * s + v[1] * c, 0, 1e-9);
            NEAR(v[0] * c - v[1] * s, down * k * t.step, 1e-9);
            NEAR(v[2], turn * k * t.step, 1e-8);
        }
        ts_test_close(&w);
    }
}

/* A lift goes up at 0.7 m/s, and what stands in it does. */
static void what_rides_goes_along(void **unused)
{
    (void)unused;
    const char *const lift[] = {
        "{\"kind\": \"half-plane\", \"name\": \"lift\", \"position\": [0, 0], \"normal\": [0, 1]}",
        "{\"kind\": \"plane\", \"name\": \"lift\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}"};
    const char *const drive[] = {"{\"target\": \"lift\", \"kind\": \"velocity\", \"velocity\": [0, 0.7]}",
                                 "{\"target\": \"lift\", \"kind\": \"velocity\", \"velocity\": [0, 0, 0.7]}"};
    for (int i = 0; i < 4; i++) {
        const int space = i & 1, step = i >> 1 & 1;
        ts_test_world w = {0};
        const trial t = {.dimension = 2 + space,
                         .shape = box[space],
                         .wall = lift[space],
                         .drive = drive[space],
                         .dynamics = "\"friction\": 0.5, \"restitution\": 0",
                         .step = step_of[step],
                         .at = {0, 0.1}};
        open_trial(&w, &t, "");
        for (int k = 0; k < 50; k++) {
            double v[3];
            ts_test_step(&w, 1);
            motion_of(&w, t.dimension, v);
            NEAR(v[1], 0.7, 1e-9);
        }
        ts_test_close(&w);
    }
}

/* A velocity that a user sets is what the next step begins with, also of a body at rest. */
static void what_a_user_sets_counts(void **unused)
{
    (void)unused;
    for (int space = 0; space < 2; space++) {
        ts_test_world w = {0};
        double up[6] = {0}, v[3];
        up[1 + space] = 1;
        const trial t = {.dimension = 2 + space,
                         .shape = ball[space],
                         .wall = level[space],
                         .dynamics = "\"friction\": 0.5, \"restitution\": 0",
                         .step = 0.01,
                         .at = {0, 0.1}};
        open_trial(&w, &t, "");
        ts_test_step(&w, 10);
        OK(ts_state_set_velocity(w.state, 0, up, ERROR));
        ts_test_step(&w, 1);
        motion_of(&w, t.dimension, v);
        NEAR(v[1], 1 - G * 0.01, 1e-12);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_is_at_rest),
        cmocka_unit_test(what_rolls_and_slides),
        cmocka_unit_test(what_rides_goes_along),
        cmocka_unit_test(what_a_user_sets_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
