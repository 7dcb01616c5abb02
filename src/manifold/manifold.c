/* SPDX-License-Identifier: MIT */
#include "touchstone/manifold.h"

#include <math.h>

#include "base/memory.h"
#include "manifold/parts.h"

#define OPTIONS_COOKIE 0x6d616e69
/* Edges that are kept, unless it is told: as many as a box has, or more. */
#define EDGES_LEAST 12

/* ---- Options ---- */

ts_manifold_smoothing ts_manifold_smoothing_of(double tau)
{
    return (ts_manifold_smoothing){tau, tau, tau, tau, tau, 0.1 * tau, tau, tau, tau, tau};
}

ts_manifold_options ts_manifold_default_options(void)
{
    ts_manifold_options options = {
        .smoothing = ts_manifold_smoothing_of(0.003), .edges = true, .settle = 2, .cookie = OPTIONS_COOKIE};
    options.smoothing.united = 0;
    options.smoothing.centre = 1e-4;
    return options;
}

/* A smoothing as its names and numbers. */
ts_status ts_manifold_check_smoothing(const ts_manifold_smoothing *s, ts_error *error)
{
    const struct {
        const char *name;
        double value;
    } all[] = {{"select", s->select}, {"clip", s->clip},   {"minimum", s->minimum}, {"inside", s->inside},
               {"sign", s->sign},     {"depth", s->depth}, {"nearest", s->nearest}, {"clash", s->clash}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(all[i].value > 0) || !isfinite(all[i].value))
            return ts_fail(error, TS_BAD_INPUT,
                           "manifold: smoothing \"%s\" is %g; give a number above 0, such as 0.003 (a hard choice is "
                           "the option `hard`)",
                           all[i].name, all[i].value);
    if (!(s->united >= 0) || !isfinite(s->united))
        return ts_fail(
            error, TS_BAD_INPUT,
            "manifold: smoothing \"united\" is %g; give a number above 0, such as 0.003, or 0 for that of each "
            "body",
            s->united);
    if (!(s->centre >= 0) || !isfinite(s->centre))
        return ts_fail(error, TS_BAD_INPUT, "manifold: smoothing \"centre\" is %g; give 0 or more", s->centre);
    return TS_OK;
}

static ts_status count_kept(const char *what, int body, size_t wanted, size_t otherwise, size_t have, size_t *kept,
                            ts_error *error)
{
    if (wanted != SIZE_MAX && wanted > have)
        return ts_fail(error, TS_BAD_INPUT, "manifold: %zu %s of body %c are to be kept, but it has %zu; keep fewer",
                       wanted, what, body == 0 ? 'A' : 'B', have);
    *kept = wanted == 0 ? otherwise : wanted == SIZE_MAX ? have : wanted;
    if (*kept > have)
        *kept = have;
    return TS_OK;
}

static ts_status count_contacts(ts_manifold *m, ts_error *error)
{
    const ts_manifold_options *o = &m->options;
    ts_manifold_counts *c = &m->counts;
    for (int s = 0; s < 2; s++) {
        const ts_sdf_body *body = m->body[s];
        const size_t have = body->mesh->vertex_count;
        TS_TRY(count_kept("vertices", s, o->keep_vertices[s], have, have, &c->vertices[s], error));
        const size_t usual = ts_sdf_count(body->sdf) > EDGES_LEAST ? ts_sdf_count(body->sdf) : EDGES_LEAST;
        TS_TRY(count_kept("edges", s, o->keep_edges[s], usual, body->edge_count, &c->edges[s], error));
        if ((s == 0 && o->sides == TS_MANIFOLD_B) || (s == 1 && o->sides == TS_MANIFOLD_A))
            c->vertices[s] = 0;
        if (!o->edges)
            c->edges[s] = 0;
    }
    m->pair_count = c->edges[0] * c->edges[1];
    c->all = c->vertices[0] + c->vertices[1] + 2 * m->pair_count;
    return TS_OK;
}

