/* SPDX-License-Identifier: MIT */
/* A LAMMPS dump: text, one block of lines a frame, as LAMMPS's own `dump custom` writes it; and for each type, that is shape, a mesh
 * (.obj) that OVITO can put in the place of its particles.
 *
 * Absent bodies are left out of a frame. A box is written around what is there, with open sides in the plane and a periodic
 * third direction, as LAMMPS wants it of a plane. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/export.h"

static const char columns[] = "id type x y z radius vx vy vz omegaz mass angle quatw quati quatj quatk";

static void put_frame(const ts_export_job *job, const ts_frame *frame, double depth, FILE *stream)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    ts_export_box box = TS_EXPORT_BOX_NONE;
    size_t present = 0;
    ts_export_box_add_frame(&box, header, frame);
    ts_export_box_finish(&box);
    for (size_t i = 0; i < header->body_count; i++)
        present += frame->body[i].present;
    fprintf(stream, "ITEM: TIMESTEP\n%" PRIu64 "\nITEM: NUMBER OF ATOMS\n%zu\nITEM: BOX BOUNDS ff ff pp\n", frame->step,
            present);
    for (int k = 0; k < 3; k++) {
        ts_export_put_double(stream, k < 2 ? box.low[k] : -0.5 * depth);
        putc(' ', stream);
        ts_export_put_double(stream, k < 2 ? box.high[k] : 0.5 * depth);
        putc('\n', stream);
    }
    fprintf(stream, "ITEM: ATOMS %s\n", columns);
    for (size_t i = 0; i < header->body_count; i++) {
        const ts_frame_body *now = &frame->body[i];
        const ts_trajectory_body *made = &header->body[i];
        if (!now->present)
            continue;
        fprintf(stream, "%zu %" PRId32 " ", i + 1, made->shape + 1);
        ts_export_put_double(stream, now->x);
        putc(' ', stream);
        ts_export_put_double(stream, now->y);
        fputs(" 0 ", stream);
        ts_export_put_double(stream, made->radius);
        fprintf(stream, " %.9g %.9g 0 %.9g ", (double)now->vx, (double)now->vy, (double)now->spin);
        ts_export_put_double(stream, made->mass);
        putc(' ', stream);
        ts_export_put_double(stream, now->angle);
        /* the half angle of an angle that counts turns: the sign follows, so nothing jumps from frame to frame */
        fprintf(stream, " %.9g 0 0 %.9g\n", cos(0.5 * now->angle), sin(0.5 * now->angle));
    }
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

/* OVITO multiplies a mesh by its particle's radius, so the mesh is that of a grain whose bounding circle has radius 1. */
static ts_status write_mesh(const ts_export_job *job, size_t shape, const ts_mesh2 *mesh, ts_export_batch *batch,
                            ts_error *error)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    char path[PATH_SIZE];
    double radius = 0;
    for (size_t i = 0; i < mesh->begin[mesh->contour_count]; i++)
        radius = fmax(radius, hypot(mesh->point[i].x, mesh->point[i].y));
    /* as recorded, when a body has it: polygons lie a little inside of what they stand for */
    for (size_t i = 0; i < header->body_count; i++)
        if ((size_t)header->body[i].shape == shape) {
            radius = header->body[i].radius / header->body[i].scale;
            break;
        }
    ts_mesh3 solid;
    ts_draft draft;
    mesh_path(job->out, shape + 1, path);
    TS_TRY(ts_mesh2_extrude(mesh, job->depth < 0 ? 0.5 * radius : job->depth, &solid, error));
    ts_status status = ts_draft_open(&draft, path, error);
    if (status == TS_OK) {
        put_mesh(&solid, shape, radius, draft.stream);
        status = ts_export_batch_add(batch, &draft, error);
    }
    ts_mesh3_free(&solid);
    return status;
}

static ts_status write_meshes(const ts_export_job *job, ts_export_batch *batch, ts_error *error)
{
    ts_mesh2 *mesh;
    TS_TRY(ts_export_meshes(job, &mesh, error));
    ts_status status = TS_OK;
    for (size_t i = 0; i < ts_trajectory_get_header(job->reader)->shape_count && status == TS_OK; i++)
        status = write_mesh(job, i, &mesh[i], batch, error);
    ts_export_meshes_free(job, mesh);
    return status;
}

static ts_status write_dump(const ts_export_job *job, const ts_export_range *range, ts_draft *draft, ts_error *error)
{
    double depth = ts_export_depth(job);
    for (uint64_t k = 0; k < range->total; k++) {
        ts_frame frame;
        TS_TRY(ts_trajectory_read(job->reader, ts_export_index(range, k), &frame, error));
        put_frame(job, &frame, depth > 0 ? depth : 1, draft->stream);
        TS_TRY(ts_export_tick(job, k + 1, range->total, draft->stream, error));
    }
    return TS_OK;
}

ts_status ts_export_lammps(const ts_export_job *job, ts_error *error)
{
    ts_export_range range;
    ts_export_batch batch = {.made = job->made};
    ts_draft draft;
    TS_TRY(ts_export_range_of(job, &range, error));
    if (strlen(job->out) > PATH_SIZE - 64)
        return ts_fail(error, TS_BAD_INPUT, "the path for the export is too long; choose a shorter one");
    TS_TRY(ts_draft_open(&draft, job->out, error));
    ts_status status = write_meshes(job, &batch, error);
    if (status == TS_OK)
        status = write_dump(job, &range, &draft, error);
    return ts_export_batch_end(&batch, status, &draft, error);
}
