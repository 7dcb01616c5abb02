/* SPDX-License-Identifier: MIT */
/* Pictures of smooth bodies (shape/sdf.h), each a sheet from four sides (draw_sides.h):
 *
 *     pieces       each primitive in a colour of its own, and the surface that they stand for as glass over them
 *     contacts     a manifold's points with their normals as arrows, in two bodies of glass
 *
 * Slices of signed distances are in draw_levels.h. */
#pragma once

#include "record/draw_sides.h"
#include "shape/sdf.h"
#include "touchstone/manifold.h"

/* How all of them look. */
typedef struct ts_smooth_look {
    const char *title; /* may be NULL */
    int width;         /* [px]; 0: 1400 */
    ts_theme theme;
    ts_pool *pool; /* may be NULL; borrowed */
} ts_smooth_look;

/* The decomposition of a body. `over`: the mesh that was decomposed, in the body's frame; NULL: none. What is
 * subtracted is drawn as coloured glass. Writes a PNG file, atomically; TS_UNSUPPORTED in a build without Cairo. */
ts_status ts_draw_pieces(const char *path, const ts_sdf *sdf, const ts_mesh *over, const ts_smooth_look *look,
                         ts_error *error);

/* What the colours of contacts mean: their weight, or one of the indicators of edges; then no others are drawn. */
typedef enum ts_contact_hue {
    TS_HUE_WEIGHT = 0,
    TS_HUE_COLLIDING,
    TS_HUE_INSIDE,
    TS_HUE_NEAREST,
    TS_HUE_CLASHING,
    TS_HUES
} ts_contact_hue;

typedef struct ts_contacts_picture {
    const ts_smooth *body[2]; /* A and B */
    ts_manifold_pose pose[2];
    ts_manifold_contacts contact; /* points, gaps, normals and weights; indicators where hues want them (count) */
    size_t count, vertex_count;   /* the first vertex_count are of vertices */
    ts_contact_hue hue;
    bool unscaled; /* arrows of one length instead of as long as the weight says */
    double reach;  /* contacts with a larger gap are left out; 0: 3% of the bodies' length [m] */
} ts_contacts_picture;

/* As above. */
ts_status ts_draw_contacts(const char *path, const ts_contacts_picture *picture, const ts_smooth_look *look,
                           ts_error *error);
