/* SPDX-License-Identifier: MIT */
/* Numbers read and written in every locale, names a user may have meant, and paths. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"

static int same_bits(double a, double b)
{
    uint64_t p, q;
    memcpy(&p, &a, sizeof p);
    memcpy(&q, &b, sizeof q);
    return p == q;
}

static void numbers_are_read_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } known[] = {
        {"0", 0.0},
        {"-0", -0.0},
        {"1", 1},
        {"+2.5", 2.5},
        {".5", 0.5},
        {"3.", 3},
        {"1e3", 1000},
        {"1E-3", 0x1.0624dd2f1a9fcp-10},
        {"0.1", 0x1.999999999999ap-4},
        {"1.7976931348623157e308", DBL_MAX},
        {"2.2250738585072014e-308", DBL_MIN},
        {"5e-324", 0x1p-1074},
        {"1e-400", 0},
        /* halfway cases: ties to even, and one digit beyond the tie */
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.0000000000000000000000001", 9007199254740994.0},
        {"8.41e21", 0x1.c7e83209e90b2p+72},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double value = 42;
        if (!ts_parse_double(known[i].text, &value) || !same_bits(value, known[i].value))
            fail_msg("%s was read as %.17g", known[i].text, value);
    }
}

static void what_is_not_a_number_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    " ",     "-",   ".",     "e5",        "+.e1",  "1e",
                                      "1e+", "0x10",  "inf", "nan",   "-infinity", "1 ",    " 1",
                                      "1,5", "1.5.2", "--1", "1e999", "-1e999",    "1_000", "١"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = 42;
        if (ts_parse_double(bad[i], &value) || value != 42)
            fail_msg("\"%s\" was read as %.17g", bad[i], value);
    }
    char huge[2000];
    memset(huge, '1', sizeof huge);
    double value;
    assert_int_equal(ts_parse_number(huge, sizeof huge, &value), 0);
    assert_int_equal(ts_parse_number(huge, 300, &value), 300); /* needs no terminating zero */
}

static void a_number_may_be_followed_by_a_unit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t used;
        double value;
    } known[] = {{"3 mm", 1, 3}, {"3mm", 1, 3}, {"2.5e-3m", 6, 2.5e-3}, {"1em", 1, 1}, {"1e+x", 1, 1}, {"4..", 2, 4}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double value = 42;
        assert_int_equal(ts_parse_number(known[i].text, strlen(known[i].text), &value), known[i].used);
        assert_true(value == known[i].value);
    }
}

static void integers_are_read_to_their_limits(void **state)
{
    (void)state;
    int64_t i = 42;
    uint64_t u = 42;
    assert_true(ts_parse_int64("-9223372036854775808", &i) && i == INT64_MIN);
    assert_true(ts_parse_int64("9223372036854775807", &i) && i == INT64_MAX);
    assert_true(ts_parse_int64("+7", &i) && i == 7);
    assert_true(ts_parse_uint64("18446744073709551615", &u) && u == UINT64_MAX);
    assert_false(ts_parse_int64("9223372036854775808", &i));
    assert_false(ts_parse_int64("-9223372036854775809", &i));
    assert_false(ts_parse_uint64("18446744073709551616", &u));
    assert_false(ts_parse_uint64("184467440737095516150", &u));
    static const char *const bad[] = {"", "-", "+", "1.0", " 1", "1 ", "-+1", "+-1", "0x1", "1e3"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_false(ts_parse_int64(bad[k], &i));
        assert_false(ts_parse_uint64(bad[k], &u));
    }
    assert_false(ts_parse_uint64("-1", &u));
    assert_true(i == 7 && u == UINT64_MAX);
}

static void doubles_survive_a_round_trip(void **state)
{
    (void)state;
    char text[TS_DOUBLE_TEXT_SIZE];
    for (uint64_t i = 0; i < 50000; i++) {
        uint64_t bits = ts_random_u64(3, 3, i);
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (i % 10 == 0)
            value = DBL_MIN * ts_random_uniform(3, 4, i); /* subnormal */
        if (!isfinite(value))
            continue;
        int length = ts_format_double(value, text);
        assert_int_equal(length, strlen(text));
        assert_true(ts_parse_double(text, &back));
        assert_true(same_bits(back, value));
    }
}

static void doubles_are_written_short(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } known[] = {
        {0, "0"},
        {-0.0, "-0"},
        {0.1, "0.1"},
        {1, "1"},
        {-2.5, "-2.5"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e21, "1e+21"},
        {100000, "100000"},
        {5e-324, "5e-324"},
        {1.0 / 3, "0.3333333333333333"},
        {(double)INFINITY, "inf"},
        {-(double)INFINITY, "-inf"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {(double)NAN, "nan"},
        {-DBL_MIN, "-2.2250738585072014e-308"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[TS_DOUBLE_TEXT_SIZE];
        ts_format_double(known[i].value, text);
        assert_string_equal(text, known[i].text);
    }
}

/* Where the decimal point is a comma. A machine may lack such a locale; the test then builds one if it can. */
static void the_locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"};
    const char *chosen = NULL;
    for (size_t i = 0; i < sizeof comma / sizeof *comma && !chosen; i++)
        chosen = setlocale(LC_ALL, comma[i]);
    if (!chosen) {
        if (system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >/dev/null 2>&1") == 0 && setenv("LOCPATH", ".", 1) == 0)
            chosen = setlocale(LC_ALL, "de_DE.UTF-8");
    }
    if (!chosen)
        skip();
    assert_string_equal(localeconv()->decimal_point, ",");
    char text[TS_DOUBLE_TEXT_SIZE];
    double value;
    assert_true(ts_parse_double("0.5", &value) && value == 0.5);
    assert_false(ts_parse_double("0,5", &value));
    ts_format_double(0.25, text);
    assert_string_equal(text, "0.25");
    snprintf(text, sizeof text, "%.2f", 0.25); /* the caller's locale is as it was */
    assert_string_equal(text, "0,25");
    setlocale(LC_ALL, "C");
}

static void distances_count_edits(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int distance;
    } known[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"kitten", "sitting", 3},
        {"friction", "fricton", 1},
        {"friction", "firction", 1},
        {"saturday", "sunday", 3},
        {"ca", "abc", 3}, /* optimal string alignment; the unrestricted distance would be 2 */
        {"gravity", "gravity", 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int d = known[i].distance;
        assert_int_equal(ts_edit_distance(known[i].a, known[i].b, 10), d);
        assert_int_equal(ts_edit_distance(known[i].b, known[i].a, 10), d); /* symmetric */
        for (int limit = 0; limit < 5; limit++)
            assert_int_equal(ts_edit_distance(known[i].a, known[i].b, limit), d <= limit ? d : limit + 1);
    }
    char wide[300];
    memset(wide, 'a', sizeof wide);
    wide[299] = 0;
    assert_int_equal(ts_edit_distance(wide, wide, 3), 0);
    assert_int_equal(ts_edit_distance(wide, "a", 3), 4);
}

