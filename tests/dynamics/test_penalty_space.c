/* SPDX-License-Identifier: MIT */
/* The kernels of the penalty law in space: every instruction set gives the same bits, contacts follow their definition
 * written down again, and balls fly as ts_flight_drift has them. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "body/flight.h"
#include "dynamics/penalty_space.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_penalty3_kernels, ts_penalty3);

enum { FRAMES = 40, MATERIALS = 3 };

typedef struct setting {
    ts_place3 place[FRAMES];
    ts_motion6 motion[FRAMES];
    uint8_t material[FRAMES];
    ts_contact_law law[MATERIALS * MATERIALS];
    ts_batch3 batch;
    ts_history3 history[TS_BATCH3];
    ts_wrench3 sum[FRAMES];
    double lost[3];
    ts_penalty3_task task;
} setting;

static double log_range(ts_random *r, double low, double high)
{
    return low * pow(high / low, ts_random_next_uniform(r));
}

static ts_vec3 random_vector(ts_random *r, double size)
{
    return (ts_vec3){size * ts_random_next_normal(r), size * ts_random_next_normal(r), size * ts_random_next_normal(r)};
}

static void put(double to[3], ts_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static ts_vec3 get(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

/* Random balls that overlap, or contacts at random points of anything; some springs are stretched far, some dashpots
 * strong: all branches come up. */
static void make_setting(setting *s, uint64_t seed)
{
    ts_random r = ts_random_make(seed, 0);
    memset(s, 0, sizeof *s);
    ts_batch3 *b = &s->batch;
    b->count = 1 + (int)ts_random_next_below(&r, TS_BATCH3);
    b->round = seed % 2;
    b->history = s->history;
    for (int i = 0; i < FRAMES; i++) {
        const ts_vec3 x = random_vector(&r, 0.05);
        s->place[i] = (ts_place3){x.x, x.y, x.z, log_range(&r, 0.2, 0.4)};
        put(s->motion[i].v, random_vector(&r, 1));
        put(s->motion[i].w, random_vector(&r, 5));
        s->motion[i].inv_mass = i < 4 ? 0 : log_range(&r, 0.01, 100);
        s->material[i] = (uint8_t)ts_random_next_below(&r, MATERIALS);
    }
    for (int i = 0; i < MATERIALS * MATERIALS; i++) {
        const double kn = log_range(&r, 1e2, 1e5), kt = i % 4 == 3 ? 0 : kn * ts_random_next_uniform(&r);
        s->law[i] = (ts_contact_law){kn,
                                     kt,
                                     kt > 0 ? 1 / kt : 0,
                                     i % 2 ? log_range(&r, 1, 1e3) : 0,
                                     i % 3 ? log_range(&r, 1, 1e3) : 0,
                                     i % 2 ? 0 : log_range(&r, 1, 1e3),
                                     0,
                                     ts_random_next_uniform(&r)};
    }
    for (int k = 0; k < b->count; k++) {
        b->a[k] = (int32_t)ts_random_next_below(&r, FRAMES);
        b->b[k] = 4 + (int32_t)ts_random_next_below(&r, FRAMES - 4);
        if (b->a[k] == b->b[k])
            b->a[k] = 0;
        b->to_a[k] = b->a[k];
        b->to_b[k] = b->b[k];
        s->history[k] = (ts_history3){.pair = k, .feature = (uint32_t)k};
        if (k % 3)
            put(s->history[k].spring, random_vector(&r, k % 3 == 1 ? 1e-6 : 0.1));
        b->gap[k] = -log_range(&r, 1e-4, 0.05);
        b->weight[k] = ts_random_next_uniform(&r) + 0.01;
        b->ease[k] = 0.5 + 0.5 * ts_random_next_uniform(&r);
        const ts_vec3 n = ts_vec3_unit(random_vector(&r, 1)), p = random_vector(&r, 0.2), q = random_vector(&r, 0.2);
        const double *from[3] = {&n.x, &p.x, &q.x};
        for (int d = 0; d < 3; d++) {
            b->normal[d][k] = from[0][d];
            b->arm_a[d][k] = from[1][d];
            b->arm_b[d][k] = from[2][d];
        }
    }
    s->task = (ts_penalty3_task){.place = s->place,
                                 .motion = s->motion,
                                 .sum = s->sum,
                                 .material = s->material,
                                 .law = s->law,
                                 .material_count = seed % 3 ? MATERIALS : 1,
                                 .time_step = log_range(&r, 1e-6, 1e-3),
                                 .may_pull = seed % 5 == 0,
                                 .lost = s->lost};
}

