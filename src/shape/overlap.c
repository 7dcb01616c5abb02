/* SPDX-License-Identifier: MIT */
#include "shape/overlap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/given.h"
#include "shape/discs.h"
#include "shape/outline.h"

/* Chords of arcs lie this near to them, as a share of the shape's extent: an overlap of a thousandth is then off by 0.2
 * %. */
static const double tolerance = 1e-6;
/* Rounding of an area, in units of the last place of the box that was looked at, for each chord. */
static const double rounding = 64;

/* ---- Chords ---- */

static void push(ts_chords *chords, double x0, double y0, double x1, double y1)
{
    if (chords->status == TS_OK && (x0 != x1 || y0 != y1))
        chords->status = ts_array_push(&chords->chord, ((ts_chord){x0, y0, x1, y1}), chords->error);
}

static ts_status finish(ts_chords *chords)
{
    ts_status status = chords->status;
    if (status != TS_OK)
        ts_chords_free(chords);
    return status;
}

/* Half of the diagonal of the box around the vertices. */
static double extent_of(const ts_outline *outline)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < ts_outline_vertex_count(outline); i++) {
        const ts_vertex *v = &outline->vertex[i];
        low[0] = fmin(low[0], v->x);
        low[1] = fmin(low[1], v->y);
        high[0] = fmax(high[0], v->x);
        high[1] = fmax(high[1], v->y);
    }
    return 0.5 * hypot(high[0] - low[0], high[1] - low[1]);
}

ts_status ts_chords_of_outline(const ts_outline *outline, ts_chords *chords, ts_error *error)
{
    *chords = (ts_chords){.error = error};
    ts_vec2 *point;
    size_t *begin;
    TS_TRY(ts_outline_flatten(outline, tolerance * extent_of(outline), &point, &begin, error));
    for (size_t i = 0; i < outline->contour_count; i++)
        for (size_t k = begin[i]; k < begin[i + 1]; k++) {
            ts_vec2 p = point[k], q = point[k + 1 < begin[i + 1] ? k + 1 : begin[i]];
            push(chords, p.x, p.y, q.x, q.y);
        }
    ts_free(point);
    ts_free(begin);
    return finish(chords);
}

static void push_arc(void *context, const ts_disc *disc, double from, double to)
{
    ts_chords *chords = context;
    int parts = (int)ceil((to - from) / (2 * acos(1 - tolerance)));
    double u = from;
    for (int k = 1; k <= parts; k++) {
        double v = k < parts ? from + (to - from) * ((double)k / parts) : to;
        push(chords, disc->x + disc->radius * cos(u), disc->y + disc->radius * sin(u), disc->x + disc->radius * cos(v),
             disc->y + disc->radius * sin(v));
        u = v;
    }
}

ts_status ts_chords_of_discs(const ts_disc *disc, size_t count, ts_chords *chords, ts_error *error)
{
    *chords = (ts_chords){.disc = disc, .disc_count = count, .error = error};
    TS_TRY(ts_discs_arcs(disc, count, push_arc, chords, error));
    return finish(chords);
}

void ts_chords_free(ts_chords *chords)
{
    ts_array_free(&chords->chord);
    *chords = (ts_chords){0};
}

void ts_overlap_work_free(ts_overlap_work *work)
{
    for (int i = 0; i < 2; i++) {
        ts_array_free(&work->side[i].all);
        ts_array_free(&work->side[i].disc);
        ts_array_free(&work->side[i].near);
        ts_array_free(&work->side[i].piece);
    }
    ts_array_free(&work->active[0]);
    ts_array_free(&work->active[1]);
    ts_array_free(&work->cell);
    ts_array_free(&work->index);
}

/* ---- Placing and looking ---- */

/* An upright box that has something in it when low <= high. */
typedef struct box {
    double x0, y0, x1, y1;
} box;

static double scale_of(const ts_outline_pose *pose)
{
    return pose->scale == 0 ? 1 : pose->scale;
}

/* Relative to (x, y): far away poses lose no digits. */
static ts_status place(const ts_chords *shape, const ts_outline_pose *pose, double x, double y, ts_overlap_side *side,
                       box *around, ts_error *error)
{
    double scale = scale_of(pose), c = scale * cos(pose->angle), s = scale * sin(pose->angle);
    x = pose->x - x;
    y = pose->y - y;
    side->all.count = side->disc.count = 0;
    TS_TRY(ts_array_reserve(&side->all, shape->chord.count, error));
    TS_TRY(ts_array_reserve(&side->disc, shape->disc_count, error));
    *around = (box){HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < shape->chord.count; i++) {
        const ts_chord *e = &shape->chord.item[i];
        ts_chord to = {x + (c * e->x0 - s * e->y0), y + (s * e->x0 + c * e->y0), x + (c * e->x1 - s * e->y1),
                       y + (s * e->x1 + c * e->y1)};
        *around =
            (box){fmin(around->x0, to.x0), fmin(around->y0, to.y0), fmax(around->x1, to.x0), fmax(around->y1, to.y0)};
        side->all.item[side->all.count++] = to;
    }
    for (size_t i = 0; i < shape->disc_count; i++) {
        const ts_disc *d = &shape->disc[i];
        side->disc.item[side->disc.count++] =
            (ts_disc){x + (c * d->x - s * d->y), y + (s * d->x + c * d->y), scale * d->radius};
    }
    return TS_OK;
}

