/* SPDX-License-Identifier: MIT */
#include "dynamics/penalty_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel.h"
#include "dynamics/penalty.h"
#include "dynamics/penalty_space_parts.h"

TS_KERNEL_CHOOSER(ts_penalty3_kernels, ts_penalty3)

/* ---- Memory ---- */

static void close_memory(void *own)
{
    ts_penalty3 *m = own;
    if (!m)
        return;
    for (size_t i = 0; m->tile && i < m->list.tile_count; i++)
        for (int k = 0; k < 2; k++) {
            ts_array_free(&m->tile[i].ball[k]);
            ts_array_free(&m->tile[i].other[k]);
        }
    for (size_t i = 0; i < m->scratch_count; i++)
        ts_array_free(&m->scratch[i].touch);
    ts_verlet3_free(&m->list);
    ts_array_free(&m->sum);
    void *all[] = {m->motion, m->ball, m->material, m->pull, m->wall, m->tile, m->scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ts_free(all[i]);
    ts_free(m);
}

static ts_status create(ts_penalty3 *m, const ts_model *model, ts_error *error)
{
    TS_TRY(ts_verlet3_create(&m->list, model, error));
    const size_t frames = m->list.frame_count;
    m->kernel = ts_penalty3_choose();
    m->motion = ts_alloc(frames, sizeof *m->motion);
    m->ball = ts_alloc(m->list.body_count + 1, sizeof *m->ball);
    m->material = ts_alloc(frames, sizeof *m->material);
    m->pull = ts_alloc(model->spring_count > 0 ? m->list.body_count : 1, sizeof *m->pull);
    m->wall = ts_alloc(model->wall_count + 1, sizeof *m->wall);
    m->tile = ts_alloc(m->list.tile_count, sizeof *m->tile);
    if (!m->motion || !m->ball || !m->material || !m->pull || !m->wall || !m->tile)
        return ts_fail_memory(error, frames * (sizeof *m->motion + sizeof *m->ball + 1));
    for (size_t f = 0; f < frames; f++) {
        const int64_t owner = ts_verlet3_owner(&m->list, (int32_t)f);
        m->material[f] = owner >= 0 ? model->body_material[owner] : (uint8_t)model->wall[-1 - owner].material;
        if (owner < 0 || !(model->body3[owner].inv_mass > 0))
            continue;
        m->motion[f].inv_mass = model->body3[owner].inv_mass;
        if (m->list.place[f].radius > 0)
            m->motion[f].inv_moment = model->inertia[owner].inv_moment.x;
    }
    /* the anchors of springs ask for attitudes in the middle of a step */
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        m->motion[ts_verlet3_frame(&m->list, s->b)].inv_moment = 0;
        if (s->a >= 0)
            m->motion[ts_verlet3_frame(&m->list, s->a)].inv_moment = 0;
    }
    m->fresh = true;
    return TS_OK;
}

static ts_status open_memory(const ts_model *model, void **own, ts_error *error)
{
    *own = ts_alloc(1, sizeof(ts_penalty3));
    if (!*own)
        return ts_fail_memory(error, sizeof(ts_penalty3));
    ts_status status = create(*own, model, error);
    if (status != TS_OK) {
        close_memory(*own);
        *own = NULL;
    }
    return status;
}

static size_t memory_bytes(const void *own, const ts_model *model)
{
    const ts_penalty3 *m = own;
    (void)model;
    size_t bytes = sizeof *m + ts_verlet3_bytes(&m->list) + m->list.frame_count * (sizeof *m->motion + 1) +
                   m->list.body_count * sizeof *m->ball + m->sum.capacity * sizeof *m->sum.item +
                   m->scratch_count * sizeof *m->scratch;
    for (size_t i = 0; i < m->list.tile_count; i++) {
        bytes += sizeof *m->tile;
        for (int k = 0; k < 2; k++)
            bytes += (m->tile[i].ball[k].capacity + m->tile[i].other[k].capacity) * sizeof(ts_history3);
    }
    return bytes;
}

