/* SPDX-License-Identifier: MIT */
#include "shape/mesh_edges.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/release.h"

/* What turns by less, tan δ/2, is flat: half a degree. Coordinates in files have six digits. */
static const double flat = 0.005;

/* A side of a triangle. */
typedef struct side {
    int32_t a, b; /* its ends, a < b */
    int32_t triangle;
    int32_t opposite; /* the triangle's third vertex */
} side;

static int compare_sides(const void *x, const void *y)
{
    const side *p = x, *q = y;
    const int32_t u[3] = {p->a, p->b, p->triangle}, v[3] = {q->a, q->b, q->triangle};
    for (int i = 0; i < 3; i++)
        if (u[i] != v[i])
            return u[i] < v[i] ? -1 : 1;
    return 0;
}

static bool same_ends(const side *p, const side *q)
{
    return p->a == q->a && p->b == q->b;
}

/* A vertex and where it is. */
typedef struct place {
    ts_vec3 at;
    int32_t vertex;
} place;

static int compare_places(const void *x, const void *y)
{
    const place *p = x, *q = y;
    const double u[3] = {p->at.x, p->at.y, p->at.z}, v[3] = {q->at.x, q->at.y, q->at.z};
    for (int i = 0; i < 3; i++)
        if (u[i] != v[i])
            return u[i] < v[i] ? -1 : 1;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

/* first[i] is the first vertex that is where vertex i is: meshes may have one for each face that meets there. */
static ts_status find_first(const ts_mesh *mesh, int32_t *first, ts_error *error)
{
    const size_t count = mesh->vertex_count;
    place *places;
    TS_TRY(ts_new_raw(&places, count + 1, error));
    for (size_t i = 0; i < count; i++)
        places[i] = (place){mesh->vertex[i], (int32_t)i};
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0, begin = 0; i < count; i++) {
        const ts_vec3 p = places[begin].at, q = places[i].at;
        if (p.x != q.x || p.y != q.y || p.z != q.z)
            begin = i;
        first[places[i].vertex] = places[begin].vertex;
    }
    ts_free(places);
    return TS_OK;
}

static void collect_sides(const ts_mesh *mesh, const int32_t *first, side *to)
{
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t p = first[mesh->triangle[i][k]], q = first[mesh->triangle[i][(k + 1) % 3]];
            to[3 * i + (size_t)k] = (side){p < q ? p : q, p < q ? q : p, (int32_t)i, mesh->triangle[i][(k + 2) % 3]};
        }
    qsort(to, 3 * mesh->triangle_count, sizeof *to, compare_sides);
}

static ts_vec3 normal_of(const ts_mesh *mesh, int32_t triangle)
{
    const int32_t *t = mesh->triangle[triangle];
    ts_vec3 a = mesh->vertex[t[0]];
    return ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(mesh->vertex[t[1]], a), ts_vec3_sub(mesh->vertex[t[2]], a)));
}

static bool is_zero(ts_vec3 v)
{
    return !(ts_vec3_length_squared(v) > 0);
}

/* tan δ/2 of the edge between two triangles; 0 where it is hollow, or both are without area. Beside one of these, which
 * lies along an edge and says nothing of what is beyond it, an edge counts as sharp as that of a box. */
static double sharpness(const ts_mesh *mesh, const side *p, const side *q)
{
    ts_vec3 m = normal_of(mesh, p->triangle), n = normal_of(mesh, q->triangle);
    if (is_zero(m) || is_zero(n))
        return is_zero(m) && is_zero(n) ? 0 : 1;
    ts_vec3 across = ts_vec3_sub(mesh->vertex[q->opposite], mesh->vertex[q->a]);
    if (!(ts_vec3_dot(across, m) < 0))
        return 0;
    return ts_vec3_length(ts_vec3_cross(m, n)) / fmax(1 + ts_vec3_dot(m, n), 1e-6);
}

/* Of sides in order, into room for half as many. */
static void keep_edges(const ts_mesh *mesh, const side *sides, ts_mesh_edges *to)
{
    const size_t count = 3 * mesh->triangle_count;
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && same_ends(&sides[i], &sides[next]); next++)
            ;
        const bool point = sides[i].a == sides[i].b; /* of a triangle with two corners in one place */
        const double sharp = next - i == 2 && !point ? sharpness(mesh, &sides[i], &sides[i + 1]) : 0;
        if (!(sharp > flat))
            continue;
        const ts_mesh_edge edge = {sides[i].a, sides[i].b};
        to->edge[to->count++] = edge;
        to->sharp = fmax(to->sharp, sharp);
        to->longest = fmax(to->longest, ts_vec3_distance(mesh->vertex[edge.a], mesh->vertex[edge.b]));
    }
}

/* ---- Faces ---- */

/* Whether the surface goes on flat from one side's triangle to the other's. */
static bool is_flat(const ts_mesh_face *p, const ts_mesh_face *q)
{
    return !is_zero(p->normal) && !is_zero(q->normal) &&
           ts_vec3_length(ts_vec3_cross(p->normal, q->normal)) <= flat * (1 + ts_vec3_dot(p->normal, q->normal));
}

static void mark_side(ts_mesh_face *face, const side *s, bool flat_there)
{
    for (unsigned k = 0; k < 3; k++) {
        const int32_t p = face->corner[k], q = face->corner[(k + 1) % 3];
        if ((p == s->a && q == s->b) || (p == s->b && q == s->a))
            *(flat_there ? &face->inner : &face->hollow) |= (uint8_t)(1U << k);
    }
}

