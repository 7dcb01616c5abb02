/* SPDX-License-Identifier: MIT */
/* Soft-step where contacts move: rims that roll, and tables that are driven, against closed forms. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "base/vec.h"
#include "model.h"
#include "state.h"
#include "support/world.h"

#define G      9.81
#define PLANE  "\"walls\": [{\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}]"
#define RADIUS 0.05

static void open_scene(ts_test_world *w, double friction, double step, const char *rest)
{
    char text[4000], time_step[40] = "";
    *w = (ts_test_world){0};
    if (step > 0)
        snprintf(time_step, sizeof time_step, "\"time_step\": %.17g,", step);
    snprintf(text, sizeof text,
             "{\"touchstone\": 1, \"duration\": 100, %s \"dynamics\": {\"kind\": \"soft-step\", \"friction\": %.17g, "
             "\"restitution\": 0}, %s}",
             time_step, friction, rest);
    OK(ts_scene_parse(text, strlen(text), "soft", NULL, &w->scene, ERROR));
    ts_test_start(w, 1);
}

static double time_of(const ts_test_world *w)
{
    return (double)w->state->step * w->model->settings.time_step;
}

/* ---- Rims ---- */

static ts_vec3 axis_of(const ts_body3 *b)
{
    const double *q = b->attitude;
    return ts_quat_apply((ts_quat){q[0], q[1], q[2], q[3]}, (ts_vec3){0, 0, 1});
}

/* Kinetic and potential, over m g r. */
static double energy_of(const ts_test_world *w)
{
    const ts_body3 *b = &w->state->body3[0];
    const ts_vec3 v = {b->velocity[0], b->velocity[1], b->velocity[2]},
                  l = {b->angular_momentum[0], b->angular_momentum[1], b->angular_momentum[2]};
    const ts_quat q = {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]};
    const double mass = w->model->mass[0];
    return (0.5 * mass * ts_vec3_dot(v, v) + ts_inertia_energy(&w->model->inertia[0], q, l) +
            mass * G * b->position[2]) /
           (mass * G * RADIUS);
}

/* A cylinder that stands on its rim at a tilt θ and rolls around with its centre at rest (Euler's disc is the flat one):
 *
 *     Ω² sin θ (A cos θ - C h sin θ / r) = m g (r cos θ - h sin θ)       h: half of its length; ω₃ = Ω h sin θ / r
 */
static void precess(double half, double tilt, double step, double rate_error, double tilt_error)
{
    const double r = RADIUS, s = sin(tilt), c = cos(tilt), axial = r * r / 2,
                 across = (3 * r * r + 4 * half * half) / 12,
                 rate = sqrt(G * (r * c - half * s) / (s * (across * c - axial * half * s / r))),
                 w3 = rate * half * s / r;
    char rest[1000];
    ts_test_world w;
    /* e₃ = (s, 0, c), e₁ = (-c, 0, s), ω = Ω s e₁ + ω₃ e₃ */
    snprintf(rest, sizeof rest,
             "\"space\": \"space\", \"shapes\": {\"c\": {\"kind\": \"cylinder\", \"radius\": %.17g, \"length\": "
             "%.17g}}, " PLANE
             ", \"bodies\": [{\"shape\": \"c\", \"position\": [0, 0, %.17g], \"attitude\": {\"axis\": [0, 1, 0], "
             "\"angle\": %.17g}, \"spin\": [%.17g, 0, %.17g]}]",
             r, 2 * half, half * c + r * s, tilt, -rate * s * c + w3 * s, rate * s * s + w3 * c);
    open_scene(&w, 0.8, step, rest);
    const double begin = energy_of(&w);
    double turned = 0, last = 0;
    while (time_of(&w) < 1) {
        ts_test_step(&w, 1);
        const ts_vec3 e = axis_of(&w.state->body3[0]);
        const double at = atan2(e.y, e.x), more = remainder(at - last, 2 * TS_PI);
        turned += more < -1 ? more + 2 * TS_PI : more;
        last = at;
        NEAR(acos(fmin(e.z, 1)), tilt, tilt_error);
    }
    NEAR(turned / (rate * time_of(&w)), 1, rate_error);
    NEAR(energy_of(&w), begin, 1e-3);
    ts_test_close(&w);
}

static void rims_roll_around(void **state)
{
    (void)state;
    precess(0.005, TS_PI / 4, 5e-4, 0.02, 0.01);
    precess(0.005, TS_PI / 9, 5e-4, 0.02, 0.01);
    precess(0.1, TS_PI / 18, 5e-4, 0.02, 0.01);
}

