/* SPDX-License-Identifier: MIT */
/* Segregation: how far kinds of grains are apart.
 *
 * c_ik is the share of kind k, by number, among grain i and the grains around it, p_k that among all. Danckwerts'
 * intensity
 *
 *     I  =  ⟨ Σ_k (c_ik − p_k)² ⟩_i  /  Σ_k p_k (1 − p_k)
 *
 * is 1 where every neighbourhood is of one kind, and ⟨1/n_i⟩ on average when kinds are dealt out at random to
 * neighbourhoods of n_i grains. Lacey's index (1 − I) / (1 − ⟨1/n_i⟩) puts these two at 0 and 1. */
#include <math.h>
#include <stdlib.h>

#include "base/given.h"
#include "base/memory.h"
#include "measure/edges.h"

static const double nothing = (double)NAN;

typedef struct grain {
    double at[3];
    double cell[3]; /* column, row and, in space, layer of the cell, one neighbourhood's reach wide, that it lies in */
    size_t index;   /* of the body */
    size_t kind;
} grain;

typedef struct mixture {
    const ts_snapshot *snapshot;
    const ts_region *region; /* NULL: all grains */
    grain *grain;            /* cell by cell (count) */
    size_t count;
    int32_t *label; /* material or shape of each kind, ascending (count); unused for sizes */
    size_t kinds;   /* in use */
    double *number; /* of each kind */
    double *around; /* of each kind, in a neighbourhood */
} mixture;

