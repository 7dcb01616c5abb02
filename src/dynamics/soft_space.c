/* SPDX-License-Identifier: MIT */
/* Soft-step in space. See soft.h for the method, soft_space.h for what the kernels work on.
 *
 * Bodies that touch, or may before places are found again, move in sub-steps at an angular velocity ω that only impulses
 * change, with the inverse inertia that they had when places were found. It begins as that of their attitude half-way
 * to the next finding. Their angular momentum L changes by the moments of impulses alone, I Δω, and gives the next ω.
 * All others fly (body/flight.h).
 *
 * Impulses of the sub-step before act again in halves, as gravity does (velocity Verlet): before bodies move, and where
 * their places have gone then (TS_SOFT_FOLLOW). Acting in whole before, friction would bring what turns about a centre
 * inwards by half of its acceleration times the sub-step, and add to its speed. Both are passes of their own: momenta are
 * those of impulses at one point, and angular momentum is kept. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/kernel.h"
#include "base/memory.h"
#include "body/spring.h"
#include "dynamics/soft.h"
#include "dynamics/soft_space_parts.h"
#include "dynamics/weight.h"
#include "world.h"

TS_KERNEL_CHOOSER(ts_soft3_kernels, ts_soft3)

/* Frames that one task takes. */
enum { FRAME_CHUNK = 512, LANES = TS_SOFT3_LANES };

/* ---- Memory ---- */

static void close_memory(void *own)
{
    ts_soft3 *m = own;
    if (!m)
        return;
    for (size_t i = 0; i < m->chunk_count; i++)
        ts_array_free(&m->chunk[i].list);
    for (size_t i = 0; i < m->touch_count; i++)
        ts_array_free(&m->touch[i]);
    void *plain[] = {m->velocity,    m->before, m->pose, m->inv_mass, m->inv_inertia, m->spin,
                     m->material,    m->falls,  m->goes, m->sleeps,   m->rests,       m->speed,
                     m->restitution, m->saved,  m->wall, m->chunk,    m->touch,       m->heat.stamp};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        ts_free(plain[i]);
    ts_verlet3_free(&m->list);
    ts_colouring_free(&m->colours);
    ts_soft_sleep_close(&m->sleep);
    ts_array_free(&m->place);
    ts_array_free(&m->past);
    ts_array_free(&m->past_begin);
    ts_array_free(&m->order);
    ts_array_free(&m->group);
    ts_array_free(&m->form);
    ts_array_free(&m->row);
    ts_array_free(&m->sum);
    ts_free(m);
}

static ts_status create(ts_soft3 *m, const ts_model *model, ts_error *error)
{
    TS_TRY(ts_verlet3_create(&m->list, model, error));
    const size_t n = m->list.frame_count + 1;
    m->kernels = ts_soft3_choose();
    m->frame_count = m->heat.count = n;
    TS_TRY(ts_new(&m->heat.stamp, n, error));
    TS_TRY(ts_new(&m->velocity, n, error));
    TS_TRY(ts_new(&m->before, n, error));
    TS_TRY(ts_new(&m->pose, n, error));
    TS_TRY(ts_new(&m->inv_mass, n, error));
    TS_TRY(ts_new(&m->inv_inertia, n, error));
    TS_TRY(ts_new(&m->spin, n, error));
    TS_TRY(ts_new(&m->material, n, error));
    TS_TRY(ts_new(&m->falls, n, error));
    TS_TRY(ts_new(&m->goes, n, error));
    TS_TRY(ts_new(&m->sleeps, n, error));
    TS_TRY(ts_new(&m->rests, n, error));
    TS_TRY(ts_soft_sleep_open(&m->sleep, model, error));
    if (m->sleep.on)
        TS_TRY(ts_new(&m->speed, model->body_count, error));
    TS_TRY(ts_new(&m->saved, model->body_count, error));
    TS_TRY(ts_new(&m->wall, model->wall_count + 1, error));
    for (size_t f = 0; f + 1 < n; f++) {
        const int64_t owner = ts_verlet3_owner(&m->list, (int32_t)f);
        m->material[f] = (uint8_t)ts_model_material(model, owner);
        m->inv_mass[f] = owner >= 0 ? model->body3[owner].inv_mass : 0;
    }
    m->pose[n - 1].qw = 1;
    return ts_soft_restitutions(model, &m->restitution, error);
}

static ts_status open_memory(const ts_model *model, void **own, ts_error *error)
{
    *own = ts_alloc(1, sizeof(ts_soft3));
    if (!*own)
        return ts_fail_memory(error, sizeof(ts_soft3));
    ts_status status = create(*own, model, error);
    if (status != TS_OK) {
        close_memory(*own);
        *own = NULL;
    }
    return status;
}

static size_t memory_bytes(const void *own, const ts_model *model)
{
    const ts_soft3 *m = own;
    size_t bytes = sizeof *m + ts_verlet3_bytes(&m->list) + ts_colouring_bytes(&m->colours) +
                   m->frame_count * (2 * sizeof *m->velocity + sizeof *m->pose + sizeof *m->inv_mass +
                                     sizeof *m->inv_inertia + sizeof *m->spin + 6) +
                   model->body_count * (sizeof *m->saved + (m->speed ? sizeof *m->speed : 0)) +
                   ts_soft_sleep_bytes(&m->sleep, model) + m->chunk_count * sizeof *m->chunk +
                   m->place.capacity * sizeof *m->place.item + m->past.capacity * sizeof *m->past.item +
                   m->group.capacity * sizeof *m->group.item +
                   m->row.capacity * (sizeof *m->form.item + sizeof *m->row.item + sizeof *m->sum.item);
    for (size_t i = 0; i < m->chunk_count; i++)
        bytes += m->chunk[i].list.capacity * sizeof *m->chunk[i].list.item;
    return bytes;
}

/* ---- Bodies ---- */

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

