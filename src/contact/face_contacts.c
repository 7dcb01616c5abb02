/* SPDX-License-Identifier: MIT */
/* Contacts of discs with the faces of walls. See faces.h.
 *
 * One at a time, in plain C: walls touch few parts, and the same code runs on every machine. */
#include <math.h>

#include "contact/faces.h"

/* Whose a point is, of the edges at a joint and the corner itself. */
typedef enum side { SIDE_IN, SIDE_OUT, SIDE_BOTH, SIDE_CORNER } side;

static side side_of(const ts_face_joint *j, double x, double y)
{
    double dx = x - j->x, dy = y - j->y;
    double in = dx * j->in_x + dy * j->in_y, out = dx * j->out_x + dy * j->out_y;
    bool past = j->first || in >= 0;   /* beyond the end of the edge that comes in */
    bool begun = !j->last && out >= 0; /* within the begin of the edge that goes out */
    if (past)
        return begun ? SIDE_OUT : SIDE_CORNER;
    if (!begun)
        return SIDE_IN;
    return !j->shallow ? SIDE_BOTH : in + out < 0 ? SIDE_IN : SIDE_OUT;
}

/* How a disc stands to a face. */
typedef enum stand {
    STAND_APART,  /* too far */
    STAND_BEFORE, /* beyond its begin: the face before may have it */
    STAND_AFTER,  /* beyond its end: the next one may have it */
    STAND_TOUCHING
} stand;

static stand range_of(const ts_faces *f, const ts_face *face, double x, double y)
{
    side begin = side_of(&f->joint[face->begin], x, y);
    if (face->kind == TS_FACE_CORNER)
        return begin == SIDE_CORNER ? STAND_TOUCHING : begin == SIDE_OUT ? STAND_AFTER : STAND_BEFORE;
    if (begin != SIDE_OUT && begin != SIDE_BOTH)
        return STAND_BEFORE;
    side end = side_of(&f->joint[face->end], x, y);
    return end == SIDE_IN || end == SIDE_BOTH ? STAND_TOUCHING : STAND_AFTER;
}

double ts_face_height(const ts_faces *f, const ts_face *face, double x, double y, double *nx, double *ny)
{
    const ts_face_joint *from = &f->joint[face->begin];
    double dx = x - from->x, dy = y - from->y;
    *nx = face->nx;
    *ny = face->ny;
    if (face->kind == TS_FACE_CORNER) {
        double distance = sqrt(dx * dx + dy * dy);
        *nx = distance > 0 ? face->turn * dx / distance : 1;
        *ny = distance > 0 ? face->turn * dy / distance : 0;
        return face->turn * distance;
    }
    if (face->radius == 0)
        return dx * face->nx + dy * face->ny;
    /* ρ² - R² from the arc's begin, where the radius is R·w: no digits are lost when the centre is far away */
    double r = face->radius, wx = face->turn * face->nx, wy = face->turn * face->ny;
    double beyond = dx * dx + dy * dy + 2 * r * (dx * wx + dy * wy);
    double rho = sqrt(fmax(r * r + beyond, 0));
    if (rho > 0) {
        *nx = face->turn * (dx + r * wx) / rho;
        *ny = face->turn * (dy + r * wy) / rho;
    }
    return face->turn * beyond / (rho + r);
}

/* Whether a centre behind an outline's face, at `height` < 0, is in the solid, with no other face nearer. One behind a
 * thin solid is on the far side of it, and none of this face's business. */
static bool nearest_within(const ts_wall *wall, double height, double x, double y)
{
    double distance;
    ts_distance_query(wall->reach, 1, &x, &y, &distance, NULL, NULL, NULL);
    return distance < 0 && height >= distance * (1 + 1e-9);
}

/* What is known of a candidate. */
typedef struct probe {
    stand stand;
    double gap, nx, ny; /* world frame; only of one that touches */
} probe;

