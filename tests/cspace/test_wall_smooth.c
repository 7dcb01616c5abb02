/* SPDX-License-Identifier: MIT */
/* Grains at walls, smoothed and sharp: means over angles, gradients by differences, no jumps where faces lie flat, and
 * energy. */
#include "cspace/wall.h"

#include <math.h>

#include "cspace/walls.h"

/* ---- Means ---- */

/* Smoothed, it is the mean of what it was: over 4000 angles, off by the square of their distance where there is a kink.
 * */
static void smoothing_is_a_mean(void **state)
{
    (void)state;
    enum { angles = 4000 };
    const double width = 0.07;
    static ts_wall_pose pose[angles];
    static ts_map_contact c[angles];
    for (size_t g = 0; g < grain_count; g++) {
        ts_outline *o = grain(g);
        ts_wall_map *sharp = map_of(o, 0), *smooth = map_of(o, width);
        for (size_t w = 0; w < wall_count; w++)
            for (uint64_t i = 0; i < 8; i++) {
                ts_wall_pose p = pose_at(walls[w], i);
                double gap = 0, turn = 0;
                for (int k = 0; k < angles; k++) {
                    pose[k] = p;
                    pose[k].angle += width * ((k + 0.5) / angles - 0.5);
                }
                ask_all(sharp, walls[w], angles, pose, c);
                for (int k = 0; k < angles; k++) {
                    gap += c[k].gap / angles;
                    turn += c[k].turn_b / angles;
                }
                ts_map_contact is = ask(smooth, walls[w], p);
                NEAR(is.gap, gap, 2e-9);
                NEAR(is.turn_b, turn, 2e-3); /* one angle on the other side of a kink: 2 R of 4000 */
            }
        ts_outline_free(o);
        ts_wall_map_free(sharp);
        ts_wall_map_free(smooth);
    }
}

/* A triangle in a circle hardly larger than itself. Turned by little, one corner overtakes the other and falls back
 * again: the circle's centre, seen from the triangle, goes around the centre of mass and touches the line from which
 * both are equally far. */
static void corners_overtake(void **state)
{
    (void)state;
    enum { angles = 20000, steps = 41 };
    const double corner[3][2] = {{0, 0}, {1.6, 0}, {0.2, 0.8}}, width = 0.3, radius = 0.9;
    ts_outline *o = form_polygon(corner, 3);
    ts_wall_map *sharp = map_of(o, 0), *smooth = map_of(o, width);
    static ts_wall_pose pose[angles];
    static ts_map_contact c[angles];
    int fell_back = 0;
    for (int i = 0; i < steps; i++) {
        ts_wall_pose p = {-0.198 - 0.0002 * i, 0, 0, 1}; /* the line is 0.2 away */
        double gap = 0, push = 0;
        for (int k = 0; k < angles; k++) {
            pose[k] = p;
            pose[k].angle += width * ((k + 0.5) / angles - 0.5);
        }
        ts_wall_circle(sharp, radius, angles, pose, c);
        for (int k = 0; k < angles; k++) {
            gap += c[k].gap / angles;
            push += c[k].slope * c[k].normal[0] / angles;
        }
        ts_map_contact is = ask(smooth, radius, p);
        NEAR(is.gap, gap, 1e-9);
        NEAR(is.slope * is.normal[0], push, 4.0 / angles);
        fell_back += c[0].normal[0] * c[angles / 2].normal[0] < 0 && c[0].normal[0] * c[angles - 1].normal[0] > 0;
    }
    assert_true(fell_back > 5); /* or nothing was tested */
    ts_outline_free(o);
    ts_wall_map_free(sharp);
    ts_wall_map_free(smooth);
}

