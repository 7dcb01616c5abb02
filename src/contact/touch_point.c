/* SPDX-License-Identifier: MIT */
#include "contact/touch_parts.h"
#include "manifold/settle.h"

/* Distance from a round core: |away| less a radius. A point on the core itself has no direction; `spare` serves. */
static ts_touch_near from_core(ts_vec3 away, double radius, ts_vec3 spare)
{
    double length = ts_vec3_length(away);
    ts_vec3 normal = length > 0 ? ts_vec3_scale(away, 1 / length) : spare;
    return (ts_touch_near){length - radius, normal, false};
}

static ts_touch_near near_box(ts_vec3 half, ts_vec3 p)
{
    const double x[3] = {p.x, p.y, p.z}, h[3] = {half.x, half.y, half.z};
    double out[3], depth = -HUGE_VAL;
    int deepest = 0;
    bool outside = false;
    for (int i = 0; i < 3; i++) {
        double over = fabs(x[i]) - h[i];
        if (over > depth) {
            depth = over;
            deepest = i;
        }
        outside |= over > 0;
        out[i] = over > 0 ? copysign(over, x[i]) : 0;
    }
    if (outside)
        return from_core((ts_vec3){out[0], out[1], out[2]}, 0, (ts_vec3){0, 0, 1});
    double n[3] = {0, 0, 0};
    n[deepest] = copysign(1, x[deepest]);
    return (ts_touch_near){depth, {n[0], n[1], n[2]}, false};
}

static ts_touch_near near_capsule(const ts_solid *s, ts_vec3 p)
{
    double z = fmin(fmax(p.z, -s->half_length), s->half_length);
    return from_core((ts_vec3){p.x, p.y, p.z - z}, s->radius, (ts_vec3){1, 0, 0});
}

static ts_touch_near near_cylinder(const ts_solid *s, ts_vec3 p)
{
    double rho = hypot(p.x, p.y), side = rho - s->radius, end = fabs(p.z) - s->half_length;
    ts_vec3 radial = rho > 0 ? (ts_vec3){p.x / rho, p.y / rho, 0} : (ts_vec3){1, 0, 0};
    ts_vec3 axial = {0, 0, copysign(1, p.z)};
    if (side <= 0 || end <= 0)
        return side > end ? (ts_touch_near){side, radial, false} : (ts_touch_near){end, axial, false};
    return from_core(ts_vec3_add(ts_vec3_scale(radial, side), ts_vec3_scale(axial, end)), 0, radial);
}

/* Whether a point of the plane of face f lies in the face. */
static bool over_face(const ts_hull *hull, size_t f, ts_vec3 p)
{
    for (int32_t k = hull->face_begin[f]; k < hull->face_begin[f + 1]; k++) {
        int32_t next = k + 1 < hull->face_begin[f + 1] ? k + 1 : hull->face_begin[f];
        ts_vec3 a = hull->vertex[hull->corner[k]], b = hull->vertex[hull->corner[next]];
        if (ts_vec3_dot(ts_vec3_cross(hull->normal[f], ts_vec3_sub(b, a)), ts_vec3_sub(p, a)) < 0)
            return false;
    }
    return true;
}

static ts_vec3 nearest_on_edge(ts_vec3 a, ts_vec3 b, ts_vec3 p)
{
    ts_vec3 d = ts_vec3_sub(b, a);
    double length = ts_vec3_dot(d, d), t = length > 0 ? ts_vec3_dot(ts_vec3_sub(p, a), d) / length : 0;
    return ts_vec3_lerp(a, b, fmin(fmax(t, 0), 1));
}

