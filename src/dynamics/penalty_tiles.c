/* SPDX-License-Identifier: MIT */
/* Contacts of tiles: found, matched with their springs, and handed to the kernel in batches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/penalty.h"
#include "dynamics/penalty_space_parts.h"

/* What a tile's contacts are asked for: forces of a step, or a look. */
typedef struct tile_job {
    ts_penalty3 *m;
    const ts_model *model;
    size_t tile;
    ts_penalty3_task task;
    ts_scratch3 *scratch;
    const ts_history3_array *before; /* springs as they were, of the pairs at hand … */
    size_t at;                       /* … from here on */
    ts_history3_array *after;        /* springs after the step */
    ts_contact_sink *sink;           /* of a look; NULL: a step */
    void *context;                   /* the sink's */
    ts_error *error;
} tile_job;

/* ---- Batches ---- */

static ts_vec3 row(const double from[3][TS_BATCH3 + 4], int k)
{
    return (ts_vec3){from[0][k], from[1][k], from[2][k]};
}

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

static void put_row(double to[3][TS_BATCH3 + 4], int k, ts_vec3 v)
{
    to[0][k] = v.x;
    to[1][k] = v.y;
    to[2][k] = v.z;
}

static ts_vec3 place_of(const ts_penalty3 *m, int32_t frame)
{
    const ts_place3 *p = &m->list.place[frame];
    return (ts_vec3){p->x, p->y, p->z};
}

/* What an overlap is small beside. */
static double size_of(const tile_job *j, int32_t frame)
{
    const int64_t owner = ts_verlet3_owner(&j->m->list, frame);
    const ts_model *model = j->model;
    return owner >= 0 ? model->form[model->body_form[owner]].inner : HUGE_VAL;
}

static void note_overlap(tile_job *j, double deepest)
{
    ts_block_report *report = &j->m->tile[j->tile].report;
    const ts_batch3 *b = &j->scratch->batch;
    report->contacts += (uint64_t)b->count;
    if (!(deepest > report->max_overlap))
        return;
    report->max_overlap = deepest;
    for (int k = 0; k < b->count; k++) {
        const double gap = b->round ? ts_vec3_distance(place_of(j->m, b->a[k]), place_of(j->m, b->b[k])) -
                                          (j->m->list.place[b->a[k]].radius + j->m->list.place[b->b[k]].radius)
                                    : b->gap[k];
        if (-gap < deepest * (1 - 1e-12))
            continue;
        const double size_a = size_of(j, b->a[k]), size_b = size_of(j, b->b[k]);
        report->overlap_ratio = -gap / fmin(size_a, size_b);
        report->body = ts_verlet3_owner(&j->m->list, size_a < size_b ? b->a[k] : b->b[k]);
    }
}

/* A contact for whoever looks: a body's number is lower on side A, or A is a wall. */
static void show(tile_job *j, int k)
{
    const ts_batch3 *batch = &j->scratch->batch;
    const ts_verlet3 *list = &j->m->list;
    const size_t tile = j->tile;
    const int32_t a = batch->a[k], b = batch->b[k];
    const int64_t owner[2] = {ts_verlet3_owner(list, a), ts_verlet3_owner(list, b)};
    const bool swap = owner[1] < owner[0];
    const double sign = swap ? -1 : 1, gap = batch->gap[k];
    const ts_vec3 n = row(batch->normal, k), f = row(batch->force, k);
    ts_vec3 point = ts_vec3_add(place_of(j->m, a), batch->round ? ts_vec3_scale(n, list->place[a].radius + 0.5 * gap)
                                                                : row(batch->arm_a, k));
    uint64_t key = 0;
    double weight = 1;
    if (!batch->round) {
        const ts_pair3 *p = &list->other.item[list->tile[tile].other_begin + (size_t)batch->history[k].pair];
        key = ts_verlet3_key(j->model, swap ? p->part_b : p->part_a, swap ? p->part_a : p->part_b,
                             batch->history[k].feature);
        weight = batch->weight[k];
    }
    const ts_vec3 pa = ts_vec3_add_scaled(point, n, -0.5 * gap), pb = ts_vec3_add_scaled(point, n, 0.5 * gap);
    const ts_vec3 first = swap ? pb : pa, second = swap ? pa : pb;
    const ts_vec3 spring = ts_vec3_scale(vec_of(batch->history[k].spring), sign);
    const ts_contact contact = {.a = owner[swap],
                                .b = owner[!swap],
                                .key = key,
                                .gap = gap,
                                .normal = {sign * n.x, sign * n.y, sign * n.z},
                                .point_a = {first.x, first.y, first.z},
                                .point_b = {second.x, second.y, second.z},
                                .weight = weight,
                                .force = {sign * f.x, sign * f.y, sign * f.z},
                                .history = {spring.x, spring.y, spring.z}};
    j->sink(j->context, &contact, 1);
}

