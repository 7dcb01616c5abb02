/* SPDX-License-Identifier: MIT */
#include "scene/generate.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/vec.h"
#include "contact/pieces.h"
#include "scene/mix.h"
#include "scene/overlap.h"
#include "scene/script.h"
#include "scene/sizes.h"

/* Generators' random streams lie apart from those that others number from 0. */
#define STREAM_FIRST ((uint64_t)1 << 40)
enum { STREAM_SHUFFLE, STREAM_SCALE, STREAM_POSITION, STREAM_ANGLE, STREAM_VELOCITY, STREAM_COUNT };

/* A share of a length that counts as touching: a region given in decimals must hold what fits it exactly. */
#define TOUCHING 1e-9
/* Random insertion gives up on a grain after that many tries. At a packing fraction of 0.5 one try in some thousand
 * succeeds; above 0.547 no further disc of the same size fits at all (random sequential adsorption). */
#define TRIES_MAX 20000
/* A lattice gives up after that many blocked sites more than a hundred for each grain. */
#define BLOCKED_SITES_MAX 1e7

typedef struct job {
    const ts_scene *scene;
    const ts_scene_generator *generator;
    const ts_generator_def *def;
    uint64_t stream; /* first of STREAM_COUNT */
    ts_surroundings *around;
    int32_t first_body;
    ts_grain *grain;
    size_t count;   /* of grains: the definition's own, or what a packing fraction or a line makes of it */
    double largest; /* radius of the largest grain that the mix allows [m] */
    ts_error *error;
} job;

#define FAIL(job, ...) ts_fail_at((job)->error, TS_BAD_INPUT, (job)->generator->place, __VA_ARGS__)

static ts_random random_stream(const job *j, uint64_t purpose)
{
    return ts_random_make(j->scene->settings.seed, j->stream + purpose);
}

static double grain_radius(const job *j, const ts_grain *grain)
{
    return j->scene->shape.item[grain->shape].mass.radius * grain->scale;
}

/* ---- Which grains ---- */

/* Grains one after the other, so that the first n of them are the same however many follow: what a packing fraction
 * counts.
 * The entry that lags behind its weight most comes next. */
typedef struct grain_series {
    const job *j;
    ts_random scale;
    double *given; /* grains of each entry over its weight; infinite for weight 0 (mix_count) */
    double area;   /* of all so far [m²] */
} grain_series;

static ts_status series_begin(grain_series *s, const job *j)
{
    *s = (grain_series){.j = j, .scale = random_stream(j, STREAM_SCALE)};
    s->given = ts_alloc_raw(j->def->mix_count, sizeof *s->given);
    if (!s->given)
        return ts_fail_memory(j->error, j->def->mix_count * sizeof *s->given);
    for (size_t i = 0; i < j->def->mix_count; i++)
        s->given[i] = j->def->mix[i].weight > 0 ? 0.5 / j->def->mix[i].weight : (double)INFINITY;
    return TS_OK;
}

static ts_grain series_next(grain_series *s)
{
    const ts_generator_def *def = s->j->def;
    size_t next = 0;
    for (size_t i = 1; i < def->mix_count; i++)
        next = s->given[i] < s->given[next] ? i : next;
    const ts_mix_entry *entry = &def->mix[next];
    s->given[next] += 1 / entry->weight;
    ts_grain grain = {.shape = entry->shape, .material = entry->material, .scale = ts_size_draw(entry, &s->scale)};
    s->area += s->j->scene->shape.item[entry->shape].mass.area * grain.scale * grain.scale;
    return grain;
}

/* Exchanges every grain with a random one before it. */
static void shuffle_grains(const job *j)
{
    ts_random shuffle = random_stream(j, STREAM_SHUFFLE);
    for (size_t i = j->count; i > 1; i--) {
        size_t other = (size_t)ts_random_next_below(&shuffle, i);
        ts_grain grain = j->grain[i - 1];
        j->grain[i - 1] = j->grain[other];
        j->grain[other] = grain;
    }
}

static ts_status choose_series(const job *j)
{
    grain_series series;
    TS_TRY(series_begin(&series, j));
    for (size_t i = 0; i < j->count; i++)
        j->grain[i] = series_next(&series);
    ts_free(series.given);
    shuffle_grains(j);
    return TS_OK;
}

