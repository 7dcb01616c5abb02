/* SPDX-License-Identifier: MIT */
/* A scene as it stands in memory: what a person wrote, checked number by number, not yet compiled.
 *
 * Each thing is kept as the `_def` it was given as, with its texts and arrays copied into one arena, and with the place
 * in the file that it came from, so that compiling can still point at the line. Nothing is derived here but the mass
 * properties of shapes: 0 and NaN ("derive it", "inherit it") keep their meaning until scene/compile.c. */
#pragma once

#include "base/check.h"
#include "base/memory.h"
#include "base/status.h"
#include "contact/given.h"
#include "contact/law.h"
#include "scene/dimension.h"
#include "scene/names.h"
#include "shape/discs.h"
#include "shape/outline.h"
#include "touchstone/scene.h"

typedef struct ts_dynamics ts_dynamics; /* dynamics/dynamics.h */

typedef struct ts_scene_material {
    const char *name;    /* may be NULL */
    ts_material_def def; /* NaN: as material 0 */
    ts_place place;
} ts_scene_material;

typedef struct ts_scene_shape {
    const char *name; /* may be NULL */

    /* plane */
    ts_disc *disc;       /* about the centre of mass, without discs that lie inside others (disc_count) [m] */
    size_t disc_count;   /* at least 1; of an outline one, its bounding circle */
    ts_outline *outline; /* about the centre of mass, the scene's own; NULL: the shape is the union of its discs */
    ts_disc_union mass;  /* its area, second moment and bounding circle */

    /* space: as given, not yet about its centre of mass; mass properties are worked out by scene/compile_solid.c */
    ts_piece_def *piece; /* attitudes have unit length; points and triangles are in the arena (piece_count) */
    size_t piece_count;  /* at least 1 */
    double size;         /* half the longest side of a box that holds it; of a sphere its radius [m] */

    ts_place place;
} ts_scene_shape;

/* What was mended in a mesh of a shape. */
typedef struct ts_scene_note {
    int32_t shape;
    const char *text;
} ts_scene_note;

typedef struct ts_scene_body {
    ts_body_def def; /* the attitude has unit length */
    ts_place place;
} ts_scene_body;

typedef struct ts_scene_wall {
    ts_wall_def def; /* normal and attitude have unit length */
    ts_place place;
} ts_scene_wall;

typedef struct ts_scene_drive {
    ts_drive_def def; /* the axis has unit length; in the plane z of the pivot is 0 */
    ts_place place;
} ts_scene_drive;

typedef struct ts_scene_spring {
    ts_spring_def def; /* its bodies exist: ts_scene_find_body */
    ts_place place;
} ts_scene_spring;

typedef struct ts_scene_generator {
    ts_generator_def def; /* of a cylinder, `low` and `high` are the box around it */
    ts_place place;
} ts_scene_generator;

struct ts_scene {
    ts_arena arena; /* names, discs, keyframes, mixes, file names, map files */

    ts_settings settings;
    ts_place settings_place;
    const ts_dynamics *dynamics; /* NULL: the default of the scene's dimension */
    const void *param;           /* what it reads its keys into, in the arena; NULL: its defaults */
    const char *places;          /* in the arena; NULL: auto */
    ts_place dynamics_place;
    ts_map_options map;           /* as given: 0 means the default */
    ts_manifold_options manifold; /* of smooth bodies; cookie 0: not given */
    ts_place manifold_place;
    TS_ARRAY(ts_given_map) given_map; /* those that need not be made; names and bytes are in the arena */

    TS_ARRAY(ts_scene_material) material; /* 0 is the default; NaN there only in what says how to damp */
    TS_ARRAY(ts_material_pair) pair;
    TS_ARRAY(ts_scene_shape) shape;
    TS_ARRAY(ts_scene_note) note; /* of shapes; texts are in the arena */
    TS_ARRAY(ts_scene_body) body;
    TS_ARRAY(ts_scene_wall) wall;
    TS_ARRAY(ts_scene_drive) drive;
    TS_ARRAY(ts_scene_spring) spring;
    TS_ARRAY(ts_scene_generator) generator;

    const ts_dimension *in; /* the plane, or space */
    ts_space_def space;     /* of a scene of space */
    ts_place space_place;

    ts_names shape_name;
    ts_names material_name;
    ts_names target_name; /* bodies, walls and generators: what a drive may refer to */

    ts_place next_place;   /* see ts_scene_at */
    const char *last_file; /* its file, or the one before; in the arena */
};

/* Bounds of what a scene may hold. */
#define TS_MATERIALS_MAX       256        /* a body's material is one byte */
#define TS_SHAPE_DISCS_MAX     4096       /* the union of n discs costs n² log n */
#define TS_PARTS_MAX           2147483646 /* part ids are 32-bit */
#define TS_SHAPE_PIECES_MAX    4096       /* of one shape */
#define TS_SOLID_SIZE_MIN      1e-40 /* of a shape of space at its scale [m]: moments of inertia are fifth powers */
#define TS_SOLID_SIZE_MAX      1e40
#define TS_GENERATOR_COUNT_MAX 50000000u /* about 20 GB of simulation: more is a slip of the pen */

/* Says where the next thing added, or the next setting made, stands in a file; holds for one call, whether it succeeds
 * or not. The file's name is copied. */
void ts_scene_at(ts_scene *scene, ts_place place);
/* That place, once: the next call gets none. For the builder calls. */
ts_place ts_scene_take_place(ts_scene *scene);
