/* SPDX-License-Identifier: MIT */
#include "contact/featured.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "contact/faces.h"
#include "contact/forms.h"

/* How far a pair may move before its features are looked through again, of the smaller radius: more is asked about
 * in every step, less is
 * found more often. */
static const double margin_share = 0.03;
/* Rounding of paths and displacements. */
static const double sure = 1 - 1e-9;
/* The least share of a contact in its pair's stiffness: so small that its force is nothing, large enough to divide
 * by. */
static const double share_least = 1e-9;

/* What was found of a pair, and at which pose of B in A's frame. */
typedef struct entry {
    double x, y, angle;
    double reach, margin;  /* it holds for [m]; margin < 0: nothing was found yet */
    uint32_t first, count; /* keys, in the block's pool */
    uint32_t room;
} entry;

typedef struct block_work {
    TS_ARRAY(uint64_t) key; /* of all pairs of the block */
    ts_feature_contacts contact;
    ts_history_array record; /* of this step, in the order of the list */
    ts_status status;
} block_work;

struct ts_featured {
    double (*turn)[2]; /* cosine and sine of each slot's angle (part_count) */
    size_t part_count;
    entry *pair, *wall; /* (pair_capacity), (wall_capacity) */
    size_t pair_capacity, wall_capacity;
    block_work *block; /* (block_capacity) */
    size_t block_count, block_capacity;
    const ts_history_array *past; /* what the list's springs refer to */
};

ts_status ts_featured_create(const ts_model *model, ts_featured **featured, ts_error *error)
{
    ts_featured *f = ts_alloc(1, sizeof *f);
    *featured = NULL;
    if (!f)
        return ts_fail_memory(error, sizeof *f);
    f->part_count = model->part_count;
    f->turn = ts_alloc(model->part_count, sizeof *f->turn);
    if (!f->turn) {
        ts_featured_free(f);
        return ts_fail_memory(error, model->part_count * sizeof *f->turn);
    }
    *featured = f;
    return TS_OK;
}

void ts_featured_free(ts_featured *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->block_capacity; i++) {
        ts_array_free(&f->block[i].key);
        ts_array_free(&f->block[i].contact);
        ts_array_free(&f->block[i].record);
    }
    ts_free(f->block);
    ts_free(f->turn);
    ts_free(f->pair);
    ts_free(f->wall);
    ts_free(f);
}

size_t ts_featured_bytes(const ts_featured *f)
{
    if (!f)
        return 0;
    size_t bytes = sizeof *f + f->part_count * sizeof *f->turn +
                   (f->pair_capacity + f->wall_capacity) * sizeof *f->pair + f->block_capacity * sizeof *f->block;
    for (size_t i = 0; i < f->block_capacity; i++)
        bytes += f->block[i].key.capacity * sizeof *f->block[i].key.item +
                 f->block[i].contact.capacity * sizeof *f->block[i].contact.item +
                 f->block[i].record.capacity * sizeof *f->block[i].record.item;
    return bytes;
}

/* ---- Lists ---- */

static ts_status reserve_entries(entry **list, size_t *capacity, size_t needed, ts_error *error)
{
    if (needed > *capacity) {
        size_t room = needed + needed / 8;
        entry *grown = ts_alloc_raw(room, sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, room * sizeof *grown);
        ts_free(*list);
        *list = grown;
        *capacity = room;
    }
    for (size_t i = 0; i < needed; i++)
        (*list)[i] = (entry){.margin = -1};
    return TS_OK;
}

ts_status ts_featured_fit(ts_featured *f, const ts_pairs *pairs, ts_error *error)
{
    size_t blocks = (size_t)pairs->block_count;
    TS_TRY(reserve_entries(&f->pair, &f->pair_capacity, pairs->pair_count, error));
    TS_TRY(reserve_entries(&f->wall, &f->wall_capacity, pairs->wall_count, error));
    if (blocks > f->block_capacity) {
        size_t room = blocks + blocks / 4;
        block_work *grown = ts_realloc(f->block, f->block_capacity * sizeof *grown, room * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, room * sizeof *grown);
        memset(grown + f->block_capacity, 0, (room - f->block_capacity) * sizeof *grown);
        f->block = grown;
        f->block_capacity = room;
    }
    f->block_count = blocks;
    for (size_t i = 0; i < blocks; i++)
        f->block[i].key.count = 0;
    return TS_OK;
}

