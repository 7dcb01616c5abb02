/* SPDX-License-Identifier: MIT */
/* Filling a box or a cylinder of space with bodies. Their bounding spheres keep apart, and clear of walls and of
 * what is there already. The
 * result is a function of the scene's seed and of the generator's place in the scene. */
#include <math.h>

#include "base/random.h"
#include "contact/touch.h"
#include "scene/compile_space.h"
#include "scene/mix.h"
#include "scene/sizes.h"

/* Places tried for one body before the region counts as full. */
#define TRIES_MAX 2000
/* Streams of random numbers. */
#define STREAM_MIX      0x3001
#define STREAM_PLACE    0x3002
#define STREAM_ATTITUDE 0x3003
#define STREAM_VELOCITY 0x3004
#define STREAM_SIZE     0x3005
#define STREAM_ORDER    0x3006
#define NUMBERS_A_BODY  16u

/* ---- Who is where: balls in cells as wide as the largest, hashed ---- */

typedef struct crowd {
    double cell;
    size_t mask;
    int32_t *head;          /* first ball of a bucket, -1: none */
    TS_ARRAY(int32_t) next; /* of each ball */
    TS_ARRAY(ts_vec3) centre;
    TS_ARRAY(double) radius;
} crowd;

static size_t bucket_of(const crowd *w, int64_t x, int64_t y, int64_t z)
{
    uint64_t h =
        (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^ (uint64_t)z * 0x165667b19e3779f9u;
    return (size_t)(h ^ h >> 29) & w->mask;
}

static int64_t cell_of(const crowd *w, double x)
{
    /* far away all is one cell */
    return (int64_t)fmax(-1e15, fmin(1e15, floor(x / w->cell)));
}

static ts_status crowd_add(crowd *w, ts_vec3 p, double radius, ts_error *error)
{
    size_t bucket = bucket_of(w, cell_of(w, p.x), cell_of(w, p.y), cell_of(w, p.z));
    TS_TRY(ts_array_push(&w->next, w->head[bucket], error));
    TS_TRY(ts_array_push(&w->centre, p, error));
    TS_TRY(ts_array_push(&w->radius, radius, error));
    w->head[bucket] = (int32_t)(w->next.count - 1);
    return TS_OK;
}

static bool crowd_is_free(const crowd *w, ts_vec3 p, double radius)
{
    int64_t x = cell_of(w, p.x), y = cell_of(w, p.y), z = cell_of(w, p.z);
    const double rounding = 1e-12 * (fabs(p.x) + fabs(p.y) + fabs(p.z) + radius);
    for (int k = 0; k < 27; k++)
        for (int32_t i = w->head[bucket_of(w, x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1)]; i >= 0;
             i = w->next.item[i])
            if (ts_vec3_distance(w->centre.item[i], p) < w->radius.item[i] + radius - rounding)
                return false;
    return true;
}

/* ---- One generator ---- */

typedef struct filler {
    ts_space_compiler *c;
    const ts_generator_def *def;
    uint64_t seed, stream; /* of this generator */
    ts_place place;
    crowd crowd;
    ts_touch_array touch;
    int32_t *entry; /* of the mix, for each body */
    double largest; /* radius of what the mix may give [m] */
} filler;

/* The form of body i. */
static ts_status choose_form(filler *f, size_t i, ts_grain3 *grain)
{
    const ts_mix_entry *mix = &f->def->mix[f->entry[i]];
    ts_random sizes = {f->seed, f->stream + STREAM_MIX, NUMBERS_A_BODY * i + 1};
    if (mix->size != TS_SIZE_UNIFORM) /* takes any number of them */
        sizes = (ts_random){f->seed, f->stream + STREAM_SIZE, (uint64_t)i << 20};
    const double scale =
        mix->size == TS_SIZE_UNIFORM && !(mix->scale_max > mix->scale_min) ? mix->scale_min : ts_size_draw(mix, &sizes);
    grain->material = mix->material;
    return ts_space_form(f->c, mix->shape, scale, f->place, &grain->form);
}

/* A uniform rotation (K. Shoemake). */
static ts_quat random_attitude(const filler *f, size_t i)
{
    double u[3];
    for (size_t k = 0; k < 3; k++)
        u[k] = ts_random_uniform(f->seed, f->stream + STREAM_ATTITUDE, NUMBERS_A_BODY * i + k);
    double a = sqrt(1 - u[0]), b = sqrt(u[0]);
    return (ts_quat){a * sin(2 * TS_PI * u[1]), a * cos(2 * TS_PI * u[1]), b * sin(2 * TS_PI * u[2]),
                     b * cos(2 * TS_PI * u[2])};
}

static bool in_region(const filler *f, ts_vec3 p, double radius)
{
    const double *low = f->def->low, *high = f->def->high;
    const double rounding = 1e-12 * (fabs(p.x) + fabs(p.y) + fabs(p.z) + radius);
    bool inside = p.x - radius >= low[0] - rounding && p.x + radius <= high[0] + rounding &&
                  p.y - radius >= low[1] - rounding && p.y + radius <= high[1] + rounding &&
                  p.z - radius >= low[2] - rounding && p.z + radius <= high[2] + rounding;
    if (f->def->region == TS_REGION_CYLINDER)
        inside &=
            hypot(p.x - 0.5 * (low[0] + high[0]), p.y - 0.5 * (low[1] + high[1])) + radius <= f->def->radius + rounding;
    return inside;
}

/* Clear of walls as they stand at the start. */
static ts_status clear_of_walls(filler *f, ts_vec3 p, double radius, bool *clear)
{
    const ts_model *model = f->c->model;
    const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = radius};
    *clear = true;
    for (size_t i = 0; i < model->wall_count && *clear; i++) {
        const ts_wall *wall = &model->wall[i];
        for (size_t k = wall->piece_begin; k < wall->piece_begin + wall->piece_count && *clear; k++) {
            const ts_piece *piece = &f->c->piece.item[k];
            f->touch.count = 0;
            TS_TRY(ts_touch_find((ts_placed_solid){&piece->solid, ts_pose3_compose(wall->pose, piece->pose)},
                                 (ts_placed_solid){&ball, {p, ts_quat_identity()}}, 0, &f->touch, f->c->error));
            for (size_t t = 0; t < f->touch.count; t++)
                *clear &= f->touch.item[t].gap >= -1e-9 * radius;
        }
    }
    return TS_OK;
}

