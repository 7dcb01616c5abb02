/* SPDX-License-Identifier: MIT */
#include "contact/hits.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "contact/faces.h"
#include "contact/find.h"
#include "contact/forms.h"
#include "contact/mapped.h"
#include "contact/probed.h"

ts_status ts_hits_create(ts_hits *s, const ts_model *model, ts_error *error)
{
    *s = (ts_hits){0};
    s->wall = ts_alloc(model->wall_count, sizeof *s->wall);
    if (!s->wall && model->wall_count > 0)
        return ts_fail_memory(error, model->wall_count * sizeof *s->wall);
    return TS_OK;
}

void ts_hits_free(ts_hits *s)
{
    for (size_t i = 0; i < s->block_capacity; i++) {
        ts_free(s->block[i].item);
        ts_array_free(&s->block[i].begin);
        ts_array_free(&s->block[i].end);
    }
    ts_free(s->block);
    ts_free(s->wall);
    *s = (ts_hits){0};
}

size_t ts_hits_bytes(const ts_hits *s, const ts_model *model)
{
    size_t bytes = s->block_capacity * sizeof *s->block + model->wall_count * sizeof *s->wall;
    for (size_t i = 0; i < s->block_capacity; i++)
        bytes += s->block[i].capacity * sizeof(ts_hit) +
                 (s->block[i].begin.capacity + s->block[i].end.capacity) * sizeof(ts_feature_contact);
    return bytes;
}

/* ---- Frames at the beginning ---- */

typedef struct finder {
    const ts_model *model;
    const ts_state *state;
    const ts_workspace *work;
    const ts_wall_frame *wall; /* at the beginning */
    ts_hit_list *to;
    double *spring, *wall_spring;
} finder;

static int32_t body_of(const finder *f, int32_t slot)
{
    int32_t part = f->work->pairs.part_of_slot[slot];
    return f->model->parts_are_bodies ? part : f->model->part_body[part];
}

/* x, y, angle of a part at the beginning of the step. */
static void place_of(const finder *f, int32_t slot, double at[3])
{
    int32_t part = f->work->pairs.part_of_slot[slot];
    const ts_body *body = &f->state->body[body_of(f, slot)];
    at[0] = body->x;
    at[1] = body->y;
    at[2] = body->angle;
    if (f->model->parts_are_bodies)
        return;
    double c = cos(body->angle), s = sin(body->angle), x = f->model->part_x[part], y = f->model->part_y[part];
    at[0] += c * x - s * y;
    at[1] += s * x + c * y;
}

static ts_hit *add(const finder *f, int64_t which, int32_t a, int32_t slot_b)
{
    ts_hit_list *to = f->to;
    if (to->status != TS_OK)
        return NULL;
    to->status = ts_array_reserve(to, to->count + 1, NULL);
    if (to->status != TS_OK)
        return NULL;
    const ts_model *m = f->model;
    ts_hit *s = &to->item[to->count++];
    *s = (ts_hit){.which = which, .a = a, .b = body_of(f, slot_b), .weight = 1};
    size_t kind_a = a < 0 ? (size_t)m->wall[-1 - a].material : m->body_material[a];
    s->friction = m->law[kind_a * m->material_count + m->body_material[s->b]].friction;
    return s;
}

/* ---- Discs ---- */

/* Whether two discs touch at the end of the step or before; `dx`, `dy` is from A to B at the beginning, `mx`, `my`
 * how that changes. */
static bool meet(double dx, double dy, double mx, double my, double reach)
{
    double square = mx * mx + my * my, along = -(dx * mx + dy * my);
    double when = along <= 0 ? 0 : along >= square ? 1 : along / square;
    double x = dx + when * mx, y = dy + when * my;
    reach *= 1 + TS_TOUCH_SLACK; /* touching is contact */
    return x * x + y * y < reach * reach;
}

