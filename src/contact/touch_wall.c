/* SPDX-License-Identifier: MIT */
/* Planes and vessels: outsides that are flat or hollow, so that a convex body meets them with its corners, ends and
 * rims only.
 *
 *     plane      gap of a point: its height
 *     vessel     barrel   R − ρ      ρ: distance from the axis
 *                lids     h ∓ z                                 each wall that is near has contacts of its own
 *
 * A rim is met where it is lowest, and at three points a quarter turn apart from there: four equal contacts for a
 * cylinder that stands, one at each end for one that rolls. Against the barrel of a vessel, it is where it is farthest
 * from the axis, of which there may be two. */
#include "contact/touch_parts.h"

ts_touch_rim ts_touch_rim_of(ts_vec3 centre, ts_vec3 axis, double radius, ts_vec3 up, ts_vec3 spare)
{
    /* below this slope "lowest" is decided by rounding; four points of a circle then are as good as any, to a millionth
     * of its radius */
    const double level = 1e-6;
    ts_vec3 down = ts_vec3_sub(ts_vec3_scale(axis, ts_vec3_dot(axis, up)), up);
    double slope = ts_vec3_length(down);
    ts_vec3 u = slope > level ? ts_vec3_scale(down, 1 / slope) : spare, w = ts_vec3_cross(axis, u);
    return (ts_touch_rim){{ts_vec3_add_scaled(centre, u, radius), ts_vec3_add_scaled(centre, w, radius),
                           ts_vec3_add_scaled(centre, u, -radius), ts_vec3_add_scaled(centre, w, -radius)}};
}

/* ---- Planes ---- */

ts_status ts_touch_plane_ball(const ts_touch_job *job, uint32_t feature, ts_vec3 centre, double radius)
{
    ts_vec3 up = ts_mat3_column(job->turn_a, 2);
    double height = ts_vec3_dot(up, ts_vec3_sub(centre, job->at_a)), gap = height - radius;
    return ts_touch_emit(job, feature, gap, up, ts_vec3_add_scaled(centre, up, -height));
}

ts_status ts_touch_plane_box(const ts_touch_job *job)
{
    for (int i = 0; i < 8; i++)
        TS_TRY(ts_touch_plane_ball(job, (uint32_t)i,
                                   ts_touch_world(job->at_b, job->turn_b, ts_touch_corner(job->b->half, i)), 0));
    return TS_OK;
}

ts_status ts_touch_plane_hull(const ts_touch_job *job)
{
    const ts_hull *hull = job->b->hull;
    for (size_t i = 0; i < hull->vertex_count; i++)
        TS_TRY(ts_touch_plane_ball(job, (uint32_t)i, ts_touch_world(job->at_b, job->turn_b, hull->vertex[i]), 0));
    return TS_OK;
}

ts_status ts_touch_plane_capsule(const ts_touch_job *job)
{
    ts_vec3 axis = ts_vec3_scale(ts_mat3_column(job->turn_b, 2), job->b->half_length);
    TS_TRY(ts_touch_plane_ball(job, 0, ts_vec3_sub(job->at_b, axis), job->b->radius));
    return ts_touch_plane_ball(job, 1, ts_vec3_add(job->at_b, axis), job->b->radius);
}

ts_status ts_touch_plane_cylinder(const ts_touch_job *job)
{
    ts_vec3 axis = ts_mat3_column(job->turn_b, 2);
    for (int end = 0; end < 2; end++) {
        ts_vec3 centre = ts_vec3_add_scaled(job->at_b, axis, end ? job->b->half_length : -job->b->half_length);
        ts_touch_rim rim = ts_touch_rim_of(centre, axis, job->b->radius, ts_mat3_column(job->turn_a, 2),
                                           ts_mat3_column(job->turn_b, 0));
        for (int i = 0; i < 4; i++)
            TS_TRY(ts_touch_plane_ball(job, (uint32_t)(4 * end + i), rim.point[i], 0));
    }
    return TS_OK;
}

