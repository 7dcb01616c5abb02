/* SPDX-License-Identifier: MIT */
#include "record/draw_smooth.h"

#include <math.h>

#include "base/memory.h"
#include "record/draw_arrows.h"
#include "record/draw_paint.h"
#include "shape/primitive_mesh.h"

/* Squares along a side of a piece's cube. */
#define CELLS 24
/* Length and width of an arrow of weight 1, over the longest side of what is seen. */
#define ARROW_LENGTH 0.16
#define ARROW_WIDTH  0.0065
/* Contacts of less weight are left out where arrows are scaled. */
#define WEIGHT_SEEN 0.01
/* Edges of the bodies' meshes, which contacts come from, are drawn as thin lines where there are not too many. */
#define WIRE_WIDTH 0.0026
#define WIRES_MOST 4000
#define WIRES_MANY 500 /* of a body: paler */
#define REACH      0.03

/* A primitive as it is drawn. */
typedef struct piece {
    ts_mesh *mesh;
    ts_solid solid;
} piece;
typedef TS_ARRAY(piece) piece_array;

static void free_pieces(piece_array *all)
{
    for (size_t i = 0; i < all->count; i++)
        ts_mesh_free(all->item[i].mesh);
    ts_array_free(all);
}

static void free_things(ts_thing_array *things)
{
    ts_array_free(things);
}

static ts_sides sides_of(const ts_thing_array *things, const ts_smooth_look *look)
{
    return (ts_sides){.thing = things->item,
                      .thing_count = things->count,
                      .focus = ts_box3_none(),
                      .title = look->title,
                      .width = look->width,
                      .theme = look->theme,
                      .pool = look->pool};
}

/* ---- Pieces ---- */

ts_status ts_draw_pieces(const char *path, const ts_sdf *sdf, const ts_mesh *over, const ts_smooth_look *look,
                         ts_error *error)
{
    const size_t count = ts_sdf_count(sdf);
    TS_AUTO(free_pieces) piece_array pieces = {0};
    TS_AUTO(free_things) ts_thing_array things = {0};
    TS_TRY(ts_array_reserve(&pieces, count, error)); /* things refer to them: they may not move */
    for (size_t i = 0; i < count; i++) {
        const ts_primitive *primitive = ts_sdf_primitive(sdf, i);
        piece *one = &pieces.item[pieces.count];
        TS_TRY(ts_primitive_mesh(primitive, CELLS, &one->mesh, error));
        one->solid = (ts_solid){.kind = TS_SOLID_MESH, .mesh = one->mesh};
        pieces.count++;
        const ts_thing thing = {.solid = &one->solid,
                                .pose = ts_pose3_identity(),
                                .scale = 1,
                                .colour = ts_colour_kind(i),
                                .flags = primitive->subtract ? TS_THING_GHOST | TS_THING_TINTED : 0};
        TS_TRY(ts_array_push(&things, thing, error));
    }
    const ts_solid surface = {.kind = TS_SOLID_MESH, .mesh = over};
    if (over) {
        const ts_thing glass = {.solid = &surface,
                                .pose = ts_pose3_identity(),
                                .scale = 1,
                                .colour = ts_colour_of(ts_theme_get(look->theme)->edge),
                                .flags = TS_THING_GHOST | TS_THING_TINTED};
        TS_TRY(ts_array_push(&things, glass, error));
    }
    const ts_sides sides = sides_of(&things, look);
    return ts_draw_sides(path, &sides, error);
}

/* ---- Contacts ---- */

static ts_pose3 pose_of(const ts_manifold_pose *pose)
{
    const double *q = pose->attitude;
    return (ts_pose3){ts_vec3_of(pose->position), {q[0], q[1], q[2], q[3]}};
}

