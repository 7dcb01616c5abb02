/* SPDX-License-Identifier: MIT */
/* touchstone render: pictures and a video of a run. */
#include "record/render.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/places.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "cli/signals.h"
#include "record/runfolder.h"

typedef struct options {
    const char *png, *mp4, *frame, *size, *view, *sheet, *title, *colour;
    double time, from, to, fps, speed, high;
    uint64_t threads;
    int contacts;
    bool sides, chains, dark, no_labels, no_interpolate, quiet;
} options;

/* NaN: not given */
static const options defaults = {.time = (double)NAN,
                                 .from = (double)NAN,
                                 .to = (double)NAN,
                                 .fps = (double)NAN,
                                 .speed = (double)NAN,
                                 .high = (double)NAN,
                                 .colour = "type"};

static const ts_option option[] = {
    TS_TEXT(
        "png", 'p', "FILE", png,
        "write a picture (default: RUN/last.png; with --frame or --time RUN/frame.png, with --sheet RUN/sheet.png)"),
    TS_TEXT("mp4", 'm', "FILE", mp4, "write a video (default: RUN/movie.mp4)"),
    TS_TEXT("frame", 0, "N", frame, "picture: frame number, from 0; -1 is the last (default)"),
    TS_NUMBER("time", 0, "T", time, "picture: the frame nearest to this time [s]"),
    TS_TEXT("sheet", 0, "RxC", sheet, "picture: R rows and C columns of frames, evenly in time"),
    TS_TEXT("colour", 'c', "WHAT", colour, "type (default), speed, force, size, angle, material or layer"),
    TS_NUMBER("high", 0, "VALUE", high, "top of the colour scale, in SI units (default: found from the run)"),
    TS_FLAG("chains", 0, chains, "draw force chains: lines as wide as the normal force"),
    TS_CHOICE("contacts", 0, "WHAT", "none|force|weight|gap", contacts,
              "space: draw contacts as arrows in bodies of glass, by normal force, weight or overlap (default none)"),
    TS_FLAG("sides", 0, sides, "space: picture and video show four sides at once"),
    TS_TEXT("size", 0, "WxH", size, "in pixels; W alone takes the height from the view (default: 1280x720)"),
    TS_TEXT("view", 0, "X0,Y0,X1,Y1", view, "the part of the scene to show [m] (default: all that matters)"),
    TS_TEXT("title", 0, "TEXT", title, "title (default: the scene's)"),
    TS_FLAG("dark", 0, dark, "light on dark"),
    TS_FLAG("no-labels", 0, no_labels, "grains only, without words, legend and scale"),
    TS_NUMBER("from", 0, "T", from, "sheet and video: begin at this time [s]"),
    TS_NUMBER("to", 0, "T", to, "sheet and video: end at this time [s]"),
    TS_NUMBER("fps", 0, "N", fps, "video: frames in a second (default: 30)"),
    TS_NUMBER("speed", 0, "X", speed, "video: simulated seconds in a second (default: 1, within 4 to 60 s)"),
    TS_FLAG("no-interpolate", 0, no_interpolate, "video: show recorded frames only, not motion between them"),
    TS_THREADS_OPTION(threads),
    TS_QUIET_OPTION(quiet, "print nothing"),
};

/* ---- Options that are more than a number ---- */

/* Whole numbers separated by `separator`; the count found, or 0 when the text is anything else. */
static int read_pair(const char *text, char separator, int value[2])
{
    int count = 0;
    for (const char *at = text; count < 2; count++) {
        double number;
        size_t taken = ts_parse_number(at, strlen(at), &number);
        if (taken == 0 || !(number >= 1 && number <= 65536) || number != floor(number))
            return 0;
        value[count] = (int)number;
        at += taken;
        if (*at == 0)
            return count + 1;
        if (*at++ != separator)
            return 0;
    }
    return 0;
}

static ts_status read_view(const char *text, ts_box *view, ts_error *error)
{
    double value[4];
    const char *at = text;
    for (int i = 0; i < 4; i++) {
        size_t taken = ts_parse_number(at, strlen(at), &value[i]);
        bool ended = at[taken] == (i < 3 ? ',' : 0);
        if (taken == 0 || !ended)
            return ts_fail(error, TS_BAD_INPUT, "--view is '%s', but must be four numbers: X0,Y0,X1,Y1", text);
        at += taken + 1;
    }
    *view = (ts_box){value[0], value[1], value[2], value[3]};
    if (!(view->x0 < view->x1 && view->y0 < view->y1))
        return ts_fail(error, TS_BAD_INPUT, "--view is '%s', which is empty: X0 must be below X1, and Y0 below Y1",
                       text);
    return TS_OK;
}

