/* SPDX-License-Identifier: MIT */
/* The grain library: what the shapes of scenes/shapes must be by their closed forms, and that a chain of links holds
 * together and bends. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "scene/scene.h"

static ts_scene *load(const char *file)
{
    const char *root = getenv("SOURCE_DIR");
    char path[4096];
    ts_scene *scene = NULL;
    ts_error error;
    snprintf(path, sizeof path, "%s/scenes/shapes/%s", root ? root : ".", file);
    if (ts_scene_load(path, NULL, &scene, &error) != TS_OK)
        fail_msg("%s: %s", path, error.message);
    return scene;
}

static const ts_scene_shape *shape_of(const ts_scene *scene, const char *name)
{
    int32_t index = ts_scene_find_shape(scene, name);
    if (index < 0)
        fail_msg("there is no %s", name);
    return &scene->shape.item[index];
}

static void test_forms(void **state)
{
    (void)state;
    /* areas as a person would add them up [m²], and groups: n, mirror */
    const double t = 0.2, pi = TS_PI;
    const struct {
        const char *file, *name;
        double area;
        int32_t rotations;
        bool mirror;
    } known[] = {
        {"grains.json", "O", pi * (0.49 - 0.25), 0, true},
        {"grains.json", "U", 2 * 0.6 * t + pi / 2 * (0.45 * 0.45 - 0.25 * 0.25), 1, true},
        {"grains.json", "N", 2 * 1 * t + 0.239669473 - (t * (0.5 - 0.197121378)), 2, false},
        {"grains.json", "D", 0.4 * 1 + pi / 2 * 0.25 - (0.2 * 0.6 + pi / 2 * 0.09), 1, true},
        {"grains.json", "hash", 4 * 1.28 * 0.16 - 4 * 0.16 * 0.16, 4, true},
        {"grains.json", "octagon", 2 * sqrt(2) * 0.49, 8, true},
        {"arcs.json", "arc-25", 0.14 * 0.7 * pi / 2 + pi * 0.07 * 0.07, 1, true},
        {"arcs.json", "arc-50", 0.14 * 0.7 * pi + pi * 0.07 * 0.07, 1, true},
        {"arcs.json", "arc-75", 0.14 * 0.7 * pi * 3 / 2 + pi * 0.07 * 0.07, 1, true},
        {"arcs.json", "arc-100", 0.14 * 0.7 * pi * 2, 0, true},
        {"walls.json", "block", 1, 4, true},
        {"walls.json", "half-plane", 18, 2, true},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ts_scene *scene = load(known[i].file);
        const ts_scene_shape *shape = shape_of(scene, known[i].name);
        ts_symmetry symmetry;
        ts_error error;
        double area = ts_outline_get_mass(shape->outline).area;
        if (fabs(area - known[i].area) > 1e-8)
            fail_msg("%s has area %.10g instead of %.10g", known[i].name, area, known[i].area);
        assert_int_equal(ts_outline_note_count(shape->outline), 0);
        assert_int_equal(ts_outline_symmetry(shape->outline, 0, &symmetry, &error), TS_OK);
        if (symmetry.rotations != known[i].rotations || symmetry.mirror != known[i].mirror)
            fail_msg("%s has symmetry %c%d", known[i].name, symmetry.mirror ? 'D' : 'C', symmetry.rotations);
        ts_scene_free(scene);
    }
}

/* Nine, none in need of repair, capitals 1 m high (round letters a little more, as printers do). */
static void test_graphics(void **state)
{
    (void)state;
    ts_scene *scene = load("graphics.json");
    assert_int_equal(scene->shape.count, 9);
    static const char *const name[] = {"I", "heart", "G", "R", "A", "P", "H", "C", "S"};
    for (size_t i = 0; i < 9; i++) {
        const ts_scene_shape *shape = shape_of(scene, name[i]);
        double low = 1e9, high = -1e9;
        for (size_t c = 0; c < ts_outline_contour_count(shape->outline); c++) {
            ts_contour contour = ts_outline_get_contour(shape->outline, c);
            for (size_t k = 0; k < contour.vertex_count; k++) {
                low = fmin(low, contour.vertex[k].y);
                high = fmax(high, contour.vertex[k].y);
            }
        }
        assert_int_equal(ts_outline_note_count(shape->outline), 0);
        if (strcmp(name[i], "heart") != 0 && !(high - low > 0.999 && high - low < 1.05))
            fail_msg("%s is %g m high", name[i], high - low);
    }
    ts_scene_free(scene);
}

