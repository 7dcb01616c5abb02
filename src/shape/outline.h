/* SPDX-License-Identifier: MIT */
/* An outline in memory (touchstone/shape.h says what it is).
 *
 * Contours lie one after the other in one array of vertices; contour i owns vertices begin[i] … begin[i + 1] - 1. */
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "shape/distance.h"
#include "shape/segment.h"
#include "touchstone/shape.h"

struct ts_outline {
    size_t contour_count; /* at least 1 */
    size_t *begin;        /* (contour_count + 1) */
    ts_vertex *vertex;    /* interior to the left of every edge (begin[contour_count]) */
    ts_outline_mass mass;
    ts_distance *distance; /* answers distance queries */
    size_t note_count;
    char **note; /* repairs (note_count) */
};

/* Edges of one outline: a drawing of more is a mistake, or an attack. */
#define TS_OUTLINE_EDGES_MAX 100000

/* An outline from contours that are clean already: closed, oriented, free of crossings, as ts_outline_get_contour hands
 * them out. Only checks that numbers are finite and area positive (TS_BAD_INPUT); for readers of our own files and for
 * makers of simple shapes. `note` may be NULL. */
ts_status ts_outline_adopt(const ts_contour *contour, size_t count, const char *const *note, size_t note_count,
                           ts_outline **outline, ts_error *error);

/* Area, centre, inertia and radius of clean contours. */
ts_outline_mass ts_contours_mass(const ts_contour *contour, size_t count);

/* Vertices of all contours. */
static inline size_t ts_outline_vertex_count(const ts_outline *outline)
{
    return outline->begin[outline->contour_count];
}

/* The boundary as straight edges whose distance from it is at most `tolerance` [m], contour by contour, with vertices
 * on the boundary: for drawing, meshes and clipping. `point` gets (x, y) of all vertices, `begin` (contour_count + 1)
 * where each contour's begin. Both are the caller's to ts_free. */
ts_status ts_outline_flatten(const ts_outline *outline, double tolerance, ts_vec2 **point, size_t **begin,
                             ts_error *error);
