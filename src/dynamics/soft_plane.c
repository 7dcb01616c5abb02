/* SPDX-License-Identifier: MIT */
/* Soft-step in the plane. See soft.h for the method, soft_plane.h for what the kernels work on. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "advance.h"
#include "base/kernel.h"
#include "base/memory.h"
#include "contact/faces.h"
#include "contact/featured.h"
#include "contact/find.h"
#include "contact/forms.h"
#include "dynamics/soft.h"
#include "dynamics/soft_colour.h"
#include "dynamics/soft_map.h"
#include "dynamics/soft_plane.h"
#include "dynamics/soft_plane_span.h"
#include "dynamics/soft_sleep.h"
#include "world.h"

TS_KERNEL_CHOOSER(ts_soft_kernels, ts_soft)

enum { LANES = TS_SOFT_LANES };
/* A place of a disc that was found: what will be its record in the state's history. */
typedef struct disc_place {
    ts_history record;
    size_t which; /* number of its candidate in the list of pairs, or of walls */
} disc_place;

typedef struct block_places {
    TS_ARRAY(disc_place) disc;
    ts_soft_mapped_array mapped;
    uint64_t queries;
    ts_status status;
} block_places;

/* What a chunk of groups reports when it is read. */
typedef struct row_report {
    uint64_t touching;
    double overlap; /* deepest [m] */
    int32_t body;   /* of that */
} row_report;

typedef struct memory {
    const ts_soft_kernels *kernels;
    size_t solid_count; /* bodies and walls, and one that stands still */
    ts_soft_velocity *velocity, *before, *unloaded;
    ts_soft_pose *pose;
    double *angle, *inv_mass, *inv_inertia;
    double *restitution; /* of each pair of materials */
    ts_body *saved;      /* bodies at the beginning of the step */
    block_places *block;
    size_t block_capacity;
    ts_colouring colours;
    TS_ARRAY(ts_soft_group) group;
    TS_ARRAY(ts_soft_form) form;
    TS_ARRAY(ts_soft_row) row;
    TS_ARRAY(ts_soft_sum) sum;
    TS_ARRAY(uint32_t) order;            /* the first pair of each group, in colours.order */
    TS_ARRAY(row_report) report;         /* of each chunk of groups */
    int32_t group_begin[TS_COLOURS + 1]; /* the first of each colour */
    bool bounces;
    uint64_t rows_of; /* state->places_mark of the state whose rows these are; 0: of none */
    ts_soft_sleep sleep;
    ts_soft_heat heat;
    double *speed; /* of the fastest point of each body, where bodies may sleep */
    double work;   /* of what is driven on bodies, of the step [J] */
    ts_soft_hold hold;
} memory;

/* ---- Memory ---- */

static void close_memory(void *own)
{
    memory *m = own;
    if (!m)
        return;
    void *plain[] = {m->velocity,    m->before,      m->unloaded, m->pose,  m->angle,     m->inv_mass,
                     m->inv_inertia, m->restitution, m->saved,    m->speed, m->heat.stamp};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        ts_free(plain[i]);
    for (size_t i = 0; i < m->block_capacity; i++)
        ts_array_free(&m->block[i].disc), ts_array_free(&m->block[i].mapped);
    ts_free(m->block);
    ts_colouring_free(&m->colours);
    ts_soft_sleep_close(&m->sleep);
    ts_soft_hold_free(&m->hold);
    ts_array_free(&m->order);
    ts_array_free(&m->report);
    ts_array_free(&m->group);
    ts_array_free(&m->form);
    ts_array_free(&m->row);
    ts_array_free(&m->sum);
    ts_free(m);
}

static ts_status open_memory(const ts_model *model, void **own, ts_error *error)
{
    memory *m = ts_alloc(1, sizeof *m);
    *own = m; /* closed with the workspace, whatever happens */
    if (!m)
        return ts_fail_memory(error, sizeof *m);
    /* as many as fill lanes: bodies are moved eight at a time */
    const size_t n = (model->body_count + model->wall_count + 1 + LANES - 1) / LANES * LANES;
    m->kernels = ts_soft_choose();
    m->solid_count = m->heat.count = n;
    TS_TRY(ts_new(&m->heat.stamp, n, error));
    TS_TRY(ts_new(&m->velocity, n, error));
    TS_TRY(ts_new(&m->before, n, error));
    TS_TRY(ts_new(&m->unloaded, n, error));
    TS_TRY(ts_new(&m->pose, n, error));
    TS_TRY(ts_new(&m->angle, n, error));
    TS_TRY(ts_new(&m->inv_mass, n, error));
    TS_TRY(ts_new(&m->inv_inertia, n, error));
    TS_TRY(ts_new(&m->saved, model->body_count, error));
    TS_TRY(ts_soft_sleep_open(&m->sleep, model, error));
    if (m->sleep.on)
        TS_TRY(ts_new(&m->speed, model->body_count, error));
    for (size_t i = 0; i < model->body_count; i++) {
        m->inv_mass[i] = model->body[i].inv_mass;
        m->inv_inertia[i] = model->inv_inertia[i];
    }
    return ts_soft_restitutions(model, &m->restitution, error);
}

static size_t memory_bytes(const void *own, const ts_model *model)
{
    const memory *m = own;
    size_t bytes = sizeof *m + m->solid_count * (3 * sizeof *m->velocity + sizeof *m->pose + 3 * sizeof *m->angle + 1) +
                   model->body_count * (sizeof *m->saved + (m->speed ? sizeof *m->speed : 0)) +
                   ts_soft_hold_bytes(&m->hold) + ts_soft_sleep_bytes(&m->sleep, model) +
                   m->block_capacity * sizeof *m->block + ts_colouring_bytes(&m->colours) +
                   m->order.capacity * sizeof *m->order.item + m->report.capacity * sizeof *m->report.item +
                   m->group.capacity * sizeof *m->group.item +
                   m->row.capacity * (sizeof *m->form.item + sizeof *m->row.item + sizeof *m->sum.item);
    for (size_t i = 0; i < m->block_capacity; i++)
        bytes += m->block[i].disc.capacity * sizeof *m->block[i].disc.item +
                 m->block[i].mapped.capacity * sizeof *m->block[i].mapped.item;
    return bytes;
}

/* ---- Bodies ---- */

static void load_walls(const ts_model *model, const ts_workspace *work)
{
    memory *m = work->own;
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_frame2 *f = &work->wall[i].frame;
        const size_t to = model->body_count + i;
        m->velocity[to] = (ts_soft_velocity){f->vx, f->vy, f->spin, 0};
        m->pose[to] = (ts_soft_pose){f->x, f->y, cos(f->angle), sin(f->angle)};
        m->angle[to] = f->angle;
    }
    m->pose[m->solid_count - 1].c = 1;
}

static void load_bodies(const ts_model *model, const ts_state *state, const ts_workspace *work)
{
    memory *m = work->own;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body *b = &state->body[i];
        m->velocity[i] = (ts_soft_velocity){b->vx, b->vy, b->spin, 0};
        m->pose[i] = (ts_soft_pose){b->x, b->y, cos(b->angle), sin(b->angle)};
        m->angle[i] = b->angle;
    }
}

static void store_bodies(const ts_model *model, ts_state *state, const memory *m)
{
    for (size_t i = 0; i < model->body_count; i++) {
        ts_body *b = &state->body[i];
        b->x = m->pose[i].x;
        b->y = m->pose[i].y;
        b->angle = m->angle[i];
        if (b->inv_mass > 0) {
            b->vx = m->velocity[i].x;
            b->vy = m->velocity[i].y;
            b->spin = m->velocity[i].spin;
        }
    }
}

