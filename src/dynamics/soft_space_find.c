/* SPDX-License-Identifier: MIT */
/* Places of soft-step in space: found, put into the frames of their bodies, and matched with what they have been
 * through. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/soft_space_parts.h"
#include "manifold/settle.h"
#include "manifold/touch.h"

/* Pairs that one task takes: of balls, and of all others. */
enum { BALL_CHUNK = 1024, OTHER_CHUNK = 32 };
/* A cylinder is touched from its side when its axis and the normal are at right angles but for this. */
#define ACROSS 1e-3
/* Points are on a rim, and normals those of a side, but for this, of the radius and of 1. */
#define ALIGNED 1e-9

/* ---- What places have been through ---- */

static int compare_places(int32_t b, uint64_t key, int32_t other_b, uint64_t other_key)
{
    if (b != other_b)
        return b < other_b ? -1 : 1;
    return (key > other_key) - (key < other_key);
}

static int by_place(const void *p, const void *q)
{
    const ts_soft3_past *x = p, *y = q;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return compare_places(x->b, x->key, y->b, y->key);
}

/* Where each frame's begin. */
static ts_status index_past(ts_soft3 *m, ts_error *error)
{
    TS_TRY(ts_array_reserve(&m->past_begin, m->frame_count + 1, error));
    size_t at = 0;
    for (size_t f = 0; f <= m->frame_count; f++) {
        while (at < m->past.count && (size_t)m->past.item[at].a < f)
            at++;
        m->past_begin.item[f] = (int32_t)at;
    }
    return TS_OK;
}

/* What is across the normal, on the other side. */
static void turn_over(double value[4])
{
    for (int k = 1; k < 4; k++)
        value[k] = -value[k];
}

ts_status ts_soft3_recall(ts_soft3 *m, const ts_state *from, ts_error *error)
{
    const ts_history_array *history = &from->history;
    bool sorted = true;
    TS_TRY(ts_array_reserve(&m->past, history->count + 1, error));
    m->past.count = 0;
    for (size_t i = 0; i < history->count; i++) {
        const ts_history *h = &history->item[i];
        const int32_t a = ts_verlet3_frame(&m->list, h->a), b = ts_verlet3_frame(&m->list, h->b);
        ts_soft3_past *p = &m->past.item[m->past.count++];
        *p = (ts_soft3_past){a < b ? a : b, a < b ? b : a, a < b ? h->key : ts_soft3_swapped(h->key), {0}};
        memcpy(p->value, h->value, sizeof h->value);
        if (i < from->impulses.count)
            memcpy(p->value + TS_SOFT3_SUM_NORMAL, &from->impulses.item[i], sizeof *from->impulses.item);
        if (b < a) {
            turn_over(p->value);
            turn_over(p->value + TS_SOFT3_SUM_NORMAL);
        }
        sorted &= i == 0 || by_place(p - 1, p) <= 0;
    }
    if (!sorted) /* another program's state */
        qsort(m->past.item, m->past.count, sizeof *m->past.item, by_place);
    return index_past(m, error);
}

/* Nothing is what those have that are not known. What pairs at rest have is in m->past. */
static bool is_kept(const ts_soft3 *m, const ts_soft3_place *p)
{
    return p->value[TS_SOFT3_SUM_NORMAL] > 0 && !ts_soft3_pair_rests(m, p->a, p->b);
}

static ts_soft3_past past_of(const ts_soft3_place *p)
{
    ts_soft3_past past = {p->a, p->b, p->key, {0}};
    memcpy(past.value, p->value, sizeof past.value);
    return past;
}

static int past_with_place(const void *past, const void *place)
{
    const ts_soft3_place *p = place;
    return by_place(past, &(ts_soft3_past){p->a, p->b, p->key, {0}});
}

bool ts_soft3_has_place(const ts_soft3 *m, size_t count, int32_t a, int32_t b, uint64_t key)
{
    const ts_soft3_past wanted = {a, b, key, {0}};
    return count > 0 && bsearch(&wanted, m->place.item, count, sizeof *m->place.item, past_with_place);
}

/* The same of all places, for those that are asked for in order: from *at on. */
static bool is_place(const ts_soft3 *m, size_t *at, const ts_soft3_past *wanted)
{
    int order = 1;
    while (*at < m->place.count && (order = past_with_place(wanted, &m->place.item[*at])) > 0)
        ++*at;
    return order == 0;
}

