/* SPDX-License-Identifier: MIT */
/* Solids of a scene become forms: pieces about the common centre of mass, at one scale. */
#include <math.h>
#include <string.h>

#include "scene/compile.h"
#include "scene/smooth.h"
#include "shape/hull.h"
#include "shape/mesh_clusters.h"
#include "shape/mesh_edges.h"
#include "shape/mesh_tree.h"
#include "shape/sdf_mass.h"
#include "shape/solid_mass.h"

/* A ball inside of a mesh is looked for on a lattice of so many points a side. */
#define INNER_POINTS 24
/* What it is at least, over the bounding radius: thin shells have walls between the points of the lattice. */
static const double inner_least = 0.01;

static ts_pose3 pose_of(const ts_piece_def *def, double scale)
{
    ts_quat q = {def->attitude[0], def->attitude[1], def->attitude[2], def->attitude[3]};
    if (!(ts_quat_dot(q, q) > 0))
        q = ts_quat_identity();
    return (ts_pose3){ts_vec3_scale((ts_vec3){def->position[0], def->position[1], def->position[2]}, scale), q};
}

static ts_status make_hull(ts_compiler *c, const ts_piece_def *def, double scale, ts_solid *solid)
{
    TS_TRY(ts_array_reserve(&c->hull, c->hull.count + 1, c->error)); // NOLINT(bugprone-sizeof-expression): of pointers
    ts_hull *hull = NULL;
    TS_AUTO_FREE ts_vec3 *point = NULL;
    TS_TRY(ts_new_raw(&point, def->point_count, c->error));
    for (size_t i = 0; i < def->point_count; i++)
        point[i] = ts_vec3_scale((ts_vec3){def->point[i][0], def->point[i][1], def->point[i][2]}, scale);
    TS_TRY(ts_hull_create(point, def->point_count, &hull, c->error));
    c->hull.item[c->hull.count++] = hull; /* from here on the model frees it */
    solid->hull = hull;
    return TS_OK;
}

/* Its distance field, kept in the cache like maps, and the trees that contacts ask. */
static ts_status prepare_mesh(ts_compiler *c, int cells, ts_body_mesh *to)
{
    char folder[4096];
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create(0, &pool, c->error));
    TS_TRY(ts_mesh_field_obtain(to->mesh, &(ts_field_wish){.cells = cells}, pool,
                                ts_map_cache_folder(folder, sizeof folder), &to->field, c->error));
    TS_TRY(ts_mesh_clusters_create(to->mesh, &to->clusters, c->error));
    TS_TRY(ts_mesh_edges_create(to->mesh, &to->edges, c->error));
    return ts_mesh_tree_create(to->mesh, &to->tree, c->error);
}

/* Volume over area: half of how thick something is that is thin everywhere. */
static double half_thickness(const ts_solid *solid)
{
    const ts_mesh *mesh = solid->mesh;
    double area = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        const ts_vec3 a = mesh->vertex[t[0]], b = mesh->vertex[t[1]], c = mesh->vertex[t[2]];
        area += 0.5 * ts_vec3_length(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
    }
    return area > 0 ? ts_mesh_tree_volume(solid->tree) / area : 0;
}

static ts_status make_mesh(ts_compiler *c, const ts_piece_def *def, double scale, ts_solid *solid)
{
    ts_mesh *mesh;
    TS_TRY(ts_array_reserve(&c->mesh, c->mesh.count + 1, c->error));
    TS_TRY(ts_mesh_create(def->point_count, def->triangle_count, &mesh, c->error));
    ts_body_mesh *to = &c->mesh.item[c->mesh.count++]; /* from here on the model frees it */
    *to = (ts_body_mesh){.mesh = mesh};
    for (size_t i = 0; i < def->point_count; i++)
        mesh->vertex[i] = ts_vec3_scale((ts_vec3){def->point[i][0], def->point[i][1], def->point[i][2]}, scale);
    memcpy(mesh->triangle, def->triangle, def->triangle_count * sizeof *mesh->triangle);
    TS_TRY(prepare_mesh(c, def->cells, to));
    solid->mesh = mesh;
    solid->field = to->field;
    solid->clusters = to->clusters;
    solid->tree = to->tree;
    solid->edges = to->edges;
    solid->thin = 2 * half_thickness(solid) < ts_mesh_field_get_info(to->field).cell;
    return TS_OK;
}

