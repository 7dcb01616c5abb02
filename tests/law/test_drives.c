/* SPDX-License-Identifier: MIT */
/* Scripted bodies and walls: they are where their script says, drag what touches them, and vanish on time. */
#include <math.h>

#include "support/check.h"

#include "support/scenes.h"

/* Driven bodies are at the end of each step where the script puts them, also at the first, also after the script has
 * ended, and have the velocity that took them there. */
static void driven_bodies_follow_their_script(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    int32_t disc = ts_test_disc(w.scene, 0.1);
    ts_test_body(w.scene, disc, 0, 10);
    static const char *const name[] = {"rotor", "shaker", "slider"};
    for (int i = 0; i < 3; i++)
        ts_test_fixed(w.scene, name[i], disc, 3.0 * i - 3, 0);
    ts_drive_def rotor = ts_default_drive(), shaker = rotor, slider = rotor;
    rotor.kind = TS_DRIVE_ROTATION;
    rotor.target = "rotor";
    rotor.rate = 3;
    rotor.pivot[0] = -3;
    rotor.pivot[1] = 1;
    OK(ts_scene_add_drive(w.scene, &rotor, NULL, ERROR));
    shaker.kind = TS_DRIVE_OSCILLATION;
    shaker.target = "shaker";
    shaker.amplitude[0] = 0.2;
    shaker.frequency = 2;
    shaker.phase = 1; /* it is out of its rest position at time 0 */
    OK(ts_scene_add_drive(w.scene, &shaker, NULL, ERROR));
    slider.kind = TS_DRIVE_VELOCITY;
    slider.target = "slider";
    slider.velocity[1] = 2;
    slider.start = 0.01;
    slider.end = 0.05;
    OK(ts_scene_add_drive(w.scene, &slider, NULL, ERROR));
    ts_test_start(&w, 1);
    double dt = ts_model_time_step(w.model), fastest = 0;
    const ts_body *body = ts_state_bodies(w.state);
    uint64_t steps = (uint64_t)(0.1 / dt);
    for (uint64_t step = 0; step <= steps; step++) {
        double t = ts_state_time(w.state);
        NEAR(body[1].x, -3 + sin(3 * t), 1e-12);
        NEAR(body[1].y, 1 - cos(3 * t), 1e-12);
        NEAR(body[1].angle, 3 * t, 1e-12);
        NEAR(body[2].x, 0.2 * sin(4 * acos(-1) * t + 1), 1e-12);
        NEAR(body[3].y, t < 0.01 ? 0 : t > 0.05 ? 0.08 : 2 * (t - 0.01), 1e-12);
        fastest = fmax(fastest, fabs(body[2].vx));
        ts_test_step(&w, 1);
    }
    assert_true(fastest <= 0.2 * 4 * acos(-1) * (1 + 1e-9)); /* no jump at the start */
    ts_test_close(&w);
}

/* A floor that moves along itself at V drags a disc by friction until the point of contact moves with it. The impulse
 * J gives v = J/m, and the rim a speed of J b²/I = 2(J/m)(b/r)² besides, with the arm b = r - d/2 to the middle of
 * the overlap d = mg/k: so the disc ends at V/(1 + 2(b/r)²), a third of V, whatever μ. The inside of a large turning
 * drum does the same. */
static void moving_floors_drag(void **state)
{
    (void)state;
    for (int drum = 0; drum < 2; drum++) {
        const double speed = 0.6, large = 1e4;
        ts_test_world w;
        ts_test_open(&w, -9.81);
        ts_test_soften(w.scene, 1e5, 1e-4);
        ts_drive_def move = ts_default_drive();
        move.target = "floor";
        if (drum) {
            ts_test_circle(w.scene, "floor", 0, large, large);
            move.kind = TS_DRIVE_ROTATION;
            move.rate = speed / large;
        } else {
            ts_test_plane(w.scene, "floor", 0, 0, 0, 1);
            move.kind = TS_DRIVE_VELOCITY;
            move.velocity[0] = speed;
        }
        OK(ts_scene_add_drive(w.scene, &move, NULL, ERROR));
        const double sunk = acos(-1) * 0.01 * 1000 * 9.81 / 1e5; /* mg/k: it begins in balance */
        ts_test_body(w.scene, ts_test_disc(w.scene, 0.1), 0, 0.1 - sunk);
        ts_test_start(&w, 1);
        ts_test_step(&w, 5000);
        const ts_body *body = ts_state_bodies(w.state);
        double arm = 0.1 - 0.5 * ts_model_mass(w.model, 0) * 9.81 / 1e5,
               end = speed / (1 + 2 * arm * arm / (0.1 * 0.1));
        NEAR(body->vx, end, 1e-4 * speed);
        NEAR(body->spin, (speed - end) / arm, 1e-4 * speed / arm);
        ts_test_close(&w);
    }
}

/* A disc on a gate, half-plane or body, lies still until it opens, and then falls freely. */
static void gates_open_on_time(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        const double opens = 0.2;
        ts_test_world w;
        ts_test_open(&w, -9.81);
        ts_test_soften(w.scene, 1e5, 1e-4);
        int32_t disc = ts_test_disc(w.scene, 0.1);
        if (kind == 0)
            ts_test_plane(w.scene, "gate", 0, -0.1, 0, 1);
        else
            ts_test_fixed(w.scene, "gate", disc, 0, -0.2);
        ts_drive_def gate = ts_default_drive();
        gate.kind = TS_DRIVE_GATE;
        gate.target = "gate";
        gate.start = opens;
        OK(ts_scene_add_drive(w.scene, &gate, NULL, ERROR));
        int32_t body = ts_test_body(w.scene, disc, 0, 0);
        ts_test_start(&w, 1);
        ts_test_step(&w, 1999);
        double y = ts_state_bodies(w.state)[body].y, vy = ts_state_bodies(w.state)[body].vy;
        NEAR(y, -ts_model_mass(w.model, (size_t)body) * 9.81 / 1e5, 1e-4); /* it sank in by its weight */
        NEAR(vy, 0, 0.02);
        ts_test_step(&w, 1001);
        double fallen = ts_state_time(w.state) - opens;
        NEAR(ts_state_bodies(w.state)[body].y, y - 0.5 * 9.81 * fallen * fallen, 0.02 * fallen);
        NEAR(ts_state_bodies(w.state)[body].vy, -9.81 * fallen, 0.05);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(driven_bodies_follow_their_script),
        cmocka_unit_test(moving_floors_drag),
        cmocka_unit_test(gates_open_on_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
