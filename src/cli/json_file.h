/* SPDX-License-Identifier: MIT */
/* Where `--json FILE` goes: a file that appears whole or not at all, or standard output for "-". */
#pragma once

#include "base/file.h"
#include "record/jsonwriter.h"

typedef struct ts_json_file {
    ts_json json; /* write here */
    ts_draft draft;
    bool draft_open;
} ts_json_file;

ts_status ts_json_file_open(ts_json_file *file, const char *path, ts_error *error);
/* Finishes the JSON and the file; both are released in any case. */
ts_status ts_json_file_close(ts_json_file *file, ts_error *error);
