/* SPDX-License-Identifier: MIT */
/* The keys of a scene, one table for each kind of object; those of shapes are in read_keys_shape.c. docs/scene.md
 * explains them to the user and docs/scene.schema.json repeats them for editors; a test holds the three together. */
#include <string.h>

#include "dynamics/dynamics.h"
#include "scene/read_fields.h"

static const ts_field scene_field[] = {
    CUSTOM("touchstone", REQUIRED),
    CUSTOM("title", 0),
    CUSTOM("notes", 0),
    CUSTOM("include", 0),
    CUSTOM("space", PLANE),
    CUSTOM("space", REQUIRED | SPACE),
    RENAMED(ts_scene_values, "gravity", settings.gravity, VECTOR, ACCELERATION, ANY, PLANE),
    RENAMED(ts_scene_values, "gravity", space.gravity, VECTOR, ACCELERATION, ANY, SPACE),
    CUSTOM("camera", SPACE),
    RENAMED(ts_scene_values, "time_step", settings.time_step, NUMBER, TIME, POSITIVE, AUTO),
    RENAMED(ts_scene_values, "duration", settings.duration, NUMBER, TIME, POSITIVE, 0),
    RENAMED(ts_scene_values, "seed", settings.seed, INTEGER, NONE, ANY, 0),
    RENAMED(ts_scene_values, "skin", settings.skin, NUMBER, LENGTH, POSITIVE, AUTO),
    CUSTOM("materials", 0),
    CUSTOM("material_pairs", 0),
    CUSTOM("shapes", 0),
    CUSTOM("bodies", 0),
    CUSTOM("generators", 0),
    CUSTOM("walls", 0),
    CUSTOM("springs", 0),
    CUSTOM("drives", 0),
    CUSTOM("geometry", PLANE),
    CUSTOM("dynamics", 0),
    CUSTOM("map", PLANE),
    CUSTOM("manifold", SPACE),
    CUSTOM("output", 0),
};
const ts_form ts_form_scene = FORM("scene", "scene", NULL, scene_field, 0, 0);

static const ts_field camera_field[] = {
    FIELD(ts_camera, position, VECTOR, LENGTH, ANY, 0),
    FIELD(ts_camera, target, VECTOR, LENGTH, ANY, 0),
    FIELD(ts_camera, up, VECTOR, NONE, ANY, 0),
    FIELD(ts_camera, view, NUMBER, ANGLE, POSITIVE, 0),
};
const ts_form ts_form_camera = FORM("camera", "camera", NULL, camera_field, SPACE, 0);

static const ts_field output_field[] = {
    FIELD(ts_settings, frame_interval, NUMBER, TIME, POSITIVE, AUTO),
    CUSTOM("frame_rate", 0),
    FIELD(ts_settings, energy_interval, NUMBER, TIME, POSITIVE, AUTO),
    RENAMED(ts_settings, "contacts", record_contacts, FLAG, NONE, ANY, 0),
    CUSTOM("measures", 0),
};
const ts_form ts_form_output = FORM("output", "output", NULL, output_field, 0, 0);

static const ts_field measures_field[] = {
    CUSTOM("what", REQUIRED),
    CUSTOM("region", 0),
    CUSTOM("line", 0),
    FIELD(ts_measures_values, bins, INTEGER, NONE, ANY, 0),
    CUSTOM("along", 0),
    FIELD(ts_measures_values, rattlers, INTEGER, NONE, ANY, 0),
    FIELD(ts_measures_values, share, NUMBER, NONE, SHARE, 0),
    CUSTOM("kinds", 0),
    FIELD(ts_measures_values, walls, FLAG, NONE, ANY, 0),
};
const ts_form ts_form_measures = FORM("measures", "measures", NULL, measures_field, 0, 0);

static const ts_field geometry_field[] = {
    CUSTOM("kind", REQUIRED),
};
const ts_form ts_form_geometry = FORM("geometry", "geometry", NULL, geometry_field, PLANE, 0);

