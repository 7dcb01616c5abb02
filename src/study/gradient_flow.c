/* SPDX-License-Identifier: MIT */
/* The study `gradient-flow`: gradient descent on the pose of a body, through the derivative of smooth contacts.
 *
 *     separate    two jacks that overlap        mean over contacts of w · relu(−gap)²
 *     deep        the same, hooked deeper into each other
 *     align       a box tilted above a box      mean over contacts of w · ψ(gap / τ),  ψ(x) = x² / (1 + x²) for x > 0, x² for x < 0
 *
 * ψ is a well at gap 0: what is within some τ of the other body is drawn to its surface. relu is a softplus of the same
 * τ. *Smooth* is the published τ = 0.1 of everything, over all vertices. *Hard* is τ = 1e-4 of everything, over the
 * deepest vertices, chosen: contacts as a collision detector gives them. Both have the same losses, starts, numbers of
 * steps and step lengths.
 *
 * The pose is exp(s) of a twist s, and s ← s − η ∂loss/∂s with a fixed η. What is claimed of a result is measured apart:
 * shared volume by counting lattice points, angles from attitudes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "study/figure.h"
#include "study/smooth_bodies.h"
#include "study/studies.h"

#define SMOOTH 0.1
#define HARD   1e-4
#define KEPT   8 /* vertices of each body */
#define STEPS  400
#define TRIES  3 /* step lengths */
#define CELLS  48
#define FLOWN  10.0 /* way in one step, after which a body is out of sight [m] */
#define CHECKS 4
#define PATH   0.2 /* [rad] */
#define PLACES 100

enum { SEPARATE, DEEP, ALIGN, PROBLEMS };
enum { SOFT, STIFF, KINDS };
static const struct problem {
    const char *name;
    double start[6];
    double length[TRIES]; /* of steps, η */
} problem_of[PROBLEMS] = {{"separate", {0.35, 0.2, 0.15, 0.2, 0.3, 0.5}, {1, 10, 0.1}},
                          {"deep", {0.25, 0.18, 0.1, 0.3, 0.2, 0.4}, {0.1, 10, 1}},
                          {"align", {0, 0, 1.1, 0.25, -0.15, 0}, {0.01, 10, 1e4}}};

typedef struct descent {
    int problem;
    bool hard;
    double length; /* of steps, η */
    ts_manifold *manifold;
    ts_manifold_work *work;
    ts_manifold_contacts contacts, bar;
    size_t count;
    double s[6];
    double number[STEPS + 1], loss[STEPS + 1], deepest[STEPS + 1], angle[STEPS + 1]; /* by steps; deepest: gap of a
                                                                    vertex [m]; angle: between the two z axes [°] */
    int rises;     /* steps after which the loss was larger */
    int clear;     /* first step at which no vertex was inside; STEPS + 1: never */
    double leap;   /* the longest way in one step [m] */
    double shared; /* volume at the end, over that at first */
} descent;

typedef struct flows {
    ts_study *study;
    ts_sdf_body *body[PROBLEMS][2];
    descent run[PROBLEMS][KINDS][TRIES];
    double off;            /* of gradients from central differences, over their length */
    double jump[KINDS][2]; /* of gradients between neighbours on a path, over the largest; at two distances */
} flows;

/* ---- One descent ---- */

static void close_descent(descent *d)
{
    ts_free(d->contacts.gap);
    ts_free(d->contacts.weight);
    ts_free(d->bar.gap);
    ts_free(d->bar.weight);
    ts_manifold_work_free(d->work);
    ts_manifold_free(d->manifold);
}

static ts_status open_descent(const flows *all, descent *d, int problem, bool hard, double eta, ts_error *error)
{
    d->problem = problem;
    d->hard = hard;
    d->length = eta;
    memcpy(d->s, problem_of[problem].start, sizeof d->s);
    ts_manifold_options options = ts_manifold_default_options();
    options.smoothing = ts_manifold_smoothing_of(hard ? HARD : SMOOTH);
    options.hard = hard;
    options.edges = false;
    for (int i = 0; hard && i < 2; i++)
        options.keep_vertices[i] = KEPT;
    TS_TRY(ts_manifold_create(all->body[problem][0], all->body[problem][1], &options, &d->manifold, error));
    TS_TRY(ts_manifold_work_create(d->manifold, &d->work, error));
    d->count = ts_manifold_get_counts(d->manifold).all;
    TS_TRY(ts_new(&d->contacts.gap, d->count, error));
    TS_TRY(ts_new(&d->contacts.weight, d->count, error));
    TS_TRY(ts_new(&d->bar.gap, d->count, error));
    return ts_new(&d->bar.weight, d->count, error);
}

