/* SPDX-License-Identifier: MIT */
/* Pictures of grains.
 *
 *     ts_picture   what is to be seen: plain structs in metres, nothing of a simulation
 *     ts_canvas    pixels, reusable from frame to frame; a PNG file, or raw frames for a video
 *
 *     ┌───────────────────────────────────────────────┐
 *     │ Title   t = 1.25 s              ■ disc ■ dumb… │  header: words, legend or colour bar
 *     │                                               │
 *     │              the view, as large as fits       │  grains never lie under a label unless the
 *     │                                               │  view was given by hand
 *     │ ├──┤ 50 mm                                    │  footer: scale bar
 *     └───────────────────────────────────────────────┘
 *
 * Grains, walls and force chains are drawn by distance (record/draw_raster.h), exactly antialiased and on several
 * threads; Cairo draws the words (record/draw_pen.h). Without Cairo ts_canvas_create says TS_UNSUPPORTED.
 *
 * Whatever is not finite is left out. x points right and y up, as in the scene. Pictures are deterministic: the same
 * picture gives the same pixels on any number of threads (words depend on the machine's fonts). */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"
#include "record/colour.h"
#include "shape/outline.h"
#include "touchstone/scene.h"

/* ---- What is to be seen ---- */

typedef struct ts_picture_shape {
    const ts_disc *disc; /* in the body's frame, at scale 1; of an outline its bounding circle (disc_count) [m] */
    size_t disc_count;
    const ts_outline *outline; /* drawn instead of the discs; may be NULL */
} ts_picture_shape;

typedef struct ts_picture_body {
    double x, y;   /* [m] */
    double angle;  /* [rad] */
    double scale;  /* of the shape's lengths [1] */
    double value;  /* a kind's number or a quantity, as the key says */
    int32_t shape; /* index into shape[] */
    bool fixed;    /* grey, whatever the value */
    bool hidden;   /* not drawn */
} ts_picture_body;

typedef struct ts_picture_wall {
    ts_wall_kind kind;
    double x, y;            /* a point of the edge, or the centre [m] */
    double nx, ny;          /* half-plane: towards the free side, any length */
    double radius;          /* circle: solid outside; polyline, outline: bounding circle [m] */
    double angle;           /* how far it has turned [rad] */
    const ts_contour *line; /* polyline, outline: own frame, solid to the left of an outline's (line_count) [m] */
    size_t line_count;
    const ts_distance *reach; /* of the same */
} ts_picture_wall;

/* A straight line over the grains: part of a force chain. */
typedef struct ts_picture_line {
    double x0, y0, x1, y1; /* [m] */
    double width;          /* [m] */
} ts_picture_line;

typedef enum ts_key_kind {
    TS_KEY_NONE,  /* one colour for all, nothing to explain */
    TS_KEY_KINDS, /* value is a number of a kind: palette and legend */
    TS_KEY_SCALE  /* value is a quantity: map and colour bar */
} ts_key_kind;

/* What the colours mean. */
typedef struct ts_picture_key {
    ts_key_kind kind;
    const char *const *name; /* kinds: their names (name_count); a NULL or "" is left out of the legend */
    size_t name_count;
    ts_colour_map map;      /* scale */
    double low, high;       /* scale: values at the map's ends, in `unit` */
    bool beyond;            /* scale: some values lie above `high`; the bar then ends in an arrow */
    const char *label;      /* scale: what it is, such as "speed" */
    const char *unit;       /* scale: "m/s"; takes prefixes such as mm/s; "" has none; "°" takes none */
    const char *line_label; /* what the width of lines means, such as "≥ 12 N"; may be NULL */
    double line_width;      /* of the sample beside it [m] */
} ts_picture_key;

typedef struct ts_picture {
    const ts_picture_shape *shape;
    size_t shape_count;
    const ts_picture_body *body;
    size_t body_count;
    const ts_picture_wall *wall;
    size_t wall_count;
    const ts_picture_line *line;
    size_t line_count;
    bool faded;            /* grains recede behind the lines */
    const char *time_text; /* "t = 1.25 s", or NULL */
    const char *note;      /* small, beside it: "4× slower"; or NULL */
} ts_picture;

/* A box in the scene; NaN anywhere: not given. */
typedef struct ts_box {
    double x0, y0, x1, y1; /* [m] */
} ts_box;

