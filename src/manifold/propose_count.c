/* SPDX-License-Identifier: MIT */
#include "manifold/propose.h"

/* Points that are asked for together. */
enum { BATCH = 64 };
/* Nearest points nearer to the end of an edge than this share of it are at a vertex. */
static const double end = 1e-6;

/* ---- Bodies ---- */

/* Neighbours of each vertex: in a closed mesh every side a → b has one b → a, so that each is listed once. */
static ts_status list_neighbours(ts_propose_body *to, ts_error *error)
{
    const ts_mesh *mesh = to->body->mesh;
    TS_TRY(ts_new(&to->begin, mesh->vertex_count + 1, error));
    TS_TRY(ts_new_raw(&to->neighbour, 3 * mesh->triangle_count, error));
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            to->begin[mesh->triangle[i][k] + 1]++;
    for (size_t v = 0; v < mesh->vertex_count; v++)
        to->begin[v + 1] += to->begin[v];
    for (size_t i = mesh->triangle_count; i-- > 0;)
        for (int k = 0; k < 3; k++)
            to->neighbour[--to->begin[mesh->triangle[i][k] + 1]] = mesh->triangle[i][(k + 1) % 3];
    for (size_t v = 0; v < mesh->vertex_count; v++) /* begin[v + 1] is now the first of v */
        to->begin[v] = to->begin[v + 1];
    to->begin[mesh->vertex_count] = (int32_t)(3 * mesh->triangle_count);
    return TS_OK;
}

ts_status ts_propose_body_create(const ts_sdf_body *body, ts_propose_body *to, ts_error *error)
{
    *to = (ts_propose_body){.body = body, .rule = ts_sdf_default_rule(body->sdf), .box = ts_mesh_bounds(body->mesh)};
    to->centre = ts_vec3_lerp(to->box.low, to->box.high, 0.5);
    for (size_t v = 0; v < body->mesh->vertex_count; v++)
        to->radius = fmax(to->radius, ts_vec3_distance(to->centre, body->mesh->vertex[v]));
    return list_neighbours(to, error);
}

void ts_propose_body_free(ts_propose_body *body)
{
    ts_free(body->begin);
    ts_free(body->neighbour);
}

/* ---- Depths ---- */

static void ask(const ts_propose_body *body, const ts_vec3 *point, size_t count, double *phi)
{
    double x[BATCH], y[BATCH], z[BATCH];
    for (size_t i = 0; i < count; i += BATCH) {
        const size_t some = count - i < BATCH ? count - i : BATCH;
        for (size_t k = 0; k < some; k++) {
            x[k] = point[i + k].x;
            y[k] = point[i + k].y;
            z[k] = point[i + k].z;
        }
        ts_sdf_ask(body->body->sdf, &body->rule, &(ts_sdf_points){some, x, y, z}, &(ts_sdf_answers){.value = phi + i});
    }
}

double ts_propose_depth(const ts_propose_body pair[2], ts_pose3 pose, ts_propose_work *work)
{
    double least = HUGE_VAL;
    for (int s = 0; s < 2; s++) {
        const ts_mesh *mesh = pair[s].body->mesh;
        for (size_t v = 0; v < mesh->vertex_count; v++)
            work->point[s][v] =
                s == 0 ? ts_pose3_apply_inverse(pose, mesh->vertex[v]) : ts_pose3_apply(pose, mesh->vertex[v]);
        ask(&pair[1 - s], work->point[s], mesh->vertex_count, work->phi[s]);
        for (size_t v = 0; v < mesh->vertex_count; v++)
            least = fmin(least, work->phi[s][v]);
    }
    return least;
}

/* How many vertices lie at least as deep. */
static uint32_t rank_of(const double *phi, size_t count, double mine)
{
    uint32_t rank = 0;
    for (size_t v = 0; v < count; v++)
        rank += phi[v] <= mine;
    return rank;
}

/* Vertices inside of the other body, and deeper than their neighbours; of equal ones the first. */
static uint32_t count_deepest(const ts_propose_body *body, const double *phi, uint32_t *rank)
{
    const size_t vertices = body->body->mesh->vertex_count;
    uint32_t count = 0;
    double shallowest = -HUGE_VAL; /* of them */
    for (size_t v = 0; v < vertices; v++) {
        bool deepest = phi[v] < 0;
        for (int32_t i = body->begin[v]; deepest && i < body->begin[v + 1]; i++) {
            const size_t other = (size_t)body->neighbour[i];
            deepest = phi[v] < phi[other] || (phi[v] == phi[other] && v < other);
        }
        count += deepest;
        if (deepest)
            shallowest = fmax(shallowest, phi[v]);
    }
    *rank = rank_of(phi, vertices, shallowest);
    return count;
}

/* ---- Pairs of edges ---- */

typedef struct segment {
    ts_vec3 from, along;
} segment;

/* Edge k of a body, in A's frame. */
static segment segment_of(const ts_propose_body pair[2], int s, size_t k, ts_pose3 pose)
{
    const ts_sdf_body *body = pair[s].body;
    ts_vec3 a = body->mesh->vertex[body->edge[k][0]], b = body->mesh->vertex[body->edge[k][1]];
    if (s == 1) {
        a = ts_pose3_apply(pose, a);
        b = ts_pose3_apply(pose, b);
    }
    return (segment){a, ts_vec3_sub(b, a)};
}

static double clamp(double x)
{
    return fmin(fmax(x, 0), 1);
}

