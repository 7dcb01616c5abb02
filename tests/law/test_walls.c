/* SPDX-License-Identifier: MIT */
/* Walls of lines and arcs obey the laws: statics, momentum, energy, the velocity of a wall that moves, and
 * similarity. */
#include <math.h>

#include "support/check.h"

#include "base/vec.h"
#include "support/walls.h"

/* ---- Statics ---- */

/* A disc in a valley of slopes α and β is held by N_α = W sin β / sin(α + β) and N_β likewise. */
static void a_valley_holds_a_disc_on_both_sides(void **unused)
{
    (void)unused;
    static const double slope[][2] = {{0.7, 0.7}, {0.9, 0.3}, {0.2, 1.3}};
    const double radius = 0.1;
    for (size_t i = 0; i < COUNT(slope); i++) {
        double a = slope[i][0], b = slope[i][1];
        ts_test_world w;
        ts_test_open(&w, -9.81);
        set_matter(w.scene, (matter){1e6, 0, 0.1, 2e-4});
        const ts_vertex valley[] = {{-cos(a), sin(a), 0}, {0, 0, 0}, {cos(b), sin(b), 0}};
        ts_test_polyline(w.scene, NULL, valley, 3, true);
        /* the centre lies at distance r from both slopes */
        double along = radius / sin(0.5 * (TS_PI - a - b)), up = 0.5 * (TS_PI - a - b) + b;
        ts_test_body(w.scene, ts_test_disc(w.scene, radius), along * cos(up), along * sin(up));
        ts_test_start(&w, 1);
        ts_test_step(&w, 10000);
        const ts_contact *contact;
        assert_int_equal(contacts_of(&w, &contact), 2);
        double weight = 9.81 * ts_model_mass(w.model, 0);
        for (int k = 0; k < 2; k++) {
            bool left = contact[k].normal[0] > 0;
            double n = hypot(contact[k].force[0], contact[k].force[1]);
            NEAR(n, weight * sin(left ? b : a) / sin(a + b), 1e-6 * weight);
            NEAR(contact[k].normal[0], left ? sin(a) : -sin(b), 1e-12);
        }
        assert_true(contact[0].key != contact[1].key); /* one wall, two faces */
        assert_int_equal(contact[0].a, contact[1].a);
        ts_test_close(&w);
    }
}

/* Each step the bodies' momentum changes by what gravity and the walls' forces give, and nothing else. */
static void walls_feel_what_they_do(void **unused)
{
    (void)unused;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    set_matter(w.scene, (matter){1e6, 0.5, 0.5, 1e-4});
    const ts_vertex bowl[] = {{-0.5, 0.3, 1}, {0.5, 0.3, 0}};
    const ts_vertex bump[] = {{0.2, -0.1, -0.6}, {-0.2, -0.1, 0}};
    size_t wall[2] = {(size_t)ts_test_polyline(w.scene, NULL, bowl, 2, true),
                      (size_t)ts_test_polyline(w.scene, NULL, bump, 2, true)};
    int32_t triad = ts_test_triad(w.scene, 0.03), disc = ts_test_disc(w.scene, 0.04);
    for (int i = 0; i < 4; i++) {
        ts_test_body_moving(w.scene, triad, -0.3 + 0.2 * i, 0.2, 0.3, -0.5, 1);
        ts_test_body_moving(w.scene, disc, -0.3 + 0.2 * i, 0.35, -0.3, -0.5, 1);
    }
    ts_test_start(&w, 1);
    double dt = ts_model_time_step(w.model), pushed = 0;
    for (int step = 0; step < 4000; step++) {
        ts_measures before, after;
        OK(ts_measure(w.model, w.state, w.work, &before, ERROR));
        ts_test_step(&w, 1);
        OK(ts_measure(w.model, w.state, w.work, &after, ERROR));
        double sum[2] = {0, 0}, mass = 0;
        for (int k = 0; k < 2; k++) {
            double force[3];
            OK(ts_wall_force(w.work, wall[k], force, NULL, ERROR));
            sum[0] += force[0];
            sum[1] += force[1];
            pushed += hypot(force[0], force[1]) > 0;
        }
        for (size_t i = 0; i < ts_model_body_count(w.model); i++)
            mass += ts_model_mass(w.model, i);
        double scale = 1e-12 * (hypot(sum[0], sum[1]) * dt + mass * 10);
        NEAR(after.momentum[0] - before.momentum[0], -dt * sum[0], scale);
        NEAR(after.momentum[1] - before.momentum[1], -dt * (sum[1] + 9.81 * mass), scale);
    }
    assert_true(pushed > 1000);
    ts_test_close(&w);
}

/* ---- Energy ---- */

/* A disc without friction and damping that flies about in a closed room with an outline in it keeps its kinetic energy,
 * over every edge, arc and corner. The springs' own error stays within a share of the time step. */
