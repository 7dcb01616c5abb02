/* SPDX-License-Identifier: MIT */
/* Smooth bodies and manifolds with the N-th allocation failing, for all N; and batches, which allocate nothing. */
#include <math.h>

#include "shape/sdf.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/smooth.h"
#include "touchstone/manifold.h"

typedef ts_status attempt(ts_error *error);

static ts_sdf_body *body;

/* All three families. */
static ts_status make_sdf(ts_error *error)
{
    const ts_vec3 normal[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    ts_primitive part[3] = {
        {.kind = TS_PRIMITIVE_SUPERQUADRIC, .size = {0.5, 0.3, 0.4}, .exponent = {0.3, 1}},
        {.kind = TS_PRIMITIVE_POLYHEDRON, .point = (ts_vec3 *)normal, .normal = (ts_vec3 *)normal, .count = 6},
        {.kind = TS_PRIMITIVE_CLOUD, .point = (ts_vec3 *)normal, .normal = (ts_vec3 *)normal, .count = 6}};
    for (int i = 0; i < 3; i++)
        part[i].pose = ts_pose3_identity();
    ts_sdf *made = NULL, *varied = NULL;
    ts_status status = ts_sdf_create(part, 3, &made, error);
    assert_true((status == TS_OK) == (made != NULL));
    if (status == TS_OK) {
        status = ts_sdf_vary(made, &varied, error);
        assert_true((status == TS_OK) == (varied != NULL));
    }
    ts_sdf_free(varied);
    ts_sdf_free(made);
    return status;
}

static ts_status make_manifold(ts_error *error)
{
    ts_manifold_options options = ts_manifold_default_options();
    options.project = 1;
    ts_manifold *manifold = NULL;
    ts_manifold_work *work = NULL;
    ts_manifold_team *team = NULL;
    ts_status status = ts_manifold_create(body, body, &options, &manifold, error);
    if (status == TS_OK)
        status = ts_manifold_work_create(manifold, &work, error);
    if (status == TS_OK)
        status = ts_manifold_team_create(manifold, 1, &team, error);
    assert_true((status == TS_OK) == (team != NULL));
    ts_manifold_team_free(team);
    ts_manifold_work_free(work);
    ts_manifold_free(manifold);
    return status;
}

static void survives(attempt *try)
{
    OK(try(ERROR));
    const long before = ts_test_heap_live();
    bool done = false;
    for (long n = 1; !done; n++) {
        assert_true(n < 2000);
        ts_test_heap_fail_at(n);
        const ts_status status = try(ERROR);
        done = ts_test_heap_calls() < n; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        assert_int_equal(status, done ? TS_OK : TS_OUT_OF_MEMORY);
        assert_int_equal(ts_test_heap_live(), before);
    }
}

static void distances(void **state)
{
    (void)state;
    survives(make_sdf);
}

static void manifolds(void **state)
{
    (void)state;
    survives(make_manifold);
}

/* With pieces, adjoints, and another smoothing for these. */
static void batches(void **state)
{
    (void)state;
    enum { ITEMS = 6, MOST = 4000 };
    static double gap[ITEMS * MOST], ones[MOST];
    static ts_manifold_pose a[ITEMS], b[ITEMS];
    static ts_manifold_pose_bar bar_a[ITEMS], bar_b[ITEMS];
    static ts_manifold_piece piece[ITEMS];
    static ts_manifold_piece_bar bar_piece[ITEMS];
    const ts_manifold_options options = ts_manifold_default_options();
    const ts_manifold_smoothing soft = ts_manifold_smoothing_of(0.1);
    const ts_manifold_contacts bar = {.gap = ones};
    ts_manifold *manifold;
    ts_manifold_team *team;
    OK(ts_manifold_create(body, body, &options, &manifold, ERROR));
    OK(ts_manifold_team_create(manifold, 2, &team, ERROR));
    assert_true(ts_manifold_get_counts(manifold).all <= MOST);
    for (int i = 0; i < MOST; i++)
        ones[i] = 1;
    for (int i = 0; i < ITEMS; i++) {
        a[i] = b[i] = (ts_manifold_pose){{0, 0, 0}, {1, 0, 0, 0}};
        b[i].position[i % 3] = 1.5;
        ts_manifold_get_pieces(body, &piece[i]);
        piece[i].size[0] += 0.01 * i;
    }
    const ts_manifold_batch batch = {.count = ITEMS,
                                     .a = a,
                                     .b = b,
                                     .to = {.gap = gap},
                                     .bar = &bar,
                                     .same_bar = true,
                                     .smoothing = &soft,
                                     .bar_a = bar_a,
                                     .bar_b = bar_b,
                                     .piece_a = piece,
                                     .bar_piece_a = bar_piece};
    ts_test_heap_fail_at(0);
    OK(ts_manifold_find_batch(team, &batch, ERROR));
    assert_int_equal(ts_test_heap_calls(), 0);
    assert_true(isfinite(bar_piece[3].size[0]) && bar_piece[3].size[0] != 0);
    ts_manifold_team_free(team);
    ts_manifold_free(manifold);
}

static int begin(void **state)
{
    (void)state;
    body = ts_test_superquadric((ts_vec3){1, 1, 1}, 1, 1, 2);
    return 0;
}

static int end(void **state)
{
    (void)state;
    ts_sdf_body_free(body);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(manifolds),
                                       cmocka_unit_test(batches)};
    return cmocka_run_group_tests(tests, begin, end);
}
