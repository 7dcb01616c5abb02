/* SPDX-License-Identifier: MIT */
/* The study `edge-witness`: the nearest point of an edge that turns in front of another one, with and without smoothing.
 *
 *         θ = 0                θ < π/2               θ > π/2             θ = π
 *            │                   ╱                     ╲                   │
 *            │ e₁(θ)            ╱                       ╲                  │         edge 1: 2 m long about the origin, in the
 *            ●                 ●                         ●                 ●         plane z = 0; it turns by θ
 *     ───────────────   ───────────────          ───────────────    ───────────────  edge 2: along x at y = −1.2
 *
 * Nearest to edge 2 is the end of edge 1 that points down. At θ = π/2 the edges are parallel, and the nearest point jumps
 * from one end to the other. Three rules of the edge program (edge_program.h) are compared:
 *
 *     none        the exact nearest points
 *     L2          exact, with λ that draws them to the middles of the edges
 *     L2 and τ    every comparison smooth, too: τ = 0.1, as published
 *
 * Derivatives are those of the program, and for "none" differences between samples, since there they tell of the jump. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/vec.h"
#include "base/wide.h"
#include "manifold/edge_program.h"
#include "study/figure.h"
#include "study/studies.h"

#define HEIGHT  (-1.2) /* of edge 2 [m] */
#define REACH   2.0    /* half of its length [m] */
#define SAMPLES 720    /* from 0 to π; twice as many for comparison */
#define FINE    (2 * SAMPLES)
#define STEP    1e-6 /* of central differences [rad] */
#define TAU     0.1
#define LAMBDA  0.5 /* an eighth of the square of edge 1 [m²] */

enum { NONE, L2, SMOOTH, RULES };
static const char *const rule_name[RULES] = {"no smoothing", "L2", "L2 and τ"};
static const ts_edge_rule rule_of[RULES] = {
    {.clip = TAU, .minimum = TAU, .inside = TAU, .centre = 0, .hard = true},
    {.clip = TAU, .minimum = TAU, .inside = TAU, .centre = LAMBDA, .hard = true},
    {.clip = TAU, .minimum = TAU, .inside = TAU, .centre = LAMBDA, .hard = false},
};

/* Rows of room for the columns of samples. */
enum { ENDS = 12, ALPHA = 2, WITHIN = 1, BARS = 12, WEIGHTS = 2, ROWS = ENDS + ALPHA + WITHIN + BARS + WEIGHTS };

typedef struct sweep {
    size_t count;
    double angle[FINE + 1];
    double x[FINE + 1], y[FINE + 1];   /* e₁ */
    double dx[FINE + 1], dy[FINE + 1]; /* its derivatives by θ [1/rad] */
    double *memory;
} sweep;

typedef struct witness {
    ts_study *study;
    sweep coarse[RULES], fine[RULES];
} witness;

/* ---- Edges ---- */

/* Half of edge 1, as a vector: down at θ = 0, along x at π/2. */
static ts_vec3 arm(double angle)
{
    return (ts_vec3){sin(angle), -cos(angle), 0};
}
static ts_vec3 arm_slope(double angle)
{
    return (ts_vec3){cos(angle), sin(angle), 0};
}

/* Columns of the ends of both edges. */
static ts_edge_pairs set_ends(double *memory, const double *angle, size_t count, size_t stride)
{
    ts_edge_pairs pairs = {.count = count};
    for (int i = 0; i < 3; i++) {
        pairs.p0[i] = memory + (size_t)i * stride;
        pairs.p1[i] = memory + (size_t)(3 + i) * stride;
        pairs.q0[i] = memory + (size_t)(6 + i) * stride;
        pairs.q1[i] = memory + (size_t)(9 + i) * stride;
    }
    for (size_t k = 0; k < count; k++) {
        const ts_vec3 a = arm(angle[k]);
        const double end[ENDS] = {a.x, a.y, 0, -a.x, -a.y, 0, -REACH, HEIGHT, 0, REACH, HEIGHT, 0};
        for (int i = 0; i < ENDS; i++)
            memory[(size_t)i * stride + k] = end[i];
    }
    return pairs;
}

