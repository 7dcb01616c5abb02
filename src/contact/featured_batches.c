/* SPDX-License-Identifier: MIT */
/* Contacts by features for a dynamics, batch by batch. See featured.h.
 *
 *     pairs that may touch ─▶ lanes: their near keys ─▶ kernel ─▶ places of a pair ─▶ batch of contacts ─▶ sink
 *
 * Pairs wait until the lanes are full, and go on in the order of the list. */
#include <math.h>
#include <string.h>

#include "contact/feature_lanes.h"
#include "contact/featured_parts.h"
#include "contact/forms.h"

/* The least share of a contact in its pair's stiffness: so small that its force is nothing, large enough to divide by. */
static const double share_least = 1e-9;

/* Pairs that wait for the kernel: most have fewer than four near keys. */
#define PAIRS 24

/* A pair whose near keys are lanes. */
typedef struct waiting {
    ts_featured_pair p;
    const ts_featured_entry *entry;
    int32_t a; /* frame of A */
    ts_candidate pair;
    size_t end;             /* of the pair's run in the list of walls */
    const ts_history *past; /* its records from the step before, by key */
    size_t past_count;
    ts_relative a_in_b, b_in_a;
    ts_feature_stance side[2]; /* by TS_SIDE_POINT_A and TS_SIDE_POINT_B */
    double gone;               /* paths of both */
    double left;               /* until others may touch */
    int lane_end;
} waiting;

typedef struct gathering {
    const ts_workspace *work;
    ts_featured_block *here;
    double *keep;
    bool wall;
    ts_batch_sink *sink;
    void *context;
    /* for the kernel */
    int waiting_count, lane_count;
    waiting pair_waiting[PAIRS];
    ts_feature_lane lane[TS_FEATURE_LANES];
    uint64_t key[TS_FEATURE_LANES]; /* of each lane, with TS_FEATURE_PLAIN */
    ts_feature_answers answer;
    /* for the sink */
    ts_contact_batch batch;
    ts_candidate pair[TS_BATCH];
    size_t which[TS_BATCH];
    double held[TS_BATCH]; /* the first number of each contact's record, which the dynamics may change */
} gathering;

/* ---- Batches ---- */

/* Records of the batch stand behind those of the block, where they belong. */
static ts_history *records(const gathering *g)
{
    return g->here->record.item + g->here->record.count;
}

static bool make_room(gathering *g)
{
    if (g->here->status == TS_OK)
        g->here->status = ts_array_reserve(&g->here->record, g->here->record.count + TS_BATCH, NULL);
    return g->here->status == TS_OK;
}

static void flush(gathering *g)
{
    ts_contact_batch *batch = &g->batch;
    if (batch->count == 0)
        return;
    ts_history *record = records(g);
    ts_contact_batch_fill_up(batch);
    ts_batch_source source = {g->wall, g->pair, g->held, g->which, 0, record};
    g->sink(g->context, batch, &source);
    if (g->keep) {
        for (int k = 0; k < batch->count; k++) {
            record[k].value[0] = g->held[k];
            record[k].value[1] = batch->share[k];
        }
        g->here->record.count += (size_t)batch->count;
    }
    batch->count = 0;
}

static double power8(double x)
{
    const double x2 = x * x, x4 = x2 * x2;
    return x4 * x4;
}

/* Shares of the places of a pair in its stiffness. The springs of places that push the same way store ½ k D² together,
 * where D is the norm (Σ d⁸)^⅛ of their depths: hardly more than the deepest, smooth, and an energy, so that no way
 * round a tilt gains any. Its slope is k w d with
 *
 *     w = d⁶ / D⁶            one place: 1;  two that are equally deep: 0.59 each
 *
 * Places at right angles, or against each other, do not share. */
static void share_out(ts_contact_batch *batch, int first)
{
    double power[TS_BATCH], deepest = 0;
    const int count = batch->count - first;
    const double *gap = batch->gap + first, *nx = batch->nx + first, *ny = batch->ny + first;
    double *share = batch->share + first;
    for (int i = 0; i < count; i++)
        deepest = -gap[i] > deepest ? -gap[i] : deepest;
    if (count == 1 || !(deepest > 0)) {
        for (int i = 0; i < count; i++)
            share[i] = 1;
        return;
    }
    const double scale = 1 / deepest;
    for (int i = 0; i < count; i++) {
        share[i] = gap[i] < 0 ? -gap[i] * scale : 0;
        power[i] = power8(share[i]);
    }
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int j = 0; j < count; j++) {
            double along = nx[i] * nx[j] + ny[i] * ny[j];
            sum += along > 0 ? along * power[j] : 0;
        }
        const double square = share[i] * share[i], root = sqrt(sum);
        const double part = sum > 0 ? square * square * square / (root * sqrt(root)) : 1;
        share[i] = part > share_least ? part : share_least;
    }
}

