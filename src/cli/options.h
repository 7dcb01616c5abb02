/* SPDX-License-Identifier: MIT */
/* Options from the command line, driven by a table.
 *
 *     typedef struct options { const char *out; bool force; ts_texts set; } options;
 *     static const ts_option option[] = {
 *         TS_TEXT("out", 'o', "DIR", out, "record here"),
 *         TS_FLAG("force", 0, force, "replace what is there"),
 *         TS_TEXTS("set", 0, "PATH=VALUE", set, "change a value of the scene; may be repeated"),
 *     };
 *
 * The table is all there is: parsing, the help text and the suggestions for a mistyped name come from it. Options
 * and operands may be mixed; `--name value`, `--name=value`, `-n value` and `-nvalue` are the same; `--` ends the
 * options. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"

typedef enum ts_option_kind {
    TS_OPTION_FLAG,   /* bool; takes no argument */
    TS_OPTION_TEXT,   /* const char * */
    TS_OPTION_TEXTS,  /* ts_texts: every use adds one */
    TS_OPTION_COUNT,  /* uint64_t */
    TS_OPTION_NUMBER, /* double, finite */
    TS_OPTION_WALL,   /* double, seconds of wall time: 90, 90s, 10m, 2h */
    TS_OPTION_CHOICE  /* int: index of one of `choice` */
} ts_option_kind;

typedef struct ts_texts {
    const char **item; /* borrowed from argv; the array is the arena's */
    size_t count;
} ts_texts;

typedef struct ts_option {
    const char *name;     /* without dashes */
    const char *argument; /* as the help names it; NULL for a flag */
    const char *help;     /* one or two sentences without a full stop at the end */
    char letter;          /* short form, or 0 */
    ts_option_kind kind;  /* what stands at `offset` */
    size_t offset;        /* of the value in the struct of values */
    const char *choice;   /* TS_OPTION_CHOICE: "type|speed|force" */
    const char *without;  /* what the option means when no argument follows it; NULL: an error */
    uint64_t least, most; /* TS_OPTION_COUNT: allowed range; most 0: no limit */
} ts_option;

/* Rows of a table. The struct of values is named `options` in the file that holds the table. */
#define TS_ROW_(name_, letter_, argument_, kind_, field_, help_)                    \
    .name = (name_), .letter = (letter_), .argument = (argument_), .kind = (kind_), \
    .offset = offsetof(options, field_), .help = (help_)
/* clang-format off */
#define TS_FLAG(name, letter, field, help) {TS_ROW_(name, letter, NULL, TS_OPTION_FLAG, field, help)}
#define TS_TEXT(name, letter, argument, field, help) {TS_ROW_(name, letter, argument, TS_OPTION_TEXT, field, help)}
#define TS_TEXTS(name, letter, argument, field, help) {TS_ROW_(name, letter, argument, TS_OPTION_TEXTS, field, help)}
#define TS_NUMBER(name, letter, argument, field, help) {TS_ROW_(name, letter, argument, TS_OPTION_NUMBER, field, help)}
#define TS_WALL(name, letter, argument, field, help) {TS_ROW_(name, letter, argument, TS_OPTION_WALL, field, help)}
#define TS_COUNT(name, letter, argument, lo, hi, field, help) \
    {TS_ROW_(name, letter, argument, TS_OPTION_COUNT, field, help), .least = (lo), .most = (hi)}
#define TS_CHOICE(name, letter, argument, words, field, help) \
    {TS_ROW_(name, letter, argument, TS_OPTION_CHOICE, field, help), .choice = (words)}
/* The same options everywhere. */
#define TS_JSON_OPTION(field, help) \
    {TS_ROW_("json", 0, "FILE", TS_OPTION_TEXT, field, help "; '-' is standard output"), .without = "-"}
/* clang-format on */
#define TS_THREADS_OPTION(field) \
    TS_COUNT("threads", 't', "N", 1, TS_POOL_THREADS_MAX, field, "threads (default: one a core)")
#define TS_QUIET_OPTION(field, help) TS_FLAG("quiet", 'q', field, help)

typedef struct ts_option_table {
    const ts_option *option;
    size_t count;
} ts_option_table;

/* What stood on the command line besides the values. */
typedef struct ts_operands {
    const char **item; /* borrowed from argv; the array is the arena's */
    size_t count;
    bool help; /* --help or -h was among the options; parsing ended there */
} ts_operands;

/* Reads argv[0 … argc-1] (no program name among them). `values` holds the defaults before and the values after; on
 * failure it may be half filled. Memory for lists comes from the arena. */
ts_status ts_options_parse(ts_option_table table, int argc, char **argv, void *values, ts_operands *operands,
                           ts_arena *arena, ts_error *error);

/* The part of a help text that lists the options, in at most 80 columns. */
void ts_options_help(ts_option_table table, FILE *stream);

/* "90", "90s", "10m", "1.5h" → seconds; false when the text is none of these, negative or not finite. */
bool ts_parse_wall(const char *text, double *seconds);
