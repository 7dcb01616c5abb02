/* SPDX-License-Identifier: MIT */
/* The penalty law in space, four contacts at a time. See penalty_space.h. */
#include "dynamics/penalty_space.h"

#include "base/kernel.h"
#include "base/simd.h"
#include "dynamics/penalty_lanes.h"

typedef struct vec4 {
    ts_f64x4 x, y, z;
} vec4;

TS_SIMD vec4 add(vec4 a, vec4 b)
{
    return (vec4){a.x + b.x, a.y + b.y, a.z + b.z};
}
TS_SIMD vec4 sub(vec4 a, vec4 b)
{
    return (vec4){a.x - b.x, a.y - b.y, a.z - b.z};
}
TS_SIMD vec4 scale(vec4 a, ts_f64x4 s)
{
    return (vec4){a.x * s, a.y * s, a.z * s};
}
TS_SIMD vec4 cross(vec4 a, vec4 b)
{
    return (vec4){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
TS_SIMD ts_f64x4 dot(vec4 a, vec4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
TS_SIMD vec4 choose(ts_i64x4 mask, vec4 a, vec4 b)
{
    return (vec4){ts_f64x4_select(mask, a.x, b.x), ts_f64x4_select(mask, a.y, b.y), ts_f64x4_select(mask, a.z, b.z)};
}
TS_SIMD vec4 load3(const double from[3][TS_BATCH3 + 4], int k)
{
    return (vec4){ts_f64x4_load(&from[0][k]), ts_f64x4_load(&from[1][k]), ts_f64x4_load(&from[2][k])};
}
TS_SIMD void store3(double to[3][TS_BATCH3 + 4], int k, vec4 v)
{
    ts_f64x4_store(&to[0][k], v.x);
    ts_f64x4_store(&to[1][k], v.y);
    ts_f64x4_store(&to[2][k], v.z);
}

/* ---- Which balls overlap ---- */

typedef struct place4 {
    vec4 at;
    ts_f64x4 radius;
} place4;

TS_SIMD place4 load_places(const ts_place3 *place, const int32_t *index)
{
    place4 p = {
        {ts_f64x4_load(&place[index[0]].x), ts_f64x4_load(&place[index[1]].x), ts_f64x4_load(&place[index[2]].x)},
        ts_f64x4_load(&place[index[3]].x)};
    ts_f64x4_transpose(&p.at.x, &p.at.y, &p.at.z, &p.radius);
    return p;
}

static size_t find(const ts_place3 *place, const int32_t *a, const int32_t *b, size_t count, int32_t *found)
{
    size_t n = 0, k = 0;
    for (; k + 4 <= count; k += 4) {
        const place4 p = load_places(place, a + k), q = load_places(place, b + k);
        const vec4 d = sub(q.at, p.at);
        const ts_f64x4 reach = p.radius + q.radius;
        const int bits = ts_mask_bits(ts_f64x4_less(dot(d, d), reach * reach));
        for (int lane = 0; lane < 4; lane++) {
            found[n] = (int32_t)k + lane;
            n += (size_t)(bits >> lane & 1);
        }
    }
    for (; k < count; k++) {
        const ts_place3 *p = &place[a[k]], *q = &place[b[k]];
        const double x = q->x - p->x, y = q->y - p->y, z = q->z - p->z, reach = p->radius + q->radius;
        found[n] = (int32_t)k;
        n += x * x + y * y + z * z < reach * reach;
    }
    return n;
}

/* ---- Forces ---- */

typedef struct motion4 {
    vec4 v, w;
    ts_f64x4 inv_mass;
} motion4;

TS_SIMD motion4 load_motions(const ts_motion6 *motion, const int32_t *index)
{
    motion4 m = {
        .v = {ts_f64x4_load(motion[index[0]].v), ts_f64x4_load(motion[index[1]].v), ts_f64x4_load(motion[index[2]].v)},
        .inv_mass = ts_f64x4_load(motion[index[3]].v)};
    ts_f64x4_transpose(&m.v.x, &m.v.y, &m.v.z, &m.inv_mass);
    ts_f64x4 unused = ts_f64x4_load(motion[index[3]].w);
    m.w =
        (vec4){ts_f64x4_load(motion[index[0]].w), ts_f64x4_load(motion[index[1]].w), ts_f64x4_load(motion[index[2]].w)};
    ts_f64x4_transpose(&m.w.x, &m.w.y, &m.w.z, &unused);
    return m;
}

/* What four contacts are, and what becomes of them. */
typedef struct contact4 {
    vec4 normal, arm_a, arm_b; /* arms of balls are along the normal: only their lengths are kept, below */
    ts_f64x4 gap, length_a, length_b;
    vec4 velocity; /* of B against A at the contact point */
} contact4;

TS_SIMD contact4 round_contacts(const ts_penalty3_task *task, const int32_t *a, const int32_t *b, const motion4 *p,
                                const motion4 *q)
{
    const ts_f64x4 half = ts_f64x4_broadcast(0.5);
    const place4 x = load_places(task->place, a), y = load_places(task->place, b);
    const vec4 d = sub(y.at, x.at);
    const ts_f64x4 distance = ts_f64x4_sqrt(dot(d, d));
    contact4 c = {.gap = distance - (x.radius + y.radius)};
    /* two centres in one place push upwards */
    const ts_i64x4 apart = ts_f64x4_less(ts_f64x4_broadcast(0), distance);
    const ts_f64x4 inverse = 1.0 / ts_f64x4_select(apart, distance, ts_f64x4_broadcast(1));
    c.normal = scale(d, inverse);
    c.normal.z = ts_f64x4_select(apart, c.normal.z, ts_f64x4_broadcast(1));
    c.length_a = x.radius + half * c.gap;
    c.length_b = y.radius + half * c.gap;
    const vec4 roll = add(scale(p->w, c.length_a), scale(q->w, c.length_b));
    c.velocity = sub(sub(q->v, p->v), cross(roll, c.normal));
    return c;
}

TS_SIMD contact4 given_contacts(const ts_batch3 *batch, int k, const motion4 *p, const motion4 *q)
{
    contact4 c = {.normal = load3(batch->normal, k),
                  .arm_a = load3(batch->arm_a, k),
                  .arm_b = load3(batch->arm_b, k),
                  .gap = ts_f64x4_load(batch->gap + k)};
    c.velocity = sub(add(q->v, cross(q->w, c.arm_b)), add(p->v, cross(p->w, c.arm_a)));
    return c;
}

/* Adds rows 0 … lanes-1 to the sums. */
TS_SIMD void scatter(ts_wrench3 *sum, const int32_t *to, int lanes, vec4 force, vec4 torque)
{
    ts_f64x4 f[4] = {force.x, force.y, force.z, ts_f64x4_broadcast(0)},
             t[4] = {torque.x, torque.y, torque.z, ts_f64x4_broadcast(0)};
    ts_f64x4_transpose(&f[0], &f[1], &f[2], &f[3]);
    ts_f64x4_transpose(&t[0], &t[1], &t[2], &t[3]);
    for (int lane = 0; lane < lanes; lane++) {
        double *w = sum[to[lane]].force, *m = sum[to[lane]].torque;
        ts_f64x4_store(w, ts_f64x4_load(w) + f[lane]);
        ts_f64x4_store(m, ts_f64x4_load(m) + t[lane]);
    }
}

/* Contacts of a batch as the law needs them. Roots and quotients wait for each other: all contacts go through them
 * first, so that they overlap, and through the law afterwards. */
typedef struct prepared {
    double normal[3][TS_BATCH3 + 4], velocity[3][TS_BATCH3 + 4], spring[3][TS_BATCH3 + 4];
    double gap[TS_BATCH3 + 4], inverse[TS_BATCH3 + 4], old_square[TS_BATCH3 + 4];
    double length_a[TS_BATCH3 + 4], length_b[TS_BATCH3 + 4];
} prepared;

TS_SIMD void prepare(const ts_penalty3_task *task, const ts_batch3 *batch, const bool round, prepared *to)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0), half = ts_f64x4_broadcast(0.5), one = ts_f64x4_broadcast(1);
    const ts_f64x4 dt = ts_f64x4_broadcast(task->time_step);
    for (int k = 0; k < batch->count; k += 4) {
        const int lanes = batch->count - k < 4 ? batch->count - k : 4;
        const int32_t *a = batch->a + k, *b = batch->b + k;
        const motion4 p = load_motions(task->motion, a), q = load_motions(task->motion, b);
        const contact4 c = round ? round_contacts(task, a, b, &p, &q) : given_contacts(batch, k, &p, &q);
        const vec4 n = c.normal;
        ts_f64x4 row[4];
        for (int lane = 0; lane < 4; lane++)
            row[lane] = ts_f64x4_load(batch->history[k + (lane < lanes ? lane : lanes - 1)].spring);
        ts_f64x4_transpose(&row[0], &row[1], &row[2], &row[3]);

        /* the spring as it lies now: turned with the bodies and laid into the tangent plane, as long as it was */
        const vec4 old = {row[0], row[1], row[2]};
        const ts_f64x4 old_square = dot(old, old), twist = half * dt * dot(add(p.w, q.w), n);
        vec4 s = add(old, scale(cross(n, old), twist));
        s = sub(s, scale(n, dot(s, n)));
        const ts_f64x4 square = dot(s, s);
        const ts_i64x4 stretched = ts_f64x4_less(zero, square);
        const ts_f64x4 stretch = ts_f64x4_sqrt(old_square / ts_f64x4_select(stretched, square, one));
        s = scale(s, ts_f64x4_select(stretched, stretch, zero));

        const ts_f64x4 inverse = p.inv_mass + q.inv_mass;
        store3(to->normal, k, n);
        store3(to->velocity, k, c.velocity);
        store3(to->spring, k, s);
        ts_f64x4_store(to->gap + k, c.gap);
        ts_f64x4_store(to->old_square + k, old_square);
        ts_f64x4_store(to->inverse + k, inverse);
        if (round) {
            ts_f64x4_store(to->length_a + k, c.length_a);
            ts_f64x4_store(to->length_b + k, c.length_b);
        }
    }
}

/* Springs of the first `lanes` contacts; what else a row holds stays. */
TS_SIMD void put_springs(ts_history3 *to, int lanes, vec4 s)
{
    ts_f64x4 row[4] = {s.x, s.y, s.z, ts_f64x4_broadcast(0)};
    ts_f64x4_transpose(&row[0], &row[1], &row[2], &row[3]);
    for (int lane = 0; lane < lanes; lane++) {
        const int32_t pair = to[lane].pair;
        const uint32_t feature = to[lane].feature;
        ts_f64x4_store(to[lane].spring, row[lane]);
        to[lane].pair = pair;
        to[lane].feature = feature;
    }
}

TS_SIMD double apply_kind(const ts_penalty3_task *task, ts_batch3 *batch, const bool round)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0), half = ts_f64x4_broadcast(0.5), one = ts_f64x4_broadcast(1);
    const ts_f64x4 dt = ts_f64x4_broadcast(task->time_step);
    const bool one_law = task->material_count == 1;
    const bool damped = !one_law || is_damped(task->law);
    law4 law = same_law(task->law);
    ts_f64x4 lost_normal = zero, lost_tangential = zero, lost_friction = zero, deepest = zero;
    prepared with;
    prepare(task, batch, round, &with);

    for (int k = 0; k < batch->count; k += 4) {
        const int lanes = batch->count - k < 4 ? batch->count - k : 4;
        const int32_t *a = batch->a + k, *b = batch->b + k;
        if (!one_law)
            law = load_laws(task->law, task->material_count, task->material, a, task->material, b);
        const vec4 n = load3(with.normal, k), velocity = load3(with.velocity, k);
        const ts_f64x4 gap = ts_f64x4_load(with.gap + k), inverse = ts_f64x4_load(with.inverse + k);
        ts_f64x4 kn = law.kn, kt = law.kt, inv_kt = law.inv_kt, cn = zero, ct = zero;
        const ts_f64x4 vn = dot(velocity, n);
        if (damped) {
            const dashpots4 c = dashpots_of_step(&law, inverse, dt);
            cn = c.cn * steps_since_touch(gap, vn, dt);
            ct = c.ct;
        }
        if (!round) {
            const ts_f64x4 weight = ts_f64x4_load(batch->weight + k), eased = weight * ts_f64x4_load(batch->ease + k);
            kn = kn * weight;
            kt = kt * weight;
            cn = cn * eased;
            ct = ct * eased;
            inv_kt = ts_f64x4_select(ts_f64x4_less(zero, kt), one / kt, zero);
        }

        const vec4 vt = sub(velocity, scale(n, vn));
        const ts_f64x4 elastic = -kn * gap;
        ts_f64x4 fn = elastic - cn * vn;
        if (!task->may_pull)
            fn = ts_f64x4_max(fn, zero);

        /* trial spring; then Coulomb's bound: stick, partial slip or full slip */
        const ts_f64x4 old_square = ts_f64x4_load(with.old_square + k);
        vec4 s = add(load3(with.spring, k), scale(vt, dt));
        const vec4 damping = scale(vt, ct);
        const vec4 pull = add(scale(s, kt), damping);
        const ts_f64x4 bound = law.friction * ts_f64x4_abs(fn), bound_square = bound * bound;
        const ts_f64x4 pull_square = dot(pull, pull), damping_square = dot(damping, damping);
        const ts_i64x4 slips = ts_f64x4_less(bound_square, pull_square);
        const ts_i64x4 slides = ts_f64x4_less(bound_square, damping_square);
        vec4 ft = pull;
        if (ts_mask_bits(slips | slides)) {
            const ts_f64x4 length = ts_f64x4_sqrt(ts_f64x4_select(slips, pull_square, one));
            const vec4 limit = scale(pull, bound / length);
            ft = choose(slips, limit, ft);
            s = choose(slips, scale(sub(limit, damping), inv_kt), s);
            const ts_f64x4 speed = ts_f64x4_sqrt(ts_f64x4_select(slides, damping_square, one));
            ft = choose(slides, scale(damping, bound / speed), ft);
            s = choose(slides, (vec4){zero, zero, zero}, s);
        }

        const vec4 force = sub(scale(n, fn), ft);
        if (task->look) {
            ts_f64x4_store(batch->gap + k, gap);
            store3(batch->normal, k, n);
            store3(batch->force, k, force);
            continue;
        }
        put_springs(batch->history + k, lanes, s);

        /* where the energy goes: penalty.h */
        const ts_f64x4 mean_rate = vn + half * dt * fn * inverse;
        const ts_f64x4 sheared = dot(ft, vt) * dt - half * kt * (dot(s, s) - old_square);
        const ts_f64x4 viscous = ts_f64x4_select(slides, zero, dot(damping, vt) * dt);
        const ts_f64x4 rubbed = ts_f64x4_select((ts_i64x4)(slips | slides), sheared - viscous, zero);
        lost_normal = lost_normal + first_lanes((elastic - fn) * mean_rate * dt, lanes);
        lost_tangential = lost_tangential + first_lanes(viscous, lanes);
        lost_friction = lost_friction + first_lanes(rubbed, lanes);
        deepest = ts_f64x4_max(deepest, first_lanes(-gap, lanes));

        const vec4 against = {-force.x, -force.y, -force.z};
        if (round) {
            const vec4 turn = cross(n, against); /* arms are along n and -n */
            scatter(task->sum, batch->to_a + k, lanes, against, scale(turn, ts_f64x4_load(with.length_a + k)));
            scatter(task->sum, batch->to_b + k, lanes, force, scale(turn, ts_f64x4_load(with.length_b + k)));
        } else {
            scatter(task->sum, batch->to_a + k, lanes, against, cross(load3(batch->arm_a, k), against));
            scatter(task->sum, batch->to_b + k, lanes, force, cross(load3(batch->arm_b, k), force));
        }
    }
    if (task->lost) {
        task->lost[0] += ts_f64x4_sum(lost_normal);
        task->lost[1] += ts_f64x4_sum(lost_tangential);
        task->lost[2] += ts_f64x4_sum(lost_friction);
    }
    const double low = deepest[0] > deepest[1] ? deepest[0] : deepest[1],
                 high = deepest[2] > deepest[3] ? deepest[2] : deepest[3];
    return low > high ? low : high;
}

