/* SPDX-License-Identifier: MIT */
#include "contact/featured.h"

#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "base/memory.h"
#include "contact/faces.h"
#include "contact/feature_lanes.h"
#include "contact/featured_parts.h"
#include "contact/forms.h"

/* How far a pair may move before its features are looked through again, and before those near are picked from what was
 * found, of the smaller radius: more is asked about in every step, less is found more often. */
static const double margin_share = 0.03, near_share = 0.002;
/* The first where steps are long and open places are wanted. */
static const double long_margin_share = 0.06;

TS_KERNEL_CHOOSER(ts_feature_kernels, ts_feature)

ts_status ts_featured_create(const ts_model *model, ts_featured **featured, ts_error *error)
{
    ts_featured *f = ts_alloc(1, sizeof *f);
    *featured = NULL;
    if (!f)
        return ts_fail_memory(error, sizeof *f);
    f->part_count = model->part_count;
    f->turn = ts_alloc(model->part_count, sizeof *f->turn);
    f->row = ts_alloc(model->part_count + 2, sizeof *f->row);
    if (!f->turn || !f->row) {
        ts_featured_free(f);
        return ts_fail_memory(error, (model->part_count + 2) * (sizeof *f->turn + sizeof *f->row));
    }
    *featured = f;
    return TS_OK;
}

static void free_pool(ts_featured_pool *pool)
{
    ts_array_free(&pool->found);
    ts_array_free(&pool->near);
    ts_array_free(&pool->rival);
}

static size_t pool_bytes(const ts_featured_pool *pool)
{
    return (pool->found.capacity + pool->near.capacity + pool->rival.capacity) * sizeof(uint64_t);
}

/* Room for `count` keys more; *first gets where they stand. */
static ts_status extend_pool(ts_featured_pool *pool, size_t count, uint32_t *first)
{
    const size_t end = pool->found.count + count;
    TS_TRY(ts_array_reserve(&pool->found, end, NULL));
    TS_TRY(ts_array_reserve(&pool->near, end, NULL));
    TS_TRY(ts_array_reserve(&pool->rival, end, NULL));
    *first = (uint32_t)pool->found.count;
    pool->found.count = end;
    return TS_OK;
}

void ts_featured_free(ts_featured *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->block_capacity; i++) {
        free_pool(&f->block[i].pool);
        ts_array_free(&f->block[i].contact);
        ts_array_free(&f->block[i].record);
    }
    free_pool(&f->carried_pool);
    ts_array_free(&f->carried);
    ts_free(f->block);
    ts_free(f->turn);
    ts_free(f->row);
    ts_free(f->pair);
    ts_free(f->wall);
    ts_free(f);
}

size_t ts_featured_bytes(const ts_featured *f)
{
    if (!f)
        return 0;
    size_t bytes = sizeof *f + f->part_count * (sizeof *f->turn + sizeof *f->row) +
                   (f->pair_capacity + f->wall_capacity + f->carried.capacity) * sizeof *f->pair +
                   f->block_capacity * sizeof *f->block + pool_bytes(&f->carried_pool);
    for (size_t i = 0; i < f->block_capacity; i++)
        bytes += pool_bytes(&f->block[i].pool) + f->block[i].contact.capacity * sizeof *f->block[i].contact.item +
                 f->block[i].record.capacity * sizeof *f->block[i].record.item;
    return bytes;
}

/* ---- Lists ---- */

static ts_status reserve_entries(ts_featured_entry **list, size_t *capacity, size_t needed, ts_error *error)
{
    if (needed > *capacity) {
        size_t room = needed + needed / 8;
        ts_featured_entry *grown = ts_alloc_raw(room, sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, room * sizeof *grown);
        ts_free(*list);
        *list = grown;
        *capacity = room;
    }
    for (size_t i = 0; i < needed; i++)
        (*list)[i] = (ts_featured_entry){.margin = -1, .near_margin = -1};
    return TS_OK;
}

/* Copies an entry with its keys from one pool to the end of another. */
static ts_status copy_entry(ts_featured_entry *to, ts_featured_pool *to_pool, const ts_featured_entry *from,
                            const ts_featured_pool *from_pool)
{
    uint32_t first;
    TS_TRY(extend_pool(to_pool, from->count, &first));
    *to = *from;
    to->first = first;
    to->room = from->count;
    to->near_until = 0;
    if (from->count > 0)
        memcpy(to_pool->found.item + first, from_pool->found.item + from->first, from->count * sizeof(uint64_t));
    if (from->near_count > 0) {
        memcpy(to_pool->near.item + first, from_pool->near.item + from->first, from->near_count * sizeof(uint64_t));
        memcpy(to_pool->rival.item + first, from_pool->rival.item + from->first, from->near_count * sizeof(uint64_t));
    }
    return TS_OK;
}

