/* SPDX-License-Identifier: MIT */
#include "contact/touch.h"

#include "contact/touch_parts.h"

/* ---- Which function answers for which two kinds ---- */

typedef struct row_entry {
    ts_touch_pair *pair; /* NULL: the two never touch */
    bool turned;         /* it wants the column's solid first */
} row_entry;

/* clang-format off */
#define NONE    {NULL, false}
#define IS(f)   {ts_touch_##f, false}
#define TURN(f) {ts_touch_##f, true}

/* Rows and columns in the order of ts_solid_kind. */
static const row_entry table[TS_SOLID_KINDS][TS_SOLID_KINDS] = {
    /*             sphere               plane                 box                      capsule                  cylinder                  vessel                 hull                     mesh                 smooth */
    /* sphere   */ {IS(sphere_sphere),  IS(sphere_any),       IS(sphere_any),          IS(sphere_any),          IS(sphere_any),           TURN(vessel_sphere),   IS(sphere_any),          IS(sphere_mesh),     IS(sphere_smooth)},
    /* plane    */ {TURN(sphere_any),   NONE,                 IS(plane_box),           IS(plane_capsule),       IS(plane_cylinder),       NONE,                  IS(plane_hull),          IS(plane_mesh),      IS(plane_smooth)},
    /* box      */ {TURN(sphere_any),   TURN(plane_box),      IS(box_box),             IS(round),               IS(round),                TURN(vessel_box),      IS(hulls),               IS(convex_mesh),     IS(polyhedron_smooth)},
    /* capsule  */ {TURN(sphere_any),   TURN(plane_capsule),  TURN(round),             IS(round),               IS(round),                TURN(vessel_capsule),  IS(round),               IS(convex_mesh),     IS(capsule_smooth)},
    /* cylinder */ {TURN(sphere_any),   TURN(plane_cylinder), TURN(round),             TURN(round),             IS(round),                TURN(vessel_cylinder), IS(round),               IS(convex_mesh),     IS(cylinder_smooth)},
    /* vessel   */ {IS(vessel_sphere),  NONE,                 IS(vessel_box),          IS(vessel_capsule),      IS(vessel_cylinder),      NONE,                  IS(vessel_hull),         IS(vessel_mesh),     IS(vessel_smooth)},
    /* hull     */ {TURN(sphere_any),   TURN(plane_hull),     TURN(hulls),             TURN(round),             TURN(round),              TURN(vessel_hull),     IS(hulls),               IS(convex_mesh),     IS(polyhedron_smooth)},
    /* mesh     */ {TURN(sphere_mesh),  TURN(plane_mesh),     TURN(convex_mesh),       TURN(convex_mesh),       TURN(convex_mesh),        TURN(vessel_mesh),     TURN(convex_mesh),       IS(mesh_mesh),       IS(mesh_smooth)},
    /* smooth   */ {TURN(sphere_smooth), TURN(plane_smooth),  TURN(polyhedron_smooth), TURN(capsule_smooth),    TURN(cylinder_smooth),    TURN(vessel_smooth),   TURN(polyhedron_smooth), TURN(mesh_smooth),   IS(smooth_smooth)},
};
/* clang-format on */

/* ---- Which of two equal kinds comes first ---- */

/* What orders two solids of a kind, from what they are and not from where they lie in memory. */
static int compare_solids(const ts_solid *a, const ts_solid *b)
{
    const double x[] = {a->radius,
                        a->half_length,
                        a->half.x,
                        a->half.y,
                        a->half.z,
                        a->hull ? (double)a->hull->vertex_count : 0,
                        a->mesh ? (double)a->mesh->vertex_count : 0,
                        a->smooth ? (double)a->smooth->mesh->vertex_count : 0,
                        a->smooth ? a->smooth->surface : 0};
    const double y[] = {b->radius,
                        b->half_length,
                        b->half.x,
                        b->half.y,
                        b->half.z,
                        b->hull ? (double)b->hull->vertex_count : 0,
                        b->mesh ? (double)b->mesh->vertex_count : 0,
                        b->smooth ? (double)b->smooth->mesh->vertex_count : 0,
                        b->smooth ? b->smooth->surface : 0};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* A function for two solids of one kind is given them in an order that does not depend on which is called A, so that
 * swapping them changes no bit and no feature. Twins are told apart by where they stand along an odd direction: one
 * that no scene is built along, so that the order does not flicker when two things stand exactly above or beside each
 * other. */
static bool out_of_order(ts_placed_solid a, ts_placed_solid b)
{
    int by_solid = compare_solids(a.solid, b.solid);
    if (by_solid != 0)
        return by_solid > 0;
    const ts_vec3 odd = {0.3819660112501051, 0.2451223337533073, 0.8911007413364871};
    double ahead = ts_vec3_dot(ts_vec3_sub(b.pose.position, a.pose.position), odd);
    if (ahead != 0)
        return ahead < 0;
    ts_quat p = a.pose.quat, q = b.pose.quat;
    const double x[] = {p.w, p.x, p.y, p.z}, y[] = {q.w, q.x, q.y, q.z};
    for (int i = 0; i < 4; i++)
        if (x[i] != y[i])
            return x[i] > y[i];
    return false;
}

/* ---- Public ---- */

ts_status ts_touch_emit(const ts_touch_job *job, uint32_t feature, double gap, ts_vec3 normal, ts_vec3 point_a)
{
    if (!(gap <= job->reach))
        return TS_OK;
    ts_touch touch = {gap, normal, point_a, ts_vec3_add_scaled(point_a, normal, gap), feature, 1, 1};
    return ts_array_push(job->to, touch, job->error);
}

static bool is_placed(ts_placed_solid p)
{
    ts_vec3 x = p.pose.position;
    ts_quat q = p.pose.quat;
    return isfinite(x.x + x.y + x.z + q.w + q.x + q.y + q.z);
}

ts_status ts_touch_find(ts_placed_solid a, ts_placed_solid b, double reach, ts_touch_array *to, ts_error *error)
{
    if (!ts_touch_known(a.solid->kind, b.solid->kind))
        return ts_fail(error, TS_UNSUPPORTED,
                       "no contacts are known between solids of kinds %d and %d; make one of them a sphere",
                       (int)a.solid->kind, (int)b.solid->kind);
    if (!is_placed(a) || !is_placed(b) || !(reach >= 0) || !isfinite(reach))
        return ts_fail(error, TS_BAD_INPUT,
                       "the pose of a solid, or the reach of a search for contacts, is not finite; use a shorter step");

    row_entry entry = table[a.solid->kind][b.solid->kind];
    bool turned = a.solid->kind == b.solid->kind ? out_of_order(a, b) : entry.turned;
    const ts_placed_solid *first = turned ? &b : &a, *second = turned ? &a : &b;
    ts_touch_job job = {first->solid,
                        second->solid,
                        first->pose.position,
                        second->pose.position,
                        ts_quat_to_matrix(first->pose.quat),
                        ts_quat_to_matrix(second->pose.quat),
                        reach,
                        to,
                        error};
    size_t begin = to->count;
    TS_TRY(entry.pair(&job));
    for (size_t i = begin; turned && i < to->count; i++) {
        ts_touch *t = &to->item[i];
        ts_vec3 point = t->point_a;
        t->point_a = t->point_b;
        t->point_b = point;
        t->normal = ts_vec3_neg(t->normal);
    }
    return TS_OK;
}

bool ts_touch_known(ts_solid_kind a, ts_solid_kind b)
{
    return (unsigned)a < TS_SOLID_KINDS && (unsigned)b < TS_SOLID_KINDS && table[a][b].pair != NULL;
}
