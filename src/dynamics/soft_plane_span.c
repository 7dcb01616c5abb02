/* SPDX-License-Identifier: MIT */
#include "dynamics/soft_plane_span.h"

#include <math.h>
#include <string.h>

#include "contact/analytic.h"
#include "contact/faces.h"
#include "dynamics/soft.h"
#include "dynamics/soft_sleep.h"

/* How much farther than bodies go places are looked for. */
#define LOOK_AHEAD 1.5
/* Where something is fast, an impact may stop one of two that went on together: so places of all are looked for, this
 * share of the way between two findings apart. */
#define NEAR_SHARE 0.2
/* Pairs are listed as far apart as they come together in so many sub-steps. */
#define LISTED_SUB_STEPS 3

static double sub_step(const ts_model *model)
{
    return model->settings.time_step / (double)ts_soft_param_of(model)->sub_steps;
}

int64_t ts_soft_units(const ts_model *model)
{
    return (int64_t)ts_soft_param_of(model)->sub_steps << TS_SOFT_MORE_MOST;
}

/* ---- Speeds ---- */

/* The fastest that points of a body or a wall can go against those of others: velocities lie in a box, spins add. */
typedef struct speeds {
    double low[2], high[2];
    double turn[2]; /* the two fastest by turning */
} speeds;

static void add_speed(speeds *s, const ts_frame2 *f, double radius)
{
    const double v[2] = {f->vx, f->vy}, turn = fabs(f->spin) * radius;
    for (int d = 0; d < 2; d++) {
        s->low[d] = fmin(s->low[d], v[d]);
        s->high[d] = fmax(s->high[d], v[d]);
    }
    s->turn[1] = fmax(s->turn[1], fmin(turn, s->turn[0]));
    s->turn[0] = fmax(s->turn[0], turn);
}

/* How far a wall's points that others can meet are from its origin [m]. */
static double wall_arm(const ts_model *model, const ts_state *state, const ts_wall_frame *w)
{
    double most = 0;
    if (w->kind == TS_WALL_CIRCLE) /* turning about its centre moves nothing */
        return 0;
    if (w->kind != TS_WALL_FLAT)
        return w->radius;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body *b = &state->body[i];
        most = fmax(most, hypot(b->x - w->frame.x, b->y - w->frame.y) + b->radius);
    }
    return most;
}

static double fastest_of_all(const ts_model *model, const ts_state *state)
{
    speeds s = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}, {0, 0}};
    for (size_t i = 0; i < model->body_count; i++)
        add_speed(&s, &state->body[i], state->body[i].radius);
    for (size_t i = 0; i < model->wall_count; i++) {
        ts_wall_frame w = {.frame = {0}};
        if (model->wall[i].motion >= 0)
            ts_wall_around(model, i, ts_time_of_step(model, state->step), &w);
        add_speed(&s, &w.frame, w.frame.spin != 0 ? wall_arm(model, state, &w) : 0);
    }
    if (!(s.high[0] >= s.low[0]))
        return 0;
    return hypot(s.high[0] - s.low[0], s.high[1] - s.low[1]) + s.turn[0] + s.turn[1];
}

double ts_soft_plane_reach(const ts_model *model, const ts_state *state)
{
    return fmax(model->reach, ts_soft_way(model, fastest_of_all(model, state), LISTED_SUB_STEPS * sub_step(model)));
}

/* How fast points of two parts, or of a wall and a part, go against each other, at most. */
static double pair_speed(const ts_frame2 *a, const ts_frame2 *b)
{
    const double x = b->vx - a->vx, y = b->vy - a->vy;
    return sqrt(x * x + y * y) + fabs(a->spin) * a->radius + fabs(b->spin) * b->radius;
}

static int32_t wall_of_face(const ts_model *model, int32_t face)
{
    return model->faces ? model->faces->face[face].wall : face;
}

/* The same of a part and a wall. Sliding along a half-plane brings nothing closer. */
static double wall_speed(const ts_wall_frame *wall, const ts_frame2 *b)
{
    const ts_frame2 *a = &wall->frame;
    const double x = b->vx - (a->vx - a->spin * (b->y - a->y)), y = b->vy - (a->vy + a->spin * (b->x - a->x));
    const double along = wall->kind == TS_WALL_FLAT ? fabs(wall->nx * x + wall->ny * y) : sqrt(x * x + y * y);
    return along + (fabs(a->spin) + fabs(b->spin)) * b->radius;
}

/* Between the bounding circle of a part and a face of a wall. */
static double wall_gap(const ts_model *model, const ts_wall_frame *wall, int32_t face, const ts_frame2 *b)
{
    const double dx = b->x - wall->frame.x, dy = b->y - wall->frame.y;
    double nx, ny;
    if (wall->kind == TS_WALL_FLAT || wall->kind == TS_WALL_CIRCLE)
        return ts_wall_gap(wall, dx, dy, b->radius, &nx, &ny);
    const ts_vec2 at = ts_wall_local(wall, dx, dy);
    return ts_face_distance(model->faces, &model->faces->face[face], at.x, at.y) - b->radius;
}

