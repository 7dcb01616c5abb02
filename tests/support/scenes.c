/* SPDX-License-Identifier: MIT */
#include "support/scenes.h"

#include "support/check.h"

void ts_test_soften(ts_scene *scene, double stiffness, double time_step)
{
    ts_material_def material = ts_default_material();
    material.stiffness = stiffness;
    OK(ts_scene_set_default_material(scene, &material, ERROR));
    ts_settings settings = ts_scene_settings(scene);
    settings.time_step = time_step;
    OK(ts_scene_set(scene, &settings, ERROR));
}

static void drive(ts_scene *scene, ts_drive_def def)
{
    OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
}

/* ---- The scenes ---- */

/* Many chunks of bodies, some twenty blocks of pairs, two materials. */
static void build_settling(ts_scene *scene)
{
    ts_test_soften(scene, 3e5, 3e-5);
    ts_test_box(scene, 1.4);
    ts_material_def def = ts_default_material();
    def.friction = 0.1;
    def.restitution = 0.9;
    int32_t slippery, disc = ts_test_disc(scene, 0.01);
    OK(ts_scene_add_material(scene, "slippery", &def, &slippery, ERROR));
    const ts_mix_entry mix[] = {{.shape = disc, .material = 0, .weight = 1, .scale_min = 0.5, .scale_max = 1},
                                {.shape = disc, .material = slippery, .weight = 1, .scale_min = 0.7, .scale_max = 1}};
    ts_test_fill_mix(scene, (double[]){0, 0}, (double[]){1.4, 1.4}, 5000, mix, 2, 0.7);
}

static void build_clusters(ts_scene *scene)
{
    ts_test_soften(scene, 5e5, 1.5e-5);
    ts_test_box(scene, 0.8);
    const double a[] = {0, 0}, b[] = {0.8, 0.6};
    ts_test_fill(scene, a, b, 120, ts_test_rod(scene, 0.005, 4), 1, 1, 0.7);
    ts_test_fill(scene, a, b, 200, ts_test_triad(scene, 0.005), 0.8, 1.2, 0.7);
    ts_test_fill(scene, a, b, 300, ts_test_disc(scene, 0.006), 1, 1, 0.7);
}

static void build_drum(ts_scene *scene)
{
    ts_test_soften(scene, 5e5, 1.5e-5);
    ts_test_circle(scene, "drum", 0.1, -0.2, 0.3);
    ts_drive_def turn = ts_default_drive();
    turn.kind = TS_DRIVE_ROTATION;
    turn.target = "drum";
    turn.rate = 5;
    drive(scene, turn);
    ts_mix_entry mix[] = {
        {.shape = ts_test_disc(scene, 0.007), .material = 0, .weight = 3, .scale_min = 0.7, .scale_max = 1},
        {.shape = ts_test_triad(scene, 0.005), .material = 0, .weight = 1, .scale_min = 1, .scale_max = 1}};
    ts_generator_def fill = ts_default_generator();
    fill.region = TS_REGION_CIRCLE;
    fill.position[0] = 0.1;
    fill.position[1] = -0.2;
    fill.radius = 0.3;
    fill.count = 700;
    fill.mix = mix;
    fill.mix_count = 2;
    fill.velocity_spread = 0.5;
    OK(ts_scene_add_generator(scene, &fill, NULL, ERROR));
}

