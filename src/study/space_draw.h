/* SPDX-License-Identifier: MIT */
/* Pictures of runs in space side by side, for studies.
 *
 *     ts_space_panel panel[2] = {{.folder = run[0], .time = 0, .label = "spheres"}, {.folder = run[1], .time = 0, .label = "bones"}};
 *     ts_space_figure figure = {.file = "piles", .title = "Two piles", .panel = panel, .columns = 2, .rows = 1};
 *     TS_TRY(ts_space_draw(study, &figure, error));     <study's folder>/piles.png
 *
 * Panels of one folder have one camera, the same at all times; so have runs of about the same size, and others are each
 * seen with their own. A run without a camera of its own is seen from the front, the right and above. Bodies have the
 * colours of their shapes, or of their materials where there is but one shape; many bodies of a single kind those of
 * the layers that they began in. */
#pragma once

#include "study/study.h"

typedef struct ts_space_panel {
    const char *folder;         /* of a run */
    double time;                /* of the frame nearest to it [s]; TS_NONE: the end */
    const char *label;          /* the time is added to it; NULL: the time alone */
    const struct ts_side *side; /* where the camera stands (record/draw_sides.h); NULL: as said above */
} ts_space_panel;

typedef struct ts_space_figure {
    const char *file;            /* without folder and ending */
    const char *title;           /* may be NULL */
    const ts_space_panel *panel; /* row by row (columns · rows); a folder of NULL leaves its place empty */
    int columns, rows;
    int width; /* [px], even; 0: 1280 */
} ts_space_figure;

/* A PNG of the panels, added to the study's figures; without Cairo there is none. */
ts_status ts_space_draw(ts_study *study, const ts_space_figure *figure, ts_error *error);
/* An MP4 of the panels' runs in step with each other, from frame 0 to the last, twenty frames a second (the panels'
 * times are not looked at); without ffmpeg or Cairo there is none. */
ts_status ts_space_film(ts_study *study, const ts_space_figure *figure, ts_error *error);
