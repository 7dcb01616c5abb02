/* SPDX-License-Identifier: MIT */
/* Soft-step at its defaults, against closed forms: bounce, slide, roll, stacks, momenta, forces; the same bits on any
 * number of threads, instruction set and after a restart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "base/cpu.h"
#include "model.h"
#include "support/world.h"
#include "workspace.h"

#define G 9.81

/* A scene of these shapes, walls and bodies, in JSON. */
static void open_scene(ts_test_world *w, const char *dynamics, const char *rest)
{
    char text[8000];
    *w = (ts_test_world){0};
    snprintf(text, sizeof text,
             "{\"touchstone\": 1, \"duration\": 100, \"dynamics\": {\"kind\": \"soft-step\", %s}, %s}", dynamics, rest);
    OK(ts_scene_parse(text, strlen(text), "soft", NULL, &w->scene, ERROR));
    ts_test_start(w, 1);
}

static void run_for(ts_test_world *w, double seconds)
{
    ts_test_step(w, (uint64_t)ceil(seconds / w->model->settings.time_step));
}

#define FLOOR "\"walls\": [{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}]"
#define BALL  "\"shapes\": {\"ball\": {\"kind\": \"disc\", \"radius\": 0.1}}"
#define BOX   "\"shapes\": {\"box\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}}"

/* A ball dropped from 1 m rises to e². The energy tells, at any time after the bounce. */
static void bounces_by_its_restitution(void **state)
{
    (void)state;
    static const double restitution[] = {0.3, 0.6, 0.9, 1};
    for (size_t i = 0; i < sizeof restitution / sizeof *restitution; i++) {
        const double e = restitution[i];
        char dynamics[80];
        ts_test_world w;
        snprintf(dynamics, sizeof dynamics, "\"restitution\": %g", e);
        open_scene(&w, dynamics, BALL ", " FLOOR ", \"bodies\": [{\"shape\": \"ball\", \"position\": [0, 1.1]}]");
        run_for(&w, 0.48);
        const ts_body *b = ts_state_bodies(w.state);
        NEAR(b->y - 0.1 + b->vy * b->vy / (2 * G), e * e, 2e-4);
        ts_test_close(&w);
    }
}

/* A finger that a script drives at any speed pushes a box before it, and never goes through: the derived step heeds
 * it. A step that was given and is too long even for its shortest sub-steps is refused. */
static void driven_at_any_speed(void **state)
{
    (void)state;
    static const double speed[] = {0.2, 5, 50, 1000};
    static const char scene[] =
        "\"shapes\": {\"box\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.4},"
        " \"finger\": {\"kind\": \"disc\", \"radius\": 0.02}}, " FLOOR ", \"materials\": {\"smooth\": {\"friction\": "
        "0}}, \"drives\": [{\"kind\": \"velocity\", \"target\": \"finger\", \"velocity\": [%g, 0]}], \"bodies\": "
        "[{\"shape\": \"finger\", \"position\": [-0.22, 0.2], \"fixed\": true, \"name\": \"finger\", \"material\": "
        "\"smooth\"}, {\"shape\": \"box\", \"position\": [0, 0.2]}]";
    for (size_t i = 0; i < sizeof speed / sizeof *speed; i++) {
        const double v = speed[i];
        char rest[1000];
        ts_test_world w;
        snprintf(rest, sizeof rest, scene, v);
        open_scene(&w, "\"friction\": 0.3, \"restitution\": 0", rest);
        run_for(&w, 2 / v);
        const double end = w.model->settings.time_step * ceil(2 / v / w.model->settings.time_step);
        const ts_body *b = ts_state_bodies(w.state);
        NEAR(b[0].x, -0.22 + v * end, 1e-9 * v);
        NEAR(b[1].x - b[0].x, 0.12, 1e-3);
        NEAR(b[1].vx / v, 1, 1e-6);
        ts_test_close(&w);
    }
    char rest[1000], text[1500];
    ts_test_world w = {0};
    snprintf(rest, sizeof rest, scene, 1000.0);
    snprintf(text, sizeof text,
             "{\"touchstone\": 1, \"duration\": 1, \"dynamics\": {\"kind\": \"soft-step\"}, \"time_step\": 0.01, %s}",
             rest);
    OK(ts_scene_parse(text, strlen(text), "soft", NULL, &w.scene, ERROR));
    assert_int_equal(ts_model_compile(w.scene, &w.model, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "take a time_step of at most 0.0064 s"));
    ts_scene_free(w.scene);
}

