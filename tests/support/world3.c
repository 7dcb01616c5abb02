/* SPDX-License-Identifier: MIT */
#include "support/world3.h"

#include <math.h>
#include <stdlib.h>

#include "model.h"
#include "support/check.h"

void ts_test_space(ts_test_world *w, double gravity)
{
    ts_space_def space = ts_default_space();
    ts_test_open(w, 0);
    space.gravity[2] = gravity;
    OK(ts_scene_set_space(w->scene, &space, ERROR));
}

void ts_test_impact3(ts_scene *scene, const char *by, double restitution, double friction, double time_step)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "impact";
    ts_dynamics_set_text(&dynamics, "operator", by);
    material.restitution = restitution;
    material.friction = friction;
    settings.time_step = time_step;
    settings.duration = 1000000 * time_step;
    OK(ts_scene_set(scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(scene, &material, ERROR));
}

void ts_test_sweeps3(ts_scene *scene, uint64_t sweeps)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "impact";
    ts_dynamics_set(&dynamics, "sweeps", (double)sweeps);
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
}

void ts_test_uncorrected3(ts_scene *scene)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "impact";
    ts_dynamics_set(&dynamics, "correction", 0);
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
}

void ts_test_penalty3(ts_scene *scene, double stiffness, double restitution, double friction, double time_step)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "penalty";
    material.stiffness = stiffness;
    material.restitution = restitution;
    material.friction = friction;
    settings.time_step = time_step;
    settings.duration = time_step > 0 ? 1000000 * time_step : 100;
    OK(ts_scene_set(scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(scene, &material, ERROR));
}

/* ---- Solids ---- */

static int32_t add_solid(ts_scene *scene, const ts_piece_def *piece, size_t count)
{
    ts_shape_def def = ts_default_shape();
    int32_t solid;
    def.piece = piece;
    def.piece_count = count;
    OK(ts_scene_add_shape(scene, &def, &solid, ERROR));
    return solid;
}

int32_t ts_test_ball(ts_scene *scene, double radius)
{
    return add_solid(scene, &(ts_piece_def){.kind = TS_PIECE_SPHERE, .radius = radius}, 1);
}

int32_t ts_test_block(ts_scene *scene, double x, double y, double z)
{
    return add_solid(scene, &(ts_piece_def){.kind = TS_PIECE_BOX, .size = {x, y, z}}, 1);
}

int32_t ts_test_hammer(ts_scene *scene, double length)
{
    const ts_piece_def piece[] = {
        {.kind = TS_PIECE_CAPSULE, .radius = 0.1 * length, .length = 0.8 * length},
        {.kind = TS_PIECE_BOX,
         .size = {0.6 * length, 0.3 * length, 0.25 * length},
         .position = {0.05 * length, 0, 0.6 * length}},
    };
    return add_solid(scene, piece, 2);
}

int32_t ts_test_wedge(ts_scene *scene, double s)
{
    const double point[5][3] = {
        {0, 0, 0}, {s, 0, 0}, {0, 0.8 * s, 0}, {0.9 * s, 0.7 * s, 0}, {0.3 * s, 0.2 * s, 0.6 * s}};
    return add_solid(scene, &(ts_piece_def){.kind = TS_PIECE_HULL, .point = point, .point_count = 5}, 1);
}

int32_t ts_test_angle(ts_scene *scene, double s)
{
    /* corners of an L, counter-clockwise, at the bottom and then at the top */
    const double corner[6][2] = {{0, 0}, {s, 0}, {s, 0.4 * s}, {0.4 * s, 0.4 * s}, {0.4 * s, s}, {0, s}};
    double point[12][3];
    int32_t triangle[20][3];
    const int32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    for (int i = 0; i < 12; i++) {
        point[i][0] = corner[i % 6][0];
        point[i][1] = corner[i % 6][1];
        point[i][2] = i < 6 ? 0 : 0.4 * s;
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            triangle[i][k] = cap[i][2 - k];
            triangle[4 + i][k] = 6 + cap[i][k];
        }
    for (int32_t i = 0; i < 6; i++) {
        const int32_t j = (i + 1) % 6, side[2][3] = {{i, j, 6 + j}, {i, 6 + j, 6 + i}};
        for (int k = 0; k < 3; k++) {
            triangle[8 + 2 * i][k] = side[0][k];
            triangle[9 + 2 * i][k] = side[1][k];
        }
    }
    return add_solid(scene,
                     &(ts_piece_def){.kind = TS_PIECE_MESH,
                                     .point = (const double(*)[3])point,
                                     .point_count = 12,
                                     .triangle = (const int32_t(*)[3])triangle,
                                     .triangle_count = 20,
                                     .cells = 20},
                     1);
}