static ts_status flush(tile_job *j)
{
    ts_batch3 *batch = &j->scratch->batch;
    if (batch->count == 0)
        return TS_OK;
    batch->history = j->after->item + j->after->count;
    const double deepest = j->m->kernel->apply(&j->task, batch);
    if (j->sink) {
        for (int k = 0; k < batch->count; k++)
            show(j, k);
    } else {
        note_overlap(j, deepest);
    }
    j->after->count += (size_t)batch->count;
    batch->count = 0;
    return ts_array_reserve(j->after, j->after->count + TS_BATCH3, j->error);
}

/* Adds a contact with the spring that it had; its geometry, unless it is of two balls, is filled in by the caller.
 * Returns its place in the batch. */
static int add_contact(tile_job *j, int32_t pair, uint32_t feature, int32_t a, int32_t b, int32_t to_b)
{
    ts_batch3 *batch = &j->scratch->batch;
    const ts_history3 *h = j->before->item;
    const size_t count = j->before->count;
    const int k = batch->count++;
    while (j->at < count && (h[j->at].pair < pair || (h[j->at].pair == pair && h[j->at].feature < feature)))
        j->at++;
    const bool known = j->at < count && h[j->at].pair == pair && h[j->at].feature == feature;
    j->after->item[j->after->count + (size_t)k] = known ? h[j->at] : (ts_history3){{0, 0, 0}, pair, feature};
    batch->a[k] = a;
    batch->b[k] = b;
    batch->to_a[k] = j->m->list.tile[j->tile].sum_begin + a - (int32_t)(j->tile * TS_TILE3);
    batch->to_b[k] = to_b;
    return k;
}

static ts_status begin_kind(tile_job *j, ts_history3_array *before, ts_history3_array *after, bool round)
{
    /* a record beyond all pairs ends the walk */
    TS_TRY(ts_array_reserve(before, before->count + 1, j->error));
    before->item[before->count] = (ts_history3){.pair = INT32_MAX};
    j->before = before;
    j->after = after;
    j->at = 0;
    after->count = 0;
    j->scratch->batch.count = 0;
    j->scratch->batch.round = round;
    return ts_array_reserve(after, TS_BATCH3, j->error);
}

/* ---- Balls ---- */

/* As add_contact, for pairs first + found[i] of balls; the batch has room for them. */
static void add_balls(tile_job *j, int32_t first, const int32_t *found, int count, const int32_t *a, const int32_t *b,
                      const int32_t *to)
{
    ts_batch3 *batch = &j->scratch->batch;
    const ts_history3 *h = j->before->item + j->at;
    ts_history3 *after = j->after->item + j->after->count + batch->count, fresh = {{0, 0, 0}, 0, 0};
    const int32_t shift = j->m->list.tile[j->tile].sum_begin - (int32_t)(j->tile * TS_TILE3);
    const ts_motion6 *motion = j->m->motion;
    const ts_wrench3 *sum = j->task.sum;
    int n = batch->count;
    for (int i = 0; i < count; i++, n++) {
        const int32_t k = found[i], pair = first + k;
        while (h->pair < pair) /* the last one is beyond all pairs */
            h++;
        fresh.pair = pair;
        after[i] = *(h->pair == pair ? h : &fresh);
        /* the kernel comes to them when the batch is full */
        __builtin_prefetch(&motion[b[k]]);
        __builtin_prefetch(&sum[to[k]], 1);
        batch->a[n] = a[k];
        batch->b[n] = b[k];
        batch->to_a[n] = a[k] + shift;
        batch->to_b[n] = to[k];
    }
    batch->count = n;
    j->at = (size_t)(h - j->before->item);
}