/* A box that lies in a drum on two corners: as a chord does. Even about the middle, level, and never a jump. */
static void boxes_in_a_drum(void **state)
{
    (void)state;
    const double a = 0.5, b = 0.2, radius = 3, y = -sqrt(radius * radius - a * a) + b;
    ts_outline *o;
    OK(ts_outline_box(2 * a, 2 * b, 0, &o, ERROR));
    ts_wall_map *sharp = map_of(o, 0), *smooth = map_of(o, 0.03);
    NEAR(ask(sharp, radius, (ts_wall_pose){0, y, 0, 1}).gap, 0, 1e-15);
    for (int i = 0; i < 12; i++) {
        double to = 0.5 * i + 0.1; /* the same elsewhere on the rim */
        ts_map_contact c = ask(smooth, radius, (ts_wall_pose){-y * sin(to), y * cos(to), to, 1});
        NEAR(c.turn_b, 0, 1e-13);
        NEAR(c.normal[0], -sin(to), 1e-13);
        NEAR(c.normal[1], cos(to), 1e-13);
        NEAR(hypot(c.point_a[0], c.point_a[1]), radius, 1e-13);
        /* half of the window on each corner: two forces, ± the angle of half the chord, and a little less */
        NEAR(c.slope, sqrt(radius * radius - a * a) / radius, 0.03 * 0.2);
    }
    for (int i = 1; i <= 100; i++) {
        double t = 0.0007 * i;
        ts_map_contact c = ask(smooth, radius, (ts_wall_pose){0, y, t, 1}),
                       d = ask(smooth, radius, (ts_wall_pose){0, y, -t, 1});
        NEAR(c.gap, d.gap, 1e-14);
        NEAR(c.turn_b, -d.turn_b, 1e-13);
        assert_true(c.turn_b < 0); /* the gap is largest when it lies flat: it is pushed back */
    }
    ts_outline_free(o);
    ts_wall_map_free(sharp);
    ts_wall_map_free(smooth);
}

/* ---- Derivatives ---- */

static double along(const ts_wall_map *map, double radius, ts_wall_pose p, int axis, double h)
{
    (axis == 0 ? &p.x : axis == 1 ? &p.y : &p.angle)[0] += h;
    return ask(map, radius, p).gap;
}

static void gradients_are_true(void **state)
{
    (void)state;
    const double h = 1e-6, smoothing[] = {0, 0.05, 0.5};
    for (size_t g = 0; g < grain_count; g++) {
        ts_outline *o = grain(g);
        for (size_t k = 0; k < 3; k++) {
            ts_wall_map *map = map_of(o, smoothing[k]);
            for (size_t w = 0; w < wall_count; w++)
                for (uint64_t i = 0; i < 60; i++) {
                    ts_wall_pose p = pose_at(walls[w], i);
                    ts_map_contact c = ask(map, walls[w], p);
                    double is[3] = {c.slope * c.normal[0], c.slope * c.normal[1], c.turn_b};
                    for (int axis = 0; axis < 3; axis++) {
                        double up = along(map, walls[w], p, axis, h), down = along(map, walls[w], p, axis, -h);
                        /* a kink between: none of 60 poses is that near to one */
                        NEAR(is[axis], (up - down) / (2 * h), smoothing[k] > 0 ? 2e-5 : 2e-7);
                    }
                    assert_true(c.slope <= 1 + 1e-14);
                }
            ts_wall_map_free(map);
        }
        ts_outline_free(o);
    }
}

/* A full turn in small steps. The derivative of a mean over `width` changes by no more than the function does between
 * its ends. */
static void no_jumps(void **state)
{
    (void)state;
    enum { steps = 20000 };
    const double width = 0.02, step = 2 * TS_PI / steps;
    static ts_wall_pose pose[steps];
    static ts_map_contact c[steps];
    for (size_t g = 0; g < grain_count; g++) {
        ts_outline *o = grain(g);
        double radius = ts_outline_get_mass(o).radius, most = step * (2 * radius / width + 2 * radius);
        ts_wall_map *map = map_of(o, width);
        for (size_t w = 0; w < wall_count; w++) {
            for (int i = 0; i < steps; i++)
                pose[i] = (ts_wall_pose){0.2, walls[w] > 0 ? 0.5 - walls[w] : 0.5, step * i, 1};
            ask_all(map, walls[w], steps, pose, c);
            for (int i = 0; i < steps; i++) {
                const ts_map_contact *next = &c[(i + 1) % steps];
                assert_true(fabs(next->turn_b - c[i].turn_b) <= most);
                /* the rule of trapezoids, for a function that changes at most so fast */
                NEAR(next->gap - c[i].gap, 0.5 * step * (next->turn_b + c[i].turn_b), 0.25 * step * most);
            }
        }
        ts_outline_free(o);
        ts_wall_map_free(map);
    }
}

