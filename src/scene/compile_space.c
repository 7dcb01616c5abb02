/* SPDX-License-Identifier: MIT */
#include "scene/compile_space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/hits3.h"
#include "dynamics/dynamics.h"
#include "scene/body_ids.h"
#include "scene/compile.h"
#include "scene/compile_dynamics.h"
#include "scene/script.h"
#include "scene/springs.h"
#include "shape/mesh_tree.h"

/* Where a mesh takes part its field has an error of its own, a share of a cell: bodies may overlap by that much more
 * when the run begins. */
static const double cell_share_max = 0.25;
#define TAKE(c, field, count)                                                              \
    do {                                                                                   \
        (c)->model->field = ts_model_take((c)->model, (count), sizeof *(c)->model->field); \
        if (!(c)->model->field)                                                            \
            return ts_fail_memory((c)->error, (count) * sizeof *(c)->model->field);        \
    } while (0)

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

static ts_quat quat_of(const double q[4])
{
    return (ts_quat){q[0], q[1], q[2], q[3]};
}

/* ---- Walls ---- */

/* The half-space below z = 0 of this pose is solid: its z axis is the normal. */
static ts_pose3 plane_pose(ts_vec3 point, ts_vec3 normal)
{
    const ts_vec3 up = {0, 0, 1};
    ts_vec3 n = ts_vec3_unit(normal), axis = ts_vec3_cross(up, n);
    double sine = ts_vec3_length(axis), angle = atan2(sine, n.z);
    if (!(sine > 0))
        axis = (ts_vec3){1, 0, 0};
    return (ts_pose3){point, ts_quat_from_axis_angle(axis, angle)};
}

/* A wall of one piece, or of a form's. */
static ts_status add_wall(ts_space_compiler *c, size_t source, ts_pose3 pose, const ts_solid *solid)
{
    const ts_wall_def *def = &c->scene->wall.item[source].def;
    ts_wall *wall = &c->model->wall[c->model->wall_count++];
    *wall = (ts_wall){.kind = def->kind == TS_WALL_ROOM ? TS_WALL_FLAT : def->kind,
                      .pose = pose,
                      .piece_begin = c->piece.count,
                      .piece_count = 1,
                      .source = (int32_t)source,
                      .material = def->material,
                      .motion = -1,
                      .open = HUGE_VAL,
                      .close = HUGE_VAL};
    TS_TRY(ts_model_take_text(c->model, def->name, &wall->name, c->error));
    if (solid)
        return ts_space_add_piece(c, *solid, ts_pose3_identity());
    int32_t form;
    TS_TRY(ts_space_form(c, def->shape, def->scale, c->scene->wall.item[source].place, &form));
    wall->piece_begin = c->form.item[form].piece_begin;
    wall->piece_count = c->form.item[form].piece_count;
    return TS_OK;
}

static ts_status add_room(ts_space_compiler *c, size_t source)
{
    const ts_wall_def *def = &c->scene->wall.item[source].def;
    const ts_solid plane = {.kind = TS_SOLID_PLANE};
    for (int side = 0; side < 6; side++) {
        double normal[3] = {0, 0, 0};
        ts_vec3 corner = vec_of(def->position);
        normal[side / 2] = side % 2 ? -1 : 1;
        if (side % 2)
            corner = ts_vec3_add(corner, vec_of(def->size));
        TS_TRY(add_wall(c, source, plane_pose(corner, vec_of(normal)), &plane));
    }
    return TS_OK;
}

static ts_status compile_walls(ts_space_compiler *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->scene->wall.count; i++)
        count += c->scene->wall.item[i].def.kind == TS_WALL_ROOM ? 6 : 1;
    TAKE(c, wall, count);
    for (size_t i = 0; i < c->scene->wall.count; i++) {
        const ts_wall_def *def = &c->scene->wall.item[i].def;
        const ts_solid plane = {.kind = TS_SOLID_PLANE},
                       vessel = {.kind = TS_SOLID_VESSEL, .radius = def->radius, .half_length = 0.5 * def->length};
        switch (def->kind) {
        case TS_WALL_FLAT:
            TS_TRY(add_wall(c, i, plane_pose(vec_of(def->position), vec_of(def->normal)), &plane));
            break;
        case TS_WALL_ROOM:
            TS_TRY(add_room(c, i));
            break;
        case TS_WALL_CYLINDER:
            TS_TRY(add_wall(c, i, plane_pose(vec_of(def->position), vec_of(def->normal)), &vessel));
            break;
        case TS_WALL_SOLID:
            TS_TRY(add_wall(c, i, (ts_pose3){vec_of(def->position), quat_of(def->attitude)}, NULL));
            break;
        case TS_WALL_CIRCLE:
        case TS_WALL_POLYLINE:
        case TS_WALL_OUTLINE: /* of the plane: the scene has none */
            break;
        }
    }
    return TS_OK;
}

