/* SPDX-License-Identifier: MIT */
/* What the parts of repair share; nobody else includes it.
 *
 *     repair_clean.c    contours ──▶ vertices and edges: numbers checked, ends closed, doubled points and specks dropped
 *     repair_cross.c    edges cut wherever they meet, until none meets another except at its ends
 *     repair_stitch.c   the pieces that bound the inside, joined to loops
 *     repair_wind.c     winding numbers beside pieces, by rays
 *     repair_notes.c    what became of each contour, in sentences
 *     repair_verify.c   the result looked at afresh
 *     repair_boxes.c    a tree of boxes: who may meet whom
 *     repair_curve.c    lines and arcs: where two of them meet, whether a point lies on one
 *
 * The work is done in a frame of its own, where the drawing fills a box of size 1 about the origin (to a factor of two,
 * so that scaling is exact). There two points within `weld` are one, and a point within `weld` of an edge lies on it:
 * this is what makes the decisions consistent, because after cutting any two pieces are either the same or clearly
 * apart. Arcs of more than a half circle are halved on the way in, and joined again on the way out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shape/repair.h"

#define TS_MEND_NONE UINT32_MAX

/* As shares of the extent. */
#define TS_MEND_SAME  1e-12 /* points nearer than this are one, and nobody minds */
#define TS_MEND_WELD  1e-10 /* below this two places cannot be told apart */
#define TS_MEND_EDGE  1e-9  /* edges shorter than this are dropped */
#define TS_MEND_SPECK 1e-6  /* contours smaller than this are dropped, gaps smaller than this snapped shut */
/* Places where edges meet: a drawing of more is a mistake, or an attack. */
#define TS_MEND_CUTS_MAX 2000000

typedef struct ts_mend_box {
    double x0, y0, x1, y1;
} ts_mend_box;

/* ---- Lines and arcs (repair_curve.c) ---- */

/* A line or an arc of at most a half circle, as the zeros of F(u, v) = square (u² - chord u + v²) - slope v, where u
 * runs along the chord and v to its left. F / (1 + bulge²) is the signed distance nearby. Nothing blows up as the arc
 * gets flat, unlike with centre and radius. */
typedef struct ts_mend_curve {
    double x0, y0; /* begin */
    double x1, y1; /* end */
    double ex, ey; /* unit vector along the chord */
    double chord;  /* its length */
    double bulge;  /* within ±1 */
    double square; /* 2 bulge / chord */
    double slope;  /* 1 - bulge² */
} ts_mend_curve;

ts_mend_curve ts_mend_curve_make(const ts_segment *s);
/* Holds the arc and its chord. */
ts_mend_box ts_mend_curve_box(const ts_mend_curve *c);
ts_vec2 ts_mend_curve_middle(const ts_mend_curve *c);
/* The point lies within `tolerance` of the curve; `t` (not NULL) says where along it, in [0, 1]. */
bool ts_mend_curve_near(const ts_mend_curve *c, ts_vec2 p, double tolerance, double *t);
/* Points where two curves cross or touch (within `tolerance`); 0, 1 or 2 of them. Curves that run along each other are
 * told by their ends, not here. */
int ts_mend_curve_cross(const ts_mend_curve *a, const ts_mend_curve *b, double tolerance, ts_vec2 p[2]);
/* Meeting at p is no news when both curves begin or end in `shared` and keep within `tolerance` between there and p. */
bool ts_mend_curve_together(const ts_mend_curve *a, const ts_mend_curve *b, ts_vec2 shared, ts_vec2 p,
                            double tolerance);
/* Signed area between the curve and the origin. */
double ts_mend_curve_area(const ts_mend_curve *c);

/* ---- Boxes (repair_boxes.c) ---- */

#define TS_MEND_LEVELS 12
#define TS_MEND_FAN    8 /* children of a node */

typedef struct ts_mend_tree {
    size_t count;
    uint32_t *order;                  /* box at each leaf, neighbours near each other (count) */
    ts_mend_box *node;                /* level by level, leaves first */
    size_t begin[TS_MEND_LEVELS + 1]; /* first node of each level */
    int level_count;
} ts_mend_tree;

typedef struct ts_mend_walk {
    const ts_mend_tree *tree;
    ts_mend_box box;
    struct {
        uint32_t node, level;
    } stack[TS_MEND_FAN * TS_MEND_LEVELS];
    int depth;
} ts_mend_walk;

ts_status ts_mend_tree_make(ts_mend_tree *tree, const ts_mend_box *box, size_t count, ts_error *error);
void ts_mend_tree_free(ts_mend_tree *tree);
ts_mend_walk ts_mend_tree_walk(const ts_mend_tree *tree, ts_mend_box box);
/* The next box that meets the walk's; TS_MEND_NONE when there are no more. */
uint32_t ts_mend_tree_next(ts_mend_walk *walk);

/* ---- Winding numbers (repair_wind.c) ---- */

/* An end of a piece, and what it and those before it weigh. */
typedef struct ts_mend_rung {
    double at;
    int64_t sum;
} ts_mend_rung;

