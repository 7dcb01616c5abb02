/* SPDX-License-Identifier: MIT */
#include "study/crowd.h"

#include <math.h>
#include <string.h>

#define DOF 3

/* ---- Making one ---- */

ts_status ts_crowd_body_add(ts_crowd *crowd, const ts_crowd_body *body, ts_error *error)
{
    return ts_array_push(&crowd->body, *body, error);
}

ts_status ts_crowd_ball(ts_crowd *crowd, double x, double y, double vx, double vy, ts_error *error)
{
    return ts_crowd_body_add(
        crowd, &(ts_crowd_body){.x = x, .y = y, .v = {vx, vy, 0}, .mass = 1, .inertia = 0.125, .twin = -1}, error);
}

ts_status ts_crowd_press(ts_crowd *crowd, const ts_crowd_contact *contact, ts_error *error)
{
    return ts_array_push(&crowd->contact, *contact, error);
}

ts_status ts_crowd_touch(ts_crowd *crowd, int32_t a, int32_t b, ts_error *error)
{
    const ts_crowd_body *p = &crowd->body.item[a], *q = &crowd->body.item[b];
    double dx = q->x - p->x, dy = q->y - p->y, length = hypot(dx, dy);
    /* the point half-way, so that mirror images get mirrored points to the last bit */
    ts_crowd_contact contact = {a, b, dx / length, dy / length, 0.5 * (p->x + q->x), 0.5 * (p->y + q->y)};
    return ts_crowd_press(crowd, &contact, error);
}

ts_status ts_crowd_touch_all(ts_crowd *crowd, double reach, ts_error *error)
{
    const ts_crowd_body *body = crowd->body.item;
    for (size_t i = 0; i < crowd->body.count; i++)
        for (size_t j = i + 1; j < crowd->body.count; j++)
            if (hypot(body[j].x - body[i].x, body[j].y - body[i].y) < reach)
                TS_TRY(ts_crowd_touch(crowd, (int32_t)i, (int32_t)j, error));
    return TS_OK;
}

void ts_crowd_find_twins(ts_crowd *crowd)
{
    ts_crowd_body *body = crowd->body.item;
    for (size_t i = 0; i < crowd->body.count; i++)
        for (size_t j = 0; j < crowd->body.count; j++)
            if (body[j].x == body[i].x && body[j].y == -body[i].y)
                body[i].twin = (int32_t)j;
}

void ts_crowd_free(ts_crowd *crowd)
{
    ts_array_free(&crowd->body);
    ts_array_free(&crowd->contact);
    ts_array_free(&crowd->a);
    ts_array_free(&crowd->b);
    ts_array_free(&crowd->ga);
    ts_array_free(&crowd->gb);
    ts_array_free(&crowd->w);
    ts_array_free(&crowd->lambda);
    ts_impact_work_free(crowd->work);
    *crowd = (ts_crowd){0};
}

/* ---- Striking ---- */

static ts_status reserve(ts_crowd *crowd, ts_error *error)
{
    size_t n = crowd->contact.count;
    if (!crowd->work)
        TS_TRY(ts_impact_work_create(&crowd->work, error));
    TS_TRY(ts_array_reserve(&crowd->a, n, error));
    TS_TRY(ts_array_reserve(&crowd->b, n, error));
    TS_TRY(ts_array_reserve(&crowd->ga, DOF * n, error));
    TS_TRY(ts_array_reserve(&crowd->gb, DOF * n, error));
    TS_TRY(ts_array_reserve(&crowd->lambda, n, error));
    return ts_array_reserve(&crowd->w, DOF * crowd->body.count, error);
}

/* w = M^½ v. */
static double root(const ts_crowd_body *body, int d)
{
    return sqrt(d < 2 ? body->mass : body->inertia);
}

static void write_row(const ts_crowd *crowd, int32_t i, const ts_crowd_contact *c, double sign, double *row)
{
    if (i < 0)
        return;
    const ts_crowd_body *body = &crowd->body.item[i];
    double turn = (c->px - body->x) * c->ny - (c->py - body->y) * c->nx;
    row[0] = sign * c->nx / root(body, 0);
    row[1] = sign * c->ny / root(body, 1);
    row[2] = sign * turn / root(body, 2);
}

ts_status ts_crowd_collide(ts_crowd *crowd, const ts_impact_operator *by, const ts_impact_options *options,
                           ts_impact_report *report, ts_error *error)
{
    TS_TRY(reserve(crowd, error));
    size_t contacts = crowd->contact.count, bodies = crowd->body.count;
    for (size_t k = 0; k < contacts; k++) {
        const ts_crowd_contact *c = &crowd->contact.item[k];
        crowd->a.item[k] = c->a;
        crowd->b.item[k] = c->b;
        write_row(crowd, c->a, c, -1, crowd->ga.item + DOF * k);
        write_row(crowd, c->b, c, 1, crowd->gb.item + DOF * k);
    }
    for (size_t i = 0; i < bodies; i++)
        for (int d = 0; d < DOF; d++)
            crowd->w.item[DOF * i + (size_t)d] = crowd->body.item[i].v[d] * root(&crowd->body.item[i], d);
    ts_rows rows = {contacts, bodies, DOF, crowd->a.item, crowd->b.item, crowd->ga.item, crowd->gb.item, NULL};
    ts_impact impact = {&rows, options, crowd->work, crowd->w.item, crowd->lambda.item, report};
    TS_TRY(ts_impact_resolve(&impact, by, error));
    for (size_t i = 0; i < bodies; i++)
        for (int d = 0; d < DOF; d++)
            crowd->body.item[i].after[d] = crowd->w.item[DOF * i + (size_t)d] / root(&crowd->body.item[i], d);
    return TS_OK;
}

