/* SPDX-License-Identifier: MIT */
#include "manifold/choice.h"

#include <math.h>
#include <string.h>

#include "base/kernel.h"

TS_KERNEL_CHOOSER(ts_choice_kernels, ts_choice)

/* exp of minus that is nothing beside 1: 7e-13 */
#define FAR 28.0

static size_t padded(size_t count)
{
    return (count + 7) & ~(size_t)7;
}

/* Shares of all rows: none where everything is kept. */
static size_t shares_of(size_t feature_count, size_t keep)
{
    return keep == feature_count ? 0 : padded(keep) * padded(feature_count);
}

size_t ts_choice_doubles(size_t feature_count, size_t keep)
{
    /* scores and candidates, ranks and targets; indices take half of what they are given */
    return 2 * padded(feature_count) + shares_of(feature_count, keep) + 2 * padded(keep);
}

void ts_choice_place(ts_choice *choice, size_t feature_count, size_t keep, double *memory)
{
    choice->feature_count = feature_count;
    choice->keep = keep;
    choice->all = keep == feature_count;
    if (!memory)
        return;
    choice->candidate_score = memory;
    choice->share = choice->candidate_score + padded(feature_count);
    choice->target = choice->share + shares_of(feature_count, keep);
    choice->rank = (int32_t *)(void *)(choice->target + padded(keep));
    choice->candidate = (int32_t *)(void *)(choice->target + 2 * padded(keep));
}

/* The `keep` largest, in falling order; of equal ones the first comes first. */
static void find_ranks(ts_choice *c, const double *score)
{
    size_t have = 0;
    for (size_t i = 0; i < c->feature_count; i++) {
        if (have == c->keep && !(score[i] > score[c->rank[have - 1]]))
            continue;
        size_t at = have < c->keep ? have++ : have - 1;
        for (; at > 0 && score[i] > score[c->rank[at - 1]]; at--)
            c->rank[at] = c->rank[at - 1];
        c->rank[at] = (int32_t)i;
    }
}

static void take_ranks(ts_choice *c)
{
    c->candidate_count = c->keep;
    for (size_t k = 0; k < c->keep; k++)
        c->candidate[k] = c->rank[k];
}

void ts_choose(ts_choice *c, const double *score)
{
    if (c->all || c->keep == 0) {
        for (size_t k = 0; k < c->keep; k++)
            c->rank[k] = (int32_t)k;
        take_ranks(c);
        return;
    }
    find_ranks(c, score);
    if (c->hard) {
        take_ranks(c);
        return;
    }
    const double low = score[c->rank[c->keep - 1]] - FAR * c->tau;
    c->candidate_count = 0;
    for (size_t i = 0; i < c->feature_count; i++)
        if (score[i] >= low) {
            c->candidate_score[c->candidate_count] = score[i];
            c->candidate[c->candidate_count++] = (int32_t)i;
        }
    c->stride = padded(c->candidate_count);
    for (size_t i = c->candidate_count; i < c->stride; i++)
        c->candidate_score[i] = -HUGE_VAL;
    for (size_t k = 0; k < c->keep; k++) {
        c->target[k] = score[c->rank[k]];
        ts_choice_choose()->row(c->stride, c->candidate_score, c->target[k], c->tau, FAR, c->share + k * c->stride);
    }
}

void ts_choice_apply(const ts_choice *c, double *const column[3], double *const out[3])
{
    if (!ts_choice_is_soft(c)) {
        for (int i = 0; i < 3; i++)
            memcpy(out[i], column[i], c->keep * sizeof *out[i]);
        return;
    }
    for (size_t k = 0; k < c->keep; k++) {
        double sum[3];
        ts_choice_choose()->apply(c->stride, c->share + k * c->stride, (const double *const *)column, sum);
        for (int i = 0; i < 3; i++)
            out[i][k] = sum[i];
    }
}

void ts_choice_apply_vjp(const ts_choice *c, double *const column[3], double *const out_bar[3], double *share_bar)
{
    for (size_t k = 0; k < c->keep; k++)
        ts_choice_choose()->apply_vjp(c->stride, (const double *const *)column,
                                      (const double[3]){out_bar[0][k], out_bar[1][k], out_bar[2][k]},
                                      share_bar + k * c->stride);
}

void ts_choice_spread(const ts_choice *c, const double *out_bar, double *feature_bar)
{
    for (size_t k = 0; k < c->keep; k++) {
        if (!ts_choice_is_soft(c)) {
            feature_bar[c->candidate[k]] += out_bar[k];
            continue;
        }
        for (size_t i = 0; i < c->candidate_count; i++)
            feature_bar[c->candidate[i]] += c->share[k * c->stride + i] * out_bar[k];
    }
}

void ts_choose_vjp(const ts_choice *c, double *share_bar, double *score_bar)
{
    for (size_t k = 0; k < c->keep; k++) {
        const double *share = c->share + k * c->stride;
        double *bar = share_bar + k * c->stride;
        /* −|off| / τ by score i; by the target minus the sum of that */
        const double sum =
            ts_choice_choose()->row_vjp(c->stride, c->candidate_score, c->target[k], c->tau, share, bar, bar);
        for (size_t i = 0; i < c->candidate_count; i++)
            score_bar[c->candidate[i]] += bar[i];
        score_bar[c->rank[k]] -= sum;
    }
}