static ts_status add_wires(const ts_contacts_picture *p, int i, double size, uint32_t paper, ts_arrows *wires,
                           ts_thing_array *things, ts_error *error)
{
    const ts_smooth *body = p->body[i];
    const ts_pose3 pose = pose_of(&p->pose[i]);
    const ts_colour colour =
        ts_colour_mix(ts_colour_of(paper), ts_colour_kind((size_t)i), body->edge_count > WIRES_MANY ? 0.2 : 0.33);
    for (size_t k = 0; k < body->edge_count; k++) {
        const ts_vec3 a = ts_pose3_apply(pose, body->mesh->vertex[body->edge[k][0]]),
                      b = ts_pose3_apply(pose, body->mesh->vertex[body->edge[k][1]]);
        TS_TRY(ts_arrows_line(wires, a, b, WIRE_WIDTH * size, colour, things, error));
    }
    return TS_OK;
}

static double value_of(const ts_contacts_picture *p, size_t i)
{
    if (p->hue == TS_HUE_WEIGHT || !p->contact.indicator)
        return p->contact.weight[i];
    return p->contact.indicator[i][p->hue - TS_HUE_COLLIDING];
}

static ts_status add_contacts(const ts_contacts_picture *p, double size, ts_colour_map map, ts_arrows *arrows,
                              ts_thing_array *things, ts_error *error)
{
    const double reach =
        p->reach > 0 ? p->reach : REACH * 0.5 * (ts_sdf_length(p->body[0]->sdf) + ts_sdf_length(p->body[1]->sdf));
    for (size_t i = p->hue == TS_HUE_WEIGHT ? 0 : p->vertex_count; i < p->count; i++) {
        const double weight = p->contact.weight[i];
        if (!(p->contact.gap[i] <= reach) || (!p->unscaled && !(weight >= WEIGHT_SEEN)))
            continue;
        const double length = ARROW_LENGTH * size * (p->unscaled ? 0.6 : weight);
        const ts_arrow arrow = {.from = ts_vec3_of(p->contact.point[i]),
                                .way = ts_vec3_scale(ts_vec3_of(p->contact.normal[i]), length),
                                .width = ARROW_WIDTH * size,
                                .colour = ts_colour_map_at(map, value_of(p, i))};
        TS_TRY(ts_arrows_add(arrows, &arrow, things, error));
    }
    return TS_OK;
}

ts_status ts_draw_contacts(const char *path, const ts_contacts_picture *p, const ts_smooth_look *look, ts_error *error)
{
    static const char *const label[TS_HUES] = {"weight", "edges: colliding", "edges: inside", "edges: nearest",
                                               "edges: clashing"};
    const ts_colour_map map = look->theme == TS_THEME_DARK ? TS_MAP_MAGMA : TS_MAP_MAGMA_REVERSED;
    TS_AUTO(ts_arrows_release) ts_arrows arrows = {0};
    TS_AUTO(free_things) ts_thing_array things = {0};
    ts_solid solid[2];
    for (int i = 0; i < 2; i++) {
        solid[i] = (ts_solid){.kind = TS_SOLID_MESH, .mesh = p->body[i]->mesh};
        const ts_thing body = {.solid = &solid[i],
                               .pose = pose_of(&p->pose[i]),
                               .scale = 1,
                               .colour = ts_colour_kind((size_t)i),
                               .flags = TS_THING_GHOST | TS_THING_TINTED};
        TS_TRY(ts_array_push(&things, body, error));
    }
    const ts_box3 box = ts_view_bounds(&(ts_view){.thing = things.item, .thing_count = things.count});
    const ts_vec3 span = ts_vec3_sub(box.high, box.low);
    const double size = fmax(fmax(span.x, span.y), span.z);
    const size_t wire_count = p->body[0]->edge_count + p->body[1]->edge_count;
    TS_TRY(ts_arrows_reserve(&arrows, p->count + wire_count, error));
    for (int i = 0; i < 2 && wire_count <= WIRES_MOST; i++)
        TS_TRY(add_wires(p, i, size, ts_theme_get(look->theme)->paper, &arrows, &things, error));
    TS_TRY(add_contacts(p, size, map, &arrows, &things, error));
    ts_sides sides = sides_of(&things, look);
    sides.note = p->unscaled ? "A is blue, B orange" : "A is blue, B orange; arrows are as long as weights say";
    sides.key =
        (ts_picture_key){.kind = TS_KEY_SCALE, .map = map, .low = 0, .high = 1, .label = label[p->hue], .unit = ""};
    return ts_draw_sides(path, &sides, error);
}
