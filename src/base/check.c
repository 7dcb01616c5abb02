/* SPDX-License-Identifier: MIT */
#include "base/check.h"

#include <math.h>

#define FAIL(c, ...) ts_fail_at((c)->error, TS_BAD_INPUT, (c)->place, __VA_ARGS__)

ts_status ts_check_cookie(const ts_check *c, int cookie, int expected, const char *maker)
{
    if (cookie != expected)
        return FAIL(c, "%s: the description was not made by %s(); start from it and change what you need", c->what,
                    maker);
    return TS_OK;
}

ts_status ts_check_number(const ts_check *c, const char *field, double value)
{
    if (isnan(value))
        return FAIL(c, "%s: %s is not a number; give a finite value", c->what, field);
    if (!(fabs(value) <= TS_MAGNITUDE_MAX))
        return FAIL(c, "%s: %s is %g; give a finite value of magnitude at most %g", c->what, field, value,
                    TS_MAGNITUDE_MAX);
    return TS_OK;
}

ts_status ts_check_vector3(const ts_check *c, const char *field, const double value[3])
{
    for (int i = 0; i < 3; i++)
        TS_TRY(ts_check_number(c, field, value[i]));
    return TS_OK;
}

ts_status ts_check_positive(const ts_check *c, const char *field, double value)
{
    TS_TRY(ts_check_number(c, field, value));
    if (!(value > 0))
        return FAIL(c, "%s: %s is %g, but must be positive", c->what, field, value);
    return TS_OK;
}

ts_status ts_check_not_negative(const ts_check *c, const char *field, double value)
{
    TS_TRY(ts_check_number(c, field, value));
    if (!(value >= 0))
        return FAIL(c, "%s: %s is %g, but must not be negative", c->what, field, value);
    return TS_OK;
}

ts_status ts_check_range(const ts_check *c, const char *field, double value, double low, double high)
{
    TS_TRY(ts_check_number(c, field, value));
    if (!(value >= low && value <= high))
        return FAIL(c, "%s: %s is %g; give a value from %g to %g", c->what, field, value, low, high);
    return TS_OK;
}

ts_status ts_check_index(const ts_check *c, const char *of, long index, size_t count)
{
    if (index >= 0 && (size_t)index < count)
        return TS_OK;
    if (count == 0)
        return FAIL(c, "%s: it refers to %s %ld, but the scene has none; add one first", c->what, of, index);
    return FAIL(c, "%s: it refers to %s %ld, but the scene has only 0 to %zu", c->what, of, index, count - 1);
}
