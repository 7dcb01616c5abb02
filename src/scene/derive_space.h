/* SPDX-License-Identifier: MIT */
/* Time steps of scenes of space: what bodies, contacts and springs (scene/springs.h) ask for. */
#pragma once

#include "model.h"

typedef enum ts_step_reason {
    TS_STEP_DURATION = 0, /* so that there are some steps at all */
    TS_STEP_FALL,         /* a fall through the smallest body takes many steps */
    TS_STEP_SPEED,        /* the fastest body takes many steps through the smallest */
    TS_STEP_SPRING,       /* so does the fastest oscillation of springs */
    TS_STEP_FRAME,        /* frames come that often */
    TS_STEP_CONTACT       /* the penalty law: an impact of the lightest body takes many steps */
} ts_step_reason;

/* The time step that a scene gets when it asks for none [s], and what made it so short. Settings are as written;
 * `springs` is
 * the largest stable step of springs. Laws and the model's stable step are known. */
double ts_derive_time_step3(const ts_model *model, const ts_settings *settings, double springs, ts_step_reason *reason);