/* e₁ and its derivative at all angles. */
static ts_status ask(sweep *s, const ts_edge_rule *rule, ts_error *error)
{
    const size_t stride = (s->count + TS_WIDE_MOST) / TS_WIDE_MOST * TS_WIDE_MOST;
    TS_TRY(ts_new(&s->memory, ROWS * stride, error));
    const ts_edge_pairs pairs = set_ends(s->memory, s->angle, s->count, stride);
    double *alpha1 = s->memory + ENDS * stride, *alpha2 = alpha1 + stride, *within = alpha2 + stride,
           *one = within + stride, *zero = one + stride;
    ts_edge_program(rule, &pairs, alpha1, alpha2, within);
    ts_edge_pairs_bar bar;
    for (int i = 0; i < 3; i++) {
        bar.p0[i] = zero + (size_t)(1 + i) * stride;
        bar.p1[i] = zero + (size_t)(4 + i) * stride;
        bar.q0[i] = zero + (size_t)(7 + i) * stride;
        bar.q1[i] = zero + (size_t)(10 + i) * stride;
    }
    for (size_t k = 0; k < s->count; k++)
        one[k] = 1;
    ts_edge_program_vjp(rule, &pairs, one, zero, zero, &bar);
    for (size_t k = 0; k < s->count; k++) {
        const ts_vec3 a = arm(s->angle[k]), slope = arm_slope(s->angle[k]);
        /* edge 1 goes from a to −a */
        const double along = 1 - 2 * alpha1[k],
                     by_angle = (bar.p0[0][k] - bar.p1[0][k]) * slope.x + (bar.p0[1][k] - bar.p1[1][k]) * slope.y;
        s->x[k] = along * a.x;
        s->y[k] = along * a.y;
        s->dx[k] = along * slope.x - 2 * by_angle * a.x;
        s->dy[k] = along * slope.y - 2 * by_angle * a.y;
    }
    return TS_OK;
}

static ts_status fill(sweep *s, int rule, size_t samples, ts_error *error)
{
    s->count = samples + 1;
    for (size_t k = 0; k <= samples; k++)
        s->angle[k] = TS_PI * (double)k / (double)samples;
    return ask(s, &rule_of[rule], error);
}

/* ---- What is measured ---- */

static double largest_jump(const sweep *s)
{
    double most = 0;
    for (size_t k = 1; k < s->count; k++)
        most = fmax(most, hypot(s->x[k] - s->x[k - 1], s->y[k] - s->y[k - 1]));
    return most;
}

/* Between neighbouring samples, as a program without derivatives would find it. */
static double largest_difference(const sweep *s)
{
    return largest_jump(s) * (double)(s->count - 1) / TS_PI;
}

static double largest_derivative(const sweep *s)
{
    double most = 0;
    for (size_t k = 0; k < s->count; k++)
        most = fmax(most, hypot(s->dx[k], s->dy[k]));
    return most;
}

/* How far the derivative itself jumps between neighbours. */
static double largest_bend(const sweep *s)
{
    double most = 0;
    for (size_t k = 1; k < s->count; k++)
        most = fmax(most, hypot(s->dx[k] - s->dx[k - 1], s->dy[k] - s->dy[k - 1]));
    return most;
}

/* Farthest of the exact nearest point from the end that points down, and at π/2 from any point of the edge. */
static double off_exact(const sweep *s)
{
    double most = 0;
    for (size_t k = 0; k < s->count; k++) {
        const ts_vec3 a = arm(s->angle[k]);
        const double side = a.y < 0 ? 1 : -1;
        if (fabs(a.y) > 1e-9)
            most = fmax(most, hypot(s->x[k] - side * a.x, s->y[k] - side * a.y));
    }
    return most;
}

