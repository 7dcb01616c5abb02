/* SPDX-License-Identifier: MIT */
/* Impact in space: what it keeps, what it takes, closed forms of bounces, and that the same happens at any size. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "dynamics/impact_space.h"
#include "model.h"
#include "support/world3.h"
#include "workspace.h"

#define G 9.81

static const ts_body3 *body_of(const ts_test_world *w, size_t i)
{
    return &ts_state_bodies3(w->state)[i];
}

/* ---- What is kept ---- */

/* Balls, boxes, hammers, hulls and a mesh that fly about. */
static void open_cloud(ts_test_world *w, const char *by, double restitution, double friction, size_t count)
{
    ts_test_space(w, 0);
    ts_test_impact3(w->scene, by, restitution, friction, 0.004);
    if (restitution < 1)
        ts_test_uncorrected3(w->scene);
    const int32_t solid[] = {ts_test_ball(w->scene, 0.12), ts_test_block(w->scene, 0.2, 0.15, 0.1),
                             ts_test_hammer(w->scene, 0.16), ts_test_wedge(w->scene, 0.25),
                             ts_test_angle(w->scene, 0.2)};
    ts_test_cloud3(w->scene, 1.4, count, solid, sizeof solid / sizeof *solid, 0.7);
    /* towards the middle, so that they meet before they are gone */
    ts_test_start(w, 1);
    for (size_t i = 0; i < w->model->body_count; i++) {
        const ts_body3 *b = body_of(w, i);
        double v[3], spin[3] = {(double)(i % 5) - 2, (double)(i % 3) - 1, (double)(i % 7) - 3};
        for (int d = 0; d < 3; d++)
            v[d] = b->velocity[d] + 2 * (0.7 - b->position[d]);
        OK(ts_state_set_velocity(w->state, i, TS_VELOCITY3(v, spin), ERROR));
    }
}

/* Nothing from outside: whoever strikes and rubs whom, linear and angular momentum stay; without friction or loss,
 * energy too.
 * (Jacobi adds up what each contact would do by itself: it keeps momentum, not energy.) */
static void a_free_cloud_keeps(void **state)
{
    (void)state;
    static const char *const by[] = {"gr", "lcp", "gauss-seidel", "gr"};
    for (int k = 0; k < 4; k++) {
        ts_test_world w = {0};
        const bool rough = k == 3;
        open_cloud(&w, by[k], rough ? 0.5 : 1, rough ? 0.5 : 0, 40);
        ts_test_sums before = ts_test_sum3(&w);
        ts_test_step(&w, 250);
        ts_test_sums after = ts_test_sum3(&w);
        assert_true(w.work->contact_sum > 40); /* they did meet */
        for (int d = 0; d < 3; d++) {          /* all within about two metres of the origin */
            NEAR(after.momentum[d], before.momentum[d], 1e-12 * before.size);
            NEAR(after.angular[d], before.angular[d], 2e-12 * before.size);
        }
        if (rough)
            assert_true(after.energy < 0.97 * before.energy);
        else
            NEAR(after.energy, before.energy, 1e-10 * before.energy);
        for (size_t i = 0; i < w.model->body_count; i++) {
            const double *q = body_of(&w, i)->attitude;
            NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-13);
        }
        ts_test_close(&w);
    }
}

/* A box that falls flat has four contacts at once. "jacobi" answers each by itself, which is four times too much. */
static void jacobi_gains(void **state)
{
    (void)state;
    static const char *const by[] = {"gr", "lcp", "gauss-seidel", "jacobi"};
    for (int k = 0; k < 4; k++) {
        ts_test_world w = {0};
        const double zero[3] = {0, 0, 0};
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, by[k], 1, 0, 0.01);
        ts_test_floor(w.scene);
        ts_test_body3_moving(w.scene, ts_test_block(w.scene, 0.2, 0.2, 1), (double[3]){0, 0, 0.505},
                             (double[3]){0, 0, -1}, zero);
        ts_test_start(&w, 1);
        ts_test_step(&w, 1);
        double energy = ts_test_sum3(&w).energy * body_of(&w, 0)->inv_mass;
        if (k < 3) /* gauss-seidel makes it turn: it does not keep symmetry */
            NEAR(energy, 0.5, 1e-9);
        else
            assert_true(energy > 2);
        if (k < 2)
            NEAR(body_of(&w, 0)->velocity[2], 1, 1e-9);
        ts_test_close(&w);
    }
}

