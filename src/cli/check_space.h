/* SPDX-License-Identifier: MIT */
/* What `touchstone check` says of a model of space: bodies by shape and material, what was mended in meshes, walls, drives, springs. */
#pragma once

#include <stdio.h>

#include "model.h"
#include "record/jsonwriter.h"

/* For people, … */
void ts_check_print_space(const ts_model *model, FILE *stream);
/* … and as members of an open object. */
void ts_check_write_space(const ts_model *model, ts_json *json);

/* Marks the materials that something is made of. */
void ts_check_used_space(const ts_model *model, bool used[UINT8_MAX + 1]);
/* What set the time step, as the end of "… which …"; "" when nothing worth telling did. `written` are the scene's settings. */
typedef struct ts_check_reason {
    char text[160];
} ts_check_reason;
ts_check_reason ts_check_step_space(const ts_model *model, const ts_settings *written);
