/* SPDX-License-Identifier: MIT */
#include "dynamics/impact_swept.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Contacts of a chunk: some tens of microseconds. */
#define CHUNK 1024

void ts_island_changes(ts_impact_island *of, double change)
{
    uint64_t bits, now = atomic_load_explicit(&of->change, memory_order_relaxed);
    memcpy(&bits, &change, sizeof bits); /* numbers that are not negative have the order of their bits */
    while (bits > now &&
           !atomic_compare_exchange_weak_explicit(&of->change, &now, bits, memory_order_relaxed, memory_order_relaxed))
        ;
}

/* ---- Chunks ---- */

static const int32_t in_none = -1, in_many = -2;

static bool is_inside(const int32_t *chunk_of, const ts_rows *n, size_t k)
{
    const int32_t a = n->a[k] >= 0 ? chunk_of[n->a[k]] : in_none, b = n->b[k] >= 0 ? chunk_of[n->b[k]] : in_none;
    return a != in_many && b != in_many && (a != in_none || b != in_none);
}

/* Contacts in the order of places: those inside of chunks, chunk by chunk, then those of the seam. Fills work->order
 * with them, and work->part. */
static ts_status cut(ts_impact_work *work, const ts_rows *n, int *chunks, ts_error *error)
{
    *chunks = (int)(n->count / CHUNK);
    const size_t size = *chunks > 0 ? n->count / (size_t)*chunks + 1 : n->count;
    TS_TRY(ts_array_reserve(&work->chunk_of, n->block_count, error));
    TS_TRY(ts_array_reserve(&work->order, n->count, error));
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
    size_t inside = 0, seam = work->part.item[*chunks].start;
    for (size_t k = 0; k < n->count; k++)
        work->order.item[is_inside(of, n, k) ? inside++ : seam++] = (int32_t)k;
    return TS_OK;
}

/* ---- One by one ---- */

static double drift_of(const ts_impact *impact, size_t k)
{
    const ts_rows *n = impact->rows;
    return (n->drift ? n->drift[k] : 0) + ts_impact_room(impact, k);
}

static void copy_side(const ts_rows *n, size_t k, double *row)
{
    const size_t dof = (size_t)n->dof;
    for (size_t d = 0; d < dof; d++) {
        row[d] = n->a[k] >= 0 ? n->ga[k * dof + d] : 0;
        row[dof + d] = n->b[k] >= 0 ? n->gb[k * dof + d] : 0;
    }
}

