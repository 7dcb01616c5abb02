/* SPDX-License-Identifier: MIT */
/* Binary glTF 2.0: one mesh a shape, one node a body, and an animation that moves the nodes.
 *
 *     header │ JSON: nodes, channels, where the arrays are │ BIN: meshes │ times │ translations │ rotations │ scales
 *                                                                               body 0: all frames, body 1: all frames, …
 *
 * glTF wants the values of one body together, a trajectory has those of one frame together. So a chunk of frames, as many as a
 * buffer of fixed size holds, is turned around in memory and each body's part of it written to its place.
 *
 * glTF is y up with x to the right, as we are: nothing is turned. Bodies that come and go are scaled to zero while they are
 * away; only they have a scale channel (and boundaries, which are few). */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/bytes.h"
#include "record/colour.h"
#include "record/export.h"

/* Bytes of a chunk of frames: large enough that a body's part of it is worth a write of its own. */
#define CHUNK_BYTES ((size_t)64 << 20)
/* JSON of one node with its channels is never longer, so a file that is too large is known before it is written. */
enum { NODE_TEXT = 1000 };

enum { VERTICES, INDICES, TIMES, TRANSLATIONS, ROTATIONS, SCALES, VIEW_COUNT };
enum { NO_SCALE = UINT32_MAX };

typedef struct gltf {
    const ts_export_job *job;
    const ts_trajectory_header *header;
    ts_export_range range;
    ts_mesh3 *solid;       /* of each shape */
    ts_export_lines lines; /* of all boundaries, local */
    size_t *line_end;      /* curves up to and with each boundary (boundary_count) */
    size_t items;          /* bodies, then boundaries that have curves or not */
    uint32_t *scaled;      /* rank of an item among those that come and go, NO_SCALE for others (items) */
    size_t scaled_count;
    signed char *sign;                                     /* of the last quaternion written (items) */
    uint64_t length[VIEW_COUNT], begin[VIEW_COUNT], bytes; /* of the arrays, in BIN; all of BIN */
    ts_draft draft;
    uint64_t bin; /* where BIN's bytes begin in the file */
    uint64_t done, work;
} gltf;

/* An item at one moment. */
typedef struct pose {
    double x, y, angle, scale;
    bool present;
} pose;

static pose pose_of(const gltf *g, const ts_frame *frame, size_t item)
{
    size_t bodies = g->header->body_count;
    if (item < bodies) {
        const ts_frame_body *b = &frame->body[item];
        return (pose){b->x, b->y, b->angle, g->header->body[item].scale, b->present};
    }
    const ts_frame_boundary *b = &frame->boundary[item - bodies];
    return (pose){b->x, b->y, b->angle, 1, b->present};
}

/* ---- What there is ---- */

static ts_status find_meshes(gltf *g, ts_error *error)
{
    ts_mesh2 *flat;
    TS_TRY(ts_export_meshes(g->job, &flat, error));
    double depth = ts_export_depth(g->job);
    ts_status status = TS_OK;
    g->solid = ts_alloc(g->header->shape_count, sizeof *g->solid);
    if (!g->solid)
        status = ts_fail_memory(error, g->header->shape_count * sizeof *g->solid);
    for (size_t i = 0; i < g->header->shape_count && status == TS_OK; i++)
        status = ts_mesh2_extrude(&flat[i], depth, &g->solid[i], error);
    ts_export_meshes_free(g->job, flat);
    return status;
}

static ts_status find_lines(gltf *g, ts_error *error)
{
    ts_export_box box;
    ts_frame frame;
    if (g->header->boundary_count == 0)
        return TS_OK;
    g->line_end = ts_alloc(g->header->boundary_count, sizeof *g->line_end);
    if (!g->line_end)
        return ts_fail_memory(error, g->header->boundary_count * sizeof *g->line_end);
    TS_TRY(ts_export_survey(g->job, &g->range, &box, error));
    TS_TRY(ts_trajectory_read(g->job->reader, g->range.first, &frame, error));
    for (size_t i = 0; i < g->header->boundary_count; i++) {
        TS_TRY(ts_export_boundary_lines(g->job, &frame, &box, i, false, &g->lines, error));
        g->line_end[i] = g->lines.begin.count;
    }
    return TS_OK;
}

