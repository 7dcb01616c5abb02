/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "shape/mesh_repair_work.h"
#include "solve/union_find.h"

/* ---- A table of things by their keys ---- */

typedef struct key {
    int64_t word[3];
} key;
typedef key key_of(const void *context, int32_t thing);

typedef struct table {
    int32_t *slot; /* -1: free */
    size_t mask;
    key_of *key;
    const void *context;
} table;

static ts_status make_table(table *t, size_t count, key_of *of, const void *context, ts_error *error)
{
    size_t size = 16;
    while (size < 2 * count)
        size *= 2;
    *t = (table){.slot = ts_alloc_raw(size, sizeof *t->slot), .mask = size - 1, .key = of, .context = context};
    if (!t->slot)
        return ts_fail_memory(error, size * sizeof *t->slot);
    memset(t->slot, 0xff, size * sizeof *t->slot);
    return TS_OK;
}

/* Where a thing of this key is, or should be put. */
static int32_t *find(const table *t, key wanted)
{
    size_t i = (size_t)ts_hash(&wanted, sizeof wanted, 0) & t->mask;
    while (t->slot[i] >= 0) {
        key here = t->key(t->context, t->slot[i]);
        if (memcmp(&here, &wanted, sizeof here) == 0)
            break;
        i = (i + 1) & t->mask;
    }
    return &t->slot[i];
}

/* ---- Vertices ---- */

typedef struct welder {
    const ts_mesh *mesh;
    ts_box3 box;        /* vertices outside of it are used by nobody */
    double reach, cell; /* vertices within reach are one; edge of a cell */
    int32_t *root;      /* of each vertex: a union-find forest */
    int32_t *next;      /* in the same cell */
} welder;

static key place_key(const void *context, int32_t i)
{
    const ts_mesh *mesh = context;
    double p[3] = {mesh->vertex[i].x + 0.0, mesh->vertex[i].y + 0.0, mesh->vertex[i].z + 0.0}; /* -0 becomes 0 */
    key k;
    memcpy(&k, p, sizeof k);
    return k;
}

static ts_status weld_equal(welder *w, ts_error *error)
{
    table t;
    TS_TRY(make_table(&t, w->mesh->vertex_count, place_key, w->mesh, error));
    for (int32_t i = 0; i < (int32_t)w->mesh->vertex_count; i++) {
        int32_t *slot = find(&t, place_key(w->mesh, i));
        if (*slot < 0)
            *slot = i;
        w->root[i] = *slot;
    }
    ts_free(t.slot);
    return TS_OK;
}

static int64_t cell_at(const welder *w, double x, double low)
{
    return (int64_t)floor((x - low) / w->cell);
}

static key cell_key(const void *context, int32_t i)
{
    const welder *w = context;
    ts_vec3 p = w->mesh->vertex[i];
    return (key){{cell_at(w, p.x, w->box.low.x), cell_at(w, p.y, w->box.low.y), cell_at(w, p.z, w->box.low.z)}};
}

/* Unites vertex i with those of one cell. A cell is so small that a few are the most it has, unless somebody means
 * ill. */
static void weld_with(welder *w, int32_t i, int32_t first)
{
    enum { LOOKS_MAX = 64 };
    int looks = 0;
    for (int32_t k = first; k >= 0 && looks < LOOKS_MAX; k = w->next[k], looks++)
        if (ts_vec3_distance(w->mesh->vertex[i], w->mesh->vertex[k]) <= w->reach)
            ts_unite(w->root, i, k);
}

static bool is_within(ts_vec3 p, ts_box3 box)
{
    return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y && p.z >= box.low.z &&
           p.z <= box.high.z;
}

