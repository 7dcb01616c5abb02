/* SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <math.h>

_Thread_local ts_error ts_test_error;

void ts_test_ok(ts_status status, const char *call, const char *file, int line)
{
    if (status == TS_OK)
        return;
    print_error("%s: %s: %s\n", call, ts_status_name(status), ts_test_error.message);
    _fail(file, line);
}

void ts_test_near(double a, double b, double tolerance, const char *what, const char *file, int line)
{
    if (fabs(a - b) <= tolerance)
        return;
    print_error("%s is %.17g, not %.17g: off by %.3g, more than %.3g\n", what, a, b, fabs(a - b), tolerance);
    _fail(file, line);
}
