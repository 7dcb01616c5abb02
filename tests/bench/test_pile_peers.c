/* SPDX-License-Identifier: MIT */
/* What piles in space hand to other programs is the scene they mean, and what they hand back obeys laws that need no
 * program: free fall, bounces, rest on a floor, a box that slides to a stop. Peers that are not installed are left out.
 * */
#include <math.h>
#include <stdio.h>

#include "../../bench/pile_peer.h"
#include "support/check.h"

#define G 9.81

static const ts_pile_plane floor_plane = {{0, 0, 1}, 0};
static const ts_quat upright = {1, 0, 0, 0};

/* One body over a floor. */
static ts_pile pile_of(ts_pile_kind kind, const ts_pile_body *body)
{
    return (ts_pile){.kind = kind,
                     .gravity = {0, 0, -G},
                     .time_step = 1.0 / 480,
                     .steps = 480,
                     .every = 1,
                     .plane = &floor_plane,
                     .plane_count = 1,
                     .body = body,
                     .body_count = 1};
}

static ts_pile_result run_peer(int peer, const ts_pile *pile)
{
    ts_pile_result result;
    ts_error error = {0};
    if (ts_pile_peer_run((ts_pile_peer)peer, pile, ts_pile_peer_name((ts_pile_peer)peer), &result, &error) != TS_OK)
        fail_msg("%s", error.message);
    return result;
}

/* n steps of free fall, velocities before places, end g Δt² n (n + 1) / 2 lower; the table says so, too. */
static void test_bodies_fall_freely(void **state)
{
    (void)state;
    const ts_pile_body ball = {
        {0.1, 0, 0}, 2, {{1, 2, 30}, {0.8, 0, 0.6, 0}}, {{0.5, -1, 2}, {0, 0, 3}}}; /* of spin nothing is lost */
    for (int peer = 0; peer < TS_PILE_PEER_COUNT; peer++) {
        if (!ts_pile_peer_installed((ts_pile_peer)peer))
            continue;
        ts_pile pile = pile_of(TS_PILE_SPHERES, &ball);
        pile.steps = 100;
        pile.every = 30;
        ts_pile_result result = run_peer(peer, &pile);
        double h = pile.time_step, n = pile.steps;
        NEAR(result.pose[0].position.x, 1 + 0.5 * n * h, 1e-4);
        NEAR(result.pose[0].position.y, 2 - n * h, 1e-4);
        NEAR(result.pose[0].position.z, 30 + 2 * n * h - G * h * h * n * (n + 1) / 2, 1e-4);
        NEAR(result.rate[0].linear.z, 2 - G * n * h, 1e-4);
        NEAR(result.rate[0].angular.z, 3, 1e-4);
        assert_int_equal(result.row_count, 5); /* 0, 30, 60, 90, 100 */
        const ts_pile_row *last = &result.row[4];
        ts_vec3 v = result.rate[0].linear;
        NEAR(last->time, n * h, 1e-9);
        NEAR(last->kinetic, 0.5 * 2 * (ts_vec3_dot(v, v) + 0.4 * 0.01 * 9), 1e-3);
        NEAR(last->potential, 2 * G * result.pose[0].position.z, 1e-3);
        assert_true(last->contacts == 0 && last->deepest == 0 && last->mean == 0);
        assert_true(result.seconds > 0 && result.total >= result.seconds);
        ts_pile_result_free(&result);
    }
}

/* ½ ω·I ω of a box that is turned: I = R diag(m (b² + c²) / 3, …) Rᵀ, in the first row before anything has moved. */
static void test_spin_has_its_energy(void **state)
{
    (void)state;
    const ts_quat turned = ts_quat_unit((ts_quat){0.7, -0.2, 0.5, 0.4});
    const ts_pile_body box = {{0.1, 0.2, 0.3}, 3, {{0, 0, 9}, turned}, {{0, 0, 0}, {1, -2, 5}}};
    ts_mat3 r = ts_quat_to_matrix(turned);
    const double inertia[] = {(0.04 + 0.09), (0.01 + 0.09), (0.01 + 0.04)}, spin[] = {1, -2, 5};
    double energy = 0;
    for (int k = 0; k < 3; k++) {
        double along = r.m[0][k] * spin[0] + r.m[1][k] * spin[1] + r.m[2][k] * spin[2];
        energy += 0.5 * inertia[k] * along * along; /* m / 3 = 1 */
    }
    for (int peer = 0; peer < TS_PILE_PEER_COUNT; peer++) {
        if (!ts_pile_peer_installed((ts_pile_peer)peer))
            continue;
        ts_pile pile = pile_of(TS_PILE_BOXES, &box);
        pile.gravity = (ts_vec3){0, 0, 0};
        ts_pile_result result = run_peer(peer, &pile);
        NEAR(result.row[0].kinetic, energy, 1e-12 * energy);
        for (size_t i = 1; i < result.row_count; i++)
            NEAR(result.row[i].kinetic, energy, 0.02 * energy); /* so the peer has the same inertia */
        ts_pile_result_free(&result);
    }
}

