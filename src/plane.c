/* SPDX-License-Identifier: MIT */
/* Bodies of the plane (world.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advance.h"
#include "base/memory.h"
#include "contact/featured.h"
#include "pull.h"
#include "world.h"

/* ---- States ---- */

/* Scripted bodies begin where their script has them at time 0, which need not be their rest pose. */
static void place_driven(const ts_model *model, ts_body *body)
{
    for (size_t i = 0; model->body_motion && i < model->body_count; i++) {
        if (model->body_motion[i] < 0)
            continue;
        const ts_motion *motion = &model->motion[model->body_motion[i]];
        ts_pose2 pose = ts_motion_pose(motion, (ts_pose2){body[i].x, body[i].y, body[i].angle}, 0);
        body[i].x = pose.x;
        body[i].y = pose.y;
        body[i].angle = pose.angle;
    }
}

static ts_status create_state(ts_state *state, ts_error *error)
{
    const size_t n = state->model->body_count;
    TS_TRY(ts_new_raw(&state->body, n, error));
    TS_TRY(ts_new(&state->reference, n, error));
    memcpy(state->body, state->model->body, n * sizeof *state->body);
    place_driven(state->model, state->body);
    return TS_OK;
}

static void get_q(const ts_state *state, size_t body, double *q)
{
    const ts_body *b = &state->body[body];
    memcpy(q, (double[3]){b->x, b->y, b->angle}, 3 * sizeof *q);
}

static void get_v(const ts_state *state, size_t body, double *v)
{
    const ts_body *b = &state->body[body];
    memcpy(v, (double[3]){b->vx, b->vy, b->spin}, 3 * sizeof *v);
}

static ts_status set_q(ts_state *state, size_t body, const double *q, ts_error *error)
{
    (void)error; /* any numbers will do */
    ts_body *b = &state->body[body];
    b->x = q[0];
    b->y = q[1];
    b->angle = q[2];
    state->drift_bound = (double)INFINITY; /* it may have left the reach of the pair list */
    state->places_room = 0;
    return TS_OK;
}

static void set_v(ts_state *state, size_t body, const double *v)
{
    ts_body *b = &state->body[body];
    b->vx = v[0];
    b->vy = v[1];
    b->spin = v[2];
}

/* ---- Before the run ---- */

static ts_start start(const ts_model *model, size_t body)
{
    const ts_body *b = &model->body[body];
    const ts_shape *shape = &model->shape[model->body_shape[body]];
    const double scale = model->body_scale[body],
                 soft = shape->outline ? fmin(shape->radius, 5 * shape->inner) : shape->inner;
    return (ts_start){.position = {b->x, b->y, 0},
                      .attitude = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, b->angle),
                      .speed = hypot(b->vx, b->vy) + fabs(b->spin) * b->radius,
                      .volume = shape->area * scale * scale,
                      .inner = shape->inner * scale,
                      .soft = soft * scale};
}

/* How far a disc falls before it touches the wall; infinite if it never does. */
static double fall_to_wall(const ts_wall *wall, ts_vec3 up, const ts_body *b)
{
    double dx = b->x - wall->pose.position.x, dy = b->y - wall->pose.position.y;
    if (wall->kind == TS_WALL_FLAT) {
        double slope = wall->nx * up.x + wall->ny * up.y;
        double gap = dx * wall->nx + dy * wall->ny - b->radius;
        return slope > 1e-6 ? fmax(gap, 0) / slope : HUGE_VAL;
    }
    double height = dx * up.x + dy * up.y, side = dx * up.y - dy * up.x;
    double room = wall->radius - b->radius;
    return fmax(height + sqrt(fmax(room * room - side * side, 0)), 0);
}

static double fall(const ts_model *model, size_t body, ts_vec3 up)
{
    double height = HUGE_VAL;
    for (size_t k = 0; k < model->wall_count; k++)
        if (model->wall[k].line_count == 0)
            height = fmin(height, fall_to_wall(&model->wall[k], up, &model->body[body]));
    return height;
}

/* Chords in place of an arc. */
enum { CHORDS = 16 };

/* Steeper than this (height over width) it carries nothing. */
static const double steepest = 6;

/* Where the points of a contour are: at a pose, `scale` times as large. */
typedef struct frame {
    ts_pose2 pose;
    double scale;
    const ts_vec3 *axis;
} frame;

