/* SPDX-License-Identifier: MIT */
/* Contact forces of impact: what is listed is the whole impulse of the last step over its length, normal
 * and friction, so it is what changed the bodies' momenta. */
#include <math.h>

#include "support/check.h"

#include "support/world3.h"
#include "workspace.h"

#define G    9.81
#define STEP (1.0 / 240)

static void strike_with(ts_scene *scene, double friction, uint64_t staggered, uint64_t sweeps)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "impact";
    ts_dynamics_set(&dynamics, "staggered", (double)staggered);
    ts_dynamics_set(&dynamics, "sweeps", (double)sweeps);
    material.restitution = 0;
    material.friction = friction;
    settings.time_step = STEP;
    settings.duration = 1000;
    OK(ts_scene_set(scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(scene, &material, ERROR));
    OK(ts_scene_set_map(scene, &(ts_map_options){.kind = TS_MAP_EXACT}, ERROR));
}

static const struct {
    uint64_t staggered, sweeps;
} ways[] = {{0, 0}, {50, 0}, {0, 200}};

/* A disc that is let go on a slope rolls: it presses with m g cos θ, and friction holds it back with a third of m g sin
 * θ. The wall feels the opposite. A copy of the state, looked at by another workspace, has the same force. */
static void a_disc_on_a_slope(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        const double slope = 15 * acos(-1) / 180, n[2] = {sin(slope), cos(slope)}, t[2] = {-n[1], n[0]};
        ts_test_world w = {0};
        ts_test_open(&w, -G);
        strike_with(w.scene, 0.5, ways[way].staggered, ways[way].sweeps);
        ts_test_plane(w.scene, NULL, 0, 0, n[0], n[1]);
        ts_test_body(w.scene, ts_test_disc(w.scene, 0.5), 0.5 * n[0], 0.5 * n[1]);
        ts_test_start(&w, 1);
        ts_test_step(&w, 120);
        const double weight = ts_model_mass(w.model, 0) * G, pressed = weight * cos(slope),
                     held = weight * sin(slope) / 3;
        ts_state *copy;
        ts_workspace *other;
        OK(ts_state_create(w.model, &copy, ERROR));
        OK(ts_state_copy(copy, w.state, ERROR));
        OK(ts_workspace_create(w.model, 1, &other, ERROR));
        const ts_contact *contact;
        size_t count;
        double wall[3], torque[3];
        OK(ts_find_contacts(w.model, copy, other, &contact, &count, ERROR));
        assert_int_equal(count, 1);
        OK(ts_wall_force(w.work, 0, wall, torque, ERROR));
        for (int d = 0; d < 2; d++) {
            NEAR(contact[0].force[d], pressed * n[d] + held * t[d], 1e-3 * weight);
            NEAR(wall[d], -contact[0].force[d], 1e-12 * weight);
        }
        ts_workspace_free(other);
        ts_state_free(copy);
        ts_test_close(&w);
    }
}

/* In a settled heap the listed forces on each body are what its weight and the change of its momentum ask for, to
 * rounding; those of the walls are the weight of all. */
static void a_heap_carries_its_weight(void **state)
{
    (void)state;
    enum { COUNT = 20, STEPS = 60 };
    for (int way = 1; way < 3; way++) {
        const double a[] = {-0.8, 0.3}, b[] = {0.8, 6};
        ts_test_world w = {0};
        double force[COUNT][2] = {{0}}, walls[2] = {0}, worst = 0, friction = 0, before[COUNT][2];
        ts_test_open(&w, -G);
        strike_with(w.scene, 0.5, ways[way].staggered, ways[way].sweeps);
        ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
        ts_test_plane(w.scene, NULL, -1, 0, 1, 0);
        ts_test_plane(w.scene, NULL, 1, 0, -1, 0);
        ts_test_fill(w.scene, a, b, 14, ts_test_disc(w.scene, 0.2), 0.6, 1, 0.3);
        ts_test_fill(w.scene, a, b, 6, ts_test_triad(w.scene, 0.1), 0.8, 1, 0.3);
        ts_test_start(&w, 1);
        ts_test_step(&w, 240 * 10);
        double total = 0;
        for (size_t i = 0; i < COUNT; i++) {
            total += ts_model_mass(w.model, i) * G;
            before[i][0] = w.state->body[i].vx;
            before[i][1] = w.state->body[i].vy;
        }
        for (int step = 0; step < STEPS; step++) {
            const ts_contact *contact;
            size_t count;
            ts_test_step(&w, 1);
            OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
            for (size_t k = 0; k < count; k++) {
                const ts_contact *c = &contact[k];
                friction = fmax(friction, fabs(c->force[1] * c->normal[0] - c->force[0] * c->normal[1]));
                for (int d = 0; d < 2; d++) {
                    force[c->b][d] += c->force[d] / STEPS;
                    if (c->a >= 0)
                        force[c->a][d] -= c->force[d] / STEPS;
                    else
                        walls[d] += c->force[d] / STEPS;
                }
            }
        }
        for (size_t i = 0; i < COUNT; i++) {
            const double m = ts_model_mass(w.model, i), time = STEPS * STEP;
            const double rest[2] = {force[i][0] - m * (w.state->body[i].vx - before[i][0]) / time,
                                    force[i][1] - m * (w.state->body[i].vy - before[i][1]) / time - m * G};
            worst = fmax(worst, hypot(rest[0], rest[1]) / (m * G));
        }
        NEAR(walls[1] / total, 1, 2e-3);
        NEAR(walls[0] / total, 0, 2e-3);
        assert_true(friction > 0.01 * total); /* without it the sums would be far off */
        assert_true(worst < 1e-9);
        ts_test_close(&w);
    }
}

