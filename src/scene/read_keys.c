/* SPDX-License-Identifier: MIT */
/* The keys of a scene, one table for each kind of object. docs/scene.md explains them to the user and
 * docs/scene.schema.json repeats them for editors; a test holds the three together. */
#include "scene/read_fields.h"

static const ts_field scene_field[] = {
    CUSTOM("touchstone", REQUIRED),
    CUSTOM("title", 0),
    CUSTOM("notes", 0),
    CUSTOM("include", 0),
    CUSTOM("space", 0),
    FIELD(ts_settings, gravity, VECTOR, ACCELERATION, ANY, 0),
    FIELD(ts_settings, time_step, NUMBER, TIME, POSITIVE, AUTO),
    FIELD(ts_settings, duration, NUMBER, TIME, POSITIVE, 0),
    FIELD(ts_settings, seed, INTEGER, NONE, ANY, 0),
    FIELD(ts_settings, skin, NUMBER, LENGTH, POSITIVE, AUTO),
    CUSTOM("materials", 0),
    CUSTOM("material_pairs", 0),
    CUSTOM("shapes", 0),
    CUSTOM("bodies", 0),
    CUSTOM("generators", 0),
    CUSTOM("boundaries", 0),
    CUSTOM("drives", 0),
    CUSTOM("geometry", 0),
    CUSTOM("dynamics", 0),
    CUSTOM("map", 0),
    CUSTOM("output", 0),
};
const ts_form ts_form_scene = FORM("scene", "scene", NULL, scene_field);

static const ts_field output_field[] = {
    FIELD(ts_settings, frame_interval, NUMBER, TIME, POSITIVE, AUTO),
    CUSTOM("frame_rate", 0),
    FIELD(ts_settings, energy_interval, NUMBER, TIME, POSITIVE, AUTO),
    RENAMED(ts_settings, "contacts", record_contacts, FLAG, NONE, ANY, 0),
    CUSTOM("measures", 0),
};
const ts_form ts_form_output = FORM("output", "output", NULL, output_field);

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
const ts_form ts_form_measures = FORM("measures", "measures", NULL, measures_field);

static const ts_field geometry_field[] = {
    CUSTOM("kind", REQUIRED),
};
const ts_form ts_form_geometry = FORM("geometry", "geometry", NULL, geometry_field);

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
const ts_form ts_form_map = FORM("map", "map", NULL, map_field);

/* ---- Materials ---- */

static const ts_field material_field[] = {
    FIELD(ts_material_def, density, NUMBER, DENSITY, POSITIVE, 0),
    CONTACT_FIELDS(ts_material_def, ),
};
const ts_form ts_form_material = FORM("material", "material", NULL, material_field);

static const ts_field material_pair_field[] = {
    CUSTOM("between", REQUIRED),
    CONTACT_FIELDS(ts_material_def, ),
};
const ts_form ts_form_material_pair = FORM("material_pair", "material pair", NULL, material_pair_field);

static const ts_field dynamics_field[] = {
    CUSTOM("kind", 0),
    RENAMED(ts_dynamics_values, "density", material.density, NUMBER, DENSITY, POSITIVE, 0),
    CONTACT_FIELDS(ts_dynamics_values, material.),
    RENAMED(ts_dynamics_values, "tolerated_overlap", def.tolerated_overlap, NUMBER, NONE, POSITIVE, 0),
    RENAMED(ts_dynamics_values, "expected_speed", def.expected_speed, NUMBER, SPEED, POSITIVE, AUTO),
    RENAMED(ts_dynamics_values, "damping_may_pull", def.damping_may_pull, FLAG, NONE, ANY, 0),
    RENAMED(ts_dynamics_values, "operator", def.impact_operator, TEXT, NONE, ANY, 0),
    RENAMED(ts_dynamics_values, "correction", def.correction, NUMBER, NONE, SHARE, 0),
    RENAMED(ts_dynamics_values, "staggered", def.staggered, INTEGER, NONE, ANY, 0),
    RENAMED(ts_dynamics_values, "sweeps", def.sweeps, INTEGER, NONE, ANY, 0),
    RENAMED(ts_dynamics_values, "places", def.places, TEXT, NONE, ANY, 0),
};
const ts_form ts_form_dynamics = FORM("dynamics", "dynamics", NULL, dynamics_field);

/* ---- Shapes ---- */

static const ts_field disc_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_disc, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
static const ts_field cluster_field[] = {
    CUSTOM("kind", REQUIRED),
    CUSTOM("discs", REQUIRED),
};
static const ts_field composite_field[] = {
    CUSTOM("kind", REQUIRED),
    CUSTOM("parts", REQUIRED),
};