/* Analytic derivatives from central differences of the program itself, over the largest derivative. */
static ts_status off_differences(const sweep *s, int rule, double *off, ts_error *error)
{
    TS_AUTO_FREE sweep *near = NULL;
    TS_TRY(ts_new(&near, 2, error));
    ts_status status = TS_OK;
    for (int i = 0; i < 2 && status == TS_OK; i++) {
        near[i].count = s->count;
        for (size_t k = 0; k < s->count; k++)
            near[i].angle[k] = s->angle[k] + (i == 0 ? -STEP : STEP);
        status = ask(&near[i], &rule_of[rule], error);
    }
    *off = 0;
    for (size_t k = 0; k < s->count && status == TS_OK; k++)
        *off = fmax(*off, hypot((near[1].x[k] - near[0].x[k]) / (2 * STEP) - s->dx[k],
                                (near[1].y[k] - near[0].y[k]) / (2 * STEP) - s->dy[k]));
    *off /= largest_derivative(s);
    ts_free(near[0].memory);
    ts_free(near[1].memory);
    return status;
}

/* With e₁ = s · arm, e₂ = u · reach along x, and c = λ / 4, the program is ½ |e₁ − e₂|² + ½ c (s² + u²). Its minimum at
 * θ = π/2 is s = u = 0; the derivative of both equations there gives |ds/dθ| = |height| / (c (1 + 1 / (reach² + c))). */
static double steepest(void)
{
    const double c = LAMBDA / 4;
    return -HEIGHT / (c * (1 + 1 / (REACH * REACH + c)));
}

/* ---- Claims ---- */

static ts_status claim_none(ts_study *study, const witness *w, ts_error *error)
{
    const sweep *coarse = &w->coarse[NONE], *fine = &w->fine[NONE];
    TS_TRY(ts_claim_at_most(study, off_exact(fine), 1e-12, "m", error,
                            "no smoothing: farthest from the end that points down, which is the nearest point"));
    TS_TRY(ts_claim_at_least(study, largest_jump(fine), 1, "m", error,
                             "no smoothing, %d samples: largest jump between neighbours", FINE));
    return ts_claim_near(study, largest_difference(fine) / largest_difference(coarse), 2, 0.1, "1", error,
                         "no smoothing: largest difference quotient, by twice as many samples");
}

static ts_status claim_smoothed(ts_study *study, const witness *w, int rule, ts_error *error)
{
    const sweep *coarse = &w->coarse[rule], *fine = &w->fine[rule];
    const char *name = rule_name[rule];
    TS_TRY(ts_claim_at_most(study, largest_jump(fine), 0.05, "m", error,
                            "%s, %d samples: largest jump between neighbours", name, FINE));
    TS_TRY(ts_claim_near(study, largest_jump(fine) / largest_jump(coarse), 0.5, 0.1, "1", error,
                         "%s: the jump by twice as many samples", name));
    TS_TRY(ts_claim_near(study, largest_derivative(fine) / largest_derivative(coarse), 1, 0.02, "1", error,
                         "%s: largest derivative by twice as many samples", name));
    return ts_claim_at_most(study, largest_derivative(fine), 10, "m/rad", error, "%s: largest derivative", name);
}

static ts_status claim(ts_study *study, const witness *w, ts_error *error)
{
    double off;
    TS_TRY(claim_none(study, w, error));
    TS_TRY(claim_smoothed(study, w, L2, error));
    TS_TRY(claim_smoothed(study, w, SMOOTH, error));
    TS_TRY(ts_claim_at_least(study, largest_bend(&w->fine[L2]) / largest_bend(&w->coarse[L2]), 0.8, "1", error,
                             "L2 alone: the jump of the derivative stays, by twice as many samples"));
    TS_TRY(ts_claim_near(study, largest_bend(&w->fine[SMOOTH]) / largest_bend(&w->coarse[SMOOTH]), 0.5, 0.1, "1", error,
                         "L2 and τ: the derivative is continuous; its largest change, by twice as many samples"));
    TS_TRY(ts_claim_near(study, largest_derivative(&w->fine[L2]), steepest(), 1e-9, "m/rad", error,
                         "L2 alone: largest derivative, at θ = π/2, against its closed form"));
    TS_TRY(off_differences(&w->fine[SMOOTH], SMOOTH, &off, error));
    return ts_claim_at_most(study, off, 1e-7, "1", error,
                            "L2 and τ: derivatives off from central differences, over the largest");
}

/* ---- Figure and table ---- */

