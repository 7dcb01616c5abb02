/* SPDX-License-Identifier: MIT */
#include "contact/probed.h"

/* dx, dy, angle of B for the question number i ≥ 1. */
static void way_aside(const ts_map_contact *c, double length, double turn, int i, double way[3])
{
    const double nx = c->normal[0], ny = c->normal[1];
    const double side[TS_PROBED_MOST][3] = {{0}, {nx, ny, 0}, {-ny, nx, 0}, {ny, -nx, 0}, {0, 0, 1}, {0, 0, -1}};
    way[0] = length * side[i][0];
    way[1] = length * side[i][1];
    way[2] = turn * side[i][2];
}

/* A place that showed when B stood at `b`, unless it is known already. */
static void add_place(ts_probed *list, const ts_map_contact *c, const double b[3], double radius, double same)
{
    for (int i = 0; i < list->count; i++) {
        const ts_map_contact *known = &list->item[i];
        const double dx = c->slope * c->normal[0] - known->slope * known->normal[0],
                     dy = c->slope * c->normal[1] - known->slope * known->normal[1],
                     turn = (c->turn_b - known->turn_b) / radius;
        if (dx * dx + dy * dy + turn * turn < same * same)
            return;
    }
    list->item[list->count] = *c;
    for (int d = 0; d < 3; d++)
        list->b[list->count][d] = b[d];
    list->count++;
}

void ts_probed_ask(const ts_workspace *work, const ts_form_map *map, const ts_candidate *pair, int count,
                   const ts_map_pose *pose, const double *length, double same, ts_probed *list)
{
    ts_map_pose shifted[TS_BATCH];
    ts_map_contact contact[TS_BATCH], other[TS_BATCH];
    ts_mapped_ask(work, map, pair, count, pose, contact);
    for (int k = 0; k < count; k++) {
        list[k].count = 0;
        add_place(&list[k], &contact[k], pose[k].b, 1, same);
    }
    for (int i = 1; i < TS_PROBED_MOST && length; i++) {
        for (int k = 0; k < count; k++) {
            double way[3];
            way_aside(&contact[k], length[k], length[k] / work->part[pair[k].b].radius, i, way);
            shifted[k] = pose[k];
            for (int d = 0; d < 3; d++)
                shifted[k].b[d] += way[d];
        }
        ts_mapped_ask(work, map, pair, count, shifted, other);
        for (int k = 0; k < count; k++)
            add_place(&list[k], &other[k], shifted[k].b, work->part[pair[k].b].radius, same);
    }
}
