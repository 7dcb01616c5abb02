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
#include "dynamics/soft_plane.h"
#include "world.h"

TS_KERNEL_CHOOSER(ts_soft_kernels, ts_soft)

enum { LANES = TS_SOFT_LANES };
/* How much farther than bodies go places are looked for. */
#define LOOK_AHEAD 1.5

/* A place where two bodies touch, or may before places are found again; its bodies' frames. */
typedef struct place {
    int32_t a, b; /* bodies; from body_count on: walls */
    double ax, ay, bx, by, nx, ny, ra, rb, of_b, round;
    double friction, restitution;
    double value[4]; /* soft.h */
    int64_t record;  /* among the block's records of features; -1: none */
    size_t which;    /* number of its candidate in the list of pairs, or of walls */
    bool wall;
} place;

typedef struct block_places {
    TS_ARRAY(place) list;
    uint64_t queries;
    ts_status status;
} block_places;

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
    TS_ARRAY(place) place; /* of all blocks */
    TS_ARRAY(ts_soft_group) group;
    TS_ARRAY(ts_soft_form) form;
    TS_ARRAY(ts_soft_row) row;
    TS_ARRAY(ts_soft_sum) sum;
    int32_t group_begin[TS_COLOURS + 1]; /* the first of each colour */
    bool bounces;
} memory;

/* ---- Memory ---- */

static void close_memory(void *own)
{
    memory *m = own;
    if (!m)
        return;
    void *plain[] = {m->velocity, m->before,      m->unloaded,    m->pose, m->angle,
                     m->inv_mass, m->inv_inertia, m->restitution, m->saved};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        ts_free(plain[i]);
    for (size_t i = 0; i < m->block_capacity; i++)
        ts_array_free(&m->block[i].list);
    ts_free(m->block);
    ts_colouring_free(&m->colours);
    ts_array_free(&m->place);
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
    const size_t n = model->body_count + model->wall_count + 1;
    m->kernels = ts_soft_choose();
    m->solid_count = n;
    TS_TRY(ts_new(&m->velocity, n, error));
    TS_TRY(ts_new(&m->before, n, error));
    TS_TRY(ts_new(&m->unloaded, n, error));
    TS_TRY(ts_new(&m->pose, n, error));
    TS_TRY(ts_new(&m->angle, n, error));
    TS_TRY(ts_new(&m->inv_mass, n, error));
    TS_TRY(ts_new(&m->inv_inertia, n, error));
    TS_TRY(ts_new(&m->saved, model->body_count, error));
    for (size_t i = 0; i < model->body_count; i++) {
        m->inv_mass[i] = model->body[i].inv_mass;
        m->inv_inertia[i] = model->inv_inertia[i];
    }
    return ts_soft_restitutions(model, &m->restitution, error);
}

