/* SPDX-License-Identifier: MIT */
#include "shape/solid.h"

const char *ts_solid_name(ts_solid_kind kind)
{
    static const char *const name[TS_SOLID_KINDS] = {
        [TS_SOLID_SPHERE] = "sphere",   [TS_SOLID_PLANE] = "plane",       [TS_SOLID_BOX] = "box",
        [TS_SOLID_CAPSULE] = "capsule", [TS_SOLID_CYLINDER] = "cylinder", [TS_SOLID_VESSEL] = "vessel",
        [TS_SOLID_HULL] = "hull",       [TS_SOLID_MESH] = "mesh",         [TS_SOLID_SMOOTH] = "smooth",
    };
    return (unsigned)kind < TS_SOLID_KINDS ? name[kind] : "unknown";
}

static double farthest(const ts_vec3 *point, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, ts_vec3_length_squared(point[i]));
    return sqrt(most);
}

/* How far the surface of a smooth body may lie outside of its mesh: in the middle of a triangle by a third more than in
 * the middle of an edge, if it is round. */
static double bulge_of(const ts_sdf_body *body)
{
    return 1.5 * body->off;
}

static double radius_of_smooth(const ts_sdf_body *body)
{
    const ts_box3 box = ts_sdf_bounds(body->sdf);
    const ts_vec3 corner = ts_vec3_max(box.high, ts_vec3_neg(box.low));
    return fmin(ts_vec3_length(corner), farthest(body->mesh->vertex, body->mesh->vertex_count) + bulge_of(body));
}

double ts_solid_radius(const ts_solid *solid)
{
    switch (solid->kind) {
    case TS_SOLID_SPHERE:
        return solid->radius;
    case TS_SOLID_BOX:
        return ts_vec3_length(solid->half);
    case TS_SOLID_CAPSULE:
        return solid->radius + solid->half_length;
    case TS_SOLID_CYLINDER:
        return hypot(solid->radius, solid->half_length);
    case TS_SOLID_HULL:
        return farthest(solid->hull->vertex, solid->hull->vertex_count);
    case TS_SOLID_MESH:
        return farthest(solid->mesh->vertex, solid->mesh->vertex_count);
    case TS_SOLID_SMOOTH:
        return radius_of_smooth(solid->smooth);
    default:
        return HUGE_VAL;
    }
}

/* Around points as they stand in the pose. */
static ts_box3 box_of_points(const ts_vec3 *point, size_t count, ts_mat3 turn, ts_vec3 position)
{
    ts_box3 box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < count; i++) {
        ts_vec3 p = ts_mat3_apply(turn, point[i]);
        box.low = ts_vec3_min(box.low, p);
        box.high = ts_vec3_max(box.high, p);
    }
    return (ts_box3){ts_vec3_add(box.low, position), ts_vec3_add(box.high, position)};
}

/* Around the mesh and what bulges out of it, but not beyond the box around the primitives. */
static ts_box3 box_of_smooth(const ts_sdf_body *body, ts_mat3 turn, ts_vec3 position)
{
    const ts_box3 own = ts_sdf_bounds(body->sdf);
    const double bulge = bulge_of(body);
    ts_vec3 corner[8];
    for (int i = 0; i < 8; i++)
        corner[i] =
            (ts_vec3){i & 1 ? own.high.x : own.low.x, i & 2 ? own.high.y : own.low.y, i & 4 ? own.high.z : own.low.z};
    const ts_box3 outer = box_of_points(corner, 8, turn, position),
                  inner = box_of_points(body->mesh->vertex, body->mesh->vertex_count, turn, position);
    return (ts_box3){ts_vec3_max(outer.low, ts_vec3_sub(inner.low, (ts_vec3){bulge, bulge, bulge})),
                     ts_vec3_min(outer.high, ts_vec3_add(inner.high, (ts_vec3){bulge, bulge, bulge}))};
}

/* A half-space has an end only along an axis that its normal lies on exactly. */
static ts_box3 box_of_plane(ts_vec3 normal, ts_vec3 position)
{
    ts_box3 box = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    const double n[3] = {normal.x, normal.y, normal.z}, p[3] = {position.x, position.y, position.z};
    double *const low[3] = {&box.low.x, &box.low.y, &box.low.z};
    double *const high[3] = {&box.high.x, &box.high.y, &box.high.z};
    for (int i = 0; i < 3; i++)
        if (n[(i + 1) % 3] == 0 && n[(i + 2) % 3] == 0)
            *(n[i] > 0 ? high[i] : low[i]) = p[i];
    return box;
}

/* How far it reaches from its origin along each axis of the world, both ways; row i of `turn` is axis i in its own
 * frame. */
static ts_vec3 reach_of(const ts_solid *solid, const ts_mat3 *turn)
{
    double reach[3], r = solid->radius, h = solid->half_length;
    for (int i = 0; i < 3; i++) {
        const double *u = turn->m[i];
        switch (solid->kind) {
        case TS_SOLID_SPHERE:
            reach[i] = r;
            break;
        case TS_SOLID_BOX:
            reach[i] = fabs(u[0]) * solid->half.x + fabs(u[1]) * solid->half.y + fabs(u[2]) * solid->half.z;
            break;
        case TS_SOLID_CAPSULE:
            reach[i] = fabs(u[2]) * h + r;
            break;
        case TS_SOLID_CYLINDER:
            reach[i] = fabs(u[2]) * h + sqrt(u[0] * u[0] + u[1] * u[1]) * r;
            break;
        default: /* a vessel is all around */
            reach[i] = HUGE_VAL;
        }
    }
    return (ts_vec3){reach[0], reach[1], reach[2]};
}

ts_box3 ts_solid_bounds(const ts_solid *solid, ts_pose3 pose)
{
    ts_mat3 turn = ts_quat_to_matrix(pose.quat);
    if (solid->kind == TS_SOLID_PLANE)
        return box_of_plane(ts_mat3_column(turn, 2), pose.position);
    if (solid->kind == TS_SOLID_HULL)
        return box_of_points(solid->hull->vertex, solid->hull->vertex_count, turn, pose.position);
    if (solid->kind == TS_SOLID_MESH)
        return box_of_points(solid->mesh->vertex, solid->mesh->vertex_count, turn, pose.position);
    if (solid->kind == TS_SOLID_SMOOTH)
        return box_of_smooth(solid->smooth, turn, pose.position);
    ts_vec3 reach = reach_of(solid, &turn);
    return (ts_box3){ts_vec3_sub(pose.position, reach), ts_vec3_add(pose.position, reach)};
}
