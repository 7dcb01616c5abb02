/* SPDX-License-Identifier: MIT */
/* The surface of one primitive of a smooth body as a closed mesh, for pictures and for bodies of a single piece.
 *
 *     superquadric         in closed form (superquadric.h): every vertex lies on the zero set to rounding
 *     polyhedron, cloud    marching tetrahedra (mesh_iso.h) on its own signed distance */
#pragma once

#include "shape/primitive.h"

/* In the frame of the primitive's body, or in its own. `cells` ≥ 1: squares along each side of a superquadric's box,
 * about; half as many as lattice cells along the others' longest side. The primitive is one that ts_primitive_check accepts;
 * whether it is added or subtracted does not matter. */
ts_status ts_primitive_mesh(const ts_primitive *primitive, int cells, ts_mesh **mesh, ts_error *error);
