/* SPDX-License-Identifier: MIT */
/* Contacts by features for a dynamics, batch by batch. See featured.h.
 *
 *     pairs that may touch ─▶ lanes: their near keys ─▶ kernel ─▶ places of a pair ─▶ batch of contacts ─▶ sink
 *
 * Pairs wait until the lanes are full, and go on in the order of the list. */
#include <math.h>

#include "contact/featured_parts.h"
#include "contact/forms.h"

/* Pairs that wait for the kernel: most have fewer than six near keys. */
#define PAIRS 24
/* Room for lanes: a pair that waits may have as many as the kernel takes, behind some of others. */
#define LANES (2 * TS_FEATURE_LANES)

/* A pair whose near keys are lanes. */
typedef struct waiting {
    ts_feature_stance side[2]; /* by TS_SIDE_POINT_A and TS_SIDE_POINT_B */
    const ts_featured_entry *entry;
    const ts_features *features_a, *features_b;
    const ts_history *past; /* the first of its records from the step before, by key; NULL: none */
    size_t which, end;      /* its run in the list */
    ts_candidate pair;
    int32_t a;    /* frame of A */
    int lane_end; /* of its lanes */
    double reach; /* places with a smaller gap count; those that are a little farther still hide others [m] */
    double gone;  /* paths of both [m] */
    double left;  /* until others may touch [m] */
} waiting;

typedef struct gathering {
    const ts_workspace *work;
    ts_featured_block *here;
    double *keep;
    bool wall;
    ts_batch_sink *sink;
    void *context;
    const ts_history *past_end; /* of all records from the step before */
    /* for the kernel */
    int waiting_count, lane_count, odd_count;
    waiting pair_waiting[PAIRS];
    ts_feature_lane lane[LANES];
    uint64_t key[LANES];
    uint8_t odd[LANES]; /* lanes whose features only ts_feature_contact_at knows */
    ts_feature_answers answer;
    /* for the sink */
    ts_contact_batch batch;
    int pair_count;
    uint8_t begin[TS_BATCH + 1]; /* the first contact of each pair in the batch */
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
    g->begin[g->pair_count] = (uint8_t)batch->count;
    ts_contact_batch_fill_up(batch);
    if (batch->shared)
        g->work->feature->share(batch, g->begin, g->pair_count);
    ts_batch_source source = {g->wall, g->pair, g->held, g->which, 0, record};
    g->sink(g->context, batch, &source);
    if (g->keep) {
        for (int k = 0; batch->shared && k < batch->count; k++) {
            record[k].value[0] = g->held[k];
            record[k].value[1] = batch->share[k];
        }
        g->here->record.count += (size_t)batch->count;
    }
    batch->count = g->pair_count = 0;
}

/* A place as a contact of the batch, unless it is open and new. `old` goes on to its record of the step before. */
static inline void push(gathering *g, const waiting *w, int l, const ts_history **old)
{
    ts_contact_batch *batch = &g->batch;
    const ts_feature_answers *from = &g->answer;
    const int32_t *part = g->work->pairs.part_of_slot;
    const int64_t a = g->wall ? -1 - (int64_t)w->a : part[w->pair.a], b = part[w->pair.b];
    const uint64_t key = g->key[l] | TS_FEATURE_RECORD;
    const ts_history *end = g->past_end;
    while (*old < end && (*old)->key < key && (*old)->a == a && (*old)->b == b)
        ++*old;
    const bool lasts = *old < end && (*old)->key == key && (*old)->a == a && (*old)->b == b;
    if (from->gap[l] >= 0 && !lasts && !(g->work->reach.most > 0))
        return;
    const int to = batch->count++;
    const ts_feature_stance *of_a = &w->side[TS_SIDE_POINT_B]; /* has the way from B's origin to A's */
    batch->a[to] = w->a;
    batch->b[to] = w->pair.b;
    batch->history[to] = to;
    batch->gap[to] = from->gap[l];
    batch->nx[to] = from->nx[l];
    batch->ny[to] = from->ny[l];
    batch->bx[to] = from->x[l];
    batch->by[to] = from->y[l];
    batch->ax[to] = from->x[l] - of_a->x - from->gap[l] * from->nx[l];
    batch->ay[to] = from->y[l] - of_a->y - from->gap[l] * from->ny[l];
    g->pair[to] = w->pair;
    g->which[to] = w->which;
    ts_history *record = records(g) + to;
    record->a = a;
    record->b = b;
    record->key = key;
    for (int i = 0; i < 4; i++)
        record->value[i] = lasts ? (*old)->value[i] : 0;
    g->held[to] = record->value[0];
}

