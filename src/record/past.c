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
        past->place[i] = (ts_past_place){{now->body[i].position[0], now->body[i].position[1], now->body[i].position[2]},
                                         now->body[i].present};
    return TS_OK;
}

ts_status ts_past_recall(const ts_past *past, const ts_model *model, ts_snapshot *before, ts_error *error)
{
    TS_TRY(ts_snapshot_reserve(before, model->body_count, 0, 0, error));
    before->time = past->time;
    before->dimension = model->dimension;
    for (size_t i = 0; i < model->body_count; i++) {
        const double *at = past->place[i].position;
        before->body[i] = (ts_snapshot_body){
            .position = {at[0], at[1], at[2]}, .present = past->place[i].present, .fixed = !ts_model_moves(model, i)};
    }
    return TS_OK;
}
