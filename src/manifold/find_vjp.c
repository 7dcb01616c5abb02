/* SPDX-License-Identifier: MIT */
/* Contacts of a manifold at two poses: the way back. Each part goes through what find.c left in the work, last step first.
 *
 * A point that belongs to a body hands its adjoint f to the pose: position f, turn (x − origin) × f. A field that is
 * asked at a point x hands −f and −(x − origin) × f to its own body, f being what it hands to the point. */
#include <math.h>
#include <string.h>

#include "base/simd_exp.h"
#include "manifold/columns.h"
#include "manifold/parts.h"

/* ---- Poses and fields ---- */

static void add_to(double to[3], ts_vec3 v)
{
    to[0] += v.x, to[1] += v.y, to[2] += v.z;
}

/* f at a point, on a body. */
static void push_pose(const ts_manifold_work *w, int body, ts_vec3 at, ts_vec3 f, ts_manifold_pose_bar *to)
{
    add_to(to->position, f);
    add_to(to->turn, ts_vec3_cross(ts_vec3_sub(at, w->origin[body]), f));
}

void ts_manifold_ask_vjp(ts_manifold_work *w, int body, size_t count, const ts_columns *at, const double *phi_bar,
                         const ts_columns *normal, const ts_columns *normal_bar, const ts_columns *at_bar,
                         ts_manifold_pose_bar *to)
{
    if (count == 0)
        return;
    const ts_mat3 back = ts_mat3_transpose(w->turn[body]);
    const ts_vec3 shift = ts_vec3_neg(ts_mat3_apply(back, w->origin[body]));
    ts_columns_choose()->move(count, &back, shift, at->of, w->local.of);
    ts_sdf_answers bar = {.value = (double *)phi_bar};
    if (normal_bar) {
        ts_columns_choose()->move(count, &back, (ts_vec3){0}, normal_bar->of, w->local_normal.of);
        for (int i = 0; i < 3; i++)
            bar.normal[i] = w->local_normal.of[i];
    }
    for (int i = 0; i < 3; i++)
        memset(w->local_bar.of[i], 0, ts_padded(count) * sizeof(double));
    const ts_sdf_points points = {count, w->local.of[0], w->local.of[1], w->local.of[2]};
    ts_sdf_ask_vjp(ts_manifold_sdf(w, body), &w->rule.field[body], &points, &bar, w->local_bar.of,
                   w->varied[body].back ? w->varied[body].bar : NULL);
    ts_columns_choose()->move(count, &w->turn[body], (ts_vec3){0}, w->local_bar.of, w->local_bar.of);
    for (size_t i = 0; i < count; i++) {
        const ts_vec3 f = ts_column_at(&w->local_bar, i);
        ts_column_add(at_bar, i, f);
        push_pose(w, body, ts_column_at(at, i), ts_vec3_neg(f), to);
        if (normal_bar)
            add_to(to->turn, ts_vec3_cross(ts_column_at(normal, i), ts_column_at(normal_bar, i)));
    }
}

static void clear(const ts_columns *c, size_t count)
{
    for (int i = 0; i < 3; i++)
        memset(c->of[i], 0, ts_padded(count) * sizeof(double));
}

static ts_columns columns_of(double *const column[3])
{
    return (ts_columns){{column[0], column[1], column[2]}};
}

static ts_vec3 get(double (*from)[3], size_t at)
{
    return from ? ts_vec3_of(from[at]) : (ts_vec3){0};
}

/* ---- Edges: from contacts to the ends of kept edges ---- */

/* The adjoints of what weights gave out, from those of contacts. */
static void take_bars(ts_manifold_work *w, const ts_manifold_contacts *bar, size_t begin)
{
    const ts_edge_weight_out *to = &w->out_bar;
    const ts_columns e[2] = {columns_of(w->in_bar.e1), columns_of(w->in_bar.e2)};
    const ts_columns n[2] = {columns_of(to->normal1), columns_of(to->normal2)};
    double *gap[2] = {to->gap1, to->gap2}, *weight[2] = {to->weight1, to->weight2};
    const double *full[2] = {w->out.weight1, w->out.weight2};
    const bool safe = w->manifold->options.safeguard;
    const double per = 1 / w->rule.weight.depth;
    for (size_t k = 0; k < w->manifold->pair_count; k++)
        for (int point = 0; point < 2; point++) {
            const size_t at = begin + 2 * k + (size_t)point;
            ts_column_set(&e[point], k, get(bar->point, at));
            ts_column_set(&n[point], k, get(bar->normal, at));
            gap[point][k] = bar->gap ? bar->gap[at] : 0;
            double weight_bar = bar->weight ? bar->weight[at] : 0;
            if (safe) {
                const double s1 = ts_sigmoid(-w->home1[k] * per), s2 = ts_sigmoid(-w->home2[k] * per);
                const double change = weight_bar * full[point][k] * s1 * s2 * per;
                w->home1_bar[k] -= change * (1 - s1);
                w->home2_bar[k] -= change * (1 - s2);
                weight_bar *= s1 * s2;
            }
            weight[point][k] = weight_bar;
        }
}

