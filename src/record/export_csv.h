/* SPDX-License-Identifier: MIT */
/* A trajectory as a table of comma-separated values, for spreadsheets and scripts.
 *
 *     quantity     one row for each                   columns (units in their names)
 *     frames       frame                              frame step time_s contacts
 *     bodies       frame and body                     … body x_m y_m angle_rad vx_m_per_s …, shape, radius_m, mass_kg …
 *     walls        frame and wall                     … wall name x_m y_m angle_rad normal_x normal_y …
 *     contacts     frame and contact                  … a b key gap_m normal_x … force_x_N …
 *     discs        frame, body and disc of its shape  … body disc x_m y_m radius_m
 *
 * A run in space has no discs, and columns of three dimensions: x_m y_m z_m, attitude_w … attitude_z, vx_m_per_s …,
 * spin_x_rad_per_s ….
 *
 * One frame is in memory at a time. Numbers are the shortest that read back as the same bits; texts are quoted where
 * CSV needs it (RFC 4180, but lines end in \n). */
#pragma once

#include <stdio.h>

#include "record/kind.h"

/* Zero is a good default for every field but `quantity`. */
typedef struct ts_export_options {
    const char *quantity; /* see above */
    const char *columns;  /* names separated by commas, in the order wanted; NULL or "": all of them */
    uint64_t first;       /* frame */
    uint64_t count;       /* frames from there on; 0: all */
    uint64_t every;       /* take each n-th; 0: each */
} ts_export_options;

/* Called after each frame; false stops the export with TS_INTERRUPTED. */
typedef bool ts_export_progress(void *context, uint64_t frames_done, uint64_t frames_in_all);

/* Writes a line of names and the rows. The stream stays open; it is flushed. `progress` may be NULL. */
ts_status ts_export_csv(ts_trajectory *reader, const ts_export_options *options, FILE *stream,
                        ts_export_progress *progress, void *context, ts_error *error);
/* The columns of a quantity of the plane or of space, comma-separated, as snprintf would write them; 0 for an
 * unknown quantity. */
size_t ts_export_columns(const char *quantity_name, const ts_record_kind *kind, char *text, size_t capacity);
