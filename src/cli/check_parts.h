/* SPDX-License-Identifier: MIT */
/* Parts of what `touchstone check` says: notes on shapes, walls, drives, springs. */
#pragma once

#include <stdio.h>

#include "cli/format.h"
#include "model.h"
#include "record/jsonwriter.h"

enum { ts_check_rows_most = 20 }; /* of a list, before it says how many more there are */

/* Its name, or what it is and its index. */
ts_shown ts_check_name(const char *name, const char *what, size_t index);
ts_shown ts_check_material(const ts_model *model, size_t index);
/* "disc", "outline", "box", "compound", …: of a shape in the plane, of a form in space. */
const char *ts_check_kind(const ts_model *model, int32_t shape, int32_t form);
/* "1 cm to 2 cm", or one of them where both are the same. */
ts_shown ts_check_span(double least, double most, const char *unit);
/* What a small restitution costs under the penalty law, whose time step it shortens; "" where it costs little. */
const char *ts_check_small_restitution(const ts_model *model, char *text, size_t capacity);
/* Walls as the scene has them: the six sides of a room are one. */
size_t ts_check_wall_count(const ts_model *model);

/* Each prints nothing where there is nothing. */
void ts_check_print_notes(const ts_model *model, FILE *stream); /* what was mended in outlines and meshes */
void ts_check_print_walls(const ts_model *model, FILE *stream);
void ts_check_print_drives(const ts_model *model, FILE *stream); /* of bodies */
void ts_check_print_springs(const ts_model *model, FILE *stream);
/* As a member of an open object. */
void ts_check_write_notes(const ts_model *model, ts_json *json);
