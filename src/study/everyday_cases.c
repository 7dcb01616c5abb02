/* SPDX-License-Identifier: MIT */
#include "study/everyday_cases.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

#define G    9.81
#define SIZE 0.2 /* of bodies [m] */

/* ---- Edits ---- */

static void edit(ts_everyday_change *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void edit(ts_everyday_change *c, const char *format, ...)
{
    int i = 0;
    while (c->edit[i][0])
        i++;
    va_list list;
    va_start(list, format);
    vsnprintf(c->edit[i], sizeof c->edit[i], format, list);
    va_end(list);
}

/* A vector of the plane, or of space, where what is y is z. */
static void edit_vector(ts_everyday_change *c, const char *path, double x, double y)
{
    if (c->space)
        edit(c, "%s=[%.17g, 0, %.17g]", path, x, y);
    else
        edit(c, "%s=[%.17g, %.17g]", path, x, y);
}

static void set(ts_everyday_change *c, const char *path, double value)
{
    edit(c, "%s=%.17g", path, value);
}

/* Lets gravity lean as it does on a slope, and a box begin at rest. */
static void lean(ts_everyday_change *c, double angle, double friction, double duration)
{
    edit_vector(c, "gravity", G * sin(angle), -G * cos(angle));
    edit_vector(c, "bodies[0].velocity", 0, 0);
    set(c, "dynamics.friction", friction);
    set(c, "duration", duration);
}

/* ---- Falls and speeds ---- */

void ts_everyday_fall(int number, uint64_t seed, ts_everyday_change *c, char name[96], double at[2])
{
    static const double sizes[] = {0.2, 1, 5, 20, 100};
    const double height = sizes[number] * SIZE;
    (void)seed, (void)at;
    edit_vector(c, "bodies[0].position", 0, height + SIZE / 2);
    set(c, "duration", 2.5 * sqrt(2 * height / G));
    snprintf(name, 96, "from %g sizes", sizes[number]);
}

void ts_everyday_shove(int number, uint64_t seed, ts_everyday_change *c, char name[96], double at[2])
{
    static const double speeds[] = {0.1, 0.5, 2, 5, 10};
    const double speed = speeds[number] * sqrt(G * SIZE), friction = 0.4;
    (void)seed;
    edit_vector(c, "bodies[0].velocity", speed, 0);
    set(c, "duration", 1.3 * speed / (friction * G) + 0.2);
    at[0] = at[1] = speed * speed / (2 * friction * G);
    snprintf(name, 96, "at %g √(g · size)", speeds[number]);
}

/* ---- Slopes ---- */

static const double degrees[] = {5, 15, 25, 35, 42};

void ts_everyday_stick(int number, uint64_t seed, ts_everyday_change *c, char name[96], double at[2])
{
    const double angle = degrees[number] * TS_PI / 180;
    (void)seed, (void)at;
    lean(c, angle, 1.1 * tan(angle), 5);
    snprintf(name, 96, "%g°", degrees[number]);
}

void ts_everyday_slip(int number, uint64_t seed, ts_everyday_change *c, char name[96], double at[2])
{
    const double angle = degrees[number] * TS_PI / 180, duration = 1.5;
    (void)seed;
    lean(c, angle, 0.9 * tan(angle), duration);
    at[0] = at[1] = 0.5 * G * 0.1 * sin(angle) * duration * duration;
    snprintf(name, 96, "%g°", degrees[number]);
}

static const double aspects[] = {0.2, 1.0 / 3, 0.5, 2.0 / 3, 0.9};
#define HEIGHT 0.3 /* of these boxes [m] */

/* A box of another width over height, that does not slide, on a share of the slope at which it tips. */
static void lean_box(int number, double share, double duration, ts_everyday_change *c, char name[96])
{
    const double width = aspects[number] * HEIGHT;
    if (c->space)
        edit(c, "shapes.box={\"kind\": \"box\", \"size\": [%.17g, %.17g, %.17g]}", width, width, HEIGHT);
    else
        edit(c, "shapes.box={\"kind\": \"box\", \"width\": %.17g, \"height\": %.17g}", width, HEIGHT);
    edit_vector(c, "bodies[0].position", 0, HEIGHT / 2);
    lean(c, share * atan(aspects[number]), 2, duration);
    snprintf(name, 96, "width over height %.3g", aspects[number]);
}

void ts_everyday_stand(int number, uint64_t seed, ts_everyday_change *c, char name[96], double at[2])
{
    (void)seed, (void)at;
    lean_box(number, 0.9, 3, c, name);
}

/* It turns about its edge as a pendulum that stands on its head: with the diagonal d and the angle φ of its centre
 * beyond the vertical, φ″ = (3 g / 2 d) sin φ, since the moment of inertia about the edge is m d²/3. */
void ts_everyday_tip(int number, uint64_t seed, ts_everyday_change *c, char name[96], double at[2])
{
    const double share = 1.1, turn = 0.5, h = 1e-5, diagonal = HEIGHT * hypot(1, aspects[number]);
    const double begin = (share - 1) * atan(aspects[number]);
    double time = 0, rate = 0, angle = begin;
    (void)seed;
    while (angle < begin + turn) {
        rate += h * 1.5 * G / diagonal * sin(angle + 0.5 * h * rate);
        angle += h * rate;
        time += h;
    }
    lean_box(number, share, time, c, name);
    at[0] = at[1] = turn;
}

/* ---- Numbers and places ---- */

void ts_everyday_stack(int number, uint64_t seed, ts_everyday_change *c, char name[96], double at[2])
{
    static const int counts[] = {2, 5, 8, 15};
    char list[1100];
    int used = 0;
    (void)seed, (void)at;
    for (int i = 0; i < counts[number]; i++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s{\"shape\": \"box\", \"position\": [0, %s%g]}",
                         i ? ", " : "", c->space ? "0, " : "", (i + 0.5) * SIZE);
    edit(c, "bodies=[%s]", list);
    set(c, "duration", 8);
    snprintf(name, 96, "%d", counts[number]);
}

static void edit_attitude(ts_everyday_change *c, ts_random *random)
{
    const double w = ts_random_next_normal(random), x = ts_random_next_normal(random),
                 y = ts_random_next_normal(random), z = ts_random_next_normal(random);
    if (c->space)
        edit(c, "bodies[0].attitude=[%.17g, %.17g, %.17g, %.17g]", w, x, y, z);
    else
        set(c, "bodies[0].angle", 2 * atan2(z, w));
}

/* It comes to lie on a face. */
void ts_everyday_drop(int number, uint64_t seed, ts_everyday_change *c, char name[96], double at[2])
{
    ts_random random = ts_random_make(seed, 100 + (uint64_t)number);
    const double height = ts_random_next_range(&random, 0.3, 1.5);
    edit_vector(c, "bodies[0].position", 0, height);
    edit_vector(c, "bodies[0].velocity", ts_random_next_range(&random, -1, 1), 0);
    edit_attitude(c, &random);
    set(c, "duration", 5);
    at[0] = height - SIZE / 2 - 1e-3;
    at[1] = height - SIZE / 2 + 1e-3;
    snprintf(name, 96, "start %d", number + 1);
}

typedef struct named {
    const char *name, *json;
} named;

#define BAR(x, z, length, height) \
    "{\"kind\": \"box\", \"size\": [" length ", 0.002, " height "], \"position\": [" x ", 0, " z "]}"

/* Bodies of 2 cm, the third and the fourth 2 mm thin. */
static const named grains[2][4] = {
    {{"a disc", "{\"kind\": \"disc\", \"radius\": 0.01}"},
     {"a box", "{\"kind\": \"box\", \"width\": 0.02, \"height\": 0.02}"},
     {"a card", "{\"kind\": \"box\", \"width\": 0.02, \"height\": 0.002}"},
     {"a #", "{\"kind\": \"polygon\", \"points\": [[-0.005, -0.01], [-0.003, -0.01], [-0.003, -0.005], [0.003, -0.005],"
             " [0.003, -0.01], [0.005, -0.01], [0.005, -0.005], [0.01, -0.005], [0.01, -0.003], [0.005, -0.003],"
             " [0.005, 0.003], [0.01, 0.003], [0.01, 0.005], [0.005, 0.005], [0.005, 0.01], [0.003, 0.01],"
             " [0.003, 0.005], [-0.003, 0.005], [-0.003, 0.01], [-0.005, 0.01], [-0.005, 0.005], [-0.01, 0.005],"
             " [-0.01, 0.003], [-0.005, 0.003], [-0.005, -0.003], [-0.01, -0.003], [-0.01, -0.005], [-0.005, -0.005]],"
             " \"holes\": [[[-0.003, -0.003], [-0.003, 0.003], [0.003, 0.003], [0.003, -0.003]]]}"}},
    {{"a ball", "{\"kind\": \"sphere\", \"radius\": 0.01}"},
     {"a box", "{\"kind\": \"box\", \"size\": [0.02, 0.02, 0.02]}"},
     {"a card", "{\"kind\": \"box\", \"size\": [0.02, 0.02, 0.002]}"},
     {"a #", "{\"kind\": \"compound\", \"pieces\": [" BAR("0", "0.004", "0.02", "0.002") ", " BAR(
                 "0", "-0.004", "0.02", "0.002") ", " BAR("0.004", "0", "0.002",
                                                          "0.02") ", " BAR("-0.004", "0", "0.002", "0.02") "]}"}},
};

#define SHEET "{\"kind\": \"box\", \"width\": 6, \"height\": 0.002}"
#define PLATE "{\"kind\": \"box\", \"size\": [6, 6, 0.002]}"
#define MESH  "{\"kind\": \"mesh\", \"made\": {\"kind\": \"box\", \"size\": [6, 6, 0.002], \"detail\": 1}}"
#define SOLID "{\"kind\": \"solid\", \"shape\": \"sheet\", \"position\": [0, 0, -0.001]}"

/* A line, or sheets of 2 mm. */
static const struct {
    const char *name, *shape, *wall; /* wall NULL: a body */
} sheets[2][3] = {
    {{"a polyline", SHEET, "{\"kind\": \"polyline\", \"points\": [[-3, 0], [3, 0]]}"},
     {"an outline", SHEET, "{\"kind\": \"outline\", \"shape\": \"sheet\", \"position\": [0, -0.001]}"},
     {"a fixed body", SHEET, NULL}},
    {{"a solid", PLATE, SOLID}, {"a mesh", MESH, SOLID}, {"a fixed body", PLATE, NULL}},
};

void ts_everyday_fast(int number, uint64_t seed, ts_everyday_change *c, char name[96], double at[2])
{
    static const double speeds[] = {10, 100, 1000};
    const int grain = number % 4, sheet = number / 4 % 3;
    const double relative = speeds[number / 12], speed = relative * sqrt(G * 0.02);
    ts_random random = ts_random_make(seed, 200 + (uint64_t)number);
    (void)at;
    edit(c, "shapes.grain=%s", grains[c->space][grain].json);
    edit(c, "shapes.sheet=%s", sheets[c->space][sheet].shape);
    edit_vector(c, "bodies[0].velocity", 0, -speed);
    edit_attitude(c, &random);
    set(c, "duration", 2 / speed);
    if (sheets[c->space][sheet].wall)
        edit(c, "walls=[%s]", sheets[c->space][sheet].wall);
    else
        edit(c, "bodies[1]={\"shape\": \"sheet\", \"fixed\": true, \"position\": [0, %s-0.001]}",
             c->space ? "0, " : "");
    snprintf(name, 96, "%s on %s at %g √(g · size)", grains[c->space][grain].name, sheets[c->space][sheet].name,
             relative);
}