static size_t memory_bytes(const void *own, const ts_model *model)
{
    const memory *m = own;
    size_t bytes = sizeof *m + m->solid_count * (3 * sizeof *m->velocity + sizeof *m->pose + 3 * sizeof *m->angle) +
                   model->body_count * sizeof *m->saved + m->block_capacity * sizeof *m->block +
                   ts_colouring_bytes(&m->colours) + m->place.capacity * sizeof *m->place.item +
                   m->group.capacity * sizeof *m->group.item +
                   m->row.capacity * (sizeof *m->form.item + sizeof *m->row.item + sizeof *m->sum.item);
    for (size_t i = 0; i < m->block_capacity; i++)
        bytes += m->block[i].list.capacity * sizeof *m->block[i].list.item;
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
    load_walls(model, work);
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

typedef struct finding {
    const ts_model *model;
    const ts_state *state;
    ts_workspace *work;
    bool first; /* of the step */
} finding;

typedef struct block_finding {
    const finding *f;
    block_places *to;
    int32_t block;
} block_finding;

static int32_t body_of(const finding *f, int32_t slot)
{
    const int32_t part = f->work->pairs.part_of_slot[slot];
    return f->model->parts_are_bodies ? part : f->model->part_body[part];
}

/* Radii of the two features that touch, and which of them carries a line. */
static void set_features(place *p, uint64_t key, const ts_features *a, const ts_features *b)
{
    const unsigned side = ts_feature_side(key);
    p->ra = p->rb = 0;
    if (side == TS_SIDE_POINTS) {
        p->ra = a->point[ts_feature_a(key)].radius;
        p->rb = b->point[ts_feature_b(key)].radius;
        p->round = 1;
        return;
    }
    const bool of_b = side == TS_SIDE_POINT_A;
    const ts_feature_point *point = of_b ? &a->point[ts_feature_a(key)] : &b->point[ts_feature_b(key)];
    const ts_feature_edge *edge = of_b ? &b->edge[ts_feature_b(key)] : &a->edge[ts_feature_a(key)];
    *(of_b ? &p->ra : &p->rb) = point->radius;
    *(of_b ? &p->rb : &p->ra) = -edge->radius;
    p->of_b = of_b;
    p->round = edge->radius > 0 ? -1 : 0;
}

/* Discs with each other and with walls. */
static void set_discs(place *p, const finding *f, const ts_contact_batch *batch, const ts_batch_source *source, int k)
{
    p->rb = f->work->part[batch->b[k]].radius;
    p->round = source->wall ? 0 : 1;
    p->ra = source->wall ? 0 : f->work->part[batch->a[k]].radius;
    if (source->wall && f->work->wall[batch->a[k]].kind == TS_WALL_CIRCLE) {
        p->ra = -f->work->wall[batch->a[k]].radius;
        p->round = -1;
    }
}

/* World to the frame of a body. */
static void to_frame(const ts_soft_pose *pose, double x, double y, double *to_x, double *to_y)
{
    *to_x = pose->c * x + pose->s * y;
    *to_y = pose->c * y - pose->s * x;
}

static void set_frames(place *p, const memory *m, const ts_contact_batch *batch, int k, const ts_frame2 *part_a,
                       const ts_frame2 *part_b)
{
    const ts_soft_pose *a = &m->pose[p->a], *b = &m->pose[p->b];
    const double nx = batch->nx[k], ny = batch->ny[k];
    to_frame(a, part_a->x + batch->ax[k] - p->ra * nx - a->x, part_a->y + batch->ay[k] - p->ra * ny - a->y, &p->ax,
             &p->ay);
    to_frame(b, part_b->x + batch->bx[k] + p->rb * nx - b->x, part_b->y + batch->by[k] + p->rb * ny - b->y, &p->bx,
             &p->by);
    to_frame(p->of_b > 0 ? b : a, nx, ny, &p->nx, &p->ny);
}

static void take(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    const block_finding *here = context;
    const finding *f = here->f;
    const ts_model *model = f->model;
    const memory *m = f->work->own;
    block_places *to = here->to;
    if (to->status == TS_OK)
        to->status = ts_array_reserve(&to->list, to->list.count + (size_t)batch->count, NULL);
    if (to->status != TS_OK)
        return;
    for (int k = 0; k < batch->count; k++) {
        const int32_t slot_a = batch->a[k], slot_b = batch->b[k];
        place p = {.wall = source->wall, .which = ts_batch_which(batch, source, k), .record = -1};
        p.a = source->wall ? (int32_t)model->body_count + slot_a : body_of(f, slot_a);
        p.b = body_of(f, slot_b);
        if (!(m->inv_mass[p.a] > 0) && !(m->inv_mass[p.b] > 0))
            continue;
        const ts_frame2 *frame_a = source->wall ? &f->work->wall_frame[slot_a] : &f->work->part[slot_a],
                        *frame_b = &f->work->part[slot_b];
        if (!source->record && batch->gap[k] > ts_reach_of(&f->work->reach, frame_a, frame_b, source->wall))
            continue;
        const size_t law = ts_model_material(model, source->wall ? -1 - (int64_t)slot_a : p.a) * model->material_count +
                           ts_model_material(model, p.b);
        p.friction = model->law[law].friction;
        p.restitution = m->restitution[law];
        const double *past = NULL;
        if (source->record) {
            const ts_forms *forms = model->forms;
            const ts_history *record = &source->record[batch->history[k]];
            set_features(&p, record->key,
                         source->wall ? forms->wall_features[slot_a] : forms->features[f->work->form[slot_a]],
                         forms->features[f->work->form[slot_b]]);
            p.record = (int64_t)ts_featured_record_index(f->work, here->block, record);
            past = record->value;
        } else {
            const double held = source->spring[batch->history[k]];
            set_discs(&p, f, batch, source, k);
            if (held >= 1 && held <= (double)f->state->history.count)
                past = f->state->history.item[(size_t)held - 1].value;
        }
        if (past)
            memcpy(p.value, past, sizeof p.value);
        if (f->first)
            p.value[TS_SOFT_SUM_NORMAL] = p.value[TS_SOFT_SUM_TANGENT] = 0;
        set_frames(&p, m, batch, k, frame_a, frame_b);
        to->list.item[to->list.count++] = p;
    }
}

static void find_block(void *context, int block, int thread)
{
    (void)thread;
    const finding *f = context;
    memory *m = f->work->own;
    block_finding here = {f, &m->block[block], block};
    here.to->list.count = 0;
    here.to->status = TS_OK;
    here.to->queries = ts_block_contacts(f->work, block, f->state->spring, f->state->wall_spring, take, &here);
}

static ts_status find(const finding *f, ts_error *error)
{
    ts_workspace *work = f->work;
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
        ts_featured_begin(work, &f->state->history);
    ts_pool_run(work->pool, (int)blocks, find_block, (void *)f);
    TS_TRY(ts_featured_status(work, error));
    m->place.count = 0;
    for (size_t i = 0; i < blocks; i++) {
        const block_places *from = &m->block[i];
        if (from->status != TS_OK)
            return ts_fail_memory(error, from->list.count * sizeof *from->list.item);
        TS_TRY(ts_array_reserve(&m->place, m->place.count + from->list.count, error));
        if (from->list.count > 0)
            memcpy(m->place.item + m->place.count, from->list.item, from->list.count * sizeof *from->list.item);
        m->place.count += from->list.count;
        work->query_sum += from->queries;
    }
    return TS_OK;
}

/* ---- Rows ---- */

static void fill_lane(memory *m, const ts_soft_group *g, int lane, const ts_coloured_pair *pair, double h)
{
    for (uint32_t i = 0; i < pair->count; i++) {
        const place *p = &m->place.item[pair->first + i];
        ts_soft_form *f = &m->form.item[g->row + (int32_t)i];
        ts_soft_row *r = &m->row.item[g->row + (int32_t)i];
        f->ax[lane] = p->ax;
        f->ay[lane] = p->ay;
        f->bx[lane] = p->bx;
        f->by[lane] = p->by;
        f->nx[lane] = p->nx;
        f->ny[lane] = p->ny;
        f->ra[lane] = p->ra;
        f->rb[lane] = p->rb;
        f->of_b[lane] = p->of_b;
        f->round[lane] = p->round;
        f->restitution[lane] = p->restitution;
        r->friction[lane] = p->friction;
        r->normal[lane] = h * p->value[TS_SOFT_NORMAL];
        r->tangent[lane] = h * p->value[TS_SOFT_TANGENT];
    }
}

static ts_status add_group(memory *m, const uint32_t *order, uint32_t count, double h, ts_error *error)
{
    const ts_coloured_pair *pair = m->colours.pair.item;
    const size_t rows = pair[order[0]].count, first = m->row.count; /* the first has the most */
    TS_TRY(ts_array_reserve(&m->row, first + rows, error));
    TS_TRY(ts_array_reserve(&m->form, first + rows, error));
    TS_TRY(ts_array_reserve(&m->sum, first + rows, error));
    memset(m->row.item + first, 0, rows * sizeof *m->row.item);
    memset(m->form.item + first, 0, rows * sizeof *m->form.item);
    memset(m->sum.item + first, 0, rows * sizeof *m->sum.item);
    m->row.count = m->form.count = m->sum.count = first + rows;
    ts_soft_group g = {.row = (int32_t)first, .count = (int32_t)rows};
    for (int lane = 0; lane < LANES; lane++) {
        g.a[lane] = g.b[lane] = (int32_t)m->solid_count - 1;
        if ((uint32_t)lane >= count)
            continue;
        const place *p = &m->place.item[pair[order[lane]].first];
        g.a[lane] = p->a;
        g.b[lane] = p->b;
        g.inv_mass_a[lane] = m->inv_mass[p->a];
        g.inv_mass_b[lane] = m->inv_mass[p->b];
        g.inv_inertia_a[lane] = m->inv_inertia[p->a];
        g.inv_inertia_b[lane] = m->inv_inertia[p->b];
        g.stiffer[lane] = m->inv_mass[p->a] > 0 && m->inv_mass[p->b] > 0 ? 0 : 1;
        g.bounces |= p->restitution > 0;
        fill_lane(m, &g, lane, &pair[order[lane]], h);
    }
    m->bounces |= g.bounces;
    return ts_array_push(&m->group, g, error);
}

static ts_status make_rows(const ts_model *model, memory *m, double h, ts_error *error)
{
    ts_colouring *c = &m->colours;
    c->pair.count = 0;
    for (size_t k = 0, end; k < m->place.count; k = end) {
        const place *p = &m->place.item[k];
        for (end = k + 1; end < m->place.count && m->place.item[end].a == p->a && m->place.item[end].b == p->b;)
            end++;
        const ts_coloured_pair pair = {m->inv_mass[p->a] > 0 ? p->a : -1, m->inv_mass[p->b] > 0 ? p->b : -1,
                                       (uint32_t)k, (uint32_t)(end - k)};
        TS_TRY(ts_array_push(&c->pair, pair, error));
    }
    TS_TRY(ts_colouring_make(c, model->body_count, error));
    m->group.count = m->row.count = m->form.count = m->sum.count = 0;
    m->bounces = false;
    for (int colour = 0; colour < TS_COLOURS; colour++) {
        m->group_begin[colour] = (int32_t)m->group.count;
        const uint32_t lanes = colour == TS_COLOUR_ALONE ? 1 : LANES;
        for (uint32_t i = c->begin[colour], end = c->begin[colour + 1]; i < end; i += lanes)
            TS_TRY(add_group(m, &c->order.item[i], end - i < lanes ? end - i : lanes, h, error));
    }
    m->group_begin[TS_COLOURS] = (int32_t)m->group.count;
    return TS_OK;
}

/* ---- Sub-steps ---- */

/* Springs pull at the poses of the sub-step. */
static void pull_springs(const ts_model *model, ts_state *state, memory *m, double h)
{
    if (model->spring_count == 0)
        return;
    store_bodies(model, state, m);
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        const ts_pull pull = ts_spring_pull_in_plane(s, state->body, 0);
        for (int side = 0; side < 2; side++) {
            const int64_t body = side ? s->b : s->a;
            if (body < 0 || !(m->inv_mass[body] > 0))
                continue;
            const ts_vec3 f = side ? ts_vec3_neg(pull.force) : pull.force, at = side ? pull.point_b : pull.point_a;
            ts_soft_velocity *v = &m->velocity[body];
            v->x += h * m->inv_mass[body] * f.x;
            v->y += h * m->inv_mass[body] * f.y;
            v->spin += h * m->inv_inertia[body] * ((at.x - m->pose[body].x) * f.y - (at.y - m->pose[body].y) * f.x);
        }
    }
}

