/* SPDX-License-Identifier: MIT */
#include "support/touches.h"

#include <math.h>
#include <string.h>

/* ---- Solids ---- */

ts_solid sphere_of(double radius)
{
    return (ts_solid){.kind = TS_SOLID_SPHERE, .radius = radius};
}
ts_solid plane_of(void)
{
    return (ts_solid){.kind = TS_SOLID_PLANE};
}
ts_solid box_of(double x, double y, double z)
{
    return (ts_solid){.kind = TS_SOLID_BOX, .half = {x, y, z}};
}
ts_solid capsule_of(double radius, double half_length)
{
    return (ts_solid){.kind = TS_SOLID_CAPSULE, .radius = radius, .half_length = half_length};
}
ts_solid cylinder_of(double radius, double half_length)
{
    return (ts_solid){.kind = TS_SOLID_CYLINDER, .radius = radius, .half_length = half_length};
}
ts_solid vessel_of(double radius, double half_length)
{
    return (ts_solid){.kind = TS_SOLID_VESSEL, .radius = radius, .half_length = half_length};
}
ts_solid hull_of(const test_hull *hull)
{
    return (ts_solid){.kind = TS_SOLID_HULL, .hull = &hull->hull};
}

/* The corners on one plane, counter-clockwise about its normal. */
static void add_face(test_hull *h, const int32_t *on, int count, ts_vec3 normal, double offset)
{
    ts_hull *hull = &h->hull;
    ts_vec3 middle = {0, 0, 0}, u, w;
    for (int i = 0; i < count; i++)
        middle = ts_vec3_add_scaled(middle, h->vertex[on[i]], 1.0 / count);
    u = ts_vec3_unit(ts_vec3_sub(h->vertex[on[0]], middle));
    w = ts_vec3_cross(normal, u);
    int32_t sorted[TEST_HULL_VERTICES];
    double angle[TEST_HULL_VERTICES];
    for (int i = 0; i < count; i++) {
        ts_vec3 d = ts_vec3_sub(h->vertex[on[i]], middle);
        double phi = atan2(ts_vec3_dot(d, w), ts_vec3_dot(d, u));
        int at = i;
        for (; at > 0 && angle[at - 1] > phi; at--) {
            angle[at] = angle[at - 1];
            sorted[at] = sorted[at - 1];
        }
        angle[at] = phi;
        sorted[at] = on[i];
    }
    int32_t begin = h->face_begin[hull->face_count];
    memcpy(h->corner + begin, sorted, (size_t)count * sizeof *sorted);
    h->normal[hull->face_count] = normal;
    h->offset[hull->face_count] = offset;
    h->face_begin[++hull->face_count] = begin + count;
}

static void add_edges(test_hull *h)
{
    ts_hull *hull = &h->hull;
    for (size_t f = 0; f < hull->face_count; f++)
        for (int32_t k = h->face_begin[f]; k < h->face_begin[f + 1]; k++) {
            int32_t i = h->corner[k], j = h->corner[k + 1 < h->face_begin[f + 1] ? k + 1 : h->face_begin[f]];
            if (i < j) {
                int32_t edge[4] = {i, j, (int32_t)f, -1};
                memcpy(h->edge[hull->edge_count++], edge, sizeof edge);
            }
        }
    for (size_t f = 0; f < hull->face_count; f++)
        for (int32_t k = h->face_begin[f]; k < h->face_begin[f + 1]; k++) {
            int32_t i = h->corner[k], j = h->corner[k + 1 < h->face_begin[f + 1] ? k + 1 : h->face_begin[f]];
            for (size_t e = 0; e < hull->edge_count; e++)
                if (h->edge[e][0] == j && h->edge[e][1] == i)
                    h->edge[e][3] = (int32_t)f;
        }
    int32_t at = 0;
    for (int32_t v = 0; v < (int32_t)hull->vertex_count; v++) {
        h->neighbour_begin[v] = at;
        for (size_t e = 0; e < hull->edge_count; e++)
            if (h->edge[e][0] == v || h->edge[e][1] == v)
                h->neighbour[at++] = h->edge[e][0] == v ? h->edge[e][1] : h->edge[e][0];
    }
    h->neighbour_begin[hull->vertex_count] = at;
}