/* Which bodies come and go: that takes a look at all frames, but only of runs that have gates. */
static ts_status find_gates(gltf *g, ts_error *error)
{
    size_t bodies = g->header->body_count;
    g->scaled = ts_alloc_raw(g->items, sizeof *g->scaled);
    g->sign = ts_alloc_raw(g->items, 1);
    if (!g->scaled || !g->sign)
        return ts_fail_memory(error, g->items * sizeof *g->scaled);
    memset(g->scaled, 0xff, g->items * sizeof *g->scaled);
    memset(g->sign, 1, g->items);
    g->work = g->header->has_body_gates ? 2 * g->range.total : g->range.total;
    for (uint64_t k = 0; k < g->range.total && g->header->has_body_gates; k++) {
        ts_frame frame;
        TS_TRY(ts_trajectory_read(g->job->reader, ts_export_index(&g->range, k), &frame, error));
        for (size_t i = 0; i < bodies; i++)
            if (!frame.body[i].present)
                g->scaled[i] = 0;
        TS_TRY(ts_export_tick(g->job, ++g->done, g->work, NULL, error));
    }
    for (size_t i = 0; i < g->items; i++)
        if (i >= bodies || g->scaled[i] == 0)
            g->scaled[i] = (uint32_t)g->scaled_count++;
    return TS_OK;
}

static bool is_animated(const gltf *g)
{
    return g->range.total > 1;
}

static void lay_out(gltf *g)
{
    uint64_t frames = is_animated(g) ? g->range.total : 0;
    for (size_t i = 0; i < g->header->shape_count; i++) {
        g->length[VERTICES] += 24 * (uint64_t)g->solid[i].vertex_count;
        g->length[INDICES] += 4 * (uint64_t)g->solid[i].index_count;
    }
    g->length[VERTICES] += 12 * (uint64_t)g->lines.point.count;
    g->length[TIMES] = 4 * frames;
    g->length[TRANSLATIONS] = 12 * frames * g->items;
    g->length[ROTATIONS] = 16 * frames * g->items;
    g->length[SCALES] = 12 * frames * g->scaled_count;
    for (int k = 0; k < VIEW_COUNT; k++) {
        g->begin[k] = g->bytes;
        g->bytes += g->length[k];
    }
}

static ts_status refuse_size(const gltf *g, ts_error *error)
{
    uint64_t fixed = g->begin[TIMES] + NODE_TEXT * (uint64_t)g->items, most = UINT32_MAX - 65536;
    uint64_t frame = 28 * (uint64_t)g->items + 12 * (uint64_t)g->scaled_count + 4;
    if (fixed + frame > most)
        return ts_fail(error, TS_BAD_INPUT,
                       "%zu bodies do not fit into a glb file, which ends at 4 GiB; export them as vtk or usda",
                       g->header->body_count);
    uint64_t fit = (most - fixed) / frame, every = (g->range.total - 1) / fit + 1;
    return ts_fail(error, TS_BAD_INPUT,
                   "%" PRIu64 " frames of %zu bodies do not fit into a glb file, which ends at 4 GiB; take fewer with "
                   "--frames ::%" PRIu64,
                   g->range.total, g->header->body_count, every * g->range.every);
}

/* ---- JSON ---- */

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 32)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

static double linear(double srgb)
{
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
}

static void put_materials(const gltf *g, FILE *out)
{
    fputs(",\n\"materials\":[", out);
    for (size_t i = 0; i <= g->header->shape_count; i++) {
        bool line = i == g->header->shape_count;
        ts_colour c = line ? ts_colour_of(0x404040) : ts_colour_kind(i);
        fprintf(out,
                "%s{\"name\":\"%s %zu\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.4f,%.4f,%.4f,1],"
                "\"metallicFactor\":0,\"roughnessFactor\":0.7}%s}",
                i ? ",\n" : "", line ? "boundary" : "shape", line ? (size_t)0 : i, linear(c.r), linear(c.g),
                linear(c.b), ts_export_depth(g->job) > 0 ? "" : ",\"doubleSided\":true");
    }
    putc(']', out);
}