static void sub_step(const ts_model *model, ts_state *state, const ts_workspace *work, const ts_soft_task *task)
{
    memory *m = work->own;
    const int32_t n = (int32_t)m->solid_count;
    /* pushing and relaxing in one direction, a stack of 20 sways for ever */
    const ts_soft_runner runner = {work->pool, m->kernels->pass, task, m->group_begin, m->colours.colour_count, true};
    const uint64_t relaxations = ts_soft_param_of(model)->relaxations;
    if (m->bounces) {
        memcpy(m->before, m->velocity, (size_t)n * sizeof *m->before);
        ts_soft_run(&runner, TS_SOFT_NOTE);
    }
    pull_springs(model, state, m, task->step);
    m->kernels->kick(task, m->inv_mass, m->unloaded, 0, n);
    ts_soft_run(&runner, TS_SOFT_WARM);
    ts_soft_run(&runner, TS_SOFT_PUSH);
    m->kernels->drift(task, m->unloaded, m->inv_mass, m->pose, m->angle, 0, n);
    ts_soft_run(&runner, TS_SOFT_FOLLOW);
    for (uint64_t i = 0; i < relaxations; i++)
        ts_soft_run(&runner, i + 1 == relaxations ? TS_SOFT_RELAX_LAST : TS_SOFT_RELAX);
    if (m->bounces)
        ts_soft_run(&runner, TS_SOFT_BOUNCE);
}