/* The places of a pair: bit i is lane first + i, in the order of their keys. */
static void add(gathering *g, const waiting *w, int first, uint64_t places, int count)
{
    if (g->batch.count + count > TS_BATCH)
        flush(g);
    if (g->batch.count == 0 && !make_room(g))
        return;
    const int begin = g->batch.count;
    const ts_history *old = w->past ? w->past : g->past_end;
    for (; places; places &= places - 1)
        push(g, w, first + __builtin_ctzll(places), &old);
    if (g->batch.count > begin)
        g->begin[g->pair_count++] = (uint8_t)begin;
}

/* ---- Lanes ---- */

/* How far places may be open [m]: a dynamics may want more than those that overlap. */
static double touch_of(const ts_workspace *work, const ts_frame2 *a, const ts_frame2 *b, bool wall)
{
    if (work->reach.most > 0)
        return ts_reach_of(&work->reach, a, b, wall);
    return work->model->search.open * (wall ? b->radius : fmin(a->radius, b->radius));
}

/* The springs of the list refer to the first of `count` places that are about to be added. */
static void refer(gathering *g, const waiting *w, int count)
{
    const double spring = count > 0 ? (double)(1 + g->here->record.count + (size_t)g->batch.count) : 0;
    for (size_t k = w->which; g->keep && k < w->end; k++)
        g->keep[k] = spring;
}

/* Writes a place, in B's axes, as the answer of a lane. */
static void set_answer(gathering *g, const waiting *w, int l, const ts_feature_contact *c)
{
    const ts_feature_stance *b = &w->side[TS_SIDE_POINT_A];
    g->key[l] = c->key;
    g->answer.gap[l] = c->gap;
    g->answer.nx[l] = b->c * c->nx - b->s * c->ny;
    g->answer.ny[l] = b->s * c->nx + b->c * c->ny;
    g->answer.x[l] = b->c * c->x - b->s * c->y;
    g->answer.y[l] = b->s * c->x + b->c * c->y;
}

static ts_facing ask_again(gathering *g, const waiting *w, int l)
{
    ts_feature_contact c;
    ts_facing is = ts_feature_contact_at(w->features_a, w->features_b, &w->side[TS_SIDE_POINT_A].to,
                                         &w->side[TS_SIDE_POINT_B].to, g->key[l], &c);
    set_answer(g, w, l, &c);
    return c.gap < w->side[0].reach ? is : TS_APART_FROM;
}

/* A pair with more keys than there are lanes; no other waits. */
static void ask_alone(gathering *g, const waiting *w, const ts_featured_pair *p)
{
    ts_feature_contacts *out = &g->here->contact;
    g->here->status = ts_featured_ask(g->work, p, w->reach, 0, out);
    if (g->here->status != TS_OK)
        return;
    refer(g, w, (int)out->count);
    for (size_t i = 0, end; i < out->count; i = end) {
        end = out->count - i < TS_BATCH ? out->count : i + TS_BATCH;
        for (size_t k = i; k < end; k++)
            set_answer(g, w, (int)(k - i), &out->item[k]);
        add(g, w, 0, UINT64_MAX >> (TS_BATCH - (end - i)), (int)(end - i));
    }
}

static ts_feature_contact place_of(const gathering *g, int l, bool hides)
{
    const ts_feature_answers *a = &g->answer;
    return (ts_feature_contact){
        g->key[l] | (hides ? TS_FEATURE_HIDES : 0), a->gap[l], a->nx[l], a->ny[l], a->x[l], a->y[l]};
}

