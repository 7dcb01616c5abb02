/* SPDX-License-Identifier: MIT */
/* What the files of a manifold share.
 *
 *     vertices of A ──▶ φ of B ─┬─▶ soft choice ──▶ vertex contacts
 *                               └─▶ scores of edges ──▶ soft choice ──▶ ends of kept edges ─┐
 *     vertices of B ──▶ φ of A ─── likewise ────────────────────────────────────────────────┤
 *                                          edge program of all pairs ◀──────────────────────┘
 *                                          nearest points ──▶ normals, depths ──▶ gaps, weights
 *
 * Points are in the world's axes, from where A stands: far from the origin no digits are lost. All columns are padded to a
 * multiple of 8. What find.c leaves in them is what find_vjp.c goes back through. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"
#include "manifold/choice.h"
#include "manifold/edge_program.h"
#include "manifold/edge_weights.h"
#include "shape/sdf.h"
#include "touchstone/manifold.h"

#define TS_PROJECT_MOST 8
#define TS_SETTLE_MOST  8

/* Smoothing in metres, for these two bodies. */
typedef struct ts_manifold_rule {
    ts_sdf_rule field[2]; /* of A and B */
    double select;
    ts_edge_rule edge;
    ts_edge_weight_rule weight;
} ts_manifold_rule;

struct ts_manifold {
    const ts_sdf_body *body[2];
    ts_manifold_options options;
    ts_manifold_counts counts;
    size_t pair_count;
    double *vertex[2][3]; /* of each body, its own frame (vertex_count, padded) */
    int32_t *belongs[2];  /* piece that a vertex belongs to (vertex_count) */
    double *memory;
};

/* Three columns. */
typedef struct ts_columns {
    double *of[3];
} ts_columns;

/* Vertices and edges of one body in the distance of the other. */
typedef struct ts_manifold_side {
    bool wanted;   /* distances of all its vertices are needed */
    ts_columns at; /* vertices (vertex_count) */
    double *phi;   /* of the other body (vertex_count) */
    double *score; /* of edges (edge_count), or −phi of vertices, while they are chosen */
    ts_choice vertex, edge;
    ts_columns vertex_column;     /* of the vertices that have shares, or all */
    ts_columns end_column[2];     /* ends of the edges that have shares */
    ts_columns kept, kept_normal; /* chosen vertices, and normals of the other body there */
    double *kept_phi;
    ts_columns end[2]; /* of the chosen edges */
    ts_columns kept_bar, end_bar[2];
    double *phi_bar, *score_bar;
} ts_manifold_side;

/* The body of one side with pieces that were set, and its vertices, in its own frame. */
typedef struct ts_manifold_varied {
    ts_sdf *sdf;
    bool set;
    ts_columns vertex;                 /* (vertex_count) */
    ts_columns before[TS_SETTLE_MOST]; /* vertices before each projection … */
    ts_columns before_normal[TS_SETTLE_MOST];
    double *before_phi[TS_SETTLE_MOST];
    bool back;             /* adjoints of pieces are wanted */
    ts_columns vertex_bar; /* in the world's axes */
    ts_primitive_bar *bar; /* (pieces) */
    double *scratch;       /* (vertex_count) */
} ts_manifold_varied;

struct ts_manifold_work {
    const ts_manifold *manifold;
    ts_manifold_varied varied[2];
    bool found;
    ts_manifold_smoothing smoothing; /* of what is here */
    ts_manifold_rule rule;
    ts_manifold_pose pose[2];
    ts_vec3 from;      /* where A stands: the origin of all points here */
    ts_vec3 origin[2]; /* of the bodies, from there */
    ts_mat3 turn[2];
    ts_manifold_side side[2];

