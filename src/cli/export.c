/* SPDX-License-Identifier: MIT */
/* touchstone export: what was recorded, for other programs. */
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/places.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "cli/runs.h"
#include "cli/signals.h"
#include "record/export.h"
#include "record/runfolder.h"
#include "study/output.h"

typedef struct options {
    int format; /* of ts_export_format, or unset */
    const char *what, *columns, *frames, *out;
    double depth, tolerance;
    bool list, points, contacts, quiet;
} options;

enum { unset = -1 };
static const options defaults = {.format = unset, .depth = -1};

static const ts_option option[] = {
    /* in the order of ts_export_format */
    TS_CHOICE("format", 0, "FORMAT", "csv|vtk|lammps|glb|usda|svg", format,
              "csv, vtk, lammps, glb, usda or svg (default: what the name after --out ends in, else csv)"),
    TS_TEXT("out", 'o', "FILE", out,
            "write here: NAME.csv, .pvd, .lammpstrj, .glb, .usda or .svg; csv and svg also to '-', standard output "
            "(default of csv)"),
    TS_TEXT(
        "frames", 0, "A:B[:N]", frames,
        "frames from A up to, but without, B, each N-th of them; each may be left out, negative ones count from the "
        "end, and A alone is one frame"),
    TS_TEXT("what", 'w', "WHAT", what,
            "csv: bodies (default), contacts, walls, discs (of the plane), frames or energies"),
    TS_TEXT("columns", 'c', "NAMES", columns, "csv: these columns only, in this order: names with commas between them"),
    TS_FLAG("list", 'l', list, "csv: list the columns of WHAT, export nothing; without a run those of plane and space"),
    TS_NUMBER("depth", 0, "LENGTH", depth,
              "glb, usda, lammps: thickness of grains in metres, 0 for flat ones (default: half of the mean radius)"),
    TS_NUMBER("tolerance", 0, "SHARE", tolerance,
              "how far straight edges may lie from a curve, as a share of the grain's radius (default: 0.004)"),
    TS_FLAG("points", 0, points, "vtk: one point a body instead of its outline, for very many bodies"),
    TS_FLAG("contacts", 0, contacts,
            "svg: draw contacts too, as wide as their force; glb: as lines along their normals; vtk: a file of points, "
            "too"),
    TS_QUIET_OPTION(quiet, "no progress, and no line on what was written"),
};

static const char energies[] = "energies";

static const char *what_of(const options *given)
{
    return given->what ? given->what : "bodies";
}

/* ---- Energies: a table already, of which columns and rows are chosen ---- */

enum { columns_max = 128 };
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
    ts_range rows;
    if (lines == 0)
        return ts_fail(error, TS_CORRUPT, "%s has no line of names; run the scene again", TS_RUN_ENERGIES);
    char *line = text, *next = strchr(line, '\n');
    *next++ = 0;
    size_t names = split(line, name);
    TS_TRY(choose_columns(given->columns, name, names, chosen, &count, error));
    TS_TRY(ts_range_read(given->frames, lines - 1, &rows, error));

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

static ts_status export_table(const options *given, const char *run, FILE *stream, ts_error *error)
{
    char folder[ts_cli_path_size];
    TS_AUTO(ts_trajectory_close_at) ts_trajectory *reader = NULL;
    ts_range frames;
    ts_progress progress;
    TS_TRY(ts_cli_open_run(run, folder, &reader, error));
    ts_cli_note_torn(reader);
    TS_TRY(ts_range_read(given->frames, ts_trajectory_frame_count(reader), &frames, error));
    ts_export_options wish = {.quantity = what_of(given),
                              .columns = given->columns,
                              .first = frames.first,
                              .count = frames.count,
                              .every = frames.every};
    /* text on a terminal and a bar on the same terminal do not mix */
    bool silent = given->quiet || (stream == stdout && ts_is_terminal(stdout));
    ts_progress_begin(&progress, stderr, silent, 0, 1, ts_clock_seconds());
    ts_status status = ts_export_csv(reader, &wish, stream, report, &progress, error);
    ts_progress_clear(&progress);
    return status;
}

/* Of a run; the plane where it cannot be read. */
static const ts_record_kind *kind_of(const char *run)
{
    char folder[ts_cli_path_size];
    TS_AUTO(ts_trajectory_close_at) ts_trajectory *reader = NULL;
    return ts_cli_open_run(run, folder, &reader, NULL) == TS_OK ? ts_trajectory_get_header(reader)->kind
                                                                : &ts_record_plane;
}