/* ---- How often places are found ---- */

static double fastest_body(const ts_model *model, const ts_state *state)
{
    double most = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body *b = &state->body[i];
        most = fmax(most, hypot(b->vx, b->vy) + fabs(b->spin) * b->radius);
    }
    return most;
}

static double fastest_wall(const ts_model *model, const ts_workspace *work, double extent)
{
    double most = 0;
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_frame2 *f = &work->wall[i].frame;
        most = fmax(most, hypot(f->vx, f->vy) + fabs(f->spin) * extent);
    }
    return most;
}

/* The fastest that points of two listed parts, or of a part and a wall, go against each other. */
static double fastest_pair(const ts_workspace *work, double walls)
{
    const ts_pairs *pairs = &work->pairs;
    double most = 0;
    for (size_t k = 0; k < pairs->pair_count; k++) {
        const ts_frame2 *a = &work->part[pairs->pair[k].a], *b = &work->part[pairs->pair[k].b];
        most = fmax(most, hypot(b->vx - a->vx, b->vy - a->vy) + fabs(a->spin) * a->radius + fabs(b->spin) * b->radius);
    }
    for (size_t k = 0; k < pairs->wall_count; k++) {
        const ts_frame2 *b = &work->part[pairs->wall[k].b];
        most = fmax(most, hypot(b->vx, b->vy) + fabs(b->spin) * b->radius + walls);
    }
    return most;
}

