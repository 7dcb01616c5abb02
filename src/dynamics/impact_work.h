/* SPDX-License-Identifier: MIT */
/* What impact operators share: rates, neighbours, and programs over some of the contacts. */
#pragma once

#include <stdatomic.h>

#include "base/memory.h"
#include "dynamics/impact.h"
#include "solve/anderson.h"

typedef TS_ARRAY(int32_t) ts_index_array;
typedef TS_ARRAY(double) ts_double_array;

/* A contact of an impact, with all that a pass reads of it in one place: a cache line in the plane, where passes that
 * are small beside the instant wait for little else. */
typedef struct ts_impact_row {
    int32_t a, b; /* -1: what no impulse can move */
    double drift, wait;
    double g[]; /* entries in a, then in b; zero where there is none (2 · dof) */
} ts_impact_row;

/* What one task found: a piece of an array. */
typedef struct ts_impact_part {
    size_t start, count;
} ts_impact_part;

/* Of a block. */
typedef struct ts_impact_mark {
    uint64_t pass;  /* in which it was seen last */
    int32_t number; /* how many contacts of the pass it has; or what it is called in a program */
} ts_impact_mark;

/* Contacts that hang together, for sweeps. */
typedef struct ts_impact_island {
    double fastest;           /* rate at the start */
    _Atomic(uint64_t) change; /* of a rate, in the last sweep: bits of a number */
    /* w·p and |p|², where p is what its impulses do to its w; to w·p is added what they do at the speed of walls */
    double along, square;
    bool done;
} ts_impact_island;

struct ts_impact_work {
    ts_qp_work *qp;

    /* contacts of each block: row[begin[i]] … row[begin[i + 1] - 1] */
    ts_index_array begin, row;
    TS_ARRAY(char) packed; /* ts_impact_row of every contact, as those are */

    /* what sweeps read (impact_swept.h) */
    TS_ARRAY(char) places;
    size_t four_count;                 /* 0: places are of one contact each */
    ts_index_array order;              /* contacts: insides of chunks, then the seam */
    ts_index_array chunk_of;           /* of blocks */
    ts_index_array slot, open, filled; /* of contacts in fours; of fours: the first from there on with room; contacts */
    ts_index_array last;               /* of blocks: the last four with a contact of theirs */
    TS_ARRAY(ts_impact_island) islands; /* at the numbers of their roots */

    /* which contacts close now, the blocks that a pass moved, and where tasks leave what they find */
    ts_index_array closing, touched, found;
    TS_ARRAY(ts_impact_part) part;
    TS_ARRAY(ts_impact_mark) mark; /* of blocks */
    uint64_t pass;                 /* never falls, so that marks need no clearing */
    uint64_t moved;                /* blocks with marks of this pass or of a later one are the touched ones */

    /* a program over some of the contacts */
    ts_index_array a, b;
    int32_t numbered; /* blocks that have a name there */
    ts_double_array ga, gb, linear, low, high, y, velocity;
    ts_double_array size; /* of the rows, which have length 1 there */

    ts_double_array w_other, lambda_other, drift_other; /* of the inelastic half */
    /* of staggered friction: rows along normals and then along tangents, velocities before, bounds and the best round
     * */
    ts_index_array both_a, both_b;
    ts_double_array both_ga, both_gb, both_drift, w_before, bound, gain, best, z_other, guess;
    ts_anderson anderson;  /* of the bounds */
    ts_index_array root;   /* of each block: the first block of its island */
    TS_ARRAY(char) locked; /* of each block: its island was found to be (impact_check.h) */
    ts_index_array stuck;  /* contacts that close there */
    ts_double_array share; /* of each block: how elastic its island is */
};

/* Of the elastic half of an impact with c < 1: locked islands end it, or else passes do. */
static inline ts_impact_options ts_impact_elastic(const ts_impact_options *options)
{
    ts_impact_options elastic = *options;
    if (options->give_up > 0) {
        elastic.passes_max = options->give_up;
        elastic.may_lock = true;
    }
    return elastic;
}

/* The rate at which contact k opens. */
static inline double ts_rows_rate(const ts_rows *n, size_t k, const double *w)
{
    double rate = n->drift ? n->drift[k] : 0;
    const double *ga = n->ga + k * (size_t)n->dof, *gb = n->gb + k * (size_t)n->dof;
    if (n->a[k] >= 0)
        for (int d = 0; d < n->dof; d++)
            rate += ga[d] * w[n->a[k] * n->dof + d];
    if (n->b[k] >= 0)
        for (int d = 0; d < n->dof; d++)
            rate += gb[d] * w[n->b[k] * n->dof + d];
    return rate;
}

/* How fast contact k may close before it counts. */
static inline double ts_impact_wait(const ts_impact *impact, size_t k)
{
    return impact->options->wait ? impact->options->wait[k] : 0;
}

static inline void ts_rows_push(const ts_rows *n, size_t k, double impulse, double *w)
{
    const double *ga = n->ga + k * (size_t)n->dof, *gb = n->gb + k * (size_t)n->dof;
    if (n->a[k] >= 0)
        for (int d = 0; d < n->dof; d++)
            w[n->a[k] * n->dof + d] += ga[d] * impulse;
    if (n->b[k] >= 0)
        for (int d = 0; d < n->dof; d++)
            w[n->b[k] * n->dof + d] += gb[d] * impulse;
}

/* |column k of G|²: what an impulse of 1 changes of the contact's own rate. */
static inline double ts_rows_square(const ts_rows *n, size_t k)
{
    double sum = 0;
    for (int d = 0; d < n->dof; d++) {
        if (n->a[k] >= 0)
            sum += n->ga[k * (size_t)n->dof + (size_t)d] * n->ga[k * (size_t)n->dof + (size_t)d];
        if (n->b[k] >= 0)
            sum += n->gb[k * (size_t)n->dof + (size_t)d] * n->gb[k * (size_t)n->dof + (size_t)d];
    }
    return sum;
}