/* ---- Bodies ---- */

static ts_body_label label_of(const ts_space_compiler *c, size_t body)
{
    return ts_body_label_of(c->scene, c->generator_begin, body);
}

static ts_status set_body(ts_space_compiler *c, size_t i, const ts_grain3 *at, ts_vec3 spin, bool fixed)
{
    ts_model *model = c->model;
    const ts_form3 *form = &c->form.item[at->form];
    const double density = c->model->density[at->material], mass = density * form->volume;
    ts_error why;
    ts_status status = TS_OK;
    model->body_form[i] = at->form;
    model->body_material[i] = (uint8_t)at->material;
    model->mass[i] = mass;
    if (!isnormal(mass) || !isnormal(1 / mass))
        status = ts_fail(&why, TS_BAD_INPUT, "its mass of %g kg is too small or too large to compute with", mass);
    if (status == TS_OK)
        status = ts_inertia_make(ts_mat3_scale(form->inertia, density), &model->inertia[i], &why);
    if (status != TS_OK) {
        ts_body_label label = label_of(c, i);
        return ts_fail_at(c->error, TS_BAD_INPUT, label.place, "%s: %s; change its size or density", label.text,
                          why.message);
    }
    ts_vec3 turn = ts_inertia_momentum(&model->inertia[i], at->pose.quat, spin);
    const ts_vec3 p = at->pose.position, v = at->velocity;
    const ts_quat q = at->pose.quat;
    model->body3[i] = (ts_body3){.position = {p.x, p.y, p.z},
                                 .attitude = {q.w, q.x, q.y, q.z},
                                 .velocity = {v.x, v.y, v.z},
                                 .angular_momentum = {turn.x, turn.y, turn.z},
                                 .radius = form->radius,
                                 .inv_mass = fixed ? 0 : 1 / mass};
    return TS_OK;
}

static ts_status compile_bodies(ts_space_compiler *c)
{
    const size_t n = c->model->body_count;
    TAKE(c, body3, n);
    TAKE(c, inertia, n);
    TAKE(c, mass, n);
    TAKE(c, body_form, n);
    TAKE(c, body_material, n);
    for (size_t i = 0; i < c->scene->body.count; i++) {
        const ts_body_def *def = &c->scene->body.item[i].def;
        ts_grain3 at = {{vec_of(def->position), quat_of(def->attitude)}, vec_of(def->velocity), 0, def->material};
        TS_TRY(ts_space_form(c, def->shape, def->scale, c->scene->body.item[i].place, &at.form));
        TS_TRY(set_body(c, i, &at, vec_of(def->spin), def->fixed));
    }
    return TS_OK;
}

static ts_status compile_generators(ts_space_compiler *c)
{
    for (size_t g = 0; g < c->scene->generator.count; g++) {
        size_t begin = c->generator_begin[g], count = c->generator_begin[g + 1] - begin;
        ts_grain3 *grain = ts_alloc(count, sizeof *grain);
        if (!grain)
            return ts_fail_memory(c->error, count * sizeof *grain);
        ts_status status = ts_space_generate(c, g, begin, grain, count);
        for (size_t i = 0; i < count && status == TS_OK; i++)
            status = set_body(c, begin + i, &grain[i], (ts_vec3){0, 0, 0}, c->scene->generator.item[g].def.fixed);
        ts_free(grain);
        TS_TRY(status);
    }
    return TS_OK;
}

/* ---- Parts ---- */

