/* SPDX-License-Identifier: MIT */
/* The largest disc that fits into the intersection of two shapes.
 *
 * A disc about q lies in both when its radius is at most the depth a(q) below the boundary of A, and b(q) below that of
 * B. So the largest one is the maximum of min(a, b), which is found by branch and bound over the box of the
 * intersection: cells are halved, the most promising first, until none can hold a disc that is a thousandth larger than
 * the best one known.
 *
 * A depth changes by no more than the way, which bounds it in a cell. That alone would cut a long thin overlap into
 * cells as small as it is thin. But where all of A's boundary around a cell lies on the inner side of a straight line,
 * A does so too:
 *
 *        ════════════ A's edge          a(q) ≤ u(q), b(q) ≤ v(q), both linear, and
 *          ·   q   ·
 *        ════════════ B's edge          min(a, b) ≤ (u + v) / 2, which is constant where the edges are parallel:
 *
 * one cell is then enough, however long it is. */
#include <math.h>

#include "shape/overlap.h"

/* Depths are found to this share. */
static const double share = 1e-3;
/* Cells looked at for a disc: far more than it takes, so that nothing goes on for ever. The best disc so far is then
 * the answer. */
enum { CELLS_MAX = 1 << 15 };

/* Without the C library's care for NaN, which costs a call. */
static inline double least(double a, double b)
{
    return a < b ? a : b;
}

static inline double most(double a, double b)
{
    return a > b ? a : b;
}

static double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

/* ---- Depth at a point ---- */

/* Chords to choose from. */
typedef struct choice {
    const ts_overlap_side *side;
    const uint32_t *index;
    size_t count;
} choice;

typedef struct nearest {
    double depth;          /* distance from the boundary, positive inside */
    const ts_chord *chord; /* NULL: none comes into the box */
} nearest;

/* The square of the distance; `foot` gets where on the chord the foot lies, 0 to 1. */
static double chord_distance2(const ts_chord *e, double x, double y, double *foot)
{
    double dx = e->x1 - e->x0, dy = e->y1 - e->y0, px = x - e->x0, py = y - e->y0;
    double t = least(most((px * dx + py * dy) / (dx * dx + dy * dy), 0), 1);
    px -= t * dx;
    py -= t * dy;
    *foot = t;
    return px * px + py * py;
}

static nearest depth_at(const choice *from, double x, double y)
{
    nearest n = {HUGE_VAL, NULL};
    double foot = 0;
    for (size_t i = 0; i < from->count; i++) {
        const ts_chord *e = &from->side->near.item[from->index[i]];
        double t, d = chord_distance2(e, x, y, &t);
        if (d < n.depth) {
            n = (nearest){d, e};
            foot = t;
        }
    }
    n.depth = sqrt(n.depth);
    /* between its ends the nearest chord itself says which side this is */
    const ts_chord *e = n.chord;
    double left = e ? (e->x1 - e->x0) * (y - e->y0) - (e->y1 - e->y0) * (x - e->x0) : 0;
    bool clear = e && foot > 0 && foot < 1 && left != 0;
    if (clear ? left < 0 : !ts_overlap_inside(from->side, x, y))
        n.depth = -n.depth;
    return n;
}

/* ---- A line that a side does not cross ---- */

/* Upright boxes. */
typedef struct box {
    double x0, y0, x1, y1;
} box;

/* u(q) = value + n · (q − middle of the cell) */
typedef struct linear {
    double value, nx, ny;
} linear;

/* The part of e within the box, as parameters; false: none. */
static bool clip(const ts_chord *e, const box *k, double *begin, double *end)
{
    const double from[2] = {e->x0, e->y0}, way[2] = {e->x1 - e->x0, e->y1 - e->y0};
    const double low[2] = {k->x0, k->y0}, high[2] = {k->x1, k->y1};
    double t0 = 0, t1 = 1;
    for (int i = 0; i < 2; i++) {
        if (way[i] == 0) {
            if (from[i] < low[i] || from[i] > high[i])
                return false;
            continue;
        }
        double u = (low[i] - from[i]) / way[i], v = (high[i] - from[i]) / way[i];
        t0 = most(t0, least(u, v));
        t1 = least(t1, most(u, v));
    }
    *begin = t0;
    *end = t1;
    return t0 <= t1;
}

/* A linear function that the side's depth does not exceed in the cell, or that a disc which keeps to the whole box does
 * not; false when none is seen. It looks at the boundary in a box k of four times the cell's size, so that the foot of
 * every point of the cell on the line lies in there, or outside of the whole box. */