static ts_status balls_of(tile_job *j)
{
    const ts_verlet3 *list = &j->m->list;
    const ts_tile3 *t = &list->tile[j->tile];
    ts_scratch3 *s = j->scratch;
    for (size_t begin = t->ball_begin; begin < t->ball_end; begin += TS_TESTED3) {
        const size_t count = t->ball_end - begin < TS_TESTED3 ? t->ball_end - begin : TS_TESTED3;
        const int32_t *a = list->ball_a.item + begin, *b = list->ball_b.item + begin, *to = list->ball_to.item + begin;
        const size_t found = j->m->kernel->find(list->place, a, b, count, s->found);
        for (size_t i = 0; i < found;) {
            const size_t room = (size_t)(TS_BATCH3 - s->batch.count), here = found - i < room ? found - i : room;
            add_balls(j, (int32_t)(begin - t->ball_begin), s->found + i, (int)here, a, b, to);
            i += here;
            if (s->batch.count == TS_BATCH3)
                TS_TRY(flush(j));
        }
    }
    return flush(j);
}

/* ---- Everything else ---- */

static int by_feature(const void *p, const void *q)
{
    const ts_touch *a = p, *b = q;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

/* A ball and a plane: closed form. Returns whether they overlap. */
static bool touch_plane(const ts_penalty3 *m, const ts_pair3 *p, ts_placed_solid plane, ts_touch *touch)
{
    const ts_vec3 normal = ts_quat_apply(plane.pose.quat, (ts_vec3){0, 0, 1}), centre = place_of(m, p->a);
    const double radius = m->list.place[p->a].radius,
                 gap = ts_vec3_dot(ts_vec3_sub(centre, plane.pose.position), normal) - radius;
    if (!(gap < 0))
        return false;
    const ts_vec3 on_ball = ts_vec3_add_scaled(centre, normal, -radius);
    *touch = (ts_touch){gap, ts_vec3_neg(normal), on_ball, ts_vec3_add_scaled(on_ball, normal, -gap), 0, 1, 1};
    return true;
}

static bool are_far(const ts_penalty3 *m, const ts_pair3 *p)
{
    const double reach = m->list.radius[p->a] + m->list.radius[p->b];
    const ts_vec3 d = ts_vec3_sub(place_of(m, p->b), place_of(m, p->a));
    return ts_vec3_length_squared(d) > reach * reach;
}

/* Fills scratch->touch with the contact points of a pair that overlap, by feature. */
static ts_status touch_pair(tile_job *j, const ts_pair3 *p)
{
    ts_penalty3 *m = j->m;
    ts_touch_array *touch = &j->scratch->touch;
    touch->count = 0;
    if (are_far(m, p))
        return TS_OK;
    const ts_placed_solid b = ts_verlet3_part(&m->list, p->b, p->part_b);
    if (b.solid->kind == TS_SOLID_PLANE && m->list.place[p->a].radius > 0) {
        TS_TRY(ts_array_reserve(touch, 1, j->error));
        touch->count = touch_plane(m, p, b, touch->item);
        return TS_OK;
    }
    TS_TRY(ts_touch_find(ts_verlet3_part(&m->list, p->a, p->part_a), b, 0, touch, j->error));
    size_t kept = 0;
    for (size_t i = 0; i < touch->count; i++)
        if (touch->item[i].gap < 0)
            touch->item[kept++] = touch->item[i];
    touch->count = kept;
    if (kept > 1)
        qsort(touch->item, kept, sizeof *touch->item, by_feature);
    return TS_OK;
}

/* The least share of a contact in its pair's stiffness: so small that its force is nothing, large enough to divide
 * by. */
static const double share_least = 1e-9;

/* What a contact point has of its pair's springs and dashpots: those that push the same way store ½ k D² together, with D
 * = (Σ w d⁸)^⅛, as places in the plane do (contact/feature_lanes.simd.c). w is 1 but of smooth bodies. */
typedef struct part_of_pair {
    double share; /* w d⁶ / D⁶ */
    double ease;  /* 1 / √(Σ shares): of dashpots beyond that */
} part_of_pair;

/* w: how much of a patch a place stands for, by the fourth power of how much of a contact it is: a place that is alone then
 * has the stiffness times that, and its force vanishes with it. */
static double weight_of(const ts_touch *t)
{
    const double square = t->weight * t->weight;
    return square * square * t->share;
}

static part_of_pair share_of(const ts_touch_array *touch, size_t i)
{
    const ts_touch *own = &touch->item[i];
    const double weight = weight_of(own);
    double all = 0, whole = 0; /* over d⁸ and d⁶ of its own */
    for (size_t k = 0; k < touch->count; k++) {
        const double other = weight_of(&touch->item[k]);
        const double along = other * fmax(ts_vec3_dot(own->normal, touch->item[k].normal), 0);
        const double d = fmin(touch->item[k].gap / own->gap, 1e30), d2 = d * d, d6 = d2 * d2 * d2;
        all += k == i ? weight : along * d6 * d2;
        whole += k == i ? weight : along * d6;
    }
    const double to_sixth = sqrt(all) * sqrt(sqrt(all));
    return (part_of_pair){fmax(weight / to_sixth, share_least), sqrt(to_sixth / whole)};
}

static ts_status add_touches(tile_job *j, const ts_pair3 *p, int32_t pair)
{
    const ts_touch_array *touch = &j->scratch->touch;
    ts_batch3 *batch = &j->scratch->batch;
    for (size_t i = 0; i < touch->count; i++) {
        const ts_touch *t = &touch->item[i];
        const part_of_pair part = share_of(touch, i);
        const ts_vec3 point = ts_vec3_lerp(t->point_a, t->point_b, 0.5);
        const int k = add_contact(j, pair, t->feature, p->a, p->b, p->to_b);
        batch->gap[k] = t->gap;
        batch->weight[k] = part.share;
        batch->ease[k] = part.ease;
        put_row(batch->normal, k, t->normal);
        put_row(batch->arm_a, k, ts_vec3_sub(point, place_of(j->m, p->a)));
        put_row(batch->arm_b, k, ts_vec3_sub(point, place_of(j->m, p->b)));
        if (batch->count == TS_BATCH3)
            TS_TRY(flush(j));
    }
    return TS_OK;
}

static ts_status others_of(tile_job *j)
{
    const ts_tile3 *t = &j->m->list.tile[j->tile];
    for (size_t i = t->other_begin; i < t->other_end; i++) {
        const ts_pair3 *p = &j->m->list.other.item[i];
        TS_TRY(touch_pair(j, p));
        TS_TRY(add_touches(j, p, (int32_t)(i - t->other_begin)));
    }
    return flush(j);
}

/* ---- Tiles ---- */

static tile_job job_of(ts_penalty3 *m, const ts_model *model, size_t tile, ts_scratch3 *scratch, ts_error *error)
{
    return (tile_job){.m = m,
                      .model = model,
                      .tile = tile,
                      .scratch = scratch,
                      .error = error,
                      .task = {.place = m->list.place,
                               .motion = m->motion,
                               .sum = m->sum.item,
                               .material = model->material_count > 1 ? m->material : NULL,
                               .law = model->law,
                               .material_count = model->material_count,
                               .time_step = model->settings.time_step,
                               .may_pull = ts_penalty_param_of(model)->damping_may_pull}};
}

static ts_status contacts_of(tile_job *j)
{
    ts_tile_work3 *t = &j->m->tile[j->tile];
    const int now = j->m->now;
    TS_TRY(begin_kind(j, &t->ball[now], &t->ball[!now], true));
    TS_TRY(balls_of(j));
    TS_TRY(begin_kind(j, &t->other[now], &t->other[!now], false));
    return others_of(j);
}

typedef struct all_tiles {
    ts_penalty3 *m;
    const ts_model *model;
} all_tiles;

static void resolve_tile(void *context, int task, int thread)
{
    const all_tiles *all = context;
    ts_penalty3 *m = all->m;
    ts_tile_work3 *work = &m->tile[task];
    const ts_tile3 *t = &m->list.tile[task];
    memset(m->sum.item + t->sum_begin, 0, (size_t)(t->sum_end - t->sum_begin) * sizeof *m->sum.item);
    work->report = (ts_block_report){.queries = t->ball_end - t->ball_begin + t->other_end - t->other_begin};
    tile_job job = job_of(m, all->model, (size_t)task, &m->scratch[thread], &work->error);
    job.task.lost = work->report.lost;
    work->status = contacts_of(&job);
}

ts_status ts_penalty3_resolve(ts_penalty3 *m, const ts_model *model, ts_pool *pool, ts_error *error)
{
    all_tiles all = {m, model};
    ts_pool_run(pool, (int)m->list.tile_count, resolve_tile, &all);
    for (size_t i = 0; i < m->list.tile_count; i++)
        if (m->tile[i].status != TS_OK) {
            if (error)
                *error = m->tile[i].error;
            return m->tile[i].status;
        }
    return TS_OK;
}

ts_status ts_penalty3_look(ts_penalty3 *m, const ts_model *model, ts_contact_sink *sink, void *context, ts_error *error)
{
    for (size_t i = 0; i < m->list.tile_count; i++) {
        tile_job job = job_of(m, model, i, &m->scratch[0], error);
        job.task.time_step = 0; /* the force as it acts now: springs at their length, not one step ahead */
        job.task.look = true;
        job.sink = sink;
        job.context = context;
        TS_TRY(contacts_of(&job));
    }
    return TS_OK;
}

/* ---- History ---- */

static ts_history record_of(const ts_penalty3 *m, int32_t a, int32_t b, uint64_t key, const ts_history3 *h)
{
    const int64_t first = ts_verlet3_owner(&m->list, a), second = ts_verlet3_owner(&m->list, b);
    const double *s = h->spring;
    if (second < first)
        return (ts_history){.a = second, .b = first, .key = key, .value = {[TS_KEPT_SPRING] = -s[0], -s[1], -s[2]}};
    return (ts_history){.a = first, .b = second, .key = key, .value = {[TS_KEPT_SPRING] = s[0], s[1], s[2]}};
}

size_t ts_penalty3_history(const ts_penalty3 *m, int which)
{
    size_t count = 0;
    for (size_t i = 0; i < m->list.tile_count; i++)
        count += m->tile[i].ball[which].count + m->tile[i].other[which].count;
    return count;
}

ts_status ts_penalty3_gather(const ts_penalty3 *m, int which, ts_history_array *to, ts_error *error)
{
    const ts_verlet3 *list = &m->list;
    TS_TRY(ts_array_reserve(to, ts_penalty3_history(m, which), error));
    to->count = 0;
    for (size_t i = 0; i < list->tile_count; i++) {
        const ts_tile3 *t = &list->tile[i];
        const ts_history3_array *ball = &m->tile[i].ball[which], *other = &m->tile[i].other[which];
        for (size_t k = 0; k < ball->count; k++) {
            const size_t p = t->ball_begin + (size_t)ball->item[k].pair;
            to->item[to->count++] = record_of(m, list->ball_a.item[p], list->ball_b.item[p], 0, &ball->item[k]);
        }
        for (size_t k = 0; k < other->count; k++) {
            const ts_pair3 *p = &list->other.item[t->other_begin + (size_t)other->item[k].pair];
            const bool swap = ts_verlet3_owner(list, p->b) < ts_verlet3_owner(list, p->a);
            const uint64_t key = ts_verlet3_key(list->model, swap ? p->part_b : p->part_a, swap ? p->part_a : p->part_b,
                                                other->item[k].feature);
            to->item[to->count++] = record_of(m, p->a, p->b, key, &other->item[k]);
        }
    }
    return TS_OK;
}

/* A pair of parts as the list orders them. */
typedef struct pair_order {
    int32_t of[4]; /* first frame and its part, second frame and its part; parts of balls are 0 */
} pair_order;

static int compare_pairs(const pair_order *p, const pair_order *q)
{
    for (int i = 0; i < 4; i++)
        if (p->of[i] != q->of[i])
            return p->of[i] < q->of[i] ? -1 : 1;
    return 0;
}

static pair_order order_of_pair(const ts_verlet3 *list, const ts_tile3 *t, bool ball, size_t k)
{
    if (ball)
        return (pair_order){{list->ball_a.item[t->ball_begin + k], 0, list->ball_b.item[t->ball_begin + k], 0}};
    const ts_pair3 *p = &list->other.item[t->other_begin + k];
    return (pair_order){{p->a, p->part_a, p->b, p->part_b}};
}

/* The part of that local number; it need not exist. */
static int32_t part_of(const ts_verlet3 *list, int64_t owner, uint64_t local)
{
    const ts_model *model = list->model;
    int32_t part = owner >= 0 ? list->part_begin[owner] : list->part_begin[list->body_count];
    for (int64_t w = 0; w < -1 - owner; w++)
        part += (int32_t)model->wall[w].piece_count;
    return part + (int32_t)local;
}

/* Which pair a record is of, and its spring from the first to the second. */
static pair_order order_of_record(const ts_penalty3 *m, const ts_history *r, bool *ball, ts_history3 *h)
{
    const ts_verlet3 *list = &m->list;
    const int32_t a = ts_verlet3_frame(list, r->a), b = ts_verlet3_frame(list, r->b);
    const bool swap = b < a;
    const double sign = swap ? -1 : 1;
    *ball = list->place[a].radius > 0 && list->place[b].radius > 0;
    const double *kept = r->value + TS_KEPT_SPRING;
    *h = (ts_history3){.spring = {sign * kept[0], sign * kept[1], sign * kept[2]}, .feature = (uint32_t)r->key};
    const int32_t part[2] = {*ball ? 0 : part_of(list, r->a, r->key >> 48 & 0xffff),
                             *ball ? 0 : part_of(list, r->b, r->key >> 32 & 0xffff)};
    return (pair_order){{swap ? b : a, part[swap], swap ? a : b, part[!swap]}};
}

/* Records stand in the order of pairs, tile by tile, balls first: one walk along both. What stands elsewhere, or is
 * of no pair, is dropped. */
ts_status ts_penalty3_scatter(ts_penalty3 *m, const ts_history_array *from, ts_error *error)
{
    const ts_verlet3 *list = &m->list;
    size_t at = 0;
    for (size_t i = 0; i < list->tile_count; i++) {
        const ts_tile3 *t = &list->tile[i];
        const size_t pairs[2] = {t->other_end - t->other_begin, t->ball_end - t->ball_begin};
        size_t walk[2] = {0, 0};
        m->tile[i].ball[m->now].count = m->tile[i].other[m->now].count = 0;
        for (; at < from->count; at++) {
            bool ball;
            ts_history3 h;
            const pair_order order = order_of_record(m, &from->item[at], &ball, &h);
            if ((size_t)order.of[0] >= (i + 1) * TS_TILE3)
                break;
            int side = 1;
            while (walk[ball] < pairs[ball]) {
                const pair_order here = order_of_pair(list, t, ball, walk[ball]);
                side = compare_pairs(&here, &order);
                if (side >= 0)
                    break;
                walk[ball]++;
            }
            if (walk[ball] == pairs[ball] || side != 0)
                continue;
            ts_history3_array *to = ball ? &m->tile[i].ball[m->now] : &m->tile[i].other[m->now];
            h.pair = (int32_t)walk[ball];
            TS_TRY(ts_array_push(to, h, error));
        }
    }
    return TS_OK;
}