/* ---- Finding ---- */

/* Places become records of the state's history, and rows follow from those alone (row_of): a run that goes on from a
 * checkpoint has the same ones. */

typedef struct finding {
    const ts_model *model;
    const ts_state *state;
    ts_workspace *work;
} finding;

typedef struct block_finding {
    const finding *f;
    block_places *to;
} block_finding;

static int32_t body_of_part(const ts_model *model, int64_t part)
{
    return model->parts_are_bodies ? (int32_t)part : model->part_body[part];
}

/* Of velocity[], pose[]: of the body that has a part, or of a wall, -1 - i. */
static int32_t solid_of(const ts_model *model, int64_t part)
{
    return part >= 0 ? body_of_part(model, part) : (int32_t)((int64_t)model->body_count - 1 - part);
}

/* What tells the faces of walls that a disc touches apart: 0 is all of a half-plane or of a circle. A polyline has two
 * sides. */
static uint64_t key_of_face(const finding *f, int32_t face, int32_t slot)
{
    const ts_faces *faces = f->model->faces;
    if (!faces || faces->face[face].kind == TS_FACE_WHOLE)
        return 0;
    const ts_wall_frame *w = &f->work->wall[faces->face[face].wall];
    const ts_frame2 *disc = &f->work->part[slot];
    const ts_vec2 at = ts_wall_local(w, disc->x - w->frame.x, disc->y - w->frame.y);
    double n[2];
    const bool behind = ts_face_height(faces, &faces->face[face], at.x, at.y, &n[0], &n[1]) < 0;
    return 2 + 2 * (uint64_t)face + (behind && w->kind == TS_WALL_POLYLINE);
}

/* Keeps the places of discs and of maps. Those of features are in records already. */
static void take(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    const block_finding *here = context;
    const finding *f = here->f;
    const ts_workspace *work = f->work;
    block_places *to = here->to;
    if (source->record)
        return;
    if (to->status == TS_OK && ts_soft_is_mapped(work, batch, source)) {
        to->status = ts_soft_map_places(f->state, work, batch, source, &to->mapped);
        return;
    }
    if (to->status == TS_OK)
        to->status = ts_array_reserve(&to->disc, to->disc.count + (size_t)batch->count, NULL);
    if (to->status != TS_OK)
        return;
    for (int k = 0; k < batch->count; k++) {
        const int32_t a = batch->a[k], b = batch->b[k];
        const ts_frame2 *frame = source->wall ? &work->wall_frame[a] : &work->part[a];
        if (batch->gap[k] > ts_reach_of(&work->reach, frame, &work->part[b], source->wall))
            continue;
        const size_t which = ts_batch_which(batch, source, k);
        disc_place p = {.record = {.a = source->wall ? -1 - (int64_t)a : work->pairs.part_of_slot[a],
                                   .b = work->pairs.part_of_slot[b],
                                   .key = source->wall ? key_of_face(f, work->pairs.wall[which].a, b) : 0},
                        .which = which};
        const double held = source->spring[batch->history[k]];
        if (held >= 1 && held <= (double)f->state->history.count)
            memcpy(p.record.value, f->state->history.item[(size_t)held - 1].value, sizeof p.record.value);
        to->disc.item[to->disc.count++] = p;
    }
}

static void find_block(void *context, int block, int thread)
{
    (void)thread;
    const finding *f = context;
    memory *m = f->work->own;
    block_finding here = {f, &m->block[block]};
    here.to->disc.count = here.to->mapped.count = 0;
    here.to->status = TS_OK;
    here.to->queries = ts_block_contacts(f->work, block, f->state->spring, f->state->wall_spring, take, &here);
}

/* Places by maps become the last records, and what belongs to them. */
static ts_status store_mapped(ts_state *state, const memory *m, size_t blocks, ts_error *error)
{
    state->found.count = 0;
    for (size_t i = 0; i < blocks; i++) {
        const ts_soft_mapped_array *from = &m->block[i].mapped;
        TS_TRY(ts_array_reserve(&state->history, state->history.count + from->count, error));
        TS_TRY(ts_array_reserve(&state->found, state->found.count + from->count, error));
        for (size_t k = 0; k < from->count; k++) {
            const ts_soft_mapped *p = &from->item[k];
            state->history.item[state->history.count++] = p->record;
            state->found.item[state->found.count++] = p->found;
            if (k == 0 || p[-1].which != p->which)
                state->spring[p->which] = (double)state->history.count;
        }
    }
    return TS_OK;
}

/* `time`: as in ts_soft_hold_choose; below 0 at a step's first finding. */
static ts_status find(const ts_model *model, ts_state *state, ts_workspace *work, double time, ts_error *error)
{
    const finding f = {model, state, work};
    memory *m = work->own;
    const size_t blocks = (size_t)work->pairs.block_count;
    if (blocks > m->block_capacity) {
        block_places *grown = ts_realloc(m->block, m->block_capacity * sizeof *grown, blocks * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, blocks * sizeof *grown);
        memset(grown + m->block_capacity, 0, (blocks - m->block_capacity) * sizeof *grown);
        m->block = grown;
        m->block_capacity = blocks;
    }
    if (work->featured)
        ts_featured_begin(work, &state->history);
    TS_TRY(ts_soft_hold_choose(&m->hold, state, work, m->sleep.asleep > 0, time, error));
    ts_pool_run(work->pool, (int)blocks, find_block, (void *)&f);
    work->held = work->wall_held = NULL;
    TS_TRY(ts_featured_status(work, error));
    if (work->featured)
        TS_TRY(ts_featured_end(work, state, error));
    else
        state->history.count = 0;
    for (size_t i = 0; i < blocks; i++) {
        const block_places *from = &m->block[i];
        work->query_sum += from->queries;
        if (from->status != TS_OK)
            return ts_fail_memory(error, from->disc.count * sizeof *from->disc.item +
                                             from->mapped.count * sizeof *from->mapped.item);
        TS_TRY(ts_array_reserve(&state->history, state->history.count + from->disc.count, error));
        for (size_t k = 0; k < from->disc.count; k++) {
            const disc_place *p = &from->disc.item[k];
            state->history.item[state->history.count++] = p->record;
            (p->record.a < 0 ? state->wall_spring : state->spring)[p->which] = (double)state->history.count;
        }
    }
    return store_mapped(state, m, blocks, error);
}

/* ---- Rows ---- */

/* A row in its bodies' frames. */
typedef struct form {
    double ax, ay, bx, by, nx, ny, ra, rb, kind, mx, my, cone_a, cone_b; /* ts_soft_form */
    bool points;                                                         /* two of them, with cones */
} form;

/* A shape's own frame in that of the body, or of the wall, that has it. */
typedef struct mount {
    double x, y, c, s;
    int32_t solid; /* of velocity[], pose[] */
} mount;

static mount mount_of(const ts_model *model, int64_t part)
{
    mount on = {0, 0, 1, 0, solid_of(model, part)};
    if (part >= 0) {
        on.x = model->parts_are_bodies ? 0 : model->part_x[part];
        on.y = model->parts_are_bodies ? 0 : model->part_y[part];
        return on;
    }
    const ts_wall *w = &model->wall[-1 - part];
    if (w->kind == TS_WALL_FLAT) /* its own frame has the normal along y */
        on.c = w->ny, on.s = -w->nx;
    return on;
}

