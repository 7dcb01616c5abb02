/* SPDX-License-Identifier: MIT */
#include "contact/feature_grid.h"

#include <math.h>

#include "base/memory.h"

/* Up to so many features all are looked at. */
#define FEW 24
/* Cells along the longer side, at most. */
#define CELLS_MAX 256

typedef struct box {
    double low[2], high[2];
} box;

static void add(box *b, double x, double y)
{
    b->low[0] = fmin(b->low[0], x);
    b->low[1] = fmin(b->low[1], y);
    b->high[0] = fmax(b->high[0], x);
    b->high[1] = fmax(b->high[1], y);
}

/* An arc about (x, y): its ends, and where it passes the axes. */
static void add_arc(box *b, double x, double y, double radius, const double end[2][2], double mx, double my,
                    double cosine)
{
    static const double axis[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int i = 0; i < 2; i++)
        add(b, x + radius * end[i][0], y + radius * end[i][1]);
    for (int i = 0; i < 4; i++)
        if (axis[i][0] * mx + axis[i][1] * my >= cosine - 1e-9)
            add(b, x + radius * axis[i][0], y + radius * axis[i][1]);
}

static box box_of(const ts_features *f, size_t i)
{
    box b = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    if (i < f->edge_count) {
        const ts_feature_edge *e = &f->edge[i];
        if (e->radius > 0) {
            add_arc(&b, e->x, e->y, e->radius, e->end, e->tx, e->ty, e->low);
        } else {
            add(&b, e->x, e->y);
            add(&b, e->x + e->high * e->tx, e->y + e->high * e->ty);
        }
    } else {
        const ts_feature_point *p = &f->point[i - f->edge_count];
        if (p->radius > 0)
            add_arc(&b, p->x, p->y, p->radius, p->end, p->middle_x, p->middle_y, p->cosine);
        else
            add(&b, p->x, p->y);
    }
    for (int d = 0; d < 2; d++) {
        b.low[d] -= f->tolerance;
        b.high[d] += f->tolerance;
    }
    return b;
}

static int32_t cell_of(const ts_feature_grid *g, int d, double at)
{
    double c = floor((at - g->low[d]) * g->inv_cell);
    return c <= 0 ? 0 : c >= g->size[d] - 1 ? g->size[d] - 1 : (int32_t)c;
}

static void cells_of(const ts_feature_grid *g, const box *b, int32_t from[2], int32_t to[2])
{
    for (int d = 0; d < 2; d++) {
        from[d] = cell_of(g, d, b->low[d]);
        to[d] = cell_of(g, d, b->high[d]);
    }
}

/* Counts entries of cells, or writes them once `begin` says where. */
static void enter(const ts_features *f, ts_feature_grid *g, bool write)
{
    for (size_t i = 0; i < f->edge_count + f->point_count; i++) {
        box b = box_of(f, i);
        int32_t from[2], to[2];
        cells_of(g, &b, from, to);
        g->first[i][0] = from[0];
        g->first[i][1] = from[1];
        for (int32_t y = from[1]; y <= to[1]; y++)
            for (int32_t x = from[0]; x <= to[0]; x++) {
                int32_t *at = &g->begin[(size_t)y * (size_t)g->size[0] + (size_t)x + 1];
                if (write)
                    g->item[*at] = (int32_t)i;
                ++*at;
            }
    }
}

ts_status ts_feature_grid_create(ts_features *f, ts_error *error)
{
    size_t count = f->edge_count + f->point_count;
    if (count <= FEW)
        return TS_OK;
    box all = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < count; i++) {
        box b = box_of(f, i);
        add(&all, b.low[0], b.low[1]);
        add(&all, b.high[0], b.high[1]);
    }
    ts_feature_grid *g = ts_alloc(1, sizeof *g);
    if (!g)
        return ts_fail_memory(error, sizeof *g);
    f->grid = g;
    double longer = fmax(all.high[0] - all.low[0], all.high[1] - all.low[1]),
           across = fmin(ceil(sqrt((double)count)), CELLS_MAX);
    g->inv_cell = across / longer;
    for (int d = 0; d < 2; d++) {
        g->low[d] = all.low[d];
        g->size[d] = (int32_t)fmax(1, ceil((all.high[d] - all.low[d]) * g->inv_cell));
    }
    size_t cells = (size_t)g->size[0] * (size_t)g->size[1];
    g->begin = ts_alloc(cells + 2, sizeof *g->begin);
    g->first = ts_alloc(count, sizeof *g->first);
    if (!g->begin || !g->first)
        return ts_fail_memory(error, (cells + 2) * sizeof *g->begin + count * sizeof *g->first);
    enter(f, g, false);
    for (size_t i = 1; i <= cells; i++)
        g->begin[i] += g->begin[i - 1];
    size_t entries = (size_t)g->begin[cells];
    g->item = ts_alloc(entries, sizeof *g->item);
    if (!g->item)
        return ts_fail_memory(error, entries * sizeof *g->item);
    /* one place on, so that after the writing begin[i] is where cell i begins */
    for (size_t i = cells + 1; i > 0; i--)
        g->begin[i] = g->begin[i - 1];
    g->begin[0] = 0;
    enter(f, g, true);
    g->bytes = sizeof *g + (cells + 2) * sizeof *g->begin + count * sizeof *g->first + entries * sizeof *g->item;
    return TS_OK;
}

void ts_feature_grid_free(ts_feature_grid *g)
{
    if (!g)
        return;
    ts_free(g->begin);
    ts_free(g->item);
    ts_free(g->first);
    ts_free(g);
}

size_t ts_feature_grid_bytes(const ts_feature_grid *g)
{
    return g ? g->bytes : 0;
}

/* ---- Visiting ---- */

ts_feature_visit ts_feature_visit_begin(const ts_features *f, double x, double y, double reach)
{
    const ts_feature_grid *g = f->grid;
    ts_feature_visit v = {.entry = 0};
    if (!g)
        return v;
    const box b = {{x - reach, y - reach}, {x + reach, y + reach}};
    for (int d = 0; d < 2; d++)
        v.empty |= b.high[d] < g->low[d] || b.low[d] > g->low[d] + g->size[d] / g->inv_cell;
    cells_of(g, &b, v.from, v.to);
    v.at[0] = v.from[0];
    v.at[1] = v.from[1];
    v.entry = g->begin[(size_t)v.at[1] * (size_t)g->size[0] + (size_t)v.at[0]];
    return v;
}

int32_t ts_feature_visit_next(const ts_features *f, ts_feature_visit *v)
{
    const ts_feature_grid *g = f->grid;
    if (!g)
        return (size_t)v->entry < f->edge_count + f->point_count ? v->entry++ : -1;
    while (!v->empty) {
        size_t cell = (size_t)v->at[1] * (size_t)g->size[0] + (size_t)v->at[0];
        if (v->entry < g->begin[cell + 1]) {
            int32_t i = g->item[v->entry++];
            /* it is in several cells: the lowest one that is visited has it */
            const int32_t x = g->first[i][0] > v->from[0] ? g->first[i][0] : v->from[0];
            const int32_t y = g->first[i][1] > v->from[1] ? g->first[i][1] : v->from[1];
            if (x == v->at[0] && y == v->at[1])
                return i;
            continue;
        }
        if (++v->at[0] > v->to[0]) {
            v->at[0] = v->from[0];
            if (++v->at[1] > v->to[1])
                v->empty = true;
        }
        if (!v->empty)
            v->entry = g->begin[(size_t)v->at[1] * (size_t)g->size[0] + (size_t)v->at[0]];
    }
    return -1;
}
