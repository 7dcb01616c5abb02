/* SPDX-License-Identifier: MIT */
#include "study/table.h"

#include <math.h>
#include <string.h>

/* Characters of the first `bytes` bytes of UTF-8 text: those that are no continuation. */
static int character_count(const char *text, size_t bytes)
{
    int count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Bytes of the longest beginning of `text` that has at most `width` characters and ends before a space or at the end;
 * a word longer than the width is cut. */
static size_t fitting_bytes(const char *text, int width)
{
    size_t best = 0, i = 0;
    int count = 0;
    for (;; i++) {
        if (text[i] == '\0' || text[i] == ' ')
            best = i;
        if (text[i] == '\0')
            return best;
        bool begins = ((unsigned char)text[i] & 0xC0) != 0x80;
        if (begins && count == width)
            return best ? best : i;
        count += begins;
    }
}

static void put_spaces(FILE *stream, int count)
{
    for (int i = 0; i < count; i++)
        fputc(' ', stream);
}

static void put_cell(FILE *stream, const ts_table_column *column, const char *text, size_t bytes)
{
    int pad = column->width - character_count(text, bytes);
    if (column->right)
        put_spaces(stream, pad);
    fwrite(text, 1, bytes, stream);
    if (!column->right)
        put_spaces(stream, pad);
}

void ts_table_head(const ts_table *table)
{
    const char *title[TS_TABLE_COLUMNS_MAX] = {0};
    int width = -1;
    for (size_t i = 0; i < table->column_count; i++) {
        title[i] = table->column[i].title;
        width += table->column[i].width + 1;
    }
    ts_table_row(table, title);
    for (int i = 0; i < width; i++)
        fputc('-', table->stream);
    fputc('\n', table->stream);
}

/* Bytes of what is left of a cell that go onto this line. */
static size_t line_bytes(const ts_table *table, size_t column, const char *left, int indent)
{
    const ts_table_column *c = &table->column[column];
    size_t fitting = fitting_bytes(left, c->width - indent), word = strcspn(left, " ");
    if (column == 0)
        return fitting;
    return !(table->wraps >> column & 1) ? strlen(left) : word > fitting ? word : fitting;
}

void ts_table_row(const ts_table *table, const char *const *cell)
{
    const char *left[TS_TABLE_COLUMNS_MAX] = {""};
    for (size_t i = 0; i < table->column_count; i++)
        left[i] = cell[i] ? cell[i] : "";
    bool more = true;
    for (int indent = 0; more; indent = 2) {                /* what did not fit is indented */
        size_t bytes[TS_TABLE_COLUMNS_MAX] = {0}, last = 0; /* nothing but spaces follows this column */
        for (size_t i = 0; i < table->column_count; i++) {
            bytes[i] = line_bytes(table, i, left[i], indent);
            last = bytes[i] ? i : last;
        }
        more = false;
        put_spaces(table->stream, indent);
        for (size_t i = 0; i <= last; i++) {
            ts_table_column column = table->column[i];
            if (i == 0)
                column.width -= indent;
            if (i == last && !column.right)
                column.width = 0; /* no spaces at the end of a line */
            if (i > 0)
                fputc(' ', table->stream);
            put_cell(table->stream, &column, left[i], bytes[i]);
            left[i] += bytes[i];
            left[i] += strspn(left[i], " ");
            more = more || *left[i];
        }
        fputc('\n', table->stream);
    }
}

const char *ts_table_number(double value, char text[TS_TABLE_NUMBER_SIZE])
{
    if (isnan(value))
        text[0] = '\0';
    else
        snprintf(text, TS_TABLE_NUMBER_SIZE, "%.6g", value);
    return text;
}