/* A ball that falls from h rises to e² h. */
static void test_a_ball_bounces(void **state)
{
    (void)state;
    const double restitution[] = {0.8, 1}, start[] = {1.1, 1.1037, 1.09};
    for (int peer = 0; peer < TS_PILE_PEER_COUNT; peer++)
        for (int k = 0; k < 6 && ts_pile_peer_installed((ts_pile_peer)peer); k++) {
            double e = restitution[k % 2], height = start[k / 2] - 0.1;
            const ts_pile_body ball = {{0.1, 0, 0}, 1, {{0, 0, start[k / 2]}, upright}, {{0, 0, 0}, {0, 0, 0}}};
            ts_pile pile = pile_of(TS_PILE_SPHERES, &ball);
            pile.restitution = e;
            ts_pile_result result = run_peer(peer, &pile);
            /* 0.45 s to the floor, and as long to the top again: within 1 s there is one bounce */
            double top = 0, deepest = 0;
            for (size_t i = 0; i < result.row_count; i++) {
                if (result.row[i].time > 0.55)
                    top = fmax(top, result.row[i].potential / G - 0.1);
                deepest = fmax(deepest, result.row[i].deepest);
            }
            NEAR(top, e * e * height, 0.03 * height);
            assert_true(deepest > 0 && deepest < 1.1 * sqrt(2 * G * height) * pile.time_step);
            ts_pile_result_free(&result);
        }
}

/* A box on the floor stays there, on four corners. */
static void test_a_box_rests(void **state)
{
    (void)state;
    const ts_pile_body box = {{0.1, 0.15, 0.2}, 2, {{0, 0, 0.21}, upright}, {{0, 0, 0}, {0, 0, 0}}};
    for (int peer = 0; peer < TS_PILE_PEER_COUNT; peer++) {
        if (!ts_pile_peer_installed((ts_pile_peer)peer))
            continue;
        ts_pile pile = pile_of(TS_PILE_BOXES, &box);
        pile.friction = 0.5;
        pile.every = 100;
        ts_pile_result result = run_peer(peer, &pile);
        const ts_pile_row *last = &result.row[result.row_count - 1];
        assert_true(last->kinetic < 1e-4 && last->deepest < 1e-3 && last->mean <= last->deepest);
        assert_true(last->contacts == 0 || last->contacts == 4 || peer == TS_PILE_BULLET); /* it keeps some apart */
        NEAR(result.pose[0].position.z, 0.2, 1e-3);
        NEAR(fabs(result.pose[0].quat.w), 1, 1e-3);
        ts_pile_result_free(&result);
    }
}

/* A box that slides stops after v² / 2 μ g. */
static void test_a_box_slides_to_a_stop(void **state)
{
    (void)state;
    const ts_pile_body box = {{0.2, 0.2, 0.05}, 2, {{0, 0, 0.05}, upright}, {{2, 0, 0}, {0, 0, 0}}};
    for (int peer = 0; peer < TS_PILE_PEER_COUNT; peer++) {
        if (!ts_pile_peer_installed((ts_pile_peer)peer))
            continue;
        ts_pile pile = pile_of(TS_PILE_BOXES, &box);
        pile.friction = 0.4;
        pile.every = 100;
        ts_pile_result result = run_peer(peer, &pile);
        double way = 4 / (2 * 0.4 * G);
        NEAR(result.pose[0].position.x, way, 0.04 * way);
        NEAR(result.pose[0].position.y, 0, 1e-2);
        assert_true(result.row[result.row_count - 1].kinetic < 1e-4);
        ts_pile_result_free(&result);
    }
}

/* Scenes that cannot be are refused by the peer, and the bench hears of it. */
static void test_nonsense_is_refused(void **state)
{
    (void)state;
    const ts_pile_body flat = {{0, 0, 0}, 1, {{0, 0, 1}, upright}, {{0, 0, 0}, {0, 0, 0}}};
    for (int peer = 0; peer < TS_PILE_PEER_COUNT; peer++) {
        ts_pile pile = pile_of(TS_PILE_SPHERES, &flat);
        ts_pile_result result;
        ts_status status = ts_pile_peer_run((ts_pile_peer)peer, &pile, "nonsense", &result, NULL);
        assert_int_equal(status, ts_pile_peer_installed((ts_pile_peer)peer) ? TS_IO : TS_UNSUPPORTED);
        assert_true(!result.row && !result.pose && !result.rate);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_fall_freely),     cmocka_unit_test(test_spin_has_its_energy),
        cmocka_unit_test(test_a_ball_bounces),         cmocka_unit_test(test_a_box_rests),
        cmocka_unit_test(test_a_box_slides_to_a_stop), cmocka_unit_test(test_nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