/* Writes down what was found of pairs, in a row for each part A. */
static ts_status collect(ts_featured *f)
{
    size_t count = 0;
    memset(f->row, 0, (f->part_count + 2) * sizeof *f->row);
    for (size_t k = 0; k < f->pair_count; k++)
        if (f->pair[k].margin >= 0) {
            f->row[f->pair[k].a + 2]++;
            count++;
        }
    for (size_t p = 2; p < f->part_count + 2; p++)
        f->row[p] += f->row[p - 1];
    TS_TRY(ts_array_reserve(&f->carried, count, NULL));
    f->carried_pool.found.count = 0;
    for (size_t k = 0; k < f->pair_count; k++) {
        const ts_featured_entry *e = &f->pair[k];
        if (e->margin >= 0)
            TS_TRY(copy_entry(&f->carried.item[f->row[e->a + 1]++], &f->carried_pool, e, &f->block[e->block].pool));
    }
    return TS_OK;
}

/* Gives the pairs of a new list what was written down. Where A and B have changed places it is of no use. */
static ts_status deliver(ts_featured *f, const ts_pairs *pairs, size_t block)
{
    for (size_t k = pairs->block_pair[block]; k < pairs->block_pair[block + 1]; k++) {
        const int32_t a = pairs->part_of_slot[pairs->pair[k].a], b = pairs->part_of_slot[pairs->pair[k].b];
        ts_featured_entry *e = &f->pair[k];
        for (uint32_t i = f->row[a]; i < f->row[a + 1]; i++)
            if (f->carried.item[i].b == b) {
                TS_TRY(copy_entry(e, &f->block[block].pool, &f->carried.item[i], &f->carried_pool));
                break;
            }
        e->a = a;
        e->b = b;
        e->block = (int32_t)block;
    }
    return TS_OK;
}

static ts_status reserve_blocks(ts_featured *f, size_t blocks, ts_error *error)
{
    if (blocks > f->block_capacity) {
        size_t room = blocks + blocks / 4;
        ts_featured_block *grown = ts_realloc(f->block, f->block_capacity * sizeof *grown, room * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, room * sizeof *grown);
        memset(grown + f->block_capacity, 0, (room - f->block_capacity) * sizeof *grown);
        f->block = grown;
        f->block_capacity = room;
    }
    return TS_OK;
}

ts_status ts_featured_fit(ts_featured *f, const ts_pairs *pairs, ts_error *error)
{
    const size_t blocks = (size_t)pairs->block_count;
    ts_status status = collect(f);
    f->pair_count = 0; /* until the list is whole */
    TS_TRY(reserve_entries(&f->pair, &f->pair_capacity, pairs->pair_count, error));
    TS_TRY(reserve_entries(&f->wall, &f->wall_capacity, pairs->wall_count, error));
    TS_TRY(reserve_blocks(f, blocks, error));
    f->block_count = blocks;
    for (size_t i = 0; i < blocks; i++)
        f->block[i].pool.found.count = 0;
    for (size_t i = 0; i < blocks && status == TS_OK; i++)
        status = deliver(f, pairs, i);
    if (status != TS_OK)
        return ts_fail_memory(error, pairs->pair_count * sizeof *f->pair);
    f->pair_count = pairs->pair_count;
    return TS_OK;
}

