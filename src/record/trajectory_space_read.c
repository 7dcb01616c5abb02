/* SPDX-License-Identifier: MIT */
/* What a trajectory of bodies in space holds, out of untrusted bytes. */
#include <math.h>
#include <string.h>

#include "record/trajectory_format.h"
#include "scene/scene.h"

/* An attitude's length may be off by rounding, not by more. */
static const double unit_tolerance = 1e-6;

/* ---- Numbers ---- */

static bool is_sane(double value)
{
    return fabs(value) <= TS_MAGNITUDE_MAX; /* keeps products finite; false for NaN */
}

static bool is_length(double value)
{
    return value > 0 && is_sane(value);
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
    return is_sane(v.x) && is_sane(v.y) && is_sane(v.z);
}

/* A pose with a quaternion of unit length: whatever rounding it has is left as it is. */
static bool take_pose(ts_bytes *from, ts_pose3 *pose)
{
    pose->position = take_vec3(from);
    pose->quat.w = ts_take_f64(from);
    pose->quat.x = ts_take_f64(from);
    pose->quat.y = ts_take_f64(from);
    pose->quat.z = ts_take_f64(from);
    return vec3_is_sane(pose->position) && fabs(ts_quat_dot(pose->quat, pose->quat) - 1) <= 2 * unit_tolerance;
}

/* ---- Header ---- */

/* Hulls and meshes, until pieces refer to them. */
typedef struct parts {
    ts_hull *hull;
    ts_mesh *mesh;
    size_t hull_count, mesh_count, shape_count, form_count, wall_count;
    ts_piece *piece; /* room for as many as the file can hold */
    size_t piece_count, piece_room;
} parts;

/* Each of the following returns false when memory is short or the bytes make no sense (then from->bad is set). */

static bool good(ts_bytes *from, bool sane)
{
    from->bad = from->bad || !sane;
    return !from->bad;
}