/* Accessors: position, normal, index of each shape; points of each curve; times; then one for each item and channel. */
static size_t curve_accessor(const gltf *g, size_t curve)
{
    return 3 * g->header->shape_count + curve;
}
static size_t channel_accessor(const gltf *g, int view, size_t rank)
{
    size_t times = curve_accessor(g, g->lines.begin.count);
    return times + 1 + (view == TRANSLATIONS ? 0 : view == ROTATIONS ? g->items : 2 * g->items) + rank;
}

static void put_meshes(const gltf *g, FILE *out)
{
    fputs(",\n\"meshes\":[", out);
    for (size_t i = 0; i < g->header->shape_count; i++) {
        char fallback[32];
        snprintf(fallback, sizeof fallback, "shape %zu", i);
        fprintf(out, "%s{\"name\":", i ? ",\n" : "");
        put_text(out, g->header->shape[i].name[0] ? g->header->shape[i].name : fallback);
        fprintf(
            out,
            ",\"primitives\":[{\"attributes\":{\"POSITION\":%zu,\"NORMAL\":%zu},\"indices\":%zu,\"material\":%zu}]}",
            3 * i, 3 * i + 1, 3 * i + 2, i);
    }
    for (size_t i = 0, curve = 0; i < g->header->boundary_count; i++) {
        if (g->line_end[i] == curve)
            continue;
        fprintf(out, ",\n{\"name\":\"boundary %zu\",\"primitives\":[", i);
        for (bool more = false; curve < g->line_end[i]; curve++, more = true)
            fprintf(out, "%s{\"attributes\":{\"POSITION\":%zu},\"mode\":3,\"material\":%zu}", more ? "," : "",
                    curve_accessor(g, curve), g->header->shape_count);
        fputs("]}", out);
    }
    putc(']', out);
}

static void put_node(const gltf *g, const ts_frame *frame, size_t item, size_t *mesh, FILE *out)
{
    size_t bodies = g->header->body_count, rank = item - bodies;
    pose p = pose_of(g, frame, item);
    double s = p.present ? p.scale : 0;
    if (item < bodies)
        fprintf(out, "{\"name\":\"body %zu\",\"mesh\":%" PRId32, item, g->header->body[item].shape);
    else {
        fputs("{\"name\":", out);
        char fallback[32];
        snprintf(fallback, sizeof fallback, "boundary %zu", rank);
        put_text(out, g->header->boundary[rank].name[0] ? g->header->boundary[rank].name : fallback);
        if (g->line_end[rank] > (rank ? g->line_end[rank - 1] : 0))
            fprintf(out, ",\"mesh\":%zu", (*mesh)++);
    }
    fprintf(out, ",\"translation\":[%.9g,%.9g,0],\"rotation\":[0,0,%.9g,%.9g],\"scale\":[%.9g,%.9g,%d]}",
            (double)(float)p.x, (double)(float)p.y, (double)(float)sin(0.5 * p.angle),
            (double)(float)cos(0.5 * p.angle), s, s, p.present ? 1 : 0);
}

static void put_list(FILE *out, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        fprintf(out, "%s%zu", i > first ? "," : "", i);
}

static void put_nodes(const gltf *g, const ts_frame *frame, FILE *out)
{
    size_t bodies = g->header->body_count, mesh = g->header->shape_count,
           groups = (size_t)(bodies > 0) + (size_t)(g->items > bodies);
    fputs("\"nodes\":[", out);
    for (size_t i = 0; i < g->items; i++) {
        put_node(g, frame, i, &mesh, out);
        fputs(",\n", out);
    }
    if (bodies > 0) {
        fputs("{\"name\":\"grains\",\"children\":[", out);
        put_list(out, 0, bodies);
        fputs("]}", out);
    }
    if (g->items > bodies) {
        fprintf(out, "%s{\"name\":\"boundaries\",\"children\":[", bodies > 0 ? ",\n" : "");
        put_list(out, bodies, g->items);
        fputs("]}", out);
    }
    fputs("],\n\"scene\":0,\"scenes\":[{\"nodes\":[", out);
    put_list(out, g->items, g->items + groups);
    fputs("]}]", out);
}

static void put_accessor(FILE *out, int view, uint64_t offset, const char *type, uint64_t count)
{
    fprintf(out,
            "{\"bufferView\":%d,\"byteOffset\":%" PRIu64 ",\"componentType\":%d,\"count\":%" PRIu64 ",\"type\":\"%s\"",
            view, offset, view == INDICES ? 5125 : 5126, count, type);
}

