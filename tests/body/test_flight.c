/* SPDX-License-Identifier: MIT */
/* Free flight against the exact free top. Its momentum in the body is made of Jacobi's elliptic functions, its attitude
 * follows by one integral (Landau and Lifshitz, Mechanics, § 37); both are worked out here, from nothing but the
 * moments. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "body/flight.h"
#include "body/spring.h"
#include "support/check.h"

/* ---- Jacobi's sn, cn, dn by the arithmetic–geometric mean (Abramowitz and Stegun 16.4) ---- */

/* k² + kk² = 1; both are given, since near the separatrix one cannot be had from the other. */
static void jacobi(double u, double k, double kk, double *sn, double *cn, double *dn)
{
    double a[40] = {1}, c[40] = {k}, b = kk;
    int n = 0;
    while (n < 39 && fabs(c[n]) > 1e-17) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n);
    for (; n > 0; n--)
        phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(*cn * *cn + kk * kk * *sn * *sn);
}

/* sn(u, ½√3) by its integral: u = ∫ dφ / √(1 − k² sin² φ). */
static void elliptic_functions(void **state)
{
    (void)state;
    const double k = sqrt(0.75), phi = 1.2;
    double u = 0;
    const int n = 2000;
    for (int i = 0; i <= n; i++) {
        double s = sin(phi * i / n), weight = i == 0 || i == n ? 1 : i % 2 ? 4 : 2;
        u += weight / sqrt(1 - k * k * s * s) * (phi / n / 3);
    }
    double sn, cn, dn;
    jacobi(u, k, 0.5, &sn, &cn, &dn);
    NEAR(sn, sin(phi), 1e-13);
    NEAR(cn, cos(phi), 1e-13);
    NEAR(dn, sqrt(1 - k * k * sin(phi) * sin(phi)), 1e-13);
    jacobi(0.7, 1, 1e-9, &sn, &cn, &dn); /* k = 1, but for 5e-19 */
    NEAR(sn, tanh(0.7), 1e-14);
    NEAR(dn, 1 / cosh(0.7), 1e-14);
}

/* ---- The exact top ---- */

typedef struct exact_top {
    ts_vec3 moment; /* ascending */
    double energy, momentum;
} exact_top;

/* Momentum in the body at a time; at 0 its middle component is zero. `excess` = L² − 2E·I₂ may be given where the
 * difference would cancel. */
static ts_vec3 body_momentum(const exact_top *top, double excess, double t)
{
    double i1 = top->moment.x, i2 = top->moment.y, i3 = top->moment.z, e = top->energy, l = top->momentum;
    double above = 2 * e * i3 - l * l, below = l * l - 2 * e * i1, sn, cn, dn;
    bool swapped = excess < 0;
    double p = swapped ? below * (i3 - i2) : above * (i2 - i1), q = swapped ? above * (i2 - i1) : below * (i3 - i2);
    /* q − p = ±(L² − 2E I₂)(I₃ − I₁) */
    jacobi(t * sqrt(q / (i1 * i2 * i3)), sqrt(p / q), sqrt(fabs(excess) * (i3 - i1) / q), &sn, &cn, &dn);
    double y1 = sqrt(i1 * above / (i3 - i1)), y3 = sqrt(i3 * below / (i3 - i1));
    return swapped ? (ts_vec3){y1 * dn, sqrt(i2 * below / (i2 - i1)) * sn, y3 * cn}
                   : (ts_vec3){y1 * cn, sqrt(i2 * above / (i3 - i2)) * sn, y3 * dn};
}

static double precession_rate(const exact_top *top, double excess, double t)
{
    ts_vec3 y = body_momentum(top, excess, t);
    return top->momentum * (y.x * y.x / top->moment.x + y.y * y.y / top->moment.y) / (y.x * y.x + y.y * y.y);
}