/* Shapes, materials and sizes, in random order. */
static ts_status choose_grains(const job *j)
{
    const ts_generator_def *def = j->def;
    if (def->count == 0)
        return choose_series(j);
    int32_t *of = ts_alloc_raw(j->count, sizeof *of);
    if (!of)
        return ts_fail_memory(j->error, j->count * sizeof *of);
    ts_status status = ts_mix_deal(def->mix, def->mix_count, j->count, random_stream(j, STREAM_SHUFFLE), of, j->error);
    ts_random scale = random_stream(j, STREAM_SCALE);
    for (size_t i = 0; i < j->count && status == TS_OK; i++) {
        const ts_mix_entry *entry = &def->mix[of[i]];
        j->grain[i].shape = entry->shape;
        j->grain[i].material = entry->material;
        j->grain[i].scale = ts_size_draw(entry, &scale);
    }
    ts_free(of);
    return status;
}

/* Orientations and velocities. */
static void set_in_motion(const job *j)
{
    const ts_generator_def *def = j->def;
    ts_random angle = random_stream(j, STREAM_ANGLE), velocity = random_stream(j, STREAM_VELOCITY);
    for (size_t i = 0; i < j->count; i++) {
        ts_grain *grain = &j->grain[i];
        grain->angle = def->random_attitude ? ts_random_next_range(&angle, 0, 2 * TS_PI) : 0;
        grain->vx = def->velocity[0] + def->velocity_spread * ts_random_next_normal(&velocity);
        grain->vy = def->velocity[1] + def->velocity_spread * ts_random_next_normal(&velocity);
    }
}

/* ---- Where there is room ---- */

double ts_wall_distance(const ts_wall *wall, double x, double y, double radius)
{
    double dx = x - wall->pose.position.x, dy = y - wall->pose.position.y;
    if (wall->kind == TS_WALL_CIRCLE)
        return wall->radius - hypot(dx, dy) - radius;
    if (wall->reach) {
        double local_x = wall->nx * dx + wall->ny * dy, local_y = wall->nx * dy - wall->ny * dx;
        double distance;
        ts_distance_query(wall->reach, 1, &local_x, &local_y, &distance, NULL, NULL, NULL);
        return (wall->kind == TS_WALL_POLYLINE ? fabs(distance) : distance) - radius;
    }
    return dx * wall->nx + dy * wall->ny - radius;
}

typedef struct probe {
    double x, y, radius, gap;
    int32_t ignore_from; /* owners from here on keep clear by themselves */
} probe;

static bool too_near(void *context, const ts_occupant *near)
{
    const probe *p = context;
    double dx = near->x - p->x, dy = near->y - p->y;
    double room = (p->radius + near->radius) * (1 - TOUCHING) + p->gap;
    return dx * dx + dy * dy < room * room && near->owner < p->ignore_from;
}

/* `slab`: how much nearer polylines are to this grain than their lines. */
static bool is_clear_of_walls(const job *j, double x, double y, double radius, double slab)
{
    /* grains that never move may stand behind a wall: a floor of stones beyond a gate */
    for (size_t i = 0; i < j->around->wall_count && !j->def->fixed; i++) {
        const ts_wall *wall = &j->around->wall[i];
        double room = radius + (wall->kind == TS_WALL_POLYLINE ? slab : 0);
        if (ts_wall_distance(wall, x, y, room) < -TOUCHING * radius)
            return false;
    }
    return true;
}

/* ---- Room for outlines ---- */

typedef struct outline_probe {
    probe circle;
    const job *j;
    ts_placed grain;
} outline_probe;

/* A body as it stands at the start; false when that is not known yet: a drive turns it about the centre of its
 * generator's
 * grains. */
static bool placed_body(const job *j, int32_t id, ts_placed *placed)
{
    const ts_model *m = j->around->model;
    if (id >= j->first_body) {
        const ts_grain *grain = &j->grain[id - j->first_body];
        *placed = (ts_placed){&m->shape[grain->shape], {grain->x, grain->y, grain->angle}, grain->scale};
        return true;
    }
    const ts_body *body = &m->body[id];
    *placed = (ts_placed){&m->shape[m->body_shape[id]], {body->x, body->y, body->angle}, m->body_scale[id]};
    if (!m->body_motion || m->body_motion[id] < 0)
        return true;
    bool known;
    placed->pose = ts_script_pose_at_start(&m->motion[m->body_motion[id]], placed->pose, &known);
    return known;
}

