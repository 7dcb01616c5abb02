/* SPDX-License-Identifier: MIT */
/* Releases of the public types, for TS_AUTO (memory.h): TS_AUTO(ts_scene_free_at) ts_scene *scene = NULL; */
#pragma once

#include "base/memory.h"
#include "touchstone/map.h"
#include "touchstone/scene.h"
#include "touchstone/shape.h"
#include "touchstone/sim.h"

TS_RELEASE_AT(ts_map, ts_map_free)
TS_RELEASE_AT(ts_model, ts_model_free)
TS_RELEASE_AT(ts_outline, ts_outline_free)
TS_RELEASE_AT(ts_scene, ts_scene_free)
TS_RELEASE_AT(ts_state, ts_state_free)
TS_RELEASE_AT(ts_workspace, ts_workspace_free)
