/* SPDX-License-Identifier: MIT */
#include "record/stage3.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "record/springs3.h"
#include "record/trace.h"

/* Quantiles are taken of at most this many bodies, evenly picked. */
#define SAMPLE_MAX 4096
/* Beyond this share of the span of most bodies: flew away, not shown. */
#define NEAR_SHARE 0.3
/* How much of its size fixed bodies and walls may add to the box of the moving ones, on each side. */
#define REST_SHARE 0.5
/* Walls up to so many times as large as what moves are shown as a whole. */
#define WALL_MOST   10
#define VESSEL_MOST 4

/* ---- Boxes ---- */

static bool given(ts_box3 box)
{
    return box.low.x <= box.high.x && box.low.y <= box.high.y && box.low.z <= box.high.z &&
           ts_vec3_is_finite(box.low) && ts_vec3_is_finite(box.high);
}

static ts_box3 intersection(ts_box3 a, ts_box3 b)
{
    ts_box3 box = {ts_vec3_max(a.low, b.low), ts_vec3_min(a.high, b.high)};
    return given(box) ? box : ts_box3_none();
}

static ts_box3 grown(ts_box3 box, double by)
{
    ts_vec3 all = {by, by, by};
    return (ts_box3){ts_vec3_sub(box.low, all), ts_vec3_add(box.high, all)};
}

static bool holds(ts_box3 box, ts_vec3 p)
{
    return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y && p.z >= box.low.z &&
           p.z <= box.high.z;
}

static double span(ts_box3 box)
{
    ts_vec3 size = ts_vec3_sub(box.high, box.low);
    return fmax(size.x, fmax(size.y, size.z));
}

/* ---- Bodies ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool counts(const ts_trajectory_header *header, const ts_frame *frame, size_t i, bool fixed)
{
    return header->body[i].fixed == fixed && frame->body[i].present && ts_vec3_is_finite(frame->body[i].pose.position);
}

/* Where most of the bodies are, with room for those that are near them. `sample` has room for 3 · SAMPLE_MAX. */
static ts_box3 fence(const ts_trajectory_header *header, const ts_frame *frame, bool fixed, double *sample)
{
    double *at[3] = {sample, sample + SAMPLE_MAX, sample + 2 * SAMPLE_MAX}, low[3], high[3];
    size_t count = 0, seen = 0, total = 0;
    for (size_t i = 0; i < header->body_count; i++)
        total += counts(header, frame, i, fixed);
    size_t stride = total / SAMPLE_MAX + 1;
    for (size_t i = 0; i < header->body_count && count < SAMPLE_MAX; i++) {
        if (!counts(header, frame, i, fixed) || seen++ % stride != 0)
            continue;
        ts_vec3 p = frame->body[i].pose.position;
        at[0][count] = p.x;
        at[1][count] = p.y;
        at[2][count++] = p.z;
    }
    if (count == 0)
        return ts_box3_none();
    /* a few bodies have no outliers: two that fly apart are both the scene */
    size_t cut = count < 20 ? 0 : count < 50 ? 1 : count / 50;
    for (int k = 0; k < 3; k++) {
        qsort(at[k], count, sizeof *at[k], compare);
        low[k] = at[k][cut];
        high[k] = at[k][count - 1 - cut];
    }
    ts_box3 box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return cut == 0 ? box : grown(box, NEAR_SHARE * span(box));
}

/* The box of a body: of its pieces, but of meshes, which may have many vertices, the ball around it. */
static ts_box3 box_of_body(const ts_trajectory_header *header, const ts_frame *frame, size_t i)
{
    const ts_form3 *form = &header->form[header->body[i].form];
    ts_pose3 pose = frame->body[i].pose;
    ts_box3 ball = grown((ts_box3){pose.position, pose.position}, header->body[i].radius), box = ts_box3_none();
    for (size_t k = 0; k < form->piece_count; k++) {
        const ts_piece *piece = &header->piece[form->piece_begin + k];
        if (ts_solid_surface(&piece->solid))
            return ball;
        box = ts_box3_join(box, ts_solid_bounds(&piece->solid, ts_pose3_compose(pose, piece->pose)));
    }
    return given(box) ? box : ball;
}

/* The box of all bodies whose centre lies in the fence. */
static ts_box3 bounds(const ts_trajectory_header *header, const ts_frame *frame, bool fixed, ts_box3 within)
{
    ts_box3 box = ts_box3_none();
    for (size_t i = 0; i < header->body_count; i++) {
        if (counts(header, frame, i, fixed) && holds(within, frame->body[i].pose.position))
            box = ts_box3_join(box, box_of_body(header, frame, i));
    }
    return box;
}

/* ---- Walls ---- */

