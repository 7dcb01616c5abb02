/* SPDX-License-Identifier: MIT */
/* Pictures of the validations, like Fig. 3 of the CEM paper: where the blocks are at a few times, for each friction. */
#include <stdio.h>

#include "base/memory.h"
#include "record/draw.h"
#include "study/figure.h"
#include "study/validation.h"

#define COLUMNS     4
#define VIDEO_RATE  30.0
#define PIXELS      1280
#define CURVES_MAX  16
#define CURVE_POINT 500 /* points of a curve, at most */

/* What a picture points to. */
typedef struct scene_view {
    ts_outline *outline[VALIDATION_BLOCKS];
    ts_disc disc[VALIDATION_BLOCKS];
    ts_picture_shape shape[VALIDATION_BLOCKS];
    ts_picture_body body[VALIDATION_BLOCKS];
    ts_picture_wall wall[VALIDATION_PLANES];
    char caption[64];
} scene_view;

static ts_status view_open(scene_view *v, const ts_trial *trial, ts_error *error)
{
    for (size_t i = 0; i < trial->block_count; i++) {
        const ts_block *block = &trial->block[i];
        TS_TRY(ts_outline_box(block->width, block->height, 0, &v->outline[i], error));
        v->disc[i] = (ts_disc){0, 0, 0.5 * hypot(block->width, block->height)};
        v->shape[i] = (ts_picture_shape){&v->disc[i], 1, v->outline[i]};
    }
    for (size_t i = 0; i < trial->plane_count; i++) {
        const ts_plane *plane = &trial->plane[i];
        v->wall[i] =
            (ts_picture_wall){.kind = TS_WALL_FLAT, .x = plane->x, .y = plane->y, .nx = plane->nx, .ny = plane->ny};
    }
    return TS_OK;
}

static void view_close(scene_view *v)
{
    for (int i = 0; i < VALIDATION_BLOCKS; i++)
        ts_outline_free(v->outline[i]);
}

/* The state nearest to a time. */
static ts_picture view_at(scene_view *v, const ts_trial *trial, double time)
{
    size_t step = (size_t)fmin(round(time / trial->step), (double)(trial->count - 1));
    for (size_t i = 0; i < trial->block_count; i++) {
        const ts_body *b = ts_trial_at(trial, step, i);
        v->body[i] = (ts_picture_body){.x = b->x, .y = b->y, .angle = b->angle, .scale = 1, .shape = (int32_t)i};
    }
    snprintf(v->caption, sizeof v->caption, "μ = %.2f, t = %.2f s", trial->friction, (double)step * trial->step);
    return (ts_picture){.shape = v->shape,
                        .shape_count = trial->block_count,
                        .body = v->body,
                        .body_count = trial->block_count,
                        .wall = v->wall,
                        .wall_count = trial->plane_count,
                        .time_text = v->caption};
}

static ts_status draw_panel(ts_canvas *canvas, int index, const ts_trial *trial, double time, ts_error *error)
{
    const ts_picture_key key = {.kind = TS_KEY_NONE};
    TS_AUTO(view_close) scene_view v = {0};
    TS_TRY(view_open(&v, trial, error));
    ts_picture picture = view_at(&v, trial, time);
    return ts_canvas_sheet_panel(canvas, index, &picture, &key, error);
}

static ts_box box_of(const ts_trial_figure *figure)
{
    return (ts_box){figure->view[0], figure->view[1], figure->view[2], figure->view[3]};
}

static ts_status open_canvas(const ts_trial_figure *figure, int columns, int rows, ts_canvas **canvas, int *height,
                             ts_error *error)
{
    ts_draw_options options = ts_default_draw_options();
    options.width = PIXELS;
    options.title = figure->title;
    *height = ts_canvas_fitting_height(&options, columns, rows, box_of(figure));
    *height += *height % 2; /* as videos want it */
    options.height = *height;
    return ts_canvas_create(&options, canvas, error);
}