static void set_point(const mount *on, double x, double y, double *to_x, double *to_y)
{
    *to_x = on->x + on->c * x - on->s * y;
    *to_y = on->y + on->s * x + on->c * y;
}

static void set_normal(const mount *on, double x, double y, form *f)
{
    f->nx = on->c * x - on->s * y;
    f->ny = on->s * x + on->c * y;
}

/* Of a part, or of a wall: -1 - i. */
static const ts_features *features_of(const ts_model *model, int64_t part)
{
    const ts_forms *forms = model->forms;
    if (!forms || !forms->features)
        return NULL;
    return part < 0 ? forms->wall_features[-1 - part] : forms->features[forms->of_part[part]];
}

static double part_radius(const ts_model *model, int64_t part)
{
    return model->parts_are_bodies ? model->body[part].radius : model->part_radius[part];
}

/* Out of its cone by so much, a corner still counts: there an edge beside it has about the same gap [rad]. */
#define CONE_SLACK 0.3

static double cone_of(const ts_feature_point *point)
{
    return point->radius > 0 || point->cosine < -1 ? -2 : cos(fmin(acos(fmin(point->cosine, 1)) + CONE_SLACK, TS_PI));
}

/* Two features: a point on an edge, or two points one of which is round. */
static form form_of_features(uint64_t key, const ts_features *a, const ts_features *b, const mount *on_a,
                             const mount *on_b)
{
    const unsigned side = ts_feature_side(key);
    form f = {.kind = TS_SOFT_ROUND};
    if (side == TS_SIDE_POINT_B) {
        const ts_feature_edge *edge = &a->edge[ts_feature_a(key)];
        set_point(on_a, edge->x, edge->y, &f.ax, &f.ay);
        set_normal(on_a, edge->nx, edge->ny, &f);
        f.ra = -edge->radius;
        f.kind = edge->radius > 0 ? TS_SOFT_HOLLOW : TS_SOFT_LINE_OF_A;
    } else {
        const ts_feature_point *point = &a->point[ts_feature_a(key)];
        set_point(on_a, point->x, point->y, &f.ax, &f.ay);
        f.ra = point->radius;
    }
    if (side == TS_SIDE_POINT_A) {
        const ts_feature_edge *edge = &b->edge[ts_feature_b(key)];
        set_point(on_b, edge->x, edge->y, &f.bx, &f.by);
        set_normal(on_b, -edge->nx, -edge->ny, &f); /* out of B's solid: n is from A to B */
        f.rb = -edge->radius;
        f.kind = edge->radius > 0 ? TS_SOFT_HOLLOW : TS_SOFT_LINE_OF_B;
    } else {
        const ts_feature_point *point = &b->point[ts_feature_b(key)];
        set_point(on_b, point->x, point->y, &f.bx, &f.by);
        f.rb = point->radius;
    }
    if (side == TS_SIDE_POINTS) {
        const ts_feature_point *pa = &a->point[ts_feature_a(key)], *pb = &b->point[ts_feature_b(key)];
        set_normal(on_a, pa->middle_x, pa->middle_y, &f);
        f.points = true;
        f.cone_a = cone_of(pa);
        form other = {0};
        set_normal(on_b, pb->middle_x, pb->middle_y, &other);
        f.mx = other.nx;
        f.my = other.ny;
        f.cone_b = cone_of(pb);
    }
    return f;
}

/* A disc with another one, or with a face of a wall. */
static form form_of_disc(const ts_model *model, const ts_history *h, const mount *on_a, const mount *on_b)
{
    form f = {.ax = on_a->x, .ay = on_a->y, .bx = on_b->x, .by = on_b->y, .rb = part_radius(model, h->b)};
    if (h->a >= 0) {
        f.kind = TS_SOFT_ROUND;
        f.ra = part_radius(model, h->a);
        f.nx = 1; /* of centres that coincide */
        return f;
    }
    const ts_wall *wall = &model->wall[-1 - h->a];
    if (h->key == 0) {
        f.kind = wall->kind == TS_WALL_CIRCLE ? TS_SOFT_HOLLOW : TS_SOFT_LINE_OF_A;
        f.ra = wall->kind == TS_WALL_CIRCLE ? -wall->radius : 0;
        set_normal(on_a, 0, 1, &f);
        return f;
    }
    const ts_face *face = &model->faces->face[(h->key - 2) / 2];
    const ts_face_joint *from = &model->faces->joint[face->begin];
    const double side = h->key % 2 ? -1 : 1, outside = face->turn * side, arc = face->turn * face->radius;
    const bool corner = face->kind == TS_FACE_CORNER;
    f.nx = corner ? 1 : side * face->nx;
    f.ny = corner ? 0 : side * face->ny;
    f.ax = from->x - (corner ? 0 : arc * face->nx);
    f.ay = from->y - (corner ? 0 : arc * face->ny);
    if (corner || face->radius > 0) {
        f.kind = outside > 0 ? TS_SOFT_ROUND : TS_SOFT_HOLLOW;
        f.ra = corner ? 0 : outside * face->radius;
    }
    return f;
}

/* A line and a point, both in their bodies' frames. */
static form form_of_found(const ts_found *found)
{
    const double *line = found->number + TS_SOFT_LINE, *normal = found->number + TS_SOFT_NORMAL_OF_LINE,
                 *point = found->number + TS_SOFT_POINT;
    return (form){.ax = line[0],
                  .ay = line[1],
                  .bx = point[0],
                  .by = point[1],
                  .nx = normal[0],
                  .ny = normal[1],
                  .kind = TS_SOFT_LINE_OF_A};
}

/* `found`: what belongs to the record, if it is by a map. */
static form form_of(const ts_model *model, const ts_history *h, const ts_found *found)
{
    if (found)
        return form_of_found(found);
    const mount on_a = mount_of(model, h->a), on_b = mount_of(model, h->b);
    if (!(h->key & TS_FEATURE_RECORD))
        return form_of_disc(model, h, &on_a, &on_b);
    return form_of_features(h->key & ~TS_FEATURE_RECORD, features_of(model, h->a), features_of(model, h->b), &on_a,
                            &on_b);
}

static void fill_lane(const ts_model *model, const ts_state *state, memory *m, ts_soft_group *g, int lane,
                      const ts_coloured_pair *pair, double h)
{
    const ts_history *record = &state->history.item[pair->first];
    const mount on_a = mount_of(model, record->a), on_b = mount_of(model, record->b);
    const double ma = m->inv_mass[on_a.solid], mb = m->inv_mass[on_b.solid];
    g->a[lane] = on_a.solid;
    g->b[lane] = on_b.solid;
    g->inv_mass_a[lane] = ma;
    g->inv_mass_b[lane] = mb;
    g->inv_inertia_a[lane] = m->inv_inertia[on_a.solid];
    g->inv_inertia_b[lane] = m->inv_inertia[on_b.solid];
    g->share_a[lane] = ma / (ma + mb);
    g->share_b[lane] = mb / (ma + mb);
    g->heavier[lane] = ts_soft_heavier(ma, mb);
    g->stiffer[lane] = ma > 0 && mb > 0 ? 0 : 1;
    const size_t law = ts_model_material(model, record->a < 0 ? record->a : on_a.solid) * model->material_count +
                       ts_model_material(model, on_b.solid);
    g->friction[lane] = model->law[law].friction;
    g->restitution[lane] = m->restitution[law];
    g->bounces |= m->restitution[law] > 0;
    g->fixed |= g->stiffer[lane] > 0;
    for (uint32_t i = 0; i < pair->count; i++) {
        const form from = form_of(model, &record[i], ts_soft_found(state, &record[i]));
        ts_soft_form *f = &m->form.item[g->row + (int32_t)i];
        ts_soft_row *r = &m->row.item[g->row + (int32_t)i];
        f->ax[lane] = from.ax;
        f->ay[lane] = from.ay;
        f->bx[lane] = from.bx;
        f->by[lane] = from.by;
        f->nx[lane] = from.nx;
        f->ny[lane] = from.ny;
        f->ra[lane] = from.ra;
        f->rb[lane] = from.rb;
        f->kind[lane] = from.kind;
        f->mx[lane] = from.mx;
        f->my[lane] = from.my;
        f->cone_a[lane] = from.points ? from.cone_a : -2;
        f->cone_b[lane] = from.points ? from.cone_b : -2;
        g->straight &=
            (from.kind == TS_SOFT_LINE_OF_A || from.kind == TS_SOFT_LINE_OF_B) && from.ra == 0 && from.rb == 0;
        r->normal[lane] = h * record[i].value[TS_SOFT_NORMAL];
        r->tangent[lane] = h * record[i].value[TS_SOFT_TANGENT];
    }
}