/* The fastest that two go against each other, at most; looked up pair by pair only if it matters. */
static double fastest(const ts_model *model, const ts_state *state, const ts_workspace *work, double time)
{
    const double walls = fastest_wall(model, work, work->pairs.extent), all = 2 * fastest_body(model, state) + walls;
    return all * time > ts_soft_param_of(model)->way / 16 ? fastest_pair(work, walls) : all;
}

/* How many of `left` sub-steps bodies may take before places are found again, and how far open those places are that
 * count till then. */
static int64_t choose_span(const ts_model *model, const ts_state *state, ts_workspace *work, int64_t left, double h)
{
    const double way = ts_soft_param_of(model)->way, speed = fastest(model, state, work, (double)left * h);
    int64_t span = left;
    while (span > 1 && ts_soft_way(model, speed, (double)span * h) > way)
        span--;
    const double time = (double)span * h;
    work->reach =
        (ts_reach){.most = model->reach, .least = LOOK_AHEAD * ts_soft_way(model, 0, time), .time = LOOK_AHEAD * time};
    return span;
}

/* ---- After a finding ---- */

/* Writes what rows have come to back to places, and adds up what acts on walls. */
static void read_rows(const ts_model *model, ts_workspace *work, double inv_h, uint64_t *touching)
{
    memory *m = work->own;
    const ts_colouring *c = &m->colours;
    const double inv_step = 1 / model->settings.time_step;
    size_t group = 0;
    for (int colour = 0; colour < TS_COLOURS; colour++) {
        const uint32_t lanes = colour == TS_COLOUR_ALONE ? 1 : LANES;
        for (uint32_t i = c->begin[colour], end = c->begin[colour + 1]; i < end; i += lanes, group++) {
            const ts_soft_group *g = &m->group.item[group];
            for (uint32_t lane = 0; lane < lanes && i + lane < end; lane++) {
                const ts_coloured_pair *pair = &c->pair.item[c->order.item[i + lane]];
                for (uint32_t k = 0; k < pair->count; k++) {
                    place *p = &m->place.item[pair->first + k];
                    const ts_soft_row *r = &m->row.item[g->row + (int32_t)k];
                    const ts_soft_sum *s = &m->sum.item[g->row + (int32_t)k];
                    const double n = s->normal[lane], t = s->tangent[lane];
                    p->value[TS_SOFT_NORMAL] = r->normal[lane] * inv_h;
                    p->value[TS_SOFT_TANGENT] = r->tangent[lane] * inv_h;
                    p->value[TS_SOFT_SUM_NORMAL] += n;
                    p->value[TS_SOFT_SUM_TANGENT] += t;
                    *touching += r->gap[lane] < 0 || n > 0;
                    const double overlap = -r->gap[lane];
                    if (overlap > work->max_overlap) {
                        work->max_overlap = overlap;
                        work->max_overlap_ratio = overlap / model->body[p->b].radius;
                    }
                    if (!p->wall)
                        continue;
                    ts_wrench *w = &work->wall_wrench[(size_t)p->a - model->body_count];
                    const double fx = -(n * r->nx[lane] - t * r->ny[lane]) * inv_step,
                                 fy = -(n * r->ny[lane] + t * r->nx[lane]) * inv_step;
                    w->fx += fx;
                    w->fy += fy;
                    w->torque -= (n * r->na[lane] + t * r->ta[lane]) * inv_step;
                }
            }
        }
    }
}