/* Whether the circles are too near. Where one is an outline it is the shapes that count: then there is an `other`. */
static bool circles_too_near(outline_probe *p, const ts_occupant *near, ts_placed *other)
{
    other->shape = NULL;
    if (!too_near(&p->circle, near))
        return false;
    if (!placed_body(p->j, near->owner, other) || (!other->shape->outline && !p->grain.shape->outline))
        other->shape = NULL;
    return true;
}

static bool shapes_too_near(void *context, const ts_occupant *near)
{
    outline_probe *p = context;
    ts_placed other;
    return circles_too_near(p, near, &other) && !(other.shape && ts_placed_apart(&p->grain, &other, p->circle.gap));
}

/* As above, but shapes may come as near as they like while they do not overlap: a ball in its socket. */
static bool shapes_overlap(void *context, const ts_occupant *near)
{
    outline_probe *p = context;
    ts_placed other;
    ts_vec2 at;
    return circles_too_near(p, near, &other) &&
           !(other.shape && ts_placed_overlap(&p->grain, &other, &at) <= TOUCHING * p->circle.radius);
}

/* Whether grain i, at its angle, has room where it is: nothing there is in its `way`. Owners from `ignore_from` on
 * keep clear by
 * themselves. */
static bool has_room(const job *j, size_t i, ts_occupancy_hit *way, int32_t ignore_from)
{
    const ts_grain *grain = &j->grain[i];
    double radius = grain_radius(j, grain);
    const ts_shape *shape = &j->around->model->shape[grain->shape];
    double slab = shape->outline ? TS_SLAB_REACH * shape->inner * grain->scale : 0;
    if (!is_clear_of_walls(j, grain->x, grain->y, radius, slab))
        return false;
    outline_probe p = {{grain->x, grain->y, radius, j->def->gap, ignore_from}, j, {0}};
    placed_body(j, j->first_body + (int32_t)i, &p.grain);
    return !ts_occupancy_find(&j->around->occupied, grain->x, grain->y, radius + j->def->gap, way, &p);
}

static ts_status occupy(const job *j, size_t i)
{
    const ts_grain *grain = &j->grain[i];
    return ts_occupancy_add(&j->around->occupied, grain->x, grain->y, grain_radius(j, grain),
                            j->first_body + (int32_t)i, j->error);
}

static double region_area(const ts_generator_def *def)
{
    return def->region == TS_REGION_CIRCLE ? TS_PI * def->radius * def->radius
                                           : (def->high[0] - def->low[0]) * (def->high[1] - def->low[1]);
}

/* ---- Lattice ---- */

/* The first x of a row and how many sites it has: those where a circle of the largest radius lies in the region. */
static double lattice_row(const job *j, double y, bool odd, double pitch, double *first)
{
    const ts_generator_def *def = j->def;
    double shift = odd ? 0.5 * pitch : 0;
    if (def->region == TS_REGION_BOX) {
        *first = def->low[0] + j->largest + shift;
        return floor((def->high[0] - j->largest - *first) / pitch + TOUCHING) + 1;
    }
    double room = def->radius - j->largest, h = y - def->position[1];
    double half = sqrt(fmax(room * room * (1 + TOUCHING) - h * h, 0));
    double from = ceil((-half - shift) / pitch - TOUCHING), to = floor((half - shift) / pitch + TOUCHING);
    *first = def->position[0] + shift + from * pitch;
    return to - from + 1;
}