/* The body at its own scale, made when it is first asked for. */
static ts_status find_unit(ts_compiler *c, const ts_smooth_def *def, ts_smooth_unit **unit)
{
    char folder[4096];
    for (size_t i = 0; i < c->unit.count; i++)
        if (c->unit.item[i].def == def) {
            *unit = &c->unit.item[i];
            return TS_OK;
        }
    TS_TRY(ts_array_reserve(&c->unit, c->unit.count + 1, c->error));
    ts_smooth_unit made = {.def = def};
    TS_TRY(ts_smooth_obtain(def, ts_map_cache_folder(folder, sizeof folder), &made.body, &made.mass, c->error));
    c->unit.item[c->unit.count++] = made;
    *unit = &c->unit.item[c->unit.count - 1];
    return TS_OK;
}

static ts_status check_kept(const ts_compiler *c, const ts_sdf_body *body)
{
    const ts_manifold_options *o = &c->scene->manifold;
    const size_t vertices = body->mesh->vertex_count;
    if (o->cookie == 0 || (o->keep_vertices[0] <= vertices && o->keep_edges[0] <= body->edge_count))
        return TS_OK;
    const bool of_edges = o->keep_vertices[0] <= vertices;
    return ts_fail(c->error, TS_BAD_INPUT,
                   "the scene's manifold keeps %zu %s, but its mesh has %zu; keep fewer, or give it more vertices",
                   of_edges ? o->keep_edges[0] : o->keep_vertices[0], of_edges ? "edges" : "vertices",
                   of_edges ? body->edge_count : vertices);
}

static ts_status make_smooth(ts_compiler *c, const ts_piece_def *def, double scale, ts_solid *solid,
                             ts_solid_mass *mass)
{
    ts_smooth_unit *unit;
    TS_TRY(find_unit(c, def->smooth, &unit));
    TS_TRY(check_kept(c, unit->body));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers */
    TS_TRY(ts_array_reserve(&c->smooth, c->smooth.count + 1, c->error));
    ts_sdf_body *body = NULL;
    TS_TRY(ts_smooth_scaled(unit->body, scale, &body, c->error));
    c->smooth.item[c->smooth.count++] = body; /* from here on the model frees it */
    solid->smooth = body;
    if (c->scene->manifold.cookie != 0 && !c->model->manifold) {
        TS_TRY(ts_model_take(c->model, &c->model->manifold, 1, c->error));
        *c->model->manifold = c->scene->manifold;
    }
    solid->manifold = c->model->manifold;
    *mass = ts_solid_mass_scaled(&unit->mass, scale);
    return TS_OK;
}

/* `mass` stays zero where it is still to be worked out. */
static ts_status make_solid(ts_compiler *c, const ts_piece_def *def, double scale, ts_solid *solid, ts_solid_mass *mass)
{
    *solid = (ts_solid){.radius = scale * def->radius, .half_length = 0.5 * scale * def->length};
    switch (def->kind) {
    case TS_PIECE_SPHERE:
        solid->kind = TS_SOLID_SPHERE;
        return TS_OK;
    case TS_PIECE_BOX:
        solid->kind = TS_SOLID_BOX;
        solid->half = ts_vec3_scale((ts_vec3){def->size[0], def->size[1], def->size[2]}, 0.5 * scale);
        return TS_OK;
    case TS_PIECE_CAPSULE:
        solid->kind = TS_SOLID_CAPSULE;
        return TS_OK;
    case TS_PIECE_CYLINDER:
        solid->kind = TS_SOLID_CYLINDER;
        return TS_OK;
    case TS_PIECE_HULL:
        solid->kind = TS_SOLID_HULL;
        return make_hull(c, def, scale, solid);
    case TS_PIECE_SUPERQUADRIC:
    case TS_PIECE_SMOOTH:
        solid->kind = TS_SOLID_SMOOTH;
        return make_smooth(c, def, scale, solid, mass);
    case TS_PIECE_MESH:
        break;
    }
    solid->kind = TS_SOLID_MESH;
    return make_mesh(c, def, scale, solid);
}

/* ---- A ball that fits ---- */

