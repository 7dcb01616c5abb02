/* SPDX-License-Identifier: MIT */
/* The keys of a scene of space, as read_keys.c has those of the plane. */
#include "scene/read_fields.h"

static const ts_field scene_field[] = {
    CUSTOM("touchstone", REQUIRED),
    CUSTOM("title", 0),
    CUSTOM("notes", 0),
    CUSTOM("include", 0),
    CUSTOM("space", REQUIRED),
    RENAMED(ts_space_values, "gravity", space.gravity, VECTOR3, ACCELERATION, ANY, 0),
    CUSTOM("camera", 0),
    RENAMED(ts_space_values, "time_step", settings.time_step, NUMBER, TIME, POSITIVE, AUTO),
    RENAMED(ts_space_values, "duration", settings.duration, NUMBER, TIME, POSITIVE, 0),
    RENAMED(ts_space_values, "seed", settings.seed, INTEGER, NONE, ANY, 0),
    RENAMED(ts_space_values, "skin", settings.skin, NUMBER, LENGTH, POSITIVE, AUTO),
    CUSTOM("materials", 0),
    CUSTOM("material_pairs", 0),
    CUSTOM("shapes", 0),
    CUSTOM("bodies", 0),
    CUSTOM("generators", 0),
    CUSTOM("boundaries", 0),
    CUSTOM("springs", 0),
    CUSTOM("drives", 0),
    CUSTOM("dynamics", 0),
    CUSTOM("output", 0),
};
const ts_form ts_form_scene3 = FORM("scene3", "scene", NULL, scene_field);

static const ts_field camera_field[] = {
    FIELD(ts_camera, position, VECTOR3, LENGTH, ANY, 0),
    FIELD(ts_camera, target, VECTOR3, LENGTH, ANY, 0),
    FIELD(ts_camera, up, VECTOR3, NONE, ANY, 0),
    FIELD(ts_camera, view, NUMBER, ANGLE, POSITIVE, 0),
};
const ts_form ts_form_camera = FORM("camera", "camera", NULL, camera_field);

static const ts_field output_field[] = {
    FIELD(ts_settings, frame_interval, NUMBER, TIME, POSITIVE, AUTO),
    CUSTOM("frame_rate", 0),
    FIELD(ts_settings, energy_interval, NUMBER, TIME, POSITIVE, AUTO),
    RENAMED(ts_settings, "contacts", record_contacts, FLAG, NONE, ANY, 0),
    CUSTOM("measures", 0),
};
const ts_form ts_form_output3 = FORM("output3", "output", NULL, output_field);

/* ---- Materials ---- */

static const ts_field material_field[] = {
    FIELD(ts_material_def, density, NUMBER, VOLUME_DENSITY, POSITIVE, 0),
    CONTACT_FIELDS(ts_material_def, ),
};
const ts_form ts_form_material3 = FORM("material3", "material", NULL, material_field);

static const ts_field material_pair_field[] = {
    CUSTOM("between", REQUIRED),
    CONTACT_FIELDS(ts_material_def, ),
};
const ts_form ts_form_material_pair3 = FORM("material_pair3", "material pair", NULL, material_pair_field);

static const ts_field dynamics_field[] = {
    CUSTOM("kind", 0),
    RENAMED(ts_dynamics_values, "density", material.density, NUMBER, VOLUME_DENSITY, POSITIVE, 0),
    CONTACT_FIELDS(ts_dynamics_values, material.),
    RENAMED(ts_dynamics_values, "tolerated_overlap", def.tolerated_overlap, NUMBER, NONE, POSITIVE, 0),
    RENAMED(ts_dynamics_values, "expected_speed", def.expected_speed, NUMBER, SPEED, POSITIVE, AUTO),
    RENAMED(ts_dynamics_values, "damping_may_pull", def.damping_may_pull, FLAG, NONE, ANY, 0),
    RENAMED(ts_dynamics_values, "operator", def.impact_operator, TEXT, NONE, ANY, 0),
    RENAMED(ts_dynamics_values, "correction", def.correction, NUMBER, NONE, SHARE, 0),
    RENAMED(ts_dynamics_values, "staggered", def.staggered, INTEGER, NONE, ANY, 0),
    RENAMED(ts_dynamics_values, "sweeps", def.sweeps, INTEGER, NONE, ANY, 0),
};
const ts_form ts_form_dynamics3 = FORM("dynamics3", "dynamics", NULL, dynamics_field);