static void put3(double to[3], ts_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static ts_rigid rigid_of(const ts_body3 *b)
{
    const double *q = b->attitude;
    return (ts_rigid){
        {vec_of(b->position), {q[0], q[1], q[2], q[3]}}, vec_of(b->velocity), vec_of(b->angular_momentum)};
}

static void put_rigid(ts_body3 *b, const ts_rigid *r)
{
    const ts_quat q = r->pose.quat;
    put3(b->position, r->pose.position);
    memcpy(b->attitude, (double[4]){q.w, q.x, q.y, q.z}, sizeof b->attitude);
    put3(b->velocity, r->velocity);
    put3(b->angular_momentum, r->angular_momentum);
}

static void put_frame(ts_soft3 *m, size_t frame, ts_pose3 pose, ts_vec3 v, ts_vec3 w)
{
    const ts_vec3 x = pose.position;
    const ts_quat q = pose.quat;
    m->pose[frame] = (ts_soft3_pose){x.x, x.y, x.z, 0, q.w, q.x, q.y, q.z};
    m->velocity[frame] = (ts_soft3_velocity){v.x, v.y, v.z, 0, w.x, w.y, w.z, 0};
}

static ts_vec3 spin_of(const ts_soft3_velocity *v)
{
    return (ts_vec3){v->wx, v->wy, v->wz};
}

static void load_body(ts_soft3 *m, const ts_model *model, const ts_state *state, size_t slot)
{
    const size_t i = (size_t)m->list.body_of[slot];
    const ts_rigid r = rigid_of(&state->body3[i]);
    put_frame(m, slot, r.pose, r.velocity, ts_inertia_spin(&model->inertia[i], r.pose.quat, r.angular_momentum));
}

/* Bodies and walls where they are when the step begins. Those that are driven go on from there at the velocities that
 * take them to where they belong at its end. */
static void load_frames(ts_soft3 *m, const ts_model *model, const ts_state *state)
{
    const double begin = ts_time_of_step(model, state->step);
    for (size_t slot = 0; slot < m->list.body_count; slot++)
        load_body(m, model, state, slot);
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall *wall = &model->wall[i];
        ts_pose3 pose = wall->pose;
        ts_vec3 linear = {0, 0, 0}, spin = {0, 0, 0};
        if (wall->motion >= 0) {
            const ts_motion *motion = &model->motion[wall->motion];
            pose = ts_motion_pose3(motion, wall->pose, begin);
            ts_motion_velocity(motion, wall->pose, begin, model->settings.time_step, &linear, &spin);
        }
        put_frame(m, m->list.body_count + i, pose, linear, spin);
    }
}

static bool is_absent(double open, double close, double time)
{
    return open <= time && time < close;
}

/* Frames for the list. */
static void place_frames(ts_soft3 *m, const ts_model *model, double time)
{
    ts_verlet3 *list = &m->list;
    for (size_t f = 0; f < list->frame_count; f++) {
        const ts_pose3 pose = ts_soft3_pose_of(m, (int32_t)f);
        list->place[f].x = pose.position.x;
        list->place[f].y = pose.position.y;
        list->place[f].z = pose.position.z;
        list->pose[f] = pose;
    }
    for (size_t i = 0; i < model->wall_count; i++) {
        const size_t f = list->body_count + i;
        list->present[f] = !is_absent(model->wall[i].open, model->wall[i].close, time);
        list->turning[f] = ts_vec3_length_squared(spin_of(&m->velocity[f])) > 0;
    }
    for (size_t f = 0; model->body_gate && f < list->body_count; f++) {
        const int32_t gate = model->body_gate[list->body_of[f]];
        list->present[f] = gate < 0 || !is_absent(model->gate[gate].open, model->gate[gate].close, time);
    }
}

/* ---- Rows ---- */

static void put_lane(double to[3][LANES], int lane, ts_vec3 v)
{
    to[0][lane] = v.x;
    to[1][lane] = v.y;
    to[2][lane] = v.z;
}

static void put_impulses(const ts_soft3 *m, ts_soft3_row *r, int lane, const ts_soft3_place *p)
{
    r->normal[lane] = m->step * p->value[TS_SOFT3_NORMAL];
    put_lane(r->tangent, lane, ts_vec3_scale(vec_of(p->value + TS_SOFT3_TANGENT), m->step));
}

static void fill_lane(ts_soft3 *m, const ts_soft3_group *g, int lane, const ts_coloured_pair *pair)
{
    for (uint32_t i = 0; i < pair->count; i++) {
        const ts_soft3_place *p = &m->place.item[pair->first + i];
        ts_soft3_form *f = &m->form.item[g->row + (int32_t)i];
        ts_soft3_row *r = &m->row.item[g->row + (int32_t)i];
        put_lane(f->a, lane, p->la);
        put_lane(f->b, lane, p->lb);
        put_lane(f->n, lane, p->n);
        f->ra[lane] = p->ra;
        f->rb[lane] = p->rb;
        f->of_b[lane] = p->of_b;
        f->round[lane] = p->round;
        f->axial[lane] = p->axial;
        put_lane(f->rim_axis, lane, p->rim_axis);
        put_lane(f->rim_centre, lane, p->rim_centre);
        f->rim_cos[lane] = ts_soft3_rim_cos(p);
        f->rim_sin[lane] = ts_soft3_rim_sin(p);
        f->restitution[lane] = p->restitution;
        r->friction[lane] = p->friction;
        r->share[lane] = ts_weight_share(p->weight);
        put_impulses(m, r, lane, p);
    }
}

/* Inertias as bodies have turned by now. */
static void put_inertias(const ts_soft3 *m, ts_soft3_group *g, int lane)
{
    for (int i = 0; i < 6; i++) {
        g->inv_inertia_a[i][lane] = m->inv_inertia[g->a[lane]].m[i];
        g->inv_inertia_b[i][lane] = m->inv_inertia[g->b[lane]].m[i];
    }
}

static ts_status add_group(ts_soft3 *m, const uint32_t *order, uint32_t count, ts_error *error)
{
    const ts_coloured_pair *pair = m->colours.pair.item;
    const size_t rows = ts_coloured_rows(pair, order, count), first = m->row.count;
    TS_TRY(ts_array_reserve(&m->row, first + rows, error));
    TS_TRY(ts_array_reserve(&m->form, first + rows, error));
    TS_TRY(ts_array_reserve(&m->sum, first + rows, error));
    TS_TRY(ts_array_reserve(&m->group, m->group.count + 1, error));
    memset(m->row.item + first, 0, rows * sizeof *m->row.item);
    memset(m->form.item + first, 0, rows * sizeof *m->form.item);
    memset(m->sum.item + first, 0, rows * sizeof *m->sum.item);
    m->row.count = m->form.count = m->sum.count = first + rows;
    ts_soft3_group *g = &m->group.item[m->group.count++];
    *g = (ts_soft3_group){.row = (int32_t)first, .count = (int32_t)rows};
    for (int lane = 0; lane < LANES; lane++) {
        g->a[lane] = g->b[lane] = (int32_t)m->frame_count - 1;
        if ((uint32_t)lane >= count)
            continue;
        const ts_soft3_place *p = &m->place.item[pair[order[lane]].first];
        g->a[lane] = p->a;
        g->b[lane] = p->b;
        g->inv_mass_a[lane] = m->inv_mass[p->a];
        g->inv_mass_b[lane] = m->inv_mass[p->b];
        put_inertias(m, g, lane);
        g->heavier[lane] = ts_soft_heavier(m->inv_mass[p->a], m->inv_mass[p->b]);
        g->stiffer[lane] = m->inv_mass[p->a] > 0 && m->inv_mass[p->b] > 0 ? 0 : 1;
        g->fixed |= g->stiffer[lane] > 0;
        g->bounces |= p->restitution > 0;
        fill_lane(m, g, lane, &pair[order[lane]]);
    }
    m->bounces |= g->bounces;
    return TS_OK;
}

