/* SPDX-License-Identifier: MIT */
/* What `touchstone check` says of a model of space: bodies by shape, walls, springs. */
#pragma once

#include <stdio.h>

#include "model.h"
#include "record/jsonwriter.h"

/* Bodies, boundaries and springs, for people. */
void ts_check_print_space(const ts_model *model, FILE *stream);
/* And as members of an open object. */
void ts_check_write_space(const ts_model *model, ts_json *json);
