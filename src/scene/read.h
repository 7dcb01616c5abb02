/* SPDX-License-Identifier: MIT */
/* From a scene file to a scene.
 *
 *     file ──parse──▶ tree ──includes──▶ merged tree ──overrides──▶ resolved tree ──forms──▶ ts_scene
 *                                                                        └──write──▶ text (ts_scene_resolve)
 *
 * The public ts_scene_load and ts_scene_parse are defined in read.c; docs/scene.md describes the format. */
#pragma once

#include "scene/json.h"
#include "scene/read_form.h"
#include "touchstone/scene.h"

/* The scene's whole text with includes merged and overrides applied, in canonical formatting, so that a run folder can
 * keep a self-contained copy: reading it gives the same scene, bit for bit. Only syntax, includes and overrides are
 * checked. Freed with ts_free; a zero byte follows the end. */
ts_status ts_scene_resolve(const char *path, const ts_load_options *options, char **text, size_t *length,
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

/* Builds the scene from a resolved tree (read_scene.c); its shapes are in read_shape.c. */
ts_status ts_read_scene(const ts_reader *reader, const ts_json_value *root);
ts_status ts_read_shapes(const ts_reader *reader, const ts_json_value *shapes);

/* The version of the format: the value of the key "touchstone". */
#define TS_SCENE_FORMAT 1
/* Refuses a value of "touchstone" that this program does not read. */
ts_status ts_read_version(const ts_json_value *version, ts_error *error);
