/* SPDX-License-Identifier: MIT */
/* Fixed points x = g(x), by Anderson's acceleration: the next x is where the last few, mixed so that their g(x) − x is
 * shortest, lead to. For an affine g that is the method of minimal residuals, however g oscillates; elsewhere it is a
 * guess, which the caller judges.
 *
 *     ts_anderson a = {0};
 *     TS_TRY(ts_anderson_begin(&a, count, error));
 *     while (…) {
 *         f = g(x) − x
 *         ts_anderson_step(&a, f, 1, x);
 *     }
 *     ts_anderson_free(&a);
 *
 * (D. G. Anderson 1965; H. F. Walker, P. Ni 2011.) Components should have one unit, for their squares are added up.
 * Deterministic. */
#pragma once

#include <stddef.h>

#include "base/status.h"

#define TS_ANDERSON_DEPTH 8

typedef struct ts_anderson {
    size_t count, capacity;
    int used; /* differences that are kept */
    int next; /* where the next one goes */
    int seen; /* 0: there is no last x */
    double *memory;
    double *x, *f;                                         /* the last ones (count) */
    double *dx[TS_ANDERSON_DEPTH], *df[TS_ANDERSON_DEPTH]; /* (count) */
} ts_anderson;

/* Forgets what was, and makes room. */
ts_status ts_anderson_begin(ts_anderson *a, size_t count, ts_error *error);
/* Forgets what was. */
void ts_anderson_restart(ts_anderson *a);
/* Replaces x; f = g(x) − x. Of f itself the share `part` is gone along. */
void ts_anderson_step(ts_anderson *a, const double *f, double part, double *x);
void ts_anderson_free(ts_anderson *a);