ts_status ts_manifold_check_options(const ts_manifold_options *o, ts_error *error)
{
    if (o->cookie != OPTIONS_COOKIE)
        return ts_fail(error, TS_BAD_INPUT, "manifold: options are not set; begin with ts_manifold_default_options()");
    if (o->sides < TS_MANIFOLD_BOTH || o->sides > TS_MANIFOLD_B)
        return ts_fail(error, TS_BAD_INPUT, "manifold: sides %d are unknown; choose both, A or B", (int)o->sides);
    if (o->project < 0 || o->project > TS_PROJECT_MOST)
        return ts_fail(error, TS_BAD_INPUT, "manifold: %d projections; choose 0 to %d", o->project, TS_PROJECT_MOST);
    if (o->settle < 0 || o->settle > TS_SETTLE_MOST)
        return ts_fail(error, TS_BAD_INPUT, "manifold: vertices settle in %d steps; choose 0 to %d", o->settle,
                       TS_SETTLE_MOST);
    if (ts_manifold_has_gradient(o))
        TS_TRY(ts_manifold_check_smoothing(&o->gradient, error));
    return ts_manifold_check_smoothing(&o->smoothing, error);
}

/* ---- Making ---- */

/* Hands out pieces of one block, or counts them when there is none yet. */
typedef struct layout {
    double *memory;
    size_t used;
} layout;

static double *take(layout *l, size_t count)
{
    double *at = l->memory ? l->memory + l->used : NULL;
    l->used += ts_padded(count);
    return at;
}
static void take3(layout *l, size_t count, double *column[3])
{
    for (int i = 0; i < 3; i++)
        column[i] = take(l, count);
}

static void copy_vertices(ts_manifold *m, layout *l)
{
    for (int s = 0; s < 2; s++) {
        const ts_mesh *mesh = m->body[s]->mesh;
        take3(l, mesh->vertex_count, m->vertex[s]);
        m->belongs[s] = (int32_t *)(void *)take(l, mesh->vertex_count);
        for (size_t i = 0; l->memory && i < mesh->vertex_count; i++) {
            m->vertex[s][0][i] = mesh->vertex[i].x;
            m->vertex[s][1][i] = mesh->vertex[i].y;
            m->vertex[s][2][i] = mesh->vertex[i].z;
        }
    }
}

ts_status ts_manifold_create(const ts_smooth *a, const ts_smooth *b, const ts_manifold_options *options,
                             ts_manifold **manifold, ts_error *error)
{
    *manifold = NULL;
    TS_TRY(ts_manifold_check_options(options, error));
    TS_AUTO(ts_manifold_free_at) ts_manifold *m = NULL;
    TS_TRY(ts_new(&m, 1, error));
    m->body[0] = a;
    m->body[1] = b;
    m->options = *options;
    TS_TRY(count_contacts(m, error));
    layout l = {0};
    copy_vertices(m, &l);
    TS_TRY(ts_new(&m->memory, l.used, error));
    l = (layout){m->memory, 0};
    copy_vertices(m, &l);
    for (int s = 0; s < 2; s++)
        ts_manifold_find_owners(m->body[s], m->belongs[s]);
    *manifold = ts_give(&m);
    return TS_OK;
}

void ts_manifold_free(ts_manifold *manifold)
{
    if (!manifold)
        return;
    ts_free(manifold->memory);
    ts_free(manifold);
}

ts_manifold_counts ts_manifold_get_counts(const ts_manifold *manifold)
{
    return manifold->counts;
}

ts_manifold_options ts_manifold_get_options(const ts_manifold *manifold)
{
    ts_manifold_options o = manifold->options;
    for (int s = 0; s < 2; s++) {
        o.keep_vertices[s] = manifold->counts.vertices[s];
        o.keep_edges[s] = manifold->counts.edges[s];
    }
    return o;
}

