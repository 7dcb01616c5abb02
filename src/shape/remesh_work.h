/* SPDX-License-Identifier: MIT */
/* Inside of remesh.h: a closed mesh that changes, and the zero set that it stays on.
 *
 *     side h = 3 t + k of triangle t goes from from[h] to from[next(h)];  twin[h] is the same edge in the neighbour
 *
 *              c
 *            ╱   ╲         next(h) goes from b to c, prev(h) from c to a
 *          ╱   h   ╲       around a: h, twin[prev(h)], … (counter-clockwise)
 *         a ──────▶ b
 *          ╲ twin  ╱
 *            ╲   ╱
 *              d                                                                                                      */
#pragma once

#include "shape/remesh.h"

/* A point on the surface. */
typedef struct ts_spot {
    ts_vec3 at;     /* [m] */
    ts_vec3 normal; /* of the surface, out of the body; 0 when the point is not on it */
    double size;    /* of edges there, over the wished length: less where the surface turns away quickly [1] */
} ts_spot;

typedef struct ts_remesh_work {
    const ts_sdf *sdf;
    ts_sdf_rule rule;
    double tolerance;       /* of φ at a vertex [m] */
    TS_ARRAY(int32_t) from; /* vertex; -1: the triangle is gone (3 triangles) */
    TS_ARRAY(int32_t) twin; /* (3 triangles) */
    TS_ARRAY(ts_spot) spot; /* of vertices (vertices) */
    TS_ARRAY(int32_t) out;  /* a side that starts there; -1: the vertex is gone (vertices) */
    size_t vertices;        /* that are not gone */
    double length;          /* wished of edges [m] */
} ts_remesh_work;

static inline int32_t ts_side_next(int32_t h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}
static inline int32_t ts_side_prev(int32_t h)
{
    return h % 3 == 0 ? h + 2 : h - 1;
}
static inline int32_t ts_side_from(const ts_remesh_work *w, int32_t h)
{
    return w->from.item[h];
}
static inline int32_t ts_side_to(const ts_remesh_work *w, int32_t h)
{
    return w->from.item[ts_side_next(h)];
}
/* The corner of its triangle that the side does not touch. */
static inline int32_t ts_side_across(const ts_remesh_work *w, int32_t h)
{
    return w->from.item[ts_side_prev(h)];
}
/* The next side that starts at the same vertex. */
static inline int32_t ts_side_around(const ts_remesh_work *w, int32_t h)
{
    return w->twin.item[ts_side_prev(h)];
}
/* Over the size that is wished there [m]. */
static inline double ts_side_length(const ts_remesh_work *w, int32_t h)
{
    const ts_spot *a = &w->spot.item[ts_side_from(w, h)], *b = &w->spot.item[ts_side_to(w, h)];
    return 2 * ts_vec3_distance(a->at, b->at) / (a->size + b->size);
}
/* One of the two sides of each edge; false as well for those that are gone. */
static inline bool ts_side_first(const ts_remesh_work *w, int32_t h)
{
    return ts_side_from(w, h) >= 0 && h < w->twin.item[h];
}

/* ---- Topology (remesh_links.c) ---- */

/* TS_BAD_INPUT when the mesh is not closed and manifold. */
ts_status ts_remesh_begin(ts_remesh_work *w, const ts_mesh *mesh, ts_error *error);
void ts_remesh_end(ts_remesh_work *w);
/* Leaves out what is gone; order is kept. */
void ts_remesh_compact(ts_remesh_work *w);
/* What is there, as a mesh; after ts_remesh_compact. */
ts_status ts_remesh_give(const ts_remesh_work *w, ts_mesh **mesh, ts_error *error);

/* The number of edges at a vertex. */
int ts_remesh_valence(const ts_remesh_work *w, int32_t vertex);
/* Whether the edge may become a vertex, and the other diagonal an edge, for the mesh to stay a manifold. */
bool ts_remesh_may_collapse(const ts_remesh_work *w, int32_t h);
bool ts_remesh_may_flip(const ts_remesh_work *w, int32_t h);

