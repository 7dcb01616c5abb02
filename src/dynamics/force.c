/* SPDX-License-Identifier: MIT */
#include "dynamics/force.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "contact/featured.h"
#include "contact/hits3.h"
#include "world.h"

typedef struct memory {
    TS_ARRAY(ts_touching) touching;
    ts_status status;   /* out of memory while contacts were gathered */
    ts_vec3 (*wall)[2]; /* force on each wall in the last step, and torque about its origin [N, N·m] */
    ts_hits3 hits;      /* of space */
} memory;

static void close_memory(void *own)
{
    memory *m = own;
    if (!m)
        return;
    ts_array_free(&m->touching);
    ts_hits3_free(&m->hits);
    ts_free(m->wall);
    ts_free(m);
}

static ts_status open_memory(const ts_model *model, void **own, ts_error *error)
{
    const size_t walls = ts_model_wall_count(model) + 1;
    memory *m = ts_alloc(1, sizeof *m);
    *own = m; /* closed with the workspace, whatever happens */
    if (!m)
        return ts_fail_memory(error, sizeof *m);
    m->wall = ts_alloc(walls, sizeof *m->wall);
    return m->wall ? TS_OK : ts_fail_memory(error, walls * sizeof *m->wall);
}

static ts_status open_memory_space(const ts_model *model, void **own, ts_error *error)
{
    TS_TRY(open_memory(model, own, error));
    return ts_hits3_create(&((memory *)*own)->hits, model, error);
}

static size_t memory_bytes(const void *own, const ts_model *model)
{
    const memory *m = own;
    return sizeof *m + m->touching.capacity * sizeof *m->touching.item + ts_model_wall_count(model) * sizeof *m->wall;
}

static size_t memory_bytes_space(const void *own, const ts_model *model)
{
    return memory_bytes(own, model) + ts_hits3_bytes(&((const memory *)own)->hits, model);
}

/* What both dimensions know of a contact besides its geometry. Returns false when neither of the two can move. */
static bool know(const ts_model *model, ts_touching *t)
{
    double inv_mass = ts_model_moves(model, (size_t)t->b) ? 1 / model->mass[t->b] : 0;
    if (t->a >= 0 && ts_model_moves(model, (size_t)t->a))
        inv_mass += 1 / model->mass[t->a];
    t->mass = 1 / inv_mass;
    t->law = &model->law[ts_model_material(model, t->a) * model->material_count + ts_model_material(model, t->b)];
    return inv_mass > 0;
}

static void add(memory *m, const ts_model *model, ts_touching t, ts_error *error)
{
    if (know(model, &t) && m->status == TS_OK)
        m->status = ts_array_push(&m->touching, t, error);
}

/* ---- Contacts of the plane ---- */

typedef struct gathering {
    memory *m;
    const ts_model *model;
    const ts_workspace *work;
    ts_error *error;
} gathering;

static ts_vec3 velocity_at(const ts_frame2 *f, double x, double y)
{
    return (ts_vec3){f->vx - f->spin * y, f->vy + f->spin * x, 0};
}

static void take_batch(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    const gathering *g = context;
    const double none[2 * TS_BATCH] = {0};
    ts_contact contact[TS_BATCH];
    ts_fill_contacts(g->model, g->work, batch, source, none, contact);
    for (int k = 0; k < batch->count; k++) {
        double all = 0; /* shares of springs (contact/featured.c) do not add up to 1 */
        for (int i = 0; i < batch->count; i++)
            all += batch->shared && batch->a[i] == batch->a[k] && batch->b[i] == batch->b[k] ? batch->share[i] : 0;
        const ts_contact *c = &contact[k];
        const ts_frame2 *b = &g->work->part[batch->b[k]];
        const ts_frame2 *a = source->wall ? &g->work->wall_frame[batch->a[k]] : &g->work->part[batch->a[k]];
        const double x = 0.5 * (c->point_a[0] + c->point_b[0]), y = 0.5 * (c->point_a[1] + c->point_b[1]);
        const ts_vec3 va = velocity_at(a, x - a->x, y - a->y), vb = velocity_at(b, x - b->x, y - b->y);
        add(g->m, g->model,
            (ts_touching){.a = c->a,
                          .b = c->b,
                          .key = c->key,
                          .gap = c->gap,
                          .normal = {c->normal[0], c->normal[1], 0},
                          .point = {x, y, 0},
                          .velocity = ts_vec3_sub(vb, va),
                          .velocity_a = va,
                          .origin_a = {a->x, a->y, 0},
                          .share = batch->shared ? batch->share[k] / all : 1},
            g->error);
    }
}

