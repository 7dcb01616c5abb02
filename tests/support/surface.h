/* SPDX-License-Identifier: MIT */
/* What a mesh is as a surface, by looking at every edge: the reference for whoever makes or reads meshes. */
#pragma once

#include "shape/mesh.h"

typedef struct ts_test_surface {
    bool closed;     /* each side i → j of a triangle has exactly one j → i, and none is there twice */
    bool manifold;   /* closed, every vertex is used, and the triangles around each make one fan */
    int parts;       /* surfaces that no edge joins */
    int euler;       /* vertices − edges + triangles: 2 · parts − 2 · handles */
    double volume;   /* by tetrahedra from the origin: positive when oriented outwards */
    double area;     /* of all triangles */
    double smallest; /* area of a triangle over the square of its longest side; 0.43 when all sides are equal */
} ts_test_surface;

ts_test_surface ts_test_surface_of(const ts_mesh *mesh);
/* Whether mirroring along an axis (0: x ↔ −x, …) gives the same vertices, to the last bit. */
bool ts_test_mirrored(const ts_mesh *mesh, int axis);
