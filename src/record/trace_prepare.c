/* SPDX-License-Identifier: MIT */
/* From a view to a scene that rays can meet: everything is checked here. */
#include <math.h>

#include "record/draw_label.h"
#include "record/draw_paint.h"
#include "record/trace_work.h"

static void linear_colour(ts_colour colour, float to[3])
{
    to[0] = (float)ts_colour_linear(colour.r);
    to[1] = (float)ts_colour_linear(colour.g);
    to[2] = (float)ts_colour_linear(colour.b);
}

/* ---- Preparing: things ---- */

static bool positive(double a)
{
    return a > 0 && isfinite(a);
}

static bool solid_makes_sense(const ts_solid *s)
{
    switch (s->kind) {
    case TS_SOLID_SPHERE:
        return positive(s->radius);
    case TS_SOLID_PLANE:
        return true;
    case TS_SOLID_BOX:
        return positive(s->half.x) && positive(s->half.y) && positive(s->half.z);
    case TS_SOLID_CAPSULE:
        return positive(s->radius) && s->half_length >= 0 && isfinite(s->half_length);
    case TS_SOLID_CYLINDER:
    case TS_SOLID_VESSEL:
        return positive(s->radius) && positive(s->half_length);
    case TS_SOLID_HULL:
        return s->hull && s->hull->face_count > 0 && s->hull->vertex_count > 0;
    case TS_SOLID_MESH:
    case TS_SOLID_SMOOTH:
        return ts_solid_surface(s) != NULL;
    default:
        return false;
    }
}

static ts_status check_thing(const ts_thing *thing, size_t index, ts_error *error)
{
    const ts_quat q = thing->pose.quat;
    if (!thing->solid || !solid_makes_sense(thing->solid))
        return ts_fail(error, TS_BAD_INPUT,
                       "thing %zu has no shape that can be drawn; its lengths must be positive and finite", index);
    if (!ts_vec3_is_finite(thing->pose.position) || !isfinite(ts_quat_dot(q, q)) || !positive(thing->scale))
        return ts_fail(error, TS_BAD_INPUT,
                       "thing %zu is nowhere: its place or its scale %g is not finite and positive", index,
                       thing->scale);
    if (!isfinite(thing->colour.r) || !isfinite(thing->colour.g) || !isfinite(thing->colour.b))
        return ts_fail(error, TS_BAD_INPUT, "thing %zu has a colour that is not a number", index);
    return TS_OK;
}

/* The tree of a mesh: as it was, or made anew when the mesh is another one by now. */
static ts_status find_mesh(ts_trace *trace, const ts_mesh *mesh, const ts_trace_mesh **found, ts_error *error)
{
    size_t at = 0;
    while (at < trace->mesh.count && trace->mesh.item[at].tree->mesh != mesh)
        at++;
    if (at < trace->mesh.count && trace->mesh.item[at].tree->used) {
        *found = trace->mesh.item[at].tree;
        return TS_OK;
    }
    uint64_t hash = ts_mesh_hash(mesh);
    if (at == trace->mesh.count || trace->mesh.item[at].tree->hash != hash) {
        ts_trace_mesh *made = NULL;
        TS_TRY(ts_array_reserve(&trace->mesh, trace->mesh.count + 1, error));
        TS_TRY(ts_trace_mesh_create(mesh, hash, &made, error));
        if (at == trace->mesh.count)
            trace->mesh.count++;
        else
            ts_trace_mesh_free(trace->mesh.item[at].tree);
        trace->mesh.item[at].tree = made;
    }
    trace->mesh.item[at].tree->used = true;
    *found = trace->mesh.item[at].tree;
    return TS_OK;
}

/* Trees of meshes that are not to be seen any more. */
static void forget_meshes(ts_trace *trace)
{
    size_t kept = 0;
    for (size_t i = 0; i < trace->mesh.count; i++) {
        if (trace->mesh.item[i].tree->used)
            trace->mesh.item[kept++] = trace->mesh.item[i];
        else
            ts_trace_mesh_free(trace->mesh.item[i].tree);
    }
    trace->mesh.count = kept;
}

