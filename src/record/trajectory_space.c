/* SPDX-License-Identifier: MIT */
/* What a trajectory of bodies in space holds, written. */
#include <inttypes.h>

#include "body/flight.h"
#include "record/trajectory_format.h"
#include "state.h"

enum { COUNTS_BYTES = (4 + 3 + 10) * 8 + 7 * 8 }; /* what the header's head holds, and seven counts */

/* ---- Header ---- */

static unsigned char *put_vec3(unsigned char *end, ts_vec3 v)
{
    return ts_put_f64(ts_put_f64(ts_put_f64(end, v.x), v.y), v.z);
}

static unsigned char *put_pose(unsigned char *end, ts_pose3 pose)
{
    end = put_vec3(end, pose.position);
    end = ts_put_f64(ts_put_f64(end, pose.quat.w), pose.quat.x);
    return ts_put_f64(ts_put_f64(end, pose.quat.y), pose.quat.z);
}

uint64_t ts_trajectory_space_bytes(const ts_model *model)
{
    uint64_t bytes = COUNTS_BYTES + model->body_count * TS_HEADER_BODY3_BYTES;
    for (size_t i = 0; i < model->material_count; i++)
        bytes += 4 + ts_trajectory_text_length(model->material_name ? model->material_name[i] : NULL);
    for (size_t i = 0; i < model->shape_count; i++)
        bytes += 4 + ts_trajectory_text_length(model->shape[i].name);
    for (size_t i = 0; i < model->hull_count; i++) {
        const ts_hull *hull = model->hull[i];
        bytes += TS_HULL_BYTES + hull->vertex_count * TS_POINT3_BYTES + hull->face_count * 4 +
                 (uint64_t)hull->face_begin[hull->face_count] * 4;
    }
    for (size_t i = 0; i < model->mesh_count; i++)
        bytes += TS_MESH_BYTES + model->mesh[i].mesh->vertex_count * TS_POINT3_BYTES +
                 model->mesh[i].mesh->triangle_count * TS_TRIANGLE_BYTES;
    for (size_t i = 0; i < model->form_count; i++)
        bytes += TS_FORM3_BYTES + model->form[i].piece_count * TS_PIECE3_BYTES;
    for (size_t i = 0; i < model->wall_count; i++)
        bytes += TS_WALL3_BYTES + ts_trajectory_text_length(model->wall[i].name) +
                 model->wall[i].piece_count * TS_PIECE3_BYTES;
    if (model->spring_count > 0)
        bytes += 8 + model->spring_count * TS_SPRING3_BYTES;
    return bytes;
}

static ts_status put_head(ts_append *log, const ts_model *model, ts_error *error)
{
    const ts_camera *camera = &model->camera;
    const double view[10] = {camera->position[0], camera->position[1], camera->position[2], camera->target[0],
                             camera->target[1],   camera->target[2],   camera->up[0],       camera->up[1],
                             camera->up[2],       camera->view};
    const size_t count[7] = {model->material_count, model->shape_count, model->hull_count, model->mesh_count,
                             model->form_count,     model->wall_count,  model->body_count};
    unsigned char *end = ts_append_room(log, COUNTS_BYTES, error);
    if (!end)
        return TS_IO;
    end = ts_put_u64(end, model->hash);
    end = ts_put_f64(end, model->settings.time_step);
    end = ts_put_f64(end, model->settings.duration);
    end = ts_put_f64(end, model->settings.frame_interval);
    end = put_vec3(end, model->gravity);
    for (int i = 0; i < 10; i++)
        end = ts_put_f64(end, view[i]);
    for (int i = 0; i < 7; i++)
        end = ts_put_u64(end, count[i]);
    return TS_OK;
}

static ts_status put_points(ts_append *log, const ts_vec3 *point, size_t count, ts_error *error)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char *end = ts_append_room(log, TS_POINT3_BYTES, error);
        if (!end)
            return TS_IO;
        put_vec3(end, point[i]);
    }
    return TS_OK;
}

