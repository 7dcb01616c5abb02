/* SPDX-License-Identifier: MIT */
#include "shape/mesh2.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "shape/mesh2_meet.h"
#include "shape/triangulate.h"

/* Polygons of a disc: beyond these the eye, or the file, has had enough. */
enum { DISC_CORNERS_LEAST = 8, DISC_CORNERS_MOST = 1024 };
/* How often a tolerance is divided by four when edges of a thin shape cross: down to 2e-4 of what was asked for. Arcs
 * that touch within both cross at any tolerance. */
enum { FINER_MOST = 6 };
/* Below this share of the radius rounding explains that contours do not quite meet, or cross; repair leaves them so. */
static const double rounding = 1e-13, welding = 2e-9;
/* Cosine of the turn below which a corner is shaded as a curve. */
static const double smooth_turn = 0.86602540378443865; /* cos 30° */

/* ---- Flat ---- */

static bool is_convex(const ts_mesh2 *mesh)
{
    for (size_t k = 0; k < mesh->contour_count; k++) {
        size_t begin = mesh->begin[k], n = mesh->begin[k + 1] - begin;
        const ts_vec2 *p = mesh->point + begin;
        double turning = 0;
        for (size_t i = 0; i < n; i++) {
            ts_vec2 a = p[i], b = p[(i + 1) % n], c = p[(i + 2) % n];
            if (ts_orientation(a, b, c) < 0)
                return false;
            double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
            turning += atan2(ux * vy - uy * vx, ux * vx + uy * vy);
        }
        if (turning > 3 * TS_PI) /* a contour that winds twice turns left everywhere as well */
            return false;
    }
    return true;
}

/* A convex contour from its first corner; false when that leaves a triangle without area. */
static bool fan(const ts_mesh2 *mesh, size_t contour, uint32_t *triangle)
{
    size_t begin = mesh->begin[contour], end = mesh->begin[contour + 1];
    for (size_t i = begin + 1; i + 1 < end; i++) {
        if (ts_orientation(mesh->point[begin], mesh->point[i], mesh->point[i + 1]) <= 0)
            return false;
        *triangle++ = (uint32_t)begin;
        *triangle++ = (uint32_t)i;
        *triangle++ = (uint32_t)i + 1;
    }
    return true;
}

/* Drops neighbours that are the same point: arcs of outlines that are tiny beside the coordinates may flatten to
 * such. */
static void drop_doubles(ts_mesh2 *mesh)
{
    size_t kept = 0, from = 0;
    for (size_t k = 0; k < mesh->contour_count; k++) {
        size_t end = mesh->begin[k + 1], first = kept;
        for (; from < end; from++) {
            ts_vec2 p = mesh->point[from];
            if (kept == first || p.x != mesh->point[kept - 1].x || p.y != mesh->point[kept - 1].y)
                mesh->point[kept++] = p;
        }
        while (kept > first + 1 && mesh->point[kept - 1].x == mesh->point[first].x &&
               mesh->point[kept - 1].y == mesh->point[first].y)
            kept--;
        mesh->begin[k + 1] = kept;
    }
}