/* The places of a pair, in world axes and in the order of their keys; returns how many became contacts. */
static void add(gathering *g, const waiting *w, const ts_feature_contact *place, int count)
{
    ts_contact_batch *batch = &g->batch;
    const int32_t *part = g->work->pairs.part_of_slot;
    if (batch->count + count > TS_BATCH)
        flush(g);
    if (batch->count == 0 && !make_room(g))
        return;
    const int first = batch->count;
    const ts_history *old = w->past, *old_end = w->past + w->past_count;
    const double dx = w->p.b.x - w->p.a.x, dy = w->p.b.y - w->p.a.y;
    ts_history *record = records(g);
    for (int i = 0; i < count; i++) {
        const ts_feature_contact *c = &place[i];
        const uint64_t key = c->key | TS_FEATURE_RECORD;
        while (old < old_end && old->key < key)
            old++;
        const bool lasts = old < old_end && old->key == key;
        if (c->gap >= 0 && !lasts)
            continue;
        const int to = batch->count++;
        batch->a[to] = w->a;
        batch->b[to] = w->pair.b;
        batch->history[to] = to;
        batch->gap[to] = c->gap;
        batch->nx[to] = c->nx;
        batch->ny[to] = c->ny;
        batch->bx[to] = c->x;
        batch->by[to] = c->y;
        batch->ax[to] = dx + c->x - c->gap * c->nx;
        batch->ay[to] = dy + c->y - c->gap * c->ny;
        g->pair[to] = w->pair;
        g->which[to] = w->p.which;
        record[to] =
            (ts_history){.a = g->wall ? -1 - (int64_t)w->a : part[w->pair.a], .b = part[w->pair.b], .key = key};
        if (lasts)
            memcpy(record[to].value, old->value, sizeof old->value);
        g->held[to] = record[to].value[0];
    }
    if (batch->count > first)
        share_out(batch, first);
}

/* ---- Lanes ---- */

/* From B's axes to the world's. */
static void turn_place(const ts_featured_shape *b, ts_feature_contact *c)
{
    double n[2], at[2];
    ts_featured_turn(b, c->nx, c->ny, n);
    ts_featured_turn(b, c->x, c->y, at);
    c->nx = n[0];
    c->ny = n[1];
    c->x = at[0];
    c->y = at[1];
}

/* What is looked at: what overlaps, and for impulses, which hold bodies about a gap of zero, what pressed and is open by
 * a little. */
static double touch_of(const ts_workspace *work, const ts_featured_pair *p)
{
    return work->model->contacts_at == TS_AT_END ? TS_OPEN_MOST * fmin(p->a.radius, p->b.radius) : 0;
}

/* Springs of the list refer to the first of `count` places that are about to be added. */
static void refer(gathering *g, const waiting *w, size_t count)
{
    const double spring = count > 0 ? (double)(1 + g->here->record.count + (size_t)g->batch.count) : 0;
    if (g->keep)
        for (size_t k = w->p.which; k < w->end; k++)
            g->keep[k] = spring;
}

/* More keys than there are lanes. */
static void ask_alone(gathering *g, const waiting *w)
{
    ts_feature_contacts *out = &g->here->contact;
    if (g->here->status == TS_OK)
        g->here->status = ts_featured_ask(g->work, &w->p, touch_of(g->work, &w->p), 0, out);
    if (g->here->status != TS_OK)
        return;
    refer(g, w, out->count);
    for (size_t i = 0; i < out->count; i++)
        turn_place(&w->p.b, &out->item[i]);
    for (size_t i = 0; i < out->count; i += TS_BATCH)
        add(g, w, out->item + i, out->count - i < TS_BATCH ? (int)(out->count - i) : TS_BATCH);
}

/* ts_feature_contacts_choose with the rivals that are known. `at`: which near key each place has. */
static size_t choose(const gathering *g, const waiting *w, ts_feature_contact *place, size_t count, const uint8_t *at)
{
    const uint64_t *rival = g->here->pool.rival.item + w->entry->first;
    uint64_t hidden = 0, is_here = 0;
    for (size_t i = 0; i < count; i++)
        is_here |= UINT64_C(1) << at[i];
    for (size_t i = 0; i < count; i++) {
        hidden |= place[i].key & TS_FEATURE_HIDES ? UINT64_C(1) << i : 0;
        if (!(rival[at[i]] & is_here) || (hidden >> i & 1))
            continue;
        for (size_t j = 0; j < count; j++)
            if ((rival[at[i]] >> at[j] & 1) &&
                (place[j].gap > place[i].gap || (place[j].gap == place[i].gap && j < i)) &&
                ts_feature_contact_hides(w->p.a.features, w->p.b.features, place, count, &place[i], &place[j])) {
                hidden |= UINT64_C(1) << i;
                break;
            }
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!(hidden >> i & 1))
            place[kept++] = place[i];
    return kept;
}

