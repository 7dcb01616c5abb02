/* SPDX-License-Identifier: MIT */
/* Between the parts of the exact gap (exact.h):
 *
 *     exact.c         what it is asked, and how the parts follow each other
 *     exact_meet.c    where the boundaries come nearest or cross, and boxes around the pieces of the overlap
 *     exact_search.c  the largest disc in such a box
 */
#pragma once

#include "cspace/exact.h"
#include "cspace/rim.h"
#include "shape/distance.h"

struct ts_exact {
    const ts_pair *pair;
    const ts_distance *distance_a, *distance_b;
    ts_rim a, b; /* numbered as the distances number them */
};

/* Rounding, in the pair's unit. */
#define TS_EXACT_ROUNDING 1e-13

/* B's place. */
typedef struct ts_placing {
    ts_vec2 at;
    double cosine, sine;
} ts_placing;

static inline ts_vec2 ts_placing_to_b(const ts_placing *q, ts_vec2 x)
{
    ts_vec2 d = ts_vec2_sub(x, q->at);
    return (ts_vec2){q->cosine * d.x + q->sine * d.y, q->cosine * d.y - q->sine * d.x};
}
static inline ts_vec2 ts_placing_turned(const ts_placing *q, ts_vec2 v)
{
    return (ts_vec2){q->cosine * v.x - q->sine * v.y, q->sine * v.x + q->cosine * v.y};
}

/* A box with sides along `u` and across it. */
typedef struct ts_overlap_box {
    ts_vec2 centre, u;
    double half_u, half_v;
} ts_overlap_box;

/* An edge of the boundary of the overlap, or of a part of it. */
typedef struct ts_overlap_edge {
    int32_t number;
    bool of_b;
    bool corner; /* its begin is a re-entrant corner of the overlap */
} ts_overlap_edge;

enum { ts_meeting_boxes = 64, ts_meeting_crossings = 128, ts_meeting_edges = 512 };

/* How the boundaries lie to each other. */
typedef struct ts_meeting {
    bool apart;      /* they do not cross, and neither outline holds a part of the other */
    bool beyond;     /* apart by more than the band: the rest is not known */
    double distance; /* between the boundaries, when they do not cross */
    ts_vec2 a, b;    /* points on them at that distance; crossing: one point of both */
    ts_vec2 normal;  /* apart: from a to b */
    int box_count;   /* boxes that hold the overlap; -1: not to be told */
    int edge_count;  /* edges that bound it; -1: not to be told */
    ts_overlap_box box[ts_meeting_boxes];
    ts_overlap_edge edge[ts_meeting_edges];
} ts_meeting;

void ts_exact_meet(const ts_exact *exact, const ts_placing *q, double band, ts_meeting *meeting);

/* The largest disc. */
typedef struct ts_low {
    ts_vec2 x;
    double value;     /* of max(φ_A, φ_B): minus the radius; HUGE_VAL: there is no overlap */
    ts_vec2 gradient; /* of twice the value in B's place; 0 where one outline alone holds the disc */
} ts_low;

/* The lowest value in the boxes of `m` (of which some edges may be told), or any that is below `enough`. */
ts_low ts_exact_search(const ts_exact *exact, const ts_placing *q, const ts_meeting *m, double enough);
/* Signed distance from both outlines: the larger one. */
double ts_exact_field(const ts_exact *exact, const ts_placing *q, ts_vec2 x);
/* Unit vectors that point out of A and out of B at x. */
void ts_exact_normals(const ts_exact *exact, const ts_placing *q, ts_vec2 x, ts_vec2 *out_of_a, ts_vec2 *out_of_b);
