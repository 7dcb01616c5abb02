/* SPDX-License-Identifier: MIT */
/* The scenes of the study `everyday` (scenes/everyday) inside the program. */
#pragma once

#include <stddef.h>

#include "touchstone/scene.h"

extern const ts_text_file ts_everyday_files[];
extern const size_t ts_everyday_file_count;
