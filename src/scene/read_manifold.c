/* SPDX-License-Identifier: MIT */
/* The key "manifold" of a scene of space: how contacts of smooth bodies are found. */
#include <string.h>

#include "base/text.h"
#include "manifold/parts.h"
#include "scene/read.h"

/* λ of the nearest points of edges, over τ. */
#define CENTRE (1.0 / 30)

/* Which of the words a text is; `usual` when it is not given. */
static ts_status choose(const ts_reader *reader, const ts_json_value *node, const char *key, const char *text,
                        const char *const *word, int count, int *which)
{
    char quote[TS_QUOTE_SIZE];
    for (int i = 0; text && i < count; i++)
        if (strcmp(text, word[i]) == 0) {
            *which = i;
            return TS_OK;
        }
    if (!text)
        return TS_OK;
    const char *nearest = ts_nearest_name(text, word, (size_t)count);
    return ts_read_fail(reader, ts_json_get(node, key), "manifold: %s \"%s\" is unknown; %s \"%s\"%s", key,
                        ts_quote(text, quote, sizeof quote), nearest ? "did you mean" : "choose one such as",
                        nearest ? nearest : word[0], nearest ? "?" : "");
}

static ts_manifold_smoothing smoothing_of(double tau)
{
    ts_manifold_smoothing s = ts_manifold_smoothing_of(tau);
    s.united = 0; /* each body's own, on which its mesh stands */
    s.centre = CENTRE * tau;
    return s;
}

static ts_status read_words(const ts_reader *reader, const ts_json_value *node, const ts_manifold_values *v,
                            ts_manifold_options *o)
{
    static const char *const sides[] = {"both", "a", "b"}, *const selection[] = {"soft", "hard"},
                             *const weights[] = {"normalised", "published"};
    int side = 0, hard = 0, published = 0;
    TS_TRY(choose(reader, node, "sides", v->sides, sides, 3, &side));
    TS_TRY(choose(reader, node, "selection", v->selection, selection, 2, &hard));
    TS_TRY(choose(reader, node, "weights", v->weights, weights, 2, &published));
    o->sides = (ts_manifold_sides)side;
    o->hard = hard == 1;
    o->published = published == 1;
    return TS_OK;
}

ts_status ts_read_manifold(const ts_reader *reader, const ts_json_value *given)
{
    if (!given)
        return TS_OK;
    ts_manifold_options o = ts_manifold_default_options();
    ts_manifold_values v = {.edges = o.edges};
    TS_TRY(ts_read_object(reader, given, &ts_form_manifold, &v));
    const ts_json_value *keep = ts_json_get(given, "keep");
    if (keep)
        TS_TRY(ts_read_object(reader, keep, &ts_form_keep, &v));
    TS_TRY(read_words(reader, given, &v, &o));
    if (v.smoothing > 0)
        o.smoothing = smoothing_of(v.smoothing);
    if (v.gradient_smoothing > 0)
        o.gradient = smoothing_of(v.gradient_smoothing);
    if (v.project > TS_PROJECT_MOST)
        return ts_read_fail(reader, ts_json_get(given, "project"), "manifold: project is %.0f; give 0 to %d",
                            (double)v.project, TS_PROJECT_MOST);
    o.edges = v.edges;
    o.project = (int)v.project;
    o.safeguard = v.safeguard;
    for (int s = 0; s < 2; s++) {
        o.keep_vertices[s] = (size_t)v.vertices;
        o.keep_edges[s] = (size_t)v.kept_edges;
    }
    ts_scene_at(reader->scene, ts_json_place(given));
    return ts_scene_set_manifold(reader->scene, &o, reader->error);
}
