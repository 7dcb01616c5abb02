/* SPDX-License-Identifier: MIT */
/* Pixar's USD as text: bodies are one PointInstancer, whose prototypes are the shapes' meshes, and walls another, of
 * curves in the plane and of meshes in space.
 *
 *     def PointInstancer "Bodies" { prototypes, protoIndices, ids, scales,
 *         positions.timeSamples = { 0: [(x, y, z), …], 1: … }   orientations, velocities, angularVelocities, invisibleIds likewise }
 *
 * An attribute has all its times together, so the trajectory is read once for each attribute: slower than keeping it in
 * memory, and good for any length. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/colour.h"
#include "record/export_space.h"

typedef struct usd {
    const ts_export_job *job;
    const ts_trajectory_header *header;
    ts_export_range range;
    double rate;             /* time codes a second */
    double line_width;       /* of the curves of walls [m] */
    ts_box3 box;             /* of the run */
    ts_box3 *wall;           /* around each wall in its own frame; low > high: nothing is to be seen (wall_count) */
    ts_export_solids solids; /* of shapes, and of walls that are not curves */
    uint64_t done, work;     /* frames read, of all passes */
    FILE *out;
} usd;

/* ---- Time samples ---- */

typedef struct sampled {
    const char *type, *name;
    void (*put)(const usd *u, const ts_frame *frame, size_t i); /* one element; NULL: ids of those that are away */
    bool of_walls;
    void (*put_all)(const usd *u, const ts_frame *frame); /* instead of all elements, when set */
} sampled;

static double real(double value) /* a body that flew off has no place that USD could name */
{
    return isfinite(value) ? value : 0;
}
static void put_three(const usd *u, double x, double y, double z)
{
    fprintf(u->out, "(%.9g, %.9g, %.9g)", (double)(float)real(x), (double)(float)real(y), (double)(float)real(z));
}
static void put_place(const usd *u, ts_pose3 pose)
{
    put_three(u, pose.position.x, pose.position.y, pose.position.z);
}
static void put_quat(const usd *u, ts_pose3 pose)
{
    fprintf(u->out, "(%.6g, %.6g, %.6g, %.6g)", real(pose.quat.w), real(pose.quat.x), real(pose.quat.y),
            real(pose.quat.z));
}
static void put_position(const usd *u, const ts_frame *frame, size_t i)
{
    put_place(u, frame->body[i].pose);
}
static void put_orientation(const usd *u, const ts_frame *frame, size_t i)
{
    put_quat(u, frame->body[i].pose);
}
static void put_velocity(const usd *u, const ts_frame *frame, size_t i)
{
    const float *v = frame->body[i].velocity;
    put_three(u, (double)v[0], (double)v[1], (double)v[2]);
}
static void put_spin(const usd *u, const ts_frame *frame, size_t i)
{
    const float *w = frame->body[i].spin; /* degrees a second: so USD has it */
    put_three(u, (double)w[0] * 180 / TS_PI, (double)w[1] * 180 / TS_PI, (double)w[2] * 180 / TS_PI);
}
static void put_wall_position(const usd *u, const ts_frame *frame, size_t i)
{
    put_place(u, frame->wall[i].pose);
}
static void put_wall_orientation(const usd *u, const ts_frame *frame, size_t i)
{
    put_quat(u, frame->wall[i].pose);
}

static void include(ts_box3 *box, ts_vec3 p, ts_vec3 reach)
{
    p = (ts_vec3){real(p.x), real(p.y), real(p.z)};
    *box = ts_box3_join(*box, (ts_box3){ts_vec3_sub(p, reach), ts_vec3_add(p, reach)});
}

