/* SPDX-License-Identifier: MIT */
#include "record/render.h"

#include <math.h>

#include "record/draw_label.h"
#include "record/draw_sides.h"
#include "record/film.h"
#include "record/kind.h"
#include "record/render_sheet.h"
#include "record/render_space.h"
#include "record/video.h"

/* Frames looked at to find view and scales. */
#define SURVEY_MAX 24
/* How long a video lasts when its speed is left to us [s]. */
#define VIDEO_SHORTEST 4.0
#define VIDEO_LONGEST  60.0
/* More frames than this are a mistyped option. */
#define VIDEO_FRAMES_MAX 1e6
#define PANELS_MAX       100

ts_render_options ts_default_render_options(void)
{
    return (ts_render_options){.kind = TS_RENDER_IMAGE,
                               .draw = ts_default_draw_options(),
                               .view = TS_BOX_NONE,
                               .from = (double)NAN,
                               .to = (double)NAN,
                               .frame = -1,
                               .time = (double)NAN,
                               .panel_count = 6,
                               .fps = 30};
}

/* Everything that a rendering holds. */
typedef struct job job;
struct job {
    ts_trajectory *reader;
    const ts_trajectory_header *header;
    const ts_render_options *options;
    ts_draw_options draw;
    ts_pool *pool; /* ours, or NULL */
    ts_canvas *canvas;
    ts_painter *painter;   /* of the plane */
    ts_box view;           /* what is shown; in space as wide and high as that looks */
    ts_painter3 *painter3; /* of space */
    ts_trace *trace;
    ts_sheet3 *sheet3;
    bool looked; /* the camera stands where it stays */
    uint64_t frame_count;
    double from, to;
    ts_render_result result;
};

/* How runs in the plane and in space are drawn: at the end of this file. */
struct ts_painting {
    const char *no_sides; /* why four sides make no sense; NULL: they do */
    const char *no_view;  /* why a view of four numbers makes no sense; NULL: it does */
    ts_status (*open)(job *j, const ts_frame_style *style, ts_error *error);
    /* Takes a frame into account, and sets the view to what is found so far. */
    ts_status (*survey)(job *j, const ts_frame *frame, ts_error *error);
    /* Widens a view that nobody gave by what is in a frame; NULL: it stays that of all frames. */
    ts_status (*fit)(job *j, const ts_frame *frame, ts_error *error);
    double words; /* strip of words above a single picture, as a share of its width; 0: as the canvas has it */
    ts_status (*draw)(job *j, const ts_frame *frame, ts_error *error);
    ts_status (*panel)(job *j, int panel, const ts_frame *frame, int columns, int rows, ts_error *error);
};

static bool going_on(const job *j, uint64_t done, uint64_t total)
{
    return !j->options->progress || j->options->progress(j->options->progress_context, done, total);
}

static ts_status stopped(ts_error *error)
{
    return ts_fail(error, TS_INTERRUPTED, "rendering was stopped; nothing was written");
}

/* ---- What to show ---- */

/* Looks at frames from the whole trajectory. A damaged one is passed over: it may not be among those that are
 * wanted. */
static ts_status survey(job *j, ts_error *error)
{
    uint64_t count = j->frame_count < SURVEY_MAX ? j->frame_count : SURVEY_MAX;
    bool any = false;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t index = count > 1 ? (j->frame_count - 1) * k / (count - 1) : 0;
        ts_frame frame;
        ts_status status = ts_trajectory_read(j->reader, index, &frame, error);
        if (status == TS_CORRUPT)
            continue;
        if (status != TS_OK)
            return status;
        TS_TRY(j->header->kind->painting->survey(j, &frame, error));
        any = true;
        if (!going_on(j, 0, 0))
            return stopped(error);
    }
    if (!any)
        return ts_fail(error, TS_CORRUPT, "no frame of the trajectory that was tried can be read; run the scene again");
    return TS_OK;
}

