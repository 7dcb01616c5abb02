/* SPDX-License-Identifier: MIT */
/* Sleeping under soft-step, in the plane and in space: what rests stays where it is to the bit, still presses, and wakes
 * for whatever disturbs it; who sleeps survives a restart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "model.h"
#include "state.h"
#include "support/world.h"

#define G 9.81

enum { STACK = 5, SIDE = 200 }; /* boxes of a stack, their side [mm] */

typedef struct setting {
    bool space;
    bool sleeping;
    const char *more; /* bodies after the boxes, and keys after the list of bodies; NULL: none */
    int stacks;       /* 2 m apart */
} setting;

static size_t add_box(char *text, size_t size, bool space, bool first, double x, double height)
{
    return (size_t)snprintf(text, size, "%s{\"shape\": \"box\", \"position\": [%g%s, %.17g]}", first ? "" : ", ", x,
                            space ? ", 0" : "", height);
}

/* Stacks of boxes on a floor that is called "floor". */
static void open_stacks(ts_test_world *w, setting s)
{
    char text[8000];
    static const char *const place[] = {
        "\"shapes\": {\"box\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}, \"brick\": {\"kind\": \"box\", "
        "\"width\": 0.3, \"height\": 0.2}, \"wide\": {\"kind\": \"box\", \"width\": 0.4, \"height\": 0.2}}, \"walls\": "
        "[{\"name\": \"floor\", \"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}]",
        "\"space\": \"space\", \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}, \"brick\": "
        "{\"kind\": \"box\", \"size\": [0.3, 0.3, 0.2]}, \"wide\": {\"kind\": \"box\", \"size\": [0.4, 0.4, 0.2]}}, "
        "\"walls\": [{\"name\": \"floor\", \"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}]"};
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "{\"touchstone\": 1, \"duration\": 100, \"dynamics\": {\"kind\": \"soft-step\", "
                                   "\"sleeping\": %s}, %s, \"bodies\": [",
                                   s.sleeping ? "true" : "false", place[s.space]);
    for (int k = 0; k < s.stacks; k++)
        for (int i = 0; i < STACK; i++)
            used += add_box(text + used, sizeof text - used, s.space, i + k == 0, 2 * k, 1e-3 * SIDE * (i + 0.5));
    snprintf(text + used, sizeof text - used, "%s}", s.more ? s.more : "]");
    *w = (ts_test_world){0};
    OK(ts_scene_parse(text, strlen(text), "stacks", NULL, &w->scene, ERROR));
    ts_test_start(w, 1);
}

static void run_for(ts_test_world *w, double seconds)
{
    ts_test_step(w, (uint64_t)ceil(seconds / w->model->settings.time_step));
}

static size_t asleep(const ts_test_world *w)
{
    return ts_state_asleep_count(w->state);
}

/* Runs until something has woken. Returns whether it did within that time. */
static bool wakes_within(ts_test_world *w, double seconds)
{
    const size_t before = asleep(w);
    for (double end = ts_state_time(w->state) + seconds; ts_state_time(w->state) < end;) {
        ts_test_step(w, 1);
        if (asleep(w) < before)
            return true;
    }
    return false;
}

static double height_of(const ts_test_world *w, size_t body)
{
    return w->state->body3 ? w->state->body3[body].position[2] : w->state->body[body].y;
}

/* Puts a body over the first stack, so high. */
static void lift(ts_test_world *w, size_t body, double height)
{
    double q[7] = {0};
    OK(ts_state_pose(w->state, body, q, ERROR));
    q[0] = 0;
    q[w->state->body3 ? 2 : 1] = height;
    OK(ts_state_set_pose(w->state, body, q, ERROR));
}

/* Where all bodies are and how fast they go. */
static uint64_t motion_of(const ts_test_world *w)
{
    double q[7], v[6], sum[13];
    uint64_t hash = 0;
    for (size_t i = 0; i < w->model->body_count; i++) {
        memset(sum, 0, sizeof sum);
        OK(ts_state_pose(w->state, i, q, ERROR));
        OK(ts_state_velocity(w->state, i, v, ERROR));
        memcpy(sum, q, (w->state->body3 ? 7 : 3) * sizeof *q);
        memcpy(sum + 7, v, (w->state->body3 ? 6 : 3) * sizeof *v);
        for (int k = 0; k < 13; k++) {
            uint64_t bits;
            memcpy(&bits, &sum[k], sizeof bits);
            hash = (hash ^ bits) * 0x9e3779b97f4a7c15u + (hash >> 29);
        }
    }
    return hash;
}

/* What lies on top of each box, and what the floor carries, as shares of what they weigh. Whoever sleeps stayed below
 * 1e-4 √(g s) for 1.566 √(s/g): net forces had a mean of at most twice the quotient, 1.28e-4 m g. */
