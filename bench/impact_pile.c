/* SPDX-License-Identifier: MIT */
#include "impact_pile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "touchstone/sim.h"
#include "walls.h"

#define RADIUS_MIN 0.995
#define RADIUS_MAX 1.005
#define DENSITY    (1 / 3.14159265358979323846)
#define GRAVITY    10.0
#define STEP       0.01
#define DEPTH      32   /* discs above each other, at most */
#define STRUCK     1.9  /* contacts a disc */
#define EVERY      20   /* steps from one look at how much moves to the next … */
#define CUT        5    /* … and from one cut of velocities to the next */
#define FALLING    0.1  /* speeds, root mean square over √(g r), of a pile that comes down … */
#define RESTED     0.05 /* … and of one that has settled: gravity's h g, lost and found in every step, is 0.03 */
#define SLOWLY     1.0  /* at most [s]: deep piles stay livelier */
#define RECIPE     1    /* of settling, for the names of files: raise it when settling changes */

typedef struct layout {
    size_t wide, tall; /* discs */
    uint64_t seed;
} layout;

typedef struct settling {
    ts_bench *bench;
    layout at;
    size_t count;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    double unrest;
} settling;

static void close_settling(settling *s)
{
    ts_workspace_free(s->work);
    ts_state_free(s->state);
    ts_model_free(s->model);
    s->work = NULL;
    s->state = NULL;
    s->model = NULL;
}

/* ---- Scenes ---- */

static double pitch(void)
{
    return 2 * RADIUS_MAX * (1 + 1e-6);
}

static double width_of(const layout *at)
{
    return ((double)at->wide + 0.5) * pitch();
}

static ts_status add_discs(ts_scene *scene, const layout *at, ts_error *error)
{
    ts_body_def body = ts_default_body();
    TS_TRY(ts_scene_add_disc(scene, 1, &body.shape, error));
    for (size_t j = 0; j < at->tall; j++)
        for (size_t i = 0; i < at->wide; i++) {
            body.scale = ts_random_range(at->seed, 0, j * at->wide + i, RADIUS_MIN, RADIUS_MAX);
            body.position[0] = ((double)i + 0.5 + (j % 2 ? 0.5 : 0)) * pitch();
            body.position[1] = (0.5 + (double)j * sqrt(0.75) * (1 + 1e-6)) * pitch();
            TS_TRY(ts_scene_add_body(scene, &body, NULL, error));
        }
    return TS_OK;
}

