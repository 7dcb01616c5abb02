/* SPDX-License-Identifier: MIT */
/* An MP4 file from raw frames.
 *
 *     frames ─▶ socket ─▶ ffmpeg (H.264, yuv420p, BT.709, index in front) ─▶ name.<pid>.<n>.tmp ─▶ rename
 *
 * ffmpeg runs as a child process, started without a shell. It is fed through a socket rather than a pipe, because a
 * write to a socket can be told to raise no SIGPIPE when the child has died. A missing ffmpeg is TS_UNSUPPORTED with
 * the name of its package; a failing one is TS_IO with its exit code and the last lines it said. The file appears under
 * its name only when it is whole. */
#pragma once

#include "base/status.h"

typedef struct ts_video ts_video;

/* Starts ffmpeg. Width and height must be even (yuv420p), fps in (0, 1000], and the path must end in .mp4. */
ts_status ts_video_open(const char *path, int width, int height, double fps, ts_video **video, ts_error *error);
/* Adds a frame: rows from the top, B, G, R and an unused byte a pixel, no padding. After a failure only abort is
 * left. */
ts_status ts_video_frame(ts_video *video, const void *pixels, ts_error *error);
/* Finishes the file and puts it in its place; frees the video in any case. Without a single frame: TS_BAD_INPUT. */
ts_status ts_video_close(ts_video *video, ts_error *error);
/* Gives up: ends ffmpeg, removes what there is of the file, frees the video. NULL is fine. */
void ts_video_abort(ts_video *video);
