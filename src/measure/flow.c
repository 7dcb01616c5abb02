/* SPDX-License-Identifier: MIT */
/* What goes through a line: flow between two snapshots, passages over a run, and whether they have come to a halt. */
#include <math.h>
#include <stdlib.h>

#include "base/given.h"
#include "base/memory.h"
#include "measure/edges.h"

static const double nothing = (double)NAN;

/* Where grains cross: the segment a → b in the plane; in space the plane through a at right angles to b − a. */
typedef struct gate {
    const double *a, *b;
    const ts_measure_kind *kind;
} gate;

static double side_of(const gate *g, const ts_snapshot_body *body)
{
    return g->kind->side(g->a, g->b, body->position);
}

/* +1: p → q crosses a → b from its left to its right, or the plane towards b; -1: the other way; 0: not. A point on it
 * has crossed, and the segment holds a but not b, so that two segments end to end count every grain once. `when` gets
 * the share of the way. */
static int crossing(const gate *g, const ts_snapshot_body *p, const ts_snapshot_body *q, double *when)
{
    double before = side_of(g, p), after = side_of(g, q);
    if ((before > 0) == (after > 0))
        return 0;
    double t = before / (before - after), at[3];
    *when = t;
    for (int k = 0; k < 3; k++)
        at[k] = p->position[k] + t * (q->position[k] - p->position[k]);
    double along = g->kind->along(g->a, g->b, at);
    return !(along >= 0 && along < 1) ? 0 : before > 0 ? 1 : -1;
}

static ts_status check(const ts_snapshot *before, const ts_snapshot *after, const double *a, const double *b, gate *g,
                       ts_error *error)
{
    TS_GIVEN(before, "flow", error);
    TS_GIVEN(after, "flow", error);
    TS_GIVEN(a, "flow", error);
    TS_GIVEN(b, "flow", error);
    *g = (gate){a, b, ts_kind_of(after)};
    bool finite = true, same = true;
    for (int k = 0; k < g->kind->axes; k++) {
        finite = finite && isfinite(a[k]) && isfinite(b[k]);
        same = same && a[k] == b[k];
    }
    if (!finite || same)
        return ts_fail(error, TS_BAD_INPUT, "the line for the flow has no length; give two different points");
    if (before->body_count != after->body_count || !(before->time < after->time))
        return ts_fail(error, TS_BAD_INPUT, "a flow needs two snapshots of one run, the earlier one first");
    return TS_OK;
}

/* ---- Flow ---- */

ts_status ts_measure_flow(const ts_snapshot *before, const ts_snapshot *after, const double *a, const double *b,
                          ts_flow *out, ts_error *error)
{
    TS_GIVEN(out, "flow", error);
    gate g;
    TS_TRY(check(before, after, a, b, &g, error));
    ts_flow flow = {0};
    for (size_t i = 0; i < after->body_count; i++) {
        const ts_snapshot_body *p = &before->body[i], *q = &after->body[i];
        if (!ts_is_grain(p) || !ts_is_grain(q))
            continue;
        double when;
        int sign = crossing(&g, p, q, &when);
        flow.number += sign;
        flow.mass += sign * q->mass;
    }
    flow.number /= after->time - before->time;
    flow.mass /= after->time - before->time;
    *out = flow;
    return TS_OK;
}

/* ---- Passages ---- */

static int by_time(const void *p, const void *q)
{
    const ts_passage *a = p, *b = q;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->body > b->body) - (a->body < b->body);
}

ts_status ts_passages_add(ts_passages *passages, const ts_snapshot *before, const ts_snapshot *after, const double *a,
                          const double *b, ts_error *error)
{
    TS_GIVEN(passages, "passages", error);
    gate g;
    TS_TRY(check(before, after, a, b, &g, error));
    bool first = !(passages->begin < passages->end);
    if (!first && before->time != passages->end)
        return ts_fail(error, TS_BAD_INPUT,
                       "passages: the snapshot before is of %g s, but the last one added was of %g s; add each pair of "
                       "neighbours once, in order",
                       before->time, passages->end);
    size_t old = passages->count, waiting = 0;
    for (size_t i = 0; i < after->body_count; i++) {
        const ts_snapshot_body *p = &before->body[i], *q = &after->body[i];
        double when;
        waiting += ts_is_grain(q) && side_of(&g, q) > 0;
        int sign = ts_is_grain(p) && ts_is_grain(q) ? crossing(&g, p, q, &when) : 0;
        if (sign == 0)
            continue;
        ts_status status = ts_array_reserve_bytes((void **)&passages->passage, &passages->capacity, passages->count + 1,
                                                  sizeof *passages->passage, error);
        if (status != TS_OK) {
            passages->count = old; /* all of a snapshot, or nothing */
            return status;
        }
        passages->passage[passages->count++] =
            (ts_passage){before->time + when * (after->time - before->time), q->mass, i, sign > 0};
    }
    if (passages->count > old)
        qsort(passages->passage + old, passages->count - old, sizeof *passages->passage, by_time);
    passages->begin = first ? before->time : passages->begin;
    passages->end = after->time;
    passages->waiting = waiting;
    return TS_OK;
}

void ts_passages_free(ts_passages *passages)
{
    if (!passages)
        return;
    ts_free(passages->passage);
    *passages = (ts_passages){0};
}

ts_flow ts_passages_flow(const ts_passages *passages, double begin, double end)
{
    ts_flow flow = {nothing, nothing};
    if (!passages || !(begin < end) || !isfinite(begin) || !isfinite(end))
        return flow;
    flow = (ts_flow){0};
    for (size_t k = 0; k < passages->count; k++) {
        const ts_passage *p = &passages->passage[k];
        if (!(p->time >= begin && p->time < end))
            continue;
        flow.number += p->forward ? 1 : -1;
        flow.mass += p->forward ? p->mass : -p->mass;
    }
    flow.number /= end - begin;
    flow.mass /= end - begin;
    return flow;
}

ts_clogging ts_passages_clogging(const ts_passages *passages, double span)
{
    ts_clogging c = {.first = nothing, .last = nothing, .jam = nothing};
    if (!passages)
        return c;
    double since = passages->begin;
    size_t back = 0;
    for (size_t k = 0; k < passages->count; k++) {
        const ts_passage *p = &passages->passage[k];
        back += !p->forward;
        if (!p->forward)
            continue;
        if (isnan(c.first))
            c.first = p->time;
        c.last = p->time;
        c.pause = fmax(c.pause, p->time - since);
        since = p->time;
        c.passed++;
    }
    c.passed -= back < c.passed ? back : c.passed;
    c.idle = passages->end - since;
    c.pause = fmax(c.pause, c.idle);
    c.waiting = passages->waiting;
    c.jammed = passages->begin < passages->end && c.idle >= span && c.waiting > 0;
    if (c.jammed)
        c.jam = since;
    return c;
}
