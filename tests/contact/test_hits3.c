/* SPDX-License-Identifier: MIT */
/* What a step in space finds to strike: balls that meet on the way, walls that turn, bodies that are sent on, and a
 * search that fails. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "contact/hits3.h"
#include "model.h"
#include "support/world3.h"
#include "workspace.h"

#define STEP 0.01

/* ---- Balls on the way ---- */

/* Two balls of radius 1, of which the first stands; the second begins and goes as told. Returns how fast the first
 * is in the end. */
static double struck_by(const double position[3], const double velocity[3], double restitution)
{
    ts_test_world w = {0};
    const double zero[3] = {0, 0, 0};
    ts_test_space(&w, 0);
    ts_test_impact3(w.scene, "gr", restitution, 0, STEP);
    const int32_t ball = ts_test_ball(w.scene, 1);
    ts_test_body3(w.scene, ball, 0, 0, 0);
    ts_test_body3_moving(w.scene, ball, position, velocity, zero);
    ts_test_start(&w, 1);
    const ts_test_sums before = ts_test_sum3(&w);
    ts_test_step(&w, 1);
    const ts_test_sums after = ts_test_sum3(&w);
    const double *v = ts_state_bodies3(w.state)[0].velocity, speed = hypot(hypot(v[0], v[1]), v[2]);
    for (int d = 0; d < 3; d++)
        NEAR(after.momentum[d], before.momentum[d], 1e-12 * before.size);
    if (restitution == 1)
        NEAR(after.energy, before.energy, 1e-12 * before.energy);
    ts_test_close(&w);
    return speed;
}

static void a_ball_does_not_pass_through_another(void **state)
{
    (void)state;
    /* it would be as far behind it at the end of the step as it was before it */
    const double at[3] = {3, 0, 0}, v[3] = {-6 / STEP, 0, 0};
    NEAR(struck_by(at, v, 1), 6 / STEP, 1e-9);
    NEAR(struck_by(at, v, 0), (6 - 1) / STEP / 2, 1e-6); /* one metre of its way was free */
}

static void balls_graze_on_the_way(void **state)
{
    (void)state;
    /* closest in the middle of the step, by 0.01 less than two radii; at both ends they are 3 apart and more */
    const double aside = 1.99, v[3] = {-5 / STEP, 0, 0};
    assert_true(struck_by((double[3]){2.5, aside, 0}, v, 1) > 1);
    assert_true(struck_by((double[3]){2.5, 0, aside}, v, 0) > 1);
    /* and by 0.01 more they miss */
    assert_true(struck_by((double[3]){2.5, aside + 0.02, 0}, v, 1) == 0);
    /* what is behind, or farther than it goes, is not struck either */
    assert_true(struck_by((double[3]){2.5, 0, 0}, (double[3]){5 / STEP, 0, 0}, 1) == 0);
    assert_true(struck_by((double[3]){2.5, 0, 0}, (double[3]){-0.4 / STEP, 0, 0}, 1) == 0);
}

/* ---- A wall that is a ball, and turns ---- */

/* Its own numbers bound how far it reaches: no body has any for it. */
static void a_mesh_bounces_off_a_ball_that_turns(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        ts_test_world w = {0};
        ts_wall_def wall = ts_default_wall();
        ts_drive_def turn = ts_default_drive();
        ts_test_space(&w, -9.81);
        ts_test_impact3(w.scene, "gr", 0.5, 0, STEP);
        wall.name = turn.target = "ball";
        wall.kind = TS_WALL_SOLID;
        wall.shape = ts_test_ball(w.scene, 0.5);
        OK(ts_scene_add_wall(w.scene, &wall, NULL, ERROR));
        turn.kind = TS_DRIVE_ROTATION;
        turn.rate = fast ? 2 / STEP : 1; /* more than a turn in some steps */
        OK(ts_scene_add_drive(w.scene, &turn, NULL, ERROR));
        ts_test_body3(w.scene, ts_test_angle(w.scene, 0.2), 0, 0, 0.7);
        ts_test_start(&w, 1);
        double lowest = HUGE_VAL, fastest = 0;
        for (int i = 0; i < 40; i++) {
            ts_test_step(&w, 1);
            const ts_body3 *b = &ts_state_bodies3(w.state)[0];
            lowest = fmin(lowest, hypot(hypot(b->position[0], b->position[1]), b->position[2]));
            fastest = fmax(fastest, b->velocity[2]);
        }
        assert_true(w.work->contact_sum > 0 && lowest > 0.5 && fastest > 0.2);
        ts_test_close(&w);
    }
}