/* Square of the distance, and the nearest points as shares of the edges. */
static double distance_squared(const segment *p, const segment *q, double *s, double *t)
{
    const ts_vec3 r = ts_vec3_sub(p->from, q->from);
    const double a = ts_vec3_dot(p->along, p->along), b = ts_vec3_dot(p->along, q->along);
    const double c = ts_vec3_dot(q->along, q->along), d = ts_vec3_dot(p->along, r), e = ts_vec3_dot(q->along, r);
    const double determinant = a * c - b * b;
    *s = determinant > 1e-12 * a * c ? clamp((b * e - c * d) / determinant) : 0.5;
    *t = clamp((e + *s * b) / c);
    *s = clamp((*t * b - d) / a);
    const ts_vec3 apart = ts_vec3_sub(ts_vec3_add_scaled(r, p->along, *s), ts_vec3_scale(q->along, *t));
    return ts_vec3_length_squared(apart);
}

/* The edge of body s that is nearest to `p`. */
static size_t nearest_edge(const ts_propose_body pair[2], int s, const segment *p, ts_pose3 pose, double *mine,
                           double *its)
{
    const ts_vec3 middle = ts_vec3_add_scaled(p->from, p->along, 0.5);
    const double room = 0.5 * (ts_vec3_length(p->along) + pair[s].body->longest);
    double least = HUGE_VAL, bound = HUGE_VAL;
    size_t nearest = 0;
    for (size_t k = 0; k < pair[s].body->edge_count; k++) {
        const segment q = segment_of(pair, s, k, pose);
        const ts_vec3 apart = ts_vec3_sub(middle, ts_vec3_add_scaled(q.from, q.along, 0.5));
        double x, y;
        if (ts_vec3_length_squared(apart) >= bound) /* its ball is farther than the nearest one so far */
            continue;
        const double d = distance_squared(p, &q, &x, &y);
        if (d < least) {
            least = d;
            bound = (sqrt(d) + room) * (sqrt(d) + room);
            nearest = k;
            *mine = x;
            *its = y;
        }
    }
    return nearest;
}

static bool within(double share)
{
    return share > end && share < 1 - end;
}

static bool apart(ts_box3 a, ts_box3 b)
{
    return a.high.x < b.low.x || a.low.x > b.high.x || a.high.y < b.low.y || a.low.y > b.high.y || a.high.z < b.low.z ||
           a.low.z > b.high.z;
}

/* The edge of B that edge k of A, which is `p`, crosses with a point inside of the other body, when they are each other's
 * nearest; else SIZE_MAX. */
static size_t buddy_of(const ts_propose_body pair[2], size_t k, const segment *p, ts_pose3 pose)
{
    double s = 0, t = 0, phi[2], ignored;
    const size_t l = nearest_edge(pair, 1, p, pose, &s, &t);
    if (!within(s) || !within(t))
        return SIZE_MAX;
    const segment q = segment_of(pair, 1, l, pose);
    const ts_vec3 on_a = ts_pose3_apply_inverse(pose, ts_vec3_add_scaled(p->from, p->along, s));
    const ts_vec3 on_b = ts_vec3_add_scaled(q.from, q.along, t);
    ask(&pair[1], &on_a, 1, &phi[0]);
    ask(&pair[0], &on_b, 1, &phi[1]);
    if (phi[0] >= 0 && phi[1] >= 0)
        return SIZE_MAX;
    return nearest_edge(pair, 0, &q, pose, &ignored, &ignored) == k ? l : SIZE_MAX;
}

/* Of an edge: twice the depth by which it is chosen. */
static double depth_of(const ts_sdf_body *body, const double *phi, size_t k)
{
    return phi[body->edge[k][0]] + phi[body->edge[k][1]];
}

static uint32_t edge_rank(const ts_sdf_body *body, const double *phi, double mine)
{
    uint32_t rank = 0;
    for (size_t k = 0; k < body->edge_count; k++)
        rank += depth_of(body, phi, k) <= mine;
    return rank;
}

/* Edges of A count that come as near to B's box as B is deep in A, and an edge of each. */
static void count_pairs(const ts_propose_body pair[2], ts_pose3 pose, const ts_propose_work *work, double depth,
                        ts_propose_counts *to)
{
    const ts_sdf_body *body[2] = {pair[0].body, pair[1].body};
    const double room = depth + body[0]->longest + body[1]->longest;
    const ts_box3 box = {ts_vec3_sub(pair[1].box.low, (ts_vec3){room, room, room}),
                         ts_vec3_add(pair[1].box.high, (ts_vec3){room, room, room})};
    double shallowest[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < body[0]->edge_count; k++) {
        const segment p = segment_of(pair, 0, k, pose);
        const ts_vec3 from = ts_pose3_apply_inverse(pose, p.from);
        const ts_vec3 end_point = ts_pose3_apply_inverse(pose, ts_vec3_add(p.from, p.along));
        if (apart((ts_box3){ts_vec3_min(from, end_point), ts_vec3_max(from, end_point)}, box))
            continue;
        const size_t l = buddy_of(pair, k, &p, pose);
        if (l == SIZE_MAX)
            continue;
        to->pairs++;
        shallowest[0] = fmax(shallowest[0], depth_of(body[0], work->phi[0], k));
        shallowest[1] = fmax(shallowest[1], depth_of(body[1], work->phi[1], l));
    }
    for (int s = 0; s < 2; s++)
        to->edge_rank[s] = edge_rank(body[s], work->phi[s], shallowest[s]);
}

ts_propose_counts ts_propose_count(const ts_propose_body pair[2], ts_pose3 pose, const ts_propose_work *work)
{
    ts_propose_counts to = {0};
    double depth = 0;
    for (size_t v = 0; v < pair[1].body->mesh->vertex_count; v++)
        depth = fmax(depth, -work->phi[1][v]);
    for (int s = 0; s < 2; s++)
        to.deepest[s] = count_deepest(&pair[s], work->phi[s], &to.vertex_rank[s]);
    count_pairs(pair, pose, work, depth, &to);
    return to;
}
