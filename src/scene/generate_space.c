/* SPDX-License-Identifier: MIT */
/* Room for grains of space (scene/generate.h): their bounding balls keep apart, and clear of walls. */
#include <math.h>

#include "scene/generate.h"

/* Numbers that a grain has in each stream; sizes that are not uniform have a stream of their own, with more of them. */
#define NUMBERS_A_GRAIN 16u
#define STREAM_SIZE     0x3005

static void seek(const ts_generating *j, ts_stream purpose, bool many, size_t i, ts_random *random)
{
    random->stream = j->stream + (many ? STREAM_SIZE : j->by->stream_number[purpose]);
    random->counter = many ? (uint64_t)i << 20 : NUMBERS_A_GRAIN * i + (purpose == TS_STREAM_SCALE);
}

/* A uniform rotation (K. Shoemake). */
static void turn(ts_random *random, ts_body_def *grain)
{
    double u[3];
    for (size_t k = 0; k < 3; k++)
        u[k] = ts_random_next_uniform(random);
    double a = sqrt(1 - u[0]), b = sqrt(u[0]);
    grain->attitude[0] = a * sin(2 * TS_PI * u[1]);
    grain->attitude[1] = a * cos(2 * TS_PI * u[1]);
    grain->attitude[2] = b * sin(2 * TS_PI * u[2]);
    grain->attitude[3] = b * cos(2 * TS_PI * u[2]);
}

/* ---- Where there is room ---- */

static double rounding_at(ts_vec3 p, double radius)
{
    return 1e-12 * (fabs(p.x) + fabs(p.y) + fabs(p.z) + radius);
}

static bool in_region(const ts_generator_def *def, ts_vec3 p, double radius)
{
    const double *low = def->low, *high = def->high, x[3] = {p.x, p.y, p.z}, rounding = rounding_at(p, radius);
    for (int d = 0; d < 3; d++)
        if (!(x[d] - radius >= low[d] - rounding && x[d] + radius <= high[d] + rounding))
            return false;
    const double away = hypot(p.x - 0.5 * (low[0] + high[0]), p.y - 0.5 * (low[1] + high[1]));
    return def->region != TS_REGION_CYLINDER || away + radius <= def->radius + rounding;
}

typedef struct ball {
    ts_vec3 centre;
    double radius; /* with the gap [m] */
} ball;

static bool too_near(void *context, const ts_occupant *near)
{
    const ball *b = context;
    return ts_vec3_distance(near->centre, b->centre) < near->radius + b->radius - rounding_at(b->centre, b->radius);
}

/* Clear of walls as they stand at the start. */
static ts_status clear_of_walls(ts_generating *j, ts_vec3 p, double radius, bool *clear)
{
    const ts_model *model = j->c->model;
    const ts_solid solid = {.kind = TS_SOLID_SPHERE, .radius = radius};
    *clear = true;
    for (size_t i = 0; i < model->wall_count && *clear; i++) {
        const ts_wall *wall = &model->wall[i];
        for (size_t k = wall->piece_begin; k < wall->piece_begin + wall->piece_count && *clear; k++) {
            const ts_piece *piece = &j->c->piece.item[k];
            j->touch.count = 0;
            TS_TRY(ts_touch_find((ts_placed_solid){&piece->solid, ts_pose3_compose(wall->pose, piece->pose)},
                                 (ts_placed_solid){&solid, {p, ts_quat_identity()}}, 0, &j->touch, j->error));
            for (size_t t = 0; t < j->touch.count; t++)
                *clear &= j->touch.item[t].gap >= -TS_TOUCHING * radius;
        }
    }
    return TS_OK;
}

static ts_status has_room(ts_generating *j, size_t i, bool *room)
{
    const double radius = ts_grain_radius(j, i);
    ball own = {ts_grain_position(j, i), radius + j->def->gap};
    *room = in_region(j->def, own.centre, radius) &&
            !ts_occupancy_find(&j->c->occupied, own.centre, own.radius, too_near, &own);
    return *room ? clear_of_walls(j, own.centre, radius, room) : TS_OK;
}

/* ---- Filling ---- */

/* Sites of a cubic lattice, layer by layer from below. */
static ts_status fill_lattice(ts_generating *j)
{
    const double *low = j->def->low, *high = j->def->high, gap = j->def->gap;
    double largest = 0;
    for (size_t i = 0; i < j->count; i++)
        largest = fmax(largest, ts_grain_radius(j, i));
    const double pitch = 2 * largest + gap;
    int64_t n[3], site[3];
    for (int d = 0; d < 3; d++) {
        n[d] = (int64_t)floor((high[d] - low[d] + gap) / pitch * (1 + 1e-12));
        if (n[d] < 1 || n[d] > INT32_MAX)
            return ts_lattice_is_full(j, 0, pitch);
    }
    ts_random random = ts_generator_stream(j, TS_STREAM_POSITION);
    size_t placed = 0;
    for (site[2] = 0; site[2] < n[2] && placed < j->count; site[2]++)
        for (site[1] = 0; site[1] < n[1] && placed < j->count; site[1]++)
            for (site[0] = 0; site[0] < n[0] && placed < j->count; site[0]++) {
                seek(j, TS_STREAM_POSITION, false, placed, &random);
                for (int d = 0; d < 3; d++) { /* layers stand on each other, columns share the room that there is */
                    const double room = d < 2 ? (high[d] - low[d] + gap) / (double)n[d] : pitch;
                    const double free = 0.5 * (room - pitch) + largest - ts_grain_radius(j, placed);
                    j->grain[placed].position[d] = low[d] + largest + (double)site[d] * room + 0.5 * (room - pitch) +
                                                   j->def->jitter * free * ts_random_next_range(&random, -1, 1);
                }
                bool room;
                TS_TRY(has_room(j, placed, &room));
                if (room)
                    TS_TRY(ts_grain_occupy(j, placed++));
            }
    return placed < j->count ? ts_lattice_is_full(j, placed, pitch) : TS_OK;
}

/* A uniform point of the box, or of the box around a cylinder. */
static bool random_place(const ts_generating *j, size_t i, ts_random *random)
{
    const double *low = j->def->low, *high = j->def->high, radius = ts_grain_radius(j, i);
    bool fits = true;
    for (int d = 0; d < 3; d++) {
        fits &= high[d] - low[d] - 2 * radius >= -TS_TOUCHING * radius;
        j->grain[i].position[d] =
            ts_random_next_range(random, low[d] + radius, fmax(high[d] - radius, low[d] + radius));
    }
    random->counter++; /* four numbers a try */
    return fits;
}

const ts_filling ts_filling_space = {.stream_step = 1 << 16,
                                     .stream_number = {0x3006, 0x3001, 0x3002, 0x3003, 0x3004},
                                     .tries_max = 2000,
                                     .seek = seek,
                                     TS_FILLING_FUNCTIONS};
