/* SPDX-License-Identifier: MIT */
/* Peers run as processes of their own. */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* Runs a program, found on PATH unless its name has a slash, with its output (and what it says of errors) in a file. An exit
 * code other than 0 is an error. `argument` ends with NULL. */
ts_status ts_process_run(const char *const *argument, const char *output, ts_error *error);
/* Whether PATH has an executable of this name. */
bool ts_process_on_path(const char *program);