static const ts_field map_field[] = {
    CUSTOM("files", 0),
    CUSTOM("data", 0),
    CUSTOM("kind", 0),
    FIELD(ts_map_values, error, NUMBER, NONE, POSITIVE, 0),
    FIELD(ts_map_values, bytes, INTEGER, NONE, ANY, 0),
    FIELD(ts_map_values, folding, FLAG, NONE, ANY, 0),
    FIELD(ts_map_values, smoothing, NUMBER, NONE, NOT_NEGATIVE, 0),
    FIELD(ts_map_values, grid, INTEGER, NONE, ANY, 0),
    FIELD(ts_map_values, refine, FLAG, NONE, ANY, 0),
    FIELD(ts_map_values, depth, INTEGER, NONE, ANY, 0),
    FIELD(ts_map_values, width, INTEGER, NONE, ANY, 0),
    CUSTOM("encoding", 0),
    FIELD(ts_map_values, samples, INTEGER, NONE, ANY, 0),
    FIELD(ts_map_values, seed, INTEGER, NONE, ANY, 0),
};
const ts_form ts_form_map = FORM("map", "map", NULL, map_field, PLANE, 0);

static const ts_field manifold_field[] = {
    FIELD(ts_manifold_values, smoothing, NUMBER, NONE, POSITIVE, 0),
    FIELD(ts_manifold_values, gradient_smoothing, NUMBER, NONE, POSITIVE, 0),
    FIELD(ts_manifold_values, edges, FLAG, NONE, ANY, 0),
    FIELD(ts_manifold_values, sides, TEXT, NONE, ANY, 0),
    CUSTOM("keep", 0),
    FIELD(ts_manifold_values, selection, TEXT, NONE, ANY, 0),
    FIELD(ts_manifold_values, project, INTEGER, NONE, ANY, 0),
    FIELD(ts_manifold_values, safeguard, FLAG, NONE, ANY, 0),
    FIELD(ts_manifold_values, weights, TEXT, NONE, ANY, 0),
};
const ts_form ts_form_manifold = FORM("manifold", "manifold", NULL, manifold_field, SPACE, 0);

static const ts_field keep_field[] = {
    FIELD(ts_manifold_values, vertices, INTEGER, NONE, POSITIVE, 0),
    RENAMED(ts_manifold_values, "edges", kept_edges, INTEGER, NONE, POSITIVE, 0),
};
const ts_form ts_form_keep = FORM("manifold_keep", "keep of the manifold", NULL, keep_field, SPACE, 0);

/* ---- Materials ---- */

/* `prefix` is where a material lies in the struct that is read into. */
#define DENSITY_FIELDS(type, prefix)                                            \
    RENAMED(type, "density", prefix density, NUMBER, DENSITY, POSITIVE, PLANE), \
        RENAMED(type, "density", prefix density, NUMBER, VOLUME_DENSITY, POSITIVE, SPACE)
#define CONTACT_FIELDS(type, prefix)                                                              \
    RENAMED(type, "friction", prefix friction, NUMBER, NONE, NOT_NEGATIVE, 0),                    \
        RENAMED(type, "restitution", prefix restitution, NUMBER, NONE, SHARE, 0),                 \
        RENAMED(type, "stiffness", prefix stiffness, NUMBER, STIFFNESS, POSITIVE, AUTO),          \
        RENAMED(type, "stiffness_ratio", prefix stiffness_ratio, NUMBER, NONE, NOT_NEGATIVE, 0),  \
        RENAMED(type, "normal_damping", prefix normal_damping, NUMBER, DAMPING, NOT_NEGATIVE, 0), \
        RENAMED(type, "tangential_damping", prefix tangential_damping, NUMBER, DAMPING, NOT_NEGATIVE, 0)

static const ts_field material_field[] = {
    DENSITY_FIELDS(ts_material_def, ),
    CONTACT_FIELDS(ts_material_def, ),
};
const ts_form ts_form_material = FORM("material", "material", NULL, material_field, 0, 0);

static const ts_field material_pair_field[] = {
    CUSTOM("between", REQUIRED),
    CONTACT_FIELDS(ts_material_def, ),
};
const ts_form ts_form_material_pair = FORM("material_pair", "material pair", NULL, material_pair_field, 0, 0);

