/* SPDX-License-Identifier: MIT */
#include "contact/pieces.h"

#include <math.h>

#include "base/memory.h"
#include "contact/faces.h"
#include "model.h"

/* Different pieces at most: each is looked for among all, and keeps some kilobytes. */
#define PIECES_MAX 20000
/* A piece behind an outline's edge: of the smallest inner radius of a grain. What is pressed in deeper than half of it
 * has its centre in the wall. */
static const double thickest = 2;
/* A polyline's, of the same. */
static const double slab = 0.5;
/* Of the way to the far side of the solid, or to an arc's centre. */
static const double share_of_solid = 0.9;
/* How finely that way is looked for: steps into the solid, and places along the edge. */
enum { solid_steps = 64, solid_places = 9 };
/* Ends that fill a corner lean outward by no more than this, of the thickness: an outline's in its inner corners, a
 * polyline's in its outer ones. */
static const double lean_most = 3, slab_lean_most = 1;
/* Measures this near are one: the rounding of coordinates, no more. */
static const double same_size = 1e-9;

/* An outline behind an edge; the edge goes from (-length/2, 0) to (length/2, 0), and y > 0 is free. */
typedef struct piece {
    double length, bulge, thickness;
    double lean[2];      /* how far its ends lean inward, of the thickness, at -length/2 and length/2; < 0: outward */
    double centre[2];    /* of mass */
    ts_outline *outline; /* while they are being made */
    ts_loose *loose;
} piece;

/* Where a face's piece stands in the wall's frame. */
typedef struct place {
    int32_t piece; /* -1: none, for corners and whole walls */
    double x, y;   /* the edge's middle [m] */
    double angle, cosine, sine;
    double slide; /* how far the piece may go along with a grain, either way [m] */
    double reach; /* farther than this beyond its radius from the face, no grain touches [m] */
} place;

/* A form, and the lattice of angles it is asked at. */
typedef struct grain {
    ts_loose *loose;    /* NULL: it is a disc or does not move */
    double first, turn; /* one angle, and from each to the next [rad] */
} grain;

struct ts_pieces {
    size_t count, capacity, form_count, face_count;
    piece *piece; /* (count) */
    place *place; /* of each face (faces->count) */
    grain *grain; /* of each form (form_count) */
};

/* ---- Sizes of grains ---- */

static bool touches_walls(const ts_form *form)
{
    return form->shape >= 0 && form->free > 0;
}

/* The smallest radius of a disc within a grain; infinite when no outline can move. */
static double smallest_inner(const ts_forms *f, const ts_model *m)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < f->count; i++)
        if (touches_walls(&f->form[i]))
            least = fmin(least, f->form[i].scale * m->shape[f->form[i].shape].inner);
    return least;
}

static double largest_radius(const ts_forms *f, const ts_model *m)
{
    double most = 0;
    for (size_t i = 0; i < f->count; i++)
        if (touches_walls(&f->form[i]))
            most = fmax(most, f->form[i].scale * m->shape[f->form[i].shape].radius);
    return most;
}

double ts_pieces_reach(const ts_forms *f, const ts_model *m)
{
    double inner = smallest_inner(f, m);
    return inner < HUGE_VAL ? TS_SLAB_REACH * inner : 0;
}

/* ---- Shapes of pieces ---- */

/* What pieces are made by. */
typedef struct plan {
    ts_pieces *to;
    const ts_model *model;
    double inner;  /* of the smallest grain [m] */
    double radius; /* of the largest [m] */
} plan;

static ts_segment segment_of(const ts_faces *f, const ts_face *face)
{
    const ts_face_joint *from = &f->joint[face->begin], *to = &f->joint[face->end];
    ts_segment s = {from->x, from->y, to->x, to->y, 0};
    if (face->radius > 0) { /* an arc of at most a third of a turn */
        double half = fmin(0.5 * hypot(s.x1 - s.x0, s.y1 - s.y0) / face->radius, 1);
        s.bulge = face->turn * half / (1 + sqrt(1 - half * half));
    }
    return s;
}

