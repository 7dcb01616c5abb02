/* SPDX-License-Identifier: MIT */
/* Binary glTF 2.0: one mesh a shape, one node a body, and an animation that moves the nodes.
 *
 *     header │ JSON: nodes, channels, where the arrays are │ BIN: meshes │ times │ translations │ rotations │ scales
 *                                                                               body 0: all frames, body 1: all frames, …
 *
 * glTF wants the values of one body together, a trajectory has those of one frame together. So a chunk of frames, as
 * many as a buffer of fixed size holds, is turned around in memory and each body's part of it written to its place.
 *
 * glTF is y up with x to the right, as we are in the plane: nothing is turned. A run in space has z up: a root node
 * turns all of it. Bodies that come and go are scaled to zero while they are away; only they have a scale channel (and
 * boundaries, which are few, and springs, which are tubes that grow and shrink). */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "record/export_gltf.h"
#include "record/export_space.h"
#include "record/springs3.h"

/* Bytes of a chunk of frames: large enough that a body's part of it is worth a write of its own. */
#define CHUNK_BYTES ((size_t)64 << 20)
/* JSON of one node with its channels is never longer, so a file that is too large is known before it is written. */
enum { NODE_TEXT = 1000 };
/* Springs are straight here, and thinner than the coils of pictures. */
static const double spring_share = 0.3;

/* ---- What there is ---- */

/* Straight from end to end: the mesh of springs is as long and as wide as one metre. */
static ts_gltf_pose spring_pose(const ts_trajectory_header *header, const ts_frame *frame, size_t spring)
{
    ts_vec3 end[2];
    bool present = ts_springs3_ends(header, frame, spring, end);
    ts_pose3 p = present ? ts_springs3_pose(end[0], end[1]) : ts_pose3_identity();
    double width = present ? spring_share * ts_springs3_width(header, spring) : 0,
           length = present ? ts_vec3_distance(end[0], end[1]) : 0;
    return (ts_gltf_pose){{p.position.x, p.position.y, p.position.z},
                          {p.quat.x, p.quat.y, p.quat.z, p.quat.w},
                          {width, width, length},
                          present};
}

ts_gltf_pose ts_gltf_pose_of(const ts_gltf *g, const ts_frame *frame, size_t item)
{
    if (item >= g->bodies + g->walls)
        return spring_pose(g->header, frame, item - g->bodies - g->walls);
    bool body = item < g->bodies, present = body ? frame->body[item].present : frame->wall[item - g->bodies].present;
    ts_pose3 p = body ? frame->body[item].pose : frame->wall[item - g->bodies].pose;
    double s = !present ? 0 : body ? g->header->body[item].scale : 1;
    const ts_vec3 size = g->header->kind->size_of(s, present); /* the depth of a plane run's grains is the job's */
    return (ts_gltf_pose){{p.position.x, p.position.y, p.position.z},
                          {p.quat.x, p.quat.y, p.quat.z, p.quat.w},
                          {size.x, size.y, size.z},
                          present};
}

static ts_status reserve_solids(ts_gltf *g, size_t count, ts_error *error)
{
    g->solid = ts_alloc(count + 1, sizeof *g->solid);
    g->solid_name = ts_alloc(count + 1, sizeof *g->solid_name);
    g->solid_material = ts_alloc(count + 1, sizeof *g->solid_material);
    g->shape_mesh = ts_alloc(g->shape_count + 1, sizeof *g->shape_mesh);
    g->wall_mesh = ts_alloc(g->items - g->bodies + 1, sizeof *g->wall_mesh);
    return g->solid && g->solid_name && g->solid_material && g->shape_mesh && g->wall_mesh
               ? TS_OK
               : ts_fail_memory(error, count * sizeof *g->solid);
}

static void add_mesh(ts_gltf *g, ts_mesh3 mesh, const char *name, size_t material)
{
    g->solid[g->solid_count] = mesh;
    g->solid_name[g->solid_count] = name;
    g->solid_material[g->solid_count] = material;
    g->solid_count++;
}

static ts_status add_solid(ts_gltf *g, const ts_mesh *mesh, const char *name, size_t material, ts_error *error)
{
    ts_mesh3 shaded;
    TS_TRY(ts_mesh_shade(mesh, &shaded, error));
    add_mesh(g, shaded, name, material);
    return TS_OK;
}