/* A ball that slides in a bowl without friction keeps its energy, on arcs from within, on arcs from without, and on a
 * polygon's corners. */
static void slides_on_arcs(void **state)
{
    (void)state;
    static const struct {
        const char *wall;
        double x, y, gone; /* where it begins, and for how long [s] */
    } what[] = {{"[[-1, 1, 1], [1, 1]]", 0.45, 1 - 0.9 * 0.8660254037844387, 20}, /* a bowl of radius 1 */
                {"[[1, 0, 1], [-1, 0]]", 0.05, 1.0988630487917954, 1.2},          /* a dome */
                {"[[-1, 1], [-0.5, 0.2], [0.5, 0.2], [1, 1]]", 0.2, 0.3, 3}};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        char rest[500];
        ts_test_world w;
        ts_measures first, last;
        snprintf(rest, sizeof rest,
                 BALL ", \"walls\": [{\"kind\": \"polyline\", \"points\": %s}], "
                      "\"bodies\": [{\"shape\": \"ball\", \"position\": [%.17g, %.17g]}]",
                 what[i].wall, what[i].x, what[i].y);
        open_scene(&w, "\"friction\": 0, \"restitution\": 0", rest);
        OK(ts_measure(w.model, w.state, w.work, &first, ERROR));
        run_for(&w, what[i].gone);
        OK(ts_measure(w.model, w.state, w.work, &last, ERROR));
        const double begin = first.gravitational, end = last.gravitational + last.kinetic;
        NEAR(end / begin, 1, 2e-3);
        ts_test_close(&w);
    }
}

/* A ball rolls down a slope with 2/3 of g sin, a box slides with g (sin - μ cos) or stays. */
static void rolls_and_slides(void **state)
{
    (void)state;
    const double angle = 0.5;
    static const struct {
        const char *shape;
        double friction, share; /* of g sin; NaN: from friction */
    } what[] = {{BALL, 0.6, 2.0 / 3}, {BOX, 0.3, (double)NAN}, {BOX, 0.6, 0}};
    for (size_t i = 0; i < 3; i++) {
        char rest[500], dynamics[80];
        ts_test_world w;
        snprintf(dynamics, sizeof dynamics, "\"friction\": %g", what[i].friction);
        snprintf(rest, sizeof rest,
                 "%s, \"walls\": [{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [%.17g, %.17g]}], "
                 "\"bodies\": [{\"shape\": \"%s\", \"position\": [%.17g, %.17g], \"angle\": %g}]",
                 what[i].shape, -sin(angle), cos(angle), i == 0 ? "ball" : "box", -0.1 * sin(angle), 0.1 * cos(angle),
                 angle);
        open_scene(&w, dynamics, rest);
        const ts_body begin = *ts_state_bodies(w.state);
        run_for(&w, 1);
        const ts_body *end = ts_state_bodies(w.state);
        const double time = ts_state_time(w.state), went = hypot(end->x - begin.x, end->y - begin.y);
        const double share = isnan(what[i].share) ? 1 - what[i].friction / tan(angle) : what[i].share;
        NEAR(went, 0.5 * share * G * sin(angle) * time * time, 2e-3);
        ts_test_close(&w);
    }
}

/* Ten boxes stand; each contact carries what lies above it. */
static void stack_stands_and_carries(void **state)
{
    (void)state;
    char rest[2000];
    size_t used = (size_t)snprintf(rest, sizeof rest, BOX ", " FLOOR ", \"bodies\": [");
    for (int i = 0; i < 10; i++)
        used += (size_t)snprintf(rest + used, sizeof rest - used, "%s{\"shape\": \"box\", \"position\": [0, %.17g]}",
                                 i ? ", " : "", 0.1 + 0.2 * i);
    snprintf(rest + used, sizeof rest - used, "]");
    ts_test_world w;
    open_scene(&w, "\"friction\": 0.5", rest);
    run_for(&w, 5);
    const ts_contact *contact;
    size_t count;
    double carried[10] = {0}, force[3];
    OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
    for (size_t k = 0; k < count; k++)
        carried[contact[k].b] += contact[k].force[1];
    for (size_t i = 0; i < 10; i++) {
        const ts_body *b = &ts_state_bodies(w.state)[i];
        NEAR(b->y, 0.1 + 0.2 * (double)i, 1.5e-3);
        NEAR(b->x, 0, 1e-3);
        assert_true(hypot(b->vx, b->vy) < 1e-8);
        NEAR(carried[i] / (ts_model_mass(w.model, 0) * G * (double)(10 - i)), 1, 1e-6);
    }
    OK(ts_wall_force(w.work, 0, force, NULL, ERROR));
    NEAR(-force[1] / (10 * ts_model_mass(w.model, 0) * G), 1, 1e-6);
    ts_test_close(&w);
}

