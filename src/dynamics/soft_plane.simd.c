/* SPDX-License-Identifier: MIT */
/* Passes over rows of soft contacts, eight pairs at a time. See soft_plane.h. */
#include <math.h>
#include <stdbool.h>

#include "base/kernel.h"
#include "base/simd8.h"
#include "dynamics/soft_bounce.h"
#include "dynamics/soft_heat.h"
#include "dynamics/soft_plane.h"

/* `VISITS` of a pair's places until what bounces has stopped. */
enum { LANES = TS_SOFT_LANES, VISITS = 16 };
_Static_assert(LANES == 8, "a lane is a number of a ts_f64x8");

typedef struct velocity8 {
    ts_f64x8 x, y, spin, unused;
} velocity8;

TS_SIMD velocity8 load_velocities(const ts_soft_velocity *v, const int32_t *index)
{
    const double *from[LANES];
    ts_f64x8 column[4];
    for (int lane = 0; lane < LANES; lane++)
        from[lane] = &v[index[lane]].x;
    ts_f64x8_columns(from, column);
    return (velocity8){column[0], column[1], column[2], column[3]};
}

/* Lanes of what nothing can move are left alone: other threads read them. */
TS_SIMD void store_velocities(ts_soft_velocity *v, const int32_t *index, const double *inv_mass, velocity8 w)
{
    const ts_f64x8 column[4] = {w.x, w.y, w.spin, w.unused};
    ts_f64x4 row[LANES];
    ts_f64x8_rows(column, row);
    for (int lane = 0; lane < LANES; lane++)
        if (inv_mass[lane] > 0)
            ts_f64x4_store(&v[index[lane]].x, row[lane]);
}

/* A group on its way through a pass. Impulses change the velocity of B against A, and the spins; both bodies get their
 * shares of it when the group is done: what rows wait for each other is short. */
typedef struct pass {
    velocity8 a, b;    /* as the pass found them; their spins as they are */
    ts_f64x8 x, y;     /* velocity of B's centre against A's */
    ts_f64x8 inv_mass; /* of both */
    ts_f64x8 inv_inertia_a, inv_inertia_b;
    ts_f64x8 friction;
    ts_f64x8 heavier; /* mass of the heavier one */
    ts_i64x8 hard;    /* against something that nothing can move */
    ts_i64x8 lanes;   /* that change, where not all do */
    const ts_soft_group *group;
    bool some; /* not all lanes change */
    bool closes;
} pass;

TS_SIMD pass begin_pass(const ts_soft_velocity *velocity, const ts_soft_group *g)
{
    const velocity8 a = load_velocities(velocity, g->a), b = load_velocities(velocity, g->b);
    return (pass){a,
                  b,
                  b.x - a.x,
                  b.y - a.y,
                  ts_f64x8_load(g->inv_mass_a) + ts_f64x8_load(g->inv_mass_b),
                  ts_f64x8_load(g->inv_inertia_a),
                  ts_f64x8_load(g->inv_inertia_b),
                  ts_f64x8_load(g->friction),
                  ts_f64x8_load(g->heavier),
                  (ts_i64x8)(ts_f64x8_load(g->stiffer) > ts_f64x8_broadcast(0)),
                  {0},
                  g,
                  false,
                  g->closes};
}

TS_SIMD void end_pass(ts_soft_velocity *velocity, const ts_soft_group *g, pass *p)
{
    const ts_f64x8 dx = p->x - (p->b.x - p->a.x), dy = p->y - (p->b.y - p->a.y), sa = ts_f64x8_load(g->share_a),
                   sb = ts_f64x8_load(g->share_b);
    p->a.x -= sa * dx;
    p->a.y -= sa * dy;
    p->b.x += sb * dx;
    p->b.y += sb * dy;
    store_velocities(velocity, g->a, g->inv_mass_a, p->a);
    store_velocities(velocity, g->b, g->inv_mass_b, p->b);
}

/* Where a row acts: its normal, and the arms of the normal and of the tangent about both centres of mass. */
typedef struct line8 {
    ts_f64x8 x, y, na, nb, ta, tb;
} line8;

TS_SIMD line8 load_line(const ts_soft_row *r)
{
    return (line8){ts_f64x8_load(r->nx), ts_f64x8_load(r->ny), ts_f64x8_load(r->na),
                   ts_f64x8_load(r->nb), ts_f64x8_load(r->ta), ts_f64x8_load(r->tb)};
}