/* Low and high corner, as floats that hold the box; a point at the origin when there is nothing. */
static void put_box(const usd *u, ts_box3 box)
{
    if (!(box.low.x <= box.high.x))
        box = (ts_box3){0};
    const double corner[2][3] = {{box.low.x, box.low.y, box.low.z}, {box.high.x, box.high.y, box.high.z}};
    for (int high = 0; high < 2; high++)
        for (int k = 0; k < 3; k++) {
            float to = nextafterf((float)real(corner[high][k]), high ? INFINITY : -INFINITY);
            fprintf(u->out, "%s%.9g%s", k ? ", " : "(", real((double)to), k < 2 ? "" : high ? ")" : "), ");
        }
}

/* Around all that is there. */
static void put_body_extent(const usd *u, const ts_frame *frame)
{
    ts_box3 box = ts_box3_none();
    double half = 0.5 * ts_export_depth(u->job);
    for (size_t i = 0; i < u->header->body_count; i++)
        if (frame->body[i].present)
            include(&box, frame->body[i].pose.position, u->header->kind->size_of(u->header->body[i].radius, half));
    put_box(u, box);
}
static void put_wall_extent(const usd *u, const ts_frame *frame)
{
    ts_box3 box = ts_box3_none();
    for (size_t i = 0; i < u->header->wall_count; i++) {
        const ts_box3 *own = &u->wall[i];
        for (int k = 0; k < 8 && frame->wall[i].present && own->low.x <= own->high.x; k++) {
            ts_vec3 corner = {k & 1 ? own->high.x : own->low.x, k & 2 ? own->high.y : own->low.y,
                              k & 4 ? own->high.z : own->low.z};
            include(&box, ts_pose3_apply(frame->wall[i].pose, corner), (ts_vec3){0, 0, 0});
        }
    }
    put_box(u, box);
}

static const sampled body_samples[] = {
    {"point3f[]", "positions", put_position, false, NULL},
    {"quath[]", "orientations", put_orientation, false, NULL},
    {"vector3f[]", "velocities", put_velocity, false, NULL},
    {"vector3f[]", "angularVelocities", put_spin, false, NULL},
    {"float3[]", "extent", NULL, false, put_body_extent},
    {"int64[]", "invisibleIds", NULL, false, NULL}, /* the last: only of runs with gates */
};
static const sampled wall_samples[] = {
    {"point3f[]", "positions", put_wall_position, true, NULL},
    {"quath[]", "orientations", put_wall_orientation, true, NULL},
    {"float3[]", "extent", NULL, true, put_wall_extent},
    {"int64[]", "invisibleIds", NULL, true, NULL},
};
enum { BODY_SAMPLES = 6, WALL_SAMPLES = 4 };

static void put_elements(const usd *u, const sampled *s, const ts_frame *frame)
{
    size_t count = s->of_walls ? u->header->wall_count : u->header->body_count, written = 0;
    for (size_t i = 0; i < count; i++) {
        bool present = s->of_walls ? frame->wall[i].present : frame->body[i].present;
        if (!s->put && present)
            continue;
        fputs(written++ ? ", " : "", u->out);
        if (s->put)
            s->put(u, frame, i);
        else
            fprintf(u->out, "%zu", i);
    }
}

static ts_status put_samples(usd *u, const sampled *s, ts_error *error)
{
    fprintf(u->out, "        %s %s.timeSamples = {\n", s->type, s->name);
    for (uint64_t k = 0; k < u->range.total; k++) {
        ts_frame frame;
        TS_TRY(ts_trajectory_read(u->job->reader, ts_export_index(&u->range, k), &frame, error));
        fprintf(u->out, "            %.12g: [", frame.time * u->rate);
        if (s->put_all)
            s->put_all(u, &frame);
        else
            put_elements(u, s, &frame);
        fputs("],\n", u->out);
        TS_TRY(ts_export_tick(u->job, ++u->done, u->work, u->out, error));
    }
    fputs("        }\n", u->out);
    return TS_OK;
}

/* ---- Prototypes ---- */