/* One tube for all of them: each is scaled to its length. */
static ts_status add_spring_mesh(ts_gltf *g, ts_error *error)
{
    const ts_solid tube = {.kind = TS_SOLID_CYLINDER, .radius = 1, .half_length = 0.5};
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    if (g->header->spring_count == 0)
        return TS_OK;
    for (size_t i = 0; i < g->header->spring_count; i++)
        g->wall_mesh[g->walls + i] = (int32_t)g->solid_count;
    TS_TRY(ts_solid_mesh(&tube, 8, &mesh, error));
    return add_solid(g, mesh, "spring", g->shape_count + 1, error);
}

/* One of each shape, but for solids that no body has, and one of each wall that has a surface. */
static ts_status find_solids(ts_gltf *g, ts_error *error)
{
    const ts_trajectory_header *header = g->header;
    TS_AUTO(ts_export_solids_free) ts_export_solids solids = {0};
    TS_AUTO_FREE ts_mesh3 *mesh = NULL; /* what it holds becomes the solids' */
    TS_TRY(reserve_solids(g, g->shape_count + g->walls + 1, error));
    TS_TRY(ts_export_surfaces(g->job, &g->range, ts_export_segments(g->job), &solids, error));
    TS_TRY(ts_export_shapes(g->job, &solids, &mesh, error));
    for (size_t i = 0; i < g->shape_count; i++) {
        g->shape_mesh[i] = (int32_t)g->solid_count;
        if (mesh[i].vertex_count > 0)
            add_mesh(g, mesh[i], header->shape[i].name, i);
    }
    for (size_t i = 0; i < solids.wall_count; i++) {
        g->wall_mesh[i] = solids.wall[i] ? (int32_t)g->solid_count : -1;
        if (solids.wall[i])
            TS_TRY(add_solid(g, solids.wall[i], header->wall[i].name, g->shape_count, error));
    }
    return add_spring_mesh(g, error);
}

static ts_status find_lines(ts_gltf *g, ts_error *error)
{
    ts_box3 box;
    ts_frame frame;
    if (g->header->wall_count == 0)
        return TS_OK;
    TS_TRY(ts_new(&g->line_end, g->header->wall_count, error));
    TS_TRY(ts_export_survey(g->job, &g->range, &box, error));
    TS_TRY(ts_trajectory_read(g->job->reader, g->range.first, &frame, error));
    int32_t mesh = (int32_t)g->solid_count;
    for (size_t i = 0; i < g->header->wall_count; i++) {
        size_t before = g->lines.begin.count;
        TS_TRY(ts_export_wall_lines(g->job, &frame, &box, i, false, &g->lines, error));
        g->line_end[i] = g->lines.begin.count;
        g->wall_mesh[i] = g->line_end[i] > before ? mesh++ : -1;
    }
    return TS_OK;
}

/* Which bodies come and go: that takes a look at all frames, but only of runs that have gates. */
static ts_status find_gates(ts_gltf *g, ts_error *error)
{
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
        for (size_t i = 0; i < g->bodies; i++)
            if (!ts_gltf_pose_of(g, &frame, i).present)
                g->scaled[i] = 0;
        TS_TRY(ts_export_tick(g->job, ++g->done, g->work, NULL, error));
    }
    for (size_t i = 0; i < g->items; i++)
        if (i >= g->bodies || g->scaled[i] == 0)
            g->scaled[i] = (uint32_t)g->scaled_count++;
    return TS_OK;
}

