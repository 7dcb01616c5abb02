/* SPDX-License-Identifier: MIT */
/**
 * @file scene.h
 * What a person writes: shapes, materials, bodies, generators, boundaries and drives.
 *
 * A scene is read from a JSON file (docs/scene.md) or built in code with the calls below; the two may be mixed. It is
 * then compiled into a ts_model (sim.h), which copies all it needs: the scene may be freed afterwards.
 *
 * Units are SI and radians. Angles turn from x to y. Every `_def` starts from its `ts_default_…()`; one that was only
 * zeroed is refused. Every number is checked: a NaN, an infinity or a value out of range is an error and leaves the scene
 * unchanged. Things are named by their index in the order of adding, from 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/map.h"
#include "touchstone/shape.h"
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
    double line[4];   /**< x0, y0, x1, y1 of the line that a flow crosses [m]; all zero: none, then there is no flow */
    size_t bins;      /**< slices of profiles; 0: of two mean diameters */
    bool along_x;     /**< profiles follow x, not y */
    int rattlers;     /**< grains with fewer contacts are rattlers; 0: 2 */
    double share;     /**< of grains that lie beyond the front; 0: 0.01 */
    ts_kind_by kinds; /**< of grains that segregate */
    bool no_walls;    /**< fabric of contacts between grains alone */
} ts_measuring;

/** What concerns the scene as a whole. */
typedef struct ts_settings {
    double gravity[2];      /**< acceleration (x, y) [m/s²]; default (0, -9.81) */
    double time_step;       /**< Δt [s]; 0: derived from stiffness, lightest body, duration (docs/penalty.md) */
    double duration;        /**< simulated time of a run [s]; default 1 */
    double skin;            /**< how much farther than touching the broad phase looks [m]; 0: derived */
    double frame_interval;  /**< simulated time between recorded frames [s]; 0: duration / 100 */
    double energy_interval; /**< simulated time between rows of the energy table [s]; 0: as frame_interval */
    uint64_t seed;          /**< of every random choice; default 1 */
    bool record_contacts;   /**< frames carry contacts and their forces; default true */
    uint32_t measures;      /**< groups of measures (measure.h) whose columns join the energy table; default 0 */
    ts_measuring measuring; /**< how they are measured */
    int cookie;             /**< set by ts_default_settings */
} ts_settings;

/** The penalty law's parameters of one material. NaN in a field means "as the scene's default material". */
typedef struct ts_material_def {
    double density;         /**< mass per area [kg/m²]; default 1000 */
    double friction;        /**< Coulomb's μ [1]; pairs take the geometric mean; default 0.5 */
    double restitution;     /**< e of a head-on impact in [0, 1]; default 0.5; not together with normal_damping */
    double stiffness;       /**< k_n [N/m]; 0: derived from the tolerated overlap; pairs act in series */
    double stiffness_ratio; /**< k_t / k_n [1]; default 2/7 */
    double normal_damping;  /**< γ_n [N·s/m] of the published law (the force is ½ γ_n v_n); NaN: from restitution */
    double tangential_damping; /**< γ_t [N·s/m]; NaN: as much as the normal damping */
    int cookie;                /**< set by ts_default_material */
} ts_material_def;

/** As many rounds as suit the scene. */
#define TS_STAGGERED_AUTO UINT64_MAX

/** The dynamics and its parameters that are not a material's. */
typedef struct ts_dynamics_def {
    const char *kind;            /**< "penalty" or "impact" */
    double tolerated_overlap;    /**< for derived stiffness: deepest overlap as a share of the smallest radius; 0.05 */
    double expected_speed;       /**< for derived stiffness: fastest impact [m/s]; 0: from the height of fall */
    bool damping_may_pull;       /**< the dashpot may pull bodies together as they part; default false */
    const char *impact_operator; /**< impact: "gr", "lcp", "gauss-seidel", "gauss-seidel-random" or "jacobi"; "gr" */
    double correction;  /**< impact: share of an overlap that a step removes; NaN: 0.2, or 0 for a restitution of 1 */
    uint64_t staggered; /**< impact: most rounds of normals and friction together; 0: friction once, after them, as published;
                             TS_STAGGERED_AUTO, the default: in the plane 3 where there is friction and `sweeps` is 0, otherwise 0 */
    uint64_t sweeps;    /**< impact: most sweeps by which inelastic impacts are resolved, nearly; 0: exactly */
    /** where outlines touch each other and walls: "features": at every place, from their corners, arcs and edges; "map": at the nearest
     *  place, by a contact map, and under impact at others that show around it; "one": at one place a pair, by its map, as published;
     *  "auto" or NULL: "map" where the scene says what its maps shall be or brings some along, otherwise "features" */
    const char *places;
    int cookie; /**< set by ts_default_dynamics */
} ts_dynamics_def;

