/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/memory.h"
#include "body/drive.h"
#include "contact/pairs.h"
#include "dynamics/dynamics.h"
#include "record/append.h"
#include "record/trajectory.h"
#include "record/trajectory_format.h"
#include "state.h"
#include "touchstone/version.h"

struct ts_trajectory_writer {
    ts_append log; /* first: it is aligned to a cache line */
    const ts_model *model;
    uint32_t flags; /* of the file: TS_TRAJECTORY_HAS_… */
    ts_mark mark;
};

static ts_status put_checksum(ts_trajectory_writer *writer, ts_error *error)
{
    unsigned char bytes[TS_CHECKSUM_BYTES];
    ts_put_u64(bytes, ts_append_hash_end(&writer->log));
    return ts_append_bytes(&writer->log, bytes, sizeof bytes, error);
}

size_t ts_trajectory_text_length(const char *text)
{
    return text ? strnlen(text, UINT32_MAX) : 0;
}

ts_status ts_trajectory_put_text(ts_append *log, const char *text, ts_error *error)
{
    unsigned char bytes[4];
    size_t length = ts_trajectory_text_length(text);
    ts_put_u32(bytes, (uint32_t)length);
    TS_TRY(ts_append_bytes(log, bytes, sizeof bytes, error));
    return ts_append_bytes(log, text, length, error);
}

/* ---- Header ---- */

/* Of the curves of an outline or a wall: how many, then each one's vertices and whether it is open. */
static uint64_t contour_bytes(const ts_contour *contour, size_t count)
{
    uint64_t bytes = 8;
    for (size_t i = 0; i < count; i++)
        bytes += TS_CONTOUR_HEAD_BYTES + contour[i].vertex_count * TS_VERTEX_BYTES;
    return bytes;
}

static uint64_t outline_bytes(const ts_outline *outline)
{
    uint64_t bytes = 8;
    for (size_t i = 0; outline && i < outline->contour_count; i++) {
        ts_contour contour = ts_outline_get_contour(outline, i);
        bytes += contour_bytes(&contour, 1) - 8;
    }
    return bytes;
}

static uint64_t header_bytes(const ts_model *model, const char *title)
{
    uint64_t bytes = 4 + ts_trajectory_text_length(ts_version()) + 4 + ts_trajectory_text_length(title);
    if (model->dimension == 3)
        return bytes + ts_trajectory_space_bytes(model);
    bytes += 6 * 8 + 4 * 8;
    for (size_t i = 0; i < model->material_count; i++)
        bytes += 4 + ts_trajectory_text_length(model->material_name ? model->material_name[i] : NULL);
    for (size_t i = 0; i < model->shape_count; i++)
        bytes += 4 + ts_trajectory_text_length(model->shape[i].name) + 8 + model->shape[i].disc_count * 24 + 2 * 8 +
                 outline_bytes(model->shape[i].outline);
    for (size_t i = 0; i < model->boundary_count; i++)
        bytes += 4 + ts_trajectory_text_length(model->boundary[i].name) + 4 + 4 + 5 * 8 +
                 contour_bytes(model->boundary[i].line, model->boundary[i].line_count);
    return bytes + model->body_count * TS_HEADER_BODY_BYTES;
}

static ts_status put_prefix(ts_trajectory_writer *writer, uint64_t size, ts_error *error)
{
    unsigned char bytes[TS_PREFIX_BYTES], *end = bytes + sizeof ts_trajectory_magic;
    memcpy(bytes, ts_trajectory_magic, sizeof ts_trajectory_magic);
    end = ts_put_u32(end, writer->model->dimension == 3 ? TS_TRAJECTORY_VERSION : TS_TRAJECTORY_PLANE_VERSION);
    end = ts_put_u32(end, writer->flags);
    end = ts_put_u64(end, size);
    ts_put_u64(end, ts_hash(bytes, (size_t)(end - bytes), 0));
    return ts_append_bytes(&writer->log, bytes, sizeof bytes, error);
}

