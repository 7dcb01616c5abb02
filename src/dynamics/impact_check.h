/* SPDX-License-Identifier: MIT */
/* Walls that close on bodies and leave them no room: then no velocities are without a contact that closes, and no
 * operator ends.
 *
 *      ──▶ │(  )(  )│ ◀──       rates  Gᵀw + drift ≥ 0  for no w
 *
 * That is so exactly where some impulses λ ≥ 0 hold each other (Gλ = 0) while walls push with them (drift·λ < 0), by
 * Farkas. They are looked for by one program, which has a least value whether there is room or not:
 *
 *      min ½ |Gλ|² + drift·λ    over  0 ≤ λ ≤ Λ,    Λ far above all speeds
 *
 * With room, −drift·λ = |Gλ|² at its end. Without, λ goes to Λ along such impulses, and the left side is larger by
 * about Λ over a speed. */
#pragma once

#include "contact/hits.h"
#include "dynamics/impact.h"

/* Whether there is no room. `share` gets each contact's part of the jam, 0 … 1; NULL: not wanted (count). Needs rows,
 * its work and a pool, if there is one; changes what the work holds of programs, not which contacts close. */
ts_status ts_impact_jammed(const ts_impact *impact, double *share, bool *jammed, ts_error *error);

/* Which islands with contacts that still close (work->closing) are locked: bodies hold each other so that no velocities
 * open all contacts. With a drift of −1 at each there is then no room, which is so exactly where some λ ≥ 0 hold each
 * other, Gλ = 0 (Gordan): rates at these can only be zero in the end, and reflections, which keep energy, do not get
 * there but by chance.
 *
 * What is nearly so takes long. A ball in a wedge of aperture α leaves it after up to π/α reflections, and what opens
 * it has λ = 2/α² (rows of length 1); in a row of n balls a shock takes n passes, and λ is n²/4 in its middle. So
 * islands are locked that would take more passes than there are, P:
 *
 *     Λ = (P/π)²        −drift·λ > 2 |Gλ|²        a wedge: α < π/P, a row: some P balls
 *
 * Fills work->locked; `any`: there are some. Asks nothing when these islands have more contacts than `contacts_most`:
 * it costs a program over all of them. Needs options->passes_max, which is P. */
ts_status ts_impact_locked(const ts_impact *impact, uint64_t contacts_most, bool *any, ts_error *error);

/* TS_DIVERGED and a sentence when a contact with something driven overlaps by more than the largest disc that fits into
 * the smaller body: then it is half-way through, and what pushes it may push it on. Walls that close on a crowd end so:
 * in no step all of it is struck at once. */
ts_status ts_impact_tell_deep(const ts_hit *hit, size_t count, const ts_state *state, ts_error *error);

/* TS_DIVERGED and a sentence that names bodies, walls and time when there is no room; TS_OK when there is. `strike` has
 * the contacts. */
ts_status ts_impact_tell_jam(const ts_impact *impact, const ts_hit *hit, const ts_state *state, ts_error *error);