static ts_status put_number(ts_append *log, uint32_t value, ts_error *error)
{
    unsigned char *end = ts_append_room(log, 4, error);
    if (!end)
        return TS_IO;
    ts_put_u32(end, value);
    return TS_OK;
}

static ts_status put_hull(ts_append *log, const ts_hull *hull, ts_error *error)
{
    unsigned char *end = ts_append_room(log, TS_HULL_BYTES, error);
    if (!end)
        return TS_IO;
    end = ts_put_u64(end, hull->vertex_count);
    end = ts_put_u64(end, hull->face_count);
    ts_put_u64(end, (uint64_t)hull->face_begin[hull->face_count]);
    TS_TRY(put_points(log, hull->vertex, hull->vertex_count, error));
    for (size_t i = 0; i < hull->face_count; i++)
        TS_TRY(put_number(log, (uint32_t)(hull->face_begin[i + 1] - hull->face_begin[i]), error));
    for (int32_t i = 0; i < hull->face_begin[hull->face_count]; i++)
        TS_TRY(put_number(log, (uint32_t)hull->corner[i], error));
    return TS_OK;
}

static ts_status put_mesh(ts_append *log, const ts_mesh *mesh, ts_error *error)
{
    unsigned char *end = ts_append_room(log, TS_MESH_BYTES, error);
    if (!end)
        return TS_IO;
    end = ts_put_u64(end, mesh->vertex_count);
    ts_put_u64(end, mesh->triangle_count);
    TS_TRY(put_points(log, mesh->vertex, mesh->vertex_count, error));
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        TS_TRY(put_number(log, (uint32_t)mesh->triangle[i / 3][i % 3], error));
    return TS_OK;
}

/* Where `item` stands among the space's hulls or meshes. Pieces refer to them in order, so the place after the one last found comes first. */
static uint32_t place_of(const void *item, const ts_model *model, ts_solid_kind kind, size_t *hint)
{
    const size_t count = kind == TS_SOLID_HULL ? model->hull_count : model->mesh_count;
    for (size_t i = 0; i < count; i++) {
        size_t at = (*hint + i) % count;
        const void *own = kind == TS_SOLID_HULL ? (const void *)model->hull[at] : (const void *)model->mesh[at].mesh;
        if (own == item) {
            *hint = at + 1;
            return (uint32_t)at;
        }
    }
    return UINT32_MAX;
}

static ts_status put_pieces(ts_append *log, const ts_model *model, size_t begin, size_t count, size_t hint[2],
                            ts_error *error)
{
    for (size_t i = begin; i < begin + count; i++) {
        const ts_solid *solid = &model->piece[i].solid;
        unsigned char *end = ts_append_room(log, TS_PIECE3_BYTES, error);
        uint32_t made = UINT32_MAX;
        if (!end)
            return TS_IO;
        if (solid->kind == TS_SOLID_HULL)
            made = place_of(solid->hull, model, solid->kind, &hint[0]);
        else if (solid->kind == TS_SOLID_MESH)
            made = place_of(solid->mesh, model, solid->kind, &hint[1]);
        end = ts_put_u32(end, (uint32_t)solid->kind);
        end = ts_put_u32(end, made);
        end = ts_put_f64(end, solid->radius);
        end = ts_put_f64(end, solid->half_length);
        put_pose(put_vec3(end, solid->half), model->piece[i].pose);
    }
    return TS_OK;
}

static ts_status put_forms(ts_append *log, const ts_model *model, size_t hint[2], ts_error *error)
{
    for (size_t i = 0; i < model->form_count; i++) {
        const ts_form3 *form = &model->form[i];
        unsigned char *end = ts_append_room(log, TS_FORM3_BYTES, error);
        if (!end)
            return TS_IO;
        end = ts_put_u32(end, (uint32_t)form->shape);
        end = ts_put_f64(end, form->scale);
        end = ts_put_f64(end, form->radius);
        end = ts_put_f64(end, form->volume);
        for (int row = 0; row < 3; row++) /* xx xy xz yy yz zz */
            for (int column = row; column < 3; column++)
                end = ts_put_f64(end, form->inertia.m[row][column]);
        ts_put_u64(end, form->piece_count);
        TS_TRY(put_pieces(log, model, form->piece_begin, form->piece_count, hint, error));
    }
    return TS_OK;
}

