/* SPDX-License-Identifier: MIT */
#include "study/everyday_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/release.h"
#include "model.h"
#include "warning.h"
#include "workspace.h"

#define G       9.81
#define SAMPLES 400 /* looks at all bodies in a run, and as many in its last second */
#define TIPPED  0.3 /* what has turned by so much falls over [rad] */
#define GATE    1.0 /* how far below its beginning the passage of body 0 is noted [m] */
#define HALF    0.1 /* of balls and boxes that fall [m] */

/* ---- Beginning ---- */

void ts_everyday_close(ts_everyday_run *r)
{
    ts_workspace_free(r->work);
    ts_state_free(r->state);
    ts_model_free(r->model);
    ts_scene_free(r->scene);
    ts_free(r->begin);
    ts_free(r->late);
    ts_free(r->reach);
    ts_free(r->fell);
}

static double up(const ts_everyday_run *r, ts_vec3 v)
{
    return r->space ? v.z : v.y;
}

/* In the units and the frame of the file. In the plane an attitude is a turn about z. */
static ts_status pose_of(const ts_everyday_run *r, size_t body, ts_pose3 *pose, ts_error *error)
{
    double q[7] = {0};
    TS_TRY(ts_state_pose(r->state, body, q, error));
    const ts_vec3 at = {q[0], q[1], r->space ? q[2] : 0};
    const ts_quat attitude =
        r->space ? (ts_quat){q[3], q[4], q[5], q[6]} : ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, q[2]);
    pose->position = ts_vec3_scale(ts_quat_apply_inverse(r->turn, ts_vec3_sub(at, r->shift)), 1 / r->length);
    pose->quat = ts_quat_mul(ts_quat_conjugate(r->turn), attitude);
    return TS_OK;
}

static ts_status poses(const ts_everyday_run *r, ts_pose3 *pose, ts_error *error)
{
    for (size_t i = 0; i < r->count; i++)
        TS_TRY(pose_of(r, i, &pose[i], error));
    return TS_OK;
}

/* Reads a changed scene, up to its state. */
static ts_status read_scene(ts_everyday_run *r, const char *scene, const ts_everyday_change *change,
                            const char *dynamics, ts_error *error)
{
    char kind[64], restitution[64];
    snprintf(kind, sizeof kind, "dynamics.kind=\"%s\"", dynamics);
    snprintf(restitution, sizeof restitution, "dynamics.restitution=%.17g", r->restitution);
    const ts_load_options options = {.override = (const char *const[]){kind, restitution},
                                     .override_count = isnan(r->restitution) ? 1 : 2};
    TS_AUTO_FREE char *text = NULL;
    size_t length;
    TS_TRY(ts_everyday_write(scene, change, &text, &length, &r->turn, error));
    TS_TRY(ts_scene_parse(text, length, scene, &options, &r->scene, error));
    TS_TRY(ts_model_compile(r->scene, &r->model, error));
    return ts_state_create(r->model, &r->state, error);
}

ts_status ts_everyday_open(ts_everyday_run *r, const char *scene, const ts_everyday_change *change,
                           const char *dynamics, ts_error *error)
{
    /* Bodies of the file: without tilts, and without a body for a floor. */
    TS_AUTO(ts_everyday_close)
    ts_everyday_run plain = {.space = change->space, .length = 1, .time = 1, .restitution = (double)NAN};
    ts_everyday_change as_in_file = {.space = change->space};
    memcpy(as_in_file.edit, change->edit, sizeof as_in_file.edit);
    TS_TRY(read_scene(&plain, scene, &as_in_file, dynamics, error));
    plain.count = r->count = ts_model_body_count(plain.model);
    TS_TRY(ts_new(&r->begin, r->count, error));
    TS_TRY(ts_new(&r->late, r->count, error));
    TS_TRY(ts_new(&r->reach, r->count, error));
    TS_TRY(ts_new(&r->fell, r->count, error));
    TS_TRY(poses(&plain, r->begin, error));
    memcpy(r->late, r->begin, r->count * sizeof *r->late);

    r->space = change->space;
    r->length = change->size;
    r->time = sqrt(change->size / change->pull);
    r->shift = change->shift;
    TS_TRY(read_scene(r, scene, change, dynamics, error));
    TS_TRY(ts_model_prepare(r->model, NULL, error));
    for (size_t i = 0; i < r->count; i++) {
        r->reach[i] = ts_model_radius(r->model, i) / r->length;
        r->fell[i] = HUGE_VAL;
    }
    r->guard = ts_energy_guard_of(r->model);
    r->gate_time = r->gate_way = (double)NAN;
    return ts_workspace_create(r->model, 1, &r->work, error);
}

/* ---- Running ---- */

static double turn_between(ts_quat from, ts_quat to)
{
    return ts_vec3_length(ts_quat_log(ts_quat_mul(to, ts_quat_conjugate(from))));
}

/* How far points of a body have gone at most, by its bounding circle. */
static double stir(const ts_everyday_run *r, size_t body, const ts_pose3 *from, const ts_pose3 *to)
{
    return ts_vec3_distance(from->position, to->position) + r->reach[body] * turn_between(from->quat, to->quat);
}