/* ---- The law once more, one contact at a time ---- */

typedef struct answer {
    ts_vec3 force, spring, arm_a, arm_b;
    int branch;
} answer;

static answer define(const setting *s, int k)
{
    const ts_batch3 *b = &s->batch;
    const ts_place3 *p = &s->place[b->a[k]], *q = &s->place[b->b[k]];
    const ts_motion6 *u = &s->motion[b->a[k]], *v = &s->motion[b->b[k]];
    const size_t own =
        s->task.material_count == 1 ? 0 : s->material[b->a[k]] * (size_t)MATERIALS + s->material[b->b[k]];
    ts_contact_law law = s->law[own];
    ts_vec3 n = {b->normal[0][k], b->normal[1][k], b->normal[2][k]};
    answer a = {.arm_a = {b->arm_a[0][k], b->arm_a[1][k], b->arm_a[2][k]},
                .arm_b = {b->arm_b[0][k], b->arm_b[1][k], b->arm_b[2][k]}};
    double gap = b->gap[k], weight = b->weight[k], eased = weight * b->ease[k];
    if (b->round) {
        const ts_vec3 way = {q->x - p->x, q->y - p->y, q->z - p->z};
        gap = ts_vec3_length(way) - p->radius - q->radius;
        n = ts_vec3_unit(way);
        weight = eased = 1;
        a.arm_a = ts_vec3_scale(n, p->radius + 0.5 * gap);
        a.arm_b = ts_vec3_scale(n, -q->radius - 0.5 * gap);
    }
    const double root = sqrt(1 / (u->inv_mass + v->inv_mass)), h = s->task.time_step;
    /* the velocity is half a step old: c is smaller by 1 + ¼ c Δt/m */
    const double late = 1 + 0.25 * h * (law.cn + law.cn_mass * root) / (root * root);
    double cn = eased * (law.cn + law.cn_mass * root) / late;
    const double ct = eased * (law.ct + law.ct_mass * root) / late;
    const ts_vec3 slip = ts_vec3_sub(ts_vec3_add(get(v->v), ts_vec3_cross(get(v->w), a.arm_b)),
                                     ts_vec3_add(get(u->v), ts_vec3_cross(get(u->w), a.arm_a)));
    const double rate = ts_vec3_dot(slip, n);
    const ts_vec3 vt = ts_vec3_add_scaled(slip, n, -rate);
    /* open in the middle of the step before, the dashpot acts from the touch to the end of this one */
    const double since = rate < 0 ? gap / (rate * h) : 2;
    if (since < 1.1)
        cn *= since < 0.1 ? 6 * since : since < 1 ? 0.5 + since : 6.5 - 5 * since;
    double fn = -weight * law.kn * gap - cn * rate;
    fn = !s->task.may_pull && fn < 0 ? 0 : fn;
    /* the spring: turned about n by the mean spin, laid flat, as long as before */
    const ts_vec3 old = get(s->history[k].spring);
    const double twist = 0.5 * h * ts_vec3_dot(ts_vec3_add(get(u->w), get(v->w)), n);
    ts_vec3 flat = ts_vec3_add_scaled(old, ts_vec3_cross(n, old), twist);
    flat = ts_vec3_add_scaled(flat, n, -ts_vec3_dot(flat, n));
    if (ts_vec3_length(flat) > 0)
        flat = ts_vec3_scale(flat, ts_vec3_length(old) / ts_vec3_length(flat));
    a.spring = ts_vec3_add_scaled(flat, vt, h);
    const double kt = weight * law.kt, bound = law.friction * fabs(fn);
    ts_vec3 pull = ts_vec3_add_scaled(ts_vec3_scale(a.spring, kt), vt, ct);
    if (ct * ts_vec3_length(vt) > bound) {
        a.branch = 2;
        pull = ts_vec3_scale(ts_vec3_unit(vt), bound);
        a.spring = (ts_vec3){0, 0, 0};
    } else if (ts_vec3_length(pull) > bound) {
        a.branch = 1;
        pull = ts_vec3_scale(ts_vec3_unit(pull), bound);
        a.spring = kt > 0 ? ts_vec3_scale(ts_vec3_add_scaled(pull, vt, -ct), 1 / kt) : (ts_vec3){0, 0, 0};
    }
    a.force = ts_vec3_sub(ts_vec3_scale(n, fn), pull);
    return a;
}