static void set_place(const ts_impact *impact, const ts_impact_friction *friction, size_t k, ts_swept *p)
{
    const ts_rows *n = impact->rows, *t = friction ? friction->tangent : NULL;
    const size_t dof = (size_t)n->dof;
    *p = (ts_swept){.a = n->a[k],
                    .b = n->b[k],
                    .island = ts_impact_island_of(impact, k),
                    .contact = (int32_t)k,
                    .drift = drift_of(impact, k)};
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

/* ---- By four ---- */

/* The first of those from `i` on that has room. */
static int32_t first_open(int32_t *open, int32_t i)
{
    while (open[i] != i) {
        open[i] = open[open[i]];
        i = open[i];
    }
    return i;
}

static int32_t after(const ts_impact_work *work, int32_t block)
{
    return block >= 0 ? work->last.item[block] + 1 : 0;
}

/* Fills work->slot, four · 4 + which of it, for each of work->order; parts then count fours. */
static ts_status make_fours(ts_impact_work *work, const ts_rows *n, int chunks, size_t *fours, ts_error *error)
{
    TS_TRY(ts_array_reserve(&work->slot, n->count, error));
    TS_TRY(ts_array_reserve(&work->last, n->block_count, error));
    TS_TRY(ts_array_reserve(&work->open, n->count + 1, error));
    TS_TRY(ts_array_reserve(&work->filled, n->count + 1, error));
    int32_t count = 0, *open = work->open.item, *filled = work->filled.item;
    for (size_t i = 0; i < n->block_count; i++)
        work->last.item[i] = -1;
    open[0] = filled[0] = 0;
    for (int c = 0; c <= chunks; c++) {
        ts_impact_part *part = &work->part.item[c];
        const int32_t start = count;
        for (size_t i = part->start; i < part->start + part->count; i++) {
            const int32_t k = work->order.item[i], a = n->a[k], b = n->b[k];
            int32_t from = after(work, a) > after(work, b) ? after(work, a) : after(work, b);
            const int32_t four = first_open(open, from > start ? from : start);
            if (four == count) {
                count++;
                open[count] = count;
                filled[count] = 0;
            }
            work->slot.item[i] = 4 * four + filled[four]++;
            if (filled[four] == 4)
                open[four] = four + 1;
            if (a >= 0)
                work->last.item[a] = four;
            if (b >= 0)
                work->last.item[b] = four;
        }
        /* the next part begins with fours of its own */
        *part = (ts_impact_part){(size_t)start, (size_t)(count - start)};
    }
    *fours = (size_t)count;
    return TS_OK;
}

static void eliminate(ts_swept4 *f, int l)
{
    f->lt[l] = f->nt[l] * f->over[0][l];
    f->lx[l] = f->nx[l] * f->over[0][l];
    f->left_tx[l] = f->tx[l] - f->lt[l] * f->nx[l];
    const double tt = f->tt[l] - f->lt[l] * f->nt[l];
    if (!(tt > 1e-12 * f->tt[l]))
        return;
    f->over[1][l] = 1 / tt;
    f->mx[l] = f->left_tx[l] * f->over[1][l];
    const double xx = f->xx[l] - f->lx[l] * f->nx[l] - f->mx[l] * f->left_tx[l];
    f->over[2][l] = xx > 1e-12 * f->xx[l] ? 1 / xx : 0;
}

static void set_row(const double *row, double (*to)[4], int l)
{
    for (int d = 0; d < TS_SPACE_ROW; d++)
        to[d][l] = row[d];
}

static void set_four(const ts_impact *impact, const ts_impact_friction *friction, size_t k, ts_swept4 *f, int l)
{
    const ts_rows *n = impact->rows, *t = friction->tangent, *x = friction->across;
    double normal[TS_SPACE_ROW] = {0}, tangent[TS_SPACE_ROW] = {0}, across[TS_SPACE_ROW] = {0};
    f->a[l] = n->a[k];
    f->b[l] = n->b[k];
    f->island[l] = ts_impact_island_of(impact, k);
    f->contact[l] = (int32_t)k;
    f->drift[l] = drift_of(impact, k);
    copy_side(n, k, normal);
    set_row(normal, f->row[0], l);
    f->nn[l] = ts_dot(normal, normal, TS_SPACE_ROW);
    f->over[0][l] = f->nn[l] > 0 ? 1 / f->nn[l] : 0;
    if (!(friction->mu[k] > 0))
        return;
    copy_side(t, k, tangent);
    copy_side(x, k, across);
    f->tt[l] = ts_dot(tangent, tangent, TS_SPACE_ROW);
    if (!(f->tt[l] > 0))
        return;
    set_row(tangent, f->row[1], l);
    set_row(across, f->row[2], l);
    f->mu[l] = friction->mu[k];
    f->slip[l] = t->drift ? t->drift[k] : 0;
    f->slip_across[l] = x->drift ? x->drift[k] : 0;
    f->nt[l] = ts_dot(normal, tangent, TS_SPACE_ROW);
    f->nx[l] = ts_dot(normal, across, TS_SPACE_ROW);
    f->tx[l] = ts_dot(tangent, across, TS_SPACE_ROW);
    f->xx[l] = ts_dot(across, across, TS_SPACE_ROW);
    const double half = 0.5 * (f->tt[l] + f->xx[l]), apart = 0.5 * (f->tt[l] - f->xx[l]);
    f->step[l] = 1 / (half + sqrt(apart * apart + f->tx[l] * f->tx[l]));
    eliminate(f, l);
}

static ts_status fill_fours(const ts_impact *impact, const ts_impact_friction *friction, int chunks, ts_error *error)
{
    ts_impact_work *work = impact->work;
    size_t fours;
    assert(impact->rows->dof == TS_SPACE_DOF);
    TS_TRY(make_fours(work, impact->rows, chunks, &fours, error));
    TS_TRY(ts_array_reserve(&work->places, fours * sizeof(ts_swept4), error));
    memset(work->places.item, 0, fours * sizeof(ts_swept4));
    for (size_t i = 0; i < impact->rows->count; i++) {
        const int32_t slot = work->slot.item[i];
        set_four(impact, friction, (size_t)work->order.item[i], ts_swept4_at(work, (size_t)slot / 4), slot % 4);
    }
    for (size_t i = 0; i < fours; i++)
        for (int l = work->filled.item[i]; l < 4; l++) {
            ts_swept4 *f = ts_swept4_at(work, i);
            f->a[l] = f->b[l] = f->contact[l] = -1;
            f->island[l] = f->island[0];
        }
    work->four_count = fours;
    return TS_OK;
}

/* ---- All of them ---- */

ts_status ts_swept_make(const ts_impact *impact, const ts_impact_friction *friction, int *chunks, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    const size_t dof = (size_t)n->dof;
    work->four_count = 0;
    TS_TRY(cut(work, n, chunks, error));
    if (friction && friction->across)
        return fill_fours(impact, friction, *chunks, error);
    TS_TRY(ts_array_reserve(&work->places, n->count * ts_swept_bytes(dof), error));
    for (size_t i = 0; i < n->count; i++)
        set_place(impact, friction, (size_t)work->order.item[i], ts_swept_at(work, dof, i));
    return TS_OK;
}

void ts_swept_take(const ts_impact *impact, const double *z, const double *z_across)
{
    const ts_impact_work *work = impact->work;
    for (size_t i = 0; work->four_count == 0 && i < impact->rows->count; i++) {
        ts_swept *p = ts_swept_at(work, (size_t)impact->rows->dof, i);
        p->lambda = impact->lambda[p->contact];
        p->z = z[p->contact];
    }
    for (size_t i = 0; i < work->four_count; i++) {
        ts_swept4 *f = ts_swept4_at(work, i);
        for (int l = 0; l < 4 && f->contact[l] >= 0; l++) {
            f->lambda[l] = impact->lambda[f->contact[l]];
            f->z[l] = z[f->contact[l]];
            f->z_across[l] = z_across[f->contact[l]];
        }
    }
}

void ts_swept_give(const ts_impact *impact, double *z, double *z_across)
{
    const ts_impact_work *work = impact->work;
    for (size_t i = 0; work->four_count == 0 && i < impact->rows->count; i++) {
        const ts_swept *p = ts_swept_at(work, (size_t)impact->rows->dof, i);
        impact->lambda[p->contact] = p->lambda;
        z[p->contact] = p->z;
    }
    for (size_t i = 0; i < work->four_count; i++) {
        const ts_swept4 *f = ts_swept4_at(work, i);
        for (int l = 0; l < 4 && f->contact[l] >= 0; l++) {
            impact->lambda[f->contact[l]] = f->lambda[l];
            z[f->contact[l]] = f->z[l];
            z_across[f->contact[l]] = f->z_across[l];
        }
    }
}
