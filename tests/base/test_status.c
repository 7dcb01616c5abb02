/* SPDX-License-Identifier: MIT */
/* Errors: the text a person reads, its place, and that a NULL error is always fine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"

static void fail_returns_its_status_and_fills_the_error(void **state)
{
    (void)state;
    ts_error error;
    memset(&error, 'x', sizeof error);
    assert_int_equal(ts_fail(&error, TS_BAD_INPUT, "radius is %g", -1.5), TS_BAD_INPUT);
    assert_int_equal(error.status, TS_BAD_INPUT);
    assert_string_equal(error.message, "radius is -1.5");
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(ts_fail(NULL, TS_IO, "nobody listens"), TS_IO);
    assert_int_equal(ts_fail_at(NULL, TS_IO, ((ts_place){0}), "nobody listens"), TS_IO);
    assert_int_equal(ts_fail_memory(NULL, 5), TS_OUT_OF_MEMORY);
}

static void text_shows_as_much_of_the_place_as_is_known(void **state)
{
    (void)state;
    ts_error error;
    char text[64];
    ts_fail_at(&error, TS_BAD_INPUT, ((ts_place){"a.json", 3, 7}), "no");
    assert_int_equal(ts_error_text(&error, text, sizeof text), strlen("a.json:3:7: no"));
    assert_string_equal(text, "a.json:3:7: no");
    ts_fail_at(&error, TS_BAD_INPUT, ((ts_place){"a.json", 3, 0}), "no");
    ts_error_text(&error, text, sizeof text);
    assert_string_equal(text, "a.json:3: no");
    ts_fail_at(&error, TS_BAD_INPUT, ((ts_place){"a.json", 0, 0}), "no");
    ts_error_text(&error, text, sizeof text);
    assert_string_equal(text, "a.json: no");
    ts_fail(&error, TS_BAD_INPUT, "no");
    ts_error_text(&error, text, sizeof text);
    assert_string_equal(text, "no");
    /* cut, but the length of the whole is told */
    assert_int_equal(ts_error_text(&error, text, 2), 2);
    assert_string_equal(text, "n");
}

static void an_error_can_wrap_itself(void **state)
{
    (void)state;
    ts_error error;
    ts_fail_at(&error, TS_IO, ((ts_place){"inner.json", 1, 1}), "disk full");
    ts_fail_at(&error, TS_IO, ((ts_place){error.file, 1, 1}), "cannot save: %s", error.message);
    assert_string_equal(error.message, "cannot save: disk full");
    assert_string_equal(error.file, "inner.json");
}

static void long_texts_are_cut_and_terminated(void **state)
{
    (void)state;
    ts_error error;
    char text[4000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 0;
    ts_fail_at(&error, TS_IO, ((ts_place){text, 1, 1}), "%s", text);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
}

static ts_status tried(ts_status inner, int *reached)
{
    TS_TRY(inner);
    *reached = 1;
    return TS_OK;
}

static void try_returns_failures_and_passes_success(void **state)
{
    (void)state;
    int reached = 0;
    assert_int_equal(tried(TS_CORRUPT, &reached), TS_CORRUPT);
    assert_int_equal(reached, 0);
    assert_int_equal(tried(TS_OK, &reached), TS_OK);
    assert_int_equal(reached, 1);
}

static void every_status_has_a_name(void **state)
{
    (void)state;
    for (int i = TS_OK; i <= TS_INTERRUPTED; i++)
        for (int j = TS_OK; j < i; j++)
            assert_string_not_equal(ts_status_name((ts_status)i), ts_status_name((ts_status)j));
    assert_string_equal(ts_status_name((ts_status)999), "unknown status");
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(fail_returns_its_status_and_fills_the_error),
        cmocka_unit_test(text_shows_as_much_of_the_place_as_is_known),
        cmocka_unit_test(an_error_can_wrap_itself),
        cmocka_unit_test(long_texts_are_cut_and_terminated),
        cmocka_unit_test(try_returns_failures_and_passes_success),
        cmocka_unit_test(every_status_has_a_name),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
