/* SPDX-License-Identifier: MIT */
/* touchstone export: what was recorded, for other programs. */
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/places.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "cli/signals.h"
#include "record/export_csv.h"
#include "record/runfolder.h"

typedef struct options {
    int format;
    const char *what, *columns, *frames, *out;
    bool list, quiet;
} options;

static const options defaults = {.what = "bodies", .out = "-"};

static const ts_option option[] = {
    TS_CHOICE("format", 0, "FORMAT", "csv", format, "csv (default)"),
    TS_TEXT("what", 'w', "WHAT", what, "bodies (default), contacts, boundaries, discs, frames or energies"),
    TS_TEXT("columns", 'c', "NAMES", columns, "these columns only, in this order: names with commas between them"),
    TS_TEXT(
        "frames", 0, "A:B[:N]", frames,
        "frames from A up to, but without, B, each N-th of them; each may be left out, negative ones count from the "
        "end, and A alone is one frame"),
    TS_TEXT("out", 'o', "FILE", out, "write here (default: '-', standard output)"),
    TS_FLAG("list", 'l', list, "list the columns of WHAT, export nothing"),
    TS_QUIET_OPTION(quiet, "no progress"),
};

static const char energies[] = "energies";

/* ---- Ranges ---- */

typedef struct range {
    uint64_t first, count, every;
} range;

/* One bound of a range of `total` items: negative counts from the end, cut to 0 … total. */
static uint64_t bound(int64_t value, uint64_t total)
{
    if (value < 0)
        return (uint64_t)-value > total ? 0 : total - (uint64_t)-value;
    return (uint64_t)value > total ? total : (uint64_t)value;
}

/* A:B:N as in Python. */
static ts_status read_range(const char *text, uint64_t total, range *out, ts_error *error)
{
    int64_t value[3] = {0, (int64_t)total, 1};
    char part[3][32];
    int count = 0;
    *out = (range){0, total, 1};
    if (!text)
        return TS_OK;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ":");
        bool fits = count < 3 && length < sizeof part[0];
        if (fits)
            snprintf(part[count], sizeof part[0], "%.*s", (int)length, at);
        if (!fits || (length && !ts_parse_int64(part[count], &value[count])) || (value[2] < 1))
            return ts_fail(error, TS_BAD_INPUT, "--frames is '%s', but must be as in 10:20, 10:, ::5 or -1", text);
        count++;
        at += length;
        if (!*at)
            break;
    }
    uint64_t a = bound(value[0], total), b = count == 1 ? a + 1 : bound(value[1], total);
    if (a >= b || a >= total)
        return ts_fail(error, TS_BAD_INPUT, "--frames %s chooses nothing: the run has %s, from 0", text,
                       ts_show_counted(total, "frame").text);
    *out = (range){a, b - a, (uint64_t)value[2]};
    return TS_OK;
}

/* ---- Energies: a table already, of which columns and rows are chosen ---- */

enum { columns_max = 64 };
static const size_t table_most = (size_t)1 << 30; /* bytes of an energies.csv that we hold in memory */

/* Cuts a line at its commas, in place. */
static size_t split(char *line, char *cell[columns_max])
{
    size_t count = 0;
    for (char *at = line; at && count < columns_max;) {
        cell[count++] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = 0;
    }
    return count;
}

static ts_status choose_columns(const char *wish, char *const *name, size_t name_count, size_t chosen[columns_max],
                                size_t *count, ts_error *error)
{
    *count = 0;
    for (size_t i = 0; !wish && i < name_count; i++)
        chosen[(*count)++] = i;
    for (const char *at = wish; at;) {
        char one[64];
        size_t length = strcspn(at, ","), i = 0;
        snprintf(one, sizeof one, "%.*s", (int)(length < sizeof one ? length : sizeof one - 1), at);
        while (i < name_count && strcmp(name[i], one) != 0)
            i++;
        if (i == name_count || *count == columns_max) {
            const char *near = ts_nearest_name(one, (const char *const *)name, name_count);
            if (near)
                return ts_fail(error, TS_BAD_INPUT, "energies have no column '%s'; did you mean '%s'?", one, near);
            return ts_fail(error, TS_BAD_INPUT, "energies have no column '%s'; --list names them", one);
        }
        chosen[(*count)++] = i;
        at = at[length] ? at + length + 1 : NULL;
    }
    return TS_OK;
}

static void write_row(FILE *stream, char *const *cell, size_t cell_count, const size_t *chosen, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%s", i ? "," : "", chosen[i] < cell_count ? cell[chosen[i]] : "");
    fputs("\n", stream);
}

/* Whole lines of `text`; a torn one at the end is cut off. */
static uint64_t count_lines(char *text, size_t length)
{
    uint64_t lines = 0;
    size_t end = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n') {
            lines++;
            end = i + 1;
        }
    text[end] = 0;
    return lines;
}

static ts_status export_rows(const options *given, char *text, size_t length, FILE *stream, ts_error *error)
{
    char *name[columns_max], *cell[columns_max];
    size_t chosen[columns_max], count;
    uint64_t lines = count_lines(text, length);
    range rows;
    if (lines == 0)
        return ts_fail(error, TS_CORRUPT, "%s has no line of names; run the scene again", TS_RUN_ENERGIES);
    char *line = text, *next = strchr(line, '\n');
    *next++ = 0;
    size_t names = split(line, name);
    TS_TRY(choose_columns(given->columns, name, names, chosen, &count, error));
    TS_TRY(read_range(given->frames, lines - 1, &rows, error));

    write_row(stream, name, names, chosen, given->list ? names : count);
    for (uint64_t row = 0; !given->list && row < rows.first + rows.count; row++) {
        line = next;
        next = strchr(line, '\n');
        *next++ = 0;
        if (row >= rows.first && (row - rows.first) % rows.every == 0)
            write_row(stream, cell, split(line, cell), chosen, count);
    }
    return TS_OK;
}