/** One disc of a shape, in the shape's own frame. */
typedef struct ts_disc {
    double x;      /**< centre [m] */
    double y;      /**< centre [m] */
    double radius; /**< [m], positive */
} ts_disc;

/** A rigid cluster of one or more discs, which may overlap. Its origin is moved to its centre of mass. */
typedef struct ts_shape_def {
    const char *name;    /**< unique, or NULL */
    const ts_disc *disc; /**< the discs; copied */
    size_t disc_count;   /**< at least 1 */
    int cookie;          /**< set by ts_default_shape */
} ts_shape_def;

/** One body. */
typedef struct ts_body_def {
    const char *name;   /**< unique, or NULL; what a drive refers to */
    int32_t shape;      /**< index of a shape */
    int32_t material;   /**< index of a material; 0 is the default material */
    double scale;       /**< of the shape's lengths [1]; default 1 */
    double position[2]; /**< of the centre of mass [m] */
    double angle;       /**< [rad] */
    double velocity[2]; /**< [m/s] */
    double spin;        /**< [rad/s] */
    bool fixed;         /**< never moves by itself: infinite mass, moved by a drive if at all */
    int cookie;         /**< set by ts_default_body */
} ts_body_def;

/** Which side of what a boundary keeps bodies on. */
typedef enum ts_boundary_kind {
    TS_BOUNDARY_HALF_PLANE = 1, /**< bodies stay on the side that the normal points to */
    TS_BOUNDARY_CIRCLE = 2,     /**< bodies stay inside the circle */
    TS_BOUNDARY_POLYLINE = 3,   /**< a thin wall along lines and arcs; bodies may be on either side */
    TS_BOUNDARY_OUTLINE = 4     /**< a shape: bodies stay outside of it, or inside */
} ts_boundary_kind;

/** A wall without mass. */
typedef struct ts_boundary_def {
    const char *name;      /**< unique, or NULL; what a drive refers to */
    ts_boundary_kind kind; /**< what it is */
    int32_t material;      /**< index of a material */
    double point[2];       /**< half-plane: a point of its edge; circle, outline: its centre [m]; polyline: unused */
    double normal[2];      /**< half-plane: towards the bodies; any length but zero */
    double radius;         /**< circle [m] */
    ts_contour line;       /**< polyline, open or closed [m]; copied */
    int32_t shape;         /**< outline: index of a shape that is an outline */
    double scale;          /**< outline: of the shape's lengths [1]; default 1 */
    double angle;          /**< outline [rad] */
    bool inside;           /**< outline: bodies stay inside; default false: outside */
    int cookie;            /**< set by ts_default_boundary */
} ts_boundary_def;

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
    double displacement[2]; /**< [m] */
    double angle;           /**< turned about the pivot [rad] */
} ts_keyframe;

/** A scripted motion of fixed bodies or boundaries. A target has at most one drive that moves it, and one gate. */
typedef struct ts_drive_def {
    ts_drive_kind kind;     /**< how it moves */
    const char *target;     /**< name of a body, a boundary, or a generator (all of its bodies) */
    double start;           /**< motion begins [s]; for a gate: when it opens */
    double end;             /**< motion ends [s]; for a gate: when it closes again; infinity: never */
    double pivot[2];        /**< rotation centre at the start [m]; NaN: the target's own position */
    double rate;            /**< rotation [rad/s] */
    double velocity[2];     /**< TS_DRIVE_VELOCITY [m/s] */
    double amplitude[2];    /**< oscillation [m] */
    double angle_amplitude; /**< oscillation [rad] */
    double frequency;       /**< oscillation [Hz] */
    double phase;           /**< oscillation [rad] */
    const ts_keyframe *key; /**< keyframes; copied */
    size_t key_count;       /**< at least 2 for TS_DRIVE_KEYFRAMES */
    int cookie;             /**< set by ts_default_drive */
} ts_drive_def;

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
    TS_FILL_LATTICE = 1, /**< on a triangular lattice wide enough for the largest grain, row by row from the bottom */
    TS_FILL_RANDOM = 2,  /**< at random places, without overlap */
    TS_FILL_LINE = 3     /**< one beside the other along a line: a rough wall */
} ts_fill_kind;

/** The region that a generator fills. */
typedef enum ts_region_kind {
    TS_REGION_BOX = 1,   /**< a..b */
    TS_REGION_CIRCLE = 2 /**< centre a, radius */
} ts_region_kind;