/* ---- Spans ---- */

/* When two have gone this way at most: ts_soft_way the other way round. */
static double time_of_way(double gravity, double speed, double way)
{
    return 2 * way / (speed + sqrt(speed * speed + 2 * gravity * way));
}

/* Until two may have gone farther against each other than `way`, or than they are apart: at most `time`, of all that is
 * listed and near. What is too far apart to matter must not: how far lists look would show. */
static double time_of_pairs(const ts_model *model, const ts_workspace *work, double far, double time)
{
    const ts_pairs *pairs = &work->pairs;
    const double way = ts_soft_param_of(model)->way, g = ts_vec3_length(model->gravity);
    for (size_t k = 0; k < pairs->pair_count; k++) {
        const ts_frame2 *a = &work->part[pairs->pair[k].a], *b = &work->part[pairs->pair[k].b];
        const double speed = pair_speed(a, b);
        if ((speed + 0.5 * g * time) * time <= way)
            continue;
        const double gap = hypot(b->x - a->x, b->y - a->y) - a->radius - b->radius;
        time = fmin(time, time_of_way(g, speed, fmin(fmax(way, gap), far)));
    }
    for (size_t k = 0; k < pairs->wall_count; k++) {
        const ts_wall_frame *wall = &work->wall[wall_of_face(model, pairs->wall[k].a)];
        const ts_frame2 *b = &work->part[pairs->wall[k].b];
        const double speed = wall_speed(wall, b);
        if ((speed + 0.5 * g * time) * time <= way)
            continue;
        time = fmin(time, time_of_way(g, speed, fmin(fmax(way, wall_gap(model, wall, pairs->wall[k].a, b)), far)));
    }
    return time;
}

/* How long places that are found now may be followed, at most `time`. */
static double time_of_places(const ts_model *model, const ts_state *state, const ts_workspace *work, double time)
{
    const double all = fastest_of_all(model, state), g = ts_vec3_length(model->gravity);
    if (ts_soft_way(model, all, time) <= ts_soft_param_of(model)->way)
        return time;
    const double far = ts_soft_plane_reach(model, state);
    return time_of_pairs(model, work, far, fmin(time, time_of_way(g, all, far)));
}

ts_soft_span ts_soft_plane_span(const ts_model *model, const ts_state *state, ts_workspace *work, int64_t left)
{
    const double shortest = model->settings.time_step / (double)ts_soft_units(model), rest = (double)left * shortest,
                 time = time_of_places(model, state, work, rest);
    int64_t units = (int64_t)1 << TS_SOFT_MORE_MOST;
    while (units > 1 && (units > left || (double)units * shortest > time))
        units /= 2;
    const double h = (double)units * shortest;
    const int64_t most = left / units, fit = (int64_t)fmin(time / h, (double)most);
    const int64_t count = time >= rest ? most : fit > 1 ? fit : 1;
    /* what is slow keeps its places for the rest of the step */
    const double fast = LOOK_AHEAD * ts_soft_way(model, fastest_of_all(model, state), (double)count * h);
    work->reach = (ts_reach){
        .most = model->reach,
        .least = fmax(LOOK_AHEAD * ts_soft_way(model, 0, rest), fmin(fast, NEAR_SHARE * ts_soft_param_of(model)->way)),
        .time = LOOK_AHEAD * rest,
        .fast = LOOK_AHEAD * (double)count * h};
    return (ts_soft_span){count, count * units, h};
}

bool ts_soft_plane_holds(const ts_model *model, const ts_state *state, const ts_workspace *work)
{
    const double step = model->settings.time_step, all = fastest_of_all(model, state);
    double speed = all;
    if (ts_soft_way(model, all, step) > ts_soft_plane_reach(model, state))
        return false;
    if (ts_soft_way(model, all, step) > ts_soft_param_of(model)->way / 16) {
        const ts_pairs *pairs = &work->pairs;
        speed = 0;
        for (size_t k = 0; k < pairs->pair_count; k++)
            speed = fmax(speed, pair_speed(&work->part[pairs->pair[k].a], &work->part[pairs->pair[k].b]));
        for (size_t k = 0; k < pairs->wall_count; k++)
            speed = fmax(speed,
                         wall_speed(&work->wall[wall_of_face(model, pairs->wall[k].a)], &work->part[pairs->wall[k].b]));
    }
    return ts_soft_places_hold(model, state, speed);
}

/* ---- Places that hold ---- */

