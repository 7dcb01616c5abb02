/* SPDX-License-Identifier: MIT */
#include "scene/generate.h"

#include <math.h>

#include "scene/mix.h"
#include "scene/sizes.h"

#define FAIL TS_GENERATOR_FAIL

ts_random ts_generator_stream(const ts_generating *j, ts_stream purpose)
{
    return ts_random_make(j->scene->settings.seed, j->stream + j->by->stream_number[purpose]);
}

static void seek(const ts_generating *j, ts_stream purpose, bool many, size_t i, ts_random *random)
{
    if (j->by->seek)
        j->by->seek(j, purpose, many, i, random);
}

double ts_grain_radius(const ts_generating *j, size_t i)
{
    return j->c->row->radius(j->c, j->first_body + i);
}

ts_vec3 ts_grain_position(const ts_generating *j, size_t i)
{
    const double *p = j->grain[i].position;
    return (ts_vec3){p[0], p[1], p[2]};
}

ts_status ts_grain_occupy(ts_generating *j, size_t i)
{
    return ts_occupancy_add(&j->c->occupied, ts_grain_position(j, i), ts_grain_radius(j, i),
                            (int32_t)(j->first_body + i), j->error);
}

/* ---- Which grains ---- */

/* Grains one after the other, so that the first n of them are the same however many follow: what a packing fraction
 * counts. The entry that lags behind its weight most comes next. */
typedef struct grain_series {
    const ts_generating *j;
    ts_random scale;
    double *given; /* grains of each entry over its weight; infinite for weight 0 (mix_count) */
    double area;   /* of all so far [m²] */
} grain_series;

static ts_status series_begin(grain_series *s, const ts_generating *j)
{
    *s = (grain_series){.j = j, .scale = ts_generator_stream(j, TS_STREAM_SCALE)};
    TS_TRY(ts_new_raw(&s->given, j->def->mix_count, j->error));
    for (size_t i = 0; i < j->def->mix_count; i++)
        s->given[i] = j->def->mix[i].weight > 0 ? 0.5 / j->def->mix[i].weight : (double)INFINITY;
    return TS_OK;
}

static ts_body_def series_next(grain_series *s)
{
    const ts_generator_def *def = s->j->def;
    size_t next = 0;
    for (size_t i = 1; i < def->mix_count; i++)
        next = s->given[i] < s->given[next] ? i : next;
    const ts_mix_entry *entry = &def->mix[next];
    s->given[next] += 1 / entry->weight;
    ts_body_def grain = {.shape = entry->shape, .material = entry->material, .scale = ts_size_draw(entry, &s->scale)};
    s->area += s->j->scene->shape.item[entry->shape].mass.area * grain.scale * grain.scale;
    return grain;
}

static ts_status choose_series(const ts_generating *j)
{
    grain_series series;
    TS_TRY(series_begin(&series, j));
    for (size_t i = 0; i < j->count; i++)
        j->grain[i] = series_next(&series);
    ts_free(series.given);
    /* every grain is exchanged with a random one before it */
    ts_random shuffle = ts_generator_stream(j, TS_STREAM_SHUFFLE);
    for (size_t i = j->count; i > 1; i--) {
        size_t other = (size_t)ts_random_next_below(&shuffle, i);
        ts_body_def grain = j->grain[i - 1];
        j->grain[i - 1] = j->grain[other];
        j->grain[other] = grain;
    }
    return TS_OK;
}

static ts_status choose_by_weight(const ts_generating *j)
{
    const ts_generator_def *def = j->def;
    TS_AUTO_FREE int32_t *of = NULL;
    TS_TRY(ts_new_raw(&of, j->count, j->error));
    ts_random scale = ts_generator_stream(j, TS_STREAM_SCALE), shuffle = ts_generator_stream(j, TS_STREAM_SHUFFLE);
    TS_TRY(ts_mix_deal(def->mix, def->mix_count, j->count, shuffle, of, j->error));
    for (size_t i = 0; i < j->count; i++) {
        const ts_mix_entry *entry = &def->mix[of[i]];
        seek(j, TS_STREAM_SCALE, entry->size != TS_SIZE_UNIFORM, i, &scale);
        j->grain[i] =
            (ts_body_def){.shape = entry->shape, .material = entry->material, .scale = ts_size_draw(entry, &scale)};
    }
    return TS_OK;
}

