/* SPDX-License-Identifier: MIT */
#include "contact/hits3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"
#include "model.h"

/* Pairs that one task takes: enough to hide what handing out a task costs. */
#define PAIRS_A_TASK 512

/* The skin, over the way that a body strays in a step from the mean of all, and over the mean radius, at least and at
 * most: a list then lasts for about as many steps as it costs. */
static const double skin_steps = 6, skin_radii = 0.1, skin_widest = 1;

/* How far a blow may send a slow body beyond its own way, over the radius of a ball that fits in it: farther off there
 * are many more, and few that are struck. */
static const double blow_radii = 0.1;

/* ---- Order ---- */

typedef struct order {
    int64_t owner[2];
    uint64_t piece[2];
    uint64_t feature;
} order;

static order order_of(const ts_hit3 *s)
{
    const uint64_t a = ts_hit3_piece(s->key, 0), b = ts_hit3_piece(s->key, 1), feature = s->key & 0xffffffff;
    if (s->a < 0)
        return (order){{s->b, INT64_MAX / 2 - s->a}, {b, a}, feature};
    return (order){{s->a, s->b}, {a, b}, feature};
}

int ts_hit3_compare(const ts_hit3 *s, const ts_hit3 *t)
{
    const order x = order_of(s), y = order_of(t);
    for (int i = 0; i < 2; i++) {
        if (x.owner[i] != y.owner[i])
            return x.owner[i] < y.owner[i] ? -1 : 1;
        if (x.piece[i] != y.piece[i])
            return x.piece[i] < y.piece[i] ? -1 : 1;
    }
    return (x.feature > y.feature) - (x.feature < y.feature);
}

/* ---- Memory ---- */

static size_t frames_of(const ts_model *model)
{
    return model->body_count + model->wall_count;
}

ts_status ts_hits3_create(ts_hits3 *s, const ts_model *model, ts_error *error)
{
    const size_t frames = frames_of(model), parts = model->part_count;
    s->frame = ts_alloc(frames, sizeof *s->frame);
    s->listed_at = ts_alloc(frames, sizeof *s->listed_at);
    s->listed_present = ts_alloc(frames, sizeof *s->listed_present);
    s->box = ts_alloc(parts, sizeof *s->box);
    s->passive = ts_alloc(parts, sizeof *s->passive);
    s->group = ts_alloc(parts, sizeof *s->group);
    s->part = ts_alloc(parts, sizeof *s->part);
    s->ball_of = ts_alloc(parts, sizeof *s->ball_of);
    s->ball = ts_alloc(frames, sizeof *s->ball);
    if (s->ball && s->ball_of && s->frame && s->listed_at && s->listed_present && s->box && s->passive && s->group &&
        s->part)
        return TS_OK;
    return ts_fail_memory(error, frames * (sizeof *s->frame + sizeof *s->ball) + parts * sizeof *s->box);
}

void ts_hits3_free(ts_hits3 *s)
{
    ts_near_free(&s->near);
    ts_array_free(&s->any);
    ts_array_free(&s->kept);
    ts_array_free(&s->hit);
    for (size_t i = 0; i < s->found_count; i++)
        ts_array_free(&s->found[i].hit);
    for (size_t i = 0; i < s->touch_count; i++)
        ts_array_free(&s->touch[i]);
    void *block[] = {s->frame, s->listed_at, s->listed_present, s->box,     s->passive, s->group,
                     s->part,  s->found,     s->touch,          s->ball_of, s->ball};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        ts_free(block[i]);
    *s = (ts_hits3){0};
}

size_t ts_hits3_bytes(const ts_hits3 *s, const ts_model *model)
{
    size_t bytes =
        frames_of(model) * (sizeof *s->frame + sizeof *s->listed_at + sizeof *s->listed_present + sizeof *s->ball);
    bytes += model->part_count *
             (sizeof *s->box + sizeof *s->passive + sizeof *s->group + sizeof *s->part + sizeof *s->ball_of);
    bytes += (s->any.capacity + s->kept.capacity + s->hit.capacity) * sizeof *s->hit.item +
             s->near.pair_capacity * sizeof *s->near.pair;
    for (size_t i = 0; i < s->found_count; i++)
        bytes += sizeof *s->found + s->found[i].hit.capacity * sizeof *s->found[i].hit.item;
    return bytes;
}

