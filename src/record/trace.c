/* SPDX-License-Identifier: MIT */
#include "record/trace.h"

#include <math.h>
#include <stdlib.h>

#include "base/kernel.h"
#include "record/draw_label.h"
#include "record/draw_paint.h"
#include "record/trace_work.h"

TS_KERNEL_CHOOSER(ts_trace_kernels, ts_trace)

#define SIDE_MAX 16384
#define TILE     32
/* Samples of a pixel that needs them: nine, on nine columns and nine rows of it, the first in its middle. */
#define SAMPLES 9
#define PATTERN 4 /* each pixel of 4 × 4 asks for other parts of the sky */

typedef struct pixel {
    double depth;
    int32_t thing, item; /* item below -1: a floor */
    float normal[3];
    float sun;          /* cosine to the sun where it is seen, or 0 */
    float seen, asked;  /* of the sky, by cosine */
    ts_trace_veil veil; /* what ghosts lay over it */
    float unused[3];
} pixel;

typedef struct sky_sum {
    float seen, asked;
} sky_sum;

/* Things in a tree. */
typedef struct crowd {
    TS_ARRAY(ts_box3) box;
    TS_ARRAY(ts_trace_item) given, item; /* in the view's order, and the tree's */
    TS_ARRAY(ts_trace_frame) given_frame, frame;
    ts_trace_tree tree;
} crowd;

struct ts_trace {
    ts_pool *pool;
    TS_ARRAY(ts_trace_mesh *) mesh;
    crowd solid, veil;
    TS_ARRAY(ts_trace_floor) floor;
    TS_ARRAY(ts_trace_ghost) ghost;
    TS_ARRAY(pixel) pixel;
    TS_ARRAY(sky_sum) row; /* what neighbours in a row saw of the sky together */
    TS_ARRAY(float) sky;   /* share of it that each pixel sees */
    ts_trace_scene scene;
    uint8_t encode[4097]; /* of √light */
    int tiles_x, tiles_y;
    const ts_image *image;
};

static float linear_of(double srgb)
{
    return (float)(srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4));
}

static void linear_colour(ts_colour colour, float to[3])
{
    to[0] = linear_of(colour.r);
    to[1] = linear_of(colour.g);
    to[2] = linear_of(colour.b);
}

ts_status ts_trace_create(ts_pool *pool, ts_trace **trace, ts_error *error)
{
    ts_trace *made = ts_alloc(1, sizeof *made);
    if (!made)
        return ts_fail_memory(error, sizeof *made);
    made->pool = pool;
    for (int i = 0; i <= 4096; i++) {
        double light = (i / 4096.0) * (i / 4096.0);
        double srgb = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
        made->encode[i] = (uint8_t)lround(255 * fmin(srgb, 1));
    }
    *trace = made;
    return TS_OK;
}

static void crowd_free(crowd *c)
{
    ts_array_free(&c->box);
    ts_array_free(&c->given);
    ts_array_free(&c->item);
    ts_array_free(&c->given_frame);
    ts_array_free(&c->frame);
    ts_trace_tree_free(&c->tree);
}

void ts_trace_free(ts_trace *trace)
{
    if (!trace)
        return;
    for (size_t i = 0; i < trace->mesh.count; i++)
        ts_trace_mesh_free(trace->mesh.item[i]);
    ts_array_free(&trace->mesh);
    crowd_free(&trace->solid);
    crowd_free(&trace->veil);
    ts_array_free(&trace->floor);
    ts_array_free(&trace->ghost);
    ts_array_free(&trace->pixel);
    ts_array_free(&trace->row);
    ts_array_free(&trace->sky);
    ts_free(trace);
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
        return s->mesh != NULL;
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
    while (at < trace->mesh.count && trace->mesh.item[at]->mesh != mesh)
        at++;
    if (at < trace->mesh.count && trace->mesh.item[at]->used) {
        *found = trace->mesh.item[at];
        return TS_OK;
    }
    uint64_t hash = ts_mesh_hash(mesh);
    if (at == trace->mesh.count || trace->mesh.item[at]->hash != hash) {
        ts_trace_mesh *made = NULL;
        TS_TRY(ts_array_reserve(&trace->mesh, trace->mesh.count + 1, error));
        TS_TRY(ts_trace_mesh_create(mesh, hash, &made, error));
        if (at == trace->mesh.count)
            trace->mesh.count++;
        else
            ts_trace_mesh_free(trace->mesh.item[at]);
        trace->mesh.item[at] = made;
    }
    trace->mesh.item[at]->used = true;
    *found = trace->mesh.item[at];
    return TS_OK;
}

