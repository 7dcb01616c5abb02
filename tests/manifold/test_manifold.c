/* SPDX-License-Identifier: MIT */
/* Smooth manifolds against exact distances, crossings of boxes and hard limits; symmetries; the choice of the deepest; what is
 * refused. Derivatives: tests/grad/test_manifold.c; bits: tests/equal/test_manifold.c. */
#include "touchstone/manifold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "manifold/choice.h"
#include "support/check.h"
#include "support/smooth.h"
#include "touchstone/operators.h"

static double number(uint64_t stream, uint64_t i)
{
    return ts_random_normal(23, stream, i);
}

/* ---- Manifolds with all their arrays ---- */

typedef struct trial {
    ts_manifold *manifold;
    ts_manifold_work *work;
    ts_manifold_counts counts;
    ts_manifold_contacts to;
} trial;

static trial open(const ts_sdf_body *a, const ts_sdf_body *b, const ts_manifold_options *options)
{
    trial t = {0};
    OK(ts_manifold_create(a, b, options, &t.manifold, ERROR));
    OK(ts_manifold_work_create(t.manifold, &t.work, ERROR));
    t.counts = ts_manifold_get_counts(t.manifold);
    const size_t n = t.counts.all;
    t.to = (ts_manifold_contacts){calloc(n, sizeof(double[3])), calloc(n, sizeof(double)), calloc(n, sizeof(double[3])),
                                  calloc(n, sizeof(double)), calloc(n, sizeof(double[4]))};
    return t;
}

static void done(trial *t)
{
    ts_manifold_work_free(t->work);
    ts_manifold_free(t->manifold);
    free(t->to.point);
    free(t->to.gap);
    free(t->to.normal);
    free(t->to.weight);
    free(t->to.indicator);
}

static void find(trial *t, const ts_manifold_pose *a, const ts_manifold_pose *b)
{
    OK(ts_manifold_find(t->manifold, t->work, a, b, &t->to, ERROR));
}

static const ts_manifold_pose still = {{0, 0, 0}, {1, 0, 0, 0}};

static ts_manifold_pose random_pose(uint64_t i, double apart)
{
    const ts_quat q = ts_quat_unit((ts_quat){number(1, i), number(2, i), number(3, i), number(4, i)});
    const ts_vec3 u = ts_vec3_unit((ts_vec3){number(5, i), number(6, i), number(7, i)});
    return (ts_manifold_pose){{apart * u.x, apart * u.y, apart * u.z}, {q.w, q.x, q.y, q.z}};
}

static ts_pose3 pose3(const ts_manifold_pose *p)
{
    const double *q = p->attitude;
    return (ts_pose3){ts_vec3_of(p->position), {q[0], q[1], q[2], q[3]}};
}
static ts_manifold_pose pose_from(ts_pose3 p)
{
    return (ts_manifold_pose){{p.position.x, p.position.y, p.position.z}, {p.quat.w, p.quat.x, p.quat.y, p.quat.z}};
}

static void near3(const double *a, ts_vec3 b, double tolerance)
{
    NEAR(a[0], b.x, tolerance);
    NEAR(a[1], b.y, tolerance);
    NEAR(a[2], b.z, tolerance);
}

/* ---- Exact distances ---- */