static void depths_vjp(ts_manifold_work *w, ts_manifold_pose_bar *to)
{
    for (int point = 0; point < 2; point++) {
        double *const *e = point == 0 ? w->in.e1 : w->in.e2;
        const double *depth_bar = point == 0 ? w->in_bar.depth1 : w->in_bar.depth2;
        const ts_columns e_bar = columns_of(point == 0 ? w->in_bar.e1 : w->in_bar.e2);
        for (size_t k = 0; k < w->asked_count; k++) {
            for (int i = 0; i < 3; i++)
                w->gathered.of[i][k] = e[i][w->asked[k]];
            w->gathered_value[k] = depth_bar[w->asked[k]];
        }
        clear(&w->gathered_bar, w->asked_count);
        ts_manifold_ask_vjp(w, 1 - point, w->asked_count, &w->gathered, w->gathered_value, NULL, NULL, &w->gathered_bar,
                            &to[1 - point]);
        for (size_t k = 0; k < w->asked_count; k++)
            ts_column_add(&e_bar, (size_t)w->asked[k], ts_column_at(&w->gathered_bar, k));
    }
}

static void project_vjp(ts_manifold_work *w, int body, const ts_columns *e_bar, ts_manifold_pose_bar *to)
{
    const size_t n = w->manifold->pair_count;
    const ts_columns *normal_bar = &w->gathered;
    for (int k = w->manifold->options.project; k-- > 0;) {
        const ts_columns *normal = &w->before_normal[k][body];
        for (size_t j = 0; j < n; j++) {
            const ts_vec3 bar = ts_column_at(e_bar, j);
            w->gathered_value[j] = -ts_vec3_dot(ts_column_at(normal, j), bar);
            ts_column_set(normal_bar, j, ts_vec3_scale(bar, -w->before_phi[k][body][j]));
        }
        ts_manifold_ask_vjp(w, body, n, &w->before[k][body], w->gathered_value, normal, normal_bar, e_bar, &to[body]);
    }
}

/* Through e = p₀ + α t, t = p₁ − p₀. */
static void along_vjp(size_t n, const double *alpha, double *const t[3], const ts_columns *e_bar,
                      double *const t_bar[3], double *alpha_bar, const ts_columns *p0_bar, const ts_columns *p1_bar)
{
    for (size_t k = 0; k < n; k++) {
        const ts_vec3 e = ts_column_at(e_bar, k);
        alpha_bar[k] = ts_vec3_dot(e, (ts_vec3){t[0][k], t[1][k], t[2][k]});
        const ts_vec3 along = ts_vec3_add_scaled((ts_vec3){t_bar[0][k], t_bar[1][k], t_bar[2][k]}, e, alpha[k]);
        ts_column_set(p1_bar, k, along);
        ts_column_set(p0_bar, k, ts_vec3_sub(e, along));
    }
}

static void transpose(size_t rows, size_t columns, const double *from, double *to)
{
    for (size_t l = 0; l < columns; l++)
        for (size_t k = 0; k < rows; k++)
            to[l * rows + k] = from[k * columns + l];
}

