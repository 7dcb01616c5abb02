/* SPDX-License-Identifier: MIT */
#include "record/render.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "record/draw_label.h"
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
typedef struct job {
    ts_trajectory *reader;
    const ts_trajectory_header *header;
    const ts_render_options *options;
    ts_draw_options draw;
    ts_pool *pool; /* ours, or NULL */
    ts_painter *painter;
    ts_canvas *canvas;
    ts_box view;
    uint64_t frame_count;
    double from, to;
    ts_render_result result;
} job;

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
        TS_TRY(ts_painter_survey(j->painter, &frame, error));
        any = true;
        if (!going_on(j, 0, 0))
            return stopped(error);
    }
    if (!any)
        return ts_fail(error, TS_CORRUPT, "no frame of the trajectory that was tried can be read; run the scene again");
    j->view = ts_box_given(j->options->view) ? j->options->view : ts_painter_view(j->painter);
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

/* The frame whose time is nearest. */
static ts_status nearest_frame(job *j, double time, uint64_t *index, ts_error *error)
{
    double before, after;
    TS_TRY(ts_trajectory_find(j->reader, time, index, error));
    if (*index + 1 >= j->frame_count)
        return TS_OK;
    TS_TRY(ts_trajectory_peek(j->reader, *index, NULL, &before, error));
    TS_TRY(ts_trajectory_peek(j->reader, *index + 1, NULL, &after, error));
    if (after - time < time - before)
        ++*index;
    return TS_OK;
}

/* The canvas, as high as the view asks when the height is left open; a video's sides are even. */
static ts_status make_canvas(job *j, int columns, int rows, ts_error *error)
{
    j->draw = j->options->draw;
    j->draw.pool = j->draw.pool ? j->draw.pool : j->pool;
    if (!j->draw.title && j->header->title && j->header->title[0])
        j->draw.title = j->header->title;
    if (j->draw.height == 0 && j->draw.width > 0)
        j->draw.height = ts_canvas_fitting_height(&j->draw, columns, rows, j->view);
    if (j->options->kind == TS_RENDER_VIDEO) {
        j->draw.width += j->draw.width % 2;
        j->draw.height += j->draw.height % 2;
    }
    TS_TRY(ts_canvas_create(&j->draw, &j->canvas, error));
    j->result.width = j->draw.width;
    j->result.height = j->draw.height;
    return TS_OK;
}

/* ---- One frame ---- */

static ts_status render_image(job *j, ts_error *error)
{
    const ts_render_options *options = j->options;
    uint64_t index = 0;
    if (!isnan(options->time)) {
        TS_TRY(nearest_frame(j, options->time, &index, error));
    } else {
        uint64_t back = options->frame < 0 ? (uint64_t) - (options->frame + 1) + 1 : 0;
        index = options->frame < 0 ? j->frame_count - back : (uint64_t)options->frame;
        if (back > j->frame_count || index >= j->frame_count)
            return ts_fail(error, TS_BAD_INPUT, "there is no frame %lld; the trajectory has frames 0 to %llu",
                           (long long)options->frame, (unsigned long long)(j->frame_count - 1));
    }
    ts_frame frame;
    TS_TRY(make_canvas(j, 1, 1, error));
    TS_TRY(ts_trajectory_read(j->reader, index, &frame, error));
    TS_TRY(ts_painter_draw(j->painter, &frame, j->canvas, j->view, error));
    j->result.from = j->result.to = frame.time;
    j->result.frame_count = 1;
    return ts_canvas_write_png(j->canvas, options->path, error);
}

/* ---- A sheet ---- */