/* The speed of B against A along the normal, and along the tangent: n turned by +90°. */
TS_SIMD ts_f64x8 normal_speed(const pass *p, const line8 *l)
{
    return (l->x * p->x + l->y * p->y) + (l->nb * p->b.spin - l->na * p->a.spin);
}
TS_SIMD ts_f64x8 tangent_speed(const pass *p, const line8 *l)
{
    return (l->x * p->y - l->y * p->x) + (l->tb * p->b.spin - l->ta * p->a.spin);
}

/* An impulse on B along them, and its opposite on A. */
TS_SIMD void push_normal(pass *p, const line8 *l, ts_f64x8 j)
{
    p->x += (p->inv_mass * l->x) * j;
    p->y += (p->inv_mass * l->y) * j;
    p->a.spin -= (p->inv_inertia_a * l->na) * j;
    p->b.spin += (p->inv_inertia_b * l->nb) * j;
}
TS_SIMD void push_tangent(pass *p, const line8 *l, ts_f64x8 j)
{
    p->x -= (p->inv_mass * l->y) * j;
    p->y += (p->inv_mass * l->x) * j;
    p->a.spin -= (p->inv_inertia_a * l->ta) * j;
    p->b.spin += (p->inv_inertia_b * l->tb) * j;
}

/* What an impulse of 1 changes that speed by. */
TS_SIMD ts_f64x8 tangent_answer(const pass *p, const line8 *l)
{
    return p->inv_mass + (p->inv_inertia_a * l->ta * l->ta + p->inv_inertia_b * l->tb * l->tb);
}

/* ---- Where rows stand ---- */

typedef struct pose8 {
    ts_f64x8 x, y, c, s;
} pose8;

TS_SIMD pose8 load_poses(const ts_soft_pose *p, const int32_t *index)
{
    const double *from[LANES];
    ts_f64x8 column[4];
    for (int lane = 0; lane < LANES; lane++)
        from[lane] = &p[index[lane]].x;
    ts_f64x8_columns(from, column);
    return (pose8){column[0], column[1], column[2], column[3]};
}

/* Of two corners: whether n, from A to B, is out of the cone of one of them. They have gone past each other then. */
TS_SIMD ts_i64x8 is_out(const ts_soft_form *f, const pose8 *a, const pose8 *b, ts_f64x8 nx, ts_f64x8 ny)
{
    const ts_f64x8 x = ts_f64x8_load(f->nx), y = ts_f64x8_load(f->ny), u = ts_f64x8_load(f->mx),
                   v = ts_f64x8_load(f->my);
    const ts_f64x8 on_a = nx * (a->c * x - a->s * y) + ny * (a->s * x + a->c * y),
                   on_b = -(nx * (b->c * u - b->s * v) + ny * (b->s * u + b->c * v));
    return (ts_i64x8)(on_a < ts_f64x8_load(f->cone_a)) | (ts_i64x8)(on_b < ts_f64x8_load(f->cone_b));
}

/* Returns the gap of two corners whether they count or not. */
TS_SIMD ts_f64x8 place_row(const ts_soft_form *f, ts_soft_row *r, const pose8 *a, const pose8 *b, bool straight)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1), half = ts_f64x8_broadcast(0.5);
    const ts_f64x8 fax = ts_f64x8_load(f->ax), fay = ts_f64x8_load(f->ay), fbx = ts_f64x8_load(f->bx),
                   fby = ts_f64x8_load(f->by), fnx = ts_f64x8_load(f->nx), fny = ts_f64x8_load(f->ny),
                   kind = ts_f64x8_load(f->kind), ra = straight ? zero : ts_f64x8_load(f->ra),
                   rb = straight ? zero : ts_f64x8_load(f->rb);
    const ts_i64x8 of_b = (ts_i64x8)(kind > one);
    ts_f64x8 pax = a->c * fax - a->s * fay, pay = a->s * fax + a->c * fay;
    ts_f64x8 pbx = b->c * fbx - b->s * fby, pby = b->s * fbx + b->c * fby;
    ts_f64x8 wx = b->x - a->x, wy = b->y - a->y; /* from A's centre to B's */
    ts_f64x8 dx = wx + (pbx - pax), dy = wy + (pby - pay);
    ts_f64x8 c = ts_f64x8_select(of_b, b->c, a->c), s = ts_f64x8_select(of_b, b->s, a->s);
    ts_f64x8 nx = c * fnx - s * fny, ny = s * fnx + c * fny;
    if (!straight) {
        ts_f64x8 distance = ts_f64x8_sqrt(dx * dx + dy * dy);
        const ts_i64x8 apart = (ts_i64x8)(distance > zero) & (ts_i64x8)(kind != zero) & ~of_b;
        ts_f64x8 inverse = kind / ts_f64x8_select(apart, distance, one);
        /* centres that coincide have no direction: the last one stays */
        nx = ts_f64x8_select(apart, dx * inverse, nx);
        ny = ts_f64x8_select(apart, dy * inverse, ny);
    }
    ts_f64x8 gap = nx * dx + ny * dy - (ra + rb);
    const ts_f64x8 near = gap;
    if (!straight)
        gap = ts_f64x8_select(is_out(f, a, b, nx, ny), ts_f64x8_broadcast(TS_SOFT_FAR), gap);
    /* one point for both bodies: half-way between the surfaces, at the one that carries the point */
    ts_f64x8 qa = ra + half * near, qb = rb + half * near;
    ts_f64x8 ax = ts_f64x8_select(of_b, pax + qa * nx, wx + pbx - qb * nx);
    ts_f64x8 ay = ts_f64x8_select(of_b, pay + qa * ny, wy + pby - qb * ny);
    ts_f64x8_store(r->gap, gap);
    ts_f64x8_store(r->nx, nx);
    ts_f64x8_store(r->ny, ny);
    const ts_f64x8 bx = ax - wx, by = ay - wy;
    ts_f64x8_store(r->na, ax * ny - ay * nx);
    ts_f64x8_store(r->nb, bx * ny - by * nx);
    ts_f64x8_store(r->ta, ax * nx + ay * ny);
    ts_f64x8_store(r->tb, bx * nx + by * ny);
    return near;
}

