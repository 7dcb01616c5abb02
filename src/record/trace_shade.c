/* SPDX-License-Identifier: MIT */
/* From where a ray met something to a colour.
 *
 *     light = sun · max(0, n·s) · (sees the sun)  +  sky · ½(1 + n·up) · (share of the sky seen)  +  a little from below
 *
 * A surface square to the sun and open to the sky keeps the colour it was given. Floors are paper that takes shadows:
 * what lies in the light has one tone, and it fades into the background around the stage. */
#include "record/trace_work.h"

#include <math.h>

/* What comes back from below, of the sky's light. */
#define BOUNCE 0.42
/* Gloss: height of the highlight, and of the rim that reflects the sky. */
#define GLOSS 0.16
#define RIM   0.1

/* ---- Normals ---- */

ts_vec3 ts_trace_cylinder_normal(ts_vec3 p, double radius, double half_length)
{
    double rho = hypot(p.x, p.y);
    if (fabs(fabs(p.z) - half_length) < fabs(rho - radius) || !(rho > 0))
        return (ts_vec3){0, 0, p.z < 0 ? -1 : 1};
    return (ts_vec3){p.x / rho, p.y / rho, 0};
}

ts_vec3 ts_trace_box_normal(ts_vec3 p, ts_vec3 half)
{
    double x = fabs(p.x) / half.x, y = fabs(p.y) / half.y, z = fabs(p.z) / half.z;
    if (x >= y && x >= z)
        return (ts_vec3){p.x < 0 ? -1 : 1, 0, 0};
    return y >= z ? (ts_vec3){0, p.y < 0 ? -1 : 1, 0} : (ts_vec3){0, 0, p.z < 0 ? -1 : 1};
}

/* By the barycentric coordinates of p in triangle `part`. Rays start where the planes that the corners' normals stand
 * on say that a smooth surface would be, or coarse meshes would show their triangles at the border of light and shadow
 * (Hanika, 2021). */
static ts_vec3 mesh_normal(const ts_trace_mesh *mesh, int64_t part, ts_vec3 p, ts_vec3 *geometric, ts_vec3 *start)
{
    const ts_trace_triangle *t = &mesh->triangle[part];
    ts_vec3 n = ts_vec3_cross(t->edge1, t->edge2), s = ts_vec3_sub(p, t->corner);
    double nn = ts_vec3_dot(n, n);
    *geometric = ts_vec3_unit(n);
    *start = p;
    if (!(nn > 0))
        return *geometric;
    double u = ts_vec3_dot(ts_vec3_cross(s, t->edge2), n) / nn, v = ts_vec3_dot(ts_vec3_cross(t->edge1, s), n) / nn;
    const double w[3] = {1 - u - v, u, v};
    const ts_vec3 from[3] = {s, ts_vec3_sub(s, t->edge1), ts_vec3_sub(s, t->edge2)};
    ts_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const float *c = mesh->normal[part][k];
        ts_vec3 corner = {(double)c[0], (double)c[1], (double)c[2]};
        sum = ts_vec3_add_scaled(sum, corner, w[k]);
        *start = ts_vec3_add_scaled(*start, corner, w[k] * fmax(-ts_vec3_dot(from[k], corner), 0));
    }
    return ts_vec3_unit(sum);
}

void ts_trace_find_normal(const ts_trace_item *item, const ts_trace_frame *frame, int64_t part, ts_trace_hit *hit)
{
    ts_vec3 from = ts_vec3_sub(hit->point, item->centre);
    hit->start = hit->point;
    if (item->kind == TS_SOLID_SPHERE) {
        hit->normal = hit->geometric = ts_vec3_unit(from);
        return;
    }
    ts_vec3 p = ts_mat3_apply_transposed(frame->turn, from), n, geometric;
    switch (item->kind) {
    case TS_SOLID_BOX:
        n = geometric = ts_trace_box_normal(p, frame->half);
        break;
    case TS_SOLID_CAPSULE:
        p.z -= fmax(-item->half_length, fmin(p.z, item->half_length));
        n = geometric = ts_vec3_unit(p);
        break;
    case TS_SOLID_HULL:
        n = geometric = frame->hull->normal[part];
        break;
    case TS_SOLID_MESH:
        n = mesh_normal(frame->mesh, part, ts_vec3_scale(p, 1 / frame->scale), &geometric, &hit->start);
        hit->start = ts_vec3_add(ts_mat3_apply(frame->turn, ts_vec3_scale(hit->start, frame->scale)), item->centre);
        break;
    default:
        n = geometric = ts_trace_cylinder_normal(p, item->radius, item->half_length);
    }
    hit->normal = ts_mat3_apply(frame->turn, n);
    hit->geometric = ts_mat3_apply(frame->turn, geometric);
}