/* Lanes beyond the last contact repeat it, so that they load something that is there. */
static void pad(ts_batch3 *batch)
{
    const int last = batch->count - 1;
    for (int k = batch->count; k % 4 != 0; k++) {
        batch->a[k] = batch->a[last];
        batch->b[k] = batch->b[last];
        if (batch->round)
            continue;
        batch->gap[k] = batch->gap[last];
        batch->weight[k] = batch->weight[last];
        batch->ease[k] = batch->ease[last];
        for (int d = 0; d < 3; d++) {
            batch->normal[d][k] = batch->normal[d][last];
            batch->arm_a[d][k] = batch->arm_a[d][last];
            batch->arm_b[d][k] = batch->arm_b[d][last];
        }
    }
}

static double apply(const ts_penalty3_task *task, ts_batch3 *batch)
{
    if (batch->count == 0)
        return 0;
    pad(batch);
    return batch->round ? apply_kind(task, batch, true) : apply_kind(task, batch, false);
}

/* ---- Balls that go on ---- */

typedef struct quat4 {
    ts_f64x4 w;
    vec4 u;
} quat4;

/* p q, in the order of ts_quat_mul */
TS_SIMD quat4 times(quat4 p, quat4 q)
{
    return (quat4){p.w * q.w - p.u.x * q.u.x - p.u.y * q.u.y - p.u.z * q.u.z,
                   {p.w * q.u.x + p.u.x * q.w + p.u.y * q.u.z - p.u.z * q.u.y,
                    p.w * q.u.y - p.u.x * q.u.z + p.u.y * q.w + p.u.z * q.u.x,
                    p.w * q.u.z + p.u.x * q.u.y - p.u.y * q.u.x + p.u.z * q.w}};
}