/* The angular velocity at which a body turns for `time`: that of its attitude half-way, by the implicit midpoint rule.
 * With that of the beginning what spins and touches would gain energy. */
static ts_vec3 spin_for(const ts_inertia *inertia, const ts_rigid *r, ts_vec3 spin, double time)
{
    if (inertia->kind == TS_INERTIA_BALL || !(ts_vec3_length_squared(spin) * (time * time) > 1e-16))
        return spin;
    for (int i = 0; i < 3; i++) {
        const ts_quat middle = ts_quat_mul(ts_quat_exp(ts_vec3_scale(spin, 0.5 * time)), r->pose.quat);
        spin = ts_inertia_spin(inertia, middle, r->angular_momentum);
    }
    return spin;
}

/* A body as sub-steps have it, for `time`. */
static void prepare_body(ts_soft3 *m, const ts_model *model, const ts_state *state, size_t slot, double time)
{
    const size_t body = (size_t)m->list.body_of[slot];
    const ts_inertia *inertia = &model->inertia[body];
    const ts_rigid r = rigid_of(&state->body3[body]);
    ts_soft3_velocity *v = &m->velocity[slot];
    const ts_vec3 w = spin_for(inertia, &r, spin_of(v), time);
    const ts_mat3 i = ts_inertia_inverse(inertia, r.pose.quat);
    v->wx = w.x;
    v->wy = w.y;
    v->wz = w.z;
    m->spin[slot] = w;
    m->inv_inertia[slot] = (ts_soft3_inertia){{i.m[0][0], i.m[1][1], i.m[2][2], i.m[0][1], i.m[0][2], i.m[1][2]}};
}

/* Which bodies go in sub-steps, for `time`: those of places and of springs. */
static void choose_bodies(ts_soft3 *m, const ts_model *model, const ts_state *state, double time)
{
    memset(m->falls, 0, m->frame_count);
    for (size_t i = 0; i < m->place.count; i++)
        m->falls[m->place.item[i].a] = m->falls[m->place.item[i].b] = 1;
    for (size_t i = 0; i < model->spring_count; i++) {
        m->falls[ts_verlet3_frame(&m->list, model->spring[i].b)] = 1;
        if (model->spring[i].a >= 0)
            m->falls[ts_verlet3_frame(&m->list, model->spring[i].a)] = 1;
    }
    for (size_t f = 0; f < m->frame_count; f++) {
        m->falls[f] = m->falls[f] && m->inv_mass[f] > 0;
        m->goes[f] = m->falls[f] || (!(m->inv_mass[f] > 0) && !m->sleeps[f]);
        if (m->falls[f])
            prepare_body(m, model, state, f, time);
    }
}

static ts_status make_rows(ts_soft3 *m, ts_error *error)
{
    ts_colouring *c = &m->colours;
    c->pair.count = 0;
    for (size_t k = 0, end; k < m->place.count; k = end) {
        const ts_soft3_place *p = &m->place.item[k];
        for (end = k + 1; end < m->place.count && m->place.item[end].a == p->a && m->place.item[end].b == p->b;)
            end++;
        const ts_coloured_pair pair = {m->inv_mass[p->a] > 0 ? p->a : -1, m->inv_mass[p->b] > 0 ? p->b : -1,
                                       (uint32_t)k, (uint32_t)(end - k)};
        if (pair.a >= 0 || pair.b >= 0)
            TS_TRY(ts_array_push(&c->pair, pair, error));
    }
    TS_TRY(ts_colouring_make(c, m->list.body_count, error));
    m->group.count = m->row.count = m->form.count = m->sum.count = 0;
    m->bounces = false;
    for (int colour = 0; colour < TS_COLOURS; colour++) {
        m->group_begin[colour] = (int32_t)m->group.count;
        const uint32_t lanes = colour == TS_COLOUR_ALONE ? 1 : LANES;
        for (uint32_t i = c->begin[colour], end = c->begin[colour + 1]; i < end; i += lanes)
            TS_TRY(add_group(m, &c->order.item[i], end - i < lanes ? end - i : lanes, error));
    }
    m->group_begin[TS_COLOURS] = (int32_t)m->group.count;
    return TS_OK;
}

/* ---- Frames ---- */

typedef struct frame_job {
    ts_soft3 *m;
    const ts_soft3_task *task;
    bool drift; /* otherwise: kick */
} frame_job;

static void run_frames(void *context, int chunk, int thread)
{
    (void)thread;
    const frame_job *job = context;
    ts_soft3 *m = job->m;
    const int32_t begin = chunk * FRAME_CHUNK, last = begin + FRAME_CHUNK, count = (int32_t)m->frame_count,
                  end = last < count ? last : count;
    if (job->drift)
        m->kernels->drift(job->task, m->goes, m->pose, begin, end);
    else
        m->kernels->kick(job->task, m->falls, begin, end);
}

static void move_frames(const ts_workspace *work, const ts_soft3_task *task, bool drift)
{
    ts_soft3 *m = work->own;
    frame_job job = {m, task, drift};
    ts_pool_run(work->pool, ((int)m->frame_count + FRAME_CHUNK - 1) / FRAME_CHUNK, run_frames, &job);
}

/* ---- Sub-steps ---- */

/* A force at a point pulls a frame for `time`. What is driven works against it. */
static void pull_frame(ts_soft3 *m, int32_t f, ts_vec3 force, ts_vec3 point, double time)
{
    const ts_soft3_pose *at = &m->pose[f];
    const ts_vec3 torque = ts_vec3_cross((ts_vec3){point.x - at->x, point.y - at->y, point.z - at->z}, force),
                  t = ts_vec3_scale(torque, time);
    const double *i = m->inv_inertia[f].m, share = time * m->inv_mass[f];
    ts_soft3_velocity *v = &m->velocity[f];
    if (!(m->inv_mass[f] > 0)) {
        m->work -= time * (ts_vec3_dot(force, (ts_vec3){v->x, v->y, v->z}) + ts_vec3_dot(torque, spin_of(v)));
        return;
    }
    v->x += share * force.x;
    v->y += share * force.y;
    v->z += share * force.z;
    v->wx += i[0] * t.x + i[3] * t.y + i[4] * t.z;
    v->wy += i[3] * t.x + i[1] * t.y + i[5] * t.z;
    v->wz += i[4] * t.x + i[5] * t.y + i[2] * t.z;
}