/* ts_feature_contacts_choose for lanes, with the rivals that are known: of `facing` those that count. */
static uint64_t choose(const gathering *g, const waiting *w, int first, uint64_t facing, uint64_t behind)
{
    const uint64_t *rival = g->here->pool.rival.item + w->entry->first, all = facing | behind;
    const double *gap = g->answer.gap + first;
    const uint64_t *key = g->key + first;
    ts_feature_contact place[TS_FEATURE_LANES];
    size_t count = 0;
    uint64_t kept = facing;
    for (uint64_t left = facing; left; left &= left - 1) {
        const int i = __builtin_ctzll(left);
        const double own = ts_feature_rank(w->features_a, w->features_b, key[i], gap[i]);
        for (uint64_t by = rival[i] & all; by; by &= by - 1) {
            const int j = __builtin_ctzll(by);
            const double rank = ts_feature_rank(w->features_a, w->features_b, key[j], gap[j]);
            if (!(rank > own || (rank == own && j < i)))
                continue;
            if (count == 0)
                for (uint64_t k = all; k; k &= k - 1) {
                    const int l = __builtin_ctzll(k);
                    place[count++] = place_of(g, first + l, behind >> l & 1);
                }
            const ts_feature_contact p = place_of(g, first + i, false), q = place_of(g, first + j, behind >> j & 1);
            if (ts_feature_contact_hides(w->features_a, w->features_b, place, count, &p, &q)) {
                kept &= ~(UINT64_C(1) << i);
                break;
            }
        }
    }
    return kept;
}

/* A pair without a place has none without a gap before its two have moved by `left`; one that may be open comes sooner,
 * by as much as it may. */
static void leave_alone(const gathering *g, const waiting *w, double left)
{
    g->work->pairs.until[w->which] = w->gone + (left > 0 ? TS_FEATURED_SURE * left : 0);
}

/* The places of a pair whose lanes have been asked. */
static void take(gathering *g, const waiting *w, int first)
{
    const ts_feature_answers *answer = &g->answer;
    uint64_t facing = ts_feature_bits(answer->facing, first, w->lane_end),
             behind = ts_feature_bits(answer->behind, first, w->lane_end),
             unsure = ts_feature_bits(answer->unsure, first, w->lane_end);
    for (; unsure; unsure &= unsure - 1) {
        const ts_facing is = ask_again(g, w, first + __builtin_ctzll(unsure));
        facing |= is == TS_FACING ? unsure & -unsure : 0;
        behind |= is == TS_BEHIND ? unsure & -unsure : 0;
    }
    if (w->entry->rivals && facing)
        facing = choose(g, w, first, facing, behind);
    for (uint64_t left = facing; left; left &= left - 1)
        if (!(answer->gap[first + __builtin_ctzll(left)] < w->reach))
            facing &= ~(left & -left);
    const int count = __builtin_popcountll(facing);
    refer(g, w, count);
    if (count > 0) {
        add(g, w, first, facing, count);
    } else if (!g->wall) {
        double left = w->left + w->entry->reach;
        for (int l = first; l < w->lane_end; l++)
            left = fmin(left, answer->gap[l]);
        leave_alone(g, w, left);
    }
}

static void flush_lanes(gathering *g)
{
    g->work->feature->ask(g->lane, g->lane_count, &g->answer);
    for (int i = 0; i < g->odd_count; i++) {
        const uint64_t bit = UINT64_C(1) << g->odd[i] % 64;
        const int word = g->odd[i] / 64;
        g->answer.facing[word] &= ~bit;
        g->answer.behind[word] &= ~bit;
        g->answer.unsure[word] |= bit;
    }
    for (int i = 0, lane = 0; i < g->waiting_count; i++) {
        if (g->here->status == TS_OK)
            take(g, &g->pair_waiting[i], lane);
        lane = g->pair_waiting[i].lane_end;
    }
    g->waiting_count = g->lane_count = g->odd_count = 0;
}

