/* SPDX-License-Identifier: MIT */
#include "space_bed.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/release.h"

#define DEPTH      25 /* spheres above each other */
#define BOX_DEPTH  5  /* boxes: a lattice with room to turn is high */
#define RADIUS_MIN 0.8
#define RADIUS_MAX 1.2
#define PI         3.14159265358979323846

/* A bed counts as settled when its kinetic energy is this share of Σ m g r. */
#define SETTLED 1e-6

static size_t base_of(bool boxes)
{
    return boxes ? 200 : 10000;
}

static ts_status allocate(ts_bed3 *bed, bool boxes, size_t count, ts_error *error)
{
    *bed = (ts_bed3){.boxes = boxes, .count = count};
    bed->radius = ts_alloc(count, sizeof *bed->radius);
    bed->body = ts_alloc(count, sizeof *bed->body);
    bed->spin = ts_alloc(count, sizeof *bed->spin);
    if (bed->radius && bed->body && bed->spin)
        return TS_OK;
    ts_bed3_free(bed);
    return ts_fail_memory(error, count * (sizeof *bed->radius + sizeof *bed->body + sizeof *bed->spin));
}

void ts_bed3_free(ts_bed3 *bed)
{
    ts_free(bed->radius);
    ts_free(bed->body);
    ts_free(bed->spin);
    *bed = (ts_bed3){0};
}

double ts_bed3_mass(const ts_bed3 *bed, size_t i)
{
    const double r = bed->radius[i];
    return TS_BED3_DENSITY * (bed->boxes ? 8 : 4 * PI / 3) * r * r * r;
}

/* ---- Models ---- */

