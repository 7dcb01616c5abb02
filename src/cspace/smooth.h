/* SPDX-License-Identifier: MIT */
/* A field with its kinks rounded: C¹, and the same where the field is linear.
 *
 * Where the place of contact jumps (a face on a face: from corner to corner as it tilts), the gap has a kink and its
 * gradient jumps. A body at rest there would be thrown from one torque to the other. So the field is asked at the nodes
 * of a lattice over the pose, `width` apart in x and y and about width / (the smaller radius) apart in the angle, and
 * quadratic B-splines with those values as coefficients are what is answered: a mean over about `width`, whose gradient
 * has no jump. 27 questions for one, of which most were asked before (recall.h). The arm is that of the mean contact
 * point along the new normal. So several places of contact become one: where they push against each other the gradient
 * falls to nearly zero.
 *
 * The lattice is fixed, or the answer could not be C¹; so a kink between two nodes is rounded a little lopsidedly, and
 * its lowest point lies up to a tenth of a node beside the true one. Nodes are placed such that the symmetries of both
 * outlines and quarter turns map angles of nodes onto each other: there it is even. */
#pragma once

#include "base/status.h"
#include "cspace/field.h"
#include "cspace/pair.h"
#include "cspace/recall.h"

typedef struct ts_smoothed {
    ts_recall *nodes;
    double width, turn; /* between nodes, of places and of angles [rad] */
    double first;       /* angle of one node [rad] */
} ts_smoothed;

/* `field` is borrowed. */
ts_status ts_smoothed_create(const ts_pair *pair, const void *field, ts_field_query *query, double width,
                             ts_smoothed *smooth, ts_error *error);
void ts_smoothed_free(ts_smoothed *smooth);
/* A ts_field_query. */
void ts_smoothed_query(const void *smooth, size_t count, ts_fields *fields);
