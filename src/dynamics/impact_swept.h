/* SPDX-License-Identifier: MIT */
/* Contacts as sweeps go over them (impact_sweeps.c): each with all that is read and written of it but w, one after the other in memory.
 *
 * Threads. Contacts are cut into chunks, in their order, which is about that of places. A contact whose bodies have contacts in its own chunk alone is
 * *inside* it; chunks share no body that way, and are swept at the same time. The others, the *seam*, come after (backwards: before) them:
 *
 *     forwards    inside of chunk 0 ∥ 1 ∥ 2 ∥ …  ─▶  seam            what a chunk is depends on contacts alone, so the bits are the same
 *     backwards   seam  ─▶  inside of chunk 0 ∥ 1 ∥ 2 ∥ …            on any number of threads */
#pragma once

#include "dynamics/impact_work.h"

typedef struct ts_swept {
    int32_t a, b;
    int32_t island;
    int32_t contact;    /* its number in the instant */
    double lambda, z;   /* impulses */
    double drift, slip; /* that is not w's */
    double mu;          /* 0: it does not rub */
    double nn, nt, tt;  /* W */
    double inverse;     /* 1 / det W; 0: it is singular */
    double row[]; /* along the normal: in a, in b; along the tangent: in a, in b; zero where there is none (4 · dof) */
} ts_swept;

/* What a contact of space has besides, after its rows: a second tangent. Its W is the 3×3 matrix of nn, nt, nx, tt, tx and xx. */
typedef struct ts_swept_across {
    double z, slip;
    double nx, tx, xx;
    double step; /* 1 / the larger eigenvalue of what impulses along both tangents do to slip there */
    /* W by elimination: what is left of its rows after nn, then after tt; over[2] = 0: it is singular */
    double lt, lx, left_tx, mx, over[3];
    double row[]; /* along the second tangent: in a, in b (2 · dof) */
} ts_swept_across;

/* Contacts have one tangent in the plane, two in space. */
static inline size_t ts_swept_bytes(size_t dof, bool across)
{
    return sizeof(ts_swept) + 4 * dof * sizeof(double) +
           (across ? sizeof(ts_swept_across) + 2 * dof * sizeof(double) : 0);
}
static inline ts_swept *ts_swept_in(const ts_impact_work *work, size_t dof, bool across, size_t i)
{
    return (ts_swept *)(work->places.item + i * ts_swept_bytes(dof, across));
}
static inline ts_swept_across *ts_swept_across_of(ts_swept *p, size_t dof)
{
    return (ts_swept_across *)(p->row + 4 * dof);
}
static inline ts_swept *ts_swept_at(const ts_impact_work *work, int dof, size_t i)
{
    return ts_swept_in(work, (size_t)dof, work->across, i);
}

static inline __attribute__((always_inline)) double ts_dot(const double *x, const double *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Fills work->places from the instant, and work->part: where the insides of chunks begin and how many they have; the last one, work->part.item[*chunks], is
 * the seam. Impulses are zero. */
ts_status ts_swept_make(const ts_impact *impact, const ts_impact_friction *friction, int *chunks, ts_error *error);