/* A cylinder let go at 3°, with a spin across or without: what it does later it does at less than its first energy. */
static void wobbling_ends(void **state)
{
    (void)state;
    for (int spins = 0; spins < 2; spins++) {
        char rest[800];
        ts_test_world w;
        const double tilt = 3 * TS_PI / 180;
        snprintf(rest, sizeof rest,
                 "\"space\": \"space\", \"shapes\": {\"c\": {\"kind\": \"cylinder\", \"radius\": 0.05, \"length\": "
                 "0.2}}, " PLANE
                 ", \"bodies\": [{\"shape\": \"c\", \"position\": [0, 0, %.17g], \"attitude\": {\"axis\": "
                 "[0, 1, 0], \"angle\": %.17g}, \"spin\": [%g, 0, 0]}]",
                 0.1 * cos(tilt) + RADIUS * sin(tilt), tilt, 0.3 * spins);
        open_scene(&w, 0.8, 0, rest);
        const double begin = energy_of(&w);
        while (time_of(&w) < 6) {
            ts_test_step(&w, 1);
            if (!(energy_of(&w) < begin + 0.002))
                fail_msg("%g m g r more at t = %g s", energy_of(&w) - begin, time_of(&w));
        }
        ts_test_close(&w);
    }
}

/* ---- Tables ---- */

/* How far a box slides on a table that swings by A sin ωt, to and fro, once it is in step: by Coulomb's law, in small
 * steps. */
static double slides(double friction, double amplitude, double omega, double end)
{
    const double h = 1e-6;
    double x = 0, v = amplitude * omega, low = 0, high = 0;
    for (long i = 0; (double)i * h < end; i++) {
        const double t = (double)(i + 1) * h, change = amplitude * omega * cos(omega * t) - v, most = friction * G * h;
        v += fmax(-most, fmin(change, most));
        x += v * h;
        const double slip = x - amplitude * sin(omega * t);
        if (t < end / 2)
            low = high = slip;
        low = fmin(low, slip);
        high = fmax(high, slip);
    }
    return high - low;
}

/* `solid`: the table is a fixed body, not a wall. */
static void shake(bool space, bool solid, double share)
{
    const double friction = 0.4, omega = 4 * TS_PI, amplitude = share * friction * G / (omega * omega), end = 2;
    const char
        *flat = "\"walls\": [{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1], "
                "\"name\": \"table\"}], \"bodies\": [",
        *flat3 = "\"walls\": [{\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1], "
                 "\"name\": \"table\"}], \"bodies\": [",
        *body = "\"bodies\": [{\"shape\": \"t\", \"position\": [0, -0.1], \"fixed\": true, \"name\": \"table\"}, ",
        *body3 = "\"bodies\": [{\"shape\": \"t\", \"position\": [0, 0, -0.1], \"fixed\": true, \"name\": \"table\"}, ";
    char rest[1500];
    ts_test_world w;
    snprintf(
        rest, sizeof rest,
        "%s, %s{\"shape\": \"b\", \"position\": [0, %s0.05], \"velocity\": [%.17g, 0%s]}], \"drives\": [{\"kind\": "
        "\"oscillation\", \"target\": \"table\", \"frequency\": 2, \"amplitude\": [%.17g, 0%s]}]",
        space ? "\"space\": \"space\", \"shapes\": {\"b\": {\"kind\": \"box\", \"size\": [0.3, 0.3, 0.1]}, \"t\": "
                "{\"kind\": \"box\", \"size\": [2, 2, 0.2]}}"
              : "\"shapes\": {\"b\": {\"kind\": \"box\", \"width\": 0.3, \"height\": 0.1}, \"t\": {\"kind\": "
                "\"box\", \"width\": 2, \"height\": 0.2}}",
        solid ? (space ? body3 : body) : (space ? flat3 : flat), space ? "0, " : "", amplitude * omega,
        space ? ", 0" : "", amplitude, space ? ", 0" : "");
    open_scene(&w, friction, 0, rest);
    double low = 0, high = 0;
    while (time_of(&w) < end) {
        ts_test_step(&w, 1);
        const double x = space ? w.state->body3[solid].position[0] : w.state->body[solid].x,
                     slip = x - amplitude * sin(omega * time_of(&w));
        if (time_of(&w) < end / 2)
            low = high = slip;
        low = fmin(low, slip);
        high = fmax(high, slip);
    }
    if (share < 1)
        NEAR(high - low, 0, 2e-5);
    else
        NEAR(high - low, slides(friction, amplitude, omega, end), 1e-4);
    ts_test_close(&w);
}

static void tables_carry(void **state)
{
    (void)state;
    static const double share[] = {0.3, 0.95, 1.5};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            shake(k / 2, k % 2, share[i]);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(rims_roll_around),
        cmocka_unit_test(wobbling_ends),
        cmocka_unit_test(tables_carry),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
