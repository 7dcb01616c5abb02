/* SPDX-License-Identifier: MIT */
/* Polygons in space, cut into triangles in the coordinate plane that their own plane is nearest to. Dropping a
 * coordinate rounds nothing, and maps the polygon's plane one to one, so that an ear there is an ear here. */
#include <math.h>

#include "shape/mesh_read_work.h"
#include "shape/triangulate.h"

/* Twice the area, as a vector (Newell): for a polygon that is not quite plane, too. `no_plane`: its corners are on a
 * line, up to rounding, or so far apart that products of them are no numbers (such a mesh is refused later, for its
 * size). */
static ts_vec3 area_of(const ts_mesh_soup *soup, bool *no_plane)
{
    ts_vec3 sum = {0, 0, 0}, origin = soup->vertex.item[soup->corner.item[0]];
    double crosses = 0, products = 0;
    for (size_t i = 1; i + 1 < soup->corner.count; i++) {
        ts_vec3 a = ts_vec3_sub(soup->vertex.item[soup->corner.item[i]], origin);
        ts_vec3 b = ts_vec3_sub(soup->vertex.item[soup->corner.item[i + 1]], origin), c = ts_vec3_cross(a, b);
        sum = ts_vec3_add(sum, c);
        crosses += ts_vec3_length(c);
        products += ts_vec3_length(a) * ts_vec3_length(b);
    }
    *no_plane = crosses <= 1e-14 * products || !(products < 1e120);
    return sum;
}

/* Without the coordinate that the area has most of; mirrored where needed, so that the polygon runs
 * counter-clockwise. */
static ts_vec2 flatten(ts_vec3 p, ts_vec3 area)
{
    double x = fabs(area.x), y = fabs(area.y), z = fabs(area.z);
    if (z >= x && z >= y)
        return area.z >= 0 ? (ts_vec2){p.x, p.y} : (ts_vec2){p.y, p.x};
    if (x >= y)
        return area.x >= 0 ? (ts_vec2){p.y, p.z} : (ts_vec2){p.z, p.y};
    return area.y >= 0 ? (ts_vec2){p.z, p.x} : (ts_vec2){p.x, p.z};
}

static bool same_place(const ts_mesh_soup *soup, int32_t i, int32_t j)
{
    ts_vec3 a = soup->vertex.item[i], b = soup->vertex.item[j];
    return i == j || (a.x == b.x && a.y == b.y && a.z == b.z);
}

/* Corners that are where the one before is say nothing. */
static void drop_repeated(ts_mesh_soup *soup)
{
    size_t kept = 0;
    int32_t *corner = soup->corner.item;
    for (size_t i = 0; i < soup->corner.count; i++)
        if (kept == 0 || !same_place(soup, corner[kept - 1], corner[i]))
            corner[kept++] = corner[i];
    while (kept > 1 && same_place(soup, corner[kept - 1], corner[0]))
        kept--;
    soup->corner.count = kept;
}

static ts_status add_fan(ts_mesh_soup *soup, ts_error *error)
{
    for (size_t i = 1; i + 1 < soup->corner.count; i++) {
        const int32_t *c = soup->corner.item;
        TS_TRY(ts_array_push(&soup->triangle, ((ts_mesh_corners){{c[0], c[i], c[i + 1]}}), error));
    }
    return TS_OK;
}

static bool is_convex_quad(const ts_vec2 *p)
{
    for (int i = 0; i < 4; i++)
        if (ts_orientation(p[i], p[(i + 1) % 4], p[(i + 2) % 4]) <= 0)
            return false;
    return true;
}

static ts_status add_ears(ts_mesh_soup *soup, ts_place place, ts_error *error)
{
    size_t n = soup->corner.count, begin[2] = {0, n};
    ts_triangles made = {0};
    ts_status status = TS_OK;
    bool fine = true;
    for (size_t i = 0; i < n && fine; i++) {
        ts_vec2 a = soup->point.item[i], b = soup->point.item[(i + 1) % n];
        fine = a.x != b.x || a.y != b.y; /* an edge along the normal of its polygon: far from plane */
    }
    if (fine) {
        status = ts_triangulate(soup->point.item, begin, 1, false, &made, NULL);
        fine = status != TS_BAD_INPUT;
    }
    if (!fine)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "the polygon of %zu corners crosses itself, seen along its normal; cut it into triangles", n);
    if (status != TS_OK)
        return ts_fail_memory(error, n * sizeof(ts_vec2));
    for (size_t i = 0; i < made.count && status == TS_OK; i++) {
        const uint32_t *t = &made.index[3 * i];
        const int32_t *c = soup->corner.item;
        status = ts_array_push(&soup->triangle, ((ts_mesh_corners){{c[t[0]], c[t[1]], c[t[2]]}}), error);
    }
    ts_free(made.index);
    return status;
}

ts_status ts_mesh_add_polygon(ts_mesh_soup *soup, ts_place place, ts_error *error)
{
    if (soup->corner.count > 3)
        drop_repeated(soup);
    if (soup->corner.count == 3)
        return add_fan(soup, error);
    if (soup->corner.count < 3) { /* one point or one edge: counted as a triangle that has none */
        int32_t c = soup->corner.item[0];
        return ts_array_push(&soup->triangle, ((ts_mesh_corners){{c, c, c}}), error);
    }
    bool no_plane;
    ts_vec3 area = area_of(soup, &no_plane);
    if (no_plane)
        return add_fan(soup, error);
    soup->point.count = 0;
    for (size_t i = 0; i < soup->corner.count; i++)
        TS_TRY(ts_array_push(&soup->point, flatten(soup->vertex.item[soup->corner.item[i]], area), error));
    if (soup->corner.count == 4 && is_convex_quad(soup->point.item))
        return add_fan(soup, error);
    return add_ears(soup, place, error);
}