/* cos(½ asin √s) and its inverse, to rounding for s ≤ 1e-3. */
TS_SIMD ts_f64x4 half_cosine(ts_f64x4 s)
{
    return 1.0 - s * (1.0 / 8 + s * (5.0 / 128 + s * (21.0 / 1024 + s * (429.0 / 32768 + s * (2431.0 / 262144)))));
}
TS_SIMD ts_f64x4 half_secant(ts_f64x4 s)
{
    return 1.0 + s * (1.0 / 8 + s * (7.0 / 128 + s * (33.0 / 1024 + s * (715.0 / 32768 + s * (4199.0 / 262144)))));
}

/* The turn of a ball by DMV (body/flight.h) in half a step: with z = ¼ h ω, e₀ |e| = |z|. It is the same in the world's
 * frame and in the body's. `square` is that of the sine of its angle. */
TS_SIMD quat4 ball_turn(vec4 spin, ts_f64x4 quarter, ts_f64x4 *square)
{
    const vec4 z = scale(spin, quarter);
    const ts_f64x4 s = 4.0 * dot(z, z);
    ts_f64x4 e0 = half_cosine(s), inverse = half_secant(s);
    const ts_i64x4 small = ts_f64x4_less(s, ts_f64x4_broadcast(1e-3));
    if (ts_mask_bits(small) != 15) {
        const ts_f64x4 root = ts_f64x4_sqrt(ts_f64x4_max(1.0 - s, ts_f64x4_broadcast(0)));
        const ts_f64x4 exact = ts_f64x4_sqrt(0.5 * (1.0 + root));
        e0 = ts_f64x4_select(small, e0, exact);
        inverse = ts_f64x4_select(small, inverse, 1.0 / exact);
    }
    *square = s;
    return (quat4){e0, scale(z, inverse)};
}

