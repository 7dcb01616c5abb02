/* SPDX-License-Identifier: MIT */
/**
 * @file space.h
 * Bodies in space: what a scene of them is made of, and what their state can be asked.
 *
 * A scene is of the plane until ts_scene_set_space says otherwise; then it takes the solids, bodies, walls, springs, drives and
 * generators of this file, and none of scene.h's shapes, bodies, boundaries, drives and generators. Settings, materials and dynamics are
 * those of scene.h (`gravity` of ts_settings is of the plane; densities are masses per volume). Model, state, workspace and step are those
 * of sim.h.
 *
 * Frames. Vectors are (x, y, z), SI units. An attitude is a unit quaternion (w, x, y, z) that turns vectors of the body into vectors of the
 * world; (1, 0, 0, 0) leaves them alone. A solid's own frame has its origin in the centre of mass and the axes that it was given with.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/scene.h"
#include "touchstone/sim.h"
#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A scene of space ---- */

/** From where pictures are taken. All zero: from the front, the right and above, so that everything is seen. */
typedef struct ts_camera {
    double position[3]; /**< [m] */
    double target[3];   /**< what is in the middle of the picture [m]; the same as `position`: automatic */
    double up[3];       /**< what is up in the picture; zero: +z, automatic: against gravity */
    double view;        /**< angle from the picture's lower to its upper edge [rad]; 0: 35°, automatic: 28° */
} ts_camera;

/** What concerns all of space. */
typedef struct ts_space_def {
    double gravity[3]; /**< acceleration [m/s²]; default (0, 0, -9.81) */
    ts_camera camera;  /**< default: automatic */
    int cookie;        /**< set by ts_default_space */
} ts_space_def;

/** What a piece of a solid is. */
typedef enum ts_piece_kind {
    TS_PIECE_SPHERE = 1,   /**< radius */
    TS_PIECE_BOX = 2,      /**< size */
    TS_PIECE_CAPSULE = 3,  /**< radius, and length of its axis between the centres of the two caps, along z */
    TS_PIECE_CYLINDER = 4, /**< radius and length, along z */
    TS_PIECE_HULL = 5,     /**< convex hull of points */
    TS_PIECE_MESH = 6      /**< inside of a closed surface of triangles */
} ts_piece_kind;

/** One piece of a solid. */
typedef struct ts_piece_def {
    ts_piece_kind kind;           /**< what it is */
    double radius;                /**< sphere, capsule, cylinder [m] */
    double length;                /**< capsule, cylinder [m] */
    double size[3];               /**< box: whole lengths along x, y, z [m] */
    double position[3];           /**< of the piece's own origin, in the solid's frame [m] */
    double attitude[4];           /**< of the piece in the solid's frame; all zero: not turned */
    const double (*point)[3];     /**< hull: points; mesh: vertices [m]; copied */
    size_t point_count;           /**< number of them */
    const int32_t (*triangle)[3]; /**< mesh: corners, counter-clockwise from outside; copied */
    size_t triangle_count;        /**< number of them */
    int cells;                    /**< mesh: of its distance field along the longest side; 0: 64 */
} ts_piece_def;

/** A rigid shape of one or more pieces. Where pieces overlap, their masses count twice. */
typedef struct ts_solid_def {
    const char *name;          /**< unique, or NULL */
    const ts_piece_def *piece; /**< copied */
    size_t piece_count;        /**< at least 1 */
    int cookie;                /**< set by ts_default_solid */
} ts_solid_def;

/** One body. */
typedef struct ts_body3_def {
    const char *name;   /**< unique, or NULL; what drives and springs refer to */
    int32_t solid;      /**< index of a solid */
    int32_t material;   /**< index of a material; 0 is the default material */
    double scale;       /**< of the solid's lengths [1]; default 1 */
    double position[3]; /**< of the centre of mass [m] */
    double attitude[4]; /**< default (1, 0, 0, 0); of any length but zero */
    double velocity[3]; /**< of the centre of mass [m/s] */
    double spin[3];     /**< angular velocity, world frame [rad/s] */
    bool fixed;         /**< never moves by itself: infinite mass, moved by a drive if at all */
    int cookie;         /**< set by ts_default_body3 */
} ts_body3_def;

/** What a wall without mass is. */
typedef enum ts_wall3_kind {
    TS_WALL3_PLANE = 1,    /**< bodies stay on the side that the normal points to */
    TS_WALL3_ROOM = 2,     /**< bodies stay inside an upright box: six planes that go together */
    TS_WALL3_CYLINDER = 3, /**< bodies stay inside a closed cylinder */
    TS_WALL3_SOLID = 4     /**< bodies stay outside of a solid */
} ts_wall3_kind;

/** A wall. */
typedef struct ts_wall3_def {
    const char *name;   /**< unique, or NULL; what a drive refers to */
    ts_wall3_kind kind; /**< what it is */
    int32_t material;   /**< index of a material */
    double point[3];    /**< plane: a point of it; room: its lowest corner; cylinder, solid: its centre [m] */
    double size[3];     /**< room: its lengths [m] */
    double normal[3];   /**< plane: towards the bodies; cylinder: its axis; any length but zero */
    double radius;      /**< cylinder [m] */
    double length;      /**< cylinder [m] */
    int32_t solid;      /**< solid: index of one */
    double scale;       /**< solid: of its lengths [1]; default 1 */
    double attitude[4]; /**< solid; default (1, 0, 0, 0) */
    int cookie;         /**< set by ts_default_wall3 */
} ts_wall3_def;

/** One keyframe: where the target is at a time, relative to where the scene put it. */
typedef struct ts_keyframe3 {
    double time;            /**< [s], ascending */
    double displacement[3]; /**< [m] */
    double angle;           /**< turned about the drive's axis through its pivot [rad] */
} ts_keyframe3;

