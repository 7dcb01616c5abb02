/* SPDX-License-Identifier: MIT */
/* Contacts of a manifold at two poses: the way forward (parts.h has the picture). */
#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "base/simd_exp.h"
#include "manifold/columns.h"
#include "manifold/parts.h"

TS_KERNEL_CHOOSER(ts_columns_kernels, ts_columns)

/* A contact of this little weight need not know how deep it is. */
#define NO_WEIGHT 1e-12

/* ---- Fields ---- */

/* Points in the frame of a body. */
static void to_local(ts_manifold_work *w, int body, size_t count, const ts_columns *at)
{
    const ts_mat3 back = ts_mat3_transpose(w->turn[body]);
    const ts_vec3 shift = ts_vec3_neg(ts_mat3_apply(back, w->origin[body]));
    ts_columns_choose()->move(count, &back, shift, at->of, w->local.of);
}

static ts_sdf_points points_of(const ts_columns *c, size_t count)
{
    return (ts_sdf_points){count, c->of[0], c->of[1], c->of[2]};
}

void ts_manifold_ask(ts_manifold_work *w, int body, size_t count, const ts_columns *at, double *phi,
                     const ts_columns *normal)
{
    if (count == 0)
        return;
    to_local(w, body, count, at);
    const ts_sdf_points points = points_of(&w->local, count);
    ts_sdf_answers to = {.value = phi};
    for (int i = 0; normal && i < 3; i++)
        to.normal[i] = normal->of[i];
    ts_sdf_ask(ts_manifold_sdf(w, body), &w->rule.field[body], &points, &to);
    if (normal)
        ts_columns_choose()->move(count, &w->turn[body], (ts_vec3){0}, normal->of, normal->of);
}

/* ---- Vertices, and the choice of edges ---- */

/* Field of the other body at all vertices of one, asked for neighbour by neighbour. */
static void ask_vertices(ts_manifold_work *w, int which, double *phi, const ts_columns *normal)
{
    const ts_sdf_body *body = w->manifold->body[which];
    const size_t count = body->mesh->vertex_count;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < count; i++)
            w->gathered.of[k][i] = w->side[which].at.of[k][body->order[i]];
    ts_manifold_ask(w, 1 - which, count, &w->gathered, w->gathered_value, normal ? &w->local_normal : NULL);
    for (size_t i = 0; i < count; i++)
        phi[body->order[i]] = w->gathered_value[i];
    for (int k = 0; normal && k < 3; k++)
        for (size_t i = 0; i < count; i++)
            normal->of[k][body->order[i]] = w->local_normal.of[k][i];
}

/* Padding that no share meets. */
static void fill_up(const ts_choice *c, double *column)
{
    for (size_t k = c->candidate_count; k < ts_padded(c->candidate_count); k++)
        column[k] = 0;
}

static void gather(const ts_choice *c, const ts_columns *from, const ts_columns *to)
{
    for (int i = 0; i < 3; i++) {
        for (size_t k = 0; k < c->candidate_count; k++)
            to->of[i][k] = from->of[i][c->candidate[k]];
        fill_up(c, to->of[i]);
    }
}

static void choose_vertices(ts_manifold_work *w, ts_manifold_side *s, int other)
{
    ts_choice *c = &s->vertex;
    for (size_t i = 0; i < c->feature_count; i++)
        s->score[i] = -s->phi[i];
    ts_choose(c, s->score);
    gather(c, &s->at, &s->vertex_column);
    ts_choice_apply(c, s->vertex_column.of, s->kept.of);
    ts_manifold_ask(w, other, c->keep, &s->kept, s->kept_phi, &s->kept_normal);
}

static void choose_edges(const ts_manifold *m, int which, ts_manifold_side *s)
{
    ts_choice *c = &s->edge;
    int32_t(*edge)[2] = m->body[which]->edge;
    if (!c->all)
        for (size_t i = 0; i < c->feature_count; i++)
            s->score[i] = -0.5 * (s->phi[edge[i][0]] + s->phi[edge[i][1]]);
    ts_choose(c, s->score);
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 3; i++) {
            for (size_t k = 0; k < c->candidate_count; k++)
                s->end_column[e].of[i][k] = s->at.of[i][edge[c->candidate[k]][e]];
            fill_up(c, s->end_column[e].of[i]);
        }
        ts_choice_apply(c, s->end_column[e].of, s->end[e].of);
    }
}

