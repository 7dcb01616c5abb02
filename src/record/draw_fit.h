/* SPDX-License-Identifier: MIT */
/* A mesh and the smooth body that was fitted to it, side by side and from two sides:
 *
 *     ┌ Title ────────────────────────────────────┐
 *     │ the mesh     its superquadrics     contact mesh │      seen along the shortest side of its box, from a little above, and
 *     │ ┌─────────┐  ┌─────────┐  ┌─────────┐     │      from behind
 *     │ └─────────┘  └─────────┘  └─────────┘     │
 *     └───────────────────────────────────────────┘ */
#pragma once

#include "record/draw_smooth.h"

typedef struct ts_fit_picture {
    const ts_mesh *mesh;     /* that was fitted; NULL: left out */
    const ts_sdf_body *body; /* of superquadrics and other pieces */
    const char *mesh_label;  /* "26,002 vertices" */
} ts_fit_picture;

/* One row of panels for each of `count` fits; with one alone there are two rows, from two sides. Writes a PNG file,
 * atomically. TS_UNSUPPORTED in a build without Cairo. */
ts_status ts_draw_fits(const char *path, const ts_fit_picture *fit, size_t count, const ts_smooth_look *look,
                       ts_error *error);
