/* SPDX-License-Identifier: MIT */
/* The benches of this folder. The harness that runs them, and the command that the program calls, stand in
 * study/bench.h. */
#pragma once

#include "study/bench.h"

ts_status ts_bench_discs(ts_bench *bench, ts_error *error);      /* discs.c: settled and flowing discs, beside LAMMPS */
ts_status ts_bench_broadphase(ts_bench *bench, ts_error *error); /* broadphase.c: pairs found, exactness and rate */
ts_status ts_bench_shapes(ts_bench *bench, ts_error *error);     /* shapes.c: distances to outlines, beside GEOS */
ts_status ts_bench_maps(ts_bench *bench, ts_error *error);   /* maps.c: contact maps of every kind, beside PyTorch */
ts_status ts_bench_grains(ts_bench *bench, ts_error *error); /* grains.c: non-convex grains at rest, beside others */
ts_status ts_bench_impact(ts_bench *bench, ts_error *error); /* impact.c: contacts resolved together, beside Ipopt */
ts_status ts_bench_impact_space(ts_bench *bench, ts_error *error); /* impact_space.c: piles in space, beside others */
ts_status ts_bench_space(ts_bench *bench, ts_error *error); /* space.c: penalty in space, beside LAMMPS and LIGGGHTS */
ts_status ts_bench_rest(ts_bench *bench,
                        ts_error *error); /* rest.c: heaps that fall, rest and are stirred, beside others */
ts_status ts_bench_manifold(ts_bench *bench,
                            ts_error *error); /* manifold.c: smooth manifolds, beside MuJoCo, Bullet, FCL */
