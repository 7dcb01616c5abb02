/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of a smooth body: a failure leaves a message and no body; what is accepted has finite numbers, and
 * writing it twice gives the same bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/smooth_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* a block of its own, so that the sanitizer sees the first byte read beyond it */
    char *copy = malloc(size > 0 ? size : 1);
    REQUIRE(copy);
    memcpy(copy, size > 0 ? data : (const uint8_t *)"", size);
    ts_sdf_body *body = NULL, *again = NULL;
    ts_error error = {0};
    const ts_status status = ts_smooth_file_parse(copy, size, "fuzz", &body, &error);
    free(copy);
    REQUIRE((status == TS_OK) == (body != NULL));
    if (!body) {
        REQUIRE(error.status == status && error.message[0] != 0);
        return 0;
    }
    const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
    REQUIRE(isfinite(body->off) && isfinite(body->edge_squares) && isfinite(ts_sdf_length(body->sdf)));
    REQUIRE(isfinite(ts_sdf_at(body->sdf, &rule, body->mesh->vertex[0])));
    char *text, *twice;
    size_t length, twice_length;
    const char *note[] = {"by a \"fuzzer\"\n"};
    REQUIRE(ts_smooth_file_text(body, note, 1, &text, &length, &error) == TS_OK);
    REQUIRE(ts_smooth_file_parse(text, length, "again", &again, &error) == TS_OK);
    REQUIRE(ts_smooth_file_text(again, note, 1, &twice, &twice_length, &error) == TS_OK);
    REQUIRE(length == twice_length && memcmp(text, twice, length) == 0);
    ts_free(text);
    ts_free(twice);
    ts_sdf_body_free(body);
    ts_sdf_body_free(again);
    return 0;
}
