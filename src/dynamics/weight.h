/* SPDX-License-Identifier: MIT */
/* What a contact's weight means to a dynamics that solves for impulses.
 *
 * A contact between ridges of smooth bodies has a weight w in [0, 1] (contact/touch.h). Its row has a compliance
 *
 *     R = (1/w − 1) J M⁻¹ Jᵀ            normal rate + R · impulse ≥ 0
 *
 * so that the same approach is answered by w times the impulse of a hard row: all of it at w = 1, where R = 0, and none
 * as w → 0, with no jump between. It follows the masses, so it is the same share for light and heavy bodies. */
#pragma once

/* R over J M⁻¹ Jᵀ, or over whatever a row meets that is soft by itself; weights are above 0. */
static inline double ts_weight_compliance(double weight)
{
    return 1 / weight - 1;
}

/* Share of a hard row's answer: 1 / (1 + R / J M⁻¹ Jᵀ). */
static inline double ts_weight_share(double weight)
{
    return 1 / (1 + ts_weight_compliance(weight));
}
