/* SPDX-License-Identifier: MIT */
/* Pieces: what an outline touches of a wall of lines and arcs.
 *
 * Behind every edge of a polyline or an outline (contact/faces.h) stands a piece, an outline of its own; a grain that
 * is an outline meets each of them as it meets another grain, exactly and in every direction. Corners need nothing of
 * their own: pieces have them.
 *
 *     outline                     polyline                     frame of a piece: x against the edge's travel, y out of the wall
 *       ╱▔▔▔▔▔▔▔▔╲  edge            ┌──────────────┐
 *      ╱ piece    ╲                 ├─ edge ───────┤ thickness            y▲
 *      ‾‾‾‾‾‾‾‾‾‾‾‾ as thick        └──────────────┘                        │ edge
 *       solid       as may be                                    ●──────────┼──────────▶ x
 *                                                               end         │         begin
 *
 *     outline    up to two inner radii of the smallest grain, and no thicker than the solid is there. Ends are square, but where the
 *                solid's corner is sharper than that they follow the other edge, so that a piece never leaves the solid; at an inner
 *                corner they lean outward, so that the solid behind it is not left empty.
 *     polyline   it has no inside, so the line becomes a slab: half an inner radius of the smallest grain, half of it on either side.
 *
 * A line longer than what the largest grain can touch at once shares a short piece with others, which goes along with
 * the grain.
 *
 * Smoothing. Where a face lies on the wall, the place of contact jumps from corner to corner as the grain tilts. So, as
 * at a half-plane (cspace/wall.h), the gap is a mean over angles: it is asked at the three nearest of a lattice of
 * angles, and a quadratic B-spline goes through them. Of places it needs none, which makes three questions where
 * cspace/smooth.h has 27. A face of length L that lies flat is L width/8 too deep, as on a half-plane.
 *
 * Each edge is a contact of its own: a grain in an inner corner has two, one that lies across a joint has two as well,
 * and is held twice as stiffly. The spring of friction stays with its edge. */
#pragma once

#include <stdbool.h>

#include "contact/analytic.h"
#include "contact/forms.h"

typedef struct ts_pieces ts_pieces; /* never changes, shared by threads */

/* How far from its line a polyline reaches for outlines, of the inner radius of the smallest grain: half of the slab's
 * thickness, and at an outer corner as far as two of them that meet at a right angle. */
#define TS_SLAB_REACH 0.3536
/* The same [m]. */
double ts_pieces_reach(const ts_forms *forms, const ts_model *model);

/* The pieces of the model's faces, for the forms that are outlines and can move; `smoothing` is the width in angle
 * [rad]. *pieces is NULL when there are no such faces or forms. */
ts_status ts_pieces_create(const ts_forms *forms, const ts_model *model, double smoothing, ts_pieces **pieces,
                           ts_error *error);
void ts_pieces_free(ts_pieces *pieces); /* NULL is fine */
/* Bytes on the heap; NULL has none. */
size_t ts_pieces_bytes(const ts_pieces *pieces);

/* Whether a part of this form touches a face; if so, the record in world axes, its points from the wall's origin.
 * Deterministic. */
bool ts_pieces_ask(const ts_model *model, const ts_wall_frame *wall, int32_t face, const ts_frame2 *part, uint16_t form,
                   ts_map_contact *contact);
