/* SPDX-License-Identifier: MIT */
/* The JSON parser: what RFC 8259 allows is read as it says, comments and last commas besides; everything else is
 * refused at the right line and column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "scene/json.h"

static ts_arena arena;

static int set_up(void **state)
{
    (void)state;
    arena = (ts_arena){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ts_arena_free(&arena);
    return 0;
}

static ts_json_value *parse(const char *text)
{
    ts_json_value *root = NULL;
    ts_error error = {0};
    if (ts_json_parse(&arena, text, strlen(text), "t.json", &root, &error) != TS_OK)
        fail_msg("%s: %d:%d: %s", text, error.line, error.column, error.message);
    return root;
}

/* ---- What is accepted ---- */

static void test_values(void **state)
{
    (void)state;
    ts_json_value *root =
        parse("{\"a\": [1, -2.5e3, 0.1, 1E+2, -0], \"b\": true, \"c\": null, \"d\": {}, \"e\": \"x\"}");
    assert_int_equal(root->kind, TS_JSON_OBJECT);
    assert_int_equal(root->count, 5);
    const double expected[] = {1, -2.5e3, 0.1, 1e2, 0};
    const ts_json_value *list = ts_json_get(root, "a");
    assert_int_equal(list->count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_true(ts_json_item(list, i)->number == expected[i]);
    assert_null(ts_json_item(list, 5));
    assert_true(ts_json_get(root, "b")->boolean);
    assert_int_equal(ts_json_get(root, "c")->kind, TS_JSON_NULL);
    assert_int_equal(ts_json_get(root, "d")->count, 0);
    assert_string_equal(ts_json_get(root, "e")->text, "x");
    assert_null(ts_json_get(root, "f"));
}

static void test_escapes(void **state)
{
    (void)state;
    /* the right-hand sides are UTF-8 as the Unicode standard gives it */
    assert_string_equal(parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")->text, "\"\\/\b\f\n\r\t");
    assert_string_equal(parse("\"\\u0041\\u00e9\\u20AC\"")->text, "A\xc3\xa9\xe2\x82\xac");
    assert_string_equal(parse("\"\\ud834\\udd1e\"")->text, "\xf0\x9d\x84\x9e");
    assert_string_equal(parse("\"\xc3\xa9 \xf0\x9d\x84\x9e\"")->text, "\xc3\xa9 \xf0\x9d\x84\x9e");
}

static void test_comments_and_commas(void **state)
{
    (void)state;
    ts_json_value *root =
        parse("// first\n{ /* a\n comment */ \"a\" /**/ : /* x */ [1, 2, ], // end\n \"b\": 3, } // last");
    assert_int_equal(ts_json_get(root, "a")->count, 2);
    const ts_json_value *b = ts_json_get(root, "b");
    assert_true(b->number == 3);
    assert_int_equal(b->line, 4);
    assert_int_equal(b->column, 7);
    /* no comment inside a text */
    assert_string_equal(parse("\"a // b /* c */\"")->text, "a // b /* c */");
}

static void test_places(void **state)
{
    (void)state;
    const ts_json_value *root = parse("\n {\"key\":\n\t[true,\r\n  \"\xc3\xa9\", 5]}");
    assert_int_equal(root->line, 2);
    assert_int_equal(root->column, 2);
    const ts_json_value *list = ts_json_get(root, "key");
    assert_int_equal(list->key_line, 2);
    assert_int_equal(list->key_column, 3);
    assert_int_equal(list->line, 3);
    assert_int_equal(list->column, 2);
    const ts_json_value *five = ts_json_item(list, 2);
    assert_int_equal(five->line, 4);
    assert_int_equal(five->column, 9); /* bytes, not characters */
    assert_string_equal(ts_json_place(five).file, "t.json");
}

/* ---- What is refused ---- */

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *fragment;
    } bad[] = {
        {"", 1, 1, "empty"},
        {"  \n // only a comment\n", 3, 1, "empty"},
        {"{", 1, 2, "ends inside the object that begins at line 1, column 1"},
        {"[1,\n2", 2, 2, "ends inside the list that begins at line 1, column 1"},
        {"{\"a\"", 1, 5, "expected \":\""},
        {"{\"a\":", 1, 6, "ends where a value should be"},
        {"{\"a\" 1}", 1, 6, "expected \":\""},
        {"{a: 1}", 1, 2, "expected a key in double quotes"},
        {"{,}", 1, 2, "expected a key"},
        {"[,]", 1, 2, "expected a value"},
        {"[1,,2]", 1, 4, "expected a value"},
        {"[1 2]", 1, 4, "expected \",\" or \"]\""},
        {"{\"a\": 1 \"b\": 2}", 1, 9, "expected \",\" or \"}\""},
        {"[1}", 1, 3, "expected \",\" or \"]\""},
        {"[1] 2", 1, 5, "goes on after its end"},
        {"]", 1, 1, "expected a value, found \"]\""},
        {"'a'", 1, 1, "double quotes"},
        {"\"abc", 1, 1, "never ends"},
        {"\"abc\\", 1, 1, "never ends"},
        {"\"a\nb\"", 1, 1, "does not end on its line"},
        {"\"a\tb\"", 1, 3, "tab"},
        {"\"a\\x\"", 1, 3, "unknown escape"},
        {"\"\\u12\"", 1, 2, "four hexadecimal digits"},
        {"\"\\u12g4\"", 1, 2, "four hexadecimal digits"},
        {"\"\\u0000\"", 1, 2, "cannot stand in a text"},
        {"\"\\ud800\"", 1, 2, "surrogate"},
        {"\"\\ud800\\u0041\"", 1, 2, "surrogate"},
        {"\"\\udc00\"", 1, 2, "surrogate"},
        {"[01]", 1, 2, "start with 0"},
        {"[+1]", 1, 2, "start with \"+\""},
        {"[.5]", 1, 2, "write 0 before it"},
        {"[-.5]", 1, 2, "write 0 before it"},
        {"[1.]", 1, 3, "digit must follow the point"},
        {"[1.e3]", 1, 3, "digit must follow the point"},
        {"[1e]", 1, 3, "exponent needs digits"},
        {"[1e+]", 1, 3, "exponent needs digits"},
        {"[-]", 1, 2, "followed by a digit"},
        {"[0x10]", 1, 3, "unit is written as text"},
        {"[3mm]", 1, 3, "unit is written as text"},
        {"[1.2.3]", 1, 5, "unit is written as text"},
        {"[1e309]", 1, 2, "not a finite number"},
        {"[-1e400]", 1, 2, "not a finite number"},
        {"[NaN]", 1, 2, "not a finite number"},
        {"[Infinity]", 1, 2, "not a finite number"},
        {"[-Infinity]", 1, 2, "not a finite number"},
        {"[nan]", 1, 2, "not a finite number"},
        {"[True]", 1, 2, "JSON writes true"},
        {"[nul]", 1, 2, "unexpected word nul"},
        {"[truefalse]", 1, 2, "unexpected word"},
        {"{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", 3, 2, "already stands at line 1, column 2"},
        {"{\"a\": 1, \"\\u0061\": 3}", 1, 10, "duplicate key \"a\""},
        {"/* open", 1, 1, "never ends"},
        {"[1] /", 1, 5, "comment starts with"},
        {"\xef\xbb\xbf{}", 1, 1, "byte-order mark"},
        {"\xff\xfe{", 1, 1, "UTF-16"},
        {"[\"\xff\"]", 1, 3, "not valid UTF-8"},
        {"[\"\xc0\x80\"]", 1, 3, "not valid UTF-8"},
        {"[\"\xed\xa0\x80\"]", 1, 3, "not valid UTF-8"},
        {"[\"\xf4\x90\x80\x80\"]", 1, 3, "not valid UTF-8"},
        {"[\"\xe2\x82\"]", 1, 3, "not valid UTF-8"},
        {"// \xfe\n[]", 1, 4, "not valid UTF-8"},
        {"{}\n\x01", 2, 1, "control character 0x01"},
        {"\xc2\xa0{}", 1, 1, "unexpected word"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ts_json_value *root = NULL;
        ts_error error = {0};
        ts_status status = ts_json_parse(&arena, bad[i].text, strlen(bad[i].text), "t.json", &root, &error);
        if (status != TS_BAD_INPUT || error.status != status || root != NULL)
            fail_msg("\"%s\" was not refused", bad[i].text);
        if (error.line != bad[i].line || error.column != bad[i].column || !strstr(error.message, bad[i].fragment))
            fail_msg("\"%s\": expected %d:%d: …%s…, got %d:%d: %s", bad[i].text, bad[i].line, bad[i].column,
                     bad[i].fragment, error.line, error.column, error.message);
        assert_string_equal(error.file, "t.json");
        /* an error nobody wants to hear of is still one */
        assert_int_equal(ts_json_parse(&arena, bad[i].text, strlen(bad[i].text), "t.json", &root, NULL), TS_BAD_INPUT);
    }
}

