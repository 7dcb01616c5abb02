/* SPDX-License-Identifier: MIT */
#include "dynamics/impact_swept.h"

#include <math.h>

/* Contacts of a chunk: some tens of microseconds. */
#define CHUNK 1024

/* ---- Chunks ---- */

static const int32_t in_none = -1, in_many = -2;

static bool is_inside(const int32_t *chunk_of, const ts_instant *n, size_t k)
{
    return (n->a[k] < 0 || chunk_of[n->a[k]] != in_many) && (n->b[k] < 0 || chunk_of[n->b[k]] != in_many);
}

/* Fills work->part: where the insides of chunks begin and how many they have; the last one is the seam. */
static ts_status cut(ts_impact_work *work, const ts_instant *n, int *chunks, ts_error *error)
{
    *chunks = (int)(n->count / CHUNK);
    const size_t size = *chunks > 0 ? n->count / (size_t)*chunks + 1 : n->count;
    TS_TRY(ts_array_reserve(&work->chunk_of, n->block_count, error));
    TS_TRY(ts_array_reserve(&work->part, (size_t)*chunks + 1, error));
    int32_t *of = work->chunk_of.item;
    for (size_t i = 0; i < n->block_count; i++)
        of[i] = *chunks > 0 ? in_none : in_many;
    for (int c = 0; c <= *chunks; c++)
        work->part.item[c] = (ts_impact_part){0};
    for (size_t k = 0; k < n->count; k++)
        for (int side = 0; side < 2; side++) {
            const int32_t block = side ? n->b[k] : n->a[k], own = (int32_t)(k / size);
            if (block >= 0)
                of[block] = of[block] == in_none || of[block] == own ? own : in_many;
        }
    for (size_t k = 0; k < n->count; k++)
        work->part.item[is_inside(of, n, k) ? (int)(k / size) : *chunks].count++;
    for (int c = 1; c <= *chunks; c++)
        work->part.item[c].start = work->part.item[c - 1].start + work->part.item[c - 1].count;
    return TS_OK;
}

/* ---- Places ---- */

static void copy_side(const ts_instant *n, size_t k, double *row)
{
    const size_t dof = (size_t)n->dof;
    for (size_t d = 0; d < dof; d++) {
        row[d] = n->a[k] >= 0 ? n->ga[k * dof + d] : 0;
        row[dof + d] = n->b[k] >= 0 ? n->gb[k * dof + d] : 0;
    }
}

static void set_place(const ts_impact *impact, const ts_impact_friction *friction, size_t k, ts_swept *p)
{
    const ts_instant *n = impact->instant, *t = friction ? friction->tangent : NULL;
    const size_t dof = (size_t)n->dof;
    const int32_t mover = ts_impact_mover(n, k);
    *p = (ts_swept){.a = n->a[k],
                    .b = n->b[k],
                    .island = mover >= 0 ? impact->work->root.item[mover] : 0,
                    .contact = (int32_t)k,
                    .drift = (n->drift ? n->drift[k] : 0) + ts_impact_room(impact, k)};
    copy_side(n, k, p->row);
    for (size_t d = 2 * dof; d < 4 * dof; d++)
        p->row[d] = 0;
    p->nn = ts_dot(p->row, p->row, 2 * dof);
    if (!t || !(friction->mu[k] > 0))
        return;
    copy_side(t, k, p->row + 2 * dof);
    p->slip = t->drift ? t->drift[k] : 0;
    p->nt = ts_dot(p->row, p->row + 2 * dof, 2 * dof);
    p->tt = ts_dot(p->row + 2 * dof, p->row + 2 * dof, 2 * dof);
    p->mu = p->tt > 0 ? friction->mu[k] : 0;
    const double det = p->nn * p->tt - p->nt * p->nt;
    p->inverse = det > 1e-12 * p->nn * p->tt ? 1 / det : 0;
}

static void eliminate(const ts_swept *p, ts_swept_across *x)
{
    x->over[0] = 1 / p->nn;
    x->lt = p->nt * x->over[0];
    x->lx = x->nx * x->over[0];
    x->left_tx = x->tx - x->lt * x->nx;
    const double tt = p->tt - x->lt * p->nt;
    if (!(tt > 1e-12 * p->tt))
        return;
    x->over[1] = 1 / tt;
    x->mx = x->left_tx * x->over[1];
    const double xx = x->xx - x->lx * x->nx - x->mx * x->left_tx;
    x->over[2] = xx > 1e-12 * x->xx ? 1 / xx : 0;
}

/* After set_place. */
static void set_across(const ts_impact_friction *friction, size_t k, size_t dof, ts_swept *p)
{
    ts_swept_across *x = ts_swept_across_of(p, dof);
    const double *t = p->row + 2 * dof;
    *x = (ts_swept_across){0};
    for (size_t d = 0; d < 2 * dof; d++)
        x->row[d] = 0;
    if (!(p->mu > 0))
        return;
    copy_side(friction->across, k, x->row);
    x->slip = friction->across->drift ? friction->across->drift[k] : 0;
    x->nx = ts_dot(p->row, x->row, 2 * dof);
    x->tx = ts_dot(t, x->row, 2 * dof);
    x->xx = ts_dot(x->row, x->row, 2 * dof);
    const double half = 0.5 * (p->tt + x->xx), apart = 0.5 * (p->tt - x->xx);
    x->step = 1 / (half + sqrt(apart * apart + x->tx * x->tx));
    if (p->nn > 0)
        eliminate(p, x);
}

ts_status ts_swept_make(const ts_impact *impact, const ts_impact_friction *friction, int *chunks, ts_error *error)
{
    const ts_instant *n = impact->instant;
    ts_impact_work *work = impact->work;
    work->across = friction && friction->across;
    TS_TRY(ts_array_reserve(&work->places, n->count * ts_swept_bytes((size_t)n->dof, work->across), error));
    TS_TRY(cut(work, n, chunks, error));
    size_t inside = 0, seam = work->part.item[*chunks].start;
    for (size_t k = 0; k < n->count; k++) {
        ts_swept *p = ts_swept_at(work, n->dof, is_inside(work->chunk_of.item, n, k) ? inside++ : seam++);
        set_place(impact, friction, k, p);
        if (friction && friction->across)
            set_across(friction, k, (size_t)n->dof, p);
    }
    return TS_OK;
}
