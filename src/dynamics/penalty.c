/* SPDX-License-Identifier: MIT */
#include "dynamics/penalty.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "base/memory.h"
#include "contact/featured.h"
#include "contact/find.h"
#include "dynamics/penalty_space.h"
#include "workspace.h"

TS_KERNEL_CHOOSER(ts_penalty_kernels, ts_penalty)

/* ---- Memory ---- */

typedef struct memory {
    const ts_penalty_kernels *kernels;
} memory;

static ts_status open_memory(const ts_model *model, void **own, ts_error *error)
{
    (void)model;
    memory *m = ts_alloc(1, sizeof *m);
    if (!m)
        return ts_fail_memory(error, sizeof *m);
    m->kernels = ts_penalty_choose();
    *own = m;
    return TS_OK;
}

static size_t memory_bytes(const void *own, const ts_model *model)
{
    (void)own;
    (void)model;
    return sizeof(memory);
}

static const ts_penalty_kernels *kernels_of(const ts_workspace *work)
{
    return ((const memory *)work->own)->kernels;
}

void ts_penalty_use(ts_workspace *work, const ts_penalty_kernels *kernels)
{
    ((memory *)work->own)->kernels = kernels;
}

/* What the kernel needs for contacts of part against part, or of wall against part. */
static ts_penalty_task make_task(const ts_model *model, const ts_workspace *work, bool wall,
                                 ts_wrench *block_wall_wrench)
{
    bool one = model->material_count == 1;
    return (ts_penalty_task){.frame_a = wall ? work->wall_frame : work->part,
                             .frame_b = work->part,
                             .wrench_a = wall ? block_wall_wrench : work->wrench,
                             .wrench_b = work->wrench,
                             .material_a = one    ? NULL
                                           : wall ? work->wall_material
                                                  : work->material,
                             .material_b = one ? NULL : work->material,
                             .law = model->law,
                             .material_count = model->material_count,
                             .time_step = model->settings.time_step,
                             .may_pull = ts_penalty_param_of(model)->damping_may_pull};
}

/* ---- Resolving ---- */

typedef struct resolve_job {
    const ts_model *model;
    ts_state *state;
    ts_workspace *work;
    int32_t colour;
} resolve_job;

typedef struct block_job {
    const ts_workspace *work;
    const ts_penalty_kernels *kernels;
    ts_penalty_task parts, walls;
    ts_block_report report;
} block_job;

/* Counts a batch, and remembers the deepest overlap. */
static void note_batch(ts_block_report *report, const ts_workspace *work, const ts_contact_batch *batch, bool wall)
{
    report->contacts += (uint64_t)batch->count;
    int deepest = 0;
    for (int k = 1; k < batch->count; k++)
        deepest = batch->gap[k] < batch->gap[deepest] ? k : deepest;
    if (-batch->gap[deepest] <= report->max_overlap)
        return;
    int32_t slot = batch->b[deepest];
    if (!wall && work->part[batch->a[deepest]].radius < work->part[slot].radius)
        slot = batch->a[deepest];
    report->max_overlap = -batch->gap[deepest];
    report->overlap_ratio = report->max_overlap / work->part[slot].radius;
    const int32_t part = work->pairs.part_of_slot[slot];
    report->body = work->model->parts_are_bodies ? part : work->model->part_body[part];
}

/* A tangential spring stores share · ½ k_t s², and shares go from place to place as depths do
 * (contact/feature_lanes.simd.c). What that adds to the springs no force has done, so it counts as a loss below 0 (or
 * above, when it takes from them). The record has the share of the step before. (What normal springs store is an energy
 * of all depths together.) */
static void note_shares(const ts_penalty_task *task, const ts_contact_batch *batch, const ts_batch_source *source)
{
    double sum = 0;
    for (int k = 0; k < batch->count; k++) {
        const double s = source->spring[k];
        const size_t law =
            task->material_a ? task->material_a[batch->a[k]] * task->material_count + task->material_b[batch->b[k]] : 0;
        sum += 0.5 * task->law[law].kt * s * s * (batch->share[k] - source->record[k].value[1]);
    }
    task->lost[1] -= sum;
}

static void apply_batch(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    block_job *job = context;
    const ts_penalty_task *task = source->wall ? &job->walls : &job->parts;
    if (batch->shared)
        note_shares(task, batch, source);
    job->kernels->apply(task, batch, source->spring, NULL);
    note_batch(&job->report, job->work, batch, source->wall);
}