/* Springs pull for `time` at the poses as they are. */
static void pull_springs(ts_soft3 *m, const ts_model *model, double time)
{
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        const int32_t a = s->a >= 0 ? ts_verlet3_frame(&m->list, s->a) : -1, b = ts_verlet3_frame(&m->list, s->b);
        const ts_pull pull =
            ts_spring_pull(s, a >= 0 ? ts_soft3_pose_of(m, a) : ts_pose3_identity(), ts_soft3_pose_of(m, b));
        if (a >= 0)
            pull_frame(m, a, pull.force, pull.point_a, time);
        pull_frame(m, b, ts_vec3_neg(pull.force), pull.point_b, time);
    }
}

/* What is driven gets its mean velocity from `time` to time + h. One velocity for the whole step would change by jumps
 * that friction cannot follow. */
static void drive_frames(ts_soft3 *m, const ts_model *model, double time, double h)
{
    for (size_t f = 0; f < m->list.frame_count; f++) {
        const int64_t owner = ts_verlet3_owner(&m->list, (int32_t)f);
        const ts_wall *wall = owner < 0 ? &model->wall[-1 - owner] : NULL;
        const int32_t motion = wall ? wall->motion : model->body_motion ? model->body_motion[owner] : -1;
        ts_vec3 linear, spin;
        if (motion < 0)
            continue;
        ts_motion_velocity(&model->motion[motion], wall ? wall->pose : rigid_of(&model->body3[owner]).pose, time, h,
                           &linear, &spin);
        put_frame(m, f, ts_soft3_pose_of(m, (int32_t)f), linear, spin);
    }
}

/* From `time` on. */
static void sub_step(const ts_model *model, const ts_workspace *work, const ts_soft3_task *task, double time)
{
    ts_soft3 *m = work->own;
    const ts_soft_runner runner = {.pool = work->pool,
                                   .kernel = m->kernels->pass,
                                   .task = task,
                                   .group_begin = m->group_begin,
                                   .colour_count = m->colours.colour_count,
                                   .follow_strikes = true};
    if (task->mean)
        drive_frames(m, model, time, task->step);
    if (m->bounces)
        memcpy(m->before, m->velocity, m->frame_count * sizeof *m->before);
    pull_springs(m, model, 0.5 * task->step);
    move_frames(work, task, false);
    if (m->bounces)
        ts_soft_run(&runner, TS_SOFT_NOTE);
    ts_soft_run(&runner, TS_SOFT_WARM);
    ts_soft_push(&runner, task->heat);
    move_frames(work, task, true);
    pull_springs(m, model, 0.5 * task->step);
    if (task->mean) { /* what is driven has its velocity at the end from here on */
        memcpy(m->before, m->velocity, m->frame_count * sizeof *m->before);
        drive_frames(m, model, time + 0.5 * task->step, task->step);
    }
    move_frames(work, task, false);
    ts_soft_run(&runner, TS_SOFT_FOLLOW);
    ts_soft_relax(&runner, task->heat, ts_soft_param_of(model)->relaxations);
    if (m->bounces)
        ts_soft_run(&runner, TS_SOFT_BOUNCE);
}

/* ---- After a finding ---- */

static double size_of(const ts_soft3 *m, const ts_model *model, int32_t frame)
{
    const int64_t owner = ts_verlet3_owner(&m->list, frame);
    return owner >= 0 ? model->form[model->body_form[owner]].inner : HUGE_VAL;
}

static ts_vec3 lane_of(const double from[3][LANES], int lane)
{
    return (ts_vec3){from[0][lane], from[1][lane], from[2][lane]};
}

/* What acts on what nothing can move: force on walls, and work of what is driven. */
static void add_reaction(ts_soft3 *m, const ts_model *model, const ts_soft3_place *p, const ts_soft3_sum *s, int lane)
{
    const bool of_a = !(m->inv_mass[p->a] > 0);
    const int32_t frame = of_a ? p->a : p->b;
    const double sign = of_a ? -1 : 1; /* impulses are those on B */
    const ts_vec3 impulse = ts_vec3_scale(lane_of(s->impulse, lane), sign),
                  moment = ts_vec3_scale(lane_of(s->moment, lane), sign);
    m->work += s->work[lane];
    if ((size_t)frame < m->list.body_count)
        return;
    ts_soft3_wrench *w = &m->wall[(size_t)frame - m->list.body_count];
    w->force = ts_vec3_add_scaled(w->force, impulse, 1 / model->settings.time_step);
    w->torque = ts_vec3_add_scaled(w->torque, moment, 1 / model->settings.time_step);
}

static void read_row(ts_soft3 *m, const ts_model *model, ts_workspace *work, ts_soft3_place *p, int32_t row, int lane,
                     bool first)
{
    ts_soft3_row *r = &m->row.item[row];
    const ts_soft3_sum *s = &m->sum.item[row];
    const double overlap = -r->gap[lane];
    const double full = model->settings.time_step / (double)ts_soft_param_of(model)->sub_steps,
                 lasts = ts_soft_lasting(r->normal[lane], m->step, full, p->value[TS_SOFT3_NORMAL]) / m->step;
    p->value[TS_SOFT3_NORMAL] = r->normal[lane] * lasts;
    put3(p->value + TS_SOFT3_TANGENT, ts_vec3_scale(lane_of(r->tangent, lane), lasts));
    m->touching += overlap > 0 || r->normal[lane] > 0;
    if (!(r->normal[lane] > 0)) /* as one that is not known (ts_soft3_keep) */
        memset(p->value, 0, TS_SOFT3_SUM_NORMAL * sizeof *p->value);
    if (first) /* they were those of the step before */
        memset(p->value + TS_SOFT3_SUM_NORMAL, 0, (TS_SOFT3_VALUES - TS_SOFT3_SUM_NORMAL) * sizeof *p->value);
    p->value[TS_SOFT3_SUM_NORMAL] += s->normal[lane];
    put3(p->value + TS_SOFT3_SUM_TANGENT,
         ts_vec3_add(vec_of(p->value + TS_SOFT3_SUM_TANGENT), lane_of(s->tangent, lane)));
    /* the row goes on with what the history has, rounding and all, as one that is made from it does */
    put_impulses(m, r, lane, p);
    if (overlap > work->deepest.overlap) {
        const double a = size_of(m, model, p->a), b = size_of(m, model, p->b);
        ts_note_overlap(work, overlap, overlap / fmin(a, b), m->list.body_of[a < b ? p->a : p->b]);
    }
    if (!(m->inv_mass[p->a] > 0) || !(m->inv_mass[p->b] > 0))
        add_reaction(m, model, p, s, lane);
}

