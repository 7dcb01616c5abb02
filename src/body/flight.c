/* SPDX-License-Identifier: MIT */
#include "body/flight.h"

/* Moments that differ by less are equal: what rounding leaves of a cube's after a diagonalisation. */
#define SAME_MOMENTS 1e-14
/* How far an inertia may break its laws by rounding. */
#define LAW_SLACK 1e-10
/* A Newton step below this share of the solution leaves an error of its square, which is below rounding. */
#define NEWTON_DONE 1e-11
#define NEWTON_CAP  20
/* Parts of a step before a spin is called absurd. */
#define PARTS_MAX 2e5

/* ---- Inertia ---- */

static double part_of(ts_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static bool same(double a, double b)
{
    return fabs(a - b) <= SAME_MOMENTS * (a + b);
}

/* Fills in what follows from moments and axes. */
static ts_status finish_top(ts_inertia *top, ts_error *error)
{
    ts_vec3 m = top->moment;
    double largest = fmax(m.x, fmax(m.y, m.z)), smallest = fmin(m.x, fmin(m.y, m.z)), sum = m.x + m.y + m.z;
    if (!(smallest > 0) || !isfinite(sum))
        return ts_fail(
            error, TS_BAD_INPUT,
            "the principal moments of inertia are %g, %g and %g kg m², but must be positive; give the body a volume",
            m.x, m.y, m.z);
    if (2 * largest > sum * (1 + LAW_SLACK))
        return ts_fail(error, TS_BAD_INPUT,
                       "of the principal moments of inertia %g, %g and %g kg m² one is larger than the two others "
                       "together, which no body "
                       "has; check the inertia's order and units",
                       m.x, m.y, m.z);
    top->inv_moment = (ts_vec3){1 / m.x, 1 / m.y, 1 / m.z};
    top->share = (ts_vec3){m.x / largest, m.y / largest, m.z / largest};
    bool xy = same(m.x, m.y), yz = same(m.y, m.z), zx = same(m.z, m.x);
    top->kind = xy && yz && zx ? TS_INERTIA_BALL : xy || yz || zx ? TS_INERTIA_SYMMETRIC : TS_INERTIA_ASYMMETRIC;
    top->axis = xy ? 2 : yz ? 0 : 1;
    return TS_OK;
}

ts_status ts_inertia_of_moments(ts_vec3 moment, ts_inertia *top, ts_error *error)
{
    *top = (ts_inertia){.moment = moment, .axes = ts_quat_identity(), .aligned = true};
    return finish_top(top, error);
}

/* One rotation of Jacobi's method: makes a[p][q] zero, and keeps the product of rotations in v. */
static void rotate_out(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = copysign(1, theta) / (fabs(theta) + sqrt(1 + theta * theta)); /* an infinite theta gives 0 */
    double c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < 3; k++) {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
    }
    a[p][q] = a[q][p] = 0;
    for (int k = 0; k < 3; k++) {
        double x = v[k][p], y = v[k][q];
        v[k][p] = c * x - s * y;
        v[k][q] = s * x + c * y;
    }
}

ts_status ts_inertia_make(ts_mat3 inertia, ts_inertia *top, ts_error *error)
{
    double a[3][3], most = 0, skew = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            a[i][j] = 0.5 * (inertia.m[i][j] + inertia.m[j][i]);
            most = fmax(most, fabs(a[i][j]));
            skew = fmax(skew, fabs(inertia.m[i][j] - inertia.m[j][i]));
            if (!isfinite(a[i][j]))
                return ts_fail(error, TS_BAD_INPUT, "entry (%d, %d) of the inertia is not finite; give finite numbers",
                               i + 1, j + 1);
        }
    if (skew > LAW_SLACK * most)
        return ts_fail(error, TS_BAD_INPUT,
                       "the inertia is not symmetric: entries that should be equal differ by %g kg m²", skew);

    /* three off-diagonal entries: a few sweeps of Jacobi's method end in exact zeros, or in nothing but rounding */
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 12; sweep++)
        for (int k = 0; k < 3; k++)
            rotate_out(a, v, k == 2 ? 1 : 0, k == 0 ? 1 : 2);
    ts_mat3 axes = {{{v[0][0], v[0][1], v[0][2]}, {v[1][0], v[1][1], v[1][2]}, {v[2][0], v[2][1], v[2][2]}}};
    *top = (ts_inertia){.moment = {a[0][0], a[1][1], a[2][2]}, .axes = ts_quat_from_matrix(axes)};
    top->aligned = top->axes.x == 0 && top->axes.y == 0 && top->axes.z == 0;
    return finish_top(top, error);
}

