/* SPDX-License-Identifier: MIT */
#include "scene/derive_space.h"

#include <math.h>

#include "scene/derive_law.h"
#include "scene/springs.h"

/* A derived step: the time that a fall through the smallest body takes, over this; and so many steps at least. */
static const double steps_a_fall = 20, steps_a_body = 10, steps_min = 100;

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

static void shorten(double limit, ts_step_reason why, double *step, ts_step_reason *reason)
{
    if (limit < *step) {
        *step = limit;
        *reason = why;
    }
}

/* Of the contacts' own stable step ts_contact_step takes its share. */
static void shorten_penalty(const ts_model *model, double *step, ts_step_reason *reason)
{
    double lightest = 0;
    for (size_t i = 0; i < model->body_count; i++)
        lightest = fmax(lightest, model->body3[i].inv_mass);
    shorten(ts_contact_step(model, lightest), TS_STEP_CONTACT, step, reason);
}

double ts_derive_time_step3(const ts_model *model, const ts_settings *settings, double springs, ts_step_reason *reason)
{
    const bool impact = model->contacts_at == TS_AT_END;
    double smallest = HUGE_VAL, fastest = 0, gravity = ts_vec3_length(model->gravity);
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body3 *b = &model->body3[i];
        if (b->inv_mass > 0) {
            smallest = fmin(smallest, model->form[model->body_form[i]].inner);
            fastest = fmax(fastest, ts_vec3_length(vec_of(b->velocity)));
        }
    }
    double step = settings->duration / steps_min;
    *reason = TS_STEP_DURATION;
    if (impact && gravity > 0 && isfinite(smallest))
        shorten(sqrt(2 * smallest / gravity) / steps_a_fall, TS_STEP_FALL, &step, reason);
    if (impact && fastest > 0 && isfinite(smallest))
        shorten(smallest / fastest / steps_a_body, TS_STEP_SPEED, &step, reason);
    if (!impact)
        shorten_penalty(model, &step, reason);
    shorten(TS_SPRING_STEP_SHARE * springs, TS_STEP_SPRING, &step, reason);
    if (settings->frame_interval > 0)
        shorten(settings->frame_interval, TS_STEP_FRAME, &step, reason);
    return ts_whole_step(settings->duration, step);
}