void test_hull_make(test_hull *h, const ts_vec3 *point, size_t count)
{
    memset(h, 0, sizeof *h);
    h->hull = (ts_hull){.vertex = h->vertex,
                        .corner = h->corner,
                        .face_begin = h->face_begin,
                        .normal = h->normal,
                        .offset = h->offset,
                        .edge = h->edge,
                        .neighbour = h->neighbour,
                        .neighbour_begin = h->neighbour_begin};
    ts_hull *hull = &h->hull;
    /* a point below no such plane is no corner: keep those that some plane goes through */
    bool corner[TEST_HULL_VERTICES] = {false};
    for (int pass = 0; pass < 2; pass++) {
        int32_t n = (int32_t)(pass == 0 ? count : hull->vertex_count);
        const ts_vec3 *p = pass == 0 ? point : h->vertex;
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = i + 1; j < n; j++)
                for (int32_t k = i + 1; k < n; k++) {
                    ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(p[j], p[i]), ts_vec3_sub(p[k], p[i])));
                    double offset = ts_vec3_dot(normal, p[i]);
                    int32_t on[TEST_HULL_VERTICES] = {0};
                    int on_count = 0;
                    bool is_face = ts_vec3_dot(normal, normal) > 0.5;
                    for (int32_t v = 0; v < n && is_face; v++) {
                        double over = ts_vec3_dot(normal, p[v]) - offset;
                        is_face = over < 1e-9;
                        if (over > -1e-9)
                            on[on_count++] = v;
                    }
                    /* each face once: from its two lowest corners */
                    if (!is_face || on[0] != i)
                        continue;
                    bool known = false;
                    for (size_t f = 0; f < hull->face_count; f++)
                        known |= ts_vec3_distance(h->normal[f], normal) < 1e-7;
                    for (int v = 0; v < on_count; v++)
                        corner[on[v]] = true;
                    if (pass == 1 && !known)
                        add_face(h, on, on_count, normal, offset);
                }
        for (int32_t i = 0; i < n && pass == 0; i++)
            if (corner[i])
                h->vertex[hull->vertex_count++] = p[i];
    }
    add_edges(h);
    for (size_t v = 0; v < hull->vertex_count; v++)
        hull->centre = ts_vec3_add_scaled(hull->centre, h->vertex[v], 1.0 / (double)hull->vertex_count);
    assert_int_equal(hull->vertex_count + hull->face_count, hull->edge_count + 2); /* Euler */
}

void test_hull_rock(test_hull *hull, uint64_t seed)
{
    ts_random random = ts_random_make(seed, 99);
    ts_vec3 point[24];
    for (int i = 0; i < 24; i++)
        point[i] = ts_vec3_times(random_direction(&random), (ts_vec3){0.6, 0.5, 0.4});
    test_hull_make(hull, point, 24);
}