static ts_status weld_near(welder *w, ts_error *error)
{
    table t;
    TS_TRY(make_table(&t, w->mesh->vertex_count, cell_key, w, error));
    for (int32_t i = 0; i < (int32_t)w->mesh->vertex_count; i++) {
        ts_vec3 p = w->mesh->vertex[i];
        if (w->root[i] != i || !is_within(p, w->box))
            continue; /* the same place as an earlier one */
        double at[3] = {p.x, p.y, p.z}, low[3] = {w->box.low.x, w->box.low.y, w->box.low.z};
        int64_t from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = cell_at(w, at[k] - w->reach, low[k]);
            to[k] = cell_at(w, at[k] + w->reach, low[k]);
        }
        key c;
        for (c.word[0] = from[0]; c.word[0] <= to[0]; c.word[0]++)
            for (c.word[1] = from[1]; c.word[1] <= to[1]; c.word[1]++)
                for (c.word[2] = from[2]; c.word[2] <= to[2]; c.word[2]++)
                    weld_with(w, i, *find(&t, c));
        int32_t *slot = find(&t, cell_key(w, i));
        w->next[i] = *slot;
        *slot = i;
    }
    ts_free(t.slot);
    return TS_OK;
}

/* ---- Triangles ---- */

static key corner_key(const void *context, int32_t i)
{
    const int32_t *c = ((const ts_mesh *)context)->triangle[i];
    int32_t low = c[0] < c[1] ? c[0] : c[1], high = c[0] < c[1] ? c[1] : c[0];
    if (c[2] < low)
        return (key){{c[2], low, high}};
    return c[2] < high ? (key){{low, c[2], high}} : (key){{low, high, c[2]}};
}

/* Moves the triangles that stay to the front. */
static ts_status drop_triangles(ts_mesh_mend *m, ts_error *error)
{
    table t;
    ts_mesh *mesh = m->mesh;
    size_t kept = 0;
    TS_TRY(make_table(&t, mesh->triangle_count, corner_key, mesh, error));
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *c = mesh->triangle[i];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) {
            m->report.degenerate++;
            continue;
        }
        memmove(mesh->triangle[kept], c, sizeof mesh->triangle[kept]);
        int32_t *slot = find(&t, corner_key(mesh, (int32_t)kept));
        if (*slot >= 0)
            m->report.duplicate++;
        else
            *slot = (int32_t)kept++;
    }
    mesh->triangle_count = kept;
    ts_free(t.slot);
    return TS_OK;
}

/* Vertices that triangles use, in the order in which they stand; `number` is room for one of each. */
static void drop_vertices(ts_mesh_mend *m, int32_t *number)
{
    ts_mesh *mesh = m->mesh;
    size_t kept = 0;
    memset(number, 0, mesh->vertex_count * sizeof *number);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            number[mesh->triangle[i][k]] = 1;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        if (number[i]) {
            mesh->vertex[kept] = mesh->vertex[i];
            number[i] = (int32_t)kept++;
        }
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            mesh->triangle[i][k] = number[mesh->triangle[i][k]];
    m->report.unused = mesh->vertex_count - m->report.welded - kept;
    mesh->vertex_count = kept;
}

/* Whether an even number of exchanges sorts the corners. */
static bool is_even(const int32_t c[3])
{
    return ((c[0] > c[1]) + (c[1] > c[2]) + (c[0] > c[2])) % 2 == 0;
}

/* Where the two ends of an edge become one vertex, two triangles beside it may end up on the same three vertices, back to
 * back: a fold without volume. Both go, and the surface is closed as before. `own`: corners before vertices became one. */
