/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "shape/mesh_repair_work.h"
#include "shape/triangulate.h"

static int32_t from_of(const ts_mesh *mesh, int32_t half)
{
    return mesh->triangle[half / 3][half % 3];
}
static int32_t to_of(const ts_mesh *mesh, int32_t half)
{
    return mesh->triangle[half / 3][(half + 1) % 3];
}
/* The next half-edge of the same triangle. */
static int32_t after(int32_t half)
{
    return half % 3 == 2 ? half - 2 : half + 1;
}
static void note_edge(ts_mesh_places *places, const ts_mesh *mesh, int32_t half)
{
    ts_mesh_add_edge(places, mesh->vertex[from_of(mesh, half)], mesh->vertex[to_of(mesh, half)]);
}

/* ---- Who shares an edge with whom ---- */

typedef struct side {
    uint64_t edge; /* lower vertex, higher vertex */
    int32_t half;
} side;

static int by_edge(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->edge != b->edge)
        return a->edge < b->edge ? -1 : 1;
    return (a->half > b->half) - (a->half < b->half);
}

/* Half-edges, sorted by their edges. */
static side *make_sides(const ts_mesh *mesh)
{
    size_t count = 3 * mesh->triangle_count;
    side *list = ts_alloc_raw(count, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        uint32_t a = (uint32_t)from_of(mesh, (int32_t)i), b = (uint32_t)to_of(mesh, (int32_t)i);
        list[i] = (side){(uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a), (int32_t)i};
    }
    if (list)
        qsort(list, count, sizeof *list, by_edge);
    return list;
}

ts_status ts_mesh_is_closed(const ts_mesh *mesh, bool *closed, ts_error *error)
{
    size_t count = 3 * mesh->triangle_count;
    *closed = false;
    if (count == 0)
        return TS_OK;
    side *list = make_sides(mesh);
    if (!list)
        return ts_fail_memory(error, count * sizeof *list);
    *closed = count % 2 == 0;
    for (size_t i = 0; i + 1 < count && *closed; i += 2)
        *closed = list[i].edge == list[i + 1].edge && (i + 2 == count || list[i + 2].edge != list[i].edge);
    ts_free(list);
    return TS_OK;
}

/* Edges that not just two triangles have. */
typedef struct odd_edges {
    ts_mesh_places open, crowded;
} odd_edges;

static void find_twins(ts_mesh_mend *m, const side *list, odd_edges *odd)
{
    size_t count = 3 * m->mesh->triangle_count;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && list[end].edge == list[i].edge;)
            end++;
        for (size_t k = i; k < end; k++)
            m->twin[list[k].half] = end - i == 2 ? list[i + (k == i)].half : -1;
        if (end - i == 1)
            note_edge(&odd->open, m->mesh, list[i].half);
        else if (end - i > 2)
            note_edge(&odd->crowded, m->mesh, list[i].half);
    }
}

/* ---- One way round ---- */

/* Visits all triangles that hang together with this one; the first edge that cannot be run through both ways is
 * returned, or -1. */
static int32_t flood(ts_mesh_mend *m, int32_t start, int32_t piece, int32_t *stack)
{
    size_t depth = 0;
    int32_t torn = -1;
    m->piece[start] = piece;
    stack[depth++] = start;
    while (depth > 0) {
        int32_t t = stack[--depth];
        for (int32_t half = 3 * t; half < 3 * t + 3; half++) {
            int32_t twin = m->twin[half], u = twin / 3;
            if (twin < 0)
                continue;
            bool turned = m->turned[t] != (from_of(m->mesh, half) == from_of(m->mesh, twin));
            if (m->piece[u] < 0) {
                m->piece[u] = piece;
                m->turned[u] = turned;
                stack[depth++] = u;
            } else if (m->turned[u] != turned && torn < 0) {
                torn = half;
            }
        }
    }
    return torn;
}

/* Corners 1 and 2 change places, half-edges 0 and 2 with them. */
static int32_t renamed(const bool *turned, int32_t half)
{
    return turned[half / 3] ? half + 2 - 2 * (half % 3) : half;
}