void ts_featured_place(const ts_workspace *work)
{
    work->feature->turn(work->part, work->featured->part_count, work->featured->turn);
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

ts_status ts_featured_status(const ts_workspace *work, ts_error *error)
{
    const ts_featured *f = work->featured;
    for (size_t i = 0; f && i < f->block_count; i++)
        if (f->block[i].status != TS_OK)
            return ts_fail_memory(error, pool_bytes(&f->block[i].pool));
    return TS_OK;
}

ts_status ts_featured_end(const ts_workspace *work, ts_state *state, ts_error *error)
{
    ts_featured *f = work->featured;
    size_t sum = 0;
    TS_TRY(ts_featured_status(work, error));
    for (size_t i = 0; i < f->block_count; i++)
        sum += f->block[i].record.count;
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

size_t ts_featured_record_index(const ts_workspace *work, int32_t block, const ts_history *record)
{
    return (size_t)(record - work->featured->block[block].record.item);
}

ts_history *ts_featured_record(const ts_workspace *work, int32_t block, size_t index)
{
    return &work->featured->block[block].record.item[index];
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

/* ---- Shapes ---- */

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

/* ---- What may touch ---- */

/* Looks for the pairs of features that may touch from now on. */
static ts_status find(ts_featured_pool *pool, ts_featured_entry *e, const ts_featured_pair *p,
                      const ts_relative *a_in_b, const ts_relative *b_in_a)
{
    for (;;) {
        size_t count =
            ts_feature_candidates(p->a.features, p->b.features, a_in_b, b_in_a, e->reach, e->margin, e->margin / e->arm,
                                  e->room > 0 ? pool->found.item + e->first : NULL, e->room);
        e->count = (uint32_t)count;
        if (count <= e->room)
            return TS_OK;
        /* at the end of the pool; twice the room, so that what is left behind is no more than what is in use */
        TS_TRY(extend_pool(pool, 2 * count, &e->first));
        e->room = (uint32_t)(2 * count);
    }
}

/* Marks a key of the pool of near ones that can only hide. */
#define ONLY_HIDES (UINT64_C(1) << 62)

/* Whether lanes can ask. */
static bool is_plain(const ts_features *a, const ts_features *b, uint64_t key)
{
    const unsigned side = ts_feature_side(key);
    if (side == TS_SIDE_POINTS)
        return false;
    const bool of_a = side == TS_SIDE_POINT_A;
    const ts_feature_point *p = of_a ? &a->point[ts_feature_a(key)] : &b->point[ts_feature_b(key)];
    const ts_feature_edge *e = of_a ? &b->edge[ts_feature_b(key)] : &a->edge[ts_feature_a(key)];
    return !(e->radius > 0) && !p->goes_on[0] && !p->goes_on[1];
}

/* What can only hide is dropped where it has nothing to hide. */
static void drop_idle(ts_featured_entry *e, uint64_t *near, const ts_features *a, const ts_features *b)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->near_count; i++) {
        bool needed = !(near[i] & ONLY_HIDES);
        for (uint32_t j = 0; j < e->near_count && !needed; j++)
            needed = !(near[j] & ONLY_HIDES) && ts_feature_may_hide(a, b, near[i], near[j]);
        if (needed) /* what may be a place is never dropped, and so is found wherever it stands by now */
            near[kept++] = near[i];
    }
    e->near_count = kept;
}

/* Which near keys may hide which: beyond 64 they are not noted, since such pairs are asked otherwise. */
static void note_rivals(ts_featured_entry *e, uint64_t *near, uint64_t *rival, const ts_features *a,
                        const ts_features *b)
{
    const uint32_t count = e->near_count < TS_FEATURE_LANES ? e->near_count : TS_FEATURE_LANES;
    e->rivals = false;
    for (uint32_t i = 0; i < count; i++) {
        rival[i] = 0;
        for (uint32_t j = 0; j < count; j++)
            if (j != i && !(near[i] & ONLY_HIDES) &&
                (near[j] & ONLY_HIDES ? ts_feature_may_hide(a, b, near[j], near[i])
                                      : ts_feature_are_rivals(a, b, near[i], near[j])))
                rival[i] |= UINT64_C(1) << j;
        e->rivals |= rival[i] != 0;
    }
    for (uint32_t i = 0; i < e->near_count; i++)
        near[i] = (near[i] & ~ONLY_HIDES) | (is_plain(a, b, near[i]) ? TS_FEATURE_PLAIN : 0);
}

/* Picks those near of what was found. They hold for a motion of `margin`, or, where there are none, of up to `left`. */
static void pick(ts_featured_pool *pool, ts_featured_entry *e, const ts_featured_pair *p, const ts_relative *a_in_b,
                 const ts_relative *b_in_a, double margin, double left)
{
    const ts_features *a = p->a.features, *b = p->b.features;
    /* paths count a turn by the part's own radius (advance.simd.c): the smaller one's uses up the least */
    const double arm = fmin(e->arm, fmin(p->a.radius, p->b.radius));
    uint64_t *near = e->count > 0 ? pool->near.item + e->first : NULL;
    double first = left;
    e->near_count = 0;
    for (uint32_t i = 0; near && i < e->count; i++) {
        const uint64_t key = pool->found.item[e->first + i];
        double touch, face;
        ts_feature_bounds(a, b, a_in_b, b_in_a, key, e->reach, arm, &touch, &face);
        first = fmin(first, face);
        if (touch <= margin)
            near[e->near_count++] = key | (face <= margin ? 0 : ONLY_HIDES);
    }
    if (first > margin)
        e->near_count = 0;
    if (e->near_count > 1)
        drop_idle(e, near, a, b);
    if (e->near_count > 0)
        note_rivals(e, near, pool->rival.item + e->first, a, b);
    e->near_margin = TS_FEATURED_SURE * fmax(first, margin);
}

static double moved_from(double x, double y, double angle, double arm, const ts_relative *b_in_a, double angle_now)
{
    const double dx = b_in_a->dx - x, dy = b_in_a->dy - y;
    return sqrt(dx * dx + dy * dy) + fabs(angle_now - angle) * arm;
}

ts_status ts_featured_refresh(const ts_workspace *work, const ts_featured_pair *p, const ts_relative *a_in_b,
                              const ts_relative *b_in_a, double reach, double way, double gone,
                              const ts_featured_entry **entry, double *left)
{
    ts_featured *f = work->featured;
    ts_featured_block *here = &f->block[p->block];
    ts_featured_entry *e = p->wall ? &f->wall[p->which] : &f->pair[p->which];
    *entry = e;
    *left = e->near_until - gone;
    if (*left > 0 && reach <= e->reach && !work->no_culling)
        return TS_OK;
    const double angle = p->b.angle - p->a.angle;
    *left = e->near_margin - moved_from(e->near_x, e->near_y, e->near_angle, e->arm, b_in_a, angle);
    e->near_until = gone < HUGE_VAL ? TS_FEATURED_SURE * (gone + *left) : 0;
    if (*left >= 0 && reach <= e->reach && !work->no_culling)
        return TS_OK;
    const double small = fmin(p->a.radius, p->b.radius), near = fmax(near_share * small, 2 * way);
    double moved = moved_from(e->x, e->y, e->angle, e->arm, b_in_a, angle);
    if (!(e->margin >= 0 && moved + near <= TS_FEATURED_SURE * e->margin && reach <= e->reach) || work->no_culling) {
        e->x = b_in_a->dx;
        e->y = b_in_a->dy;
        e->angle = angle;
        e->reach = 1.5 * reach;
        e->margin = fmax((work->reach.most > 0 ? long_margin_share : margin_share) * small, 1.5 * near);
        e->arm = p->b.radius + e->margin + e->reach;
        moved = 0;
        ts_status status = find(&here->pool, e, p, a_in_b, b_in_a);
        if (status != TS_OK) {
            e->margin = e->near_margin = -1;
            e->count = e->near_count = 0;
            return status;
        }
    }
    e->near_x = b_in_a->dx;
    e->near_y = b_in_a->dy;
    e->near_angle = angle;
    pick(&here->pool, e, p, a_in_b, b_in_a, near, TS_FEATURED_SURE * e->margin - moved);
    *left = e->near_margin;
    e->near_until = gone < HUGE_VAL ? TS_FEATURED_SURE * (gone + *left) : 0;
    return TS_OK;
}

/* ---- Asking ---- */

ts_status ts_featured_ask(const ts_workspace *work, const ts_featured_pair *p, double reach, double way,
                          ts_feature_contacts *out)
{
    const ts_features *a = p->a.features, *b = p->b.features;
    const ts_relative a_in_b = ts_featured_relative(&p->a, &p->b), b_in_a = ts_featured_relative(&p->b, &p->a);
    const ts_featured_entry *e;
    double left;
    out->count = 0;
    TS_TRY(ts_featured_refresh(work, p, &a_in_b, &b_in_a, reach, way, HUGE_VAL, &e, &left));
    TS_TRY(ts_array_reserve(out, e->near_count, NULL));
    const uint64_t *near = e->near_count > 0 ? work->featured->block[p->block].pool.near.item + e->first : NULL;
    for (uint32_t i = 0; near && i < e->near_count; i++) {
        ts_feature_contact *c = &out->item[out->count];
        ts_facing is = ts_feature_contact_at(a, b, &a_in_b, &b_in_a, near[i] & ~TS_FEATURE_PLAIN, c);
        if (is == TS_APART_FROM || !(c->gap < reach + a->tolerance + b->tolerance))
            continue;
        if (is == TS_BEHIND)
            c->key |= TS_FEATURE_HIDES;
        out->count++;
    }
    /* a place that is open by rounding alone hides a deep one all the same: a corner that lies on a face is not inside */
    const size_t chosen = ts_feature_contacts_choose(a, b, out->item, out->count);
    out->count = 0;
    for (size_t i = 0; i < chosen; i++)
        if (out->item[i].gap < reach)
            out->item[out->count++] = out->item[i];
    return TS_OK;
}