/* Outlines. */
static const ts_field ring_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_outline_values, outer, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_outline_values, inner, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
static const ts_field box_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_outline_values, width, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_outline_values, height, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_outline_values, corner, NUMBER, LENGTH, NOT_NEGATIVE, 0),
};
static const ts_field regular_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_outline_values, sides, INTEGER, NONE, ANY, REQUIRED),
    FIELD(ts_outline_values, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
static const ts_field arc_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_outline_values, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_outline_values, thickness, NUMBER, LENGTH, POSITIVE, REQUIRED),
    FIELD(ts_outline_values, angle, NUMBER, ANGLE, ANY, REQUIRED),
    CUSTOM("ends", 0),
};
static const ts_field polygon_field[] = {
    CUSTOM("kind", REQUIRED), CUSTOM("points", 0), CUSTOM("holes", 0), CUSTOM("contours", 0), CUSTOM("notes", 0),
};
static const ts_field svg_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_outline_values, file, TEXT, NONE, ANY, REQUIRED),
    FIELD(ts_outline_values, id, TEXT, NONE, ANY, 0),
    FIELD(ts_outline_values, width, NUMBER, LENGTH, POSITIVE, 0),
    FIELD(ts_outline_values, height, NUMBER, LENGTH, POSITIVE, 0),
    FIELD(ts_outline_values, radius, NUMBER, LENGTH, POSITIVE, 0),
    FIELD(ts_outline_values, tolerance, NUMBER, NONE, POSITIVE, 0),
};
#define FONT_FIELDS                                                                      \
    CUSTOM("kind", REQUIRED), FIELD(ts_outline_values, font, TEXT, NONE, ANY, REQUIRED), \
        FIELD(ts_outline_values, height, NUMBER, LENGTH, POSITIVE, REQUIRED),            \
        FIELD(ts_outline_values, tolerance, NUMBER, NONE, POSITIVE, 0)
static const ts_field glyph_field[] = {
    FONT_FIELDS,
    FIELD(ts_outline_values, character, TEXT, NONE, ANY, REQUIRED),
};
static const ts_field text_field[] = {
    FONT_FIELDS,
    CUSTOM("text", REQUIRED),
};
static const ts_field group_field[] = {
    CUSTOM("kind", REQUIRED),
    CUSTOM("members", REQUIRED),
};
const ts_form ts_form_shape[TS_SHAPE_FORM_COUNT] = {
    [TS_SHAPE_FORM_DISC] = FORM("shape_disc", "disc", "disc", disc_field),
    [TS_SHAPE_FORM_CLUSTER] = FORM("shape_cluster", "cluster", "cluster", cluster_field),
    [TS_SHAPE_FORM_COMPOSITE] = FORM("shape_composite", "composite shape", "composite", composite_field),
    [TS_SHAPE_FORM_RING] = FORM("shape_ring", "ring", "ring", ring_field),
    [TS_SHAPE_FORM_BOX] = FORM("shape_box", "box", "box", box_field),
    [TS_SHAPE_FORM_REGULAR] = FORM("shape_regular", "regular polygon", "regular", regular_field),
    [TS_SHAPE_FORM_ARC] = FORM("shape_arc", "arc", "arc", arc_field),
    [TS_SHAPE_FORM_POLYGON] = FORM("shape_polygon", "polygon", "polygon", polygon_field),
    [TS_SHAPE_FORM_SVG] = FORM("shape_svg", "drawing", "svg", svg_field),
    [TS_SHAPE_FORM_GLYPH] = FORM("shape_glyph", "glyph", "glyph", glyph_field),
    [TS_SHAPE_FORM_TEXT] = FORM("shape_text", "text", "text", text_field),
    [TS_SHAPE_FORM_GROUP] = FORM("shape_group", "group", "group", group_field),
};

