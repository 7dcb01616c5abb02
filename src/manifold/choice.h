/* SPDX-License-Identifier: MIT */
/* The K features of a body that are deepest in the other one, chosen softly (SoftSort) or by rank.
 *
 *     score s_i = −(distance of feature i),  s_(k): the k-th largest
 *     Γ_ki = softmax over i of −|s_(k) − s_i| / τ                 a row of shares that sum up to 1
 *     chosen_k = Σ_i Γ_ki x_i                                     x: whatever columns belong to the features
 *
 * Shares below exp(−28) = 7e-13 of the largest are left out, so only candidates near the K largest scores are looked
 * at. A hard choice has Γ_ki = 1 for the feature of rank k; of equal scores the first comes first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory is the caller's: see ts_choice_bytes. */
typedef struct ts_choice {
    size_t feature_count, keep; /* keep ≤ feature_count */
    bool hard;
    bool all;                /* everything is kept, in its own order: rank k is k and shares are 1 */
    double tau;              /* [m] */
    int32_t *rank;           /* feature of rank k (keep) */
    int32_t *candidate;      /* features that have shares, the ranks themselves where none is soft (candidate_count) */
    size_t candidate_count;  /* ≤ feature_count */
    size_t stride;           /* of a row of shares: candidate_count, padded */
    double *share;           /* (keep, stride) */
    double *candidate_score; /* (feature_count, padded) */
    double *target;          /* score of rank k (keep) */
} ts_choice;

/* How many doubles ts_choice_place takes. */
size_t ts_choice_doubles(size_t feature_count, size_t keep);
/* Points the arrays into `memory`, aligned to 64 bytes. */
void ts_choice_place(ts_choice *choice, size_t feature_count, size_t keep, double *memory);

/* Chooses by scores (feature_count). */
void ts_choose(ts_choice *choice, const double *score);
/* Whether shares depend on the scores. */
static inline bool ts_choice_is_soft(const ts_choice *c)
{
    return !c->all && !c->hard && c->keep > 0;
}
/* out_k = Σ Γ_ki column_i (keep), of three columns, which have an entry for each candidate, padded as rows of shares are with
 * finite numbers. */
void ts_choice_apply(const ts_choice *choice, double *const column[3], double *const out[3]);
/* Of a soft choice: adds to the adjoints of shares (keep, stride). */
void ts_choice_apply_vjp(const ts_choice *choice, double *const column[3], double *const out_bar[3], double *share_bar);
/* The transpose of ts_choice_apply: adds to the adjoints of all features (feature_count). */
void ts_choice_spread(const ts_choice *choice, const double *out_bar, double *feature_bar);
/* From the adjoints of shares, which are overwritten, to those of the scores, added to (feature_count). */
void ts_choose_vjp(const ts_choice *choice, double *share_bar, double *score_bar);

/* ---- Kernels ---- */
typedef struct ts_choice_kernels {
    /* share[i] = exp(−|target − score[i]| / tau) / their sum, 0 beyond far · tau */
    void (*row)(size_t count, const double *score, double target, double tau, double far, double *share);
    void (*apply)(size_t count, const double *share, const double *const column[3], double out[3]);
    void (*apply_vjp)(size_t count, const double *const column[3], const double out_bar[3], double *share_bar);
    /* the adjoints of scores by one row, not by its target; returns their sum */
    double (*row_vjp)(size_t count, const double *score, double target, double tau, const double *share,
                      const double *bar, double *to);
} ts_choice_kernels;
const ts_choice_kernels *ts_choice_choose(void);
