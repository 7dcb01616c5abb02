/* SPDX-License-Identifier: MIT */
/* Where discs are and which are near, by looking at all of them: the reference for the broad phase and for contacts.
 *
 * Positions come from the shapes, scales and poses, not from the arrays that the broad phase reads. */
#pragma once

#include "model.h"

typedef struct ts_test_part {
    double x, y, radius;
    int32_t body;
    uint32_t number; /* which disc of its body */
    bool movable;
    bool absent;
} ts_test_part;

/* All parts in the order of body and disc, for bodies at body[] and gates at `time`; to be freed with free(). */
ts_test_part *ts_test_parts(const ts_model *model, const ts_body *body, double time, size_t *count);
/* Whether two parts may have a contact at all. */
bool ts_test_may_meet(const ts_test_part *a, const ts_test_part *b);
/* Distance of surfaces, negative when the discs overlap. */
double ts_test_gap(const ts_test_part *a, const ts_test_part *b);
/* The same of a wall as it stands at `time` by its script. *absent: its gate is open. */
double ts_test_wall_gap(const ts_model *model, size_t wall, double time, const ts_test_part *part, bool *absent);
