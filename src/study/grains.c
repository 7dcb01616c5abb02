/* SPDX-License-Identifier: MIT */
#include "study/grains.h"

#include <string.h>

#include "base/memory.h"
#include "scene/scene.h"

typedef struct grain {
    const char *name;          /* in its scene */
    const ts_outline *outline; /* its scene's, or `own` */
    ts_outline *own;           /* of a disc, which scenes keep without an outline; else NULL */
} grain;

struct ts_grains {
    TS_ARRAY(ts_scene *) scene;
    TS_ARRAY(grain) grain;
};

static ts_status add_grain(ts_grains *grains, const ts_scene_shape *shape, ts_error *error)
{
    grain g = {shape->name, shape->outline, NULL};
    if (!g.name || (!g.outline && shape->disc_count != 1)) /* clusters of discs are no outlines */
        return TS_OK;
    if (!g.outline)
        TS_TRY(ts_outline_disc(shape->disc[0].radius, &g.own, error));
    if (!g.outline)
        g.outline = g.own;
    ts_status status = ts_array_push(&grains->grain, g, error);
    if (status != TS_OK)
        ts_outline_free(g.own);
    return status;
}

static ts_status add_file(ts_grains *grains, const ts_grains_file *file, ts_error *error)
{
    ts_scene *scene;
    TS_TRY(ts_scene_parse(file->text, file->size, file->name, NULL, &scene, error));
    ts_status status =
        ts_array_push(&grains->scene, scene, error); // NOLINT(bugprone-sizeof-expression): an array of pointers
    if (status != TS_OK) {
        ts_scene_free(scene);
        return status;
    }
    for (size_t i = 0; i < scene->shape.count; i++)
        TS_TRY(add_grain(grains, &scene->shape.item[i], error));
    return TS_OK;
}

ts_status ts_grains_create(ts_grains **grains, ts_error *error)
{
    ts_grains *made;
    TS_TRY(ts_new(&made, 1, error));
    for (size_t i = 0; i < ts_grains_file_count; i++) {
        ts_status status = add_file(made, &ts_grains_files[i], error);
        if (status != TS_OK) {
            ts_grains_free(made);
            return status;
        }
    }
    *grains = made;
    return TS_OK;
}

void ts_grains_free(ts_grains *grains)
{
    if (!grains)
        return;
    for (size_t i = 0; i < grains->grain.count; i++)
        ts_outline_free(grains->grain.item[i].own);
    for (size_t i = 0; i < grains->scene.count; i++)
        ts_scene_free(grains->scene.item[i]);
    ts_array_free(&grains->grain);
    ts_array_free(&grains->scene);
    ts_free(grains);
}

ts_status ts_grains_find(const ts_grains *grains, const char *name, const ts_outline **outline, ts_error *error)
{
    for (size_t i = 0; i < grains->grain.count; i++)
        if (strcmp(grains->grain.item[i].name, name) == 0) {
            *outline = grains->grain.item[i].outline;
            return TS_OK;
        }
    return ts_fail(error, TS_BAD_INPUT, "the grain library has no outline '%s'; scenes/shapes has changed", name);
}

size_t ts_grains_names(const ts_grains *grains, const char **name, size_t capacity)
{
    size_t count = 0;
    for (; count < grains->grain.count && count < capacity; count++)
        name[count] = grains->grain.item[count].name;
    return count;
}
