/* SPDX-License-Identifier: MIT */
#include "packing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "walls.h"

#define BASE       10000 /* discs that are settled from a lattice */
#define DEPTH      50    /* discs above each other */
#define RADIUS_MIN 0.8
#define RADIUS_MAX 1.2
#define PI         3.14159265358979323846

/* A packing counts as settled when its kinetic energy is this share of Σ m g r. */
#define SETTLED 1e-6

/* ---- Places and models ---- */

static ts_status allocate(ts_packing *packing, size_t count, ts_error *error)
{
    packing->count = count;
    packing->radius = ts_alloc(count, sizeof *packing->radius);
    packing->body = ts_alloc(count, sizeof *packing->body);
    if (packing->radius && packing->body)
        return TS_OK;
    ts_packing_free(packing);
    return ts_fail_memory(error, count * (sizeof *packing->radius + sizeof *packing->body));
}

void ts_packing_free(ts_packing *packing)
{
    ts_free(packing->radius);
    ts_free(packing->body);
    *packing = (ts_packing){0};
}

/* Width of a box in which `count` settled discs are DEPTH deep. */
static double width_of(size_t count)
{
    return 2 * TS_PACKING_RADIUS * (double)count / DEPTH;
}

/* Disc i of a triangular lattice, wide enough for the largest, that stands between the walls. */
static void lattice_place(double width, size_t i, double *x, double *y)
{
    double pitch = 2 * RADIUS_MAX * TS_PACKING_RADIUS * (1 + 1e-6);
    size_t row_length = (size_t)(width / pitch - 0.5);
    size_t row = i / row_length, column = i % row_length;
    *x = ((double)column + 0.5 + (row % 2 ? 0.5 : 0)) * pitch;
    *y = (0.5 + (double)row * sqrt(0.75) * (1 + 1e-6)) * pitch;
}

/* The scene has the discs on a lattice and the state puts them in place, so that the model, and with it the name of the
 * file in which a packing is kept, does not depend on where they are. */
static ts_status fill_scene(ts_scene *scene, const ts_packing *packing, double tilt, ts_error *error)
{
    ts_settings settings = ts_default_settings();
    settings.gravity[0] = TS_PACKING_GRAVITY * sin(tilt);
    settings.gravity[1] = -TS_PACKING_GRAVITY * cos(tilt);
    TS_TRY(ts_scene_set(scene, &settings, error));
    ts_material_def material = ts_default_material();
    material.density = TS_PACKING_DENSITY;
    material.stiffness = TS_PACKING_STIFFNESS;
    material.stiffness_ratio = TS_PACKING_RATIO;
    material.friction = TS_PACKING_FRICTION;
    material.restitution = TS_PACKING_RESTITUTION;
    TS_TRY(ts_scene_set_default_material(scene, &material, error));
    TS_TRY(ts_bench_walls(scene, packing->width, error));
    ts_body_def body = ts_default_body();
    TS_TRY(ts_scene_add_disc(scene, TS_PACKING_RADIUS, &body.shape, error));
    for (size_t i = 0; i < packing->count; i++) {
        body.scale = packing->radius[i] / TS_PACKING_RADIUS;
        lattice_place(packing->width, i, &body.position[0], &body.position[1]);
        TS_TRY(ts_scene_add_body(scene, &body, NULL, error));
    }
    return TS_OK;
}

static ts_status place_bodies(ts_state *state, const ts_packing *packing, ts_error *error)
{
    for (size_t i = 0; i < packing->count; i++) {
        const ts_body *b = &packing->body[i];
        TS_TRY(ts_state_set_pose(state, i, (double[]){b->x, b->y, b->angle}, error));
        TS_TRY(ts_state_set_velocity(state, i, (double[]){b->vx, b->vy, b->spin}, error));
    }
    return TS_OK;
}

ts_status ts_packing_model(const ts_packing *packing, double tilt, ts_model **model, ts_state **state, ts_error *error)
{
    ts_scene *scene = NULL;
    ts_model *made = NULL;
    ts_state *began = NULL;
    ts_status status = ts_scene_create(&scene, error);
    if (status == TS_OK)
        status = fill_scene(scene, packing, tilt, error);
    if (status == TS_OK)
        status = ts_model_compile(scene, &made, error);
    ts_scene_free(scene);
    if (status == TS_OK)
        status = ts_state_create(made, &began, error);
    if (status == TS_OK)
        status = place_bodies(began, packing, error);
    if (status != TS_OK) {
        ts_state_free(began);
        ts_model_free(made);
        return status;
    }
    *model = made;
    *state = began;
    return TS_OK;
}

double ts_packing_unrest(const ts_packing *packing)
{
    double energy = 0, scale = 0;
    for (size_t i = 0; i < packing->count; i++) {
        const ts_body *b = &packing->body[i];
        double r = packing->radius[i], m = TS_PACKING_DENSITY * PI * r * r;
        energy += 0.5 * m * (b->vx * b->vx + b->vy * b->vy) + 0.25 * m * r * r * b->spin * b->spin;
        scale += m * TS_PACKING_GRAVITY * r;
    }
    return energy / scale;
}

/* ---- Settling ---- */

typedef struct settling {
    ts_bench *bench;
    ts_packing *packing;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
} settling;

static void read_bodies(settling *s)
{
    const ts_body *body = ts_state_bodies(s->state);
    for (size_t i = 0; i < s->packing->count; i++)
        s->packing->body[i] = body[i];
}

