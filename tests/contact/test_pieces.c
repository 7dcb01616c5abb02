/* SPDX-License-Identifier: MIT */
/* Outlines touch walls of lines and arcs where the outlines themselves overlap: against the exact gap of the whole wall, which knows
 * nothing of pieces. */
#include <math.h>

#include "support/check.h"

#include "base/random.h"
#include "cspace/exact.h"
#include "cspace/forms.h"
#include "support/walls.h"

enum { POSES = 400 };

/* The width over which angles are averaged [rad]. */
static const double width = 0.02;

/* A sliver with angles of 23°. */
static ts_outline *sliver(void)
{
    const double point[3][2] = {{-1, 0}, {1, 0}, {0, 0.42}};
    return form_polygon(point, 3);
}

/* Thick and thin parts, and inner corners. */
static ts_outline *dumbbell(void)
{
    const double point[12][2] = {{-1, -0.4}, {-0.4, -0.4}, {-0.4, -0.03}, {0.4, -0.03}, {0.4, -0.4}, {1, -0.4},
                                 {1, 0.4},   {0.4, 0.4},   {0.4, 0.03},   {-0.4, 0.03}, {-0.4, 0.4}, {-1, 0.4}};
    return form_polygon(point, 12);
}

static ts_outline *rotor(void)
{
    return form_make(ROTOR, 1);
}

static ts_outline *zed(void)
{
    return form_make(ZED, 1);
}

static ts_outline *bent(void)
{
    return form_make(BENT, 1);
}

static ts_outline *floor_like(void)
{
    return box(60, 2);
}

typedef struct wall_case {
    const char *name;
    ts_outline *(*make)(void);
    form grain;
    double size;
} wall_case;

static const wall_case cases[] = {
    {"sliver", sliver, LUMP, 0.3},      {"dumbbell", dumbbell, ROTOR, 0.3},
    {"rotor", rotor, HASH, 0.3},        {"zed", zed, LUMP, 0.2},
    {"bent", bent, ROTOR, 0.2},         {"long floor", floor_like, HASH, 0.3},
    {"short edges", zed, OCTAGON, 1.2},
};
enum { CASES = sizeof cases / sizeof *cases };

/* A grain alone with a wall, and the map of both as a whole. */
typedef struct meeting {
    ts_test_world w;
    ts_map *map;
    double radius; /* of the grain */
    double inner;  /* of the largest disc in it, or in the wall */
} meeting;

static ts_outline *centred(ts_outline *outline)
{
    ts_outline *placed;
    ts_outline_mass mass = ts_outline_get_mass(outline);
    OK(ts_outline_place(outline, 1, 0, (double[2]){-mass.centre[0], -mass.centre[1]}, &placed, ERROR));
    ts_outline_free(outline);
    return placed;
}

static void meet(meeting *m, const wall_case *c)
{
    ts_test_open(&m->w, 0);
    double thinnest;
    ts_outline *wall = centred(c->make()), *grain = centred(form_make(c->grain, c->size));
    OK(ts_map_create(wall, grain, &(ts_map_options){.kind = TS_MAP_EXACT}, &(ts_map_making){.cache = ""}, &m->map,
                     ERROR));
    OK(ts_exact_inner_radius(wall, &thinnest, ERROR));
    int32_t shape;
    OK(ts_scene_add_outline(m->w.scene, NULL, grain, &shape, ERROR));
    ts_test_outline(m->w.scene, NULL, wall, 0, 0, false);
    ts_test_body(m->w.scene, shape, 100, 0);
    m->radius = ts_outline_get_mass(grain).radius;
    double inner;
    OK(ts_exact_inner_radius(grain, &inner, ERROR));
    m->inner = fmin(thinnest, inner);
    ts_outline_free(grain);
    ts_test_start(&m->w, 1);
}

/* The deepest contact of a pose; 0: none. */
static double deepest(const meeting *m, const double pose[3])
{
    const ts_contact *contact;
    OK(ts_state_set_pose(m->w.state, 0, pose[0], pose[1], pose[2], ERROR));
    size_t count = contacts_of(&m->w, &contact);
    double gap = 0;
    for (size_t k = 0; k < count; k++)
        gap = fmin(gap, contact[k].gap);
    return -gap;
}

/* A pose at which the two overlap a little: from a random place along the line of centres, outward until the exact gap is -depth. */
static bool find_pose(const meeting *m, uint64_t i, double far, double depth, double pose[3])
{
    double up = ts_random_range(7, 1, 4 * i, 0, 2 * TS_PI), from = 0, to = far;
    double aside = ts_random_range(7, 1, 4 * i + 1, -1, 1) * far;
    pose[2] = ts_random_range(7, 1, 4 * i + 2, 0, 2 * TS_PI);
    for (int k = 0; k < 50; k++) {
        double at = 0.5 * (from + to);
        pose[0] = at * cos(up) - aside * sin(up);
        pose[1] = at * sin(up) + aside * cos(up);
        ts_map_contact c;
        ts_map_query(m->map, 1, &(ts_map_pose){.b = {pose[0], pose[1], pose[2]}, .scale = 1}, &c);
        if (fabs(c.gap + depth) < 1e-9)
            return true;
        if (c.gap < -depth)
            from = at;
        else
            to = at;
    }
    return false;
}

static void pieces_are_the_wall(void **state)
{
    const wall_case *c = *state;
    meeting m;
    meet(&m, c);
    double slack = 0.75 * width * m.radius, lowest = HUGE_VAL, highest = -HUGE_VAL;
    int found = 0;
    ts_map_info info = ts_map_get_info(m.map);
    for (uint64_t i = 0; i < POSES; i++) {
        double depth = (i % 4 == 0 ? -2 * slack : ts_random_range(7, 1, 4 * i + 3, 0, 0.3) * m.inner + 2 * slack),
               pose[3];
        if (!find_pose(&m, i, info.radius_a + m.radius, depth, pose))
            continue;
        found++;
        double told = deepest(&m, pose);
        if (depth < 0) {
            assert_true(told == 0); /* no piece leaves the wall */
            continue;
        }
        lowest = fmin(lowest, (told + slack) / depth);
        highest = fmax(highest, (told - slack) / depth);
    }
    assert_true(found > POSES / 8);
    assert_true(lowest > 0.9 && highest < 1);
    ts_map_free(m.map);
    ts_test_close(&m.w);
}

int main(void)
{
    struct CMUnitTest test[CASES];
    for (size_t i = 0; i < CASES; i++)
        test[i] = (struct CMUnitTest){cases[i].name, pieces_are_the_wall, NULL, NULL, (void *)(uintptr_t)&cases[i]};
    return cmocka_run_group_tests(test, NULL, NULL);
}
