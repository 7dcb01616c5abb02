/* SPDX-License-Identifier: MIT */
/* The study `everyday`: ordinary scenes with known outcomes (scenes/everyday), under every dynamics that takes them,
 * with nothing set but friction and restitution.
 *
 * A *trial* is a scene, what is measured of it, and what should come out. Where it is measured, up is y in the plane
 * and z in space. The scenes are inside the program: the build puts their bytes into it (CMakeLists.txt). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/release.h"
#include "study/everyday.h"
#include "study/studies.h"
#include "touchstone/sim.h"

#define G 9.81

/* ---- Running ---- */

typedef struct run {
    ts_scene *scene;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    double (*begin)[3]; /* where bodies begin */
    double (*late)[3];  /* where they are one second before the end */
    double highest;     /* of body 0 after it was lowest for the first time [m] */
    int up;             /* which coordinate */
} run;

static void close_run(run *r)
{
    ts_workspace_free(r->work);
    ts_state_free(r->state);
    ts_model_free(r->model);
    ts_scene_free(r->scene);
    ts_free(r->begin);
    ts_free(r->late);
}

static ts_status place_of(const run *r, size_t body, double at[3], ts_error *error)
{
    double q[7] = {0};
    TS_TRY(ts_state_pose(r->state, body, q, error));
    memcpy(at, q, 3 * sizeof *at);
    if (r->up == 1)
        at[2] = 0;
    return TS_OK;
}

static ts_status open_run(run *r, const char *scene, const char *dynamics, ts_error *error)
{
    char kind[64], name[64];
    snprintf(name, sizeof name, "%s.json", scene);
    snprintf(kind, sizeof kind, "dynamics.kind=\"%s\"", dynamics);
    const ts_load_options options = {.override = (const char *const[]){kind}, .override_count = 1};
    const ts_text_file *file = ts_everyday_files;
    while (file < ts_everyday_files + ts_everyday_file_count && strcmp(file->name, name) != 0)
        file++;
    if (file == ts_everyday_files + ts_everyday_file_count)
        return ts_fail(error, TS_BAD_INPUT, "there is no scene %.100s", scene);
    TS_TRY(ts_scene_parse(file->text, file->length, scene, &options, &r->scene, error));
    TS_TRY(ts_model_compile(r->scene, &r->model, error));
    TS_TRY(ts_model_prepare(r->model, NULL, error));
    TS_TRY(ts_state_create(r->model, &r->state, error));
    TS_TRY(ts_workspace_create(r->model, 1, &r->work, error));
    const size_t bodies = ts_model_body_count(r->model);
    r->up = ts_model_dimension(r->model) == 2 ? 1 : 2;
    TS_TRY(ts_new(&r->begin, bodies, error));
    TS_TRY(ts_new(&r->late, bodies, error));
    for (size_t i = 0; i < bodies; i++)
        TS_TRY(place_of(r, i, r->begin[i], error));
    memcpy(r->late, r->begin, bodies * sizeof *r->late);
    return TS_OK;
}

static ts_status finish_run(run *r, ts_error *error)
{
    const double step = ts_model_time_step(r->model), duration = ts_model_duration(r->model);
    const uint64_t last = (uint64_t)ceil(duration / step - 1e-9), late = (uint64_t)fmax(0, ceil((duration - 1) / step));
    double low = HUGE_VAL, at[3];
    bool rises = false;
    r->highest = -HUGE_VAL;
    for (uint64_t i = 0; i < last; i++) {
        TS_TRY(ts_step(r->model, r->state, r->work, 1, error));
        TS_TRY(place_of(r, 0, at, error));
        rises |= at[r->up] > low;
        low = fmin(low, at[r->up]);
        r->highest = rises ? fmax(r->highest, at[r->up]) : at[r->up];
        if (i + 1 == late)
            for (size_t k = 0; k < ts_model_body_count(r->model); k++)
                TS_TRY(place_of(r, k, r->late[k], error));
    }
    return TS_OK;
}

/* ---- What is measured ---- */

typedef ts_status measure(const run *r, double *value, ts_error *error);

