/* SPDX-License-Identifier: MIT */
/* The study `disc-analytic`: what a few discs must do, from closed forms. */
#include "study/disc_analytic.h"
#include "study/studies.h"

ts_status ts_study_disc_analytic(ts_study *study, ts_error *error)
{
    ts_study_report(study, 0, "impacts");
    TS_TRY(ts_disc_impacts(study, error));
    ts_study_report(study, 0.4, "rolling and sliding");
    TS_TRY(ts_disc_motions(study, error));
    ts_study_report(study, 0.7, "stacks");
    TS_TRY(ts_disc_rests(study, error));
    ts_study_report(study, 0.9, "free clouds");
    return ts_disc_clouds(study, error);
}