/* Mean square of the edges of both. */
static double mean_square(const ts_sdf_body *const body[2], double length)
{
    const double sum = body[0]->edge_squares + body[1]->edge_squares;
    const size_t count = body[0]->edge_count + body[1]->edge_count;
    return count > 0 ? sum / (double)count : length * length;
}

ts_manifold_rule ts_manifold_rule_of(const ts_sdf_body *const body[2], const ts_manifold_options *o,
                                     const ts_manifold_smoothing *s)
{
    const double length = 0.5 * (ts_sdf_length(body[0]->sdf) + ts_sdf_length(body[1]->sdf)),
                 square = mean_square(body, length);
    ts_manifold_rule rule = {
        .select = s->select * length,
        .edge = {s->clip, s->minimum * square, s->inside, s->centre * square, false},
        .weight = {s->sign, s->depth * length, s->nearest * length, s->clash, 1e-24 * square, o->published},
    };
    for (int b = 0; b < 2; b++) {
        rule.field[b] = ts_sdf_default_rule(body[b]->sdf);
        if (s->united > 0)
            rule.field[b].tau = s->united * ts_sdf_length(body[b]->sdf);
        rule.field[b].published = o->published;
        rule.field[b].everything = o->everything;
    }
    return rule;
}

/* ---- Scratch memory ---- */

static void take_columns(layout *l, size_t count, ts_columns *c)
{
    take3(l, count, c->of);
}

static void place_side(const ts_manifold *m, int s, layout *l, ts_manifold_side *to)
{
    const ts_manifold_options *o = &m->options;
    const size_t vertices = m->body[s]->mesh->vertex_count, edges = m->body[s]->edge_count;
    const size_t keep_v = m->counts.vertices[s], keep_e = m->counts.edges[s];
    to->wanted = keep_v > 0 || (keep_e > 0 && keep_e < edges);
    take_columns(l, vertices, &to->at);
    to->phi = take(l, vertices);
    to->score = take(l, vertices > edges ? vertices : edges);
    ts_choice_place(&to->vertex, vertices, keep_v, take(l, ts_choice_doubles(vertices, keep_v)));
    ts_choice_place(&to->edge, edges, keep_e, take(l, ts_choice_doubles(edges, keep_e)));
    to->vertex.hard = to->edge.hard = o->hard;
    take_columns(l, keep_v > 0 ? vertices : 0, &to->vertex_column);
    take_columns(l, keep_v, &to->kept);
    take_columns(l, keep_v, &to->kept_normal);
    take_columns(l, keep_v, &to->kept_bar);
    to->kept_phi = take(l, keep_v);
    for (int e = 0; e < 2; e++) {
        take_columns(l, keep_e > 0 ? edges : 0, &to->end_column[e]);
        take_columns(l, keep_e, &to->end[e]);
        take_columns(l, keep_e, &to->end_bar[e]);
    }
    to->phi_bar = take(l, vertices);
    to->score_bar = take(l, vertices > edges ? vertices : edges);
}

/* What weights go in and out, and their adjoints. */
static void place_weights(layout *l, size_t n, ts_edge_weight_in *in, ts_edge_weight_out *out)
{
    double **const columns[] = {in->e1, in->e2, in->t1, in->t2, in->n1, in->n2, out->normal1, out->normal2};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        take3(l, n, columns[i]);
    double **const single[] = {&in->depth1, &in->depth2,   &in->colliding, &in->near1,    &in->near2,    &out->gap1,
                               &out->gap2,  &out->weight1, &out->weight2,  &out->inside1, &out->inside2, &out->clash};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        *single[i] = take(l, n);
}

