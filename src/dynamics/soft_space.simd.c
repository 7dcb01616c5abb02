/* SPDX-License-Identifier: MIT */
/* Passes over rows of soft contacts in space, eight pairs at a time. See soft_space.h. */
#include <math.h>
#include <stdbool.h>

#include "base/kernel.h"
#include "base/simd8.h"
#include "dynamics/soft_bounce.h"
#include "dynamics/soft_heat.h"
#include "dynamics/soft_space.h"

/* `VISITS` of a pair's places until what bounces has stopped. */
enum { LANES = TS_SOFT3_LANES, VISITS = 16 };
_Static_assert(LANES == 8, "a lane is a number of a ts_f64x8");

typedef struct vec8 {
    ts_f64x8 x, y, z;
} vec8;

TS_SIMD vec8 load3(const double from[3][LANES])
{
    return (vec8){ts_f64x8_load(from[0]), ts_f64x8_load(from[1]), ts_f64x8_load(from[2])};
}
TS_SIMD void store3(double to[3][LANES], vec8 v)
{
    ts_f64x8_store(to[0], v.x);
    ts_f64x8_store(to[1], v.y);
    ts_f64x8_store(to[2], v.z);
}
TS_SIMD vec8 add(vec8 a, vec8 b)
{
    return (vec8){a.x + b.x, a.y + b.y, a.z + b.z};
}
TS_SIMD vec8 sub(vec8 a, vec8 b)
{
    return (vec8){a.x - b.x, a.y - b.y, a.z - b.z};
}
TS_SIMD vec8 scale(vec8 a, ts_f64x8 s)
{
    return (vec8){a.x * s, a.y * s, a.z * s};
}
/* a + s b */
TS_SIMD vec8 add_scaled(vec8 a, vec8 b, ts_f64x8 s)
{
    return (vec8){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
TS_SIMD ts_f64x8 dot(vec8 a, vec8 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
TS_SIMD vec8 cross(vec8 a, vec8 b)
{
    return (vec8){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
TS_SIMD vec8 select3(ts_i64x8 mask, vec8 a, vec8 b)
{
    return (vec8){ts_f64x8_select(mask, a.x, b.x), ts_f64x8_select(mask, a.y, b.y), ts_f64x8_select(mask, a.z, b.z)};
}

/* A symmetric matrix: xx, yy, zz, xy, xz, yz. */
typedef struct sym8 {
    ts_f64x8 m[6];
} sym8;

TS_SIMD sym8 load6(const double from[6][LANES])
{
    sym8 s;
    for (int i = 0; i < 6; i++)
        s.m[i] = ts_f64x8_load(from[i]);
    return s;
}
TS_SIMD vec8 apply(const sym8 *s, vec8 v)
{
    return (vec8){s->m[0] * v.x + s->m[3] * v.y + s->m[4] * v.z, s->m[3] * v.x + s->m[1] * v.y + s->m[5] * v.z,
                  s->m[4] * v.x + s->m[5] * v.y + s->m[2] * v.z};
}

/* ---- Velocities ---- */

typedef struct velocity8 {
    vec8 v, w;
} velocity8;

TS_SIMD velocity8 load_velocities(const ts_soft3_velocity *v, const int32_t *index)
{
    const double *linear[LANES], *angular[LANES];
    ts_f64x8 column[8];
    for (int lane = 0; lane < LANES; lane++) {
        linear[lane] = &v[index[lane]].x;
        angular[lane] = &v[index[lane]].wx;
    }
    ts_f64x8_columns(linear, column);
    ts_f64x8_columns(angular, column + 4);
    return (velocity8){{column[0], column[1], column[2]}, {column[4], column[5], column[6]}};
}

/* Lanes of what nothing can move are left alone: other threads read them. */
TS_SIMD void store_velocities(ts_soft3_velocity *v, const int32_t *index, const double *inv_mass, const velocity8 *u)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), linear[4] = {u->v.x, u->v.y, u->v.z, zero},
                   angular[4] = {u->w.x, u->w.y, u->w.z, zero};
    ts_f64x4 row[LANES], turn[LANES];
    ts_f64x8_rows(linear, row);
    ts_f64x8_rows(angular, turn);
    for (int lane = 0; lane < LANES; lane++)
        if (inv_mass[lane] > 0) {
            ts_f64x4_store(&v[index[lane]].x, row[lane]);
            ts_f64x4_store(&v[index[lane]].wx, turn[lane]);
        }
}

/* A group on its way through a pass. */
typedef struct pass {
    velocity8 a, b;
    ts_f64x8 inv_mass_a, inv_mass_b;
    sym8 inv_inertia_a, inv_inertia_b;
} pass;

TS_SIMD pass begin_pass(const ts_soft3_task *task, const ts_soft3_group *g)
{
    return (pass){load_velocities(task->velocity, g->a),
                  load_velocities(task->velocity, g->b),
                  ts_f64x8_load(g->inv_mass_a),
                  ts_f64x8_load(g->inv_mass_b),
                  load6(g->inv_inertia_a),
                  load6(g->inv_inertia_b)};
}

TS_SIMD void end_pass(const ts_soft3_task *task, const ts_soft3_group *g, const pass *p)
{
    store_velocities(task->velocity, g->a, g->inv_mass_a, &p->a);
    store_velocities(task->velocity, g->b, g->inv_mass_b, &p->b);
}

/* The velocity of B against A at a place. */
TS_SIMD vec8 slip(const velocity8 *a, const velocity8 *b, vec8 arm_a, vec8 arm_b)
{
    return sub(add(b->v, cross(b->w, arm_b)), add(a->v, cross(a->w, arm_a)));
}

/* An impulse on B, and its opposite on A. */
TS_SIMD void strike(pass *p, vec8 arm_a, vec8 arm_b, vec8 j)
{
    p->a.v = add_scaled(p->a.v, j, -p->inv_mass_a);
    p->b.v = add_scaled(p->b.v, j, p->inv_mass_b);
    p->a.w = sub(p->a.w, apply(&p->inv_inertia_a, cross(arm_a, j)));
    p->b.w = add(p->b.w, apply(&p->inv_inertia_b, cross(arm_b, j)));
}

/* ---- Where rows stand ---- */

typedef struct pose8 {
    vec8 at;
    vec8 row[3]; /* of the rotation */
} pose8;

TS_SIMD pose8 load_poses(const ts_soft3_pose *p, const int32_t *index)
{
    const double *at[LANES], *turn[LANES];
    ts_f64x8 c[8];
    for (int lane = 0; lane < LANES; lane++) {
        at[lane] = &p[index[lane]].x;
        turn[lane] = &p[index[lane]].qw;
    }
    ts_f64x8_columns(at, c);
    ts_f64x8_columns(turn, c + 4);
    const ts_f64x8 one = ts_f64x8_broadcast(1), w = c[4], x = c[5], y = c[6], z = c[7];
    const ts_f64x8 x2 = x + x, y2 = y + y, z2 = z + z;
    return (pose8){{c[0], c[1], c[2]},
                   {{one - (y2 * y + z2 * z), x2 * y - z2 * w, x2 * z + y2 * w},
                    {x2 * y + z2 * w, one - (x2 * x + z2 * z), y2 * z - x2 * w},
                    {x2 * z - y2 * w, y2 * z + x2 * w, one - (x2 * x + y2 * y)}}};
}

TS_SIMD vec8 turn(const pose8 *p, vec8 v)
{
    return (vec8){dot(p->row[0], v), dot(p->row[1], v), dot(p->row[2], v)};
}

/* The point of a rim, about its body's origin. `own`: that body's pose, `point`: of the body, `toward`: the normal away
 * from it. */
TS_SIMD vec8 rim_point(const ts_soft3_form *f, const pose8 *own, vec8 point, vec8 toward)
{
    const ts_f64x8 one = ts_f64x8_broadcast(1), level = ts_f64x8_broadcast(TS_SOFT3_LEVEL);
    const vec8 u = turn(own, load3(f->rim_axis)), centre = turn(own, load3(f->rim_centre)), spoke = sub(point, centre);
    const vec8 along = add_scaled(toward, u, -dot(u, toward));
    const ts_f64x8 slope = ts_f64x8_sqrt(dot(along, along));
    const ts_i64x8 tilted = (ts_i64x8)(slope > level);
    const vec8 d = scale(along, ts_f64x8_sqrt(dot(spoke, spoke)) / ts_f64x8_select(tilted, slope, one));
    const vec8 farthest = add_scaled(scale(d, ts_f64x8_load(f->rim_cos)), cross(u, d), ts_f64x8_load(f->rim_sin));
    return select3(tilted, add(centre, farthest), point);
}

TS_SIMD void place_row(const ts_soft3_form *f, ts_soft3_row *r, const pose8 *a, const pose8 *b)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1), half = ts_f64x8_broadcast(0.5);
    const ts_f64x8 round = ts_f64x8_load(f->round), ra = ts_f64x8_load(f->ra), rb = ts_f64x8_load(f->rb);
    const ts_i64x8 of_b = (ts_i64x8)(ts_f64x8_load(f->of_b) > zero), is_round = (ts_i64x8)(round != zero);
    const vec8 fixed = load3(f->n), way = sub(b->at, a->at);
    vec8 pa = turn(a, load3(f->a)), pb = turn(b, load3(f->b)), n = select3(of_b, turn(b, fixed), turn(a, fixed));
    const ts_f64x8 rim_cos = ts_f64x8_load(f->rim_cos), rim_sin = ts_f64x8_load(f->rim_sin);
    const ts_i64x8 is_rim = (ts_i64x8)(rim_cos * rim_cos + rim_sin * rim_sin > zero);
    if (ts_mask8_any(is_rim)) { /* of A where n is of B */
        pa = select3(is_rim & of_b, rim_point(f, a, pa, n), pa);
        pb = select3(is_rim & ~of_b, rim_point(f, b, pb, scale(n, -one)), pb);
    }
    const vec8 delta = add(way, sub(pb, pa));
    if (ts_mask8_any(is_round)) {
        const vec8 across = add_scaled(delta, n, -(ts_f64x8_load(f->axial) * dot(n, delta)));
        ts_f64x8 distance = ts_f64x8_sqrt(dot(across, across));
        ts_i64x8 apart = (ts_i64x8)(distance > zero);
        /* points that coincide have no direction: the last one stays */
        n = select3(is_round & apart, scale(across, round / ts_f64x8_select(apart, distance, one)), n);
    }
    ts_f64x8 gap = dot(n, delta) - (ra + rb);
    /* one point for both bodies: half-way between the surfaces, at the one that carries the point */
    const vec8 arm = select3(of_b, add_scaled(pa, n, ra + half * gap), add_scaled(add(way, pb), n, -(rb + half * gap)));
    ts_f64x8_store(r->gap, gap);
    store3(r->n, n);
    store3(r->arm_a, arm);
    store3(r->arm_b, sub(arm, way));
}

/* Two tangents of a unit normal (Duff et al. 2017, as ts_vec3_tangents). */
TS_SIMD void tangents(vec8 n, vec8 *t1, vec8 *t2)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    const ts_f64x8 sign = ts_f64x8_select((ts_i64x8)(n.z < zero), -one, one), a = -one / (sign + n.z),
                   b = n.x * n.y * a;
    *t1 = (vec8){one + sign * n.x * n.x * a, sign * b, -sign * n.x};
    *t2 = (vec8){b, sign + n.y * n.y * a, -n.y};
}

