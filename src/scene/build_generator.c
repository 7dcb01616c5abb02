/* SPDX-License-Identifier: MIT */
/* Adding generators to a scene. */
#include "scene/build.h"
#include "scene/sizes.h"

/* What a mix makes must be of a size that can be computed with. */
static ts_status check_scales(const ts_check *c, const ts_scene *scene, const ts_mix_entry *entry)
{
    bool table = entry->size == TS_SIZE_TABLE;
    if (table && entry->by_mass && !c->in->outlines)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: shares by mass in a table of sizes are of the plane; give shares by number");
    TS_TRY(ts_build_scaled(c, scene, entry->shape, table ? entry->table[0].scale : entry->scale_min));
    return ts_build_scaled(c, scene, entry->shape,
                           table ? entry->table[entry->table_count - 1].scale : entry->scale_max);
}

static ts_status check_mix(const ts_check *c, const ts_scene *scene, const ts_mix_entry *mix, size_t count)
{
    double total = 0;
    if (count == 0 || !mix)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: its mix is empty; give at least one kind of grain");
    for (size_t i = 0; i < count; i++) {
        const ts_mix_entry *entry = &mix[i];
        TS_TRY(ts_check_index(c, "shape", entry->shape, scene->shape.count));
        TS_TRY(ts_check_index(c, "material", entry->material, scene->material.count));
        TS_TRY(ts_check_not_negative(c, "a weight of the mix", entry->weight));
        bool table = entry->size == TS_SIZE_TABLE;
        if (!table) {
            TS_TRY(ts_check_positive(c, "a scale_min of the mix", entry->scale_min));
            TS_TRY(ts_check_positive(c, "a scale_max of the mix", entry->scale_max));
        }
        if (!table && entry->scale_max < entry->scale_min)
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                              "generator: scale_max %g of its mix is below scale_min %g; exchange them",
                              entry->scale_max, entry->scale_min);
        TS_TRY(ts_sizes_check(entry, c->place, c->error));
        TS_TRY(check_scales(c, scene, entry));
        total += entry->weight;
    }
    if (!(total > 0))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: all weights of its mix are 0; make one positive");
    return TS_OK;
}

static ts_status check_box(const ts_check *c, const ts_generator_def *def)
{
    const double *low = def->low, *high = def->high;
    for (int i = 0; i < c->in->axes; i++) {
        TS_TRY(ts_check_number(c, "low", low[i]));
        TS_TRY(ts_check_number(c, "high", high[i]));
        if (!(low[i] < high[i]))
            return ts_fail_at(
                c->error, TS_BAD_INPUT, c->place,
                "generator: its box goes from %c = %g to %g; give the lowest corner first, then the highest", "xyz"[i],
                low[i], high[i]);
    }
    return TS_OK;
}

/* A cylinder keeps the box around it as its `low` and `high`. */
static ts_status check_region(const ts_check *c, ts_generator_def *def)
{
    if (def->region == TS_REGION_BOX)
        return check_box(c, def);
    if (def->region != c->in->round)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: region %d is unknown in %s; choose a box or a %s", (int)def->region, c->in->name,
                          c->in->round_name);
    TS_TRY(ts_build_vector(c, "position", def->position));
    TS_TRY(ts_check_positive(c, "radius", def->radius));
    if (def->region == TS_REGION_CIRCLE)
        return TS_OK;
    TS_TRY(ts_check_positive(c, "length", def->length));
    const double half[3] = {def->radius, def->radius, 0.5 * def->length};
    for (int i = 0; i < 3; i++) {
        def->low[i] = def->position[i] - half[i];
        def->high[i] = def->position[i] + half[i];
    }
    return check_box(c, def);
}

/* How many grains: one of a count and a packing fraction. */
static ts_status check_count(const ts_check *c, const ts_generator_def *def)
{
    TS_TRY(ts_check_range(c, "packing", def->packing, 0, 1));
    if (def->packing > 0 && !c->in->outlines)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: its packing is a share of an area, but the scene is of space; give a count");
    bool line = def->fill == TS_FILL_LINE; /* without a count, its spacing says how many */
    if (!line && def->packing > 0 && def->count > 0)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: count and packing both say how many grains there are; give one of them");
    if (!line && def->packing == 0 && def->count == 0)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: its count is 0; say how many grains to place");
    if (def->count > TS_GENERATOR_COUNT_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: %zu grains are more than the %u it may place; "
                          "lower the count",
                          def->count, TS_GENERATOR_COUNT_MAX);
    return TS_OK;
}

