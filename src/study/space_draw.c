/* SPDX-License-Identifier: MIT */
#include "study/space_draw.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "record/film.h"
#include "record/kind.h"
#include "record/render_sheet.h"
#include "record/runfolder.h"
#include "study/figure.h"

#define PIXELS 1280
/* Frames of a run that are looked at to find where it happens. */
#define SURVEYED 12
#define SIDE_MAX 16
/* Moving bodies of one kind from which on they have the colours of layers. */
#define LAYERED 30
/* Runs whose stages are not smaller than this share of all together are seen with one camera. */
#define ALIKE 0.5

/* A run that panels show. */
typedef struct reel {
    const char *folder;
    ts_trajectory *reader;
    ts_painter3 *painter;
    uint64_t frames;
} reel;

typedef struct stage {
    const ts_space_figure *figure;
    int count;  /* panels */
    reel *reel; /* (reel_count) */
    int reel_count;
    int *of; /* the reel of each panel, -1: an empty place (count) */
    ts_pool *pool;
    ts_sheet3 *sheet;
    int width, height;
} stage;

/* ---- Opening ---- */

/* How many colours the bodies of a run would have by type. */
static bool many_of_one_kind(const ts_trajectory_header *header)
{
    size_t moving = 0;
    int32_t shape = -1, material = -1;
    for (size_t i = 0; i < header->body_count; i++) {
        const ts_trajectory_body *body = &header->body[i];
        int32_t its = header->form[body->form].shape;
        if (body->fixed)
            continue;
        if (moving++ == 0) {
            shape = its;
            material = body->material;
        }
        if (its != shape || body->material != material)
            return false;
    }
    return moving >= LAYERED;
}

static ts_status open_reel(reel *r, ts_error *error)
{
    char path[TS_FIGURE_PATH];
    TS_TRY(ts_run_path(r->folder, TS_RUN_TRAJECTORY, path, sizeof path, error));
    TS_TRY(ts_trajectory_open(path, &r->reader, error));
    const ts_trajectory_header *header = ts_trajectory_get_header(r->reader);
    r->frames = ts_trajectory_frame_count(r->reader);
    if (header->kind != &ts_record_space || r->frames == 0)
        return ts_fail(error, TS_BAD_INPUT, "the run in %s has no frame of space to be drawn", r->folder);
    ts_frame_style style = {.colour = many_of_one_kind(header) ? TS_COLOUR_LAYER : TS_COLOUR_TYPE};
    TS_TRY(ts_painter3_create(header, &style, &r->painter, error));
    uint64_t count = r->frames < SURVEYED ? r->frames : SURVEYED;
    for (uint64_t k = 0; k < count; k++) {
        ts_frame frame;
        TS_TRY(ts_trajectory_read(r->reader, count > 1 ? (r->frames - 1) * k / (count - 1) : 0, &frame, error));
        TS_TRY(ts_painter3_survey(r->painter, &frame, error));
    }
    return TS_OK;
}

/* Panels of one folder share a reel. */
static ts_status open_reels(stage *s, ts_error *error)
{
    for (int i = 0; i < s->count; i++) {
        const char *folder = s->figure->panel[i].folder;
        s->of[i] = -1;
        if (!folder)
            continue;
        int k = 0;
        while (k < s->reel_count && strcmp(s->reel[k].folder, folder) != 0)
            k++;
        s->of[i] = k;
        if (k < s->reel_count)
            continue;
        s->reel_count++;
        s->reel[k].folder = folder;
        TS_TRY(open_reel(&s->reel[k], error));
    }
    if (s->reel_count == 0)
        return ts_fail(error, TS_BAD_INPUT, "figure '%s' has no run to show", s->figure->file);
    return TS_OK;
}

/* Runs of about the same size are seen from the same place. */
static void share_stage(stage *s)
{
    ts_box3 all = ts_painter3_stage(s->reel[0].painter);
    for (int k = 1; k < s->reel_count; k++) {
        ts_box3 box = ts_painter3_stage(s->reel[k].painter);
        all.low = ts_vec3_min(all.low, box.low);
        all.high = ts_vec3_max(all.high, box.high);
    }
    for (int k = 0; k < s->reel_count; k++) {
        ts_box3 box = ts_painter3_stage(s->reel[k].painter);
        if (ts_vec3_distance(box.low, box.high) < ALIKE * ts_vec3_distance(all.low, all.high))
            return;
    }
    for (int k = 0; k < s->reel_count; k++)
        ts_painter3_widen(s->reel[k].painter, all);
}

