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

static ts_box3 box_of_points(const ts_vec3 *point, size_t count, const ts_thing *thing)
{
    ts_mat3 turn = ts_quat_to_matrix(ts_quat_unit(thing->pose.quat));
    ts_box3 box = ts_box3_none();
    for (size_t i = 0; i < count; i++) {
        ts_vec3 p = ts_mat3_apply(turn, ts_vec3_scale(point[i], thing->scale));
        box = ts_box3_join(box, (ts_box3){p, p});
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
    case TS_SOLID_SMOOTH:
        return mesh ? turned_box(mesh->box, thing, &turn)
                    : box_of_points(ts_solid_surface(solid)->vertex, ts_solid_surface(solid)->vertex_count, thing);
    default:
        return ts_box3_none();
    }
    return (ts_box3){ts_vec3_sub(c, reach), ts_vec3_add(c, reach)};
}

ts_box3 ts_view_bounds(const ts_view *view)
{
    ts_box3 box[2] = {ts_box3_none(), ts_box3_none()};
    for (size_t i = 0; i < view->thing_count; i++) {
        const ts_thing *thing = &view->thing[i];
        if (thing->solid->kind == TS_SOLID_PLANE)
            continue;
        int k = thing->solid->kind == TS_SOLID_VESSEL;
        box[k] = ts_box3_join(box[k], ts_trace_thing_box(thing, NULL));
    }
    if (box[0].low.x <= box[0].high.x)
        return box[0];
    if (box[1].low.x <= box[1].high.x)
        return box[1];
    return (ts_box3){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
}

/* ---- Framing ---- */

/* One direction of the picture: an eye at (c, D) in the frame of the line of sight sees the point (x, z) at (x − c) /
 * (D − z), which must lie between −low and high. So D·high + c ≥ max(x + high·z) =: a and D·low − c ≥ max(low·z − x) =:
 * b. */
typedef struct fit {
    double a, b, low, high;
} fit;

static fit fit_between(double low, double high)
{
    return (fit){-HUGE_VAL, -HUGE_VAL, low, high};
}

static void widen(fit *f, double x, double z)
{
    f->a = fmax(f->a, x + f->high * z);
    f->b = fmax(f->b, f->low * z - x);
}

static double nearest(const fit *f)
{
    return (f->a + f->b) / (f->low + f->high);
}

/* In the middle of what is allowed. */
static double centre(const fit *f, double distance)
{
    return 0.5 * ((f->a - f->high * distance) + (f->low * distance - f->b));
}

ts_eye ts_camera_framing(ts_box3 box, ts_vec3 from, ts_vec3 up, double fov, double aspect, ts_image_part part)
{
    const ts_vec3 middle = ts_vec3_lerp(box.low, box.high, 0.5), back = ts_vec3_unit(from),
                  right = ts_vec3_unit(ts_vec3_cross(up, back)), above = ts_vec3_cross(back, right);
    const double t = tan(0.5 * fov), width = part.right - part.left, height = part.bottom - part.top;
    fit h = fit_between(-t * aspect * (2 * (part.left + MARGIN * width) - 1),
                        t * aspect * (2 * (part.right - MARGIN * width) - 1)),
        v = fit_between(t * (2 * (part.bottom - MARGIN * height) - 1), -t * (2 * (part.top + MARGIN * height) - 1));
    for (int k = 0; k < 8; k++) {
        const ts_vec3 corner = {k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y,
                                k & 4 ? box.high.z : box.low.z},
                      at = ts_vec3_sub(corner, middle);
        widen(&h, ts_vec3_dot(at, right), ts_vec3_dot(at, back));
        widen(&v, ts_vec3_dot(at, above), ts_vec3_dot(at, back));
    }
    double distance = fmax(nearest(&h), nearest(&v));
    if (!(distance > 0)) /* a box without size */
        distance = 1;
    ts_vec3 target =
        ts_vec3_add_scaled(ts_vec3_add_scaled(middle, right, centre(&h, distance)), above, centre(&v, distance));
    return (ts_eye){.position = ts_vec3_add_scaled(target, back, distance), .target = target, .up = up, .fov = fov};
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