static ts_status draw_positions(ts_study *study, const void *user, const char *path, ts_error *error)
{
    const ts_picture_key key = {.kind = TS_KEY_NONE};
    const ts_trial_figure *figure = user;
    TS_AUTO(ts_canvas_free_at) ts_canvas *canvas = NULL;
    int height;
    (void)study;
    TS_TRY(open_canvas(figure, COLUMNS, (int)figure->trial_count, &canvas, &height, error));
    TS_TRY(ts_canvas_sheet_begin(canvas, COLUMNS, (int)figure->trial_count, &key, box_of(figure), error));
    for (size_t i = 0; i < figure->trial_count; i++)
        for (int k = 0; k < COLUMNS; k++)
            TS_TRY(
                draw_panel(canvas, (int)i * COLUMNS + k, &figure->trial[i], figure->until * k / (COLUMNS - 1), error));
    return ts_canvas_write_png(canvas, path, error);
}

typedef struct motion {
    const ts_trial_figure *figure;
    ts_canvas *canvas;
} motion;

static ts_status draw_frame(void *user, uint64_t frame, const void **pixels, ts_error *error)
{
    const ts_picture_key key = {.kind = TS_KEY_NONE};
    const motion *m = user;
    double time = (double)frame / (VIDEO_RATE * m->figure->slower);
    TS_TRY(ts_canvas_sheet_begin(m->canvas, (int)m->figure->trial_count, 1, &key, box_of(m->figure), error));
    for (size_t i = 0; i < m->figure->trial_count; i++)
        TS_TRY(draw_panel(m->canvas, (int)i, &m->figure->trial[i], time, error));
    *pixels = ts_canvas_pixels(m->canvas);
    return TS_OK;
}

static ts_status draw_motion(ts_study *study, const void *user, const char *path, ts_error *error)
{
    const ts_trial_figure *figure = user;
    TS_AUTO(ts_canvas_free_at) ts_canvas *canvas = NULL;
    int height;
    (void)study;
    TS_TRY(open_canvas(figure, (int)figure->trial_count, 1, &canvas, &height, error));
    motion m = {figure, canvas};
    const uint64_t frames = (uint64_t)(figure->until * figure->slower * VIDEO_RATE) + 1;
    return ts_figure_film(&(ts_figure_video){PIXELS, height, VIDEO_RATE, frames, draw_frame, &m}, path, error);
}

static ts_status draw_curves(ts_study *study, const ts_trial_figure *figure, ts_error *error)
{
    ts_plot_line line[CURVES_MAX] = {0};
    TS_AUTO_FREE double *point = NULL;
    size_t lines = figure->trial_count < CURVES_MAX ? figure->trial_count : CURVES_MAX;
    TS_TRY(ts_new(&point, 2 * CURVES_MAX * CURVE_POINT, error));
    for (size_t i = 0; i < lines; i++) {
        const ts_trial *trial = &figure->trial[i];
        double *x = point + 2 * i * CURVE_POINT, *y = x + CURVE_POINT;
        size_t count = trial->count < CURVE_POINT ? trial->count : CURVE_POINT;
        for (size_t k = 0; k < count; k++) {
            size_t step = count > 1 ? k * (trial->count - 1) / (count - 1) : 0;
            x[k] = (double)step * trial->step;
            y[k] = trial->progress[step];
        }
        line[i] = (ts_plot_line){figure->name[i], x, y, count, false};
    }
    ts_plot plot = {figure->title, "time [s]", figure->curve, false, line, lines};
    return ts_figure_plot(study, &plot, figure->file, error);
}

ts_status ts_trial_draw(ts_study *study, const ts_trial_figure *figure, ts_error *error)
{
    TS_TRY(draw_curves(study, figure, error));
    TS_TRY(ts_figure_write(study, figure->file, "png", draw_positions, figure, error));
    return ts_figure_write(study, figure->file, "mp4", draw_motion, figure, error);
}