static inline void ts_impact_begin_pass(ts_impact_work *work)
{
    work->moved = ++work->pass;
    work->touched.count = 0;
}

/* Counts a contact of a block whose velocity changes in this pass. */
static inline void ts_impact_touch(ts_impact_work *work, int32_t block)
{
    if (block < 0)
        return;
    ts_impact_mark *mark = &work->mark.item[block];
    if (mark->pass != work->pass) {
        *mark = (ts_impact_mark){work->pass, 0};
        work->touched.item[work->touched.count++] = block;
    }
    mark->number++;
}

/* Room for this instant. */
ts_status ts_impact_prepare(ts_impact_work *work, const ts_rows *n, ts_error *error);
/* Rows for ts_impact_reflect. */
ts_status ts_impact_pack(const ts_impact *impact, ts_error *error);
/* The contacts of each block, which ts_impact_find_near needs as well. */
ts_status ts_impact_neighbours(ts_impact_work *work, const ts_rows *n, ts_error *error);
/* A contact that closes faster than this counts [scaled rate]. */
double ts_impact_threshold(const ts_impact *impact);
/* Fills work->closing with all contacts that close. */
void ts_impact_find_all(const ts_impact *impact, double threshold);
/* The same for those whose blocks are among work->touched, those that changed: all others did not close before.
 * In an order that depends on the order of those blocks alone. */
void ts_impact_find_near(const ts_impact *impact, double threshold);

/* A program over some contacts, NULL: all, with rows of length 1 (work->size has what they had). `linear` is the
 * caller's to fill in. */
ts_status ts_impact_program(ts_impact_work *work, const ts_rows *n, const int32_t *row, size_t count, ts_qp *qp,
                            ts_error *error);

/* A block of a contact that can move; -1: there is none. */
static inline int32_t ts_impact_mover(const ts_rows *n, size_t k)
{
    return n->a[k] >= 0 ? n->a[k] : n->b[k];
}

/* One instant after the other, between the same blocks: rows of both. */
ts_status ts_impact_join(ts_impact_work *work, const ts_rows *n, const ts_rows *t, ts_rows *both, ts_error *error);

/* Islands: blocks that hang together by contacts. Fills work->root. */
ts_status ts_impact_find_islands(ts_impact_work *work, const ts_rows *n, ts_error *error);
/* How elastic an impact is that begins with w: work->share becomes c for the blocks of islands in which something
 * closes faster than options->rest and press, and in islands that nothing supports, and 0 elsewhere. `any`: some island is. */
ts_status ts_impact_shares(const ts_impact *impact, const double *w, double c, bool *any, ts_error *error);
/* After an elastic impact that did not end: islands in which something of work->closing still closes do not bounce.
 * What is not finite anywhere makes all of it so. */
void ts_impact_lock(const ts_impact *impact);
/* to ← share · elastic + (1 − share) · to, of blocks and of contacts. */
void ts_impact_blend_blocks(const ts_impact *impact, double *to, const double *elastic);
void ts_impact_blend_contacts(const ts_impact *impact, double *to, const double *elastic);

/* Where nothing bounces (work->share is 0): w ← w + factor · flight. */
void ts_impact_add_flight(const ts_impact *impact, double factor, double *w);
/* How fast a contact may go on closing after an inelastic impact. */
double ts_impact_room(const ts_impact *impact, size_t k);

/* Reflects the contacts of work->closing together: y = argmin ½|Gy + (1 + c) w|² over y ≥ 0 of these; w and λ take it
 * up, the blocks that changed are in work->touched. */
ts_status ts_impact_reflect(const ts_impact *impact, double c, ts_error *error);

/* Fails where a velocity is not finite. */
ts_status ts_impact_check_start(const ts_rows *n, const double *w, ts_error *error);
/* Counts are added up, and of what may go wrong the worst is kept. */
void ts_impact_add_report(ts_impact_report *to, const ts_impact_report *from);
/* Inelastic, by the linear complementarity; w contains the flight. */
ts_status ts_impact_stop(const ts_impact *impact, ts_error *error);
/* Locked bodies, such as a grain that hooks into others, cannot bounce: elastic reflections do not end there. Their
 * islands become inelastic. Returns whether there are any. */
bool ts_impact_give_up(const ts_impact *impact);
/* The inelastic half of ts_impact_stagger; work->share is there. */
ts_status ts_impact_stagger_inelastic(const ts_impact *impact, const ts_impact_friction *friction, ts_error *error);
/* Goes on with sweeps from the impulses that there are, at most so many and accelerated, until normals are off by less
 * than `enough` of the fastest rate of their island: for islands in which sweeps are slow. `friction` is not NULL. The
 * report has by how much they are off (disagreement). */
ts_status ts_impact_sweep_onward(const ts_impact *impact, const ts_impact_friction *friction, uint64_t sweeps_max,
                                 double enough, ts_error *error);
/* Friction as ts_impact_rub, added to the impulses that there are. */
ts_status ts_impact_rub_more(const ts_impact *impact, const double *bound, ts_error *error);

/* Friction once more where an elastic and an inelastic impact were mixed (work->share is above 0): if only one of the two
 * slides, the mixture slides with less than μ λ. λ stays; |z| ≤ μ λ, and no energy is gained. */
ts_status ts_impact_rub_mixed(const ts_impact *impact, const ts_impact_friction *friction, double *z, ts_error *error);

extern const ts_impact_operator ts_impact_gr, ts_impact_lcp, ts_impact_gauss_seidel, ts_impact_gauss_seidel_random,
    ts_impact_jacobi;