/* The less restitution, the less is left; friction only takes, and what a contact bears lies within its cone. */
static void losses_are_in_order(void **state)
{
    (void)state;
    double left = 0;
    for (int k = 0; k < 3; k++) {
        ts_test_world w = {0};
        open_cloud(&w, "gr", 0.5 * k, 0, 40);
        ts_test_step(&w, 150);
        double energy = ts_test_sum3(&w).energy;
        assert_true(w.work->contact_sum > 10 && energy > 1.02 * left);
        left = energy;
        ts_test_close(&w);
    }
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        const double mu = 0.4;
        size_t count, pressed = 0;
        const ts_contact *contact;
        ts_test_space(&w, -G);
        ts_test_impact3(w.scene, "gr", 0.3, mu, 1.0 / 240);
        if (k == 1)
            ts_test_sweeps3(w.scene, 30);
        ts_test_floor(w.scene);
        const int32_t solid[] = {ts_test_ball(w.scene, 0.1), ts_test_block(w.scene, 0.2, 0.15, 0.1),
                                 ts_test_wedge(w.scene, 0.2)};
        ts_test_cloud3(w.scene, 1, 20, solid, 3, 0.5);
        ts_test_start(&w, 1);
        for (int i = 0; i < 150; i++) {
            ts_test_step(&w, 1);
            ts_measures m;
            OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
            /* all that bodies have, and what correction lifted them by, is what is left of the beginning */
            assert_true(m.lost_friction >= -1e-12 && m.lost_normal >= -1e-12);
            OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
            for (size_t c = 0; c < count; c++) {
                const double *n = contact[c].normal, *f = contact[c].force;
                double along = n[0] * f[0] + n[1] * f[1] + n[2] * f[2];
                double across = sqrt(fmax(f[0] * f[0] + f[1] * f[1] + f[2] * f[2] - along * along, 0));
                assert_true(along >= 0 && across <= mu * along * (1 + 1e-6) + 1e-6);
                pressed += across > 0.5 * mu * along && along > 0;
            }
        }
        assert_true(pressed > 20);
        ts_test_close(&w);
    }
}

/* ---- One ball, one floor ---- */

/* A solid ball comes down with velocity v and spin ω. Its lowest point slips with s = v − ω × r ẑ (along the floor).
 * The floor answers with (1 + c) m v_n upwards, and against s with (2/7) m |s|, which stops the slip, or with μ (1 + c)
 * m v_n if that is less. A blow F along the floor changes v by F/m and ω by −r ẑ × F / (2/5 m r²). */
static void a_spinning_ball_bounces(void **state)
{
    (void)state;
    static const double c[] = {1, 0.6, 0}, mu[] = {0.1, 0.9};
    const double r = 0.3, v[3] = {1.5, -0.4, -2}, spin[3] = {3, -2, 1.7};
    for (int k = 0; k < 12; k++) {
        ts_test_world w = {0};
        const double e = c[k % 3], m = mu[k / 3 % 2], slip[2] = {v[0] - r * spin[1], v[1] + r * spin[0]};
        const double fast = hypot(slip[0], slip[1]), most = m * (1 + e) * -v[2];
        const double take = fmin(fast * 2 / 7, most) / fast;
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", e, m, 0.01);
        if (k >= 6)
            ts_test_sweeps3(w.scene, 50);
        ts_test_floor(w.scene);
        ts_test_body3_moving(w.scene, ts_test_ball(w.scene, r), (double[3]){0, 0, r}, v, spin);
        ts_test_start(&w, 1);
        ts_test_step(&w, 1);
        const double *after = body_of(&w, 0)->velocity;
        double rate[6], *turned = rate + 3;
        OK(ts_state_velocity(w.state, 0, rate, ERROR));
        NEAR(after[0], v[0] - take * slip[0], 1e-9);
        NEAR(after[1], v[1] - take * slip[1], 1e-9);
        if (e > 0) /* what does not bounce may come as far as it touches */
            NEAR(after[2], -e * v[2], 1e-9);
        NEAR(turned[0], spin[0] - 2.5 * take * slip[1] / r, 1e-8);
        NEAR(turned[1], spin[1] + 2.5 * take * slip[0] / r, 1e-8);
        NEAR(turned[2], spin[2], 1e-9);
        assert_true((take < 2.0 / 7) == (m < 0.5)); /* both cases were met */
        ts_test_close(&w);
    }
}