static void lay_out(ts_gltf *g)
{
    uint64_t frames = ts_gltf_is_animated(g) ? g->range.total : 0;
    for (size_t i = 0; i < g->solid_count; i++) {
        g->length[TS_GLTF_VERTICES] += 24 * (uint64_t)g->solid[i].vertex_count;
        g->length[TS_GLTF_INDICES] += 4 * (uint64_t)g->solid[i].index_count;
    }
    g->length[TS_GLTF_VERTICES] += 12 * (uint64_t)g->lines.point.count;
    g->length[TS_GLTF_TIMES] = 4 * frames;
    g->length[TS_GLTF_TRANSLATIONS] = 12 * frames * g->items;
    g->length[TS_GLTF_ROTATIONS] = 16 * frames * g->items;
    g->length[TS_GLTF_SCALES] = 12 * frames * g->scaled_count;
    g->length[TS_GLTF_CONTACTS] = 2 * TS_GLTF_CONTACT_BYTES * g->contact_count;
    g->length[TS_GLTF_SHOWN] = 16 * g->key_count;
    for (int k = 0; k < TS_GLTF_VIEW_COUNT; k++) {
        g->begin[k] = g->bytes;
        g->bytes += g->length[k];
    }
}

static ts_status refuse_size(const ts_gltf *g, ts_error *error)
{
    uint64_t most = UINT32_MAX - 65536;
    if (g->contact_count > 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "%" PRIu64 " frames of %zu bodies with %" PRIu64
                       " contacts do not fit into a glb file, which ends at 4 GiB; take fewer with --frames, or leave "
                       "out --contacts",
                       g->range.total, g->bodies, g->contact_count);
    uint64_t fixed = g->begin[TS_GLTF_TIMES] + NODE_TEXT * (uint64_t)g->items;
    uint64_t frame = 28 * (uint64_t)g->items + 12 * (uint64_t)g->scaled_count + 4;
    if (fixed + frame > most)
        return ts_fail(error, TS_BAD_INPUT,
                       "%zu bodies do not fit into a glb file, which ends at 4 GiB; export them as vtk or usda",
                       g->bodies);
    uint64_t fit = (most - fixed) / frame, every = (g->range.total - 1) / fit + 1;
    return ts_fail(error, TS_BAD_INPUT,
                   "%" PRIu64 " frames of %zu bodies do not fit into a glb file, which ends at 4 GiB; take fewer with "
                   "--frames ::%" PRIu64,
                   g->range.total, g->bodies, every * g->range.every);
}

/* ---- BIN ---- */

static ts_status write_at(const ts_gltf *g, const unsigned char *data, size_t size, uint64_t offset, ts_error *error)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(fileno(g->draft.stream), data + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno != EINTR)
            return ts_fail_errno(error, "write", g->job->out, errno);
        done += n > 0 ? (size_t)n : 0;
    }
    return TS_OK;
}

static unsigned char *put_number(unsigned char *to, double value)
{
    return ts_put_f32(to, ts_gltf_number(value));
}

static void put_three(unsigned char *to, const double value[3])
{
    put_number(put_number(put_number(to, value[0]), value[1]), value[2]);
}

static ts_status write_mesh_data(const ts_gltf *g, ts_error *error)
{
    size_t size = (size_t)(g->length[TS_GLTF_VERTICES] + g->length[TS_GLTF_INDICES]);
    TS_AUTO_FREE unsigned char *data = NULL;
    TS_TRY(ts_new_raw(&data, size, error));
    unsigned char *to = data;
    for (size_t i = 0; i < g->solid_count; i++) {
        const ts_mesh3 *m = &g->solid[i];
        for (size_t k = 0; k < 3 * m->vertex_count; k++)
            to = ts_put_f32(to, m->position[k / 3][k % 3]);
        for (size_t k = 0; k < 3 * m->vertex_count; k++)
            to = ts_put_f32(to, m->normal[k / 3][k % 3]);
    }
    for (size_t k = 0; k < g->lines.point.count; k++)
        to =
            ts_put_f32(ts_put_f32(ts_put_f32(to, (float)g->lines.point.item[k].x), (float)g->lines.point.item[k].y), 0);
    for (size_t i = 0; i < g->solid_count; i++)
        for (size_t k = 0; k < g->solid[i].index_count; k++)
            to = ts_put_u32(to, g->solid[i].index[k]);
    return write_at(g, data, size, g->bin, error);
}

float ts_gltf_next_time(ts_gltf_clock *c, double time)
{
    float t = c->started ? (float)(time - c->begin) : 0;
    if (!c->started)
        *c = (ts_gltf_clock){time, 0, true};
    else if (!(t > c->last))
        t = nextafterf(c->last, INFINITY);
    c->last = t;
    return t;
}