/* A wall that goes, a shelf of fixed discs that goes later, and a wall far off that comes. */
static void build_gates(ts_scene *scene)
{
    ts_test_soften(scene, 3e5, 4e-5);
    ts_test_plane(scene, NULL, 0, 0, 0, 1);
    ts_test_plane(scene, NULL, 0, 0, 1, 0);
    ts_test_plane(scene, "gate", 0.4, 0, -1, 0);
    ts_test_plane(scene, "far", 2, 0, -1, 0);
    int32_t disc = ts_test_disc(scene, 0.01);
    ts_mix_entry mix = {.shape = disc, .material = 0, .weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def shelf = ts_default_generator();
    shelf.name = "shelf";
    shelf.fill = TS_FILL_LATTICE;
    shelf.low[0] = 0;
    shelf.low[1] = 0.2;
    shelf.high[0] = 0.4;
    shelf.high[1] = 0.225;
    shelf.count = 18;
    shelf.jitter = 0;
    shelf.mix = &mix;
    shelf.mix_count = 1;
    shelf.fixed = true;
    OK(ts_scene_add_generator(scene, &shelf, NULL, ERROR));
    ts_test_fill(scene, (double[]){0, 0}, (double[]){0.4, 0.5}, 400, disc, 0.5, 1, 0.5);
    ts_drive_def gate = ts_default_drive();
    gate.kind = TS_DRIVE_GATE;
    gate.target = "gate";
    gate.start = 0.004;
    drive(scene, gate);
    gate.target = "shelf";
    gate.start = 0.01;
    drive(scene, gate);
    gate.target = "far";
    gate.start = 0;
    gate.end = 0.015;
    drive(scene, gate);
}

/* A floor that shakes, a paddle that turns, a lid that comes down by keyframes, a fixed disc that is pushed along. */
static void build_shaker(ts_scene *scene)
{
    ts_test_soften(scene, 3e5, 4e-5);
    ts_test_box(scene, 0.5);
    ts_test_plane(scene, "lid", 0, 0.6, 0, -1);
    ts_test_fixed(scene, "paddle", ts_test_rod(scene, 0.01, 9), 0.25, 0.25);
    ts_test_fixed(scene, "pusher", ts_test_disc(scene, 0.03), 0.05, 0.45);
    ts_drive_def shake = ts_default_drive();
    shake.kind = TS_DRIVE_OSCILLATION;
    shake.target = "floor";
    shake.amplitude[1] = 0.005;
    shake.frequency = 30;
    drive(scene, shake);
    ts_drive_def turn = ts_default_drive();
    turn.kind = TS_DRIVE_ROTATION;
    turn.target = "paddle";
    turn.rate = 10;
    drive(scene, turn);
    const ts_keyframe key[] = {{0, {0, 0}, 0}, {0.01, {0, -0.005}, 0}, {0.03, {0, 0.005}, 0.02}};
    ts_drive_def lower = ts_default_drive();
    lower.kind = TS_DRIVE_KEYFRAMES;
    lower.target = "lid";
    lower.key = key;
    lower.key_count = 3;
    drive(scene, lower);
    ts_drive_def push = ts_default_drive();
    push.kind = TS_DRIVE_VELOCITY;
    push.target = "pusher";
    push.velocity[0] = 0.5;
    push.end = 0.02;
    drive(scene, push);
    ts_test_fill(scene, (double[]){0, 0}, (double[]){0.5, 0.6}, 500, ts_test_disc(scene, 0.01), 0.5, 1, 0.5);
}

/* A floor that tilts under its load: turning a half-plane moves it past far bodies. */
static void build_tilting(ts_scene *scene)
{
    ts_test_soften(scene, 3e5, 4e-5);
    ts_test_box(scene, 0.5);
    ts_drive_def tilt = ts_default_drive();
    tilt.kind = TS_DRIVE_ROTATION;
    tilt.target = "floor";
    tilt.rate = 0.5;
    tilt.pivot[0] = 0.5;
    tilt.pivot[1] = 0;
    drive(scene, tilt);
    ts_test_fill(scene, (double[]){0, 0}, (double[]){0.5, 0.4}, 400, ts_test_disc(scene, 0.01), 0.5, 1, 0.3);
}

/* Sizes 1 : 100, so that most levels of the grid are in use. */
static void build_mixture(ts_scene *scene)
{
    ts_test_soften(scene, 3e5, 1e-5);
    ts_test_box(scene, 0.5);
    int32_t disc = ts_test_disc(scene, 0.1);
    ts_test_body(scene, disc, 0.12, 0.11);
    ts_test_body(scene, disc, 0.35, 0.25);
    const double a[] = {0, 0}, b[] = {0.5, 0.4};
    ts_test_fill(scene, a, b, 10, disc, 0.1, 0.3, 0.5);
    ts_test_fill(scene, a, b, 1200, disc, 0.01, 0.02, 0.5);
}

/* Walls of lines and arcs: a hopper that shakes, a paddle that turns in it, a tray that goes, a half-plane below. */
static void build_walls(ts_scene *scene)
{
    ts_test_soften(scene, 3e5, 3e-5);
    const ts_vertex hopper[] = {{-0.3, 0.6, 0},  {-0.3, 0.1, 0.2}, {-0.05, 0, 0}, {-0.02, -0.1, 0},
                                {0.02, -0.1, 0}, {0.05, 0, 0.2},   {0.3, 0.1, 0}, {0.3, 0.6, 0}};
    const ts_vertex tray[] = {{-0.3, 0.25, -0.2}, {0.3, 0.25, 0}};
    ts_test_polyline(scene, "hopper", hopper, 8, true);
    ts_test_polyline(scene, "tray", tray, 2, true);
    ts_test_plane(scene, NULL, 0, -0.3, 0, 1);
    ts_outline *paddle;
    ts_wall_def wall = ts_default_wall();
    wall.kind = TS_WALL_OUTLINE;
    wall.name = "paddle";
    wall.position[1] = 0.15;
    wall.angle = 0.3;
    OK(ts_outline_box(0.25, 0.03, 0.01, &paddle, ERROR));
    OK(ts_scene_add_outline(scene, NULL, paddle, &wall.shape, ERROR));
    ts_outline_free(paddle);
    OK(ts_scene_add_wall(scene, &wall, NULL, ERROR));
    ts_drive_def shake = ts_default_drive();
    shake.kind = TS_DRIVE_OSCILLATION;
    shake.target = "hopper";
    shake.amplitude[0] = 0.004;
    shake.angle_amplitude = 0.02;
    shake.frequency = 30;
    drive(scene, shake);
    ts_drive_def turn = ts_default_drive();
    turn.kind = TS_DRIVE_ROTATION;
    turn.target = "paddle";
    turn.rate = -12;
    drive(scene, turn);
    ts_drive_def gate = ts_default_drive();
    gate.kind = TS_DRIVE_GATE;
    gate.target = "tray";
    gate.start = 0.004;
    drive(scene, gate);
    const double a[] = {-0.29, 0.1}, b[] = {0.29, 0.6};
    ts_test_fill(scene, a, b, 80, ts_test_triad(scene, 0.006), 0.8, 1.2, 0.5);
    ts_test_fill(scene, a, b, 350, ts_test_disc(scene, 0.01), 0.5, 1, 0.5);
}

static int32_t add_outline(ts_scene *scene, ts_outline *outline)
{
    int32_t shape;
    OK(ts_scene_add_outline(scene, NULL, outline, &shape, ERROR));
    ts_outline_free(outline);
    return shape;
}

/* Hooks, bars and rings in a turning drum above a floor, with discs and triads among them; bars in one size, rings in
 * so many that none has a map. */
static void build_grains(ts_scene *scene)
{
    ts_test_soften(scene, 3e5, 3e-5);
    ts_map_options map = {.kind = TS_MAP_EXACT};
    OK(ts_scene_set_map(scene, &map, ERROR));
    ts_test_circle(scene, "drum", 0, 0.2, 0.2);
    ts_test_plane(scene, NULL, 0, 0.05, 0, 1);
    ts_drive_def turn = ts_default_drive();
    turn.kind = TS_DRIVE_ROTATION;
    turn.target = "drum";
    turn.rate = 6;
    drive(scene, turn);
    ts_outline *hook, *bar, *ring;
    OK(ts_outline_arc(0.012, 0.006, 4.5, true, &hook, ERROR));
    OK(ts_outline_box(0.04, 0.012, 0, &bar, ERROR));
    OK(ts_outline_ring(0.012, 0.008, &ring, ERROR));
    const double a[] = {-0.13, 0.07}, b[] = {0.13, 0.33};
    ts_test_fill(scene, a, b, 18, add_outline(scene, bar), 1, 1, 1);
    ts_test_fill(scene, a, b, 20, add_outline(scene, hook), 1, 1, 1);
    ts_test_fill(scene, a, b, 20, add_outline(scene, ring), 0.7, 1.2, 1);
    ts_test_fill(scene, a, b, 15, ts_test_triad(scene, 0.006), 1, 1, 1);
    ts_test_fill(scene, a, b, 20, ts_test_disc(scene, 0.01), 0.8, 0.8, 1);
}

/* Impulses instead of springs, steps a hundred times as long. */
static void use_impulses(ts_scene *scene, double restitution, uint64_t sweeps, uint64_t staggered)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "impact";
    ts_dynamics_set(&dynamics, "sweeps", (double)sweeps);
    ts_dynamics_set(&dynamics, "staggered", (double)staggered);
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    material.restitution = restitution;
    OK(ts_scene_set_default_material(scene, &material, ERROR));
    settings.time_step = 2e-3;
    OK(ts_scene_set(scene, &settings, ERROR));
    ts_map_options map = {.kind = TS_MAP_EXACT};
    OK(ts_scene_set_map(scene, &map, ERROR));
}

