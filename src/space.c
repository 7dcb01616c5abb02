/* SPDX-License-Identifier: MIT */
/* Bodies of space (world.h). */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "pull.h"
#include "world.h"

/* ---- Bodies as the flight knows them ---- */

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

static void put_vec(double to[3], ts_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static ts_pose3 pose_of(const ts_body3 *b)
{
    return (ts_pose3){vec_of(b->position), {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]}};
}

static void put_pose(ts_body3 *b, ts_pose3 pose)
{
    put_vec(b->position, pose.position);
    memcpy(b->attitude, (double[4]){pose.quat.w, pose.quat.x, pose.quat.y, pose.quat.z}, sizeof b->attitude);
}

static ts_rigid rigid_of(const ts_body3 *b)
{
    return (ts_rigid){pose_of(b), vec_of(b->velocity), vec_of(b->angular_momentum)};
}

/* Angular velocity, world frame. */
static ts_vec3 spin_of(const ts_model *model, size_t body, const ts_body3 *b)
{
    return ts_inertia_spin(&model->inertia[body], pose_of(b).quat, vec_of(b->angular_momentum));
}

static void put_rigid(ts_body3 *b, const ts_rigid *f)
{
    put_pose(b, f->pose);
    put_vec(b->velocity, f->velocity);
    put_vec(b->angular_momentum, f->angular_momentum);
}

/* ---- Before the run ---- */

static ts_start start(const ts_model *model, size_t body)
{
    const ts_body3 *b = &model->body3[body];
    const ts_form3 *form = &model->form[model->body_form[body]];
    return (ts_start){.position = vec_of(b->position),
                      .attitude = pose_of(b).quat,
                      .speed =
                          ts_vec3_length(vec_of(b->velocity)) + ts_vec3_length(spin_of(model, body, b)) * b->radius,
                      .volume = form->volume,
                      .inner = form->inner,
                      .soft = form->inner};
}

static double fall(const ts_model *model, size_t body, ts_vec3 up)
{
    const ts_body3 *b = &model->body3[body];
    double height = HUGE_VAL;
    for (size_t k = 0; k < model->wall_count; k++) {
        const ts_wall *wall = &model->wall[k];
        if (model->piece[wall->piece_begin].solid.kind != TS_SOLID_PLANE)
            continue;
        const ts_vec3 normal = ts_quat_apply(wall->pose.quat, (ts_vec3){0, 0, 1});
        const double slope = ts_vec3_dot(normal, up),
                     gap = ts_vec3_dot(ts_vec3_sub(vec_of(b->position), wall->pose.position), normal) - b->radius;
        if (slope > 1e-6)
            height = fmin(height, fmax(gap, 0) / slope);
    }
    return height;
}

/* `turn`: from the world's axes to upright ones. */
static ts_status add_pieces(const ts_model *model, size_t begin, size_t count, ts_pose3 pose, ts_quat turn,
                            ts_ledges *to, ts_error *error)
{
    for (size_t p = begin; p < begin + count; p++) {
        const ts_piece *piece = &model->piece[p];
        const ts_pose3 at = ts_pose3_compose((ts_pose3){{0, 0, 0}, turn}, ts_pose3_compose(pose, piece->pose));
        ts_solid solid = piece->solid;
        if (solid.kind == TS_SOLID_VESSEL)
            solid.kind = TS_SOLID_CYLINDER;
        const ts_box3 box = ts_solid_bounds(&solid, at);
        if (!isfinite(box.low.z))
            continue;
        /* a vessel is hollow: what falls into it lies on its bottom */
        const double top = piece->solid.kind == TS_SOLID_VESSEL ? box.low.z : box.high.z;
        const ts_ledge l = {{box.low.x, box.low.y}, {box.high.x, box.high.y}, {top, top}, box.low.z};
        TS_TRY(ts_array_push(to, l, error));
    }
    return TS_OK;
}

static ts_status ledges(const ts_model *model, const ts_vec3 axis[3], ts_ledges *to, ts_error *error)
{
    const ts_vec3 a = axis[0], b = axis[1], c = axis[2];
    const ts_quat turn = ts_quat_from_matrix((ts_mat3){{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}});
    for (size_t k = 0; k < model->wall_count; k++) {
        const ts_wall *wall = &model->wall[k];
        TS_TRY(add_pieces(model, wall->piece_begin, wall->piece_count, wall->pose, turn, to, error));
    }
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_form3 *form = &model->form[model->body_form[i]];
        if (!ts_model_moves(model, i))
            TS_TRY(add_pieces(model, form->piece_begin, form->piece_count, pose_of(&model->body3[i]), turn, to, error));
    }
    return TS_OK;
}

/* ---- Scripts ---- */

/* Scripted bodies stand where their script has them when a step begins, with the velocities that take them to where
 * it has them at its end. */