static void reverse(ts_mesh *mesh, int32_t *twin, const bool *turned)
{
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        twin[i] = twin[i] < 0 ? twin[i] : renamed(turned, twin[i]);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        if (turned[i]) {
            int32_t *c = mesh->triangle[i], corner = c[1], other = twin[3 * i];
            c[1] = c[2];
            c[2] = corner;
            twin[3 * i] = twin[3 * i + 2];
            twin[3 * i + 2] = other;
        }
}

void ts_mesh_turn(ts_mesh_mend *m, const bool *piece)
{
    for (size_t i = 0; i < m->mesh->triangle_count; i++)
        if (piece[m->piece[i]]) {
            int32_t *c = m->mesh->triangle[i], corner = c[1];
            c[1] = c[2];
            c[2] = corner;
            m->turned[i] = !m->turned[i];
        }
}

static ts_status refuse_edges(const ts_mesh_mend *m, const odd_edges *odd, ts_error *error)
{
    ts_place place = {.file = m->name};
    if (odd->crowded.count > 0)
        return ts_fail_at(
            error, TS_BAD_INPUT, place,
            "%zu edge%s of the surface belong%s to more than two triangles: %s; make each body a surface of its own, "
            "without inner walls",
            odd->crowded.count, odd->crowded.count == 1 ? "" : "s", odd->crowded.count == 1 ? "s" : "",
            odd->crowded.text);
    if (odd->open.count > 0)
        return ts_fail_at(
            error, TS_BAD_INPUT, place,
            "the surface is open: %zu edge%s to one triangle only: %s; close its holes, or take its convex hull",
            odd->open.count, odd->open.count == 1 ? " belongs" : "s belong", odd->open.text);
    return TS_OK;
}

static ts_status join(ts_mesh_mend *m, side *list, ts_error *error)
{
    size_t count = m->mesh->triangle_count, torn = 0;
    int32_t *stack = ts_alloc_raw(count, sizeof *stack);
    odd_edges odd = {0};
    ts_mesh_places seam = {0};
    if (!list || !stack) {
        ts_free(stack);
        return ts_fail_memory(error, 3 * count * sizeof *list);
    }
    find_twins(m, list, &odd);
    for (size_t i = 0; i < count; i++)
        m->piece[i] = -1;
    for (int32_t i = 0; i < (int32_t)count; i++)
        if (m->piece[i] < 0) {
            int32_t half = flood(m, i, (int32_t)m->report.pieces++, stack);
            if (half >= 0) {
                torn++;
                note_edge(&seam, m->mesh, half);
            }
        }
    ts_free(stack);
    if (odd.crowded.count == 0 && torn > 0)
        return ts_fail_at(error, TS_BAD_INPUT, (ts_place){.file = m->name},
                          "%zu piece%s of the surface %s one side only, as a Möbius strip does: there is no outside; "
                          "see the edge%s %s",
                          torn, torn == 1 ? "" : "s", torn == 1 ? "has" : "have", torn == 1 ? "" : "s", seam.text);
    TS_TRY(refuse_edges(m, &odd, error));
    reverse(m->mesh, m->twin, m->turned);
    return TS_OK;
}

ts_status ts_mesh_join(ts_mesh_mend *m, ts_error *error)
{
    TS_AUTO_FREE side *list = make_sides(m->mesh);
    return join(m, list, error);
}

/* ---- Triangles without area ---- */

static bool is_flat(const ts_mesh_mend *m, size_t t)
{
    const int32_t *corner = m->mesh->triangle[t];
    ts_vec3 a = m->point[corner[0]], b = m->point[corner[1]], c = m->point[corner[2]];
    ts_vec3 u = ts_vec3_sub(b, a), v = ts_vec3_sub(c, a);
    /* far from it, whatever was rounded */
    if (ts_vec3_length_squared(ts_vec3_cross(u, v)) > 1e-24 * ts_vec3_length_squared(u) * ts_vec3_length_squared(v))
        return false;
    return ts_orientation((ts_vec2){a.x, a.y}, (ts_vec2){b.x, b.y}, (ts_vec2){c.x, c.y}) == 0 &&
           ts_orientation((ts_vec2){a.y, a.z}, (ts_vec2){b.y, b.z}, (ts_vec2){c.y, c.z}) == 0 &&
           ts_orientation((ts_vec2){a.z, a.x}, (ts_vec2){b.z, b.x}, (ts_vec2){c.z, c.x}) == 0;
}

