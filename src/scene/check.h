/* SPDX-License-Identifier: MIT */
/* Checks of the numbers that a user gives, with messages that name the thing, the field, the value and the remedy.
 *
 *     ts_check c = {error, place, "body"};
 *     TS_TRY(ts_check_positive(&c, "scale", def->scale));
 *
 * Inside scene/ only. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "scene/dimension.h"

typedef struct ts_check {
    ts_error *error;
    ts_place place;         /* where the thing stands in a file, if anywhere */
    const char *what;       /* "body", "settings": begins the message */
    const ts_dimension *in; /* components that it does not have are 0 */
} ts_check;

/* What each ts_default_…() leaves in `cookie`, so that a struct which was only zeroed is caught. Different numbers, so
 * that a struct of one kind copied over another is caught as well. */
enum {
    TS_COOKIE_SETTINGS = 0x7501,
    TS_COOKIE_MATERIAL,
    TS_COOKIE_DYNAMICS,
    TS_COOKIE_SHAPE,
    TS_COOKIE_BODY,
    TS_COOKIE_WALL,
    TS_COOKIE_DRIVE,
    TS_COOKIE_GENERATOR,
    TS_COOKIE_SPACE,
    TS_COOKIE_SPRING
};

/* `maker` is the function that sets the cookie. */
ts_status ts_check_cookie(const ts_check *c, int cookie, int expected, const char *maker);
/* Finite and of a magnitude that can be computed with. */
ts_status ts_check_number(const ts_check *c, const char *field, double value);
ts_status ts_check_vector3(const ts_check *c, const char *field, const double value[3]);
/* The same, and z = 0 in the plane. */
ts_status ts_check_vector(const ts_check *c, const char *field, const double value[3]);
ts_status ts_check_positive(const ts_check *c, const char *field, double value);
ts_status ts_check_not_negative(const ts_check *c, const char *field, double value);
/* In [low, high]. */
ts_status ts_check_range(const ts_check *c, const char *field, double value, double low, double high);
/* 0 <= index < count; `of` is what it counts, "shape". */
ts_status ts_check_index(const ts_check *c, const char *of, long index, size_t count);
