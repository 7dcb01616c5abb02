/* SPDX-License-Identifier: MIT */
#include "rest_runner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/release.h"
#include "grains_peer.h"
#include "model.h"
#include "pile_peer.h"
#include "study/study.h"
#include "workspace.h"

#define RATE  60  /* of the others' steps [Hz] */
#define TURNS 240 /* how often a second gravity changes, at most [Hz] */
#define CALL  0.2 /* a call of ours takes about so long at most, so that a bound holds [s] */
#define PROBE 5.0 /* after so many seconds it is asked how long all of it will take [s] */

static void stop(ts_runner *r, const char *why)
{
    r->stopped = true;
    if (why != r->why)
        snprintf(r->why, sizeof r->why, "%.250s", why);
}

/* ---- Beginning and end ---- */

ts_status ts_runner_open(const ts_heap *heap, const char *dynamics, int threads, ts_runner *runner, ts_error *error)
{
    *runner = (ts_runner){.heap = heap};
    snprintf(runner->name, sizeof runner->name, "%s", dynamics);
    TS_AUTO(ts_scene_free_at) ts_scene *scene = NULL;
    TS_TRY(ts_heap_scene(heap, dynamics, &scene, error));
    TS_TRY(ts_model_compile(scene, &runner->model, error));
    TS_TRY(ts_model_prepare(runner->model, NULL, error));
    TS_TRY(ts_state_create(runner->model, &runner->state, error));
    TS_TRY(ts_workspace_create(runner->model, threads, &runner->work, error));
    ts_workspace_time_phases(runner->work, true);
    runner->step = ts_model_time_step(runner->model);
    return TS_OK;
}

ts_status ts_runner_open_copy(const ts_runner *from, int threads, ts_runner *runner, ts_error *error)
{
    *runner = *from;
    runner->state = NULL;
    runner->work = NULL;
    runner->borrows = true;
    TS_TRY(ts_state_create(from->model, &runner->state, error));
    TS_TRY(ts_state_copy(runner->state, from->state, error));
    return ts_workspace_create(from->model, threads, &runner->work, error);
}

/* Starts the program with bodies at these places. */
static ts_status open_plane(ts_runner *r, const ts_pose3 *at, ts_error *error)
{
    const ts_heap *heap = r->heap;
    const ts_grain_peer peer = r->index == 0 ? TS_GRAIN_BOX2D : TS_GRAIN_CHIPMUNK;
    if (!ts_grain_peer_installed(peer))
        return TS_OK;
    TS_AUTO_FREE ts_pose2 *pose = NULL;
    TS_TRY(ts_new(&pose, heap->crowd.count, error));
    for (size_t i = 0; i < heap->crowd.count; i++) {
        const ts_pose3 *p = &at[i];
        pose[i] = (ts_pose2){p->position.x, p->position.y, 2 * atan2(p->quat.z, p->quat.w)};
    }
    const ts_grain_bin bin = {.outline = heap->outline,
                              .scale = 1,
                              .density = TS_HEAP_DENSITY,
                              .friction = TS_HEAP_FRICTION,
                              .gravity = TS_HEAP_GRAVITY,
                              .width = heap->width,
                              .count = heap->crowd.count,
                              .pose = pose};
    ts_grain_job job = ts_grain_job_usual(peer, &bin);
    job.discrete = r->taken;
    r->step = job.time_step;
    snprintf(r->name, sizeof r->name, "%s", ts_grain_peer_name(peer));
    if (ts_grain_peer_open(peer, &bin, &job, r->path, &r->process, r->name, NULL) != TS_OK)
        stop(r, "could not begin");
    return TS_OK;
}

static ts_status open_space(ts_runner *r, const ts_pose3 *at, ts_error *error)
{
    const ts_heap *heap = r->heap;
    const ts_pile_peer peer = r->index == 0 ? TS_PILE_BULLET : TS_PILE_ODE;
    if (!ts_pile_peer_installed(peer))
        return TS_OK;
    TS_AUTO_FREE ts_pile_body *body = NULL;
    TS_TRY(ts_new(&body, heap->crowd.count, error));
    for (size_t i = 0; i < heap->crowd.count; i++)
        body[i] = (ts_pile_body){.half = {0.5, 0.5, 0.5}, .mass = heap->mass, .pose = at[i]};
    ts_pile_plane plane[5];
    for (size_t i = 0; i < heap->crowd.wall_count; i++)
        plane[i] = (ts_pile_plane){heap->wall[i].normal, heap->wall[i].offset};
    const ts_pile pile = {.kind = heap->kind == TS_HEAP_HULLS ? TS_PILE_HULLS : TS_PILE_BOXES,
                          .gravity = {0, 0, -TS_HEAP_GRAVITY},
                          .time_step = 1.0 / RATE,
                          .steps = 1,
                          .every = 1,
                          .friction = TS_HEAP_FRICTION,
                          .hull = heap->hull,
                          .inertia = heap->inertia,
                          .plane = plane,
                          .plane_count = heap->crowd.wall_count,
                          .body = body,
                          .body_count = heap->crowd.count};
    r->step = pile.time_step;
    snprintf(r->name, sizeof r->name, "%s", ts_pile_peer_name(peer));
    if (ts_pile_peer_open(peer, &pile, r->path, &r->process, r->name, NULL) != TS_OK)
        stop(r, "could not begin");
    return TS_OK;
}