void ts_featured_place(const ts_workspace *work)
{
    for (size_t slot = 0; slot < work->featured->part_count; slot++) {
        double angle = work->part[slot].angle;
        work->featured->turn[slot][0] = cos(angle);
        work->featured->turn[slot][1] = sin(angle);
    }
}

static bool is_featured_wall(const ts_workspace *work, size_t k)
{
    return !ts_form_is_disc(work->model->forms, work->form[work->pairs.wall[k].b]);
}

void ts_featured_begin(const ts_workspace *work, const ts_history_array *past)
{
    ts_featured *f = work->featured;
    f->past = past;
    for (size_t i = 0; i < f->block_count; i++) {
        f->block[i].record.count = 0;
        f->block[i].status = TS_OK;
    }
}

/* Springs of a block refer to its own records: now to all. */
static void shift_springs(const ts_workspace *work, size_t block, double by, ts_state *state)
{
    const ts_pairs *pairs = &work->pairs;
    for (size_t k = pairs->block_pair[block]; k < pairs->block_pair[block + 1]; k++)
        if (pairs->map[k] == TS_MAP_OF_FEATURES && state->spring[k] != 0)
            state->spring[k] += by;
    for (size_t k = pairs->block_wall[block]; k < pairs->block_wall[block + 1]; k++)
        if (state->wall_spring[k] != 0 && is_featured_wall(work, k))
            state->wall_spring[k] += by;
}

ts_status ts_featured_end(const ts_workspace *work, ts_state *state, ts_error *error)
{
    ts_featured *f = work->featured;
    size_t sum = 0;
    for (size_t i = 0; i < f->block_count; i++) {
        if (f->block[i].status != TS_OK)
            return ts_fail_memory(error, f->block[i].key.capacity * sizeof *f->block[i].key.item);
        sum += f->block[i].record.count;
    }
    TS_TRY(ts_array_reserve(&state->history, sum, error));
    state->history.count = 0;
    for (size_t i = 0; i < f->block_count; i++) {
        const ts_history_array *from = &f->block[i].record;
        if (from->count == 0)
            continue;
        if (state->history.count > 0)
            shift_springs(work, i, (double)state->history.count, state);
        memcpy(state->history.item + state->history.count, from->item, from->count * sizeof *from->item);
        state->history.count += from->count;
    }
    return TS_OK;
}

size_t ts_featured_history(const ts_history_array *past, double spring, const ts_history **first)
{
    if (!(spring >= 1 && spring <= (double)past->count)) /* nothing, or a number that a damaged file made up */
        return 0;
    const size_t begin = (size_t)spring - 1;
    const ts_history *p = &past->item[begin];
    size_t end = begin;
    while (end < past->count && past->item[end].a == p->a && past->item[end].b == p->b &&
           (past->item[end].key & TS_FEATURE_RECORD))
        end++;
    *first = p;
    return end - begin;
}

double ts_featured_wall_spring(const double *spring, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++)
        if (spring[k] != 0)
            return spring[k];
    return 0;
}

/* ---- Asking ---- */

size_t ts_featured_walls_end(const ts_workspace *work, size_t first, size_t end)
{
    size_t k = first;
    while (k < end && is_featured_wall(work, k))
        k++;
    return k;
}

ts_featured_shape ts_featured_part(const ts_workspace *work, int32_t slot)
{
    const ts_frame2 *p = &work->part[slot];
    const double *turn = work->featured->turn[slot];
    return (ts_featured_shape){
        work->model->forms->features[work->form[slot]], p->x, p->y, p->angle, turn[0], turn[1], p->radius};
}

ts_featured_shape ts_featured_wall(const ts_workspace *work, const ts_wall_frame *w, int32_t boundary)
{
    ts_featured_shape shape = {
        work->model->forms->wall_features[boundary], w->frame.x, w->frame.y, w->frame.angle, w->nx, w->ny, HUGE_VAL};
    if (w->kind == TS_WALL_FLAT)
        shape.c = w->ny, shape.s = -w->nx;
    else if (w->kind == TS_WALL_CIRCLE)
        shape.c = 1, shape.s = 0;
    return shape;
}

