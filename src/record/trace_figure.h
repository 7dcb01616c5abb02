/* SPDX-License-Identifier: MIT */
/* A figure of bodies in space: the picture with title, time and key above it, as figures of the plane have them.
 *
 *     ts_figure3_create(&options, &figure, &error);
 *     for each frame:
 *         view.camera = ts_camera_around(box, width / height, ts_figure3_part(figure, &key, true));   once, for a calm video
 *         ts_figure3_draw(figure, &view, &key, "t = 1.25 s", NULL, &error);
 *         ts_video_frame(video, ts_figure3_pixels(figure), &error);        or ts_figure3_write_png
 *
 * There is no scale bar: lengths depend on the distance from the eye. The floor's grid says how large things are, and its spacing stands
 * below the picture. Without Cairo ts_figure3_create says TS_UNSUPPORTED. */
#pragma once

#include "record/trace.h"

typedef struct ts_figure3 ts_figure3;

/* Of the options width, height, theme (over the view's), labels, scale_bar (here: the spacing of the grid), title and pool are heeded.
 * They are copied, but for the title and the pool, which must outlive the figure. */
ts_status ts_figure3_create(const ts_draw_options *options, ts_figure3 **figure, ts_error *error);
void ts_figure3_free(ts_figure3 *figure); /* NULL is fine */

/* The part of the image that words leave free, for the camera. */
ts_image_part ts_figure3_part(const ts_figure3 *figure, const ts_picture_key *key, bool has_time);
/* Draws over the whole figure. The key explains the things' colours, which are the caller's; time_text and note may be NULL. */
ts_status ts_figure3_draw(ts_figure3 *figure, const ts_view *view, const ts_picture_key *key, const char *time_text,
                          const char *note, ts_error *error);

/* How far apart the lines of the floor are in the picture drawn last, "grid 10 cm"; false: there are none. */
bool ts_figure3_grid_text(const ts_trace *trace, char *text, size_t capacity);

/* As ts_canvas_pixels. */
const void *ts_figure3_pixels(const ts_figure3 *figure);
/* Writes a PNG file, atomically. */
ts_status ts_figure3_write_png(ts_figure3 *figure, const char *path, ts_error *error);
