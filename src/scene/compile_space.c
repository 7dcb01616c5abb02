/* SPDX-License-Identifier: MIT */
/* Bodies and walls of space, from a scene to a model (scene/compile.h). */
#include <math.h>
#include <stdio.h>

#include "base/release.h"
#include "contact/hits3.h"
#include "dynamics/dynamics.h"
#include "scene/compile.h"
#include "world.h"

/* Where a mesh takes part its field has an error of its own, a share of a cell: bodies may overlap by that much more
 * when the run begins. */
static const double cell_share_max = 0.25;

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

static ts_quat quat_of(const double q[4])
{
    return (ts_quat){q[0], q[1], q[2], q[3]};
}

static ts_vec3 gravity_of(const ts_scene *scene)
{
    return vec_of(scene->space.gravity);
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

/* A wall of one piece. */
static ts_status add_solid(ts_compiler *c, size_t source, ts_pose3 pose, ts_solid solid)
{
    ts_wall *wall;
    TS_TRY(ts_compile_add_wall(c, source, pose, &wall));
    wall->piece_begin = c->piece.count;
    wall->piece_count = 1;
    return ts_compile_add_piece(c, solid, ts_pose3_identity());
}

/* A wall of a form's pieces. */
static ts_status add_form(ts_compiler *c, size_t source)
{
    const ts_wall_def *def = &c->scene->wall.item[source].def;
    ts_wall *wall;
    int32_t form;
    TS_TRY(ts_compile_add_wall(c, source, (ts_pose3){vec_of(def->position), quat_of(def->attitude)}, &wall));
    TS_TRY(ts_compile_form(c, def->shape, def->scale, c->scene->wall.item[source].place, &form));
    wall->piece_begin = c->form.item[form].piece_begin;
    wall->piece_count = c->form.item[form].piece_count;
    return TS_OK;
}

static ts_status add_room(ts_compiler *c, size_t source)
{
    const ts_wall_def *def = &c->scene->wall.item[source].def;
    for (int side = 0; side < 6; side++) {
        double normal[3] = {0, 0, 0};
        ts_vec3 corner = vec_of(def->position);
        normal[side / 2] = side % 2 ? -1 : 1;
        if (side % 2)
            corner = ts_vec3_add(corner, vec_of(def->size));
        TS_TRY(add_solid(c, source, plane_pose(corner, vec_of(normal)), (ts_solid){.kind = TS_SOLID_PLANE}));
    }
    return TS_OK;
}

static ts_status make_wall(ts_compiler *c, size_t source)
{
    const ts_wall_def *def = &c->scene->wall.item[source].def;
    const ts_pose3 pose = plane_pose(vec_of(def->position), vec_of(def->normal));
    const ts_solid plane = {.kind = TS_SOLID_PLANE},
                   vessel = {.kind = TS_SOLID_VESSEL, .radius = def->radius, .half_length = 0.5 * def->length};
    switch (def->kind) {
    case TS_WALL_FLAT:
        return add_solid(c, source, pose, plane);
    case TS_WALL_ROOM:
        return add_room(c, source);
    case TS_WALL_CYLINDER:
        return add_solid(c, source, pose, vessel);
    case TS_WALL_SOLID:
        return add_form(c, source);
    case TS_WALL_CIRCLE:
    case TS_WALL_POLYLINE:
    case TS_WALL_OUTLINE: /* of the plane: the scene has none */
        break;
    }
    return TS_OK;
}

/* ---- Bodies ---- */

static ts_status make_shape(ts_compiler *c, const ts_scene_shape *from, ts_shape *to)
{
    (void)c, (void)from, (void)to; /* forms are made as scales come up */
    return TS_OK;
}

static ts_status take_bodies(ts_compiler *c)
{
    const size_t n = c->model->body_count;
    TS_TAKE(c, body3, n);
    TS_TAKE(c, inertia, n);
    TS_TAKE(c, body_form, n);
    return TS_OK;
}

static ts_status choose(ts_compiler *c, size_t i, int32_t shape, double scale, ts_place place)
{
    return ts_compile_form(c, shape, scale, place, &c->model->body_form[i]);
}

static const ts_form3 *form_of(const ts_compiler *c, size_t i)
{
    return &c->form.item[c->model->body_form[i]];
}

static double radius_of(const ts_compiler *c, size_t i)
{
    return form_of(c, i)->radius;
}

static double volume_of(const ts_compiler *c, size_t i)
{
    return form_of(c, i)->volume;
}

static ts_status set_body(ts_compiler *c, size_t i, const ts_body_def *def, double density, ts_error *why)
{
    ts_model *model = c->model;
    const ts_form3 *form = form_of(c, i);
    const double mass = density * form->volume, *p = def->position, *q = def->attitude, *v = def->velocity;
    if (!isnormal(mass) || !isnormal(1 / mass))
        return ts_fail(why, TS_BAD_INPUT, "its mass of %g kg is too small or too large to compute with", mass);
    TS_TRY(ts_inertia_make(ts_mat3_scale(form->inertia, density), &model->inertia[i], why));
    const ts_vec3 turn = ts_inertia_momentum(&model->inertia[i], quat_of(q), vec_of(def->spin));
    model->mass[i] = mass;
    model->body3[i] = (ts_body3){.position = {p[0], p[1], p[2]},
                                 .attitude = {q[0], q[1], q[2], q[3]},
                                 .velocity = {v[0], v[1], v[2]},
                                 .angular_momentum = {turn.x, turn.y, turn.z},
                                 .radius = form->radius,
                                 .inv_mass = def->fixed ? 0 : 1 / mass};
    return TS_OK;
}

static ts_status place_body(ts_compiler *c, size_t i)
{
    const ts_body3 *b = &c->model->body3[i];
    return ts_occupancy_add(&c->occupied, vec_of(b->position), b->radius, (int32_t)i, c->error);
}

/* ---- Parts ---- */

static ts_status make_parts(ts_compiler *c)
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
    TS_TAKE(c, part_owner, count);
    TS_TAKE(c, part_piece, count);
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
static ts_status check_kinds(ts_compiler *c)
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

static ts_status compile_parts(ts_compiler *c)
{
    TS_TRY(make_parts(c));
    return check_kinds(c);
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

static ts_status check_hits(ts_compiler *c, const ts_hits3 *hits)
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
        ts_body_label b = ts_compile_label(c, (size_t)s->b), a = {0};
        if (s->a >= 0)
            a = ts_compile_label(c, (size_t)s->a);
        else
            snprintf(a.text, sizeof a.text, "wall %d", model->wall[-1 - s->a].source);
        return ts_fail_at(c->error, TS_BAD_INPUT, b.place,
                          "%s overlaps %s by %g m near (%g, %g, %g), more than the %g m (%.3g of the smaller radius) "
                          "that %s takes; move them apart",
                          b.text, a.text, -s->gap, s->point.x, s->point.y, s->point.z, most, most / size,
                          c->model->dynamics->name);
    }
    return TS_OK;
}

static ts_status check_start(ts_compiler *c)
{
    TS_AUTO(ts_state_free_at) ts_state *state = NULL;
    TS_AUTO(ts_hits3_free) ts_hits3 hits = {0};
    TS_TRY(ts_state_create(c->model, &state, c->error));
    TS_TRY(ts_hits3_create(&hits, c->model, c->error));
    ts_hits3_place(&hits, c->model, state);
    TS_TRY(ts_hits3_find(&hits, c->model, NULL, NULL, true, c->error));
    TS_TRY(ts_hits3_choose(&hits, TS_CLOSING, c->error));
    return check_hits(c, &hits);
}

const ts_compile_row ts_compile_space = {.world = &ts_world_space, .far = HUGE_VAL, TS_COMPILE_FUNCTIONS};