static ts_status fill_scene(ts_scene *scene, const ts_bed3 *bed, ts_error *error)
{
    const ts_space_def space = ts_default_space();
    TS_TRY(ts_scene_set_space(scene, &space, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "penalty";
    TS_TRY(ts_scene_set_dynamics(scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.density = TS_BED3_DENSITY;
    material.stiffness = TS_BED3_STIFFNESS;
    material.stiffness_ratio = TS_BED3_RATIO;
    material.friction = TS_BED3_FRICTION;
    material.restitution = TS_BED3_RESTITUTION;
    TS_TRY(ts_scene_set_default_material(scene, &material, error));
    ts_wall_def room = ts_default_wall();
    room.kind = TS_WALL_ROOM;
    for (int d = 0; d < 3; d++)
        room.size[d] = bed->size[d];
    TS_TRY(ts_scene_add_wall(scene, &room, NULL, error));
    const double edge = 2 * TS_BED3_RADIUS;
    const ts_piece_def piece = {
        .kind = bed->boxes ? TS_PIECE_BOX : TS_PIECE_SPHERE, .radius = TS_BED3_RADIUS, .size = {edge, edge, edge}};
    ts_shape_def solid = ts_default_shape();
    solid.piece = &piece;
    solid.piece_count = 1;
    ts_body_def body = ts_default_body();
    TS_TRY(ts_scene_add_shape(scene, &solid, &body.shape, error));
    for (size_t i = 0; i < bed->count; i++) {
        const ts_body3 *b = &bed->body[i];
        body.scale = bed->radius[i] / TS_BED3_RADIUS;
        for (int d = 0; d < 3; d++) {
            body.position[d] = b->position[d];
            body.velocity[d] = b->velocity[d];
            body.spin[d] = bed->spin[i][d];
        }
        for (int d = 0; d < 4; d++)
            body.attitude[d] = b->attitude[d];
        TS_TRY(ts_scene_add_body(scene, &body, NULL, error));
    }
    return TS_OK;
}

ts_status ts_bed3_model(const ts_bed3 *bed, ts_model **model, ts_state **state, ts_error *error)
{
    TS_AUTO(ts_scene_free_at) ts_scene *scene = NULL;
    TS_AUTO(ts_model_free_at) ts_model *made = NULL;
    TS_TRY(ts_scene_create(&scene, error));
    TS_TRY(fill_scene(scene, bed, error));
    TS_TRY(ts_model_compile(scene, &made, error));
    TS_TRY(ts_state_create(made, state, error));
    *model = ts_give(&made);
    return TS_OK;
}

/* ---- Settling ---- */

typedef struct settling {
    ts_bench *bench;
    ts_bed3 *bed;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
} settling;

static ts_status read_bodies(settling *s, ts_error *error)
{
    const ts_body3 *body = ts_state_bodies3(s->state);
    for (size_t i = 0; i < s->bed->count; i++) {
        s->bed->body[i] = body[i];
        double v[6];
        TS_TRY(ts_state_velocity(s->state, i, v, error));
        memcpy(s->bed->spin[i], v + 3, 3 * sizeof *v);
    }
    return TS_OK;
}

static double unrest(const ts_bed3 *bed)
{
    double energy = 0, scale = 0;
    for (size_t i = 0; i < bed->count; i++) {
        const double *v = bed->body[i].velocity, *w = bed->spin[i], r = bed->radius[i], mass = ts_bed3_mass(bed, i);
        energy += 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                  0.2 * mass * r * r * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        scale += mass * TS_BED3_GRAVITY * r;
    }
    return energy / scale;
}

static ts_status slow_down(settling *s, double factor, ts_error *error)
{
    for (size_t i = 0; i < s->bed->count; i++) {
        const double *v = s->bed->body[i].velocity, *w = s->bed->spin[i];
        const double slow[2][3] = {{factor * v[0], factor * v[1], factor * v[2]},
                                   {factor * w[0], factor * w[1], factor * w[2]}};
        TS_TRY(ts_state_set_velocity(s->state, i, TS_VELOCITY3(slow[0], slow[1]), error));
    }
    return TS_OK;
}

/* Lets bodies fall for `fall` seconds, then takes velocity from them until they rest, or for `most` seconds. */
static ts_status settle(settling *s, double fall, double most, ts_error *error)
{
    const double dt = ts_model_time_step(s->model);
    char what[64];
    for (;;) {
        const double time = ts_state_time(s->state);
        snprintf(what, sizeof what, "settling %zu %s", s->bed->count, s->bed->boxes ? "boxes" : "spheres");
        ts_bench_report(s->bench, TS_NONE, what);
        if (time < fall) {
            TS_TRY(ts_step(s->model, s->state, s->work, (uint64_t)(0.02 * fall / dt) + 1, error));
            continue;
        }
        TS_TRY(ts_step(s->model, s->state, s->work, 50, error));
        TS_TRY(read_bodies(s, error));
        if (unrest(s->bed) < SETTLED || time > fall + most)
            return TS_OK;
        TS_TRY(slow_down(s, 0.8, error));
    }
}

/* Makes the bed the state that settling leads to, or reads it from the file in which an earlier run left it. */
static ts_status settle_or_recall(ts_bench *bench, ts_bed3 *bed, double fall, double most, ts_error *error)
{
    settling s = {.bench = bench, .bed = bed};
    const char *folder;
    char path[4096];
    ts_error ignored;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    TS_TRY(ts_bed3_model(bed, &s.model, &s.state, error));
    snprintf(path, sizeof path, "%s/space-%s-%zu-%g-%g-%016" PRIx64 ".state", folder, bed->boxes ? "boxes" : "spheres",
             bed->count, fall, most, ts_model_hash(s.model));
    ts_status status = TS_OK;
    if (!ts_file_exists(path) || ts_state_load(s.model, s.state, path, &ignored) != TS_OK) {
        status = ts_workspace_create(s.model, ts_bench_threads(bench), &s.work, error);
        if (status == TS_OK)
            status = settle(&s, fall, most, error);
        if (status == TS_OK)
            status = ts_state_save(s.model, s.state, path, error);
    }
    if (status == TS_OK)
        status = read_bodies(&s, error);
    ts_workspace_free(s.work);
    ts_state_free(s.state);
    ts_model_free(s.model);
    return status;
}

static double uniform(ts_bench *bench, uint64_t stream, size_t i, double low, double high)
{
    return ts_random_range(ts_bench_seed(bench), stream, i, low, high);
}

/* Bodies on a cubic lattice, sizes and, of boxes, attitudes at random. */
static ts_status lattice(ts_bench *bench, bool boxes, size_t count, ts_bed3 *bed, ts_error *error)
{
    const double reach = TS_BED3_RADIUS * (boxes ? sqrt(3) : 1), pitch = 2 * RADIUS_MAX * reach * 1.001,
                 width = fmax(2 * TS_BED3_RADIUS * ceil(sqrt((double)count / (boxes ? BOX_DEPTH : DEPTH))), 2 * pitch);
    const size_t row = (size_t)(width / pitch), layers = (count + row * row - 1) / (row * row);
    TS_TRY(allocate(bed, boxes, count, error));
    bed->size[0] = bed->size[1] = width;
    bed->size[2] = pitch * (double)(layers + 1);
    for (size_t i = 0; i < count; i++) {
        const size_t at[3] = {i % row, i / row % row, i / (row * row)};
        bed->radius[i] = TS_BED3_RADIUS * uniform(bench, 0, i, RADIUS_MIN, RADIUS_MAX);
        /* layers stand askew, so that columns do not balance */
        const double room = width - pitch * (double)row, shift = at[2] % 2 ? 0.9 * room : 0.1 * room;
        for (int d = 0; d < 3; d++)
            bed->body[i].position[d] = ((double)at[d] + 0.5) * pitch + (d < 2 ? shift : 0);
        double square = 0;
        for (int d = 0; d < 4; d++) {
            bed->body[i].attitude[d] = boxes ? uniform(bench, 1 + (uint64_t)d, i, -1, 1) : d == 0;
            square += bed->body[i].attitude[d] * bed->body[i].attitude[d];
        }
        for (int d = 0; d < 4; d++)
            bed->body[i].attitude[d] /= sqrt(square);
    }
    return TS_OK;
}

/* Copies of a bed side by side, two rows of them, without the walls between. */
static ts_status side_by_side(const ts_bed3 *one, size_t copies, ts_bed3 *bed, ts_error *error)
{
    TS_TRY(allocate(bed, one->boxes, one->count * copies, error));
    const size_t rows = copies % 2 ? 1 : 2;
    const size_t columns = copies / rows;
    bed->size[0] = one->size[0] * (double)columns;
    bed->size[1] = one->size[1] * (double)rows;
    bed->size[2] = one->size[2];
    for (size_t c = 0; c < copies; c++)
        for (size_t i = 0; i < one->count; i++) {
            const size_t k = c * one->count + i, column = c / rows;
            bed->body[k] = one->body[i];
            bed->body[k].position[0] += one->size[0] * (double)column;
            bed->body[k].position[1] += one->size[1] * (double)(c % rows);
            bed->radius[k] = one->radius[i];
        }
    return TS_OK;
}

ts_status ts_bed3_settled(ts_bench *bench, bool boxes, size_t count, ts_bed3 *bed, ts_error *error)
{
    ts_status status;
    if (count <= base_of(boxes)) {
        TS_TRY(lattice(bench, boxes, count, bed, error));
        /* a few show that it works, at rest or not */
        status = count < 100 ? settle_or_recall(bench, bed, 0.05, 0.02, error)
                             : settle_or_recall(bench, bed, boxes ? 0.35 : 0.25, 0.5, error);
    } else {
        ts_bed3 one = {0};
        TS_TRY(ts_bed3_settled(bench, boxes, base_of(boxes), &one, error));
        status = side_by_side(&one, count / base_of(boxes), bed, error);
        ts_bed3_free(&one);
        TS_TRY(status);
        status = settle_or_recall(bench, bed, 0, 0.004, error);
    }
    if (status != TS_OK)
        ts_bed3_free(bed);
    return status;
}
