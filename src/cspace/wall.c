/* SPDX-License-Identifier: MIT */
#include "cspace/wall.h"

#include <math.h>

#include "base/memory.h"
#include "cspace/query.h"
#include "cspace/wall_parts.h"

/* ---- Making ---- */

/* An arc that goes on as another one must not leave a crack between them: each takes this much more, where it is off by
 * the square of it. */
static const double overlap = 1e-9;

static ts_wall_part part_of(const ts_hull2_piece *piece, double from, double to)
{
    double middle = 0.5 * (from + to), half = 0.5 * (to - from) + overlap;
    return (ts_wall_part){.c = piece->c,
                          .r = piece->r,
                          .end = {from, to},
                          .across = {ts_vec2_cross(piece->c, (ts_vec2){cos(from), sin(from)}),
                                     ts_vec2_cross(piece->c, (ts_vec2){cos(to), sin(to)})},
                          .middle = {cos(middle), sin(middle)},
                          .limit = half < TS_PI ? cos(half) : -2};
}

/* The hull's last piece may go on as its first: then they are one. */
static ts_status make_parts(ts_wall_map *map, ts_error *error)
{
    const ts_hull2_piece *piece = map->hull.piece, *last = &piece[map->hull.count - 1];
    size_t count = map->hull.count;
    bool joined = count > 1 && last->c.x == piece->c.x && last->c.y == piece->c.y && last->r == piece->r;
    map->part_count = joined ? count - 1 : count;
    TS_TRY(ts_new_raw(&map->part, map->part_count, error));
    for (size_t i = 0; i < map->part_count; i++) {
        map->part[i] = part_of(&piece[i], piece[i].from, piece[i + 1].from);
        map->reach = fmax(map->reach, ts_vec2_length(piece[i].c));
    }
    if (joined)
        map->part[0] = part_of(piece, last->from - 2 * TS_PI, piece[1].from);
    return TS_OK;
}

ts_status ts_wall_map_create(const ts_outline *outline, double smoothing, ts_wall_map **map, ts_error *error)
{
    *map = NULL;
    if (!(smoothing >= 0 && smoothing <= TS_WALL_SMOOTHING_MAX))
        return ts_fail(
            error, TS_BAD_INPUT,
            "the smoothing of a grain at a wall is %g of its radius, but must lie between 0 and %g; try 0.02",
            smoothing, TS_WALL_SMOOTHING_MAX);
    TS_AUTO(ts_wall_map_free_at) ts_wall_map *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->width = smoothing;
    made->shrunk = smoothing > 0 ? sin(0.5 * smoothing) / (0.5 * smoothing) : 1;
    made->radius = ts_outline_get_mass(outline).radius;
    TS_TRY(ts_hull2_create(outline, &made->hull, error));
    TS_TRY(make_parts(made, error));
    *map = ts_give(&made);
    return TS_OK;
}

size_t ts_wall_map_bytes(const ts_wall_map *map)
{
    return sizeof *map + (map->hull.count + 1) * sizeof *map->hull.piece + map->part_count * sizeof *map->part;
}

void ts_wall_map_free(ts_wall_map *map)
{
    if (!map)
        return;
    ts_hull2_free(&map->hull);
    ts_free(map->part);
    ts_free(map);
}

/* ---- How far the grain reaches, in a direction ---- */

/* The direction in [0, 2π). A full turn in two parts, the first of few digits: right to rounding for millions of
 * turns. */
static double wrapped(double direction)
{
    double turns = floor(direction / (2 * TS_PI));
    double rest = (direction - turns * 6.28125) - turns * 1.9353071795864769e-3;
    if (rest < 0)
        rest += 2 * TS_PI;
    return rest >= 0 && rest < 2 * TS_PI ? rest : 0;
}

/* Adds what a corner or an arc gives to the mean, between `from` and `to` of the direction. No differences of nearly
 * equal numbers,
 * however narrow:   ∫ c·u = 2 sin(turn/2) c·u(middle)   and   ∫ c·u' = 2 sin(turn/2) c·u'(middle). */
static void add_span(const ts_hull2_piece *piece, double direction, double from, double to, double sum[2])
{
    double middle = direction + 0.5 * (from + to), c = cos(middle), s = sin(middle),
           weight = 2 * sin(0.5 * (to - from));
    sum[0] += weight * (piece->c.x * c + piece->c.y * s) + piece->r * (to - from);
    sum[1] += weight * (piece->c.y * c - piece->c.x * s);
}

