/* SPDX-License-Identifier: MIT */
#include "measure/solids.h"

#include <math.h>

#include "base/memory.h"
#include "measure/edges.h"
#include "model.h"
#include "shape/solid_mesh.h"

enum { SEGMENTS = 64, CORNERS_MOST = 12 };
/* Of a cut body's own volume, for surfaces of SEGMENTS corners; tests compare with integrals. */
static const double round_error = 1e-3;

static ts_pose3 pose_of(const ts_snapshot_body *body)
{
    const double *p = body->position, *q = body->attitude;
    return (ts_pose3){{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
}

/* What a mesh of the shape at scale 1 is multiplied by. */
static double scale_of(const ts_snapshot *snapshot, const ts_snapshot_body *body)
{
    return snapshot->shape[body->shape].piece ? body->scale : body->radius;
}

static bool is_ball(const ts_snapshot_shape *shape)
{
    return !shape->piece || (shape->piece_count == 1 && shape->piece->solid.kind == TS_SOLID_SPHERE);
}

/* ---- Surfaces ---- */

static ts_status add_mesh(ts_volumes *volumes, const ts_solid *solid, ts_pose3 pose, double scale, ts_error *error)
{
    ts_mesh **mesh = &volumes->mesh[volumes->count];
    TS_TRY(ts_solid_mesh(solid, SEGMENTS, mesh, error));
    volumes->count++;
    ts_mesh_move(*mesh, 1 / scale, (ts_pose3){ts_vec3_scale(pose.position, 1 / scale), pose.quat});
    return TS_OK;
}

static ts_status add_shape(ts_volumes *volumes, const ts_snapshot_shape *shape, bool *round, ts_error *error)
{
    static const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 1};
    *round = !shape->piece || shape->piece_count > 1;
    if (!shape->piece)
        return add_mesh(volumes, &ball, ts_pose3_identity(), 1, error);
    for (size_t k = 0; k < shape->piece_count; k++) {
        ts_solid_kind kind = shape->piece[k].solid.kind;
        *round = *round ||
                 !(kind == TS_SOLID_BOX || kind == TS_SOLID_HULL || kind == TS_SOLID_MESH || kind == TS_SOLID_SMOOTH);
        TS_TRY(add_mesh(volumes, &shape->piece[k].solid, shape->piece[k].pose, shape->piece_scale, error));
    }
    return TS_OK;
}

ts_status ts_volumes_make(const ts_snapshot *snapshot, ts_volumes *volumes, ts_error *error)
{
    size_t shapes = snapshot->shape_count, pieces = 0;
    *volumes = (ts_volumes){0};
    for (size_t i = 0; i < shapes; i++)
        pieces += snapshot->shape[i].piece ? snapshot->shape[i].piece_count : 1;
    volumes->mesh = ts_alloc(pieces + 1, sizeof(ts_mesh *));
    volumes->begin = ts_alloc(shapes + 1, sizeof *volumes->begin);
    volumes->round = ts_alloc(shapes + 1, sizeof *volumes->round);
    ts_status status = TS_OK;
    if (!volumes->mesh || !volumes->begin || !volumes->round)
        status = ts_fail_memory(error, pieces * sizeof(ts_mesh *));
    for (size_t i = 0; i < shapes && status == TS_OK; i++) {
        status = add_shape(volumes, &snapshot->shape[i], &volumes->round[i], error);
        volumes->begin[i + 1] = volumes->count;
    }
    if (status != TS_OK)
        ts_volumes_free(volumes);
    return status;
}

void ts_volumes_free(ts_volumes *volumes)
{
    for (size_t i = 0; volumes->mesh && i < volumes->count; i++)
        ts_mesh_free(volumes->mesh[i]);
    ts_free(volumes->mesh);
    ts_free(volumes->begin);
    ts_free(volumes->round);
    *volumes = (ts_volumes){0};
}

/* ---- One triangle ---- */

typedef struct polygon {
    double corner[CORNERS_MOST][3]; /* a triangle that six planes cut has at most nine */
    int count;
} polygon;

/* What lies where sign · (p[axis] − at) ≤ 0. */
static polygon cut(const polygon *p, int axis, double at, double sign)
{
    polygon kept = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        const double *a = p->corner[i], *b = p->corner[(i + 1) % p->count];
        double da = sign * (a[axis] - at), db = sign * (b[axis] - at);
        if (da <= 0)
            for (int k = 0, to = kept.count++; k < 3; k++)
                kept.corner[to][k] = a[k];
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            double t = da / (da - db);
            for (int k = 0, to = kept.count++; k < 3; k++)
                kept.corner[to][k] = k == axis ? at : a[k] + t * (b[k] - a[k]);
        }
    }
    return kept;
}

/* ∫ n_x dA and ∫ x n_x dA. */
static void integrate(const polygon *p, double *area, double *moment)
{
    *area = *moment = 0;
    for (int i = 1; i + 1 < p->count; i++) {
        const double *a = p->corner[0], *b = p->corner[i], *c = p->corner[i + 1];
        double part = 0.5 * ((b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]));
        *area += part;
        *moment += part * ((a[0] + b[0] + c[0]) / 3);
    }
}

