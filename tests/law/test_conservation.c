/* SPDX-License-Identifier: MIT */
/* What a closed system keeps, from poses and velocities alone: momentum, angular momentum, and not more energy than
 * it had. */
/* the reference is in long double on purpose */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

#include <math.h>

#include "support/check.h"

#include "base/random.h"
#include "model.h"
#include "support/scenes.h"
#include "workspace.h"

/* Sums over all bodies, with the sums of the terms' sizes: rounding is relative to those. */
typedef struct momenta {
    long double x, y, angular;
    long double linear_scale, angular_scale;
} momenta;

static momenta momenta_of(const ts_test_world *w)
{
    momenta p = {0};
    const ts_body *body = ts_state_bodies(w->state);
    for (size_t i = 0; i < ts_model_body_count(w->model); i++) {
        long double m = ts_model_mass(w->model, i), inertia = ts_test_inertia(w->model, i);
        p.x += m * body[i].vx;
        p.y += m * body[i].vy;
        p.angular +=
            inertia * body[i].spin + m * ((long double)body[i].x * body[i].vy - (long double)body[i].y * body[i].vx);
        p.linear_scale += m * hypotl(body[i].vx, body[i].vy);
        p.angular_scale +=
            inertia * fabsl(body[i].spin) + m * hypotl(body[i].x, body[i].y) * hypotl(body[i].vx, body[i].vy);
    }
    return p;
}

/* Discs and clusters, crowded and flung together, with friction and damping: thousands of impacts, no outside. */
static void free_cloud_keeps_its_momenta(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_test_soften(w.scene, 3e5, 8e-6);
    const double a[] = {0.1, -0.1}, b[] = {0.4, 0.2};
    ts_test_fill(w.scene, a, b, 25, ts_test_rod(w.scene, 0.005, 4), 1, 1, 0.3);
    ts_test_fill(w.scene, a, b, 40, ts_test_triad(w.scene, 0.006), 1, 1, 0.3);
    ts_test_fill(w.scene, a, b, 100, ts_test_disc(w.scene, 0.008), 0.5, 1, 0.3);
    ts_test_start(&w, 1);
    for (size_t i = 0; i < ts_model_body_count(w.model); i++) { /* towards the middle, about it, and to the right */
        const ts_body *body = &ts_state_bodies(w.state)[i];
        double dx = body->x - 0.25, dy = body->y - 0.05;
        OK(ts_state_set_velocity(
            w.state, i,
            (double[]){body->vx + 0.2 - 5 * dx - 2 * dy, body->vy - 5 * dy + 2 * dx, ts_random_range(3, i, 0, -20, 20)},
            ERROR));
    }
    momenta before = momenta_of(&w);
    ts_test_step(&w, 5000);
    momenta after = momenta_of(&w);
    assert_true(w.work->contact_sum > 20000);
    NEAR((double)after.x, (double)before.x, (double)(1e-12L * before.linear_scale));
    NEAR((double)after.y, (double)before.y, (double)(1e-12L * before.linear_scale));
    NEAR((double)after.angular, (double)before.angular, (double)(1e-12L * before.angular_scale));
    /* they are not zero, and what is measured is what the sums say */
    ts_measures measures;
    OK(ts_measure(w.model, w.state, w.work, &measures, ERROR));
    assert_true(fabsl(before.x) > 0.01L * before.linear_scale && fabsl(before.angular) > 0.01L * before.angular_scale);
    NEAR(measures.momentum[0], (double)after.x, (double)(1e-13L * after.linear_scale));
    NEAR(measures.momentum[1], (double)after.y, (double)(1e-13L * after.linear_scale));
    NEAR(measures.angular, (double)after.angular, (double)(1e-13L * after.angular_scale));
    ts_test_close(&w);
}