static void find_side(ts_manifold_work *w, int which)
{
    const ts_manifold *m = w->manifold;
    ts_manifold_side *s = &w->side[which];
    const int other = 1 - which;
    const size_t vertices = m->body[which]->mesh->vertex_count;
    s->vertex.tau = s->edge.tau = w->rule.select;
    if (!s->wanted && s->edge.keep == 0)
        return;
    ts_columns_choose()->move(vertices, &w->turn[which], w->origin[which], ts_manifold_vertices(w, which), s->at.of);
    if (s->wanted && s->vertex.keep > 0 && s->vertex.all) {
        ask_vertices(w, which, s->kept_phi, &s->kept_normal);
        memcpy(s->phi, s->kept_phi, vertices * sizeof *s->phi);
        for (int i = 0; i < 3; i++)
            memcpy(s->kept.of[i], s->at.of[i], vertices * sizeof(double));
        ts_choose(&s->vertex, NULL);
    } else if (s->wanted) {
        ask_vertices(w, which, s->phi, NULL);
        if (s->vertex.keep > 0)
            choose_vertices(w, s, other);
    }
    if (s->edge.keep > 0)
        choose_edges(m, which, s);
}

/* ---- Pairs of edges ---- */

static ts_columns columns_of(double *const column[3])
{
    return (ts_columns){{column[0], column[1], column[2]}};
}

static void spread(const ts_manifold *m, ts_manifold_work *w)
{
    const size_t rows = m->counts.edges[0], columns = m->counts.edges[1];
    const ts_columns *a0 = &w->side[0].end[0], *a1 = &w->side[0].end[1], *b0 = &w->side[1].end[0],
                     *b1 = &w->side[1].end[1];
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < rows; k++) {
            const size_t begin = k * columns;
            for (size_t l = 0; l < columns; l++) {
                w->p0.of[i][begin + l] = a0->of[i][k];
                w->p1.of[i][begin + l] = a1->of[i][k];
            }
            memcpy(w->q0.of[i] + begin, b0->of[i], columns * sizeof(double));
            memcpy(w->q1.of[i] + begin, b1->of[i], columns * sizeof(double));
        }
}

/* e = p₀ + α t, t = p₁ − p₀. */
static void go_along(size_t count, const ts_columns *p0, const ts_columns *p1, const double *alpha, double *const t[3],
                     double *const e[3])
{
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < count; k++) {
            t[i][k] = p1->of[i][k] - p0->of[i][k];
            e[i][k] = p0->of[i][k] + alpha[k] * t[i][k];
        }
}

/* Onto the body's own surface, along its normals. */
static void project(ts_manifold_work *w, int body, double *const e[3])
{
    const size_t n = w->manifold->pair_count;
    for (int k = 0; k < w->manifold->options.project; k++) {
        const ts_columns *before = &w->before[k][body], *normal = &w->before_normal[k][body];
        double *phi = w->before_phi[k][body];
        for (int i = 0; i < 3; i++)
            memcpy(before->of[i], e[i], n * sizeof(double));
        ts_manifold_ask(w, body, n, before, phi, normal);
        for (int i = 0; i < 3; i++)
            for (size_t j = 0; j < n; j++)
                e[i][j] = before->of[i][j] - phi[j] * normal->of[i][j];
    }
}

/* Depths of those pairs whose weight is more than nothing without them. */
static void find_depths(ts_manifold_work *w, bool every)
{
    const size_t n = w->manifold->pair_count;
    const ts_edge_weight_in *in = &w->in;
    w->asked_count = 0;
    for (size_t i = 0; i < n; i++) {
        in->depth1[i] = in->depth2[i] = 0;
        if (every || in->colliding[i] * fmax(in->near1[i], in->near2[i]) > NO_WEIGHT)
            w->asked[w->asked_count++] = (int32_t)i;
    }
    for (int point = 0; point < 2; point++) {
        double *const *e = point == 0 ? in->e1 : in->e2;
        double *depth = point == 0 ? in->depth1 : in->depth2;
        for (int i = 0; i < 3; i++)
            for (size_t k = 0; k < w->asked_count; k++)
                w->gathered.of[i][k] = e[i][w->asked[k]];
        ts_manifold_ask(w, 1 - point, w->asked_count, &w->gathered, w->gathered_value, NULL);
        for (size_t k = 0; k < w->asked_count; k++)
            depth[w->asked[k]] = w->gathered_value[k];
    }
}

