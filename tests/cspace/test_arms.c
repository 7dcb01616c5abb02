/* SPDX-License-Identifier: MIT */
/* The lever of friction where it is easily wrong: beside discs, whose poses all lie on one line, and where a body
 * touches at two places, with two normals and one lever for both. */
#include <math.h>

#include "base/random.h"
#include "cspace/forms.h"
#include "cspace/map.h"
#include "cspace/poses.h"

static ts_map *make(const ts_outline *a, const ts_outline *b, ts_map_options options)
{
    ts_map *map;
    OK(ts_map_create(a, b, &options, &(ts_map_making){.threads = 2, .cache = ""}, &map, ERROR));
    return map;
}

/* ---- Networks ---- */

static const ts_map_options small_network = {.kind = TS_MAP_NETWORK, .depth = 2, .width = 24, .samples = 200000};

/* Two discs: the middle of the gap lies R_A + gap / 2 from A's centre, and R_B + gap / 2 from B's. */
static void a_network_knows_discs(void **state)
{
    (void)state;
    for (int raw = 0; raw < 2; raw++) {
        ts_outline *a = form_make(DISC, 1), *b = form_make(DISC, 0.6);
        ts_map_options options = small_network;
        options.encoding = raw ? TS_ENCODING_RAW : TS_ENCODING_CIRCLE;
        ts_map *map = make(a, b, options);
        const double ra = 0.8, rb = 0.48;
        for (uint64_t i = 0; i < 200; i++) {
            double gap = ts_random_range(4, 0, i, -0.04, 0.04), u = ts_random_range(4, 1, i, -4, 4);
            ts_map_contact c;
            ts_map_query(map, 1,
                         &(ts_map_pose){.b = {(ra + rb + gap) * cos(u), (ra + rb + gap) * sin(u),
                                              ts_random_range(4, 2, i, -4, 4)}},
                         &c);
            NEAR(c.arm_a, ra + 0.5 * gap, 0.02);
            NEAR(c.arm_b, -rb - 0.5 * gap, 0.02);
        }
        ts_map_free(map);
        ts_outline_free(a);
        ts_outline_free(b);
    }
}

/* A ring as the pair's A, whichever the caller calls A: pairs are ordered by hash, so a size is looked for at which it
 * comes first. */
static ts_map *ring_first(const ts_outline *ring, form other, ts_outline **b)
{
    for (int k = 0; k < 20; k++) {
        ts_pair *pair;
        *b = form_make(other, 1 - 0.01 * k);
        OK(ts_pair_create(ring, *b, &pair, ERROR));
        bool first = !ts_pair_is_turned(pair);
        ts_pair_free(pair);
        if (first)
            return make(ring, *b, small_network);
        ts_outline_free(*b);
    }
    fail_msg("no size puts the ring first");
    return NULL;
}

/* A ring and a bent bar: as the exact map has it, but for what so small a network is off. */
static void a_network_knows_a_ring(void **state)
{
    (void)state;
    ts_outline *ring = form_make(RING, 1), *bent;
    ts_map *map = ring_first(ring, BENT, &bent);
    ts_map *exact = make(ring, bent, (ts_map_options){.kind = TS_MAP_EXACT});
    assert_true(map->fold.active && map->fold.turns_a == 0);
    double sum = 0, unit = map->pair->unit;
    enum { count = 500 };
    for (uint64_t i = 0; i < count; i++) {
        ts_relative_pose p;
        assert_true(ts_pose_draw_near(exact->exact, exact->pair, 3, TS_POSES_NEAR, i, &p));
        ts_map_pose pose = {.b = {p.x * unit, p.y * unit, p.angle}};
        ts_map_contact c, d;
        ts_map_query(map, 1, &pose, &c);
        ts_map_query(exact, 1, &pose, &d);
        sum += fabs(c.arm_a - d.arm_a) / count;
    }
    assert_true(sum < 0.06);
    ts_map_free(map);
    ts_map_free(exact);
    ts_outline_free(ring);
    ts_outline_free(bent);
}

/* ---- A disc in a groove ---- */

/* The groove's vertex is v above the block's centre of mass: a square of 1.2 m, its middle 0.3 below the vertex, less a
 * triangle of 0.09 m² with its own 0.2 above: (1.44 · 0.3 + 0.09 · 0.2) / 1.35 = 1/3. */
