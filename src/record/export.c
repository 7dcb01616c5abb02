/* SPDX-License-Identifier: MIT */
#include "record/export.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "shape/segment.h"

enum { SURVEY_FRAMES = 32 };
/* Corners of a circle among the boundaries: it is large, and seen whole. */
enum { CIRCLE_CORNERS = 256 };

/* ---- Formats ---- */

static const struct {
    const char *name, *end[3];
    ts_status (*write)(const ts_export_job *job, ts_error *error);
} formats[TS_EXPORT_FORMAT_COUNT] = {
    [TS_EXPORT_CSV] = {"csv", {".csv"}, NULL},
    [TS_EXPORT_VTK] = {"vtk", {".pvd", ".vtp"}, ts_export_vtk},
    [TS_EXPORT_LAMMPS] = {"lammps", {".lammpstrj", ".dump"}, ts_export_lammps},
    [TS_EXPORT_GLB] = {"glb", {".glb"}, ts_export_glb},
    [TS_EXPORT_USDA] = {"usda", {".usda"}, ts_export_usda},
    [TS_EXPORT_SVG] = {"svg", {".svg"}, ts_export_svg},
};

const char *ts_export_format_name(ts_export_format format)
{
    return formats[format].name;
}

bool ts_export_format_of(const char *path, ts_export_format *format)
{
    size_t length = strlen(path);
    for (int i = 0; i < TS_EXPORT_FORMAT_COUNT; i++)
        for (int k = 0; k < 3 && formats[i].end[k]; k++) {
            size_t n = strlen(formats[i].end[k]);
            if (length > n && strcasecmp(path + length - n, formats[i].end[k]) == 0) {
                *format = (ts_export_format)i;
                return true;
            }
        }
    return false;
}

ts_status ts_export(ts_export_format format, const ts_export_job *job, ts_error *error)
{
    if (format <= TS_EXPORT_CSV || format >= TS_EXPORT_FORMAT_COUNT)
        return ts_fail(error, TS_BAD_INPUT, "tables are written by ts_export_csv");
    if (!(job->tolerance >= 0 && job->tolerance < 1) || !isfinite(job->depth))
        return ts_fail(error, TS_BAD_INPUT,
                       "the tolerance is %g and the depth %g; give a share of a radius below 1, and a length",
                       job->tolerance, job->depth);
    if (job->contacts && !ts_trajectory_get_header(job->reader)->has_contacts)
        return ts_fail(error, TS_BAD_INPUT, "this run recorded no contacts; run it again with contacts switched on");
    /* numbers have a point in every locale; asking for "C" allocates nothing */
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = c ? uselocale(c) : (locale_t)0;
    ts_status status = formats[format].write(job, error);
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    struct stat about; /* formats of several files have counted them */
    if (status == TS_OK && job->made && job->made->files == 0 && stat(job->out, &about) == 0)
        *job->made = (ts_export_made){1, (uint64_t)about.st_size};
    return status;
}

/* ---- Frames ---- */

ts_status ts_export_range_of(const ts_export_job *job, ts_export_range *range, ts_error *error)
{
    uint64_t count = ts_trajectory_frame_count(job->reader), every = job->every ? job->every : 1;
    if (job->first >= count)
        return ts_fail(error, TS_BAD_INPUT,
                       "there is no frame %" PRIu64 "; the trajectory has %" PRIu64 ", counted from 0", job->first,
                       count);
    uint64_t taken = job->count && job->count < count - job->first ? job->count : count - job->first;
    *range = (ts_export_range){job->first, every, (taken - 1) / every + 1};
    return TS_OK;
}

ts_status ts_export_tick(const ts_export_job *job, uint64_t done, uint64_t total, FILE *stream, ts_error *error)
{
    if (stream && ferror(stream))
        return ts_fail(error, TS_IO, "cannot write %s; is the disk full?", job->out);
    if (job->progress && !job->progress(job->context, done, total))
        return ts_fail(error, TS_INTERRUPTED, "the export was stopped after %.0f %% of the work; nothing was changed",
                       100.0 * (double)done / (double)total);
    return TS_OK;
}

/* ---- Shapes ---- */

double ts_export_depth(const ts_export_job *job)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    if (job->depth >= 0)
        return job->depth;
    double sum = 0;
    for (size_t i = 0; i < header->body_count; i++)
        sum += header->body[i].radius;
    return header->body_count ? 0.5 * sum / (double)header->body_count : 0;
}

/* ---- The view ---- */

ts_vec3 ts_export_size_plane(double length, double depth)
{
    return (ts_vec3){length, length, depth};
}

ts_vec3 ts_export_size_space(double length, double depth)
{
    (void)depth;
    return (ts_vec3){length, length, length};
}

