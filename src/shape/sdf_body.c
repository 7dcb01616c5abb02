/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "shape/sdf.h"

/* Points that are asked for together. */
enum { BATCH = 64 };

/* Vertices that are asked about together: as many as the widest vectors have lanes. */
enum { ORDER_BLOCK = 8 };

/* Where the sine of the angle between two triangles is less, their common edge is no edge of the surface. */
static const double flat = 1e-6;

/* A side of a triangle, a < b; `back`: the triangle goes from b to a. */
typedef struct side {
    int32_t a, b, triangle;
    bool back;
} side;

static int by_vertices(const void *x, const void *y)
{
    const side *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

/* The corner of a triangle that is on neither end of a side. */
static ts_vec3 opposite(const ts_mesh *mesh, const side *s)
{
    const int32_t *t = mesh->triangle[s->triangle];
    const int32_t sum = t[0] ^ t[1] ^ t[2];
    return mesh->vertex[sum ^ s->a ^ s->b];
}

static ts_vec3 normal_of(const ts_mesh *mesh, int32_t triangle)
{
    const int32_t *t = mesh->triangle[triangle];
    const ts_vec3 a = mesh->vertex[t[0]], b = mesh->vertex[t[1]], c = mesh->vertex[t[2]];
    return ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
}

/* Each edge once, but not those that cut a flat face in two. In a closed mesh every one is a side of two triangles. */
static ts_status find_edges(ts_sdf_body *body, ts_error *error)
{
    const ts_mesh *mesh = body->mesh;
    TS_AUTO_FREE side *list = NULL;
    TS_TRY(ts_new_raw(&list, 3 * mesh->triangle_count, error));
    TS_TRY(ts_new_raw(&body->edge, 3 * mesh->triangle_count / 2 + 1, error));
    TS_TRY(ts_new_raw(&body->bend, 3 * mesh->triangle_count / 2 + 1, error));
    size_t count = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = mesh->triangle[i][k], b = mesh->triangle[i][(k + 1) % 3];
            list[count++] = (side){a < b ? a : b, a < b ? b : a, (int32_t)i, a > b};
        }
    qsort(list, count, sizeof *list, by_vertices);
    for (size_t i = 0; i < count; i += 2) {
        const side *s = &list[i], *t = &list[i + 1];
        const bool more = i + 2 < count && s->a == list[i + 2].a && s->b == list[i + 2].b;
        if (i + 1 == count || s->a != t->a || s->b != t->b || more)
            return ts_fail(error, TS_BAD_INPUT,
                           "the mesh of a smooth body is not closed: the edge from vertex %d to vertex %d has %s; "
                           "repair it",
                           (int)s->a, (int)s->b, more ? "more than two triangles" : "one triangle");
        if (s->back == t->back)
            return ts_fail(error, TS_BAD_INPUT,
                           "the mesh of a smooth body turns over: both triangles of the edge from vertex %d to vertex "
                           "%d go the same way along it; repair it",
                           (int)s->a, (int)s->b);
        const ts_vec3 n = normal_of(mesh, s->triangle), m = normal_of(mesh, t->triangle);
        const double sine = ts_vec3_length(ts_vec3_cross(n, m));
        if (sine <= flat)
            continue;
        const double above = ts_vec3_dot(n, ts_vec3_sub(opposite(mesh, t), mesh->vertex[s->a]));
        body->bend[body->edge_count] = copysign(atan2(sine, ts_vec3_dot(n, m)), -above);
        body->edge[body->edge_count][0] = s->a;
        body->edge[body->edge_count++][1] = s->b;
        const double length = ts_vec3_distance(mesh->vertex[s->a], mesh->vertex[s->b]);
        body->edge_squares += length * length;
        body->longest = fmax(body->longest, length);
    }
    return TS_OK;
}

/* Six times the volume that it encloses, from its first vertex. */
static double volume6(const ts_mesh *mesh)
{
    double sum = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        const ts_vec3 o = mesh->vertex[0];
        sum += ts_vec3_dot(ts_vec3_sub(mesh->vertex[t[0]], o),
                           ts_vec3_cross(ts_vec3_sub(mesh->vertex[t[1]], o), ts_vec3_sub(mesh->vertex[t[2]], o)));
    }
    return sum;
}

static void find_areas(ts_sdf_body *body)
{
    const ts_mesh *mesh = body->mesh;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        const ts_vec3 a = mesh->vertex[t[0]], b = mesh->vertex[t[1]], c = mesh->vertex[t[2]];
        const double area = 0.5 * ts_vec3_length(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
        for (int k = 0; k < 3; k++)
            body->area[t[k]] += area / 3;
        body->surface += area;
    }
}

