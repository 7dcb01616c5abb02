/* SPDX-License-Identifier: MIT */
/**
 * @file scene.h
 * What a person writes: shapes, materials, bodies, generators, walls, springs and drives, in the plane or in space.
 *
 * A scene is read from a JSON file (docs/scene.md) or built in code with the calls below; the two may be mixed. It is
 * then compiled into a ts_model (sim.h), which copies all it needs: the scene may be freed afterwards.
 *
 * Plane and space. A scene is of the plane until ts_scene_set_space says otherwise. The definitions are the same for
 * both. Vectors are (x, y, z); in the plane z is 0, and anything else is refused. A body of the plane has an `angle`
 * from x to y, one of space an `attitude`: a unit quaternion (w, x, y, z) that turns vectors of the body into vectors
 * of the world. The other of the two stays as its default has it. Densities are masses per area in the plane, per
 * volume in space.
 *
 * Units are SI and radians. Every `_def` starts from its `ts_default_…()`; one that was only zeroed is refused. Every
 * number is checked: a NaN, an infinity or a value out of range is an error and leaves the scene unchanged. Things are
 * named by their index in the order of adding, from 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/manifold.h"
#include "touchstone/map.h"
#include "touchstone/shape.h"
#include "touchstone/smooth.h"
#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A scene under construction. */
typedef struct ts_scene ts_scene;

/** A file that a program carries within itself. */
typedef struct ts_text_file {
    const char *name; /**< its path, the way `include` writes it */
    const char *text; /**< what is in it */
    size_t length;    /**< bytes of the text */
} ts_text_file;

/** How to read a scene file. Zero is a good default for every field. */
typedef struct ts_load_options {
    const char *const *override;    /**< `path=value` texts, as in `--set dynamics.friction=0.3`; may be NULL */
    size_t override_count;          /**< number of them */
    const char *const *search_path; /**< further folders in which files named by the scene may lie; may be NULL */
    size_t search_path_count;       /**< number of them */
    const ts_text_file *file;       /**< files to include that go before those on disk; may be NULL */
    size_t file_count;              /**< number of them */
} ts_load_options;

/** An empty scene. */
TS_API ts_status ts_scene_create(ts_scene **scene, ts_error *error);
/** Reads a scene file. `options` may be NULL. */
TS_API ts_status ts_scene_load(const char *path, const ts_load_options *options, ts_scene **scene, ts_error *error);
/** Reads a scene from text; `name` stands for the file in messages, and paths are relative to the working folder. */
TS_API ts_status ts_scene_parse(const char *text, size_t length, const char *name, const ts_load_options *options,
                                ts_scene **scene, ts_error *error);
/** Frees a scene; NULL is allowed. */
TS_API void ts_scene_free(ts_scene *scene);

/** An upright box. */
typedef struct ts_region {
    double x0; /**< left [m] */
    double y0; /**< bottom [m] */
    double x1; /**< right [m] */
    double y1; /**< top [m] */
    double z0; /**< space: lowest z [m]; in the plane neither is looked at */
    double z1; /**< space: highest z [m] */
} ts_region;

/** What makes two grains different. */
typedef enum ts_kind_by {
    TS_KIND_AUTO = 0,     /**< material if there are several, else shape, else size */
    TS_KIND_MATERIAL = 1, /**< their material */
    TS_KIND_SHAPE = 2,    /**< their shape */
    TS_KIND_SIZE = 3      /**< radius below, or not below, the middle between smallest and largest */
} ts_kind_by;

/** How a run measures what joins its energy table (docs/measures.md). All zero is a good default. */
typedef struct ts_measuring {
    ts_region region; /**< all zero: the box of the grains */
    double line[6];   /**< x0, y0, x1, y1 of the line that a flow crosses [m]; in space x0, y0, z0, x1, y1, z1: the
                           plane through the first point, across the way to the second. All zero: there is no flow */
    size_t bins;      /**< slices of profiles; 0: of two mean diameters */
    bool along_x;     /**< profiles follow x, not what is up: y in the plane, z in space */
    int rattlers;     /**< grains with fewer contacts are rattlers; 0: 2 */
    double share;     /**< of grains that lie beyond the front; 0: 0.01 */
    ts_kind_by kinds; /**< of grains that segregate */
    bool no_walls;    /**< fabric of contacts between grains alone */
} ts_measuring;

