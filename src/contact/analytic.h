/* SPDX-License-Identifier: MIT */
/* The analytic geometry: discs against discs, half-planes and circular containers, in closed form (walls of lines and
 * arcs: contact/faces.h).
 *
 * Each kernel looks at up to TS_BATCH candidates, fills `out` with those that touch, or are open by less than `open`, in
 * the candidates' order, and clears the tangential spring of those that do not (a contact that opens forgets). Compiled
 * once for each instruction set from analytic.simd.c; all give the same bits. */
#pragma once

#include <math.h>

#include "contact/contact.h"
#include "model.h"

/* A wall where it stands now. */
typedef struct ts_wall_frame {
    ts_frame2 frame; /* its origin is the edge's point, or the circle's centre */
    ts_wall_kind kind;
    double nx, ny; /* half-plane: unit normal now; polyline, outline: cosine and sine of the angle */
    double radius; /* circle [m] */
    bool absent;   /* its gate is open */
} ts_wall_frame;

/* Gap and normal of a half-plane or a circle to a disc at (dx, dy) from its frame. */
static inline double ts_wall_gap(const ts_wall_frame *w, double dx, double dy, double radius, double *nx, double *ny)
{
    if (w->kind == TS_WALL_FLAT) {
        *nx = w->nx;
        *ny = w->ny;
        return dx * *nx + dy * *ny - radius;
    }
    /* inside a circle the normal points to its centre */
    double distance = sqrt(dx * dx + dy * dy);
    *nx = distance > 0 ? -dx / distance : 1;
    *ny = distance > 0 ? -dy / distance : 0;
    return w->radius - distance - radius;
}

typedef struct ts_analytic_kernels {
    void (*discs)(const ts_frame2 *part, const ts_candidate *pair, int count, double open, double *spring,
                  ts_contact_batch *out);
    /* pair.a is an index into wall[] */
    void (*walls)(const ts_wall_frame *wall, const ts_frame2 *part, const ts_candidate *pair, int count, double open,
                  double *spring, ts_contact_batch *out);
} ts_analytic_kernels;

/* The kernels for this machine. */
const ts_analytic_kernels *ts_analytic_choose(void);
