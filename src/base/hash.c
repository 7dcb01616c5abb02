/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

/* Inlined, so that the library needs xxhash's header and nothing at link time. */
#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) <= sizeof(ts_hash_stream), "ts_hash_stream must hold XXH3's state");
_Static_assert(_Alignof(XXH3_state_t) <= _Alignof(ts_hash_stream), "ts_hash_stream must be aligned for XXH3");

uint64_t ts_hash(const void *data, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, size, seed);
}

void ts_hash_begin(ts_hash_stream *stream, uint64_t seed)
{
    /* the reset leaves parts of the state unset, and copying those would trouble memory checkers */
    memset(stream, 0, sizeof *stream);
    XXH3_64bits_reset_withSeed((XXH3_state_t *)(void *)stream->state, seed);
}

void ts_hash_add(ts_hash_stream *stream, const void *data, size_t size)
{
    if (size > 0)
        XXH3_64bits_update((XXH3_state_t *)(void *)stream->state, data, size);
}

uint64_t ts_hash_end(const ts_hash_stream *stream)
{
    return XXH3_64bits_digest((const XXH3_state_t *)(const void *)stream->state);
}