/* Bounds of positions, exactly as the floats are written. */
static void put_bounds(FILE *out, const float (*p)[3], size_t count)
{
    for (int high = 0; high < 2; high++) {
        fprintf(out, ",\"%s\":[", high ? "max" : "min");
        for (int k = 0; k < 3; k++) {
            float best = p[0][k];
            for (size_t i = 1; i < count; i++)
                if (high ? p[i][k] > best : p[i][k] < best)
                    best = p[i][k];
            fprintf(out, "%s%.9g", k ? "," : "", (double)best);
        }
        putc(']', out);
    }
}

/* The same of a curve. */
static void put_curve_bounds(FILE *out, const ts_vec2 *p, size_t count)
{
    float low[2] = {(float)p[0].x, (float)p[0].y}, high[2] = {low[0], low[1]};
    for (size_t i = 1; i < count; i++) {
        const float q[2] = {(float)p[i].x, (float)p[i].y};
        for (int k = 0; k < 2; k++) {
            low[k] = q[k] < low[k] ? q[k] : low[k];
            high[k] = q[k] > high[k] ? q[k] : high[k];
        }
    }
    fprintf(out, ",\"min\":[%.9g,%.9g,0],\"max\":[%.9g,%.9g,0]", (double)low[0], (double)low[1], (double)high[0],
            (double)high[1]);
}

static size_t curve_points(const gltf *g, size_t curve)
{
    const ts_export_lines *l = &g->lines;
    return (curve + 1 < l->begin.count ? l->begin.item[curve + 1] : l->point.count) - l->begin.item[curve];
}

static void put_accessors(const gltf *g, float last_time, FILE *out)
{
    static const char *const type[VIEW_COUNT] = {[TRANSLATIONS] = "VEC3", [ROTATIONS] = "VEC4", [SCALES] = "VEC3"};
    uint64_t vertex = 0, index = 0, frames = g->range.total;
    fputs(",\n\"accessors\":[", out);
    for (size_t i = 0; i < g->header->shape_count; i++) {
        const ts_mesh3 *m = &g->solid[i];
        if (i)
            fputs(",\n", out);
        put_accessor(out, VERTICES, vertex, "VEC3", m->vertex_count);
        put_bounds(out, (const float(*)[3])m->position, m->vertex_count);
        fputs("},", out);
        put_accessor(out, VERTICES, vertex + 12 * (uint64_t)m->vertex_count, "VEC3", m->vertex_count);
        fputs("},", out);
        put_accessor(out, INDICES, index, "SCALAR", m->index_count);
        putc('}', out);
        vertex += 24 * (uint64_t)m->vertex_count;
        index += 4 * (uint64_t)m->index_count;
    }
    for (size_t i = 0; i < g->lines.begin.count; i++) {
        fputs(",\n", out);
        put_accessor(out, VERTICES, vertex, "VEC3", curve_points(g, i));
        put_curve_bounds(out, g->lines.point.item + g->lines.begin.item[i], curve_points(g, i));
        putc('}', out);
        vertex += 12 * (uint64_t)curve_points(g, i);
    }
    if (is_animated(g)) {
        fputs(",\n", out);
        put_accessor(out, TIMES, 0, "SCALAR", frames);
        fprintf(out, ",\"min\":[0],\"max\":[%.9g]}", (double)last_time);
        for (int view = TRANSLATIONS; view < VIEW_COUNT; view++)
            for (size_t i = 0; i < (view == SCALES ? g->scaled_count : g->items); i++) {
                fputs(",\n", out);
                put_accessor(out, view, (view == ROTATIONS ? 16 : 12) * frames * i, type[view], frames);
                putc('}', out);
            }
    }
    putc(']', out);
}

