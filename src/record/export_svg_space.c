/* SPDX-License-Identifier: MIT */
/* One frame of bodies in space as a drawing: their outlines, the farther ones first, so that nearer ones hide them.
 *
 *     no camera in the scene   parallel projection along the usual view (in front, to the right and above); 1 m is 1000 mm
 *     camera                   central projection; at the camera's target 1 m is 1000 mm
 *
 * A convex solid is the polygon around its projected corners; balls have 48 corners on the circle where lines of sight
 * touch them. A mesh is the union of its triangles that face the eye, and the edges where it turns away. Bodies are put
 * in order by the distance of their centres, pieces of a body likewise: long bodies that lie across each other may hide
 * each other wrongly. Planes have no outline and are left out; other walls are drawn without a filling. */
#include "record/export_svg_space.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "record/colour.h"
#include "record/stage3.h"

static const double mm = 1000; /* in a metre */
/* As a share of the picture's diagonal. */
static const double pen = 0.001;
/* Of a circle. */
enum { CORNERS = 48 };

/* How points get onto the paper. */
typedef struct projection {
    ts_vec3 origin;           /* the camera, or any point */
    ts_vec3 right, up, ahead; /* unit */
    double distance;          /* of the camera from its target; 0: parallel */
} projection;

/* On the paper [m], and how far away. What is behind the camera has no place: depth is then not positive. */
typedef struct seen {
    double x, y, depth;
} seen;

static projection find_projection(const ts_trajectory_header *header)
{
    const ts_camera *camera = &header->camera;
    const bool central = ts_stage3_has_camera(header);
    projection p = {.origin = ts_stage3_vector(camera->position)};
    ts_vec3 back = central ? ts_vec3_sub(ts_stage3_vector(camera->position), ts_stage3_vector(camera->target))
                           : ts_stage3_side(header);
    ts_vec3 up = ts_vec3_unit(ts_stage3_vector(camera->up));
    if (!(ts_vec3_length(up) > 0.5))
        up = central ? ts_stage3_camera_up(camera) : ts_stage3_up(header);
    p.distance = central ? ts_vec3_length(back) : 0;
    p.ahead = ts_vec3_neg(ts_vec3_unit(back));
    p.right = ts_vec3_unit(ts_vec3_cross(p.ahead, up));
    p.up = ts_vec3_cross(p.right, p.ahead);
    if (!central)
        p.origin = (ts_vec3){0, 0, 0};
    return p;
}

static seen project(const projection *p, ts_vec3 point)
{
    const ts_vec3 d = ts_vec3_sub(point, p->origin);
    const double depth = ts_vec3_dot(d, p->ahead), scale = p->distance > 0 ? p->distance / depth : 1;
    return (seen){scale * ts_vec3_dot(d, p->right), scale * ts_vec3_dot(d, p->up), depth};
}

static bool is_visible(const projection *p, seen s)
{
    return isfinite(s.x) && isfinite(s.y) && (p->distance == 0 || s.depth > 1e-3 * p->distance);
}

/* ---- Outlines ---- */

/* One piece of a body or of a wall. */
typedef struct figure {
    const ts_piece *piece;
    ts_pose3 pose;  /* of the piece, in the world */
    double far;     /* distance of the body's centre, then of the piece's */
    double own_far; /* that of the piece */
    size_t order;   /* breaks ties */
    int32_t shape;  /* of the body; -1: a wall */
} figure;

typedef struct edge {
    int32_t low, high; /* vertices */
} edge;

typedef struct drawing {
    const ts_trajectory_header *header;
    projection view;
    ts_box3 box; /* on the paper: z = 0 */
    TS_ARRAY(figure) figure;
    TS_ARRAY(seen) point;
    TS_ARRAY(edge) edge; /* of triangles that face the eye */
    FILE *out;
} drawing;

static int by_distance(const void *a, const void *b)
{
    const figure *p = a, *q = b;
    if ((p->shape < 0) != (q->shape < 0))
        return p->shape < 0 ? -1 : 1; /* walls first */
    if (p->far != q->far)
        return p->far > q->far ? -1 : 1;
    if (p->own_far != q->own_far)
        return p->own_far > q->own_far ? -1 : 1;
    return (p->order > q->order) - (p->order < q->order);
}