/* Writes what rows have come to back to places. `first`: they are those of the first finding of a step. */
static void read_rows(ts_soft3 *m, const ts_model *model, ts_workspace *work, bool first)
{
    const ts_colouring *c = &m->colours;
    size_t group = 0;
    for (int colour = 0; colour < TS_COLOURS; colour++) {
        const uint32_t lanes = colour == TS_COLOUR_ALONE ? 1 : LANES;
        for (uint32_t i = c->begin[colour], end = c->begin[colour + 1]; i < end; i += lanes, group++)
            for (uint32_t lane = 0; lane < lanes && i + lane < end; lane++) {
                const ts_coloured_pair *pair = &c->pair.item[c->order.item[i + lane]];
                for (uint32_t k = 0; k < pair->count; k++)
                    read_row(m, model, work, &m->place.item[pair->first + k], m->group.item[group].row + (int32_t)k,
                             (int)lane, first);
            }
    }
}

typedef struct going {
    ts_soft3 *m;
    const ts_model *model;
    ts_state *state;
    ts_chunk_report *report;
    double time; /* since places were found [s] */
    double step; /* of a sub-step [s] */
} going;

/* A body becomes the state's again. Returns whether it can go on. */
static bool go_on(const going *g, size_t slot)
{
    ts_soft3 *m = g->m;
    const size_t i = (size_t)m->list.body_of[slot];
    ts_body3 *b = &g->state->body3[i];
    const ts_inertia *inertia = &g->model->inertia[i];
    ts_rigid r = rigid_of(b);
    if (m->falls[slot]) {
        const ts_soft3_velocity *v = &m->velocity[slot];
        const ts_vec3 turn = ts_vec3_sub(spin_of(v), m->spin[slot]);
        r.angular_momentum = ts_vec3_add(r.angular_momentum, ts_inertia_momentum(inertia, r.pose.quat, turn));
        r.pose = ts_soft3_pose_of(m, (int32_t)slot);
        r.velocity = (ts_vec3){v->x, v->y, v->z};
    } else if (ts_flight_drift(inertia, g->model->gravity, g->time, &r, NULL) != TS_OK) {
        return false;
    }
    put_rigid(b, &r);
    load_body(m, g->model, g->state, slot);
    const double way = ts_vec3_length(r.velocity) * g->step;
    /* 0 · L is NaN unless it is finite, and a NaN fails the comparison */
    return way + 0 * ts_vec3_length(r.angular_momentum) + 0 * ts_vec3_length(r.pose.position) <= b->radius;
}

static void go_chunk(void *context, int task, int thread)
{
    (void)thread;
    const going *g = context;
    const size_t begin = (size_t)task * TS_BODY_CHUNK, count = g->m->list.body_count;
    ts_chunk_report *report = &g->report[task];
    *report = (ts_chunk_report){.runaway = -1};
    for (size_t slot = begin; slot < begin + TS_BODY_CHUNK && slot < count; slot++)
        if (g->m->inv_mass[slot] > 0 && !go_on(g, slot) && report->runaway < 0)
            report->runaway = g->m->list.body_of[slot];
}

static ts_status fail_runaway(const ts_model *model, const ts_state *state, int64_t body, ts_error *error)
{
    const ts_body3 *b = &state->body3[body];
    return ts_fail(
        error, TS_DIVERGED,
        "body %lld moves at %.4g m/s at t = %.9g s (step %llu), more than its radius of %.3g m in a sub-step, or "
        "turns too fast; %s",
        (long long)body, ts_vec3_length(vec_of(b->velocity)), ts_state_time(state), (unsigned long long)state->step,
        b->radius, ts_step_advice(model).text);
}

static ts_status store_bodies(const ts_model *model, ts_state *state, ts_workspace *work, double time, double step,
                              ts_error *error)
{
    going g = {work->own, model, state, work->chunk, time, step};
    ts_pool_run(work->pool, (int)work->chunk_count, go_chunk, &g);
    for (size_t c = 0; c < work->chunk_count; c++)
        if (work->chunk[c].runaway >= 0)
            return fail_runaway(model, state, work->chunk[c].runaway, error);
    return TS_OK;
}

/* What is driven has gone on with its frame: springs that are tied to it hold the energy that they have there. */
static void store_driven(const ts_model *model, ts_state *state, const ts_soft3 *m)
{
    for (size_t slot = 0; model->body_motion && slot < m->list.body_count; slot++) {
        ts_body3 *b = &state->body3[m->list.body_of[slot]];
        ts_rigid r = rigid_of(b);
        r.pose = ts_soft3_pose_of(m, (int32_t)slot);
        if (model->body_motion[m->list.body_of[slot]] >= 0)
            put_rigid(b, &r);
    }
}

/* ---- Sleeping ---- */

static int32_t link_end(const ts_soft3 *m, int32_t frame)
{
    if (m->inv_mass[frame] > 0 || m->sleeps[frame])
        return (int32_t)ts_verlet3_owner(&m->list, frame);
    const ts_soft3_velocity *v = &m->velocity[frame];
    const bool moves = v->x != 0 || v->y != 0 || v->z != 0 || v->wx != 0 || v->wy != 0 || v->wz != 0;
    return moves ? TS_LINK_DRIVEN : TS_LINK_FIXED;
}

/* What sleeps has no inverse mass or inertia: nothing moves it. */
static void load_sleep(ts_soft3 *m, const ts_model *model, const ts_state *state)
{
    bool any = false;
    for (size_t slot = 0; slot < m->list.body_count; slot++) {
        const int64_t body = m->list.body_of[slot];
        m->sleeps[slot] = ts_soft_asleep(state, body);
        m->inv_mass[slot] = m->sleeps[slot] ? 0 : model->body3[body].inv_mass;
        if (m->sleeps[slot])
            m->inv_inertia[slot] = (ts_soft3_inertia){0};
        any |= m->sleeps[slot];
    }
    for (size_t f = 0; f < m->list.frame_count; f++)
        m->rests[f] = any && (m->sleeps[f] || link_end(m, (int32_t)f) == TS_LINK_FIXED);
}