/* sin² of the most that half a step may turn a ball here: of 0.5 rad. */
#define TURN_MOST 0.2298488470659301

TS_SIMD ts_f64x4 ones(void)
{
    return ts_f64x4_broadcast(1);
}

/* Where balls are in the middle of a step that begins so. Lanes of `keep` alone are stored. Returns the squares of
 * their speeds. */
TS_SIMD ts_f64x4 place_ahead(const ts_advance3_task *task, size_t slot, int keep, vec4 position, vec4 velocity,
                             vec4 momentum, ts_f64x4 radius, ts_f64x4 inv_mass, ts_f64x4 inv_moment)
{
    const ts_f64x4 half = ts_f64x4_broadcast(0.5 * task->time_step), fall = 0.5 * half * half;
    const vec4 g = {ts_f64x4_broadcast(task->gravity[0]), ts_f64x4_broadcast(task->gravity[1]),
                    ts_f64x4_broadcast(task->gravity[2])};
    const vec4 x = add(position, add(scale(velocity, half), scale(g, fall))), v = velocity,
               w = scale(momentum, inv_moment);
    ts_f64x4 at[4] = {x.x, x.y, x.z, radius}, by[4] = {v.x, v.y, v.z, inv_mass}, turn[4] = {w.x, w.y, w.z, inv_moment};
    ts_f64x4_transpose(&at[0], &at[1], &at[2], &at[3]);
    ts_f64x4_transpose(&by[0], &by[1], &by[2], &by[3]);
    ts_f64x4_transpose(&turn[0], &turn[1], &turn[2], &turn[3]);
    for (int lane = 0; lane < 4; lane++) {
        if (!(keep >> lane & 1))
            continue;
        ts_f64x4_store(&task->place[slot + (size_t)lane].x, at[lane]);
        ts_f64x4_store(task->motion[slot + (size_t)lane].v, by[lane]);
        ts_f64x4_store(task->motion[slot + (size_t)lane].w, turn[lane]);
    }
    return dot(v, v);
}