/* How far an end leans inward, of the thickness: along the other edge where the solid's corner is sharper than a right
 * angle; outward to what lies behind the other edge where the corner is an inner one, or nothing would stand behind it.
 * */
static double lean_at(const ts_face_joint *j)
{
    double cross = j->in_x * j->out_y - j->in_y * j->out_x, dot = j->in_x * j->out_x + j->in_y * j->out_y;
    if (cross < 0)
        return dot > 0 ? fmax(cross / dot, -lean_most) : -lean_most;
    return cross > 0 && dot < 0 ? -dot / cross : 0;
}

/* Whether all that lies `depth` behind an edge is solid. */
static bool is_solid(const ts_wall *wall, const ts_segment *s, const double lean[2], double depth)
{
    double x[solid_places], y[solid_places], distance[solid_places];
    double chord = hypot(s->x1 - s->x0, s->y1 - s->y0), from = depth * lean[1] / chord,
           to = 1 - depth * lean[0] / chord;
    for (int i = 0; i < solid_places; i++) {
        double t = from + (to - from) * (i + 0.5) / solid_places, beyond = t - fmin(fmax(t, 0), 1);
        ts_vec2 at = ts_segment_point(s, t), along = ts_segment_tangent(s, t);
        x[i] = at.x - depth * along.y + beyond * chord * along.x;
        y[i] = at.y + depth * along.x + beyond * chord * along.y;
    }
    ts_distance_query(wall->reach, solid_places, x, y, distance, NULL, NULL, NULL);
    for (int i = 0; i < solid_places; i++)
        if (!(distance[i] < 0))
            return false;
    return true;
}

/* How thick a piece behind an outline's edge may be. */
static double solid_behind(const plan *p, const ts_wall *wall, const ts_segment *s, const double lean[2])
{
    double most = thickest * p->inner;
    if (lean[0] + lean[1] > 0) /* its ends must not cross */
        most = fmin(most, 0.75 * hypot(s->x1 - s->x0, s->y1 - s->y0) / (lean[0] + lean[1]));
    if (s->bulge > 0)
        most = fmin(most, share_of_solid * ts_segment_arc(s).radius);
    for (int i = 1; i <= solid_steps; i++)
        if (!is_solid(wall, s, lean, most * i / solid_steps))
            return share_of_solid * most * i / solid_steps;
    return most;
}

static ts_status make_outline(piece *p, ts_error *error)
{
    if (p->lean[0] == 0 && p->lean[1] == 0)
        return ts_wall_piece(p->length, p->bulge, p->thickness, &p->outline, p->centre, error);
    const double half = 0.5 * p->length, t = p->thickness;
    const ts_vertex vertex[] = {
        {-half + t * p->lean[0], -t, 0}, {half - t * p->lean[1], -t, 0}, {half, 0, 0}, {-half, 0, 0}};
    TS_TRY(ts_outline_adopt(&(ts_contour){vertex, 4, false}, 1, NULL, 0, &p->outline, error));
    ts_outline_mass mass = ts_outline_get_mass(p->outline);
    p->centre[0] = mass.centre[0];
    p->centre[1] = mass.centre[1];
    return TS_OK;
}

static bool same_piece(const piece *a, const piece *b)
{
    const double size = same_size * (a->length + a->thickness);
    return fabs(a->length - b->length) <= size && fabs(a->thickness - b->thickness) <= size &&
           fabs(a->bulge - b->bulge) <= same_size && fabs(a->lean[0] - b->lean[0]) <= same_size &&
           fabs(a->lean[1] - b->lean[1]) <= same_size;
}

/* The piece of this shape, which is made when there is none. */
static ts_status find_piece(ts_pieces *to, piece *wanted, int32_t *which, ts_error *error)
{
    size_t k = 0;
    while (k < to->count && !same_piece(&to->piece[k], wanted))
        k++;
    *which = (int32_t)k;
    if (k < to->count)
        return TS_OK;
    if (k == PIECES_MAX)
        return ts_fail(error, TS_BAD_INPUT,
                       "the scene's polylines and outlines have more than %d different edges for outlines to touch; "
                       "draw them with fewer, or with equal ones",
                       PIECES_MAX);
    if (k == to->capacity) {
        size_t room = to->capacity > 0 ? 2 * to->capacity : 16;
        piece *grown = ts_realloc(to->piece, to->capacity * sizeof *grown, room * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, room * sizeof *grown);
        to->piece = grown;
        to->capacity = room;
    }
    TS_TRY(make_outline(wanted, error));
    to->piece[to->count++] = *wanted;
    return TS_OK;
}