static void place_pairs(const ts_manifold *m, layout *l, ts_manifold_work *w)
{
    const size_t n = m->pair_count;
    ts_columns *const columns[] = {&w->p0,     &w->p1,     &w->q0,     &w->q1,        &w->p0_bar,
                                   &w->p1_bar, &w->q0_bar, &w->q1_bar, &w->turned[0], &w->turned[1]};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) // NOLINT(bugprone-sizeof-expression): of pointers
        take_columns(l, n, columns[i]);
    double **const single[] = {&w->alpha1,     &w->alpha2,     &w->home1,     &w->home2,
                               &w->distance,   &w->share1,     &w->share2,    &w->distance_bar,
                               &w->alpha1_bar, &w->alpha2_bar, &w->home1_bar, &w->home2_bar};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        *single[i] = take(l, n);
    for (int i = 0; i < m->options.project; i++)
        for (int b = 0; b < 2; b++) {
            take_columns(l, n, &w->before[i][b]);
            take_columns(l, n, &w->before_normal[i][b]);
            w->before_phi[i][b] = take(l, n);
        }
    place_weights(l, n, &w->in, &w->out);
    place_weights(l, n, &w->in_bar, &w->out_bar);
    w->asked = (int32_t *)(void *)take(l, n);
}

static void place_varied(const ts_manifold *m, int s, layout *l, ts_manifold_varied *to)
{
    const size_t vertices = m->body[s]->mesh->vertex_count;
    take_columns(l, vertices, &to->vertex);
    for (int k = 0; k < m->options.settle; k++) {
        take_columns(l, vertices, &to->before[k]);
        take_columns(l, vertices, &to->before_normal[k]);
        to->before_phi[k] = take(l, vertices);
    }
    take_columns(l, vertices, &to->vertex_bar);
    to->scratch = take(l, vertices);
    to->bar = (ts_primitive_bar *)(void *)take(l, ts_sdf_count(m->body[s]->sdf) * sizeof *to->bar / sizeof(double));
}

static void place_work(const ts_manifold *m, layout *l, ts_manifold_work *w)
{
    size_t most = m->pair_count, shares = 0;
    for (int s = 0; s < 2; s++) {
        place_side(m, s, l, &w->side[s]);
        place_varied(m, s, l, &w->varied[s]);
        const size_t vertices = m->body[s]->mesh->vertex_count, edges = m->body[s]->edge_count;
        const size_t keep_v = m->counts.vertices[s], keep_e = m->counts.edges[s];
        most = vertices > most ? vertices : most;
        const size_t of_v = ts_choice_doubles(vertices, keep_v), of_e = ts_choice_doubles(edges, keep_e);
        shares = of_v > shares ? of_v : shares;
        shares = of_e > shares ? of_e : shares;
    }
    place_pairs(m, l, w);
    ts_columns *const columns[] = {&w->local, &w->local_normal, &w->local_bar, &w->gathered, &w->gathered_bar};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) // NOLINT(bugprone-sizeof-expression): of pointers
        take_columns(l, most, columns[i]);
    w->gathered_value = take(l, most);
    w->share_bar = take(l, shares);
}

ts_status ts_manifold_work_create(const ts_manifold *manifold, ts_manifold_work **work, ts_error *error)
{
    *work = NULL;
    TS_AUTO(ts_manifold_work_free_at) ts_manifold_work *w = NULL;
    TS_TRY(ts_new(&w, 1, error));
    layout l = {0};
    place_work(manifold, &l, w);
    TS_TRY(ts_new(&w->memory, l.used, error));
    l = (layout){w->memory, 0};
    place_work(manifold, &l, w);
    w->manifold = manifold;
    for (int s = 0; s < 2; s++)
        TS_TRY(ts_sdf_vary(manifold->body[s]->sdf, &w->varied[s].sdf, error));
    *work = ts_give(&w);
    return TS_OK;
}

void ts_manifold_work_free(ts_manifold_work *work)
{
    if (!work)
        return;
    for (int s = 0; s < 2; s++)
        ts_sdf_free(work->varied[s].sdf);
    ts_free(work->memory);
    ts_free(work);
}