/* The places' numbers become the state's history. */
static ts_status write_history(ts_state *state, ts_workspace *work, ts_error *error)
{
    const int64_t bodies = (int64_t)work->model->body_count;
    memory *m = work->own;
    size_t at = 0;
    for (size_t block = 0; block < (size_t)work->pairs.block_count; block++)
        for (size_t i = 0; i < m->block[block].list.count; i++, at++) {
            const place *p = &m->place.item[at];
            if (p->record >= 0)
                memcpy(ts_featured_record(work, (int32_t)block, (size_t)p->record)->value, p->value, sizeof p->value);
        }
    if (work->featured)
        TS_TRY(ts_featured_end(work, state, error));
    else
        state->history.count = 0;
    TS_TRY(ts_array_reserve(&state->history, state->history.count + m->place.count, error));
    for (size_t k = 0; k < m->place.count; k++) {
        const place *p = &m->place.item[k];
        if (p->record >= 0)
            continue;
        ts_history *to = &state->history.item[state->history.count++];
        *to = (ts_history){.a = p->wall ? bodies - 1 - p->a : p->a, .b = p->b};
        memcpy(to->value, p->value, sizeof p->value);
        (p->wall ? state->wall_spring : state->spring)[p->which] = (double)state->history.count;
    }
    return TS_OK;
}

/* ---- A step ---- */

/* Places, pairs and frames for bodies where they are by now. */
static ts_status find_anew(const ts_model *model, ts_state *state, ts_workspace *work, double part, ts_error *error)
{
    const double begin = ts_time_of_step(model, state->step), time = begin + part * model->settings.time_step;
    bool made;
    ts_place_walls(model, work, begin, part);
    load_walls(model, work);
    if (ts_pairs_fit(work, state))
        ts_place_parts(model, state, work, 0, &(double){0});
    state->drift_bound = HUGE_VAL;
    TS_TRY(ts_refresh_pairs(model, state, work, time, 0, &made, error));
    if (made)
        ts_place_parts(model, state, work, 0, &(double){0});
    return TS_OK;
}

static ts_status run_step(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    memory *m = work->own;
    const ts_soft_param *p = ts_soft_param_of(model);
    const int64_t count = ts_soft_sub_steps(model, fastest(model, state, work, model->settings.time_step));
    const double h = model->settings.time_step / (double)count,
                 frequency = p->frequency > 0 ? p->frequency : TS_SOFT_FREQUENCY / h;
    ts_soft_task task = {.velocity = m->velocity,
                         .before = m->before,
                         .pose = m->pose,
                         .gravity = {model->settings.gravity[0], model->settings.gravity[1]},
                         .step = h,
                         .push = p->push_speed,
                         .bounce = p->bounce_speed > 0 ? p->bounce_speed : 2 * h * ts_vec3_length(model->gravity),
                         .answer = {ts_soft_answer_of(frequency, p->damping_ratio, h),
                                    ts_soft_answer_of(2 * frequency, p->damping_ratio, h)}};
    for (int64_t done = 0, span; done < count; done += span) {
        const finding f = {model, state, work, done == 0};
        double since = ts_timer_begin(&work->timers);
        if (done > 0)
            TS_TRY(find_anew(model, state, work, (double)done / (double)count, error));
        span = choose_span(model, state, work, count - done, h);
        TS_TRY(find(&f, error));
        ts_timer_end(&work->timers, TS_PHASE_CONTACTS, since);
        TS_TRY(make_rows(model, m, h, error));
        task.group = m->group.item;
        task.form = m->form.item;
        task.row = m->row.item;
        task.sum = m->sum.item;
        m->kernels->pass[TS_SOFT_PLACE](&task, 0, (int32_t)m->group.count);
        for (int64_t i = 0; i < span; i++)
            sub_step(model, state, work, &task);
        uint64_t touching = 0;
        read_rows(model, work, 1 / h, &touching);
        if (done + span == count) /* of the last finding: a step may have several */
            work->contact_sum += touching;
        TS_TRY(write_history(state, work, error));
        store_bodies(model, state, m);
    }
    return TS_OK;
}

