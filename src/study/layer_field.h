/* SPDX-License-Identifier: MIT */
/* Patterns in a layer, seen from above: the height of its surface over a grid, and what its spectrum says.
 *
 * Waves of a shaken layer repeat after two cycles of the floor: where there is a crest in one there is a trough in the
 * next. So the field that counts is half the difference of the mean surface after even cycles and after odd ones, in
 * which what is the same in all cycles is gone. Its power at a wave vector k is
 *
 *     P(k) = |Σ u(x) (h(x) − mean) exp(−i k·x)|² a² / Σ u²       a: width of a cell;  u: fades to 0 at the walls (Hann), so that they count for little
 *
 * The ring is the k = |k| at which the mean over all directions, times k, is largest. Along it the power has two peaks
 * for stripes, four at 90° for squares and six at 60° for hexagons; P is the same at k and −k, so directions up to 180°
 * tell all:
 *
 *     order m = |Σ P(θ) exp(i m θ)| / Σ P(θ)        stripes: 2 is the largest of the orders 2, 4 and 6;  squares: 4;  hexagons: 6
 *
 * One of three is always the largest, in disorder as well: it counts from ½ on.
 *
 * Cells that are not all turned alike, as between walls that are, have no order by that. But hexagons are waves of
 * three directions that add up to nothing, k + k' + k'' = 0, with crests in the same places: they make peaks in a
 * plain, or pits, where stripes and squares are alike from above and from below. So of the waves within a band about
 * the ring
 *
 *     triad = |⟨w³⟩| / ⟨w²⟩^(3/2) / √(2/3)        1: hexagons, turned as they may be;  0: stripes, squares, waves of any other phases, in the mean
 *
 * Waves that know nothing of each other have 0.28 or so where there are twenty cells, and ½ in one case of twelve; from
 * there on it counts. */
#pragma once

#include <stddef.h>

#include "base/status.h"

#define TS_LAYER_RADII      48 /* |k| of the spectrum, … */
#define TS_LAYER_DIRECTIONS 72 /* … and directions, 0 to 180° */

/* Heights over a grid of cells, row by row; lengths in any unit, here diameters. */
typedef struct ts_layer_field {
    size_t columns, rows;
    double cell;    /* width of one */
    double *height; /* (columns · rows) */
} ts_layer_field;

typedef struct ts_layer_spectrum {
    double wave[TS_LAYER_RADII];       /* |k| / 2π: waves to a unit of length */
    double power[TS_LAYER_RADII];      /* mean over all directions */
    double turn[TS_LAYER_DIRECTIONS];  /* θ [°] */
    double along[TS_LAYER_DIRECTIONS]; /* power on the ring, over its mean */
    double length;                     /* of the waves of the ring */
    double
        amplitude; /* √2 · root mean square of the field's height about its mean, faded at the walls, within a band about the ring */
    double order[3]; /* 2, 4 and 6 */
    double triad;
} ts_layer_spectrum;

ts_status ts_layer_field_create(ts_layer_field *field, size_t columns, size_t rows, double cell, ts_error *error);
void ts_layer_field_free(ts_layer_field *field);
/* Waves of `shortest` to `longest` units. */
ts_status ts_layer_look(const ts_layer_field *field, double shortest, double longest, ts_layer_spectrum *spectrum,
                        ts_error *error);
/* "hexagons" by the triad, or else "stripes", "squares" or "hexagons" by the largest order; "none" when that is below
 * ½, too. */
const char *ts_layer_pattern(const ts_layer_spectrum *spectrum);
