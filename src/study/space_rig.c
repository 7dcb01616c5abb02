/* SPDX-License-Identifier: MIT */
#include "study/space_rig.h"

#include <stdio.h>

ts_status ts_space_rig_open(ts_rig *rig, const ts_space_rig_wish *wish, ts_error *error)
{
    TS_TRY(ts_scene_create(&rig->scene, error));
    ts_settings settings = ts_default_settings();
    settings.time_step = wish->step;
    settings.seed = wish->seed > 0 ? wish->seed : 1;
    TS_TRY(ts_scene_set(rig->scene, &settings, error));
    ts_space_def space = ts_default_space();
    space.gravity[2] = -wish->gravity;
    TS_TRY(ts_scene_set_space(rig->scene, &space, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "impact";
    dynamics.impact_operator = wish->by;
    dynamics.sweeps = wish->sweeps;
    dynamics.staggered = 0; /* friction once, as published */
    if (wish->uncorrected)
        dynamics.correction = 0;
    TS_TRY(ts_scene_set_dynamics(rig->scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    if (wish->density > 0)
        material.density = wish->density;
    material.friction = wish->friction;
    material.restitution = wish->restitution;
    return ts_scene_set_default_material(rig->scene, &material, error);
}

ts_status ts_space_rig_mesh(ts_rig *rig, const char *name, const ts_mesh *mesh, int cells, int32_t *solid,
                            ts_error *error)
{
    ts_piece_def piece = {.kind = TS_PIECE_MESH,
                          .point = (const double(*)[3])mesh->vertex,
                          .point_count = mesh->vertex_count,
                          .triangle = (const int32_t(*)[3])mesh->triangle,
                          .triangle_count = mesh->triangle_count,
                          .cells = cells};
    ts_shape_def def = ts_default_shape();
    def.name = name;
    def.piece = &piece;
    def.piece_count = 1;
    return ts_scene_add_shape(rig->scene, &def, solid, error);
}

ts_pose3 ts_space_rig_pose(const ts_rig *rig, size_t body)
{
    const ts_body3 *b = &ts_state_bodies3(rig->state)[body];
    return (ts_pose3){{b->position[0], b->position[1], b->position[2]},
                      {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]}};
}

ts_vec3 ts_space_rig_position(const ts_rig *rig, size_t body)
{
    return ts_space_rig_pose(rig, body).position;
}

ts_space_sums ts_space_rig_sums(const ts_rig *rig, double gravity)
{
    const ts_body3 *body = ts_state_bodies3(rig->state);
    ts_space_sums sums = {0};
    for (size_t i = 0; i < ts_model_body_count(rig->model); i++) {
        const ts_body3 *b = &body[i];
        if (!(b->inv_mass > 0))
            continue;
        const double mass = ts_model_mass(rig->model, i);
        const ts_vec3 x = ts_vec3_of(b->position), v = ts_vec3_of(b->velocity), own = ts_vec3_of(b->angular_momentum);
        double rate[6];
        ts_error ignored;
        if (ts_state_velocity(rig->state, i, rate, &ignored) != TS_OK) /* there is such a body */
            continue;
        sums.momentum = ts_vec3_add_scaled(sums.momentum, v, mass);
        sums.angular = ts_vec3_add(sums.angular, ts_vec3_add_scaled(own, ts_vec3_cross(x, v), mass));
        sums.kinetic += 0.5 * mass * ts_vec3_dot(v, v) + 0.5 * ts_vec3_dot(ts_vec3_of(rate + 3), own);
        sums.height += mass * gravity * x.z;
    }
    return sums;
}

ts_status ts_space_rig_step(ts_rig *rig, uint64_t count, ts_space_stop *stop, ts_error *error)
{
    if (stop->status != TS_OK)
        return TS_OK;
    ts_status status = ts_rig_step(rig, count, error);
    if (status != TS_DIVERGED)
        return status;
    stop->status = status;
    snprintf(stop->why, sizeof stop->why, "%.500s", error->message);
    return TS_OK;
}
