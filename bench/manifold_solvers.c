/* SPDX-License-Identifier: MIT */
#include "manifold_solvers.h"

#include <math.h>
#include <string.h>

#define N          TS_INTERIOR_VARIABLES
#define M          TS_INTERIOR_ROWS
#define ROUNDS_MAX 60
/* Share of the way to the bounds that a step goes. */
#define STEP_MOST 0.995

/* ---- Interior point ---- */

typedef struct interior {
    const ts_interior_program *p;
    double x[N], slack[M], dual[M];
    double to_optimal[N], to_feasible[M]; /* residuals of Qx + c + Gᵀz = 0 and Gx + s = h */
    double factor[N][N];
    double dx[N], ds[M], dz[M];
} interior;

static double find_residuals(interior *w)
{
    const ts_interior_program *p = w->p;
    double most = 0;
    for (int i = 0; i < p->variables; i++) {
        double sum = p->c[i];
        for (int k = 0; k < p->variables; k++)
            sum += p->q[i][k] * w->x[k];
        for (int r = 0; r < p->rows; r++)
            sum += p->g[r][i] * w->dual[r];
        w->to_optimal[i] = sum;
        most = fmax(most, fabs(sum));
    }
    for (int r = 0; r < p->rows; r++) {
        double sum = w->slack[r] - p->h[r];
        for (int k = 0; k < p->variables; k++)
            sum += p->g[r][k] * w->x[k];
        w->to_feasible[r] = sum;
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* Cholesky factor of Q + Gᵀ diag(z / s) G. */
static void factorise(interior *w)
{
    const ts_interior_program *p = w->p;
    double weight[M];
    for (int r = 0; r < p->rows; r++)
        weight[r] = w->dual[r] / w->slack[r];
    for (int i = 0; i < p->variables; i++)
        for (int k = 0; k <= i; k++) {
            double sum = p->q[i][k];
            for (int r = 0; r < p->rows; r++)
                sum += p->g[r][i] * weight[r] * p->g[r][k];
            for (int j = 0; j < k; j++)
                sum -= w->factor[i][j] * w->factor[k][j];
            w->factor[i][k] = i == k ? sqrt(sum) : sum / w->factor[k][k];
        }
}

/* The Newton step towards s z = `target` row by row. */
static void find_step(interior *w, const double *target)
{
    const ts_interior_program *p = w->p;
    const int n = p->variables;
    double right[N], pull[M];
    for (int r = 0; r < p->rows; r++)
        pull[r] = (target[r] - w->slack[r] * w->dual[r] + w->dual[r] * w->to_feasible[r]) / w->slack[r];
    for (int i = 0; i < n; i++) {
        right[i] = -w->to_optimal[i];
        for (int r = 0; r < p->rows; r++)
            right[i] -= p->g[r][i] * pull[r];
        for (int k = 0; k < i; k++)
            right[i] -= w->factor[i][k] * right[k];
        right[i] /= w->factor[i][i];
    }
    for (int i = n; i-- > 0;) {
        for (int k = i + 1; k < n; k++)
            right[i] -= w->factor[k][i] * w->dx[k];
        w->dx[i] = right[i] / w->factor[i][i];
    }
    for (int r = 0; r < p->rows; r++) {
        double along = 0;
        for (int k = 0; k < n; k++)
            along += p->g[r][k] * w->dx[k];
        w->ds[r] = -w->to_feasible[r] - along;
        w->dz[r] = pull[r] + w->dual[r] / w->slack[r] * along;
    }
}

/* How far slacks and duals stay positive. */
static double longest_step(const interior *w)
{
    double step = 1;
    for (int r = 0; r < w->p->rows; r++) {
        if (w->ds[r] < 0)
            step = fmin(step, -w->slack[r] / w->ds[r]);
        if (w->dz[r] < 0)
            step = fmin(step, -w->dual[r] / w->dz[r]);
    }
    return step;
}

/* Mean of s z, at so much of the step. */
static double complementarity(const interior *w, double step)
{
    double sum = 0;
    for (int r = 0; r < w->p->rows; r++)
        sum += (w->slack[r] + step * w->ds[r]) * (w->dual[r] + step * w->dz[r]);
    return sum / w->p->rows;
}

static void predict_and_correct(interior *w, double mu)
{
    double target[M] = {0};
    factorise(w);
    find_step(w, target);
    const double share = complementarity(w, longest_step(w)) / mu, centre = share * share * share * mu;
    for (int r = 0; r < w->p->rows; r++)
        target[r] = centre - w->ds[r] * w->dz[r];
    find_step(w, target);
    const double step = fmin(1, STEP_MOST * longest_step(w));
    for (int i = 0; i < w->p->variables; i++)
        w->x[i] += step * w->dx[i];
    for (int r = 0; r < w->p->rows; r++) {
        w->slack[r] += step * w->ds[r];
        w->dual[r] += step * w->dz[r];
    }
}

int ts_interior_solve(const ts_interior_program *program, double tolerance, double *x)
{
    interior w = {.p = program};
    int round = 0;
    memcpy(w.x, x, (size_t)program->variables * sizeof *x);
    for (int r = 0; r < program->rows; r++) {
        w.slack[r] = program->h[r];
        for (int k = 0; k < program->variables; k++)
            w.slack[r] -= program->g[r][k] * x[k];
        w.dual[r] = 1;
    }
    for (; round < ROUNDS_MAX; round++) {
        const double residual = find_residuals(&w), mu = complementarity(&w, 0);
        if (residual <= tolerance && mu <= tolerance)
            break;
        predict_and_correct(&w, mu);
    }
    memcpy(x, w.x, (size_t)program->variables * sizeof *x);
    return round < ROUNDS_MAX ? round : -round;
}

/* ---- Queries ---- */

/* r(x) = base + x₀ u + x₁ v */
static ts_vec3 base_of(const ts_nearest_query *query, ts_vec3 *u, ts_vec3 *v)
{
    const bool face = query->face;
    *u = face ? ts_vec3_sub(query->q0, query->q1) : ts_vec3_sub(query->p1, query->p0);
    *v = face ? ts_vec3_sub(query->q0, query->q2) : ts_vec3_sub(query->q0, query->q1);
    return ts_vec3_sub(query->p0, query->q0);
}

ts_interior_program ts_nearest_program(const ts_nearest_query *query, double x[2])
{
    ts_vec3 u, v;
    const ts_vec3 base = base_of(query, &u, &v);
    const double lambda = query->face ? 0 : query->centre;
    ts_interior_program p = {.variables = 2, .rows = query->face ? 3 : 4};
    p.q[0][0] = ts_vec3_dot(u, u) + lambda;
    p.q[1][1] = ts_vec3_dot(v, v) + lambda;
    p.q[0][1] = p.q[1][0] = ts_vec3_dot(u, v);
    p.c[0] = ts_vec3_dot(base, u) - 0.5 * lambda;
    p.c[1] = ts_vec3_dot(base, v) - 0.5 * lambda;
    for (int i = 0; i < 2; i++) {
        p.g[i][i] = -1; /* x ≥ 0 */
        x[i] = query->face ? 1.0 / 3 : 0.5;
        p.g[query->face ? 2 : 2 + i][i] = 1; /* x₀ + x₁ ≤ 1, or each of them */
    }
    for (int r = 2; r < p.rows; r++)
        p.h[r] = 1;
    return p;
}

double ts_nearest_cost(const ts_nearest_query *query, const double x[2])
{
    ts_vec3 u, v;
    const ts_vec3 base = base_of(query, &u, &v);
    const ts_vec3 r = ts_vec3_add_scaled(ts_vec3_add_scaled(base, u, x[0]), v, x[1]);
    const double a = x[0] - 0.5, b = x[1] - 0.5;
    return ts_vec3_dot(r, r) + (query->face ? 0 : query->centre * (a * a + b * b));
}

/* ---- L-BFGS ---- */

enum { MEMORY = 5, STEPS_MAX = 200, HALVINGS_MAX = 40 };

typedef struct barrier {
    bool face;
    double lambda, mu;
    ts_vec3 base, u, v;
} barrier;

/* HUGE_VAL outside. */
static double value_of(const barrier *b, const double x[2], double slope[2])
{
    slope[0] = slope[1] = 0;
    if (!(x[0] > 0 && x[0] < 1 && x[1] > 0 && x[1] < 1))
        return HUGE_VAL;
    /* a face's second barycentric coordinate is u (1 − w) */
    const double rest = b->face ? 1 - x[1] : 1;
    const ts_vec3 r = ts_vec3_add_scaled(ts_vec3_add_scaled(b->base, b->u, x[0] * rest), b->v, x[1]);
    const ts_vec3 along = b->face ? ts_vec3_add_scaled(b->v, b->u, -x[0]) : b->v;
    double value = 0.5 * ts_vec3_dot(r, r);
    slope[0] = rest * ts_vec3_dot(r, b->u);
    slope[1] = ts_vec3_dot(r, along);
    double inside = 1;
    for (int i = 0; i < 2; i++) {
        const double off = x[i] - 0.5;
        value += 0.5 * b->lambda * off * off;
        inside *= x[i] * (1 - x[i]);
        slope[i] += b->lambda * off - b->mu * (1 - 2 * x[i]) / (x[i] * (1 - x[i]));
    }
    return value - b->mu * log(inside);
}

typedef struct memory {
    int count, next;
    double s[MEMORY][2], y[MEMORY][2], per[MEMORY];
} memory;

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/* −H slope by the two-loop recursion. */
static void find_direction(const memory *m, const double slope[2], double to[2])
{
    double share[MEMORY];
    to[0] = -slope[0], to[1] = -slope[1];
    for (int k = 0; k < m->count; k++) {
        const int i = (m->next - 1 - k + MEMORY) % MEMORY;
        share[i] = m->per[i] * dot2(m->s[i], to);
        to[0] -= share[i] * m->y[i][0], to[1] -= share[i] * m->y[i][1];
    }
    if (m->count > 0) {
        const int last = (m->next - 1 + MEMORY) % MEMORY;
        const double scale = 1 / (m->per[last] * dot2(m->y[last], m->y[last]));
        to[0] *= scale, to[1] *= scale;
    }
    for (int k = m->count; k-- > 0;) {
        const int i = (m->next - 1 - k + MEMORY) % MEMORY;
        const double more = share[i] - m->per[i] * dot2(m->y[i], to);
        to[0] += more * m->s[i][0], to[1] += more * m->s[i][1];
    }
}

static void remember(memory *m, const double from[2], const double x[2], const double before[2], const double slope[2])
{
    const double s[2] = {x[0] - from[0], x[1] - from[1]}, y[2] = {slope[0] - before[0], slope[1] - before[1]};
    const double sy = dot2(s, y);
    if (!(sy > 1e-14 * dot2(y, y)))
        return;
    memcpy(m->s[m->next], s, sizeof s);
    memcpy(m->y[m->next], y, sizeof y);
    m->per[m->next] = 1 / sy;
    m->next = (m->next + 1) % MEMORY;
    m->count = m->count < MEMORY ? m->count + 1 : MEMORY;
}

/* For one μ. */
static int descend(const barrier *b, double tolerance, double x[2])
{
    memory m = {.count = 0};
    double slope[2], direction[2], value = value_of(b, x, slope);
    int step = 0;
    for (; step < STEPS_MAX && fmax(fabs(slope[0]), fabs(slope[1])) > tolerance; step++) {
        find_direction(&m, slope, direction);
        const double down = dot2(slope, direction);
        double next[2], next_slope[2], length = 1, next_value = HUGE_VAL;
        for (int k = 0; k < HALVINGS_MAX; k++) {
            next[0] = x[0] + length * direction[0], next[1] = x[1] + length * direction[1];
            next_value = value_of(b, next, next_slope);
            if (next_value <= value + 1e-4 * length * down)
                break;
            length *= 0.5;
        }
        if (!(next_value < value))
            break; /* rounding */
        remember(&m, x, next, slope, next_slope);
        memcpy(x, next, sizeof next);
        memcpy(slope, next_slope, sizeof next_slope);
        value = next_value;
    }
    return step;
}

int ts_barrier_solve(const ts_nearest_query *query, double least, double tolerance, double x[2])
{
    barrier b = {.face = query->face, .lambda = query->face ? 0 : query->centre};
    int steps = 0;
    b.base = base_of(query, &b.u, &b.v);
    x[0] = 0.5;
    x[1] = query->face ? 1.0 / 3 : 0.5;
    b.mu = 0.1;
    while (b.mu > 0.5 * least) {
        steps += descend(&b, fmax(tolerance, 0.1 * b.mu), x);
        b.mu *= 0.1;
    }
    if (query->face)
        x[0] *= 1 - x[1];
    return steps;
}
