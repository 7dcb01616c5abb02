/* SPDX-License-Identifier: MIT */
/* What a reader of drawings or fonts has found: paths with their fill rules, on the way to one outline.
 *
 *     parts ──▶ curves to arcs ──▶ each part repaired by its own rule ──▶ all united ──▶ outline
 */
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "shape/path.h"
#include "touchstone/shape.h"

typedef struct ts_drawing_part {
    size_t subpath_begin, subpath_end; /* into ts_drawing.path; at least one */
    ts_fill_rule rule;
    ts_place place; /* for messages; line 0: none */
    char name[64];  /* for messages, such as "path 'star'"; may be empty */
} ts_drawing_part;

typedef struct ts_drawing {
    ts_path path; /* of all parts */
    bool
        y_down; /* as SVG has it: the outline is turned over at the end, so that messages have the drawing's own numbers */
    TS_ARRAY(ts_drawing_part) part;
    TS_ARRAY(char *) note;
    size_t notes_left_out;
} ts_drawing;

/* Keeps a note for the user, once; the hundredth and those after it are only counted. */
ts_status ts_drawing_note(ts_drawing *drawing, ts_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* `name` stands for the file in messages. A part of no area is left out with a note; when nothing is left this
 * fails. */
ts_status ts_drawing_outline(ts_drawing *drawing, const ts_outline_options *options, const char *name,
                             ts_outline **outline, ts_error *error);
void ts_drawing_free(ts_drawing *drawing);