static void add_ball(ts_box3 *box, ts_vec3 p, ts_vec3 reach)
{
    *box = ts_box3_join(*box, (ts_box3){ts_vec3_sub(p, reach), ts_vec3_add(p, reach)});
}

static ts_vec2 world_normal(const ts_trajectory_wall *built, const ts_frame_wall *now)
{
    return ts_vec2_rotate((ts_vec2){built->nx, built->ny}, now->angle);
}

/* How far the box's middle lies before a half-plane's edge, along its normal. */
static double height_over(const ts_box3 *box, ts_vec2 normal, const ts_frame_wall *now)
{
    double x = 0.5 * (box->low.x + box->high.x), y = 0.5 * (box->low.y + box->high.y);
    return normal.x * (x - now->pose.position.x) + normal.y * (y - now->pose.position.y);
}

void ts_export_walls_space(const ts_trajectory_header *header, const ts_frame *frame, ts_box3 *box)
{
    (void)header, (void)frame, (void)box;
}

void ts_export_walls_plane(const ts_trajectory_header *header, const ts_frame *frame, ts_box3 *box)
{
    for (size_t i = 0; i < header->wall_count; i++)
        if (header->wall[i].kind != TS_WALL_FLAT && frame->wall[i].present)
            add_ball(box, frame->wall[i].pose.position, ts_export_size_plane(header->wall[i].radius, 0));
    for (size_t i = 0; i < header->wall_count; i++) {
        const ts_frame_wall *now = &frame->wall[i];
        if (header->wall[i].kind != TS_WALL_FLAT || !now->present)
            continue;
        if (box->low.x > box->high.x)
            add_ball(box, now->pose.position, (ts_vec3){0, 0, 0});
        ts_vec2 n = world_normal(&header->wall[i], now);
        double height = height_over(box, n, now);
        ts_vec3 foot = {0.5 * (box->low.x + box->high.x) - height * n.x,
                        0.5 * (box->low.y + box->high.y) - height * n.y, 0};
        add_ball(box, foot, (ts_vec3){0, 0, 0});
    }
}

static void add_frame(ts_box3 *box, const ts_trajectory_header *header, const ts_frame *frame)
{
    for (size_t i = 0; i < header->body_count; i++)
        if (frame->body[i].present)
            add_ball(box, frame->body[i].pose.position, header->kind->size_of(header->body[i].radius, 0));
    header->kind->add_walls(header, frame, box);
}

ts_box3 ts_export_box_mended(ts_box3 box, const ts_record_kind *kind)
{
    double diagonal = hypot(hypot(box.high.x - box.low.x, box.high.y - box.low.y), box.high.z - box.low.z);
    bool something = box.low.x <= box.high.x && isfinite(diagonal);
    if (something && !(diagonal > 0))
        add_ball(&box, box.low, kind->size_of(0.5, 0));
    return something ? box : kind->nothing;
}

ts_box3 ts_export_box_of(const ts_trajectory_header *header, const ts_frame *frame)
{
    ts_box3 box = ts_box3_none();
    add_frame(&box, header, frame);
    return ts_export_box_mended(box, header->kind);
}

ts_status ts_export_survey(const ts_export_job *job, const ts_export_range *range, ts_box3 *box, ts_error *error)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    /* enough for a view, few enough to cost nothing */
    const uint64_t looks = range->total < SURVEY_FRAMES ? range->total : SURVEY_FRAMES;
    *box = ts_box3_none();
    for (uint64_t k = 0; k < looks; k++) {
        uint64_t at = looks > 1 ? (uint64_t)((double)k * (double)(range->total - 1) / (double)(looks - 1)) : 0;
        ts_frame frame;
        TS_TRY(ts_trajectory_read(job->reader, ts_export_index(range, at), &frame, error));
        add_frame(box, header, &frame);
    }
    *box = ts_export_box_mended(*box, header->kind);
    return TS_OK;
}

/* ---- Boundaries ---- */

void ts_export_lines_free(ts_export_lines *lines)
{
    ts_array_free(&lines->point);
    ts_array_free(&lines->begin);
}

static ts_status begin_line(ts_export_lines *lines, ts_error *error)
{
    return ts_array_push(&lines->begin, lines->point.count, error);
}
static ts_status add_point(ts_export_lines *lines, ts_vec2 p, ts_error *error)
{
    return ts_array_push(&lines->point, p, error);
}

