/* SPDX-License-Identifier: MIT */
/* A LAMMPS dump: text, one block of lines a frame, as LAMMPS's own `dump custom` writes it; and for each type, that is
 * shape, a mesh (.obj) that OVITO can put in the place of its particles.
 *
 * Absent bodies are left out of a frame. A box is written around what is there, with open sides; in the plane the third
 * direction is periodic, as LAMMPS wants it of a plane. In space shapex, shapey and shapez are the sides of the box
 * around the shape in its own frame: of a ball its diameter, three times. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/export_space.h"

typedef struct ts_dump {
    const ts_export_job *job;
    const ts_trajectory_header *header;
    double depth;   /* plane: of the box; space: 0 */
    ts_vec3 *sides; /* space: of the box around each shape, at scale 1 (shape_count); plane: NULL */
    FILE *out;
} dump;

static void put(const dump *d, double value)
{
    putc(' ', d->out);
    ts_export_put_double(d->out, value);
}

static void put_floats(const dump *d, const float value[3], int first)
{
    for (int k = first; k < 3; k++)
        fprintf(d->out, " %.9g", (double)value[k]);
}

static void put_body(const dump *d, const ts_frame *frame, size_t i)
{
    const ts_frame_body *now = &frame->body[i];
    const ts_trajectory_body *made = &d->header->body[i];
    const ts_vec3 p = now->pose.position;
    const ts_quat q = now->pose.quat;
    fprintf(d->out, "%zu %" PRId32, i + 1, made->shape + 1);
    put(d, p.x);
    put(d, p.y);
    put(d, p.z);
    put(d, made->radius);
    put_floats(d, now->velocity, 0);
    put_floats(d, now->spin, 3 - d->header->kind->turns);
    put(d, made->mass);
    if (d->sides) {
        put(d, d->sides[made->shape].x * made->scale);
        put(d, d->sides[made->shape].y * made->scale);
        put(d, d->sides[made->shape].z * made->scale);
    } else {
        put(d, now->angle);
    }
    /* in the plane of the half angle of an angle that counts turns: the sign follows, so nothing jumps from frame to
     * frame */
    fprintf(d->out, " %.9g %.9g %.9g %.9g\n", q.w, q.x, q.y, q.z);
}

static void put_frame(const dump *d, const ts_frame *frame)
{
    const ts_trajectory_header *header = d->header;
    ts_box3 box = ts_export_box_of(header, frame);
    const double half = 0.5 * d->depth,
                 side[3][2] = {{box.low.x, box.high.x}, {box.low.y, box.high.y}, {box.low.z - half, box.high.z + half}};
    size_t present = 0;
    for (size_t i = 0; i < header->body_count; i++)
        present += frame->body[i].present;
    fprintf(d->out, "ITEM: TIMESTEP\n%" PRIu64 "\nITEM: NUMBER OF ATOMS\n%zu\nITEM: BOX BOUNDS ff ff %s\n", frame->step,
            present, header->kind->lammps_side);
    for (int k = 0; k < 3; k++) {
        ts_export_put_double(d->out, side[k][0]);
        put(d, side[k][1]);
        putc('\n', d->out);
    }
    fprintf(d->out, "ITEM: ATOMS %s\n", header->kind->lammps_columns);
    for (size_t i = 0; i < header->body_count; i++)
        if (frame->body[i].present)
            put_body(d, frame, i);
}

/* ---- Meshes ---- */

enum { PATH_SIZE = 4352 };

static void mesh_path(const char *out, size_t type, char path[PATH_SIZE])
{
    const char *slash = strrchr(out, '/'), *dot = strrchr(out, '.');
    int length = dot && dot > out && (!slash || dot > slash + 1) ? (int)(dot - out) : (int)strlen(out);
    snprintf(path, PATH_SIZE, "%.*s_type%zu.obj", length, out, type);
}

static void put_mesh(const ts_mesh3 *solid, size_t shape, double radius, FILE *stream)
{
    fprintf(stream, "# shape %zu of the scene, for particles of radius 1\no type%zu\n", shape, shape + 1);
    for (size_t i = 0; i < solid->vertex_count; i++)
        fprintf(stream, "v %.9g %.9g %.9g\n", (double)solid->position[i][0] / radius,
                (double)solid->position[i][1] / radius, (double)solid->position[i][2] / radius);
    for (size_t i = 0; i < solid->vertex_count; i++)
        fprintf(stream, "vn %.6g %.6g %.6g\n", (double)solid->normal[i][0], (double)solid->normal[i][1],
                (double)solid->normal[i][2]);
    for (size_t i = 0; i < solid->index_count; i += 3) {
        const uint32_t *t = solid->index + i;
        fprintf(stream, "f %u//%u %u//%u %u//%u\n", t[0] + 1, t[0] + 1, t[1] + 1, t[1] + 1, t[2] + 1, t[2] + 1);
    }
}

