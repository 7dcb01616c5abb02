/* SPDX-License-Identifier: MIT */
/* Walls that leave no room: told from those that do by looking at every set of contacts that could jam, and reported by
 * name and time. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "dynamics/impact_check.h"
#include "support/world.h"

/* ---- Is there room? ---- */

#define BALLS_MAX 2
#define ROWS_MAX  8
#define DOF       2

typedef struct squeeze {
    size_t balls, rows;
    int32_t a[ROWS_MAX], b[ROWS_MAX];
    double ga[ROWS_MAX * DOF], gb[ROWS_MAX * DOF], drift[ROWS_MAX];
} squeeze;

/* Balls between walls and each other, in any directions; half of the walls move. */
static void draw_squeeze(squeeze *s, ts_random *random)
{
    s->balls = 1 + (size_t)ts_random_next_below(random, BALLS_MAX);
    s->rows = 3 + (size_t)ts_random_next_below(random, ROWS_MAX - 2);
    for (size_t k = 0; k < s->rows; k++) {
        bool pair = s->balls == 2 && ts_random_next_below(random, 4) == 0;
        double angle = ts_random_next_range(random, 0, 6.283185307179586), mass = ts_random_next_range(random, 0.5, 2);
        s->a[k] = pair ? 0 : -1;
        s->b[k] = pair ? 1 : (int32_t)ts_random_next_below(random, s->balls);
        s->gb[DOF * k] = cos(angle) * mass;
        s->gb[DOF * k + 1] = sin(angle) * mass;
        s->ga[DOF * k] = -s->gb[DOF * k];
        s->ga[DOF * k + 1] = -s->gb[DOF * k + 1];
        s->drift[k] = pair || ts_random_next_below(random, 2) ? 0 : ts_random_next_range(random, -1, 1);
    }
}

static double entry(const squeeze *s, size_t row, size_t column)
{
    int32_t ball = (int32_t)(row / DOF);
    return s->a[column] == ball   ? s->ga[DOF * column + row % DOF]
           : s->b[column] == ball ? s->gb[DOF * column + row % DOF]
                                  : 0;
}

/* The one combination of these columns that vanishes, if there is exactly one: by elimination with full pivoting. 0:
 * none or several, -1: it cannot be said. */
static int vanishing(const squeeze *s, const size_t *column, size_t m, double *lambda)
{
    double t[BALLS_MAX * DOF][ROWS_MAX];
    size_t order[ROWS_MAX], rank = 0, n = s->balls * DOF;
    for (size_t k = 0; k < m; k++) {
        order[k] = k;
        for (size_t i = 0; i < n; i++)
            t[i][k] = entry(s, i, column[k]);
    }
    for (; rank < n && rank < m; rank++) {
        size_t row = rank, best = rank;
        for (size_t i = rank; i < n; i++)
            for (size_t k = rank; k < m; k++)
                if (fabs(t[i][k]) > fabs(t[row][best]))
                    row = i, best = k;
        double pivot = t[row][best];
        if (fabs(pivot) < 1e-12)
            break;
        if (fabs(pivot) < 1e-2)
            return -1;
        for (size_t k = 0; k < m; k++) {
            double swap = t[row][k];
            t[row][k] = t[rank][k];
            t[rank][k] = swap;
        }
        for (size_t i = 0; i < n; i++) {
            double swap = t[i][best];
            t[i][best] = t[i][rank];
            t[i][rank] = swap;
        }
        size_t swap = order[best];
        order[best] = order[rank];
        order[rank] = swap;
        for (size_t i = 0; i < n; i++)
            for (size_t k = m; i != rank && k-- > rank;)
                t[i][k] -= t[i][rank] / pivot * t[rank][k];
    }
    if (rank + 1 != m)
        return 0;
    lambda[order[m - 1]] = 1;
    for (size_t i = 0; i < rank; i++)
        lambda[order[i]] = -t[i][m - 1] / t[i][i];
    return 1;
}

/* Farkas: there is no room exactly where one of the edges of the cone {λ ≥ 0, Gλ = 0} has drift·λ < 0; an edge is the
 * only vanishing combination of its own columns. 1: no room, 0: room, -1: too close to say. */