/* What turning adds to the answer of a direction: (r × d) · I⁻¹ (r × d). */
TS_SIMD ts_f64x8 turning(const sym8 *inv_inertia, vec8 arm, vec8 d)
{
    const vec8 moment = cross(arm, d);
    return dot(moment, apply(inv_inertia, moment));
}

/* The mean of all directions across a normal: sliding goes against the velocity only where they are alike. */
TS_SIMD ts_f64x8 turning_across(const sym8 *inv_inertia, vec8 arm, vec8 n)
{
    vec8 t1, t2;
    tangents(n, &t1, &t2);
    return ts_f64x8_broadcast(0.5) * (turning(inv_inertia, arm, t1) + turning(inv_inertia, arm, t2));
}

static void place(const void *of, int32_t begin, int32_t end)
{
    const ts_soft3_task *task = of;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft3_group *g = &task->group[i];
        const pose8 a = load_poses(task->pose, g->a), b = load_poses(task->pose, g->b);
        const ts_f64x8 mass = ts_f64x8_load(g->inv_mass_a) + ts_f64x8_load(g->inv_mass_b);
        const sym8 ia = load6(g->inv_inertia_a), ib = load6(g->inv_inertia_b);
        const ts_i64x8 moves = (ts_i64x8)(mass > zero);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            ts_soft3_row *r = &task->row[k];
            place_row(&task->form[k], r, &a, &b);
            const vec8 n = load3(r->n), arm_a = load3(r->arm_a), arm_b = load3(r->arm_b);
            ts_f64x8 kn = mass + turning(&ia, arm_a, n) + turning(&ib, arm_b, n),
                     kt = mass + turning_across(&ia, arm_a, n) + turning_across(&ib, arm_b, n);
            ts_f64x8_store(r->mass_n, ts_f64x8_select(moves, one / ts_f64x8_select(moves, kn, one), zero));
            ts_f64x8_store(r->mass_t,
                           ts_f64x8_select(moves, ts_f64x8_load(r->share) / ts_f64x8_select(moves, kt, one), zero));
        }
    }
}