static void resolve_block(void *context, int task, int thread)
{
    (void)thread;
    const resolve_job *job = context;
    ts_workspace *work = job->work;
    int32_t block = job->colour + task * work->pairs.colour_count;
    size_t walls = job->model->wall_count;
    ts_wrench *block_wall_wrench = walls > 0 ? work->block_wall_wrench + (size_t)block * walls : NULL;
    if (walls > 0)
        memset(block_wall_wrench, 0, walls * sizeof *block_wall_wrench);
    block_job here = {.work = work,
                      .kernels = kernels_of(work),
                      .parts = make_task(job->model, work, false, NULL),
                      .walls = make_task(job->model, work, true, block_wall_wrench)};
    here.parts.lost = here.walls.lost = here.report.lost;
    here.report.queries =
        ts_block_contacts(work, block, job->state->spring, job->state->wall_spring, apply_batch, &here);
    work->block[block] = here.report;
}

/* Action equals reaction: all forces on parts and walls add up to nothing. Checked at every step of a debug
 * build. */
static void check_balance(const ts_model *model, const ts_workspace *work)
{
#ifndef NDEBUG
    double x = 0, y = 0, size = 0;
    for (size_t i = 0; i < model->part_count + model->wall_count; i++) {
        const ts_wrench *w = i < model->part_count ? &work->wrench[i] : &work->wall_wrench[i - model->part_count];
        x += w->fx;
        y += w->fy;
        size += fabs(w->fx) + fabs(w->fy);
    }
    /* rounding of a sum of n terms is below n ulp; NaN is a diverging run's business, not the programmer's */
    double bound = 1e-16 * (double)(model->part_count + 100) * size;
    assert(!(fabs(x) > bound) && !(fabs(y) > bound));
#else
    (void)model;
    (void)work;
#endif
}

/* The work that what is driven does on the bodies in this step: the force it exerts, along the way it goes. */
static double driven_work(const ts_model *model, const ts_state *state, const ts_workspace *work)
{
    double power = 0;
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wrench *w = &work->wall_wrench[i];
        const ts_frame2 *frame = &work->wall_frame[i];
        power -= w->fx * frame->vx + w->fy * frame->vy + w->torque * frame->spin;
    }
    for (size_t k = 0; k < work->driven_count; k++) {
        size_t i = work->driven[k];
        size_t begin = model->parts_are_bodies ? i : model->part_begin[i];
        size_t end = model->parts_are_bodies ? i + 1 : model->part_begin[i + 1];
        for (size_t p = begin; p < end; p++) {
            const ts_wrench *w = &work->wrench[work->pairs.slot_of_part[p]];
            const ts_frame2 *frame = &work->part[work->pairs.slot_of_part[p]];
            power -= w->fx * frame->vx + w->fy * frame->vy + w->torque * state->body[i].spin;
        }
    }
    return power * model->settings.time_step;
}

static ts_status resolve(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    int32_t blocks = work->pairs.block_count, colours = work->pairs.colour_count;
    if (work->featured)
        ts_featured_begin(work, &state->history);
    for (int32_t colour = 0; colour < colours && colour < blocks; colour++) {
        resolve_job job = {model, state, work, colour};
        ts_pool_run(work->pool, (blocks - colour + colours - 1) / colours, resolve_block, &job);
    }
    if (work->featured)
        TS_TRY(ts_featured_end(work, state, error));
    /* in block order, so that the sums do not depend on who worked on which block */
    if (model->wall_count > 0)
        memset(work->wall_wrench, 0, model->wall_count * sizeof *work->wall_wrench);
    for (int32_t block = 0; block < blocks; block++) {
        work->contact_sum += work->block[block].contacts;
        work->query_sum += work->block[block].queries;
        state->budget.lost_normal += work->block[block].lost[0];
        state->budget.lost_tangential += work->block[block].lost[1];
        state->budget.lost_friction += work->block[block].lost[2];
        ts_note_overlap(work, work->block[block].max_overlap, work->block[block].overlap_ratio,
                        work->block[block].body);
        for (size_t i = 0; i < model->wall_count; i++) {
            const ts_wrench *from = &work->block_wall_wrench[(size_t)block * model->wall_count + i];
            work->wall_wrench[i].fx += from->fx;
            work->wall_wrench[i].fy += from->fy;
            work->wall_wrench[i].torque += from->torque;
        }
    }
    state->budget.work += driven_work(model, state, work);
    check_balance(model, work);
    return TS_OK;
}