static void test_zero_byte(void **state)
{
    (void)state;
    ts_json_value *root = NULL;
    ts_error error;
    assert_int_equal(ts_json_parse(&arena, "[1,\0 2]", 7, "t.json", &root, &error), TS_BAD_INPUT);
    assert_int_equal(error.column, 4);
    assert_non_null(strstr(error.message, "control character 0x00"));
}

/* Every prefix of a valid text is refused but the whole, and never read past its end (the sanitizers watch). */
static void test_prefixes(void **state)
{
    (void)state;
    const char *text = "{\"a\\u00e9\": [1.5e-3, true, null, \"\xc3\xa9\\n\"], /* c */ \"b\": {\"c\": -0.5}} ";
    size_t length = strlen(text);
    for (size_t i = 0; i + 1 < length; i++) {
        char *copy = ts_alloc(i + 1, 1); /* a block of just this size */
        memcpy(copy, text, i);
        ts_json_value *root = NULL;
        ts_error error;
        assert_int_equal(ts_json_parse(&arena, copy, i, "t.json", &root, &error), TS_BAD_INPUT);
        assert_true(error.line == 1 && error.column >= 1 && (size_t)error.column <= i + 1);
        ts_free(copy);
    }
    assert_int_equal(parse(text)->count, 2);
}