static void put_colour(const usd *u, ts_colour c)
{
    fprintf(u->out, "                color3f[] primvars:displayColor = [(%.4f, %.4f, %.4f)]\n", ts_colour_linear(c.r),
            ts_colour_linear(c.g), ts_colour_linear(c.b));
}

static void put_triples(const usd *u, const char *head, const float (*p)[3], size_t count)
{
    fprintf(u->out, "                %s = [", head);
    for (size_t i = 0; i < count; i++)
        fprintf(u->out, "%s(%.9g, %.9g, %.9g)", i ? ", " : "", (double)p[i][0], (double)p[i][1], (double)p[i][2]);
    putc(']', u->out);
}

static void put_extent(const usd *u, const float (*p)[3], size_t count)
{
    float bound[2][3];
    for (int k = 0; k < 3; k++) {
        bound[0][k] = bound[1][k] = p[0][k];
        for (size_t i = 1; i < count; i++) {
            bound[0][k] = p[i][k] < bound[0][k] ? p[i][k] : bound[0][k];
            bound[1][k] = p[i][k] > bound[1][k] ? p[i][k] : bound[1][k];
        }
    }
    put_triples(u, "float3[] extent", (const float(*)[3])bound, 2);
    putc('\n', u->out);
}

static void put_mesh(const usd *u, const char *stem, size_t index, ts_colour colour, const ts_mesh3 *mesh,
                     bool both_sides)
{
    FILE *out = u->out;
    fprintf(out, "            def Mesh \"%s_%zu\"\n            {\n", stem, index);
    fputs("                uniform token subdivisionScheme = \"none\"\n", out);
    if (both_sides)
        fputs("                uniform bool doubleSided = 1\n", out);
    put_colour(u, colour);
    put_extent(u, (const float(*)[3])mesh->position, mesh->vertex_count);
    put_triples(u, "point3f[] points", (const float(*)[3])mesh->position, mesh->vertex_count);
    putc('\n', out);
    put_triples(u, "normal3f[] normals", (const float(*)[3])mesh->normal, mesh->vertex_count);
    fputs(" (\n                    interpolation = \"vertex\"\n                )\n", out);
    fputs("                int[] faceVertexCounts = [", out);
    for (size_t i = 0; i < mesh->index_count / 3; i++)
        fputs(i ? ", 3" : "3", out);
    fputs("]\n                int[] faceVertexIndices = [", out);
    for (size_t i = 0; i < mesh->index_count; i++)
        fprintf(out, "%s%" PRIu32, i ? ", " : "", mesh->index[i]);
    fputs("]\n            }\n", out);
}

/* A prototype of nothing: a shape that no body has, a wall that is not to be seen. */
static void put_nothing(const usd *u, const char *stem, size_t index)
{
    fprintf(u->out, "            def Xform \"%s_%zu\"\n            {\n            }\n", stem, index);
}

static ts_status put_shapes(const usd *u, ts_error *error)
{
    ts_mesh3 *mesh;
    bool flat = !(u->header->kind->size_of(1, ts_export_depth(u->job)).z > 0);
    TS_TRY(ts_export_shapes(u->job, &u->solids, &mesh, error));
    for (size_t i = 0; i < u->header->shape_count; i++) {
        if (mesh[i].vertex_count > 0)
            put_mesh(u, "shape", i, ts_colour_kind(i), &mesh[i], flat);
        else
            put_nothing(u, "shape", i);
    }
    ts_export_shapes_free(u->job, mesh);
    return TS_OK;
}

