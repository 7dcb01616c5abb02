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

static const char plane_columns[] = "id type x y z radius vx vy vz omegaz mass angle quatw quati quatj quatk";
static const char space_columns[] = "id type x y z radius vx vy vz omegax omegay omegaz mass shapex shapey shapez "
                                    "quatw quati quatj quatk";

typedef struct dump {
    const ts_export_job *job;
    const ts_trajectory_header *header;
    double depth;   /* plane: of the box */
    ts_vec3 *sides; /* space: of the box around each shape, at scale 1 (shape_count) */
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
    bool space = d->header->dimension == 3;
    fprintf(d->out, "%zu %" PRId32, i + 1, made->shape + 1);
    put(d, p.x);
    put(d, p.y);
    put(d, p.z);
    put(d, made->radius);
    put_floats(d, now->velocity, 0);
    put_floats(d, now->spin, space ? 0 : 2);
    put(d, made->mass);
    if (space) {
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
    if (header->dimension == 2) {
        box.low.z = -0.5 * d->depth;
        box.high.z = 0.5 * d->depth;
    }
    const double side[3][2] = {{box.low.x, box.high.x}, {box.low.y, box.high.y}, {box.low.z, box.high.z}};
    size_t present = 0;
    for (size_t i = 0; i < header->body_count; i++)
        present += frame->body[i].present;
    fprintf(d->out, "ITEM: TIMESTEP\n%" PRIu64 "\nITEM: NUMBER OF ATOMS\n%zu\nITEM: BOX BOUNDS ff ff %s\n", frame->step,
            present, header->dimension == 3 ? "ff" : "pp");
    for (int k = 0; k < 3; k++) {
        ts_export_put_double(d->out, side[k][0]);
        put(d, side[k][1]);
        putc('\n', d->out);
    }
    fprintf(d->out, "ITEM: ATOMS %s\n", header->dimension == 3 ? space_columns : plane_columns);
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
static ts_status write_flat_meshes(const dump *d, ts_export_batch *batch, ts_error *error)
{
    ts_mesh2 *flat;
    TS_TRY(ts_export_meshes(d->job, &flat, error));
    ts_status status = TS_OK;
    for (size_t i = 0; i < d->header->shape_count && status == TS_OK; i++) {
        double radius = 0;
        for (size_t k = 0; k < flat[i].begin[flat[i].contour_count]; k++)
            radius = fmax(radius, hypot(flat[i].point[k].x, flat[i].point[k].y));
        radius = radius_of(d, i, radius);
        ts_mesh3 mesh;
        status = ts_mesh2_extrude(&flat[i], d->job->depth < 0 ? 0.5 * radius : d->job->depth, &mesh, error);
        if (status == TS_OK) {
            status = write_mesh(d, i, &mesh, radius, batch, error);
            ts_mesh3_free(&mesh);
        }
    }
    ts_export_meshes_free(d->job, flat);
    return status;
}

static ts_status write_solid_meshes(dump *d, const ts_export_range *range, ts_export_batch *batch, ts_error *error)
{
    ts_export_solids solids;
    ts_mesh3 *mesh = NULL;
    TS_TRY(ts_export_solids_make(d->job, range, ts_export_segments(d->job), &solids, error));
    for (size_t i = 0; i < solids.shape_count; i++)
        if (solids.shape[i]) {
            ts_box3 box = ts_mesh_bounds(solids.shape[i]);
            d->sides[i] = ts_vec3_sub(box.high, box.low);
        }
    ts_status status = ts_export_shapes(d->job, &solids, &mesh, error);
    for (size_t i = 0; i < d->header->shape_count && status == TS_OK; i++)
        if (mesh[i].vertex_count > 0)
            status = write_mesh(d, i, &mesh[i], radius_of(d, i, 1), batch, error);
    ts_export_shapes_free(d->job, mesh);
    ts_export_solids_free(&solids);
    return status;
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

ts_status ts_export_lammps(const ts_export_job *job, ts_error *error)
{
    ts_export_range range;
    ts_export_batch batch = {.made = job->made};
    ts_draft draft;
    dump d = {.job = job, .header = ts_trajectory_get_header(job->reader), .depth = ts_export_depth(job)};
    TS_TRY(ts_export_range_of(job, &range, error));
    if (strlen(job->out) > PATH_SIZE - 64)
        return ts_fail(error, TS_BAD_INPUT, "the path for the export is too long; choose a shorter one");
    d.depth = d.depth > 0 ? d.depth : 1;
    TS_TRY(ts_new(&d.sides, d.header->shape_count + 1, error));
    ts_status status = ts_draft_open(&draft, job->out, error);
    if (status == TS_OK) {
        d.out = draft.stream;
        status = d.header->dimension == 3 ? write_solid_meshes(&d, &range, &batch, error)
                                          : write_flat_meshes(&d, &batch, error);
        if (status == TS_OK)
            status = write_dump(&d, &range, error);
        status = ts_export_batch_end(&batch, status, &draft, error);
    }
    ts_free(d.sides);
    return status;
}