/* The part of p + s · t, s in [low, high], that lies before half-plane `j`. */
static void clip_to(const ts_trajectory_wall *built, const ts_frame_wall *now, ts_vec2 p, ts_vec2 t, double s[2])
{
    ts_vec2 n = world_normal(built, now);
    double slope = n.x * t.x + n.y * t.y,
           height = n.x * (p.x - now->pose.position.x) + n.y * (p.y - now->pose.position.y);
    if (fabs(slope) < 1e-9)
        return; /* parallel: neither cuts the other */
    if (slope > 0)
        s[0] = fmax(s[0], -height / slope);
    else
        s[1] = fmin(s[1], -height / slope);
}

static ts_status add_half_plane(const ts_export_job *job, const ts_frame *frame, const ts_box3 *box, size_t index,
                                bool clip, ts_export_lines *lines, ts_error *error)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    const ts_trajectory_wall *built = &header->wall[index];
    const ts_frame_wall *now = &frame->wall[index];
    ts_vec2 n = world_normal(built, now), t = {-n.y, n.x}, p = {now->pose.position.x, now->pose.position.y};
    double width = box->high.x - box->low.x, height = box->high.y - box->low.y, reach = hypot(width, height);
    double foot = t.x * (0.5 * (box->low.x + box->high.x) - p.x) + t.y * (0.5 * (box->low.y + box->high.y) - p.y);
    double s[2] = {foot - reach, foot + reach};
    for (size_t j = 0; clip && j < header->wall_count; j++)
        if (j != index && header->wall[j].kind == TS_WALL_FLAT && frame->wall[j].present)
            clip_to(&header->wall[j], &frame->wall[j], p, t, s);
    if (!(s[0] < s[1]))
        return TS_OK;
    TS_TRY(begin_line(lines, error));
    for (int k = 0; k < 2; k++) /* local: the tangent before it is turned */
        TS_TRY(add_point(lines, (ts_vec2){-built->ny * s[k], built->nx * s[k]}, error));
    return TS_OK;
}

static ts_status add_contour(const ts_contour *contour, double tolerance, ts_export_lines *lines, ts_error *error)
{
    size_t edges = ts_contour_segment_count(contour);
    TS_TRY(begin_line(lines, error));
    TS_TRY(add_point(lines, (ts_vec2){contour->vertex[0].x, contour->vertex[0].y}, error));
    for (size_t i = 0; i < edges; i++) {
        ts_segment edge = ts_contour_segment(contour, i);
        size_t pieces = 1;
        if (edge.bulge != 0) {
            ts_arc arc = ts_segment_arc(&edge);
            double share = fmin(tolerance / arc.radius, 1), n = fabs(arc.sweep) / (2 * acos(1 - share));
            pieces = n < CIRCLE_CORNERS ? (size_t)n + 1 : CIRCLE_CORNERS;
        }
        for (size_t k = 1; k <= pieces; k++)
            TS_TRY(add_point(lines, ts_segment_point(&edge, (double)k / (double)pieces), error));
    }
    return TS_OK;
}

static ts_status add_circle(double radius, ts_export_lines *lines, ts_error *error)
{
    TS_TRY(begin_line(lines, error));
    for (int i = 0; i <= CIRCLE_CORNERS; i++) {
        double angle = 2 * TS_PI * (i % CIRCLE_CORNERS) / CIRCLE_CORNERS;
        TS_TRY(add_point(lines, (ts_vec2){radius * cos(angle), radius * sin(angle)}, error));
    }
    return TS_OK;
}

ts_status ts_export_wall_lines(const ts_export_job *job, const ts_frame *frame, const ts_box3 *box, size_t index,
                               bool clip, ts_export_lines *lines, ts_error *error)
{
    const ts_trajectory_wall *built = &ts_trajectory_get_header(job->reader)->wall[index];
    if (built->kind == TS_WALL_FLAT)
        return add_half_plane(job, frame, box, index, clip, lines, error);
    if (built->kind == TS_WALL_CIRCLE)
        return add_circle(built->radius, lines, error);
    double share = job->tolerance > 0 ? job->tolerance : TS_EXPORT_TOLERANCE;
    for (size_t k = 0; k < built->line_count; k++)
        TS_TRY(add_contour(&built->line[k], 0.1 * share * built->radius, lines, error));
    return TS_OK;
}

/* ---- Colours and text ---- */

void ts_export_put_double(FILE *stream, double value)
{
    char text[TS_DOUBLE_TEXT_SIZE];
    ts_format_double(value, text);
    fputs(text, stream);
}

void ts_export_put_xml(FILE *stream, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '&')
            fputs("&amp;", stream);
        else if (c == '<')
            fputs("&lt;", stream);
        else if (c == '>')
            fputs("&gt;", stream);
        else if (c == '"')
            fputs("&quot;", stream);
        else
            putc(c < 32 ? ' ' : c, stream);
    }
}