static ts_trace_floor make_floor(const ts_view *view, ts_vec3 point, ts_vec3 normal, int32_t thing)
{
    ts_trace_floor floor = {.point = point, .normal = normal, .thing = thing};
    /* lines run along world axes where the floor is level */
    ts_vec3 x = {1, 0, 0}, y = {0, 1, 0};
    ts_vec3 start = fabs(normal.x) < 0.9 ? x : y;
    floor.along = ts_vec3_unit(ts_vec3_add_scaled(start, normal, -ts_vec3_dot(start, normal)));
    floor.across = ts_vec3_cross(normal, floor.along);
    linear_colour(ts_colour_of(view->theme == TS_THEME_DARK ? 0x23282F : 0xECEAE4), floor.colour);
    return floor;
}

static ts_status add_thing(ts_trace *trace, const ts_view *view, size_t index, ts_error *error)
{
    const ts_thing *thing = &view->thing[index];
    const ts_solid *solid = thing->solid;
    TS_TRY(check_thing(thing, index, error));
    const ts_mesh *surface = ts_solid_surface(solid);
    ts_trace_item item = {.centre = thing->pose.position,
                          .radius = solid->radius * thing->scale,
                          .half_length = solid->half_length * thing->scale,
                          .kind = (int32_t)(surface ? TS_SOLID_MESH : solid->kind),
                          .thing = (int32_t)index,
                          .flags = thing->flags};
    linear_colour(thing->colour, item.colour);
    ts_trace_frame frame = {
        .scale = thing->scale, .half = ts_vec3_scale(solid->half, thing->scale), .hull = solid->hull};
    frame.turn = ts_quat_to_matrix(ts_quat_unit(thing->pose.quat));
    if (solid->kind == TS_SOLID_PLANE) {
        ts_vec3 normal = ts_mat3_column(frame.turn, 2);
        if (!(thing->flags & TS_THING_GHOST) && ts_vec3_dot(normal, ts_vec3_unit(view->up)) > 0.5)
            return ts_array_push(&trace->floor, make_floor(view, item.centre, normal, item.thing), error);
    }
    bool ghost = (thing->flags & TS_THING_GHOST) || solid->kind == TS_SOLID_VESSEL || solid->kind == TS_SOLID_PLANE;
    /* many bodies may be of coloured glass: they stand in a tree, and show the side that is nearer */
    const bool layered =
        surface || solid->kind == TS_SOLID_CAPSULE ||
        ((thing->flags & TS_THING_TINTED) && solid->kind != TS_SOLID_VESSEL && solid->kind != TS_SOLID_PLANE);
    if (ghost && !layered)
        return ts_array_push(&trace->ghost, ((ts_trace_ghost){item, frame}), error);
    if (surface) {
        if (surface->triangle_count == 0)
            return TS_OK;
        TS_TRY(find_mesh(trace, surface, &frame.mesh, error));
    }
    ts_trace_crowd *c = ghost ? &trace->veil : &trace->solid;
    ts_box3 box = ts_trace_thing_box(thing, frame.mesh);
    if (!ts_vec3_is_finite(box.low) || !ts_vec3_is_finite(box.high))
        return ts_fail(error, TS_BAD_INPUT, "thing %zu is too large to be drawn", index);
    TS_TRY(ts_array_push(&c->box, box, error));
    TS_TRY(ts_array_push(&c->given_frame, frame, error));
    return ts_array_push(&c->given, item, error);
}

static void crowd_clear(ts_trace_crowd *c)
{
    c->box.count = c->given.count = c->given_frame.count = 0;
}

/* Builds the tree, and puts everything in its order. */
static ts_status crowd_build(ts_trace_crowd *c, ts_trace_world *world, ts_error *error)
{
    size_t count = c->given.count;
    TS_TRY(ts_trace_tree_build(&c->tree, c->box.item, count, 4, error));
    TS_TRY(ts_array_reserve(&c->item, count, error));
    TS_TRY(ts_array_reserve(&c->frame, count, error));
    for (size_t i = 0; i < count; i++) {
        c->item.item[i] = c->given.item[c->tree.order.item[i]];
        c->frame.item[i] = c->given_frame.item[c->tree.order.item[i]];
    }
    *world = (ts_trace_world){count ? c->tree.node.item : NULL, c->item.item, c->frame.item};
    return TS_OK;
}

static ts_status prepare_things(ts_trace *trace, const ts_view *view, ts_error *error)
{
    trace->floor.count = trace->ghost.count = 0;
    crowd_clear(&trace->solid);
    crowd_clear(&trace->veil);
    for (size_t i = 0; i < trace->mesh.count; i++)
        trace->mesh.item[i].tree->used = false;
    if (view->thing_count > INT32_MAX / 2)
        return ts_fail(error, TS_UNSUPPORTED, "a picture of %zu things is too large; draw fewer", view->thing_count);
    for (size_t i = 0; i < view->thing_count; i++)
        TS_TRY(add_thing(trace, view, i, error));
    forget_meshes(trace);
    if (view->ground.on) {
        ts_vec3 up = ts_vec3_unit(view->up);
        TS_TRY(ts_array_push(&trace->floor,
                             make_floor(view, ts_vec3_scale(up, view->ground.height), up, TS_SEEN_GROUND), error));
    }
    TS_TRY(crowd_build(&trace->solid, &trace->scene.world, error));
    return crowd_build(&trace->veil, &trace->scene.veil, error);
}

/* ---- Preparing: camera, light, stage ---- */

static ts_status prepare_camera(ts_trace_scene *s, const ts_view *view, ts_error *error)
{
    const ts_eye *c = &view->camera;
    if (!ts_vec3_is_finite(c->position) || !ts_vec3_is_finite(c->target) || !ts_vec3_is_finite(c->up))
        return ts_fail(error, TS_BAD_INPUT, "the camera's place, target or up is not finite");
    if (!(c->fov > 1e-4 && c->fov < TS_PI - 1e-4))
        return ts_fail(error, TS_BAD_INPUT, "the camera's field of view is %g rad; give a number between 0 and π",
                       c->fov);
    ts_vec3 sight = ts_vec3_sub(c->target, c->position), forward = ts_vec3_unit(sight);
    ts_vec3 right = ts_vec3_cross(forward, ts_vec3_unit(c->up));
    if (!(ts_vec3_length(forward) > 0.5) || !(ts_vec3_length(right) > 1e-9))
        return ts_fail(error, TS_BAD_INPUT,
                       "the camera looks nowhere, or straight along its up; move the target or turn up");
    right = ts_vec3_unit(right);
    s->pixel = 2 * tan(0.5 * c->fov) / s->height;
    s->eye = c->position;
    s->forward = forward;
    s->right = ts_vec3_scale(right, s->pixel);
    s->down = ts_vec3_scale(ts_vec3_cross(forward, right), s->pixel);
    return TS_OK;
}

