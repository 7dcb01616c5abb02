/* SPDX-License-Identifier: MIT */
/* Contacts of the plane for a user, with the mean force of the last step: its whole impulse, normal and friction,
 * over the step.
 *
 * What rests hovers about a gap of zero: it presses in every step, and about half of the time its gap is a little above
 * zero where the step ends. So contacts that pressed and are open by no more than `open_most` are listed as well: a
 * heap at rest then shows all of the forces that hold it. */
#include <math.h>

#include "contact/faces.h"
#include "contact/featured.h"
#include "contact/forms.h"
#include "contact/mapped.h"
#include "dynamics/dynamics.h"
#include "dynamics/impact_plane.h"

/* Share of the smaller radius: twice the overlaps that impact leaves alone. */
static const double open_most = TS_OPEN_MOST;

typedef struct look_job {
    const ts_model *model;
    const ts_state *state;
    const ts_workspace *work;
    ts_contact_sink *sink;
    void *context;
} look_job;

/* Forces are sums over all places of a pair. */
static void look_batch(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    const look_job *job = context;
    const double per_time = 1 / job->model->settings.time_step;
    const double none[2 * TS_BATCH] = {0};
    ts_contact contact[TS_BATCH];
    ts_fill_contacts(job->model, job->work, batch, source, none, contact);
    for (int k = 0; k < batch->count; k++) {
        const ts_history *record = NULL;
        if (source->record) { /* by features: its own */
            for (int d = 0; d < 2; d++)
                contact[k].force[d] = per_time * source->record[batch->history[k]].value[TS_HELD_TANGENT + d];
            contact[k].history[0] = 0;
            continue;
        }
        const size_t count = ts_impact_records(job->state, source->spring[batch->history[k]], &record);
        for (size_t r = 0; r < count; r++)
            for (int d = 0; d < 2; d++)
                contact[k].force[d] +=
                    (record[r].b == contact[k].b ? per_time : -per_time) * record[r].value[TS_HELD_TANGENT + d];
        contact[k].history[0] = 0; /* there is none */
    }
    job->sink(job->context, contact, batch->count);
}

/* ---- Contacts that pressed and are open ---- */

/* The only contact of a batch, by the points of its normal's line. */
static void set_contact(ts_contact_batch *batch, double gap, const double n[2], const double arm_a[2],
                        const double arm_b[2])
{
    batch->count = 1;
    batch->gap[0] = gap;
    batch->nx[0] = n[0];
    batch->ny[0] = n[1];
    batch->ax[0] = arm_a[0];
    batch->ay[0] = arm_a[1];
    batch->bx[0] = arm_b[0];
    batch->by[0] = arm_b[1];
}

static void set_mapped(ts_contact_batch *batch, const ts_map_contact *c, const double a[2], const double b[2])
{
    set_contact(batch, c->gap, c->normal, (double[2]){c->point_a[0] - a[0], c->point_a[1] - a[1]},
                (double[2]){c->point_b[0] - b[0], c->point_b[1] - b[1]});
    batch->weighted = true;
    batch->shared = false;
    batch->weight[0] = c->slope;
}

static void look_at_pair(const ts_workspace *work, size_t k, ts_contact_batch *batch)
{
    const ts_candidate pair = work->pairs.pair[k];
    const ts_frame2 *a = &work->part[pair.a], *b = &work->part[pair.b];
    const ts_forms *forms = work->model->forms;
    batch->a[0] = pair.a;
    batch->b[0] = pair.b;
    if (!work->form || work->pairs.map[k] == TS_MAP_OF_DISCS) {
        const double dx = b->x - a->x, dy = b->y - a->y, reach = a->radius + b->radius, square = dx * dx + dy * dy;
        if (square < reach * reach) /* the kernel's question, to the bit: it has listed this one */
            return;
        const double distance = sqrt(square),
                     n[2] = {distance > 0 ? dx / distance : 1, distance > 0 ? dy / distance : 0};
        set_contact(batch, distance - reach, n, (double[2]){a->radius * n[0], a->radius * n[1]},
                    (double[2]){-b->radius * n[0], -b->radius * n[1]});
        return;
    }
    const ts_map_pose pose = {{a->x, a->y, a->angle},
                              {b->x, b->y, b->angle},
                              forms->meeting[work->form[pair.a] * forms->count + work->form[pair.b]].scale};
    ts_map_contact c;
    ts_mapped_ask(work, &forms->map[work->pairs.map[k]], &pair, 1, &pose, &c);
    set_mapped(batch, &c, (double[2]){a->x, a->y}, (double[2]){b->x, b->y});
}