static ts_status add_pieces(drawing *d, size_t begin, size_t count, ts_pose3 pose, int32_t shape, ts_error *error)
{
    double far = project(&d->view, pose.position).depth;
    for (size_t k = 0; k < count; k++) {
        const ts_piece *piece = &d->header->piece[begin + k];
        figure f = {piece, ts_pose3_compose(pose, piece->pose), far, 0, d->figure.count, shape};
        f.own_far = project(&d->view, f.pose.position).depth;
        if (piece->solid.kind != TS_SOLID_PLANE)
            TS_TRY(ts_array_push(&d->figure, f, error));
    }
    return TS_OK;
}

static ts_status gather(drawing *d, const ts_frame *frame, ts_error *error)
{
    const ts_trajectory_header *header = d->header;
    for (size_t i = 0; i < header->wall_count; i++)
        if (frame->wall[i].present)
            TS_TRY(add_pieces(d, header->wall[i].piece_begin, header->wall[i].piece_count, frame->wall[i].pose, -1,
                              error));
    for (size_t i = 0; i < header->body_count; i++) {
        const ts_form3 *form = &header->form[header->body[i].form];
        if (frame->body[i].present)
            TS_TRY(
                add_pieces(d, form->piece_begin, form->piece_count, frame->body[i].pose, header->body[i].shape, error));
    }
    if (d->figure.count > 0)
        qsort(d->figure.item, d->figure.count, sizeof *d->figure.item, by_distance);
    return TS_OK;
}

/* ---- Points whose hull is the outline ---- */

static ts_status add_point(drawing *d, ts_vec3 p, ts_error *error)
{
    return ts_array_push(&d->point, project(&d->view, p), error);
}

static ts_status add_circle(drawing *d, ts_vec3 centre, ts_vec3 axis, double radius, ts_error *error)
{
    ts_vec3 u, v;
    ts_vec3_tangents(axis, &u, &v);
    for (int k = 0; k < CORNERS; k++) {
        double angle = 2 * TS_PI * k / CORNERS;
        ts_vec3 p = ts_vec3_add_scaled(centre, u, radius * cos(angle));
        TS_TRY(add_point(d, ts_vec3_add_scaled(p, v, radius * sin(angle)), error));
    }
    return TS_OK;
}

/* The circle where lines of sight touch a ball: nearer to the eye than its centre, and smaller, where the projection
 * is central. */
static ts_status add_ball(drawing *d, ts_vec3 centre, double radius, ts_error *error)
{
    const ts_vec3 to_eye = ts_vec3_sub(d->view.origin, centre);
    const double away = ts_vec3_length(to_eye), share = radius / away;
    if (d->view.distance == 0)
        return add_circle(d, centre, d->view.ahead, radius, error);
    if (!(share < 1)) /* the eye is in it */
        return TS_OK;
    return add_circle(d, ts_vec3_add_scaled(centre, to_eye, share * share), ts_vec3_scale(to_eye, 1 / away),
                      radius * sqrt(1 - share * share), error);
}

static ts_status find_points(drawing *d, const figure *f, ts_error *error)
{
    const ts_solid *solid = &f->piece->solid;
    const ts_vec3 axis = ts_pose3_apply_vector(f->pose, (ts_vec3){0, 0, 1}), h = solid->half;
    const ts_mesh *surface;
    d->point.count = 0;
    switch (solid->kind) {
    case TS_SOLID_SPHERE:
        return add_ball(d, f->pose.position, solid->radius, error);
    case TS_SOLID_CAPSULE:
    case TS_SOLID_CYLINDER:
    case TS_SOLID_VESSEL:
        for (int side = -1; side <= 1; side += 2) {
            ts_vec3 end = ts_vec3_add_scaled(f->pose.position, axis, side * solid->half_length);
            TS_TRY(solid->kind == TS_SOLID_CAPSULE ? add_ball(d, end, solid->radius, error)
                                                   : add_circle(d, end, axis, solid->radius, error));
        }
        return TS_OK;
    case TS_SOLID_BOX:
        for (int k = 0; k < 8; k++) {
            ts_vec3 corner = {k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z};
            TS_TRY(add_point(d, ts_pose3_apply(f->pose, corner), error));
        }
        return TS_OK;
    default:
        surface = ts_solid_surface(solid);
        for (size_t k = 0; k < (solid->hull ? solid->hull->vertex_count : surface->vertex_count); k++)
            TS_TRY(add_point(d, ts_pose3_apply(f->pose, solid->hull ? solid->hull->vertex[k] : surface->vertex[k]),
                             error));
        return TS_OK;
    }
}