/* A plane's foot: where it is nearest to the box's middle. */
static ts_box3 with_plane(ts_box3 result, ts_box3 box, ts_pose3 pose)
{
    ts_vec3 middle = ts_vec3_lerp(box.low, box.high, 0.5), normal = ts_quat_apply(pose.quat, (ts_vec3){0, 0, 1});
    double distance = ts_vec3_dot(ts_vec3_sub(middle, pose.position), normal);
    ts_vec3 foot = ts_vec3_add_scaled(middle, normal, -distance);
    return holds(grown(box, REST_SHARE * span(box)), foot) ? ts_box3_join(result, (ts_box3){foot, foot}) : result;
}

/* One side of a vessel or a solid wall. */
static ts_box3 with_solid(ts_box3 result, ts_box3 box, const ts_solid *solid, ts_pose3 pose)
{
    bool vessel = solid->kind == TS_SOLID_VESSEL;
    ts_solid as = *solid;
    if (vessel)
        as.kind = TS_SOLID_CYLINDER; /* a vessel fills the world but for its inside */
    ts_box3 all = ts_solid_bounds(&as, pose);
    if (!given(all))
        return result;
    if (span(all) < (vessel ? VESSEL_MOST : WALL_MOST) * span(box))
        return ts_box3_join(result, all);
    return vessel ? result : ts_box3_join(result, intersection(all, grown(box, span(box))));
}

/* Ends the box at a plane that stands across an axis: bodies press into it a little, and turn. */
static void end_at(double normal, double at, double *low, double *high)
{
    if (normal > 0.999 && at < *high)
        *low = fmax(*low, at);
    if (normal < -0.999 && at > *low)
        *high = fmin(*high, at);
}

typedef ts_box3 wall_rule(ts_box3 result, ts_box3 box, const ts_solid *solid, ts_pose3 pose);

static ts_box3 widen_by(ts_box3 result, ts_box3 box, const ts_solid *solid, ts_pose3 pose)
{
    return solid->kind == TS_SOLID_PLANE ? with_plane(result, box, pose) : with_solid(result, box, solid, pose);
}

static ts_box3 end_by(ts_box3 result, ts_box3 box, const ts_solid *solid, ts_pose3 pose)
{
    (void)box;
    if (solid->kind != TS_SOLID_PLANE)
        return result;
    ts_vec3 n = ts_quat_apply(pose.quat, (ts_vec3){0, 0, 1}), p = pose.position;
    end_at(n.x, p.x, &result.low.x, &result.high.x);
    end_at(n.y, p.y, &result.low.y, &result.high.y);
    end_at(n.z, p.z, &result.low.z, &result.high.z);
    return result;
}

static ts_box3 for_walls(const ts_trajectory_header *header, const ts_frame *frame, ts_box3 box, wall_rule *rule)
{
    ts_box3 result = box;
    for (size_t i = 0; i < header->wall_count; i++) {
        const ts_trajectory_wall *wall = &header->wall[i];
        if (!frame->wall[i].present || !ts_vec3_is_finite(frame->wall[i].pose.position))
            continue;
        for (size_t k = 0; k < wall->piece_count; k++) {
            const ts_piece *piece = &header->piece[wall->piece_begin + k];
            result = rule(result, box, &piece->solid, ts_pose3_compose(frame->wall[i].pose, piece->pose));
        }
    }
    return result;
}

/* ---- Springs: to the ends that are not far from what they hold ---- */

static ts_box3 with_springs(const ts_trajectory_header *header, const ts_frame *frame, ts_box3 box)
{
    ts_box3 result = box, near = grown(box, WALL_MOST * 0.5 * span(box));
    for (size_t i = 0; i < header->spring_count; i++) {
        ts_vec3 end[2];
        for (int k = 0; ts_springs3_ends(header, frame, i, end) && k < 2; k++)
            if (holds(near, end[k]))
                result = ts_box3_join(result, (ts_box3){end[k], end[k]});
    }
    return result;
}

/* ---- All ---- */

/* A finite box of positive size. */
static ts_box3 mended(ts_box3 box)
{
    const ts_box3 unit = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    if (!given(box) || !isfinite(span(box)))
        return unit;
    /* a point, or so far from the origin that its size is lost in rounding */
    double far = fmax(ts_vec3_length(box.low), ts_vec3_length(box.high)), least = 1e-9 * far;
    if (!(span(box) > least))
        return far > 0 && isfinite(far) ? grown(box, least) : unit;
    return box;
}

ts_status ts_stage3_of(const ts_trajectory_header *header, const ts_frame *frame, ts_box3 *box, ts_error *error)
{
    double *sample;
    TS_TRY(ts_new_raw(&sample, (size_t)3 * SAMPLE_MAX, error));
    ts_box3 moving = bounds(header, frame, false, fence(header, frame, false, sample));
    ts_box3 fixed = bounds(header, frame, true, fence(header, frame, true, sample));
    ts_free(sample);
    ts_box3 all = given(moving) ? moving : fixed;
    if (given(moving) && given(fixed))
        all = ts_box3_join(moving, intersection(fixed, grown(moving, REST_SHARE * span(moving))));
    all = mended(for_walls(header, frame, with_springs(header, frame, mended(all)), widen_by));
    *box = mended(for_walls(header, frame, all, end_by));
    return TS_OK;
}

