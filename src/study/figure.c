/* SPDX-License-Identifier: MIT */
#include "study/figure.h"

#include <stdio.h>

#include "base/memory.h"
#include "record/video.h"

#define VIDEO_RATE 20.0

TS_RELEASE_AT(ts_video, ts_video_abort)

ts_status ts_figure_write(ts_study *study, const char *file, const char *kind, ts_figure_writer *write,
                          const void *figure, ts_error *error)
{
    const char *folder;
    char path[TS_FIGURE_PATH];
    TS_TRY(ts_study_out_dir(study, &folder, error));
    snprintf(path, sizeof path, "%.4000s/%.150s.%s", folder, file, kind);
    ts_status status = write(study, figure, path, error);
    if (status == TS_UNSUPPORTED)
        return TS_OK;
    TS_TRY(status);
    return ts_study_figure(study, path, error);
}

static ts_status write_plot(ts_study *study, const void *plot, const char *path, ts_error *error)
{
    (void)study;
    return ts_plot_write(plot, path, error);
}

ts_status ts_figure_plot(ts_study *study, const ts_plot *plot, const char *file, ts_error *error)
{
    return ts_figure_write(study, file, "svg", write_plot, plot, error);
}

ts_status ts_figure_film(const ts_figure_video *film, const char *path, ts_error *error)
{
    TS_AUTO(ts_video_abort_at) ts_video *video = NULL;
    TS_TRY(ts_video_open(path, film->width, film->height, film->rate > 0 ? film->rate : VIDEO_RATE, &video, error));
    for (uint64_t k = 0; k < film->frames; k++) {
        const void *pixels;
        TS_TRY(film->draw(film->stage, k, &pixels, error));
        TS_TRY(ts_video_frame(video, pixels, error));
    }
    return ts_video_close(ts_give(&video), error);
}
