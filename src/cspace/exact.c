/* SPDX-License-Identifier: MIT */
#include "cspace/exact.h"

#include <math.h>

#include "base/memory.h"
#include "cspace/exact_parts.h"
#include "shape/outline.h"

ts_status ts_exact_create(const ts_pair *pair, ts_exact **exact, ts_error *error)
{
    *exact = NULL;
    TS_AUTO(ts_exact_free_at) ts_exact *e = NULL;
    TS_TRY(ts_new(&e, 1, error));
    e->pair = pair;
    e->distance_a = pair->a->distance;
    e->distance_b = pair->b->distance;
    TS_TRY(ts_rim_create(pair->a, &e->a, error));
    TS_TRY(ts_rim_create(pair->b, &e->b, error));
    *exact = ts_give(&e);
    return TS_OK;
}

void ts_exact_free(ts_exact *exact)
{
    if (!exact)
        return;
    ts_rim_free(&exact->a);
    ts_rim_free(&exact->b);
    ts_free(exact);
}

static ts_exact_contact contact_at(const ts_placing *q, double gap, ts_vec2 m, ts_vec2 g)
{
    ts_vec2 lever = ts_vec2_sub(m, q->at);
    return (ts_exact_contact){gap, {g.x, g.y, ts_vec2_cross(lever, g)}, ts_vec2_dot(m, ts_vec2_unit(g)), {m.x, m.y}};
}

/* No more than a touch, at m: what holds a hair's breadth away, on the side to which they part most. */
static ts_exact_contact touch_at(const ts_exact *exact, const ts_placing *q, ts_vec2 m)
{
    enum { directions = 16 };
    const double hair = 1e-7;
    ts_meeting best = {.distance = 0}, here;
    for (int i = 0; i <= directions; i++) {
        double way = i * (6.283185307179586 / directions);
        ts_vec2 to = i < directions ? (ts_vec2){cos(way), sin(way)} : best.normal; /* at last straight away */
        ts_placing beside = {ts_vec2_add_scaled(q->at, to, hair), q->cosine, q->sine};
        ts_exact_meet(exact, &beside, HUGE_VAL, &here);
        if (here.apart && here.distance > best.distance)
            best = here;
    }
    if (best.distance > 0)
        return contact_at(q, 0, ts_vec2_lerp(best.a, best.b, 0.5), best.normal);
    ts_vec2 a, b;
    ts_exact_normals(exact, q, m, &a, &b);
    return contact_at(q, 0, m, ts_vec2_unit(ts_vec2_sub(a, b)));
}

/* In all of A, when nothing is known of the overlap. */
static ts_low search_all(const ts_exact *exact, const ts_placing *q, ts_meeting *m, double enough)
{
    double r = exact->pair->radius_a;
    m->edge_count = -1;
    m->box_count = 1;
    m->box[0] = (ts_overlap_box){{0, 0}, {1, 0}, r, r};
    return ts_exact_search(exact, q, m, enough);
}

ts_exact_contact ts_exact_at(const ts_exact *exact, double x, double y, double angle, double band)
{
    ts_placing q = {{x, y}, cos(angle), sin(angle)};
    ts_meeting m;
    ts_exact_meet(exact, &q, band, &m);
    if (m.beyond)
        return contact_at(&q, m.distance, ts_vec2_scale(q.at, 0.5), ts_vec2_unit(q.at));
    if (m.apart)
        return contact_at(&q, m.distance, ts_vec2_lerp(m.a, m.b, 0.5), m.normal);
    ts_low low = {.value = HUGE_VAL};
    if (m.box_count > 0)
        low = ts_exact_search(exact, &q, &m, -0.5 * band);
    if (low.value >= 0) /* edges that lie on each other, too many pieces to tell, or no more than a touch */
        low = search_all(exact, &q, &m, -0.5 * band);
    if (low.value >= 0)
        return touch_at(exact, &q, m.a);
    return contact_at(&q, 2 * low.value, low.x, low.gradient);
}

void ts_exact_query(const void *exact, size_t count, ts_fields *fields)
{
    for (size_t i = 0; i < count; i++) {
        ts_exact_contact c = ts_exact_at(exact, fields->x[i], fields->y[i], fields->angle[i], HUGE_VAL);
        fields->gap[i] = c.gap;
        fields->gx[i] = c.gradient[0];
        fields->gy[i] = c.gradient[1];
        fields->gangle[i] = c.gradient[2];
        fields->arm[i] = c.arm;
    }
}

ts_status ts_exact_inner_radius(const ts_outline *outline, double *radius, ts_error *error)
{
    ts_pair *pair;
    ts_exact *exact = NULL;
    TS_TRY(ts_pair_create(outline, outline, &pair, error));
    ts_status status = ts_exact_create(pair, &exact, error);
    if (status == TS_OK)
        *radius = -0.5 * pair->unit * ts_exact_at(exact, 0, 0, 0, HUGE_VAL).gap;
    ts_exact_free(exact);
    ts_pair_free(pair);
    return status;
}