static int jams(const squeeze *s)
{
    int answer = 0;
    for (unsigned set = 1; set < 1u << s->rows; set++) {
        size_t column[ROWS_MAX], m = 0;
        double lambda[ROWS_MAX] = {0}, push = 0, size = 0;
        bool positive = true;
        for (size_t k = 0; k < s->rows; k++)
            if (set >> k & 1)
                column[m++] = k;
        int one = m > 1 ? vanishing(s, column, m, lambda) : 0;
        if (one < 0)
            return -1;
        double sign = lambda[0] < 0 ? -1 : 1;
        for (size_t k = 0; one && k < m; k++) {
            if (fabs(lambda[k]) < 1e-3 || fabs(lambda[k]) > 1e3)
                return -1;
            positive &= sign * lambda[k] > 0;
            push -= sign * lambda[k] * s->drift[column[k]];
            size += fabs(lambda[k] * s->drift[column[k]]);
        }
        if (!one || !positive || size == 0)
            continue;
        if (fabs(push) < 1e-3 * size)
            return -1;
        answer |= push > 0;
    }
    return answer;
}

static void room_is_told_as_by_every_set_of_contacts(void **state)
{
    (void)state;
    ts_random random = ts_random_make(7, 1);
    ts_impact_work *work;
    int told[2] = {0};
    OK(ts_impact_work_create(&work, ERROR));
    for (int i = 0; i < 20000; i++) {
        squeeze s = {0};
        bool jammed;
        draw_squeeze(&s, &random);
        int expected = jams(&s);
        if (expected < 0)
            continue;
        ts_rows n = {s.rows, s.balls, DOF, s.a, s.b, s.ga, s.gb, s.drift};
        OK(ts_impact_jammed(&(ts_impact){.rows = &n, .options = &(ts_impact_options){0}, .work = work}, NULL, &jammed,
                            ERROR));
        if (jammed != (expected == 1))
            fail_msg("squeeze %d: %s", i, jammed ? "there is room" : "there is no room");
        told[jammed]++;
    }
    ts_impact_work_free(work);
    assert_true(told[0] > 1000 && told[1] > 1000);
}

/* ---- In scenes ---- */

static void strike_with(ts_scene *scene, const char *by, double restitution)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "impact";
    ts_dynamics_set_text(&dynamics, "operator", by);
    material.restitution = restitution;
    settings.time_step = 0.01;
    settings.duration = 10;
    OK(ts_scene_set(scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(scene, &material, ERROR));
}

static void drive(ts_scene *scene, const char *target, double vx, double vy)
{
    ts_drive_def move = ts_default_drive();
    move.kind = TS_DRIVE_VELOCITY;
    move.target = target;
    move.velocity[0] = vx;
    move.velocity[1] = vy;
    OK(ts_scene_add_drive(scene, &move, NULL, ERROR));
}

/* Steps until it fails, at most so many; the time at which it did. */
static double fails(ts_test_world *w, uint64_t most, const char *const word[], size_t words)
{
    ts_status status = TS_OK;
    memset(ERROR, 0, sizeof *ERROR);
    for (uint64_t i = 0; i < most && status == TS_OK; i++)
        status = ts_step(w->model, w->state, w->work, 1, ERROR);
    if (status != TS_DIVERGED)
        fail_msg("status %d: %s", (int)status, ts_test_error.message);
    for (size_t k = 0; k < words; k++)
        if (!strstr(ts_test_error.message, word[k]))
            fail_msg("the message has no \"%s\": %s", word[k], ts_test_error.message);
    for (size_t i = 0; i < ts_model_body_count(w->model); i++) {
        const ts_body *body = &w->state->body[i];
        assert_true(isfinite(body->x) && isfinite(body->vx) && isfinite(body->spin));
    }
    return ts_state_time(w->state);
}

/* Discs of radius 1 in a row between walls 8 apart, which close at 1 m/s each: three of them fill what is left after 1
 * s. Elastic ones dodge for a while: they bounce off one wall before they meet the other. */