/* What grew becomes the model's. */
static void hand_over(ts_space_compiler *c)
{
    ts_model *model = c->model;
    model->form = c->form.item;
    model->form_count = c->form.count;
    model->piece = c->piece.item;
    model->piece_count = c->piece.count;
    model->hull = c->hull;
    model->hull_count = c->hull_count;
    model->mesh = c->mesh.item;
    model->mesh_count = c->mesh.count;
    c->model->bytes += c->form.count * sizeof *c->form.item + c->piece.count * sizeof *c->piece.item;
    for (size_t i = 0; i < model->mesh_count; i++) {
        const ts_body_mesh *m = &model->mesh[i];
        c->model->bytes += (m->field ? ts_mesh_field_bytes(m->field) : 0) +
                           (m->tree ? ts_mesh_tree_bytes(m->tree) : 0) +
                           (m->edges ? ts_mesh_edges_bytes(m->edges) : 0) + m->mesh->vertex_count * sizeof(ts_vec3) +
                           m->mesh->triangle_count * 3 * sizeof(int32_t);
    }
    memset(&c->form, 0, sizeof c->form);
    memset(&c->piece, 0, sizeof c->piece);
    c->hull = NULL;
    memset(&c->mesh, 0, sizeof c->mesh);
}

static ts_status compile_parts(ts_space_compiler *c)
{
    ts_model *model = c->model;
    size_t count = 0, at = 0;
    for (size_t i = 0; i < model->body_count; i++)
        count += model->form[model->body_form[i]].piece_count;
    for (size_t i = 0; i < model->wall_count; i++)
        count += model->wall[i].piece_count;
    if (count > TS_PARTS_MAX)
        return ts_fail(c->error, TS_BAD_INPUT, "the scene has %zu pieces in all bodies together; lower it to %d", count,
                       TS_PARTS_MAX);
    model->part_count = count;
    TAKE(c, part_owner, count);
    TAKE(c, part_piece, count);
    for (size_t i = 0; i < model->body_count + model->wall_count; i++) {
        const bool wall = i >= model->body_count;
        const ts_wall *w = wall ? &model->wall[i - model->body_count] : NULL;
        const ts_form3 *form = wall ? NULL : &model->form[model->body_form[i]];
        size_t begin = wall ? w->piece_begin : form->piece_begin, pieces = wall ? w->piece_count : form->piece_count;
        for (size_t k = 0; k < pieces; k++, at++) {
            model->part_owner[at] = wall ? -1 - (int32_t)(i - model->body_count) : (int32_t)i;
            model->part_piece[at] = (int32_t)(begin + k);
        }
    }
    return TS_OK;
}

/* Every two kinds of pieces that may meet must be in the table of contacts. */
static ts_status check_kinds(ts_space_compiler *c)
{
    const ts_model *model = c->model;
    bool free[TS_SOLID_KINDS] = {0}, any[TS_SOLID_KINDS] = {0};
    for (size_t i = 0; i < model->part_count; i++) {
        ts_solid_kind kind = model->piece[model->part_piece[i]].solid.kind;
        int32_t owner = model->part_owner[i];
        any[kind] = true;
        free[kind] |= owner >= 0 && model->body3[owner].inv_mass > 0;
    }
    for (int a = 0; a < TS_SOLID_KINDS; a++)
        for (int b = 0; b < TS_SOLID_KINDS; b++)
            if (free[a] && any[b] && !ts_touch_known((ts_solid_kind)a, (ts_solid_kind)b))
                return ts_fail_at(
                    c->error, TS_UNSUPPORTED, c->scene->space_place,
                    "contacts between a %s and a %s are not known here; build one of the two from other pieces",
                    ts_solid_name((ts_solid_kind)a), ts_solid_name((ts_solid_kind)b));
    return TS_OK;
}

/* ---- At the start ---- */

static double cell_of_owner(const ts_model *model, int64_t owner)
{
    size_t begin = owner >= 0 ? model->form[model->body_form[owner]].piece_begin : model->wall[-1 - owner].piece_begin;
    size_t count = owner >= 0 ? model->form[model->body_form[owner]].piece_count : model->wall[-1 - owner].piece_count;
    double cell = 0;
    for (size_t i = begin; i < begin + count; i++)
        if (model->piece[i].solid.field)
            cell = fmax(cell, ts_mesh_field_get_info(model->piece[i].solid.field).cell);
    return cell;
}

