/* SPDX-License-Identifier: MIT */
#include "placed.h"

#include "contact/pairs.h"
#include "world.h"

bool ts_model_moves(const ts_model *model, size_t body)
{
    return model->world->inv_mass(model, body) > 0;
}

double ts_model_radius(const ts_model *model, size_t body)
{
    return model->world->radius(model, body);
}

ts_placed ts_placed_body(const ts_state *state, size_t body)
{
    const ts_model *model = state->model;
    ts_placed placed = model->world->placed(state, body);
    placed.present = !ts_body_absent(model, body, ts_time_of_step(model, state->step));
    return placed;
}

ts_placed ts_placed_wall(const ts_model *model, size_t wall, double time)
{
    const ts_wall *w = &model->wall[wall];
    ts_placed placed = model->world->placed_wall(w, w->motion >= 0 ? &model->motion[w->motion] : NULL, time);
    placed.present = !(w->open <= time && time < w->close);
    return placed;
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
