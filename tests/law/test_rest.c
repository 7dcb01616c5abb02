/* SPDX-License-Identifier: MIT */
/* Impulses and rest: what lies stays where it is, on a floor, on a slope and in a heap, exactly or by sweeps; and what
 * bounces is not touched by that. */
#include <math.h>

#include "support/check.h"

#include "dynamics/impact_dynamics.h"
#include "support/world.h"
#include "workspace.h"

#define G    9.81
#define STEP (1.0 / 240)

/* Impulses with this restitution, friction and number of sweeps. */
static void strike_with(ts_scene *scene, double restitution, double friction, uint64_t sweeps)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "impact";
    ts_dynamics_set(&dynamics, "sweeps", (double)sweeps);
    material.restitution = restitution;
    material.friction = friction;
    settings.time_step = STEP;
    settings.duration = 1000;
    OK(ts_scene_set(scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(scene, &material, ERROR));
    OK(ts_scene_set_map(scene, &(ts_map_options){.kind = TS_MAP_EXACT}, ERROR));
}

static const uint64_t sweeps_of[] = {0, 50};

/* A column of discs sinks by the overlaps that are left alone, a two-thousandth of a radius each, and no farther: in
 * every step it leaves with ½ g h and comes back with it. */
static void a_column_stays(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++)
        for (int c = 0; c < 3; c++) {
            ts_test_world w = {0};
            ts_test_open(&w, -G);
            strike_with(w.scene, 0.4 * c, 0.5, sweeps_of[way]);
            ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
            int32_t disc = ts_test_disc(w.scene, 0.5);
            for (int i = 0; i < 8; i++)
                ts_test_body(w.scene, disc, 0, 0.5 + i);
            ts_test_start(&w, 1);
            double lies[8];
            for (int second = 0; second < 10; second++) {
                ts_test_step(&w, 240);
                for (int i = 0; i < 8; i++) {
                    NEAR(w.state->body[i].y, 0.5 + i, 1.1 * (i + 1) * 0.5 * 5e-4);
                    if (second == 2)
                        lies[i] = w.state->body[i].y;
                    if (second > 2) {
                        NEAR(w.state->body[i].y, lies[i], 2e-6);
                        NEAR(w.state->body[i].vy, 0, 0.02 * G * STEP);
                    }
                }
            }
            ts_test_close(&w);
        }
}

/* Floors at y = 0: a half-plane, a line, a line on a lift that goes up at this speed. */
#define LIFT 0.3
typedef enum floor_kind { PLANE, LINE, MOVING_LINE, FLOORS } floor_kind;

static void add_floor(ts_scene *scene, floor_kind kind)
{
    if (kind == PLANE) {
        ts_test_plane(scene, NULL, 0, 0, 0, 1);
        return;
    }
    const ts_vertex line[] = {{-5, 0, 0}, {5, 0, 0}};
    ts_test_polyline(scene, "line", line, 2, true);
    if (kind == MOVING_LINE) {
        ts_drive_def drive = ts_default_drive();
        drive.kind = TS_DRIVE_VELOCITY;
        drive.target = "line";
        drive.velocity[1] = LIFT;
        OK(ts_scene_add_drive(scene, &drive, NULL, ERROR));
    }
}

/* Where a step finds a disc or a box above the floor does not matter: without restitution it comes to lie on it, not
 * above. (Where a box lies is its map's business, which averages over angles, and the line's, which is thick for it.)
 * */
static void nothing_stops_in_the_air(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++)
        for (floor_kind kind = PLANE; kind < FLOORS; kind++) {
            double box = 0;
            for (int i = 0; i < 8; i++) {
                ts_test_world w = {0};
                ts_test_open(&w, -G);
                strike_with(w.scene, 0, 0, sweeps_of[way]);
                add_floor(w.scene, kind);
                ts_test_body(w.scene, ts_test_disc(w.scene, 0.5), 0, 1.5 + 0.033 * i);
                ts_test_body(w.scene, ts_test_box_shape(w.scene, 1, 1), 2, 1.5 + 0.033 * i);
                ts_test_start(&w, 1);
                ts_test_step(&w, 240);
                double floor = kind == MOVING_LINE ? LIFT : 0;
                NEAR(w.state->body[0].y, floor + 0.5, 1e-9);
                box = i > 0 ? box : w.state->body[1].y;
                NEAR(w.state->body[1].y, box, 1e-9);
                ts_test_close(&w);
            }
            assert_true(box > 0.5 && box < 0.63 + LIFT);
        }
}