static void drive_at(const ts_model *model, ts_state *state, uint64_t step)
{
    const double time = ts_time_of_step(model, step);
    for (size_t i = 0; model->body_motion && i < model->body_count; i++) {
        if (model->body_motion[i] < 0)
            continue;
        const ts_motion *motion = &model->motion[model->body_motion[i]];
        ts_pose3 rest = pose_of(&model->body3[i]);
        ts_vec3 linear, angular;
        ts_motion_velocity(motion, rest, time, model->settings.time_step, &linear, &angular);
        put_pose(&state->body3[i], ts_motion_pose3(motion, rest, time));
        put_vec(state->body3[i].velocity, linear);
        put_vec(state->body3[i].angular_momentum,
                ts_inertia_momentum(&model->inertia[i], pose_of(&state->body3[i]).quat, angular));
    }
}

static void drive(const ts_model *model, ts_state *state, ts_workspace *work)
{
    (void)work;
    drive_at(model, state, state->step);
}

/* ---- Flight ---- */

typedef struct flight {
    const ts_model *model;
    ts_state *state;
    double step;
    ts_chunk_report *report;
} flight;

static void fly_task(void *context, int task, int thread)
{
    (void)thread;
    const flight *f = context;
    const ts_model *model = f->model;
    size_t begin = (size_t)task * TS_BODY_CHUNK, end = begin + TS_BODY_CHUNK;
    end = end < model->body_count ? end : model->body_count;
    f->report[task].runaway = -1;
    for (size_t i = begin; i < end; i++) {
        ts_body3 *b = &f->state->body3[i];
        if (!(b->inv_mass > 0))
            continue;
        ts_rigid rigid = rigid_of(b);
        ts_error error;
        if (ts_flight_drift(&model->inertia[i], model->gravity, f->step, &rigid, &error) != TS_OK)
            f->report[task].runaway = (int64_t)i;
        else
            put_rigid(b, &rigid);
    }
}

static ts_status fly(const ts_model *model, ts_state *state, ts_workspace *work, double step, ts_error *error)
{
    const size_t tasks = work->chunk_count;
    flight f = {model, state, step, work->chunk};
    ts_pool_run(work->pool, (int)tasks, fly_task, &f);
    for (size_t i = 0; i < tasks; i++)
        if (work->chunk[i].runaway >= 0) {
            const int64_t id = work->chunk[i].runaway;
            const ts_body3 *b = &state->body3[id];
            return ts_fail(
                error, TS_DIVERGED,
                "body %lld cannot fly on at t = %.9g s (step %llu), at %.4g m/s and %.4g rad/s: numbers are not "
                "finite any more, or it turns too fast for a time step of %.3g s; set a smaller time_step",
                (long long)id, ts_state_time(state), (unsigned long long)state->step,
                ts_vec3_length(vec_of(b->velocity)), ts_vec3_length(spin_of(model, (size_t)id, b)),
                model->settings.time_step);
        }
    return TS_OK;
}

/* ---- Springs ---- */

static ts_pull pull_of(const ts_state *state, const ts_spring *s)
{
    return ts_spring_pull(s, s->a >= 0 ? pose_of(&state->body3[s->a]) : ts_pose3_identity(),
                          pose_of(&state->body3[s->b]));
}

static void kick_body(const ts_model *model, ts_state *state, int32_t i, ts_vec3 impulse, ts_vec3 point)
{
    ts_body3 *b = &state->body3[i];
    if (!(b->inv_mass > 0))
        return;
    ts_rigid rigid = rigid_of(b);
    ts_flight_kick(model->mass[i], impulse, point, &rigid);
    put_rigid(b, &rigid);
}

static void push(const ts_model *model, ts_state *state, ts_workspace *work, size_t body, ts_vec3 force, ts_vec3 point)
{
    const ts_body3 *b = &state->body3[body];
    const double half = 0.5 * model->settings.time_step;
    const ts_vec3 middle = ts_vec3_add_scaled(ts_vec3_add_scaled(vec_of(b->position), vec_of(b->velocity), half),
                                              model->gravity, 0.5 * half * half);
    ts_vec3 *sum = work->push3[body];
    sum[0] = ts_vec3_add(sum[0], force);
    sum[1] = ts_vec3_add(sum[1], ts_vec3_cross(ts_vec3_sub(point, middle), force));
}

/* What was pushed in this step. */
static void kick_pushed(const ts_model *model, ts_state *state, ts_workspace *work)
{
    const double h = model->settings.time_step;
    for (size_t i = 0; i < model->body_count; i++) {
        ts_body3 *b = &state->body3[i];
        if (!(b->inv_mass > 0))
            continue;
        put_vec(b->velocity, ts_vec3_add_scaled(vec_of(b->velocity), work->push3[i][0], h * b->inv_mass));
        put_vec(b->angular_momentum, ts_vec3_add_scaled(vec_of(b->angular_momentum), work->push3[i][1], h));
    }
}

