/* SPDX-License-Identifier: MIT */
/* Part of the bench `impact`: contact programs as a pile of discs asks for them while it settles.
 *
 *     ▏o◯o◯o▕    Radii are uniform in 0.995 … 1.005, so that of a disc's six neighbours some touch and some do not, here these and there
 *     ▏◯◯o◯◯▕    those; density 1/π, so a mean disc has mass 1; g = 10, h = 0.01, no friction, restitution 0, dynamics "impact": what
 *     ▔▔▔▔▔▔▔    rests meets the next step at a rate of −0.1. As high as wide, up to 32 discs above each other.
 *
 * The discs fall a little from a triangular lattice, slowed down now and then, until they hardly move. They do not come
 * to rest: contacts open and close from step to step. The programs of two steps in a row are taken there, the last of
 * which have not been slowed down.
 *
 * Settled states are kept on disk, under the hash of their model, and found again by the next run. */
#pragma once

#include "dynamics/problem.h"
#include "study/bench.h"

typedef struct ts_pile {
    size_t discs;
    size_t tall;           /* discs above each other */
    double unrest;         /* root mean square of speeds over √(g r), in the first of the two */
    ts_problem problem[2]; /* of two steps in a row */
} ts_pile;

/* A pile of about so many contacts, struck ones. ts_pile_free frees it, whatever happened. */
ts_status ts_pile_capture(ts_bench *bench, size_t contacts, ts_pile *pile, ts_error *error);
void ts_pile_free(ts_pile *pile);