static void put_curves(const usd *u, size_t wall, const ts_export_lines *lines)
{
    FILE *out = u->out;
    fprintf(out, "            def BasisCurves \"wall_%zu\"\n            {\n", wall);
    fputs("                uniform token type = \"linear\"\n", out);
    put_colour(u, ts_colour_of(0x404040));
    fputs("                float3[] extent = [", out);
    put_box(u, u->wall[wall]);
    fputs("]\n                int[] curveVertexCounts = [", out);
    for (size_t i = 0; i < lines->begin.count; i++)
        fprintf(out, "%s%zu", i ? ", " : "",
                (i + 1 < lines->begin.count ? lines->begin.item[i + 1] : lines->point.count) - lines->begin.item[i]);
    fputs("]\n                point3f[] points = [", out);
    for (size_t i = 0; i < lines->point.count; i++) {
        fputs(i ? ", " : "", out);
        put_three(u, lines->point.item[i].x, lines->point.item[i].y, 0);
    }
    fprintf(out, "]\n                float[] widths = [%.9g] (\n                    interpolation = \"constant\"\n",
            u->line_width);
    fputs("                )\n            }\n", out);
}

/* Writes the prototypes of walls in space; `measure`: finds their boxes instead. */
static ts_status put_wall_meshes(usd *u, bool measure, ts_error *error)
{
    for (size_t i = 0; i < u->header->wall_count; i++) {
        const ts_mesh *mesh = u->solids.wall[i];
        ts_mesh3 shaded;
        if (measure)
            u->wall[i] = mesh ? ts_mesh_bounds(mesh) : ts_box3_none();
        else if (!mesh)
            put_nothing(u, "wall", i);
        if (measure || !mesh)
            continue;
        TS_TRY(ts_mesh_shade(mesh, &shaded, error));
        put_mesh(u, "wall", i, ts_colour_of(0x404040), &shaded, true);
        ts_mesh3_free(&shaded);
    }
    return TS_OK;
}

/* The same in the plane. */
static ts_status put_wall_curves(usd *u, bool measure, ts_error *error)
{
    ts_frame frame;
    const double half = 0.5 * u->line_width;
    TS_TRY(ts_trajectory_read(u->job->reader, u->range.first, &frame, error));
    for (size_t i = 0; i < u->header->wall_count; i++) {
        TS_AUTO(ts_export_lines_free) ts_export_lines lines = {0};
        TS_TRY(ts_export_wall_lines(u->job, &frame, &u->box, i, false, &lines, error));
        if (measure)
            u->wall[i] = ts_box3_none();
        for (size_t k = 0; measure && k < lines.point.count; k++)
            include(&u->wall[i], (ts_vec3){lines.point.item[k].x, lines.point.item[k].y, 0},
                    (ts_vec3){half, half, half});
        if (!measure)
            put_curves(u, i, &lines);
    }
    return TS_OK;
}

/* ---- Instancers ---- */

static void put_targets(const usd *u, const char *instancer, const char *stem, size_t count)
{
    fputs("        rel prototypes = [", u->out);
    for (size_t i = 0; i < count; i++)
        fprintf(u->out, "%s</World/%s/Prototypes/%s_%zu>", i ? ", " : "", instancer, stem, i);
    fputs("]\n", u->out);
}

static ts_status put_bodies(usd *u, ts_error *error)
{
    const ts_trajectory_header *header = u->header;
    FILE *out = u->out;
    fputs("    def PointInstancer \"Bodies\"\n    {\n", out);
    put_targets(u, "Bodies", "shape", header->shape_count);
    fputs("        int[] protoIndices = [", out);
    for (size_t i = 0; i < header->body_count; i++)
        fprintf(out, "%s%" PRId32, i ? ", " : "", header->body[i].shape);
    fputs("]\n        int64[] ids = [", out);
    for (size_t i = 0; i < header->body_count; i++)
        fprintf(out, "%s%zu", i ? ", " : "", i);
    fputs("]\n        float3[] scales = [", out);
    for (size_t i = 0; i < header->body_count; i++) {
        const ts_vec3 scale = header->kind->size_of((double)(float)header->body[i].scale, 1);
        fprintf(out, "%s(%.9g, %.9g, %.9g)", i ? ", " : "", scale.x, scale.y, scale.z);
    }
    fputs("]\n", out);
    for (int k = 0; k < BODY_SAMPLES - !header->has_body_gates; k++)
        TS_TRY(put_samples(u, &body_samples[k], error));
    fputs("\n        def Scope \"Prototypes\"\n        {\n", out);
    TS_TRY(put_shapes(u, error));
    fputs("        }\n    }\n", out);
    return TS_OK;
}