/* What a row may close by in this sub-step, as an impulse. */
TS_SIMD void set_room(ts_soft_row *r, ts_f64x8 inv_h)
{
    const ts_f64x8 gap = ts_f64x8_max(ts_f64x8_load(r->gap), ts_f64x8_broadcast(0));
    ts_f64x8_store(r->room, ts_f64x8_load(r->mass_n) * (gap * inv_h));
}

/* Two corners that come to each other have a normal that may turn by any angle when they are there, or be out of their
 * cones. What pushed them apart along the old one cannot be taken back along the new one. Where they met head on, by this
 * share of what they were apart, the row stands as it did until the sub-step is over: so do boxes that meet face to face,
 * whose corners are at one height but for rounding. Where they passed, what the row gave stays, and it begins anew. */
#define MET_SHARE 0.05

TS_SIMD void mind_turned(const ts_soft_form *form, const ts_soft_row *before, ts_f64x8 distance, ts_soft_row *row,
                         ts_soft_sum *sum)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), little = ts_f64x8_broadcast(0.9),
                   far = ts_f64x8_broadcast(TS_SOFT_FAR);
    const ts_f64x8 normal = ts_f64x8_load(row->normal), tangent = ts_f64x8_load(row->tangent),
                   along = ts_f64x8_load(before->nx) * ts_f64x8_load(row->nx) +
                           ts_f64x8_load(before->ny) * ts_f64x8_load(row->ny);
    const ts_i64x8 out = (ts_i64x8)(ts_f64x8_load(row->gap) >= far),
                   turned = (ts_i64x8)(normal > zero) & ((ts_i64x8)(along < little) | out);
    if (!ts_mask8_any(turned))
        return;
    const ts_i64x8 met = turned & (ts_i64x8)(ts_f64x8_load(form->cone_a) >= ts_f64x8_broadcast(-1)) &
                         (ts_i64x8)(distance <= ts_f64x8_broadcast(MET_SHARE) * ts_f64x8_load(before->gap)),
                   passed = turned & ~met;
    ts_f64x8_store(row->gap, ts_f64x8_select(met, zero, ts_f64x8_load(row->gap)));
    ts_f64x8_store(row->nx, ts_f64x8_select(met, ts_f64x8_load(before->nx), ts_f64x8_load(row->nx)));
    ts_f64x8_store(row->ny, ts_f64x8_select(met, ts_f64x8_load(before->ny), ts_f64x8_load(row->ny)));
    ts_f64x8_store(row->na, ts_f64x8_select(met, ts_f64x8_load(before->na), ts_f64x8_load(row->na)));
    ts_f64x8_store(row->nb, ts_f64x8_select(met, ts_f64x8_load(before->nb), ts_f64x8_load(row->nb)));
    ts_f64x8_store(row->ta, ts_f64x8_select(met, ts_f64x8_load(before->ta), ts_f64x8_load(row->ta)));
    ts_f64x8_store(row->tb, ts_f64x8_select(met, ts_f64x8_load(before->tb), ts_f64x8_load(row->tb)));
    ts_f64x8_store(sum->normal, ts_f64x8_load(sum->normal) + ts_f64x8_select(passed, normal, zero));
    ts_f64x8_store(sum->tangent, ts_f64x8_load(sum->tangent) + ts_f64x8_select(passed, tangent, zero));
    ts_f64x8_store(row->normal, ts_f64x8_select(passed, zero, normal));
    ts_f64x8_store(row->tangent, ts_f64x8_select(passed, zero, tangent));
}