static double distance(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* How far body 0 has gone. */
static ts_status way(const run *r, double *value, ts_error *error)
{
    double at[3];
    TS_TRY(place_of(r, 0, at, error));
    *value = distance(at, r->begin[0]);
    return TS_OK;
}

/* The highest that body 0 gets after its first fall, above its radius of 0.1 m. */
static ts_status apex(const run *r, double *value, ts_error *error)
{
    (void)error;
    *value = r->highest - 0.1;
    return TS_OK;
}

/* The farthest that any body has moved in the last second. */
static ts_status creep(const run *r, double *value, ts_error *error)
{
    *value = 0;
    for (size_t i = 0; i < ts_model_body_count(r->model); i++) {
        double at[3];
        TS_TRY(place_of(r, i, at, error));
        *value = fmax(*value, distance(at, r->late[i]));
    }
    return TS_OK;
}

/* How far the last body is below where it began. */
static ts_status sinking(const run *r, double *value, ts_error *error)
{
    const size_t last = ts_model_body_count(r->model) - 1;
    double at[3];
    TS_TRY(place_of(r, last, at, error));
    *value = r->begin[last][r->up] - at[r->up];
    return TS_OK;
}

/* The speed of body 0, and of the last one, along x. */
static ts_status speed(const run *r, double *value, ts_error *error)
{
    double v[6];
    TS_TRY(ts_state_velocity(r->state, 0, v, error));
    *value = v[0];
    return TS_OK;
}
static ts_status last_speed(const run *r, double *value, ts_error *error)
{
    double v[6];
    TS_TRY(ts_state_velocity(r->state, ts_model_body_count(r->model) - 1, v, error));
    *value = v[0];
    return TS_OK;
}

/* How far the last body has turned, in the plane. */
static ts_status turn(const run *r, double *value, ts_error *error)
{
    double q[3];
    TS_TRY(ts_state_pose(r->state, ts_model_body_count(r->model) - 1, q, error));
    *value = fabs(q[2]);
    return TS_OK;
}

/* What a wall carries, of the weight of all bodies. */
static ts_status carried(const run *r, double *value, ts_error *error)
{
    double force[3], weight = 0;
    for (size_t i = 0; i < ts_model_body_count(r->model); i++)
        weight += G * ts_model_mass(r->model, i);
    TS_TRY(ts_wall_force(r->work, 0, force, NULL, error));
    *value = hypot(hypot(force[0], force[1]), force[2]) / weight;
    return TS_OK;
}

/* How deep body 0 is. */
static ts_status depth(const run *r, double *value, ts_error *error)
{
    double at[3];
    TS_TRY(place_of(r, 0, at, error));
    *value = -at[r->up];
    return TS_OK;
}

/* ---- Trials ---- */

typedef enum how { NEAR, AT_MOST, AT_LEAST } how;
/* Dynamics that claim to take a scene. The penalty law's steps are short: some scenes it runs with --full only. */
enum { IMPACT = 2, ALL = 7, LONG = 8, ALL_LONG = ALL | LONG };
static const char *const dynamics_name[] = {"penalty", "impact", "soft-step"};

typedef struct trial {
    const char *scene, *what, *unit;
    measure *of;
    double expected, tolerance; /* the latter of NEAR, relative */
    how how;
    unsigned by; /* dynamics that claim to take it */
} trial;

#define SIN20 0.34202014332566871

static const trial trials[] = {
    {"bounce", "a ball, e = 0.6: apex", "m", apex, 0.36, 0.02, NEAR, ALL},
    {"bounce-space", "a ball in space, e = 0.6: apex", "m", apex, 0.36, 0.02, NEAR, ALL},
    {"thud", "a ball, e = 0: rises by", "m", apex, 1e-3, 0, AT_MOST, ALL},
    {"thud-space", "a ball in space, e = 0: rises by", "m", apex, 1e-3, 0, AT_MOST, ALL},
    {"tilted", "a box that fell on an edge: motion in a second", "m", creep, 1e-5, 0, AT_MOST, ALL},
    {"tilted-space", "a box in space that fell on an edge: motion in a second", "m", creep, 1e-5, 0, AT_MOST, ALL_LONG},
    {"creep", "a box on 20°, μ = 0.5: slides in 5 s", "m", way, 1e-3, 0, AT_MOST, ALL},
    {"creep-space", "a box in space on 20°, μ = 0.5: slides in 5 s", "m", way, 1e-3, 0, AT_MOST, ALL_LONG},
    {"slide", "a box on 30°, μ = 0.3: way in 1.5 s", "m", way, 0.5 * G *(0.5 - 0.3 * 0.8660254037844386) * 2.25, 0.01,
     NEAR, ALL},
    {"slide-space", "a box in space on 30°, μ = 0.3: way in 1.5 s", "m", way,
     0.5 * G *(0.5 - 0.3 * 0.8660254037844386) * 2.25, 0.01, NEAR, ALL_LONG},
    {"roll", "a disc on 20°: way in 1.5 s", "m", way, G *SIN20 / 3 * 2.25, 0.01, NEAR, ALL},
    {"roll-space", "a ball on 20°: way in 1.5 s", "m", way, 2.5 * G *SIN20 / 7 * 2.25, 0.01, NEAR, ALL},
    {"shove", "a box at 2 m/s, μ = 0.4: stops after", "m", way, 4 / (0.8 * G), 0.01, NEAR, ALL},
    {"shove-space", "a box in space at 2 m/s, μ = 0.4: stops after", "m", way, 4 / (0.8 * G), 0.01, NEAR, ALL_LONG},
    {"stack-10", "10 boxes on each other: the top sinks by", "m", sinking, 0.01, 0, AT_MOST, ALL_LONG},
    {"stack-10", "10 boxes on each other: motion in a second", "m", creep, 1e-4, 0, AT_MOST, ALL_LONG},
    {"stack-10-space", "10 boxes in space on each other: the top sinks by", "m", sinking, 0.01, 0, AT_MOST, ALL_LONG},
    {"stack-10-space", "10 boxes in space on each other: motion in a second", "m", creep, 1e-4, 0, AT_MOST, ALL_LONG},
    {"stack-20", "20 boxes on each other: the top sinks by", "m", sinking, 0.02, 0, AT_MOST, ALL_LONG},
    {"pyramid", "55 boxes in a pyramid: the top sinks by", "m", sinking, 0.01, 0, AT_MOST, ALL_LONG},
    {"pyramid", "55 boxes in a pyramid: motion in a second", "m", creep, 1e-4, 0, AT_MOST, ALL_LONG},
    {"heavy", "a box on one of 1/100 of its mass: it sinks by", "m", sinking, 0.01, 0, AT_MOST, ALL_LONG},
    {"heavy-space", "a box in space on one of 1/100 of its mass: it sinks by", "m", sinking, 0.01, 0, AT_MOST,
     ALL_LONG},
    {"large", "a slab on two cubes of 1/100 of its size: it sinks by", "m", sinking, 0.005, 0, AT_MOST, ALL_LONG},
    {"dominoes", "ten dominoes: the last has turned by", "rad", turn, 0.8, 0, AT_LEAST, ALL_LONG},
    {"stands", "a box three times as high as wide, on 17°: motion in a second", "m", creep, 1e-4, 0, AT_MOST, ALL},
    {"tips", "the same on 20°: way in 3 s", "m", way, 0.05, 0, AT_LEAST, ALL},
    {"spin", "a disc that spun at 30 rad/s rolls at", "m/s", speed, 1, 0.01, NEAR, ALL},
    {"spin-space", "a ball that spun at 30 rad/s rolls at", "m/s", speed, 6.0 / 7, 0.01, NEAR, ALL},
    {"head-on", "discs of masses 1 and 4 at 2 and -1 m/s, e = 0.5: the lighter goes at", "m/s", speed, -1.6, 0.01, NEAR,
     ALL},
    {"cradle", "the last of five discs that touch goes at", "m/s", last_speed, 1, 0.01, NEAR, IMPACT},
    {"wedge", "a disc in a groove of 90°: one side carries of its weight", "1", carried, 0.70710678118654757, 0.01,
     NEAR, ALL},
    {"funnel", "a disc comes through a funnel: it is deep by", "m", depth, 0.5, 0, AT_LEAST, ALL},
};

static ts_status state_claim(ts_study *study, const trial *t, const char *dynamics, double value, ts_error *error)
{
    switch (t->how) {
    case NEAR:
        return ts_claim_near(study, value, t->expected, t->tolerance, t->unit, error, "%s: %s", dynamics, t->what);
    case AT_MOST:
        return ts_claim_at_most(study, value, t->expected, t->unit, error, "%s: %s", dynamics, t->what);
    case AT_LEAST:
        return ts_claim_at_least(study, value, t->expected, t->unit, error, "%s: %s", dynamics, t->what);
    }
    return TS_OK;
}

/* A scene that fails to run is a claim that fails, and the study goes on. */
static ts_status run_trial(ts_study *study, const trial *t, const char *dynamics, ts_error *error)
{
    TS_AUTO(close_run) run r = {0};
    double value = TS_NONE;
    ts_error own = {0};
    ts_status status = open_run(&r, t->scene, dynamics, &own);
    if (status == TS_UNSUPPORTED) /* this dynamics does not take it, and says so */
        return TS_OK;
    if (status == TS_OK)
        status = finish_run(&r, &own);
    if (status == TS_OK)
        status = t->of(&r, &value, &own);
    if (status == TS_OUT_OF_MEMORY)
        return ts_fail(error, status, "%s", own.message);
    if (status != TS_OK)
        return ts_claim(study, false, TS_NONE, t->unit, "it runs", error, "%s: %s: %s", dynamics, t->what, own.message);
    return state_claim(study, t, dynamics, value, error);
}

ts_status ts_study_everyday(ts_study *study, ts_error *error)
{
    const size_t count = sizeof trials / sizeof *trials, kinds = sizeof dynamics_name / sizeof *dynamics_name;
    for (size_t d = 0; d < kinds; d++)
        for (size_t i = 0; i < count; i++) {
            ts_study_report(study, (double)(d * count + i) / (double)(kinds * count), trials[i].what);
            const bool later = trials[i].by & LONG && d == 0 && !ts_study_full(study);
            if (trials[i].by & 1u << d && !later)
                TS_TRY(run_trial(study, &trials[i], dynamics_name[d], error));
        }
    return TS_OK;
}