/** Fills a region with grains. */
typedef struct ts_generator_def {
    const char *name;        /**< unique, or NULL; what a drive refers to */
    ts_fill_kind fill;       /**< lattice, random or line */
    ts_region_kind region;   /**< box or circle */
    double a[2];             /**< box: lower left corner; circle: centre [m] */
    double b[2];             /**< box: upper right corner [m] */
    double radius;           /**< circle [m] */
    ts_contour line;         /**< line: along which grains stand [m]; copied. The region is then unused */
    double spacing;          /**< line: from centre to centre, in mean diameters of the mix [1]; default 1 */
    size_t count;            /**< grains to place; it is an error if they do not fit. line: 0: as `spacing` says */
    double packing;          /**< instead of a count: share of the region's area that grains cover; default 0 */
    const ts_mix_entry *mix; /**< copied */
    size_t mix_count;        /**< at least 1 */
    double gap;              /**< least distance between grains [m]; default 0 */
    double jitter;           /**< lattice: random displacement as a share of the free room, 0 to 1; default 0.5.
                                  line: largest random displacement across it, in mean diameters */
    bool random_angle;       /**< orientations uniform; else all 0; default true */
    bool angle_along;        /**< line: each grain's x axis points along it, whatever random_angle says */
    double velocity[2];      /**< of every grain [m/s] */
    double velocity_spread;  /**< standard deviation of a random addition to each component [m/s] */
    bool fixed;              /**< the grains never move */
    int cookie;              /**< set by ts_default_generator */
} ts_generator_def;

/** The settings of an empty scene. */
TS_API ts_settings ts_default_settings(void);
/** Every field NaN: all as the scene's default material. */
TS_API ts_material_def ts_default_material(void);
/** The penalty law. */
TS_API ts_dynamics_def ts_default_dynamics(void);
/** No disc yet. */
TS_API ts_shape_def ts_default_shape(void);
/** At rest at the origin, shape 0, material 0. */
TS_API ts_body_def ts_default_body(void);
/** A floor: the half-plane y > 0. */
TS_API ts_boundary_def ts_default_boundary(void);
/** Active from time 0 on; target and kind are still to be given. */
TS_API ts_drive_def ts_default_drive(void);
/** A lattice fill; region, count and mix are still to be given. */
TS_API ts_generator_def ts_default_generator(void);

/** Replaces the settings. */
TS_API ts_status ts_scene_set(ts_scene *scene, const ts_settings *settings, ts_error *error);
/** The settings as they are. */
TS_API ts_settings ts_scene_settings(const ts_scene *scene);
/** Replaces the dynamics. */
TS_API ts_status ts_scene_set_dynamics(ts_scene *scene, const ts_dynamics_def *def, ts_error *error);
/** Says what the contact maps of the scene's pairs of outlines shall be; all zero, as a new scene has it, is a good default. */
TS_API ts_status ts_scene_set_map(ts_scene *scene, const ts_map_options *options, ts_error *error);
/** What they shall be. */
TS_API ts_map_options ts_scene_map(const ts_scene *scene);
/**
 * Brings a map along, as the bytes of a file that ts_map_write wrote; copied. All pairs of the scene that have its two outlines, at its ratio
 * of sizes and in either order, meet by it, whatever ts_scene_set_map says. `name` stands for it in messages; NULL: its number.
 * Compiling refuses a map that is damaged, one that no two bodies of the scene can use, and two for one pair.
 */
TS_API ts_status ts_scene_add_map(ts_scene *scene, const char *name, const void *bytes, size_t size, ts_error *error);
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
/** Adds an outline, copied and moved so that its centre of mass is the origin. `name` may be NULL. */
TS_API ts_status ts_scene_add_outline(ts_scene *scene, const char *name, const ts_outline *outline, int32_t *index,
                                      ts_error *error);
/** Adds a shape of one disc. */
TS_API ts_status ts_scene_add_disc(ts_scene *scene, double radius, int32_t *index, ts_error *error);
/** Adds a body. */
TS_API ts_status ts_scene_add_body(ts_scene *scene, const ts_body_def *def, int32_t *index, ts_error *error);
/** Adds a boundary. */
TS_API ts_status ts_scene_add_boundary(ts_scene *scene, const ts_boundary_def *def, int32_t *index, ts_error *error);
/** Adds a drive. */
TS_API ts_status ts_scene_add_drive(ts_scene *scene, const ts_drive_def *def, int32_t *index, ts_error *error);
/** Adds a generator; it places its grains when the scene is compiled. */
TS_API ts_status ts_scene_add_generator(ts_scene *scene, const ts_generator_def *def, int32_t *index, ts_error *error);

/** Index of the shape of that name, or -1. */
TS_API int32_t ts_scene_find_shape(const ts_scene *scene, const char *name);
/** Index of the material of that name, or -1. */
TS_API int32_t ts_scene_find_material(const ts_scene *scene, const char *name);
/** Index of the body of that name, or -1. */
TS_API int32_t ts_scene_find_body(const ts_scene *scene, const char *name);
/** Index of the boundary of that name, or -1. */
TS_API int32_t ts_scene_find_boundary(const ts_scene *scene, const char *name);

#ifdef __cplusplus
}
#endif
