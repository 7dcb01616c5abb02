/* SPDX-License-Identifier: MIT */
/* What two materials make of each other.
 *
 * The compiled form of a pair of materials: what a hot loop needs and no more. Rules of combination, and how stiffness
 * and damping are derived when the scene does not give them, stand in docs/penalty.md and contact/law.c. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "touchstone/scene.h"

/* What two materials make of each other, where the scene says so. */
typedef struct ts_material_pair {
    int32_t a, b;        /* a <= b */
    ts_material_def def; /* NaN: by the rules */
    ts_place place;      /* in the scene's file */
} ts_material_pair;

/* A dashpot for no restitution at all would be infinitely strong. */
#define TS_RESTITUTION_MIN 1e-3

typedef struct ts_contact_law {
    double kn;       /* normal stiffness [N/m] */
    double kt;       /* tangential stiffness [N/m] */
    double inv_kt;   /* 1/kt, or 0 */
    double cn;       /* normal dashpot ½γ_n [N·s/m]: the part that does not depend on mass */
    double ct;       /* tangential dashpot ½γ_t [N·s/m]: the part that does not depend on mass */
    double cn_mass;  /* normal dashpot per √(effective mass) [N·s/m/√kg]: constant restitution for every size */
    double ct_mass;  /* tangential dashpot per √(effective mass) [N·s/m/√kg] */
    double friction; /* μ [1] */
} ts_contact_law;

/* The damping ratio ζ = c / (2 √(k m_eff)) whose head-on impact has restitution e in [0, 1].
 *
 * While the dashpot may pull, the contact ends when the overlap is gone: e = exp(-π ζ / √(1 - ζ²)). When it may not,
 * the contact ends when the force is gone (Schwager and Pöschel 2007), which gives a larger e for the same ζ; the
 * inverse is found by bisection to round-off. e = 0 asks for infinite damping in both: it is taken as 1e-3. */
double ts_damping_ratio(double restitution, bool may_pull);
/* The restitution that a damping ratio gives: the closed forms above, the other way round. */
double ts_restitution_of(double damping_ratio, bool may_pull);

/* `def` with what it leaves open (NaN) taken from `base`. Restitution and normal damping are two answers to one question: who
 * gives one of them does not inherit the other. */
ts_material_def ts_material_inherit(const ts_material_def *def, const ts_material_def *base);
/* What materials a and b, both without anything left to inherit, make of each other; what `pair` (may be NULL) gives
 * goes before the rules of combination. A stiffness of 0 is taken as `derived_stiffness`. ts_law_of(a, b) =
 * ts_law_of(b, a). */
ts_contact_law ts_law_of(const ts_material_def *a, const ts_material_def *b, const ts_material_def *pair,
                         double derived_stiffness, bool may_pull);