/* Upward force on everything that rests on wall or body `floor`, by the list of contacts. */
static double pressed_on(const ts_test_world *w, int64_t floor, int up)
{
    const ts_contact *contact;
    size_t count;
    double sum = 0;
    OK(ts_find_contacts(w->model, w->state, w->work, &contact, &count, ERROR));
    for (size_t k = 0; k < count; k++) {
        sum += contact[k].a == floor ? contact[k].force[up] : 0;
        sum -= contact[k].b == floor ? contact[k].force[up] : 0;
    }
    return sum;
}

static ts_outline *slab_of(double width, double height)
{
    ts_outline *slab;
    OK(ts_outline_box(width, height, 0, &slab, ERROR));
    return slab;
}

static const double radii[] = {1e-3, 0.013, 0.1, 0.37, 3};

/* What rests is listed in every step with the force that carries it, whatever the floor is and whatever the size. */
static void a_disc_at_rest_is_listed(void **state)
{
    (void)state;
    for (int floor = 0; floor < 3; floor++)
        for (size_t i = 0; i < sizeof radii / sizeof *radii; i++)
            for (int way = 1; way < 3; way++) {
                const double r = radii[i], wide = 10 * r;
                ts_test_world w = {0};
                ts_test_open(&w, -G);
                strike_with(w.scene, 0.5, ways[way].staggered, ways[way].sweeps);
                if (floor == 0)
                    ts_test_polyline(w.scene, NULL, (ts_vertex[]){{-wide, 0, 0}, {wide, 0, 0}}, 2, true);
                else if (floor == 1)
                    ts_test_outline(w.scene, NULL, slab_of(wide, r), 0, -0.5 * r, false);
                else
                    ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
                ts_test_body(w.scene, ts_test_disc(w.scene, r), 0.1 * r, r);
                ts_test_start(&w, 1);
                ts_test_step(&w, 100);
                const double weight = ts_model_mass(w.model, 0) * G;
                for (int step = 0; step < 10; step++) {
                    ts_test_step(&w, 1);
                    NEAR(pressed_on(&w, -1, 1) / weight, 1, 1e-9);
                }
                ts_test_close(&w);
            }
}

/* In space: a box on a box, the upper one a hundred times as heavy, then a hundredth. */
static void a_stack_at_rest_is_listed(void **state)
{
    (void)state;
    for (int heavy = 0; heavy < 2; heavy++)
        for (size_t i = 0; i < sizeof radii / sizeof *radii; i++)
            for (int way = 0; way < 2; way++) {
                const double r = radii[i], ratio = cbrt(100), lower = heavy ? r / ratio : r,
                             upper = heavy ? r : r / ratio;
                ts_test_world w = {0};
                ts_test_space(&w, -G);
                ts_test_impact3(w.scene, "gr", 0, 0.5, STEP);
                if (way)
                    ts_test_sweeps3(w.scene, 50);
                ts_test_floor(w.scene);
                ts_test_body3(w.scene, ts_test_block(w.scene, 2 * lower, 2 * lower, 2 * lower), 0, 0, lower);
                ts_test_body3(w.scene, ts_test_block(w.scene, 2 * upper, 2 * upper, 2 * upper), 0, 0,
                              2 * lower + upper);
                ts_test_start(&w, 1);
                ts_test_step(&w, 100);
                const double m[2] = {ts_model_mass(w.model, 0), ts_model_mass(w.model, 1)}, all = (m[0] + m[1]) * G;
                for (int step = 0; step < 10; step++) { /* momentum that impulses change: that steps begin with */
                    const double before = m[0] * w.state->onward[2] + m[1] * w.state->onward[8];
                    ts_test_step(&w, 1);
                    const double after = m[0] * w.state->onward[2] + m[1] * w.state->onward[8];
                    const double pressed = pressed_on(&w, -1, 2);
                    NEAR((pressed - (after - before) / STEP) / all, 1, 1e-9);
                    if (!way || !heavy) /* 50 sweeps are too few for what is heavy on what is light */
                        NEAR(pressed / all, 1, 1e-9);
                }
                ts_test_close(&w);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_on_a_slope),
        cmocka_unit_test(a_heap_carries_its_weight),
        cmocka_unit_test(a_disc_at_rest_is_listed),
        cmocka_unit_test(a_stack_at_rest_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
