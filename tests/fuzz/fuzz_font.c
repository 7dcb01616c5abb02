/* SPDX-License-Identifier: MIT */
/* Any bytes as a font, from which a few characters are wanted. A failure leaves a message and no outline; an outline is
 * sound. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/check_outline.h"
#include "shape/font.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint32_t character[] = {'A', 'O', 'i'};
    for (size_t i = 0; i < sizeof character / sizeof *character; i++) {
        ts_outline_options options = {.tolerance = 1e-2};
        ts_font_bytes font = {data, size, "fuzz.ttf"};
        ts_outline *outline = NULL;
        ts_error error = {0};
        double advance = 0;
        ts_status status = ts_outline_parse_glyph(&font, character[i], &options, &outline, &advance, &error);
        check_outline(status, &error, outline);
        REQUIRE(isfinite(advance));
        ts_outline_free(outline);
        if (status != TS_OK && i == 0 && !strstr(error.message, "glyph"))
            break; /* no font at all: the others would fail alike */
    }
    return 0;
}
