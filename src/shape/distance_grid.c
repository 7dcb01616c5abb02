/* SPDX-License-Identifier: MIT */
/* The grid of shape/distance_kernel.h: which blocks of edges can hold the nearest edge somewhere in a cell.
 *
 * Squares are divided from the whole grid down to cells, each handing its candidates to its four quarters. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "shape/distance_kernel.h"

#define REACH    2.25 /* half the grid's side, in radii of the shape: points twice as far as the boundary are common */
#define SIDE_MIN 64
#define SIDE_MAX 512
#define RECENT   64 /* lists of runs that may be used again */

typedef TS_ARRAY(int32_t) list;

typedef struct builder {
    ts_distance *d;
    double size;               /* of a cell */
    double slack;              /* what rounding may do to a distance */
    list candidate;            /* a stack: those of each square that is being divided */
    TS_ARRAY(double) distance; /* of four corners from the candidates of the square at hand */
    TS_ARRAY(ts_distance_run) run;
    ts_distance_cell recent[RECENT]; /* written lately, by hash */
    ts_error *error;
} builder;

/* A square of cells. */
typedef struct square {
    int32_t x, y, cells;
} square;

/* The point of the edge that is nearest to p. */
static ts_vec2 foot(const ts_distance_edge *e, double x, double y)
{
    double dx = e->x1 - e->x0, dy = e->y1 - e->y0, b = e->b, hx = e->gx - b * dx, hy = e->gy - b * dy;
    double ex = x - e->x0, ey = y - e->y0, fx = x - e->x1, fy = y - e->y1;
    bool after = ex * e->gy - ey * e->gx >= 0, before = fx * hy - fy * hx <= 0;
    double qx = b * ex - e->gx, qy = b * ey - e->gy, q = sqrt(qx * qx + qy * qy), ee = ex * ex + ey * ey;
    if (!(b * b > 1 ? after || before : after && before) || !(q > 0))
        return ee <= fx * fx + fy * fy ? (ts_vec2){e->x0, e->y0} : (ts_vec2){e->x1, e->y1};
    double d = (b * ee - 2 * (ex * e->gx + ey * e->gy)) / (q + e->rho);
    return (ts_vec2){e->x0 + (e->rho * ex + d * e->gx) / q, e->y0 + (e->rho * ey + d * e->gy) / q};
}

/* Pushes those of candidates begin … begin + count - 1 that can be nearest somewhere in the square. */
static ts_status filter(builder *b, square s, size_t begin, size_t count)
{
    const ts_distance *d = b->d;
    double x0 = d->origin[0] + s.x * b->size, x1 = d->origin[0] + (s.x + s.cells) * b->size;
    double y0 = d->origin[1] + s.y * b->size, y1 = d->origin[1] + (s.y + s.cells) * b->size;
    const double corner[2][4] = {{x0, x1, x0, x1}, {y0, y0, y1, y1}};
    TS_TRY(ts_array_reserve(&b->distance, 4 * count, b->error));
    TS_TRY(ts_array_reserve(&b->candidate, b->candidate.count + count, b->error));
    const int32_t *from = b->candidate.item + begin;
    size_t nearest[4];
    d->kernel->measure(d->edge, from, count, corner, b->distance.item, nearest);
    /* four points of the boundary, those nearest to the corners, and how far they are from all corners */
    double limit[4][4];
    for (int k = 0; k < 4; k++) {
        ts_vec2 a = foot(&d->edge[from[nearest[k]]], corner[0][k], corner[1][k]);
        for (int c = 0; c < 4; c++) {
            double ax = corner[0][c] - a.x, ay = corner[1][c] - a.y;
            limit[k][c] = sqrt(ax * ax + ay * ay) + b->slack;
        }
    }
    int32_t *to = b->candidate.item + b->candidate.count;
    b->candidate.count += d->kernel->sieve(from, count, b->distance.item, (const double(*)[4])limit, to);
    return TS_OK;
}

/* Blocks of sorted candidates as runs: those of lines into run[0 … *lines), those of arcs after them. Returns how many;
 * pushes them all. */
static ts_status push_runs(builder *b, const int32_t *candidate, size_t count, size_t *lines, size_t *arcs)
{
    uint32_t line_blocks = b->d->line_blocks;
    *lines = *arcs = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t block = (uint32_t)candidate[i] / 4, is_arc = block >= line_blocks, base = is_arc ? line_blocks : 0;
        ts_distance_run *last = b->run.count > 0 ? &b->run.item[b->run.count - 1] : NULL;
        bool same_kind = last && (is_arc ? *arcs > 0 : *lines > 0);
        if (same_kind && block - base < last->begin + last->count)
            continue;
        if (same_kind && block - base == last->begin + last->count) {
            last->count++;
            continue;
        }
        TS_TRY(ts_array_push(&b->run, ((ts_distance_run){block - base, 1}), b->error));
        ++*(is_arc ? arcs : lines);
    }
    return TS_OK;
}

