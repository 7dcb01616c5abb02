/* SPDX-License-Identifier: MIT */
/**
 * @file shape.h
 * Outlines: grains of any shape in the plane, with holes and circular arcs.
 *
 * A contour is a list of vertices. From each vertex a straight line or a circular arc goes to the next, and from the
 * last one back to the first. The bulge says which: tan(sweep / 4) of the arc, 0 for a line, 1 for a half circle that
 * turns counter-clockwise.
 *
 *          1 ◀──────── 0          bulge b of the edge from p to q, |pq| = c:
 *          │   ╭──╮    ▲             sagitta (height of the arc over its chord)   h = b c / 2
 *          │   │  │    │             radius                                       r = c (1 + b²) / (4 |b|)
 *          ▼   ╰──╯    │             b > 0: the arc lies to the right of the chord p → q
 *          2 ────────▶ 3
 *
 * An outline is a set of such contours, all closed and free of crossings, with its interior to the left of every edge:
 * outer contours run counter-clockwise, holes clockwise. It may have several pieces (the letter i). It never changes
 * once it is made; any number of threads may read it at once.
 *
 * What people draw is less tidy. ts_outline_create and the readers mend what can be mended safely (order and direction
 * of contours, small gaps, doubled points, overlapping pieces, crossings that the fill rule decides) and keep a note of
 * each repair; the rest is refused with the contour and the coordinates.
 *
 * Lengths are in the file's own unit, or metres: nothing here depends on the scale.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A vertex, and the edge that begins there. */
typedef struct ts_vertex {
    double x;     /**< [m] */
    double y;     /**< [m] */
    double bulge; /**< tan(sweep / 4) of the arc to the next vertex; 0: a straight line; positive: counter-clockwise */
} ts_vertex;

/** A curve made of lines and arcs. */
typedef struct ts_contour {
    const ts_vertex *vertex; /**< (vertex_count) */
    size_t vertex_count;     /**< at least 1 */
    bool open;               /**< no edge goes from the last vertex to the first; its bulge means nothing */
} ts_contour;

/** Which points are inside when contours overlap. */
typedef enum ts_fill_rule {
    TS_RULE_NONZERO = 1, /**< those that the contours wind around, in sum (SVG's default, and fonts') */
    TS_RULE_EVEN_ODD = 2 /**< those from which a ray crosses the contours an odd number of times */
} ts_fill_rule;

/** A shape bounded by lines and arcs. */
typedef struct ts_outline ts_outline;

/** Area, centre and moment of inertia at a density of 1. */
typedef struct ts_outline_mass {
    double area;      /**< [m²] */
    double centre[2]; /**< centre of mass [m] */
    double inertia;   /**< polar second moment of area about the centre of mass [m⁴] */
    double radius;    /**< of the smallest circle about the centre of mass that holds the outline [m] */
} ts_outline_mass;

/** The rigid motions that map an outline onto itself. */
typedef struct ts_symmetry {
    int32_t rotations; /**< n: turning by 2π / n about the centre of mass changes nothing; 0: any angle (disc, ring) */
    bool mirror;       /**< it has mirror axes as well: the group is D_n, else C_n */
    double mirror_axis; /**< angle of one of them, in [0, π / n) [rad] */
    double error;       /**< farthest that a point of the boundary comes to lie from it, as a share of the radius [1] */
} ts_symmetry;

/* ---- Making ---- */

/** From contours as they come: mended where that is safe, else refused. */
TS_API ts_status ts_outline_create(const ts_contour *contour, size_t count, ts_fill_rule rule, ts_outline **outline,
                                   ts_error *error);
/** A disc about the origin. */
TS_API ts_status ts_outline_disc(double radius, ts_outline **outline, ts_error *error);
/** A ring about the origin; 0 < inner < outer. */
TS_API ts_status ts_outline_ring(double outer, double inner, ts_outline **outline, ts_error *error);
/** A box about the origin whose corners are rounded with `corner`, from 0 up to half of the shorter side. */
TS_API ts_status ts_outline_box(double width, double height, double corner, ts_outline **outline, ts_error *error);
/** A regular polygon of `sides` ≥ 3 about the origin; a corner lies at distance `radius` on the x axis. */
TS_API ts_status ts_outline_regular(size_t sides, double radius, ts_outline **outline, ts_error *error);
/**
 * A bent bar: the points within thickness / 2 of an arc of `radius` (of its middle line) that spans `angle`, symmetric
 * about the x axis on the side of +x. Its ends are cut square or rounded. 0 < thickness / 2 < radius; angle in (0, 2π);
 * one whose ends meet is refused.
 */
