/* SPDX-License-Identifier: MIT */
/* One frame as a drawing. Shapes are defined once, with true arcs, and used for each body; numbers are millimetres.
 *
 *     <defs> <g id="shape0"> <path d="M … A … Z"/> </g> </defs>
 *     <g transform="scale(1,-1)">                                       SVG's y goes down, ours up
 *         <g id="walls"> … </g> <g id="bodies"> <use …/> … </g> <g id="contacts"> … </g>
 *     </g>
 *
 * Within the turned group a sweep flag of 1 is our counter-clockwise. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/colour.h"
#include "record/export_svg_space.h"
#include "shape/segment.h"

static const double mm = 1000; /* in a metre */
/* As shares of the picture's diagonal. */
static const double margin = 0.02, pen = 0.003;

static void put_point(FILE *out, char command, double x, double y)
{
    fprintf(out, "%c", command);
    ts_export_put_double(out, mm * x);
    putc(' ', out);
    ts_export_put_double(out, mm * y);
}

/* Of less than half a turn. */
static void put_arc(FILE *out, double radius, bool left, double x, double y)
{
    putc('A', out);
    ts_export_put_double(out, mm * radius);
    putc(' ', out);
    ts_export_put_double(out, mm * radius);
    fprintf(out, " 0 0 %d", left);
    put_point(out, ' ', x, y);
}

/* An arc whose height over its chord is lost in the digits of its ends is a line, whatever its radius. */
static bool is_straight(const ts_segment *edge)
{
    double height = 0.5 * fabs(edge->bulge) * hypot(edge->x1 - edge->x0, edge->y1 - edge->y0);
    return height <= DBL_EPSILON * fmax(fmax(fabs(edge->x0), fabs(edge->y0)), fmax(fabs(edge->x1), fabs(edge->y1)));
}

static void put_contour(FILE *out, const ts_contour *contour)
{
    put_point(out, 'M', contour->vertex[0].x, contour->vertex[0].y);
    for (size_t i = 0; i < ts_contour_segment_count(contour); i++) {
        ts_segment edge = ts_contour_segment(contour, i);
        if (is_straight(&edge)) {
            put_point(out, 'L', edge.x1, edge.y1);
            continue;
        }
        /* pieces of at most a quarter turn: from the ends of half a turn, rounding hides where the centre is */
        ts_arc arc = ts_segment_arc(&edge);
        int pieces = (int)fmax(ceil(fabs(arc.sweep) / (0.5 * TS_PI) - 1e-9), 1);
        for (int k = 1; k <= pieces; k++) {
            ts_vec2 to = ts_segment_point(&edge, (double)k / pieces);
            put_arc(out, arc.radius, arc.sweep > 0, to.x, to.y);
        }
    }
    if (!contour->open)
        putc('Z', out);
}

static void put_circle(FILE *out, double x, double y, double radius)
{
    put_point(out, 'M', x + radius, y);
    put_arc(out, radius, true, x, y + radius);
    put_arc(out, radius, true, x - radius, y);
    put_arc(out, radius, true, x, y - radius);
    put_arc(out, radius, true, x + radius, y);
    putc('Z', out);
}

static void put_shape(FILE *out, const ts_trajectory_shape *shape, size_t index)
{
    fprintf(out, "<g id=\"shape%zu\">", index);
    if (shape->name[0]) {
        fputs("<title>", out);
        ts_export_put_xml(out, shape->name);
        fputs("</title>", out);
    }
    if (shape->outline) {
        fputs("<path fill-rule=\"nonzero\" d=\"", out);
        for (size_t i = 0; i < shape->outline->contour_count; i++) {
            ts_contour contour = {.vertex = shape->outline->vertex + shape->outline->begin[i],
                                  .vertex_count = shape->outline->begin[i + 1] - shape->outline->begin[i]};
            put_contour(out, &contour);
        }
    } else {
        /* overlapping discs are one path: what is wound around twice is filled once */
        fputs("<path fill-rule=\"nonzero\" d=\"", out);
        for (size_t i = 0; i < shape->disc_count; i++)
            put_circle(out, shape->disc[i].x, shape->disc[i].y, shape->disc[i].radius);
    }
    fputs("\"/></g>\n", out);
}

static void put_transform(FILE *out, double x, double y, double angle, double scale)
{
    fputs("transform=\"translate(", out);
    put_point(out, ' ', x, y);
    fputs(") rotate(", out);
    ts_export_put_double(out, fmod(angle * 180 / TS_PI, 360));
    if (scale != 1) {
        fputs(") scale(", out);
        ts_export_put_double(out, scale);
    }
    fputs(")\"", out);
}

