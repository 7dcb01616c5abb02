/* SPDX-License-Identifier: MIT */
/* Finding what a user means by RUN: a run folder, or a trajectory file. */
#pragma once

#include <stddef.h>

#include "record/trajectory.h"

enum { ts_cli_path_size = 4096 };

/* Opens the trajectory of `run`; `folder` receives where files about it belong. A path that is not there, or is a scene,
 * is TS_BAD_INPUT with the command that helps. */
ts_status ts_cli_open_run(const char *run, char folder[ts_cli_path_size], ts_trajectory **reader, ts_error *error);
/* Prints a note when the trajectory ends in the middle of a frame, because the run was killed. */
void ts_cli_note_torn(const ts_trajectory *reader);
