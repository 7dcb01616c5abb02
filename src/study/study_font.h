/* SPDX-License-Identifier: MIT */
/* The font of scenes/fonts, inside the program, so that a study of glyphs runs from anywhere: the build makes the bytes
 * of it (CMakeLists.txt). */
#pragma once

#include <stddef.h>

extern const unsigned char ts_study_font[];
extern const size_t ts_study_font_size;
