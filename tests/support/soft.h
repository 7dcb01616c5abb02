/* SPDX-License-Identifier: MIT */
/* A small scene of soft-step in either dimension: grains of several kinds over a floor between walls, and one more, the
 * last, high above them. */
#pragma once

#include "support/check.h"
#include "support/world.h"

#define TS_TEST_SOFT_FRICTION 0.4

/* `dynamics`: keys besides kind and friction, each with a comma before it. Compiled, without state and workspace. */
void ts_test_soft_heap(ts_test_world *w, bool space, const char *dynamics);
/* Kinetic energy of flight and of turning [J]. */
double ts_test_motion(const ts_test_world *w);