/* The slab about a polyline's edge; `s` becomes its front. At an outer corner its end leans to the bisector, where the
 * next one's comes to meet it; at an inner corner the two overlap. */
static void shape_slab(const plan *p, const ts_face *face, ts_segment *s, piece *to)
{
    const ts_faces *f = p->model->faces;
    to->thickness = fmin(slab * p->inner, face->radius > 0 ? face->radius : HUGE_VAL);
    double half = 0.5 * to->thickness, longer[2] = {0, 0};
    for (int end = 0; end < 2 && s->bulge == 0; end++) {
        const ts_face_joint *j = &f->joint[end == 0 ? face->end : face->begin];
        if (j->first || j->last)
            continue;
        double cross = j->in_x * j->out_y - j->in_y * j->out_x, dot = j->in_x * j->out_x + j->in_y * j->out_y;
        double lean = fmin(fabs(cross) / (1 + dot), slab_lean_most);
        to->lean[end] = cross > 0 ? 0.5 * lean : -0.5 * lean;
        longer[end] = cross > 0 ? half * lean : 0; /* the front is on the right: outside of a turn to the left */
    }
    ts_vec2 begin = ts_segment_tangent(s, 0), end = ts_segment_tangent(s, 1);
    *s = (ts_segment){s->x0 + half * begin.y - longer[1] * begin.x, s->y0 - half * begin.x - longer[1] * begin.y,
                      s->x1 + half * end.y + longer[0] * end.x, s->y1 - half * end.x + longer[0] * end.y, s->bulge};
}

static void shape_piece(const plan *p, const ts_face *face, const ts_segment *s, piece *to)
{
    const ts_faces *f = p->model->faces;
    if (s->bulge == 0) {
        to->lean[0] = lean_at(&f->joint[face->end]);
        to->lean[1] = lean_at(&f->joint[face->begin]);
    }
    to->thickness = solid_behind(p, &p->model->wall[face->wall], s, to->lean);
}

static ts_status add_place(const plan *p, size_t index, ts_error *error)
{
    const ts_face *face = &p->model->faces->face[index];
    place *to = &p->to->place[index];
    *to = (place){.piece = -1};
    if (face->kind != TS_FACE_EDGE)
        return TS_OK;
    ts_segment s = segment_of(p->model->faces, face);
    piece wanted = {.bulge = -s.bulge}; /* it runs from the end to the begin */
    if (p->model->wall[face->wall].kind == TS_WALL_POLYLINE) {
        shape_slab(p, face, &s, &wanted);
        to->reach = TS_SLAB_REACH / slab * wanted.thickness;
    } else {
        shape_piece(p, face, &s, &wanted);
    }
    double dx = s.x0 - s.x1, dy = s.y0 - s.y1, length = hypot(dx, dy);
    wanted.length = length;
    if (s.bulge == 0) { /* no grain that the piece goes along with comes near its ends */
        double leaning = fmax(fabs(wanted.lean[0]), fabs(wanted.lean[1]));
        wanted.length = fmin(length, 4 * p->radius + 2 * leaning * wanted.thickness);
    }
    to->x = 0.5 * (s.x0 + s.x1);
    to->y = 0.5 * (s.y0 + s.y1);
    to->angle = atan2(dy, dx);
    to->cosine = dx / length;
    to->sine = dy / length;
    to->slide = 0.5 * (length - wanted.length);
    return find_piece(p->to, &wanted, &to->piece, error);
}

/* ---- Grains ---- */