static ts_status put_count(ts_trajectory_writer *writer, uint64_t count, ts_error *error)
{
    unsigned char *end = ts_append_room(&writer->log, 8, error);
    if (!end)
        return TS_IO;
    ts_put_u64(end, count);
    return TS_OK;
}

static ts_status put_contour(ts_trajectory_writer *writer, const ts_contour *contour, ts_error *error)
{
    unsigned char *end = ts_append_room(&writer->log, TS_CONTOUR_HEAD_BYTES, error);
    if (!end)
        return TS_IO;
    end = ts_put_u64(end, contour->vertex_count);
    ts_put_u32(end, contour->open);
    for (size_t k = 0; k < contour->vertex_count; k++) {
        if (!(end = ts_append_room(&writer->log, TS_VERTEX_BYTES, error)))
            return TS_IO;
        end = ts_put_f64(end, contour->vertex[k].x);
        end = ts_put_f64(end, contour->vertex[k].y);
        ts_put_f64(end, contour->vertex[k].bulge);
    }
    return TS_OK;
}

static ts_status put_outline(ts_trajectory_writer *writer, const ts_outline *outline, ts_error *error)
{
    size_t count = outline ? outline->contour_count : 0;
    TS_TRY(put_count(writer, count, error));
    for (size_t i = 0; i < count; i++) {
        ts_contour contour = ts_outline_get_contour(outline, i);
        TS_TRY(put_contour(writer, &contour, error));
    }
    return TS_OK;
}

static ts_status put_shapes(ts_trajectory_writer *writer, ts_error *error)
{
    const ts_model *model = writer->model;
    unsigned char *end;
    for (size_t i = 0; i < model->shape_count; i++) {
        const ts_shape *shape = &model->shape[i];
        TS_TRY(ts_trajectory_put_text(&writer->log, shape->name, error));
        if (!(end = ts_append_room(&writer->log, 8, error)))
            return TS_IO;
        ts_put_u64(end, shape->disc_count);
        for (size_t k = 0; k < shape->disc_count; k++) {
            if (!(end = ts_append_room(&writer->log, 3 * 8, error)))
                return TS_IO;
            end = ts_put_f64(end, shape->disc[k].x);
            end = ts_put_f64(end, shape->disc[k].y);
            ts_put_f64(end, shape->disc[k].radius);
        }
        if (!(end = ts_append_room(&writer->log, 2 * 8, error)))
            return TS_IO;
        end = ts_put_f64(end, shape->area);
        ts_put_f64(end, shape->inertia);
        TS_TRY(put_outline(writer, shape->outline, error));
    }
    return TS_OK;
}

static ts_status put_boundaries(ts_trajectory_writer *writer, ts_error *error)
{
    const ts_model *model = writer->model;
    unsigned char *end;
    for (size_t i = 0; i < model->boundary_count; i++) {
        const ts_boundary *boundary = &model->boundary[i];
        TS_TRY(ts_trajectory_put_text(&writer->log, boundary->name, error));
        if (!(end = ts_append_room(&writer->log, 2 * 4 + 5 * 8, error)))
            return TS_IO;
        end = ts_put_u32(end, (uint32_t)boundary->kind);
        end = ts_put_u32(end, (uint32_t)boundary->material);
        end = ts_put_f64(end, boundary->x);
        end = ts_put_f64(end, boundary->y);
        end = ts_put_f64(end, boundary->nx);
        end = ts_put_f64(end, boundary->ny);
        ts_put_f64(end, boundary->radius);
        TS_TRY(put_count(writer, boundary->line_count, error));
        for (size_t k = 0; k < boundary->line_count; k++)
            TS_TRY(put_contour(writer, &boundary->line[k], error));
    }
    return TS_OK;
}

