/* SPDX-License-Identifier: MIT */
#include "manifold/settle.h"

#include <math.h>

/* Curvature that every surface is taken to have at least, over 1 / length. */
static const double flat = 0.25;
/* Vertices this much farther than the nearest one count by 1/e at the start, over the length. */
static const double start_depth = 1e-3;
/* Way for differences of normals, and the last step of a search, over the length. */
static const double apart = 1e-4, last_step = 1e-7;
/* Where projections end, and how far off the surface a point may be left, over the length. */
static const double near_surface = 1e-12, on_surface = 1e-6;
enum { STEPS = 8, PROJECTIONS = 4 };

ts_settle_body ts_settle_place(const ts_sdf_body *body, const ts_manifold_options *options, ts_vec3 at, ts_mat3 turn)
{
    ts_settle_body placed = {body, ts_sdf_default_rule(body->sdf), at, turn};
    if (options) {
        if (options->smoothing.united > 0)
            placed.rule.tau = options->smoothing.united * ts_sdf_length(body->sdf);
        placed.rule.published = options->published;
        placed.rule.everything = options->everything;
    }
    return placed;
}

/* ---- The field ---- */

/* φ over its slope, and normals in the world's frame. φ of a flat superquadric is measured along the ray from its centre,
 * which may be many times the distance: |∇φ| ≥ 1 tells how many. */
void ts_settle_ask(const ts_settle_body *b, size_t count, const ts_vec3 *at, double *distance, ts_vec3 *normal)
{
    double x[3][TS_SETTLE_BATCH], value[TS_SETTLE_BATCH], gradient[3][TS_SETTLE_BATCH], out[3][TS_SETTLE_BATCH];
    for (size_t i = 0; i < count; i++) {
        const ts_vec3 p = ts_mat3_apply_transposed(b->turn, ts_vec3_sub(at[i], b->at));
        x[0][i] = p.x, x[1][i] = p.y, x[2][i] = p.z;
    }
    const ts_sdf_answers answer = {value, {gradient[0], gradient[1], gradient[2]}, {out[0], out[1], out[2]}};
    ts_sdf_ask(b->body->sdf, &b->rule, &(ts_sdf_points){count, x[0], x[1], x[2]}, &answer);
    for (size_t i = 0; i < count; i++) {
        const double slope = ts_vec3_length((ts_vec3){gradient[0][i], gradient[1][i], gradient[2][i]});
        distance[i] = value[i] / fmax(slope, 1);
        /* of length 1 to some ten digits, where slips of rounding would seem to go along them */
        normal[i] = ts_vec3_unit(ts_mat3_apply(b->turn, (ts_vec3){out[0][i], out[1][i], out[2][i]}));
    }
}

void ts_settle_rough(const void *of, size_t count, const ts_vec3 *point, double *distance, ts_vec3 *normal)
{
    ts_settle_ask(of, count, point, distance, normal);
}

static void project(const ts_settle_body *b, int projections, size_t count, const ts_vec3 *point, double *distance,
                    ts_vec3 *normal)
{
    const double near = 1e-9 * ts_sdf_length(b->body->sdf);
    ts_vec3 at[TS_SETTLE_BATCH];
    double off[TS_SETTLE_BATCH], first[TS_SETTLE_BATCH];
    for (size_t i = 0; i < count; i++)
        at[i] = point[i];
    for (int k = 0; k <= projections; k++) {
        ts_settle_ask(b, count, at, off, normal);
        double most = 0;
        for (size_t i = 0; i < count; i++) {
            first[i] = k == 0 ? off[i] : first[i];
            at[i] = ts_vec3_add_scaled(at[i], normal[i], -off[i]);
            most = fmax(most, fabs(off[i]));
        }
        if (most <= near)
            break;
    }
    /* from the plane that touches there; far off the way may end at another side, through the body or beside it */
    for (size_t i = 0; i < count; i++) {
        const ts_vec3 way = ts_vec3_sub(point[i], at[i]);
        const double height = ts_vec3_dot(normal[i], way), length = ts_vec3_length(way);
        const bool same = height * first[i] > 0 && 2 * height * height > length * length;
        distance[i] = same ? height : copysign(length, first[i]);
    }
}

void ts_settle_smooth(const void *of, size_t count, const ts_vec3 *point, double *distance, ts_vec3 *normal)
{
    project(of, PROJECTIONS, count, point, distance, normal);
}