/* Attitude with the momentum along z: turned by φ about it, tilted by θ, turned by ψ. */
static ts_quat attitude_of(ts_vec3 y, double phi)
{
    double theta = atan2(hypot(y.x, y.y), y.z), psi = atan2(y.x, y.y);
    ts_quat q = ts_quat_mul(ts_quat_exp((ts_vec3){0, 0, phi}), ts_quat_exp((ts_vec3){theta, 0, 0}));
    return ts_quat_mul(q, ts_quat_exp((ts_vec3){0, 0, psi}));
}

static ts_quat exact_attitude(const exact_top *top, double excess, double t)
{
    double phi = 0;
    const int n = 4000; /* Simpson's rule: the integrand is smooth */
    for (int i = 0; i <= n; i++)
        phi += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * precession_rate(top, excess, t * i / n) * (t / n / 3);
    return attitude_of(body_momentum(top, excess, t), phi);
}

static double angle_between(ts_quat a, ts_quat b)
{
    return ts_vec3_length(ts_quat_log(ts_quat_mul(ts_quat_conjugate(a), b)));
}

/* The error after `time` in `count` steps. */
static double error_after(const exact_top *exact, double excess, double time, int count, double *off_curve)
{
    ts_inertia top;
    OK(ts_inertia_of_moments(exact->moment, &top, ERROR));
    ts_quat q = attitude_of(body_momentum(exact, excess, 0), 0);
    ts_vec3 momentum = {0, 0, exact->momentum};
    for (int i = 0; i < count; i++)
        OK(ts_flight_turn(&top, momentum, time / count, &q, ERROR));
    *off_curve = fabs(ts_inertia_energy(&top, q, momentum) / exact->energy - 1);
    return angle_between(q, exact_attitude(exact, excess, time));
}

/* Order 2, on both sides of the separatrix, at some distance and close to it, over some periods of the precession:
 * halved steps leave a quarter. */
static void against_the_exact_top(void **state)
{
    (void)state;
    static const struct {
        ts_vec3 moment;
        double excess; /* (L² − 2E I₂) / L² */
        double time;
        int count;
    } cases[] = {
        {{1, 2, 2.5}, 0.1, 20, 400},    {{1, 2, 2.5}, -0.3, 20, 400},     {{0.2, 2, 2.1}, 0.03, 30, 800},
        {{1, 1.01, 1.9}, 0.2, 30, 600}, {{1, 2, 2.5}, 1e-6, 20, 800},     {{1, 2, 2.5}, -1e-6, 20, 800},
        {{1, 2, 3}, 0.02, 20, 800},     {{0.01, 1, 1.005}, -0.5, 3, 600},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double momentum = 2, excess = cases[i].excess * momentum * momentum;
        exact_top top = {cases[i].moment, (momentum * momentum - excess) / (2 * cases[i].moment.y), momentum};
        double last = 0, off;
        for (int n = 0; n < 4; n++) {
            double e = error_after(&top, excess, cases[i].time, cases[i].count << n, &off);
            /* the exact attitude's own curve: energy is right for steps of any length */
            if (!(off < 1e-13))
                fail_msg("case %zu: energy is off by %g", i, off);
            if (n > 1 && !(last / e > 3.8 && last / e < 4.2))
                fail_msg("case %zu: errors %g and %g with steps halved: not of order 2", i, last, e);
            last = e;
        }
        if (!(last < 0.01))
            fail_msg("case %zu: an error of %g rad is left", i, last);
    }
}

/* ---- Random bodies ---- */

static ts_vec3 random_moments(uint64_t stream)
{
    /* moments of a body are sums of two of its three second moments; some of these are next to nothing in flat and
     * thin bodies */
    double s[3];
    for (uint64_t k = 0; k < 3; k++)
        s[k] = ts_random_uniform(1, stream, k) * pow(10, floor(ts_random_range(1, stream, k + 3, -3, 1)));
    return (ts_vec3){s[1] + s[2], s[2] + s[0], s[0] + s[1]};
}

static ts_vec3 random_vector(uint64_t seed, uint64_t stream)
{
    return (ts_vec3){ts_random_normal(seed, stream, 0), ts_random_normal(seed, stream, 1),
                     ts_random_normal(seed, stream, 2)};
}

