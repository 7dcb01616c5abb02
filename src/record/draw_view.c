/* SPDX-License-Identifier: MIT */
/* The automatic view.
 *
 *      q02 ├────────── the grains ──────────┤ q98
 *   ├ 0.3 ┤                                  ├ 0.3 ┤      beyond that share of the span: flew away, not shown
 *
 * A view that shows every body would shrink to nothing when one of them escapes through a gap; one made of quantiles
 * alone would cut off the thin front of a flow. So quantiles say where most bodies are, and whatever is near enough to
 * them belongs to them. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "record/draw.h"

/* Quantiles are taken of at most this many bodies, evenly picked. */
#define SAMPLE_MAX 4096
#define NEAR_SHARE 0.3
/* Fixed bodies are shown as a whole while the view is at most so many times as wide as without them. */
#define FIXED_WHOLE 3
/* Otherwise: how much of its size they, and walls, may add to the box of the moving ones, on each side. */
#define FIXED_SHARE 0.5
#define WALL_SHARE  0.5

bool ts_box_given(ts_box box)
{
    return isfinite(box.x0) && isfinite(box.y0) && isfinite(box.x1) && isfinite(box.y1);
}

ts_box ts_box_union(ts_box a, ts_box b)
{
    if (!ts_box_given(a))
        return b;
    if (!ts_box_given(b))
        return a;
    return (ts_box){fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1)};
}

static ts_box intersection(ts_box a, ts_box b)
{
    ts_box box = {fmax(a.x0, b.x0), fmax(a.y0, b.y0), fmin(a.x1, b.x1), fmin(a.y1, b.y1)};
    return box.x0 <= box.x1 && box.y0 <= box.y1 ? box : TS_BOX_NONE;
}

static ts_box grown(ts_box box, double by)
{
    return (ts_box){box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by};
}

