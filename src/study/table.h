/* SPDX-License-Identifier: MIT */
/* Tables of text that fit a terminal of 80 columns.
 *
 * The first column is text, wrapped at spaces and continued on further lines, and so are others that ask for it; the
 * rest are short and set flush. Widths count characters, not bytes, so that "√" is one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TS_TABLE_COLUMNS_MAX 8

typedef struct ts_table_column {
    const char *title;
    int width;  /* characters */
    bool right; /* flush right */
} ts_table_column;

typedef struct ts_table {
    FILE *stream;
    size_t column_count;
    ts_table_column column[TS_TABLE_COLUMNS_MAX];
    unsigned wraps; /* bit i: column i wraps at spaces, as the first always does */
} ts_table;

/* Titles and a line below them. */
void ts_table_head(const ts_table *table);
/* One row: column_count texts; NULL is empty. A text too wide for a column that does not wrap, and a word too wide for
 * one that does, pushes the rest of its line; of the first column it is cut. */
void ts_table_row(const ts_table *table, const char *const *cell);
/* Six significant digits; empty for NaN. */
#define TS_TABLE_NUMBER_SIZE 32
const char *ts_table_number(double value, char text[TS_TABLE_NUMBER_SIZE]);