/* The number of columns that brings the figure nearest to 16:9 with the fewest empty places. */
static int choose_columns(const job *j, int panel_count)
{
    double aspect = (j->view.y1 - j->view.y0) / (j->view.x1 - j->view.x0), best = HUGE_VAL;
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

static ts_status render_sheet(job *j, ts_error *error)
{
    const ts_render_options *options = j->options;
    int count = options->panel_count;
    if (count < 1 || count > PANELS_MAX || options->columns < 0 || options->columns > PANELS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a sheet of %d panels in %d columns is not possible; give 1 to %d", count,
                       options->columns, PANELS_MAX);
    int columns = options->columns > 0 ? options->columns : choose_columns(j, count);
    int rows = (count + columns - 1) / columns;
    TS_TRY(make_canvas(j, columns, rows, error));
    for (int panel = 0; panel < count; panel++) {
        double time = count > 1 ? j->from + (j->to - j->from) * panel / (count - 1) : j->to;
        const ts_picture *picture;
        const ts_picture_key *key;
        uint64_t index;
        ts_frame frame;
        TS_TRY(nearest_frame(j, time, &index, error));
        TS_TRY(ts_trajectory_read(j->reader, index, &frame, error));
        TS_TRY(ts_painter_picture(j->painter, &frame, &picture, &key, error));
        if (panel == 0)
            TS_TRY(ts_canvas_sheet_begin(j->canvas, columns, rows, key, j->view, error));
        TS_TRY(ts_canvas_sheet_panel(j->canvas, panel, picture, key, error));
        if (!going_on(j, (uint64_t)panel + 1, (uint64_t)count))
            return stopped(error);
    }
    j->result.from = j->from;
    j->result.to = j->to;
    j->result.frame_count = (uint64_t)count;
    return ts_canvas_write_png(j->canvas, options->path, error);
}

/* ---- A video ---- */

/* A frame of our own: the reader has one at a time, and motion between frames needs two. */
typedef struct held_frame {
    bool full;
    ts_frame frame; /* arrays are those below */
    ts_frame_body *body;
    ts_frame_boundary *boundary;
    TS_ARRAY(ts_frame_contact) contact;
} held_frame;

typedef struct film {
    held_frame before, after, between;
} film;

static ts_status held_create(held_frame *held, const ts_trajectory_header *header, ts_error *error)
{
    held->body = ts_alloc(header->body_count + 1, sizeof *held->body);
    held->boundary = ts_alloc(header->boundary_count + 1, sizeof *held->boundary);
    if (!held->body || !held->boundary)
        return ts_fail_memory(error, header->body_count * sizeof *held->body);
    return TS_OK;
}

static void held_free(held_frame *held)
{
    ts_free(held->body);
    ts_free(held->boundary);
    ts_array_free(&held->contact);
}

static ts_status held_read(held_frame *held, job *j, uint64_t index, ts_error *error)
{
    if (held->full && held->frame.index == index)
        return TS_OK;
    ts_frame frame;
    held->full = false;
    TS_TRY(ts_trajectory_read(j->reader, index, &frame, error));
    TS_TRY(ts_array_reserve(&held->contact, frame.contact_count, error));
    memcpy(held->body, frame.body, j->header->body_count * sizeof *held->body);
    if (j->header->boundary_count > 0)
        memcpy(held->boundary, frame.boundary, j->header->boundary_count * sizeof *held->boundary);
    if (frame.contact_count > 0)
        memcpy(held->contact.item, frame.contact, frame.contact_count * sizeof *held->contact.item);
    frame.body = held->body;
    frame.boundary = held->boundary;
    frame.contact = held->contact.item;
    held->frame = frame;
    held->full = true;
    return TS_OK;
}

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* Everything moves evenly from one frame to the next; what is there, and the contacts, are those of the nearer one. */
static void interpolate(const job *j, film *f, double t)
{
    const ts_frame *a = &f->before.frame, *b = &f->after.frame, *near = t < 0.5 ? a : b;
    held_frame *out = &f->between;
    for (size_t i = 0; i < j->header->body_count; i++) {
        const ts_frame_body *p = &a->body[i], *q = &b->body[i];
        out->body[i] = near->body[i];
        if (!p->present || !q->present)
            continue;
        out->body[i].x = mix(p->x, q->x, t);
        out->body[i].y = mix(p->y, q->y, t);
        out->body[i].angle = mix(p->angle, q->angle, t);
        out->body[i].vx = (float)mix((double)p->vx, (double)q->vx, t);
        out->body[i].vy = (float)mix((double)p->vy, (double)q->vy, t);
    }
    for (size_t i = 0; i < j->header->boundary_count; i++) {
        const ts_frame_boundary *p = &a->boundary[i], *q = &b->boundary[i];
        out->boundary[i] = near->boundary[i];
        if (!p->present || !q->present)
            continue;
        out->boundary[i].x = mix(p->x, q->x, t);
        out->boundary[i].y = mix(p->y, q->y, t);
        out->boundary[i].angle = mix(p->angle, q->angle, t);
    }
    out->frame = *near;
    out->frame.time = mix(a->time, b->time, t);
    out->frame.body = out->body;
    out->frame.boundary = out->boundary;
}

/* The frame to show at a time. */
static ts_status film_at(film *f, job *j, double time, const ts_frame **frame, ts_error *error)
{
    uint64_t index;
    TS_TRY(ts_trajectory_find(j->reader, time, &index, error));
    if (f->after.full && f->after.frame.index == index) {
        held_frame swap = f->before;
        f->before = f->after;
        f->after = swap;
    }
    TS_TRY(held_read(&f->before, j, index, error));
    *frame = &f->before.frame;
    double start = f->before.frame.time;
    if (j->options->no_interpolate || index + 1 >= j->frame_count || !(time > start))
        return TS_OK;
    TS_TRY(held_read(&f->after, j, index + 1, error));
    double span = f->after.frame.time - start;
    if (!(span > 0))
        return TS_OK;
    interpolate(j, f, fmin((time - start) / span, 1));
    *frame = &f->between.frame;
    return TS_OK;
}

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

static ts_status show_film(job *j, film *f, ts_video *video, uint64_t count, ts_error *error)
{
    for (uint64_t k = 0; k < count; k++) {
        const ts_frame *frame;
        double time = fmin(j->from + (double)k * j->result.speed / j->options->fps, j->to);
        TS_TRY(film_at(f, j, time, &frame, error));
        TS_TRY(ts_painter_draw(j->painter, frame, j->canvas, j->view, error));
        TS_TRY(ts_video_frame(video, ts_canvas_pixels(j->canvas), error));
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
    TS_TRY(make_canvas(j, 1, 1, error));
    film f = {0};
    ts_video *video = NULL;
    ts_status status = held_create(&f.before, j->header, error);
    if (status == TS_OK)
        status = held_create(&f.after, j->header, error);
    if (status == TS_OK)
        status = held_create(&f.between, j->header, error);
    if (status == TS_OK)
        status = ts_video_open(options->path, j->draw.width, j->draw.height, options->fps, &video, error);
    if (status == TS_OK)
        status = show_film(j, &f, video, (uint64_t)frames, error);
    if (status == TS_OK)
        status = ts_video_close(video, error);
    else
        ts_video_abort(video);
    held_free(&f.before);
    held_free(&f.after);
    held_free(&f.between);
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
    TS_TRY(ts_painter_create(j->header, &style, &j->painter, error));
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
    ts_status status = ts_trajectory_need_plane(reader, "a picture as yet", error);
    if (status == TS_OK)
        status = render(&j, error);
    ts_canvas_free(j.canvas);
    ts_painter_free(j.painter);
    ts_pool_free(j.pool);
    if (status == TS_OK && result)
        *result = j.result;
    return status;
}