/* The columns of something from the trajectory, with commas between them. */
static ts_status find_columns(const char *what, const ts_record_kind *kind, char *text, size_t capacity,
                              ts_error *error)
{
    if (ts_export_columns(what, kind, text, capacity) > 0)
        return TS_OK;
    char all[256];
    const char *candidate[16];
    size_t count = 0;
    snprintf(all, sizeof all, "%s, %s", kind->quantities, energies);
    char *rest;
    for (char *one = strtok_r(all, ", ", &rest); one && count < 16; one = strtok_r(NULL, ", ", &rest))
        candidate[count++] = one;
    const char *near = ts_nearest_name(what, candidate, count);
    if (near)
        return ts_fail(error, TS_BAD_INPUT, "--what is '%s'; did you mean '%s'?", what, near);
    return ts_fail(error, TS_BAD_INPUT, "--what is '%s', but must be one of %s, %s", what, kind->quantities, energies);
}

/* What was written, and where; nothing of what went to standard output. */
static void tell(const options *given, const char *out, ts_export_made made, bool frames_apart)
{
    char text[2 * ts_cli_path_size + 128];
    if (given->quiet || !given->out || strcmp(given->out, "-") == 0)
        return;
    int used = snprintf(text, sizeof text, "%s: %s, %s", out, ts_show_counted(made.files, "file").text,
                        ts_show_bytes((double)made.bytes).text);
    size_t length = strlen(out);
    if (length > 4 && strcmp(out + length - 4, ".pvd") == 0)
        length -= 4;
    if (frames_apart)
        snprintf(text + used, sizeof text - (size_t)used, ", frames in %.*s/", (int)length, out);
    ts_print_wrapped(stdout, text, 0, 0);
}

/* Without a run: those of both dimensions, where something is in both. */
static ts_status list_columns(const char *what, ts_error *error)
{
    char columns[2048];
    TS_TRY(find_columns(what, &ts_record_plane, columns, sizeof columns, error)); /* the plane has all that space has */
    printf("plane: %s\n", columns);
    if (ts_export_columns(what, &ts_record_space, columns, sizeof columns) > 0)
        printf("space: %s\n", columns);
    return TS_OK;
}

static ts_status export_csv(const options *given, const char *run, ts_error *error)
{
    const char *what = what_of(given), *out = given->out ? given->out : "-";
    bool table = strcmp(what, energies) == 0;
    char columns[2048];
    if (!run)
        return list_columns(what, error);
    if (!table)
        TS_TRY(find_columns(what, kind_of(run), columns, sizeof columns, error));
    if (given->list && !table) {
        puts(columns);
        return TS_OK;
    }
    TS_TRY(ts_cli_check_file("out", out, NULL, error));
    ts_status (*work)(const options *, const char *, FILE *, ts_error *) = table ? export_energies : export_table;
    if (strcmp(out, "-") == 0)
        return work(given, run, stdout, error);

    TS_AUTO(ts_draft_discard) ts_draft draft = {0};
    TS_TRY(ts_draft_open(&draft, out, error));
    TS_TRY(work(given, run, draft.stream, error));
    ts_export_made made = {1, (uint64_t)ftello(draft.stream)};
    TS_TRY(ts_draft_commit(&draft, error));
    tell(given, out, made, false);
    return TS_OK;
}

/* ---- Scenes for other programs ---- */

/* Options that mean nothing to a format are mistakes. */
static ts_status check_options(const options *given, ts_export_format format, ts_error *error)
{
    bool csv = format == TS_EXPORT_CSV, solid = format == TS_EXPORT_GLB || format == TS_EXPORT_USDA;
    const struct {
        const char *name;
        bool given, allowed;
    } use[] = {
        {"what", given->what != NULL, csv},
        {"columns", given->columns != NULL, csv},
        {"list", given->list, csv},
        {"depth", given->depth != defaults.depth, solid || format == TS_EXPORT_LAMMPS},
        {"tolerance", given->tolerance != 0, !csv && format != TS_EXPORT_SVG},
        {"points", given->points, format == TS_EXPORT_VTK},
        {"contacts", given->contacts, format == TS_EXPORT_SVG || format == TS_EXPORT_VTK || format == TS_EXPORT_GLB},
    };
    for (size_t i = 0; i < sizeof use / sizeof *use; i++)
        if (use[i].given && !use[i].allowed)
            return ts_fail(error, TS_BAD_INPUT, "--%s has no meaning for %s; leave it out or choose another --format",
                           use[i].name, ts_export_format_name(format));
    if (given->depth != defaults.depth && given->depth < 0)
        return ts_fail(error, TS_BAD_INPUT, "--depth is %g, but must be 0 or a length in metres", given->depth);
    if (given->tolerance < 0 || given->tolerance >= 1)
        return ts_fail(error, TS_BAD_INPUT, "--tolerance is %g, but must be a share of a radius, such as 0.004",
                       given->tolerance);
    return TS_OK;
}