static ts_status add_grain(const ts_form *form, const ts_shape *shape, double unit, double width, grain *to,
                           ts_error *error)
{
    TS_TRY(ts_loose_create(shape->outline, form->scale, unit, &to->loose, error));
    ts_symmetry symmetry;
    TS_TRY(ts_outline_symmetry(shape->outline, 0, &symmetry, error));
    /* a whole number of angles for each quarter turn and each turn that maps the grain onto itself: faces then lie
     * evenly between them */
    int32_t turns = symmetry.rotations > 0 && symmetry.rotations <= 64 ? symmetry.rotations : 1, share = turns;
    while (share % 4 != 0)
        share += turns;
    to->turn = 2 * TS_PI / (share * ceil(2 * TS_PI / (width * share)));
    to->first = symmetry.mirror && symmetry.rotations > 0 ? -symmetry.mirror_axis : 0;
    return TS_OK;
}

/* All in one unit, the largest radius of either. */
static ts_status make_loose(const plan *p, const ts_forms *f, double smoothing, ts_error *error)
{
    ts_pieces *to = p->to;
    double unit = p->radius;
    for (size_t i = 0; i < to->count; i++)
        unit = fmax(unit, ts_outline_get_mass(to->piece[i].outline).radius);
    for (size_t i = 0; i < to->count; i++) {
        TS_TRY(ts_loose_create(to->piece[i].outline, 1, unit, &to->piece[i].loose, error));
        ts_outline_free(to->piece[i].outline);
        to->piece[i].outline = NULL;
    }
    for (size_t i = 0; i < f->count; i++)
        if (touches_walls(&f->form[i]))
            TS_TRY(add_grain(&f->form[i], &p->model->shape[f->form[i].shape], unit, smoothing, &to->grain[i], error));
    return TS_OK;
}

static ts_status make_all(const plan *p, const ts_forms *f, double smoothing, ts_error *error)
{
    ts_pieces *to = p->to;
    size_t faces = p->model->faces->count;
    to->place = ts_alloc(faces, sizeof *to->place);
    to->grain = ts_alloc(f->count, sizeof *to->grain);
    if (!to->place || !to->grain)
        return ts_fail_memory(error, faces * sizeof *to->place + f->count * sizeof *to->grain);
    to->form_count = f->count;
    to->face_count = faces;
    for (size_t i = 0; i < faces; i++)
        TS_TRY(add_place(p, i, error));
    return make_loose(p, f, smoothing, error);
}

ts_status ts_pieces_create(const ts_forms *f, const ts_model *m, double smoothing, ts_pieces **pieces, ts_error *error)
{
    *pieces = NULL;
    plan p = {.model = m, .inner = smallest_inner(f, m), .radius = largest_radius(f, m)};
    if (!m->faces || p.radius == 0)
        return TS_OK;
    TS_TRY(ts_new(&p.to, 1, error));
    ts_status status = make_all(&p, f, smoothing, error);
    if (status != TS_OK) {
        ts_pieces_free(p.to);
        return status;
    }
    *pieces = p.to;
    return TS_OK;
}

size_t ts_pieces_bytes(const ts_pieces *pieces)
{
    if (!pieces)
        return 0;
    size_t bytes = sizeof *pieces + pieces->capacity * sizeof *pieces->piece +
                   pieces->face_count * sizeof *pieces->place + pieces->form_count * sizeof *pieces->grain;
    for (size_t i = 0; i < pieces->count; i++)
        bytes += ts_loose_bytes(pieces->piece[i].loose);
    for (size_t i = 0; i < pieces->form_count; i++)
        bytes += pieces->grain[i].loose ? ts_loose_bytes(pieces->grain[i].loose) : 0;
    return bytes;
}

void ts_pieces_free(ts_pieces *pieces)
{
    if (!pieces)
        return;
    for (size_t i = 0; i < pieces->count; i++) {
        ts_outline_free(pieces->piece[i].outline);
        ts_loose_free(pieces->piece[i].loose);
    }
    for (size_t i = 0; i < pieces->form_count; i++)
        ts_loose_free(pieces->grain[i].loose);
    ts_free(pieces->piece);
    ts_free(pieces->place);
    ts_free(pieces->grain);
    ts_free(pieces);
}

