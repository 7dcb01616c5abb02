/* SPDX-License-Identifier: MIT */
/* Contacts of recorded frames of space as arrows: from the point on A along the normal, towards B.
 *
 *     for a sample of frames:  ts_contacts3_survey(&contacts, &frame);          finds the scale
 *     for each frame:          ts_contacts3_add(&contacts, &frame, size, &things, &error); */
#pragma once

#include "record/draw_arrows.h"
#include "record/draw_frame.h"

typedef struct ts_contacts3 {
    ts_contact_marks marks; /* TS_MARKS_NONE: nothing is drawn */
    double high;            /* top of the scale */
    bool given;             /* by the user: the survey leaves it alone */
    ts_colour_map map;
    ts_arrows arrows;
} ts_contacts3;

ts_contacts3 ts_contacts3_make(const ts_frame_style *style);
void ts_contacts3_release(ts_contacts3 *contacts);
void ts_contacts3_survey(ts_contacts3 *contacts, const ts_frame *frame);
/* `size`: length of the longest arrow [m]. The things are valid until the next call. */
ts_status ts_contacts3_add(ts_contacts3 *contacts, const ts_frame *frame, double size, ts_thing_array *things,
                           ts_error *error);
/* What their colours mean. */
ts_picture_key ts_contacts3_key(const ts_contacts3 *contacts);