/* ---- Impulses ---- */

/* Half of what a row had before the sub-step. */
TS_SIMD void strike_half(pass *p, const ts_soft3_row *r)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), half = ts_f64x8_broadcast(0.5), held = ts_f64x8_load(r->held);
    if (ts_mask8_any((ts_i64x8)(held > zero)))
        strike(p, load3(r->arm_a), load3(r->arm_b), scale(add_scaled(load3(r->tangent), load3(r->n), held), half));
}

static void warm(const void *of, int32_t begin, int32_t end)
{
    const ts_soft3_task *task = of;
    for (int32_t i = begin; i < end; i++) {
        const ts_soft3_group *g = &task->group[i];
        pass p = begin_pass(task, g);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            ts_soft3_row *r = &task->row[k];
            ts_f64x8_store(r->held, ts_f64x8_load(r->normal));
            strike_half(&p, r);
        }
        end_pass(task, g, &p);
    }
}

static void follow(const void *of, int32_t begin, int32_t end)
{
    const ts_soft3_task *task = of;
    for (int32_t i = begin; i < end; i++) {
        const ts_soft3_group *g = &task->group[i];
        const pose8 a = load_poses(task->pose, g->a), b = load_poses(task->pose, g->b);
        pass p = begin_pass(task, g);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            place_row(&task->form[k], &task->row[k], &a, &b);
            strike_half(&p, &task->row[k]);
        }
        end_pass(task, g, &p);
    }
}