/* Shapes, materials and sizes, in random order. */
static ts_status choose_grains(const ts_generating *j)
{
    TS_TRY(j->def->count == 0 ? choose_series(j) : choose_by_weight(j));
    for (size_t i = 0; i < j->count; i++)
        TS_TRY(j->c->row->choose(j->c, j->first_body + i, j->grain[i].shape, j->grain[i].scale, j->generator->place));
    return TS_OK;
}

/* Orientations and velocities. */
static void set_in_motion(const ts_generating *j)
{
    const ts_generator_def *def = j->def;
    ts_random turn = ts_generator_stream(j, TS_STREAM_TURN), velocity = ts_generator_stream(j, TS_STREAM_VELOCITY);
    for (size_t i = 0; i < j->count; i++) {
        ts_body_def *grain = &j->grain[i];
        grain->attitude[0] = 1;
        grain->fixed = def->fixed;
        seek(j, TS_STREAM_TURN, false, i, &turn);
        if (def->random_attitude)
            j->by->turn(&turn, grain);
        seek(j, TS_STREAM_VELOCITY, false, i, &velocity);
        for (int d = 0; d < j->c->model->dimension; d++)
            grain->velocity[d] = def->velocity[d] + def->velocity_spread * ts_random_next_normal(&velocity);
    }
}

/* ---- Full ---- */

/* Area of the region; in space its volume. */
static double region_size(const ts_generating *j)
{
    const ts_generator_def *def = j->def;
    if (def->region != TS_REGION_BOX)
        return TS_PI * def->radius * def->radius * (def->region == TS_REGION_CYLINDER ? def->length : 1);
    double size = 1;
    for (int d = 0; d < j->scene->in->axes; d++)
        size *= def->high[d] - def->low[d];
    return size;
}

static const char *amount(const ts_generating *j)
{
    return j->def->packing > 0 ? "packing" : "count";
}

ts_status ts_lattice_is_full(const ts_generating *j, size_t placed, double pitch)
{
    return FAIL(j,
                "generator: only %zu of its %zu grains fit on a lattice of pitch %g m in its region; lower the %s, "
                "enlarge the region or make the grains smaller",
                placed, j->count, pitch, amount(j));
}

/* ---- Random insertion ---- */

/* Levels of normal numbers: exponents -1022 … 1023, and some room. */
#define LEVEL_LOW   (-1100)
#define LEVEL_COUNT 2200

static size_t level_of(const ts_generating *j, size_t i)
{
    return j->by->large_first ? (size_t)(ts_occupancy_level_of(ts_grain_radius(j, i)) - LEVEL_LOW) : 0;
}

/* Grains in order of decreasing level: large ones find room only while there is plenty. A counting sort. */
static ts_status order_by_size(const ts_generating *j, int32_t **order)
{
    size_t n = j->count, start[LEVEL_COUNT + 1] = {0};
    TS_TRY(ts_new_raw(order, n, j->error));
    for (size_t i = 0; i < n; i++)
        start[level_of(j, i)]++;
    for (size_t level = LEVEL_COUNT; level-- > 0;)
        start[level] += start[level + 1]; /* grains of this level or above */
    for (size_t i = n; i-- > 0;)
        (*order)[--start[level_of(j, i)]] = (int32_t)i;
    return TS_OK;
}

static ts_status place_at_random(ts_generating *j, size_t i, ts_random *random, size_t placed, double *covered)
{
    double radius = ts_grain_radius(j, i);
    for (int tries = 0; tries < j->by->tries_max; tries++) {
        bool room;
        if (!j->by->random_place(j, i, random))
            return FAIL(j,
                        "generator: a grain of radius %g m is larger than its region; enlarge the region or make the "
                        "grain smaller",
                        radius);
        TS_TRY(j->by->has_room(j, i, &room));
        if (!room)
            continue;
        *covered += j->c->row->volume(j->c, j->first_body + i);
        return ts_grain_occupy(j, i);
    }
    return FAIL(
        j,
        "generator: after %zu of its %zu grains, at a packing fraction of %.3g, %d tries found no room for another of "
        "radius %g m; lower the %s, enlarge the region, make the grains smaller or fill by lattice",
        placed, j->count, *covered / region_size(j), j->by->tries_max, radius, amount(j));
}