static double contour_area(const ts_mesh2 *mesh)
{
    double twice = 0;
    for (size_t k = 0; k < mesh->contour_count; k++)
        for (size_t i = mesh->begin[k]; i < mesh->begin[k + 1]; i++) {
            ts_vec2 p = mesh->point[i], q = mesh->point[i + 1 < mesh->begin[k + 1] ? i + 1 : mesh->begin[k]],
                    o = mesh->point[mesh->begin[k]];
            twice += (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
        }
    return 0.5 * twice;
}

/* `reach` > 0: contours are made to meet first; `cross`: also where edges cross. */
static ts_status mesh_at(const ts_outline *outline, double tolerance, double reach, bool cross, ts_mesh2 *mesh,
                         ts_error *error)
{
    ts_triangles cut = {0};
    ts_mesh2 made = {.contour_count = outline->contour_count};
    TS_TRY(ts_outline_flatten(outline, tolerance, &made.point, &made.begin, error));
    drop_doubles(&made);
    ts_status status = reach > 0 ? ts_mesh2_meet(&made, reach, cross, error) : TS_OK;
    if (status == TS_OK)
        status = ts_triangulate(made.point, made.begin, made.contour_count, cross, &cut, error);
    made.triangle = cut.index;
    made.triangle_count = cut.count;
    /* what was left out must have been specks */
    if (status == TS_OK && (cut.count == 0 || (cross && !(fabs(ts_mesh2_area(&made) - contour_area(&made)) <=
                                                          tolerance * ts_outline_get_mass(outline).radius))))
        status = ts_fail(error, TS_BAD_INPUT, "edges of the outline cross at a tolerance of %g; choose a finer one",
                         tolerance);
    if (status != TS_OK) {
        ts_mesh2_free(&made);
        return status;
    }
    made.convex = is_convex(&made);
    *mesh = made;
    return TS_OK;
}

static bool has_arcs(const ts_outline *outline)
{
    for (size_t i = 0; i < outline->begin[outline->contour_count]; i++)
        if (outline->vertex[i].bulge != 0)
            return true;
    return false;
}

ts_status ts_mesh2_of_outline(const ts_outline *outline, double tolerance, ts_mesh2 *mesh, ts_error *error)
{
    *mesh = (ts_mesh2){0};
    double radius = ts_outline_get_mass(outline).radius;
    const double reach[] = {0, rounding * radius, welding * radius};
    int last = has_arcs(outline) ? FINER_MOST : 0;
    ts_status status = TS_BAD_INPUT;
    for (int try = 0; try <= last && status == TS_BAD_INPUT; try++)
        for (int k = 0; k < 3 && status == TS_BAD_INPUT; k++)
            status = mesh_at(outline, ldexp(tolerance, -2 * try), reach[k], false, mesh, error);
    for (int k = 1; k < 3 && status == TS_BAD_INPUT; k++)
        status = mesh_at(outline, ldexp(tolerance, -2 * last), reach[k], true, mesh, error);
    return status;
}

/* Corners of a polygon whose edges stay within `share` of the radius. */
static size_t disc_corners(double share)
{
    double n = share < 1 ? TS_PI / acos(1 - fmax(share, 0)) : 0;
    if (!(n < DISC_CORNERS_MOST))
        return DISC_CORNERS_MOST;
    size_t corners = (size_t)ceil(n / 4) * 4;
    return corners < DISC_CORNERS_LEAST ? DISC_CORNERS_LEAST : corners;
}

ts_status ts_mesh2_of_discs(const ts_disc *disc, size_t count, double tolerance, ts_mesh2 *mesh, ts_error *error)
{
    *mesh = (ts_mesh2){0};
    size_t total = 0;
    for (size_t k = 0; k < count; k++)
        total += disc_corners(tolerance / disc[k].radius);
    if (total > UINT32_MAX / 4)
        return ts_fail(error, TS_BAD_INPUT, "a shape of %zu discs has too many for a mesh; use a coarser tolerance",
                       count);
    ts_mesh2 made = {.contour_count = count, .convex = true};
    made.point = ts_alloc_raw(total, sizeof *made.point);
    made.begin = ts_alloc_raw(count + 1, sizeof *made.begin);
    made.triangle = ts_alloc_raw(3 * total, sizeof *made.triangle);
    if (!made.point || !made.begin || !made.triangle) {
        ts_mesh2_free(&made);
        return ts_fail_memory(error, 3 * total * sizeof *made.triangle);
    }
    size_t at = 0;
    for (size_t k = 0; k < count; k++) {
        size_t n = disc_corners(tolerance / disc[k].radius);
        made.begin[k] = at;
        for (size_t i = 0; i < n; i++) {
            /* quarter turns are exact: a disc's polygon touches its box */
            double angle = 2 * TS_PI * (double)(i % (n / 4)) / (double)n, c = cos(angle), s = sin(angle);
            const double x[4] = {c, -s, -c, s}, y[4] = {s, c, -s, -c};
            size_t quarter = i / (n / 4);
            made.point[at++] =
                (ts_vec2){disc[k].x + disc[k].radius * x[quarter], disc[k].y + disc[k].radius * y[quarter]};
        }
        made.begin[k + 1] = at;
        if (!fan(&made, k, made.triangle + 3 * made.triangle_count)) {
            ts_mesh2_free(&made);
            return ts_fail(error, TS_BAD_INPUT,
                           "disc %zu of a shape is too small beside its distance %g from the centre", k + 1,
                           hypot(disc[k].x, disc[k].y));
        }
        made.triangle_count += n - 2;
    }
    *mesh = made;
    return TS_OK;
}

void ts_mesh2_free(ts_mesh2 *mesh)
{
    ts_free(mesh->point);
    ts_free(mesh->begin);
    ts_free(mesh->triangle);
    *mesh = (ts_mesh2){0};
}

double ts_mesh2_area(const ts_mesh2 *mesh)
{
    double twice = 0;
    for (size_t k = 0; k < mesh->triangle_count; k++) {
        const uint32_t *t = mesh->triangle + 3 * k;
        ts_vec2 a = mesh->point[t[0]], b = mesh->point[t[1]], c = mesh->point[t[2]];
        twice += (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    }
    return 0.5 * twice;
}

/* ---- Extruded ---- */

static void put_vertex(ts_mesh3 *out, ts_vec2 p, double z, ts_vec2 n, double nz)
{
    size_t i = out->vertex_count++;
    memcpy(out->position[i], (float[3]){(float)p.x, (float)p.y, (float)z}, sizeof *out->position);
    memcpy(out->normal[i], (float[3]){(float)n.x, (float)n.y, (float)nz}, sizeof *out->normal);
}

static void put_cap(ts_mesh3 *out, const ts_mesh2 *mesh, double z, bool front)
{
    uint32_t first = (uint32_t)out->vertex_count;
    for (size_t i = 0; i < mesh->begin[mesh->contour_count]; i++)
        put_vertex(out, mesh->point[i], z, (ts_vec2){0, 0}, front ? 1 : -1);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            out->index[out->index_count++] = first + mesh->triangle[3 * i + (size_t)(front ? k : 2 - k)];
}

/* Unit normal, outwards, of the edge from p to q: the interior lies on its left. */
static ts_vec2 edge_normal(ts_vec2 p, ts_vec2 q)
{
    double dx = q.x - p.x, dy = q.y - p.y, length = hypot(dx, dy);
    return (ts_vec2){dy / length, -dx / length};
}

/* The normal of an edge at an end where another one, with normal m, meets it. */
static ts_vec2 end_normal(ts_vec2 n, ts_vec2 m)
{
    if (n.x * m.x + n.y * m.y < smooth_turn)
        return n;
    double x = n.x + m.x, y = n.y + m.y, length = hypot(x, y);
    return (ts_vec2){x / length, y / length};
}

static void put_sides(ts_mesh3 *out, const ts_vec2 *p, size_t n, double depth)
{
    for (size_t i = 0; i < n; i++) {
        ts_vec2 a = p[(i + n - 1) % n], b = p[i], c = p[(i + 1) % n], d = p[(i + 2) % n], own = edge_normal(b, c);
        ts_vec2 begin = end_normal(own, edge_normal(a, b)), end = end_normal(own, edge_normal(c, d));
        uint32_t first = (uint32_t)out->vertex_count;
        put_vertex(out, b, -0.5 * depth, begin, 0);
        put_vertex(out, c, -0.5 * depth, end, 0);
        put_vertex(out, c, 0.5 * depth, end, 0);
        put_vertex(out, b, 0.5 * depth, begin, 0);
        const uint32_t corner[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < 6; k++)
            out->index[out->index_count++] = first + corner[k];
    }
}

ts_status ts_mesh2_extrude(const ts_mesh2 *mesh, double depth, ts_mesh3 *out, ts_error *error)
{
    size_t points = mesh->begin[mesh->contour_count];
    size_t vertices = depth > 0 ? 6 * points : points;
    size_t indices = depth > 0 ? 6 * mesh->triangle_count + 6 * points : 3 * mesh->triangle_count;
    *out = (ts_mesh3){0};
    if (vertices > UINT32_MAX / 2)
        return ts_fail(error, TS_BAD_INPUT, "a mesh of %zu points is too large; use a coarser tolerance", points);
    ts_mesh3 made = {.position = ts_alloc_raw(vertices, sizeof *made.position),
                     .normal = ts_alloc_raw(vertices, sizeof *made.normal),
                     .index = ts_alloc_raw(indices, sizeof *made.index)};
    if (!made.position || !made.normal || !made.index) {
        ts_mesh3_free(&made);
        return ts_fail_memory(error, vertices * 24 + indices * 4);
    }
    put_cap(&made, mesh, 0.5 * depth, true);
    if (depth > 0) {
        put_cap(&made, mesh, -0.5 * depth, false);
        for (size_t k = 0; k < mesh->contour_count; k++)
            put_sides(&made, mesh->point + mesh->begin[k], mesh->begin[k + 1] - mesh->begin[k], depth);
    }
    *out = made;
    return TS_OK;
}

void ts_mesh3_free(ts_mesh3 *mesh)
{
    ts_free(mesh->position);
    ts_free(mesh->normal);
    ts_free(mesh->index);
    *mesh = (ts_mesh3){0};
}