static bool find_line(const choice *from, const ts_chord *edge, const ts_overlap_cell *cell, const box *whole,
                      linear *out)
{
    double dx = edge->x1 - edge->x0, dy = edge->y1 - edge->y0, length = length_of(dx, dy), m = most(cell->hx, cell->hy);
    double nx = -dy / length, ny = dx / length, at = nx * edge->x0 + ny * edge->y0;
    box k = {most(whole->x0, cell->x - 4 * m), most(whole->y0, cell->y - 4 * m), least(whole->x1, cell->x + 4 * m),
             least(whole->y1, cell->y + 4 * m)};
    /* the boundary lies on the inner side of the line n · q = at + low */
    double low = 0;
    for (size_t i = 0; i < from->count; i++) {
        const ts_chord *e = &from->side->near.item[from->index[i]];
        double t[2];
        if (!clip(e, &k, &t[0], &t[1]))
            continue;
        for (int j = 0; j < 2; j++)
            low = least(low, nx * (e->x0 + t[j] * (e->x1 - e->x0)) + ny * (e->y0 + t[j] * (e->y1 - e->y0)) - at);
    }
    low -= 1e-9 * m; /* a corner of the box that lies on the line does so up to rounding */
    double value = nx * cell->x + ny * cell->y - at - low;
    if (!(value <= 1.5 * m))
        return false;
    /* beyond it no boundary is left, so that all is outside or all inside */
    double cx = nx > 0 ? k.x0 : k.x1, cy = ny > 0 ? k.y0 : k.y1, beyond = nx * cx + ny * cy - at - low;
    if (beyond < 0) {
        double t = value > 0 ? 0.5 * -beyond / (value - beyond) : 0.5;
        if (ts_overlap_inside(from->side, cx + t * (cell->x - cx), cy + t * (cell->y - cy)))
            return false;
    }
    *out = (linear){value, nx, ny};
    return true;
}

/* ---- Cells, the most promising on top ---- */

static ts_status push_cell(ts_overlap_work *work, ts_overlap_cell cell, ts_error *error)
{
    TS_TRY(ts_array_push(&work->cell, cell, error));
    ts_overlap_cell *heap = work->cell.item;
    size_t i = work->cell.count - 1;
    for (; i > 0 && heap[(i - 1) / 2].bound < cell.bound; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = cell;
    return TS_OK;
}

static ts_overlap_cell pop_cell(ts_overlap_work *work)
{
    ts_overlap_cell *heap = work->cell.item, top = heap[0], last = heap[--work->cell.count];
    size_t count = work->cell.count, i = 0;
    for (size_t child = 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && heap[child + 1].bound > heap[child].bound)
            child++;
        if (!(heap[child].bound > last.bound))
            break;
        heap[i] = heap[child];
        i = child;
    }
    if (count > 0)
        heap[i] = last;
    return top;
}

/* The two halves across the longer side, whose bounds are yet to be found. */
static void halve(const ts_overlap_cell *cell, ts_overlap_cell half[2])
{
    for (int i = 0; i < 2; i++) {
        half[i] = *cell;
        if (cell->hx >= cell->hy) {
            half[i].hx = 0.5 * cell->hx;
            half[i].x += i ? half[i].hx : -half[i].hx;
        } else {
            half[i].hy = 0.5 * cell->hy;
            half[i].y += i ? half[i].hy : -half[i].hy;
        }
    }
}

/* Chords that matter in a cell and its parts: the nearest ones of any point of it, and those around it that find_line
 * looks at. */
static ts_status choose(ts_overlap_work *work, int side, const ts_overlap_cell *parent, const nearest *at,
                        ts_overlap_cell *cell, ts_error *error)
{
    double reach = length_of(cell->hx, cell->hy), m = most(cell->hx, cell->hy);
    double radius = most(fabs(at->depth) + 2 * reach, reach + 6 * m), foot;
    TS_TRY(ts_array_reserve(&work->index, work->index.count + parent->count[side], error));
    cell->begin[side] = work->index.count;
    for (size_t i = 0; i < parent->count[side]; i++) {
        uint32_t k = work->index.item[parent->begin[side] + i];
        if (chord_distance2(&work->side[side].near.item[k], cell->x, cell->y, &foot) <= radius * radius)
            work->index.item[work->index.count++] = k;
    }
    cell->count[side] = work->index.count - cell->begin[side];
    return TS_OK;
}

/* All chords of one side. */
static ts_status choose_all(ts_overlap_work *work, int side, ts_overlap_cell *cell, ts_error *error)
{
    size_t count = work->side[side].near.count;
    TS_TRY(ts_array_reserve(&work->index, work->index.count + count, error));
    cell->begin[side] = work->index.count;
    cell->count[side] = count;
    for (size_t i = 0; i < count; i++)
        work->index.item[work->index.count++] = (uint32_t)i;
    return TS_OK;
}

static choice choice_of(const ts_overlap_work *work, int side, const ts_overlap_cell *cell)
{
    return (choice){&work->side[side], work->index.item + cell->begin[side], cell->count[side]};
}

