/* SPDX-License-Identifier: MIT */
/* What a scene file may say, as tables, and reading by them.
 *
 * A *form* lists the keys that one kind of object may have: for each its type, its dimension, its range, and where in a
 * `_def` the value goes. Plane and space share the forms: a key, or a whole form, may be of one of them alone, and
 * vectors have two components in the plane and three in space. Everything that must agree on the keys follows from the
 * forms: reading, the errors for unknown and missing keys, and a test that compares them with docs/scene.schema.json.
 * There each form is a definition of its name; one that differs in space has a second definition, with a 3 after the
 * name.
 *
 *     {"shape": "grain", "position": ["3 mm", 0]}  ──form "body"──▶  ts_body_def
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/field.h"
#include "base/memory.h"
#include "base/status.h"
#include "scene/json.h"
#include "scene/scene.h"
#include "scene/units.h"
#include "touchstone/smooth.h"

/* A group of shapes, from which generators choose by weight: the letters of a text. Bodies are of one shape, not of a
 * group. */
typedef struct ts_group_item {
    int32_t shape; /* index in the scene */
    double weight; /* positive */
} ts_group_item;

typedef struct ts_group ts_group;
struct ts_group {
    const char *name;
    const ts_group_item *item; /* (count) */
    size_t count;              /* at least 1 */
    double total;              /* of the weights */
    ts_group *next;            /* the group before it in the scene */
};

/* What a scene is read with; lives as long as one reading. */
typedef struct ts_reader {
    ts_arena *arena;                /* of the tree, and of scratch */
    ts_scene *scene;                /* NULL while only the tree is worked on */
    ts_error *error;                /* may be NULL */
    const ts_dimension *in;         /* what the scene is of */
    const ts_load_options *options; /* where files may lie; NULL: beside the scene */
    bool from_text;                 /* the scene came as a text: its files lie in the working folder */
    ts_group **group;               /* the groups so far, in the arena; set by ts_read_scene */
    size_t *made;                   /* triangles of meshes made by rule so far; likewise */
} ts_reader;

typedef struct ts_form {
    const char *name; /* of the definition in the schema */
    const char *what; /* "body": begins messages */
    const char *kind; /* the value of "kind" that chooses this form, or NULL */
    const ts_field *field;
    size_t field_count;
    unsigned where; /* TS_FIELD_PLANE or TS_FIELD_SPACE; 0: both */
    int value;      /* what it is in C: an enumerator such as TS_WALL_CIRCLE */
} ts_form;

/* dynamics: what all kinds have; the parameters of the kind itself follow in memory */
typedef struct ts_dynamics_values {
    const char *places;
    ts_material_def material;
} ts_dynamics_values;

/* a disc of a cluster */
typedef struct ts_disc_values {
    double at[2], radius;
} ts_disc_values;

/* outlines of all kinds; 0 and NULL: not given */
typedef struct ts_outline_values {
    double outer, inner;                                    /* ring */
    double width, height, radius, corner, thickness, angle; /* box, regular, arc; of a drawing its size */
    double tolerance;                                       /* drawing, glyph, text */
    uint64_t sides;                                         /* regular */
    const char *ends, *file, *id, *font, *character;        /* arc; drawing; glyph, text */
} ts_outline_values;

/* how a run measures; 0: as usual */
typedef struct ts_measures_values {
    uint64_t bins, rattlers;
    double share;
    bool walls;
} ts_measures_values;

/* contact maps; 0: as usual */
typedef struct ts_map_values {
    double error, smoothing;
    uint64_t bytes, grid, depth, width, samples, seed;
    bool folding, refine;
} ts_map_values;

/* a part of a composite shape */
typedef struct ts_part_values {
    double at[2], angle, scale;
} ts_part_values;

/* the scene as a whole */
typedef struct ts_scene_values {
    ts_settings settings;
    ts_space_def space; /* of scenes of space */
} ts_scene_values;

/* a shape of space of one piece, or a piece of a compound */
typedef struct ts_piece_values {
    ts_piece_def def;
    const char *file;  /* hull, mesh; NULL: not given */
    double scale;      /* of the file's lengths */
    uint64_t cells;    /* mesh; 0: as usual */
    uint64_t vertices; /* superquadric, smooth; 0: as usual */
    double smoothing;  /* smooth; 0: as usual */
} ts_piece_values;

/* how contacts of smooth bodies are found; 0 and NULL: not given */
typedef struct ts_manifold_values {
    double smoothing, gradient_smoothing;
    bool edges, safeguard;
    uint64_t project, vertices, kept_edges;
    const char *sides, *selection, *weights;
} ts_manifold_values;

/* a mesh that is made by rule (shape/mesh_make.h), of any kind */
typedef struct ts_made_values {
    double radius, size[3], length; /* `length`: height of a doll or a bunny, width of a teapot, size of a trefoil */
    double ring, tube, hollow, slack;
    uint64_t detail, along, around, number;
} ts_made_values;

/* a piece of a smooth body */
typedef struct ts_smooth_piece_values {
    ts_smooth_piece def;
    const char *file; /* cloud; NULL: not given */
    double scale;     /* of the file's lengths */
} ts_smooth_piece_values;

/* an attitude as a turn about an axis */
typedef struct ts_attitude_values {
    double axis[3], angle;
} ts_attitude_values;

/* a wall; rooms have corners */
typedef struct ts_wall_values {
    ts_wall_def def;
    double low[3], high[3];
} ts_wall_values;

