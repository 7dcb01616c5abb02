/* SPDX-License-Identifier: MIT */
/* Smooth bodies for studies of manifolds, and pictures of two of them. */
#pragma once

#include "shape/sdf.h"
#include "study/study.h"
#include "touchstone/manifold.h"
#include "touchstone/scene.h"

/* A superquadric about the origin, ε₁ = ε₂. Its mesh has cells × cells squares a side of the cube that it is blown up
 * from; all vertices stand on the surface. */
ts_status ts_smooth_superquadric(ts_vec3 half, double exponent, int cells, ts_sdf_body **body, ts_error *error);
/* Three bars that cross each other at the origin, each `length` long and a quarter as wide: not convex. */
ts_status ts_smooth_jack(double length, size_t vertices, ts_sdf_body **body, ts_error *error);

/* Adds a body as a shape of a scene. */
ts_status ts_smooth_add_shape(ts_scene *scene, const char *name, const ts_sdf_body *body, int32_t *shape,
                              ts_error *error);

/* Adds the plane z = 0. */
ts_status ts_smooth_add_floor(ts_scene *scene, ts_error *error);
/* Lowest and highest vertex of a turned body above its centre of mass [m]. */
ts_status ts_smooth_heights(const ts_sdf_body *body, ts_quat turn, double to[2], ts_error *error);

/* Volume that two bodies share, counted on a lattice of cells³ points around A [m³]. */
double ts_smooth_shared_volume(const ts_sdf_body *a, const ts_sdf_body *b, ts_pose3 pose_a, ts_pose3 pose_b, int cells);

ts_pose3 ts_smooth_pose(const ts_manifold_pose *pose);

/* One panel: bodies in their poses. */
typedef struct ts_smooth_panel {
    const ts_sdf_body *body[2];
    ts_pose3 pose[2];
    const char *label;
} ts_smooth_panel;

typedef struct ts_smooth_figure {
    const char *file, *title;
    const ts_smooth_panel *panel; /* row by row (columns · rows) */
    int columns, rows;
    int width, height; /* [px] */
} ts_smooth_figure;

/* A PNG of the panels, those of a row with one camera, seen from the front and a little above; without Cairo there is none. */
ts_status ts_smooth_draw(ts_study *study, const ts_smooth_figure *figure, ts_error *error);
