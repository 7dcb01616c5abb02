/* SPDX-License-Identifier: MIT */
/* Where the eye stands, and what a view holds. */
#include <math.h>

#include "record/trace_work.h"

/* Room that is left around what is framed, of the part's sides. */
#define MARGIN 0.05
/* From the lower to the upper edge: about a lens of 70 mm on a film of 36 mm; straight lines stay calm. [rad] */
#define FOV (28 * TS_PI / 180)

ts_view ts_default_view(void)
{
    return (ts_view){.light = {.sun = {-0.52, -0.42, 0.9}, .sun_size = 0.02, .sun_share = 0.62, .occlusion = true},
                     .up = {0, 0, 1},
                     .grid = -1,
                     .stage = {{1, 1, 1}, {-1, -1, -1}},
                     .theme = TS_THEME_LIGHT};
}

/* In the thing's own frame, at scale 1. */
static ts_box3 own_box(const ts_solid *solid)
{
    double r = solid->radius, h = solid->half_length;
    ts_box3 box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    switch (solid->kind) {
    case TS_SOLID_SPHERE:
        return (ts_box3){{-r, -r, -r}, {r, r, r}};
    case TS_SOLID_BOX:
        return (ts_box3){ts_vec3_neg(solid->half), solid->half};
    case TS_SOLID_CAPSULE:
        return (ts_box3){{-r, -r, -h - r}, {r, r, h + r}};
    case TS_SOLID_CYLINDER:
    case TS_SOLID_VESSEL:
        return (ts_box3){{-r, -r, -h}, {r, r, h}};
    case TS_SOLID_HULL:
        for (size_t i = 0; i < solid->hull->vertex_count; i++) {
            box.low = ts_vec3_min(box.low, solid->hull->vertex[i]);
            box.high = ts_vec3_max(box.high, solid->hull->vertex[i]);
        }
        return box;
    case TS_SOLID_MESH:
        return ts_mesh_bounds(solid->mesh);
    default:
        return box;
    }
}

ts_box3 ts_trace_thing_box(const ts_thing *thing, const ts_trace_mesh *mesh)
{
    double s = thing->scale;
    ts_vec3 c = thing->pose.position;
    if (thing->solid->kind == TS_SOLID_SPHERE) {
        double r = s * thing->solid->radius;
        return (ts_box3){{c.x - r, c.y - r, c.z - r}, {c.x + r, c.y + r, c.z + r}};
    }
    ts_box3 own = mesh ? mesh->box : own_box(thing->solid);
    if (!(own.low.x <= own.high.x))
        return own;
    /* the box around the turned box: |R| · half sides */
    ts_vec3 half = ts_vec3_scale(ts_vec3_sub(own.high, own.low), 0.5 * s);
    ts_vec3 middle = ts_vec3_scale(ts_vec3_add(own.low, own.high), 0.5 * s);
    ts_quat quat = ts_quat_unit(thing->pose.quat);
    ts_mat3 turn = ts_quat_to_matrix(quat);
    ts_vec3 at = ts_vec3_add(c, ts_mat3_apply(turn, middle));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turn.m[i][j] = fabs(turn.m[i][j]);
    ts_vec3 reach = ts_mat3_apply(turn, half);
    return (ts_box3){ts_vec3_sub(at, reach), ts_vec3_add(at, reach)};
}