/* ---- Shapes, and pieces of compounds: the same with a place ---- */

/* clang-format off */
#define SPHERE_FIELDS \
    CUSTOM("kind", REQUIRED), RENAMED(ts_piece_values, "radius", def.radius, NUMBER, LENGTH, POSITIVE, REQUIRED)
#define BOX_FIELDS \
    CUSTOM("kind", REQUIRED), RENAMED(ts_piece_values, "size", def.size, VECTOR3, LENGTH, POSITIVE, REQUIRED)
#define TUBE_FIELDS \
    SPHERE_FIELDS, RENAMED(ts_piece_values, "length", def.length, NUMBER, LENGTH, POSITIVE, REQUIRED)
#define FILE_FIELDS \
    CUSTOM("kind", REQUIRED), CUSTOM("points", 0), FIELD(ts_piece_values, file, TEXT, NONE, ANY, 0), \
    FIELD(ts_piece_values, scale, NUMBER, NONE, POSITIVE, 0)
#define MESH_FIELDS \
    FILE_FIELDS, CUSTOM("triangles", 0), CUSTOM("made", 0), CUSTOM("notes", 0), \
    FIELD(ts_piece_values, cells, INTEGER, NONE, ANY, 0)
#define PLACE_FIELDS \
    RENAMED(ts_piece_values, "position", def.position, VECTOR3, LENGTH, ANY, 0), CUSTOM("attitude", 0)
/* clang-format on */

static const ts_field sphere_field[] = {SPHERE_FIELDS};
static const ts_field box_field[] = {BOX_FIELDS};
static const ts_field tube_field[] = {TUBE_FIELDS};
static const ts_field hull_field[] = {FILE_FIELDS};
static const ts_field mesh_field[] = {MESH_FIELDS};
static const ts_field compound_field[] = {CUSTOM("kind", REQUIRED), CUSTOM("pieces", REQUIRED)};
const ts_form ts_form_solid[TS_SOLID_FORM_COUNT] = {
    [TS_PIECE_SPHERE - 1] = FORM("solid_sphere", "sphere", "sphere", sphere_field),
    [TS_PIECE_BOX - 1] = FORM("solid_box", "box", "box", box_field),
    [TS_PIECE_CAPSULE - 1] = FORM("solid_capsule", "capsule", "capsule", tube_field),
    [TS_PIECE_CYLINDER - 1] = FORM("solid_cylinder", "cylinder", "cylinder", tube_field),
    [TS_PIECE_HULL - 1] = FORM("solid_hull", "hull", "hull", hull_field),
    [TS_PIECE_MESH - 1] = FORM("solid_mesh", "mesh", "mesh", mesh_field),
    [TS_SOLID_FORM_COMPOUND] = FORM("solid_compound", "compound", "compound", compound_field),
};

static const ts_field sphere_piece_field[] = {SPHERE_FIELDS, PLACE_FIELDS};
static const ts_field box_piece_field[] = {BOX_FIELDS, PLACE_FIELDS};
static const ts_field tube_piece_field[] = {TUBE_FIELDS, PLACE_FIELDS};
static const ts_field hull_piece_field[] = {FILE_FIELDS, PLACE_FIELDS};
static const ts_field mesh_piece_field[] = {MESH_FIELDS, PLACE_FIELDS};
const ts_form ts_form_piece[TS_PIECE_FORM_COUNT] = {
    [TS_PIECE_SPHERE - 1] = FORM("piece_sphere", "sphere of a compound", "sphere", sphere_piece_field),
    [TS_PIECE_BOX - 1] = FORM("piece_box", "box of a compound", "box", box_piece_field),
    [TS_PIECE_CAPSULE - 1] = FORM("piece_capsule", "capsule of a compound", "capsule", tube_piece_field),
    [TS_PIECE_CYLINDER - 1] = FORM("piece_cylinder", "cylinder of a compound", "cylinder", tube_piece_field),
    [TS_PIECE_HULL - 1] = FORM("piece_hull", "hull of a compound", "hull", hull_piece_field),
    [TS_PIECE_MESH - 1] = FORM("piece_mesh", "mesh of a compound", "mesh", mesh_piece_field),
};