static ts_status fill_lattice(const job *j)
{
    const ts_generator_def *def = j->def;
    double pitch = 2 * j->largest + def->gap, rise = pitch * sqrt(0.75);
    double bottom = def->region == TS_REGION_BOX ? def->low[1] : def->position[1] - def->radius;
    double top = def->region == TS_REGION_BOX ? def->high[1] : def->position[1] + def->radius;
    double row_count = floor((top - bottom - 2 * j->largest) / rise + TOUCHING) + 1;
    double sites_left = 100.0 * (double)j->count + BLOCKED_SITES_MAX;
    ts_random random = random_stream(j, STREAM_POSITION);
    size_t placed = 0;
    for (uint64_t row = 0; (double)row < row_count && placed < j->count && sites_left > 0; row++) {
        double y = bottom + j->largest + (double)row * rise, first;
        double columns = lattice_row(j, y, row % 2 != 0, pitch, &first);
        sites_left--; /* rows may be empty, too */
        for (uint64_t column = 0; (double)column < columns && placed < j->count && sites_left-- > 0; column++) {
            ts_grain *grain = &j->grain[placed];
            double radius = grain_radius(j, grain), x = first + (double)column * pitch;
            double away = def->jitter * fmax(j->largest - radius, 0) * sqrt(ts_random_next_uniform(&random));
            double direction = ts_random_next_range(&random, 0, 2 * TS_PI);
            grain->x = x + away * cos(direction);
            grain->y = y + away * sin(direction);
            if (!has_room(j, placed, shapes_too_near, j->first_body))
                continue;
            TS_TRY(occupy(j, placed));
            placed++;
        }
    }
    if (placed < j->count)
        return FAIL(j,
                    "generator: only %zu of its %zu grains fit on a lattice of pitch %g m in its region; lower the %s, "
                    "enlarge the region or make the grains smaller",
                    placed, j->count, pitch, def->packing > 0 ? "packing" : "count");
    return TS_OK;
}

/* ---- Random insertion ---- */

/* Levels of normal numbers: exponents -1022 … 1023, and some room. */
#define LEVEL_LOW   (-1100)
#define LEVEL_COUNT 2200

/* Grains in order of decreasing level: large ones find room only while there is plenty. A counting sort. */
static ts_status order_by_size(const job *j, int32_t **order)
{
    size_t n = j->count, start[LEVEL_COUNT + 1] = {0};
    *order = ts_alloc_raw(n, sizeof **order);
    if (!*order)
        return ts_fail_memory(j->error, n * sizeof **order);
    for (size_t i = 0; i < n; i++)
        start[ts_occupancy_level_of(grain_radius(j, &j->grain[i])) - LEVEL_LOW]++;
    for (size_t level = LEVEL_COUNT; level-- > 0;)
        start[level] += start[level + 1]; /* grains of this level or above */
    for (size_t i = n; i-- > 0;)
        (*order)[--start[ts_occupancy_level_of(grain_radius(j, &j->grain[i])) - LEVEL_LOW]] = (int32_t)i;
    return TS_OK;
}

/* A uniform point of the region where a circle of this radius lies inside; false when there is none. */
static bool random_point(const ts_generator_def *def, double radius, ts_random *random, double *x, double *y)
{
    if (def->region == TS_REGION_BOX) {
        double w = def->high[0] - def->low[0] - 2 * radius, h = def->high[1] - def->low[1] - 2 * radius;
        double slack = -TOUCHING * radius;
        if (w < slack || h < slack)
            return false;
        *x = def->low[0] + radius + fmax(w, 0) * ts_random_next_uniform(random);
        *y = def->low[1] + radius + fmax(h, 0) * ts_random_next_uniform(random);
        return true;
    }
    double room = def->radius - radius;
    if (room < -TOUCHING * radius)
        return false;
    room = fmax(room, 0);
    double u, v;
    do { /* π/4 of the tries succeed */
        u = ts_random_next_range(random, -1, 1);
        v = ts_random_next_range(random, -1, 1);
    } while (u * u + v * v > 1);
    *x = def->position[0] + room * u;
    *y = def->position[1] + room * v;
    return true;
}

static ts_status place_at_random(const job *j, size_t i, ts_random *random, size_t placed, double *covered)
{
    ts_grain *grain = &j->grain[i];
    double radius = grain_radius(j, grain);
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        if (!random_point(j->def, radius, random, &grain->x, &grain->y))
            return FAIL(j,
                        "generator: a grain of radius %g m is larger than its region; enlarge the region or make the "
                        "grain smaller",
                        radius);
        if (!has_room(j, i, shapes_too_near, INT32_MAX))
            continue;
        *covered += j->scene->shape.item[grain->shape].mass.area * grain->scale * grain->scale;
        return occupy(j, i);
    }
    return FAIL(
        j,
        "generator: after %zu of its %zu grains, at a packing fraction of %.3g, %d tries found no room for another of "
        "radius %g m; lower the %s, enlarge the region, make the grains smaller or fill by lattice",
        placed, j->count, *covered / region_area(j->def), TRIES_MAX, radius, j->def->packing > 0 ? "packing" : "count");
}