static void find_discs(const finder *f, size_t begin, size_t end)
{
    const ts_workspace *work = f->work;
    for (size_t k = begin; k < end; k++) {
        ts_candidate pair = work->pairs.pair[k];
        const ts_frame2 *a = &work->part[pair.a], *b = &work->part[pair.b];
        double from[3], to[3], reach = a->radius + b->radius;
        double ex = b->x - a->x, ey = b->y - a->y;
        /* nothing moves farther in a step than the skin: two that are twice that apart at the end did not meet
         * before */
        double far = reach + 2 * f->work->pairs.skin;
        if (ex * ex + ey * ey >= far * far) {
            f->spring[k] = 0;
            continue;
        }
        place_of(f, pair.a, from);
        place_of(f, pair.b, to);
        double dx = to[0] - from[0], dy = to[1] - from[1];
        if (!meet(dx, dy, ex - dx, ey - dy, reach)) {
            f->spring[k] = 0;
            continue;
        }
        ts_hit *s = add(f, (int64_t)k, body_of(f, pair.a), pair.b);
        if (!s)
            return;
        double distance = sqrt(dx * dx + dy * dy);
        s->nx = distance > 0 ? dx / distance : 1;
        s->ny = distance > 0 ? dy / distance : 0;
        s->gap = distance - reach;
        /* halfway between the two rims */
        double along = a->radius + 0.5 * s->gap;
        s->px = from[0] + along * s->nx;
        s->py = from[1] + along * s->ny;
    }
    f->to->queries += end - begin;
}

/* ---- Maps ---- */

static void set_record(ts_hit *s, const ts_map_contact *c, const double b[3])
{
    s->gap = c->gap;
    s->nx = c->normal[0];
    s->ny = c->normal[1];
    s->px = 0.5 * (c->point_a[0] + c->point_b[0]);
    s->py = 0.5 * (c->point_a[1] + c->point_b[1]);
    s->weight = c->slope;
    s->couple = c->turn_b - c->slope * ((s->px - b[0]) * s->ny - (s->py - b[1]) * s->nx);
}

/* What a batch has at the end of the step, with B as it stands there. */
static void set_batch_record(ts_hit *s, const ts_contact_batch *batch, int k, const ts_frame2 *a, const ts_frame2 *b)
{
    s->gap = batch->gap[k];
    s->nx = batch->nx[k];
    s->ny = batch->ny[k];
    s->px = 0.5 * (a->x + batch->ax[k] + b->x + batch->bx[k]);
    s->py = 0.5 * (a->y + batch->ay[k] + b->y + batch->by[k]);
    s->weight = batch->weighted ? batch->weight[k] : 1;
    s->couple = batch->weighted ? batch->couple[k] : 0;
}

/* How far a frame takes the record's point along the row on its way from `then` to `now`. */
static double way_along(const ts_hit *s, const ts_frame2 *now, double then_x, double then_y, double then_angle)
{
    double rx = s->px - now->x, ry = s->py - now->y, turn = now->angle - then_angle;
    return s->weight * (s->nx * (now->x - then_x - ry * turn) + s->ny * (now->y - then_y + rx * turn)) +
           s->couple * turn;
}

/* The gap that the record of the end had at the beginning, as far as a plane of it tells, and the point as it stood
 * to B. */
static void turn_back(ts_hit *s, const ts_frame2 *b, const double b_then[3], const ts_frame2 *a,
                      const ts_frame2 *a_then)
{
    s->gap -= way_along(s, b, b_then[0], b_then[1], b_then[2]) - way_along(s, a, a_then->x, a_then->y, a_then->angle);
    s->px -= b->x - b_then[0];
    s->py -= b->y - b_then[1];
}

typedef struct mapped_run {
    const finder *f;
    const ts_form_map *map;
} mapped_run;

/* How far around a pose its map is asked, as a share of the smaller radius: beyond what tables and networks round off.
 */
static const double aside = 0.04;
/* Slopes nearer than this are those of one place. */
static const double one_place = 0.15;

/* A place that shows when B stands at `there` instead of `here`. */
static void set_place(ts_hit *s, const ts_map_contact *c, const double here[3], const double there[3])
{
    set_record(s, c, there);
    for (int d = 0; d < 2; d++)
        s->gap -= c->slope * c->normal[d] * (there[d] - here[d]);
    s->gap -= c->turn_b * (there[2] - here[2]);
    /* the point goes along with B */
    s->px -= there[0] - here[0];
    s->py -= there[1] - here[1];
}

