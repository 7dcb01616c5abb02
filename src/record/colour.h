/* SPDX-License-Identifier: MIT */
/* Colours for pictures: a palette for kinds, maps for quantities.
 *
 * Palette. Eight colours that stay apart (at least 0.1 in OKLab) for normal sight and for protan-, deutan- and
 * tritanopia as simulated by Machado, Oliveira and Fernandes (2009), and that stand out from paper, from ink and from
 * the grey of fixed bodies. They were found by moving a hand-picked palette uphill on that distance. More kinds than
 * eight repeat the eight, lighter and darker.
 *
 * Maps. viridis and magma by Nathaniel J. Smith, Stéfan van der Walt and Eric Firing (CC0), as 33 knots that are joined
 * by straight lines (at most 2/255 from the published tables): even steps in value are even steps to the eye, lightness
 * only rises, and a grey print keeps the order. The wheel is a circle of OKLab hues of one lightness, for angles.
 *
 * Colours are sRGB, 0 to 1. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct ts_colour {
    double r, g, b;
} ts_colour;

typedef enum ts_colour_map {
    TS_MAP_VIRIDIS,
    TS_MAP_MAGMA,
    TS_MAP_MAGMA_REVERSED, /* low is pale: for paper, where the dark end must be the strong one */
    TS_MAP_WHEEL           /* cyclic: 0 and 1 are the same colour */
} ts_colour_map;

#define TS_PALETTE_COUNT 8

/* 0xRRGGBB */
ts_colour ts_colour_of(uint32_t rgb);
/* 0x00RRGGBB: bytes B, G, R, 0 in memory on a little-endian machine, as Cairo's RGB24 and ffmpeg's bgr0 have it */
uint32_t ts_colour_pixel(ts_colour colour);
/* Colour of kind `index`, any index. */
ts_colour ts_colour_kind(size_t index);
/* t in [0, 1], clamped (the wheel wraps); a NaN gives the map's low end. */
ts_colour ts_colour_map_at(ts_colour_map map, double t);
/* a at t = 0, b at t = 1 */
ts_colour ts_colour_mix(ts_colour a, ts_colour b, double t);
/* Lighter by `amount` of OKLab lightness (darker when negative), same hue. */
ts_colour ts_colour_lighten(ts_colour colour, double amount);
/* The intensity that a component, 0 to 1, stands for: light is computed with that. */
double ts_colour_linear(double component);
/* OKLab's L (0 black, 1 white), a and b. */
void ts_colour_oklab(ts_colour colour, double lab[3]);