static ts_status fill_at_random(const job *j)
{
    int32_t *order;
    TS_TRY(order_by_size(j, &order));
    ts_random random = random_stream(j, STREAM_POSITION);
    ts_status status = TS_OK;
    double covered = 0;
    for (size_t i = 0; i < j->count && status == TS_OK; i++)
        status = place_at_random(j, (size_t)order[i], &random, i, &covered);
    ts_free(order);
    return status;
}

/* ---- Along a line ---- */

static double line_length(const ts_contour *line)
{
    double length = 0;
    for (size_t i = 0; i < ts_contour_segment_count(line); i++) {
        ts_segment s = ts_contour_segment(line, i);
        length += ts_segment_length(&s);
    }
    return length;
}

/* Mean diameter of the mix's grains, by number [m]. */
static double mean_diameter(const job *j)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < j->def->mix_count; i++) {
        const ts_mix_entry *entry = &j->def->mix[i];
        sum += entry->weight * 2 * j->scene->shape.item[entry->shape].mass.radius * ts_size_mean(entry);
        weight += entry->weight;
    }
    return sum / weight;
}

typedef struct blocked {
    probe p;
    const ts_body *body;
} blocked;

/* Fixed grains may overlap what is fixed; nothing else. */
static bool in_the_way(void *context, const ts_occupant *near)
{
    const blocked *b = context;
    return b->body[near->owner].inv_mass > 0 && too_near(&((blocked *)context)->p, near);
}

/* Whether grain i may stand where it is: free ones keep clear of everything, fixed ones of what moves. */
static bool may_stand(const job *j, size_t i)
{
    const ts_grain *grain = &j->grain[i];
    double radius = grain_radius(j, grain);
    if (!j->def->fixed)
        return has_room(j, i, shapes_overlap, INT32_MAX);
    blocked b = {{grain->x, grain->y, radius, 0, j->first_body}, j->around->model->body};
    return !ts_occupancy_find(&j->around->occupied, grain->x, grain->y, radius, in_the_way, &b);
}

/* What grain i, which may not stand where it is, lies in deepest. */
static ts_status fail_to_stand(const job *j, size_t i)
{
    const ts_grain *grain = &j->grain[i];
    const ts_occupancy *there = &j->around->occupied;
    ts_placed own, other;
    double radius = grain_radius(j, grain), deepest = -HUGE_VAL;
    int32_t which = 0;
    const char *what = "body";
    placed_body(j, j->first_body + (int32_t)i, &own);
    for (size_t k = 0; k < there->disc.count; k++) {
        const ts_occupant *near = &there->disc.item[k];
        double depth = radius + near->radius - hypot(near->x - grain->x, near->y - grain->y);
        if (j->def->fixed && (near->owner >= j->first_body || !(j->around->model->body[near->owner].inv_mass > 0)))
            continue;
        if (depth > deepest && placed_body(j, near->owner, &other) && (own.shape->outline || other.shape->outline) &&
            !j->def->fixed)
            depth = ts_placed_overlap(&own, &other, &(ts_vec2){0});
        if (depth > deepest) {
            deepest = depth;
            which = near->owner;
        }
    }
    for (size_t k = 0; k < j->around->wall_count && !j->def->fixed; k++) {
        double depth = -ts_wall_distance(&j->around->wall[k], grain->x, grain->y, radius);
        if (depth > deepest) {
            deepest = depth;
            which = j->around->wall[k].source;
            what = "wall";
        }
    }
    return FAIL(j,
                "generator: grain %zu of its line, body %d at (%g, %g), overlaps %s %d by %g m; move the line, widen "
                "the spacing or make the grains smaller",
                i, j->first_body + (int32_t)i, grain->x, grain->y, what, which, deepest);
}