typedef struct row_job {
    const ts_model *model;
    ts_state *state;
    memory *m;
    double h;   /* of a sub-step [s] */
    bool first; /* sums begin with this step */
} row_job;

/* Pairs of a group: where they stand in colours.order, and how many. */
static uint32_t group_pairs(const memory *m, size_t group, const uint32_t **order)
{
    const uint32_t first = m->order.item[group], end = m->order.item[group + 1];
    *order = m->colours.order.item + first;
    return end - first;
}

static void fill_groups(void *context, int chunk, int thread)
{
    (void)thread;
    const row_job *job = context;
    memory *m = job->m;
    const size_t end = ((size_t)chunk + 1) * TS_SOFT_GROUP_CHUNK;
    for (size_t i = (size_t)chunk * TS_SOFT_GROUP_CHUNK; i < end && i < m->group.count; i++) {
        ts_soft_group *g = &m->group.item[i];
        const uint32_t *order, count = group_pairs(m, i, &order);
        memset(m->row.item + g->row, 0, (size_t)g->count * sizeof *m->row.item);
        memset(m->form.item + g->row, 0, (size_t)g->count * sizeof *m->form.item);
        memset(m->sum.item + g->row, 0, (size_t)g->count * sizeof *m->sum.item);
        for (int lane = 0; lane < LANES; lane++) {
            g->a[lane] = g->b[lane] = (int32_t)m->solid_count - 1;
            if ((uint32_t)lane < count)
                fill_lane(job->model, job->state, m, g, lane, &m->colours.pair.item[order[lane]], job->h);
        }
    }
}

static int chunk_count(const memory *m)
{
    return (int)((m->group.count + TS_SOFT_GROUP_CHUNK - 1) / TS_SOFT_GROUP_CHUNK);
}

/* Pairs of the history, by colour, in groups. */
static ts_status make_groups(const ts_model *model, const ts_state *state, memory *m, ts_error *error)
{
    ts_colouring *c = &m->colours;
    c->pair.count = 0;
    for (size_t k = 0, end; k < state->history.count; k = end) {
        const ts_history *h = &state->history.item[k];
        for (end = k + 1; end < state->history.count && h[end - k].a == h->a && h[end - k].b == h->b;)
            end++;
        const int32_t a = solid_of(model, h->a), b = solid_of(model, h->b);
        const ts_coloured_pair pair = {m->inv_mass[a] > 0 ? a : -1, m->inv_mass[b] > 0 ? b : -1, (uint32_t)k,
                                       (uint32_t)(end - k)};
        if (pair.a >= 0 || pair.b >= 0)
            TS_TRY(ts_array_push(&c->pair, pair, error));
    }
    TS_TRY(ts_colouring_make(c, model->body_count, error));
    m->group.count = m->order.count = 0;
    size_t rows = 0;
    for (int colour = 0; colour < TS_COLOURS; colour++) {
        m->group_begin[colour] = (int32_t)m->group.count;
        const uint32_t lanes = colour == TS_COLOUR_ALONE ? 1 : LANES;
        for (uint32_t i = c->begin[colour]; i < c->begin[colour + 1]; i += lanes) {
            const uint32_t left = c->begin[colour + 1] - i,
                           count = ts_coloured_rows(c->pair.item, c->order.item + i, left < lanes ? left : lanes);
            const ts_soft_group g = {.row = (int32_t)rows, .count = (int32_t)count, .straight = true};
            rows += count;
            TS_TRY(ts_array_push(&m->group, g, error));
            TS_TRY(ts_array_push(&m->order, i, error));
        }
    }
    m->group_begin[TS_COLOURS] = (int32_t)m->group.count;
    TS_TRY(ts_array_push(&m->order, (uint32_t)c->pair.count, error));
    TS_TRY(ts_array_reserve(&m->row, rows, error));
    TS_TRY(ts_array_reserve(&m->form, rows, error));
    TS_TRY(ts_array_reserve(&m->sum, rows, error));
    m->row.count = rows;
    return ts_array_reserve(&m->report, (size_t)chunk_count(m), error);
}

/* Rows of the places in the state's history. */
static ts_status make_rows(const row_job *job, ts_pool *pool, ts_error *error)
{
    memory *m = job->m;
    TS_TRY(make_groups(job->model, job->state, m, error));
    ts_pool_run(pool, chunk_count(m), fill_groups, (void *)job);
    m->bounces = false;
    for (size_t i = 0; i < m->group.count; i++)
        m->bounces |= m->group.item[i].bounces;
    return TS_OK;
}

/* ---- Sub-steps ---- */

/* Springs pull for `time` at the poses as they are; what is driven works on them for `work_time`. */
static void pull_springs(const ts_model *model, ts_state *state, memory *m, double time, double work_time)
{
    if (model->spring_count == 0)
        return;
    store_bodies(model, state, m);
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        const ts_pull pull = ts_spring_pull_in_plane(s, state->body, 0);
        for (int side = 0; side < 2; side++) {
            const int64_t body = side ? s->b : s->a;
            if (body < 0)
                continue;
            const ts_vec3 f = side ? ts_vec3_neg(pull.force) : pull.force, at = side ? pull.point_b : pull.point_a;
            ts_soft_velocity *v = &m->velocity[body];
            const double torque = (at.x - m->pose[body].x) * f.y - (at.y - m->pose[body].y) * f.x;
            if (!(m->inv_mass[body] > 0)) {
                m->work -= work_time * (f.x * v->x + f.y * v->y + torque * v->spin);
                continue;
            }
            v->x += time * m->inv_mass[body] * f.x;
            v->y += time * m->inv_mass[body] * f.y;
            v->spin += time * m->inv_inertia[body] * torque;
        }
    }
}

/* Pushing and relaxing in one direction, a stack of 20 sways for ever: relaxing goes back. In space, where impulses act in
 * halves, a stack that is pushed would sway by that. */
static ts_soft_runner runner_of(const ts_workspace *work, const ts_soft_task *task)
{
    const memory *m = work->own;
    return (ts_soft_runner){.pool = work->pool,
                            .kernel = m->kernels->pass,
                            .task = task,
                            .group_begin = m->group_begin,
                            .colour_count = m->colours.colour_count,
                            .relaxes_back = true};
}