/* ---- Where everything is ---- */

static bool is_absent(double open, double close, double time)
{
    return open <= time && time < close;
}

/* A body's pose later in the step, by flight or by its script. */
static void go_ahead(ts_frame3 *c, const ts_model *model, const ts_body3 *b, size_t i, double time, double ahead)
{
    const double *L = b->angular_momentum;
    if (b->inv_mass > 0) {
        ts_rigid rigid = {c->pose, c->velocity, {L[0], L[1], L[2]}};
        if (ts_flight_drift(&model->inertia[i], model->gravity, ahead, &rigid, NULL) == TS_OK)
            c->pose = rigid.pose;
    } else if (model->body_motion && model->body_motion[i] >= 0) {
        const ts_body3 *rest = &model->body3[i];
        const double *x = rest->position, *q = rest->attitude;
        c->pose = ts_motion_pose3(&model->motion[model->body_motion[i]],
                                  (ts_pose3){{x[0], x[1], x[2]}, {q[0], q[1], q[2], q[3]}}, time + ahead);
    }
}

static void place_body(ts_frame3 *c, const ts_model *model, const ts_state *state, size_t i, double time, double ahead)
{
    const ts_body3 *b = &state->body3[i];
    const double h = model->settings.time_step, *L = b->angular_momentum;
    c->pose = (ts_pose3){{b->position[0], b->position[1], b->position[2]},
                         {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]}};
    c->velocity = (ts_vec3){b->velocity[0], b->velocity[1], b->velocity[2]};
    c->spin = ts_inertia_spin(&model->inertia[i], c->pose.quat, (ts_vec3){L[0], L[1], L[2]});
    c->present = true;
    c->motion = 0;
    if (b->inv_mass > 0) {
        c->motion = 0.5 * h * h * ts_vec3_length(model->gravity);
    } else if (model->body_gate && model->body_gate[i] >= 0) {
        const ts_gate *gate = &model->gate[model->body_gate[i]];
        c->present = !is_absent(gate->open, gate->close, time + ahead);
    }
    c->motion += h * (ts_vec3_length(c->velocity) + b->radius * ts_vec3_length(c->spin));
    if (ahead > 0)
        go_ahead(c, model, b, i, time, ahead);
}

/* A wall may be infinite, so that nothing bounds how far its points go when it turns: then it is looked at in every
 * step. */
static void place_wall(ts_frame3 *c, const ts_model *model, const ts_wall *wall, double time, double ahead)
{
    const double h = model->settings.time_step;
    *c = (ts_frame3){.pose = wall->pose, .present = !is_absent(wall->open, wall->close, time + ahead)};
    if (wall->motion < 0)
        return;
    const ts_motion *motion = &model->motion[wall->motion];
    c->pose = ts_motion_pose3(motion, wall->pose, time + ahead);
    ts_motion_velocity(motion, wall->pose, time, h, &c->velocity, &c->spin);
    c->motion = h * ts_vec3_length(c->velocity);
    if (ts_vec3_length_squared(c->spin) > 0)
        c->motion = HUGE_VAL;
}

static bool is_centred_ball(const ts_piece *piece)
{
    return piece->solid.kind == TS_SOLID_SPHERE && piece->pose.position.x == 0 && piece->pose.position.y == 0 &&
           piece->pose.position.z == 0;
}

static bool is_mover(const ts_model *model, size_t frame)
{
    return frame < model->body_count && model->body3[frame].inv_mass > 0;
}

static bool is_all_mesh(const ts_model *model, const ts_form3 *form)
{
    for (size_t k = 0; k < form->piece_count; k++)
        if (model->piece[form->piece_begin + k].solid.kind != TS_SOLID_MESH)
            return false;
    return true;
}

/* A body whose contacts are looked for where blows may send it. */
static bool is_turner(const ts_hits3 *s, const ts_model *model, size_t frame)
{
    return is_mover(model, frame) && !(s->ball[frame].radius > 0) &&
           !is_all_mesh(model, &model->form[model->body_form[frame]]);
}