/* ---- Bodies that impulses send on ---- */

static void send_some(ts_hits3 *s, const ts_test_world *w)
{
    for (size_t i = 0; i < w->model->body_count; i += 3)
        ts_hits3_send(s, w->model, i, 0.15 + 0.01 * (double)(i % 5));
}

static void assert_ordered(const ts_hit3_array *any)
{
    for (size_t i = 1; i < any->count; i++)
        assert_true(ts_hit3_compare(&any->item[i - 1], &any->item[i]) < 0);
}

/* Looked for once more around these, contacts are the same, in the same order, as if all had been looked for so far
 * from the start. */
static void sent_on_is_as_from_the_start(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_hits3 once = {0}, twice = {0};
    ts_test_space(&w, 0);
    ts_test_impact3(w.scene, "gr", 1, 0, STEP);
    ts_test_floor(w.scene);
    const int32_t solid[] = {ts_test_block(w.scene, 0.2, 0.2, 0.2), ts_test_ball(w.scene, 0.1),
                             ts_test_hammer(w.scene, 0.15)};
    for (int i = 0; i < 64; i++) {
        const double at[3] = {0.26 * (i % 4), 0.26 * (i / 4 % 4), 0.13 + 0.26 * (i / 16)},
                     way[3] = {i % 7 - 3, i % 5 - 2, i % 3 - 1};
        ts_test_body3_moving(w.scene, solid[i % 3], at, way, way);
    }
    ts_test_start(&w, 1);
    OK(ts_hits3_create(&once, w.model, ERROR));
    OK(ts_hits3_create(&twice, w.model, ERROR));
    ts_hits3_place(&once, w.model, w.state);
    send_some(&once, &w);
    OK(ts_hits3_find(&once, w.model, w.work->pool, NULL, false, ERROR));
    ts_hits3_place(&twice, w.model, w.state);
    OK(ts_hits3_find(&twice, w.model, w.work->pool, NULL, false, ERROR));
    const size_t before = twice.any.count;
    assert_ordered(&twice.any);
    send_some(&twice, &w);
    OK(ts_hits3_find_sent(&twice, w.model, w.work->pool, NULL, ERROR));
    assert_true(before > 0 && twice.any.count > before && twice.kept.count > 0);
    assert_ordered(&twice.any);
    assert_int_equal(twice.any.count, once.any.count);
    for (size_t i = 0; i < once.any.count; i++) {
        const ts_hit3 *s = &once.any.item[i], *t = &twice.any.item[i];
        assert_true(ts_hit3_compare(s, t) == 0 && s->gap == t->gap && s->how == t->how);
    }
    ts_hits3_free(&once);
    ts_hits3_free(&twice);
    ts_test_close(&w);
}

/* ---- Failing ---- */

/* A box so fast that its way is not finite: not for want of memory. */
static void a_search_that_fails_says_why(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        ts_test_world w = {0};
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", 1, 0, STEP);
        const int32_t box = ts_test_block(w.scene, 1, 1, 1);
        for (int i = 0; i < 40; i++)
            ts_test_body3(w.scene, box, 1.1 * i, 0, 0);
        ts_test_start(&w, threads);
        w.state->body3[3].velocity[0] = 1e300;
        ts_status status = ts_step(w.model, w.state, w.work, 1, ERROR);
        if (status != TS_BAD_INPUT || !strstr(ts_test_error.message, "not finite"))
            fail_msg("status %d: %s", (int)status, ts_test_error.message);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_does_not_pass_through_another), cmocka_unit_test(balls_graze_on_the_way),
        cmocka_unit_test(a_mesh_bounces_off_a_ball_that_turns), cmocka_unit_test(sent_on_is_as_from_the_start),
        cmocka_unit_test(a_search_that_fails_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
