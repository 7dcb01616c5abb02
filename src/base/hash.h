/* SPDX-License-Identifier: MIT */
/* A fast 64-bit hash of bytes: checksums of files and frames, the hash of a state, hash tables.
 *
 * It is XXH3 (64 bits) from xxhash: fixed by its specification, so a checksum written by one version is read by the
 * next. It detects accidents, not attacks. Feeding a stream in pieces gives the hash of the whole. */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint64_t ts_hash(const void *data, size_t size, uint64_t seed);

/* Plain data: no need to free, may be copied to fork a hash. */
typedef struct ts_hash_stream {
    _Alignas(64) unsigned char state[576]; /* XXH3_state_t, opaque here to keep xxhash.h out of every file */
} ts_hash_stream;

void ts_hash_begin(ts_hash_stream *stream, uint64_t seed);
void ts_hash_add(ts_hash_stream *stream, const void *data, size_t size);
/* The hash of everything added so far; more may be added afterwards. */
uint64_t ts_hash_end(const ts_hash_stream *stream);
