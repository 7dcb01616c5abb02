/* SPDX-License-Identifier: MIT */
/* A glyph from a font in memory. */
#pragma once

#include "base/status.h"
#include "touchstone/shape.h"

typedef struct ts_font_bytes {
    const void *data;
    size_t size;
    const char *name; /* stands for the file in messages */
} ts_font_bytes;

/* As ts_outline_read_glyph. No state is kept: calls from several threads do not meet. */
ts_status ts_outline_parse_glyph(const ts_font_bytes *font, uint32_t character, const ts_outline_options *options,
                                 ts_outline **outline, double *advance, ts_error *error);