/* ---- Vessels ---- */

typedef enum vessel_wall { BARREL = 1, LIDS = 2, ALL_WALLS = 3 } vessel_wall;

/* Against some walls only. */
static ts_status vessel_ball(const ts_touch_job *job, vessel_wall walls, uint32_t i, ts_vec3 centre, double radius)
{
    ts_vec3 p = ts_touch_local(job->at_a, job->turn_a, centre);
    double rho = hypot(p.x, p.y);
    if (walls & BARREL) {
        ts_vec3 in = rho > 0 ? (ts_vec3){-p.x / rho, -p.y / rho, 0} : (ts_vec3){-1, 0, 0};
        ts_vec3 on = {-in.x * job->a->radius, -in.y * job->a->radius, p.z};
        TS_TRY(ts_touch_emit(job, 3 * i, job->a->radius - rho - radius, ts_mat3_apply(job->turn_a, in),
                             ts_touch_world(job->at_a, job->turn_a, on)));
    }
    for (int end = 0; (walls & LIDS) && end < 2; end++) {
        double side = end ? 1 : -1, gap = job->a->half_length - side * p.z - radius;
        ts_vec3 on = {p.x, p.y, side * job->a->half_length};
        TS_TRY(ts_touch_emit(job, 3 * i + 1 + (uint32_t)end, gap, ts_vec3_scale(ts_mat3_column(job->turn_a, 2), -side),
                             ts_touch_world(job->at_a, job->turn_a, on)));
    }
    return TS_OK;
}

ts_status ts_touch_vessel_ball(const ts_touch_job *job, uint32_t i, ts_vec3 centre, double radius)
{
    return vessel_ball(job, ALL_WALLS, i, centre, radius);
}

/* The walls that B, within `radius` of its origin, may be in reach of: rounding of sums of these lengths is far below the
 * slack. */
static vessel_wall walls_near(const ts_touch_job *job, double radius)
{
    const ts_vec3 p = ts_touch_local(job->at_a, job->turn_a, job->at_b);
    const double rho = sqrt(p.x * p.x + p.y * p.y),
                 slack = job->reach + radius + 1e-12 * (rho + fabs(p.z) + job->a->radius + job->a->half_length);
    return (job->a->radius - rho <= slack ? BARREL : 0) | (job->a->half_length - fabs(p.z) <= slack ? LIDS : 0);
}

ts_status ts_touch_vessel_sphere(const ts_touch_job *job)
{
    return vessel_ball(job, ALL_WALLS, 0, job->at_b, job->b->radius);
}

ts_status ts_touch_vessel_box(const ts_touch_job *job)
{
    const vessel_wall walls = walls_near(job, ts_vec3_length(job->b->half));
    for (int i = 0; walls && i < 8; i++)
        TS_TRY(vessel_ball(job, walls, (uint32_t)i,
                           ts_touch_world(job->at_b, job->turn_b, ts_touch_corner(job->b->half, i)), 0));
    return TS_OK;
}

ts_status ts_touch_vessel_hull(const ts_touch_job *job)
{
    const ts_hull *hull = job->b->hull;
    const vessel_wall walls = walls_near(job, ts_solid_radius(job->b));
    for (size_t i = 0; walls && i < hull->vertex_count; i++)
        TS_TRY(vessel_ball(job, walls, (uint32_t)i, ts_touch_world(job->at_b, job->turn_b, hull->vertex[i]), 0));
    return TS_OK;
}

ts_status ts_touch_vessel_capsule(const ts_touch_job *job)
{
    ts_vec3 axis = ts_vec3_scale(ts_mat3_column(job->turn_b, 2), job->b->half_length);
    TS_TRY(vessel_ball(job, ALL_WALLS, 0, ts_vec3_sub(job->at_b, axis), job->b->radius));
    return vessel_ball(job, ALL_WALLS, 1, ts_vec3_add(job->at_b, axis), job->b->radius);
}

