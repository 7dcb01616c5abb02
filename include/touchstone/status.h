/* SPDX-License-Identifier: MIT */
/**
 * @file status.h
 * How Touchstone reports failure.
 *
 * Every call that can fail returns a ts_status and takes, last, a `ts_error *` that may be NULL. On failure the call
 * leaves its outputs untouched and fills the error with one sentence (what is wrong and how to mend it) and, when the
 * cause stands in a file, the place. The library never prints, never exits and never asserts on a user's data.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks a function that the shared library exports. */
#if defined(__GNUC__)
#define TS_API __attribute__((visibility("default")))
#else
#define TS_API
#endif

/** What became of a call. Zero is success. */
typedef enum ts_status {
    TS_OK = 0,            /**< done */
    TS_BAD_INPUT = 1,     /**< a scene, file or argument is wrong; the message says how to mend it */
    TS_OUT_OF_MEMORY = 2, /**< an allocation failed; nothing was changed */
    TS_IO = 3,            /**< the operating system refused a read or a write */
    TS_CORRUPT = 4,       /**< a file's checksum, version or structure is wrong */
    TS_UNSUPPORTED = 5,   /**< well formed, but this build or version cannot do it */
    TS_DIVERGED = 6,      /**< the simulation left the realm of sense: who, when and why are in the message */
    TS_INTERRUPTED = 7    /**< the caller asked to stop */
} ts_status;

/** One failure: a sentence and, where known, its place in a file. */
typedef struct ts_error {
    ts_status status;   /**< same as the returned status */
    int line;           /**< line in `file`, from 1; 0 when unknown */
    int column;         /**< column in `file`, in bytes from 1; 0 when unknown */
    char file[256];     /**< path as the user gave it; empty when unknown */
    char message[1024]; /**< one sentence: what is wrong, and the remedy */
} ts_error;

/** A short English name for a status, such as "bad input". Never NULL. */
TS_API const char *ts_status_name(ts_status status);

/**
 * Writes `file:line:column: message` (or as much of it as is known) into `text`.
 * @return the length the whole text has, as snprintf does.
 */
TS_API size_t ts_error_text(const ts_error *error, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
