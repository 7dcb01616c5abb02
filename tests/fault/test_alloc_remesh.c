/* SPDX-License-Identifier: MIT */
/* Meshes of zero sets, and proposals, with the N-th allocation failing, for all N: an error that says so, nothing handed
 * out, nothing leaked. */
#include "shape/sdf.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/smooth.h"
#include "touchstone/manifold.h"

static ts_sdf *sdf;
static ts_sdf_body *body;

typedef ts_status attempt(ts_error *error);

static ts_status remesh(ts_error *error)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    ts_mesh *mesh = NULL;
    const ts_status status = ts_sdf_mesh(sdf, &rule, &(ts_sdf_mesh_wish){.vertices = 40, .cells = 8}, &mesh, error);
    assert_true((status == TS_OK) == (mesh != NULL));
    ts_mesh_free(mesh);
    return status;
}

static ts_status propose(ts_error *error)
{
    ts_manifold_propose_options options = ts_manifold_default_propose_options();
    ts_manifold_proposal *proposal = NULL;
    options.poses = 2;
    options.threads = 1;
    const ts_status status = ts_manifold_propose(body, body, &options, &proposal, error);
    assert_true((status == TS_OK) == (proposal != NULL));
    ts_manifold_proposal_free(proposal);
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

static void meshes(void **state)
{
    (void)state;
    survives(remesh);
}

static void proposals(void **state)
{
    (void)state;
    survives(propose);
}

static int begin(void **state)
{
    (void)state;
    const ts_primitive part[2] = {
        {.kind = TS_PRIMITIVE_SUPERQUADRIC, .pose = ts_pose3_identity(), .size = {0.5, 0.3, 0.4}, .exponent = {0.3, 1}},
        {.kind = TS_PRIMITIVE_SUPERQUADRIC,
         .pose = {{0.4, 0, 0.1}, {1, 0, 0, 0}},
         .size = {0.2, 0.2, 0.3},
         .exponent = {1, 1}}};
    OK(ts_sdf_create(part, 2, &sdf, ERROR));
    body = ts_test_superquadric((ts_vec3){1, 1, 1}, 1, 1, 2);
    return 0;
}

static int end(void **state)
{
    (void)state;
    ts_sdf_free(sdf);
    ts_sdf_body_free(body);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(meshes), cmocka_unit_test(proposals)};
    return cmocka_run_group_tests(tests, begin, end);
}
