/* SPDX-License-Identifier: MIT */
/**
 * @file manifold.h
 * Smooth contact manifolds: contact points, signed gaps, normals and weights between two bodies that need not be
 * convex, smooth in their poses, with derivatives, one pair or a batch.
 *
 * A smooth body (ts_smooth, smooth.h) has two representations: a signed distance φ, blended from superquadrics, polyhedra and
 * point clouds, and a mesh whose vertices stand on φ = 0. Contacts are of two kinds:
 *
 *     vertex–distance   a vertex v of one body:   gap φ(v), normal ∇φ of the other
 *     edge–edge         two edges, the nearest points e₁, e₂ of which are found by a quadratic program; two contacts, one at each of
 *                       these points; their weight tells whether the edges cross, are near, face each other and lie inside
 *
 * The number of contacts never changes, and they stand in one order: vertices of A, vertices of B, and for each pair
 * (k, l) of kept edges the point on A's edge k and the point on B's edge l:
 *
 *     [ vertices of A | vertices of B | (0, 0) on A, on B | (0, 1) on A, on B | … ]
 *
 * What is kept of vertices and edges are those deepest in the other body, by a soft choice (SoftSort) or a hard one.
 *
 * Conventions: SI units, world frame. Normals are of unit length and point from A to B; those of edges that face away
 * from each other, whose weight is next to nothing, may be shorter. gap > 0: apart. Smoothing is
 * relative: 0.1 means a tenth of a body's length, so that a scene scaled by 1000 gives the same.
 *
 * Nothing here allocates but the calls that create something. Results have the same bits alone and in a batch, on any
 * number of threads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/smooth.h"
#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a body is. */
typedef struct ts_manifold_pose {
    double position[3]; /**< of its origin [m] */
    double attitude[4]; /**< unit quaternion (w, x, y, z) */
} ts_manifold_pose;

/** Adjoint of a pose: of its position, and of a small rotation about the world's axes, R → exp([θ]×) R. */
typedef struct ts_manifold_pose_bar {
    double position[3]; /**< per metre */
    double turn[3];     /**< per radian */
} ts_manifold_pose_bar;

/** How smooth each step is. Lengths are shares of the bodies' length; their squares of the edges' mean length. */
typedef struct ts_manifold_smoothing {
    double united;  /**< τ of the blended distance (length); 0: each body's own, on which its mesh stands */
    double select;  /**< τ of the soft choice of vertices and edges (length) */
    double clip;    /**< τ of clipping to an edge's ends (share of the edge) */
    double minimum; /**< τ of the choice among the four sides of the program (length²) */
    double inside;  /**< τ of whether the program's free solution lies within both edges (share of the edge) */
    double centre;  /**< λ, which draws nearest points to the middles of edges (length²) */
    double sign;    /**< τ of the sign of gaps [1] */
    double depth;   /**< τ of whether a point is inside the other body (length) */
    double nearest; /**< τ of whether two edges are nearest neighbours (length) */
    double clash;   /**< τ of whether normals oppose each other [1] */
} ts_manifold_smoothing;

/** All of them from one number τ as the published routines have it: all are τ, and λ is τ / 10. Published: 0.1. */
TS_API ts_manifold_smoothing ts_manifold_smoothing_of(double tau);

/** Which of the bodies' vertices are asked about. */
typedef enum ts_manifold_sides {
    TS_MANIFOLD_BOTH = 0, /**< of both */
    TS_MANIFOLD_A = 1,    /**< of A in B's distance */
    TS_MANIFOLD_B = 2     /**< of B in A's distance */
} ts_manifold_sides;

