/* SPDX-License-Identifier: MIT */
/* Room for grains of the plane (scene/generate.h). */
#include <math.h>

#include "contact/pieces.h"
#include "scene/generate.h"
#include "scene/overlap.h"
#include "scene/script.h"

/* A lattice gives up after that many blocked sites more than a hundred for each grain. */
#define BLOCKED_SITES_MAX 1e7

#define FAIL              TS_GENERATOR_FAIL

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
    double dx = near->centre.x - p->x, dy = near->centre.y - p->y;
    double room = (p->radius + near->radius) * (1 - TS_TOUCHING) + p->gap;
    return dx * dx + dy * dy < room * room && near->owner < p->ignore_from;
}

/* ---- Room for outlines ---- */

typedef struct outline_probe {
    probe circle;
    const ts_generating *j;
    ts_placed_shape grain;
} outline_probe;

/* A body as it stands at the start; false when that is not known yet: a drive turns it about the centre of its
 * generator's grains. */
static bool placed_body(const ts_generating *j, size_t id, ts_placed_shape *placed)
{
    const ts_model *m = j->c->model;
    if (id >= j->first_body) {
        const ts_body_def *grain = &j->grain[id - j->first_body];
        const ts_pose2 pose = {grain->position[0], grain->position[1], grain->angle};
        *placed = (ts_placed_shape){&m->shape[grain->shape], pose, grain->scale};
        return true;
    }
    const ts_body *body = &m->body[id];
    *placed = (ts_placed_shape){&m->shape[m->body_shape[id]], {body->x, body->y, body->angle}, m->body_scale[id]};
    if (!m->body_motion || m->body_motion[id] < 0)
        return true;
    bool known;
    placed->pose = ts_script_pose_at_start(&m->motion[m->body_motion[id]], placed->pose, &known);
    return known;
}

/* Whether the circles are too near. Where one is an outline it is the shapes that count: then there is an `other`. */
static bool circles_too_near(outline_probe *p, const ts_occupant *near, ts_placed_shape *other)
{
    other->shape = NULL;
    if (!too_near(&p->circle, near))
        return false;
    if (!placed_body(p->j, (size_t)near->owner, other) || (!other->shape->outline && !p->grain.shape->outline))
        other->shape = NULL;
    return true;
}

static bool shapes_too_near(void *context, const ts_occupant *near)
{
    outline_probe *p = context;
    ts_placed_shape other;
    return circles_too_near(p, near, &other) && !(other.shape && ts_placed_apart(&p->grain, &other, p->circle.gap));
}

/* As above, but shapes may come as near as they like while they do not overlap: a ball in its socket. */
static bool shapes_overlap(void *context, const ts_occupant *near)
{
    outline_probe *p = context;
    ts_placed_shape other;
    ts_vec2 at;
    return circles_too_near(p, near, &other) &&
           !(other.shape && ts_placed_overlap(&p->grain, &other, &at) <= TS_TOUCHING * p->circle.radius);
}

/* How far grain i, at its angle, lies beyond a wall, or in the reach of a polyline; negative when it is clear of it, by
 * its bounding circle at least [m]. */
static double beyond_wall(const ts_generating *j, size_t i, const ts_wall *wall)
{
    const ts_body_def *grain = &j->grain[i];
    const double radius = ts_grain_radius(j, i);
    ts_placed_shape placed;
    placed_body(j, j->first_body + i, &placed);
    /* how much nearer polylines are to outlines than their lines */
    const double slab = wall->kind == TS_WALL_POLYLINE && placed.shape->outline
                            ? TS_SLAB_REACH * placed.shape->inner * grain->scale
                            : 0;
    const double depth = slab - ts_wall_distance(wall, grain->position[0], grain->position[1], radius);
    if (depth <= TS_TOUCHING * radius || !placed.shape->outline)
        return depth;
    return slab + ts_placed_beyond(&placed, wall, &(ts_vec2){0});
}

static bool is_clear_of_walls(const ts_generating *j, size_t i)
{
    /* grains that never move may stand behind a wall: a floor of stones beyond a gate */
    for (size_t k = 0; k < j->c->wall_count && !j->def->fixed; k++)
        if (beyond_wall(j, i, &j->c->wall[k]) > TS_TOUCHING * ts_grain_radius(j, i))
            return false;
    return true;
}

/* Whether grain i, at its angle, has room where it is: nothing there is in its `way`. Owners from `ignore_from` on
 * keep clear by themselves. */
