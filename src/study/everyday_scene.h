/* SPDX-License-Identifier: MIT */
/* Scenes of the study `everyday` (scenes/everyday, inside the program), and changes to them.
 *
 * A scene can be had with a few of its values edited, on another kind of floor, with another kind of body, at another
 * size and gravity, turned and shifted as a whole, and with its bodies a little tilted and lifted. By Froude's
 * similarity times then go as √(size/pull) and speeds as √(size · pull), so the same closed form holds for all places
 * and sizes; edits are for what similarity does not cover. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/vec.h"
#include "touchstone/scene.h"

/* Another kind of floor or body, as texts of JSON for a level floor at the origin. */
typedef struct ts_everyday_kind {
    const char *what; /* in a claim */
    bool space;
    bool upright;      /* a floor that cannot be turned: the whole scene is, until the floor is level */
    const char *wall;  /* floor: what stands for the first wall; NULL: a fixed body does */
    const char *shape; /* body: its shape; floor: the shape "floor" that the wall or body has; NULL: none */
} ts_everyday_kind;

enum { TS_EVERYDAY_EDITS = 8 };

/* What is changed, from the first to the last. Zero in `size` and `pull` is no change. */
typedef struct ts_everyday_change {
    bool space;
    char edit[TS_EVERYDAY_EDITS][1200]; /* `path=value`, as of `run --set`; "" after the last */
    const ts_everyday_kind *floor;      /* NULL: as in the file */
    const ts_everyday_kind *body;       /* NULL: as in the file */
    const char *shape;                  /* the shape that `body` replaces */
    double size;                        /* factor of lengths */
    double pull;                        /* factor of gravity */
    ts_quat turn;                       /* of the whole scene; in the plane about z; all zero: none */
    ts_vec3 shift;                      /* after the turn [m] */
    double tilt;                        /* most that a body is tilted by [rad]; all are lifted, so that none overlap */
    uint64_t seed;                      /* of tilts */
} ts_everyday_change;

/* The changed scene as text, to be freed with ts_free, and what it was turned by after all. */
ts_status ts_everyday_write(const char *scene, const ts_everyday_change *change, char **text, size_t *length,
                            ts_quat *turn, ts_error *error);

extern const ts_text_file ts_everyday_files[]; /* made by CMake */
extern const size_t ts_everyday_file_count;
