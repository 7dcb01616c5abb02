/* SPDX-License-Identifier: MIT */
/* From a trajectory to pictures: one frame as PNG, several in a sheet, or all as MP4.
 *
 *     ts_render_options options = ts_default_render_options();
 *     options.kind = TS_RENDER_VIDEO;
 *     options.path = "fall.mp4";
 *     options.colour = TS_COLOUR_SPEED;
 *     status = ts_render(reader, &options, NULL, &error);
 *
 * View and scales are the same for all frames: they are found from a sample of the whole trajectory, so that two
 * pictures of one run can be laid side by side, and a video does not breathe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/draw.h"
#include "record/draw_frame.h"
#include "record/trajectory.h"

typedef enum ts_render_kind {
    TS_RENDER_IMAGE, /* one frame, PNG */
    TS_RENDER_SHEET, /* several frames in one PNG */
    TS_RENDER_VIDEO  /* MP4 */
} ts_render_kind;

/* Called now and then with how much is done (total 0: still looking for the view); false asks to stop (TS_INTERRUPTED,
 * nothing is left behind). */
typedef bool ts_render_progress(void *context, uint64_t done, uint64_t total);

typedef struct ts_render_options {
    ts_render_kind kind;
    const char *path;     /* of the file to write */
    ts_draw_options draw; /* size, theme, labels. height 0: as the view asks. title NULL: the trajectory's own */
    ts_frame_style style; /* what colours mean, force chains */
    ts_box view;          /* TS_BOX_NONE: automatic */
    bool sides;           /* space: image and video are seen from four sides at once */
    int thread_count;     /* 0: one a core; ignored when draw.pool is set */
    double from, to;      /* times of sheet and video [s]; NaN: the first and the last */

    /* image */
    int64_t frame; /* index; negative counts from the end, -1 is the last (default) */
    double time;   /* [s]: the frame nearest to it; NaN: `frame` decides */

    /* sheet */
    int panel_count; /* evenly in time; default 6 */
    int columns;     /* 0: chosen by the shape of the view */

    /* video */
    double fps;          /* default 30 */
    double speed;        /* simulated seconds in a second of video; 0: 1, but a video lasts 4 to 60 seconds */
    bool no_interpolate; /* show recorded frames only, instead of moving bodies evenly between them */

    ts_render_progress *progress; /* may be NULL */
    void *progress_context;
} ts_render_options;

/* What was made. */
typedef struct ts_render_result {
    int width, height;    /* [px] */
    uint64_t frame_count; /* of the video; panels of a sheet; 1 */
    double speed;         /* video: simulated seconds in a second */
    double from, to;      /* times shown [s] */
} ts_render_result;

ts_render_options ts_default_render_options(void);

/* Renders. `result` may be NULL. The reader's current frame changes. */
ts_status ts_render(ts_trajectory *reader, const ts_render_options *options, ts_render_result *result, ts_error *error);
