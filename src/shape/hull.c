/* SPDX-License-Identifier: MIT */
#include "shape/hull.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "shape/hull_loops.h"

/* Over the extent: points within this of a plane are flat; corners may be so far from their face's plane. */
static const double flat = 1e-6, askew = 1e-6;
/* Squares and cubes of lengths beyond these are not numbers any more. */
static const double extent_min = 1e-90, extent_max = 1e90;

void ts_hull_free(ts_hull *hull)
{
    if (!hull)
        return;
    ts_free(hull->vertex);
    ts_free(hull->corner);
    ts_free(hull->face_begin);
    ts_free(hull->normal);
    ts_free(hull->offset);
    ts_free(hull->edge);
    ts_free(hull->neighbour);
    ts_free(hull->neighbour_begin);
    ts_free(hull);
}

/* ---- Are these points of a body at all? ---- */

/* The point farthest from `from` (axis zero), or from the line through it along the unit vector `axis`. */
static size_t farthest_from(const ts_vec3 *point, size_t count, ts_vec3 from, ts_vec3 axis, double *distance)
{
    size_t best = 0;
    double most = -1;
    for (size_t i = 0; i < count; i++) {
        ts_vec3 d = ts_vec3_sub(point[i], from);
        double far = ts_vec3_length_squared(ts_vec3_add_scaled(d, axis, -ts_vec3_dot(d, axis)));
        if (far > most) {
            most = far;
            best = i;
        }
    }
    *distance = sqrt(most);
    return best;
}

/* A line through two points far apart, a plane through a third far from the line: how thick is the set there? Another
 * plane may be nearer to all points, but not by more than a small factor. The points have extent 1. */
static ts_status check_thickness(const ts_vec3 *point, size_t count, ts_error *error)
{
    double length, width, low = 0, high = 0;
    const ts_vec3 none = {0, 0, 0};
    ts_vec3 a = point[farthest_from(point, count, point[0], none, &length)];
    ts_vec3 b = point[farthest_from(point, count, a, none, &length)];
    ts_vec3 axis = ts_vec3_unit(ts_vec3_sub(b, a));
    ts_vec3 c = point[farthest_from(point, count, a, axis, &width)];
    if (width < flat)
        return ts_fail(
            error, TS_BAD_INPUT,
            "the %zu points of a hull lie on a line (within %.2g of its length); give points around a volume", count,
            width / length);
    ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(axis, ts_vec3_sub(c, a)));
    for (size_t i = 0; i < count; i++) {
        double height = ts_vec3_dot(normal, ts_vec3_sub(point[i], a));
        low = fmin(low, height);
        high = fmax(high, height);
    }
    if (high - low < flat)
        return ts_fail(
            error, TS_BAD_INPUT,
            "the %zu points of a hull lie in a plane (within %.2g of their extent); give points around a volume, "
            "or a thickness",
            count, high - low);
    return TS_OK;
}

/* Points of extent 1 about the origin. */
static ts_status scaled_points(const ts_vec3 *point, size_t count, ts_vec3 **scaled, ts_error *error)
{
    if (count < 4)
        return ts_fail(error, TS_BAD_INPUT, "a hull has %zu points, but needs 4 that do not lie in a plane", count);
    if (count > TS_HULL_POINTS_MAX)
        return ts_fail(error, TS_UNSUPPORTED, "a hull of %zu points is too large; %zu points are the most", count,
                       TS_HULL_POINTS_MAX);
    ts_box3 box = {point[0], point[0]};
    for (size_t i = 0; i < count; i++) {
        if (!ts_vec3_is_finite(point[i]))
            return ts_fail(error, TS_BAD_INPUT, "point %zu of a hull is (%g, %g, %g), but must be finite", i,
                           point[i].x, point[i].y, point[i].z);
        box.low = ts_vec3_min(box.low, point[i]);
        box.high = ts_vec3_max(box.high, point[i]);
    }
    ts_vec3 side = ts_vec3_sub(box.high, box.low), mid = ts_vec3_lerp(box.low, box.high, 0.5);
    double extent = fmax(side.x, fmax(side.y, side.z));
    if (extent == 0)
        return ts_fail(error, TS_BAD_INPUT, "the %zu points of a hull are all the same; give points around a volume",
                       count);
    if (!(extent >= extent_min && extent <= extent_max))
        return ts_fail(error, TS_BAD_INPUT, "the points of a hull extend over %g m; give lengths in metres", extent);
    TS_AUTO_FREE ts_vec3 *made = NULL;
    TS_TRY(ts_new_raw(&made, count, error));
    for (size_t i = 0; i < count; i++)
        made[i] = ts_vec3_scale(ts_vec3_sub(point[i], mid), 1 / extent);
    TS_TRY(check_thickness(made, count, error));
    *scaled = ts_give(&made);
    return TS_OK;
}

