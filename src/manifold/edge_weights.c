/* SPDX-License-Identifier: MIT */
#include "manifold/edge_weights.h"

#include <math.h>

#include "base/kernel.h"

TS_KERNEL_CHOOSER(ts_edge_weight_kernels, ts_edge_weight)

void ts_edge_distances(size_t count, const double *const e1[3], const double *const e2[3], double *distance)
{
    for (size_t i = 0; i < count; i++) {
        const double x = e2[0][i] - e1[0][i], y = e2[1][i] - e1[1][i], z = e2[2][i] - e1[2][i];
        distance[i] = sqrt(x * x + y * y + z * z);
    }
}

void ts_edge_weights(const ts_edge_weight_rule *rule, size_t count, const ts_edge_weight_in *in,
                     const ts_edge_weight_out *out)
{
    ts_edge_weight_choose()->weights(rule, count, in, out);
}

void ts_edge_weights_vjp(const ts_edge_weight_rule *rule, size_t count, const ts_edge_weight_in *in,
                         const ts_edge_weight_out *bar, const ts_edge_weight_in *to)
{
    ts_edge_weight_choose()->weights_vjp(rule, count, in, bar, to);
}

/* ---- Nearest neighbours ---- */

/* One row, or one column, of a matrix. */
typedef struct line {
    size_t count, step;
} line;

/* The shares of a line of distances sum up to 1. */
static void scale_line(line l, double *share)
{
    double sum = 0;
    for (size_t i = 0; i < l.count; i++)
        sum += share[i * l.step];
    for (size_t i = 0; i < l.count; i++)
        share[i * l.step] /= sum;
}

static double squares_of(line l, const double *share)
{
    double sum = 0;
    for (size_t i = 0; i < l.count; i++)
        sum += share[i * l.step] * share[i * l.step];
    return sum;
}

void ts_edge_near(const ts_edge_weight_rule *rule, size_t rows, size_t columns, bool along_rows, const double *distance,
                  double *share, double *near)
{
    const size_t lines = along_rows ? rows : columns, next = along_rows ? columns : 1;
    const line l = along_rows ? (line){columns, 1} : (line){rows, columns};
    for (size_t k = 0; k < lines; k++) { /* less the least of each line, so that nothing underflows altogether */
        const double *d = distance + k * next;
        double low = d[0];
        for (size_t i = 1; i < l.count; i++)
            low = fmin(low, d[i * l.step]);
        for (size_t i = 0; i < l.count; i++)
            share[k * next + i * l.step] = low - d[i * l.step];
    }
    ts_edge_weight_choose()->exps(rows * columns, share, 1 / rule->nearest, share);
    for (size_t k = 0; k < lines; k++) {
        double *s = share + k * next, *to = near + k * next;
        scale_line(l, s);
        const double per = 1 / squares_of(l, s);
        for (size_t i = 0; i < l.count; i++) {
            const double r = s[i * l.step] * per;
            to[i * l.step] = rule->published ? s[i * l.step] : 2 * r / (1 + r * r);
        }
    }
}

void ts_edge_near_vjp(const ts_edge_weight_rule *rule, size_t rows, size_t columns, bool along_rows,
                      const double *share, const double *near_bar, double *distance_bar)
{
    const size_t lines = along_rows ? rows : columns, next = along_rows ? columns : 1;
    const line l = along_rows ? (line){columns, 1} : (line){rows, columns};
    for (size_t k = 0; k < lines; k++) {
        const double *s = share + k * next, *bar = near_bar + k * next;
        double *to = distance_bar + k * next;
        const double per = rule->published ? 0 : 1 / squares_of(l, s);
        /* of a share: as it is, and by the sum of squares; `mean` is Σ share · its adjoint */
        double square_bar = 0, mean = 0;
        for (size_t i = 0; !rule->published && i < l.count; i++) {
            const double r = s[i * l.step] * per, q = 1 + r * r;
            square_bar -= bar[i * l.step] * 2 * (1 - r * r) / (q * q) * r * per;
        }
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < l.count; i++) {
                const double share_i = s[i * l.step], r = share_i * per, q = 1 + r * r;
                const double share_bar =
                    rule->published ? bar[i * l.step]
                                    : bar[i * l.step] * 2 * (1 - r * r) / (q * q) * per + 2 * square_bar * share_i;
                if (pass == 0)
                    mean += share_i * share_bar;
                else
                    to[i * l.step] -= share_i * (share_bar - mean) / rule->nearest;
            }
    }
}
