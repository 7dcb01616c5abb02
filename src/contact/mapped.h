/* SPDX-License-Identifier: MIT */
/* Contacts by contact maps: outlines with each other and with walls.
 *
 * A pair is asked about only when it can touch:
 *
 *     its circles overlap, and what its parts have moved since it was last asked about could have closed the gap it had then
 *
 * The second is exact, not a guess: a part's path adds up how far it has gone, and a map knows at which rate its gap
 * can fall (cspace/clearance.h). So a pair that is left out has a gap, and a result never depends on what was left
 * out. */
#pragma once

#include "contact/find.h"
#include "contact/forms.h"

/* What the map of up to TS_BATCH pairs of slots answers at these poses, touching or not. */
void ts_mapped_ask(const ts_workspace *work, const ts_form_map *map, const ts_candidate *pair, int count,
                   const ts_map_pose *pose, ts_map_contact *contact);
/* Contacts of the pairs begin … end - 1, all of one map, to the sink; returns how many were asked about. `keep` gets
 * the springs back (of pairs that do not touch: 0), unless it is NULL. Both are those of the whole list. */
size_t ts_mapped_pairs(const ts_workspace *work, size_t begin, size_t end, const double *spring, double *keep,
                       ts_batch_sink *sink, void *context);
/* The same for up to TS_BATCH candidates of walls and parts that are outlines, from number `first` of the list of walls
 * on; springs are those of these. */
size_t ts_mapped_walls(const ts_workspace *work, size_t first, int count, const double *spring, double *keep,
                       ts_batch_sink *sink, void *context);
/* The record of an outline and a half-plane or circle, touching or not, with its points from the wall's origin. */
void ts_mapped_wall_at(const ts_forms *forms, uint16_t form, const ts_wall_frame *wall, const ts_frame2 *part,
                       ts_map_contact *contact);
