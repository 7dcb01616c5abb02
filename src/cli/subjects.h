/* SPDX-License-Identifier: MIT */
/* Outlines as a user names them on the command line.
 *
 *     drawing.svg, drawing.svg:gear       a drawing, or the element of that id
 *     font.ttf:G                          a letter
 *     scene.json:washer                   a shape of a scene; just scene.json when it has only one
 *     hash                                a shape of the grain library, scenes/shapes
 *
 * A word without a dot or a slash is always one of the library, whatever lies in this folder. */
#pragma once

#include "base/memory.h"
#include "cli/options.h"
#include "scene/scene.h"
#include "touchstone/shape.h"

/* An outline with its name, and what its lengths are in. */
typedef struct ts_subject {
    char name[160];
    char part[64];    /* what distinguishes it in the file: an id, a letter, a shape; may be empty */
    const char *unit; /* "m", "em", or "unit": a drawing's own */
    double unit_size; /* of a drawing's unit [m]; 0: unknown */
    ts_outline *outline;
    ts_symmetry exact, loose; /* for who tells of them; not filled in here */
} ts_subject;

typedef TS_ARRAY(ts_subject) ts_subjects;

/* What is wanted of a file. NULL: not said. */
typedef struct ts_subject_wish {
    const char *id;       /* of a drawing: this element */
    const char *text;     /* of a font: these letters, each once */
    const char *shape;    /* of a scene: this shape, or the letters of the text of that name */
    ts_texts search_path; /* of a scene: files that it names may lie here, too */
    double tolerance;     /* of curves, as a share of the extent; 0: 1e-4 */
} ts_subject_wish;

/* Adds all that is wanted of a file, at least one; of a word, the grain of the library. */
ts_status ts_subjects_read(const ts_subject_wish *given, const char *path, ts_subjects *list, ts_error *error);
void ts_subjects_free(ts_subjects *list);

/* The one outline that a text means, as above. */
ts_status ts_subject_find(const char *text, ts_subject *subject, ts_error *error);
void ts_subject_free(ts_subject *subject);

/* A shape as an outline: a copy of its own, or the union of its discs. */
ts_status ts_outline_of_shape(const ts_outline *own, const ts_disc *disc, size_t disc_count, ts_outline **outline,
                              ts_error *error);
/* "D4", "C1", "O(2), as a circle". */
const char *ts_symmetry_name(const ts_symmetry *symmetry, char *text, size_t capacity);
/* All grains of the library, in its order. */
ts_status ts_subjects_library(ts_subjects *list, ts_error *error);

bool ts_is_folder(const char *path);
/* Whether a path ends so, whatever the case of the letters. */
bool ts_path_ends_in(const char *path, const char *end);
