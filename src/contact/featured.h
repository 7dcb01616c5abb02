/* SPDX-License-Identifier: MIT */
/* Contacts by features (contact/features.h): outlines with each other, with discs and with walls, at every place where
 * they touch.
 *
 * Which pairs of features may touch is looked for when a pair has moved by a margin since that was done last; in
 * between the few that are near are asked (featured_parts.h). What was found is scratch and never changes a result: it
 * holds every pair of features that can touch, so that the same ones are accepted, in the same order, whenever it was
 * found.
 *
 * History. A pair's places have their numbers in state->history: records of one pair stand together and have its two
 * parts (a wall: -1 - i) and the key of their features, with TS_FEATURE_RECORD. The pair's entry of state->spring (of a
 * wall: those of state->wall_spring, of all faces that the part is listed with) is 1 + the index of the first; 0:
 * none. */
#pragma once

#include "contact/features.h"
#include "contact/find.h"
#include "workspace.h"

typedef TS_ARRAY(ts_feature_contact) ts_feature_contacts;

/* A shape where it stands. */
typedef struct ts_featured_shape {
    const ts_features *features;
    double x, y, angle; /* [m], [rad] */
    double c, s;        /* of the angle; of a half-plane those that turn the y axis into its normal */
    double radius;      /* [m] */
} ts_featured_shape;

/* Two shapes with what was found of them. */
typedef struct ts_featured_pair {
    ts_featured_shape a, b;
    int32_t block;
    bool wall;    /* A is a wall */
    size_t which; /* number in the list of pairs, or of walls */
} ts_featured_pair;

typedef struct ts_featured ts_featured;

/* Marks the keys of records. */
#define TS_FEATURE_RECORD (UINT64_C(1) << 62)

ts_status ts_featured_create(const ts_model *model, ts_featured **featured, ts_error *error);
void ts_featured_free(ts_featured *featured); /* NULL is fine */
size_t ts_featured_bytes(const ts_featured *featured);

/* After a list was made. */
ts_status ts_featured_fit(ts_featured *featured, const ts_pairs *pairs, ts_error *error);
/* After frames were placed. */
void ts_featured_place(const ts_workspace *work);
/* Before blocks are looked at: what the springs of the list refer to. */
void ts_featured_begin(const ts_workspace *work, const ts_history_array *past);
/* Whether all places were found since ts_featured_begin: memory may have been short. Without features they were. */
ts_status ts_featured_status(const ts_workspace *work, ts_error *error);
/* After all blocks were resolved: their records become the state's, and its springs refer to them. */
ts_status ts_featured_end(const ts_workspace *work, ts_state *state, ts_error *error);

/* Records of a block, until ts_featured_end: their number from that of a batch's source, and back. */
size_t ts_featured_record_index(const ts_workspace *work, int32_t block, const ts_history *record);
ts_history *ts_featured_record(const ts_workspace *work, int32_t block, size_t index);

/* Contacts of the pairs begin … end - 1 of a block to the sink; returns how many were asked about. `keep`, of the whole
 * list, may be NULL: then nothing is kept. */
size_t ts_featured_pairs(const ts_workspace *work, int32_t block, size_t begin, size_t end, const double *spring,
                         double *keep, ts_batch_sink *sink, void *context);
/* The same for `count` candidates of walls and parts that are outlines, from number `first` of the list on. */
size_t ts_featured_walls(const ts_workspace *work, int32_t block, size_t first, size_t count, const double *spring,
                         double *keep, ts_batch_sink *sink, void *context);

/* The records that a pair's spring refers to. */
size_t ts_featured_history(const ts_history_array *past, double spring, const ts_history **first);
/* The spring of a wall and a part: that of any of its faces. */
double ts_featured_wall_spring(const double *spring, size_t first, size_t end);

/* Places of a pair with a gap below `reach`, by key, in the frame of B. `way`: how far the two move against each other
 * in a step. */
ts_status ts_featured_ask(const ts_workspace *work, const ts_featured_pair *pair, double reach, double way,
                          ts_feature_contacts *out);
/* The end of the run of candidates of walls and outlines that begins with `first`: `first` itself where that is a
 * disc. */
size_t ts_featured_walls_end(const ts_workspace *work, size_t first, size_t end);
/* The candidates from `first` on that are of one wall and one part, at most up to `end`. */
size_t ts_featured_wall_end(const ts_workspace *work, size_t first, size_t end, int32_t *boundary);
/* Shapes of a pair, of a boundary and a part; B where it is placed. */
ts_featured_shape ts_featured_part(const ts_workspace *work, int32_t slot);
ts_featured_shape ts_featured_wall(const ts_workspace *work, const ts_wall_frame *wall, int32_t boundary);
/* The pose of one shape in the frame of another. */
static inline ts_relative ts_featured_relative(const ts_featured_shape *from, const ts_featured_shape *to)
{
    double dx = from->x - to->x, dy = from->y - to->y;
    return (ts_relative){to->c * from->c + to->s * from->s, to->c * from->s - to->s * from->c, to->c * dx + to->s * dy,
                         to->c * dy - to->s * dx};
}
/* From A to B in world axes: normal, and where the contact is from B's origin. */
static inline void ts_featured_turn(const ts_featured_shape *b, double x, double y, double out[2])
{
    out[0] = b->c * x - b->s * y;
    out[1] = b->s * x + b->c * y;
}