/* A look at all bodies. */
static ts_status look(ts_everyday_run *r, double time, bool late, ts_error *error)
{
    for (size_t i = 0; i < r->count; i++) {
        ts_pose3 pose;
        TS_TRY(pose_of(r, i, &pose, error));
        if (late)
            r->moved = fmax(r->moved, stir(r, i, &r->late[i], &pose));
        if (isinf(r->fell[i]) && turn_between(r->begin[i].quat, pose.quat) > TIPPED)
            r->fell[i] = time;
    }
    return TS_OK;
}

static ts_status watch_energy(ts_everyday_run *r, ts_error *error)
{
    ts_measures row;
    TS_TRY(ts_measure(r->model, r->state, r->work, &row, error));
    TS_TRY(ts_energy_guard_check(&r->guard, &row, error));
    r->excess = fmax(r->excess, r->guard.excess);
    return TS_OK;
}

/* After each step: how high body 0 is, and whether it comes past the gate. */
static ts_status follow_first(ts_everyday_run *r, double time, double *low, bool *rises, ts_error *error)
{
    ts_pose3 first;
    TS_TRY(pose_of(r, 0, &first, error));
    const double height = up(r, first.position);
    *rises |= height > *low;
    *low = fmin(*low, height);
    r->highest = *rises ? fmax(r->highest, height) : height;
    if (isnan(r->gate_time) && height < up(r, r->begin[0].position) - GATE) {
        r->gate_time = time;
        r->gate_way = fmax(fabs(first.position.x), r->space ? fabs(first.position.y) : 0);
    }
    return TS_OK;
}

/* What a user would be told at the end of such a run. */
static void ask_for_doubt(ts_everyday_run *r)
{
    ts_warning list[TS_STEP_WARNINGS];
    const size_t count = ts_workspace_warnings(r->work, list, TS_STEP_WARNINGS);
    for (size_t i = 0; i < count && !r->doubt[0]; i++)
        if (list[i].doubtful)
            snprintf(r->doubt, sizeof r->doubt, "%s: %s", list[i].kind, list[i].text);
    if (!r->doubt[0] && r->excess > TS_ENERGY_EXCESS)
        snprintf(r->doubt, sizeof r->doubt, "energy: %.0f%% more than there was came from nowhere.", 100 * r->excess);
}

ts_status ts_everyday_finish(ts_everyday_run *r, ts_error *error)
{
    const double step = ts_model_time_step(r->model), duration = ts_model_duration(r->model);
    const uint64_t last = (uint64_t)ceil(duration / step - 1e-9);
    const uint64_t late = (uint64_t)fmax(0, ceil((duration - r->time) / step));
    const uint64_t every = last / SAMPLES + 1, every_late = (last - late) / SAMPLES + 1;
    double low = HUGE_VAL;
    bool rises = false;
    r->highest = -HUGE_VAL;
    TS_TRY(watch_energy(r, error));
    for (uint64_t i = 1; i <= last; i++) {
        const double time = (double)i * step / r->time;
        TS_TRY(ts_step(r->model, r->state, r->work, 1, error));
        TS_TRY(follow_first(r, time, &low, &rises, error));
        if (i == late)
            TS_TRY(poses(r, r->late, error));
        if (i % every == 0 || i == last)
            TS_TRY(watch_energy(r, error));
        if (i == last || i % (i > late ? every_late : every) == 0)
            TS_TRY(look(r, time, i > late, error));
    }
    ask_for_doubt(r);
    return TS_OK;
}

/* ---- What is measured ---- */

/* How far a body has gone since the beginning. */
static ts_status gone(const ts_everyday_run *r, size_t body, ts_vec3 *way, ts_error *error)
{
    ts_pose3 pose;
    TS_TRY(pose_of(r, body, &pose, error));
    *way = ts_vec3_sub(pose.position, r->begin[body].position);
    return TS_OK;
}

ts_status ts_everyday_way(const ts_everyday_run *r, double *value, ts_error *error)
{
    ts_vec3 to;
    TS_TRY(gone(r, 0, &to, error));
    *value = ts_vec3_length(to);
    return TS_OK;
}

ts_status ts_everyday_last_way(const ts_everyday_run *r, double *value, ts_error *error)
{
    ts_vec3 to;
    TS_TRY(gone(r, r->count - 1, &to, error));
    *value = ts_vec3_length(to);
    return TS_OK;
}

ts_status ts_everyday_along(const ts_everyday_run *r, double *value, ts_error *error)
{
    ts_vec3 to;
    TS_TRY(gone(r, 0, &to, error));
    *value = to.x;
    return TS_OK;
}

ts_status ts_everyday_strayed(const ts_everyday_run *r, double *value, ts_error *error)
{
    *value = 0;
    for (size_t i = 1; i < r->count; i++) {
        ts_vec3 to;
        TS_TRY(gone(r, i, &to, error));
        *value = fmax(*value, fabs(to.x));
    }
    return TS_OK;
}