/* Whether colours mean the same in all runs, so that one legend explains them: as many kinds, of the same names. */
static ts_status same_colours(stage *s, bool *same, ts_error *error)
{
    const ts_picture_key *first = &ts_painter3_tint(s->reel[0].painter)->key;
    *same = true;
    for (int k = 0; k < s->reel_count; k++) {
        const ts_picture_key *key = &ts_painter3_tint(s->reel[k].painter)->key;
        const ts_view *view;
        ts_frame frame;
        TS_TRY(ts_trajectory_read(s->reel[k].reader, 0, &frame, error));
        TS_TRY(ts_painter3_view(s->reel[k].painter, &frame, &view, error));
        *same = *same && key->name_count == first->name_count;
        for (size_t n = 0; *same && n < key->name_count; n++)
            *same = strcmp(key->name[n], first->name[n]) == 0;
    }
    return TS_OK;
}

static ts_status open_stage(stage *s, ts_study *study, const ts_space_figure *figure, ts_error *error)
{
    ts_draw_options options = ts_default_draw_options();
    if (figure->columns < 1 || figure->rows < 1 || figure->columns > SIDE_MAX || figure->rows > SIDE_MAX)
        return ts_fail(error, TS_BAD_INPUT, "figure '%s' has %d × %d panels; 1 to %d of each are possible",
                       figure->file, figure->columns, figure->rows, SIDE_MAX);
    s->figure = figure;
    s->count = figure->columns * figure->rows;
    TS_TRY(ts_new(&s->reel, (size_t)s->count, error));
    TS_TRY(ts_new(&s->of, (size_t)s->count, error));
    TS_TRY(open_reels(s, error));
    share_stage(s);
    TS_TRY(ts_pool_create(ts_study_threads(study), &s->pool, error));

    double aspect = 0;
    for (int k = 0; k < s->reel_count; k++)
        aspect += ts_painter3_aspect(s->reel[k].painter) / s->reel_count;
    s->width = options.width = figure->width > 0 ? figure->width + figure->width % 2 : PIXELS;
    options.title = figure->title;
    options.scale_bar = false;
    options.pool = s->pool;
    s->height = ts_canvas_fitting_height(&options, figure->columns, figure->rows, (ts_box){0, 0, aspect, 1});
    s->height += s->height % 2; /* as videos want it */
    options.height = s->height;
    TS_TRY(ts_sheet3_create(&options, figure->columns, figure->rows, &s->sheet, error));
    bool same;
    TS_TRY(same_colours(s, &same, error));
    if (!same)
        ts_sheet3_no_key(s->sheet);
    return TS_OK;
}

static void close_stage(stage *s)
{
    ts_sheet3_free(s->sheet);
    for (int i = 0; i < s->reel_count; i++) {
        ts_painter3_free(s->reel[i].painter);
        ts_trajectory_close(s->reel[i].reader);
    }
    ts_free(s->reel);
    ts_free(s->of);
    ts_pool_free(s->pool);
}

/* ---- Drawing ---- */

static ts_status draw_panel(stage *s, int i, uint64_t index, ts_error *error)
{
    reel *r = &s->reel[s->of[i]];
    ts_frame frame;
    TS_TRY(ts_trajectory_read(r->reader, index, &frame, error));
    ts_painter3_from(r->painter, s->figure->panel[i].side);
    return ts_sheet3_panel(s->sheet, i, r->painter, &frame, s->figure->panel[i].label, error);
}

static ts_status write_png(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    TS_AUTO(close_stage) stage s = {0};
    TS_TRY(open_stage(&s, study, figure, error));
    for (int i = 0; i < s.count; i++) {
        if (s.of[i] < 0)
            continue;
        double time = s.figure->panel[i].time;
        uint64_t index = s.reel[s.of[i]].frames - 1;
        if (!isnan(time))
            TS_TRY(ts_film_nearest(s.reel[s.of[i]].reader, time, &index, error));
        TS_TRY(draw_panel(&s, i, index, error));
    }
    return ts_sheet3_write_png(s.sheet, path, error);
}

static ts_status draw_frame(void *user, uint64_t frame, const void **pixels, ts_error *error)
{
    stage *s = user;
    for (int i = 0; i < s->count; i++) {
        if (s->of[i] < 0)
            continue;
        uint64_t last = s->reel[s->of[i]].frames - 1;
        TS_TRY(draw_panel(s, i, frame < last ? frame : last, error));
    }
    *pixels = ts_sheet3_pixels(s->sheet);
    return TS_OK;
}

static ts_status write_mp4(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    TS_AUTO(close_stage) stage s = {0};
    TS_TRY(open_stage(&s, study, figure, error));
    ts_figure_video film = {s.width, s.height, 0, 0, draw_frame, &s};
    for (int k = 0; k < s.reel_count; k++)
        film.frames = s.reel[k].frames > film.frames ? s.reel[k].frames : film.frames;
    return ts_figure_film(&film, path, error);
}

ts_status ts_space_draw(ts_study *study, const ts_space_figure *figure, ts_error *error)
{
    return ts_figure_write(study, figure->file, "png", write_png, figure, error);
}

ts_status ts_space_film(ts_study *study, const ts_space_figure *figure, ts_error *error)
{
    return ts_figure_write(study, figure->file, "mp4", write_mp4, figure, error);
}