/* Vertices of a ball in a ball: the gap is that to its centre less its radius, and the normal points there. */
static void balls(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_superquadric((ts_vec3){0.5, 0.5, 0.5}, 1, 1, 4),
                *b = ts_test_superquadric((ts_vec3){0.3, 0.3, 0.3}, 1, 1, 3);
    const ts_manifold_options options = ts_manifold_default_options();
    trial t = open(a, b, &options);
    for (uint64_t i = 0; i < 5; i++) {
        const ts_manifold_pose p = random_pose(i, 2), away = random_pose(i + 50, 0.79);
        ts_manifold_pose q = random_pose(i + 100, 1);
        for (int k = 0; k < 3; k++)
            q.position[k] = p.position[k] + away.position[k];
        find(&t, &p, &q);
        const double radius[2] = {0.3, 0.5};
        for (size_t k = 0; k < t.counts.vertices[0] + t.counts.vertices[1]; k++) {
            const bool of_b = k >= t.counts.vertices[0];
            const ts_vec3 d = ts_vec3_sub(ts_vec3_of(t.to.point[k]), ts_vec3_of(of_b ? p.position : q.position));
            const double gap = ts_vec3_length(d) - radius[of_b];
            NEAR(t.to.gap[k], gap, 1e-13);
            near3(t.to.normal[k], ts_vec3_scale(ts_vec3_unit(d), of_b ? 1 : -1), 1e-9);
            NEAR(t.to.weight[k], 1, 0);
        }
    }
    done(&t);
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

/* Vertices of a ball in a box of planes: the distance to the nearest face, inside and above one face. */
static void ball_in_box(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_polyhedron_box(0.5, 1), *b = ts_test_superquadric((ts_vec3){0.3, 0.3, 0.3}, 1, 1, 5);
    ts_manifold_options options = ts_manifold_default_options();
    options.smoothing.united = 1e-5;
    trial t = open(a, b, &options);
    const ts_manifold_pose q = {{0.1, 0.05, 0.75}, {1, 0, 0, 0}};
    find(&t, &still, &q);
    size_t checked = 0;
    for (size_t k = t.counts.vertices[0]; k < t.counts.vertices[0] + t.counts.vertices[1]; k++) {
        const double *v = t.to.point[k];
        const double x = fabs(v[0]) - 0.5, y = fabs(v[1]) - 0.5, z = fabs(v[2]) - 0.5;
        if ((x > 0) + (y > 0) + (z > 0) > 1)
            continue;
        NEAR(t.to.gap[k], fmax(x, fmax(y, z)), 1e-5);
        checked++;
    }
    assert_true(checked > 50);
    done(&t);
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

/* The nearest point of an ellipsoid: x_i = s_i² p_i / (s_i² + t), Σ (s_i p_i / (s_i² + t))² = 1, by bisection. */
static double ellipsoid_distance(ts_vec3 size, ts_vec3 p)
{
    const double s[3] = {size.x, size.y, size.z}, at[3] = {p.x, p.y, p.z};
    double low = -fmin(size.x, fmin(size.y, size.z)) * fmin(size.x, fmin(size.y, size.z)), high = 10, square = 0;
    for (int k = 0; k < 200; k++) {
        const double t = 0.5 * (low + high);
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += s[i] * at[i] / (s[i] * s[i] + t) * (s[i] * at[i] / (s[i] * s[i] + t));
        *(sum > 1 ? &low : &high) = t;
    }
    for (int i = 0; i < 3; i++)
        square += at[i] * high / (s[i] * s[i] + high) * (at[i] * high / (s[i] * s[i] + high));
    return copysign(sqrt(square), high);
}

/* φ is measured along the radius, which is no shorter, and longer by the cosine to the normal at most. */
static void ellipsoids(void **state)
{
    (void)state;
    const ts_vec3 size = {0.5, 0.4, 0.35};
    ts_sdf_body *a = ts_test_superquadric(size, 1, 1, 3), *b = ts_test_superquadric((ts_vec3){0.3, 0.3, 0.3}, 1, 1, 8);
    const ts_manifold_options options = ts_manifold_default_options();
    trial t = open(a, b, &options);
    size_t checked = 0;
    for (uint64_t i = 0; i < 20; i++) {
        const ts_manifold_pose q = random_pose(200 + i, 0.7);
        find(&t, &still, &q);
        for (size_t k = t.counts.vertices[0]; k < t.counts.vertices[0] + t.counts.vertices[1]; k++) {
            const ts_vec3 v = ts_vec3_of(t.to.point[k]);
            const double exact = ellipsoid_distance(size, v),
                         cosine = ts_vec3_dot(ts_vec3_of(t.to.normal[k]), ts_vec3_unit(v));
            if (fabs(exact) > 0.02)
                continue;
            assert_true(fabs(t.to.gap[k]) >= fabs(exact) * (1 - 1e-9) - 1e-12);
            NEAR(t.to.gap[k] * cosine, exact, 2 * exact * exact + 1e-12);
            checked++;
        }
    }
    assert_true(checked > 50);
    done(&t);
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

/* ---- Edges ---- */

/* Boxes that lie on each other, turned by 45°: their edges cross in 8 points, which is where the weight is. */
static void crossed_boxes(void **state)
{
    (void)state;
    ts_sdf_body *box = ts_test_superquadric((ts_vec3){0.5, 0.5, 0.5}, 0.1, 0.1, 1);
    const double corner = box->mesh->vertex[0].x < 0 ? -box->mesh->vertex[0].x : box->mesh->vertex[0].x;
    for (int published = 0; published < 2; published++) {
        ts_manifold_options options = ts_manifold_default_options();
        options.smoothing = ts_manifold_smoothing_of(0.001);
        options.keep_edges[0] = options.keep_edges[1] = SIZE_MAX;
        options.published = published;
        trial t = open(box, box, &options);
        const ts_manifold_pose q = {{0, 0, 2 * corner - 0.01}, {cos(TS_PI / 8), 0, 0, sin(TS_PI / 8)}};
        find(&t, &still, &q);
        double sum = 0, crossings = 0;
        const double near = corner * (sqrt(2) - 1);
        for (size_t k = t.counts.vertices[0] + t.counts.vertices[1]; k < t.counts.all; k++) {
            const double *p = t.to.point[k], x = fabs(p[0]), y = fabs(p[1]);
            sum += t.to.weight[k];
            const bool crossing = fmin(hypot(x - corner, y - near), hypot(x - near, y - corner)) < 1e-3 &&
                                  fmin(fabs(p[2] - corner), fabs(p[2] - corner + 0.01)) < 1e-3;
            if (!crossing || t.to.weight[k] < 0.01)
                continue;
            crossings += 1;
            NEAR(t.to.weight[k], published ? 0.5 : 1, 0.02); /* two edges are equally near */
            NEAR(t.to.gap[k], -0.01, 1e-6);
            near3(t.to.normal[k], (ts_vec3){0, 0, 1}, published ? 1e-2 : 1e-5); /* λ draws along the edges */
        }
        NEAR(crossings, 16, 0); /* on A and on B */
        NEAR(sum, published ? 8 : 16, 0.1);
        done(&t);
    }
    ts_sdf_body_free(box);
}

/* Nearest points of two segments: of all that the minimum may be, the best. */
static void nearest_points(const ts_vec3 p[2], const ts_vec3 q[2], ts_vec3 *on_p, ts_vec3 *on_q)
{
    const ts_vec3 u = ts_vec3_sub(p[1], p[0]), v = ts_vec3_sub(q[1], q[0]), w = ts_vec3_sub(p[0], q[0]);
    const double a = ts_vec3_dot(u, u), b = ts_vec3_dot(u, v), c = ts_vec3_dot(v, v), d = ts_vec3_dot(u, w),
                 e = ts_vec3_dot(v, w), det = a * c - b * b;
    const double s_free = det > 1e-12 ? (b * e - c * d) / det : 0.5, t_free = det > 1e-12 ? (a * e - b * d) / det : 0.5;
    const double tries[5][2] = {{s_free, t_free}, {0, e / c}, {1, (e + b) / c}, {-d / a, 0}, {(b - d) / a, 1}};
    double least = HUGE_VAL;
    for (int i = 0; i < 5; i++) {
        if (i == 0 && (s_free < 0 || s_free > 1 || t_free < 0 || t_free > 1))
            continue;
        const ts_vec3 x = ts_vec3_add_scaled(p[0], u, fmin(fmax(tries[i][0], 0), 1)),
                      y = ts_vec3_add_scaled(q[0], v, fmin(fmax(tries[i][1], 0), 1));
        if (ts_vec3_distance(x, y) < least) {
            least = ts_vec3_distance(x, y);
            *on_p = x;
            *on_q = y;
        }
    }
}

/* τ → 0: points of edges are the nearest ones, and their weights are 0 or 1. */
static void hard_limit(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_superquadric((ts_vec3){0.5, 0.3, 0.4}, 0.3, 0.3, 1),
                *b = ts_test_superquadric((ts_vec3){0.3, 0.5, 0.45}, 0.5, 0.3, 1);
    ts_manifold_options options = ts_manifold_default_options();
    options.smoothing = ts_manifold_smoothing_of(1e-7);
    options.smoothing.centre = 0;
    options.keep_edges[0] = options.keep_edges[1] = SIZE_MAX;
    trial t = open(a, b, &options);
    double weighty = 0;
    for (uint64_t i = 0; i < 20; i++) {
        const ts_manifold_pose q = random_pose(300 + i, 0.6);
        find(&t, &still, &q);
        size_t at = t.counts.vertices[0] + t.counts.vertices[1];
        for (size_t k = 0; k < a->edge_count; k++)
            for (size_t l = 0; l < b->edge_count; l++, at += 2) {
                ts_vec3 p[2], r[2], on_a = {0}, on_b = {0};
                for (int e = 0; e < 2; e++) {
                    p[e] = a->mesh->vertex[a->edge[k][e]];
                    r[e] = ts_pose3_apply(pose3(&q), b->mesh->vertex[b->edge[l][e]]);
                }
                nearest_points(p, r, &on_a, &on_b);
                near3(t.to.point[at], on_a, 1e-4);
                near3(t.to.point[at + 1], on_b, 1e-4);
                for (int side = 0; side < 2; side++) {
                    const double w = t.to.weight[at + (size_t)side];
                    assert_true(w < 1e-3 || w > 1 - 1e-3);
                    weighty += w;
                }
            }
    }
    assert_true(weighty > 10); /* some do cross */
    done(&t);
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

/* ---- Symmetries ---- */

/* A common motion moves points and normals along, and changes nothing else. */
static void rigid_motions(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_blob(1), *b = ts_test_superquadric((ts_vec3){0.4, 0.5, 0.3}, 0.4, 0.7, 3);
    ts_manifold_options options = ts_manifold_default_options();
    options.smoothing = ts_manifold_smoothing_of(0.03);
    options.keep_vertices[0] = 20;
    trial t = open(a, b, &options), u = open(a, b, &options);
    for (uint64_t i = 0; i < 5; i++) {
        const ts_manifold_pose p = random_pose(400 + i, 0.1), q = random_pose(500 + i, 0.6),
                               m = random_pose(600 + i, 50);
        const ts_pose3 motion = pose3(&m);
        const ts_manifold_pose p2 = pose_from(ts_pose3_compose(motion, pose3(&p))),
                               q2 = pose_from(ts_pose3_compose(motion, pose3(&q)));
        find(&t, &p, &q);
        find(&u, &p2, &q2);
        for (size_t k = 0; k < t.counts.all; k++) {
            NEAR(u.to.gap[k], t.to.gap[k], 1e-9);
            NEAR(u.to.weight[k], t.to.weight[k], 1e-8);
            near3(u.to.point[k], ts_pose3_apply(motion, ts_vec3_of(t.to.point[k])), 1e-9);
            near3(u.to.normal[k], ts_pose3_apply_vector(motion, ts_vec3_of(t.to.normal[k])), 1e-6);
        }
    }
    done(&t);
    done(&u);
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

static void scales(void **state)
{
    (void)state;
    ts_sdf_body *one = ts_test_blob(1);
    const ts_manifold_options options = ts_manifold_default_options();
    trial t = open(one, one, &options);
    const ts_manifold_pose p = random_pose(700, 0.1), q = random_pose(701, 0.6);
    find(&t, &p, &q);
    for (int way = 0; way < 2; way++) {
        const double scale = way ? 1024 : 1.0 / 1024;
        ts_sdf_body *other = ts_test_blob(scale);
        trial u = open(other, other, &options);
        ts_manifold_pose p2 = p, q2 = q;
        for (int k = 0; k < 3; k++) {
            p2.position[k] *= scale;
            q2.position[k] *= scale;
        }
        find(&u, &p2, &q2);
        assert_int_equal(u.counts.all, t.counts.all);
        for (size_t k = 0; k < t.counts.all; k++) {
            NEAR(u.to.gap[k], scale * t.to.gap[k], 1e-10 * scale);
            NEAR(u.to.weight[k], t.to.weight[k], 1e-9);
            near3(u.to.point[k], ts_vec3_scale(ts_vec3_of(t.to.point[k]), scale), 1e-10 * scale);
        }
        done(&u);
        ts_sdf_body_free(other);
    }
    done(&t);
    ts_sdf_body_free(one);
}

/* B on A is A on B, with normals turned over. */
static void swapped(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_blob(1), *b = ts_test_superquadric((ts_vec3){0.4, 0.5, 0.3}, 0.4, 0.7, 2);
    ts_manifold_options options = ts_manifold_default_options();
    options.keep_edges[0] = 7, options.keep_edges[1] = 5;
    trial t = open(a, b, &options);
    options.keep_edges[0] = 5, options.keep_edges[1] = 7;
    trial u = open(b, a, &options);
    const ts_manifold_pose p = random_pose(800, 0.1), q = random_pose(801, 0.6);
    find(&t, &p, &q);
    find(&u, &q, &p);
    const size_t va = t.counts.vertices[0], vb = t.counts.vertices[1];
    for (size_t k = 0; k < t.counts.all; k++) {
        const size_t pair = k < va + vb ? 0 : (k - va - vb) / 2, side = k < va + vb ? 0 : (k - va - vb) % 2;
        const size_t to = k < va ? vb + k : k < va + vb ? k - va : va + vb + 2 * (pair % 5 * 7 + pair / 5) + (1 - side);
        NEAR(u.to.gap[to], t.to.gap[k], 1e-10);
        NEAR(u.to.weight[to], t.to.weight[k], 1e-9);
        near3(u.to.point[to], ts_vec3_of(t.to.point[k]), 1e-10);
        if (t.to.weight[k] > 1e-6)
            near3(u.to.normal[to], ts_vec3_neg(ts_vec3_of(t.to.normal[k])), 1e-9);
    }
    done(&t);
    done(&u);
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

/* ---- The choice ---- */

/* As the operator has it, but for shares that are next to nothing. */
static void choice_is_softsort(void **state)
{
    (void)state;
    enum { COUNT = 300, KEEP = 11 };
    ts_choice choice = {.tau = 0.1};
    double *memory = aligned_alloc(64, (ts_choice_doubles(COUNT, KEEP) + 8) / 8 * 64);
    ts_choice_place(&choice, COUNT, KEEP, memory);
    for (uint64_t trial_of = 0; trial_of < 10; trial_of++) {
        double score[COUNT], column[3][COUNT], gathered[3][COUNT + 8] = {{0}}, out[3][KEEP + 8], share[KEEP * COUNT];
        size_t rank[KEEP];
        for (uint64_t i = 0; i < COUNT; i++) {
            score[i] = trial_of % 2 ? number(8, i + trial_of) : floor(3 * number(8, i + trial_of));
            for (uint64_t d = 0; d < 3; d++)
                column[d][i] = number(9 + d, i);
        }
        ts_choose(&choice, score);
        for (size_t i = 0; i < choice.candidate_count; i++)
            for (int d = 0; d < 3; d++)
                gathered[d][i] = column[d][choice.candidate[i]];
        ts_choice_apply(&choice, (double *const[3]){gathered[0], gathered[1], gathered[2]},
                        (double *const[3]){out[0], out[1], out[2]});
        ts_op_top(COUNT, score, KEEP, choice.tau, rank, share);
        for (size_t k = 0; k < KEEP; k++) {
            assert_int_equal(choice.rank[k], rank[k]);
            for (int d = 0; d < 3; d++) {
                double sum = 0;
                for (size_t i = 0; i < COUNT; i++)
                    sum += share[k * COUNT + i] * column[d][i];
                NEAR(out[d][k], sum, 1e-10);
            }
        }
    }
    free(memory);
}

/* ---- What is refused ---- */

static void refused(const ts_sdf_body *body, const ts_manifold_options *options, const char *word)
{
    ts_manifold *manifold = NULL;
    ts_error error = {.message = ""};
    assert_int_equal(ts_manifold_create(body, body, options, &manifold, &error), TS_BAD_INPUT);
    assert_null(manifold);
    if (!strstr(error.message, word))
        fail_msg("\"%s\" does not say \"%s\"", error.message, word);
}

static void bad_options(void **state)
{
    (void)state;
    ts_sdf_body *box = ts_test_polyhedron_box(0.5, 1);
    const ts_manifold_options good = ts_manifold_default_options();
    ts_manifold_options bad = {0};
    refused(box, &bad, "ts_manifold_default_options");
    bad = good, bad.keep_vertices[1] = 9;
    refused(box, &bad, "9 vertices of body B are to be kept, but it has 8");
    bad = good, bad.keep_edges[0] = 13;
    refused(box, &bad, "13 edges of body A are to be kept, but it has 12");
    bad = good, bad.sides = (ts_manifold_sides)3;
    refused(box, &bad, "sides");
    bad = good, bad.project = -1;
    refused(box, &bad, "projections");
    bad = good, bad.settle = 100;
    refused(box, &bad, "settle");
    const double values[] = {0, -1, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        bad = good, bad.smoothing.clip = values[i];
        refused(box, &bad, "clip");
        bad = good, bad.smoothing.nearest = values[i];
        refused(box, &bad, "nearest");
    }
    for (int i = 1; i < 4; i++) {
        bad = good, bad.smoothing.centre = values[i];
        refused(box, &bad, "centre");
        bad = good, bad.smoothing.united = values[i];
        refused(box, &bad, "united");
    }
    ts_sdf_body_free(box);
}

static void bad_poses(void **state)
{
    (void)state;
    ts_sdf_body *box = ts_test_polyhedron_box(0.5, 1);
    const ts_manifold_options options = ts_manifold_default_options();
    trial t = open(box, box, &options);
    ts_error error;
    ts_manifold_pose_bar bar[2];
    assert_int_equal(ts_manifold_find_vjp(t.manifold, t.work, NULL, &t.to, &bar[0], &bar[1], &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "ts_manifold_find"));
    for (int k = 0; k < 7; k++)
        for (int bad_number = 0; bad_number < 2; bad_number++)
            for (int of_b = 0; of_b < 2; of_b++) {
                ts_manifold_pose pose[2] = {still, still};
                *(k < 3 ? &pose[of_b].position[k] : &pose[of_b].attitude[k - 3]) =
                    bad_number ? (double)NAN : (double)INFINITY;
                assert_int_equal(ts_manifold_find(t.manifold, t.work, &pose[0], &pose[1], &t.to, &error), TS_BAD_INPUT);
                assert_non_null(strstr(error.message, of_b ? "body B" : "body A"));
            }
    ts_manifold_pose longer = still;
    longer.attitude[0] = 1.001;
    assert_int_equal(ts_manifold_find(t.manifold, t.work, &longer, &still, &t.to, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "quaternion"));
    ts_manifold_team *team = NULL;
    assert_int_equal(ts_manifold_team_create(t.manifold, -1, &team, &error), TS_BAD_INPUT);
    assert_null(team);
    done(&t);
    ts_sdf_body_free(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls),         cmocka_unit_test(ball_in_box), cmocka_unit_test(ellipsoids),
        cmocka_unit_test(crossed_boxes), cmocka_unit_test(hard_limit),  cmocka_unit_test(rigid_motions),
        cmocka_unit_test(scales),        cmocka_unit_test(swapped),     cmocka_unit_test(choice_is_softsort),
        cmocka_unit_test(bad_options),   cmocka_unit_test(bad_poses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
