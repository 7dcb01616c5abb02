/* SPDX-License-Identifier: MIT */
/* The smooth bodies of scenes/smooth inside the program, so that studies run from anywhere: the build puts the files' bytes
 * into it (CMakeLists.txt). */
#pragma once

#include "shape/sdf.h"
#include "touchstone/scene.h"

extern const ts_text_file ts_smooth_model_files[]; /* "animal.json", … */
extern const size_t ts_smooth_model_file_count;

/* One of them, by its name without ".json". */
ts_status ts_smooth_model(const char *name, ts_sdf_body **body, ts_error *error);