static ts_quat random_attitude(uint64_t stream)
{
    return ts_quat_exp(ts_vec3_scale(ts_vec3_unit(random_vector(2, stream)), ts_random_range(2, stream, 3, 0, TS_PI)));
}

/* The momentum of a body that turns at h·|ω| = `turn` for h = 1. */
static ts_vec3 random_momentum(const ts_inertia *top, ts_quat q, uint64_t stream, double turn)
{
    return ts_inertia_momentum(top, q, ts_vec3_scale(ts_vec3_unit(random_vector(3, stream)), turn));
}

/* Both sides of the equation, from the two attitudes alone: the momentum before and after is what the turn says, to
 * rounding. */
static void solved_to_rounding(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        ts_inertia top;
        ts_vec3 m = random_moments(i);
        if (i % 5 == 0)
            m.y = m.x = fmax(m.x, 0.5 * m.z);
        if (i % 50 == 0)
            m.z = m.x;
        OK(ts_inertia_of_moments(m, &top, ERROR));
        ts_quat q = random_attitude(i), before = q;
        double turn = 0.95 * pow(10, -3 * ts_random_uniform(4, i, 0));
        ts_vec3 momentum = random_momentum(&top, q, i, turn);
        OK(ts_flight_turn(&top, momentum, 1, &q, ERROR));
        NEAR(ts_quat_dot(q, q), 1, 1e-15);
        ts_quat t = ts_quat_mul(ts_quat_conjugate(before), q);
        assert_true(t.w > 0);
        ts_vec3 e = {t.x, t.y, t.z}, ie = ts_vec3_times(m, e), across = ts_vec3_cross(e, ie);
        ts_vec3 was = ts_vec3_scale(ts_vec3_add_scaled(across, ie, t.w), 2),
                is = ts_vec3_scale(ts_vec3_add_scaled(ts_vec3_neg(across), ie, t.w), 2);
        double scale = fmax(m.x, fmax(m.y, m.z)); /* times a unit quaternion's rounding */
        NEAR(ts_vec3_distance(was, ts_quat_apply_inverse(before, momentum)), 0, 2e-15 * scale);
        NEAR(ts_vec3_distance(is, ts_quat_apply_inverse(q, momentum)), 0, 2e-15 * scale);
    }
}

/* A step always exists up to h|ω| = 1, however the body is made, and the longest one there is begins to fail where
 * it says. */
static void longest_steps(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 3000; i++) {
        ts_inertia top;
        OK(ts_inertia_of_moments(random_moments(i), &top, ERROR));
        ts_quat q = random_attitude(i), trial = q;
        ts_vec3 momentum = random_momentum(&top, q, i, 1);
        OK(ts_flight_turn(&top, momentum, 0.9999, &trial, ERROR));
        if (i % 10)
            continue;
        double longest = ts_flight_longest_step(&top, q, momentum);
        assert_true(longest >= 1 - 1e-9);
        assert_true(ts_flight_safe_step(&top, momentum) <= 1 + 1e-12);
        trial = q;
        OK(ts_flight_turn(&top, momentum, longest * (1 - 1e-6), &trial, ERROR));
        trial = q;
        assert_int_equal(ts_flight_turn(&top, momentum, longest * (1 + 1e-6), &trial, ERROR), TS_DIVERGED);
        assert_memory_equal(&trial, &q, sizeof q);
        assert_int_equal(ts_flight_turn(&top, momentum, -longest * (1 + 1e-6), &trial, ERROR), TS_DIVERGED);
    }
    /* about a principal axis the limit is a right angle, at h|ω| = 1 */
    ts_inertia top;
    OK(ts_inertia_of_moments((ts_vec3){1, 2, 2.5}, &top, ERROR));
    ts_quat q = ts_quat_identity();
    NEAR(ts_flight_longest_step(&top, q, (ts_vec3){3, 0, 0}), 1.0 / 3, 1e-9);
    NEAR(ts_flight_longest_step(&top, q, (ts_vec3){0, 3, 0}), 2.0 / 3, 1e-9);
    NEAR(ts_flight_longest_step(&top, q, (ts_vec3){0, 0, -3}), 2.5 / 3, 1e-9);
    assert_true(ts_flight_longest_step(&top, q, (ts_vec3){0, 0, 0}) == HUGE_VAL);
    assert_int_equal(ts_flight_turn(&top, (ts_vec3){3, 0, 0}, 0.5, &q, ERROR), TS_DIVERGED);
    assert_non_null(strstr(ERROR->message, "0.333333 s"));
    OK(ts_flight_turn(&top, (ts_vec3){0, 0, 0}, 1, &q, ERROR));
    assert_true(q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0);
    assert_int_equal(ts_flight_turn(&top, (ts_vec3){0, (double)NAN, 0}, 0.5, &q, ERROR), TS_DIVERGED);
}

