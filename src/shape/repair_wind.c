/* SPDX-License-Identifier: MIT */
/* Winding numbers beside pieces, by rays.
 *
 *                  │ ray         The ray starts on the piece itself, in its middle: no distance "just beside it" has to be
 *         a ╭──────┼──────╮ b    chosen. There the piece runs along its chord, and the ray goes up, down, left or right,
 *           │      p             whichever leaves it at 45° or more.
 *
 * Every other piece counts by which of its ends lie right of the ray and on which side of it p lies. A ray that hits a
 * vertex is as good as any: vertices on it count as left of it, for all pieces alike. This holds for the piece itself,
 * too: a half circle whose chord lies at 45° is hit in its own end, and whether the other pieces count the vertex there
 * as left or right of the ray then decides whether the piece is taken to cross the ray on its way from p. Only signs of
 * differences of given numbers decide, so that a count can be wrong only where p lies on another piece.
 *
 * Pieces of which many lie one behind the other (nested boxes) would cost as many steps for each ray. What lies beyond
 * p altogether counts by the ends of its pieces alone; for large nodes of the tree those are kept in order, with
 * sums. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shape/repair_work.h"

enum {
    FAN = TS_MEND_FAN,
    SUMMED = 2 /* the lowest level of nodes with sums: 64 pieces */
};

static ts_vec2 turned(double x, double y, int turn)
{
    switch (turn & 3) {
    case 0:
        return (ts_vec2){x, y};
    case 1:
        return (ts_vec2){-y, x};
    case 2:
        return (ts_vec2){-x, -y};
    default:
        return (ts_vec2){y, -x};
    }
}

/* How often the curve winds around p, together with others that make it a closed one: crossings with a ray from p
 * upward, counted +1 to the left and -1 to the right. Exact in parity for any p, also with x that of a vertex. `turn`
 * quarter turns counter-clockwise are applied to everything first, so that the ray can go in four directions. */
static int wind_of(const ts_mend_curve *c, ts_vec2 p, int turn)
{
    ts_vec2 a = turned(c->x0, c->y0, turn), b = turned(c->x1, c->y1, turn), m = turned(p.x, p.y, turn);
    /* The chord, and on top of it the loop of arc and chord: it winds once around what lies between them. */
    double side = (b.x - a.x) * (m.y - a.y) - (b.y - a.y) * (m.x - a.x);
    /* on the chord's line p counts as a hair to the right, as it does below for vertices with its x */
    bool left = side > 0 || (side == 0 && (b.y < a.y || (b.y == a.y && b.x > a.x)));
    int wind = 0;
    if ((a.x > m.x) != (b.x > m.x)) {
        if (b.x > m.x) /* to the right: the chord is above what lies right of it */
            wind -= !left;
        else
            wind += left;
    }
    if (c->bulge != 0 && left == (c->bulge < 0)) {
        double dx = p.x - c->x0, dy = p.y - c->y0, u = dx * c->ex + dy * c->ey, v = dy * c->ex - dx * c->ey;
        double f = c->square * (u * (u - c->chord) + v * v) - c->slope * v;
        if (c->bulge > 0 ? f < 0 : f > 0) /* in the disc */
            wind += c->bulge > 0 ? 1 : -1;
    }
    return wind;
}

/* The same for the curve from whose middle p the ray starts, on its left when the curve, turned, runs to the right
 * (`forward`). From p each half goes its way; when it ends on the wrong side, and above, it has crossed the ray. */
static int wind_of_own(const ts_mend_curve *c, ts_vec2 p, int turn, bool forward)
{
    ts_vec2 a = turned(c->x0, c->y0, turn), b = turned(c->x1, c->y1, turn), m = turned(p.x, p.y, turn);
    int crossings = (b.y > m.y && (b.x > m.x) != forward) + (a.y > m.y && (a.x > m.x) == forward);
    return forward ? crossings : -crossings;
}

/* ---- Sums ---- */

static int by_at(const void *pa, const void *pb)
{
    const ts_mend_rung *a = pa, *b = pb;
    return (a->at > b->at) - (a->at < b->at);
}

