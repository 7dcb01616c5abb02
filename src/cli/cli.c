/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/format.h"
#include "cli/signals.h"
#include "dynamics/dynamics.h"
#include "touchstone/version.h"

/* ---- The table of commands ---- */

static const ts_command command_version, command_help;

static const ts_command *const command[] = {
    &ts_command_run,        &ts_command_check,   &ts_command_render,   &ts_command_measure, &ts_command_export,
    &ts_command_shape,      &ts_command_map,     &ts_command_manifold, &ts_command_study,   &ts_command_bench,
    &ts_command_desiderata, &ts_command_problem, &command_version,     &command_help,
};
enum { command_count = sizeof command / sizeof command[0] };

static const ts_command *find_command(const char *name)
{
    for (int i = 0; i < command_count; i++)
        if (strcmp(command[i]->name, name) == 0)
            return command[i];
    return NULL;
}

/* ---- Failures ---- */

ts_exit ts_exit_of(ts_status status)
{
    switch (status) {
    case TS_OK:
        return TS_EXIT_OK;
    case TS_BAD_INPUT:
    case TS_CORRUPT:
    case TS_UNSUPPORTED:
        return TS_EXIT_BAD_INPUT;
    default:
        return TS_EXIT_FAILED;
    }
}

/* The rest of a line that begins with `prefix`: wrapped for people, one line for programs that read it. */
static void print_sentence(const char *prefix, const char *text)
{
    if (ts_is_terminal(stderr))
        ts_print_wrapped(stderr, text, 0, ts_text_width(prefix));
    else
        fprintf(stderr, "%s\n", text);
}

static void print_error(const char *prefix, const char *text)
{
    bool colour = ts_has_colour(stderr);
    fflush(stdout); /* what was printed before the failure stands before it */
    fprintf(stderr, "%s%s%s", colour ? "\033[1;31m" : "", prefix, colour ? "\033[0m" : "");
    print_sentence(prefix, text);
}

ts_exit ts_cli_fail(const ts_error *error)
{
    char text[sizeof error->file + sizeof error->message + 64];
    ts_error_text(error, text, sizeof text);
    /* a place speaks for itself, and editors know how to jump to it */
    print_error(error->file[0] ? "" : "touchstone: ", text);
    return ts_exit_of(error->status);
}

ts_exit ts_cli_misuse(const ts_command *which, const ts_error *error)
{
    char prefix[64];
    snprintf(prefix, sizeof prefix, "touchstone %s: ", which->name);
    print_error(prefix, error->message);
    fprintf(stderr, "See `touchstone help %s`.\n", which->name);
    return TS_EXIT_BAD_INPUT;
}

void ts_cli_note(const char *format, ...)
{
    static const char prefix[] = "touchstone: ";
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs(prefix, stderr);
    print_sentence(prefix, text);
}

/* "there is no command 'rnu'; did you mean 'run'?" */
static ts_exit fail_unknown(const char *name)
{
    const char *candidate[command_count];
    for (int i = 0; i < command_count; i++)
        candidate[i] = command[i]->name;
    const char *nearest = ts_nearest_name(name, candidate, command_count);
    size_t length = strlen(name);

    ts_error error;
    if (name[0] == '-')
        ts_fail(&error, TS_BAD_INPUT, "the command comes before its options, as in `touchstone run SCENE %s`", name);
    else if (nearest && !ts_dynamics_find(name))
        ts_fail(&error, TS_BAD_INPUT, "there is no command '%s'; did you mean '%s'?", name, nearest);
    else if (length > 5 && strcmp(name + length - 5, ".json") == 0)
        ts_fail(&error, TS_BAD_INPUT, "there is no command '%s'; to simulate that scene: touchstone run %s", name,
                name);
    else if (ts_dynamics_find(name))
        ts_fail(&error, TS_BAD_INPUT, "'%s' is a kind of dynamics, not a command: docs/%s.md tells of it", name, name);
    else
        ts_fail(&error, TS_BAD_INPUT, "there is no command '%s'; `touchstone help` lists them", name);
    return ts_cli_fail(&error);
}

/* ---- Help ---- */

static void print_overview(FILE *stream)
{
    enum { column = 14 };
    fputs("Touchstone simulates contact: grains that fall, pile up, flow and jam.\n\n"
          "Usage: touchstone COMMAND [ARGUMENTS]\n\n",
          stream);
    for (int i = 0; i < command_count; i++) {
        char left[32];
        snprintf(left, sizeof left, "  %s", command[i]->name);
        ts_print_entry(stream, left, command[i]->summary, column);
    }
    fputs("\n"
          "`touchstone help COMMAND` tells more. A first run:\n\n"
          "  touchstone run scenes/drop.json\n"
          "  touchstone render out/drop\n\n"
          "Exit codes: 0 done and every claim holds, 1 the run failed, 2 bad input or\n"
          "usage, 3 a claim does not hold.\n",
          stream);
}

