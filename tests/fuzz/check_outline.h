/* SPDX-License-Identifier: MIT */
/* What holds for every outline that a reader hands out, and for every failure. */
#pragma once

#include <math.h>
#include <stdlib.h>

#include "shape/outline.h"

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

static inline void check_outline(ts_status status, const ts_error *error, const ts_outline *outline)
{
    REQUIRE((status == TS_OK) == (outline != NULL));
    if (!outline) {
        REQUIRE(error->status == status && error->message[0] != 0);
        return;
    }
    ts_outline_mass mass = ts_outline_get_mass(outline);
    REQUIRE(mass.area > 0 && isfinite(mass.area) && mass.radius > 0 && isfinite(mass.radius));
    REQUIRE(ts_outline_vertex_count(outline) <= TS_OUTLINE_EDGES_MAX);
    REQUIRE(ts_outline_contour_count(outline) > 0);
    for (size_t i = 0; i < ts_outline_contour_count(outline); i++) {
        ts_contour contour = ts_outline_get_contour(outline, i);
        REQUIRE(contour.vertex_count > 0 && !contour.open);
        for (size_t k = 0; k < contour.vertex_count; k++)
            REQUIRE(isfinite(contour.vertex[k].x) && isfinite(contour.vertex[k].y) &&
                    isfinite(contour.vertex[k].bulge));
    }
    for (size_t i = 0; i < ts_outline_note_count(outline); i++)
        REQUIRE(ts_outline_get_note(outline, i)[0] != 0);
}