/* What one gap costs, and its derivative. */
static double cost(int problem, double tau, double gap, double *slope)
{
    const double x = gap / tau;
    if (problem != ALIGN) {
        const double relu = x < -30 ? -gap : tau * log1p(exp(-x));
        *slope = -2 * relu / (1 + exp(x));
        return relu * relu;
    }
    const double q = x > 0 ? 1 + x * x : 1;
    *slope = 2 * x / (q * q * tau);
    return x * x / q;
}

/* The loss at exp(s), and its gradient (NULL: not wanted). */
static ts_status look(descent *d, const double s[6], double *loss, double gradient[6], ts_error *error)
{
    const ts_manifold_pose a = {.attitude = {1}}, b = ts_manifold_pose_exp(s);
    const double tau = d->hard ? HARD : SMOOTH, share = 1 / (double)d->count;
    TS_TRY(ts_manifold_find(d->manifold, d->work, &a, &b, &d->contacts, error));
    *loss = 0;
    for (size_t i = 0; i < d->count; i++) {
        double slope, own = cost(d->problem, tau, d->contacts.gap[i], &slope);
        *loss += share * d->contacts.weight[i] * own;
        d->bar.gap[i] = share * d->contacts.weight[i] * slope;
        d->bar.weight[i] = share * own;
    }
    if (!gradient)
        return TS_OK;
    ts_manifold_pose_bar to[2] = {{{0}, {0}}, {{0}, {0}}};
    TS_TRY(ts_manifold_find_vjp(d->manifold, d->work, NULL, &d->bar, &to[0], &to[1], error));
    ts_manifold_pose_exp_vjp(s, &to[1], gradient);
    return TS_OK;
}

static double deepest(const descent *d)
{
    const ts_manifold_counts counts = ts_manifold_get_counts(d->manifold);
    double least = HUGE_VAL;
    for (size_t i = 0; i < counts.vertices[0] + counts.vertices[1]; i++)
        least = fmin(least, d->contacts.gap[i]);
    return least;
}

static double angle_of(const double s[6])
{
    const ts_manifold_pose pose = ts_manifold_pose_exp(s);
    const ts_vec3 z = ts_pose3_apply_vector(ts_smooth_pose(&pose), (ts_vec3){0, 0, 1});
    return atan2(hypot(z.x, z.y), z.z) * 180 / TS_PI;
}

static double shared(const flows *all, int problem, const double s[6])
{
    const ts_manifold_pose pose = ts_manifold_pose_exp(s);
    return ts_smooth_shared_volume(all->body[problem][0], all->body[problem][1], ts_pose3_identity(),
                                   ts_smooth_pose(&pose), CELLS);
}

static ts_status descend(const flows *all, descent *d, ts_error *error)
{
    d->clear = STEPS + 1;
    for (int k = 0; k <= STEPS; k++) {
        double gradient[6];
        d->number[k] = k;
        if (k > 0 && d->leap > FLOWN) { /* for good */
            d->loss[k] = d->loss[k - 1];
            d->deepest[k] = d->deepest[k - 1];
            d->angle[k] = d->angle[k - 1];
            continue;
        }
        TS_TRY(look(d, d->s, &d->loss[k], gradient, error));
        d->deepest[k] = deepest(d);
        d->angle[k] = angle_of(d->s);
        d->rises += k > 0 && d->loss[k] > d->loss[k - 1] * (1 + 1e-12);
        if (d->deepest[k] >= 0 && k < d->clear)
            d->clear = k;
        double way = 0;
        for (int i = 0; k < STEPS && i < 6; i++) {
            d->s[i] -= d->length * gradient[i];
            way += i < 3 ? d->length * d->length * gradient[i] * gradient[i] : 0;
        }
        d->leap = fmax(d->leap, sqrt(way));
    }
    if (d->problem != ALIGN)
        d->shared = shared(all, d->problem, d->s) / shared(all, d->problem, problem_of[d->problem].start);
    return TS_OK;
}

/* ---- Gradients: against differences, and along a path ---- */

/* Largest difference from central differences along a descent of both problems, over the gradient's length. */
static ts_status check_gradients(flows *all, ts_error *error)
{
    for (int p = 0; p < PROBLEMS; p++)
        for (int k = 0; k < CHECKS; k++) {
            descent *d = &all->run[p][SOFT][0];
            double s[6], gradient[6], size = 0, off = 0, loss;
            for (int i = 0; i < 6; i++) /* between the start and the end */
                s[i] = problem_of[p].start[i] + (d->s[i] - problem_of[p].start[i]) * k / CHECKS;
            TS_TRY(look(d, s, &loss, gradient, error));
            for (int i = 0; i < 6; i++) {
                const double h = 1e-5, at = s[i];
                double more, less;
                s[i] = at + h;
                TS_TRY(look(d, s, &more, NULL, error));
                s[i] = at - h;
                TS_TRY(look(d, s, &less, NULL, error));
                s[i] = at;
                size = fmax(size, fabs(gradient[i]));
                off = fmax(off, fabs(gradient[i] - (more - less) / (2 * h)));
            }
            all->off = fmax(all->off, off / size);
        }
    return TS_OK;
}