/* Trees of meshes that are not to be seen any more. */
static void forget_meshes(ts_trace *trace)
{
    size_t kept = 0;
    for (size_t i = 0; i < trace->mesh.count; i++) {
        if (trace->mesh.item[i]->used)
            trace->mesh.item[kept++] = trace->mesh.item[i];
        else
            ts_trace_mesh_free(trace->mesh.item[i]);
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
    ts_trace_item item = {.centre = thing->pose.position,
                          .radius = solid->radius * thing->scale,
                          .half_length = solid->half_length * thing->scale,
                          .kind = (int32_t)solid->kind,
                          .thing = (int32_t)index};
    linear_colour(thing->colour, item.colour);
    ts_trace_frame frame = {
        .scale = thing->scale, .half = ts_vec3_scale(solid->half, thing->scale), .hull = solid->hull};
    if (solid->kind != TS_SOLID_SPHERE)
        frame.turn = ts_quat_to_matrix(ts_quat_unit(thing->pose.quat));
    if (solid->kind == TS_SOLID_PLANE) {
        ts_vec3 normal = ts_mat3_column(frame.turn, 2);
        if (!(thing->flags & TS_THING_GHOST) && ts_vec3_dot(normal, ts_vec3_unit(view->up)) > 0.5)
            return ts_array_push(&trace->floor, make_floor(view, item.centre, normal, item.thing), error);
    }
    bool ghost = (thing->flags & TS_THING_GHOST) || solid->kind == TS_SOLID_VESSEL || solid->kind == TS_SOLID_PLANE;
    if (ghost && solid->kind != TS_SOLID_MESH && solid->kind != TS_SOLID_CAPSULE)
        return ts_array_push(&trace->ghost, ((ts_trace_ghost){item, frame}), error);
    if (solid->kind == TS_SOLID_MESH) {
        if (solid->mesh->triangle_count == 0)
            return TS_OK;
        TS_TRY(find_mesh(trace, solid->mesh, &frame.mesh, error));
    }
    crowd *c = ghost ? &trace->veil : &trace->solid;
    ts_box3 box = ts_trace_thing_box(thing, frame.mesh);
    if (!ts_vec3_is_finite(box.low) || !ts_vec3_is_finite(box.high))
        return ts_fail(error, TS_BAD_INPUT, "thing %zu is too large to be drawn", index);
    TS_TRY(ts_array_push(&c->box, box, error));
    TS_TRY(ts_array_push(&c->given_frame, frame, error));
    return ts_array_push(&c->given, item, error);
}

static void crowd_clear(crowd *c)
{
    c->box.count = c->given.count = c->given_frame.count = 0;
}

/* Builds the tree, and puts everything in its order. */
static ts_status crowd_build(crowd *c, ts_trace_world *world, ts_error *error)
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
        trace->mesh.item[i]->used = false;
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
    const ts_camera *c = &view->camera;
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
    for (int i = 0; i < SAMPLES; i++) {
        double r = i == SAMPLES - 1 ? 0 : sqrt((i + 0.7) / SAMPLES) * tan(light->sun_size), turn = golden * i;
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

static ts_status prepare(ts_trace *trace, const ts_view *view, ts_error *error)
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
    TS_TRY(ts_array_reserve(&trace->sky, pixels, error));
    trace->pixel.count = pixels;
    return TS_OK;
}

/* ---- Rays ---- */

#define FAR_AWAY 1e200

/* Through a point of the image [px]. */
static ts_vec3 direction_at(const ts_trace_scene *s, double x, double y)
{
    ts_vec3 d = ts_vec3_add_scaled(s->forward, s->right, x - 0.5 * s->width);
    return ts_vec3_unit(ts_vec3_add_scaled(d, s->down, y - 0.5 * s->height));
}

static void set_ray(ts_trace_packet *p, int lane, ts_vec3 o, ts_vec3 d, double far)
{
    p->ox[lane] = o.x;
    p->oy[lane] = o.y;
    p->oz[lane] = o.z;
    p->dx[lane] = d.x;
    p->dy[lane] = d.y;
    p->dz[lane] = d.z;
    p->far[lane] = far;
}

/* Just above a surface. */
static ts_vec3 lifted(const ts_trace_scene *s, const ts_trace_hit *hit)
{
    return ts_vec3_add_scaled(hit->start, hit->geometric,
                              s->nudge * ((hit->depth < FAR_AWAY ? hit->depth : 0) + s->size));
}

/* Rays that are gathered to packets; what comes out is added up in `light`. */
typedef struct gathering {
    ts_trace_packet packet;
    float *light[TS_LANES];
    float weight[TS_LANES];
    int count;
} gathering;

static void flush(const ts_trace_scene *s, gathering *g)
{
    if (g->count == 0)
        return;
    for (int i = g->count; i < TS_LANES; i++) {
        set_ray(&g->packet, i, (ts_vec3){g->packet.ox[0], g->packet.oy[0], g->packet.oz[0]},
                (ts_vec3){g->packet.dx[0], g->packet.dy[0], g->packet.dz[0]}, -1);
    }
    unsigned blocked = s->kernel->blocked(&s->world, &g->packet);
    for (int i = 0; i < g->count; i++)
        if (!(blocked >> i & 1))
            *g->light[i] += g->weight[i];
    g->count = 0;
}

static void gather(const ts_trace_scene *s, gathering *g, ts_vec3 o, ts_vec3 d, float weight, float *light)
{
    set_ray(&g->packet, g->count, o, d, FAR_AWAY);
    g->light[g->count] = light;
    g->weight[g->count++] = weight;
    if (g->count == TS_LANES)
        flush(s, g);
}

/* ---- First pass: one sample a pixel ---- */

typedef struct tile {
    int x0, y0, x1, y1;
    ts_vec3 above[TILE * TILE]; /* where rays from each pixel's surface start */
} tile;

static void tile_of(const ts_trace *trace, int task, tile *t)
{
    t->x0 = task % trace->tiles_x * TILE;
    t->y0 = task / trace->tiles_x * TILE;
    t->x1 = t->x0 + TILE < trace->scene.width ? t->x0 + TILE : trace->scene.width;
    t->y1 = t->y0 + TILE < trace->scene.height ? t->y0 + TILE : trace->scene.height;
}

static pixel *pixel_at(const ts_trace *trace, int x, int y)
{
    return &trace->pixel.item[(size_t)y * (size_t)trace->scene.width + (size_t)x];
}

static ts_vec3 normal_of(const pixel *p)
{
    return (ts_vec3){(double)p->normal[0], (double)p->normal[1], (double)p->normal[2]};
}

static bool has_ghosts(const ts_trace_scene *s)
{
    return s->ghost_count > 0 || s->veil.node;
}

static void look_block(const ts_trace *trace, tile *t, int bx, int by)
{
    const ts_trace_scene *s = &trace->scene;
    ts_trace_packet packet;
    double depth[TS_LANES] = {0};
    for (int i = 0; i < TS_LANES; i++) {
        int x = bx + (i & 3), y = by + (i >> 2);
        set_ray(&packet, i, s->eye, direction_at(s, x + 0.5, y + 0.5), x < t->x1 && y < t->y1 ? FAR_AWAY : -1);
    }
    s->kernel->closest(&s->world, &packet);
    for (int i = 0; i < TS_LANES; i++) {
        int x = bx + (i & 3), y = by + (i >> 2);
        if (x >= t->x1 || y >= t->y1)
            continue;
        ts_trace_hit hit = ts_trace_hit_of(s, &packet, i);
        *pixel_at(trace, x, y) = (pixel){.depth = hit.depth,
                                         .thing = hit.thing,
                                         .item = hit.item,
                                         .normal = {(float)hit.normal.x, (float)hit.normal.y, (float)hit.normal.z}};
        depth[i] = hit.depth;
        t->above[(y - t->y0) * TILE + x - t->x0] = lifted(s, &hit);
    }
    if (!has_ghosts(s))
        return;
    ts_trace_veil veil[TS_LANES];
    ts_trace_find_veils(s, &packet, depth, veil);
    for (int i = 0; i < TS_LANES; i++)
        if (bx + (i & 3) < t->x1 && by + (i >> 2) < t->y1)
            pixel_at(trace, bx + (i & 3), by + (i >> 2))->veil = veil[i];
}

/* Which of the sun's points a pixel's first sample looks at: neighbours look at others, and differ in the whole half shadow. */
static int sun_point(int x, int y)
{
    return x % 3 + 3 * (y % 3);
}

static void look_at_sun(const ts_trace *trace, const tile *t)
{
    const ts_trace_scene *s = &trace->scene;
    gathering g = {.count = 0};
    for (int by = t->y0; by < t->y1; by += 2)
        for (int bx = t->x0; bx < t->x1; bx += 4)
            for (int i = 0; i < TS_LANES; i++) {
                int x = bx + (i & 3), y = by + (i >> 2);
                if (x >= t->x1 || y >= t->y1)
                    continue;
                pixel *p = pixel_at(trace, x, y);
                ts_vec3 d = s->sun_at[sun_point(x, y)];
                double facing = ts_vec3_dot(normal_of(p), s->sun);
                if (p->thing != TS_SEEN_NOTHING && facing > 0)
                    gather(s, &g, t->above[(y - t->y0) * TILE + x - t->x0], d, (float)facing, &p->sun);
            }
    flush(s, &g);
}

/* Pixels at the same place of the pattern look the same way, and so make good packets. */
static void look_at_sky(const ts_trace *trace, const tile *t)
{
    const ts_trace_scene *s = &trace->scene;
    gathering g = {.count = 0};
    for (int k = 0; k < TS_SKY_COUNT; k++) {
        int place = k % (PATTERN * PATTERN);
        for (int y = t->y0 + place / PATTERN; y < t->y1; y += PATTERN)
            for (int x = t->x0 + place % PATTERN; x < t->x1; x += PATTERN) {
                pixel *p = pixel_at(trace, x, y);
                float facing = (float)ts_vec3_dot(normal_of(p), s->sky[k]);
                if (p->thing == TS_SEEN_NOTHING || !(facing > 0))
                    continue;
                p->asked += facing;
                gather(s, &g, t->above[(y - t->y0) * TILE + x - t->x0], s->sky[k], facing, &p->seen);
            }
        flush(s, &g);
    }
}

static void look(void *context, int task, int thread)
{
    (void)thread;
    const ts_trace *trace = context;
    tile t;
    tile_of(trace, task, &t);
    for (int y = t.y0; y < t.y1; y += 2)
        for (int x = t.x0; x < t.x1; x += 4)
            look_block(trace, &t, x, y);
    look_at_sun(trace, &t);
    if (trace->scene.occlusion)
        look_at_sky(trace, &t);
}

/* ---- Second pass: neighbours share what they saw of the sky ---- */

/* Along rows, then along columns. The weights 1 2 3 4 3 2 1 count each place of the pattern alike. */
#define REACH (PATTERN - 1)

static bool alike(const pixel *p, const pixel *q)
{
    float dot = p->normal[0] * q->normal[0] + p->normal[1] * q->normal[1] + p->normal[2] * q->normal[2];
    return p->item == q->item && dot > 0.8F;
}

static size_t place_of(const ts_trace *trace, int x, int y)
{
    return (size_t)y * (size_t)trace->scene.width + (size_t)x;
}

static void share_rows(void *context, int task, int thread)
{
    (void)thread;
    const ts_trace *trace = context;
    tile t;
    tile_of(trace, task, &t);
    for (int y = t.y0; y < t.y1; y++)
        for (int x = t.x0; x < t.x1; x++) {
            const pixel *p = pixel_at(trace, x, y);
            sky_sum sum = {0, 0};
            for (int u = x > REACH ? x - REACH : 0; u <= x + REACH && u < trace->scene.width; u++) {
                const pixel *q = pixel_at(trace, u, y);
                if (!alike(p, q))
                    continue;
                float weight = (float)(PATTERN - abs(u - x));
                sum.seen += weight * q->seen;
                sum.asked += weight * q->asked;
            }
            trace->row.item[place_of(trace, x, y)] = sum;
        }
}

static float share_of_sky(const ts_trace *trace, int x, int y)
{
    const pixel *p = pixel_at(trace, x, y);
    if (p->thing == TS_SEEN_NOTHING || !trace->scene.occlusion)
        return 1;
    sky_sum sum = {0, 0};
    for (int v = y > REACH ? y - REACH : 0; v <= y + REACH && v < trace->scene.height; v++) {
        if (!alike(p, pixel_at(trace, x, v)))
            continue;
        float weight = (float)(PATTERN - abs(v - y));
        sky_sum row = trace->row.item[place_of(trace, x, v)];
        sum.seen += weight * row.seen;
        sum.asked += weight * row.asked;
    }
    /* where few were asked (thin things, undersides) the answer leans towards half */
    return (sum.seen + 4) / (sum.asked + 8);
}

static void share_columns(void *context, int task, int thread)
{
    (void)thread;
    const ts_trace *trace = context;
    tile t;
    tile_of(trace, task, &t);
    for (int y = t.y0; y < t.y1; y++)
        for (int x = t.x0; x < t.x1; x++)
            trace->sky.item[place_of(trace, x, y)] = share_of_sky(trace, x, y);
}

/* ---- Third pass: colours, and more samples where neighbours differ ---- */

static bool edge_between(const ts_trace_scene *s, const pixel *p, const pixel *q)
{
    if (p->item != q->item || p->thing != q->thing || fabsf(p->veil.cover - q->veil.cover) > 0.02F)
        return true;
    if (p->thing == TS_SEEN_NOTHING || p->item < -1)
        return false;
    float dot = p->normal[0] * q->normal[0] + p->normal[1] * q->normal[1] + p->normal[2] * q->normal[2];
    return dot < 0.9F || fabs(p->depth - q->depth) > 16 * s->pixel * p->depth;
}

static bool shadow_between(const pixel *p, const pixel *q)
{
    float more = p->sun > q->sun ? p->sun : q->sun, less = p->sun > q->sun ? q->sun : p->sun;
    return less == 0 && more > 0.12F;
}

static bool needs_more(const ts_trace *trace, int x, int y)
{
    const ts_trace_scene *s = &trace->scene;
    const pixel *p = pixel_at(trace, x, y);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int u = x + i, v = y + j;
            if (u < 0 || v < 0 || u >= s->width || v >= s->height)
                continue;
            const pixel *q = pixel_at(trace, u, v);
            if (((i == 0 || j == 0) && edge_between(s, p, q)) || shadow_between(p, q))
                return true;
        }
    return false;
}

