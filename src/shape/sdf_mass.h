/* SPDX-License-Identifier: MIT */
/* Mass properties of smooth bodies, at a density of 1.
 *
 * A single superquadric has them in closed form (superquadric.h). For a blend they are those of the zero set: marching
 * tetrahedra find it on a fine lattice, each triangle is cut in four, whose new corners are drawn onto the surface,
 *
 *        ╱╲          ╱╲            corners on the surface, flat in between: off by the square of the length of a side,
 *       ╱  ╲   →    ╱──╲           so the two together tell the error, and most of it is taken away (Richardson)
 *      ╱────╲      ╱_╲╱_╲
 *
 * and both are summed up: right to 0.01 % of the volume, at creases between parts to 0.07 %. Of a body that ends in a
 * rim as sharp as that of a flat superquadric of ε₁ = 1.9, 0.1 % is cut off, and 0.4 % of its inertia. The mesh of
 * contacts would not do: with 300 vertices it may lack a horn. */
#pragma once

#include "shape/sdf.h"
#include "shape/solid_mass.h"

/* `off`: about how much is wrong, over the volume; may be NULL. */
ts_status ts_sdf_mass(const ts_sdf *sdf, ts_solid_mass *mass, double *off, ts_error *error);
/* Of the same body at another scale. */
ts_solid_mass ts_solid_mass_scaled(const ts_solid_mass *mass, double scale);