/* One body turns by PATH about its axis among the arms of the other: the largest change of the gradient from one of
 * `count` places to the next, over the largest gradient. */
static ts_status walk(descent *d, int count, double *jump, ts_error *error)
{
    double before[6] = {0}, largest = 0, change = 0;
    for (int k = 0; k <= count; k++) {
        double s[6], gradient[6], loss, size = 0, step = 0;
        memcpy(s, problem_of[DEEP].start, sizeof s);
        s[5] += PATH * k / count;
        TS_TRY(look(d, s, &loss, gradient, error));
        for (int i = 0; i < 6; i++) {
            size += gradient[i] * gradient[i];
            step += (gradient[i] - before[i]) * (gradient[i] - before[i]);
        }
        largest = fmax(largest, size);
        if (k > 0)
            change = fmax(change, step);
        memcpy(before, gradient, sizeof before);
    }
    *jump = sqrt(change / largest);
    return TS_OK;
}

/* ---- Telling ---- */

/* How many step lengths are tried. Smooth contacts align with the first; a larger one is beyond what is stable. */
static int tries(int problem, int kind)
{
    return problem == ALIGN && kind == SOFT ? 1 : TRIES;
}

static ts_status claim_separate(ts_study *study, const flows *all, ts_error *error)
{
    const descent *soft = all->run[SEPARATE][SOFT], *hard = all->run[SEPARATE][STIFF];
    int rises = 0;
    for (int i = 0; i < TRIES; i++)
        rises += soft[i].rises + all->run[DEEP][SOFT][i].rises;
    TS_TRY(ts_claim_at_most(study, soft->shared, 0, "1", error,
                            "separate, smooth: shared volume after %d steps, over that at first", STEPS));
    TS_TRY(
        ts_claim_at_least(study, soft->deepest[STEPS], 0.05, "m", error,
                          "separate, smooth: smallest gap of a vertex at the end (at first %.3g m; 0 after %d steps)",
                          soft->deepest[0], soft->clear));
    const descent *deep = &all->run[DEEP][SOFT][2];
    TS_TRY(ts_claim_at_most(study, deep->clear, STEPS, "1", error,
                            "deep, η = %g, smooth: steps until no vertex is inside", deep->length));
    TS_TRY(ts_claim_at_most(study, rises, 0, "1", error,
                            "separate and deep, smooth, every step length: steps after which the loss is larger"));
    TS_TRY(ts_claim_at_most(study, hard[2].deepest[STEPS], 1e-3, "m", error,
                            "separate, η = %g, hard: stalls at the surface: smallest gap at the end (smooth: %.2g m)",
                            hard[2].length, soft[2].deepest[STEPS]));
    return ts_claim_at_least(study, hard[1].leap, 1, "m", error,
                             "separate, η = %g, hard: thrown off: longest way in one step (smooth: %.2g m)",
                             hard[1].length, soft[1].leap);
}

static ts_status claim(ts_study *study, const flows *all, ts_error *error)
{
    TS_TRY(ts_claim_at_most(study, all->off, 1e-6, "1", error,
                            "gradients of the losses: farthest from central differences, over their length"));
    TS_TRY(claim_separate(study, all, error));
    TS_TRY(ts_claim_at_most(study, all->jump[SOFT][1] / all->jump[SOFT][0], 0.5, "1", error,
                            "smooth: change of the gradient from place to place (%.2g of it), at a tenth of the "
                            "distance over that",
                            all->jump[SOFT][0]));
    TS_TRY(ts_claim_at_least(study, all->jump[STIFF][1] / all->jump[STIFF][0], 0.8, "1", error,
                             "hard: the same (%.2g of it): the gradient jumps", all->jump[STIFF][0]));
    const descent *soft = all->run[ALIGN][SOFT], *hard = all->run[ALIGN][STIFF];
    TS_TRY(ts_claim_at_most(study, soft->angle[STEPS], 1, "°", error,
                            "align, smooth: angle between the faces after %d steps (at first %.3g°)", STEPS,
                            soft->angle[0]));
    TS_TRY(ts_claim_at_most(study, soft->rises, 0, "1", error, "align, smooth: steps after which the loss is larger"));
    TS_TRY(ts_claim_at_least(study, hard->angle[STEPS], 0.99 * hard->angle[0], "°", error,
                             "align, η = %g, hard: stalls: angle between the faces", hard->length));
    return ts_claim_at_least(study, fmin(hard[1].leap, hard[2].leap), FLOWN, "m", error,
                             "align, η = %g and %g, hard: flies off: way in one step", hard[1].length, hard[2].length);
}

