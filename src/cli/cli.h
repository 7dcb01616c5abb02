/* SPDX-License-Identifier: MIT */
/* The program `touchstone`: a table of commands.
 *
 * A command is one file: its options, its help text and the function that does it, gathered in one ts_command. The
 * table in cli.c is the only place that knows them all; what a command shows of itself (help, overview, suggestions for
 * a mistyped word) is made from its row.
 *
 *     main ─▶ ts_cli_main: find the command ─▶ parse its options over its defaults ─▶ command->check ─▶ act or run
 *
 * Results go to standard output, progress and errors to standard error. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "cli/options.h"

/* What the program's exit code tells. */
typedef enum ts_exit {
    TS_EXIT_OK = 0,        /* done, and every claim holds */
    TS_EXIT_FAILED = 1,    /* the run failed, or was interrupted */
    TS_EXIT_BAD_INPUT = 2, /* a scene, a file or the command line is wrong */
    TS_EXIT_CLAIM = 3      /* a claim does not hold */
} ts_exit;

typedef struct ts_command {
    const char *name;
    const char *usage;   /* what follows "touchstone <name>"; several forms are separated by '\n' */
    const char *summary; /* one line */
    const char *text;    /* what a user needs to know besides the options; paragraphs separated by "\n\n" */
    const char *example; /* complete command lines, separated by '\n' */
    ts_option_table table;
    const void *defaults; /* of the struct of values */
    size_t size;          /* of it */
    size_t operand_most;  /* operands that it takes at most */
    const char *missing;  /* what is said when there is none; NULL: none is needed */

    /* Refuses a command line that makes no sense; may be NULL. */
    ts_status (*check)(const void *values, const ts_operands *operands, ts_error *error);
    /* Does it, with the first operand (NULL: there is none); `stoppable`: Ctrl-C only leaves a note meanwhile. */
    ts_status (*act)(const void *values, const char *operand, ts_error *error);
    bool stoppable;
    /* Instead of act, for those that need all operands or have exit codes of their own. */
    ts_exit (*run)(const void *values, const ts_operands *operands);
} ts_command;

/* What a row says of its options: their table, and the struct of default values. */
#define TS_OPTIONS(option, values) \
    .table = {option, sizeof(option) / sizeof *(option)}, .defaults = &(values), .size = sizeof(values)

extern const ts_command ts_command_run;        /* run.c */
extern const ts_command ts_command_check;      /* check.c */
extern const ts_command ts_command_render;     /* render.c */
extern const ts_command ts_command_measure;    /* measure.c */
extern const ts_command ts_command_export;     /* export.c */
extern const ts_command ts_command_shape;      /* shape.c */
extern const ts_command ts_command_map;        /* map.c */
extern const ts_command ts_command_manifold;   /* manifold.c */
extern const ts_command ts_command_study;      /* study.c */
extern const ts_command ts_command_bench;      /* study.c */
extern const ts_command ts_command_desiderata; /* desiderata.c */
extern const ts_command ts_command_problem;    /* problem.c */

/* The whole program. argv[0] is its name. */
ts_exit ts_cli_main(int argc, char **argv);

/* ---- For the commands ---- */

/* The exit code that a failed call amounts to. */
ts_exit ts_exit_of(ts_status status);
/* Prints a failure to standard error, `file:line:column: message` when the place is known, and returns its exit code.
 * */
ts_exit ts_cli_fail(const ts_error *error);
/* The same for a failure of the command line itself, with a pointer to the command's help. */
ts_exit ts_cli_misuse(const ts_command *which, const ts_error *error);
/* One line to standard error: "touchstone: …". */
void ts_cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
