/* SPDX-License-Identifier: MIT */
/* Filling a ts_error from inside the library.
 *
 *     if (radius <= 0)
 *         return ts_fail(error, TS_BAD_INPUT, "radius is %g, but must be positive; give a length such as 0.01", radius);
 *
 * ts_fail returns the status it was given, so that failing is one statement. A message is one sentence that names what
 * is wrong and the remedy. ts_fail_at adds the place in a file. */
#pragma once

#include "touchstone/status.h"

/* A place in a text file. `file` is borrowed and may be NULL; line 0 means unknown. */
typedef struct ts_place {
    const char *file; /* path as the user gave it */
    int line;         /* from 1 */
    int column;       /* bytes, from 1 */
} ts_place;

void ts_fill_error(ts_error *error, ts_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ts_fill_error_at(ts_error *error, ts_status status, ts_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ts_fill_memory_error(ts_error *error, size_t bytes);

/* Macros around an inline function, so that a compiler sees that a failure never returns TS_OK (and does not warn of
 * outputs that are then not set), and does not mind when the status is not used. */
static inline ts_status ts_failed_as(ts_status status)
{
    return status;
}
#define ts_fail(error, status, ...) ts_failed_as((ts_fill_error((error), (status), __VA_ARGS__), (status)))
#define ts_fail_at(error, status, place, ...) \
    ts_failed_as((ts_fill_error_at((error), (status), (place), __VA_ARGS__), (status)))
/* `bytes` could not be had; 0 when their number is not known. */
#define ts_fail_memory(error, bytes) ts_failed_as((ts_fill_memory_error((error), (bytes)), TS_OUT_OF_MEMORY))

/* Returns early with the status of a failed call. */
#define TS_TRY(call)                    \
    do {                                \
        ts_status try_status_ = (call); \
        if (try_status_ != TS_OK)       \
            return try_status_;         \
    } while (0)
