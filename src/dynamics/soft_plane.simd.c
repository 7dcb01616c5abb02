/* SPDX-License-Identifier: MIT */
/* Passes over rows of soft contacts, eight pairs at a time. See soft_plane.h. */
#include <math.h>
#include <stdbool.h>

#include "base/kernel.h"
#include "base/simd8.h"
#include "dynamics/soft_plane.h"

/* `BOUNCES`: visits of a pair's places where they bounce. */
enum { LANES = TS_SOFT_LANES, BOUNCES = 16 };
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

/* A group on its way through a pass. */
typedef struct pass {
    velocity8 a, b;
    ts_f64x8 inv_mass_a, inv_inertia_a, inv_mass_b, inv_inertia_b;
} pass;

TS_SIMD pass begin_pass(const ts_soft_velocity *velocity, const ts_soft_group *g)
{
    return (pass){load_velocities(velocity, g->a), load_velocities(velocity, g->b), ts_f64x8_load(g->inv_mass_a),
                  ts_f64x8_load(g->inv_inertia_a), ts_f64x8_load(g->inv_mass_b),    ts_f64x8_load(g->inv_inertia_b)};
}

TS_SIMD void end_pass(ts_soft_velocity *velocity, const ts_soft_group *g, const pass *p)
{
    store_velocities(velocity, g->a, g->inv_mass_a, p->a);
    store_velocities(velocity, g->b, g->inv_mass_b, p->b);
}

/* How a row acts along one direction: the direction, and its arms about both centres of mass. */
typedef struct line8 {
    ts_f64x8 x, y, a, b;
} line8;

TS_SIMD line8 load_normal(const ts_soft_row *r)
{
    return (line8){ts_f64x8_load(r->nx), ts_f64x8_load(r->ny), ts_f64x8_load(r->na), ts_f64x8_load(r->nb)};
}

/* The tangent of a normal. */
TS_SIMD line8 load_tangent(const ts_soft_row *r, const line8 *n)
{
    return (line8){-n->y, n->x, ts_f64x8_load(r->ta), ts_f64x8_load(r->tb)};
}

/* The speed of B against A along it. */
TS_SIMD ts_f64x8 speed_along(const velocity8 *a, const velocity8 *b, const line8 *l)
{
    return (l->x * (b->x - a->x) + l->y * (b->y - a->y)) + (l->b * b->spin - l->a * a->spin);
}

/* An impulse on B along it, and its opposite on A. */
TS_SIMD void strike(pass *p, const line8 *l, ts_f64x8 j)
{
    const ts_f64x8 ja = p->inv_mass_a * j, jb = p->inv_mass_b * j;
    p->a.x -= ja * l->x;
    p->a.y -= ja * l->y;
    p->a.spin -= p->inv_inertia_a * j * l->a;
    p->b.x += jb * l->x;
    p->b.y += jb * l->y;
    p->b.spin += p->inv_inertia_b * j * l->b;
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

TS_SIMD void place_row(const ts_soft_form *f, ts_soft_row *r, const pose8 *a, const pose8 *b)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1), half = ts_f64x8_broadcast(0.5);
    const ts_f64x8 fax = ts_f64x8_load(f->ax), fay = ts_f64x8_load(f->ay), fbx = ts_f64x8_load(f->bx),
                   fby = ts_f64x8_load(f->by), fnx = ts_f64x8_load(f->nx), fny = ts_f64x8_load(f->ny),
                   round = ts_f64x8_load(f->round), ra = ts_f64x8_load(f->ra), rb = ts_f64x8_load(f->rb);
    const ts_i64x8 of_b = (ts_i64x8)(ts_f64x8_load(f->of_b) > zero), is_round = (ts_i64x8)(round != zero);
    ts_f64x8 pax = a->c * fax - a->s * fay, pay = a->s * fax + a->c * fay;
    ts_f64x8 pbx = b->c * fbx - b->s * fby, pby = b->s * fbx + b->c * fby;
    ts_f64x8 wx = b->x - a->x, wy = b->y - a->y; /* from A's centre to B's */
    ts_f64x8 dx = wx + (pbx - pax), dy = wy + (pby - pay);
    ts_f64x8 c = ts_f64x8_select(of_b, b->c, a->c), s = ts_f64x8_select(of_b, b->s, a->s);
    ts_f64x8 nx = c * fnx - s * fny, ny = s * fnx + c * fny;
    if (ts_mask8_any(is_round)) {
        ts_f64x8 distance = ts_f64x8_sqrt(dx * dx + dy * dy);
        ts_i64x8 apart = (ts_i64x8)(distance > zero);
        ts_f64x8 inverse = round / ts_f64x8_select(apart, distance, one);
        /* centres that coincide have no direction: the last one stays */
        nx = ts_f64x8_select(is_round & apart, dx * inverse, nx);
        ny = ts_f64x8_select(is_round & apart, dy * inverse, ny);
    }
    ts_f64x8 gap = nx * dx + ny * dy - (ra + rb);
    /* one point for both bodies: half-way between the surfaces, at the one that carries the point */
    ts_f64x8 qa = ra + half * gap, qb = rb + half * gap;
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
}

