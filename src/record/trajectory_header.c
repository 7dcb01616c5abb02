/* SPDX-License-Identifier: MIT */
/* A trajectory's header: made from a model and written, or read from untrusted bytes. The same lines do both. */
#include <math.h>
#include <string.h>

#include "placed.h"
#include "record/trajectory_format.h"
#include "shape/discs.h"
#include "touchstone/version.h"

/* A header on its way. Each of the functions below returns false when the bytes make no sense or memory is short. What
 * is written is partly the model's own, so a writer stores nothing. */
typedef struct ts_visitor {
    ts_archive a;
    unsigned char *bytes; /* written so far */
    size_t capacity;
    bool starved; /* memory was short */
    ts_arena *arena;
    ts_trajectory_header *header;

    /* what the header points to, to be filled in */
    const char **material_name;
    ts_trajectory_shape *shape;
    ts_trajectory_wall *wall;
    ts_trajectory_body *body;
    ts_form3 *form;
    ts_piece *piece; /* when read: room for as many as the file can hold */
    size_t piece_count, piece_room;
    ts_spring *spring;
    ts_hull **hull; /* pieces refer to them */
    ts_mesh **mesh;
    size_t hull_count, mesh_count;
    size_t next_hull, next_mesh; /* where to look first for the next one that a piece refers to */
} visitor;

/* Of what is written nothing is in doubt. */
static bool good(visitor *v, bool sane)
{
    v->a.from.bad = !v->a.to && (v->a.from.bad || !sane || !v->a.sane);
    return !v->a.from.bad && !v->starved;
}

/* Notes that memory was short. */
static bool kept(visitor *v, const void *block)
{
    v->starved = v->starved || !block;
    return block != NULL;
}

/* Whether a call that makes something of numbers from the file went well; a refusal is the file's fault. */
static bool made(visitor *v, ts_status status)
{
    v->starved = v->starved || status == TS_OUT_OF_MEMORY;
    return good(v, status == TS_OK);
}

/* ---- Parts of it ---- */

static bool visit_text(visitor *v, const char **value)
{
    const char *own = *value ? *value : "";
    uint32_t length = (uint32_t)strnlen(own, UINT32_MAX);
    ts_archive_u32(&v->a, &length);
    for (uint32_t i = 0; v->a.to && i < length; i++)
        ts_put_u8(ts_archive_room(&v->a, 1), (uint8_t)own[i]);
    if (v->a.to)
        return good(v, true);
    const unsigned char *text = ts_take(&v->a.from, length);
    if (!good(v, text && !memchr(text, 0, length)))
        return false;
    *value = ts_arena_text(v->arena, (const char *)text, length);
    return kept(v, *value);
}

static bool visit_count(visitor *v, size_t *count, uint64_t least, uint64_t most)
{
    uint64_t there = *count;
    ts_archive_u64(&v->a, &there);
    if (!v->a.to)
        *count = (size_t)there;
    return good(v, there >= least && there <= most);
}

static bool visit_index(visitor *v, int32_t *index, uint64_t limit)
{
    uint32_t value = (uint32_t)*index;
    ts_archive_u32(&v->a, &value);
    if (!v->a.to)
        *index = (int32_t)value;
    return good(v, value < limit && value <= INT32_MAX);
}

/* Room for `count` things that take at least `disk_bytes` each in the file and must all be there, so that no count from
 * the file can ask for more memory than a multiple of the file's size. What is written is there already. */
static bool make_room(visitor *v, void **item, uint64_t count, size_t disk_bytes, size_t size)
{
    if (v->a.to)
        return true;
    if (!good(v, count <= v->a.from.left / disk_bytes))
        return false;
    *item = ts_arena_alloc(v->arena, count > 0 ? (size_t)count : 1, size);
    return kept(v, *item);
}
#define MAKE_ROOM(v, item, count, disk_bytes) make_room(v, (void **)&(item), count, disk_bytes, sizeof *(item))

static void visit_vec3(visitor *v, ts_vec3 *p)
{
    ts_archive_each(&v->a, (double *const[]){&p->x, &p->y, &p->z}, 3);
}