static void an_elastic_disc_keeps_its_energy(void **unused)
{
    (void)unused;
    ts_test_world w;
    ts_test_open(&w, 0);
    set_matter(w.scene, (matter){1e6, 0, 1, 4e-5});
    const ts_vertex room[] = {{-1, -1, 0}, {1, -1, 0.3}, {1, 1, 0}, {0.2, 1.4, 0}, {-1, 1, -0.2}};
    ts_test_polyline(w.scene, NULL, room, 5, false);
    ts_outline *bar;
    OK(ts_outline_arc(0.3, 0.1, 2, false, &bar, ERROR));
    ts_test_outline(w.scene, NULL, bar, 0.1, 0, false);
    ts_test_body_moving(w.scene, ts_test_disc(w.scene, 0.1), -0.6, -0.5, 1.1, 0.7, 0);
    ts_test_start(&w, 1);
    const double energy = 1.1 * 1.1 + 0.7 * 0.7;
    int hits = 0;
    bool before = false;
    for (int i = 0; i < 10000; i++) {
        ts_test_step(&w, 40);
        const ts_contact *contact;
        bool now = contacts_of(&w, &contact) > 0;
        const ts_body *body = ts_state_bodies(w.state);
        if (!now)
            NEAR(body->vx * body->vx + body->vy * body->vy, energy, 2e-3 * energy);
        hits += now && !before;
        before = now;
    }
    assert_true(hits > 10);
    ts_test_close(&w);
}

/* ---- Motion ---- */

/* An elastic disc at rest leaves a wall that hits it at V with 2V; one that turns hits with ω times the distance. */
static void a_paddle_hits_with_its_velocity(void **unused)
{
    (void)unused;
    for (int turning = 0; turning < 2; turning++) {
        ts_test_world w;
        ts_test_open(&w, 0);
        set_matter(w.scene, (matter){1e8, 0, 1, 1e-6});
        ts_test_outline(w.scene, "paddle", box(1, 0.1), 0, 0, false);
        ts_drive_def drive = ts_default_drive();
        drive.target = "paddle";
        drive.kind = turning ? TS_DRIVE_ROTATION : TS_DRIVE_VELOCITY;
        drive.rate = 2;
        drive.velocity[1] = 0.8;
        OK(ts_scene_add_drive(w.scene, &drive, NULL, ERROR));
        ts_test_body(w.scene, ts_test_disc(w.scene, 0.05), 0.4, 0.101);
        ts_test_start(&w, 1);
        ts_test_step(&w, 8000);
        const ts_contact *contact;
        assert_int_equal(contacts_of(&w, &contact), 0);
        const ts_body *body = ts_state_bodies(w.state);
        NEAR(body->vy, 2 * 0.8, turning ? 0.02 : 1e-3);
        ts_test_close(&w);
    }
}

/* A wall behind a gate is gone while the gate is open. */
static void a_gate_opens_in_a_polyline(void **unused)
{
    (void)unused;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    set_matter(w.scene, (matter){1e6, 0.5, 0.2, 1e-4});
    const ts_vertex shelf[] = {{-1, 0, 0}, {1, 0, 0}};
    ts_test_polyline(w.scene, "shelf", shelf, 2, true);
    ts_drive_def gate = ts_default_drive();
    gate.kind = TS_DRIVE_GATE;
    gate.target = "shelf";
    gate.start = 0.2;
    OK(ts_scene_add_drive(w.scene, &gate, NULL, ERROR));
    ts_test_body(w.scene, ts_test_disc(w.scene, 0.1), 0, 0.1);
    ts_test_start(&w, 1);
    ts_test_step(&w, 2000);
    NEAR(ts_state_bodies(w.state)->y, 0.1, 1e-3);
    ts_test_step(&w, 2000);
    NEAR(ts_state_bodies(w.state)->y, 0.1 - 0.5 * 9.81 * 0.2 * 0.2, 2e-3); /* free fall */
    ts_test_close(&w);
}

/* ---- Scale ---- */

/* Lengths and gravity times a power of two, stiffness times its square (as the masses): every length of the result is
 * that many times as long, to the last digits. */
static void size_does_not_matter(void **unused)
{
    (void)unused;
    static const double scale[] = {1, 1.0 / 1024, 1024};
    double x[3], y[3], angle[3];
    for (int k = 0; k < 3; k++) {
        double s = scale[k];
        ts_test_world w;
        ts_test_open(&w, -9.81 * s);
        set_matter(w.scene, (matter){1e6 * s * s, 0.5, 0.5, 1e-4});
        const ts_vertex bowl[] = {
            {-1 * s, 1 * s, 0}, {-0.4 * s, 0.1 * s, 0.5}, {0.4 * s, 0.1 * s, 0}, {1 * s, 0.7 * s, 0}};
        ts_test_polyline(w.scene, NULL, bowl, 4, true);
        ts_test_outline(w.scene, NULL, box(0.2 * s, 0.1 * s), 0.1 * s, 0.2 * s, false);
        ts_test_body(w.scene, ts_test_disc(w.scene, 0.1 * s), -0.6 * s, 0.9 * s);
        ts_test_start(&w, 1);
        ts_test_step(&w, 12000);
        const ts_body *body = ts_state_bodies(w.state);
        x[k] = body->x / s;
        y[k] = body->y / s;
        angle[k] = body->angle;
        ts_test_close(&w);
    }
    for (int k = 1; k < 3; k++) {
        NEAR(x[k], x[0], 1e-9);
        NEAR(y[k], y[0], 1e-9);
        NEAR(angle[k], angle[0], 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_valley_holds_a_disc_on_both_sides), cmocka_unit_test(walls_feel_what_they_do),
        cmocka_unit_test(an_elastic_disc_keeps_its_energy),    cmocka_unit_test(a_paddle_hits_with_its_velocity),
        cmocka_unit_test(a_gate_opens_in_a_polyline),          cmocka_unit_test(size_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