static ts_status put_walls(const ts_export_job *job, const ts_frame *frame, const ts_box3 *box, FILE *out,
                           ts_error *error)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    for (size_t i = 0; i < header->wall_count; i++) {
        const ts_trajectory_wall *built = &header->wall[i];
        const ts_frame_wall *now = &frame->wall[i];
        ts_export_lines lines = {0};
        if (!now->present)
            continue;
        ts_status status = TS_OK;
        if (built->kind == TS_WALL_FLAT)
            status = ts_export_wall_lines(job, frame, box, i, true, &lines, error);
        fputs("<path ", out);
        put_transform(out, now->pose.position.x, now->pose.position.y, now->angle, 1);
        fputs(" d=\"", out);
        for (size_t k = 0; k < lines.point.count; k++)
            put_point(out, k == 0 ? 'M' : 'L', lines.point.item[k].x, lines.point.item[k].y);
        if (built->kind == TS_WALL_CIRCLE)
            put_circle(out, 0, 0, built->radius);
        for (size_t k = 0; k < built->line_count; k++)
            put_contour(out, &built->line[k]);
        fputs("\"/>\n", out);
        ts_export_lines_free(&lines);
        TS_TRY(status);
    }
    return TS_OK;
}

static void put_grains(const ts_trajectory_header *header, const ts_frame *frame, FILE *out)
{
    for (size_t i = 0; i < header->body_count; i++) {
        const ts_frame_body *now = &frame->body[i];
        size_t shape = (size_t)header->body[i].shape;
        if (!now->present)
            continue;
        fprintf(out, "<use xlink:href=\"#shape%zu\" fill=\"#%06" PRIx32 "\" ", shape,
                ts_colour_pixel(ts_colour_kind(shape)));
        put_transform(out, now->pose.position.x, now->pose.position.y, now->angle, header->body[i].scale);
        fputs("/>\n", out);
    }
}

/* Lines between centres, as wide as their force beside the largest. */
static void put_contacts(const ts_frame *frame, double width, FILE *out)
{
    double largest = 0;
    for (size_t i = 0; i < frame->contact_count; i++)
        largest = fmax(largest, ts_frame_normal_force(&frame->contact[i]));
    for (size_t i = 0; i < frame->contact_count; i++) {
        const ts_frame_contact *c = &frame->contact[i];
        double share = largest > 0 ? ts_frame_normal_force(c) / largest : 0;
        if (!(share > 0))
            continue;
        fprintf(out, "<path stroke-width=\"%.4g\" d=\"", width * fmax(share, 0.05));
        ts_vec3 a = c->a < 0 ? (ts_vec3){c->point[0], c->point[1], c->point[2]} : frame->body[c->a].pose.position,
                b = frame->body[c->b].pose.position;
        put_point(out, 'M', a.x, a.y);
        put_point(out, 'L', b.x, b.y);
        fputs("\"/>\n", out);
    }
}

double ts_export_svg_head(const ts_trajectory_header *header, const ts_frame *frame, const ts_box3 *box, FILE *out)
{
    double diagonal = hypot(box->high.x - box->low.x, box->high.y - box->low.y), rim = margin * diagonal;
    double width = mm * (box->high.x - box->low.x + 2 * rim), height = mm * (box->high.y - box->low.y + 2 * rim);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
          "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\"",
          out);
    fprintf(out, " width=\"%.9gmm\" height=\"%.9gmm\" viewBox=\"%.9g %.9g %.9g %.9g\">\n<title>", width, height,
            mm * (box->low.x - rim), -mm * (box->high.y + rim), width, height);
    ts_export_put_xml(out, header->title[0] ? header->title : "Touchstone");
    fprintf(out, ", frame %" PRIu64 ", t = %.9g s</title>\n", frame->index, frame->time);
    return diagonal;
}

ts_status ts_export_svg_plane(const ts_export_job *job, const ts_frame *frame, FILE *out, ts_error *error)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    const ts_box3 box = ts_export_box_of(header, frame);
    double diagonal = ts_export_svg_head(header, frame, &box, out);
    fputs("<defs>\n", out);
    for (size_t i = 0; i < header->shape_count; i++)
        put_shape(out, &header->shape[i], i);
    fprintf(out,
            "</defs>\n<g transform=\"scale(1,-1)\">\n<g id=\"walls\" fill=\"none\" stroke=\"#404040\" "
            "stroke-width=\"%.4g\">\n",
            mm * pen * diagonal);
    TS_TRY(put_walls(job, frame, &box, out, error));
    fputs("</g>\n<g id=\"bodies\" stroke=\"none\">\n", out);
    put_grains(header, frame, out);
    fputs("</g>\n", out);
    if (job->contacts) {
        fputs("<g id=\"contacts\" fill=\"none\" stroke=\"#202020\" stroke-linecap=\"round\">\n", out);
        put_contacts(frame, 3 * mm * pen * diagonal, out);
        fputs("</g>\n", out);
    }
    fputs("</g>\n</svg>\n", out);
    return TS_OK;
}

ts_status ts_export_svg(const ts_export_job *job, ts_error *error)
{
    ts_export_range range;
    ts_frame frame;
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    TS_AUTO(ts_draft_discard) ts_draft draft = {0};
    TS_TRY(ts_export_range_of(job, &range, error));
    if (range.total != 1)
        return ts_fail(error, TS_BAD_INPUT,
                       "a drawing shows one frame, but %" PRIu64 " are chosen; choose one, such as --frames -1",
                       range.total);
    TS_TRY(ts_trajectory_read(job->reader, range.first, &frame, error));
    TS_TRY(ts_draft_open(&draft, job->out, error));
    TS_TRY(header->kind->draw(job, &frame, draft.stream, error));
    TS_TRY(ts_export_tick(job, 1, 1, draft.stream, error));
    return ts_draft_commit(&draft, error);
}