TS_API ts_status ts_outline_arc(double radius, double thickness, double angle, bool round_ends, ts_outline **outline,
                                ts_error *error);
/** The same outline scaled, then turned, then shifted. scale > 0; notes come along. */
TS_API ts_status ts_outline_place(const ts_outline *from, double scale, double angle, const double shift[2],
                                  ts_outline **outline, ts_error *error);

/** How to read a drawing or a font. Zero is a good default for every field. */
typedef struct ts_outline_options {
    double tolerance; /**< curves become arcs that stay this near, as a share of the outline's extent; 0: 1e-4 */
    const char *id;   /**< SVG: only the element with this id, and what is in it; NULL: the whole drawing */
} ts_outline_options;

/**
 * Reads an SVG drawing: all that is visible in it makes one outline, y up, as drawn. One user unit of the outermost svg
 * element counts as 1; `unit` (may be NULL) gets its length in metres, 0 when the file does not say.
 */
TS_API ts_status ts_outline_read_svg(const char *path, const ts_outline_options *options, ts_outline **outline,
                                     double *unit, ts_error *error);
/** The same from text; `name` stands for the file in messages. */
TS_API ts_status ts_outline_parse_svg(const char *text, size_t length, const char *name,
                                      const ts_outline_options *options, ts_outline **outline, double *unit,
                                      ts_error *error);
/**
 * Reads one glyph of a font file (TrueType, OpenType, Type 1). The em square is 1 high; the origin is the pen's, on the
 * base line; `advance` (may be NULL) gets how far the pen moves on. A character that the font lacks, or that leaves
 * no ink, is refused.
 */
TS_API ts_status ts_outline_read_glyph(const char *path, uint32_t character, const ts_outline_options *options,
                                       ts_outline **outline, double *advance, ts_error *error);
/** Frees an outline; NULL is allowed. */
TS_API void ts_outline_free(ts_outline *outline);

/* ---- Asking ---- */

/** Area, centre of mass, inertia and radius, exact up to rounding. */
TS_API ts_outline_mass ts_outline_get_mass(const ts_outline *outline);
/** How many contours there are. */
TS_API size_t ts_outline_contour_count(const ts_outline *outline);
/** One of them; its vertices belong to the outline. Outer ones run counter-clockwise, holes clockwise. */
TS_API ts_contour ts_outline_get_contour(const ts_outline *outline, size_t index);
/** How many repairs were made. */
TS_API size_t ts_outline_note_count(const ts_outline *outline);
/** What one of them was, such as "contour 2 was open by 0.3: closed". */
TS_API const char *ts_outline_get_note(const ts_outline *outline, size_t index);
/**
 * Signed distance to the boundary of `count` points, negative inside, and the nearest points of the boundary.
 * `distance`, `closest_x` and `closest_y` may each be NULL. Deterministic; a point gives the same bits alone and in a
 * batch. A coordinate that is not finite gives NaN.
 */
TS_API void ts_outline_distance(const ts_outline *outline, size_t count, const double *x, const double *y,
                                double *distance, double *closest_x, double *closest_y);
/** Where an outline lies: its frame is scaled, then turned, then shifted. */
typedef struct ts_outline_pose {
    double x;     /**< where its origin comes to lie [m] */
    double y;     /**< likewise [m] */
    double angle; /**< [rad] */
    double scale; /**< of its lengths; 0 counts as 1 */
} ts_outline_pose;

/** How far two outlines lie in each other (docs/measures.md, "Overlap"). */
typedef struct ts_overlap {
    double area;  /**< of the intersection [m²]; 0: they are apart, or touch */
    double depth; /**< diameter of the largest disc in the intersection, to a thousandth of itself [m] */
    double at[2]; /**< its centre, in the world [m] */
    bool through; /**< it is wider than half of what one of the two measures there: pushed half-way through */
} ts_overlap;

/**
 * The intersection of two outlines, found from their boundaries alone: no map has a part in it, so it can judge what
 * maps, or other simulators, made of a pair. Arcs count as chords that keep to within 1e-6 of the outline's extent.
 * Edges that coincide and corners that lie on edges are no special cases. Deterministic.
 */
TS_API ts_status ts_outline_overlap(const ts_outline *a, const ts_outline_pose *at_a, const ts_outline *b,
                                    const ts_outline_pose *at_b, ts_overlap *out, ts_error *error);
/** The symmetry group, where points of the boundary may miss it by `tolerance` of the radius (0: 1e-6). */
TS_API ts_status ts_outline_symmetry(const ts_outline *outline, double tolerance, ts_symmetry *symmetry,
                                     ts_error *error);

#ifdef __cplusplus
}
#endif