/* Of the neighbour that sees the same as a sample does, and most alike. */
static double sky_near(const ts_trace *trace, int x, int y, const ts_trace_hit *hit)
{
    const ts_trace_scene *s = &trace->scene;
    float best = -2;
    size_t at = (size_t)y * (size_t)s->width + (size_t)x;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int u = x + i, v = y + j;
            if (u < 0 || v < 0 || u >= s->width || v >= s->height)
                continue;
            const pixel *q = pixel_at(trace, u, v);
            float match = (float)ts_vec3_dot(normal_of(q), hit->normal) - (i || j ? 0.01F : 0);
            if (q->item == hit->item && match > best) {
                best = match;
                at = (size_t)v * (size_t)s->width + (size_t)u;
            }
        }
    return (double)trace->sky.item[at];
}

/* The eight other samples of a pixel. */
typedef struct samples {
    ts_trace_packet packet;
    ts_trace_hit hit[TS_LANES];
    ts_vec3 direction[TS_LANES];
    ts_trace_veil veil[TS_LANES];
    unsigned bright; /* bit i: sees the sun */
} samples;

static void take_samples(const ts_trace_scene *s, int x, int y, samples *m)
{
    static const int row[SAMPLES] = {2, 5, 8, 1, 4, 7, 0, 3, 6}; /* of each column; the middle one is there already */
    double depth[TS_LANES];
    for (int i = 0; i < TS_LANES; i++) {
        int column = i < 4 ? i : i + 1;
        m->direction[i] = direction_at(s, x + (column + 0.5) / SAMPLES, y + (row[column] + 0.5) / SAMPLES);
        set_ray(&m->packet, i, s->eye, m->direction[i], FAR_AWAY);
        m->veil[i] = (ts_trace_veil){{0}, 0};
    }
    s->kernel->closest(&s->world, &m->packet);
    m->bright = 0;
    for (int i = 0; i < TS_LANES; i++) {
        m->hit[i] = ts_trace_hit_of(s, &m->packet, i);
        depth[i] = m->hit[i].depth;
        if (m->hit[i].thing != TS_SEEN_NOTHING && ts_vec3_dot(m->hit[i].normal, s->sun) > 0)
            m->bright |= 1U << i;
    }
    if (has_ghosts(s))
        ts_trace_find_veils(s, &m->packet, depth, m->veil);
    for (int i = 0; i < TS_LANES; i++)
        set_ray(&m->packet, i, lifted(s, &m->hit[i]), s->sun_at[i], m->bright >> i & 1 ? FAR_AWAY : -1);
    if (m->bright)
        m->bright &= ~s->kernel->blocked(&s->world, &m->packet);
}