/* B's own field at the points of B, edge of B by edge of B, as it was asked. */
static void ask_by_column_vjp(ts_manifold_work *w, const ts_columns *at, const double *phi_bar,
                              const ts_columns *normal, const ts_columns *normal_bar, const ts_columns *at_bar,
                              ts_manifold_pose_bar *to)
{
    const size_t rows = w->manifold->counts.edges[0], columns = w->manifold->counts.edges[1], n = rows * columns;
    const ts_columns *const turned_bar = &w->turned[0], *const turned_normal = &w->turned[1];
    for (int i = 0; i < 3; i++) {
        transpose(rows, columns, at->of[i], w->gathered.of[i]);
        transpose(rows, columns, normal->of[i], turned_normal->of[i]);
        transpose(rows, columns, normal_bar->of[i], turned_bar->of[i]);
    }
    if (phi_bar)
        transpose(rows, columns, phi_bar, w->gathered_value);
    clear(&w->gathered_bar, n);
    ts_manifold_ask_vjp(w, 1, n, &w->gathered, phi_bar ? w->gathered_value : NULL, turned_normal, turned_bar,
                        &w->gathered_bar, to);
    for (int i = 0; i < 3; i++)
        for (size_t l = 0; l < columns; l++)
            for (size_t k = 0; k < rows; k++)
                at_bar->of[i][k * columns + l] += w->gathered_bar.of[i][l * rows + k];
}

static void clear_pairs(ts_manifold_work *w)
{
    const size_t bytes = ts_padded(w->manifold->pair_count) * sizeof(double);
    ts_edge_weight_in *in = &w->in_bar;
    double *const *columns[] = {in->e1, in->e2, in->t1, in->t2, in->n1, in->n2};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        for (int k = 0; k < 3; k++)
            memset(columns[i][k], 0, bytes);
    double *const single[] = {in->depth1, in->depth2,   in->colliding, in->near1,
                              in->near2,  w->home1_bar, w->home2_bar,  w->distance_bar};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        memset(single[i], 0, bytes);
}

/* To the ends of all pairs. */
static void pairs_vjp(ts_manifold_work *w, const ts_manifold_contacts *bar, size_t begin, ts_manifold_pose_bar *to)
{
    const ts_manifold *m = w->manifold;
    const size_t n = m->pair_count, rows = m->counts.edges[0], cols = m->counts.edges[1];
    const ts_edge_weight_in *in = &w->in, *in_bar = &w->in_bar;
    clear_pairs(w);
    take_bars(w, bar, begin);
    ts_edge_weights_vjp(&w->rule.weight, n, in, &w->out_bar, in_bar);
    ts_edge_near_vjp(&w->rule.weight, rows, cols, true, w->share1, in_bar->near1, w->distance_bar);
    ts_edge_near_vjp(&w->rule.weight, rows, cols, false, w->share2, in_bar->near2, w->distance_bar);
    const ts_columns e1 = columns_of(in->e1), e2 = columns_of(in->e2), n1 = columns_of(in->n1), n2 = columns_of(in->n2),
                     n1_bar = columns_of(in_bar->n1), n2_bar = columns_of(in_bar->n2), e1_bar = columns_of(in_bar->e1),
                     e2_bar = columns_of(in_bar->e2);
    for (size_t k = 0; k < n; k++) {
        const double per = w->distance[k] > 0 ? w->distance_bar[k] / w->distance[k] : 0;
        const ts_vec3 f = ts_vec3_scale(ts_vec3_sub(ts_column_at(&e2, k), ts_column_at(&e1, k)), per);
        ts_column_add(&e2_bar, k, f);
        ts_column_add(&e1_bar, k, ts_vec3_neg(f));
    }
    if (bar->weight)
        depths_vjp(w, to);
    const bool safe = m->options.safeguard;
    ts_manifold_ask_vjp(w, 0, n, &e1, safe ? w->home1_bar : NULL, &n1, &n1_bar, &e1_bar, &to[0]);
    ask_by_column_vjp(w, &e2, safe ? w->home2_bar : NULL, &n2, &n2_bar, &e2_bar, &to[1]);
    project_vjp(w, 0, &e1_bar, to);
    project_vjp(w, 1, &e2_bar, to);
    along_vjp(n, w->alpha1, in->t1, &e1_bar, in_bar->t1, w->alpha1_bar, &w->p0_bar, &w->p1_bar);
    along_vjp(n, w->alpha2, in->t2, &e2_bar, in_bar->t2, w->alpha2_bar, &w->q0_bar, &w->q1_bar);
    const ts_edge_pairs pairs = {n,
                                 {w->p0.of[0], w->p0.of[1], w->p0.of[2]},
                                 {w->p1.of[0], w->p1.of[1], w->p1.of[2]},
                                 {w->q0.of[0], w->q0.of[1], w->q0.of[2]},
                                 {w->q1.of[0], w->q1.of[1], w->q1.of[2]}};
    const ts_edge_pairs_bar pairs_bar = {{w->p0_bar.of[0], w->p0_bar.of[1], w->p0_bar.of[2]},
                                         {w->p1_bar.of[0], w->p1_bar.of[1], w->p1_bar.of[2]},
                                         {w->q0_bar.of[0], w->q0_bar.of[1], w->q0_bar.of[2]},
                                         {w->q1_bar.of[0], w->q1_bar.of[1], w->q1_bar.of[2]}};
    ts_edge_program_vjp(&w->rule.edge, &pairs, w->alpha1_bar, w->alpha2_bar, in_bar->colliding, &pairs_bar);
}