/* A ball that bounces keeps c of its speed each time: the heights fall by c². */
static void heights_fall_by_the_square(void **state)
{
    (void)state;
    const double c = 0.8, r = 0.1, h = 1.0 / 2000;
    ts_test_world w = {0};
    double top = 1, last = 1;
    int bounces = 0;
    ts_test_space(&w, -G);
    ts_test_impact3(w.scene, "gr", c, 0.3, h);
    ts_test_floor(w.scene);
    ts_test_body3(w.scene, ts_test_ball(w.scene, r), 0, 0, r + top);
    ts_test_start(&w, 1);
    for (int i = 0; i < 5000 && bounces < 4; i++) {
        double before = body_of(&w, 0)->velocity[2];
        ts_test_step(&w, 1);
        const ts_body3 *b = body_of(&w, 0);
        if (before > 0 && b->velocity[2] <= 0) {
            NEAR((b->position[2] - r) / last, c * c, 0.01); /* a step's way counts */
            last = b->position[2] - r;
            bounces++;
        }
    }
    assert_int_equal(bounces, 4);
    ts_test_close(&w);
}

/* ---- Walls ---- */

/* Bodies stay in a room, and in a cylinder about a pillar. */
static void walls_hold(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        ts_wall_def wall = ts_default_wall();
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", 1, 0, 0.002);
        wall.kind = k == 0 ? TS_WALL_ROOM : TS_WALL_CYLINDER;
        for (int d = 0; d < 3; d++) {
            wall.size[d] = 1;
            wall.position[d] = k == 0 ? 0 : 0.5;
        }
        wall.radius = 0.75;
        wall.length = 1;
        wall.normal[0] = wall.normal[1] = 0;
        wall.normal[2] = 1;
        OK(ts_scene_add_wall(w.scene, &wall, NULL, ERROR));
        if (k == 1) {
            ts_wall_def pillar = ts_default_wall();
            pillar.kind = TS_WALL_SOLID;
            pillar.shape = ts_test_block(w.scene, 0.1, 0.1, 1);
            pillar.position[0] = pillar.position[1] = pillar.position[2] = 0.5;
            OK(ts_scene_add_wall(w.scene, &pillar, NULL, ERROR));
        }
        const int32_t solid[] = {ts_test_ball(w.scene, 0.1), ts_test_block(w.scene, 0.15, 0.1, 0.1)};
        ts_test_cloud3(w.scene, 1, 20, solid, 2, 1);
        ts_test_start(&w, 1);
        assert_int_equal(ts_model_wall_count(w.model), k == 0 ? 6 : 2);
        double before = ts_test_sum3(&w).energy;
        ts_test_step(&w, 600);
        NEAR(ts_test_sum3(&w).energy, before, 1e-10 * before);
        assert_true(w.work->contact_sum > 100);
        for (size_t i = 0; i < 20; i++) {
            const double *x = body_of(&w, i)->position;
            const double depth = 0.035; /* of the thinnest solid; steps are finite */
            for (int d = k == 0 ? 0 : 2; d < 3; d++)
                assert_true(x[d] > depth && x[d] < 1 - depth);
            if (k == 1) {
                assert_true(hypot(x[0] - 0.5, x[1] - 0.5) < 0.75 - depth);
                assert_true(fmax(fabs(x[0] - 0.5), fabs(x[1] - 0.5)) > 0.05 + depth);
            }
        }
        ts_test_close(&w);
    }
}

/* ---- Scripts ---- */

static void add_drive(ts_scene *scene, const ts_drive_def *def)
{
    OK(ts_scene_add_drive(scene, def, NULL, ERROR));
}

/* An elastic ball leaves a wall that comes with speed u as v⁺ = 2u − v⁻; a paddle that turns counts with the velocity
 * of its point of contact, ω a, and a ball that meets it there leaves with 2 ω a − v. */