/* ---- Of the plane ---- */

/* A curve of an outline or a wall. */
static bool visit_contour(visitor *v, ts_contour *contour)
{
    ts_vertex *vertex = (ts_vertex *)contour->vertex;
    uint32_t open = contour->open;
    bool counted = visit_count(v, &contour->vertex_count, 1, TS_OUTLINE_EDGES_MAX);
    ts_archive_u32(&v->a, &open);
    if (!counted || !good(v, open <= 1) || !MAKE_ROOM(v, vertex, contour->vertex_count, TS_VERTEX_BYTES))
        return false;
    for (size_t k = 0; k < contour->vertex_count; k++)
        ts_archive_each(&v->a, (double *const[]){&vertex[k].x, &vertex[k].y, &vertex[k].bulge}, 3);
    if (!v->a.to)
        *contour = (ts_contour){vertex, contour->vertex_count, open != 0};
    return good(v, true);
}

static bool visit_contours(visitor *v, ts_contour **contour, size_t *count)
{
    uint64_t vertices = 0;
    v->a.bounded = true;
    if (!visit_count(v, count, 0, SIZE_MAX) || !MAKE_ROOM(v, *contour, *count, TS_CONTOUR_HEAD_BYTES))
        return false;
    for (size_t i = 0; i < *count; i++) {
        if (!visit_contour(v, &(*contour)[i]))
            return false;
        vertices += (*contour)[i].vertex_count;
    }
    v->a.bounded = false;
    return good(v, vertices <= TS_OUTLINE_EDGES_MAX);
}

/* Files of version 1 have neither area nor inertia: they follow from the discs. */
static bool find_mass(visitor *v, ts_trajectory_shape *shape)
{
    ts_disc_union mass = {0};
    /* no scene has more discs, and they cost n² log n */
    if (!good(v, shape->disc_count <= TS_SHAPE_DISCS_MAX) ||
        !made(v, ts_discs_measure(shape->disc, shape->disc_count, &mass, NULL)))
        return false;
    shape->area = mass.area;
    shape->inertia = mass.inertia;
    return true;
}

static bool visit_outline(visitor *v, ts_trajectory_shape *shape)
{
    size_t count = v->a.to && shape->outline ? ts_outline_contour_count(shape->outline) : 0;
    ts_contour *contour = ts_arena_alloc(v->arena, count + 1, sizeof *contour);
    for (size_t i = 0; contour && i < count; i++)
        contour[i] = ts_outline_get_contour(shape->outline, i);
    if (!kept(v, contour) || !visit_contours(v, &contour, &count))
        return false;
    for (size_t i = 0; i < count; i++) /* an outline is closed, and has the circle around it */
        if (!good(v, !contour[i].open && shape->disc_count == 1))
            return false;
    if (v->a.to || count == 0)
        return true;
    ts_outline *outline = NULL;
    bool adopted = made(v, ts_outline_adopt(contour, count, NULL, 0, &outline, NULL));
    shape->outline = outline;
    return adopted;
}

static bool visit_shape(visitor *v, ts_trajectory_shape *shape)
{
    ts_disc *disc = (ts_disc *)shape->disc;
    if (!visit_text(v, &shape->name) || !visit_count(v, &shape->disc_count, 1, SIZE_MAX) ||
        !MAKE_ROOM(v, disc, shape->disc_count, 24))
        return false;
    shape->disc = disc;
    for (size_t k = 0; k < shape->disc_count; k++) {
        ts_archive_each(&v->a, (double *const[]){&disc[k].x, &disc[k].y, &disc[k].radius}, 3);
        if (!good(v, disc[k].radius > 0))
            return false;
    }
    if (v->header->version == 1)
        return find_mass(v, shape);
    ts_archive_each(&v->a, (double *const[]){&shape->area, &shape->inertia}, 2);
    return good(v, shape->area > 0 && shape->inertia > 0) && visit_outline(v, shape);
}

