/* SPDX-License-Identifier: MIT */
#include "shape/mesh_repair.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "shape/mesh_repair_work.h"

/* ---- Words ---- */

/* Appends as much as there is room for; returns the length that the whole would have. */
__attribute__((format(printf, 4, 5))) static size_t append(char *text, size_t capacity, size_t length,
                                                           const char *format, ...)
{
    va_list list;
    va_start(list, format);
    size_t room = length < capacity ? capacity - length : 0;
    int written = vsnprintf(room > 0 ? text + length : NULL, room, format, list);
    va_end(list);
    return written > 0 ? length + (size_t)written : length;
}

enum { PLACES_MAX = 3 };

/* Begins another place; false when there are enough. */
static bool begin_place(ts_mesh_places *places)
{
    size_t before = places->count++;
    if (before > 0 && before <= PLACES_MAX)
        places->length = append(places->text, sizeof places->text, places->length, before < PLACES_MAX ? ", " : ", …");
    return before < PLACES_MAX;
}

void ts_mesh_add_place(ts_mesh_places *places, ts_vec3 p)
{
    if (begin_place(places))
        places->length = append(places->text, sizeof places->text, places->length, "(%.6g, %.6g, %.6g)", p.x, p.y, p.z);
}

void ts_mesh_add_edge(ts_mesh_places *places, ts_vec3 a, ts_vec3 b)
{
    if (begin_place(places))
        places->length = append(places->text, sizeof places->text, places->length,
                                "(%.6g, %.6g, %.6g)–(%.6g, %.6g, %.6g)", a.x, a.y, a.z, b.x, b.y, b.z);
}

/* ---- Numbers ---- */

static ts_status check_indices(const ts_mesh *soup, ts_place place, ts_error *error)
{
    for (size_t i = 0; i < soup->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            int32_t c = soup->triangle[i][k];
            if (c < 0 || (size_t)c >= soup->vertex_count)
                return ts_fail_at(error, TS_BAD_INPUT, place, "triangle %zu refers to vertex %d, but there are %zu",
                                  i + 1, c, soup->vertex_count);
        }
    return TS_OK;
}

/* Of vertices that triangles use. */
static ts_status check_numbers(const ts_mesh *soup, ts_place place, ts_error *error)
{
    if (soup->triangle_count == 0)
        return ts_fail_at(error, TS_BAD_INPUT, place, "the mesh is empty: it has no triangles");
    if (soup->vertex_count > INT32_MAX || soup->triangle_count > TS_MESH_TRIANGLES_MAX)
        return ts_fail_at(error, TS_UNSUPPORTED, place, "a mesh of %zu vertices and %zu triangles is too large",
                          soup->vertex_count, soup->triangle_count);
    TS_TRY(check_indices(soup, place, error));
    for (size_t i = 0; i < soup->vertex_count; i++) {
        ts_vec3 p = soup->vertex[i];
        if (!ts_vec3_is_finite(p))
            return ts_fail_at(error, TS_BAD_INPUT, place, "vertex %zu is (%g, %g, %g); coordinates must be finite",
                              i + 1, p.x, p.y, p.z);
    }
    return TS_OK;
}

/* What triangles use has to be of a size; vertices that none uses may be anywhere. */
static ts_status check_size(ts_mesh_mend *m, ts_error *error)
{
    ts_place place = {.file = m->name};
    const ts_mesh *mesh = m->mesh;
    ts_box3 box = {mesh->vertex[mesh->triangle[0][0]], mesh->vertex[mesh->triangle[0][0]]};
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            box.low = ts_vec3_min(box.low, mesh->vertex[mesh->triangle[i][k]]);
            box.high = ts_vec3_max(box.high, mesh->vertex[mesh->triangle[i][k]]);
        }
    ts_vec3 most = ts_vec3_max(ts_vec3_neg(box.low), box.high);
    double largest = fmax(most.x, fmax(most.y, most.z)), size = ts_vec3_distance(box.low, box.high);
    if (largest > TS_MESH_MOST || (largest > 0 && largest < TS_MESH_LEAST))
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "the largest coordinate is %g, outside of %g … %g; scale the mesh", largest, TS_MESH_LEAST,
                          TS_MESH_MOST);
    if (size == 0)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "all vertices are at one point, (%g, %g, %g); is there a surface?", box.low.x, box.low.y,
                          box.low.z);
    if (!(size >= TS_MESH_AWAY * largest))
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "the mesh, of size %g, lies %g away from the origin: too few digits are left; move it there",
                          size, largest);
    int exponent;
    (void)frexp(largest, &exponent);
    m->scale = ldexp(1, -exponent);
    m->box = box;
    return TS_OK;
}

/* ---- Volumes ---- */

typedef struct solid {
    ts_vec3 origin; /* one of its own vertices: seen from there no digits are lost */
    double volume;  /* signed, in the unit of `point` */
    double size;    /* sum of what the volume is a sum of, without signs */
} solid;

static void add_volumes(const ts_mesh_mend *m, solid *piece)
{
    const ts_mesh *mesh = m->mesh;
    for (size_t i = mesh->triangle_count; i-- > 0;)
        piece[m->piece[i]].origin = m->point[mesh->triangle[i][0]];
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *corner = mesh->triangle[i];
        solid *s = &piece[m->piece[i]];
        ts_vec3 a = ts_vec3_sub(m->point[corner[0]], s->origin);
        ts_vec3 b = ts_vec3_sub(m->point[corner[1]], s->origin);
        ts_vec3 c = ts_vec3_sub(m->point[corner[2]], s->origin);
        double part = ts_vec3_dot(a, ts_vec3_cross(b, c)) / 6;
        s->volume += part;
        s->size += fabs(part);
    }
}