static void note(const void *of, int32_t begin, int32_t end)
{
    const ts_soft3_task *task = of;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1), h = ts_f64x8_broadcast(task->step),
                   bounce = ts_f64x8_broadcast(task->pace.bounce);
    for (int32_t i = begin; i < end; i++) {
        ts_soft3_group *g = &task->group[i];
        if (!g->bounces)
            continue;
        const velocity8 a = load_velocities(task->before, g->a), b = load_velocities(task->before, g->b),
                        to_a = load_velocities(task->velocity, g->a), to_b = load_velocities(task->velocity, g->b);
        ts_i64x8 any = {0};
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            const ts_soft3_row *r = &task->row[k];
            const vec8 n = load3(r->n), arm_a = load3(r->arm_a), arm_b = load3(r->arm_b);
            ts_f64x8 gap = ts_f64x8_load(r->gap);
            ts_f64x8 begins = dot(n, slip(&a, &b, arm_a, arm_b)), middle = dot(n, slip(&to_a, &to_b, arm_a, arm_b)),
                     more = middle - begins;
            /* the speed when the gap is gone; bodies move at that of the middle */
            ts_f64x8 way = -middle * h;
            ts_i64x8 closes = (ts_i64x8)(middle < zero);
            ts_f64x8 part = ts_f64x8_select(closes, gap / ts_f64x8_select(closes, way, one), one);
            part = ts_f64x8_max(ts_f64x8_min(part, one), zero);
            ts_f64x8 speed = -(begins + part * (more + more));
            /* what presses already, or is hardly moving, does not bounce */
            ts_i64x8 does = (ts_i64x8)(speed > bounce) & (ts_i64x8)(ts_f64x8_load(r->normal) <= zero) &
                            (ts_i64x8)(ts_f64x8_load(task->form[k].restitution) > zero);
            any |= does;
            ts_f64x8_store(task->sum[k].approach, ts_f64x8_select(does, speed, zero));
            ts_f64x8_store(task->sum[k].fall, more);
            ts_f64x8_store(task->sum[k].taken, zero);
        }
        g->closes = ts_mask8_any(any);
    }
}

/* Whether there is an impulse, or was. */
TS_SIMD ts_i64x8 presses(ts_f64x8 old, ts_f64x8 now)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0);
    return (ts_i64x8)(old > zero) | (ts_i64x8)(now > zero);
}

/* Lanes of a row that bounce, if they press. */
TS_SIMD ts_i64x8 closing(const ts_soft3_sum *sum)
{
    return (ts_i64x8)(ts_f64x8_load(sum->approach) > ts_f64x8_broadcast(0));
}

/* A normal impulse becomes another one; the speed before. */
TS_SIMD void change_normal(pass *p, ts_soft3_row *r, ts_soft3_sum *sum, ts_f64x8 now, ts_f64x8 speed, ts_f64x8 fall,
                           bool closes)
{
    const vec8 n = load3(r->n), arm_a = load3(r->arm_a), arm_b = load3(r->arm_b);
    const ts_f64x8 change = now - ts_f64x8_load(r->normal);
    ts_f64x8_store(r->normal, now);
    strike(p, arm_a, arm_b, scale(n, change));
    if (closes)
        ts_f64x8_store(sum->taken, ts_f64x8_load(sum->taken) +
                                       ts_soft_taken(change, speed, dot(n, slip(&p->a, &p->b, arm_a, arm_b)), fall));
}

