/* SPDX-License-Identifier: MIT */
/* Derivatives of contacts in space (touch.h), where a pair is smooth. */
#include "contact/touch.h"

/* A pair, in the order that its function wants. */
typedef struct smooth_job {
    ts_placed_solid a, b;
    ts_vec3 normal, point_b; /* from A to B; on B */
    ts_touch_bar bar;
    ts_pose_bar *to_a, *to_b;
} smooth_job;

typedef void smooth_pair(const smooth_job *job);

/*     L = |b − a|      n = (b − a) / L      gap = L − rₐ − r_b      point_a = a + rₐ n      point_b = b − r_b n */
static void sphere_sphere(const smooth_job *job)
{
    const ts_vec3 between = ts_vec3_sub(job->b.pose.position, job->a.pose.position), n = job->normal;
    const double length = ts_vec3_length(between);
    ts_vec3 n_bar = ts_vec3_add_scaled(job->bar.normal, job->bar.point_a, job->a.solid->radius);
    n_bar = ts_vec3_add_scaled(n_bar, job->bar.point_b, -job->b.solid->radius);
    const ts_vec3 across = ts_vec3_add_scaled(n_bar, n, -ts_vec3_dot(n_bar, n));
    const ts_vec3 way = ts_vec3_add_scaled(ts_vec3_scale(n, job->bar.gap), across, length > 0 ? 1 / length : 0);
    job->to_a->position = ts_vec3_add(job->to_a->position, ts_vec3_sub(job->bar.point_a, way));
    job->to_b->position = ts_vec3_add(job->to_b->position, ts_vec3_add(job->bar.point_b, way));
}

/* A ball of radius r about a point c that moves with B; a corner has r = 0. The plane is A, with a point o and the
 * normal n:
 *
 *     h = n·(c − o)      gap = h − r      point_a = c − h n      point_b = c − r n */
static void plane_ball(const smooth_job *job)
{
    const ts_solid_kind kind = job->b.solid->kind;
    const double radius = kind == TS_SOLID_SPHERE || kind == TS_SOLID_CAPSULE ? job->b.solid->radius : 0;
    const ts_vec3 n = job->normal, c = ts_vec3_add_scaled(job->point_b, n, radius),
                  from = ts_vec3_sub(c, job->a.pose.position), arm = ts_vec3_sub(c, job->b.pose.position);
    const double h = ts_vec3_dot(n, from), h_bar = job->bar.gap - ts_vec3_dot(job->bar.point_a, n);
    const ts_vec3 c_bar = ts_vec3_add_scaled(ts_vec3_add(job->bar.point_a, job->bar.point_b), n, h_bar);
    ts_vec3 n_bar = ts_vec3_add_scaled(job->bar.normal, job->bar.point_a, -h);
    n_bar = ts_vec3_add_scaled(ts_vec3_add_scaled(n_bar, job->bar.point_b, -radius), from, h_bar);
    job->to_a->position = ts_vec3_add_scaled(job->to_a->position, n, -h_bar);
    job->to_a->turn = ts_vec3_add(job->to_a->turn, ts_vec3_cross(n, n_bar));
    job->to_b->position = ts_vec3_add(job->to_b->position, c_bar);
    if (kind != TS_SOLID_SPHERE) /* whose arm is rounding */
        job->to_b->turn = ts_vec3_add(job->to_b->turn, ts_vec3_cross(arm, c_bar));
}

/* NULL: nearest points jump from feature to feature, or are rims whose lowest point turns with the normal. The other
 * half is by symmetry. */
static smooth_pair *const table[TS_SOLID_KINDS][TS_SOLID_KINDS] = {
    [TS_SOLID_SPHERE] = {[TS_SOLID_SPHERE] = sphere_sphere},
    [TS_SOLID_PLANE] = {[TS_SOLID_SPHERE] = plane_ball,
                        [TS_SOLID_BOX] = plane_ball,
                        [TS_SOLID_CAPSULE] = plane_ball,
                        [TS_SOLID_HULL] = plane_ball},
};

bool ts_touch_smooth(ts_solid_kind a, ts_solid_kind b)
{
    return (unsigned)a < TS_SOLID_KINDS && (unsigned)b < TS_SOLID_KINDS && (table[a][b] || table[b][a]);
}

bool ts_touch_find_vjp(ts_placed_solid a, ts_placed_solid b, const ts_touch *touch, const ts_touch_bar *bar,
                       ts_pose_bar *to_a, ts_pose_bar *to_b)
{
    if (!ts_touch_smooth(a.solid->kind, b.solid->kind))
        return false;
    smooth_pair *pair = table[a.solid->kind][b.solid->kind];
    if (pair) {
        pair(&(smooth_job){a, b, touch->normal, touch->point_b, *bar, to_a, to_b});
    } else {
        const ts_touch_bar turned = {bar->gap, ts_vec3_neg(bar->normal), bar->point_b, bar->point_a};
        table[b.solid->kind][a.solid->kind](
            &(smooth_job){b, a, ts_vec3_neg(touch->normal), touch->point_a, turned, to_b, to_a});
    }
    return true;
}