/* The velocity that takes a driven solid to where it belongs at `time`, a sub-step of h from now. */
static void drive_solid(const ts_motion *motion, ts_pose2 rest, memory *m, size_t solid, double time, double h)
{
    const ts_pose2 to = ts_motion_pose(motion, rest, time);
    m->velocity[solid] = (ts_soft_velocity){(to.x - m->pose[solid].x) / h, (to.y - m->pose[solid].y) / h,
                                            (to.angle - m->angle[solid]) / h, 0};
}

/* What is driven in this sub-step. One velocity for the whole step would change by jumps that friction cannot follow. */
static void drive_solids(const ts_model *model, memory *m, double time, double h)
{
    for (size_t i = 0; model->body_motion && i < model->body_count; i++) {
        const ts_body *b = &model->body[i];
        if (model->body_motion[i] >= 0)
            drive_solid(&model->motion[model->body_motion[i]], (ts_pose2){b->x, b->y, b->angle}, m, i, time, h);
    }
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall *w = &model->wall[i];
        if (w->motion >= 0)
            drive_solid(&model->motion[w->motion], (ts_pose2){w->pose.position.x, w->pose.position.y, 0}, m,
                        model->body_count + i, time, h);
    }
}

/* `end`: its end [s]. */
static void sub_step(const ts_model *model, ts_state *state, const ts_workspace *work, const ts_soft_task *task,
                     double end)
{
    memory *m = work->own;
    const int32_t n = (int32_t)m->solid_count;
    const ts_soft_runner runner = runner_of(work, task);
    drive_solids(model, m, end, task->step);
    if (m->bounces)
        memcpy(m->before, m->velocity, (size_t)n * sizeof *m->before);
    pull_springs(model, state, m, task->step, 0.5 * task->step);
    m->kernels->kick(task, m->inv_mass, m->unloaded, 0, n);
    if (m->bounces)
        ts_soft_run(&runner, TS_SOFT_NOTE);
    ts_soft_run(&runner, TS_SOFT_WARM);
    ts_soft_push(&runner, task->heat);
    m->kernels->drift(task, m->unloaded, m->inv_mass, m->pose, m->angle, 0, n);
    ts_soft_run(&runner, TS_SOFT_FOLLOW);
    ts_soft_relax(&runner, task->heat, ts_soft_param_of(model)->relaxations);
    if (m->bounces)
        ts_soft_run(&runner, TS_SOFT_BOUNCE);
    if (model->body_motion)
        pull_springs(model, state, m, 0, 0.5 * task->step);
}

/* ---- What rows have come to ---- */

/* The smaller one of two solids that can move: overlaps count as shares of its radius. */
static int32_t smaller(const ts_model *model, int32_t a, int32_t b)
{
    const size_t bodies = model->body_count;
    const bool a_moves = (size_t)a < bodies && ts_model_moves(model, (size_t)a),
               b_moves = (size_t)b < bodies && ts_model_moves(model, (size_t)b);
    return a_moves && (!b_moves || model->body[a].radius < model->body[b].radius) ? a : b;
}

static void read_groups(void *context, int chunk, int thread)
{
    (void)thread;
    const row_job *job = context;
    memory *m = job->m;
    const double inv_h = 1 / job->h,
                 full = job->model->settings.time_step / (double)ts_soft_param_of(job->model)->sub_steps;
    row_report report = {.body = -1};
    const size_t end = ((size_t)chunk + 1) * TS_SOFT_GROUP_CHUNK;
    for (size_t i = (size_t)chunk * TS_SOFT_GROUP_CHUNK; i < end && i < m->group.count; i++) {
        const ts_soft_group *g = &m->group.item[i];
        const uint32_t *order, count = group_pairs(m, i, &order);
        for (uint32_t lane = 0; lane < count; lane++) {
            const ts_coloured_pair *pair = &m->colours.pair.item[order[lane]];
            for (uint32_t k = 0; k < pair->count; k++) {
                double *value = job->state->history.item[pair->first + k].value;
                ts_soft_row *r = &m->row.item[g->row + (int32_t)k];
                const ts_soft_sum *s = &m->sum.item[g->row + (int32_t)k];
                const double n = s->normal[lane], t = s->tangent[lane];
                const double lasts = inv_h * ts_soft_lasting(r->normal[lane], job->h, full, value[TS_SOFT_NORMAL]);
                value[TS_SOFT_NORMAL] = r->normal[lane] * lasts;
                value[TS_SOFT_TANGENT] = r->tangent[lane] * lasts;
                /* the row goes on with what is in the history, rounding and all, as one that is made from it does */
                r->normal[lane] = job->h * value[TS_SOFT_NORMAL];
                r->tangent[lane] = job->h * value[TS_SOFT_TANGENT];
                value[TS_SOFT_SUM_NORMAL] = n + (job->first ? 0 : value[TS_SOFT_SUM_NORMAL]);
                value[TS_SOFT_SUM_TANGENT] = t + (job->first ? 0 : value[TS_SOFT_SUM_TANGENT]);
                report.touching += r->gap[lane] < 0 || n > 0;
                if (-r->gap[lane] > report.overlap) {
                    report.overlap = -r->gap[lane];
                    report.body = smaller(job->model, g->a[lane], g->b[lane]);
                }
            }
        }
    }
    m->report.item[chunk] = report;
}

/* What acts on what nothing can move, in the order of groups: forces on walls, and work of what is driven. */
static void add_reactions(const row_job *job, ts_workspace *work)
{
    memory *m = job->m;
    const size_t bodies = job->model->body_count, walls = job->model->wall_count;
    const double inv_step = 1 / job->model->settings.time_step;
    for (size_t i = 0; i < m->group.count; i++) {
        const ts_soft_group *g = &m->group.item[i];
        for (int lane = 0; g->fixed && lane < LANES; lane++) {
            if (!(g->stiffer[lane] > 0))
                continue;
            const bool of_a = !(g->inv_mass_a[lane] > 0);
            const size_t solid = (size_t)(of_a ? g->a : g->b)[lane];
            const ts_soft_velocity *v = &m->velocity[solid];
            ts_wrench sum = {0}; /* impulses */
            for (int32_t k = g->row; k < g->row + g->count; k++) {
                const ts_soft_row *r = &m->row.item[k];
                const double sign = of_a ? -1 : 1, n = sign * m->sum.item[k].normal[lane],
                             t = sign * m->sum.item[k].tangent[lane];
                sum.fx += n * r->nx[lane] - t * r->ny[lane];
                sum.fy += n * r->ny[lane] + t * r->nx[lane];
                sum.torque += n * (of_a ? r->na : r->nb)[lane] + t * (of_a ? r->ta : r->tb)[lane];
            }
            m->work -= sum.fx * v->x + sum.fy * v->y + sum.torque * v->spin;
            if (solid < bodies || solid - bodies >= walls)
                continue;
            ts_wrench *w = &work->wall_wrench[solid - bodies];
            w->fx += sum.fx * inv_step;
            w->fy += sum.fy * inv_step;
            w->torque += sum.torque * inv_step;
        }
    }
}

/* Writes what rows have come to into the state's history. Returns how many touch. */
static uint64_t read_rows(const row_job *job, ts_workspace *work)
{
    const memory *m = job->m;
    uint64_t touching = 0;
    ts_pool_run(work->pool, chunk_count(m), read_groups, (void *)job);
    for (int i = 0; i < chunk_count(m); i++) {
        const row_report *r = &m->report.item[i];
        touching += r->touching;
        if (r->body >= 0)
            ts_note_overlap(work, r->overlap, r->overlap / job->model->body[r->body].radius, r->body);
    }
    add_reactions(job, work);
    return touching;
}

