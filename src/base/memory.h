/* SPDX-License-Identifier: MIT */
/* Heap blocks, arenas and growable arrays.
 *
 * Everything that the library allocates comes through here: sizes are size_t and checked for overflow, and blocks are
 * 64-byte aligned so that hot arrays start on a cache line. A failed allocation returns NULL and changes nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* count × size bytes, zeroed, aligned to 64; NULL when out of memory or when the product overflows. Free with
 * ts_free. */
void *ts_alloc(size_t count, size_t size);
/* Like ts_alloc without zeroing. */
void *ts_alloc_raw(size_t count, size_t size);
/* Grows or shrinks; keeps min(old, new) bytes; new bytes are not zeroed. `block` is untouched on failure (NULL). */
void *ts_realloc(void *block, size_t old_bytes, size_t new_bytes);
void ts_free(void *block);
/* A copy of a string, to be freed with ts_free; NULL when out of memory or when text is NULL. */
char *ts_copy_text(const char *text);

/* The same with a status: `count` items of the type that *pointer points to, zeroed or raw. On failure *pointer is
 * NULL.
 *
 *     double *x;
 *     TS_TRY(ts_new(&x, count, error)); */
#define ts_new(pointer, count, error)     ts_new_bytes((void **)(pointer), (count), sizeof **(pointer), true, (error))
#define ts_new_raw(pointer, count, error) ts_new_bytes((void **)(pointer), (count), sizeof **(pointer), false, (error))
ts_status ts_new_bytes(void **block, size_t count, size_t size, bool zeroed, ts_error *error);

/* A variable that is released when its scope ends, however it ends. `release` gets the variable's address.
 *
 *     TS_AUTO(ts_rig_close) ts_rig rig = {0};       ts_rig_close(&rig)
 *     TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;  ts_mesh_free(mesh), declared by TS_RELEASE_AT below ts_mesh_free
 *     TS_AUTO_FREE double *x = NULL;                  ts_free(x) */
#define TS_AUTO(release) __attribute__((cleanup(release)))
#define TS_AUTO_FREE     TS_AUTO(ts_free_at)
#define TS_AUTO_ARRAY    TS_AUTO(ts_free_at) /* of a TS_ARRAY, below, whose block comes first */
/* Gives an object of such a variable away: its value, and NULL is left behind. *mesh = ts_give(&made); */
#define ts_give(pointer) ((__typeof__(*(pointer)))ts_give_at(pointer))
void *ts_give_at(void *pointer);
/* NOLINTBEGIN(bugprone-macro-parentheses): of types */
#define TS_RELEASE_AT(type, release)               \
    static inline void release##_at(type **object) \
    {                                              \
        release(*object);                          \
    }
/* The same for an array: TS_AUTO(ts_rig_close_each) ts_rig rig[4] = {0}; */
#define TS_RELEASE_EACH(type, count, release)               \
    static inline void release##_each(type(*object)[count]) \
    {                                                       \
        for (int i = 0; i < (count); i++)                   \
            release(&(*object)[i]);                         \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
/* `pointer` is the address of a pointer of any type. */
void ts_free_at(void *pointer);

/* ---- Growable array: a struct { T *item; size_t count, capacity; } of any type ----
 *
 *     typedef TS_ARRAY(double) ts_double_array;
 *     ts_double_array a = {0};
 *     TS_TRY(ts_array_push(&a, 3.0, error));
 *     ts_array_free(&a);
 */
#define TS_ARRAY(T)      \
    struct {             \
        T *item;         \
        size_t count;    \
        size_t capacity; \
    }

/* Makes room for `needed` items in all. Items keep their values; addresses may change. */
#define ts_array_reserve(array, needed, error) \
    ts_array_reserve_bytes((void **)&(array)->item, &(array)->capacity, (needed), sizeof *(array)->item, (error))
/* Appends one item; evaluates to a ts_status. */
#define ts_array_push(array, value, error)                           \
    (ts_array_reserve((array), (array)->count + 1, (error)) == TS_OK \
         ? ((array)->item[(array)->count++] = (value), TS_OK)        \
         : TS_OUT_OF_MEMORY)
#define ts_array_free(array) (ts_free((array)->item), (array)->item = NULL, (array)->count = 0, (array)->capacity = 0)

/* The work behind ts_array_reserve: capacity doubles, so that pushing n items costs O(n). */
ts_status ts_array_reserve_bytes(void **item, size_t *capacity, size_t needed, size_t size, ts_error *error);

/* ---- Arena: many small blocks, freed together ----
 * Blocks live until ts_arena_free or until the arena is rewound past them. */
typedef struct ts_arena_chunk ts_arena_chunk;
typedef struct ts_arena {
    ts_arena_chunk *chunk; /* newest first */
    size_t bytes;          /* held in all chunks together */
} ts_arena;
typedef struct ts_arena_mark {
    ts_arena_chunk *chunk;
    size_t used;
} ts_arena_mark;

/* Zeroed and aligned to 16; NULL when out of memory. */
void *ts_arena_alloc(ts_arena *arena, size_t count, size_t size);
/* Copy of `length` bytes plus a terminating zero; NULL when out of memory. */
char *ts_arena_text(ts_arena *arena, const char *text, size_t length);
ts_arena_mark ts_arena_here(const ts_arena *arena);
void ts_arena_rewind(ts_arena *arena, ts_arena_mark mark);
void ts_arena_free(ts_arena *arena);