static void what_moves_pushes(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        ts_test_world w = {0};
        ts_drive_def drive = ts_default_drive();
        const double zero[3] = {0, 0, 0};
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", 1, 0, 1e-4);
        if (k != 1) { /* a wall, or a body */
            if (k == 0)
                ts_test_floor(w.scene);
            else
                ts_test_fixed3(w.scene, "floor", ts_test_block(w.scene, 1, 1, 0.2), 0, 0, -0.1);
            drive.kind = TS_DRIVE_VELOCITY;
            drive.target = "floor";
            drive.velocity[2] = 0.7;
            ts_test_body3_moving(w.scene, ts_test_ball(w.scene, 0.1), (double[3]){0, 0, 0.12}, (double[3]){0, 0, -0.3},
                                 zero);
        } else { /* about z through the origin; the face towards +y has the ball at x = 0.5 */
            ts_test_fixed3(w.scene, "paddle", ts_test_block(w.scene, 2, 0.02, 1), 0, 0, 0);
            drive.kind = TS_DRIVE_ROTATION;
            drive.target = "paddle";
            drive.rate = 1.4;
            ts_test_body3_moving(w.scene, ts_test_ball(w.scene, 0.1), (double[3]){0.5, 0.1101, 0},
                                 (double[3]){0, -0.3, 0}, zero);
        }
        add_drive(w.scene, &drive);
        ts_test_start(&w, 1);
        ts_test_step(&w, k == 1 ? 20 : 400);
        const double *v = body_of(&w, k == 0 ? 0 : 1)->velocity;
        NEAR(v[k == 1 ? 1 : 2], 1.7, k == 1 ? 2e-3 : 1e-9);
        ts_measures m; /* what the script gave is what the ball has more */
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        double mass = 1 / body_of(&w, k == 0 ? 0 : 1)->inv_mass;
        NEAR(m.kinetic - m.work, 0.5 * mass * 0.09, 1e-9 * mass);
        ts_test_close(&w);
    }
}

/* Two cubes come down together, one above the other, so fast that in the step in which the lower one turns back the
 * upper one would be in it: it is met in the same step, however slow the two are beside each other. */
static void what_lands_together_is_met_together(void **state)
{
    (void)state;
    static const struct {
        double speed, gap, restitution, step;
        uint64_t sweeps;
    } fall[] = {{10, 0.1, 0.5, 0.0159, 0},
                {10, 0.1, 0.5, 0.0159, 50},
                {20, 0.2, 0.5, 0.0159, 50},
                {10, 0.09, 1, 0.01, 0},
                {60, 0.3, 1, 0.01, 0}};
    for (size_t k = 0; k < sizeof fall / sizeof *fall; k++) {
        ts_test_world w = {0};
        const double still[3] = {0, 0, 0}, down[3] = {0, 0, -fall[k].speed};
        const double above = 0.5 + 0.5 * fall[k].speed * fall[k].step;
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", fall[k].restitution, 0, fall[k].step);
        ts_test_sweeps3(w.scene, fall[k].sweeps);
        ts_test_floor(w.scene);
        const int32_t cube = ts_test_block(w.scene, 1, 1, 1);
        ts_test_body3_moving(w.scene, cube, (double[3]){0, 0, above}, down, still);
        ts_test_body3_moving(w.scene, cube, (double[3]){0, 0, above + 1 + fall[k].gap}, down, still);
        ts_test_start(&w, 1);
        ts_test_step(&w, 3);
        assert_true(body_of(&w, 0)->velocity[2] > -fall[k].speed); /* it was struck */
        assert_true(w.work->max_overlap <= 2e-3 * 0.5);
        ts_test_close(&w);
    }
}

/* A row of bricks that lie still, with gaps in between that are a quarter of what the first one goes in a step: the
 * blow goes through all of them in one instant. Others, far off and still, see to it that what all bodies do in the
 * mean is nothing. */
