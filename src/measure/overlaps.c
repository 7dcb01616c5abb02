/* SPDX-License-Identifier: MIT */
/* How far bodies lie in each other, by the intersections of their shapes (shape/overlap.h).
 *
 * Pairs come from a sweep along x over bounding circles. Two discs have closed forms: the lens, and the way from one's
 * end to the other's; all else is cut into chords. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/given.h"
#include "base/memory.h"
#include "measure/edges.h"
#include "shape/overlap.h"

typedef struct entry {
    double left;  /* end of the bounding circle */
    size_t index; /* of the body */
} entry;

typedef struct meeting {
    const ts_snapshot *snapshot;
    const ts_region *region; /* NULL: everywhere */
    entry *order;            /* bodies that are there, by their left ends (count) */
    size_t count;
    ts_chords *chords; /* of each shape, made when they are first needed */
    bool *made;
    ts_overlap_work work;
    ts_overlaps sum;
} meeting;

/* ---- Two discs ---- */

/* α − sin α cos α: twice the area of a circular segment of half angle α and radius 1. */
static double segment_area(double a)
{
    double z = a * a;
    if (z > 0.01)
        return a - sin(a) * cos(a);
    return a * z * (2 / 3.0 + z * (-2 / 15.0 + z * (4 / 315.0 + z * (-2 / 2835.0))));
}

/* The place of a body's only disc. */
static ts_disc disc_of(const ts_snapshot *snapshot, const ts_snapshot_body *body)
{
    const ts_disc *d = snapshot->shape[body->shape].disc;
    double c = body->scale * cos(body->angle), s = body->scale * sin(body->angle);
    return (ts_disc){body->position[0] + (c * d->x - s * d->y), body->position[1] + (s * d->x + c * d->y),
                     body->scale * d->radius};
}

static ts_overlap disc_overlap(const ts_disc *a, const ts_disc *b)
{
    double dx = b->x - a->x, dy = b->y - a->y, d = hypot(dx, dy), p = a->radius, q = b->radius, r = fmin(p, q);
    double deep = p + q - d;
    if (!(deep > 4 * DBL_EPSILON * (p + q)))
        return (ts_overlap){0};
    if (d <= fabs(p - q)) { /* one lies in the other */
        const ts_disc *inner = p < q ? a : b;
        return (ts_overlap){TS_PI * r * r, 2 * r, {inner->x, inner->y}, true};
    }
    double chord = sqrt(deep * (d + p - q) * (d - p + q) * (d + p + q)) / (2 * d); /* half of it */
    double u = 0.5 * (d + (p - q) * (p + q) / d), at = 0.5 * (p + d - q) / d;
    double area = p * p * segment_area(atan2(chord, u)) + q * q * segment_area(atan2(chord, d - u));
    deep = fmin(deep, 2 * r);
    return (ts_overlap){area, deep, {a->x + at * dx, a->y + at * dy}, deep > r};
}

/* ---- Any two ---- */

static bool is_disc(const ts_snapshot_shape *shape)
{
    return !shape->outline && shape->disc_count == 1;
}

static ts_status chords_of(meeting *m, int32_t shape, ts_error *error)
{
    const ts_snapshot_shape *of = &m->snapshot->shape[shape];
    if (m->made[shape])
        return TS_OK;
    TS_TRY(of->outline ? ts_chords_of_outline(of->outline, &m->chords[shape], error)
                       : ts_chords_of_discs(of->disc, of->disc_count, &m->chords[shape], error));
    m->made[shape] = true;
    return TS_OK;
}

static ts_status overlap_of(meeting *m, const ts_snapshot_body *a, const ts_snapshot_body *b, ts_overlap *out,
                            ts_error *error)
{
    const ts_snapshot_shape *shape = m->snapshot->shape;
    if (is_disc(&shape[a->shape]) && is_disc(&shape[b->shape])) {
        ts_disc p = disc_of(m->snapshot, a), q = disc_of(m->snapshot, b);
        *out = disc_overlap(&p, &q);
        return TS_OK;
    }
    TS_TRY(chords_of(m, a->shape, error));
    TS_TRY(chords_of(m, b->shape, error));
    const ts_chords *const chords[2] = {&m->chords[a->shape], &m->chords[b->shape]};
    const ts_outline_pose pose[2] = {{a->position[0], a->position[1], a->angle, a->scale},
                                     {b->position[0], b->position[1], b->angle, b->scale}};
    return ts_chords_overlap(chords, pose, &m->work, out, error);
}