/** What concerns the scene as a whole. */
typedef struct ts_settings {
    double gravity[2];     /**< of the plane: acceleration (x, y) [m/s²]; default (0, -9.81). Of space: ts_space_def */
    double time_step;      /**< Δt [s]; 0: derived from stiffness, lightest body, duration (docs/penalty.md) */
    double duration;       /**< simulated time of a run [s]; default 1 */
    double skin;           /**< how much farther than touching the broad phase looks [m]; 0: derived */
    double frame_interval; /**< simulated time between recorded frames [s]; 0: duration / 100 */
    double energy_interval; /**< simulated time between rows of the energy table [s]; 0: as frame_interval */
    uint64_t seed;          /**< of every random choice; default 1 */
    bool record_contacts;   /**< frames carry contacts and their forces; default true */
    uint32_t measures;      /**< groups of measures (measure.h) whose columns join the energy table; default 0 */
    ts_measuring measuring; /**< how they are measured */
    int cookie;             /**< set by ts_default_settings */
} ts_settings;

/** The penalty law's parameters of one material. NaN in a field means "as the scene's default material". */
typedef struct ts_material_def {
    double density;         /**< mass per area [kg/m²], in space per volume [kg/m³]; default 1000 */
    double friction;        /**< Coulomb's μ [1]; pairs take the geometric mean; default 0.5 */
    double restitution;     /**< e of a head-on impact in [0, 1]; default 0.5; not together with normal_damping */
    double stiffness;       /**< k_n [N/m]; 0: derived from the tolerated overlap; pairs act in series */
    double stiffness_ratio; /**< k_t / k_n [1]; default 2/7 */
    double normal_damping;  /**< γ_n [N·s/m] of the published law (the force is ½ γ_n v_n); NaN: from restitution */
    double tangential_damping; /**< γ_t [N·s/m]; NaN: as much as the normal damping */
    int cookie;                /**< set by ts_default_material */
} ts_material_def;

/** A parameter of a dynamics by the name of its key in a scene file (docs/scene.md). */
typedef struct ts_parameter {
    const char *name; /**< "sweeps", "tolerated_overlap", … */
    double number;    /**< its value in SI units; a flag is 0 or 1; of a key that may be "auto", 0 is that */
    const char *text; /**< a name, a number with its unit ("3 mm") or "auto"; NULL: `number` counts */
} ts_parameter;

/** Most parameters of one dynamics. */
#define TS_PARAMETERS_MAX 16

/** The dynamics and its parameters that are not a material's. What is not said keeps its default. */
typedef struct ts_dynamics_def {
    const char *kind; /**< "penalty", "impact", …; default penalty */
    /** where outlines touch each other and walls: "features": at every place, from their corners, arcs and edges; "map":
     *  at the nearest place, by a contact map, and under impact at others that show around it; "one": at one place a pair,
     *  by its map, as published; "auto" or NULL: "map" where the scene says what its maps shall be or brings some along,
     *  otherwise "features" */
    const char *places;
    ts_parameter parameter[TS_PARAMETERS_MAX]; /**< see ts_dynamics_set */
    size_t parameter_count;                    /**< number of them */
    int cookie;                                /**< set by ts_default_dynamics */
} ts_dynamics_def;

/** One disc of a shape, in the shape's own frame. */
typedef struct ts_disc {
    double x;      /**< centre [m] */
    double y;      /**< centre [m] */
    double radius; /**< [m], positive */
} ts_disc;

/** What a piece of a shape of space is. */
typedef enum ts_piece_kind {
    TS_PIECE_SPHERE = 1,       /**< radius */
    TS_PIECE_BOX = 2,          /**< size */
    TS_PIECE_CAPSULE = 3,      /**< radius, and length of its axis between the centres of the two caps, along z */
    TS_PIECE_CYLINDER = 4,     /**< radius and length, along z */
    TS_PIECE_HULL = 5,         /**< convex hull of points */
    TS_PIECE_MESH = 6,         /**< inside of a closed surface of triangles */
    TS_PIECE_SUPERQUADRIC = 7, /**< half axes in size, and exponents */
    TS_PIECE_SMOOTH = 8        /**< a smooth body of several pieces */
} ts_piece_kind;

