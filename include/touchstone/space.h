/* SPDX-License-Identifier: MIT */
/**
 * @file space.h
 * Bodies in space: what their model and their state can be asked. What a scene of them is made of is in scene.h.
 *
 * Frames. Vectors are (x, y, z), SI units. An attitude is a unit quaternion (w, x, y, z) that turns vectors of the body into vectors of the
 * world; (1, 0, 0, 0) leaves them alone. A shape's own frame has its origin in the centre of mass and the axes that it was given with.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/scene.h"
#include "touchstone/sim.h"
#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif
