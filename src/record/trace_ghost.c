/* SPDX-License-Identifier: MIT */
/* Ghosts: walls of glass with thin lines along their edges.
 *
 * A ray crosses a convex ghost twice, on its way in and on its way out; a mesh or a capsule is met where it is entered, again and again.
 * Each crossing is a pane that covers some of what is behind it: the more, the flatter it is seen, and most at edges. */
#include "record/trace_work.h"

#include <math.h>

/* Where a ray goes in and out of a ghost. */
typedef struct crossing {
    double t[2];
} crossing;

static bool cut(crossing *c, double near, double far)
{
    c->t[0] = fmax(c->t[0], near);
    c->t[1] = fmin(c->t[1], far);
    return c->t[0] <= c->t[1];
}

static bool cut_slab(crossing *c, double o, double d, double low, double high)
{
    if (d == 0)
        return o >= low && o <= high;
    double a = (low - o) / d, b = (high - o) / d;
    return cut(c, fmin(a, b), fmax(a, b));
}

/* a t² + 2 b t + c ≤ 0 */
static bool cut_quadratic(crossing *c, double a, double b, double k)
{
    double inside = b * b - a * k;
    if (!(a > 0))
        return k <= 0;
    if (inside < 0)
        return false;
    double s = sqrt(inside);
    return cut(c, (-b - s) / a, (s - b) / a);
}

static bool cross_own(const ts_trace_ghost *ghost, ts_vec3 o, ts_vec3 d, crossing *c)
{
    double r = ghost->item.radius, h = ghost->item.half_length;
    ts_vec3 half = ghost->frame.half;
    switch (ghost->item.kind) {
    case TS_SOLID_PLANE:
        if (d.z == 0)
            return false;
        c->t[0] = c->t[1] = -o.z / d.z;
        return true;
    case TS_SOLID_BOX:
        return cut_slab(c, o.x, d.x, -half.x, half.x) && cut_slab(c, o.y, d.y, -half.y, half.y) &&
               cut_slab(c, o.z, d.z, -half.z, half.z);
    case TS_SOLID_CYLINDER:
    case TS_SOLID_VESSEL:
        return cut_slab(c, o.z, d.z, -h, h) &&
               cut_quadratic(c, d.x * d.x + d.y * d.y, d.x * o.x + d.y * o.y, o.x * o.x + o.y * o.y - r * r);
    case TS_SOLID_HULL:
        for (size_t f = 0; f < ghost->frame.hull->face_count; f++) {
            ts_vec3 n = ghost->frame.hull->normal[f];
            double speed = ts_vec3_dot(n, d),
                   room = ghost->frame.hull->offset[f] * ghost->frame.scale - ts_vec3_dot(n, o);
            if (speed == 0 ? room < 0
                           : !cut(c, speed < 0 ? room / speed : -HUGE_VAL, speed < 0 ? HUGE_VAL : room / speed))
                return false;
        }
        return true;
    default: /* sphere */
        return cut_quadratic(c, ts_vec3_dot(d, d), ts_vec3_dot(d, o), ts_vec3_dot(o, o) - r * r);
    }
}

/* Distance from a point of the surface to the nearest edge of it, and the normal. */
static double edge_distance(const ts_trace_scene *scene, const ts_trace_ghost *ghost, ts_vec3 p, ts_vec3 world,
                            ts_vec3 *n)
{
    double r = ghost->item.radius, h = ghost->item.half_length, away = HUGE_VAL;
    ts_vec3 half = ghost->frame.half;
    switch (ghost->item.kind) {
    case TS_SOLID_PLANE: {
        *n = (ts_vec3){0, 0, 1};
        ts_vec3 normal = ts_mat3_column(ghost->frame.turn, 2);
        const double low[3] = {world.x - scene->stage.low.x, world.y - scene->stage.low.y,
                               world.z - scene->stage.low.z};
        const double high[3] = {scene->stage.high.x - world.x, scene->stage.high.y - world.y,
                                scene->stage.high.z - world.z};
        const double part[3] = {normal.x, normal.y, normal.z};
        for (int k = 0; k < 3; k++) {
            double slope = sqrt(fmax(1 - part[k] * part[k], 0));
            if (slope > 1e-6)
                away = fmin(away, fmin(low[k], high[k]) / slope);
        }
        return away; /* below 0: not on the stage */
    }
    case TS_SOLID_BOX:
        *n = ts_trace_box_normal(p, half);
        if (n->x == 0)
            away = fmin(away, half.x - fabs(p.x));
        if (n->y == 0)
            away = fmin(away, half.y - fabs(p.y));
        if (n->z == 0)
            away = fmin(away, half.z - fabs(p.z));
        return fabs(away);
    case TS_SOLID_CYLINDER:
    case TS_SOLID_VESSEL:
        *n = ts_trace_cylinder_normal(p, r, h);
        return fabs(n->z == 0 ? h - fabs(p.z) : r - hypot(p.x, p.y));
    case TS_SOLID_HULL: {
        /* the two faces that are nearest: the second is the edge's other side */
        double first = HUGE_VAL;
        for (size_t f = 0; f < ghost->frame.hull->face_count; f++) {
            double d =
                fabs(ghost->frame.hull->offset[f] * ghost->frame.scale - ts_vec3_dot(ghost->frame.hull->normal[f], p));
            if (d < first) {
                away = first;
                first = d;
                *n = ghost->frame.hull->normal[f];
            } else {
                away = fmin(away, d);
            }
        }
        return away;
    }
    default:
        *n = ts_vec3_unit(p);
        return HUGE_VAL;
    }
}