static const ts_field cluster_disc_field[] = {
    FIELD(ts_disc_values, at, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_disc_values, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
const ts_form ts_form_cluster_disc = FORM("cluster_disc", "disc of a cluster", NULL, cluster_disc_field);

static const ts_field composite_part_field[] = {
    CUSTOM("shape", REQUIRED),
    FIELD(ts_part_values, at, VECTOR, LENGTH, ANY, 0),
    FIELD(ts_part_values, angle, NUMBER, ANGLE, ANY, 0),
    FIELD(ts_part_values, scale, NUMBER, NONE, POSITIVE, 0),
};
const ts_form ts_form_composite_part = FORM("composite_part", "part of a composite shape", NULL, composite_part_field);

/* ---- Bodies and boundaries ---- */

static const ts_field body_field[] = {
    FIELD(ts_body_def, name, TEXT, NONE, ANY, 0),
    FIELD(ts_body_def, shape, SHAPE, NONE, ANY, REQUIRED),
    FIELD(ts_body_def, material, MATERIAL, NONE, ANY, 0),
    FIELD(ts_body_def, scale, NUMBER, NONE, POSITIVE, 0),
    FIELD(ts_body_def, position, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_body_def, angle, NUMBER, ANGLE, ANY, 0),
    FIELD(ts_body_def, velocity, VECTOR, SPEED, ANY, 0),
    FIELD(ts_body_def, spin, NUMBER, SPIN, ANY, 0),
    FIELD(ts_body_def, fixed, FLAG, NONE, ANY, 0),
};
const ts_form ts_form_body = FORM("body", "body", NULL, body_field);

static const ts_field half_plane_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_boundary_def, name, TEXT, NONE, ANY, 0),
    FIELD(ts_boundary_def, material, MATERIAL, NONE, ANY, 0),
    FIELD(ts_boundary_def, point, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_boundary_def, normal, VECTOR, NONE, ANY, REQUIRED),
};
static const ts_field circle_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_boundary_def, name, TEXT, NONE, ANY, 0),
    FIELD(ts_boundary_def, material, MATERIAL, NONE, ANY, 0),
    RENAMED(ts_boundary_def, "centre", point, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_boundary_def, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
static const ts_field polyline_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_boundary_def, name, TEXT, NONE, ANY, 0),
    FIELD(ts_boundary_def, material, MATERIAL, NONE, ANY, 0),
    CUSTOM("points", REQUIRED),
    CUSTOM("closed", 0),
};
static const ts_field outline_wall_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_boundary_def, name, TEXT, NONE, ANY, 0),
    FIELD(ts_boundary_def, material, MATERIAL, NONE, ANY, 0),
    FIELD(ts_boundary_def, shape, SHAPE, NONE, ANY, REQUIRED),
    RENAMED(ts_boundary_def, "position", point, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_boundary_def, angle, NUMBER, ANGLE, ANY, 0),
    FIELD(ts_boundary_def, scale, NUMBER, NONE, POSITIVE, 0),
    CUSTOM("keep", 0),
};
const ts_form ts_form_boundary[TS_BOUNDARY_FORM_COUNT] = {
    [TS_BOUNDARY_HALF_PLANE - 1] = FORM("boundary_half_plane", "half-plane", "half-plane", half_plane_field),
    [TS_BOUNDARY_CIRCLE - 1] = FORM("boundary_circle", "circle", "circle", circle_field),
    [TS_BOUNDARY_POLYLINE - 1] = FORM("boundary_polyline", "polyline", "polyline", polyline_field),
    [TS_BOUNDARY_OUTLINE - 1] = FORM("boundary_outline", "outline", "outline", outline_wall_field),
};

/* ---- Generators ---- */

/* clang-format off */
#define GRAIN_FIELDS \
    CUSTOM("kind", REQUIRED), FIELD(ts_generator_def, name, TEXT, NONE, ANY, 0), CUSTOM("shape", 0), \
    CUSTOM("material", 0), CUSTOM("scale", 0), CUSTOM("mix", 0), CUSTOM("angles", 0), \
    FIELD(ts_generator_def, velocity, VECTOR, SPEED, ANY, 0), \
    FIELD(ts_generator_def, velocity_spread, NUMBER, SPEED, NOT_NEGATIVE, 0), \
    FIELD(ts_generator_def, fixed, FLAG, NONE, ANY, 0)
#define REGION_FIELDS \
    CUSTOM("region", REQUIRED), CUSTOM("count", 0), FIELD(ts_generator_def, packing, NUMBER, NONE, POSITIVE, 0), \
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
    [TS_FILL_LATTICE - 1] = FORM("generator_lattice", "lattice generator", "lattice", lattice_field),
    [TS_FILL_RANDOM - 1] = FORM("generator_random", "random generator", "random", random_field),
    [TS_FILL_LINE - 1] = FORM("generator_line", "line generator", "line", line_field),
};

static const ts_field region_field[] = {
    CUSTOM("box", 0),
    CUSTOM("circle", 0),
};
const ts_form ts_form_region = FORM("region", "region", NULL, region_field);