size_t ts_featured_wall_end(const ts_workspace *work, size_t first, size_t end, int32_t *boundary)
{
    const ts_faces *faces = work->model->faces;
    const ts_candidate *pair = work->pairs.wall;
    *boundary = faces ? faces->face[pair[first].a].wall : pair[first].a;
    size_t k = first + 1;
    while (k < end && faces && pair[k].b == pair[first].b && faces->face[pair[k].a].wall == *boundary)
        k++;
    return k;
}

static ts_relative relative(const ts_featured_shape *from, const ts_featured_shape *to)
{
    double dx = from->x - to->x, dy = from->y - to->y;
    return (ts_relative){to->c * from->c + to->s * from->s, to->c * from->s - to->s * from->c, to->c * dx + to->s * dy,
                         to->c * dy - to->s * dx};
}

/* Looks for the pairs of features that may touch from now on. */
static ts_status find(block_work *to, entry *e, const ts_featured_pair *p, const ts_relative *a_in_b,
                      const ts_relative *b_in_a)
{
    const double turn = e->margin / (p->b.radius + e->margin + e->reach);
    for (;;) {
        size_t count = ts_feature_candidates(p->a.features, p->b.features, a_in_b, b_in_a, e->reach, e->margin, turn,
                                             e->room > 0 ? to->key.item + e->first : NULL, e->room);
        e->count = (uint32_t)count;
        if (count <= e->room)
            return TS_OK;
        /* a new place at the end of the pool; twice the room, so that what is left behind is no more than what is in
         * use */
        size_t room = 2 * count, first = to->key.count;
        ts_status status = ts_array_reserve(&to->key, first + room, NULL);
        if (status != TS_OK)
            return status;
        to->key.count = first + room;
        e->first = (uint32_t)first;
        e->room = (uint32_t)room;
    }
}

ts_status ts_featured_ask(const ts_workspace *work, const ts_featured_pair *p, double reach, double way,
                          ts_feature_contacts *out, double *until)
{
    ts_featured *f = work->featured;
    block_work *here = &f->block[p->block];
    entry *e = p->wall ? &f->wall[p->which] : &f->pair[p->which];
    const ts_features *a = p->a.features, *b = p->b.features;
    const ts_relative a_in_b = relative(&p->a, &p->b), b_in_a = relative(&p->b, &p->a);
    const double angle = p->b.angle - p->a.angle;
    double moved =
        hypot(b_in_a.dx - e->x, b_in_a.dy - e->y) + fabs(angle - e->angle) * (p->b.radius + e->margin + e->reach);
    out->count = 0;
    if (!(e->margin >= 0 && moved <= sure * e->margin && reach <= e->reach) || work->no_culling) {
        const double small = fmin(p->a.radius, p->b.radius);
        e->x = b_in_a.dx;
        e->y = b_in_a.dy;
        e->angle = angle;
        e->reach = 1.5 * reach;
        e->margin = fmax(margin_share * small, 2 * way);
        moved = 0;
        ts_status status = find(here, e, p, &a_in_b, &b_in_a);
        if (status != TS_OK) {
            e->margin = -1;
            e->count = 0;
            return status;
        }
    }
    *until = sure * e->margin - moved;
    TS_TRY(ts_array_reserve(out, e->count, NULL));
    for (uint32_t i = 0; i < e->count; i++) {
        double closed = 0;
        ts_feature_contact *c = &out->item[out->count];
        ts_facing is = ts_feature_contact_at(a, b, &a_in_b, &b_in_a, here->key.item[e->first + i], c, &closed);
        *until = closed < *until ? closed : *until;
        if (is == TS_APART_FROM || !(c->gap < reach))
            continue;
        if (is == TS_BEHIND)
            c->key |= TS_FEATURE_HIDES;
        out->count++;
    }
    out->count = ts_feature_contacts_choose(a, b, out->item, out->count);
    return TS_OK;
}

/* ---- Batches ---- */

typedef struct gathering {
    const ts_workspace *work;
    block_work *here;
    double *keep;
    bool wall;
    ts_batch_sink *sink;
    void *context;
    ts_contact_batch batch;
    ts_candidate pair[TS_BATCH];
    size_t which[TS_BATCH];
    ts_history record[TS_BATCH]; /* of each contact */
    double held[TS_BATCH];       /* its first number, which the dynamics may change */
} gathering;