/* The attitude of the principal frame. */
static inline ts_quat principal(const ts_inertia *top, ts_quat attitude)
{
    return top->aligned ? attitude : ts_quat_mul(attitude, top->axes);
}

ts_vec3 ts_inertia_spin(const ts_inertia *top, ts_quat attitude, ts_vec3 angular_momentum)
{
    if (top->kind == TS_INERTIA_BALL)
        return ts_vec3_scale(angular_momentum, top->inv_moment.x);
    ts_quat q = principal(top, attitude);
    return ts_quat_apply(q, ts_vec3_times(ts_quat_apply_inverse(q, angular_momentum), top->inv_moment));
}

ts_vec3 ts_inertia_momentum(const ts_inertia *top, ts_quat attitude, ts_vec3 angular_velocity)
{
    if (top->kind == TS_INERTIA_BALL)
        return ts_vec3_scale(angular_velocity, top->moment.x);
    ts_quat q = principal(top, attitude);
    return ts_quat_apply(q, ts_vec3_times(ts_quat_apply_inverse(q, angular_velocity), top->moment));
}

double ts_inertia_energy(const ts_inertia *top, ts_quat attitude, ts_vec3 angular_momentum)
{
    ts_vec3 y = ts_quat_apply_inverse(principal(top, attitude), angular_momentum);
    return 0.5 * ts_vec3_dot(y, ts_vec3_times(y, top->inv_moment));
}

ts_mat3 ts_inertia_inverse(const ts_inertia *top, ts_quat attitude)
{
    ts_mat3 r = ts_quat_to_matrix(principal(top, attitude)), inverse;
    /* symmetric to the last bit: each entry is written twice */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = r.m[i][0] * top->inv_moment.x * r.m[j][0] + r.m[i][1] * top->inv_moment.y * r.m[j][1] +
                         r.m[i][2] * top->inv_moment.z * r.m[j][2];
            inverse.m[i][j] = inverse.m[j][i] = sum;
        }
    return inverse;
}

/* ---- The equation  e₀ a∘e + e × (a∘e) = z ----
 * In principal axes, a: moments over the largest, z = ½ h y / (largest moment), e₀ = √(1 − |e|²). */

/* One step of Newton's method from *e; false where there is none: out of the unit ball, or beyond the solution's
 * end. */
static inline bool newton_step(ts_vec3 a, ts_vec3 z, ts_vec3 *e, double *moved)
{
    double e0_squared = 1 - ts_vec3_dot(*e, *e);
    if (!(e0_squared > 0))
        return false;
    double e0 = sqrt(e0_squared), x = e->x, y = e->y, w = e->z;
    double dx = a.z - a.y, dy = a.x - a.z, dz = a.y - a.x; /* e × (a∘e) = (dx·y·w, dy·w·x, dz·x·y) */
    ts_vec3 m = {a.x * x, a.y * y, a.z * w};
    ts_vec3 residual = {e0 * m.x + dx * y * w - z.x, e0 * m.y + dy * w * x - z.y, e0 * m.z + dz * x * y - z.z};
    /* the derivative times e₀, so that nothing is divided */
    ts_vec3 r0 = {e0_squared * a.x - m.x * x, e0 * dx * w - m.x * y, e0 * dx * y - m.x * w};
    ts_vec3 r1 = {e0 * dy * w - m.y * x, e0_squared * a.y - m.y * y, e0 * dy * x - m.y * w};
    ts_vec3 r2 = {e0 * dz * y - m.z * x, e0 * dz * x - m.z * y, e0_squared * a.z - m.z * w};
    ts_vec3 c0 = ts_vec3_cross(r1, r2), c1 = ts_vec3_cross(r2, r0), c2 = ts_vec3_cross(r0, r1);
    double det = ts_vec3_dot(r0, c0);
    if (!(det > 0))
        return false;
    double scale = e0 / det;
    ts_vec3 step = {(c0.x * residual.x + c1.x * residual.y + c2.x * residual.z) * scale,
                    (c0.y * residual.x + c1.y * residual.y + c2.y * residual.z) * scale,
                    (c0.z * residual.x + c1.z * residual.y + c2.z * residual.z) * scale};
    *e = ts_vec3_sub(*e, step);
    *moved = ts_vec3_length_squared(step);
    return true;
}