/** A scripted motion of fixed bodies or walls. A target has at most one drive that moves it, and one gate. */
typedef struct ts_drive3_def {
    ts_drive_kind kind;      /**< how it moves */
    const char *target;      /**< name of a body, a wall, or a generator (all of its bodies) */
    double start;            /**< motion begins [s]; for a gate: when it opens */
    double end;              /**< motion ends [s]; for a gate: when it closes again; infinity: never */
    double pivot[3];         /**< on the axis of rotation at the start [m]; NaN: the target's own position */
    double axis[3];          /**< of rotation; default +z; any length but zero */
    double rate;             /**< rotation [rad/s] */
    double velocity[3];      /**< TS_DRIVE_VELOCITY [m/s] */
    double amplitude[3];     /**< oscillation [m] */
    double angle_amplitude;  /**< oscillation about the axis [rad] */
    double frequency;        /**< oscillation [Hz] */
    double phase;            /**< oscillation [rad] */
    const ts_keyframe3 *key; /**< keyframes; copied */
    size_t key_count;        /**< at least 2 for TS_DRIVE_KEYFRAMES */
    int cookie;              /**< set by ts_default_drive3 */
} ts_drive3_def;

/** How the force of a spring grows. Energy [J] with x = length − rest: */
typedef enum ts_spring3_kind {
    TS_SPRING3_LINEAR = 0, /**< ½ k x² */
    TS_SPRING3_CUBIC = 1   /**< ¼ k x⁴; k in N/m³ */
} ts_spring3_kind;

/** A spring between two bodies, or between a body and the world. */
typedef struct ts_spring3_def {
    ts_spring3_kind kind; /**< default linear */
    const char *a;        /**< name of a body; NULL: the world */
    const char *b;        /**< name of a body */
    double anchor_a[3];   /**< in A's frame, or a point of the world [m] */
    double anchor_b[3];   /**< in B's frame [m] */
    double stiffness;     /**< k, positive */
    double rest;          /**< length without force [m]; default 0 */
    int cookie;           /**< set by ts_default_spring3 */
} ts_spring3_def;

/** Fills a box, or an upright cylinder, with bodies. */
typedef struct ts_generator3_def {
    const char *name;        /**< unique, or NULL; what a drive refers to */
    ts_fill_kind fill;       /**< TS_FILL_LATTICE (cubic, layer by layer from below) or TS_FILL_RANDOM */
    double low[3];           /**< lowest corner of the box [m] */
    double high[3];          /**< its opposite corner [m] */
    double radius;           /**< > 0: only what lies within the cylinder of this radius about the box's middle [m] */
    size_t count;            /**< bodies to place; it is an error if they do not fit */
    const ts_mix_entry *mix; /**< copied; `shape` is the index of a solid */
    size_t mix_count;        /**< at least 1 */
    double gap;              /**< least distance between bounding spheres [m]; default 0 */
    double jitter;           /**< lattice: random displacement as a share of the free room, 0 to 1; default 0.5 */
    bool random_attitude;    /**< default true; else all (1, 0, 0, 0) */
    double velocity[3];      /**< of every body [m/s] */
    double velocity_spread;  /**< standard deviation of a random addition to each component [m/s] */
    bool fixed;              /**< the bodies never move */
    int cookie;              /**< set by ts_default_generator3 */
} ts_generator3_def;

/** Earth's gravity along −z, automatic camera. */
TS_API ts_space_def ts_default_space(void);
/** No piece yet. */
TS_API ts_solid_def ts_default_solid(void);
/** At rest at the origin, solid 0, material 0. */
TS_API ts_body3_def ts_default_body3(void);
/** A floor: the plane z > 0. */
TS_API ts_wall3_def ts_default_wall3(void);
/** Active from time 0 on; target and kind are still to be given. */
TS_API ts_drive3_def ts_default_drive3(void);
/** Linear, without a length; bodies and stiffness are still to be given. */
TS_API ts_spring3_def ts_default_spring3(void);
/** A lattice fill; box, count and mix are still to be given. */
TS_API ts_generator3_def ts_default_generator3(void);

/** Makes the scene one of space. It must not have shapes, bodies, boundaries, drives or generators of the plane yet. */
TS_API ts_status ts_scene_set_space(ts_scene *scene, const ts_space_def *def, ts_error *error);
/** Whether it is one. */
TS_API bool ts_scene_is_space(const ts_scene *scene);
/** Adds a solid: checked, its mass properties worked out, its origin moved to its centre of mass. `index` may be NULL, here and below. */
TS_API ts_status ts_scene_add_solid(ts_scene *scene, const ts_solid_def *def, int32_t *index, ts_error *error);
/** Adds a body. */
TS_API ts_status ts_scene_add_body3(ts_scene *scene, const ts_body3_def *def, int32_t *index, ts_error *error);
/** Adds a wall. */
TS_API ts_status ts_scene_add_wall3(ts_scene *scene, const ts_wall3_def *def, int32_t *index, ts_error *error);
/** Adds a drive. */
TS_API ts_status ts_scene_add_drive3(ts_scene *scene, const ts_drive3_def *def, int32_t *index, ts_error *error);
/** Adds a spring. */
TS_API ts_status ts_scene_add_spring3(ts_scene *scene, const ts_spring3_def *def, int32_t *index, ts_error *error);
/** Adds a generator; it places its bodies when the scene is compiled. */
TS_API ts_status ts_scene_add_generator3(ts_scene *scene, const ts_generator3_def *def, int32_t *index,
                                         ts_error *error);
/** Index of the solid of that name, or -1. */
TS_API int32_t ts_scene_find_solid(const ts_scene *scene, const char *name);

#ifdef __cplusplus
}
#endif