static ts_status reserve_scratch(ts_penalty3 *m, const ts_pool *pool, ts_error *error)
{
    const size_t threads = (size_t)ts_pool_thread_count(pool);
    if (threads > m->scratch_count) {
        ts_scratch3 *grown = ts_realloc(m->scratch, m->scratch_count * sizeof *grown, threads * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, threads * sizeof *grown);
        memset(grown + m->scratch_count, 0, (threads - m->scratch_count) * sizeof *grown);
        m->scratch = grown;
        m->scratch_count = threads;
    }
    return ts_array_reserve(&m->sum, m->list.sum_count, error);
}

/* ---- Frames ---- */

typedef struct place_job {
    ts_penalty3 *m;
    const ts_model *model;
    const ts_state *state;
    double ahead; /* of the state [s] */
} place_job;

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

static ts_quat quat_of(const double q[4])
{
    return (ts_quat){q[0], q[1], q[2], q[3]};
}

static void put3(double to[3], ts_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void put_place(ts_verlet3 *list, size_t frame, ts_pose3 pose)
{
    list->place[frame].x = pose.position.x;
    list->place[frame].y = pose.position.y;
    list->place[frame].z = pose.position.z;
    list->pose[frame] = pose;
}

/* What is no ball that flies. Returns the square of a bound of its points' speeds; below 0: it cannot fly on. */
static double place_body(const place_job *j, size_t slot)
{
    ts_verlet3 *list = &j->m->list;
    const ts_model *model = j->model;
    const size_t i = (size_t)list->body_of[slot];
    const ts_body3 *b = &j->state->body3[i];
    ts_rigid rigid = {{vec_of(b->position), quat_of(b->attitude)}, vec_of(b->velocity), vec_of(b->angular_momentum)};
    const ts_vec3 velocity = rigid.velocity;
    if (b->inv_mass > 0 && j->ahead > 0 &&
        ts_flight_drift(&model->inertia[i], model->gravity, j->ahead, &rigid, NULL) != TS_OK)
        return -1;
    /* a script's goes with the pose of the beginning */
    const ts_vec3 spin = ts_inertia_spin(&model->inertia[i], rigid.pose.quat, rigid.angular_momentum);
    if (!(b->inv_mass > 0) && model->body_motion && model->body_motion[i] >= 0) {
        const ts_body3 *rest = &model->body3[i];
        rigid.pose = ts_motion_pose3(&model->motion[model->body_motion[i]],
                                     (ts_pose3){vec_of(rest->position), quat_of(rest->attitude)},
                                     ts_time_of_step(j->model, j->state->step) + j->ahead);
    }
    put_place(list, slot, rigid.pose);
    put3(j->m->motion[slot].v, velocity);
    put3(j->m->motion[slot].w, spin);
    const double speed = ts_vec3_length(velocity) + list->radius[slot] * ts_vec3_length(spin);
    return speed * speed;
}

static ts_advance3_task task_of(ts_penalty3 *m, const ts_model *model, const ts_state *state, size_t tile, double step)
{
    const size_t begin = tile * TS_TILE3;
    const ts_vec3 g = model->gravity;
    return (ts_advance3_task){.place = m->list.place,
                              .motion = m->motion,
                              .ball = m->ball,
                              .body_of = m->list.body_of,
                              .body = state->body3,
                              .time_step = step,
                              .gravity = {g.x, g.y, g.z, 0},
                              .begin = begin,
                              .end = begin + TS_TILE3 < m->list.body_count ? begin + TS_TILE3 : m->list.body_count};
}

/* Balls stand where they belong already when the last step put them ahead. */
static void place_tile(void *context, int task, int thread)
{
    (void)thread;
    const place_job *j = context;
    ts_penalty3 *m = j->m;
    ts_tile_work3 *t = &m->tile[task];
    ts_advance3_task balls = task_of(m, j->model, j->state, (size_t)task, 2 * j->ahead);
    t->runaway = -1;
    if (m->ahead && t->all_done)
        return;
    if (!m->ahead) {
        m->kernel->place(&balls);
        t->most = balls.most;
        t->sum = balls.sum;
    }
    for (size_t slot = balls.begin; slot < balls.end; slot++) {
        const bool ball = m->motion[slot].inv_moment > 0;
        if (ball && (!m->ahead || t->done[slot - balls.begin]))
            continue;
        if (ball) { /* it went on by itself */
            ts_advance3_task one = balls;
            one.begin = slot;
            one.end = slot + 1;
            m->kernel->place(&one);
            t->most = fmax(t->most, one.most);
            t->sum += one.sum;
            continue;
        }
        const double square = place_body(j, slot);
        if (!(square >= 0 && square < 1e300))
            t->runaway = m->list.body_of[slot];
        t->most = fmax(t->most, square);
        t->sum += square;
    }
    if (!(t->most < 1e300) && t->runaway < 0)
        t->runaway = m->list.body_of[balls.begin];
}

static bool is_absent(double open, double close, double time)
{
    return open <= time && time < close;
}

/* Walls, and which frames are there. Returns the most that a wall's points move in a second. */
static double place_walls(const place_job *j)
{
    ts_verlet3 *list = &j->m->list;
    const ts_model *model = j->model;
    const double begin = ts_time_of_step(j->model, j->state->step), time = begin + j->ahead;
    double most = 0;
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall *wall = &model->wall[i];
        const size_t f = list->body_count + i;
        ts_pose3 pose = wall->pose;
        ts_vec3 linear = {0, 0, 0}, spin = {0, 0, 0};
        if (wall->motion >= 0) {
            const ts_motion *motion = &model->motion[wall->motion];
            pose = ts_motion_pose3(motion, wall->pose, time);
            ts_motion_velocity(motion, wall->pose, begin, j->model->settings.time_step, &linear, &spin);
        }
        put_place(list, f, pose);
        put3(j->m->motion[f].v, linear);
        put3(j->m->motion[f].w, spin);
        list->present[f] = !is_absent(wall->open, wall->close, time);
        list->turning[f] = ts_vec3_length_squared(spin) > 0;
        if (!list->turning[f] || isfinite(list->radius[f]))
            most = fmax(most, ts_vec3_length(linear) + (list->turning[f] ? list->radius[f] * ts_vec3_length(spin) : 0));
    }
    for (size_t f = 0; model->body_gate && f < list->body_count; f++) {
        const int32_t gate = model->body_gate[list->body_of[f]];
        list->present[f] = gate < 0 || !is_absent(model->gate[gate].open, model->gate[gate].close, time);
    }
    return most;
}