/* Bodies stand in the order of their numbers, so that slots' neighbours are anywhere: asked for some slots ahead.
 * Two cache lines each. */
#define AHEAD 12
TS_SIMD void ask_for_bodies(const ts_advance3_task *task, size_t slot)
{
    for (size_t k = slot + AHEAD; k < slot + AHEAD + 4 && k < task->end; k++) {
        const char *body = (const char *)&task->body[task->body_of[k]];
        __builtin_prefetch(body);
        __builtin_prefetch(body + 64);
    }
}

/* Four slots' numbers; beyond the last one it is repeated. */
typedef struct rows4 {
    size_t slot[4];
    int lanes;
} rows4;

TS_SIMD rows4 rows_of(const ts_advance3_task *task, size_t slot)
{
    rows4 r;
    r.lanes = task->end - slot < 4 ? (int)(task->end - slot) : 4;
    for (int lane = 0; lane < 4; lane++)
        r.slot[lane] = slot + (size_t)(lane < r.lanes ? lane : r.lanes - 1);
    return r;
}

TS_SIMD void note_speeds(ts_advance3_task *task, ts_f64x4 square, ts_i64x4 which)
{
    const ts_f64x4 s = ts_f64x4_select(which, square, ts_f64x4_broadcast(0));
    for (int lane = 0; lane < 4; lane++)
        task->most = s[lane] > task->most ? s[lane] : task->most;
    task->sum += ts_f64x4_sum(s);
}

