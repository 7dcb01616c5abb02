/* SPDX-License-Identifier: MIT */
/* What all builder calls share: build.c and build_*.c. Each call checks everything first, then makes room for
 * everything, and only then changes the scene, so that a failure of any kind leaves it as it was. Inside scene/
 * only. */
#pragma once

#include "scene/dimension.h"
#include "scene/scene.h"

/* What each ts_default_…() leaves in `cookie`, so that a struct which was only zeroed is caught. Different numbers, so
 * that a struct of one kind copied over another is caught as well. */
enum {
    TS_COOKIE_SETTINGS = 0x7501,
    TS_COOKIE_MATERIAL,
    TS_COOKIE_DYNAMICS,
    TS_COOKIE_SHAPE,
    TS_COOKIE_BODY,
    TS_COOKIE_WALL,
    TS_COOKIE_DRIVE,
    TS_COOKIE_GENERATOR,
    TS_COOKIE_SPACE,
    TS_COOKIE_SPRING
};

/* Refuses a NULL scene or definition. */
ts_status ts_build_arguments(const void *scene, const void *def, const char *what, ts_error *error);
/* How the checks of one call begin: where the thing stands, and whether the scene is of space. */
ts_check ts_build_check(ts_scene *scene, const char *what, ts_error *error);
/* A vector of finite numbers, and z = 0 in the plane. */
ts_status ts_build_vector(const ts_check *c, const char *field, const double value[3]);
/* Whether a new thing may have this name; NULL may always. Makes room for it. */
ts_status ts_build_name(const ts_check *c, ts_names *names, const char *name);
/* Takes up the name, if any, of thing i of its kind, and says its index. */
void ts_build_index(ts_names *names, const char *name, ts_name_kind kind, size_t i, int32_t *index);
/* A copy of `count` items of `size` bytes in the scene's arena; `copy` is the address of the pointer that is set. */
ts_status ts_build_keep(ts_scene *scene, const void *data, size_t count, size_t size, void *copy, ts_error *error);
/* The same for a text, in place; NULL stays NULL. */
ts_status ts_build_text(ts_scene *scene, const char **text, ts_error *error);

/* Refuses what only scenes of the plane, or only those of space, have. */
ts_status ts_build_belongs(const ts_check *c, const ts_dimension *to);
/* Makes a vector (2 or 3 components) or a quaternion (4) of any length but zero one of unit length; false: it is
 * zero. */
bool ts_build_unit(double *value, int count);
/* A direction of any length but zero, made one of unit length. */
ts_status ts_build_direction(const ts_check *c, const char *field, double direction[3]);
/* An attitude of any length but zero, made one of unit length. */
ts_status ts_build_attitude(const ts_check *c, const char *field, double attitude[4]);
/* How a thing is turned: in the plane by its angle, in space by its attitude, which becomes of unit length. The
 * other is not given. */
ts_status ts_build_turn(const ts_check *c, double angle, double attitude[4]);
/* A shape of the scene by its index, at a scale at which it can be computed with. */
ts_status ts_build_scaled(const ts_check *c, const ts_scene *scene, int32_t shape, double scale);
/* Pieces of a shape of space, which are copies: checks them and finds its size. Then their points and triangles in
 * the arena. */
ts_status ts_build_pieces(const ts_check *c, ts_scene_shape *item);
ts_status ts_build_keep_pieces(ts_scene *scene, ts_scene_shape *item, ts_error *error);

/* Refuses a key that a dynamics does not have: one of another kind as such. */
ts_status ts_dynamics_fail_key(const ts_check *c, const ts_dynamics *dynamics, const char *key);
/* Gives the scene a dynamics with parameters, which are copied, and where outlines touch (NULL: auto). */
ts_status ts_scene_put_dynamics(ts_scene *scene, const ts_dynamics *dynamics, const void *param, const char *places,
                                const ts_check *c);