/* Where its centre goes in the step, and whether it is a ball and nothing else. */
static void place_ball(ts_hits3 *s, const ts_model *model, size_t i)
{
    const ts_frame3 *c = &s->frame[i];
    const double h = model->settings.time_step;
    ts_ball3 *ball = &s->ball[i];
    ball->position = c->pose.position;
    ball->way = ts_vec3_scale(c->velocity, h);
    if (is_mover(model, i))
        ball->way = ts_vec3_add_scaled(ball->way, model->gravity, 0.5 * h * h);
    const ts_form3 *form = i < model->body_count ? &model->form[model->body_form[i]] : NULL;
    const ts_wall *wall = form ? NULL : &model->wall[i - model->body_count];
    const ts_piece *piece = &model->piece[form ? form->piece_begin : wall->piece_begin];
    const bool alone = (form ? form->piece_count : wall->piece_count) == 1;
    ball->radius = alone && is_centred_ball(piece) ? piece->solid.radius : -1;
}

/* How far its points are from its origin; 0: what it is has no size, as planes, or none that is known. */
static double radius_of(const ts_hits3 *s, const ts_model *model, size_t frame)
{
    return frame < model->body_count ? model->body3[frame].radius : fmax(s->ball[frame].radius, 0);
}

/* How far a frame goes from the common way in a step: any point of it. */
static double stray(const ts_hits3 *s, const ts_model *model, size_t i, double time_step)
{
    const ts_ball3 *ball = &s->ball[i];
    double way = ts_vec3_distance(ball->way, s->mean_way);
    if (ball->radius > 0) /* turning moves none of its points */
        return way;
    const double radius = radius_of(s, model, i);
    return isinf(s->frame[i].motion) ? HUGE_VAL : way + time_step * radius * ts_vec3_length(s->frame[i].spin);
}

void ts_hits3_place(ts_hits3 *s, const ts_model *model, const ts_state *state)
{
    ts_hits3_place_ahead(s, model, state, 0);
}

void ts_hits3_place_ahead(ts_hits3 *s, const ts_model *model, const ts_state *state, double ahead)
{
    const double time = ts_time_of_step(model, state->step);
    for (size_t i = 0; i < model->body_count; i++)
        place_body(&s->frame[i], model, state, i, time, ahead);
    for (size_t i = 0; i < model->wall_count; i++)
        place_wall(&s->frame[model->body_count + i], model, &model->wall[i], time, ahead);
    size_t movers = 0;
    s->mean_way = (ts_vec3){0, 0, 0};
    for (size_t i = 0; i < frames_of(model); i++) {
        place_ball(s, model, i);
        ts_frame3 *c = &s->frame[i];
        if (isinf(c->motion) && s->ball[i].radius > 0) /* a wall that turns, but has a size */
            c->motion =
                model->settings.time_step * (ts_vec3_length(c->velocity) + s->ball[i].radius * ts_vec3_length(c->spin));
        if (is_mover(model, i)) {
            s->mean_way = ts_vec3_add(s->mean_way, s->ball[i].way);
            movers++;
        }
    }
    s->mean_way = movers > 0 ? ts_vec3_scale(s->mean_way, 1 / (double)movers) : s->mean_way;
    s->step = model->settings.time_step;
    /* anybody may be struck by the fastest, and then go as fast */
    double most = 0;
    for (size_t i = 0; i < frames_of(model); i++)
        if (isfinite(s->frame[i].motion))
            most = fmax(most, s->frame[i].motion);
    for (size_t i = 0; i < frames_of(model); i++) {
        double own = stray(s, model, i, s->step);
        ts_frame3 *c = &s->frame[i];
        const bool turns = is_turner(s, model, i);
        c->blow = turns ? fmin(2 * most, fmax(c->motion, blow_radii * model->form[model->body_form[i]].inner)) : 0;
        c->reach = own + c->blow;
        c->sent = false;
    }
}

static size_t frame_of_part(const ts_model *model, size_t part)
{
    int32_t owner = model->part_owner[part];
    return owner >= 0 ? (size_t)owner : model->body_count + (size_t)(-1 - owner);
}