static ts_status check_line(const ts_check *c, const ts_generator_def *def)
{
    TS_TRY(ts_check_positive(c, "spacing", def->spacing));
    if (def->line.vertex_count < 2 || !def->line.vertex)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: its line has %zu points; give at least 2",
                          def->line.vertex_count);
    if (def->line.vertex_count > TS_OUTLINE_EDGES_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: its line has %zu points; give at most %d",
                          def->line.vertex_count, TS_OUTLINE_EDGES_MAX);
    for (size_t i = 0; i < def->line.vertex_count; i++) {
        TS_TRY(ts_check_number(c, "a point's x", def->line.vertex[i].x));
        TS_TRY(ts_check_number(c, "a point's y", def->line.vertex[i].y));
        TS_TRY(ts_check_range(c, "a point's bulge", def->line.vertex[i].bulge, -1e6, 1e6));
    }
    return TS_OK;
}

/* Copies the mix with its tables into the arena; the bounds of a table are its ends. */
static ts_status keep_mix(ts_scene *scene, size_t count, const ts_mix_entry **mix, ts_error *error)
{
    ts_mix_entry *own;
    TS_TRY(ts_build_keep(scene, *mix, count, sizeof *own, &own, error));
    *mix = own;
    for (size_t i = 0; i < count; i++) {
        if (own[i].size != TS_SIZE_TABLE)
            continue;
        TS_TRY(ts_build_keep(scene, own[i].table, own[i].table_count, sizeof *own[i].table, &own[i].table, error));
        own[i].scale_min = own[i].table[0].scale;
        own[i].scale_max = own[i].table[own[i].table_count - 1].scale;
    }
    return TS_OK;
}

static ts_status check_generator(const ts_scene *scene, const ts_check *c, ts_generator_def *def)
{
    TS_TRY(ts_check_cookie(c, def->cookie, TS_COOKIE_GENERATOR, "ts_default_generator"));
    bool line = def->fill == TS_FILL_LINE && c->in->outlines;
    if (def->fill != TS_FILL_LATTICE && def->fill != TS_FILL_RANDOM && !line)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: fill %d is unknown; choose lattice%s",
                          (int)def->fill, c->in->fills);
    TS_TRY(line ? check_line(c, def) : check_region(c, def));
    TS_TRY(check_count(c, def));
    if (def->angle_along && !line)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: its angles are along a line, but it has none; choose the fill line");
    TS_TRY(check_mix(c, scene, def->mix, def->mix_count));
    TS_TRY(ts_check_not_negative(c, "gap", def->gap));
    TS_TRY(ts_check_range(c, "jitter", def->jitter, 0, 1));
    TS_TRY(ts_build_vector(c, "velocity", def->velocity));
    TS_TRY(ts_check_not_negative(c, "velocity_spread", def->velocity_spread));
    bool moves = def->velocity[0] != 0 || def->velocity[1] != 0 || def->velocity[2] != 0 || def->velocity_spread != 0;
    if (def->fixed && moves)
        return ts_fail_at(
            c->error, TS_BAD_INPUT, c->place,
            "generator: its grains are fixed but have a velocity; move them by a drive, or let them be free");
    return TS_OK;
}

ts_status ts_scene_add_generator(ts_scene *scene, const ts_generator_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "generator", error));
    ts_check c = ts_build_check(scene, "generator", error);
    ts_scene_generator item = {*def, c.place};
    TS_TRY(check_generator(scene, &c, &item.def));
    TS_TRY(ts_build_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->generator, scene->generator.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_status status = keep_mix(scene, def->mix_count, &item.def.mix, error);
    if (status == TS_OK && def->fill == TS_FILL_LINE)
        status = ts_build_keep(scene, def->line.vertex, def->line.vertex_count, sizeof *def->line.vertex,
                               &item.def.line.vertex, error);
    if (status == TS_OK)
        status = ts_build_text(scene, &item.def.name, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    ts_build_index(&scene->target_name, item.def.name, TS_NAME_GENERATOR, scene->generator.count, index);
    scene->generator.item[scene->generator.count++] = item;
    return TS_OK;
}