TS_SIMD void follow_rows(const ts_soft_task *task, int32_t begin, int32_t end, bool pushed)
{
    const ts_f64x8 inv_h = ts_f64x8_broadcast(1 / task->step);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        const pose8 a = load_poses(task->pose, g->a), b = load_poses(task->pose, g->b);
        const ts_soft_form *form = task->form + g->row;
        ts_soft_row *row = task->row + g->row, *last = row + g->count;
        ts_soft_sum *sum = task->sum + g->row;
        for (; g->straight && row < last; row++, form++) {
            place_row(form, row, &a, &b, true);
            set_room(row, inv_h);
        }
        for (; row < last; row++, form++, sum++) {
            const ts_soft_row before = *row;
            const ts_f64x8 distance = place_row(form, row, &a, &b, false);
            if (pushed)
                mind_turned(form, &before, distance, row, sum);
            set_room(row, inv_h);
        }
    }
}

static void follow(const void *task, int32_t begin, int32_t end)
{
    follow_rows(task, begin, end, true);
}

static void place(const void *of, int32_t begin, int32_t end)
{
    const ts_soft_task *task = of;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    follow_rows(task, begin, end, false);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        const ts_f64x8 mass = ts_f64x8_load(g->inv_mass_a) + ts_f64x8_load(g->inv_mass_b),
                       ia = ts_f64x8_load(g->inv_inertia_a), ib = ts_f64x8_load(g->inv_inertia_b);
        const ts_i64x8 moves = (ts_i64x8)(mass > zero);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            const line8 l = load_line(&task->row[k]);
            ts_f64x8 kn = mass + ia * l.na * l.na + ib * l.nb * l.nb, kt = mass + ia * l.ta * l.ta + ib * l.tb * l.tb;
            ts_f64x8_store(task->row[k].mass_n, ts_f64x8_select(moves, one / ts_f64x8_select(moves, kn, one), zero));
            ts_f64x8_store(task->row[k].mass_t, ts_f64x8_select(moves, one / ts_f64x8_select(moves, kt, one), zero));
        }
    }
}

/* ---- Impulses ---- */

/* What a pass does with a row. */
typedef struct row_task {
    ts_f64x8 inv_h, most; /* fastest that overlaps part, below 0 */
    ts_f64x8 lasting;     /* ts_soft_pace */
    ts_f64x8 rate[2], mass[2], back[2];
    ts_soft_heat *heat;
} row_task;
typedef void row_function(const row_task *task, pass *p, ts_soft_row *row, ts_soft_sum *sum);

TS_SIMD row_task row_task_of(const ts_soft_task *task)
{
    const ts_soft_answer *s = task->pace.answer;
    return (row_task){ts_f64x8_broadcast(1 / task->step),
                      ts_f64x8_broadcast(-task->pace.push),
                      ts_f64x8_broadcast(task->pace.lasting),
                      {ts_f64x8_broadcast(s[0].rate), ts_f64x8_broadcast(s[1].rate)},
                      {ts_f64x8_broadcast(s[0].mass), ts_f64x8_broadcast(s[1].mass)},
                      {ts_f64x8_broadcast(s[0].impulse), ts_f64x8_broadcast(s[1].impulse)},
                      task->heat};
}

/* Several places of a pair that bounces, to and fro until they agree: what falls flat shall not turn. */
TS_SIMD void visit_pairs(const ts_soft_task *task, int32_t begin, int32_t end, row_function *function)
{
    const row_task t = row_task_of(task);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        if (!g->closes || g->count < 2)
            continue;
        pass p = begin_pass(task->velocity, g);
        p.some = true;
        for (int32_t k = g->row; k < g->row + g->count; k++)
            p.lanes |= (ts_i64x8)(ts_f64x8_load(task->sum[k].approach) > ts_f64x8_broadcast(0));
        for (int visit = 0; visit < VISITS; visit++)
            for (int32_t j = 0; j < g->count; j++) {
                const int32_t k = g->row + (visit % 2 ? g->count - 1 - j : j);
                function(&t, &p, &task->row[k], &task->sum[k]);
            }
        end_pass(task->velocity, g, &p);
    }
}

/* Rows of one group wait for each other: those of a second one fill the time. Pointers and counts are read before: the
 * compiler must take them for changed by every store. */
