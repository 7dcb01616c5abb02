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

ts_status ts_fail(ts_error *error, ts_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
ts_status ts_fail_at(ts_error *error, ts_status status, ts_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
ts_status ts_fail_memory(ts_error *error, size_t bytes);

/* Returns early with the status of a failed call. */
#define TS_TRY(call)                    \
    do {                                \
        ts_status try_status_ = (call); \
        if (try_status_ != TS_OK)       \
            return try_status_;         \
    } while (0)
