/* SPDX-License-Identifier: MIT */
/* The study `choose-counts`: how many vertices and edges of two bodies are worth keeping.
 *
 * Two jacks (three crossed bars, 120 vertices and 354 edges each) collide at random (ts_manifold_propose). For each
 * pose the proposal counts vertices that lie deeper than their neighbours, and pairs of edges that are each other's
 * nearest and cross. Then the same poses are asked with some of the vertices or edges kept, and with all:
 *
 *     force     Σ weight · depth · normal, as of springs of 1 N/m, of the vertices or of the edges
 *     error     |force of those kept − force of all|, over the mean of |force of all| of all poses
 *
 * Kept are the deepest ones, by a hard or a soft choice. The error is told as the median and the 95 % quantile. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "manifold/parts.h"
#include "study/figure.h"
#include "study/smooth_bodies.h"
#include "study/studies.h"

#define LENGTH   1.0 /* of a bar [m] */
#define VERTICES 120
#define QUANTILE 0.95
#define FLOOR    1e-12

enum { VERTEX, EDGE, KINDS };
enum { HARD, SOFT, RULES };
/* The first two are the proposals, the last is everything. */
enum { SUGGESTED, COVERING, FIRST, TWICE = FIRST + 1, STEPS = 12, BINS = 24 };
static const char *const kind_name[KINDS] = {"vertices", "edges"}, *const rule_name[RULES] = {"hard", "soft"};
static const size_t others[STEPS - FIRST] = {1, 2, 3, 4, 6, 8, 12, 18, 30, SIZE_MAX};

/* Over all poses. */
typedef struct errors {
    double median[STEPS], quantile[STEPS];
} errors;

typedef struct counting {
    ts_study *study;
    ts_sdf_body *jack;
    ts_manifold_proposal *proposal;
    size_t poses; /* whose errors are looked at */
    ts_vec3 *all; /* force of everything (poses) */
    double *error;
    errors of[KINDS][RULES];
    size_t kept[KINDS][STEPS]; /* of each body */
    double step[KINDS][STEPS]; /* the same as numbers */
} counting;

/* ---- Forces ---- */

typedef struct job {
    const counting *c;
    const ts_manifold *manifold;
    ts_manifold_work **work;
    ts_manifold_contacts *to; /* of each thread */
    size_t begin, end;        /* contacts that count */
    ts_vec3 *force;           /* (poses) */
} job;

static void push(void *context, int task, int thread)
{
    static const ts_manifold_pose origin = {{0, 0, 0}, {1, 0, 0, 0}};
    const job *j = context;
    const ts_manifold_contacts *to = &j->to[thread];
    ts_error ignored;
    ts_vec3 sum = {(double)NAN, 0, 0};
    if (ts_manifold_find(j->manifold, j->work[thread], &origin, &j->c->proposal->pose[task], to, &ignored) == TS_OK) {
        sum = (ts_vec3){0, 0, 0};
        for (size_t i = j->begin; i < j->end; i++)
            sum = ts_vec3_add_scaled(sum, ts_vec3_of(to->normal[i]), to->weight[i] * fmax(-to->gap[i], 0));
    }
    j->force[task] = sum;
}

static void release(job *j, int threads)
{
    for (int i = 0; i < threads; i++) {
        if (j->work)
            ts_manifold_work_free(j->work[i]);
        if (j->to) {
            ts_free(j->to[i].gap);
            ts_free(j->to[i].normal);
            ts_free(j->to[i].weight);
        }
    }
    ts_free(j->work);
    ts_free(j->to);
}

static ts_status run(job *j, ts_pool *pool, size_t contacts, ts_error *error)
{
    const int threads = ts_pool_thread_count(pool);
    TS_TRY(ts_new(&j->work, (size_t)threads, error)); /* NOLINT(bugprone-sizeof-expression): of pointers */
    TS_TRY(ts_new(&j->to, (size_t)threads, error));
    for (int i = 0; i < threads; i++) {
        TS_TRY(ts_manifold_work_create(j->manifold, &j->work[i], error));
        TS_TRY(ts_new(&j->to[i].gap, contacts, error));
        TS_TRY(ts_new(&j->to[i].normal, contacts, error));
        TS_TRY(ts_new(&j->to[i].weight, contacts, error));
    }
    ts_pool_run(pool, (int)j->c->poses, push, j);
    return TS_OK;
}

