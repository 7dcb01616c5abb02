/* SPDX-License-Identifier: MIT */
/* Arithmetic on an island. Loops over rows or blocks are dealt out in chunks that depend on their number alone; a block
 * adds up its rows in ascending order, whether rows are scattered or gathered. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/qp_parts.h"

/* Rows or blocks of a task: some ten microseconds of work. */
#define CHUNK 4096

typedef struct product {
    const ts_qp_island *island;
    const double *from;
    double *to;
    const double *other;
    bool plain;
} product;

static size_t end_of(size_t begin, size_t count)
{
    return begin + CHUNK < count ? begin + CHUNK : count;
}
static int chunks_of(size_t count)
{
    return (int)((count + CHUNK - 1) / CHUNK);
}

/* `dof` is a constant where these are called: loops over it are unrolled. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void gather_some(const product *p, size_t dof, size_t begin, size_t end)
{
    const ts_qp_island *q = p->island;
    for (size_t k = begin; k < end; k++) {
        double sum[TS_QP_DOF_MAX] = {0};
        for (int32_t e = q->start[k]; e < q->start[k + 1]; e++) {
            size_t at = (size_t)q->incident[e];
            double y = p->from[at >> 1];
            for (size_t c = 0; c < dof; c++)
                sum[c] += q->g[at * dof + c] * y;
        }
        for (size_t c = 0; c < dof; c++)
            p->to[k * dof + c] = sum[c];
    }
}

static void gather_blocks(void *context, int task, int thread)
{
    (void)thread;
    const product *p = context;
    const size_t begin = (size_t)task * CHUNK, end = end_of(begin, p->island->block_count);
    if (p->island->dof == 3)
        gather_some(p, 3, begin, end);
    else if (p->island->dof == 6)
        gather_some(p, 6, begin, end);
    else
        gather_some(p, (size_t)p->island->dof, begin, end);
}

ALWAYS_INLINE void scatter_all(const ts_qp_island *q, size_t dof, const double *y, double *w)
{
    memset(w, 0, q->block_count * dof * sizeof *w);
    for (size_t i = 0; i < q->count; i++) {
        const double *g = q->g + 2 * i * dof;
        for (size_t c = 0; q->a[i] >= 0 && c < dof; c++)
            w[(size_t)q->a[i] * dof + c] += g[c] * y[i];
        for (size_t c = 0; q->b[i] >= 0 && c < dof; c++)
            w[(size_t)q->b[i] * dof + c] += g[dof + c] * y[i];
    }
}

static void scatter_rows(const ts_qp_island *q, const double *y, double *w)
{
    if (q->dof == 3)
        scatter_all(q, 3, y, w);
    else if (q->dof == 6)
        scatter_all(q, 6, y, w);
    else
        scatter_all(q, (size_t)q->dof, y, w);
}

void ts_qp_velocity(const ts_qp_island *island, const double *y, double *w)
{
    if (island->incident)
        ts_pool_run(island->pool, chunks_of(island->block_count), gather_blocks,
                    &(product){.island = island, .from = y, .to = w});
    else
        scatter_rows(island, y, w);
}

ALWAYS_INLINE void slack_some(const product *p, size_t dof, size_t begin, size_t end)
{
    const ts_qp_island *q = p->island;
    for (size_t i = begin; i < end; i++) {
        const double *g = q->g + 2 * i * dof;
        double sum = p->plain ? 0 : q->linear[i];
        for (size_t c = 0; q->a[i] >= 0 && c < dof; c++)
            sum += g[c] * p->from[(size_t)q->a[i] * dof + c];
        for (size_t c = 0; q->b[i] >= 0 && c < dof; c++)
            sum += g[dof + c] * p->from[(size_t)q->b[i] * dof + c];
        p->to[i] = sum;
    }
}

static void slack_rows(void *context, int task, int thread)
{
    (void)thread;
    const product *p = context;
    const size_t begin = (size_t)task * CHUNK, end = end_of(begin, p->island->count);
    if (p->island->dof == 3)
        slack_some(p, 3, begin, end);
    else if (p->island->dof == 6)
        slack_some(p, 6, begin, end);
    else
        slack_some(p, (size_t)p->island->dof, begin, end);
}

void ts_qp_slack(const ts_qp_island *island, const double *w, bool plain, double *s)
{
    ts_pool_run(island->pool, chunks_of(island->count), slack_rows,
                &(product){.island = island, .from = w, .to = s, .plain = plain});
}

double ts_qp_natural(const ts_qp_island *island, const double *y, const double *s)
{
    double most = 0;
    for (size_t i = 0; i < island->count; i++) {
        double r = island->measure[i] * fabs(ts_qp_natural_of(y[i], s[i], island->low[i], island->high[i]));
        most = r > most || isnan(r) ? r : most;
    }
    return most;
}

static double dot_range(void *context, size_t begin, size_t end)
{
    const product *p = context;
    double sum[4] = {0};
    size_t i = begin;
    for (; i + 4 <= end; i += 4)
        for (size_t c = 0; c < 4; c++)
            sum[c] += p->from[i + c] * p->other[i + c];
    for (; i < end; i++)
        sum[0] += p->from[i] * p->other[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double ts_qp_dot(const ts_qp_island *island, const double *x, const double *y)
{
    return ts_pool_sum(island->pool, island->count, dot_range, &(product){.from = x, .other = y});
}

ts_status ts_qp_gather(ts_qp_island *island, ts_error *error)
{
    size_t n = island->block_count;
    int32_t *start = ts_alloc(n + 2, sizeof *start), *incident = ts_alloc_raw(2 * island->count + 1, sizeof *incident);
    if (!start || !incident) {
        ts_free(start);
        ts_free(incident);
        return ts_fail_memory(error, (n + 2 * island->count) * sizeof *incident);
    }
    int32_t *end = start + 1; /* shifted by one: after filling, it is where the next block's begin */
    for (size_t i = 0; i < 2 * island->count; i++) {
        int32_t block = i & 1 ? island->b[i >> 1] : island->a[i >> 1];
        if (block >= 0)
            end[block + 1]++;
    }
    for (size_t k = 1; k <= n; k++)
        end[k] += end[k - 1];
    for (size_t i = 0; i < 2 * island->count; i++) {
        int32_t block = i & 1 ? island->b[i >> 1] : island->a[i >> 1];
        if (block >= 0)
            incident[end[block]++] = (int32_t)i;
    }
    island->start = start;
    island->incident = incident;
    return TS_OK;
}

ts_status ts_qp_analyse(ts_qp_island *island, ts_error *error)
{
    ts_sparse_rows rows = {island->count, island->block_count, island->dof, island->a, island->b, island->g};
    return island->sparse ? TS_OK : ts_sparse_create(&rows, TS_SPARSE_OWN, island->pool, &island->sparse, error);
}
