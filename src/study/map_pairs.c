/* SPDX-License-Identifier: MIT */
#include "study/map_pairs.h"

#include "cspace/pair.h"

#define TYPES_MAX 10

typedef struct scene {
    const char *name;
    const char *type[TYPES_MAX]; /* the wall last, where there is one */
    bool wall_alone;             /* the last one is a wall that meets grains only */
    bool drum;
} scene;

static const scene full_scene[] = {
    {"leaning block, inclined plane", {"block"}, false, false},
    {"column collapse", {"O", "block"}, true, false},
    {"column collapse", {"U", "block"}, true, false},
    {"column collapse", {"N", "block"}, true, false},
    {"column collapse", {"hash", "block"}, true, false},
    {"silo", {"octagon", "block"}, true, false},
    {"packing", {"arc-25", "block"}, true, false},
    {"packing", {"arc-50", "block"}, true, false},
    {"packing", {"arc-75", "block"}, true, false},
    {"packing", {"arc-100", "block"}, true, false},
    {"cereal", {"U", "D", "O", "N", "block"}, false, false},
    {"chain", {"link", "block"}, true, false},
    {"drum", {"I", "heart", "G", "R", "A", "P", "H", "C", "S", "block"}, false, true},
};
#define SCENES (sizeof full_scene / sizeof *full_scene)
#define DRUM   (SCENES - 1)

/* A wall far larger than the grain on it. */
static const ts_map_pair wall_pair = {.scene = "leaning block, inclined plane", .a = "block", .b = "half-plane"};

/* Much symmetry and little, none at all, none needed; and the wall. */
static const ts_map_pair quick_pair[] = {
    {.scene = "column collapse", .a = "hash", .b = "hash", .large = true, .small = true},
    {.scene = "silo", .a = "octagon", .b = "hash", .large = true},
    {.scene = "drum", .a = "G", .b = "R", .large = true, .drum = true},
    {.scene = "cereal", .a = "disc", .b = "U"},
    {.scene = "leaning block, inclined plane", .a = "block", .b = "block"},
};

typedef struct key {
    uint64_t least, most;
} key;

typedef struct listing {
    const ts_grains *grains;
    ts_map_pairs *pairs;
    TS_ARRAY(key) key; /* of each of them */
} listing;

/* Adds a pair unless the same two forms are there already, in either order. */
static ts_status add_pair(listing *to, ts_map_pair pair, ts_error *error)
{
    ts_pair *forms;
    TS_TRY(ts_grains_find(to->grains, pair.a, &pair.outline[0], error));
    TS_TRY(ts_grains_find(to->grains, pair.b, &pair.outline[1], error));
    TS_TRY(ts_pair_create(pair.outline[0], pair.outline[1], &forms, error));
    uint64_t a = forms->hash_a, b = forms->hash_b;
    ts_pair_free(forms);
    key k = {a < b ? a : b, a < b ? b : a};
    for (size_t i = 0; i < to->key.count; i++)
        if (to->key.item[i].least == k.least && to->key.item[i].most == k.most) {
            to->pairs->item[i].small |= pair.small;
            to->pairs->item[i].drum |= pair.drum;
            return TS_OK;
        }
    TS_TRY(ts_array_push(&to->key, k, error));
    return ts_array_push(to->pairs, pair, error);
}

static size_t type_count(const scene *s)
{
    size_t count = 0;
    while (count < TYPES_MAX && s->type[count])
        count++;
    return count;
}

static ts_status add_scene(listing *to, const scene *s, ts_error *error)
{
    size_t count = type_count(s);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i; j < count; j++) {
            if (s->wall_alone && i == count - 1)
                continue;
            ts_map_pair pair = {
                .scene = s->name, .a = s->type[i], .b = s->type[j], .large = true, .small = s->drum, .drum = s->drum};
            TS_TRY(add_pair(to, pair, error));
        }
    return TS_OK;
}

ts_status ts_map_pairs_list(const ts_grains *grains, bool full, ts_map_pairs *pairs, ts_error *error)
{
    listing to = {.grains = grains, .pairs = pairs};
    ts_status status = TS_OK;
    for (size_t i = 0; full && i < SCENES && status == TS_OK; i++)
        status = add_scene(&to, &full_scene[i], error);
    for (size_t i = 0; !full && i < sizeof quick_pair / sizeof *quick_pair && status == TS_OK; i++)
        status = add_pair(&to, quick_pair[i], error);
    if (status == TS_OK)
        status = add_pair(&to, wall_pair, error);
    ts_array_free(&to.key);
    return status;
}

ts_status ts_map_pairs_drum(const ts_grains *grains, size_t *types, size_t *pairs, ts_error *error)
{
    ts_map_pairs list = {0};
    listing to = {.grains = grains, .pairs = &list};
    ts_status status = add_scene(&to, &full_scene[DRUM], error);
    *types = type_count(&full_scene[DRUM]);
    *pairs = list.count;
    ts_array_free(&list);
    ts_array_free(&to.key);
    return status;
}
