/* SPDX-License-Identifier: MIT */
/* The nearest points of two edges as a smooth function of their ends: a quadratic program over a square, solved by an
 * active set without a branch, in which every comparison is smooth.
 *
 *     e₁(α₁) = p₀ + α₁ t₁,  e₂(α₂) = q₀ + α₂ t₂         min ½ |e₁ − e₂|² + ½ λ ((α₁ − ½)² + (α₂ − ½)²),  0 ≤ α ≤ 1
 *
 *        α₂ ┌────c────┐     free        the minimum without bounds, α_u
 *           a       u·b     a b c d     the minima along the four sides, each clipped to its ends
 *           └────d────┘     result      γ α_u + (1 − γ) Σ softmin(costs) α_side,  γ: how far α_u lies inside the square
 *
 * λ keeps the free minimum unique where the edges are parallel. With `hard` comparisons are sharp and the costs' least
 * one is taken: the exact minimum. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* τ and λ in the program's own units: shares of an edge for clip and inside, [m²] for the other two. */
typedef struct ts_edge_rule {
    double clip, minimum, inside, centre;
    bool hard;
} ts_edge_rule;

/* The ends of pairs of edges, as columns, padded to a multiple of TS_WIDE_MOST (base/wide.h) with numbers of any kind:
 * whole vectors are read and written. */
typedef struct ts_edge_pairs {
    size_t count;
    const double *p0[3], *p1[3], *q0[3], *q1[3]; /* [m] (count) */
} ts_edge_pairs;

/* Adjoints of the ends, added to. */
typedef struct ts_edge_pairs_bar {
    double *p0[3], *p1[3], *q0[3], *q1[3];
} ts_edge_pairs_bar;

/* Places on both edges, and how far the free minimum lies within them, γ in [0, 1]. */
void ts_edge_program(const ts_edge_rule *rule, const ts_edge_pairs *pairs, double *alpha1, double *alpha2,
                     double *within);
/* Its derivative, transposed. */
void ts_edge_program_vjp(const ts_edge_rule *rule, const ts_edge_pairs *pairs, const double *alpha1_bar,
                         const double *alpha2_bar, const double *within_bar, const ts_edge_pairs_bar *to);

/* The same for a vertex and a triangle: the nearest point of the triangle. τ as above, lengths² in [m²]. */
typedef struct ts_face_pairs {
    size_t count;
    const double *v[3], *a[3], *b[3], *c[3]; /* vertex and corners (count) [m] */
} ts_face_pairs;
typedef struct ts_face_pairs_bar {
    double *v[3], *a[3], *b[3], *c[3];
} ts_face_pairs_bar;

/* `point`: three columns; `within`: how far the foot in the plane lies in the triangle. */
void ts_face_program(const ts_edge_rule *rule, const ts_face_pairs *pairs, double *const point[3], double *within);
void ts_face_program_vjp(const ts_edge_rule *rule, const ts_face_pairs *pairs, const double *const point_bar[3],
                         const double *within_bar, const ts_face_pairs_bar *to);

/* ---- Kernels: lanes are pairs (base/kernel.h) ---- */
typedef struct ts_edge_kernels {
    void (*edges)(const ts_edge_rule *, const ts_edge_pairs *, double *, double *, double *);
    void (*edges_vjp)(const ts_edge_rule *, const ts_edge_pairs *, const double *, const double *, const double *,
                      const ts_edge_pairs_bar *);
    void (*faces)(const ts_edge_rule *, const ts_face_pairs *, double *const point[3], double *);
    void (*faces_vjp)(const ts_edge_rule *, const ts_face_pairs *, const double *const point_bar[3], const double *,
                      const ts_face_pairs_bar *);
} ts_edge_kernels;
const ts_edge_kernels *ts_edge_choose(void);