/* What pressed, and `places`, which may be none, that are found now. */
static ts_status link_frames(ts_soft3 *m, size_t places, ts_error *error)
{
    TS_TRY(ts_array_reserve(&m->sleep.link, m->past.count + places, error));
    m->sleep.link.count = 0;
    for (size_t i = 0; i < m->past.count; i++)
        if (m->past.item[i].value[TS_SOFT3_NORMAL] > 0)
            m->sleep.link.item[m->sleep.link.count++] =
                (ts_soft_link){link_end(m, m->past.item[i].a), link_end(m, m->past.item[i].b), true};
    for (size_t i = 0; i < places; i++)
        m->sleep.link.item[m->sleep.link.count++] =
            (ts_soft_link){link_end(m, m->place.item[i].a), link_end(m, m->place.item[i].b), false};
    return TS_OK;
}

static bool wakes(const ts_soft3 *m, const ts_state *state, int32_t frame)
{
    return (size_t)frame < m->list.body_count && m->sleeps[frame] && !ts_soft_asleep(state, m->list.body_of[frame]);
}

/* Impulses of what wakes are those of the step in which it fell asleep. */
static void drop_sums(ts_soft3 *m, const ts_state *state)
{
    for (size_t i = 0; i < m->past.count; i++) {
        ts_soft3_past *p = &m->past.item[i];
        if (ts_soft3_pair_rests(m, p->a, p->b) && (wakes(m, state, p->a) || wakes(m, state, p->b)))
            memset(p->value + TS_SOFT3_SUM_NORMAL, 0, (TS_SOFT3_VALUES - TS_SOFT3_SUM_NORMAL) * sizeof *p->value);
    }
}

/* Wakes what has to be moved for these places. *woken: how many bodies. */
static ts_status wake(ts_soft3 *m, ts_state *state, size_t places, size_t *woken, ts_error *error)
{
    *woken = 0;
    if (m->sleep.asleep == 0)
        return TS_OK;
    TS_TRY(link_frames(m, places, error));
    *woken = ts_soft_wake(&m->sleep, state);
    if (*woken > 0) {
        drop_sums(m, state);
        load_sleep(m, state->model, state);
        state->places_room = 0;
    }
    return TS_OK;
}

/* At the end of a step. */
static ts_status fall_asleep(ts_soft3 *m, ts_state *state, ts_error *error)
{
    if (!m->sleep.on)
        return TS_OK;
    TS_TRY(link_frames(m, m->place.count, error));
    for (size_t slot = 0; slot < m->list.body_count; slot++) {
        const ts_soft3_velocity *v = &m->velocity[slot];
        m->speed[m->list.body_of[slot]] =
            ts_vec3_length((ts_vec3){v->x, v->y, v->z}) + ts_vec3_length(spin_of(v)) * m->list.radius[slot];
    }
    if (ts_soft_fall_asleep(&m->sleep, state, m->speed) == 0)
        return TS_OK;
    m->rows_of = 0;
    for (size_t i = 0; i < state->model->body_count; i++)
        if (ts_soft_asleep(state, (int64_t)i)) {
            put3(state->body3[i].velocity, (ts_vec3){0, 0, 0});
            put3(state->body3[i].angular_momentum, (ts_vec3){0, 0, 0});
        }
    load_sleep(m, state->model, state);
    return TS_OK;
}

/* Whether nothing moves: all that can sleeps, and nothing is driven. */
static bool all_rests(const ts_soft3 *m)
{
    for (size_t f = 0; f < m->list.frame_count; f++)
        if (m->inv_mass[f] > 0 || link_end(m, (int32_t)f) == TS_LINK_DRIVEN)
            return false;
    return true;
}

/* The point of a rim, from its body's origin: as rows have it. */
static ts_vec3 rim_point(const ts_soft3_place *p, ts_quat turn, ts_vec3 point, ts_vec3 toward)
{
    const ts_vec3 u = ts_quat_apply(turn, p->rim_axis), centre = ts_quat_apply(turn, p->rim_centre),
                  along = ts_vec3_add_scaled(toward, u, -ts_vec3_dot(u, toward));
    const double slope = ts_vec3_length(along);
    if (!(slope > TS_SOFT3_LEVEL))
        return point;
    const ts_vec3 d = ts_vec3_scale(along, ts_vec3_distance(point, centre) / slope);
    return ts_vec3_add_scaled(ts_vec3_add_scaled(centre, d, ts_soft3_rim_cos(p)), ts_vec3_cross(u, d),
                              ts_soft3_rim_sin(p));
}

/* Where a place has gone with its frames: as rows do (soft_space.simd.c). */
static void put_touch(const ts_soft3 *m, ts_soft3_place *p)
{
    const ts_pose3 a = ts_soft3_pose_of(m, p->a), b = ts_soft3_pose_of(m, p->b);
    ts_vec3 arm_a = ts_quat_apply(a.quat, p->la), arm_b = ts_quat_apply(b.quat, p->lb),
            n = ts_quat_apply((p->of_b > 0 ? b : a).quat, p->n);
    if (p->rim > 0 && p->of_b > 0)
        arm_a = rim_point(p, a.quat, arm_a, n);
    else if (p->rim > 0)
        arm_b = rim_point(p, b.quat, arm_b, ts_vec3_neg(n));
    const ts_vec3 pa = ts_vec3_add(a.position, arm_a), pb = ts_vec3_add(b.position, arm_b), delta = ts_vec3_sub(pb, pa);
    const ts_vec3 across = ts_vec3_add_scaled(delta, n, -p->axial * ts_vec3_dot(n, delta));
    const double distance = ts_vec3_length(across);
    if (p->round != 0 && distance > 0)
        n = ts_vec3_scale(across, p->round / distance);
    const double gap = ts_vec3_dot(n, delta) - p->ra - p->rb;
    p->touch = p->of_b > 0 ? (ts_touch){.point_a = ts_vec3_add_scaled(pa, n, p->ra),
                                        .point_b = ts_vec3_add_scaled(pa, n, p->ra + gap)}
                           : (ts_touch){.point_a = ts_vec3_add_scaled(pb, n, -p->rb - gap),
                                        .point_b = ts_vec3_add_scaled(pb, n, -p->rb)};
    p->touch.gap = gap;
    p->touch.normal = n;
}

static ts_vec3 force_on_b(const ts_soft3_place *p)
{
    return ts_vec3_add_scaled(vec_of(p->value + TS_SOFT3_TANGENT), p->touch.normal, p->value[TS_SOFT3_NORMAL]);
}

/* What a place of something asleep does to a wall, with the forces that it keeps. */
static void press_wall(ts_soft3 *m, ts_soft3_place *p, int32_t wall)
{
    put_touch(m, p);
    const ts_vec3 force = wall == p->b ? force_on_b(p) : ts_vec3_neg(force_on_b(p)),
                  point = ts_vec3_scale(ts_vec3_add(p->touch.point_a, p->touch.point_b), 0.5);
    ts_soft3_wrench *w = &m->wall[(size_t)wall - m->list.body_count];
    w->force = ts_vec3_add(w->force, force);
    w->torque = ts_vec3_add(w->torque, ts_vec3_cross(ts_vec3_sub(point, ts_soft3_pose_of(m, wall).position), force));
}

/* Places of pairs that rest, as the state has them: they press as they did. */
static ts_status read_resting(ts_soft3 *m, const ts_state *state, ts_workspace *work, ts_error *error)
{
    m->place.count = 0;
    m->rows_of = 0; /* places are other ones from here on */
    TS_TRY(ts_soft3_restore(m, state->model, &state->found, false, error));
    for (size_t i = 0; i < m->place.count; i++) {
        ts_soft3_place *p = &m->place.item[i];
        if (!ts_soft3_pair_rests(m, p->a, p->b) || !(p->value[TS_SOFT3_NORMAL] > 0))
            continue;
        work->contact_sum++;
        for (int side = 0; side < 2; side++)
            if ((size_t)(side ? p->b : p->a) >= m->list.body_count)
                press_wall(m, p, side ? p->b : p->a);
    }
    return TS_OK;
}

/* ---- A step ---- */

/* Places, with what they wake: that has places of its own, then. */
static ts_status find_and_wake(ts_soft3 *m, ts_state *state, ts_workspace *work, ts_soft3_reach reach, ts_error *error)
{
    size_t woken;
    do {
        TS_TRY(ts_soft3_find(m, state->model, work, reach, error));
        work->query_sum += m->list.ball_a.count + m->list.other.count;
        TS_TRY(wake(m, state, m->place.count, &woken, error));
    } while (woken > 0);
    return TS_OK;
}

static ts_soft3_task task_of(ts_soft3 *m, const ts_model *model, double h)
{
    const ts_vec3 g = model->gravity;
    const ts_soft_pace pace = ts_soft_pace_of(model, h);
    m->heat.speed = pace.hot;
    return (ts_soft3_task){.velocity = m->velocity,
                           .before = m->before,
                           .mean = model->motion_count > 0 ? m->before : NULL,
                           .pose = m->pose,
                           .gravity = {g.x, g.y, g.z},
                           .step = h,
                           .pace = pace,
                           .heat = &m->heat};
}

/* Rows of places that are found now, for `*span` sub-steps. */
static ts_status find_rows(const ts_model *model, ts_state *state, ts_workspace *work, int64_t done, int64_t count,
                           int64_t *span, ts_error *error)
{
    ts_soft3 *m = work->own;
    ts_soft3_reach reach;
    if (done == 0)
        TS_TRY(ts_soft3_recall(m, state, error));
    double since = ts_timer_begin(&work->timers);
    place_frames(m, model, ts_time_of_step(model, state->step) + (double)done * m->step);
    TS_TRY(ts_soft3_span(model, work, count - done, m->step, span, &reach, error));
    ts_timer_end(&work->timers, TS_PHASE_PAIRS, since);
    since = ts_timer_begin(&work->timers);
    TS_TRY(find_and_wake(m, state, work, reach, error));
    choose_bodies(m, model, state, (double)*span * m->step);
    TS_TRY(make_rows(m, error));
    state->places_room = 0; /* until they are noted */
    TS_TRY(ts_soft3_note(m, &state->found, done == 0, error));
    if (*span == count)
        state->places_room = reach.least;
    ts_timer_end(&work->timers, TS_PHASE_CONTACTS, since);
    return TS_OK;
}

/* Rows of the places that the step before had. *kept: they do; those that wake something have to be found again. */
static ts_status keep_rows(const ts_model *model, ts_state *state, ts_workspace *work, bool *kept, ts_error *error)
{
    ts_soft3 *m = work->own;
    const double since = ts_timer_begin(&work->timers);
    const bool mine = m->rows_of != 0 && m->rows_of == state->places_mark;
    size_t woken;
    m->rows_of = 0; /* until the step is done */
    if (!mine) {
        TS_TRY(ts_soft3_recall(m, state, error));
        m->place.count = 0;
        TS_TRY(ts_soft3_restore(m, model, &state->found, false, error));
    }
    TS_TRY(wake(m, state, m->place.count, &woken, error));
    *kept = woken == 0;
    if (!*kept)
        return TS_OK;
    choose_bodies(m, model, state, model->settings.time_step);
    if (!mine) {
        TS_TRY(make_rows(m, error));
    } else {
        if (m->sum.count > 0)
            memset(m->sum.item, 0, m->sum.count * sizeof *m->sum.item);
        for (size_t i = 0; i < m->group.count; i++)
            for (int lane = 0; lane < LANES; lane++)
                put_inertias(m, &m->group.item[i], lane);
    }
    ts_timer_end(&work->timers, TS_PHASE_CONTACTS, since);
    return TS_OK;
}

/* Spins and inertias as bodies have turned by now, for one sub-step. */
static void turn_bodies(ts_soft3 *m, const ts_model *model, const ts_state *state)
{
    for (size_t slot = 0; slot < m->list.body_count; slot++)
        if (m->falls[slot])
            prepare_body(m, model, state, slot, m->step);
    for (size_t i = 0; i < m->group.count; i++)
        for (int lane = 0; lane < LANES; lane++)
            put_inertias(m, &m->group.item[i], lane);
}

