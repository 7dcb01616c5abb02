/* SPDX-License-Identifier: MIT */
/* What the bench `grains` hands to other programs is the grain it means, and what they hand back obeys laws that need
 * no program: free fall, rest on a floor, force and torque of one contact. Peers that are not installed are left out.
 * */
#include <math.h>
#include <stdio.h>

#include "../../bench/grains_lammps.h"
#include "../../bench/grains_peer.h"
#include "study/grains.h"
#include "support/check.h"

static ts_grains *library;

static const ts_outline *outline_of(const char *name)
{
    const ts_outline *outline = NULL;
    OK(ts_grains_find(library, name, &outline, ERROR));
    return outline;
}

/* One grain over the floor. */
static ts_grain_bin bin_of_one(const char *name, ts_pose2 *at)
{
    return (ts_grain_bin){.outline = outline_of(name),
                          .scale = 0.5,
                          .density = 800,
                          .friction = 0.5,
                          .gravity = 9.81,
                          .width = 10,
                          .count = 1,
                          .pose = at};
}

/* ---- Shapes ---- */

static bool in_piece(const ts_grain_piece *piece, double x, double y)
{
    for (size_t i = 0; i < piece->count; i++) {
        ts_vec2 p = piece->point[i], q = piece->point[(i + 1) % piece->count];
        if ((q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x) < 0)
            return false;
    }
    return true;
}

/* A point is in the outline when it is in a piece, and only then. */
static void test_pieces_cover_the_outline(void **state)
{
    (void)state;
    const char *const name[] = {"hash", "octagon"};
    const size_t pieces[] = {4, 1};
    for (size_t g = 0; g < 2; g++) {
        const ts_outline *outline = outline_of(name[g]);
        ts_grain_piece piece[TS_GRAIN_PIECES_MAX];
        size_t count = 0;
        OK(ts_grain_pieces(outline, piece, &count, ERROR));
        assert_int_equal(count, pieces[g]);
        for (int i = 0; i < 200 * 200; i++) {
            int row = i / 200, column = i % 200;
            double x = -0.75 + 1.5 * (column + 0.31) / 200, y = -0.75 + 1.5 * (row + 0.47) / 200, d;
            ts_outline_distance(outline, 1, &x, &y, &d, NULL, NULL);
            bool inside = false;
            for (size_t k = 0; k < count; k++)
                inside |= in_piece(&piece[k], x, y);
            assert_true(inside == (d < 0));
        }
    }
}

static void test_other_shapes_are_refused(void **state)
{
    (void)state;
    const char *const name[] = {"O", "U", "N", "D", "disc"};
    for (size_t g = 0; g < sizeof name / sizeof *name; g++) {
        ts_grain_piece piece[TS_GRAIN_PIECES_MAX];
        size_t count;
        assert_int_equal(ts_grain_pieces(outline_of(name[g]), piece, &count, NULL), TS_UNSUPPORTED);
    }
    ts_vec2 disc[TS_CLUMP_DISCS];
    double radius;
    assert_int_equal(ts_clump_discs(outline_of("octagon"), disc, &radius, NULL), TS_UNSUPPORTED);
}

/* Discs lie within the outline, no two at one place, and cover it but for notches: a bar of pitch p and radius r
 * keeps (p √(r² - p²/4) + 2 r² asin(p / 2r)) / 2 p r of its area, 0.90 and 0.86 at pitches of 0.12 m and 0.133 m. */
static void test_clump_fills_the_outline(void **state)
{
    (void)state;
    const ts_outline *outline = outline_of("hash");
    ts_vec2 disc[TS_CLUMP_DISCS];
    double r, d;
    OK(ts_clump_discs(outline, disc, &r, ERROR));
    for (size_t k = 0; k < TS_CLUMP_DISCS; k++) {
        ts_outline_distance(outline, 1, &disc[k].x, &disc[k].y, &d, NULL, NULL);
        assert_true(d <= -r + 1e-12);
        for (size_t j = 0; j < k; j++)
            assert_true(hypot(disc[k].x - disc[j].x, disc[k].y - disc[j].y) > r);
    }
    int inside = 0, covered = 0;
    for (int i = 0; i < 300 * 300; i++) {
        int row = i / 300, column = i % 300;
        double x = -0.65 + 1.3 * (column + 0.5) / 300, y = -0.65 + 1.3 * (row + 0.5) / 300;
        ts_outline_distance(outline, 1, &x, &y, &d, NULL, NULL);
        bool found = false;
        for (size_t k = 0; k < TS_CLUMP_DISCS; k++)
            found |= hypot(x - disc[k].x, y - disc[k].y) < r;
        inside += d < 0;
        covered += found;
    }
    assert_true(covered > 0.86 * inside && covered < 0.90 * inside);
}