/* Of a local point: along axis 0, and up. */
static ts_vec2 seen(const frame *f, ts_vec2 p)
{
    const double c = f->scale * cos(f->pose.angle), s = f->scale * sin(f->pose.angle),
                 x = f->pose.x + c * p.x - s * p.y, y = f->pose.y + s * p.x + c * p.y;
    return (ts_vec2){x * f->axis[0].x + y * f->axis[0].y, x * f->axis[2].x + y * f->axis[2].y};
}

static ts_ledge ledge_of(ts_vec2 a, ts_vec2 b, double bottom)
{
    const ts_vec2 left = a.x <= b.x ? a : b, right = a.x <= b.x ? b : a;
    ts_ledge l = {.low = {left.x}, .high = {right.x}, .height = {left.y, right.y}, .bottom = bottom};
    if (fabs(left.y - right.y) > steepest * (right.x - left.x))
        l.height[0] = l.height[1] = -HUGE_VAL;
    return l;
}

static ts_status add_line(const ts_contour *line, size_t count, const frame *f, ts_ledges *to, ts_error *error)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < ts_contour_segment_count(&line[k]); i++) {
            const ts_segment s = ts_contour_segment(&line[k], i);
            const double b = fabs(s.bulge), chord = f->scale * hypot(s.x1 - s.x0, s.y1 - s.y0);
            /* at most the height over the chord, or the diameter */
            const double rise = b <= 1 ? 0.5 * b * chord : 0.5 * (b + 1 / b) * chord;
            const int parts = s.bulge == 0 ? 1 : CHORDS;
            ts_vec2 from = seen(f, (ts_vec2){s.x0, s.y0}), end = seen(f, (ts_vec2){s.x1, s.y1});
            const double bottom = fmin(from.y, end.y) - rise;
            for (int p = 1; p <= parts; p++) {
                const ts_vec2 next = p == parts ? end : seen(f, ts_segment_point(&s, (double)p / parts));
                TS_TRY(ts_array_push(to, ledge_of(from, next, bottom), error));
                from = next;
            }
        }
    return TS_OK;
}

static ts_status ledges(const ts_model *model, const ts_vec3 axis[3], ts_ledges *to, ts_error *error)
{
    for (size_t w = 0; w < model->wall_count; w++) {
        const ts_wall *wall = &model->wall[w];
        const frame f = {{wall->pose.position.x, wall->pose.position.y, 0}, 1, axis};
        TS_TRY(add_line(wall->line, wall->line_count, &f, to, error));
    }
    for (size_t i = 0; i < model->body_count; i++) {
        if (ts_model_moves(model, i))
            continue;
        const ts_body *b = &model->body[i];
        const ts_shape *shape = &model->shape[model->body_shape[i]];
        const frame f = {{b->x, b->y, b->angle}, model->body_scale[i], axis};
        for (size_t k = 0; shape->outline && k < shape->outline->contour_count; k++) {
            const ts_contour line = ts_outline_get_contour(shape->outline, k);
            TS_TRY(add_line(&line, 1, &f, to, error));
        }
        for (size_t k = 0; !shape->outline && k < shape->disc_count; k++) {
            const ts_vec2 at = seen(&f, (ts_vec2){shape->disc[k].x, shape->disc[k].y});
            const double r = f.scale * shape->disc[k].radius;
            const ts_ledge l = {{at.x - r}, {at.x + r}, {at.y + r, at.y + r}, at.y - r};
            TS_TRY(ts_array_push(to, l, error));
        }
    }
    return TS_OK;
}

/* ---- Workspaces ---- */

static void find_driven(const ts_model *model, ts_workspace *work)
{
    for (size_t i = 0; model->body_motion && i < model->body_count; i++)
        if (model->body_motion[i] >= 0) {
            if (work->driven)
                work->driven[work->driven_count] = i;
            work->driven_count++;
        }
}

/* Bodies that scripts move: counted, then listed. */
static ts_status list_driven(const ts_model *model, ts_workspace *work, ts_error *error)
{
    find_driven(model, work);
    if (work->driven_count == 0)
        return TS_OK;
    TS_TRY(ts_new(&work->driven, work->driven_count, error));
    work->driven_count = 0;
    find_driven(model, work);
    return TS_OK;
}