/* The lines of a wall, and how far points are from them; a plain wall has none. */
static bool visit_lines(visitor *v, ts_trajectory_wall *wall, bool plain)
{
    ts_contour *line = (ts_contour *)wall->line;
    size_t edges = 0, at = 0;
    if (!visit_contours(v, &line, &wall->line_count))
        return false;
    wall->line = line;
    for (size_t i = 0; i < wall->line_count; i++)
        edges += ts_contour_segment_count(&line[i]);
    if (!good(v, plain == (wall->line_count == 0) && (plain || edges > 0)))
        return false;
    if (v->a.to || plain)
        return true;
    ts_segment *segment = ts_arena_alloc(v->arena, edges, sizeof *segment);
    if (!kept(v, segment))
        return false;
    for (size_t i = 0; i < wall->line_count; i++)
        for (size_t k = 0; k < ts_contour_segment_count(&line[i]); k++)
            segment[at++] = ts_contour_segment(&line[i], k);
    ts_distance *reach = NULL;
    bool created = made(v, ts_distance_create(segment, edges, &reach, NULL));
    wall->reach = reach;
    return created;
}

static bool visit_plane_wall(visitor *v, ts_trajectory_wall *w)
{
    uint32_t kind = (uint32_t)w->kind;
    if (!visit_text(v, &w->name))
        return false;
    ts_archive_u32(&v->a, &kind);
    w->kind = (ts_wall_kind)kind;
    bool plain = kind == TS_WALL_FLAT || kind == TS_WALL_CIRCLE;
    bool known = plain || (v->header->version > 1 && (kind == TS_WALL_POLYLINE || kind == TS_WALL_OUTLINE));
    if (!good(v, known) || !visit_index(v, &w->material, v->header->material_count))
        return false;
    if (!v->a.to)
        w->pose = ts_pose3_identity();
    ts_archive_each(&v->a, (double *const[]){&w->pose.position.x, &w->pose.position.y, &w->nx, &w->ny, &w->radius}, 5);
    return good(v, true) && (v->header->version == 1 || visit_lines(v, w, plain));
}

bool ts_header_plane(visitor *v)
{
    if (!MAKE_ROOM(v, v->shape, v->header->shape_count, 12))
        return false;
    v->header->shape = v->shape; /* at once: what it holds must be freed even if the rest fails */
    for (size_t i = 0; i < v->header->shape_count; i++)
        if (!visit_shape(v, &v->shape[i]))
            return false;
    if (!MAKE_ROOM(v, v->wall, v->header->wall_count, 52))
        return false;
    v->header->wall = v->wall;
    for (size_t i = 0; i < v->header->wall_count; i++) {
        v->wall[i].source = (int32_t)i;
        if (!visit_plane_wall(v, &v->wall[i]))
            return false;
    }
    return true;
}

bool ts_header_body_plane(visitor *v, ts_trajectory_body *b)
{
    if (!v->a.to)
        b->form = -1;
    if (!visit_index(v, &b->shape, v->header->shape_count) || !visit_index(v, &b->material, v->header->material_count))
        return false;
    ts_archive_f64(&v->a, &b->scale, 1);
    return true;
}

/* ---- Of space ---- */

static bool is_positive(double value)
{
    return value > 0;
}

static bool visit_points(visitor *v, ts_vec3 **point, size_t count)
{
    if (!MAKE_ROOM(v, *point, count, TS_POINT3_BYTES))
        return false;
    for (size_t i = 0; i < count; i++)
        visit_vec3(v, &(*point)[i]);
    return good(v, true);
}

/* Indices below `limit`. */
static bool visit_indices(visitor *v, int32_t **index, size_t count, size_t limit)
{
    if (!MAKE_ROOM(v, *index, count, 4))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!visit_index(v, &(*index)[i], limit))
            return false;
    return true;
}

