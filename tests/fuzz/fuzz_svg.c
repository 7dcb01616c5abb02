/* SPDX-License-Identifier: MIT */
/* Any bytes as a drawing. A zero byte, which no drawing in UTF-8 contains, ends the text; what follows is the id of the
 * element that is wanted.
 *
 * Besides not crashing it must hold that a failure leaves a message and no outline, and that an outline has an area,
 * finite vertices, and no more edges than are allowed. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/check_outline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* a block of its own for each part, so that the sanitizer sees the first byte read beyond it; UTF-16 is full of
     * zeros */
    bool wide = size > 1 && (data[0] >= 0xfe || data[0] == 0 || data[1] == 0);
    const uint8_t *zero = size > 0 && !wide ? memchr(data, 0, size) : NULL;
    size_t length = zero ? (size_t)(zero - data) : size, rest = zero ? size - length - 1 : 0;
    char *text = malloc(length > 0 ? length : 1), *id = malloc(rest + 1);
    REQUIRE(text && id);
    memcpy(text, length > 0 ? data : (const uint8_t *)"", length);
    memcpy(id, rest > 0 ? data + length + 1 : (const uint8_t *)"", rest);
    id[rest] = 0;

    /* coarse, so that time goes into reading */
    ts_outline_options options = {.tolerance = 1e-2, .id = zero ? id : NULL};
    ts_outline *outline = NULL;
    ts_error error = {0};
    double unit = -1;
    ts_status status = ts_outline_parse_svg(text, length, "fuzz.svg", &options, &outline, &unit, &error);
    check_outline(status, &error, outline);
    REQUIRE(status == TS_OK ? unit >= 0 && isfinite(unit) : unit == -1);
    ts_outline_free(outline);
    free(text);
    free(id);
    return 0;
}