/* Pairs that overlap at the end, as they are at the beginning: the places they touch at. */
static void take_mapped(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    const mapped_run *run = context;
    const finder *f = run->f;
    const ts_forms *forms = f->model->forms;
    ts_map_pose pose[TS_BATCH];
    ts_candidate pair[TS_BATCH];
    double length[TS_BATCH];
    ts_probed list[TS_BATCH];
    for (int k = 0; k < batch->count; k++) {
        pair[k] = (ts_candidate){batch->a[k], batch->b[k]};
        place_of(f, batch->a[k], pose[k].a);
        place_of(f, batch->b[k], pose[k].b);
        pose[k].scale = forms->meeting[f->work->form[batch->a[k]] * forms->count + f->work->form[batch->b[k]]].scale;
        length[k] = aside * fmin(f->work->part[batch->a[k]].radius, f->work->part[batch->b[k]].radius);
    }
    /* the published law has one place a pair */
    ts_probed_ask(f->work, run->map, pair, batch->count, pose, f->model->places != TS_PLACES_ONE ? length : NULL,
                  one_place, list);
    for (int k = 0; k < batch->count; k++)
        for (int i = 0; i < list[k].count; i++) {
            ts_hit *s = add(f, (int64_t)ts_batch_which(batch, source, k), body_of(f, batch->a[k]), batch->b[k]);
            if (!s)
                return;
            set_place(s, &list[k].item[i], pose[k].b, list[k].b[i]);
            s->more = i > 0;
        }
}

/* ---- Walls ---- */

/* A disc and an edge or a corner of a wall as they are at the beginning. Returns false where another edge or corner was
 * nearest then, and for outlines. */
static bool take_face(const finder *f, size_t which, const double at[3], ts_hit *s)
{
    const ts_workspace *work = f->work;
    const ts_candidate pair = {work->pairs.wall[which].a, 0};
    const int32_t slot = work->pairs.wall[which].b;
    ts_contact_batch then;
    if (work->form && !ts_form_is_disc(f->model->forms, work->form[slot]))
        return false;
    const ts_frame2 part = {.x = at[0], .y = at[1], .angle = at[2], .radius = work->part[slot].radius};
    ts_find_faces(f->model, f->wall, &part, &pair, 1, HUGE_VAL, &(double){0}, &then);
    if (then.count == 0)
        return false;
    set_batch_record(s, &then, 0, &f->wall[then.a[0]].frame, &part);
    return true;
}

/* What touches a wall at the end, as it is at the beginning. */
static void take_wall(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    const finder *f = context;
    const ts_model *m = f->model;
    for (int k = 0; k < batch->count; k++) {
        int32_t which = batch->a[k], slot = batch->b[k];
        const ts_wall_frame *wall = &f->wall[which];
        ts_hit *s = add(f, (int64_t)ts_batch_which(batch, source, k), -1 - which, slot);
        if (!s)
            return;
        ts_frame2 part = f->work->part[slot];
        double at[3];
        place_of(f, slot, at);
        s->curved = wall->kind != TS_WALL_FLAT;
        s->end = batch->gap[k];
        if (wall->kind != TS_WALL_FLAT && wall->kind != TS_WALL_CIRCLE) {
            if (take_face(f, (size_t)s->which, at, s))
                continue;
            s->curved = false;
            const ts_frame2 *now = &f->work->wall[which].frame;
            set_batch_record(s, batch, k, now, &part);
            turn_back(s, &part, at, now, &wall->frame);
            continue;
        }
        part.x = at[0];
        part.y = at[1];
        part.angle = at[2];
        if (f->work->form && !ts_form_is_disc(m->forms, f->work->form[slot])) {
            ts_map_contact c;
            s->curved = false;
            ts_mapped_wall_at(m->forms, f->work->form[slot], wall, &part, &c);
            set_record(s, &c, (double[3]){part.x - wall->frame.x, part.y - wall->frame.y, 0});
            s->px += wall->frame.x;
            s->py += wall->frame.y;
            continue;
        }
        s->gap = ts_wall_gap(wall, part.x - wall->frame.x, part.y - wall->frame.y, part.radius, &s->nx, &s->ny);
        s->px = part.x - (part.radius + 0.5 * s->gap) * s->nx;
        s->py = part.y - (part.radius + 0.5 * s->gap) * s->ny;
    }
}

/* ---- Features ---- */

/* A shape at the beginning of the step, and how far its points go in it. */
static ts_featured_shape shape_then(const finder *f, int32_t slot, const ts_featured_shape *now, double *way)
{
    ts_featured_shape then = *now;
    double at[3];
    place_of(f, slot, at);
    then.x = at[0];
    then.y = at[1];
    then.angle = at[2];
    then.c = cos(then.angle);
    then.s = sin(then.angle);
    *way = hypot(now->x - then.x, now->y - then.y) + fabs(now->angle - then.angle) * now->radius;
    return then;
}

