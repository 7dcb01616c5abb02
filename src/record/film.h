/* SPDX-License-Identifier: MIT */
/* A trajectory at any time: everything moves evenly from one recorded frame to the next, in the plane and in space. */
#pragma once

#include <stdbool.h>

#include "base/memory.h"
#include "record/trajectory.h"

typedef struct ts_film ts_film;

/* The reader must outlive the film; its current frame changes. */
ts_status ts_film_create(ts_trajectory *reader, ts_film **film, ts_error *error);
void ts_film_free(ts_film *film); /* NULL is fine */
TS_RELEASE_AT(ts_film, ts_film_free)

/* The frame at a time, or with `recorded` the last one at or before it. What is there, and the contacts, are those of
 * the nearer of two frames. Valid until the next call. */
ts_status ts_film_at(ts_film *film, double time, bool recorded, const ts_frame **frame, ts_error *error);
/* Index of the frame whose time is nearest. */
ts_status ts_film_nearest(ts_trajectory *reader, double time, uint64_t *index, ts_error *error);