static double clamp(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

/* The height of a piece at x. */
static double height_at(const ts_overlap_piece *p, double x)
{
    double t = (x - p->x0) / (p->x1 - p->x0);
    return t <= 0 ? p->y0 : t >= 1 ? p->y1 : p->y0 + t * (p->y1 - p->y0);
}

/* What of a chord lies over the box: cut at its sides, at its lower edge, below which nothing hangs, and at the upper
 * one, above which all chords are alike. */
static ts_status add_pieces(ts_overlap_side *side, const ts_chord *e, double width, double height, ts_error *error)
{
    bool leftward = e->x1 < e->x0;
    ts_overlap_piece all = {e->x0, e->y0, e->x1, e->y1, -1};
    if (leftward)
        all = (ts_overlap_piece){e->x1, e->y1, e->x0, e->y0, 1};
    double left = fmax(all.x0, 0), right = fmin(all.x1, width);
    if (!(left < right))
        return TS_OK;
    ts_overlap_piece in = {left, height_at(&all, left), right, height_at(&all, right), all.sign};
    if (in.y0 <= 0 && in.y1 <= 0)
        return TS_OK;
    double dy = in.y1 - in.y0, low = dy != 0 ? -in.y0 / dy : 0, high = dy != 0 ? (height - in.y0) / dy : 0;
    double cut[4] = {0, clamp(fmin(low, high), 0, 1), clamp(fmax(low, high), 0, 1), 1};
    for (int k = 0; k < 3; k++) {
        double u = cut[k], v = cut[k + 1];
        ts_overlap_piece piece = {u > 0 ? in.x0 + u * (in.x1 - in.x0) : in.x0, clamp(in.y0 + u * dy, 0, height),
                                  v < 1 ? in.x0 + v * (in.x1 - in.x0) : in.x1,
                                  clamp(v < 1 ? in.y0 + v * dy : in.y1, 0, height), in.sign};
        if (piece.x0 < piece.x1 && (piece.y0 > 0 || piece.y1 > 0))
            TS_TRY(ts_array_push(&side->piece, piece, error));
    }
    return TS_OK;
}

/* From left to right, in one order whatever the sort. */
static int by_place(const void *p, const void *q)
{
    const double *a = p, *b = q;
    for (int i = 0; i < 5; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

ts_status ts_overlap_look(ts_overlap_side *side, double x, double y, double width, double height, ts_error *error)
{
    side->near.count = side->piece.count = 0;
    side->box_x = x;
    side->box_y = y;
    for (size_t i = 0; i < side->all.count; i++) {
        const ts_chord *from = &side->all.item[i];
        ts_chord e = {from->x0 - x, from->y0 - y, from->x1 - x, from->y1 - y};
        if (fmax(e.x0, e.x1) < 0 || fmin(e.x0, e.x1) > width || fmax(e.y0, e.y1) < 0)
            continue;
        TS_TRY(add_pieces(side, &e, width, height, error));
        if (fmin(e.y0, e.y1) <= height)
            TS_TRY(ts_array_push(&side->near, e, error));
    }
    if (side->piece.count > 0)
        qsort(side->piece.item, side->piece.count, sizeof *side->piece.item, by_place);
    return TS_OK;
}

bool ts_overlap_inside(const ts_overlap_side *side, double x, double y)
{
    /* arcs of a union meet up to rounding only, and a ray might slip through; discs know better */
    for (size_t i = 0; i < side->disc.count; i++) {
        const ts_disc *d = &side->disc.item[i];
        double dx = side->box_x + x - d->x, dy = side->box_y + y - d->y;
        if (dx * dx + dy * dy <= d->radius * d->radius)
            return true;
    }
    double winding = 0;
    for (size_t i = 0; i < side->piece.count && side->disc.count == 0; i++) {
        const ts_overlap_piece *p = &side->piece.item[i];
        if (x >= p->x0 && x < p->x1 && height_at(p, x) > y)
            winding += p->sign;
    }
    return winding > 0;
}

/* ---- Area ---- */

/* ∫ min(p, q) dx where both are: area of the intersection of what hangs below them. */
static double below_both(const ts_overlap_piece *p, const ts_overlap_piece *q)
{
    double left = fmax(p->x0, q->x0), right = fmin(p->x1, q->x1), width = right - left;
    if (!(width > 0))
        return 0;
    double pl = height_at(p, left), pr = height_at(p, right), ql = height_at(q, left), qr = height_at(q, right);
    double dl = pl - ql, dr = pr - qr;
    if ((dl > 0) == (dr > 0) || dl == 0 || dr == 0)
        return 0.5 * width * (dl + dr > 0 ? ql + qr : pl + pr);
    double t = dl / (dl - dr), middle = pl + t * (pr - pl), first = fmin(pl, ql), last = fmin(pr, qr);
    return 0.5 * width * (t * (first + middle) + (1 - t) * (middle + last));
}

/* A sweep along x: only pieces over one place have something in common. */
static ts_status find_area(ts_overlap_work *work, double *area, ts_error *error)
{
    size_t at[2] = {0, 0};
    const ts_overlap_side *side = work->side;
    work->active[0].count = work->active[1].count = 0;
    *area = 0;
    while (at[0] < side[0].piece.count || at[1] < side[1].piece.count) {
        int own = at[0] == side[0].piece.count ||
                  (at[1] < side[1].piece.count && side[1].piece.item[at[1]].x0 < side[0].piece.item[at[0]].x0);
        const ts_overlap_piece *p = &side[own].piece.item[at[own]++];
        ts_overlap_piece *other = work->active[!own].item;
        size_t left = 0;
        for (size_t k = 0; k < work->active[!own].count; k++) {
            if (!(other[k].x1 > p->x0))
                continue; /* the sweep has passed it */
            *area += p->sign * other[k].sign * below_both(p, &other[k]);
            other[left++] = other[k];
        }
        work->active[!own].count = left;
        TS_TRY(ts_array_push(&work->active[own], *p, error));
    }
    return TS_OK;
}

/* ---- Overlap ---- */

static bool is_pose(const ts_outline_pose *pose)
{
    return isfinite(pose->x) && isfinite(pose->y) && isfinite(pose->angle) && isfinite(pose->scale) && pose->scale >= 0;
}

ts_status ts_chords_overlap(const ts_chords *const shape[2], const ts_outline_pose pose[2], ts_overlap_work *work,
                            ts_overlap *out, ts_error *error)
{
    ts_overlap_side *a = &work->side[0], *b = &work->side[1];
    box of[2];
    *out = (ts_overlap){0};
    for (int i = 0; i < 2; i++) {
        if (!is_pose(&pose[i]))
            return ts_fail(error, TS_BAD_INPUT,
                           "overlap: the pose of %s is not finite, or has a scale below 0; give x, y, angle and scale",
                           i ? "B" : "A");
        TS_TRY(place(shape[i], &pose[i], pose[0].x, pose[0].y, &work->side[i], &of[i], error));
    }
    box both = {fmax(of[0].x0, of[1].x0), fmax(of[0].y0, of[1].y0), fmin(of[0].x1, of[1].x1), fmin(of[0].y1, of[1].y1)};
    double width = both.x1 - both.x0, height = both.y1 - both.y0;
    if (!(width > 0 && height > 0))
        return TS_OK;
    TS_TRY(ts_overlap_look(a, both.x0, both.y0, width, height, error));
    TS_TRY(ts_overlap_look(b, both.x0, both.y0, width, height, error));
    double area, pieces = (double)(a->piece.count + b->piece.count);
    TS_TRY(find_area(work, &area, error));
    if (!(area > rounding * DBL_EPSILON * pieces * width * height))
        return TS_OK;
    double radius, centre[2];
    bool thin[2] = {false, false};
    TS_TRY(ts_overlap_disc(work, width, height, &radius, centre, error));
    centre[0] += both.x0;
    centre[1] += both.y0;
    for (int i = 0; i < 2 && radius > 0; i++)
        TS_TRY(ts_overlap_thin(work, i, centre, 2 * radius, &thin[i], error));
    *out = (ts_overlap){.area = area,
                        .depth = 2 * radius,
                        .at = {pose[0].x + centre[0], pose[0].y + centre[1]},
                        .through = thin[0] || thin[1]};
    return TS_OK;
}

ts_status ts_outline_overlap(const ts_outline *a, const ts_outline_pose *at_a, const ts_outline *b,
                             const ts_outline_pose *at_b, ts_overlap *out, ts_error *error)
{
    TS_GIVEN(a, "overlap", error);
    TS_GIVEN(at_a, "overlap", error);
    TS_GIVEN(b, "overlap", error);
    TS_GIVEN(at_b, "overlap", error);
    TS_GIVEN(out, "overlap", error);
    ts_chords chords[2] = {0};
    ts_overlap_work work = {0};
    const ts_outline_pose pose[2] = {*at_a, *at_b};
    ts_status status = ts_chords_of_outline(a, &chords[0], error);
    if (status == TS_OK)
        status = ts_chords_of_outline(b, &chords[1], error);
    if (status == TS_OK)
        status = ts_chords_overlap((const ts_chords *const[2]){&chords[0], &chords[1]}, pose, &work, out, error);
    ts_overlap_work_free(&work);
    ts_chords_free(&chords[0]);
    ts_chords_free(&chords[1]);
    return status;
}