/** One piece of a shape of space, in the shape's own frame. */
typedef struct ts_piece_def {
    ts_piece_kind kind;           /**< what it is */
    double radius;                /**< sphere, capsule, cylinder [m] */
    double length;                /**< capsule, cylinder [m] */
    double size[3];               /**< box: whole lengths along x, y, z; superquadric: half axes [m] */
    double exponents[2];          /**< superquadric: ε₁ (along z), ε₂ (across), 0.1 to 1.9 */
    size_t vertices;              /**< superquadric: about how many its mesh shall have; 0: 300 */
    const ts_smooth_def *smooth;  /**< smooth: what it is made of; copied */
    double position[3];           /**< of the piece's own origin [m] */
    double attitude[4];           /**< of the piece; all zero: not turned */
    const double (*point)[3];     /**< hull: points; mesh: vertices [m]; copied */
    size_t point_count;           /**< number of them */
    const int32_t (*triangle)[3]; /**< mesh: corners, counter-clockwise from outside; copied */
    size_t triangle_count;        /**< number of them */
    int cells;                    /**< mesh: of its distance field along the longest side; 0: 64 */
} ts_piece_def;

/**
 * A rigid shape: in the plane a cluster of discs, which may overlap (outlines: ts_scene_add_outline); in space one or
 * more pieces, whose masses count twice where they overlap. Its origin is moved to its centre of mass.
 */
typedef struct ts_shape_def {
    const char *name;          /**< unique, or NULL */
    const ts_disc *disc;       /**< plane: the discs; copied */
    size_t disc_count;         /**< plane: at least 1 */
    const ts_piece_def *piece; /**< space: the pieces; copied */
    size_t piece_count;        /**< space: at least 1 */
    int cookie;                /**< set by ts_default_shape */
} ts_shape_def;

/** One body. */
typedef struct ts_body_def {
    const char *name;   /**< unique, or NULL; what drives and springs refer to */
    int32_t shape;      /**< index of a shape */
    int32_t material;   /**< index of a material; 0 is the default material */
    double scale;       /**< of the shape's lengths [1]; default 1 */
    double position[3]; /**< of the centre of mass [m] */
    double angle;       /**< plane [rad] */
    double attitude[4]; /**< space; default (1, 0, 0, 0); of any length but zero */
    double velocity[3]; /**< of the centre of mass [m/s] */
    double spin[3];     /**< angular velocity, world frame [rad/s]; in the plane (0, 0, spin) */
    bool fixed;         /**< never moves by itself: infinite mass, moved by a drive if at all */
    int cookie;         /**< set by ts_default_body */
} ts_body_def;

/** What a wall is, and on which side of it bodies stay. */
typedef enum ts_wall_kind {
    TS_WALL_FLAT = 1,     /**< half-plane, in space half-space: bodies stay on the side that the normal points to */
    TS_WALL_CIRCLE = 2,   /**< plane: bodies stay inside the circle */
    TS_WALL_POLYLINE = 3, /**< plane: a thin wall along lines and arcs; bodies may be on either side */
    TS_WALL_OUTLINE = 4,  /**< plane: a shape that is an outline; bodies stay outside of it, or inside */
    TS_WALL_ROOM = 5,     /**< space: bodies stay inside an upright box: six flat walls that go together */
    TS_WALL_CYLINDER = 6, /**< space: bodies stay inside a closed cylinder */
    TS_WALL_SOLID = 7     /**< space: bodies stay outside of a shape */
} ts_wall_kind;

/** A wall without mass. */
typedef struct ts_wall_def {
    const char *name;  /**< unique, or NULL; what a drive refers to */
    ts_wall_kind kind; /**< what it is; default flat */
    int32_t material;  /**< index of a material */
    double
        position[3]; /**< flat: a point of its edge; room: its lowest corner; polyline: unused; else its centre [m] */
    double
        normal[3];  /**< flat: towards the bodies, NaN: up (+y, in space +z); cylinder: its axis, NaN: +z; any length */
    double radius;  /**< circle, cylinder [m] */
    double length;  /**< cylinder [m] */
    double size[3]; /**< room: its lengths [m] */
    ts_contour line;    /**< polyline, open or closed [m]; copied */
    int32_t shape;      /**< outline, solid: index of a shape */
    double scale;       /**< outline, solid: of the shape's lengths [1]; default 1 */
    double angle;       /**< outline [rad] */
    double attitude[4]; /**< solid; default (1, 0, 0, 0) */
    bool inside;        /**< outline: bodies stay inside; default false: outside */
    int cookie;         /**< set by ts_default_wall */
} ts_wall_def;