/* What a place has to do with a pair. */
typedef struct featured_pair {
    ts_featured_pair then, now;
    int32_t a, b;           /* bodies, wall: as in ts_hit */
    int32_t part_a, slot_b; /* likewise */
    size_t which_end;       /* likewise */
    double way;             /* how far points of one go against the other in the step [m] */
    double touch;           /* gaps below this are none [m] */
    const ts_history *past;
    size_t past_count;
} featured_pair;

static void add_featured(const finder *f, const featured_pair *p, const ts_feature_contact *c)
{
    ts_hit *s = add(f, (int64_t)p->now.which, p->a, p->slot_b);
    double n[2], at[2];
    if (!s)
        return;
    ts_featured_turn(&p->then.b, c->nx, c->ny, n);
    ts_featured_turn(&p->then.b, c->x, c->y, at);
    s->gap = c->gap;
    s->nx = n[0];
    s->ny = n[1];
    s->px = p->then.b.x + at[0] - 0.5 * c->gap * n[0];
    s->py = p->then.b.y + at[1] - 0.5 * c->gap * n[1];
    s->featured = true;
    s->reach = p->way;
    s->which_end = (int64_t)p->which_end;
    s->key = c->key | TS_FEATURE_RECORD;
    s->part_a = p->part_a;
    s->part_b = f->work->pairs.part_of_slot[p->slot_b];
    s->past = -1;
    for (size_t i = 0; i < p->past_count; i++)
        if (p->past[i].key == s->key)
            s->past = p->past + i - f->state->history.item;
}

/* Places of the beginning that may close in the step, and those of its end, as they are at the beginning. One that is
 * behind something else at the beginning (its gap is below 0, but it was not accepted there) is none of them. */
static void add_places(const finder *f, const featured_pair *p)
{
    ts_feature_contacts *begin = &f->to->begin, *end = &f->to->end;
    if (f->to->status == TS_OK)
        f->to->status = ts_featured_ask(f->work, &p->then, 2 * p->way + p->touch, p->way, begin);
    if (f->to->status == TS_OK)
        f->to->status = ts_featured_ask(f->work, &p->now, p->touch, p->way, end);
    if (f->to->status != TS_OK)
        return;
    const ts_relative a_in_b = ts_featured_relative(&p->then.a, &p->then.b),
                      b_in_a = ts_featured_relative(&p->then.b, &p->then.a);
    for (size_t i = 0, j = 0; i < begin->count || j < end->count;) {
        if (j == end->count || (i < begin->count && begin->item[i].key <= end->item[j].key)) {
            j += j < end->count && begin->item[i].key == end->item[j].key;
            add_featured(f, p, &begin->item[i++]);
            continue;
        }
        ts_feature_contact c;
        ts_feature_contact_follow(p->then.a.features, p->then.b.features, &a_in_b, &b_in_a, end->item[j++].key, &c);
        if (c.gap >= 0)
            add_featured(f, p, &c);
    }
}

static void find_featured(const finder *f, int32_t block, size_t first, size_t last)
{
    const ts_workspace *work = f->work;
    const ts_pairs *pairs = &work->pairs;
    for (size_t k = first; k < last; k++) {
        ts_candidate pair = pairs->pair[k];
        const ts_frame2 *a = &work->part[pair.a], *b = &work->part[pair.b];
        featured_pair p = {
            .a = body_of(f, pair.a), .b = body_of(f, pair.b), .part_a = pairs->part_of_slot[pair.a], .slot_b = pair.b};
        p.past_count = ts_featured_history(&f->state->history, f->spring[k], &p.past);
        p.now = (ts_featured_pair){ts_featured_part(work, pair.a), ts_featured_part(work, pair.b), block, false, k};
        double dx = b->x - a->x, dy = b->y - a->y, far = a->radius + b->radius + 2 * pairs->skin;
        /* nothing moves farther in a step than the skin */
        if (dx * dx + dy * dy >= far * far)
            continue;
        double way[2];
        p.then = p.now;
        p.then.a = shape_then(f, pair.a, &p.now.a, &way[0]);
        p.then.b = shape_then(f, pair.b, &p.now.b, &way[1]);
        p.way = way[0] + way[1];
        p.touch = TS_TOUCH_SLACK * fmin(a->radius, b->radius);
        add_places(f, &p);
        f->to->queries++;
    }
}

