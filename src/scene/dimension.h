/* SPDX-License-Identifier: MIT */
/* Plane and space, as scenes know them: two rows with all that reading, building and compiling a scene has to know of
 * its dimension. */
#pragma once

#include <stdbool.h>

#include "touchstone/scene.h"

typedef struct ts_dimension {
    int axes;                  /* components of a vector: 2, or 3 */
    int turns;                 /* components of an angular velocity that may differ from 0, from z down: 1, or 3 */
    bool outlines;             /* shapes are areas with outlines: they have contact maps, packing fractions, shares by
                                      mass, and stand along lines */
    unsigned foreign;          /* TS_FIELD_… of keys and kinds of the other one (scene/read_form.h) */
    ts_region_kind round;      /* region that is not a box */
    double size_min, size_max; /* of a shape at its scale [m] */
    const char *name, *word;   /* "the plane"; "plane", as in a scene */
    const char *remedy;        /* for what is of this one in a scene of the other */
    const char *turned_by, *still;             /* what turns a body, and what must be left alone: "angle", "attitude" */
    const char *round_name;                    /* "circle" */
    const char *vector;                        /* "a list of two numbers, [x, y]" */
    const char *box;                           /* "a list of four lengths, [left, bottom, right, top]" */
    const char *two_points, *two_points_count; /* "[x0, y0, x1, y1]", "four" */
    const char *up;                            /* "0, 1" */
    const char *walls, *fills;                 /* kinds beside the first one */
    const char *turns_key, *no_turn;           /* of a generator: "angles", "zero" */
    const char *slices[3];                     /* axes along which profiles are cut, NULL after the last */
    const struct ts_form *round_form;
    const struct ts_compile_row *compile; /* (scene/compile.h) */
    const struct ts_filling *filling;     /* (scene/generate.h) */
} ts_dimension;

extern const ts_dimension ts_in_plane, ts_in_space;