static void near_vector(const double got[3], ts_vec3 want, double scale)
{
    NEAR(got[0], want.x, 1e-9 * scale);
    NEAR(got[1], want.y, 1e-9 * scale);
    NEAR(got[2], want.z, 1e-9 * scale);
}

static void contacts_follow_the_law(void **state)
{
    (void)state;
    size_t branch[3] = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        static setting s, before;
        ts_wrench3 want[FRAMES] = {0};
        double size = 0;
        make_setting(&s, seed);
        before = s;
        before.batch.history = before.history;
        ts_penalty3_table[0]->apply(&s.task, &s.batch);
        for (int k = 0; k < before.batch.count; k++) {
            const answer a = define(&before, k);
            const int32_t i = before.batch.a[k], j = before.batch.b[k];
            const ts_vec3 turn_a = ts_vec3_cross(a.arm_a, ts_vec3_neg(a.force)),
                          turn_b = ts_vec3_cross(a.arm_b, a.force);
            for (int d = 0; d < 3; d++) {
                want[i].force[d] -= (&a.force.x)[d];
                want[j].force[d] += (&a.force.x)[d];
                want[i].torque[d] += (&turn_a.x)[d];
                want[j].torque[d] += (&turn_b.x)[d];
            }
            size += ts_vec3_length(a.force);
            branch[a.branch]++;
            near_vector(s.history[k].spring, a.spring, ts_vec3_length(a.spring) + 1e-3);
            assert_true(s.history[k].pair == k && s.history[k].feature == (uint32_t)k);
        }
        for (int i = 0; i < FRAMES; i++) {
            near_vector(s.sum[i].force, get(want[i].force), size);
            near_vector(s.sum[i].torque, get(want[i].torque), size);
        }
    }
    assert_true(branch[0] > 100 && branch[1] > 100 && branch[2] > 100);
}

static void all_sets_give_the_same_bits(void **state)
{
    (void)state;
    for (int isa = 1; isa < ts_test_isa_count(); isa++)
        for (uint64_t seed = 0; seed < 100; seed++) {
            static setting one, other;
            make_setting(&one, seed);
            make_setting(&other, seed);
            const double deep = ts_penalty3_table[0]->apply(&one.task, &one.batch);
            assert_true(deep == ts_penalty3_table[isa]->apply(&other.task, &other.batch) && deep > 0);
            assert_memory_equal(one.sum, other.sum, sizeof one.sum);
            assert_memory_equal(one.history, other.history, sizeof one.history);
            assert_memory_equal(one.lost, other.lost, sizeof one.lost);
        }
}

/* ---- Which balls overlap ---- */

static void finds_what_overlaps(void **state)
{
    (void)state;
    enum { PAIRS = 203 };
    static ts_place3 place[100];
    int32_t a[PAIRS], b[PAIRS], found[PAIRS + 4];
    ts_random r = ts_random_make(5, 0);
    for (int i = 0; i < 100; i++) {
        const ts_vec3 x = random_vector(&r, 1);
        place[i] = (ts_place3){x.x, x.y, x.z, 0.9};
    }
    for (int k = 0; k < PAIRS; k++) {
        a[k] = (int32_t)ts_random_next_below(&r, 100);
        b[k] = (int32_t)ts_random_next_below(&r, 100);
    }
    for (int isa = 0; isa < ts_test_isa_count(); isa++) {
        const size_t count = ts_penalty3_table[isa]->find(place, a, b, PAIRS, found);
        size_t at = 0;
        for (int k = 0; k < PAIRS; k++) {
            const ts_place3 *p = &place[a[k]], *q = &place[b[k]];
            if (hypot(hypot(p->x - q->x, p->y - q->y), p->z - q->z) < 1.8)
                assert_int_equal(found[at++], k);
        }
        assert_true(at == count && count > 20 && count < PAIRS - 20);
    }
}