/* How much of the sun the surface of `item` sees, of all samples on it; `middle` says it for the first. */
static double sun_share(const samples *m, int32_t item, double middle)
{
    int count = 0, lit = 0;
    for (int i = 0; i < TS_LANES; i++)
        if (m->hit[i].item == item) {
            count++;
            lit += m->bright >> i & 1 ? 1 : 0;
        }
    return count ? (double)lit / count : middle;
}

/* One pixel: its first sample, and eight more where neighbours differ. */
static void pixel_colour(const ts_trace *trace, int x, int y, float sum[3])
{
    const ts_trace_scene *s = &trace->scene;
    const pixel *p = pixel_at(trace, x, y);
    ts_vec3 d = direction_at(s, x + 0.5, y + 0.5);
    ts_trace_hit hit = {.thing = p->thing, .item = p->item, .depth = p->depth, .normal = normal_of(p)};
    if (p->thing != TS_SEEN_NOTHING)
        hit.point = ts_vec3_add_scaled(s->eye, d, p->depth);
    bool more = needs_more(trace, x, y);
    double sun = p->sun > 0;
    samples m;
    if (more) {
        take_samples(s, x, y, &m);
        sun = sun_share(&m, p->item, sun);
    }
    ts_trace_colour(s, &hit, d, sun, (double)trace->sky.item[place_of(trace, x, y)], sum);
    ts_trace_lay_veil(&p->veil, sum);
    if (!more)
        return;
    for (int i = 0; i < TS_LANES; i++) {
        float colour[3];
        double sky = m.hit[i].thing == TS_SEEN_NOTHING ? 1 : sky_near(trace, x, y, &m.hit[i]);
        ts_trace_colour(s, &m.hit[i], m.direction[i], m.bright >> i & 1, sky, colour);
        ts_trace_lay_veil(&m.veil[i], colour);
        for (int k = 0; k < 3; k++)
            sum[k] += colour[k];
    }
    for (int k = 0; k < 3; k++)
        sum[k] /= SAMPLES;
}