static void follow(const void *of, int32_t begin, int32_t end)
{
    const ts_soft_task *task = of;
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        const pose8 a = load_poses(task->pose, g->a), b = load_poses(task->pose, g->b);
        for (int32_t k = g->row; k < g->row + g->count; k++)
            place_row(&task->form[k], &task->row[k], &a, &b);
    }
}

static void place(const void *of, int32_t begin, int32_t end)
{
    const ts_soft_task *task = of;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    follow(task, begin, end);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        const ts_f64x8 mass = ts_f64x8_load(g->inv_mass_a) + ts_f64x8_load(g->inv_mass_b),
                       ia = ts_f64x8_load(g->inv_inertia_a), ib = ts_f64x8_load(g->inv_inertia_b);
        const ts_i64x8 moves = (ts_i64x8)(mass > zero);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            const line8 n = load_normal(&task->row[k]), t = load_tangent(&task->row[k], &n);
            ts_f64x8 kn = mass + ia * n.a * n.a + ib * n.b * n.b, kt = mass + ia * t.a * t.a + ib * t.b * t.b;
            ts_f64x8_store(task->row[k].mass_n, ts_f64x8_select(moves, one / ts_f64x8_select(moves, kn, one), zero));
            ts_f64x8_store(task->row[k].mass_t, ts_f64x8_select(moves, one / ts_f64x8_select(moves, kt, one), zero));
        }
    }
}

/* ---- Impulses ---- */

static void warm(const void *of, int32_t begin, int32_t end)
{
    const ts_soft_task *task = of;
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        pass p = begin_pass(task->velocity, g);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            const line8 n = load_normal(&task->row[k]), t = load_tangent(&task->row[k], &n);
            strike(&p, &n, ts_f64x8_load(task->row[k].normal));
            strike(&p, &t, ts_f64x8_load(task->row[k].tangent));
        }
        end_pass(task->velocity, g, &p);
    }
}

static void note(const void *of, int32_t begin, int32_t end)
{
    const ts_soft_task *task = of;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1), h = ts_f64x8_broadcast(task->step),
                   bounce = ts_f64x8_broadcast(task->bounce), gx = ts_f64x8_broadcast(task->step * task->gravity[0]),
                   gy = ts_f64x8_broadcast(task->step * task->gravity[1]);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        if (!g->bounces)
            continue;
        const velocity8 a = load_velocities(task->before, g->a), b = load_velocities(task->before, g->b);
        /* how gravity changes the velocity of B against A: not at all where both can move */
        ts_f64x8 falls = ts_f64x8_select((ts_i64x8)(ts_f64x8_load(g->inv_mass_b) > zero), one, zero) -
                         ts_f64x8_select((ts_i64x8)(ts_f64x8_load(g->inv_mass_a) > zero), one, zero);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            const line8 n = load_normal(&task->row[k]);
            ts_f64x8 gap = ts_f64x8_load(task->row[k].gap);
            ts_f64x8 begins = speed_along(&a, &b, &n), more = falls * (gx * n.x + gy * n.y);
            /* the speed when the gap is gone, not at the end of the sub-step */
            ts_f64x8 ends = begins + more, way = -ends * h;
            ts_i64x8 closes = (ts_i64x8)(ends < zero);
            ts_f64x8 part = ts_f64x8_select(closes, gap / ts_f64x8_select(closes, way, one), one);
            part = ts_f64x8_max(ts_f64x8_min(part, one), zero);
            ts_f64x8 speed = -(begins + part * more);
            /* what presses already, or is hardly moving, does not bounce */
            ts_i64x8 does = (ts_i64x8)(speed > bounce) & (ts_i64x8)(ts_f64x8_load(task->row[k].normal) <= zero) &
                            (ts_i64x8)(ts_f64x8_load(task->form[k].restitution) > zero);
            ts_f64x8_store(task->sum[k].approach, ts_f64x8_select(does, speed, zero));
        }
    }
}