void test_hull_box(test_hull *hull, double x, double y, double z)
{
    ts_vec3 point[8];
    for (int i = 0; i < 8; i++)
        point[i] = (ts_vec3){i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
    test_hull_make(hull, point, 8);
}

/* ---- Places ---- */

ts_vec3 random_direction(ts_random *random)
{
    ts_vec3 d;
    d.x = ts_random_next_normal(random);
    d.y = ts_random_next_normal(random);
    d.z = ts_random_next_normal(random);
    return ts_vec3_unit(d);
}

ts_pose3 random_pose(ts_random *random, double extent)
{
    ts_pose3 pose;
    pose.position.x = ts_random_next_range(random, -extent, extent);
    pose.position.y = ts_random_next_range(random, -extent, extent);
    pose.position.z = ts_random_next_range(random, -extent, extent);
    pose.quat.w = ts_random_next_normal(random);
    pose.quat.x = ts_random_next_normal(random);
    pose.quat.y = ts_random_next_normal(random);
    pose.quat.z = ts_random_next_normal(random);
    pose.quat = ts_quat_unit(pose.quat);
    return pose;
}

static ts_vec3 farthest(const ts_vec3 *point, size_t count, ts_vec3 d)
{
    ts_vec3 best = point[0];
    for (size_t i = 1; i < count; i++)
        if (ts_vec3_dot(point[i], d) > ts_vec3_dot(best, d))
            best = point[i];
    return best;
}

ts_vec3 support_of(ts_placed_solid placed, ts_vec3 direction)
{
    const ts_solid *s = placed.solid;
    ts_vec3 d = ts_vec3_unit(ts_pose3_apply_inverse_vector(placed.pose, direction)), p = {0, 0, 0};
    double rho = hypot(d.x, d.y);
    switch (s->kind) {
    case TS_SOLID_SPHERE:
        p = ts_vec3_scale(d, s->radius);
        break;
    case TS_SOLID_BOX:
        p = (ts_vec3){copysign(s->half.x, d.x), copysign(s->half.y, d.y), copysign(s->half.z, d.z)};
        break;
    case TS_SOLID_CAPSULE:
        p = ts_vec3_add(ts_vec3_scale(d, s->radius), (ts_vec3){0, 0, copysign(s->half_length, d.z)});
        break;
    case TS_SOLID_CYLINDER:
        p = (ts_vec3){rho > 0 ? s->radius * d.x / rho : 0, rho > 0 ? s->radius * d.y / rho : 0,
                      copysign(s->half_length, d.z)};
        break;
    case TS_SOLID_HULL:
        p = farthest(s->hull->vertex, s->hull->vertex_count, d);
        break;
    case TS_SOLID_MESH:
        p = farthest(s->mesh->vertex, s->mesh->vertex_count, d);
        break;
    default:
        fail();
    }
    return ts_pose3_apply(placed.pose, p);
}

/* ---- Samples ---- */

enum { SAMPLES_MOST = 200000 };
static ts_vec3 sample[SAMPLES_MOST];
static size_t sample_count;

static void add_sample(ts_vec3 p)
{
    assert_true(sample_count < SAMPLES_MOST);
    sample[sample_count++] = p;
}

static void sample_triangle(ts_vec3 a, ts_vec3 b, ts_vec3 c)
{
    double longest = fmax(ts_vec3_distance(a, b), fmax(ts_vec3_distance(b, c), ts_vec3_distance(c, a)));
    int n = (int)ceil(longest / 0.02);
    for (int i = 0; i <= n; i++)
        for (int j = 0; i + j <= n; j++)
            add_sample(ts_vec3_add(ts_vec3_add_scaled(ts_vec3_scale(a, 1 - (i + j) / (double)n), b, i / (double)n),
                                   ts_vec3_scale(c, j / (double)n)));
}

/* A body of revolution: at angle θ along its profile, all around. */
static void sample_round(const ts_solid *s)
{
    const int around = (int)ceil(2 * TS_PI * s->radius / 0.02);
    const int along = (int)ceil(2 * s->half_length / 0.02), across = (int)ceil(TS_PI / 2 * s->radius / 0.02);
    bool flat = s->kind == TS_SOLID_CYLINDER;
    for (int i = 0; i < around; i++) {
        double phi = 2 * TS_PI * i / around, c = cos(phi), q = sin(phi);
        for (int k = 0; k <= along && along > 0; k++)
            add_sample((ts_vec3){s->radius * c, s->radius * q, s->half_length * (2 * k / (double)along - 1)});
        for (int k = 0; k <= across; k++) {
            double theta = TS_PI / 2 * k / across, r = s->radius * (flat ? k / (double)across : sin(theta));
            double z = s->half_length + (flat ? 0 : s->radius * cos(theta));
            add_sample((ts_vec3){r * c, r * q, z});
            add_sample((ts_vec3){r * c, r * q, -z});
        }
    }
}

size_t samples_of(const ts_solid *solid, const ts_vec3 **point)
{
    static ts_solid last;
    *point = sample;
    bool same = sample_count > 0 && last.kind == solid->kind && last.radius == solid->radius;
    same = same && last.half_length == solid->half_length && last.hull == solid->hull;
    if (same && ts_vec3_distance(last.half, solid->half) == 0)
        return sample_count;
    last = *solid;
    sample_count = 0;
    if (solid->kind == TS_SOLID_BOX || solid->kind == TS_SOLID_HULL) {
        test_hull own;
        const ts_hull *hull = solid->hull;
        if (solid->kind == TS_SOLID_BOX) {
            test_hull_box(&own, solid->half.x, solid->half.y, solid->half.z);
            hull = &own.hull;
        }
        for (size_t f = 0; f < hull->face_count; f++)
            for (int32_t k = hull->face_begin[f] + 1; k + 1 < hull->face_begin[f + 1]; k++)
                sample_triangle(hull->vertex[hull->corner[hull->face_begin[f]]], hull->vertex[hull->corner[k]],
                                hull->vertex[hull->corner[k + 1]]);
    } else {
        sample_round(solid);
    }
    return sample_count;
}

double sampled_distance(const ts_solid *solid, ts_vec3 p)
{
    const ts_vec3 *point;
    size_t count = samples_of(solid, &point);
    double least = HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        ts_vec3 d = ts_vec3_sub(point[i], p);
        least = fmin(least, ts_vec3_dot(d, d));
    }
    return sqrt(least);
}