/* ---- From loops to a hull ---- */

static ts_status allocate(ts_hull *hull, size_t vertices, size_t faces, size_t corners, ts_error *error)
{
    hull->vertex_count = vertices;
    hull->face_count = faces;
    hull->edge_count = corners / 2;
    TS_TRY(ts_new(&hull->vertex, vertices, error));
    TS_TRY(ts_new(&hull->corner, corners, error));
    TS_TRY(ts_new(&hull->face_begin, faces + 1, error));
    TS_TRY(ts_new(&hull->normal, faces, error));
    TS_TRY(ts_new(&hull->offset, faces, error));
    TS_TRY(ts_new(&hull->edge, hull->edge_count + 1, error));
    TS_TRY(ts_new(&hull->neighbour, corners, error));
    TS_TRY(ts_new(&hull->neighbour_begin, vertices + 1, error));
    return TS_OK;
}

/* A face on its way into the hull. */
typedef struct loop {
    const int32_t *corner;
    int32_t count;
} loop;

static int by_corners(const void *left, const void *right)
{
    const loop *a = left, *b = right;
    for (int32_t i = 0; i < a->count && i < b->count; i++)
        if (a->corner[i] != b->corner[i])
            return a->corner[i] < b->corner[i] ? -1 : 1;
    return (a->count > b->count) - (a->count < b->count);
}

/* Renumbers corners from points to vertices, turns each loop to begin with its smallest, and sorts the loops. */
static ts_status put_faces(ts_hull *hull, ts_hull_loops *loops, const int32_t *vertex_of, ts_error *error)
{
    loop *sorted = ts_alloc(hull->face_count, sizeof *sorted);
    int32_t *turned = ts_alloc_raw(loops->corner.count, sizeof *turned);
    if (!sorted || !turned) {
        ts_free(sorted);
        ts_free(turned);
        return ts_fail_memory(error, loops->corner.count * sizeof *turned);
    }
    for (size_t f = 0; f < hull->face_count; f++) {
        int32_t begin = loops->begin.item[f], count = loops->begin.item[f + 1] - begin, least = 0;
        const int32_t *corner = loops->corner.item + begin;
        for (int32_t i = 1; i < count; i++)
            if (corner[i] < corner[least])
                least = i;
        for (int32_t i = 0; i < count; i++)
            turned[begin + i] = vertex_of[corner[(least + i) % count]];
        sorted[f] = (loop){turned + begin, count};
    }
    qsort(sorted, hull->face_count, sizeof *sorted, by_corners);
    for (size_t f = 0; f < hull->face_count; f++) {
        int32_t begin = hull->face_begin[f];
        memcpy(hull->corner + begin, sorted[f].corner, (size_t)sorted[f].count * sizeof *sorted[f].corner);
        hull->face_begin[f + 1] = begin + sorted[f].count;
    }
    ts_free(sorted);
    ts_free(turned);
    return TS_OK;
}

