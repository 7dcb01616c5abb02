/* SPDX-License-Identifier: MIT */
#include "workspace.h"

#include "advance.h"
#include "base/memory.h"
#include "contact/featured.h"
#include "contact/forms.h"
#include "dynamics/penalty.h"

static void find_driven(const ts_model *model, ts_workspace *work)
{
    for (size_t i = 0; model->body_motion && i < model->body_count; i++)
        if (model->body_motion[i] >= 0) {
            if (work->driven)
                work->driven[work->driven_count] = i;
            work->driven_count++;
        }
}

/* Bodies that scripts move: counted, then listed. */
static ts_status list_driven(const ts_model *model, ts_workspace *work, ts_error *error)
{
    find_driven(model, work);
    if (work->driven_count == 0)
        return TS_OK;
    work->driven = ts_alloc(work->driven_count, sizeof *work->driven);
    if (!work->driven)
        return ts_fail_memory(error, work->driven_count * sizeof *work->driven);
    work->driven_count = 0;
    find_driven(model, work);
    return TS_OK;
}

static ts_status allocate(const ts_model *model, ts_workspace *work, ts_error *error)
{
    size_t parts = model->part_count, walls = model->boundary_count;
    size_t bodies = model->space ? model->space->body_count : model->body_count;
    work->chunk_count = (bodies + TS_BODY_CHUNK - 1) / TS_BODY_CHUNK;
    work->part = ts_alloc(parts, sizeof *work->part);
    work->wrench = ts_alloc(parts, sizeof *work->wrench);
    work->wall = ts_alloc(walls, sizeof *work->wall);
    work->wall_frame = ts_alloc(walls, sizeof *work->wall_frame);
    work->wall_material = ts_alloc(walls, sizeof *work->wall_material);
    work->boundary_wrench = ts_alloc(walls, sizeof *work->boundary_wrench);
    work->chunk = ts_alloc(work->chunk_count, sizeof *work->chunk);
    bool by_part = work->part && work->wrench && work->chunk;
    if (model->material_count > 1) {
        work->material = ts_alloc(parts, sizeof *work->material);
        by_part = by_part && work->material;
    }
    if (model->forms) {
        work->form = ts_alloc(parts, sizeof *work->form);
        work->path = ts_alloc(parts, sizeof *work->path);
        by_part = by_part && work->form && work->path;
        if (model->places == TS_PLACES_FEATURES)
            TS_TRY(ts_featured_create(model, &work->featured, error));
    }
    bool by_wall = work->wall && work->wall_frame && work->wall_material && work->boundary_wrench;
    if ((parts > 0 && !by_part) || (walls > 0 && !by_wall) || !work->chunk)
        return ts_fail_memory(error, parts * (sizeof *work->part + sizeof *work->wrench));
    for (size_t i = 0; i < walls; i++)
        work->wall_material[i] = (uint8_t)model->boundary[i].material;
    TS_TRY(ts_pairs_create(&work->pairs, model, error));
    TS_TRY(ts_carry_create(&work->carry, parts, error));
    return list_driven(model, work, error);
}

/* Parts that make another thread worth its while: a step of a thousand takes some 40 µs, and handing out its loops to a second
 * thread gains little on an idle machine and loses much on a busy one. */
#define PARTS_A_THREAD 1000

/* One a core, but no more than there is work for. */
static int threads_for(const ts_model *model)
{
    size_t useful = 1 + (model->space ? model->space->part_count : model->part_count) / PARTS_A_THREAD;
    int cores = ts_processor_count();
    return useful < (size_t)cores ? (int)useful : cores;
}

ts_status ts_workspace_create(const ts_model *model, int thread_count, ts_workspace **out, ts_error *error)
{
    ts_workspace *work = ts_alloc(1, sizeof *work);
    if (!work)
        return ts_fail_memory(error, sizeof *work);
    work->model = model;
    work->analytic = ts_analytic_choose();
    work->penalty = ts_penalty_choose();
    work->advance = ts_advance_choose();
    ts_status status = ts_pool_create(thread_count == 0 ? threads_for(model) : thread_count, &work->pool, error);
    if (status == TS_OK)
        status = allocate(model, work, error);
    ts_status (*open)(const ts_model *, void **, ts_error *) =
        model->space ? model->dynamics->space->open : model->dynamics->open;
    if (status == TS_OK && open)
        status = open(model, &work->own, error);
    if (status != TS_OK) {
        ts_workspace_free(work);
        return status;
    }
    *out = work;
    return TS_OK;
}

void ts_workspace_free(ts_workspace *work)
{
    if (!work)
        return;
    const ts_dynamics *dynamics = work->model->dynamics;
    void (*close)(void *) = work->model->space ? dynamics->space->close : dynamics->close;
    if (close)
        close(work->own);
    ts_array_free(&work->contact);
    ts_pool_free(work->pool);
    ts_pairs_free(&work->pairs);
    ts_carry_free(&work->carry);
    ts_free(work->part);
    ts_free(work->material);
    ts_free(work->form);
    ts_free(work->path);
    ts_featured_free(work->featured);
    ts_array_free(&work->view_past);
    ts_free(work->wrench);
    ts_free(work->wall);
    ts_free(work->wall_frame);
    ts_free(work->wall_material);
    ts_free(work->wall_wrench);
    ts_free(work->boundary_wrench);
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
        bytes += sizeof *state + state->model->body_count * (sizeof *state->body + sizeof *state->reference) +
                 (state->pair_capacity + state->wall_capacity) * sizeof *state->spring +
                 (state->body3 ? state->model->space->body_count * sizeof *state->body3 : 0) +
                 state->past3.capacity * sizeof *state->past3.item;
    if (work) {
        const ts_model *of = work->model;
        bytes +=
            sizeof *work + work->pairs.bytes + work->carry.bytes + ts_featured_bytes(work->featured) +
            work->view_past.capacity * sizeof *work->view_past.item +
            of->part_count * (sizeof *work->part + sizeof *work->wrench + (work->material ? 1 : 0) +
                              (work->form ? sizeof *work->form + sizeof *work->path : 0)) +
            of->boundary_count * (sizeof *work->wall + sizeof *work->wall_frame + sizeof *work->boundary_wrench + 1) +
            work->block_capacity * (sizeof *work->block + of->boundary_count * sizeof *work->wall_wrench) +
            work->chunk_count * sizeof *work->chunk + work->driven_count * sizeof *work->driven +
            work->contact.capacity * sizeof *work->contact.item;
        bytes += work->view_capacity * sizeof *work->view_spring;
        bytes += work->own ? (of->space ? of->dynamics->space->bytes : of->dynamics->bytes)(work->own, of) : 0;
    }
    return bytes;
}