/* Inside: the nearest face's plane. Outside: below a face that faces the point, or on an edge. */
static ts_touch_near near_hull(const ts_hull *hull, ts_vec3 p)
{
    size_t best = 0;
    double most = -HUGE_VAL;
    for (size_t f = 0; f < hull->face_count; f++) {
        double d = ts_vec3_dot(hull->normal[f], p) - hull->offset[f];
        if (d > most) {
            most = d;
            best = f;
        }
    }
    /* the farthest plane is the distance from below, so a face that lies below the point cannot be bettered */
    if (most <= 0 || over_face(hull, best, p))
        return (ts_touch_near){most, hull->normal[best], false};
    double nearest = HUGE_VAL;
    ts_vec3 away = {0, 0, 0};
    for (size_t f = 0; f < hull->face_count; f++) {
        double d = ts_vec3_dot(hull->normal[f], p) - hull->offset[f];
        if (d > 0 && d * d < nearest && over_face(hull, f, p)) {
            nearest = d * d;
            away = ts_vec3_scale(hull->normal[f], d);
        }
    }
    for (size_t e = 0; e < hull->edge_count; e++) {
        ts_vec3 q = nearest_on_edge(hull->vertex[hull->edge[e][0]], hull->vertex[hull->edge[e][1]], p);
        ts_vec3 d = ts_vec3_sub(p, q);
        if (ts_vec3_dot(d, d) < nearest) {
            nearest = ts_vec3_dot(d, d);
            away = d;
        }
    }
    return from_core(away, 0, hull->normal[best]);
}

/* Outside of the grid the distance is a bound from below. */
static ts_touch_near near_mesh(const ts_mesh_field *field, ts_vec3 p)
{
    ts_field_answer answer = ts_mesh_field_at(field, p);
    double length = ts_vec3_length(answer.gradient);
    ts_vec3 up = {0, 0, 1};
    return (ts_touch_near){answer.distance, length > 0 ? ts_vec3_scale(answer.gradient, 1 / length) : up,
                           !answer.inside_grid};
}

static ts_touch_near near_smooth(const ts_solid *solid, ts_vec3 p)
{
    const ts_mat3 straight = ts_quat_to_matrix(ts_quat_identity());
    const ts_settle_body body = ts_settle_place(solid->smooth, solid->manifold, (ts_vec3){0, 0, 0}, straight);
    ts_touch_near near = {.bound = false};
    ts_settle_smooth(&body, 1, &p, &near.distance, &near.normal);
    return near;
}

ts_touch_near ts_touch_nearest(const ts_solid *solid, ts_vec3 p)
{
    switch (solid->kind) {
    case TS_SOLID_SPHERE:
        return from_core(p, solid->radius, (ts_vec3){0, 0, 1});
    case TS_SOLID_PLANE:
        return (ts_touch_near){p.z, {0, 0, 1}, false};
    case TS_SOLID_BOX:
        return near_box(solid->half, p);
    case TS_SOLID_CAPSULE:
        return near_capsule(solid, p);
    case TS_SOLID_CYLINDER:
        return near_cylinder(solid, p);
    case TS_SOLID_HULL:
        return near_hull(solid->hull, p);
    case TS_SOLID_MESH:
        return near_mesh(solid->field, p);
    case TS_SOLID_SMOOTH:
        return near_smooth(solid, p);
    case TS_SOLID_VESSEL:
    case TS_SOLID_KINDS:
        break;
    }
    return (ts_touch_near){HUGE_VAL, {0, 0, 1}, true};
}

ts_status ts_touch_sphere_sphere(const ts_touch_job *job)
{
    ts_touch_near near = from_core(ts_vec3_sub(job->at_b, job->at_a), job->a->radius, (ts_vec3){0, 0, 1});
    return ts_touch_emit(job, 0, near.distance - job->b->radius, near.normal,
                         ts_vec3_add_scaled(job->at_a, near.normal, job->a->radius));
}

ts_status ts_touch_sphere_any(const ts_touch_job *job)
{
    ts_touch_near near = ts_touch_nearest(job->b, ts_touch_local(job->at_b, job->turn_b, job->at_a));
    ts_vec3 normal = ts_vec3_neg(ts_mat3_apply(job->turn_b, near.normal));
    return ts_touch_emit(job, 0, near.distance - job->a->radius, normal,
                         ts_vec3_add_scaled(job->at_a, normal, job->a->radius));
}
