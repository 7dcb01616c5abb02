/* SPDX-License-Identifier: MIT */
/* What a result depends on, hashed part by part, so that a checkpoint of a changed scene can say what has changed.
 *
 * Parts stand in the order of cause and effect: a changed seed also changes where grains lie, and moved bodies also
 * change a derived stiffness, so the first part that differs is the one to tell the user. Duration and outputs are no
 * part of it: a run may be prolonged. */
#pragma once

#include "model.h"

typedef enum ts_fingerprint_part {
    TS_FINGERPRINT_SEED,
    TS_FINGERPRINT_GRAVITY,
    TS_FINGERPRINT_SHAPES, /* and what the contact maps of outlines shall be, or are */
    TS_FINGERPRINT_BODIES, /* poses, velocities, sizes, which shape and material */
    TS_FINGERPRINT_WALLS,
    TS_FINGERPRINT_DRIVES,
    TS_FINGERPRINT_DYNAMICS,
    TS_FINGERPRINT_MATERIALS, /* densities and contact laws */
    TS_FINGERPRINT_TIME_STEP,
    TS_FINGERPRINT_SKIN,
    TS_FINGERPRINT_PARTS
} ts_fingerprint_part;

typedef struct ts_fingerprint {
    uint64_t part[TS_FINGERPRINT_PARTS];
} ts_fingerprint;

/* The same on every machine of the same byte order. */
ts_fingerprint ts_fingerprint_of(const ts_model *model);
/* The hash of the whole. */
uint64_t ts_fingerprint_hash(const ts_fingerprint *fingerprint);
/* What differs, such as "the time step" or "the bodies"; NULL when nothing does. */
const char *ts_fingerprint_difference(const ts_fingerprint *a, const ts_fingerprint *b);
