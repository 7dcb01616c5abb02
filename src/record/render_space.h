/* SPDX-License-Identifier: MIT */
/* From a recorded frame of space to a view that can be traced: bodies as things in their colours, walls, one stage and
 * one camera for a whole trajectory.
 *
 *     ts_painter3_create(header, &style, &painter, &error);
 *     for a sample of frames:  ts_painter3_survey(painter, &frame, &error);     widens the stage, finds the scale of colours
 *     ts_painter3_look(painter, width / height, part);                          places the camera
 *     for each frame:          ts_painter3_view(painter, &frame, &view, &error);
 *
 *     floors (planes that are not steep)            a floor with a grid
 *     other planes, vessels                         glass
 *     other walls                                   solid; glass where they would hide many of the bodies
 *     springs                                       coils, whose turns move apart as they are stretched
 *     contacts (style.contacts)                     arrows in bodies of coloured glass
 *
 * Where the scene has things at rest but no floor, there is one below everything, so that shadows fall on something.
 * The picture's up is against gravity. The camera is the scene's; without one it stands in front, to the right and
 * above, and the light comes from the left of wherever it stands. */
#pragma once

#include "base/memory.h"
#include "record/draw_frame.h"
#include "record/tint.h"
#include "record/trace.h"

typedef struct ts_painter3 ts_painter3;

/* The header, which is of space, must outlive the painter. TS_BAD_INPUT for a style that only the plane has: force
 * chains, angles. */
ts_status ts_painter3_create(const ts_trajectory_header *header, const ts_frame_style *style, ts_painter3 **painter,
                             ts_error *error);
void ts_painter3_free(ts_painter3 *painter); /* NULL is fine */
TS_RELEASE_AT(ts_painter3, ts_painter3_free)

/* Takes a frame into account for stage and scales. */
ts_status ts_painter3_survey(ts_painter3 *painter, const ts_frame *frame, ts_error *error);
/* Around all that matters in the frames surveyed: all bodies but those that flew away from the rest, and the walls near
 * them. Finite, of positive size. */
ts_box3 ts_painter3_stage(const ts_painter3 *painter);
/* Makes the stage at least this large, as for runs that are to be seen side by side. */
void ts_painter3_widen(ts_painter3 *painter, ts_box3 by);
/* Width : height of a picture that the stage just fills, from 0.6 to 2.4; 16 : 9 where the scene has its own camera. */
double ts_painter3_aspect(const ts_painter3 *painter);
/* Places the camera for a picture with width : height = aspect, of which `part` is free of words. */
void ts_painter3_look(ts_painter3 *painter, double aspect, ts_image_part part);

/* From now on the camera stands at this side (draw_sides.h), whatever the scene says; NULL: where it stood. */
struct ts_side;
void ts_painter3_from(ts_painter3 *painter, const struct ts_side *side);

/* The frame as a view; what its colours mean is in ts_painter3_tint. Both belong to the painter and are valid until its
 * next call. A painter that surveyed nothing surveys this frame; one that looks nowhere looks as for 16 : 9. */
ts_status ts_painter3_view(ts_painter3 *painter, const ts_frame *frame, const ts_view **view, ts_error *error);
const ts_tint *ts_painter3_tint(const ts_painter3 *painter);
/* What the colours mean that matter most: of contacts where they are drawn, else the tint's. */
ts_picture_key ts_painter3_key(const ts_painter3 *painter);
