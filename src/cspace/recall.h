/* SPDX-License-Identifier: MIT */
/* A field that remembers its last answers.
 *
 * A smoothed field (smooth.h) is asked at the nodes of a fixed lattice, so bodies that rest or creep ask about the same
 * 27 poses step after step. An answer depends on the pose alone: what was answered before is answered again, with the
 * same bits. */
#pragma once

#include "base/status.h"
#include "cspace/field.h"

typedef struct ts_recall ts_recall;

/* `field` is borrowed. */
ts_status ts_recall_create(const void *field, ts_field_query *query, ts_recall **recall, ts_error *error);
void ts_recall_free(ts_recall *recall); /* NULL is fine */
size_t ts_recall_bytes(const ts_recall *recall);

/* As the field itself answers. May be asked by many threads at once. */
void ts_recall_query(ts_recall *recall, size_t count, ts_fields *fields);
