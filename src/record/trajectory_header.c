/* SPDX-License-Identifier: MIT */
/* A trajectory's header, out of untrusted bytes. */
#include <math.h>
#include <string.h>

#include "record/trajectory_format.h"
#include "scene/scene.h"
#include "shape/discs.h"

/* Each of the following returns NULL or false when memory is short or the bytes make no sense (then from->bad is
 * set). */

static bool good(ts_bytes *from, bool sane)
{
    from->bad = from->bad || !sane;
    return !from->bad;
}

static const char *take_text(ts_arena *arena, ts_bytes *from)
{
    uint32_t length = ts_take_u32(from);
    const unsigned char *text = ts_take(from, length);
    if (!text || memchr(text, 0, length)) {
        from->bad = true;
        return NULL;
    }
    return ts_arena_text(arena, (const char *)text, length); /* NULL: out of memory, from->bad stays false */
}

/* Room for `count` things that take at least `disk_bytes` each in the file; NULL with bad set when they cannot all be
 * there, so that no count from the file can ask for more memory than a multiple of the file's size. */
static void *take_array(ts_arena *arena, ts_bytes *from, uint64_t count, size_t disk_bytes, size_t size)
{
    if (count > from->left / disk_bytes) {
        from->bad = true;
        return NULL;
    }
    return ts_arena_alloc(arena, count > 0 ? (size_t)count : 1, size);
}

static const char *const *take_texts(ts_arena *arena, ts_bytes *from, uint64_t count)
{
    const char **text = take_array(arena, from, count, 4, sizeof *text);
    for (size_t i = 0; text && i < count; i++)
        if (!(text[i] = take_text(arena, from)))
            return NULL;
    return text;
}

/* ---- Of the plane ---- */

/* A curve of an outline or a wall. */
static bool take_contour(ts_arena *arena, ts_bytes *from, ts_contour *contour)
{
    uint64_t count = ts_take_u64(from);
    uint32_t open = ts_take_u32(from);
    ts_vertex *vertex = take_array(arena, from, count, TS_VERTEX_BYTES, sizeof *vertex);
    if (!vertex)
        return false;
    if (count == 0 || count > TS_OUTLINE_EDGES_MAX || open > 1)
        from->bad = true;
    for (size_t k = 0; k < count && !from->bad; k++) {
        vertex[k].x = ts_take_f64(from);
        vertex[k].y = ts_take_f64(from);
        vertex[k].bulge = ts_take_f64(from);
        /* the bound keeps products finite */
        if (!(fabs(vertex[k].x) <= TS_MAGNITUDE_MAX && fabs(vertex[k].y) <= TS_MAGNITUDE_MAX &&
              fabs(vertex[k].bulge) <= TS_MAGNITUDE_MAX))
            from->bad = true;
    }
    *contour = (ts_contour){vertex, (size_t)count, open != 0};
    return !from->bad;
}

static bool take_contours(ts_arena *arena, ts_bytes *from, ts_contour **contour, size_t *count)
{
    uint64_t there = ts_take_u64(from), vertices = 0;
    *contour = take_array(arena, from, there, TS_CONTOUR_HEAD_BYTES, sizeof **contour);
    for (size_t i = 0; *contour && i < there; i++) {
        if (!take_contour(arena, from, &(*contour)[i]))
            return false;
        vertices += (*contour)[i].vertex_count;
        if (vertices > TS_OUTLINE_EDGES_MAX)
            from->bad = true;
    }
    *count = (size_t)there;
    return *contour != NULL && !from->bad;
}

/* Whether a call that makes something of numbers from the file went well; a refusal is the file's fault. */
static bool made(ts_status status, ts_bytes *from)
{
    if (status != TS_OK && status != TS_OUT_OF_MEMORY)
        from->bad = true;
    return status == TS_OK;
}