/* ---- Sleeping ---- */

/* What sleeps has no inverse mass: nothing moves it, and two of them have no rows. */
static void load_masses(const ts_model *model, const ts_state *state, memory *m)
{
    for (size_t i = 0; i < model->body_count; i++) {
        const bool asleep = ts_soft_asleep(state, (int64_t)i);
        m->inv_mass[i] = asleep ? 0 : model->body[i].inv_mass;
        m->inv_inertia[i] = asleep ? 0 : model->inv_inertia[i];
    }
}

static int32_t link_end(const ts_state *state, const memory *m, int32_t solid)
{
    const size_t bodies = state->model->body_count;
    const ts_body *b = (size_t)solid < bodies ? &state->body[solid] : NULL;
    if (b && b->inv_mass > 0)
        return solid;
    const ts_soft_velocity v = b ? (ts_soft_velocity){b->vx, b->vy, b->spin, 0} : m->velocity[solid];
    return v.x != 0 || v.y != 0 || v.spin != 0 ? TS_LINK_DRIVEN : TS_LINK_FIXED;
}

/* Pairs of the history. */
static ts_status link_pairs(const ts_state *state, memory *m, ts_error *error)
{
    const ts_model *model = state->model;
    ts_soft_link *to = NULL;
    TS_TRY(ts_array_reserve(&m->sleep.link, state->history.count, error));
    m->sleep.link.count = 0;
    for (size_t k = 0; k < state->history.count; k++) {
        const ts_history *h = &state->history.item[k];
        if (!to || h[-1].a != h->a || h[-1].b != h->b) {
            to = &m->sleep.link.item[m->sleep.link.count++];
            *to = (ts_soft_link){link_end(state, m, solid_of(model, h->a)), link_end(state, m, solid_of(model, h->b)),
                                 false};
        }
        to->presses |= h->value[TS_SOFT_NORMAL] > 0;
    }
    return TS_OK;
}

/* Wakes what has to be moved for its places. *woken: how many bodies; they have not been looked at by findings since they
 * fell asleep. */
static ts_status wake(ts_state *state, memory *m, size_t *woken, ts_error *error)
{
    *woken = 0;
    if (m->sleep.asleep == 0)
        return TS_OK;
    TS_TRY(link_pairs(state, m, error));
    *woken = ts_soft_wake(&m->sleep, state);
    if (*woken > 0) {
        load_masses(state->model, state, m);
        state->places_room = 0;
    }
    return TS_OK;
}

/* At the end of a step. */
static ts_status fall_asleep(ts_state *state, memory *m, ts_error *error)
{
    const size_t count = state->model->body_count;
    if (!m->sleep.on)
        return TS_OK;
    TS_TRY(link_pairs(state, m, error));
    for (size_t i = 0; i < count; i++) {
        const ts_body *b = &state->body[i];
        m->speed[i] = sqrt(b->vx * b->vx + b->vy * b->vy) + fabs(b->spin) * b->radius;
    }
    if (ts_soft_fall_asleep(&m->sleep, state, m->speed) == 0)
        return TS_OK;
    m->rows_of = 0;
    for (size_t i = 0; i < count; i++)
        if (ts_soft_asleep(state, (int64_t)i))
            state->body[i].vx = state->body[i].vy = state->body[i].spin = 0;
    return TS_OK;
}

/* Whether nothing moves: all that can sleeps, and nothing is driven. */
static bool all_rests(const ts_state *state, const memory *m)
{
    const size_t solids = state->model->body_count + state->model->wall_count;
    for (size_t i = 0; i < solids; i++)
        if (m->inv_mass[i] > 0 || link_end(state, m, (int32_t)i) == TS_LINK_DRIVEN)
            return false;
    return true;
}

/* What a place of something asleep does to a wall, with the impulses that it keeps: as rows do (soft_plane.simd.c). */
static void press_wall(const ts_state *state, const memory *m, const ts_history *h, ts_wrench *w)
{
    const ts_model *model = state->model;
    const form f = form_of(model, h, NULL);
    const ts_soft_pose *a = &m->pose[solid_of(model, h->a)];
    const ts_body *body = &state->body[solid_of(model, h->b)];
    const ts_vec2 pa = {a->c * f.ax - a->s * f.ay, a->s * f.ax + a->c * f.ay}, /* about the wall's centre */
        turned = ts_vec2_rotate((ts_vec2){f.bx, f.by}, body->angle),
                  pb = {body->x - a->x + turned.x, body->y - a->y + turned.y}, d = {pb.x - pa.x, pb.y - pa.y};
    const bool of_b = f.kind == TS_SOFT_LINE_OF_B, round = f.kind == TS_SOFT_ROUND || f.kind == TS_SOFT_HOLLOW;
    const double far = sqrt(d.x * d.x + d.y * d.y);
    const ts_vec2 n = round && far > 0 ? (ts_vec2){f.kind * d.x / far, f.kind * d.y / far}
                      : of_b           ? ts_vec2_rotate((ts_vec2){f.nx, f.ny}, body->angle)
                                       : (ts_vec2){a->c * f.nx - a->s * f.ny, a->s * f.nx + a->c * f.ny};
    const double half = 0.5 * (n.x * d.x + n.y * d.y - f.ra - f.rb), inv_step = 1 / model->settings.time_step;
    const ts_vec2 at = of_b ? (ts_vec2){pa.x + (f.ra + half) * n.x, pa.y + (f.ra + half) * n.y}
                            : (ts_vec2){pb.x - (f.rb + half) * n.x, pb.y - (f.rb + half) * n.y};
    const double normal = h->value[TS_SOFT_SUM_NORMAL] * inv_step, tangent = h->value[TS_SOFT_SUM_TANGENT] * inv_step,
                 fx = normal * n.x - tangent * n.y, fy = normal * n.y + tangent * n.x;
    w->fx -= fx;
    w->fy -= fy;
    w->torque -= at.x * fy - at.y * fx;
}

/* Places that are not worked on, since what can move there sleeps, press as they did. Returns how many. */
static uint64_t read_sleeping(const ts_state *state, const memory *m, ts_workspace *work)
{
    uint64_t touching = 0;
    for (size_t k = 0; k < state->history.count; k++) {
        const ts_history *h = &state->history.item[k];
        if (!(h->value[TS_SOFT_SUM_NORMAL] > 0) || m->inv_mass[solid_of(state->model, h->a)] > 0 ||
            m->inv_mass[solid_of(state->model, h->b)] > 0)
            continue;
        touching++;
        if (h->a < 0)
            press_wall(state, m, h, &work->wall_wrench[-1 - h->a]);
    }
    return touching;
}

/* ---- A step ---- */

/* Places, pairs and frames for bodies where they are by now. */
static ts_status find_anew(const ts_model *model, ts_state *state, ts_workspace *work, double part, ts_error *error)
{
    const double begin = ts_time_of_step(model, state->step), time = begin + part * model->settings.time_step;
    bool made;
    ts_place_walls(model, work, begin, part);
    if (ts_pairs_fit(work, state))
        ts_place_parts(model, state, work, 0, &(double){0});
    state->drift_bound = HUGE_VAL;
    TS_TRY(ts_refresh_pairs(model, state, work, time, 0, &made, error));
    if (made)
        ts_place_parts(model, state, work, 0, &(double){0});
    return TS_OK;
}

