/* SPDX-License-Identifier: MIT */
/* Places of a pair by its contact map. A map knows the nearest place only, but grains that lie face on face or hook
 * into each other touch at several. So it is asked around the pose as well: away from the place that is known, to both
 * sides of it, and turned both ways. What is nearest there shows what is second nearest here:
 *
 *     gap of that place here ≈ its gap there − its slope · the way there     (the gap is the least of several planes) */
#pragma once

#include "contact/mapped.h"

enum { TS_PROBED_MOST = 6 };

typedef struct ts_probed {
    int count;
    ts_map_contact item[TS_PROBED_MOST]; /* the nearest place first; others as they showed */
    double b[TS_PROBED_MOST][3];         /* the pose of B where they did [m, m, rad] */
} ts_probed;

/* The places of up to TS_BATCH pairs of slots, all of one map, at these poses; `length[k]`: how far around each is
 * asked, in turning by the radius of B [m]; NULL: the nearest place alone. Gaps whose slopes, in turning by the radius
 * of B as well, differ by less than `same` are those of one place. */
void ts_probed_ask(const ts_workspace *work, const ts_form_map *map, const ts_candidate *pair, int count,
                   const ts_map_pose *pose, const double *length, double same, ts_probed *list);