static ts_status drop_folds(ts_mesh_mend *m, welder *w, const ts_mesh *own, ts_error *error)
{
    ts_mesh *mesh = m->mesh;
    TS_AUTO_FREE bool *ends = NULL; /* vertices that edges shrank to */
    TS_AUTO_FREE bool *gone = NULL;
    TS_TRY(ts_new(&ends, mesh->vertex_count, error));
    TS_TRY(ts_new(&gone, own->triangle_count, error));
    for (size_t i = 0; i < own->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = own->triangle[i][k], b = own->triangle[i][(k + 1) % 3], c = ts_root_of(w->root, a);
            ends[c] = ends[c] || (a != b && c == ts_root_of(w->root, b));
            mesh->triangle[i][k] = c;
        }
    mesh->triangle_count = own->triangle_count;
    table t;
    TS_TRY(make_table(&t, mesh->triangle_count, corner_key, mesh, error));
    for (int32_t i = 0; i < (int32_t)mesh->triangle_count; i++) {
        const int32_t *c = mesh->triangle[i];
        int32_t *slot = find(&t, corner_key(mesh, i));
        const int32_t twin = *slot;
        const bool at_end = ends[c[0]] || ends[c[1]] || ends[c[2]];
        gone[i] = at_end && twin >= 0 && !gone[twin] && is_even(c) != is_even(mesh->triangle[twin]);
        if (gone[i])
            gone[twin] = true;
        else
            *slot = i;
    }
    ts_free(t.slot);
    size_t kept = 0;
    for (size_t i = 0; i < own->triangle_count; i++)
        if (!gone[i])
            memmove(mesh->triangle[kept++], mesh->triangle[i], sizeof *mesh->triangle);
    mesh->triangle_count = kept;
    m->report.degenerate = 0;
    m->report.duplicate = own->triangle_count - kept;
    return drop_triangles(m, error);
}

/* Puts the first of each set of vertices in the place of all; `own` keeps the corners as they were. */
static ts_status merge(ts_mesh_mend *m, welder *w, const ts_mesh *own, ts_error *error)
{
    ts_mesh *mesh = m->mesh;
    bool closed = true;
    for (int32_t i = 0; i < (int32_t)mesh->vertex_count; i++)
        m->report.welded += ts_root_of(w->root, i) != i;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            mesh->triangle[i][k] = ts_root_of(w->root, mesh->triangle[i][k]);
    TS_TRY(drop_triangles(m, error));
    if (m->report.welded > 0)
        TS_TRY(ts_mesh_is_closed(mesh, &closed, error));
    if (closed)
        return TS_OK;
    TS_TRY(ts_mesh_is_closed(own, &closed, error));
    if (closed && m->report.degenerate > 0)
        return drop_folds(m, w, own, error);
    /* sheets that touch along an edge, and were told apart by their vertices alone: then they stay so */
    if (closed) {
        memcpy(mesh->triangle, own->triangle, own->triangle_count * sizeof *own->triangle);
        mesh->triangle_count = own->triangle_count;
        m->report.welded = m->report.duplicate = 0;
    }
    return TS_OK;
}

static ts_status weld(ts_mesh_mend *m, welder *w, ts_error *error)
{
    TS_AUTO(ts_mesh_free_at) ts_mesh *own = NULL;
    TS_TRY(weld_equal(w, error));
    TS_TRY(weld_near(w, error));
    TS_TRY(ts_mesh_copy(m->mesh, &own, error));
    TS_TRY(merge(m, w, own, error));
    drop_vertices(m, w->next);
    return TS_OK;
}

ts_status ts_mesh_weld(ts_mesh_mend *m, ts_error *error)
{
    ts_mesh *mesh = m->mesh;
    double reach = TS_MESH_WELD * ts_vec3_distance(m->box.low, m->box.high);
    welder w = {.mesh = mesh, .box = m->box, .reach = reach, .cell = 16 * reach};
    w.root = ts_alloc_raw(mesh->vertex_count, sizeof *w.root);
    w.next = ts_alloc_raw(mesh->vertex_count, sizeof *w.next);
    ts_status status = w.root && w.next ? weld(m, &w, error) : ts_fail_memory(error, mesh->vertex_count * 8);
    ts_free(w.root);
    ts_free(w.next);
    return status;
}

ts_status ts_mesh_find_places(const ts_mesh *mesh, int32_t *place, ts_error *error)
{
    return weld_equal(&(welder){.mesh = mesh, .root = place}, error);
}