/* A disc and an edge or a corner of a wall. */
static void look_at_face(const ts_workspace *work, ts_candidate pair, ts_contact_batch *batch)
{
    const double open = 2 * open_most * work->part[pair.b].radius;
    ts_find_faces(work->model, work->wall, work->part, &pair, 1, open, &(double){0}, batch);
}

static void look_at_wall(const ts_workspace *work, size_t k, ts_contact_batch *batch)
{
    const ts_model *model = work->model;
    const ts_candidate pair = work->pairs.wall[k];
    const ts_face *face = model->faces ? &model->faces->face[pair.a] : NULL;
    const bool whole = !face || face->kind == TS_FACE_WHOLE,
               outline = work->form && !ts_form_is_disc(model->forms, work->form[pair.b]);
    const int32_t wall = face ? face->wall : pair.a;
    const ts_wall_frame *w = &work->wall[wall];
    const ts_frame2 *part = &work->part[pair.b];
    const double dx = part->x - w->frame.x, dy = part->y - w->frame.y;
    batch->a[0] = wall;
    batch->b[0] = pair.b;
    if (w->absent || (!whole && outline)) /* pieces of a wall know only what overlaps (contact/pieces.h) */
        return;
    if (!whole) {
        look_at_face(work, pair, batch);
    } else if (outline) {
        ts_map_contact c;
        ts_mapped_wall_at(model->forms, work->form[pair.b], w, part, &c);
        set_mapped(batch, &c, (double[2]){0, 0}, (double[2]){dx, dy});
    } else {
        double n[2];
        const double gap = ts_wall_gap(w, dx, dy, part->radius, &n[0], &n[1]), reach = part->radius + gap;
        set_contact(batch, gap, n, (double[2]){dx - reach * n[0], dy - reach * n[1]},
                    (double[2]){-part->radius * n[0], -part->radius * n[1]});
    }
}

static double smaller_radius(const ts_workspace *work, const ts_contact_batch *batch, bool wall)
{
    const double b = work->part[batch->b[0]].radius;
    return wall ? b : fmin(b, work->part[batch->a[0]].radius);
}

/* Candidate k, if it pressed and is open: what overlaps is found by the kernels. */
static void look_if_open(look_job *job, bool wall, const double *held, size_t k)
{
    const ts_history *record;
    ts_contact_batch batch;
    const ts_workspace *work = job->work;
    if (work->featured && (wall ? ts_featured_walls_end(work, k, k + 1) > k : work->pairs.map[k] == TS_MAP_OF_FEATURES))
        return; /* those are listed already */
    if (ts_impact_records(job->state, held[k], &record) == 0)
        return;
    batch.count = 0;
    batch.weighted = batch.shared = false;
    batch.history[0] = 0;
    (wall ? look_at_wall : look_at_pair)(job->work, k, &batch);
    if (batch.count == 0 || batch.gap[0] < 0) /* the kernels have listed that */
        return;
    if (!(batch.gap[0] <= open_most * smaller_radius(job->work, &batch, wall)))
        return;
    const ts_candidate *pair = (wall ? job->work->pairs.wall : job->work->pairs.pair) + k;
    ts_batch_source source = {.wall = wall, .pair = pair, .spring = &(double){held[k]}, .first = k};
    look_batch(job, &batch, &source);
}

ts_status ts_impact_look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                         void *context, ts_error *error)
{
    const double *spring, *wall_spring;
    TS_TRY(ts_plane_view(model, state, work, &spring, &wall_spring, error));
    look_job job = {model, state, work, sink, context};
    const ts_pairs *pairs = &work->pairs;
    if (work->featured)
        ts_featured_begin(work, &state->history);
    for (int32_t block = 0; block < pairs->block_count; block++) {
        ts_block_look(work, block, spring, wall_spring, look_batch, &job);
        for (size_t k = pairs->block_pair[block]; k < pairs->block_pair[block + 1]; k++)
            look_if_open(&job, false, spring, k);
        for (size_t k = pairs->block_wall[block]; k < pairs->block_wall[block + 1]; k++)
            look_if_open(&job, true, wall_spring, k);
    }
    return TS_OK;
}
