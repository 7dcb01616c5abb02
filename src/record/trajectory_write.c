/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "dynamics/dynamics.h"
#include "placed.h"
#include "record/append.h"
#include "record/trajectory.h"
#include "record/trajectory_format.h"

struct ts_trajectory_writer {
    ts_append log; /* first: it is aligned to a cache line */
    const ts_model *model;
    const ts_record_kind *kind;
    uint32_t flags; /* of the file: TS_TRAJECTORY_HAS_… */
    ts_mark mark;
};

static ts_status put_checksum(ts_trajectory_writer *writer, ts_error *error)
{
    unsigned char bytes[TS_CHECKSUM_BYTES];
    ts_put_u64(bytes, ts_append_hash_end(&writer->log));
    return ts_append_bytes(&writer->log, bytes, sizeof bytes, error);
}

/* ---- Header ---- */

static ts_status put_prefix(ts_trajectory_writer *writer, uint64_t size, ts_error *error)
{
    unsigned char bytes[TS_PREFIX_BYTES], *end = bytes + sizeof ts_trajectory_magic;
    memcpy(bytes, ts_trajectory_magic, sizeof ts_trajectory_magic);
    end = ts_put_u32(end, writer->kind->version);
    end = ts_put_u32(end, writer->flags);
    end = ts_put_u64(end, size);
    ts_put_u64(end, ts_hash(bytes, (size_t)(end - bytes), 0));
    return ts_append_bytes(&writer->log, bytes, sizeof bytes, error);
}

static ts_status put_header(ts_trajectory_writer *writer, const char *title, ts_error *error)
{
    TS_AUTO_FREE unsigned char *bytes = NULL;
    size_t size;
    TS_TRY(ts_trajectory_write_header(writer->model, title, &bytes, &size, error));
    TS_TRY(put_prefix(writer, size, error));
    ts_append_hash_begin(&writer->log);
    TS_TRY(ts_append_bytes(&writer->log, bytes, size, error));
    return put_checksum(writer, error);
}

static uint32_t flags_of(bool contacts, bool gates, const ts_record_kind *kind, bool springs, bool weights)
{
    return (contacts ? TS_TRAJECTORY_HAS_CONTACTS : 0) | (gates ? TS_TRAJECTORY_HAS_BODY_GATES : 0) | kind->flag |
           (springs ? TS_TRAJECTORY_HAS_SPRINGS : 0) | (weights ? TS_TRAJECTORY_HAS_WEIGHTS : 0);
}

ts_status ts_trajectory_create(const char *path, const ts_model *model, const char *title,
                               ts_trajectory_writer **writer, ts_error *error)
{
    TS_AUTO(ts_trajectory_writer_free_at) ts_trajectory_writer *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->model = model;
    made->kind = ts_record_kind_of(model->dimension);
    bool contacts = model->settings.record_contacts && ts_model_can_run(model, NULL) == TS_OK;
    made->flags =
        flags_of(contacts, model->body_gate != NULL, made->kind, model->spring_count > 0, model->smooth_count > 0);
    TS_TRY(ts_append_create(&made->log, path, error));
    TS_TRY(put_header(made, title, error));
    TS_TRY(ts_append_commit(&made->log, error));
    made->mark.bytes = made->log.committed;
    *writer = ts_give(&made);
    return TS_OK;
}

/* ---- Resuming ---- */

static bool is_of(const ts_trajectory_header *header, const ts_model *model)
{
    return header->model_hash == model->hash && header->dimension == model->dimension &&
           header->body_count == model->body_count && header->wall_count == model->wall_count;
}

/* Checks that `path` is a trajectory of this model in which a whole frame ends at the mark. */
static ts_status check_mark(const char *path, const ts_model *model, const ts_mark *mark, uint32_t *flags,
                            ts_error *error)
{
    TS_AUTO(ts_trajectory_close_at) ts_trajectory *reader = NULL;
    TS_TRY(ts_trajectory_open(path, &reader, error));
    const ts_trajectory_header *header = ts_trajectory_get_header(reader);
    uint64_t end = 0;
    ts_frame frame = {0};
    *flags =
        flags_of(header->has_contacts, header->has_body_gates, header->kind, header->has_springs, header->has_weights);
    if (!is_of(header, model))
        return ts_fail(error, TS_BAD_INPUT, "%s was recorded from another scene; resume with the scene of that run",
                       path);
    if (mark->count > ts_trajectory_frame_count(reader))
        return ts_fail(error, TS_CORRUPT,
                       "%s has %" PRIu64 " whole frames but had %" PRIu64
                       " at the checkpoint; it is damaged, start the run anew",
                       path, ts_trajectory_frame_count(reader), mark->count);
    TS_TRY(ts_trajectory_offset(reader, mark->count, &end, error));
    if (mark->count > 0)
        TS_TRY(ts_trajectory_read(reader, mark->count - 1, &frame, error));
    if (end != mark->bytes || frame.step != mark->last_step)
        return ts_fail(error, TS_CORRUPT, "%s does not match its checkpoint; it is damaged, start the run anew", path);
    return TS_OK;
}

ts_status ts_trajectory_resume(const char *path, const ts_model *model, const ts_mark *mark,
                               ts_trajectory_writer **writer, ts_error *error)
{
    uint32_t flags;
    TS_TRY(check_mark(path, model, mark, &flags, error));
    TS_AUTO(ts_free_at) ts_trajectory_writer *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    TS_TRY(ts_append_resume(&made->log, path, mark->bytes, error));
    made->model = model;
    made->kind = ts_record_kind_of(model->dimension);
    made->flags = flags;
    made->mark = *mark;
    *writer = ts_give(&made);
    return TS_OK;
}