/* From an end of kept edges to vertices. */
static void spread_ends(ts_manifold_work *w, int which, int end)
{
    const ts_manifold_side *s = &w->side[which];
    int32_t(*edge)[2] = w->manifold->body[which]->edge;
    const ts_columns *to = &w->varied[which].vertex_bar;
    const size_t edges = w->manifold->body[which]->edge_count;
    for (int i = 0; i < 3; i++) {
        memset(s->score_bar, 0, edges * sizeof(double));
        ts_choice_spread(&s->edge, s->end_bar[end].of[i], s->score_bar);
        for (size_t k = 0; k < edges; k++)
            to->of[i][edge[k][end]] += s->score_bar[k];
    }
}

/* Sums over pairs: to the ends of kept edges, and to their bodies. */
static void ends_vjp(ts_manifold_work *w, ts_manifold_pose_bar *to)
{
    const size_t rows = w->manifold->counts.edges[0], cols = w->manifold->counts.edges[1];
    const ts_columns *of_a[2] = {&w->p0_bar, &w->p1_bar}, *of_b[2] = {&w->q0_bar, &w->q1_bar};
    for (int e = 0; e < 2; e++) {
        const ts_columns *a = &w->side[0].end_bar[e], *b = &w->side[1].end_bar[e];
        clear(a, rows);
        clear(b, cols);
        for (size_t k = 0; k < rows; k++)
            for (size_t l = 0; l < cols; l++) {
                ts_column_add(a, k, ts_column_at(of_a[e], k * cols + l));
                ts_column_add(b, l, ts_column_at(of_b[e], k * cols + l));
            }
        for (int s = 0; s < 2; s++) {
            for (size_t k = 0; k < w->manifold->counts.edges[s]; k++)
                push_pose(w, s, ts_column_at(&w->side[s].end[e], k), ts_column_at(&w->side[s].end_bar[e], k), &to[s]);
            if (w->varied[s].back)
                spread_ends(w, s, e);
        }
    }
}

/* ---- Choices ---- */

static void choice_vjp(ts_manifold_work *w, const ts_choice *c, const ts_columns *column, const ts_columns *bar,
                       int ends)
{
    for (int e = 0; e < ends; e++)
        ts_choice_apply_vjp(c, column[e].of, bar[e].of, w->share_bar);
}

/* Whether all vertices are contacts, whose way back takes the adjoints of their distances along. */
static bool takes_all(const ts_manifold_work *w, int which)
{
    return w->manifold->counts.vertices[which] > 0 && w->side[which].vertex.all;
}