/* ---- Long flights ---- */

/* A million steps: energy wanders no farther than rounding does, unit quaternions stay unit, and a million steps
 * back lead home. */
static void a_million_steps(void **state)
{
    (void)state;
    static const struct {
        ts_vec3 moment;
        double turn;
    } cases[] = {{{1, 2, 2.5}, 0.1}, {{0.1, 1, 1.05}, 0.5}, {{1, 1, 1.7}, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ts_inertia top;
        OK(ts_inertia_of_moments(cases[i].moment, &top, ERROR));
        ts_quat q = random_attitude(i), home = q;
        ts_vec3 momentum = random_momentum(&top, q, i, cases[i].turn);
        double first = ts_inertia_energy(&top, q, momentum), most = 0;
        for (int k = 0; k < 1000000; k++) {
            if (ts_flight_turn(&top, momentum, 1, &q, ERROR) != TS_OK)
                fail_msg("%s", ERROR->message);
            most = fmax(most, fabs(ts_inertia_energy(&top, q, momentum) / first - 1));
        }
        NEAR(ts_quat_dot(q, q), 1, 1e-15);
        /* 10⁶ roundings of 2e-16, some four a step, in random directions: 4e-13 */
        if (!(most < 4e-13))
            fail_msg("energy has drifted by %g in case %zu", most, i);
        /* rounding of the attitude grows at most like its pace's error: with the square of the number of steps */
        q = home;
        for (int k = 0; k < 10000; k++)
            OK(ts_flight_turn(&top, momentum, 1, &q, ERROR));
        for (int k = 0; k < 10000; k++)
            OK(ts_flight_turn(&top, momentum, -1, &q, ERROR));
        NEAR(angle_between(q, home), 0, 1e-10);
    }
}

/* ---- Balls and symmetric tops ---- */

/* A ball turns evenly, by asin(h|ω|) a step. */
static void balls(void **state)
{
    (void)state;
    ts_inertia top;
    OK(ts_inertia_of_moments((ts_vec3){0.4, 0.4, 0.4}, &top, ERROR));
    assert_int_equal(top.kind, TS_INERTIA_BALL);
    ts_vec3 momentum = {0.1, -0.2, 0.15};
    ts_quat start = random_attitude(9), q = start;
    double sine = 0.5 * ts_vec3_length(momentum) / 0.4;
    for (int i = 0; i < 100; i++)
        OK(ts_flight_turn(&top, momentum, 0.5, &q, ERROR));
    NEAR(angle_between(q, ts_quat_integrate(start, ts_vec3_unit(momentum), 100 * asin(sine))), 0, 3e-14);
}

/* A symmetric top turns about its momentum at |L|/A, and about its own axis at ω₃(A − C)/A: of order 2 again,
 * whichever axis is its own. */
static void symmetric_tops(void **state)
{
    (void)state;
    const double a = 1.3, c[2] = {0.3, 2.2}, time = 10;
    for (int axis = 0; axis < 3; axis++)
        for (int kind = 0; kind < 2; kind++) {
            ts_vec3 own = {axis == 0, axis == 1, axis == 2},
                    m = ts_vec3_add_scaled((ts_vec3){a, a, a}, own, c[kind] - a);
            ts_inertia top;
            OK(ts_inertia_of_moments(m, &top, ERROR));
            assert_int_equal(top.kind, TS_INERTIA_SYMMETRIC);
            assert_int_equal(top.axis, axis);
            ts_quat start = random_attitude((uint64_t)axis);
            ts_vec3 momentum = ts_quat_apply(start, (ts_vec3){0.5, 0.4, 0.6});
            double spin = ts_vec3_dot((ts_vec3){0.5, 0.4, 0.6}, own) / c[kind], last = 0;
            ts_quat exact = ts_quat_mul(ts_quat_exp(ts_vec3_scale(momentum, time / a)), start);
            exact = ts_quat_mul(exact, ts_quat_exp(ts_vec3_scale(own, time * spin * (a - c[kind]) / a)));
            for (int n = 0; n < 4; n++) {
                ts_quat q = start;
                int count = 200 << n;
                for (int i = 0; i < count; i++)
                    OK(ts_flight_turn(&top, momentum, time / count, &q, ERROR));
                double e = angle_between(q, exact);
                if (n > 0 && !(last / e > 3.9 && last / e < 4.1))
                    fail_msg("axis %d: errors %g and %g with steps halved: not of order 2", axis, last, e);
                last = e;
            }
            assert_true(last < 1e-3); /* (h|ω|)²/6 of 20 rad */
        }
}

/* What the special cases answer, the general one does too. */
static void special_cases_agree(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 6000; i++) {
        double a = ts_random_range(5, i, 0, 0.5, 1), c = a * ts_random_range(5, i, 1, 0.001, 2);
        ts_vec3 m = i % 4 == 0   ? (ts_vec3){c, a, a}
                    : i % 4 == 1 ? (ts_vec3){a, c, a}
                    : i % 4 == 2 ? (ts_vec3){a, a, c}
                                 : (ts_vec3){a, a, a};
        ts_inertia top, general;
        OK(ts_inertia_of_moments(m, &top, ERROR));
        general = top;
        general.kind = TS_INERTIA_ASYMMETRIC;
        ts_quat q = random_attitude(i), r = q;
        double turn = pow(10, -4 * ts_random_uniform(5, i, 2)) * 0.98;
        ts_vec3 momentum = random_momentum(&top, q, i, turn);
        OK(ts_flight_turn(&top, momentum, 1, &q, ERROR));
        OK(ts_flight_turn(&general, momentum, 1, &r, ERROR));
        /* the thinner the body, the less its momentum says of its spin; near the limit the angle is an arcsine near
         * one */
        NEAR(angle_between(q, r), 0, 4e-15 * fmax(1, 1e-1 * a / c) / sqrt(1 - turn));
    }
}

