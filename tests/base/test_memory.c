/* SPDX-License-Identifier: MIT */
/* Memory: alignment, zeroing, overflow, and that arrays and arenas keep what is put in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

typedef TS_ARRAY(int) int_array;

/* The sanitizers' malloc stops the program at a size it finds absurd, where the real one returns NULL. */
#define OPTIONS __attribute__((visibility("default"), used, no_sanitize("address", "thread"))) const char *
OPTIONS __asan_default_options(void);
OPTIONS __tsan_default_options(void);
OPTIONS __asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
OPTIONS __tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void blocks_are_aligned_and_zeroed(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 300; bytes += 7) {
        unsigned char *dirty = ts_alloc_raw(bytes, 1);
        assert_non_null(dirty);
        memset(dirty, 0xff, bytes);
        ts_free(dirty);
        unsigned char *block = ts_alloc(bytes, 1);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(block[i], 0);
        ts_free(block);
    }
    ts_free(NULL);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    assert_null(ts_alloc(SIZE_MAX, 2));
    assert_null(ts_alloc(SIZE_MAX / 2 + 1, 2)); /* the product wraps to 0 */
    assert_null(ts_alloc_raw(SIZE_MAX - 10, 1));
    char *block = ts_alloc(4, 1);
    memcpy(block, "abc", 4);
    assert_null(ts_realloc(block, 4, SIZE_MAX - 3));
    assert_string_equal(block, "abc");
    ts_free(block);

    int_array a = {0};
    ts_error error;
    assert_int_equal(ts_array_push(&a, 5, &error), TS_OK);
    size_t capacity = a.capacity;
    assert_int_equal(ts_array_reserve(&a, SIZE_MAX / 3, &error), TS_OUT_OF_MEMORY);
    assert_int_equal(ts_array_reserve(&a, SIZE_MAX / 32, &error), TS_OUT_OF_MEMORY);
    assert_int_equal(error.status, TS_OUT_OF_MEMORY);
    assert_int_equal(a.capacity, capacity);
    assert_int_equal(a.item[0], 5);
    ts_array_free(&a);

    ts_arena arena = {0};
    assert_null(ts_arena_alloc(&arena, SIZE_MAX, SIZE_MAX));
    assert_null(ts_arena_alloc(&arena, SIZE_MAX / 2, 1));
    assert_null(ts_arena_text(&arena, "", SIZE_MAX));
    ts_arena_free(&arena);
}

static void realloc_keeps_the_common_part(void **state)
{
    (void)state;
    char *block = ts_realloc(NULL, 0, 6);
    memcpy(block, "hello", 6);
    block = ts_realloc(block, 6, 1000);
    assert_string_equal(block, "hello");
    assert_int_equal((uintptr_t)block % 64, 0);
    block = ts_realloc(block, 1000, 3);
    assert_memory_equal(block, "hel", 3);
    ts_free(block);
    assert_null(ts_copy_text(NULL));
    char *copy = ts_copy_text("grain");
    assert_string_equal(copy, "grain");
    ts_free(copy);
}

static void arrays_hold_what_was_pushed(void **state)
{
    (void)state;
    int_array a = {0};
    size_t moves = 0;
    for (int i = 0; i < 100000; i++) {
        const int *before = a.item;
        assert_int_equal(ts_array_push(&a, i * 3, NULL), TS_OK);
        moves += a.item != before;
    }
    assert_int_equal(a.count, 100000);
    assert_true(moves < 20); /* doubling: log2(100000 / 8) moves */
    for (int i = 0; i < 100000; i++)
        assert_int_equal(a.item[i], i * 3);
    ts_array_free(&a);
    assert_null(a.item);
    assert_int_equal(a.capacity, 0);
}

static void arena_blocks_are_separate_aligned_and_zeroed(void **state)
{
    (void)state;
    ts_arena arena = {0};
    unsigned char *block[500];
    for (size_t i = 0; i < 500; i++) {
        size_t bytes = i * 37 % 9000;
        block[i] = ts_arena_alloc(&arena, bytes, 1);
        assert_non_null(block[i]);
        assert_int_equal((uintptr_t)block[i] % 16, 0);
        for (size_t j = 0; j < bytes; j++)
            assert_int_equal(block[i][j], 0);
        memset(block[i], (int)(i % 251), bytes);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t j = 0; j < i * 37 % 9000; j++)
            assert_int_equal(block[i][j], i % 251);
    assert_string_equal(ts_arena_text(&arena, "friction", 4), "fric");
    assert_string_equal(ts_arena_text(&arena, NULL, 0), "");
    ts_arena_free(&arena);
    assert_int_equal(arena.bytes, 0);
}

static void a_rewound_arena_allocates_only_in_its_first_turn(void **state)
{
    (void)state;
    ts_arena arena = {0};
    size_t held = 0;
    for (int turn = 0; turn < 5; turn++) {
        ts_arena_mark start = ts_arena_here(&arena);
        char *kept = ts_arena_text(&arena, "kept", 4);
        ts_arena_mark middle = ts_arena_here(&arena);
        for (int i = 0; i < 100; i++) {
            char *block = ts_arena_alloc(&arena, 1000, (size_t)(1 + i % 7));
            assert_non_null(block);
            for (int j = 0; j < 1000; j++)
                assert_int_equal(block[j], 0); /* also when the memory was used before */
            memset(block, 1, 1000);
        }
        ts_arena_rewind(&arena, middle);
        assert_string_equal(kept, "kept");
        ts_arena_alloc(&arena, 50000, 1);
        ts_arena_rewind(&arena, start);
        if (turn == 1)
            held = arena.bytes;
        if (turn > 1)
            assert_int_equal(arena.bytes, held);
    }
    ts_arena_free(&arena);
    ts_arena_rewind(&arena, (ts_arena_mark){0}); /* nothing there: nothing happens */
    ts_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(blocks_are_aligned_and_zeroed),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(realloc_keeps_the_common_part),
        cmocka_unit_test(arrays_hold_what_was_pushed),
        cmocka_unit_test(arena_blocks_are_separate_aligned_and_zeroed),
        cmocka_unit_test(a_rewound_arena_allocates_only_in_its_first_turn),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