static double triangle_volume(polygon p, const ts_region *box)
{
    const double low[3] = {box->x0, box->y0, box->z0}, high[3] = {box->x1, box->y1, box->z1};
    double area, moment, beyond;
    for (int axis = 1; axis < 3 && p.count > 0; axis++) {
        p = cut(&p, axis, high[axis], 1);
        p = cut(&p, axis, low[axis], -1);
    }
    p = cut(&p, 0, low[0], -1);
    if (p.count < 3)
        return 0;
    polygon far = cut(&p, 0, high[0], -1);
    p = cut(&p, 0, high[0], 1);
    integrate(&far, &beyond, &moment);
    integrate(&p, &area, &moment);
    return moment - low[0] * area + (high[0] - low[0]) * beyond;
}

/* Of a mesh in `pose`, about the body's centre, and all of it. */
static double mesh_volume(const ts_mesh *mesh, const ts_mat3 *turn, double scale, const ts_region *box, double *whole)
{
    double sum = 0;
    *whole = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        polygon p = {.count = 3};
        ts_vec3 v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = ts_mat3_apply(*turn, ts_vec3_scale(mesh->vertex[mesh->triangle[t][k]], scale));
            p.corner[k][0] = v[k].x;
            p.corner[k][1] = v[k].y;
            p.corner[k][2] = v[k].z;
        }
        *whole += ts_vec3_dot(v[0], ts_vec3_cross(v[1], v[2])) / 6;
        sum += triangle_volume(p, box);
    }
    return sum;
}

/* ---- Bodies ---- */

/* The part of a ball that one face of the box cuts off, or a negative number where more than one cuts it. */
static double ball_inside(const double centre[3], double r, const ts_region *box)
{
    double height = 2 * r; /* of the part that is inside, seen from the face that cuts */
    int cuts = 0;
    for (int k = 0; k < 3; k++) {
        double low = centre[k] + r - ts_region_low(box, k), high = ts_region_high(box, k) - (centre[k] - r);
        if (low <= 0 || high <= 0)
            return 0;
        cuts += (low < 2 * r) + (high < 2 * r);
        height = fmin(height, fmin(low, high));
    }
    return cuts > 1 ? -1 : TS_PI * height * height * (3 * r - height) / 3;
}

double ts_volumes_inside(const ts_snapshot *snapshot, const ts_volumes *volumes, size_t i, const ts_region *box,
                         double *error)
{
    const ts_snapshot_body *body = &snapshot->body[i];
    const double r = body->radius, *c = body->position;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        if (c[k] + r <= ts_region_low(box, k) || c[k] - r >= ts_region_high(box, k))
            return 0;
        inside = inside && c[k] - r >= ts_region_low(box, k) && c[k] + r <= ts_region_high(box, k);
    }
    if (inside)
        return body->volume;
    if (is_ball(&snapshot->shape[body->shape])) {
        double part = ball_inside(c, r, box);
        if (part >= 0)
            return part;
    }
    /* about the body's centre: nothing is lost to far away origins */
    const ts_region near = {box->x0 - c[0], box->y0 - c[1], box->x1 - c[0],
                            box->y1 - c[1], box->z0 - c[2], box->z1 - c[2]};
    ts_mat3 turn = ts_quat_to_matrix(pose_of(body).quat);
    double part = 0, all = 0;
    for (size_t k = volumes->begin[body->shape]; k < volumes->begin[body->shape + 1]; k++) {
        double whole;
        part += mesh_volume(volumes->mesh[k], &turn, scale_of(snapshot, body), &near, &whole);
        all += whole;
    }
    double share = all > 0 ? fmin(fmax(part / all, 0), 1) : 0;
    if (error && volumes->round[body->shape] && share > 0 && share < 1)
        *error += round_error * body->volume;
    return share * body->volume;
}

ts_region ts_body_region_space(const ts_snapshot *snapshot, size_t i)
{
    const ts_snapshot_body *body = &snapshot->body[i];
    const ts_snapshot_shape *shape = &snapshot->shape[body->shape];
    const ts_vec3 c = pose_of(body).position;
    const ts_pose3 turn = {{0, 0, 0}, pose_of(body).quat};
    double r = body->radius, scale = shape->piece ? body->scale / shape->piece_scale : 1;
    ts_box3 box = {{-r, -r, -r}, {r, r, r}};
    for (size_t k = 0; shape->piece && k < shape->piece_count; k++) {
        ts_box3 one = ts_solid_bounds(&shape->piece[k].solid, ts_pose3_compose(turn, shape->piece[k].pose));
        one = (ts_box3){ts_vec3_scale(one.low, scale), ts_vec3_scale(one.high, scale)};
        box.low = k ? ts_vec3_min(box.low, one.low) : one.low;
        box.high = k ? ts_vec3_max(box.high, one.high) : one.high;
    }
    return (ts_region){c.x + box.low.x,  c.y + box.low.y, c.x + box.high.x,
                       c.y + box.high.y, c.z + box.low.z, c.z + box.high.z};
}