/* By how much the worst of the conditions that define a solid is missed; negative inside. A lower bound of the
 * distance, and equal to it close to smooth parts of the surface. */
static double worst_condition(const ts_solid *s, ts_vec3 p)
{
    double rho = hypot(p.x, p.y), most = -HUGE_VAL;
    switch (s->kind) {
    case TS_SOLID_SPHERE:
        return ts_vec3_length(p) - s->radius;
    case TS_SOLID_PLANE:
        return p.z;
    case TS_SOLID_BOX:
        return fmax(fabs(p.x) - s->half.x, fmax(fabs(p.y) - s->half.y, fabs(p.z) - s->half.z));
    case TS_SOLID_CAPSULE:
        return hypot(rho, fmax(fabs(p.z) - s->half_length, 0)) - s->radius;
    case TS_SOLID_CYLINDER:
        return fmax(rho - s->radius, fabs(p.z) - s->half_length);
    case TS_SOLID_VESSEL:
        return -fmax(rho - s->radius, fabs(p.z) - s->half_length);
    case TS_SOLID_HULL:
        for (size_t f = 0; f < s->hull->face_count; f++)
            most = fmax(most, ts_vec3_dot(s->hull->normal[f], p) - s->hull->offset[f]);
        return most;
    default:
        fail();
    }
    return 0;
}

bool inside(const ts_solid *solid, ts_vec3 point)
{
    return worst_condition(solid, point) < 0;
}

double off_surface(const ts_solid *s, ts_vec3 p)
{
    /* lids and barrel of a vessel go on beyond each other: a body that pokes out through a wall touches its
     * continuation */
    if (s->kind == TS_SOLID_VESSEL)
        return fmin(fabs(hypot(p.x, p.y) - s->radius), fabs(fabs(p.z) - s->half_length));
    if (s->kind == TS_SOLID_MESH || s->kind == TS_SOLID_SMOOTH) /* tests that have them look at triangles and φ */
        return 0;
    double off = fabs(worst_condition(s, p));
    /* so does the ball at the higher end of a capsule that stands askew: its lowest point lies in the capsule */
    for (int end = -1; end <= 1 && s->kind == TS_SOLID_CAPSULE; end += 2)
        off = fmin(off, fabs(ts_vec3_length((ts_vec3){p.x, p.y, p.z - end * s->half_length}) - s->radius));
    return off;
}

/* ---- Laws ---- */

double smallest_gap(const ts_touch_array *touch)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < touch->count; i++)
        least = fmin(least, touch->item[i].gap);
    return least;
}

