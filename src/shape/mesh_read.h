/* SPDX-License-Identifier: MIT */
/* Meshes from files: Wavefront OBJ, STL (text and binary), PLY (text, and binary of either byte order).
 *
 *     bytes ──mesh_read_{obj,stl,ply}.c──▶ soup of triangles ──mesh_repair.c──▶ closed mesh, and a report on what was mended
 *
 *     OBJ   v, f (polygons, relative indices, texture and normal indices, lines that go on after a backslash); groups, materials, lines
 *           and points are passed over; free-form surfaces are refused
 *     STL   vertices alone count: normals are passed over, and three vertices of each facet are welded to those of the others
 *     PLY   x, y, z of "vertex", vertex_indices (or vertex_index) of "face", in any number type; all else is passed over
 *
 * Polygons are cut into triangles in their own plane, by ears, so they need not be convex. Numbers read the same in
 * every locale. No count in a file is believed: it is compared with the bytes that are left before any memory is asked
 * for, so that memory stays within a fixed multiple of the file's size. NaN, infinities and indices of vertices that do
 * not exist are errors, with their line or number. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "shape/mesh.h"
#include "shape/mesh_repair.h"

typedef enum ts_mesh_format {
    TS_MESH_AUTO = 0, /* told by the bytes, else by the end of the name */
    TS_MESH_OBJ,
    TS_MESH_STL,
    TS_MESH_PLY
} ts_mesh_format;

/* Larger files are refused. */
#define TS_MESH_BYTES_MAX (((size_t)1 << 31) - 1)
/* A polygon of more corners is a mistake, or an attack: cutting it may take the square of them. */
#define TS_MESH_CORNERS_MAX ((size_t)10000)

/* A closed mesh, to be freed with ts_mesh_free. `name` (may be NULL) stands in errors. `report` may be NULL. */
ts_status ts_mesh_read(const void *bytes, size_t size, ts_mesh_format format, const char *name, ts_mesh_report *report,
                       ts_mesh **mesh, ts_error *error);

/* The triangles as they stand in the file, neither checked nor mended but for indices and numbers. */
ts_status ts_mesh_parse(const void *bytes, size_t size, ts_mesh_format format, const char *name, ts_mesh **soup,
                        ts_error *error);