static ts_status start(ts_runner *r, const ts_pose3 *at, ts_error *error)
{
    TS_TRY((r->heap->dimension == 2 ? open_plane : open_space)(r, at, error));
    char *comma = strchr(r->name, ','); /* "Bullet 3.24, single precision" */
    if (comma)
        *comma = 0;
    return TS_OK;
}

ts_status ts_runner_open_peer(const char *folder, const ts_heap *heap, int index, ts_runner *runner, ts_error *error)
{
    *runner = (ts_runner){.heap = heap, .index = index};
    snprintf(runner->path, sizeof runner->path, "%.3900s/rest-%zu-%s-%d", folder, heap->crowd.count,
             ts_heap_name(heap->kind), index);
    return start(runner, heap->pose, error);
}

void ts_runner_close(ts_runner *runner)
{
    ts_process_close(&runner->process);
    ts_workspace_free(runner->work);
    ts_state_free(runner->state);
    if (!runner->borrows)
        ts_model_free(runner->model);
    *runner = (ts_runner){0};
}

/* ---- Going on ---- */

static void turn_gravity(ts_runner *r, double angle)
{
    const double g = TS_HEAP_GRAVITY, x = g * sin(angle), down = -g * cos(angle);
    const bool plane = r->heap->dimension == 2;
    r->model->gravity = (ts_vec3){x, plane ? down : 0, plane ? 0 : down};
    if (plane) {
        r->model->settings.gravity[0] = x;
        r->model->settings.gravity[1] = down;
    }
}

/* Stops what takes too long, and says how long it would take. */
static void watch(ts_runner *r)
{
    const double all = r->seconds / r->simulated * fmax(r->until, r->simulated);
    const bool slow = r->simulated < r->until && r->seconds > fmin(PROBE, r->bound) && all > r->bound;
    char why[200];
    if (!(r->bound > 0) || r->stopped || (r->seconds <= r->bound && !slow))
        return;
    if (r->simulated < r->until)
        snprintf(why, sizeof why, "not run to rest: %.2g s took %.0f s; %.0f s would take at least %.2g min",
                 r->simulated, r->seconds, r->until, all / 60);
    else
        snprintf(why, sizeof why, "not run to the end: %.2g s took %.0f s", r->simulated, r->seconds);
    r->slow = true;
    stop(r, r->why[0] ? r->why : why); /* the first reason is the one that matters */
}

/* Adds what steps took. */
static void count(ts_runner *r, ts_window *w, uint64_t steps, double seconds)
{
    const double time = (double)steps * r->step;
    w->simulated += time;
    w->seconds += seconds;
    r->simulated += time;
    r->seconds += seconds;
    watch(r);
}

static ts_status walk_ours(ts_runner *r, uint64_t steps, ts_lean lean, ts_window *w, ts_error *error)
{
    const ts_timers before = *ts_workspace_timers(r->work);
    const double wall = ts_clock_seconds();
    const uint64_t most = (uint64_t)fmax(1, round(1 / (r->step * (lean.turn == 0 ? RATE : TURNS))));
    uint64_t some = 1;
    for (uint64_t k = 0, may = 1; k < steps && !r->stopped; k += some) {
        some = may < most ? may : most;
        some = steps - k < some ? steps - k : some;
        const double since = ts_clock_processor_seconds();
        turn_gravity(r, lean.tilt + lean.turn * ((double)k + 0.5 * (double)some) * r->step);
        const ts_status status = ts_step(r->model, r->state, r->work, some, error);
        const double took = ts_clock_processor_seconds() - since;
        count(r, w, some, took);
        may = (uint64_t)fmin(4 * (double)some, 1 + CALL / took * (double)some);
        if (status == TS_DIVERGED)
            stop(r, error ? error->message : "diverged");
        else
            TS_TRY(status);
    }
    w->wall = ts_clock_seconds() - wall;
    double sum = 0;
    for (int k = 0; k < TS_PHASE_COUNT; k++)
        sum += w->phase[k] = ts_workspace_timers(r->work)->seconds[k] - before.seconds[k];
    for (int k = 0; k < TS_PHASE_COUNT && sum > 0; k++) /* by the clock on the wall: as shares of processor time */
        w->phase[k] *= w->seconds / sum;
    return TS_OK;
}

