/* SPDX-License-Identifier: MIT */
/* The table of benches. To add one: a function in a file of its own here, its line in bench.h, its row below. */
#include "bench.h"

const ts_bench_entry ts_bench_table[] = {
    {"discs", "settled and flowing discs: speed and memory, beside LAMMPS", ts_bench_discs},
    {"broadphase", "finding pairs: speed and exactness, sizes 1:1 and 1:100", ts_bench_broadphase},
    {"shapes", "signed distance to outlines: points a second, beside GEOS", ts_bench_shapes},
    {"maps", "contact maps: ns a query, networks beside PyTorch", ts_bench_maps},
    {"grains", "non-convex grains at rest, beside LAMMPS, Box2D, Chipmunk", ts_bench_grains},
    {"impact", "impact: quadratic programs beside Ipopt, grains beside Box2D", ts_bench_impact},
    {"space", "penalty in space: settled spheres beside LAMMPS and LIGGGHTS, boxes", ts_bench_space},
    {"rest", "heaps that fall, rest and are stirred, beside Box2D, Bullet and others", ts_bench_rest},
    {"manifold", "smooth contact manifolds: programs, pairs, batches, beside MuJoCo, Bullet, FCL", ts_bench_manifold},
    {"impact-space", "impact in space: piles beside Bullet and ODE, a shaken layer", ts_bench_impact_space},
};
const size_t ts_bench_table_count = sizeof ts_bench_table / sizeof ts_bench_table[0];