/* To the distances of all vertices, and from there to both poses. */
static void scores_vjp(ts_manifold_work *w, int which, ts_manifold_pose_bar *to)
{
    const ts_manifold *m = w->manifold;
    ts_manifold_side *s = &w->side[which];
    const size_t vertices = m->body[which]->mesh->vertex_count, edges = m->body[which]->edge_count;
    const bool by_vertex = ts_choice_is_soft(&s->vertex), by_edge = ts_choice_is_soft(&s->edge);
    memset(s->phi_bar, 0, ts_padded(vertices) * sizeof(double));
    if (!by_vertex && !by_edge)
        return;
    if (by_vertex) {
        const ts_choice *c = &s->vertex;
        memset(w->share_bar, 0, c->keep * c->stride * sizeof(double));
        choice_vjp(w, c, &s->vertex_column, &s->kept_bar, 1);
        memset(s->score_bar, 0, vertices * sizeof(double));
        ts_choose_vjp(c, w->share_bar, s->score_bar);
        for (size_t i = 0; i < vertices; i++)
            s->phi_bar[i] -= s->score_bar[i];
    }
    if (by_edge) {
        const ts_choice *c = &s->edge;
        int32_t(*edge)[2] = m->body[which]->edge;
        memset(w->share_bar, 0, c->keep * c->stride * sizeof(double));
        choice_vjp(w, c, s->end_column, s->end_bar, 2);
        memset(s->score_bar, 0, edges * sizeof(double));
        ts_choose_vjp(c, w->share_bar, s->score_bar);
        for (size_t i = 0; i < edges; i++)
            for (int e = 0; e < 2; e++)
                s->phi_bar[edge[i][e]] -= 0.5 * s->score_bar[i];
    }
    if (takes_all(w, which))
        return;
    /* only vertices of candidates have an adjoint */
    size_t count = 0;
    for (size_t i = 0; i < vertices; i++)
        if (s->phi_bar[i] != 0) {
            s->score_bar[count] = s->phi_bar[i];
            ts_column_set(&w->gathered, count++, ts_column_at(&s->at, i));
        }
    clear(&w->gathered_bar, count);
    ts_manifold_ask_vjp(w, 1 - which, count, &w->gathered, s->score_bar, NULL, NULL, &w->gathered_bar, &to[1 - which]);
    for (size_t i = 0; i < count; i++)
        push_pose(w, which, ts_column_at(&w->gathered, i), ts_column_at(&w->gathered_bar, i), &to[which]);
    for (size_t i = 0, k = 0; w->varied[which].back && i < vertices; i++)
        if (s->phi_bar[i] != 0)
            ts_column_add(&w->varied[which].vertex_bar, i, ts_column_at(&w->gathered_bar, k++));
}

/* ---- Vertices ---- */

/* Adjoints of gaps and, where all vertices are contacts, of the distances that edges are chosen by. */
static const double *gap_bars(ts_manifold_work *w, int which, const double *gap)
{
    ts_manifold_side *s = &w->side[which];
    if (!takes_all(w, which))
        return gap;
    for (size_t k = 0; gap && k < s->vertex.keep; k++)
        s->phi_bar[k] += gap[k];
    return s->phi_bar;
}

/* Distances alone of all vertices, asked about neighbour by neighbour. */
static void all_vertices_vjp(ts_manifold_work *w, int which, const double *phi_bar, ts_manifold_pose_bar *to)
{
    ts_manifold_side *s = &w->side[which];
    const int32_t *order = w->manifold->body[which]->order;
    const size_t count = s->vertex.keep;
    for (size_t i = 0; i < count; i++) {
        ts_column_set(&w->gathered, i, ts_column_at(&s->kept, (size_t)order[i]));
        w->gathered_value[i] = phi_bar[order[i]];
    }
    clear(&w->gathered_bar, count);
    ts_manifold_ask_vjp(w, 1 - which, count, &w->gathered, w->gathered_value, NULL, NULL, &w->gathered_bar,
                        &to[1 - which]);
    for (size_t i = 0; i < count; i++)
        ts_column_add(&s->kept_bar, (size_t)order[i], ts_column_at(&w->gathered_bar, i));
}

static void vertices_vjp(ts_manifold_work *w, int which, const ts_manifold_contacts *bar, size_t begin,
                         ts_manifold_pose_bar *to)
{
    ts_manifold_side *s = &w->side[which];
    const int other = 1 - which;
    const size_t count = w->manifold->counts.vertices[which];
    const double *phi_bar = gap_bars(w, which, bar->gap ? bar->gap + begin : NULL);
    const ts_columns *normal_bar = &w->gathered;
    for (size_t k = 0; k < count; k++)
        ts_column_set(&s->kept_bar, k, get(bar->point, begin + k));
    if (!bar->normal && takes_all(w, which)) {
        all_vertices_vjp(w, which, phi_bar, to);
    } else {
        for (size_t k = 0; k < count; k++) {
            const ts_vec3 n = get(bar->normal, begin + k);
            ts_column_set(normal_bar, k, which == 0 ? ts_vec3_neg(n) : n);
        }
        ts_manifold_ask_vjp(w, other, count, &s->kept, phi_bar, &s->kept_normal, bar->normal ? normal_bar : NULL,
                            &s->kept_bar, &to[other]);
    }
    for (size_t k = 0; k < count; k++)
        push_pose(w, which, ts_column_at(&s->kept, k), ts_column_at(&s->kept_bar, k), &to[which]);
    for (int i = 0; w->varied[which].back && i < 3; i++)
        ts_choice_spread(&s->vertex, s->kept_bar.of[i], w->varied[which].vertex_bar.of[i]);
}

