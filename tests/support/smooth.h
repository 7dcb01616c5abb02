/* SPDX-License-Identifier: MIT */
/* Smooth bodies for tests, whose meshes stand exactly on their surfaces. */
#pragma once

#include "base/random.h"
#include "base/vec.h"
#include "shape/sdf.h"

/* A superquadric of these half axes; its mesh has cells × cells squares a side of the cube it comes from. */
ts_sdf_body *ts_test_superquadric(ts_vec3 size, double e1, double e2, int cells);
/* The same with the sharp corners of a box for vertices: off its surface. */
ts_sdf_body *ts_test_sharp_box(double half, double e, int cells);
/* A box of planes, and the box as its mesh. */
ts_sdf_body *ts_test_polyhedron_box(double half, int cells);
/* Three superquadrics that overlap, with a mesh of marching tetrahedra. */
ts_sdf_body *ts_test_blob(double scale);

/* Any primitives with any mesh; `mesh` is taken over. */
ts_sdf_body *ts_test_smooth(const ts_primitive *primitive, size_t count, ts_mesh *mesh);