static probe look_at(const ts_model *model, const ts_face *face, const ts_wall_frame *w, const ts_frame2 *p,
                     double open)
{
    double dx = p->x - w->frame.x, dy = p->y - w->frame.y;
    probe out = {.stand = STAND_APART};
    if (w->absent)
        return out;
    if (face->kind == TS_FACE_WHOLE) {
        out.gap = ts_wall_gap(w, dx, dy, p->radius, &out.nx, &out.ny);
        out.stand = out.gap < open ? STAND_TOUCHING : STAND_APART;
        return out;
    }
    ts_vec2 at = ts_wall_local(w, dx, dy);
    out.stand = range_of(model->faces, face, at.x, at.y);
    if (out.stand != STAND_TOUCHING)
        return out;
    double nx, ny, height = ts_face_height(model->faces, face, at.x, at.y, &nx, &ny);
    bool touches = fabs(height) < p->radius + open;
    if (height < 0 && w->kind == TS_WALL_POLYLINE) { /* a thin wall faces whoever comes */
        height = -height;
        nx = -nx;
        ny = -ny;
    } else if (touches && height < 0) {
        touches = nearest_within(&model->wall[face->wall], height, at.x, at.y);
    }
    out.gap = height - p->radius;
    out.nx = w->nx * nx - w->ny * ny;
    out.ny = w->ny * nx + w->nx * ny;
    out.stand = touches ? STAND_TOUCHING : STAND_APART;
    return out;
}

/* How many faces along the curve a contact may move in one step: over a corner from one short edge to the next. */
#define HAND_OVER_FACES 4

/* The contact of candidate k has left its face: the one that it went to, which holds no spring yet, gets what it had.
 * */
static void hand_over(const ts_faces *f, const ts_candidate *pair, int count, int k, const probe *probes,
                      double *spring)
{
    double held = spring[k];
    spring[k] = 0;
    if (probes[k].stand == STAND_APART)
        return;
    int32_t face = pair[k].a;
    for (int step = 0; step < HAND_OVER_FACES; step++) {
        face = probes[k].stand == STAND_AFTER ? f->face[face].next : f->face[face].before;
        if (face < 0 || face == pair[k].a)
            return;
        for (int other = 0; other < count; other++)
            if (pair[other].b == pair[k].b && pair[other].a == face && probes[other].stand == STAND_TOUCHING) {
                if (spring[other] == 0)
                    spring[other] = held;
                return;
            }
    }
}

void ts_find_faces(const ts_model *model, const ts_wall_frame *wall, const ts_frame2 *part, const ts_candidate *pair,
                   int count, double open, double *spring, ts_contact_batch *out)
{
    probe probes[TS_BATCH];
    const ts_faces *f = model->faces;
    for (int k = 0; k < count; k++) {
        const ts_face *face = &f->face[pair[k].a];
        probes[k] = look_at(model, face, &wall[face->wall], &part[pair[k].b], open);
    }
    for (int k = 0; k < count; k++)
        if (probes[k].stand != STAND_TOUCHING && spring[k] != 0)
            hand_over(f, pair, count, k, probes, spring);
    int found = 0;
    for (int k = 0; k < count; k++) {
        if (probes[k].stand != STAND_TOUCHING)
            continue;
        const ts_frame2 *p = &part[pair[k].b], *frame = &wall[f->face[pair[k].a].wall].frame;
        double gap = probes[k].gap, nx = probes[k].nx, ny = probes[k].ny;
        out->a[found] = f->face[pair[k].a].wall;
        out->b[found] = pair[k].b;
        out->history[found] = k;
        out->gap[found] = gap;
        out->nx[found] = nx;
        out->ny[found] = ny;
        out->bx[found] = -p->radius * nx;
        out->by[found] = -p->radius * ny;
        /* the wall's point lies one gap before the part's: point_b - point_a = gap · n */
        out->ax[found] = p->x - frame->x + out->bx[found] - gap * nx;
        out->ay[found] = p->y - frame->y + out->by[found] - gap * ny;
        found++;
    }
    out->weighted = out->shared = false;
    out->count = found;
    ts_contact_batch_fill_up(out);
}
