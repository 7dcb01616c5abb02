/* SPDX-License-Identifier: MIT */
/* What every test of the engine begins with: cmocka with the headers it forgets, and calls that must succeed.
 *
 *     OK(ts_scene_create(&scene, ERROR));       fails the test with the library's own sentence
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "touchstone/sim.h"
#include "touchstone/status.h"

/* One for each thread, so that tests with threads may use it; only the main thread may use OK. */
extern _Thread_local ts_error ts_test_error;

#define ERROR    (&ts_test_error)
#define OK(call) ts_test_ok((call), #call, __FILE__, __LINE__)

void ts_test_ok(ts_status status, const char *call, const char *file, int line);

/* Fails the test and prints both numbers unless |a - b| <= tolerance; a NaN fails. */
#define NEAR(a, b, tolerance) ts_test_near((a), (b), (tolerance), #a, __FILE__, __LINE__)

void ts_test_near(double a, double b, double tolerance, const char *what, const char *file, int line);

/* Moment of inertia about z of a body, in its own frame [kg·m²]. */
static inline double ts_test_inertia(const ts_model *model, size_t body)
{
    double inertia[9];
    ts_model_inertia(model, body, inertia);
    return inertia[8];
}