/* The unit normal of each face, by its corners (Newell's sum), and how far it lies from the origin. */
static bool find_planes(ts_arena *arena, ts_hull *hull)
{
    hull->normal = ts_arena_alloc(arena, hull->face_count, sizeof *hull->normal);
    hull->offset = ts_arena_alloc(arena, hull->face_count, sizeof *hull->offset);
    if (!hull->normal || !hull->offset)
        return false;
    for (size_t v = 0; v < hull->vertex_count; v++)
        hull->centre = ts_vec3_add_scaled(hull->centre, hull->vertex[v], 1 / (double)hull->vertex_count);
    for (size_t f = 0; f < hull->face_count; f++) {
        int32_t begin = hull->face_begin[f], end = hull->face_begin[f + 1];
        ts_vec3 sum = {0, 0, 0}, origin = hull->vertex[hull->corner[begin]];
        for (int32_t i = begin + 1; i + 1 < end; i++)
            sum = ts_vec3_add(sum, ts_vec3_cross(ts_vec3_sub(hull->vertex[hull->corner[i]], origin),
                                                 ts_vec3_sub(hull->vertex[hull->corner[i + 1]], origin)));
        double length = ts_vec3_length(sum);
        hull->normal[f] = length > 0 && isfinite(length) ? ts_vec3_scale(sum, 1 / length) : (ts_vec3){0, 0, 1};
        hull->offset[f] = ts_vec3_dot(hull->normal[f], origin);
    }
    return true;
}

static bool visit_hull(visitor *v, ts_hull *hull)
{
    size_t corners = v->a.to ? (size_t)hull->face_begin[hull->face_count] : 0;
    uint64_t sum = 0;
    if (!visit_count(v, &hull->vertex_count, 4, INT32_MAX) || !visit_count(v, &hull->face_count, 4, INT32_MAX) ||
        !visit_count(v, &corners, 0, INT32_MAX) || !visit_points(v, &hull->vertex, hull->vertex_count) ||
        !MAKE_ROOM(v, hull->face_begin, hull->face_count + 1, 4))
        return false;
    for (size_t f = 0; f < hull->face_count; f++) {
        uint32_t size = v->a.to ? (uint32_t)(hull->face_begin[f + 1] - hull->face_begin[f]) : 0;
        ts_archive_u32(&v->a, &size);
        sum += size;
        if (!good(v, size >= 3 && sum <= corners))
            return false;
        if (!v->a.to)
            hull->face_begin[f + 1] = (int32_t)sum;
    }
    return good(v, sum == corners) && visit_indices(v, &hull->corner, corners, hull->vertex_count) &&
           (v->a.to || kept(v, find_planes(v->arena, hull) ? hull : NULL));
}

static bool visit_mesh(visitor *v, ts_mesh *mesh)
{
    int32_t *corner = (int32_t *)mesh->triangle;
    if (!visit_count(v, &mesh->vertex_count, 0, INT32_MAX) ||
        !visit_count(v, &mesh->triangle_count, 1, TS_MESH_TRIANGLES_MAX) ||
        !visit_points(v, &mesh->vertex, mesh->vertex_count) ||
        !visit_indices(v, &corner, 3 * mesh->triangle_count, mesh->vertex_count))
        return false;
    if (!v->a.to)
        mesh->triangle = (int32_t(*)[3])corner;
    return true;
}

static bool visit_surfaces(visitor *v)
{
    if (!MAKE_ROOM(v, v->hull, v->hull_count, TS_HULL_BYTES)) // NOLINT(bugprone-sizeof-expression): of pointers
        return false;
    for (size_t i = 0; i < v->hull_count; i++)
        if (!MAKE_ROOM(v, v->hull[i], 1, TS_HULL_BYTES) || !visit_hull(v, v->hull[i]))
            return false;
    if (!MAKE_ROOM(v, v->mesh, v->mesh_count, TS_MESH_BYTES)) // NOLINT(bugprone-sizeof-expression): of pointers
        return false;
    for (size_t i = 0; i < v->mesh_count; i++)
        if (!MAKE_ROOM(v, v->mesh[i], 1, TS_MESH_BYTES) || !visit_mesh(v, v->mesh[i]))
            return false;
    return true;
}

