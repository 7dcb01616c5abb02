/* SPDX-License-Identifier: MIT */
/* Where the eye stands, and what a view holds. */
#include <math.h>

#include "record/trace_work.h"

/* Room that is left around what is framed, of the part's sides. */
#define MARGIN 0.04
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

static ts_box3 no_box(void)
{
    return (ts_box3){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

static void widen_box(ts_box3 *box, ts_box3 by)
{
    box->low = ts_vec3_min(box->low, by.low);
    box->high = ts_vec3_max(box->high, by.high);
}

static ts_box3 box_of_points(const ts_vec3 *point, size_t count, const ts_thing *thing)
{
    ts_mat3 turn = ts_quat_to_matrix(ts_quat_unit(thing->pose.quat));
    ts_box3 box = no_box();
    for (size_t i = 0; i < count; i++) {
        ts_vec3 p = ts_mat3_apply(turn, ts_vec3_scale(point[i], thing->scale));
        widen_box(&box, (ts_box3){p, p});
    }
    return (ts_box3){ts_vec3_add(box.low, thing->pose.position), ts_vec3_add(box.high, thing->pose.position)};
}

/* The box around a turned box: |R| · its half sides about its turned middle. */
static ts_box3 turned_box(ts_box3 own, const ts_thing *thing, const ts_mat3 *turn)
{
    ts_vec3 half = ts_vec3_scale(ts_vec3_sub(own.high, own.low), 0.5 * thing->scale);
    ts_vec3 middle = ts_vec3_scale(ts_vec3_add(own.low, own.high), 0.5 * thing->scale);
    ts_mat3 size = *turn;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            size.m[i][j] = fabs(size.m[i][j]);
    ts_vec3 reach = ts_mat3_apply(size, half), at = ts_vec3_add(thing->pose.position, ts_mat3_apply(*turn, middle));
    return (ts_box3){ts_vec3_sub(at, reach), ts_vec3_add(at, reach)};
}

static double across(double axis)
{
    return sqrt(fmax(1 - axis * axis, 0));
}

ts_box3 ts_trace_thing_box(const ts_thing *thing, const ts_trace_mesh *mesh)
{
    const ts_solid *solid = thing->solid;
    double r = solid->radius * thing->scale, h = solid->half_length * thing->scale;
    ts_vec3 c = thing->pose.position, reach = {r, r, r};
    ts_mat3 turn = ts_quat_to_matrix(ts_quat_unit(thing->pose.quat));
    ts_vec3 axis = ts_mat3_column(turn, 2);
    switch (solid->kind) {
    case TS_SOLID_SPHERE:
        break;
    case TS_SOLID_BOX:
        return turned_box((ts_box3){ts_vec3_neg(solid->half), solid->half}, thing, &turn);
    case TS_SOLID_CAPSULE:
        reach = (ts_vec3){r + h * fabs(axis.x), r + h * fabs(axis.y), r + h * fabs(axis.z)};
        break;
    case TS_SOLID_CYLINDER:
    case TS_SOLID_VESSEL: /* its ends are discs */
        reach = (ts_vec3){r * across(axis.x) + h * fabs(axis.x), r * across(axis.y) + h * fabs(axis.y),
                          r * across(axis.z) + h * fabs(axis.z)};
        break;
    case TS_SOLID_HULL:
        return box_of_points(solid->hull->vertex, solid->hull->vertex_count, thing);
    case TS_SOLID_MESH:
        return mesh ? turned_box(mesh->box, thing, &turn)
                    : box_of_points(solid->mesh->vertex, solid->mesh->vertex_count, thing);
    default:
        return no_box();
    }
    return (ts_box3){ts_vec3_sub(c, reach), ts_vec3_add(c, reach)};
}

ts_box3 ts_view_bounds(const ts_view *view)
{
    ts_box3 box[2] = {no_box(), no_box()};
    for (size_t i = 0; i < view->thing_count; i++) {
        const ts_thing *thing = &view->thing[i];
        if (thing->solid->kind == TS_SOLID_PLANE)
            continue;
        int k = thing->solid->kind == TS_SOLID_VESSEL;
        widen_box(&box[k], ts_trace_thing_box(thing, NULL));
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

/* ---- Framing ---- */

/* One direction of the picture: an eye at (c, D) in the frame of the line of sight sees the ball (x, z, r) between
 * (x ± r√(1 + slope²) − c) / (D − z), which must lie between −low and high. So D·high + c ≥ max(x + high·z + …) =: a and
 * D·low − c ≥ max(low·z − x + …) =: b. */
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

static void widen(fit *f, double x, double z, double r)
{
    f->a = fmax(f->a, x + f->high * z + r * sqrt(1 + f->high * f->high));
    f->b = fmax(f->b, f->low * z - x + r * sqrt(1 + f->low * f->low));
}

/* Both directions. */
typedef struct framing {
    ts_vec3 middle, right, above, back;
    fit h, v;
} framing;

static framing framing_begin(ts_vec3 middle, ts_vec3 from, ts_vec3 up, double fov, double aspect, ts_image_part part)
{
    ts_vec3 back = ts_vec3_unit(from), right = ts_vec3_unit(ts_vec3_cross(up, back));
    double t = tan(0.5 * fov), width = part.right - part.left, height = part.bottom - part.top;
    framing f = {.middle = middle, .right = right, .above = ts_vec3_cross(back, right), .back = back};
    f.h = (fit){.a = -HUGE_VAL,
                .b = -HUGE_VAL,
                .low = -t * aspect * (2 * (part.left + MARGIN * width) - 1),
                .high = t * aspect * (2 * (part.right - MARGIN * width) - 1)};
    f.v = (fit){.a = -HUGE_VAL,
                .b = -HUGE_VAL,
                .low = t * (2 * (part.bottom - MARGIN * height) - 1),
                .high = -t * (2 * (part.top + MARGIN * height) - 1)};
    return f;
}

static void framing_ball(framing *f, ts_vec3 at, double radius)
{
    at = ts_vec3_sub(at, f->middle);
    double z = ts_vec3_dot(at, f->back);
    widen(&f->h, ts_vec3_dot(at, f->right), z, radius);
    widen(&f->v, ts_vec3_dot(at, f->above), z, radius);
}

static void framing_box(framing *f, ts_box3 box)
{
    for (int k = 0; k < 8; k++)
        framing_ball(
            f,
            (ts_vec3){k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y, k & 4 ? box.high.z : box.low.z},
            0);
}

static ts_eye framing_end(const framing *f, ts_vec3 up, double fov)
{
    double distance = fmax(nearest(&f->h), nearest(&f->v));
    if (!(distance > 0)) /* a box without size */
        distance = 1;
    ts_vec3 target = ts_vec3_add_scaled(ts_vec3_add_scaled(f->middle, f->right, centre(&f->h, distance)), f->above,
                                        centre(&f->v, distance));
    return (ts_eye){.position = ts_vec3_add_scaled(target, f->back, distance), .target = target, .up = up, .fov = fov};
}

ts_eye ts_camera_framing(ts_box3 box, ts_vec3 from, ts_vec3 up, double fov, double aspect, ts_image_part part)
{
    framing f = framing_begin(ts_vec3_lerp(box.low, box.high, 0.5), from, up, fov, aspect, part);
    framing_box(&f, box);
    return framing_end(&f, up, fov);
}

/* From the front, 32° to the right, 24° above the horizon. */
static ts_vec3 usual_side(void)
{
    const double turn = 32 * TS_PI / 180, rise = 24 * TS_PI / 180;
    return (ts_vec3){sin(turn) * cos(rise), -cos(turn) * cos(rise), sin(rise)};
}

ts_eye ts_camera_around(ts_box3 box, double aspect, ts_image_part part)
{
    return ts_camera_framing(box, usual_side(), (ts_vec3){0, 0, 1}, FOV, aspect, part);
}

ts_eye ts_camera_on(const ts_view *view, double aspect, ts_image_part part)
{
    ts_box3 box = ts_view_bounds(view);
    ts_vec3 up = {0, 0, 1};
    framing f = framing_begin(ts_vec3_lerp(box.low, box.high, 0.5), usual_side(), up, FOV, aspect, part);
    size_t framed = 0;
    for (size_t i = 0; i < view->thing_count; i++) {
        const ts_thing *thing = &view->thing[i];
        ts_solid_kind kind = thing->solid->kind;
        if (kind == TS_SOLID_PLANE)
            continue;
        framed++;
        if (kind == TS_SOLID_SPHERE)
            framing_ball(&f, thing->pose.position, thing->scale * thing->solid->radius);
        else
            framing_box(&f, ts_trace_thing_box(thing, NULL));
    }
    if (framed == 0)
        framing_box(&f, box);
    return framing_end(&f, up, FOV);
}