TS_SIMD void for_rows(const ts_soft_task *task, int32_t begin, int32_t end, row_function *function)
{
    const row_task t = row_task_of(task);
    ts_soft_velocity *velocity = task->velocity;
    int32_t i = begin;
    for (; i + 1 < end; i += 2) {
        const ts_soft_group *g = &task->group[i], *h = g + 1;
        ts_soft_row *row = task->row + g->row, *other = task->row + h->row;
        ts_soft_sum *sum = task->sum + g->row, *other_sum = task->sum + h->row;
        const int32_t count = g->count, others = h->count, both = count < others ? count : others;
        pass p = begin_pass(velocity, g), q = begin_pass(velocity, h);
        for (int32_t k = 0; k < both; k++) {
            function(&t, &p, row + k, sum + k);
            function(&t, &q, other + k, other_sum + k);
        }
        for (int32_t k = both; k < count; k++)
            function(&t, &p, row + k, sum + k);
        for (int32_t k = both; k < others; k++)
            function(&t, &q, other + k, other_sum + k);
        end_pass(velocity, g, &p);
        end_pass(velocity, h, &q);
    }
    if (i < end) {
        const ts_soft_group *g = &task->group[i];
        ts_soft_row *row = task->row + g->row;
        ts_soft_sum *sum = task->sum + g->row;
        const int32_t count = g->count;
        pass p = begin_pass(velocity, g);
        for (int32_t k = 0; k < count; k++)
            function(&t, &p, row + k, sum + k);
        end_pass(velocity, g, &p);
    }
}

TS_SIMD void warm_row(const row_task *task, pass *p, ts_soft_row *row, ts_soft_sum *sum)
{
    (void)task;
    const line8 l = load_line(row);
    const ts_f64x8 held = ts_f64x8_load(row->normal);
    ts_f64x8_store(sum->held, held);
    push_normal(p, &l, held);
    push_tangent(p, &l, ts_f64x8_load(row->tangent));
}

static void warm(const void *task, int32_t begin, int32_t end)
{
    for_rows(task, begin, end, warm_row);
}

static void note(const void *of, int32_t begin, int32_t end)
{
    const ts_soft_task *task = of;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1), h = ts_f64x8_broadcast(task->step),
                   bounce = ts_f64x8_broadcast(task->pace.bounce);
    for (int32_t i = begin; i < end; i++) {
        ts_soft_group *g = &task->group[i];
        if (!g->bounces)
            continue;
        const pass from = begin_pass(task->before, g), to = begin_pass(task->velocity, g);
        ts_i64x8 any = {0};
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            const line8 l = load_line(&task->row[k]);
            ts_f64x8 gap = ts_f64x8_load(task->row[k].gap);
            ts_f64x8 begins = normal_speed(&from, &l), ends = normal_speed(&to, &l), more = ends - begins;
            /* the speed when the gap is gone, not at the end of the sub-step */
            ts_f64x8 way = -ends * h;
            ts_i64x8 closes = (ts_i64x8)(ends < zero);
            ts_f64x8 part = ts_f64x8_select(closes, gap / ts_f64x8_select(closes, way, one), one);
            part = ts_f64x8_max(ts_f64x8_min(part, one), zero);
            ts_f64x8 speed = -(begins + part * more);
            /* what presses already, or is hardly moving, does not bounce */
            ts_i64x8 does = (ts_i64x8)(speed > bounce) & (ts_i64x8)(ts_f64x8_load(task->row[k].normal) <= zero) &
                            (ts_i64x8)(ts_f64x8_load(g->restitution) > zero);
            any |= does;
            ts_f64x8_store(task->sum[k].approach, ts_f64x8_select(does, speed, zero));
            ts_f64x8_store(task->sum[k].fall, more);
            ts_f64x8_store(task->sum[k].taken, zero);
        }
        g->closes = ts_mask8_any(any);
    }
}

/* A normal impulse becomes another one, on the way past the poses of the sub-step or behind them. */
TS_SIMD void change_normal(pass *p, const line8 *l, ts_soft_row *row, ts_soft_sum *sum, ts_f64x8 now, ts_f64x8 speed,
                           ts_f64x8 fall)
{
    const ts_f64x8 old = ts_f64x8_load(row->normal);
    if (p->some)
        now = ts_f64x8_select(p->lanes, now, old);
    const ts_f64x8 change = now - old;
    push_normal(p, l, change);
    ts_f64x8_store(row->normal, now);
    if (p->closes)
        ts_f64x8_store(sum->taken, ts_f64x8_load(sum->taken) + ts_soft_taken(change, speed, normal_speed(p, l), fall));
}

