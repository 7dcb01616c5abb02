/* SPDX-License-Identifier: MIT */
/* Drives of a scene of space, compiled (script.h is the plane's). */
#pragma once

#include "scene/compile_space.h"

/* Fills motion, gate, body_motion, body_gate and the walls' own, pivots included. Bodies and walls are in their places. */
ts_status ts_script3_compile(ts_space_compiler *c);