/** How manifolds of a pair are found. */
typedef struct ts_manifold_options {
    ts_manifold_smoothing smoothing; /**< default: 0.003, with λ = 1e-4, and united = 0 */
    ts_manifold_smoothing gradient;  /**< of derivatives that are not told any; all 0 (default): as `smoothing` */
    ts_manifold_sides sides;         /**< default both */
    bool edges;                      /**< edge–edge contacts; default true */
    size_t keep_vertices[2];         /**< of A and B; 0: all (default) */
    size_t keep_edges[2];            /**< of A and B; 0: as many as primitives, 12 or more (default); SIZE_MAX: all */
    bool hard;       /**< vertices and edges are chosen, not blended; their gaps and weights stay smooth */
    int project;     /**< steps by which points of edges are projected onto their surfaces; default 0 */
    int settle;      /**< steps by which vertices are projected onto pieces that were set; default 2 */
    bool safeguard;  /**< weights of edges count whether both points lie in their own bodies; default false */
    bool published;  /**< weights and blended distances as published, neither normalised nor corrected */
    bool everything; /**< nothing is left out by proven bounds */
    int cookie;      /**< set by ts_manifold_default_options */
} ts_manifold_options;

/** The default options. */
TS_API ts_manifold_options ts_manifold_default_options(void);

/** A pair of bodies, and how contacts between them are found. */
typedef struct ts_manifold ts_manifold;

/** The bodies are borrowed. */
TS_API ts_status ts_manifold_create(const ts_smooth *a, const ts_smooth *b, const ts_manifold_options *options,
                                    ts_manifold **manifold, ts_error *error);
/** Frees it; NULL is allowed. */
TS_API void ts_manifold_free(ts_manifold *manifold);

/** How many contacts of each kind there are. */
typedef struct ts_manifold_counts {
    size_t vertices[2]; /**< of A and of B */
    size_t edges[2];    /**< kept of A and of B */
    size_t all;         /**< vertices[0] + vertices[1] + 2 · edges[0] · edges[1] */
} ts_manifold_counts;

/** How many contacts it has: always the same. */
TS_API ts_manifold_counts ts_manifold_get_counts(const ts_manifold *manifold);
/** The options with all that was derived filled in. */
TS_API ts_manifold_options ts_manifold_get_options(const ts_manifold *manifold);

/** What makes up the weight of an edge's contact, each in [0, 1]. */
typedef enum ts_manifold_indicator {
    TS_MANIFOLD_COLLIDING = 0, /**< the nearest points lie within both edges */
    TS_MANIFOLD_INSIDE = 1,    /**< the point lies in the other body */
    TS_MANIFOLD_NEAREST = 2,   /**< the two edges are nearest neighbours */
    TS_MANIFOLD_CLASHING = 3,  /**< the two surfaces face each other */
    TS_MANIFOLD_INDICATORS = 4
} ts_manifold_indicator;

/** Contacts, in arrays of the caller's, each of counts.all entries. NULL: not wanted (as an adjoint: zero). */
typedef struct ts_manifold_contacts {
    double (*point)[3];     /**< vertex, or point of an edge, of the body that the contact is listed for [m] */
    double *gap;            /**< signed distance [m] */
    double (*normal)[3];    /**< from A to B */
    double *weight;         /**< in [0, 1]: how much of a contact it is; of vertices 1 */
    double (*indicator)[4]; /**< of edges (ts_manifold_indicator); of vertices 1. As an adjoint it is not looked at */
} ts_manifold_contacts;

/** Scratch memory for one thread. */
typedef struct ts_manifold_work ts_manifold_work;
/** For any number of calls with this manifold. */
TS_API ts_status ts_manifold_work_create(const ts_manifold *manifold, ts_manifold_work **work, ts_error *error);
/** Frees it; NULL is allowed. */
TS_API void ts_manifold_work_free(ts_manifold_work *work);

/** All contacts at two poses. TS_BAD_INPUT when a pose is not finite, or a quaternion not of unit length (to 1e-6). */
TS_API ts_status ts_manifold_find(const ts_manifold *manifold, ts_manifold_work *work, const ts_manifold_pose *a,
                                  const ts_manifold_pose *b, const ts_manifold_contacts *to, ts_error *error);
/**
 * The derivative, transposed, of the last ts_manifold_find with this `work`: adds to the adjoints of both poses.
 * `smoothing`: of the derivative; NULL: options.gradient, or as it was found. With another one contacts are worked out again in `work`.
 */
TS_API ts_status ts_manifold_find_vjp(const ts_manifold *manifold, ts_manifold_work *work,
                                      const ts_manifold_smoothing *smoothing, const ts_manifold_contacts *bar,
                                      ts_manifold_pose_bar *to_a, ts_manifold_pose_bar *to_b, ts_error *error);

/* ---- Pieces that vary ---- */

/** What of a body's piece may vary: its pose, and a superquadric's size and exponents. */
typedef struct ts_manifold_piece {
    double size[3];      /**< half axes [m]; only read of superquadrics */
    double exponents[2]; /**< ε₁, ε₂; only read of superquadrics */
    double position[3];  /**< of its origin in the body's frame [m] */
    double attitude[4];  /**< unit quaternion (w, x, y, z), in the body's frame */
} ts_manifold_piece;

/** Its adjoint. */
typedef struct ts_manifold_piece_bar {
    double size[3];      /**< 0 but for superquadrics */
    double exponents[2]; /**< 0 but for superquadrics */
    double position[3];  /**< per metre */
    double turn[3];      /**< per radian, about the axes of the body's frame */
} ts_manifold_piece_bar;

/** The pieces of a body as it was made (ts_smooth_get_info(body).pieces). */
TS_API void ts_manifold_get_pieces(const ts_smooth *body, ts_manifold_piece *to);
/**
 * From now on `work` finds contacts of a body with these pieces: of A (0) or B (1). NULL: as it was made. TS_BAD_INPUT when
 * one is out of range; the pieces stay then. Lengths of smoothing, and what is kept, stay those of the body as made.
 *
 * The mesh goes along. Each vertex belongs to the piece whose surface it is nearest to as made, moves with that piece's
 * pose and scales with its half axes; then it is projected along normals onto the new surface, options.settle times. So the
 * vertices of a single superquadric whose exponents stay need no projection.
 */
TS_API ts_status ts_manifold_set_pieces(const ts_manifold *manifold, ts_manifold_work *work, int body,
                                        const ts_manifold_piece *piece, ts_error *error);
/**
 * ts_manifold_find_vjp which adds to the adjoints of pieces, too: of A and of B, or NULL. TS_BAD_INPUT for a body whose pieces
 * were not set.
 */
TS_API ts_status ts_manifold_find_vjp_pieces(const ts_manifold *manifold, ts_manifold_work *work,
                                             const ts_manifold_smoothing *smoothing, const ts_manifold_contacts *bar,
                                             ts_manifold_pose_bar *to_a, ts_manifold_pose_bar *to_b,
                                             ts_manifold_piece_bar *pieces_a, ts_manifold_piece_bar *pieces_b,
                                             ts_error *error);

/* ---- Batches ---- */

/** Threads with their scratch memory, for batches of one manifold. */
typedef struct ts_manifold_team ts_manifold_team;
/** With so many threads; 0: one for each processor. */
TS_API ts_status ts_manifold_team_create(const ts_manifold *manifold, int threads, ts_manifold_team **team,
                                         ts_error *error);
/** Frees it; NULL is allowed. */
TS_API void ts_manifold_team_free(ts_manifold_team *team);

/** Many poses of a pair, and shapes if wanted. Arrays of contacts have count · counts.all entries: item after item. */
typedef struct ts_manifold_batch {
    size_t count;                           /**< items */
    const ts_manifold_pose *a;              /**< poses of A (count) */
    const ts_manifold_pose *b;              /**< poses of B (count) */
    ts_manifold_contacts to;                /**< contacts; all NULL: only derivatives are wanted */
    const ts_manifold_contacts *bar;        /**< adjoints of contacts; NULL: no derivatives */
    bool same_bar;                          /**< `bar` has counts.all entries, for every item */
    const ts_manifold_smoothing *smoothing; /**< of derivatives; NULL: `gradient` of the options */
    ts_manifold_pose_bar *bar_a;            /**< adjoints of the poses of A (count), overwritten; with `bar` */
    ts_manifold_pose_bar *bar_b;            /**< likewise of B */
    const ts_manifold_piece *piece_a;       /**< pieces of A (count · pieces); NULL: as made */
    const ts_manifold_piece *piece_b;       /**< likewise of B */
    ts_manifold_piece_bar *bar_piece_a;     /**< adjoints of the pieces of A, overwritten; NULL: not wanted */
    ts_manifold_piece_bar *bar_piece_b;     /**< likewise of B */
} ts_manifold_batch;