/* The times between which sheet and video show frames. */
static ts_status find_times(job *j, ts_error *error)
{
    double first, last;
    TS_TRY(ts_trajectory_peek(j->reader, 0, NULL, &first, error));
    TS_TRY(ts_trajectory_peek(j->reader, j->frame_count - 1, NULL, &last, error));
    j->from = isnan(j->options->from) ? first : fmax(j->options->from, first);
    j->to = isnan(j->options->to) ? last : fmin(j->options->to, last);
    if (!(j->from <= j->to))
        return ts_fail(error, TS_BAD_INPUT,
                       "there is nothing from %g s to %g s; the trajectory has frames from %g s to %g s",
                       isnan(j->options->from) ? first : j->options->from,
                       isnan(j->options->to) ? last : j->options->to, first, last);
    return TS_OK;
}

/* The canvas, as high as the view asks when the height is left open; a video's sides are even. */
static void find_size(job *j, int columns, int rows)
{
    j->draw = j->options->draw;
    j->draw.pool = j->draw.pool ? j->draw.pool : j->pool;
    if (!j->draw.title && j->header->title && j->header->title[0])
        j->draw.title = j->header->title;
    const double words = j->header->kind->painting->words;
    if (j->draw.height == 0 && j->draw.width > 0)
        j->draw.height = words > 0 && columns * rows == 1 ? (int)(j->draw.width * (1 / j->view.x1 + words))
                                                          : ts_canvas_fitting_height(&j->draw, columns, rows, j->view);
    if (j->options->kind == TS_RENDER_VIDEO) {
        j->draw.width += j->draw.width % 2;
        j->draw.height += j->draw.height % 2;
    }
    j->result.width = j->draw.width;
    j->result.height = j->draw.height;
}

/* For one picture at a time. */
static ts_status make_canvas(job *j, ts_error *error)
{
    if (j->options->sides) {
        find_size(j, TS_SIDES_COLUMNS, TS_SIDES_ROWS);
        return ts_sheet3_create(&j->draw, TS_SIDES_COLUMNS, TS_SIDES_ROWS, &j->sheet3, error);
    }
    find_size(j, 1, 1);
    return ts_canvas_create(&j->draw, &j->canvas, error);
}

/* Pictures show where bodies are in the frames that are drawn, not where they have been. */
static ts_status fit(job *j, const ts_frame *frame, bool first, ts_error *error)
{
    const struct ts_painting *painting = j->header->kind->painting;
    if (!painting->fit || ts_box_given(j->options->view))
        return TS_OK;
    if (first)
        j->view = TS_BOX_NONE;
    return painting->fit(j, frame, error);
}

static ts_status write_png(job *j, ts_error *error)
{
    return j->sheet3 ? ts_sheet3_write_png(j->sheet3, j->options->path, error)
                     : ts_canvas_write_png(j->canvas, j->options->path, error);
}

/* ---- One frame ---- */

static ts_status render_image(job *j, ts_error *error)
{
    const ts_render_options *options = j->options;
    uint64_t index = 0;
    if (!isnan(options->time)) {
        TS_TRY(ts_film_nearest(j->reader, options->time, &index, error));
    } else {
        uint64_t back = options->frame < 0 ? (uint64_t) - (options->frame + 1) + 1 : 0;
        index = options->frame < 0 ? j->frame_count - back : (uint64_t)options->frame;
        if (back > j->frame_count || index >= j->frame_count)
            return ts_fail(error, TS_BAD_INPUT, "there is no frame %lld; the trajectory has frames 0 to %llu",
                           (long long)options->frame, (unsigned long long)(j->frame_count - 1));
    }
    ts_frame frame;
    TS_TRY(ts_trajectory_read(j->reader, index, &frame, error));
    TS_TRY(fit(j, &frame, true, error));
    TS_TRY(make_canvas(j, error));
    TS_TRY(j->header->kind->painting->draw(j, &frame, error));
    j->result.from = j->result.to = frame.time;
    j->result.frame_count = 1;
    return write_png(j, error);
}

/* ---- A sheet ---- */

