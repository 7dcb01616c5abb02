/* SPDX-License-Identifier: MIT */
/* JSON as the program writes it: exact text, numbers that survive, and failures that are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/jsonwriter.h"

static char *written;
static size_t written_length;

static void begin(ts_json *json)
{
    FILE *stream = open_memstream(&written, &written_length);
    assert_non_null(stream);
    ts_json_to_stream(json, stream);
}

/* The text, for free. */
static char *finish(ts_json *json)
{
    assert_int_equal(ts_json_finish(json, NULL), TS_OK);
    assert_int_equal(fclose(json->stream), 0);
    assert_int_equal(strlen(written), written_length);
    return written;
}

static void layout(void **unused)
{
    (void)unused;
    ts_json json;
    begin(&json);
    ts_json_begin_object(&json, NULL);
    ts_json_text(&json, "name", "a\"b\\c\n\t\x01/é");
    ts_json_uint(&json, "large", UINT64_MAX);
    ts_json_int(&json, "small", INT64_MIN);
    ts_json_bool(&json, "yes", true);
    ts_json_null(&json, "nothing");
    ts_json_hash(&json, "hash", 0xabc);
    ts_json_begin_array(&json, "row");
    ts_json_number(&json, NULL, 0.1);
    ts_json_number(&json, NULL, -1);
    ts_json_end(&json);
    ts_json_begin_array(&json, "objects");
    for (int i = 0; i < 2; i++) {
        ts_json_begin_object(&json, NULL);
        ts_json_int(&json, "i", i);
        ts_json_end(&json);
    }
    ts_json_end(&json);
    ts_json_begin_object(&json, "empty");
    ts_json_end(&json);
    ts_json_end(&json);
    char *text = finish(&json);
    assert_string_equal(text, "{\n"
                              "  \"name\": \"a\\\"b\\\\c\\n\\t\\u0001/é\",\n"
                              "  \"large\": 18446744073709551615,\n"
                              "  \"small\": -9223372036854775808,\n"
                              "  \"yes\": true,\n"
                              "  \"nothing\": null,\n"
                              "  \"hash\": \"0000000000000abc\",\n"
                              "  \"row\": [0.1, -1],\n"
                              "  \"objects\": [\n"
                              "    {\n"
                              "      \"i\": 0\n"
                              "    },\n"
                              "    {\n"
                              "      \"i\": 1\n"
                              "    }\n"
                              "  ],\n"
                              "  \"empty\": {}\n"
                              "}\n");
    free(text);
}

static void numbers_survive(void **unused)
{
    (void)unused;
    const double value[] = {0, -0.0, 1.0 / 3, DBL_MAX, DBL_MIN, 5e-324, 1e22, -123456789.123456789};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        ts_json json;
        begin(&json);
        ts_json_number(&json, NULL, value[i]);
        char *text = finish(&json);
        double read = strtod(text, NULL);
        assert_memory_equal(&read, &value[i], sizeof read);
        free(text);
    }
}

static void what_json_cannot_say_is_null(void **unused)
{
    (void)unused;
    const double value[] = {(double)NAN, (double)INFINITY, (double)-INFINITY};
    for (int i = 0; i < 3; i++) {
        ts_json json;
        begin(&json);
        ts_json_number(&json, NULL, value[i]);
        char *text = finish(&json);
        assert_string_equal(text, "null\n");
        free(text);
    }
}

/* Truncated, overlong, surrogate and too large sequences are not UTF-8 and must not reach the output. */
static void only_utf8_comes_out(void **unused)
{
    (void)unused;
    const char *bad[] = {"\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ts_json json;
        begin(&json);
        ts_json_text(&json, NULL, bad[i]);
        char *text = finish(&json);
        for (const char *c = text; *c; c++)
            assert_true((unsigned char)*c < 0x80);
        assert_non_null(strstr(text, "\\ufffd"));
        free(text);
    }
    ts_json json;
    begin(&json);
    ts_json_text(&json, NULL, "\xf0\x9f\x98\x80 \xe2\x82\xac"); /* U+1F600, U+20AC */
    char *text = finish(&json);
    assert_string_equal(text, "\"\xf0\x9f\x98\x80 \xe2\x82\xac\"\n");
    free(text);
}

static void locale_changes_nothing(void **unused)
{
    (void)unused;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
        skip();
    ts_json json;
    begin(&json);
    ts_json_number(&json, NULL, 0.5);
    char *text = finish(&json);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "0.5\n");
    free(text);
}

static void a_full_disk_is_told(void **unused)
{
    (void)unused;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    ts_json json;
    ts_error error = {0};
    ts_json_to_stream(&json, full);
    ts_json_begin_array(&json, NULL);
    for (int i = 0; i < 100000; i++)
        ts_json_int(&json, NULL, i);
    ts_json_end(&json);
    assert_int_equal(ts_json_finish(&json, &error), TS_IO);
    assert_int_equal(error.status, TS_IO);
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout),
        cmocka_unit_test(numbers_survive),
        cmocka_unit_test(what_json_cannot_say_is_null),
        cmocka_unit_test(only_utf8_comes_out),
        cmocka_unit_test(locale_changes_nothing),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