static void a_blow_goes_through_a_row(void **state)
{
    (void)state;
    enum { bricks = 10 };
    const double still[3] = {0, 0, 0}, ahead[3] = {10, 0, 0}, speed = 10;
    for (int k = 0; k < 2; k++) { /* elastic, and not */
        ts_test_world w = {0};
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", k == 0 ? 1 : 0.5, 0, 0.004);
        const int32_t brick = ts_test_block(w.scene, 0.2, 0.1, 0.06);
        for (int i = 0; i < bricks; i++)
            ts_test_body3_moving(w.scene, brick, (double[3]){0.21 * i - (i == 0 ? 0.012 : 0), 0, 0},
                                 i == 0 ? ahead : still, still);
        for (int i = 0; i < 60; i++)
            ts_test_body3(w.scene, brick, 5 + i, 0, 0);
        ts_test_start(&w, 1);
        ts_test_step(&w, 2);
        assert_true(w.work->max_overlap < 1e-3 * 0.03);
        if (k == 0)
            for (int i = 0; i < bricks; i++)
                NEAR(body_of(&w, (size_t)i)->velocity[0], i + 1 == bricks ? speed : 0, 1e-9);
        ts_test_close(&w);
    }
}

/* A ball two radii deep in a half-space comes out again, for that has no other side; in a block, which has one, it
 * is refused by name. */
static void deep_in_what_cannot_move(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", 0, 0, 1e-3);
        if (k == 0)
            ts_test_floor(w.scene);
        else
            ts_test_fixed3(w.scene, "floor", ts_test_block(w.scene, 4, 4, 2), 0, 0, -1);
        ts_test_body3(w.scene, ts_test_ball(w.scene, 0.1), 0, 0, 1);
        ts_test_start(&w, 1);
        const double deep[3] = {0, 0, -0.1}, upright[4] = {1, 0, 0, 0}, down[3] = {0, 0, -1}, still[3] = {0, 0, 0};
        OK(ts_state_set_pose(w.state, (size_t)k, TS_POSE3(deep, upright), ERROR));
        OK(ts_state_set_velocity(w.state, (size_t)k, TS_VELOCITY3(down, still), ERROR));
        if (k == 0) {
            ts_test_step(&w, 300); /* 0.02 of a radius in each, and 5e-4 of one are left alone */
            NEAR(body_of(&w, 0)->position[2], 0.1 * (1 - 5e-4), 1e-9);
            NEAR(body_of(&w, 0)->velocity[2], 0, 1e-12);
        } else {
            ts_error told;
            assert_int_equal(ts_step(w.model, w.state, w.work, 1, &told), TS_DIVERGED);
            assert_non_null(strstr(told.message, "body 1 is 0.2 m deep in body 0"));
        }
        ts_test_close(&w);
    }
}

/* Bodies on a floor that shakes, stirred by a paddle: energy − work + losses is what it was. */
static void the_budget_adds_up(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        ts_test_world w = {0};
        ts_drive_def shake = ts_default_drive(), stir = ts_default_drive();
        ts_test_space(&w, -G);
        ts_test_impact3(w.scene, "gr", k == 1 ? 1 : 0.4, 0.4, 1.0 / 500);
        if (k == 2)
            ts_test_sweeps3(w.scene, 30);
        ts_test_floor(w.scene);
        shake.kind = TS_DRIVE_OSCILLATION;
        shake.target = "floor";
        shake.amplitude[2] = 0.01;
        shake.frequency = 8;
        add_drive(w.scene, &shake);
        ts_test_fixed3(w.scene, "paddle", ts_test_block(w.scene, 0.8, 0.05, 0.1), 0.4, 0.4, 0.065);
        stir.kind = TS_DRIVE_ROTATION;
        stir.target = "paddle";
        stir.rate = 6;
        add_drive(w.scene, &stir);
        const int32_t solid[] = {ts_test_ball(w.scene, 0.05), ts_test_block(w.scene, 0.1, 0.08, 0.06),
                                 ts_test_hammer(w.scene, 0.14)}; /* too thick to get under the paddle */
        ts_test_fill3(w.scene, (double[3]){0, 0, 0.2}, (double[3]){0.8, 0.8, 1.8}, 20, solid, 3, 0);
        ts_test_start(&w, 1);
        ts_measures m;
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        double before = m.kinetic + m.rotational + m.gravitational;
        ts_test_step(&w, 400);
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        double after = m.kinetic + m.rotational + m.gravitational;
        assert_true(fabs(m.work) > 0.01 * before);
        NEAR(after - m.work + m.lost_normal + m.lost_friction, before, 1e-9 * before);
        ts_test_close(&w);
    }
}

