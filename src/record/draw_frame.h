/* SPDX-License-Identifier: MIT */
/* From a recorded frame to a picture: what colours mean, force chains, and one view and scale for a whole trajectory.
 *
 *     ts_painter_create(header, &style, &painter, &error);
 *     for a sample of frames:  ts_painter_survey(painter, &frame, &error);   widens view and scales
 *     for each frame:          ts_painter_draw(painter, &frame, canvas, view, &error);
 *
 * A painter that surveyed nothing surveys the first frame it draws. */
#pragma once

#include <stdbool.h>

#include "base/memory.h"
#include "record/draw.h"
#include "record/trajectory.h"

typedef enum ts_colour_by {
    TS_COLOUR_TYPE,     /* by shape; by material when there is only one shape */
    TS_COLOUR_SPEED,    /* of the centre of mass */
    TS_COLOUR_FORCE,    /* sum of the normal forces on a body */
    TS_COLOUR_SIZE,     /* radius of the bounding circle */
    TS_COLOUR_ANGLE,    /* orientation */
    TS_COLOUR_MATERIAL, /* by material */
    TS_COLOUR_LAYER,    /* by height in the first frame surveyed: shows how grains mix */
    TS_COLOUR_COUNT
} ts_colour_by;

/* Of "type", "speed", … in the order of the enumeration. TS_BAD_INPUT lists the names, and the nearest one. */
ts_status ts_colour_by_parse(const char *name, ts_colour_by *by, ts_error *error);

/* Space: contacts as arrows in bodies of glass, as long and as dark as this says. */
typedef enum ts_contact_marks {
    TS_MARKS_NONE,
    TS_MARKS_FORCE,  /* along the normal */
    TS_MARKS_WEIGHT, /* how much of a contact it is */
    TS_MARKS_GAP     /* how far bodies overlap, arrows of one length */
} ts_contact_marks;

/* Zero is a good default for every field. */
typedef struct ts_frame_style {
    ts_colour_by colour;
    ts_contact_marks contacts;
    bool chains;     /* force chains: lines whose width is the normal force */
    double high;     /* top of the colour scale, of contacts where they are drawn, in SI units; 0: from the survey */
    ts_theme theme;  /* which end of a map is strong depends on it */
    double playback; /* simulated seconds in a second of video, to be noted beside the time; 0 or 1: no note */
} ts_frame_style;

typedef struct ts_painter ts_painter;

/* The header must outlive the painter. TS_BAD_INPUT when the style needs contacts and the trajectory has none. */
ts_status ts_painter_create(const ts_trajectory_header *header, const ts_frame_style *style, ts_painter **painter,
                            ts_error *error);
void ts_painter_free(ts_painter *painter); /* NULL is fine */
TS_RELEASE_AT(ts_painter, ts_painter_free)

/* Takes a frame into account for view and scales. */
ts_status ts_painter_survey(ts_painter *painter, const ts_frame *frame, ts_error *error);
/* The view that shows all frames surveyed. */
ts_box ts_painter_view(const ts_painter *painter);

/* The frame as a picture, and what its colours mean. Both belong to the painter and are valid until its next call. */
ts_status ts_painter_picture(ts_painter *painter, const ts_frame *frame, const ts_picture **picture,
                             const ts_picture_key **key, ts_error *error);
/* The same, drawn; view TS_BOX_NONE: ts_painter_view. */
ts_status ts_painter_draw(ts_painter *painter, const ts_frame *frame, ts_canvas *canvas, ts_box view, ts_error *error);
