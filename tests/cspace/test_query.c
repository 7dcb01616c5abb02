/* SPDX-License-Identifier: MIT */
/* Records in metres: the identities that keep momentum, gradients against differences of the gap in the world, discs in
 * closed form. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "cspace/forms.h"
#include "cspace/map.h"
#include "cspace/query.h"
#include "cspace/random_map.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_query_kernels, ts_query);

static ts_pair *make_pair(form a, form b)
{
    ts_outline *oa = form_make(a, 0.02), *ob = form_make(b, a == b ? 0.02 : 0.013);
    ts_pair *pair;
    OK(ts_pair_create(oa, ob, &pair, ERROR));
    ts_outline_free(oa);
    ts_outline_free(ob);
    return pair;
}

static ts_map *make_exact(form a, form b)
{
    ts_map *map;
    OK(ts_map_assemble(make_pair(a, b), &(ts_map_options){.kind = TS_MAP_EXACT}, NULL, NULL, &map, ERROR));
    return map;
}

/* Coarse: laws hold whatever the errors. */
static ts_map *make_table(form a, form b)
{
    ts_pair *pair = make_pair(a, b);
    ts_exact *exact;
    ts_fold fold = ts_fold_for_table(pair, true);
    ts_table *table;
    ts_map *map;
    ts_table_form coarse = {.spacing = 0.12, .turn = 0.2};
    OK(ts_exact_create(pair, &exact, ERROR));
    OK(ts_table_create(exact, pair, &fold, &coarse, NULL, NULL, NULL, &table, ERROR));
    OK(ts_map_assemble(pair, &(ts_map_options){.kind = TS_MAP_TABLE}, NULL, table, &map, ERROR));
    ts_exact_free(exact);
    return map;
}

/* Refined: as smooth as the exact gap, but for kinks. */
static ts_map *make_sampled(form a, form b)
{
    ts_map *map;
    OK(ts_map_assemble(make_pair(a, b), &(ts_map_options){.kind = TS_MAP_SAMPLED, .grid = 41, .refine = true}, NULL,
                       NULL, &map, ERROR));
    return map;
}

/* Random weights: a function like any other. */
static ts_map *make_network(form a, form b)
{
    return random_map(make_pair(a, b), &(ts_map_options){.kind = TS_MAP_NETWORK, .depth = 2, .width = 16}, false);
}

/* Pose i: B within reach of A, both at any angle; every third far from the origin, some scaled. */
static ts_map_pose random_pose(const ts_map *map, uint64_t i)
{
    ts_map_pose p = {.scale = i % 4 ? 1 : ts_random_range(3, 0, i, 0.2, 300)};
    double reach = (map->info.radius_a + map->info.radius_b) * p.scale, far = i % 3 ? 0 : 1e3 * reach;
    double direction = ts_random_range(3, 1, i, -4, 4), away = reach * sqrt(ts_random_range(3, 2, i, 0, 1));
    p.a[0] = ts_random_range(3, 3, i, -far, far);
    p.a[1] = ts_random_range(3, 4, i, -far, far);
    p.a[2] = ts_random_range(3, 5, i, -10, 10);
    p.b[0] = p.a[0] + away * cos(direction);
    p.b[1] = p.a[1] + away * sin(direction);
    p.b[2] = ts_random_range(3, 6, i, -10, 10);
    return p;
}

static ts_map_contact ask(const ts_map *map, const ts_map_pose *pose)
{
    ts_map_contact contact;
    ts_map_query(map, 1, pose, &contact);
    return contact;
}