static ts_placed_solid placed(const ts_hits3 *s, const ts_model *model, size_t part)
{
    const ts_piece *piece = &model->piece[model->part_piece[part]];
    const ts_pose3 *pose = &s->frame[frame_of_part(model, part)].pose;
    if (is_centred_ball(piece))
        return (ts_placed_solid){&piece->solid, *pose};
    return (ts_placed_solid){&piece->solid, ts_pose3_compose(*pose, piece->pose)};
}

/* ---- The list ---- */

/* A bound of how far any point within `radius` of the origin has gone from one pose to the other. */
static double way(ts_pose3 from, ts_pose3 to, double radius)
{
    ts_quat d = {to.quat.w - from.quat.w, to.quat.x - from.quat.x, to.quat.y - from.quat.y, to.quat.z - from.quat.z};
    if (ts_quat_dot(from.quat, to.quat) < 0)
        d = (ts_quat){to.quat.w + from.quat.w, to.quat.x + from.quat.x, to.quat.y + from.quat.y,
                      to.quat.z + from.quat.z};
    /* a turn by α moves a point by at most 2 radius sin(α/2), and |d| = 2 sin(α/4) ≥ sin(α/2) */
    return ts_vec3_distance(from.position, to.position) + 2 * radius * sqrt(ts_quat_dot(d, d));
}

/* Whether no part has left, or will leave in this step, the box that the list was made for; boxes go with the
 * bodies' mean. */
static bool list_holds(const ts_hits3 *s, const ts_model *model)
{
    if (!s->listed)
        return false;
    size_t movers = 0;
    ts_vec3 common = {0, 0, 0};
    for (size_t i = 0; i < model->body_count; i++)
        if (is_mover(model, i)) {
            common = ts_vec3_add(common, ts_vec3_sub(s->ball[i].position, s->listed_at[i].position));
            movers++;
        }
    common = movers > 0 ? ts_vec3_scale(common, 1 / (double)movers) : common;
    for (size_t i = 0; i < frames_of(model); i++) {
        const ts_frame3 *c = &s->frame[i];
        const ts_ball3 *ball = &s->ball[i];
        if (c->present != s->listed_present[i])
            return false;
        ts_pose3 from = {ts_vec3_add(s->listed_at[i].position, common), s->listed_at[i].quat};
        double radius = radius_of(s, model, i);
        double gone = ball->radius > 0 ? ts_vec3_distance(from.position, ball->position) : way(from, c->pose, radius);
        if (!(gone + c->reach <= ball->skin))
            return false;
    }
    return true;
}

/* Wide enough for some steps of what it strays, or of what all do in the mean: a blow makes slow ones quick. */
static void choose_skins(ts_hits3 *s, const ts_model *model)
{
    double sum = 0, radius = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        sum += is_mover(model, i) ? stray(s, model, i, s->step) : 0;
        radius += model->body3[i].radius;
    }
    const double bodies = (double)model->body_count, widest = skin_widest * radius / bodies,
                 least = fmax(skin_radii * radius / bodies, fmin(skin_steps * sum, radius) / bodies);
    for (size_t i = 0; i < frames_of(model); i++) {
        double own = fmax(fmin(skin_steps * stray(s, model, i, s->step), widest), 1.5 * s->frame[i].reach);
        s->ball[i].skin = isfinite(own) ? fmax(least, own) : least;
    }
}

