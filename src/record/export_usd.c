/* SPDX-License-Identifier: MIT */
/* Pixar's USD as text: grains are one PointInstancer, whose prototypes are the shapes' meshes, and boundaries another, of curves.
 *
 *     def PointInstancer "Grains" { prototypes, protoIndices, ids, scales,
 *         positions.timeSamples = { 0: [(x, y, 0), …], 1: … }   orientations, velocities, angularVelocities, invisibleIds likewise }
 *
 * An attribute has all its times together, so the trajectory is read once for each attribute: slower than keeping it in
 * memory, and good for any length. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/colour.h"
#include "record/export.h"

typedef struct usd {
    const ts_export_job *job;
    const ts_trajectory_header *header;
    ts_export_range range;
    double rate; /* time codes a second */
    ts_export_box box;
    ts_export_box *curve; /* of each boundary, local (boundary_count) */
    uint64_t done, work;  /* frames read, of all passes */
    FILE *out;
} usd;

/* Of the curves of boundaries [m]. */
static double line_width(const usd *u)
{
    return 0.003 * hypot(u->box.high[0] - u->box.low[0], u->box.high[1] - u->box.low[1]);
}

/* ---- Time samples ---- */

typedef struct sampled {
    const char *type, *name;
    void (*put)(const usd *u, const ts_frame *frame, size_t i); /* one element; NULL: ids of those that are away */
    bool of_boundaries;
    void (*put_all)(const usd *u, const ts_frame *frame); /* instead of all elements, when set */
} sampled;

static double real(double value) /* a body that flew off has no place that USD could name */
{
    return isfinite(value) ? value : 0;
}
static void put_pair(const usd *u, double x, double y)
{
    fprintf(u->out, "(%.9g, %.9g, 0)", (double)(float)real(x), (double)(float)real(y));
}
static void put_quat(const usd *u, double angle)
{
    fprintf(u->out, "(%.6g, 0, 0, %.6g)", cos(0.5 * real(angle)), sin(0.5 * real(angle)));
}
static void put_position(const usd *u, const ts_frame *frame, size_t i)
{
    put_pair(u, frame->body[i].x, frame->body[i].y);
}
static void put_orientation(const usd *u, const ts_frame *frame, size_t i)
{
    put_quat(u, frame->body[i].angle);
}
static void put_velocity(const usd *u, const ts_frame *frame, size_t i)
{
    put_pair(u, (double)frame->body[i].vx, (double)frame->body[i].vy);
}
static void put_spin(const usd *u, const ts_frame *frame, size_t i)
{
    /* degrees a second: so USD has it */
    fprintf(u->out, "(0, 0, %.9g)", real((double)(float)((double)frame->body[i].spin * 180 / TS_PI)));
}
static void put_boundary_position(const usd *u, const ts_frame *frame, size_t i)
{
    put_pair(u, frame->boundary[i].x, frame->boundary[i].y);
}
static void put_boundary_orientation(const usd *u, const ts_frame *frame, size_t i)
{
    put_quat(u, frame->boundary[i].angle);
}

/* Low and high corner of a box that is `depth` thick about the plane, as floats that hold it. */
static void put_box(const usd *u, const ts_export_box *box, double depth)
{
    double z = 0.5 * depth;
    const double corner[2][3] = {{box->low[0], box->low[1], -z}, {box->high[0], box->high[1], z}};
    for (int high = 0; high < 2; high++)
        for (int k = 0; k < 3; k++) {
            float to = nextafterf((float)real(corner[high][k]), high ? INFINITY : -INFINITY);
            fprintf(u->out, "%s%.9g%s", k ? ", " : "(", real((double)to), k < 2 ? "" : high ? ")" : "), ");
        }
}

/* Around all that is there; a point at the origin when nothing is. */
static void put_body_extent(const usd *u, const ts_frame *frame)
{
    ts_export_box box = TS_EXPORT_BOX_NONE;
    for (size_t i = 0; i < u->header->body_count; i++)
        if (frame->body[i].present)
            ts_export_box_add(&box, real(frame->body[i].x), real(frame->body[i].y), u->header->body[i].radius);
    put_box(u, box.low[0] > box.high[0] ? &(ts_export_box){0} : &box, ts_export_depth(u->job));
}
static void put_boundary_extent(const usd *u, const ts_frame *frame)
{
    ts_export_box box = TS_EXPORT_BOX_NONE;
    for (size_t i = 0; i < u->header->boundary_count; i++) {
        const ts_frame_boundary *now = &frame->boundary[i];
        const ts_export_box *curve = &u->curve[i];
        for (int k = 0; k < 4 && now->present && curve->low[0] <= curve->high[0]; k++) {
            ts_vec2 p = ts_vec2_rotate(
                (ts_vec2){k & 1 ? curve->high[0] : curve->low[0], k & 2 ? curve->high[1] : curve->low[1]},
                real(now->angle));
            ts_export_box_add(&box, real(now->x) + p.x, real(now->y) + p.y, 0);
        }
    }
    put_box(u, box.low[0] > box.high[0] ? &(ts_export_box){0} : &box, line_width(u));
}