void ts_settle_near(const void *of, size_t count, const ts_vec3 *point, double *distance, ts_vec3 *normal)
{
    project(of, 1, count, point, distance, normal);
}

/* ---- Searches, some at a time ---- */

/* Searches that take their steps together, so that each look at a field is for many points; points around each. */
enum { TOGETHER = 8, AROUND = 4 };
_Static_assert(TOGETHER *AROUND <= TS_SETTLE_BATCH, "points that are asked about together");

typedef struct search {
    const ts_settle_body *body;
    ts_settle_distance *distance;
    const void *of;
    double length, most; /* of the body, and of a step [m] */
    double reach;        /* places beyond are of no use [m] */
} search;

/* A point of the surface, and both normals. */
typedef struct stand {
    ts_vec3 x, own, other;
    double distance;
    bool beyond; /* reach, wherever the search would end */
} stand;

/* Moves points onto the surface, and looks at both bodies there. Its distance is infinite where that fails, as from the
 * middle of a hollow. */
static void stand_all(const search *s, size_t count, stand *at)
{
    ts_vec3 x[TOGETHER] = {{0, 0, 0}}, own[TOGETHER], other[TOGETHER];
    double off[TOGETHER], distance[TOGETHER];
    for (size_t i = 0; i < count; i++)
        x[i] = at[i].x;
    for (int k = 0; k <= PROJECTIONS; k++) {
        bool all = true;
        ts_settle_ask(s->body, count, x, off, own);
        for (size_t i = 0; i < count; i++)
            if (fabs(off[i]) > near_surface * s->length) {
                x[i] = ts_vec3_add_scaled(x[i], own[i], -off[i]);
                all = false;
            }
        if (all)
            break;
    }
    s->distance(s->of, count, x, distance, other);
    for (size_t i = 0; i < count; i++)
        at[i] = (stand){x[i], own[i], other[i], fabs(off[i]) <= on_surface * s->length ? distance[i] : HUGE_VAL, false};
}

/* (√(H² + κ²))⁻¹ r of a symmetric H = [a b; b c], by its eigenvectors: downhill, whatever H is. */
static void damped_solve(double a, double b, double c, double kappa, double r[2])
{
    const double mean = 0.5 * (a + c), half = 0.5 * (a - c), spread = hypot(half, b);
    const double high = sqrt((mean + spread) * (mean + spread) + kappa * kappa),
                 low = sqrt((mean - spread) * (mean - spread) + kappa * kappa);
    /* H = mean + spread (2 u uᵀ − 1): f(H) = f_mean + f_half (H − mean) / spread */
    const double middle = 0.5 * (1 / high + 1 / low), slope = spread > 0 ? 0.5 * (1 / high - 1 / low) / spread : 0;
    const double x = r[0], y = r[1];
    r[0] = middle * x + slope * (half * x + b * y);
    r[1] = middle * y + slope * (b * x - half * y);
}

/* A search: where it is, the step that it tries, and how that came about. */
typedef struct walk {
    stand best;
    ts_vec3 step;
    double way;         /* length of the step at first [m] */
    int steps, shorter; /* taken; of this one */
    bool fresh, done;   /* wants a step */
} walk;

/* Directions around a point, in the body's frame, so that a pair that is moved as a whole takes the same way. */
static void directions(const search *s, const stand *at, ts_vec3 *u, ts_vec3 *v)
{
    ts_vec3_tangents(ts_mat3_apply_transposed(s->body->turn, at->own), u, v);
    *u = ts_mat3_apply(s->body->turn, *u);
    *v = ts_mat3_apply(s->body->turn, *v);
}