TS_SIMD void note_heat(const row_task *task, const pass *p, const ts_soft_row *row, const ts_soft_sum *sum,
                       ts_f64x8 old)
{
    const ts_soft_group *g = p->group;
    ts_soft_note_heat(task->heat, g->a, g->b, g->inv_mass_a, g->inv_mass_b, ts_f64x8_load(row->normal) - old,
                      ts_f64x8_load(row->mass_n), ts_f64x8_load(sum->held));
}

TS_SIMD void push_row(const row_task *task, pass *p, ts_soft_row *row, ts_soft_sum *sum)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    const line8 l = load_line(row);
    const ts_f64x8 gap = ts_f64x8_load(row->gap), old = ts_f64x8_load(row->normal), speed = normal_speed(p, &l);
    const ts_i64x8 open = (ts_i64x8)(gap > zero);
    const ts_f64x8 rate = ts_f64x8_select(p->hard, task->rate[1], task->rate[0]),
                   mass = ts_f64x8_select(open, one, ts_f64x8_select(p->hard, task->mass[1], task->mass[0])),
                   back = ts_f64x8_select(open, zero, ts_f64x8_select(p->hard, task->back[1], task->back[0]));
    const ts_f64x8 bias = ts_f64x8_select(open, gap * task->inv_h, ts_f64x8_max(rate * gap, task->most));
    const ts_f64x8 now = ts_f64x8_max((old - back * old) - ts_f64x8_load(row->mass_n) * mass * (speed + bias), zero);
    change_normal(p, &l, row, sum, now, speed, p->closes ? ts_f64x8_load(sum->fall) : zero);
}

TS_SIMD void push_noting_row(const row_task *task, pass *p, ts_soft_row *row, ts_soft_sum *sum)
{
    const ts_f64x8 old = ts_f64x8_load(row->normal);
    push_row(task, p, row, sum);
    note_heat(task, p, row, sum, old);
}

static void push(const void *task, int32_t begin, int32_t end)
{
    visit_pairs(task, begin, end, push_noting_row);
    for_rows(task, begin, end, push_noting_row);
}

/* Those of pairs that an impact still changes. */
TS_SIMD void for_hot_rows(const ts_soft_task *task, int32_t begin, int32_t end, row_function *function)
{
    const row_task t = row_task_of(task);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        const ts_i64x8 hot = ts_soft_hot_lanes(task->heat, g->a, g->b);
        if (!ts_mask8_any(hot))
            continue;
        pass p = begin_pass(task->velocity, g);
        p.some = true;
        p.lanes = hot;
        for (int32_t k = g->row; k < g->row + g->count; k++)
            function(&t, &p, &task->row[k], &task->sum[k]);
        end_pass(task->velocity, g, &p);
    }
}

static void push_again(const void *task, int32_t begin, int32_t end)
{
    for_hot_rows(task, begin, end, push_noting_row);
}

/* The impulse that stops a row. */
TS_SIMD void stop_row(const row_task *task, pass *p, ts_soft_row *row, ts_soft_sum *sum)
{
    (void)task;
    const ts_f64x8 zero = ts_f64x8_broadcast(0);
    const line8 l = load_line(row);
    const ts_f64x8 old = ts_f64x8_load(row->normal), room = ts_f64x8_load(row->room), speed = normal_speed(p, &l);
    /* what has not closed yet is the next sub-step's: stopped now, it would bounce before it is there */
    const ts_i64x8 counts = (ts_i64x8)(old > zero) | (ts_i64x8)(room <= zero);
    const ts_f64x8 now = ts_f64x8_max((old - room) - ts_f64x8_load(row->mass_n) * speed, zero);
    change_normal(p, &l, row, sum, ts_f64x8_select(counts, now, zero), speed, zero);
}

TS_SIMD void relax_row(const row_task *task, pass *p, ts_soft_row *row, ts_soft_sum *sum)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0);
    const line8 l = load_line(row);
    const ts_f64x8 held = ts_f64x8_load(row->tangent);
    stop_row(task, p, row, sum);
    ts_f64x8 bound = p->friction * ts_f64x8_load(row->normal);
    if (p->closes) /* friction of what bounces comes with its bounce */
        bound = ts_f64x8_select((ts_i64x8)(ts_f64x8_load(sum->approach) > zero), zero, bound);
    ts_f64x8 along = held - ts_f64x8_load(row->mass_t) * tangent_speed(p, &l);
    along = ts_f64x8_max(ts_f64x8_min(along, bound), -bound);
    if (p->some)
        along = ts_f64x8_select(p->lanes, along, held);
    push_tangent(p, &l, along - held);
    ts_f64x8_store(row->tangent, along);
}

