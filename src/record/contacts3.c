/* SPDX-License-Identifier: MIT */
#include "record/contacts3.h"

#include <math.h>

/* Width of an arrow over the length of the longest one; length of arrows that all have one. */
#define ARROW_WIDTH  0.055
#define ARROW_COMMON 0.6

static const char *const label[] = {"", "normal force", "weight of contact", "overlap"};
static const char *const unit[] = {"", "N", "", "m"};

ts_contacts3 ts_contacts3_make(const ts_frame_style *style)
{
    const bool given = style->contacts != TS_MARKS_NONE && style->high > 0;
    return (ts_contacts3){.marks = style->contacts,
                          .high = given                                ? style->high
                                  : style->contacts == TS_MARKS_WEIGHT ? 1
                                                                       : 0,
                          .given = given || style->contacts == TS_MARKS_WEIGHT,
                          .map = style->theme == TS_THEME_DARK ? TS_MAP_MAGMA : TS_MAP_MAGMA_REVERSED};
}

void ts_contacts3_release(ts_contacts3 *contacts)
{
    ts_arrows_release(&contacts->arrows);
}

static double value_of(const ts_contacts3 *contacts, const ts_frame_contact *c)
{
    switch (contacts->marks) {
    case TS_MARKS_FORCE:
        return ts_frame_normal_force(c);
    case TS_MARKS_WEIGHT:
        return (double)c->weight;
    default:
        return -(double)c->gap;
    }
}

void ts_contacts3_survey(ts_contacts3 *contacts, const ts_frame *frame)
{
    for (size_t i = 0; !contacts->given && i < frame->contact_count; i++)
        contacts->high = fmax(contacts->high, value_of(contacts, &frame->contact[i]));
}

ts_status ts_contacts3_add(ts_contacts3 *contacts, const ts_frame *frame, double size, ts_thing_array *things,
                           ts_error *error)
{
    if (contacts->marks == TS_MARKS_NONE)
        return TS_OK;
    TS_TRY(ts_arrows_reserve(&contacts->arrows, frame->contact_count, error));
    for (size_t i = 0; i < frame->contact_count; i++) {
        const ts_frame_contact *c = &frame->contact[i];
        const double share = contacts->high > 0 ? fmin(fmax(value_of(contacts, c) / contacts->high, 0), 1) : 0,
                     length = contacts->marks == TS_MARKS_GAP ? ARROW_COMMON : share;
        const ts_vec3 normal = {(double)c->normal[0], (double)c->normal[1], (double)c->normal[2]};
        const ts_arrow arrow = {.from = ts_vec3_of(c->point),
                                .way = ts_vec3_scale(normal, length * size),
                                .width = ARROW_WIDTH * size,
                                .colour = ts_colour_map_at(contacts->map, share)};
        TS_TRY(ts_arrows_add(&contacts->arrows, &arrow, things, error));
    }
    return TS_OK;
}

ts_picture_key ts_contacts3_key(const ts_contacts3 *contacts)
{
    return (ts_picture_key){.kind = TS_KEY_SCALE,
                            .map = contacts->map,
                            .high = contacts->high,
                            .label = label[contacts->marks],
                            .unit = unit[contacts->marks]};
}