/* Newton's method from *e; on failure *e is lost. */
static bool newton(ts_vec3 a, ts_vec3 z, ts_vec3 *e)
{
    for (int k = 0; k < NEWTON_CAP; k++) {
        double moved;
        if (!newton_step(a, z, e, &moved))
            return false;
        double size = ts_vec3_length_squared(*e);
        if (moved <= NEWTON_DONE * NEWTON_DONE * size)
            return size < 1;
    }
    return false;
}

/* Three terms of the solution's series in z. Differences of moments over a moment are at most 1, so thin bodies are
 * as good as others. */
static ts_vec3 first_guess(ts_vec3 a, ts_vec3 z)
{
    ts_vec3 w = {z.x / a.x, z.y / a.y, z.z / a.z};
    double size = ts_vec3_length_squared(w);
    if (size > 0.1)
        return size > 0.5 ? ts_vec3_scale(w, sqrt(0.5 / size)) : w;
    ts_vec3 b = {(a.z - a.y) / a.x, (a.x - a.z) / a.y, (a.y - a.x) / a.z};
    ts_vec3 p = {b.x * w.y * w.z, b.y * w.z * w.x, b.z * w.x * w.y}; /* of order 2 */
    double half = 0.5 * size;
    return (ts_vec3){w.x - p.x + half * w.x + b.x * (w.y * p.z + w.z * p.y),
                     w.y - p.y + half * w.y + b.y * (w.z * p.x + w.x * p.z),
                     w.z - p.z + half * w.z + b.z * (w.x * p.y + w.y * p.x)};
}

/* Follows the solution from z = 0 to `until` · z, or to its end; *e is the solution there. Returns how far it came:
 * a share of z. */
static double follow(ts_vec3 a, ts_vec3 z, double until, ts_vec3 *e)
{
    ts_vec3 w = {z.x / a.x, z.y / a.y, z.z / a.z};
    double reached = 0, stride = fmin(until, 0.1 / ts_vec3_length(w));
    *e = (ts_vec3){0, 0, 0};
    for (int k = 0; k < 1000 && reached < until && stride > 1e-13 * reached; k++) {
        double next = fmin(until, reached + stride);
        ts_vec3 trial = reached > 0 ? *e : ts_vec3_scale(w, next);
        /* a jump to another solution is a long one */
        if (newton(a, ts_vec3_scale(z, next), &trial) && ts_vec3_distance(trial, *e) < 0.3) {
            reached = next;
            *e = trial;
            stride *= 1.5;
        } else {
            stride *= 0.4;
        }
    }
    return reached;
}

/* Three equal moments: |z| = e₀|e| is half the sine of the angle. */
static bool solve_ball(ts_vec3 z, ts_vec3 *e)
{
    double sine_squared = 4 * ts_vec3_length_squared(z);
    if (!(sine_squared <= 1))
        return false;
    double e0 = sqrt(0.5 * (1 + sqrt(1 - sine_squared)));
    *e = ts_vec3_scale(z, 1 / e0);
    return true;
}