/* Only what rests stays in m->past, and of a later finding what was struck before it and has no place any more. */
static void drop_past(ts_soft3 *m, bool first)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < m->past.count; i++) {
        ts_soft3_past past = m->past.item[i];
        if (!ts_soft3_pair_rests(m, past.a, past.b)) {
            if (first || !(past.value[TS_SOFT3_SUM_NORMAL] > 0) || is_place(m, &at, &past))
                continue;
            memset(past.value, 0, TS_SOFT3_SUM_NORMAL * sizeof *past.value); /* no force of the next sub-step */
        }
        m->past.item[count++] = past;
    }
    m->past.count = count;
}

ts_status ts_soft3_keep(ts_soft3 *m, bool first, ts_error *error)
{
    size_t struck = 0;
    drop_past(m, first);
    size_t before = m->past.count;
    for (size_t i = 0; i < m->place.count; i++)
        struck += is_kept(m, &m->place.item[i]);
    TS_TRY(ts_array_reserve(&m->past, before + struck + 1, error));
    m->past.count = before + struck;
    /* both are in order: from the end, where there is room */
    for (size_t i = m->place.count, to = m->past.count; i > 0;) {
        const ts_soft3_place *p = &m->place.item[i - 1];
        if (!is_kept(m, p)) {
            i--;
            continue;
        }
        const ts_soft3_past past = past_of(p);
        if (before > 0 && by_place(&m->past.item[before - 1], &past) > 0) {
            m->past.item[--to] = m->past.item[--before];
        } else {
            m->past.item[--to] = past;
            i--;
        }
    }
    return index_past(m, error);
}

void ts_soft3_write(const ts_soft3 *m, ts_state *to)
{
    to->history.count = to->impulses.count = m->past.count;
    for (size_t i = 0; i < m->past.count; i++) {
        const ts_soft3_past *p = &m->past.item[i];
        const int64_t a = ts_verlet3_owner(&m->list, p->a), b = ts_verlet3_owner(&m->list, p->b);
        const bool swap = b < a;
        double value[TS_SOFT3_VALUES];
        memcpy(value, p->value, sizeof value);
        if (swap) {
            turn_over(value);
            turn_over(value + TS_SOFT3_SUM_NORMAL);
        }
        ts_history *h = &to->history.item[i];
        *h = (ts_history){swap ? b : a, swap ? a : b, swap ? ts_soft3_swapped(p->key) : p->key, {0}};
        memcpy(h->value, value, sizeof h->value);
        memcpy(&to->impulses.item[i], value + TS_SOFT3_SUM_NORMAL, sizeof *to->impulses.item);
    }
}

