/* SPDX-License-Identifier: MIT */
/* Pictures in space with the N-th allocation failing, for all N: an error that says so, nothing leaked, and the next
 * try works. */
#include "record/trace.h"
#include "support/check.h"
#include "support/heap.h"

#define SIDE 24

static uint32_t pixels[SIDE * SIDE];
static const ts_image image = {pixels, SIDE, SIDE, SIDE};

static ts_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static int32_t face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
static ts_mesh tetrahedron = {corner, 4, face, 4};

static const ts_solid solid[] = {{.kind = TS_SOLID_SPHERE, .radius = 1},
                                 {.kind = TS_SOLID_MESH, .mesh = &tetrahedron},
                                 {.kind = TS_SOLID_PLANE},
                                 {.kind = TS_SOLID_VESSEL, .radius = 2, .half_length = 2},
                                 {.kind = TS_SOLID_CAPSULE, .radius = 1, .half_length = 1}};

static void fill(ts_thing thing[5])
{
    for (int i = 0; i < 5; i++)
        thing[i] = (ts_thing){.solid = &solid[i], .pose = {{i, 0, 0}, {1, 0, 0, 0}}, .scale = 1};
    thing[4].flags = TS_THING_GHOST;
}

/* Two pictures: the second with what the first, perhaps a failed one, has left. */
static ts_status draw_twice(ts_trace *trace, ts_error *error)
{
    ts_thing thing[5];
    fill(thing);
    ts_view view = ts_default_view();
    view.thing = thing;
    view.thing_count = 5;
    view.camera = (ts_eye){{2, -9, 4}, {2, 0, 0}, {0, 0, 1}, 0.8};
    view.ground.on = true;
    ts_status first = ts_trace_draw(trace, &view, &image, error);
    ts_test_heap_fail_at(0);
    ts_status second = ts_trace_draw(trace, &view, &image, ERROR);
    assert_int_equal(second, TS_OK);
    return first;
}

static void tracing_survives(void **unused)
{
    (void)unused;
    long before = ts_test_heap_live();
    bool done = false;
    for (long n = 1; !done; n++) {
        assert_true(n < 1000);
        ts_error error = {0};
        ts_trace *trace = NULL;
        ts_test_heap_fail_at(n);
        ts_status status = ts_trace_create(NULL, &trace, &error);
        if (status == TS_OK)
            status = draw_twice(trace, &error);
        done = status == TS_OK;
        ts_test_heap_fail_at(0);
        if (!done)
            assert_int_equal(status, TS_OUT_OF_MEMORY);
        ts_trace_free(trace);
        assert_int_equal(ts_test_heap_live(), before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tracing_survives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