static void set_sides(waiting *w, const ts_featured_pair *p, double reach)
{
    const double tolerance = p->b.features->tolerance + p->a.features->tolerance, hides = reach + tolerance;
    w->reach = reach;
    w->side[TS_SIDE_POINT_A] = (ts_feature_stance){.to = ts_featured_relative(&p->a, &p->b),
                                                   .c = p->b.c,
                                                   .s = p->b.s,
                                                   .tolerance = tolerance,
                                                   .most = p->b.features->beyond_most,
                                                   .sign = -1,
                                                   .reach = hides};
    w->side[TS_SIDE_POINT_B] = (ts_feature_stance){.to = ts_featured_relative(&p->b, &p->a),
                                                   .c = p->a.c,
                                                   .s = p->a.s,
                                                   .x = p->a.x - p->b.x,
                                                   .y = p->a.y - p->b.y,
                                                   .tolerance = tolerance,
                                                   .most = p->a.features->beyond_most,
                                                   .sign = 1,
                                                   .reach = hides};
}

static void add_lanes(gathering *g, waiting *w)
{
    /* what is not plain needs a lane that does no harm */
    static const ts_feature_point no_point;
    static const ts_feature_edge no_edge;
    const uint64_t *near = w->entry->near_count > 0 ? g->here->pool.near.item + w->entry->first : NULL;
    for (uint32_t i = 0; i < w->entry->near_count; i++) {
        const uint64_t key = near[i];
        const int l = g->lane_count++;
        g->key[l] = key & ~TS_FEATURE_PLAIN;
        if (!(key & TS_FEATURE_PLAIN)) {
            g->lane[l] = (ts_feature_lane){&no_point, &no_edge, &w->side[0]};
            g->odd[g->odd_count++] = (uint8_t)l;
        } else if (ts_feature_side(key) == TS_SIDE_POINT_A) {
            g->lane[l] = (ts_feature_lane){&w->features_a->point[ts_feature_a(key)],
                                           &w->features_b->edge[ts_feature_b(key)], &w->side[TS_SIDE_POINT_A]};
        } else {
            g->lane[l] = (ts_feature_lane){&w->features_b->point[ts_feature_b(key)],
                                           &w->features_a->edge[ts_feature_a(key)], &w->side[TS_SIDE_POINT_B]};
        }
    }
    w->lane_end = g->lane_count;
}

/* Room for the next pair to wait, of which `pair`, `a`, `which`, `end`, `gone` and the past are to be filled in. */
static waiting *next_waiting(gathering *g)
{
    if (g->waiting_count == PAIRS || g->lane_count > LANES - TS_FEATURE_LANES)
        flush_lanes(g);
    return &g->pair_waiting[g->waiting_count];
}

static void gather(gathering *g, waiting *w, const ts_featured_pair *p, double reach)
{
    if (g->here->status != TS_OK)
        return;
    set_sides(w, p, reach);
    g->here->status = ts_featured_refresh(g->work, p, &w->side[TS_SIDE_POINT_A].to, &w->side[TS_SIDE_POINT_B].to, reach,
                                          0, w->gone, &w->entry, &w->left);
    if (g->here->status != TS_OK)
        return;
    if (w->entry->near_count == 0) {
        refer(g, w, 0);
        if (!g->wall)
            leave_alone(g, w, w->left + w->entry->reach);
        return;
    }
    w->features_a = p->a.features;
    w->features_b = p->b.features;
    if (w->entry->near_count > TS_FEATURE_LANES) {
        const waiting alone = *w;
        flush_lanes(g);
        if (g->here->status == TS_OK)
            ask_alone(g, &alone, p);
        return;
    }
    g->waiting_count++;
    add_lanes(g, w);
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
    const ts_history_array *past = work->featured->past;
    g->past_end = past->count > 0 ? past->item + past->count : NULL; /* no offset to a pointer that is NULL */
    g->waiting_count = g->lane_count = g->odd_count = 0;
    g->batch.count = g->pair_count = 0;
    g->batch.weighted = false;
    g->batch.shared = !(work->reach.most > 0); /* who wants places that are open has no springs to share */
}

