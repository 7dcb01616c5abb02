/* SPDX-License-Identifier: MIT */
#include "cli/format.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Numbers ---- */

ts_shown ts_show_count(uint64_t count)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    ts_shown shown;
    char *out = shown.text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = 0;
    return shown;
}

/* Three digits that matter, never in exponent form for 1 ≤ |value| < 1000. */
static int three_digits(char *text, size_t capacity, double value)
{
    double size = fabs(value);
    return snprintf(text, capacity, "%.*f", size < 9.995 ? 2 : size < 99.95 ? 1 : 0, value);
}

ts_shown ts_show_counted(uint64_t count, const char *what)
{
    ts_shown shown;
    snprintf(shown.text, sizeof shown.text, "%.27s %.16s%s", ts_show_count(count).text, what, count == 1 ? "" : "s");
    return shown;
}

ts_shown ts_show_bytes(double bytes)
{
    static const char *const unit[] = {"kB", "MB", "GB", "TB", "PB"};
    ts_shown shown;
    if (bytes < 1000) {
        snprintf(shown.text, sizeof shown.text, "%.0f bytes", bytes);
        return shown;
    }
    int i = 0;
    for (bytes /= 1000; bytes >= 999.5 && i < 4; i++)
        bytes /= 1000;
    int length = three_digits(shown.text, sizeof shown.text, bytes);
    snprintf(shown.text + length, sizeof shown.text - (size_t)length, " %s", unit[i]);
    return shown;
}