extern const ts_form ts_form_scene, ts_form_camera, ts_form_output, ts_form_measures, ts_form_geometry, ts_form_map,
    ts_form_material, ts_form_material_pair, ts_form_cluster_disc, ts_form_composite_part, ts_form_attitude,
    ts_form_manifold, ts_form_keep, ts_form_body, ts_form_region, ts_form_region_circle, ts_form_region_cylinder,
    ts_form_mix_entry, ts_form_keyframe;

/* Forms that "kind" chooses among; `value` is the enumerator. */
enum {
    TS_SHAPE_FORM_DISC,
    TS_SHAPE_FORM_CLUSTER,
    TS_SHAPE_FORM_COMPOSITE,
    TS_SHAPE_FORM_RING, /* from here on outlines */
    TS_SHAPE_FORM_BOX,
    TS_SHAPE_FORM_REGULAR,
    TS_SHAPE_FORM_ARC,
    TS_SHAPE_FORM_POLYGON,
    TS_SHAPE_FORM_SVG, /* from here on made of files, see ts_read_embed */
    TS_SHAPE_FORM_GLYPH,
    TS_SHAPE_FORM_TEXT,
    TS_SHAPE_FORM_GROUP,
    TS_SHAPE_FORM_COUNT,
    TS_PIECE_FORM_COUNT = 8,    /* in the order of ts_piece_kind */
    TS_SOLID_FORM_COMPOUND = 8, /* after the kinds of pieces */
    TS_SOLID_FORM_COUNT = 9,
    TS_MADE_FORM_BOX = 0,
    TS_MADE_FORM_SPHERE,
    TS_MADE_FORM_TORUS,
    TS_MADE_FORM_TREFOIL,
    TS_MADE_FORM_DOLL,
    TS_MADE_FORM_TEAPOT,
    TS_MADE_FORM_BUNNY,
    TS_MADE_FORM_COUNT,
    TS_SMOOTH_FORM_COUNT = 3, /* in the order of ts_smooth_kind */
    TS_SIZE_FORM_COUNT = 2,   /* in the order of ts_size_kind, without the uniform one */
    TS_GENERATOR_FORM_COUNT = 3,
    TS_WALL_FORM_COUNT = 8,
    TS_DRIVE_FORM_COUNT = 5,
    TS_SPRING_FORM_COUNT = 2
};
/* of the plane */
extern const ts_form ts_form_shape[TS_SHAPE_FORM_COUNT];
/* of space: shapes, pieces of compounds in the same order, meshes made by rule, pieces of smooth bodies */
extern const ts_form ts_form_solid[TS_SOLID_FORM_COUNT], ts_form_piece[TS_PIECE_FORM_COUNT],
    ts_form_made[TS_MADE_FORM_COUNT], ts_form_smooth[TS_SMOOTH_FORM_COUNT];
extern const ts_form ts_form_generator[TS_GENERATOR_FORM_COUNT], ts_form_wall[TS_WALL_FORM_COUNT],
    ts_form_drive[TS_DRIVE_FORM_COUNT], ts_form_spring[TS_SPRING_FORM_COUNT], ts_form_size[TS_SIZE_FORM_COUNT];

/* The form of a kind of dynamics: keys of all kinds, with values in ts_dynamics_values, and its own
 * (dynamics/dynamics.h), with values in a block of parameters TS_DYNAMICS_PARAM bytes behind that. */
#define TS_DYNAMICS_FIELDS_MAX 32
#define TS_DYNAMICS_PARAM      ((sizeof(ts_dynamics_values) + 15) / 16 * 16)
typedef struct ts_dynamics_form {
    ts_form form;
    ts_field field[TS_DYNAMICS_FIELDS_MAX];
} ts_dynamics_form;
void ts_dynamics_form_make(const ts_dynamics *dynamics, ts_dynamics_form *made);

/* Every form there is but those of dynamics, for the test of the schema; `index` from 0, NULL after the last. */
const ts_form *ts_form_at(size_t index);

/* Whether the scene is one that has a field or a form with these flags. */
static inline bool ts_read_belongs(const ts_reader *reader, unsigned flags)
{
    return !(flags & reader->in->foreign);
}

/* Reads the members of an object into `values` (the struct that the form's offsets mean; unmentioned fields stay as
 * they are) and checks them: unknown and missing keys, types, dimensions, ranges, references. */
ts_status ts_read_object(const ts_reader *reader, const ts_json_value *object, const ts_form *form, void *values);
/* The form that the object's "kind" names; `what` begins messages while it is not known yet. */
ts_status ts_read_kind(const ts_reader *reader, const ts_json_value *object, const char *what, const ts_form *form,
                       size_t form_count, const ts_form **chosen);

/* One value of a field, for what is read by hand. */
ts_status ts_read_number(const ts_reader *reader, const ts_json_value *value, const char *what, const ts_field *field,
                         double *out);
ts_status ts_read_integer(const ts_reader *reader, const ts_json_value *value, const char *what, const char *key,
                          ts_field_range range, uint64_t *out);
ts_status ts_read_material(const ts_reader *reader, const ts_json_value *value, const char *what, int32_t *out);
/* The group of that name, or NULL. */
const ts_group *ts_read_group(const ts_reader *reader, const char *name);
/* Refuses a value of another kind. */
ts_status ts_read_is(const ts_reader *reader, const ts_json_value *value, ts_json_kind kind, const char *what,
                     const char *key);

/* `"x" wants …, found …` at the value's place. */
ts_status ts_read_mismatch(const ts_reader *reader, const ts_json_value *value, const char *what, const char *key,
                           const char *wanted);

#define ts_read_fail(reader, value, ...) ts_fail_at((reader)->error, TS_BAD_INPUT, ts_json_place(value), __VA_ARGS__)
