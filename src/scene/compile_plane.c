/* SPDX-License-Identifier: MIT */
/* Bodies and walls of the plane, from a scene to a model (scene/compile.h). Bodies of the scene are checked against
 * everything placed before them as they are placed, so that no pass over all pairs follows. */
#include <math.h>
#include <string.h>

#include "contact/forms.h"
#include "cspace/exact.h"
#include "dynamics/dynamics.h"
#include "scene/compile.h"
#include "scene/generate.h"
#include "scene/overlap.h"
#include "scene/script.h"
#include "scene/wall.h"
#include "world.h"

/* Room for a map where the dynamics limits its error. */
#define FINE_MAP_BYTES 4000000

/* ---- Shapes and walls ---- */

static ts_vec3 gravity_of(const ts_scene *scene)
{
    return (ts_vec3){scene->settings.gravity[0], scene->settings.gravity[1], 0};
}

static ts_status make_shape(ts_compiler *c, const ts_scene_shape *from, ts_shape *to)
{
    to->area = from->mass.area;
    to->inertia = from->mass.inertia;
    to->radius = from->mass.radius;
    TS_TRY(ts_model_take(c->model, &to->disc, from->disc_count, c->error));
    to->disc_count = from->disc_count;
    memcpy(to->disc, from->disc, from->disc_count * sizeof *to->disc);
    to->inner = HUGE_VAL;
    for (size_t k = 0; k < to->disc_count; k++)
        to->inner = fmin(to->inner, to->disc[k].radius);
    if (!from->outline)
        return TS_OK;
    TS_TRY(ts_outline_place(from->outline, 1, 0, (double[2]){0, 0}, &to->outline, c->error));
    c->model->bytes += sizeof *to->outline + ts_outline_vertex_count(to->outline) * sizeof(ts_vertex) +
                       (to->outline->contour_count + 1) * sizeof(size_t) + ts_distance_bytes(to->outline->distance);
    return ts_exact_inner_radius(from->outline, &to->inner, c->error);
}

static ts_status make_wall(ts_compiler *c, size_t source)
{
    const ts_wall_def *def = &c->scene->wall.item[source].def;
    ts_wall *wall;
    TS_TRY(
        ts_compile_add_wall(c, source, (ts_pose3){{def->position[0], def->position[1], 0}, ts_quat_identity()}, &wall));
    if (def->kind == TS_WALL_POLYLINE || def->kind == TS_WALL_OUTLINE)
        return ts_wall_set_lines(c->scene, def, wall, &c->model->bytes, c->error);
    if (def->kind == TS_WALL_CIRCLE) {
        wall->radius = def->radius;
    } else {
        wall->nx = def->normal[0];
        wall->ny = def->normal[1];
    }
    return TS_OK;
}

static bool is_absent_at_start(double open, double close)
{
    return open <= 0 && close > 0;
}

/* The walls that are there when the run begins, where they are then. */
static ts_status place_walls(ts_compiler *c)
{
    TS_TRY(ts_new(&c->wall, c->model->wall_count + 1, c->error));
    for (size_t i = 0; i < c->model->wall_count; i++) {
        ts_wall wall = c->model->wall[i];
        if (is_absent_at_start(wall.open, wall.close))
            continue;
        if (wall.motion >= 0) {
            ts_vec3 *at = &wall.pose.position;
            ts_pose2 pose = ts_script_pose_at_start(&c->model->motion[wall.motion], (ts_pose2){at->x, at->y, 0}, NULL);
            ts_vec2 n = ts_vec2_rotate((ts_vec2){wall.nx, wall.ny}, pose.angle);
            *at = (ts_vec3){pose.x, pose.y, 0};
            wall.nx = n.x;
            wall.ny = n.y;
        }
        c->wall[c->wall_count++] = wall;
    }
    return TS_OK;
}

/* ---- Bodies ---- */

static ts_status take_bodies(ts_compiler *c)
{
    const size_t n = c->model->body_count;
    TS_TAKE(c, body, n);
    TS_TAKE(c, inv_inertia, n);
    TS_TAKE(c, body_scale, n);
    TS_TAKE(c, body_shape, n);
    return place_walls(c);
}

static ts_status choose(ts_compiler *c, size_t i, int32_t shape, double scale, ts_place place)
{
    (void)place; /* nothing is made that could fail */
    c->model->body_shape[i] = shape;
    c->model->body_scale[i] = scale;
    return TS_OK;
}

static double radius_of(const ts_compiler *c, size_t i)
{
    return c->model->shape[c->model->body_shape[i]].radius * c->model->body_scale[i];
}

static double volume_of(const ts_compiler *c, size_t i)
{
    return c->model->shape[c->model->body_shape[i]].area * c->model->body_scale[i] * c->model->body_scale[i];
}

