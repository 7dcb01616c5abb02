/* SPDX-License-Identifier: MIT */
/* Contacts of two convex solids, from the inside.
 *
 * Two questions, one after the other:
 *
 *   1. along which unit direction n, from A to B?   The one of largest separation  s(n) = min over B of n·x − max over A of n·x.  When the two are
 *      apart this is the direction between their nearest points; when they overlap, that of the shortest way out.
 *          polyhedra   every candidate there is: normals of faces, and of pairs of edges that can meet (touch_sat.c)
 *          others      nearest points by GJK (touch_gjk.c); overlapping ones are drawn apart first
 *   2. in which points?   Each solid shows along n a *patch*: a face, an edge, a point, the lid of a cylinder, a line of its side. Both patches
 *      are seen along n; where they cover each other, the corners of the common region are the contacts, and the gap is measured along n
 *      from one patch to the other (touch_patch.c).
 *
 * Neither step prefers A to B. Where several directions are equally good (two edges that meet side by side, corner on
 * corner) their mean is taken: the answer has the symmetry of the question. For the same reason a patch is a face only
 * if no other face of the solid competes with it, an edge only if no other edge does.
 *
 * Lengths are relative to A's origin, in world directions. A capsule is its middle line with a skin of its radius. */
#pragma once

#include "contact/touch_parts.h"

typedef struct ts_convex {
    const ts_solid *solid;
    const ts_hull *hull; /* of a hull, or of a box where it is to be treated as one; else NULL */
    ts_vec3 at;
    ts_mat3 turn;
    double skin; /* of a capsule: its radius [m] */
    double size; /* about half its width: what tolerances refer to [m] */
} ts_convex;

/* The farthest point in a direction of any length, without the skin. `hint` is where to begin, and comes back as where
 * it ended; for a hull a vertex. May be NULL. */
ts_vec3 ts_convex_support(const ts_convex *convex, ts_vec3 direction, int32_t *hint);
/* s(n), skins included. */
double ts_convex_separation(const ts_convex *a, const ts_convex *b, ts_vec3 n);

/* ---- Direction ---- */

typedef struct ts_convex_way {
    ts_vec3 n;         /* unit, from A to B */
    double separation; /* s(n) */
    bool has_point;
    ts_vec3 point_a; /* of A without its skin, nearest to B along n */
} ts_convex_way;

/* The best of a stream of directions, or the sum of equally good ones. Begins with best = −∞. */
typedef struct ts_contest {
    double best;
    double equal; /* separations this close are equal [m] */
    ts_vec3 first, sum;
} ts_contest;

/* Separations this close, relative to the sizes of the two, are equal. */
#define TS_CONTEST_EQUAL 1e-9

void ts_contest_enter(ts_contest *contest, double separation, ts_vec3 n);
/* The mean of the best; the first of them when they point all ways (one solid in the middle of the other). */
ts_vec3 ts_contest_winner(const ts_contest *contest);

/* Of two boxes; of two hulls. Both stop early with a separation above `reach`. */
ts_convex_way ts_sat_boxes(const ts_convex *a, const ts_convex *b, double reach);
ts_convex_way ts_sat_hulls(const ts_convex *a, const ts_convex *b, double reach);

/* Of any two, one of them round. Overlapping ones are followed uphill from the best of a list of candidates. A
 * separation above `reach` need not be exact. */
ts_convex_way ts_round_way(const ts_convex *a, const ts_convex *b, double reach);

typedef struct ts_gjk {
    double distance; /* of the two without their skins; 0 when they overlap [m] */
    ts_vec3 n;       /* unit, from A to B; zero when they overlap */
    ts_vec3 point_a, point_b;
    int iterations;
} ts_gjk;

/* What is wanted of it: how close |v|² must come to its lower bound, relatively, and a distance from which on nothing
 * more is. The direction is as good as the root of `gap` for round solids, and exact to rounding for polyhedra, which
 * end by running out of vertices. */
typedef struct ts_gjk_wish {
    double gap; /* TS_GJK_EXACT, or more */
    double far; /* [m] */
} ts_gjk_wish;

#define TS_GJK_EXACT 1e-15

/* Nearest points of A and of B moved by `shift`. */
ts_gjk ts_gjk_find(const ts_convex *a, const ts_convex *b, ts_vec3 shift, ts_gjk_wish wish);

/* ---- Patches ---- */

#define TS_PATCH_CORNERS 64 /* of a face; of one with more, so many evenly chosen ones */

typedef enum ts_patch_kind { TS_PATCH_POINT, TS_PATCH_SEGMENT, TS_PATCH_POLYGON, TS_PATCH_DISC } ts_patch_kind;

typedef struct ts_patch {
    ts_patch_kind kind;
    int count;                       /* corners; four for a disc, filled in when it is met */
    uint64_t inner;                  /* bit k: side k of a polygon lies inside of a larger one, and crosses nothing */
    ts_vec3 normal;                  /* of polygon and disc, out of the solid */
    ts_vec3 centre, spare;           /* of a disc; a unit vector in its plane */
    double radius;                   /* of a disc [m] */
    double skin;                     /* [m] */
    uint32_t id[TS_PATCH_CORNERS];   /* of the solid's vertices, lids' quarters */
    ts_vec3 point[TS_PATCH_CORNERS]; /* counter-clockwise about the normal */
} ts_patch;

/* A convex solid of a job, from an origin; boxes are none of its hulls yet. */
ts_convex ts_convex_of(const ts_solid *solid, ts_vec3 at, ts_mat3 turn);
/* What a solid shows along a unit direction. */
void ts_patch_of(const ts_convex *convex, ts_vec3 direction, ts_patch *patch);

typedef struct ts_patch_contact {
    double gap;
    ts_vec3 point_a; /* on A, with its skin */
    uint32_t feature;
} ts_patch_contact;

#define TS_PATCH_CONTACTS (4 * TS_PATCH_CORNERS)

typedef struct ts_patch_meeting {
    int count;
    double least; /* gap */
    ts_patch_contact contact[TS_PATCH_CONTACTS];
} ts_patch_meeting;

/* Where the patch of A along n and that of B along −n cover each other. Points closer than `tolerance` are one. */
void ts_patch_meet(ts_patch *a, ts_patch *b, ts_vec3 n, double tolerance, ts_patch_meeting *meeting);

/* ---- A box as a hull ---- */

typedef struct ts_box_hull {
    ts_hull hull;
    ts_vec3 vertex[8], normal[6];
    double offset[6];
    int32_t corner[24], face_begin[7], edge[12][4], neighbour[24], neighbour_begin[9];
} ts_box_hull;

void ts_box_hull_make(ts_vec3 half, ts_box_hull *box);