static ts_status open_work(const ts_model *model, ts_workspace *work, ts_error *error)
{
    size_t parts = model->part_count, walls = model->wall_count;
    TS_TRY(ts_new(&work->part, parts, error));
    TS_TRY(ts_new(&work->wrench, parts, error));
    TS_TRY(ts_new(&work->wall, walls, error));
    TS_TRY(ts_new(&work->wall_frame, walls, error));
    TS_TRY(ts_new(&work->wall_material, walls, error));
    TS_TRY(ts_new(&work->wall_wrench, walls, error));
    if (model->material_count > 1)
        TS_TRY(ts_new(&work->material, parts, error));
    if (model->forms) {
        TS_TRY(ts_new(&work->form, parts, error));
        TS_TRY(ts_new(&work->path, parts, error));
        if (ts_model_has_features(model))
            TS_TRY(ts_featured_create(model, &work->featured, error));
    }
    for (size_t i = 0; i < walls; i++)
        work->wall_material[i] = (uint8_t)model->wall[i].material;
    TS_TRY(ts_pairs_create(&work->pairs, model, error));
    TS_TRY(ts_carry_create(&work->carry, parts, error));
    return list_driven(model, work, error);
}

/* ---- Steps ---- */

/* Says which body ran away, when, and what time step would have been stable. */
static ts_status report_runaway(const ts_model *model, const ts_state *state, int64_t id, ts_error *error)
{
    char limit[48] = "";
    const ts_body *body = &state->body[id];
    double time = ts_state_time(state), dt = model->settings.time_step;
    double speed = hypot(body->vx, body->vy);
    if (!isfinite(speed) || !isfinite(body->spin))
        return ts_fail(error, TS_DIVERGED, "body %lld: velocity is NaN or infinite at t = %.9g s (step %llu); %s",
                       (long long)id, time, (unsigned long long)state->step, ts_step_advice(model).text);
    double enough = 0.1 * body->radius / speed;
    if (isfinite(model->stable_step))
        snprintf(limit, sizeof limit, " (stable limit %.3g s)", model->stable_step);
    return ts_fail(
        error, TS_DIVERGED,
        "body %lld moves at %.4g m/s at t = %.9g s (step %llu), more than its radius %.3g m in one time step of "
        "%.3g s%s: set time_step to %.2g s or less",
        (long long)id, speed, time, (unsigned long long)state->step, body->radius, dt, limit,
        enough < 0.5 * dt ? enough : 0.5 * dt);
}

/* Adds what a force at a point of the world does in half a step, to a body that is in the middle of it. */
static void add_half(const ts_model *model, const ts_state *state, size_t i, ts_vec3 force, ts_vec3 point, double *half)
{
    const ts_body *b = &state->body[i];
    const double h = 0.5 * model->settings.time_step, rx = point.x - (b->x + h * b->vx),
                 ry = point.y - (b->y + h * b->vy);
    half[3 * i] += h * b->inv_mass * force.x;
    half[3 * i + 1] += h * b->inv_mass * force.y;
    half[3 * i + 2] += h * model->inv_inertia[i] * (rx * force.y - ry * force.x);
}

static void pull(const ts_model *model, const ts_state *state, double *half)
{
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        const ts_pull p = ts_spring_pull_in_plane(s, state->body, 0.5 * model->settings.time_step);
        if (s->a >= 0)
            add_half(model, state, (size_t)s->a, p.force, p.point_a, half);
        add_half(model, state, (size_t)s->b, ts_vec3_neg(p.force), p.point_b, half);
    }
}

/* Where bodies are when contacts are looked for, and the list of pairs. */
static ts_status find_places(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_timers *timers = &work->timers;
    double half = model->search.at > 0 ? 0.5 * model->settings.time_step : 0;
    double middle = ts_time_of_step(model, state->step) + half;
    double ahead = model->search.at * model->settings.time_step;

    double since = ts_timer_begin(timers);
    if (ts_pairs_fit(work, state))
        ts_place_parts(model, state, work, ahead, &state->drift_bound);
    else
        state->drift_bound = HUGE_VAL;
    ts_timer_end(timers, TS_PHASE_ADVANCE, since);

    since = ts_timer_begin(timers);
    bool made = false;
    ts_status status = ts_refresh_pairs(model, state, work, middle, half, &made, error);
    if (status == TS_OK && made)
        ts_place_parts(model, state, work, ahead, &(double){0});
    ts_timer_end(timers, TS_PHASE_PAIRS, since);
    return status;
}