/* Pieces under a node of a level. */
static size_t span_of(int level)
{
    size_t span = 1;
    for (int k = 0; k < level; k++)
        span *= FAN;
    return span;
}

/* The ends of the pieces under every node of a level, along x (axis 0) or y, and how much they weigh together from the
 * first to each: the begin as often as the piece is run through, the end as much less. */
static void fill_rungs(const ts_mend_field *f, ts_mend_rung *rung, int level, int axis)
{
    size_t n = f->tree.count, span = span_of(level);
    for (size_t i = 0; i < n; i++) {
        ts_mend_curve c;
        int32_t turns = f->get(f->owner, f->tree.order[i], &c);
        rung[2 * i] = (ts_mend_rung){axis ? c.y0 : c.x0, turns};
        rung[2 * i + 1] = (ts_mend_rung){axis ? c.y1 : c.x1, -(int64_t)turns};
    }
    for (size_t begin = 0; begin < n; begin += span) {
        size_t end = begin + span < n ? begin + span : n;
        qsort(rung + 2 * begin, 2 * (end - begin), sizeof *rung, by_at);
        int64_t sum = 0;
        for (size_t i = 2 * begin; i < 2 * end; i++)
            rung[i].sum = sum += rung[i].sum;
    }
}

/* Sum over the ends under a node that lie below `at`, or at it. */
static int64_t sum_below(const ts_mend_field *f, size_t node, int level, int axis, double at, bool inclusive)
{
    size_t n = f->tree.count, span = span_of(level), begin = node * span, end = begin + span < n ? begin + span : n;
    const ts_mend_rung *rung = f->rung[level - SUMMED][axis];
    size_t low = 2 * begin, high = 2 * end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (inclusive ? rung[middle].at <= at : rung[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 2 * begin ? rung[low - 1].sum : 0;
}

/* What all pieces under a node beyond p count together: each begin that lies right of the ray +1, each end -1; over all
 * of them that is nothing. */
static int64_t wind_of_node(const ts_mend_field *f, size_t node, int level, ts_vec2 p, int turn)
{
    switch (turn & 3) {
    case 0:
        return -sum_below(f, node, level, 0, p.x, true);
    case 1:
        return sum_below(f, node, level, 1, p.y, false);
    case 2:
        return sum_below(f, node, level, 0, p.x, false);
    default:
        return -sum_below(f, node, level, 1, p.y, true);
    }
}

/* ---- Rays ---- */

typedef struct ray {
    const ts_mend_field *field;
    ts_vec2 p;
    int turn;
    uint32_t own; /* piece that it starts from */
} ray;

static bool is_missed(const ray *r, const ts_mend_box *n)
{
    bool upright = (r->turn & 1) == 0;
    if (upright ? n->x0 > r->p.x || n->x1 < r->p.x : n->y0 > r->p.y || n->y1 < r->p.y)
        return true;
    switch (r->turn & 3) {
    case 0:
        return n->y1 < r->p.y;
    case 1:
        return n->x1 < r->p.x;
    case 2:
        return n->y0 > r->p.y;
    default:
        return n->x0 > r->p.x;
    }
}

static bool is_beyond(const ray *r, const ts_mend_box *n)
{
    double margin = r->field->margin;
    switch (r->turn & 3) {
    case 0:
        return n->y0 > r->p.y + margin;
    case 1:
        return n->x0 > r->p.x + margin;
    case 2:
        return n->y1 < r->p.y - margin;
    default:
        return n->x1 < r->p.x - margin;
    }
}

/* All pieces but its own. */
static int64_t follow(const ray *r)
{
    const ts_mend_field *f = r->field;
    const ts_mend_tree *tree = &f->tree;
    struct {
        size_t node;
        int level;
    } stack[FAN * TS_MEND_LEVELS];
    int depth = 0;
    int64_t wind = 0;
    stack[depth].node = 0;
    stack[depth++].level = tree->level_count - 1;
    while (depth > 0) {
        depth--;
        size_t i = stack[depth].node;
        int level = stack[depth].level;
        const ts_mend_box *box = &tree->node[tree->begin[level] + i];
        if (is_missed(r, box))
            continue;
        if (level == 0) {
            ts_mend_curve c;
            int32_t turns = tree->order[i] == r->own ? 0 : f->get(f->owner, tree->order[i], &c);
            wind += turns == 0 ? 0 : (int64_t)turns * wind_of(&c, r->p, r->turn);
        } else if (level >= SUMMED && f->rung[level - SUMMED][0] && is_beyond(r, box)) {
            wind += wind_of_node(f, i, level, r->p, r->turn);
        } else {
            size_t size = tree->begin[level] - tree->begin[level - 1];
            for (size_t c = FAN * i; c < FAN * (i + 1) && c < size; c++) {
                stack[depth].node = c;
                stack[depth++].level = level - 1;
            }
        }
    }
    return wind;
}

static ts_mend_curve half_of(const ts_mend_curve *c, int which)
{
    ts_segment half[2];
    ts_segment_halve(&(ts_segment){c->x0, c->y0, c->x1, c->y1, c->bulge}, half);
    return ts_mend_curve_make(&half[which]);
}

ts_vec2 ts_mend_field_probe(const ts_mend_field *f, uint32_t piece, ts_mend_part part)
{
    ts_mend_curve c;
    f->get(f->owner, piece, &c);
    if (part != TS_MEND_WHOLE)
        c = half_of(&c, part == TS_MEND_SECOND);
    return ts_mend_curve_middle(&c);
}

int64_t ts_mend_field_left(const ts_mend_field *f, uint32_t piece, ts_mend_part part, bool longer)
{
    ts_mend_curve c, rest = {0};
    int32_t turns = f->get(f->owner, piece, &c);
    if (part != TS_MEND_WHOLE) {
        rest = half_of(&c, part == TS_MEND_FIRST);
        c = half_of(&c, part == TS_MEND_SECOND);
    }
    ts_vec2 p = ts_mend_curve_middle(&c);
    const ts_mend_box *all = &f->tree.node[f->tree.begin[f->tree.level_count - 1]];
    int turn;
    if (fabs(c.ex) >= fabs(c.ey))
        turn = (all->y1 - p.y <= p.y - all->y0) != longer ? 0 : 2;
    else
        turn = (all->x1 - p.x <= p.x - all->x0) != longer ? 1 : 3;
    bool forward = turned(c.ex, c.ey, turn).x > 0;
    int64_t own = wind_of_own(&c, p, turn, forward);
    if (part != TS_MEND_WHOLE)
        own += wind_of(&rest, p, turn);
    ray r = {f, p, turn, piece};
    int64_t wind = turns * own + follow(&r);
    /* the ray's side is the left one when the piece, turned, runs to the right */
    return forward ? wind : wind + turns;
}

/* ---- Making ---- */

static ts_status make_sums(ts_mend_field *f, ts_error *error)
{
    for (int level = SUMMED; level + 1 < f->tree.level_count; level++)
        for (int axis = 0; axis < 2; axis++) {
            ts_mend_rung *rung;
            TS_TRY(ts_new_raw(&rung, 2 * f->tree.count, error));
            f->rung[level - SUMMED][axis] = rung;
            fill_rungs(f, rung, level, axis);
        }
    return TS_OK;
}

ts_status ts_mend_field_make(ts_mend_field *f, size_t count, bool many, ts_error *error)
{
    ts_mend_box *box;
    TS_TRY(ts_new_raw(&box, count + 1, error));
    for (size_t i = 0; i < count; i++) {
        ts_mend_curve c;
        f->get(f->owner, (uint32_t)i, &c);
        box[i] = ts_mend_curve_box(&c);
    }
    ts_status status = ts_mend_tree_make(&f->tree, box, count, error);
    ts_free(box);
    if (status == TS_OK && many)
        status = make_sums(f, error);
    if (status != TS_OK)
        ts_mend_field_free(f);
    return status;
}

void ts_mend_field_free(ts_mend_field *f)
{
    ts_mend_tree_free(&f->tree);
    for (int level = 0; level < TS_MEND_LEVELS; level++)
        for (int axis = 0; axis < 2; axis++)
            ts_free(f->rung[level][axis]);
    memset(f->rung, 0, sizeof f->rung);
}