static void flush(gathering *g)
{
    ts_contact_batch *batch = &g->batch;
    if (batch->count == 0)
        return;
    ts_contact_batch_fill_up(batch);
    ts_batch_source source = {g->wall, g->pair, g->held, g->which, 0, g->record};
    g->sink(g->context, batch, &source);
    if (g->keep && g->here->status == TS_OK) {
        ts_history_array *to = &g->here->record;
        g->here->status = ts_array_reserve(to, to->count + (size_t)batch->count, NULL);
        for (int k = 0; g->here->status == TS_OK && k < batch->count; k++) {
            g->record[k].value[0] = g->held[k];
            to->item[to->count++] = g->record[k];
        }
    }
    batch->count = 0;
}

static double power8(double x)
{
    const double x2 = x * x, x4 = x2 * x2;
    return x4 * x4;
}

/* Shares of the places of a pair in its stiffness. The springs of places that push the same way store ½ k D²
 * together, where D is the norm
 * (Σ d⁸)^⅛ of their depths: hardly more than the deepest, smooth, and an energy, so that no way round a tilt gains
 * any. Its slope is k w d with
 *
 *     w = d⁶ / D⁶            one place: 1;  two that are equally deep: 0.59 each
 *
 * Places at right angles, or against each other, do not share. */
static void share_out(ts_contact_batch *batch, int first)
{
    double deepest = 0;
    for (int i = first; i < batch->count; i++)
        deepest = fmax(deepest, -batch->gap[i]);
    for (int i = first; i < batch->count; i++) {
        if (batch->count - first == 1 || !(deepest > 0)) {
            batch->share[i] = 1;
            continue;
        }
        double sum = 0, depth = fmax(-batch->gap[i], 0) / deepest, square = depth * depth;
        for (int j = first; j < batch->count; j++) {
            double along = batch->nx[i] * batch->nx[j] + batch->ny[i] * batch->ny[j];
            sum += along > 0 ? along * power8(fmax(-batch->gap[j], 0) / deepest) : 0;
        }
        const double root = sqrt(sum);
        batch->share[i] = fmax(sum > 0 ? square * square * square / (root * sqrt(root)) : 1, share_least);
    }
}

/* Numbers of a place from the step before. */
static const ts_history *find_past(const ts_history *past, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++)
        if (past[i].key == (key | TS_FEATURE_RECORD))
            return &past[i];
    return NULL;
}

static void add(gathering *g, const ts_featured_pair *p, ts_candidate pair, int32_t a, const ts_history *past,
                size_t past_count, const ts_feature_contact *contact, int count)
{
    ts_contact_batch *batch = &g->batch;
    const int32_t *part = g->work->pairs.part_of_slot;
    if (batch->count + count > TS_BATCH)
        flush(g);
    const int first = batch->count;
    for (int i = 0; i < count; i++) {
        const ts_feature_contact *c = &contact[i];
        const ts_history *old = find_past(past, past_count, c->key);
        if (c->gap >= 0 && !old)
            continue;
        const int to = batch->count++;
        double n[2], at[2];
        ts_featured_turn(&p->b, c->nx, c->ny, n);
        ts_featured_turn(&p->b, c->x, c->y, at);
        batch->a[to] = a;
        batch->b[to] = pair.b;
        batch->history[to] = to;
        batch->gap[to] = c->gap;
        batch->nx[to] = n[0];
        batch->ny[to] = n[1];
        batch->bx[to] = at[0];
        batch->by[to] = at[1];
        batch->ax[to] = p->b.x - p->a.x + at[0] - c->gap * n[0];
        batch->ay[to] = p->b.y - p->a.y + at[1] - c->gap * n[1];
        g->pair[to] = pair;
        g->which[to] = p->which;
        g->record[to] = (ts_history){
            .a = g->wall ? -1 - (int64_t)a : part[pair.a], .b = part[pair.b], .key = c->key | TS_FEATURE_RECORD};
        if (old)
            memcpy(g->record[to].value, old->value, sizeof old->value);
        g->held[to] = g->record[to].value[0];
    }
    share_out(batch, first);
}

/* How far places may be open [m]: a dynamics may want more than those that overlap. */
static double touch_of(const ts_workspace *work, const ts_featured_pair *p)
{
    return work->model->search.open * fmin(p->a.radius, p->b.radius);
}

