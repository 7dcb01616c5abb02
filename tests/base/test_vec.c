/* SPDX-License-Identifier: MIT */
/* Rigid motions, exp ∘ log of rotations, quaternions against matrices, and definitions computed another way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/vec.h"

#define TRIALS 2000

static ts_random source = {12345, 0, 0};

static double any(double size)
{
    return ts_random_next_range(&source, -size, size);
}
static ts_vec2 any_vec2(void)
{
    return (ts_vec2){any(3), any(3)};
}
static ts_vec3 any_vec3(double size)
{
    return (ts_vec3){any(size), any(size), any(size)};
}
static ts_pose2 any_pose2(void)
{
    return (ts_pose2){any(3), any(3), any(10)};
}
static ts_quat any_quat(void)
{
    ts_random *s = &source;
    return ts_quat_unit((ts_quat){ts_random_next_normal(s), ts_random_next_normal(s), ts_random_next_normal(s),
                                  ts_random_next_normal(s)});
}
static ts_pose3 any_pose3(void)
{
    return (ts_pose3){any_vec3(3), any_quat()};
}

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g and %.17g differ by %g > %g", a, b, fabs(a - b), tolerance);
}
static void near2(ts_vec2 a, ts_vec2 b, double tolerance)
{
    near(a.x, b.x, tolerance);
    near(a.y, b.y, tolerance);
}
static void near3(ts_vec3 a, ts_vec3 b, double tolerance)
{
    near(a.x, b.x, tolerance);
    near(a.y, b.y, tolerance);
    near(a.z, b.z, tolerance);
}
/* the same rotation: q and -q are */
static void near_quat(ts_quat a, ts_quat b, double tolerance)
{
    double sign = ts_quat_dot(a, b) < 0 ? -1 : 1;
    near(a.w, sign * b.w, tolerance);
    near3((ts_vec3){a.x, a.y, a.z}, (ts_vec3){sign * b.x, sign * b.y, sign * b.z}, tolerance);
}
static void near_pose3(ts_pose3 a, ts_pose3 b, double tolerance)
{
    near3(a.position, b.position, tolerance);
    near_quat(a.quat, b.quat, tolerance);
}

static void products_follow_the_right_hand_rule(void **state)
{
    (void)state;
    ts_vec2 x = {1, 0}, y = {0, 1};
    assert_true(ts_vec2_cross(x, y) == 1);
    near2(ts_vec2_perp(x), y, 0);
    near2(ts_vec2_rotate(x, TS_PI / 2), y, 1e-15);
    near3(ts_vec3_cross((ts_vec3){1, 0, 0}, (ts_vec3){0, 1, 0}), (ts_vec3){0, 0, 1}, 0);
    near3(ts_quat_apply(ts_quat_from_axis_angle((ts_vec3){0, 0, 7}, TS_PI / 2), (ts_vec3){1, 0, 0}), (ts_vec3){0, 1, 0},
          1e-15);
    for (int i = 0; i < TRIALS; i++) {
        ts_vec2 a = any_vec2(), b = any_vec2();
        near(ts_vec2_cross(a, b), ts_vec2_dot(ts_vec2_perp(a), b), 1e-14);
        /* Lagrange: (a·b)² + (a×b)² = |a|²|b|² */
        double d = ts_vec2_dot(a, b), c = ts_vec2_cross(a, b);
        near(d * d + c * c, ts_vec2_length_squared(a) * ts_vec2_length_squared(b), 1e-12);
        ts_vec3 u = any_vec3(1), v = any_vec3(1), w = any_vec3(1);
        /* u × (v × w) = v (u·w) - w (u·v) */
        near3(ts_vec3_cross(u, ts_vec3_cross(v, w)),
              ts_vec3_sub(ts_vec3_scale(v, ts_vec3_dot(u, w)), ts_vec3_scale(w, ts_vec3_dot(u, v))), 1e-14);
        near3(ts_mat3_apply(ts_mat3_skew(u), v), ts_vec3_cross(u, v), 1e-15);
    }
}

static void unit_vectors_and_tangents_are_orthonormal(void **state)
{
    (void)state;
    assert_true(ts_vec2_length(ts_vec2_unit((ts_vec2){0, 0})) == 0);
    assert_true(ts_vec3_length(ts_vec3_unit((ts_vec3){0, 0, 0})) == 0);
    for (int i = 0; i < TRIALS; i++) {
        ts_vec3 n = ts_vec3_unit(any_vec3(1)), t1, t2;
        if (i == 0)
            n = (ts_vec3){0, 0, -1};
        ts_vec3_tangents(n, &t1, &t2);
        near(ts_vec3_length(n), 1, 1e-15);
        near(ts_vec3_length(t1), 1, 1e-14);
        near(ts_vec3_dot(n, t1), 0, 1e-14);
        near3(ts_vec3_cross(n, t1), t2, 1e-14);
    }
}

static void matrices_invert(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        ts_mat3 a;
        for (int j = 0; j < 9; j++)
            a.m[j / 3][j % 3] = any(1) + (j % 4 == 0 ? 4 : 0); /* diagonally dominant: well conditioned */
        ts_mat3 unit = ts_mat3_mul(a, ts_mat3_inverse(a));
        for (int j = 0; j < 9; j++)
            near(unit.m[j / 3][j % 3], j % 4 == 0, 1e-14);
        ts_mat3 b = ts_quat_to_matrix(any_quat());
        near(ts_mat3_det(ts_mat3_mul(a, b)), ts_mat3_det(a), 1e-12);
        ts_vec3 u = any_vec3(1), v = any_vec3(1);
        near(ts_vec3_dot(ts_mat3_apply(a, u), v), ts_vec3_dot(u, ts_mat3_apply_transposed(a, v)), 1e-13);
        near3(ts_mat3_apply(ts_mat3_transpose(a), v), ts_mat3_apply_transposed(a, v), 0);
        near3(ts_mat3_apply(ts_mat3_outer(u, v), v), ts_vec3_scale(u, ts_vec3_dot(v, v)), 1e-14);
    }
}

