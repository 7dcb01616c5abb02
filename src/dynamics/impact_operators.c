/* SPDX-License-Identifier: MIT */
/* The operators: one function each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "dynamics/impact_check.h"
#include "dynamics/impact_work.h"

static const uint64_t passes_default = 1000000;
/* Then, after eight times as many and so on, it is asked whether walls leave any room. */
static const uint64_t passes_suspect = 64;
/* Where locked grains need not bounce, it is asked then as well whether some are, if that costs no more than the passes
 * did; after so many, if it costs more, too. */
static const uint64_t passes_locked = 512;
static const double lcp_slack = 1e4;     /* of the threshold at which a contact counts as closing */
static const double lcp_residual = 1e-6; /* of the fastest rate */

static uint64_t passes_of(const ts_impact_options *options)
{
    return options->passes_max > 0 ? options->passes_max : passes_default;
}

/* The restitution of one reflection. */
static double own_restitution(const ts_impact_options *options)
{
    return options->model == TS_RESTITUTION_NEWTONIAN ? options->restitution : 1;
}

static void note_end(const ts_impact *impact)
{
    const ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    report->finished = work->closing.count == 0;
    for (size_t i = 0; i < impact->rows->block_count * (size_t)impact->rows->dof; i++)
        report->finished &= isfinite(impact->w[i]) != 0; /* jacobi may gain energy without end */
    report->closing = 0;
    for (size_t i = 0; i < work->closing.count; i++)
        report->closing = fmax(report->closing, -ts_rows_rate(impact->rows, (size_t)work->closing.item[i], impact->w));
}

/* ---- Pass after pass ---- */

/* Treats the contacts of work->closing; what it moves is in work->touched afterwards. */
typedef ts_status one_pass(const ts_impact *impact, double threshold, ts_error *error);

/* Takes contacts of locked islands out of those that close; at first they are kept. */
static void leave_out(const ts_impact *impact, bool keep)
{
    ts_impact_work *work = impact->work;
    size_t left = 0;
    for (size_t i = 0; i < work->closing.count; i++) {
        const int32_t k = work->closing.item[i];
        if (!work->locked.item[ts_impact_mover(impact->rows, (size_t)k)])
            work->closing.item[left++] = k;
        else if (keep)
            work->stuck.item[work->stuck.count++] = k;
    }
    work->closing.count = left;
}

/* Islands that are locked wait for the others' end, which they need not share. */
static ts_status look_for_locks(const ts_impact *impact, ts_error *error)
{
    const ts_impact_report *report = impact->report;
    ts_impact_work *work = impact->work;
    bool any;
    if (work->stuck.count > 0) /* asked for once: what was loose then still is */
        return TS_OK;
    TS_TRY(ts_impact_locked(impact, report->passes < passes_locked ? report->touched : UINT64_MAX, &any, error));
    if (!any)
        return TS_OK;
    TS_TRY(ts_array_reserve(&work->stuck, work->closing.count, error));
    leave_out(impact, true);
    return TS_OK;
}

static void take_back(ts_impact_work *work)
{
    for (size_t i = 0; i < work->stuck.count; i++)
        work->closing.item[work->closing.count++] = work->stuck.item[i];
}

/* Until nothing closes any more. */
static ts_status repeat(const ts_impact *impact, one_pass *pass, ts_error *error)
{
    TS_TRY(ts_impact_prepare(impact->work, impact->rows, error));
    double threshold = ts_impact_threshold(impact);
    uint64_t suspect = passes_suspect;
    bool jammed = false;
    impact->work->stuck.count = 0;
    ts_impact_find_all(impact, threshold);
    if (impact->work->closing.count > 0) {
        TS_TRY(ts_impact_pack(impact, error));
        TS_TRY(ts_impact_neighbours(impact->work, impact->rows, error));
    }
    while (impact->work->closing.count > 0 && impact->report->passes < passes_of(impact->options) && !jammed) {
        TS_TRY(pass(impact, threshold, error));
        ts_impact_find_near(impact, threshold);
        if (impact->work->stuck.count > 0)
            leave_out(impact, false);
        if (++impact->report->passes == suspect) {
            suspect *= 8;
            TS_TRY(ts_impact_jammed(impact, NULL, &jammed, error));
            if (!jammed && impact->options->may_lock)
                TS_TRY(look_for_locks(impact, error));
        }
    }
    take_back(impact->work);
    note_end(impact);
    return TS_OK;
}

/* Of pairs: one contact by itself, with this impulse. */
static void push(const ts_impact *impact, size_t k, double impulse)
{
    const ts_rows *n = impact->rows;
    ts_rows_push(n, k, impulse, impact->w);
    impact->lambda[k] += impulse;
    ts_impact_touch(impact->work, n->a[k]);
    ts_impact_touch(impact->work, n->b[k]);
}

static double impulse_of(const ts_impact *impact, size_t k, double rate)
{
    return -(1 + own_restitution(impact->options)) * rate / ts_rows_square(impact->rows, k);
}

