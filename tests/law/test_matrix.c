/* SPDX-License-Identifier: MIT */
/* What should come to rest does: a box of 20 cm, dropped from 1.5 cm, tilted by 0.05 rad, without restitution and with
 * a friction of 0.9, on every kind of wall, level and at 30°, under every dynamics, in the plane and in space. After 3
 * s it has slid by less than 4 cm and turns by less than 0.01 rad/s.
 *
 * With MATRIX in the environment the whole table is printed (scripts/matrix). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "support/world.h"
#include "workspace.h"

#define SIZE    0.2
#define DROP    0.015
#define TILT    0.05
#define BOWL    5.0 /* radius of the container */
#define SECONDS 3.0

static const char *const shape_name[] = {"box", "polygon", "rounded", "cluster"};
static const char *const shape_json[] = {
    "{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}",
    "{\"kind\": \"polygon\", \"points\": [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}",
    "{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2, \"corner\": 0.02}",
    "{\"kind\": \"cluster\", \"discs\": ["
    "{\"at\": [-0.075, -0.075], \"radius\": 0.025}, {\"at\": [-0.075, -0.025], \"radius\": 0.025}, {\"at\": [-0.075, "
    "0.025], \"radius\": 0.025}, {\"at\": [-0.075, 0.075], \"radius\": 0.025}, "
    "{\"at\": [-0.025, -0.075], \"radius\": 0.025}, {\"at\": [-0.025, -0.025], \"radius\": 0.025}, {\"at\": [-0.025, "
    "0.025], \"radius\": 0.025}, {\"at\": [-0.025, 0.075], \"radius\": 0.025}, "
    "{\"at\": [0.025, -0.075], \"radius\": 0.025}, {\"at\": [0.025, -0.025], \"radius\": 0.025}, {\"at\": [0.025, "
    "0.025], \"radius\": 0.025}, {\"at\": [0.025, 0.075], \"radius\": 0.025}, "
    "{\"at\": [0.075, -0.075], \"radius\": 0.025}, {\"at\": [0.075, -0.025], \"radius\": 0.025}, {\"at\": [0.075, "
    "0.025], \"radius\": 0.025}, {\"at\": [0.075, 0.075], \"radius\": 0.025}]}"};
static const char *const wall_name[] = {"half-plane", "circle", "polyline", "outline", "fixed body"};
enum { HALF_PLANE, CIRCLE, POLYLINE, OUTLINE, FIXED, WALLS };

/* In space. A box of the third kind has 4 by 4 squares a side, that of the fourth is two halves. */
static const char *const solid_name[] = {"box", "hull", "mesh", "compound"};
static const char *const solid_json[] = {
    "{\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}",
    "{\"kind\": \"hull\", \"points\": [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], [-0.1, 0.1, -0.1], [0.1, 0.1, -0.1], "
    "[-0.1, -0.1, 0.1], [0.1, -0.1, 0.1], [-0.1, 0.1, 0.1], [0.1, 0.1, 0.1]]}",
    "{\"kind\": \"mesh\", \"made\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}, \"cells\": 32}",
    "{\"kind\": \"compound\", \"pieces\": ["
    "{\"kind\": \"box\", \"size\": [0.1, 0.2, 0.2], \"position\": [-0.05, 0, 0]}, "
    "{\"kind\": \"box\", \"size\": [0.1, 0.2, 0.2], \"position\": [0.05, 0, 0]}]}"};
static const char *const wall3_name[] = {"plane", "solid", "fixed body", "room", "cylinder"};
enum { PLANE3, SOLID3, FIXED3, ROOM3, CYLINDER3, WALLS3 };

typedef struct mode {
    const char *name, *json;
    bool plane, space; /* where it is meant to rest */
} mode;