/* Area, inertia and outline; of a file of version 1 the first two follow from the discs. */
static bool take_mass(ts_arena *arena, uint32_t version, ts_bytes *from, ts_trajectory_shape *shape)
{
    if (version == 1) {
        ts_disc_union mass = {0};
        if (shape->disc_count > TS_SHAPE_DISCS_MAX) /* no scene has them, and they cost n² log n */
            from->bad = true;
        if (from->bad || !made(ts_discs_measure(shape->disc, shape->disc_count, &mass, NULL), from))
            return false;
        shape->area = mass.area;
        shape->inertia = mass.inertia;
        return true;
    }
    ts_contour *contour = NULL;
    size_t count = 0;
    shape->area = ts_take_f64(from);
    shape->inertia = ts_take_f64(from);
    if (!(shape->area > 0 && isfinite(shape->area) && shape->inertia > 0 && isfinite(shape->inertia)))
        from->bad = true;
    if (!take_contours(arena, from, &contour, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (contour[i].open || shape->disc_count != 1) /* an outline is closed, and has the circle around it */
            from->bad = true;
    if (count == 0 || from->bad)
        return !from->bad;
    ts_outline *outline = NULL;
    bool good = made(ts_outline_adopt(contour, count, NULL, 0, &outline, NULL), from);
    shape->outline = outline;
    return good;
}

static bool take_shapes(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    ts_trajectory_shape *shape = take_array(arena, from, header->shape_count, 12, sizeof *shape);
    header->shape = shape; /* at once: what it holds must be freed even if the rest fails */
    for (size_t i = 0; shape && i < header->shape_count; i++) {
        if (!(shape[i].name = take_text(arena, from)))
            return false;
        uint64_t count = ts_take_u64(from);
        ts_disc *disc = take_array(arena, from, count, 24, sizeof *disc);
        if (!disc)
            return false;
        if (count == 0)
            from->bad = true;
        for (size_t k = 0; k < count; k++) {
            disc[k].x = ts_take_f64(from);
            disc[k].y = ts_take_f64(from);
            disc[k].radius = ts_take_f64(from);
            if (!isfinite(disc[k].x) || !isfinite(disc[k].y) || !isfinite(disc[k].radius) || disc[k].radius <= 0)
                from->bad = true;
        }
        shape[i].disc = disc;
        shape[i].disc_count = (size_t)count;
        if (from->bad || !take_mass(arena, header->version, from, &shape[i]))
            return false;
    }
    return shape != NULL && !from->bad;
}

/* The lines of a wall, and how far points are from them; a plain wall has none. */
static bool take_lines(ts_arena *arena, ts_bytes *from, ts_trajectory_wall *b, bool plain)
{
    ts_contour *line = NULL;
    size_t edges = 0;
    if (!take_contours(arena, from, &line, &b->line_count))
        return false;
    b->line = line;
    for (size_t i = 0; i < b->line_count; i++)
        edges += ts_contour_segment_count(&line[i]);
    if (plain != (b->line_count == 0) || (!plain && edges == 0))
        from->bad = true;
    if (plain || from->bad)
        return !from->bad;
    ts_segment *segment = ts_arena_alloc(arena, edges, sizeof *segment);
    if (!segment)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < b->line_count; i++)
        for (size_t k = 0; k < ts_contour_segment_count(&line[i]); k++)
            segment[at++] = ts_contour_segment(&line[i], k);
    ts_distance *reach = NULL;
    bool good = made(ts_distance_create(segment, edges, &reach, NULL), from);
    b->reach = reach;
    return good;
}

static bool take_plane_walls(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    ts_trajectory_wall *wall = take_array(arena, from, header->wall_count, 52, sizeof *wall);
    header->wall = wall; /* at once, as shapes */
    for (size_t i = 0; wall && i < header->wall_count; i++) {
        ts_trajectory_wall *w = &wall[i];
        if (!(w->name = take_text(arena, from)))
            return false;
        uint32_t kind = ts_take_u32(from), material = ts_take_u32(from);
        w->pose = ts_pose3_identity();
        w->source = (int32_t)i;
        double *const number[5] = {&w->pose.position.x, &w->pose.position.y, &w->nx, &w->ny, &w->radius};
        bool plain = kind == TS_BOUNDARY_HALF_PLANE || kind == TS_BOUNDARY_CIRCLE;
        bool sane = plain || (header->version > 1 && (kind == TS_BOUNDARY_POLYLINE || kind == TS_BOUNDARY_OUTLINE));
        for (int k = 0; k < 5; k++) {
            *number[k] = ts_take_f64(from);
            sane = sane && isfinite(*number[k]);
        }
        if (!good(from, sane && material < header->material_count))
            return false;
        w->kind = (ts_boundary_kind)kind;
        w->material = (int32_t)material;
        if (header->version > 1 && !take_lines(arena, from, w, plain))
            return false;
    }
    return wall != NULL && !from->bad;
}

/* ---- Of space ---- */

static bool is_length(double value)
{
    return value > 0 && ts_record_is_sane(value);
}

static ts_vec3 take_vec3(ts_bytes *from)
{
    ts_vec3 v;
    v.x = ts_take_f64(from);
    v.y = ts_take_f64(from);
    v.z = ts_take_f64(from);
    return v;
}

static bool vec3_is_sane(ts_vec3 v)
{
    return ts_record_is_sane(v.x) && ts_record_is_sane(v.y) && ts_record_is_sane(v.z);
}

static bool take_pose(ts_bytes *from, ts_pose3 *pose)
{
    ts_record record = {.from = *from, .dimension = 3, .sane = true};
    ts_record_pose(&record, pose);
    *from = record.from;
    return record.sane;
}

/* Hulls and meshes, until pieces refer to them. */
typedef struct parts {
    ts_hull *hull;
    ts_mesh *mesh;
    size_t hull_count, mesh_count;
    ts_piece *piece; /* room for as many as the file can hold */
    size_t piece_count, piece_room;
} parts;

static ts_vec3 *take_points(ts_arena *arena, ts_bytes *from, uint64_t count)
{
    ts_vec3 *point = take_array(arena, from, count, TS_POINT3_BYTES, sizeof *point);
    for (size_t i = 0; point && i < count; i++) {
        point[i] = take_vec3(from);
        if (!good(from, vec3_is_sane(point[i])))
            return NULL;
    }
    return point;
}

/* Indices below `limit`. */
static int32_t *take_indices(ts_arena *arena, ts_bytes *from, uint64_t count, uint64_t limit)
{
    int32_t *index = take_array(arena, from, count, 4, sizeof *index);
    for (size_t i = 0; index && i < count; i++) {
        uint32_t value = ts_take_u32(from);
        if (!good(from, value < limit && value <= INT32_MAX))
            return NULL;
        index[i] = (int32_t)value;
    }
    return index;
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

static bool take_hull(ts_arena *arena, ts_bytes *from, ts_hull *hull)
{
    uint64_t vertices = ts_take_u64(from), faces = ts_take_u64(from), corners = ts_take_u64(from), sum = 0;
    if (!good(from, vertices >= 4 && faces >= 4 && vertices <= INT32_MAX && faces <= INT32_MAX && corners <= INT32_MAX))
        return false;
    hull->vertex_count = (size_t)vertices;
    hull->face_count = (size_t)faces;
    hull->vertex = take_points(arena, from, vertices);
    hull->face_begin = hull->vertex ? take_array(arena, from, faces + 1, 4, sizeof(int32_t)) : NULL;
    if (!hull->face_begin)
        return false;
    for (size_t f = 0; f < faces; f++) {
        uint32_t size = ts_take_u32(from);
        sum += size;
        if (!good(from, size >= 3 && sum <= corners))
            return false;
        hull->face_begin[f + 1] = (int32_t)sum;
    }
    if (!good(from, sum == corners))
        return false;
    hull->corner = take_indices(arena, from, corners, vertices);
    return hull->corner && find_planes(arena, hull);
}

static bool take_mesh(ts_arena *arena, ts_bytes *from, ts_mesh *mesh)
{
    uint64_t vertices = ts_take_u64(from), triangles = ts_take_u64(from);
    if (!good(from, triangles >= 1 && triangles <= TS_MESH_TRIANGLES_MAX && vertices <= INT32_MAX))
        return false;
    mesh->vertex_count = (size_t)vertices;
    mesh->triangle_count = (size_t)triangles;
    mesh->vertex = take_points(arena, from, vertices);
    mesh->triangle = mesh->vertex ? (int32_t(*)[3])take_indices(arena, from, 3 * triangles, vertices) : NULL;
    return mesh->triangle != NULL;
}

static bool take_surfaces(ts_arena *arena, ts_bytes *from, parts *p)
{
    p->hull = take_array(arena, from, p->hull_count, TS_HULL_BYTES, sizeof *p->hull);
    for (size_t i = 0; p->hull && i < p->hull_count; i++)
        if (!take_hull(arena, from, &p->hull[i]))
            return false;
    if (!p->hull)
        return false;
    p->mesh = take_array(arena, from, p->mesh_count, TS_MESH_BYTES, sizeof *p->mesh);
    for (size_t i = 0; p->mesh && i < p->mesh_count; i++)
        if (!take_mesh(arena, from, &p->mesh[i]))
            return false;
    return p->mesh != NULL;
}

/* Whether a solid has the sizes that its kind needs. Only walls are planes or vessels. */
static bool solid_is_sane(const ts_solid *s, bool is_wall)
{
    switch (s->kind) {
    case TS_SOLID_SPHERE:
        return is_length(s->radius);
    case TS_SOLID_PLANE:
        return is_wall;
    case TS_SOLID_BOX:
        return is_length(s->half.x) && is_length(s->half.y) && is_length(s->half.z);
    case TS_SOLID_VESSEL:
        return is_wall && is_length(s->radius) && is_length(s->half_length);
    case TS_SOLID_CAPSULE:
    case TS_SOLID_CYLINDER:
        return is_length(s->radius) && is_length(s->half_length);
    case TS_SOLID_HULL:
        return s->hull != NULL;
    case TS_SOLID_MESH:
        return s->mesh != NULL;
    default:
        return false;
    }
}

static bool take_piece(ts_bytes *from, const parts *p, bool is_wall, ts_piece *piece)
{
    uint32_t kind = ts_take_u32(from), made = ts_take_u32(from);
    ts_solid *solid = &piece->solid;
    if (!good(from, kind < TS_SOLID_KINDS))
        return false;
    solid->kind = (ts_solid_kind)kind;
    solid->radius = ts_take_f64(from);
    solid->half_length = ts_take_f64(from);
    solid->half = take_vec3(from);
    solid->hull = solid->kind == TS_SOLID_HULL && made < p->hull_count ? &p->hull[made] : NULL;
    solid->mesh = solid->kind == TS_SOLID_MESH && made < p->mesh_count ? &p->mesh[made] : NULL;
    return good(from, take_pose(from, &piece->pose) && solid_is_sane(solid, is_wall));
}

/* The pieces of a form or a wall; at least one. */
static bool take_pieces(ts_bytes *from, parts *p, bool is_wall, size_t *begin, size_t *count)
{
    uint64_t there = ts_take_u64(from);
    if (!good(from, there >= 1 && there <= from->left / TS_PIECE3_BYTES && there <= p->piece_room - p->piece_count))
        return false;
    *begin = p->piece_count;
    *count = (size_t)there;
    for (size_t i = 0; i < there; i++)
        if (!take_piece(from, p, is_wall, &p->piece[p->piece_count++]))
            return false;
    return true;
}

static bool take_form(ts_bytes *from, parts *p, size_t shapes, ts_form3 *form)
{
    uint32_t shape = ts_take_u32(from);
    form->scale = ts_take_f64(from);
    form->radius = ts_take_f64(from);
    form->volume = ts_take_f64(from);
    bool sane = shape < shapes && is_length(form->scale) && is_length(form->radius) && is_length(form->volume);
    for (int row = 0; row < 3; row++)
        for (int column = row; column < 3; column++) {
            form->inertia.m[row][column] = form->inertia.m[column][row] = ts_take_f64(from);
            sane = sane && ts_record_is_sane(form->inertia.m[row][column]);
        }
    form->shape = sane ? (int32_t)shape : 0;
    return good(from, sane) && take_pieces(from, p, false, &form->piece_begin, &form->piece_count);
}

static bool take_wall(ts_arena *arena, ts_bytes *from, parts *p, size_t materials, ts_trajectory_wall *wall)
{
    if (!(wall->name = take_text(arena, from)))
        return false;
    uint32_t source = ts_take_u32(from), material = ts_take_u32(from);
    bool sane = take_pose(from, &wall->pose) && source <= INT32_MAX && material < materials;
    wall->source = sane ? (int32_t)source : 0;
    wall->material = sane ? (int32_t)material : 0;
    return good(from, sane) && take_pieces(from, p, true, &wall->piece_begin, &wall->piece_count);
}

static bool take_forms_and_walls(ts_arena *arena, ts_bytes *from, parts *p, ts_trajectory_header *header)
{
    ts_form3 *form = take_array(arena, from, header->form_count, TS_FORM3_BYTES, sizeof *form);
    if (!form || !good(from, header->body_count <= from->left / TS_HEADER_BODY3_BYTES))
        return false;
    /* as many as fit beside the bodies */
    p->piece_room = (from->left - header->body_count * TS_HEADER_BODY3_BYTES) / TS_PIECE3_BYTES;
    p->piece = ts_arena_alloc(arena, p->piece_room + 1, sizeof *p->piece);
    if (!p->piece)
        return false;
    for (size_t i = 0; i < header->form_count; i++)
        if (!take_form(from, p, header->shape_count, &form[i]))
            return false;
    ts_trajectory_wall *wall = take_array(arena, from, header->wall_count, TS_WALL3_BYTES, sizeof *wall);
    for (size_t i = 0; wall && i < header->wall_count; i++)
        if (!take_wall(arena, from, p, header->material_count, &wall[i]))
            return false;
    header->form = form;
    header->wall = wall;
    header->piece = p->piece;
    header->piece_count = p->piece_count;
    return wall != NULL;
}

static bool take_springs(ts_arena *arena, ts_bytes *from, ts_trajectory_header *header)
{
    uint64_t count = ts_take_u64(from);
    ts_spring *spring = take_array(arena, from, count, TS_SPRING3_BYTES, sizeof *spring);
    for (size_t i = 0; spring && i < count; i++) {
        uint32_t kind = ts_take_u32(from), a = ts_take_u32(from), b = ts_take_u32(from);
        ts_spring *s = &spring[i];
        s->anchor_a = take_vec3(from);
        s->anchor_b = take_vec3(from);
        s->stiffness = ts_take_f64(from);
        s->rest = ts_take_f64(from);
        if (!good(from, kind <= TS_SPRING_CUBIC && (a == UINT32_MAX || a < header->body_count) &&
                            b < header->body_count && vec3_is_sane(s->anchor_a) && vec3_is_sane(s->anchor_b) &&
                            is_length(s->stiffness) && s->rest >= 0 && ts_record_is_sane(s->rest)))
            return false;
        spring[i].kind = (ts_spring_kind)kind;
        spring[i].a = a == UINT32_MAX ? -1 : (int32_t)a;
        spring[i].b = (int32_t)b;
    }
    header->spring = spring;
    header->spring_count = spring ? (size_t)count : 0;
    return spring != NULL;
}

/* Names of shapes are all that they have in space: forms have the rest. */
static bool take_names(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    ts_trajectory_shape *shape = take_array(arena, from, header->shape_count, 4, sizeof *shape);
    header->shape = shape;
    for (size_t i = 0; shape && i < header->shape_count; i++)
        if (!(shape[i].name = take_text(arena, from)))
            return false;
    return shape != NULL;
}

/* ---- Of both ---- */

static bool take_bodies(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    bool space = header->dimension == 3;
    ts_trajectory_body *body =
        take_array(arena, from, header->body_count, space ? TS_HEADER_BODY3_BYTES : TS_HEADER_BODY_BYTES, sizeof *body);
    for (size_t i = 0; body && i < header->body_count; i++) {
        uint32_t what = ts_take_u32(from), material = ts_take_u32(from);
        if (!good(from, what < (space ? header->form_count : header->shape_count) && material < header->material_count))
            return false;
        ts_trajectory_body *b = &body[i];
        b->material = (int32_t)material;
        b->form = space ? (int32_t)what : -1;
        b->shape = space ? header->form[what].shape : (int32_t)what;
        b->scale = space ? header->form[what].scale : ts_take_f64(from);
        b->radius = ts_take_f64(from);
        b->mass = ts_take_f64(from);
        b->fixed = ts_take_u32(from) != 0;
        bool sane = isfinite(b->scale) && b->scale > 0 && isfinite(b->radius) && b->radius > 0 && isfinite(b->mass) &&
                    b->mass >= 0;
        if (!good(from, sane && (!space || (is_length(b->radius) && ts_record_is_sane(b->mass)))))
            return false;
    }
    header->body = body;
    return body != NULL && !from->bad;
}

/* Numbers of the run, and counts of what follows. */
static bool take_head(ts_trajectory_header *header, parts *p, ts_bytes *from)
{
    bool space = header->dimension == 3, sane = true;
    uint64_t none = 0, materials, shapes, hulls = 0, meshes = 0, forms = 0, walls, bodies;
    double *const number[16] = {&header->time_step,          &header->duration,           &header->frame_interval,
                                &header->gravity[0],         &header->gravity[1],         &header->gravity[2],
                                &header->camera.position[0], &header->camera.position[1], &header->camera.position[2],
                                &header->camera.target[0],   &header->camera.target[1],   &header->camera.target[2],
                                &header->camera.up[0],       &header->camera.up[1],       &header->camera.up[2],
                                &header->camera.view};
    uint64_t *const count[7] = {
        &materials, &shapes, space ? &hulls : &none, space ? &meshes : &none, space ? &forms : &none, &walls, &bodies};
    header->model_hash = ts_take_u64(from);
    for (int i = 0; i < (space ? 16 : 5); i++) {
        *number[i] = ts_take_f64(from);
        sane = sane && (space && i > 2 ? ts_record_is_sane(*number[i]) : isfinite(*number[i]));
    }
    for (int i = 0; i < 7; i++)
        if (count[i] != &none) {
            *count[i] = ts_take_u64(from);
            /* indices are int32 in memory; bodies are bounded by the size of the file */
            sane = sane && *count[i] <= (i < 6 ? INT32_MAX : SIZE_MAX);
        }
    if (!good(from, sane))
        return false;
    header->material_count = (size_t)materials;
    header->shape_count = (size_t)shapes;
    header->form_count = (size_t)forms;
    header->wall_count = (size_t)walls;
    header->body_count = (size_t)bodies;
    p->hull_count = (size_t)hulls;
    p->mesh_count = (size_t)meshes;
    return true;
}

static bool take_header(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    parts p = {0};
    if (!(header->producer = take_text(arena, from)) || !(header->title = take_text(arena, from)) ||
        !take_head(header, &p, from) || !(header->material_name = take_texts(arena, from, header->material_count)))
        return false;
    if (header->dimension == 3)
        return take_names(arena, header, from) && take_surfaces(arena, from, &p) &&
               take_forms_and_walls(arena, from, &p, header) && take_bodies(arena, header, from) &&
               (!header->has_springs || take_springs(arena, from, header));
    return take_shapes(arena, header, from) && take_plane_walls(arena, header, from) &&
           take_bodies(arena, header, from) && (!header->has_springs || take_springs(arena, from, header));
}

ts_status ts_trajectory_parse_header(ts_bytes from, ts_arena *arena, ts_trajectory_header *header, const char *path,
                                     ts_error *error)
{
    bool read = take_header(arena, header, &from);
    if (!read && !from.bad)
        return ts_fail_memory(error, 0);
    if (!read || from.left > 0)
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