/* The places of a pair whose lanes have been asked. */
static void take(gathering *g, const waiting *w, int first)
{
    const ts_feature_answers *answer = &g->answer;
    const ts_features *a = w->p.a.features, *b = w->p.b.features;
    const double reach = touch_of(g->work, &w->p);
    ts_feature_contact place[TS_FEATURE_LANES];
    uint8_t at[TS_FEATURE_LANES]; /* which near key of the pair each place has */
    double left = w->left;
    size_t count = 0;
    for (int l = first; l < w->lane_end; l++) {
        ts_feature_contact *c = &place[count];
        unsigned is = answer->is[l];
        if (!(g->key[l] & TS_FEATURE_PLAIN) || (is == TS_FACING_UNSURE && answer->gap[l] < reach)) {
            is = ts_feature_contact_at(a, b, &w->a_in_b, &w->b_in_a, g->key[l] & ~TS_FEATURE_PLAIN, c);
            turn_place(&w->p.b, c);
        } else {
            *c = (ts_feature_contact){.key = g->key[l] & ~TS_FEATURE_PLAIN,
                                      .gap = answer->gap[l],
                                      .nx = answer->nx[l],
                                      .ny = answer->ny[l],
                                      .x = answer->x[l],
                                      .y = answer->y[l]};
        }
        left = c->gap > 0 ? fmin(left, c->gap) : 0;
        if (is == TS_APART_FROM || !(c->gap < reach) || (is == TS_BEHIND && !w->entry->rivals))
            continue;
        if (is == TS_BEHIND)
            c->key |= TS_FEATURE_HIDES;
        at[count++] = (uint8_t)(l - first);
    }
    if (w->entry->rivals && count > 0)
        count = choose(g, w, place, count, at);
    refer(g, w, count);
    if (count > 0)
        add(g, w, place, (int)count);
    else if (!g->wall)
        g->work->pairs.until[w->p.which] = w->gone + TS_FEATURED_SURE * left;
}

static void flush_lanes(gathering *g)
{
    g->work->feature->ask(g->lane, g->lane_count, &g->answer);
    for (int i = 0, lane = 0; i < g->waiting_count; i++) {
        if (g->here->status == TS_OK)
            take(g, &g->pair_waiting[i], lane);
        lane = g->pair_waiting[i].lane_end;
    }
    g->waiting_count = g->lane_count = 0;
}

static ts_feature_stance side_of(const ts_featured_pair *p, const ts_relative *to, bool edges_of_a)
{
    const ts_featured_shape *owner = edges_of_a ? &p->a : &p->b;
    return (ts_feature_stance){.to = *to,
                               .c = owner->c,
                               .s = owner->s,
                               .x = edges_of_a ? p->a.x - p->b.x : 0,
                               .y = edges_of_a ? p->a.y - p->b.y : 0,
                               .tolerance = p->b.features->tolerance + p->a.features->tolerance,
                               .most = owner->features->beyond_most,
                               .sign = edges_of_a ? 1 : -1,
                               .onto = edges_of_a ? 1 : 0};
}

static void add_lanes(gathering *g, waiting *w, const uint64_t *near)
{
    /* what is not plain is asked alone, and needs a lane that does no harm */
    static const ts_feature_point no_point;
    static const ts_feature_edge no_edge;
    for (uint32_t i = 0; i < w->entry->near_count; i++) {
        const uint64_t key = near[i];
        const unsigned side = ts_feature_side(key);
        ts_feature_lane *lane = &g->lane[g->lane_count];
        g->key[g->lane_count++] = key;
        if (!(key & TS_FEATURE_PLAIN))
            *lane = (ts_feature_lane){&no_point, &no_edge, &w->side[0]};
        else if (side == TS_SIDE_POINT_A)
            *lane = (ts_feature_lane){&w->p.a.features->point[ts_feature_a(key)],
                                      &w->p.b.features->edge[ts_feature_b(key)], &w->side[TS_SIDE_POINT_A]};
        else
            *lane = (ts_feature_lane){&w->p.b.features->point[ts_feature_b(key)],
                                      &w->p.a.features->edge[ts_feature_a(key)], &w->side[TS_SIDE_POINT_B]};
    }
    w->lane_end = g->lane_count;
}

