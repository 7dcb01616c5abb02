/* SPDX-License-Identifier: MIT */
/* What the library tells of the steps that were taken. */
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "touchstone/touchstone.h"

/* Two balls: one on a floor of springs as soft as asked for, one far above it. */
static const char scene_text[] =
    "{\"touchstone\": 1, \"duration\": 1, \"time_step\": 1e-4, \"dynamics\": {\"kind\": \"penalty\", \"stiffness\": "
    "%s},"
    "\"shapes\": {\"ball\": {\"kind\": \"disc\", \"radius\": 0.01}},"
    "\"walls\": [{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}],"
    "\"bodies\": [{\"shape\": \"ball\", \"position\": [0, 9]}, {\"shape\": \"ball\", \"position\": [1, 0.01]}]}";

typedef struct run {
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    ts_warning warning[16];
    size_t count;
} run;

static run run_with(const char *stiffness, int threads, uint64_t steps)
{
    char text[1024];
    ts_scene *scene;
    run r = {0};
    const int length = snprintf(text, sizeof text, scene_text, stiffness);
    OK(ts_scene_parse(text, (size_t)length, "scene", NULL, &scene, ERROR));
    OK(ts_model_compile(scene, &r.model, ERROR));
    ts_scene_free(scene);
    OK(ts_state_create(r.model, &r.state, ERROR));
    OK(ts_workspace_create(r.model, threads, &r.work, ERROR));
    OK(ts_step(r.model, r.state, r.work, steps, ERROR));
    r.count = ts_workspace_warnings(r.work, r.warning, 16);
    return r;
}

static void release(run *r)
{
    ts_workspace_free(r->work);
    ts_state_free(r->state);
    ts_model_free(r->model);
}

/* The warning of a kind, which must be there. */
static const ts_warning *find(const run *r, const char *kind)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->warning[i].kind, kind) == 0)
            return &r->warning[i];
    fail_msg("there is no warning of kind %s", kind);
    return &r->warning[0];
}

static void a_good_run_has_none(void **unused)
{
    (void)unused;
    run r = run_with("1e6", 1, 100);
    assert_int_equal(r.count, 0);
    assert_int_equal(ts_workspace_warnings(r.work, NULL, 0), 0);
    release(&r);
}

static void a_body_through_the_floor_is_told(void **unused)
{
    (void)unused;
    run one = run_with("10", 1, 1000), two = run_with("10", 2, 1000);
    const ts_warning *through = find(&one, "passed_through"), *deep = find(&one, "deep_overlap");
    assert_true(find(&one, "sunk")->doubtful);
    assert_true(through->doubtful && !deep->doubtful);
    assert_int_equal(through->body, 1);
    assert_true(deep->first_step >= 1 && deep->first_step < through->first_step);
    assert_true(through->count < deep->count && deep->count <= 1000);
    assert_true(strlen(through->text) > 20);

    /* the same on two threads; and a caller with little room gets the gravest, and the number of all */
    assert_int_equal(two.count, one.count);
    for (size_t i = 0; i < one.count; i++) {
        assert_string_equal(two.warning[i].text, one.warning[i].text);
        assert_int_equal(two.warning[i].count, one.warning[i].count);
        assert_int_equal(two.warning[i].first_step, one.warning[i].first_step);
        assert_int_equal(two.warning[i].body, one.warning[i].body);
    }
    ts_warning few[2] = {{0}, {.count = 77}};
    assert_int_equal(ts_workspace_warnings(one.work, few, 1), one.count);
    assert_string_equal(few[0].kind, one.warning[0].kind);
    assert_int_equal(few[1].count, 77);
    release(&one);
    release(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_run_has_none),
        cmocka_unit_test(a_body_through_the_floor_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