static void add_pose(const ts_manifold_pose_bar *from, ts_manifold_pose_bar *to)
{
    add_to(to->position, ts_vec3_of(from->position));
    add_to(to->turn, ts_vec3_of(from->turn));
}

/* ---- Pieces ---- */

static ts_status open_pieces(ts_manifold_work *w, int body, bool wanted, ts_error *error)
{
    ts_manifold_varied *varied = &w->varied[body];
    varied->back = false;
    if (!wanted)
        return TS_OK;
    if (!varied->set)
        return ts_fail(error, TS_BAD_INPUT,
                       "manifold: adjoints of pieces of body %c are wanted, which were not set; call "
                       "ts_manifold_set_pieces first",
                       'A' + body);
    varied->back = true;
    memset(varied->bar, 0, ts_sdf_count(varied->sdf) * sizeof *varied->bar);
    clear(&varied->vertex_bar, w->manifold->body[body]->mesh->vertex_count);
    return TS_OK;
}

static void close_pieces(ts_manifold_work *w, int body, ts_manifold_piece_bar *to)
{
    if (!to)
        return;
    ts_manifold_place_vertices_vjp(w, body);
    for (size_t i = 0; i < ts_sdf_count(w->varied[body].sdf); i++) {
        const ts_primitive_bar *from = &w->varied[body].bar[i];
        add_to(to[i].size, from->size);
        for (int k = 0; k < 2; k++)
            to[i].exponents[k] += from->exponent[k];
        add_to(to[i].position, from->position);
        add_to(to[i].turn, from->turn);
    }
}

ts_status ts_manifold_find_vjp_pieces(const ts_manifold *m, ts_manifold_work *w, const ts_manifold_smoothing *smoothing,
                                      const ts_manifold_contacts *bar, ts_manifold_pose_bar *to_a,
                                      ts_manifold_pose_bar *to_b, ts_manifold_piece_bar *pieces_a,
                                      ts_manifold_piece_bar *pieces_b, ts_error *error)
{
    if (!w->found)
        return ts_fail(error, TS_BAD_INPUT,
                       "manifold: a derivative needs contacts; call ts_manifold_find with the same work first");
    if (!smoothing)
        smoothing = ts_manifold_has_gradient(&m->options) ? &m->options.gradient : &m->options.smoothing;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): doubles without padding, by their bits */
    if (memcmp(smoothing, &w->smoothing, sizeof *smoothing) != 0) {
        TS_TRY(ts_manifold_check_smoothing(smoothing, error));
        w->smoothing = *smoothing;
        w->rule = ts_manifold_rule_of(m->body, &m->options, smoothing);
        ts_manifold_run(w, false);
    }
    TS_TRY(open_pieces(w, 0, pieces_a, error));
    TS_TRY(open_pieces(w, 1, pieces_b, error));
    ts_manifold_pose_bar to[2] = {{{0}, {0}}, {{0}, {0}}};
    const size_t begin[2] = {0, m->counts.vertices[0]};
    for (int s = 0; s < 2; s++) /* those that are chosen hand on to the choice */
        if (!takes_all(w, s))
            vertices_vjp(w, s, bar, begin[s], to);
    if (m->pair_count > 0) {
        pairs_vjp(w, bar, m->counts.vertices[0] + m->counts.vertices[1], to);
        ends_vjp(w, to);
    }
    for (int s = 0; s < 2; s++) {
        scores_vjp(w, s, to);
        if (takes_all(w, s))
            vertices_vjp(w, s, bar, begin[s], to);
    }
    close_pieces(w, 0, pieces_a);
    close_pieces(w, 1, pieces_b);
    add_pose(&to[0], to_a);
    add_pose(&to[1], to_b);
    return TS_OK;
}

ts_status ts_manifold_find_vjp(const ts_manifold *m, ts_manifold_work *w, const ts_manifold_smoothing *smoothing,
                               const ts_manifold_contacts *bar, ts_manifold_pose_bar *to_a, ts_manifold_pose_bar *to_b,
                               ts_error *error)
{
    return ts_manifold_find_vjp_pieces(m, w, smoothing, bar, to_a, to_b, NULL, NULL, error);
}