/* Multiplies all velocities. */
static ts_status slow_down(settling *s, double factor, ts_error *error)
{
    const ts_body *body = ts_state_bodies(s->state);
    for (size_t i = 0; i < s->packing->count; i++) {
        const ts_body b = body[i];
        TS_TRY(ts_state_set_velocity(s->state, i, (double[]){factor * b.vx, factor * b.vy, factor * b.spin}, error));
    }
    return TS_OK;
}

/* Lets the discs fall for `fall` seconds, then takes velocity from them until they rest, or for `most` seconds. */
static ts_status settle(settling *s, double fall, double most, ts_error *error)
{
    double dt = ts_model_time_step(s->model);
    char what[64];
    for (;;) {
        double time = ts_state_time(s->state);
        snprintf(what, sizeof what, "settling %zu discs", s->packing->count);
        ts_bench_report(s->bench, TS_NONE, what);
        if (time < fall) {
            TS_TRY(ts_step(s->model, s->state, s->work, (uint64_t)(0.02 * fall / dt) + 1, error));
            continue;
        }
        TS_TRY(ts_step(s->model, s->state, s->work, 50, error));
        read_bodies(s);
        if (ts_packing_unrest(s->packing) < SETTLED || time > fall + most)
            return TS_OK;
        TS_TRY(slow_down(s, 0.8, error));
    }
}

/* Makes `packing` the state that `prepare` leads to, or reads it from the file in which an earlier run left it. */
static ts_status settle_or_recall(ts_bench *bench, ts_packing *packing, const char *kind, double tilt,
                                  ts_status (*prepare)(settling *s, const double *times, ts_error *error),
                                  const double *times, ts_error *error)
{
    settling s = {.bench = bench, .packing = packing};
    const char *folder;
    char path[4096];
    ts_error ignored;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    TS_TRY(ts_packing_model(packing, tilt, &s.model, &s.state, error));
    /* the times are no part of the model, but of what the file holds */
    snprintf(path, sizeof path, "%s/%s-%zu-%g-%g-%016" PRIx64 ".state", folder, kind, packing->count, times[0],
             times[1], ts_model_hash(s.model));
    ts_status status = TS_OK;
    if (!ts_file_exists(path) || ts_state_load(s.model, s.state, path, &ignored) != TS_OK) {
        status = ts_workspace_create(s.model, ts_bench_threads(bench), &s.work, error);
        if (status == TS_OK)
            status = prepare(&s, times, error);
        if (status == TS_OK)
            status = ts_state_save(s.model, s.state, path, error);
    }
    if (status == TS_OK)
        read_bodies(&s);
    ts_workspace_free(s.work);
    ts_state_free(s.state);
    ts_model_free(s.model);
    return status;
}

static ts_status prepare_settled(settling *s, const double *times, ts_error *error)
{
    return settle(s, times[0], times[1], error);
}

static ts_status prepare_flowing(settling *s, const double *times, ts_error *error)
{
    double dt = ts_model_time_step(s->model);
    while (ts_state_time(s->state) < times[0]) {
        ts_bench_report(s->bench, TS_NONE, "starting the flow");
        TS_TRY(ts_step(s->model, s->state, s->work, (uint64_t)(0.02 * times[0] / dt) + 1, error));
    }
    return TS_OK;
}

/* Discs on a lattice, sizes at random. */
static ts_status lattice(ts_bench *bench, size_t count, ts_packing *packing, ts_error *error)
{
    TS_TRY(allocate(packing, count, error));
    packing->width = width_of(count);
    for (size_t i = 0; i < count; i++) {
        packing->radius[i] = TS_PACKING_RADIUS * ts_random_range(ts_bench_seed(bench), 0, i, RADIUS_MIN, RADIUS_MAX);
        packing->body[i] = (ts_body){0};
        lattice_place(packing->width, i, &packing->body[i].x, &packing->body[i].y);
    }
    return TS_OK;
}

/* Copies of a packing side by side, without the walls between them. */
static ts_status side_by_side(const ts_packing *one, size_t copies, ts_packing *packing, ts_error *error)
{
    TS_TRY(allocate(packing, one->count * copies, error));
    packing->width = one->width * (double)copies;
    for (size_t c = 0; c < copies; c++)
        for (size_t i = 0; i < one->count; i++) {
            ts_body *b = &packing->body[c * one->count + i];
            *b = one->body[i];
            b->x += one->width * (double)c;
            packing->radius[c * one->count + i] = one->radius[i];
        }
    return TS_OK;
}

ts_status ts_packing_settled(ts_bench *bench, size_t count, ts_packing *packing, ts_error *error)
{
    static const double from_lattice[] = {0.25, 1}, from_copies[] = {0, 0.01};
    ts_status status;
    if (count <= BASE) {
        TS_TRY(lattice(bench, count, packing, error));
        status = settle_or_recall(bench, packing, "settled", 0, prepare_settled, from_lattice, error);
    } else {
        ts_packing one = {0};
        TS_TRY(ts_packing_settled(bench, BASE, &one, error));
        status = side_by_side(&one, count / BASE, packing, error);
        ts_packing_free(&one);
        TS_TRY(status);
        status = settle_or_recall(bench, packing, "settled", 0, prepare_settled, from_copies, error);
    }
    if (status != TS_OK)
        ts_packing_free(packing);
    return status;
}

ts_status ts_packing_flowing(ts_bench *bench, size_t count, double tilt, double seconds, ts_packing *packing,
                             ts_error *error)
{
    const double times[] = {seconds, 0};
    TS_TRY(ts_packing_settled(bench, count, packing, error));
    ts_status status = settle_or_recall(bench, packing, "flowing", tilt, prepare_flowing, times, error);
    if (status != TS_OK)
        ts_packing_free(packing);
    return status;
}
