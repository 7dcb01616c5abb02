/* SPDX-License-Identifier: MIT */
/* Who touches whom: contact points gathered into links, one a pair of bodies.
 *
 * Two clusters, or two outlines, may touch in several points. For neighbours and force chains these are one link, whose
 * force is their sum. */
#pragma once

#include "base/status.h"
#include "touchstone/measure.h"

typedef struct ts_link {
    int64_t a, b;  /* bodies, a < b, or a < 0: wall */
    double normal; /* Σ of the points' normal forces, positive: they push [N] */
} ts_link;

/* Sorted by (a, b). `link` is the caller's to ts_free. */
ts_status ts_links_make(const ts_snapshot *snapshot, ts_link **link, size_t *count, ts_error *error);

/* Normal force of a contact [N]. */
static inline double ts_normal_force(const ts_contact *contact)
{
    return contact->force[0] * contact->normal[0] + contact->force[1] * contact->normal[1] +
           contact->force[2] * contact->normal[2];
}
