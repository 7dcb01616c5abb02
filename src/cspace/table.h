/* SPDX-License-Identifier: MIT */
/* Tables: the gap as a smooth interpolation between values in a narrow band about contact.
 *
 * Coefficients of quadratic B-splines stand on a lattice over the folded domain (x, y, angle), in one or two bytes
 * each. Only runs of nodes near contact are stored: for each (y, angle) one run along x. Within the band the gap is C¹,
 * also where a pose passes from one fold to another, and the gradient is that of the gap that is returned. Above the
 * band the gap saturates. The arm is linear between nodes of a lattice 1.5 times as coarse. */
#pragma once

#include "base/memory.h"
#include "base/threads.h"
#include "cspace/exact.h"
#include "cspace/fold.h"
#include "touchstone/map.h"

typedef struct ts_table ts_table;

/* What may be chosen; 0: a good value. */
typedef struct ts_table_form {
    double spacing;   /* of nodes in x and y, in the pair's unit */
    double turn;      /* of nodes in the angle [rad] */
    double deep, far; /* the band stored: -deep ≤ gap ≤ far; 0: 0.3 and 0.11 of the smaller radius */
    int32_t bits;     /* 8 or 16 */
} ts_table_form;

/* Told now and then. False stops. */
typedef bool ts_table_progress(void *user, double done, const char *what);

/* The fold: ts_fold_for_table, here and when it is asked. */
ts_status ts_table_create(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, const ts_table_form *form,
                          ts_pool *pool, ts_table_progress *progress, void *user, ts_table **table, ts_error *error);
/* What auto asks of a table besides its mean error: of one that was made, on poses of their own (map.c). Lengths are
 * shares of the smaller radius. */
#define TS_TABLE_WORST_SHARE 10.0  /* the worst error is at most so many times the mean one that is wanted, */
#define TS_TABLE_WORST_LEAST 0.05  /* or this */
#define TS_TABLE_WRONG_SHARE 0.001 /* share of poses that may have the wrong sign although their gap is clear, */
#define TS_TABLE_CLEAR       0.01  /* that is, larger than this */
#define TS_TABLE_ROOM_SHARE \
    4.0 /* a pocket has room when what fits into it has so many times the error, and a clear gap; */
#define TS_TABLE_CLOSED_SHARE 0.02 /* so many of these may be closed */
/* Choosing a table aims at less, since its poses are fewer and the choice is made by them. */
#define TS_TABLE_WORST_AIM 0.6 /* of the worst error that auto allows */
#define TS_TABLE_WRONG_AIM 0.4 /* of the wrong signs */

/* The smallest that reaches `error` within `bytes`, else the best within `bytes`; TS_BAD_INPUT when none fits. A few
 * builds. Reached means: the mean near contact (|gap| ≤ 0.1) is at most `error`, and worst error, wrong signs and
 * closed pockets are at most what is aimed at. */
ts_status ts_table_fit(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, double error, size_t bytes,
                       ts_pool *pool, ts_table_progress *progress, void *user, ts_table **table, ts_error *err);
/* Whether ts_table_fit came to what was asked. False for all other tables. */
bool ts_table_reached(const ts_table *table);
/* Whether at least what fits into a pocket fits there in what ts_table_fit made. False for all other tables. */
bool ts_table_is_open(const ts_table *table);
void ts_table_free(ts_table *table);
TS_RELEASE_AT(ts_table, ts_table_free)
size_t ts_table_bytes(const ts_table *table);
ts_table_form ts_table_get_form(const ts_table *table);
/* A ts_field_query on folded poses. Beyond the band: above it, the gap saturates: it is `far`, or the distance of the
 * centres less the reach where that is more, and never falls as bodies separate; where no values are, the gradient
 * points away from A's centre. Below, beside a run, the gap goes on falling with the gradient that it has at the run's
 * end, and in the midst of a run it stays somewhat below -deep and grows away from A's centre. Whatever the pose,
 * answers are finite. */
void ts_table_query(const void *table, size_t count, ts_fields *fields);

/* All of it as bytes, little-endian, and back; reading trusts nothing. `bytes` is the caller's to ts_free. */
ts_status ts_table_save(const ts_table *table, unsigned char **bytes, size_t *size, ts_error *error);
ts_status ts_table_load(const unsigned char *bytes, size_t size, ts_table **table, ts_error *error);