/** How a drive moves its target. */
typedef enum ts_drive_kind {
    TS_DRIVE_ROTATION = 1,    /**< constant rate about a pivot */
    TS_DRIVE_OSCILLATION = 2, /**< amplitude · sin(2π f t + phase) along a vector and in angle */
    TS_DRIVE_KEYFRAMES = 3,   /**< smooth motion through given displacements */
    TS_DRIVE_GATE = 4,        /**< the target vanishes at a time (and may come back at a later one) */
    TS_DRIVE_VELOCITY = 5     /**< constant velocity */
} ts_drive_kind;

/** One keyframe: where the target is at a time, relative to where the scene put it. */
typedef struct ts_keyframe {
    double time;            /**< [s], ascending */
    double displacement[3]; /**< [m] */
    double angle;           /**< turned about the drive's axis through its pivot [rad] */
} ts_keyframe;

/** A scripted motion of fixed bodies or walls. A target has at most one drive that moves it, and one gate. */
typedef struct ts_drive_def {
    ts_drive_kind kind;     /**< how it moves */
    const char *target;     /**< name of a body, a wall, or a generator (all of its bodies) */
    double start;           /**< motion begins [s]; for a gate: when it opens */
    double end;             /**< motion ends [s]; for a gate: when it closes again; infinity: never */
    double pivot[3];        /**< on the axis of rotation at the start [m]; x and y NaN: the target's own position */
    double axis[3];         /**< of rotation; default +z; any length but zero; in the plane +z or -z */
    double rate;            /**< rotation [rad/s] */
    double velocity[3];     /**< TS_DRIVE_VELOCITY [m/s] */
    double amplitude[3];    /**< oscillation [m] */
    double angle_amplitude; /**< oscillation about the axis [rad] */
    double frequency;       /**< oscillation [Hz] */
    double phase;           /**< oscillation [rad] */
    const ts_keyframe *key; /**< keyframes; copied */
    size_t key_count;       /**< at least 2 for TS_DRIVE_KEYFRAMES */
    int cookie;             /**< set by ts_default_drive */
} ts_drive_def;

/** How the force of a spring grows. Energy [J] with x = length − rest: */
typedef enum ts_spring_kind {
    TS_SPRING_LINEAR = 0, /**< ½ k x² */
    TS_SPRING_CUBIC = 1   /**< ¼ k x⁴; k in N/m³ */
} ts_spring_kind;

/** A spring between two bodies, or between a body and the world. */
typedef struct ts_spring_def {
    ts_spring_kind kind; /**< default linear */
    const char *a;       /**< name of a body; NULL: the world */
    const char *b;       /**< name of a body */
    double anchor_a[3];  /**< in A's frame, or a point of the world [m] */
    double anchor_b[3];  /**< in B's frame [m] */
    double stiffness;    /**< k, positive */
    double rest;         /**< length without force [m]; default 0 */
    int cookie;          /**< set by ts_default_spring */
} ts_spring_def;

/** How the sizes of grains are distributed. */
typedef enum ts_size_kind {
    TS_SIZE_UNIFORM = 0,    /**< evenly between scale_min and scale_max */
    TS_SIZE_LOG_NORMAL = 1, /**< log-normal about `median`, cut off at scale_min and scale_max */
    TS_SIZE_TABLE = 2       /**< by a cumulative table, such as a sieve curve */
} ts_size_kind;

/** One point of a cumulative size distribution; linear between points. */
typedef struct ts_size_step {
    double scale; /**< of the shape; ascending */
    double share; /**< of the grains that are at most this large: 0 at the first point, rising to 1 at the last */
} ts_size_step;

/** One component of a mixture of grains. */
typedef struct ts_mix_entry {
    int32_t shape;             /**< index of a shape */
    int32_t material;          /**< index of a material */
    double weight;             /**< share of the count; only ratios matter */
    double scale_min;          /**< smallest scale of the shape */
    double scale_max;          /**< largest scale of the shape */
    ts_size_kind size;         /**< how scales are distributed; default uniform */
    double median;             /**< log-normal: the scale that half of the grains exceed, before cutting off */
    double spread;             /**< log-normal: standard deviation of ln(scale) */
    const ts_size_step *table; /**< table; copied */
    size_t table_count;        /**< at least 2; scale_min and scale_max are then ignored */
    bool by_mass;              /**< table: shares are of the mass (area), as sieving measures them, not of the number */
} ts_mix_entry;