/* Only what lies on something is at rest: two discs that meet slowly while both fall bounce off each other. */
static void what_falls_bounces(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        ts_test_world w = {0};
        const double speed = 0.01, c = 0.7;
        ts_test_open(&w, -G);
        strike_with(w.scene, c, 0, sweeps_of[way]);
        int32_t disc = ts_test_disc(w.scene, 0.5);
        ts_test_body_moving(w.scene, disc, 0, 0, speed, 0, 0);
        ts_test_body(w.scene, disc, 1.001, 0);
        ts_test_start(&w, 1);
        ts_test_step(&w, 100);
        NEAR(w.state->body[1].vx - w.state->body[0].vx, c * speed, 1e-12);
        ts_test_close(&w);
    }
}

/* Moving bodies apart lifts some: that is work, and with it the budget is closed. */
static void the_budget_is_closed(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        ts_test_world w = {0};
        const double a[] = {-1.2, 0.3}, b[] = {1.2, 3};
        ts_measures first, last;
        ts_test_open(&w, -G);
        strike_with(w.scene, 0.5, 0.4, sweeps_of[way]);
        add_floor(w.scene, MOVING_LINE);
        ts_test_fill(w.scene, a, b, 25, ts_test_box_shape(w.scene, 0.4, 0.2), 1, 1, 0.3);
        ts_test_start(&w, 1);
        OK(ts_measure(w.model, w.state, w.work, &first, ERROR));
        ts_test_step(&w, 480);
        OK(ts_measure(w.model, w.state, w.work, &last, ERROR));
        double spent =
            last.kinetic + last.rotational + last.gravitational + last.lost_normal + last.lost_friction - last.work;
        double had = first.kinetic + first.rotational + first.gravitational;
        assert_true(last.work > 0 && last.lost_friction > 0);
        NEAR(spent, had, 1e-11 * fabs(had) * 480);
        ts_test_close(&w);
    }
}

/* How high above the floor a disc of radius 0.5 would rise. */
static double height_left(const ts_body *disc)
{
    return disc->y - 0.5 + disc->vy * disc->vy / (2 * G);
}

/* A single disc that falls leaps up again to c² of its height, whatever the step does to what rests. */
static void a_disc_leaps_to_c_squared(void **state)
{
    (void)state;
    const double fall = 4, c = 0.7;
    for (int way = 0; way < 2; way++) {
        ts_test_world w = {0};
        ts_test_open(&w, -G);
        strike_with(w.scene, c, 0, sweeps_of[way]);
        ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
        ts_test_body(w.scene, ts_test_disc(w.scene, 0.5), 0, 0.5 + fall);
        ts_test_start(&w, 1);
        double high = 0;
        while (w.state->body[0].vy <= 0)
            ts_test_step(&w, 1);
        NEAR(height_left(&w.state->body[0]), c * c * fall, 1e-12 * fall);
        while (w.state->body[0].vy > 0) {
            ts_test_step(&w, 1);
            high = fmax(high, w.state->body[0].y - 0.5);
        }
        NEAR(high, c * c * fall, G * STEP * STEP); /* it is highest between two steps */
        ts_test_close(&w);
    }
}

/* A correction may be asked for with a restitution of 1 as well: nothing rests then. */
static void elastic_with_a_correction(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        ts_test_world w = {0};
        ts_dynamics_def dynamics = ts_default_dynamics();
        ts_test_open(&w, -G);
        strike_with(w.scene, 1, 0.3, sweeps_of[way]);
        dynamics.kind = "impact";
        ts_dynamics_set(&dynamics, "sweeps", (double)sweeps_of[way]);
        ts_dynamics_set(&dynamics, "correction", 0.2);
        OK(ts_scene_set_dynamics(w.scene, &dynamics, ERROR));
        ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
        ts_test_body_moving(w.scene, ts_test_disc(w.scene, 0.5), 0, 1, 0.3, 0, 0);
        ts_test_start(&w, 1);
        ts_test_step(&w, 1000);
        NEAR(G * (w.state->body[0].y - 0.5) + 0.5 * w.state->body[0].vy * w.state->body[0].vy, 0.5 * G, 0.01 * G);
        ts_test_close(&w);
    }
}