/* Everything that touchstone/map.h promises of every record, whatever the kind's errors. */
static void check_identities(const ts_map *map, const ts_map_pose *p, const ts_map_contact *c)
{
    double dx = p->b[0] - p->a[0], dy = p->b[1] - p->a[1], nx = c->normal[0], ny = c->normal[1];
    double size = (map->info.radius_a + map->info.radius_b) * p->scale, small = 1e-12 * size;
    /* places far from the origin are rounded as such */
    double placed = small + 1e-15 * (fabs(p->a[0]) + fabs(p->a[1]));
    NEAR(nx * nx + ny * ny, 1, 1e-12);
    NEAR(c->turn_a + c->turn_b + c->slope * (dx * ny - dy * nx), 0, small);
    NEAR(c->arm_a - c->arm_b, dx * nx + dy * ny, small);
    NEAR(c->point_b[0] - c->point_a[0], c->gap * nx, 2 * placed);
    NEAR(c->point_b[1] - c->point_a[1], c->gap * ny, 2 * placed);
    /* the common point has both arms, and both turns unless its lever was cut at the radius */
    double mx = 0.5 * (c->point_a[0] + c->point_b[0]), my = 0.5 * (c->point_a[1] + c->point_b[1]);
    NEAR((mx - p->a[0]) * nx + (my - p->a[1]) * ny, c->arm_a, 2 * placed);
    NEAR((mx - p->b[0]) * nx + (my - p->b[1]) * ny, c->arm_b, 2 * placed);
    double lever = (my - p->b[1]) * nx - (mx - p->b[0]) * ny, radius = map->info.radius_b * p->scale;
    if (fabs(c->turn_b) < c->slope * radius) {
        NEAR(-c->slope * lever, c->turn_b, 2 * placed);
        NEAR(-c->slope * ((mx - p->a[0]) * ny - (my - p->a[1]) * nx), c->turn_a, 2 * placed);
    } else {
        NEAR(fabs(lever), c->slope > 0 ? radius : 0, 2 * placed);
    }
}

static bool all_finite(const ts_map_contact *c)
{
    for (size_t k = 0; k < sizeof *c / sizeof(double); k++)
        if (!isfinite(((const double *)c)[k]))
            return false;
    return true;
}

static double *coordinate(ts_map_pose *p, int k)
{
    return k < 3 ? &p->a[k] : &p->b[k - 3];
}

/* Whether a gap is one that the map is meant to know: a table has a band. */
static bool is_known(const ts_map *map, double gap)
{
    if (!map->table)
        return true;
    ts_table_form band = ts_table_get_form(map->table);
    return gap > -0.8 * band.deep && gap < 0.8 * band.far;
}

/* A sampled map has the direction between two nearest points for its gradient, as published: right where one place
 * touches one other, that is where the exact slope is 1. */
static bool is_simple(const ts_map *map, const ts_map_pose *p)
{
    if (!map->sampled)
        return true;
    ts_map exact = *map;
    exact.field = map->exact;
    exact.query = ts_exact_query;
    return ask(&exact, p).slope > 0.999;
}

/* Both gradients against differences of the gap, moving each body in the world. Poses with a kink nearby are passed
 * over; returns how many were not. */
static int check_gradients(const ts_map *map, int poses, double step, double tolerance)
{
    int compared = 0;
    for (int i = 0; i < poses; i++) {
        ts_map_pose p =
            random_pose(map, 1000 + 3 * (uint64_t)i + 1); /* near the origin: differences need their digits */
        ts_map_contact c = ask(map, &p);
        double unit = fmax(map->info.radius_a, map->info.radius_b) * p.scale, slope[6];
        bool smooth = is_known(map, c.gap / unit) && is_simple(map, &p);
        for (int k = 0; k < 6 && smooth; k++) {
            double h = k % 3 == 2 ? step : step * unit, value = *coordinate(&p, k);
            ts_map_pose q = p;
            *coordinate(&q, k) = value + h;
            double up = (ask(map, &q).gap - c.gap) / h;
            *coordinate(&q, k) = value - h;
            double down = (c.gap - ask(map, &q).gap) / h;
            slope[k] = 0.5 * (up + down);
            smooth = fabs(up - down) < tolerance * (k % 3 == 2 ? unit : 1);
        }
        if (!smooth)
            continue;
        compared++;
        for (int k = 0; k < 2; k++) {
            NEAR(c.slope * c.normal[k], slope[3 + k], tolerance);
            NEAR(-c.slope * c.normal[k], slope[k], tolerance);
        }
        NEAR(c.turn_a, slope[2], tolerance * unit);
        NEAR(c.turn_b, slope[5], tolerance * unit);
    }
    return compared;
}