static void put_animation(const gltf *g, FILE *out)
{
    static const char *const path[VIEW_COUNT] = {
        [TRANSLATIONS] = "translation", [ROTATIONS] = "rotation", [SCALES] = "scale"};
    size_t times = curve_accessor(g, g->lines.begin.count), sampler = 0;
    fputs(",\n\"animations\":[{\"name\":\"run\",\"samplers\":[", out);
    for (int view = TRANSLATIONS; view < VIEW_COUNT; view++)
        for (size_t i = 0; i < (view == SCALES ? g->scaled_count : g->items); i++)
            fprintf(out, "%s{\"input\":%zu,\"output\":%zu%s}", view > TRANSLATIONS || i ? ",\n" : "", times,
                    channel_accessor(g, view, i), view == SCALES ? ",\"interpolation\":\"STEP\"" : "");
    fputs("],\n\"channels\":[", out);
    for (int view = TRANSLATIONS; view < VIEW_COUNT; view++)
        for (size_t i = 0; i < g->items; i++)
            if (view != SCALES || g->scaled[i] != NO_SCALE) {
                fprintf(out, "%s{\"sampler\":%zu,\"target\":{\"node\":%zu,\"path\":\"%s\"}}", sampler ? ",\n" : "",
                        sampler, i, path[view]);
                sampler++;
            }
    fputs("]}]", out);
}

static void put_json(const gltf *g, const ts_frame *frame, float last_time, FILE *out)
{
    fputs("{\"asset\":{\"version\":\"2.0\",\"generator\":\"Touchstone\"},\n", out);
    put_nodes(g, frame, out);
    put_materials(g, out);
    put_meshes(g, out);
    put_accessors(g, last_time, out);
    if (is_animated(g))
        put_animation(g, out);
    fputs(",\n\"bufferViews\":[", out);
    for (int k = 0; k < VIEW_COUNT && g->length[k] > 0; k++) { /* the empty ones are the last */
        fprintf(out, "%s{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64, k ? "," : "", g->begin[k],
                g->length[k]);
        if (k == VERTICES)
            fputs(",\"byteStride\":12,\"target\":34962", out);
        if (k == INDICES)
            fputs(",\"target\":34963", out);
        putc('}', out);
    }
    fprintf(out, "],\n\"buffers\":[{\"byteLength\":%" PRIu64 "}]}", g->bytes);
}

/* ---- BIN ---- */

static ts_status write_at(const gltf *g, const unsigned char *data, size_t size, uint64_t offset, ts_error *error)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(fileno(g->draft.stream), data + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno != EINTR)
            return ts_fail_errno(error, "write", g->job->out, errno);
        done += n > 0 ? (size_t)n : 0;
    }
    return TS_OK;
}

/* A number of a body that flew off is not one; glTF has no word for that. */
static unsigned char *put_number(unsigned char *to, double value)
{
    return ts_put_f32(to, isfinite(value) ? (float)value : 0);
}

static ts_status write_mesh_data(const gltf *g, ts_error *error)
{
    size_t size = (size_t)(g->length[VERTICES] + g->length[INDICES]);
    unsigned char *data = ts_alloc_raw(size, 1), *to = data;
    if (!data)
        return ts_fail_memory(error, size);
    for (size_t i = 0; i < g->header->shape_count; i++) {
        const ts_mesh3 *m = &g->solid[i];
        for (size_t k = 0; k < 3 * m->vertex_count; k++)
            to = ts_put_f32(to, m->position[k / 3][k % 3]);
        for (size_t k = 0; k < 3 * m->vertex_count; k++)
            to = ts_put_f32(to, m->normal[k / 3][k % 3]);
    }
    for (size_t k = 0; k < g->lines.point.count; k++)
        to =
            ts_put_f32(ts_put_f32(ts_put_f32(to, (float)g->lines.point.item[k].x), (float)g->lines.point.item[k].y), 0);
    for (size_t i = 0; i < g->header->shape_count; i++)
        for (size_t k = 0; k < g->solid[i].index_count; k++)
            to = ts_put_u32(to, g->solid[i].index[k]);
    ts_status status = write_at(g, data, size, g->bin, error);
    ts_free(data);
    return status;
}

/* Times from 0 on, as floats that grow from each to the next. */
typedef struct clock_hand {
    double begin;
    float last;
    bool started;
} clock_hand;

static float next_time(clock_hand *c, double time)
{
    float t = c->started ? (float)(time - c->begin) : 0;
    if (!c->started)
        *c = (clock_hand){time, 0, true};
    else if (!(t > c->last))
        t = nextafterf(c->last, INFINITY);
    c->last = t;
    return t;
}