static ts_vec3 *take_points(ts_arena *arena, ts_bytes *from, uint64_t count)
{
    ts_vec3 *point = ts_trajectory_take_array(arena, from, count, TS_POINT3_BYTES, sizeof *point);
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
    int32_t *index = ts_trajectory_take_array(arena, from, count, 4, sizeof *index);
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
    hull->face_begin = hull->vertex ? ts_trajectory_take_array(arena, from, faces + 1, 4, sizeof(int32_t)) : NULL;
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
    p->hull = ts_trajectory_take_array(arena, from, p->hull_count, TS_HULL_BYTES, sizeof *p->hull);
    for (size_t i = 0; p->hull && i < p->hull_count; i++)
        if (!take_hull(arena, from, &p->hull[i]))
            return false;
    if (!p->hull)
        return false;
    p->mesh = ts_trajectory_take_array(arena, from, p->mesh_count, TS_MESH_BYTES, sizeof *p->mesh);
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

static bool take_form(ts_bytes *from, parts *p, ts_form3 *form)
{
    uint32_t shape = ts_take_u32(from);
    form->scale = ts_take_f64(from);
    form->radius = ts_take_f64(from);
    form->volume = ts_take_f64(from);
    bool sane = shape < p->shape_count && is_length(form->scale) && is_length(form->radius) && is_length(form->volume);
    for (int row = 0; row < 3; row++)
        for (int column = row; column < 3; column++) {
            form->inertia.m[row][column] = form->inertia.m[column][row] = ts_take_f64(from);
            sane = sane && is_sane(form->inertia.m[row][column]);
        }
    form->shape = sane ? (int32_t)shape : 0;
    return good(from, sane) && take_pieces(from, p, false, &form->piece_begin, &form->piece_count);
}

static bool take_wall(ts_arena *arena, ts_bytes *from, parts *p, size_t materials, ts_trajectory_wall3 *wall)
{
    if (!(wall->name = ts_trajectory_take_text(arena, from)))
        return false;
    uint32_t source = ts_take_u32(from), material = ts_take_u32(from);
    bool sane = take_pose(from, &wall->pose) && source <= INT32_MAX && material < materials;
    wall->source = sane ? (int32_t)source : 0;
    wall->material = sane ? (int32_t)material : 0;
    return good(from, sane) && take_pieces(from, p, true, &wall->piece_begin, &wall->piece_count);
}

static bool take_forms_and_walls(ts_arena *arena, ts_bytes *from, parts *p, size_t materials,
                                 ts_trajectory_space *space)
{
    ts_form3 *form = ts_trajectory_take_array(arena, from, p->form_count, TS_FORM3_BYTES, sizeof *form);
    if (!form)
        return false;
    if (!good(from, space->body_count <= from->left / TS_HEADER_BODY3_BYTES))
        return false;
    /* as many as fit beside the bodies */
    p->piece_room = (from->left - space->body_count * TS_HEADER_BODY3_BYTES) / TS_PIECE3_BYTES;
    p->piece = ts_arena_alloc(arena, p->piece_room + 1, sizeof *p->piece);
    if (!p->piece)
        return false;
    for (size_t i = 0; i < p->form_count; i++)
        if (!take_form(from, p, &form[i]))
            return false;
    ts_trajectory_wall3 *wall = ts_trajectory_take_array(arena, from, p->wall_count, TS_WALL3_BYTES, sizeof *wall);
    for (size_t i = 0; wall && i < p->wall_count; i++)
        if (!take_wall(arena, from, p, materials, &wall[i]))
            return false;
    space->form = form;
    space->form_count = p->form_count;
    space->wall = wall;
    space->wall_count = p->wall_count;
    space->piece = p->piece;
    space->piece_count = p->piece_count;
    return wall != NULL;
}

static bool take_bodies(ts_arena *arena, ts_bytes *from, size_t materials, ts_trajectory_space *space)
{
    ts_trajectory_body3 *body =
        ts_trajectory_take_array(arena, from, space->body_count, TS_HEADER_BODY3_BYTES, sizeof *body);
    for (size_t i = 0; body && i < space->body_count; i++) {
        uint32_t form = ts_take_u32(from), material = ts_take_u32(from);
        double radius = ts_take_f64(from), mass = ts_take_f64(from);
        bool fixed = ts_take_u32(from) != 0;
        if (!good(from,
                  form < space->form_count && material < materials && is_length(radius) && mass >= 0 && is_sane(mass)))
            return false;
        body[i] = (ts_trajectory_body3){radius, mass, (int32_t)form, (int32_t)material, fixed};
    }
    space->body = body;
    return body != NULL;
}

static bool take_springs(ts_arena *arena, ts_bytes *from, ts_trajectory_space *space)
{
    uint64_t count = ts_take_u64(from);
    ts_spring *spring = ts_trajectory_take_array(arena, from, count, TS_SPRING3_BYTES, sizeof *spring);
    for (size_t i = 0; spring && i < count; i++) {
        uint32_t kind = ts_take_u32(from), a = ts_take_u32(from), b = ts_take_u32(from);
        ts_spring *s = &spring[i];
        s->anchor_a = take_vec3(from);
        s->anchor_b = take_vec3(from);
        s->stiffness = ts_take_f64(from);
        s->rest = ts_take_f64(from);
        if (!good(from, kind <= TS_SPRING_CUBIC && (a == UINT32_MAX || a < space->body_count) &&
                            b < space->body_count && vec3_is_sane(s->anchor_a) && vec3_is_sane(s->anchor_b) &&
                            is_length(s->stiffness) && s->rest >= 0 && is_sane(s->rest)))
            return false;
        s->kind = (ts_spring_kind)kind;
        s->a = a == UINT32_MAX ? -1 : (int32_t)a;
        s->b = (int32_t)b;
    }
    space->spring = spring;
    space->spring_count = spring ? (size_t)count : 0;
    return spring != NULL;
}

static bool take_head(ts_trajectory_header *header, ts_trajectory_space *space, parts *p, ts_bytes *from)
{
    uint64_t count[7];
    double view[13];
    header->model_hash = ts_take_u64(from);
    header->time_step = ts_take_f64(from);
    header->duration = ts_take_f64(from);
    header->frame_interval = ts_take_f64(from);
    bool sane = isfinite(header->time_step) && isfinite(header->duration) && isfinite(header->frame_interval);
    for (int i = 0; i < 13; i++) {
        view[i] = ts_take_f64(from);
        sane = sane && is_sane(view[i]);
    }
    memcpy(space->gravity, view, sizeof space->gravity);
    memcpy(space->camera.position, view + 3, sizeof space->camera.position);
    memcpy(space->camera.target, view + 6, sizeof space->camera.target);
    memcpy(space->camera.up, view + 9, sizeof space->camera.up);
    space->camera.view = view[12];
    for (int i = 0; i < 7; i++) {
        count[i] = ts_take_u64(from);
        sane = sane && count[i] <= (i < 6 ? INT32_MAX : SIZE_MAX); /* indices are int32 in memory */
    }
    if (!good(from, sane))
        return false;
    header->material_count = (size_t)count[0];
    p->shape_count = space->shape_count = (size_t)count[1];
    p->hull_count = (size_t)count[2];
    p->mesh_count = (size_t)count[3];
    p->form_count = (size_t)count[4];
    p->wall_count = (size_t)count[5];
    space->body_count = (size_t)count[6];
    return true;
}

bool ts_trajectory_take_space(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    parts p = {0};
    ts_trajectory_space *space = ts_arena_alloc(arena, 1, sizeof *space);
    header->space = space;
    return space && take_head(header, space, &p, from) &&
           (header->material_name = ts_trajectory_take_texts(arena, from, header->material_count)) &&
           (space->shape_name = ts_trajectory_take_texts(arena, from, space->shape_count)) &&
           take_surfaces(arena, from, &p) && take_forms_and_walls(arena, from, &p, header->material_count, space) &&
           take_bodies(arena, from, header->material_count, space) &&
           (!header->has_springs || take_springs(arena, from, space));
}

/* ---- Frames ---- */

bool ts_trajectory_take_wall3(ts_bytes *from, ts_frame_wall3 *wall)
{
    bool sane = take_pose(from, &wall->pose);
    wall->present = ts_take_u8(from) != 0;
    return sane;
}

static bool take_floats(ts_bytes *from, float value[3])
{
    bool sane = true;
    for (int k = 0; k < 3; k++) {
        value[k] = ts_take_f32(from);
        sane = sane && isfinite(value[k]);
    }
    return sane;
}

bool ts_trajectory_take_body3(ts_bytes *from, bool gates, ts_frame_body3 *body)
{
    bool pose = take_pose(from, &body->pose), velocity = take_floats(from, body->velocity),
         spin = take_floats(from, body->spin);
    body->present = gates ? ts_take_u8(from) != 0 : true;
    return pose && velocity && spin;
}

bool ts_trajectory_take_contact3(ts_bytes *from, const ts_trajectory_space *space, ts_frame_contact3 *c)
{
    c->a = (int64_t)ts_take_u64(from);
    c->b = (int64_t)ts_take_u64(from);
    c->key = ts_take_u64(from);
    ts_vec3 point = take_vec3(from);
    c->point[0] = point.x;
    c->point[1] = point.y;
    c->point[2] = point.z;
    c->gap = ts_take_f32(from);
    bool normal = take_floats(from, c->normal), force = take_floats(from, c->force);
    bool known_a = c->a < 0 ? (uint64_t)(-1 - c->a) < space->wall_count : (uint64_t)c->a < space->body_count;
    bool known_b = c->b >= 0 && (uint64_t)c->b < space->body_count;
    return known_a && known_b && vec3_is_sane(point) && isfinite(c->gap) && normal && force;
}