/* Two equal moments p and a third one c: with u = e₀² and the third component of e known for each u, |e|² + e₀² = 1
 * is a quartic in u,
 *     (u² − u + k)(p²u² + (c − p)²k) + P u² = 0,     k = (z₃/c)²,  P = z₁² + z₂²,
 * and the solution is its largest root, reached by Newton's method from above. `axis` is that of c. */
static bool solve_symmetric(ts_vec3 a, int axis, ts_vec3 z, ts_vec3 *e)
{
    double z3 = part_of(z, axis), z1 = part_of(z, (axis + 1) % 3), z2 = part_of(z, (axis + 2) % 3);
    double c = part_of(a, axis), p = part_of(a, (axis + 1) % 3), d = c - p;
    double k = (z3 / c) * (z3 / c), across = z1 * z1 + z2 * z2, pp = p * p, ddk = d * d * k;
    double u = 1, moved = 1;
    for (int i = 0; i < NEWTON_CAP && fabs(moved) > NEWTON_DONE; i++) {
        double f = u * u - u + k, g = pp * u * u + ddk;
        double slope = (2 * u - 1) * g + 2 * pp * u * f + 2 * across * u;
        moved = (f * g + across * u * u) / slope;
        u -= moved;
        if (!(slope > 0) || !(u > 0))
            return false;
    }
    if (!(fabs(moved) <= NEWTON_DONE))
        return false;
    double e0 = sqrt(u), e3 = z3 / (c * e0), q = e0 * p, r = d * e3, over = 1 / (q * q + r * r);
    double e1 = (q * z1 - r * z2) * over, e2 = (q * z2 + r * z1) * over;
    *e = axis == 2 ? (ts_vec3){e1, e2, e3} : axis == 0 ? (ts_vec3){e3, e1, e2} : (ts_vec3){e2, e3, e1};
    return true;
}

/* The turn of one step in the principal frame. Returns the share of z that has a solution: 1, or less. */
static double solve(const ts_inertia *top, ts_vec3 z, ts_vec3 *e)
{
    if (top->kind == TS_INERTIA_BALL && solve_ball(z, e))
        return 1;
    if (top->kind == TS_INERTIA_SYMMETRIC && solve_symmetric(top->share, top->axis, z, e))
        return 1;
    *e = first_guess(top->share, z);
    if (newton(top->share, z, e))
        return 1;
    return follow(top->share, z, 1, e);
}

/* Of unit length without a bias. A quotient by the length, each of its roundings innocent, leaves quaternions that are
 * too long by 1e-16 in the mean, and a million steps then gain or lose 1e-11 of the energy; what is added here is so
 * small that its rounding is none. */
static inline ts_quat to_unit(ts_quat q)
{
    double missing = 1 - ts_quat_dot(q, q);
    if (!(fabs(missing) < 1e-8)) {
        q = ts_quat_unit(q);
        missing = 1 - ts_quat_dot(q, q);
    }
    double c = 0.5 * missing;
    return (ts_quat){q.w + c * q.w, q.x + c * q.x, q.y + c * q.y, q.z + c * q.z};
}

/* ½ h y / (largest moment), in the principal frame. By the formula that is of degree 2 in q: a length that is off by
 * rounding then makes y as much longer, which changes the pace, and does not turn it, which would change the energy. */
static inline ts_vec3 scaled_momentum(const ts_inertia *top, ts_quat q, ts_vec3 angular_momentum, double step)
{
    ts_vec3 u = {q.x, q.y, q.z}, l = angular_momentum;
    double along = q.w * q.w - ts_vec3_dot(u, u), onto = 2 * ts_vec3_dot(u, l);
    ts_vec3 y = ts_vec3_add_scaled(ts_vec3_scale(l, along), ts_vec3_cross(l, u), 2 * q.w);
    /* share · inv_moment is 1 / (largest moment) on every axis */
    return ts_vec3_scale(ts_vec3_add_scaled(y, u, onto), 0.5 * step * (top->share.x * top->inv_moment.x));
}