/* Each line of `lines` after `prefix`; the first line may have a prefix of its own. */
static void print_lines(FILE *stream, const char *first, const char *prefix, const char *name, const char *lines)
{
    for (const char *at = lines; at;) {
        const char *end = strchr(at, '\n');
        int length = end ? (int)(end - at) : (int)strlen(at);
        fprintf(stream, "%s%s%s%.*s\n", at == lines ? first : prefix, name, *name && length ? " " : "", length, at);
        at = end ? end + 1 : NULL;
    }
}

static void print_help(const ts_command *which, FILE *stream)
{
    char name[64];
    snprintf(name, sizeof name, "touchstone %s", which->name);
    print_lines(stream, "Usage: ", "       ", name, which->usage);
    fputs("\n", stream);
    ts_print_wrapped(stream, which->text, 0, 0);
    fputs("\nOptions:\n", stream);
    ts_options_help(which->table, stream);
    fputs("\nExample:\n", stream);
    print_lines(stream, "  ", "  ", "", which->example);
}

/* ---- help and version, too small for a file of their own ---- */

static ts_exit run_help(const void *values, const ts_operands *operands)
{
    (void)values;
    if (operands->count == 0) {
        print_overview(stdout);
        return TS_EXIT_OK;
    }
    const ts_command *which = find_command(operands->item[0]);
    if (!which)
        return fail_unknown(operands->item[0]);
    print_help(which, stdout);
    return TS_EXIT_OK;
}

static const ts_command command_help = {
    .name = "help",
    .usage = "[COMMAND]",
    .summary = "explain a command",
    .text = "Explains a command and its options, or lists the commands.",
    .example = "touchstone help run",
    .operand_most = 1,
    .run = run_help,
};

static ts_exit run_version(const void *values, const ts_operands *operands)
{
    (void)values, (void)operands;
    printf("touchstone %s\n", ts_version());
    return TS_EXIT_OK;
}

static const ts_command command_version = {
    .name = "version",
    .usage = "",
    .summary = "print the version",
    .text = "Prints the version of the program.",
    .example = "touchstone version",
    .run = run_version,
};

/* ---- Running a command ---- */

static ts_exit run_command(const ts_command *which, int argc, char **argv, ts_arena *arena)
{
    ts_error error;
    ts_operands operands;
    void *values = ts_arena_alloc(arena, 1, which->size + 1);
    if (!values) {
        ts_fail_memory(&error, which->size + 1);
        return ts_cli_fail(&error);
    }
    if (which->size)
        memcpy(values, which->defaults, which->size);
    ts_status status = ts_options_parse(which->table, argc, argv, values, &operands, arena, &error);
    if (status == TS_OK && operands.help) {
        print_help(which, stdout);
        return TS_EXIT_OK;
    }
    if (status == TS_OK && operands.count > which->operand_most)
        status = ts_fail(&error, TS_BAD_INPUT, "'%s' is one argument too many", operands.item[which->operand_most]);
    if (status == TS_OK && which->check)
        status = which->check(values, &operands, &error);
    if (status == TS_OK && which->missing && operands.count == 0)
        status = ts_fail(&error, TS_BAD_INPUT, "%s", which->missing);
    if (status != TS_OK)
        return ts_cli_misuse(which, &error);
    if (which->run)
        return which->run(values, &operands);
    ts_signals old;
    if (which->stoppable)
        ts_signals_catch(&old);
    status = which->act(values, operands.count ? operands.item[0] : NULL, &error);
    if (which->stoppable)
        ts_signals_release(&old);
    return status == TS_OK ? TS_EXIT_OK : ts_cli_fail(&error);
}

/* Standard streams that the caller has closed lead nowhere, instead of into the first files that are opened. */
static void open_standard_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
            return; /* files of the library are kept apart all the same */
}

ts_exit ts_cli_main(int argc, char **argv)
{
    open_standard_streams();
    if (argc < 2) {
        print_overview(stderr);
        return TS_EXIT_BAD_INPUT;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    const ts_command *which = find_command(name);
    if (!which)
        return fail_unknown(name);

    /* a file that hits the size limit is a failed write with a message, not the end of the program */
    signal(SIGXFSZ, SIG_IGN);

    ts_arena arena = {0};
    ts_exit code = run_command(which, argc - 2, argv + 2, &arena);
    ts_arena_free(&arena);

    /* a result that did not arrive is no success */
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == TS_EXIT_OK) {
        ts_error error;
        ts_fail(&error, TS_IO, "cannot write to standard output: %s", strerror(errno ? errno : EIO));
        code = ts_cli_fail(&error);
    }
    return code;
}