/* By a lattice, of a mesh or, by the tree of its mesh, of a smooth body. */
static double surface_inner(const ts_solid *solid, const ts_mesh_tree *tree)
{
    ts_box3 box = ts_mesh_bounds(ts_solid_surface(solid));
    double deepest = 0;
    for (int i = 0; i < INNER_POINTS * INNER_POINTS * INNER_POINTS; i++) {
        const int cell[3] = {i % INNER_POINTS, i / INNER_POINTS % INNER_POINTS, i / (INNER_POINTS * INNER_POINTS)};
        ts_vec3 share = {(cell[0] + 0.5) / INNER_POINTS, (cell[1] + 0.5) / INNER_POINTS,
                         (cell[2] + 0.5) / INNER_POINTS};
        ts_vec3 p = ts_vec3_add(box.low, ts_vec3_times(share, ts_vec3_sub(box.high, box.low)));
        deepest = fmax(deepest,
                       -(tree ? ts_mesh_tree_nearest(tree, p).distance : ts_mesh_field_at(solid->field, p).distance));
    }
    return deepest;
}

static ts_status smooth_inner(const ts_solid *solid, double *inner, ts_error *error)
{
    TS_AUTO(ts_mesh_tree_free_at) ts_mesh_tree *tree = NULL;
    TS_TRY(ts_mesh_tree_create(solid->smooth->mesh, &tree, error));
    *inner = fmax(surface_inner(solid, tree), inner_least * ts_solid_radius(solid));
    return TS_OK;
}

static double inner_of(const ts_solid *solid)
{
    double inner = HUGE_VAL;
    switch (solid->kind) {
    case TS_SOLID_BOX:
        return fmin(solid->half.x, fmin(solid->half.y, solid->half.z));
    case TS_SOLID_CYLINDER:
        return fmin(solid->radius, solid->half_length);
    case TS_SOLID_HULL:
        for (size_t i = 0; i < solid->hull->face_count; i++)
            inner = fmin(inner, solid->hull->offset[i] - ts_vec3_dot(solid->hull->normal[i], solid->hull->centre));
        return inner;
    case TS_SOLID_MESH:
        return fmax(surface_inner(solid, solid->thin ? solid->tree : NULL),
                    solid->thin ? half_thickness(solid) : inner_least * ts_solid_radius(solid));
    case TS_SOLID_SPHERE:
    case TS_SOLID_CAPSULE:
    case TS_SOLID_PLANE:
    case TS_SOLID_VESSEL:
    case TS_SOLID_SMOOTH: /* smooth_inner, which may fail */
    case TS_SOLID_KINDS:
        break;
    }
    return solid->radius;
}

/* ---- A ball that it fits in ---- */

static double farthest(const ts_piece *piece, const ts_vec3 *point, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, ts_vec3_length(ts_pose3_apply(piece->pose, point[i])));
    return most;
}

/* How far the farthest point of a piece is from the origin of its frame. */
static double reach_of(const ts_piece *piece)
{
    const ts_solid *s = &piece->solid;
    const ts_vec3 end[2] = {{0, 0, s->half_length}, {0, 0, -s->half_length}};
    ts_vec3 corner[8];
    double most = 0;
    switch (s->kind) {
    case TS_SOLID_BOX:
        for (int i = 0; i < 8; i++)
            corner[i] = ts_vec3_times(s->half, (ts_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1});
        return farthest(piece, corner, 8);
    case TS_SOLID_HULL:
        return farthest(piece, s->hull->vertex, s->hull->vertex_count);
    case TS_SOLID_MESH:
        return farthest(piece, s->mesh->vertex, s->mesh->vertex_count);
    case TS_SOLID_SMOOTH: /* it bulges out of its mesh */
        return farthest(piece, s->smooth->mesh->vertex, s->smooth->mesh->vertex_count) + 1.5 * s->smooth->off;
    case TS_SOLID_CAPSULE:
        return farthest(piece, end, 2) + s->radius;
    case TS_SOLID_CYLINDER: /* the far side of a rim */
        for (int i = 0; i < 2; i++) {
            ts_vec3 p = ts_pose3_apply(piece->pose, end[i]);
            double along = ts_vec3_dot(p, ts_quat_apply(piece->pose.quat, (ts_vec3){0, 0, 1}));
            double across = sqrt(fmax(ts_vec3_length_squared(p) - along * along, 0));
            most = fmax(most, hypot(along, across + s->radius));
        }
        return most;
    case TS_SOLID_SPHERE:
    case TS_SOLID_PLANE:
    case TS_SOLID_VESSEL:
    case TS_SOLID_KINDS:
        break;
    }
    return ts_vec3_length(piece->pose.position) + ts_solid_radius(s);
}

/* ---- Forms ---- */