static ts_status read_size(const char *text, ts_draw_options *draw, ts_error *error)
{
    int size[2] = {0, 0};
    if (!read_pair(text, 'x', size))
        return ts_fail(error, TS_BAD_INPUT, "--size is '%s', but must be as in 1280x720, or a width alone", text);
    draw->width = size[0];
    draw->height = size[1];
    return TS_OK;
}

/* A number that must be positive; without it *value stays. */
static ts_status read_positive(const char *name, double given, double *value, ts_error *error)
{
    if (isnan(given))
        return TS_OK;
    if (!(given > 0))
        return ts_fail(error, TS_BAD_INPUT, "--%s is %g, but must be positive", name, given);
    *value = given;
    return TS_OK;
}

static ts_status read_options(const options *given, ts_render_options *out, ts_error *error)
{
    int sheet[2] = {0, 0};
    *out = ts_default_render_options();
    TS_TRY(ts_colour_by_parse(given->colour, &out->style.colour, error));
    if (given->size)
        TS_TRY(read_size(given->size, &out->draw, error));
    if (given->view)
        TS_TRY(read_view(given->view, &out->view, error));
    if (given->frame && !ts_parse_int64(given->frame, &out->frame))
        return ts_fail(error, TS_BAD_INPUT, "--frame is '%s', but must be a whole number", given->frame);
    if (given->sheet) {
        if (read_pair(given->sheet, 'x', sheet) != 2 || sheet[0] > 100 || sheet[1] > 100)
            return ts_fail(error, TS_BAD_INPUT, "--sheet is '%s', but must be as in 2x3: rows, columns", given->sheet);
        out->panel_count = sheet[0] * sheet[1];
        out->columns = sheet[1];
        if (!given->size)
            out->draw.height = 0;
    }
    if (given->frame && !isnan(given->time))
        return ts_fail(error, TS_BAD_INPUT, "--frame and --time exclude each other; give one of them");
    if (given->sheet && (given->frame || !isnan(given->time)))
        return ts_fail(error, TS_BAD_INPUT, "--sheet shows many frames; choose them with --from and --to");
    size_t length = given->png ? strlen(given->png) : 0;
    if (given->png && (length < 5 || strcasecmp(given->png + length - 4, ".png") != 0))
        return ts_fail(error, TS_BAD_INPUT, "a picture is written as PNG, but --png %s does not end in .png; rename it",
                       given->png);
    TS_TRY(read_positive("fps", given->fps, &out->fps, error));
    TS_TRY(read_positive("speed", given->speed, &out->speed, error));
    TS_TRY(read_positive("high", given->high, &out->style.high, error));

    out->style.chains = given->chains;
    out->sides = given->sides;
    out->style.contacts = (ts_contact_marks)given->contacts;
    out->style.theme = out->draw.theme = given->dark ? TS_THEME_DARK : TS_THEME_LIGHT;
    out->draw.labels = !given->no_labels;
    out->draw.scale_bar = out->draw.scale_bar && !given->no_labels;
    out->draw.title = given->title;
    out->thread_count = (int)given->threads;
    out->from = given->from;
    out->to = given->to;
    out->time = given->time;
    out->no_interpolate = given->no_interpolate;
    return TS_OK;
}

/* ---- Rendering ---- */

typedef struct reporter {
    ts_progress progress;
    const char *what;
} reporter;

static bool report(void *context, uint64_t done, uint64_t total)
{
    reporter *r = context;
    double now = ts_clock_seconds();
    if (ts_progress_due(&r->progress, now) && done < total) {
        char detail[160];
        snprintf(detail, sizeof detail, "%s %s of %s", r->what, ts_show_count(done).text, ts_show_count(total).text);
        r->progress.total = (double)total;
        ts_progress_show(&r->progress, (double)done, detail, now);
    }
    return !ts_stop_requested();
}

static ts_status render(ts_trajectory *reader, ts_render_options *render, ts_render_kind kind, const char *path,
                        bool quiet, ts_error *error)
{
    reporter r = {.what = kind == TS_RENDER_VIDEO ? "frame" : "picture"};
    ts_render_result result;
    ts_progress_begin(&r.progress, stderr, quiet, 0, 1, ts_clock_seconds());
    render->kind = kind;
    render->path = path;
    render->progress = report;
    render->progress_context = &r;
    ts_status status = ts_render(reader, render, &result, error);
    ts_progress_clear(&r.progress);
    if (status != TS_OK || quiet)
        return status;
    char text[ts_cli_path_size + 256];
    int used = snprintf(text, sizeof text, "%s: %dx%d, ", path, result.width, result.height);
    char *more = text + used;
    size_t room = sizeof text - (size_t)used;
    if (kind == TS_RENDER_VIDEO)
        snprintf(more, room, "%s at %g frames a second, t = %g to %g s, %.3g× real time",
                 ts_show_wall((double)result.frame_count / render->fps).text, render->fps, result.from, result.to,
                 result.speed);
    else if (kind == TS_RENDER_SHEET)
        snprintf(more, room, "%s, t = %g to %g s", ts_show_counted(result.frame_count, "frame").text, result.from,
                 result.to);
    else
        snprintf(more, room, "t = %g s", result.from);
    ts_print_wrapped(stdout, text, 0, 0);
    return TS_OK;
}

