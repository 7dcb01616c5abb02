/* SPDX-License-Identifier: MIT */
/* Vectors, matrices, rotations and rigid motions of the plane and of space.
 *
 * A pose maps body coordinates to world coordinates: world = R·body + t. Poses compose like the functions they are,
 * (a∘b)(p) = a(b(p)). Angles are radians, counter-clockwise; the 2D cross product is the z component of the 3D one;
 * `perp` turns by +90°, so that ω × r = ω·perp(r). The angle of a ts_pose2 is not wrapped: a drum that has turned three
 * times keeps its count. Quaternions are w + xi + yj + zk, of unit length where they mean a rotation, with q and -q the
 * same one. Matrices are row-major. Everything is by value and in double precision. */
#pragma once

#include <math.h>
#include <stdbool.h>

#define TS_PI 3.14159265358979323846

typedef struct ts_vec2 {
    double x, y;
} ts_vec2;
typedef struct ts_vec3 {
    double x, y, z;
} ts_vec3;
typedef struct ts_mat3 {
    double m[3][3]; /* row, column */
} ts_mat3;
/* A rotation of the plane with its trigonometry paid for: (cos, sin) of the angle. */
typedef struct ts_rot2 {
    double c, s;
} ts_rot2;
typedef struct ts_quat {
    double w, x, y, z;
} ts_quat;
typedef struct ts_pose2 {
    double x, y;  /* position of the body's origin, world frame [m] */
    double angle; /* from world x axis to body x axis, not wrapped [rad] */
} ts_pose2;
typedef struct ts_pose3 {
    ts_vec3 position; /* of the body's origin, world frame [m] */
    ts_quat quat;     /* turns body vectors into world vectors */
} ts_pose3;
typedef struct ts_twist3 {
    ts_vec3 linear, angular;
} ts_twist3;

/* ---- Vectors of the plane ---- */