ts_shown ts_show_wall(double seconds)
{
    ts_shown shown;
    char *text = shown.text;
    size_t size = sizeof shown.text;
    if (!(seconds >= 0) || seconds > 1e9) {
        snprintf(text, size, "?");
    } else if (seconds < 0.9995) {
        snprintf(text, size, "%.0f ms", seconds * 1e3);
    } else if (seconds < 59.5) {
        snprintf(text, size, seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
    } else {
        long s = lround(seconds), m = lround(seconds / 60), h = lround(seconds / 3600);
        if (s < 3600)
            snprintf(text, size, "%ld min %02ld s", s / 60, s % 60);
        else if (m < 48 * 60)
            snprintf(text, size, "%ld h %02ld min", m / 60, m % 60);
        else
            snprintf(text, size, "%ld d %ld h", h / 24, h % 24);
    }
    return shown;
}

ts_shown ts_show_si(double value, const char *unit)
{
    static const char *const prefix[] = {"f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P"};
    enum { plain = 5, last = 10 };
    ts_shown shown;
    if (value == 0 || !isfinite(value)) {
        snprintf(shown.text, sizeof shown.text, "%g %s", value, unit);
        return shown;
    }
    int i = plain;
    double scaled = value;
    for (; fabs(scaled) >= 999.5 && i < last; i++)
        scaled /= 1000;
    for (; fabs(scaled) < 0.9995 && i > 0; i--)
        scaled *= 1000;
    if (fabs(scaled) >= 999.5 || fabs(scaled) < 0.9995) {
        snprintf(shown.text, sizeof shown.text, "%.3g %s", value, unit);
        return shown;
    }
    int length = three_digits(shown.text, sizeof shown.text, scaled);
    snprintf(shown.text + length, sizeof shown.text - (size_t)length, " %s%s", prefix[i], unit);
    return shown;
}

ts_shown ts_show_rate(double per_second, const char *what)
{
    static const char *const prefix[] = {"", " k", " M", " G", " T"};
    ts_shown shown;
    if (!isfinite(per_second) || per_second < 0)
        per_second = 0;
    int i = 0;
    for (; per_second >= 999.5 && i < 4; i++)
        per_second /= 1000;
    int length = three_digits(shown.text, sizeof shown.text, per_second);
    snprintf(shown.text + length, sizeof shown.text - (size_t)length, "%s %s/s", prefix[i], what);
    return shown;
}

/* ---- Columns ---- */

static int width_of(const char *text, size_t length)
{
    int width = 0;
    for (size_t i = 0; i < length; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

int ts_text_width(const char *text)
{
    return width_of(text, strlen(text));
}

static void print_spaces(FILE *stream, int count)
{
    fprintf(stream, "%*s", count > 0 ? count : 0, "");
}

/* Bytes of the word at `text`; with the next one, a unit, when it is a number and both fit into `room` columns. */
static size_t word_length(const char *text, int room)
{
    const size_t length = strcspn(text, " \n");
    const char *unit = text + length + 1;
    if (length == 0 || !isdigit((unsigned char)text[length - 1]) || text[length] != ' ' ||
        !(isalpha((unsigned char)*unit) || (*unit & 0x80)))
        return length;
    const size_t both = length + 1 + strcspn(unit, " \n");
    return width_of(text, both) <= room ? both : length;
}

void ts_print_wrapped(FILE *stream, const char *text, int column, int at)
{
    bool fresh = true; /* no word on this line yet */
    while (*text) {
        if (*text == '\n') {
            fputc('\n', stream);
            text++;
            at = 0;
            fresh = true;
            continue;
        }
        size_t space = strspn(text, " "), length = word_length(text + space, ts_columns - column);
        int width = (int)space + width_of(text + space, length);
        if (!fresh && at + width > ts_columns) {
            fputc('\n', stream);
            at = 0;
            fresh = true;
            text += space; /* the break takes the place of the spaces */
            continue;
        }
        if (fresh && at < column) {
            print_spaces(stream, column - at);
            at = column;
        }
        fwrite(text, 1, space + length, stream);
        at += width;
        text += space + length;
        fresh = false;
    }
    fputc('\n', stream);
}

void ts_print_entry(FILE *stream, const char *left, const char *right, int column)
{
    int at = ts_text_width(left);
    fputs(left, stream);
    if (at + 2 > column) {
        fputc('\n', stream);
        at = 0;
    }
    ts_print_wrapped(stream, right, column, at);
}

/* ---- Streams ---- */

bool ts_is_terminal(FILE *stream)
{
    const char *term = getenv("TERM");
    return isatty(fileno(stream)) && (!term || strcmp(term, "dumb") != 0);
}

bool ts_has_colour(FILE *stream)
{
    const char *no = getenv("NO_COLOR");
    return ts_is_terminal(stream) && !(no && *no);
}

/* ---- Listings ---- */

enum { cells_max = 12 };

ts_listing ts_listing_make(const char *align)
{
    return (ts_listing){.align = align};
}

void ts_listing_gap(ts_listing *listing)
{
    (void)ts_array_push(&listing->row, NULL, NULL);
}

void ts_listing_row(ts_listing *listing, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *row = length < 0 ? NULL : ts_alloc((size_t)length + 1, 1);
    if (row) {
        vsnprintf(row, (size_t)length + 1, format, again);
        if (ts_array_push(&listing->row, row, NULL) != TS_OK)
            ts_free(row);
    }
    va_end(again);
    va_end(arguments);
}

/* Splits a row at its tabs, in place of a copy: cell i is `length[i]` bytes from `cell[i]`. */
static int split(const char *row, int columns, const char *cell[cells_max], size_t length[cells_max])
{
    int count = 0;
    for (const char *at = row; count < columns; at++) {
        cell[count] = at;
        length[count] = count + 1 < columns ? strcspn(at, "\t") : strlen(at);
        at += length[count++];
        if (!*at)
            break;
    }
    return count;
}

void ts_listing_print(ts_listing *listing, FILE *stream)
{
    enum { between = 2 };
    int columns = (int)strlen(listing->align), width[cells_max] = {0}, count;
    const char *cell[cells_max];
    size_t length[cells_max];
    columns = columns < cells_max ? columns : cells_max;

    for (size_t r = 0; r < listing->row.count; r++) {
        count = listing->row.item[r] ? split(listing->row.item[r], columns, cell, length) : 0;
        /* a row with fewer cells than columns is a heading: its last cell may run over the others */
        for (int c = 0; c < count; c++)
            if (count == columns || c + 1 < count) {
                int w = width_of(cell[c], length[c]);
                width[c] = w > width[c] ? w : width[c];
            }
    }
    for (size_t r = 0; r < listing->row.count; r++) {
        char *row = listing->row.item[r];
        count = row ? split(row, columns, cell, length) : 0;
        int at = 0, column = 0;
        for (int c = 0; c < count; c++) {
            int w = width_of(cell[c], length[c]);
            bool last = c + 1 == count;
            print_spaces(stream, column - at);
            at = column;
            if (last && listing->align[c] == 'l') {
                ts_print_wrapped(stream, cell[c], column, at);
                break;
            }
            if (listing->align[c] == 'r' && count == columns) {
                print_spaces(stream, width[c] - w);
                at += width[c] - w;
            }
            fwrite(cell[c], 1, length[c], stream);
            at += w;
            column += width[c] + between;
            if (last)
                fputc('\n', stream);
        }
        if (count == 0)
            fputc('\n', stream);
        ts_free(row);
    }
    ts_array_free(&listing->row);
}