/* All at the same poses, which kicks leave alone. */
static void kick(const ts_model *model, ts_state *state, ts_workspace *work)
{
    if (work->push3)
        kick_pushed(model, state, work);
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        ts_pull pull = pull_of(state, s);
        ts_vec3 impulse = ts_vec3_scale(pull.force, model->settings.time_step);
        if (s->a >= 0)
            kick_body(model, state, s->a, impulse, pull.point_a);
        kick_body(model, state, s->b, ts_vec3_neg(impulse), pull.point_b);
    }
}

/* A body in the middle of the step, as free flight has it; one that cannot fly stays where it is, and fails there. */
static ts_rigid middle_of(const ts_model *model, const ts_state *state, size_t i)
{
    ts_rigid rigid = rigid_of(&state->body3[i]);
    ts_error error;
    if (state->body3[i].inv_mass > 0)
        (void)!ts_flight_drift(&model->inertia[i], model->gravity, 0.5 * model->settings.time_step, &rigid, &error);
    return rigid;
}

/* Adds what a force at a point of the world does in half a step, to a body that is in the middle of it. */
static void add_half(const ts_model *model, const ts_rigid *middle, size_t i, ts_vec3 force, ts_vec3 point,
                     double *half)
{
    const double h = 0.5 * model->settings.time_step;
    ts_rigid kicked = {.pose = middle->pose};
    if (!(model->body3[i].inv_mass > 0))
        return;
    ts_flight_kick(model->mass[i], ts_vec3_scale(force, h), point, &kicked);
    put_vec(half + 6 * i, ts_vec3_add(vec_of(half + 6 * i), kicked.velocity));
    put_vec(half + 6 * i + 3, ts_vec3_add(vec_of(half + 6 * i + 3), kicked.angular_momentum));
}

static void pull(const ts_model *model, const ts_state *state, double *half)
{
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        const ts_rigid b = middle_of(model, state, (size_t)s->b),
                       a = s->a >= 0 ? middle_of(model, state, (size_t)s->a) : (ts_rigid){.pose = ts_pose3_identity()};
        const ts_pull p = ts_spring_pull(s, a.pose, b.pose);
        if (s->a >= 0)
            add_half(model, &a, (size_t)s->a, p.force, p.point_a, half);
        add_half(model, &b, (size_t)s->b, ts_vec3_neg(p.force), p.point_b, half);
    }
}

/* ---- Steps ---- */

/* Broad phase and contacts are the resolver's: they belong to the beginning of the step for impact, and to its
 * middle for forces. */
static ts_status find_pairs(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    (void)error;
    if (work->pulls)
        ts_pulls_foresee(model, state, work);
    if (work->push3)
        memset(work->push3, 0, model->body_count * sizeof *work->push3);
    return TS_OK;
}

static ts_status advance(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    const double h = model->settings.time_step;
    if (model->spring_count == 0 && !work->push3)
        TS_TRY(fly(model, state, work, h, error));
    else {
        TS_TRY(fly(model, state, work, 0.5 * h, error));
        kick(model, state, work);
        TS_TRY(fly(model, state, work, 0.5 * h, error));
    }
    return TS_OK;
}

/* Flight fails by itself where motion makes no sense. Between steps scripted bodies are where they belong. */
static ts_status end_step(const ts_model *model, ts_state *state, const ts_workspace *work, ts_error *error)
{
    (void)work, (void)error;
    drive_at(model, state, state->step);
    return TS_OK;
}

/* ---- States ---- */

static ts_status create_state(ts_state *state, ts_error *error)
{
    const ts_model *model = state->model;
    TS_TRY(ts_new_raw(&state->body3, model->body_count, error));
    memcpy(state->body3, model->body3, model->body_count * sizeof *state->body3);
    drive_at(model, state, 0);
    return TS_OK;
}

static void get_q(const ts_state *state, size_t body, double *q)
{
    memcpy(q, state->body3[body].position, 3 * sizeof *q);
    memcpy(q + 3, state->body3[body].attitude, 4 * sizeof *q);
}

static void get_v(const ts_state *state, size_t body, double *v)
{
    const ts_body3 *b = &state->body3[body];
    memcpy(v, b->velocity, 3 * sizeof *v);
    put_vec(v + 3, spin_of(state->model, body, b));
}

static void set_v(ts_state *state, size_t body, const double *v)
{
    ts_body3 *b = &state->body3[body];
    memcpy(b->velocity, v, sizeof b->velocity);
    put_vec(b->angular_momentum, ts_inertia_momentum(&state->model->inertia[body], pose_of(b).quat, vec_of(v + 3)));
}

