/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/vec.h"

/* Eigenvalues and axes (columns) of a symmetric matrix, by Jacobi's rotations; the axes are right-handed. */
static inline void ts_fit_diagonalise(ts_mat3 a, double value[3], ts_mat3 *axes)
{
    *axes = ts_mat3_diagonal((ts_vec3){1, 1, 1});
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a.m[p][q] == 0)
                    continue;
                const double theta = (a.m[q][q] - a.m[p][p]) / (2 * a.m[p][q]);
                const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
                const double c = 1 / sqrt(t * t + 1), s = t * c;
                ts_mat3 turn = ts_mat3_diagonal((ts_vec3){1, 1, 1});
                turn.m[p][p] = turn.m[q][q] = c;
                turn.m[p][q] = s;
                turn.m[q][p] = -s;
                a = ts_mat3_mul(ts_mat3_transpose(turn), ts_mat3_mul(a, turn));
                *axes = ts_mat3_mul(*axes, turn);
            }
    for (int k = 0; k < 3; k++)
        value[k] = a.m[k][k];
}
