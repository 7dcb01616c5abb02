/* SPDX-License-Identifier: MIT */
/* A trajectory's header, out of untrusted bytes. */
#include <math.h>
#include <string.h>

#include "record/trajectory_format.h"

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

/* Each of the following returns false when memory is short or the bytes make no sense (then from->bad is set). */

static bool take_materials(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    const char **name = take_array(arena, from, header->material_count, 4, sizeof *name);
    for (size_t i = 0; name && i < header->material_count; i++)
        if (!(name[i] = take_text(arena, from)))
            return false;
    header->material_name = name;
    return name != NULL;
}

static bool take_shapes(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    ts_trajectory_shape *shape = take_array(arena, from, header->shape_count, 12, sizeof *shape);
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
    }
    header->shape = shape;
    return shape != NULL && !from->bad;
}

static bool take_boundaries(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    ts_trajectory_boundary *boundary = take_array(arena, from, header->boundary_count, 52, sizeof *boundary);
    for (size_t i = 0; boundary && i < header->boundary_count; i++) {
        ts_trajectory_boundary *b = &boundary[i];
        if (!(b->name = take_text(arena, from)))
            return false;
        uint32_t kind = ts_take_u32(from), material = ts_take_u32(from);
        b->x = ts_take_f64(from);
        b->y = ts_take_f64(from);
        b->nx = ts_take_f64(from);
        b->ny = ts_take_f64(from);
        b->radius = ts_take_f64(from);
        bool known = kind == TS_BOUNDARY_HALF_PLANE || kind == TS_BOUNDARY_CIRCLE;
        bool finite = isfinite(b->x) && isfinite(b->y) && isfinite(b->nx) && isfinite(b->ny) && isfinite(b->radius);
        if (!known || !finite || material >= header->material_count)
            from->bad = true;
        else
            b->kind = (ts_boundary_kind)kind, b->material = (int32_t)material;
    }
    header->boundary = boundary;
    return boundary != NULL && !from->bad;
}

static bool take_bodies(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    ts_trajectory_body *body = take_array(arena, from, header->body_count, TS_HEADER_BODY_BYTES, sizeof *body);
    for (size_t i = 0; body && i < header->body_count; i++) {
        uint32_t shape = ts_take_u32(from), material = ts_take_u32(from);
        double scale = ts_take_f64(from), radius = ts_take_f64(from), mass = ts_take_f64(from);
        bool fixed = ts_take_u32(from) != 0;
        if (shape >= header->shape_count || material >= header->material_count || !isfinite(scale) || scale <= 0 ||
            !isfinite(radius) || radius <= 0 || !isfinite(mass) || mass < 0)
            from->bad = true;
        else
            body[i] = (ts_trajectory_body){scale, radius, mass, (int32_t)shape, (int32_t)material, fixed};
    }
    header->body = body;
    return body != NULL && !from->bad;
}

static bool take_counts(ts_trajectory_header *header, ts_bytes *from)
{
    uint64_t count[4];
    header->model_hash = ts_take_u64(from);
    header->time_step = ts_take_f64(from);
    header->duration = ts_take_f64(from);
    header->frame_interval = ts_take_f64(from);
    header->gravity[0] = ts_take_f64(from);
    header->gravity[1] = ts_take_f64(from);
    for (int i = 0; i < 4; i++)
        count[i] = ts_take_u64(from);
    bool finite = isfinite(header->time_step) && isfinite(header->duration) && isfinite(header->frame_interval) &&
                  isfinite(header->gravity[0]) && isfinite(header->gravity[1]);
    /* indices are int32 in memory; bodies are bounded by the size of the file */
    if (!finite || count[0] > INT32_MAX || count[1] > INT32_MAX || count[2] > INT32_MAX || count[3] > SIZE_MAX)
        from->bad = true;
    header->material_count = (size_t)count[0];
    header->shape_count = (size_t)count[1];
    header->boundary_count = (size_t)count[2];
    header->body_count = (size_t)count[3];
    return !from->bad;
}

ts_status ts_trajectory_parse_header(ts_bytes from, ts_arena *arena, ts_trajectory_header *header, const char *path,
                                     ts_error *error)
{
    bool read = (header->producer = take_text(arena, &from)) && (header->title = take_text(arena, &from)) &&
                take_counts(header, &from) && take_materials(arena, header, &from) &&
                take_shapes(arena, header, &from) && take_boundaries(arena, header, &from) &&
                take_bodies(arena, header, &from);
    if (!read && !from.bad)
        return ts_fail_memory(error, 0);
    if (!read || from.left > 0)
        return ts_fail(error, TS_CORRUPT, "%s is damaged: its header makes no sense; record the run again", path);
    return TS_OK;
}
