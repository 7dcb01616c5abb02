/* SPDX-License-Identifier: MIT */
/* From the nearest points of two edges to contacts: gap, normal and weight of the point on each edge.
 *
 *     D                distances of all pairs of kept edges of A (rows) and B (columns)
 *     nearest          softmax of −D / τ along a row for the point on A, along a column for the point on B
 *     clash            σ(−n₁·n₂ / τ): the surfaces face each other. n₁, n₂: normals of A at e₁ and of B at e₂, out of their bodies
 *     inside           σ(−φ(e) / τ), φ of the other body
 *     weight           colliding · inside · nearest · clash, where colliding comes from the program (edge_program.h)
 *
 * As published, gap and normal are those of e₂ − e₁ with the sign of its product with −n₂ (for e₁) or n₁ (for e₂): at e₁ = e₂ the normal
 * is lost. Instead the normal N is the direction square to both edges, t₁ × t₂, with the sign of its product with
 * n₁ − n₂; where the edges are parallel it goes over to n₁ − n₂. The gap is N·(e₂ − e₁), linear through 0. Where there is no
 * such direction, since both surfaces look the same way or the sign is in doubt, N fades to 0 and the weight is next to nothing.
 *
 * As published, two edges that are equally near get half a weight each. Instead a share Γ counts as 2r / (1 + r²) with
 * r = Γ / Σ Γ²: 1 for each of n equal ones, and for one that is alone; 0 for those far off. Contacts whose sign is in
 * doubt lose weight by the square of that sign. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ts_edge_weight_rule {
    double sign, depth, nearest, clash; /* τ [1], [m], [m], [1] */
    double least;                       /* square of a length that is nothing, under roots [m²] */
    bool published;
} ts_edge_weight_rule;

/* Columns of `count` pairs, padded as in edge_program.h. The frame's axes are the world's. */
typedef struct ts_edge_weight_in {
    double *e1[3], *e2[3];   /* nearest points [m] */
    double *t1[3], *t2[3];   /* directions of the edges [m] */
    double *n1[3], *n2[3];   /* normals of A at e₁, of B at e₂ */
    double *depth1, *depth2; /* φ of B at e₁, of A at e₂ [m] */
    double *colliding;       /* of the program */
    double *near1, *near2;   /* nearest, for the point on A and the point on B */
} ts_edge_weight_in;

typedef struct ts_edge_weight_out {
    double *gap1, *gap2;             /* [m] */
    double *normal1[3], *normal2[3]; /* from A to B */
    double *weight1, *weight2;
    double *inside1, *inside2, *clash; /* indicators; not looked at as adjoints */
} ts_edge_weight_out;

/* |e₂ − e₁|. */
void ts_edge_distances(size_t count, const double *const e1[3], const double *const e2[3], double *distance);
void ts_edge_weights(const ts_edge_weight_rule *rule, size_t count, const ts_edge_weight_in *in,
                     const ts_edge_weight_out *out);
/* Adds to the adjoints of the inputs. */
void ts_edge_weights_vjp(const ts_edge_weight_rule *rule, size_t count, const ts_edge_weight_in *in,
                         const ts_edge_weight_out *bar, const ts_edge_weight_in *to);

/* `nearest` of a matrix of distances with rows by rows (rows · columns, padded), along its rows or its columns. */
void ts_edge_near(const ts_edge_weight_rule *rule, size_t rows, size_t columns, bool along_rows, const double *distance,
                  double *share, double *near);
/* `share` is what ts_edge_near left; adds to distance_bar. */
void ts_edge_near_vjp(const ts_edge_weight_rule *rule, size_t rows, size_t columns, bool along_rows,
                      const double *share, const double *near_bar, double *distance_bar);

/* ---- Kernels ---- */
typedef struct ts_edge_weight_kernels {
    void (*weights)(const ts_edge_weight_rule *, size_t, const ts_edge_weight_in *, const ts_edge_weight_out *);
    void (*weights_vjp)(const ts_edge_weight_rule *, size_t, const ts_edge_weight_in *, const ts_edge_weight_out *,
                        const ts_edge_weight_in *);
    void (*exps)(size_t count, const double *x, double per, double *to); /* exp(x · per) */
} ts_edge_weight_kernels;
const ts_edge_weight_kernels *ts_edge_weight_choose(void);
