/* SPDX-License-Identifier: MIT */
/* The keys of shapes, as read_keys.c has those of all else: each kind of the plane and of space is a table of its
 * own. */
#include "scene/read_fields.h"

/* ---- In the plane ---- */

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
    [TS_SHAPE_FORM_DISC] = FORM("shape_disc", "disc", "disc", disc_field, PLANE, 0),
    [TS_SHAPE_FORM_CLUSTER] = FORM("shape_cluster", "cluster", "cluster", cluster_field, PLANE, 0),
    [TS_SHAPE_FORM_COMPOSITE] = FORM("shape_composite", "composite shape", "composite", composite_field, PLANE, 0),
    [TS_SHAPE_FORM_RING] = FORM("shape_ring", "ring", "ring", ring_field, PLANE, 0),
    [TS_SHAPE_FORM_BOX] = FORM("shape_box", "box", "box", box_field, PLANE, 0),
    [TS_SHAPE_FORM_REGULAR] = FORM("shape_regular", "regular polygon", "regular", regular_field, PLANE, 0),
    [TS_SHAPE_FORM_ARC] = FORM("shape_arc", "arc", "arc", arc_field, PLANE, 0),
    [TS_SHAPE_FORM_POLYGON] = FORM("shape_polygon", "polygon", "polygon", polygon_field, PLANE, 0),
    [TS_SHAPE_FORM_SVG] = FORM("shape_svg", "drawing", "svg", svg_field, PLANE, 0),
    [TS_SHAPE_FORM_GLYPH] = FORM("shape_glyph", "glyph", "glyph", glyph_field, PLANE, 0),
    [TS_SHAPE_FORM_TEXT] = FORM("shape_text", "text", "text", text_field, PLANE, 0),
    [TS_SHAPE_FORM_GROUP] = FORM("shape_group", "group", "group", group_field, PLANE, 0),
};

static const ts_field cluster_disc_field[] = {
    FIELD(ts_disc_values, at, VECTOR, LENGTH, ANY, REQUIRED),
    FIELD(ts_disc_values, radius, NUMBER, LENGTH, POSITIVE, REQUIRED),
};
const ts_form ts_form_cluster_disc = FORM("cluster_disc", "disc of a cluster", NULL, cluster_disc_field, PLANE, 0);

static const ts_field composite_part_field[] = {
    CUSTOM("shape", REQUIRED),
    FIELD(ts_part_values, at, VECTOR, LENGTH, ANY, 0),
    FIELD(ts_part_values, angle, NUMBER, ANGLE, ANY, 0),
    FIELD(ts_part_values, scale, NUMBER, NONE, POSITIVE, 0),
};
const ts_form ts_form_composite_part =
    FORM("composite_part", "part of a composite shape", NULL, composite_part_field, PLANE, 0);

/* ---- In space: shapes, and pieces of compounds, the same with a place ---- */

/* clang-format off */
#define SPHERE_FIELDS \
    CUSTOM("kind", REQUIRED), RENAMED(ts_piece_values, "radius", def.radius, NUMBER, LENGTH, POSITIVE, REQUIRED)
#define BOX_FIELDS \
    CUSTOM("kind", REQUIRED), RENAMED(ts_piece_values, "size", def.size, VECTOR, LENGTH, POSITIVE, REQUIRED)
#define TUBE_FIELDS \
    SPHERE_FIELDS, RENAMED(ts_piece_values, "length", def.length, NUMBER, LENGTH, POSITIVE, REQUIRED)
#define FILE_FIELDS \
    CUSTOM("kind", REQUIRED), CUSTOM("points", 0), FIELD(ts_piece_values, file, TEXT, NONE, ANY, 0), \
    FIELD(ts_piece_values, scale, NUMBER, NONE, POSITIVE, 0)
#define MESH_FIELDS \
    FILE_FIELDS, CUSTOM("triangles", 0), CUSTOM("made", 0), CUSTOM("notes", 0), \
    FIELD(ts_piece_values, cells, INTEGER, NONE, ANY, 0)
#define SUPERQUADRIC_FIELDS \
    BOX_FIELDS, CUSTOM("exponents", REQUIRED), FIELD(ts_piece_values, vertices, INTEGER, NONE, ANY, 0)
