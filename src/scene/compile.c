/* SPDX-License-Identifier: MIT */
/* A scene becomes a model in one pass from top to bottom of ts_model_compile:
 *
 *     shapes, materials, boundaries ─▶ drives ─▶ bodies ─▶ generators ─▶ parts ─▶ laws ─▶ time step ─▶ hash
 *
 * Bodies are checked against everything placed before them as they are placed, so that no pass over all pairs
 * follows. */
#include "scene/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/faces.h"
#include "contact/forms.h"
#include "cspace/exact.h"
#include "dynamics/dynamics.h"
#include "scene/body_ids.h"
#include "scene/compile_dynamics.h"
#include "scene/compile_space.h"
#include "scene/fingerprint.h"
#include "scene/generate.h"
#include "scene/overlap.h"
#include "scene/script.h"
#include "scene/springs.h"
#include "scene/wall.h"
#include "shape/hull.h"
#include "world.h"

/* Beyond this many radii from the origin, rounding of positions is no longer small against an overlap. */
#define DISTANCE_IN_RADII_MAX 1e9
typedef struct compiler {
    const ts_scene *scene;
    ts_model *m;
    ts_error *error;
    size_t *generator_begin; /* id of each generator's first body (generator count + 1) */
    ts_boundary *wall;       /* boundaries as they stand at time 0; `around` refers to it */
    ts_surroundings around;
} compiler;

void *ts_model_take(ts_model *model, size_t count, size_t size)
{
    void *block = ts_alloc(count ? count : 1, size);
    if (block)
        model->bytes += count * size;
    return block;
}

#define TAKE(c, field, count)                                                   \
    do {                                                                        \
        (c)->m->field = ts_model_take((c)->m, (count), sizeof *(c)->m->field);  \
        if (!(c)->m->field)                                                     \
            return ts_fail_memory((c)->error, (count) * sizeof *(c)->m->field); \
    } while (0)

ts_status ts_model_take_text(ts_model *model, const char *text, char **copy, ts_error *error)
{
    if (!text)
        return TS_OK;
    *copy = ts_model_take(model, strlen(text) + 1, 1);
    if (!*copy)
        return ts_fail_memory(error, strlen(text) + 1);
    memcpy(*copy, text, strlen(text));
    return TS_OK;
}

/* ---- Who is who in messages ---- */

static ts_body_label label_of(const compiler *c, size_t body)
{
    return ts_body_label_of(c->scene, c->generator_begin, body);
}

/* ---- Shapes, materials, boundaries ---- */

static ts_status take_outline(compiler *c, const ts_outline *from, ts_outline **copy)
{
    TS_TRY(ts_outline_place(from, 1, 0, (double[2]){0, 0}, copy, c->error));
    c->m->bytes += sizeof **copy + ts_outline_vertex_count(*copy) * sizeof(ts_vertex) +
                   ((*copy)->contour_count + 1) * sizeof(size_t) + ts_distance_bytes((*copy)->distance);
    return TS_OK;
}

static ts_status compile_shapes(compiler *c)
{
    size_t n = c->scene->shape.count;
    TAKE(c, shape, n);
    c->m->shape_count = n;
    for (size_t i = 0; i < n; i++) {
        const ts_scene_shape *from = &c->scene->shape.item[i];
        ts_shape *to = &c->m->shape[i];
        *to = (ts_shape){.area = from->mass.area, .inertia = from->mass.inertia, .radius = from->mass.radius};
        TS_TRY(ts_model_take_text(c->m, from->name, &to->name, c->error));
        TAKE(c, shape[i].disc, from->disc_count);
        to->disc_count = from->disc_count;
        memcpy(to->disc, from->disc, from->disc_count * sizeof *to->disc);
        to->inner = HUGE_VAL;
        for (size_t k = 0; k < to->disc_count; k++)
            to->inner = fmin(to->inner, to->disc[k].radius);
        if (from->outline) {
            TS_TRY(take_outline(c, from->outline, &to->outline));
            TS_TRY(ts_exact_inner_radius(from->outline, &to->inner, c->error));
        }
    }
    return TS_OK;
}

static ts_status compile_materials(compiler *c)
{
    size_t n = c->scene->material.count;
    TAKE(c, material_name, n);
    TAKE(c, density, n);
    TAKE(c, law, n * n);
    c->m->material_count = n;
    for (size_t i = 0; i < n; i++) {
        c->m->density[i] = ts_scene_material_of(c->scene, i).density;
        TS_TRY(ts_model_take_text(c->m, c->scene->material.item[i].name, &c->m->material_name[i], c->error));
    }
    return TS_OK;
}