/* -1, 0 or 1: which of two cells comes first, column by column. */
static int compare_cells(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int by_cell(const void *p, const void *q)
{
    const grain *a = p, *b = q;
    int order = compare_cells(a->cell, b->cell);
    return order ? order : (a->index > b->index) - (a->index < b->index);
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

static int by_label(const void *p, const void *q)
{
    int32_t a = *(const int32_t *)p, b = *(const int32_t *)q;
    return (a > b) - (a < b);
}

/* Kinds are numbered in the order of their labels, which may be any numbers. */
static void sort_by_label(mixture *m, ts_kind_by by)
{
    size_t kinds = 0;
    for (size_t i = 0; i < m->count; i++) {
        const ts_snapshot_body *body = &m->snapshot->body[m->grain[i].index];
        m->label[i] = by == TS_KIND_MATERIAL ? body->material : body->shape;
    }
    qsort(m->label, m->count, sizeof *m->label, by_label);
    for (size_t i = 0; i < m->count; i++)
        if (kinds == 0 || m->label[i] != m->label[kinds - 1])
            m->label[kinds++] = m->label[i];
    for (size_t i = 0; i < m->count; i++) {
        const ts_snapshot_body *body = &m->snapshot->body[m->grain[i].index];
        int32_t own = by == TS_KIND_MATERIAL ? body->material : body->shape;
        const int32_t *found = bsearch(&own, m->label, kinds, sizeof *m->label, by_label);
        m->grain[i].kind = (size_t)(found - m->label);
    }
    m->kinds = kinds;
}

static void sort_by_size(mixture *m)
{
    double smallest = HUGE_VAL, largest = 0;
    for (size_t i = 0; i < m->count; i++) {
        double radius = m->snapshot->body[m->grain[i].index].radius;
        smallest = fmin(smallest, radius);
        largest = fmax(largest, radius);
    }
    for (size_t i = 0; i < m->count; i++)
        m->grain[i].kind =
            smallest < largest && m->snapshot->body[m->grain[i].index].radius >= 0.5 * (smallest + largest);
    m->kinds = 2;
}

static void sort_into_kinds(mixture *m, ts_kind_by by)
{
    if (by == TS_KIND_AUTO)
        by = differ(m, TS_KIND_MATERIAL) ? TS_KIND_MATERIAL : differ(m, TS_KIND_SHAPE) ? TS_KIND_SHAPE : TS_KIND_SIZE;
    if (by == TS_KIND_SIZE)
        sort_by_size(m);
    else
        sort_by_label(m, by);
}

/* ---- Neighbourhoods ---- */

/* Cells are a little wider than the reach: rounding may not put two grains just within it two cells apart. */
static double cell_of(double at, double reach)
{
    double cell = floor(at / (reach * (1 + 1e-9)));
    return isfinite(cell) ? cell : 0; /* no reach: all in one cell */
}

/* The first grain that is not before this cell. */
static size_t first_from(const mixture *m, const double cell[3])
{
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_cells(m->grain[middle].cell, cell) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the grains within reach of `own` in the cells first … last, which are neighbours in the last coordinate. */
static void add_cells(const mixture *m, const grain *own, const double first[3], const double last[3], double reach,
                      double *size)
{
    for (size_t j = first_from(m, first); j < m->count && compare_cells(m->grain[j].cell, last) <= 0; j++) {
        const double *p = m->grain[j].at;
        double dx = p[0] - own->at[0], dy = p[1] - own->at[1], dz = p[2] - own->at[2];
        if (dx * dx + dy * dy + dz * dz <= reach * reach) {
            m->around[m->grain[j].kind]++;
            (*size)++;
        }
    }
}

/* Σ_k (c_ik − p_k)² of grain i, and n_i. What is within reach lies in the cells around: rows of three in the last
 * coordinate. */
static double deviation(const mixture *m, size_t i, double reach, double *size)
{
    const grain *own = &m->grain[i];
    const int up = ts_up_of(m->snapshot), wide = up - 1;
    for (size_t k = 0; k < m->kinds; k++)
        m->around[k] = 0;
    *size = 0;
    for (int side = -1; side <= 1; side++)
        for (int next = -wide; next <= wide; next++) {
            const double *c = own->cell;
            double first[3] = {c[0] + side, c[1] + next, c[2]}, last[3] = {c[0] + side, c[1] + next, c[2]};
            /* so far out that the next number is another: the cells beside hold nothing within reach */
            if ((side != 0 && first[0] == c[0]) || (next != 0 && first[1] == c[1]))
                continue;
            first[up]--;
            last[up]++;
            add_cells(m, own, first, last, reach, size);
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

/* Mean height by mass of the kind of largest mean radius, above that of the smallest; of equal ones, the last and
 * the first. */
static double height_difference(const mixture *m)
{
    const double *g = m->snapshot->gravity;
    double strength = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), up[3] = {0, 0, 0};
    up[ts_up_of(m->snapshot)] = 1;
    for (int k = 0; k < 3 && strength > 0; k++)
        up[k] = -g[k] / strength;
    double low = nothing, high = nothing, smallest = HUGE_VAL, largest = -HUGE_VAL;
    for (size_t k = 0; k < m->kinds; k++) {
        double mass = 0, height = 0, radius = 0;
        for (size_t i = 0; i < m->count && m->number[k] > 0; i++) {
            const ts_snapshot_body *body = &m->snapshot->body[m->grain[i].index];
            if (m->grain[i].kind != k)
                continue;
            mass += body->mass;
            height += body->mass * (up[0] * body->position[0] + up[1] * body->position[1] + up[2] * body->position[2]);
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

/* The grains, cell by cell. */
static ts_status gather(mixture *m, double reach, double *distance, ts_error *error)
{
    const ts_snapshot *s = m->snapshot;
    double radius = 0;
    TS_TRY(ts_new_raw(&m->grain, s->body_count + 1, error));
    TS_TRY(ts_new_raw(&m->label, s->body_count + 1, error));
    for (size_t i = 0; i < s->body_count; i++)
        if (ts_counts(s, m->region, i)) {
            const double *p = s->body[i].position;
            m->grain[m->count++] = (grain){.at = {p[0], p[1], p[2]}, .index = i};
            radius += s->body[i].radius;
        }
    *distance = reach * 2 * (radius / (double)(m->count ? m->count : 1));
    for (size_t i = 0; i < m->count; i++)
        for (int k = 0; k < ts_dimension_of(s); k++)
            m->grain[i].cell[k] = cell_of(m->grain[i].at[k], *distance);
    qsort(m->grain, m->count, sizeof *m->grain, by_cell);
    return TS_OK;
}

static ts_status measure(mixture *m, ts_kind_by by, double reach, ts_segregation *out, ts_error *error)
{
    double distance;
    TS_TRY(gather(m, reach, &distance, error));
    if (m->count == 0)
        return TS_OK;
    sort_into_kinds(m, by);
    TS_TRY(ts_new(&m->number, m->kinds, error));
    TS_TRY(ts_new(&m->around, m->kinds, error));
    for (size_t i = 0; i < m->count; i++)
        m->number[m->grain[i].kind]++;
    for (size_t k = 0; k < m->kinds; k++)
        out->kinds += m->number[k] > 0;
    if (out->kinds < 2)
        return TS_OK;
    find_intensity(m, distance, out);
    out->height = height_difference(m);
    return TS_OK;
}

ts_status ts_measure_segregation(const ts_snapshot *snapshot, const ts_region *given, ts_kind_by by, double reach,
                                 ts_segregation *out, ts_error *error)
{
    TS_GIVEN(out, "segregation", error);
    ts_region region;
    if (!(reach >= 0) || !isfinite(reach))
        return ts_fail(error, TS_BAD_INPUT, "the reach of a neighbourhood is %g mean diameters; give a positive number",
                       reach);
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    mixture m = {.snapshot = snapshot, .region = given ? &region : NULL};
    ts_segregation made = {0, nothing, nothing, nothing};
    ts_status status = measure(&m, by, reach > 0 ? reach : 2, &made, error);
    ts_free(m.grain);
    ts_free(m.label);
    ts_free(m.number);
    ts_free(m.around);
    if (status == TS_OK)
        *out = made;
    return status;
}