static bool room_for(const ts_generating *j, size_t i, ts_occupancy_hit *way, size_t ignore_from)
{
    const ts_body_def *grain = &j->grain[i];
    double radius = ts_grain_radius(j, i);
    if (!is_clear_of_walls(j, i))
        return false;
    outline_probe p = {{grain->position[0], grain->position[1], radius, j->def->gap, (int32_t)ignore_from}, j, {0}};
    placed_body(j, j->first_body + i, &p.grain);
    return !ts_occupancy_find(&j->c->occupied, ts_grain_position(j, i), radius + j->def->gap, way, &p);
}

static ts_status has_room(ts_generating *j, size_t i, bool *room)
{
    *room = room_for(j, i, shapes_too_near, INT32_MAX);
    return TS_OK;
}

/* ---- Lattice ---- */

/* Radius of the largest grain that the mix allows [m]. */
static double largest_of_mix(const ts_generating *j)
{
    double largest = 0;
    for (size_t i = 0; i < j->def->mix_count; i++) {
        const ts_mix_entry *entry = &j->def->mix[i];
        if (entry->weight > 0)
            largest = fmax(largest, j->scene->shape.item[entry->shape].mass.radius * entry->scale_max);
    }
    return largest;
}

/* The first x of a row and how many sites it has: those where a circle of the largest radius lies in the region. */
static double lattice_row(const ts_generator_def *def, double largest, double y, bool odd, double pitch, double *first)
{
    double shift = odd ? 0.5 * pitch : 0;
    if (def->region == TS_REGION_BOX) {
        *first = def->low[0] + largest + shift;
        return floor((def->high[0] - largest - *first) / pitch + TS_TOUCHING) + 1;
    }
    double room = def->radius - largest, h = y - def->position[1];
    double half = sqrt(fmax(room * room * (1 + TS_TOUCHING) - h * h, 0));
    double from = ceil((-half - shift) / pitch - TS_TOUCHING), to = floor((half - shift) / pitch + TS_TOUCHING);
    *first = def->position[0] + shift + from * pitch;
    return to - from + 1;
}

static ts_status fill_lattice(ts_generating *j)
{
    const ts_generator_def *def = j->def;
    const double largest = largest_of_mix(j);
    double pitch = 2 * largest + def->gap, rise = pitch * sqrt(0.75);
    double bottom = def->region == TS_REGION_BOX ? def->low[1] : def->position[1] - def->radius;
    double top = def->region == TS_REGION_BOX ? def->high[1] : def->position[1] + def->radius;
    double row_count = floor((top - bottom - 2 * largest) / rise + TS_TOUCHING) + 1;
    double sites_left = 100.0 * (double)j->count + BLOCKED_SITES_MAX;
    ts_random random = ts_generator_stream(j, TS_STREAM_POSITION);
    size_t placed = 0;
    for (uint64_t row = 0; (double)row < row_count && placed < j->count && sites_left > 0; row++) {
        double y = bottom + largest + (double)row * rise, first;
        double columns = lattice_row(def, largest, y, row % 2 != 0, pitch, &first);
        sites_left--; /* rows may be empty, too */
        for (uint64_t column = 0; (double)column < columns && placed < j->count && sites_left-- > 0; column++) {
            ts_body_def *grain = &j->grain[placed];
            double radius = ts_grain_radius(j, placed), x = first + (double)column * pitch;
            double away = def->jitter * fmax(largest - radius, 0) * sqrt(ts_random_next_uniform(&random));
            double direction = ts_random_next_range(&random, 0, 2 * TS_PI);
            grain->position[0] = x + away * cos(direction);
            grain->position[1] = y + away * sin(direction);
            if (!room_for(j, placed, shapes_too_near, j->first_body))
                continue;
            TS_TRY(ts_grain_occupy(j, placed));
            placed++;
        }
    }
    return placed < j->count ? ts_lattice_is_full(j, placed, pitch) : TS_OK;
}

/* ---- Random insertion ---- */