static ts_status check_hits(ts_space_compiler *c, const ts_hits3 *hits)
{
    const ts_model *model = c->model;
    for (size_t k = 0; k < hits->hit.count; k++) {
        const ts_hit3 *s = &hits->hit.item[k];
        double size = model->form[model->body_form[s->b]].inner;
        if (s->a >= 0)
            size = fmin(size, model->form[model->body_form[s->a]].inner);
        double most = model->resolver->overlap_at_start * size +
                      cell_share_max * (cell_of_owner(model, s->a) + cell_of_owner(model, s->b));
        if (-s->gap <= most)
            continue;
        ts_body_label b = label_of(c, (size_t)s->b), a = {0};
        if (s->a >= 0)
            a = label_of(c, (size_t)s->a);
        else
            snprintf(a.text, sizeof a.text, "wall %d", model->wall[-1 - s->a].source);
        return ts_fail_at(c->error, TS_BAD_INPUT, b.place,
                          "%s overlaps %s by %g m near (%g, %g, %g), more than the %g m that %s takes; move them apart",
                          b.text, a.text, -s->gap, s->point.x, s->point.y, s->point.z, most, c->model->dynamics->name);
    }
    return TS_OK;
}

static ts_status check_overlaps(ts_space_compiler *c)
{
    ts_state *state;
    ts_hits3 hits = {0};
    TS_TRY(ts_state_create(c->model, &state, c->error));
    ts_status status = ts_hits3_create(&hits, c->model, c->error);
    if (status == TS_OK) {
        ts_hits3_place(&hits, c->model, state);
        status = ts_hits3_find(&hits, c->model, NULL, NULL, true, c->error);
    }
    if (status == TS_OK)
        status = ts_hits3_choose(&hits, TS_CLOSING, c->error);
    if (status == TS_OK)
        status = check_hits(c, &hits);
    ts_hits3_free(&hits);
    ts_state_free(state);
    return status;
}

static ts_status compile_names(ts_space_compiler *c)
{
    TAKE(c, shape, c->scene->shape.count);
    c->model->shape_count = c->scene->shape.count;
    for (size_t i = 0; i < c->scene->shape.count; i++)
        TS_TRY(ts_model_take_text(c->model, c->scene->shape.item[i].name, &c->model->shape[i].name, c->error));
    TAKE(c, note, c->scene->note.count);
    for (size_t i = 0; i < c->scene->note.count; i++) {
        ts_note *note = &c->model->note[c->model->note_count++];
        note->shape = c->scene->note.item[i].shape;
        TS_TRY(ts_model_take_text(c->model, c->scene->note.item[i].text, &note->text, c->error));
    }
    return TS_OK;
}

static ts_status compile_things(ts_space_compiler *c)
{
    TS_TRY(ts_body_ids(c->scene, &c->generator_begin, &c->model->body_count, c->error));
    TS_TRY(compile_names(c));
    TS_TRY(compile_walls(c));
    TS_TRY(compile_bodies(c));
    TS_TRY(compile_generators(c));
    TS_TRY(ts_springs_compile(c->scene, c->model, c->error));
    TS_TRY(ts_script_compile(c->scene, c->generator_begin, c->model, c->error));
    ts_script_pivots(c->scene, c->generator_begin, c->model);
    return TS_OK;
}

static ts_status compile(ts_space_compiler *c)
{
    ts_status status = compile_things(c);
    hand_over(c); /* whatever happened: the model frees it */
    TS_TRY(status);
    TS_TRY(compile_parts(c));
    TS_TRY(check_kinds(c));
    TS_TRY(ts_compile_times(c->scene, c->generator_begin, c->model, c->error));
    return check_overlaps(c);
}

ts_status ts_space_compile(const ts_scene *scene, ts_model *model, ts_error *error)
{
    ts_space_compiler c = {.scene = scene, .model = model, .error = error};
    model->gravity = vec_of(scene->space.gravity);
    model->camera = scene->space.camera;
    ts_status status = compile(&c);
    ts_free(c.generator_begin);
    return status;
}