/* B's own field at the points of B, edge of B by edge of B, so that neighbours are asked about together. */
static void ask_by_column(ts_manifold_work *w, const ts_columns *at, double *phi, const ts_columns *normal)
{
    const size_t rows = w->manifold->counts.edges[0], columns = w->manifold->counts.edges[1], n = rows * columns;
    for (int i = 0; i < 3; i++)
        for (size_t l = 0; l < columns; l++)
            for (size_t k = 0; k < rows; k++)
                w->gathered.of[i][l * rows + k] = at->of[i][k * columns + l];
    ts_manifold_ask(w, 1, n, &w->gathered, phi ? w->gathered_value : NULL, &w->local_normal);
    for (size_t l = 0; l < columns; l++)
        for (size_t k = 0; k < rows; k++) {
            for (int i = 0; i < 3; i++)
                normal->of[i][k * columns + l] = w->local_normal.of[i][l * rows + k];
            if (phi)
                phi[k * columns + l] = w->gathered_value[l * rows + k];
        }
}

static void find_pairs(ts_manifold_work *w, bool every)
{
    const ts_manifold *m = w->manifold;
    const size_t n = m->pair_count, rows = m->counts.edges[0], columns = m->counts.edges[1];
    ts_edge_weight_in *in = &w->in;
    spread(m, w);
    const ts_edge_pairs pairs = {n,
                                 {w->p0.of[0], w->p0.of[1], w->p0.of[2]},
                                 {w->p1.of[0], w->p1.of[1], w->p1.of[2]},
                                 {w->q0.of[0], w->q0.of[1], w->q0.of[2]},
                                 {w->q1.of[0], w->q1.of[1], w->q1.of[2]}};
    ts_edge_program(&w->rule.edge, &pairs, w->alpha1, w->alpha2, in->colliding);
    go_along(n, &w->p0, &w->p1, w->alpha1, in->t1, in->e1);
    go_along(n, &w->q0, &w->q1, w->alpha2, in->t2, in->e2);
    project(w, 0, in->e1);
    project(w, 1, in->e2);
    ts_edge_distances(n, (const double *const *)in->e1, (const double *const *)in->e2, w->distance);
    ts_edge_near(&w->rule.weight, rows, columns, true, w->distance, w->share1, in->near1);
    ts_edge_near(&w->rule.weight, rows, columns, false, w->distance, w->share2, in->near2);
    const bool safe = m->options.safeguard;
    const ts_columns e1 = columns_of(in->e1), e2 = columns_of(in->e2), n1 = columns_of(in->n1), n2 = columns_of(in->n2);
    ts_manifold_ask(w, 0, n, &e1, safe ? w->home1 : NULL, &n1);
    ask_by_column(w, &e2, safe ? w->home2 : NULL, &n2);
    find_depths(w, every);
    ts_edge_weights(&w->rule.weight, n, in, &w->out);
}

void ts_manifold_run(ts_manifold_work *w, bool indicators)
{
    ts_manifold_place_vertices(w);
    find_side(w, 0);
    find_side(w, 1);
    if (w->manifold->pair_count > 0)
        find_pairs(w, indicators || w->manifold->options.everything);
}

/* ---- Handing over ---- */

static void put(double (*to)[3], size_t at, ts_vec3 v)
{
    if (to)
        to[at][0] = v.x, to[at][1] = v.y, to[at][2] = v.z;
}

/* [φ ≤ 0] of both points in their own bodies. */
static double safe_of(const ts_manifold_work *w, size_t k)
{
    if (!w->manifold->options.safeguard)
        return 1;
    const double per = 1 / w->rule.weight.depth;
    return ts_sigmoid(-w->home1[k] * per) * ts_sigmoid(-w->home2[k] * per);
}

