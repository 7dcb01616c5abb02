/* SPDX-License-Identifier: MIT */
#include "study/space_draw.h"

/* Nothing is drawn as yet. */
ts_status ts_space_draw(ts_study *study, const ts_space_figure *figure, ts_error *error)
{
    (void)study;
    (void)figure;
    (void)error;
    return TS_OK;
}

ts_status ts_space_film(ts_study *study, const ts_space_figure *figure, ts_error *error)
{
    return ts_space_draw(study, figure, error);
}