/* A disc that is wedged in between two others cannot bounce, and elastic reflections of it do not end: a ball that
 * falls elsewhere does not care. */
static void what_is_locked_stays_alone(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        ts_test_world w = {0};
        ts_test_open(&w, -G);
        strike_with(w.scene, 0.8, 0, sweeps_of[way]);
        ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
        int32_t disc = ts_test_disc(w.scene, 0.5);
        ts_test_body(w.scene, disc, 10, 3.5);
        ts_test_fixed(w.scene, "below", disc, 0, 2);
        ts_test_body(w.scene, disc, 0, 3 - 0.0002);
        ts_test_fixed(w.scene, "above", disc, 0, 4 - 0.0004);
        ts_test_start(&w, 1);
        for (int i = 0; i < 400 && w.state->body[0].vy <= 0; i++)
            ts_test_step(&w, 1);
        assert_true(ts_impact_counts_of(w.work).locked > 0); /* or the test would be about nothing */
        NEAR(height_left(&w.state->body[0]), 0.8 * 0.8 * 3, 1e-9);
        ts_test_close(&w);
    }
}

/* A box on a slope of 0.3 by sweeps: it holds when μ > tan 0.3 = 0.309, and slides with g (sin α − μ cos α) when it
 * does not. */
static void boxes_slide_by_sweeps(void **state)
{
    (void)state;
    const double slope = 0.3, seconds = 2, mu[] = {0.1, 0.2, 0.28, 0.34, 0.5};
    for (int k = 0; k < 5; k++) {
        ts_test_world w = {0};
        ts_test_open(&w, -G);
        strike_with(w.scene, 0, mu[k], 50);
        ts_test_plane(w.scene, NULL, 0, 0, -sin(slope), cos(slope));
        ts_body_def def = ts_default_body();
        def.shape = ts_test_box_shape(w.scene, 1, 0.3);
        def.position[0] = -0.15 * sin(slope);
        def.position[1] = 0.15 * cos(slope);
        def.angle = slope;
        OK(ts_scene_add_body(w.scene, &def, NULL, ERROR));
        ts_test_start(&w, 1);
        ts_test_step(&w, (uint64_t)(seconds / STEP));
        const ts_body *b = &w.state->body[0];
        double speed = -(b->vx * cos(slope) + b->vy * sin(slope));
        double expected = fmax(0, G * (sin(slope) - mu[k] * cos(slope))) * seconds;
        NEAR(speed, expected, 0.01 * G * sin(slope) * seconds);
        if (expected == 0)
            NEAR(hypot(b->x - def.position[0], b->y - def.position[1]), 0, 0.01);
        ts_test_close(&w);
    }
}

/* A small heap of boxes on a rough floor, dropped loosely: once it lies it sinks by no more than a hundredth of a box's
 * height in five seconds. */
static void a_heap_does_not_creep(void **state)
{
    (void)state;
    ts_test_world w = {0};
    const double a[] = {-1.2, 0.3}, b[] = {1.2, 3};
    ts_measures early, late;
    ts_test_open(&w, -G);
    strike_with(w.scene, 0.3, 0.6, 100);
    ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
    ts_test_fill(w.scene, a, b, 25, ts_test_box_shape(w.scene, 0.4, 0.2), 1, 1, 0.3);
    ts_test_start(&w, 1);
    ts_test_step(&w, 240 * 6);
    OK(ts_measure(w.model, w.state, w.work, &early, ERROR));
    ts_test_step(&w, 240 * 5);
    OK(ts_measure(w.model, w.state, w.work, &late, ERROR));
    double weight = 25 * ts_model_mass(w.model, 0) * G;
    NEAR(late.gravitational / weight, early.gravitational / weight, 0.002);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_stays),
        cmocka_unit_test(nothing_stops_in_the_air),
        cmocka_unit_test(what_falls_bounces),
        cmocka_unit_test(the_budget_is_closed),
        cmocka_unit_test(a_disc_leaps_to_c_squared),
        cmocka_unit_test(boxes_slide_by_sweeps),
        cmocka_unit_test(a_heap_does_not_creep),
        cmocka_unit_test(elastic_with_a_correction),
        cmocka_unit_test(what_is_locked_stays_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
