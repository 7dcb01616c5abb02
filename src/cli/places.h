/* SPDX-License-Identifier: MIT */
/* Where a user wants results to go, looked at before any work is done: a place that cannot be written to is a wrong
 * argument (TS_BAD_INPUT) and costs nothing; what fails later, such as a full disk, is a failed run. */
#pragma once

#include "base/status.h"

/* A file that is to be created or replaced; NULL and "-" are fine. `option` names, without dashes, the option that
 * chooses it.
 * `made` is a folder that the command will make before it writes the file, or NULL. Nothing is left behind. */
ts_status ts_cli_check_file(const char *option, const char *path, const char *made, ts_error *error);
/* A folder that is to be made with its parents, or exists; NULL is fine. */
ts_status ts_cli_check_folder(const char *option, const char *path, ts_error *error);