#define TS_BOX_NONE ((ts_box){(double)NAN, (double)NAN, (double)NAN, (double)NAN})

/* ---- How ---- */

typedef enum ts_theme { TS_THEME_LIGHT, TS_THEME_DARK } ts_theme;

typedef struct ts_draw_options {
    int width, height; /* [px], 16 to 16384; default 1280 × 720 */
    int supersample;   /* grains are drawn at this many times the resolution, 1 to 4; default 1: they are soft anyway */
    ts_theme theme;    /* default light */
    bool outline;      /* darker rims on grains that are large enough; default true */
    bool mark;         /* a line that shows a disc's orientation where it is large enough; default true */
    bool variation;    /* kinds: neighbours differ a little in lightness; default true */
    bool labels;       /* words, legend, colour bar and scale bar, where there is room; default true */
    bool scale_bar;    /* default true */
    const char *title; /* may be NULL; borrowed */
    ts_pool *pool;     /* may be NULL; borrowed */
} ts_draw_options;

ts_draw_options ts_default_draw_options(void);

/* ---- The canvas ---- */

typedef struct ts_canvas ts_canvas;

/* A canvas of the options' size. Options are copied, but for the title and the pool, which must outlive it. */
ts_status ts_canvas_create(const ts_draw_options *options, ts_canvas **canvas, ts_error *error);
void ts_canvas_free(ts_canvas *canvas); /* NULL is fine */
TS_RELEASE_AT(ts_canvas, ts_canvas_free)

/* Draws one picture over the whole canvas. `view` as the box that must be seen; TS_BOX_NONE: ts_picture_box of this
 * one. */
ts_status ts_canvas_draw(ts_canvas *canvas, const ts_picture *picture, const ts_picture_key *key, ts_box view,
                         ts_error *error);

/* Several pictures of one view in a figure: begin, then each panel in any order. */
ts_status ts_canvas_sheet_begin(ts_canvas *canvas, int columns, int rows, const ts_picture_key *key, ts_box view,
                                ts_error *error);
ts_status ts_canvas_sheet_panel(ts_canvas *canvas, int index, const ts_picture *picture, const ts_picture_key *key,
                                ts_error *error);
/* For panels that somebody else draws: their pixels, and then the thin frame around them with words above (text may be
 * NULL). The key as at the beginning. */
struct ts_image;
ts_status ts_canvas_sheet_part(const ts_canvas *canvas, int index, const ts_picture_key *key, struct ts_image *part,
                               ts_error *error);
ts_status ts_canvas_sheet_frame(ts_canvas *canvas, const struct ts_image *part, const char *text, ts_error *error);
/* For a picture of space that somebody else draws on all of the canvas: how high the strip of words above it will be
 * [px], the pixels, and then the words; `footnote` stands at the lower left. Texts may be NULL. */
double ts_canvas_header_height(const ts_canvas *canvas, const ts_picture_key *key, bool has_time);
const struct ts_image *ts_canvas_image(const ts_canvas *canvas);
ts_status ts_canvas_words(ts_canvas *canvas, const ts_picture_key *key, const char *time_text, const char *note,
                          const char *footnote, ts_error *error);
/* The height of a canvas of this width in which the view just fits: one picture (1 × 1) or a sheet; within 16 to
 * 16384. */
int ts_canvas_fitting_height(const ts_draw_options *options, int columns, int rows, ts_box view);

/* Rows from the top, 4 bytes a pixel in memory order B, G, R, 0 (little-endian), no padding. */
const void *ts_canvas_pixels(const ts_canvas *canvas);
/* Writes a PNG file, atomically. */
ts_status ts_canvas_write_png(ts_canvas *canvas, const char *path, ts_error *error);

/* ---- The view ---- */

/* The box that shows a picture well: all bodies but those that flew away from the rest, and the walls near them. Fixed
 * bodies and walls widen the box of the moving ones only so far. Always finite and of positive size. */
ts_status ts_picture_box(const ts_picture *picture, ts_box *box, ts_error *error);
/* The smallest box that holds both; either may be TS_BOX_NONE. */
ts_box ts_box_union(ts_box a, ts_box b);
bool ts_box_given(ts_box box);
