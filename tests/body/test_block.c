/* SPDX-License-Identifier: MIT */
/* Blocks: rows, mass factors and kicks of plane and space bodies, from mechanics written out here. */
#include <math.h>

#include "support/check.h"

#include "base/random.h"
#include "body/block.h"

enum { CASES = 20 };

static double number(uint64_t stream, uint64_t i)
{
    return ts_random_normal(5, stream, i);
}

static ts_vec3 vector(uint64_t stream, uint64_t i)
{
    return (ts_vec3){number(stream, 3 * i), number(stream, 3 * i + 1), number(stream, 3 * i + 2)};
}

/* A body with any masses, somewhere; `turning` is what the state keeps. */
typedef struct sample {
    ts_block block;
    double mass;
    ts_mat3 inertia; /* world frame */
    ts_vec3 turning;
    ts_inertia top;
} sample;

static void make(const ts_block_ops *ops, uint64_t i, sample *s)
{
    *s = (sample){.mass = exp(number(1, i))};
    s->block.body = (int64_t)i;
    s->block.origin = vector(2, i);
    s->block.velocity = vector(3, i);
    s->block.spin = vector(4, i);
    if (ops == &ts_plane_block) {
        const double inertia = exp(number(6, i));
        s->block.origin.z = s->block.velocity.z = s->block.spin.x = s->block.spin.y = 0;
        s->inertia = ts_mat3_diagonal((ts_vec3){1, 1, inertia});
        s->turning = s->block.spin;
        ops->mass(&(ts_block_mass){.inv_mass = 1 / s->mass, .inv_inertia = 1 / inertia}, &s->block);
        return;
    }
    /* three kinds of tops; moments of a body obey the triangle inequality; axes of its own */
    const double a = exp(0.3 * number(7, i)), b = i % 3 == 0 ? a : exp(0.3 * number(8, i)), c = i % 3 < 2 ? a : 1.1 * a;
    const ts_vec3 moment = {b + c, a + c, a + b};
    const ts_quat axes = ts_quat_exp(vector(9, i)), attitude = ts_quat_exp(vector(10, i));
    const ts_mat3 turn = ts_quat_to_matrix(axes), world = ts_quat_to_matrix(attitude);
    const ts_mat3 local = ts_mat3_mul(ts_mat3_mul(turn, ts_mat3_diagonal(moment)), ts_mat3_transpose(turn));
    OK(ts_inertia_make(local, &s->top, ERROR));
    s->inertia = ts_mat3_mul(ts_mat3_mul(world, local), ts_mat3_transpose(world));
    s->turning = ts_mat3_apply(s->inertia, s->block.spin);
    ops->mass(&(ts_block_mass){1 / s->mass, 0, &s->top, attitude}, &s->block);
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static const ts_block_ops *const kinds[] = {&ts_plane_block, &ts_space_block};

/* ½ |w|² is the energy; w and back; a row times w is the rate at the point; a row's square is what an impulse does
 * to that rate. */
static void rows_are_rates(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (uint64_t i = 0; i < CASES; i++) {
            const ts_block_ops *ops = kinds[kind];
            sample s;
            double w[6], row[6];
            ts_vec3 point = vector(11, i), along = vector(12, i), couple = vector(13, i), v, spin;
            if (kind == 0)
                point.z = along.z = couple.x = couple.y = 0;
            make(ops, i, &s);
            ops->scale(&s.block, s.block.velocity, s.turning, w);
            const double energy = 0.5 * s.mass * ts_vec3_length_squared(s.block.velocity) +
                                  0.5 * ts_vec3_dot(s.block.spin, ts_mat3_apply(s.inertia, s.block.spin));
            NEAR(0.5 * dot(w, w, ops->dof), energy, 1e-12 * energy);
            ops->unscale(&s.block, w, &v, &spin);
            assert_true(ts_vec3_distance(v, s.block.velocity) < 1e-12 && ts_vec3_distance(spin, s.block.spin) < 1e-12);

            const ts_vec3 arm = ts_vec3_sub(point, s.block.origin),
                          at = ts_vec3_add(s.block.velocity, ts_vec3_cross(s.block.spin, arm));
            const double rate = ts_vec3_dot(along, at) + ts_vec3_dot(couple, s.block.spin);
            ops->row(&s.block, point, along, couple, -1, row);
            NEAR(dot(row, w, ops->dof), -rate, 1e-12 * (1 + fabs(rate)));
            NEAR(ts_block_rate(&s.block, point, along, couple), rate, 1e-12 * (1 + fabs(rate)));

            /* Newton and Euler: an impulse along, with its couple */
            const ts_vec3 torque = ts_vec3_add(ts_vec3_cross(arm, along), couple);
            const double own = ts_vec3_length_squared(along) / s.mass +
                               ts_vec3_dot(torque, ts_mat3_apply(ts_mat3_inverse(s.inertia), torque));
            NEAR(dot(row, row, ops->dof), own, 1e-11 * own);
        }
}

/* A kick of the momenta is the row times the impulse in w. */
static void kicks_are_rows(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (uint64_t i = 0; i < CASES; i++) {
            const ts_block_ops *ops = kinds[kind];
            sample s;
            double w[6], after[6], row[6];
            const double lambda = number(14, i);
            ts_vec3 point = vector(11, i), along = vector(12, i), couple = vector(13, i);
            if (kind == 0)
                point.z = along.z = couple.x = couple.y = 0;
            make(ops, i, &s);
            ops->scale(&s.block, s.block.velocity, s.turning, w);
            ops->row(&s.block, point, along, couple, 1, row);
            ts_vec3 velocity = s.block.velocity, turning = s.turning;
            ops->kick(&s.block, ts_vec3_scale(along, lambda), point, ts_vec3_scale(couple, lambda), &velocity,
                      &turning);
            ops->scale(&s.block, velocity, turning, after);
            for (int d = 0; d < ops->dof; d++)
                NEAR(after[d], w[d] + lambda * row[d], 1e-12 * (1 + fabs(w[d])));
        }
}

/* What cannot be moved has root 0, and a wall that slides in its own plane closes on nobody, to the last bit. */
static void walls_add_rates(void **state)
{
    (void)state;
    ts_block wall = {.body = -1, .velocity = {0.1, 0.3, 0}};
    ts_plane_block.mass(&(ts_block_mass){0}, &wall);
    assert_true(wall.root == 0);
    const double length = hypot(0.1, 0.3);
    const ts_vec3 normal = {-0.3 / length, 0.1 / length, 0}, tangent = {0.1 / length, 0.3 / length, 0};
    assert_true(ts_block_rate(&wall, (ts_vec3){7, 8, 0}, normal, (ts_vec3){0, 0, 0}) == 0);
    NEAR(ts_block_rate(&wall, (ts_vec3){7, 8, 0}, tangent, (ts_vec3){0, 0, 0}), length, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_rates),
        cmocka_unit_test(kicks_are_rows),
        cmocka_unit_test(walls_add_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
