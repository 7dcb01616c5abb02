/* SPDX-License-Identifier: MIT */
/* What studies and benches say to the outside: tables, JSON, errors. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "record/jsonwriter.h"

/* Where text for a person goes: standard output, or standard error when `json_path` ("-") claims standard output. */
FILE *ts_output_stream(const char *json_path);
/* Calls `write` with a JSON writer for `json_path`: a file (replaced atomically), "-" for standard output; NULL: no
 * call. */
ts_status ts_output_json(const char *json_path, void (*write)(ts_json *json, const void *subject), const void *subject,
                         ts_error *error);
/* Makes the folder that results go to, which --out names: TS_BAD_INPUT and a remedy where it cannot be made. */
ts_status ts_output_folder(const char *path, ts_error *error);
/* Prints an error to standard error and returns the exit code: 2 for what a user asked, 1 for a run that failed. */
int ts_output_failure(const ts_error *error);
/* Prints "there is no <kind> 'name'; …" with the nearest name, or all, to standard error. */
void ts_output_unknown(const char *kind, const char *name, const char *const *candidate, size_t count);
/* One entry of a list: name, one line, and below it a second one that may be NULL. */
void ts_output_list_entry(FILE *stream, const char *name, const char *what, const char *more);