/* What falls onto a stack, or with it, is felt down to the floor within a sub-step, whether it bounces or not, and
 * wherever in a sub-step it arrives: nothing is squeezed on the way. */
static void impacts_go_through_stacks(void **state)
{
    (void)state;
    static const struct {
        double drop, gap, density, restitution, most; /* of the stack, of the box above it; the most of an overlap */
    } falls[] = {{1, 0, 1000, 0, 4e-3},   {5, 0, 1000, 0, 4e-3},     {5.05, 0, 1000, 0, 4e-3}, {5.3, 0, 1000, 0, 4e-3},
                 {5, 0, 1000, 0.3, 4e-3}, {5.3, 0, 1000, 0.3, 4e-3}, {0, 1, 10000, 0, 4e-3},   {0, 1, 10000, 0.3, 4e-3},
                 {0, 1, 200000, 0, 0.02}, {0, 1, 200000, 0.3, 0.02}};
    for (size_t k = 0; k < sizeof falls / sizeof *falls; k++)
        for (int space = 0; space < 2; space++) {
            char rest[3000], dynamics[80];
            size_t used = (size_t)snprintf(
                rest, sizeof rest,
                "\"space\": \"%s\", \"shapes\": {\"box\": %s}, \"materials\": {\"other\": {\"density\": %g}}, "
                "\"walls\": [{\"kind\": \"%s\", \"position\": [0, 0%s], \"normal\": [0, %s1]}], \"bodies\": [",
                space ? "space" : "plane",
                space ? "{\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}"
                      : "{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}",
                falls[k].density, space ? "plane" : "half-plane", space ? ", 0" : "", space ? "0, " : "");
            for (int i = 0; i < 6; i++)
                used += (size_t)snprintf(
                    rest + used, sizeof rest - used, "%s{\"shape\": \"box\", \"position\": [0, %s%.17g]%s}",
                    i ? ", " : "", space ? "0, " : "", 0.1 + 0.2 * i + falls[k].drop + (i == 5 ? falls[k].gap : 0),
                    i == 5 ? ", \"material\": \"other\"" : "");
            snprintf(rest + used, sizeof rest - used, "]");
            snprintf(dynamics, sizeof dynamics, "\"friction\": 0.5, \"restitution\": %g", falls[k].restitution);
            ts_test_world w;
            open_scene(&w, dynamics, rest);
            run_for(&w, 2);
            if (!(w.work->max_overlap < falls[k].most))
                fail_msg("%s, %g m, %g m, %g kg/m³, e = %g: %g m", space ? "space" : "plane", falls[k].drop,
                         falls[k].gap, falls[k].density, falls[k].restitution, w.work->max_overlap);
            ts_test_close(&w);
        }
}

/* Two boxes slide towards each other on a floor and part with e of their speed, flat, whatever they did before; and a ball
 * that bounces while it slides comes to roll, as far as friction goes. */
