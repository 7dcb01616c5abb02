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
/* Where vertices are deeper than this, over the length, they tell enough, and no contact law holds. */
static const double deep = 0.1;
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
        normal[i] = ts_mat3_apply(b->turn, (ts_vec3){out[0][i], out[1][i], out[2][i]});
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

/* Moves a point onto the surface, and says how the surface stands there; false when it does not get there, as from the
 * middle of a hollow. */
static bool onto(const ts_settle_body *b, ts_vec3 *x, ts_vec3 *normal)
{
    const double length = ts_sdf_length(b->body->sdf);
    double off = HUGE_VAL;
    for (int k = 0; k <= PROJECTIONS; k++) {
        ts_settle_ask(b, 1, x, &off, normal);
        if (!(fabs(off) > near_surface * length))
            break;
        *x = ts_vec3_add_scaled(*x, *normal, -off);
    }
    return fabs(off) <= on_surface * length;
}

/* ---- One lowest point ---- */

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

static stand stand_at(const search *s, ts_vec3 x)
{
    stand at = {.x = x};
    const bool there = onto(s->body, &at.x, &at.own);
    s->distance(s->of, 1, &at.x, &at.distance, &at.other);
    if (!there)
        at.distance = HUGE_VAL;
    return at;
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

/* The step of Newton's method, in the tangent plane; `gain`: several times what it promises [m]. */
static ts_vec3 step_at(const search *s, const stand *at, double *gain)
{
    ts_vec3 u, v; /* in the body's frame, so that a pair that is moved as a whole takes the same way */
    ts_vec3_tangents(ts_mat3_apply_transposed(s->body->turn, at->own), &u, &v);
    u = ts_mat3_apply(s->body->turn, u);
    v = ts_mat3_apply(s->body->turn, v);
    const double h = apart * s->length;
    const ts_vec3 beside[4] = {ts_vec3_add_scaled(at->x, u, h), ts_vec3_add_scaled(at->x, v, h),
                               ts_vec3_add_scaled(at->x, u, -h), ts_vec3_add_scaled(at->x, v, -h)};
    ts_vec3 own[4], other[4];
    double distance[4];
    ts_settle_ask(s->body, 4, beside, distance, own);
    s->distance(s->of, 4, beside, distance, other);
    /* of the distance along the surface: its own bend, and that of the surface as far as the two face each other */
    const double facing = -ts_vec3_dot(at->own, at->other);
    ts_vec3 bend[2];
    for (int i = 0; i < 2; i++)
        bend[i] = ts_vec3_scale(
            ts_vec3_add_scaled(ts_vec3_sub(other[i], other[i + 2]), ts_vec3_sub(own[i], own[i + 2]), facing), 0.5 / h);
    const double slope[2] = {-ts_vec3_dot(u, at->other), -ts_vec3_dot(v, at->other)};
    double r[2] = {slope[0], slope[1]};
    damped_solve(ts_vec3_dot(u, bend[0]), 0.5 * (ts_vec3_dot(u, bend[1]) + ts_vec3_dot(v, bend[0])),
                 ts_vec3_dot(v, bend[1]), flat / s->length, r);
    *gain = 2 * (slope[0] * r[0] + slope[1] * r[1]);
    const double long_by = hypot(r[0], r[1]), scale = long_by > s->most ? s->most / long_by : 1;
    return ts_vec3_add(ts_vec3_scale(u, scale * r[0]), ts_vec3_scale(v, scale * r[1]));
}

static stand descend(const search *s, ts_vec3 start)
{
    stand best = stand_at(s, start);
    for (int k = 0; k < STEPS; k++) {
        double gain;
        ts_vec3 step = step_at(s, &best, &gain);
        best.beyond = best.distance < HUGE_VAL && best.distance - gain > s->reach;
        if (best.beyond)
            break;
        const double way = ts_vec3_length(step);
        stand next = stand_at(s, ts_vec3_add(best.x, step));
        for (int half = 0; half < 3 && !(next.distance <= best.distance + 1e-15 * s->length); half++) {
            step = ts_vec3_scale(step, 0.4);
            next = stand_at(s, ts_vec3_add(best.x, step));
        }
        if (!(next.distance <= best.distance + 1e-15 * s->length))
            break;
        best = next;
        if (way <= last_step * s->length)
            break;
    }
    return best;
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
    for (size_t i = 0; i < parts; i++)
        list[i] = (part){.least = HUGE_VAL};
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        part *p = &list[body->part[i] < parts ? body->part[i] : parts - 1];
        if (vertex_distance[i] < p->least) {
            p->least = vertex_distance[i];
            p->nearest = i;
        }
    }
    for (size_t i = 0; i < mesh->vertex_count;
         i++) { /* no point of the surface is farther than an edge from a vertex */
        part *p = &list[body->part[i] < parts ? body->part[i] : parts - 1];
        if (!(p->least <= reach + margin))
            continue;
        const double weight = body->area[i] * exp((p->least - vertex_distance[i]) / (start_depth * length));
        p->weight += weight;
        p->sum = ts_vec3_add_scaled(p->sum, mesh->vertex[i], weight);
    }
    for (size_t i = 0; i < parts; i++) {
        const part *p = &list[i];
        if (!(p->weight > 0) || p->least < -deep * length ||
            ts_sdf_primitive(body->sdf, i)->kind == TS_PRIMITIVE_POLYHEDRON)
            continue;
        const ts_vec3 middle = ts_vec3_scale(p->sum, 1 / p->weight), vertex = mesh->vertex[p->nearest];
        stand at = descend(&s, ts_vec3_add(b->at, ts_mat3_apply(b->turn, middle)));
        if (at.beyond)
            continue;
        if (at.distance < HUGE_VAL)
            distance(of, 1, &at.x, &at.distance, &at.other);
        if (!(at.distance <= p->least + 1e-9 * length)) { /* between two places that are equally near */
            at = descend(&s, ts_vec3_add(b->at, ts_mat3_apply(b->turn, vertex)));
            if (at.distance < HUGE_VAL)
                distance(of, 1, &at.x, &at.distance, &at.other);
        }
        bool twice = false;
        for (size_t k = 0; k < count; k++)
            twice |= ts_vec3_distance(to[k].point, at.x) <= 1e-5 * length;
        if (at.distance <= reach && !twice)
            to[count++] = (ts_settled){at.x, at.distance, at.other, (uint32_t)i};
    }
    return count;
}
