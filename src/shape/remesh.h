/* SPDX-License-Identifier: MIT */
/* Isotropic remeshing: a closed mesh of a zero set (sdf.h) becomes one with a wished number of vertices, edges of about
 * equal length, and vertices on the zero set.
 *
 *     split      ╱│╲      an edge that is longer than 4/3 of the wished length gets a vertex in its middle
 *     collapse   ╲│╱  → ╲╱   one that is shorter than 4/5 of it becomes a vertex
 *     flip       ◁│▷  → ◁─▷  a pair of triangles is cut by its other diagonal, if that lies closer to the surface or gives better triangles
 *     relax      a vertex moves to the point that is nearest to the tangent planes around it, and is projected onto φ = 0
 *
 * After Botsch and Kobbelt 2004 ("A remeshing approach to multiresolution modeling"), with two changes for bodies with
 * rims and corners. Vertices relax by the quadric error of the tangent planes at samples of their cell, plus a small
 * share of the distance to these samples: in smooth places that is the centre of the cell; near a rim it is a point of
 * the rim. And diagonals are chosen by how far their middles lie off the surface.
 *
 * Topology stays as it is: a collapse obeys the link condition, so that the mesh stays closed and manifold, and no
 * component or handle is lost. No step may turn a triangle over. The last few single splits and collapses give the
 * exact number of vertices V; with C components and G handles in all there are 3 V − 6 C + 6 G edges and
 * 2 V − 4 C + 4 G triangles. */
#pragma once

#include "shape/sdf.h"

/* Reads `from`, a closed manifold mesh near the zero set; exactly `vertices` of them stand in *mesh. Deterministic.
 * TS_BAD_INPUT when so few vertices cannot show the surface. */
ts_status ts_remesh(const ts_mesh *from, const ts_sdf *sdf, const ts_sdf_rule *rule, size_t vertices, ts_mesh **mesh,
                    ts_error *error);
