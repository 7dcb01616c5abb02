/* SPDX-License-Identifier: MIT */
/* Peers run as processes of their own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Runs a program, found on PATH unless its name has a slash, with its output (and what it says of errors) in a file. An
 * exit code other than 0 is an error. `argument` ends with NULL. */
ts_status ts_process_run(const char *const *argument, const char *output, ts_error *error);
/* Whether PATH has an executable of this name. */
bool ts_process_on_path(const char *program);
/* The path of a peer that this build made, by its name: in the folder `peers` beside this program, or beside a folder
 * that it is in (tests are). False when it was not built. */
bool ts_process_find_peer(const char *name, char path[4096]);

/* Of what a peer printed: the rest of the line that begins with `key`, "" when there is none; and the number there, or
 * NaN. */
const char *ts_process_line(const char *text, const char *key);
double ts_process_number(const char *text, const char *key);
/* The first `count` numbers of a file that a peer wrote, between spaces and ends of lines; TS_IO when there are
 * fewer. */
ts_status ts_process_read_numbers(const char *path, size_t count, double *value, ts_error *error);