/* The step of Newton's method, in the tangent plane, from what both normals are around. */
static void take_step(const search *s, walk *w, const ts_vec3 *own, const ts_vec3 *other)
{
    const stand *at = &w->best;
    ts_vec3 u, v, bend[2];
    directions(s, at, &u, &v);
    /* of the distance along the surface: its own bend, and that of the surface as far as the two face each other */
    const double facing = -ts_vec3_dot(at->own, at->other), per = 0.5 / (apart * s->length);
    for (int i = 0; i < 2; i++)
        bend[i] = ts_vec3_scale(
            ts_vec3_add_scaled(ts_vec3_sub(other[i], other[i + 2]), ts_vec3_sub(own[i], own[i + 2]), facing), per);
    const double slope[2] = {-ts_vec3_dot(u, at->other), -ts_vec3_dot(v, at->other)};
    double r[2] = {slope[0], slope[1]};
    damped_solve(ts_vec3_dot(u, bend[0]), 0.5 * (ts_vec3_dot(u, bend[1]) + ts_vec3_dot(v, bend[0])),
                 ts_vec3_dot(v, bend[1]), flat / s->length, r);
    /* several times what the step promises */
    const double gain = 2 * (slope[0] * r[0] + slope[1] * r[1]);
    const double long_by = hypot(r[0], r[1]), scale = long_by > s->most ? s->most / long_by : 1;
    w->step = ts_vec3_add(ts_vec3_scale(u, scale * r[0]), ts_vec3_scale(v, scale * r[1]));
    w->way = ts_vec3_length(w->step);
    w->shorter = 0;
    w->fresh = false;
    w->best.beyond = at->distance < HUGE_VAL && at->distance - gain > s->reach;
    w->done = w->best.beyond;
}

static void take_steps(const search *s, size_t count, walk *walks)
{
    walk *of[TOGETHER];
    ts_vec3 around[TOGETHER * AROUND], own[TOGETHER * AROUND], other[TOGETHER * AROUND];
    double distance[TOGETHER * AROUND];
    const double h = apart * s->length;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (walks[i].done || !walks[i].fresh)
            continue;
        const ts_vec3 x = walks[i].best.x;
        ts_vec3 u, v;
        directions(s, &walks[i].best, &u, &v);
        ts_vec3 *to = around + AROUND * n;
        to[0] = ts_vec3_add_scaled(x, u, h);
        to[1] = ts_vec3_add_scaled(x, v, h);
        to[2] = ts_vec3_add_scaled(x, u, -h);
        to[3] = ts_vec3_add_scaled(x, v, -h);
        of[n++] = &walks[i];
    }
    if (n == 0)
        return;
    ts_settle_ask(s->body, AROUND * n, around, distance, own);
    s->distance(s->of, AROUND * n, around, distance, other);
    for (size_t i = 0; i < n; i++)
        take_step(s, of[i], own + AROUND * i, other + AROUND * i);
}

/* Takes the steps of all walks, each downhill, or shorter ones. */
static void descend(const search *s, size_t count, walk *walks)
{
    stand at[TOGETHER];
    for (size_t i = 0; i < count; i++)
        at[i] = walks[i].best;
    stand_all(s, count, at);
    for (size_t i = 0; i < count; i++)
        walks[i] = (walk){.best = at[i], .fresh = true};
    for (;;) {
        walk *of[TOGETHER];
        size_t n = 0;
        take_steps(s, count, walks);
        for (size_t i = 0; i < count; i++)
            if (!walks[i].done) {
                at[n].x = ts_vec3_add(walks[i].best.x, walks[i].step);
                of[n++] = &walks[i];
            }
        if (n == 0)
            return;
        stand_all(s, n, at);
        for (size_t i = 0; i < n; i++) {
            walk *w = of[i];
            if (at[i].distance <= w->best.distance + 1e-15 * s->length) {
                w->best = at[i];
                w->done = w->way <= last_step * s->length || ++w->steps == STEPS;
                w->fresh = true;
            } else {
                w->step = ts_vec3_scale(w->step, 0.4);
                w->done = ++w->shorter > 3;
            }
        }
    }
}

double ts_settle_bend(const ts_settle_body *b, ts_vec3 point, ts_vec3 along)
{
    const double h = apart * ts_sdf_length(b->body->sdf);
    const ts_vec3 beside[2] = {ts_vec3_add_scaled(point, along, h), ts_vec3_add_scaled(point, along, -h)};
    double distance[2];
    ts_vec3 normal[2];
    ts_settle_ask(b, 2, beside, distance, normal);
    return ts_vec3_dot(along, ts_vec3_sub(normal[0], normal[1])) / (2 * h);
}

/* ---- All of them ---- */

/* Vertices of one primitive. */
typedef struct part {
    double least;   /* distance [m] */
    size_t nearest; /* vertex */
    double weight;
    ts_vec3 sum;
} part;

