/* SPDX-License-Identifier: MIT */
#include "record/draw_sides.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"

enum { WIDTH_DEFAULT = 1400 };

/* From the lower to the upper edge: nearly parallel rays [rad]. */
#define FOV (9 * TS_PI / 180)
/* Width over height of a panel, at least and at most. */
#define ASPECT_LEAST 0.75
#define ASPECT_MOST  1.7

const ts_side ts_side_of[TS_SIDES] = {
    {"from the front right", {0.62, -1, 0.5}, {0, 0, 1}},
    {"from the front", {0, -1, 0.06}, {0, 0, 1}},
    {"from the back left", {-1, 0.55, 0.5}, {0, 0, 1}},
    {"from above", {0, -0.02, 1}, {0, 1, 0}},
};

/* Of a panel in which most sides fill most of the height and of the width. */
static double aspect_of(ts_box3 focus)
{
    const ts_vec3 size = ts_vec3_sub(focus.high, focus.low);
    double width = 0, height = 0;
    for (int i = 0; i < TS_SIDES; i++) {
        const ts_vec3 back = ts_vec3_unit(ts_side_of[i].from),
                      right = ts_vec3_unit(ts_vec3_cross(ts_side_of[i].up, back)), above = ts_vec3_cross(back, right);
        width = fmax(width, size.x * fabs(right.x) + size.y * fabs(right.y) + size.z * fabs(right.z));
        height = fmax(height, size.x * fabs(above.x) + size.y * fabs(above.y) + size.z * fabs(above.z));
    }
    return height > 0 ? fmin(fmax(width / height, ASPECT_LEAST), ASPECT_MOST) : 1;
}

/* The eye of each side, all equally far from the middle, so that lengths compare. Returns pixels of a metre. */
static double place_eyes(ts_box3 focus, int width, int height, ts_eye eye[TS_SIDES])
{
    const double aspect = (double)width / height;
    double farthest = 0;
    for (int i = 0; i < TS_SIDES; i++) {
        eye[i] = ts_camera_framing(focus, ts_side_of[i].from, ts_side_of[i].up, FOV, aspect, TS_WHOLE_IMAGE);
        farthest = fmax(farthest, ts_vec3_distance(eye[i].position, eye[i].target));
    }
    for (int i = 0; i < TS_SIDES; i++)
        eye[i].position = ts_vec3_add_scaled(eye[i].target, ts_vec3_unit(ts_side_of[i].from), farthest);
    return height / (2 * farthest * tan(0.5 * FOV));
}

static ts_view view_of(const ts_sides *sides, ts_box3 focus)
{
    ts_view view = ts_default_view();
    view.thing = sides->thing;
    view.thing_count = sides->thing_count;
    view.stage = focus;
    view.theme = sides->theme;
    view.grid = 0;
    return view;
}

/* The sun stands behind the left shoulder of whoever looks. */
static ts_vec3 sun_of(const ts_eye *eye)
{
    const ts_vec3 back = ts_vec3_unit(ts_vec3_sub(eye->position, eye->target)),
                  right = ts_vec3_unit(ts_vec3_cross(eye->up, back)), above = ts_vec3_cross(back, right);
    return ts_vec3_add_scaled(ts_vec3_add_scaled(ts_vec3_scale(above, 0.8), right, -0.55), back, 0.7);
}

static ts_status draw(ts_canvas *canvas, const ts_sides *sides, ts_box3 focus, ts_error *error)
{
    char text[256];
    ts_eye eye[TS_SIDES];
    ts_image part;
    ts_view view = view_of(sides, focus);
    TS_AUTO(ts_trace_free_at) ts_trace *trace = NULL;
    TS_TRY(ts_trace_create(sides->pool, &trace, error));
    /* the first box is any: it only says where panels are */
    TS_TRY(ts_canvas_sheet_begin(canvas, TS_SIDES_COLUMNS, TS_SIDES_ROWS, &sides->key, (ts_box){0, 0, 1, 1}, error));
    TS_TRY(ts_canvas_sheet_part(canvas, 0, &sides->key, &part, error));
    const double scale = place_eyes(focus, part.width, part.height, eye);
    const ts_box seen = {0, 0, part.width / scale, part.height / scale};
    TS_TRY(ts_canvas_sheet_begin(canvas, TS_SIDES_COLUMNS, TS_SIDES_ROWS, &sides->key, seen, error));
    for (int i = 0; i < TS_SIDES; i++) {
        TS_TRY(ts_canvas_sheet_part(canvas, i, &sides->key, &part, error));
        view.camera = eye[i];
        view.light.sun = sun_of(&eye[i]);
        view.up = ts_side_of[i].up;
        TS_TRY(ts_trace_draw(trace, &view, &part, error));
        snprintf(text, sizeof text, "%s%s%.200s", ts_side_of[i].text, i == 0 && sides->note ? "; " : "",
                 i == 0 && sides->note ? sides->note : "");
        TS_TRY(ts_canvas_sheet_frame(canvas, &part, text, error));
    }
    return TS_OK;
}

ts_status ts_draw_sides(const char *path, const ts_sides *sides, ts_error *error)
{
    ts_draw_options options = ts_default_draw_options();
    options.width = sides->width ? sides->width : WIDTH_DEFAULT;
    options.theme = sides->theme;
    options.title = sides->title;
    options.pool = sides->pool;
    ts_box3 focus = sides->focus;
    if (!(focus.low.x <= focus.high.x))
        focus = ts_view_bounds(&(ts_view){.thing = sides->thing, .thing_count = sides->thing_count});
    options.height =
        ts_canvas_fitting_height(&options, TS_SIDES_COLUMNS, TS_SIDES_ROWS, (ts_box){0, 0, aspect_of(focus), 1});
    TS_AUTO(ts_canvas_free_at) ts_canvas *canvas = NULL;
    TS_TRY(ts_canvas_create(&options, &canvas, error));
    TS_TRY(draw(canvas, sides, focus, error));
    return ts_canvas_write_png(canvas, path, error);
}
