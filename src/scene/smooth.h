/* SPDX-License-Identifier: MIT */
/* Smooth bodies of scenes and programs (touchstone/smooth.h) become those of shape/sdf.h. */
#pragma once

#include "base/memory.h"
#include "shape/sdf.h"
#include "shape/solid_mass.h"
#include "touchstone/smooth.h"

/* The primitive of a piece, checked; its points are in the arena. */
ts_status ts_smooth_primitive(ts_arena *arena, const ts_smooth_piece *piece, ts_primitive *primitive, ts_error *error);

/* φ of a body, and its own mesh, checked: indices in range, finite points. */
ts_status ts_smooth_distance(const ts_smooth_def *def, ts_sdf **sdf, ts_error *error);
ts_status ts_smooth_own_mesh(const ts_smooth_def *def, ts_mesh **mesh, ts_error *error);
/* A mesh on its zero set, of about as many vertices as are wished: of a single superquadric one with its mirror planes
 * (shape/superquadric.h), else by remeshing. */
ts_status ts_smooth_surface(const ts_smooth_def *def, const ts_sdf *sdf, ts_mesh **mesh, ts_error *error);

/* A body with its mass, from a folder where both were kept before (base/store.h), or made and kept there: for blends alone,
 * since a single superquadric takes no time. NULL or "": no folder (smooth_cache.c). */
ts_status ts_smooth_obtain(const ts_smooth_def *def, const char *folder, ts_sdf_body **body, ts_solid_mass *mass,
                           ts_error *error);
/* The same body at another scale > 0. */
ts_status ts_smooth_scaled(const ts_sdf_body *from, double scale, ts_sdf_body **body, ts_error *error);