/* The number of columns that brings the figure nearest to 16:9 with the fewest empty places. */
static int choose_columns(const job *j, int panel_count)
{
    double aspect = (j->view.y1 - j->view.y0) / (j->view.x1 - j->view.x0);
    double best = HUGE_VAL;
    int chosen = 1;
    for (int columns = 1; columns <= panel_count; columns++) {
        int rows = (panel_count + columns - 1) / columns;
        double shape = rows * fmin(fmax(aspect, 0.05), 20) / columns;
        double cost = fabs(log(shape * 16 / 9)) + 0.5 * (rows * columns - panel_count);
        if (cost < best) {
            best = cost;
            chosen = columns;
        }
    }
    return chosen;
}

static ts_status read_panel(job *j, int panel, ts_frame *frame, ts_error *error)
{
    const int count = j->options->panel_count;
    const double time = count > 1 ? j->from + (j->to - j->from) * panel / (count - 1) : j->to;
    uint64_t index;
    TS_TRY(ts_film_nearest(j->reader, time, &index, error));
    return ts_trajectory_read(j->reader, index, frame, error);
}

static ts_status render_sheet(job *j, ts_error *error)
{
    const ts_render_options *options = j->options;
    int count = options->panel_count;
    if (count < 1 || count > PANELS_MAX || options->columns < 0 || options->columns > PANELS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a sheet of %d panels in %d columns is not possible; give 1 to %d", count,
                       options->columns, PANELS_MAX);
    ts_frame frame;
    for (int panel = 0; panel < count; panel++) {
        TS_TRY(read_panel(j, panel, &frame, error));
        TS_TRY(fit(j, &frame, panel == 0, error));
    }
    int columns = options->columns > 0 ? options->columns : choose_columns(j, count);
    int rows = (count + columns - 1) / columns;
    find_size(j, columns, rows);
    for (int panel = 0; panel < count; panel++) {
        TS_TRY(read_panel(j, panel, &frame, error));
        TS_TRY(j->header->kind->painting->panel(j, panel, &frame, columns, rows, error));
        if (!going_on(j, (uint64_t)panel + 1, (uint64_t)count))
            return stopped(error);
    }
    j->result.from = j->from;
    j->result.to = j->to;
    j->result.frame_count = (uint64_t)count;
    return write_png(j, error);
}

/* ---- A video ---- */

/* Simulated seconds in a second of video. */
static double choose_speed(const job *j)
{
    double duration = j->to - j->from;
    if (j->options->speed > 0)
        return j->options->speed;
    if (duration > VIDEO_LONGEST)
        return ts_nice_above(duration / VIDEO_LONGEST);
    if (duration > 0 && duration < 0.95 * VIDEO_SHORTEST)
        return 1 / ts_nice_above(VIDEO_SHORTEST / duration);
    return 1;
}

static ts_status show_film(job *j, ts_film *film, ts_video *video, uint64_t count, ts_error *error)
{
    for (uint64_t k = 0; k < count; k++) {
        const ts_frame *frame;
        double time = fmin(j->from + (double)k * j->result.speed / j->options->fps, j->to);
        TS_TRY(ts_film_at(film, time, j->options->no_interpolate, &frame, error));
        TS_TRY(j->header->kind->painting->draw(j, frame, error));
        TS_TRY(ts_video_frame(video, j->sheet3 ? ts_sheet3_pixels(j->sheet3) : ts_canvas_pixels(j->canvas), error));
        if (!going_on(j, k + 1, count))
            return stopped(error);
    }
    return TS_OK;
}

static ts_status render_video(job *j, ts_error *error)
{
    const ts_render_options *options = j->options;
    double frames = floor((j->to - j->from) / j->result.speed * options->fps + 1e-9) + 1;
    /* a moment is held for a second, or no player would show it */
    if (j->to == j->from)
        frames = fmax(1, round(options->fps));
    if (!(frames <= VIDEO_FRAMES_MAX))
        return ts_fail(error, TS_BAD_INPUT,
                       "the video would have %.3g frames; give a higher speed or fewer frames a second", frames);
    TS_TRY(make_canvas(j, error));
    TS_AUTO(ts_film_free_at) ts_film *film = NULL;
    ts_video *video;
    TS_TRY(ts_film_create(j->reader, &film, error));
    TS_TRY(ts_video_open(options->path, j->draw.width, j->draw.height, options->fps, &video, error));
    ts_status status = show_film(j, film, video, (uint64_t)frames, error);
    if (status == TS_OK)
        status = ts_video_close(video, error);
    else
        ts_video_abort(video);
    j->result.from = j->from;
    j->result.to = j->to;
    j->result.frame_count = (uint64_t)frames;
    return status;
}