static ts_status find_last_time(const ts_gltf *g, float *last, ts_error *error)
{
    ts_gltf_clock hand = {0};
    for (uint64_t k = 0; k < g->range.total; k++) {
        double time;
        TS_TRY(ts_trajectory_peek(g->job->reader, ts_export_index(&g->range, k), NULL, &time, error));
        *last = ts_gltf_next_time(&hand, time);
    }
    return TS_OK;
}

/* A chunk: for each item `room` frames of it, of which `used` are filled. */
typedef struct chunk {
    unsigned char *time, *value[TS_GLTF_VIEW_COUNT];
    size_t room, used;
    uint64_t first; /* frame of the export at which it begins */
} chunk;

static void fill(ts_gltf *g, chunk *c, const ts_frame *frame)
{
    for (size_t i = 0; i < g->items; i++) {
        ts_gltf_pose p = ts_gltf_pose_of(g, frame, i);
        size_t at = i * c->room + c->used;
        put_three(c->value[TS_GLTF_TRANSLATIONS] + 12 * at, p.move);
        /* players take the shorter way from one quaternion to the next, of the two that mean the same turn the nearer
         * one; in the plane angles count turns, so the half angle's quaternion goes on without a jump up to half a
         * turn */
        double turn[4], dot = 0;
        for (int k = 0; k < 4; k++)
            turn[k] = g->sign[i] * p.turn[k];
        if (c->used > 0 || c->first > 0) {
            /* the frame before; the last of a full chunk that was written is still there */
            size_t before = i * c->room + (c->used > 0 ? c->used : c->room) - 1;
            ts_bytes from = ts_bytes_of(c->value[TS_GLTF_ROTATIONS] + 16 * before, 16);
            for (int k = 0; k < 4; k++)
                dot += turn[k] * (double)ts_take_f32(&from);
        }
        if (dot < 0)
            g->sign[i] = (signed char)-g->sign[i];
        unsigned char *to = c->value[TS_GLTF_ROTATIONS] + 16 * at;
        for (int k = 0; k < 4; k++) /* a zero has no sign */
            to = put_number(to, p.turn[k] != 0 ? g->sign[i] * p.turn[k] : 0);
        if (g->scaled[i] != TS_GLTF_NO_SCALE)
            put_three(c->value[TS_GLTF_SCALES] + 12 * (g->scaled[i] * c->room + c->used), p.scale);
    }
    c->used++;
}