static bool all_are_visible(const drawing *d)
{
    for (size_t k = 0; k < d->point.count; k++)
        if (!is_visible(&d->view, d->point.item[k]))
            return false;
    return d->point.count > 2;
}

/* ---- On paper ---- */

static double turn(seen a, seen b, seen c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int by_place(const void *a, const void *b)
{
    const seen *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* The polygon around points, counter-clockwise, in their place (Andrew's chains); `chain` has room for one more than
 * twice as many. */
static size_t hull_of(seen *point, size_t count, seen *chain)
{
    size_t n = 0;
    qsort(point, count, sizeof *point, by_place);
    for (int pass = 0; pass < 2; pass++) {
        size_t first = n;
        for (size_t i = 0; i < count; i++) {
            seen p = point[pass ? count - 1 - i : i];
            while (n >= first + 2 && turn(chain[n - 2], chain[n - 1], p) <= 0)
                n--;
            chain[n++] = p;
        }
        n -= n > first; /* the last is the first of the other chain */
    }
    return n;
}

static void put_point(const drawing *d, char command, seen p)
{
    fprintf(d->out, "%c%.6g %.6g", command, mm * p.x, mm * p.y);
}

static ts_status put_convex(drawing *d, ts_error *error)
{
    size_t count = d->point.count;
    TS_TRY(ts_array_reserve(&d->point, 3 * count + 2, error));
    size_t n = hull_of(d->point.item, count, d->point.item + count);
    fputs("<path d=\"", d->out);
    for (size_t i = 0; i < n; i++)
        put_point(d, i ? 'L' : 'M', d->point.item[count + i]);
    fputs("Z\"/>\n", d->out);
    return TS_OK;
}

static int by_ends(const void *a, const void *b)
{
    const edge *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return (p->high > q->high) - (p->high < q->high);
}

/* All triangles that face the eye turn the same way, so that one path fills what they cover, once. */
static ts_status put_mesh(drawing *d, const ts_mesh *mesh, ts_error *error)
{
    d->edge.count = 0;
    fputs("<path stroke=\"none\" d=\"", d->out);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *v = mesh->triangle[t];
        if (!(turn(d->point.item[v[0]], d->point.item[v[1]], d->point.item[v[2]]) > 0))
            continue;
        for (int k = 0; k < 3; k++) {
            int32_t a = v[k], b = v[(k + 1) % 3];
            put_point(d, k ? 'L' : 'M', d->point.item[a]);
            TS_TRY(ts_array_push(&d->edge, ((edge){a < b ? a : b, a < b ? b : a}), error));
        }
        putc('Z', d->out);
    }
    fputs("\"/>\n<path fill=\"none\" d=\"", d->out);
    if (d->edge.count > 0)
        qsort(d->edge.item, d->edge.count, sizeof *d->edge.item, by_ends);
    for (size_t k = 0; k < d->edge.count; k++) {
        bool again = (k > 0 && by_ends(&d->edge.item[k], &d->edge.item[k - 1]) == 0) ||
                     (k + 1 < d->edge.count && by_ends(&d->edge.item[k], &d->edge.item[k + 1]) == 0);
        if (again) /* both sides of it are seen */
            continue;
        put_point(d, 'M', d->point.item[d->edge.item[k].low]);
        put_point(d, 'L', d->point.item[d->edge.item[k].high]);
    }
    fputs("\"/>\n", d->out);
    return TS_OK;
}

static ts_status put_figure(drawing *d, const figure *f, ts_error *error)
{
    TS_TRY(find_points(d, f, error));
    if (!all_are_visible(d))
        return TS_OK;
    if (f->shape >= 0)
        fprintf(d->out, "<g fill=\"#%06" PRIx32 "\">", ts_colour_pixel(ts_colour_kind((size_t)f->shape)));
    const ts_mesh *surface = ts_solid_surface(&f->piece->solid);
    TS_TRY(surface ? put_mesh(d, surface, error) : put_convex(d, error));
    if (f->shape >= 0)
        fputs("</g>\n", d->out);
    return TS_OK;
}

/* Of bodies; of walls where there are none. */
static ts_status find_box(drawing *d, ts_error *error)
{
    bool bodies = false;
    for (size_t i = 0; i < d->figure.count; i++)
        bodies = bodies || d->figure.item[i].shape >= 0;
    d->box = ts_box3_none();
    for (size_t i = 0; i < d->figure.count; i++) {
        TS_TRY(find_points(d, &d->figure.item[i], error));
        for (size_t k = 0; k < d->point.count && (d->figure.item[i].shape >= 0 || !bodies) && all_are_visible(d); k++) {
            const ts_vec3 p = {d->point.item[k].x, d->point.item[k].y, 0};
            d->box = ts_box3_join(d->box, (ts_box3){p, p});
        }
    }
    d->box = ts_export_box_mended(d->box, &ts_record_plane);
    return TS_OK;
}

/* Lines between centres, as wide as their force beside the largest. */
static void put_contacts(const drawing *d, const ts_frame *frame, double width)
{
    double largest = 0;
    for (size_t i = 0; i < frame->contact_count; i++)
        largest = fmax(largest, ts_frame_normal_force(&frame->contact[i]));
    for (size_t i = 0; i < frame->contact_count; i++) {
        const ts_frame_contact *c = &frame->contact[i];
        const double share = largest > 0 ? ts_frame_normal_force(c) / largest : 0;
        const ts_vec3 from = c->a < 0 ? ts_stage3_vector(c->point) : frame->body[c->a].pose.position;
        const seen a = project(&d->view, from), b = project(&d->view, frame->body[c->b].pose.position);
        if (!(share > 0) || !is_visible(&d->view, a) || !is_visible(&d->view, b))
            continue;
        fprintf(d->out, "<path stroke-width=\"%.4g\" d=\"", width * fmax(share, 0.05));
        put_point(d, 'M', a);
        put_point(d, 'L', b);
        fputs("\"/>\n", d->out);
    }
}

static ts_status put_drawing(drawing *d, const ts_export_job *job, const ts_frame *frame, ts_error *error)
{
    TS_TRY(gather(d, frame, error));
    TS_TRY(find_box(d, error));
    const double width = mm * pen * ts_export_svg_head(d->header, frame, &d->box, d->out);
    fprintf(d->out,
            "<g transform=\"scale(1,-1)\">\n<g id=\"walls\" fill=\"none\" stroke=\"#404040\" stroke-width=\"%.4g\">\n",
            width);
    size_t i = 0;
    for (; i < d->figure.count && d->figure.item[i].shape < 0; i++)
        TS_TRY(put_figure(d, &d->figure.item[i], error));
    fprintf(d->out, "</g>\n<g id=\"bodies\" stroke=\"#202020\" stroke-linejoin=\"round\" stroke-width=\"%.4g\">\n",
            width);
    for (; i < d->figure.count; i++)
        TS_TRY(put_figure(d, &d->figure.item[i], error));
    fputs("</g>\n", d->out);
    if (job->contacts) {
        fputs("<g id=\"contacts\" fill=\"none\" stroke=\"#202020\" stroke-linecap=\"round\">\n", d->out);
        put_contacts(d, frame, 9 * width);
        fputs("</g>\n", d->out);
    }
    fputs("</g>\n</svg>\n", d->out);
    return TS_OK;
}

ts_status ts_export_svg_space(const ts_export_job *job, const ts_frame *frame, FILE *out, ts_error *error)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    drawing d = {.header = header, .view = find_projection(header), .out = out};
    ts_status status = put_drawing(&d, job, frame, error);
    ts_array_free(&d.figure);
    ts_array_free(&d.point);
    ts_array_free(&d.edge);
    return status;
}