/* ---- All ---- */

static ts_status check(const job *j, ts_error *error)
{
    const ts_render_options *options = j->options;
    if (!options->path || !options->path[0])
        return ts_fail(error, TS_BAD_INPUT, "no name was given for the picture; give a path");
    if (j->frame_count == 0)
        return ts_fail(error, TS_BAD_INPUT, "the trajectory has no whole frame yet; let the run go on");
    if (!(options->fps >= 0.01 && options->fps <= 1000) || !(options->speed >= 0) || isinf(options->speed))
        return ts_fail(error, TS_BAD_INPUT,
                       "%g frames a second at %g times real time is not possible; give 0.01 to 1000", options->fps,
                       options->speed);
    bool any =
        !isnan(options->view.x0) || !isnan(options->view.y0) || !isnan(options->view.x1) || !isnan(options->view.y1);
    if (any &&
        !(options->view.x0 < options->view.x1 && options->view.y0 < options->view.y1 && ts_box_given(options->view)))
        return ts_fail(error, TS_BAD_INPUT,
                       "the view from (%g, %g) to (%g, %g) is empty; give its lower left corner first",
                       options->view.x0, options->view.y0, options->view.x1, options->view.y1);
    if (options->sides && options->kind == TS_RENDER_SHEET)
        return ts_fail(error, TS_BAD_INPUT, "a sheet of frames is seen from one side; choose a sheet or four sides");
    if (options->sides && j->header->kind->painting->no_sides)
        return ts_fail(error, TS_BAD_INPUT, "%s", j->header->kind->painting->no_sides);
    if (any && j->header->kind->painting->no_view)
        return ts_fail(error, TS_BAD_INPUT, "%s", j->header->kind->painting->no_view);
    return TS_OK;
}

static ts_status render(job *j, ts_error *error)
{
    TS_TRY(check(j, error));
    TS_TRY(find_times(j, error));
    ts_frame_style style = j->options->style;
    style.theme = j->options->draw.theme;
    if (j->options->kind == TS_RENDER_VIDEO)
        style.playback = j->result.speed = choose_speed(j);
    if (!j->options->draw.pool)
        TS_TRY(ts_pool_create(j->options->thread_count, &j->pool, error));
    TS_TRY(j->header->kind->painting->open(j, &style, error));
    TS_TRY(survey(j, error));
    switch (j->options->kind) {
    case TS_RENDER_SHEET:
        return render_sheet(j, error);
    case TS_RENDER_VIDEO:
        return render_video(j, error);
    default:
        return render_image(j, error);
    }
}

ts_status ts_render(ts_trajectory *reader, const ts_render_options *options, ts_render_result *result, ts_error *error)
{
    job j = {.reader = reader,
             .header = ts_trajectory_get_header(reader),
             .options = options,
             .frame_count = ts_trajectory_frame_count(reader)};
    ts_status status = render(&j, error);
    ts_canvas_free(j.canvas);
    ts_painter_free(j.painter);
    ts_trace_free(j.trace);
    ts_sheet3_free(j.sheet3);
    ts_painter3_free(j.painter3);
    ts_pool_free(j.pool);
    if (status == TS_OK && result)
        *result = j.result;
    return status;
}

/* ---- The plane ---- */

static ts_status open_flat(job *j, const ts_frame_style *style, ts_error *error)
{
    return ts_painter_create(j->header, style, &j->painter, error);
}

static ts_status survey_flat(job *j, const ts_frame *frame, ts_error *error)
{
    TS_TRY(ts_painter_survey(j->painter, frame, error));
    j->view = ts_box_given(j->options->view) ? j->options->view : ts_painter_view(j->painter);
    return TS_OK;
}