static ts_status export_energies(const options *given, const char *run, FILE *stream, ts_error *error)
{
    char path[ts_cli_path_size], *text;
    size_t length;
    TS_TRY(ts_run_path(run, TS_RUN_ENERGIES, path, sizeof path, error));
    if (!ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "'%s' holds no %s; give the folder that `touchstone run` wrote", run,
                       TS_RUN_ENERGIES);
    TS_TRY(ts_file_read(path, table_most, &text, &length, error));
    ts_status status = export_rows(given, text, length, stream, error);
    ts_free(text);
    return status;
}

/* ---- Everything else comes from the trajectory ---- */

static bool report(void *context, uint64_t done, uint64_t total)
{
    ts_progress *progress = context;
    double now = ts_clock_seconds();
    progress->total = (double)total;
    if (done < total && ts_progress_due(progress, now))
        ts_progress_show(progress, (double)done, "frames", now);
    return !ts_stop_requested();
}

static ts_status export_trajectory(const options *given, const char *run, FILE *stream, ts_error *error)
{
    char folder[ts_cli_path_size];
    ts_trajectory *reader;
    range frames;
    TS_TRY(ts_cli_open_run(run, folder, &reader, error));
    ts_cli_note_torn(reader);
    ts_status status = read_range(given->frames, ts_trajectory_frame_count(reader), &frames, error);
    if (status == TS_OK) {
        ts_progress progress;
        ts_export_options wish = {.quantity = given->what,
                                  .columns = given->columns,
                                  .first = frames.first,
                                  .count = frames.count,
                                  .every = frames.every};
        /* text on a terminal and a bar on the same terminal do not mix */
        bool silent = given->quiet || (stream == stdout && ts_is_terminal(stdout));
        ts_progress_begin(&progress, stderr, silent, 0, 1, ts_clock_seconds());
        status = ts_export_csv(reader, &wish, stream, report, &progress, error);
        ts_progress_clear(&progress);
    }
    ts_trajectory_close(reader);
    return status;
}

/* The columns of something from the trajectory, with commas between them. */
static ts_status find_columns(const char *what, char *text, size_t capacity, ts_error *error)
{
    if (ts_export_columns(what, text, capacity) > 0)
        return TS_OK;
    char all[256];
    const char *candidate[16];
    size_t count = 0;
    snprintf(all, sizeof all, "%s, %s", ts_export_quantities(), energies);
    char *rest;
    for (char *one = strtok_r(all, ", ", &rest); one && count < 16; one = strtok_r(NULL, ", ", &rest))
        candidate[count++] = one;
    const char *near = ts_nearest_name(what, candidate, count);
    if (near)
        return ts_fail(error, TS_BAD_INPUT, "--what is '%s'; did you mean '%s'?", what, near);
    return ts_fail(error, TS_BAD_INPUT, "--what is '%s', but must be one of %s, %s", what, ts_export_quantities(),
                   energies);
}

static ts_status export_all(const options *given, const char *run, ts_error *error)
{
    bool table = strcmp(given->what, energies) == 0;
    char columns[2048];
    if (!table)
        TS_TRY(find_columns(given->what, columns, sizeof columns, error));
    if (given->list && !table) {
        puts(columns);
        return TS_OK;
    }
    TS_TRY(ts_cli_check_file("out", given->out, NULL, error));
    ts_status (*work)(const options *, const char *, FILE *, ts_error *) = table ? export_energies : export_trajectory;
    if (strcmp(given->out, "-") == 0)
        return work(given, run, stdout, error);

    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, given->out, error));
    ts_status status = work(given, run, draft.stream, error);
    if (status == TS_OK)
        return ts_draft_commit(&draft, error);
    ts_draft_discard(&draft);
    return status;
}

static ts_exit run(const void *values, const ts_operands *operands)
{
    ts_error error;
    if (operands->count == 0) {
        ts_fail(&error, TS_BAD_INPUT, "which run? Give the folder that `touchstone run` wrote");
        return ts_cli_misuse(&ts_command_export, &error);
    }
    ts_signals old;
    ts_signals_catch(&old);
    ts_status status = export_all(values, operands->item[0], &error);
    ts_signals_release(&old);
    return status == TS_OK ? TS_EXIT_OK : ts_cli_fail(&error);
}

const ts_command ts_command_export = {
    .name = "export",
    .usage = "RUN [OPTIONS]",
    .summary = "write what was recorded as CSV",
    .text =
        "Writes what a run recorded, one row for each frame and body (or contact, boundary, disc). Names of columns "
        "carry their units; numbers read back as the same bits.",
    .example = "touchstone export out/drum --frames -1 --out last.csv\n"
               "touchstone export out/drum --what energies --columns time_s,total_J\n"
               "touchstone export out/drum --what contacts --list",
    .table = {option, sizeof option / sizeof option[0]},
    .defaults = &defaults,
    .size = sizeof defaults,
    .operand_most = 1,
    .run = run,
};
