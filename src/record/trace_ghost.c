/* SPDX-License-Identifier: MIT */
/* Ghosts: walls of glass with thin lines along their edges.
 *
 * A ray crosses a convex ghost twice, on its way in and on its way out; a mesh or a capsule is met where it is entered,
 * again and again. Each crossing is a pane that covers some of what is behind it: the more, the flatter it is seen, and
 * most at edges. */
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

/* A point of the surface: its normal, how far the nearest edge is, and where. */
typedef struct place {
    ts_vec3 normal, across; /* own frame; across: unit, square to the edge */
    double away;            /* below 0: not part of it */
} place;

static void try_edge(place *p, double away, ts_vec3 across)
{
    if (away < p->away) {
        p->away = away;
        p->across = across;
    }
}

/* A plane ends at the walls of the stage. */
static place place_on_plane(const ts_trace_scene *scene, const ts_mat3 *turn, ts_vec3 world)
{
    place p = {.normal = {0, 0, 1}, .across = {1, 0, 0}, .away = HUGE_VAL};
    ts_vec3 normal = ts_mat3_column(*turn, 2), low = ts_vec3_sub(world, scene->stage.low),
            high = ts_vec3_sub(scene->stage.high, world);
    const double part[3] = {normal.x, normal.y, normal.z};
    const double room[3] = {fmin(low.x, high.x), fmin(low.y, high.y), fmin(low.z, high.z)};
    for (int k = 0; k < 3; k++) {
        double slope = sqrt(fmax(1 - part[k] * part[k], 0));
        if (slope < 1e-6)
            continue;
        /* the wall's normal, laid into the plane */
        ts_vec3 own = ts_mat3_row(*turn, k);
        own.z = 0;
        try_edge(&p, room[k] / slope, ts_vec3_unit(own));
    }
    return p;
}

static place place_on_hull(const ts_hull *hull, double scale, ts_vec3 at)
{
    /* the face that it is on, then the nearest of the others, along this face */
    size_t on = 0;
    double least = HUGE_VAL;
    for (size_t f = 0; f < hull->face_count; f++) {
        double d = fabs(hull->offset[f] * scale - ts_vec3_dot(hull->normal[f], at));
        if (d < least) {
            least = d;
            on = f;
        }
    }
    place p = {.normal = hull->normal[on], .across = {1, 0, 0}, .away = HUGE_VAL};
    for (size_t f = 0; f < hull->face_count; f++) {
        double along = ts_vec3_dot(hull->normal[f], p.normal), slope = sqrt(fmax(1 - along * along, 0));
        if (f == on || slope < 1e-6)
            continue;
        double room = fmax(hull->offset[f] * scale - ts_vec3_dot(hull->normal[f], at), 0);
        try_edge(&p, room / slope, ts_vec3_unit(ts_vec3_add_scaled(hull->normal[f], p.normal, -along)));
    }
    return p;
}

static place place_on(const ts_trace_scene *scene, const ts_trace_ghost *ghost, ts_vec3 at, ts_vec3 world)
{
    double r = ghost->item.radius, h = ghost->item.half_length, rho = hypot(at.x, at.y);
    ts_vec3 half = ghost->frame.half;
    place p = {.normal = {0, 0, 1}, .across = {1, 0, 0}, .away = HUGE_VAL};
    switch (ghost->item.kind) {
    case TS_SOLID_PLANE:
        return place_on_plane(scene, &ghost->frame.turn, world);
    case TS_SOLID_BOX:
        p.normal = ts_trace_box_normal(at, half);
        if (p.normal.x == 0)
            try_edge(&p, fmax(half.x - fabs(at.x), 0), (ts_vec3){1, 0, 0});
        if (p.normal.y == 0)
            try_edge(&p, fmax(half.y - fabs(at.y), 0), (ts_vec3){0, 1, 0});
        if (p.normal.z == 0)
            try_edge(&p, fmax(half.z - fabs(at.z), 0), (ts_vec3){0, 0, 1});
        return p;
    case TS_SOLID_CYLINDER:
    case TS_SOLID_VESSEL:
        p.normal = ts_trace_cylinder_normal(at, r, h);
        if (p.normal.z == 0)
            try_edge(&p, fmax(h - fabs(at.z), 0), (ts_vec3){0, 0, 1});
        else if (rho > 0)
            try_edge(&p, fmax(r - rho, 0), (ts_vec3){at.x / rho, at.y / rho, 0});
        return p;
    case TS_SOLID_HULL:
        return place_on_hull(ghost->frame.hull, ghost->frame.scale, at);
    default:
        p.normal = ts_vec3_unit(at);
        return p;
    }
}

/* Glass: more of it where it is seen from the side. */
static double glass_of(const ts_trace_item *item, ts_vec3 normal, ts_vec3 direction)
{
    double cosine = fmin(fabs(ts_vec3_dot(normal, direction)), 1), side = (1 - cosine) * (1 - cosine);
    if (item->flags & TS_THING_TINTED) /* of a mesh both sides are seen */
        return (item->kind == TS_SOLID_MESH ? 0.08 : 0.2) + 0.5 * side * (1 - cosine);
    return 0.022 + 0.3 * side * side * (1 - cosine);
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
        place at = place_on(scene, ghost, ts_vec3_add_scaled(o, d, t), ts_vec3_add_scaled(scene->eye, direction, t));
        if (at.away < 0)
            continue;
        double line = 0.6 * fmin(fmax(1.05 - at.away / ts_trace_print(scene, t, d, at.normal, at.across), 0), 1);
        add_pane(p, (pane){t, fmax(glass_of(&ghost->item, at.normal, d), line), ghost->item.colour});
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
            add_pane(&p[i], (pane){t, glass_of(item, hit.normal, direction), item->colour});
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