/* ---- Frames and scales ---- */

/* A full inertia is the same body in other axes: it flies the same way through the world. */
static void full_inertia(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        ts_vec3 m = random_moments(i);
        if (i % 3 == 0)
            m.x = m.y = fmax(m.x, m.z);
        ts_quat axes = random_attitude(i + 1000);
        ts_mat3 turn = ts_quat_to_matrix(axes),
                full = ts_mat3_mul(ts_mat3_mul(turn, ts_mat3_diagonal(m)), ts_mat3_transpose(turn));
        ts_inertia plain, turned;
        OK(ts_inertia_of_moments(m, &plain, ERROR));
        OK(ts_inertia_make(full, &turned, ERROR));
        ts_quat q = random_attitude(i), r = ts_quat_mul(q, ts_quat_conjugate(axes));
        ts_vec3 momentum = random_momentum(&plain, q, i, 0.3);
        double thin = fmax(m.x, fmax(m.y, m.z)) / fmin(m.x, fmin(m.y, m.z));
        for (int k = 0; k < 30; k++) {
            OK(ts_flight_turn(&plain, momentum, 1, &q, ERROR));
            OK(ts_flight_turn(&turned, momentum, 1, &r, ERROR));
        }
        NEAR(angle_between(q, ts_quat_mul(r, axes)), 0, 1e-13 * thin);
        NEAR(ts_inertia_energy(&turned, r, momentum) / ts_inertia_energy(&plain, q, momentum), 1, 1e-14 * thin);
        ts_vec3 spin = ts_inertia_spin(&turned, r, momentum);
        NEAR(ts_vec3_distance(ts_inertia_momentum(&turned, r, spin), momentum) / ts_vec3_length(momentum), 0,
             1e-14 * thin);
        NEAR(ts_vec3_distance(ts_mat3_apply(ts_inertia_inverse(&turned, r), momentum), spin) / ts_vec3_length(spin), 0,
             1e-14 * thin);
    }
}