static void a_row_between_closing_walls_is_named(void **state)
{
    (void)state;
    static const double restitution[] = {0, 0.5, 1};
    static const char *const word[] = {"(\"left\")", "(\"right\")", "at t = ", "no room for body ",
                                       "by 2 m/s",   "body 0",      "body 1",  "and body 2: "};
    /* there is no room, or, where no step strikes all three at once, a wall is half-way through one of them */
    static const char *const caught[] = {"at t = ", "body "};
    for (int k = 0; ts_impact_operators[k]; k++)
        for (int c = 0; c < 3; c++) {
            bool elastic = restitution[c] == 1;
            ts_test_world w = {0};
            ts_test_open(&w, 0);
            strike_with(w.scene, ts_impact_operators[k]->name, restitution[c]);
            ts_test_plane(w.scene, "left", -4, 0, 1, 0);
            ts_test_plane(w.scene, "right", 4, 0, -1, 0);
            drive(w.scene, "left", 1, 0);
            drive(w.scene, "right", -1, 0);
            int32_t disc = ts_test_disc(w.scene, 1);
            for (int i = 0; i < 3; i++)
                ts_test_body(w.scene, disc, 2 * i - 2, 0);
            ts_test_start(&w, 1);
            double time = elastic ? fails(&w, 400, caught, 2) : fails(&w, 400, word, 8);
            assert_true(time > 1 - 1e-9 && time < (elastic ? 4 : 1.05));
            ts_test_close(&w);
        }
}

/* One disc thrown between them bounces to and fro before it is caught. */
static void a_ball_that_bounces_between_them_is_named(void **state)
{
    (void)state;
    static const char *const word[] = {"no room for body 0: ", "wall 0", "wall 1", "by 1 m/s"};
    ts_test_world w = {0};
    ts_test_open(&w, 0);
    strike_with(w.scene, "gr", 0.9);
    ts_test_plane(w.scene, NULL, -4, 0, 1, 0);
    ts_test_plane(w.scene, "right", 4, 0, -1, 0);
    drive(w.scene, "right", -1, 0);
    ts_test_body_moving(w.scene, ts_test_disc(w.scene, 1), 0, 0, 1, 0, 0);
    ts_test_start(&w, 1);
    double time = fails(&w, 800, word, sizeof word / sizeof *word);
    assert_true(time > 6 - 1e-9 && time < 6.5); /* then they are 2 apart */
    ts_test_close(&w);
}

/* What is driven and fixed is a wall as well; outlines have several contacts with it. */
static void a_box_under_a_press_is_named(void **state)
{
    (void)state;
    static const char *const word[] = {"body 1", "body 0", "(\"table\")", "no room", "by 0.5 m/s"};
    ts_test_world w = {0};
    ts_outline *outline;
    int32_t box;
    ts_test_open(&w, -9.81);
    strike_with(w.scene, "gr", 0.3);
    OK(ts_scene_set_map(w.scene, &(ts_map_options){.kind = TS_MAP_EXACT}, ERROR));
    OK(ts_outline_box(2, 1, 0, &outline, ERROR));
    OK(ts_scene_add_outline(w.scene, NULL, outline, &box, ERROR));
    ts_outline_free(outline);
    ts_test_plane(w.scene, "table", 0, 0, 0, 1);
    ts_test_fixed(w.scene, "press", box, 0, 2);
    drive(w.scene, "press", 0, -0.5);
    ts_test_body(w.scene, box, 0, 0.5);
    ts_test_start(&w, 1);
    double time = fails(&w, 200, word, sizeof word / sizeof *word);
    assert_true(time > 0.9 && time < 1.1); /* a gap of 0.5 m */
    ts_test_close(&w);
}

/* Walls at an angle squeeze a disc out, and a piston pushes a free row along: nothing is wrong with either. */
static void what_can_get_away_does(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        ts_test_open(&w, 0);
        strike_with(w.scene, "gr", 0.5);
        double s = k == 0 ? 0.1 : 0, c = sqrt(1 - s * s); /* half of the angle between them */
        ts_test_plane(w.scene, "left", -1, 0, c, s);
        drive(w.scene, "left", 0.2, 0);
        if (k == 0) {
            ts_test_plane(w.scene, "right", 1, 0, -c, s);
            drive(w.scene, "right", -0.2, 0);
        }
        int32_t disc = ts_test_disc(w.scene, 0.5);
        for (int i = 0; i < (k == 0 ? 1 : 40); i++)
            ts_test_body(w.scene, disc, k == 0 ? 0 : i, 0);
        ts_test_start(&w, 1);
        ts_test_step(&w, 400);
        const ts_body *body = &w.state->body[0];
        assert_true(k == 0 ? body->y > 0.5 : body->x > 0.2);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_is_told_as_by_every_set_of_contacts),
        cmocka_unit_test(a_row_between_closing_walls_is_named),
        cmocka_unit_test(a_ball_that_bounces_between_them_is_named),
        cmocka_unit_test(a_box_under_a_press_is_named),
        cmocka_unit_test(what_can_get_away_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