/* A circle c + u cos φ + v sin φ as seen along the vessel's axis, and half the square of its distance from there:
 *     f(φ) = ½|c + u cos φ + v sin φ|²,    f' = p·p',    f'' = p'·p' + p·p'' */
typedef struct seen_circle {
    ts_vec2 c, u, v;
} seen_circle;

static double circle_far(const seen_circle *s, double phi, double *slope)
{
    double co = cos(phi), si = sin(phi);
    ts_vec2 p = {s->c.x + s->u.x * co + s->v.x * si, s->c.y + s->u.y * co + s->v.y * si};
    ts_vec2 d = {s->v.x * co - s->u.x * si, s->v.y * co - s->u.y * si};
    *slope = ts_vec2_dot(p, d);
    return 0.5 * ts_vec2_dot(p, p);
}

/* Where the slope goes from + to − between two angles; the middle, halved until nothing is left. */
static double circle_top(const seen_circle *s, double low, double high)
{
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high), slope;
        circle_far(s, middle, &slope);
        *(slope > 0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* The angles at which the circle is farthest, at most two; none when it is the same all around. f is a sum of waves of
 * one and two turns, so 16 samples part its maxima. */
static int circle_tops(const seen_circle *s, double phi[2])
{
    enum { SAMPLES = 16 };
    double far[SAMPLES], slope[SAMPLES], low = HUGE_VAL, high = 0;
    for (int i = 0; i < SAMPLES; i++) {
        far[i] = circle_far(s, 2 * TS_PI * i / SAMPLES, &slope[i]);
        low = fmin(low, far[i]);
        high = fmax(high, far[i]);
    }
    if (high - low <= 1e-6 * high)
        return 0;
    int count = 0;
    for (int i = 0; i < SAMPLES && count < 2; i++)
        if (slope[i] > 0 && slope[(i + 1) % SAMPLES] <= 0)
            phi[count++] = circle_top(s, 2 * TS_PI * i / SAMPLES, 2 * TS_PI * (i + 1) / SAMPLES);
    return count;
}

ts_status ts_touch_vessel_cylinder(const ts_touch_job *job)
{
    double r = job->b->radius;
    const vessel_wall walls = walls_near(job, hypot(r, job->b->half_length));
    ts_vec3 x = ts_mat3_column(job->turn_b, 0), y = ts_mat3_column(job->turn_b, 1), z = ts_mat3_column(job->turn_b, 2);
    ts_vec3 u = ts_mat3_apply_transposed(job->turn_a, x), v = ts_mat3_apply_transposed(job->turn_a, y);
    for (uint32_t end = 0; walls && end < 2; end++) {
        ts_vec3 centre = ts_vec3_add_scaled(job->at_b, z, end ? job->b->half_length : -job->b->half_length);
        ts_vec3 c = ts_touch_local(job->at_a, job->turn_a, centre);
        ts_touch_rim rim = ts_touch_rim_of(centre, z, r, ts_mat3_column(job->turn_a, 2), x);
        for (uint32_t i = 0; i < 4; i++)
            TS_TRY(vessel_ball(job, walls & LIDS, 8 * end + i, rim.point[i], 0));
        if (!(walls & BARREL))
            continue;
        seen_circle seen = {{c.x, c.y}, {r * u.x, r * u.y}, {r * v.x, r * v.y}};
        double phi[2];
        int tops = circle_tops(&seen, phi);
        for (int i = 0; i < tops; i++) {
            ts_vec3 p = ts_vec3_add_scaled(ts_vec3_add_scaled(centre, x, r * cos(phi[i])), y, r * sin(phi[i]));
            TS_TRY(vessel_ball(job, BARREL, 8 * end + (uint32_t)i, p, 0));
        }
        for (uint32_t i = 0; tops == 0 && i < 4; i++)
            TS_TRY(vessel_ball(job, BARREL, 8 * end + 4 + i, rim.point[i], 0));
    }
    return TS_OK;
}