static ts_status fail_runaway(const ts_model *model, const ts_state *state, int64_t body, ts_error *error)
{
    const ts_body3 *b = &state->body3[body];
    return ts_fail(
        error, TS_DIVERGED,
        "body %lld moves at %.4g m/s at t = %.9g s (step %llu), more than its radius of %.3g m in a step, or "
        "turns too fast; %s",
        (long long)body, ts_vec3_length(vec_of(b->velocity)), ts_state_time(state), (unsigned long long)state->step,
        b->radius, ts_step_advice(model).text);
}

static int64_t first_runaway(const ts_penalty3 *m)
{
    for (size_t i = 0; i < m->list.tile_count; i++)
        if (m->tile[i].runaway >= 0)
            return m->tile[i].runaway;
    return -1;
}

/* All frames, `ahead` of the state; `fast` and `mean`: speeds of the fastest point and of all [m/s]. */
static ts_status place(ts_penalty3 *m, const ts_model *model, const ts_state *state, ts_pool *pool, double ahead,
                       double *fast, double *mean, ts_error *error)
{
    place_job job = {m, model, state, ahead};
    double most = 0, sum = 0;
    ts_pool_run(pool, (int)m->list.tile_count, place_tile, &job);
    if (first_runaway(m) >= 0)
        return fail_runaway(model, state, first_runaway(m), error);
    for (size_t i = 0; i < m->list.tile_count; i++) {
        most = fmax(most, m->tile[i].most);
        sum += m->tile[i].sum;
    }
    *fast = fmax(sqrt(most), place_walls(&job));
    *mean = sqrt(sum / (double)m->list.body_count);
    return TS_OK;
}

/* The list for the frames as they are placed, made anew unless it `holds`, and the state's springs for its pairs
 * where the tiles do not have them. */