static ts_status fit_flat(job *j, const ts_frame *frame, ts_error *error)
{
    const ts_picture *picture;
    const ts_picture_key *key;
    ts_box box;
    TS_TRY(ts_painter_picture(j->painter, frame, &picture, &key, error));
    TS_TRY(ts_picture_box(picture, &box, error));
    j->view = ts_box_union(j->view, box);
    return TS_OK;
}

static ts_status draw_flat(job *j, const ts_frame *frame, ts_error *error)
{
    return ts_painter_draw(j->painter, frame, j->canvas, j->view, error);
}

static ts_status panel_flat(job *j, int panel, const ts_frame *frame, int columns, int rows, ts_error *error)
{
    const ts_picture *picture;
    const ts_picture_key *key;
    TS_TRY(ts_painter_picture(j->painter, frame, &picture, &key, error));
    if (panel == 0) {
        TS_TRY(ts_canvas_create(&j->draw, &j->canvas, error));
        TS_TRY(ts_canvas_sheet_begin(j->canvas, columns, rows, key, j->view, error));
    }
    return ts_canvas_sheet_panel(j->canvas, panel, picture, key, error);
}

const struct ts_painting ts_painting_plane = {.no_sides = "a plane has one side to be seen from; leave out --sides",
                                              .open = open_flat,
                                              .survey = survey_flat,
                                              .fit = fit_flat,
                                              .draw = draw_flat,
                                              .panel = panel_flat};

/* ---- Space ---- */

static ts_status open_solid(job *j, const ts_frame_style *style, ts_error *error)
{
    return ts_painter3_create(j->header, style, &j->painter3, error);
}

static ts_status survey_solid(job *j, const ts_frame *frame, ts_error *error)
{
    TS_TRY(ts_painter3_survey(j->painter3, frame, error));
    j->view = (ts_box){0, 0, ts_painter3_aspect(j->painter3), 1};
    return TS_OK;
}

static ts_status draw_sides(job *j, const ts_frame *frame, ts_error *error)
{
    for (int i = 0; i < TS_SIDES; i++) {
        ts_painter3_from(j->painter3, &ts_side_of[i]);
        TS_TRY(ts_sheet3_panel(j->sheet3, i, j->painter3, frame, ts_side_of[i].text, error));
    }
    return TS_OK;
}

static ts_status draw_solid(job *j, const ts_frame *frame, ts_error *error)
{
    if (j->options->sides)
        return draw_sides(j, frame, error);
    const ts_tint *tint = ts_painter3_tint(j->painter3);
    const ts_view *view;
    ts_picture_key key;
    if (!j->trace)
        TS_TRY(ts_trace_create(j->draw.pool, &j->trace, error));
    /* the words that there will be are known when a frame has been looked at */
    TS_TRY(ts_painter3_view(j->painter3, frame, &view, error));
    key = ts_painter3_key(j->painter3);
    if (!j->looked) {
        ts_image_part part = TS_WHOLE_IMAGE;
        part.top = ts_canvas_header_height(j->canvas, &key, true) / j->draw.height;
        ts_painter3_look(j->painter3, (double)j->draw.width / j->draw.height, part);
        TS_TRY(ts_painter3_view(j->painter3, frame, &view, error));
        j->looked = true;
    }
    char grid[TS_GRID_TEXT_SIZE];
    TS_TRY(ts_trace_draw(j->trace, view, ts_canvas_image(j->canvas), error));
    return ts_canvas_words(j->canvas, &key, tint->time_text, tint->note,
                           j->draw.scale_bar ? ts_trace_grid_text(j->trace, grid) : NULL, error);
}

static ts_status panel_solid(job *j, int panel, const ts_frame *frame, int columns, int rows, ts_error *error)
{
    if (panel == 0)
        TS_TRY(ts_sheet3_create(&j->draw, columns, rows, &j->sheet3, error));
    return ts_sheet3_panel(j->sheet3, panel, j->painter3, frame, NULL, error);
}

const struct ts_painting ts_painting_space = {
    .no_view = "a view of four numbers is of the plane; what a picture of space shows is up to the scene's camera",
    .open = open_solid,
    .survey = survey_solid,
    .words = 0.08,
    .draw = draw_solid,
    .panel = panel_solid};
