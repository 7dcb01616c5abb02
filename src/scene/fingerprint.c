/* SPDX-License-Identifier: MIT */
#include "scene/fingerprint.h"

#include <string.h>

#include "base/hash.h"
#include "contact/forms.h"
#include "dynamics/dynamics.h"
#include "model.h"
#include "touchstone/manifold.h"

/* Values go in one by one, so that no padding is hashed. */
static void add_double(ts_hash_stream *s, double value)
{
    ts_hash_add(s, &value, sizeof value);
}

static void add_int(ts_hash_stream *s, int64_t value)
{
    ts_hash_add(s, &value, sizeof value);
}

static void hash_outline(ts_hash_stream *s, const ts_outline *outline)
{
    size_t count = ts_outline_contour_count(outline);
    add_int(s, (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        ts_contour contour = ts_outline_get_contour(outline, i);
        add_int(s, (int64_t)contour.vertex_count);
        for (size_t k = 0; k < contour.vertex_count; k++) {
            double value[3] = {contour.vertex[k].x, contour.vertex[k].y, contour.vertex[k].bulge};
            ts_hash_add(s, value, sizeof value);
        }
    }
}

/* Of maps whatever an answer may depend on. Only scenes with bodies that are outlines have any. */
static void hash_map(ts_hash_stream *s, const ts_map_options *map)
{
    const double number[] = {map->error, map->smoothing, map->seconds};
    const int64_t whole[] = {
        map->kind,  (int64_t)map->bytes, map->no_folding,       map->grid,         map->refine, map->depth,
        map->width, map->encoding,       (int64_t)map->samples, (int64_t)map->seed};
    ts_hash_add(s, number, sizeof number);
    ts_hash_add(s, whole, sizeof whole);
}

static void hash_shapes(ts_hash_stream *s, const ts_model *m)
{
    for (size_t i = 0; i < m->shape_count; i++) {
        add_int(s, (int64_t)m->shape[i].disc_count);
        for (size_t k = 0; k < m->shape[i].disc_count; k++) {
            const ts_disc *disc = &m->shape[i].disc[k];
            double value[3] = {disc->x, disc->y, disc->radius};
            ts_hash_add(s, value, sizeof value);
        }
        if (m->shape[i].outline) /* shapes of discs alone hash as they always did */
            hash_outline(s, m->shape[i].outline);
    }
    if (m->has_outlines)
        hash_map(s, &m->map);
    for (size_t i = TS_MAP_FIRST; m->forms && i < m->forms->map_count; i++)
        if (m->forms->map[i].file) { /* scenes that bring no maps along hash as they always did */
            add_int(s, (int64_t)i);
            add_int(s, (int64_t)m->forms->map[i].file_hash);
        }
}

static void hash_walls(ts_hash_stream *s, const ts_model *m)
{
    for (size_t i = 0; i < m->wall_count; i++) {
        const ts_wall *b = &m->wall[i];
        bool circle = b->kind == TS_WALL_CIRCLE;
        add_int(s, b->kind);
        add_int(s, b->material);
        double value[5] = {b->pose.position.x, b->pose.position.y, circle ? b->radius : 0, circle ? 0 : b->nx,
                           circle ? 0 : b->ny};
        ts_hash_add(s, value, sizeof value);
        for (size_t k = 0; k < b->line_count; k++) {
            add_int(s, (int64_t)b->line[k].vertex_count);
            add_int(s, b->line[k].open);
            ts_hash_add(s, b->line[k].vertex, b->line[k].vertex_count * sizeof *b->line[k].vertex);
        }
    }
}

static void hash_vector(ts_hash_stream *s, ts_vec3 v)
{
    const double value[3] = {v.x, v.y, v.z};
    ts_hash_add(s, value, sizeof value);
}

/* Those of the plane hash as they did before space shared them; what else may be there follows. */
static void hash_motion(ts_hash_stream *s, const ts_motion *d)
{
    double value[] = {d->start,      d->end,         d->pivot.x,     d->pivot.y,         d->rate,      d->velocity.x,
                      d->velocity.y, d->amplitude.x, d->amplitude.y, d->angle_amplitude, d->frequency, d->phase};
    add_int(s, d->kind);
    ts_hash_add(s, value, sizeof value);
    add_int(s, (int64_t)d->key_count);
    for (size_t k = 0; k < d->key_count; k++) {
        double key[4] = {d->key[k].time, d->key[k].displacement[0], d->key[k].displacement[1], d->key[k].angle};
        ts_hash_add(s, key, sizeof key);
    }
}

static void hash_turn(ts_hash_stream *s, const ts_motion *d)
{
    if (d->axis.z < 0)
        hash_vector(s, d->axis);
}

static void hash_depth(ts_hash_stream *s, const ts_motion *d)
{
    hash_vector(s, d->axis);
    hash_vector(s, (ts_vec3){d->pivot.z, d->velocity.z, d->amplitude.z});
    for (size_t k = 0; k < d->key_count; k++)
        add_double(s, d->key[k].displacement[2]);
}

static void hash_wall_script(ts_hash_stream *s, const ts_wall *wall)
{
    add_int(s, wall->motion);
    add_double(s, wall->open);
    add_double(s, wall->close);
}

static void hash_springs(ts_hash_stream *s, const ts_model *m)
{
    for (size_t i = 0; i < m->spring_count; i++) {
        const ts_spring *spring = &m->spring[i];
        add_int(s, (int64_t)spring->kind << 32 ^ spring->a);
        add_int(s, spring->b);
        hash_vector(s, spring->anchor_a);
        hash_vector(s, spring->anchor_b);
        add_double(s, spring->stiffness);
        add_double(s, spring->rest);
    }
}

static void hash_bodies(ts_hash_stream *s, const ts_model *m)
{
    add_int(s, (int64_t)m->body_count);
    for (size_t i = 0; i < m->body_count; i++) {
        const ts_body *b = &m->body[i];
        double value[7] = {b->x, b->y, b->angle, b->vx, b->vy, b->spin, m->body_scale[i]};
        int32_t kind[3] = {m->body_shape[i], m->body_material[i], b->inv_mass > 0};
        ts_hash_add(s, value, sizeof value);
        ts_hash_add(s, kind, sizeof kind);
    }
    hash_springs(s, m);
}

static void hash_materials(ts_hash_stream *s, const ts_model *m)
{
    for (size_t i = 0; i < m->material_count; i++)
        add_double(s, m->density[i]);
    for (size_t i = 0; i < m->material_count * m->material_count; i++) {
        const ts_contact_law *l = &m->law[i];
        double value[8] = {l->kn, l->kt, l->inv_kt, l->cn, l->ct, l->cn_mass, l->ct_mass, l->friction};
        ts_hash_add(s, value, sizeof value);
    }
}

/* ---- The same of space ---- */

/* What contacts of a step read of it. */
static void hash_manifold(ts_hash_stream *s, const ts_manifold_options *options)
{
    if (!options)
        return;
    const ts_manifold_smoothing *m = &options->smoothing;
    const double number[] = {m->united, m->select, m->clip,  m->minimum, m->inside,
                             m->centre, m->sign,   m->depth, m->nearest, m->clash};
    ts_hash_add(s, number, sizeof number);
    const bool flag[] = {options->edges, options->hard, options->safeguard, options->published, options->everything};
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
        add_int(s, flag[i]);
    add_int(s, options->sides);
    add_int(s, options->project);
    for (int i = 0; i < 2; i++) {
        add_int(s, (int64_t)options->keep_vertices[i]);
        add_int(s, (int64_t)options->keep_edges[i]);
    }
}

static void hash_solid(ts_hash_stream *s, const ts_piece *piece)
{
    const ts_solid *solid = &piece->solid;
    const double number[] = {solid->radius,      solid->half_length,     solid->half.x,          solid->half.y,
                             solid->half.z,      piece->pose.position.x, piece->pose.position.y, piece->pose.position.z,
                             piece->pose.quat.w, piece->pose.quat.x,     piece->pose.quat.y,     piece->pose.quat.z};
    add_int(s, solid->kind);
    ts_hash_add(s, number, sizeof number);
    for (size_t i = 0; solid->hull && i < solid->hull->vertex_count; i++) {
        const ts_vec3 v = solid->hull->vertex[i];
        ts_hash_add(s, (double[3]){v.x, v.y, v.z}, 3 * sizeof(double));
    }
    if (solid->mesh) {
        add_int(s, (int64_t)ts_mesh_hash(solid->mesh));
        add_int(s, (int64_t)ts_mesh_field_hash(solid->field));
    }
    if (solid->smooth) {
        add_int(s, (int64_t)ts_sdf_body_hash(solid->smooth));
        hash_manifold(s, solid->manifold);
    }
}

static void hash_solids(ts_hash_stream *s, const ts_model *model)
{
    for (size_t i = 0; i < model->piece_count; i++)
        hash_solid(s, &model->piece[i]);
}

static void hash_bodies3(ts_hash_stream *s, const ts_model *model)
{
    ts_hash_add(s, model->body3, model->body_count * sizeof *model->body3);
    ts_hash_add(s, model->body_form, model->body_count * sizeof *model->body_form);
    ts_hash_add(s, model->body_material, model->body_count * sizeof *model->body_material);
    hash_springs(s, model);
}

static void hash_walls3(ts_hash_stream *s, const ts_model *model)
{
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall *wall = &model->wall[i];
        add_int(s, wall->material);
        add_int(s, (int64_t)wall->piece_begin);
        add_int(s, (int64_t)wall->piece_count);
        ts_hash_add(s, &wall->pose, sizeof wall->pose);
    }
}