static void walk_peer(ts_runner *r, uint64_t steps, ts_lean lean, ts_window *w)
{
    char line[128], answer[256];
    const double wall = ts_clock_seconds();
    snprintf(line, sizeof line, "step %" PRIu64 " %.17g %.17g\n", steps, lean.tilt, lean.turn);
    const bool lives = ts_process_ask(&r->process, line, "took", answer, NULL) == TS_OK;
    const double took = lives ? ts_process_number(answer, " ") : TS_NONE;
    w->wall = ts_clock_seconds() - wall;
    if (took > 0)
        count(r, w, steps, took);
    else
        stop(r, "broke down");
}

ts_status ts_runner_walk(ts_runner *runner, double time, ts_lean lean, ts_window *window, ts_error *error)
{
    const uint64_t steps = (uint64_t)fmax(1, round(time / runner->step));
    *window = (ts_window){0};
    if (runner->stopped)
        return TS_OK;
    if (runner->model)
        return walk_ours(runner, steps, lean, window, error);
    walk_peer(runner, steps, lean, window);
    return TS_OK;
}

/* ---- Looking ---- */

/* From a body's numbers: q and v of sim.h, which are those that the programs write. */
static void set_motion(int dimension, const double *q, const double *v, ts_pose3 *pose, ts_twist3 *rate)
{
    if (dimension == 2) {
        *pose = (ts_pose3){{q[0], q[1], 0}, {cos(q[2] / 2), 0, 0, sin(q[2] / 2)}};
        *rate = (ts_twist3){{v[0], v[1], 0}, {0, 0, v[2]}};
    } else {
        *pose = (ts_pose3){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}};
        *rate = (ts_twist3){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    }
}

ts_status ts_runner_look(ts_runner *runner, ts_pose3 *pose, ts_twist3 *rate, ts_error *error)
{
    const size_t count = runner->heap->crowd.count, q = runner->heap->dimension == 2 ? 3 : 7,
                 v = runner->heap->dimension == 2 ? 3 : 6;
    TS_AUTO_FREE double *value = NULL;
    TS_TRY(ts_new(&value, count * (q + v), error));
    if (runner->model) {
        ts_state_positions(runner->state, value);
        ts_state_velocities(runner->state, value + count * q);
        for (size_t i = 0; i < count; i++)
            set_motion(runner->heap->dimension, value + i * q, value + count * q + i * v, &pose[i], &rate[i]);
        return TS_OK;
    }
    char path[4200], line[4300], answer[256];
    snprintf(path, sizeof path, "%s.motions", runner->path);
    snprintf(line, sizeof line, "motions %s\n", path);
    if (ts_process_ask(&runner->process, line, "done", answer, NULL) != TS_OK) {
        stop(runner, "broke down");
        return TS_OK;
    }
    TS_TRY(ts_process_read_numbers(path, count * (q + v), value, error));
    for (size_t i = 0; i < count; i++)
        set_motion(runner->heap->dimension, value + i * (q + v), value + i * (q + v) + q, &pose[i], &rate[i]);
    return TS_OK;
}

ts_status ts_runner_take(ts_runner *runner, const ts_runner *from, ts_error *error)
{
    const size_t count = runner->heap->crowd.count, nq = (size_t)ts_model_q_size(from->model),
                 nv = (size_t)ts_model_v_size(from->model);
    TS_AUTO_FREE double *value = NULL;
    TS_AUTO_FREE ts_pose3 *pose = NULL;
    TS_TRY(ts_new(&value, count * (nq + nv), error));
    TS_TRY(ts_new(&pose, count, error));
    const double *q = value, *v = value + count * nq;
    ts_state_positions(from->state, value);
    ts_state_velocities(from->state, value + count * nq);
    runner->stopped = runner->slow = false;
    for (size_t i = 0; i < count; i++) {
        ts_twist3 rate;
        set_motion(runner->heap->dimension, q + i * nq, v + i * nv, &pose[i], &rate);
        if (!runner->model)
            continue;
        TS_TRY(ts_state_set_pose(runner->state, i, q + i * nq, error));
        TS_TRY(ts_state_set_velocity(runner->state, i, v + i * nv, error));
    }
    if (runner->model)
        return TS_OK;
    ts_process_close(&runner->process);
    runner->taken = true;
    return start(runner, pose, error);
}
