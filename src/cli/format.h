/* SPDX-License-Identifier: MIT */
/* Numbers for people, text in columns, and what a stream can show.
 *
 * Numbers come back by value: printf("%s\n", ts_show_bytes(n).text). Widths count characters, not bytes, so that "µ"
 * and "½" take one column. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"

enum { ts_columns = 80 }; /* of a line, at most */

typedef struct ts_shown {
    char text[48];
} ts_shown;

ts_shown ts_show_count(uint64_t count);                     /* 1,234,567 */
ts_shown ts_show_bytes(double bytes);                       /* 12.3 MB (powers of 1000) */
ts_shown ts_show_wall(double seconds);                      /* 85 ms · 4.2 s · 3 min 20 s · 2 h 5 min · 3 d 4 h */
ts_shown ts_show_si(double value, const char *unit);        /* 12.3 ms, 4.56 kN/m; 0 stays 0 */
ts_shown ts_show_rate(double per_second, const char *what); /* 12.3 M particle-steps/s */

/* "1 step", "1,234 steps": for words whose plural is an s. */
ts_shown ts_show_counted(uint64_t count, const char *what);

/* Characters of a UTF-8 text. */
int ts_text_width(const char *text);

/* Writes `text` from column `column` on (the caller stands at `at`), broken between words to stay within ts_columns,
 * but not between a number and its unit; ends the line. Every '\n' in the text starts a new line at the same column. */
void ts_print_wrapped(FILE *stream, const char *text, int column, int at);
/* `left`, then `right` from `column` on, wrapped; on the next line when `left` is too wide. */
void ts_print_entry(FILE *stream, const char *left, const char *right, int column);

/* Whether the stream is a terminal that can rewrite its line, and whether it may be given colours as well (not when
 * NO_COLOR is set). */
bool ts_is_terminal(FILE *stream);
bool ts_has_colour(FILE *stream);

/* ---- Listings ----
 *
 *     ts_listing listing = ts_listing_make("lr");              one letter a column: l left, r right
 *     ts_listing_row(&listing, "bodies\t%s", ts_show_count(n).text);   cells end at tabs
 *     ts_listing_print(&listing, stdout);                    also frees
 *
 * The last column is wrapped when it is left-aligned and too wide. Running out of memory loses rows, never more. */
typedef struct ts_listing {
    const char *align;
    TS_ARRAY(char *) row; /* cells joined by tabs; NULL: an empty line */
} ts_listing;

ts_listing ts_listing_make(const char *align);
void ts_listing_row(ts_listing *listing, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ts_listing_gap(ts_listing *listing);
void ts_listing_print(ts_listing *listing, FILE *stream);