static const form pair_of[][2] = {{HASH, HASH}, {ROTOR, ROTOR}, {BOX, ZED},   {DISC, BOX},  {LUMP, DISC},
                                  {DISC, RING}, {BENT, LUMP},   {LUMP, LUMP}, {BENT, BENT}, {OCTAGON, HASH}};
#define PAIRS (sizeof pair_of / sizeof *pair_of)

static void exact_records_keep_momentum(void **state)
{
    (void)state;
    for (size_t k = 0; k < PAIRS; k++) {
        ts_map *map = make_exact(pair_of[k][0], pair_of[k][1]);
        for (uint64_t i = 0; i < 120; i++) {
            ts_map_pose p = random_pose(map, i);
            ts_map_contact c = ask(map, &p);
            check_identities(map, &p, &c);
        }
        assert_true(check_gradients(map, 12, 1e-5, 1e-3) > 6);
        ts_map_free(map);
    }
}

static void tables_keep_momentum(void **state)
{
    (void)state;
    const form some[][2] = {{BOX, BOX}, {ZED, ZED}, {DISC, BOX}, {LUMP, DISC}, {ROTOR, OCTAGON}};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        ts_map *map = make_table(some[k][0], some[k][1]);
        for (uint64_t i = 0; i < 500; i++) {
            ts_map_pose p = random_pose(map, i);
            ts_map_contact c = ask(map, &p);
            check_identities(map, &p, &c);
        }
        assert_true(check_gradients(map, 300, 1e-3, 2e-2) > 30);
        ts_map_free(map);
    }
}

static void networks_keep_momentum(void **state)
{
    (void)state;
    const form some[][2] = {{HASH, HASH}, {ROTOR, ROTOR}, {DISC, BOX}, {LUMP, DISC}, {BENT, LUMP}};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        ts_map *map = make_network(some[k][0], some[k][1]);
        for (uint64_t i = 0; i < 500; i++) {
            ts_map_pose p = random_pose(map, i);
            ts_map_contact c = ask(map, &p);
            check_identities(map, &p, &c);
        }
        /* with a disc A, slopes as steep as a random function's are cut */
        if (some[k][0] != DISC)
            assert_true(check_gradients(map, 200, 1e-3, 5e-2) > 50);
        ts_map_free(map);
    }
}

static void sampled_records_keep_momentum(void **state)
{
    (void)state;
    const form some[][2] = {{BOX, BOX}, {DISC, BOX}, {LUMP, DISC}, {ROTOR, ZED}};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        ts_map *map = make_sampled(some[k][0], some[k][1]);
        for (uint64_t i = 0; i < 60; i++) {
            ts_map_pose p = random_pose(map, i);
            ts_map_contact c = ask(map, &p);
            check_identities(map, &p, &c);
        }
        assert_true(check_gradients(map, 60, 1e-4, 2e-2) > 6);
        ts_map_free(map);
    }
}