static ts_status refresh(ts_penalty3 *m, const ts_state *state, ts_workspace *work, bool holds, double mean_way,
                         ts_error *error)
{
    if (!holds) {
        TS_TRY(ts_verlet3_make(&m->list, work->pool, mean_way, error));
        work->rebuild_count++;
    }
    TS_TRY(reserve_scratch(m, work->pool, error));
    if (m->fresh)
        TS_TRY(ts_penalty3_scatter(m, &state->history, error));
    m->fresh = false;
    return TS_OK;
}

/* ---- Forces of springs between bodies ---- */

static void add_pull(ts_penalty3 *m, int32_t body, ts_vec3 force, ts_vec3 point)
{
    const int32_t f = ts_verlet3_frame(&m->list, body);
    const ts_place3 *at = &m->list.place[f];
    const ts_vec3 turn = ts_vec3_cross(ts_vec3_sub(point, (ts_vec3){at->x, at->y, at->z}), force);
    ts_wrench3 *w = &m->pull[f];
    const double add[2][3] = {{force.x, force.y, force.z}, {turn.x, turn.y, turn.z}};
    for (int d = 0; d < 3; d++) {
        w->force[d] += add[0][d];
        w->torque[d] += add[1][d];
    }
}

static void pull_springs(ts_penalty3 *m, const ts_model *model)
{
    if (model->spring_count == 0)
        return;
    memset(m->pull, 0, m->list.body_count * sizeof *m->pull);
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        const ts_pose3 a = s->a >= 0 ? m->list.pose[ts_verlet3_frame(&m->list, s->a)] : ts_pose3_identity();
        const ts_pull pull = ts_spring_pull(s, a, m->list.pose[ts_verlet3_frame(&m->list, s->b)]);
        if (s->a >= 0)
            add_pull(m, s->a, pull.force, pull.point_a);
        add_pull(m, s->b, ts_vec3_neg(pull.force), pull.point_b);
    }
}

/* ---- The kick and the second half of the step ---- */

/* Force and torque on a frame: of its own tile, of the others in their order, and of springs. */
static ts_wrench3 total_of(const ts_penalty3 *m, size_t frame, bool pulled)
{
    ts_wrench3 w = {{0}, {0}};
    if (frame < m->list.body_count)
        w = m->sum.item[m->list.tile[frame / TS_TILE3].sum_begin + (int32_t)(frame % TS_TILE3)];
    const int32_t *begin = m->list.ghost_begin.item + frame;
    for (int32_t k = begin[0]; k < begin[1] + pulled; k++) {
        const ts_wrench3 *more = k < begin[1] ? &m->sum.item[m->list.ghost.item[k]] : &m->pull[frame];
        for (int d = 0; d < 3; d++) {
            w.force[d] += more->force[d];
            w.torque[d] += more->torque[d];
        }
    }
    return w;
}

/* A ball of the tiles becomes the state's body again. */
static void store_ball(const ts_penalty3 *m, ts_state *state, size_t slot)
{
    ts_body3 *b = &state->body3[m->list.body_of[slot]];
    const ts_ball_state *ball = &m->ball[slot];
    memcpy(b->position, ball->position, sizeof b->position);
    memcpy(b->attitude, ball->attitude, sizeof b->attitude);
    memcpy(b->velocity, m->motion[slot].v, sizeof b->velocity);
    memcpy(b->angular_momentum, ball->angular_momentum, sizeof b->angular_momentum);
}

/* Those that the last step has moved on; all others are in the state. */
static void store_balls(const ts_penalty3 *m, ts_state *state)
{
    for (size_t slot = 0; m->ahead && slot < m->list.body_count; slot++)
        if (m->tile[slot / TS_TILE3].done[slot % TS_TILE3])
            store_ball(m, state, slot);
}

typedef struct go_job {
    ts_penalty3 *m;
    const ts_model *model;
    ts_state *state;
} go_job;