static void limits_never_change_a_distance(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 3000; i++) {
        char name[2][9];
        for (int k = 0; k < 2; k++) {
            size_t length = ts_random_below(4, (uint64_t)k, 100 * i, 9);
            for (size_t j = 0; j < length; j++)
                name[k][j] = (char)('a' + ts_random_below(4, (uint64_t)k, 100 * i + 1 + j, 3));
            name[k][length] = 0;
        }
        int d = ts_edit_distance(name[0], name[1], 100);
        for (int limit = 0; limit < 9; limit++)
            assert_int_equal(ts_edit_distance(name[0], name[1], limit), d <= limit ? d : limit + 1);
    }
}

static void the_nearest_name_is_what_was_meant(void **state)
{
    (void)state;
    static const char *const key[] = {"friction", "restitution", "gravity", "time_step", "duration", "x", "dt"};
    size_t n = sizeof key / sizeof *key;
    assert_string_equal(ts_nearest_name("fricton", key, n), "friction");
    assert_string_equal(ts_nearest_name("Gravity", key, n), "gravity");
    assert_string_equal(ts_nearest_name("timestep", key, n), "time_step");
    assert_string_equal(ts_nearest_name("resitution", key, n), "restitution");
    assert_string_equal(ts_nearest_name("td", key, n), "dt");
    assert_null(ts_nearest_name("colour", key, n));
    assert_null(ts_nearest_name("y", key, n)); /* any letter is one edit from any other */
    assert_null(ts_nearest_name("", key, n));
    assert_null(ts_nearest_name("friction", key, 0));
}

static void paths_join_and_part(void **state)
{
    (void)state;
    char out[32];
    static const char *const joined[][3] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"", "b", "b"}, {".", "b", "b"}, {"a", "/b", "/b"}, {"/", "b", "/b"},
    };
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
        assert_int_equal(ts_path_join(joined[i][0], joined[i][1], out, sizeof out), strlen(joined[i][2]));
        assert_string_equal(out, joined[i][2]);
    }
    /* as dirname(1) says */
    static const char *const parted[][2] = {
        {"a/b/c", "a/b"}, {"c", "."}, {"/c", "/"}, {"a/b/", "a"}, {"/", "/"}, {"", "."}, {"a//b", "a"}, {"//a//", "/"},
    };
    for (size_t i = 0; i < sizeof parted / sizeof *parted; i++) {
        assert_int_equal(ts_path_folder(parted[i][0], out, sizeof out), strlen(parted[i][1]));
        assert_string_equal(out, parted[i][1]);
    }
    assert_string_equal(ts_path_name("a/b.json"), "b.json");
    assert_string_equal(ts_path_name("b.json"), "b.json");
    /* too small: cut, terminated, and the whole length told */
    assert_int_equal(ts_path_join("abc", "def", out, 4), 7);
    assert_string_equal(out, "abc");
    assert_int_equal(ts_path_join("", "def", out, 3), 3);
    assert_string_equal(out, "de");
    assert_int_equal(ts_path_folder("abc/def", out, 0), 3);
}

static void paths_that_leave_the_folder_are_found(void **state)
{
    (void)state;
    static const char *const inside[] = {"a",    "a/b.obj", "./a", "a/../b", "a/b/../../c",
                                         "a//b", "..a",     "...", "a/..",   "."};
    static const char *const outside[] = {"", "/a", "..", "../a", "a/../..", "a/../../b", "./../a", "a//..//..", "//a"};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        assert_true(ts_path_stays_inside(inside[i]));
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_false(ts_path_stays_inside(outside[i]));
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(numbers_are_read_exactly),
        cmocka_unit_test(what_is_not_a_number_is_refused),
        cmocka_unit_test(a_number_may_be_followed_by_a_unit),
        cmocka_unit_test(integers_are_read_to_their_limits),
        cmocka_unit_test(doubles_survive_a_round_trip),
        cmocka_unit_test(doubles_are_written_short),
        cmocka_unit_test(the_locale_changes_nothing),
        cmocka_unit_test(distances_count_edits),
        cmocka_unit_test(limits_never_change_a_distance),
        cmocka_unit_test(the_nearest_name_is_what_was_meant),
        cmocka_unit_test(paths_join_and_part),
        cmocka_unit_test(paths_that_leave_the_folder_are_found),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
