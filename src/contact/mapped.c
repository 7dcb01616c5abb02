/* SPDX-License-Identifier: MIT */
#include "contact/mapped.h"

#include <math.h>

#include "contact/faces.h"
#include "contact/forms.h"
#include "contact/pieces.h"

/* Candidates that circles and paths have let through, until a batch is full. */
typedef struct gathering {
    const ts_workspace *work;
    const ts_form_map *map;
    const double *spring;
    double *keep;
    ts_batch_sink *sink;
    void *context;
    int count;
    size_t which[TS_BATCH]; /* in the list */
    ts_candidate pair[TS_BATCH];
    ts_map_pose pose[TS_BATCH];
} gathering;

/* Adds record k of a query as a contact that is number k of its candidates. */
static void add_contact(ts_contact_batch *batch, const ts_map_contact *c, int32_t a, int32_t b, int32_t k)
{
    int to = batch->count++;
    batch->a[to] = a;
    batch->b[to] = b;
    batch->history[to] = k;
    batch->gap[to] = c->gap;
    batch->nx[to] = c->normal[0];
    batch->ny[to] = c->normal[1];
    batch->weight[to] = c->slope;
    batch->couple[to] = 0;
}

/* Points relative to the frames that they move with. */
static void set_arms(ts_contact_batch *batch, const ts_map_contact *c, const ts_frame2 *a, const ts_frame2 *b)
{
    int at = batch->count - 1;
    batch->ax[at] = c->point_a[0] - a->x;
    batch->ay[at] = c->point_a[1] - a->y;
    batch->bx[at] = c->point_b[0] - b->x;
    batch->by[at] = c->point_b[1] - b->y;
    /* what the gap's slope in the angle has beyond a force at the point, halfway between the two: there the law
     * applies it */
    double mx = 0.5 * (c->point_a[0] + c->point_b[0]) - b->x, my = 0.5 * (c->point_a[1] + c->point_b[1]) - b->y;
    batch->couple[at] = c->turn_b - c->slope * (mx * c->normal[1] - my * c->normal[0]);
}

void ts_mapped_ask(const ts_workspace *work, const ts_form_map *map, const ts_candidate *pair, int count,
                   const ts_map_pose *pose, ts_map_contact *contact)
{
    if (map->map) {
        ts_map_query(map->map, (size_t)count, pose, contact);
        return;
    }
    const ts_loose *a[TS_BATCH], *b[TS_BATCH];
    for (int k = 0; k < count; k++) {
        a[k] = work->model->forms->loose[work->form[pair[k].a]];
        b[k] = work->model->forms->loose[work->form[pair[k].b]];
    }
    ts_loose_query((size_t)count, a, b, pose, contact);
}

/* Asks about what was gathered. */
static void flush(gathering *g)
{
    const ts_workspace *work = g->work;
    ts_map_contact contact[TS_BATCH];
    double held[TS_BATCH];
    ts_contact_batch batch;
    batch.count = 0;
    batch.weighted = true;
    batch.shared = false;
    const ts_clearance *clear = &g->map->clearance;
    if (g->count == 0)
        return;
    ts_mapped_ask(work, g->map, g->pair, g->count, g->pose, contact);
    for (int k = 0; k < g->count; k++) {
        ts_candidate pair = g->pair[k];
        const ts_map_contact *c = &contact[k];
        if (c->gap < work->reach.most) {
            held[k] = g->spring[g->which[k]];
            add_contact(&batch, c, pair.a, pair.b, k);
            set_arms(&batch, c, &work->part[pair.a], &work->part[pair.b]);
        } else {
            held[k] = 0;
            work->pairs.until[g->which[k]] = work->path[pair.a] + work->path[pair.b] +
                                             ts_clearance_above(clear, c->gap, work->reach.most, g->pose[k].scale);
        }
    }
    if (batch.count > 0) {
        ts_contact_batch_fill_up(&batch);
        ts_batch_source source = {.pair = g->pair, .spring = held, .which = g->which};
        g->sink(g->context, &batch, &source);
    }
    for (int k = 0; g->keep && k < g->count; k++)
        g->keep[g->which[k]] = held[k];
    g->count = 0;
}

static void gather(gathering *g, size_t k, double scale)
{
    const ts_workspace *work = g->work;
    ts_candidate pair = work->pairs.pair[k];
    const ts_frame2 *a = &work->part[pair.a], *b = &work->part[pair.b];
    g->which[g->count] = k;
    g->pair[g->count] = pair;
    g->pose[g->count] = (ts_map_pose){{a->x, a->y, a->angle}, {b->x, b->y, b->angle}, scale};
    if (++g->count == TS_BATCH)
        flush(g);
}

