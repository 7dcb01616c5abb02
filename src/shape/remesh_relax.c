/* SPDX-License-Identifier: MIT */
#include "shape/remesh_work.h"

/* Weight of the distance to samples beside that to their tangent planes: it decides where the planes agree. */
static const double centring = 0.05;
/* Weight of the plane that a vertex of a fold stays in, beside all others together; and the share of its area, as a
 * vector sum, below which a vertex's cell is a fold: 0.71 at the rim of a box, 0.58 at its corner. */
static const double hold = 2, fold = 0.5;
static const ts_remesh_guard guard = {.turn = 0.3, .facing = 0.2, .quality = 0.1};
enum { HALVINGS = 3 };

/* Three samples a side: near the corner that it comes from, in its middle, and in the middle of its triangle. They are
 * points of the surface, with normals. */
enum { NEAR, MIDDLE, CENTRE, SAMPLES };
static const double share_of[SAMPLES][3] = {
    {2.0 / 3, 1.0 / 6, 1.0 / 6}, {0.5, 0.5, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}; /* of from, to, across */

static void take_samples(const ts_remesh_work *w, ts_spot *sample)
{
    const size_t count = SAMPLES * w->from.count;
    for (size_t i = 0; i < count; i++) {
        const int32_t h = (int32_t)(i / SAMPLES);
        const double *share = share_of[i % SAMPLES];
        ts_vec3 at = ts_vec3_scale(w->spot.item[ts_side_from(w, h)].at, share[0]);
        at = ts_vec3_add_scaled(at, w->spot.item[ts_side_to(w, h)].at, share[1]);
        sample[i].size = 1;
        sample[i].at = ts_vec3_add_scaled(at, w->spot.item[ts_side_across(w, h)].at, share[2]);
    }
    ts_remesh_project(w, sample, count, w->length); /* one that misses has no normal, and counts as a point alone */
}

/* Adds area ((n·(x − s))² + centre |x − s|²) to ½ x·matrix x − right·x. */
static void add_sample(ts_vec3 s, ts_vec3 n, double centre, double area, ts_mat3 *matrix, ts_vec3 *right)
{
    const double v[3] = {n.x, n.y, n.z}, along = ts_vec3_dot(n, s);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            matrix->m[i][k] += area * (v[i] * v[k] + (i == k ? centre : 0));
    *right = ts_vec3_add_scaled(*right, ts_vec3_add(ts_vec3_scale(n, along), ts_vec3_scale(s, centre)), area);
}

/* The point of least Σ area ((n·(x − s))² + centring |x − s|²) over the samples s of a vertex. */
static ts_vec3 target(const ts_remesh_work *w, int32_t vertex, const ts_spot *sample)
{
    const ts_vec3 at = w->spot.item[vertex].at;
    const int32_t first = w->out.item[vertex];
    ts_mat3 matrix = ts_mat3_diagonal((ts_vec3){0, 0, 0});
    ts_vec3 right = {0, 0, 0};
    ts_vec3 inwards = {0, 0, 0}, vector = {0, 0, 0};
    double sum = 0;
    int32_t h = first;
    do {
        const ts_vec3 b = w->spot.item[ts_side_to(w, h)].at, c = w->spot.item[ts_side_across(w, h)].at;
        const ts_vec3 normal = ts_remesh_area(at, b, c);
        const double size = (w->spot.item[vertex].size + w->spot.item[ts_side_to(w, h)].size +
                             w->spot.item[ts_side_across(w, h)].size) /
                            3;
        const double area = ts_vec3_length(normal) / (size * size);
        const int32_t back = ts_side_prev(h); /* its middle is on the vertex's other side of the triangle */
        const int32_t of[4] = {SAMPLES * h + NEAR, SAMPLES * h + MIDDLE, SAMPLES * back + MIDDLE, SAMPLES * h + CENTRE};
        for (int i = 0; i < 4; i++)
            add_sample(ts_vec3_sub(sample[of[i]].at, at), sample[of[i]].normal, centring, (i == 0 ? 2 : 1) * area,
                       &matrix, &right);
        inwards = ts_vec3_add_scaled(inwards, ts_vec3_sub(ts_vec3_add(b, c), ts_vec3_scale(at, 2)), area);
        vector = ts_vec3_add_scaled(vector, normal, 1 / (size * size));
        sum += area;
        h = ts_side_around(w, h);
    } while (h != first);
    if (ts_vec3_length(vector) <
        fold * sum) /* else the rim of a thin plate would draw back, for both faces pull alike */
        add_sample((ts_vec3){0, 0, 0}, ts_vec3_unit(inwards), 0, 5 * hold * sum, &matrix, &right);
    const ts_vec3 step = ts_mat3_apply(ts_mat3_inverse(matrix), right);
    return ts_vec3_is_finite(step) ? ts_vec3_add(at, step) : at;
}

static bool may_move(const ts_remesh_work *w, int32_t vertex, const ts_spot *to)
{
    const ts_spot *from = &w->spot.item[vertex];
    const int32_t first = w->out.item[vertex];
    int32_t h = first;
    do {
        const ts_spot *b = &w->spot.item[ts_side_to(w, h)], *c = &w->spot.item[ts_side_across(w, h)];
        const ts_remesh_look now = ts_remesh_look_at(to, b, c), before = ts_remesh_look_at(from, b, c);
        if (!ts_remesh_fits(&now, &before, &guard))
            return false;
        h = ts_side_around(w, h);
    } while (h != first);
    return true;
}

/* To its goal, or half or a quarter of the way. */
static void move(ts_remesh_work *w, int32_t vertex, ts_spot goal)
{
    bool there = ts_vec3_length_squared(goal.normal) > 0;
    for (int halving = 0; halving < HALVINGS && there; halving++) {
        if (may_move(w, vertex, &goal)) {
            w->spot.item[vertex] = goal;
            return;
        }
        goal.at = ts_vec3_lerp(w->spot.item[vertex].at, goal.at, 0.5);
        there = ts_remesh_project_one(w, &goal, w->length);
    }
}

ts_status ts_remesh_relax_pass(ts_remesh_work *w, ts_error *error)
{
    const size_t count = w->spot.count;
    TS_AUTO_FREE ts_spot *sample = NULL, *goal = NULL;
    TS_TRY(ts_new_raw(&sample, SAMPLES * w->from.count, error));
    TS_TRY(ts_new_raw(&goal, count, error));
    take_samples(w, sample);
    for (size_t v = 0; v < count; v++)
        goal[v] = (ts_spot){.at = target(w, (int32_t)v, sample), .size = w->spot.item[v].size};
    ts_remesh_project(w, goal, count, w->length);
    for (size_t v = 0; v < count; v++)
        move(w, (int32_t)v, goal[v]);
    return TS_OK;
}