/* The impulse with which a row closes no further than it may, and parts if it overlaps. */
TS_SIMD ts_f64x8 pushing(const ts_soft3_task *task, ts_i64x8 hard, const ts_soft3_row *r, ts_f64x8 speed)
{
    const ts_soft_answer *s = task->pace.answer;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1),
                   inv_h = ts_f64x8_broadcast(1 / task->step), most = ts_f64x8_broadcast(-task->pace.push);
    const ts_f64x8 rate = ts_f64x8_select(hard, ts_f64x8_broadcast(s[1].rate), ts_f64x8_broadcast(s[0].rate)),
                   mass = ts_f64x8_select(hard, ts_f64x8_broadcast(s[1].mass), ts_f64x8_broadcast(s[0].mass)),
                   back = ts_f64x8_select(hard, ts_f64x8_broadcast(s[1].impulse), ts_f64x8_broadcast(s[0].impulse)),
                   gap = ts_f64x8_load(r->gap), old = ts_f64x8_load(r->normal);
    const ts_i64x8 open = (ts_i64x8)(gap > zero);
    const ts_f64x8 bias = ts_f64x8_select(open, gap * inv_h, ts_f64x8_max(rate * gap, most));
    const ts_f64x8 share = ts_f64x8_load(r->share), part = ts_f64x8_select(open, one, mass);
    const ts_f64x8 change = -ts_f64x8_load(r->mass_n) * share * part * (speed + bias) -
                            (ts_f64x8_select(open, zero, back) + (one - share) * part) * old;
    return ts_f64x8_max(old + change, zero);
}

/* The impulse that stops a row. */
TS_SIMD ts_f64x8 stopping(const ts_soft3_task *task, const ts_soft3_row *r, ts_f64x8 speed)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), inv_h = ts_f64x8_broadcast(1 / task->step);
    const ts_f64x8 old = ts_f64x8_load(r->normal), gap = ts_f64x8_load(r->gap);
    const ts_f64x8 share = ts_f64x8_load(r->share), lasting = old - (ts_f64x8_broadcast(1) - share) * old;
    const ts_f64x8 now =
        ts_f64x8_max(lasting - ts_f64x8_load(r->mass_n) * share * (speed + ts_f64x8_max(gap, zero) * inv_h), zero);
    /* what has not closed yet is the next sub-step's: stopped now, it would bounce before it is there */
    return ts_f64x8_select((ts_i64x8)(old > zero) | (ts_i64x8)(gap <= zero), now, zero);
}

TS_SIMD ts_f64x8 normal_speed(const pass *p, const ts_soft3_row *r)
{
    return dot(load3(r->n), slip(&p->a, &p->b, load3(r->arm_a), load3(r->arm_b)));
}

TS_SIMD ts_i64x8 hard_lanes(const ts_soft3_group *g)
{
    return (ts_i64x8)(ts_f64x8_load(g->stiffer) > ts_f64x8_broadcast(0));
}

TS_SIMD void note_heat(const ts_soft3_task *task, const ts_soft3_group *g, const ts_soft3_row *r, ts_f64x8 change)
{
    ts_soft_note_heat(task->heat, g->a, g->b, g->inv_mass_a, g->inv_mass_b, change, ts_f64x8_load(r->mass_n),
                      ts_f64x8_load(r->held));
}

/* Several places of a pair that bounces, to and fro until they agree: what falls flat shall not turn. */
TS_SIMD void visit_pair(const ts_soft3_task *task, const ts_soft3_group *g, pass *p, bool pushes)
{
    const ts_i64x8 hard = hard_lanes(g);
    ts_i64x8 lanes = {0};
    for (int32_t k = g->row; k < g->row + g->count; k++)
        lanes |= closing(&task->sum[k]);
    for (int visit = 0; visit < VISITS; visit++)
        for (int32_t j = 0; j < g->count; j++) {
            const int32_t k = g->row + (visit % 2 ? g->count - 1 - j : j);
            ts_soft3_row *r = &task->row[k];
            const ts_f64x8 speed = normal_speed(p, r),
                           now = pushes ? pushing(task, hard, r, speed) : stopping(task, r, speed),
                           fall = pushes ? ts_f64x8_load(task->sum[k].fall) : ts_f64x8_broadcast(0);
            const ts_f64x8 old = ts_f64x8_load(r->normal), changed = ts_f64x8_select(lanes, now, old);
            change_normal(p, r, &task->sum[k], changed, speed, fall, true);
            if (pushes)
                note_heat(task, g, r, changed - old);
        }
}

