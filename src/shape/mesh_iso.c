/* SPDX-License-Identifier: MIT */
#include "shape/mesh_iso.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Share of an edge that stays free at its ends. */
static const double margin = 0.02;
/* Points that are asked for together. */
enum { ROOT_STEPS = 8, BATCH = 256 };

/* A lattice of count[k] + 1 points along axis k; point (i, j, k) has the number i + stride[1] j + stride[2] k. */
typedef struct lattice {
    ts_iso_batch value;
    void *user;
    ts_vec3 middle;
    double cell;
    int64_t count[3], stride[3];
} lattice;

/* A corner of the surface: on the edge from a lattice point (the lower number) in one of 27 directions. */
typedef struct crossing {
    uint64_t key;   /* 27 · point + direction */
    uint64_t place; /* where it stands among the corners of all faces */
} crossing;

/* Triangles, and quadrilaterals as four corners; what is not used is absent. */
typedef TS_ARRAY(uint64_t) key_array;
typedef struct pieces {
    key_array triangle, quad; /* keys of 3 or 4 corners each, counter-clockwise from outside */
} pieces;

static void pieces_free(pieces *p)
{
    ts_array_free(&p->triangle);
    ts_array_free(&p->quad);
}

static ts_vec3 place_of(const lattice *l, int64_t i, int64_t j, int64_t k)
{
    /* doubled, so that halves are whole numbers: the same on both sides of the middle */
    return (ts_vec3){l->middle.x + 0.5 * l->cell * (double)(2 * i - l->count[0]),
                     l->middle.y + 0.5 * l->cell * (double)(2 * j - l->count[1]),
                     l->middle.z + 0.5 * l->cell * (double)(2 * k - l->count[2])};
}

static ts_vec3 place_of_number(const lattice *l, int64_t number)
{
    return place_of(l, number % l->stride[1], number % l->stride[2] / l->stride[1], number / l->stride[2]);
}

/* The key of the edge between two lattice points that are neighbours along each axis at most. */
static uint64_t key_of(const lattice *l, int64_t a, int64_t b)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    int64_t di = high % l->stride[1] - low % l->stride[1];
    int64_t dj = high % l->stride[2] / l->stride[1] - low % l->stride[2] / l->stride[1];
    int64_t dk = high / l->stride[2] - low / l->stride[2];
    return (uint64_t)(27 * low + (di + 1) + 3 * (dj + 1) + 9 * (dk + 1));
}

static void ends_of(const lattice *l, uint64_t key, int64_t *a, int64_t *b)
{
    int64_t direction = (int64_t)(key % 27);
    *a = (int64_t)(key / 27);
    *b = *a + (direction % 3 - 1) + l->stride[1] * (direction / 3 % 3 - 1) + l->stride[2] * (direction / 9 - 1);
}

static ts_status check_value(const lattice *l, const int64_t at[3], ts_vec3 p, double f, ts_error *error)
{
    bool side = false;
    for (int n = 0; n < 3; n++)
        side |= at[n] == 0 || at[n] == l->count[n];
    if (isnan(f))
        return ts_fail(error, TS_BAD_INPUT, "the function of a surface is no number at (%g, %g, %g)", p.x, p.y, p.z);
    if (side && f < 0)
        return ts_fail(error, TS_BAD_INPUT, "a surface leaves its box at (%g, %g, %g); give a larger box", p.x, p.y,
                       p.z);
    return TS_OK;
}

/* Values on layer k; those on a side of the box must be positive. */
static ts_status fill_layer(const lattice *l, int64_t k, double *value, ts_error *error)
{
    ts_vec3 p[BATCH] = {{0}};
    for (int64_t j = 0; j <= l->count[1]; j++)
        for (int64_t i = 0; i <= l->count[0]; i += BATCH) {
            const int64_t left = l->count[0] + 1 - i, some = left < BATCH ? left : BATCH;
            double *f = value + i + l->stride[1] * j;
            for (int64_t n = 0; n < some; n++)
                p[n] = place_of(l, i + n, j, k);
            l->value(l->user, p, (size_t)some, f);
            for (int64_t n = 0; n < some; n++)
                TS_TRY(check_value(l, (const int64_t[3]){i + n, j, k}, p[n], f[n], error));
        }
    return TS_OK;
}