/* Of sides in order, into room for all triangles. */
static void make_faces(const ts_mesh *mesh, const int32_t *first, const side *sides, ts_mesh_edges *to)
{
    to->face_count = mesh->triangle_count;
    for (size_t i = 0; i < to->face_count; i++) {
        ts_mesh_face *face = &to->face[i];
        *face = (ts_mesh_face){.normal = normal_of(mesh, (int32_t)i)};
        for (int k = 0; k < 3; k++) {
            const int32_t p = mesh->triangle[i][k], q = mesh->triangle[i][(k + 1) % 3];
            face->corner[k] = first[p];
            face->longest = fmax(face->longest, ts_vec3_distance(mesh->vertex[p], mesh->vertex[q]));
        }
    }
    const size_t count = 3 * mesh->triangle_count;
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && same_ends(&sides[i], &sides[next]); next++)
            ;
        ts_mesh_face *p = &to->face[sides[i].triangle], *q = &to->face[sides[next - 1].triangle];
        const bool flat_there = next - i == 2 && is_flat(p, q);
        if (flat_there || (next - i == 2 && !(sharpness(mesh, &sides[i], &sides[i + 1]) > 0))) {
            mark_side(p, &sides[i], flat_there);
            mark_side(q, &sides[i], flat_there);
        }
    }
}

/* ---- Clusters ---- */

/* The points that clusters are of: middles of edges, or centroids of faces. */
static ts_status cluster_points(ts_vec3 *point, size_t count, ts_mesh_clusters **clusters, ts_error *error)
{
    const ts_mesh points = {.vertex = point, .vertex_count = count};
    return count > 0 ? ts_mesh_clusters_create(&points, clusters, error) : TS_OK;
}

static ts_status cluster_all(const ts_mesh *mesh, ts_mesh_edges *edges, ts_error *error)
{
    TS_AUTO_FREE ts_vec3 *middle = NULL, *centroid = NULL;
    TS_TRY(ts_new_raw(&middle, edges->count + 1, error));
    TS_TRY(ts_new_raw(&centroid, edges->face_count + 1, error));
    for (size_t i = 0; i < edges->count; i++)
        middle[i] = ts_vec3_lerp(mesh->vertex[edges->edge[i].a], mesh->vertex[edges->edge[i].b], 0.5);
    for (size_t i = 0; i < edges->face_count; i++) {
        const int32_t *c = edges->face[i].corner;
        centroid[i] = ts_vec3_scale(
            ts_vec3_add(ts_vec3_add(mesh->vertex[c[0]], mesh->vertex[c[1]]), mesh->vertex[c[2]]), 1.0 / 3);
    }
    TS_TRY(cluster_points(middle, edges->count, &edges->clusters, error));
    return cluster_points(centroid, edges->face_count, &edges->face_clusters, error);
}

static ts_status measure_clusters(const ts_mesh *mesh, ts_mesh_edges *edges, ts_error *error)
{
    const ts_mesh_clusters *c = edges->clusters, *f = edges->face_clusters;
    if (c)
        TS_TRY(ts_new(&edges->half, c->node_count, error));
    for (size_t i = 0; c && i < c->node_count; i++)
        for (uint32_t k = c->node[i].begin; k < c->node[i].end; k++) {
            const ts_mesh_edge e = edges->edge[c->vertex[k]];
            edges->half[i] = fmax(edges->half[i], 0.5 * ts_vec3_distance(mesh->vertex[e.a], mesh->vertex[e.b]));
        }
    if (f)
        TS_TRY(ts_new(&edges->face_longest, f->node_count, error));
    for (size_t i = 0; f && i < f->node_count; i++)
        for (uint32_t k = f->node[i].begin; k < f->node[i].end; k++)
            edges->face_longest[i] = fmax(edges->face_longest[i], edges->face[f->vertex[k]].longest);
    return TS_OK;
}

ts_status ts_mesh_edges_create(const ts_mesh *mesh, ts_mesh_edges **edges, ts_error *error)
{
    *edges = NULL;
    const size_t count = 3 * mesh->triangle_count;
    ts_mesh_edges *made = ts_alloc(1, sizeof *made);
    int32_t *first = ts_alloc_raw(mesh->vertex_count + 1, sizeof *first);
    side *sides = ts_alloc_raw(count + 1, sizeof *sides);
    if (made) {
        made->edge = ts_alloc_raw(count / 2 + 1, sizeof *made->edge);
        made->face = ts_alloc_raw(mesh->triangle_count + 1, sizeof *made->face);
    }
    ts_status status = made && made->edge && made->face && sides && first
                           ? find_first(mesh, first, error)
                           : ts_fail_memory(error, count * sizeof *sides);
    if (status == TS_OK) {
        collect_sides(mesh, first, sides);
        keep_edges(mesh, sides, made);
        make_faces(mesh, first, sides, made);
        status = cluster_all(mesh, made, error);
        if (status == TS_OK)
            status = measure_clusters(mesh, made, error);
    }
    ts_free(first);
    ts_free(sides);
    if (status != TS_OK)
        ts_mesh_edges_free(made);
    else
        *edges = made;
    return status;
}

void ts_mesh_edges_free(ts_mesh_edges *edges)
{
    if (!edges)
        return;
    ts_mesh_clusters_free(edges->clusters);
    ts_mesh_clusters_free(edges->face_clusters);
    ts_free(edges->face_longest);
    ts_free(edges->face);
    ts_free(edges->half);
    ts_free(edges->edge);
    ts_free(edges);
}

/* With a number for each node. */
static size_t cluster_bytes(const ts_mesh_clusters *c)
{
    return c ? c->vertex_count * sizeof *c->vertex + c->node_count * (sizeof *c->node + sizeof(double)) : 0;
}

size_t ts_mesh_edges_bytes(const ts_mesh_edges *edges)
{
    return edges->count * sizeof *edges->edge + edges->face_count * sizeof *edges->face +
           cluster_bytes(edges->clusters) + cluster_bytes(edges->face_clusters);
}