static void check_each(ts_placed_solid a, ts_placed_solid b, const ts_touch_array *touch, double reach,
                       double tolerance)
{
    for (size_t i = 0; i < touch->count; i++) {
        const ts_touch *t = &touch->item[i];
        NEAR(ts_vec3_length(t->normal), 1, 1e-12);
        assert_true(t->gap <= reach);
        ts_vec3 across = ts_vec3_add_scaled(ts_vec3_sub(t->point_b, t->point_a), t->normal, -t->gap);
        NEAR(ts_vec3_length(across), 0, tolerance);
        NEAR(off_surface(a.solid, ts_pose3_apply_inverse(a.pose, t->point_a)), 0, tolerance);
        NEAR(off_surface(b.solid, ts_pose3_apply_inverse(b.pose, t->point_b)), 0, tolerance);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(touch->item[j].feature, t->feature);
    }
}

void check_laws(ts_placed_solid a, ts_placed_solid b, double reach, double tolerance)
{
    ts_touch_array one = {0}, two = {0};
    OK(ts_touch_find(a, b, reach, &one, ERROR));
    check_each(a, b, &one, reach, tolerance);

    OK(ts_touch_find(b, a, reach, &two, ERROR));
    assert_int_equal(one.count, two.count);
    for (size_t i = 0; i < one.count; i++) {
        ts_touch *p = &one.item[i], *q = &two.item[i];
        assert_true(p->gap == q->gap && p->feature == q->feature);
        assert_true(p->normal.x == -q->normal.x && p->normal.y == -q->normal.y && p->normal.z == -q->normal.z);
        assert_memory_equal(&p->point_a, &q->point_b, sizeof p->point_a);
        assert_memory_equal(&p->point_b, &q->point_a, sizeof p->point_b);
    }

    /* Both moved. Features of twins may be named the other way around, so contacts are matched by place. A contact
     * whose gap is the reach to rounding may come or go. */
    ts_pose3 move = {{0.3, -0.7, 0.2}, ts_quat_from_axis_angle((ts_vec3){1, 2, -1}, 0.8)};
    a.pose = ts_pose3_compose(move, a.pose);
    b.pose = ts_pose3_compose(move, b.pose);
    two.count = 0;
    OK(ts_touch_find(a, b, reach, &two, ERROR));
    for (size_t i = 0; i < one.count; i++) {
        ts_vec3 want = ts_pose3_apply(move, one.item[i].point_a);
        double best = HUGE_VAL;
        for (size_t j = 0; j < two.count; j++) {
            ts_vec3 turned = ts_pose3_apply_vector(move, one.item[i].normal);
            double off = ts_vec3_distance(two.item[j].point_a, want) + fabs(two.item[j].gap - one.item[i].gap) +
                         ts_vec3_distance(two.item[j].normal, turned);
            best = fmin(best, off);
        }
        if (one.item[i].gap < reach - tolerance)
            NEAR(best, 0, 30 * tolerance);
    }
    ts_array_free(&one);
    ts_array_free(&two);
}

static ts_vec3 mirrored(ts_vec3 p, ts_vec3 mirror)
{
    return ts_vec3_add_scaled(p, mirror, -2 * ts_vec3_dot(p, mirror));
}

void check_mirror(const ts_touch_array *touch, ts_vec3 mirror, bool swaps, double tolerance)
{
    for (size_t i = 0; i < touch->count; i++) {
        const ts_touch *t = &touch->item[i];
        ts_vec3 a = mirrored(t->point_a, mirror), b = mirrored(t->point_b, mirror), n = mirrored(t->normal, mirror);
        double best = HUGE_VAL;
        for (size_t j = 0; j < touch->count; j++) {
            const ts_touch *u = &touch->item[j];
            best =
                fmin(best, ts_vec3_distance(swaps ? b : a, u->point_a) + ts_vec3_distance(swaps ? a : b, u->point_b) +
                               ts_vec3_distance(swaps ? ts_vec3_neg(n) : n, u->normal));
        }
        NEAR(best, 0, tolerance);
    }
}

