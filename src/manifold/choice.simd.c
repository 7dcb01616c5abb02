/* SPDX-License-Identifier: MIT */
#include "manifold/choice.h"
#include "base/kernel.h"
#include "base/wide.h"

TS_SIMD bool any(ts_wide_mask m)
{
#if TS_WIDE == 8
    return ts_mask8_any(m);
#else
    return ts_mask_bits(m) != 0;
#endif
}

/* Eight sums, by index modulo eight, in as many vectors as that takes: the order of additions is the same for all widths. */
enum { PARTS = TS_WIDE_MOST / TS_WIDE };
typedef struct sums {
    ts_wide part[PARTS];
} sums;

static double total(const sums *s)
{
    double v[TS_WIDE_MOST];
    for (int i = 0; i < PARTS; i++)
        ts_wide_store(v + i * TS_WIDE, s->part[i]);
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* `count` is padded: scores there are −∞, so that shares are 0. */
static void row(size_t count, const double *score, double target, double tau, double far, double *share)
{
    const double per = 1 / tau, most = far * tau;
    const ts_wide zero = ts_wide_broadcast(0);
    sums sum = {{zero}};
    for (int i = 1; i < PARTS; i++)
        sum.part[i] = zero;
    for (size_t at = 0; at < count; at += TS_WIDE_MOST)
        for (int i = 0; i < PARTS; i++) {
            const size_t k = at + (size_t)(i * TS_WIDE);
            const ts_wide off = TS_WIDE_OP(abs)(ts_wide_load(score + k) - target);
            const ts_wide_mask near = (ts_wide_mask)(off <= most);
            ts_wide e = zero;
            if (any(near))
                e = ts_wide_select(near, TS_WIDE_OP(exp_core)(-ts_wide_min(off, ts_wide_broadcast(most)) * per), zero);
            ts_wide_store(share + k, e);
            sum.part[i] = sum.part[i] + e;
        }
    const double scale = 1 / total(&sum);
    for (size_t i = 0; i < count; i += TS_WIDE)
        ts_wide_store(share + i, ts_wide_load(share + i) * scale);
}

/* Three columns at a time; vectors without shares are passed by. */
static void apply(size_t count, const double *share, const double *const column[3], double out[3])
{
    const ts_wide zero = ts_wide_broadcast(0);
    sums sum[3];
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < PARTS; i++)
            sum[c].part[i] = zero;
    for (size_t at = 0; at < count; at += TS_WIDE_MOST)
        for (int i = 0; i < PARTS; i++) {
            const size_t k = at + (size_t)(i * TS_WIDE);
            const ts_wide s = ts_wide_load(share + k);
            if (!any((ts_wide_mask)(s > zero)))
                continue;
            for (int c = 0; c < 3; c++)
                sum[c].part[i] = sum[c].part[i] + s * ts_wide_load(column[c] + k);
        }
    for (int c = 0; c < 3; c++)
        out[c] = total(&sum[c]);
}

/* share_bar += Σ out_bar · column, over three columns. */
static void apply_vjp(size_t count, const double *const column[3], const double out_bar[3], double *share_bar)
{
    for (size_t k = 0; k < count; k += TS_WIDE) {
        ts_wide sum = ts_wide_load(share_bar + k);
        for (int c = 0; c < 3; c++)
            sum = sum + ts_wide_load(column[c] + k) * out_bar[c];
        ts_wide_store(share_bar + k, sum);
    }
}

/* to[i] = share_i (bar_i − mean) · (sign of target − score_i) / τ, and the sum of that. */
static double row_vjp(size_t count, const double *score, double target, double tau, const double *share,
                      const double *bar, double *to)
{
    const double per = 1 / tau;
    const ts_wide zero = ts_wide_broadcast(0), up = ts_wide_broadcast(per), down = ts_wide_broadcast(-per);
    sums mean, sum;
    for (int i = 0; i < PARTS; i++)
        mean.part[i] = sum.part[i] = zero;
    for (size_t at = 0; at < count; at += TS_WIDE_MOST)
        for (int i = 0; i < PARTS; i++) {
            const size_t k = at + (size_t)(i * TS_WIDE);
            mean.part[i] = mean.part[i] + ts_wide_load(share + k) * ts_wide_load(bar + k);
        }
    const double least = total(&mean);
    for (size_t at = 0; at < count; at += TS_WIDE_MOST)
        for (int i = 0; i < PARTS; i++) {
            const size_t k = at + (size_t)(i * TS_WIDE);
            const ts_wide s = ts_wide_load(score + k);
            const ts_wide slope =
                ts_wide_select((ts_wide_mask)(s < target), up, ts_wide_select((ts_wide_mask)(s > target), down, zero));
            const ts_wide go = ts_wide_load(share + k) * (ts_wide_load(bar + k) - least) * slope;
            ts_wide_store(to + k, go);
            sum.part[i] = sum.part[i] + go;
        }
    return total(&sum);
}

const ts_choice_kernels TS_KERNEL(ts_choice) = {row, apply, apply_vjp, row_vjp};