static void blows_are_straight(void **state)
{
    (void)state;
    const double friction = 0.3, e = 0.8, size = 0.2;
    for (int i = 0; i < 12; i++) {
        const double gap = 0.05 + 0.025 * i, speed = 2 + 0.3 * i, late = speed - friction * G * gap / speed;
        char rest[600];
        ts_test_world w;
        snprintf(rest, sizeof rest,
                 BOX ", " FLOOR
                     ", \"bodies\": [{\"shape\": \"box\", \"position\": [%.17g, 0.1], \"velocity\": [%g, 0]}, "
                     "{\"shape\": \"box\", \"position\": [%.17g, 0.1], \"velocity\": [%g, 0]}]",
                 -0.5 * (size + gap), speed, 0.5 * (size + gap), -speed);
        open_scene(&w, "\"friction\": 0.3, \"restitution\": 0.8", rest);
        const ts_body *b = ts_state_bodies(w.state);
        double fastest = 0;
        while (!(fastest > 0.1) && w.state->step < 1000) {
            ts_test_step(&w, 1);
            fastest = b[1].vx;
        }
        /* within a step, in which friction goes on */
        NEAR(b[1].vx, e * late, 0.1);
        NEAR(b[0].vx, -b[1].vx, 1e-3);
        for (int k = 0; k < 20; k++) {
            ts_test_step(&w, 1);
            NEAR(b[0].y, 0.1, 1e-5);
            NEAR(b[0].angle, 0, 1e-4);
        }
        ts_test_close(&w);
    }
    for (int i = 0; i < 4; i++) { /* v and ω r become (2 v + …)/3 where it sticks: 4/3 m/s of 2 */
        char dynamics[80];
        ts_test_world w;
        snprintf(dynamics, sizeof dynamics, "\"friction\": 0.5, \"restitution\": %g", 0.2 + 0.2 * i);
        open_scene(&w, dynamics,
                   BALL ", " FLOOR ", \"bodies\": [{\"shape\": \"ball\", \"position\": [0, 0.4], "
                        "\"velocity\": [2, -2]}]");
        run_for(&w, 0.2);
        const ts_body *b = ts_state_bodies(w.state);
        NEAR(b->vx, 2 * 2.0 / 3, 1e-6);
        NEAR(b->spin, -2 * 2.0 / 3 / 0.1, 1e-5);
        ts_test_close(&w);
    }
}

/* Without gravity, too, a spring of any stiffness holds a box against a wall, at rest and hardly in it. */
static void springs_press_without_gravity(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        const bool space = k % 2;
        const char *const other = space ? "0, " : "";
        char rest[900], dynamics[80];
        ts_test_world w;
        double q[7], v[6];
        snprintf(rest, sizeof rest,
                 "\"space\": \"%s\", \"gravity\": [0, %s0], \"shapes\": {\"box\": %s}, \"walls\": [{\"kind\": \"%s\", "
                 "\"position\": [0, %s0], \"normal\": [1, %s0]}], \"bodies\": [{\"name\": \"b\", \"shape\": \"box\", "
                 "\"position\": [0.1, %s0]}], \"springs\": [{\"kind\": \"linear\", \"b\": \"b\", \"stiffness\": %g, "
                 "\"anchor_a\": [-10, %s0]}]",
                 space ? "space" : "plane", other,
                 space ? "{\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}"
                       : "{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}",
                 space ? "plane" : "half-plane", other, other, other, pow(10, 1 + (k >> 2)), other);
        snprintf(dynamics, sizeof dynamics, "\"friction\": 0.5, \"restitution\": %g", k & 2 ? 0.5 : 0);
        open_scene(&w, dynamics, rest);
        ts_test_step(&w, 400);
        OK(ts_state_pose(w.state, 0, q, ERROR));
        OK(ts_state_velocity(w.state, 0, v, ERROR));
        NEAR(q[0], 0.1, 1e-5);
        NEAR(v[0], 0, 1e-9);
        ts_test_close(&w);
    }
}

/* Crosses, boxes and balls flung together without anything around them. */
#define CLOUD                                                                                                     \
    "\"gravity\": [0, 0], \"seed\": 5, \"shapes\": {\"ball\": {\"kind\": \"disc\", \"radius\": 0.05}, "           \
    "\"box\": {\"kind\": \"box\", \"width\": 0.1, \"height\": 0.06, \"corner\": 0.01}, "                          \
    "\"ell\": {\"kind\": \"polygon\", \"points\": [[0, 0], [0.15, 0], [0.15, 0.04], [0.04, 0.04], [0.04, 0.15], " \
    "[0, 0.15]]}, \"mix\": {\"kind\": \"group\", \"members\": {\"ball\": 1, \"box\": 1, \"ell\": 1}}}, "          \
    "\"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0, 0, 1.4, 1.4]}, \"count\": 60, "            \
    "\"shape\": \"mix\", \"velocity_spread\": 0.5}]"