/* The frames are in the workspace. */
static ts_status find_in_plane(const ts_model *model, const ts_state *state, ts_workspace *work, const double *spring,
                               const double *wall_spring, ts_error *error)
{
    memory *m = work->own;
    gathering g = {m, model, work, error};
    m->touching.count = 0;
    m->status = TS_OK;
    if (work->featured)
        ts_featured_begin(work, &state->history);
    for (int32_t block = 0; block < work->pairs.block_count; block++)
        ts_block_look(work, block, spring, wall_spring, take_batch, &g);
    TS_TRY(ts_featured_status(work, error));
    return m->status;
}

/* ---- Contacts of space ---- */

static ts_status find_in_space(const ts_model *model, const ts_state *state, ts_workspace *work, double ahead,
                               ts_error *error)
{
    memory *m = work->own;
    m->touching.count = 0;
    m->status = TS_OK;
    ts_hits3_place_ahead(&m->hits, model, state, ahead);
    TS_TRY(ts_hits3_find(&m->hits, model, work->pool, NULL, true, error));
    TS_TRY(ts_hits3_choose(&m->hits, TS_CLOSING, error));
    const ts_hit3 *hit = m->hits.hit.item;
    for (size_t k = 0, end; k < m->hits.hit.count; k = end) {
        for (end = k + 1; end < m->hits.hit.count && hit[end].a == hit[k].a && hit[end].b == hit[k].b;)
            end++;
        double all = 0;
        for (size_t i = k; i < end; i++)
            all += hit[i].weight * hit[i].share;
        for (size_t i = k; i < end; i++) {
            const ts_hit3 *h = &hit[i];
            ts_vec3 v[2], origin[2];
            for (int side = 0; side < 2; side++) {
                const int64_t owner = side ? h->b : h->a;
                const ts_frame3 *f =
                    &m->hits.frame[owner >= 0 ? (size_t)owner : model->body_count + (size_t)(-1 - owner)];
                origin[side] = f->pose.position;
                v[side] = ts_vec3_add(f->velocity, ts_vec3_cross(f->spin, ts_vec3_sub(h->point, origin[side])));
            }
            add(m, model,
                (ts_touching){.a = h->a,
                              .b = h->b,
                              .key = h->key,
                              .gap = h->gap,
                              .normal = h->normal,
                              .point = h->point,
                              .velocity = ts_vec3_sub(v[1], v[0]),
                              .velocity_a = v[0],
                              .origin_a = origin[0],
                              .share = h->weight * h->share / fmax(all, 1)},
                error);
        }
    }
    return m->status;
}

/* ---- What both do with them ---- */

static ts_vec3 force_of(const ts_model *model, const ts_touching *t)
{
    return ts_vec3_scale(model->dynamics->force(model, t), t->share);
}

/* Stored in a contact whose gap is wider by `more`; 0 where the law does not say [J]. */
static double energy_of(const ts_model *model, const ts_touching *t, double more)
{
    ts_touching wider = *t;
    wider.gap += more;
    return model->dynamics->energy ? t->share * model->dynamics->energy(model, &wider) : 0;
}

/* Forces act on bodies, and are noted for walls and for the books of energy: what a contact takes from motion and does
 * not store counts as lost, what scripts put in as work. */
static void act(const ts_model *model, ts_state *state, ts_workspace *work)
{
    memory *m = work->own;
    const double h = model->settings.time_step;
    memset(m->wall, 0, ts_model_wall_count(model) * sizeof *m->wall);
    for (size_t k = 0; k < m->touching.count; k++) {
        const ts_touching *t = &m->touching.item[k];
        const ts_vec3 on_b = force_of(model, t), on_a = ts_vec3_neg(on_b);
        model->world->push(model, state, work, (size_t)t->b, on_b, t->point);
        if (t->a >= 0)
            model->world->push(model, state, work, (size_t)t->a, on_a, t->point);
        else {
            ts_vec3 *wall = m->wall[-1 - t->a];
            wall[0] = ts_vec3_add(wall[0], on_a);
            wall[1] = ts_vec3_add(wall[1], ts_vec3_cross(ts_vec3_sub(t->point, t->origin_a), on_a));
        }
        const double opens = h * ts_vec3_dot(t->normal, t->velocity);
        const double stored = energy_of(model, t, 0.5 * opens) - energy_of(model, t, -0.5 * opens);
        state->budget.lost_normal -= h * ts_vec3_dot(on_b, t->velocity) + stored;
        if (t->a < 0 || !ts_model_moves(model, (size_t)t->a))
            state->budget.work += h * ts_vec3_dot(on_b, t->velocity_a);
        if (!ts_model_moves(model, (size_t)t->b))
            state->budget.work += h * ts_vec3_dot(on_a, ts_vec3_add(t->velocity, t->velocity_a));
        ts_note_overlap(work, -t->gap, -t->gap / ts_model_radius(model, (size_t)t->b), t->b);
    }
    work->contact_sum += m->touching.count;
}