static uint32_t encode(const ts_trace *trace, const float colour[3])
{
    uint32_t rgb = 0;
    for (int k = 0; k < 3; k++) {
        float c = colour[k] > 0 ? (colour[k] < 1 ? colour[k] : 1) : 0;
        rgb = rgb << 8 | trace->encode[(int)(sqrtf(c) * 4096 + 0.5F)];
    }
    return rgb;
}

static void paint(void *context, int task, int thread)
{
    (void)thread;
    const ts_trace *trace = context;
    tile t;
    tile_of(trace, task, &t);
    for (int y = t.y0; y < t.y1; y++)
        for (int x = t.x0; x < t.x1; x++) {
            float colour[3];
            pixel_colour(trace, x, y, colour);
            trace->image->pixel[(size_t)y * trace->image->stride + (size_t)x] = encode(trace, colour);
        }
}

ts_status ts_trace_draw(ts_trace *trace, const ts_view *view, const ts_image *image, ts_error *error)
{
    trace->pixel.count = 0;
    if (image->width < 1 || image->height < 1 || image->width > SIDE_MAX || image->height > SIDE_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a picture of %d × %d pixels is not possible; give 1 to %d for each side",
                       image->width, image->height, SIDE_MAX);
    trace->scene.width = image->width;
    trace->scene.height = image->height;
    TS_TRY(prepare(trace, view, error));
    trace->image = image;
    trace->tiles_x = (image->width + TILE - 1) / TILE;
    trace->tiles_y = (image->height + TILE - 1) / TILE;
    int tiles = trace->tiles_x * trace->tiles_y;
    ts_pool_run(trace->pool, tiles, look, trace);
    if (trace->scene.occlusion)
        ts_pool_run(trace->pool, tiles, share_rows, trace);
    ts_pool_run(trace->pool, tiles, share_columns, trace);
    ts_pool_run(trace->pool, tiles, paint, trace);
    trace->image = NULL;
    return TS_OK;
}

ts_seen ts_trace_seen(const ts_trace *trace, int x, int y)
{
    if (x < 0 || y < 0 || x >= trace->scene.width || y >= trace->scene.height || trace->pixel.count == 0)
        return (ts_seen){.thing = TS_SEEN_NOTHING, .depth = HUGE_VAL};
    const pixel *p = pixel_at(trace, x, y);
    return (ts_seen){.thing = p->thing, .depth = p->depth, .normal = normal_of(p), .lit = p->sun > 0};
}
