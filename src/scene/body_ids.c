/* SPDX-License-Identifier: MIT */
#include "scene/body_ids.h"

#include <stdio.h>

#include "scene/generate.h"

ts_status ts_body_ids(const ts_scene *scene, size_t **begin, size_t *count, ts_error *error)
{
    const size_t n = scene->generator.count;
    TS_TRY(ts_new(begin, n + 1, error));
    *count = scene->body.count;
    for (size_t g = 0; g < n; g++) {
        size_t grains;
        (*begin)[g] = *count;
        TS_TRY(ts_generate_count(scene, g, &grains, error));
        *count += grains; /* each is capped far below an overflow */
        if (*count > TS_PARTS_MAX)
            return ts_fail_at(error, TS_BAD_INPUT, scene->generator.item[g].place,
                              "generator: the scene has more than %d bodies with it; lower its count", TS_PARTS_MAX);
    }
    (*begin)[n] = *count;
    if (*count == 0)
        return ts_fail_at(error, TS_BAD_INPUT, scene->settings_place,
                          "the scene has no bodies; add some, or a generator");
    return TS_OK;
}

ts_body_label ts_body_label_of(const ts_scene *scene, const size_t *begin, size_t body)
{
    ts_body_label label = {0};
    if (body < scene->body.count) {
        const ts_scene_body *b = &scene->body.item[body];
        label.place = b->place;
        snprintf(label.text, sizeof label.text, b->def.name ? "body %zu (\"%.100s\")" : "body %zu", body, b->def.name);
        return label;
    }
    size_t g = 0;
    while (g + 1 < scene->generator.count && body >= begin[g + 1])
        g++;
    const ts_scene_generator *generator = &scene->generator.item[g];
    label.place = generator->place;
    if (generator->def.name)
        snprintf(label.text, sizeof label.text, "body %zu (of generator \"%.100s\")", body, generator->def.name);
    else
        snprintf(label.text, sizeof label.text, "body %zu (of generator %zu)", body, g);
    return label;
}