static ts_status put_bodies(ts_trajectory_writer *writer, ts_error *error)
{
    const ts_model *model = writer->model;
    for (size_t i = 0; i < model->body_count; i++) {
        unsigned char *end = ts_append_room(&writer->log, TS_HEADER_BODY_BYTES, error);
        if (!end)
            return TS_IO;
        end = ts_put_u32(end, (uint32_t)model->body_shape[i]);
        end = ts_put_u32(end, model->body_material[i]);
        end = ts_put_f64(end, model->body_scale[i]);
        end = ts_put_f64(end, model->body[i].radius);
        end = ts_put_f64(end, ts_model_mass(model, i));
        ts_put_u32(end, model->body[i].inv_mass == 0); /* only fixed bodies have infinite mass */
    }
    return TS_OK;
}

static ts_status put_plane(ts_trajectory_writer *writer, ts_error *error)
{
    const ts_model *model = writer->model;
    unsigned char *end = ts_append_room(&writer->log, 10 * 8, error);
    if (!end)
        return TS_IO;
    end = ts_put_u64(end, model->hash);
    end = ts_put_f64(end, model->settings.time_step);
    end = ts_put_f64(end, model->settings.duration);
    end = ts_put_f64(end, model->settings.frame_interval);
    end = ts_put_f64(end, model->settings.gravity[0]);
    end = ts_put_f64(end, model->settings.gravity[1]);
    end = ts_put_u64(end, model->material_count);
    end = ts_put_u64(end, model->shape_count);
    end = ts_put_u64(end, model->boundary_count);
    ts_put_u64(end, model->body_count);
    for (size_t i = 0; i < model->material_count; i++)
        TS_TRY(ts_trajectory_put_text(&writer->log, model->material_name ? model->material_name[i] : NULL, error));
    TS_TRY(put_shapes(writer, error));
    TS_TRY(put_boundaries(writer, error));
    return put_bodies(writer, error);
}

static ts_status put_header(ts_trajectory_writer *writer, const char *title, ts_error *error)
{
    const ts_model *model = writer->model;
    TS_TRY(put_prefix(writer, header_bytes(model, title), error));
    ts_append_hash_begin(&writer->log);
    TS_TRY(ts_trajectory_put_text(&writer->log, ts_version(), error));
    TS_TRY(ts_trajectory_put_text(&writer->log, title, error));
    TS_TRY(model->dimension == 3 ? ts_trajectory_put_space(&writer->log, model, error) : put_plane(writer, error));
    return put_checksum(writer, error);
}

ts_status ts_trajectory_create(const char *path, const ts_model *model, const char *title,
                               ts_trajectory_writer **writer, ts_error *error)
{
    ts_trajectory_writer *made = ts_alloc(1, sizeof *made);
    if (!made)
        return ts_fail_memory(error, sizeof *made);
    made->model = model;
    made->flags =
        (model->settings.record_contacts && ts_model_can_run(model, NULL) == TS_OK ? TS_TRAJECTORY_HAS_CONTACTS : 0) |
        (model->body_gate ? TS_TRAJECTORY_HAS_BODY_GATES : 0) | (model->dimension == 3 ? TS_TRAJECTORY_IS_SPACE : 0) |
        (model->spring_count > 0 ? TS_TRAJECTORY_HAS_SPRINGS : 0);
    ts_status status = ts_append_create(&made->log, path, error);
    if (status == TS_OK)
        status = put_header(made, title, error);
    if (status == TS_OK)
        status = ts_append_commit(&made->log, error);
    if (status != TS_OK) {
        ts_trajectory_writer_free(made);
        return status;
    }
    made->mark.bytes = made->log.committed;
    *writer = made;
    return TS_OK;
}

/* ---- Resuming ---- */

static bool is_of(const ts_trajectory_header *header, const ts_model *model)
{
    if (header->model_hash != model->hash || (header->space == NULL) != (model->dimension == 2))
        return false;
    if (model->dimension == 3)
        return header->space->body_count == model->body_count && header->space->wall_count == model->wall_count;
    return header->body_count == model->body_count && header->boundary_count == model->boundary_count;
}

