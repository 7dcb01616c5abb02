/* SPDX-License-Identifier: MIT */
/* Files that a study draws: each is written to its folder and added to its figures. What the machine lacks the means
 * for, Cairo or ffmpeg, is left out. */
#pragma once

#include "study/plot.h"
#include "study/study.h"

#define TS_FIGURE_PATH 4200

/* Writes a figure to `path`; TS_UNSUPPORTED: the machine has no means to. */
typedef ts_status ts_figure_writer(ts_study *study, const void *figure, const char *path, ts_error *error);
/* <study's folder>/<file>.<kind>, by a function. */
ts_status ts_figure_write(ts_study *study, const char *file, const char *kind, ts_figure_writer *write,
                          const void *figure, ts_error *error);
/* A line plot, <file>.svg. */
ts_status ts_figure_plot(ts_study *study, const ts_plot *plot, const char *file, ts_error *error);

/* Draws a frame and says where its pixels are, as ts_video_frame takes them. */
typedef ts_status ts_figure_frame(void *stage, uint64_t frame, const void **pixels, ts_error *error);
typedef struct ts_figure_video {
    int width, height; /* [px], even */
    double rate;       /* frames a second; 0: 20 */
    uint64_t frames;
    ts_figure_frame *draw;
    void *stage; /* handed to it */
} ts_figure_video;

ts_status ts_figure_film(const ts_figure_video *film, const char *path, ts_error *error);
