/* SPDX-License-Identifier: MIT */
#include "study/shaken_layer.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/vec.h"

#define GRAVITY 9.81
#define PACKING 0.58 /* the share of the layer that is spheres */

double ts_shaken_layer_period(const ts_shaken_layer *l)
{
    return sqrt(TS_LAYER_DEPTH * TS_LAYER_DIAMETER / GRAVITY) / l->pitch;
}

size_t ts_shaken_layer_count(const ts_shaken_layer *l)
{
    return (size_t)(l->size[0] * l->size[1] * TS_LAYER_DEPTH * PACKING * 6 / TS_PI);
}

static ts_status set_rules(ts_scene *scene, const ts_shaken_layer *l, uint64_t seed, ts_error *error)
{
    const ts_space_def space = ts_default_space();
    ts_settings settings = ts_scene_settings(scene);
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def bronze = ts_default_material();
    settings.time_step = ts_shaken_layer_period(l) / l->steps;
    settings.duration = ts_shaken_layer_period(l) * l->cycles;
    settings.frame_interval = ts_shaken_layer_period(l);
    settings.record_contacts = false;
    settings.seed = seed;
    dynamics.kind = "impact";
    ts_dynamics_set(&dynamics, "sweeps", 30);
    bronze.density = 8900;
    bronze.restitution = 0.7;
    bronze.friction = 0.5;
    TS_TRY(ts_scene_set_space(scene, &space, error));
    TS_TRY(ts_scene_set(scene, &settings, error));
    TS_TRY(ts_scene_set_dynamics(scene, &dynamics, error));
    return ts_scene_set_default_material(scene, &bronze, error);
}

/* A floor and four walls, which go up and down together, as a cell on a shaker does; they begin at their lowest. */
static ts_status add_walls(ts_scene *scene, const ts_shaken_layer *l, ts_error *error)
{
    const double turn = 2 * TS_PI / ts_shaken_layer_period(l);
    const double x = l->size[0] * TS_LAYER_DIAMETER, y = l->size[1] * TS_LAYER_DIAMETER;
    const double point[5][3] = {{0, 0, 0}, {0, 0, 0}, {x, 0, 0}, {0, 0, 0}, {0, y, 0}},
                 normal[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    static const char *const name[5] = {"floor", "left", "right", "front", "back"};
    ts_drive_def shake = ts_default_drive();
    shake.kind = TS_DRIVE_OSCILLATION;
    shake.amplitude[2] = l->strength * GRAVITY / (turn * turn);
    shake.frequency = 1 / ts_shaken_layer_period(l);
    shake.phase = -0.5 * TS_PI;
    for (int i = 0; i < 5; i++) {
        ts_wall_def wall = ts_default_wall();
        wall.name = shake.target = name[i];
        memcpy(wall.position, point[i], sizeof wall.position);
        memcpy(wall.normal, normal[i], sizeof wall.normal);
        TS_TRY(ts_scene_add_wall(scene, &wall, NULL, error));
        TS_TRY(ts_scene_add_drive(scene, &shake, NULL, error));
    }
    return TS_OK;
}

/* Layer by layer, loosely, with random velocities, above the middle of the floor's way. */
static ts_status add_spheres(ts_scene *scene, const ts_shaken_layer *l, ts_error *error)
{
    const ts_piece_def piece = {.kind = TS_PIECE_SPHERE, .radius = 0.5 * TS_LAYER_DIAMETER};
    ts_shape_def sphere = ts_default_shape();
    sphere.piece = &piece;
    sphere.piece_count = 1;
    TS_TRY(ts_scene_add_shape(scene, &sphere, NULL, error));
    const ts_mix_entry mix = {.weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def fill = ts_default_generator();
    fill.fill = TS_FILL_LATTICE;
    const double gap = 0.02, apart = 1 + gap;
    const double floor_count = floor(l->size[0] / apart - 1) * floor(l->size[1] / apart - 1);
    fill.count = ts_shaken_layer_count(l);
    fill.mix = &mix;
    fill.mix_count = 1;
    fill.gap = gap * TS_LAYER_DIAMETER;
    fill.random_attitude = false;
    fill.velocity_spread = 0.05 * sqrt(GRAVITY * TS_LAYER_DIAMETER);
    fill.low[2] = 1e-3 * TS_LAYER_DIAMETER;
    fill.high[0] = l->size[0] * TS_LAYER_DIAMETER;
    fill.high[1] = l->size[1] * TS_LAYER_DIAMETER;
    fill.high[2] = fill.low[2] + (ceil((double)fill.count / floor_count) + 1) * apart * TS_LAYER_DIAMETER;
    return ts_scene_add_generator(scene, &fill, NULL, error);
}

ts_status ts_shaken_layer_fill(ts_scene *scene, const ts_shaken_layer *l, uint64_t seed, ts_error *error)
{
    TS_TRY(set_rules(scene, l, seed, error));
    TS_TRY(add_walls(scene, l, error));
    return add_spheres(scene, l, error);
}
