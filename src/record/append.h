/* SPDX-License-Identifier: MIT */
/* A file that only grows, record by record: what trajectory and tables stand on.
 *
 *     ts_append_bytes … ts_append_bytes ─▶ ts_append_commit      the record is in the file
 *                                       └▶ ts_append_rollback    (or a failed commit) the file ends where it did before
 *
 * Bytes go through a buffer of fixed size, so a record of any size needs no memory. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/status.h"

typedef struct ts_append {
    int file;              /* descriptor; -1 when closed */
    char *path;            /* for messages */
    unsigned char *buffer; /* TS_APPEND_BUFFER bytes */
    size_t used;           /* of the buffer */
    uint64_t written;      /* bytes in the file, whole records or not */
    uint64_t committed;    /* bytes of whole records */
    size_t hashed;         /* bytes of the buffer that are in `hash` already */
    ts_hash_stream hash;   /* of all that was appended since ts_append_hash_begin */
} ts_append;

/* Where a log of records stands: what a checkpoint keeps, so that a resumed run goes on from exactly here. */
typedef struct ts_mark {
    uint64_t bytes;     /* length of the file */
    uint64_t count;     /* whole records in it: frames or rows */
    uint64_t last_step; /* of the newest record; 0 when there is none */
} ts_mark;

/* Large enough that a call into the kernel is nothing beside the copying; small enough for the second-level cache. */
#define TS_APPEND_BUFFER ((size_t)1 << 18)

/* Makes the file, or empties it. */
ts_status ts_append_create(ts_append *log, const char *path, ts_error *error);
/* Opens an existing file and cuts it to `bytes`; TS_CORRUPT when it is shorter than that. */
ts_status ts_append_resume(ts_append *log, const char *path, uint64_t bytes, ts_error *error);
ts_status ts_append_bytes(ts_append *log, const void *data, size_t size, ts_error *error);
/* Room for `size` bytes (no more than TS_APPEND_BUFFER) at the end of the file, to be filled before the next call; NULL
 * (TS_IO) when the disk refuses what was there before. */
unsigned char *ts_append_room(ts_append *log, size_t size, ts_error *error);
/* The hash of what is appended between the two calls. It is taken of large pieces, since many small ones cost more. */
void ts_append_hash_begin(ts_append *log);
uint64_t ts_append_hash_end(ts_append *log);
ts_status ts_append_commit(ts_append *log, ts_error *error);
void ts_append_rollback(ts_append *log);
/* Returns when the disk has what was committed. */
ts_status ts_append_sync(ts_append *log, ts_error *error);
/* Drops what was not committed. A zeroed log is fine. */
void ts_append_close(ts_append *log);
