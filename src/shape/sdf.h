/* SPDX-License-Identifier: MIT */
/* The signed distance of a smooth body: primitives (primitive.h), blended by smooth union and subtraction.
 *
 *     φ(x) < 0 inside, 0 on the surface, > 0 outside          x in the body's frame
 *
 *     union          φ = −τ log Σ exp(−φ_l / τ)  over what is added, and  τ log(exp(φ / τ) + exp(−φ_s / τ))  for each φ_s that is subtracted
 *
 * A sum of exponentials counts twice what two primitives share: the zero set moves out by up to τ log L. The correction
 * adds that back (TS_SDF_PUBLISHED leaves it as published). φ is a distance near the surface only: along a
 * superquadric's radius, and above the nearest plane of a polyhedron.
 *
 * Normals are not those of ∇φ, which may point inwards far from a superquadric, but of ∇f of each superquadric's
 * inside–outside function, blended with the weights of the union: n = g / √(τ_n + |g|²). */
#pragma once

#include "shape/primitive.h"

typedef struct ts_sdf ts_sdf; /* owns its primitives, and what kernels read of them */

/* How smooth an answer shall be. */
typedef struct ts_sdf_rule {
    double tau;     /* of union and subtraction [m]; above 0 */
    double normal;  /* τ_n under the root of normals [1] */
    bool published; /* the plain sum of exponentials, whose zero set is moved */
    bool
        everything; /* no culling: every primitive is worked out at every point. Culled answers equal it to 1e-9 of the length */
} ts_sdf_rule;

/* Copies and checks primitives; at least one must be added. */
ts_status ts_sdf_create(const ts_primitive *primitive, size_t count, ts_sdf **sdf, ts_error *error);
void ts_sdf_free(ts_sdf *sdf); /* NULL is fine */
TS_RELEASE_AT(ts_sdf, ts_sdf_free)
size_t ts_sdf_bytes(const ts_sdf *sdf);

size_t ts_sdf_count(const ts_sdf *sdf);
const ts_primitive *ts_sdf_primitive(const ts_sdf *sdf, size_t index);
ts_box3 ts_sdf_bounds(const ts_sdf *sdf); /* around all that is added */
double ts_sdf_length(const ts_sdf *sdf);  /* longest side of that box: the unit of all relative smoothing [m] */

/* How smooth primitives go over into each other: τ over the length. A body keeps it, since a mesh on the zero set
 * belongs to one τ. */
#define TS_SDF_SMOOTHING 0.003
/* Before anything is asked; above 0, at most 1. */
ts_status ts_sdf_set_smoothing(ts_sdf *sdf, double smoothing, ts_error *error);
double ts_sdf_smoothing(const ts_sdf *sdf);

/* τ by its smoothing, τ_n = 1e-12, corrected, culled. */
ts_sdf_rule ts_sdf_default_rule(const ts_sdf *sdf);

/* A body of the same primitives, whose numbers may be set. It borrows from `of`, which must outlive it, and keeps its box, length
 * and smoothing whatever is set. */
ts_status ts_sdf_vary(const ts_sdf *of, ts_sdf **varied, ts_error *error);
/* The numbers of all primitives (ts_sdf_count). Allocates nothing; refused as a whole or not at all. */
ts_status ts_sdf_set_numbers(ts_sdf *varied, const ts_primitive_numbers *numbers, ts_error *error);

/* Points in the body's frame, as columns (count). */
typedef struct ts_sdf_points {
    size_t count;
    const double *x, *y, *z; /* [m] */
} ts_sdf_points;

/* What is asked for, as columns (count); NULL: not wanted. Gradients come as three columns, and so do normals. */
typedef struct ts_sdf_answers {
    double *value;       /* φ [m] */
    double *gradient[3]; /* ∇φ */
    double *normal[3];   /* out of the body */
} ts_sdf_answers;

/* Deterministic: a point gets the same bits alone and in any batch, by every instruction set. Allocates nothing. Points that are not finite
 * give NaN. */
void ts_sdf_ask(const ts_sdf *sdf, const ts_sdf_rule *rule, const ts_sdf_points *at, const ts_sdf_answers *to);
/* φ at one point. */
double ts_sdf_at(const ts_sdf *sdf, const ts_sdf_rule *rule, ts_vec3 point);

