/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A cache line, and the widest vector there is. */
#define ALIGNMENT ((size_t)64)

/* No object may be larger: pointer differences must fit ptrdiff_t. */
#define BYTES_MAX ((size_t)PTRDIFF_MAX - ALIGNMENT)

/* Arena chunks grow from one page, doubling the arena, to one MiB. */
#define CHUNK_MIN       ((size_t)4096)
#define CHUNK_MAX       ((size_t)1 << 20)
#define ARENA_ALIGNMENT ((size_t)16)

void *ts_alloc_raw(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > BYTES_MAX)
        return NULL;
    /* aligned_alloc wants a multiple of the alignment; an empty block still gets an address of its own */
    bytes = bytes == 0 ? ALIGNMENT : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return aligned_alloc(ALIGNMENT, bytes);
}

void *ts_alloc(size_t count, size_t size)
{
    void *block = ts_alloc_raw(count, size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

void *ts_realloc(void *block, size_t old_bytes, size_t new_bytes)
{
    /* realloc would lose the alignment, so the bytes are moved by hand */
    void *moved = ts_alloc_raw(new_bytes, 1);
    if (!moved)
        return NULL;
    size_t kept = old_bytes < new_bytes ? old_bytes : new_bytes;
    if (block && kept > 0)
        memcpy(moved, block, kept);
    ts_free(block);
    return moved;
}

void ts_free(void *block)
{
    free(block);
}

void *ts_give_at(void *pointer)
{
    void *object, *none = NULL;
    memcpy(&object, pointer, sizeof object);
    memcpy(pointer, &none, sizeof none);
    return object;
}

void ts_free_at(void *pointer)
{
    ts_free(ts_give_at(pointer));
}

ts_status ts_new_bytes(void **block, size_t count, size_t size, bool zeroed, ts_error *error)
{
    void *made = zeroed ? ts_alloc(count, size) : ts_alloc_raw(count, size);
    memcpy(block, &made, sizeof made);
    return made ? TS_OK : ts_fail_memory(error, count * size);
}

char *ts_copy_text(const char *text)
{
    if (!text)
        return NULL;
    size_t bytes = strlen(text) + 1;
    char *copy = ts_alloc_raw(bytes, 1);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

ts_status ts_array_reserve_bytes(void **item, size_t *capacity, size_t needed, size_t size, ts_error *error)
{
    if (needed <= *capacity)
        return TS_OK;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < needed)
        wanted = wanted > SIZE_MAX / 2 ? needed : wanted * 2;
    size_t bytes;
    if (__builtin_mul_overflow(wanted, size, &bytes))
        return ts_fail_memory(error, SIZE_MAX);
    void *moved = ts_realloc(*item, *capacity * size, bytes);
    if (!moved)
        return ts_fail_memory(error, bytes);
    *item = moved;
    *capacity = wanted;
    return TS_OK;
}

/* Chunks form a list from oldest to newest. The arena points at the one in use; those newer than it are spares that a
 * rewind left, so that a loop which rewinds to where it began allocates only in its first turn. */
struct ts_arena_chunk {
    _Alignas(64) ts_arena_chunk *older;
    ts_arena_chunk *newer;
    size_t capacity; /* bytes that follow this header */
    size_t used;
};

static bool chunk_fits(const ts_arena_chunk *chunk, size_t bytes)
{
    return chunk && chunk->capacity - chunk->used >= bytes;
}

/* A chunk in use with room for `bytes`, or NULL. */
static ts_arena_chunk *arena_room(ts_arena *arena, size_t bytes)
{
    ts_arena_chunk *here = arena->chunk;
    if (chunk_fits(here, bytes))
        return here;
    ts_arena_chunk *newer = here ? here->newer : NULL;
    if (newer) {
        newer->used = 0;
        if (chunk_fits(newer, bytes))
            return arena->chunk = newer;
    }
    size_t capacity = arena->bytes < CHUNK_MIN ? CHUNK_MIN : arena->bytes > CHUNK_MAX ? CHUNK_MAX : arena->bytes;
    if (capacity < bytes)
        capacity = bytes;
    ts_arena_chunk *chunk = ts_alloc_raw(1, sizeof *chunk + capacity);
    if (!chunk)
        return NULL;
    *chunk = (ts_arena_chunk){.older = here, .newer = newer, .capacity = capacity};
    if (here)
        here->newer = chunk;
    if (newer)
        newer->older = chunk;
    arena->bytes += capacity;
    return arena->chunk = chunk;
}

void *ts_arena_alloc(ts_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > BYTES_MAX / 2)
        return NULL;
    bytes = bytes == 0 ? ARENA_ALIGNMENT : (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    ts_arena_chunk *chunk = arena_room(arena, bytes);
    if (!chunk)
        return NULL;
    void *block = (char *)(chunk + 1) + chunk->used;
    chunk->used += bytes;
    return memset(block, 0, bytes);
}

char *ts_arena_text(ts_arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX)
        return NULL;
    char *copy = ts_arena_alloc(arena, length + 1, 1);
    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

ts_arena_mark ts_arena_here(const ts_arena *arena)
{
    return (ts_arena_mark){arena->chunk, arena->chunk ? arena->chunk->used : 0};
}

void ts_arena_rewind(ts_arena *arena, ts_arena_mark mark)
{
    if (mark.chunk) {
        arena->chunk = mark.chunk;
        mark.chunk->used = mark.used;
        return;
    }
    /* marked before the first block: back to the oldest chunk */
    while (arena->chunk && arena->chunk->older)
        arena->chunk = arena->chunk->older;
    if (arena->chunk)
        arena->chunk->used = 0;
}

void ts_arena_free(ts_arena *arena)
{
    ts_arena_chunk *chunk = arena->chunk;
    while (chunk && chunk->newer)
        chunk = chunk->newer;
    while (chunk) {
        ts_arena_chunk *older = chunk->older;
        ts_free(chunk);
        chunk = older;
    }
    *arena = (ts_arena){0};
}