/** How a generator places grains. */
typedef enum ts_fill_kind {
    TS_FILL_LATTICE =
        1, /**< on a lattice wide enough for the largest grain, row by row (in space layer by layer) from below:
                              triangular in the plane, cubic in space */
    TS_FILL_RANDOM = 2, /**< at random places, without overlap */
    TS_FILL_LINE = 3    /**< plane: one beside the other along a line: a rough wall */
} ts_fill_kind;

/** The region that a generator fills. */
typedef enum ts_region_kind {
    TS_REGION_BOX = 1,     /**< from `low` to `high` */
    TS_REGION_CIRCLE = 2,  /**< plane: position and radius */
    TS_REGION_CYLINDER = 3 /**< space: upright, position (of its middle), radius and length */
} ts_region_kind;

/** Fills a region with grains. */
typedef struct ts_generator_def {
    const char *name;        /**< unique, or NULL; what a drive refers to */
    ts_fill_kind fill;       /**< default random */
    ts_region_kind region;   /**< default box */
    double low[3];           /**< box: lowest corner [m]; in the plane z is not looked at */
    double high[3];          /**< box: its opposite corner [m]; likewise; default (1, 1, 1) */
    double position[3];      /**< circle, cylinder: centre [m] */
    double radius;           /**< circle, cylinder [m] */
    double length;           /**< cylinder [m] */
    ts_contour line;         /**< line: along which grains stand [m]; copied. The region is then unused */
    double spacing;          /**< line: from centre to centre, in mean diameters of the mix [1]; default 1 */
    size_t count;            /**< grains to place; it is an error if they do not fit. line: 0: as `spacing` says */
    double packing;          /**< plane, instead of a count: share of the region's area that grains cover; default 0 */
    const ts_mix_entry *mix; /**< copied */
    size_t mix_count;        /**< at least 1 */
    double gap;              /**< least distance between grains (in space between bounding spheres) [m]; default 0 */
    double jitter;           /**< lattice: random displacement as a share of the free room, 0 to 1; default 0.5.
                                  line: largest random displacement across it, in mean diameters */
    bool random_attitude;    /**< angles, in space attitudes, uniform; else none is turned; default true */
    bool angle_along;        /**< line: each grain's x axis points along it, whatever random_attitude says */
    double velocity[3];      /**< of every grain [m/s] */
    double velocity_spread;  /**< standard deviation of a random addition to each component [m/s] */
    bool fixed;              /**< the grains never move */
    int cookie;              /**< set by ts_default_generator */
} ts_generator_def;

/** From where pictures of space are taken. All zero: from the front, the right and above, so that everything is seen.
 * */
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

/** The settings of an empty scene. */
TS_API ts_settings ts_default_settings(void);
/** Every field NaN: all as the scene's default material. */
TS_API ts_material_def ts_default_material(void);
/** The default of the plane: the penalty law, without parameters that are said. */
TS_API ts_dynamics_def ts_default_dynamics(void);
/** Sets a parameter of a dynamics to a number; what is said again replaces what was said before. The name is not
 * copied. It
 *  is checked by ts_scene_set_dynamics. */
TS_API void ts_dynamics_set(ts_dynamics_def *def, const char *name, double number);
/** The same with a text: a name, or a number with its unit. Neither text is copied. */
TS_API void ts_dynamics_set_text(ts_dynamics_def *def, const char *name, const char *text);
/** No disc and no piece yet. */
TS_API ts_shape_def ts_default_shape(void);
/** At rest at the origin, shape 0, material 0. */
TS_API ts_body_def ts_default_body(void);
/** A floor: y > 0, in space z > 0. */
TS_API ts_wall_def ts_default_wall(void);
/** Active from time 0 on; target and kind are still to be given. */
TS_API ts_drive_def ts_default_drive(void);
/** Linear, without a length; bodies and stiffness are still to be given. */
TS_API ts_spring_def ts_default_spring(void);
/** A random fill; region, count and mix are still to be given. */
TS_API ts_generator_def ts_default_generator(void);
/** Earth's gravity along −z, automatic camera. */
TS_API ts_space_def ts_default_space(void);