static const double v = 1.0 / 3, rho = 0.15;

static ts_map *groove_and_disc(ts_map_options options)
{
    const double point[7][2] = {{-0.6, -0.9}, {0.6, -0.9}, {0.6, 0.3}, {0.3, 0.3}, {0, 0}, {-0.3, 0.3}, {-0.6, 0.3}};
    ts_outline *groove = form_polygon(point, 7), *disc;
    OK(ts_outline_disc(rho, &disc, ERROR));
    ts_map *map = make(groove, disc, options);
    ts_outline_free(groove);
    ts_outline_free(disc);
    return map;
}

/* At rest in the groove the disc touches both walls, at 45° to either side: with n straight up, both points are ρ / √2
 * below its centre. */
static ts_map_contact at_rest(const ts_map *map, double aside)
{
    ts_map_contact c;
    ts_map_query(map, 1, &(ts_map_pose){.b = {aside, v + sqrt(2) * rho, 0.3}}, &c);
    return c;
}

static void check_rest(const ts_map *map, double tolerance)
{
    ts_map_contact c = at_rest(map, 0);
    NEAR(c.normal[0], 0, 0.02);
    NEAR(c.slope, sqrt(0.5), 0.02);
    NEAR(c.arm_b, -rho * sqrt(0.5), tolerance);
    NEAR(c.arm_a, v + rho * sqrt(0.5), tolerance);
}

static void a_smoothed_arm_is_that_of_a_point(void **state)
{
    (void)state;
    ts_map *map = groove_and_disc((ts_map_options){.kind = TS_MAP_EXACT, .smoothing = 0.02});
    check_rest(map, 0.05 * rho);
    /* and no lever on the disc is ever longer than it is, but for half the gap */
    for (int i = -50; i <= 50; i++) {
        ts_map_contact c = at_rest(map, 0.002 * i);
        assert_true(fabs(c.arm_b) < 1.01 * rho + 0.5 * fabs(c.gap));
    }
    ts_map_free(map);
}

/* Appendix B of the publication, of a disc between two walls that face each other: no direction parts it from both, so
 * there is no slope. One place alone has a slope of 1, on either side: unsmoothed, that is what is answered. */
static void opposite_walls_leave_no_slope(void **state)
{
    (void)state;
    /* a slot from x = -0.2 to 0.2 in a square of 2 m; its centre of mass is 0.4 · 1.5 · 0.25 / (4 - 0.6) below the
     * square's */
    const double point[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {0.2, 1}, {0.2, -0.5}, {-0.2, -0.5}, {-0.2, 1}, {-1, 1}};
    ts_outline *slot = form_polygon(point, 8), *disc;
    OK(ts_outline_disc(0.19, &disc, ERROR));
    for (int smoothed = 0; smoothed < 2; smoothed++) {
        ts_map *map = make(slot, disc, (ts_map_options){.kind = TS_MAP_EXACT, .smoothing = smoothed ? 0.01 : 0});
        for (int side = -1; side <= 1; side += 2) {
            ts_map_contact c;
            ts_map_query(map, 1, &(ts_map_pose){.b = {1e-9 * side, 0.3 + 0.15 / 3.4, 0}}, &c);
            NEAR(c.slope * c.normal[0], smoothed ? 0 : -side, 1e-6);
            /* along the slot: smoothing in the angle as well, it takes the slot for the narrower the farther out it is
             * */
            assert_true(fabs(c.slope * c.normal[1]) < 0.03);
        }
        ts_map_free(map);
    }
    ts_outline_free(slot);
    ts_outline_free(disc);
}

static void a_table_has_the_arm_of_its_own_normal(void **state)
{
    (void)state;
    ts_map *map = groove_and_disc((ts_map_options){.kind = TS_MAP_TABLE, .error = 0.01});
    check_rest(map, 0.1 * rho);
    ts_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_knows_discs),
        cmocka_unit_test(a_network_knows_a_ring),
        cmocka_unit_test(a_smoothed_arm_is_that_of_a_point),
        cmocka_unit_test(opposite_walls_leave_no_slope),
        cmocka_unit_test(a_table_has_the_arm_of_its_own_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
