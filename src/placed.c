/* SPDX-License-Identifier: MIT */
#include "placed.h"

#include <math.h>

#include "body/flight.h"
#include "contact/pairs.h"

static ts_pose3 pose_in_plane(ts_pose2 at)
{
    return (ts_pose3){{at.x, at.y, 0}, {cos(0.5 * at.angle), 0, 0, sin(0.5 * at.angle)}};
}

static bool is_away(double open, double close, double time)
{
    return open <= time && time < close;
}

static ts_pose3 pose_of(const ts_body3 *b)
{
    return (ts_pose3){{b->position[0], b->position[1], b->position[2]},
                      {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]}};
}

static ts_placed body_in_space(const ts_state *state, size_t i)
{
    const ts_model *model = state->model;
    const ts_body3 *b = &state->body3[i];
    ts_vec3 spin = {b->angular_momentum[0], b->angular_momentum[1], b->angular_momentum[2]};
    ts_pose3 pose = pose_of(b);
    spin = ts_inertia_spin(&model->inertia[i], pose.quat, spin);
    int32_t gate = model->body_gate ? model->body_gate[i] : -1;
    double time = ts_time_of_step(model, state->step);
    return (ts_placed){.pose = pose,
                       .velocity = {b->velocity[0], b->velocity[1], b->velocity[2]},
                       .spin = spin,
                       .present = gate < 0 || !is_away(model->gate[gate].open, model->gate[gate].close, time)};
}

ts_placed ts_placed_body(const ts_state *state, size_t body)
{
    if (state->model->dimension == 3)
        return body_in_space(state, body);
    const ts_body *b = &state->body[body];
    return (ts_placed){.pose = pose_in_plane((ts_pose2){b->x, b->y, b->angle}),
                       .angle = b->angle,
                       .velocity = {b->vx, b->vy, 0},
                       .spin = {0, 0, b->spin},
                       .present = !ts_body_absent(state->model, body, ts_time_of_step(state->model, state->step))};
}

ts_placed ts_placed_wall(const ts_model *model, size_t wall, double time)
{
    const ts_wall *w = &model->wall[wall];
    if (model->dimension == 3) {
        ts_pose3 pose = w->motion >= 0 ? ts_motion_pose3(&model->motion[w->motion], w->pose, time) : w->pose;
        return (ts_placed){.pose = pose, .present = !is_away(w->open, w->close, time)};
    }
    ts_pose2 pose = {w->pose.position.x, w->pose.position.y, 0};
    if (w->motion >= 0)
        pose = ts_motion_pose(&model->motion[w->motion], pose, time);
    return (ts_placed){.pose = pose_in_plane(pose), .angle = pose.angle, .present = !is_away(w->open, w->close, time)};
}

double ts_placed_spring_energy(const ts_state *state)
{
    const ts_model *model = state->model;
    double sum = 0;
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        ts_pose3 a = s->a >= 0 ? ts_placed_body(state, (size_t)s->a).pose : ts_pose3_identity();
        sum += ts_spring_pull(s, a, ts_placed_body(state, (size_t)s->b).pose).energy;
    }
    return sum;
}