static ts_status fill_scene(ts_scene *scene, const layout *at, ts_error *error)
{
    ts_settings settings = ts_default_settings();
    settings.gravity[1] = -GRAVITY;
    settings.time_step = STEP;
    TS_TRY(ts_scene_set(scene, &settings, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "impact";
    TS_TRY(ts_scene_set_dynamics(scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.density = DENSITY;
    material.friction = 0;
    material.restitution = 0;
    TS_TRY(ts_scene_set_default_material(scene, &material, error));
    TS_TRY(ts_bench_walls(scene, width_of(at), error));
    return add_discs(scene, at, error);
}

static ts_status open_settling(settling *s, ts_error *error)
{
    ts_scene *scene = NULL;
    ts_status status = ts_scene_create(&scene, error);
    if (status == TS_OK)
        status = fill_scene(scene, &s->at, error);
    if (status == TS_OK)
        status = ts_model_compile(scene, &s->model, error);
    ts_scene_free(scene);
    if (status == TS_OK)
        status = ts_state_create(s->model, &s->state, error);
    if (status == TS_OK)
        status = ts_workspace_create(s->model, ts_bench_threads(s->bench), &s->work, error);
    s->count = s->at.wide * s->at.tall;
    return status;
}

/* ---- Settling ---- */

/* Without it discs would fall fast enough to be driven into each other, and swirl for long, as nothing rubs. */
static ts_status slow_down(settling *s, ts_error *error)
{
    const double by = 0.7;
    const ts_body *body = ts_state_bodies(s->state);
    for (size_t i = 0; i < s->count; i++) {
        const ts_body b = body[i];
        TS_TRY(ts_state_set_velocity(s->state, i, (double[]){by * b.vx, by * b.vy, by * b.spin}, error));
    }
    return TS_OK;
}

/* Some steps, and how fast discs moved in them: from where to where, since velocities at the end of a step have
 * gravity's share of the next contact still to lose. */
static ts_status walk(settling *s, uint64_t steps, bool slowly, double *from, ts_error *error)
{
    const ts_body *body = ts_state_bodies(s->state);
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        from[2 * i] = body[i].x;
        from[2 * i + 1] = body[i].y;
    }
    for (uint64_t k = 0; k < steps; k++) {
        if (slowly && k % CUT == 0)
            TS_TRY(slow_down(s, error));
        TS_TRY(ts_step(s->model, s->state, s->work, 1, error));
    }
    for (size_t i = 0; i < s->count; i++) {
        double x = body[i].x - from[2 * i], y = body[i].y - from[2 * i + 1];
        sum += x * x + y * y;
    }
    s->unrest = sqrt(sum / (double)s->count) / ((double)steps * STEP) / sqrt(GRAVITY);
    return TS_OK;
}

/* Until the pile has come down and hardly moves. */
static ts_status settle(settling *s, double *from, ts_error *error)
{
    double most = 3 * sqrt(2 * (double)s->at.tall * pitch() / GRAVITY);
    bool falls = false, fallen = false;
    while (ts_state_time(s->state) < most && !(fallen && s->unrest < RESTED)) {
        char what[96];
        snprintf(what, sizeof what, "settling %zu discs, %.1f s", s->count, ts_state_time(s->state));
        ts_bench_report(s->bench, TS_NONE, what);
        TS_TRY(walk(s, EVERY, true, from, error));
        falls |= s->unrest > FALLING;
        if (!fallen && falls && s->unrest < FALLING) {
            fallen = true;
            most = fmin(most, ts_state_time(s->state) + SLOWLY);
        }
    }
    return TS_OK;
}

/* Settles, or recalls what an earlier run has settled. */
static ts_status prepare(settling *s, double *from, ts_error *error)
{
    const char *folder;
    char path[4096];
    ts_error ignored;
    TS_TRY(ts_bench_out_dir(s->bench, &folder, error));
    snprintf(path, sizeof path, "%s/pile-%d-%zu-%016" PRIx64 ".state", folder, RECIPE, s->count,
             ts_model_hash(s->model));
    if (ts_file_exists(path) && ts_state_load(s->model, s->state, path, &ignored) == TS_OK)
        return TS_OK;
    TS_TRY(settle(s, from, error));
    return ts_state_save(s->model, s->state, path, error);
}

/* ---- Capturing ---- */

static layout layout_of(ts_bench *bench, size_t contacts)
{
    double discs = (double)contacts / STRUCK, tall = fmax(2, round(fmin(sqrt(discs), DEPTH)));
    return (layout){(size_t)fmax(2, round(discs / tall)), (size_t)tall, ts_bench_seed(bench)};
}

static ts_status capture(settling *s, ts_pile *pile, ts_error *error)
{
    TS_TRY(open_settling(s, error));
    TS_AUTO_FREE double *from = NULL;
    TS_TRY(ts_new_raw(&from, 2 * s->count, error));
    TS_TRY(prepare(s, from, error));
    TS_TRY(ts_step_problem(s->model, s->state, s->work, &pile->problem[0], error));
    TS_TRY(walk(s, 1, false, from, error));
    return ts_step_problem(s->model, s->state, s->work, &pile->problem[1], error);
}

ts_status ts_pile_capture(ts_bench *bench, size_t contacts, ts_pile *pile, ts_error *error)
{
    *pile = (ts_pile){0};
    TS_AUTO(close_settling) settling s = {.bench = bench, .at = layout_of(bench, contacts)};
    TS_TRY(capture(&s, pile, error));
    pile->discs = s.count;
    pile->tall = s.at.tall;
    pile->unrest = s.unrest;
    return TS_OK;
}

void ts_pile_free(ts_pile *pile)
{
    for (int i = 0; i < 2; i++)
        ts_problem_free(&pile->problem[i]);
}
