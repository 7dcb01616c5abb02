/* SPDX-License-Identifier: MIT */
/* Any bytes as a scene: read, and compiled when small. A zero byte, which no scene contains, ends the text; what
 * follows is an override, `path=value`, as in --set.
 *
 * Besides not crashing it must hold that a failure leaves a message and no scene, and that the canonical text of a tree
 * reads back as the same tree. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/read.h"
#include "touchstone/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

/* More than this takes long to place, which is no fault: the library has its own caps for what memory cannot hold. */
#define GRAINS_MAX 2000

static void check_round_trip(const char *text, size_t length)
{
    ts_arena arena = {0};
    ts_json_value *tree = NULL, *again = NULL;
    if (ts_read_text(&arena, text, length, "fuzz", NULL, &tree, NULL) == TS_OK) {
        char *first = NULL, *second = NULL;
        size_t first_length = 0, second_length = 0;
        REQUIRE(ts_json_write(tree, &first, &first_length, NULL) == TS_OK);
        REQUIRE(ts_json_parse(&arena, first, first_length, "again", &again, NULL) == TS_OK);
        REQUIRE(ts_json_write(again, &second, &second_length, NULL) == TS_OK);
        REQUIRE(first_length == second_length && memcmp(first, second, first_length) == 0);
        ts_free(first);
        ts_free(second);
    }
    ts_arena_free(&arena);
}

static void check_error(ts_status status, const ts_error *error)
{
    REQUIRE(error->status == status && error->message[0] != 0);
}

static void compile_if_small(const ts_scene *scene)
{
    size_t grains = scene->body.count + scene->body.count;
    for (size_t i = 0; i < scene->generator.count && grains <= GRAINS_MAX; i++)
        grains += scene->generator.item[i].def.count;
    for (size_t i = 0; i < scene->generator.count && grains <= GRAINS_MAX; i++)
        grains += scene->generator.item[i].def.count;
    if (grains > GRAINS_MAX)
        return;
    ts_model *model = NULL;
    ts_error error = {0};
    ts_status status = ts_model_compile(scene, &model, &error);
    if (status != TS_OK)
        check_error(status, &error);
    REQUIRE((status == TS_OK) == (model != NULL));
    ts_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* a block of its own for each part, so that the sanitizer sees the first byte read beyond it */
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t length = zero ? (size_t)(zero - data) : size, rest = zero ? size - length - 1 : 0;
    char *text = malloc(length > 0 ? length : 1), *override = malloc(rest + 1);
    REQUIRE(text && override);
    memcpy(text, length > 0 ? data : (const uint8_t *)"", length);
    memcpy(override, rest > 0 ? data + length + 1 : (const uint8_t *)"", rest);
    override[rest] = 0;

    check_round_trip(text, length);
    const char *const overrides[] = {override};
    ts_load_options options = {.override = overrides, .override_count = zero ? 1 : 0};
    ts_scene *scene = NULL;
    ts_error error = {0};
    ts_status status = ts_scene_parse(text, length, "fuzz", &options, &scene, &error);
    if (status != TS_OK)
        check_error(status, &error);
    REQUIRE((status == TS_OK) == (scene != NULL));
    if (scene)
        compile_if_small(scene);
    ts_scene_free(scene);
    free(text);
    free(override);
    return 0;
}
