/* SPDX-License-Identifier: MIT */
/* One superquadric at many points: its φ, and what moves it. One table for each instruction set (base/kernel.h). */
#pragma once

#include "shape/sdf_kernel.h"

/* log a, log b, log c; ε₁, ε₂; a small rotation about its own axes; a small shift along them. */
#define TS_FIT_PARAMETERS 11

typedef struct ts_fit_kernels {
    /* φ of two superquadrics (the second may be the first) */
    void (*values)(const ts_sdf_pack *const pack[2], const ts_sdf_points *at, double *const value[2]);
    /* ∂φ / ∂ parameter, as columns; minus the last three are ∇φ in the superquadric's frame */
    void (*slopes)(const ts_sdf_pack *pack, const ts_sdf_points *at, double *const slope[TS_FIT_PARAMETERS]);
} ts_fit_kernels;

const ts_fit_kernels *ts_fit_choose(void);