static void plane_motions_are_rigid(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        ts_pose2 a = any_pose2();
        ts_vec2 p = any_vec2(), q = any_vec2();
        near2(ts_pose2_apply_inverse(a, ts_pose2_apply(a, p)), p, 1e-13);
        near(ts_vec2_distance(ts_pose2_apply(a, p), ts_pose2_apply(a, q)), ts_vec2_distance(p, q), 1e-13);
    }
}

static void space_motions_are_a_group(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        ts_pose3 a = any_pose3(), b = any_pose3(), c = any_pose3();
        ts_vec3 p = any_vec3(3), q = any_vec3(3);
        near_pose3(ts_pose3_compose(ts_pose3_compose(a, b), c), ts_pose3_compose(a, ts_pose3_compose(b, c)), 1e-13);
        near_pose3(ts_pose3_compose(a, ts_pose3_identity()), a, 1e-15);
        near3(ts_pose3_apply(ts_pose3_compose(a, b), p), ts_pose3_apply(a, ts_pose3_apply(b, p)), 1e-13);
        near3(ts_pose3_apply_inverse(a, ts_pose3_apply(a, p)), p, 1e-13);
        near(ts_vec3_distance(ts_pose3_apply(a, p), ts_pose3_apply(a, q)), ts_vec3_distance(p, q), 1e-13);
        near3(ts_pose3_apply_inverse_vector(a, ts_pose3_apply_vector(a, p)), p, 1e-13);
        /* orientation is kept */
        near3(ts_pose3_apply_vector(a, ts_vec3_cross(p, q)),
              ts_vec3_cross(ts_pose3_apply_vector(a, p), ts_pose3_apply_vector(a, q)), 1e-12);
    }
}

static void quaternions_agree_with_matrices(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        ts_quat p = any_quat(), q = any_quat();
        if (i % 4 == 0) /* half turns, where the trace says nothing */
            q = ts_quat_unit((ts_quat){any(1e-9), any(1), any(1), any(1)});
        ts_mat3 a = ts_quat_to_matrix(p), b = ts_quat_to_matrix(q);
        ts_vec3 v = any_vec3(2);
        near3(ts_quat_apply(q, v), ts_mat3_apply(b, v), 1e-14);
        near3(ts_quat_apply_inverse(q, v), ts_mat3_apply_transposed(b, v), 1e-14);
        near_quat(ts_quat_from_matrix(b), q, 1e-14);
        near_quat(ts_quat_from_matrix(ts_mat3_mul(a, b)), ts_quat_mul(p, q), 1e-14);
        near(ts_mat3_det(b), 1, 1e-14);
    }
    near_quat(ts_quat_unit((ts_quat){0, 0, 0, 0}), ts_quat_identity(), 0);
}

/* Rodrigues' formula, which uses no quaternion. */
static void axis_angle_agrees_with_rodrigues(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        ts_vec3 axis = ts_vec3_unit(any_vec3(1)), v = any_vec3(1);
        double angle = any(4), c = cos(angle), s = sin(angle);
        ts_vec3 turned = ts_vec3_scale(v, c);
        turned = ts_vec3_add_scaled(turned, ts_vec3_cross(axis, v), s);
        turned = ts_vec3_add_scaled(turned, axis, ts_vec3_dot(axis, v) * (1 - c));
        near3(ts_quat_apply(ts_quat_from_axis_angle(axis, angle), v), turned, 1e-14);
    }
}

static void exp_and_log_of_rotations_are_inverse(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        double size = i % 4 == 0 ? 1.8 : i % 4 == 1 ? 0.06 : i % 4 == 2 ? 1e-5 : 1e-12;
        ts_vec3 w = any_vec3(size);
        near3(ts_quat_log(ts_quat_exp(w)), w, 1e-14);
        ts_quat q = any_quat();
        near_quat(ts_quat_exp(ts_quat_log(q)), q, 1e-14);
    }
}

static void integrating_a_constant_spin_is_exact(void **state)
{
    (void)state;
    ts_quat q = any_quat(), start = q;
    ts_vec3 w = {0.3, -2, 1.1};
    for (int i = 0; i < 1000; i++)
        q = ts_quat_integrate(q, w, 1e-3);
    near_quat(q, ts_quat_integrate(start, w, 1), 1e-13);
    near(ts_quat_dot(q, q), 1, 1e-15);
    /* the angular velocity is of the world: d/dt (q v) = w × (q v) */
    ts_vec3 v = {1, 2, 3}, before = ts_quat_apply(start, v);
    ts_vec3 after = ts_quat_apply(ts_quat_integrate(start, w, 1e-7), v);
    near3(ts_vec3_scale(ts_vec3_sub(after, before), 1e7), ts_vec3_cross(w, before), 1e-5);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(products_follow_the_right_hand_rule),
        cmocka_unit_test(unit_vectors_and_tangents_are_orthonormal),
        cmocka_unit_test(matrices_invert),
        cmocka_unit_test(plane_motions_are_rigid),
        cmocka_unit_test(space_motions_are_a_group),
        cmocka_unit_test(quaternions_agree_with_matrices),
        cmocka_unit_test(axis_angle_agrees_with_rodrigues),
        cmocka_unit_test(exp_and_log_of_rotations_are_inverse),
        cmocka_unit_test(integrating_a_constant_spin_is_exact),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