static ts_status try_place(filler *f, ts_vec3 p, ts_grain3 *grain, bool *placed)
{
    const double radius = f->c->form.item[grain->form].radius;
    *placed = false;
    if (!in_region(f, p, radius) || !crowd_is_free(&f->crowd, p, radius + f->def->gap))
        return TS_OK;
    TS_TRY(clear_of_walls(f, p, radius, placed));
    if (!*placed)
        return TS_OK;
    grain->pose.position = p;
    return crowd_add(&f->crowd, p, radius, f->c->error);
}

static ts_status is_full(const filler *f, size_t g, size_t placed, size_t count)
{
    return ts_fail_at(f->c->error, TS_BAD_INPUT, f->c->scene->generator.item[g].place,
                      "generator: only %zu of its %zu bodies fit; enlarge the box, lower the count or the gap%s",
                      placed, count, f->def->fill == TS_FILL_RANDOM ? ", or choose \"lattice\"" : "");
}

/* Sites of a cubic lattice, layer by layer from below. Sites that are blocked stay empty. */
static ts_status fill_lattice(filler *f, size_t g, ts_grain3 *grain, size_t count)
{
    const double *low = f->def->low, *high = f->def->high, pitch = 2 * f->largest + f->def->gap;
    int64_t n[3];
    for (int d = 0; d < 3; d++) {
        n[d] = (int64_t)floor((high[d] - low[d] + f->def->gap) / pitch * (1 + 1e-12));
        if (n[d] < 1 || n[d] > INT32_MAX)
            return is_full(f, g, 0, count);
    }
    size_t placed = 0;
    for (int64_t z = 0; z < n[2] && placed < count; z++)
        for (int64_t y = 0; y < n[1] && placed < count; y++)
            for (int64_t x = 0; x < n[0] && placed < count; x++) {
                ts_grain3 *own = &grain[placed];
                double free[3], site[3] = {(double)x, (double)y, (double)z};
                for (size_t d = 0; d < 3; d++) {
                    double room = (high[d] - low[d] + f->def->gap) / (double)n[d];
                    free[d] = 0.5 * (d < 2 ? room - pitch : 0) + f->largest - f->c->form.item[own->form].radius;
                    if (d == 2)
                        room = pitch;
                    site[d] =
                        low[d] + f->largest + site[d] * room + (d < 2 ? 0.5 * (room - pitch) : 0) +
                        f->def->jitter * free[d] *
                            ts_random_range(f->seed, f->stream + STREAM_PLACE, NUMBERS_A_BODY * placed + d, -1, 1);
                }
                bool taken;
                TS_TRY(try_place(f, (ts_vec3){site[0], site[1], site[2]}, own, &taken));
                placed += taken;
            }
    return placed == count ? TS_OK : is_full(f, g, placed, count);
}