/* Pieces to shoot rays at. */
typedef struct ts_mend_field {
    /* piece i, and how often it is run through */
    int32_t (*get)(const void *owner, uint32_t i, ts_mend_curve *curve);
    const void *owner;
    double margin; /* what is nearer to the begin of a ray is looked at piece by piece */
    ts_mend_tree tree;
    ts_mend_rung *rung[TS_MEND_LEVELS][2]; /* under large nodes, along x and y; NULL: not made */
} ts_mend_field;

/* Where on a piece a ray starts: in the middle of all of it or of a half. */
typedef enum ts_mend_part { TS_MEND_WHOLE, TS_MEND_FIRST, TS_MEND_SECOND } ts_mend_part;
enum { TS_MEND_PARTS = 3 };

/* With `get`, `owner` and `margin` set. Worth some preparation when there will be `many` rays. */
ts_status ts_mend_field_make(ts_mend_field *field, size_t count, bool many, ts_error *error);
void ts_mend_field_free(ts_mend_field *field);
ts_vec2 ts_mend_field_probe(const ts_mend_field *field, uint32_t piece, ts_mend_part part);
/* The winding number to the left of a piece, by a ray toward the nearer border of the drawing, or the other way
 * (`longer`). */
int64_t ts_mend_field_left(const ts_mend_field *field, uint32_t piece, ts_mend_part part, bool longer);

/* ---- The work ---- */

typedef struct ts_mend_vertex {
    double x, y;         /* in the frame of the work */
    double out_x, out_y; /* as drawn, to the bit, when it was */
    uint32_t degree;     /* pieces that meet here */
    bool drawn;          /* out_x and out_y hold */
    bool halving;        /* only halves an arc */
    bool cuts;           /* an edge was cut here */
} ts_mend_vertex;

typedef struct ts_mend_edge {
    uint32_t a, b; /* vertices */
    double bulge;
    double t0, t1;    /* which part of the source it is */
    uint32_t source;  /* edge as drawn */
    uint32_t contour; /* as drawn */
    int32_t turns;    /* how often it is run through from a to b, less from b to a */
    bool fresh;       /* not compared with others since it changed */
} ts_mend_edge;

typedef struct ts_mend_source {
    double bulge; /* as drawn */
    bool closing; /* the line that closes an open contour */
} ts_mend_source;

typedef enum ts_mend_kind {
    TS_MEND_CROSS, /* edges meet, at an end or between */
    TS_MEND_ALONG, /* edges run along each other */
    TS_MEND_BACK   /* and cancel */
} ts_mend_kind;

/* Two contours (or one with itself) that meet. */
typedef struct ts_mend_event {
    uint32_t first, second; /* contours, first <= second */
    uint32_t vertex;
    uint8_t kind;
    bool closing; /* a closing line takes part */
} ts_mend_event;

typedef struct ts_mend_cut {
    double t;
    uint32_t edge, vertex;
} ts_mend_cut;

/* A piece as the boundary runs through it. */
typedef struct ts_mend_step {
    uint32_t edge;
    bool back; /* from b to a */
} ts_mend_step;

typedef struct ts_mend_loop {
    size_t begin, end; /* into step */
    double area;       /* signed, in the frame of the work */
} ts_mend_loop;

/* What became of a contour. */
typedef struct ts_mend_fate {
    double area; /* signed, as drawn, in the frame of the work */
    size_t pieces, kept, reversed;
    size_t loops; /* that it has a part in */
    bool dropped; /* in cleaning: has been said */
    bool meets;   /* itself or another */
    bool is_hole; /* a piece of it bounds a hole */
} ts_mend_fate;

typedef struct ts_mend {
    const ts_contour *contour;
    size_t contour_count;
    ts_fill_rule rule;
    double centre_x, centre_y, scale; /* drawn = centre + scale · here; scale is a power of two */
    double extent;                    /* of the drawing, here: within [1, 2) */
    double weld;                      /* lengths below this are nothing, here */
    TS_ARRAY(ts_mend_vertex) vertex;
    TS_ARRAY(ts_mend_edge) edge;
    TS_ARRAY(ts_mend_source) source;
    TS_ARRAY(ts_mend_cut) cut;
    TS_ARRAY(ts_mend_event) event;
    TS_ARRAY(ts_mend_step) step;
    TS_ARRAY(ts_mend_loop) loop;
    ts_mend_fate *fate; /* (contour_count) */
    ts_repaired *out;
} ts_mend;

ts_mend_curve ts_mend_edge_curve(const ts_mend *m, const ts_mend_edge *e);
/* Where a vertex lies in the drawing. */
ts_vec2 ts_mend_place(const ts_mend *m, uint32_t vertex);
ts_status ts_mend_note(ts_mend *m, ts_error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));

ts_status ts_mend_clean(ts_mend *m, ts_error *error);
ts_status ts_mend_cross(ts_mend *m, ts_error *error);
/* `careful` takes longer: nothing is passed on from piece to piece, and most of several rays decide for each. */
ts_status ts_mend_stitch(ts_mend *m, bool careful, ts_error *error);
ts_status ts_mend_tell(ts_mend *m, ts_error *error);
/* Closed, at least two edges each, no crossing, areas that agree with how contours lie in each other. */
ts_status ts_mend_verify(const ts_mend *m, ts_error *error);