/** All of them; fails with the first item that is refused, which the message names. Allocates nothing. */
TS_API ts_status ts_manifold_find_batch(const ts_manifold_team *team, const ts_manifold_batch *batch, ts_error *error);

/* ---- Poses as vectors ---- */

/** exp of a twist s = (ρ, θ): attitude exp(θ), position V(θ) ρ. */
TS_API ts_manifold_pose ts_manifold_pose_exp(const double s[6]);
/** The twist of a pose, |θ| ≤ π. */
TS_API void ts_manifold_pose_log(const ts_manifold_pose *pose, double s[6]);
/** The adjoint of s from that of the pose exp(s); overwritten. */
TS_API void ts_manifold_pose_exp_vjp(const double s[6], const ts_manifold_pose_bar *bar, double s_bar[6]);

/* ---- How many vertices and edges to keep ---- */

/** How random collisions of a pair are made, and what is read off them. */
typedef struct ts_manifold_propose_options {
    size_t poses;  /**< colliding poses; default 1000 */
    uint64_t seed; /**< default 1 */
    double depth; /**< B goes in by a random way up to this after the first touch (share of the length); default 0.02 */
    double quantile; /**< of the poses whose contacts shall all be kept; default 0.95 */
    int threads;     /**< 0: one for each processor (default) */
    int cookie;      /**< set by ts_manifold_default_propose_options */
} ts_manifold_propose_options;

/** The default options. */
TS_API ts_manifold_propose_options ts_manifold_default_propose_options(void);

/** Numbers of vertices and edges to keep of A and of B, as ts_manifold_options takes them. */
typedef struct ts_manifold_keep {
    size_t vertices[2]; /**< of A and B */
    size_t edges[2];    /**< of A and B */
} ts_manifold_keep;

/** What random collisions of a pair need. A stands at the origin, not turned. */
typedef struct ts_manifold_proposal {
    ts_manifold_keep suggested; /**< as published: quantiles of the counts below, 1 or more */
    ts_manifold_keep covering;  /**< quantiles of the ranks below: a choice of the deepest then has all that count */
    ts_manifold_keep convex;    /**< four times the primitives of each body: what engines with convex pieces keep */
    ts_manifold_keep barrier;   /**< all of them: what barrier methods keep */
    size_t poses;               /**< colliding poses */
    size_t tried;               /**< poses tried for that; the others passed each other */
    ts_manifold_pose *pose;     /**< of B (poses) */
    uint32_t *deepest[2]; /**< vertices of A in B, and of B in A, that lie deeper than all their neighbours (poses) */
    uint32_t *pairs;      /**< edges of A and B that are each other's nearest, and cross inside of a body (poses) */
    uint32_t *vertex_rank[2]; /**< so many vertices must be kept to keep all of `deepest` (poses) */
    uint32_t *edge_rank[2];   /**< so many edges must be kept to keep all of `pairs` (poses) */
} ts_manifold_proposal;

/**
 * Counts contacts in random collisions, and suggests how many vertices and edges to keep. B is turned at random, flies
 * along a random line until it first touches A, and goes in by a random way. The same for the same seed, on any number
 * of threads. TS_BAD_INPUT when an option is out of range.
 */
TS_API ts_status ts_manifold_propose(const ts_smooth *a, const ts_smooth *b, const ts_manifold_propose_options *options,
                                     ts_manifold_proposal **proposal, ts_error *error);
/** Frees it; NULL is allowed. */
TS_API void ts_manifold_proposal_free(ts_manifold_proposal *proposal);

#ifdef __cplusplus
}
#endif