static ts_vec3 in_world(const ts_settle_body *b, ts_vec3 local)
{
    return ts_vec3_add(b->at, ts_mat3_apply(b->turn, local));
}

/* The distance that is told, where it may be wanted. */
static void look_closer(stand *at, ts_settle_distance *distance, const void *of, double most)
{
    if (!at->beyond && at->distance <= most)
        distance(of, 1, &at->x, &at->distance, &at->other);
}

/* Unless it is out of reach, or there already. */
static size_t add_settled(const stand *at, uint32_t primitive, double length, double reach, ts_settled *to,
                          size_t count)
{
    if (at->beyond || !(at->distance <= reach))
        return count;
    for (size_t k = 0; k < count; k++)
        if (ts_vec3_distance(to[k].point, at->x) <= 1e-5 * length)
            return count;
    to[count] = (ts_settled){at->x, at->distance, at->other, primitive};
    return count + 1;
}

size_t ts_settle(const ts_settle_body *b, ts_settle_distance *rough, ts_settle_distance *distance, const void *of,
                 const double *vertex_distance, double margin, double reach, ts_settled to[TS_SETTLE_PARTS])
{
    const ts_sdf_body *body = b->body;
    const ts_mesh *mesh = body->mesh;
    const double length = ts_sdf_length(body->sdf);
    const search s = {b, rough, of, length, 0.5 * body->longest, reach};
    part list[TS_SETTLE_PARTS];
    size_t parts = ts_sdf_count(body->sdf), count = 0;
    parts = parts < TS_SETTLE_PARTS ? parts : TS_SETTLE_PARTS;
    if (parts == 0)
        return 0;
    for (size_t i = 0; i < parts; i++)
        list[i] = (part){.least = HUGE_VAL};
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        part *p = &list[body->part[i] < parts ? body->part[i] : parts - 1];
        if (vertex_distance[i] < p->least) {
            p->least = vertex_distance[i];
            p->nearest = i;
        }
    }
    /* no point of the surface is farther than an edge from a vertex */
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        part *p = &list[body->part[i] < parts ? body->part[i] : parts - 1];
        if (!(p->least <= reach + margin))
            continue;
        const double weight = body->area[i] * exp((p->least - vertex_distance[i]) / (start_depth * length));
        p->weight += weight;
        p->sum = ts_vec3_add_scaled(p->sum, mesh->vertex[i], weight);
    }
    size_t chosen[TS_SETTLE_PARTS], many = 0;
    for (size_t i = 0; i < parts; i++)
        if (list[i].weight > 0 && !ts_settle_is_deep(body, list[i].least) &&
            ts_sdf_primitive(body->sdf, i)->kind != TS_PRIMITIVE_POLYHEDRON)
            chosen[many++] = i;
    for (size_t begin = 0; begin < many; begin += TOGETHER) {
        const size_t here = many - begin < TOGETHER ? many - begin : TOGETHER;
        walk walks[TOGETHER], again[TOGETHER];
        size_t twice[TOGETHER], repeated = 0;
        for (size_t i = 0; i < here; i++) {
            const part *p = &list[chosen[begin + i]];
            walks[i].best.x = in_world(b, ts_vec3_scale(p->sum, 1 / p->weight));
        }
        descend(&s, here, walks);
        for (size_t i = 0; i < here; i++) {
            const part *p = &list[chosen[begin + i]];
            look_closer(&walks[i].best, distance, of, reach + length);
            if (walks[i].best.beyond || walks[i].best.distance <= p->least + 1e-9 * length)
                continue;
            again[repeated].best.x = in_world(b, mesh->vertex[p->nearest]); /* between two that are equally near */
            twice[repeated++] = i;
        }
        if (repeated > 0)
            descend(&s, repeated, again);
        for (size_t i = 0; i < repeated; i++) {
            look_closer(&again[i].best, distance, of, reach + length);
            walks[twice[i]] = again[i];
        }
        for (size_t i = 0; i < here; i++)
            count = add_settled(&walks[i].best, (uint32_t)chosen[begin + i], length, reach, to, count);
    }
    return count;
}

ts_settle_found ts_settle_which(const ts_settled *lowest, size_t count)
{
    ts_settle_found found = {{false}};
    for (size_t i = 0; i < count; i++)
        found.part[lowest[i].part] = true;
    return found;
}
