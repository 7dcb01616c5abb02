/* SPDX-License-Identifier: MIT */
/* What most studies set up: a scene, and the model, state and workspace that come of it.
 *
 *     ts_rig rig = {0};
 *     ts_status status = my_scene(&rig, error);               ts_rig_open, then ts_rig_disc, ts_rig_plane, …
 *     if (status == TS_OK)
 *         status = ts_rig_start(&rig, 1, error);
 *     …
 *     ts_rig_close(&rig);                                     whatever happened
 */
#pragma once

#include <stdint.h>

#include "touchstone/scene.h"
#include "touchstone/sim.h"

typedef struct ts_rig {
    ts_scene *scene;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
} ts_rig;

/* An empty scene with this gravity along y and this time step (0: derived). */
ts_status ts_rig_open(ts_rig *rig, double gravity, double time_step, ts_error *error);
/* Compiles the scene and makes a state and a workspace. */
ts_status ts_rig_start(ts_rig *rig, int threads, ts_error *error);
void ts_rig_close(ts_rig *rig);

/* Adds a free disc, at rest. Bodies are numbered in the order of adding. */
ts_status ts_rig_disc(ts_rig *rig, double radius, double x, double y, ts_error *error);
/* Adds a half-plane. */
ts_status ts_rig_plane(ts_rig *rig, double x, double y, double nx, double ny, ts_error *error);

ts_status ts_rig_step(ts_rig *rig, uint64_t count, ts_error *error);
/* Body i as it stands. */
const ts_body *ts_rig_body(const ts_rig *rig, size_t body);
/* The contact of body b with `a` (a body's id, or -1 - i for wall i), if they touch; both orders are looked for, and
 * the normal and the force are those on b. */
ts_status ts_rig_contact(ts_rig *rig, int64_t a, int64_t b, ts_contact *contact, bool *found, ts_error *error);
