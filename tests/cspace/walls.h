/* SPDX-License-Identifier: MIT */
/* For tests of grains at walls: grains of every kind, poses at walls, and one question. */
#pragma once

#include "cspace/wall.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "cspace/forms.h"
#include "scene/scene.h"

static inline ts_wall_map *map_of(const ts_outline *outline, double smoothing)
{
    ts_wall_map *map;
    OK(ts_wall_map_create(outline, smoothing, &map, ERROR));
    return map;
}

/* One pose; radius 0: the half-plane. */
static inline ts_map_contact ask(const ts_wall_map *map, double radius, ts_wall_pose p)
{
    ts_map_contact c;
    if (radius > 0)
        ts_wall_circle(map, radius, 1, &p, &c);
    else
        ts_wall_plane(map, 1, &p, &c);
    return c;
}

/* As many as there are. */
static inline void ask_all(const ts_wall_map *map, double radius, size_t count, const ts_wall_pose *p,
                           ts_map_contact *c)
{
    if (radius > 0)
        ts_wall_circle(map, radius, count, p, c);
    else
        ts_wall_plane(map, count, p, c);
}

/* ---- Grains ---- */

enum { library_count = 4, star_count = 6, grain_count = FORM_COUNT + library_count + star_count };

static inline ts_outline *from_library(const char *file, const char *name)
{
    const char *root = getenv("SOURCE_DIR");
    char path[4096];
    ts_scene *scene;
    snprintf(path, sizeof path, "%s/scenes/shapes/%s", root ? root : ".", file);
    OK(ts_scene_load(path, NULL, &scene, ERROR));
    int32_t index = ts_scene_find_shape(scene, name);
    assert_true(index >= 0);
    ts_outline *copy;
    OK(ts_outline_place(scene->shape.item[index].outline, 1, 0.1, (double[2]){-2, 1}, &copy, ERROR));
    ts_scene_free(scene);
    return copy;
}

/* Arcs that bulge outward and inward, and lines. */
static inline ts_outline *star(uint64_t seed)
{
    enum { points = 14 };
    ts_vertex vertex[points];
    for (size_t i = 0; i < points; i++) {
        double angle = 2 * TS_PI * (double)i / points, r = ts_random_range(seed, 7, i, 0.4, 1);
        double bulge = ts_random_range(seed, 8, i, -0.3, 0.3);
        vertex[i] = (ts_vertex){r * cos(angle), r * sin(angle), fabs(bulge) < 0.1 ? 0 : bulge};
    }
    ts_outline *o;
    OK(ts_outline_create(&(ts_contour){vertex, points, false}, 1, TS_RULE_NONZERO, &o, ERROR));
    return o;
}

static inline ts_outline *grain(size_t i)
{
    const char *const library[library_count][2] = {
        {"grains.json", "hash"}, {"grains.json", "U"}, {"graphics.json", "G"}, {"arcs.json", "arc-75"}};
    if (i < FORM_COUNT)
        return form_make((form)i, 0.8);
    i -= FORM_COUNT;
    return i < library_count ? from_library(library[i][0], library[i][1]) : star(i);
}

/* ---- Poses ---- */

/* Some at the wall, some deep in it, some far; in a circle also about its centre. */
static inline ts_wall_pose pose_at(double radius, uint64_t i)
{
    ts_wall_pose p = {.angle = ts_random_range(3, 2, i, -20, 20), .scale = ts_random_range(3, 3, i, 0.5, 1.5)};
    double to = ts_random_range(3, 0, i, 0, 2 * TS_PI), at = ts_random_range(3, 1, i, -1, 2);
    p.x = radius > 0 ? fabs(radius - at) * cos(to) : 5 * cos(to);
    p.y = radius > 0 ? fabs(radius - at) * sin(to) : at;
    return p;
}

static const double walls[] = {0, 1.3, 6, 50}; /* the half-plane, and circles [m] */
enum { wall_count = sizeof walls / sizeof walls[0] };