static int32_t longest_edge(const ts_mesh_mend *m, size_t t)
{
    const int32_t *corner = m->mesh->triangle[t];
    int32_t best = 0;
    double length[3];
    for (int k = 0; k < 3; k++)
        length[k] = ts_vec3_distance(m->point[corner[k]], m->point[corner[(k + 1) % 3]]);
    for (int k = 1; k < 3; k++)
        if (length[k] > length[best])
            best = k;
    return 3 * (int32_t)t + best;
}

/* Some triangle around the start of the half-edge has an edge to `vertex`. */
static bool has_edge(const ts_mesh_mend *m, int32_t half, int32_t vertex)
{
    int32_t at = half;
    do {
        if (to_of(m->mesh, at) == vertex || to_of(m->mesh, after(at)) == vertex)
            return true;
        at = m->twin[after(after(at))]; /* the edge that comes in, as seen from the neighbour, goes out */
    } while (at != half);
    return false;
}

static void pair(ts_mesh_mend *m, int32_t half, int32_t twin)
{
    m->twin[half] = twin;
    m->twin[twin] = half;
}

/*      b               b         half = c → a of the flat triangle (c, a, b), whose twin is a → c of (a, c, d);
 *    ╱───╲           ╱ │ ╲
 *   a─────c    ──▶  a  │  c      b lies between a and c, so nothing moves
 *    ╲   ╱           ╲ │ ╱
 *      d               d */
static bool flip(ts_mesh_mend *m, int32_t half)
{
    int32_t other = m->twin[half], t = half / 3, u = other / 3;
    int32_t c = from_of(m->mesh, half), a = to_of(m->mesh, half);
    int32_t b = to_of(m->mesh, after(half)), d = to_of(m->mesh, after(other));
    int32_t ab = m->twin[after(half)], bc = m->twin[after(after(half))];
    int32_t cd = m->twin[after(other)], da = m->twin[after(after(other))];
    if (b == d || has_edge(m, after(after(half)), d))
        return false;
    int32_t first[3] = {a, b, d}, second[3] = {b, c, d};
    for (int k = 0; k < 3; k++) {
        m->mesh->triangle[t][k] = first[k];
        m->mesh->triangle[u][k] = second[k];
    }
    pair(m, 3 * t, ab);
    pair(m, 3 * t + 2, da);
    pair(m, 3 * u, bc);
    pair(m, 3 * u + 1, cd);
    pair(m, 3 * t + 1, 3 * u + 2);
    return true;
}

ts_status ts_mesh_flip_flat(ts_mesh_mend *m, ts_error *error)
{
    enum { ROUNDS_MAX = 16 };
    ts_mesh_places left = {0};
    for (int round = 0; round < ROUNDS_MAX; round++) {
        size_t flips = 0;
        left = (ts_mesh_places){0};
        for (size_t t = 0; t < m->mesh->triangle_count; t++) {
            if (!is_flat(m, t))
                continue;
            int32_t half = longest_edge(m, t);
            note_edge(&left, m->mesh, half);
            flips += flip(m, half);
        }
        m->report.flat += flips;
        if (flips == 0)
            break;
    }
    if (left.count > 0)
        return ts_fail_at(
            error, TS_BAD_INPUT, (ts_place){.file = m->name},
            "%zu triangle%s no area, and cannot be done without: longest edge%s %s; mesh the surface anew", left.count,
            left.count == 1 ? " has" : "s have", left.count == 1 ? "" : "s", left.text);
    return TS_OK;
}
