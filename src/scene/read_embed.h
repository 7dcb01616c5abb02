/* SPDX-License-Identifier: MIT */
/* What the makers of self-contained scenes share: read_embed.c, read_embed_mesh.c. Inside scene/ only. */
#pragma once

#include "scene/read.h"

/* Characters of all files together that become text: a scene with them still has to be below TS_JSON_BYTES_MAX. */
#define TS_EMBED_TEXT_MAX (TS_JSON_BYTES_MAX / 4 * 3)

/* The file that a member names, relative to the scene file that the member stands in; one that was set from outside is
 * relative to the scene. `what` begins messages; the path found is in the arena. */
ts_status ts_embed_find(const ts_reader *reader, const ts_json_value *root, const ts_json_value *path, const char *what,
                        const char **found);
/* Passes a failure of the shape code on: one that has a place in the file keeps it, others get the value's in the
 * scene. */
ts_status ts_embed_fail(const ts_reader *reader, const ts_json_value *value, const char *what, ts_status status,
                        const ts_error *error);
/* A new value of that place in the reader's arena; joins `to` unless that is NULL. NULL: out of memory. */
ts_json_value *ts_embed_add(const ts_reader *reader, ts_place place, ts_json_value *to, const char *key,
                            ts_json_kind kind);
/* A smooth body of a scene of space: its file, and those of its clouds (read_embed_smooth.c). */
ts_status ts_embed_smooth(const ts_reader *reader, const ts_json_value *root, ts_json_value *node, const ts_form *form);
/* Meshes and smooth bodies of a scene of space (read_embed_mesh.c). */
ts_status ts_embed_meshes(const ts_reader *reader, ts_json_value *root);
