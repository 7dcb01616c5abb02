/* SPDX-License-Identifier: MIT */
/* What the files about smooth bodies share. */
#pragma once

#include "contact/touch_parts.h"
#include "manifold/settle.h"

#define TS_TOUCH_OF_A 0x10000000U /* feature of A, which is not smooth */

/* As ts_touch_emit, with a weight and a share; nothing where the weight is next to none. */
ts_status ts_touch_emit_share(const ts_touch_job *job, uint32_t feature, double gap, ts_vec3 normal, ts_vec3 point_a,
                              double weight, double share);