/* Whether a solid has the sizes that its kind needs. Only walls are planes or vessels. */
static bool solid_is_sane(const ts_solid *s, bool is_wall)
{
    switch (s->kind) {
    case TS_SOLID_SPHERE:
        return is_positive(s->radius);
    case TS_SOLID_PLANE:
        return is_wall;
    case TS_SOLID_BOX:
        return is_positive(s->half.x) && is_positive(s->half.y) && is_positive(s->half.z);
    case TS_SOLID_VESSEL:
        return is_wall && is_positive(s->radius) && is_positive(s->half_length);
    case TS_SOLID_CAPSULE:
    case TS_SOLID_CYLINDER:
        return is_positive(s->radius) && is_positive(s->half_length);
    case TS_SOLID_HULL:
        return s->hull != NULL;
    case TS_SOLID_MESH:
        return s->mesh != NULL;
    default:
        return false;
    }
}

/* Where `item` stands in the list. Pieces refer to them in order, so the place after the one last found comes first. */
static uint32_t place_of(const void *item, const void *const *list, size_t count, size_t *next)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = (*next + i) % count;
        if (list[at] == item) {
            *next = at + 1;
            return (uint32_t)at;
        }
    }
    return UINT32_MAX;
}

static bool visit_piece(visitor *v, bool is_wall, ts_piece *piece)
{
    ts_solid *solid = &piece->solid;
    /* of a smooth body its surface is kept */
    uint32_t kind = (uint32_t)(v->a.to && ts_solid_surface(solid) ? TS_SOLID_MESH : solid->kind), part = UINT32_MAX;
    if (v->a.to && kind == TS_SOLID_HULL)
        part = place_of(solid->hull, (const void *const *)v->hull, v->hull_count, &v->next_hull);
    if (v->a.to && kind == TS_SOLID_MESH)
        part = place_of(ts_solid_surface(solid), (const void *const *)v->mesh, v->mesh_count, &v->next_mesh);
    ts_archive_u32(&v->a, &kind);
    ts_archive_u32(&v->a, &part);
    if (!good(v, kind < TS_SOLID_KINDS))
        return false;
    ts_archive_each(&v->a, (double *const[]){&solid->radius, &solid->half_length}, 2);
    visit_vec3(v, &solid->half);
    ts_record_pose(&v->a, &piece->pose);
    if (v->a.to)
        return good(v, true);
    solid->kind = (ts_solid_kind)kind;
    solid->hull = kind == TS_SOLID_HULL && part < v->hull_count ? v->hull[part] : NULL;
    solid->mesh = kind == TS_SOLID_MESH && part < v->mesh_count ? v->mesh[part] : NULL;
    return good(v, solid_is_sane(solid, is_wall));
}

/* The pieces of a form or a wall; at least one. */
static bool visit_pieces(visitor *v, bool is_wall, size_t *begin, size_t *count)
{
    const size_t room = v->a.to ? SIZE_MAX : v->piece_room - v->piece_count, left = v->a.from.left / TS_PIECE3_BYTES;
    if (!visit_count(v, count, 1, room) || !good(v, *count <= left))
        return false;
    if (!v->a.to)
        *begin = v->piece_count;
    v->piece_count += *count;
    for (size_t i = 0; i < *count; i++)
        if (!visit_piece(v, is_wall, &v->piece[*begin + i]))
            return false;
    return true;
}

static bool visit_form(visitor *v, ts_form3 *form)
{
    if (!visit_index(v, &form->shape, v->header->shape_count))
        return false;
    ts_archive_each(&v->a, (double *const[]){&form->scale, &form->radius, &form->volume}, 3);
    for (int row = 0; row < 3; row++) /* xx xy xz yy yz zz */
        for (int column = row; column < 3; column++) {
            ts_archive_f64(&v->a, &form->inertia.m[row][column], 1);
            if (!v->a.to)
                form->inertia.m[column][row] = form->inertia.m[row][column];
        }
    return good(v, form->scale > 0 && form->radius > 0 && form->volume > 0) &&
           visit_pieces(v, false, &form->piece_begin, &form->piece_count);
}

static bool visit_space_wall(visitor *v, ts_trajectory_wall *wall)
{
    if (!visit_text(v, &wall->name) || !visit_index(v, &wall->source, UINT32_MAX) ||
        !visit_index(v, &wall->material, v->header->material_count))
        return false;
    ts_record_pose(&v->a, &wall->pose);
    return good(v, true) && visit_pieces(v, true, &wall->piece_begin, &wall->piece_count);
}

