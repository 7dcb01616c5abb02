/* SPDX-License-Identifier: MIT */
/* Energies, momentum and overlaps of a state. Sums run in order of body and of contact, so they do not depend on
 * threads. */
#include <math.h>

#include "dynamics/dynamics.h"
#include "world.h"

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
        if (job->model->resolver->energy)
            out->elastic += job->model->resolver->energy(job->model, &contact[k]);
        out->max_overlap = fmax(out->max_overlap, overlap);
        out->overlap_ratio =
            fmax(out->overlap_ratio, overlap / job->model->world->contact_size(job->model, &contact[k]));
    }
}

ts_status ts_measure(const ts_model *model, const ts_state *state, ts_workspace *work, ts_measures *out,
                     ts_error *error)
{
    ts_measures measures = {.time = ts_state_time(state)};
    measure_job job = {model, &measures, 0};
    TS_TRY(ts_look(model, state, work, measure_contacts, &job, error));
    model->world->measure(model, state, &measures);
    measures.mean_overlap = measures.contact_count > 0 ? job.overlap_sum / (double)measures.contact_count : 0;
    measures.work = state->budget.work;
    measures.lost_normal += state->budget.lost_normal; /* to what contacts hold back now */
    measures.lost_tangential = state->budget.lost_tangential;
    measures.lost_friction = state->budget.lost_friction;
    *out = measures;
    return TS_OK;
}
