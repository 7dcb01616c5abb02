/* SPDX-License-Identifier: MIT */
/* Adding shapes to a scene: clusters of discs and outlines in the plane, pieces in space (build_pieces.c). */
#include <math.h>

#include "scene/build.h"

/* A disc smaller than this share of its shape is lost in the rounding of positions. */
#define DISC_SHARE_MIN 1e-9

/* Takes the shape into the list; room and name were seen to. */
static void add_item(ts_scene *scene, const ts_scene_shape *item, int32_t *index)
{
    ts_build_index(&scene->shape_name, item->name, TS_NAME_SHAPE, scene->shape.count, index);
    scene->shape.item[scene->shape.count++] = *item;
}

/* Copies the discs into the arena, about their centre of mass and without those inside others. */
static ts_status keep_discs(ts_scene *scene, const ts_shape_def *def, ts_scene_shape *item, const ts_check *c)
{
    ts_status status = ts_discs_measure(def->disc, def->disc_count, &item->mass, c->error);
    if (status == TS_BAD_INPUT)
        return ts_fail_at(c->error, status, c->place,
                          "%s: its area or its moment of inertia is too small or too large to compute with; give radii "
                          "between 1e-70 m and 1e70 m",
                          c->what);
    TS_TRY(status);
    TS_TRY(ts_build_keep(scene, def->disc, def->disc_count, sizeof *def->disc, &item->disc, c->error));
    for (size_t i = 0; i < def->disc_count; i++) {
        item->disc[i].x -= item->mass.x;
        item->disc[i].y -= item->mass.y;
    }
    item->disc_count = ts_discs_outermost(item->disc, def->disc_count);
    for (size_t i = 0; i < item->disc_count; i++)
        if (item->disc[i].radius < DISC_SHARE_MIN * item->mass.radius)
            return ts_fail_at(
                c->error, TS_BAD_INPUT, c->place,
                "%s: a disc of radius %g m is too small for a shape of radius %g m; give at least %g of it", c->what,
                item->disc[i].radius, item->mass.radius, DISC_SHARE_MIN);
    if (item->disc_count == 1) { /* without a rounding error: plain discs are a case of their own */
        item->disc[0].x = item->disc[0].y = 0;
        item->mass.radius = item->disc[0].radius;
    }
    item->size = item->mass.radius;
    return TS_OK;
}

static ts_status check_discs(const ts_check *c, const ts_shape_def *def)
{
    if (def->disc_count == 0 || !def->disc)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          def->piece_count > 0 ? "shape: it has pieces, which are of space, but the scene is of the "
                                                 "plane; give discs, or call ts_scene_set_space first"
                                               : "shape: it has no discs; give at least one");
    if (def->disc_count > TS_SHAPE_DISCS_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "shape: it has %zu discs; give at most %d", def->disc_count,
                          TS_SHAPE_DISCS_MAX);
    for (size_t i = 0; i < def->disc_count; i++) {
        TS_TRY(ts_check_number(c, "a disc's x", def->disc[i].x));
        TS_TRY(ts_check_number(c, "a disc's y", def->disc[i].y));
        TS_TRY(ts_check_positive(c, "a disc's radius", def->disc[i].radius));
    }
    return TS_OK;
}

static ts_status check_piece_count(const ts_check *c, const ts_shape_def *def)
{
    if (def->piece_count == 0 || !def->piece)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          def->disc_count > 0 ? "shape: it has discs, which are of the plane, but the scene is of "
                                                "space; give pieces"
                                              : "shape: it has no pieces; give at least one");
    if (def->piece_count > TS_SHAPE_PIECES_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "shape: it has %zu pieces; give at most %d",
                          def->piece_count, TS_SHAPE_PIECES_MAX);
    return TS_OK;
}

/* Copies the pieces into the arena. */
static ts_status keep_pieces(ts_scene *scene, const ts_shape_def *def, ts_scene_shape *item, const ts_check *c)
{
    item->piece_count = def->piece_count;
    TS_TRY(ts_build_keep(scene, def->piece, def->piece_count, sizeof *def->piece, &item->piece, c->error));
    TS_TRY(ts_build_pieces(c, item));
    return ts_build_keep_pieces(scene, item, c->error);
}