/* Checks that `path` is a trajectory of this model in which a whole frame ends at the mark. */
static ts_status check_mark(const char *path, const ts_model *model, const ts_mark *mark, uint32_t *flags,
                            ts_error *error)
{
    ts_trajectory *reader;
    TS_TRY(ts_trajectory_open(path, &reader, error));
    const ts_trajectory_header *header = ts_trajectory_get_header(reader);
    uint64_t end = 0, step = 0;
    ts_frame frame;
    ts_status status = TS_OK;
    if (!is_of(header, model))
        status =
            ts_fail(error, TS_BAD_INPUT, "%s was recorded from another scene; resume with the scene of that run", path);
    else if (mark->count > ts_trajectory_frame_count(reader))
        status = ts_fail(error, TS_CORRUPT,
                         "%s has %" PRIu64 " whole frames but had %" PRIu64
                         " at the checkpoint; it is damaged, start the run anew",
                         path, ts_trajectory_frame_count(reader), mark->count);
    if (status == TS_OK)
        status = ts_trajectory_offset(reader, mark->count, &end, error);
    if (status == TS_OK && mark->count > 0) {
        status = ts_trajectory_read(reader, mark->count - 1, &frame, error);
        step = status == TS_OK ? frame.step : 0;
    }
    if (status == TS_OK && (end != mark->bytes || step != mark->last_step))
        status =
            ts_fail(error, TS_CORRUPT, "%s does not match its checkpoint; it is damaged, start the run anew", path);
    *flags = (header->has_contacts ? TS_TRAJECTORY_HAS_CONTACTS : 0) |
             (header->has_body_gates ? TS_TRAJECTORY_HAS_BODY_GATES : 0) |
             (header->space ? TS_TRAJECTORY_IS_SPACE : 0) | (header->has_springs ? TS_TRAJECTORY_HAS_SPRINGS : 0);
    ts_trajectory_close(reader);
    return status;
}

ts_status ts_trajectory_resume(const char *path, const ts_model *model, const ts_mark *mark,
                               ts_trajectory_writer **writer, ts_error *error)
{
    uint32_t flags;
    TS_TRY(check_mark(path, model, mark, &flags, error));
    ts_trajectory_writer *made = ts_alloc(1, sizeof *made);
    if (!made)
        return ts_fail_memory(error, sizeof *made);
    ts_status status = ts_append_resume(&made->log, path, mark->bytes, error);
    if (status != TS_OK) {
        ts_free(made);
        return status;
    }
    made->model = model;
    made->flags = flags;
    made->mark = *mark;
    *writer = made;
    return TS_OK;
}

/* ---- Frames ---- */

float ts_trajectory_float(double value)
{
    const double most = (double)FLT_MAX;
    return value > most ? FLT_MAX : value < -most ? -FLT_MAX : (float)value;
}

bool ts_trajectory_all_finite(const double *value, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += value[i] * 0; /* NaN where the value is not finite */
    return sum == 0;
}

/* Bytes of a frame's payload after its energies. */
static uint64_t records_bytes(const ts_trajectory_writer *writer, size_t contact_count)
{
    const ts_model *model = writer->model;
    uint64_t gate = writer->flags & TS_TRAJECTORY_HAS_BODY_GATES ? 1 : 0;
    if (model->dimension == 3)
        return model->wall_count * TS_FRAME_WALL3_BYTES + model->body_count * (TS_FRAME_BODY3_BYTES + gate) +
               contact_count * TS_FRAME_CONTACT3_BYTES;
    return model->boundary_count * TS_FRAME_BOUNDARY_BYTES + model->body_count * (TS_FRAME_BODY_BYTES + gate) +
           contact_count * TS_FRAME_CONTACT_BYTES;
}