static void close_gathering(gathering *g)
{
    flush_lanes(g);
    flush(g);
}

/* ---- Lists ---- */

/* A pair whose places hold: its records go on, behind those of the pairs before it. */
static void keep_records(gathering *g, const double *spring, size_t which, size_t end)
{
    ts_history_array *to = &g->here->record;
    const ts_history *first = NULL;
    const size_t count =
        ts_featured_history(g->work->featured->past, ts_featured_wall_spring(spring, which, end), &first);
    if (count > 0 && (g->waiting_count > 0 || g->batch.count > 0)) {
        flush_lanes(g);
        flush(g);
    }
    if (g->here->status == TS_OK)
        g->here->status = ts_array_reserve(to, to->count + count, NULL);
    if (g->here->status != TS_OK)
        return;
    for (size_t k = which; k < end; k++)
        g->keep[k] = count > 0 ? (double)(1 + to->count) : 0;
    for (size_t i = 0; i < count; i++)
        to->item[to->count++] = first[i];
}

/* The first of the records that a spring refers to. */
static const ts_history *past_of(const ts_workspace *work, double spring)
{
    const ts_history_array *past = work->featured->past;
    return spring >= 1 && spring <= (double)past->count ? &past->item[(size_t)spring - 1] : NULL;
}

size_t ts_featured_pairs(const ts_workspace *work, int32_t block, size_t begin, size_t end, const double *spring,
                         double *keep, ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    gathering g;
    open_gathering(&g, work, block, false, keep, sink, context);
    size_t asked = 0;
    for (size_t k = begin; k < end; k++) {
        const ts_candidate pair = pairs->pair[k];
        if (keep && work->held && work->held[k]) {
            keep_records(&g, spring, k, k + 1);
            continue;
        }
        const ts_frame2 *a = &work->part[pair.a], *b = &work->part[pair.b];
        const double gone = work->path[pair.a] + work->path[pair.b], open = touch_of(work, a, b, false);
        if (gone + open < pairs->until[k] && !work->no_culling) {
            if (keep)
                keep[k] = 0;
            continue;
        }
        double dx = b->x - a->x, dy = b->y - a->y, radii = a->radius + b->radius, square = dx * dx + dy * dy;
        if (square >= (radii + open) * (radii + open)) {
            if (keep)
                keep[k] = 0;
            pairs->until[k] = gone + TS_FEATURED_SURE * (sqrt(square) - radii);
            continue;
        }
        waiting *w = next_waiting(&g);
        const ts_featured_pair p = {ts_featured_part(work, pair.a), ts_featured_part(work, pair.b), block, false, k};
        w->pair = pair;
        w->a = pair.a;
        w->which = k;
        w->end = k + 1;
        w->gone = gone;
        w->past = past_of(work, spring[k]);
        gather(&g, w, &p, open);
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
        const ts_wall_frame *wall = &work->wall[boundary];
        const ts_candidate pair = work->pairs.wall[k];
        const ts_frame2 *part = &work->part[pair.b];
        if (keep && work->wall_held && work->wall_held[k]) {
            keep_records(&g, spring, k, next);
            continue;
        }
        double nx, ny;
        bool whole = wall->kind == TS_WALL_FLAT || wall->kind == TS_WALL_CIRCLE;
        if (wall->absent || (whole && ts_wall_gap(wall, part->x - wall->frame.x, part->y - wall->frame.y, part->radius,
                                                  &nx, &ny) >= work->reach.most)) {
            for (size_t other = k; keep && other < next; other++)
                keep[other] = 0;
            continue;
        }
        waiting *w = next_waiting(&g);
        const ts_featured_pair p = {ts_featured_wall(work, wall, boundary), ts_featured_part(work, pair.b), block, true,
                                    k};
        w->pair = pair;
        w->a = boundary;
        w->which = k;
        w->end = next;
        w->gone = HUGE_VAL;
        w->past = past_of(work, ts_featured_wall_spring(spring, k, next));
        gather(&g, w, &p, touch_of(work, &wall->frame, part, true));
    }
    close_gathering(&g);
    return count;
}