static ts_status add_pair(meeting *m, size_t i, size_t j, ts_error *error)
{
    const ts_snapshot_body *a = &m->snapshot->body[i < j ? i : j], *b = &m->snapshot->body[i < j ? j : i];
    double dx = b->position[0] - a->position[0], dy = b->position[1] - a->position[1], reach = a->radius + b->radius;
    if ((a->fixed && b->fixed) || !(dx * dx + dy * dy < reach * reach))
        return TS_OK;
    ts_overlap o;
    TS_TRY(overlap_of(m, a, b, &o, error));
    if (!(o.area > 0) || (m->region && !ts_region_holds(m->snapshot, m->region, (const double[]){o.at[0], o.at[1], 0})))
        return TS_OK;
    double share = o.area / fmin(a->volume, b->volume);
    m->sum.pairs++;
    m->sum.through += o.through;
    m->sum.mean_depth += o.depth;
    m->sum.mean_share += share;
    m->sum.most_depth = fmax(m->sum.most_depth, o.depth);
    m->sum.most_share = fmax(m->sum.most_share, share);
    return TS_OK;
}

/* ---- All pairs ---- */

static int by_left(const void *p, const void *q)
{
    const entry *a = p, *b = q;
    if (a->left != b->left)
        return a->left < b->left ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static ts_status sweep(meeting *m, ts_error *error)
{
    const ts_snapshot *s = m->snapshot;
    for (size_t i = 0; i < s->body_count; i++) {
        const ts_snapshot_body *body = &s->body[i];
        if (body->present && isfinite(body->position[0]) && isfinite(body->position[1]) && isfinite(body->angle))
            m->order[m->count++] = (entry){body->position[0] - body->radius, i};
    }
    qsort(m->order, m->count, sizeof *m->order, by_left);
    for (size_t k = 0; k < m->count; k++) {
        const ts_snapshot_body *body = &s->body[m->order[k].index];
        for (size_t l = k + 1; l < m->count && m->order[l].left < body->position[0] + body->radius; l++)
            TS_TRY(add_pair(m, m->order[k].index, m->order[l].index, error));
    }
    return TS_OK;
}

ts_status ts_measure_overlaps(const ts_snapshot *snapshot, const ts_region *given, ts_overlaps *out, ts_error *error)
{
    TS_GIVEN(out, "overlaps", error);
    ts_region box;
    TS_TRY(ts_need_plane(snapshot, "how far shapes overlap", error));
    TS_TRY(ts_region_given(snapshot, given, &box, error));
    meeting m = {.snapshot = snapshot, .region = given ? &box : NULL};
    size_t bodies = snapshot->body_count + 1, shapes = snapshot->shape_count + 1;
    m.order = ts_alloc_raw(bodies, sizeof *m.order);
    m.chords = ts_alloc(shapes, sizeof *m.chords);
    m.made = ts_alloc(shapes, sizeof *m.made);
    bool good = m.order && m.chords && m.made;
    ts_status status =
        good ? sweep(&m, error) : ts_fail_memory(error, bodies * sizeof *m.order + shapes * (sizeof *m.chords + 1));
    for (size_t i = 0; good && i < snapshot->shape_count; i++)
        ts_chords_free(&m.chords[i]);
    ts_overlap_work_free(&m.work);
    ts_free(m.order);
    ts_free(m.chords);
    ts_free(m.made);
    if (status != TS_OK)
        return status;
    m.sum.mean_depth = m.sum.pairs ? m.sum.mean_depth / (double)m.sum.pairs : (double)NAN;
    m.sum.mean_share = m.sum.pairs ? m.sum.mean_share / (double)m.sum.pairs : (double)NAN;
    *out = m.sum;
    return TS_OK;
}