static void test_nesting(void **state)
{
    (void)state;
    char text[2 * (TS_JSON_NESTING_MAX + 1) + 1];
    for (int depth = TS_JSON_NESTING_MAX; depth <= TS_JSON_NESTING_MAX + 1; depth++) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        text[2 * depth] = 0;
        ts_json_value *root = NULL;
        ts_error error = {0};
        ts_status status = ts_json_parse(&arena, text, 2 * (size_t)depth, "t.json", &root, &error);
        assert_int_equal(status, depth > TS_JSON_NESTING_MAX ? TS_BAD_INPUT : TS_OK);
        if (status != TS_OK)
            assert_int_equal(error.column, TS_JSON_NESTING_MAX + 1);
    }
}

/* 100 MB of brackets: refused at the first one too many, without memory for the rest. */
static void test_brackets(void **state)
{
    (void)state;
    size_t length = 100 << 20;
    char *text = ts_alloc_raw(length, 1);
    assert_non_null(text);
    memset(text, '[', length);
    ts_json_value *root = NULL;
    ts_error error;
    double since = ts_clock_seconds();
    assert_int_equal(ts_json_parse(&arena, text, length, "t.json", &root, &error), TS_BAD_INPUT);
    assert_true(ts_clock_seconds() - since < 10);
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, TS_JSON_NESTING_MAX + 1);
    assert_true(arena.bytes < 1 << 20);
    ts_free(text);
}

static void test_too_large(void **state)
{
    (void)state;
    ts_json_value *root = NULL;
    ts_error error;
    /* the length alone decides: the text is not looked at */
    assert_int_equal(ts_json_parse(&arena, "[]", TS_JSON_BYTES_MAX + 1, "t.json", &root, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "128 MB"));
}