static const ts_field dynamics_field[] = {
    CUSTOM("kind", 0),
    DENSITY_FIELDS(ts_dynamics_values, material.),
    CONTACT_FIELDS(ts_dynamics_values, material.),
    RENAMED(ts_dynamics_values, "places", places, TEXT, NONE, ANY, PLANE),
};

void ts_dynamics_form_make(const ts_dynamics *dynamics, ts_dynamics_form *made)
{
    size_t count = sizeof dynamics_field / sizeof *dynamics_field;
    made->form = (ts_form){"dynamics", "dynamics", dynamics->name, made->field, 0, 0, 0};
    memcpy(made->field, dynamics_field, sizeof dynamics_field);
    for (size_t i = 0; i < dynamics->field_count && count < TS_DYNAMICS_FIELDS_MAX; i++) {
        made->field[count] = dynamics->field[i];
        made->field[count++].offset += TS_DYNAMICS_PARAM;
    }
    made->form.field_count = count;
}

/* ---- Bodies and springs ---- */

static const ts_field body_field[] = {
    FIELD(ts_body_def, name, TEXT, NONE, ANY, 0),
    FIELD(ts_body_def, shape, SHAPE, NONE, ANY, REQUIRED),
    FIELD(ts_body_def, material, MATERIAL, NONE, ANY, 0),
    FIELD(ts_body_def, scale, NUMBER, NONE, POSITIVE, 0),
    FIELD(ts_body_def, position, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_body_def, angle, NUMBER, ANGLE, ANY, PLANE),
    CUSTOM("attitude", SPACE),
    FIELD(ts_body_def, velocity, VECTOR, SPEED, ANY, 0),
    RENAMED(ts_body_def, "spin", spin[2], NUMBER, SPIN, ANY, PLANE),
    FIELD(ts_body_def, spin, VECTOR, SPIN, ANY, SPACE),
    FIELD(ts_body_def, fixed, FLAG, NONE, ANY, 0),
};
const ts_form ts_form_body = FORM("body", "body", NULL, body_field, 0, 0);

/* clang-format off */
#define SPRING_FIELDS(quantity) \
    CUSTOM("kind", REQUIRED), FIELD(ts_spring_def, a, BODY, NONE, ANY, 0), \
    FIELD(ts_spring_def, b, BODY, NONE, ANY, REQUIRED), FIELD(ts_spring_def, anchor_a, VECTOR, LENGTH, ANY, 0), \
    FIELD(ts_spring_def, anchor_b, VECTOR, LENGTH, ANY, 0), \
    FIELD(ts_spring_def, stiffness, NUMBER, quantity, POSITIVE, REQUIRED), \
    FIELD(ts_spring_def, rest, NUMBER, LENGTH, NOT_NEGATIVE, 0)
/* clang-format on */

static const ts_field linear_field[] = {SPRING_FIELDS(STIFFNESS)};
static const ts_field cubic_field[] = {SPRING_FIELDS(CUBIC_STIFFNESS)};
const ts_form ts_form_spring[TS_SPRING_FORM_COUNT] = {
    FORM("spring_linear", "linear spring", "linear", linear_field, 0, TS_SPRING_LINEAR),
    FORM("spring_cubic", "cubic spring", "cubic", cubic_field, 0, TS_SPRING_CUBIC),
};

/* ---- Walls ---- */

/* clang-format off */
#define WALL_FIELDS \
    CUSTOM("kind", REQUIRED), RENAMED(ts_wall_values, "name", def.name, TEXT, NONE, ANY, 0), \
    RENAMED(ts_wall_values, "material", def.material, MATERIAL, NONE, ANY, 0)
#define WALL_POSITION RENAMED(ts_wall_values, "position", def.position, VECTOR, LENGTH, ANY, REQUIRED)
#define WALL_RADIUS RENAMED(ts_wall_values, "radius", def.radius, NUMBER, LENGTH, POSITIVE, REQUIRED)
#define WALL_SHAPE \
    RENAMED(ts_wall_values, "shape", def.shape, SHAPE, NONE, ANY, REQUIRED), \
    RENAMED(ts_wall_values, "scale", def.scale, NUMBER, NONE, POSITIVE, 0)