static void place(ts_advance3_task *task)
{
    task->most = task->sum = 0;
    for (size_t slot = task->begin; slot < task->end; slot += 4) {
        const rows4 r = rows_of(task, slot);
        ask_for_bodies(task, slot);
        ts_f64x4 x[4], v[4], L[4], m[4], w[4];
        for (int lane = 0; lane < 4; lane++) {
            const ts_body3 *body = &task->body[task->body_of[r.slot[lane]]];
            ts_ball_state *ball = &task->ball[r.slot[lane]];
            x[lane] = ts_f64x4_load(body->position);
            v[lane] = ts_f64x4_load(body->velocity);
            L[lane] = ts_f64x4_load(body->angular_momentum); /* and the radius */
            ts_f64x4_store(ball->attitude, ts_f64x4_load(body->attitude));
            ts_f64x4_store(ball->angular_momentum, L[lane]);
            ts_f64x4_store(ball->position, x[lane]);
            m[lane] = ts_f64x4_load(task->motion[r.slot[lane]].v);
            w[lane] = ts_f64x4_load(task->motion[r.slot[lane]].w);
        }
        ts_f64x4_transpose(&x[0], &x[1], &x[2], &x[3]);
        ts_f64x4_transpose(&v[0], &v[1], &v[2], &v[3]);
        ts_f64x4_transpose(&L[0], &L[1], &L[2], &L[3]);
        ts_f64x4_transpose(&m[0], &m[1], &m[2], &m[3]);
        ts_f64x4_transpose(&w[0], &w[1], &w[2], &w[3]);
        const ts_f64x4 inside = first_lanes(ones(), r.lanes);
        const ts_i64x4 balls = ts_f64x4_less(ts_f64x4_broadcast(0), w[3] * inside);
        const ts_f64x4 square = place_ahead(task, slot, ts_mask_bits(balls), (vec4){x[0], x[1], x[2]},
                                            (vec4){v[0], v[1], v[2]}, (vec4){L[0], L[1], L[2]}, L[3], m[3], w[3]);
        note_speeds(task, square, balls);
    }
}