static const mode mode_of[] = {
    {"penalty", "\"kind\": \"penalty\"", true, true},
    {"impact", "\"kind\": \"impact\"", true, true},
    {"soft-step", "\"kind\": \"soft-step\"", true, true},
    {"impact, sweeps 50", "\"kind\": \"impact\", \"sweeps\": 50", true, true},
    {"impact, staggered 3", "\"kind\": \"impact\", \"staggered\": 3", false, true},
    {"impact, staggered 100", "\"kind\": \"impact\", \"staggered\": 100", true, false},
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct outcome {
    double slide, spin; /* [m], [rad/s] */
    bool holds;
} outcome;

/* The wall, at a slope; its surface passes through the origin. */
static void write_wall(char *text, size_t size, int wall, double slope)
{
    double c = cos(slope), s = sin(slope);
    if (wall == HALF_PLANE)
        snprintf(text, size, "{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [%.17g, %.17g]}", -s, c);
    else if (wall == CIRCLE)
        snprintf(text, size, "{\"kind\": \"circle\", \"position\": [%.17g, %.17g], \"radius\": %g}", -BOWL * s,
                 BOWL * c, BOWL);
    else if (wall == POLYLINE)
        snprintf(text, size, "{\"kind\": \"polyline\", \"points\": [[%.17g, %.17g], [%.17g, %.17g]]}", -2 * c, -2 * s,
                 2 * c, 2 * s);
    else if (wall == OUTLINE)
        snprintf(text, size,
                 "{\"kind\": \"outline\", \"shape\": \"slab\", \"position\": [%.17g, %.17g], \"angle\": %.17g}",
                 0.25 * s, -0.25 * c, slope);
    else
        text[0] = 0;
}

static void write_plane(char *text, size_t size, int shape, int wall, double slope, const mode *by)
{
    char walls[400], fixed[200] = "";
    double c = cos(slope), s = sin(slope);
    double height = shape == 3 ? 0.025 + 0.075 * (cos(TILT) + sin(TILT)) : 0.5 * SIZE * (cos(TILT) + sin(TILT));
    height += DROP;
    write_wall(walls, sizeof walls, wall, slope);
    if (wall == FIXED)
        snprintf(fixed, sizeof fixed,
                 ", {\"shape\": \"slab\", \"position\": [%.17g, %.17g], \"angle\": %.17g, \"fixed\": true}", 0.25 * s,
                 -0.25 * c, slope);
    snprintf(
        text, size,
        "{\"touchstone\": 1, \"duration\": 100, \"gravity\": [0, -9.81], \"dynamics\": {%s, \"friction\": 0.9, "
        "\"restitution\": 0},"
        " \"shapes\": {\"grain\": %s, \"slab\": {\"kind\": \"box\", \"width\": 4, \"height\": 0.5}},"
        " \"bodies\": [{\"shape\": \"grain\", \"position\": [%.17g, %.17g], \"angle\": %.17g}%s], \"walls\": [%s]}",
        by->json, shape_json[shape], -s * height, c * height, slope + TILT, fixed, walls);
}

/* Rooms and cylinders stand upright: there gravity leans, by minus the slope. */
static bool leans(int wall)
{
    return wall == ROOM3 || wall == CYLINDER3;
}

static void write_wall3(char *text, size_t size, int wall, double slope)
{
    double c = cos(slope), s = sin(slope);
    if (wall == PLANE3)
        snprintf(text, size, "{\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [%.17g, 0, %.17g]}", -s, c);
    else if (wall == SOLID3)
        snprintf(text, size,
                 "{\"kind\": \"solid\", \"shape\": \"slab\", \"position\": [%.17g, 0, %.17g], \"attitude\": "
                 "{\"axis\": [0, 1, 0], \"angle\": %.17g}}",
                 0.25 * s, -0.25 * c, -slope);
    else if (wall == ROOM3)
        snprintf(text, size, "{\"kind\": \"room\", \"low\": [-2, -2, 0], \"high\": [2, 2, 2]}");
    else if (wall == CYLINDER3)
        snprintf(text, size, "{\"kind\": \"cylinder\", \"position\": [0, 0, 1], \"radius\": 2, \"length\": 2}");
    else
        text[0] = 0;
}

static void write_space(char *text, size_t size, int shape, int wall, double slope, const mode *by)
{
    char walls[400], fixed[200] = "";
    const double turn = leans(wall) ? 0 : slope, lean = slope - turn, c = cos(turn), s = sin(turn);
    const double height = 0.5 * SIZE * (cos(TILT) + sin(TILT)) + DROP;
    write_wall3(walls, sizeof walls, wall, turn);
    if (wall == FIXED3)
        snprintf(fixed, sizeof fixed,
                 ", {\"shape\": \"slab\", \"position\": [%.17g, 0, %.17g], \"fixed\": true, \"attitude\": "
                 "{\"axis\": [0, 1, 0], \"angle\": %.17g}}",
                 0.25 * s, -0.25 * c, -turn);
    snprintf(text, size,
             "{\"touchstone\": 1, \"space\": \"space\", \"duration\": 100, \"gravity\": [%.17g, 0, %.17g], "
             "\"dynamics\": {%s, \"friction\": 0.9, \"restitution\": 0},"
             " \"shapes\": {\"grain\": %s, \"slab\": {\"kind\": \"box\", \"size\": [4, 4, 0.5]}},"
             " \"bodies\": [{\"shape\": \"grain\", \"position\": [%.17g, 0, %.17g], \"attitude\": "
             "{\"axis\": [0, 1, 0], \"angle\": %.17g}}%s], \"walls\": [%s]}",
             -9.81 * sin(lean), -9.81 * cos(lean), by->json, solid_json[shape], -s * height, c * height, -(turn + TILT),
             fixed, walls);
}

/* dimension 2 or 3. */
static outcome run(int dimension, int shape, int wall, double slope, const mode *by)
{
    char text[4000];
    ts_test_world w = {0};
    double from[7], to[7], v[6];
    (dimension == 2 ? write_plane : write_space)(text, sizeof text, shape, wall, slope, by);
    OK(ts_scene_parse(text, strlen(text), "matrix", NULL, &w.scene, ERROR));
    ts_test_start(&w, 1);
    OK(ts_state_pose(w.state, 0, from, ERROR));
    ts_test_step(&w, (uint64_t)ceil(SECONDS / w.model->settings.time_step));
    OK(ts_state_pose(w.state, 0, to, ERROR));
    OK(ts_state_velocity(w.state, 0, v, ERROR));
    const double turn = dimension == 3 && leans(wall) ? 0 : slope;
    const double up = dimension == 2 ? to[1] - from[1] : to[2] - from[2], aside = dimension == 2 ? 0 : to[1] - from[1];
    outcome o = {hypot((to[0] - from[0]) * cos(turn) + up * sin(turn), aside),
                 dimension == 2 ? fabs(v[2]) : hypot(hypot(v[3], v[4]), v[5]), false};
    o.holds = o.slide < 0.04 && o.spin < 1e-2;
    ts_test_close(&w);
    return o;
}

/* The penalty law's steps are short, and the whole table takes minutes. In every test run: all of impact; under penalty
 * the box on all walls of the plane and other outlines on two of them, in space the box on a plane. */
static bool is_taken(int dimension, size_t shape, int wall, size_t number)
{
    if (number > 0)
        return true;
    if (dimension == 3)
        return shape == 0 && wall == PLANE3;
    return shape == 0 || ((wall == HALF_PLANE || wall == FIXED) && shape != 3);
}

/* Whether all words of MATRIX, but for a mere 1, are in the name of a row. */
static bool is_asked(const char *row)
{
    char words[256];
    snprintf(words, sizeof words, "%s", getenv("MATRIX"));
    for (char *rest = words, *word; (word = strsep(&rest, " ")) != NULL;)
        if (strcmp(word, "1") != 0 && !strstr(row, word))
            return false;
    return true;
}

static bool all_rest(int dimension, bool print)
{
    bool all = true;
    for (size_t shape = 0; shape < 4; shape++)
        for (int wall = 0; wall < (dimension == 2 ? (int)WALLS : (int)WALLS3); wall++)
            for (int slope = 0; slope <= 30; slope += 30)
                for (size_t i = 0; i < COUNT(mode_of); i++) {
                    const mode *by = &mode_of[i];
                    if (!(dimension == 2 ? by->plane : by->space) || !(print || is_taken(dimension, shape, wall, i)))
                        continue;
                    char row[128];
                    snprintf(row, sizeof row, "%s | %s | %s | %d° | %s", dimension == 2 ? "plane" : "space",
                             (dimension == 2 ? shape_name : solid_name)[shape],
                             (dimension == 2 ? wall_name : wall3_name)[wall], slope, by->name);
                    if (print && !is_asked(row))
                        continue;
                    const outcome o = run(dimension, (int)shape, wall, slope * TS_PI / 180, by);
                    all &= o.holds;
                    if (print || !o.holds)
                        printf("| %s | %.2g | %.1e | %s |\n", row, 1e3 * o.slide, o.spin,
                               o.holds ? "rests" : "**moves**");
                    fflush(stdout);
                }
    return all;
}

static void boxes_come_to_rest(void **state)
{
    (void)state;
    const bool print = getenv("MATRIX") != NULL;
    if (print)
        printf("| dimension | shape | wall | slope | dynamics | slide, mm | spin, rad/s | |\n"
               "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    const bool plane = all_rest(2, print), space = all_rest(3, print);
    assert_true(plane && space);
}

/* Ten boxes on each other stand, by default. */
static void stacks_stand(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[4000];
        ts_test_world w = {0};
        size_t at = (size_t)snprintf(
            text, sizeof text,
            "{\"touchstone\": 1, \"duration\": 100, \"gravity\": [0, -9.81], \"dynamics\": {%s, \"friction\": 0.5, "
            "\"restitution\": %s}, \"shapes\": {\"box\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}}, "
            "\"walls\": [{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}], \"bodies\": [",
            mode_of[k].json, k == 0 ? "0.2" : "0");
        for (int i = 0; i < 10; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s{\"shape\": \"box\", \"position\": [%g, %g]}",
                                   i ? ", " : "", i % 2 ? 0.001 : 0, 0.1 + 0.2002 * i);
        snprintf(text + at, sizeof text - at, "]}");
        OK(ts_scene_parse(text, strlen(text), "stack", NULL, &w.scene, ERROR));
        ts_test_start(&w, 1);
        ts_test_step(&w, (uint64_t)ceil(SECONDS / w.model->settings.time_step));
        for (int i = 0; i < 10; i++) {
            NEAR(w.state->body[i].x, i % 2 ? 0.001 : 0, 0.002);
            NEAR(w.state->body[i].y, 0.1 + 0.2 * i, 0.015);
            NEAR(w.state->body[i].angle, 0, 1e-3);
            NEAR(w.state->body[i].spin, 0, 1e-2);
        }
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_come_to_rest), cmocka_unit_test(stacks_stand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