static ts_status flush_chunk(ts_gltf *g, chunk *c, ts_error *error)
{
    static const size_t size[TS_GLTF_VIEW_COUNT] = {
        [TS_GLTF_TRANSLATIONS] = 12, [TS_GLTF_ROTATIONS] = 16, [TS_GLTF_SCALES] = 12};
    uint64_t frames = g->range.total;
    TS_TRY(write_at(g, c->time, 4 * c->used, g->bin + g->begin[TS_GLTF_TIMES] + 4 * c->first, error));
    for (int view = TS_GLTF_TRANSLATIONS; view <= TS_GLTF_SCALES; view++) {
        size_t items = view == TS_GLTF_SCALES ? g->scaled_count : g->items, bytes = size[view];
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

static ts_status write_motion(ts_gltf *g, ts_error *error)
{
    size_t frame_bytes = 4 + 28 * g->items + 12 * g->scaled_count;
    chunk c = {.room = (g->job->chunk ? g->job->chunk : CHUNK_BYTES) / frame_bytes};
    c.room = c.room < 1 ? 1 : c.room > g->range.total ? (size_t)g->range.total : c.room;
    TS_AUTO_FREE unsigned char *block = NULL;
    TS_TRY(ts_new_raw(&block, c.room * frame_bytes, error));
    c.time = block;
    c.value[TS_GLTF_TRANSLATIONS] = c.time + 4 * c.room;
    c.value[TS_GLTF_ROTATIONS] = c.value[TS_GLTF_TRANSLATIONS] + 12 * g->items * c.room;
    c.value[TS_GLTF_SCALES] = c.value[TS_GLTF_ROTATIONS] + 16 * g->items * c.room;
    ts_gltf_clock hand = {0};
    for (uint64_t k = 0; k < g->range.total; k++) {
        ts_frame frame;
        TS_TRY(ts_trajectory_read(g->job->reader, ts_export_index(&g->range, k), &frame, error));
        ts_put_f32(c.time + 4 * c.used, ts_gltf_next_time(&hand, frame.time));
        fill(g, &c, &frame);
        if (c.used == c.room || k + 1 == g->range.total)
            TS_TRY(flush_chunk(g, &c, error));
        TS_TRY(ts_export_tick(g->job, ++g->done, g->work, NULL, error));
    }
    return TS_OK;
}

/* ---- The file ---- */

static ts_status write_file(ts_gltf *g, ts_error *error)
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
    ts_gltf_put_json(g, &frame, last_time, out);
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
    ts_put_u32(head, 0x46546c67); /* "glTF" */
    ts_put_u32(head + 4, 2);
    ts_put_u32(head + 8, (uint32_t)(g->bin + g->bytes));
    ts_put_u32(head + 12, (uint32_t)((uint64_t)end - sizeof head));
    ts_put_u32(head + 16, 0x4e4f534a); /* "JSON" */
    ts_put_u32(bin_head, (uint32_t)g->bytes);
    ts_put_u32(bin_head + 4, 0x004e4942); /* "BIN", and a zero */
    TS_TRY(write_at(g, head, sizeof head, 0, error));
    TS_TRY(write_at(g, bin_head, sizeof bin_head, (uint64_t)end, error));
    TS_TRY(write_mesh_data(g, error));
    TS_TRY(ts_gltf_write_contacts(g, write_at, error));
    return ts_gltf_is_animated(g) ? write_motion(g, error) : ts_export_tick(g->job, 1, 1, NULL, error);
}

static ts_status export_glb(ts_gltf *g, ts_error *error)
{
    TS_TRY(ts_export_range_of(g->job, &g->range, error));
    g->bodies = g->header->body_count;
    g->shape_count = g->header->shape_count;
    g->walls = g->header->wall_count;
    g->items = g->bodies + g->walls + g->header->spring_count;
    if (g->items == 0)
        return ts_fail(error, TS_BAD_INPUT, "there is nothing to be seen: the run has no bodies and no walls");
    if (g->shape_count == 0 && !g->header->kind->solids)
        return ts_fail(error, TS_BAD_INPUT,
                       "a glb file needs a mesh, but the run has no shape; export it as vtk or svg");
    TS_TRY(find_solids(g, error));
    if (g->solid_count == 0)
        return ts_fail(error, TS_BAD_INPUT, "a glb file needs a mesh, but nothing of the run is to be seen");
    if (!g->header->kind->solids)
        TS_TRY(find_lines(g, error));
    /* a first check, as if nothing came and went, spares a look at all frames */
    lay_out(g);
    if (g->bytes + NODE_TEXT * (uint64_t)g->items > UINT32_MAX)
        return refuse_size(g, error);
    TS_TRY(find_gates(g, error));
    if (g->job->contacts)
        TS_TRY(ts_gltf_find_contacts(g, error));
    memset(g->length, 0, sizeof g->length);
    g->bytes = 0;
    lay_out(g);
    if (g->bytes + NODE_TEXT * ((uint64_t)g->items + g->flash.count) > UINT32_MAX)
        return refuse_size(g, error);
    TS_TRY(ts_draft_open(&g->draft, g->job->out, error));
    TS_TRY(write_file(g, error));
    return ts_draft_commit(&g->draft, error);
}

static void release(ts_gltf *g)
{
    ts_draft_discard(&g->draft);
    for (size_t i = 0; i < g->solid_count; i++)
        ts_mesh3_free(&g->solid[i]);
    void *const own[] = {g->solid,     g->solid_name, g->solid_material, g->shape_mesh,
                         g->wall_mesh, g->line_end,   g->scaled,         g->sign};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        ts_free(own[i]);
    ts_export_lines_free(&g->lines);
    ts_array_free(&g->flash);
}

ts_status ts_export_glb(const ts_export_job *job, ts_error *error)
{
    TS_AUTO(release) ts_gltf g = {.job = job, .header = ts_trajectory_get_header(job->reader)};
    return export_glb(&g, error);
}