static void recall_place(const ts_soft3 *m, ts_soft3_place *p)
{
    int32_t low = m->past_begin.item[p->a], high = m->past_begin.item[p->a + 1];
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const ts_soft3_past *past = &m->past.item[middle];
        const int order = compare_places(p->b, p->key, past->b, past->key);
        if (order == 0) {
            memcpy(p->value, past->value, sizeof p->value);
            return;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
}

/* ---- What touches ---- */

/* What a solid is like around a place. */
typedef enum side_kind {
    PLAIN, /* a point of its surface */
    BALL,  /* a ball about the point */
    AXLE   /* round about an axis through the point */
} side_kind;

typedef struct side {
    side_kind kind;
    ts_vec3 point; /* that it carries */
    double radius; /* about the point */
    ts_vec3 axis;
} side;

/* `out`: the normal that points away from it. */
static side side_of(ts_placed_solid s, ts_vec3 point, ts_vec3 out)
{
    const double r = s.solid->radius;
    if (s.solid->kind == TS_SOLID_SPHERE)
        return (side){.kind = BALL, .point = s.pose.position, .radius = r};
    if (s.solid->kind != TS_SOLID_CAPSULE && s.solid->kind != TS_SOLID_CYLINDER)
        return (side){.kind = PLAIN, .point = point};
    const ts_vec3 axis = ts_quat_apply(s.pose.quat, (ts_vec3){0, 0, 1});
    if (s.solid->kind == TS_SOLID_CYLINDER && fabs(ts_vec3_dot(axis, out)) > ACROSS)
        return (side){.kind = PLAIN, .point = point};
    const ts_vec3 centre = ts_vec3_add_scaled(point, out, -r);
    const double height = ts_vec3_dot(ts_vec3_sub(centre, s.pose.position), axis), half = s.solid->half_length;
    const bool ends = s.solid->kind == TS_SOLID_CAPSULE && fabs(height) >= half * (1 - 1e-9);
    return (side){ends ? BALL : AXLE, ts_vec3_add_scaled(s.pose.position, axis, ends ? copysign(half, height) : height),
                  r, axis};
}

/* The lowest point of a smooth body goes on over its surface as that rolls: on a ball as round as it is that way. A
 * rounder one than this, over its size, is needed for that. */
static const double round_least = 0.1;

static side smooth_side(const ts_soft3 *m, int32_t frame, ts_placed_solid s, ts_vec3 point, ts_vec3 out)
{
    const ts_soft3_velocity *v = &m->velocity[frame];
    ts_vec3 along = ts_vec3_cross((ts_vec3){v->wx, v->wy, v->wz}, out), across;
    if (ts_vec3_length_squared(along) > 0)
        along = ts_vec3_unit(along);
    else
        ts_vec3_tangents(out, &along, &across);
    const ts_settle_body body =
        ts_settle_place(s.solid->smooth, s.solid->manifold, s.pose.position, ts_quat_to_matrix(s.pose.quat));
    const double bend = ts_settle_bend(&body, point, along);
    if (!(bend * ts_sdf_length(s.solid->smooth->sdf) > round_least))
        return (side){.kind = PLAIN, .point = point};
    return (side){.kind = BALL, .point = ts_vec3_add_scaled(point, out, -1 / bend), .radius = 1 / bend};
}

/* How a place goes along: which of the two carries the normal, and whether it is one. */
typedef struct joint {
    side a, b;
    bool of_b;
    double round;
    bool axial;
    int rim; /* as in ts_soft3_place */
} joint;

/* Whether n is the normal of a flat side of a solid: it then goes along with that. */
static bool is_flat(ts_placed_solid s, ts_vec3 n)
{
    const ts_vec3 m = ts_quat_apply_inverse(s.pose.quat, n);
    double most = fabs(m.z);
    if (s.solid->kind == TS_SOLID_BOX)
        most = fmax(most, fmax(fabs(m.x), fabs(m.y)));
    for (size_t i = 0; s.solid->kind == TS_SOLID_HULL && i < s.solid->hull->face_count; i++)
        most = fmax(most, fabs(ts_vec3_dot(s.solid->hull->normal[i], m)));
    return most > 1 - ALIGNED;
}

/* Which of the four places of a cylinder's rim (ts_touch_rim_of) a point is, as ts_soft3_place has it. `toward`: the
 * normal away from it. */
static int rim_of(ts_placed_solid s, ts_vec3 point, ts_vec3 toward)
{
    const double r = s.solid->radius;
    const ts_vec3 axis = ts_quat_apply(s.pose.quat, (ts_vec3){0, 0, 1}), at = ts_vec3_sub(point, s.pose.position);
    const double height = ts_vec3_dot(axis, at);
    const ts_vec3 spoke = ts_vec3_add_scaled(at, axis, -height),
                  along = ts_vec3_add_scaled(toward, axis, -ts_vec3_dot(axis, toward));
    const double slope = ts_vec3_length(along);
    const ts_vec3 u =
        slope > TS_SOFT3_LEVEL ? ts_vec3_scale(along, 1 / slope) : ts_quat_apply(s.pose.quat, (ts_vec3){1, 0, 0});
    const double x = ts_vec3_dot(spoke, u), y = ts_vec3_dot(spoke, ts_vec3_cross(axis, u)), near = r * ALIGNED;
    if (fabs(fabs(height) - s.solid->half_length) > near || fabs(hypot(x, y) - r) > near)
        return 0;
    return fabs(y) <= near ? (x > 0 ? 1 : 3) : fabs(x) <= near ? (y > 0 ? 2 : 4) : 0;
}

/* A point of a rim on a flat side goes round the rim as that rolls. */
static void join_rim(joint *j, ts_placed_solid a, ts_placed_solid b, const ts_touch *t)
{
    if (a.solid->kind == TS_SOLID_CYLINDER && is_flat(b, t->normal) && (j->rim = rim_of(a, t->point_a, t->normal)) > 0)
        j->of_b = true;
    else if (b.solid->kind == TS_SOLID_CYLINDER && is_flat(a, t->normal) &&
             (j->rim = rim_of(b, t->point_b, ts_vec3_neg(t->normal))) > 0)
        j->of_b = false;
}

/* A point in a vessel: within its cylinder, or at one of its ends. */
static void join_vessel(joint *j, ts_placed_solid vessel, const ts_touch *t)
{
    const ts_vec3 axis = ts_quat_apply(vessel.pose.quat, (ts_vec3){0, 0, 1});
    if (j->a.kind == AXLE)
        j->a = (side){.kind = PLAIN, .point = t->point_a};
    j->of_b = true;
    if (fabs(ts_vec3_dot(axis, t->normal)) > 0.5) /* an end */
        return;
    const double height = ts_vec3_dot(ts_vec3_sub(t->point_b, vessel.pose.position), axis);
    j->b = (side){AXLE, ts_vec3_add_scaled(vessel.pose.position, axis, height), -vessel.solid->radius, axis};
    j->round = -1;
    j->axial = true;
}

/* Whether two round things touch where their points have it: one of several places along two axes need not. */
static bool is_round(const joint *j, const ts_touch *t)
{
    const double radii = j->a.radius + j->b.radius;
    ts_vec3 d = ts_vec3_sub(j->b.point, j->a.point);
    if (j->axial) {
        const ts_vec3 axis = j->of_b ? j->b.axis : j->a.axis;
        d = ts_vec3_add_scaled(d, axis, -ts_vec3_dot(axis, d));
    }
    return fabs(ts_vec3_length(d) - radii - t->gap) <= 1e-6 * radii;
}

static joint join(const ts_soft3 *m, const ts_soft3_place *p, ts_placed_solid a, ts_placed_solid b)
{
    const ts_vec3 n = p->touch.normal;
    joint j = {.a = side_of(a, p->touch.point_a, n), .b = side_of(b, p->touch.point_b, ts_vec3_neg(n))};
    const bool lowest = (p->touch.feature & (TS_MANIFOLD_LOWEST | TS_MANIFOLD_OF_EDGES)) == TS_MANIFOLD_LOWEST;
    if (lowest && a.solid->kind == TS_SOLID_SMOOTH)
        j.a = smooth_side(m, p->a, a, p->touch.point_a, n);
    if (lowest && b.solid->kind == TS_SOLID_SMOOTH)
        j.b = smooth_side(m, p->b, b, p->touch.point_b, ts_vec3_neg(n));
    if (b.solid->kind == TS_SOLID_VESSEL) { /* a wall, which is never A */
        join_vessel(&j, b, &p->touch);
        if (!j.axial && j.a.kind == PLAIN)
            join_rim(&j, a, b, &p->touch);
        return j;
    }
    if (j.a.kind != PLAIN && j.b.kind != PLAIN) {
        j.round = 1;
        j.axial = j.a.kind == AXLE || j.b.kind == AXLE;
        j.of_b = j.a.kind != AXLE && j.b.kind == AXLE;
        if (is_round(&j, &p->touch))
            return j;
        j = (joint){.a = {.point = p->touch.point_a}, .b = {.point = p->touch.point_b}};
    }
    if ((j.a.kind == PLAIN) != (j.b.kind == PLAIN))
        j.of_b = j.b.kind == PLAIN;
    else
        j.of_b = !(m->inv_mass[p->b] > 0);
    if (j.a.kind == PLAIN && j.b.kind == PLAIN)
        join_rim(&j, a, b, &p->touch);
    return j;
}

static ts_vec3 to_frame(ts_pose3 pose, ts_vec3 point)
{
    return ts_quat_apply_inverse(pose.quat, ts_vec3_sub(point, pose.position));
}

/* The circle of a rim: of the body that does not carry the normal, about the piece that the key has. */
static void set_rim(const ts_soft3 *m, const ts_model *model, ts_soft3_place *p)
{
    if (p->rim == 0)
        return;
    const bool of_a = p->of_b > 0;
    const int64_t owner = ts_verlet3_owner(&m->list, of_a ? p->a : p->b);
    const size_t local = p->key >> (of_a ? 48 : 32) & 0xffff,
                 begin = owner >= 0 ? model->form[model->body_form[owner]].piece_begin
                                    : model->wall[-1 - owner].piece_begin;
    const ts_pose3 pose = model->piece[begin + local].pose;
    const ts_vec3 axis = ts_quat_apply(pose.quat, (ts_vec3){0, 0, 1});
    const double height = ts_vec3_dot(axis, ts_vec3_sub(of_a ? p->la : p->lb, pose.position));
    p->rim_axis = axis;
    p->rim_centre = ts_vec3_add_scaled(pose.position, axis, height);
}

static void set_frames(const ts_soft3 *m, ts_soft3_place *p, const joint *j)
{
    const ts_pose3 a = ts_soft3_pose_of(m, p->a), b = ts_soft3_pose_of(m, p->b);
    p->la = to_frame(a, j->a.point);
    p->lb = to_frame(b, j->b.point);
    p->ra = j->a.radius;
    p->rb = j->b.radius;
    p->of_b = j->of_b;
    p->round = j->round;
    p->axial = j->axial;
    p->rim = j->rim;
    p->n = ts_quat_apply_inverse((j->of_b ? b : a).quat, !j->axial ? p->touch.normal : j->of_b ? j->b.axis : j->a.axis);
}

/* ---- How pairs move ---- */

static ts_vec3 centre_of(const ts_soft3 *m, int32_t frame)
{
    const ts_place3 *p = &m->list.place[frame];
    return (ts_vec3){p->x, p->y, p->z};
}

/* A bound of how fast points of two frames go against each other. */
static double approach_of(const ts_soft3 *m, int32_t a, int32_t b)
{
    const ts_soft3_velocity *u = &m->velocity[a], *v = &m->velocity[b];
    const ts_vec3 wa = {u->wx, u->wy, u->wz}, wb = {v->wx, v->wy, v->wz};
    ts_vec3 slip = {u->x - v->x, u->y - v->y, u->z - v->z};
    double turn = 0;
    if (!(m->list.place[a].radius > 0))
        turn += m->list.radius[a] * ts_vec3_length(wa);
    if (isinf(m->list.radius[b])) { /* at the centre of A, and around it */
        slip = ts_vec3_sub(slip, ts_vec3_cross(wb, ts_vec3_sub(centre_of(m, a), centre_of(m, b))));
        turn += m->list.radius[a] * ts_vec3_length(wb);
    } else if (!(m->list.place[b].radius > 0)) {
        turn += m->list.radius[b] * ts_vec3_length(wb);
    }
    return ts_vec3_length(slip) + turn;
}

static bool are_balls_near(const ts_soft3 *m, int32_t a, int32_t b, double reach)
{
    const double far = m->list.place[a].radius + m->list.place[b].radius + reach;
    return ts_vec3_length_squared(ts_vec3_sub(centre_of(m, b), centre_of(m, a))) <= far * far;
}

/* By their boxes, and by the height above a plane: as the list has it, but without its skin. */
static bool are_near(const ts_soft3 *m, const ts_pair3 *p, double reach)
{
    const ts_placed_solid a = ts_verlet3_part(&m->list, p->a, p->part_a),
                          b = ts_verlet3_part(&m->list, p->b, p->part_b);
    if (b.solid->kind == TS_SOLID_PLANE) {
        const ts_vec3 up = ts_quat_apply(b.pose.quat, (ts_vec3){0, 0, 1});
        if (ts_vec3_dot(ts_vec3_sub(centre_of(m, p->a), b.pose.position), up) > m->list.radius[p->a] + reach)
            return false;
    }
    const ts_box3 s = ts_solid_bounds(a.solid, a.pose), t = ts_solid_bounds(b.solid, b.pose);
    return s.low.x - t.high.x <= reach && t.low.x - s.high.x <= reach && s.low.y - t.high.y <= reach &&
           t.low.y - s.high.y <= reach && s.low.z - t.high.z <= reach && t.low.z - s.high.z <= reach;
}

double ts_soft3_approach(const ts_soft3 *m, double reach)
{
    const ts_verlet3 *list = &m->list;
    double most = 0;
    for (size_t k = 0; k < list->ball_a.count; k++) {
        const double speed = approach_of(m, list->ball_a.item[k], list->ball_b.item[k]);
        if (speed > most && are_balls_near(m, list->ball_a.item[k], list->ball_b.item[k], reach))
            most = speed;
    }
    for (size_t k = 0; k < list->other.count; k++) {
        const double speed = approach_of(m, list->other.item[k].a, list->other.item[k].b);
        if (speed > most && are_near(m, &list->other.item[k], reach))
            most = speed;
    }
    return most;
}

/* ---- Finding ---- */

typedef struct finding {
    ts_soft3 *m;
    const ts_model *model;
    ts_soft3_reach reach;
    size_t ball_chunks;
} finding;

static ts_soft3_place begin_place(const finding *f, int32_t a, int32_t b)
{
    const ts_soft3 *m = f->m;
    const size_t law = m->material[a] * f->model->material_count + m->material[b];
    return (ts_soft3_place){
        .a = a, .b = b, .friction = f->model->law[law].friction, .restitution = m->restitution[law], .weight = 1};
}

/* Whether places of two frames count. What sleeps is looked at only where something comes towards it. */
static bool can_move(const ts_soft3 *m, int32_t a, int32_t b)
{
    return (m->inv_mass[a] > 0 || m->inv_mass[b] > 0 || m->sleeps[a] || m->sleeps[b]) && !ts_soft3_pair_rests(m, a, b);
}

/* How far open a place of two frames may be: as far as they may come in the time till places are found again, by
 * themselves, and a share of what any two may, since others push them. */
static double reach_of(const finding *f, int32_t a, int32_t b)
{
    const double fall = f->m->inv_mass[a] > 0 && f->m->inv_mass[b] > 0 ? 0 : f->reach.fall;
    const double way = f->reach.time * approach_of(f->m, a, b) + fall;
    return fmin(fmax(way, f->reach.least), f->reach.most);
}

static ts_status find_balls(const finding *f, size_t begin, size_t end, ts_soft3_chunk *to)
{
    const ts_soft3 *m = f->m;
    for (size_t k = begin; k < end; k++) {
        const int32_t a = m->list.ball_a.item[k], b = m->list.ball_b.item[k];
        const double ra = m->list.place[a].radius, rb = m->list.place[b].radius, far = ra + rb + f->reach.most;
        const ts_vec3 ca = centre_of(m, a), cb = centre_of(m, b), d = ts_vec3_sub(cb, ca);
        const double square = ts_vec3_length_squared(d);
        if (!(square <= far * far) || !can_move(m, a, b))
            continue;
        const double distance = sqrt(square);
        if (distance - (ra + rb) > reach_of(f, a, b))
            continue;
        const ts_vec3 n = distance > 0 ? ts_vec3_scale(d, 1 / distance) : (ts_vec3){0, 0, 1};
        ts_soft3_place p = begin_place(f, a, b);
        p.touch =
            (ts_touch){distance - (ra + rb), n, ts_vec3_add_scaled(ca, n, ra), ts_vec3_add_scaled(cb, n, -rb), 0, 1, 1};
        set_frames(m, &p,
                   &(joint){.a = {.kind = BALL, .point = ca, .radius = ra},
                            .b = {.kind = BALL, .point = cb, .radius = rb},
                            .round = 1});
        recall_place(m, &p);
        TS_TRY(ts_array_push(&to->list, p, &to->error));
    }
    return TS_OK;
}

static int by_feature(const void *p, const void *q)
{
    const ts_touch *a = p, *b = q;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

static ts_status find_pair(const finding *f, const ts_pair3 *pair, ts_touch_array *touch, ts_soft3_chunk *to)
{
    const ts_soft3 *m = f->m;
    const double radii = m->list.radius[pair->a] + m->list.radius[pair->b], most = radii + f->reach.most;
    const ts_vec3 between = ts_vec3_sub(centre_of(m, pair->b), centre_of(m, pair->a));
    const double square = ts_vec3_length_squared(between);
    if (square > most * most || !can_move(m, pair->a, pair->b))
        return TS_OK;
    const double reach = reach_of(f, pair->a, pair->b), far = radii + reach;
    if (square > far * far)
        return TS_OK;
    const ts_placed_solid a = ts_verlet3_part(&m->list, pair->a, pair->part_a),
                          b = ts_verlet3_part(&m->list, pair->b, pair->part_b);
    touch->count = 0;
    TS_TRY(ts_touch_find(a, b, reach, touch, &to->error));
    if (touch->count > 1)
        qsort(touch->item, touch->count, sizeof *touch->item, by_feature);
    for (size_t i = 0; i < touch->count; i++) {
        ts_soft3_place p = begin_place(f, pair->a, pair->b);
        p.key = ts_verlet3_key(f->model, pair->part_a, pair->part_b, touch->item[i].feature);
        p.touch = touch->item[i];
        p.weight = fmax(round(p.touch.weight * TS_SOFT3_WEIGHTS), 1) / TS_SOFT3_WEIGHTS;
        const joint j = join(m, &p, a, b);
        set_frames(m, &p, &j);
        set_rim(m, f->model, &p);
        recall_place(m, &p);
        TS_TRY(ts_array_push(&to->list, p, &to->error));
    }
    return TS_OK;
}

static ts_status find_others(const finding *f, size_t begin, size_t end, ts_touch_array *touch, ts_soft3_chunk *to)
{
    for (size_t k = begin; k < end; k++)
        TS_TRY(find_pair(f, &f->m->list.other.item[k], touch, to));
    return TS_OK;
}

static size_t end_of(size_t begin, size_t size, size_t count)
{
    return begin + size < count ? begin + size : count;
}

static void find_chunk(void *context, int task, int thread)
{
    const finding *f = context;
    const ts_verlet3 *list = &f->m->list;
    ts_soft3_chunk *to = &f->m->chunk[task];
    to->list.count = 0;
    if ((size_t)task < f->ball_chunks) {
        const size_t begin = (size_t)task * BALL_CHUNK;
        to->status = find_balls(f, begin, end_of(begin, BALL_CHUNK, list->ball_a.count), to);
    } else {
        const size_t begin = ((size_t)task - f->ball_chunks) * OTHER_CHUNK;
        to->status = find_others(f, begin, end_of(begin, OTHER_CHUNK, list->other.count), &f->m->touch[thread], to);
    }
}

static ts_status reserve_chunks(ts_soft3 *m, size_t chunks, size_t threads, ts_error *error)
{
    if (chunks > m->chunk_count) {
        ts_soft3_chunk *grown = ts_realloc(m->chunk, m->chunk_count * sizeof *grown, chunks * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, chunks * sizeof *grown);
        memset(grown + m->chunk_count, 0, (chunks - m->chunk_count) * sizeof *grown);
        m->chunk = grown;
        m->chunk_count = chunks;
    }
    if (threads > m->touch_count) {
        ts_touch_array *grown = ts_realloc(m->touch, m->touch_count * sizeof *grown, threads * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, threads * sizeof *grown);
        memset(grown + m->touch_count, 0, (threads - m->touch_count) * sizeof *grown);
        m->touch = grown;
        m->touch_count = threads;
    }
    return TS_OK;
}

/* ---- Their order ---- */

/* Those of one place, which should not be, by where they were found. */
static int by_found(const void *p, const void *q)
{
    const ts_soft3_place *x = ((const ts_soft3_found *)p)->place, *y = ((const ts_soft3_found *)q)->place;
    const int order = compare_places(x->b, x->key, y->b, y->key);
    return order != 0 ? order : (x->touch.gap > y->touch.gap) - (x->touch.gap < y->touch.gap);
}

/* Puts the places of all chunks into m->place: by the first frame in one go, within it by the second and the key. */
static ts_status gather(ts_soft3 *m, size_t chunks, ts_error *error)
{
    size_t count = 0;
    for (size_t c = 0; c < chunks; c++) {
        if (m->chunk[c].status != TS_OK) {
            if (error)
                *error = m->chunk[c].error;
            return m->chunk[c].status;
        }
        count += m->chunk[c].list.count;
    }
    TS_TRY(ts_array_reserve(&m->order, count + 1, error));
    TS_TRY(ts_array_reserve(&m->place, count + 1, error));
    TS_TRY(ts_array_reserve(&m->past_begin, m->frame_count + 2, error));
    int32_t *begin = m->past_begin.item; /* places have been matched: it is free */
    memset(begin, 0, (m->frame_count + 2) * sizeof *begin);
    for (size_t c = 0; c < chunks; c++)
        for (size_t i = 0; i < m->chunk[c].list.count; i++)
            begin[m->chunk[c].list.item[i].a + 2]++;
    for (size_t f = 0; f < m->frame_count; f++)
        begin[f + 1] += begin[f];
    for (size_t c = 0; c < chunks; c++)
        for (size_t i = 0; i < m->chunk[c].list.count; i++)
            m->order.item[begin[m->chunk[c].list.item[i].a + 1]++].place = &m->chunk[c].list.item[i];
    for (size_t f = 0; f < m->frame_count; f++)
        if (begin[f + 1] - begin[f] > 1)
            qsort(m->order.item + begin[f], (size_t)(begin[f + 1] - begin[f]), sizeof *m->order.item, by_found);
    for (size_t i = 0; i < count; i++)
        m->place.item[i] = *m->order.item[i].place;
    m->place.count = count;
    return TS_OK;
}

ts_status ts_soft3_find(ts_soft3 *m, const ts_model *model, ts_workspace *work, ts_soft3_reach reach, ts_error *error)
{
    const size_t balls = m->list.ball_a.count, others = m->list.other.count,
                 ball_chunks = (balls + BALL_CHUNK - 1) / BALL_CHUNK,
                 chunks = ball_chunks + (others + OTHER_CHUNK - 1) / OTHER_CHUNK;
    finding f = {m, model, reach, ball_chunks};
    TS_TRY(index_past(m, error)); /* gathering has written over it */
    TS_TRY(reserve_chunks(m, chunks, (size_t)ts_pool_thread_count(work->pool), error));
    ts_pool_run(work->pool, (int)chunks, find_chunk, &f);
    return gather(m, chunks, error);
}

/* ---- Places that hold ---- */

static void put3(double *to, ts_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static ts_vec3 take3(const double *from)
{
    return (ts_vec3){from[0], from[1], from[2]};
}

static ts_soft3_past key_of(const ts_soft3 *m, const ts_found *f)
{
    return (ts_soft3_past){ts_verlet3_frame(&m->list, f->a), ts_verlet3_frame(&m->list, f->b), f->key, {0}};
}

/* Whether m->past has an impulse of this step. */
static bool is_struck(const ts_soft3 *m, const ts_soft3_past *key)
{
    const ts_soft3_past *past =
        m->past.count > 0 ? bsearch(key, m->past.item, m->past.count, sizeof *key, by_place) : NULL;
    return past && past->value[TS_SOFT3_SUM_NORMAL] > 0;
}

void ts_soft3_forget(const ts_soft3 *m, ts_found_array *found)
{
    const size_t before = found->count - m->place.count; /* the last ones are those of m->place, as a rule */
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++) {
        const ts_soft3_past key = key_of(m, &found->item[i]);
        const ts_soft3_place *p = i - before < m->place.count ? &m->place.item[i - before] : NULL;
        const bool struck = p && past_with_place(&key, p) == 0 ? p->value[TS_SOFT3_SUM_NORMAL] > 0 : is_struck(m, &key);
        if (struck || ts_soft3_pair_rests(m, key.a, key.b))
            found->item[count++] = found->item[i];
    }
    found->count = count;
}

/* Before places of this finding are noted. */
static void forget_earlier(const ts_soft3 *m, ts_found_array *found, bool first)
{
    size_t count = 0, past = 0, place = 0;
    ts_soft3_past last = {0};
    for (size_t i = 0; i < found->count; i++) {
        ts_found f = found->item[i];
        const ts_soft3_past key = key_of(m, &f);
        if (!ts_soft3_pair_rests(m, key.a, key.b)) {
            if (first)
                continue;
            if (by_place(&last, &key) > 0) /* those of the last finding begin here */
                past = place = 0;
            last = key;
            while (past < m->past.count && by_place(&m->past.item[past], &key) < 0)
                past++;
            const bool struck = past < m->past.count && by_place(&m->past.item[past], &key) == 0 &&
                                m->past.item[past].value[TS_SOFT3_SUM_NORMAL] > 0;
            if (!struck || is_place(m, &place, &key))
                continue;
            f.number[TS_FOUND_HOW] = (double)((int)f.number[TS_FOUND_HOW] | TS_FOUND_GONE);
        }
        found->item[count++] = f;
    }
    found->count = count;
}

ts_status ts_soft3_note(const ts_soft3 *m, ts_found_array *to, bool first, ts_error *error)
{
    forget_earlier(m, to, first);
    TS_TRY(ts_array_reserve(to, to->count + m->place.count + 1, error));
    for (size_t i = 0; i < m->place.count; i++) {
        const ts_soft3_place *p = &m->place.item[i];
        ts_found *f = &to->item[to->count++];
        *f = (ts_found){.a = ts_verlet3_owner(&m->list, p->a), .b = ts_verlet3_owner(&m->list, p->b), .key = p->key};
        put3(f->number + TS_FOUND_A, p->la);
        put3(f->number + TS_FOUND_B, p->lb);
        put3(f->number + TS_FOUND_NORMAL, p->n);
        f->number[TS_FOUND_RA] = p->ra;
        f->number[TS_FOUND_RB] = p->rb;
        f->number[TS_FOUND_HOW] = p->of_b + 2 * p->axial + 4 * (p->round + 1) + 16 * p->rim +
                                  TS_FOUND_WEIGHT * (TS_SOFT3_WEIGHTS * (1 - p->weight));
    }
    return TS_OK;
}

ts_status ts_soft3_restore(ts_soft3 *m, const ts_model *model, const ts_found_array *from, bool gone, ts_error *error)
{
    const finding f = {.m = m, .model = model};
    TS_TRY(index_past(m, error));
    TS_TRY(ts_array_reserve(&m->place, m->place.count + from->count + 1, error));
    for (size_t i = 0; i < from->count; i++) {
        const ts_found *was = &from->item[i];
        const int how = (int)was->number[TS_FOUND_HOW] & ~TS_FOUND_GONE;
        if (!gone && how != (int)was->number[TS_FOUND_HOW])
            continue;
        ts_soft3_place p = begin_place(&f, ts_verlet3_frame(&m->list, was->a), ts_verlet3_frame(&m->list, was->b));
        p.key = was->key;
        p.la = take3(was->number + TS_FOUND_A);
        p.lb = take3(was->number + TS_FOUND_B);
        p.n = take3(was->number + TS_FOUND_NORMAL);
        p.ra = was->number[TS_FOUND_RA];
        p.rb = was->number[TS_FOUND_RB];
        p.of_b = how & 1;
        p.axial = how >> 1 & 1;
        p.round = (how >> 2 & 3) - 1;
        p.rim = how >> 4 & 7;
        const int faded = how / TS_FOUND_WEIGHT;
        p.weight = 1 - (double)faded / TS_SOFT3_WEIGHTS;
        set_rim(m, model, &p);
        recall_place(m, &p);
        m->place.item[m->place.count++] = p;
    }
    return TS_OK;
}