static ts_status fill_at_random(ts_generating *j)
{
    TS_AUTO_FREE int32_t *order = NULL;
    TS_TRY(order_by_size(j, &order));
    ts_random random = ts_generator_stream(j, TS_STREAM_POSITION);
    double covered = 0;
    for (size_t i = 0; i < j->count; i++)
        TS_TRY(place_at_random(j, (size_t)order[i], &random, i, &covered));
    return TS_OK;
}

/* ---- How many ---- */

double ts_generator_line_length(const ts_contour *line)
{
    double length = 0;
    for (size_t i = 0; i < ts_contour_segment_count(line); i++) {
        ts_segment s = ts_contour_segment(line, i);
        length += ts_segment_length(&s);
    }
    return length;
}

double ts_generator_mean_diameter(const ts_generating *j)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < j->def->mix_count; i++) {
        const ts_mix_entry *entry = &j->def->mix[i];
        sum += entry->weight * 2 * j->scene->shape.item[entry->shape].mass.radius * ts_size_mean(entry);
        weight += entry->weight;
    }
    return sum / weight;
}

static ts_status too_many(const ts_generating *j)
{
    return FAIL(j, "generator: it makes more than %u grains; make them larger or fewer", TS_GENERATOR_COUNT_MAX);
}

/* As many grains as cover the packing fraction of the region, to the nearest. */
static ts_status count_packing(const ts_generating *j, size_t *count)
{
    double target = j->def->packing * region_size(j), before = 0;
    grain_series series;
    TS_TRY(series_begin(&series, j));
    for (*count = 0; series.area < target && *count <= TS_GENERATOR_COUNT_MAX; ++*count) {
        before = series.area;
        series_next(&series);
    }
    if (*count > 1 && series.area - target > target - before)
        --*count;
    ts_free(series.given);
    return *count <= TS_GENERATOR_COUNT_MAX ? TS_OK : too_many(j);
}

/* ---- All together ---- */

static ts_generating generator_at(const ts_scene *scene, size_t g, ts_error *error)
{
    const ts_filling *by = scene->in->filling;
    return (ts_generating){.scene = scene,
                           .generator = &scene->generator.item[g],
                           .def = &scene->generator.item[g].def,
                           .by = by,
                           .stream = by->stream_first + by->stream_step * g,
                           .error = error};
}

ts_status ts_generate_count(const ts_scene *scene, size_t g, size_t *count, ts_error *error)
{
    ts_generating j = generator_at(scene, g, error);
    *count = j.def->count;
    if (j.def->mix_count == 0 || *count > 0 || (j.def->fill != TS_FILL_LINE && j.def->packing == 0))
        return TS_OK;
    if (j.def->fill != TS_FILL_LINE)
        return count_packing(&j, count);
    double exact = ts_generator_line_length(&j.def->line) / (j.def->spacing * ts_generator_mean_diameter(&j));
    if (!(exact < TS_GENERATOR_COUNT_MAX))
        return too_many(&j);
    *count = exact < 1 ? 1 : (size_t)llround(exact);
    return TS_OK;
}

ts_status ts_generate(ts_compiler *c, size_t g, ts_body_def *grain)
{
    ts_generating j = generator_at(c->scene, g, c->error);
    j.c = c;
    j.first_body = c->generator_begin[g];
    j.count = c->generator_begin[g + 1] - j.first_body;
    j.grain = grain;
    if (j.count == 0 || j.def->mix_count == 0)
        return TS_OK;
    TS_TRY(choose_grains(&j));
    set_in_motion(&j); /* before they are placed: outlines look at their angles */
    ts_status status = j.def->fill == TS_FILL_LATTICE ? j.by->lattice(&j)
                       : j.def->fill == TS_FILL_LINE  ? j.by->line(&j)
                                                      : fill_at_random(&j);
    ts_array_free(&j.touch);
    return status;
}
