/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Formats aside first, so that a caller may wrap an error in itself: ts_fail(error, s, "%s: %s", x, error->message). */
static void fill(ts_error *error, ts_status status, ts_place place, const char *format, va_list arguments)
{
    if (!error)
        return;
    char message[sizeof error->message], file[sizeof error->file];
    vsnprintf(message, sizeof message, format, arguments);
    snprintf(file, sizeof file, "%s", place.file ? place.file : "");
    error->status = status;
    error->line = place.line;
    error->column = place.column;
    memcpy(error->file, file, sizeof file);
    memcpy(error->message, message, sizeof message);
}

void ts_fill_error(ts_error *error, ts_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, (ts_place){0}, format, arguments);
    va_end(arguments);
}

void ts_fill_error_at(ts_error *error, ts_status status, ts_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, place, format, arguments);
    va_end(arguments);
}

void ts_fill_memory_error(ts_error *error, size_t bytes)
{
    const char *remedy = "make the scene smaller or free some memory";
    if (bytes == 0)
        ts_fill_error(error, TS_OUT_OF_MEMORY, "out of memory; %s", remedy);
    else
        ts_fill_error(error, TS_OUT_OF_MEMORY, "out of memory for %zu bytes; %s", bytes, remedy);
}

const char *ts_status_name(ts_status status)
{
    static const char *const name[] = {
        [TS_OK] = "ok",
        [TS_BAD_INPUT] = "bad input",
        [TS_OUT_OF_MEMORY] = "out of memory",
        [TS_IO] = "input or output failed",
        [TS_CORRUPT] = "corrupt file",
        [TS_UNSUPPORTED] = "unsupported",
        [TS_DIVERGED] = "diverged",
        [TS_INTERRUPTED] = "interrupted",
    };
    return (size_t)status < sizeof name / sizeof *name ? name[status] : "unknown status";
}

size_t ts_error_text(const ts_error *error, char *text, size_t capacity)
{
    const char *file = error->file;
    int length;
    if (file[0] && error->line > 0 && error->column > 0)
        length = snprintf(text, capacity, "%s:%d:%d: %s", file, error->line, error->column, error->message);
    else if (file[0] && error->line > 0)
        length = snprintf(text, capacity, "%s:%d: %s", file, error->line, error->message);
    else if (file[0])
        length = snprintf(text, capacity, "%s: %s", file, error->message);
    else
        length = snprintf(text, capacity, "%s", error->message);
    return length > 0 ? (size_t)length : 0;
}