static void begin_pairs(const ts_impact *impact)
{
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    ts_impact_begin_pass(work);
    report->touched += work->closing.count;
    report->front = work->closing.count > report->front ? work->closing.count : report->front;
}

/* ---- Generalized Reflections ---- */

static ts_status reflect(const ts_impact *impact, double threshold, ts_error *error)
{
    (void)threshold;
    return ts_impact_reflect(impact, own_restitution(impact->options), error);
}

static ts_status apply_gr(const ts_impact *impact, ts_error *error)
{
    return repeat(impact, reflect, error);
}

const ts_impact_operator ts_impact_gr = {"gr", true, apply_gr};

/* ---- Linear complementarity ---- */

static ts_status apply_lcp(const ts_impact *impact, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    TS_TRY(ts_impact_prepare(work, n, error));
    TS_TRY(ts_impact_pack(impact, error));
    double c = own_restitution(impact->options), threshold = ts_impact_threshold(impact);
    work->closing.count = n->count;
    for (size_t k = 0; k < n->count; k++)
        work->closing.item[k] = (int32_t)k;
    if (n->count > 0)
        TS_TRY(ts_impact_reflect(impact, c, error));
    report->passes = 1;
    /* nothing follows from a rate that is hardly below zero; and by its own law one that was above may end there, at −c
     * times what it was */
    ts_impact_find_all(impact, lcp_slack * threshold);
    note_end(impact);
    if (c > 0)
        report->finished = report->residual < lcp_residual;
    return TS_OK;
}

const ts_impact_operator ts_impact_lcp = {"lcp", false, apply_lcp};

/* ---- One after the other ---- */

static ts_status sweep(const ts_impact *impact, double threshold, ts_error *error)
{
    (void)error;
    begin_pairs(impact);
    for (size_t i = 0; i < impact->work->closing.count; i++) {
        size_t k = (size_t)impact->work->closing.item[i];
        double rate = ts_rows_rate(impact->rows, k, impact->w);
        if (rate + ts_impact_wait(impact, k) < -threshold)
            push(impact, k, impulse_of(impact, k, rate));
    }
    return TS_OK;
}

static int by_row(const void *x, const void *y)
{
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

static ts_status sweep_in_order(const ts_impact *impact, double threshold, ts_error *error)
{
    qsort(impact->work->closing.item, impact->work->closing.count, sizeof(int32_t), by_row);
    return sweep(impact, threshold, error);
}

/* Random order: Fisher and Yates, anew for every sweep. */
static void shuffle(int32_t *order, size_t count, uint64_t seed, uint64_t sweep)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)ts_random_below(seed, sweep, i, i);
        int32_t other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
}

static ts_status sweep_random(const ts_impact *impact, double threshold, ts_error *error)
{
    ts_impact_work *work = impact->work;
    shuffle(work->closing.item, work->closing.count, impact->options->seed, impact->report->passes);
    return sweep(impact, threshold, error);
}

static ts_status apply_gauss_seidel(const ts_impact *impact, ts_error *error)
{
    return repeat(impact, sweep_in_order, error);
}

static ts_status apply_random(const ts_impact *impact, ts_error *error)
{
    return repeat(impact, sweep_random, error);
}

const ts_impact_operator ts_impact_gauss_seidel = {"gauss-seidel", true, apply_gauss_seidel};
const ts_impact_operator ts_impact_gauss_seidel_random = {"gauss-seidel-random", true, apply_random};

/* ---- Each by itself, all added up ---- */

static ts_status add_up(const ts_impact *impact, double threshold, ts_error *error)
{
    (void)threshold;
    ts_impact_work *work = impact->work;
    TS_TRY(ts_array_reserve(&work->y, work->closing.count, error));
    for (size_t i = 0; i < work->closing.count; i++) {
        size_t k = (size_t)work->closing.item[i];
        work->y.item[i] = impulse_of(impact, k, ts_rows_rate(impact->rows, k, impact->w));
    }
    begin_pairs(impact);
    for (size_t i = 0; i < work->closing.count; i++)
        push(impact, (size_t)work->closing.item[i], work->y.item[i]);
    return TS_OK;
}

static ts_status apply_jacobi(const ts_impact *impact, ts_error *error)
{
    return repeat(impact, add_up, error);
}

const ts_impact_operator ts_impact_jacobi = {"jacobi", true, apply_jacobi};

/* ---- All of them ---- */

const ts_impact_operator *const ts_impact_operators[] = {
    &ts_impact_gr, &ts_impact_lcp, &ts_impact_gauss_seidel, &ts_impact_gauss_seidel_random, &ts_impact_jacobi, NULL};

const ts_impact_operator *ts_impact_find(const char *name)
{
    for (const ts_impact_operator *const *by = ts_impact_operators; *by; by++)
        if (strcmp((*by)->name, name) == 0)
            return *by;
    return NULL;
}

const char *ts_impact_names(char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (const ts_impact_operator *const *by = ts_impact_operators; *by && used < capacity; by++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%s", used > 0 ? ", " : "", (*by)->name);
    return text;
}