/** Makes the scene one of space. It must not have shapes, bodies, walls, springs, drives, generators or maps yet. */
TS_API ts_status ts_scene_set_space(ts_scene *scene, const ts_space_def *def, ts_error *error);
/** Whether it is one. */
TS_API bool ts_scene_is_space(const ts_scene *scene);
/** Replaces the settings. */
TS_API ts_status ts_scene_set(ts_scene *scene, const ts_settings *settings, ts_error *error);
/** The settings as they are. */
TS_API ts_settings ts_scene_settings(const ts_scene *scene);
/** Replaces the dynamics. */
TS_API ts_status ts_scene_set_dynamics(ts_scene *scene, const ts_dynamics_def *def, ts_error *error);
/** Says what the contact maps of the scene's pairs of outlines shall be; all zero, as a new scene has it, is a good
 * default. */
TS_API ts_status ts_scene_set_map(ts_scene *scene, const ts_map_options *options, ts_error *error);
/** What they shall be. */
TS_API ts_map_options ts_scene_map(const ts_scene *scene);
/**
 * Brings a map along, as the bytes of a file that ts_map_write wrote; copied. All pairs of the scene that have its two
 * outlines, at its ratio of sizes and in either order, meet by it, whatever ts_scene_set_map says. `name` stands for it
 * in messages; NULL: its number. Compiling refuses a map that is damaged, one that no two bodies of the scene can use,
 * and two for one pair.
 */
TS_API ts_status ts_scene_add_map(ts_scene *scene, const char *name, const void *bytes, size_t size, ts_error *error);
/** Says how contacts of smooth bodies are found (scenes of space). */
TS_API ts_status ts_scene_set_manifold(ts_scene *scene, const ts_manifold_options *options, ts_error *error);
/** How they are; the default options unless it was said. */
TS_API ts_manifold_options ts_scene_manifold(const ts_scene *scene);
/** Changes material 0, the default that every scene has. Fields that are NaN stay as they are. */
TS_API ts_status ts_scene_set_default_material(ts_scene *scene, const ts_material_def *def, ts_error *error);
/** Adds a material. `name` may be NULL; `index` may be NULL. */
TS_API ts_status ts_scene_add_material(ts_scene *scene, const char *name, const ts_material_def *def, int32_t *index,
                                       ts_error *error);
/** Overrides what two materials make of each other. `density` and fields that are NaN are ignored. */
TS_API ts_status ts_scene_set_pair(ts_scene *scene, int32_t material_a, int32_t material_b, const ts_material_def *def,
                                   ts_error *error);
/** Adds a shape. `index` may be NULL, here and below. */
TS_API ts_status ts_scene_add_shape(ts_scene *scene, const ts_shape_def *def, int32_t *index, ts_error *error);
/** Adds an outline to a scene of the plane, copied and moved so that its centre of mass is the origin. `name` may be
 * NULL. */
TS_API ts_status ts_scene_add_outline(ts_scene *scene, const char *name, const ts_outline *outline, int32_t *index,
                                      ts_error *error);
/** Adds a shape of one disc to a scene of the plane. */
TS_API ts_status ts_scene_add_disc(ts_scene *scene, double radius, int32_t *index, ts_error *error);
/** Adds a body. */
TS_API ts_status ts_scene_add_body(ts_scene *scene, const ts_body_def *def, int32_t *index, ts_error *error);
/** Adds a wall. */
TS_API ts_status ts_scene_add_wall(ts_scene *scene, const ts_wall_def *def, int32_t *index, ts_error *error);
/** Adds a drive. */
TS_API ts_status ts_scene_add_drive(ts_scene *scene, const ts_drive_def *def, int32_t *index, ts_error *error);
/** Adds a spring; its bodies are there already. */
TS_API ts_status ts_scene_add_spring(ts_scene *scene, const ts_spring_def *def, int32_t *index, ts_error *error);
/** Adds a generator; it places its grains when the scene is compiled. */
TS_API ts_status ts_scene_add_generator(ts_scene *scene, const ts_generator_def *def, int32_t *index, ts_error *error);

/** Index of the shape of that name, or -1. */
TS_API int32_t ts_scene_find_shape(const ts_scene *scene, const char *name);
/** Index of the material of that name, or -1. */
TS_API int32_t ts_scene_find_material(const ts_scene *scene, const char *name);
/** Index of the body of that name, or -1. */
TS_API int32_t ts_scene_find_body(const ts_scene *scene, const char *name);
/** Index of the wall of that name, or -1. */
TS_API int32_t ts_scene_find_wall(const ts_scene *scene, const char *name);

#ifdef __cplusplus
}
#endif
