/* SPDX-License-Identifier: MIT */
/* The published scenes of non-convex grains (scenes/cem-*.json) inside the program, with the grains that they include,
 * so that studies run from anywhere: the build puts the files' bytes into it (CMakeLists.txt).
 *
 *     ts_cem_wish wish = {.scene = "silo", .grain = "hash", .opening = 8, .quick = true};
 *     TS_TRY(ts_cem_scene_text(&wish, &text, &length, error));
 *
 *     scene             grain                                   full: bodies (fixed)   quick
 *     column-collapse   O, U, N, hash (default)                 6,990 (690)            582 (182)
 *     column-small      the same, octagon                       160 (96)               the same
 *     silo              octagon (default), hash                 11,311 (1,411)         1,377 (477)
 *     packing           arc-25 (default), arc-50, -75, -100     1,152 (152)            272 (72)
 *     drum                                                      1,574 (547)            400 (250)
 *     cereal                                                    385 (105)              the same
 *     chain                                                     600 (101)              74 (35)
 *     chain-drop                                                600 (100)              74 (34)
 *
 * Full is the publication's size. Quick keeps grains, openings and friction; in column-collapse, silo and chain its
 * grains are softer (a smaller heap presses less) and steps longer. Time steps of the full scenes are the publication's
 * for these three and a fifth to a tenth of it for the others, as the scenes explain; `published_step` takes the
 * publication's there, too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "touchstone/scene.h"

typedef struct ts_cem_wish {
    const char *scene;   /* as above */
    const char *grain;   /* of scenes of one grain: which; NULL: as above */
    double opening;      /* silo: how wide it is [m]; 0: 8 */
    bool quick;          /* the small version */
    bool published_step; /* packing, drum, cereal: the publication's time step, with grains as soft as it needs */
    uint64_t seed;       /* 0: the scene's own */
    const char *const *override; /* further `path=value`, after all others; may be NULL */
    size_t override_count;
} ts_cem_wish;

/* The text of that scene, self-contained, as a run folder keeps it; freed with ts_free. A zero byte follows the end.
 * TS_BAD_INPUT when there is none of that name. */
ts_status ts_cem_scene_text(const ts_cem_wish *wish, char **text, size_t *length, ts_error *error);

/* The files, by their names without folder: cem-silo.json. */
extern const ts_text_file ts_cem_files[];
extern const size_t ts_cem_file_count;
