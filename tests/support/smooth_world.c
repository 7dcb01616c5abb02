/* SPDX-License-Identifier: MIT */
#include "support/smooth_world.h"

#include "model.h"
#include "shape/solid_mass.h"
#include "support/check.h"

void ts_test_become_smooth(ts_test_world *w, int32_t shape, const ts_sdf_body *body)
{
    ts_model *model = w->model;
    for (size_t f = 0; f < model->form_count; f++) {
        ts_form3 *form = &model->form[f];
        if (form->shape != shape)
            continue;
        ts_piece *piece = &model->piece[form->piece_begin];
        const double inner = piece->solid.inner;
        piece->solid = (ts_solid){.kind = TS_SOLID_SMOOTH, .smooth = body, .inner = inner};
        ts_solid_mass mass;
        OK(ts_solid_mass_of(&piece->solid, &mass, ERROR));
        piece->pose = (ts_pose3){ts_vec3_neg(mass.centre), ts_quat_identity()};
        form->radius = ts_solid_radius(&piece->solid) + ts_vec3_length(mass.centre);
        for (size_t i = 0; i < model->body_count; i++) {
            if (model->body_form[i] != (int32_t)f)
                continue;
            const double density = 1000;
            OK(ts_inertia_make(ts_mat3_scale(mass.inertia, density), &model->inertia[i], ERROR));
            model->mass[i] = density * mass.volume;
            model->body3[i].radius = form->radius;
            if (model->body3[i].inv_mass > 0)
                model->body3[i].inv_mass = 1 / model->mass[i];
        }
    }
}

void ts_test_begin(ts_test_world *w, int threads)
{
    OK(ts_state_create(w->model, &w->state, ERROR));
    OK(ts_workspace_create(w->model, threads, &w->work, ERROR));
}
