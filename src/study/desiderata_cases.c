/* SPDX-License-Identifier: MIT */
/* The configurations that operators are measured on: model problems, and crowds of random masses and velocities,
 * mirrored and not. */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "study/desiderata.h"

#define MIRRORED 24 /* crowds */
#define RANDOM   24

static const int cradle_balls[] = {2, 3, 4, 5, 7, 10, 20, 50, 100};
static const int rack_rows[] = {2, 3, 5, 10};
enum {
    cradles = sizeof cradle_balls / sizeof *cradle_balls,
    racks = sizeof rack_rows / sizeof *rack_rows,
    boxes = 2,
};

/* A box that lands with two corners on a wall x = 0 (or a plank that floats there), in free flight towards -x. */
static ts_status box_on_corners(ts_desire_case *to, bool plank, ts_error *error)
{
    const double width = 1, height = 2;
    ts_crowd_body box = {.x = 0.5 * width, .v = {-1, 0, 0}, .mass = 2};
    box.inertia = box.mass * (width * width + height * height) / 12;
    ts_crowd *crowd = &to->crowd;
    int32_t floor = -1, landing = 0;
    if (plank) {
        ts_crowd_body body = {.x = -0.5, .mass = 5};
        body.inertia = body.mass * (1 + 6 * 6) / 12;
        TS_TRY(ts_crowd_body_add(crowd, &body, error));
        floor = 0;
        landing = 1;
    }
    TS_TRY(ts_crowd_body_add(crowd, &box, error));
    for (int side = -1; side <= 1; side += 2)
        TS_TRY(ts_crowd_press(crowd, &(ts_crowd_contact){floor, landing, 1, 0, 0, 0.5 * side * height}, error));
    ts_crowd_find_twins(crowd);
    to->symmetric = true;
    to->closed = plank;
    snprintf(to->name, sizeof to->name, "box on two corners of a %s", plank ? "plank" : "wall");
    return TS_OK;
}

static ts_crowd_body random_ball(ts_random *r, double x, double y)
{
    ts_crowd_body body = {.x = x, .y = y, .twin = -1};
    body.v[0] = ts_random_next_range(r, -1, 1);
    body.v[1] = ts_random_next_range(r, -1, 1);
    body.mass = ts_random_next_range(r, 0.2, 3);
    body.inertia = 0.125 * body.mass;
    return body;
}

/* Balls on a jittered lattice, each with its image; those of the lowest row stand on the axis, and are their own. */
static ts_status mirrored_crowd(ts_desire_case *to, uint64_t seed, ts_error *error)
{
    ts_random r = ts_random_make(seed, 17);
    int columns = 2 + (int)(seed % 4), rows = 2 + (int)(seed / 4 % 3);
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            double x = i + 0.5 * (j % 2) + ts_random_next_range(&r, -0.1, 0.1),
                   y = j == 0 ? 0 : 0.87 * j + ts_random_next_range(&r, -0.1, 0.1);
            ts_crowd_body body = random_ball(&r, x, y);
            body.v[1] = j == 0 ? 0 : body.v[1];
            TS_TRY(ts_crowd_body_add(&to->crowd, &body, error));
            if (j == 0)
                continue;
            body.y = -body.y;
            body.v[1] = -body.v[1];
            TS_TRY(ts_crowd_body_add(&to->crowd, &body, error));
        }
    ts_crowd_find_twins(&to->crowd);
    to->symmetric = to->closed = true;
    snprintf(to->name, sizeof to->name, "mirrored crowd %d", (int)seed);
    return ts_crowd_touch_all(&to->crowd, 1.3, error);
}

static ts_status random_crowd(ts_desire_case *to, uint64_t seed, ts_error *error)
{
    ts_random r = ts_random_make(seed, 18);
    int side = 2 + (int)(seed % 5);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            double x = i + 0.5 * (j % 2) + ts_random_next_range(&r, -0.1, 0.1),
                   y = 0.87 * j + ts_random_next_range(&r, -0.1, 0.1);
            ts_crowd_body body = random_ball(&r, x, y);
            TS_TRY(ts_crowd_body_add(&to->crowd, &body, error));
        }
    to->closed = true;
    snprintf(to->name, sizeof to->name, "random crowd %d", (int)seed);
    return ts_crowd_touch_all(&to->crowd, 1.3, error);
}

size_t ts_desire_case_count(void)
{
    return 1 + boxes + cradles + racks + MIRRORED + RANDOM;
}

ts_status ts_desire_case_build(size_t index, ts_desire_case *to, ts_error *error)
{
    *to = (ts_desire_case){0};
    if (index == 0) {
        to->symmetric = to->closed = true;
        snprintf(to->name, sizeof to->name, "one ball against two");
        return ts_crowd_bernoulli(&to->crowd, error);
    }
    index -= 1;
    if (index < boxes)
        return box_on_corners(to, index == 1, error);
    index -= boxes;
    if (index < cradles) {
        to->symmetric = to->closed = to->cradle = true;
        snprintf(to->name, sizeof to->name, "cradle of %d", cradle_balls[index]);
        return ts_crowd_cradle(&to->crowd, cradle_balls[index], error);
    }
    index -= cradles;
    if (index < racks) {
        to->symmetric = to->closed = true;
        snprintf(to->name, sizeof to->name, "rack of %d rows", rack_rows[index]);
        return ts_crowd_rack(&to->crowd, rack_rows[index], error);
    }
    index -= racks;
    if (index < MIRRORED)
        return mirrored_crowd(to, index, error);
    return random_crowd(to, index - MIRRORED, error);
}
