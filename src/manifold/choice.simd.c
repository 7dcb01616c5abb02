/* SPDX-License-Identifier: MIT */
#include "manifold/choice.h"
#include "base/kernel.h"
#include "base/wide.h"

/* `count` is padded: scores there are −∞, so that shares are 0. */
static void row(size_t count, const double *score, double target, double tau, double *share)
{
    const double per = 1 / tau;
    for (size_t i = 0; i < count; i += TS_WIDE) {
        const ts_wide off = ts_wide_load(score + i) - target;
        ts_wide_store(share + i, ts_wide_exp(-ts_wide_max(off, -off) * per));
    }
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += share[i];
    const double scale = 1 / sum;
    for (size_t i = 0; i < count; i += TS_WIDE)
        ts_wide_store(share + i, ts_wide_load(share + i) * scale);
}

const ts_choice_kernels TS_KERNEL(ts_choice) = {row};