/* From discs in the plane, from pieces in space. */
typedef struct maker {
    ts_status (*check)(const ts_check *c, const ts_shape_def *def);
    ts_status (*keep)(ts_scene *scene, const ts_shape_def *def, ts_scene_shape *item, const ts_check *c);
} maker;

static const maker makers[] = {{check_discs, keep_discs}, {check_piece_count, keep_pieces}};

ts_status ts_scene_add_shape(ts_scene *scene, const ts_shape_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "shape", error));
    ts_check c = ts_build_check(scene, "shape", error);
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_SHAPE, "ts_default_shape"));
    const maker *make = &makers[c.in->axes - 2];
    TS_TRY(make->check(&c, def));
    TS_TRY(ts_build_name(&c, &scene->shape_name, def->name));
    TS_TRY(ts_array_reserve(&scene->shape, scene->shape.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_shape item = {.name = def->name, .place = c.place};
    ts_status status = make->keep(scene, def, &item, &c);
    if (status == TS_OK)
        status = ts_build_text(scene, &item.name, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    add_item(scene, &item, index);
    return TS_OK;
}

ts_status ts_scene_add_disc(ts_scene *scene, double radius, int32_t *index, ts_error *error)
{
    ts_disc disc = {0, 0, radius};
    ts_shape_def def = ts_default_shape();
    def.disc = &disc;
    def.disc_count = 1;
    return ts_scene_add_shape(scene, &def, index, error);
}

/* The outline about its centre of mass, with the circle around it in place of discs. On failure nothing is left. */
static ts_status keep_outline(ts_scene *scene, const ts_outline *from, ts_scene_shape *item, const ts_check *c)
{
    ts_outline_mass mass = ts_outline_get_mass(from);
    double shift[2] = {-mass.centre[0], -mass.centre[1]};
    bool good = isnormal(mass.area) && isnormal(mass.inertia) && isnormal(mass.radius) && isnormal(1 / mass.area) &&
                isnormal(1 / mass.inertia);
    if (!good)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: its area or its moment of inertia is too small or too large to compute with; give it a "
                          "size between 1e-70 m and 1e70 m",
                          c->what);
    if (hypot(shift[0], shift[1]) > mass.radius / DISC_SHARE_MIN)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: it is drawn at (%g, %g), more than %g times its size from the origin, where its points "
                          "are too coarse; draw it nearer",
                          c->what, mass.centre[0], mass.centre[1], 1 / DISC_SHARE_MIN);
    ts_disc *around = ts_arena_alloc(&scene->arena, 1, sizeof *around);
    if (!around)
        return ts_fail_memory(c->error, sizeof *around);
    TS_TRY(ts_outline_place(from, 1, 0, shift, &item->outline, c->error));
    mass = ts_outline_get_mass(item->outline);
    *around = (ts_disc){0, 0, mass.radius};
    item->disc = around;
    item->disc_count = 1;
    item->mass = (ts_disc_union){.area = mass.area, .inertia = mass.inertia, .radius = mass.radius};
    item->size = mass.radius;
    return TS_OK;
}

ts_status ts_scene_add_outline(ts_scene *scene, const char *name, const ts_outline *outline, int32_t *index,
                               ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, outline, "outline", error));
    ts_check c = ts_build_check(scene, "outline", error);
    TS_TRY(ts_build_belongs(&c, &ts_in_plane));
    TS_TRY(ts_build_name(&c, &scene->shape_name, name));
    TS_TRY(ts_array_reserve(&scene->shape, scene->shape.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_shape item = {.name = name, .place = c.place};
    ts_status status = ts_build_text(scene, &item.name, error);
    if (status == TS_OK)
        status = keep_outline(scene, outline, &item, &c);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    add_item(scene, &item, index);
    return TS_OK;
}