/* Mass, size and time scaled by powers of two change not a bit, from a speck of dust to a planet. */
static void scales(void **state)
{
    (void)state;
    const ts_vec3 moment[3] = {{1, 2, 2.5}, {1.2, 1.2, 2}, {1, 1, 1}};
    const int mass[4] = {0, -120, 90, 200}, clock[4] = {0, 7, -30, 40};
    for (int k = 0; k < 3; k++) {
        ts_quat first = {0};
        for (int s = 0; s < 4; s++) {
            ts_inertia top;
            OK(ts_inertia_of_moments(ts_vec3_scale(moment[k], ldexp(1, mass[s])), &top, ERROR));
            ts_vec3 momentum = ts_vec3_scale((ts_vec3){0.3, -0.2, 0.4}, ldexp(1, mass[s] - clock[s]));
            ts_quat q = random_attitude(3);
            for (int i = 0; i < 50; i++)
                OK(ts_flight_turn(&top, momentum, ldexp(0.7, clock[s]), &q, ERROR));
            if (s == 0)
                first = q;
            assert_memory_equal(&q, &first, sizeof q);
        }
    }
}

static void impossible_bodies(void **state)
{
    (void)state;
    ts_inertia top;
    assert_int_equal(ts_inertia_of_moments((ts_vec3){1, 2, 0}, &top, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_inertia_of_moments((ts_vec3){1, -2, 2}, &top, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_inertia_of_moments((ts_vec3){1, (double)NAN, 2}, &top, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_inertia_of_moments((ts_vec3){1, HUGE_VAL, HUGE_VAL}, &top, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_inertia_of_moments((ts_vec3){1, 1, 2.01}, &top, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "larger than the two others"));
    OK(ts_inertia_of_moments((ts_vec3){1, 1, 2}, &top, ERROR)); /* a flat disc */
    ts_mat3 m = {{{2, 0.5, 0}, {0.4, 2, 0}, {0, 0, 2}}};
    assert_int_equal(ts_inertia_make(m, &top, ERROR), TS_BAD_INPUT);
    m.m[1][0] = (double)NAN;
    assert_int_equal(ts_inertia_make(m, &top, ERROR), TS_BAD_INPUT);
}

/* ---- Flight ---- */

/* A thrown body: its centre on a parabola, and energy and angular momentum as they were. */
static void thrown(void **state)
{
    (void)state;
    const double mass = 0.7, h = 0.01;
    const ts_vec3 gravity = {0, 0, -9.81};
    ts_inertia top;
    OK(ts_inertia_of_moments((ts_vec3){0.001, 0.002, 0.0025}, &top, ERROR));
    ts_rigid f = {{{1, 2, 3}, random_attitude(1)}, {0.5, -1, 12}, {0.002, 0.01, -0.004}}, start = f;
    double energy = 0.5 * mass * ts_vec3_dot(f.velocity, f.velocity) + mass * 9.81 * 3 +
                    ts_inertia_energy(&top, f.pose.quat, f.angular_momentum);
    for (int i = 0; i < 300; i++)
        OK(ts_flight_drift(&top, gravity, h, &f, ERROR));
    NEAR(f.pose.position.x, 1 + 0.5 * 3, 1e-13);
    NEAR(f.pose.position.z, 3 + 12 * 3 - 0.5 * 9.81 * 9, 1e-12);
    NEAR(f.velocity.z, 12 - 9.81 * 3, 1e-12);
    assert_memory_equal(&f.angular_momentum, &start.angular_momentum, sizeof f.angular_momentum);
    double now = 0.5 * mass * ts_vec3_dot(f.velocity, f.velocity) + mass * 9.81 * f.pose.position.z +
                 ts_inertia_energy(&top, f.pose.quat, f.angular_momentum);
    NEAR(now / energy, 1, 1e-13);
    for (int i = 0; i < 300; i++)
        OK(ts_flight_drift(&top, gravity, -h, &f, ERROR));
    NEAR(ts_vec3_distance(f.pose.position, start.pose.position), 0, 1e-12);
    NEAR(angle_between(f.pose.quat, start.pose.quat), 0, 1e-12);

    /* a spin of a thousand turns a step is split; an absurd one is refused, and nothing has moved */
    f.angular_momentum = (ts_vec3){0, 0, 400};
    energy = ts_inertia_energy(&top, f.pose.quat, f.angular_momentum);
    assert_true(ts_flight_parts(&top, f.angular_momentum, h) >= 2 * 400 / 0.001 * h);
    OK(ts_flight_drift(&top, gravity, h, &f, ERROR));
    NEAR(ts_inertia_energy(&top, f.pose.quat, f.angular_momentum) / energy, 1, 1e-12);
    f.angular_momentum = (ts_vec3){0, 0, 1e9};
    start = f;
    assert_int_equal(ts_flight_drift(&top, gravity, h, &f, ERROR), TS_DIVERGED);
    f.velocity.x = start.velocity.x = HUGE_VAL;
    assert_int_equal(ts_flight_drift(&top, gravity, h, &f, ERROR), TS_DIVERGED);
    assert_memory_equal(&f, &start, sizeof f);
}

/* ---- Springs ---- */

#define BODIES 2
typedef struct coupled {
    ts_inertia top[BODIES];
    double mass[BODIES];
    ts_spring spring;
    ts_rigid body[BODIES];
} coupled;

static coupled two_on_a_spring(void)
{
    coupled c = {.mass = {1, 2}, .spring = {TS_SPRING_LINEAR, 0, 1, {0.3, 0.1, 0}, {-0.2, 0, 0.4}, 30, 0.5}};
    OK(ts_inertia_of_moments((ts_vec3){0.1, 0.15, 0.2}, &c.top[0], ERROR));
    OK(ts_inertia_of_moments((ts_vec3){0.3, 0.5, 0.45}, &c.top[1], ERROR));
    c.body[0] = (ts_rigid){{{0, 0, 0}, random_attitude(5)}, {0.2, 0.1, 0}, {0.03, 0.1, -0.05}};
    c.body[1] = (ts_rigid){{{1, 0.3, 0.2}, random_attitude(6)}, {-0.1, 0, 0.3}, {0.1, -0.1, 0.05}};
    return c;
}

static void spring_step(coupled *c, double h)
{
    for (int i = 0; i < BODIES; i++)
        OK(ts_flight_drift(&c->top[i], (ts_vec3){0, 0, 0}, 0.5 * h, &c->body[i], ERROR));
    ts_pull pull = ts_spring_pull(&c->spring, c->body[0].pose, c->body[1].pose);
    ts_flight_kick(c->mass[0], ts_vec3_scale(pull.force, h), pull.point_a, &c->body[0]);
    ts_flight_kick(c->mass[1], ts_vec3_scale(pull.force, -h), pull.point_b, &c->body[1]);
    for (int i = 0; i < BODIES; i++)
        OK(ts_flight_drift(&c->top[i], (ts_vec3){0, 0, 0}, 0.5 * h, &c->body[i], ERROR));
}

static double total_energy(const coupled *c)
{
    double sum = ts_spring_pull(&c->spring, c->body[0].pose, c->body[1].pose).energy;
    for (int i = 0; i < BODIES; i++)
        sum += 0.5 * c->mass[i] * ts_vec3_dot(c->body[i].velocity, c->body[i].velocity) +
               ts_inertia_energy(&c->top[i], c->body[i].pose.quat, c->body[i].angular_momentum);
    return sum;
}

static ts_vec3 total_angular(const coupled *c)
{
    ts_vec3 sum = {0, 0, 0};
    for (int i = 0; i < BODIES; i++) {
        sum = ts_vec3_add(sum, c->body[i].angular_momentum);
        sum = ts_vec3_add(sum, ts_vec3_cross(c->body[i].pose.position, ts_vec3_scale(c->body[i].velocity, c->mass[i])));
    }
    return sum;
}

/* Largest excursion of energy over `time`, and the slope of its mean: second half against first. */
static void energy_band(double h, double time, double *band, double *slope)
{
    coupled c = two_on_a_spring();
    double first = total_energy(&c), half[2] = {0, 0};
    int count = (int)(time / h + 0.5);
    *band = 0;
    for (int i = 0; i < count; i++) {
        spring_step(&c, h);
        double off = total_energy(&c) - first;
        *band = fmax(*band, fabs(off) / first);
        half[2 * i >= count] += off / first / (0.5 * count);
    }
    *slope = half[1] - half[0];
}

static void springs(void **state)
{
    (void)state;
    /* the force is minus the gradient of the energy */
    coupled c = two_on_a_spring();
    ts_pull pull = ts_spring_pull(&c.spring, c.body[0].pose, c.body[1].pose);
    for (int k = 0; k < 3; k++) {
        const double d = 1e-6;
        ts_vec3 way = {k == 0 ? d : 0, k == 1 ? d : 0, k == 2 ? d : 0};
        ts_pose3 plus = c.body[0].pose, minus = plus;
        plus.position = ts_vec3_add(plus.position, way);
        minus.position = ts_vec3_sub(minus.position, way);
        double slope = (ts_spring_pull(&c.spring, plus, c.body[1].pose).energy -
                        ts_spring_pull(&c.spring, minus, c.body[1].pose).energy) /
                       (2 * d);
        NEAR(ts_vec3_dot(pull.force, way) / d, -slope, 1e-7);
    }

    /* momenta are kept, and a step back undoes a step */
    ts_vec3 angular = total_angular(&c);
    ts_vec3 linear = ts_vec3_add(c.body[0].velocity, ts_vec3_scale(c.body[1].velocity, 2));
    coupled start = c;
    for (int i = 0; i < 1000; i++)
        spring_step(&c, 0.01);
    NEAR(ts_vec3_distance(total_angular(&c), angular), 0, 1e-13);
    NEAR(ts_vec3_distance(ts_vec3_add(c.body[0].velocity, ts_vec3_scale(c.body[1].velocity, 2)), linear), 0, 1e-13);
    for (int i = 0; i < 1000; i++)
        spring_step(&c, -0.01);
    for (int i = 0; i < BODIES; i++) {
        NEAR(ts_vec3_distance(c.body[i].pose.position, start.body[i].pose.position), 0, 1e-9);
        NEAR(angle_between(c.body[i].pose.quat, start.body[i].pose.quat), 0, 1e-9);
    }

    /* energy swings in a band that shrinks with h², and does not walk */
    double wide, narrow, slope;
    energy_band(0.02, 1000, &wide, &slope);
    assert_true(fabs(slope) < 0.1 * wide);
    energy_band(0.01, 1000, &narrow, &slope);
    assert_true(fabs(slope) < 0.1 * narrow);
    if (!(wide / narrow > 3.3 && wide / narrow < 4.8))
        fail_msg("energy swings by %g and %g with steps halved", wide, narrow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elliptic_functions),
        cmocka_unit_test(against_the_exact_top),
        cmocka_unit_test(solved_to_rounding),
        cmocka_unit_test(longest_steps),
        cmocka_unit_test(a_million_steps),
        cmocka_unit_test(balls),
        cmocka_unit_test(symmetric_tops),
        cmocka_unit_test(special_cases_agree),
        cmocka_unit_test(full_inertia),
        cmocka_unit_test(scales),
        cmocka_unit_test(impossible_bodies),
        cmocka_unit_test(thrown),
        cmocka_unit_test(springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
