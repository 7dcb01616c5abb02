/* SPDX-License-Identifier: MIT */
/* Finding what a user means by RUN: a run folder, a trajectory file, or a scene, which stands for its first frame. */
#pragma once

#include <stdbool.h>

#include "record/trajectory.h"

enum { ts_cli_path_size = 4096 };

/* Whether it is a scene: a file whose name ends in .json. */
bool ts_cli_is_scene(const char *run);
/* Opens the trajectory of `run`; `folder` receives where files about it belong. A scene is compiled and recorded as it
 * stands at time 0, in a file that is gone when this returns; its folder is "out", which need not exist yet. A path
 * that is not there is TS_BAD_INPUT with the command that helps. */
ts_status ts_cli_open_run(const char *run, char folder[ts_cli_path_size], ts_trajectory **reader, ts_error *error);
/* Prints a note when the trajectory ends in the middle of a frame, because the run was killed. */
void ts_cli_note_torn(const ts_trajectory *reader);
