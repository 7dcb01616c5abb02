/* SPDX-License-Identifier: MIT */
/* How much of a body in space lies in a box, and the box around a body.
 *
 * The divergence theorem makes a volume of an integral over the surface, as Green's theorem does in edges.h. With
 * clamp(x) = min(max(x, x0), x1),
 *
 *     volume of body ∩ box  =  ∮ (clamp(x) − x0) · 1(y0 ≤ y ≤ y1, z0 ≤ z ≤ z1) n_x dA
 *
 * A triangle that is cut by the planes of the box becomes polygons on which the integrand is linear, so the result is
 * exact for boxes, hulls and meshes. A ball that one face of the box cuts is exact as well, by the volume of its cap.
 * Other round solids, and balls that two or more faces cut, have a surface of triangles with 64 corners around, scaled
 * to their volume: less than 0.1 % of such a body's own volume is off. Pieces of a compound count each by itself,
 * together as much as the compound's volume. */
#pragma once

#include "base/status.h"
#include "shape/mesh.h"
#include "touchstone/measure.h"

/* Surfaces of all shapes. */
typedef struct ts_volumes {
    ts_mesh *
        *mesh; /* of each piece, about the centre of mass at scale 1; a shape without pieces has a ball of radius 1 */
    size_t *begin; /* those of shape i: mesh[begin[i]] … mesh[begin[i + 1] - 1] */
    size_t count;
    bool *round; /* of each shape: its surface is not its own */
} ts_volumes;

/* Of a snapshot of space. */
ts_status ts_volumes_make(const ts_snapshot *snapshot, ts_volumes *volumes, ts_error *error);
void ts_volumes_free(ts_volumes *volumes);
/* Volume of body i within the box [m³]; `error` (NULL: not wanted) grows by what it may be off. */
double ts_volumes_inside(const ts_snapshot *snapshot, const ts_volumes *volumes, size_t i, const ts_region *box,
                         double *error);
/* The smallest upright box around body i, whose shape there is. */
ts_region ts_body_region_space(const ts_snapshot *snapshot, size_t i);