/* ---- What hides what ---- */

/* The share of the way from o to o + d at which it meets a triangle lies strictly between 0 and 1 (Möller and
 * Trumbore, 1997). */
static bool meets(ts_vec3 o, ts_vec3 d, ts_vec3 a, ts_vec3 b, ts_vec3 c)
{
    ts_vec3 ab = ts_vec3_sub(b, a), ac = ts_vec3_sub(c, a), p = ts_vec3_cross(d, ac), from = ts_vec3_sub(o, a);
    double det = ts_vec3_dot(ab, p), u = ts_vec3_dot(from, p) / det;
    ts_vec3 q = ts_vec3_cross(from, ab);
    double v = ts_vec3_dot(d, q) / det, t = ts_vec3_dot(ac, q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < 1; /* a NaN, when the triangle is seen from its edge, is no */
}

static bool slab(double o, double d, double low, double high, double t[2])
{
    if (d == 0)
        return o >= low && o <= high;
    double a = (low - o) / d, b = (high - o) / d;
    t[0] = fmax(t[0], fmin(a, b));
    t[1] = fmin(t[1], fmax(a, b));
    return t[0] < t[1];
}

bool ts_stage3_blocks(const ts_solid *solid, ts_pose3 pose, ts_vec3 eye, ts_vec3 point)
{
    if (solid->kind == TS_SOLID_PLANE || solid->kind == TS_SOLID_VESSEL)
        return false;
    /* in the solid's frame */
    ts_vec3 o = ts_pose3_apply_inverse(pose, eye), d = ts_vec3_sub(ts_pose3_apply_inverse(pose, point), o);
    double t[2] = {0, 1};
    ts_box3 box = ts_solid_bounds(solid, ts_pose3_identity());
    if (!slab(o.x, d.x, box.low.x, box.high.x, t) || !slab(o.y, d.y, box.low.y, box.high.y, t) ||
        !slab(o.z, d.z, box.low.z, box.high.z, t))
        return false;
    const ts_mesh *mesh = ts_solid_surface(solid);
    if (!mesh)
        return true;
    for (size_t k = 0; k < mesh->triangle_count; k++) {
        const int32_t *v = mesh->triangle[k];
        if (meets(o, d, mesh->vertex[v[0]], mesh->vertex[v[1]], mesh->vertex[v[2]]))
            return true;
    }
    return false;
}

/* ---- Which way pictures look ---- */

bool ts_stage3_has_gravity(const ts_trajectory_header *header)
{
    return header->gravity[0] != 0 || header->gravity[1] != 0 || header->gravity[2] != 0;
}

bool ts_stage3_has_camera(const ts_trajectory_header *header)
{
    const ts_camera *camera = &header->camera;
    return ts_vec3_distance(ts_stage3_vector(camera->position), ts_stage3_vector(camera->target)) > 0;
}

ts_vec3 ts_stage3_up(const ts_trajectory_header *header)
{
    ts_vec3 up = ts_stage3_has_gravity(header) ? ts_vec3_neg(ts_stage3_vector(header->gravity))
                                               : ts_stage3_vector(header->camera.up);
    up = ts_vec3_unit(up);
    return ts_vec3_length(up) > 0.5 ? up : (ts_vec3){0, 0, 1};
}

/* From z to `up` the short way. */
static ts_quat turn_to(ts_vec3 up)
{
    ts_vec3 z = {0, 0, 1}, axis = ts_vec3_cross(z, up);
    double sine = ts_vec3_length(axis), angle = atan2(sine, up.z);
    return sine > 1e-12 ? ts_quat_from_axis_angle(axis, angle)
                        : ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, up.z > 0 ? 0 : TS_PI);
}

ts_quat ts_stage3_turn(const ts_trajectory_header *header)
{
    return turn_to(ts_stage3_up(header));
}

ts_vec3 ts_stage3_side(const ts_trajectory_header *header)
{
    ts_eye usual = ts_camera_around((ts_box3){{-1, -1, -1}, {1, 1, 1}}, 1, TS_WHOLE_IMAGE);
    return ts_quat_apply(ts_stage3_turn(header), ts_vec3_sub(usual.position, usual.target));
}

ts_vec3 ts_stage3_camera_up(const ts_camera *camera)
{
    const ts_vec3 along =
        ts_vec3_unit(ts_vec3_sub(ts_stage3_vector(camera->target), ts_stage3_vector(camera->position)));
    return fabs(along.z) < 1 - 1e-9 ? (ts_vec3){0, 0, 1} : (ts_vec3){0, 1, 0};
}