/* An object of many keys is checked for duplicates in far less than quadratic time, and the first duplicate is told. */
static void test_many_keys(void **state)
{
    (void)state;
    enum { COUNT = 200000, WIDTH = 16 };
    char *text = ts_alloc_raw(COUNT + 2, WIDTH);
    size_t used = 0;
    text[used++] = '{';
    for (int i = 0; i < COUNT; i++) {
        int key = i == 150000 || i == 160000 ? 7 : i;
        used += (size_t)snprintf(text + used, WIDTH + 1, "\"k%d\":0,\n", key);
    }
    text[used++] = '}';
    ts_json_value *root = NULL;
    ts_error error;
    double since = ts_clock_seconds();
    assert_int_equal(ts_json_parse(&arena, text, used, "t.json", &root, &error), TS_BAD_INPUT);
    assert_true(ts_clock_seconds() - since < 20);
    assert_int_equal(error.line, 150001);
    assert_non_null(strstr(error.message, "line 8, column 1"));
    ts_free(text);
}

/* ---- Writing ---- */

static void test_write(void **state)
{
    (void)state;
    ts_json_value *root = parse("{\"n\":[0.1,1e300,-0.0,5e-324,123456789012345],\"t\":\"a\\\"\\\\\\n\\u0001\xc3\xa9\","
                                "\"o\":{\"x\":[{\"y\":null},[]],\"z\":{}},\"f\":false}");
    char *text;
    size_t length;
    assert_int_equal(ts_json_write(root, &text, &length, NULL), TS_OK);
    assert_int_equal(strlen(text), length);
    assert_string_equal(text, "{\n"
                              "    \"n\": [0.1, 1e+300, -0, 5e-324, 123456789012345],\n"
                              "    \"t\": \"a\\\"\\\\\\n\\u0001\xc3\xa9\",\n"
                              "    \"o\": {\n"
                              "        \"x\": [\n"
                              "            {\n"
                              "                \"y\": null\n"
                              "            },\n"
                              "            []\n"
                              "        ],\n"
                              "        \"z\": {}\n"
                              "    },\n"
                              "    \"f\": false\n"
                              "}\n");
    /* what was written reads back as the same bits */
    const ts_json_value *again = parse(text);
    const ts_json_value *a = ts_json_get(root, "n")->first, *b = ts_json_get(again, "n")->first;
    for (; a; a = a->next, b = b->next)
        assert_memory_equal(&a->number, &b->number, sizeof a->number);
    assert_string_equal(ts_json_get(root, "t")->text, ts_json_get(again, "t")->text);
    ts_free(text);
}

static void test_tree(void **state)
{
    (void)state;
    ts_json_value *list = parse("[1, 2]"), *item = ts_json_new(&arena, (ts_place){"x", 3, 4});
    ts_json_append(list, item);
    assert_int_equal(list->count, 3);
    assert_ptr_equal(ts_json_item(list, 2), item);
    ts_json_remove(list, ts_json_item(list, 0));
    assert_int_equal(list->count, 2);
    assert_true(list->first->number == 2);
    assert_int_equal(ts_json_place(item).line, 3);
}

static void test_quote(void **state)
{
    (void)state;
    char out[12];
    assert_string_equal(ts_quote("a\x1b[31m\n", out, sizeof out), "a?[31m?");
    assert_string_equal(ts_quote("exactly 11!", out, sizeof out), "exactly 11!");
    assert_string_equal(ts_quote("rather too long", out, sizeof out), "rather t\xe2\x80\xa6");
    /* never half a character */
    assert_string_equal(ts_quote("1234567\xc3\xa9yyyyy", out, sizeof out), "1234567\xe2\x80\xa6");
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_escapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comments_and_commas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_zero_byte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_prefixes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nesting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_brackets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_large, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tree, set_up, tear_down),
        cmocka_unit_test(test_quote),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