/* The force at each pose, with so many kept. */
static ts_status forces(const counting *c, int kind, int rule, size_t keep, ts_vec3 *force, ts_error *error)
{
    TS_AUTO(ts_manifold_free_at) ts_manifold *manifold = NULL;
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    ts_manifold_options options = ts_manifold_default_options();
    options.hard = rule == HARD;
    options.edges = kind == EDGE;
    for (int s = 0; s < 2; s++) {
        options.keep_vertices[s] = kind == VERTEX && keep != SIZE_MAX ? keep : 0;
        options.keep_edges[s] = keep;
    }
    TS_TRY(ts_pool_create(ts_study_threads(c->study), &pool, error));
    TS_TRY(ts_manifold_create(c->jack, c->jack, &options, &manifold, error));
    const ts_manifold_counts n = ts_manifold_get_counts(manifold);
    const size_t vertices = n.vertices[0] + n.vertices[1];
    job j = {.c = c, .manifold = manifold, .begin = kind == EDGE ? vertices : 0, .end = n.all, .force = force};
    const ts_status status = run(&j, pool, n.all, error);
    release(&j, ts_pool_thread_count(pool));
    return status;
}

/* ---- Errors ---- */

static int by_value(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double at_share(const double *sorted, size_t count, double share)
{
    const size_t rank = (size_t)ceil(share * (double)count - 1e-9);
    return count > 0 ? sorted[rank > 0 ? rank - 1 : 0] : (double)NAN;
}

static ts_status measure(counting *c, int kind, int rule, ts_error *error)
{
    errors *to = &c->of[kind][rule];
    TS_AUTO_FREE ts_vec3 *some = NULL;
    TS_TRY(ts_new(&some, c->poses, error));
    double mean = 0;
    TS_TRY(forces(c, kind, rule, SIZE_MAX, c->all, error));
    for (size_t i = 0; i < c->poses; i++)
        mean += ts_vec3_length(c->all[i]) / (double)c->poses;
    for (int k = 0; k < STEPS; k++) {
        TS_TRY(forces(c, kind, rule, c->kept[kind][k], some, error));
        for (size_t i = 0; i < c->poses; i++)
            c->error[i] = ts_vec3_distance(some[i], c->all[i]) / mean;
        qsort(c->error, c->poses, sizeof *c->error, by_value);
        to->median[k] = at_share(c->error, c->poses, 0.5);
        to->quantile[k] = at_share(c->error, c->poses, QUANTILE);
        ts_study_report(c->study, 0.2 + 0.8 * ((kind * RULES + rule) * STEPS + k) / (KINDS * RULES * STEPS),
                        kind_name[kind]);
    }
    return TS_OK;
}

/* ---- Claims ---- */

/* 95 % quantile of the error of a hard choice. */
static ts_status claim_falls(const counting *c, int kind, int step, double limit, const char *how, ts_error *error)
{
    return ts_claim_at_most(c->study, c->of[kind][HARD].quantile[step], limit, "1", error,
                            "%s, hard choice, %zu kept of each body (%s): error in 95%% of %zu poses", kind_name[kind],
                            c->kept[kind][step], how, c->poses);
}

static ts_status claim(const counting *c, ts_error *error)
{
    const ts_manifold_proposal *p = c->proposal;
    const ts_manifold_keep *few = &p->covering, *all = &p->barrier;
    const double contacts = (double)(few->vertices[0] + few->vertices[1] + 2 * few->edges[0] * few->edges[1]);
    const double everything = (double)(all->vertices[0] + all->vertices[1] + 2 * all->edges[0] * all->edges[1]);
    TS_TRY(ts_claim(c->study, p->suggested.edges[0] <= p->convex.edges[0], (double)p->suggested.edges[0], "1",
                    "at most 4 a primitive", error, "edges of each body in pairs that cross, in 95%% of poses"));
    TS_TRY(ts_claim(c->study, p->suggested.vertices[0] <= p->convex.vertices[0], (double)p->suggested.vertices[0], "1",
                    "at most 4 a primitive", error, "vertices of A deeper than their neighbours, in 95%% of poses"));
    TS_TRY(ts_claim_at_most(c->study, contacts / everything, 0.01, "1", error,
                            "contacts with the numbers by rank, %g, over all of them, %g", contacts, everything));
    for (int k = 0; k < KINDS; k++)
        for (int r = 0; r < RULES; r++)
            TS_TRY(ts_claim_at_most(c->study, c->of[k][r].quantile[STEPS - 1], 1e-12, "1", error,
                                    "%s, %s choice: error with all kept", kind_name[k], rule_name[r]));
    TS_TRY(claim_falls(c, VERTEX, TWICE, 0.01, "one more than deeper than their neighbours", error));
    TS_TRY(ts_claim_at_least(c->study, c->of[EDGE][HARD].quantile[SUGGESTED], 0.5, "1", error,
                             "edges, hard choice: keeping as many as cross is not enough: error in 95%% of poses"));
    TS_TRY(claim_falls(c, EDGE, COVERING, 0.1, "by rank", error));
    TS_TRY(claim_falls(c, EDGE, STEPS - 2, 1e-6, "more", error));
    return ts_claim_at_least(
        c->study, c->of[EDGE][SOFT].quantile[STEPS - 2], 0.5, "1", error,
        "edges, soft choice, %zu kept: blends of edges are contacts as well: error in 95%% of poses",
        c->kept[EDGE][STEPS - 2]);
}

/* ---- Table and figure ---- */

static ts_status tell(const counting *c, ts_error *error)
{
    ts_draft sheet;
    TS_TRY(ts_study_sheet_open(c->study, "choose-counts.csv", &sheet, error));
    fprintf(sheet.stream, "what,choice,kept,median,quantile_95\n");
    for (int k = 0; k < KINDS; k++)
        for (int r = 0; r < RULES; r++)
            for (int i = 0; i < STEPS; i++)
                fprintf(sheet.stream, "%s,%s,%g,%.6g,%.6g\n", kind_name[k], rule_name[r], c->step[k][i],
                        c->of[k][r].median[i], c->of[k][r].quantile[i]);
    return ts_study_sheet_close(c->study, &sheet, error);
}

/* Shares of poses with each count, as a line of steps. */
typedef struct bars {
    double x[2 * BINS], y[2 * BINS];
} bars;

static void fill(bars *b, const uint32_t *count, size_t poses)
{
    for (size_t i = 0; i < BINS; i++) {
        size_t hits = 0;
        for (size_t k = 0; k < poses; k++)
            hits += count[k] == i || (i == BINS - 1 && count[k] > i);
        b->x[2 * i] = (double)i - 0.5;
        b->x[2 * i + 1] = (double)i + 0.5;
        b->y[2 * i] = b->y[2 * i + 1] = (double)hits / (double)poses;
    }
}

/* Errors of at least FLOOR, which a logarithmic axis can show. */
static void raise(const double *error, double *to)
{
    for (int i = 0; i < STEPS; i++)
        to[i] = fmax(error[i], FLOOR);
}

static ts_status write_figure(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    const counting *c = figure;
    const ts_manifold_proposal *p = c->proposal;
    bars bar[4];
    double median[KINDS][RULES][STEPS], quantile[KINDS][RULES][STEPS];
    (void)study;
    fill(&bar[0], p->deepest[0], p->poses);
    fill(&bar[1], p->vertex_rank[0], p->poses);
    fill(&bar[2], p->pairs, p->poses);
    fill(&bar[3], p->edge_rank[0], p->poses);
    ts_plot_line line[4][4];
    ts_plot plot[4];
    static const char *const title[4] = {"vertices of A: share of poses", "edges of A: share of poses",
                                         "vertices: error of the force", "edges: error of the force"};
    for (int k = 0; k < KINDS; k++) {
        line[k][0] = (ts_plot_line){k == VERTEX ? "deeper than neighbours" : "in pairs that cross", bar[2 * k].x,
                                    bar[2 * k].y, 2 * BINS, false};
        line[k][1] = (ts_plot_line){"rank of the last of them", bar[2 * k + 1].x, bar[2 * k + 1].y, 2 * BINS, false};
        plot[k] = (ts_plot){title[k], "number (the last: and more)", "", false, line[k], 2};
        for (int r = 0; r < RULES; r++) {
            raise(c->of[k][r].median, median[k][r]);
            raise(c->of[k][r].quantile, quantile[k][r]);
            line[2 + k][2 * r] = (ts_plot_line){r == HARD ? "hard, median" : "soft, median", c->step[k] + FIRST,
                                                median[k][r] + FIRST, STEPS - 1 - FIRST, false};
            line[2 + k][2 * r + 1] = (ts_plot_line){r == HARD ? "hard, 95 %" : "soft, 95 %", c->step[k] + FIRST,
                                                    quantile[k][r] + FIRST, STEPS - 1 - FIRST, false};
        }
        plot[2 + k] = (ts_plot){title[2 + k], "kept of each body", "", true, line[2 + k], 4};
    }
    return ts_plot_write_sheet(plot, 4, 2, path, error);
}

/* ---- The study ---- */

static void close_counting(counting *c)
{
    ts_sdf_body_free(c->jack);
    ts_manifold_proposal_free(c->proposal);
    ts_free(c->all);
    ts_free(c->error);
}

/* Of both bodies the larger number of a proposal. */
static size_t larger(const size_t of[2])
{
    return of[0] > of[1] ? of[0] : of[1];
}

static void set_steps(counting *c)
{
    const ts_manifold_proposal *p = c->proposal;
    c->kept[VERTEX][SUGGESTED] = larger(p->suggested.vertices);
    c->kept[VERTEX][COVERING] = larger(p->covering.vertices);
    c->kept[EDGE][SUGGESTED] = larger(p->suggested.edges);
    c->kept[EDGE][COVERING] = larger(p->covering.edges);
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < STEPS; i++) {
            if (i >= FIRST)
                c->kept[k][i] = others[i - FIRST];
            const size_t most = k == VERTEX ? p->barrier.vertices[0] : p->barrier.edges[0];
            c->step[k][i] = (double)(c->kept[k][i] == SIZE_MAX ? most : c->kept[k][i]);
        }
}

ts_status ts_study_choose_counts(ts_study *study, ts_error *error)
{
    TS_AUTO(close_counting) counting c = {.study = study, .poses = ts_study_full(study) ? 400 : 60};
    ts_manifold_propose_options options = ts_manifold_default_propose_options();
    options.poses = ts_study_full(study) ? 4000 : 600;
    options.threads = ts_study_threads(study);
    options.quantile = QUANTILE;
    options.seed = ts_study_seed(study);
    TS_TRY(ts_smooth_jack(LENGTH, VERTICES, &c.jack, error));
    TS_TRY(ts_manifold_propose(c.jack, c.jack, &options, &c.proposal, error));
    TS_TRY(ts_new(&c.all, c.poses, error));
    TS_TRY(ts_new(&c.error, c.poses, error));
    set_steps(&c);
    for (int k = 0; k < KINDS; k++)
        for (int r = 0; r < RULES; r++)
            TS_TRY(measure(&c, k, r, error));
    TS_TRY(claim(&c, error));
    TS_TRY(tell(&c, error));
    return ts_figure_write(study, "choose-counts", "svg", write_figure, &c, error);
}