static ts_status set_body(ts_compiler *c, size_t i, const ts_body_def *def, double density, ts_error *why)
{
    ts_model *m = c->model;
    const ts_shape *shape = &m->shape[def->shape];
    const double square = def->scale * def->scale, mass = density * shape->area * square,
                 inertia = density * shape->inertia * (square * square), radius = radius_of(c, i);
    if (!isnormal(mass) || !isnormal(inertia) || !isnormal(1 / mass) || !isnormal(1 / inertia) || !isnormal(radius))
        return ts_fail(why, TS_BAD_INPUT,
                       "its mass of %g kg or moment of inertia of %g kg·m² is too small or too large to compute with",
                       mass, inertia);
    m->mass[i] = mass;
    m->inv_inertia[i] = def->fixed ? 0 : 1 / inertia;
    m->body[i] = (ts_body){.x = def->position[0],
                           .y = def->position[1],
                           .angle = def->angle,
                           .radius = radius,
                           .vx = def->velocity[0],
                           .vy = def->velocity[1],
                           .spin = def->spin[2],
                           .inv_mass = def->fixed ? 0 : 1 / mass};
    return TS_OK;
}

static ts_placed_shape placed_at_start(const ts_compiler *c, size_t i)
{
    const ts_model *m = c->model;
    ts_pose2 pose = {m->body[i].x, m->body[i].y, m->body[i].angle};
    if (m->body_motion && m->body_motion[i] >= 0)
        pose = ts_script_pose_at_start(&m->motion[m->body_motion[i]], pose, NULL);
    return (ts_placed_shape){&m->shape[m->body_shape[i]], pose, m->body_scale[i]};
}

/* ---- Overlaps when the run begins ---- */

typedef struct overlap_probe {
    const ts_compiler *c;
    double x, y, radius;
    int32_t owner;
    bool fixed;
    double depth; /* of the overlap that was found, and where it is */
    ts_vec2 at;
    double most; /* that would have been taken [m] */
} overlap_probe;

/* What an overlap may be of the smaller radius when the run begins. */
static double overlap_max(const ts_compiler *c)
{
    return c->model->resolver->overlap_at_start;
}

/* For two of which at least one is an outline. */
static bool outlines_overlap(overlap_probe *p, int32_t other)
{
    ts_placed_shape a = placed_at_start(p->c, (size_t)p->owner), b = placed_at_start(p->c, (size_t)other);
    p->depth = ts_placed_overlap(&a, &b, &p->at);
    p->most = overlap_max(p->c) * fmin(ts_placed_size(&a), ts_placed_size(&b));
    return p->depth > p->most;
}

static bool overlaps(void *context, const ts_occupant *near)
{
    overlap_probe *p = context;
    const ts_model *m = p->c->model;
    if (near->owner == p->owner || (p->fixed && !(m->body[near->owner].inv_mass > 0)))
        return false;
    p->most = overlap_max(p->c) * fmin(p->radius, near->radius);
    double reach = p->radius + near->radius - p->most;
    double dx = near->centre.x - p->x, dy = near->centre.y - p->y;
    if (!(dx * dx + dy * dy < reach * reach))
        return false;
    if (m->shape[m->body_shape[p->owner]].outline || m->shape[m->body_shape[near->owner]].outline)
        return outlines_overlap(p, near->owner);
    double apart = hypot(dx, dy);
    p->depth = p->radius + near->radius - apart;
    /* the middle of the overlap */
    double share = apart > 0 ? (p->radius - 0.5 * p->depth) / apart : 0;
    p->at = (ts_vec2){p->x + share * dx, p->y + share * dy};
    return true;
}

static ts_status lies_beyond(const ts_compiler *c, size_t i, double x, double y, const ts_wall *wall, double depth)
{
    const ts_body_label body = ts_compile_label(c, i);
    const char *const before = wall->name ? " (\"" : "", *const name = wall->name ? wall->name : "",
                      *const after = wall->name ? "\")" : "";
    if (wall->kind == TS_WALL_POLYLINE)
        return ts_fail_at(c->error, TS_BAD_INPUT, body.place,
                          "%s at (%g, %g) lies across wall %d%s%.100s%s by %g m; move it to one side", body.text, x, y,
                          wall->source, before, name, after, depth);
    return ts_fail_at(c->error, TS_BAD_INPUT, body.place,
                      "%s at (%g, %g) lies %g m beyond wall %d%s%.100s%s; move it inside%s", body.text, x, y, depth,
                      wall->source, before, name, after,
                      wall->kind == TS_WALL_FLAT      ? ", or turn the wall's normal round"
                      : wall->kind == TS_WALL_OUTLINE ? ", or change which side the wall keeps"
                                                      : "");
}