TS_SIMD void push_rows(const ts_soft3_task *task, int32_t begin, int32_t end, bool again)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft3_group *g = &task->group[i];
        const ts_i64x8 hard = hard_lanes(g), hot = again ? ts_soft_hot_lanes(task->heat, g->a, g->b) : ~(ts_i64x8){0};
        if (again && !ts_mask8_any(hot))
            continue;
        pass p = begin_pass(task, g);
        if (!again && g->closes && g->count > 1)
            visit_pair(task, g, &p, true);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            ts_soft3_row *r = &task->row[k];
            const ts_f64x8 speed = normal_speed(&p, r), old = ts_f64x8_load(r->normal);
            ts_f64x8 now = pushing(task, hard, r, speed);
            if (again)
                now = ts_f64x8_select(hot, now, old);
            if (!ts_mask8_any(presses(old, now)))
                continue;
            change_normal(&p, r, &task->sum[k], now, speed, g->closes ? ts_f64x8_load(task->sum[k].fall) : zero,
                          g->closes);
            note_heat(task, g, r, now - old);
        }
        end_pass(task, g, &p);
    }
}

static void push(const void *task, int32_t begin, int32_t end)
{
    push_rows(task, begin, end, false);
}

static void push_again(const void *task, int32_t begin, int32_t end)
{
    push_rows(task, begin, end, true);
}

/* Impulses on what nothing can move, their moments, and its work at these velocities. */
TS_SIMD void add_up(ts_soft3_sum *sum, const ts_soft3_group *g, const velocity8 *a, const velocity8 *b, vec8 arm_a,
                    vec8 arm_b, vec8 j)
{
    const ts_i64x8 of_a = (ts_i64x8)(ts_f64x8_load(g->inv_mass_a) <= ts_f64x8_broadcast(0));
    const vec8 moment = cross(select3(of_a, arm_a, arm_b), j);
    const ts_f64x8 by_a = dot(j, a->v) + dot(moment, a->w), by_b = -(dot(j, b->v) + dot(moment, b->w));
    store3(sum->impulse, add(load3(sum->impulse), j));
    store3(sum->moment, add(load3(sum->moment), moment));
    ts_f64x8_store(sum->work, ts_f64x8_load(sum->work) + ts_f64x8_select(of_a, by_a, by_b));
}

/* Impulses of the step, along the normal and across it. */
TS_SIMD void count_impulses(ts_soft3_sum *sum, ts_f64x8 normal, vec8 tangent)
{
    ts_f64x8_store(sum->normal, ts_f64x8_load(sum->normal) + normal);
    store3(sum->tangent, add(load3(sum->tangent), tangent));
}

/* What goes on into the next sub-step (soft.h). What bounces keeps all for its bounce, and nothing then. */
TS_SIMD void keep_lasting(const ts_soft3_task *task, const ts_soft3_group *g, ts_soft3_row *r, const ts_soft3_sum *sum)
{
    const ts_f64x8 one = ts_f64x8_broadcast(1), normal = ts_f64x8_load(r->normal), held = ts_f64x8_load(r->held),
                   most = ts_f64x8_load(g->heavier) * ts_f64x8_broadcast(task->pace.lasting) + (held + held);
    ts_i64x8 less = (ts_i64x8)(normal > most);
    if (g->closes)
        less &= ~closing(sum);
    if (!ts_mask8_any(less))
        return;
    const ts_f64x8 share = ts_f64x8_select(less, most / ts_f64x8_select(less, normal, one), one);
    ts_f64x8_store(r->normal, share * normal);
    store3(r->tangent, scale(load3(r->tangent), share));
}

typedef enum relaxing { PLAIN, NOTING, AGAIN, LAST } relaxing;

