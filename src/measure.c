/* SPDX-License-Identifier: MIT */
/* Energies, momentum and overlaps of a state. Sums run in order of body and of contact, so they do not depend on threads. */
#include <math.h>

#include "dynamics/dynamics.h"
#include "space_step.h"
#include "workspace.h"

static void measure_bodies(const ts_model *model, const ts_state *state, ts_measures *out)
{
    const double *g = model->settings.gravity;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body *body = &state->body[i];
        if (!(body->inv_mass > 0))
            continue;
        double mass = 1 / body->inv_mass, inertia = 1 / model->inv_inertia[i];
        double speed2 = body->vx * body->vx + body->vy * body->vy;
        out->kinetic += 0.5 * mass * speed2;
        out->rotational += 0.5 * inertia * body->spin * body->spin;
        out->gravitational -= mass * (g[0] * body->x + g[1] * body->y);
        out->momentum[0] += mass * body->vx;
        out->momentum[1] += mass * body->vy;
        out->angular += inertia * body->spin + mass * (body->x * body->vy - body->y * body->vx);
        out->max_speed = fmax(out->max_speed, sqrt(speed2));
    }
}

/* The smaller radius of the two that touch: of a body's own disc where it has several. */
static double smaller_radius(const ts_model *model, const ts_contact *contact)
{
    double radius = (double)INFINITY;
    int64_t id[2] = {contact->a, contact->b};
    uint32_t part[2] = {(uint32_t)(contact->key >> 32), (uint32_t)contact->key};
    for (int side = 0; side < 2; side++)
        if (id[side] >= 0)
            radius =
                fmin(radius, model->parts_are_bodies ? model->body[id[side]].radius
                                                     : model->part_radius[model->part_begin[id[side]] + part[side]]);
    return radius;
}

typedef struct measure_job {
    const ts_model *model;
    ts_measures *out;
    double overlap_sum;
} measure_job;

static void measure_contacts(void *context, const ts_contact *contact, int count)
{
    measure_job *job = context;
    ts_measures *out = job->out;
    out->contact_count += (uint64_t)count;
    for (int k = 0; k < count; k++) {
        double overlap = -contact[k].gap;
        job->overlap_sum += overlap;
        out->elastic += job->model->dynamics->energy(job->model, &contact[k]);
        out->max_overlap = fmax(out->max_overlap, overlap);
        out->overlap_ratio = fmax(out->overlap_ratio, overlap / smaller_radius(job->model, &contact[k]));
    }
}

static ts_status measure_plane(const ts_model *model, const ts_state *state, ts_workspace *work, ts_measures *out,
                               ts_error *error)
{
    measure_job job = {model, out, 0};
    TS_TRY(ts_look(model, state, work, measure_contacts, &job, error));
    measure_bodies(model, state, out);
    out->mean_overlap = out->contact_count > 0 ? job.overlap_sum / (double)out->contact_count : 0;
    return TS_OK;
}

ts_status ts_measure(const ts_model *model, const ts_state *state, ts_workspace *work, ts_measures *out,
                     ts_error *error)
{
    ts_measures measures = {.time = ts_state_time(state)};
    if (ts_model_is_space(model))
        TS_TRY(ts_space_measure(model, state, work, &measures, error));
    else
        TS_TRY(measure_plane(model, state, work, &measures, error));
    measures.work = state->budget.work;
    measures.lost_normal = state->budget.lost_normal;
    measures.lost_tangential = state->budget.lost_tangential;
    measures.lost_friction = state->budget.lost_friction;
    *out = measures;
    return TS_OK;
}