/* Meshes made by rule. */
#define DETAIL FIELD(ts_made_values, detail, INTEGER, NONE, ANY, 0)
static const ts_field made_box_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_made_values, size, VECTOR3, LENGTH, POSITIVE, REQUIRED),
    DETAIL,
};
static const ts_field made_sphere_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_made_values, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
    DETAIL,
};
static const ts_field made_torus_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_made_values, ring, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_made_values, tube, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_made_values, along, INTEGER, NONE, ANY, 0),
    FIELD(ts_made_values, around, INTEGER, NONE, ANY, 0),
};
static const ts_field made_trefoil_field[] = {
    CUSTOM("kind", REQUIRED),
    RENAMED(ts_made_values, "size", length, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_made_values, tube, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_made_values, along, INTEGER, NONE, ANY, 0),
    FIELD(ts_made_values, around, INTEGER, NONE, ANY, 0),
};
static const ts_field made_doll_field[] = {
    CUSTOM("kind", REQUIRED),
    RENAMED(ts_made_values, "height", length, NUMBER, LENGTH, POSITIVE, REQUIRED),
    CUSTOM("part", 0),
    FIELD(ts_made_values, number, INTEGER, NONE, ANY, 0),
    FIELD(ts_made_values, hollow, NUMBER, NONE, SHARE, 0),
    FIELD(ts_made_values, slack, NUMBER, NONE, SHARE, 0),
    DETAIL,
    FIELD(ts_made_values, around, INTEGER, NONE, ANY, 0),
};
static const ts_field made_teapot_field[] = {
    CUSTOM("kind", REQUIRED),
    RENAMED(ts_made_values, "width", length, NUMBER, LENGTH, POSITIVE, REQUIRED),
    DETAIL,
};
static const ts_field made_bunny_field[] = {
    CUSTOM("kind", REQUIRED),
    RENAMED(ts_made_values, "height", length, NUMBER, LENGTH, POSITIVE, REQUIRED),
    DETAIL,
};
const ts_form ts_form_made[TS_MADE_FORM_COUNT] = {
    [TS_MADE_FORM_BOX] = FORM("made_box", "made box", "box", made_box_field),
    [TS_MADE_FORM_SPHERE] = FORM("made_sphere", "made sphere", "sphere", made_sphere_field),
    [TS_MADE_FORM_TORUS] = FORM("made_torus", "torus", "torus", made_torus_field),
    [TS_MADE_FORM_TREFOIL] = FORM("made_trefoil", "trefoil", "trefoil", made_trefoil_field),
    [TS_MADE_FORM_DOLL] = FORM("made_doll", "doll", "doll", made_doll_field),
    [TS_MADE_FORM_TEAPOT] = FORM("made_teapot", "teapot", "teapot", made_teapot_field),
    [TS_MADE_FORM_BUNNY] = FORM("made_bunny", "bunny", "bunny", made_bunny_field),
};

static const ts_field attitude_field[] = {
    FIELD(ts_attitude_values, axis, VECTOR3, NONE, ANY, REQUIRED),
    FIELD(ts_attitude_values, angle, NUMBER, ANGLE, ANY, REQUIRED),
};
const ts_form ts_form_attitude = FORM("attitude_about", "attitude", NULL, attitude_field);

/* ---- Bodies, walls, springs ---- */

static const ts_field body_field[] = {
    FIELD(ts_body3_def, name, TEXT, NONE, ANY, 0),
    RENAMED(ts_body3_def, "shape", solid, SHAPE, NONE, ANY, REQUIRED),
    FIELD(ts_body3_def, material, MATERIAL, NONE, ANY, 0),
    FIELD(ts_body3_def, scale, NUMBER, NONE, POSITIVE, 0),
    FIELD(ts_body3_def, position, VECTOR3, LENGTH, ANY, REQUIRED),
    CUSTOM("attitude", 0),
    FIELD(ts_body3_def, velocity, VECTOR3, SPEED, ANY, 0),
    FIELD(ts_body3_def, spin, VECTOR3, SPIN, ANY, 0),
    FIELD(ts_body3_def, fixed, FLAG, NONE, ANY, 0),
};
const ts_form ts_form_body3 = FORM("body3", "body", NULL, body_field);

/* clang-format off */
#define WALL_FIELDS \
    CUSTOM("kind", REQUIRED), RENAMED(ts_wall3_values, "name", def.name, TEXT, NONE, ANY, 0), \
    RENAMED(ts_wall3_values, "material", def.material, MATERIAL, NONE, ANY, 0)