static double span(ts_box box)
{
    return fmax(box.x1 - box.x0, box.y1 - box.y0);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Bounding radius, or NaN for what is not drawn. */
static double reach_of(const ts_picture *picture, const ts_picture_body *body)
{
    if (body->hidden || body->shape < 0 || (size_t)body->shape >= picture->shape_count)
        return (double)NAN;
    if (!isfinite(body->x) || !isfinite(body->y) || !(body->scale > 0))
        return (double)NAN;
    const ts_picture_shape *shape = &picture->shape[body->shape];
    double reach = 0;
    for (size_t k = 0; k < shape->disc_count; k++)
        reach = fmax(reach, hypot(shape->disc[k].x, shape->disc[k].y) + shape->disc[k].radius);
    return isfinite(reach * body->scale) ? reach * body->scale : (double)NAN;
}

/* Where most of the bodies are, with room for those that are near them. `sample` has room for 2 · SAMPLE_MAX. */
static ts_box fence(const ts_picture *picture, bool fixed, double *sample)
{
    double *xs = sample, *ys = sample + SAMPLE_MAX;
    size_t count = 0, seen = 0, total = 0;
    for (size_t i = 0; i < picture->body_count; i++)
        total += picture->body[i].fixed == fixed;
    size_t stride = total / SAMPLE_MAX + 1;
    for (size_t i = 0; i < picture->body_count && count < SAMPLE_MAX; i++) {
        const ts_picture_body *body = &picture->body[i];
        if (body->fixed != fixed || seen++ % stride != 0 || isnan(reach_of(picture, body)))
            continue;
        xs[count] = body->x;
        ys[count++] = body->y;
    }
    if (count == 0)
        return TS_BOX_NONE;
    qsort(xs, count, sizeof *xs, compare);
    qsort(ys, count, sizeof *ys, compare);
    /* a few bodies have no outliers: two that fly apart are both the scene */
    size_t low = count < 20 ? 0 : count < 50 ? 1 : count / 50, high = count - 1 - low;
    ts_box box = {xs[low], ys[low], xs[high], ys[high]};
    return count < 20 ? box : grown(box, NEAR_SHARE * span(box));
}

/* The box of all bodies whose centre lies in the fence. */
static ts_box bounds(const ts_picture *picture, bool fixed, ts_box within)
{
    ts_box box = TS_BOX_NONE;
    for (size_t i = 0; i < picture->body_count; i++) {
        const ts_picture_body *body = &picture->body[i];
        double reach = body->fixed == fixed ? reach_of(picture, body) : (double)NAN;
        if (isnan(reach) || body->x < within.x0 || body->x > within.x1 || body->y < within.y0 || body->y > within.y1)
            continue;
        box = ts_box_union(box, (ts_box){body->x - reach, body->y - reach, body->x + reach, body->y + reach});
    }
    return box;
}

/* The box of a wall that has an end. */
static ts_box box_of_wall(const ts_picture_wall *wall)
{
    if (wall->kind == TS_WALL_CIRCLE)
        return grown((ts_box){wall->x, wall->y, wall->x, wall->y}, wall->radius);
    ts_box box = TS_BOX_NONE;
    double c = cos(wall->angle), s = sin(wall->angle);
    for (size_t i = 0; i < wall->line_count; i++)
        for (size_t k = 0; k < wall->line[i].vertex_count; k++) {
            /* points along an arc, close enough for a view */
            ts_segment edge = ts_contour_segment(&wall->line[i], k);
            bool arc = edge.bulge != 0 && (k + 1 < wall->line[i].vertex_count || !wall->line[i].open);
            for (int t = 0; t < (arc ? 16 : 1); t++) {
                ts_vec2 p = ts_segment_point(&edge, t / 16.0);
                double x = wall->x + c * p.x - s * p.y, y = wall->y + s * p.x + c * p.y;
                box = ts_box_union(box, (ts_box){x, y, x, y});
            }
        }
    return box;
}

/* Widens the box so that the walls near it are seen: a container as a whole, an edge where it is nearest. `size`: of
 * what moves. */
static ts_box with_walls(const ts_picture *picture, ts_box box, double size)
{
    double x = 0.5 * (box.x0 + box.x1), y = 0.5 * (box.y0 + box.y1);
    ts_box result = box, limit = grown(box, WALL_SHARE * size);
    for (size_t i = 0; i < picture->wall_count; i++) {
        const ts_picture_wall *wall = &picture->wall[i];
        if (wall->kind != TS_WALL_FLAT) {
            ts_box all = box_of_wall(wall);
            /* one that is far larger than what moves is seen where it is near */
            bool whole = 2 * wall->radius < (wall->kind == TS_WALL_CIRCLE ? 4 : 10) * size;
            if (ts_box_given(all) && whole)
                result = ts_box_union(result, all);
            else if (ts_box_given(all) && wall->kind != TS_WALL_CIRCLE)
                result = ts_box_union(result, intersection(all, grown(box, size)));
            continue;
        }
        double length = hypot(wall->nx, wall->ny), nx = wall->nx / length, ny = wall->ny / length;
        double distance = (x - wall->x) * nx + (y - wall->y) * ny;
        ts_box foot = {x - distance * nx, y - distance * ny, x - distance * nx, y - distance * ny};
        if (ts_box_given(foot))
            result = ts_box_union(result, intersection(foot, limit));
    }
    return result;
}

/* The same for fixed bodies, of which either box may be none. */
static ts_box with_fixed(ts_box moving, ts_box fixed)
{
    if (!ts_box_given(moving) || !ts_box_given(fixed))
        return ts_box_union(moving, fixed);
    ts_box whole = ts_box_union(moving, fixed);
    if (span(whole) <= FIXED_WHOLE * span(moving))
        return whole;
    return ts_box_union(moving, intersection(fixed, grown(moving, FIXED_SHARE * span(moving))));
}

/* A finite box of positive size. */
static ts_box mended(ts_box box)
{
    if (!ts_box_given(box))
        return (ts_box){-1, -1, 1, 1};
    double size = span(box), x = 0.5 * box.x0 + 0.5 * box.x1, y = 0.5 * box.y0 + 0.5 * box.y1;
    if (!isfinite(size) || fabs(x) > 1e300 || fabs(y) > 1e300)
        return (ts_box){-1, -1, 1, 1};
    /* a point, or so far from the origin that its size is lost in rounding */
    double least = fmax(1e-9 * fmax(fabs(x), fabs(y)), 1e-300);
    if (size < least)
        return grown((ts_box){x, y, x, y}, x == 0 && y == 0 ? 1 : fmax(least, 1e-300));
    return box;
}

ts_status ts_picture_box(const ts_picture *picture, ts_box *box, ts_error *error)
{
    double *sample;
    TS_TRY(ts_new_raw(&sample, 2 * SAMPLE_MAX, error));
    ts_box moving = fence(picture, false, sample);
    if (ts_box_given(moving))
        moving = bounds(picture, false, moving);
    ts_box fixed = fence(picture, true, sample);
    if (ts_box_given(fixed))
        fixed = bounds(picture, true, fixed);
    ts_free(sample);

    ts_box all = mended(with_fixed(moving, fixed));
    *box = mended(with_walls(picture, all, ts_box_given(moving) ? span(mended(moving)) : span(all)));
    return TS_OK;
}