/* Cuts a tetrahedron with det(v1 − v0, v2 − v0, v3 − v0) > 0. Even permutations bring its corners into one of three
 * orders. */
static ts_status cut(const lattice *l, const int64_t v[4], const double f[4], pieces *out, ts_error *error)
{
    int inside = 0, mask = 0;
    for (int i = 0; i < 4; i++)
        if (f[i] < 0) {
            inside++;
            mask |= 1 << i;
        }
    if (inside == 0 || inside == 4)
        return TS_OK;
    if (inside != 2) { /* one corner alone: it comes first */
        static const int8_t order[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
        int lone = 0, only = inside == 1 ? mask : 15 - mask;
        while (only >> lone != 1)
            lone++;
        const int8_t *o = order[lone];
        for (int i = 1; i <= 3;
             i++) /* seen from the lone corner's other side when it is inside, from its own otherwise */
            TS_TRY(ts_array_push(&out->triangle, key_of(l, v[o[0]], v[o[inside == 1 ? i : 4 - i]]), error));
        return TS_OK;
    }
    static const int8_t pair[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                      {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
    for (int n = 0; n < 6; n++) {
        const int8_t *o = pair[n]; /* the first two inside */
        if (mask != (1 << o[0] | 1 << o[1]))
            continue;
        const int8_t side[4][2] = {{o[0], o[2]}, {o[0], o[3]}, {o[1], o[3]}, {o[1], o[2]}};
        for (int i = 0; i < 4; i++)
            TS_TRY(ts_array_push(&out->quad, key_of(l, v[side[i][0]], v[side[i][1]]), error));
    }
    return TS_OK;
}

/* The five tetrahedra of the cube whose lowest point is (i, j, k); bit n of a corner's number: one step along axis n.
 * In odd cubes everything is mirrored along x, which would turn the tetrahedra inside out but for two corners that
 * change places. */
static ts_status cut_cube(const lattice *l, int64_t i, int64_t j, int64_t k, double *const layer[2], pieces *out,
                          ts_error *error)
{
    static const int8_t tetrahedron[5][4] = {{0, 3, 6, 5}, {1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}};
    int64_t number[8];
    double value[8];
    int below = 0, odd = (int)((i + j + k) & 1);
    for (int c = 0; c < 8; c++) {
        int64_t flat = i + (c & 1) + l->stride[1] * (j + (c >> 1 & 1));
        number[c] = flat + l->stride[2] * (k + (c >> 2));
        value[c] = layer[c >> 2][flat];
        below += value[c] < 0;
    }
    if (below == 0 || below == 8)
        return TS_OK;
    for (int t = 0; t < 5; t++) {
        int64_t v[4];
        double f[4];
        for (int c = 0; c < 4; c++) {
            int from = odd ? tetrahedron[t][c < 2 ? c : 5 - c] ^ 1 : tetrahedron[t][c];
            v[c] = number[from];
            f[c] = value[from];
        }
        TS_TRY(cut(l, v, f, out, error));
    }
    return TS_OK;
}

static ts_status cut_all(const lattice *l, double *const layer[2], pieces *out, ts_error *error)
{
    double *now[2] = {layer[0], layer[1]};
    TS_TRY(fill_layer(l, 0, now[0], error));
    for (int64_t k = 0; k < l->count[2]; k++) {
        TS_TRY(fill_layer(l, k + 1, now[1], error));
        for (int64_t j = 0; j < l->count[1]; j++)
            for (int64_t i = 0; i < l->count[0]; i++)
                TS_TRY(cut_cube(l, i, j, k, now, out, error));
        double *other = now[0];
        now[0] = now[1];
        now[1] = other;
    }
    return TS_OK;
}

/* The search for the root on an edge, from its inner end a to its outer one, so that mirror images are found alike.
 * False position, where an end that stays counts half as much (the Illinois rule). */
typedef struct search {
    ts_vec3 a, b;
    double fa, fb, low, high, t;
    int stayed; /* which end did in the last step: −1 the low one, 1 the high one */
    bool done;
} search;

static void begin_search(search *s, ts_vec3 a, ts_vec3 b, double fa, double fb)
{
    const bool turned = fb < fa;
    *s = (search){.a = turned ? b : a, .b = turned ? a : b, .fa = turned ? fb : fa, .fb = turned ? fa : fb};
    s->high = 1;
    s->t = 0.5;
}

/* The next place along the edge, where the function is to be asked. */
static ts_vec3 next_place(search *s)
{
    const double slope = s->fb - s->fa;
    if (!s->done)
        s->t = slope > 0 && isfinite(slope) ? s->low + (s->high - s->low) * (-s->fa / slope) : 0.5 * (s->low + s->high);
    return ts_vec3_lerp(s->a, s->b, s->t);
}

static void narrow(search *s, double f)
{
    if (f == 0 || isnan(f))
        s->done = true;
    else if (f < 0) {
        s->low = s->t, s->fa = f;
        s->fb *= s->stayed == 1 ? 0.5 : 1;
        s->stayed = 1;
    } else {
        s->high = s->t, s->fb = f;
        s->fa *= s->stayed == -1 ? 0.5 : 1;
        s->stayed = -1;
    }
}

/* The roots on so many edges, BATCH at most. */
static void find_roots(const lattice *l, const uint64_t *key, size_t count, ts_vec3 *root)
{
    search s[BATCH];
    ts_vec3 end[2][BATCH];
    double f[2][BATCH];
    for (size_t i = 0; i < count; i++) {
        int64_t number[2];
        ends_of(l, key[i], &number[0], &number[1]);
        end[0][i] = place_of_number(l, number[0]);
        end[1][i] = place_of_number(l, number[1]);
    }
    for (int e = 0; e < 2; e++)
        l->value(l->user, end[e], count, f[e]);
    for (size_t i = 0; i < count; i++)
        begin_search(&s[i], end[0][i], end[1][i], f[0][i], f[1][i]);
    for (int step = 0; step < ROOT_STEPS; step++) {
        for (size_t i = 0; i < count; i++)
            end[0][i] = next_place(&s[i]);
        l->value(l->user, end[0], count, f[0]);
        for (size_t i = 0; i < count; i++)
            if (!s[i].done)
                narrow(&s[i], f[0][i]);
    }
    for (size_t i = 0; i < count; i++)
        root[i] = ts_vec3_lerp(s[i].a, s[i].b, fmin(fmax(s[i].t, margin), 1 - margin));
}

static int by_key(const void *left, const void *right)
{
    const crossing *a = left, *b = right;
    return a->key != b->key ? (a->key < b->key ? -1 : 1) : (a->place > b->place) - (a->place < b->place);
}

/* Numbers the corners: those with the same key are one vertex. `corner` has room for all, first triangles', then
 * quadrilaterals'. */
static ts_status weld(const pieces *all, uint64_t *vertex_key, int32_t *corner, size_t *vertex_count, ts_error *error)
{
    size_t count = all->triangle.count + all->quad.count;
    crossing *sorted;
    TS_TRY(ts_new_raw(&sorted, count, error));
    for (size_t i = 0; i < count; i++) {
        size_t n = all->triangle.count;
        sorted[i] = (crossing){i < n ? all->triangle.item[i] : all->quad.item[i - n], i};
    }
    qsort(sorted, count, sizeof *sorted, by_key);
    size_t vertices = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || sorted[i].key != sorted[i - 1].key)
            vertex_key[vertices++] = sorted[i].key;
        corner[sorted[i].place] = (int32_t)(vertices - 1);
    }
    *vertex_count = vertices;
    ts_free(sorted);
    return TS_OK;
}

/* Quadrilaterals are cut by their shorter diagonal. */
static void put_triangles(ts_mesh *mesh, const pieces *all, const int32_t *corner)
{
    size_t triangles = all->triangle.count / 3;
    memcpy(mesh->triangle, corner, all->triangle.count * sizeof *corner);
    for (size_t q = 0; q < all->quad.count / 4; q++) {
        const int32_t *c = corner + all->triangle.count + 4 * q;
        const ts_vec3 *v = mesh->vertex;
        double across = ts_vec3_length_squared(ts_vec3_sub(v[c[2]], v[c[0]]));
        double other = ts_vec3_length_squared(ts_vec3_sub(v[c[3]], v[c[1]]));
        int first = across <= other ? 0 : 1;
        for (int half = 0; half < 2; half++, triangles++)
            for (int i = 0; i < 3; i++)
                mesh->triangle[triangles][i] = c[(first + 2 * half + i) % 4];
    }
}

static ts_status to_mesh(const lattice *l, const pieces *all, ts_mesh **mesh, ts_error *error)
{
    size_t corners = all->triangle.count + all->quad.count, triangles = all->triangle.count / 3 + all->quad.count / 2;
    if (corners == 0)
        return ts_fail(
            error, TS_BAD_INPUT,
            "the function of a surface is nowhere negative on a lattice of %g m; give more cells or another box",
            l->cell);
    if (triangles > TS_MESH_TRIANGLES_MAX)
        return ts_fail(error, TS_UNSUPPORTED, "a surface has %zu triangles, which is too many; give fewer cells",
                       triangles);
    TS_AUTO_FREE uint64_t *key = NULL;
    TS_AUTO_FREE int32_t *corner = NULL;
    size_t vertices = 0;
    TS_TRY(ts_new_raw(&key, corners, error));
    TS_TRY(ts_new_raw(&corner, corners, error));
    TS_TRY(weld(all, key, corner, &vertices, error));
    TS_TRY(ts_mesh_create(vertices, triangles, mesh, error));
    for (size_t i = 0; i < vertices; i += BATCH)
        find_roots(l, key + i, vertices - i < BATCH ? vertices - i : BATCH, (*mesh)->vertex + i);
    put_triangles(*mesh, all, corner);
    return TS_OK;
}

ts_status ts_mesh_iso_batch(ts_iso_batch value, void *user, ts_box3 box, int cells, ts_mesh **mesh, ts_error *error)
{
    ts_vec3 side = ts_vec3_sub(box.high, box.low);
    double longest = fmax(side.x, fmax(side.y, side.z)), shortest = fmin(side.x, fmin(side.y, side.z));
    if (cells < 2 || cells > TS_MESH_ISO_CELLS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a surface has %d cells along its box; give 2 to %d", cells,
                       TS_MESH_ISO_CELLS_MAX);
    if (!(shortest > 0) || !isfinite(longest) || !ts_vec3_is_finite(box.low))
        return ts_fail(error, TS_BAD_INPUT, "a surface's box has sides of %g, %g and %g m, but they must be positive",
                       side.x, side.y, side.z);
    lattice l = {.value = value, .user = user, .cell = longest / cells, .middle = ts_vec3_lerp(box.low, box.high, 0.5)};
    const double length[3] = {side.x, side.y, side.z};
    int64_t stride = 1;
    for (int k = 0; k < 3; k++) { /* even, so that the middle is a plane of the lattice */
        l.count[k] = 2 * (int64_t)ceil(0.5 * length[k] / l.cell * (1 - 1e-12));
        l.stride[k] = stride;
        stride *= l.count[k] + 1;
    }
    size_t layer_count = (size_t)l.stride[2];
    TS_AUTO_FREE double *layer = NULL;
    TS_TRY(ts_new_raw(&layer, 2 * layer_count, error));
    TS_AUTO(pieces_free) pieces all = {0};
    TS_TRY(cut_all(&l, (double *const[2]){layer, layer + layer_count}, &all, error));
    return to_mesh(&l, &all, mesh, error);
}

typedef struct single {
    ts_iso_function value;
    void *user;
} single;

static void one_by_one(void *user, const ts_vec3 *point, size_t count, double *value)
{
    const single *s = user;
    for (size_t i = 0; i < count; i++)
        value[i] = s->value(s->user, point[i]);
}

ts_status ts_mesh_iso(ts_iso_function value, void *user, ts_box3 box, int cells, ts_mesh **mesh, ts_error *error)
{
    return ts_mesh_iso_batch(one_by_one, &(single){value, user}, box, cells, mesh, error);
}
