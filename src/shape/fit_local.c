/* SPDX-License-Identifier: MIT */
/* The fit of one superquadric to truncated distances.
 *
 *     residual    clamp(φ / |∇φ|) − clamp(d)          both cut off at ± T = 1.2 cells: what is far says inside or outside only
 *     weight      of nodes that it should not cover: 1
 *                 of nodes that it leaves bare, but others may cover: e / (e + c), e = exp(−r² / 2σ²), the chance of an inlier
 *
 * A Levenberg–Marquardt step in all parameters within their bounds, weights anew after each. Where the body goes on
 * beyond the box, the box goes with it. A superquadric has several descriptions: any of its axes may be z, and a
 * square prism (ε₂ = 2 − ε) turned by 45° is nearly another one (ε₂ = ε). Each is a start of its own. */
#include "shape/fit_local.h"

#include <math.h>
#include <string.h>

#include "base/simd_exp.h"

enum { NODES_MOST = 2500, STEPS = 12, BOXES = 3, STEPS_OF_SWITCH = 8 };

#define TRUNCATE     1.2  /* cells */
#define EXTEND       0.25 /* of the size, by which the box is larger */
#define EXTEND_CELLS 2.5
#define OUTLIER      0.1  /* c: density of outliers over that of inliers with r = 0 */
#define LONGEST      0.1  /* step of a position */
#define COVERED      0.05 /* weight of what other superquadrics cover */

/* ---- Nodes ---- */

enum { COLUMNS = 4 + TS_FIT_PARAMETERS };

void ts_fit_nodes_free(ts_fit_nodes *nodes)
{
    ts_free(nodes->index);
    ts_free(nodes->block);
    *nodes = (ts_fit_nodes){0};
}

static ts_status make_room(ts_fit_nodes *nodes, size_t count, ts_error *error)
{
    nodes->count = count;
    if (count <= nodes->capacity)
        return TS_OK;
    ts_fit_nodes_free(nodes);
    TS_TRY(ts_new_raw(&nodes->index, count, error));
    TS_TRY(ts_new_raw(&nodes->block, COLUMNS * count, error));
    nodes->count = nodes->capacity = count;
    nodes->x = nodes->block;
    nodes->y = nodes->block + count;
    nodes->z = nodes->block + 2 * count;
    nodes->value = nodes->block + 3 * count;
    for (size_t k = 0; k < TS_FIT_PARAMETERS; k++)
        nodes->slope[k] = nodes->block + (4 + k) * count;
    return TS_OK;
}

typedef struct span {
    int32_t from[3], to[3];
} span;

static span span_of(const ts_fit_grid *g, ts_box3 box)
{
    const double low[3] = {box.low.x - g->origin.x, box.low.y - g->origin.y, box.low.z - g->origin.z};
    const double high[3] = {box.high.x - g->origin.x, box.high.y - g->origin.y, box.high.z - g->origin.z};
    span s;
    for (int k = 0; k < 3; k++) {
        s.from[k] = (int32_t)fmin(fmax(ceil(low[k] / g->cell), 0), g->size[k]);
        s.to[k] = (int32_t)fmax(fmin(floor(high[k] / g->cell), g->size[k] - 1), -1);
    }
    return s;
}