/* Adjoint of a primitive's parameters. */
typedef struct ts_primitive_bar {
    ts_vec3 size;
    double exponent[2];
    ts_vec3 position, turn; /* of its pose; turn: a small rotation about the body's axes */
} ts_primitive_bar;

/* The derivative, transposed: adds the adjoints of points to point_bar (three columns; the Hessian is in those of
 * gradients and normals), and those of primitives to primitive_bar (ts_sdf_count, or NULL). `bar`: adjoints of answers,
 * NULL columns count as zero.
 * Points that are not finite get NaN and add nothing to primitives. Sums have one order: the same bits by every instruction set. */
void ts_sdf_ask_vjp(const ts_sdf *sdf, const ts_sdf_rule *rule, const ts_sdf_points *at, const ts_sdf_answers *bar,
                    double *const point_bar[3], ts_primitive_bar *primitive_bar);

/* ---- A smooth body: that distance, and a mesh on its zero set ---- */

/* Curvature above which a surface counts as round, over 1 / length: a ball has 2. */
#define TS_SDF_ROUNDNESS 0.7

typedef struct ts_sdf_body {
    ts_sdf *sdf;
    ts_mesh *mesh;      /* closed; vertices on the zero set */
    int32_t (*edge)[2]; /* vertices a < b, by a, then b; not those that cut a flat face in two (edge_count) */
    size_t edge_count;
    double *bend;        /* angle that the surface turns by there; below 0: hollow [rad] (edge_count) */
    double edge_squares; /* sum of the edges' lengths squared [m²] */
    double longest;      /* edge [m] */
    double *area;        /* that a vertex stands for: a third of its triangles [m²] (mesh->vertex_count) */
    double surface;      /* sum of those [m²] */
    bool *round;         /* whether the surface is round all around a vertex (mesh->vertex_count) */
    uint32_t *part;      /* primitive whose surface a vertex lies nearest to (mesh->vertex_count) */
    int32_t *order;      /* vertices such that neighbours in this list are near each other (mesh->vertex_count) */
    double off;          /* farthest that a vertex, or the middle of an edge, lies from the zero set: |φ| [m] */
    double off_mean;     /* mean of that [m] */
} ts_sdf_body;

/* Room for a number at each vertex is on the stack. */
#define TS_SDF_BODY_VERTICES_MAX 16384

/* Takes `sdf` and `mesh` over on success. */
ts_status ts_sdf_body_create(ts_sdf *sdf, ts_mesh *mesh, ts_sdf_body **body, ts_error *error);
void ts_sdf_body_free(ts_sdf_body *body); /* NULL is fine */
TS_RELEASE_AT(ts_sdf_body, ts_sdf_body_free)
size_t ts_sdf_body_bytes(const ts_sdf_body *body);
uint64_t ts_sdf_body_hash(const ts_sdf_body *body); /* of its primitives and its mesh */

/* ---- Meshes for zero sets ---- */

typedef struct ts_sdf_mesh_wish {
    size_t vertices; /* how many, exactly: 4 to TS_SDF_BODY_VERTICES_MAX; 0: 300 */
    int cells;       /* of the first surface, along the longest side: 4 to 400; 0: 48, or more for many vertices */
} ts_sdf_mesh_wish;

/* The zero set as a closed mesh of about equal edges: marching tetrahedra (mesh_iso.h), then isotropic remeshing
 * (remesh.h): vertices lie on the zero set to 1e-11 of the length, on rims and corners where there are any. `wish` may be
 * NULL. Deterministic.
 *
 * The first surface has the topology of its lattice: parts, holes and walls thinner than a cell may be missing. The
 * middle of each added primitive that lies in the body is looked for in the mesh: if it is not there, the lattice is made
 * twice and four times as fine, and then the error names the primitive. TS_BAD_INPUT as well when nothing of the body
 * is left, or when its parts need more vertices than wished. */
ts_status ts_sdf_mesh(const ts_sdf *sdf, const ts_sdf_rule *rule, const ts_sdf_mesh_wish *wish, ts_mesh **mesh,
                      ts_error *error);