static bool visit_forms_and_walls(visitor *v)
{
    ts_trajectory_header *header = v->header;
    if (!MAKE_ROOM(v, v->form, header->form_count, TS_FORM3_BYTES))
        return false;
    if (!v->a.to) { /* as many pieces as fit beside the bodies */
        if (!good(v, header->body_count <= v->a.from.left / TS_HEADER_BODY3_BYTES))
            return false;
        v->piece_room = (v->a.from.left - header->body_count * TS_HEADER_BODY3_BYTES) / TS_PIECE3_BYTES;
        v->piece = ts_arena_alloc(v->arena, v->piece_room + 1, sizeof *v->piece);
        if (!kept(v, v->piece))
            return false;
    }
    for (size_t i = 0; i < header->form_count; i++)
        if (!visit_form(v, &v->form[i]))
            return false;
    if (!MAKE_ROOM(v, v->wall, header->wall_count, TS_WALL3_BYTES))
        return false;
    for (size_t i = 0; i < header->wall_count; i++)
        if (!visit_space_wall(v, &v->wall[i]))
            return false;
    header->wall = v->wall;
    header->form = v->form;
    header->piece = v->piece;
    header->piece_count = v->piece_count;
    return true;
}

/* Names of shapes are all that they have in space: forms have the rest. */
bool ts_header_space(visitor *v)
{
    if (!MAKE_ROOM(v, v->shape, v->header->shape_count, 4))
        return false;
    v->header->shape = v->shape;
    for (size_t i = 0; i < v->header->shape_count; i++)
        if (!visit_text(v, &v->shape[i].name))
            return false;
    return visit_surfaces(v) && visit_forms_and_walls(v);
}

bool ts_header_body_space(visitor *v, ts_trajectory_body *b)
{
    if (!visit_index(v, &b->form, v->header->form_count) || !visit_index(v, &b->material, v->header->material_count))
        return false;
    if (!v->a.to) {
        b->shape = v->form[b->form].shape;
        b->scale = v->form[b->form].scale;
    }
    return true;
}

/* ---- Of both ---- */

static bool visit_body(visitor *v, ts_trajectory_body *b)
{
    uint32_t fixed = b->fixed;
    if (!v->header->kind->visit_body(v, b))
        return false;
    ts_archive_each(&v->a, (double *const[]){&b->radius, &b->mass}, 2);
    ts_archive_u32(&v->a, &fixed);
    b->fixed = fixed != 0;
    return good(v, b->scale > 0 && b->radius > 0 && b->mass >= 0);
}

static bool visit_bodies(visitor *v)
{
    if (!MAKE_ROOM(v, v->body, v->header->body_count, v->header->kind->header_body))
        return false;
    for (size_t i = 0; i < v->header->body_count; i++)
        if (!visit_body(v, &v->body[i]))
            return false;
    v->header->body = v->body;
    return true;
}

static bool visit_spring(visitor *v, ts_spring *s)
{
    uint32_t kind = (uint32_t)s->kind, a = (uint32_t)s->a; /* -1: the world */
    ts_archive_u32(&v->a, &kind);
    ts_archive_u32(&v->a, &a);
    if (!v->a.to) {
        s->kind = (ts_spring_kind)kind;
        s->a = a == UINT32_MAX ? -1 : (int32_t)a;
    }
    if (!good(v, kind <= TS_SPRING_CUBIC && (a == UINT32_MAX || a < v->header->body_count)) ||
        !visit_index(v, &s->b, v->header->body_count))
        return false;
    visit_vec3(v, &s->anchor_a);
    visit_vec3(v, &s->anchor_b);
    ts_archive_each(&v->a, (double *const[]){&s->stiffness, &s->rest}, 2);
    return good(v, s->stiffness > 0 && s->rest >= 0);
}

static bool visit_springs(visitor *v)
{
    ts_trajectory_header *header = v->header;
    if (!header->has_springs)
        return true;
    v->a.bounded = true;
    if (!visit_count(v, &header->spring_count, 0, SIZE_MAX) ||
        !MAKE_ROOM(v, v->spring, header->spring_count, TS_SPRING3_BYTES))
        return false;
    for (size_t i = 0; i < header->spring_count; i++)
        if (!visit_spring(v, &v->spring[i]))
            return false;
    header->spring = v->spring;
    return true;
}

