/* SPDX-License-Identifier: MIT */
/* How far two shapes lie in each other, by their boundaries alone: no contact map, no distance field, no tracing of
 * intersection polygons.
 *
 * Boundaries are cut into chords, in any order, interior on the left. The winding number of a point is the sum of the
 * signs of the chords above it, so an area is a sum over trapezia T_e that hang below the chords, and the area of an
 * intersection a sum over pairs of them:
 *
 *        e ─────╲                1_A(p) = Σ_e s_e [p ∈ T_e]        s_e = +1 when e runs leftward, −1 rightward
 *        │  T_e  ╲── f
 *        │    │T_f │             area(A ∩ B) = ∫ 1_A 1_B = Σ_e Σ_f s_e s_f area(T_e ∩ T_f)
 *       ─┴────┴────┴─ base
 *
 * Every term is continuous in all coordinates: edges that coincide, corners that lie on edges and holes need no case of
 * their own.
 *
 * The depth is the diameter of the largest disc that fits into the intersection: the thickness of the overlap where it
 * is thickest (overlap_depth.c). */
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "touchstone/scene.h"
#include "touchstone/shape.h"

/* A straight piece of a boundary, interior on its left. */
typedef struct ts_chord {
    double x0, y0, x1, y1;
} ts_chord;

/* The boundary of a shape, in its own frame. */
typedef struct ts_chords {
    TS_ARRAY(ts_chord) chord;
    const ts_disc *disc; /* the shape is their union, and they are borrowed (disc_count); an outline has none */
    size_t disc_count;
    ts_status status; /* while it is filled */
    ts_error *error;
} ts_chords;

/* Chords keep to within a millionth of the shape's extent. Empty on failure. */
ts_status ts_chords_of_outline(const ts_outline *outline, ts_chords *chords, ts_error *error);
ts_status ts_chords_of_discs(const ts_disc *disc, size_t count, ts_chords *chords, ts_error *error);
void ts_chords_free(ts_chords *chords);

/* A piece of a chord over the box that is looked at, x0 < x1, y within the box. */
typedef struct ts_overlap_piece {
    double x0, y0, x1, y1, sign;
} ts_overlap_piece;

/* Part of the box in which the largest disc's centre may lie, and how large that disc can be. */
typedef struct ts_overlap_cell {
    double x, y, hx, hy; /* middle, half of the sides */
    double bound;
    size_t begin[2], count[2]; /* chords of A and of B that matter in it, a part of work->index */
} ts_overlap_cell;

/* One of the two, placed. */
typedef struct ts_overlap_side {
    TS_ARRAY(ts_chord) all;           /* relative to the position of A */
    TS_ARRAY(ts_disc) disc;           /* likewise */
    TS_ARRAY(ts_chord) near;          /* those that come into the box, relative to its lower left corner */
    TS_ARRAY(ts_overlap_piece) piece; /* what lies over the box, likewise, by x0 */
    double box_x, box_y;              /* that corner */
} ts_overlap_side;

/* Scratch memory; zero it first. Any number of pairs may use it one after the other. */
typedef struct ts_overlap_work {
    ts_overlap_side side[2];
    TS_ARRAY(ts_overlap_cell) cell;
    TS_ARRAY(uint32_t) index;
    TS_ARRAY(ts_overlap_piece) active[2]; /* pieces over the place that a sweep has come to */
} ts_overlap_work;

void ts_overlap_work_free(ts_overlap_work *work);

ts_status ts_chords_overlap(const ts_chords *const shape[2], const ts_outline_pose pose[2], ts_overlap_work *work,
                            ts_overlap *out, ts_error *error);

/* ---- Between overlap.c and overlap_depth.c ---- */

/* Looks at the box of width × height whose lower left corner is (x, y), relative to A's position. */
ts_status ts_overlap_look(ts_overlap_side *side, double x, double y, double width, double height, ts_error *error);
/* Whether a point of the box that is looked at, relative to its corner, lies inside. */
bool ts_overlap_inside(const ts_overlap_side *side, double x, double y);
/* The largest disc within both sides and the box: its radius and centre, relative to the corner. */
ts_status ts_overlap_disc(ts_overlap_work *work, double width, double height, double *radius, double centre[2],
                          ts_error *error);
/* Whether no disc of the radius fits into a side so that it holds the point, relative to A's position. Looks
 * elsewhere. */
ts_status ts_overlap_thin(ts_overlap_work *work, int side, const double point[2], double radius, bool *thin,
                          ts_error *error);