static void find_featured_walls(const finder *f, int32_t block)
{
    const ts_workspace *work = f->work;
    const ts_pairs *pairs = &work->pairs;
    for (size_t k = pairs->block_wall[block], next, last = pairs->block_wall[block + 1]; k < last; k = next) {
        int32_t wall, slot = pairs->wall[k].b;
        next = ts_featured_wall_end(work, k, last, &wall);
        if (ts_featured_walls_end(work, k, last) == k)
            continue;
        const ts_wall_frame *now = &work->wall[wall], *then = &f->wall[wall];
        featured_pair p = {
            .a = -1 - wall, .b = body_of(f, slot), .part_a = -1 - wall, .slot_b = slot, .which_end = next};
        p.past_count =
            ts_featured_history(&f->state->history, ts_featured_wall_spring(f->wall_spring, k, next), &p.past);
        if (now->absent)
            continue;
        double way;
        p.now = (ts_featured_pair){ts_featured_wall(work, now, wall), ts_featured_part(work, slot), block, true, k};
        p.then = p.now;
        p.then.a = ts_featured_wall(work, then, wall);
        p.then.b = shape_then(f, slot, &p.now.b, &way);
        double dx = p.now.b.x - now->frame.x, dy = p.now.b.y - now->frame.y;
        p.way = way + hypot(now->frame.x - then->frame.x, now->frame.y - then->frame.y) +
                fabs(now->frame.angle - then->frame.angle) * (hypot(dx, dy) + p.now.b.radius);
        p.touch = TS_TOUCH_SLACK * p.now.b.radius;
        add_places(f, &p);
        f->to->queries++;
    }
}

/* ---- Blocks ---- */

/* Outlines go to where their map is known, walls to take_wall; discs are looked at here. */
static void find_block(const finder *f, int32_t block)
{
    const ts_workspace *work = f->work;
    const ts_pairs *pairs = &work->pairs;
    size_t end = pairs->block_pair[block + 1];
    for (size_t k = pairs->block_pair[block], next; k < end; k = next) {
        next = work->form ? ts_pairs_run_end(pairs, k, end) : end;
        if (!work->form || pairs->map[k] == TS_MAP_OF_DISCS) {
            find_discs(f, k, next);
        } else if (pairs->map[k] == TS_MAP_OF_FEATURES) {
            find_featured(f, block, k, next);
        } else {
            mapped_run run = {f, &f->model->forms->map[pairs->map[k]]};
            f->to->queries += ts_mapped_pairs(work, k, next, f->spring, f->spring, take_mapped, &run);
        }
    }
    f->to->queries += ts_block_walls(work, block, f->wall_spring, take_wall, (void *)f);
    if (work->featured)
        find_featured_walls(f, block);
}

typedef struct hit_job {
    ts_hits *hits;
    const ts_model *model;
    ts_state *state;
    const ts_workspace *work;
} hit_job;

static void find_task(void *context, int block, int thread)
{
    (void)thread;
    const hit_job *job = context;
    ts_hit_list *to = &job->hits->block[block];
    to->count = 0;
    to->queries = 0;
    to->status = TS_OK;
    finder f = {job->model, job->state, job->work, job->hits->wall, to, job->state->spring, job->state->wall_spring};
    find_block(&f, block);
}

ts_status ts_hits_find(ts_hits *s, const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    size_t blocks = (size_t)work->pairs.block_count;
    if (blocks > s->block_capacity) {
        ts_hit_list *grown =
            ts_realloc(s->block, s->block_capacity * sizeof *grown, (blocks + blocks / 4) * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, (blocks + blocks / 4) * sizeof *grown);
        memset(grown + s->block_capacity, 0, (blocks + blocks / 4 - s->block_capacity) * sizeof *grown);
        s->block = grown;
        s->block_capacity = blocks + blocks / 4;
    }
    s->block_count = blocks;
    for (size_t i = 0; i < model->wall_count; i++)
        ts_wall_at(model, i, ts_time_of_step(model, state->step), model->settings.time_step, 0, &s->wall[i]);
    hit_job job = {s, model, state, work};
    if (work->featured)
        ts_featured_begin(work, &state->history);
    ts_pool_run(work->pool, (int)blocks, find_task, &job);
    s->count = 0;
    for (size_t i = 0; i < blocks; i++) {
        if (s->block[i].status != TS_OK)
            return ts_fail_memory(error, s->block[i].count * sizeof(ts_hit));
        s->count += s->block[i].count;
        work->query_sum += s->block[i].queries;
    }
    return TS_OK;
}