/* OVITO multiplies a mesh by its particle's radius, so the mesh is that of a grain whose bounding circle or sphere has
 * radius 1. It is the recorded one when a body has the shape: polygons lie a little inside of what they stand for. */
static double radius_of(const dump *d, size_t shape, double otherwise)
{
    for (size_t i = 0; i < d->header->body_count; i++)
        if ((size_t)d->header->body[i].shape == shape)
            return d->header->body[i].radius / d->header->body[i].scale;
    return otherwise;
}

static ts_status write_mesh(const dump *d, size_t shape, const ts_mesh3 *mesh, double radius, ts_export_batch *batch,
                            ts_error *error)
{
    char path[PATH_SIZE];
    ts_draft draft;
    mesh_path(d->job->out, shape + 1, path);
    TS_TRY(ts_draft_open(&draft, path, error));
    put_mesh(mesh, shape, radius, draft.stream);
    return ts_export_batch_add(batch, &draft, error);
}

/* In the plane as thick as half of their own radius, unless the job says how thick. */
ts_status ts_export_lammps_plane(dump *d, const ts_export_solids *solids, ts_export_batch *batch, ts_error *error)
{
    const double depth = ts_export_depth(d->job);
    d->depth = depth > 0 ? depth : 1;
    for (size_t i = 0; i < solids->shape_count; i++) {
        const ts_mesh2 *flat = &solids->flat[i];
        double radius = 0;
        for (size_t k = 0; k < flat->begin[flat->contour_count]; k++)
            radius = fmax(radius, hypot(flat->point[k].x, flat->point[k].y));
        radius = radius_of(d, i, radius);
        TS_AUTO(ts_mesh3_free) ts_mesh3 mesh = {0};
        TS_TRY(ts_mesh2_extrude(flat, d->job->depth < 0 ? 0.5 * radius : d->job->depth, &mesh, error));
        TS_TRY(write_mesh(d, i, &mesh, radius, batch, error));
    }
    return TS_OK;
}

ts_status ts_export_lammps_space(dump *d, const ts_export_solids *solids, ts_export_batch *batch, ts_error *error)
{
    TS_TRY(ts_new(&d->sides, solids->shape_count + 1, error));
    for (size_t i = 0; i < solids->shape_count; i++) {
        TS_AUTO(ts_mesh3_free) ts_mesh3 mesh = {0};
        if (!solids->shape[i])
            continue;
        ts_box3 box = ts_mesh_bounds(solids->shape[i]);
        d->sides[i] = ts_vec3_sub(box.high, box.low);
        TS_TRY(ts_mesh_shade(solids->shape[i], &mesh, error));
        TS_TRY(write_mesh(d, i, &mesh, radius_of(d, i, 1), batch, error));
    }
    return TS_OK;
}

static ts_status write_dump(const dump *d, const ts_export_range *range, ts_error *error)
{
    for (uint64_t k = 0; k < range->total; k++) {
        ts_frame frame;
        TS_TRY(ts_trajectory_read(d->job->reader, ts_export_index(range, k), &frame, error));
        put_frame(d, &frame);
        TS_TRY(ts_export_tick(d->job, k + 1, range->total, d->out, error));
    }
    return TS_OK;
}

static ts_status write_all(dump *d, const ts_export_range *range, ts_export_batch *batch, ts_error *error)
{
    TS_AUTO(ts_export_solids_free) ts_export_solids solids = {0};
    TS_TRY(ts_export_surfaces(d->job, range, ts_export_segments(d->job), &solids, error));
    TS_TRY(d->header->kind->lammps_meshes(d, &solids, batch, error));
    return write_dump(d, range, error);
}

ts_status ts_export_lammps(const ts_export_job *job, ts_error *error)
{
    ts_export_range range;
    ts_export_batch batch = {.made = job->made};
    ts_draft draft;
    dump d = {.job = job, .header = ts_trajectory_get_header(job->reader)};
    TS_TRY(ts_export_range_of(job, &range, error));
    if (strlen(job->out) > PATH_SIZE - 64)
        return ts_fail(error, TS_BAD_INPUT, "the path for the export is too long; choose a shorter one");
    TS_TRY(ts_draft_open(&draft, job->out, error));
    d.out = draft.stream;
    ts_status status = write_all(&d, &range, &batch, error);
    ts_free(d.sides);
    return ts_export_batch_end(&batch, status, &draft, error);
}