static ts_status find_pairs(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    if (work->pulls)
        ts_pulls_foresee(model, state, work);
    ts_pulls_swap(model, state, work);
    ts_status status = find_places(model, state, work, error);
    ts_pulls_swap(model, state, work);
    return status;
}

/* Adds a force at a point of the world to what acts on a body in the middle of the step: to the wrench of its first
 * part. */
static void push(const ts_model *model, ts_state *state, ts_workspace *work, size_t i, ts_vec3 force, ts_vec3 point)
{
    const ts_body *body = state->body;
    const double half = 0.5 * model->settings.time_step;
    const ts_vec2 middle = {body[i].x + half * body[i].vx, body[i].y + half * body[i].vy};
    const int32_t slot = work->pairs.slot_of_part[model->parts_are_bodies ? i : model->part_begin[i]];
    ts_wrench *wrench = &work->wrench[slot];
    wrench->fx += force.x;
    wrench->fy += force.y;
    wrench->torque += (point.x - middle.x) * force.y - (point.y - middle.y) * force.x;
    if (!model->parts_are_bodies) { /* the advance adds the moment of a part's force */
        const ts_frame2 *part = &work->part[slot];
        wrench->torque -= (part->x - middle.x) * force.y - (part->y - middle.y) * force.x;
    }
}

/* Springs pull where velocities change: at the poses of the middle of the step. One after the other, in the order of
 * the scene. */
static void pull_springs(const ts_model *model, ts_state *state, ts_workspace *work)
{
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        ts_pull pull = ts_spring_pull_in_plane(s, state->body, 0.5 * model->settings.time_step);
        if (s->a >= 0)
            push(model, state, work, (size_t)s->a, pull.force, pull.point_a);
        push(model, state, work, (size_t)s->b, ts_vec3_neg(pull.force), pull.point_b);
    }
}

static ts_status advance(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    (void)error; /* end_step tells of bodies that ran away */
    pull_springs(model, state, work);
    ts_advance(model, state, work);
    if (model->search.throughout)
        state->drift_bound = HUGE_VAL; /* impulses came between where bodies would have been and where they are */
    return TS_OK;
}

/* Whether a body goes on by more than its radius in the next step and may jump through something. */
static bool may_jump(const ts_model *model, const ts_state *state, size_t i)
{
    const ts_body *b = &state->body[i];
    const double dt = model->settings.time_step;
    const double way = dt * (hypot(b->vx, b->vy) + (model->parts_are_bodies ? 0 : fabs(b->spin) * b->radius));
    if (!(b->inv_mass > 0) || (way <= b->radius && isfinite(b->spin)))
        return false;
    return !ts_goes_clear(model, state, i, ts_time_of_step(model, state->step) + 0.5 * dt, TS_CLEAR_OF_JUMPS);
}

static ts_status end_step(const ts_model *model, ts_state *state, const ts_workspace *work, ts_error *error)
{
    for (size_t c = 0; c < work->chunk_count; c++) {
        if (work->chunk[c].runaway < 0)
            continue;
        if (!model->search.throughout)
            return report_runaway(model, state, work->chunk[c].runaway, error);
        const size_t begin = c * TS_BODY_CHUNK, end = begin + TS_BODY_CHUNK;
        for (size_t i = begin; i < end && i < model->body_count; i++)
            if (may_jump(model, state, i))
                return report_runaway(model, state, (int64_t)i, error);
    }
    return TS_OK;
}

/* ---- Looking ---- */

ts_status ts_plane_view(const ts_model *model, const ts_state *state, ts_workspace *work, const double **spring,
                        const double **wall_spring, ts_error *error)
{
    double time = ts_state_time(state);
    ts_place_walls(model, work, time, 0);
    TS_TRY(ts_view_pairs(model, state, work, time, spring, wall_spring, error));
    ts_place_parts(model, state, work, 0, &(double){0});
    return TS_OK;
}

/* What contacts have taken from a body of the energy that the next step begins with. */
static double held_back(const ts_model *model, const ts_state *state, size_t i)
{
    const ts_body *b = &state->body[i];
    const double *v = state->onward + 3 * i, mass = 1 / b->inv_mass, inertia = 1 / model->inv_inertia[i];
    return 0.5 * mass * (v[0] * v[0] + v[1] * v[1] - b->vx * b->vx - b->vy * b->vy) +
           0.5 * inertia * (v[2] * v[2] - b->spin * b->spin);
}

