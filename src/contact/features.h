/* SPDX-License-Identifier: MIT */
/* Features of outlines, and where two shapes touch by them: exact contact points ("places") of lines and arcs.
 *
 * A shape is compiled once into
 *
 *     points   convex corners (radius 0) and convex arcs (centre and radius), each with its cone of outward normals
 *     edges    lines and concave arcs
 *
 * Every place at which two shapes touch is a point of one against an edge of the other, or a point against a point, at
 * least one of which is round (two corners are nearest to each other only while they are apart):
 *
 *          ╲ A ╱                      key = (side, feature of A, feature of B): the same from step to step
 *           ╲ ╱  point                gap, normal and foot follow exactly from the poses
 *      ──────•────── edge of B
 *            ▼ -n within the point's cone
 *
 * A place is accepted when
 *     its foot lies on the edge, or beyond its end: a little where it ends in a corner and the point is inside the
 *     shape, and in an inner angle, where a point that is behind both edges has its feet beyond both;
 *     -n lies in the point's cone. Against edges the cone of a corner is widened by `slack`, since of a face that lies
 *     on an edge both ends touch, and only one of them is the deepest; so is that of an arc's end that goes over into a
 *     line. It decides on which side of a thin bar a corner is;
 *     it is not deeper than half the sum of both thicknesses, beyond which the way out on the far side is the shorter
 *     one; and where it is not shallow the point is inside the shape, and so is the way to it from its foot: a corner
 *     that has come into a notch between two tips is deep behind the far sides of both, but did not come in over them.
 *
 * Where two corners have passed each other, each lies behind an edge of the other's: of two such places that push in
 * different directions the one with the larger gap counts. Of two edges that face a point as two sides of something
 * that stands out do, the one with the larger gap counts; in an inner angle both do. An edge on which the point's cone
 * allows no place still hides a deeper one, unless it is on the far side.
 *
 * Walls are shapes as well: a half-plane is an endless line, a container a concave arc of a full turn, a polyline a
 * contour without thickness that runs there and back.
 *
 * Coordinates are those of the shape's own frame, in metres. Nothing here knows of bodies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vec.h"
#include "shape/distance.h"
#include "touchstone/shape.h"

/* A convex corner or a convex arc. The first line of the cache is what lanes read (contact/feature_lanes.h). */
typedef struct ts_feature_point {
    double x, y;               /* the corner, or the arc's centre [m] */
    double middle_x, middle_y; /* unit normal halfway through the cone */
    double loose;              /* `cosine` of a corner against edges */
    double thickness;          /* of the shape behind it [m] */
    double radius;             /* 0: a corner [m] */
    double cosine;             /* n is in the cone where n · middle is at least this; below -1: all of them are */
    double end[2][2];          /* unit normals at the begin and the end of an arc */
    bool goes_on[2];           /* a line or a concave arc goes on from there without a corner */
} ts_feature_point;

/* A line, or an arc that is hollow. Lanes read what comes before the normal. */
typedef struct ts_feature_edge {
    double x, y;   /* begin of a line; centre of an arc [m] */
    double tx, ty; /* unit tangent of a line; direction to the middle of an arc */
    /* a line's extent along its tangent [m]; `low` of an arc: cosine of half its sweep, below -1: all around */
    double low, high;
    /* how far a foot may lie beyond its begin and its end, of the depth of the point; from 1: an inner angle, there up
     * to that times beyond_most */
    double beyond[2];
    /* down to this depth at least [m] the way from a foot to its point lies inside the shape, if the foot is `lean`
     * times the depth away from the ends (0: none is acute) */
    double sure;
    double thickness;  /* of the shape behind it [m] */
    double lean;       /* cotangent of the sharpest acute corner in which it ends */
    double nx, ny;     /* unit normal of a line, out of the solid: (ty, -tx) */
    double radius;     /* of an arc; 0: a line [m] */
    double end[2][2];  /* directions from an arc's centre to its ends */
    int32_t corner[2]; /* points at its begin and its end; -1: none */
    int32_t inner[2];  /* edges that meet it in an inner angle there; -1: none */
} ts_feature_edge;

/* A direction this little outside of a cone is in it, so that no place is lost to rounding between two features. */
#define TS_FEATURE_CONE_ROUNDING 1e-9
/* Places no deeper than this, of the thickness behind the point, need not lie inside: they may have passed through a
 * thin tip, if that lies across the point. */
#define TS_FEATURE_SHALLOW 0.05

typedef struct ts_feature_grid ts_feature_grid;

typedef struct ts_features {
    size_t point_count, edge_count;
    ts_feature_point *point;
    ts_feature_edge *edge;
    const ts_distance
        *solid; /* of the shape at scale 1; not its own; NULL: there is no solid, or all beyond the edge is */
    double scale;
    double radius;         /* of all features about the origin; infinite: a half-plane, a container [m] */
    double tolerance;      /* rounding of feet [m] */
    double beyond_most;    /* how far a foot may lie beyond an edge, whatever the depth [m] */
    double inner_most;     /* … in any inner angle [m] */
    double thickest;       /* largest thickness of an edge or a point [m] */
    ts_feature_grid *grid; /* NULL: look at all */
} ts_features;

/* A pose of the point's shape in the frame of the edge's shape: p ↦ (c x - s y + dx, s x + c y + dy). */
typedef struct ts_relative {
    double c, s, dx, dy;
} ts_relative;