ts_box3 ts_view_bounds(const ts_view *view)
{
    ts_box3 box[2];
    for (int k = 0; k < 2; k++)
        box[k] = (ts_box3){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < view->thing_count; i++) {
        const ts_thing *thing = &view->thing[i];
        if (thing->solid->kind == TS_SOLID_PLANE)
            continue;
        int k = thing->solid->kind == TS_SOLID_VESSEL;
        ts_box3 own = ts_trace_thing_box(thing, NULL);
        box[k].low = ts_vec3_min(box[k].low, own.low);
        box[k].high = ts_vec3_max(box[k].high, own.high);
    }
    if (box[0].low.x <= box[0].high.x)
        return box[0];
    if (box[1].low.x <= box[1].high.x)
        return box[1];
    return (ts_box3){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
}

void ts_view_add_floor(ts_view *view)
{
    ts_vec3 up = ts_vec3_unit(view->up);
    for (size_t i = 0; i < view->thing_count; i++) {
        const ts_thing *thing = &view->thing[i];
        ts_vec3 normal = ts_quat_apply(ts_quat_unit(thing->pose.quat), (ts_vec3){0, 0, 1});
        bool floor = thing->solid->kind == TS_SOLID_PLANE && !(thing->flags & TS_THING_GHOST);
        if (floor && ts_vec3_dot(normal, up) > 0.7)
            return;
    }
    ts_box3 box = ts_view_bounds(view);
    /* the lowest corner */
    double height = fmin(up.x * box.low.x, up.x * box.high.x) + fmin(up.y * box.low.y, up.y * box.high.y) +
                    fmin(up.z * box.low.z, up.z * box.high.z);
    view->ground = (ts_ground){.on = true, .height = height};
}

/* One direction of the picture: an eye at (c, D) in the frame of the line of sight sees the corner (x, z) at (x − c) / (D − z), which
 * must lie between −low and high. So D·high + c ≥ max(x + high·z) =: a and D·low − c ≥ max(low·z − x) =: b. */
typedef struct fit {
    double a, b, low, high;
} fit;

static double nearest(const fit *f)
{
    return (f->a + f->b) / (f->low + f->high);
}

/* In the middle of what is allowed. */
static double centre(const fit *f, double distance)
{
    return 0.5 * ((f->a - f->high * distance) + (f->low * distance - f->b));
}

static void widen(fit *f, double x, double z)
{
    f->a = fmax(f->a, x + f->high * z);
    f->b = fmax(f->b, f->low * z - x);
}

ts_camera ts_camera_framing(ts_box3 box, ts_vec3 from, ts_vec3 up, double fov, double aspect, ts_image_part part)
{
    ts_vec3 back = ts_vec3_unit(from), right = ts_vec3_unit(ts_vec3_cross(up, back)),
            above = ts_vec3_cross(back, right);
    double t = tan(0.5 * fov), width = part.right - part.left, height = part.bottom - part.top;
    fit h = {.a = -HUGE_VAL,
             .b = -HUGE_VAL,
             .low = -t * aspect * (2 * (part.left + MARGIN * width) - 1),
             .high = t * aspect * (2 * (part.right - MARGIN * width) - 1)};
    fit v = {.a = -HUGE_VAL,
             .b = -HUGE_VAL,
             .low = t * (2 * (part.bottom - MARGIN * height) - 1),
             .high = -t * (2 * (part.top + MARGIN * height) - 1)};
    ts_vec3 middle = ts_vec3_lerp(box.low, box.high, 0.5);
    for (int k = 0; k < 8; k++) {
        ts_vec3 corner = {k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y,
                          k & 4 ? box.high.z : box.low.z};
        corner = ts_vec3_sub(corner, middle);
        double z = ts_vec3_dot(corner, back);
        widen(&h, ts_vec3_dot(corner, right), z);
        widen(&v, ts_vec3_dot(corner, above), z);
    }
    double distance = fmax(nearest(&h), nearest(&v));
    if (!(distance > 0)) /* a box without size */
        distance = 1;
    ts_vec3 target =
        ts_vec3_add_scaled(ts_vec3_add_scaled(middle, right, centre(&h, distance)), above, centre(&v, distance));
    return (ts_camera){.position = ts_vec3_add_scaled(target, back, distance), .target = target, .up = up, .fov = fov};
}

ts_camera ts_camera_around(ts_box3 box, double aspect, ts_image_part part)
{
    /* 32° to the right of straight ahead, 24° above the horizon */
    const double turn = 32 * TS_PI / 180, rise = 24 * TS_PI / 180;
    ts_vec3 from = {sin(turn) * cos(rise), -cos(turn) * cos(rise), sin(rise)};
    return ts_camera_framing(box, from, (ts_vec3){0, 0, 1}, FOV, aspect, part);
}
