/* SPDX-License-Identifier: MIT */
/* Pictures and films of balls (balls.h), several runs side by side. */
#include <math.h>
#include <stdio.h>

#include "study/balls.h"
#include "study/figure.h"

#define PIXELS 1280
#define KINDS  16

typedef struct stage {
    const ts_balls_figure *figure;
    int panels;
    ts_canvas *canvas;
    int width, height;
    TS_ARRAY(ts_picture_body) body;
    TS_ARRAY(ts_picture_line) line;
    char caption[128];
} stage;

static ts_status open_stage(stage *s, const ts_balls_figure *figure, ts_error *error)
{
    ts_draw_options options = ts_default_draw_options();
    *s = (stage){.figure = figure, .panels = figure->columns * figure->rows};
    s->width = options.width = PIXELS;
    options.title = figure->title;
    options.mark = false; /* frictionless balls do not turn */
    s->height = ts_canvas_fitting_height(&options, figure->columns, figure->rows, figure->view);
    s->height += s->height % 2; /* as videos want it */
    options.height = s->height;
    return ts_canvas_create(&options, &s->canvas, error);
}

static void close_stage(stage *s)
{
    ts_canvas_free(s->canvas);
    ts_array_free(&s->body);
    ts_array_free(&s->line);
}

/* Paths from the first shot to this one. */
static ts_status draw_paths(stage *s, const ts_balls *balls, size_t shot, ts_error *error)
{
    const size_t n = balls->count;
    for (size_t k = 0; k < shot; k++)
        for (size_t i = 0; i < n; i++) {
            const ts_body *p = &balls->shot.item[k * n + i], *q = p + n;
            ts_picture_line line = {p->x, p->y, q->x, q->y, 0.04 * balls->wish.radius};
            TS_TRY(ts_array_push(&s->line, line, error));
        }
    return TS_OK;
}

/* By how much a ball's velocity differs from that of free flight since the first shot [m/s]. */
static double struck(const ts_balls *balls, size_t shot, size_t i)
{
    const ts_body *from = &balls->shot.item[i], *to = &balls->shot.item[shot * balls->count + i];
    double fall = balls->wish.gravity * (balls->shot_time.item[shot] - balls->shot_time.item[0]);
    return hypot(to->vx - from->vx, to->vy - from->vy - fall);
}

/* The mean of those that were struck, at the last shot: what 1 is on the scale. */
static double struck_unit(const ts_balls *balls)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < balls->count; i++) {
        double change = struck(balls, balls->shot_time.count - 1, i);
        sum += change;
        count += change > 0;
    }
    return sum > 0 ? sum / count : 1;
}

static ts_status draw_panel(stage *s, int index, size_t shot, ts_error *error)
{
    static const char *const nameless[KINDS] = {0};
    const ts_picture_key kinds = {.kind = TS_KEY_KINDS, .name = nameless, .name_count = KINDS};
    const ts_picture_key scale = {
        .kind = TS_KEY_SCALE, .high = 2, .beyond = true, .label = "change by impacts, over the mean", .unit = ""};
    const ts_balls_panel *panel = &s->figure->panel[index];
    const ts_balls *balls = panel->balls;
    const ts_picture_key key = panel->look == TS_BALLS_STRUCK ? scale : kinds;
    const double unit = panel->look == TS_BALLS_STRUCK ? struck_unit(balls) : 1;
    const ts_disc disc = {0, 0, balls->wish.radius};
    const ts_picture_shape shape = {&disc, 1, NULL};
    s->body.count = s->line.count = 0;
    for (size_t i = 0; i < balls->count; i++) {
        const ts_body *b = &balls->shot.item[shot * balls->count + i];
        ts_picture_body body = {.x = b->x, .y = b->y, .scale = 1, .value = balls->kind.item[i] % KINDS};
        if (panel->look == TS_BALLS_STRUCK)
            body.value = struck(balls, shot, i) / unit;
        TS_TRY(ts_array_push(&s->body, body, error));
    }
    for (size_t i = 0; i < s->figure->line_count; i++)
        TS_TRY(ts_array_push(&s->line, s->figure->line[i], error));
    if (panel->look == TS_BALLS_TRACED)
        TS_TRY(draw_paths(s, balls, shot, error));
    snprintf(s->caption, sizeof s->caption, "%s, t = %.4g s", panel->caption, balls->shot_time.item[shot]);
    ts_picture picture = {.shape = &shape,
                          .shape_count = 1,
                          .body = s->body.item,
                          .body_count = s->body.count,
                          .wall = s->figure->wall,
                          .wall_count = s->figure->wall_count,
                          .line = s->line.item,
                          .line_count = s->line.count,
                          .faded = panel->look == TS_BALLS_TRACED,
                          .time_text = s->caption};
    if (index == 0)
        TS_TRY(ts_canvas_sheet_begin(s->canvas, s->figure->columns, s->figure->rows, &key, s->figure->view, error));
    return ts_canvas_sheet_panel(s->canvas, index, &picture, &key, error);
}

static ts_status write_png(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    TS_AUTO(close_stage) stage s = {0};
    (void)study;
    TS_TRY(open_stage(&s, figure, error));
    for (int i = 0; i < s.panels; i++)
        TS_TRY(draw_panel(&s, i, s.figure->panel[i].shot, error));
    return ts_canvas_write_png(s.canvas, path, error);
}

static ts_status draw_frame(void *user, uint64_t frame, const void **pixels, ts_error *error)
{
    stage *s = user;
    for (int i = 0; i < s->panels; i++) {
        size_t last = s->figure->panel[i].balls->shot_time.count - 1;
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
    ts_figure_video film = {s.width, s.height, s.figure->rate, 0, draw_frame, &s};
    for (int i = 0; i < s.panels; i++) {
        size_t count = s.figure->panel[i].balls->shot_time.count;
        film.frames = count > film.frames ? count : film.frames;
    }
    return ts_figure_film(&film, path, error);
}

ts_status ts_balls_draw(ts_study *study, const ts_balls_figure *figure, ts_error *error)
{
    return ts_figure_write(study, figure->file, "png", write_png, figure, error);
}

ts_status ts_balls_film(ts_study *study, const ts_balls_figure *figure, ts_error *error)
{
    return ts_figure_write(study, figure->file, "mp4", write_mp4, figure, error);
}