/* In a drum, places as well: a box moved sideways from one corner to the other. */
static void no_jumps_in_a_drum(void **state)
{
    (void)state;
    ts_outline *o;
    OK(ts_outline_box(1, 0.4, 0, &o, ERROR));
    const double width = 0.02, radius = 4, step = 1e-5;
    ts_wall_map *map = map_of(o, width), *sharp = map_of(o, 0);
    double largest = 0, jump = 0;
    ts_map_contact before = ask(map, radius, (ts_wall_pose){-0.1, -3.7, 0, 1}), sharp_before = before;
    for (int i = 1; i < 20000; i++) {
        ts_wall_pose p = {-0.1 + step * i, -3.7, 0, 1};
        ts_map_contact c = ask(map, radius, p), s = ask(sharp, radius, p);
        double dx = c.slope * c.normal[0] - before.slope * before.normal[0];
        largest = fmax(largest, hypot(dx, c.slope * c.normal[1] - before.slope * before.normal[1]));
        jump = i > 1 ? fmax(jump, fabs(s.normal[0] - sharp_before.normal[0])) : 0;
        before = c;
        sharp_before = s;
    }
    /* the corners are 1 apart, seen from 4 away: the normal turns by 1/4, at once or over `width` of 3.7 */
    assert_true(jump > 0.24);
    assert_true(largest < 1.1 * 0.25 * step / (width * 3.7) + step);
    ts_outline_free(o);
    ts_wall_map_free(map);
    ts_wall_map_free(sharp);
}

/* A large circle is a plane: between the two lies x² / 2 R, and as much for each corner's place. */
static void large_circles_are_flat(void **state)
{
    (void)state;
    const double radius = 1e6;
    for (size_t g = 0; g < grain_count; g++) {
        ts_outline *o = grain(g);
        for (int k = 0; k < 2; k++) {
            ts_wall_map *map = map_of(o, k ? 0.05 : 0);
            for (uint64_t i = 0; i < 50; i++) {
                ts_wall_pose p = pose_at(0, i), q = p;
                q.x = 0;
                q.y = p.y - radius;
                ts_map_contact flat = ask(map, 0, p), round = ask(map, radius, q);
                NEAR(round.gap, flat.gap, 2e-6);
                NEAR(round.slope, 1, 1e-6);
                NEAR(round.turn_b, flat.turn_b, k ? 1e-4 : 1e-5);
            }
            ts_wall_map_free(map);
        }
        ts_outline_free(o);
    }
}

/* ---- What it is for ---- */

typedef struct flight {
    ts_wall_pose at;
    double vx, vy, spin;
} flight;

static void kick(flight *f, const ts_map_contact *c, double impulse, double inertia)
{
    f->vx += impulse * c->slope * c->normal[0];
    f->vy += impulse * c->slope * c->normal[1];
    f->spin += impulse * c->turn_b / inertia;
}

/* A grain of mass 1 that flies about in a drum without friction or loss, under the force -k gap along the gradient: the
 * largest relative change of its energy. */
static double energy_error(const ts_wall_map *map, double inertia, int steps)
{
    const double drum = 1.6, k = 400, h = 20.0 / steps;
    flight f = {{0.1, -0.2, 0.3, 1}, 0.7, 0.4, 1.1};
    double first = 0, worst = 0;
    for (int i = 0; i <= steps; i++) {
        ts_map_contact c = ask(map, drum, f.at);
        double deep = fmax(-c.gap, 0), half = 0.5 * h * k * deep;
        if (i > 0)
            kick(&f, &c, half, inertia);
        double energy = 0.5 * (f.vx * f.vx + f.vy * f.vy + inertia * f.spin * f.spin + k * deep * deep);
        first = i == 0 ? energy : first;
        worst = fmax(worst, fabs(energy - first) / first);
        kick(&f, &c, half, inertia);
        f.at.x += h * f.vx;
        f.at.y += h * f.vy;
        f.at.angle += h * f.spin;
    }
    return worst;
}

/* Kept when gap, gradient and turn belong together, up to what the leapfrog leaves: steps of an eighth leave 1/64 of
 * it, give or take what other impacts do that follow. A jump would leave 1/8, a wrong derivative all of it. */
static void energy_is_kept(void **state)
{
    (void)state;
    for (size_t g = 0; g < grain_count; g += 3) {
        ts_outline *o = grain(g);
        ts_wall_map *map = map_of(o, 0.1);
        ts_outline_mass m = ts_outline_get_mass(o);
        double coarse = energy_error(map, m.inertia / m.area, 5000),
               fine = energy_error(map, m.inertia / m.area, 40000);
        if (!(fine < 0.05 * coarse))
            fail_msg("grain %zu: energy is off by %g, and by %g in steps of an eighth", g, coarse, fine);
        ts_outline_free(o);
        ts_wall_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smoothing_is_a_mean),
        cmocka_unit_test(corners_overtake),
        cmocka_unit_test(boxes_in_a_drum),
        cmocka_unit_test(gradients_are_true),
        cmocka_unit_test(no_jumps),
        cmocka_unit_test(no_jumps_in_a_drum),
        cmocka_unit_test(large_circles_are_flat),
        cmocka_unit_test(energy_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