static void push(const void *of, int32_t begin, int32_t end)
{
    const ts_soft_task *task = of;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1),
                   inv_h = ts_f64x8_broadcast(1 / task->step), most = ts_f64x8_broadcast(-task->push);
    const ts_soft_answer *s = task->answer;
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        const ts_i64x8 hard = (ts_i64x8)(ts_f64x8_load(g->stiffer) > zero);
        const ts_f64x8 rate = ts_f64x8_select(hard, ts_f64x8_broadcast(s[1].rate), ts_f64x8_broadcast(s[0].rate)),
                       mass = ts_f64x8_select(hard, ts_f64x8_broadcast(s[1].mass), ts_f64x8_broadcast(s[0].mass)),
                       back = ts_f64x8_select(hard, ts_f64x8_broadcast(s[1].impulse), ts_f64x8_broadcast(s[0].impulse));
        pass p = begin_pass(task->velocity, g);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            ts_soft_row *row = &task->row[k];
            const line8 n = load_normal(row);
            ts_f64x8 gap = ts_f64x8_load(row->gap), old = ts_f64x8_load(row->normal), vn = speed_along(&p.a, &p.b, &n);
            ts_i64x8 open = (ts_i64x8)(gap > zero);
            ts_f64x8 bias = ts_f64x8_select(open, gap * inv_h, ts_f64x8_max(rate * gap, most));
            ts_f64x8 change = -ts_f64x8_load(row->mass_n) * ts_f64x8_select(open, one, mass) * (vn + bias) -
                              ts_f64x8_select(open, zero, back) * old;
            ts_f64x8 now = ts_f64x8_max(old + change, zero);
            ts_f64x8_store(row->normal, now);
            strike(&p, &n, now - old);
        }
        end_pass(task->velocity, g, &p);
    }
}

static void relax(const ts_soft_task *task, int32_t begin, int32_t end, bool last)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), inv_h = ts_f64x8_broadcast(1 / task->step);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        pass p = begin_pass(task->velocity, g);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            ts_soft_row *row = &task->row[k];
            const line8 n = load_normal(row), t = load_tangent(row, &n);
            ts_f64x8 old = ts_f64x8_load(row->normal), gap = ts_f64x8_load(row->gap), vn = speed_along(&p.a, &p.b, &n);
            ts_f64x8 now =
                ts_f64x8_max(old - ts_f64x8_load(row->mass_n) * (vn + ts_f64x8_max(gap, zero) * inv_h), zero);
            /* what has not closed yet is the next sub-step's: stopped now, it would bounce before it is there */
            now = ts_f64x8_select((ts_i64x8)(old > zero) | (ts_i64x8)(gap <= zero), now, zero);
            ts_f64x8_store(row->normal, now);
            strike(&p, &n, now - old);

            ts_f64x8 vt = speed_along(&p.a, &p.b, &t), held = ts_f64x8_load(row->tangent),
                     bound = ts_f64x8_load(row->friction) * now;
            if (g->bounces) /* friction of what bounces comes with its bounce */
                bound = ts_f64x8_select((ts_i64x8)(ts_f64x8_load(task->sum[k].approach) > zero), zero, bound);
            ts_f64x8 along = ts_f64x8_max(ts_f64x8_min(held - ts_f64x8_load(row->mass_t) * vt, bound), -bound);
            ts_f64x8_store(row->tangent, along);
            strike(&p, &t, along - held);
            if (last) {
                ts_soft_sum *sum = &task->sum[k];
                ts_f64x8_store(sum->normal, ts_f64x8_load(sum->normal) + now);
                ts_f64x8_store(sum->tangent, ts_f64x8_load(sum->tangent) + along);
            }
        }
        end_pass(task->velocity, g, &p);
    }
}

/* Lanes of a row that bounce: they closed in this sub-step, and pressed. */
TS_SIMD ts_i64x8 bouncing(const ts_soft_row *row, const ts_soft_sum *sum)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0);
    return (ts_i64x8)(ts_f64x8_load(sum->approach) > zero) & (ts_i64x8)(ts_f64x8_load(row->normal) > zero);
}

/* One place gets its speed back, by an impulse that all visits have together. */
TS_SIMD void bounce_row(pass *p, const ts_soft_form *form, const ts_soft_row *row, ts_soft_sum *sum)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0);
    const line8 n = load_normal(row);
    ts_f64x8 vn = speed_along(&p->a, &p->b, &n), old = ts_f64x8_load(sum->bounce),
             wanted = ts_f64x8_load(form->restitution) * ts_f64x8_load(sum->approach);
    ts_f64x8 now = ts_f64x8_max(old + ts_f64x8_load(row->mass_n) * (wanted - vn), zero);
    now = ts_f64x8_select(bouncing(row, sum), now, zero);
    ts_f64x8_store(sum->bounce, now);
    strike(p, &n, now - old);
}