static void advance(ts_advance3_task *task, uint8_t *done)
{
    const ts_f64x4 h = ts_f64x4_broadcast(task->time_step), half = 0.5 * h, quarter = 0.25 * h,
                   fall = 0.5 * half * half;
    const vec4 g = {ts_f64x4_broadcast(task->gravity[0]), ts_f64x4_broadcast(task->gravity[1]),
                    ts_f64x4_broadcast(task->gravity[2])};
    task->most = task->sum = 0;
    for (size_t slot = task->begin; slot < task->end; slot += 4) {
        const rows4 r = rows_of(task, slot);
        ts_f64x4 x[4], v[4], w[4], f[4], t[4], q[4], L[4];
        for (int lane = 0; lane < 4; lane++) {
            const ts_wrench3 *total = &task->total[r.slot[lane] - task->begin];
            x[lane] = ts_f64x4_load(&task->place[r.slot[lane]].x);
            v[lane] = ts_f64x4_load(task->motion[r.slot[lane]].v);
            w[lane] = ts_f64x4_load(task->motion[r.slot[lane]].w);
            f[lane] = ts_f64x4_load(total->force);
            t[lane] = ts_f64x4_load(total->torque);
            q[lane] = ts_f64x4_load(task->ball[r.slot[lane]].attitude);
            L[lane] = ts_f64x4_load(task->ball[r.slot[lane]].angular_momentum); /* and the radius */
        }
        ts_f64x4_transpose(&x[0], &x[1], &x[2], &x[3]);
        ts_f64x4_transpose(&v[0], &v[1], &v[2], &v[3]);
        ts_f64x4_transpose(&w[0], &w[1], &w[2], &w[3]);
        ts_f64x4_transpose(&f[0], &f[1], &f[2], &f[3]);
        ts_f64x4_transpose(&t[0], &t[1], &t[2], &t[3]);
        ts_f64x4_transpose(&q[0], &q[1], &q[2], &q[3]);
        ts_f64x4_transpose(&L[0], &L[1], &L[2], &L[3]);
        const ts_f64x4 inv_mass = v[3], inv_moment = w[3], radius = L[3];

        const vec4 fallen = add((vec4){v[0], v[1], v[2]}, scale(g, half));
        const vec4 kicked = add(fallen, scale((vec4){f[0], f[1], f[2]}, h * inv_mass));
        const vec4 position = add((vec4){x[0], x[1], x[2]}, add(scale(kicked, half), scale(g, fall)));
        const vec4 velocity = add(kicked, scale(g, half));
        const vec4 momentum = add((vec4){L[0], L[1], L[2]}, scale((vec4){t[0], t[1], t[2]}, h));
        ts_f64x4 before, after;
        const quat4 first = ball_turn((vec4){w[0], w[1], w[2]}, quarter, &before);
        const quat4 second = ball_turn(scale(momentum, inv_moment), quarter, &after);
        quat4 turned = times(second, times(first, (quat4){q[0], {q[1], q[2], q[3]}}));
        const ts_f64x4 missing = 0.5 * (1.0 - (turned.w * turned.w + dot(turned.u, turned.u)));
        turned = (quat4){turned.w + missing * turned.w, add(turned.u, scale(turned.u, missing))};

        const ts_f64x4 limit = ts_f64x4_broadcast(TURN_MOST), speed = dot(velocity, velocity);
        const ts_f64x4 inside = first_lanes(ones(), r.lanes);
        /* false for NaN, too */
        const ts_i64x4 fine = ts_f64x4_less(ts_f64x4_broadcast(0), inv_moment * inside) &
                              ts_f64x4_less_equal(before, limit) & ts_f64x4_less_equal(after, limit) &
                              ts_f64x4_less_equal(speed * (h * h), radius * radius) &
                              ts_f64x4_less(dot(position, position), ts_f64x4_broadcast(1e300));
        const int bits = ts_mask_bits(fine);
        ts_f64x4 turn[4] = {turned.w, turned.u.x, turned.u.y, turned.u.z},
                 spun[4] = {momentum.x, momentum.y, momentum.z, radius},
                 at[4] = {position.x, position.y, position.z, ts_f64x4_broadcast(0)};
        ts_f64x4_transpose(&turn[0], &turn[1], &turn[2], &turn[3]);
        ts_f64x4_transpose(&spun[0], &spun[1], &spun[2], &spun[3]);
        ts_f64x4_transpose(&at[0], &at[1], &at[2], &at[3]);
        for (int lane = 0; lane < r.lanes; lane++) {
            done[slot - task->begin + (size_t)lane] = (uint8_t)(bits >> lane & 1);
            if (!(bits >> lane & 1))
                continue;
            ts_ball_state *to = &task->ball[slot + (size_t)lane];
            ts_f64x4_store(to->attitude, turn[lane]);
            ts_f64x4_store(to->angular_momentum, spun[lane]);
            ts_f64x4_store(to->position, at[lane]);
        }
        note_speeds(task, place_ahead(task, slot, bits, position, velocity, momentum, radius, inv_mass, inv_moment),
                    fine);
    }
}

extern const ts_penalty3_kernels TS_KERNEL(ts_penalty3);
const ts_penalty3_kernels TS_KERNEL(ts_penalty3) = {find, apply, place, advance};