static void measure_bodies(const ts_model *model, const ts_state *state, ts_measures *out)
{
    const double *g = model->settings.gravity;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body *body = &state->body[i];
        if (!(body->inv_mass > 0))
            continue;
        double mass = 1 / body->inv_mass, inertia = 1 / model->inv_inertia[i];
        double speed2 = body->vx * body->vx + body->vy * body->vy;
        out->kinetic += 0.5 * mass * speed2;
        out->rotational += 0.5 * inertia * body->spin * body->spin;
        out->gravitational -= mass * (g[0] * body->x + g[1] * body->y);
        out->momentum[0] += mass * body->vx;
        out->momentum[1] += mass * body->vy;
        out->angular += inertia * body->spin + mass * (body->x * body->vy - body->y * body->vx);
        out->max_speed = fmax(out->max_speed, sqrt(speed2));
    }
    for (size_t i = 0; state->onward && i < model->body_count; i++)
        if (model->body[i].inv_mass > 0)
            out->lost_normal += held_back(model, state, i);
    for (size_t i = 0; i < model->spring_count; i++)
        out->elastic += ts_spring_pull_in_plane(&model->spring[i], state->body, 0).energy;
}

/* The radius of part `part` of a body, or the smallest of all where features are known instead. */
static double part_radius(const ts_model *model, size_t body, uint32_t part, bool known)
{
    if (model->parts_are_bodies)
        return model->body[body].radius;
    const size_t begin = model->part_begin[body], end = model->part_begin[body + 1];
    double radius = (double)INFINITY;
    for (size_t i = known ? begin + part : begin; i < (known ? begin + part + 1 : end); i++)
        radius = fmin(radius, model->part_radius[i]);
    return radius;
}

/* The smaller radius of the two that touch: of a body's own disc where it has several. */
static double contact_size(const ts_model *model, const ts_contact *contact)
{
    const bool known = !(contact->key & TS_FEATURE_RECORD);
    const uint32_t part[2] = {(uint32_t)(contact->key >> 32), (uint32_t)contact->key};
    double radius = part_radius(model, (size_t)contact->b, part[1], known);
    if (contact->a >= 0)
        radius = fmin(radius, part_radius(model, (size_t)contact->a, part[0], known));
    return radius;
}

static void inertia_of(const ts_model *model, size_t body, double inertia[9])
{
    double square = model->body_scale[body] * model->body_scale[body];
    memset(inertia, 0, 9 * sizeof *inertia);
    inertia[8] =
        model->density[model->body_material[body]] * model->shape[model->body_shape[body]].inertia * (square * square);
}

static double radius_of(const ts_model *model, size_t body)
{
    return model->body[body].radius;
}

static double inv_mass_of(const ts_model *model, size_t body)
{
    return model->body[body].inv_mass;
}

static int32_t shape_of(const ts_model *model, size_t body)
{
    return model->body_shape[body];
}

static ts_placed placed_at(ts_pose2 at)
{
    return (ts_placed){.pose = {{at.x, at.y, 0}, {cos(0.5 * at.angle), 0, 0, sin(0.5 * at.angle)}}, .angle = at.angle};
}

static ts_placed placed(const ts_state *state, size_t body)
{
    const ts_body *b = &state->body[body];
    ts_placed own = placed_at((ts_pose2){b->x, b->y, b->angle});
    own.velocity = (ts_vec3){b->vx, b->vy, 0};
    own.spin = (ts_vec3){0, 0, b->spin};
    return own;
}

static ts_placed placed_wall(const ts_wall *wall, const ts_motion *motion, double time)
{
    const ts_pose2 rest = {wall->pose.position.x, wall->pose.position.y, 0};
    return placed_at(motion ? ts_motion_pose(motion, rest, time) : rest);
}

const ts_world ts_world_plane = {.dimension = 2,
                                 .q_size = 3,
                                 .v_size = 3,
                                 .body_size = sizeof(ts_body) + sizeof(ts_reference),
                                 .plot = "the plane",
                                 .density_unit = "kg/m²",
                                 .settled_fraction = 0.8,
                                 .drive = ts_drive,
                                 TS_WORLD_FUNCTIONS};