/* A uniform point of the region where the grain's circle lies inside. */
static bool random_place(const ts_generating *j, size_t i, ts_random *random)
{
    const ts_generator_def *def = j->def;
    const double radius = ts_grain_radius(j, i), slack = -TS_TOUCHING * radius;
    double *p = j->grain[i].position;
    if (def->region == TS_REGION_BOX) {
        double w = def->high[0] - def->low[0] - 2 * radius, h = def->high[1] - def->low[1] - 2 * radius;
        if (w < slack || h < slack)
            return false;
        p[0] = def->low[0] + radius + fmax(w, 0) * ts_random_next_uniform(random);
        p[1] = def->low[1] + radius + fmax(h, 0) * ts_random_next_uniform(random);
        return true;
    }
    double room = def->radius - radius;
    if (room < slack)
        return false;
    room = fmax(room, 0);
    double u, v;
    do { /* π/4 of the tries succeed */
        u = ts_random_next_range(random, -1, 1);
        v = ts_random_next_range(random, -1, 1);
    } while (u * u + v * v > 1);
    p[0] = def->position[0] + room * u;
    p[1] = def->position[1] + room * v;
    return true;
}

/* ---- Along a line ---- */

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
static bool may_stand(const ts_generating *j, size_t i)
{
    const ts_body_def *grain = &j->grain[i];
    double radius = ts_grain_radius(j, i);
    if (!j->def->fixed)
        return room_for(j, i, shapes_overlap, INT32_MAX);
    blocked b = {{grain->position[0], grain->position[1], radius, 0, (int32_t)j->first_body}, j->c->model->body};
    return !ts_occupancy_find(&j->c->occupied, ts_grain_position(j, i), radius, in_the_way, &b);
}

/* What grain i, which may not stand where it is, lies in deepest. */
static ts_status fail_to_stand(const ts_generating *j, size_t i)
{
    const ts_body_def *grain = &j->grain[i];
    const ts_occupancy *there = &j->c->occupied;
    ts_placed_shape own, other;
    double radius = ts_grain_radius(j, i), deepest = -HUGE_VAL;
    int32_t which = 0;
    const char *what = "body";
    placed_body(j, j->first_body + i, &own);
    for (size_t k = 0; k < there->disc.count; k++) {
        const ts_occupant *near = &there->disc.item[k];
        const double dx = near->centre.x - grain->position[0], dy = near->centre.y - grain->position[1];
        double depth = radius + near->radius - hypot(dx, dy);
        if (j->def->fixed && ((size_t)near->owner >= j->first_body || !(j->c->model->body[near->owner].inv_mass > 0)))
            continue;
        if (depth > deepest && placed_body(j, (size_t)near->owner, &other) &&
            (own.shape->outline || other.shape->outline) && !j->def->fixed)
            depth = ts_placed_overlap(&own, &other, &(ts_vec2){0});
        if (depth > deepest) {
            deepest = depth;
            which = near->owner;
        }
    }
    for (size_t k = 0; k < j->c->wall_count && !j->def->fixed; k++) {
        double depth = beyond_wall(j, i, &j->c->wall[k]);
        if (depth > deepest) {
            deepest = depth;
            which = j->c->wall[k].source;
            what = "wall";
        }
    }
    return FAIL(j,
                "generator: grain %zu of its line, body %zu at (%g, %g), overlaps %s %d by %g m; move the line, widen "
                "the spacing or make the grains smaller",
                i, j->first_body + i, grain->position[0], grain->position[1], what, which, deepest);
}

static ts_status fill_line(ts_generating *j)
{
    const ts_contour *line = &j->def->line;
    double pitch = ts_generator_line_length(line) / (double)j->count,
           across = j->def->jitter * ts_generator_mean_diameter(j);
    ts_random random = ts_generator_stream(j, TS_STREAM_POSITION);
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
        ts_body_def *grain = &j->grain[i];
        grain->position[0] = point.x - away * along.y;
        grain->position[1] = point.y + away * along.x;
        if (j->def->angle_along)
            grain->angle = atan2(along.y, along.x);
        if (!may_stand(j, i))
            return fail_to_stand(j, i);
        TS_TRY(ts_grain_occupy(j, i));
    }
    return TS_OK;
}

/* ---- The row ---- */

static void turn(ts_random *random, ts_body_def *grain)
{
    grain->angle = ts_random_next_range(random, 0, 2 * TS_PI);
}

const ts_filling ts_filling_plane = {.stream_first = (uint64_t)1 << 40, /* apart from those that others number from 0 */
                                     .stream_step = TS_STREAM_COUNT,
                                     .stream_number = {0, 1, 2, 3, 4},
                                     /* At a packing fraction of 0.5 one try in some thousand succeeds; above 0.547 no
                                      * further disc of the same size fits (random sequential adsorption). */
                                     .tries_max = 20000,
                                     .large_first = true,
                                     .line = fill_line,
                                     TS_FILLING_FUNCTIONS};