static ts_status fill_random(filler *f, size_t g, ts_grain3 *grain, size_t count)
{
    const double *low = f->def->low, *high = f->def->high;
    uint64_t tries = 0;
    for (size_t i = 0; i < count; i++) {
        const double radius = f->c->form.item[grain[i].form].radius;
        bool placed = false;
        for (int k = 0; k < TRIES_MAX && !placed; k++, tries++) {
            double p[3];
            for (size_t d = 0; d < 3; d++)
                p[d] = ts_random_range(f->seed, f->stream + STREAM_PLACE, 4 * tries + d, low[d] + radius,
                                       fmax(high[d] - radius, low[d] + radius));
            TS_TRY(try_place(f, (ts_vec3){p[0], p[1], p[2]}, &grain[i], &placed));
        }
        if (!placed)
            return is_full(f, g, i, count);
    }
    return TS_OK;
}

static ts_status prepare(filler *f, size_t taken, ts_grain3 *grain, size_t count)
{
    ts_space_compiler *c = f->c;
    double largest = 0;
    f->entry = ts_alloc_raw(count, sizeof *f->entry);
    if (!f->entry)
        return ts_fail_memory(c->error, count * sizeof *f->entry);
    TS_TRY(ts_mix_deal(f->def->mix, f->def->mix_count, count, ts_random_make(f->seed, f->stream + STREAM_ORDER),
                       f->entry, c->error));
    for (size_t i = 0; i < count; i++) {
        grain[i] = (ts_grain3){.pose = ts_pose3_identity()};
        TS_TRY(choose_form(f, i, &grain[i]));
        f->largest = fmax(f->largest, c->form.item[grain[i].form].radius);
        if (f->def->random_attitude)
            grain[i].pose.quat = random_attitude(f, i);
        double v[3];
        for (size_t d = 0; d < 3; d++) {
            v[d] = f->def->velocity[d];
            if (f->def->velocity_spread > 0)
                v[d] += f->def->velocity_spread *
                        ts_random_normal(f->seed, f->stream + STREAM_VELOCITY, NUMBERS_A_BODY * i + d);
        }
        grain[i].velocity = (ts_vec3){v[0], v[1], v[2]};
    }
    largest = f->largest;
    for (size_t i = 0; i < taken; i++)
        largest = fmax(largest, c->model->body3[i].radius);
    size_t buckets = 64;
    while (buckets < 2 * (taken + count))
        buckets *= 2;
    f->crowd.cell = 2 * (largest + f->def->gap);
    f->crowd.mask = buckets - 1;
    f->crowd.head = ts_alloc_raw(buckets, sizeof *f->crowd.head);
    if (!f->crowd.head)
        return ts_fail_memory(c->error, buckets * sizeof *f->crowd.head);
    for (size_t i = 0; i < buckets; i++)
        f->crowd.head[i] = -1;
    for (size_t i = 0; i < taken; i++) {
        const double *p = c->model->body3[i].position;
        TS_TRY(crowd_add(&f->crowd, (ts_vec3){p[0], p[1], p[2]}, c->model->body3[i].radius, c->error));
    }
    return TS_OK;
}

ts_status ts_space_generate(ts_space_compiler *c, size_t g, size_t taken, ts_grain3 *grain, size_t count)
{
    filler f = {.c = c,
                .def = &c->scene->generator.item[g].def,
                .seed = c->model->settings.seed,
                .stream = (uint64_t)g << 16,
                .place = c->scene->generator.item[g].place};
    ts_status status = prepare(&f, taken, grain, count);
    if (status == TS_OK)
        status = f.def->fill == TS_FILL_RANDOM ? fill_random(&f, g, grain, count) : fill_lattice(&f, g, grain, count);
    ts_free(f.entry);
    ts_free(f.crowd.head);
    ts_array_free(&f.crowd.next);
    ts_array_free(&f.crowd.centre);
    ts_array_free(&f.crowd.radius);
    ts_array_free(&f.touch);
    return status;
}
