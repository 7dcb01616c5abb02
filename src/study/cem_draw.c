/* SPDX-License-Identifier: MIT */
/* Pictures of several runs side by side (cem_run.h). */
#include <stdio.h>

#include "base/memory.h"
#include "record/draw_frame.h"
#include "record/runfolder.h"
#include "record/video.h"
#include "study/cem_run.h"

#define PIXELS     1280
#define VIDEO_RATE 20.0

/* What is open while panels are drawn. */
typedef struct reel {
    ts_trajectory *reader;
    ts_painter *painter;
    char caption[128];
} reel;

typedef struct stage {
    const ts_cem_figure *figure;
    int count; /* panels */
    reel *reel;
    ts_canvas *canvas;
    int width, height;
} stage;

/* Colours are of the layers that grains began in, so that it shows who moved. */
static ts_status open_reel(reel *r, const ts_cem_panel *panel, ts_error *error)
{
    char path[TS_CEM_PATH + 32];
    ts_frame first;
    ts_frame_style style = {.colour = TS_COLOUR_LAYER};
    TS_TRY(ts_run_path(panel->run->folder, TS_RUN_TRAJECTORY, path, sizeof path, error));
    TS_TRY(ts_trajectory_open(path, &r->reader, error));
    TS_TRY(ts_painter_create(ts_trajectory_get_header(r->reader), &style, &r->painter, error));
    TS_TRY(ts_trajectory_read(r->reader, 0, &first, error));
    return ts_painter_survey(r->painter, &first, error);
}

static void close_stage(stage *s)
{
    for (int i = 0; s->reel && i < s->count; i++) {
        ts_painter_free(s->reel[i].painter);
        ts_trajectory_close(s->reel[i].reader);
    }
    ts_free(s->reel);
    ts_canvas_free(s->canvas);
}

static ts_status open_stage(stage *s, const ts_cem_figure *figure, ts_error *error)
{
    ts_draw_options options = ts_default_draw_options();
    *s = (stage){.figure = figure, .count = figure->columns * figure->rows};
    s->width = options.width = figure->width > 0 ? figure->width : PIXELS;
    options.title = figure->title;
    s->height = ts_canvas_fitting_height(&options, figure->columns, figure->rows, figure->view);
    s->height += s->height % 2; /* as videos want it */
    options.height = s->height;
    TS_TRY(ts_new(&s->reel, (size_t)s->count, error));
    TS_TRY(ts_canvas_create(&options, &s->canvas, error));
    for (int i = 0; i < s->count; i++)
        TS_TRY(open_reel(&s->reel[i], &figure->panel[i], error));
    return TS_OK;
}

static ts_status draw_panel(stage *s, int i, uint64_t index, ts_error *error)
{
    const ts_picture_key plain = {.kind = TS_KEY_NONE};
    const ts_picture_key *key;
    const ts_picture *picture;
    reel *r = &s->reel[i];
    ts_frame frame;
    TS_TRY(ts_trajectory_read(r->reader, index, &frame, error));
    TS_TRY(ts_painter_picture(r->painter, &frame, &picture, &key, error));
    snprintf(r->caption, sizeof r->caption, "%s, t = %.1f s", s->figure->panel[i].caption, frame.time);
    ts_picture named = *picture;
    named.time_text = r->caption;
    if (i == 0)
        TS_TRY(ts_canvas_sheet_begin(s->canvas, s->figure->columns, s->figure->rows, &plain, s->figure->view, error));
    return ts_canvas_sheet_panel(s->canvas, i, &named, key, error);
}

static ts_status draw_sheet(stage *s, ts_error *error)
{
    for (int i = 0; i < s->count; i++) {
        uint64_t index;
        TS_TRY(ts_cem_frame_at(s->reel[i].reader, s->figure->panel[i].time, &index, error));
        TS_TRY(draw_panel(s, i, index, error));
    }
    return TS_OK;
}

static ts_status film(stage *s, ts_video *video, ts_error *error)
{
    uint64_t frames = 0;
    for (int i = 0; i < s->count; i++) {
        uint64_t count = ts_trajectory_frame_count(s->reel[i].reader);
        frames = count > frames ? count : frames;
    }
    for (uint64_t k = 0; k < frames; k++) {
        for (int i = 0; i < s->count; i++) {
            uint64_t last = ts_trajectory_frame_count(s->reel[i].reader) - 1;
            TS_TRY(draw_panel(s, i, k < last ? k : last, error));
        }
        TS_TRY(ts_video_frame(video, ts_canvas_pixels(s->canvas), error));
    }
    return TS_OK;
}

static ts_status write_png(stage *s, const char *path, ts_error *error)
{
    TS_TRY(draw_sheet(s, error));
    return ts_canvas_write_png(s->canvas, path, error);
}

static ts_status write_mp4(stage *s, const char *path, ts_error *error)
{
    ts_video *video;
    TS_TRY(ts_video_open(path, s->width, s->height, VIDEO_RATE, &video, error));
    ts_status status = film(s, video, error);
    if (status == TS_OK)
        return ts_video_close(video, error);
    ts_video_abort(video);
    return status;
}

/* One file; what the machine lacks the means for is left out. */
static ts_status draw_file(ts_study *study, const ts_cem_figure *figure, const char *kind,
                           ts_status (*write)(stage *s, const char *path, ts_error *error), ts_error *error)
{
    const char *folder;
    char path[TS_CEM_PATH];
    stage s;
    TS_TRY(ts_study_out_dir(study, &folder, error));
    snprintf(path, sizeof path, "%.4000s/%s.%s", folder, figure->file, kind);
    ts_status status = open_stage(&s, figure, error);
    if (status == TS_OK)
        status = write(&s, path, error);
    close_stage(&s);
    if (status == TS_UNSUPPORTED)
        return TS_OK;
    TS_TRY(status);
    return ts_study_figure(study, path, error);
}

/* Without the panels of runs that were skipped: columns or rows close up, and what then makes no full rows stands in one. */
static ts_status draw_chosen(ts_study *study, const ts_cem_figure *figure, const char *kind,
                             ts_status (*write)(stage *s, const char *path, ts_error *error), ts_error *error)
{
    ts_cem_figure chosen = *figure;
    int all = figure->columns * figure->rows, count = 0;
    TS_AUTO_FREE ts_cem_panel *panel = NULL;
    TS_TRY(ts_new(&panel, (size_t)all, error));
    chosen.columns = 0;
    for (int i = 0; i < all; i++) {
        if (count > 0 && chosen.columns == 0 && i % figure->columns == 0)
            chosen.columns = count; /* as many as the first row has that has any */
        if (ts_cem_ran(figure->panel[i].run, 1))
            panel[count++] = figure->panel[i];
    }
    if (chosen.columns == 0 || count % chosen.columns != 0)
        chosen.columns = count;
    chosen.rows = count ? count / chosen.columns : 0;
    chosen.panel = panel;
    return count ? draw_file(study, &chosen, kind, write, error) : TS_OK;
}

ts_status ts_cem_draw(ts_study *study, const ts_cem_figure *figure, ts_error *error)
{
    return draw_chosen(study, figure, "png", write_png, error);
}

ts_status ts_cem_film(ts_study *study, const ts_cem_figure *figure, ts_error *error)
{
    return draw_chosen(study, figure, "mp4", write_mp4, error);
}
