/* SPDX-License-Identifier: MIT */
/* A trajectory's header, out of untrusted bytes. */
#include <math.h>
#include <string.h>

#include "record/trajectory_format.h"
#include "scene/scene.h"
#include "shape/discs.h"

const char *ts_trajectory_take_text(ts_arena *arena, ts_bytes *from)
{
    uint32_t length = ts_take_u32(from);
    const unsigned char *text = ts_take(from, length);
    if (!text || memchr(text, 0, length)) {
        from->bad = true;
        return NULL;
    }
    return ts_arena_text(arena, (const char *)text, length); /* NULL: out of memory, from->bad stays false */
}

void *ts_trajectory_take_array(ts_arena *arena, ts_bytes *from, uint64_t count, size_t disk_bytes, size_t size)
{
    if (count > from->left / disk_bytes) {
        from->bad = true;
        return NULL;
    }
    return ts_arena_alloc(arena, count > 0 ? (size_t)count : 1, size);
}

const char *const *ts_trajectory_take_texts(ts_arena *arena, ts_bytes *from, uint64_t count)
{
    const char **text = ts_trajectory_take_array(arena, from, count, 4, sizeof *text);
    for (size_t i = 0; text && i < count; i++)
        if (!(text[i] = ts_trajectory_take_text(arena, from)))
            return NULL;
    return text;
}

/* Each of the following returns false when memory is short or the bytes make no sense (then from->bad is set). */

/* A curve of an outline or a wall. */
static bool take_contour(ts_arena *arena, ts_bytes *from, ts_contour *contour)
{
    uint64_t count = ts_take_u64(from);
    uint32_t open = ts_take_u32(from);
    ts_vertex *vertex = ts_trajectory_take_array(arena, from, count, TS_VERTEX_BYTES, sizeof *vertex);
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
    *contour = ts_trajectory_take_array(arena, from, there, TS_CONTOUR_HEAD_BYTES, sizeof **contour);
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
    ts_trajectory_shape *shape = ts_trajectory_take_array(arena, from, header->shape_count, 12, sizeof *shape);
    header->shape = shape; /* at once: what it holds must be freed even if the rest fails */
    for (size_t i = 0; shape && i < header->shape_count; i++) {
        if (!(shape[i].name = ts_trajectory_take_text(arena, from)))
            return false;
        uint64_t count = ts_take_u64(from);
        ts_disc *disc = ts_trajectory_take_array(arena, from, count, 24, sizeof *disc);
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
static bool take_lines(ts_arena *arena, ts_bytes *from, ts_trajectory_boundary *b, bool plain)
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

static bool take_boundaries(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    ts_trajectory_boundary *boundary =
        ts_trajectory_take_array(arena, from, header->boundary_count, 52, sizeof *boundary);
    header->boundary = boundary;
    for (size_t i = 0; boundary && i < header->boundary_count; i++) {
        ts_trajectory_boundary *b = &boundary[i];
        if (!(b->name = ts_trajectory_take_text(arena, from)))
            return false;
        uint32_t kind = ts_take_u32(from), material = ts_take_u32(from);
        b->x = ts_take_f64(from);
        b->y = ts_take_f64(from);
        b->nx = ts_take_f64(from);
        b->ny = ts_take_f64(from);
        b->radius = ts_take_f64(from);
        bool plain = kind == TS_BOUNDARY_HALF_PLANE || kind == TS_BOUNDARY_CIRCLE;
        bool known = plain || (header->version > 1 && (kind == TS_BOUNDARY_POLYLINE || kind == TS_BOUNDARY_OUTLINE));
        bool finite = isfinite(b->x) && isfinite(b->y) && isfinite(b->nx) && isfinite(b->ny) && isfinite(b->radius);
        if (!known || !finite || material >= header->material_count)
            from->bad = true;
        else
            b->kind = (ts_boundary_kind)kind, b->material = (int32_t)material;
        if (from->bad || (header->version > 1 && !take_lines(arena, from, b, plain)))
            return false;
    }
    return boundary != NULL && !from->bad;
}

static bool take_bodies(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from)
{
    ts_trajectory_body *body =
        ts_trajectory_take_array(arena, from, header->body_count, TS_HEADER_BODY_BYTES, sizeof *body);
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

ts_status ts_trajectory_parse_header(ts_bytes from, bool space, ts_arena *arena, ts_trajectory_header *header,
                                     const char *path, ts_error *error)
{
    bool read = (header->producer = ts_trajectory_take_text(arena, &from)) &&
                (header->title = ts_trajectory_take_text(arena, &from));
    if (space)
        read = read && ts_trajectory_take_space(arena, header, &from);
    else
        read = read && take_counts(header, &from) &&
               (header->material_name = ts_trajectory_take_texts(arena, &from, header->material_count)) &&
               take_shapes(arena, header, &from) && take_boundaries(arena, header, &from) &&
               take_bodies(arena, header, &from);
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
    for (size_t i = 0; header->boundary && i < header->boundary_count; i++)
        ts_distance_free((ts_distance *)header->boundary[i].reach);
    header->shape = NULL;
    header->boundary = NULL;
}
