/* SPDX-License-Identifier: MIT */
/* What a table of a trajectory is made of: export_csv.c has the quantities of the plane and writes, export_csv_space.c those of space. */
#pragma once

#include "record/export_csv.h"

/* Where the export stands: what a column looks at. */
typedef struct ts_csv_row {
    const ts_trajectory_header *header;
    const ts_frame *frame;
    size_t item; /* body, boundary or contact */
    size_t disc; /* of the body's shape */
} ts_csv_row;

typedef enum ts_csv_kind { TS_CSV_INT, TS_CSV_UINT, TS_CSV_DOUBLE, TS_CSV_FLOAT, TS_CSV_TEXT } ts_csv_kind;

typedef struct ts_csv_cell {
    ts_csv_kind kind;
    union {
        int64_t i;
        uint64_t u;
        double d;
        float f;
        const char *text;
    };
} ts_csv_cell;

static inline ts_csv_cell ts_csv_int(int64_t value)
{
    return (ts_csv_cell){.kind = TS_CSV_INT, .i = value};
}
static inline ts_csv_cell ts_csv_uint(uint64_t value)
{
    return (ts_csv_cell){.kind = TS_CSV_UINT, .u = value};
}
static inline ts_csv_cell ts_csv_double(double value)
{
    return (ts_csv_cell){.kind = TS_CSV_DOUBLE, .d = value};
}
static inline ts_csv_cell ts_csv_float(float value)
{
    return (ts_csv_cell){.kind = TS_CSV_FLOAT, .f = value};
}
static inline ts_csv_cell ts_csv_text(const char *value)
{
    return (ts_csv_cell){.kind = TS_CSV_TEXT, .text = value};
}

typedef struct ts_csv_column {
    const char *name;
    ts_csv_cell (*get)(const ts_csv_row *r);
} ts_csv_column;

typedef struct ts_csv_quantity {
    const char *name;
    const ts_csv_column *column;               /* ends with a NULL name */
    size_t (*item_count)(const ts_csv_row *r); /* rows of a frame … */
    size_t (*disc_count)(const ts_csv_row *r); /* … times rows of an item */
} ts_csv_quantity;

enum { TS_CSV_SPACE_QUANTITIES = 4 };
extern const ts_csv_quantity ts_csv_space_quantity[TS_CSV_SPACE_QUANTITIES];

#define TS_CSV_COLUMN(function, expression)                 \
    static inline ts_csv_cell function(const ts_csv_row *r) \
    {                                                       \
        return expression;                                  \
    }
TS_CSV_COLUMN(ts_csv_frame_index, ts_csv_uint(r->frame->index))
TS_CSV_COLUMN(ts_csv_frame_step, ts_csv_uint(r->frame->step))
TS_CSV_COLUMN(ts_csv_frame_time, ts_csv_double(r->frame->time))
TS_CSV_COLUMN(ts_csv_frame_contacts, ts_csv_uint(r->frame->contact_count))
TS_CSV_COLUMN(ts_csv_item_index, ts_csv_uint(r->item))

#define TS_CSV_FRAME_COLUMNS                                    \
    {"frame", ts_csv_frame_index}, {"step", ts_csv_frame_step}, \
    {                                                           \
        "time_s", ts_csv_frame_time                             \
    }

static inline size_t ts_csv_one(const ts_csv_row *r)
{
    (void)r;
    return 1;
}
static inline size_t ts_csv_contacts(const ts_csv_row *r)
{
    return r->frame->contact_count;
}