ts_trace_hit ts_trace_hit_of(const ts_trace_scene *scene, const ts_trace_packet *packet, int lane)
{
    ts_vec3 o = {packet->ox[lane], packet->oy[lane], packet->oz[lane]};
    ts_vec3 d = {packet->dx[lane], packet->dy[lane], packet->dz[lane]};
    ts_trace_hit hit = {.thing = TS_SEEN_NOTHING, .item = -1, .depth = HUGE_VAL};
    if (packet->item[lane] >= 0)
        hit.depth = packet->far[lane];
    const ts_trace_floor *floor = NULL;
    for (size_t i = 0; i < scene->floor_count; i++) {
        const ts_trace_floor *f = &scene->floor[i];
        double sink = -ts_vec3_dot(d, f->normal), t = ts_vec3_dot(ts_vec3_sub(o, f->point), f->normal) / sink;
        if (sink > 1e-9 && t > 0 && t < hit.depth) {
            hit.depth = t;
            floor = f;
        }
    }
    if (floor) {
        hit.thing = floor->thing;
        hit.item = -2 - (int32_t)(floor - scene->floor);
        hit.normal = hit.geometric = floor->normal;
        hit.point = hit.start = ts_trace_along(packet, lane, hit.depth);
    } else if (packet->item[lane] >= 0) {
        const ts_trace_item *item = &scene->world.item[packet->item[lane]];
        hit.thing = item->thing;
        hit.item = (int32_t)packet->item[lane];
        hit.point = ts_trace_along(packet, lane, hit.depth);
        ts_trace_find_normal(item, &scene->world.frame[hit.item], packet->part[lane], &hit);
    }
    return hit;
}

/* ---- Colours ---- */

static double clamp01(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static double smooth(double t)
{
    t = clamp01(t);
    return t * t * (3 - 2 * t);
}

double ts_trace_print(const ts_trace_scene *scene, double t, ts_vec3 direction, ts_vec3 normal, ts_vec3 across)
{
    double cosine = fmax(fabs(ts_vec3_dot(direction, normal)), 1e-6), side = ts_vec3_dot(direction, across);
    double share = fmin(side * side / fmax(1 - cosine * cosine, 1e-12), 1);
    return scene->pixel * t * sqrt(share / (cosine * cosine) + 1 - share);
}

/* How much of a pixel a line of the grid covers; lines are counted along `across`. */
static double grid_line(const ts_trace_scene *scene, const ts_trace_hit *hit, ts_vec3 direction, ts_vec3 across)
{
    double at = ts_vec3_dot(hit->point, across) / scene->grid, off = fabs(at - round(at)) * scene->grid;
    double print = ts_trace_print(scene, hit->depth, direction, hit->normal, across);
    double crowded = scene->grid / (12 * print); /* lines that would touch fade away */
    return clamp01(1.1 - off / print) * smooth(crowded - 0.2);
}

static void floor_colour(const ts_trace_scene *scene, const ts_trace_hit *hit, ts_vec3 direction, double sun,
                         double sky, float colour[3])
{
    const ts_trace_floor *floor = &scene->floor[-2 - hit->item];
    double full = fmax(ts_vec3_dot(hit->normal, scene->sun), 0);
    double light =
        (scene->sun_light * sun * full + scene->sky_light * sky) / (scene->sun_light * full + scene->sky_light);
    double away = ts_vec3_distance(hit->point, scene->middle) / scene->size;
    double here = 1 - smooth((away - 1.3) / 2.2), line = 0;
    if (scene->grid > 0)
        line = fmax(grid_line(scene, hit, direction, floor->along), grid_line(scene, hit, direction, floor->across));
    for (int k = 0; k < 3; k++) {
        double own = (double)floor->colour[k] + ((double)scene->line[k] - (double)floor->colour[k]) * line;
        /* shadows are a little blue: the sky lights them */
        double tint = k == 2 ? 0.05 : k == 0 ? -0.02 : 0;
        own *= light + tint * (1 - light);
        colour[k] = (float)((double)scene->paper[k] + (own - (double)scene->paper[k]) * here);
    }
}

/* What is brighter than paper bends towards white instead of being cut. */
static double shoulder(double x)
{
    const double knee = 0.75, room = 1 - knee;
    return x < knee ? x : knee + room * (x - knee) / (x - knee + room);
}

static double power5(double x)
{
    return x * x * x * x * x;
}

void ts_trace_colour(const ts_trace_scene *scene, const ts_trace_hit *hit, ts_vec3 direction, double sun, double sky,
                     float colour[3])
{
    if (hit->thing == TS_SEEN_NOTHING) {
        for (int k = 0; k < 3; k++)
            colour[k] = scene->paper[k];
        return;
    }
    if (hit->item < -1) {
        floor_colour(scene, hit, direction, sun, sky, colour);
        return;
    }
    static const double sun_tint[3] = {1.04, 1.0, 0.93}, sky_tint[3] = {0.93, 0.99, 1.1};
    const float *own = scene->world.item[hit->item].colour;
    ts_vec3 n = hit->normal;
    double facing = fmax(ts_vec3_dot(n, scene->sun), 0) * sun, above = 0.5 + 0.5 * ts_vec3_dot(n, scene->up);
    double open = sky * above + BOUNCE * (0.35 + 0.65 * sky) * (1 - above);
    /* the highlight: n against the middle between eye and sun, to the 64th power */
    double shine = fmax(ts_vec3_dot(n, ts_vec3_unit(ts_vec3_sub(scene->sun, direction))), 0);
    for (int k = 0; k < 6; k++)
        shine *= shine;
    double cosine = clamp01(-ts_vec3_dot(n, direction));
    double gloss =
        GLOSS * shine * (facing > 0 ? sun : 0) * scene->sun_light + RIM * power5(1 - cosine) * open * scene->sky_light;
    for (int k = 0; k < 3; k++) {
        double light = scene->sun_light * facing * sun_tint[k] + scene->sky_light * open * sky_tint[k];
        colour[k] = (float)shoulder((double)own[k] * light + gloss);
    }
}
