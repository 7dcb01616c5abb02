/* SPDX-License-Identifier: MIT */
/* A layer of spheres in a box that goes up and down (Bizon et al. 1998; Smith et al. 2012, section 11.4): what the
 * study `patterns` watches and the bench `impact-space` times.
 *
 * With the layer's depth H, f* = f √(H/g) and Γ = A (2πf)² / g say all. Nothing here has a length of its own, so
 * diameters are 1 mm. */
#pragma once

#include "touchstone/sim.h"

#define TS_LAYER_DIAMETER 1e-3 /* [m] */
#define TS_LAYER_DEPTH    5.4  /* H over the diameter */

/* Impact and friction of 60,000 spheres in the paper, mean of its shortest steps [s]: Table 3's last row. */
#define TS_LAYER_PAPER_IMPACT (1.48 + 0.81)

typedef struct ts_shaken_layer {
    double size[2];    /* of the box, in diameters */
    double pitch;      /* f* */
    double strength;   /* Γ */
    int steps, cycles; /* of a cycle; of the run */
} ts_shaken_layer;

double ts_shaken_layer_period(const ts_shaken_layer *layer); /* [s] */
size_t ts_shaken_layer_count(const ts_shaken_layer *layer);
/* Rules, walls and spheres of an empty scene, which records a frame a cycle. */
ts_status ts_shaken_layer_fill(ts_scene *scene, const ts_shaken_layer *layer, uint64_t seed, ts_error *error);