static void momenta_of(const ts_test_world *w, double sum[3], double size[3])
{
    memset(sum, 0, 3 * sizeof *sum);
    memset(size, 0, 3 * sizeof *size);
    for (size_t i = 0; i < w->model->body_count; i++) {
        const ts_body *b = &ts_state_bodies(w->state)[i];
        const double m = w->model->mass[i],
                     term[3] = {m * b->vx, m * b->vy,
                                b->spin / w->model->inv_inertia[i] + m * (b->x * b->vy - b->y * b->vx)};
        for (int k = 0; k < 3; k++) {
            sum[k] += term[k];
            size[k] += fabs(term[k]);
        }
    }
}

static void cloud_keeps_its_momenta(void **state)
{
    (void)state;
    ts_test_world w;
    double before[3], after[3], size[3], energy;
    open_scene(&w, "\"friction\": 0.4, \"restitution\": 0.7", CLOUD);
    /* towards the middle */
    for (size_t i = 0; i < w.model->body_count; i++) {
        const ts_body *b = &ts_state_bodies(w.state)[i];
        OK(ts_state_set_velocity(w.state, i, (double[]){b->vx + 0.3 - 3 * (b->x - 0.7), b->vy - 3 * (b->y - 0.7), 1},
                                 ERROR));
    }
    momenta_of(&w, before, size);
    ts_measures m;
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    energy = m.kinetic + m.rotational;
    run_for(&w, 1.5);
    assert_true(w.work->contact_sum > 50);
    momenta_of(&w, after, size);
    for (int k = 0; k < 3; k++)
        NEAR((after[k] - before[k]) / size[k], 0, 1e-12);
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    assert_true(m.kinetic + m.rotational < energy);
    ts_test_close(&w);
}

/* A heap of hollow and round things in a box; no discs, which would roll for ever. */
#define HEAP                                                                                                         \
    "\"seed\": 3, \"shapes\": {\"pill\": {\"kind\": \"box\", \"width\": 0.12, \"height\": 0.06, \"corner\": 0.03}, " \
    "\"ell\": {\"kind\": \"polygon\", \"points\": [[0, 0], [0.15, 0], [0.15, 0.04], [0.04, 0.04], [0.04, 0.15], "    \
    "[0, 0.15]]}, \"ring\": {\"kind\": \"arc\", \"radius\": 0.08, \"thickness\": 0.03, \"angle\": \"250 deg\"}, "    \
    "\"mix\": {\"kind\": \"group\", \"members\": {\"pill\": 1, \"ell\": 1, \"ring\": 1}}}, "                         \
    "\"walls\": [{\"kind\": \"polyline\", \"points\": [[0, 3], [0, 0], [1.2, 0], [1.2, 3]]}], "                      \
    "\"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0.1, 0.1, 1.1, 2]}, \"count\": 50, "             \
    "\"shape\": \"mix\"}]"

static uint64_t hash_of(ts_test_world *w, int threads, uint64_t steps, uint64_t cut)
{
    ts_state *state;
    ts_workspace *work;
    OK(ts_state_create(w->model, &state, ERROR));
    OK(ts_workspace_create(w->model, threads, &work, ERROR));
    for (uint64_t done = 0; done < steps; done += cut) {
        OK(ts_step(w->model, state, work, cut, ERROR));
        if (cut < steps) { /* all that is left goes through a file, and scratch is lost */
            OK(ts_state_save(w->model, state, "soft.tsc", ERROR));
            ts_state_free(state);
            ts_workspace_free(work);
            OK(ts_state_create(w->model, &state, ERROR));
            OK(ts_state_load(w->model, state, "soft.tsc", ERROR));
            OK(ts_workspace_create(w->model, threads, &work, ERROR));
        }
    }
    const uint64_t hash = ts_test_hash(state);
    ts_workspace_free(work);
    ts_state_free(state);
    return hash;
}