static ts_status compile_boundaries(compiler *c)
{
    size_t n = c->scene->wall.count;
    TAKE(c, boundary, n);
    c->m->boundary_count = n;
    for (size_t i = 0; i < n; i++) {
        const ts_wall_def *def = &c->scene->wall.item[i].def;
        ts_boundary *b = &c->m->boundary[i];
        bool circle = def->kind == TS_BOUNDARY_CIRCLE;
        if (def->kind == TS_BOUNDARY_POLYLINE || def->kind == TS_BOUNDARY_OUTLINE) {
            TS_TRY(ts_wall_compile(c->scene, i, b, &c->m->bytes, c->error));
            TS_TRY(ts_model_take_text(c->m, def->name, &b->name, c->error));
            continue;
        }
        *b = (ts_boundary){.kind = def->kind,
                           .material = def->material,
                           .motion = -1,
                           .x = def->position[0],
                           .y = def->position[1],
                           .nx = circle ? 0 : def->normal[0],
                           .ny = circle ? 0 : def->normal[1],
                           .radius = circle ? def->radius : 0,
                           .open = HUGE_VAL,
                           .close = HUGE_VAL};
        TS_TRY(ts_model_take_text(c->m, def->name, &b->name, c->error));
    }
    TS_TRY(ts_faces_create(c->m, &c->m->faces, c->error));
    c->m->bytes += c->m->faces ? c->m->faces->bytes : 0;
    return TS_OK;
}

static ts_pose2 pose_at_start(const compiler *c, size_t i)
{
    const ts_body *b = &c->m->body[i];
    ts_pose2 rest = {b->x, b->y, b->angle};
    if (!c->m->body_motion || c->m->body_motion[i] < 0)
        return rest;
    return ts_script_pose_at_start(&c->m->motion[c->m->body_motion[i]], rest, NULL);
}

static bool is_absent_at_start(double open, double close)
{
    return open <= 0 && close > 0;
}

/* The boundaries that are there when the run begins, where they are then. */
static ts_status place_walls(compiler *c)
{
    c->wall = ts_alloc(c->m->boundary_count + 1, sizeof *c->wall);
    if (!c->wall)
        return ts_fail_memory(c->error, (c->m->boundary_count + 1) * sizeof *c->wall);
    for (size_t i = 0; i < c->m->boundary_count; i++) {
        ts_boundary b = c->m->boundary[i];
        if (is_absent_at_start(b.open, b.close))
            continue;
        if (b.motion >= 0) {
            ts_pose2 pose = ts_script_pose_at_start(&c->m->motion[b.motion], (ts_pose2){b.x, b.y, 0}, NULL);
            ts_vec2 n = ts_vec2_rotate((ts_vec2){b.nx, b.ny}, pose.angle);
            b.x = pose.x;
            b.y = pose.y;
            b.nx = n.x;
            b.ny = n.y;
        }
        b.motion = (int32_t)i; /* here: which boundary it is */
        c->wall[c->around.boundary_count++] = b;
    }
    c->around.boundary = c->wall;
    return TS_OK;
}

static ts_placed placed_at_start(const compiler *c, size_t i)
{
    return (ts_placed){&c->m->shape[c->m->body_shape[i]], pose_at_start(c, i), c->m->body_scale[i]};
}

typedef struct overlap_probe {
    const compiler *c;
    double x, y, radius;
    int32_t owner;
    bool fixed;
    double depth; /* of the overlap that was found, and where it is */
    ts_vec2 at;
} overlap_probe;

/* What an overlap may be of the smaller radius when the run begins. */
static double overlap_max(const compiler *c)
{
    return c->m->resolver->overlap_at_start;
}

/* For two of which at least one is an outline. */
static bool outlines_overlap(overlap_probe *p, int32_t other)
{
    ts_placed a = placed_at_start(p->c, (size_t)p->owner), b = placed_at_start(p->c, (size_t)other);
    p->depth = ts_placed_overlap(&a, &b, &p->at);
    return p->depth > overlap_max(p->c) * fmin(ts_placed_size(&a), ts_placed_size(&b));
}