/* Whether records make sense: those of a file may be damaged. */
static bool history_fits(const ts_model *model, const ts_state *state)
{
    for (size_t i = 0; i < state->history.count; i++) {
        const ts_history *h = &state->history.item[i];
        const uint64_t key = h->key & ~TS_FEATURE_RECORD;
        if (h->key & TS_SOFT_MAP_RECORD) {
            if (!ts_soft_found(state, h))
                return false;
        } else if (h->key & TS_FEATURE_RECORD) {
            const ts_features *a = features_of(model, h->a), *b = features_of(model, h->b);
            const unsigned side = ts_feature_side(key);
            if (!a || !b || side > TS_SIDE_POINTS ||
                ts_feature_a(key) >= (side == TS_SIDE_POINT_B ? a->edge_count : a->point_count) ||
                ts_feature_b(key) >= (side == TS_SIDE_POINT_A ? b->edge_count : b->point_count))
                return false;
        } else if (key != 0 && (h->a >= 0 || key < 2 || !model->faces || (key - 2) / 2 >= model->faces->count)) {
            return false;
        }
    }
    return true;
}

/* The fastest that a wall moves where bodies are. */
static double fastest_wall(const ts_model *model, const ts_workspace *work, double extent)
{
    double most = 0;
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_frame2 *f = &work->wall[i].frame;
        most = fmax(most, sqrt(f->vx * f->vx + f->vy * f->vy) + fabs(f->spin) * extent);
    }
    return most;
}

/* The farthest that two have gone against each other in the step, at most [m]. */
static double farthest(const ts_model *model, const ts_state *state, const ts_workspace *work)
{
    const memory *m = work->own;
    double most = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body *b = &state->body[i], *from = &m->saved[i];
        const double dx = b->x - from->x, dy = b->y - from->y;
        const double way = sqrt(dx * dx + dy * dy) + fabs(b->angle - from->angle) * b->radius;
        most = way > most ? way : most;
    }
    return 2 * most + fastest_wall(model, work, work->pairs.extent) * model->settings.time_step;
}

/* Rows of places that are found now, or that the step before had, for a span of sub-steps. `done`: units of the step
 * that are over. */
static ts_status prepare_rows(row_job *job, ts_workspace *work, int64_t done, ts_soft_span *span, ts_error *error)
{
    const ts_model *model = job->model;
    ts_state *state = job->state;
    memory *m = job->m;
    const int64_t units = ts_soft_units(model), count = (int64_t)ts_soft_param_of(model)->sub_steps;
    const double since = ts_timer_begin(&work->timers);
    const bool mine = m->rows_of != 0 && m->rows_of == state->places_mark;
    m->rows_of = 0; /* until the step is done */
    job->first = done == 0;
    if (done == 0 && ts_soft_plane_holds(model, state, work) && (mine || history_fits(model, state))) {
        *span = (ts_soft_span){count, units, model->settings.time_step / (double)count};
        job->h = span->h;
        if (!mine)
            TS_TRY(make_rows(job, work->pool, error));
        else if (m->row.count > 0)
            memset(m->sum.item, 0, m->row.count * sizeof *m->sum.item);
    } else {
        if (done > 0)
            TS_TRY(find_anew(model, state, work, (double)done / (double)units, error));
        *span = ts_soft_plane_span(model, state, work, units - done);
        job->h = span->h;
        if (done == 0 && span->units < units)
            TS_TRY(ts_soft_hold_note(&m->hold, model, work, error));
        size_t woken;
        do {
            TS_TRY(find(model, state, work, done == 0 ? -1 : (double)span->count * span->h, error));
            TS_TRY(wake(state, m, &woken, error));
        } while (woken > 0);
        TS_TRY(make_rows(job, work->pool, error));
        state->places_room = span->count == count ? work->reach.least : 0;
    }
    ts_timer_end(&work->timers, TS_PHASE_CONTACTS, since);
    return TS_OK;
}

static void set_task(const ts_model *model, memory *m, double h, ts_soft_task *task)
{
    *task = (ts_soft_task){.group = m->group.item,
                           .form = m->form.item,
                           .row = m->row.item,
                           .sum = m->sum.item,
                           .velocity = m->velocity,
                           .before = m->before,
                           .pose = m->pose,
                           .gravity = {model->settings.gravity[0], model->settings.gravity[1]},
                           .step = h,
                           .pace = ts_soft_pace_of(model, h),
                           .heat = &m->heat};
    m->heat.speed = task->pace.hot;
}

static ts_status run_step(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    memory *m = work->own;
    const int64_t units = ts_soft_units(model);
    ts_soft_span span;
    for (int64_t done = 0; done < units; done += span.units) {
        row_job job = {.model = model, .state = state, .m = m};
        ts_soft_task task;
        TS_TRY(prepare_rows(&job, work, done, &span, error));
        set_task(model, m, span.h, &task);
        const ts_soft_runner runner = runner_of(work, &task);
        ts_soft_run(&runner, TS_SOFT_PLACE);
        const double begin =
            ts_time_of_step(model, state->step) + (double)done / (double)units * model->settings.time_step;
        for (int64_t i = 0; i < span.count; i++)
            sub_step(model, state, work, &task, begin + (double)(i + 1) * span.h);
        uint64_t touching = read_rows(&job, work);
        const bool last = done + span.units == units;
        if (m->sleep.asleep > 0 && last)
            touching += read_sleeping(state, m, work);
        if (last) /* of the last finding: a step may have several */
            work->contact_sum += touching;
        store_bodies(model, state, m);
    }
    state->places_room = fmax(state->places_room - farthest(model, state, work), 0);
    m->rows_of = state->places_mark = ts_soft_next_mark();
    return fall_asleep(state, m, error);
}

/* What the step has to say of its bodies. */
static void report_bodies(const ts_model *model, const ts_state *state, ts_workspace *work)
{
    const double h = ts_soft_finest_step(model);
    for (size_t c = 0; c < work->chunk_count; c++) {
        ts_chunk_report *report = &work->chunk[c];
        *report = (ts_chunk_report){.runaway = -1};
        for (size_t i = c * TS_BODY_CHUNK; i < (c + 1) * TS_BODY_CHUNK && i < model->body_count; i++) {
            const ts_body *b = &state->body[i];
            const double speed = sqrt(b->vx * b->vx + b->vy * b->vy);
            /* 0 · spin is NaN unless the spin is finite, and a NaN fails the comparison */
            if (!(speed * h + 0 * b->spin <= b->radius) && b->inv_mass > 0 && report->runaway < 0)
                report->runaway = (int64_t)i;
        }
    }
}

static ts_status resolve(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    memory *m = work->own;
    if (model->wall_count > 0)
        memset(work->wall_wrench, 0, model->wall_count * sizeof *work->wall_wrench);
    load_walls(model, work);
    TS_TRY(ts_soft_sleep_begin(&m->sleep, state, error));
    if (m->sleep.on)
        load_masses(model, state, m);
    if (m->sleep.asleep > 0 && all_rests(state, m)) {
        report_bodies(model, state, work);
        work->contact_sum += read_sleeping(state, m, work);
        return TS_OK;
    }
    TS_TRY(wake(state, m, &(size_t){0}, error));
    memcpy(m->saved, state->body, model->body_count * sizeof *m->saved);
    load_bodies(model, state, work);
    const double energy = ts_soft_energy(state);
    m->work = 0;
    const ts_status status = run_step(model, state, work, error);
    if (status != TS_OK) {
        memcpy(state->body, m->saved, model->body_count * sizeof *m->saved);
        return status;
    }
    state->drift_bound = HUGE_VAL;
    report_bodies(model, state, work);
    ts_soft_balance(state, energy, m->work);
    return TS_OK;
}

