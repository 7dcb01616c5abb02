/* SPDX-License-Identifier: MIT */
/* Checks of the numbers that a user gives, with messages that name the thing, the field, the value and the remedy.
 *
 *     ts_check c = {error, place, "body"};
 *     TS_TRY(ts_check_positive(&c, "scale", def->scale)); */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct ts_check {
    ts_error *error;
    ts_place place;                /* where the thing stands in a file, if anywhere */
    const char *what;              /* "body", "settings": begins the message */
    const struct ts_dimension *in; /* of the scene (scene/dimension.h) */
} ts_check;

/* Bound of any number that a user gives, so that products of two stay finite. */
#define TS_MAGNITUDE_MAX 1e150

/* `maker` is the function that sets the cookie. */
ts_status ts_check_cookie(const ts_check *c, int cookie, int expected, const char *maker);
/* Finite and of a magnitude that can be computed with. */
ts_status ts_check_number(const ts_check *c, const char *field, double value);
ts_status ts_check_vector3(const ts_check *c, const char *field, const double value[3]);
ts_status ts_check_positive(const ts_check *c, const char *field, double value);
ts_status ts_check_not_negative(const ts_check *c, const char *field, double value);
/* In [low, high]. */
ts_status ts_check_range(const ts_check *c, const char *field, double value, double low, double high);
/* 0 <= index < count; `of` is what it counts, "shape". */
ts_status ts_check_index(const ts_check *c, const char *of, long index, size_t count);
