/* SPDX-License-Identifier: MIT */
/* Contacts of closed forms: their transposed derivatives against central differences of the contacts that are found, in
 * the plane and in space, and ⟨Jx, y⟩ = ⟨x, Jᵀy⟩ along directions that move both bodies at once. */
#include <math.h>

#include "support/check.h"

#include "base/random.h"
#include "contact/place.h"
#include "contact/touch.h"

enum { CASES = 40 };

static double number(uint64_t stream, uint64_t i)
{
    return ts_random_normal(11, stream, i);
}

/* ---- The plane ---- */

typedef struct pair2 {
    int kind; /* 0: two discs, 1: half-plane, 2: circle */
    ts_frame2 a, b;
    ts_wall_frame wall;
} pair2;

/* Frames moved by x: three numbers of A, three of B. */
static ts_place2 place_at(const pair2 *pair, const double *x)
{
    pair2 p = *pair;
    p.b.x += x[3];
    p.b.y += x[4];
    p.b.angle += x[5];
    if (p.kind == 0) {
        p.a.x += x[0];
        p.a.y += x[1];
        p.a.angle += x[2];
        return ts_discs_place(&p.a, &p.b);
    }
    const double c = cos(x[2]), s = sin(x[2]), nx = p.wall.nx, ny = p.wall.ny;
    p.wall.frame.x += x[0];
    p.wall.frame.y += x[1];
    p.wall.nx = c * nx - s * ny;
    p.wall.ny = s * nx + c * ny;
    return ts_wall_place(&p.wall, &p.b);
}

static double product2(const ts_place2 *p, const ts_place2 *q)
{
    return p->gap * q->gap + p->normal[0] * q->normal[0] + p->normal[1] * q->normal[1] + p->point[0] * q->point[0] +
           p->point[1] * q->point[1];
}

static void discs_have_their_derivatives(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        pair2 pair = {.kind = (int)(i % 3)};
        const double angle = number(1, i);
        pair.a = (ts_frame2){.x = number(2, i), .y = number(3, i), .radius = 0.3};
        pair.b = (ts_frame2){.x = number(4, i), .y = number(5, i), .radius = 0.2};
        pair.wall = (ts_wall_frame){.frame = {.x = number(6, i), .y = number(7, i)},
                                    .kind = pair.kind == 1 ? TS_WALL_FLAT : TS_WALL_CIRCLE,
                                    .nx = cos(angle),
                                    .ny = sin(angle),
                                    .radius = 5};
        const ts_place2 bar = {number(8, i), {number(9, i), number(10, i)}, {number(11, i), number(12, i)}};
        ts_frame2_bar to[2] = {{0, 0, 0}, {0, 0, 0}};
        if (pair.kind == 0)
            ts_discs_place_vjp(&pair.a, &pair.b, &bar, &to[0], &to[1]);
        else
            ts_wall_place_vjp(pair.wall.kind)(&pair.wall, &pair.b, &bar, &to[0], &to[1]);
        const double adjoint[6] = {to[0].x, to[0].y, to[0].angle, to[1].x, to[1].y, to[1].angle}, step = 1e-5;
        for (int k = 0; k < 7; k++) { /* each alone, then all along one direction */
            double x[6] = {0}, y[6] = {0}, expected = 0;
            for (int d = 0; d < 6; d++) {
                const double way = k == 6 ? number(13, 6 * i + (uint64_t)d) : d == k;
                x[d] = step * way;
                y[d] = -step * way;
                expected += adjoint[d] * way;
            }
            const ts_place2 high = place_at(&pair, x), low = place_at(&pair, y);
            const double slope = (product2(&bar, &high) - product2(&bar, &low)) / (2 * step);
            NEAR(expected, slope, 1e-7 * (1 + fabs(slope)));
        }
    }
    assert_null(ts_wall_place_vjp(TS_WALL_POLYLINE));
    assert_null(ts_wall_place_vjp(TS_WALL_OUTLINE));
}

/* The scalar forms are those of the kernels. */
static void places_are_the_kernels(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        const ts_frame2 part[2] = {{.x = 0.2 * number(2, i), .y = 0.2 * number(3, i), .radius = 0.8},
                                   {.x = 0.2 * number(4, i), .y = 0.2 * number(5, i) + 0.3, .radius = 0.7}};
        const ts_wall_frame wall = {.kind = i % 2 ? TS_WALL_CIRCLE : TS_WALL_FLAT, .ny = 1, .radius = 0.9};
        ts_contact_batch batch = {0};
        const ts_place2 pair = ts_discs_place(&part[0], &part[1]), held = ts_wall_place(&wall, &part[1]);
        ts_analytic_choose()->discs(part, &(ts_candidate){0, 1}, 1, 0, &(double){0}, &batch);
        assert_int_equal(batch.count, 1);
        NEAR(batch.gap[0], pair.gap, 1e-15);
        NEAR(batch.nx[0], pair.normal[0], 1e-15);
        NEAR(0.5 * (part[0].x + batch.ax[0] + part[1].x + batch.bx[0]), pair.point[0], 1e-15);
        ts_analytic_choose()->walls(&wall, part, &(ts_candidate){0, 1}, 1, 0, &(double){0}, &batch);
        if (batch.count == 1) {
            NEAR(batch.gap[0], held.gap, 1e-15);
            NEAR(batch.ny[0], held.normal[1], 1e-15);
        }
    }
}