/* Numbers of the run, and counts of what follows. */
static bool visit_head(visitor *v)
{
    ts_trajectory_header *h = v->header;
    const ts_record_kind *kind = h->kind;
    ts_archive_u64(&v->a, &h->model_hash);
    ts_archive_each(&v->a, (double *const[]){&h->time_step, &h->duration, &h->frame_interval}, 3);
    v->a.bounded = kind->bounded;
    ts_archive_f64(&v->a, h->gravity, kind->axes);
    if (kind->solids) {
        ts_archive_f64(&v->a, h->camera.position, 3);
        ts_archive_f64(&v->a, h->camera.target, 3);
        ts_archive_f64(&v->a, h->camera.up, 3);
        ts_archive_f64(&v->a, &h->camera.view, 1);
    }
    size_t *const count[] = {&h->material_count, &h->shape_count, &v->hull_count, &v->mesh_count,
                             &h->form_count,     &h->wall_count,  &h->body_count};
    for (int i = 0; i < 7; i++) /* indices are int32 in memory; bodies are bounded by the size of the file */
        if ((kind->solids || i < 2 || i > 4) && !visit_count(v, count[i], 0, i < 6 ? INT32_MAX : SIZE_MAX))
            return false;
    return good(v, true);
}

static bool visit_header(visitor *v)
{
    ts_trajectory_header *h = v->header;
    if (!visit_text(v, &h->producer) || !visit_text(v, &h->title) || !visit_head(v) ||
        !MAKE_ROOM(v, v->material_name, h->material_count, 4))
        return false;
    for (size_t i = 0; i < h->material_count; i++)
        if (!visit_text(v, &v->material_name[i]))
            return false;
    h->material_name = v->material_name;
    return h->kind->visit(v) && visit_bodies(v) && visit_springs(v);
}

/* ---- Reading ---- */

ts_status ts_trajectory_parse_header(ts_bytes from, ts_arena *arena, ts_trajectory_header *header, const char *path,
                                     ts_error *error)
{
    visitor v = {.a = {.from = from, .sane = true}, .arena = arena, .header = header};
    bool read = visit_header(&v);
    if (v.starved)
        return ts_fail_memory(error, 0);
    if (!read || v.a.from.left > 0)
        return ts_fail(error, TS_CORRUPT, "%s is damaged: its header makes no sense; record the run again", path);
    return TS_OK;
}

void ts_trajectory_release_header(ts_trajectory_header *header)
{
    /* the header hands them out as constants, but they are the reader's */
    for (size_t i = 0; header->shape && i < header->shape_count; i++)
        ts_outline_free((ts_outline *)header->shape[i].outline);
    for (size_t i = 0; header->wall && i < header->wall_count; i++)
        ts_distance_free((ts_distance *)header->wall[i].reach);
    header->shape = NULL;
    header->wall = NULL;
}

/* ---- Writing ---- */

static void grow(ts_archive *a)
{
    visitor *v = (visitor *)((char *)a - offsetof(visitor, a));
    size_t used = (size_t)(a->to - v->bytes);
    if (ts_array_reserve_bytes((void **)&v->bytes, &v->capacity, 2 * v->capacity, 1, NULL) != TS_OK) {
        v->starved = true;
        used = 0; /* what is there is of no use any more */
    }
    a->to = v->bytes + used;
    a->end = v->bytes + v->capacity;
}

static void describe_walls(visitor *v, const ts_model *model)
{
    for (size_t i = 0; i < v->header->wall_count; i++) {
        const ts_wall *own = &model->wall[i];
        v->wall[i] = (ts_trajectory_wall){.name = own->name,
                                          .source = own->source,
                                          .material = own->material,
                                          .pose = own->pose,
                                          .kind = own->kind,
                                          .nx = own->nx,
                                          .ny = own->ny,
                                          .radius = own->radius,
                                          .line = own->line,
                                          .line_count = own->line_count,
                                          .piece_begin = own->piece_begin,
                                          .piece_count = own->piece_count};
    }
}