ts_status ts_fit_nodes_near(const ts_fit_grid *g, const ts_primitive *primitive, double share, double cells,
                            size_t most, ts_fit_nodes *nodes, ts_error *error)
{
    const ts_mat3 turn = ts_quat_to_matrix(primitive->pose.quat);
    const ts_vec3 c = primitive->pose.position, more = {cells * g->cell, cells * g->cell, cells * g->cell};
    const ts_vec3 half = ts_vec3_add(ts_vec3_scale(primitive->size, 1 + share), more);
    ts_vec3 reach = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const ts_vec3 axis = ts_mat3_column(turn, k);
        const double h = k == 0 ? half.x : k == 1 ? half.y : half.z;
        reach = ts_vec3_add_scaled(reach, (ts_vec3){fabs(axis.x), fabs(axis.y), fabs(axis.z)}, h);
    }
    const span s = span_of(g, (ts_box3){ts_vec3_sub(c, reach), ts_vec3_add(c, reach)});
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        const size_t each = pass == 0 || count <= most ? 1 : (count + most - 1) / most;
        if (pass == 1)
            TS_TRY(make_room(nodes, (count + each - 1) / each, error));
        count = 0;
        for (int32_t k = s.from[2]; k <= s.to[2]; k++)
            for (int32_t j = s.from[1]; j <= s.to[1]; j++)
                for (int32_t i = s.from[0]; i <= s.to[0]; i++) {
                    const ts_vec3 p = ts_fit_node(g, i, j, k);
                    const ts_vec3 q = ts_mat3_apply_transposed(turn, ts_vec3_sub(p, c));
                    if (fabs(q.x) > half.x || fabs(q.y) > half.y || fabs(q.z) > half.z)
                        continue;
                    if (pass == 1 && count % each == 0) {
                        const size_t n = count / each;
                        nodes->index[n] = (int32_t)ts_fit_index(g, i, j, k);
                        nodes->x[n] = p.x;
                        nodes->y[n] = p.y;
                        nodes->z[n] = p.z;
                    }
                    count++;
                }
    }
    return TS_OK;
}

void ts_fit_nodes_ask(ts_fit_nodes *nodes, const ts_primitive *primitive, bool slopes)
{
    ts_sdf_pack pack;
    ts_sdf_pack_superquadric(primitive, &pack);
    const ts_sdf_points at = {nodes->count, nodes->x, nodes->y, nodes->z};
    ts_fit_choose()->values((const ts_sdf_pack *const[2]){&pack, &pack}, &at,
                            (double *const[2]){nodes->value, nodes->value});
    if (slopes)
        ts_fit_choose()->slopes(&pack, &at, nodes->slope);
}

/* ---- Parameters ---- */

static double *size_of(ts_primitive *p, int k)
{
    return k == 0 ? &p->size.x : k == 1 ? &p->size.y : &p->size.z;
}

void ts_fit_move(ts_primitive *p, const double step[TS_FIT_PARAMETERS], const ts_fit_bounds *bounds)
{
    for (int k = 0; k < 3; k++) {
        double *size = size_of(p, k);
        *size = fmin(fmax(*size * ts_exp(fmin(fmax(step[k], -1), 1)), bounds->size[0]), bounds->size[1]);
    }
    for (int k = 0; k < 2; k++)
        p->exponent[k] = fmin(fmax(p->exponent[k] + step[3 + k], bounds->exponent[0]), bounds->exponent[1]);
    /* one that few points hold must not fly away: by a tenth at most, and not out of the mesh's box */
    const double longest = fmax(fabs(step[8]), fmax(fabs(step[9]), fabs(step[10])));
    const ts_vec3 whole = ts_quat_apply(p->pose.quat, ts_vec3_of(step + 8));
    const ts_vec3 shift = ts_vec3_scale(whole, longest > LONGEST ? LONGEST / longest : 1), half = {0.5, 0.5, 0.5};
    /* a rotation, but for what makes it of unit length again: no sine whose bits depend on the library */
    const ts_quat turn = ts_quat_unit((ts_quat){1, 0.5 * step[5], 0.5 * step[6], 0.5 * step[7]});
    p->pose.position = ts_vec3_min(ts_vec3_max(ts_vec3_add(p->pose.position, shift), ts_vec3_scale(half, -1)), half);
    p->pose.quat = ts_quat_unit(ts_quat_mul(p->pose.quat, turn));
}

bool ts_fit_stuck(const ts_primitive *primitive, int parameter, double way, const ts_fit_bounds *bounds)
{
    ts_primitive p = *primitive;
    if (parameter < 3)
        return way > 0 ? *size_of(&p, parameter) >= bounds->size[1] : *size_of(&p, parameter) <= bounds->size[0];
    if (parameter < 5)
        return way > 0 ? p.exponent[parameter - 3] >= bounds->exponent[1]
                       : p.exponent[parameter - 3] <= bounds->exponent[0];
    return false;
}

/* ---- Least squares ---- */

enum { N = TS_FIT_PARAMETERS };