#define WALL_POINT RENAMED(ts_wall3_values, "point", def.point, VECTOR3, LENGTH, ANY, REQUIRED)
/* clang-format on */

static const ts_field plane_field[] = {
    WALL_FIELDS,
    WALL_POINT,
    RENAMED(ts_wall3_values, "normal", def.normal, VECTOR3, NONE, ANY, REQUIRED),
};
static const ts_field room_field[] = {
    WALL_FIELDS,
    FIELD(ts_wall3_values, low, VECTOR3, LENGTH, ANY, REQUIRED),
    FIELD(ts_wall3_values, high, VECTOR3, LENGTH, ANY, REQUIRED),
};
static const ts_field vessel_field[] = {
    WALL_FIELDS,
    WALL_POINT,
    RENAMED(ts_wall3_values, "axis", def.normal, VECTOR3, NONE, ANY, 0),
    RENAMED(ts_wall3_values, "radius", def.radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
    RENAMED(ts_wall3_values, "length", def.length, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
static const ts_field solid_wall_field[] = {
    WALL_FIELDS,           RENAMED(ts_wall3_values, "shape", def.solid, SHAPE, NONE, ANY, REQUIRED), WALL_POINT,
    CUSTOM("attitude", 0), RENAMED(ts_wall3_values, "scale", def.scale, NUMBER, NONE, POSITIVE, 0),
};
const ts_form ts_form_wall3[TS_WALL3_FORM_COUNT] = {
    [TS_WALL3_PLANE - 1] = FORM("wall_plane", "plane", "plane", plane_field),
    [TS_WALL3_ROOM - 1] = FORM("wall_room", "room", "room", room_field),
    [TS_WALL3_CYLINDER - 1] = FORM("wall_cylinder", "cylinder", "cylinder", vessel_field),
    [TS_WALL3_SOLID - 1] = FORM("wall_solid", "solid wall", "solid", solid_wall_field),
};

/* clang-format off */
#define SPRING_FIELDS(quantity) \
    CUSTOM("kind", REQUIRED), FIELD(ts_spring3_def, a, BODY, NONE, ANY, 0), \
    FIELD(ts_spring3_def, b, BODY, NONE, ANY, REQUIRED), FIELD(ts_spring3_def, anchor_a, VECTOR3, LENGTH, ANY, 0), \
    FIELD(ts_spring3_def, anchor_b, VECTOR3, LENGTH, ANY, 0), \
    FIELD(ts_spring3_def, stiffness, NUMBER, quantity, POSITIVE, REQUIRED), \
    FIELD(ts_spring3_def, rest, NUMBER, LENGTH, NOT_NEGATIVE, 0)
/* clang-format on */

static const ts_field linear_field[] = {SPRING_FIELDS(STIFFNESS)};
static const ts_field cubic_field[] = {SPRING_FIELDS(CUBIC_STIFFNESS)};
const ts_form ts_form_spring3[TS_SPRING3_FORM_COUNT] = {
    [TS_SPRING3_LINEAR] = FORM("spring_linear", "linear spring", "linear", linear_field),
    [TS_SPRING3_CUBIC] = FORM("spring_cubic", "cubic spring", "cubic", cubic_field),
};

/* ---- Generators ---- */

/* clang-format off */
#define FILL_FIELDS \
    CUSTOM("kind", REQUIRED), FIELD(ts_generator3_def, name, TEXT, NONE, ANY, 0), CUSTOM("shape", 0), \
    CUSTOM("material", 0), CUSTOM("scale", 0), CUSTOM("mix", 0), CUSTOM("attitudes", 0), \
    FIELD(ts_generator3_def, velocity, VECTOR3, SPEED, ANY, 0), \
    FIELD(ts_generator3_def, velocity_spread, NUMBER, SPEED, NOT_NEGATIVE, 0), \
    FIELD(ts_generator3_def, fixed, FLAG, NONE, ANY, 0), CUSTOM("region", REQUIRED), CUSTOM("count", REQUIRED), \
    FIELD(ts_generator3_def, gap, NUMBER, LENGTH, NOT_NEGATIVE, 0)
/* clang-format on */

static const ts_field lattice_field[] = {
    FILL_FIELDS,
    FIELD(ts_generator3_def, jitter, NUMBER, NONE, SHARE, 0),
};
static const ts_field random_field[] = {FILL_FIELDS};
const ts_form ts_form_generator3[TS_GENERATOR3_FORM_COUNT] = {
    [TS_FILL_LATTICE - 1] = FORM("generator3_lattice", "lattice generator", "lattice", lattice_field),
    [TS_FILL_RANDOM - 1] = FORM("generator3_random", "random generator", "random", random_field),
};

static const ts_field region_field[] = {
    CUSTOM("box", 0),
    CUSTOM("cylinder", 0),
};
const ts_form ts_form_region3 = FORM("region3", "region", NULL, region_field);

static const ts_field region_cylinder_field[] = {
    FIELD(ts_cylinder_values, point, VECTOR3, LENGTH, ANY, REQUIRED),
    FIELD(ts_cylinder_values, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_cylinder_values, length, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
const ts_form ts_form_region_cylinder = FORM("region_cylinder", "cylinder", NULL, region_cylinder_field);

/* ---- Drives ---- */

/* clang-format off */
#define DRIVE_FIELDS CUSTOM("kind", REQUIRED), FIELD(ts_drive3_def, target, TARGET, NONE, ANY, REQUIRED)
#define DRIVE_SPAN \
    FIELD(ts_drive3_def, start, NUMBER, TIME, NOT_NEGATIVE, 0), FIELD(ts_drive3_def, end, NUMBER, TIME, NOT_NEGATIVE, 0)
#define DRIVE_AXIS \
    FIELD(ts_drive3_def, pivot, VECTOR3, LENGTH, ANY, 0), FIELD(ts_drive3_def, axis, VECTOR3, NONE, ANY, 0)
/* clang-format on */

static const ts_field rotation_field[] = {
    DRIVE_FIELDS,
    DRIVE_SPAN,
    DRIVE_AXIS,
    FIELD(ts_drive3_def, rate, NUMBER, SPIN, ANY, REQUIRED),
};
static const ts_field oscillation_field[] = {
    DRIVE_FIELDS,
    DRIVE_SPAN,
    DRIVE_AXIS,
    FIELD(ts_drive3_def, frequency, NUMBER, FREQUENCY, POSITIVE, REQUIRED),
    FIELD(ts_drive3_def, amplitude, VECTOR3, LENGTH, ANY, 0),
    FIELD(ts_drive3_def, angle_amplitude, NUMBER, ANGLE, ANY, 0),
    FIELD(ts_drive3_def, phase, NUMBER, ANGLE, ANY, 0),
};
static const ts_field keyframes_field[] = {
    DRIVE_FIELDS,
    DRIVE_AXIS,
    CUSTOM("keys", REQUIRED),
};
static const ts_field gate_field[] = {
    DRIVE_FIELDS,
    RENAMED(ts_drive3_def, "opens", start, NUMBER, TIME, NOT_NEGATIVE, REQUIRED),
    RENAMED(ts_drive3_def, "closes", end, NUMBER, TIME, NOT_NEGATIVE, 0),
};
static const ts_field velocity_field[] = {
    DRIVE_FIELDS,
    DRIVE_SPAN,
    FIELD(ts_drive3_def, velocity, VECTOR3, SPEED, ANY, REQUIRED),
};
const ts_form ts_form_drive3[TS_DRIVE_FORM_COUNT] = {
    [TS_DRIVE_ROTATION - 1] = FORM("drive3_rotation", "rotation", "rotation", rotation_field),
    [TS_DRIVE_OSCILLATION - 1] = FORM("drive3_oscillation", "oscillation", "oscillation", oscillation_field),
    [TS_DRIVE_KEYFRAMES - 1] = FORM("drive3_keyframes", "keyframes drive", "keyframes", keyframes_field),
    [TS_DRIVE_GATE - 1] = FORM("drive3_gate", "gate", "gate", gate_field),
    [TS_DRIVE_VELOCITY - 1] = FORM("drive3_velocity", "velocity drive", "velocity", velocity_field),
};

static const ts_field keyframe_field[] = {
    FIELD(ts_keyframe3, time, NUMBER, TIME, NOT_NEGATIVE, REQUIRED),
    FIELD(ts_keyframe3, displacement, VECTOR3, LENGTH, ANY, 0),
    FIELD(ts_keyframe3, angle, NUMBER, ANGLE, ANY, 0),
};
const ts_form ts_form_keyframe3 = FORM("keyframe3", "keyframe", NULL, keyframe_field);