/* Pieces, mass properties, and everything moved to the centre of mass. */
static ts_status make_form(ts_compiler *c, const ts_scene_shape *from, ts_form3 *form)
{
    const size_t begin = c->piece.count;
    TS_AUTO_FREE ts_solid_part *part = NULL;
    TS_AUTO_FREE ts_solid_mass *known = NULL;
    TS_TRY(ts_new(&part, from->piece_count, c->error));
    TS_TRY(ts_new(&known, from->piece_count, c->error));
    for (size_t i = 0; i < from->piece_count; i++) {
        ts_solid solid;
        TS_TRY(make_solid(c, &from->piece[i], form->scale, &solid, &known[i]));
        TS_TRY(ts_compile_add_piece(c, solid, pose_of(&from->piece[i], form->scale)));
    }
    for (size_t i = 0; i < from->piece_count; i++)
        part[i] = (ts_solid_part){&c->piece.item[begin + i].solid, c->piece.item[begin + i].pose,
                                  known[i].volume > 0 ? &known[i] : NULL};
    ts_solid_mass mass;
    TS_TRY(ts_solid_mass_of_parts(part, from->piece_count, &mass, c->error));
    form->piece_begin = begin;
    form->piece_count = from->piece_count;
    form->volume = mass.volume;
    form->inertia = mass.inertia;
    form->inner = HUGE_VAL;
    for (size_t i = begin; i < c->piece.count; i++) {
        ts_piece *piece = &c->piece.item[i];
        piece->pose.position = ts_vec3_sub(piece->pose.position, mass.centre);
        piece->solid.inner = inner_of(&piece->solid);
        if (piece->solid.kind == TS_SOLID_SMOOTH)
            TS_TRY(smooth_inner(&piece->solid, &piece->solid.inner, c->error));
        form->inner = fmin(form->inner, piece->solid.inner);
        form->radius = fmax(form->radius, reach_of(piece));
    }
    return TS_OK;
}

ts_status ts_compile_add_piece(ts_compiler *c, ts_solid solid, ts_pose3 pose)
{
    return ts_array_push(&c->piece, ((ts_piece){solid, pose}), c->error);
}

ts_status ts_compile_form(ts_compiler *c, int32_t shape, double scale, ts_place place, int32_t *form)
{
    for (size_t i = c->form.count; i-- > 0;)
        if (c->form.item[i].shape == shape && c->form.item[i].scale == scale) {
            *form = (int32_t)i;
            return TS_OK;
        }
    ts_form3 made = {.shape = shape, .scale = scale};
    ts_error why;
    ts_error *error = c->error;
    c->error = &why;
    ts_status status = make_form(c, &c->scene->shape.item[shape], &made);
    c->error = error;
    if (status != TS_OK) {
        const char *name = c->scene->shape.item[shape].name;
        return ts_fail_at(
            error, status, c->scene->shape.item[shape].place.file ? c->scene->shape.item[shape].place : place,
            "shape %s%.100s%s: %s", name ? "\"" : "", name ? name : "without a name", name ? "\"" : "", why.message);
    }
    *form = (int32_t)c->form.count;
    return ts_array_push(&c->form, made, error);
}

void ts_compile_hand_over(ts_compiler *c)
{
    ts_model *model = c->model;
    model->form = c->form.item;
    model->form_count = c->form.count;
    model->piece = c->piece.item;
    model->piece_count = c->piece.count;
    model->hull = c->hull.item;
    model->hull_count = c->hull.count;
    model->mesh = c->mesh.item;
    model->mesh_count = c->mesh.count;
    model->smooth = c->smooth.item;
    model->smooth_count = c->smooth.count;
    model->bytes += c->form.count * sizeof *c->form.item + c->piece.count * sizeof *c->piece.item;
    for (size_t i = 0; i < model->mesh_count; i++) {
        const ts_body_mesh *m = &model->mesh[i];
        model->bytes += (m->field ? ts_mesh_field_bytes(m->field) : 0) + (m->tree ? ts_mesh_tree_bytes(m->tree) : 0) +
                        (m->edges ? ts_mesh_edges_bytes(m->edges) : 0) + m->mesh->vertex_count * sizeof(ts_vec3) +
                        m->mesh->triangle_count * 3 * sizeof(int32_t);
    }
    for (size_t i = 0; i < model->smooth_count; i++)
        model->bytes += ts_sdf_body_bytes(model->smooth[i]);
}
