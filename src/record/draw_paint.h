/* SPDX-License-Identifier: MIT */
/* A picture's walls, grains and force chains into an image: the part of a picture that is not words. */
#pragma once

#include "base/memory.h"
#include "record/draw.h"
#include "record/draw_raster.h"

/* The colours of a theme. */
typedef struct ts_theme_colours {
    uint32_t paper, ink, muted;  /* background, words, lesser words */
    uint32_t solid, hatch, edge; /* walls */
    uint32_t fixed;              /* fixed grains */
    uint32_t chain;              /* force chains */
} ts_theme_colours;

const ts_theme_colours *ts_theme_get(ts_theme theme);

/* From metres to pixels: (x + scale·X, y - scale·Y). */
typedef struct ts_mapping {
    double scale; /* [px/m] */
    double x, y;  /* [px] */
} ts_mapping;

/* A grain as the raster wants it. */
typedef struct ts_paint_grain {
    double x, y;   /* centre [px] */
    double reach;  /* bounding radius [px] */
    uint32_t body; /* index */
    uint8_t tone;  /* index into ts_paint.tone */
    bool fixed;
} ts_paint_grain;

/* Memory that painting uses again from picture to picture. Zeroed to begin with. */
typedef struct ts_paint {
    TS_ARRAY(ts_paint_grain) grain;
    TS_ARRAY(ts_raster_wall) wall;
    TS_ARRAY(double) reach;        /* bounding radius of each shape [m] */
    TS_ARRAY(double) row;          /* image width for each thread */
    TS_ARRAY(ts_raster_disc) disc; /* largest shape's discs for each thread */
    struct {
        uint32_t fill, rim;
    } tone[256], fixed;
} ts_paint;

void ts_paint_free(ts_paint *paint);

/* Sizes of lines. */
typedef struct ts_paint_size {
    double unit; /* pixels of the image that make one of the final picture [1] */
    double ui;   /* how much larger that is than 1280 × 720 [1] */
    double top;  /* rows of the final picture over which walls come out of the paper at the upper edge [px] */
} ts_paint_size;

/* Paints all of `image`. */
ts_status ts_paint_picture(ts_paint *paint, const ts_image *image, const ts_picture *picture, const ts_picture_key *key,
                           ts_mapping mapping, const ts_draw_options *options, ts_paint_size size, ts_error *error);