/* One primitive after the other, each as a body of its own. */
static ts_status find_parts(ts_sdf_body *body, ts_error *error)
{
    const ts_mesh *mesh = body->mesh;
    TS_AUTO_FREE double *least = NULL;
    TS_TRY(ts_new_raw(&least, mesh->vertex_count, error));
    TS_TRY(ts_new(&body->part, mesh->vertex_count, error));
    for (size_t i = 0; i < mesh->vertex_count; i++)
        least[i] = HUGE_VAL;
    for (size_t l = 0; ts_sdf_count(body->sdf) > 1 && l < ts_sdf_count(body->sdf); l++) {
        ts_primitive primitive = *ts_sdf_primitive(body->sdf, l);
        primitive.subtract = false;
        TS_AUTO(ts_sdf_free_at) ts_sdf *one = NULL;
        TS_TRY(ts_sdf_create(&primitive, 1, &one, error));
        const ts_sdf_rule rule = ts_sdf_default_rule(one);
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            const double off = fabs(ts_sdf_at(one, &rule, mesh->vertex[i]));
            if (off < least[i]) {
                least[i] = off;
                body->part[i] = (uint32_t)l;
            }
        }
    }
    return TS_OK;
}

/* ---- Neighbours ---- */

typedef struct place {
    double along; /* the axis that is sorted by [m] */
    int32_t vertex;
} place;

static int by_place(const void *x, const void *y)
{
    const place *p = x, *q = y;
    if (p->along != q->along)
        return p->along < q->along ? -1 : 1;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

/* Halves the list across the longest side of its box, at a multiple of ORDER_BLOCK, until blocks are left. */
static void order_list(const ts_vec3 *vertex, place *list, size_t count)
{
    while (count > ORDER_BLOCK) {
        ts_box3 box = ts_box3_none();
        for (size_t i = 0; i < count; i++)
            box = ts_box3_join(box, (ts_box3){vertex[list[i].vertex], vertex[list[i].vertex]});
        const ts_vec3 span = ts_vec3_sub(box.high, box.low);
        for (size_t i = 0; i < count; i++) {
            const ts_vec3 p = vertex[list[i].vertex];
            list[i].along = span.x >= span.y && span.x >= span.z ? p.x : span.y >= span.z ? p.y : p.z;
        }
        qsort(list, count, sizeof *list, by_place);
        const size_t half = (count / 2 + ORDER_BLOCK - 1) / ORDER_BLOCK * ORDER_BLOCK;
        order_list(vertex, list, half);
        list += half;
        count -= half;
    }
}

static ts_status find_order(ts_sdf_body *body, ts_error *error)
{
    const size_t count = body->mesh->vertex_count;
    TS_AUTO_FREE place *list = NULL;
    TS_TRY(ts_new(&list, count, error));
    TS_TRY(ts_new(&body->order, count, error));
    for (size_t i = 0; i < count; i++)
        list[i].vertex = (int32_t)i;
    order_list(body->mesh->vertex, list, count);
    for (size_t i = 0; i < count; i++)
        body->order[i] = list[i].vertex;
    return TS_OK;
}

/* ---- Where it is round ---- */

/* Whether the normal turns with the way from one vertex to another, all along it: at the corner of a box it turns too, but
 * not in the middle of its faces. */
static bool is_round_between(const ts_sdf_body *body, const ts_sdf_rule *rule, ts_vec3 from, ts_vec3 to)
{
    enum { POINTS = 5 };
    double x[3][POINTS], normal[3][POINTS];
    const ts_vec3 way = ts_vec3_scale(ts_vec3_sub(to, from), 1.0 / (POINTS - 1));
    for (int i = 0; i < POINTS; i++) {
        const ts_vec3 p = ts_vec3_add_scaled(from, way, i);
        x[0][i] = p.x, x[1][i] = p.y, x[2][i] = p.z;
    }
    ts_sdf_ask(body->sdf, rule, &(ts_sdf_points){POINTS, x[0], x[1], x[2]},
               &(ts_sdf_answers){.normal = {normal[0], normal[1], normal[2]}});
    const double least = TS_SDF_ROUNDNESS / ts_sdf_length(body->sdf) * ts_vec3_length_squared(way);
    for (int i = 1; i < POINTS; i++) {
        const ts_vec3 turn = {normal[0][i] - normal[0][i - 1], normal[1][i] - normal[1][i - 1],
                              normal[2][i] - normal[2][i - 1]};
        if (!(ts_vec3_dot(turn, way) > least))
            return false;
    }
    return true;
}

/* A vertex is round that is so on the way to each of its neighbours. */
static ts_status find_round(ts_sdf_body *body, ts_error *error)
{
    const ts_mesh *mesh = body->mesh;
    const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
    TS_TRY(ts_new(&body->round, mesh->vertex_count, error));
    for (size_t i = 0; i < mesh->vertex_count; i++)
        body->round[i] = true;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = mesh->triangle[i][k], b = mesh->triangle[i][(k + 1) % 3];
            if (a < b && !is_round_between(body, &rule, mesh->vertex[a], mesh->vertex[b]))
                body->round[a] = body->round[b] = false;
        }
    return TS_OK;
}