/* ---- All parts ---- */

typedef void hasher(ts_hash_stream *s, const ts_model *m);

static uint64_t hash_part(const ts_model *m, ts_fingerprint_part part, hasher *add)
{
    ts_hash_stream s;
    ts_hash_begin(&s, (uint64_t)part);
    add(&s, m);
    return ts_hash_end(&s);
}

/* Parts that depend on the dimension: plane, space. */
static const struct {
    hasher *shapes, *bodies, *walls;
    void (*motion)(ts_hash_stream *s, const ts_motion *motion);
} by_dimension[] = {{hash_shapes, hash_bodies, hash_walls, hash_turn},
                    {hash_solids, hash_bodies3, hash_walls3, hash_depth}};

static void hash_drives(ts_hash_stream *s, const ts_model *m)
{
    add_int(s, (int64_t)m->motion_count);
    for (size_t i = 0; i < m->motion_count; i++) {
        hash_motion(s, &m->motion[i]);
        by_dimension[m->dimension - 2].motion(s, &m->motion[i]);
    }
    add_int(s, (int64_t)m->gate_count);
    for (size_t i = 0; i < m->gate_count; i++) {
        add_double(s, m->gate[i].open);
        add_double(s, m->gate[i].close);
    }
    for (size_t i = 0; i < m->wall_count; i++)
        hash_wall_script(s, &m->wall[i]);
    /* which of the two follow goes first: one body's motion must not pass for its gate */
    add_int(s, (m->body_motion != NULL) + 2 * (m->body_gate != NULL));
    if (m->body_motion)
        ts_hash_add(s, m->body_motion, m->body_count * sizeof *m->body_motion);
    if (m->body_gate)
        ts_hash_add(s, m->body_gate, m->body_count * sizeof *m->body_gate);
}