static ts_status put_frame_head(ts_trajectory_writer *writer, const ts_state *state, double elastic,
                                size_t contact_count, ts_error *error)
{
    const ts_model *model = writer->model;
    uint64_t size = TS_FRAME_COUNT_BYTES + TS_FRAME_ENERGY_BYTES + records_bytes(writer, contact_count);
    unsigned char bytes[TS_FRAME_HEAD_BYTES + TS_FRAME_COUNT_BYTES + TS_FRAME_ENERGY_BYTES], *end = bytes;
    end = ts_put_u32(end, TS_FRAME_MAGIC);
    end = ts_put_u32(end, TS_FRAME_STATE);
    end = ts_put_u64(end, size);
    end = ts_put_u64(end, state->step);
    end = ts_put_f64(end, ts_time_of_step(model, state->step));
    end = ts_put_u64(end, ts_hash(bytes, (size_t)(end - bytes), 0));
    end = ts_put_u64(end, contact_count);
    end = ts_put_f64(end, elastic);
    end = ts_put_f64(end, state->budget.work);
    end = ts_put_f64(end, state->budget.lost_normal);
    end = ts_put_f64(end, state->budget.lost_tangential);
    ts_put_f64(end, state->budget.lost_friction);
    return ts_append_bytes(&writer->log, bytes, sizeof bytes, error);
}

static ts_status put_frame_boundaries(ts_trajectory_writer *writer, double time, ts_error *error)
{
    const ts_model *model = writer->model;
    for (size_t i = 0; i < model->boundary_count; i++) {
        const ts_boundary *boundary = &model->boundary[i];
        unsigned char *end = ts_append_room(&writer->log, TS_FRAME_BOUNDARY_BYTES, error);
        if (!end)
            return TS_IO;
        ts_pose2 pose = {boundary->x, boundary->y, 0};
        if (boundary->motion >= 0)
            pose = ts_motion_pose(&model->motion[boundary->motion], pose, time);
        end = ts_put_f64(end, pose.x);
        end = ts_put_f64(end, pose.y);
        end = ts_put_f64(end, pose.angle);
        ts_put_u8(end, !(boundary->open <= time && time < boundary->close));
    }
    return TS_OK;
}

static ts_status put_frame_bodies(ts_trajectory_writer *writer, const ts_state *state, double time, ts_error *error)
{
    const ts_model *model = writer->model;
    bool gates = writer->flags & TS_TRAJECTORY_HAS_BODY_GATES;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body *body = &state->body[i];
        unsigned char *end = ts_append_room(&writer->log, TS_FRAME_BODY_BYTES + gates, error);
        if (!end)
            return TS_IO;
        if (!ts_trajectory_all_finite((const double[]){body->x, body->y, body->angle, body->vx, body->vy, body->spin},
                                      6))
            return ts_fail(error, TS_DIVERGED,
                           "body %zu is not at a finite place at step %" PRIu64 "; take smaller steps", i, state->step);
        end = ts_put_f64(end, body->x);
        end = ts_put_f64(end, body->y);
        end = ts_put_f64(end, body->angle);
        end = ts_put_f32(end, ts_trajectory_float(body->vx));
        end = ts_put_f32(end, ts_trajectory_float(body->vy));
        end = ts_put_f32(end, ts_trajectory_float(body->spin));
        if (gates)
            ts_put_u8(end, !ts_body_absent(model, i, time));
    }
    return TS_OK;
}

static ts_status put_frame_contacts(ts_trajectory_writer *writer, const ts_contact *contact, size_t count,
                                    ts_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const ts_contact *c = &contact[i];
        unsigned char *end = ts_append_room(&writer->log, TS_FRAME_CONTACT_BYTES, error);
        if (!end)
            return TS_IO;
        if (!ts_trajectory_all_finite((const double[]){c->point_a[0], c->point_a[1], c->gap, c->normal[0], c->normal[1],
                                                       c->force[0], c->force[1], c->history[0], c->weight},
                                      9))
            return ts_fail(error, TS_DIVERGED,
                           "the contact of %" PRId64 " and %" PRId64 " is not finite; take smaller steps", c->a, c->b);
        end = ts_put_u64(end, (uint64_t)c->a);
        end = ts_put_u64(end, (uint64_t)c->b);
        end = ts_put_u64(end, c->key);
        end = ts_put_f64(end, c->point_a[0]);
        end = ts_put_f64(end, c->point_a[1]);
        end = ts_put_f32(end, ts_trajectory_float(c->gap));
        end = ts_put_f32(end, ts_trajectory_float(c->normal[0]));
        end = ts_put_f32(end, ts_trajectory_float(c->normal[1]));
        end = ts_put_f32(end, ts_trajectory_float(c->force[0]));
        end = ts_put_f32(end, ts_trajectory_float(c->force[1]));
        end = ts_put_f32(end, ts_trajectory_float(c->history[0]));
        ts_put_f32(end, ts_trajectory_float(c->weight));
    }
    return TS_OK;
}