/* A shelf that goes away lets go of what lies on it; one that is back holds. */
static void gates_open(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        ts_drive_def gate = ts_default_drive();
        ts_test_space(&w, -G);
        ts_test_impact3(w.scene, "gr", 0, 0.4, 1.0 / 500);
        if (k == 0)
            ts_test_floor(w.scene);
        else
            ts_test_fixed3(w.scene, "floor", ts_test_block(w.scene, 1, 1, 0.2), 0, 0, -0.1);
        ts_test_body3(w.scene, ts_test_block(w.scene, 0.2, 0.2, 0.2), 0, 0, 0.1);
        gate.kind = TS_DRIVE_GATE;
        gate.target = "floor";
        gate.start = 0.1;
        add_drive(w.scene, &gate);
        ts_test_start(&w, 1);
        ts_test_step(&w, 50);
        NEAR(body_of(&w, (size_t)k)->position[2], 0.1, 1e-3);
        ts_test_step(&w, 200); /* 0.4 s of fall */
        NEAR(body_of(&w, (size_t)k)->position[2], 0.1 - 0.5 * G * 0.16, 0.02);
        ts_test_close(&w);
    }
}

/* ---- Springs ---- */

/* Two bodies on a spring that is fastened off their centres: momentum to rounding, energy that swings by less than
 * h². */
static void springs_keep(void **state)
{
    (void)state;
    double worst[2] = {0, 0};
    for (int k = 0; k < 4; k++) {
        ts_test_world w = {0};
        const double h = k % 2 ? 0.0005 : 0.001;
        ts_spring_def spring = ts_default_spring();
        ts_body_def def = ts_default_body();
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", 1, 0, h);
        def.shape = ts_test_block(w.scene, 0.2, 0.1, 0.15);
        def.name = "a";
        def.spin[0] = 1;
        OK(ts_scene_add_body(w.scene, &def, NULL, ERROR));
        def.name = "b";
        def.position[0] = 1;
        def.velocity[1] = 0.5;
        OK(ts_scene_add_body(w.scene, &def, NULL, ERROR));
        spring.kind = k < 2 ? TS_SPRING_LINEAR : TS_SPRING_CUBIC;
        spring.a = "a";
        spring.b = "b";
        spring.anchor_a[1] = 0.05;
        spring.anchor_b[0] = -0.1;
        spring.stiffness = k < 2 ? 200 : 800;
        spring.rest = 0.6;
        OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
        ts_test_start(&w, 1);
        ts_test_sums before = ts_test_sum3(&w), after;
        ts_measures m;
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        double energy = m.kinetic + m.rotational + m.elastic;
        worst[k % 2] = 0;
        for (int i = 0; i < 50; i++) {
            ts_test_step(&w, (uint64_t)lround(0.02 / h));
            OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
            worst[k % 2] = fmax(worst[k % 2], fabs(m.kinetic + m.rotational + m.elastic - energy) / energy);
        }
        after = ts_test_sum3(&w);
        for (int d = 0; d < 3; d++) {
            NEAR(after.momentum[d], before.momentum[d], 1e-11 * before.size);
            NEAR(after.angular[d], before.angular[d], 1e-11 * before.size);
        }
        if (k % 2)
            assert_true(worst[0] < 1e-3 && worst[1] < 0.3 * worst[0] && worst[1] > 0.2 * worst[0]);
        ts_test_close(&w);
    }
}

/* ---- The same at any size ---- */

