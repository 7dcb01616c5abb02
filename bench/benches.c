/* SPDX-License-Identifier: MIT */
/* The table of benches. To add one: a function in a file of its own here, its line in bench.h, its row below. */
#include "bench.h"

const ts_bench_entry ts_bench_table[] = {
    {"discs", "settled and flowing discs: particle-steps a second and bytes a disc, beside LAMMPS", ts_bench_discs},
    {"broadphase", "pairs found a second at size ratios 1:1 and 1:100, and whether any is missed", ts_bench_broadphase},
};
const size_t ts_bench_table_count = sizeof ts_bench_table / sizeof ts_bench_table[0];
