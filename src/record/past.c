/* SPDX-License-Identifier: MIT */
#include "record/past.h"

#include "base/memory.h"
#include "measure/snapshot.h"
#include "model.h"

ts_status ts_past_keep(ts_past *past, const ts_snapshot *now, ts_error *error)
{
    if (!past->place)
        past->place = ts_alloc_raw(now->body_count + 1, sizeof *past->place);
    if (!past->place)
        return ts_fail_memory(error, (now->body_count + 1) * sizeof *past->place);
    past->time = now->time;
    for (size_t i = 0; i < now->body_count; i++)
        past->place[i] = (ts_past_place){now->body[i].x, now->body[i].y, now->body[i].present};
    return TS_OK;
}

ts_status ts_past_recall(const ts_past *past, const ts_model *model, ts_snapshot *before, ts_error *error)
{
    TS_TRY(ts_snapshot_reserve(before, model->body_count, 0, 0, error));
    before->time = past->time;
    for (size_t i = 0; i < model->body_count; i++)
        before->body[i] = (ts_snapshot_body){.x = past->place[i].x,
                                             .y = past->place[i].y,
                                             .present = past->place[i].present,
                                             .fixed = !(model->body[i].inv_mass > 0)};
    return TS_OK;
}