/* About the drum's axis. */
static void turn(ts_scene *scene, const char *target, double rate)
{
    ts_drive_def def = ts_default_drive();
    def.kind = TS_DRIVE_ROTATION;
    def.target = target;
    def.rate = rate;
    def.pivot[0] = 0;
    def.pivot[1] = 0.2;
    drive(scene, def);
}

/* Discs, triads and bars in a turning drum above a floor. */
static void add_drum(ts_scene *scene)
{
    ts_test_circle(scene, "drum", 0, 0.2, 0.2);
    ts_test_plane(scene, NULL, 0, 0.05, 0, 1);
    turn(scene, "drum", 6);
    ts_outline *bar;
    OK(ts_outline_box(0.04, 0.012, 0, &bar, ERROR));
    const double a[] = {-0.13, 0.07}, b[] = {0.13, 0.33};
    ts_test_fill(scene, a, b, 12, add_outline(scene, bar), 1, 1, 1);
    ts_test_fill(scene, a, b, 15, ts_test_triad(scene, 0.006), 1, 1, 1);
    ts_test_fill(scene, a, b, 40, ts_test_disc(scene, 0.01), 0.8, 1.2, 1);
}

static void build_impact(ts_scene *scene)
{
    use_impulses(scene, ts_default_material().restitution, 0, 0);
    add_drum(scene);
}

