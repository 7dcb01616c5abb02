/* SPDX-License-Identifier: MIT */
/* From a scene file to a scene.
 *
 *     file ──parse──▶ tree ──includes──▶ merged tree ──overrides, drawings and fonts──▶ resolved tree ──forms──▶ ts_scene
 *                                                                                             └──write──▶ text (ts_scene_resolve)
 *
 * The public ts_scene_load and ts_scene_parse are defined in read.c; docs/scene.md describes the format. */
#pragma once

#include "scene/json.h"
#include "scene/read_form.h"
#include "touchstone/scene.h"

/* The scene's whole text with includes merged, overrides applied and drawings and glyphs as polygons, in canonical
 * formatting, so that a run folder can keep a self-contained copy: reading it gives the same scene, bit for bit. Only
 * syntax, includes, overrides and shapes from files are checked. Freed with ts_free; a zero byte follows the end. */
ts_status ts_scene_resolve(const char *path, const ts_load_options *options, char **text, size_t *length,
                           ts_error *error);
/* The same of a scene that the program holds as a text. */
ts_status ts_scene_resolve_text(const ts_text_file *file, const ts_load_options *options, char **text, size_t *length,
                                ts_error *error);

/* ---- The stages ---- */

/* A file (read_file.c) or a text, with everything that it includes merged underneath. The tree, its places and their
 * file names live in the arena. */
ts_status ts_read_file(ts_arena *arena, const char *path, const ts_load_options *options, ts_json_value **root,
                       ts_error *error);
ts_status ts_read_text(ts_arena *arena, const char *text, size_t length, const char *name,
                       const ts_load_options *options, ts_json_value **root, ts_error *error);

/* Applies one `path=value` (read_override.c). What it creates or replaces has the place `--set path=value`. */
ts_status ts_read_override(ts_arena *arena, ts_json_value *root, const char *override, ts_error *error);

/* The tree as it stands by itself, for ts_read_scene: keys by their present names, files by what is in them (read.c).
 * For the tree with overrides applied. Says in the reader which dimension it is of. */
ts_status ts_read_resolve(ts_reader *reader, ts_json_value *root);
/* What a tree is of; the plane is the default (read_scene.c). */
ts_status ts_read_dimension(const ts_reader *reader, const ts_json_value *root, const ts_dimension **in);
/* Gives keys that have an old name their present one; refuses both at once (read_spelling.c). */
ts_status ts_read_spelling(const ts_reader *reader, ts_json_value *root);

/* Builds the scene from a resolved tree (read_scene.c). Shapes of the plane are in read_shape.c, one of space in
 * read_pieces.c. */
ts_status ts_read_scene(const ts_reader *with, const ts_json_value *root);
ts_status ts_read_shapes(const ts_reader *reader, const ts_json_value *shapes);
ts_status ts_read_solid(const ts_reader *reader, const ts_json_value *node);
/* One body, wall, spring or drive (read_things.c), one generator (read_generator.c). */
ts_status ts_read_body(const ts_reader *reader, const ts_json_value *item);
ts_status ts_read_wall(const ts_reader *reader, const ts_json_value *item);
ts_status ts_read_spring(const ts_reader *reader, const ts_json_value *item);
ts_status ts_read_drive(const ts_reader *reader, const ts_json_value *item);
ts_status ts_read_generator(const ts_reader *reader, const ts_json_value *item);

/* What a smooth body is made of: its "pieces", each checked, and "points" and "triangles" of its own mesh, in the
 * reader's arena (read_smooth.c). */
ts_status ts_read_smooth(const ts_reader *reader, const ts_json_value *node, const char *what, ts_smooth_def *def);
/* Two exponents of a superquadric; `value` may be NULL. */
ts_status ts_read_exponents(const ts_reader *reader, const ts_json_value *value, const char *what, double to[2]);

/* A mesh that is made by rule, in the reader's arena (read_made.c). */
ts_status ts_read_made(const ts_reader *reader, const ts_json_value *node, ts_piece_def *def);
/* [w, x, y, z], or {"axis", "angle"}, as a quaternion of any length but zero (read_pieces.c). NULL leaves it as it
 * is. */
ts_status ts_read_attitude(const ts_reader *reader, const ts_json_value *value, const char *what, double attitude[4]);

/* Replaces shapes that are made of files (svg, glyph, text) by the polygons that those hold, tables of sizes by their
 * points and map files by their bytes, so that the tree stands by itself (read_embed.c). */
ts_status ts_read_embed(const ts_reader *reader, ts_json_value *root);
/* The outline that a shape of one of the other kinds of outlines is (read_outline.c); the caller's to free. */
ts_status ts_read_outline(const ts_reader *reader, const ts_json_value *node, const ts_form *form,
                          ts_outline **outline);

/* Where a file that an item of a scene names lies: relative to the folder `home`, within it, or in a search path
 * (read_file.c). `what` begins messages. `found_shown` is how to call it, `found_real` (may be NULL) what tells
 * files apart;
 * both in the arena. */
ts_status ts_read_find(const ts_reader *reader, const ts_json_value *item, const char *what, const char *home,
                       const char **found_shown, const char **found_real);
/* Refuses a box whose first corner is not below the second in each of its components (read_things.c). */
ts_status ts_read_corners(const ts_reader *reader, const ts_json_value *value, const char *what, const double low[3],
                          const double high[3]);
/* Points of a line, open unless "closed" says so. */
ts_status ts_read_line(const ts_reader *reader, const ts_json_value *item, const char *what, ts_contour *line);
/* A list of points, [x, y] or [x, y, bulge], at least `least` of them, in the reader's arena (read_points.c). */
ts_status ts_read_points(const ts_reader *reader, const ts_json_value *list, const char *what, const char *key,
                         size_t least, ts_vertex **vertex, size_t *count);

/* A list of points or normals of space (by their quantity), at least four, in the reader's arena; a list of triangles
 * on so many points. Both as lists, or as the base64 that the program writes (read_triples.c). */
ts_status ts_read_triples(const ts_reader *reader, const ts_json_value *list, const char *what, ts_quantity quantity,
                          const double (**triple)[3], size_t *count);
ts_status ts_read_triangles(const ts_reader *reader, const ts_json_value *list, const char *what, size_t point_count,
                            const int32_t (**triangle)[3], size_t *count);

/* output.measures (read_measures.c); NULL: none. */
ts_status ts_read_measures(const ts_reader *reader, const ts_json_value *given, ts_settings *settings);

/* The key "manifold" (read_manifold.c); NULL: none. */
ts_status ts_read_manifold(const ts_reader *reader, const ts_json_value *given);

/* The key "map" (read_map.c); NULL: none. */
ts_status ts_read_map(const ts_reader *reader, const ts_json_value *given);

/* The version of the format: the value of the key "touchstone". */
#define TS_SCENE_FORMAT 1
/* Refuses a value of "touchstone" that this program does not read. */
ts_status ts_read_version(const ts_json_value *version, ts_error *error);
