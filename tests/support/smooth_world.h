/* SPDX-License-Identifier: MIT */
/* Small scenes of space whose blocks are smooth bodies: between ts_test_compile and ts_test_begin solids are exchanged. */
#pragma once

#include "shape/sdf.h"
#include "support/world3.h"

/* All bodies that have the first piece of this shape of the scene become `body`, with its mass properties; the centre of
 * mass has to be the origin. */
void ts_test_become_smooth(ts_test_world *w, int32_t shape, const ts_sdf_body *body);
/* State and workspace of a compiled scene. */
void ts_test_begin(ts_test_world *w, int threads);