/* The angular velocity stays what it is in the body's own frame. */
static ts_status set_q(ts_state *state, size_t body, const double *q, ts_error *error)
{
    ts_quat to = {q[3], q[4], q[5], q[6]};
    if (!(ts_quat_dot(to, to) > 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "the attitude of body %zu is zero; give a quaternion (w, x, y, z) of any other length", body);
    ts_body3 *b = &state->body3[body];
    ts_vec3 own = ts_quat_apply_inverse(pose_of(b).quat, vec_of(b->angular_momentum));
    put_pose(b, (ts_pose3){vec_of(q), ts_quat_unit(to)});
    put_vec(b->angular_momentum, ts_quat_apply(pose_of(b).quat, own));
    state->places_room = 0;
    return TS_OK;
}

/* ---- Workspaces ---- */

static ts_status open_work(const ts_model *model, ts_workspace *work, ts_error *error)
{
    return model->dynamics->force ? ts_new(&work->push3, model->body_count, error) : TS_OK;
}

/* ---- Looking ---- */

/* What contacts have taken from a body of the energy that the next step begins with. */
static double held_back(const ts_model *model, const ts_state *state, size_t i)
{
    const ts_body3 *b = &state->body3[i];
    const double *v = state->onward + 6 * i;
    const ts_inertia *inertia = &model->inertia[i];
    return 0.5 * model->mass[i] * (ts_vec3_length_squared(vec_of(v)) - ts_vec3_length_squared(vec_of(b->velocity))) +
           ts_inertia_energy(inertia, pose_of(b).quat, vec_of(v + 3)) -
           ts_inertia_energy(inertia, pose_of(b).quat, vec_of(b->angular_momentum));
}

static void measure_bodies(const ts_model *model, const ts_state *state, ts_measures *out)
{
    ts_vec3 momentum = {0, 0, 0}, angular = {0, 0, 0};
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body3 *b = &state->body3[i];
        if (!(b->inv_mass > 0))
            continue;
        const double mass = model->mass[i];
        const ts_vec3 v = vec_of(b->velocity), x = vec_of(b->position), L = vec_of(b->angular_momentum);
        out->kinetic += 0.5 * mass * ts_vec3_length_squared(v);
        out->rotational += ts_inertia_energy(&model->inertia[i], pose_of(b).quat, L);
        out->gravitational -= mass * ts_vec3_dot(model->gravity, x);
        momentum = ts_vec3_add_scaled(momentum, v, mass);
        angular = ts_vec3_add(angular, ts_vec3_add_scaled(L, ts_vec3_cross(x, v), mass));
        out->max_speed = fmax(out->max_speed, ts_vec3_length(v));
    }
    for (size_t i = 0; state->onward && i < model->body_count; i++)
        if (model->body3[i].inv_mass > 0)
            out->lost_normal += held_back(model, state, i);
    for (size_t i = 0; i < model->spring_count; i++)
        out->elastic += pull_of(state, &model->spring[i]).energy;
    put_vec(out->momentum, momentum);
    out->angular_xy[0] = angular.x;
    out->angular_xy[1] = angular.y;
    out->angular = angular.z;
}

static double inner_radius(const ts_model *model, int64_t body)
{
    return model->form[model->body_form[body]].inner;
}

static double contact_size(const ts_model *model, const ts_contact *contact)
{
    double size = inner_radius(model, contact->b);
    return contact->a >= 0 ? fmin(size, inner_radius(model, contact->a)) : size;
}

static void inertia_of(const ts_model *model, size_t body, double inertia[9])
{
    const ts_form3 *form = &model->form[model->body_form[body]];
    for (int i = 0; i < 9; i++)
        inertia[i] = model->mass[body] / form->volume * form->inertia.m[i / 3][i % 3];
}

static double radius_of(const ts_model *model, size_t body)
{
    return model->body3[body].radius;
}

static double inv_mass_of(const ts_model *model, size_t body)
{
    return model->body3[body].inv_mass;
}

static int32_t shape_of(const ts_model *model, size_t body)
{
    return model->form[model->body_form[body]].shape;
}

static ts_placed placed(const ts_state *state, size_t body)
{
    const ts_body3 *b = &state->body3[body];
    return (ts_placed){.pose = pose_of(b), .velocity = vec_of(b->velocity), .spin = spin_of(state->model, body, b)};
}

static ts_placed placed_wall(const ts_wall *wall, const ts_motion *motion, double time)
{
    return (ts_placed){.pose = motion ? ts_motion_pose3(motion, wall->pose, time) : wall->pose};
}

const ts_world ts_world_space = {.dimension = 3,
                                 .q_size = 7,
                                 .v_size = 6,
                                 .body_size = sizeof(ts_body3),
                                 .plot = "space",
                                 .density_unit = "kg/m³",
                                 .settled_fraction = 0.6,
                                 .drive = drive,
                                 TS_WORLD_FUNCTIONS};
