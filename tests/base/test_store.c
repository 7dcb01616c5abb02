/* SPDX-License-Identifier: MIT */
/* The store of results: what was kept is found, under its own name only, and nothing else can fail. */
#include "base/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "support/check.h"

static void kept_is_found(void **state)
{
    (void)state;
    const ts_stored what = {"new/store", 0x1234, "bin"};
    char *bytes, path[TS_STORE_PATH_BYTES];
    size_t size;
    OK(ts_store_find(what, 100, &bytes, &size, ERROR));
    assert_null(bytes);
    OK(ts_store_keep(what, "a\0b", 3, ERROR)); /* makes both folders */
    assert_true(ts_store_name(what, path));
    assert_string_equal(path, "new/store/0000000000001234.bin");
    OK(ts_store_find(what, 100, &bytes, &size, ERROR));
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "a\0b", 3);
    ts_free(bytes);
    OK(ts_store_keep(what, "", 0, ERROR)); /* replaced */
    OK(ts_store_find(what, 100, &bytes, &size, ERROR));
    assert_non_null(bytes);
    assert_int_equal(size, 0);
    ts_free(bytes);
    OK(ts_store_find((ts_stored){"new/store", 0x1235, "bin"}, 100, &bytes, &size, ERROR));
    assert_null(bytes);
    OK(ts_store_find((ts_stored){"new/store", 0x1234, "other"}, 100, &bytes, &size, ERROR));
    assert_null(bytes);
}

/* Too large a file, a folder or a pipe of that name: as if there were none. */
static void others_are_passed_over(void **state)
{
    (void)state;
    char *bytes;
    size_t size;
    OK(ts_store_keep((ts_stored){"others", 1, "bin"}, "12345", 5, ERROR));
    OK(ts_store_find((ts_stored){"others", 1, "bin"}, 4, &bytes, &size, ERROR));
    assert_null(bytes);
    assert_int_equal(mkdir("others/0000000000000002.bin", 0777), 0);
    assert_int_equal(mkfifo("others/0000000000000003.bin", 0666), 0);
    for (uint64_t key = 2; key <= 3; key++) {
        OK(ts_store_find((ts_stored){"others", key, "bin"}, 100, &bytes, &size, ERROR));
        assert_null(bytes);
    }
}

static void no_store(void **state)
{
    (void)state;
    char *bytes, path[TS_STORE_PATH_BYTES], longest[5000];
    size_t size;
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    const char *folder[] = {NULL, "", longest};
    for (int i = 0; i < 3; i++) {
        ts_stored what = {folder[i], 1, "bin"};
        assert_false(ts_store_name(what, path));
        OK(ts_store_find(what, 100, &bytes, &size, ERROR));
        assert_null(bytes);
        assert_int_equal(ts_store_keep(what, "1", 1, ERROR), i < 2 ? TS_OK : TS_IO);
    }
    OK(ts_file_write("a_file", "", 0, ERROR));
    assert_int_not_equal(ts_store_keep((ts_stored){"a_file", 1, "bin"}, "1", 1, ERROR), TS_OK);
}

/* The first of three variables that is set; a relative XDG_CACHE_HOME does not count, nor a path that has no room. */
static void folder_by_variables(void **state)
{
    (void)state;
    char text[64], small[8];
    setenv("HOME", "/home/me", 1);
    setenv("XDG_CACHE_HOME", "relative", 1);
    unsetenv("TOUCHSTONE_CACHE");
    assert_string_equal(ts_store_folder(text, sizeof text), "/home/me/.cache/touchstone");
    setenv("XDG_CACHE_HOME", "/caches", 1);
    assert_string_equal(ts_store_folder(text, sizeof text), "/caches/touchstone");
    assert_string_equal(ts_store_folder(small, sizeof small), "");
    setenv("TOUCHSTONE_CACHE", "here", 1);
    assert_string_equal(ts_store_folder(text, sizeof text), "here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_is_found),
        cmocka_unit_test(others_are_passed_over),
        cmocka_unit_test(no_store),
        cmocka_unit_test(folder_by_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