#define BLEND_FIELDS \
    CUSTOM("kind", REQUIRED), CUSTOM("pieces", 0), FIELD(ts_piece_values, file, TEXT, NONE, ANY, 0), \
    CUSTOM("points", 0), CUSTOM("triangles", 0), FIELD(ts_piece_values, vertices, INTEGER, NONE, ANY, 0), \
    FIELD(ts_piece_values, smoothing, NUMBER, NONE, POSITIVE, 0)
#define PLACE_FIELDS \
    RENAMED(ts_piece_values, "position", def.position, VECTOR, LENGTH, ANY, 0), CUSTOM("attitude", 0)
/* clang-format on */

static const ts_field sphere_field[] = {SPHERE_FIELDS};
static const ts_field solid_box_field[] = {BOX_FIELDS};
static const ts_field tube_field[] = {TUBE_FIELDS};
static const ts_field hull_field[] = {FILE_FIELDS};
static const ts_field mesh_field[] = {MESH_FIELDS};
static const ts_field superquadric_field[] = {SUPERQUADRIC_FIELDS};
static const ts_field blend_field[] = {BLEND_FIELDS};
static const ts_field compound_field[] = {CUSTOM("kind", REQUIRED), CUSTOM("pieces", REQUIRED)};
const ts_form ts_form_solid[TS_SOLID_FORM_COUNT] = {
    [TS_PIECE_SPHERE - 1] = FORM("shape_sphere", "sphere", "sphere", sphere_field, SPACE, TS_PIECE_SPHERE),
    [TS_PIECE_BOX - 1] = FORM("shape_box3", "box", "box", solid_box_field, SPACE, TS_PIECE_BOX),
    [TS_PIECE_CAPSULE - 1] = FORM("shape_capsule", "capsule", "capsule", tube_field, SPACE, TS_PIECE_CAPSULE),
    [TS_PIECE_CYLINDER - 1] = FORM("shape_cylinder", "cylinder", "cylinder", tube_field, SPACE, TS_PIECE_CYLINDER),
    [TS_PIECE_HULL - 1] = FORM("shape_hull", "hull", "hull", hull_field, SPACE, TS_PIECE_HULL),
    [TS_PIECE_MESH - 1] = FORM("shape_mesh", "mesh", "mesh", mesh_field, SPACE, TS_PIECE_MESH),
    [TS_PIECE_SUPERQUADRIC - 1] =
        FORM("shape_superquadric", "superquadric", "superquadric", superquadric_field, SPACE, TS_PIECE_SUPERQUADRIC),
    [TS_PIECE_SMOOTH - 1] = FORM("shape_smooth", "smooth body", "smooth", blend_field, SPACE, TS_PIECE_SMOOTH),
    [TS_SOLID_FORM_COMPOUND] = FORM("shape_compound", "compound", "compound", compound_field, SPACE, 0),
};

static const ts_field sphere_piece_field[] = {SPHERE_FIELDS, PLACE_FIELDS};
static const ts_field box_piece_field[] = {BOX_FIELDS, PLACE_FIELDS};
static const ts_field tube_piece_field[] = {TUBE_FIELDS, PLACE_FIELDS};
static const ts_field hull_piece_field[] = {FILE_FIELDS, PLACE_FIELDS};
static const ts_field mesh_piece_field[] = {MESH_FIELDS, PLACE_FIELDS};
static const ts_field superquadric_piece_field[] = {SUPERQUADRIC_FIELDS, PLACE_FIELDS};
static const ts_field blend_piece_field[] = {BLEND_FIELDS, PLACE_FIELDS};
const ts_form ts_form_piece[TS_PIECE_FORM_COUNT] = {
    [TS_PIECE_SPHERE - 1] =
        FORM("piece_sphere", "sphere of a compound", "sphere", sphere_piece_field, SPACE, TS_PIECE_SPHERE),
    [TS_PIECE_BOX - 1] = FORM("piece_box", "box of a compound", "box", box_piece_field, SPACE, TS_PIECE_BOX),
    [TS_PIECE_CAPSULE - 1] =
        FORM("piece_capsule", "capsule of a compound", "capsule", tube_piece_field, SPACE, TS_PIECE_CAPSULE),
    [TS_PIECE_CYLINDER - 1] =
        FORM("piece_cylinder", "cylinder of a compound", "cylinder", tube_piece_field, SPACE, TS_PIECE_CYLINDER),
    [TS_PIECE_HULL - 1] = FORM("piece_hull", "hull of a compound", "hull", hull_piece_field, SPACE, TS_PIECE_HULL),
    [TS_PIECE_MESH - 1] = FORM("piece_mesh", "mesh of a compound", "mesh", mesh_piece_field, SPACE, TS_PIECE_MESH),
    [TS_PIECE_SUPERQUADRIC - 1] = FORM("piece_superquadric", "superquadric of a compound", "superquadric",
                                       superquadric_piece_field, SPACE, TS_PIECE_SUPERQUADRIC),
    [TS_PIECE_SMOOTH - 1] =
        FORM("piece_smooth", "smooth body of a compound", "smooth", blend_piece_field, SPACE, TS_PIECE_SMOOTH),
};