static ts_status put_plane_frame(ts_trajectory_writer *writer, const ts_state *state, const ts_contact *contact,
                                 size_t contact_count, ts_error *error)
{
    double time = ts_time_of_step(writer->model, state->step), elastic = 0;
    for (size_t k = 0; k < contact_count; k++)
        if (writer->model->resolver->energy)
            elastic += writer->model->resolver->energy(writer->model, &contact[k]);
    TS_TRY(put_frame_head(writer, state, elastic, contact_count, error));
    TS_TRY(put_frame_boundaries(writer, time, error));
    TS_TRY(put_frame_bodies(writer, state, time, error));
    return put_frame_contacts(writer, contact, contact_count, error);
}

static ts_status put_space_frame(ts_trajectory_writer *writer, const ts_state *state, const ts_contact *contact,
                                 size_t contact_count, ts_error *error)
{
    bool gates = writer->flags & TS_TRAJECTORY_HAS_BODY_GATES;
    TS_TRY(put_frame_head(writer, state, ts_trajectory_spring_energy(state), contact_count, error));
    return ts_trajectory_put_frame3(&writer->log, state, gates, contact, contact_count, error);
}

static ts_status begin_frame(ts_trajectory_writer *writer, const ts_state *state, size_t *contact_count,
                             ts_error *error)
{
    if (writer->mark.count > 0 && state->step <= writer->mark.last_step)
        return ts_fail(error, TS_BAD_INPUT, "a frame of step %" PRIu64 " cannot follow one of step %" PRIu64,
                       state->step, writer->mark.last_step);
    if (!(writer->flags & TS_TRAJECTORY_HAS_CONTACTS))
        *contact_count = 0;
    ts_append_hash_begin(&writer->log);
    return TS_OK;
}

/* `status`: of what was put into the frame. */
static ts_status end_frame(ts_trajectory_writer *writer, const ts_state *state, ts_status status, ts_error *error)
{
    if (status == TS_OK)
        status = put_checksum(writer, error);
    if (status == TS_OK)
        status = ts_append_commit(&writer->log, error);
    if (status != TS_OK) {
        ts_append_rollback(&writer->log);
        return status;
    }
    writer->mark = (ts_mark){writer->log.committed, writer->mark.count + 1, state->step};
    return TS_OK;
}

ts_status ts_trajectory_append(ts_trajectory_writer *writer, const ts_state *state, const ts_contact *contact,
                               size_t contact_count, ts_error *error)
{
    TS_TRY(begin_frame(writer, state, &contact_count, error));
    ts_status status = (writer->model->dimension == 3 ? put_space_frame : put_plane_frame)(writer, state, contact,
                                                                                           contact_count, error);
    return end_frame(writer, state, status, error);
}

ts_mark ts_trajectory_here(const ts_trajectory_writer *writer)
{
    return writer->mark;
}

ts_status ts_trajectory_sync(ts_trajectory_writer *writer, ts_error *error)
{
    return ts_append_sync(&writer->log, error);
}

void ts_trajectory_writer_free(ts_trajectory_writer *writer)
{
    if (!writer)
        return;
    ts_append_close(&writer->log);
    ts_free(writer);
}
