/* SPDX-License-Identifier: MIT */
/* With p, q the shares of both terms in f and α, β those of the first two in the first (sdf_kernel.h), λ = ½ ε₁ log f:
 *
 *     ∂λ/∂ log a = -p α    ∂λ/∂ log b = -p β    ∂λ/∂ log c = -q
 *     ∂λ/∂ε₁ = ½ H(p, q)   ∂λ/∂ε₂ = ½ p H(α, β)                    H(p, q) = -p log p - q log q, the entropy of the shares
 *
 * φ = |y| (1 - e^-λ), so ∂φ = |y| e^-λ ∂λ; near the centre sdf_kernel.h replaces that factor. A turn ω of the
 * frame moves the point by y × ω, hence ∂φ/∂ω = ∇φ × y. */
#include "shape/fit_kernel.h"

#include "base/kernel.h"
#pragma GCC diagnostic ignored "-Wunused-function" /* the header has other primitives, too */
#include "shape/sdf_primitive_lanes.h"

static void values(const ts_sdf_pack *const pack[2], const ts_sdf_points *at, double *const value[2])
{
    superquadric s[GROUP];
    for (size_t i = 0; i < at->count; i += LANES) {
        const size_t left = at->count - i;
        superquadric_logs(pack, GROUP,
                          (wide3){{load_some(at->x + i, left), load_some(at->y + i, left), load_some(at->z + i, left)}},
                          s);
        for (int g = 0; g < GROUP; g++)
            store_some(value[g] + i, left, superquadric_value(pack[g], &s[g]));
    }
}

/* Of the shares 2^(a - sum) and 2^(b - sum), of which one may vanish; over ln 2. */
TS_SIMD wide entropy(const wide share[2], wide a, wide b, wide sum)
{
    const wide first = either((mask)(share[0] > 0.0), share[0] * (sum - a), all(0));
    const wide second = either((mask)(share[1] > 0.0), share[1] * (sum - b), all(0));
    return first + second;
}

static void slopes(const ts_sdf_pack *pack, const ts_sdf_points *at, double *const to[TS_FIT_PARAMETERS])
{
    superquadric s[1];
    for (size_t i = 0; i < at->count; i += LANES) {
        const size_t left = at->count - i;
        superquadric_logs(
            &pack, 1, (wide3){{load_some(at->x + i, left), load_some(at->y + i, left), load_some(at->z + i, left)}}, s);
        wide slope, radial;
        superquadric_slope(pack, &s[0]);
        superquadric_slopes(pack, &s[0], &slope, &radial);
        const wide3 share = superquadric_shares(&s[0]);
        const wide3 gradient = plus(scaled(s[0].slope, slope), scaled(s[0].y, radial));
        const wide3 turn = cross(gradient, s[0].y);
        const wide by_first = entropy(s[0].share[1], s[0].b, s[0].w, s[0].f);
        const wide by_second = s[0].share[1][0] * entropy(s[0].share[0], s[0].u, s[0].v, s[0].a);
        for (int k = 0; k < 3; k++) {
            store_some(to[k] + i, left, -slope * share.v[k]);
            store_some(to[5 + k] + i, left, turn.v[k]);
            store_some(to[8 + k] + i, left, -gradient.v[k]);
        }
        store_some(to[3] + i, left, (0.5 * TS_LN2) * slope * by_first);
        store_some(to[4] + i, left, (0.5 * TS_LN2) * slope * by_second);
    }
}

const ts_fit_kernels TS_KERNEL(ts_fit) = {.values = values, .slopes = slopes};