/* ---- How far the mesh is off ---- */

static ts_vec3 probe(const ts_sdf_body *body, size_t i)
{
    const ts_vec3 *vertex = body->mesh->vertex;
    if (i < body->mesh->vertex_count)
        return vertex[i];
    const int32_t *edge = body->edge[i - body->mesh->vertex_count];
    return ts_vec3_lerp(vertex[edge[0]], vertex[edge[1]], 0.5);
}

static void measure_off(ts_sdf_body *body)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
    const size_t count = body->mesh->vertex_count + body->edge_count;
    for (size_t i = 0; i < count; i += BATCH) {
        double x[BATCH], y[BATCH], z[BATCH], value[BATCH], slope[3][BATCH];
        const size_t n = count - i < BATCH ? count - i : BATCH;
        for (size_t k = 0; k < n; k++) {
            const ts_vec3 p = probe(body, i + k);
            x[k] = p.x;
            y[k] = p.y;
            z[k] = p.z;
        }
        ts_sdf_ask(body->sdf, &rule, &(ts_sdf_points){n, x, y, z},
                   &(ts_sdf_answers){.value = value, .gradient = {slope[0], slope[1], slope[2]}});
        for (size_t k = 0; k < n; k++) { /* φ of a flat piece grows faster than the distance */
            const double steep = ts_vec3_length((ts_vec3){slope[0][k], slope[1][k], slope[2][k]}),
                         off = fabs(value[k]) / fmax(1, steep);
            body->off = fmax(body->off, off);
            body->off_mean += off / (double)count;
        }
    }
}

ts_status ts_sdf_body_create(ts_sdf *sdf, ts_mesh *mesh, ts_sdf_body **body, ts_error *error)
{
    if (mesh->vertex_count > TS_SDF_BODY_VERTICES_MAX)
        return ts_fail(error, TS_BAD_INPUT, "the mesh of a smooth body has %zu vertices; keep to %d",
                       mesh->vertex_count, TS_SDF_BODY_VERTICES_MAX);
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->mesh = mesh;
    ts_status status = find_edges(made, error);
    if (status == TS_OK && !(volume6(mesh) > 0))
        status = ts_fail(error, TS_BAD_INPUT,
                         "the mesh of a smooth body encloses no volume, or is inside out; let its triangles go "
                         "counter-clockwise seen from outside");
    if (status == TS_OK)
        status = ts_new(&made->area, mesh->vertex_count, error);
    made->sdf = sdf;
    if (status == TS_OK)
        status = find_parts(made, error);
    if (status == TS_OK)
        status = find_round(made, error);
    if (status == TS_OK)
        status = find_order(made, error);
    if (status != TS_OK) {
        made->mesh = NULL; /* both stay the caller's */
        made->sdf = NULL;
        return status;
    }
    find_areas(made);
    measure_off(made);
    *body = ts_give(&made);
    return TS_OK;
}

void ts_sdf_body_free(ts_sdf_body *body)
{
    if (!body)
        return;
    ts_sdf_free(body->sdf);
    ts_mesh_free(body->mesh);
    ts_free(body->edge);
    ts_free(body->bend);
    ts_free(body->area);
    ts_free(body->part);
    ts_free(body->round);
    ts_free(body->order);
    ts_free(body);
}

size_t ts_sdf_body_bytes(const ts_sdf_body *body)
{
    const ts_mesh *mesh = body->mesh;
    return sizeof *body + ts_sdf_bytes(body->sdf) + sizeof *mesh + mesh->vertex_count * sizeof *mesh->vertex +
           mesh->triangle_count * sizeof *mesh->triangle +
           body->edge_count * (sizeof *body->edge + sizeof *body->bend) +
           mesh->vertex_count * (sizeof *body->area + sizeof *body->part + sizeof *body->order + sizeof *body->round);
}

uint64_t ts_sdf_body_hash(const ts_sdf_body *body)
{
    const double smoothing = ts_sdf_smoothing(body->sdf);
    uint64_t hash = ts_hash(&smoothing, sizeof smoothing, ts_mesh_hash(body->mesh));
    for (size_t i = 0; i < ts_sdf_count(body->sdf); i++) {
        const ts_primitive *p = ts_sdf_primitive(body->sdf, i);
        const ts_vec3 x = p->pose.position, s = p->size;
        const ts_quat q = p->pose.quat;
        const double number[] = {(double)p->kind, p->subtract,    x.x,     x.y, x.z, q.w, q.x, q.y, q.z, s.x, s.y, s.z,
                                 p->exponent[0],  p->exponent[1], p->width};
        hash = ts_hash(number, sizeof number, hash);
        if (p->count > 0) {
            hash = ts_hash(p->point, p->count * sizeof *p->point, hash);
            hash = ts_hash(p->normal, p->count * sizeof *p->normal, hash);
        }
    }
    return hash;
}