ts_status ts_flight_turn(const ts_inertia *top, ts_vec3 angular_momentum, double step, ts_quat *attitude,
                         ts_error *error)
{
    ts_quat q = principal(top, to_unit(*attitude));
    ts_vec3 z = scaled_momentum(top, q, angular_momentum, step), e;
    double size = ts_vec3_length_squared(z);
    if (!isfinite(size))
        return ts_fail(error, TS_DIVERGED,
                       "a body's attitude or angular momentum is not finite any more; set a smaller time_step");
    if (size == 0) {
        *attitude = to_unit(*attitude);
        return TS_OK;
    }
    double share = solve(top, z, &e);
    if (share < 1)
        return ts_fail(error, TS_DIVERGED,
                       "a body turns too far in a step of %.6g s: the longest step that its rotation has is %.6g s; "
                       "set a smaller time_step",
                       step, share * fabs(step));
    ts_quat turn = {sqrt(fmax(0, 1 - ts_vec3_length_squared(e))), e.x, e.y, e.z};
    q = ts_quat_mul(q, turn);
    *attitude = to_unit(top->aligned ? q : ts_quat_mul(q, ts_quat_conjugate(top->axes)));
    return TS_OK;
}

double ts_flight_longest_step(const ts_inertia *top, ts_quat attitude, ts_vec3 angular_momentum)
{
    /* for z with |z / share| = 1 the end is at a small multiple: half at the least */
    double unit = 2 / ts_vec3_length(ts_inertia_spin(top, attitude, angular_momentum));
    if (!isfinite(unit))
        return HUGE_VAL;
    ts_quat q = principal(top, to_unit(attitude));
    ts_vec3 e;
    return unit * follow(top->share, scaled_momentum(top, q, angular_momentum, unit), HUGE_VAL, &e);
}

double ts_flight_safe_step(const ts_inertia *top, ts_vec3 angular_momentum)
{
    double smallest = fmin(top->moment.x, fmin(top->moment.y, top->moment.z));
    return smallest / ts_vec3_length(angular_momentum);
}

double ts_flight_parts(const ts_inertia *top, ts_vec3 angular_momentum, double step)
{
    double parts = ceil(fabs(step) / (TS_FLIGHT_TURN * ts_flight_safe_step(top, angular_momentum)));
    return parts > 1 ? parts : 1;
}

/* ---- Flight ---- */

ts_status ts_flight_drift(const ts_inertia *top, ts_vec3 gravity, double step, ts_rigid *rigid, ts_error *error)
{
    ts_rigid next = *rigid;
    next.pose.position =
        ts_vec3_add_scaled(ts_vec3_add_scaled(rigid->pose.position, rigid->velocity, step), gravity, 0.5 * step * step);
    next.velocity = ts_vec3_add_scaled(rigid->velocity, gravity, step);
    if (!ts_vec3_is_finite(next.pose.position) || !ts_vec3_is_finite(next.velocity) ||
        !ts_vec3_is_finite(rigid->angular_momentum))
        return ts_fail(error, TS_DIVERGED,
                       "a body has no finite position or momentum any more; set a smaller time_step");
    double parts = ts_flight_parts(top, rigid->angular_momentum, step);
    if (!(parts <= PARTS_MAX))
        return ts_fail(error, TS_DIVERGED,
                       "a body spins so fast that it turns %.3g rad in a step of %.3g s; set a smaller time_step",
                       TS_FLIGHT_TURN * parts, step);
    for (int i = 0; i < (int)parts; i++)
        TS_TRY(ts_flight_turn(top, rigid->angular_momentum, step / parts, &next.pose.quat, error));
    *rigid = next;
    return TS_OK;
}

void ts_flight_kick(double mass, ts_vec3 impulse, ts_vec3 point, ts_rigid *rigid)
{
    ts_vec3 arm = ts_vec3_sub(point, rigid->pose.position);
    rigid->velocity = ts_vec3_add_scaled(rigid->velocity, impulse, 1 / mass);
    rigid->angular_momentum = ts_vec3_add(rigid->angular_momentum, ts_vec3_cross(arm, impulse));
}