/* How far bodies from one on, up to another, have come down at least and at most. */
static ts_status falls(const ts_everyday_run *r, size_t from, size_t to, double *least, double *most, ts_error *error)
{
    *least = HUGE_VAL;
    *most = -HUGE_VAL;
    for (size_t i = from; i < to; i++) {
        ts_vec3 way;
        TS_TRY(gone(r, i, &way, error));
        *least = fmin(*least, -up(r, way));
        *most = fmax(*most, -up(r, way));
    }
    return TS_OK;
}

ts_status ts_everyday_depth(const ts_everyday_run *r, double *value, ts_error *error)
{
    return falls(r, 0, 1, value, &(double){0}, error);
}

ts_status ts_everyday_sinking(const ts_everyday_run *r, double *value, ts_error *error)
{
    return falls(r, r->count - 1, r->count, value, &(double){0}, error);
}

ts_status ts_everyday_least_fall(const ts_everyday_run *r, double *value, ts_error *error)
{
    return falls(r, 0, r->count, value, &(double){0}, error);
}

ts_status ts_everyday_most_fall(const ts_everyday_run *r, double *value, ts_error *error)
{
    return falls(r, 0, r->count, &(double){0}, value, error);
}

ts_status ts_everyday_apex(const ts_everyday_run *r, double *value, ts_error *error)
{
    (void)error;
    *value = (r->highest - HALF) / (up(r, r->begin[0].position) - HALF);
    return TS_OK;
}

ts_status ts_everyday_creep(const ts_everyday_run *r, double *value, ts_error *error)
{
    (void)error;
    *value = r->moved;
    return TS_OK;
}

static ts_status turn_of(const ts_everyday_run *r, size_t body, double *value, ts_error *error)
{
    ts_pose3 pose;
    TS_TRY(pose_of(r, body, &pose, error));
    *value = turn_between(r->begin[body].quat, pose.quat);
    return TS_OK;
}

ts_status ts_everyday_turn(const ts_everyday_run *r, double *value, ts_error *error)
{
    return turn_of(r, r->count - 1, value, error);
}

ts_status ts_everyday_turned(const ts_everyday_run *r, double *value, ts_error *error)
{
    *value = 0;
    for (size_t i = 0; i < r->count; i++) {
        double turn;
        TS_TRY(turn_of(r, i, &turn, error));
        *value = fmax(*value, turn);
    }
    return TS_OK;
}

ts_status ts_everyday_disorder(const ts_everyday_run *r, double *value, ts_error *error)
{
    (void)error;
    *value = 0;
    for (size_t i = 0; i < r->count; i++)
        *value += isinf(r->fell[i]) || (i > 0 && r->fell[i] < r->fell[i - 1]);
    return TS_OK;
}

/* In the units and the frame of the file. */
static ts_status velocity_of(const ts_everyday_run *r, size_t body, ts_vec3 *velocity, ts_error *error)
{
    double v[6] = {0};
    TS_TRY(ts_state_velocity(r->state, body, v, error));
    const ts_vec3 turned = ts_quat_apply_inverse(r->turn, (ts_vec3){v[0], v[1], r->space ? v[2] : 0});
    *velocity = ts_vec3_scale(turned, r->time / r->length);
    return TS_OK;
}

ts_status ts_everyday_speed(const ts_everyday_run *r, double *value, ts_error *error)
{
    ts_vec3 v;
    TS_TRY(velocity_of(r, 0, &v, error));
    *value = v.x;
    return TS_OK;
}

ts_status ts_everyday_rise(const ts_everyday_run *r, double *value, ts_error *error)
{
    ts_vec3 v;
    TS_TRY(velocity_of(r, 0, &v, error));
    *value = up(r, v);
    return TS_OK;
}

ts_status ts_everyday_last_speed(const ts_everyday_run *r, double *value, ts_error *error)
{
    ts_vec3 v;
    TS_TRY(velocity_of(r, r->count - 1, &v, error));
    *value = v.x;
    return TS_OK;
}

ts_status ts_everyday_carried(const ts_everyday_run *r, double *value, ts_error *error)
{
    double force[3], weight = 0;
    for (size_t i = 0; i < r->count; i++)
        weight += G * r->length / (r->time * r->time) * ts_model_mass(r->model, i);
    TS_TRY(ts_wall_force(r->work, 0, force, NULL, error));
    *value = hypot(hypot(force[0], force[1]), force[2]) / weight;
    return TS_OK;
}

ts_status ts_everyday_gate_time(const ts_everyday_run *r, double *value, ts_error *error)
{
    (void)error;
    *value = r->gate_time;
    return TS_OK;
}

ts_status ts_everyday_gate_way(const ts_everyday_run *r, double *value, ts_error *error)
{
    (void)error;
    *value = r->gate_way;
    return TS_OK;
}

ts_status ts_everyday_overlap(const ts_everyday_run *r, double *value, ts_error *error)
{
    (void)error;
    *value = r->work->max_overlap_ratio;
    return TS_OK;
}