static void same_bits_whatever_happens(void **state)
{
    (void)state;
    const uint64_t steps = 240;
    ts_test_world w;
    open_scene(&w, "\"friction\": 0.4, \"restitution\": 0.3", HEAP);
    const uint64_t hash = hash_of(&w, 1, steps, steps);
    assert_true(hash_of(&w, 3, steps, steps) == hash);
    assert_true(hash_of(&w, 1, steps, 40) == hash);
    ts_test_close(&w);
    /* at rest places are not found again: what a checkpoint has of them must do */
    const uint64_t many = 800;
    open_scene(&w, "\"friction\": 0.4", HEAP);
    const uint64_t rests = hash_of(&w, 1, many, many);
    assert_true(hash_of(&w, 3, many, many) == rests);
    assert_true(hash_of(&w, 1, many, 32) == rests);
    ts_test_close(&w);
}

/* What touches nothing of the other does not depend on it. */
static void islands_are_on_their_own(void **state)
{
    (void)state;
    static const char *const with = ", {\"shape\": \"box\", \"position\": [5, 0.12], \"angle\": 0.1}, "
                                    "{\"shape\": \"box\", \"position\": [5.03, 0.35]}";
    double y[2][3];
    for (int k = 0; k < 2; k++) {
        char rest[900];
        ts_test_world w;
        snprintf(rest, sizeof rest,
                 BOX ", " FLOOR ", \"bodies\": [{\"shape\": \"box\", \"position\": [0, 0.11]}, {\"shape\": \"box\", "
                     "\"position\": [0.03, 0.33], \"angle\": 0.05}, {\"shape\": \"box\", \"position\": [0, 0.56]}%s]",
                 k ? with : "");
        open_scene(&w, "\"friction\": 0.4", rest);
        run_for(&w, 2);
        for (int i = 0; i < 3; i++)
            y[k][i] = ts_state_bodies(w.state)[i].y;
        ts_test_close(&w);
    }
    for (int i = 0; i < 3; i++)
        NEAR(y[1][i], y[0][i], 1e-12);
}

static void heap_comes_to_rest(void **state)
{
    (void)state;
    ts_test_world w;
    ts_measures m;
    open_scene(&w, "\"friction\": 0.4", HEAP);
    run_for(&w, 8);
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    double mass = 0;
    for (size_t i = 0; i < w.model->body_count; i++)
        mass += w.model->mass[i];
    NEAR((m.kinetic + m.rotational) / mass, 0, 1e-8);
    assert_true(w.work->max_overlap_ratio < 0.2);
    ts_test_close(&w);
}

/* Peas that a slab of 10⁷ kg/m² crushes overlap by more than their radius, whatever the order of bodies. */
static void overlaps_count_by_the_smaller_body(void **state)
{
    (void)state;
    static const char pea[] =
        "{\"shape\": \"pea\", \"position\": [-0.5, 0.01]}, {\"shape\": \"pea\", \"position\": [0.5, 0.01]}",
                      slab[] = "{\"shape\": \"slab\", \"position\": [0, 0.22], \"material\": \"heavy\"}";
    for (int order = 0; order < 2; order++) {
        char rest[800];
        ts_test_world w;
        snprintf(rest, sizeof rest,
                 "\"materials\": {\"heavy\": {\"density\": 1e7}}, \"shapes\": {\"pea\": {\"kind\": \"disc\", "
                 "\"radius\": 0.01}, \"slab\": {\"kind\": \"box\", \"width\": 2, \"height\": 0.4}}, " FLOOR
                 ", \"bodies\": [%s, %s]",
                 order ? slab : pea, order ? pea : slab);
        open_scene(&w, "\"friction\": 0.5", rest);
        run_for(&w, 0.5);
        assert_true(w.work->max_overlap > 0.01);
        assert_true(w.work->max_overlap_ratio >= w.work->max_overlap / 0.01);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_by_its_restitution),
        cmocka_unit_test(driven_at_any_speed),
        cmocka_unit_test(slides_on_arcs),
        cmocka_unit_test(rolls_and_slides),
        cmocka_unit_test(stack_stands_and_carries),
        cmocka_unit_test(impacts_go_through_stacks),
        cmocka_unit_test(blows_are_straight),
        cmocka_unit_test(springs_press_without_gravity),
        cmocka_unit_test(cloud_keeps_its_momenta),
        cmocka_unit_test(same_bits_whatever_happens),
        cmocka_unit_test(islands_are_on_their_own),
        cmocka_unit_test(heap_comes_to_rest),
        cmocka_unit_test(overlaps_count_by_the_smaller_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
