/* SPDX-License-Identifier: MIT */
/* Tables: the gap as a smooth interpolation between values in a narrow band about contact.
 *
 * Coefficients of quadratic B-splines stand on a lattice over the folded domain (x, y, angle), in one or two bytes each. Only runs of nodes
 * near contact are stored: for each (y, angle) one run along x. The gap is C¹, and the gradient is that of the gap that is
 * returned. The arm is linear between nodes of a lattice 1.5 times as coarse. */
#pragma once

#include "base/threads.h"
#include "cspace/exact.h"
#include "cspace/fold.h"
#include "touchstone/map.h"

typedef struct ts_table ts_table;

/* What may be chosen; 0: a good value. */
typedef struct ts_table_form {
    double spacing;   /* of nodes in x and y, as a share of the unit */
    double turn;      /* of nodes in the angle [rad] */
    double deep, far; /* the band stored: -deep ≤ gap ≤ far */
    int32_t bits;     /* 8 or 16 */
} ts_table_form;

/* Told now and then. False stops. */
typedef bool ts_table_progress(void *user, double done, const char *what);

ts_status ts_table_create(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, const ts_table_form *form,
                          ts_pool *pool, ts_table_progress *progress, void *user, ts_table **table, ts_error *error);
/* The smallest that reaches `error` (mean near contact, the worst being at most 6 times that, or 0.03) within `bytes`, else the best within
 * `bytes`; TS_BAD_INPUT when none fits. A few builds. */
ts_status ts_table_fit(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, double error, size_t bytes,
                       ts_pool *pool, ts_table_progress *progress, void *user, ts_table **table, ts_error *err);
void ts_table_free(ts_table *table);
size_t ts_table_bytes(const ts_table *table);
ts_table_form ts_table_get_form(const ts_table *table);
/* A ts_field_query on folded poses. Beyond the band: above it, gap is at least `far` and grows away from A's centre; below, beside a run,
 * the gap goes on falling with the gradient that it has at the run's end, and in the midst of a run it stays somewhat below
 * -deep and grows away from A's centre. Whatever the pose, answers are finite. */
void ts_table_query(const void *table, size_t count, ts_fields *fields);

/* All of it as bytes, little-endian, and back; reading trusts nothing. `bytes` is the caller's to ts_free. */
ts_status ts_table_save(const ts_table *table, unsigned char **bytes, size_t *size, ts_error *error);
ts_status ts_table_load(const unsigned char *bytes, size_t size, ts_table **table, ts_error *error);