static const ts_field region_circle_field[] = {
    RENAMED(ts_generator_def, "centre", a, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_generator_def, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
const ts_form ts_form_region_circle = FORM("region_circle", "circle", NULL, region_circle_field);

static const ts_field mix_entry_field[] = {
    FIELD(ts_mix_entry, shape, GRAIN, NONE, ANY, REQUIRED),
    FIELD(ts_mix_entry, material, MATERIAL, NONE, ANY, 0),
    FIELD(ts_mix_entry, weight, NUMBER, NONE, NOT_NEGATIVE, 0),
    CUSTOM("scale", 0),
};
const ts_form ts_form_mix_entry = FORM("mix_entry", "entry of a mix", NULL, mix_entry_field);

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
    [TS_SIZE_LOG_NORMAL - 1] = FORM("size_log_normal", "log-normal sizes", "log-normal", log_normal_field),
    [TS_SIZE_TABLE - 1] = FORM("size_table", "table of sizes", "table", size_table_field),
};

/* ---- Drives ---- */

#define DRIVE_FIELDS CUSTOM("kind", REQUIRED), FIELD(ts_drive_def, target, TARGET, NONE, ANY, REQUIRED)
#define DRIVE_SPAN \
    FIELD(ts_drive_def, start, NUMBER, TIME, NOT_NEGATIVE, 0), FIELD(ts_drive_def, end, NUMBER, TIME, NOT_NEGATIVE, 0)
#define DRIVE_PIVOT FIELD(ts_drive_def, pivot, VECTOR, LENGTH, ANY, 0)

static const ts_field rotation_field[] = {
    DRIVE_FIELDS,
    DRIVE_SPAN,
    DRIVE_PIVOT,
    FIELD(ts_drive_def, rate, NUMBER, SPIN, ANY, REQUIRED),
};
static const ts_field oscillation_field[] = {
    DRIVE_FIELDS,
    DRIVE_SPAN,
    DRIVE_PIVOT,
    FIELD(ts_drive_def, frequency, NUMBER, FREQUENCY, POSITIVE, REQUIRED),
    FIELD(ts_drive_def, amplitude, VECTOR, LENGTH, ANY, 0),
    FIELD(ts_drive_def, angle_amplitude, NUMBER, ANGLE, ANY, 0),
    FIELD(ts_drive_def, phase, NUMBER, ANGLE, ANY, 0),
};
static const ts_field keyframes_field[] = {
    DRIVE_FIELDS,
    DRIVE_PIVOT,
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
    [TS_DRIVE_ROTATION - 1] = FORM("drive_rotation", "rotation", "rotation", rotation_field),
    [TS_DRIVE_OSCILLATION - 1] = FORM("drive_oscillation", "oscillation", "oscillation", oscillation_field),
    [TS_DRIVE_KEYFRAMES - 1] = FORM("drive_keyframes", "keyframes drive", "keyframes", keyframes_field),
    [TS_DRIVE_GATE - 1] = FORM("drive_gate", "gate", "gate", gate_field),
    [TS_DRIVE_VELOCITY - 1] = FORM("drive_velocity", "velocity drive", "velocity", velocity_field),
};

static const ts_field keyframe_field[] = {
    FIELD(ts_keyframe, time, NUMBER, TIME, NOT_NEGATIVE, REQUIRED),
    FIELD(ts_keyframe, displacement, VECTOR, LENGTH, ANY, 0),
    FIELD(ts_keyframe, angle, NUMBER, ANGLE, ANY, 0),
};
const ts_form ts_form_keyframe = FORM("keyframe", "keyframe", NULL, keyframe_field);

const ts_form *ts_form_at(size_t index)
{
    static const struct {
        const ts_form *form;
        size_t count;
    } all[] = {
        {&ts_form_scene, 1},
        {&ts_form_output, 1},
        {&ts_form_measures, 1},
        {&ts_form_geometry, 1},
        {&ts_form_map, 1},
        {&ts_form_dynamics, 1},
        {&ts_form_material, 1},
        {&ts_form_material_pair, 1},
        {ts_form_shape, TS_SHAPE_FORM_COUNT},
        {&ts_form_cluster_disc, 1},
        {&ts_form_composite_part, 1},
        {&ts_form_body, 1},
        {ts_form_boundary, TS_BOUNDARY_FORM_COUNT},
        {ts_form_generator, TS_GENERATOR_FORM_COUNT},
        {&ts_form_region, 1},
        {&ts_form_region_circle, 1},
        {&ts_form_mix_entry, 1},
        {ts_form_size, TS_SIZE_FORM_COUNT},
        {ts_form_drive, TS_DRIVE_FORM_COUNT},
        {&ts_form_keyframe, 1},
        {&ts_form_scene3, 1},
        {&ts_form_camera, 1},
        {&ts_form_output3, 1},
        {&ts_form_material3, 1},
        {&ts_form_material_pair3, 1},
        {&ts_form_dynamics3, 1},
        {ts_form_solid, TS_SOLID_FORM_COUNT},
        {ts_form_piece, TS_PIECE_FORM_COUNT},
        {ts_form_made, TS_MADE_FORM_COUNT},
        {&ts_form_attitude, 1},
        {&ts_form_body3, 1},
        {ts_form_wall3, TS_WALL3_FORM_COUNT},
        {ts_form_spring3, TS_SPRING3_FORM_COUNT},
        {ts_form_generator3, TS_GENERATOR3_FORM_COUNT},
        {&ts_form_region3, 1},
        {&ts_form_region_cylinder, 1},
        {ts_form_drive3, TS_DRIVE_FORM_COUNT},
        {&ts_form_keyframe3, 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (index < all[i].count)
            return all[i].form + index;
        index -= all[i].count;
    }
    return NULL;
}
