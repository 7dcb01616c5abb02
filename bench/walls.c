/* SPDX-License-Identifier: MIT */
#include "walls.h"

#include "base/status.h"

ts_status ts_bench_walls(ts_scene *scene, double width, ts_error *error)
{
    const double plane[3][4] = {{0, 0, 0, 1}, {0, 0, 1, 0}, {width, 0, -1, 0}};
    for (int i = 0; i < 3; i++) {
        ts_wall_def wall = ts_default_wall();
        wall.kind = TS_WALL_FLAT;
        wall.position[0] = plane[i][0];
        wall.position[1] = plane[i][1];
        wall.normal[0] = plane[i][2];
        wall.normal[1] = plane[i][3];
        TS_TRY(ts_scene_add_wall(scene, &wall, NULL, error));
    }
    return TS_OK;
}