/* ---- Bodies and walls ---- */

static int32_t add_body(ts_scene *scene, const ts_body_def *def)
{
    int32_t body;
    OK(ts_scene_add_body(scene, def, &body, ERROR));
    return body;
}

int32_t ts_test_body3_moving(ts_scene *scene, int32_t solid, const double position[3], const double velocity[3],
                             const double spin[3])
{
    ts_body_def def = ts_default_body();
    def.shape = solid;
    for (int d = 0; d < 3; d++) {
        def.position[d] = position[d];
        def.velocity[d] = velocity[d];
        def.spin[d] = spin[d];
    }
    return add_body(scene, &def);
}

int32_t ts_test_body3(ts_scene *scene, int32_t solid, double x, double y, double z)
{
    const double zero[3] = {0, 0, 0};
    return ts_test_body3_moving(scene, solid, (double[3]){x, y, z}, zero, zero);
}

int32_t ts_test_fixed3(ts_scene *scene, const char *name, int32_t solid, double x, double y, double z)
{
    ts_body_def def = ts_default_body();
    def.shape = solid;
    def.name = name;
    def.fixed = true;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return add_body(scene, &def);
}

int32_t ts_test_tilted3(ts_scene *scene, int32_t solid, const double position[3], double angle)
{
    ts_body_def def = ts_default_body();
    def.shape = solid;
    for (int d = 0; d < 3; d++)
        def.position[d] = position[d];
    def.attitude[0] = cos(0.5 * angle);
    def.attitude[2] = sin(0.5 * angle);
    return add_body(scene, &def);
}

int32_t ts_test_plane3(ts_scene *scene, const char *name, const double point[3], const double normal[3])
{
    ts_wall_def def = ts_default_wall();
    int32_t wall;
    def.name = name;
    for (int d = 0; d < 3; d++) {
        def.position[d] = point[d];
        def.normal[d] = normal[d];
    }
    OK(ts_scene_add_wall(scene, &def, &wall, ERROR));
    return wall;
}

int32_t ts_test_floor(ts_scene *scene)
{
    return ts_test_plane3(scene, "floor", (double[3]){0, 0, 0}, (double[3]){0, 0, 1});
}

void ts_test_fill3(ts_scene *scene, const double low[3], const double high[3], size_t count, const int32_t *solid,
                   size_t solids, double spread)
{
    ts_generator_def def = ts_default_generator();
    def.fill = TS_FILL_LATTICE;
    ts_mix_entry *mix = calloc(solids, sizeof *mix);
    assert_non_null(mix);
    for (size_t i = 0; i < solids; i++)
        mix[i] = (ts_mix_entry){.shape = solid[i], .scale_min = 1, .scale_max = 1, .weight = 1};
    def.count = count;
    def.mix = mix;
    def.mix_count = solids;
    def.velocity_spread = spread;
    for (int d = 0; d < 3; d++) {
        def.low[d] = low[d];
        def.high[d] = high[d];
    }
    OK(ts_scene_add_generator(scene, &def, NULL, ERROR));
    free(mix);
}

void ts_test_cloud3(ts_scene *scene, double side, size_t count, const int32_t *solid, size_t solids, double spread)
{
    ts_test_fill3(scene, (double[3]){0, 0, 0}, (double[3]){side, side, side}, count, solid, solids, spread);
}

/* ---- Sums ---- */

ts_test_sums ts_test_sum3(const ts_test_world *w)
{
    ts_test_sums sums = {0};
    const ts_body3 *body = ts_state_bodies3(w->state);
    const ts_vec3 g = w->model->gravity;
    for (size_t i = 0; i < w->model->body_count; i++) {
        const ts_body3 *b = &body[i];
        const double *x = b->position, *v = b->velocity, *L = b->angular_momentum;
        double rate[6], *spin = rate + 3, square = 0;
        if (!(b->inv_mass > 0))
            continue;
        const double m = 1 / b->inv_mass;
        OK(ts_state_velocity(w->state, i, rate, ERROR));
        for (int d = 0; d < 3; d++) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            sums.momentum[d] += m * v[d];
            sums.angular[d] += L[d] + m * (x[e] * v[f] - x[f] * v[e]);
            sums.energy += 0.5 * m * v[d] * v[d] + 0.5 * L[d] * spin[d];
            square += v[d] * v[d];
        }
        sums.energy -= m * (g.x * x[0] + g.y * x[1] + g.z * x[2]);
        sums.size += m * sqrt(square);
    }
    return sums;
}
