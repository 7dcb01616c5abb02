/* SPDX-License-Identifier: MIT */
/* Segregation: how far kinds of grains are apart.
 *
 * c_ik is the share of kind k, by number, among grain i and the grains around it, p_k that among all. Danckwerts' intensity
 *
 *     I  =  ⟨ Σ_k (c_ik − p_k)² ⟩_i  /  Σ_k p_k (1 − p_k)
 *
 * is 1 where every neighbourhood is of one kind, and ⟨1/n_i⟩ on average when kinds are dealt out at random to neighbourhoods of
 * n_i grains. Lacey's index (1 − I) / (1 − ⟨1/n_i⟩) puts these two at 0 and 1. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "measure/edges.h"

static const double nothing = (double)NAN;

typedef struct grain {
    double x, y;
    size_t index; /* of the body */
    size_t kind;
} grain;

typedef struct mixture {
    const ts_snapshot *snapshot;
    grain *grain; /* from left to right (count) */
    size_t count;
    size_t kinds;       /* numbers in use, also of kinds without grains */
    double *number;     /* of each kind */
    double *around;     /* of each kind, in a neighbourhood */
    double mean_radius; /* of all grains */
} mixture;

static int by_place(const void *p, const void *q)
{
    const grain *a = p, *b = q;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* ---- Kinds ---- */

static bool differ(const mixture *m, ts_kind_by by)
{
    const ts_snapshot_body *first = &m->snapshot->body[m->grain[0].index];
    for (size_t i = 1; i < m->count; i++) {
        const ts_snapshot_body *body = &m->snapshot->body[m->grain[i].index];
        if (by == TS_KIND_MATERIAL ? body->material != first->material : body->shape != first->shape)
            return true;
    }
    return false;
}

static void sort_into_kinds(mixture *m, ts_kind_by by)
{
    if (by == TS_KIND_AUTO)
        by = differ(m, TS_KIND_MATERIAL) ? TS_KIND_MATERIAL : differ(m, TS_KIND_SHAPE) ? TS_KIND_SHAPE : TS_KIND_SIZE;
    double smallest = HUGE_VAL, largest = 0;
    for (size_t i = 0; i < m->count; i++) {
        double radius = m->snapshot->body[m->grain[i].index].radius;
        smallest = fmin(smallest, radius);
        largest = fmax(largest, radius);
    }
    m->kinds = 1;
    for (size_t i = 0; i < m->count; i++) {
        const ts_snapshot_body *body = &m->snapshot->body[m->grain[i].index];
        size_t kind = 0;
        if (by == TS_KIND_SIZE)
            kind = smallest < largest && body->radius >= 0.5 * (smallest + largest);
        else
            kind = (size_t)(by == TS_KIND_MATERIAL ? body->material : body->shape);
        m->grain[i].kind = kind;
        m->kinds = kind + 1 > m->kinds ? kind + 1 : m->kinds;
    }
}

/* ---- Neighbourhoods ---- */

/* Σ_k (c_ik − p_k)² of grain i, and n_i. */
static double deviation(const mixture *m, size_t i, double reach, double *size)
{
    const grain *own = &m->grain[i];
    size_t first = i, last = i;
    while (first > 0 && own->x - m->grain[first - 1].x <= reach)
        first--;
    while (last + 1 < m->count && m->grain[last + 1].x - own->x <= reach)
        last++;
    for (size_t k = 0; k < m->kinds; k++)
        m->around[k] = 0;
    *size = 0;
    for (size_t j = first; j <= last; j++) {
        double dx = m->grain[j].x - own->x, dy = m->grain[j].y - own->y;
        if (dx * dx + dy * dy <= reach * reach) {
            m->around[m->grain[j].kind]++;
            (*size)++;
        }
    }
    double sum = 0;
    for (size_t k = 0; k < m->kinds; k++) {
        double d = m->around[k] / *size - m->number[k] / (double)m->count;
        sum += d * d;
    }
    return sum;
}

static void find_intensity(const mixture *m, double reach, ts_segregation *out)
{
    double sum = 0, apart = 0, random = 0, n = (double)m->count;
    for (size_t k = 0; k < m->kinds; k++)
        apart += m->number[k] / n * (1 - m->number[k] / n);
    for (size_t i = 0; i < m->count; i++) {
        double size;
        sum += deviation(m, i, reach, &size);
        random += 1 / size / n;
    }
    out->intensity = sum / n / apart;
    out->lacey = random < 1 ? (1 - out->intensity) / (1 - random) : nothing;
}

/* Mean height by mass of the kind of largest mean radius, above that of the smallest; of equal ones, the last and the first. */
static double height_difference(const mixture *m)
{
    const double *g = m->snapshot->gravity;
    double strength = hypot(g[0], g[1]), up[2] = {0, 1};
    if (strength > 0) {
        up[0] = -g[0] / strength;
        up[1] = -g[1] / strength;
    }
    double low = nothing, high = nothing, smallest = HUGE_VAL, largest = -HUGE_VAL;
    for (size_t k = 0; k < m->kinds; k++) {
        double mass = 0, height = 0, radius = 0;
        for (size_t i = 0; i < m->count && m->number[k] > 0; i++) {
            const ts_snapshot_body *body = &m->snapshot->body[m->grain[i].index];
            if (m->grain[i].kind != k)
                continue;
            mass += body->mass;
            height += body->mass * (up[0] * body->x + up[1] * body->y);
            radius += body->radius / m->number[k];
        }
        if (m->number[k] > 0 && radius < smallest) {
            smallest = radius;
            low = height / mass;
        }
        if (m->number[k] > 0 && radius >= largest) {
            largest = radius;
            high = height / mass;
        }
    }
    return high - low;
}

static ts_status measure(mixture *m, ts_kind_by by, double reach, ts_segregation *out, ts_error *error)
{
    const ts_snapshot *s = m->snapshot;
    m->grain = ts_alloc_raw(s->body_count + 1, sizeof *m->grain);
    if (!m->grain)
        return ts_fail_memory(error, (s->body_count + 1) * sizeof *m->grain);
    for (size_t i = 0; i < s->body_count; i++)
        if (ts_is_grain(&s->body[i])) {
            m->grain[m->count++] = (grain){s->body[i].x, s->body[i].y, i, 0};
            m->mean_radius += s->body[i].radius;
        }
    if (m->count == 0)
        return TS_OK;
    m->mean_radius /= (double)m->count;
    qsort(m->grain, m->count, sizeof *m->grain, by_place);
    sort_into_kinds(m, by);
    m->number = ts_alloc(m->kinds, sizeof *m->number);
    m->around = ts_alloc(m->kinds, sizeof *m->around);
    if (!m->number || !m->around)
        return ts_fail_memory(error, 2 * m->kinds * sizeof *m->number);
    for (size_t i = 0; i < m->count; i++)
        m->number[m->grain[i].kind]++;
    for (size_t k = 0; k < m->kinds; k++)
        out->kinds += m->number[k] > 0;
    if (out->kinds < 2)
        return TS_OK;
    find_intensity(m, reach * 2 * m->mean_radius, out);
    out->height = height_difference(m);
    return TS_OK;
}

ts_status ts_measure_segregation(const ts_snapshot *snapshot, ts_kind_by by, double reach, ts_segregation *out,
                                 ts_error *error)
{
    if (!(reach >= 0) || !isfinite(reach))
        return ts_fail(error, TS_BAD_INPUT, "the reach of a neighbourhood is %g mean diameters; give a positive number",
                       reach);
    mixture m = {.snapshot = snapshot};
    ts_segregation made = {0, nothing, nothing, nothing};
    ts_status status = measure(&m, by, reach > 0 ? reach : 2, &made, error);
    ts_free(m.grain);
    ts_free(m.number);
    ts_free(m.around);
    if (status == TS_OK)
        *out = made;
    return status;
}
