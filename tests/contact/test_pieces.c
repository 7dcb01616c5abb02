/* SPDX-License-Identifier: MIT */
/* Outlines touch walls of lines and arcs where the outlines themselves overlap: against the exact gap of the whole
 * wall, which knows nothing of pieces. */
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
    ts_test_places(m->w.scene, "one");
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
    OK(ts_state_set_pose(m->w.state, 0, (double[]){pose[0], pose[1], pose[2]}, ERROR));
    size_t count = contacts_of(&m->w, &contact);
    double gap = 0;
    for (size_t k = 0; k < count; k++)
        gap = fmin(gap, contact[k].gap);
    return -gap;
}

/* A pose at which the two overlap a little: from a random place along the line of centres, outward until the exact
 * gap is -depth. */
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

/* A needle is held by an inner corner no worse than by a half-plane, although its tip meets the wall behind the corner
 * and not beside it. In a half-plane the largest disc in a tip of half angle β, pressed in by d, has the diameter 2 d
 * sin β / (1 + sin β). */
static void nothing_passes_an_inner_corner(void **unused)
{
    (void)unused;
    const double valley[5][2] = {{-1, 1}, {-1, -1}, {1, -1}, {1, 1}, {0, 0}}, size = 0.3;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_test_places(w.scene, "one");
    ts_outline *wall = form_polygon(valley, 5), *needle;
    ts_outline_mass mass = ts_outline_get_mass(wall);
    ts_outline *drawn = sliver();
    OK(ts_outline_place(drawn, size, 0, (double[2]){0, 0}, &needle, ERROR));
    ts_outline_free(drawn);
    int32_t shape;
    OK(ts_scene_add_outline(w.scene, NULL, needle, &shape, ERROR));
    ts_test_outline(w.scene, NULL, wall, mass.centre[0], mass.centre[1], false);
    ts_test_body(w.scene, shape, 100, 0);
    ts_test_start(&w, 1);
    double half = 0.5 * atan(0.42), plane = 2 * sin(half) / (1 + sin(half)), angle = 0.5 * TS_PI - half;
    /* the tip from the centre of mass, turned */
    double x = -size, y = -0.14 * size, tip[2] = {x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)};
    for (int i = 1; i <= 4; i++) {
        double depth = 0.01 * i, push = 0;
        const ts_contact *contact;
        OK(ts_state_set_pose(w.state, 0, (double[]){-tip[0], -depth - tip[1], angle}, ERROR));
        size_t count = contacts_of(&w, &contact);
        for (size_t k = 0; k < count; k++)
            push += contact[k].weight * -contact[k].gap * contact[k].normal[1];
        assert_true(push > plane * plane * depth);
    }
    ts_outline_free(needle);
    ts_test_close(&w);
}

/* A wall that a drive has turned is the wall drawn at that angle. */
static void turned_walls_are_walls(void **unused)
{
    (void)unused;
    ts_contact seen[2][8];
    size_t count[2];
    double turned = 0;
    for (int drawn = 0; drawn < 2; drawn++) {
        ts_test_world w;
        ts_test_open(&w, 0);
        ts_test_places(w.scene, "one");
        set_matter(w.scene, (matter){1e6, 0, 1, 1e-4});
        int32_t plate, grain;
        ts_outline *outline = zed(), *small = form_make(LUMP, 0.3);
        OK(ts_scene_add_outline(w.scene, NULL, outline, &plate, ERROR));
        OK(ts_scene_add_outline(w.scene, NULL, small, &grain, ERROR));
        ts_outline_free(outline);
        ts_outline_free(small);
        ts_wall_def wall = ts_default_wall();
        wall.kind = TS_WALL_OUTLINE;
        wall.name = "plate";
        wall.shape = plate;
        wall.angle = turned;
        OK(ts_scene_add_wall(w.scene, &wall, NULL, ERROR));
        ts_drive_def drive = ts_default_drive();
        drive.target = "plate";
        drive.kind = TS_DRIVE_ROTATION;
        drive.rate = 3;
        if (!drawn)
            OK(ts_scene_add_drive(w.scene, &drive, NULL, ERROR));
        ts_test_body(w.scene, grain, 100, 0);
        ts_test_start(&w, 1);
        ts_test_step(&w, drawn ? 0 : 5000);
        turned = 3 * ts_state_time(w.state);
        OK(ts_state_set_pose(w.state, 0, (double[]){0.4, 0.45, 1}, ERROR));
        const ts_contact *contact;
        count[drawn] = contacts_of(&w, &contact);
        assert_in_range(count[drawn], 1, 8);
        for (size_t k = 0; k < count[drawn]; k++)
            seen[drawn][k] = contact[k];
        ts_test_close(&w);
    }
    assert_int_equal(count[0], count[1]);
    for (size_t k = 0; k < count[0]; k++) {
        NEAR(seen[0][k].gap, seen[1][k].gap, 1e-9);
        for (int axis = 0; axis < 2; axis++) {
            NEAR(seen[0][k].normal[axis], seen[1][k].normal[axis], 1e-6);
            NEAR(seen[0][k].point_a[axis], seen[1][k].point_a[axis], 1e-6);
        }
    }
}

int main(void)
{
    struct CMUnitTest test[CASES + 2];
    for (size_t i = 0; i < CASES; i++)
        test[i] = (struct CMUnitTest){cases[i].name, pieces_are_the_wall, NULL, NULL, (void *)(uintptr_t)&cases[i]};
    test[CASES] = (struct CMUnitTest)cmocka_unit_test(nothing_passes_an_inner_corner);
    test[CASES + 1] = (struct CMUnitTest)cmocka_unit_test(turned_walls_are_walls);
    return cmocka_run_group_tests(test, NULL, NULL);
}