static bool overlaps(void *context, const ts_occupant *near)
{
    overlap_probe *p = context;
    const ts_model *m = p->c->m;
    if (near->owner == p->owner || (p->fixed && !(m->body[near->owner].inv_mass > 0)))
        return false;
    double reach = p->radius + near->radius - overlap_max(p->c) * fmin(p->radius, near->radius);
    double dx = near->x - p->x, dy = near->y - p->y;
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

/* Checks one disc of a body against what lies there and puts it there. */
static ts_status place_disc(compiler *c, size_t i, double x, double y, double radius)
{
    bool fixed = !(c->m->body[i].inv_mass > 0);
    overlap_probe probe = {.c = c, .x = x, .y = y, .radius = radius, .owner = (int32_t)i, .fixed = fixed};
    const ts_occupant *other = ts_occupancy_find(&c->around.occupied, x, y, radius, overlaps, &probe);
    if (other) {
        ts_body_label a = label_of(c, i), b = label_of(c, (size_t)other->owner);
        return ts_fail_at(c->error, TS_BAD_INPUT, a.place,
                          "%s overlaps %s by %g m near (%g, %g), more than the %g of the smaller radius that %s takes; "
                          "move them apart",
                          a.text, b.text, probe.depth, probe.at.x, probe.at.y, overlap_max(c), c->m->dynamics->name);
    }
    for (size_t k = 0; k < c->around.boundary_count && !fixed; k++) {
        const ts_boundary *wall = &c->wall[k];
        double gap = ts_boundary_gap(wall, x, y, radius), size = radius;
        if (gap < -overlap_max(c) * radius && c->m->shape[c->m->body_shape[i]].outline) {
            ts_placed body = placed_at_start(c, i);
            gap = -ts_placed_beyond(&body, wall, &(ts_vec2){0});
            size = ts_placed_size(&body);
        }
        if (!(gap < -overlap_max(c) * size))
            continue;
        ts_body_label a = label_of(c, i);
        if (wall->kind == TS_BOUNDARY_POLYLINE)
            return ts_fail_at(c->error, TS_BAD_INPUT, a.place,
                              "%s at (%g, %g) lies across wall %d%s%.100s%s by %g m; move it to one side", a.text, x, y,
                              wall->motion, wall->name ? " (\"" : "", wall->name ? wall->name : "",
                              wall->name ? "\")" : "", -gap);
        return ts_fail_at(c->error, TS_BAD_INPUT, a.place,
                          "%s at (%g, %g) lies %g m beyond wall %d%s%.100s%s; move it inside%s", a.text, x, y, -gap,
                          wall->motion, wall->name ? " (\"" : "", wall->name ? wall->name : "", wall->name ? "\")" : "",
                          wall->kind == TS_BOUNDARY_HALF_PLANE ? ", or turn the wall's normal round"
                          : wall->kind == TS_BOUNDARY_OUTLINE  ? ", or change which side the wall keeps"
                                                               : "");
    }
    return ts_occupancy_add(&c->around.occupied, x, y, radius, (int32_t)i, c->error);
}

/* Checks all discs of a body, as it stands when the run begins. */
static ts_status place_body(compiler *c, size_t i)
{
    const ts_gate *gate = c->m->body_gate && c->m->body_gate[i] >= 0 ? &c->m->gate[c->m->body_gate[i]] : NULL;
    if (gate && is_absent_at_start(gate->open, gate->close))
        return TS_OK;
    const ts_shape *shape = &c->m->shape[c->m->body_shape[i]];
    ts_pose2 pose = pose_at_start(c, i);
    double scale = c->m->body_scale[i];
    for (size_t k = 0; k < shape->disc_count; k++) {
        ts_vec2 p = ts_pose2_apply(pose, (ts_vec2){scale * shape->disc[k].x, scale * shape->disc[k].y});
        TS_TRY(place_disc(c, i, p.x, p.y, scale * shape->disc[k].radius));
    }
    return TS_OK;
}

/* Fills body i of the model; `at` has its pose and velocity. */
static ts_status set_body(compiler *c, size_t i, const ts_grain *at, double spin, bool fixed)
{
    ts_model *m = c->m;
    const ts_shape *shape = &m->shape[at->shape];
    m->body_shape[i] = at->shape;
    m->body_material[i] = (uint8_t)at->material;
    m->body_scale[i] = at->scale;
    const double square = at->scale * at->scale, density = m->density[at->material];
    const double mass = density * shape->area * square, inertia = density * shape->inertia * (square * square),
                 radius = shape->radius * at->scale;
    m->mass[i] = mass;
    bool good = isnormal(mass) && isnormal(inertia) && isnormal(1 / mass) && isnormal(1 / inertia) && isnormal(radius);
    if (!good) {
        ts_body_label label = label_of(c, i);
        return ts_fail_at(
            c->error, TS_BAD_INPUT, label.place,
            "%s has a mass of %g kg and a moment of inertia of %g kg·m², too small or too large to compute "
            "with; change its size or density",
            label.text, mass, inertia);
    }
    if (fmax(fabs(at->x), fabs(at->y)) > DISTANCE_IN_RADII_MAX * radius) {
        ts_body_label label = label_of(c, i);
        return ts_fail_at(
            c->error, TS_BAD_INPUT, label.place,
            "%s at (%g, %g) is more than %g of its radii from the origin, where positions are too coarse; move "
            "the scene nearer",
            label.text, at->x, at->y, DISTANCE_IN_RADII_MAX);
    }
    m->body[i] = (ts_body){at->x, at->y, at->angle, radius, at->vx, at->vy, spin, fixed ? 0 : 1 / mass};
    m->inv_inertia[i] = fixed ? 0 : 1 / inertia;
    return TS_OK;
}

static ts_status take_bodies(compiler *c)
{
    size_t n = c->m->body_count;
    TAKE(c, body, n);
    c->around.model = c->m;
    TAKE(c, mass, n);
    TAKE(c, inv_inertia, n);
    TAKE(c, body_scale, n);
    TAKE(c, body_shape, n);
    TAKE(c, body_material, n);
    return TS_OK;
}

static ts_status compile_bodies(compiler *c)
{
    size_t n = c->scene->body.count;
    for (size_t i = 0; i < n; i++) {
        const ts_body_def *def = &c->scene->body.item[i].def;
        ts_grain at = {.x = def->position[0],
                       .y = def->position[1],
                       .angle = def->angle,
                       .vx = def->velocity[0],
                       .vy = def->velocity[1],
                       .scale = def->scale,
                       .shape = def->shape,
                       .material = def->material};
        TS_TRY(set_body(c, i, &at, def->spin[2], def->fixed));
    }
    /* large ones first, by octaves of size: that keeps searches short (scene/occupancy.h) */
    int high = INT32_MIN, next;
    for (size_t i = 0; i < n; i++) {
        int level = ts_occupancy_level_of(c->m->body[i].radius);
        high = level > high ? level : high;
    }
    for (int level = high; n > 0 && level != INT32_MIN; level = next) {
        next = INT32_MIN;
        for (size_t i = 0; i < n; i++) {
            int own = ts_occupancy_level_of(c->m->body[i].radius);
            if (own == level)
                TS_TRY(place_body(c, i));
            else if (own < level && own > next)
                next = own;
        }
    }
    return TS_OK;
}

static ts_status compile_generator(compiler *c, size_t g, ts_grain *grain)
{
    size_t begin = c->generator_begin[g], count = c->generator_begin[g + 1] - begin;
    bool fixed = c->scene->generator.item[g].def.fixed;
    TS_TRY(ts_generate(c->scene, g, &c->around, (int32_t)begin, grain, count, c->error));
    for (size_t i = 0; i < count; i++)
        TS_TRY(set_body(c, begin + i, &grain[i], 0, fixed));
    return TS_OK;
}

static ts_status compile_generators(compiler *c)
{
    size_t most = 0;
    for (size_t g = 0; g < c->scene->generator.count; g++) {
        size_t count = c->generator_begin[g + 1] - c->generator_begin[g];
        most = count > most ? count : most;
    }
    if (most == 0)
        return TS_OK;
    ts_grain *grain = ts_alloc(most, sizeof *grain);
    if (!grain)
        return ts_fail_memory(c->error, most * sizeof *grain);
    ts_status status = TS_OK;
    for (size_t g = 0; g < c->scene->generator.count && status == TS_OK; g++)
        status = compile_generator(c, g, grain);
    ts_free(grain);
    return status;
}

static ts_status compile_parts(compiler *c)
{
    ts_model *m = c->m;
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
    TAKE(c, part_begin, m->body_count + 1);
    TAKE(c, part_body, count);
    TAKE(c, part_x, count);
    TAKE(c, part_y, count);
    TAKE(c, part_radius, count);
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

static void fingerprint(compiler *c)
{
    ts_fingerprint fingerprint = ts_fingerprint_of(c->m);
    c->m->hash = ts_fingerprint_hash(&fingerprint);
}

static ts_status compile_space(compiler *c)
{
    TS_TRY(compile_materials(c));
    TS_TRY(ts_compile_dynamics(c->scene, c->m, c->error));
    TS_TRY(ts_space_compile(c->scene, c->m, c->error));
    fingerprint(c);
    return TS_OK;
}

static ts_status compile(compiler *c)
{
    if (c->scene->is_space)
        return compile_space(c);
    TS_TRY(ts_body_ids(c->scene, &c->generator_begin, &c->m->body_count, c->error));
    TS_TRY(compile_shapes(c));
    TS_TRY(compile_materials(c));
    TS_TRY(compile_boundaries(c));
    TS_TRY(ts_compile_dynamics(c->scene, c->m, c->error));
    TS_TRY(ts_script_compile(c->scene, c->generator_begin, c->m, c->error));
    TS_TRY(place_walls(c));
    TS_TRY(take_bodies(c));
    TS_TRY(compile_bodies(c));
    TS_TRY(compile_generators(c));
    for (size_t i = 0; i < c->m->body_count; i++)
        c->m->has_outlines |= c->m->shape[c->m->body_shape[i]].outline != NULL;
    c->m->map = c->scene->map;
    ts_script_pivots(c->scene, c->generator_begin, c->m);
    TS_TRY(ts_springs_compile(c->scene, c->m, c->error));
    TS_TRY(compile_parts(c));
    TS_TRY(ts_forms_create(c->m, &c->m->forms, c->error));
    TS_TRY(ts_forms_give(c->m->forms, c->m, c->scene->given_map.item, c->scene->given_map.count, c->error));
    TS_TRY(ts_compile_times(c->scene, c->generator_begin, c->m, c->error));
    fingerprint(c);
    return TS_OK;
}

ts_status ts_model_compile(const ts_scene *scene, ts_model **model, ts_error *error)
{
    if (!scene || !model)
        return ts_fail(error, TS_BAD_INPUT, "model: scene or the address for the model is NULL; pass both");
    ts_model *m = ts_alloc(1, sizeof *m);
    if (!m)
        return ts_fail_memory(error, sizeof *m);
    m->bytes = sizeof *m;
    m->settings = scene->settings;
    m->world = scene->is_space ? &ts_world_space : &ts_world_plane;
    m->dimension = m->world->dimension;
    m->gravity = (ts_vec3){scene->settings.gravity[0], scene->settings.gravity[1], 0};
    compiler c = {.scene = scene, .m = m, .error = error};
    ts_status status = compile(&c);
    ts_free(c.generator_begin);
    ts_free(c.wall);
    ts_occupancy_free(&c.around.occupied);
    if (status != TS_OK) {
        ts_model_free(m);
        return status;
    }
    *model = m;
    return TS_OK;
}

void ts_model_free(ts_model *model)
{
    if (!model)
        return;
    for (size_t i = 0; model->shape && i < model->shape_count; i++) {
        ts_free(model->shape[i].name);
        ts_free(model->shape[i].disc);
        ts_outline_free(model->shape[i].outline);
    }
    for (size_t i = 0; model->material_name && i < model->material_count; i++)
        ts_free(model->material_name[i]);
    for (size_t i = 0; model->boundary && i < model->boundary_count; i++) {
        ts_free(model->boundary[i].name);
        ts_wall_free(&model->boundary[i]);
    }
    ts_faces_free(model->faces);
    ts_forms_free(model->forms);
    for (size_t i = 0; i < model->note_count; i++)
        ts_free(model->note[i].text);
    for (size_t i = 0; i < model->wall_count; i++)
        ts_free(model->wall[i].name);
    for (size_t i = 0; i < model->hull_count; i++)
        ts_hull_free(model->hull[i]);
    for (size_t i = 0; i < model->mesh_count; i++)
        ts_body_mesh_free(&model->mesh[i]);
    for (size_t i = 0; model->motion && i < model->motion_count; i++)
        ts_free(model->motion[i].key);
    void *block[] = {
        model->body3,      model->mass,          model->inertia,       model->body_form,   model->part_owner,
        model->part_piece, model->note,          model->form,          model->piece,       model->hull,
        model->mesh,       model->wall,          model->spring,        model->body,        model->inv_inertia,
        model->body_scale, model->body_shape,    model->body_material, model->body_motion, model->body_gate,
        model->part_begin, model->part_body,     model->part_x,        model->part_y,      model->part_radius,
        model->shape,      model->boundary,      model->motion,        model->gate,        model->law,
        model->density,    model->material_name, model->param};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        ts_free(block[i]);
    ts_free(model);
}
