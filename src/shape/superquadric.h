/* SPDX-License-Identifier: MIT */
/* What a single superquadric (primitive.h) has beyond a blend: a mesh in closed form, and mass properties.
 *
 * The mesh is a box of cells on the surface, the same in all eight octants, so that it has the three mirror planes of
 * the surface to the last bit. Its lines follow the shape:
 *
 *     side   lines of constant y/x and of constant z/r,  r = (|x/a|^(2/ε₂) + |y/b|^(2/ε₂))^(ε₂/2)      ┌─┬──┬──┬─┐
 *     top    square rings of constant r/z, each with the same places y/x                             ├─┼──┼──┼─┤  close at rims,
 *                                                                                                    ├─┼──┼──┼─┤  where normals turn
 *
 * so rims at z = r and x = y are lines of the mesh, and so are the sharp ones in the coordinate planes where ε > 1. A
 * superquadric is convex, and all edges lie within it. */
#pragma once

#include "shape/sdf.h"
#include "shape/solid_mass.h"

/* About so many vertices, at least 26; each on the zero set of `primitive` as a body of its own, in that body's
 * frame. */
ts_status ts_superquadric_mesh(const ts_primitive *primitive, size_t vertices, ts_mesh **mesh, ts_error *error);

/* By gamma functions; in the body's frame. */
ts_solid_mass ts_superquadric_mass(const ts_primitive *primitive);
