/* SPDX-License-Identifier: MIT */
/* Outlines with the N-th allocation failing, for all N: an error that says so, nothing handed out, nothing leaked. */
#include <string.h>

#include "shape/outline.h"
#include "support/check.h"
#include "support/heap.h"

typedef ts_status attempt(ts_error *error);

static ts_outline *odd;

static const ts_vertex body[] = {{0, 0, 0.2}, {3, 0, -0.1}, {3, 2, 0}, {0, 2, 0.4}};
static const ts_vertex hole[] = {{1, 0.5, 0}, {1, 1.5, 0}, {2, 1.5, 0}, {2, 0.5, 0}};
static const ts_contour contour[] = {{body, 4, false}, {hole, 4, false}};

/* An outline that could not be made is not there. */
static ts_status drop(ts_status status, ts_outline *o)
{
    assert_true((status == TS_OK) == (o != NULL));
    ts_outline_free(o);
    return status;
}

static ts_status adopt(ts_error *error)
{
    const char *note[] = {"one", "two", "three"};
    ts_outline *o;
    ts_status status = ts_outline_adopt(contour, 2, note, 3, &o, error);
    return drop(status, o);
}

static ts_status create(ts_error *error)
{
    /* clockwise and overlapping, so that there is something to mend */
    const ts_vertex other[] = {{2, 1, 0}, {2, 5, 0}, {4, 1, 0}};
    const ts_contour drawn[] = {contour[0], {other, 3, true}};
    ts_outline *o;
    ts_status status = ts_outline_create(drawn, 2, TS_RULE_NONZERO, &o, error);
    return drop(status, o);
}

static ts_status make_regular(ts_error *error)
{
    ts_outline *o;
    ts_status status = ts_outline_regular(50, 1, &o, error);
    return drop(status, o);
}

static ts_status place(ts_error *error)
{
    ts_outline *o;
    ts_status status = ts_outline_place(odd, 2, 1, (double[2]){3, 4}, &o, error);
    return drop(status, o);
}

static ts_status flatten(ts_error *error)
{
    ts_vec2 *point;
    size_t *begin;
    ts_status status = ts_outline_flatten(odd, 1e-3, &point, &begin, error);
    assert_true((status == TS_OK) == (point != NULL) && (status == TS_OK) == (begin != NULL));
    ts_free(point);
    ts_free(begin);
    return status;
}

static ts_status find_symmetry(ts_error *error)
{
    ts_symmetry symmetry;
    return ts_outline_symmetry(odd, 0, &symmetry, error);
}

static void survives(attempt *try)
{
    ts_error error;
    OK(try(ERROR));
    long before = ts_test_heap_live();
    bool done = false;
    for (long n = 1; !done; n++) {
        assert_true(n < 5000);
        error.message[0] = 0;
        ts_test_heap_fail_at(n);
        ts_status status = try(&error);
        done = ts_test_heap_calls() < n; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        if (status != (done ? TS_OK : TS_OUT_OF_MEMORY))
            fail_msg("allocation %ld: %s: %s", n, ts_status_name(status), error.message);
        assert_true(done || error.message[0] != 0);
        if (ts_test_heap_live() != before)
            fail_msg("allocation %ld: %ld blocks leaked", n, ts_test_heap_live() - before);
    }
}

static void making(void **state)
{
    (void)state;
    survives(adopt);
    survives(make_regular);
    survives(create);
}

static void using(void **state)
{
    (void)state;
    OK(ts_outline_adopt(contour, 2, (const char *const[]){"a note"}, 1, &odd, ERROR));
    survives(place);
    survives(flatten);
    survives(find_symmetry);
    ts_outline_free(odd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(making), cmocka_unit_test(using)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