/* ---- Balls that fly ---- */

static void balls_fly_as_bodies_do(void **state)
{
    (void)state;
    enum { BALLS = 13 };
    for (int isa = 0; isa < ts_test_isa_count(); isa++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            ts_place3 place[BALLS];
            ts_motion6 motion[BALLS];
            ts_wrench3 total[BALLS] = {0};
            ts_ball_state ball[BALLS];
            ts_body3 body[BALLS] = {0};
            ts_rigid want[BALLS];
            int32_t body_of[BALLS];
            uint8_t done[BALLS + 4];
            ts_random r = ts_random_make(seed, 1);
            const double h = 1e-3, mass = 2, moment = 0.3;
            const ts_vec3 gravity = {1, -2, -9.81};
            ts_inertia top;
            OK(ts_inertia_of_moments((ts_vec3){moment, moment, moment}, &top, ERROR));
            for (int i = 0; i < BALLS; i++) {
                ts_body3 *b = &body[BALLS - 1 - i];
                body_of[i] = BALLS - 1 - i;
                const ts_quat q = ts_quat_unit((ts_quat){1, ts_random_next_normal(&r), ts_random_next_normal(&r), 0.5});
                put(b->position, random_vector(&r, 1));
                put(b->velocity, random_vector(&r, 1));
                /* slow ones by series, others by roots */
                put(b->angular_momentum, random_vector(&r, moment * (i % 2 ? 1 : 120)));
                memcpy(b->attitude, (double[4]){q.w, q.x, q.y, q.z}, sizeof b->attitude);
                b->radius = 0.1;
                b->inv_mass = 1 / mass;
                motion[i] = (ts_motion6){.inv_mass = 1 / mass, .inv_moment = i == 7 ? 0 : top.inv_moment.x};
                put(total[i].force, random_vector(&r, 100));
                put(total[i].torque, random_vector(&r, 100));
                ts_rigid *f = &want[i];
                *f = (ts_rigid){{get(b->position), q}, get(b->velocity), get(b->angular_momentum)};
                OK(ts_flight_drift(&top, gravity, 0.5 * h, f, ERROR));
                f->velocity = ts_vec3_add_scaled(f->velocity, get(total[i].force), h / mass);
                f->angular_momentum = ts_vec3_add_scaled(f->angular_momentum, get(total[i].torque), h);
                OK(ts_flight_drift(&top, gravity, 0.5 * h, f, ERROR));
            }
            ts_advance3_task task = {.place = place,
                                     .motion = motion,
                                     .ball = ball,
                                     .total = total,
                                     .body_of = body_of,
                                     .body = body,
                                     .time_step = h,
                                     .gravity = {gravity.x, gravity.y, gravity.z, 0},
                                     .end = BALLS};
            ts_penalty3_table[isa]->place(&task);
            ts_penalty3_table[isa]->advance(&task, done);
            for (int i = 0; i < BALLS; i++) {
                const ts_ball_state *b = &ball[i];
                const double *velocity = motion[i].v;
                const ts_rigid *f = &want[i];
                assert_int_equal(done[i], i != 7);
                if (!done[i])
                    continue;
                const double q[4] = {f->pose.quat.w, f->pose.quat.x, f->pose.quat.y, f->pose.quat.z};
                for (int d = 0; d < 3; d++) {
                    NEAR(b->position[d], (&f->pose.position.x)[d], 1e-14);
                    NEAR(velocity[d], (&f->velocity.x)[d], 1e-13);
                    NEAR(b->angular_momentum[d], (&f->angular_momentum.x)[d], 1e-12);
                    /* and it is placed for the next step */
                    NEAR((&place[i].x)[d], b->position[d] + 0.5 * h * velocity[d] + 0.125 * h * h * (&gravity.x)[d],
                         1e-14);
                    NEAR(motion[i].w[d], b->angular_momentum[d] / moment, 1e-9);
                }
                for (int d = 0; d < 4; d++)
                    NEAR(b->attitude[d], q[d], 1e-14);
            }
        }
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(contacts_follow_the_law),
        cmocka_unit_test(all_sets_give_the_same_bits),
        cmocka_unit_test(finds_what_overlaps),
        cmocka_unit_test(balls_fly_as_bodies_do),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