size_t ts_mapped_pairs(const ts_workspace *work, size_t begin, size_t end, const double *spring, double *keep,
                       ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    const ts_forms *forms = work->model->forms;
    gathering g = {.work = work,
                   .map = &forms->map[pairs->map[begin]],
                   .spring = spring,
                   .keep = keep,
                   .sink = sink,
                   .context = context};
    size_t asked = 0;
    for (size_t k = begin; k < end; k++) {
        ts_candidate pair = pairs->pair[k];
        double gone = work->path[pair.a] + work->path[pair.b];
        if (gone < pairs->until[k] && !work->no_culling)
            continue;
        const ts_frame2 *a = &work->part[pair.a], *b = &work->part[pair.b];
        const double dx = b->x - a->x, dy = b->y - a->y, reach = a->radius + b->radius + work->reach.most,
                     square = dx * dx + dy * dy;
        if (square >= reach * reach) {
            pairs->until[k] = gone + TS_CLEARANCE_SURE * (sqrt(square) - reach);
            if (keep)
                keep[k] = 0;
            continue;
        }
        gather(&g, k, forms->meeting[work->form[pair.a] * forms->count + work->form[pair.b]].scale);
        asked++;
    }
    flush(&g);
    return asked;
}

/* ---- Walls ---- */

/* The grain as seen from a half-plane whose surface is the x axis, or from a circle's centre. */
static ts_wall_pose pose_at(const ts_wall_frame *w, const ts_frame2 *part, double scale)
{
    double dx = part->x - w->frame.x, dy = part->y - w->frame.y;
    if (w->kind != TS_WALL_FLAT)
        return (ts_wall_pose){dx, dy, part->angle, scale};
    /* the normal becomes the y axis */
    return (ts_wall_pose){dx * w->ny - dy * w->nx, dx * w->nx + dy * w->ny, part->angle - atan2(-w->nx, w->ny), scale};
}

/* A record of the wall's frame, in world axes; points from the wall's origin. */
static void turn_back(const ts_wall_frame *w, ts_map_contact *c)
{
    if (w->kind != TS_WALL_FLAT)
        return;
    double *vector[] = {c->normal, c->point_a, c->point_b};
    for (int i = 0; i < 3; i++) {
        double x = vector[i][0], y = vector[i][1];
        vector[i][0] = x * w->ny + y * w->nx;
        vector[i][1] = y * w->ny - x * w->nx;
    }
}

void ts_mapped_wall_at(const ts_forms *forms, uint16_t form, const ts_wall_frame *w, const ts_frame2 *part,
                       ts_map_contact *c)
{
    ts_wall_pose pose = pose_at(w, part, forms->form[form].scale);
    if (w->kind == TS_WALL_FLAT)
        ts_wall_plane(forms->wall[form], 1, &pose, c);
    else
        ts_wall_circle(forms->wall[form], w->radius, 1, &pose, c);
    turn_back(w, c);
}

/* The gap of one candidate, with its record from the wall's origin. */
static bool ask_wall(const ts_workspace *work, ts_candidate pair, ts_map_contact *c, int32_t *wall)
{
    const ts_model *model = work->model;
    const ts_forms *forms = model->forms;
    const ts_face *face = model->faces ? &model->faces->face[pair.a] : NULL;
    *wall = face ? face->wall : pair.a;
    const ts_wall_frame *w = &work->wall[*wall];
    const ts_frame2 *part = &work->part[pair.b];
    uint16_t form = work->form[pair.b];
    double nx, ny;
    if (w->absent)
        return false;
    if (face && face->kind != TS_FACE_WHOLE)
        return ts_pieces_ask(model, w, pair.a, part, form, c);
    if (ts_wall_gap(w, part->x - w->frame.x, part->y - w->frame.y, part->radius, &nx, &ny) >= 0)
        return false;
    ts_mapped_wall_at(forms, form, w, part, c);
    return c->gap < 0;
}

size_t ts_mapped_walls(const ts_workspace *work, size_t first, int count, const double *spring, double *keep,
                       ts_batch_sink *sink, void *context)
{
    const ts_candidate *pair = work->pairs.wall + first;
    double held[TS_BATCH];
    ts_contact_batch batch;
    batch.count = 0;
    batch.weighted = true;
    batch.shared = false;
    for (int k = 0; k < count; k++) {
        ts_map_contact c;
        int32_t wall;
        held[k] = 0;
        if (!ask_wall(work, pair[k], &c, &wall))
            continue;
        const ts_frame2 *frame = &work->wall[wall].frame, *part = &work->part[pair[k].b];
        held[k] = spring[k];
        add_contact(&batch, &c, wall, pair[k].b, k);
        ts_frame2 origin = {0}, seen = {.x = part->x - frame->x, .y = part->y - frame->y};
        set_arms(&batch, &c, &origin, &seen);
    }
    if (batch.count > 0) {
        ts_contact_batch_fill_up(&batch);
        ts_batch_source source = {.wall = true, .pair = pair, .spring = held, .first = first};
        sink(context, &batch, &source);
    }
    for (int k = 0; keep && k < count; k++)
        keep[k] = held[k];
    return (size_t)count;
}
