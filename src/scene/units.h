/* SPDX-License-Identifier: MIT */
/* Numbers with units: "3 mm", "20 deg", "1 kN/m", "30 rpm".
 *
 * A unit is a product of symbols with whole powers, such as N*s/m, kg/m^2 or m/s². Its dimension is checked against
 * what the field wants; angles count as a dimension of their own, so that rpm (rad/s) and Hz (1/s) are not taken for
 * each other. Decimal prefixes shift the number's exponent before it is rounded, so "9.3 mm" has exactly the bits of
 * 0.0093. */
#pragma once

#include "base/field.h"

/* "a length", "a time", …; "a plain number" for NONE. */
const char *ts_quantity_name(ts_quantity quantity);
/* The units to offer in a message: "m, km, cm, mm, um, nm"; empty for NONE. */
const char *ts_quantity_units(ts_quantity quantity);

/* The value in SI units of a text such as "3 mm". Errors are at `place` and name the accepted units. Deterministic, and
 * independent of the locale. */
ts_status ts_quantity_parse(const char *text, ts_quantity quantity, ts_place place, double *value, ts_error *error);