static uint64_t hash_dynamics(const ts_model *m)
{
    const ts_dynamics *d = m->dynamics;
    uint64_t hash = ts_hash(d->name, strlen(d->name), TS_FINGERPRINT_DYNAMICS);
    hash = ts_fields_hash(d->field, d->field_count, m->param, hash);
    if (d->hash)
        hash = d->hash(m, hash);
    return m->has_outlines ? ts_hash(&m->places, sizeof m->places, hash) : hash;
}

ts_fingerprint ts_fingerprint_of(const ts_model *m)
{
    const size_t row = (size_t)m->dimension - 2;
    ts_fingerprint f;
    f.part[TS_FINGERPRINT_SEED] = ts_hash(&m->settings.seed, sizeof m->settings.seed, TS_FINGERPRINT_SEED);
    f.part[TS_FINGERPRINT_GRAVITY] =
        ts_hash(&m->gravity, (size_t)m->dimension * sizeof(double), TS_FINGERPRINT_GRAVITY);
    f.part[TS_FINGERPRINT_SHAPES] = hash_part(m, TS_FINGERPRINT_SHAPES, by_dimension[row].shapes);
    f.part[TS_FINGERPRINT_BODIES] = hash_part(m, TS_FINGERPRINT_BODIES, by_dimension[row].bodies);
    f.part[TS_FINGERPRINT_WALLS] = hash_part(m, TS_FINGERPRINT_WALLS, by_dimension[row].walls);
    f.part[TS_FINGERPRINT_DRIVES] = hash_part(m, TS_FINGERPRINT_DRIVES, hash_drives);
    f.part[TS_FINGERPRINT_DYNAMICS] = hash_dynamics(m);
    f.part[TS_FINGERPRINT_MATERIALS] = hash_part(m, TS_FINGERPRINT_MATERIALS, hash_materials);
    f.part[TS_FINGERPRINT_TIME_STEP] =
        ts_hash(&m->settings.time_step, sizeof m->settings.time_step, TS_FINGERPRINT_TIME_STEP);
    f.part[TS_FINGERPRINT_SKIN] = ts_hash(&m->settings.skin, sizeof m->settings.skin, TS_FINGERPRINT_SKIN);
    return f;
}

uint64_t ts_fingerprint_hash(const ts_fingerprint *fingerprint)
{
    return ts_hash(fingerprint->part, sizeof fingerprint->part, 0);
}

const char *ts_fingerprint_difference(const ts_fingerprint *a, const ts_fingerprint *b)
{
    static const char *const name[TS_FINGERPRINT_PARTS] = {
        [TS_FINGERPRINT_SEED] = "the seed",           [TS_FINGERPRINT_GRAVITY] = "gravity",
        [TS_FINGERPRINT_SHAPES] = "the shapes",       [TS_FINGERPRINT_BODIES] = "the bodies",
        [TS_FINGERPRINT_WALLS] = "the walls",         [TS_FINGERPRINT_DRIVES] = "the drives",
        [TS_FINGERPRINT_DYNAMICS] = "the dynamics",   [TS_FINGERPRINT_MATERIALS] = "the materials",
        [TS_FINGERPRINT_TIME_STEP] = "the time step", [TS_FINGERPRINT_SKIN] = "the skin",
    };
    for (int i = 0; i < TS_FINGERPRINT_PARTS; i++)
        if (a->part[i] != b->part[i])
            return name[i];
    return NULL;
}