static ts_status put_walls(ts_append *log, const ts_model *model, size_t hint[2], ts_error *error)
{
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall3 *wall = &model->wall[i];
        TS_TRY(ts_trajectory_put_text(log, wall->name, error));
        unsigned char *end = ts_append_room(log, TS_WALL3_BYTES - 4, error);
        if (!end)
            return TS_IO;
        end = ts_put_u32(end, (uint32_t)wall->source);
        end = ts_put_u32(end, (uint32_t)wall->material);
        end = put_pose(end, wall->pose);
        ts_put_u64(end, wall->piece_count);
        TS_TRY(put_pieces(log, model, wall->piece_begin, wall->piece_count, hint, error));
    }
    return TS_OK;
}

static ts_status put_bodies(ts_append *log, const ts_model *model, ts_error *error)
{
    for (size_t i = 0; i < model->body_count; i++) {
        unsigned char *end = ts_append_room(log, TS_HEADER_BODY3_BYTES, error);
        if (!end)
            return TS_IO;
        end = ts_put_u32(end, (uint32_t)model->body_form[i]);
        end = ts_put_u32(end, model->body_material[i]);
        end = ts_put_f64(end, model->body3[i].radius);
        end = ts_put_f64(end, model->mass[i]);
        ts_put_u32(end, model->body3[i].inv_mass == 0); /* only fixed bodies have infinite mass */
    }
    return TS_OK;
}

static ts_status put_springs(ts_append *log, const ts_model *model, ts_error *error)
{
    unsigned char *end = model->spring_count > 0 ? ts_append_room(log, 8, error) : NULL;
    if (model->spring_count == 0)
        return TS_OK;
    if (!end)
        return TS_IO;
    ts_put_u64(end, model->spring_count);
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        if (!(end = ts_append_room(log, TS_SPRING3_BYTES, error)))
            return TS_IO;
        end = ts_put_u32(end, (uint32_t)s->kind);
        end = ts_put_u32(end, (uint32_t)s->a); /* -1: the world */
        end = ts_put_u32(end, (uint32_t)s->b);
        end = put_vec3(put_vec3(end, s->anchor_a), s->anchor_b);
        ts_put_f64(ts_put_f64(end, s->stiffness), s->rest);
    }
    return TS_OK;
}

ts_status ts_trajectory_put_space(ts_append *log, const ts_model *model, ts_error *error)
{
    size_t hint[2] = {0, 0};
    TS_TRY(put_head(log, model, error));
    for (size_t i = 0; i < model->material_count; i++)
        TS_TRY(ts_trajectory_put_text(log, model->material_name ? model->material_name[i] : NULL, error));
    for (size_t i = 0; i < model->shape_count; i++)
        TS_TRY(ts_trajectory_put_text(log, model->shape[i].name, error));
    for (size_t i = 0; i < model->hull_count; i++)
        TS_TRY(put_hull(log, model->hull[i], error));
    for (size_t i = 0; i < model->mesh_count; i++)
        TS_TRY(put_mesh(log, model->mesh[i].mesh, error));
    TS_TRY(put_forms(log, model, hint, error));
    TS_TRY(put_walls(log, model, hint, error));
    TS_TRY(put_bodies(log, model, error));
    return put_springs(log, model, error);
}

/* ---- Frames ---- */

static ts_pose3 pose_of(const ts_body3 *b)
{
    return (ts_pose3){{b->position[0], b->position[1], b->position[2]},
                      {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]}};
}

double ts_trajectory_spring_energy(const ts_state *state)
{
    const ts_model *model = state->model;
    double sum = 0;
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        ts_pose3 a = s->a >= 0 ? pose_of(&state->body3[s->a]) : ts_pose3_identity();
        sum += ts_spring_pull(s, a, pose_of(&state->body3[s->b])).energy;
    }
    return sum;
}

