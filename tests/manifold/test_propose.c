/* SPDX-License-Identifier: MIT */
/* Proposals of how many vertices and edges to keep: poses that collide, counts that brute force gives, quantiles,
 * the same for any number of threads. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "shape/mesh_make.h"
#include "support/check.h"
#include "support/smooth.h"
#include "touchstone/manifold.h"

static ts_pose3 pose_of(const ts_manifold_pose *p)
{
    return (ts_pose3){ts_vec3_of(p->position), {p->attitude[0], p->attitude[1], p->attitude[2], p->attitude[3]}};
}

static ts_manifold_proposal *propose(const ts_sdf_body *a, const ts_sdf_body *b, size_t poses, int threads)
{
    ts_manifold_propose_options options = ts_manifold_default_propose_options();
    ts_manifold_proposal *p = NULL;
    options.poses = poses;
    options.threads = threads;
    OK(ts_manifold_propose(a, b, &options, &p, ERROR));
    return p;
}

/* Two balls touch at one place: one vertex of a body lies deepest there, or two on both sides of a flat edge. */
static void balls(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_superquadric((ts_vec3){1, 1, 1}, 1, 1, 8);
    ts_sdf_body *b = ts_test_superquadric((ts_vec3){0.4, 0.4, 0.4}, 1, 1, 6);
    ts_manifold_proposal *p = propose(a, b, 300, 1);
    assert_int_equal(p->poses, 300);
    assert_true(p->tried >= p->poses && p->tried < 3 * p->poses); /* a third of the disc of lines misses, at most */
    for (size_t i = 0; i < p->poses; i++) {
        const double apart = ts_vec3_length(ts_vec3_of(p->pose[i].position));
        assert_true(apart < 1.4 && apart > 1.3);
        assert_true(p->deepest[0][i] <= 2 && p->deepest[1][i] <= 2);
        assert_true(p->deepest[0][i] + p->deepest[1][i] >= 1);
    }
    assert_int_equal(p->suggested.vertices[0], 1);
    assert_int_equal(p->convex.vertices[0], 4);
    assert_int_equal(p->convex.edges[1], 4);
    assert_int_equal(p->barrier.vertices[1], b->mesh->vertex_count);
    assert_int_equal(p->barrier.edges[0], a->edge_count);
    ts_manifold_proposal_free(p);
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

/* Deepest vertices by looking at all pairs of corners of all triangles. */
static uint32_t brute_deepest(const ts_sdf_body *mine, const ts_sdf_body *its, ts_pose3 to_its)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(its->sdf);
    double phi[512];
    bool beaten[512] = {false};
    uint32_t count = 0;
    assert_true(mine->mesh->vertex_count <= 512);
    for (size_t v = 0; v < mine->mesh->vertex_count; v++)
        phi[v] = ts_sdf_at(its->sdf, &rule, ts_pose3_apply(to_its, mine->mesh->vertex[v]));
    for (size_t t = 0; t < mine->mesh->triangle_count; t++)
        for (int k = 0; k < 9; k++) {
            const int32_t v = mine->mesh->triangle[t][k / 3], u = mine->mesh->triangle[t][k % 3];
            beaten[v] |= phi[u] < phi[v];
        }
    for (size_t v = 0; v < mine->mesh->vertex_count; v++)
        count += phi[v] < 0 && !beaten[v];
    return count;
}

static double segment_distance(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d, double *s, double *t)
{
    double least = HUGE_VAL;
    *s = *t = 0.5; /* alternate projections: a convex problem, whose descent stops at its least value alone */
    for (int i = 0; i < 2000; i++) {
        const ts_vec3 p = ts_vec3_lerp(a, b, *s), u = ts_vec3_sub(d, c);
        *t = fmin(fmax(ts_vec3_dot(ts_vec3_sub(p, c), u) / ts_vec3_dot(u, u), 0), 1);
        const ts_vec3 q = ts_vec3_lerp(c, d, *t), v = ts_vec3_sub(b, a);
        *s = fmin(fmax(ts_vec3_dot(ts_vec3_sub(q, a), v) / ts_vec3_dot(v, v), 0), 1);
        const double now = ts_vec3_distance(ts_vec3_lerp(a, b, *s), q);
        if (now >= least * (1 - 1e-15))
            break;
        least = now;
    }
    return ts_vec3_distance(ts_vec3_lerp(a, b, *s), ts_vec3_lerp(c, d, *t));
}