/* ---- Looking ---- */

typedef struct looking {
    const ts_model *model;
    const ts_state *state;
    const ts_workspace *work;
    ts_contact_sink *sink;
    void *context;
    ts_status status;
} looking;

static ts_soft_pose pose_now(const ts_model *model, const ts_state *state, const ts_workspace *work, int32_t solid)
{
    const ts_frame2 *f =
        (size_t)solid < model->body_count ? &state->body[solid] : &work->wall[(size_t)solid - model->body_count].frame;
    return (ts_soft_pose){f->x, f->y, cos(f->angle), sin(f->angle)};
}

static ts_vec2 point_now(const ts_soft_pose *p, double x, double y)
{
    return (ts_vec2){p->x + p->c * x - p->s * y, p->y + p->s * x + p->c * y};
}

/* A place that holds, as a contact. */
static ts_contact contact_now(const ts_model *model, const ts_state *state, const ts_workspace *work,
                              const ts_history *h, const ts_found *found)
{
    const mount on_a = mount_of(model, h->a), on_b = mount_of(model, h->b);
    const form f = form_of(model, h, found);
    const ts_soft_pose a = pose_now(model, state, work, on_a.solid), b = pose_now(model, state, work, on_b.solid),
                       *by = f.kind == TS_SOFT_LINE_OF_B ? &b : &a;
    const ts_vec2 pa = point_now(&a, f.ax, f.ay), pb = point_now(&b, f.bx, f.by);
    const double dx = pb.x - pa.x, dy = pb.y - pa.y, distance = hypot(dx, dy);
    double nx = by->c * f.nx - by->s * f.ny, ny = by->s * f.nx + by->c * f.ny;
    if ((f.kind == TS_SOFT_ROUND || f.kind == TS_SOFT_HOLLOW) && distance > 0) {
        nx = f.kind * dx / distance;
        ny = f.kind * dy / distance;
    }
    const double gap = nx * dx + ny * dy - (f.ra + f.rb), per = 1 / model->settings.time_step,
                 n = per * h->value[TS_SOFT_SUM_NORMAL], t = per * h->value[TS_SOFT_SUM_TANGENT];
    /* the point that one of them carries, and where it stands off the other */
    const bool of_b = f.kind == TS_SOFT_LINE_OF_B;
    const ts_vec2 on =
        of_b ? (ts_vec2){pa.x + f.ra * nx, pa.y + f.ra * ny} : (ts_vec2){pb.x - f.rb * nx, pb.y - f.rb * ny};
    const double to_a = of_b ? 0 : -gap, to_b = of_b ? gap : 0;
    uint64_t key = h->key;
    if (!(key & TS_FEATURE_RECORD)) {
        const uint64_t face = h->a < 0 && key >= 2 ? (key - 2) / 2 - (uint64_t)model->faces->begin[-1 - h->a] : 0;
        const uint64_t part_a = h->a < 0                  ? face
                                : model->parts_are_bodies ? 0
                                                          : (uint64_t)h->a - model->part_begin[on_a.solid];
        key = part_a << 32 | (model->parts_are_bodies ? 0 : (uint64_t)h->b - model->part_begin[on_b.solid]);
    }
    return (ts_contact){.a = h->a < 0 ? h->a : on_a.solid,
                        .b = on_b.solid,
                        .key = key,
                        .gap = gap,
                        .normal = {nx, ny},
                        .point_a = {on.x + to_a * nx, on.y + to_a * ny},
                        .point_b = {on.x + to_b * nx, on.y + to_b * ny},
                        .weight = 1,
                        .force = {n * nx - t * ny, n * ny + t * nx},
                        .history = {h->value[0]}};
}

/* A place that carries or overlaps. */
static void show(const looking *l, const ts_history *h, const ts_found *found)
{
    const ts_contact contact = contact_now(l->model, l->state, l->work, h, found);
    if (contact.gap < 0 || h->value[TS_SOFT_SUM_NORMAL] > 0)
        l->sink(l->context, &contact, 1);
}

static void look_mapped(looking *l, const ts_contact_batch *batch, const ts_batch_source *source)
{
    ts_soft_mapped_array place = {0};
    if (l->status == TS_OK)
        l->status = ts_soft_map_places(l->state, l->work, batch, source, &place);
    for (size_t i = 0; l->status == TS_OK && i < place.count; i++)
        show(l, &place.item[i].record, &place.item[i].found);
    ts_array_free(&place);
}

static void look_batch(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    looking *l = context;
    if (!source->record && ts_soft_is_mapped(l->work, batch, source)) {
        look_mapped(l, batch, source);
        return;
    }
    const double inv_step = 1 / l->model->settings.time_step;
    double force[2 * TS_BATCH];
    ts_contact contact[TS_BATCH];
    for (int k = 0; k < batch->count; k++) {
        const double held = source->record ? 0 : source->spring[batch->history[k]];
        const double *value = source->record ? source->record[batch->history[k]].value
                              : held >= 1 && held <= (double)l->state->history.count
                                  ? l->state->history.item[(size_t)held - 1].value
                                  : (const double[4]){0};
        const double n = value[TS_SOFT_SUM_NORMAL] * inv_step, t = value[TS_SOFT_SUM_TANGENT] * inv_step;
        force[2 * k] = n * batch->nx[k] - t * batch->ny[k];
        force[2 * k + 1] = n * batch->ny[k] + t * batch->nx[k];
    }
    ts_fill_contacts(l->model, l->work, batch, source, force, contact);
    for (int k = 0; k < batch->count; k++)
        if (batch->gap[k] < 0 || force[2 * k] != 0 || force[2 * k + 1] != 0)
            l->sink(l->context, &contact[k], 1);
}

static ts_status look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                      void *context, ts_error *error)
{
    const double *spring, *wall_spring;
    TS_TRY(ts_plane_view(model, state, work, &spring, &wall_spring, error));
    /* places that hold are those that carry: found again, others might be chosen, which know no forces */
    const bool hold = state->places_room > 0 && history_fits(model, state);
    looking l = {model, state, work, sink, context, TS_OK};
    for (size_t i = 0; hold && i < state->history.count; i++)
        show(&l, &state->history.item[i], ts_soft_found(state, &state->history.item[i]));
    if (hold)
        return TS_OK;
    if (work->featured)
        ts_featured_begin(work, &state->history);
    for (int32_t block = 0; block < work->pairs.block_count; block++)
        ts_block_look(work, block, spring, wall_spring, look_batch, &l);
    return l.status == TS_OK ? ts_featured_status(work, error) : ts_fail_memory(error, sizeof(ts_soft_mapped_array));
}

const ts_resolver ts_soft_in_plane = {.search = {.at = 0, .reach = ts_soft_plane_reach},
                                      .exact_walls = true,
                                      .map_error = TS_SOFT_MAP_ERROR,
                                      .overlap_at_start = 0.05,
                                      .stable_step = ts_soft_stable_step,
                                      .time_step = ts_soft_time_step,
                                      .finest_step = ts_soft_finest_step,
                                      .resolve = resolve,
                                      .advances = true,
                                      .look = look,
                                      .open = open_memory,
                                      .close = close_memory,
                                      .bytes = memory_bytes};