static ts_status run_step(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_soft3 *m = work->own;
    const double fastest = ts_soft3_fastest(m);
    const int64_t count = ts_soft_sub_steps(model, fastest);
    const double h = model->settings.time_step / (double)count;
    ts_soft3_task task = task_of(m, model, h);
    m->step = h;
    if (count != (int64_t)ts_soft_param_of(model)->sub_steps)
        state->places_room = 0;
    for (int64_t done = 0, span; done < count; done += span) {
        bool kept = false;
        if (done == 0 && ts_soft_places_hold(model, state, fastest))
            TS_TRY(keep_rows(model, state, work, &kept, error));
        if (kept)
            span = count;
        else
            TS_TRY(find_rows(model, state, work, done, count, &span, error));
        task.group = m->group.item;
        task.form = m->form.item;
        task.row = m->row.item;
        task.sum = m->sum.item;
        m->kernels->pass[TS_SOFT_PLACE](&task, 0, (int32_t)m->group.count);
        /* the energy of bounces depends on spins and inertias as they are; otherwise those of the finding are near enough */
        for (int64_t i = 0; i < span; i++) {
            if (m->bounces)
                turn_bodies(m, model, state);
            sub_step(model, work, &task, ts_time_of_step(model, state->step) + (double)(done + i) * h);
            if (m->bounces && i + 1 < span)
                TS_TRY(store_bodies(model, state, work, h, h, error));
        }
        m->touching = 0;
        read_rows(m, model, work, done == 0);
        if (done + span == count) /* of the last finding: a step may have several */
            work->contact_sum += m->touching;
        TS_TRY(ts_soft3_keep(m, done == 0, error));
        TS_TRY(store_bodies(model, state, work, m->bounces ? h : (double)span * h, h, error));
    }
    TS_TRY(ts_array_reserve(&state->history, m->past.count + 1, error));
    TS_TRY(ts_array_reserve(&state->impulses, m->past.count + 1, error));
    m->rows_of = state->places_mark = ts_soft_next_mark();
    if (m->sleep.asleep > 0)
        TS_TRY(read_resting(m, state, work, error));
    TS_TRY(fall_asleep(m, state, error));
    /* nothing fails from here on: a step that is made again begins with the same places */
    state->places_room = fmax(state->places_room - ts_soft3_gone(m, model, state), 0);
    if (!(state->places_room > 0))
        ts_soft3_forget(m, &state->found);
    return TS_OK;
}

static ts_status resolve(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_soft3 *m = work->own;
    memcpy(m->saved, state->body3, model->body_count * sizeof *m->saved);
    memset(m->wall, 0, (model->wall_count + 1) * sizeof *m->wall);
    m->work = 0;
    load_frames(m, model, state);
    TS_TRY(ts_soft_sleep_begin(&m->sleep, state, error));
    load_sleep(m, model, state);
    if (m->sleep.asleep > 0) {
        TS_TRY(ts_soft3_recall(m, state, error));
        if (all_rests(m))
            return read_resting(m, state, work, error);
        TS_TRY(wake(m, state, 0, &(size_t){0}, error));
    }
    const double energy = ts_soft_energy(state);
    const ts_status status = run_step(model, state, work, error);
    if (status != TS_OK) {
        memcpy(state->body3, m->saved, model->body_count * sizeof *m->saved);
        m->rows_of = 0; /* they have impulses of the step that failed */
        return status;
    }
    ts_soft3_write(m, state);
    store_driven(model, state, m);
    ts_soft_balance(state, energy, m->work);
    return TS_OK;
}

static void wall_force(const ts_workspace *work, size_t wall, double force[3], double torque[3])
{
    const ts_soft3 *m = work->own;
    put3(force, m->wall[wall].force);
    put3(torque, m->wall[wall].torque);
}

/* ---- Looking ---- */

/* The mean over the step. Friction acted across the normals of its sub-steps, and two edges that are found anew have
 * another one. */
static ts_vec3 listed_force(const ts_soft3_place *p, double time_step)
{
    const ts_vec3 n = p->touch.normal, friction = vec_of(p->value + TS_SOFT3_SUM_TANGENT);
    return ts_vec3_scale(ts_vec3_add_scaled(friction, n, p->value[TS_SOFT3_SUM_NORMAL] - ts_vec3_dot(friction, n)),
                         1 / time_step);
}

/* A contact for whoever looks: a body's number is lower on side A, or A is a wall. */
static ts_contact contact_of(const ts_soft3 *m, const ts_soft3_place *p, double time_step)
{
    const int64_t a = ts_verlet3_owner(&m->list, p->a), b = ts_verlet3_owner(&m->list, p->b);
    const bool swap = b < a;
    const double sign = swap ? -1 : 1;
    ts_contact contact = {.a = swap ? b : a,
                          .b = swap ? a : b,
                          .key = swap ? ts_soft3_swapped(p->key) : p->key,
                          .gap = p->touch.gap,
                          .weight = p->weight};
    put3(contact.normal, ts_vec3_scale(p->touch.normal, sign));
    put3(contact.point_a, swap ? p->touch.point_b : p->touch.point_a);
    put3(contact.point_b, swap ? p->touch.point_a : p->touch.point_b);
    put3(contact.force, ts_vec3_scale(listed_force(p, time_step), sign));
    return contact;
}

static ts_status look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                      void *context, ts_error *error)
{
    ts_soft3 *m = work->own;
    double reach;
    m->rows_of = 0; /* places are other ones from here on */
    load_frames(m, model, state);
    load_sleep(m, model, state);
    TS_TRY(ts_soft3_recall(m, state, error));
    m->place.count = 0;
    const bool hold = state->places_room > 0;
    if (!hold) { /* otherwise the state has all of them, and forces belong to those */
        place_frames(m, model, ts_time_of_step(model, state->step));
        TS_TRY(ts_soft3_list_now(m, work, &reach, error));
        TS_TRY(ts_soft3_find(m, model, work, (ts_soft3_reach){reach, reach, 0, 0}, error));
    }
    const size_t fresh = m->place.count;
    TS_TRY(ts_soft3_restore(m, model, &state->found, true, error));
    for (size_t i = 0; i < m->place.count; i++) {
        ts_soft3_place *p = &m->place.item[i];
        const bool struck = p->value[TS_SOFT3_SUM_NORMAL] > 0;
        /* what was struck may have gone farther than one looks, or touch at another place by now */
        if (!hold && i >= fresh && !ts_soft3_pair_rests(m, p->a, p->b) &&
            !(struck && !ts_soft3_has_place(m, fresh, p->a, p->b, p->key)))
            continue;
        put_touch(m, p);
        if (!(p->touch.gap < 0) && !struck)
            continue;
        const ts_contact contact = contact_of(m, p, model->settings.time_step);
        sink(context, &contact, 1);
    }
    return TS_OK;
}

const ts_resolver ts_soft_in_space = {.search = {.at = 0},
                                      .overlap_at_start = 0.05,
                                      .stable_step = ts_soft_stable_step,
                                      .time_step = ts_soft_time_step,
                                      .finest_step = ts_soft_finest_step,
                                      .resolve = resolve,
                                      .advances = true,
                                      .look = look,
                                      .wall_force = wall_force,
                                      .open = open_memory,
                                      .close = close_memory,
                                      .bytes = memory_bytes};