static ts_status find_last_time(const gltf *g, float *last, ts_error *error)
{
    clock_hand hand = {0};
    for (uint64_t k = 0; k < g->range.total; k++) {
        double time;
        TS_TRY(ts_trajectory_peek(g->job->reader, ts_export_index(&g->range, k), NULL, &time, error));
        *last = next_time(&hand, time);
    }
    return TS_OK;
}

/* A chunk: for each item `room` frames of it, of which `used` are filled. */
typedef struct chunk {
    unsigned char *block, *time, *value[VIEW_COUNT];
    size_t room, used;
    uint64_t first; /* frame of the export at which it begins */
} chunk;

static void fill(gltf *g, chunk *c, const ts_frame *frame)
{
    for (size_t i = 0; i < g->items; i++) {
        pose p = pose_of(g, frame, i);
        size_t at = i * c->room + c->used;
        unsigned char *to = c->value[TRANSLATIONS] + 12 * at;
        put_number(put_number(put_number(to, p.x), p.y), 0);
        /* angles count turns, so the half angle's quaternion goes on without a jump; beyond half a turn from frame to
         * frame the other sign is nearer, and players take the shorter way in any case */
        double z = g->sign[i] * sin(0.5 * p.angle), w = g->sign[i] * cos(0.5 * p.angle);
        if (c->used > 0 || c->first > 0) {
            /* the frame before; the last of a full chunk that was written is still there */
            size_t before = i * c->room + (c->used > 0 ? c->used : c->room) - 1;
            ts_bytes from = ts_bytes_of(c->value[ROTATIONS] + 16 * before + 8, 8);
            double z0 = (double)ts_take_f32(&from), w0 = (double)ts_take_f32(&from);
            if (z * z0 + w * w0 < 0) {
                g->sign[i] = (signed char)-g->sign[i];
                z = -z;
                w = -w;
            }
        }
        bool real = isfinite(p.angle);
        to = c->value[ROTATIONS] + 16 * at;
        put_number(put_number(put_number(put_number(to, 0), 0), real ? z : 0), real ? w : 1);
        if (g->scaled[i] != NO_SCALE) {
            to = c->value[SCALES] + 12 * (g->scaled[i] * c->room + c->used);
            double s = p.present ? p.scale : 0;
            put_number(put_number(put_number(to, s), s), p.present ? 1 : 0);
        }
    }
    c->used++;
}

static ts_status flush_chunk(gltf *g, chunk *c, ts_error *error)
{
    static const size_t size[VIEW_COUNT] = {[TRANSLATIONS] = 12, [ROTATIONS] = 16, [SCALES] = 12};
    uint64_t frames = g->range.total;
    TS_TRY(write_at(g, c->time, 4 * c->used, g->bin + g->begin[TIMES] + 4 * c->first, error));
    for (int view = TRANSLATIONS; view < VIEW_COUNT; view++) {
        size_t items = view == SCALES ? g->scaled_count : g->items, bytes = size[view];
        uint64_t to = g->bin + g->begin[view];
        if (c->used == frames) { /* all of it at once */
            TS_TRY(write_at(g, c->value[view], items * c->used * bytes, to, error));
            continue;
        }
        for (size_t i = 0; i < items; i++)
            TS_TRY(write_at(g, c->value[view] + i * c->room * bytes, c->used * bytes,
                            to + (i * frames + c->first) * bytes, error));
    }
    c->first += c->used;
    c->used = 0;
    return TS_OK;
}

static ts_status write_motion(gltf *g, ts_error *error)
{
    size_t frame_bytes = 4 + 28 * g->items + 12 * g->scaled_count;
    chunk c = {.room = (g->job->chunk ? g->job->chunk : CHUNK_BYTES) / frame_bytes};
    c.room = c.room < 1 ? 1 : c.room > g->range.total ? (size_t)g->range.total : c.room;
    c.block = ts_alloc_raw(c.room, frame_bytes);
    if (!c.block)
        return ts_fail_memory(error, c.room * frame_bytes);
    c.time = c.block;
    c.value[TRANSLATIONS] = c.time + 4 * c.room;
    c.value[ROTATIONS] = c.value[TRANSLATIONS] + 12 * g->items * c.room;
    c.value[SCALES] = c.value[ROTATIONS] + 16 * g->items * c.room;
    clock_hand hand = {0};
    ts_status status = TS_OK;
    for (uint64_t k = 0; k < g->range.total && status == TS_OK; k++) {
        ts_frame frame;
        status = ts_trajectory_read(g->job->reader, ts_export_index(&g->range, k), &frame, error);
        if (status != TS_OK)
            break;
        ts_put_f32(c.time + 4 * c.used, next_time(&hand, frame.time));
        fill(g, &c, &frame);
        if (c.used == c.room || k + 1 == g->range.total)
            status = flush_chunk(g, &c, error);
        if (status == TS_OK)
            status = ts_export_tick(g->job, ++g->done, g->work, NULL, error);
    }
    ts_free(c.block);
    return status;
}

