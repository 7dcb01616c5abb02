/* SPDX-License-Identifier: MIT */
/* Pictures of bodies in space: rays through a tree of boxes, on the processor.
 *
 *     sun ╲  ╲           for each pixel: the nearest thing along its ray        (primary ray)
 *          ╲  ╲                          does it see the sun?                   (a ray towards a point of the sun's disc)
 *        ┌──┐  ╲                         how much of the sky does it see?       (rays to a few of 32 directions of the sky;
 *        │  │◀──╲──── eye                                                        neighbours that see the same surface share)
 *     ───┴──┴────▓▓── ground             where neighbours differ: eight more samples, spread over pixel and sun
 *
 *     ts_trace *trace;
 *     ts_trace_create(pool, &trace, &error);
 *     ts_view view = ts_default_view();
 *     view.thing = thing, view.thing_count = count;
 *     view.camera = ts_camera_around(ts_view_bounds(&view), 1280.0 / 720, TS_WHOLE_IMAGE);
 *     ts_trace_draw(trace, &view, &image, &error);
 *
 * A tracer is kept from frame to frame: trees over the triangles of a mesh are built once for each mesh, memory is used
 * again. World and camera are right-handed; the picture's x points right and its y down. Light is linear inside, sRGB
 * in the pixels.
 *
 * The same view gives the same pixels on any number of threads and on any instruction set. A picture takes about 60
 * bytes of memory a pixel, and 1280 × 720 pixels of 60,000 spheres less than a second on one thread. */
#pragma once

#include <stdint.h>

#include "base/threads.h"
#include "record/colour.h"
#include "record/draw.h"
#include "record/draw_raster.h"
#include "shape/solid.h"

/* ---- What is to be seen ---- */

/* Drawn as glass with thin edges, without a shadow: a wall that would otherwise hide what is behind it. A vessel is
 * always a ghost, and so is a plane that is steeper than 60°; such planes end at the stage. Other planes are floors,
 * seen from above alone. */
#define TS_THING_GHOST 1U
/* A ghost of coloured glass: the thing itself matters as much as what is inside. */
#define TS_THING_TINTED 2U

typedef struct ts_thing {
    const ts_solid *solid; /* borrowed until the picture is drawn */
    ts_pose3 pose;
    double scale;     /* of the solid's lengths [1] */
    ts_colour colour; /* sRGB */
    uint32_t flags;   /* TS_THING_… */
} ts_thing;

typedef TS_ARRAY(ts_thing) ts_thing_array;

typedef struct ts_eye {
    ts_vec3 position; /* [m] */
    ts_vec3 target;   /* in the middle of the picture [m] */
    ts_vec3 up;       /* any vector that is not along the line of sight */
    double fov;       /* from the lower edge to the upper one, below π [rad] */
} ts_eye;

typedef struct ts_light {
    ts_vec3 sun;      /* towards it, any length but zero */
    double sun_size;  /* half of the angle at which it is seen; 0: hard shadows [rad] */
    double sun_share; /* of the light that reaches a surface square to the sun; the rest comes from the sky, 0 to 1 */
    bool occlusion;   /* less sky in corners and below things */
} ts_light;

/* An endless floor besides the planes among the things. */
typedef struct ts_ground {
    bool on;
    double height; /* along view.up [m] */
} ts_ground;

typedef struct ts_view {
    const ts_thing *thing; /* borrowed (thing_count) */
    size_t thing_count;
    ts_eye camera;
    ts_light light;
    ts_vec3 up; /* towards the sky, any length but zero */
    ts_ground ground;
    double grid;    /* between the lines on floors; 0: none, below 0: chosen by the stage [m] */
    ts_box3 stage;  /* where it happens: floors fade around it, ghostly planes end at it; low > high: ts_view_bounds */
    ts_theme theme; /* of the background and the floors */
} ts_view;

/* Light from above and the side, soft shadows, z up, no ground, a grid, light theme. Things and camera are missing. */
ts_view ts_default_view(void);

/* Around all things but planes, and vessels where there is anything else; a unit box about the origin when there is
 * nothing. */
ts_box3 ts_view_bounds(const ts_view *view);

/* Part of an image, in fractions of its width (from the left) and height (from the top). */
typedef struct ts_image_part {
    double left, top, right, bottom;
} ts_image_part;

#define TS_WHOLE_IMAGE ((ts_image_part){0, 0, 1, 1})

/* A view of `box` from the front, the right and above (z is up, y goes away from the eye) that fills `part` of an image
 * with width : height = aspect but for a small margin. */
ts_eye ts_camera_around(ts_box3 box, double aspect, ts_image_part part);
/* The same from anywhere: `from` points from the box to the eye. */
ts_eye ts_camera_framing(ts_box3 box, ts_vec3 from, ts_vec3 up, double fov, double aspect, ts_image_part part);

/* ---- The tracer ---- */

typedef struct ts_trace ts_trace;

/* The pool may be NULL and must outlive the tracer. */
ts_status ts_trace_create(ts_pool *pool, ts_trace **trace, ts_error *error);
void ts_trace_free(ts_trace *trace); /* NULL is fine */
TS_RELEASE_AT(ts_trace, ts_trace_free)

/* Writes every pixel of the image. TS_BAD_INPUT names the thing or the number that makes no sense. */
ts_status ts_trace_draw(ts_trace *trace, const ts_view *view, const ts_image *image, ts_error *error);

/* How far apart the lines of the floor are in the picture drawn last, "grid 10 cm"; NULL: there are none. There is no
 * scale bar in pictures of space: lengths depend on the distance from the eye. */
#define TS_GRID_TEXT_SIZE 80
const char *ts_trace_grid_text(const ts_trace *trace, char text[TS_GRID_TEXT_SIZE]);

#define TS_SEEN_NOTHING (-1) /* background */
#define TS_SEEN_GROUND  (-2)

/* What the ray through a pixel's middle met, for picking and for tests. */
typedef struct ts_seen {
    int64_t thing;  /* index, or TS_SEEN_… */
    double depth;   /* distance from the eye; infinite for nothing [m] */
    ts_vec3 normal; /* unit, towards the eye's side */
    bool lit;       /* by the sun */
} ts_seen;

/* Of the picture drawn last; nothing outside it. */
ts_seen ts_trace_seen(const ts_trace *trace, int x, int y);