static void show(const ts_model *model, const ts_workspace *work, ts_contact_sink *sink, void *context)
{
    const memory *m = work->own;
    for (size_t k = 0; k < m->touching.count; k++) {
        const ts_touching *t = &m->touching.item[k];
        const ts_vec3 n = t->normal, f = force_of(model, t), a = ts_vec3_add_scaled(t->point, n, -0.5 * t->gap),
                      b = ts_vec3_add_scaled(t->point, n, 0.5 * t->gap);
        sink(context,
             &(ts_contact){.a = t->a,
                           .b = t->b,
                           .key = t->key,
                           .gap = t->gap,
                           .normal = {n.x, n.y, n.z},
                           .point_a = {a.x, a.y, a.z},
                           .point_b = {b.x, b.y, b.z},
                           .weight = t->share,
                           .force = {f.x, f.y, f.z}},
             1);
    }
}

/* Of a contact that was shown: velocities are not known any more, and no energy depends on them. */
static double energy(const ts_model *model, const ts_contact *c)
{
    const double *a = c->point_a, *b = c->point_b;
    ts_touching t = {.a = c->a,
                     .b = c->b,
                     .key = c->key,
                     .gap = c->gap,
                     .normal = {c->normal[0], c->normal[1], c->normal[2]},
                     .point = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])},
                     .share = c->weight};
    return know(model, &t) ? energy_of(model, &t, 0) : 0;
}

static void wall_force(const ts_workspace *work, size_t wall, double force[3], double torque[3])
{
    const memory *m = work->own;
    const ts_vec3 f = m->wall[wall][0], t = m->wall[wall][1];
    memcpy(force, (double[3]){f.x, f.y, f.z}, 3 * sizeof *force);
    memcpy(torque, (double[3]){t.x, t.y, t.z}, 3 * sizeof *torque);
}

/* ---- While a scene is compiled ---- */

/* Bodies may overlap by this share of the smaller one's size when a run begins: a law needs overlaps to push at all. */
#define OVERLAP_AT_START 0.05
/* Share of the smallest body that the fastest goes in a derived time step: an overlap grows over many steps. */
#define WAY_SHARE 0.01

static double time_step(const ts_compiling *c, const char **reason)
{
    *reason = "the fastest body's way through the smallest sets";
    const double way = WAY_SHARE * ts_smallest_free(c->model) / c->look.speed;
    return c->look.speed > 0 ? fmin(way, 0.5 * c->model->stable_step) : HUGE_VAL;
}

/* ---- The two rows ---- */

static ts_status resolve_in_plane(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    TS_TRY(find_in_plane(model, state, work, state->spring, state->wall_spring, error));
    act(model, state, work);
    return TS_OK;
}

static ts_status look_in_plane(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                               void *context, ts_error *error)
{
    const double *spring, *wall_spring;
    TS_TRY(ts_plane_view(model, state, work, &spring, &wall_spring, error));
    TS_TRY(find_in_plane(model, state, work, spring, wall_spring, error));
    show(model, work, sink, context);
    return TS_OK;
}

static ts_status resolve_in_space(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    TS_TRY(find_in_space(model, state, work, 0.5 * model->settings.time_step, error));
    act(model, state, work);
    return TS_OK;
}

static ts_status look_in_space(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                               void *context, ts_error *error)
{
    TS_TRY(find_in_space(model, state, work, 0, error));
    show(model, work, sink, context);
    return TS_OK;
}

const ts_resolver ts_force_in_plane = {.search = {.at = 0.5},
                                       .overlap_at_start = OVERLAP_AT_START,
                                       .time_step = time_step,
                                       .resolve = resolve_in_plane,
                                       .look = look_in_plane,
                                       .energy = energy,
                                       .wall_force = wall_force,
                                       .open = open_memory,
                                       .close = close_memory,
                                       .bytes = memory_bytes};

const ts_resolver ts_force_in_space = {.search = {.at = 0.5},
                                       .overlap_at_start = OVERLAP_AT_START,
                                       .time_step = time_step,
                                       .resolve = resolve_in_space,
                                       .look = look_in_space,
                                       .energy = energy,
                                       .wall_force = wall_force,
                                       .open = open_memory_space,
                                       .close = close_memory,
                                       .bytes = memory_bytes_space};