static ts_status put_walls(usd *u, ts_error *error)
{
    FILE *out = u->out;
    ts_status (*put)(usd *, bool, ts_error *) = u->solids.wall ? put_wall_meshes : put_wall_curves;
    fputs("\n    def PointInstancer \"Walls\"\n    {\n", out);
    put_targets(u, "Walls", "wall", u->header->wall_count);
    for (int k = 0; k < 2; k++) {
        fputs(k ? "        int64[] ids = [" : "        int[] protoIndices = [", out);
        for (size_t i = 0; i < u->header->wall_count; i++)
            fprintf(out, "%s%zu", i ? ", " : "", i);
        fputs("]\n", out);
    }
    TS_TRY(put(u, true, error));
    for (int k = 0; k < WALL_SAMPLES; k++)
        TS_TRY(put_samples(u, &wall_samples[k], error));
    fputs("\n        def Scope \"Prototypes\"\n        {\n", out);
    TS_TRY(put(u, false, error));
    fputs("        }\n    }\n", out);
    return TS_OK;
}

static ts_status put_stage(usd *u, ts_error *error)
{
    double first, last;
    uint64_t end = ts_export_index(&u->range, u->range.total - 1);
    TS_TRY(ts_trajectory_peek(u->job->reader, u->range.first, NULL, &first, error));
    TS_TRY(ts_trajectory_peek(u->job->reader, end, NULL, &last, error));
    fputs("#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"Written by Touchstone\"\n", u->out);
    fprintf(u->out, "    endTimeCode = %.12g\n    framesPerSecond = %.12g\n    metersPerUnit = 1\n", last * u->rate,
            u->rate);
    fprintf(u->out, "    startTimeCode = %.12g\n    timeCodesPerSecond = %.12g\n    upAxis = \"%s\"\n)\n\n",
            first * u->rate, u->rate, u->header->kind->up);
    fputs("def Xform \"World\"\n{\n", u->out);
    TS_TRY(put_bodies(u, error));
    if (u->header->wall_count > 0)
        TS_TRY(put_walls(u, error));
    fputs("}\n", u->out);
    return TS_OK;
}

static void release(usd *u)
{
    ts_free(u->wall);
    ts_export_solids_free(&u->solids);
}

ts_status ts_export_usda(const ts_export_job *job, ts_error *error)
{
    TS_AUTO(release) usd u = {.job = job, .header = ts_trajectory_get_header(job->reader)};
    TS_AUTO(ts_draft_discard) ts_draft draft = {0};
    TS_TRY(ts_export_range_of(job, &u.range, error));
    double interval = u.header->frame_interval * (double)u.range.every;
    u.rate = interval > 0 && isfinite(1 / interval) ? 1 / interval : 24;
    u.work = u.range.total *
             (uint64_t)(BODY_SAMPLES - !u.header->has_body_gates + (u.header->wall_count > 0 ? WALL_SAMPLES : 0));
    TS_TRY(ts_export_surfaces(job, &u.range, ts_export_segments(job), &u.solids, error));
    TS_TRY(ts_export_survey(job, &u.range, &u.box, error));
    u.line_width = 0.003 * hypot(u.box.high.x - u.box.low.x, u.box.high.y - u.box.low.y);
    TS_TRY(ts_new(&u.wall, u.header->wall_count + 1, error));
    TS_TRY(ts_draft_open(&draft, job->out, error));
    u.out = draft.stream;
    TS_TRY(put_stage(&u, error));
    return ts_draft_commit(&draft, error);
}