/* ---- The largest disc ---- */

typedef struct search {
    ts_overlap_work *work;
    box whole;
    double radius, x, y; /* the best disc so far */
} search;

/* Looks at the middle of a cell, of which it knows the parent's chords, and bounds what it may hold. */
static void look_at(search *s, ts_overlap_cell *cell, nearest at[2])
{
    double reach = length_of(cell->hx, cell->hy), fits = least(least(cell->x - s->whole.x0, s->whole.x1 - cell->x),
                                                               least(cell->y - s->whole.y0, s->whole.y1 - cell->y));
    choice from[2];
    linear u[2];
    for (int i = 0; i < 2; i++) {
        from[i] = choice_of(s->work, i, cell);
        at[i] = depth_at(&from[i], cell->x, cell->y);
        fits = least(fits, at[i].depth);
    }
    if (fits > s->radius) {
        s->radius = fits;
        s->x = cell->x;
        s->y = cell->y;
    }
    cell->bound = least(cell->bound, fits + reach);
    for (int i = 0; i < 2; i++)
        if (!(cell->bound > (1 + share) * s->radius) || !at[i].chord ||
            !find_line(&from[i], at[i].chord, cell, &s->whole, &u[i]))
            return;
    double across = cell->hx * fabs(u[0].nx + u[1].nx) + cell->hy * fabs(u[0].ny + u[1].ny);
    cell->bound = least(cell->bound, 0.5 * (u[0].value + u[1].value + across));
}

/* Looks at a cell, and keeps it if it may hold more than the best disc so far. */
static ts_status try_cell(search *s, ts_overlap_cell cell, ts_error *error)
{
    ts_overlap_cell parent = cell;
    nearest at[2];
    look_at(s, &cell, at);
    if (!(cell.bound > (1 + share) * s->radius))
        return TS_OK;
    for (int i = 0; i < 2; i++)
        TS_TRY(choose(s->work, i, &parent, &at[i], &cell, error));
    return push_cell(s->work, cell, error);
}

ts_status ts_overlap_disc(ts_overlap_work *work, double width, double height, double *radius, double centre[2],
                          ts_error *error)
{
    search s = {.work = work, .whole = {0, 0, width, height}};
    ts_overlap_cell cell = {.x = 0.5 * width, .y = 0.5 * height, .hx = 0.5 * width, .hy = 0.5 * height};
    cell.bound = HUGE_VAL;
    work->cell.count = work->index.count = 0;
    for (int i = 0; i < 2; i++)
        TS_TRY(choose_all(work, i, &cell, error));
    TS_TRY(try_cell(&s, cell, error));
    for (int looks = 0; looks < CELLS_MAX && work->cell.count > 0; looks++) {
        ts_overlap_cell half[2];
        cell = pop_cell(work);
        if (!(cell.bound > (1 + share) * s.radius))
            break;
        halve(&cell, half);
        for (int i = 0; i < 2; i++)
            TS_TRY(try_cell(&s, half[i], error));
    }
    *radius = s.radius;
    centre[0] = s.x;
    centre[1] = s.y;
    return TS_OK;
}

/* ---- How thick a side is ---- */

/* A disc of radius r that holds p has its centre q within r of p, and a depth of r there. */
ts_status ts_overlap_thin(ts_overlap_work *work, int side, const double point[2], double radius, bool *thin,
                          ts_error *error)
{
    ts_overlap_side *of = &work->side[side];
    double r = radius * (1 - share), size = 4 * radius, middle = 2 * radius;
    TS_TRY(ts_overlap_look(of, point[0] - middle, point[1] - middle, size, size, error));
    ts_overlap_cell cell = {.x = middle, .y = middle, .hx = radius, .hy = radius, .bound = HUGE_VAL};
    work->cell.count = work->index.count = 0;
    *thin = true;
    TS_TRY(choose_all(work, side, &cell, error));
    TS_TRY(push_cell(work, cell, error));
    for (int looks = 0; looks < CELLS_MAX && work->cell.count > 0; looks++) {
        ts_overlap_cell half[2];
        cell = pop_cell(work);
        choice from = choice_of(work, side, &cell);
        nearest at = depth_at(&from, cell.x, cell.y);
        double reach = length_of(cell.hx, cell.hy), away = length_of(cell.x - middle, cell.y - middle);
        if (at.depth >= r && away <= radius) {
            *thin = false;
            break;
        }
        if (at.depth + reach < r || away - reach > radius)
            continue;
        ts_overlap_cell parent = cell;
        TS_TRY(choose(work, side, &parent, &at, &cell, error));
        halve(&cell, half);
        for (int i = 0; i < 2; i++) {
            half[i].bound = at.depth + reach;
            TS_TRY(push_cell(work, half[i], error));
        }
    }
    return TS_OK;
}