static bool is_away(double open, double close, double time)
{
    return open <= time && time < close;
}

static ts_status put_frame_walls(ts_append *log, const ts_model *model, double time, ts_error *error)
{
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall3 *wall = &model->wall[i];
        unsigned char *end = ts_append_room(log, TS_FRAME_WALL3_BYTES, error);
        if (!end)
            return TS_IO;
        ts_pose3 pose =
            wall->motion >= 0 ? ts_motion_pose3(&model->motion[wall->motion], wall->pose, time) : wall->pose;
        ts_put_u8(put_pose(end, pose), !is_away(wall->open, wall->close, time));
    }
    return TS_OK;
}

static ts_status put_frame_bodies(ts_append *log, const ts_state *state, bool gates, double time, ts_error *error)
{
    const ts_model *model = state->model;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body3 *b = &state->body3[i];
        unsigned char *end = ts_append_room(log, (size_t)TS_FRAME_BODY3_BYTES + gates, error);
        if (!end)
            return TS_IO;
        if (!ts_trajectory_all_finite(b->position, 3) || !ts_trajectory_all_finite(b->attitude, 4) ||
            !ts_trajectory_all_finite(b->velocity, 3) || !ts_trajectory_all_finite(b->angular_momentum, 3))
            return ts_fail(error, TS_DIVERGED,
                           "body %zu is not at a finite place at step %" PRIu64 "; take smaller steps", i, state->step);
        ts_vec3 spin = {b->angular_momentum[0], b->angular_momentum[1], b->angular_momentum[2]};
        ts_pose3 pose = pose_of(b);
        spin = ts_top_spin(&model->top[i], pose.quat, spin);
        end = put_pose(end, pose);
        for (int k = 0; k < 3; k++)
            end = ts_put_f32(end, ts_trajectory_float(b->velocity[k]));
        end = ts_put_f32(end, ts_trajectory_float(spin.x));
        end = ts_put_f32(end, ts_trajectory_float(spin.y));
        end = ts_put_f32(end, ts_trajectory_float(spin.z));
        int32_t gate = gates && model->body_gate ? model->body_gate[i] : -1;
        if (gates)
            ts_put_u8(end, gate < 0 || !is_away(model->gate[gate].open, model->gate[gate].close, time));
    }
    return TS_OK;
}

static ts_status put_frame_contacts(ts_append *log, const ts_contact *contact, size_t count, ts_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const ts_contact *c = &contact[i];
        unsigned char *end = ts_append_room(log, TS_FRAME_CONTACT3_BYTES, error);
        if (!end)
            return TS_IO;
        if (!ts_trajectory_all_finite(&c->gap, 1) || !ts_trajectory_all_finite(c->normal, 3) ||
            !ts_trajectory_all_finite(c->point_a, 3) || !ts_trajectory_all_finite(c->force, 3))
            return ts_fail(error, TS_DIVERGED,
                           "the contact of %" PRId64 " and %" PRId64 " is not finite; take smaller steps", c->a, c->b);
        end = ts_put_u64(end, (uint64_t)c->a);
        end = ts_put_u64(end, (uint64_t)c->b);
        end = ts_put_u64(end, c->key);
        for (int k = 0; k < 3; k++)
            end = ts_put_f64(end, c->point_a[k]);
        end = ts_put_f32(end, ts_trajectory_float(c->gap));
        for (int k = 0; k < 3; k++)
            end = ts_put_f32(end, ts_trajectory_float(c->normal[k]));
        for (int k = 0; k < 3; k++)
            end = ts_put_f32(end, ts_trajectory_float(c->force[k]));
    }
    return TS_OK;
}

ts_status ts_trajectory_put_frame3(ts_append *log, const ts_state *state, bool gates, const ts_contact *contact,
                                   size_t contact_count, ts_error *error)
{
    double time = ts_time_of_step(state->model, state->step);
    TS_TRY(put_frame_walls(log, state->model, time, error));
    TS_TRY(put_frame_bodies(log, state, gates, time, error));
    return put_frame_contacts(log, contact, contact_count, error);
}