void ts_soft_hold_free(ts_soft_hold *hold)
{
    ts_array_free(&hold->then);
    ts_array_free(&hold->held);
    ts_array_free(&hold->wall_held);
}

size_t ts_soft_hold_bytes(const ts_soft_hold *hold)
{
    return hold->then.capacity * sizeof *hold->then.item + hold->held.capacity + hold->wall_held.capacity;
}

ts_status ts_soft_hold_note(ts_soft_hold *hold, const ts_model *model, const ts_workspace *work, ts_error *error)
{
    TS_TRY(ts_array_reserve(&hold->then, model->part_count, error));
    for (size_t slot = 0; slot < model->part_count; slot++)
        hold->then.item[work->pairs.part_of_slot[slot]] = work->part[slot];
    hold->reach = work->reach;
    return TS_OK;
}

/* How far a part's centre has gone since the first finding, and how far its other points beside that. */
static double gone_since(const ts_frame2 *then, const ts_frame2 *now, double *x, double *y)
{
    *x = now->x - then->x;
    *y = now->y - then->y;
    return fabs(now->angle - then->angle) * now->radius;
}

static bool stands_still(const ts_frame2 *f)
{
    return f->vx == 0 && f->vy == 0 && f->spin == 0;
}

/* Whether a slot's body sleeps, or cannot move and stands still. */
static bool slot_rests(const ts_state *state, const ts_workspace *work, int32_t slot)
{
    const ts_model *model = state->model;
    const int32_t part = work->pairs.part_of_slot[slot], body = model->parts_are_bodies ? part : model->part_body[part];
    return ts_soft_asleep(state, body) || (!(state->body[body].inv_mass > 0) && stands_still(&state->body[body]));
}

static bool pair_holds(const ts_soft_hold *hold, const ts_state *state, const ts_workspace *work, size_t k, bool sleeps,
                       double time)
{
    const ts_candidate *p = &work->pairs.pair[k];
    if (sleeps && slot_rests(state, work, p->a) && slot_rests(state, work, p->b))
        return true;
    if (!(time >= 0))
        return false;
    const int32_t *part = work->pairs.part_of_slot;
    const ts_frame2 *a = &work->part[p->a], *b = &work->part[p->b], *a_then = &hold->then.item[part[p->a]],
                    *b_then = &hold->then.item[part[p->b]];
    double ax, ay, bx, by;
    const double turned = gone_since(a_then, a, &ax, &ay) + gone_since(b_then, b, &bx, &by), x = bx - ax, y = by - ay,
                 way = sqrt(x * x + y * y) + turned + ts_soft_way(state->model, pair_speed(a, b), time);
    return way <=
           fmin(ts_soft_param_of(state->model)->way, ts_reach_of(&hold->reach, a_then, b_then, false) / LOOK_AHEAD);
}

static bool wall_holds(const ts_soft_hold *hold, const ts_state *state, const ts_workspace *work, size_t k, bool sleeps,
                       double time)
{
    const ts_candidate *p = &work->pairs.wall[k];
    const ts_wall_frame *wall = &work->wall[wall_of_face(state->model, p->a)];
    if (wall->absent || !stands_still(&wall->frame))
        return false;
    if (sleeps && slot_rests(state, work, p->b))
        return true;
    if (!(time >= 0))
        return false;
    const ts_frame2 *b = &work->part[p->b], *then = &hold->then.item[work->pairs.part_of_slot[p->b]];
    double x, y;
    const double turned = gone_since(then, b, &x, &y),
                 gone = wall->kind == TS_WALL_FLAT ? fabs(wall->nx * x + wall->ny * y) : sqrt(x * x + y * y),
                 way = gone + turned + ts_soft_way(state->model, wall_speed(wall, b), time);
    return way <=
           fmin(ts_soft_param_of(state->model)->way, ts_reach_of(&hold->reach, &wall->frame, then, true) / LOOK_AHEAD);
}

ts_status ts_soft_hold_choose(ts_soft_hold *hold, const ts_state *state, ts_workspace *work, bool sleeps, double time,
                              ts_error *error)
{
    const ts_pairs *pairs = &work->pairs;
    work->held = work->wall_held = NULL;
    if (!work->featured || !(sleeps || time >= 0))
        return TS_OK;
    TS_TRY(ts_array_reserve(&hold->held, pairs->pair_count + 1, error));
    TS_TRY(ts_array_reserve(&hold->wall_held, pairs->wall_count + 1, error));
    for (size_t k = 0; k < pairs->pair_count; k++)
        hold->held.item[k] = pair_holds(hold, state, work, k, sleeps, time);
    for (size_t k = 0; k < pairs->wall_count; k++)
        hold->wall_held.item[k] = wall_holds(hold, state, work, k, sleeps, time);
    work->held = hold->held.item;
    work->wall_held = hold->wall_held.item;
    return TS_OK;
}
