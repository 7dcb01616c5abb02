/* SPDX-License-Identifier: MIT */
/* Snapshots made by hand. */
#pragma once

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "support/check.h"
#include "touchstone/measure.h"

enum { GRAINS_MAX = 4096, TOUCHES_MAX = 3 * GRAINS_MAX, SHAPES_MAX = 4 };

/* Room for one snapshot; not for the stack. */
typedef struct grains {
    ts_snapshot snapshot;
    ts_snapshot_body body[GRAINS_MAX];
    ts_contact contact[TOUCHES_MAX];
    ts_snapshot_shape shape[SHAPES_MAX];
} grains;

static const ts_disc unit_disc = {0, 0, 1};

static inline void grains_begin(grains *g)
{
    memset(&g->snapshot, 0, sizeof g->snapshot);
    g->shape[0] = (ts_snapshot_shape){.disc = &unit_disc, .disc_count = 1};
    g->snapshot.body = g->body;
    g->snapshot.contact = g->contact;
    g->snapshot.shape = g->shape;
    g->snapshot.shape_count = 1;
    g->snapshot.has_contacts = true;
    g->snapshot.elastic = (double)NAN;
}

/* A disc of mass 1 per area. */
static inline ts_snapshot_body *grains_disc(grains *g, double x, double y, double radius)
{
    assert_true(g->snapshot.body_count < GRAINS_MAX);
    ts_snapshot_body *body = &g->body[g->snapshot.body_count++];
    double area = TS_PI * radius * radius;
    *body = (ts_snapshot_body){.position = {x, y},
                               .scale = radius,
                               .radius = radius,
                               .volume = area,
                               .mass = area,
                               .inertia = {[2] = {[2] = 0.5 * area * radius * radius}},
                               .present = true};
    return body;
}

/* A contact between two bodies, or of wall -1 - i with one at a point, with normal and tangential force on B. */
static inline void grains_touch_at(grains *g, int64_t a, int64_t b, const double point[2], const double normal[2],
                                   const double force[2])
{
    assert_true(g->snapshot.contact_count < TOUCHES_MAX);
    g->contact[g->snapshot.contact_count++] = (ts_contact){
        .a = a,
        .b = b,
        .normal = {normal[0], normal[1]},
        .point_a = {point[0], point[1]},
        .point_b = {point[0], point[1]},
        .weight = 1,
        .force = {force[0] * normal[0] - force[1] * normal[1], force[0] * normal[1] + force[1] * normal[0]},
    };
}

static inline void grains_touch(grains *g, size_t a, size_t b, double push)
{
    const ts_snapshot_body *p = &g->body[a], *q = &g->body[b];
    double dx = q->position[0] - p->position[0], dy = q->position[1] - p->position[1], d = hypot(dx, dy),
           s = p->radius / (p->radius + q->radius);
    grains_touch_at(g, (int64_t)a, (int64_t)b, (double[2]){p->position[0] + s * dx, p->position[1] + s * dy},
                    (double[2]){dx / d, dy / d}, (double[2]){push, 0});
}

/* All pairs of discs that touch, up to rounding. */
static inline void grains_touch_all(grains *g, double push)
{
    for (size_t i = 0; i < g->snapshot.body_count; i++)
        for (size_t j = i + 1; j < g->snapshot.body_count; j++) {
            double d =
                hypot(g->body[i].position[0] - g->body[j].position[0], g->body[i].position[1] - g->body[j].position[1]);
            if (d < (g->body[i].radius + g->body[j].radius) * (1 + 1e-9))
                grains_touch(g, i, j, push);
        }
}