/* ---- The file ---- */

static ts_status write_file(gltf *g, ts_error *error)
{
    unsigned char head[20] = {0}, bin_head[8];
    ts_frame frame;
    float last_time = 0;
    FILE *out = g->draft.stream;
    if (!g->draft.temporary)
        return ts_fail(error, TS_BAD_INPUT, "a glb file is not written from front to back; give the name of a file");
    TS_TRY(find_last_time(g, &last_time, error));
    TS_TRY(ts_trajectory_read(g->job->reader, g->range.first, &frame, error));
    fwrite(head, 1, sizeof head, out);
    put_json(g, &frame, last_time, out);
    off_t end = ftello(out);
    while (end > 0 && end % 4 != 0) {
        putc(' ', out);
        end++;
    }
    if (end < 0 || fflush(out) != 0 || ferror(out))
        return ts_fail(error, TS_IO, "cannot write %s; is the disk full?", g->job->out);
    g->bin = (uint64_t)end + sizeof bin_head;
    if (g->bin + g->bytes > UINT32_MAX)
        return refuse_size(g, error);
    memcpy(head, "glTF", 4);
    ts_put_u32(head + 4, 2);
    ts_put_u32(head + 8, (uint32_t)(g->bin + g->bytes));
    ts_put_u32(head + 12, (uint32_t)((uint64_t)end - sizeof head));
    memcpy(head + 16, "JSON", 4);
    ts_put_u32(bin_head, (uint32_t)g->bytes);
    memcpy(bin_head + 4, "BIN\0", 4);
    TS_TRY(write_at(g, head, sizeof head, 0, error));
    TS_TRY(write_at(g, bin_head, sizeof bin_head, (uint64_t)end, error));
    TS_TRY(write_mesh_data(g, error));
    return is_animated(g) ? write_motion(g, error) : ts_export_tick(g->job, 1, 1, NULL, error);
}

static ts_status export_glb(gltf *g, ts_error *error)
{
    TS_TRY(ts_export_range_of(g->job, &g->range, error));
    g->items = g->header->body_count + g->header->boundary_count;
    if (g->items == 0)
        return ts_fail(error, TS_BAD_INPUT, "there is nothing to be seen: the run has no bodies and no boundaries");
    TS_TRY(find_meshes(g, error));
    TS_TRY(find_lines(g, error));
    /* a first check, as if nothing came and went, spares a look at all frames */
    lay_out(g);
    if (g->bytes + NODE_TEXT * (uint64_t)g->items > UINT32_MAX)
        return refuse_size(g, error);
    TS_TRY(find_gates(g, error));
    memset(g->length, 0, sizeof g->length);
    g->bytes = 0;
    lay_out(g);
    if (g->bytes + NODE_TEXT * (uint64_t)g->items > UINT32_MAX)
        return refuse_size(g, error);
    TS_TRY(ts_draft_open(&g->draft, g->job->out, error));
    ts_status status = write_file(g, error);
    if (status == TS_OK)
        return ts_draft_commit(&g->draft, error);
    ts_draft_discard(&g->draft);
    return status;
}

ts_status ts_export_glb(const ts_export_job *job, ts_error *error)
{
    gltf g = {.job = job, .header = ts_trajectory_get_header(job->reader)};
    ts_status status = export_glb(&g, error);
    for (size_t i = 0; g.solid && i < g.header->shape_count; i++)
        ts_mesh3_free(&g.solid[i]);
    ts_free(g.solid);
    ts_free(g.line_end);
    ts_free(g.scaled);
    ts_free(g.sign);
    ts_export_lines_free(&g.lines);
    return status;
}