/* Directions of the sun's disc and of the sky. */
static ts_status prepare_light(ts_trace_scene *s, const ts_view *view, ts_error *error)
{
    const ts_light *light = &view->light;
    s->up = ts_vec3_unit(view->up);
    s->sun = ts_vec3_unit(light->sun);
    if (!(ts_vec3_length(s->up) > 0.5) || !(ts_vec3_length(s->sun) > 0.5))
        return ts_fail(error, TS_BAD_INPUT, "the direction of the sun or up is zero or not finite");
    if (!(light->sun_size >= 0 && light->sun_size < 0.5) || !(light->sun_share >= 0 && light->sun_share <= 1))
        return ts_fail(error, TS_BAD_INPUT, "the sun has size %g rad and share %g; give 0 to 0.5 and 0 to 1",
                       light->sun_size, light->sun_share);
    const double exposure = 1.18, golden = TS_PI * (3 - sqrt(5.0));
    s->sun_light = exposure * light->sun_share;
    s->sky_light = exposure * (1 - light->sun_share);
    s->occlusion = light->occlusion;
    ts_vec3 a, b;
    ts_vec3_tangents(s->sun, &a, &b);
    for (int i = 0; i < TS_TRACE_SAMPLES; i++) {
        double r = i == TS_TRACE_SAMPLES - 1 ? 0 : sqrt((i + 0.7) / TS_TRACE_SAMPLES) * tan(light->sun_size),
               turn = golden * i;
        s->sun_at[i] = ts_vec3_unit(ts_vec3_add_scaled(ts_vec3_add_scaled(s->sun, a, r * cos(turn)), b, r * sin(turn)));
    }
    ts_vec3_tangents(s->up, &a, &b);
    for (int i = 0; i < TS_SKY_COUNT; i++) {
        /* even over the half sphere; neighbours in the pattern of pixels look far apart */
        int k = (i * 13) % TS_SKY_COUNT;
        double z = (k + 0.5) / TS_SKY_COUNT, r = sqrt(1 - z * z), turn = golden * k;
        s->sky[i] = ts_vec3_add_scaled(ts_vec3_add_scaled(ts_vec3_scale(s->up, z), a, r * cos(turn)), b, r * sin(turn));
    }
    return TS_OK;
}

/* Around what is solid: the tree knows. */
static ts_box3 rough_bounds(const ts_trace *trace, const ts_view *view)
{
    const ts_trace_node *root = trace->scene.world.node;
    return root ? (ts_box3){{root->low[0], root->low[1], root->low[2]}, {root->high[0], root->high[1], root->high[2]}}
                : ts_view_bounds(view);
}

static ts_status prepare_stage(ts_trace *trace, const ts_view *view, ts_error *error)
{
    ts_trace_scene *s = &trace->scene;
    s->stage = view->stage.low.x <= view->stage.high.x ? view->stage : rough_bounds(trace, view);
    s->middle = ts_vec3_lerp(s->stage.low, s->stage.high, 0.5);
    s->size = 0.5 * ts_vec3_distance(s->stage.low, s->stage.high);
    if (!isfinite(s->size) || !ts_vec3_is_finite(s->middle))
        return ts_fail(error, TS_BAD_INPUT, "the stage is not finite; leave it out, or give a box");
    if (!(s->size > 0))
        s->size = 1;
    if (isnan(view->grid) || isinf(view->grid))
        return ts_fail(error, TS_BAD_INPUT, "the grid's spacing is not finite; give a length, or 0 for none");
    s->grid = view->grid < 0 ? ts_nice_below(0.25 * s->size) : view->grid;
    /* coordinates are known to about 1e-16 of the largest of them */
    s->nudge = 1e-8;
    bool dark = view->theme == TS_THEME_DARK;
    linear_colour(ts_colour_of(ts_theme_get(view->theme)->paper), s->paper);
    linear_colour(ts_colour_of(dark ? 0x333A44 : 0xD5D2C9), s->line);
    return TS_OK;
}

ts_status ts_trace_prepare(ts_trace *trace, const ts_view *view, ts_error *error)
{
    ts_trace_scene *s = &trace->scene;
    TS_TRY(prepare_camera(s, view, error));
    TS_TRY(prepare_light(s, view, error));
    TS_TRY(prepare_things(trace, view, error));
    TS_TRY(prepare_stage(trace, view, error));
    s->kernel = ts_trace_choose();
    s->floor = trace->floor.item;
    s->floor_count = trace->floor.count;
    s->ghost = trace->ghost.item;
    s->ghost_count = trace->ghost.count;
    size_t pixels = (size_t)s->width * (size_t)s->height;
    TS_TRY(ts_array_reserve(&trace->pixel, pixels, error));
    TS_TRY(ts_array_reserve(&trace->row, pixels, error));
    if (s->ghost_count > 0 || s->veil.node)
        TS_TRY(ts_array_reserve(&trace->glass, pixels, error));
    trace->pixel.count = pixels;
    return TS_OK;
}
