/* SPDX-License-Identifier: MIT */
/* Pictures of several runs side by side (cem_run.h). */
#include <stdio.h>

#include "base/memory.h"
#include "record/draw_frame.h"
#include "record/runfolder.h"
#include "study/cem_run.h"
#include "study/figure.h"

#define PIXELS 1280

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

static ts_status write_png(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    TS_AUTO(close_stage) stage s = {0};
    (void)study;
    TS_TRY(open_stage(&s, figure, error));
    for (int i = 0; i < s.count; i++) {
        uint64_t index;
        TS_TRY(ts_cem_frame_at(s.reel[i].reader, s.figure->panel[i].time, &index, error));
        TS_TRY(draw_panel(&s, i, index, error));
    }
    return ts_canvas_write_png(s.canvas, path, error);
}

static ts_status draw_frame(void *user, uint64_t frame, const void **pixels, ts_error *error)
{
    stage *s = user;
    for (int i = 0; i < s->count; i++) {
        uint64_t last = ts_trajectory_frame_count(s->reel[i].reader) - 1;
        TS_TRY(draw_panel(s, i, frame < last ? frame : last, error));
    }
    *pixels = ts_canvas_pixels(s->canvas);
    return TS_OK;
}

static ts_status write_mp4(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    TS_AUTO(close_stage) stage s = {0};
    (void)study;
    TS_TRY(open_stage(&s, figure, error));
    ts_figure_video film = {s.width, s.height, 0, 0, draw_frame, &s};
    for (int i = 0; i < s.count; i++) {
        uint64_t count = ts_trajectory_frame_count(s.reel[i].reader);
        film.frames = count > film.frames ? count : film.frames;
    }
    return ts_figure_film(&film, path, error);
}

/* Without the panels of runs that were skipped: columns or rows close up, and what then makes no full rows stands in
 * one. */
static ts_status draw_chosen(ts_study *study, const ts_cem_figure *figure, const char *kind, ts_figure_writer *write,
                             ts_error *error)
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
    return count ? ts_figure_write(study, chosen.file, kind, write, &chosen, error) : TS_OK;
}

ts_status ts_cem_draw(ts_study *study, const ts_cem_figure *figure, ts_error *error)
{
    return draw_chosen(study, figure, "png", write_png, error);
}

ts_status ts_cem_film(ts_study *study, const ts_cem_figure *figure, ts_error *error)
{
    return draw_chosen(study, figure, "mp4", write_mp4, error);
}