/* Checks one disc of a body against what lies there and puts it there. */
static ts_status place_disc(ts_compiler *c, size_t i, ts_vec2 p, double radius)
{
    bool fixed = !(c->model->body[i].inv_mass > 0);
    overlap_probe probe = {.c = c, .x = p.x, .y = p.y, .radius = radius, .owner = (int32_t)i, .fixed = fixed};
    const ts_vec3 centre = {p.x, p.y, 0};
    const ts_occupant *other = ts_occupancy_find(&c->occupied, centre, radius, overlaps, &probe);
    if (other) {
        ts_body_label a = ts_compile_label(c, i), b = ts_compile_label(c, (size_t)other->owner);
        return ts_fail_at(c->error, TS_BAD_INPUT, a.place,
                          "%s overlaps %s by %g m near (%g, %g), more than the %g m (%.3g of the smaller radius) that "
                          "%s takes; move them apart",
                          a.text, b.text, probe.depth, probe.at.x, probe.at.y, probe.most, overlap_max(c),
                          c->model->dynamics->name);
    }
    for (size_t k = 0; k < c->wall_count && !fixed; k++) {
        double gap = ts_wall_distance(&c->wall[k], p.x, p.y, radius), size = radius;
        if (gap < -overlap_max(c) * radius && c->model->shape[c->model->body_shape[i]].outline) {
            ts_placed_shape body = placed_at_start(c, i);
            gap = -ts_placed_beyond(&body, &c->wall[k], &(ts_vec2){0});
            size = ts_placed_size(&body);
        }
        if (gap < -overlap_max(c) * size)
            return lies_beyond(c, i, p.x, p.y, &c->wall[k], -gap);
    }
    return ts_occupancy_add(&c->occupied, centre, radius, (int32_t)i, c->error);
}

/* Checks all discs of a body, as it stands when the run begins. */
static ts_status place_body(ts_compiler *c, size_t i)
{
    const ts_model *m = c->model;
    const ts_gate *gate = m->body_gate && m->body_gate[i] >= 0 ? &m->gate[m->body_gate[i]] : NULL;
    if (gate && is_absent_at_start(gate->open, gate->close))
        return TS_OK;
    const ts_placed_shape body = placed_at_start(c, i);
    for (size_t k = 0; k < body.shape->disc_count; k++) {
        const ts_disc *disc = &body.shape->disc[k];
        ts_vec2 p = ts_pose2_apply(body.pose, (ts_vec2){body.scale * disc->x, body.scale * disc->y});
        TS_TRY(place_disc(c, i, p, body.scale * disc->radius));
    }
    return TS_OK;
}

static ts_status check_start(ts_compiler *c)
{
    (void)c; /* bodies were checked as they were placed */
    return TS_OK;
}

/* ---- Parts ---- */

static ts_status make_parts(ts_compiler *c)
{
    ts_model *m = c->model;
    size_t count = 0;
    for (size_t i = 0; i < m->body_count; i++)
        count += m->shape[m->body_shape[i]].disc_count;
    if (count > TS_PARTS_MAX)
        return ts_fail(c->error, TS_BAD_INPUT, "the scene has %zu discs in all bodies together; lower it to %d", count,
                       TS_PARTS_MAX);
    m->part_count = count;
    m->parts_are_bodies = count == m->body_count; /* a body has at least one, and one alone is centred */
    if (m->parts_are_bodies)
        return TS_OK;
    TS_TAKE(c, part_begin, m->body_count + 1);
    TS_TAKE(c, part_body, count);
    TS_TAKE(c, part_x, count);
    TS_TAKE(c, part_y, count);
    TS_TAKE(c, part_radius, count);
    size_t at = 0;
    for (size_t i = 0; i < m->body_count; i++) {
        const ts_shape *shape = &m->shape[m->body_shape[i]];
        m->part_begin[i] = at;
        for (size_t k = 0; k < shape->disc_count; k++, at++) {
            m->part_body[at] = (int32_t)i;
            m->part_x[at] = shape->disc[k].x * m->body_scale[i];
            m->part_y[at] = shape->disc[k].y * m->body_scale[i];
            m->part_radius[at] = shape->disc[k].radius * m->body_scale[i];
        }
    }
    m->part_begin[m->body_count] = at;
    return TS_OK;
}

/* How good maps have to be, where the scene leaves that open. */
static ts_status wish_maps(ts_compiler *c)
{
    ts_model *m = c->model;
    ts_map_options *map = &m->map;
    *map = c->scene->map;
    if (!(m->map_error > 0) || m->places == TS_PLACES_FEATURES)
        return TS_OK;
    if (map->error > m->map_error)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->scene->dynamics_place,
                          "map: error is %g, and under \"%s\" bodies do not come to rest with more than %g; lower it, "
                          "leave it out, or set dynamics.places to \"features\"",
                          map->error, m->dynamics->name, m->map_error);
    if (map->bytes == 0) {
        map->bytes = FINE_MAP_BYTES;
        map->error = map->error > 0 ? map->error : m->map_error;
    }
    return TS_OK;
}

/* Parts, and what they look like to each other. */
static ts_status compile_parts(ts_compiler *c)
{
    ts_model *m = c->model;
    for (size_t i = 0; i < m->body_count; i++)
        m->has_outlines |= m->shape[m->body_shape[i]].outline != NULL;
    TS_TRY(wish_maps(c));
    TS_TRY(make_parts(c));
    TS_TRY(ts_forms_create(m, &m->forms, c->error));
    return ts_forms_give(m->forms, m, c->scene->given_map.item, c->scene->given_map.count, c->error);
}

const ts_compile_row ts_compile_plane = {.world = &ts_world_plane,
                                         /* where rounding of positions is no longer small against an overlap */
                                         .far = 1e9,
                                         TS_COMPILE_FUNCTIONS};