/* ---- Judging ---- */

/* The velocity of a body's point along the normal. */
static double along(const ts_crowd *crowd, int32_t i, const ts_crowd_contact *c)
{
    if (i < 0)
        return 0;
    const ts_crowd_body *body = &crowd->body.item[i];
    return c->nx * (body->after[0] - body->after[2] * (c->py - body->y)) +
           c->ny * (body->after[1] + body->after[2] * (c->px - body->x));
}

double ts_crowd_rate(const ts_crowd *crowd, size_t contact)
{
    const ts_crowd_contact *c = &crowd->contact.item[contact];
    return along(crowd, c->b, c) - along(crowd, c->a, c);
}

typedef struct sums {
    double energy, p[2], turning;    /* angular momentum about the origin */
    double momentum_size, turn_size; /* Σ m|v|, Σ(|r| m|v| + |Iω|) */
} sums;

static sums add_up(const ts_crowd *crowd, bool after)
{
    sums s = {0};
    for (size_t i = 0; i < crowd->body.count; i++) {
        const ts_crowd_body *body = &crowd->body.item[i];
        const double *v = after ? body->after : body->v;
        double orbit = body->mass * (body->x * v[1] - body->y * v[0]), own = body->inertia * v[2];
        s.energy += 0.5 * body->mass * (v[0] * v[0] + v[1] * v[1]) + 0.5 * own * v[2];
        s.p[0] += body->mass * v[0];
        s.p[1] += body->mass * v[1];
        s.turning += orbit + own;
        s.momentum_size += body->mass * hypot(v[0], v[1]);
        s.turn_size += body->mass * hypot(v[0], v[1]) * hypot(body->x, body->y) + fabs(own);
    }
    return s;
}

static double twins_apart(const ts_crowd *crowd)
{
    double most = 0;
    for (size_t i = 0; i < crowd->body.count; i++) {
        const ts_crowd_body *body = &crowd->body.item[i];
        if (body->twin < 0)
            continue;
        const double *v = body->after, *u = crowd->body.item[body->twin].after;
        /* spin as the speed of the rim of a body of its mass and inertia */
        double rim = sqrt(body->inertia / body->mass);
        most = fmax(most, fmax(hypot(v[0] - u[0], v[1] + u[1]), rim * fabs(v[2] + u[2])));
    }
    return most;
}

ts_crowd_laws ts_crowd_judge(const ts_crowd *crowd)
{
    sums before = add_up(crowd, false), after = add_up(crowd, true);
    double fastest = 0, mass = 1;
    for (size_t i = 0; i < crowd->body.count; i++) {
        const ts_crowd_body *body = &crowd->body.item[i];
        double speed = hypot(body->v[0], body->v[1]);
        if (speed > fastest) {
            fastest = speed;
            mass = body->mass;
        }
    }
    /* sizes of both, for round-off follows the larger */
    double pushed = hypot(after.p[0] - before.p[0], after.p[1] - before.p[1]) /
                    fmax(before.momentum_size, after.momentum_size),
           turned = fabs(after.turning - before.turning) / fmax(before.turn_size, after.turn_size);
    ts_crowd_laws laws = {.asymmetry = twins_apart(crowd) / fastest,
                          .energy = (after.energy - before.energy) / before.energy,
                          .momentum = isnan(turned) ? pushed : fmax(pushed, turned),
                          .impulse = HUGE_VAL};
    for (size_t k = 0; k < crowd->contact.count; k++) {
        laws.closing = fmax(laws.closing, -ts_crowd_rate(crowd, k) / fastest);
        laws.impulse = fmin(laws.impulse, crowd->lambda.item[k] / (mass * fastest));
    }
    return laws;
}

/* ---- Well known ones ---- */

ts_status ts_crowd_cradle(ts_crowd *crowd, int count, ts_error *error)
{
    for (int i = 0; i < count; i++)
        TS_TRY(ts_crowd_ball(crowd, i, 0, i == 0 ? 1 : 0, 0, error));
    for (int i = 0; i + 1 < count; i++)
        TS_TRY(ts_crowd_touch(crowd, i, i + 1, error));
    ts_crowd_find_twins(crowd);
    return TS_OK;
}

ts_status ts_crowd_bernoulli(ts_crowd *crowd, ts_error *error)
{
    TS_TRY(ts_crowd_ball(crowd, -sqrt(0.75), 0, 1, 0, error));
    TS_TRY(ts_crowd_ball(crowd, 0, 0.5, 0, 0, error));
    TS_TRY(ts_crowd_ball(crowd, 0, -0.5, 0, 0, error));
    TS_TRY(ts_crowd_touch_all(crowd, 1.000001, error));
    ts_crowd_find_twins(crowd);
    return TS_OK;
}

ts_status ts_crowd_rack(ts_crowd *crowd, int rows, ts_error *error)
{
    TS_TRY(ts_crowd_ball(crowd, -1, 0, 1, 0, error));
    for (int row = 0; row < rows; row++)
        for (int i = 0; i <= row; i++)
            TS_TRY(ts_crowd_ball(crowd, row * sqrt(0.75), 0.5 * row - i, 0, 0, error));
    TS_TRY(ts_crowd_touch_all(crowd, 1.000001, error));
    ts_crowd_find_twins(crowd);
    return TS_OK;
}