TS_SIMD void relax_noting_row(const row_task *task, pass *p, ts_soft_row *row, ts_soft_sum *sum)
{
    const ts_f64x8 old = ts_f64x8_load(row->normal);
    relax_row(task, p, row, sum);
    note_heat(task, p, row, sum, old);
}

/* What goes on into the next sub-step (soft.h). What bounces keeps all for its bounce, and nothing then. */
TS_SIMD void relax_last_row(const row_task *task, pass *p, ts_soft_row *row, ts_soft_sum *sum)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    relax_row(task, p, row, sum);
    const ts_f64x8 normal = ts_f64x8_load(row->normal), tangent = ts_f64x8_load(row->tangent),
                   held = ts_f64x8_load(sum->held), most = p->heavier * task->lasting + (held + held);
    ts_f64x8_store(sum->normal, ts_f64x8_load(sum->normal) + normal);
    ts_f64x8_store(sum->tangent, ts_f64x8_load(sum->tangent) + tangent);
    ts_i64x8 less = (ts_i64x8)(normal > most);
    if (p->closes)
        less &= ~(ts_i64x8)(ts_f64x8_load(sum->approach) > zero);
    if (!ts_mask8_any(less))
        return;
    const ts_f64x8 share = ts_f64x8_select(less, most / ts_f64x8_select(less, normal, one), one);
    ts_f64x8_store(row->normal, share * normal);
    ts_f64x8_store(row->tangent, share * tangent);
}

static void relax(const void *task, int32_t begin, int32_t end)
{
    for_rows(task, begin, end, relax_row);
}

static void relax_note(const void *task, int32_t begin, int32_t end)
{
    for_rows(task, begin, end, relax_noting_row);
}

static void relax_again(const void *task, int32_t begin, int32_t end)
{
    for_hot_rows(task, begin, end, relax_noting_row);
}

static void relax_last(const void *task, int32_t begin, int32_t end)
{
    visit_pairs(task, begin, end, stop_row);
    for_rows(task, begin, end, relax_last_row);
}

/* What a row bounces with: its impulse, where it closed in this sub-step. */
TS_SIMD ts_f64x8 bounce_of(const ts_soft_row *row, const ts_soft_sum *sum, ts_f64x8 restitution)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0);
    return ts_f64x8_select((ts_i64x8)(ts_f64x8_load(sum->approach) > zero), restitution * ts_f64x8_load(row->normal),
                           zero);
}

/* Friction of what bounced, with the normal impulse of the whole impact. It has left: its impulses are no beginning for
 * the next sub-step. */
TS_SIMD void leave_row(pass *p, ts_soft_row *row, ts_soft_sum *sum, ts_f64x8 more)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0);
    const line8 l = load_line(row);
    const ts_f64x8 pressed = ts_f64x8_load(row->normal), rubbed = ts_f64x8_load(row->tangent);
    const ts_i64x8 does = (ts_i64x8)(ts_f64x8_load(sum->approach) > zero) & (ts_i64x8)(pressed > zero);
    ts_f64x8 bound = p->friction * (pressed + more);
    ts_f64x8 along = rubbed - tangent_speed(p, &l) / tangent_answer(p, &l);
    along = ts_f64x8_select(does, ts_f64x8_max(ts_f64x8_min(along, bound), -bound), rubbed);
    push_tangent(p, &l, along - rubbed);
    ts_f64x8_store(sum->normal, ts_f64x8_load(sum->normal) + more);
    ts_f64x8_store(sum->tangent, ts_f64x8_load(sum->tangent) + (along - rubbed));
    ts_f64x8_store(row->normal, ts_f64x8_select(does, zero, pressed));
    ts_f64x8_store(row->tangent, ts_f64x8_select(does, zero, rubbed));
}

/* All places of a pair together (soft_bounce.h): by `part` of what they bounce with. Returns Σ w u before. */
TS_SIMD ts_f64x8 bounce_pair(const ts_soft_task *task, const ts_soft_group *g, pass *p, ts_f64x8 part)
{
    const ts_f64x8 e = ts_f64x8_load(g->restitution);
    ts_f64x8 power = ts_f64x8_broadcast(0);
    for (int32_t k = g->row; k < g->row + g->count; k++) {
        const line8 l = load_line(&task->row[k]);
        power += bounce_of(&task->row[k], &task->sum[k], e) * normal_speed(p, &l);
    }
    for (int32_t k = g->row; k < g->row + g->count; k++) {
        const line8 l = load_line(&task->row[k]);
        push_normal(p, &l, part * bounce_of(&task->row[k], &task->sum[k], e));
    }
    return power;
}