static uint32_t hash_runs(const ts_distance_run *run, size_t count)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < count; i++)
        h = ((h ^ run[i].begin) * 16777619u ^ run[i].count) * 16777619u;
    return (h ^ h >> 15) % RECENT;
}

/* One cell's blocks, from its candidates. */
static ts_status make_cell(builder *b, const int32_t *candidate, size_t count, ts_distance_cell *cell)
{
    size_t begin = b->run.count, lines, arcs;
    TS_TRY(push_runs(b, candidate, count, &lines, &arcs));
    const ts_distance_run *run = b->run.item + begin;
    if (lines == 1 && arcs == 0 && run->count <= UINT16_MAX) {
        *cell = (ts_distance_cell){run->begin, (uint16_t)run->count, 0};
        b->run.count = begin;
        return TS_OK;
    }
    if (lines >= UINT16_MAX || arcs >= UINT16_MAX) { /* too many pieces: all in one */
        b->run.count = begin;
        TS_TRY(ts_array_push(&b->run, ((ts_distance_run){0, b->d->line_blocks}), b->error));
        TS_TRY(ts_array_push(&b->run, ((ts_distance_run){0, b->d->arc_blocks}), b->error));
        *cell = (ts_distance_cell){(uint32_t)begin, 1, 2};
        return TS_OK;
    }
    *cell = (ts_distance_cell){(uint32_t)begin, (uint16_t)lines, (uint16_t)(1 + arcs)};
    ts_distance_cell *old = &b->recent[hash_runs(run, lines + arcs)];
    if (old->listed == cell->listed && old->count == cell->count &&
        memcmp(b->run.item + old->begin, run, (lines + arcs) * sizeof *run) == 0) {
        *cell = *old;
        b->run.count = begin;
    }
    *old = *cell;
    return TS_OK;
}

/* Candidates are sorted; are they all in one block? */
static bool one_block(const int32_t *candidate, size_t count)
{
    return candidate[0] / 4 == candidate[count - 1] / 4;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the side has bits */
static ts_status divide(builder *b, square s, size_t begin, size_t count)
{
    size_t mine = b->candidate.count;
    TS_TRY(filter(b, s, begin, count));
    size_t left = b->candidate.count - mine;
    const int32_t *candidate = b->candidate.item + mine;
    if (s.cells == 1 || one_block(candidate, left)) {
        ts_distance_cell cell;
        TS_TRY(make_cell(b, candidate, left, &cell));
        for (int32_t y = s.y; y < s.y + s.cells; y++)
            for (int32_t x = s.x; x < s.x + s.cells; x++)
                b->d->cell[y * b->d->side + x] = cell;
    } else {
        int32_t half = s.cells / 2;
        for (int32_t k = 0; k < 4; k++) {
            square quarter = {s.x + (k & 1) * half, s.y + (k >> 1) * half, half};
            TS_TRY(divide(b, quarter, mine, left));
        }
    }
    b->candidate.count = mine;
    return TS_OK;
}

static ts_status build(builder *b)
{
    ts_distance *d = b->d;
    TS_TRY(ts_array_reserve(&b->candidate, d->edge_count, b->error));
    for (size_t i = 0; i < d->edge_count; i++)
        if (i % 4 == 0 || d->original[i] != d->original[i - 1]) /* no copies */
            b->candidate.item[b->candidate.count++] = (int32_t)i;
    TS_TRY(divide(b, (square){0, 0, d->side}, 0, b->candidate.count));
    if (b->run.count == 0)
        return TS_OK;
    d->run = ts_realloc(b->run.item, b->run.capacity * sizeof *d->run, b->run.count * sizeof *d->run);
    if (!d->run)
        return ts_fail_memory(b->error, b->run.count * sizeof *d->run);
    d->run_count = b->run.count;
    b->run.item = NULL;
    return TS_OK;
}

ts_status ts_distance_build_grid(ts_distance *d, double radius, ts_error *error)
{
    int32_t side = SIDE_MIN;
    while (side < SIDE_MAX && side * side < 16 * (int32_t)d->edge_count)
        side *= 2;
    double half = REACH * radius;
    TS_TRY(ts_new(&d->cell, (size_t)side * (size_t)side, error));
    d->side = side;
    d->origin[0] = d->centre[0] - half;
    d->origin[1] = d->centre[1] - half;
    builder b = {.d = d, .size = 2 * half / side, .error = error};
    b.slack = 1e-13 * (half + fabs(d->origin[0]) + fabs(d->origin[1]));
    d->per_length = 1 / b.size;
    ts_status status = build(&b);
    ts_array_free(&b.candidate);
    ts_array_free(&b.distance);
    ts_array_free(&b.run);
    return status;
}