ts_status ts_remesh_split(ts_remesh_work *w, int32_t h, ts_spot spot, ts_error *error);
/* The vertex that `h` comes from stays, at `spot`. */
void ts_remesh_collapse(ts_remesh_work *w, int32_t h, ts_spot spot);
void ts_remesh_flip(ts_remesh_work *w, int32_t h);

/* ---- Geometry (remesh_surface.c) ---- */

/* Moves spots along ∇φ to φ = 0, and sets their normals. One that does not arrive within `reach` of where it was stays
 * there, and gets no normal. */
void ts_remesh_project(const ts_remesh_work *w, ts_spot *spot, size_t count, double reach);
/* The same for one; whether it arrived. */
bool ts_remesh_project_one(const ts_remesh_work *w, ts_spot *spot, double reach);
/* How far points lie off the surface, about: φ, over |∇φ| where that is above 1. BATCH points at most. */
void ts_remesh_off(const ts_remesh_work *w, const ts_vec3 *point, size_t count, double *off);

/* Twice the area, along the normal. */
static inline ts_vec3 ts_remesh_area(ts_vec3 a, ts_vec3 b, ts_vec3 c)
{
    return ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a));
}
/* 4√3 area / Σ sides²: 1 of equal sides, 0 of a sliver. */
static inline double ts_remesh_quality(ts_vec3 a, ts_vec3 b, ts_vec3 c)
{
    const double sum = ts_vec3_length_squared(ts_vec3_sub(b, a)) + ts_vec3_length_squared(ts_vec3_sub(c, b)) +
                       ts_vec3_length_squared(ts_vec3_sub(a, c));
    return sum > 0 ? 3.4641016151377544 * ts_vec3_length(ts_remesh_area(a, b, c)) / sum : 0;
}

/* What a change must keep of a triangle. */
typedef struct ts_remesh_look {
    ts_vec3 normal; /* unit */
    double quality; /* ts_remesh_quality */
    double facing;  /* cosine between its normal and the surface's at one of its corners, the largest of the three */
} ts_remesh_look;
ts_remesh_look ts_remesh_look_at(const ts_spot *a, const ts_spot *b, const ts_spot *c);

typedef struct ts_remesh_guard {
    double turn;    /* least cosine between a triangle's normals before and after */
    double facing;  /* least that a triangle may come to have, unless it was worse before */
    double quality; /* likewise */
    double loss;    /* most that a collapse may cut off, over the wished length [1] */
    double longest; /* edge that a collapse may make, over its size [m] */
} ts_remesh_guard;
bool ts_remesh_fits(const ts_remesh_look *now, const ts_remesh_look *before, const ts_remesh_guard *guard);

/* ---- Passes over all edges or vertices (remesh_size.c, remesh_pass.c, remesh_relax.c); lengths are over their sizes ---- */

/* Sets the sizes of all vertices from the curvature of the surface. */
void ts_remesh_size_pass(ts_remesh_work *w);
/* Area of all triangles, each over its size squared [m²]. */
double ts_remesh_area_of(const ts_remesh_work *w);
/* Splits edges above `above`, longest first, until there are `most` vertices. */
ts_status ts_remesh_split_pass(ts_remesh_work *w, double above, size_t most, ts_error *error);
/* Collapses edges below `below`, shortest first, until only `least` vertices are left. */
ts_status ts_remesh_collapse_pass(ts_remesh_work *w, double below, const ts_remesh_guard *guard, size_t least,
                                  ts_error *error);
/* Flips edges until none is left that gains. */
void ts_remesh_flip_pass(ts_remesh_work *w);
/* Moves all vertices once. */
ts_status ts_remesh_relax_pass(ts_remesh_work *w, ts_error *error);