static void put_indicators(const ts_manifold_contacts *to, size_t at, double colliding, double inside, double nearest,
                           double clash)
{
    if (!to->indicator)
        return;
    to->indicator[at][TS_MANIFOLD_COLLIDING] = colliding;
    to->indicator[at][TS_MANIFOLD_INSIDE] = inside;
    to->indicator[at][TS_MANIFOLD_NEAREST] = nearest;
    to->indicator[at][TS_MANIFOLD_CLASHING] = clash;
}

static void hand_over(const ts_manifold_work *w, const ts_manifold_contacts *to)
{
    size_t at = 0;
    for (int s = 0; s < 2; s++)
        for (size_t k = 0; k < w->manifold->counts.vertices[s]; k++, at++) {
            const ts_manifold_side *side = &w->side[s];
            const ts_vec3 normal = ts_column_at(&side->kept_normal, k);
            put(to->point, at, ts_vec3_add(w->from, ts_column_at(&side->kept, k)));
            put(to->normal, at, s == 0 ? ts_vec3_neg(normal) : normal);
            if (to->gap)
                to->gap[at] = side->kept_phi[k];
            if (to->weight)
                to->weight[at] = 1;
            put_indicators(to, at, 1, 1, 1, 1);
        }
    const ts_edge_weight_in *in = &w->in;
    const ts_edge_weight_out *out = &w->out;
    for (size_t k = 0; k < w->manifold->pair_count; k++)
        for (int point = 0; point < 2; point++, at++) {
            double *const *e = point == 0 ? in->e1 : in->e2, *const *n = point == 0 ? out->normal1 : out->normal2;
            put(to->point, at, ts_vec3_add(w->from, (ts_vec3){e[0][k], e[1][k], e[2][k]}));
            put(to->normal, at, (ts_vec3){n[0][k], n[1][k], n[2][k]});
            if (to->gap)
                to->gap[at] = point == 0 ? out->gap1[k] : out->gap2[k];
            if (to->weight)
                to->weight[at] = safe_of(w, k) * (point == 0 ? out->weight1[k] : out->weight2[k]);
            put_indicators(to, at, in->colliding[k], point == 0 ? out->inside1[k] : out->inside2[k],
                           point == 0 ? in->near1[k] : in->near2[k], out->clash[k]);
        }
}

static ts_status check_pose(const ts_manifold_pose *p, char name, ts_error *error)
{
    const double *q = p->attitude;
    double sum = 0;
    for (int i = 0; i < 3; i++) /* squares of squares stay finite */
        if (!(fabs(p->position[i]) < 1e60))
            return ts_fail(error, TS_BAD_INPUT,
                           "manifold: the position of body %c is not finite, or farther than 1e60 m", name);
    for (int i = 0; i < 4; i++)
        sum += q[i] * q[i];
    if (!(fabs(sum - 1) <= 2e-6))
        return ts_fail(error, TS_BAD_INPUT,
                       "manifold: the attitude of body %c is no unit quaternion (|q|² = %g); normalise it", name, sum);
    return TS_OK;
}

static ts_quat attitude_of(const ts_manifold_pose *p)
{
    return (ts_quat){p->attitude[0], p->attitude[1], p->attitude[2], p->attitude[3]};
}

ts_status ts_manifold_find(const ts_manifold *m, ts_manifold_work *w, const ts_manifold_pose *a,
                           const ts_manifold_pose *b, const ts_manifold_contacts *to, ts_error *error)
{
    w->found = false;
    TS_TRY(check_pose(a, 'A', error));
    TS_TRY(check_pose(b, 'B', error));
    w->smoothing = m->options.smoothing;
    w->rule = ts_manifold_rule_of(m->body, &m->options, &w->smoothing);
    w->pose[0] = *a;
    w->pose[1] = *b;
    w->from = ts_vec3_of(a->position);
    w->origin[0] = (ts_vec3){0};
    w->origin[1] = ts_vec3_sub(ts_vec3_of(b->position), w->from);
    for (int s = 0; s < 2; s++)
        w->turn[s] = ts_quat_to_matrix(attitude_of(&w->pose[s]));
    ts_manifold_run(w, to->indicator != NULL);
    hand_over(w, to);
    w->found = true;
    return TS_OK;
}