/* Drift, kick, drift is exact for constant acceleration: what is left is the rounding of each step. */
static void free_flight_is_a_parabola(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    ts_settings settings = ts_scene_settings(w.scene);
    settings.gravity[0] = 2.5;
    settings.time_step = 1e-4;
    OK(ts_scene_set(w.scene, &settings, ERROR));
    ts_material_def soft = ts_default_material();
    soft.stiffness = 1e3;
    OK(ts_scene_set_default_material(w.scene, &soft, ERROR));
    ts_test_body_moving(w.scene, ts_test_triad(w.scene, 0.1), 0.5, 2, 3, 4, -7);
    ts_test_body_moving(w.scene, ts_test_disc(w.scene, 0.1), -0.5, 2, -1, 4, 11);
    ts_test_start(&w, 1);
    ts_body start[2] = {w.model->body[0], w.model->body[1]};
    uint64_t steps = 5000;
    ts_test_step(&w, steps);
    long double t = (long double)steps * 1e-4L;
    for (int i = 0; i < 2; i++) {
        const ts_body *b = &ts_state_bodies(w.state)[i];
        double rounding = 2 * (double)steps * 0x1p-53 * 5; /* 2 × 5000 additions of numbers below 5 */
        NEAR(b->x, (double)(start[i].x + start[i].vx * t + 1.25L * t * t), rounding);
        NEAR(b->y, (double)(start[i].y + start[i].vy * t - 4.905L * t * t), rounding);
        NEAR(b->angle, (double)(start[i].angle + start[i].spin * t), rounding);
        NEAR(b->vx, (double)(start[i].vx + 2.5L * t), rounding);
        NEAR(b->vy, (double)(start[i].vy - 9.81L * t), rounding);
        NEAR(b->spin, start[i].spin, 0);
    }
    NEAR(ts_state_time(w.state), (double)t, 1e-15);
    ts_test_close(&w);
}

static double total_energy(const ts_test_world *w, ts_measures *m)
{
    OK(ts_measure(w->model, w->state, w->work, m, ERROR));
    return m->kinetic + m->rotational + m->gravitational + m->elastic;
}

/* A closed box without drives only loses energy, but for the error of the integration.
 *
 * Drift, kick, drift conserves, for a spring of frequency ω, not E but a quadratic form that differs from it by
 * (ωΔt)²/4 of what the spring exchanges; and a contact that begins or ends within a step is caught up to 2vΔt late,
 * which is worth ½k(2vΔt)². So from one step to the next the energy may seem to rise by (ωΔt)² of what is stored in
 * springs, with ω² = k/m of the lightest body, and by 2k(vΔt)² for each contact; never by more. */
static void closed_box_loses_energy(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        ts_test_world w;
        ts_test_open(&w, -9.81);
        ts_test_soften(w.scene, 1e6, 1e-5);
        ts_test_box(w.scene, 0.3);
        ts_test_plane(w.scene, NULL, 0, 0.4, 0, -1);
        const double a[] = {0, 0}, b[] = {0.3, 0.3};
        if (kind == 0)
            ts_test_fill(w.scene, a, b, 150, ts_test_disc(w.scene, 0.01), 0.5, 1, 0.5);
        else
            ts_test_fill(w.scene, a, b, 80, ts_test_triad(w.scene, 0.006), 0.8, 1, 0.5);
        ts_test_start(&w, 1);
        double lightest = 0, dt = ts_model_time_step(w.model), k = w.model->law[0].kn;
        for (size_t i = 0; i < ts_model_body_count(w.model); i++)
            lightest = fmax(lightest, 1 / ts_model_mass(w.model, i));
        ts_measures m, old;
        double energy = total_energy(&w, &m), first = energy;
        for (int look = 0; look < 4000; look++) {
            old = m;
            double before = energy;
            ts_test_step(&w, 1);
            energy = total_energy(&w, &m);
            double late = 2 * fmax(m.max_speed, old.max_speed) * dt;
            double allowed = k * lightest * dt * dt * (m.elastic + old.elastic) +
                             0.5 * k * late * late * (double)(m.contact_count + old.contact_count) +
                             1e-14 * fabs(first);
            assert_true(energy <= before + allowed);
        }
        assert_true(energy < 0.97 * first); /* there was something to lose */
        ts_test_close(&w);
    }
}

/* Without friction and damping nothing is lost either: over many bounces the energy stays within the same error. */
static void elastic_box_keeps_its_energy(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_test_soften(w.scene, 3e5, 1e-5);
    ts_material_def elastic = ts_default_material();
    elastic.friction = 0;
    elastic.restitution = 1;
    OK(ts_scene_set_default_material(w.scene, &elastic, ERROR));
    ts_test_box(w.scene, 0.3);
    ts_test_plane(w.scene, NULL, 0, 0.3, 0, -1);
    ts_test_fill(w.scene, (double[]){0, 0}, (double[]){0.3, 0.3}, 40, ts_test_triad(w.scene, 0.008), 1, 1, 0.5);
    ts_test_start(&w, 1);
    ts_measures m;
    double first = total_energy(&w, &m);
    ts_test_step(&w, 20000);
    double energy = total_energy(&w, &m);
    NEAR(energy, first, 0.01 * first);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_cloud_keeps_its_momenta),
        cmocka_unit_test(free_flight_is_a_parabola),
        cmocka_unit_test(closed_box_loses_energy),
        cmocka_unit_test(elastic_box_keeps_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