/* How much a pane covers: a thin line at edges, more glass where it is seen from the side. */
static double cover_of(const ts_trace_scene *scene, ts_vec3 normal, ts_vec3 direction, double t, double away)
{
    double cosine = fmin(fabs(ts_vec3_dot(normal, direction)), 1), side = (1 - cosine) * (1 - cosine);
    double glass = 0.022 + 0.3 * side * side * (1 - cosine);
    double print = scene->pixel * t / fmax(cosine, 0.25); /* of a pixel */
    double line = 0.55 * fmin(fmax(1.3 - away / print, 0), 1);
    return fmax(glass, line);
}

typedef struct pane {
    double t, cover;
    const float *colour;
} pane;

#define PANES_MAX  32
#define LAYERS_MAX 4 /* of meshes */

/* The panes before a ray's end, far ones first. */
typedef struct panes {
    pane item[PANES_MAX];
    int count;
} panes;

static void add_pane(panes *p, pane new)
{
    if (p->count == PANES_MAX)
        return;
    int at = p->count++;
    for (; at > 0 && p->item[at - 1].t < new.t; at--)
        p->item[at] = p->item[at - 1];
    p->item[at] = new;
}

static void add_convex(const ts_trace_scene *scene, const ts_trace_ghost *ghost, ts_vec3 direction, double depth,
                       panes *p)
{
    ts_vec3 o = ts_mat3_apply_transposed(ghost->frame.turn, ts_vec3_sub(scene->eye, ghost->item.centre));
    ts_vec3 d = ts_mat3_apply_transposed(ghost->frame.turn, direction);
    crossing c = {{-HUGE_VAL, HUGE_VAL}};
    if (!cross_own(ghost, o, d, &c))
        return;
    for (int k = 0; k < (ghost->item.kind == TS_SOLID_PLANE ? 1 : 2); k++) {
        double t = c.t[k];
        /* what lies on it hides it */
        if (!(t > 0 && t < depth * (1 - 1e-7)))
            continue;
        ts_vec3 n = {0, 0, 1};
        double away =
            edge_distance(scene, ghost, ts_vec3_add_scaled(o, d, t), ts_vec3_add_scaled(scene->eye, direction, t), &n);
        if (away >= 0)
            add_pane(p, (pane){t, cover_of(scene, ts_mat3_apply(ghost->frame.turn, n), direction, t, away),
                               ghost->item.colour});
    }
}

/* Meshes and capsules, layer by layer: eight rays go on behind what they met. */
static void add_layers(const ts_trace_scene *scene, const ts_trace_packet *rays, const double depth[TS_LANES],
                       panes p[TS_LANES])
{
    ts_trace_packet packet = *rays;
    double from[TS_LANES] = {0};
    bool any = true;
    for (int layer = 0; layer < LAYERS_MAX && any; layer++) {
        for (int i = 0; i < TS_LANES; i++) {
            packet.far[i] = fmin(depth[i], 1e200) * (1 - 1e-7) - from[i];
            packet.ox[i] = rays->ox[i] + from[i] * rays->dx[i];
            packet.oy[i] = rays->oy[i] + from[i] * rays->dy[i];
            packet.oz[i] = rays->oz[i] + from[i] * rays->dz[i];
        }
        scene->kernel->closest(&scene->veil, &packet);
        any = false;
        for (int i = 0; i < TS_LANES; i++) {
            if (packet.item[i] < 0) {
                from[i] = HUGE_VAL;
                continue;
            }
            const ts_trace_item *item = &scene->veil.item[packet.item[i]];
            ts_vec3 direction = {packet.dx[i], packet.dy[i], packet.dz[i]};
            ts_trace_hit hit = {.point = ts_trace_along(&packet, i, packet.far[i])};
            ts_trace_find_normal(item, &scene->veil.frame[packet.item[i]], packet.part[i], &hit);
            double t = from[i] + packet.far[i];
            add_pane(&p[i], (pane){t, cover_of(scene, hit.normal, direction, t, HUGE_VAL), item->colour});
            from[i] = t + 1e-6 * (t + scene->size);
            any = true;
        }
        for (int i = 0; i < TS_LANES; i++)
            from[i] = isfinite(from[i]) ? from[i] : fmin(depth[i], 1e200);
    }
}

void ts_trace_find_veils(const ts_trace_scene *scene, const ts_trace_packet *rays, const double depth[TS_LANES],
                         ts_trace_veil veil[TS_LANES])
{
    panes all[TS_LANES];
    for (int i = 0; i < TS_LANES; i++) {
        all[i].count = 0;
        for (size_t g = 0; g < scene->ghost_count; g++)
            add_convex(scene, &scene->ghost[g], (ts_vec3){rays->dx[i], rays->dy[i], rays->dz[i]}, depth[i], &all[i]);
    }
    if (scene->veil.node)
        add_layers(scene, rays, depth, all);
    for (int i = 0; i < TS_LANES; i++) {
        veil[i] = (ts_trace_veil){{0}, 0};
        for (int j = 0; j < all[i].count; j++) {
            float cover = (float)all[i].item[j].cover;
            for (int k = 0; k < 3; k++)
                veil[i].colour[k] += cover * (all[i].item[j].colour[k] - veil[i].colour[k]);
            veil[i].cover += cover * (1 - veil[i].cover);
        }
    }
}

void ts_trace_lay_veil(const ts_trace_veil *veil, float colour[3])
{
    for (int k = 0; k < 3; k++)
        colour[k] = colour[k] * (1 - veil->cover) + veil->colour[k];
}
