/* SPDX-License-Identifier: MIT */
#include "scene/dimension.h"

#include <float.h>

#include "scene/compile.h"
#include "scene/generate.h"
#include "scene/read_form.h"

const ts_dimension ts_in_plane = {.axes = 2,
                                  .turns = 1,
                                  .outlines = true,
                                  .foreign = TS_FIELD_SPACE,
                                  .round = TS_REGION_CIRCLE,
                                  .size_min = DBL_MIN,
                                  .size_max = TS_MAGNITUDE_MAX,
                                  .name = "the plane",
                                  .word = "plane",
                                  .remedy = "leave it out",
                                  .turned_by = "angle",
                                  .still = "attitude at (1, 0, 0, 0)",
                                  .round_name = "circle",
                                  .vector = "a list of two numbers, [x, y]",
                                  .box = "a list of four lengths, [left, bottom, right, top]",
                                  .two_points = "[x0, y0, x1, y1]",
                                  .two_points_count = "four",
                                  .up = "0, 1",
                                  .walls = "a circle, a polyline or an outline",
                                  .fills = ", random or line",
                                  .turns_key = "angles",
                                  .no_turn = "zero",
                                  .slices = {"y", "x"},
                                  .round_form = &ts_form_region_circle,
                                  .compile = &ts_compile_plane,
                                  .filling = &ts_filling_plane};

const ts_dimension ts_in_space = {.axes = 3,
                                  .turns = 3,
                                  .foreign = TS_FIELD_PLANE,
                                  .round = TS_REGION_CYLINDER,
                                  .size_min = TS_SOLID_SIZE_MIN,
                                  .size_max = TS_SOLID_SIZE_MAX,
                                  .name = "space",
                                  .word = "space",
                                  .remedy = "call ts_scene_set_space first",
                                  .turned_by = "attitude",
                                  .still = "angle at 0",
                                  .round_name = "cylinder",
                                  .vector = "a list of three numbers, [x, y, z]",
                                  .box = "a list of six lengths, [x0, y0, z0, x1, y1, z1]",
                                  .two_points = "[x0, y0, z0, x1, y1, z1]",
                                  .two_points_count = "six",
                                  .up = "0, 0, 1",
                                  .walls = "a room, a cylinder or a solid",
                                  .fills = " or random",
                                  .turns_key = "attitudes",
                                  .no_turn = "upright",
                                  .slices = {"z", "x"},
                                  .round_form = &ts_form_region_cylinder,
                                  .compile = &ts_compile_space,
                                  .filling = &ts_filling_space};