/* Whoever calls A what others call B gets the same record, to the bit, with sides and signs exchanged. Every kind. */
static void every_kind_can_change_sides(void **state)
{
    (void)state;
    ts_map *map[] = {make_exact(BOX, ZED), make_sampled(BOX, DISC),  make_table(ROTOR, OCTAGON),
                     make_table(BOX, BOX), make_network(HASH, HASH), make_network(BENT, LUMP)};
    for (size_t k = 0; k < sizeof map / sizeof *map; k++) {
        double radius_a = map[k]->info.radius_a, radius_b = map[k]->info.radius_b;
        for (uint64_t i = 0; i < 100; i++) {
            ts_map_pose p = random_pose(map[k], i), q = {.scale = p.scale};
            memcpy(q.a, p.b, sizeof q.a);
            memcpy(q.b, p.a, sizeof q.b);
            ts_map_contact c = ask(map[k], &p);
            ts_map_turn(map[k]);
            ts_map_contact d = ask(map[k], &q);
            assert_true(map[k]->info.radius_a == radius_b && map[k]->info.radius_b == radius_a);
            ts_map_turn(map[k]);
            assert_true(c.gap == d.gap && c.slope == d.slope);
            assert_true(c.turn_a == d.turn_b && c.turn_b == d.turn_a && c.arm_a == -d.arm_b && c.arm_b == -d.arm_a);
            for (int x = 0; x < 2; x++)
                assert_true(c.normal[x] == -d.normal[x] && c.point_a[x] == d.point_b[x] &&
                            c.point_b[x] == d.point_a[x]);
            /* and it is a record of these sides: the identities, to rounding */
            double dx = q.b[0] - q.a[0], dy = q.b[1] - q.a[1], small = 1e-12 * (radius_a + radius_b) * p.scale;
            NEAR(d.turn_a + d.turn_b + d.slope * (dx * d.normal[1] - dy * d.normal[0]), 0, small);
            NEAR(d.arm_a - d.arm_b, dx * d.normal[0] + dy * d.normal[1], small);
        }
        ts_map_free(map[k]);
    }
}

/* A table folds by less than the exchange: both views are off from one truth, which has it, each by what the table is
 * off there. */
static void both_views_are_near(const ts_map *map)
{
    ts_map_errors off;
    OK(ts_map_assess(map, 5000, 1, NULL, &off, ERROR));
    double turn = 0, arm = 0, small = map->pair->small * map->pair->unit;
    int near = 0, compared = 0;
    for (uint64_t i = 1; i < 6000; i += 3) {
        ts_map_pose p = random_pose(map, i), q = {.scale = p.scale};
        memcpy(q.a, p.b, sizeof q.a);
        memcpy(q.b, p.a, sizeof q.b);
        ts_map_contact c = ask(map, &p), d = ask(map, &q);
        double unit = small * p.scale;
        if (fabs(c.gap) > 0.08 * unit)
            continue; /* errors are known up to 0.1 */
        near++;
        NEAR(c.gap, d.gap, 2 * off.worst * unit);
        if (c.slope < 0.1 || d.slope < 0.1)
            continue;
        compared++;
        turn += 0.5 * (fabs(c.turn_a - d.turn_b) + fabs(c.turn_b - d.turn_a)) / unit;
        arm += fabs(c.arm_a + d.arm_b) / unit;
    }
    assert_true(near > 100 && compared > 100);
    /* mean errors of single views; a half more for the few poses */
    assert_true(off.worst < 0.1 && off.turn_mean < 0.2 && off.arm_mean < 0.1);
    assert_true(turn / compared < 3 * off.turn_mean);
    assert_true(arm / compared < 3 * off.arm_mean);
}

/* Of two alike, each sees the other as it is seen, to rounding; folded kinds have that built in. */
static void equal_outlines_see_each_other(void **state)
{
    (void)state;
    ts_map *table[] = {make_table(BOX, BOX), make_table(ZED, ZED)};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        both_views_are_near(table[k]);
        ts_map_free(table[k]);
    }
    ts_map *map[] = {make_exact(ZED, ZED), make_network(HASH, HASH), make_network(LUMP, LUMP)};
    for (size_t k = 0; k < sizeof map / sizeof *map; k++) {
        int compared = 0;
        for (uint64_t i = 1; i < 300; i += 3) {
            ts_map_pose p = random_pose(map[k], i), q = {.scale = p.scale};
            memcpy(q.a, p.b, sizeof q.a);
            memcpy(q.b, p.a, sizeof q.b);
            ts_map_contact c = ask(map[k], &p), d = ask(map[k], &q);
            double unit = map[k]->pair->unit * p.scale;
            assert_true(map[k]->info.kind == TS_MAP_EXACT || map[k]->fold.exchange);
            NEAR(c.gap, d.gap, 1e-5 * unit); /* folded poses of a network are in single precision */
            if (fabs(c.normal[0] + d.normal[0]) + fabs(c.normal[1] + d.normal[1]) > 1e-3 || c.slope < 0.1)
                continue; /* a kink between the two */
            compared++;
            NEAR(c.turn_a, d.turn_b, 1e-2 * unit);
            NEAR(c.arm_a, -d.arm_b, 1e-2 * unit);
        }
        assert_true(compared > 60);
        ts_map_free(map[k]);
    }
}

