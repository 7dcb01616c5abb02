/* SPDX-License-Identifier: MIT */
/* Filling a region with grains.
 *
 * Grains lie in the region with their bounding circles, clear of walls. On a lattice and between shapes of discs it is
 * those circles that keep apart; random insertion looks at outlines themselves, so that letters stand in each other's
 * bays, and a lattice does so with what stands there already. The result is a function of the scene's seed and of the
 * generator's place in the scene.
 *
 *     lattice   rows from the bottom, at the pitch of the largest grain       ◯ ◯ ◯ ◯
 *               that the mix allows; sites that are blocked stay empty         ◯ ◯ ◯
 *                                                                             ◯ ◯ ◯ ◯
 *     random    large grains first, each tried at random places until one is free
 *     line      one beside the other along lines and arcs: a rough wall. Fixed ones may overlap each other.
 */
#pragma once

#include "model.h"
#include "scene/occupancy.h"
#include "scene/scene.h"

typedef struct ts_grain {
    double x, y, angle; /* [m], [m], [rad] */
    double vx, vy;      /* [m/s] */
    double scale;       /* of the shape [1] */
    int32_t shape;
    int32_t material;
} ts_grain;

/* What grains must keep clear of. */
typedef struct ts_surroundings {
    ts_occupancy occupied; /* grains are added to it as they are placed */
    const ts_model *model; /* its shapes, and its bodies as far as they are placed, by the owner's id */
    const ts_wall *wall;   /* as at time 0; absent ones are left out (wall_count) */
    size_t wall_count;
} ts_surroundings;

/* How many grains generator g will make: its count, or what covers its packing fraction, or what its line holds. */
ts_status ts_generate_count(const ts_scene *scene, size_t g, size_t *count, ts_error *error);
/* Fills grain[0 … count-1] of generator g; `count` as ts_generate_count says, `first_body` is the id of the first. */
ts_status ts_generate(const ts_scene *scene, size_t g, ts_surroundings *around, int32_t first_body, ts_grain *grain,
                      size_t count, ts_error *error);
/* Signed distance of a disc from a wall at displacement zero, negative beyond it [m]. */
double ts_wall_distance(const ts_wall *wall, double x, double y, double radius);