/* ---- Asking ---- */

/* The smoothed gap of a grain at a pose in the frame of the piece's centre of mass, if it is below 0; `middle` gets the
 * point of contact from the grain's centre, halfway between the two points of the record. */
static bool smooth_gap(const piece *p, const grain *g, const double at[3], double radius, ts_map_contact *contact,
                       double middle[2])
{
    const double node = (at[2] - g->first) / g->turn, nearest = floor(node + 0.5), s = node - nearest;
    const double weight[3] = {0.5 * (0.5 - s) * (0.5 - s), 0.75 - s * s, 0.5 * (0.5 + s) * (0.5 + s)};
    const double slope[3] = {(s - 0.5) / g->turn, -2 * s / g->turn, (s + 0.5) / g->turn};
    double gap = 0, gx = 0, gy = 0, turn = 0, arm = 0;
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3; /* the middle one first */
        ts_map_pose pose = {.b = {at[0], at[1], g->first + (nearest + k - 1) * g->turn}, .scale = 1};
        ts_map_contact c;
        ts_loose_query(1, (const ts_loose *const[]){p->loose}, (const ts_loose *const[]){g->loose}, &pose, &c);
        /* no point of the grain moves farther than this from one angle to the next */
        if (i == 0 && c.gap > (1 + 1e-6) * radius * g->turn)
            return false;
        gap += weight[k] * c.gap;
        gx += weight[k] * c.slope * c.normal[0];
        gy += weight[k] * c.slope * c.normal[1];
        turn += slope[k] * c.gap;
        arm += weight[k] * c.arm_b;
    }
    double steep = sqrt(gx * gx + gy * gy);
    if (!(gap < 0 && steep > 0)) /* without a direction there is no force */
        return false;
    double nx = gx / steep, ny = gy / steep, lever = fmin(fmax(-turn / steep, -radius), radius);
    *contact = (ts_map_contact){.gap = gap, .normal = {nx, ny}, .slope = steep, .turn_b = turn, .arm_b = arm};
    middle[0] = arm * nx - lever * ny;
    middle[1] = arm * ny + lever * nx;
    return true;
}

bool ts_pieces_ask(const ts_model *m, const ts_wall_frame *w, int32_t face, const ts_frame2 *part, uint16_t form,
                   ts_map_contact *c)
{
    const ts_pieces *pieces = m->forms->pieces;
    const place *stand = &pieces->place[face];
    double dx = part->x - w->frame.x, dy = part->y - w->frame.y, middle[2];
    ts_vec2 at = ts_wall_local(w, dx, dy);
    if (stand->piece < 0 ||
        ts_face_distance(m->faces, &m->faces->face[face], at.x, at.y) >= part->radius + stand->reach)
        return false;
    const piece *p = &pieces->piece[stand->piece];
    double x = stand->cosine * (at.x - stand->x) + stand->sine * (at.y - stand->y),
           y = stand->cosine * (at.y - stand->y) - stand->sine * (at.x - stand->x);
    x -= fmin(fmax(x, -stand->slide), stand->slide);
    const double pose[3] = {x - p->centre[0], y - p->centre[1], part->angle - w->frame.angle - stand->angle};
    if (!smooth_gap(p, &pieces->grain[form], pose, part->radius, c, middle))
        return false;
    /* from the piece's axes to the world's */
    double cosine = w->nx * stand->cosine - w->ny * stand->sine, sine = w->ny * stand->cosine + w->nx * stand->sine;
    double nx = cosine * c->normal[0] - sine * c->normal[1], ny = sine * c->normal[0] + cosine * c->normal[1];
    double mx = dx + cosine * middle[0] - sine * middle[1], my = dy + sine * middle[0] + cosine * middle[1];
    c->normal[0] = nx;
    c->normal[1] = ny;
    c->point_a[0] = mx - 0.5 * c->gap * nx;
    c->point_a[1] = my - 0.5 * c->gap * ny;
    c->point_b[0] = mx + 0.5 * c->gap * nx;
    c->point_b[1] = my + 0.5 * c->gap * ny;
    return true;
}