/* What a network holds is counted: its parameters in single precision, and at least as much again for the kernels. */
static void memory_is_counted(void **state)
{
    (void)state;
    ts_map *network = make_network(HASH, HASH), *exact = make_exact(HASH, HASH);
    size_t parameters = network->network->gap.count + network->network->arm.count;
    assert_true(parameters > 2 * (4 * 16 + 16 * 16)); /* of two layers of 16 */
    assert_true(ts_map_memory(network) >= ts_map_memory(exact) + 2 * sizeof(float) * parameters);
    ts_map_free(network);
    ts_map_free(exact);
}

/* A far pose is a pose: every kind has a finite record for it. And a scale is a positive number; none, 0, is 1. */
static void every_kind_answers_far_away(void **state)
{
    (void)state;
    ts_map *map[] = {make_exact(BOX, ZED), make_sampled(BOX, DISC), make_table(BOX, BOX), make_network(BENT, LUMP)};
    const double far[] = {1, 1e3, 1e8, 1e50, 1e100};
    for (size_t k = 0; k < sizeof map / sizeof *map; k++) {
        for (int i = 0; i < 5; i++) {
            ts_map_pose p = {{0.1, 0.2, 0.3}, {-0.6 * far[i], 0.8 * far[i], 2}, 1};
            ts_map_contact c = ask(map[k], &p);
            assert_true(all_finite(&c));
        }
        const double scale[] = {-1, -(double)INFINITY, (double)INFINITY, (double)NAN};
        for (int i = 0; i < 4; i++) {
            ts_map_pose p = {{0.1, 0.2, 0.3}, {0.11, 0.2, 2}, scale[i]};
            ts_map_contact c = ask(map[k], &p);
            for (size_t f = 0; f < sizeof c / sizeof(double); f++)
                assert_true(isnan(((const double *)&c)[f]));
        }
        ts_map_pose plain = {{0.1, 0.2, 0.3}, {0.11, 0.2, 2}, 1}, none = plain, minus = plain;
        none.scale = 0, minus.scale = -0.0;
        ts_map_contact c = ask(map[k], &plain), d = ask(map[k], &none), e = ask(map[k], &minus);
        assert_memory_equal(&c, &d, sizeof c);
        assert_memory_equal(&c, &e, sizeof c);
        ts_map_free(map[k]);
    }
}

/* Two discs, of radii that the outlines give. */
static void discs_are_closed_forms(void **state)
{
    (void)state;
    ts_map *map = make_exact(RING, DISC); /* a ring is a disc to whoever stays outside */
    for (uint64_t i = 0; i < 300; i++) {
        ts_map_pose p = random_pose(map, i);
        double ra = 0.02 * p.scale, rb = 0.013 * 0.8 * p.scale, dx = p.b[0] - p.a[0], dy = p.b[1] - p.a[1];
        double away = hypot(dx, dy), placed = 1e-11 * ra + 1e-14 * (fabs(p.a[0]) + fabs(p.a[1]));
        double gap = away - ra - rb;
        if (away < 1.1 * ra) /* the hole comes into play */
            continue;
        ts_map_contact c = ask(map, &p);
        if (gap < -0.3 * ra)
            continue; /* the disc in the overlap is cut by the hole */
        NEAR(c.gap, gap, placed);
        NEAR(c.slope, 1, 1e-9);
        NEAR(c.normal[0], dx / away, 1e-9);
        NEAR(c.normal[1], dy / away, 1e-9);
        NEAR(c.turn_a, 0, 1e-9 * ra);
        NEAR(c.turn_b, 0, 1e-9 * ra);
        NEAR(c.arm_a, ra + gap / 2, 1e-9 * ra + placed);
        NEAR(c.arm_b, -rb - gap / 2, 1e-9 * ra + placed);
        NEAR(c.point_a[0], p.a[0] + ra * dx / away, 1e-9 * ra + placed);
        NEAR(c.point_b[1], p.b[1] - rb * dy / away, 1e-9 * ra + placed);
    }
    ts_map_free(map);
}

