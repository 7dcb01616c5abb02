/* SPDX-License-Identifier: MIT */
/* Contacts as sweeps go over them (impact_sweeps.c): each with all that is read and written of it but w, one after the
 * other in memory. Those with one tangent, as in the plane, stand alone; those with two, as in space, by four.
 *
 * Threads. Contacts are cut into chunks, in their order, which is about that of places. A contact whose bodies have
 * contacts in its own chunk alone is *inside* it; chunks share no body that way, and are swept at the same time. The
 * others, the *seam*, come after (backwards: before) them:
 *
 *     forwards    inside of chunk 0 ∥ 1 ∥ 2 ∥ …  ─▶  seam            what a chunk is depends on contacts alone, so the bits are the same
 *     backwards   seam  ─▶  inside of chunk 0 ∥ 1 ∥ 2 ∥ …            on any number of threads
 *
 * Fours. A contact goes into the first four that has room after all those in which its bodies are already. So no two of
 * a four share a body, and of two contacts that share one the first still comes first: a sweep does what it would do
 * one by one. (Contacts that all share one body have a four each: that is slower, by half, than one by one.) */
#pragma once

#include "dynamics/impact_work.h"

/* One contact with one tangent, or none. */
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

#define TS_SPACE_DOF 6
/* Numbers of a row: in a, in b. */
#define TS_SPACE_ROW (2 * TS_SPACE_DOF)

/* Four contacts with two tangents. W of each is the 3×3 matrix of nn, nt, nx, tt, tx and xx. Where there is no contact
 * all is 0, or -1. */
typedef struct ts_swept4 {
    int32_t a[4], b[4];
    int32_t island[4];
    int32_t contact[4];                  /* numbers in the rows; -1: there is none */
    double lambda[4], z[4], z_across[4]; /* impulses */
    double drift[4], slip[4], slip_across[4];
    double mu[4]; /* 0: it does not rub */
    double nn[4], nt[4], nx[4], tt[4], tx[4], xx[4];
    double step[4]; /* 1 / the larger eigenvalue of what impulses along both tangents do to slip there */
    /* W by elimination: what is left of its rows after nn, then after tt; over[2] = 0: it is singular */
    double lt[4], lx[4], left_tx[4], mx[4], over[3][4];
    double row[3][TS_SPACE_ROW][4]; /* along the normal, the tangent, the other tangent */
} ts_swept4;

static inline size_t ts_swept_bytes(size_t dof)
{
    return sizeof(ts_swept) + 4 * dof * sizeof(double);
}
static inline ts_swept *ts_swept_at(const ts_impact_work *work, size_t dof, size_t i)
{
    return (ts_swept *)(work->places.item + i * ts_swept_bytes(dof));
}

static inline ts_swept4 *ts_swept4_at(const ts_impact_work *work, size_t i)
{
    return (ts_swept4 *)work->places.item + i;
}

static inline double ts_larger(double x, double y)
{
    return x > y ? x : y;
}

static inline __attribute__((always_inline)) double ts_dot(const double *x, const double *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

/* The island that a contact is of: its number. */
static inline int32_t ts_impact_island_of(const ts_impact *impact, size_t k)
{
    const int32_t mover = ts_impact_mover(impact->rows, k);
    return mover >= 0 ? impact->work->root.item[mover] : 0;
}

/* What tasks find at the same time: the largest counts, whoever comes first. */
void ts_island_changes(ts_impact_island *of, double change);

/* Fills work->places, by four where friction has two tangents, and work->part: where the insides of chunks begin and
 * how many they have; the last one, work->part.item[*chunks], is the seam. Islands are known. */
ts_status ts_swept_make(const ts_impact *impact, const ts_impact_friction *friction, int *chunks, ts_error *error);
/* Impulses of all contacts, into the places and out of them. `z_across` may be NULL where there is one tangent. */
void ts_swept_take(const ts_impact *impact, const double *z, const double *z_across);
void ts_swept_give(const ts_impact *impact, double *z, double *z_across);

/* Of places by four: impact_sweeps.simd.c. */
typedef struct ts_sweep_kernels {
    /* One sweep over a part, as far as islands are not done. */
    void (*sweep)(const ts_impact_work *work, ts_impact_part part, bool backwards, double *w);
} ts_sweep_kernels;

const ts_sweep_kernels *ts_sweep_choose(void);
