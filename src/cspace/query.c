/* SPDX-License-Identifier: MIT */
#include "cspace/query.h"

#include "base/kernel.h"
#include "cspace/map.h"

TS_KERNEL_CHOOSER(ts_query_kernels, ts_query)

void ts_map_fields(const ts_map *map, size_t count, ts_fields *fields)
{
    ts_folding folding[TS_FIELD_BATCH];
    ts_fold_apply(&map->fold, count, fields, folding);
    map->query(map->field, count, fields);
    ts_fold_undo(&map->fold, count, fields, folding);
}

void ts_map_query(const ts_map *map, size_t count, const ts_map_pose *pose, ts_map_contact *contact)
{
    const ts_query_kernels *kernels = ts_query_choose();
    ts_fields fields;
    ts_query_frame frame;
    for (size_t i = 0; i < count; i += TS_QUERY_BATCH) {
        size_t n = count - i < TS_QUERY_BATCH ? count - i : TS_QUERY_BATCH;
        kernels->relative(map->pair->unit, n, pose + i, &fields, &frame);
        ts_map_fields(map, n, &fields);
        kernels->records(map->pair->radius_b, n, pose + i, &fields, &frame, contact + i);
    }
}