static void build_staggered(ts_scene *scene)
{
    use_impulses(scene, 0.3, 0, 20);
    add_drum(scene);
}

/* By sweeps, warm from the step before: the same, with a rake of lines that turns through the heap. */
static void build_sweeps(ts_scene *scene)
{
    use_impulses(scene, 0.4, 20, 0);
    add_drum(scene);
    const ts_vertex rake[] = {{-0.03, 0.34, 0}, {0, 0.37, 0.4}, {0.03, 0.34, 0}};
    ts_test_polyline(scene, "rake", rake, 3, true);
    turn(scene, "rake", 3);
}

/* Balls that pass others within a step, so that lists of pairs are as wide as that. */
static void build_bullets(ts_scene *scene)
{
    use_impulses(scene, 1, 0, 0); /* so that they stay quick */
    ts_material_def material = ts_default_material();
    material.restitution = 1;
    material.friction = 0;
    OK(ts_scene_set_default_material(scene, &material, ERROR));
    ts_test_circle(scene, "drum", 0, 0.2, 0.2);
    int32_t disc = ts_test_disc(scene, 0.01);
    const double a[] = {-0.1, 0.1}, b[] = {0.1, 0.3};
    ts_test_fill(scene, a, b, 40, disc, 0.8, 1.2, 1);
    for (int i = 0; i < 3; i++)
        ts_test_body_moving(scene, disc, 0.1 * (i - 1), 0.08, 11, 3 * i - 2, 0);
}

const ts_test_scene ts_test_scenes[] = {
    {"settling", build_settling, 300}, {"clusters", build_clusters, 500}, {"drum", build_drum, 600},
    {"gates", build_gates, 600},       {"shaker", build_shaker, 600},     {"tilting", build_tilting, 600},
    {"mixture", build_mixture, 400},   {"walls", build_walls, 600},       {"grains", build_grains, 1200},
    {"impact", build_impact, 300},     {"bullets", build_bullets, 300},   {"staggered", build_staggered, 60},
    {"sweeps", build_sweeps, 300}};
const size_t ts_test_scene_count = sizeof ts_test_scenes / sizeof *ts_test_scenes;

void ts_test_open_scene(ts_test_world *w, const ts_test_scene *scene)
{
    ts_test_open(w, -9.81);
    scene->build(w->scene);
}