typedef struct problem {
    const ts_fit_grid *grid;
    const ts_fit_bounds *bounds;
    ts_fit_nodes *nodes;
    double sigma; /* of inliers */
} problem;

/* Residual over T, and its weight. */
static double residual(const problem *p, size_t i, double scale, double *weight)
{
    const ts_fit_grid *g = p->grid;
    const double cut = TRUNCATE * g->cell;
    const double d = fmin(fmax((double)g->distance[p->nodes->index[i]], -cut), cut);
    const double f = fmin(fmax(p->nodes->value[i] * scale, -cut), cut), r = (f - d) / cut;
    *weight = 1;
    if (g->state[p->nodes->index[i]] == TS_FIT_COVERED)
        *weight = COVERED;
    else if (r > 0 && d < 0) {
        const double e = ts_exp(-0.5 * r * r / (p->sigma * p->sigma));
        *weight = e / (e + OUTLIER);
    }
    return r;
}

static double steepness(const ts_fit_nodes *nodes, size_t i)
{
    const double x = nodes->slope[8][i], y = nodes->slope[9][i], z = nodes->slope[10][i];
    return fmax(sqrt(x * x + y * y + z * z), 1);
}

/* Of the superquadric that the nodes were asked about. Weights depend on the residuals, so the cost has to count what an outlier costs:
 * without inlier weights it would be r², with them −2σ² log((e + c) / (1 + c)). */
static double cost_of(const problem *p, const double *scale)
{
    double sum = 0;
    for (size_t i = 0; i < p->nodes->count; i++) {
        double weight;
        const double r = residual(p, i, scale[i], &weight);
        const bool free =
            p->grid->state[p->nodes->index[i]] != TS_FIT_COVERED && r > 0 && p->grid->distance[p->nodes->index[i]] < 0;
        const double s2 = p->sigma * p->sigma;
        sum += free ? -2 * s2 * ts_log((ts_exp(-0.5 * r * r / s2) + OUTLIER) / (1 + OUTLIER)) : weight * r * r;
    }
    return sum;
}

static void gather(const problem *p, double *scale, double matrix[N][N], double vector[N])
{
    memset(matrix, 0, sizeof(double[N][N]));
    memset(vector, 0, sizeof(double[N]));
    for (size_t i = 0; i < p->nodes->count; i++) {
        double weight, row[N];
        scale[i] = 1 / steepness(p->nodes, i);
        const double r = residual(p, i, scale[i], &weight), cut = TRUNCATE * p->grid->cell;
        if (fabs(p->nodes->value[i] * scale[i]) >= cut)
            continue;
        for (int k = 0; k < N; k++)
            row[k] = p->nodes->slope[k][i] * scale[i] / cut;
        for (int k = 0; k < N; k++) {
            vector[k] -= weight * row[k] * r;
            for (int l = 0; l <= k; l++)
                matrix[k][l] += weight * row[k] * row[l];
        }
    }
}

/* (A + damping · diag A) x = b by Cholesky; fixed parameters do not move. */
static bool solve(const double matrix[N][N], const double vector[N], const bool fixed[N], double damping, double x[N])
{
    double l[N][N];
    for (int i = 0; i < N; i++) {
        x[i] = fixed[i] ? 0 : vector[i];
        for (int j = 0; j <= i; j++) {
            double sum = fixed[i] || fixed[j] ? 0 : matrix[i][j];
            if (i == j)
                sum = fixed[i] ? 1 : sum * (1 + damping) + 1e-9;
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0))
                return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= l[i][k] * x[k];
        x[i] /= l[i][i];
    }
    for (int i = N; i-- > 0;) {
        for (int k = i + 1; k < N; k++)
            x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
    return true;
}

