/* SPDX-License-Identifier: MIT */
/* The command line: what GNU programs taught users to expect, and errors that name the remedy. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/options.h"

typedef struct options {
    bool force;
    const char *out, *json;
    ts_texts set;
    uint64_t threads;
    double speed, wall;
    int colour;
} options;

static const ts_option option[] = {
    TS_FLAG("force", 'f', force, "replace"),
    TS_TEXT("out", 'o', "DIR", out, "where"),
    TS_TEXTS("set", 's', "PATH=VALUE", set, "change a value"),
    TS_COUNT("threads", 't', "N", 1, 64, threads, "how many"),
    TS_NUMBER("speed", 0, "X", speed, "how fast"),
    TS_WALL("wall-limit", 0, "TIME", wall, "how long"),
    TS_CHOICE("colour", 'c', "WHAT", "type|speed|force", colour, "what colours mean"),
    TS_JSON_OPTION(json, "write"),
};
static const ts_option_table table = {option, sizeof option / sizeof option[0]};

typedef struct parsed {
    options value;
    ts_operands operands;
    ts_arena arena;
    ts_error error;
    ts_status status;
} parsed;

/* Parses words that are separated by spaces. */
static parsed *parse(const char *line)
{
    static parsed p;
    static char words[512];
    char *argv[32];
    int argc = 0;
    ts_arena_free(&p.arena);
    p = (parsed){.value = {.threads = 7}};
    strcpy(words, line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "''") == 0 ? (char *)"" : word;
    p.status = ts_options_parse(table, argc, argv, &p.value, &p.operands, &p.arena, &p.error);
    return &p;
}

static void forms_are_equivalent(void **state)
{
    (void)state;
    static const char *const line[] = {"--out dir", "--out=dir", "-o dir", "-odir", "x --out dir", "--out dir x"};
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++) {
        const parsed *p = parse(line[i]);
        assert_int_equal(p->status, TS_OK);
        assert_string_equal(p->value.out, "dir");
        assert_int_equal(p->operands.count, i >= 4);
    }
}

static void defaults_stay_and_values_arrive(void **state)
{
    (void)state;
    const parsed *p = parse("scene");
    assert_int_equal(p->value.threads, 7);
    assert_null(p->value.out);
    assert_false(p->value.force);
    assert_string_equal(p->operands.item[0], "scene");

    p = parse("-f --set a=1 -s b=2 --set=c=3 -t 12 --speed -2.5e3 --wall-limit 1.5h --colour force");
    assert_int_equal(p->status, TS_OK);
    assert_true(p->value.force);
    assert_int_equal(p->value.set.count, 3);
    assert_string_equal(p->value.set.item[0], "a=1");
    assert_string_equal(p->value.set.item[1], "b=2");
    assert_string_equal(p->value.set.item[2], "c=3");
    assert_int_equal(p->value.threads, 12);
    assert_true(p->value.speed == -2500);
    assert_true(p->value.wall == 5400);
    assert_int_equal(p->value.colour, 2);
}

static void dashes(void **state)
{
    (void)state;
    const parsed *p = parse("--json - -- --out -f");
    assert_int_equal(p->status, TS_OK);
    assert_string_equal(p->value.json, "-");
    assert_int_equal(p->operands.count, 2);
    assert_string_equal(p->operands.item[0], "--out");
    assert_false(p->value.force);
    /* an option that may stand alone */
    p = parse("scene --json");
    assert_string_equal(p->value.json, "-");
    p = parse("--json --force");
    assert_string_equal(p->value.json, "-");
    assert_true(p->value.force);
    /* a number below 0 is an operand */
    p = parse("-0.5 -f -3 -1e-3 --speed -2");
    assert_int_equal(p->status, TS_OK);
    assert_int_equal(p->operands.count, 3);
    assert_string_equal(p->operands.item[1], "-3");
    assert_true(p->value.force && p->value.speed == -2);
    assert_int_equal(parse("-5x")->status, TS_BAD_INPUT);
    /* a lone dash is an operand */
    p = parse("-");
    assert_int_equal(p->operands.count, 1);
    /* help ends everything, even before an error */
    p = parse("--force --help --nonsense");
    assert_int_equal(p->status, TS_OK);
    assert_true(p->operands.help);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } bad[] = {
        {"--thread 3", "'--threads'"},
        {"--outt=x", "'--out'"},
        {"--wall 3", "'--wall-limit'"}, /* how it begins */
        {"--nonsense", "'--nonsense'"},
        {"-x", "'-x'"},
        {"-out dir", "'--out'"},
        {"--out", "--out DIR"},
        {"--out --force", "--out DIR"},
        {"--out -f", "--out DIR"},
        {"--out ''", "empty"},
        {"--force=1", "no argument"},
        {"--threads 0", "at least 1"},
        {"--threads 65", "at most 64"},
        {"--threads 3.5", "whole number"},
        {"--threads 99999999999999999999", "whole number"},
        {"--speed fast", "a number"},
        {"--speed nan", "a number"},
        {"--speed 1e999", "a number"},
        {"--wall-limit 3x", "90s"},
        {"--wall-limit -3", "90s"},
        {"--colour sped", "'speed'"},
        {"--colour zebra", "type|speed|force"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const parsed *p = parse(bad[i].line);
        if (p->status != TS_BAD_INPUT || !strstr(p->error.message, bad[i].says))
            fail_msg("%s: status %d, \"%s\"", bad[i].line, p->status, p->status ? p->error.message : "");
    }
}

static void wall_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"0", 0}, {"90", 90}, {"90s", 90}, {"0.25s", 0.25}, {"10m", 600}, {"2h", 7200}, {"1d", 86400}};
    static const char *const bad[] = {"", "s", "-1", "1 s", "1ms", "1hh", "inf", "nan", "1e308d"};
    double seconds;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(ts_parse_wall(good[i].text, &seconds));
        assert_true(seconds == good[i].seconds);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (ts_parse_wall(bad[i], &seconds))
            fail_msg("'%s' was read as %g s", bad[i], seconds);
}

static int release(void **state)
{
    (void)state;
    parse("");
    return 0;
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(forms_are_equivalent),
        cmocka_unit_test(defaults_stay_and_values_arrive),
        cmocka_unit_test(dashes),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(wall_times),
    };
    return cmocka_run_group_tests(test, NULL, release);
}