/* ---- Frames ---- */

/* A double too large for a float becomes the largest float: converting it would be undefined. */
static float to_float(double value)
{
    const double most = (double)FLT_MAX;
    return value > most ? FLT_MAX : value < -most ? -FLT_MAX : (float)value;
}

static bool is_finite(const double *value, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += value[i] * 0; /* NaN where the value is not finite */
    return sum == 0;
}

static ts_record_sizes sizes_of(const ts_trajectory_writer *writer)
{
    return ts_record_sizes_of(writer->kind, writer->flags & TS_TRAJECTORY_HAS_BODY_GATES,
                              writer->flags & TS_TRAJECTORY_HAS_WEIGHTS);
}

/* A record that is written to the end of the file; `to` is NULL when the disk refuses. */
static ts_archive new_record(ts_trajectory_writer *writer, size_t size, ts_error *error)
{
    unsigned char *to = ts_append_room(&writer->log, size, error);
    return (ts_archive){.to = to, .end = to ? to + size : NULL};
}

static ts_status put_frame_head(ts_trajectory_writer *writer, const ts_state *state, double elastic,
                                size_t contact_count, ts_error *error)
{
    const ts_model *model = writer->model;
    const ts_record_sizes each = sizes_of(writer);
    uint64_t size = TS_FRAME_COUNT_BYTES + TS_FRAME_ENERGY_BYTES + model->wall_count * each.wall +
                    model->body_count * each.body + contact_count * each.contact;
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

static ts_status put_walls(ts_trajectory_writer *writer, double time, ts_error *error)
{
    for (size_t i = 0; i < writer->model->wall_count; i++) {
        ts_placed at = ts_placed_wall(writer->model, i, time);
        ts_frame_wall wall = {at.pose, at.angle, at.present};
        ts_archive record = new_record(writer, sizes_of(writer).wall, error);
        if (!record.to)
            return TS_IO;
        ts_record_wall(&record, writer->kind, &wall);
    }
    return TS_OK;
}

static ts_status put_bodies(ts_trajectory_writer *writer, const ts_state *state, ts_error *error)
{
    for (size_t i = 0; i < writer->model->body_count; i++) {
        const ts_placed at = ts_placed_body(state, i);
        const ts_vec3 p = at.pose.position, v = at.velocity, w = at.spin;
        const ts_quat q = at.pose.quat;
        ts_archive record = new_record(writer, sizes_of(writer).body, error);
        if (!record.to)
            return TS_IO;
        const double all[14] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z, at.angle, v.x, v.y, v.z, w.x, w.y, w.z};
        if (!is_finite(all, 14))
            return ts_fail(error, TS_DIVERGED,
                           "body %zu is not at a finite place at step %" PRIu64 "; take smaller steps", i, state->step);
        ts_frame_body body = {.pose = at.pose,
                              .angle = at.angle,
                              .velocity = {to_float(v.x), to_float(v.y), to_float(v.z)},
                              .spin = {to_float(w.x), to_float(w.y), to_float(w.z)},
                              .present = at.present};
        ts_record_body(&record, writer->kind, writer->flags & TS_TRAJECTORY_HAS_BODY_GATES, &body);
    }
    return TS_OK;
}

static ts_status put_contacts(ts_trajectory_writer *writer, const ts_contact *contact, size_t count, ts_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const ts_contact *c = &contact[i];
        ts_archive record = new_record(writer, sizes_of(writer).contact, error);
        if (!record.to)
            return TS_IO;
        if (!is_finite(c->point_a, 3) || !is_finite(c->normal, 3) || !is_finite(c->force, 3) ||
            !is_finite((const double[]){c->gap, c->history[0], c->weight}, 3))
            return ts_fail(error, TS_DIVERGED,
                           "the contact of %" PRId64 " and %" PRId64 " is not finite; take smaller steps", c->a, c->b);
        ts_frame_contact to = {.a = c->a,
                               .b = c->b,
                               .key = c->key,
                               .gap = to_float(c->gap),
                               .spring = to_float(c->history[0]),
                               .weight = to_float(c->weight)};
        for (int k = 0; k < 3; k++) {
            to.point[k] = c->point_a[k];
            to.normal[k] = to_float(c->normal[k]);
            to.force[k] = to_float(c->force[k]);
        }
        ts_record_contact(&record, writer->kind, writer->flags & TS_TRAJECTORY_HAS_WEIGHTS, &to);
    }
    return TS_OK;
}

static ts_status put_frame(ts_trajectory_writer *writer, const ts_state *state, const ts_contact *contact,
                           size_t contact_count, ts_error *error)
{
    double elastic = ts_placed_spring_energy(state);
    for (size_t k = 0; k < contact_count; k++)
        if (writer->model->resolver && writer->model->resolver->energy)
            elastic += writer->model->resolver->energy(writer->model, &contact[k]);
    /* springs of contacts that are not recorded are not known; the frame says so, or its reader */
    bool recorded = writer->flags & TS_TRAJECTORY_HAS_CONTACTS;
    if (writer->kind->tells_elastic && !recorded && writer->model->resolver && writer->model->resolver->energy &&
        ts_dynamics_knows_energy(writer->model->dynamics))
        elastic = (double)NAN;
    TS_TRY(put_frame_head(writer, state, elastic, contact_count, error));
    TS_TRY(put_walls(writer, ts_time_of_step(writer->model, state->step), error));
    TS_TRY(put_bodies(writer, state, error));
    return put_contacts(writer, contact, contact_count, error);
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
    return end_frame(writer, state, put_frame(writer, state, contact, contact_count, error), error);
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
