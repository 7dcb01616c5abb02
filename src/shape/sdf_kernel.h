/* SPDX-License-Identifier: MIT */
/* Signed distances of many points at a time: what kernels read of a body, one table for each instruction set
 * (base/kernel.h). All of them round alike, and a lane never depends on its neighbours.
 *
 * A superquadric is worked out in logarithms (kernels have them to the base 2), since its f over- and underflows:
 *
 *     t_i = y_i / a_i                                   y in its frame
 *     X_i = t_i² + δ_i²                                 δ keeps log 0 away, and second derivatives finite where ε > 1
 *     u = log X / ε₂, v = log Y / ε₂, w = log Z / ε₁
 *     A = log(e^u + e^v),  F = log(e^(A ε₂/ε₁) + e^w)
 *     λ = ½ ε₁ F                                        g = e^λ, of degree 1 in y: 1 on the surface
 *     φ = |y| (1 - e^-λ)                                where g ≥ TS_SDF_CORE
 *
 * Towards the centre that has no limit: it tends to minus the radius along the ray. Within g < TS_SDF_CORE
 *
 *     s = (g / TS_SDF_CORE)⁴,  L = √(|y|² + c² (1 - s)³),  φ = L (1 - P(s) / TS_SDF_CORE)
 *
 * takes over, with P the Taylor polynomial of s^(-1/4) at 1 up to (s - 1)². φ stays twice continuously differentiable, and is
 * at the centre about minus the smallest half axis, which sets c. The zero set does not move.
 *
 * On coordinate planes δ, which is 1e-4 from ε = 1.1 on, moves the zero set in by up to 1e-7 of a half axis at ε = 1.1 and 1.7e-4 at
 * the tips of ε = 1.9. Two gaps are left: where ε₁ = 1 and ε₂ ≠ 1 the Hessian is bounded but has no limit on the
 * z axis, and normals have no direction at the centre. */
#pragma once

#include "shape/sdf.h"

#define TS_SDF_CORE 0.3
/* P(s) = P0 + P1 s + P2 s² */
#define TS_SDF_P0 (45.0 / 32)
#define TS_SDF_P1 (-9.0 / 16)
#define TS_SDF_P2 (5.0 / 32)
/* A primitive whose φ is that many τ above the smallest one has no weight at all: exp(-28) = 7e-13. The rule `everything`
 * counts it, too. */
#define TS_SDF_CUT            28.0
#define TS_SDF_CUT_NOTHING    700.0

#define TS_SDF_PRIMITIVES_MAX 512

/* One primitive, ready for kernels. */
typedef struct ts_sdf_pack {
    ts_primitive_kind kind;
    size_t index;                   /* of the primitive, as given */
    double turn[3][3], position[3]; /* frame to body: x = turn · y + position */
    /* superquadric */
    double size[3], inverse[3];                           /* half axes, and one over them */
    double exponent[2], inverse_exponent[2], ratio, half; /* ε, 1/ε, ε₂/ε₁, ε₁/2 */
    double soft[3], soft_slope[2];                        /* δ² of each axis; its derivatives by ε₁ and ε₂ */
    double core, core_slope[3];                           /* c, and its derivatives by half axes [m, 1] */
    double scale;                                         /* mean half axis [m] */
    double lowest;                                        /* φ is nowhere below [m] */
    double fold[3][3];                                    /* t = fold · (x - position) */
    double square_least[2], square_most[2]; /* g² ≥ least[0] (least[1] |t_xy|² + t_z²), and ≤ most[0] (…) */
    /* polyhedron, cloud: columns of normals, offsets (n·p) and points, in its frame (count) */
    size_t count;
    const double *normal[3], *offset, *point[3];
    double precision;              /* cloud: 1 / width² [1/m²] */
    double centre[3], ball, reach; /* polyhedron: the largest ball inside; all is within `reach` of its centre [m] */
    double log_count;
} ts_sdf_pack;

/* Pose, sizes and all that follows from them; kind and index stay as they are. */
void ts_sdf_pack_superquadric(const ts_primitive *from, ts_sdf_pack *to);

typedef struct ts_sdf_packs {
    const ts_sdf_pack *pack;  /* the added ones first */
    size_t added, subtracted; /* how many */
    double far;               /* a coordinate beyond it counts as infinite [m] */
} ts_sdf_packs;

const ts_sdf_packs *ts_sdf_packs_of(const ts_sdf *sdf);

typedef struct ts_sdf_kernels {
    void (*ask)(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at, const ts_sdf_answers *to);
} ts_sdf_kernels;
const ts_sdf_kernels *ts_sdf_choose(void);

typedef struct ts_sdf_vjp_kernels {
    void (*ask_vjp)(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                    const ts_sdf_answers *bar, double *const point_bar[3], ts_primitive_bar *primitive_bar);
} ts_sdf_vjp_kernels;
const ts_sdf_vjp_kernels *ts_sdf_vjp_choose(void);