static ts_status draw(ts_study *study, const flows *all, ts_error *error)
{
    ts_smooth_panel panel[6];
    char label[6][80];
    for (int k = 0; k < 6; k++) {
        const int p = k < 3 ? SEPARATE : ALIGN;
        const descent *d = &all->run[p][k % 3 == 2 ? STIFF : SOFT][0];
        const ts_manifold_pose pose = ts_manifold_pose_exp(k % 3 == 0 ? problem_of[p].start : d->s);
        panel[k] = (ts_smooth_panel){
            {all->body[p][0], all->body[p][1]}, {ts_pose3_identity(), ts_smooth_pose(&pose)}, label[k]};
        snprintf(label[k], sizeof label[k], k % 3 == 0 ? "%s: at first" : "%s: %s, after %d steps", problem_of[p].name,
                 d->hard ? "hard" : "smooth", STEPS);
    }
    return ts_smooth_draw(
        study,
        &(ts_smooth_figure){"gradient-flow", "Gradient descent on the pose of the upper body", panel, 3, 2, 1280, 860},
        error);
}

static ts_status plot(ts_study *study, const flows *all, ts_error *error)
{
    ts_plot_line line[2 * TRIES];
    char name[2 * TRIES][40];
    for (int h = 0; h < KINDS; h++)
        for (int i = 0; i < TRIES; i++) {
            const descent *d = &all->run[SEPARATE][h][i];
            snprintf(name[h * TRIES + i], sizeof *name, "%s, η = %g", h ? "hard" : "smooth", d->length);
            line[h * TRIES + i] = (ts_plot_line){name[h * TRIES + i], d->number, d->deepest, STEPS + 1, false};
        }
    TS_TRY(ts_figure_plot(
        study, &(ts_plot){"Two jacks are separated", "step", "smallest gap of a vertex [m]", false, line, 2 * TRIES},
        "separate", error));
    const descent *soft = all->run[ALIGN][SOFT], *hard = all->run[ALIGN][STIFF];
    line[0] = (ts_plot_line){"smooth", soft->number, soft->angle, STEPS + 1, false};
    line[1] = (ts_plot_line){"hard", hard->number, hard->angle, STEPS + 1, false};
    return ts_figure_plot(study, &(ts_plot){"Two faces are aligned", "step", "angle between them [°]", false, line, 2},
                          "align", error);
}

static void close_all(flows *all)
{
    for (int p = 0; p < PROBLEMS; p++) {
        for (int h = 0; h < KINDS; h++)
            for (int i = 0; i < TRIES; i++)
                close_descent(&all->run[p][h][i]);
        for (int i = 0; i < 2; i++)
            ts_sdf_body_free(all->body[p][i]);
    }
}

static ts_status make_bodies(flows *all, ts_error *error)
{
    for (int i = 0; i < 2; i++) {
        TS_TRY(ts_smooth_jack(1, 600, &all->body[SEPARATE][i], error));
        TS_TRY(ts_smooth_jack(1, 600, &all->body[DEEP][i], error));
    }
    TS_TRY(ts_smooth_superquadric((ts_vec3){0.5, 0.5, 0.5}, 0.1, 6, &all->body[ALIGN][0], error));
    return ts_smooth_superquadric((ts_vec3){0.4, 0.4, 0.4}, 0.1, 6, &all->body[ALIGN][1], error);
}

ts_status ts_study_gradient_flow(ts_study *study, ts_error *error)
{
    TS_AUTO(close_all) flows all = {.study = study};
    TS_TRY(make_bodies(&all, error));
    for (int p = 0; p < PROBLEMS; p++)
        for (int h = 0; h < KINDS; h++)
            for (int i = 0; i < tries(p, h); i++) {
                descent *d = &all.run[p][h][i];
                ts_study_report(study, (p + 0.5 * h + 0.5 * i / TRIES) / PROBLEMS, problem_of[p].name);
                TS_TRY(open_descent(&all, d, p, h == STIFF, problem_of[p].length[i], error));
                TS_TRY(descend(&all, d, error));
            }
    TS_TRY(check_gradients(&all, error));
    for (int h = 0; h < KINDS; h++)
        for (int i = 0; i < 2; i++)
            TS_TRY(walk(&all.run[DEEP][h][0], i ? 10 * PLACES : PLACES, &all.jump[h][i], error));
    TS_TRY(claim(study, &all, error));
    TS_TRY(draw(study, &all, error));
    return plot(study, &all, error);
}