/* A body that is no ball, or turns too fast for the kernel. Returns whether it can fly on. */
static bool go_on(const go_job *j, size_t slot, const ts_wrench3 *w)
{
    const ts_penalty3 *m = j->m;
    const size_t i = (size_t)m->list.body_of[slot];
    const ts_model *model = j->model;
    const double h = j->model->settings.time_step;
    ts_body3 *b = &j->state->body3[i];
    if (!(b->inv_mass > 0))
        return true;
    ts_rigid rigid = {m->list.pose[slot], ts_vec3_add_scaled(vec_of(b->velocity), model->gravity, 0.5 * h),
                      vec_of(b->angular_momentum)};
    if (m->motion[slot].inv_moment > 0) { /* a ball, whose attitude was left behind */
        rigid.pose.quat = quat_of(b->attitude);
        if (ts_flight_drift(&model->inertia[i], (ts_vec3){0, 0, 0}, 0.5 * h, &rigid, NULL) != TS_OK)
            return false;
        rigid.pose.position = (ts_vec3){m->list.place[slot].x, m->list.place[slot].y, m->list.place[slot].z};
    }
    rigid.velocity = ts_vec3_add_scaled(rigid.velocity, vec_of(w->force), h * b->inv_mass);
    rigid.angular_momentum = ts_vec3_add_scaled(rigid.angular_momentum, vec_of(w->torque), h);
    if (ts_flight_drift(&model->inertia[i], model->gravity, 0.5 * h, &rigid, NULL) != TS_OK)
        return false;
    const ts_quat q = rigid.pose.quat;
    put3(b->position, rigid.pose.position);
    memcpy(b->attitude, (double[4]){q.w, q.x, q.y, q.z}, sizeof b->attitude);
    put3(b->velocity, rigid.velocity);
    put3(b->angular_momentum, rigid.angular_momentum);
    return true;
}

static bool is_too_fast(const ts_body3 *b, double step)
{
    const double *v = b->velocity, square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return b->inv_mass > 0 && !(square * (step * step) <= b->radius * b->radius);
}

/* The sums of a tile's own bodies become totals. Ghosts are read by other tiles, own sums are not. */
static ts_wrench3 *total_up(ts_penalty3 *m, size_t tile, size_t begin, size_t end, bool pulled)
{
    ts_wrench3 *total = m->sum.item + m->list.tile[tile].sum_begin;
    const int32_t *ghosts = m->list.ghost_begin.item;
    for (size_t slot = begin; slot < end; slot++)
        if (pulled || ghosts[slot] < ghosts[slot + 1])
            total[slot - begin] = total_of(m, slot, pulled);
    return total;
}

static void go_tile(void *context, int task, int thread)
{
    (void)thread;
    const go_job *j = context;
    ts_penalty3 *m = j->m;
    const double h = j->model->settings.time_step;
    ts_tile_work3 *t = &m->tile[task];
    ts_advance3_task go = task_of(m, j->model, j->state, (size_t)task, h);
    go.total = total_up(m, (size_t)task, go.begin, go.end, j->model->spring_count > 0);
    m->kernel->advance(&go, t->done);
    t->most = go.most;
    t->sum = go.sum;
    t->runaway = -1;
    t->all_done = true;
    for (size_t slot = go.begin; slot < go.end; slot++) {
        if (t->done[slot - go.begin])
            continue;
        t->all_done = false;
        if (m->motion[slot].inv_moment > 0)
            store_ball(m, j->state, slot);
        if (!go_on(j, slot, &go.total[slot - go.begin]) || is_too_fast(&j->state->body3[m->list.body_of[slot]], h))
            t->runaway = m->list.body_of[slot];
    }
}

/* ---- One step ---- */

/* What tiles report, in their order; walls' forces and the work of what is driven. */
static void sum_up(ts_penalty3 *m, const ts_model *model, ts_state *state, ts_workspace *work)
{
    double power = 0;
    for (size_t i = 0; i < m->list.tile_count; i++) {
        const ts_block_report *r = &m->tile[i].report;
        work->contact_sum += r->contacts;
        work->query_sum += r->queries;
        state->budget.lost_normal += r->lost[0];
        state->budget.lost_tangential += r->lost[1];
        state->budget.lost_friction += r->lost[2];
        ts_note_overlap(work, r->max_overlap, r->overlap_ratio, r->body);
    }
    for (size_t f = 0; f < m->list.frame_count; f++) {
        const bool wall = f >= m->list.body_count;
        if (!wall && (!model->body_motion || model->body_motion[m->list.body_of[f]] < 0))
            continue;
        const ts_wrench3 w = total_of(m, f, false);
        const ts_motion6 *by = &m->motion[f];
        for (int d = 0; d < 3; d++)
            power -= w.force[d] * by->v[d] + w.torque[d] * by->w[d];
        if (wall)
            m->wall[f - m->list.body_count] = w;
    }
    state->budget.work += power * model->settings.time_step;
}