static void check_forces(ts_test_world *w)
{
    const double tolerance = 1.28e-4;
    const ts_contact *contact;
    const double weight = ts_model_mass(w->model, 0) * G;
    const int up = w->state->body3 ? 2 : 1;
    size_t count;
    double carried[STACK] = {0}, force[3];
    OK(ts_find_contacts(w->model, w->state, w->work, &contact, &count, ERROR));
    for (size_t k = 0; k < count; k++)
        carried[contact[k].b] += contact[k].force[up];
    for (int i = 0; i < STACK; i++)
        NEAR(carried[i] / (weight * (STACK - i)), 1, tolerance);
    OK(ts_wall_force(w->work, 0, force, NULL, ERROR));
    NEAR(-force[up] / (weight * STACK), 1, tolerance);
}

static void stack_sleeps_to_the_bit(void **unused)
{
    (void)unused;
    for (int space = 0; space < 2; space++) {
        ts_test_world w;
        ts_measures m;
        open_stacks(&w, (setting){.space = space, .sleeping = true, .stacks = 1});
        run_for(&w, 1.5);
        assert_int_equal(asleep(&w), STACK);
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        assert_true(m.kinetic == 0 && m.rotational == 0);
        check_forces(&w);
        const uint64_t motion = motion_of(&w);
        run_for(&w, 10);
        assert_int_equal(asleep(&w), STACK);
        assert_true(motion_of(&w) == motion);
        check_forces(&w);
        ts_test_close(&w);
    }
}

/* A brick that is let fall onto two that sleep: all end where they do without sleeping. Each is narrower than the one
 * below, so that there is but one way in which they can touch; a ball would roll on and on. */
static void falling_brick_wakes_the_others(void **unused)
{
    (void)unused;
    static const char *const bricks[] = {
        "{\"shape\": \"wide\", \"position\": [0, 0.1]}, {\"shape\": \"brick\", \"position\": [0, 0.3]}, "
        "{\"shape\": \"box\", \"position\": [-2, 0.1]}]",
        "{\"shape\": \"wide\", \"position\": [0, 0, 0.1]}, {\"shape\": \"brick\", \"position\": [0, 0, 0.3]}, "
        "{\"shape\": \"box\", \"position\": [-2, 0, 0.1]}]"};
    for (int space = 0; space < 2; space++) {
        double q[2][3][7];
        for (int sleeping = 0; sleeping < 2; sleeping++) {
            ts_test_world w;
            open_stacks(&w, (setting){.space = space, .sleeping = sleeping, .more = bricks[space]});
            run_for(&w, 1.5);
            assert_int_equal(asleep(&w), sleeping ? 3 : 0);
            lift(&w, 2, 0.6);
            if (sleeping) {
                ts_test_step(&w, 1);
                assert_int_equal(asleep(&w), 2); /* the one that was lifted has woken: it is far off */
                assert_true(wakes_within(&w, 0.5));
                assert_int_equal(asleep(&w), 0); /* the others as a whole */
            }
            run_for(&w, 8);
            assert_int_equal(asleep(&w), sleeping ? 3 : 0);
            for (size_t i = 0; i < 3; i++)
                OK(ts_state_pose(w.state, i, q[sleeping][i], ERROR));
            ts_test_close(&w);
        }
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < (space ? 7 : 3); k++)
                NEAR(q[1][i][k], q[0][i][k], 1e-6);
        NEAR(q[1][2][space ? 2 : 1], 0.5, 1e-3);
    }
}

/* A floor that begins to move takes the stack along; one that opens lets it fall. */
static void floors_wake_what_lies_on_them(void **unused)
{
    (void)unused;
    static const struct {
        const char *plane, *space;
        double moved; /* half a second after it began [m] */
    } what[] = {
        {"], \"drives\": [{\"target\": \"floor\", \"kind\": \"velocity\", \"velocity\": [0, 0.1], \"start\": 3}]",
         "], \"drives\": [{\"target\": \"floor\", \"kind\": \"velocity\", \"velocity\": [0, 0, 0.1], \"start\": 3}]",
         0.05},
        {"], \"drives\": [{\"target\": \"floor\", \"kind\": \"gate\", \"opens\": 3}]",
         "], \"drives\": [{\"target\": \"floor\", \"kind\": \"gate\", \"opens\": 3}]", -0.5 * G * 0.25},
    };
    for (int k = 0; k < 4; k++) {
        const bool space = k % 2;
        ts_test_world w;
        open_stacks(&w, (setting){.space = space,
                                  .sleeping = true,
                                  .stacks = 1,
                                  .more = space ? what[k / 2].space : what[k / 2].plane});
        const double step = w.model->settings.time_step;
        ts_test_step(&w, (uint64_t)(3 / step));
        assert_int_equal(asleep(&w), STACK);
        const double before = height_of(&w, STACK - 1);
        ts_test_step(&w, 2);
        assert_int_equal(asleep(&w), 0);
        ts_test_step(&w, (uint64_t)ceil(3.5 / step) - w.state->step);
        NEAR(height_of(&w, STACK - 1) - before, what[k / 2].moved, k < 2 ? 1e-3 : 0.04);
        ts_test_close(&w);
    }
}