/* Room for the next pair to wait. */
static waiting *next_waiting(gathering *g)
{
    if (g->waiting_count == PAIRS)
        flush_lanes(g);
    return &g->pair_waiting[g->waiting_count];
}

/* A pair whose `p`, `pair`, `a`, `end`, `gone` and past are known. */
static void gather(gathering *g, waiting *w)
{
    if (g->here->status != TS_OK)
        return;
    w->a_in_b = ts_featured_relative(&w->p.a, &w->p.b);
    w->b_in_a = ts_featured_relative(&w->p.b, &w->p.a);
    g->here->status =
        ts_featured_refresh(g->work, &w->p, &w->a_in_b, &w->b_in_a, touch_of(g->work, &w->p), 0, &w->entry, &w->left);
    if (g->here->status != TS_OK)
        return;
    const int count = (int)w->entry->near_count;
    if (count == 0) {
        for (size_t k = w->p.which; g->keep && k < w->end; k++)
            g->keep[k] = 0;
        if (!g->wall)
            g->work->pairs.until[w->p.which] = w->gone + TS_FEATURED_SURE * w->left;
        return;
    }
    if (g->lane_count + count > TS_FEATURE_LANES) {
        const waiting next = *w;
        flush_lanes(g);
        w = &g->pair_waiting[0];
        *w = next;
    }
    if (count > TS_FEATURE_LANES) {
        ask_alone(g, w);
        return;
    }
    w->side[TS_SIDE_POINT_A] = side_of(&w->p, &w->a_in_b, false);
    w->side[TS_SIDE_POINT_B] = side_of(&w->p, &w->b_in_a, true);
    g->waiting_count++;
    add_lanes(g, w, g->here->pool.near.item + w->entry->first);
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
    g->waiting_count = g->lane_count = 0;
    g->batch.count = 0;
    g->batch.weighted = false;
    g->batch.shared = true;
}

static void close_gathering(gathering *g)
{
    flush_lanes(g);
    flush(g);
}

/* ---- Lists ---- */

size_t ts_featured_pairs(const ts_workspace *work, int32_t block, size_t begin, size_t end, const double *spring,
                         double *keep, ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    const bool ends_open = work->model->contacts_at == TS_AT_END;
    gathering g;
    open_gathering(&g, work, block, false, keep, sink, context);
    size_t asked = 0;
    for (size_t k = begin; k < end; k++) {
        const ts_candidate pair = pairs->pair[k];
        const double gone = work->path[pair.a] + work->path[pair.b];
        if (gone < pairs->until[k] && !work->no_culling) {
            if (keep)
                keep[k] = 0;
            continue;
        }
        const ts_frame2 *a = &work->part[pair.a], *b = &work->part[pair.b];
        double dx = b->x - a->x, dy = b->y - a->y, reach = a->radius + b->radius, square = dx * dx + dy * dy;
        if (square >= reach * reach && !ends_open) {
            if (keep)
                keep[k] = 0;
            pairs->until[k] = gone + TS_FEATURED_SURE * (sqrt(square) - reach);
            continue;
        }
        waiting *w = next_waiting(&g);
        w->p = (ts_featured_pair){ts_featured_part(work, pair.a), ts_featured_part(work, pair.b), block, false, k};
        w->pair = pair;
        w->a = pair.a;
        w->end = k + 1;
        w->gone = gone;
        w->past_count = ts_featured_history(work->featured->past, spring[k], &w->past);
        gather(&g, w);
        asked++;
    }
    close_gathering(&g);
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
        const ts_wall *wall = &work->wall[boundary];
        const ts_candidate pair = work->pairs.wall[k];
        const ts_frame2 *part = &work->part[pair.b];
        double nx, ny;
        bool whole = wall->kind == TS_BOUNDARY_HALF_PLANE || wall->kind == TS_BOUNDARY_CIRCLE;
        if (wall->absent || (whole && ts_wall_gap(wall, part->x - wall->frame.x, part->y - wall->frame.y, part->radius,
                                                  &nx, &ny) >= 0)) {
            for (size_t other = k; keep && other < next; other++)
                keep[other] = 0;
            continue;
        }
        waiting *w = next_waiting(&g);
        w->p =
            (ts_featured_pair){ts_featured_wall(work, wall, boundary), ts_featured_part(work, pair.b), block, true, k};
        w->pair = pair;
        w->a = boundary;
        w->end = next;
        w->gone = 0;
        w->past_count = ts_featured_history(work->featured->past, ts_featured_wall_spring(spring, k, next), &w->past);
        gather(&g, w);
    }
    close_gathering(&g);
    return count;
}