/* Friction of what bounced, with the normal impulse of the whole impact. It has left: its impulses are no beginning for
 * the next sub-step. */
TS_SIMD void leave_row(pass *p, ts_soft_row *row, ts_soft_sum *sum)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0);
    const line8 n = load_normal(row), t = load_tangent(row, &n);
    const ts_i64x8 does = bouncing(row, sum);
    ts_f64x8 pressed = ts_f64x8_load(row->normal), rubbed = ts_f64x8_load(row->tangent),
             more = ts_f64x8_load(sum->bounce);
    ts_f64x8 bound = ts_f64x8_load(row->friction) * (pressed + more);
    ts_f64x8 along = rubbed - ts_f64x8_load(row->mass_t) * speed_along(&p->a, &p->b, &t);
    along = ts_f64x8_select(does, ts_f64x8_max(ts_f64x8_min(along, bound), -bound), rubbed);
    strike(p, &t, along - rubbed);
    ts_f64x8_store(sum->normal, ts_f64x8_load(sum->normal) + more);
    ts_f64x8_store(sum->tangent, ts_f64x8_load(sum->tangent) + (along - rubbed));
    ts_f64x8_store(row->normal, ts_f64x8_select(does, zero, pressed));
    ts_f64x8_store(row->tangent, ts_f64x8_select(does, zero, rubbed));
}

static void bounce(const void *of, int32_t begin, int32_t end)
{
    const ts_soft_task *task = of;
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_group *g = &task->group[i];
        ts_i64x8 any = {0};
        for (int32_t k = g->row; g->bounces && k < g->row + g->count; k++)
            any |= bouncing(&task->row[k], &task->sum[k]);
        if (!ts_mask8_any(any))
            continue;
        pass p = begin_pass(task->velocity, g);
        for (int32_t k = g->row; k < g->row + g->count; k++)
            ts_f64x8_store(task->sum[k].bounce, ts_f64x8_broadcast(0));
        for (int visit = 0; visit < (g->count > 1 ? BOUNCES : 1); visit++)
            for (int32_t j = 0; j < g->count; j++) {
                const int32_t k = g->row + (visit % 2 ? g->count - 1 - j : j);
                bounce_row(&p, &task->form[k], &task->row[k], &task->sum[k]);
            }
        for (int32_t k = g->row; k < g->row + g->count; k++)
            leave_row(&p, &task->row[k], &task->sum[k]);
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

static void drift(const ts_soft_task *task, const ts_soft_velocity *unloaded, const double *inv_mass,
                  ts_soft_pose *pose, double *angle, int32_t begin, int32_t end)
{
    const double h = task->step, small = 0.05;
    for (int32_t i = begin; i < end; i++) {
        const ts_soft_velocity *v = &task->velocity[i], *u = &unloaded[i];
        ts_soft_pose *p = &pose[i];
        const double turn = h * v->spin, square = turn * turn;
        /* v is that of the end: in free fall the mean one is less by half of what gravity adds */
        const bool falls = inv_mass[i] > 0 && v->x == u->x && v->y == u->y && v->spin == u->spin;
        const double half = falls ? 0.5 * h : 0;
        p->x += h * (v->x - half * task->gravity[0]);
        p->y += h * (v->y - half * task->gravity[1]);
        angle[i] += turn;
        /* turned on by a series, to 1e-16 of the angles that sub-steps have */
        double c = 1 - square * (0.5 - square * (1.0 / 24 - square / 720)),
               s = turn * (1 - square * (1.0 / 6 - square * (1.0 / 120 - square / 5040)));
        if (!(fabs(turn) < small)) {
            c = cos(turn);
            s = sin(turn);
        }
        /* in vectors: written for scalars, gcc 12 fuses the products whatever it is told, and the bits differ */
        const ts_f64x4 by_c = {p->c * c, p->s * c, 0, 0}, by_s = {-p->s * s, p->c * s, 0, 0}, turned = by_c + by_s;
        p->c = turned[0];
        p->s = turned[1];
    }
}

static void relax_first(const void *task, int32_t begin, int32_t end)
{
    relax(task, begin, end, false);
}

static void relax_last(const void *task, int32_t begin, int32_t end)
{
    relax(task, begin, end, true);
}

extern const ts_soft_kernels TS_KERNEL(ts_soft);
const ts_soft_kernels TS_KERNEL(ts_soft) = {
    {place, warm, note, push, follow, relax_first, relax_last, bounce}, kick, drift};