/* Pieces of smooth bodies. */
#define SMOOTH_FIELDS                                                                                            \
    CUSTOM("kind", REQUIRED), RENAMED(ts_smooth_piece_values, "position", def.position, VECTOR, LENGTH, ANY, 0), \
        CUSTOM("attitude", 0), RENAMED(ts_smooth_piece_values, "subtract", def.subtract, FLAG, NONE, ANY, 0)
static const ts_field smooth_superquadric_field[] = {
    SMOOTH_FIELDS,
    RENAMED(ts_smooth_piece_values, "size", def.size, VECTOR, LENGTH, POSITIVE, REQUIRED),
    CUSTOM("exponents", REQUIRED),
};
static const ts_field smooth_polyhedron_field[] = {
    SMOOTH_FIELDS,
    CUSTOM("points", REQUIRED),
    CUSTOM("normals", 0),
};
static const ts_field smooth_cloud_field[] = {
    SMOOTH_FIELDS,
    CUSTOM("points", 0),
    CUSTOM("normals", 0),
    RENAMED(ts_smooth_piece_values, "width", def.width, NUMBER, LENGTH, POSITIVE, 0),
    FIELD(ts_smooth_piece_values, file, TEXT, NONE, ANY, 0),
    FIELD(ts_smooth_piece_values, scale, NUMBER, NONE, POSITIVE, 0),
};
const ts_form ts_form_smooth[TS_SMOOTH_FORM_COUNT] = {
    [TS_SMOOTH_SUPERQUADRIC - 1] = FORM("smooth_superquadric", "superquadric", "superquadric",
                                        smooth_superquadric_field, SPACE, TS_SMOOTH_SUPERQUADRIC),
    [TS_SMOOTH_POLYHEDRON - 1] =
        FORM("smooth_polyhedron", "polyhedron", "polyhedron", smooth_polyhedron_field, SPACE, TS_SMOOTH_POLYHEDRON),
    [TS_SMOOTH_CLOUD - 1] = FORM("smooth_cloud", "cloud", "cloud", smooth_cloud_field, SPACE, TS_SMOOTH_CLOUD),
};

/* Meshes made by rule. */
#define DETAIL FIELD(ts_made_values, detail, INTEGER, NONE, ANY, 0)
static const ts_field made_box_field[] = {
    CUSTOM("kind", REQUIRED),
    FIELD(ts_made_values, size, VECTOR, LENGTH, POSITIVE, REQUIRED),
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
    [TS_MADE_FORM_BOX] = FORM("made_box", "made box", "box", made_box_field, SPACE, 0),
    [TS_MADE_FORM_SPHERE] = FORM("made_sphere", "made sphere", "sphere", made_sphere_field, SPACE, 0),
    [TS_MADE_FORM_TORUS] = FORM("made_torus", "torus", "torus", made_torus_field, SPACE, 0),
    [TS_MADE_FORM_TREFOIL] = FORM("made_trefoil", "trefoil", "trefoil", made_trefoil_field, SPACE, 0),
    [TS_MADE_FORM_DOLL] = FORM("made_doll", "doll", "doll", made_doll_field, SPACE, 0),
    [TS_MADE_FORM_TEAPOT] = FORM("made_teapot", "teapot", "teapot", made_teapot_field, SPACE, 0),
    [TS_MADE_FORM_BUNNY] = FORM("made_bunny", "bunny", "bunny", made_bunny_field, SPACE, 0),
};

static const ts_field attitude_field[] = {
    FIELD(ts_attitude_values, axis, VECTOR, NONE, ANY, REQUIRED),
    FIELD(ts_attitude_values, angle, NUMBER, ANGLE, ANY, REQUIRED),
};
const ts_form ts_form_attitude = FORM("attitude_about", "attitude", NULL, attitude_field, SPACE, 0);