static inline ts_relative ts_relative_inverse(ts_relative r)
{
    return (ts_relative){r.c, -r.s, -(r.c * r.dx + r.s * r.dy), r.s * r.dx - r.c * r.dy};
}

/* A place, in the frame of B. */
typedef struct ts_feature_contact {
    uint64_t key;
    double gap;    /* [m] */
    double nx, ny; /* unit normal from A to B */
    double x, y;   /* point on B [m]; A's is this minus gap · n */
} ts_feature_contact;

/* Keys. Sides: a point of A on an edge of B; a point of B on an edge of A; two points. */
enum { TS_SIDE_POINT_A, TS_SIDE_POINT_B, TS_SIDE_POINTS };
#define TS_FEATURES_MAX 0x20000000u

static inline uint64_t ts_feature_key(unsigned side, uint32_t a, uint32_t b)
{
    return (uint64_t)side << 59 | (uint64_t)a << 29 | b;
}
static inline unsigned ts_feature_side(uint64_t key)
{
    return (unsigned)(key >> 59) & 3;
}
static inline uint32_t ts_feature_a(uint64_t key)
{
    return (uint32_t)(key >> 29) & (TS_FEATURES_MAX - 1);
}
static inline uint32_t ts_feature_b(uint64_t key)
{
    return (uint32_t)key & (TS_FEATURES_MAX - 1);
}
/* Features of clean contours, scaled. `solid`, which must last, answers what is inside the contours as they are given;
 * NULL: they are lines without thickness, of which both sides count, and may be open. */
ts_status ts_features_create(const ts_contour *contour, size_t count, const ts_distance *solid, double scale,
                             ts_features **features, ts_error *error);
ts_status ts_features_disc(double radius, ts_features **features, ts_error *error);
/* The solid below the x axis; its normal is the y axis. */
ts_status ts_features_half_plane(ts_features **features, ts_error *error);
/* The solid around a circle about the origin. */
ts_status ts_features_hollow(double radius, ts_features **features, ts_error *error);
void ts_features_free(ts_features *features); /* NULL is fine */
size_t ts_features_bytes(const ts_features *features);

/* What a pair of features is to each other. */
typedef enum ts_facing {
    TS_APART_FROM, /* no place */
    TS_FACING,     /* a place, whatever its gap, if it is not deeper than allowed */
    TS_BEHIND      /* it would be one if the point's cone allowed it: none, but it may hide others */
} ts_facing;

/* What one pair of features has to say. `a_in_b`: pose of A in B's frame, `b_in_a` the other way round. */
ts_facing ts_feature_contact_at(const ts_features *a, const ts_features *b, const ts_relative *a_in_b,
                                const ts_relative *b_in_a, uint64_t key, ts_feature_contact *place);

/* Gap, normal and foot of a key, accepted or not: of a place that will be. */
void ts_feature_contact_follow(const ts_features *a, const ts_features *b, const ts_relative *a_in_b,
                               const ts_relative *b_in_a, uint64_t key, ts_feature_contact *place);

/* Keys that may be accepted with a gap of at most `reach` once points of one shape have moved against the other by no
 * more than `margin`, and A has turned against B by no more than `turn`: never misses one. In ascending order; `key`
 * gets the first `room` of them. Returns how many there are. */
size_t ts_feature_candidates(const ts_features *a, const ts_features *b, const ts_relative *a_in_b,
                             const ts_relative *b_in_a, double reach, double margin, double turn, uint64_t *key,
                             size_t room);

/* Lower bounds of how far points of one shape must move against the other [m] before a pair of features has a gap below
 * `reach` and is anything but TS_APART_FROM (*touch), and before it is TS_FACING (*face, not below *touch). Turning by
 * 1 rad moves points by `arm` at least. */
void ts_feature_bounds(const ts_features *a, const ts_features *b, const ts_relative *a_in_b, const ts_relative *b_in_a,
                       uint64_t key, double reach, double arm, double *touch, double *face);

/* Whether in ts_feature_contacts_choose, at some pose, the first may hide the second while it only hides; and whether
 * one of two places may hide the other. */
bool ts_feature_may_hide(const ts_features *a, const ts_features *b, uint64_t hider, uint64_t place);
bool ts_feature_are_rivals(const ts_features *a, const ts_features *b, uint64_t p, uint64_t q);
/* Of two of one point, that with the larger gap stays, and of gaps that are the same to rounding not two corners, whose
 * normal may point anywhere when they are there: gaps as they are compared. */
double ts_feature_rank(const ts_features *a, const ts_features *b, uint64_t key, double gap);

/* Marks the key of what only hides, for ts_feature_contacts_choose. */
#define TS_FEATURE_HIDES (UINT64_C(1) << 61)

/* Whether `q`, which is less deep, stands for `p`, both among the `count` places of a pair. */
bool ts_feature_contact_hides(const ts_features *a, const ts_features *b, const ts_feature_contact *place, size_t count,
                              const ts_feature_contact *p, const ts_feature_contact *q);

/* Drops what lies behind something convex, and what only hides: of `count` places of a pair those that count, in order.
 * The places may be turned together into other axes. Returns how many are left. */
size_t ts_feature_contacts_choose(const ts_features *a, const ts_features *b, ts_feature_contact *place, size_t count);