/* clang-format on */

static const ts_field flat_field[] = {
    WALL_FIELDS,
    WALL_POSITION,
    RENAMED(ts_wall_values, "normal", def.normal, VECTOR, NONE, ANY, REQUIRED),
};
static const ts_field circle_field[] = {WALL_FIELDS, WALL_POSITION, WALL_RADIUS};
static const ts_field polyline_field[] = {WALL_FIELDS, CUSTOM("points", REQUIRED), CUSTOM("closed", 0)};
static const ts_field outline_wall_field[] = {
    WALL_FIELDS,       WALL_POSITION, WALL_SHAPE, RENAMED(ts_wall_values, "angle", def.angle, NUMBER, ANGLE, ANY, 0),
    CUSTOM("keep", 0),
};
static const ts_field room_field[] = {
    WALL_FIELDS,
    FIELD(ts_wall_values, low, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_wall_values, high, VECTOR, LENGTH, ANY, REQUIRED),
};
static const ts_field vessel_field[] = {
    WALL_FIELDS,
    WALL_POSITION,
    WALL_RADIUS,
    RENAMED(ts_wall_values, "axis", def.normal, VECTOR, NONE, ANY, 0),
    RENAMED(ts_wall_values, "length", def.length, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
static const ts_field solid_wall_field[] = {WALL_FIELDS, WALL_POSITION, WALL_SHAPE, CUSTOM("attitude", 0)};
const ts_form ts_form_wall[TS_WALL_FORM_COUNT] = {
    FORM("wall_half_plane", "half-plane", "half-plane", flat_field, PLANE, TS_WALL_FLAT),
    FORM("wall_circle", "circle", "circle", circle_field, PLANE, TS_WALL_CIRCLE),
    FORM("wall_polyline", "polyline", "polyline", polyline_field, PLANE, TS_WALL_POLYLINE),
    FORM("wall_outline", "outline", "outline", outline_wall_field, PLANE, TS_WALL_OUTLINE),
    FORM("wall_plane", "plane", "plane", flat_field, SPACE, TS_WALL_FLAT),
    FORM("wall_room", "room", "room", room_field, SPACE, TS_WALL_ROOM),
    FORM("wall_cylinder", "cylinder", "cylinder", vessel_field, SPACE, TS_WALL_CYLINDER),
    FORM("wall_solid", "solid wall", "solid", solid_wall_field, SPACE, TS_WALL_SOLID),
};

/* ---- Generators ---- */

/* clang-format off */
#define GRAIN_FIELDS \
    CUSTOM("kind", REQUIRED), FIELD(ts_generator_def, name, TEXT, NONE, ANY, 0), CUSTOM("shape", 0), \
    CUSTOM("material", 0), CUSTOM("scale", 0), CUSTOM("mix", 0), CUSTOM("angles", PLANE), \
    CUSTOM("attitudes", SPACE), \
    FIELD(ts_generator_def, velocity, VECTOR, SPEED, ANY, 0), \
    FIELD(ts_generator_def, velocity_spread, NUMBER, SPEED, NOT_NEGATIVE, 0), \
    FIELD(ts_generator_def, fixed, FLAG, NONE, ANY, 0)
#define REGION_FIELDS \
    CUSTOM("region", REQUIRED), CUSTOM("count", PLANE), CUSTOM("count", REQUIRED | SPACE), \
    FIELD(ts_generator_def, packing, NUMBER, NONE, POSITIVE, PLANE), \
    FIELD(ts_generator_def, gap, NUMBER, LENGTH, NOT_NEGATIVE, 0)
/* clang-format on */

static const ts_field lattice_field[] = {
    GRAIN_FIELDS,
    REGION_FIELDS,
    FIELD(ts_generator_def, jitter, NUMBER, NONE, SHARE, 0),
};
static const ts_field random_field[] = {
    GRAIN_FIELDS,
    REGION_FIELDS,
};
static const ts_field line_field[] = {
    GRAIN_FIELDS,
    CUSTOM("points", REQUIRED),
    CUSTOM("closed", 0),
    CUSTOM("count", 0),
    FIELD(ts_generator_def, spacing, NUMBER, NONE, POSITIVE, 0),
    FIELD(ts_generator_def, jitter, NUMBER, NONE, SHARE, 0),
};
const ts_form ts_form_generator[TS_GENERATOR_FORM_COUNT] = {
    FORM("generator_lattice", "lattice generator", "lattice", lattice_field, 0, TS_FILL_LATTICE),
    FORM("generator_random", "random generator", "random", random_field, 0, TS_FILL_RANDOM),
    FORM("generator_line", "line generator", "line", line_field, PLANE, TS_FILL_LINE),
};

static const ts_field region_field[] = {
    CUSTOM("box", 0),
    CUSTOM("circle", PLANE),
    CUSTOM("cylinder", SPACE),
};
const ts_form ts_form_region = FORM("region", "region", NULL, region_field, 0, 0);

static const ts_field region_circle_field[] = {
    FIELD(ts_generator_def, position, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_generator_def, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
const ts_form ts_form_region_circle = FORM("region_circle", "circle", NULL, region_circle_field, PLANE, 0);

static const ts_field region_cylinder_field[] = {
    FIELD(ts_generator_def, position, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_generator_def, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_generator_def, length, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
const ts_form ts_form_region_cylinder = FORM("region_cylinder", "cylinder", NULL, region_cylinder_field, SPACE, 0);

static const ts_field mix_entry_field[] = {
    FIELD(ts_mix_entry, shape, GRAIN, NONE, ANY, REQUIRED),
    FIELD(ts_mix_entry, material, MATERIAL, NONE, ANY, 0),
    FIELD(ts_mix_entry, weight, NUMBER, NONE, NOT_NEGATIVE, 0),
    CUSTOM("scale", 0),
};
const ts_form ts_form_mix_entry = FORM("mix_entry", "entry of a mix", NULL, mix_entry_field, 0, 0);

static const ts_field log_normal_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_mix_entry, median, NUMBER, NONE, POSITIVE, 0),
    FIELD(ts_mix_entry, spread, NUMBER, NONE, POSITIVE, REQUIRED),
    RENAMED(ts_mix_entry, "min", scale_min, NUMBER, NONE, POSITIVE, 0),
    RENAMED(ts_mix_entry, "max", scale_max, NUMBER, NONE, POSITIVE, 0),
};
static const ts_field size_table_field[] = {
    CUSTOM("kind", REQUIRED), CUSTOM("points", 0), CUSTOM("file", 0), CUSTOM("by", 0), CUSTOM("of", 0),
};
const ts_form ts_form_size[TS_SIZE_FORM_COUNT] = {
    [TS_SIZE_LOG_NORMAL - 1] = FORM("size_log_normal", "log-normal sizes", "log-normal", log_normal_field, 0, 0),
    [TS_SIZE_TABLE - 1] = FORM("size_table", "table of sizes", "table", size_table_field, 0, 0),
};

/* ---- Drives ---- */

#define DRIVE_FIELDS CUSTOM("kind", REQUIRED), FIELD(ts_drive_def, target, TARGET, NONE, ANY, REQUIRED)
#define DRIVE_SPAN \
    FIELD(ts_drive_def, start, NUMBER, TIME, NOT_NEGATIVE, 0), FIELD(ts_drive_def, end, NUMBER, TIME, NOT_NEGATIVE, 0)
#define DRIVE_AXIS \
    FIELD(ts_drive_def, pivot, VECTOR, LENGTH, ANY, 0), FIELD(ts_drive_def, axis, VECTOR, NONE, ANY, SPACE)

static const ts_field rotation_field[] = {
    DRIVE_FIELDS,
    DRIVE_SPAN,
    DRIVE_AXIS,
    FIELD(ts_drive_def, rate, NUMBER, SPIN, ANY, REQUIRED),
};
static const ts_field oscillation_field[] = {
    DRIVE_FIELDS,
    DRIVE_SPAN,
    DRIVE_AXIS,
    FIELD(ts_drive_def, frequency, NUMBER, FREQUENCY, POSITIVE, REQUIRED),
    FIELD(ts_drive_def, amplitude, VECTOR, LENGTH, ANY, 0),
    FIELD(ts_drive_def, angle_amplitude, NUMBER, ANGLE, ANY, 0),
    FIELD(ts_drive_def, phase, NUMBER, ANGLE, ANY, 0),
};
static const ts_field keyframes_field[] = {
    DRIVE_FIELDS,
    DRIVE_AXIS,
    CUSTOM("keys", REQUIRED),
};
static const ts_field gate_field[] = {
    DRIVE_FIELDS,
    RENAMED(ts_drive_def, "opens", start, NUMBER, TIME, NOT_NEGATIVE, REQUIRED),
    RENAMED(ts_drive_def, "closes", end, NUMBER, TIME, NOT_NEGATIVE, 0),
};
static const ts_field velocity_field[] = {
    DRIVE_FIELDS,
    DRIVE_SPAN,
    FIELD(ts_drive_def, velocity, VECTOR, SPEED, ANY, REQUIRED),
};
const ts_form ts_form_drive[TS_DRIVE_FORM_COUNT] = {
    FORM("drive_rotation", "rotation", "rotation", rotation_field, 0, TS_DRIVE_ROTATION),
    FORM("drive_oscillation", "oscillation", "oscillation", oscillation_field, 0, TS_DRIVE_OSCILLATION),
    FORM("drive_keyframes", "keyframes drive", "keyframes", keyframes_field, 0, TS_DRIVE_KEYFRAMES),
    FORM("drive_gate", "gate", "gate", gate_field, 0, TS_DRIVE_GATE),
    FORM("drive_velocity", "velocity drive", "velocity", velocity_field, 0, TS_DRIVE_VELOCITY),
};

static const ts_field keyframe_field[] = {
    FIELD(ts_keyframe, time, NUMBER, TIME, NOT_NEGATIVE, REQUIRED),
    FIELD(ts_keyframe, displacement, VECTOR, LENGTH, ANY, 0),
    FIELD(ts_keyframe, angle, NUMBER, ANGLE, ANY, 0),
};
const ts_form ts_form_keyframe = FORM("keyframe", "keyframe", NULL, keyframe_field, 0, 0);

const ts_form *ts_form_at(size_t index)
{
    static const struct {
        const ts_form *form;
        size_t count;
    } all[] = {
        {&ts_form_scene, 1},
        {&ts_form_camera, 1},
        {&ts_form_output, 1},
        {&ts_form_measures, 1},
        {&ts_form_geometry, 1},
        {&ts_form_map, 1},
        {&ts_form_manifold, 1},
        {&ts_form_keep, 1},
        {&ts_form_material, 1},
        {&ts_form_material_pair, 1},
        {ts_form_shape, TS_SHAPE_FORM_COUNT},
        {&ts_form_cluster_disc, 1},
        {&ts_form_composite_part, 1},
        {ts_form_solid, TS_SOLID_FORM_COUNT},
        {ts_form_piece, TS_PIECE_FORM_COUNT},
        {ts_form_made, TS_MADE_FORM_COUNT},
        {ts_form_smooth, TS_SMOOTH_FORM_COUNT},
        {&ts_form_attitude, 1},
        {&ts_form_body, 1},
        {ts_form_wall, TS_WALL_FORM_COUNT},
        {ts_form_spring, TS_SPRING_FORM_COUNT},
        {ts_form_generator, TS_GENERATOR_FORM_COUNT},
        {&ts_form_region, 1},
        {&ts_form_region_circle, 1},
        {&ts_form_region_cylinder, 1},
        {&ts_form_mix_entry, 1},
        {ts_form_size, TS_SIZE_FORM_COUNT},
        {ts_form_drive, TS_DRIVE_FORM_COUNT},
        {&ts_form_keyframe, 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (index < all[i].count)
            return all[i].form + index;
        index -= all[i].count;
    }
    return NULL;
}
