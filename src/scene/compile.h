/* SPDX-License-Identifier: MIT */
/* From a scene to a model; shared by the files that do it.
 *
 *     shapes, materials, walls ─▶ dynamics ─▶ drives ─▶ bodies ─▶ generators ─▶ springs, parts ─▶ laws, time step ─▶ hash
 *
 * compile.c goes through that for both dimensions. What depends on the dimension stands in a table with two rows, one
 * in compile_plane.c and one in compile_space.c. */
#pragma once

#include "model.h"
#include "scene/body_ids.h"
#include "scene/occupancy.h"
#include "scene/scene.h"
#include "shape/solid_mass.h"

/* A smooth body of a scene at its own scale. */
typedef struct ts_smooth_unit {
    const struct ts_smooth_def *def;
    ts_sdf_body *body;
    ts_solid_mass mass;
} ts_smooth_unit;

typedef struct ts_compiler {
    const ts_scene *scene;
    ts_model *model;
    ts_error *error;
    const struct ts_compile_row *row;
    size_t *generator_begin; /* id of each generator's first body (generator count + 1) */
    ts_occupancy occupied;   /* where bodies are: discs of the plane, balls around bodies of space */

    /* plane: walls that are there when the run begins, where they are then (wall_count) */
    ts_wall *wall;
    size_t wall_count;

    /* space: what grows as scales come up, until the model gets it (ts_compile_hand_over) */
    TS_ARRAY(ts_form3) form;
    TS_ARRAY(ts_piece) piece;
    TS_ARRAY(ts_hull *) hull;
    TS_ARRAY(ts_sdf_body *) smooth;
    TS_ARRAY(ts_body_mesh) mesh;
    TS_ARRAY(ts_smooth_unit) unit; /* what bodies of other scales are made from; the compiler's own */
} ts_compiler;

/* What depends on the dimension. */
typedef struct ts_compile_row {
    const struct ts_world *world;
    double far; /* in radii from the origin: bodies beyond are refused */

    ts_vec3 (*gravity)(const ts_scene *scene);
    /* A shape of the model, whose name is there already. */
    ts_status (*shape)(ts_compiler *c, const ts_scene_shape *from, ts_shape *to);
    /* The model's walls for wall `source` of the scene, by ts_compile_add_wall. */
    ts_status (*wall)(ts_compiler *c, size_t source);
    /* Arrays of bodies. Walls and drives are in the model. */
    ts_status (*take_bodies)(ts_compiler *c);
    /* What body i looks like; `place` is the body's, for messages. */
    ts_status (*choose)(ts_compiler *c, size_t i, int32_t shape, double scale, ts_place place);
    /* Bounding radius of a body, and its volume, in the plane its area, once that is chosen [m], [m³ or m²]. */
    double (*radius)(const ts_compiler *c, size_t i);
    double (*volume)(const ts_compiler *c, size_t i);
    /* Mass, inertia, pose and velocity of a body that is chosen; `why` gets what is wrong with its mass or inertia. */
    ts_status (*set_body)(ts_compiler *c, size_t i, const ts_body_def *def, double density, ts_error *why);
    /* Puts a body of the scene among the occupied places, and may refuse an overlap. */
    ts_status (*place_body)(ts_compiler *c, size_t i);
    /* Parts of all bodies. */
    ts_status (*parts)(ts_compiler *c);
    /* Last of all: may refuse overlaps when the run begins. */
    ts_status (*check)(ts_compiler *c);
} ts_compile_row;

extern const ts_compile_row ts_compile_plane, ts_compile_space;

/* The functions of a row, by the names that they have in its file. */
#define TS_COMPILE_FUNCTIONS                                                                                          \
    .gravity = gravity_of, .shape = make_shape, .wall = make_wall, .take_bodies = take_bodies, .choose = choose,      \
    .radius = radius_of, .volume = volume_of, .set_body = set_body, .place_body = place_body, .parts = compile_parts, \
    .check = check_start

/* Zeroed memory that belongs to the model and is counted in its bytes: `count` items of the type that *pointer has. */
#define ts_model_take(model, pointer, count, error) \
    ts_model_take_bytes((model), (void **)(pointer), (count), sizeof **(pointer), (error))
ts_status ts_model_take_bytes(ts_model *model, void **block, size_t count, size_t size, ts_error *error);
/* A copy of a text, likewise; NULL stays NULL. */
ts_status ts_model_take_text(ts_model *model, const char *text, char **copy, ts_error *error);
/* An array of the model; returns from the function when there is no memory. */
#define TS_TAKE(c, field, count) TS_TRY(ts_model_take((c)->model, &(c)->model->field, (count), (c)->error))

/* Appends a wall to the model, with all that the scene says about every kind; `wall` may be NULL. */
ts_status ts_compile_add_wall(ts_compiler *c, size_t source, ts_pose3 pose, ts_wall **wall);
/* What messages call a body. */
ts_body_label ts_compile_label(const ts_compiler *c, size_t body);

/* The form of a shape at a scale, made when it is first asked for. */
ts_status ts_compile_form(ts_compiler *c, int32_t shape, double scale, ts_place place, int32_t *form);
/* Appends a piece of a wall. */
ts_status ts_compile_add_piece(ts_compiler *c, ts_solid solid, ts_pose3 pose);
/* Forms and all that they consist of become the model's. */
void ts_compile_hand_over(ts_compiler *c);