static const sampled body_samples[] = {
    {"point3f[]", "positions", put_position, false, NULL},
    {"quath[]", "orientations", put_orientation, false, NULL},
    {"vector3f[]", "velocities", put_velocity, false, NULL},
    {"vector3f[]", "angularVelocities", put_spin, false, NULL},
    {"float3[]", "extent", NULL, false, put_body_extent},
    {"int64[]", "invisibleIds", NULL, false, NULL}, /* the last: only of runs with gates */
};
static const sampled boundary_samples[] = {
    {"point3f[]", "positions", put_boundary_position, true, NULL},
    {"quath[]", "orientations", put_boundary_orientation, true, NULL},
    {"float3[]", "extent", NULL, true, put_boundary_extent},
    {"int64[]", "invisibleIds", NULL, true, NULL},
};
enum { BODY_SAMPLES = 6, BOUNDARY_SAMPLES = 4 };

static void put_elements(const usd *u, const sampled *s, const ts_frame *frame)
{
    size_t count = s->of_boundaries ? u->header->boundary_count : u->header->body_count, written = 0;
    for (size_t i = 0; i < count; i++) {
        bool present = s->of_boundaries ? frame->boundary[i].present : frame->body[i].present;
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
    fprintf(u->out, "                color3f[] primvars:displayColor = [(%.4f, %.4f, %.4f)]\n", ts_export_linear(c.r),
            ts_export_linear(c.g), ts_export_linear(c.b));
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

static void put_mesh(const usd *u, size_t shape, const ts_mesh3 *mesh, bool flat)
{
    FILE *out = u->out;
    fprintf(out, "            def Mesh \"shape_%zu\"\n            {\n", shape);
    fputs("                uniform token subdivisionScheme = \"none\"\n", out);
    if (flat)
        fputs("                uniform bool doubleSided = 1\n", out);
    put_colour(u, ts_colour_kind(shape));
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

static ts_status put_meshes(const usd *u, ts_error *error)
{
    ts_mesh2 *flat;
    double depth = ts_export_depth(u->job);
    TS_TRY(ts_export_meshes(u->job, &flat, error));
    ts_status status = TS_OK;
    for (size_t i = 0; i < u->header->shape_count && status == TS_OK; i++) {
        ts_mesh3 solid;
        status = ts_mesh2_extrude(&flat[i], depth, &solid, error);
        if (status == TS_OK)
            put_mesh(u, i, &solid, !(depth > 0));
        if (status == TS_OK)
            ts_mesh3_free(&solid);
    }
    ts_export_meshes_free(u->job, flat);
    return status;
}

static void put_curves(const usd *u, size_t boundary, const ts_export_lines *lines)
{
    FILE *out = u->out;
    bool empty = lines->point.count == 0;
    fprintf(out, "            def BasisCurves \"boundary_%zu\"\n            {\n", boundary);
    fputs("                uniform token type = \"linear\"\n", out);
    put_colour(u, ts_colour_of(0x404040));
    fputs("                float3[] extent = [", out);
    put_box(u, empty ? &(ts_export_box){0} : &u->curve[boundary], line_width(u));
    fputs("]\n                int[] curveVertexCounts = [", out);
    for (size_t i = 0; i < lines->begin.count; i++)
        fprintf(out, "%s%zu", i ? ", " : "",
                (i + 1 < lines->begin.count ? lines->begin.item[i + 1] : lines->point.count) - lines->begin.item[i]);
    fputs("]\n                point3f[] points = [", out);
    for (size_t i = 0; i < lines->point.count; i++) {
        fputs(i ? ", " : "", out);
        put_pair(u, lines->point.item[i].x, lines->point.item[i].y);
    }
    fprintf(out, "]\n                float[] widths = [%.9g] (\n                    interpolation = \"constant\"\n",
            line_width(u));
    fputs("                )\n            }\n", out);
}

/* Writes the curves of all boundaries; `measure`: finds their boxes instead. */
static ts_status put_boundary_curves(usd *u, bool measure, ts_error *error)
{
    ts_frame frame;
    TS_TRY(ts_trajectory_read(u->job->reader, u->range.first, &frame, error));
    for (size_t i = 0; i < u->header->boundary_count; i++) {
        ts_export_lines lines = {0};
        ts_status status = ts_export_boundary_lines(u->job, &frame, &u->box, i, false, &lines, error);
        if (measure)
            u->curve[i] = TS_EXPORT_BOX_NONE;
        for (size_t k = 0; measure && k < lines.point.count; k++)
            ts_export_box_add(&u->curve[i], lines.point.item[k].x, lines.point.item[k].y, 0.5 * line_width(u));
        if (status == TS_OK && !measure)
            put_curves(u, i, &lines);
        ts_export_lines_free(&lines);
        TS_TRY(status);
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

static ts_status put_grains(usd *u, ts_error *error)
{
    const ts_trajectory_header *header = u->header;
    FILE *out = u->out;
    fputs("    def PointInstancer \"Grains\"\n    {\n", out);
    put_targets(u, "Grains", "shape", header->shape_count);
    fputs("        int[] protoIndices = [", out);
    for (size_t i = 0; i < header->body_count; i++)
        fprintf(out, "%s%" PRId32, i ? ", " : "", header->body[i].shape);
    fputs("]\n        int64[] ids = [", out);
    for (size_t i = 0; i < header->body_count; i++)
        fprintf(out, "%s%zu", i ? ", " : "", i);
    fputs("]\n        float3[] scales = [", out);
    for (size_t i = 0; i < header->body_count; i++)
        fprintf(out, "%s(%.9g, %.9g, 1)", i ? ", " : "", (double)(float)header->body[i].scale,
                (double)(float)header->body[i].scale);
    fputs("]\n", out);
    for (int k = 0; k < BODY_SAMPLES - !header->has_body_gates; k++)
        TS_TRY(put_samples(u, &body_samples[k], error));
    fputs("\n        def Scope \"Prototypes\"\n        {\n", out);
    TS_TRY(put_meshes(u, error));
    fputs("        }\n    }\n", out);
    return TS_OK;
}

static ts_status put_boundaries(usd *u, ts_error *error)
{
    FILE *out = u->out;
    fputs("\n    def PointInstancer \"Boundaries\"\n    {\n", out);
    put_targets(u, "Boundaries", "boundary", u->header->boundary_count);
    for (int k = 0; k < 2; k++) {
        fputs(k ? "        int64[] ids = [" : "        int[] protoIndices = [", out);
        for (size_t i = 0; i < u->header->boundary_count; i++)
            fprintf(out, "%s%zu", i ? ", " : "", i);
        fputs("]\n", out);
    }
    TS_TRY(put_boundary_curves(u, true, error));
    for (int k = 0; k < BOUNDARY_SAMPLES; k++)
        TS_TRY(put_samples(u, &boundary_samples[k], error));
    fputs("\n        def Scope \"Prototypes\"\n        {\n", out);
    TS_TRY(put_boundary_curves(u, false, error));
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
    fprintf(u->out, "    startTimeCode = %.12g\n    timeCodesPerSecond = %.12g\n    upAxis = \"Y\"\n)\n\n",
            first * u->rate, u->rate);
    fputs("def Xform \"World\"\n{\n", u->out);
    TS_TRY(put_grains(u, error));
    if (u->header->boundary_count > 0)
        TS_TRY(put_boundaries(u, error));
    fputs("}\n", u->out);
    return TS_OK;
}

ts_status ts_export_usda(const ts_export_job *job, ts_error *error)
{
    usd u = {.job = job, .header = ts_trajectory_get_header(job->reader)};
    TS_TRY(ts_export_range_of(job, &u.range, error));
    TS_TRY(ts_export_survey(job, &u.range, &u.box, error));
    double interval = u.header->frame_interval * (double)u.range.every;
    u.rate = interval > 0 && isfinite(1 / interval) ? 1 / interval : 24;
    u.work = u.range.total * (uint64_t)(BODY_SAMPLES - !u.header->has_body_gates +
                                        (u.header->boundary_count > 0 ? BOUNDARY_SAMPLES : 0));
    ts_draft draft;
    u.curve = ts_alloc(u.header->boundary_count + 1, sizeof *u.curve);
    if (!u.curve)
        return ts_fail_memory(error, u.header->boundary_count * sizeof *u.curve);
    ts_status status = ts_draft_open(&draft, job->out, error);
    u.out = draft.stream;
    if (status == TS_OK)
        status = put_stage(&u, error);
    ts_free(u.curve);
    if (status == TS_OK)
        return ts_draft_commit(&draft, error);
    ts_draft_discard(&draft);
    return status;
}