static ts_status tell(ts_study *study, const witness *w, ts_error *error)
{
    ts_draft sheet;
    TS_TRY(ts_study_sheet_open(study, "edge-witness.csv", &sheet, error));
    fprintf(sheet.stream, "angle_rad");
    for (int r = 0; r < RULES; r++)
        fprintf(sheet.stream, ",x%d_m,y%d_m,dx%d_m_per_rad,dy%d_m_per_rad", r, r, r, r);
    for (size_t k = 0; k < w->fine[0].count; k++) {
        fprintf(sheet.stream, "\n%.9g", w->fine[0].angle[k]);
        for (int r = 0; r < RULES; r++)
            fprintf(sheet.stream, ",%.9g,%.9g,%.9g,%.9g", w->fine[r].x[k], w->fine[r].y[k], w->fine[r].dx[k],
                    w->fine[r].dy[k]);
    }
    fprintf(sheet.stream, "\n");
    return ts_study_sheet_close(study, &sheet, error);
}

/* What differences between samples tell of the unsmoothed path. */
static void use_differences(sweep *s)
{
    const double step = TS_PI / (double)(s->count - 1);
    for (size_t k = 0; k + 1 < s->count; k++) {
        s->dx[k] = (s->x[k + 1] - s->x[k]) / step;
        s->dy[k] = (s->y[k + 1] - s->y[k]) / step;
    }
    s->dx[s->count - 1] = s->dy[s->count - 1] = (double)NAN;
}

static ts_status write_figure(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    (void)study;
    const witness *w = figure;
    static const double edge_x[2] = {-1.3, 1.3}, edge_y[2] = {HEIGHT, HEIGHT}, first_x[2] = {0, 0},
                        first_y[2] = {-1, 1};
    static const double parallel[2] = {TS_PI / 2, TS_PI / 2}, height[RULES][2] = {{-400, 150}, {-8, 4}, {-8, 4}};
    ts_plot plot[2 * RULES];
    ts_plot_line line[2 * RULES][3];
    char title[2 * RULES][96];
    for (int r = 0; r < RULES; r++) {
        const sweep *s = &w->coarse[r];
        line[2 * r][0] = (ts_plot_line){"e₁(θ), θ from 0 to π", s->x, s->y, s->count, false};
        line[2 * r][1] = (ts_plot_line){"edge 2", edge_x, edge_y, 2, true};
        line[2 * r][2] = (ts_plot_line){"edge 1 at θ = 0", first_x, first_y, 2, true};
        line[2 * r + 1][0] = (ts_plot_line){"de₁/dθ along x", s->angle, s->dx, s->count, false};
        line[2 * r + 1][1] = (ts_plot_line){"de₁/dθ along y", s->angle, s->dy, s->count, false};
        line[2 * r + 1][2] = (ts_plot_line){"edges are parallel", parallel, height[r], 2, true};
        snprintf(title[2 * r], sizeof title[0], "%s: path of the nearest point", rule_name[r]);
        snprintf(title[2 * r + 1], sizeof title[0], "%s: %s", rule_name[r],
                 r == NONE ? "differences between samples" : "derivative");
        plot[2 * r] = (ts_plot){title[2 * r], "x [m]", "y [m]", false, line[2 * r], 3};
        plot[2 * r + 1] = (ts_plot){title[2 * r + 1], "θ [rad]", "[m/rad]", false, line[2 * r + 1], 3};
    }
    return ts_plot_write_sheet(plot, 2 * RULES, 2, path, error);
}

static void free_witness(witness **at)
{
    for (int r = 0; *at && r < RULES; r++) {
        ts_free((*at)->coarse[r].memory);
        ts_free((*at)->fine[r].memory);
    }
    ts_free(*at);
}

ts_status ts_study_edge_witness(ts_study *study, ts_error *error)
{
    TS_AUTO(free_witness) witness *w = NULL;
    TS_TRY(ts_new(&w, 1, error));
    w->study = study;
    for (int r = 0; r < RULES; r++) {
        TS_TRY(fill(&w->coarse[r], r, SAMPLES, error));
        TS_TRY(fill(&w->fine[r], r, FINE, error));
    }
    TS_TRY(claim(study, w, error));
    TS_TRY(tell(study, w, error));
    use_differences(&w->coarse[NONE]);
    return ts_figure_write(study, "edge-witness", "svg", write_figure, w, error);
}