/* The mean of h over the window about a direction in [0, 2π), and its derivative. */
static double support(const ts_wall_map *map, double direction, double *slope)
{
    const ts_hull2 *hull = &map->hull;
    const double end = 0.5 * map->width;
    double low = direction - end, begun = 0;
    if (low < 0) { /* among the last pieces, a full turn earlier */
        low += 2 * TS_PI;
        begun = -2 * TS_PI;
    }
    size_t k = ts_hull2_find(hull, low);
    if (begun + hull->piece[k + 1].from - direction >= end) { /* one corner or arc for all of it */
        const ts_hull2_piece *p = &hull->piece[k];
        double c = cos(direction), s = sin(direction);
        *slope = map->shrunk * (p->c.y * c - p->c.x * s);
        return map->shrunk * (p->c.x * c + p->c.y * s) + p->r;
    }
    double sum[2] = {0, 0};
    for (double at = -end; at < end;) {
        double next = fmin(begun + hull->piece[k + 1].from - direction, end);
        if (next > at) {
            add_span(&hull->piece[k], direction, at, next, sum);
            at = next;
        }
        if (++k == hull->count) {
            k = 0;
            begun += 2 * TS_PI;
        }
    }
    *slope = sum[1] / map->width;
    return sum[0] / map->width;
}

/* ---- Records ---- */

static void plane_fields(const ts_wall_map *map, size_t count, ts_fields *f)
{
    for (size_t i = 0; i < count; i++) {
        double slope, reach = support(map, wrapped(-0.5 * TS_PI - f->angle[i]), &slope);
        f->gap[i] = f->y[i] - reach;
        f->gx[i] = 0;
        f->gy[i] = 1;
        f->gangle[i] = slope;
        f->arm[i] = 0.5 * f->gap[i];
    }
}

/* `scale`: metres for one unit of the fields. */
static void circle_fields(const ts_wall_map *map, double radius, size_t count, const double *scale, ts_fields *f)
{
    for (size_t i = 0; i < count; i++) {
        double c = cos(f->angle[i]), s = sin(f->angle[i]), r = radius / scale[i];
        ts_vec2 z = {-(c * f->x[i] + s * f->y[i]), s * f->x[i] - c * f->y[i]};
        ts_wall_far far = ts_wall_farthest(map, z);
        f->gap[i] = r - far.distance;
        f->gx[i] = s * far.gradient.y - c * far.gradient.x;
        f->gy[i] = -(s * far.gradient.x + c * far.gradient.y);
        /* a circle may turn without anyone noticing: turn_a = 0 */
        f->gangle[i] = f->gx[i] * f->y[i] - f->gy[i] * f->x[i];
        f->arm[i] = 0.5 * f->gap[i] - r;
    }
}

/* `radius` NULL: a half-plane. */
static void answer(const ts_wall_map *map, const double *radius, size_t count, const ts_wall_pose *pose,
                   ts_map_contact *contact)
{
    const ts_query_kernels *kernels = ts_query_choose();
    ts_fields fields;
    ts_query_frame frame;
    ts_map_pose p[TS_QUERY_BATCH];
    for (size_t begin = 0; begin < count; begin += TS_QUERY_BATCH) {
        size_t n = count - begin < TS_QUERY_BATCH ? count - begin : TS_QUERY_BATCH;
        for (size_t i = 0; i < n; i++) {
            const ts_wall_pose *from = &pose[begin + i];
            p[i] = (ts_map_pose){.b = {from->x, from->y, from->angle}, .scale = from->scale};
        }
        kernels->relative(1, n, p, &fields, &frame);
        if (radius)
            circle_fields(map, *radius, n, frame.length, &fields);
        else
            plane_fields(map, n, &fields);
        kernels->records(map->radius, n, p, &fields, &frame, contact + begin);
    }
}

void ts_wall_plane(const ts_wall_map *map, size_t count, const ts_wall_pose *pose, ts_map_contact *contact)
{
    answer(map, NULL, count, pose, contact);
}

void ts_wall_circle(const ts_wall_map *map, double radius, size_t count, const ts_wall_pose *pose,
                    ts_map_contact *contact)
{
    answer(map, &radius, count, pose, contact);
}