/* ---- Box2D and Chipmunk ---- */

static ts_grain_result run_peer(ts_grain_peer peer, const ts_grain_bin *bin, const ts_grain_job *job)
{
    ts_grain_result result;
    ts_error error = {0};
    if (ts_grain_peer_run(peer, bin, job, ts_grain_peer_name(peer), &result, &error) != TS_OK)
        fail_msg("%s", error.message);
    return result;
}

/* n steps of free fall end g Δt² n (n ± 1) / 2 lower: plus when velocities are stepped before places, as in Box2D. */
static void test_peers_fall_freely(void **state)
{
    (void)state;
    for (int peer = 0; peer < TS_GRAIN_PEER_COUNT; peer++) {
        if (!ts_grain_peer_installed((ts_grain_peer)peer))
            continue;
        ts_pose2 at = {5, 40, 0.3};
        ts_grain_bin bin = bin_of_one("hash", &at);
        ts_grain_job job = ts_grain_job_usual((ts_grain_peer)peer, &bin);
        job.most = 1;
        job.windows = 3;
        job.window_steps = 5;
        ts_grain_result result = run_peer((ts_grain_peer)peer, &bin, &job);
        assert_false(result.at_rest);
        double n = (double)result.steps + 15;
        double fall = 9.81 * job.time_step * job.time_step * n * (n + (peer == TS_GRAIN_BOX2D ? 1 : -1)) / 2;
        NEAR(result.pose[0].y, 40 - fall, 1e-4);
        NEAR(result.pose[0].x, 5, 1e-4);
        NEAR(result.pose[0].angle, 0.3, 1e-6);
        double v = 9.81 * job.time_step * n;
        NEAR(result.unrest, 0.5 * v * v / (9.81 * ts_grain_bin_mass(&bin).radius), 1e-4 * result.unrest);
        ts_grain_result_free(&result);
    }
}

/* Gravity that leans over and turns: the sums that n steps of free fall are, Δt² Σ (n - i) g sin(angle of step i), or
 * one less where places are stepped before velocities. */
static void test_gravity_turns(void **state)
{
    (void)state;
    for (int peer = 0; peer < TS_GRAIN_PEER_COUNT; peer++) {
        if (!ts_grain_peer_installed((ts_grain_peer)peer))
            continue;
        ts_pose2 at = {5, 40, 0};
        ts_grain_bin bin = bin_of_one("hash", &at);
        ts_grain_job job = ts_grain_job_usual((ts_grain_peer)peer, &bin);
        job.tilt = 0.2;
        job.turn = 0.5;
        job.most = 0;
        job.windows = 1;
        job.window_steps = 30;
        ts_grain_result result = run_peer((ts_grain_peer)peer, &bin, &job);
        assert_int_equal(result.steps, 0);
        double h = job.time_step, x = 5, y = 40;
        for (int i = 0; i < 30; i++) {
            double times = 30 - i - (peer == TS_GRAIN_BOX2D ? 0 : 1), angle = 0.2 + 0.5 * (i + 0.5) * h;
            x += 9.81 * h * h * times * sin(angle);
            y -= 9.81 * h * h * times * cos(angle);
        }
        NEAR(result.pose[0].x, x, 1e-4);
        NEAR(result.pose[0].y, y, 1e-4);
        ts_grain_result_free(&result);
    }
}

/* A `#` that stands on two ends stays there, at half its height up to what the programs let be (1 cm of skin, slop). */
static void test_peers_rest_on_the_floor(void **state)
{
    (void)state;
    for (int peer = 0; peer < TS_GRAIN_PEER_COUNT; peer++) {
        if (!ts_grain_peer_installed((ts_grain_peer)peer))
            continue;
        ts_pose2 at = {5, 0.34, 0};
        ts_grain_bin bin = bin_of_one("hash", &at);
        ts_grain_job job = ts_grain_job_usual((ts_grain_peer)peer, &bin);
        job.most = 20;
        ts_grain_result result = run_peer((ts_grain_peer)peer, &bin, &job);
        assert_true(result.at_rest && result.unrest < 1e-4 && result.seconds > 0);
        assert_true(result.pose[0].y > 0.32 - job.slop - 1e-3 && result.pose[0].y < 0.32 + 0.021);
        NEAR(result.pose[0].angle, 0, 1e-2);
        ts_grain_result_free(&result);
    }
}

