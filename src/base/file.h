/* SPDX-License-Identifier: MIT */
/* Whole files, read with a cap and written so that a crash leaves the old file or the new one, never half of either.
 *
 *     write to  name.<pid>.<n>.tmp  in the same folder ─▶ fsync ─▶ rename over name ─▶ fsync the folder
 *
 * Errors are TS_IO with the path and the operating system's reason, TS_BAD_INPUT for a file above its cap. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/status.h"

/* "cannot <what> <path>: <reason>", with a remedy where there is one; TS_OUT_OF_MEMORY for ENOMEM, else TS_IO. */
ts_status ts_fail_errno(ts_error *error, const char *what, const char *path, int reason);

/* The descriptor, or a copy of it above the three standard ones, which a program may have closed; negative ones stay as
 * they are. */
int ts_above_standard(int file);
/* open(2), closed on exec, with a descriptor above those of the standard streams also where the caller has closed these:
 * otherwise what is printed would go into the file. -1 with errno on failure. */
int ts_open(const char *path, int flags, mode_t mode);
/* fopen(3) for reading, likewise. */
FILE *ts_open_stream(const char *path);

/* Reads all of `path` into a new block, to be freed with ts_free, with a zero byte after the end so that text can be
 * used as a string (`size` does not count it). A file larger than `cap` bytes is refused. Pipes work. */
ts_status ts_file_read(const char *path, size_t cap, char **data, size_t *size, ts_error *error);
/* Replaces `path` by these bytes, atomically. A device or pipe (/dev/stdout) is written directly instead. */
ts_status ts_file_write(const char *path, const void *data, size_t size, ts_error *error);
/* Makes a folder and its parents; one that exists is fine. */
ts_status ts_folder_make(const char *path, ts_error *error);
bool ts_file_exists(const char *path);

/* An atomic write in pieces:
 *
 *     ts_draft draft;
 *     TS_TRY(ts_draft_open(&draft, path, error));
 *     fprintf(draft.stream, ...);                 errors of the stream may be left to the commit
 *     return ts_draft_commit(&draft, error);      or ts_draft_discard(&draft)
 *
 * Commit and discard both release the draft; discarding one that failed to open does nothing. A failed commit has
 * discarded it and left the old file as it was; only when the last sync, that of the folder, fails is the new file in
 * place although it may not survive a power cut. */
typedef struct ts_draft {
    FILE *stream;    /* write here */
    char *path;      /* where it will be */
    char *temporary; /* where it is now; NULL when `path` is a device or pipe, which is written directly */
} ts_draft;

ts_status ts_draft_open(ts_draft *draft, const char *path, ts_error *error);
ts_status ts_draft_commit(ts_draft *draft, ts_error *error);
void ts_draft_discard(ts_draft *draft);