/* B seen from A is A seen from B: the same gap, the normal turned around, turns and arms exchanged. */
static void bodies_can_change_sides(void **state)
{
    (void)state;
    int compared = 0;
    for (size_t k = 0; k < PAIRS; k++) {
        if (pair_of[k][0] == pair_of[k][1])
            continue;
        ts_outline *a = form_make(pair_of[k][0], 0.5), *b = form_make(pair_of[k][1], 0.3);
        ts_map *ab, *ba;
        ts_map_options options = {.kind = TS_MAP_EXACT};
        OK(ts_map_create(a, b, &options, NULL, &ab, ERROR));
        OK(ts_map_create(b, a, &options, NULL, &ba, ERROR));
        for (uint64_t i = 1; i < 120; i += 3) {
            ts_map_pose p = random_pose(ab, i), q = {.scale = p.scale};
            memcpy(q.a, p.b, sizeof q.a);
            memcpy(q.b, p.a, sizeof q.b);
            ts_map_contact c = ask(ab, &p), d = ask(ba, &q);
            double unit = 0.5 * p.scale;
            NEAR(c.gap, d.gap, 1e-12 * unit);
            /* several places may touch alike: then either may be named */
            if (c.slope < 0.1 || fabs(c.slope - d.slope) > 1e-9 ||
                c.normal[0] * d.normal[0] + c.normal[1] * d.normal[1] > -0.999)
                continue;
            compared++;
            NEAR(c.normal[0], -d.normal[0], 1e-8);
            NEAR(c.normal[1], -d.normal[1], 1e-8);
            NEAR(c.turn_a, d.turn_b, 1e-8 * unit);
            NEAR(c.turn_b, d.turn_a, 1e-8 * unit);
            NEAR(c.arm_a, -d.arm_b, 1e-8 * unit);
            NEAR(c.arm_b, -d.arm_a, 1e-8 * unit);
        }
        ts_map_free(ab);
        ts_map_free(ba);
        ts_outline_free(a);
        ts_outline_free(b);
    }
    assert_true(compared > 120);
}

static void poses_without_a_normal(void **state)
{
    (void)state;
    const form pairs[][2] = {{DISC, DISC}, {RING, DISC}, {BOX, BOX}, {HASH, OCTAGON}};
    for (size_t k = 0; k < 4; k++) {
        ts_map *map = make_exact(pairs[k][0], pairs[k][1]);
        ts_map_pose p = {{0.3, 0.1, 2}, {0.3, 0.1, 2}, 1};
        ts_map_contact c = ask(map, &p);
        assert_true(all_finite(&c));
        check_identities(map, &p, &c);
        ts_map_free(map);
    }
    /* a disc in the middle of another: no way out is shorter, so there is no slope; x stands in */
    ts_map *map = make_exact(DISC, DISC);
    ts_map_pose p = {{0, 0, 0}, {0, 0, 0}, 1};
    ts_map_contact c = ask(map, &p);
    if (c.slope == 0) {
        NEAR(c.normal[0], 1, 0);
        NEAR(c.normal[1], 0, 0);
    }
    /* what is no pose gives no number */
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int k = 0; k < 7; k++)
        for (int i = 0; i < 3; i++) {
            ts_map_pose q = {{0.01, 0, 0.1}, {0.03, 0.01, 0.3}, 1};
            *(k < 6 ? coordinate(&q, k) : &q.scale) = bad[i];
            c = ask(map, &q);
            if (k < 6)
                assert_true(isnan(c.gap) && isnan(c.slope) && isnan(c.normal[0]) && isnan(c.turn_a) && isnan(c.arm_b));
        }
    ts_map_pose q = {{0, 0, 0}, {1, 0, 0}, 0};
    assert_true(isfinite(ask(map, &q).gap));
    q.scale = -1;
    assert_true(isnan(ask(map, &q).gap));
    ts_map_free(map);
}