/* Where it goes. A vtk export without .pvd is a folder of files that are named after it. */
static ts_status choose_out(const options *given, ts_export_format format, char path[ts_cli_path_size], ts_error *error)
{
    static const char *const example[] = {"", "NAME.pvd", "NAME.lammpstrj", "NAME.glb", "NAME.usda", "NAME.svg"};
    ts_export_format named;
    struct stat about;
    if (!given->out || (strcmp(given->out, "-") == 0 && format != TS_EXPORT_SVG))
        return ts_fail(error, TS_BAD_INPUT, "where to? Give the name of a file with --out %s", example[format]);
    if (strcmp(given->out, "-") == 0) {
        snprintf(path, ts_cli_path_size, "/dev/stdout");
        return TS_OK;
    }
    bool plain = format != TS_EXPORT_VTK || (ts_export_format_of(given->out, &named) && named == TS_EXPORT_VTK &&
                                             !(stat(given->out, &about) == 0 && S_ISDIR(about.st_mode)));
    if (plain) {
        TS_TRY(ts_cli_check_file("out", given->out, NULL, error));
        snprintf(path, ts_cli_path_size, "%s", given->out);
        return TS_OK;
    }
    char folder[ts_cli_path_size];
    TS_TRY(ts_cli_check_folder("out", given->out, error));
    TS_TRY(ts_output_folder(given->out, error));
    snprintf(folder, sizeof folder, "%s", given->out);
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
        folder[n - 1] = 0;
    const char *name = ts_path_name(folder);
    bool dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "/") == 0 || !name[0];
    if (ts_path_join(folder, dots ? "run" : name, path, ts_cli_path_size) >= ts_cli_path_size)
        return ts_fail(error, TS_BAD_INPUT, "the path after --out is too long; choose a shorter one");
    return TS_OK;
}

static ts_status export_scene(const options *given, ts_export_format format, const char *run, ts_error *error)
{
    char folder[ts_cli_path_size], out[ts_cli_path_size];
    TS_AUTO(ts_trajectory_close_at) ts_trajectory *reader = NULL;
    ts_range frames;
    ts_progress progress;
    ts_export_made made = {0};
    TS_TRY(ts_cli_open_run(run, folder, &reader, error));
    ts_cli_note_torn(reader);
    TS_TRY(ts_range_read(given->frames, ts_trajectory_frame_count(reader), &frames, error));
    if (given->depth != defaults.depth && ts_trajectory_get_header(reader)->kind->solids)
        return ts_fail(error, TS_BAD_INPUT, "--depth has no meaning for bodies in space; leave it out");
    TS_TRY(choose_out(given, format, out, error));
    ts_export_job job = {.reader = reader,
                         .out = out,
                         .first = frames.first,
                         .count = frames.count,
                         .every = frames.every,
                         .depth = given->depth,
                         .tolerance = given->tolerance,
                         .points = given->points,
                         .contacts = given->contacts,
                         .progress = report,
                         .context = &progress,
                         .made = &made};
    ts_progress_begin(&progress, stderr, given->quiet, 0, 1, ts_clock_seconds());
    ts_status status = ts_export(format, &job, error);
    ts_progress_clear(&progress);
    if (status == TS_OK)
        tell(given, out, made, format == TS_EXPORT_VTK);
    return status;
}

static ts_status export_all(const void *values, const char *run, ts_error *error)
{
    const options *given = values;
    ts_export_format format = TS_EXPORT_CSV;
    if (given->format != unset)
        format = (ts_export_format)given->format;
    else if (given->out && !ts_export_format_of(given->out, &format) && strchr(ts_path_name(given->out), '.'))
        return ts_fail(error, TS_BAD_INPUT,
                       "'%s' ends in no format that is known; use .csv, .pvd (ParaView), .lammpstrj, .glb, .usda or "
                       ".svg, or say --format",
                       given->out);
    TS_TRY(check_options(given, format, error));
    return format == TS_EXPORT_CSV ? export_csv(given, run, error) : export_scene(given, format, run, error);
}

/* Names of columns are known without a run, but for those of energies, which stand in its file. */
static ts_status check_run(const void *values, const ts_operands *operands, ts_error *error)
{
    const options *given = values;
    if (operands->count > 0 || (given->list && strcmp(what_of(given), energies) != 0))
        return TS_OK;
    return ts_fail(error, TS_BAD_INPUT, "which run? Give the folder that `touchstone run` wrote, or a scene");
}

const ts_command ts_command_export = {
    .name = "export",
    .usage = "RUN|SCENE [OPTIONS]",
    .summary = "what was recorded, for other programs",
    .text =
        "Writes what a run recorded as a table (csv), or for ParaView (vtk), OVITO and LAMMPS (lammps), Blender and "
        "browsers (glb, usda), Inkscape (svg, one frame). Tables have one row for each frame and body (or contact, "
        "wall, disc); names of columns carry their units; numbers read back as the same bits.",
    .example = "touchstone export out/drum --frames -1 --out last.csv\n"
               "touchstone export out/drum --out drum.pvd\n"
               "touchstone export out/drum --frames ::2 --out drum.glb\n"
               "touchstone export out/drum --what energies --columns time_s,total_J\n"
               "touchstone export out/drum --what contacts --list",
    TS_OPTIONS(option, defaults),
    .operand_most = 1,
    .check = check_run,
    .act = export_all,
    .stoppable = true,
};
