/* SPDX-License-Identifier: MIT */
/* Where two solids touch: contacts of any pair of shapes in space.
 *
 *            A                 n ──▶               B
 *           point_a • ◀── gap ──▶ • point_b              gap < 0: the two overlap
 *
 * A pair has as many contacts as it takes to hold it still: one for round things, up to eight for box on box (a face clipped by another),
 * many for meshes. Which function answers for which two kinds is one table in touch.c; a pair without an entry is refused when a scene is
 * loaded (ts_touch_known). */
#pragma once

#include "base/memory.h"
#include "shape/solid.h"

typedef struct ts_touch {
    double gap;               /* signed distance along the normal [m] */
    ts_vec3 normal;           /* unit, from A to B, world frame */
    ts_vec3 point_a, point_b; /* on the two surfaces, world frame [m] */
    uint32_t feature;         /* which place of the pair it is: the same from step to step while it lasts */
} ts_touch;

typedef TS_ARRAY(ts_touch) ts_touch_array;

/* A solid where it stands. */
typedef struct ts_placed {
    const ts_solid *solid;
    ts_pose3 pose;
} ts_placed;

/* Appends all contacts with a gap of at most `reach` ≥ 0. Swapping the two swaps points and turns normals, and nothing else. Fails for want
 * of memory, and TS_UNSUPPORTED for a pair that is not in the table. */
ts_status ts_touch_find(ts_placed a, ts_placed b, double reach, ts_touch_array *to, ts_error *error);
bool ts_touch_known(ts_solid_kind a, ts_solid_kind b);