/* ---- Space ---- */

static ts_pose3 moved(ts_pose3 pose, const double *x)
{
    pose.position = ts_vec3_add(pose.position, (ts_vec3){x[0], x[1], x[2]});
    pose.quat = ts_quat_unit(ts_quat_mul(ts_quat_exp((ts_vec3){x[3], x[4], x[5]}), pose.quat));
    return pose;
}

static ts_touch touch_at(ts_placed_solid a, ts_placed_solid b, const double *x, uint32_t feature)
{
    ts_touch_array list = {0};
    a.pose = moved(a.pose, x);
    b.pose = moved(b.pose, x + 6);
    OK(ts_touch_find(a, b, 100, &list, ERROR));
    ts_touch found = {.gap = (double)NAN};
    for (size_t k = 0; k < list.count; k++)
        if (list.item[k].feature == feature)
            found = list.item[k];
    ts_array_free(&list);
    assert_true(isfinite(found.gap));
    return found;
}

static double product3(const ts_touch_bar *bar, const ts_touch *t)
{
    return bar->gap * t->gap + ts_vec3_dot(bar->normal, t->normal) + ts_vec3_dot(bar->point_a, t->point_a) +
           ts_vec3_dot(bar->point_b, t->point_b);
}

static ts_vec3 vector(uint64_t stream, uint64_t i)
{
    return (ts_vec3){number(stream, 3 * i), number(stream, 3 * i + 1), number(stream, 3 * i + 2)};
}

static void check_touch(ts_placed_solid a, ts_placed_solid b, const ts_touch *touch, uint64_t i)
{
    const ts_touch_bar bar = {number(20, i), vector(21, i), vector(22, i), vector(23, i)};
    ts_pose_bar to[2] = {0};
    assert_true(ts_touch_find_vjp(a, b, touch, &bar, &to[0], &to[1]));
    const ts_vec3 all[4] = {to[0].position, to[0].turn, to[1].position, to[1].turn};
    const double step = 1e-5;
    for (int k = 0; k < 13; k++) {
        double x[12] = {0}, y[12] = {0}, expected = 0;
        for (int d = 0; d < 12; d++) {
            const ts_vec3 v = all[d / 3];
            const double way = k == 12 ? number(24, 12 * i + (uint64_t)d) : d == k;
            x[d] = step * way;
            y[d] = -step * way;
            expected += way * (d % 3 == 0 ? v.x : d % 3 == 1 ? v.y : v.z);
        }
        const ts_touch high = touch_at(a, b, x, touch->feature), low = touch_at(a, b, y, touch->feature);
        const double slope = (product3(&bar, &high) - product3(&bar, &low)) / (2 * step);
        NEAR(expected, slope, 1e-7 * (1 + fabs(slope)));
    }
}

static void solids_have_their_derivatives(void **state)
{
    (void)state;
    const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 0.3}, plane = {.kind = TS_SOLID_PLANE},
                   box = {.kind = TS_SOLID_BOX, .half = {0.2, 0.3, 0.4}},
                   pill = {.kind = TS_SOLID_CAPSULE, .radius = 0.2, .half_length = 0.35};
    const ts_solid *const pairs[][2] = {{&ball, &ball}, {&plane, &ball}, {&ball, &plane},
                                        {&plane, &box}, {&box, &plane},  {&plane, &pill}};
    size_t seen = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        const ts_solid *const *solid = pairs[i % 6];
        const ts_placed_solid a = {solid[0], {vector(14, i), ts_quat_exp(vector(15, i))}},
                              b = {solid[1], {vector(16, i), ts_quat_exp(vector(17, i))}};
        ts_touch_array list = {0};
        OK(ts_touch_find(a, b, 100, &list, ERROR));
        assert_true(list.count > 0);
        for (size_t k = 0; k < list.count; k++, seen++)
            check_touch(a, b, &list.item[k], i);
        ts_array_free(&list);
    }
    assert_true(seen > CASES);
    assert_false(ts_touch_smooth(TS_SOLID_BOX, TS_SOLID_BOX));
    assert_false(ts_touch_smooth(TS_SOLID_SPHERE, TS_SOLID_BOX));
    assert_false(
        ts_touch_find_vjp((ts_placed_solid){.solid = &box}, (ts_placed_solid){.solid = &box}, NULL, NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_have_their_derivatives),
        cmocka_unit_test(places_are_the_kernels),
        cmocka_unit_test(solids_have_their_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
