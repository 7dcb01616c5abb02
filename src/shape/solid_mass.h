/* SPDX-License-Identifier: MIT */
/* Volume, centre of mass and inertia of solids, at a density of 1.
 *
 *     V = ∫ dx        c = 1/V ∫ x dx        I = ∫ (|x − c|² 1 − (x − c)(x − c)ᵀ) dx
 *
 * Round solids and boxes have closed forms. Inside of a closed surface the integrals are sums over its triangles: each
 * makes a tetrahedron with a point o in the middle, which counts as negative where it is seen from its back,
 *
 *     V = ⅙ a·(b × c),   ∫ x = V/4 (a + b + c),   ∫ x xᵀ = V/20 (a aᵀ + b bᵀ + c cᵀ + (a + b + c)(a + b + c)ᵀ),   from o
 *
 * so that the result is exact up to rounding, wherever the body stands; cavities, whose triangles look inwards,
 * subtract. */
#pragma once

#include "shape/solid.h"

typedef struct ts_solid_mass {
    double volume;   /* [m³]; the mass at density 1 */
    ts_vec3 centre;  /* of mass, in the frame of what was measured [m] */
    ts_mat3 inertia; /* about the centre, along the axes of that frame, at density 1 [m⁵] */
} ts_solid_mass;

/* A solid in its place among others of the same body. */
typedef struct ts_solid_part {
    const ts_solid *solid;
    ts_pose3 pose;             /* of the part in the body */
    const ts_solid_mass *mass; /* when it is known already; NULL: it is worked out */
} ts_solid_part;

/* In the solid's own frame. A smooth body is taken as its mesh has it (sdf_mass.h knows better). Planes and vessels
 * have no volume and are refused, as are surfaces that are not closed, inside out, or enclose nothing. */
ts_status ts_solid_mass_of(const ts_solid *solid, ts_solid_mass *mass, ts_error *error);
/* Of parts together, in the body's frame. Where parts overlap, both count. */
ts_status ts_solid_mass_of_parts(const ts_solid_part *part, size_t count, ts_solid_mass *mass, ts_error *error);
/* Of what a closed surface encloses; the volume alone is the cheapest sign of a surface that is inside out. */
ts_status ts_solid_mass_of_mesh(const ts_mesh *mesh, ts_solid_mass *mass, ts_error *error);

/* The same body after a motion. */
ts_solid_mass ts_solid_mass_moved(const ts_solid_mass *mass, ts_pose3 pose);
