/* SPDX-License-Identifier: MIT */
/* Part of the study `everyday`: series of cases of a scene, for what similarity does not cover. Places and sizes of one
 * scene are one dimensionless problem; these vary its dimensionless numbers: the fall over the size, the speed over
 * √(g · size), slope and friction about the critical ones, the aspect of a box, how many there are, and how they lie. */
#pragma once

#include "study/everyday_scene.h"

/* Makes a case of this number, from 0 on: edits of the scene (of change->space), what distinguishes it, and what should
 * come out of the first claim, if that is not for all cases the same. */
typedef void ts_everyday_maker(int number, uint64_t seed, ts_everyday_change *change, char name[96], double at[2]);

ts_everyday_maker ts_everyday_fall;  /* bounce, thud: heights of 0.2 to 100 sizes */
ts_everyday_maker ts_everyday_shove; /* shove: speeds of 0.1 to 10 √(g · size); the way, over its closed form, is 1 */
ts_everyday_maker ts_everyday_stick; /* shove: slopes of 5° to 42°, μ 10% above their tangent */
ts_everyday_maker ts_everyday_slip;  /* shove: the same, 10% below */
ts_everyday_maker ts_everyday_stand; /* shove: boxes of other aspects on 0.9 of the slope at which they tip */
ts_everyday_maker ts_everyday_tip;   /* shove: the same on 1.1 of it, until they have turned by 0.5 rad */
ts_everyday_maker ts_everyday_stack; /* stack-3: 2 to 15 boxes */
ts_everyday_maker ts_everyday_drop;  /* tilted: boxes dropped at random */
ts_everyday_maker ts_everyday_fast;  /* fast: 4 bodies against 3 thin walls at 3 speeds of 10 to 1,000 √(g · size) */