/* Lengths times s and times times √s is the same fall. For s = 4^±5 that changes exponents alone: the same bits. */
static void sizes_do_not_matter(void **state)
{
    (void)state;
    for (int sweeps = 0; sweeps < 2; sweeps++) {
        double first[12][13];
        for (int k = 0; k < 3; k++) {
            ts_test_world w = {0};
            const double s = k == 0 ? 1 : k == 1 ? 0x1p10 : 0x1p-10, root = sqrt(s);
            ts_test_space(&w, -G);
            ts_test_impact3(w.scene, "gr", 0.3, 0.4, root / 256);
            if (sweeps)
                ts_test_sweeps3(w.scene, 20);
            ts_test_floor(w.scene);
            const int32_t solid[] = {ts_test_ball(w.scene, 0.125 * s),
                                     ts_test_block(w.scene, 0.25 * s, 0.125 * s, 0.1 * s),
                                     ts_test_hammer(w.scene, 0.125 * s), ts_test_wedge(w.scene, 0.25 * s)};
            for (int i = 0; i < 12; i++) {
                const int layer = i / 4;
                const double x[3] = {(i % 2) * 0.3 * s, (i / 2 % 2) * 0.3 * s, (0.3 + 0.35 * layer) * s},
                             v[3] = {0.25 * root * (i % 3), 0, 0}, spin[3] = {(i % 5) / root, 0, 1 / root};
                ts_test_body3_moving(w.scene, solid[i % 4], x, v, spin);
            }
            ts_test_start(&w, 1);
            ts_test_step(&w, 200);
            assert_true(w.work->contact_sum > 500);
            for (int i = 0; i < 12; i++) {
                const ts_body3 *b = body_of(&w, (size_t)i);
                for (int d = 0; d < 10; d++) {
                    const double value = d < 3   ? b->position[d] / s
                                         : d < 7 ? b->attitude[d - 3]
                                                 : b->velocity[d - 7] / root;
                    if (k == 0)
                        first[i][d] = value;
                    else
                        NEAR(value, first[i][d], 1e-9 * (1 + fabs(first[i][d])));
                }
            }
            ts_test_close(&w);
        }
    }
}

/* Walls that slide in their own planes close in on nobody, whichever way these stand: not even by rounding, which
 * would count as a wall that closes. */
static void walls_that_slide_in_themselves_close_nothing(void **state)
{
    (void)state;
    static const char *const name[4] = {"a", "b", "c", "d"};
    ts_test_world w = {0};
    size_t beside = 0;
    ts_test_space(&w, -G);
    ts_test_impact3(w.scene, "gr", 0.5, 0.3, 1.0 / 200);
    ts_test_floor(w.scene);
    for (int i = 0; i < 4; i++) {
        const double turn = 0.3 + 0.5 * M_PI * i, normal[3] = {-cos(turn), -sin(turn), 0};
        ts_drive_def slide = ts_default_drive();
        ts_test_plane3(w.scene, name[i], (double[3]){0.5 - 0.45 * normal[0], 0.5 - 0.45 * normal[1], 0}, normal);
        slide.kind = TS_DRIVE_OSCILLATION;
        slide.target = name[i];
        slide.amplitude[2] = 0.01;
        slide.frequency = 10;
        OK(ts_scene_add_drive(w.scene, &slide, NULL, ERROR));
    }
    const int32_t ball = ts_test_ball(w.scene, 0.1);
    ts_test_fill3(w.scene, (double[3]){0.2, 0.2, 0}, (double[3]){0.8, 0.8, 1}, 30, &ball, 1, 0.5);
    ts_test_start(&w, 1);
    for (int i = 0; i < 100; i++) {
        ts_test_step(&w, 1);
        const ts_impact_space *m = w.work->own;
        for (size_t k = 0; k < m->scratch.count; k++) {
            beside += m->hits.hit.item[k].a < -1; /* wall 0 is the floor */
            assert_true(m->scratch.drift.item[k] == 0);
        }
    }
    assert_true(beside > 100);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_cloud_keeps),
        cmocka_unit_test(jacobi_gains),
        cmocka_unit_test(losses_are_in_order),
        cmocka_unit_test(a_spinning_ball_bounces),
        cmocka_unit_test(heights_fall_by_the_square),
        cmocka_unit_test(walls_hold),
        cmocka_unit_test(what_moves_pushes),
        cmocka_unit_test(walls_that_slide_in_themselves_close_nothing),
        cmocka_unit_test(the_budget_adds_up),
        cmocka_unit_test(what_lands_together_is_met_together),
        cmocka_unit_test(a_blow_goes_through_a_row),
        cmocka_unit_test(deep_in_what_cannot_move),
        cmocka_unit_test(gates_open),
        cmocka_unit_test(springs_keep),
        cmocka_unit_test(sizes_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