    /* pairs of kept edges, k of A and l of B at k · edges[1] + l */
    ts_columns p0, p1, q0, q1;
    double *alpha1, *alpha2;
    ts_columns before[TS_PROJECT_MOST][2]; /* points on the edges before each projection … */
    ts_columns before_normal[TS_PROJECT_MOST][2];
    double *before_phi[TS_PROJECT_MOST][2];
    ts_edge_weight_in in, in_bar;
    double *home1, *home2; /* φ of the points' own bodies, with the safeguard */
    double *distance, *share1, *share2, *distance_bar;
    ts_edge_weight_out out, out_bar;
    double *alpha1_bar, *alpha2_bar, *home1_bar, *home2_bar;
    ts_columns p0_bar, p1_bar, q0_bar, q1_bar;
    ts_columns turned[2]; /* by columns: adjoints of normals, and normals */
    int32_t *asked;       /* pairs whose depths matter (asked_count) */
    size_t asked_count;

    /* scratch for one question to a field (most of all counts) */
    ts_columns local, local_normal, local_bar, gathered, gathered_bar;
    double *gathered_value;
    double *share_bar; /* of one choice */
    double *memory;
};

TS_RELEASE_AT(ts_manifold, ts_manifold_free)
TS_RELEASE_AT(ts_manifold_work, ts_manifold_work_free)
TS_RELEASE_AT(ts_manifold_team, ts_manifold_team_free)

/* Whether derivatives have a smoothing of their own. */
static inline bool ts_manifold_has_gradient(const ts_manifold_options *options)
{
    return options->gradient.select != 0;
}
ts_status ts_manifold_check_options(const ts_manifold_options *options, ts_error *error);
ts_status ts_manifold_check_smoothing(const ts_manifold_smoothing *smoothing, ts_error *error);
/* In metres. */
ts_manifold_rule ts_manifold_rule_of(const ts_sdf_body *const body[2], const ts_manifold_options *options,
                                     const ts_manifold_smoothing *smoothing);

/* Field of a body at points: φ (may be NULL) and world normals (may be NULL). */
void ts_manifold_ask(ts_manifold_work *work, int body, size_t count, const ts_columns *at, double *phi,
                     const ts_columns *normal);
/* Its derivative, transposed: adds to the adjoints of the points and of the body's pose. `normal` is what was answered. */
void ts_manifold_ask_vjp(ts_manifold_work *work, int body, size_t count, const ts_columns *at, const double *phi_bar,
                         const ts_columns *normal, const ts_columns *normal_bar, const ts_columns *at_bar,
                         ts_manifold_pose_bar *to);

/* The distance of a body, and its vertices, as they are now. */
static inline const ts_sdf *ts_manifold_sdf(const ts_manifold_work *w, int body)
{
    return w->varied[body].set ? w->varied[body].sdf : w->manifold->body[body]->sdf;
}
static inline double *const *ts_manifold_vertices(const ts_manifold_work *w, int body)
{
    return w->varied[body].set ? w->varied[body].vertex.of : w->manifold->vertex[body];
}

/* Which piece each vertex belongs to. */
void ts_manifold_find_owners(const ts_sdf_body *body, int32_t *belongs);
/* Vertices of bodies whose pieces were set. */
void ts_manifold_place_vertices(ts_manifold_work *work);
/* From the adjoints of vertices to those of pieces. */
void ts_manifold_place_vertices_vjp(ts_manifold_work *work, int body);

/* Everything up to the columns above, for the poses and the rule in `work`. `indicators`: all depths are worked out. */
void ts_manifold_run(ts_manifold_work *work, bool indicators);

static inline ts_vec3 ts_column_at(const ts_columns *c, size_t i)
{
    return (ts_vec3){c->of[0][i], c->of[1][i], c->of[2][i]};
}
static inline void ts_column_set(const ts_columns *c, size_t i, ts_vec3 v)
{
    c->of[0][i] = v.x, c->of[1][i] = v.y, c->of[2][i] = v.z;
}
static inline void ts_column_add(const ts_columns *c, size_t i, ts_vec3 v)
{
    c->of[0][i] += v.x, c->of[1][i] += v.y, c->of[2][i] += v.z;
}
static inline size_t ts_padded(size_t count)
{
    return (count + 7) & ~(size_t)7;
}
