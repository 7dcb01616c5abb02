/* SPDX-License-Identifier: MIT */
/* Arrows among the things of a view: contacts with their normals, forces.
 *
 *     TS_AUTO(ts_arrows_release) ts_arrows arrows = {0};
 *     ts_arrows_reserve(&arrows, count, &error);               then at most so many are added
 *     ts_arrows_add(&arrows, &arrow, &things, &error);         ●━━━━━▶ from a dot at `from` */
#pragma once

#include "record/trace.h"

typedef struct ts_arrow {
    ts_vec3 from, way; /* `way`: from its foot to its tip; zero: a dot alone [m] */
    double width;      /* of the shaft [m] */
    ts_colour colour;
} ts_arrow;

/* What the things of arrows refer to. Zeroed to begin with. */
typedef struct ts_arrows {
    TS_ARRAY(ts_solid) shaft;
    ts_solid dot, head;
    ts_hull *cone;
} ts_arrows;

/* Forgets all arrows, and makes room. */
ts_status ts_arrows_reserve(ts_arrows *arrows, size_t count, ts_error *error);
/* One arrow's things, which are valid until the next ts_arrows_reserve. */
ts_status ts_arrows_add(ts_arrows *arrows, const ts_arrow *arrow, ts_thing_array *things, ts_error *error);
/* A line without a head; counts as an arrow. */
ts_status ts_arrows_line(ts_arrows *arrows, ts_vec3 from, ts_vec3 to, double width, ts_colour colour,
                         ts_thing_array *things, ts_error *error);
void ts_arrows_release(ts_arrows *arrows);
