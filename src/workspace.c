/* SPDX-License-Identifier: MIT */
#include "workspace.h"

#include "advance.h"
#include "base/memory.h"
#include "base/release.h"
#include "contact/feature_lanes.h"
#include "contact/featured.h"
#include "contact/forms.h"
#include "dynamics/dynamics.h"
#include "pull.h"
#include "world.h"

/* Parts that make another thread worth its while: a step of a thousand takes some 40 µs, and handing out its loops to a
 * second thread gains little on an idle machine and loses much on a busy one. */
#define PARTS_A_THREAD 1000

/* One a core, but no more than there is work for. */
static int threads_for(const ts_model *model)
{
    size_t useful = 1 + model->part_count / PARTS_A_THREAD;
    int cores = ts_processor_count();
    return useful < (size_t)cores ? (int)useful : cores;
}

ts_status ts_workspace_create(const ts_model *model, int thread_count, ts_workspace **out, ts_error *error)
{
    TS_AUTO(ts_workspace_free_at) ts_workspace *work = NULL;
    TS_TRY(ts_new(&work, 1, error));
    work->model = model;
    work->analytic = ts_analytic_choose();
    work->feature = ts_feature_choose();
    work->advance = ts_advance_choose();
    work->chunk_count = (model->body_count + TS_BODY_CHUNK - 1) / TS_BODY_CHUNK;
    TS_TRY(ts_pool_create(thread_count == 0 ? threads_for(model) : thread_count, &work->pool, error));
    TS_TRY(ts_new(&work->chunk, work->chunk_count, error));
    for (size_t i = 0; i < work->chunk_count; i++)
        work->chunk[i].runaway = -1;
    TS_TRY(model->world->open(model, work, error));
    TS_TRY(ts_pulls_create(model, work, error));
    if (model->resolver->open)
        TS_TRY(model->resolver->open(model, &work->own, error));
    *out = ts_give(&work);
    return TS_OK;
}

void ts_workspace_free(ts_workspace *work)
{
    if (!work)
        return;
    if (work->model->resolver->close)
        work->model->resolver->close(work->own);
    ts_array_free(&work->contact);
    ts_pool_free(work->pool);
    ts_pairs_free(&work->pairs);
    ts_carry_free(&work->carry);
    ts_free(work->part);
    ts_free(work->material);
    ts_free(work->form);
    ts_free(work->path);
    ts_featured_free(work->featured);
    ts_free(work->wrench);
    ts_free(work->wall);
    ts_free(work->wall_frame);
    ts_free(work->wall_material);
    ts_free(work->block_wall_wrench);
    ts_free(work->wall_wrench);
    ts_free(work->push3);
    ts_pulls_free(work->pulls);
    ts_free(work->driven);
    ts_free(work->chunk);
    ts_free(work->block);
    ts_free(work->view_spring);
    ts_free(work);
}

int ts_workspace_threads(const ts_workspace *work)
{
    return ts_pool_thread_count(work->pool);
}

void ts_workspace_time_phases(ts_workspace *work, bool on)
{
    work->timers.on = on;
}

const ts_timers *ts_workspace_timers(const ts_workspace *work)
{
    return &work->timers;
}

size_t ts_memory_bytes(const ts_model *model, const ts_state *state, const ts_workspace *work)
{
    size_t bytes = model ? model->bytes + ts_forms_bytes(model->forms) : 0;
    if (state)
        bytes += sizeof *state + state->model->body_count * state->model->world->body_size +
                 (state->pair_capacity + state->wall_capacity) * sizeof *state->spring +
                 state->history.capacity * sizeof *state->history.item +
                 state->impulses.capacity * sizeof *state->impulses.item +
                 state->found.capacity * sizeof *state->found.item;
    if (work) {
        const ts_model *of = work->model;
        bytes +=
            sizeof *work + work->pairs.bytes + work->carry.bytes + ts_featured_bytes(work->featured) +
            (of->body ? of->part_count : 0) * (sizeof *work->part + sizeof *work->wrench + (work->material ? 1 : 0) +
                                               (work->form ? sizeof *work->form + sizeof *work->path : 0)) +
            (work->wall ? of->wall_count : 0) *
                (sizeof *work->wall + sizeof *work->wall_frame + sizeof *work->wall_wrench + 1) +
            work->block_capacity * (sizeof *work->block + of->wall_count * sizeof *work->block_wall_wrench) +
            work->chunk_count * sizeof *work->chunk + work->driven_count * sizeof *work->driven +
            work->contact.capacity * sizeof *work->contact.item;
        bytes += work->view_capacity * sizeof *work->view_spring;
        bytes += work->push3 ? of->body_count * sizeof *work->push3 : 0;
        bytes += work->pulls ? 2 * of->body_count * (size_t)of->world->v_size * sizeof(double) : 0;
        bytes += work->own ? of->resolver->bytes(work->own, of) : 0;
    }
    return bytes;
}