enum { MOST = 150 };

/* Pairs of edges by a matrix of all distances; used[s][k]: edge k of A (0) or B (1) is in one of them. */
static uint32_t brute_pairs(const ts_sdf_body *a, const ts_sdf_body *b, ts_pose3 pose, bool used[2][MOST])
{
    static double distance[MOST][MOST], s[MOST][MOST], t[MOST][MOST];
    const ts_sdf_rule of_a = ts_sdf_default_rule(a->sdf), of_b = ts_sdf_default_rule(b->sdf);
    uint32_t count = 0;
    assert_true(a->edge_count <= MOST && b->edge_count <= MOST);
    const ts_vec3 *va = a->mesh->vertex, *vb = b->mesh->vertex;
    for (size_t k = 0; k < a->edge_count; k++)
        for (size_t l = 0; l < b->edge_count; l++)
            distance[k][l] =
                segment_distance(va[a->edge[k][0]], va[a->edge[k][1]], ts_pose3_apply(pose, vb[b->edge[l][0]]),
                                 ts_pose3_apply(pose, vb[b->edge[l][1]]), &s[k][l], &t[k][l]);
    for (size_t k = 0; k < a->edge_count; k++)
        for (size_t l = 0; l < b->edge_count; l++) {
            bool best = s[k][l] > 1e-6 && s[k][l] < 1 - 1e-6 && t[k][l] > 1e-6 && t[k][l] < 1 - 1e-6;
            for (size_t i = 0; best && i < b->edge_count; i++)
                best = distance[k][i] >= distance[k][l];
            for (size_t i = 0; best && i < a->edge_count; i++)
                best = distance[i][l] >= distance[k][l];
            if (!best)
                continue;
            const ts_vec3 p = ts_vec3_lerp(va[a->edge[k][0]], va[a->edge[k][1]], s[k][l]);
            const ts_vec3 q = ts_vec3_lerp(vb[b->edge[l][0]], vb[b->edge[l][1]], t[k][l]);
            if (ts_sdf_at(b->sdf, &of_b, ts_pose3_apply_inverse(pose, p)) < 0 ||
                ts_sdf_at(a->sdf, &of_a, ts_pose3_apply(pose, q)) < 0) {
                count++;
                used[0][k] = used[1][l] = true;
            }
        }
    return count;
}

/* The place of the last used edge, when edges are sorted by the mean depth of their ends. */
static uint32_t brute_rank(const ts_sdf_body *mine, const ts_sdf_body *its, ts_pose3 to_its, const bool *used)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(its->sdf);
    double mean[MOST];
    uint32_t most = 0;
    for (size_t k = 0; k < mine->edge_count; k++) {
        const ts_vec3 p = ts_pose3_apply(to_its, mine->mesh->vertex[mine->edge[k][0]]);
        const ts_vec3 q = ts_pose3_apply(to_its, mine->mesh->vertex[mine->edge[k][1]]);
        mean[k] = 0.5 * (ts_sdf_at(its->sdf, &rule, p) + ts_sdf_at(its->sdf, &rule, q));
    }
    for (size_t k = 0; k < mine->edge_count; k++) {
        uint32_t place = 0;
        for (size_t i = 0; i < mine->edge_count; i++)
            place += mean[i] <= mean[k];
        if (used[k] && place > most)
            most = place;
    }
    return most;
}