TS_SIMD void relax(const ts_soft3_task *task, int32_t begin, int32_t end, relaxing how)
{
    const bool last = how == LAST;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft3_group *g = &task->group[i];
        const ts_i64x8 hot = how == AGAIN ? ts_soft_hot_lanes(task->heat, g->a, g->b) : ~(ts_i64x8){0};
        if (how == AGAIN && !ts_mask8_any(hot))
            continue;
        pass p = begin_pass(task, g);
        velocity8 way_a = p.a, way_b = p.b;
        if (last && g->fixed && task->mean) {
            way_a = load_velocities(task->mean, g->a);
            way_b = load_velocities(task->mean, g->b);
        }
        if (last && g->closes && g->count > 1)
            visit_pair(task, g, &p, false);
        for (int32_t k = g->row; k < g->row + g->count; k++) {
            ts_soft3_row *r = &task->row[k];
            ts_soft3_sum *sum = &task->sum[k];
            const ts_f64x8 speed = normal_speed(&p, r), old = ts_f64x8_load(r->normal);
            ts_f64x8 now = stopping(task, r, speed);
            if (how == AGAIN)
                now = ts_f64x8_select(hot, now, old);
            const vec8 held = load3(r->tangent);
            if (!ts_mask8_any(presses(old, now) | (ts_i64x8)(dot(held, held) > zero)))
                continue;
            change_normal(&p, r, sum, now, speed, zero, g->closes);
            if (how == NOTING || how == AGAIN)
                note_heat(task, g, r, now - old);

            const vec8 n = load3(r->n), arm_a = load3(r->arm_a), arm_b = load3(r->arm_b);
            vec8 wanted = add_scaled(held, slip(&p.a, &p.b, arm_a, arm_b), -ts_f64x8_load(r->mass_t));
            wanted = add_scaled(wanted, n, -dot(n, wanted));
            ts_f64x8 square = dot(wanted, wanted), bound = ts_f64x8_load(r->friction) * now;
            if (g->closes) /* friction of what bounces comes with its bounce */
                bound = ts_f64x8_select(closing(sum), zero, bound);
            ts_i64x8 slides = (ts_i64x8)(square > bound * bound);
            ts_f64x8 share = ts_f64x8_select(slides, bound / ts_f64x8_sqrt(ts_f64x8_select(slides, square, one)), one);
            vec8 along = scale(wanted, share);
            if (how == AGAIN)
                along = select3(hot, along, held);
            store3(r->tangent, along);
            strike(&p, arm_a, arm_b, sub(along, held));
            if (!last)
                continue;
            count_impulses(sum, now, along);
            if (g->fixed)
                add_up(sum, g, &way_a, &way_b, arm_a, arm_b, add_scaled(along, n, now));
            keep_lasting(task, g, r, sum);
        }
        end_pass(task, g, &p);
    }
}

/* What a row bounces with: its impulse, where it closed in this sub-step. */
TS_SIMD ts_f64x8 bounce_of(const ts_soft3_row *r, const ts_soft3_form *f, const ts_soft3_sum *sum)
{
    return ts_f64x8_select(closing(sum), ts_f64x8_load(f->restitution) * ts_f64x8_load(r->normal),
                           ts_f64x8_broadcast(0));
}

/* Friction of what bounced, with the normal impulse of the whole impact. It has left: its impulses are no beginning for
 * the next sub-step. */
TS_SIMD void leave_row(pass *p, const ts_soft3_group *g, ts_soft3_row *r, ts_soft3_sum *sum, ts_f64x8 more)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    const vec8 n = load3(r->n), arm_a = load3(r->arm_a), arm_b = load3(r->arm_b), held = load3(r->tangent);
    ts_f64x8 pressed = ts_f64x8_load(r->normal);
    const ts_i64x8 does = closing(sum) & (ts_i64x8)(pressed > zero);
    const ts_f64x8 answer = p->inv_mass_a + p->inv_mass_b + turning_across(&p->inv_inertia_a, arm_a, n) +
                            turning_across(&p->inv_inertia_b, arm_b, n);
    vec8 wanted = add_scaled(held, slip(&p->a, &p->b, arm_a, arm_b), -one / answer);
    wanted = add_scaled(wanted, n, -dot(n, wanted));
    ts_f64x8 square = dot(wanted, wanted), bound = ts_f64x8_load(r->friction) * (pressed + more);
    ts_i64x8 slides = (ts_i64x8)(square > bound * bound);
    ts_f64x8 share = ts_f64x8_select(slides, bound / ts_f64x8_sqrt(ts_f64x8_select(slides, square, one)), one);
    const vec8 rub = scale(sub(scale(wanted, share), held), ts_f64x8_select(does, one, zero));
    strike(p, arm_a, arm_b, rub);
    count_impulses(sum, more, rub);
    if (g->fixed)
        add_up(sum, g, &p->a, &p->b, arm_a, arm_b, add_scaled(rub, n, more));
    ts_f64x8_store(r->normal, ts_f64x8_select(does, zero, pressed));
    store3(r->tangent, scale(held, ts_f64x8_select(does, zero, one)));
}

/* All places of a pair together (soft_bounce.h): by `part` of what they bounce with. Returns Σ w u before. */
TS_SIMD ts_f64x8 bounce_pair(const ts_soft3_task *task, const ts_soft3_group *g, pass *p, ts_f64x8 part)
{
    ts_f64x8 power = ts_f64x8_broadcast(0);
    for (int32_t k = g->row; k < g->row + g->count; k++) {
        const ts_soft3_row *r = &task->row[k];
        power += bounce_of(r, &task->form[k], &task->sum[k]) * normal_speed(p, r);
    }
    for (int32_t k = g->row; k < g->row + g->count; k++) {
        const ts_soft3_row *r = &task->row[k];
        const ts_f64x8 change = part * bounce_of(r, &task->form[k], &task->sum[k]);
        strike(p, load3(r->arm_a), load3(r->arm_b), scale(load3(r->n), change));
    }
    return power;
}