static void bounce(const void *of, int32_t begin, int32_t end)
{
    const ts_soft_task *task = of;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        const int32_t last = g->row + g->count;
        if (!g->closes)
            continue;
        pass p = begin_pass(task->velocity, g);
        const ts_f64x8 e = ts_f64x8_load(g->restitution);
        ts_f64x8 taken = zero;
        for (int32_t k = g->row; k < last; k++)
            taken += ts_f64x8_select((ts_i64x8)(ts_f64x8_load(task->sum[k].approach) > zero),
                                     ts_f64x8_load(task->sum[k].taken), zero);
        const ts_f64x8 power = bounce_pair(task, g, &p, one), after = bounce_pair(task, g, &p, zero),
                       share = ts_soft_bounce_share(power, after, e * e * taken, e);
        bounce_pair(task, g, &p, share - one);
        for (int32_t k = g->row; k < last; k++)
            leave_row(&p, &task->row[k], &task->sum[k], share * bounce_of(&task->row[k], &task->sum[k], e));
        end_pass(task->velocity, g, &p);
    }
}

/* ---- Bodies ---- */

static void kick(const ts_soft_task *task, const double *inv_mass, ts_soft_velocity *unloaded, int32_t begin,
                 int32_t end)
{
    const ts_f64x4 fall = {task->step * task->gravity[0], task->step * task->gravity[1], 0, 0};
    for (int32_t i = begin; i < end; i++) {
        ts_f64x4 v = ts_f64x4_load(&task->velocity[i].x);
        if (inv_mass[i] > 0)
            v += fall;
        ts_f64x4_store(&unloaded[i].x, v);
        ts_f64x4_store(&task->velocity[i].x, v);
    }
}

/* Eight bodies, from `i` on. */
TS_SIMD void drift_bodies(const ts_soft_task *task, const ts_soft_velocity *unloaded, const double *inv_mass,
                          ts_soft_pose *pose, double *angle, const int32_t *index)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1), h = ts_f64x8_broadcast(task->step);
    const velocity8 v = load_velocities(task->velocity, index), u = load_velocities(unloaded, index);
    pose8 p = load_poses(pose, index);
    const ts_f64x8 turn = h * v.spin, square = turn * turn;
    /* v is that of the end: in free fall the mean one is less by half of what gravity adds */
    const ts_i64x8 falls = (ts_i64x8)(ts_f64x8_load(inv_mass + index[0]) > zero) & (ts_i64x8)(v.x == u.x) &
                           (ts_i64x8)(v.y == u.y) & (ts_i64x8)(v.spin == u.spin);
    const ts_f64x8 half = ts_f64x8_select(falls, ts_f64x8_broadcast(0.5) * h, zero);
    p.x += h * (v.x - half * ts_f64x8_broadcast(task->gravity[0]));
    p.y += h * (v.y - half * ts_f64x8_broadcast(task->gravity[1]));
    ts_f64x8_store(angle + index[0], ts_f64x8_load(angle + index[0]) + turn);
    /* turned on by a series, to 1e-16 of the angles that sub-steps have */
    ts_f64x8 c = one - square * (ts_f64x8_broadcast(0.5) -
                                 square * (ts_f64x8_broadcast(1.0 / 24) - square * ts_f64x8_broadcast(1.0 / 720)));
    ts_f64x8 s =
        turn * (one - square * (ts_f64x8_broadcast(1.0 / 6) -
                                square * (ts_f64x8_broadcast(1.0 / 120) - square * ts_f64x8_broadcast(1.0 / 5040))));
    const ts_i64x8 fast = ~(ts_i64x8)(square < ts_f64x8_broadcast(0.05 * 0.05));
    for (int lane = 0; ts_mask8_any(fast) && lane < LANES; lane++)
        if (fast[lane]) {
            c[lane] = cos(turn[lane]);
            s[lane] = sin(turn[lane]);
        }
    const ts_f64x8 column[4] = {p.x, p.y, p.c * c - p.s * s, p.s * c + p.c * s};
    ts_f64x4 row[LANES];
    ts_f64x8_rows(column, row);
    for (int lane = 0; lane < LANES; lane++)
        ts_f64x4_store(&pose[index[lane]].x, row[lane]);
}

static void drift(const ts_soft_task *task, const ts_soft_velocity *unloaded, const double *inv_mass,
                  ts_soft_pose *pose, double *angle, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES)
        drift_bodies(task, unloaded, inv_mass, pose, angle,
                     (const int32_t[]){i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7});
}

extern const ts_soft_kernels TS_KERNEL(ts_soft);
const ts_soft_kernels TS_KERNEL(ts_soft) = {
    {place, warm, note, push, push_again, follow, relax, relax_note, relax_again, relax_last, bounce}, kick, drift};