static ts_status fill_line(const job *j)
{
    const ts_contour *line = &j->def->line;
    double pitch = line_length(line) / (double)j->count, across = j->def->jitter * mean_diameter(j);
    ts_random random = random_stream(j, STREAM_POSITION);
    size_t edge = 0;
    ts_segment s = ts_contour_segment(line, 0);
    double begin = 0, length = ts_segment_length(&s);
    for (size_t i = 0; i < j->count; i++) {
        double at = ((double)i + 0.5) * pitch;
        while (at > begin + length && edge + 1 < ts_contour_segment_count(line)) {
            begin += length;
            s = ts_contour_segment(line, ++edge);
            length = ts_segment_length(&s);
        }
        double t = length > 0 ? fmin((at - begin) / length, 1) : 0,
               away = ts_random_next_range(&random, -across, across);
        ts_vec2 point = ts_segment_point(&s, t), along = ts_segment_tangent(&s, t);
        ts_grain *grain = &j->grain[i];
        grain->x = point.x - away * along.y;
        grain->y = point.y + away * along.x;
        if (j->def->angle_along)
            grain->angle = atan2(along.y, along.x);
        if (!may_stand(j, i))
            return fail_to_stand(j, i);
        TS_TRY(occupy(j, i));
    }
    return TS_OK;
}

/* ---- All together ---- */

static ts_status check_sizes(job *j)
{
    for (size_t i = 0; i < j->def->mix_count; i++) {
        const ts_mix_entry *entry = &j->def->mix[i];
        double radius = j->scene->shape.item[entry->shape].mass.radius;
        if (entry->weight > 0)
            j->largest = fmax(j->largest, radius * entry->scale_max);
        if (!isnormal(radius * entry->scale_min) || !isfinite(radius * entry->scale_max))
            return FAIL(j,
                        "generator: scale_min %g or scale_max %g makes a grain too small or too large to compute with",
                        entry->scale_min, entry->scale_max);
    }
    return TS_OK;
}

static ts_status too_many(const job *j)
{
    return FAIL(j, "generator: it makes more than %u grains; make them larger or fewer", TS_GENERATOR_COUNT_MAX);
}

/* As many grains as cover the packing fraction of the region, to the nearest. */
static ts_status count_packing(const job *j, size_t *count)
{
    double target = j->def->packing * region_area(j->def), before = 0;
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

ts_status ts_generate_count(const ts_scene *scene, size_t g, size_t *count, ts_error *error)
{
    const ts_scene_generator *generator = &scene->generator.item[g];
    job j = {.scene = scene,
             .generator = generator,
             .def = &generator->def,
             .stream = STREAM_FIRST + STREAM_COUNT * g,
             .error = error};
    *count = j.def->count;
    if (j.def->mix_count == 0 || *count > 0 || (j.def->fill != TS_FILL_LINE && j.def->packing == 0))
        return TS_OK;
    TS_TRY(check_sizes(&j));
    if (j.def->fill != TS_FILL_LINE)
        return count_packing(&j, count);
    double exact = line_length(&j.def->line) / (j.def->spacing * mean_diameter(&j));
    if (!(exact < TS_GENERATOR_COUNT_MAX))
        return too_many(&j);
    *count = exact < 1 ? 1 : (size_t)llround(exact);
    return TS_OK;
}

ts_status ts_generate(const ts_scene *scene, size_t g, ts_surroundings *around, int32_t first_body, ts_grain *grain,
                      size_t count, ts_error *error)
{
    const ts_scene_generator *generator = &scene->generator.item[g];
    job j = {.scene = scene,
             .generator = generator,
             .def = &generator->def,
             .stream = STREAM_FIRST + STREAM_COUNT * g,
             .around = around,
             .first_body = first_body,
             .grain = grain,
             .count = count,
             .error = error};
    if (count == 0 || j.def->mix_count == 0)
        return TS_OK;
    TS_TRY(check_sizes(&j));
    TS_TRY(choose_grains(&j));
    set_in_motion(&j); /* before they are placed: outlines look at their angles */
    switch (j.def->fill) {
    case TS_FILL_LATTICE:
        TS_TRY(fill_lattice(&j));
        break;
    case TS_FILL_RANDOM:
        TS_TRY(fill_at_random(&j));
        break;
    case TS_FILL_LINE:
        TS_TRY(fill_line(&j));
        break;
    }
    return TS_OK;
}