/* Steps until nothing more is won; returns the cost. `scale`: scratch (nodes). */
static double descend(const problem *p, ts_primitive *primitive, int steps, double *scale)
{
    double matrix[N][N], vector[N], damping = 0.01, cost = HUGE_VAL;
    for (int step = 0; step < steps; step++) {
        bool fixed[N], better = false;
        double x[N];
        ts_fit_nodes_ask(p->nodes, primitive, true);
        gather(p, scale, matrix, vector);
        const double before = cost_of(p, scale);
        cost = before;
        for (int k = 0; k < N; k++)
            fixed[k] = ts_fit_stuck(primitive, k, vector[k], p->bounds);
        for (int attempt = 0; attempt < 4 && !better; attempt++) {
            ts_primitive moved = *primitive;
            if (solve(matrix, vector, fixed, damping, x)) {
                ts_fit_move(&moved, x, p->bounds);
                ts_fit_nodes_ask(p->nodes, &moved, false);
                cost = cost_of(p, scale);
                better = cost < before;
            }
            damping = better ? fmax(damping * 0.3, 1e-6) : damping * 8;
            if (better)
                *primitive = moved;
        }
        if (!better)
            return before;
        if (before - cost < 1e-3 * before)
            return cost;
    }
    return cost;
}

/* ---- Descriptions of the same body ---- */

/* Its z axis is the old x (1) or y (2); or it is turned by 45° about z, with the dual exponent (3). */
static ts_primitive described(const ts_primitive *p, int which)
{
    const ts_vec3 s = p->size;
    const double h = 0.5, r = 0.70710678118654752440;
    ts_primitive q = *p;
    if (which == 1) {
        q.size = (ts_vec3){s.y, s.z, s.x};
        q.pose.quat = ts_quat_mul(p->pose.quat, (ts_quat){h, h, h, h});
    } else if (which == 2) {
        q.size = (ts_vec3){s.z, s.x, s.y};
        q.pose.quat = ts_quat_mul(p->pose.quat, (ts_quat){h, -h, -h, -h});
    } else {
        const double e = p->exponent[1], mean = sqrt(s.x * s.y);
        /* between a square (ε → 0, half axis 1) and the same as a rhombus (ε → 2, half axis √2) */
        const double grow = e < 1 ? 1 + (1 - e) * (1 / r - 1) : 1 / (1 + (e - 1) * (1 / r - 1));
        q.exponent[1] = 2 - e;
        q.size = (ts_vec3){mean * grow, mean * grow, s.z};
        q.pose.quat = ts_quat_mul(p->pose.quat, (ts_quat){sqrt(0.5 + 0.5 * r), 0, 0, sqrt(0.5 - 0.5 * r)});
    }
    if (which < 3)
        q.exponent[0] = q.exponent[1] = 0.5 * (p->exponent[0] + p->exponent[1]);
    return q;
}

static void try_others(const problem *p, ts_primitive *primitive, double cost, double *scale)
{
    ts_primitive best = *primitive;
    for (int which = 1; which <= 3; which++) {
        ts_primitive other = described(primitive, which);
        ts_fit_move(&other, (const double[N]){0}, p->bounds);
        const double own = descend(p, &other, STEPS_OF_SWITCH, scale);
        if (own < 0.98 * cost) {
            best = other;
            cost = own;
        }
    }
    *primitive = best;
}

ts_status ts_fit_local(ts_fit *fit, ts_primitive *primitive, ts_error *error)
{
    ts_fit_nodes nodes = {0};
    double *scale = NULL;
    problem p = {&fit->grid, &fit->bounds, &nodes, 0.6};
    ts_status status = ts_new_raw(&scale, NODES_MOST + 1, error);
    double cost = 0;
    for (int box = 0; status == TS_OK && box < BOXES; box++) {
        status = ts_fit_nodes_near(&fit->grid, primitive, EXTEND, EXTEND_CELLS, NODES_MOST, &nodes, error);
        if (status != TS_OK || nodes.count == 0)
            break;
        const ts_vec3 before = primitive->size;
        cost = descend(&p, primitive, STEPS, scale);
        if (box == 0)
            try_others(&p, primitive, cost, scale);
        p.sigma = fmax(0.7 * p.sigma, 0.3);
        const ts_vec3 grown = ts_vec3_sub(primitive->size, before);
        if (box > 0 && fmax(fabs(grown.x), fmax(fabs(grown.y), fabs(grown.z))) < 0.2 * fit->grid.cell)
            break;
    }
    ts_fit_nodes_free(&nodes);
    ts_free(scale);
    return status;
}