static ts_status make_list(ts_hits3 *s, const ts_model *model, ts_pool *pool, ts_error *error)
{
    size_t count = 0;
    s->listed = false;
    choose_skins(s, model);
    for (size_t i = 0; i < model->part_count; i++) {
        const ts_frame3 *c = &s->frame[frame_of_part(model, i)];
        const int32_t owner = model->part_owner[i];
        if (!c->present)
            continue;
        ts_placed_solid at = placed(s, model, i);
        ts_box3 box = ts_solid_bounds(at.solid, at.pose);
        const double skin = s->ball[frame_of_part(model, i)].skin;
        if (isinf(c->motion)) /* of a wall that turns every place counts */
            box = (ts_box3){{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
        s->box[count] = (ts_box3){ts_vec3_sub(box.low, (ts_vec3){skin, skin, skin}),
                                  ts_vec3_add(box.high, (ts_vec3){skin, skin, skin})};
        s->passive[count] = owner < 0 || !(model->body3[owner].inv_mass > 0);
        s->group[count] = owner;
        s->ball_of[count] = s->ball[frame_of_part(model, i)].radius > 0 ? (int32_t)frame_of_part(model, i) : -1;
        s->part[count++] = (int32_t)i;
    }
    TS_TRY(ts_near_find(&s->near, &(ts_near_query){s->box, count, s->passive, s->group, pool}, error));
    for (size_t i = 0; i < frames_of(model); i++) {
        s->listed_at[i] = s->frame[i].pose;
        s->listed_present[i] = s->frame[i].present;
    }
    s->listed = true;
    s->list_count++;
    return TS_OK;
}

/* ---- Contacts ---- */

typedef struct search {
    ts_hits3 *s;
    const ts_model *model;
    bool look;
    bool sent; /* only pairs of bodies that are */
} search;

/* The mean velocity of a point in a step of free flight. */
static ts_vec3 velocity_at(const search *j, size_t frame, ts_vec3 point)
{
    const ts_frame3 *c = &j->s->frame[frame];
    const ts_model *model = j->model;
    ts_vec3 v = ts_vec3_add(c->velocity, ts_vec3_cross(c->spin, ts_vec3_sub(point, c->pose.position)));
    if (frame < model->body_count && model->body3[frame].inv_mass > 0)
        v = ts_vec3_add_scaled(v, model->gravity, 0.5 * j->model->settings.time_step);
    return v;
}

/* The widest gap that is struck: two points close by no more than the centres do and each body turns by there. A point
 * of contact lies half a gap beyond either surface, so arms are that much longer than radii. */
static double reach_of(const search *j, size_t a, size_t b)
{
    const ts_model *model = j->model;
    const ts_frame3 *p = &j->s->frame[a], *q = &j->s->frame[b];
    const double h = j->model->settings.time_step, spin_a = ts_vec3_length(p->spin), spin_b = ts_vec3_length(q->spin);
    const ts_vec3 way = ts_vec3_sub(velocity_at(j, b, q->pose.position), velocity_at(j, a, p->pose.position));
    const double turn = spin_a * radius_of(j->s, model, a) + spin_b * radius_of(j->s, model, b);
    const double longer = 0.5 * h * (spin_a + spin_b);
    return longer < 0.5 ? h * (ts_vec3_length(way) + turn) / (1 - longer) : p->motion + q->motion;
}

/* How far open contacts are that count while looking: a dynamics may hold bodies about a gap of zero. */
static double open_most(const search *j, size_t a, size_t b)
{
    const ts_model *m = j->model;
    const double radius = m->body3[b].radius;
    return m->search.open * (a < m->body_count ? fmin(radius, m->body3[a].radius) : radius);
}

/* `more`: how much closer two may come than flight takes them. */
static ts_meeting3 meet_at(const search *j, size_t a, size_t b, const ts_touch *t, double more)
{
    if (j->look)
        return t->gap <= open_most(j, a, b) ? TS_CLOSING : TS_APART;
    const ts_vec3 point = ts_vec3_lerp(t->point_a, t->point_b, 0.5);
    const ts_vec3 relative = ts_vec3_sub(velocity_at(j, b, point), velocity_at(j, a, point));
    const double ahead = t->gap + j->model->settings.time_step * ts_vec3_dot(t->normal, relative);
    if (ahead < TS_TOUCH_SLACK * j->model->body3[b].radius) /* touching is contact */
        return TS_CLOSING;
    if (!(ahead < more))
        return TS_APART;
    return ahead < j->s->frame[a].motion + j->s->frame[b].motion ? TS_LIKELY : TS_UNLIKELY;
}

/* Local numbers of pieces, and the place. */
static uint64_t key_of(const ts_model *model, size_t part_a, size_t part_b, uint32_t feature)
{
    size_t begin[2];
    for (int side = 0; side < 2; side++) {
        int32_t owner = model->part_owner[side ? part_b : part_a];
        begin[side] =
            owner >= 0 ? model->form[model->body_form[owner]].piece_begin : model->wall[-1 - owner].piece_begin;
    }
    uint64_t a = (uint64_t)((size_t)model->part_piece[part_a] - begin[0]) & 0xffff,
             b = (uint64_t)((size_t)model->part_piece[part_b] - begin[1]) & 0xffff;
    return a << 48 | b << 32 | feature;
}

static ts_status add_hit(const search *j, size_t part_a, size_t part_b, const ts_touch *t, ts_meeting3 how,
                         ts_found3 *found)
{
    const ts_model *model = j->model;
    if (how == TS_APART)
        return TS_OK;
    if (t->weight < model->search.weight_least) {
        found->light += how == TS_CLOSING && !j->look;
        return TS_OK;
    }
    return ts_array_push(
        &found->hit,
        ((ts_hit3){model->part_owner[part_a], model->part_owner[part_b], key_of(model, part_a, part_b, t->feature),
                   t->gap, t->normal, ts_vec3_lerp(t->point_a, t->point_b, 0.5), how, t->weight, t->share}),
        &found->error);
}

/* The square of how far apart two are where they pass each other on the way from `apart` to `apart` + `way`; if they do
 * not, at its end: what parts all the way is struck where it overlaps for longer than the step. */
static double square_passing(ts_vec3 apart, ts_vec3 way)
{
    const double whole = ts_vec3_length_squared(way), along = -ts_vec3_dot(apart, way);
    const double when = along > 0 && along < whole ? along / whole : 1;
    return ts_vec3_length_squared(ts_vec3_add_scaled(apart, way, when));
}

/* Two balls, where they pass or at the end of the step; frames that are nothing else. */
static ts_status meet_balls(const search *j, int32_t a, int32_t b, ts_hit3_array *to, ts_error *error)
{
    const int32_t bodies = (int32_t)j->model->body_count;
    if (b >= bodies) { /* a wall comes second in the list of parts, and first in a contact */
        const int32_t wall = b;
        b = a;
        a = wall;
    }
    const ts_ball3 *p = &j->s->ball[a], *q = &j->s->ball[b];
    const ts_vec3 apart = ts_vec3_sub(q->position, p->position);
    const double reach = p->radius + q->radius, touching = reach * (1 + TS_TOUCH_SLACK);
    const double square = j->look ? ts_vec3_length_squared(apart) : square_passing(apart, ts_vec3_sub(q->way, p->way));
    const double open = j->look ? reach + open_most(j, (size_t)a, (size_t)b) : 0;
    if (j->look ? square > open * open : !(square < touching * touching))
        return TS_OK;
    const double distance = ts_vec3_length(apart);
    ts_vec3 normal = distance > 0 ? ts_vec3_scale(apart, 1 / distance) : (ts_vec3){0, 0, 1};
    return ts_array_push(
        to,
        ((ts_hit3){.a = a < bodies ? a : bodies - 1 - a,
                   .b = b,
                   .gap = distance - reach,
                   .normal = normal,
                   .point = ts_vec3_add_scaled(p->position, normal, 0.5 * (p->radius + distance - q->radius)),
                   .weight = 1,
                   .share = 1}),
        error);
}

static int by_feature(const void *p, const void *q)
{
    const ts_touch *a = p, *b = q;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

/* Whether two bodies are farther apart than this by the balls around them: most pairs of the list are. */
static bool are_far(const ts_hits3 *s, const ts_model *model, size_t a, size_t b, double reach)
{
    if (a >= model->body_count)
        return false;
    const double radii = model->body3[a].radius + model->body3[b].radius + reach;
    return ts_vec3_length_squared(ts_vec3_sub(s->ball[b].position, s->ball[a].position)) > radii * radii;
}

static ts_status meet(const search *j, size_t part_a, size_t part_b, ts_touch_array *touch, ts_found3 *found)
{
    const ts_model *model = j->model;
    /* a wall comes second in the list of parts, and first in a contact */
    if (model->part_owner[part_b] < 0) {
        size_t wall = part_b;
        part_b = part_a;
        part_a = wall;
    }
    const size_t a = frame_of_part(model, part_a), b = frame_of_part(model, part_b);
    ts_placed_solid at_a = placed(j->s, model, part_a), at_b = placed(j->s, model, part_b);
    const bool mesh = at_a.solid->kind == TS_SOLID_MESH || at_b.solid->kind == TS_SOLID_MESH;
    double reach = j->s->frame[a].reach + j->s->frame[b].reach;
    if (isinf(reach)) { /* a wall that turns, as fast as it does where the body is */
        reach = j->s->frame[b].reach + 2 * j->model->settings.time_step *
                                           (ts_vec3_length(velocity_at(j, a, at_b.pose.position)) +
                                            ts_vec3_length(j->s->frame[a].spin) * ts_solid_radius(at_b.solid));
    } else if (mesh) {
        reach = reach_of(j, a, b);
    }
    /* what is no body that turns has half of its own way */
    const double blow = j->s->frame[a].blow + j->s->frame[b].blow, more = mesh ? 0 : fmax(blow, 0.5 * reach);
    reach = j->look ? open_most(j, a, b) : reach + TS_TOUCH_SLACK * model->body3[b].radius;
    if (are_far(j->s, model, a, b, reach))
        return TS_OK;
    touch->count = 0;
    TS_TRY(ts_touch_find(at_a, at_b, reach, touch, &found->error));
    bool sorted = true;
    for (size_t k = 1; k < touch->count; k++)
        sorted &= touch->item[k - 1].feature <= touch->item[k].feature;
    if (!sorted)
        qsort(touch->item, touch->count, sizeof *touch->item, by_feature);
    for (size_t k = 0; k < touch->count; k++) {
        const ts_touch *t = &touch->item[k];
        TS_TRY(add_hit(j, part_a, part_b, t, meet_at(j, a, b, t, more), found));
    }
    return TS_OK;
}

static bool is_sent(const ts_hits3 *s, const ts_model *model, size_t part)
{
    return s->frame[frame_of_part(model, part)].sent;
}

static void search_task(void *context, int task, int thread)
{
    search *j = context;
    ts_hits3 *s = j->s;
    ts_found3 *found = &s->found[task];
    ts_hit3_array *to = &found->hit;
    size_t begin = (size_t)task * PAIRS_A_TASK, end = begin + PAIRS_A_TASK;
    end = end < s->near.pair_count ? end : s->near.pair_count;
    to->count = 0;
    found->light = 0;
    found->status = TS_OK;
    for (size_t k = begin; k < end && found->status == TS_OK; k++) {
        const ts_near_pair pair = s->near.pair[k];
        if (j->sent && !is_sent(s, j->model, (size_t)s->part[pair.a]) && !is_sent(s, j->model, (size_t)s->part[pair.b]))
            continue;
        const int32_t a = s->ball_of[pair.a], b = s->ball_of[pair.b];
        if (a >= 0 && b >= 0)
            found->status = meet_balls(j, a, b, to, &found->error);
        else
            found->status = meet(j, (size_t)s->part[pair.a], (size_t)s->part[pair.b], &s->touch[thread], found);
    }
}

/* Memory of tasks and threads. */
static ts_status reserve(ts_hits3 *s, size_t tasks, size_t threads, ts_error *error)
{
    if (tasks > s->found_count) {
        ts_found3 *grown = ts_realloc(s->found, s->found_count * sizeof *grown, tasks * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, tasks * sizeof *grown);
        memset(grown + s->found_count, 0, (tasks - s->found_count) * sizeof *grown);
        s->found = grown;
        s->found_count = tasks;
    }
    if (threads > s->touch_count) {
        ts_touch_array *grown = ts_realloc(s->touch, s->touch_count * sizeof *grown, threads * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, threads * sizeof *grown);
        memset(grown + s->touch_count, 0, (threads - s->touch_count) * sizeof *grown);
        s->touch = grown;
        s->touch_count = threads;
    }
    return TS_OK;
}

/* The tasks' finds, one after the other; or why the first that failed did. */
static ts_status join(ts_hits3 *s, size_t tasks, ts_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < tasks; i++) {
        const ts_found3 *found = &s->found[i];
        if (found->status != TS_OK) {
            if (error)
                *error = found->error;
            return found->status;
        }
        count += found->hit.count;
        s->light_count += found->light;
    }
    TS_TRY(ts_array_reserve(&s->any, count, error));
    s->any.count = 0;
    for (size_t i = 0; i < tasks; i++) {
        const ts_hit3_array *found = &s->found[i].hit;
        if (found->count > 0)
            memcpy(s->any.item + s->any.count, found->item, found->count * sizeof *s->any.item);
        s->any.count += found->count;
    }
    return TS_OK;
}

bool ts_hits3_send(ts_hits3 *s, const ts_model *model, size_t body, double way)
{
    ts_frame3 *c = &s->frame[body];
    if (!is_turner(s, model, body) || way <= c->blow)
        return false;
    c->blow = way;
    c->reach = stray(s, model, body, s->step) + way;
    c->sent = true;
    return true;
}

ts_status ts_hits3_choose(ts_hits3 *s, ts_meeting3 most, ts_error *error)
{
    TS_TRY(ts_array_reserve(&s->hit, s->any.count, error));
    s->hit.count = 0;
    for (size_t i = 0; i < s->any.count; i++)
        if (s->any.item[i].how <= most)
            s->hit.item[s->hit.count++] = s->any.item[i];
    return TS_OK;
}

static ts_status find(ts_hits3 *s, const ts_model *model, ts_pool *pool, ts_timers *timers, search j, ts_error *error)
{
    double since = ts_timer_begin(timers);
    if (!list_holds(s, model))
        TS_TRY(make_list(s, model, pool, error));
    ts_timer_end(timers, TS_PHASE_PAIRS, since);

    since = ts_timer_begin(timers);
    size_t tasks = (s->near.pair_count + PAIRS_A_TASK - 1) / PAIRS_A_TASK;
    TS_TRY(reserve(s, tasks, (size_t)ts_pool_thread_count(pool), error));
    ts_pool_run(pool, (int)tasks, search_task, &j);
    s->query_count += s->near.pair_count;
    ts_status status = join(s, tasks, error);
    ts_timer_end(timers, TS_PHASE_CONTACTS, since);
    return status;
}

ts_status ts_hits3_find(ts_hits3 *s, const ts_model *model, ts_pool *pool, ts_timers *timers, bool look,
                        ts_error *error)
{
    return find(s, model, pool, timers, (search){.s = s, .model = model, .look = look}, error);
}

/* Puts the kept ones, in order, among those that were found, in order. */
static ts_status merge_kept(ts_hits3 *s, ts_error *error)
{
    size_t found = s->any.count, kept = s->kept.count;
    TS_TRY(ts_array_reserve(&s->any, found + kept, error));
    s->any.count = found + kept;
    while (kept > 0) { /* from the back: nothing is overwritten that is still to be moved */
        const bool last = found == 0 || ts_hit3_compare(&s->kept.item[kept - 1], &s->any.item[found - 1]) > 0;
        s->any.item[found + kept - 1] = last ? s->kept.item[kept - 1] : s->any.item[found - 1];
        *(last ? &kept : &found) -= 1;
    }
    return TS_OK;
}

ts_status ts_hits3_find_sent(ts_hits3 *s, const ts_model *model, ts_pool *pool, ts_timers *timers, ts_error *error)
{
    const size_t bodies = model->body_count;
    TS_TRY(ts_array_reserve(&s->kept, s->any.count, error));
    s->kept.count = 0;
    for (size_t i = 0; i < s->any.count; i++) {
        const ts_hit3 *t = &s->any.item[i];
        if (!s->frame[t->b].sent && !(t->a >= 0 && s->frame[t->a].sent))
            s->kept.item[s->kept.count++] = *t;
    }
    TS_TRY(find(s, model, pool, timers, (search){.s = s, .model = model, .sent = true}, error));
    for (size_t i = 0; i < bodies; i++)
        s->frame[i].sent = false;
    return merge_kept(s, error);
}