static void describe_bodies(visitor *v, const ts_model *model)
{
    for (size_t i = 0; i < model->body_count; i++)
        v->body[i] = (ts_trajectory_body){.scale = model->body_scale ? model->body_scale[i] : 1,
                                          .radius = ts_model_radius(model, i),
                                          .mass = model->mass[i],
                                          .shape = model->body_shape ? model->body_shape[i] : 0,
                                          .form = model->body_form ? model->body_form[i] : -1,
                                          .material = model->body_material[i],
                                          .fixed = !ts_model_moves(model, i)};
}

/* Fills in all that the header says; false when memory is short. */
static bool describe(visitor *v, const ts_model *model, const char *title)
{
    ts_trajectory_header *h = v->header;
    *h = (ts_trajectory_header){.version = TS_TRAJECTORY_VERSION,
                                .kind = ts_record_kind_of(model->dimension),
                                .has_springs = model->spring_count > 0,
                                .has_weights = model->smooth_count > 0,
                                .producer = ts_version(),
                                .title = title,
                                .model_hash = model->hash,
                                .time_step = model->settings.time_step,
                                .duration = model->settings.duration,
                                .frame_interval = model->settings.frame_interval,
                                .gravity = {model->gravity.x, model->gravity.y, model->gravity.z},
                                .camera = model->camera,
                                .material_count = model->material_count,
                                .shape_count = model->shape_count,
                                .wall_count = model->wall_count,
                                .body_count = model->body_count,
                                .form_count = model->form_count,
                                .spring_count = model->spring_count};
    v->form = model->form;
    v->piece = model->piece;
    v->spring = model->spring;
    v->hull = model->hull;
    v->hull_count = model->hull_count;
    v->mesh_count = model->mesh_count + model->smooth_count;
    v->material_name = ts_arena_alloc(v->arena, h->material_count, sizeof *v->material_name);
    v->shape = ts_arena_alloc(v->arena, h->shape_count, sizeof *v->shape);
    v->wall = ts_arena_alloc(v->arena, h->wall_count, sizeof *v->wall);
    v->body = ts_arena_alloc(v->arena, h->body_count, sizeof *v->body);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers
    v->mesh = ts_arena_alloc(v->arena, v->mesh_count, sizeof *v->mesh);
    if (!v->material_name || !v->shape || !v->wall || !v->body || !v->mesh)
        return false;
    for (size_t i = 0; model->material_name && i < h->material_count; i++)
        v->material_name[i] = model->material_name[i];
    for (size_t i = 0; i < h->shape_count; i++) {
        const ts_shape *own = &model->shape[i];
        v->shape[i] =
            (ts_trajectory_shape){own->name, own->disc, own->disc_count, own->outline, own->area, own->inertia};
    }
    for (size_t i = 0; i < v->mesh_count; i++)
        v->mesh[i] = i < model->mesh_count ? model->mesh[i].mesh : model->smooth[i - model->mesh_count]->mesh;
    describe_walls(v, model);
    describe_bodies(v, model);
    return true;
}

ts_status ts_trajectory_write_header(const ts_model *model, const char *title, unsigned char **bytes, size_t *size,
                                     ts_error *error)
{
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    ts_trajectory_header header;
    visitor v = {.a = {.flush = grow}, .capacity = 1 << 16, .arena = &arena, .header = &header};
    v.bytes = ts_alloc_raw(v.capacity, 1);
    v.a.to = v.bytes;
    v.a.end = v.bytes ? v.bytes + v.capacity : NULL;
    if (v.bytes && describe(&v, model, title))
        visit_header(&v);
    else
        v.starved = true;
    if (v.starved) {
        ts_free(v.bytes);
        return ts_fail_memory(error, v.capacity);
    }
    *bytes = v.bytes;
    *size = (size_t)(v.a.to - v.bytes);
    return TS_OK;
}

uint64_t ts_trajectory_header_bytes(const ts_model *model, const char *title)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (ts_trajectory_write_header(model, title, &bytes, &size, NULL) == TS_OK)
        ts_free(bytes);
    return size;
}