/* Records of the block so far, with those that are still gathered. */
static size_t records_so_far(const gathering *g)
{
    return g->here->record.count + (size_t)g->batch.count;
}

/* The places of one pair; returns how many. */
static size_t gather(gathering *g, const ts_featured_pair *p, ts_candidate pair, int32_t a, const ts_history *past,
                     size_t past_count, double *until)
{
    block_work *here = g->here;
    if (here->status != TS_OK)
        return 0;
    here->status = ts_featured_ask(g->work, p, touch_of(g->work, p), 0, &here->contact, until);
    for (size_t i = 0; i < here->contact.count && here->status == TS_OK; i += TS_BATCH) {
        size_t left = here->contact.count - i;
        add(g, p, pair, a, past, past_count, here->contact.item + i, left < TS_BATCH ? (int)left : TS_BATCH);
    }
    return here->status == TS_OK ? here->contact.count : 0;
}

/* By hand: most of a gathering is written before it is read, and there is one for each block. */
static void open_gathering(gathering *g, const ts_workspace *work, int32_t block, bool wall, double *keep,
                           ts_batch_sink *sink, void *context)
{
    g->work = work;
    g->here = &work->featured->block[block];
    g->keep = keep;
    g->wall = wall;
    g->sink = sink;
    g->context = context;
    g->batch.count = 0;
    g->batch.weighted = false;
    g->batch.shared = true;
}

size_t ts_featured_pairs(const ts_workspace *work, int32_t block, size_t begin, size_t end, const double *spring,
                         double *keep, ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    gathering g;
    open_gathering(&g, work, block, false, keep, sink, context);
    size_t asked = 0;
    for (size_t k = begin; k < end; k++) {
        ts_candidate pair = pairs->pair[k];
        double gone = work->path[pair.a] + work->path[pair.b];
        if (gone < pairs->until[k] && !work->no_culling) {
            if (keep)
                keep[k] = 0;
            continue;
        }
        const ts_frame2 *a = &work->part[pair.a], *b = &work->part[pair.b];
        double dx = b->x - a->x, dy = b->y - a->y, reach = a->radius + b->radius, square = dx * dx + dy * dy;
        const ts_history *past = NULL;
        size_t past_count = ts_featured_history(work->featured->past, spring[k], &past), found = 0,
               record = records_so_far(&g);
        double until = 0;
        if (square >= reach * reach && !(work->model->search.open > 0)) {
            until = sqrt(square) - reach;
        } else {
            ts_featured_pair p = {ts_featured_part(work, pair.a), ts_featured_part(work, pair.b), block, false, k};
            found = gather(&g, &p, pair, pair.a, past, past_count, &until);
            asked++;
        }
        if (keep)
            keep[k] = found > 0 ? (double)(1 + record) : 0;
        if (found == 0)
            pairs->until[k] = gone + sure * until;
    }
    flush(&g);
    return asked;
}

size_t ts_featured_walls(const ts_workspace *work, int32_t block, size_t first, size_t count, const double *spring,
                         double *keep, ts_batch_sink *sink, void *context)
{
    gathering g;
    open_gathering(&g, work, block, true, keep, sink, context);
    for (size_t k = first, next; k < first + count; k = next) {
        int32_t boundary;
        next = ts_featured_wall_end(work, k, first + count, &boundary);
        const ts_wall_frame *w = &work->wall[boundary];
        const ts_candidate pair = work->pairs.wall[k];
        const ts_frame2 *part = &work->part[pair.b];
        const ts_history *past = NULL;
        size_t past_count = ts_featured_history(work->featured->past, ts_featured_wall_spring(spring, k, next), &past),
               found = 0, record = records_so_far(&g);
        double nx, ny, until;
        bool whole = w->kind == TS_WALL_FLAT || w->kind == TS_WALL_CIRCLE;
        if (!w->absent &&
            !(whole && ts_wall_gap(w, part->x - w->frame.x, part->y - w->frame.y, part->radius, &nx, &ny) >= 0)) {
            ts_featured_pair p = {ts_featured_wall(work, w, boundary), ts_featured_part(work, pair.b), block, true, k};
            found = gather(&g, &p, pair, boundary, past, past_count, &until);
        }
        for (size_t other = k; keep && other < next; other++)
            keep[other] = found > 0 ? (double)(1 + record) : 0;
    }
    flush(&g);
    return count;
}