/* A pose has the same bits alone, in a batch, and at any place in it. */
static void batches_have_the_bits_of_singles(void **state)
{
    (void)state;
    ts_map *map[2] = {make_exact(HASH, ZED), make_table(BOX, BOX)};
    static ts_map_pose pose[150];
    static ts_map_contact contact[150];
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < 150; i++)
            pose[i] = random_pose(map[k], i);
        ts_map_query(map[k], 150, pose, contact);
        for (size_t i = 0; i < 150; i++) {
            ts_map_contact one = ask(map[k], &pose[i]);
            assert_memory_equal(&one, &contact[i], sizeof one);
        }
        ts_map_query(map[k], 0, NULL, NULL);
        ts_map_free(map[k]);
    }
}

static void kernels_agree(void **state)
{
    (void)state;
    ts_map *map = make_exact(BOX, ZED);
    static ts_map_pose pose[TS_QUERY_BATCH];
    static ts_map_contact first[TS_QUERY_BATCH], other[TS_QUERY_BATCH];
    static ts_fields fields, again;
    static ts_query_frame frame, frame_again;
    size_t count = TS_QUERY_BATCH - 1;
    for (size_t i = 0; i < count; i++) {
        pose[i] = random_pose(map, i);
        if (i == 5)
            pose[i].a[2] = 1e8;
        fields.gap[i] = ts_random_range(9, 0, i, -1, 1);
        fields.gx[i] = i % 9 ? ts_random_range(9, 1, i, -1, 1) : 0;
        fields.gy[i] = i % 9 ? ts_random_range(9, 2, i, -1, 1) : 0;
        fields.gangle[i] = ts_random_range(9, 3, i, -1, 1);
        fields.arm[i] = ts_random_range(9, 4, i, -1, 1);
    }
    again = fields;
    ts_query_baseline.relative(2, count, pose, &fields, &frame);
    ts_query_baseline.records(0.7, count, pose, &fields, &frame, first);
    for (int isa = 1; isa < ts_test_isa_count(); isa++) {
        ts_query_table[isa]->relative(2, count, pose, &again, &frame_again);
        assert_memory_equal(again.x, fields.x, count * sizeof(double));
        assert_memory_equal(again.y, fields.y, count * sizeof(double));
        assert_memory_equal(again.angle, fields.angle, count * sizeof(double));
        ts_query_table[isa]->records(0.7, count, pose, &again, &frame_again, other);
        assert_memory_equal(first, other, count * sizeof *first);
    }
    ts_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_records_keep_momentum),      cmocka_unit_test(tables_keep_momentum),
        cmocka_unit_test(networks_keep_momentum),           cmocka_unit_test(discs_are_closed_forms),
        cmocka_unit_test(bodies_can_change_sides),          cmocka_unit_test(poses_without_a_normal),
        cmocka_unit_test(batches_have_the_bits_of_singles), cmocka_unit_test(kernels_agree),
        cmocka_unit_test(sampled_records_keep_momentum),    cmocka_unit_test(every_kind_can_change_sides),
        cmocka_unit_test(equal_outlines_see_each_other),    cmocka_unit_test(memory_is_counted),
        cmocka_unit_test(every_kind_answers_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