/* What the step has to say of its bodies. */
static void report_bodies(const ts_model *model, const ts_state *state, ts_workspace *work)
{
    const double h = model->settings.time_step / (double)(ts_soft_param_of(model)->sub_steps << TS_SOFT_MORE_MOST);
    for (size_t c = 0; c < work->chunk_count; c++) {
        ts_chunk_report *report = &work->chunk[c];
        *report = (ts_chunk_report){.runaway = -1};
        for (size_t i = c * TS_BODY_CHUNK; i < (c + 1) * TS_BODY_CHUNK && i < model->body_count; i++) {
            const ts_body *b = &state->body[i];
            const double speed = hypot(b->vx, b->vy);
            /* 0 · spin is NaN unless the spin is finite, and a NaN fails the comparison */
            if (!(speed * h + 0 * b->spin <= b->radius) && b->inv_mass > 0 && report->runaway < 0)
                report->runaway = (int64_t)i;
        }
    }
}

static double kinetic(const ts_model *model, const ts_body *body)
{
    double sum = 0;
    for (size_t i = 0; i < model->body_count; i++)
        if (body[i].inv_mass > 0)
            sum += 0.5 * ((body[i].vx * body[i].vx + body[i].vy * body[i].vy) / body[i].inv_mass +
                          body[i].spin * body[i].spin / model->inv_inertia[i]);
    return sum;
}

static ts_status resolve(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    memory *m = work->own;
    const double *g = model->settings.gravity;
    memcpy(m->saved, state->body, model->body_count * sizeof *m->saved);
    if (model->wall_count > 0)
        memset(work->wall_wrench, 0, model->wall_count * sizeof *work->wall_wrench);
    load_bodies(model, state, work);
    const ts_status status = run_step(model, state, work, error);
    if (status != TS_OK) {
        memcpy(state->body, m->saved, model->body_count * sizeof *m->saved);
        return status;
    }
    state->drift_bound = HUGE_VAL;
    report_bodies(model, state, work);
    /* energy that contacts took: what is missing of what gravity put in */
    double fall = 0;
    for (size_t i = 0; i < model->body_count; i++)
        if (state->body[i].inv_mass > 0)
            fall += (g[0] * (state->body[i].x - m->saved[i].x) + g[1] * (state->body[i].y - m->saved[i].y)) /
                    state->body[i].inv_mass;
    state->budget.lost_normal += kinetic(model, m->saved) + fall - kinetic(model, state->body);
    return TS_OK;
}

/* ---- Looking ---- */

typedef struct looking {
    const ts_model *model;
    const ts_state *state;
    const ts_workspace *work;
    ts_contact_sink *sink;
    void *context;
} looking;

static void look_batch(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    const looking *l = context;
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
    looking l = {model, state, work, sink, context};
    if (work->featured)
        ts_featured_begin(work, &state->history);
    for (int32_t block = 0; block < work->pairs.block_count; block++)
        ts_block_look(work, block, spring, wall_spring, look_batch, &l);
    return ts_featured_status(work, error);
}

const ts_resolver ts_soft_in_plane = {.search = {.at = 0},
                                      .overlap_at_start = 0.05,
                                      .stable_step = ts_soft_stable_step,
                                      .time_step = ts_soft_time_step,
                                      .resolve = resolve,
                                      .advances = true,
                                      .look = look,
                                      .open = open_memory,
                                      .close = close_memory,
                                      .bytes = memory_bytes};