void check_derivative(ts_placed_solid a, ts_placed_solid b, double reach, double epsilon, double slack)
{
    ts_touch_array touch = {0};
    OK(ts_touch_find(a, b, reach, &touch, ERROR));
    for (size_t i = 0; i < touch.count; i++) {
        double least = smallest_gap(&touch);
        if (touch.item[i].gap > least)
            continue;
        b.pose.position = ts_vec3_add_scaled(b.pose.position, touch.item[i].normal, epsilon);
        touch.count = 0;
        OK(ts_touch_find(a, b, reach + 2 * epsilon, &touch, ERROR));
        NEAR(smallest_gap(&touch), least + epsilon, slack * epsilon);
        break;
    }
    ts_array_free(&touch);
}

/* ---- Polyhedra by brute force ---- */

/* Distance of the origin from a triangle: a smallest of distances of its plane, where its foot is inside, and its
 * edges. */
static double triangle_distance(const ts_vec3 *p)
{
    double least = HUGE_VAL;
    bool within = true;
    ts_vec3 n = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(p[1], p[0]), ts_vec3_sub(p[2], p[0])));
    for (int i = 0; i < 3; i++) {
        ts_vec3 a = p[i], d = ts_vec3_sub(p[(i + 1) % 3], a);
        double t = fmin(fmax(-ts_vec3_dot(a, d) / ts_vec3_dot(d, d), 0), 1);
        least = fmin(least, ts_vec3_length(ts_vec3_add_scaled(a, d, t)));
        within &= ts_vec3_dot(ts_vec3_cross(d, ts_vec3_neg(a)), n) >= 0;
    }
    return within ? fabs(ts_vec3_dot(n, p[0])) : least;
}

double polyhedra_distance(const ts_vec3 *a, size_t count_a, const ts_vec3 *b, size_t count_b)
{
    enum { MOST = 600 };
    ts_vec3 w[MOST];
    size_t n = 0;
    assert_true(count_a * count_b <= MOST);
    for (size_t i = 0; i < count_a; i++)
        for (size_t j = 0; j < count_b; j++)
            w[n++] = ts_vec3_sub(b[j], a[i]);
    double depth = HUGE_VAL, apart = HUGE_VAL;
    bool overlap = true;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            for (size_t k = j + 1; k < n; k++) {
                ts_vec3 m = ts_vec3_cross(ts_vec3_sub(w[j], w[i]), ts_vec3_sub(w[k], w[i]));
                double length = ts_vec3_length(m);
                if (!(length > 1e-9))
                    continue;
                m = ts_vec3_scale(m, 1 / length);
                double offset = ts_vec3_dot(m, w[i]), low = 0, high = 0;
                for (size_t v = 0; v < n && (low > -1e-10 || high < 1e-10); v++) {
                    double over = ts_vec3_dot(m, w[v]) - offset;
                    low = fmin(low, over);
                    high = fmax(high, over);
                }
                if (low < -1e-10 && high > 1e-10)
                    continue;
                double sign = high < 1e-10 ? 1 : -1;
                overlap &= sign * offset > 0;
                depth = fmin(depth, sign * offset);
                ts_vec3 triangle[3] = {w[i], w[j], w[k]};
                apart = fmin(apart, triangle_distance(triangle));
            }
    return overlap ? -depth : apart;
}

static size_t placed_vertices(ts_placed_solid p, ts_vec3 *out)
{
    size_t count = p.solid->kind == TS_SOLID_BOX ? 8 : p.solid->hull->vertex_count;
    for (size_t i = 0; i < count; i++) {
        ts_vec3 h = p.solid->half;
        ts_vec3 corner = {i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z};
        out[i] = ts_pose3_apply(p.pose, p.solid->kind == TS_SOLID_BOX ? corner : p.solid->hull->vertex[i]);
    }
    return count;
}

double placed_distance(ts_placed_solid a, ts_placed_solid b)
{
    ts_vec3 pa[TEST_HULL_VERTICES], pb[TEST_HULL_VERTICES];
    size_t na = placed_vertices(a, pa), nb = placed_vertices(b, pb);
    return polyhedra_distance(pa, na, pb, nb);
}
