/* SPDX-License-Identifier: MIT */
#include "record/kind.h"

#include "record/export_space.h"
#include "record/trajectory_format.h"

#define IN_PLANE(member, name) .member = name##_plane,
#define IN_SPACE(member, name) .member = name##_space,

const ts_record_kind ts_record_plane = {.axes = 2,
                                        .turns = 1,
                                        .down = {0, -1, 0},
                                        .oldest = 1,
                                        .version = TS_TRAJECTORY_PLANE_VERSION,
                                        .header_body = TS_HEADER_BODY_BYTES,
                                        .size = {25, 36, 68},
                                        .weighs = true,
                                        .momenta = "momentum_x_Ns,momentum_y_Ns,angular_momentum_Nms",
                                        .painting = &ts_painting_plane,
                                        .columns = TS_IN_PLANE,
                                        .quantities = "frames, bodies, walls, contacts, discs",
                                        .quantity_count = 5,
                                        .up = "Y",
                                        .lammps_columns =
                                            "id type x y z radius vx vy vz omegaz mass angle quatw quati quatj quatk",
                                        .lammps_side = "pp",
                                        .nothing = {{0, 0, 0}, {1, 1, 0}},
                                        TS_RECORD_FUNCTIONS(IN_PLANE)};

const ts_record_kind ts_record_space = {
    .axes = 3,
    .turns = 3,
    .down = {0, 0, -1},
    .oldest = TS_TRAJECTORY_VERSION,
    .version = TS_TRAJECTORY_VERSION,
    .flag = TS_TRAJECTORY_IS_SPACE,
    .header_body = TS_HEADER_BODY3_BYTES,
    .size = {57, 80, 76},
    .solids = true,
    .bounded = true,
    .tells_elastic = true,
    .momenta = "momentum_x_Ns,momentum_y_Ns,momentum_z_Ns,angular_momentum_x_Nms,"
               "angular_momentum_y_Nms,angular_momentum_z_Nms",
    .painting = &ts_painting_space,
    .columns = TS_IN_SPACE,
    .quantities = "frames, bodies, walls, contacts",
    .quantity_count = 4,
    .up = "Z",
    /* a quarter turn back about x */
    .gltf_world = "\"rotation\":[-0.707106769,0,0,0.707106769]",
    .lammps_columns =
        "id type x y z radius vx vy vz omegax omegay omegaz mass shapex shapey shapez quatw quati quatj quatk",
    .lammps_side = "ff",
    .nothing = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}},
    TS_RECORD_FUNCTIONS(IN_SPACE)};

const ts_record_kind *ts_record_kind_of(int dimension)
{
    return dimension == ts_record_space.axes ? &ts_record_space : &ts_record_plane;
}

ts_record_sizes ts_record_sizes_of(const ts_record_kind *kind, bool gates, bool weights)
{
    return (ts_record_sizes){kind->size.wall, kind->size.body + gates, kind->size.contact + (weights ? 4 : 0)};
}