/* The lowest box is put elsewhere: those above fall. */
static void support_that_goes_wakes(void **unused)
{
    (void)unused;
    for (int space = 0; space < 2; space++) {
        ts_test_world w;
        open_stacks(&w, (setting){.space = space, .sleeping = true, .stacks = 1});
        run_for(&w, 1.5);
        lift(&w, 0, 5);
        run_for(&w, 0.1);
        NEAR(height_of(&w, STACK - 1), 1e-3 * SIDE * (STACK - 0.5) - 0.5 * G * 0.01, 0.02);
        ts_test_close(&w);
    }
}

static void stacks_sleep_by_themselves(void **unused)
{
    (void)unused;
    for (int space = 0; space < 2; space++) {
        ts_test_world w;
        open_stacks(&w, (setting){.space = space, .sleeping = true, .stacks = 2});
        run_for(&w, 1.5);
        assert_int_equal(asleep(&w), 2 * STACK);
        OK(ts_state_set_velocity(w.state, STACK, (double[6]){0.3, 0, 0}, ERROR));
        ts_test_step(&w, 1);
        for (size_t i = 0; i < 2 * STACK; i++)
            assert_true((w.state->still.item[i] == TS_ASLEEP) == (i < STACK));
        run_for(&w, 3);
        assert_int_equal(asleep(&w), 2 * STACK);
        ts_test_close(&w);
    }
}

/* Two stacks whose lowest boxes are joined by a spring of their distance are one island. */
static void springs_join(void **unused)
{
    (void)unused;
    for (int space = 0; space < 2; space++) {
        ts_test_world w;
        open_stacks(
            &w,
            (setting){.space = space,
                      .sleeping = true,
                      .stacks = 1,
                      .more =
                          space ? ", {\"name\": \"l\", \"shape\": \"box\", \"position\": [-4, 0, 0.1]}, "
                                  "{\"name\": \"r\", \"shape\": \"box\", \"position\": [-2, 0, 0.1]}], "
                                  "\"springs\": [{\"kind\": \"linear\", \"a\": \"l\", \"b\": \"r\", \"stiffness\": 50, "
                                  "\"rest\": 2}]"
                                : ", {\"name\": \"l\", \"shape\": \"box\", \"position\": [-4, 0.1]}, "
                                  "{\"name\": \"r\", \"shape\": \"box\", \"position\": [-2, 0.1]}], "
                                  "\"springs\": [{\"kind\": \"linear\", \"a\": \"l\", \"b\": \"r\", \"stiffness\": 50, "
                                  "\"rest\": 2}]"});
        run_for(&w, 1.5);
        assert_int_equal(asleep(&w), STACK + 2);
        OK(ts_state_set_velocity(w.state, STACK, (double[6]){0.01, 0, 0}, ERROR));
        ts_test_step(&w, 1);
        assert_int_equal(asleep(&w), STACK);
        ts_test_close(&w);
    }
}

/* A box that falls onto a stack comes to rest on its top: what it had before it fell is lost then, and no more. */
static void energy_is_accounted_for(void **unused)
{
    (void)unused;
    for (int space = 0; space < 2; space++) {
        ts_test_world w;
        ts_measures last;
        open_stacks(&w, (setting){.space = space,
                                  .sleeping = true,
                                  .stacks = 1,
                                  .more = space ? ", {\"shape\": \"box\", \"position\": [0, 0, 1.6]}]"
                                                : ", {\"shape\": \"box\", \"position\": [0, 1.6]}]"});
        run_for(&w, 4);
        OK(ts_measure(w.model, w.state, w.work, &last, ERROR));
        assert_int_equal(asleep(&w), STACK + 1);
        const double fall = ts_model_mass(w.model, STACK) * G * (1.6 - 1e-3 * SIDE * (STACK + 0.5));
        NEAR((last.lost_normal - last.work) / fall, 1, 4e-3); /* it sinks a little further */
        ts_test_close(&w);
    }
}

/* ---- Bits ---- */

#define PLANE_HEAP                                                                                                    \
    "\"shapes\": {\"ell\": {\"kind\": \"polygon\", \"points\": [[0, 0], [0.15, 0], [0.15, 0.04], [0.04, 0.04], "      \
    "[0.04, 0.15], [0, 0.15]]}}, \"walls\": [{\"kind\": \"polyline\", \"points\": [[0, 3], [0, 0], [1.2, 0], "        \
    "[1.2, 3]]}], \"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0.1, 0.1, 1.1, 2]}, \"count\": 40, " \
    "\"shape\": \"ell\"}], \"bodies\": [{\"name\": \"late\", \"shape\": \"ell\", \"position\": [0.6, 40]}]"