/* --time must lie within the run. Its end may lie after the last frame, but by less than what is between two of them.
 * */
static ts_status check_time(ts_trajectory *reader, double time, ts_error *error)
{
    double first, before, last;
    uint64_t count = ts_trajectory_frame_count(reader);
    if (isnan(time) || count == 0)
        return TS_OK;
    TS_TRY(ts_trajectory_peek(reader, 0, NULL, &first, error));
    TS_TRY(ts_trajectory_peek(reader, count > 1 ? count - 2 : 0, NULL, &before, error));
    TS_TRY(ts_trajectory_peek(reader, count - 1, NULL, &last, error));
    if (time < first || (time > last && !(time - last < last - before)))
        return ts_fail(error, TS_BAD_INPUT, "--time is %g s, but the run has frames from %g s to %g s", time, first,
                       last);
    return TS_OK;
}

/* The files that are asked for. Without any: a picture of the end and a video; with a choice of frames: that picture.
 * */
static ts_status render_all(const void *values, const char *run, ts_error *error)
{
    const options *given = values;
    ts_render_options r;
    TS_AUTO(ts_trajectory_close_at) ts_trajectory *reader = NULL;
    char folder[ts_cli_path_size], png[ts_cli_path_size] = "", mp4[ts_cli_path_size] = "";
    TS_TRY(read_options(given, &r, error));
    TS_TRY(ts_cli_open_run(run, folder, &reader, error));
    ts_cli_note_torn(reader);

    /* a scene has one frame, and no video */
    bool scene = ts_cli_is_scene(run), chosen = scene || given->frame || given->sheet || !isnan(given->time);
    char scene_name[ts_cli_path_size];
    const char *name = given->sheet ? "sheet.png" : chosen ? "frame.png" : "last.png";
    if (scene) {
        const char *file = ts_path_name(run);
        snprintf(scene_name, sizeof scene_name, "%.*s.png", (int)(strlen(file) - strlen(".json")), file);
        name = scene_name;
    }
    if (scene && (given->sheet || given->mp4))
        return ts_fail(error, TS_BAD_INPUT, "'%s' is a scene, which has one frame; --%s wants a run: touchstone run %s",
                       run, given->sheet ? "sheet" : "mp4", run);
    TS_TRY(check_time(reader, given->time, error));
    if (given->png)
        snprintf(png, sizeof png, "%s", given->png);
    else if (chosen || !given->mp4)
        TS_TRY(ts_run_path(folder, name, png, sizeof png, error));
    if (given->mp4)
        snprintf(mp4, sizeof mp4, "%s", given->mp4);
    else if (!chosen && !given->png)
        TS_TRY(ts_run_path(folder, "movie.mp4", mp4, sizeof mp4, error));

    if (*png)
        TS_TRY(ts_cli_check_file("png", png, scene && !given->png ? folder : NULL, error));
    if (*mp4)
        TS_TRY(ts_cli_check_file("mp4", mp4, NULL, error));
    if (scene && !given->png)
        TS_TRY(ts_folder_make(folder, error));
    if (*png)
        TS_TRY(render(reader, &r, given->sheet ? TS_RENDER_SHEET : TS_RENDER_IMAGE, png, given->quiet, error));
    return *mp4 ? render(reader, &r, TS_RENDER_VIDEO, mp4, given->quiet, error) : TS_OK;
}

const ts_command ts_command_render = {
    .name = "render",
    .usage = "RUN|SCENE [OPTIONS]",
    .summary = "draw a run: a picture, a sheet of frames, a video",
    .text =
        "Draws a recorded run. Without options it writes a picture of the end and a video into the run folder. --png "
        "or --mp4 alone write only that; --frame, --time and --sheet write only a picture. Videos need ffmpeg.\n\n"
        "A scene stands for its first frame: its picture is written to out/<name of the scene>.png.",
    .example = "touchstone render out/column-collapse\n"
               "touchstone render out/column-collapse --colour speed --mp4 speed.mp4\n"
               "touchstone render out/column-collapse --sheet 2x3 --chains --png six.png",
    TS_OPTIONS(option, defaults),
    .operand_most = 1,
    .missing = "which run? Give the folder that `touchstone run` wrote, or a scene",
    .act = render_all,
    .stoppable = true,
};
