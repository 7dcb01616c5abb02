/* SPDX-License-Identifier: MIT */
#include "support/surface.h"

#include <math.h>
#include <stdlib.h>

#include "support/check.h"

/* A side of a triangle from low to high vertex or back, and the corner of the triangle where it begins. */
typedef struct side {
    int32_t low, high;
    bool back;
    size_t corner; /* 3 · triangle + place */
} side;

static int by_ends(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->back - b->back;
}

static size_t root(size_t *parent, size_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static size_t *singles(size_t count)
{
    size_t *parent = malloc((count + 1) * sizeof *parent);
    assert_non_null(parent);
    for (size_t i = 0; i < count; i++)
        parent[i] = i;
    return parent;
}

static int sets(size_t *parent, size_t count)
{
    int roots = 0;
    for (size_t i = 0; i < count; i++)
        roots += root(parent, i) == i;
    return roots;
}

static size_t next_corner(size_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* Fans of corners around vertices, and parts, from the pairs of sides. */
static void look_around(ts_test_surface *s, const ts_mesh *mesh, const side *list)
{
    size_t corners = 3 * mesh->triangle_count;
    size_t *fan = singles(corners), *part = singles(mesh->vertex_count);
    for (size_t i = 0; i < corners; i += 2) {
        /* a side begins where its partner ends */
        size_t a = list[i].corner, b = list[i + 1].corner;
        fan[root(fan, a)] = root(fan, next_corner(b));
        fan[root(fan, next_corner(a))] = root(fan, b);
        part[root(part, (size_t)list[i].low)] = root(part, (size_t)list[i].high);
    }
    s->parts = sets(part, mesh->vertex_count);
    /* a vertex without triangles has no fan, one with two surfaces at it two: both cannot hide each other, since a fan
     * is seen by its vertex */
    char *seen = calloc(mesh->vertex_count + 1, 1);
    assert_non_null(seen);
    s->manifold = true;
    for (size_t i = 0; i < corners; i++)
        if (root(fan, i) == i)
            s->manifold = s->manifold && seen[mesh->triangle[i / 3][i % 3]]++ == 0;
    for (size_t v = 0; v < mesh->vertex_count; v++)
        s->manifold = s->manifold && seen[v];
    free(seen);
    free(fan);
    free(part);
}

static void measure(ts_test_surface *s, const ts_mesh *mesh)
{
    s->smallest = HUGE_VAL;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        ts_vec3 a = mesh->vertex[t[0]], b = mesh->vertex[t[1]], c = mesh->vertex[t[2]];
        double area = 0.5 * ts_vec3_length(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
        double longest = fmax(ts_vec3_length(ts_vec3_sub(b, a)),
                              fmax(ts_vec3_length(ts_vec3_sub(c, b)), ts_vec3_length(ts_vec3_sub(a, c))));
        s->volume += ts_vec3_dot(a, ts_vec3_cross(b, c)) / 6;
        s->area += area;
        s->smallest = fmin(s->smallest, area / (longest * longest));
    }
}

ts_test_surface ts_test_surface_of(const ts_mesh *mesh)
{
    ts_test_surface s = {.closed = true};
    size_t corners = 3 * mesh->triangle_count, edges = 0;
    side *list = malloc((corners + 1) * sizeof *list);
    assert_non_null(list);
    for (size_t i = 0; i < corners; i++) {
        const int32_t *t = mesh->triangle[i / 3];
        int32_t from = t[i % 3], to = t[(i + 1) % 3];
        assert_true(from >= 0 && (size_t)from < mesh->vertex_count);
        list[i] = (side){from < to ? from : to, from < to ? to : from, from > to, i};
    }
    qsort(list, corners, sizeof *list, by_ends);
    for (size_t i = 0; i < corners; i++) {
        bool new = i == 0 || list[i].low != list[i - 1].low || list[i].high != list[i - 1].high;
        edges += new;
        s.closed = s.closed && new == (i % 2 == 0) && list[i].back == (i % 2 == 1) && list[i].low < list[i].high;
    }
    s.closed = s.closed && corners % 2 == 0;
    s.euler = (int)mesh->vertex_count - (int)edges + (int)mesh->triangle_count;
    measure(&s, mesh);
    if (s.closed)
        look_around(&s, mesh, list);
    free(list);
    return s;
}

static int by_place(const void *left, const void *right)
{
    const ts_vec3 *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->z > b->z) - (a->z < b->z);
}

bool ts_test_mirrored(const ts_mesh *mesh, int axis)
{
    size_t count = mesh->vertex_count;
    ts_vec3 *image = malloc(2 * (count + 1) * sizeof *image), *own = image + count;
    assert_non_null(image);
    const ts_vec3 mirror = {axis == 0 ? -1 : 1, axis == 1 ? -1 : 1, axis == 2 ? -1 : 1};
    for (size_t i = 0; i < count; i++) {
        own[i] = mesh->vertex[i];
        image[i] = ts_vec3_times(own[i], mirror);
    }
    qsort(own, count, sizeof *own, by_place);
    qsort(image, count, sizeof *image, by_place);
    bool same = true;
    for (size_t i = 0; i < count; i++)
        same = same && by_place(&image[i], &own[i]) == 0;
    free(image);
    return same;
}
