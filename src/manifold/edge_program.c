/* SPDX-License-Identifier: MIT */
#include "manifold/edge_program.h"

#include "base/kernel.h"

TS_KERNEL_CHOOSER(ts_edge_kernels, ts_edge)

void ts_edge_program(const ts_edge_rule *rule, const ts_edge_pairs *pairs, double *alpha1, double *alpha2,
                     double *within)
{
    ts_edge_choose()->edges(rule, pairs, alpha1, alpha2, within);
}

void ts_edge_program_vjp(const ts_edge_rule *rule, const ts_edge_pairs *pairs, const double *alpha1_bar,
                         const double *alpha2_bar, const double *within_bar, const ts_edge_pairs_bar *to)
{
    ts_edge_choose()->edges_vjp(rule, pairs, alpha1_bar, alpha2_bar, within_bar, to);
}

void ts_face_program(const ts_edge_rule *rule, const ts_face_pairs *pairs, double *const point[3], double *within)
{
    ts_edge_choose()->faces(rule, pairs, point, within);
}

void ts_face_program_vjp(const ts_edge_rule *rule, const ts_face_pairs *pairs, const double *const point_bar[3],
                         const double *within_bar, const ts_face_pairs_bar *to)
{
    ts_edge_choose()->faces_vjp(rule, pairs, point_bar, within_bar, to);
}