static int by_ends(const void *left, const void *right)
{
    const int32_t *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Pairs up the sides of faces: each must have one partner that goes the other way. */
static ts_status put_edges(ts_hull *hull, ts_error *error)
{
    size_t count = (size_t)hull->face_begin[hull->face_count];
    int32_t(*side)[4] = ts_alloc(count, sizeof *side); /* i < j, whether it goes back, its face */
    if (!side)
        return ts_fail_memory(error, count * sizeof *side);
    for (size_t f = 0; f < hull->face_count; f++)
        for (int32_t begin = hull->face_begin[f], end = hull->face_begin[f + 1], i = begin; i < end; i++) {
            int32_t a = hull->corner[i], b = hull->corner[i + 1 < end ? i + 1 : begin];
            memcpy(side[i], (int32_t[4]){a < b ? a : b, a < b ? b : a, a > b, (int32_t)f}, sizeof *side);
        }
    qsort(side, count, sizeof *side, by_ends);
    bool closed = count % 2 == 0;
    for (size_t e = 0; closed && e < hull->edge_count; e++) {
        const int32_t *there = side[2 * e], *back = side[2 * e + 1];
        closed = there[0] == back[0] && there[1] == back[1] && !there[2] && back[2] && there[0] < there[1] &&
                 (e == 0 || there[0] != side[2 * e - 1][0] || there[1] != side[2 * e - 1][1]);
        memcpy(hull->edge[e], (int32_t[4]){there[0], there[1], there[3], back[3]}, sizeof *hull->edge);
    }
    ts_free(side);
    if (!closed || hull->vertex_count + hull->face_count != hull->edge_count + 2)
        return ts_fail(error, TS_BAD_INPUT, "the faces of a hull do not close up");
    return TS_OK;
}

/* Neighbours of each vertex, ascending: edges are sorted, so that smaller ones come first, and both kinds in order. */
static void put_neighbours(ts_hull *hull)
{
    int32_t *begin = hull->neighbour_begin;
    for (size_t e = 0; e < hull->edge_count; e++)
        for (int k = 0; k < 2; k++)
            begin[hull->edge[e][k] + 1]++;
    for (size_t v = 0; v < hull->vertex_count; v++)
        begin[v + 1] += begin[v];
    for (int back = 1; back >= 0; back--) /* first the smaller neighbours of all, then the larger ones */
        for (size_t e = 0; e < hull->edge_count; e++)
            hull->neighbour[begin[hull->edge[e][back]]++] = hull->edge[e][1 - back];
    for (size_t v = hull->vertex_count; v > 0; v--)
        begin[v] = begin[v - 1];
    begin[0] = 0;
}

/* Centre of mass, by tetrahedra from the mean of the vertices, which is inside. */
static ts_vec3 centre_of(const ts_hull *hull)
{
    ts_vec3 mean = {0, 0, 0}, moment = {0, 0, 0};
    double volume = 0, share = 1 / (double)hull->vertex_count;
    for (size_t v = 0; v < hull->vertex_count; v++)
        mean = ts_vec3_add_scaled(mean, hull->vertex[v], share);
    for (size_t f = 0; f < hull->face_count; f++) {
        const int32_t *corner = hull->corner + hull->face_begin[f];
        ts_vec3 a = ts_vec3_sub(hull->vertex[corner[0]], mean);
        for (int32_t i = 1; i + 1 < hull->face_begin[f + 1] - hull->face_begin[f]; i++) {
            ts_vec3 b = ts_vec3_sub(hull->vertex[corner[i]], mean), c = ts_vec3_sub(hull->vertex[corner[i + 1]], mean);
            double tetrahedron = ts_vec3_dot(a, ts_vec3_cross(b, c));
            volume += tetrahedron;
            moment = ts_vec3_add_scaled(moment, ts_vec3_add(a, ts_vec3_add(b, c)), 0.25 * tetrahedron);
        }
    }
    return ts_vec3_add_scaled(mean, moment, 1 / volume);
}

/* Normals by the area vector of each face, offsets by its highest corner or whatever is higher. Fails when a corner is
 * too far below. */
static ts_status put_planes(ts_hull *hull, double extent, ts_error *error)
{
    for (size_t f = 0; f < hull->face_count; f++) {
        const int32_t *corner = hull->corner + hull->face_begin[f];
        int32_t count = hull->face_begin[f + 1] - hull->face_begin[f];
        ts_vec3 o = hull->vertex[corner[0]], area = {0, 0, 0};
        for (int32_t i = 1; i + 1 < count; i++)
            area = ts_vec3_add(area, ts_vec3_cross(ts_vec3_sub(hull->vertex[corner[i]], o),
                                                   ts_vec3_sub(hull->vertex[corner[i + 1]], o)));
        ts_vec3 n = hull->normal[f] = ts_vec3_unit(area);
        int32_t top = ts_hull_support(hull, n, corner[0]);
        double high = ts_vec3_dot(n, ts_vec3_sub(hull->vertex[top], o)), low = high;
        for (int32_t i = 0; i < count; i++) {
            double height = ts_vec3_dot(n, ts_vec3_sub(hull->vertex[corner[i]], o));
            low = fmin(low, height);
            if (height > high) {
                high = height;
                top = corner[i];
            }
        }
        hull->offset[f] = ts_vec3_dot(n, hull->vertex[top]);
        if (!(ts_vec3_length_squared(area) > 0) || !(high - low <= askew * extent))
            return ts_fail(error, TS_BAD_INPUT, "face %zu of a hull is not flat", f);
    }
    return TS_OK;
}

/* Everything but the memory of *hull itself. */
static ts_status fill(ts_hull *hull, const ts_vec3 *point, size_t count, ts_hull_loops *loops, ts_error *error)
{
    int32_t *vertex_of;
    TS_TRY(ts_new(&vertex_of, count, error));
    for (size_t i = 0; i < loops->corner.count; i++)
        vertex_of[loops->corner.item[i]] = 1;
    size_t vertices = 0;
    for (size_t i = 0; i < count; i++)
        vertices += vertex_of[i] != 0;
    ts_status status = allocate(hull, vertices, loops->begin.count - 1, loops->corner.count, error);
    if (status == TS_OK) {
        int32_t next = 0;
        ts_box3 box = {point[0], point[0]};
        for (size_t i = 0; i < count; i++) {
            box.low = ts_vec3_min(box.low, point[i]);
            box.high = ts_vec3_max(box.high, point[i]);
            if (vertex_of[i]) {
                hull->vertex[next] = point[i];
                vertex_of[i] = next++;
            }
        }
        ts_vec3 side = ts_vec3_sub(box.high, box.low);
        status = put_faces(hull, loops, vertex_of, error);
        if (status == TS_OK)
            status = put_edges(hull, error);
        if (status == TS_OK) {
            put_neighbours(hull);
            status = put_planes(hull, fmax(side.x, fmax(side.y, side.z)), error);
        }
        if (status == TS_OK)
            hull->centre = centre_of(hull);
    }
    ts_free(vertex_of);
    return status;
}

static ts_status from_loops(const ts_vec3 *point, size_t count, ts_hull_loops *loops, ts_hull **hull, ts_error *error)
{
    TS_AUTO(ts_hull_free_at) ts_hull *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    TS_TRY(fill(made, point, count, loops, error));
    *hull = ts_give(&made);
    return TS_OK;
}

ts_status ts_hull_create(const ts_vec3 *point, size_t count, ts_hull **hull, ts_error *error)
{
    ts_vec3 *scaled;
    TS_TRY(scaled_points(point, count, &scaled, error));
    ts_hull_loops loops = {0};
    ts_status status = ts_hull_find_loops((double(*)[3])scaled, count, &loops, error);
    if (status == TS_OK)
        status = from_loops(point, count, &loops, hull, error);
    ts_hull_loops_free(&loops);
    ts_free(scaled);
    if (status != TS_BAD_INPUT)
        return status;
    char why[sizeof error->message] = "";
    if (error)
        memcpy(why, error->message, sizeof why);
    return ts_fail(error, TS_BAD_INPUT,
                   "no convex hull of %zu points is found in double precision: %.800s; weld points "
                   "that are nearly the same",
                   count, why);
}

ts_status ts_hull_box(ts_vec3 half, ts_hull **hull, ts_error *error)
{
    if (!ts_vec3_is_finite(half) || !(half.x > 0 && half.y > 0 && half.z > 0))
        return ts_fail(error, TS_BAD_INPUT, "a box has half extents (%g, %g, %g), but they must be positive", half.x,
                       half.y, half.z);
    ts_vec3 point[8]; /* bit k of a corner's number: the positive side of axis k */
    for (int i = 0; i < 8; i++)
        point[i] = (ts_vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
    int32_t corner[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    int32_t begin[7] = {0, 4, 8, 12, 16, 20, 24};
    ts_hull_loops loops = {.corner = {corner, 24, 24}, .begin = {begin, 7, 7}};
    return from_loops(point, 8, &loops, hull, error);
}

int32_t ts_hull_support(const ts_hull *hull, ts_vec3 direction, int32_t start)
{
    int32_t best = start, at = -1;
    double most = ts_vec3_dot(hull->vertex[start], direction);
    while (best != at) { /* each round is higher: no vertex comes twice */
        at = best;
        for (int32_t i = hull->neighbour_begin[at]; i < hull->neighbour_begin[at + 1]; i++) {
            double height = ts_vec3_dot(hull->vertex[hull->neighbour[i]], direction);
            if (height > most) {
                most = height;
                best = hull->neighbour[i];
            }
        }
    }
    return best;
}