static ts_status step(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_penalty3 *m = work->own;
    const double h = model->settings.time_step, g = ts_vec3_length(model->gravity);
    double fast, mean, since = ts_timer_begin(&work->timers);
    TS_TRY(place(m, model, state, work->pool, 0.5 * h, &fast, &mean, error));
    ts_timer_end(&work->timers, TS_PHASE_ADVANCE, since);

    since = ts_timer_begin(&work->timers);
    const bool holds = ts_verlet3_holds(&m->list, m->fresh ? HUGE_VAL : h * (fast + h * g));
    if (!holds && !m->fresh) { /* springs go to another list by way of the state */
        TS_TRY(ts_penalty3_gather(m, m->now, &state->history, error));
        m->fresh = true;
    }
    TS_TRY(refresh(m, state, work, holds, h * mean, error));
    ts_timer_end(&work->timers, TS_PHASE_PAIRS, since);

    since = ts_timer_begin(&work->timers);
    TS_TRY(ts_penalty3_resolve(m, model, work->pool, error));
    /* room for the springs after the step, so that nothing can fail once bodies have moved */
    TS_TRY(ts_array_reserve(&state->history, ts_penalty3_history(m, !m->now), error));
    pull_springs(m, model);
    sum_up(m, model, state, work);
    ts_timer_end(&work->timers, TS_PHASE_RESOLVE, since);

    since = ts_timer_begin(&work->timers);
    go_job job = {m, model, state};
    ts_pool_run(work->pool, (int)m->list.tile_count, go_tile, &job);
    m->now = !m->now;
    m->ahead = true;
    ts_timer_end(&work->timers, TS_PHASE_ADVANCE, since);
    const int64_t runaway = work->chunk[0].runaway = first_runaway(m);
    return runaway >= 0 ? fail_runaway(model, state, runaway, error) : TS_OK;
}

/* ---- History ---- */

static void begin(const ts_model *model, const ts_state *state, ts_workspace *work)
{
    (void)model;
    (void)state;
    ts_penalty3 *m = work->own;
    m->fresh = true;
    m->ahead = false;
}

static ts_status end(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    (void)model;
    ts_penalty3 *m = work->own;
    store_balls(m, state);
    return m->fresh ? TS_OK : ts_penalty3_gather(m, m->now, &state->history, error);
}

/* ---- Looking ---- */

static ts_status look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                      void *context, ts_error *error)
{
    ts_penalty3 *m = work->own;
    double fast, mean;
    m->fresh = true;
    m->ahead = false;
    TS_TRY(place(m, model, state, work->pool, 0, &fast, &mean, error));
    TS_TRY(refresh(m, state, work, ts_verlet3_holds(&m->list, HUGE_VAL), model->settings.time_step * mean, error));
    m->fresh = true; /* the springs that are loaded now may be another state's */
    return ts_penalty3_look(m, model, sink, context, error);
}

void ts_penalty_wall_force(const ts_workspace *work, size_t wall, double force[3], double torque[3])
{
    const ts_penalty3 *m = work->own;
    memcpy(force, m->wall[wall].force, 3 * sizeof *force);
    memcpy(torque, m->wall[wall].torque, 3 * sizeof *torque);
}

static double energy(const ts_model *model, const ts_contact *contact)
{
    return ts_penalty_energy(model, contact, contact->weight);
}

const ts_resolver ts_penalty_in_space = {.search = {.at = 0.5},
                                         .overlap_at_start = TS_PENALTY_OVERLAP_AT_START,
                                         .stable_step = ts_penalty_stable_in_space,
                                         .time_step = ts_penalty_time_step,
                                         .resolve = step,
                                         .advances = true,
                                         .begin = begin,
                                         .end = end,
                                         .look = look,
                                         .energy = energy,
                                         .wall_force = ts_penalty_wall_force,
                                         .open = open_memory,
                                         .close = close_memory,
                                         .bytes = memory_bytes};