/* ---- Looking ---- */

typedef struct look_job {
    const ts_model *model;
    const ts_workspace *work;
    ts_penalty_task parts, walls;
    ts_contact_sink *sink;
    void *context;
} look_job;

static void look_batch(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    look_job *job = context;
    const ts_workspace *work = job->work;
    ts_contact contact[TS_BATCH];
    double force[2 * TS_BATCH];
    kernels_of(work)->apply(source->wall ? &job->walls : &job->parts, batch, source->spring, force);
    ts_fill_contacts(job->model, work, batch, source, force, contact);
    job->sink(job->context, contact, batch->count);
}

static ts_status look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                      void *context, ts_error *error)
{
    const double *spring, *wall_spring;
    TS_TRY(ts_plane_view(model, state, work, &spring, &wall_spring, error));
    look_job job = {.model = model,
                    .work = work,
                    .parts = make_task(model, work, false, NULL),
                    .walls = make_task(model, work, true, NULL),
                    .sink = sink,
                    .context = context};
    /* the force as it acts now: springs at their length, not one step ahead */
    job.parts.time_step = job.walls.time_step = 0;
    if (work->featured)
        ts_featured_begin(work, &state->history);
    for (int32_t block = 0; block < work->pairs.block_count; block++)
        ts_block_look(work, block, spring, wall_spring, look_batch, &job);
    return TS_OK;
}

/* ---- Energy ---- */

double ts_penalty_energy(const ts_model *model, const ts_contact *contact, double share)
{
    const size_t a = ts_model_material(model, contact->a), b = ts_model_material(model, contact->b);
    const ts_contact_law *law = &model->law[a * model->material_count + b];
    const double *s = contact->history;
    return 0.5 * share * (law->kn * contact->gap * contact->gap + law->kt * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]));
}

/* One of several places of a pair has a share of its springs; the weight of a map is a slope of the gap instead. */
static double energy(const ts_model *model, const ts_contact *contact)
{
    return ts_penalty_energy(model, contact, model->places == TS_PLACES_FEATURES ? contact->weight : 1);
}

static const ts_resolver in_plane = {.search = {.at = 0.5},
                                     .overlap_at_start = TS_PENALTY_OVERLAP_AT_START,
                                     .stable_step = ts_penalty_stable_in_plane,
                                     .time_step = ts_penalty_time_step,
                                     .resolve = resolve,
                                     .look = look,
                                     .energy = energy,
                                     .open = open_memory,
                                     .close = ts_free,
                                     .bytes = memory_bytes};

/* ---- The row of the table ---- */

static const ts_field field[] = {
    TS_KEY(ts_penalty_param, "tolerated_overlap", tolerated_overlap, NUMBER, NONE, POSITIVE, TS_FIELD_DERIVES),
    TS_KEY(ts_penalty_param, "expected_speed", expected_speed, NUMBER, SPEED, POSITIVE,
           TS_FIELD_AUTO | TS_FIELD_DERIVES),
    TS_KEY(ts_penalty_param, "damping_may_pull", damping_may_pull, FLAG, NONE, ANY, 0),
};

static ts_status check(const ts_check *c, const void *param)
{
    return ts_check_range(c, "tolerated_overlap", ((const ts_penalty_param *)param)->tolerated_overlap, 0, 0.5);
}

/* NaN where damping is given and restitution depends on the masses. */
static double restitution(const ts_model *model, const ts_contact_law *law)
{
    if (law->cn > 0)
        return (double)NAN;
    return ts_restitution_of(law->cn_mass / (2 * sqrt(law->kn)), ts_penalty_param_of(model)->damping_may_pull);
}

const ts_dynamics ts_penalty_dynamics = {.name = "penalty",
                                         .plane = &in_plane,
                                         .space = &ts_penalty_in_space,
                                         .field = field,
                                         .field_count = sizeof field / sizeof *field,
                                         .param_bytes = sizeof(ts_penalty_param),
                                         .defaults = &(const ts_penalty_param){.tolerated_overlap = 0.05},
                                         .check = check,
                                         .derive = ts_penalty_derive,
                                         .springs = true,
                                         .restitution = restitution,
                                         .tell = ts_penalty_tell,
                                         .aimed_overlap = ts_penalty_aimed_overlap,
                                         .against_overlap = "raise the stiffness"};