static ts_status check_volumes(const ts_mesh_mend *m, const solid *piece, ts_error *error)
{
    ts_mesh_places flat = {0};
    for (size_t k = 0; k < m->report.pieces; k++)
        if (!(fabs(piece[k].volume) > 1e-13 * piece[k].size)) /* nothing but rounding */
            ts_mesh_add_place(&flat, ts_vec3_scale(piece[k].origin, 1 / m->scale));
    if (flat.count > 0)
        return ts_fail_at(error, TS_BAD_INPUT, (ts_place){.file = m->name},
                          "%zu of %zu pieces enclose%s no volume: at %s; give sheets a thickness", flat.count,
                          m->report.pieces, flat.count == 1 ? "s" : "", flat.text);
    return TS_OK;
}

/* Which pieces have to be turned over, now that it is known which lie inside of others; `inside` becomes that. */
static void decide(ts_mesh_mend *m, const solid *piece, bool *inside)
{
    double sum = 0;
    for (size_t k = 0; k < m->report.pieces; k++) {
        m->report.cavities += inside[k];
        sum += inside[k] ? -fabs(piece[k].volume) : fabs(piece[k].volume);
        inside[k] = inside[k] != (piece[k].volume < 0);
    }
    m->report.volume = sum / m->scale / m->scale / m->scale;
}

static ts_status check_body(ts_mesh_mend *m, ts_error *error)
{
    size_t count = m->report.pieces;
    solid *piece = ts_alloc(count, sizeof *piece);
    bool *inside = ts_alloc(count, sizeof *inside);
    ts_status status = piece && inside ? TS_OK : ts_fail_memory(error, count * sizeof *piece);
    if (status == TS_OK) {
        add_volumes(m, piece);
        status = check_volumes(m, piece, error);
    }
    if (status == TS_OK)
        status = ts_mesh_check_crossings(m, inside, error);
    if (status == TS_OK) {
        decide(m, piece, inside);
        ts_mesh_turn(m, inside);
    }
    ts_free(piece);
    ts_free(inside);
    return status;
}

/* ---- All of it ---- */

static ts_status mend(ts_mesh_mend *m, ts_error *error)
{
    TS_TRY(check_size(m, error));
    TS_TRY(ts_mesh_weld(m, error));
    if (m->mesh->triangle_count == 0)
        return ts_fail_at(error, TS_BAD_INPUT, (ts_place){.file = m->name},
                          "each of the %zu triangles has two corners at one point: nothing is left of the mesh",
                          m->report.triangles_read);
    size_t vertices = m->mesh->vertex_count, triangles = m->mesh->triangle_count;
    TS_TRY(ts_new_raw(&m->point, vertices, error));
    TS_TRY(ts_new_raw(&m->place, vertices, error));
    TS_TRY(ts_new_raw(&m->twin, 3 * triangles, error));
    TS_TRY(ts_new_raw(&m->piece, triangles, error));
    TS_TRY(ts_new(&m->turned, triangles, error));
    for (size_t i = 0; i < vertices; i++)
        m->point[i] = ts_vec3_scale(m->mesh->vertex[i], m->scale);
    TS_TRY(ts_mesh_find_places(m->mesh, m->place, error));
    TS_TRY(ts_mesh_join(m, error));
    TS_TRY(ts_mesh_flip_flat(m, error));
    TS_TRY(check_body(m, error));
    for (size_t i = 0; i < triangles; i++)
        m->report.turned += m->turned[i];
    return TS_OK;
}

ts_status ts_mesh_repair(const ts_mesh *soup, const char *name, ts_mesh_report *report, ts_mesh **mesh, ts_error *error)
{
    ts_mesh_mend m = {.name = name};
    *mesh = NULL;
    m.report.vertices_read = soup->vertex_count;
    m.report.triangles_read = soup->triangle_count;
    TS_TRY(check_numbers(soup, (ts_place){.file = name}, error));
    ts_status status = ts_mesh_copy(soup, &m.mesh, error);
    if (status == TS_OK)
        status = mend(&m, error);
    if (status == TS_OK) /* a copy has no more room than it needs */
        status = ts_mesh_copy(m.mesh, mesh, error);
    if (status == TS_OK && report)
        *report = m.report;
    ts_mesh_free(m.mesh);
    ts_free(m.point);
    ts_free(m.place);
    ts_free(m.twin);
    ts_free(m.piece);
    ts_free(m.turned);
    return status;
}

size_t ts_mesh_report_repairs(const ts_mesh_report *report, char *text, size_t capacity)
{
    const ts_mesh_report *r = report;
    const struct {
        size_t count;
        const char *one, *many;
    } part[] = {
        {r->welded, "vertex welded to another", "vertices welded to others"},
        {r->unused, "unused vertex dropped", "unused vertices dropped"},
        {r->degenerate, "degenerate triangle dropped", "degenerate triangles dropped"},
        {r->duplicate, "repeated triangle dropped", "repeated triangles dropped"},
        {r->flat, "triangle without area flipped away", "triangles without area flipped away"},
        {r->turned, "triangle turned over", "triangles turned over"},
    };
    size_t length = 0;
    if (capacity > 0)
        text[0] = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].count > 0)
            length = append(text, capacity, length, "%s%zu %s", length > 0 ? ", " : "", part[i].count,
                            part[i].count == 1 ? part[i].one : part[i].many);
    return length;
}