static void bounce(const void *of, int32_t begin, int32_t end)
{
    const ts_soft3_task *task = of;
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1);
    for (int32_t i = begin; i < end; i++) {
        const ts_soft3_group *g = &task->group[i];
        const int32_t last = g->row + g->count;
        if (!g->closes)
            continue;
        pass p = begin_pass(task, g);
        ts_f64x8 e = zero, energy = zero; /* places of a pair may differ in e */
        for (int32_t k = g->row; k < last; k++) {
            const ts_f64x8 own = ts_f64x8_load(task->form[k].restitution);
            e = ts_f64x8_max(e, own);
            energy += ts_f64x8_select(closing(&task->sum[k]), own * own * ts_f64x8_load(task->sum[k].taken), zero);
        }
        const ts_f64x8 power = bounce_pair(task, g, &p, one), after = bounce_pair(task, g, &p, zero),
                       share = ts_soft_bounce_share(power, after, energy, e);
        bounce_pair(task, g, &p, share - one);
        for (int32_t k = g->row; k < last; k++)
            leave_row(&p, g, &task->row[k], &task->sum[k],
                      share * bounce_of(&task->row[k], &task->form[k], &task->sum[k]));
        end_pass(task, g, &p);
    }
}

/* ---- Bodies ---- */

static void kick(const ts_soft3_task *task, const uint8_t *falls, int32_t begin, int32_t end)
{
    const double h = 0.5 * task->step;
    const ts_f64x4 fall = {h * task->gravity[0], h * task->gravity[1], h * task->gravity[2], 0};
    for (int32_t i = begin; i < end; i++)
        if (falls[i])
            ts_f64x4_store(&task->velocity[i].x, ts_f64x4_load(&task->velocity[i].x) + fall);
}

static void drift(const ts_soft3_task *task, const uint8_t *goes, ts_soft3_pose *pose, int32_t begin, int32_t end)
{
    const double h = task->step, small = 0.0025;
    for (int32_t i = begin; i < end; i++) {
        if (!goes[i])
            continue;
        const ts_soft3_velocity *v = &task->velocity[i];
        ts_soft3_pose *p = &pose[i];
        p->x += h * v->x;
        p->y += h * v->y;
        p->z += h * v->z;
        /* turned by exp(½ h ω): by a series, to 1e-16 of the angles that sub-steps have */
        const double ex = 0.5 * h * v->wx, ey = 0.5 * h * v->wy, ez = 0.5 * h * v->wz,
                     square = ex * ex + ey * ey + ez * ez;
        double c = 1 - square * (0.5 - square * (1.0 / 24 - square / 720)),
               s = 1 - square * (1.0 / 6 - square * (1.0 / 120 - square / 5040));
        if (!(square < small)) {
            const double angle = sqrt(square);
            c = cos(angle);
            s = sin(angle) / angle;
        }
        /* in vectors: of the plain formula gcc 12 makes fused multiplications, whatever it is told */
        const ts_f64x4 q = ts_f64x4_load(&p->qw), xwzy = __builtin_shufflevector(q, q, 1, 0, 3, 2),
                       yzwx = __builtin_shufflevector(q, q, 2, 3, 0, 1),
                       zyxw = __builtin_shufflevector(q, q, 3, 2, 1, 0);
        const double x = s * ex, y = s * ey, z = s * ez;
        const ts_f64x4 turned = ((ts_f64x4){c, c, c, c} * q + (ts_f64x4){-x, x, -x, x} * xwzy) +
                                ((ts_f64x4){-y, y, y, -y} * yzwx + (ts_f64x4){-z, -z, z, z} * zyxw);
        const ts_f64x4 square4 = turned * turned;
        /* of unit length but for the square of a rounding */
        const double unit = 1 + 0.5 * (1 - ((square4[0] + square4[1]) + (square4[2] + square4[3])));
        ts_f64x4_store(&p->qw, turned * (ts_f64x4){unit, unit, unit, unit});
    }
}

static void relax_plain(const void *task, int32_t begin, int32_t end)
{
    relax(task, begin, end, PLAIN);
}

static void relax_note(const void *task, int32_t begin, int32_t end)
{
    relax(task, begin, end, NOTING);
}

static void relax_again(const void *task, int32_t begin, int32_t end)
{
    relax(task, begin, end, AGAIN);
}

static void relax_last(const void *task, int32_t begin, int32_t end)
{
    relax(task, begin, end, LAST);
}

extern const ts_soft3_kernels TS_KERNEL(ts_soft3);
const ts_soft3_kernels TS_KERNEL(ts_soft3) = {
    {place, warm, note, push, push_again, follow, relax_plain, relax_note, relax_again, relax_last, bounce},
    kick,
    drift};