static inline ts_vec2 ts_vec2_add(ts_vec2 a, ts_vec2 b)
{
    return (ts_vec2){a.x + b.x, a.y + b.y};
}
static inline ts_vec2 ts_vec2_sub(ts_vec2 a, ts_vec2 b)
{
    return (ts_vec2){a.x - b.x, a.y - b.y};
}
static inline ts_vec2 ts_vec2_neg(ts_vec2 a)
{
    return (ts_vec2){-a.x, -a.y};
}
static inline ts_vec2 ts_vec2_scale(ts_vec2 a, double s)
{
    return (ts_vec2){a.x * s, a.y * s};
}
/* a + s·b */
static inline ts_vec2 ts_vec2_add_scaled(ts_vec2 a, ts_vec2 b, double s)
{
    return (ts_vec2){a.x + s * b.x, a.y + s * b.y};
}
/* (1-t)·a + t·b, exact at both ends */
static inline ts_vec2 ts_vec2_lerp(ts_vec2 a, ts_vec2 b, double t)
{
    return (ts_vec2){(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y};
}
static inline double ts_vec2_dot(ts_vec2 a, ts_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}
/* z of a × b: positive when b lies counter-clockwise of a */
static inline double ts_vec2_cross(ts_vec2 a, ts_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}
/* turned by +90° */
static inline ts_vec2 ts_vec2_perp(ts_vec2 a)
{
    return (ts_vec2){-a.y, a.x};
}
static inline double ts_vec2_length_squared(ts_vec2 a)
{
    return a.x * a.x + a.y * a.y;
}
static inline double ts_vec2_length(ts_vec2 a)
{
    return sqrt(ts_vec2_length_squared(a));
}
static inline double ts_vec2_distance(ts_vec2 a, ts_vec2 b)
{
    return ts_vec2_length(ts_vec2_sub(a, b));
}
/* of unit length; zero stays zero */
static inline ts_vec2 ts_vec2_unit(ts_vec2 a)
{
    double length = ts_vec2_length(a);
    return length > 0 ? ts_vec2_scale(a, 1 / length) : (ts_vec2){0, 0};
}
static inline ts_vec2 ts_vec2_min(ts_vec2 a, ts_vec2 b)
{
    return (ts_vec2){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y};
}
static inline ts_vec2 ts_vec2_max(ts_vec2 a, ts_vec2 b)
{
    return (ts_vec2){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y};
}
static inline bool ts_vec2_is_finite(ts_vec2 a)
{
    return isfinite(a.x) && isfinite(a.y);
}

/* ---- Vectors of space ---- */

static inline ts_vec3 ts_vec3_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}
static inline ts_vec3 ts_vec3_add(ts_vec3 a, ts_vec3 b)
{
    return (ts_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline ts_vec3 ts_vec3_sub(ts_vec3 a, ts_vec3 b)
{
    return (ts_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline ts_vec3 ts_vec3_neg(ts_vec3 a)
{
    return (ts_vec3){-a.x, -a.y, -a.z};
}
static inline ts_vec3 ts_vec3_scale(ts_vec3 a, double s)
{
    return (ts_vec3){a.x * s, a.y * s, a.z * s};
}
/* a + s·b */
static inline ts_vec3 ts_vec3_add_scaled(ts_vec3 a, ts_vec3 b, double s)
{
    return (ts_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline ts_vec3 ts_vec3_lerp(ts_vec3 a, ts_vec3 b, double t)
{
    return (ts_vec3){(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y, (1 - t) * a.z + t * b.z};
}
static inline double ts_vec3_dot(ts_vec3 a, ts_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline ts_vec3 ts_vec3_cross(ts_vec3 a, ts_vec3 b)
{
    return (ts_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double ts_vec3_length_squared(ts_vec3 a)
{
    return ts_vec3_dot(a, a);
}
static inline double ts_vec3_length(ts_vec3 a)
{
    return sqrt(ts_vec3_dot(a, a));
}
static inline double ts_vec3_distance(ts_vec3 a, ts_vec3 b)
{
    return ts_vec3_length(ts_vec3_sub(a, b));
}
/* of unit length; zero stays zero */
static inline ts_vec3 ts_vec3_unit(ts_vec3 a)
{
    double length = ts_vec3_length(a);
    return length > 0 ? ts_vec3_scale(a, 1 / length) : (ts_vec3){0, 0, 0};
}
/* component-wise product */
static inline ts_vec3 ts_vec3_times(ts_vec3 a, ts_vec3 b)
{
    return (ts_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline ts_vec3 ts_vec3_min(ts_vec3 a, ts_vec3 b)
{
    return (ts_vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
static inline ts_vec3 ts_vec3_max(ts_vec3 a, ts_vec3 b)
{
    return (ts_vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}
static inline bool ts_vec3_is_finite(ts_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
/* Two tangents t1, t2 that make (n, t1, t2) a right-handed orthonormal frame; n is a unit vector. The branch of Duff et
 * al. (2017) keeps it continuous on each half sphere, so that contact frames do not jump from step to step. */
static inline void ts_vec3_tangents(ts_vec3 n, ts_vec3 *t1, ts_vec3 *t2)
{
    double sign = copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    *t1 = (ts_vec3){1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    *t2 = (ts_vec3){b, sign + n.y * n.y * a, -n.y};
}

/* ---- Matrices ---- */

static inline ts_mat3 ts_mat3_diagonal(ts_vec3 d)
{
    return (ts_mat3){{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}};
}
static inline ts_mat3 ts_mat3_add(ts_mat3 a, ts_mat3 b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] += b.m[i][j];
    return a;
}
static inline ts_mat3 ts_mat3_scale(ts_mat3 a, double s)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] *= s;
    return a;
}
static inline ts_mat3 ts_mat3_mul(ts_mat3 a, ts_mat3 b)
{
    ts_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}
static inline ts_vec3 ts_mat3_row(ts_mat3 a, int i)
{
    return (ts_vec3){a.m[i][0], a.m[i][1], a.m[i][2]};
}
static inline ts_vec3 ts_mat3_column(ts_mat3 a, int j)
{
    return (ts_vec3){a.m[0][j], a.m[1][j], a.m[2][j]};
}
static inline ts_vec3 ts_mat3_apply(ts_mat3 a, ts_vec3 v)
{
    return (ts_vec3){a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                     a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                     a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}
/* aᵀ·v: for a rotation, the inverse */
static inline ts_vec3 ts_mat3_apply_transposed(ts_mat3 a, ts_vec3 v)
{
    return (ts_vec3){a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
                     a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
                     a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z};
}
static inline ts_mat3 ts_mat3_transpose(ts_mat3 a)
{
    ts_mat3 t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[i][j] = a.m[j][i];
    return t;
}
/* a·bᵀ */
static inline ts_mat3 ts_mat3_outer(ts_vec3 a, ts_vec3 b)
{
    return (ts_mat3){
        {{a.x * b.x, a.x * b.y, a.x * b.z}, {a.y * b.x, a.y * b.y, a.y * b.z}, {a.z * b.x, a.z * b.y, a.z * b.z}}};
}
/* [a]×, so that [a]×·v = a × v */
static inline ts_mat3 ts_mat3_skew(ts_vec3 a)
{
    return (ts_mat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}
static inline double ts_mat3_det(ts_mat3 a)
{
    return ts_vec3_dot(ts_mat3_row(a, 0), ts_vec3_cross(ts_mat3_row(a, 1), ts_mat3_row(a, 2)));
}
/* The inverse by cofactors; a singular matrix gives infinities or NaN, which the caller must expect. */
static inline ts_mat3 ts_mat3_inverse(ts_mat3 a)
{
    ts_vec3 r0 = ts_mat3_row(a, 0), r1 = ts_mat3_row(a, 1), r2 = ts_mat3_row(a, 2);
    ts_vec3 c0 = ts_vec3_cross(r1, r2), c1 = ts_vec3_cross(r2, r0), c2 = ts_vec3_cross(r0, r1);
    double r = 1 / ts_vec3_dot(r0, c0);
    return (ts_mat3){{{c0.x * r, c1.x * r, c2.x * r}, {c0.y * r, c1.y * r, c2.y * r}, {c0.z * r, c1.z * r, c2.z * r}}};
}

/* ---- Rotations of the plane ---- */

static inline ts_rot2 ts_rot2_from_angle(double angle)
{
    return (ts_rot2){cos(angle), sin(angle)};
}
static inline ts_vec2 ts_rot2_apply(ts_rot2 r, ts_vec2 v)
{
    return (ts_vec2){r.c * v.x - r.s * v.y, r.s * v.x + r.c * v.y};
}
static inline ts_vec2 ts_rot2_apply_inverse(ts_rot2 r, ts_vec2 v)
{
    return (ts_vec2){r.c * v.x + r.s * v.y, r.c * v.y - r.s * v.x};
}
static inline ts_vec2 ts_vec2_rotate(ts_vec2 v, double angle)
{
    return ts_rot2_apply(ts_rot2_from_angle(angle), v);
}

/* ---- Rigid motions of the plane: SE(2) ---- */

static inline ts_vec2 ts_pose2_position(ts_pose2 a)
{
    return (ts_vec2){a.x, a.y};
}
/* body to world */
static inline ts_vec2 ts_pose2_apply(ts_pose2 a, ts_vec2 point)
{
    return ts_vec2_add(ts_vec2_rotate(point, a.angle), ts_pose2_position(a));
}
/* world to body */
static inline ts_vec2 ts_pose2_apply_inverse(ts_pose2 a, ts_vec2 point)
{
    return ts_rot2_apply_inverse(ts_rot2_from_angle(a.angle), ts_vec2_sub(point, ts_pose2_position(a)));
}

/* ---- Quaternions ---- */

static inline ts_quat ts_quat_identity(void)
{
    return (ts_quat){1, 0, 0, 0};
}
/* a∘b: first b, then a */
static inline ts_quat ts_quat_mul(ts_quat a, ts_quat b)
{
    return (ts_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
/* the inverse of a unit quaternion */
static inline ts_quat ts_quat_conjugate(ts_quat q)
{
    return (ts_quat){q.w, -q.x, -q.y, -q.z};
}
static inline double ts_quat_dot(ts_quat a, ts_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
/* of unit length; zero becomes the identity */
static inline ts_quat ts_quat_unit(ts_quat q)
{
    double length = sqrt(ts_quat_dot(q, q));
    if (!(length > 0))
        return ts_quat_identity();
    double r = 1 / length;
    return (ts_quat){q.w * r, q.x * r, q.y * r, q.z * r};
}
/* v turned by the unit quaternion q: v + 2w(u × v) + 2u × (u × v) */
static inline ts_vec3 ts_quat_apply(ts_quat q, ts_vec3 v)
{
    ts_vec3 u = {q.x, q.y, q.z}, t = ts_vec3_scale(ts_vec3_cross(u, v), 2);
    return ts_vec3_add(ts_vec3_add_scaled(v, t, q.w), ts_vec3_cross(u, t));
}
static inline ts_vec3 ts_quat_apply_inverse(ts_quat q, ts_vec3 v)
{
    return ts_quat_apply(ts_quat_conjugate(q), v);
}
static inline ts_mat3 ts_quat_to_matrix(ts_quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (ts_mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                      {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                      {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}
/* From a rotation matrix, by its largest component so that the root is never near zero (Shepperd 1978). */
static inline ts_quat ts_quat_from_matrix(ts_mat3 r)
{
    double a = r.m[0][0], b = r.m[1][1], c = r.m[2][2], trace = a + b + c;
    ts_quat q;
    if (trace >= a && trace >= b && trace >= c)
        q = (ts_quat){1 + trace, r.m[2][1] - r.m[1][2], r.m[0][2] - r.m[2][0], r.m[1][0] - r.m[0][1]};
    else if (a >= b && a >= c)
        q = (ts_quat){r.m[2][1] - r.m[1][2], 1 + a - b - c, r.m[0][1] + r.m[1][0], r.m[0][2] + r.m[2][0]};
    else if (b >= c)
        q = (ts_quat){r.m[0][2] - r.m[2][0], r.m[0][1] + r.m[1][0], 1 + b - a - c, r.m[1][2] + r.m[2][1]};
    else
        q = (ts_quat){r.m[1][0] - r.m[0][1], r.m[0][2] + r.m[2][0], r.m[1][2] + r.m[2][1], 1 + c - a - b};
    return ts_quat_unit(q);
}
/* The rotation by |w| radians about w. */
static inline ts_quat ts_quat_exp(ts_vec3 w)
{
    double angle = ts_vec3_length(w), h = 0.5 * angle;
    double s = angle > 0 ? sin(h) / angle : 0.5;
    return (ts_quat){cos(h), s * w.x, s * w.y, s * w.z};
}
/* The rotation vector, of length ≤ π, of a unit quaternion. */
static inline ts_vec3 ts_quat_log(ts_quat q)
{
    if (q.w < 0)
        q = (ts_quat){-q.w, -q.x, -q.y, -q.z};
    ts_vec3 u = {q.x, q.y, q.z};
    double s = ts_vec3_length(u);
    return ts_vec3_scale(u, s > 0 ? 2 * atan2(s, q.w) / s : 2);
}
/* about `axis` (any length but zero) by `angle` */
static inline ts_quat ts_quat_from_axis_angle(ts_vec3 axis, double angle)
{
    return ts_quat_exp(ts_vec3_scale(ts_vec3_unit(axis), angle));
}
/* Turned for `dt` at a constant world-frame angular velocity; exact, and of unit length again. */
static inline ts_quat ts_quat_integrate(ts_quat q, ts_vec3 angular_velocity, double dt)
{
    return ts_quat_unit(ts_quat_mul(ts_quat_exp(ts_vec3_scale(angular_velocity, dt)), q));
}

/* ---- Rigid motions of space: SE(3) ---- */

static inline ts_pose3 ts_pose3_identity(void)
{
    return (ts_pose3){{0, 0, 0}, {1, 0, 0, 0}};
}
/* body to world */
static inline ts_vec3 ts_pose3_apply(ts_pose3 a, ts_vec3 point)
{
    return ts_vec3_add(ts_quat_apply(a.quat, point), a.position);
}
static inline ts_vec3 ts_pose3_apply_vector(ts_pose3 a, ts_vec3 vector)
{
    return ts_quat_apply(a.quat, vector);
}
/* world to body */
static inline ts_vec3 ts_pose3_apply_inverse(ts_pose3 a, ts_vec3 point)
{
    return ts_quat_apply_inverse(a.quat, ts_vec3_sub(point, a.position));
}
static inline ts_vec3 ts_pose3_apply_inverse_vector(ts_pose3 a, ts_vec3 vector)
{
    return ts_quat_apply_inverse(a.quat, vector);
}
/* a∘b: first b, then a */
static inline ts_pose3 ts_pose3_compose(ts_pose3 a, ts_pose3 b)
{
    return (ts_pose3){ts_pose3_apply(a, b.position), ts_quat_mul(a.quat, b.quat)};
}

/* One unit of time along a constant body-frame twist: a screw motion.
 * position = (I + B[w]× + C[w]×²)·v with B = (1 - cos θ)/θ² and C = (θ - sin θ)/θ³. */
