/* SPDX-License-Identifier: MIT */
#include "contact/place.h"

ts_place2 ts_discs_place(const ts_frame2 *a, const ts_frame2 *b)
{
    const double dx = b->x - a->x, dy = b->y - a->y, distance = sqrt(dx * dx + dy * dy);
    ts_place2 p = {distance - (a->radius + b->radius), {1, 0}, {0, 0}};
    if (distance > 0) {
        p.normal[0] = dx / distance;
        p.normal[1] = dy / distance;
    }
    const double along = a->radius + 0.5 * p.gap;
    p.point[0] = a->x + along * p.normal[0];
    p.point[1] = a->y + along * p.normal[1];
    return p;
}

/* Adjoint of d where n = d / |d| and `length` = |d| have these. */
static void way_bar(const double n[2], const double n_bar[2], double length, double length_bar, double to[2])
{
    const double along = n[0] * n_bar[0] + n[1] * n_bar[1], over = length > 0 ? 1 / length : 0;
    for (int i = 0; i < 2; i++)
        to[i] = length_bar * n[i] + over * (n_bar[i] - along * n[i]);
}

/* gap = |d| − rₐ − r_b,  point = a + (rₐ + ½ gap) n */
void ts_discs_place_vjp(const ts_frame2 *a, const ts_frame2 *b, const ts_place2 *bar, ts_frame2_bar *to_a,
                        ts_frame2_bar *to_b)
{
    const ts_place2 p = ts_discs_place(a, b);
    const double along = a->radius + 0.5 * p.gap,
                 gap_bar = bar->gap + 0.5 * (bar->point[0] * p.normal[0] + bar->point[1] * p.normal[1]);
    const double n_bar[2] = {bar->normal[0] + along * bar->point[0], bar->normal[1] + along * bar->point[1]};
    double d_bar[2];
    way_bar(p.normal, n_bar, p.gap + a->radius + b->radius, gap_bar, d_bar);
    to_a->x += bar->point[0] - d_bar[0];
    to_a->y += bar->point[1] - d_bar[1];
    to_b->x += d_bar[0];
    to_b->y += d_bar[1];
}

ts_place2 ts_wall_place(const ts_wall_frame *wall, const ts_frame2 *b)
{
    ts_place2 p;
    p.gap = ts_wall_gap(wall, b->x - wall->frame.x, b->y - wall->frame.y, b->radius, &p.normal[0], &p.normal[1]);
    p.point[0] = b->x - (b->radius + 0.5 * p.gap) * p.normal[0];
    p.point[1] = b->y - (b->radius + 0.5 * p.gap) * p.normal[1];
    return p;
}

/* Of both: point = b − (r + ½ gap) n. */
static double point_bar(const ts_place2 *p, double radius, const ts_place2 *bar, double n_bar[2], double b_bar[2])
{
    for (int i = 0; i < 2; i++) {
        n_bar[i] = bar->normal[i] - (radius + 0.5 * p->gap) * bar->point[i];
        b_bar[i] = bar->point[i];
    }
    return bar->gap - 0.5 * (bar->point[0] * p->normal[0] + bar->point[1] * p->normal[1]);
}

/* gap = n·d − r, with n turned by the wall's angle */
static void half_plane_vjp(const ts_wall_frame *wall, const ts_frame2 *b, const ts_place2 *bar, ts_frame2_bar *to_wall,
                           ts_frame2_bar *to_b)
{
    const ts_place2 p = ts_wall_place(wall, b);
    const double d[2] = {b->x - wall->frame.x, b->y - wall->frame.y}, *n = p.normal;
    double n_bar[2], b_bar[2];
    const double gap_bar = point_bar(&p, b->radius, bar, n_bar, b_bar);
    for (int i = 0; i < 2; i++)
        n_bar[i] += gap_bar * d[i];
    to_b->x += b_bar[0] + gap_bar * n[0];
    to_b->y += b_bar[1] + gap_bar * n[1];
    to_wall->x -= gap_bar * n[0];
    to_wall->y -= gap_bar * n[1];
    to_wall->angle += n[0] * n_bar[1] - n[1] * n_bar[0];
}

/* n = −d / |d|,  gap = R − |d| − r */
static void circle_vjp(const ts_wall_frame *wall, const ts_frame2 *b, const ts_place2 *bar, ts_frame2_bar *to_wall,
                       ts_frame2_bar *to_b)
{
    const ts_place2 p = ts_wall_place(wall, b);
    const double out[2] = {-p.normal[0], -p.normal[1]};
    double n_bar[2], b_bar[2], d_bar[2];
    const double gap_bar = point_bar(&p, b->radius, bar, n_bar, b_bar);
    way_bar(out, (double[2]){-n_bar[0], -n_bar[1]}, wall->radius - b->radius - p.gap, -gap_bar, d_bar);
    to_b->x += b_bar[0] + d_bar[0];
    to_b->y += b_bar[1] + d_bar[1];
    to_wall->x -= d_bar[0];
    to_wall->y -= d_bar[1];
}

ts_wall_vjp *ts_wall_place_vjp(ts_wall_kind kind)
{
    static ts_wall_vjp *const table[] = {[TS_WALL_FLAT] = half_plane_vjp,
                                         [TS_WALL_CIRCLE] = circle_vjp,
                                         [TS_WALL_POLYLINE] = NULL,
                                         [TS_WALL_OUTLINE] = NULL};
    return (size_t)kind < sizeof table / sizeof *table ? table[kind] : NULL;
}