static void brute_force(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_superquadric((ts_vec3){1, 0.7, 0.4}, 0.3, 0.4, 3);
    ts_sdf_body *b = ts_test_superquadric((ts_vec3){0.5, 0.6, 0.3}, 0.2, 0.9, 2);
    ts_manifold_proposal *p = propose(a, b, 60, 2);
    uint32_t pairs = 0, deepest = 0;
    for (size_t i = 0; i < p->poses; i++) {
        const ts_pose3 pose = pose_of(&p->pose[i]);
        const ts_quat back = ts_quat_conjugate(pose.quat);
        const ts_pose3 inverse = {ts_vec3_neg(ts_quat_apply(back, pose.position)), back};
        assert_int_equal(p->deepest[0][i], brute_deepest(a, b, inverse));
        assert_int_equal(p->deepest[1][i], brute_deepest(b, a, pose));
        bool used[2][MOST] = {{false}};
        assert_int_equal(p->pairs[i], brute_pairs(a, b, pose, used));
        assert_int_equal(p->edge_rank[0][i], brute_rank(a, b, inverse, used[0]));
        assert_int_equal(p->edge_rank[1][i], brute_rank(b, a, pose, used[1]));
        assert_true(p->vertex_rank[0][i] >= p->deepest[0][i] && p->vertex_rank[1][i] >= p->deepest[1][i]);
        pairs += p->pairs[i];
        deepest += p->deepest[0][i] + p->deepest[1][i];
    }
    assert_true(pairs > 0 && deepest >= p->poses);
    /* the quantile: at least 95 % of the poses need no more, and fewer would be too few */
    size_t enough = 0, fewer = 0;
    for (size_t i = 0; i < p->poses; i++) {
        enough += p->deepest[0][i] <= p->suggested.vertices[0];
        fewer += p->deepest[0][i] < p->suggested.vertices[0];
    }
    assert_true(enough >= 57 && (fewer < 57 || p->suggested.vertices[0] == 1));
    ts_manifold_proposal_free(p);
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

static void threads_and_seeds(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_blob(1), *b = ts_test_superquadric((ts_vec3){0.3, 0.3, 0.3}, 0.5, 0.5, 4);
    ts_manifold_proposal *one = propose(a, b, 40, 1), *three = propose(a, b, 40, 3);
    assert_memory_equal(one->pose, three->pose, 40 * sizeof *one->pose);
    assert_memory_equal(one->pairs, three->pairs, 40 * sizeof *one->pairs);
    for (int s = 0; s < 2; s++)
        assert_memory_equal(one->deepest[s], three->deepest[s], 40 * sizeof *one->deepest[s]);
    ts_manifold_propose_options options = ts_manifold_default_propose_options();
    options.seed = 2;
    options.poses = 40;
    ts_manifold_proposal *other = NULL;
    OK(ts_manifold_propose(a, b, &options, &other, ERROR));
    assert_true(memcmp(one->pose, other->pose, 40 * sizeof *one->pose) != 0);
    ts_manifold_proposal_free(one);
    ts_manifold_proposal_free(three);
    ts_manifold_proposal_free(other);
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

static void refusals(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_superquadric((ts_vec3){1, 1, 1}, 1, 1, 2);
    const ts_manifold_propose_options good = ts_manifold_default_propose_options();
    ts_manifold_propose_options bad[7] = {good, good, good, good, good, good, good};
    bad[0].cookie = 0;
    bad[1].poses = 0;
    bad[2].depth = 0;
    bad[3].depth = (double)NAN;
    bad[4].quantile = 1.1;
    bad[5].quantile = 0;
    bad[6].threads = -1;
    for (int i = 0; i < 7; i++) {
        ts_manifold_proposal *p = NULL;
        assert_int_equal(ts_manifold_propose(a, a, &bad[i], &p, ERROR), TS_BAD_INPUT);
        assert_null(p);
    }
    ts_sdf_body_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls),
        cmocka_unit_test(brute_force),
        cmocka_unit_test(threads_and_seeds),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
