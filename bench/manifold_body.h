/* SPDX-License-Identifier: MIT */
/* What the bench `manifold` measures with: a body of up to 18 superquadrics, poses at which two of it overlap, and the same body
 * for other programs, as convex pieces and as a mesh. */
#pragma once

#include "shape/hull.h"
#include "shape/sdf.h"
#include "touchstone/manifold.h"

#define TS_BENCH_PRIMITIVES 18

/* The armoured animal of scenes/smooth with 305 vertices, or only the first `count` of its 18 superquadrics. */
ts_status ts_bench_animal(size_t count, ts_sdf_body **body, ts_error *error);

/* Each superquadric as the hull of 26 points on it (ts_sdf_count). Freed one by one. */
ts_status ts_bench_piece(const ts_sdf *sdf, size_t index, ts_hull **hull, ts_error *error);

typedef struct ts_bench_poses {
    size_t count;
    ts_manifold_pose *a, *b; /* (count) */
} ts_bench_poses;

/* Poses at random at which vertices of one body lie in the other: A at the origin, both in any attitude. */
ts_status ts_bench_overlapping(const ts_sdf_body *body, uint64_t seed, size_t count, ts_bench_poses *poses,
                               ts_error *error);
void ts_bench_poses_free(ts_bench_poses *poses);