/* ---- The chain ---- */

enum { walk_points = 400 };

/* Least signed distance to `fixed` of points along the boundary of `moved`, which is turned about (pivot, 0) by `angle`
 * and then shifted: negative when they overlap, near enough. */
static double clearance(const ts_outline *fixed, const ts_outline *moved, double pivot, double angle,
                        const double shift[2])
{
    double least = 1e9, sine = sin(angle), cosine = cos(angle);
    ts_contour contour = ts_outline_get_contour(moved, 0);
    for (size_t k = 0; k < contour.vertex_count; k++) {
        const ts_vertex *p = &contour.vertex[k], *q = &contour.vertex[(k + 1) % contour.vertex_count];
        double sweep = 4 * atan(p->bulge), dx = q->x - p->x, dy = q->y - p->y, x[walk_points], y[walk_points],
               distance[walk_points];
        for (int i = 0; i < walk_points; i++) {
            double s = (double)i / walk_points, px = p->x + s * dx, py = p->y + s * dy;
            if (p->bulge != 0) { /* about the arc's centre, on the left of the chord where the sweep is small */
                double h = 0.5 / tan(sweep / 2), cx = p->x + dx / 2 - h * dy, cy = p->y + dy / 2 + h * dx;
                double c = cos(s * sweep), d = sin(s * sweep);
                px = cx + c * (p->x - cx) - d * (p->y - cy);
                py = cy + d * (p->x - cx) + c * (p->y - cy);
            }
            x[i] = cosine * (px - pivot) - sine * py + shift[0];
            y[i] = sine * (px - pivot) + cosine * py + shift[1];
        }
        ts_outline_distance(fixed, walk_points, x, y, distance, NULL, NULL);
        for (int i = 0; i < walk_points; i++)
            least = fmin(least, distance[i]);
    }
    return least;
}

static void test_chain(void **state)
{
    (void)state;
    ts_scene *scene = load("chain.json");
    const ts_outline *link = shape_of(scene, "link")->outline;
    /* the scene has moved the link to its centre of mass; the ball's foremost point tells where it lies now */
    double front = -1e9;
    ts_contour contour = ts_outline_get_contour(link, 0);
    for (size_t k = 0; k < contour.vertex_count; k++)
        front = fmax(front, contour.vertex[k].x); /* where the neck meets the ball */
    double ball = front + sqrt(0.2 * 0.2 - 0.07 * 0.07), socket = ball - 0.8;
    const double seat[2] = {socket, 0};
    /* one link's ball in the other's socket: it turns freely … */
    for (int degrees = -30; degrees <= 30; degrees += 5) {
        double room = clearance(link, link, ball, degrees * TS_PI / 180, seat);
        if (!(room > 0 && room < 0.011))
            fail_msg("bent by %d degrees, the joint has a clearance of %g m", degrees, room);
    }
    /* … up to 30.5 degrees … */
    assert_true(clearance(link, link, ball, 34 * TS_PI / 180, seat) < 0);
    assert_true(clearance(link, link, ball, -34 * TS_PI / 180, seat) < 0);
    /* … and goes nowhere: one centimetre of play, two towards the opening, and it overlaps; the way out is barred, too
     * */
    for (int i = 0; i < 24; i++) {
        double way = i * TS_PI / 12;
        for (double far = 0.025; far < 0.14; far += 0.02) {
            const double pulled[2] = {socket + far * cos(way), far * sin(way)};
            if (!(clearance(link, link, ball, 0, pulled) < 0))
                fail_msg("the ball leaves its socket at %d degrees, %g m", i * 15, far);
        }
    }
    ts_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_graphics),
        cmocka_unit_test(test_chain),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
