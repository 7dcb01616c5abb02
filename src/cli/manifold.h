/* SPDX-License-Identifier: MIT */
/* touchstone manifold, in parts: the command (manifold.c), what A and B are (manifold_bodies.c), poses from the command
 * line and from files (manifold_poses.c), what is found for them (manifold_find.c), and how that is told
 * (manifold_tell.c); and how many vertices and edges to keep (manifold_choose.c). */
#pragma once

#include "base/field.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "record/draw_smooth.h"
#include "record/jsonwriter.h"
#include "touchstone/manifold.h"

/* ---- The command line ---- */

typedef enum ts_manifold_of { TS_OF_MEAN_GAP = 0, TS_OF_ENERGY } ts_manifold_of;

typedef struct ts_manifold_wish {
    const char *pose, *poses;
    ts_texts smoothing, gradient_smoothing;
    const char *keep_vertices, *keep_edges;
    int sides, of, colour;
    uint64_t vertices, project, deepest, width, threads;
    bool no_edges, hard, safeguard, published, everything, gradient, unscaled, dark, quiet;
    double reach;
    uint64_t count, seed; /* of choose */
    double depth, quantile;
    const char *json, *png;
} ts_manifold_wish;

/* ---- Bodies ---- */

typedef struct ts_manifold_subject {
    char name[160];
    ts_smooth *body;
} ts_manifold_subject;

/* What A or B means: box, ball:0.2, superquadric:A,B,C,E1,E2, or a file of a smooth body. */
ts_status ts_manifold_subject_find(const char *text, size_t vertices, ts_manifold_subject *to, ts_error *error);
void ts_manifold_subject_free(ts_manifold_subject *subject);

/* ---- Poses ---- */

typedef struct ts_manifold_place_pair {
    ts_manifold_pose a, b;
} ts_manifold_place_pair;
typedef TS_ARRAY(ts_manifold_place_pair) ts_manifold_pose_array;

/* "x,y,z", with a quaternion or with an axis and an angle: of B, where A stands at the origin. */
ts_status ts_manifold_pose_parse(const char *text, ts_manifold_pose_array *to, ts_error *error);
/* A file of such lines, or of JSON objects, one a line. */
ts_status ts_manifold_poses_read(const char *path, ts_manifold_pose_array *to, ts_error *error);
/* One number, with or without a unit of that quantity. */
ts_status ts_manifold_number(const char *text, size_t length, ts_quantity quantity, ts_place place, double *value,
                             ts_error *error);

/* ---- Answers ---- */

/* Contacts of less weight are not looked at where the smallest gap and the deepest contacts are told. */
#define TS_MANIFOLD_WEIGHT_SEEN 0.01

/* What is kept of every pose. */
typedef struct ts_manifold_summary {
    double least;                      /* gap of those that are seen [m] */
    double weight, edge_weight;        /* sums over all contacts, and over those of edges */
    double mean_gap;                   /* Σ weight · gap / Σ weight [m] */
    double energy;                     /* ½ Σ weight · min(gap, 0)² [m²] */
    size_t inside;                     /* vertices in the other body */
    ts_manifold_pose_bar bar_a, bar_b; /* gradient of what --of names */
} ts_manifold_summary;

typedef struct ts_manifold_answers {
    const ts_manifold_wish *wish;
    const ts_manifold_subject *subject; /* A and B */
    ts_manifold *manifold;
    ts_manifold_team *team;
    ts_manifold_counts counts;
    ts_manifold_options options;
    ts_manifold_smoothing gradient_smoothing;
    ts_manifold_pose_array pose;
    ts_manifold_summary *summary; /* (pose.count) */
    /* contacts of poses first … first + held - 1 */
    size_t first, held;
    ts_manifold_contacts contact, bar;
    double *memory;
    ts_manifold_pose *pose_a, *pose_b;
    ts_manifold_pose_bar *bar_a, *bar_b;
} ts_manifold_answers;

/* For subject, wish and pose: makes the manifold and all summaries; contacts of the first poses stay held. */
ts_status ts_manifold_answer(ts_manifold_answers *all, ts_error *error);
void ts_manifold_answers_free(ts_manifold_answers *all);
/* Holds the contacts of as many poses as there is room for, from `first` on. */
ts_status ts_manifold_hold(ts_manifold_answers *all, size_t first, ts_error *error);
/* The held contacts of a pose. */
ts_manifold_contacts ts_manifold_held(const ts_manifold_answers *all, size_t pose);

/* Counts contacts in random collisions, and tells what to keep. */
ts_status ts_manifold_choose(const ts_manifold_wish *wish, const ts_manifold_subject subject[2], ts_error *error);

/* ---- Telling ---- */

void ts_manifold_print_one(const ts_manifold_answers *all, FILE *stream);
void ts_manifold_print_csv(const ts_manifold_answers *all, FILE *stream);
ts_status ts_manifold_write_json(ts_manifold_answers *all, ts_error *error);
ts_status ts_manifold_picture(const ts_manifold_answers *all, ts_error *error);