/* Forty of them end up at rest, between the walls and on the floor. */
static void test_peers_fill_the_bin(void **state)
{
    (void)state;
    for (int peer = 0; peer < TS_GRAIN_PEER_COUNT; peer++) {
        if (!ts_grain_peer_installed((ts_grain_peer)peer))
            continue;
        ts_grain_bin bin;
        OK(ts_grain_bin_loose(outline_of("hash"), 40, 5, 1, 1, &bin, ERROR));
        ts_grain_job job = ts_grain_job_usual((ts_grain_peer)peer, &bin);
        ts_grain_result result = run_peer((ts_grain_peer)peer, &bin, &job);
        assert_true(result.at_rest);
        double least = 0.64 - 0.05, before = 0,
               after = 0; /* a `#` is nowhere less than 0.64 m from its middle to a plane below */
        for (size_t i = 0; i < bin.count; i++) {
            ts_pose2 p = result.pose[i];
            assert_true(p.x > least && p.x < bin.width - least && p.y > least);
            before += bin.pose[i].y;
            after += p.y;
        }
        assert_true(after < before);
        ts_grain_result_free(&result);
        ts_grain_bin_free(&bin);
    }
}

/* ---- LAMMPS ---- */

static ts_clump_result run_clumps(const ts_clump_case *c)
{
    ts_clump_result result;
    ts_error error = {0};
    if (ts_clump_run(c, &result, &error) != TS_OK)
        fail_msg("%s", error.message);
    return result;
}

/* Two feet carry it: each spring is pressed by m g / 2k. */
static void test_clump_stands_on_two_feet(void **state)
{
    (void)state;
    if (!ts_clump_installed())
        skip();
    ts_pose2 at = {5, 0.32, 0};
    ts_grain_bin bin = bin_of_one("hash", &at);
    ts_clump_case c = {.bin = &bin,
                       .stiffness = 1e6,
                       .ratio = 2.0 / 7,
                       .damping_ratio = 0.3,
                       .time_step = 1e-4,
                       .warm = 10000,
                       .steps = 100,
                       .work = "feet"};
    ts_clump_result result = run_clumps(&c);
    ts_grain_mass m = ts_grain_bin_mass(&bin);
    double pressed = m.mass * 9.81 / (2 * c.stiffness);
    NEAR(0.32 - result.pose[0].y, pressed, 1e-3 * pressed);
    NEAR(result.pose[0].angle, 0, 1e-9);
    assert_true(result.unrest < 1e-9);
    ts_clump_result_free(&result);
}

/* One foot pushes it up and turns it, by the same force: ∬F = m (Δy + ½ g t²) = I Δθ / arm while it hardly moves. So
 * mass and inertia are the outline's. */
static void test_clump_has_the_outlines_inertia(void **state)
{
    (void)state;
    if (!ts_clump_installed())
        skip();
    ts_pose2 at = {5, 0.32, -0.05}; /* the foot to the right, 0.1 m from the middle, is the lower one */
    ts_grain_bin bin = bin_of_one("hash", &at);
    bin.friction = 0;
    ts_vec2 disc[TS_CLUMP_DISCS];
    double r, arm = 0, lowest = 1;
    OK(ts_clump_discs(bin.outline, disc, &r, ERROR));
    for (size_t k = 0; k < TS_CLUMP_DISCS; k++) {
        ts_vec2 p = ts_vec2_scale(ts_rot2_apply(ts_rot2_from_angle(at.angle), disc[k]), bin.scale);
        if (p.y < lowest) {
            lowest = p.y;
            arm = p.x;
        }
    }
    ts_clump_case c = {
        .bin = &bin, .stiffness = 1e7, .ratio = 2.0 / 7, .time_step = 1e-5, .warm = 0, .steps = 100, .work = "foot"};
    ts_clump_result result = run_clumps(&c);
    ts_grain_mass m = ts_grain_bin_mass(&bin);
    double t = c.time_step * (double)c.steps, rise = result.pose[0].y - at.y + 0.5 * 9.81 * t * t;
    double turn = result.pose[0].angle - at.angle;
    assert_true(rise > 1e-5);
    NEAR(m.inertia * turn / arm, m.mass * rise, 0.01 * m.mass * rise);
    ts_clump_result_free(&result);
}

static int open_library(void **state)
{
    (void)state;
    return ts_grains_create(&library, NULL) != TS_OK;
}

static int close_library(void **state)
{
    (void)state;
    ts_grains_free(library);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_cover_the_outline),
        cmocka_unit_test(test_other_shapes_are_refused),
        cmocka_unit_test(test_clump_fills_the_outline),
        cmocka_unit_test(test_peers_fall_freely),
        cmocka_unit_test(test_gravity_turns),
        cmocka_unit_test(test_peers_rest_on_the_floor),
        cmocka_unit_test(test_peers_fill_the_bin),
        cmocka_unit_test(test_clump_stands_on_two_feet),
        cmocka_unit_test(test_clump_has_the_outlines_inertia),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
