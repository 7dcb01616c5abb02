/* SPDX-License-Identifier: MIT */
#include "cspace/query.h"

#include <math.h>
#include <string.h>

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

/* Poses and records for a caller who calls A what is B here. */
static void turn_poses(size_t count, const ts_map_pose *from, ts_map_pose *to)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to[i].a, from[i].b, sizeof to[i].a);
        memcpy(to[i].b, from[i].a, sizeof to[i].b);
        to[i].scale = from[i].scale;
    }
}

static void turn_records(size_t count, ts_map_contact *contact)
{
    for (size_t i = 0; i < count; i++) {
        const ts_map_contact c = contact[i];
        contact[i] = (ts_map_contact){.gap = c.gap,
                                      .normal = {-c.normal[0], -c.normal[1]},
                                      .slope = c.slope,
                                      .turn_a = c.turn_b,
                                      .turn_b = c.turn_a,
                                      .arm_a = -c.arm_b,
                                      .arm_b = -c.arm_a,
                                      .point_a = {c.point_b[0], c.point_b[1]},
                                      .point_b = {c.point_a[0], c.point_a[1]}};
    }
}

ts_map_pose ts_map_place(const ts_map *map, const double at[3], const double pose[3])
{
    const double unit = map->pair->unit, c = cos(at[2]), s = sin(at[2]);
    ts_map_pose p = {.a = {at[0], at[1], at[2]}, .scale = 1}, turned;
    p.b[0] = at[0] + unit * (c * pose[0] - s * pose[1]);
    p.b[1] = at[1] + unit * (s * pose[0] + c * pose[1]);
    p.b[2] = at[2] + pose[2];
    if (!map->turned)
        return p;
    turn_poses(1, &p, &turned);
    return turned;
}

void ts_map_query(const ts_map *map, size_t count, const ts_map_pose *pose, ts_map_contact *contact)
{
    const ts_query_kernels *kernels = ts_query_choose();
    ts_fields fields;
    ts_query_frame frame;
    ts_map_pose turned[TS_QUERY_BATCH];
    for (size_t i = 0; i < count; i += TS_QUERY_BATCH) {
        size_t n = count - i < TS_QUERY_BATCH ? count - i : TS_QUERY_BATCH;
        const ts_map_pose *p = map->turned ? turned : pose + i;
        if (map->turned)
            turn_poses(n, pose + i, turned);
        kernels->relative(map->pair->unit, n, p, &fields, &frame);
        ts_map_fields(map, n, &fields);
        kernels->records(map->pair->radius_b, n, p, &fields, &frame, contact + i);
        if (map->turned)
            turn_records(n, contact + i);
    }
}