#define SPACE_HEAP                                                                                                     \
    "\"space\": \"space\", \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": [0.2, 0.15, 0.1]}}, "                   \
    "\"walls\": [{\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}], \"generators\": [{\"kind\": " \
    "\"random\", \"region\": {\"box\": [-0.4, -0.4, 0.2, 0.4, 0.4, 2.5]}, \"count\": 20, \"shape\": \"box\"}], "       \
    "\"bodies\": [{\"shape\": \"box\", \"position\": [0, 0, 40]}]"

static void open_heap(ts_test_world *w, bool space, const char *sleeping)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "{\"touchstone\": 1, \"duration\": 100, \"seed\": 5, \"dynamics\": {\"kind\": \"soft-step\", \"friction\": "
        "0.6%s}, %s}",
        sleeping, space ? SPACE_HEAP : PLANE_HEAP);
    *w = (ts_test_world){0};
    OK(ts_scene_parse(text, strlen(text), "heap", NULL, &w->scene, ERROR));
    ts_test_start(w, 1);
}

/* The state after so many steps; every `cut` of them all that is left goes through a file. */
static uint64_t hash_of(const ts_test_world *w, int threads, uint64_t steps, uint64_t cut)
{
    ts_state *state;
    ts_workspace *work;
    OK(ts_state_create(w->model, &state, ERROR));
    OK(ts_workspace_create(w->model, threads, &work, ERROR));
    for (uint64_t done = 0; done < steps; done += cut) {
        OK(ts_step(w->model, state, work, cut, ERROR));
        if (cut == steps)
            continue;
        OK(ts_state_save(w->model, state, "sleep.tsc", ERROR));
        ts_state_free(state);
        ts_workspace_free(work);
        OK(ts_state_create(w->model, &state, ERROR));
        OK(ts_state_load(w->model, state, "sleep.tsc", ERROR));
        OK(ts_workspace_create(w->model, threads, &work, ERROR));
    }
    const uint64_t hash = ts_test_hash(state);
    ts_workspace_free(work);
    ts_state_free(state);
    return hash;
}

/* A heap falls asleep; 40 m above it something falls, and wakes some of it after 2.9 s. */
static void same_bits_whatever_happens(void **unused)
{
    (void)unused;
    for (int space = 0; space < 2; space++) {
        ts_test_world w;
        open_heap(&w, space, ", \"sleeping\": true");
        size_t most = 0, least = SIZE_MAX;
        uint64_t steps = 0;
        for (; ts_state_time(w.state) < 4; steps++) {
            ts_test_step(&w, 1);
            const size_t now = asleep(&w);
            most = now > most ? now : most;
            if (ts_state_time(w.state) > 2.9)
                least = now < least ? now : least;
        }
        assert_true(most >= 10);
        assert_true(least < most);
        const uint64_t cut = 7, whole = steps / cut * cut, hash = hash_of(&w, 1, whole, whole);
        assert_true(hash_of(&w, 3, whole, whole) == hash);
        assert_true(hash_of(&w, 1, whole, cut) == hash);
        ts_test_close(&w);
    }
}

/* Until something sleeps, nothing differs; and with "sleeping": false nothing ever does. */
static void off_changes_no_bits(void **unused)
{
    (void)unused;
    for (int space = 0; space < 2; space++) {
        static const char *const sleeping[] = {"", ", \"sleeping\": false", ", \"sleeping\": true"};
        ts_test_world w[3];
        for (int i = 0; i < 3; i++)
            open_heap(&w[i], space, sleeping[i]);
        while (asleep(&w[2]) == 0) {
            assert_true(motion_of(&w[2]) == motion_of(&w[0]));
            for (int i = 0; i < 3; i++)
                ts_test_step(&w[i], 1);
        }
        assert_true(ts_state_time(w[2].state) > 0.2);
        assert_true(motion_of(&w[2]) != motion_of(&w[0]));
        assert_true(ts_test_hash(w[1].state) == ts_test_hash(w[0].state));
        for (int i = 0; i < 3; i++)
            ts_test_close(&w[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack_sleeps_to_the_bit),       cmocka_unit_test(falling_brick_wakes_the_others),
        cmocka_unit_test(floors_wake_what_lies_on_them), cmocka_unit_test(support_that_goes_wakes),
        cmocka_unit_test(stacks_sleep_by_themselves),    cmocka_unit_test(springs_join),
        cmocka_unit_test(energy_is_accounted_for),       cmocka_unit_test(same_bits_whatever_happens),
        cmocka_unit_test(off_changes_no_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
